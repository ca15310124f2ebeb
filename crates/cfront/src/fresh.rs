//! What a program gives a value in memory that it has just allocated, before anything else can read it.
//!
//! `malloc` gives memory with any content. Most programs fill it in the statements that follow: what is filled
//! there begins with that value, whatever the memory had before.

use std::collections::{BTreeSet, HashMap};

use crate::allocations::called_name;
use crate::calls::CallGraph;
use crate::flow::{Flow, Point, PointId};
use crate::library::plain_name;
use crate::span::{ExprId, FunctionId, ObjectId};
use crate::tree::{BinaryOp, ExprKind, Parent, Resolved, StmtKind, Tree, UnaryOp};

/// The parts of an object that have a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Filled {
    /// All.
    Whole,
    /// These members of a structure.
    Members(BTreeSet<String>),
}

impl Filled {
    /// Nothing.
    pub fn nothing() -> Filled {
        Filled::Members(BTreeSet::new())
    }

    /// Whether a member has a value.
    pub fn has(&self, member: &str) -> bool {
        match self {
            Filled::Whole => true,
            Filled::Members(all) => all.contains(member),
        }
    }

    fn and(self, other: &Filled) -> Filled {
        match (self, other) {
            (Filled::Whole, _) => other.clone(),
            (all, Filled::Whole) => all,
            (Filled::Members(a), Filled::Members(b)) => {
                Filled::Members(a.into_iter().filter(|m| b.contains(m)).collect())
            }
        }
    }
}

/// What happens to the object where the pointer to it is mentioned.
enum How {
    /// Nothing that reads it or passes it on.
    Nothing,
    /// A member gets a value.
    Fills(String),
    /// All of it gets a value, or it is freed.
    FillsAll,
    /// A member is read.
    Reads(String),
    /// The pointer gets another value: nobody reaches the object any more.
    Leaves,
    /// Anything else: others may read the object from here on.
    Escapes,
}

/// What surely has a value in the object that `call` allocates before anybody reads it who need not: until the
/// pointer to it is passed on. Linear in the caller for each call.
pub fn filled(
    tree: &Tree,
    flows: &HashMap<FunctionId, Flow>,
    graph: &CallGraph,
    call: ExprId,
) -> Filled {
    let found = Holder::of(tree, flows, graph, call).and_then(|holder| holder.filled());
    found.unwrap_or_else(Filled::nothing)
}

/// The variable that holds the pointer to the object.
struct Holder<'a> {
    tree: &'a Tree,
    flow: &'a Flow,
    /// Where it gets the pointer.
    start: PointId,
    /// Its mentions at each point, in the order of the text.
    mentions: HashMap<PointId, Vec<ExprId>>,
    /// The points where a function is called that may read the variable itself.
    opens: BTreeSet<PointId>,
}

