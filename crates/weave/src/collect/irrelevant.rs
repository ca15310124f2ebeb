//! Irrelevant variables, on which nothing but themselves depends, such as the number of attempts of a loop that
//! waits; and delays, loops that terminate and have no effect.
//!
//! Neither decides what a run does: an iteration that changes only irrelevant variables changes nothing, and a
//! delay can be skipped.

mod times;

use std::collections::{BTreeSet, HashMap, HashSet};

use cfront::access::is_pure;
use cfront::counted_loops::{counting, Counting};
use cfront::span::{ExprId, InitId, ObjectId, StmtId};
use cfront::tree::{
    BlockItem, Entity, ExprKind, ForInit, InitKind, Parent, Resolved, StmtKind, Storage, Tree,
};
use cfront::types::Class;

use crate::library;

/// The irrelevant variables and the delays of a program.
#[derive(Clone, Debug, Default)]
pub struct Irrelevant {
    threads: bool,
    objects: HashSet<ObjectId>,
    delays: HashMap<StmtId, Vec<ObjectId>>,
}

impl Irrelevant {
    /// Finds them as the greatest fixed point: it starts with all automatic variables and removes those with a
    /// relevant use. Each round is linear in the size of the tree; there are at most as many rounds as
    /// variables.
    pub fn new(tree: &Tree) -> Irrelevant {
        let mut uses: HashMap<ObjectId, Vec<ExprId>> = HashMap::new();
        for (id, expr) in tree.exprs.iter() {
            if let ExprKind::Ident(Resolved::Object(o)) = expr.kind {
                if !expr.unevaluated {
                    uses.entry(o).or_default().push(id);
                }
            }
        }
        let mut found = Irrelevant {
            threads: starts_threads(tree),
            ..Irrelevant::default()
        };
        if !found.threads {
            return found;
        }
        let assembler = mentioned(tree);
        found.objects.extend(uses.keys().filter(|&&o| {
            let object = &tree.objects[o];
            matches!(object.storage, Storage::Local | Storage::Parameter)
                && !object.thread_local
                && !assembler.contains(&o)
        }));
        loop {
            let search = Search {
                tree,
                irrelevant: &found.objects,
            };
            let fails = |o: &&ObjectId| !uses[*o].iter().all(|&e| search.is_irrelevant_use(e));
            let failing: Vec<ObjectId> = found.objects.iter().filter(fails).copied().collect();
            if failing.is_empty() {
                break;
            }
            for o in failing {
                found.objects.remove(&o);
            }
        }
        let search = Search {
            tree,
            irrelevant: &found.objects,
        };
        let loops = tree.stmts.iter().filter_map(|(id, _)| {
            let counter = search.delay(id)?;
            Some((
                id,
                search.written(id).into_iter().chain([counter]).collect(),
            ))
        });
        found.delays = loops.collect();
        found
    }

    /// Whether the program starts threads; if not, nothing in it is irrelevant or a delay.
    pub fn threads(&self) -> bool {
        self.threads
    }

    /// Whether nothing but itself depends on a variable.
    pub fn is_irrelevant(&self, object: ObjectId) -> bool {
        self.objects.contains(&object)
    }

    /// The statements that only ask for the time, or compute with times on which nothing depends.
    pub fn times(&self, tree: &Tree) -> BTreeSet<StmtId> {
        let search = Search {
            tree,
            irrelevant: &self.objects,
        };
        let all = tree.stmts.iter().map(|(id, _)| id);
        all.filter(|s| search.only_times(*s)).collect()
    }

    /// The calls that ask for a time on which nothing depends, and whose result is used.
    pub fn asked(&self, tree: &Tree) -> BTreeSet<ExprId> {
        let search = Search {
            tree,
            irrelevant: &self.objects,
        };
        let used = |e: &cfront::tree::Expr| {
            !e.unevaluated
                && matches!(
                    e.parent,
                    Parent::Expr(_) | Parent::Stmt(_) | Parent::Init(_)
                )
        };
        let asks = |id: ExprId| {
            let clock = search.called(id) == Some("clock_gettime");
            clock && search.is_about_times(id)
        };
        let all = tree.exprs.iter().filter(|(_, e)| used(e));
        all.map(|(id, _)| id).filter(|id| asks(*id)).collect()
    }

    /// The variables that a delay writes; `None` if the statement is not a delay.
    pub fn delay(&self, id: StmtId) -> Option<&[ObjectId]> {
        self.delays.get(&id).map(Vec::as_slice)
    }
}

