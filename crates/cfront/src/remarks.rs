//! Finds comments of the original files that have a meaning for compilers ("fall through").

use std::cell::OnceCell;
use std::collections::HashMap;

use crate::linemap::RegionKind;
use crate::parse::Unit;
use crate::span::Offset;
use crate::tree::{Label, StmtKind};

/// The lines of the original files by their names.
type Lines<'a> = HashMap<&'a str, Vec<Line<'a>>>;

/// A line of an original file.
struct Line<'a> {
    text: &'a str,
    /// Whether the line has a mark; computed once, because a line may hold thousands of labels.
    says_so: OnceCell<bool>,
}

impl<'a> Line<'a> {
    fn new(text: &'a str) -> Line<'a> {
        Line {
            text,
            says_so: OnceCell::new(),
        }
    }
}

impl Unit {
    /// The offsets of `case` and `default` labels whose fall-through a comment declares intended.
    /// The preprocessor drops these comments, and compilers would warn.
    pub fn fallen_into(&self) -> Vec<Offset> {
        let mut found: Vec<Offset> = Vec::new();
        let files = self.source.files.iter();
        let lines: Lines = files
            .map(|(name, text)| (name.as_str(), text.lines().map(Line::new).collect()))
            .collect();
        for (_, stmt) in self.tree.stmts.iter() {
            let StmtKind::Labeled { label, .. } = &stmt.kind else {
                continue;
            };
            let at = stmt.span.start;
            let is_case = !matches!(label, Label::Named(_));
            let is_users = self.source.lines.kind(at) == RegionKind::User;
            if is_case && is_users && self.is_marked(at, &lines) {
                found.push(at);
            }
        }
        found.sort_unstable();
        found
    }

    /// Whether the original text between a token and the one before it says that control falls
    /// through.
    fn is_marked(&self, at: Offset, lines: &Lines) -> bool {
        let token = self.tokens.at_or_after(at);
        let Some(before) = token.checked_sub(1).map(|i| self.tokens.tokens[i].span) else {
            return false;
        };
        let (file, last) = self.source.lines.line(at);
        let (other, first) = self.source.lines.line(before.start);
        let Some(text) = lines.get(file).filter(|_| file == other) else {
            return false;
        };
        let between = text.get(first.saturating_sub(1) as usize..last as usize);
        let marked = |line: &Line| *line.says_so.get_or_init(|| says_so(line.text));
        between.is_some_and(|lines| lines.iter().any(marked))
    }
}

/// Whether a line has a comment that compilers accept as a fall-through mark.
fn says_so(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    let comment = lower.find("/*").or_else(|| lower.find("//"));
    let inside = match comment {
        Some(start) => &lower[start..],
        // The line may lie within a comment.
        None => &lower,
    };
    let mut words = inside
        .split(|c: char| !c.is_ascii_alphabetic())
        .filter(|w| !w.is_empty());
    while let Some(word) = words.next() {
        match word {
            "fallthrough" | "fallthru" | "fallsthrough" | "fallsthru" => return true,
            "fall" | "falls" => {
                let next = words.next().unwrap_or_default();
                if matches!(next, "through" | "thru" | "thr" | "throu" | "trough") {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::says_so;

    #[test]
    fn comments_that_compilers_know() {
        for good in [
            "/* fallthrough */",
            "x(); // FALL THRU",
            "/* falls through",
            "  fall-through */",
        ] {
            assert!(says_so(good), "{good}");
        }
        for bad in ["case 1:", "/* may fall */", "falling_through();"] {
            assert!(!says_so(bad), "{bad}");
        }
    }
}
