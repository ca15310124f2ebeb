//! How deep the parser and the tree would have to go for a text: counted before either sees it,
//! because an overflow of the stack is an abort.

/// Greatest sum of what one statement and the brackets in it may cost in recursion: each operator,
/// prefix, unbraced statement and label is a level of lang-c's, and of the tree, which has a bound
/// of its own. The stack of the thread that reads is large enough for several times as many.
pub(super) const MAX: usize = 200_000;

/// What a prefix or an unbraced statement costs: each is a level of the tree, and 50,000 are too many
/// for that.
const LEVEL: usize = 4;

/// What a link of an `if … else` chain costs, together with its operators.
const ELSE: usize = 3;

/// What is counted at one level of brackets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Depth {
    /// The cost since the last separator.
    pub chain: usize,
    /// The part of it that the end of a statement does not end: the `else` before it.
    elses: usize,
    /// How many `?` wait for their colon; a comma does not end these.
    pub conditionals: usize,
}

impl Depth {
    /// Counts a token; `next` is the word behind it.
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

    /// A statement is complete. If `else` or the `while` of a `do` follows, it is part of one that is
    /// not.
    pub fn end_statement(&mut self, next: &str) {
        if !matches!(next, "else" | "while") {
            self.elses = 0;
        }
        self.chain = self.elses;
    }

    /// A label is complete, and what it labels stands beside it for the parser.
    pub fn end_label(&mut self) {
        self.chain = self.elses;
    }
}

/// The cost of a punctuator, behind an operand or not.
pub(super) fn of_punctuator(word: &str, behind_operand: bool) -> usize {
    match word {
        ")" | "]" | ":>" | "{" | "<%" => 0,
        "-" | "+" | "!" | "~" | "*" | "&" | "&&" | "++" | "--" if !behind_operand => LEVEL,
        _ => 1,
    }
}

/// The cost of a keyword behind another word.
pub(super) fn of_keyword(word: &str, before: &str) -> usize {
    match word {
        "else" => ELSE,
        // A chain of `else if` is no level of the tree for each of its links.
        "if" if before == "else" => 1,
        "if" | "while" | "for" | "do" | "switch" => LEVEL,
        _ => 1,
    }
}
