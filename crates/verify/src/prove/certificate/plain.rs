//! Whether a text of an argument is an expression without effects: with any other text in an assertion, a run could
//! end, change the state or skip what follows.

use std::collections::BTreeSet;
use std::ops::Range;

use cfront::token::{TokenKind, Tokens};
use induction::System;

/// The names that an expression may use with a meaning that matters here.
pub(super) struct Names<'a> {
    /// The texts of the variables of the prover and the monitor, and of the functions that evaluate propositions.
    own: BTreeSet<String>,
    /// The names of types.
    types: &'a BTreeSet<String>,
}

/// What no expression of an argument contains, not even in a literal.
const NEVER: [&str; 13] = [
    "\"", "\\", "#", "\n", "\r", "//", "/*", "??", "<%", "%>", "%:", "<:", ":>",
];

/// The operators of expressions without effects.
const OPERATORS: [&str; 28] = [
    "(", ")", "[", "]", ".", "+", "-", "*", "/", "%", "<", ">", "<=", ">=", "==", "!=", "&&", "||",
    "!", "~", "&", "|", "^", "<<", ">>", "?", ":", "->",
];

/// The words of the names of C's own types.
const TYPES: [&str; 14] = [
    "_Bool", "char", "short", "int", "long", "signed", "unsigned", "float", "double", "__int128",
    "const", "volatile", "struct", "union",
];

impl Names<'_> {
    pub(super) fn new<'a>(system: &System, types: &'a BTreeSet<String>) -> Names<'a> {
        let variables = system.variables.iter().filter(|v| !v.computed);
        let texts = variables.map(|v| v.lvalue.as_str());
        let texts = texts.chain(system.definitions.iter().map(|(_, e)| e.as_str()));
        let words = texts.flat_map(|text| text.split(|c: char| !(c.is_alphanumeric() || c == '_')));
        Names {
            own: words.map(str::to_owned).collect(),
            types,
        }
    }

    /// Checks that a text is an expression that only reads. It may use further names.
    ///
    /// # Errors
    /// What it has that it must not have.
    pub(super) fn check(&self, text: &str, further: &[String]) -> Result<(), String> {
        let wrong = |what: &str| {
            Err(format!(
                "its argument has `{text}`, in which `{what}` may do more than read"
            ))
        };
        if let Some(found) = NEVER.iter().find(|never| text.contains(**never)) {
            return wrong(found.trim());
        }
        let tokens = Tokens::lex(text, false)
            .map_err(|_| format!("its argument has `{text}`, which is no expression"))?;
        for (at, token) in tokens.tokens.iter().enumerate() {
            let word = token.span.of(text);
            let fine = match token.kind {
                TokenKind::Word => self.is_known(word) || further.iter().any(|w| w == word),
                TokenKind::Number | TokenKind::Char => true,
                TokenKind::Punct if word == "(" => !self.is_call(&tokens, at, text),
                TokenKind::Punct => OPERATORS.contains(&word),
                TokenKind::Str | TokenKind::Other => false,
            };
            if !fine {
                return wrong(word);
            }
        }
        Ok(())
    }

    /// Whether a word has no meaning of its own to this tool or a compiler: `ba_way` tells kinds of runs apart, and
    /// `__COUNTER__` is another number each time.
    fn is_known(&self, word: &str) -> bool {
        let reserved = ["ba_", "BA_", "__"];
        self.own.contains(word)
            || TYPES.contains(&word)
            || self.types.contains(word)
            || !reserved.iter().any(|begin| word.starts_with(begin))
    }

    /// Whether a parenthesis opens the arguments of a call, other than one of a function that evaluates a proposition.
    fn is_call(&self, tokens: &Tokens, at: usize, text: &str) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return false;
        };
        let of = |i: usize| tokens.tokens[i].span.of(text);
        match (tokens.tokens[before].kind, of(before)) {
            (TokenKind::Word, "sizeof") => false,
            (TokenKind::Word, name) => !(name.starts_with("ba_eval_") && self.own.contains(name)),
            (_, "]") => true,
            // What stands in parentheses in front is a cast only if it is a type.
            (_, ")") => !self.is_type(tokens, tokens.mates[before] as usize + 1..before, text),
            _ => false,
        }
    }

    /// Whether these tokens name a type.
    fn is_type(&self, tokens: &Tokens, range: Range<usize>, text: &str) -> bool {
        let all = &tokens.tokens[range];
        let of_type = |word: &str| self.types.contains(word) || TYPES.contains(&word);
        all.iter().any(|t| t.kind == TokenKind::Word)
            && all.iter().all(|t| match t.span.of(text) {
                "*" => true,
                word => of_type(word),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use induction::{Kind, Variable};

    fn checked(text: &str) -> bool {
        let variable = Variable {
            lvalue: "ba_state".into(),
            name: "ba_state".into(),
            bits: 0,
            overflows: false,
            bulk: false,
            unsigned64: false,
            kind: Kind::Integer,
            targets: Vec::new(),
            computed: false,
            object: None,
            everywhere: true,
            states: None,
        };
        let system = System {
            variables: vec![variable],
            definitions: vec![("ba_p_x".into(), "ba_eval_x()".into())],
            ..System::default()
        };
        let types = BTreeSet::from(["byte".to_string()]);
        Names::new(&system, &types).check(text, &[]).is_ok()
    }

    #[test]
    fn expressions_that_read_are_accepted() {
        for text in [
            "x == 0",
            "ba_state == 1",
            "(unsigned long)(i + 1) < 3ul && (a[i + 1] <= a[i])",
            "(byte)(x * 3) != 'x'",
            "p->left == -9223372036854775807LL - 1",
            "(x ? 1u : 0u) + (unsigned)(!!(y))",
            "sizeof(x) == 4",
        ] {
            assert!(checked(text), "{text}");
        }
    }

    #[test]
    fn whatever_may_do_more_is_refused() {
        for text in [
            "x = 0",
            "x += 1",
            "x++ == 0",
            "exit(0)",
            "(exit)(0)",
            "t[0](1)",
            "ba_eval_x()(1)",
            "1) || (1",
            "1, \"baproduct:claim:1\"); (void)(1",
            "({ n = 0; 1; })",
            "(<% n; %>)",
            "1 //",
            "1 /* swallowed",
            "1) ; } /*",
            "x == 0 ??/",
            "ba_way != 2",
            "ba_from == 0",
            "BA_HEAD_3",
            "__COUNTER__ % 2 == 0",
            "__builtin_unreachable()",
            "(x, y)",
            "x == 0\n",
            "(struct s){0}.a",
        ] {
            assert!(!checked(text), "{text}");
        }
    }
}
