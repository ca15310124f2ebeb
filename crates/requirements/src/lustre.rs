//! Assignments of internal variables in Lustre, as FRET's exports have them: `0.0 -> pre x` is a number at the first letter,
//! and what `x` was at the letter before at each other one.

/// A value that is one letter late.
pub(crate) struct Delayed<'a> {
    /// The value at the first letter.
    pub(crate) first: &'a str,
    /// What has it at the letter before, at each other letter.
    pub(crate) before: &'a str,
}

/// Reads `FIRST -> pre x` or `FIRST -> pre (e)`, where neither part looks back itself.
pub(crate) fn delayed(text: &str) -> Option<Delayed<'_>> {
    let (first, rest) = text.split_once("->")?;
    let before = rest.trim().strip_prefix("pre")?;
    let before = match before.strip_prefix(char::is_whitespace) {
        Some(before) => before.trim(),
        None => before,
    };
    let inside = match before.strip_prefix('(').map(|rest| rest.strip_suffix(')')) {
        Some(inside) => inside.filter(|inside| is_closed(inside))?,
        None => before,
    };
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let whole = inside.len() < before.len() || !before.is_empty() && before.chars().all(is_name);
    let plain = |text: &str| !looks_back(text) && !text.trim().is_empty();
    (whole && plain(first) && plain(inside)).then_some(Delayed {
        first: first.trim(),
        before: inside.trim(),
    })
}

/// Whether an expression of Lustre asks for another letter.
pub(crate) fn looks_back(text: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = text.split(|c| !is_name(c));
    text.contains("->") || words.any(|word| word == "pre")
}

/// Whether every bracket that it closes was opened in it.
fn is_closed(text: &str) -> bool {
    let mut open = 0usize;
    text.chars().all(|c| {
        match c {
            '(' => open += 1,
            ')' if open == 0 => return false,
            ')' => open -= 1,
            _ => {}
        }
        true
    })
}
