//! A program for a machine with narrower types, as one that computes the same here.
//!
//! The types get other names (`int` of 16 bits is `short`, `long` of 32 bits is `int`), so objects have the values that
//! they have there. Promotion and the usual conversions lead to wider types here (C17 6.3.1): wherever that could change
//! a result, it is made explicit. A signed overflow there is one here, at the same place: the operands of 16 bits stand
//! in the upper halves of numbers of 32 bits.
//!
//! What depends on the width of pointers or on gaps in structures has no such form, and is refused with its place.

mod arithmetic;
mod layout;
mod specifiers;

use std::collections::BTreeSet;

use crate::diag::Diagnostic;
use crate::edit::Edits;
use crate::parse::Unit;
use crate::span::{ExprId, FunctionId, Span};
use crate::tree::Parent;

pub use layout::RECORDED;
pub use specifiers::spelled;

/// Declarations in front of the text: a count of a shift that is out of range there is so here, and enumerations have the
/// sign that their constants say.
const PROLOGUE: &str = "static inline int ba_x_count(long long n, int width) { return n >= 0 && n < width ? (int)n : 128; } \
enum ba_x_mode { BA_X_MODE } __attribute__((mode(HI))); _Static_assert((enum ba_x_mode)-1 > 0, \"\"); ";

/// The text of a program for which this machine's compiler makes code that computes what the program does on its own
/// machine. Linear in the program.
///
/// # Errors
/// The first place whose meaning depends on the widths in another way.
pub fn lowered(unit: &Unit) -> Result<Vec<u8>, Diagnostic> {
    let never_run = crate::calls::never_run(unit, std::iter::empty());
    let of = Program { unit, never_run };
    if let Some((span, what)) = layout::matters(&of) {
        return Err(refused(span, what));
    }
    let mut edits = Edits::new();
    specifiers::renamed(unit, &mut edits);
    arithmetic::explicit(&of, &mut edits)?;
    let mut text = PROLOGUE.as_bytes().to_vec();
    text.extend(edits.splice(&unit.source.bytes));
    Ok(text)
}

/// A program with the functions that never run.
struct Program<'a> {
    unit: &'a Unit,
    never_run: BTreeSet<FunctionId>,
}

impl Program<'_> {
    /// Whether an expression belongs to the program's run: it is in no function that nothing calls, and in none of the
    /// search's own, which record the objects as they are here.
    fn has(&self, e: ExprId) -> bool {
        let tree = &self.unit.tree;
        let function = tree.function_of(Parent::Expr(e));
        function.is_none_or(|f| {
            !self.never_run.contains(&f) && !tree.functions[f].name.starts_with("ba_x_")
        })
    }
}

fn refused(span: Span, what: &str) -> Diagnostic {
    let message = format!("{what} depends on the machine's types in a way that has no form here");
    Diagnostic::error(span, message)
}

/// Puts texts around a part of the program. Emitted texts have no ends of lines, so nothing can go wrong.
fn around(edits: &mut Edits, span: Span, before: &str, after: &str) {
    let wrapped = edits.wrap(span, before, after);
    debug_assert!(wrapped.is_ok());
}

#[cfg(test)]
mod tests;
