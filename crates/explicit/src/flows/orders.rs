//! Places whose values the program only copies, and compares with each other and with constants: nothing but the order of these values
//! matters, as in `if (x > most) most = x;`.
//!
//! # Why this is sound
//!
//! A set of places is *ordered* if all that is ever stored in them is copied from another one, an input, or a constant, and each use of such
//! a value is a copy to another one of them, or a comparison with another one or with a constant; all are integers of one type. Let a map
//! of the type into itself keep the order, and these constants. It takes each comparison to one with the same result, and each copy
//! to a copy; so a state and the one in which the values of these places are mapped have the same steps, with the same letters, if inputs are
//! mapped, too. The search represents each state by one in which different values are far from each other (`templates/explicit/orders.c`), and
//! lets an input be each of them, each of the constants, and one value between any two neighbours. Between constants with few values
//! between them, values stay what they are.
//!
//! A state in which values are far from each other has a value between each two, which those it stands for may lack: the
//! graph has all runs of the program, and may have more. So it proves, and does not refute.

use std::collections::BTreeSet;

use cfront::consteval::eval;
use cfront::span::{ExprId, Id, InitId};
use cfront::tree::{Entity, ExprKind, InitKind, StmtKind, Storage};
use cfront::types::Type;

use super::intervals::{range, Interval};
use super::stores::Stored;
use super::{fits, given_by, Flows};
use crate::kinds::{bit_field, integer, kind_of, scalars};
use crate::text::is_recorded;

/// The narrowest type of ordered places in bits: of narrower ones all values are tried.
const NARROWEST: u32 = 16;

/// A comparison of two values that are no constants.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    /// The group of the first one.
    pub group: usize,
    /// Their expressions.
    pub sides: (ExprId, ExprId),
    /// The interval in which the second one lies, if it is known and has not too many values.
    pub values: Option<Interval>,
}

/// A set of ordered places.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// The width of their type in bits, and whether it is signed.
    pub kind: (u32, bool),
    /// The constants that are stored in them, or with which their values are compared.
    pub constants: BTreeSet<i128>,
    /// The calls that give their inputs.
    pub sources: Vec<ExprId>,
    /// The places where they are recorded as parts of the state.
    pub recorded: Vec<ExprId>,
    /// Their groups.
    pub(super) groups: BTreeSet<usize>,
}

/// A value that an expression may have.
enum Leaf {
    Constant(i128),
    /// That of a place or an input.
    Node(usize),
}

