//! Flow of input values through the program, and the tests that they are subject to.
//!
//! If a value is only copied and compared with constants, the program knows no more of it than the interval
//! between those constants in which it lies. The analysis joins all places between which values are copied
//! (Steensgaard 1996; members of structures are kept apart where [`parts`] can tell them apart) and collects the
//! tests of each group.

use std::collections::{BTreeMap, BTreeSet};

use cfront::consteval::eval;
use cfront::span::{ExprId, FunctionId, Id, ObjectId};
use cfront::tree::{BinaryOp, ExprKind, Parent, Resolved, Tree, UnaryOp};
use cfront::types::{QualType, Type};
use cfront::{Aliases, Assumptions, Unit};

mod asked;
mod bits;
mod contexts;
mod counting;
mod further;
mod held;
mod idle;
mod intervals;
mod orders;
mod parts;
mod queries;
mod stores;

pub use asked::Asked;
use bits::unmasked;
use counting::counted;
use held::COMPARED;
use intervals::{range, Interval, Intervals};
pub use orders::Order;
use orders::Pair;
use parts::Parts;
pub use queries::called;
pub(crate) use queries::{calls_of, given_by, last_of};

use crate::kinds::{bit_field, holds, integer, kind_of, promoted, scalars, Kind};
use crate::live::Lazy;
use crate::text::is_recorded;

/// The most values of an interval that are tried, where tests would otherwise tell few of them apart.
const FEW: i128 = 64;

/// The groups of places between which a program copies values.
pub struct Flows<'a> {
    unit: &'a Unit,
    tree: &'a Tree,
    aliases: Aliases,
    /// The union-find forest: objects, then the results of functions, then [`Flows::elsewhere`], then sources,
    /// then parts of objects.
    parents: Vec<usize>,
    parts: Parts,
    asked: BTreeMap<usize, Asked>,
    /// Calls that give an input, with their nodes.
    sources: BTreeMap<ExprId, usize>,
    /// The intervals of objects where they are read.
    intervals: Intervals,
    /// Where locals are read on.
    live: &'a Lazy<'a>,
    /// Copies of values within an interval: from a node, to a node, and the place in the text.
    copies: Vec<(usize, usize, Interval, usize)>,
    /// Copies in which bits are set, cleared or inverted: from a node, to a node, and the
    /// place in the text.
    bitwise: Vec<(usize, usize, usize)>,
    /// Comparisons of values with others that are no constants: the group, its expression, and the other one.
    relations: Vec<(usize, ExprId, ExprId)>,
    /// Those of many values.
    pairs: Vec<Pair>,
    /// The sets of places whose values are compared by their order alone.
    orders: Vec<Order>,
    /// The functions that pointers may lead to.
    pointed: Vec<FunctionId>,
    /// Computations that may be idle.
    computed: Vec<idle::Computed>,
    /// The groups that are not idle.
    busy: BTreeSet<usize>,
    /// Tells whether a library function has no effect on the program's computations.
    quiet: &'a dyn Fn(&str) -> bool,
}

