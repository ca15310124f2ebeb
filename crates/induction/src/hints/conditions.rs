//! Conditions and other expressions as text that can be evaluated at any place where their objects are visible.

use std::collections::BTreeSet;

use cfront::span::{ExprId, Id};
use cfront::tree::{BinaryOp, ExprKind, Resolved};
use cfront::types::{ArrayLen, Type};

use super::targets::replaced;
use super::{Walk, RELATED};

/// The end of a condition that a pointer leads somewhere.
pub(super) const SOMEWHERE: &str = " != 0";

impl Walk<'_> {
    /// Notes a condition that neither writes nor calls, and reads through pointers with a name only.
    pub(super) fn condition(&mut self, id: ExprId) {
        let mut guards = Vec::new();
        let Some((text, objects, names)) = self.guarded(id, &mut guards) else {
            return;
        };
        if names.len() <= RELATED {
            for (i, a) in names.iter().enumerate() {
                names[i + 1..].iter().for_each(|b| self.pair(a, b));
            }
        }
        let text = match guards.is_empty() {
            true => text,
            false => {
                // An inner index comes before the outer one.
                guards.reverse();
                let mut known = BTreeSet::new();
                guards.retain(|guard| known.insert(guard.clone()));
                format!("{} && ({text})", guards.join(" && "))
            }
        };
        self.out.conditions.push((text, objects));
    }

    /// The condition that an index lies within its array, if the array is an object of the program or a part of one.
    fn within(&self, base: ExprId, index: ExprId) -> Option<String> {
        let Type::Array(_, ArrayLen::Known(length)) = self.tree.types.get(self.tree.exprs[base].ty)
        else {
            return None;
        };
        let span = self.tree.exprs[index].span;
        let index = self.text.get(span.start..span.end)?;
        Some(format!("(unsigned long)({index}) < {length}ul"))
    }

    /// The condition that a pointer with a name leads somewhere.
    fn leads(&self, pointer: ExprId) -> Option<String> {
        let mut named = pointer;
        while let ExprKind::Member {
            arrow: false, base, ..
        } = self.tree.exprs[named].kind
        {
            named = base;
        }
        if !matches!(
            self.tree.exprs[named].kind,
            ExprKind::Ident(Resolved::Object(_))
        ) {
            return None;
        }
        let span = self.tree.exprs[pointer].span;
        let text = self.text.get(span.start..span.end)?;
        Some(format!("{text}{SOMEWHERE}"))
    }

    /// The text of an expression that neither writes nor calls nor reads through pointers, with the objects that it
    /// reads and their names.
    pub(super) fn plain(&self, id: ExprId) -> Option<(String, Vec<usize>, Vec<String>)> {
        let mut guards = Vec::new();
        let found = self.guarded(id, &mut guards);
        found.filter(|_| guards.is_empty())
    }

    /// As [`Self::plain`], also for elements with a computed index; `guards` collects the conditions that the indices lie within
    /// their arrays.
    pub(super) fn guarded(
        &self,
        id: ExprId,
        guards: &mut Vec<String>,
    ) -> Option<(String, Vec<usize>, Vec<String>)> {
        const LONGEST: usize = 200;
        let (mut open, mut objects) = (vec![id], BTreeSet::new());
        let (mut names, mut reached) = (BTreeSet::new(), Vec::new());
        while let Some(e) = open.pop() {
            let expr = &self.tree.exprs[e];
            match &expr.kind {
                ExprKind::Ident(Resolved::Object(o)) => {
                    names.insert(self.tree.objects[*o].name.as_str());
                    objects.insert(o.index());
                }
                ExprKind::Ident(Resolved::EnumConst(..)) | ExprKind::Int(_) | ExprKind::Char(_) => {
                }
                ExprKind::Binary(op, ..) if !matches!(op, BinaryOp::Div | BinaryOp::Rem) => {}
                ExprKind::Binary(_, _, b) if self.constant(*b).is_some_and(|c| c != 0) => {}
                ExprKind::Member {
                    arrow: true, base, ..
                } => match self.targets.member(self.tree, e) {
                    Some((object, text)) => {
                        names.insert(self.tree.objects[object].name.as_str());
                        objects.insert(object.index());
                        reached.push((expr.span, text));
                        continue;
                    }
                    None => guards.push(self.leads(*base)?),
                },
                ExprKind::Deref(pointer) => guards.push(self.leads(*pointer)?),
                ExprKind::Index { base, index } => guards.push(self.within(*base, *index)?),
                ExprKind::Unary(..) | ExprKind::Cast(_) | ExprKind::Member { arrow: false, .. } => {
                }
                _ => return None,
            }
            open.extend(self.tree.children(e));
        }
        let span = self.tree.exprs[id].bare;
        // The text of an index is taken as it stands, with its pointers.
        if !guards.is_empty() && !reached.is_empty() {
            return None;
        }
        let text = &replaced(self.text, span, &mut reached)?;
        let marked = text.contains(['#', '"', '\\']);
        if objects.is_empty() || text.len() > LONGEST || marked {
            return None;
        }
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let names = names.iter().map(ToString::to_string).collect();
        Some((text, objects.into_iter().collect(), names))
    }
}
