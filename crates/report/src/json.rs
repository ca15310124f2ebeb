//! The JSON report of `verify` (docs/results.md, "JSON"). The result type itself defines the
//! format.

use verify::result::VerifyResult;

/// Renders the result as indented JSON with a final newline.
///
/// # Errors
/// Only by the signature of the serialiser; the result type itself cannot fail.
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
