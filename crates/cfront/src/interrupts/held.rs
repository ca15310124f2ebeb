//! Where no handler can come, because the program surely keeps all of them off: what it accesses there it accesses at once,
//! however wide it is.
//!
//! A forward analysis of one bit, the mask: at a point it is surely set if it is on all paths to the point. A function is
//! entered with the mask surely set if all its calls are; what it does to the mask is known for both ways of entering it. All
//! starts from the best, and is corrected until nothing changes (the greatest fixpoint; Kildall 1973).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::calls::{named_function, CallGraph, Callee};
use crate::consteval::eval;
use crate::flow::{Flow, PointId};
use crate::library::saves_place;
use crate::span::{ExprId, FunctionId, ObjectId};
use crate::tree::{BinaryOp, ExprKind, Parent, Tree};

use super::{ENABLE, MASKED, THREAD};

/// The points of a program at which no handler can come.
pub(super) struct Held {
    functions: HashMap<FunctionId, (Flow, Vec<bool>)>,
}

/// What an expression does to the mask.
#[derive(Clone)]
enum Effect {
    /// It is set, or it may be cleared.
    Assigned { sets: bool },
    /// One of these functions is called.
    Calls(BTreeSet<FunctionId>),
}

/// What a function does to the mask.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Summary {
    /// Whether all its calls are made with the mask surely set.
    entered: bool,
    /// Whether the mask is surely set behind it if it is set in front of it.
    keeps: bool,
    /// Whether it is surely set behind it in any case.
    sets: bool,
}

/// An effect in a function.
struct Site {
    at: PointId,
    /// Whether each evaluation at its point surely has it.
    always: bool,
    effect: Effect,
}

struct Function {
    flow: Flow,
    sites: Vec<Site>,
}

impl Held {
    /// Finds them. `undisturbed` are the functions with which code begins that nothing interrupts at first, `roots` those with
    /// which other code begins. Linear in the program for each round; each round corrects what is known of some function.
    pub fn of(
        tree: &Tree,
        graph: &CallGraph,
        undisturbed: &BTreeSet<FunctionId>,
        roots: &BTreeSet<FunctionId>,
    ) -> Held {
        let mask = tree.visible_at(tree.file_scope(), usize::MAX, MASKED);
        let found = effects(tree, graph, mask);
        let Some(functions) = found.filter(|_| !has_threads(tree, graph)) else {
            return Held {
                functions: HashMap::new(),
            };
        };
        let best = |f: &FunctionId| Summary {
            entered: undisturbed.contains(f)
                || !roots.contains(f) && !graph.address_taken.contains_key(f),
            keeps: true,
            sets: true,
        };
        let mut known: BTreeMap<FunctionId, Summary> =
            functions.keys().map(|f| (*f, best(f))).collect();
        loop {
            let before = known.clone();
            for (id, function) in &functions {
                let name = &tree.functions[*id].name;
                let calls_handlers = name.starts_with(THREAD) || name == ENABLE;
                let [keeps, sets] = [true, false].map(|entered| {
                    let states = function.states(entered, &known);
                    states[function.flow.exit().index()]
                });
                let states = function.states(known[id].entered, &known);
                for site in &function.sites {
                    let Effect::Calls(called) = &site.effect else {
                        continue;
                    };
                    // Where a point has effects besides, their order may be any.
                    let here = states[site.at.index()] && function.is_alone(site, &before);
                    for f in called {
                        let begins = calls_handlers && undisturbed.contains(f);
                        if let Some(of) = known.get_mut(f).filter(|_| !begins) {
                            of.entered &= here;
                        }
                    }
                }
                known.entry(*id).and_modify(|of| {
                    of.keeps &= keeps;
                    of.sets &= sets;
                });
            }
            if known == before {
                break;
            }
        }
        let of = |(id, function): (FunctionId, Function)| {
            let mut states = function.states(known[&id].entered, &known);
            for site in function.sites.iter().filter(|site| site.clears(&known)) {
                states[site.at.index()] = false;
            }
            (id, (function.flow, states))
        };
        Held {
            functions: functions.into_iter().map(of).collect(),
        }
    }

    /// Whether no handler can come while an expression is evaluated.
    pub fn has(&self, tree: &Tree, e: ExprId) -> bool {
        let function = tree.function_of(Parent::Expr(e));
        let known = function.and_then(|f| self.functions.get(&f));
        known.is_some_and(|(flow, states)| {
            let at = flow.point_of(tree, e);
            at.is_some_and(|at| states[at.index()])
        })
    }
}

/// Whether the program has threads of its own, which may change the mask between its steps.
fn has_threads(tree: &Tree, graph: &CallGraph) -> bool {
    graph.starts.iter().any(|start| {
        let of = start.function.map(|f| &tree.functions[f].name);
        of.is_none_or(|name| !name.starts_with(THREAD))
    })
}

