//! Locals that are live at the head of a loop, and loops that count.

use std::collections::{BTreeSet, HashMap};

use cfront::access::{usage, Use};
use cfront::flow::Point;
use cfront::library::{Contract, Function};
use cfront::span::{DeclId, ExprId, FunctionId, Id, StmtId};
use cfront::tree::{BinaryOp, Entity, ExprKind, ForInit, Parent, Resolved, Stmt, StmtKind, Tree};
use cfront::types::Type;
use cfront::Flow;

use crate::analysis::influence::{is_automatic, within};
use crate::facts::ObjectIndex;

/// A set of locals.
type Set = BTreeSet<ObjectIndex>;

/// The locals that a node reads before it writes them, and those that it surely overwrites.
#[derive(Clone, Debug, Default)]
struct Effect {
    uses: Set,
    kills: Set,
}

impl Effect {
    fn then(&mut self, next: Effect) {
        let fresh = next.uses.difference(&self.kills).copied();
        self.uses.extend(fresh.collect::<Vec<_>>());
        self.kills.extend(next.kills);
    }

    /// The effect of two operands that are both evaluated, in any order.
    fn beside(mut self, other: Effect) -> Effect {
        self.uses.extend(other.uses);
        self.kills.extend(other.kills);
        self
    }
}

/// The locals that are live at the points of all functions, by a backward analysis. A local whose address is
/// taken counts as live.
#[derive(Clone, Debug, Default)]
pub struct Live {
    before: HashMap<FunctionId, Vec<Set>>,
    ways: HashMap<FunctionId, Ways>,
    /// Locals whose address is taken.
    pub escaping: Set,
    /// Those of them whose address is not only given to calls that forget it.
    known: Set,
}

/// The successors of each point of a function, and the locals that the point surely overwrites.
#[derive(Clone, Debug, Default)]
struct Ways {
    next: Vec<Vec<usize>>,
    kills: Vec<Set>,
}

impl Live {
    /// Analyses all functions. O(points · locals) in practice.
    pub fn new(tree: &Tree, flows: &HashMap<FunctionId, Flow>) -> Live {
        Live::giving(tree, flows, &gives)
    }

    /// As [`Live::new`]; `gives` names the argument of a call through which the callee surely gives an object a value,
    /// and after which it forgets the address.
    pub fn giving(tree: &Tree, flows: &HashMap<FunctionId, Flow>, gives: Gives) -> Live {
        let names = |which: Gives| -> BTreeSet<ExprId> {
            let calls = tree.exprs.ids();
            calls.filter_map(|e| given(tree, e, which)).collect()
        };
        let given = names(gives);
        let lent = names(&goes_on);
        let seen = Seen { tree, given };
        let mut taken = cfront::access::address_taken(tree);
        taken.retain(|&o, _| is_automatic(tree, o));
        let forgotten = |name: &ExprId| seen.given.contains(name) || lent.contains(name);
        let known = taken
            .iter()
            .filter(|(_, names)| !names.iter().all(forgotten));
        Live {
            before: flows
                .iter()
                .map(|(f, flow)| (*f, function(&seen, flow)))
                .collect(),
            ways: flows
                .iter()
                .map(|(f, flow)| (*f, ways(&seen, flow)))
                .collect(),
            escaping: taken.keys().map(|o| o.index()).collect(),
            known: known.map(|(o, _)| o.index()).collect(),
        }
    }

    /// Whether a local may be read, from a point of a function on, before it is written; true for an unknown
    /// point.
    pub fn at(&self, function: FunctionId, point: Option<usize>, object: ObjectIndex) -> bool {
        self.known.contains(&object) || self.fresh_at(function, point, object)
    }

    /// As [`Live::at`], for a local to which no pointer leads at the point, such as behind its declaration: taking its
    /// address counts as a read.
    pub fn fresh_at(
        &self,
        function: FunctionId,
        point: Option<usize>,
        object: ObjectIndex,
    ) -> bool {
        let before = self.before.get(&function);
        let set = before.zip(point).and_then(|(sets, point)| sets.get(point));
        set.is_none_or(|set| set.contains(&object))
    }

    /// Whether control may go from a point to another one before a local is written: then an evaluation there
    /// reads the local's present value. True for unknown points.
    pub fn keeps(
        &self,
        function: FunctionId,
        (from, to): (Option<usize>, usize),
        object: ObjectIndex,
    ) -> bool {
        let (Some(ways), Some(from)) = (self.ways.get(&function), from) else {
            return true;
        };
        if self.escaping.contains(&object) || from >= ways.next.len() {
            return true;
        }
        let (mut seen, mut todo) = (BTreeSet::from([from]), vec![from]);
        while let Some(at) = todo.pop() {
            if at == to {
                return true;
            }
            if !ways.kills[at].contains(&object) {
                let next = ways.next[at].iter().copied();
                todo.extend(next.filter(|&n| seen.insert(n)));
            }
        }
        false
    }
}

/// The number of the argument through which a call surely gives an object a value, if it does.
pub type Gives<'a> = &'a dyn Fn(&Tree, ExprId) -> Option<usize>;