impl<'a> Holder<'a> {
    fn of(
        tree: &'a Tree,
        flows: &'a HashMap<FunctionId, Flow>,
        graph: &CallGraph,
        call: ExprId,
    ) -> Option<Holder<'a>> {
        let mut at = call;
        while let Parent::Expr(parent) = tree.exprs[at].parent {
            if !matches!(tree.exprs[parent].kind, ExprKind::Cast(_)) {
                break;
            }
            at = parent;
        }
        let object = assigned(tree, at)?;
        let o = &tree.objects[object];
        let whole = graph.calls.iter().find(|c| c.expr == call)?;
        let function = whole.caller?;
        let flow = flows.get(&function)?;
        let start = flow.point_of(tree, call)?;
        let mut mentions: HashMap<PointId, Vec<ExprId>> = HashMap::new();
        for (id, expr) in tree.exprs.iter() {
            let named = matches!(expr.kind, ExprKind::Ident(Resolved::Object(x)) if x == object);
            if !named || expr.unevaluated {
                continue;
            }
            if matches!(expr.parent, Parent::Expr(p) if matches!(tree.exprs[p].kind, ExprKind::AddressOf(_)))
            {
                return None;
            }
            if let Some(point) = flow.point_of(tree, id) {
                mentions.entry(point).or_default().push(id);
            }
        }
        let mut holder = Holder {
            tree,
            flow,
            start,
            mentions,
            opens: BTreeSet::new(),
        };
        if o.is_static_duration() {
            holder.open(graph, function)?;
        }
        Some(holder)
    }

    /// Finds where others may read a variable that is no local; `None` if another thread may at any time.
    fn open(&mut self, graph: &CallGraph, function: FunctionId) -> Option<()> {
        let tree = self.tree;
        let is_main = tree.functions[function].name == "main";
        let starting: BTreeSet<FunctionId> = graph.starts.iter().filter_map(|s| s.caller).collect();
        for call in graph.calls.iter().filter(|c| c.caller == Some(function)) {
            let reached: BTreeSet<FunctionId> = match call.callee {
                crate::calls::Callee::Direct(f) => graph.reachable(f).into_iter().collect(),
                _ => starting.clone(),
            };
            let has_body = reached.iter().any(|f| tree.functions[*f].body.is_some());
            let starts = graph.starts.iter().any(|s| s.call == call.expr)
                || reached.iter().any(|f| starting.contains(f));
            if !has_body && !starts {
                continue;
            }
            let at = self.flow.point_of(tree, call.expr)?;
            if starts && (at == self.start || self.flow.reaches(at, self.start, &[])) {
                return None;
            }
            self.opens.insert(at);
        }
        is_main.then_some(())
    }

    fn filled(&self) -> Option<Filled> {
        let own = self.mentions.get(&self.start).map_or(0, Vec::len);
        let declared = matches!(self.flow.point(self.start), Point::Decl(_));
        if own > usize::from(!declared) || self.opens.contains(&self.start) {
            return None;
        }
        let mut before: HashMap<PointId, Filled> = HashMap::new();
        let mut result: Option<Filled> = None;
        let mut work: Vec<(PointId, Filled)> = Vec::new();
        let go = |from: PointId, with: &Filled, work: &mut Vec<(PointId, Filled)>| {
            work.extend(self.flow.next(from).iter().map(|n| (*n, with.clone())));
        };
        go(self.start, &Filled::nothing(), &mut work);
        while let Some((at, with)) = work.pop() {
            let known = before.get(&at);
            let now = match known {
                Some(known) => with.and(known),
                None => with,
            };
            if known == Some(&now) {
                continue;
            }
            before.insert(at, now.clone());
            match self.pass(at, now) {
                Passed::On(after) => go(at, &after, &mut work),
                Passed::Left => {}
                Passed::Out(at_last) => {
                    result = Some(match result {
                        Some(result) => result.and(&at_last),
                        None => at_last,
                    });
                }
            }
        }
        Some(result.unwrap_or(Filled::Whole))
    }

    fn pass(&self, at: PointId, mut now: Filled) -> Passed {
        if self.opens.contains(&at) {
            return Passed::Out(now);
        }
        // A variable that is no local is followed in `main` alone, and the process ends with it.
        if at == self.flow.exit() {
            return Passed::Left;
        }
        for &mention in self.mentions.get(&at).into_iter().flatten() {
            match how(self.tree, mention) {
                How::Nothing => {}
                How::Fills(member) => {
                    if let Filled::Members(all) = &mut now {
                        all.insert(member);
                    }
                }
                How::FillsAll => now = Filled::Whole,
                How::Reads(member) if now.has(&member) => {}
                How::Reads(_) | How::Escapes => return Passed::Out(now),
                How::Leaves => return Passed::Left,
            }
        }
        Passed::On(now)
    }
}

/// How a point leaves the object.
enum Passed {
    /// It goes on with these parts filled.
    On(Filled),
    /// Nobody reaches it.
    Left,
    /// Others may read it.
    Out(Filled),
}

/// The variable that an expression is assigned to, or that it initializes.
fn assigned(tree: &Tree, value: ExprId) -> Option<ObjectId> {
    match tree.exprs[value].parent {
        Parent::Expr(parent) => match tree.exprs[parent].kind {
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } if rhs == value => match tree.exprs[lhs].kind {
                ExprKind::Ident(Resolved::Object(object)) => Some(object),
                _ => None,
            },
            _ => None,
        },
        Parent::Init(init) => {
            let mut objects = tree.objects.iter();
            let found = objects.find(|(_, o)| o.init == Some(init) && !o.is_static_duration());
            found.map(|(id, _)| id)
        }
        _ => None,
    }
}

