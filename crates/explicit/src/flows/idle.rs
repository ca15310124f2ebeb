//! Idle values: what the program computes and no condition, index or proposition ever depends on, as a sum that is only shown.
//!
//! That a value is computed with exposes it only if what comes of it is exposed or tested. This is the greatest fixpoint over the groups: a
//! sum that is only added to itself is idle. A run with one value for all that are idle passes the same conditions as any other
//! one, and is itself a run of the program; where signed numbers overflow in the other one only, this one tells the same without that.

use std::collections::BTreeSet;

use cfront::consteval::eval;
use cfront::span::{ExprId, Id as _, InitId, StmtId};
use cfront::tree::{BinaryOp, Entity, ExprKind, Parent, StmtKind, UnaryOp};
use cfront::types::{QualType, Type};

use super::{called, last_of, Flows};
use crate::kinds::{integer, kind_of, promoted};

/// A computation with the values of a group.
#[derive(Clone, Debug)]
pub(super) struct Computed {
    group: usize,
    /// The operand.
    operand: ExprId,
    /// The divisor, if only the remainder matters.
    remainder: Option<i128>,
    /// The groups to which its result goes.
    sinks: Vec<usize>,
}

impl Flows<'_> {
    /// Values of a group are computed with: `e` is an operand of `parent`.
    pub(super) fn computed(
        &mut self,
        group: usize,
        (e, parent): (ExprId, ExprId),
        remainder: Option<i128>,
    ) {
        let mut sinks = Vec::new();
        match self.operates(e, parent, &mut sinks) {
            Some(()) => self.computed.push(Computed {
                group,
                operand: e,
                remainder,
                sinks,
            }),
            None => self.depends(group, e, remainder),
        }
    }

    fn depends(&mut self, group: usize, e: ExprId, remainder: Option<i128>) {
        // A remainder alone may be that of a conversion, on which nothing depends.
        self.busy.insert(group);
        match remainder {
            Some(by) => self.remainder(group, e, by),
            None => self.expose(group, e, "is computed with"),
        }
    }

    /// Exposes what is computed with, unless its result is idle.
    pub(super) fn settle(&mut self) {
        let computed = std::mem::take(&mut self.computed);
        let mut links: Vec<(usize, usize)> = Vec::new();
        for one in &computed {
            let from = self.find(one.group);
            for sink in &one.sinks {
                links.push((from, self.find(*sink)));
            }
        }
        for (from, to, _, _) in self.copies.clone() {
            links.push((self.find(from), self.find(to)));
        }
        for (from, to, _) in self.bitwise.clone() {
            links.push((self.find(from), self.find(to)));
        }
        let asked = self.asked.iter().filter(|(_, asked)| asked.are_some());
        let mut busy: BTreeSet<usize> = asked.map(|(group, _)| *group).collect();
        for group in std::mem::take(&mut self.busy) {
            busy.insert(self.find(group));
        }
        let elsewhere = self.elsewhere();
        busy.insert(self.find(elsewhere));
        loop {
            let before = busy.len();
            let more = links.iter().filter(|(_, to)| busy.contains(to));
            let more: Vec<usize> = more.map(|(from, _)| *from).collect();
            busy.extend(more);
            if busy.len() == before {
                break;
            }
        }
        for one in computed {
            let all: Vec<usize> = one.sinks.iter().map(|sink| self.find(*sink)).collect();
            if all.iter().any(|sink| busy.contains(sink)) {
                self.depends(one.group, one.operand, one.remainder);
            }
        }
        self.busy = busy;
    }

    /// Whether nothing depends on the values of a group.
    pub(super) fn is_idle(&mut self, group: usize) -> bool {
        let group = self.find(group);
        !self.busy.contains(&group)
    }

    /// Adds the groups to which the result of an operation goes; `None` if something depends on it.
    fn operates(&mut self, e: ExprId, parent: ExprId, sinks: &mut Vec<usize>) -> Option<()> {
        let tree = self.tree;
        match tree.exprs[parent].kind {
            ExprKind::IncDec { operand, .. } => {
                self.stores_to(operand, sinks)?;
                self.goes(parent, sinks)
            }
            ExprKind::Assign {
                op: Some(op),
                lhs,
                rhs,
                ..
            } => {
                let other = if lhs == e { rhs } else { lhs };
                self.keeps_quiet(op, (e, other), lhs == e).then_some(())?;
                self.stores_to(lhs, sinks)?;
                self.goes(parent, sinks)
            }
            ExprKind::Unary(UnaryOp::Minus | UnaryOp::BitNot | UnaryOp::Plus, _) => {
                self.goes(parent, sinks)
            }
            ExprKind::Binary(op, a, b) => {
                let other = if a == e { b } else { a };
                self.keeps_quiet(op, (e, other), a == e).then_some(())?;
                self.goes(parent, sinks)
            }
            _ => None,
        }
    }

    /// Whether an operation has a result whatever the operand `e` is, and nothing but its result depends on it.
    fn keeps_quiet(&self, op: BinaryOp, (e, other): (ExprId, ExprId), left: bool) -> bool {
        let tree = self.tree;
        let number = |e: ExprId| {
            let of = tree.types.get(tree.exprs[e].ty);
            integer(tree, tree.exprs[e].ty).is_some() || matches!(of, Type::Float(_))
        };
        let constant = eval(tree, other);
        number(other)
            && match op {
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => true,
                BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => true,
                BinaryOp::Div | BinaryOp::Rem => left && constant.is_some_and(|c| c > 0),
                BinaryOp::Shl | BinaryOp::Shr => {
                    let kind = kind_of(tree, e).map(promoted);
                    let within = |(width, signed): (u32, bool)| {
                        !signed && constant.is_some_and(|c| (0..i128::from(width)).contains(&c))
                    };
                    left && kind.is_some_and(within)
                }
                _ => false,
            }
    }

    /// Adds the group of a place that a computed value is stored to.
    fn stores_to(&mut self, lvalue: ExprId, sinks: &mut Vec<usize>) -> Option<()> {
        is_number(self, self.tree.exprs[lvalue].ty).then_some(())?;
        sinks.push(self.group(lvalue)?);
        Some(())
    }

    /// Adds the groups to which a computed value goes.
    fn goes(&mut self, e: ExprId, sinks: &mut Vec<usize>) -> Option<()> {
        let tree = self.tree;
        match tree.exprs[e].parent {
            Parent::Expr(parent) => self.goes_into(e, parent, sinks),
            Parent::Stmt(stmt) => self.goes_to_statement(e, stmt, sinks),
            Parent::Init(init) => self.goes_to_object(init, sinks),
            _ => None,
        }
    }

    fn goes_into(&mut self, e: ExprId, parent: ExprId, sinks: &mut Vec<usize>) -> Option<()> {
        let tree = self.tree;
        match &tree.exprs[parent].kind {
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } if *rhs == e => {
                self.stores_to(*lhs, sinks)?;
                self.goes(parent, sinks)
            }
            ExprKind::Assign { op: Some(_), .. } | ExprKind::Binary(..) | ExprKind::Unary(..) => {
                self.operates(e, parent, sinks)
            }
            ExprKind::Cast(_) => match tree.types.get(tree.exprs[parent].ty) {
                Type::Void => Some(()),
                _ => {
                    is_number(self, tree.exprs[parent].ty).then_some(())?;
                    self.goes(parent, sinks)
                }
            },
            ExprKind::Conditional { cond, .. } if *cond != e => self.goes(parent, sinks),
            ExprKind::Comma(all) => match all.last() == Some(&e) {
                true => self.goes(parent, sinks),
                false => Some(()),
            },
            ExprKind::Call { callee, args, .. } => {
                let at = args.iter().position(|a| *a == e)?;
                let function = &tree.functions[called(tree, *callee)?];
                match &function.body {
                    Some(body) => match body.params.get(at) {
                        Some(&param) => {
                            is_number(self, tree.objects[param].ty).then_some(())?;
                            sinks.push(param.index());
                            Some(())
                        }
                        None => self.ignores_further(body).then_some(()),
                    },
                    // What the search is told is no output.
                    None => {
                        let own = function.name.starts_with(OWN);
                        (!own && (self.quiet)(&function.name)).then_some(())
                    }
                }
            }
            _ => None,
        }
    }

    fn goes_to_statement(&mut self, e: ExprId, stmt: StmtId, sinks: &mut Vec<usize>) -> Option<()> {
        let tree = self.tree;
        match &tree.stmts[stmt].kind {
            StmtKind::Expr(_) => {
                let Parent::Stmt(block) = tree.stmts[stmt].parent else {
                    return Some(());
                };
                match tree.stmts[block].parent {
                    Parent::Expr(whole) if last_of(tree, block) == Some(e) => {
                        self.goes(whole, sinks)
                    }
                    _ => Some(()),
                }
            }
            StmtKind::For { cond, .. } if *cond != Some(e) => Some(()),
            StmtKind::Return(_) => {
                let function = tree.stmts[stmt].function?;
                let ty = tree.types.function(tree.functions[function].ty)?.ret;
                is_number(self, ty).then_some(())?;
                sinks.push(self.result(function));
                Some(())
            }
            _ => None,
        }
    }

    fn goes_to_object(&mut self, init: InitId, sinks: &mut Vec<usize>) -> Option<()> {
        let tree = self.tree;
        let Parent::Declarator(decl, n) = tree.inits[init].parent else {
            return None;
        };
        match tree.decls[decl].declared.get(n)?.entity {
            Entity::Object(object) => {
                is_number(self, tree.objects[object].ty).then_some(())?;
                sinks.push(object.index());
                Some(())
            }
            _ => None,
        }
    }
}

