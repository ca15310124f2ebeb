//! The JSON of `verify` (docs/results.md, "JSON"). The form itself belongs to the result type.

use verify::result::VerifyResult;

/// The result as JSON, indented, with a line end.
///
/// # Errors
/// None that the result type can give; kept because the serialiser has them.
pub fn render(result: &VerifyResult) -> Result<String, serde_json::Error> {
    let mut json = serde_json::to_string_pretty(result)?;
    json.push('\n');
    Ok(json)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::testing::{several, violated};

    #[test]
    fn the_form_is_fixed() {
        insta::assert_snapshot!(render(&violated()).unwrap());
        insta::assert_snapshot!(render(&several()).unwrap());
    }
}
