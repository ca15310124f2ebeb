//! Programs whose runs rest on sizes and layouts that model checkers have otherwise, or on effects that they leave out, are refused,
//! with the place.

use crate::listener::Listener;
use crate::sources;

/// Refuses a program if a size or a layout in it shows that model checkers have otherwise, or an effect that they leave
/// out.
///
/// # Errors
/// Then; the listener has heard why.
pub(crate) fn refuse_others(unit: &cfront::Unit, output: &dyn Listener) -> anyhow::Result<()> {
    let model = &unit.tree.types.model;
    let narrow = (model.int, model.pointer) == (16, 16);
    let narrow = narrow
        .then(|| cfront::narrow_model::matters(unit))
        .flatten();
    let (span, message, help) = if let Some((span, what)) = narrow {
        let message =
            format!("this is {what}, and model checkers with 16-bit `int` have 32-bit pointers");
        let help =
            "a number in its place, or a function of the program's own under `inputs`, can be verified";
        (span, message, help)
    } else if let Some((span, what)) = cfront::own_layouts::matter(unit) {
        let message = format!("this is {what}, which model checkers have otherwise");
        let help = "a number in its place, or attributes of the whole structure, can be verified";
        (span, message, help)
    } else if let Some((span, place)) = cfront::lost_effects::matter(unit) {
        let message =
            format!("this is an effect {place}, which model checkers leave out or repeat");
        let help = "a statement of its own before it can be verified, with a variable here";
        (span, message, help)
    } else if let Some(span) = cfront::plain::undeclared_literal(unit) {
        let message = "control may come to this compound literal again before its block is left, and model checkers make another object then";
        let help = "an object with a name can be verified";
        (span, message.to_owned(), help)
    } else if let Some((elements, span)) = too_long(unit) {
        let message = format!(
            "this has an array of {elements} elements in a union, of which model checkers lose what is stored"
        );
        let help = "a shorter array, or a structure in place of the union, can be verified";
        (span, message, help)
    } else {
        return Ok(());
    };
    let diagnostic = cfront::Diagnostic::error(span, message).help(help);
    Err(sources::refused(&[unit.source.resolve(diagnostic)], output))
}

/// The longest array in a union, if it is too long to be followed.
fn too_long(unit: &cfront::Unit) -> Option<(u64, cfront::span::Span)> {
    cfront::unions::longest_array(unit).filter(|(elements, _)| *elements > cfront::unions::MOST)
}
