//! Moves insertions out of places where the compiler allows none: between a pragma and its loop, and between
//! `{` and declarations of local labels.

/// The place for an insertion that was planned at an offset.
pub fn allowed(text: &str, offset: usize) -> usize {
    before_pragmas(text, offset)
        .or_else(|| behind_local_labels(text, offset))
        .unwrap_or(offset)
}

/// Before the pragmas of the loop at an offset: the end of the text before them.
fn before_pragmas(text: &str, offset: usize) -> Option<usize> {
    let rest = text.get(offset..)?;
    let is_loop = ["for", "while", "do"].iter().any(|k| has_word(rest, k));
    if !is_loop {
        return None;
    }
    let mut before = text.get(..offset)?;
    let mut pragma = false;
    loop {
        let trimmed = before.trim_end();
        let line = trimmed.rfind('\n').map_or(0, |at| at + 1);
        let directive = trimmed.get(line..)?.trim_start();
        let own_line = before.get(trimmed.len()..)?.contains('\n');
        if !directive.starts_with('#') || !own_line {
            return pragma.then_some(trimmed.len());
        }
        pragma |= has_word(directive[1..].trim_start(), "pragma");
        before = text.get(..line)?;
    }
}

/// After the declarations of local labels (`__label__ a, b;`) that follow a `{`.
fn behind_local_labels(text: &str, offset: usize) -> Option<usize> {
    if !text.get(..offset)?.ends_with('{') {
        return None;
    }
    let mut at = offset;
    let mut found = None;
    loop {
        let rest = text.get(at..)?;
        let start = rest.trim_start();
        if start.starts_with('#') {
            at = text.len() - start.len() + start.find('\n')?;
        } else if has_word(start, "__label__") {
            at = text.len() - start.len() + start.find(';')? + 1;
            found = Some(at);
        } else {
            return found;
        }
    }
}

/// Whether a text begins with a word.
fn has_word(text: &str, word: &str) -> bool {
    let behind = text.strip_prefix(word);
    behind.is_some_and(|b| !b.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pragma_stays_at_its_loop() {
        let text =
            "a;\n# 3 \"p.c\"\n#pragma GCC unroll 4\n# 4 \"p.c\"\n  for (;;) b;\n  for (;;) c;";
        let first = text.find("for").unwrap_or_default();
        assert_eq!(allowed(text, first), 2);
        let second = text.rfind("for").unwrap_or_default();
        assert_eq!(allowed(text, second), second);
        let other = text.replace("for", "fox");
        assert_eq!(allowed(&other, first), first);
        assert_eq!(allowed("# 1 \"p.c\"\nfor (;;) ;", 10), 10);
    }

    #[test]
    fn declarations_of_labels_stay_first() {
        let text = "{\n __label__ a, b; __label__ c;\n x = 1;";
        assert_eq!(&text[allowed(text, 1)..], "\n x = 1;");
        assert_eq!(allowed("{ x = 1;", 1), 1);
    }
}
