//! Rendering of templates.

use askama::Template;

/// The text of a template. Rendering into a string fails only if an expression of the template fails to format,
/// which no text does.
pub(crate) fn rendered(template: &impl Template) -> String {
    template.render().unwrap_or_default()
}
