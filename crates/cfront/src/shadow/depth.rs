//! The depth of recursion that a text causes in the parser and the tree. It is counted before
//! parsing, because an overflow of the stack aborts the process.

/// Greatest sum of the costs of one statement and the brackets in it. Each operator, prefix,
/// unbraced statement and label is a level of recursion in lang-c and in the tree, which has a
/// bound of its own. The parsing thread's stack is large enough for several times as many.
pub(super) const MAX: usize = 200_000;

/// The cost of a prefix or an unbraced statement. Each is a level of the tree, for which 50,000
/// would be too many.
const LEVEL: usize = 4;

/// The cost of a link of an `if … else` chain, including its operators.
const ELSE: usize = 3;

/// The counts at one level of brackets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Depth {
    /// The cost since the last separator.
    pub chain: usize,
    /// The part of the cost that the end of a statement keeps: the links of `else`.
    elses: usize,
    /// How many `?` wait for their colon; a comma does not end them.
    pub conditionals: usize,
}

impl Depth {
    /// Counts a token; `next` is the word after it.
    pub fn count(&mut self, word: &str, next: &str, weight: usize) {
        self.chain += weight;
        match word {
            "else" => self.elses += ELSE,
            "{" | "<%" => self.chain = self.elses,
            ";" | "}" | "%>" => self.end_statement(next),
            "," => self.chain = self.elses + self.conditionals,
            _ => {}
        }
    }

    /// Ends a statement. If `else` or the `while` of a `do` follows, the surrounding statement goes
    /// on.
    pub fn end_statement(&mut self, next: &str) {
        if !matches!(next, "else" | "while") {
            self.elses = 0;
        }
        self.chain = self.elses;
    }

    /// Ends a label. The parser sees the labelled statement beside it, not in it.
    pub fn end_label(&mut self) {
        self.chain = self.elses;
    }
}

/// The cost of a punctuator, after an operand or not.
pub(super) fn of_punctuator(word: &str, behind_operand: bool) -> usize {
    match word {
        ")" | "]" | ":>" | "{" | "<%" => 0,
        "-" | "+" | "!" | "~" | "*" | "&" | "&&" | "++" | "--" if !behind_operand => LEVEL,
        _ => 1,
    }
}

/// The cost of a keyword after another word.
pub(super) fn of_keyword(word: &str, before: &str) -> usize {
    match word {
        "else" => ELSE,
        // The tree has no level for each link of an `else if` chain.
        "if" if before == "else" => 1,
        "if" | "while" | "for" | "do" | "switch" => LEVEL,
        _ => 1,
    }
}