/// The functions with what they do to the mask; `None` if something is not known.
fn effects(
    tree: &Tree,
    graph: &CallGraph,
    mask: Option<ObjectId>,
) -> Option<HashMap<FunctionId, Function>> {
    let mut functions = HashMap::new();
    for (id, _) in tree.functions.iter().filter(|(_, f)| f.body.is_some()) {
        let flow = Flow::new(tree, id).ok()?;
        let sites = Vec::new();
        functions.insert(id, Function { flow, sites });
    }
    let mut add = |e: ExprId, effect: Effect, always: bool| {
        let function = tree.function_of(Parent::Expr(e));
        let Some(function) = function.and_then(|f| functions.get_mut(&f)) else {
            return Some(());
        };
        function.sites.push(Site {
            at: function.flow.point_of(tree, e)?,
            always: always && is_always_evaluated(tree, e),
            effect,
        });
        Some(())
    };
    for (id, expr) in tree.exprs.iter().filter(|(_, e)| !e.unevaluated) {
        let is_mask = |e: ExprId| mask.is_some() && tree.named(e) == mask;
        match &expr.kind {
            ExprKind::Assign { op, lhs, rhs, .. } if is_mask(*lhs) => {
                let sets = op.is_none() && eval(tree, *rhs).is_some_and(|value| value != 0);
                add(id, Effect::Assigned { sets }, true)?;
            }
            ExprKind::IncDec { operand, .. } if is_mask(*operand) => {
                add(id, Effect::Assigned { sets: false }, true)?;
            }
            ExprKind::AddressOf(of) if is_mask(*of) => return None,
            _ => {}
        }
    }
    for call in &graph.calls {
        let any = || graph.address_taken.keys().copied().collect();
        let (called, always) = match &call.callee {
            Callee::Builtin(_) => continue,
            Callee::Direct(f) if tree.functions[*f].body.is_some() => ([*f].into(), true),
            // A jump comes back to it with the mask of another time.
            Callee::Direct(f) if saves_place(&tree.functions[*f].name) => return None,
            // What has no body may call what it is given.
            Callee::Direct(_) if !passes_function(tree, call.expr) => continue,
            Callee::Direct(_) => (any(), false),
            Callee::Indirect(_) => (any(), true),
        };
        add(call.expr, Effect::Calls(called), always)?;
    }
    Some(functions)
}

/// Whether a function is an argument of a call.
fn passes_function(tree: &Tree, call: ExprId) -> bool {
    let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
        return false;
    };
    args.iter().any(|arg| named_function(tree, *arg).is_some())
}

/// Whether each evaluation at the point of an expression evaluates it.
fn is_always_evaluated(tree: &Tree, e: ExprId) -> bool {
    let mut below = e;
    while let Parent::Expr(outer) = tree.exprs[below].parent {
        let skips = match &tree.exprs[outer].kind {
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, _, right) => *right == below,
            ExprKind::Conditional { cond, .. } => *cond != below,
            ExprKind::Generic { .. } => true,
            _ => false,
        };
        if skips {
            return false;
        }
        below = outer;
    }
    true
}

impl Site {
    /// Whether the mask may be clear behind it although it was set in front of it.
    fn clears(&self, known: &BTreeMap<FunctionId, Summary>) -> bool {
        match &self.effect {
            Effect::Assigned { sets } => !sets,
            Effect::Calls(called) => called
                .iter()
                .any(|f| known.get(f).is_some_and(|of| !of.keeps)),
        }
    }

    /// Whether the mask is surely set behind it.
    fn sets(&self, known: &BTreeMap<FunctionId, Summary>) -> bool {
        self.always
            && match &self.effect {
                Effect::Assigned { sets } => *sets,
                Effect::Calls(called) => {
                    let mut all = called.iter();
                    !called.is_empty() && all.all(|f| known.get(f).is_some_and(|of| of.sets))
                }
            }
    }
}

impl Function {
    /// Whether nothing else at its point may clear the mask.
    fn is_alone(&self, site: &Site, known: &BTreeMap<FunctionId, Summary>) -> bool {
        let others = self.sites.iter().filter(|other| other.at == site.at);
        let mut others = others.filter(|other| !std::ptr::eq(*other, site));
        !others.any(|other| other.clears(known))
    }

    /// For each point whether the mask is surely set in front of it, if it is, or may not be, at the begin.
    fn states(&self, entered: bool, known: &BTreeMap<FunctionId, Summary>) -> Vec<bool> {
        let points = self.flow.points().count();
        let mut through: Vec<Option<bool>> = vec![None; points];
        for site in &self.sites {
            let at = &mut through[site.at.index()];
            if site.clears(known) {
                *at = Some(false);
            } else if at.is_none() && site.sets(known) {
                *at = Some(true);
            }
        }
        let mut states = vec![true; points];
        states[self.flow.entry().index()] = entered;
        let mut work: Vec<PointId> = self.flow.points().map(|(id, _)| id).collect();
        work.reverse();
        while let Some(at) = work.pop() {
            let out = through[at.index()].unwrap_or(states[at.index()]);
            for next in self.flow.next(at) {
                if states[next.index()] && !out {
                    states[next.index()] = false;
                    work.push(*next);
                }
            }
        }
        states
    }
}
