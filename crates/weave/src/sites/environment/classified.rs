//! The results of `isalpha` and its kin: C says that they are zero or not. For model checkers they are 0 or 1, while those of
//! glibc have other bits, so that `isdigit(c) == 1` never holds there.

use cfront::consteval::eval;
use cfront::library::plain_name;
use cfront::span::{ExprId, Id as _};
use cfront::tree::{BinaryOp, ExprKind, Parent, StmtKind, Tree, UnaryOp};
use cfront::types::Type;

use super::estimates::CONDITION;
use super::values::nondet;
use crate::facts::names::user;
use crate::facts::types::CallTypes;
use crate::facts::Call;
use crate::layout::weaver::Weaver;

/// The functions of `<ctype.h>` that tell whether a character is of a class.
const CLASSES: [&str; 12] = [
    "isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint",
    "ispunct", "isspace", "isupper", "isxdigit",
];

/// Whether a function of this name tells by any number but zero that a character is of a class.
pub fn tells_class(name: &str) -> bool {
    CLASSES.contains(&plain_name(name))
}

impl Weaver<'_> {
    /// The function that stands for such a call whose value is not only compared with zero, with the condition under which it does.
    pub(super) fn any_truth(
        &mut self,
        call: &Call,
        name: &str,
        types: &CallTypes,
    ) -> Option<(String, String)> {
        let asked = call.target.is_none() && call.used && tells_class(name);
        let tested = only_tested(&self.program.code.tree(), ExprId::from_index(call.expr));
        if !asked || tested || types.arguments.len() != 1 {
            return None;
        }
        let ty = &types
            .result
            .as_ref()
            .filter(|ty| ty.bounds.is_some())?
            .spelling;
        self.out.inputs.known.estimated.insert(name.to_owned());
        let (any, name) = (nondet(ty), user(name));
        Some((
            CONDITION.to_owned(),
            format!(
                "  {ty} {any}(void);\n  {ty} ba_r = {any}();\n  if (!({name})(ba_a0)) return 0;\n  BA_ASSUME(ba_r != 0);\n  return ba_r;\n"
            ),
        ))
    }
}

/// Whether only that a value is zero, or not, matters where it stands.
fn only_tested(tree: &Tree, e: ExprId) -> bool {
    match tree.exprs[e].parent {
        Parent::Stmt(stmt) => {
            let kind = &tree.stmts[stmt].kind;
            kind.condition() == Some(e) && !matches!(kind, StmtKind::Switch { .. })
        }
        Parent::Expr(around) => match tree.exprs[around].kind {
            ExprKind::Unary(UnaryOp::Not, _)
            | ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => true,
            ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, left, right) => {
                let other = if left == e { right } else { left };
                eval(tree, other) == Some(0)
            }
            ExprKind::Conditional { cond, .. } => cond == e,
            ExprKind::Cast(_) | ExprKind::Assign { op: None, .. } => {
                matches!(tree.type_of(tree.exprs[around].ty), Type::Bool)
            }
            _ => false,
        },
        _ => false,
    }
}