fn how(tree: &Tree, mention: ExprId) -> How {
    let mut at = mention;
    loop {
        let Parent::Expr(parent) = tree.exprs[at].parent else {
            // The condition of a statement, or a statement of its own; what is returned is passed on.
            return match tree.exprs[at].parent {
                Parent::Stmt(s) if !matches!(tree.stmts[s].kind, StmtKind::Return(_)) => {
                    How::Nothing
                }
                _ => How::Escapes,
            };
        };
        match &tree.exprs[parent].kind {
            ExprKind::Cast(_) => at = parent,
            ExprKind::Unary(UnaryOp::Not, _)
            | ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne | BinaryOp::And | BinaryOp::Or, ..) => {
                return How::Nothing
            }
            ExprKind::Conditional { cond, .. } if *cond == at => return How::Nothing,
            ExprKind::Assign { op: None, lhs, .. } if *lhs == at => return How::Leaves,
            ExprKind::Member {
                arrow: true, name, ..
            } => return member(tree, parent, name),
            ExprKind::Deref(_) => {
                return match is_surely_assigned(tree, parent) {
                    true => How::FillsAll,
                    false => How::Escapes,
                }
            }
            ExprKind::Call { args, .. } => return argument(tree, parent, args, at),
            _ => return How::Escapes,
        }
    }
}

/// What happens to a member.
fn member(tree: &Tree, lvalue: ExprId, name: &str) -> How {
    if is_surely_assigned(tree, lvalue) {
        return How::Fills(name.to_owned());
    }
    let mut at = lvalue;
    while let Parent::Expr(parent) = tree.exprs[at].parent {
        match &tree.exprs[parent].kind {
            ExprKind::Member { arrow: false, .. } => at = parent,
            ExprKind::Index { base, .. } if *base == at => at = parent,
            // A part of the member, or all of it on some ways only.
            ExprKind::Assign { op: None, lhs, .. } if *lhs == at => return How::Nothing,
            // Whoever creates a lock does not read it.
            ExprKind::AddressOf(_) if is_creation(tree, parent) => return How::Nothing,
            ExprKind::AddressOf(_) => return How::Escapes,
            _ => break,
        }
    }
    let is_array = matches!(
        tree.types.class(tree.exprs[at].ty),
        crate::types::Class::Array
    );
    match is_array {
        true => How::Escapes,
        false => How::Reads(name.to_owned()),
    }
}

/// Whether an address is what a function is given that creates a synchronisation object there.
fn is_creation(tree: &Tree, address: ExprId) -> bool {
    let Parent::Expr(call) = tree.exprs[address].parent else {
        return false;
    };
    let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
        return false;
    };
    let name = called_name(tree, call).map(plain_name);
    let creates = |name: &str| {
        ["pthread_", "sem_", "mtx_", "cnd_", "tss_"]
            .iter()
            .any(|p| name.starts_with(p))
            && name.ends_with("init")
    };
    args.first() == Some(&address) && name.is_some_and(creates)
}

/// Whether an lvalue is what an assignment assigns that is evaluated with its statement.
fn is_surely_assigned(tree: &Tree, lvalue: ExprId) -> bool {
    let Parent::Expr(assignment) = tree.exprs[lvalue].parent else {
        return false;
    };
    let assigns = matches!(tree.exprs[assignment].kind, ExprKind::Assign { op: None, lhs, .. } if lhs == lvalue);
    let mut at = assignment;
    while let Parent::Expr(parent) = tree.exprs[at].parent {
        match &tree.exprs[parent].kind {
            ExprKind::Assign { rhs, .. } if *rhs == at => at = parent,
            ExprKind::Cast(_) | ExprKind::Comma(_) => at = parent,
            _ => return false,
        }
    }
    assigns
}

/// What a call does with an argument.
fn argument(tree: &Tree, call: ExprId, args: &[ExprId], at: ExprId) -> How {
    let name = called_name(tree, call).map(plain_name);
    let first = args.first() == Some(&at);
    let in_statement = matches!(tree.exprs[call].parent, Parent::Stmt(_));
    let whole = |size: Option<&ExprId>| {
        let of = size.map(|e| &tree.exprs[tree.uncast(*e)].kind);
        let pointee = tree.types.pointee(tree.exprs[tree.uncast(at)].ty);
        let same = |ty: crate::types::QualType| pointee.is_some_and(|p| p.ty == ty.ty);
        match of {
            Some(ExprKind::SizeofExpr(of)) => same(tree.exprs[*of].ty),
            Some(ExprKind::SizeofType(ty)) => same(*ty),
            _ => false,
        }
    };
    match name {
        Some("free") => How::FillsAll,
        Some("memset" | "memcpy" | "memmove") if first && in_statement && whole(args.get(2)) => {
            How::FillsAll
        }
        _ => How::Escapes,
    }
}
