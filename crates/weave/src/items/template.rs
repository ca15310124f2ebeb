//! Templates as text.

use askama::Template;

/// Rendering into a string fails only where a template's own expression fails to format, which no
/// text does.
pub(crate) fn rendered(template: &impl Template) -> String {
    template.render().unwrap_or_default()
}