/// The beginning of the names of the functions and objects that are emitted.
const OWN: &str = "ba_";

/// Whether a type is one of integers whose values are no truth values.
fn is_number(flows: &Flows, ty: QualType) -> bool {
    integer(flows.tree, ty).is_some_and(|(bits, _)| bits > 1)
}

#[cfg(test)]
mod tests {
    use cfront::tree::Tree;
    use cfront::{Source, Unit};

    use super::*;
    use crate::flows::Asked;
    use crate::live::Lazy;

    /// What a program asks of the values of the first call of `in`.
    fn asked(body: &str) -> Option<Asked> {
        let text = format!(
            "int in(void); int printf(const char *, ...);\n\
             static int total, other, all[4]; static unsigned sum; static unsigned char low;\n\
             static struct {{ int a, b; }} pair; static int twice(int n) {{ return 2 * n; }}\n\
             int main(void) {{ {body} return 0; }}\n"
        );
        let unit = Unit::parse(Source::from_bytes(text.into_bytes())).ok()?;
        let input = |tree: &Tree, e: ExprId| match &tree.exprs[e].kind {
            ExprKind::Call { callee, .. } => {
                called(tree, *callee).is_some_and(|f| tree.functions[f].name == "in")
            }
            _ => false,
        };
        let call = unit.tree.exprs.ids().find(|e| input(&unit.tree, *e))?;
        let live = Lazy::of(&unit);
        let quiet = crate::text::is_quiet;
        let mut flows = Flows::new(&unit, &[call], &|_| true, &quiet, &live);
        Some(flows.of_source(call))
    }