/// Whether the program starts threads. In a sequential program nothing waits.
fn starts_threads(tree: &Tree) -> bool {
    tree.exprs.iter().any(|(_, expr)| match &expr.kind {
        ExprKind::Ident(Resolved::Unknown(name)) => library::starts_thread(name),
        ExprKind::Ident(Resolved::Function(f)) => library::starts_thread(&tree.functions[*f].name),
        _ => false,
    })
}

/// Objects that assembler statements name.
fn mentioned(tree: &Tree) -> HashSet<ObjectId> {
    let named = tree.stmts.iter();
    named
        .flat_map(|(_, s)| tree.named_by_assembler(s))
        .map(|(object, _)| object)
        .collect()
}

struct Search<'a> {
    tree: &'a Tree,
    irrelevant: &'a HashSet<ObjectId>,
}

/// Whether a function takes the address of a time; nothing in the model depends on times.
fn takes_time(name: &str) -> bool {
    library::passes_time(name)
        || name.contains("timedwait")
        || name.contains("clockwait")
        || matches!(name, "pthread_mutex_timedlock" | "mtx_timedlock")
        || asks_time(name)
}

/// Whether a function only stores what time it is.
fn asks_time(name: &str) -> bool {
    matches!(name, "clock_gettime" | "timespec_get" | "gettimeofday")
}

/// Whether a call of a library function has neither an effect on a run nor a meaningful result.
fn means_nothing(name: &str) -> bool {
    library::no_effect(name) && !library::ends(name)
}

