//! What C demands of the arguments of library functions that model checkers compute without a question: that the absolute value is a
//! number of the type (C11, 7.22.6.1), and that memory is within an object and no copy onto itself (7.24.2.1).

use backend::ObjectFunctions;
use cfront::access::is_pure;
use cfront::calls::named_function;
use cfront::library::plain_name;
use cfront::span::ExprId;
use cfront::tree::{ExprKind, Resolved};
use cfront::EditError;

use super::Pass;

/// The words for memory that a function must not access.
const OUTSIDE: &str = "access outside of an object, or copy of memory onto itself,";

/// How far a pointer is from the beginning of its object, as C.
fn offset(of: ObjectFunctions, pointer: &str) -> String {
    format!("(unsigned long){}({pointer})", of.offset)
}

/// That so many bytes behind a pointer are in its object, as C; true for none.
fn within(of: ObjectFunctions, pointer: &str, size: &str) -> String {
    let (at, all) = (offset(of, pointer), format!("{}({pointer})", of.size));
    format!(
        "(({size}) == 0 || !{}({pointer}, 0) && {at} <= {all} && ({size}) <= {all} - {at})",
        of.same
    )
}

impl Pass<'_> {
    /// Inserts the checks.
    pub(super) fn arguments(&mut self) -> Result<(), EditError> {
        let tree = &self.unit.tree;
        for (id, expr) in tree.exprs.iter() {
            let ExprKind::Call { callee, args, .. } = &expr.kind else {
                continue;
            };
            if expr.unevaluated || !self.stands_in_users(id) {
                continue;
            }
            let name = match (&tree.exprs[*callee].kind, named_function(tree, *callee)) {
                (_, Some(f)) if tree.functions[f].body.is_some() => continue,
                (_, Some(f)) => plain_name(&tree.functions[f].name),
                (ExprKind::Ident(Resolved::Unknown(name)), None) => plain_name(name),
                _ => continue,
            };
            let texts: Option<Vec<&str>> = args.iter().map(|&arg| self.again(arg)).collect();
            let Some((holds, what)) = texts.and_then(|texts| self.demanded(name, &texts)) else {
                continue;
            };
            let ask = self.ask(&holds, what, name);
            self.edits.wrap(expr.span, format!("({ask}, "), ")")?;
        }
        Ok(())
    }

    /// What a function demands, as C, and the words for what fails.
    fn demanded(&self, name: &str, args: &[&str]) -> Option<(String, &'static str)> {
        let ty = match name {
            "abs" => "int",
            "labs" => "long",
            "llabs" => "long long",
            _ => "",
        };
        match (name, args, self.dialect.objects) {
            (_, [number], _) if !ty.is_empty() => Some((
                format!("({ty})({number}) != ({ty})((unsigned {ty})1 << (8 * sizeof({ty}) - 1))"),
                "absolute value that the type does not have",
            )),
            ("memset", [to, _, size], Some(of)) => Some((within(of, to, size), OUTSIDE)),
            ("memmove" | "memcmp", [one, other, size], Some(of)) => Some((
                format!("{} && {}", within(of, one, size), within(of, other, size)),
                OUTSIDE,
            )),
            ("memcpy", [to, from, size], Some(of)) => {
                let (to_at, from_at) = (offset(of, to), offset(of, from));
                let apart = format!(
                    "(!{}({to}, {from}) || {to_at} + ({size}) <= {from_at} || {from_at} + ({size}) <= {to_at})",
                    of.same
                );
                let inside = format!("{} && {}", within(of, to, size), within(of, from, size));
                Some((format!("{inside} && {apart}"), OUTSIDE))
            }
            _ => None,
        }
    }

    /// The text of an argument that can be evaluated once more.
    pub(super) fn again(&self, arg: ExprId) -> Option<&str> {
        let text = self.unit.text_of(self.unit.tree.exprs[arg].span);
        (is_pure(&self.unit.tree, arg) && !text.contains(['\n', '#'])).then_some(text)
    }
}
