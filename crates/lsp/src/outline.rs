//! A C file without the bodies of its functions, but for those that are edited: what is wrong in these is found without
//! the rest of the program.

use std::ops::Range;

/// A part of a C file that can be read alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Excerpt {
    /// The file with blanks in place of the other bodies, so that all lines and columns stay.
    pub(crate) text: String,
    /// The bytes of the bodies that it has; of an edit of declarations, those of all that is no body.
    bodies: Vec<Range<usize>>,
    inside: bool,
}

impl Excerpt {
    /// The excerpt for an edit of some bytes; `None` if the braces of the text do not fit together, as they do not while
    /// a block is typed, or if nothing can be left out.
    pub(crate) fn around(text: &str, edited: &Range<usize>) -> Option<Excerpt> {
        let all = bodies(text)?;
        let touched = |body: &Range<usize>| {
            body.start < edited.end && edited.start < body.end || body.contains(&edited.start)
        };
        let (kept, left): (Vec<_>, Vec<_>) = all.into_iter().partition(touched);
        if left.is_empty() {
            return None;
        }
        let mut bytes = text.as_bytes().to_vec();
        for body in &left {
            for byte in &mut bytes[body.clone()] {
                if !matches!(byte, b'\n' | b'\r') {
                    *byte = b' ';
                }
            }
            bytes[body.start] = b';';
        }
        let text = String::from_utf8(bytes).ok()?;
        let inside = !kept.is_empty();
        let bodies = if inside { kept } else { left };
        Some(Excerpt {
            text,
            bodies,
            inside,
        })
    }

    /// Whether the excerpt tells what is at a byte.
    pub(crate) fn tells(&self, byte: usize) -> bool {
        let among = self.bodies.iter().any(|body| body.contains(&byte));
        among == self.inside
    }
}

/// What was read last outside of all braces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// The parentheses of something that may be a function's.
    Parameters,
    Other,
}

/// The bodies of the functions that a text defines, with their braces; `None` if braces or parentheses are left open.
/// Blocks whose beginning is no function's beyond doubt are left out.
fn bodies(text: &str) -> Option<Vec<Range<usize>>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let (mut braces, mut parentheses) = (0usize, 0usize);
    let (mut last, mut start, mut initialised) = (Last::Other, None, false);
    let mut word = "";
    let mut is_attribute = false;
    let mut at = 0;
    while at < bytes.len() {
        let after = skipped(text, at);
        if after > at {
            at = after;
            continue;
        }
        let c = bytes[at];
        let next = at + 1;
        match c {
            b'{' => {
                let is_body = last == Last::Parameters && !initialised && parentheses == 0;
                if braces == 0 && is_body {
                    start = Some(at);
                }
                braces += 1;
            }
            b'}' => {
                braces = braces.checked_sub(1)?;
                if braces == 0 {
                    if let Some(start) = start.take() {
                        found.push(start..next);
                        initialised = false;
                    }
                    last = Last::Other;
                }
            }
            _ if braces > 0 => {}
            b'(' => {
                if parentheses == 0 {
                    is_attribute = matches!(
                        word,
                        "__attribute__" | "__attribute" | "_Alignas" | "__declspec"
                    );
                }
                parentheses += 1;
            }
            b')' => {
                parentheses = parentheses.checked_sub(1)?;
                if parentheses == 0 {
                    last = if is_attribute {
                        Last::Other
                    } else {
                        Last::Parameters
                    };
                }
            }
            b';' if parentheses == 0 => (last, initialised) = (Last::Other, false),
            b'=' if parentheses == 0 => initialised = true,
            c if c.is_ascii_alphanumeric() || c == b'_' => {
                let rest = &text[at..];
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                let end = at + end.unwrap_or(rest.len());
                if parentheses == 0 {
                    word = &text[at..end];
                    last = Last::Other;
                }
                at = end;
                continue;
            }
            c if c.is_ascii_whitespace() => {}
            _ if parentheses == 0 => last = Last::Other,
            _ => {}
        }
        at = next;
    }
    (braces == 0 && parentheses == 0).then_some(found)
}

