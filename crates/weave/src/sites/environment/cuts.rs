//! Lengths of the beginning of a text with which a program does no more than to end the text there.

use cfront::consteval::eval;
use cfront::span::{ExprId, Id as _};
use cfront::tree::{ExprKind, Parent, Resolved};
use cfront::types::Type;
use spec::InputValues;

use super::contracts::index;
use super::values::chooser;
use crate::facts::heads::CONTRACTS;
use crate::facts::Call;
use crate::layout::weaver::Weaver;
use crate::plan::inputs::Choice;

impl Weaver<'_> {
    /// The statement by which the search of all states leaves the bytes of a text without values where the program does no more with
    /// a length than to end the text there (`line[strcspn(line, "\n")] = 0`). Each of them may be the one that ends it when it is read.
    pub(super) fn cut_there(&mut self, call: &Call, bytes: u64) -> String {
        if !self.is_proof() || !self.ends_text(call) {
            return String::new();
        }
        let choice = self.add_known_choice(Choice {
            ty: index(),
            values: InputValues::Any,
            within: Some((0, 0)),
        });
        let none = chooser(choice);
        // All choices of a site have the same values.
        let site = self.input_site(call);
        let last = bytes - 1;
        format!(
            "#if defined BA_DRIVER && defined {CONTRACTS}\n  if (BA_UNREAD(ba_a0, {bytes})) return {last} + {none}({site});\n#endif\n"
        )
    }

    /// Whether the result of a call is only the place in its first argument, an array, where a zero is stored.
    fn ends_text(&self, call: &Call) -> bool {
        let tree = &*self.program.code.tree();
        let ExprKind::Call { args, .. } = &tree.exprs[ExprId::from_index(call.expr)].kind else {
            return false;
        };
        let named = |e: ExprId| match tree.exprs[tree.uncast(e)].kind {
            ExprKind::Ident(Resolved::Object(object)) => Some(object),
            _ => None,
        };
        let Parent::Expr(element) = tree.exprs[ExprId::from_index(call.expr)].parent else {
            return false;
        };
        let ExprKind::Index { base, index } = tree.exprs[element].kind else {
            return false;
        };
        let Parent::Expr(assignment) = tree.exprs[element].parent else {
            return false;
        };
        let same = args.first().is_some_and(|of| named(*of) == named(base));
        let of_array = matches!(tree.types.get(tree.exprs[base].ty), Type::Array(..));
        same && of_array
            && named(base).is_some()
            && index.index() == call.expr
            && matches!(
                tree.exprs[assignment].kind,
                ExprKind::Assign { op: None, lhs, rhs, .. } if lhs == element && eval(tree, rhs) == Some(0)
            )
    }
}