impl Search<'_> {
    /// The largest lvalue around a name: a member or an element of the object itself.
    fn lvalue(&self, mut e: ExprId) -> ExprId {
        while let Parent::Expr(parent) = self.tree.exprs[e].parent {
            let inside = match self.tree.exprs[parent].kind {
                ExprKind::Member { arrow: false, .. } => true,
                ExprKind::Index { base, .. } => {
                    base == e && self.tree.types.class(self.tree.exprs[e].ty) != Class::Pointer
                }
                _ => false,
            };
            if !inside || self.tree.root(parent).1 {
                break;
            }
            e = parent;
        }
        e
    }

    /// The irrelevant variable to which an lvalue belongs.
    fn target(&self, lhs: ExprId) -> Option<ObjectId> {
        let (root, through_pointer) = self.tree.root(lhs);
        root.filter(|o| !through_pointer && self.irrelevant.contains(o))
    }

    /// Whether the value of an expression is unused.
    fn is_unused(&self, e: ExprId) -> bool {
        match self.tree.exprs[e].parent {
            Parent::Stmt(s) => match self.tree.stmts[s].kind {
                StmtKind::Expr(_) => !self.is_value_of_block(s),
                StmtKind::For { ref init, step, .. } => {
                    matches!(init, ForInit::Expr(i) if *i == e) || step == Some(e)
                }
                _ => false,
            },
            Parent::Expr(p) => match &self.tree.exprs[p].kind {
                ExprKind::Comma(list) => list.last() != Some(&e) || self.is_unused(p),
                ExprKind::Cast(_) => self.is_unused(p),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether a statement may be the last one of a statement expression.
    fn is_value_of_block(&self, s: StmtId) -> bool {
        let mut at = self.tree.stmts[s].parent;
        while let Parent::Stmt(parent) = at {
            at = self.tree.stmts[parent].parent;
        }
        matches!(at, Parent::Expr(_))
    }

    fn is_irrelevant_use(&self, name: ExprId) -> bool {
        let place = self.lvalue(name);
        let Parent::Expr(parent) = self.tree.exprs[place].parent else {
            return self.is_irrelevant_value(place);
        };
        match self.tree.exprs[parent].kind {
            ExprKind::Assign { lhs, .. } if lhs == place => {
                self.is_unused(parent) || self.is_irrelevant_value(parent)
            }
            ExprKind::IncDec { .. } => self.is_unused(parent) || self.is_irrelevant_value(parent),
            ExprKind::AddressOf(_) => match self.tree.exprs[parent].parent {
                Parent::Expr(call) => self.called(call).is_some_and(takes_time),
                _ => false,
            },
            _ => {
                let class = self.tree.types.class(self.tree.exprs[place].ty);
                class == Class::Scalar && self.is_irrelevant_value(place)
            }
        }
    }

    /// Whether a value flows only into irrelevant variables, into calls without meaning, and into decisions
    /// about such statements.
    fn is_irrelevant_value(&self, mut e: ExprId) -> bool {
        loop {
            match self.tree.exprs[e].parent {
                Parent::Stmt(s) => return self.is_irrelevant_in(s, e),
                Parent::Init(_) | Parent::Declarator(..) => return self.initialises_irrelevant(e),
                Parent::Expr(p) => match &self.tree.exprs[p].kind {
                    ExprKind::Binary(..)
                    | ExprKind::Unary(..)
                    | ExprKind::Cast(_)
                    | ExprKind::Comma(_) => e = p,
                    ExprKind::Conditional { .. } => match is_pure(self.tree, p) {
                        true => e = p,
                        false => return false,
                    },
                    ExprKind::Assign { lhs, rhs, .. } if *rhs == e => {
                        if self.target(*lhs).is_none() {
                            return false;
                        }
                        if self.is_unused(p) {
                            return true;
                        }
                        e = p;
                    }
                    ExprKind::Call { callee, .. } if *callee != e => {
                        return self.called(p).is_some_and(means_nothing)
                    }
                    _ => return false,
                },
                _ => return false,
            }
        }
    }

    fn is_irrelevant_in(&self, s: StmtId, e: ExprId) -> bool {
        match self.tree.stmts[s].kind {
            StmtKind::Expr(_) => !self.is_value_of_block(s),
            StmtKind::If {
                cond,
                then,
                otherwise,
                ..
            } => {
                cond == e
                    && self.is_irrelevant_stmt(then)
                    && otherwise.is_none_or(|o| self.is_irrelevant_stmt(o))
            }
            StmtKind::While { .. } => self.delay(s).is_some(),
            StmtKind::For { init, .. } => {
                matches!(init, ForInit::Expr(i) if i == e) || self.delay(s).is_some()
            }
            _ => false,
        }
    }

    /// Whether an expression initialises an irrelevant variable.
    fn initialises_irrelevant(&self, e: ExprId) -> bool {
        let Some((decl, number)) = self.declarator(e) else {
            return false;
        };
        let declared = self.tree.decls[decl].declared.get(number);
        declared
            .is_some_and(|d| matches!(d.entity, Entity::Object(o) if self.irrelevant.contains(&o)))
    }

    fn declarator(&self, e: ExprId) -> Option<(cfront::DeclId, usize)> {
        let mut at = self.tree.exprs[e].parent;
        loop {
            match at {
                Parent::Init(i) => at = self.tree.inits[i].parent,
                Parent::Declarator(d, n) => return Some((d, n)),
                _ => return None,
            }
        }
    }

    fn is_irrelevant_stmt(&self, id: StmtId) -> bool {
        match &self.tree.stmts[id].kind {
            StmtKind::Expr(None) => true,
            StmtKind::Expr(Some(e)) => self.is_irrelevant_expr(*e),
            StmtKind::Compound { items, .. } => items.iter().all(|item| match item {
                BlockItem::Stmt(s) => self.is_irrelevant_stmt(*s),
                BlockItem::Decl(d) => self.is_irrelevant_decl(*d),
            }),
            StmtKind::If {
                cond,
                then,
                otherwise,
                ..
            } => {
                is_pure(self.tree, *cond)
                    && self.is_irrelevant_stmt(*then)
                    && otherwise.is_none_or(|o| self.is_irrelevant_stmt(o))
            }
            _ => self.delay(id).is_some(),
        }
    }

    fn is_irrelevant_decl(&self, id: cfront::DeclId) -> bool {
        let decl = &self.tree.decls[id];
        decl.declared.iter().all(|declared| {
            let Entity::Object(o) = declared.entity else {
                return false;
            };
            self.irrelevant.contains(&o) && declared.init.is_none_or(|i| self.is_pure_init(i))
        })
    }

    fn is_pure_init(&self, id: InitId) -> bool {
        match self.tree.inits[id].kind {
            InitKind::Expr(e) => is_pure(self.tree, e),
            InitKind::List(_) => false,
        }
    }

    /// Whether an expression only changes irrelevant variables or calls functions without meaning.
    fn is_irrelevant_expr(&self, e: ExprId) -> bool {
        match &self.tree.exprs[e].kind {
            ExprKind::Assign { lhs, rhs, .. } => {
                self.target(*lhs).is_some() && is_pure(self.tree, *lhs) && is_pure(self.tree, *rhs)
            }
            ExprKind::IncDec { operand, .. } => {
                self.target(*operand).is_some() && is_pure(self.tree, *operand)
            }
            ExprKind::Call { args, .. } => {
                self.called(e).is_some_and(means_nothing)
                    && args.iter().all(|&a| is_pure(self.tree, a))
            }
            ExprKind::Cast(inner) => self.is_irrelevant_expr(*inner),
            ExprKind::Comma(list) => list.iter().all(|&i| self.is_irrelevant_expr(i)),
            _ => is_pure(self.tree, e),
        }
    }

    fn called(&self, call: ExprId) -> Option<&str> {
        let ExprKind::Call { callee, .. } = self.tree.exprs[call].kind else {
            return None;
        };
        match &self.tree.exprs[callee].kind {
            ExprKind::Ident(Resolved::Unknown(name)) => Some(name),
            ExprKind::Ident(Resolved::Function(f)) if self.tree.functions[*f].body.is_none() => {
                Some(&self.tree.functions[*f].name)
            }
            _ => None,
        }
    }
}

/// Delays: loops that count to a bound and do nothing relevant.
impl Search<'_> {
    /// The counter of a loop that counts up or down to a bound and does nothing relevant.
    fn delay(&self, id: StmtId) -> Option<ObjectId> {
        let Counting {
            counter,
            bound,
            body,
            ..
        } = counting(self.tree, id)?;
        let initial = match self.tree.stmts[id].kind {
            StmtKind::For {
                init: ForInit::Expr(e),
                ..
            } => self.is_irrelevant_expr(e),
            StmtKind::For {
                init: ForInit::Decl(d),
                ..
            } => self.is_irrelevant_decl(d),
            _ => true,
        };
        let written = self.written(body);
        let changes = |o: &ObjectId| *o == counter || written.contains(o);
        let irrelevant = self.irrelevant.contains(&counter) && self.is_irrelevant_stmt(body);
        let stays = bound.is_none_or(|b| self.stays(b, &changes));
        (initial && irrelevant && !written.contains(&counter) && stays).then_some(counter)
    }

    /// Whether a bound keeps its value during the loop: it reads only the function's own variables, and none
    /// that change.
    fn stays(&self, bound: ExprId, changes: &dyn Fn(&ObjectId) -> bool) -> bool {
        let own = match &self.tree.exprs[bound].kind {
            ExprKind::Ident(Resolved::Object(o)) => {
                let storage = self.tree.objects[*o].storage;
                matches!(storage, Storage::Local | Storage::Parameter) && !changes(o)
            }
            ExprKind::Deref(_) | ExprKind::Member { arrow: true, .. } | ExprKind::Index { .. } => {
                false
            }
            _ => is_pure(self.tree, bound),
        };
        own && self
            .tree
            .children(bound)
            .into_iter()
            .all(|c| self.stays(c, changes))
    }

    /// The variables that an irrelevant statement writes.
    fn written(&self, id: StmtId) -> Vec<ObjectId> {
        let mut found = Vec::new();
        let mut stmts = vec![id];
        let mut exprs = Vec::new();
        while let Some(id) = stmts.pop() {
            match &self.tree.stmts[id].kind {
                StmtKind::Expr(e) => exprs.extend(e),
                StmtKind::Compound { items, .. } => {
                    stmts.extend(items.iter().filter_map(|item| match item {
                        BlockItem::Stmt(s) => Some(*s),
                        BlockItem::Decl(_) => None,
                    }));
                }
                StmtKind::If {
                    then, otherwise, ..
                } => stmts.extend([*then].into_iter().chain(*otherwise)),
                StmtKind::While { cond, body, .. } => {
                    exprs.push(*cond);
                    stmts.push(*body);
                }
                StmtKind::For {
                    init, step, body, ..
                } => {
                    if let ForInit::Expr(e) = init {
                        exprs.push(*e);
                    }
                    exprs.extend(step);
                    stmts.push(*body);
                }
                _ => {}
            }
        }
        while let Some(e) = exprs.pop() {
            if let ExprKind::Assign { lhs: to, .. } | ExprKind::IncDec { operand: to, .. } =
                self.tree.exprs[e].kind
            {
                found.extend(self.tree.root(to).0);
            }
            exprs.extend(self.tree.children(e));
        }
        found
    }
}