impl<'a> Flows<'a> {
    /// Analyses a unit. `sources` are the calls that give inputs; those for which `free` holds may give any value.
    pub fn new(
        unit: &'a Unit,
        sources: &[ExprId],
        free: &dyn Fn(ExprId) -> bool,
        quiet: &'a dyn Fn(&str) -> bool,
        live: &'a Lazy<'a>,
    ) -> Flows<'a> {
        let tree = &unit.tree;
        let first = tree.objects.len() + tree.functions.len() + 1;
        let parts = Parts::of(tree, first + sources.len());
        let mut flows = Flows {
            unit,
            tree,
            aliases: Aliases::new(
                tree,
                Assumptions {
                    whole_program: true,
                },
            ),
            parents: (0..first + sources.len() + parts.len()).collect(),
            parts,
            asked: BTreeMap::new(),
            sources: sources
                .iter()
                .enumerate()
                .map(|(n, e)| (*e, first + n))
                .collect(),
            intervals: intervals::intervals(unit, &sources.iter().copied().collect()),
            live,
            copies: Vec::new(),
            bitwise: Vec::new(),
            relations: Vec::new(),
            pairs: Vec::new(),
            orders: Vec::new(),
            pointed: Vec::new(),
            computed: Vec::new(),
            busy: BTreeSet::new(),
            quiet,
        };
        if flows.somewhere() {
            for object in cfront::access::address_taken(tree).keys() {
                flows.unite(object.index(), flows.elsewhere());
            }
        }
        for f in cfront::CallGraph::new(tree).address_taken.into_keys() {
            let elsewhere = flows.elsewhere();
            flows.unite(flows.result(f), elsewhere);
            let params = tree.functions[f].body.iter().flat_map(|b| &b.params);
            params.for_each(|p| flows.unite(p.index(), elsewhere));
            flows.pointed.push(f);
        }
        for (id, expr) in tree.exprs.iter() {
            if !expr.unevaluated {
                flows.follow(id);
            }
        }
        for (id, _) in tree.stmts.iter() {
            flows.cases(id);
        }
        flows.relate();
        flows.settle();
        flows.order(free);
        flows
    }

    /// The node for unknown targets of pointers.
    fn elsewhere(&self) -> usize {
        self.tree.objects.len() + self.tree.functions.len()
    }

    /// Whether the program dereferences a pointer with an unknown target.
    fn somewhere(&self) -> bool {
        let mut all = self.tree.exprs.iter();
        all.any(|(id, e)| {
            let through = matches!(
                e.kind,
                ExprKind::Deref(_) | ExprKind::Index { .. } | ExprKind::Member { arrow: true, .. }
            );
            through && !e.unevaluated && self.aliases.may_designate(id).anything
        })
    }

    fn find(&mut self, mut at: usize) -> usize {
        while self.parents[at] != at {
            self.parents[at] = self.parents[self.parents[at]];
            at = self.parents[at];
        }
        at
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        self.parents[b] = a;
        if let Some(asked) = self.asked.remove(&b) {
            self.asked.entry(a).or_default().join(asked);
        }
    }

    fn asked(&mut self, group: usize) -> &mut Asked {
        let group = self.find(group);
        self.asked.entry(group).or_default()
    }

    fn expose(&mut self, group: usize, e: ExprId, what: &str) {
        let at = self.tree.exprs[e].span.start;
        let interval = self.copied(e);
        let asked = self.asked(group);
        let used = (what.to_string(), at);
        match interval {
            Some(interval) => drop(asked.within.insert(interval, used)),
            None => drop(asked.exposed.get_or_insert(used)),
        }
    }

    /// The interval in which a value lies, if it is narrower than its type.
    fn interval(&self, e: ExprId) -> Option<Interval> {
        self.within_by(e, &self.intervals.values)
    }

    /// The same of a value that nothing has computed.
    fn copied(&self, e: ExprId) -> Option<Interval> {
        self.within_by(e, &self.intervals.copied)
    }

    fn within_by(&self, e: ExprId, known: &BTreeMap<ExprId, Interval>) -> Option<Interval> {
        let tree = self.tree;
        match tree.exprs[e].kind {
            ExprKind::Cast(inner) => {
                let inside = self.within_by(inner, known)?;
                fits(inside, integer(tree, tree.exprs[e].ty)).then_some(inside)
            }
            ExprKind::Unary(UnaryOp::Plus, inner) => self.within_by(inner, known),
            ExprKind::Conditional {
                then: Some(then),
                otherwise,
                ..
            } => {
                let arm = |e: ExprId| match eval(tree, e) {
                    Some(c) => Some((c, c)),
                    None => self.within_by(e, known),
                };
                let (one, other) = (arm(then)?, arm(otherwise)?);
                Some((one.0.min(other.0), one.1.max(other.1)))
            }
            _ => known.get(&e).copied(),
        }
    }

    /// The tests of the values of a group, with those that follow copies of values within an interval.
    fn tests(&mut self, group: usize) -> Asked {
        let group = self.find(group);
        if self.is_idle(group) {
            return Asked::default();
        }
        let mut out = self.asked(group).clone();
        if self.orders.iter().any(|o| o.groups.contains(&group)) {
            // The search follows the order of values of inputs only.
            out.exposed.get_or_insert((COMPARED.to_string(), 0));
        }
        self.tests_of_bits(group, &mut out);
        let copies = self.copies.clone();
        let sources: Vec<usize> = copies.iter().map(|c| self.find(c.0)).collect();
        let targets: Vec<usize> = copies.iter().map(|c| self.find(c.1)).collect();
        let links: Vec<(usize, usize)> = sources.iter().copied().zip(targets).collect();
        for (n, (_, to, interval, at)) in copies.into_iter().enumerate() {
            let target = self.find(to);
            if sources[n] != group || target == group || self.is_idle(target) {
                continue;
            }
            let behind = self.asked(target).clone();
            if let Some(compared) = self.constants_behind(target, &links) {
                out.join(compared);
                continue;
            }
            let all = behind
                .exposed
                .into_iter()
                .chain(behind.within.into_values());
            let what = all.map(|(what, _)| what).next();
            let what = what.unwrap_or_else(|| "is copied".into());
            out.within.insert(interval, (what, at));
        }
        out.without_intervals()
    }

    /// The constants with which copies of the values of a group are compared, also those that are copied again; `None` if
    /// something else depends on one of them. `links` are all copies, from group to group.
    fn constants_behind(&mut self, group: usize, links: &[(usize, usize)]) -> Option<Asked> {
        let (mut groups, mut compared) = (vec![group], Asked::default());
        let mut at = 0;
        while let Some(&one) = groups.get(at) {
            let behind = self.asked(one).clone();
            if !behind.compares_only() {
                return None;
            }
            compared.join(behind);
            let further = links.iter().filter(|(from, _)| *from == one).map(|l| l.1);
            let further: Vec<usize> = further.filter(|to| !groups.contains(to)).collect();
            groups.extend(further);
            at += 1;
        }
        Some(compared)
    }

    /// The tests of the input that a call gives.
    pub fn of_source(&mut self, call: ExprId) -> Asked {
        let group = self.sources[&call];
        self.tests(group)
    }

    /// The tests of the values of an object.
    pub fn of_object(&mut self, object: ObjectId) -> Asked {
        self.tests(object.index())
    }

    fn result(&self, function: FunctionId) -> usize {
        self.tree.objects.len() + function.index()
    }

    /// The group that an expression's value is copied from; `None` if it is computed.
    fn group(&mut self, e: ExprId) -> Option<usize> {
        let tree = self.tree;
        let expr = &tree.exprs[e];
        if let Some(source) = self.sources.get(&e) {
            return Some(*source);
        }
        if let Some(part) = self.parts.node(e) {
            return Some(part);
        }
        match &expr.kind {
            ExprKind::Ident(Resolved::Object(o)) => Some(o.index()),
            ExprKind::Member { .. } | ExprKind::Index { .. } | ExprKind::Deref(_) => {
                self.designated(e)
            }
            ExprKind::Call { callee, .. } => match called(tree, *callee) {
                Some(f) if tree.functions[f].body.is_some() => Some(self.result(f)),
                Some(_) => None,
                None => Some(self.elsewhere()),
            },
            ExprKind::Assign { op: None, lhs, .. } => self.group(*lhs),
            ExprKind::Conditional {
                cond,
                then,
                otherwise,
            } => {
                let (then, otherwise) = (then.unwrap_or(*cond), *otherwise);
                match (self.group(then), self.group(otherwise)) {
                    (Some(a), Some(b)) => {
                        self.unite(a, b);
                        Some(a)
                    }
                    (a, b) => a.or(b),
                }
            }
            ExprKind::Comma(all) => self.group(*all.last()?),
            ExprKind::Unary(UnaryOp::Plus, inner) => self.group(*inner),
            ExprKind::Binary(op, a, b) => self.group(unmasked(tree, *op, *a, *b)?),
            ExprKind::Cast(inner) => {
                let copies = integer(tree, expr.ty).is_some_and(|(bits, _)| bits > 1)
                    && integer(tree, tree.exprs[*inner].ty).is_some();
                copies.then(|| self.group(*inner)).flatten()
            }
            ExprKind::Generic { arms, chosen, .. } => self.group(arms.get((*chosen)?)?.1),
            ExprKind::StmtExpr(block) => self.group(last_of(tree, *block)?),
            _ => None,
        }
    }

    /// The objects that an lvalue may designate, joined into one group.
    fn designated(&mut self, e: ExprId) -> Option<usize> {
        let places = self.aliases.may_designate(e);
        let mut all: Vec<usize> = places.objects.iter().map(|o| o.index()).collect();
        all.extend(places.objects.iter().flat_map(|o| self.parts.nodes(*o)));
        if places.anything || all.is_empty() {
            all.push(self.elsewhere());
        }
        let first = all[0];
        all.iter().for_each(|&o| self.unite(first, o));
        let kind = integer(self.tree, self.tree.exprs[e].ty);
        for object in &places.objects {
            if kind.is_some() && !self.reads(e, self.tree.objects[*object].ty, kind) {
                self.expose(first, e, "is read as another type");
            }
        }
        Some(first)
    }

    /// Whether an expression reads an object with its own type. Through a pointer to characters, it may read
    /// bytes of any other type.
    fn reads(&self, e: ExprId, ty: QualType, kind: Kind) -> bool {
        let tree = self.tree;
        let pointer = match &tree.exprs[e].kind {
            ExprKind::Deref(_) => true,
            ExprKind::Index { base, .. } => {
                !matches!(tree.types.get(tree.exprs[*base].ty), Type::Array(..))
            }
            _ => false,
        };
        let bytes = pointer && kind.is_some_and(|(bits, _)| bits == 8);
        holds(tree, ty, kind) && !(bytes && scalars(tree, ty).iter().any(|s| *s != kind))
    }

    /// Adds the tests that the context of an expression applies to its value.
    fn follow(&mut self, e: ExprId) {
        let tree = self.tree;
        let ty = tree.exprs[e].ty;
        if let ExprKind::Call { callee, args, .. } = &tree.exprs[e].kind {
            self.memory_of(*callee, args, e);
        }
        let known = integer(tree, ty).is_some() || matches!(tree.types.get(ty), Type::Record(_));
        let Some(group) = known.then(|| self.group(e)).flatten() else {
            return;
        };
        if is_recorded(tree, e) {
            return;
        }
        match tree.exprs[e].parent {
            Parent::Expr(parent) => self.within(e, group, parent),
            Parent::Stmt(stmt) => self.in_statement(e, group, stmt),
            Parent::Init(init) => self.initialises(e, group, init),
            Parent::Declarator(..) | Parent::Decl(_) => {
                self.expose(group, e, "decides about the length of an array");
            }
            Parent::File | Parent::Function(_) | Parent::Constant | Parent::Fragment => {}
        }
    }

    fn within(&mut self, e: ExprId, group: usize, parent: ExprId) {
        let tree = self.tree;
        match &tree.exprs[parent].kind {
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } => {
                if *rhs == e {
                    let to = self.group(*lhs);
                    match (bit_field(tree, *lhs), to) {
                        (Some(kind), Some(to)) => {
                            self.stored(e, group, kind);
                            self.unite(group, to);
                        }
                        _ => self.flows_to(e, group, to, tree.exprs[*lhs].ty),
                    }
                }
            }
            ExprKind::IncDec { .. } => match counted(self.unit, self.live, e) {
                Some(counted) => self.counts(e, group, &counted),
                None => self.computed(group, (e, parent), None),
            },
            ExprKind::Assign { .. } => self.computed(group, (e, parent), None),
            ExprKind::Unary(UnaryOp::Not, _) => self.compared(group, 0),
            ExprKind::Unary(UnaryOp::Plus, _) => {}
            ExprKind::Unary(..) => self.computed(group, (e, parent), None),
            ExprKind::Binary(op, a, b) => self.operand((e, parent), group, (*op, *a, *b)),
            ExprKind::Call { callee, args, .. } => {
                if let Some(n) = args.iter().position(|a| *a == e) {
                    self.argument(e, group, *callee, n);
                }
            }
            ExprKind::Conditional { cond, then, .. } => {
                if *cond == e {
                    self.compared(group, 0);
                }
                let _ = then;
            }
            ExprKind::Cast(_) => self.cast(e, group, tree.exprs[parent].ty),
            ExprKind::Index { index, .. } if *index == e => {
                self.expose(group, e, "is an index");
            }
            ExprKind::Comma(_)
            | ExprKind::Generic { .. }
            | ExprKind::Index { .. }
            | ExprKind::Member { .. }
            | ExprKind::AddressOf(_)
            | ExprKind::StmtExpr(_) => {}
            _ => self.expose(group, e, "is used"),
        }
    }

    fn cast(&mut self, e: ExprId, group: usize, to: QualType) {
        let tree = self.tree;
        match (integer(tree, to), tree.types.get(to)) {
            (Some((1, _)), _) => self.compared(group, 0),
            (Some(_), _) => self.converted(e, group, to),
            (None, Type::Void) => {}
            _ => self.expose(group, e, "is converted"),
        }
    }

    fn operand(
        &mut self,
        (e, parent): (ExprId, ExprId),
        group: usize,
        (op, a, b): (BinaryOp, ExprId, ExprId),
    ) {
        let tree = self.tree;
        let other = if a == e { b } else { a };
        let constant = eval(tree, other);
        match op {
            BinaryOp::And | BinaryOp::Or => self.compared(group, 0),
            // The context of the whole tells.
            _ if unmasked(tree, op, a, b) == Some(e) => {}
            _ if self.of_bits(e, group, (op, constant)) => {}
            _ if op.is_boolean() => {
                let mine = kind_of(tree, e).map(promoted);
                let its = kind_of(tree, other).map(promoted);
                let signs = mine.zip(its).map(|((w, s), (v, t))| (s == t, w.max(v)));
                match (constant, signs) {
                    (Some(c), signs) => {
                        match op {
                            BinaryOp::Eq | BinaryOp::Ne => self.compared(group, c),
                            _ => self.ordered(group, c),
                        }
                        // What is not negative stays what it is in the other's type.
                        let positive =
                            c >= 0 && kind_of(tree, e).is_some_and(|(_, signed)| !signed);
                        if let Some((false, width)) = signs.filter(|_| !positive) {
                            self.asked(group).wraps.insert(width);
                        }
                    }
                    (None, Some((true, _))) => {
                        self.relations.push((group, e, other));
                    }
                    _ => self.expose(group, e, COMPARED),
                }
            }
            BinaryOp::Rem if a == e => match constant {
                Some(c) if c != 0 => self.computed(group, (e, parent), Some(c.abs())),
                _ => self.computed(group, (e, parent), None),
            },
            BinaryOp::BitAnd => match constant {
                Some(mask) if mask > 0 && (mask & (mask + 1)) == 0 => {
                    self.computed(group, (e, parent), Some(mask + 1))
                }
                _ => self.computed(group, (e, parent), None),
            },
            _ => self.computed(group, (e, parent), None),
        }
    }

    fn argument(&mut self, e: ExprId, group: usize, callee: ExprId, n: usize) {
        let tree = self.tree;
        let Some(f) = called(tree, callee) else {
            let to = self.elsewhere();
            self.unite(group, to);
            return self.expose(group, e, "is given to a function through a pointer");
        };
        let function = &tree.functions[f];
        match &function.body {
            Some(body) => match body.params.get(n) {
                Some(param) => {
                    let ty = tree.objects[*param].ty;
                    self.flows_to(e, group, Some(param.index()), ty);
                }
                None if self.ignores_further(body) => {}
                None => self.expose(group, e, "is given to a function as a further argument"),
            },
            None if crate::text::assumes(&function.name) => self.compared(group, 0),
            None if (self.quiet)(&function.name) => {}
            None => self.expose(group, e, "is given to a function of the library"),
        }
    }

    /// Values are equal to a constant or not.
    fn compared(&mut self, group: usize, constant: i128) {
        self.asked(group).constants.insert(constant);
    }

    /// Values are less than a constant, equal to it, or greater.
    fn ordered(&mut self, group: usize, constant: i128) {
        self.compared(group, constant);
        self.asked(group).ordered = true;
    }

    /// A remainder of a value is taken. Where few values come to it, each is tried: intervals do not go together with remainders, since
    /// conversions are remainders, too.
    fn remainder(&mut self, group: usize, e: ExprId, by: i128) {
        match self.copied(e) {
            Some((low, high)) if high - low < FEW => self.expose(group, e, "is computed with"),
            _ if by > 1 => drop(self.asked(group).divisors.insert(by)),
            _ => {}
        }
    }
}

/// Whether all values of an interval are values of a type.
fn fits((low, high): Interval, kind: Kind) -> bool {
    let inside = |of_type: Interval| of_type.0 <= low && high <= of_type.1;
    kind.is_some_and(|kind| inside(range(kind)))
}