impl Flows<'_> {
    /// The sets of ordered places.
    pub fn orders(&self) -> &[Order] {
        &self.orders
    }

    /// The number of the set of ordered places to which an input belongs.
    pub fn order_of(&self, call: ExprId) -> Option<usize> {
        self.orders.iter().position(|o| o.sources.contains(&call))
    }

    /// Finds the ordered places among those that are compared with others; the other comparisons are tests of any values. An input
    /// that is not `free` has values of its own.
    pub(super) fn order(&mut self, free: &dyn Fn(ExprId) -> bool) {
        let pairs = std::mem::take(&mut self.pairs);
        if pairs.is_empty() {
            return;
        }
        let joined = self.joined(&pairs);
        let stores = self.stores();
        let roots: BTreeSet<usize> = pairs.iter().map(|p| joined[p.group]).collect();
        for root in roots {
            let members: Vec<usize> = (0..joined.len()).filter(|n| joined[*n] == root).collect();
            match self.set_of(&members, &stores, &pairs) {
                Some(order) if order.sources.iter().all(|s| free(*s)) => self.orders.push(order),
                _ => {
                    let own = pairs.iter().filter(|p| members.contains(&p.group));
                    own.for_each(|pair| self.relates(pair));
                }
            }
        }
    }

    /// A representative for each node, of those between which values are copied or which are compared.
    fn joined(&mut self, pairs: &[Pair]) -> Vec<usize> {
        let mut links: Vec<(usize, usize)> = self.copies.iter().map(|c| (c.0, c.1)).collect();
        for pair in pairs {
            let others = self.leaves(pair.sides.1).unwrap_or_default();
            let nodes = others.into_iter().filter_map(|leaf| match leaf {
                Leaf::Node(node) => Some(node),
                Leaf::Constant(_) => None,
            });
            links.extend(nodes.map(|node| (pair.group, node)));
        }
        let mut of: Vec<usize> = (0..self.parents.len()).map(|n| self.find(n)).collect();
        for (a, b) in links {
            let (a, b) = (of[a], of[b]);
            of.iter_mut().filter(|n| **n == b).for_each(|n| *n = a);
        }
        of
    }

    /// The set of these nodes, if they are ordered.
    fn set_of(
        &mut self,
        members: &[usize],
        stores: &[(usize, Stored)],
        pairs: &[Pair],
    ) -> Option<Order> {
        let tree = self.tree;
        let within: BTreeSet<usize> = members.iter().copied().collect();
        let mut order = Order {
            groups: members.iter().map(|n| self.find(*n)).collect(),
            ..Order::default()
        };
        let sources = self.sources.iter().filter(|s| within.contains(s.1));
        order.sources = sources.map(|(call, _)| *call).collect();
        let first = *order.sources.first()?;
        order.kind = integer(tree, tree.exprs[first].ty).filter(|(bits, _)| *bits >= NARROWEST)?;
        let asm = |s: &StmtKind| matches!(s, StmtKind::Asm { .. });
        let bitwise = self.bitwise.iter();
        if within.contains(&self.elsewhere())
            || tree.stmts.iter().any(|(_, s)| asm(&s.kind))
            || bitwise
                .flat_map(|b| [b.0, b.1])
                .any(|n| within.contains(&n))
        {
            return None;
        }
        for group in order.groups.clone() {
            let asked = self.asked(group).clone();
            if !asked.compares_only() {
                return None;
            }
            order.constants.extend(asked.constants);
        }
        self.are_plain(&within, order.kind).then_some(())?;
        for (_, stored) in stores.iter().filter(|(to, _)| within.contains(to)) {
            self.stored_in(*stored, &within, &mut order)?;
        }
        for pair in pairs.iter().filter(|p| within.contains(&p.group)) {
            self.value_of(pair.sides.0, &within, &mut order)?;
            self.value_of(pair.sides.1, &within, &mut order)?;
        }
        self.expressions_of(&within, &mut order)?;
        let range = range(order.kind);
        order.constants.retain(|c| range.0 <= *c && *c <= range.1);
        Some(order)
    }

    /// Whether the objects among these nodes are integers of a type, which nothing else changes.
    fn are_plain(&self, within: &BTreeSet<usize>, kind: (u32, bool)) -> bool {
        let tree = self.tree;
        tree.objects.iter().all(|(id, object)| {
            let mut parts = self.parts.nodes(id);
            let whole = within.contains(&id.index());
            if !whole && !parts.any(|p| within.contains(&p)) {
                return true;
            }
            let quals = object.ty.quals;
            let plain = !quals.is_volatile && !object.thread_local && !object.register;
            // The weaver's own variables are recorded in other ways.
            let own = object.is_static_duration() && object.name.starts_with("ba_");
            let of_kind = !whole || scalars(tree, object.ty) == BTreeSet::from([Some(kind)]);
            let is_const = quals.is_const && !object.is_static_duration();
            plain && !own && !is_const && of_kind && object.storage != Storage::StaticLocal
        })
    }

    /// Checks that what is stored is of the set.
    fn stored_in(
        &mut self,
        stored: Stored,
        within: &BTreeSet<usize>,
        order: &mut Order,
    ) -> Option<()> {
        match stored {
            Stored::Zero => drop(order.constants.insert(0)),
            Stored::Unset => {}
            Stored::Any => return None,
            Stored::Of(e, _) => self.value_of(e, within, order)?,
            Stored::Initial(object) => {
                order.constants.insert(0);
                let decls = self.tree.objects[object].decls.iter();
                let declared = decls.flat_map(|d| &self.tree.decls[*d].declared);
                let own = declared.filter(|d| matches!(d.entity, Entity::Object(o) if o == object));
                for init in own.filter_map(|d| d.init) {
                    self.begins_with(init, order)?;
                }
            }
        }
        Some(())
    }

    /// Adds the constants of an initialiser, whichever members they are for.
    fn begins_with(&self, init: InitId, order: &mut Order) -> Option<()> {
        let tree = self.tree;
        match &tree.inits[init].kind {
            InitKind::List(items) => items
                .iter()
                .try_for_each(|item| self.begins_with(item.value, order)),
            InitKind::Expr(e) => match tree.types.get(tree.exprs[*e].ty) {
                Type::Pointer(_) | Type::Float(_) => Some(()),
                _ => {
                    order.constants.insert(eval(tree, *e)?);
                    Some(())
                }
            },
        }
    }

    /// Checks that an expression has values of the set only.
    fn value_of(&mut self, e: ExprId, within: &BTreeSet<usize>, order: &mut Order) -> Option<()> {
        for leaf in self.leaves(e)? {
            match leaf {
                Leaf::Constant(c) if fits((c, c), Some(order.kind)) => {
                    order.constants.insert(c);
                }
                Leaf::Node(node) if within.contains(&node) => {}
                _ => return None,
            }
        }
        Some(())
    }

    /// The values that an expression may have, if they are constants and those of places.
    fn leaves(&mut self, e: ExprId) -> Option<Vec<Leaf>> {
        let tree = self.tree;
        if let Some(c) = eval(tree, e) {
            return Some(vec![Leaf::Constant(c)]);
        }
        if let Some(source) = self.sources.get(&e) {
            return Some(vec![Leaf::Node(*source)]);
        }
        let parts = given_by(tree, e);
        if !parts.is_empty() {
            let leaves = parts.into_iter().map(|part| self.leaves(part));
            let all: Option<Vec<Vec<Leaf>>> = leaves.collect();
            return Some(all?.into_iter().flatten().collect());
        }
        match tree.exprs[e].kind {
            ExprKind::Comma(_) | ExprKind::StmtExpr(_) => None,
            ExprKind::Cast(inner) if self.kept(inner, tree.exprs[e].ty) => self.leaves(inner),
            ExprKind::Generic { .. } | ExprKind::Binary(..) => None,
            _ => {
                let whole = matches!(tree.types.get(tree.exprs[e].ty), Type::Record(_));
                let node = if whole { self.group(e) } else { self.place(e) };
                Some(vec![Leaf::Node(node?)])
            }
        }
    }

    /// Checks that all expressions with values of the set are of its type, and finds those that record places.
    fn expressions_of(&mut self, within: &BTreeSet<usize>, order: &mut Order) -> Option<()> {
        let tree = self.tree;
        for (id, e) in tree.exprs.iter().filter(|(_, e)| !e.unevaluated) {
            let recorded = is_recorded(tree, id);
            if integer(tree, e.ty).is_none() || (recorded && matches!(e.kind, ExprKind::Cast(_))) {
                continue;
            }
            if self.group(id).is_none_or(|group| !within.contains(&group)) {
                continue;
            }
            let plain = !e.ty.quals.is_volatile && bit_field(tree, id).is_none();
            if !plain || kind_of(tree, id) != Some(order.kind) {
                return None;
            }
            if recorded {
                order.recorded.push(id);
            }
        }
        Some(())
    }
}