    #[test]
    fn what_is_only_added_up_and_shown_is_idle() {
        for body in [
            "for (;;) { total += in(); }",
            "int x = in(); for (;;) { total = total + x * 3; printf(\"%d\", total / 10); }",
            "for (;;) { all[total & 0] = in(); other = all[1] + all[2]; pair.a += other; }",
            "sum = (unsigned)in() << 3; low = (unsigned char)(sum % 7); low++;",
            "total = twice(twice(in())) - 1; printf(\"%d %f\", total, total * 0.5);",
        ] {
            let of = asked(body);
            assert!(of.as_ref().is_some_and(|a| !a.are_some()), "{body}: {of:?}");
            assert!(of.is_some_and(|a| a.modulus() <= 1), "{body}");
        }
    }

    #[test]
    fn what_something_depends_on_is_not() {
        for body in [
            "for (;;) { total += in(); if (total > 5) other = 1; }",
            "total = in() + 1; other = all[total & 3];",
            "total = in() + 1; while (twice(total) != 8) other++;",
            "total = 1 + in(); other = 7 / total;",
            "total = in() + 1; pair.b = total; if (pair.b) other = 1;",
            "int *p = &other; *p = in() + 1; if (other == 2) total = 1;",
            "_Bool b = in() + 1; if (b) total = 1;",
            "total = in() % 3 == 1;",
            "total = in() % 3; if (total == 1) other = 1;",
            "total = in() + 1; switch (total) { case 3: other = 1; }",
            "other = 1 << (in() + 1);",
            "int x = in(); x++; for (int i = 0; i < x; i++) other++;",
            "total = in() + 1; all[0] = total; if (all[other & 3] == 2) other = 1;",
        ] {
            let of = asked(body);
            let depends = |a: &Asked| a.are_some() || a.modulus() > 1;
            assert!(of.as_ref().is_some_and(depends), "{body}: {of:?}");
        }
    }
}