/// The byte behind a comment, a literal, a directive or a character of several bytes that begins here; else the byte itself.
fn skipped(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let rest = &text[at..];
    let all = text.len();
    match bytes[at] {
        b'/' if rest.starts_with("/*") => rest[2..].find("*/").map_or(all, |end| at + end + 4),
        b'/' if rest.starts_with("//") => at + end_of_line(rest),
        b'#' if text[..at]
            .trim_end_matches([' ', '\t'])
            .ends_with(['\n', '\r'])
            || at == 0 =>
        {
            at + end_of_line(rest)
        }
        quote @ (b'"' | b'\'') => {
            let mut end = at + 1;
            while end < all && bytes[end] != quote && bytes[end] != b'\n' {
                end += 1 + usize::from(bytes[end] == b'\\');
            }
            let mut end = (end + 1).min(all);
            while !text.is_char_boundary(end) {
                end += 1;
            }
            end
        }
        c if !c.is_ascii() => at + rest.chars().next().map_or(1, char::len_utf8),
        _ => at,
    }
}

/// The bytes up to the end of a line; a backslash in front of it continues the line.
fn end_of_line(rest: &str) -> usize {
    let mut from = 0;
    while let Some(end) = rest[from..].find('\n') {
        let line = rest[..from + end].trim_end_matches('\r');
        if !line.ends_with('\\') {
            return from + end;
        }
        from += end + 1;
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const TEXT: &str = "\
#define BLOCK { \\
 {
struct __attribute__((packed)) { int a; } s;
int *p = (int[]){ 1, 2 };
int f(int a) /* { */
{
    char c = '{'; return a + c; // }
}
static void *g(void) { return \"}\"; }
ISR(VECTOR) { if (p) { f(1); } }
int k(a) int a; { return a; }
struct t { int x; } t = { 3 };
";

    #[test]
    fn bodies_of_functions_are_left_out() {
        let found = bodies(TEXT).unwrap();
        let texts: Vec<&str> = found.iter().map(|body| &TEXT[body.clone()]).collect();
        assert_eq!(texts.len(), 3, "{texts:?}");
        assert!(texts[0].ends_with("// }\n}"), "{texts:?}");
        assert_eq!(texts[1], "{ return \"}\"; }");
        let at = TEXT.find("if (p)").unwrap();
        let excerpt = Excerpt::around(TEXT, &(at..at)).unwrap();
        assert!(excerpt.text.contains("ISR(VECTOR) { if (p) { f(1); } }"));
        assert!(!excerpt.text.contains("return a + c"));
        assert_eq!(excerpt.text.len(), TEXT.len());
        let lines = |text: &str| text.matches('\n').count();
        assert_eq!(lines(&excerpt.text), lines(TEXT));
        assert!(excerpt.tells(at) && !excerpt.tells(TEXT.find("p = ").unwrap()));
        let outside = TEXT.find("struct t").unwrap();
        let excerpt = Excerpt::around(TEXT, &(outside..outside + 1)).unwrap();
        assert!(!excerpt.text.contains("if (p)") && !excerpt.tells(at));
        assert!(excerpt.tells(outside));
    }

    #[test]
    fn open_braces_have_no_excerpt() {
        for text in ["int f(void) { {", "int f(void) } {", "int f(void", ")"] {
            assert_eq!(Excerpt::around(text, &(0..1)), None, "{text}");
        }
        // Everything would be kept.
        assert_eq!(
            Excerpt::around("int f(void) { return 1; }", &(15..16)),
            None
        );
        // Endings in the middle of literals, comments and characters.
        for text in ["'", "\"\\", "/*", "#\\\n", "ü\"ü", "'ü"] {
            assert_eq!(bodies(text), Some(Vec::new()), "{text}");
        }
    }
}