/// Those calls of functions of the library and of the compiler, as `strtol(s, &end, 10)`. `strtok_r(line, " ", &rest)` gives `rest`
/// a value; where the first argument may be a null pointer, it reads it before.
pub fn gives(tree: &Tree, call: ExprId) -> Option<usize> {
    let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
        return None;
    };
    let array = |e: &ExprId| matches!(tree.types.get(tree.exprs[*e].ty), Type::Array(..));
    let begins = args.first().is_some_and(array);
    let goes_on = goes_on(tree, call).filter(|_| begins);
    goes_on.or_else(|| of_library(tree, call)?.gives)
}

/// The argument of a call through which the callee reads and stores where it is in a string; it forgets the address.
fn goes_on(tree: &Tree, call: ExprId) -> Option<usize> {
    (of_library(tree, call)?.contract == Some(Contract::Token)).then_some(PLACE)
}

/// The argument of `strtok_r` that leads to where it is in a string.
const PLACE: usize = 2;

/// What is known of the function of the library or of the compiler that a call calls.
fn of_library(tree: &Tree, call: ExprId) -> Option<&'static Function> {
    let ExprKind::Call { callee, .. } = &tree.exprs[call].kind else {
        return None;
    };
    let name = match &tree.exprs[*callee].kind {
        ExprKind::Ident(Resolved::Function(f)) if tree.functions[*f].body.is_none() => {
            tree.functions[*f].name.as_str()
        }
        ExprKind::Ident(Resolved::Unknown(name)) => name,
        _ => return None,
    };
    cfront::library::with_arguments(name)
}

/// The name of the local that a call surely gives a value, as it stands in `&name`; a list of arguments stands there by itself.
fn given(tree: &Tree, call: ExprId, gives: Gives) -> Option<ExprId> {
    let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
        return None;
    };
    let mut argument = *args.get(gives(tree, call)?)?;
    while let ExprKind::Cast(inner) = tree.exprs[argument].kind {
        argument = inner;
    }
    let name = match tree.exprs[argument].kind {
        ExprKind::AddressOf(name) => name,
        _ if matches!(tree.type_of(tree.exprs[argument].ty), Type::VaList) => argument,
        _ => return None,
    };
    let ExprKind::Ident(Resolved::Object(o)) = tree.exprs[name].kind else {
        return None;
    };
    let whole = !matches!(
        tree.types.get(tree.exprs[name].ty),
        Type::Array(..) | Type::Record(_)
    );
    (whole && is_automatic(tree, o)).then_some(name)
}

/// The tree, and the names of locals that calls give values.
struct Seen<'a> {
    tree: &'a Tree,
    given: BTreeSet<ExprId>,
}

fn ways(tree: &Seen, flow: &Flow) -> Ways {
    let next = |id| flow.next(id).iter().map(|n| n.index()).collect();
    Ways {
        next: flow.points().map(|(id, _)| next(id)).collect(),
        kills: flow.points().map(|(_, p)| effect(tree, p).kills).collect(),
    }
}

fn function(tree: &Seen, flow: &Flow) -> Vec<Set> {
    let effects: Vec<Effect> = flow.points().map(|(_, p)| effect(tree, p)).collect();
    let mut earlier: Vec<Vec<usize>> = vec![Vec::new(); effects.len()];
    for (id, _) in flow.points() {
        for next in flow.next(id) {
            earlier[next.index()].push(id.index());
        }
    }
    let mut before: Vec<Set> = effects.iter().map(|e| e.uses.clone()).collect();
    let mut todo: Vec<usize> = (0..effects.len()).collect();
    while let Some(at) = todo.pop() {
        for &from in &earlier[at] {
            let kept = before[at].difference(&effects[from].kills);
            let fresh = kept.filter(|o| !before[from].contains(o)).copied();
            let fresh: Vec<ObjectIndex> = fresh.collect();
            if !fresh.is_empty() {
                before[from].extend(fresh);
                todo.push(from);
            }
        }
    }
    before
}

/// The effect of a point on locals.
fn effect(seen: &Seen, point: Point) -> Effect {
    let tree = seen.tree;
    match point {
        Point::Decl(d) => declaration(seen, d),
        Point::Stmt(s) => match &tree.stmts[s].kind {
            StmtKind::Expr(Some(e)) | StmtKind::Return(Some(e)) | StmtKind::GotoComputed(e) => {
                expression(seen, *e)
            }
            StmtKind::Asm { .. } => assembler(tree, &tree.stmts[s]),
            _ => Effect::default(),
        },
        Point::Cond(s) => match tree.stmts[s].kind.condition() {
            Some(cond) => expression(seen, cond),
            None => Effect::default(),
        },
        Point::ForInit(s) => match &tree.stmts[s].kind {
            StmtKind::For {
                init: ForInit::Expr(e),
                ..
            } => expression(seen, *e),
            _ => Effect::default(),
        },
        Point::ForStep(s) => match &tree.stmts[s].kind {
            StmtKind::For { step: Some(e), .. } => expression(seen, *e),
            _ => Effect::default(),
        },
        Point::Entry | Point::Exit | Point::Label(_) | Point::Enter(_) | Point::NoReturn(_) => {
            Effect::default()
        }
    }
}

