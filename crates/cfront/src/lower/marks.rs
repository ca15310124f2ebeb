//! Reads attributes with a meaning for the analysis from tokens that the parser does not see.

use super::Lower;
use crate::shadow::Dropped;
use crate::span::Span;
use crate::token::TokenKind;
use crate::tree::{Entity, Mark, Marked};

impl Lower<'_> {
    /// The marks in a range of dropped tokens.
    pub(super) fn marks(&self, dropped: &Dropped) -> Vec<(Mark, Span)> {
        let mut found = Vec::new();
        if !dropped.marked {
            return found;
        }
        for index in dropped.first as usize..dropped.end as usize {
            let Some(token) = self.input.tokens.tokens.get(index) else {
                break;
            };
            let mark = match token.span.of(self.input.text).trim_matches('_') {
                "alias" | "weakref" | "ifunc" | "asm" => {
                    self.string_within(index, dropped).map(Mark::Alias)
                }
                "cleanup" => Some(Mark::Cleanup(self.word_within(index, dropped))),
                "destructor" => Some(Mark::Destructor),
                "signal" | "interrupt" | "isr" => Some(Mark::Handler),
                "nonnull" => Some(Mark::NonNull(self.numbers_within(index, dropped))),
                "section" => self.string_within(index, dropped).map(Mark::Section),
                _ => None,
            };
            found.extend(mark.map(|mark| (mark, token.span)));
        }
        found
    }

    /// The text of the first string literal after a token of a dropped range.
    fn string_within(&self, from: usize, dropped: &Dropped) -> Option<String> {
        let rest = self.input.tokens.tokens.get(from..dropped.end as usize)?;
        // Adjacent literals are one.
        let strings = rest.iter().skip_while(|t| t.kind != TokenKind::Str);
        let strings = strings.take_while(|t| t.kind == TokenKind::Str);
        let texts = strings.map(|t| t.span.of(self.input.text));
        let texts: Vec<&str> = texts
            .map(|text| text.trim_matches(|c| c == '"' || c == 'L'))
            .collect();
        (!texts.is_empty()).then(|| texts.concat())
    }

    /// The word in the parentheses directly behind a token of a dropped range; empty if there is none.
    fn word_within(&self, from: usize, dropped: &Dropped) -> String {
        let tokens = self.input.tokens.tokens.get(from + 1..dropped.end as usize);
        let texts = tokens.unwrap_or_default().iter().take(3);
        let texts: Vec<&str> = texts.map(|t| t.span.of(self.input.text)).collect();
        match texts[..] {
            ["(", word, ")"] => word.to_owned(),
            _ => String::new(),
        }
    }

    /// The numbers in the parentheses directly behind a token of a dropped range.
    fn numbers_within(&self, from: usize, dropped: &Dropped) -> Vec<u32> {
        let tokens = self.input.tokens.tokens.get(from + 1..dropped.end as usize);
        let texts = tokens.into_iter().flatten();
        let texts = texts.map(|t| t.span.of(self.input.text));
        let mut texts = texts.peekable();
        if texts.next_if(|text| *text == "(").is_none() {
            return Vec::new();
        }
        let inner = texts.take_while(|text| *text != ")");
        inner.filter_map(|text| text.parse().ok()).collect()
    }

    /// Which of the declarators of a declaration has an attribute at a place; `None` if all have it, because it stands in front of them.
    pub(super) fn marked(&self, at: Span, declarators: &[Span]) -> Option<usize> {
        let behind = declarators.partition_point(|d| d.start < at.start);
        let last = behind.checked_sub(1)?;
        let tokens = &self.input.tokens;
        let between = tokens
            .tokens
            .iter()
            .skip(tokens.at_or_after(declarators[last].end));
        let (mut depth, mut next) = (0, 0);
        for token in between.take_while(|t| t.span.start < at.start) {
            match token.span.of(self.input.text) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                // An attribute in front of a declarator other than the first is that one's alone.
                "," if depth == 0 => next = 1,
                _ => {}
            }
        }
        Some(last + next)
    }

    /// Keeps the marks of a declaration for the entity it declares; marks in system headers are
    /// ignored.
    pub(super) fn mark(&mut self, marks: &[(Mark, Span)], entity: Entity) {
        for (mark, span) in marks {
            if !self.in_system_header(span.start) {
                self.tree.marks.push(Marked {
                    mark: mark.clone(),
                    span: *span,
                    entity,
                });
            }
        }
    }
}
