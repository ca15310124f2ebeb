//! Reads assembler statements and assembler text at file scope from the tokens: the parser sees
//! neither.

use super::Lower;
use crate::assembler;
use crate::shadow::token_span;
use crate::span::Span;
use crate::token::TokenKind;
use crate::tree::StmtKind;

pub(super) fn is_asm(word: &str) -> bool {
    matches!(word, "asm" | "__asm" | "__asm__")
}

impl Lower<'_> {
    /// The assembler statement that begins at a token.
    pub(super) fn asm_statement(&mut self, first: usize) -> StmtKind {
        let mut open = first;
        let mut is_goto = false;
        while self.word(open) != "(" && open < self.input.tokens.tokens.len() {
            is_goto |= self.word(open) == "goto";
            open += 1;
        }
        let close = self.mate(open);
        let mentions = (open..close)
            .filter(|&t| self.input.tokens.tokens[t].kind == TokenKind::Word)
            .map(|t| {
                let span = token_span(self.input.tokens, t, t);
                (self.word(t).to_string(), span)
            })
            .collect();
        let outputs = self.outputs(open, close);
        let stores = self.stores(open);
        StmtKind::Asm {
            is_goto,
            mentions,
            writes: is_goto || stores || self.assembler_writes(open, close),
            memory: stores
                || self.writes_memory(open, close)
                    && !(outputs.is_some() && self.is_harmless(open)),
            outputs,
        }
    }

    /// The names of the outputs of an assembler statement with these parentheses, if all are plain variables.
    fn outputs(&self, open: usize, close: usize) -> Option<Vec<Span>> {
        let mut names = Vec::new();
        let mut colons = 0;
        let mut at = open + 1;
        while at < close {
            let word = self.word(at);
            match word {
                ":" | "::" => colons += word.len(),
                "[" => at = self.mate(at),
                "(" => {
                    let end = self.mate(at);
                    let is_name = self.input.tokens.tokens[at + 1].kind == TokenKind::Word;
                    match colons {
                        1 if end == at + 2 && is_name => {
                            names.push(token_span(self.input.tokens, at + 1, at + 1));
                        }
                        1 => return None,
                        _ => {}
                    }
                    at = end;
                }
                _ => {}
            }
            at += 1;
        }
        Some(names)
    }

    /// Whether an assembler statement with these parentheses may change something: see
    /// [`StmtKind::Asm`].
    fn assembler_writes(&self, open: usize, close: usize) -> bool {
        // The sections are template, outputs, inputs, clobbers.
        let mut sections: Vec<Vec<&str>> = vec![Vec::new()];
        let mut at = open + 1;
        while at < close {
            match self.word(at) {
                ":" => sections.push(Vec::new()),
                "::" => sections.extend([Vec::new(), Vec::new()]),
                word => {
                    if let Some(last) = sections.last_mut() {
                        last.push(word);
                    }
                }
            }
            // Parentheses hold the expression of an operand.
            at = match self.word(at) {
                "(" | "[" => self.mate(at) + 1,
                _ => at + 1,
            };
        }
        let section = |i: usize| sections.get(i).map_or(&[][..], Vec::as_slice);
        let is_string = |word: &&&str| word.starts_with('"');
        let nothing = section(0).iter().all(|word| *word == "\"\"");
        let mut outputs = section(1).iter().filter(is_string);
        match section(1).is_empty() {
            // An empty template leaves an operand unchanged that is also read (`+`).
            false => !nothing || outputs.any(|constraint| !constraint.contains('+')),
            true => {
                let memory = section(3).contains(&"\"memory\"");
                memory && !nothing && !section(2).is_empty() && !self.is_harmless(open)
            }
        }
    }

    /// Whether the instructions of the assembler statement with this parenthesis write no memory.
    fn is_harmless(&self, open: usize) -> bool {
        let template = self.template(open);
        template.is_some_and(|template| assembler::is_harmless(&template))
    }

    /// Whether an instruction writes a register of a small machine, which is memory, though no clobber says so: no
    /// operand can name it. Or it leaves the statement.
    fn stores(&self, open: usize) -> bool {
        let basic = !matches!(self.word(self.template_end(open)), ":" | "::");
        let narrow = self.tree.types.model.int == 16;
        let template = self.template(open);
        template.is_some_and(|template| assembler::stores(&template, narrow, basic))
    }

    /// The token behind the template of the assembler statement with this parenthesis.
    fn template_end(&self, open: usize) -> usize {
        let tokens = &self.input.tokens.tokens;
        let is_text = |t: &usize| tokens.get(*t).is_some_and(|t| t.kind == TokenKind::Str);
        (open + 1..).find(|t| !is_text(t)).unwrap_or(open)
    }

    /// The template of the assembler statement with this parenthesis.
    fn template(&self, open: usize) -> Option<String> {
        let strings = open + 1..self.template_end(open);
        let parts: Option<Vec<String>> = strings.map(|t| assembler::string(self.word(t))).collect();
        parts.map(|parts| parts.concat())
    }

    /// Whether an assembler statement may write to memory besides the variables that are its
    /// operands.
    fn writes_memory(&self, open: usize, close: usize) -> bool {
        let mut colons = 0;
        let mut at = open + 1;
        while at < close {
            let word = self.word(at);
            match word {
                ":" | "::" => colons += word.len(),
                "\"memory\"" => return true,
                // The symbolic name of an operand.
                "[" if matches!(self.word(at - 1), ":" | "::" | ",") => at = self.mate(at),
                "*" | "->" | "[" if colons == 1 => return true,
                _ => {}
            }
            at += 1;
        }
        false
    }

    /// Collects the words of all assembler text in the user's files.
    pub(super) fn assembler_words(&mut self) {
        let tokens = &self.input.tokens.tokens;
        for at in 0..tokens.len() {
            if !is_asm(self.word(at))
                || self.in_system_header(tokens[at].span.start)
                || self.is_label_of_declarator(at)
            {
                continue;
            }
            let mut open = at + 1;
            while matches!(tokens.get(open), Some(t) if t.kind == TokenKind::Word) {
                open += 1;
            }
            let end = self.mate(open);
            let is_text = |t: &usize| self.input.tokens.tokens[*t].kind == TokenKind::Str;
            for token in (open + 1..end).take_while(is_text) {
                let span = token_span(self.input.tokens, token, token);
                for word in symbols(self.word(token)) {
                    self.tree.assembler_words.push((word.to_string(), span));
                }
            }
        }
    }

    /// Whether `asm("name")` at a token belongs to the declarator before it: then it renames the
    /// declared entity and is no code.
    fn is_label_of_declarator(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return false;
        };
        match self.word(before) {
            ")" => {
                let front = self.mate(before).checked_sub(1).map(|i| self.word(i));
                !matches!(front, Some("if" | "while" | "for" | "switch"))
            }
            "]" => true,
            "else" | "do" | "__extension__" => false,
            _ => self.input.tokens.tokens[before].kind == TokenKind::Word,
        }
    }
}

/// The words of a string literal with instructions that may be symbols: no registers, operands or
/// local labels.
fn symbols(literal: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let bytes = literal.as_bytes();
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || !b.is_ascii();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'\\' {
            // The character after a backslash is no part of a word.
            at += 2;
            continue;
        }
        let length = bytes[at..].iter().take_while(|b| is_word(b)).count();
        let before = at.checked_sub(1).map(|i| bytes[i]);
        let word = literal.get(at..at + length).unwrap_or_default();
        let is_name = !word.is_empty() && !word.as_bytes()[0].is_ascii_digit();
        if is_name && !matches!(before, Some(b'%' | b'.')) {
            found.push(word);
        }
        at += length.max(1);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::symbols;

    #[test]
    fn symbols_of_instructions() {
        for (text, expected) in [
            ("\"movl $1, x(%%rip)\"", vec!["movl", "x"]),
            (
                "\"lock; incl %0\\n\\tjmp .L1\"",
                vec!["lock", "incl", "jmp"],
            ),
            ("\"\\nset_x: movl $x, %eax\"", vec!["set_x", "movl", "x"]),
            ("\"\"", vec![]),
        ] {
            assert_eq!(symbols(text), expected, "{text}");
        }
    }
}