/// The effect of an assembler statement: it may read all objects that it names.
fn assembler(tree: &Tree, stmt: &Stmt) -> Effect {
    let named = tree.named_by_assembler(stmt);
    Effect {
        uses: named.map(|(o, _)| o.index()).collect(),
        kills: Set::new(),
    }
}

/// The effect of a declaration: its initialisers are read, and the declared variables get new values.
fn declaration(seen: &Seen, id: DeclId) -> Effect {
    let tree = seen.tree;
    let decl = &tree.decls[id];
    let mut exprs = decl.type_exprs.clone();
    let mut effect = Effect::default();
    for declared in &decl.declared {
        if let Some(init) = declared.init {
            tree.init_exprs(init, &mut exprs);
        }
        if let Entity::Object(object) = declared.entity {
            effect.kills.insert(object.index());
        }
    }
    for e in exprs {
        let value = expression(seen, e);
        effect.uses.extend(value.uses);
        effect.kills.extend(value.kills);
    }
    effect
}

/// The effect of an expression. Plain assignments overwrite where they are evaluated in any case: `(c = next()) != 0` reads no
/// earlier value of `c`. Operands without an order among them do not depend on each other's assignments.
fn expression(seen: &Seen, e: ExprId) -> Effect {
    let tree = seen.tree;
    let of = |e: ExprId| expression(seen, e);
    match &tree.exprs[e].kind {
        ExprKind::Comma(list) => {
            let mut all = Effect::default();
            list.iter().for_each(|&e| all.then(of(e)));
            all
        }
        ExprKind::Assign {
            op: None, lhs, rhs, ..
        } => match tree.exprs[*lhs].kind {
            ExprKind::Ident(Resolved::Object(object)) => {
                let mut effect = of(*rhs);
                effect.kills.insert(object.index());
                effect
            }
            _ => of(*lhs).beside(of(*rhs)),
        },
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
            let (mut effect, right) = (of(*left), of(*right));
            let kills = effect.kills.clone();
            effect.then(right);
            effect.kills = kills;
            effect
        }
        ExprKind::Binary(_, left, right) => of(*left).beside(of(*right)),
        ExprKind::Unary(_, inner) | ExprKind::Cast(inner) => of(*inner),
        ExprKind::Call { callee, args, .. } => {
            let arguments = args.iter().map(|a| of(*a));
            arguments.fold(of(*callee), Effect::beside)
        }
        ExprKind::AddressOf(name) if seen.given.contains(name) => of(*name),
        ExprKind::Ident(Resolved::Object(object)) if seen.given.contains(&e) => Effect {
            kills: Set::from([object.index()]),
            uses: Set::new(),
        },
        _ => Effect {
            uses: reads(tree, e),
            kills: Set::new(),
        },
    }
}

/// Every local that an expression names other than as the target of an assignment.
fn reads(tree: &Tree, e: ExprId) -> Set {
    let mut found = Set::new();
    let mut todo = vec![e];
    while let Some(e) = todo.pop() {
        if let ExprKind::Ident(Resolved::Object(object)) = tree.exprs[e].kind {
            let read = !matches!(usage(tree, e), Use::Write | Use::None);
            if read && is_automatic(tree, object) {
                found.insert(object.index());
            }
        }
        todo.extend(tree.children(e));
    }
    found
}

/// For the body of each `for` loop that steps a local once per iteration and writes it nowhere else in the
/// loop: that local. Within one execution of the loop, the head never sees the same value of it twice, so no
/// lasso begins there.
pub fn counters(tree: &Tree, escaping: &Set) -> HashMap<usize, ObjectIndex> {
    let mut counters = HashMap::new();
    let writes = cfront::access::writes(tree);
    for (id, stmt) in tree.stmts.iter() {
        let StmtKind::For {
            step: Some(step),
            body,
            ..
        } = stmt.kind
        else {
            continue;
        };
        let ExprKind::IncDec { operand, .. } = tree.exprs[step].kind else {
            continue;
        };
        let ExprKind::Ident(Resolved::Object(object)) = tree.exprs[operand].kind else {
            continue;
        };
        let inside = |e: ExprId| e != step && within(tree, Parent::Expr(e), id);
        let elsewhere = writes.iter().any(|w| {
            // The first part of the header runs before the first iteration.
            w.object == Some(object) && inside(w.expr) && !in_init(tree, id, w.expr)
        });
        let single = is_automatic(tree, object) && !escaping.contains(&object.index());
        if single && !elsewhere {
            counters.insert(body.index(), object.index());
        }
    }
    counters
}

fn in_init(tree: &Tree, id: StmtId, e: ExprId) -> bool {
    match tree.stmts[id].kind {
        StmtKind::For {
            init: ForInit::Expr(init),
            ..
        } => tree.exprs[init].span.encloses(tree.exprs[e].span),
        _ => false,
    }
}
