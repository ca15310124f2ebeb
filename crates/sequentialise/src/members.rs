//! Names of members in the program's text, which are no objects even where an object of their name is visible.

use std::collections::HashSet;

use cfront::token::{TokenKind, Tokens};

/// The tokens that name members in `__builtin_offsetof (T, member)` and in the members of structures and unions.
/// Linear in the number of tokens.
pub(crate) fn named(tokens: &Tokens, text: &str) -> HashSet<usize> {
    let mut found = HashSet::new();
    let word = |t: usize| tokens.text(t, text);
    let mate = |t: usize| tokens.mates.get(t).map_or(t, |m| *m as usize);
    for at in 0..tokens.tokens.len() {
        match word(at) {
            "__builtin_offsetof" if word(at + 1) == "(" => {
                let close = mate(at + 1);
                let mut inside = at + 2;
                while inside < close && word(inside) != "," {
                    inside = mate(inside).max(inside) + 1;
                }
                found.insert(inside + 1);
            }
            "struct" | "union" => {
                let mut open = at + 1;
                while matches!(word(open), "__attribute__" | "__attribute") || is_word(tokens, open)
                {
                    open += 1;
                    if word(open) == "(" {
                        open = mate(open) + 1;
                    }
                }
                if word(open) == "{" {
                    of_list(tokens, text, open, &mut found);
                }
            }
            _ => {}
        }
    }
    found
}

fn is_word(tokens: &Tokens, at: usize) -> bool {
    tokens
        .tokens
        .get(at)
        .is_some_and(|t| t.kind == TokenKind::Word)
}

/// The words of a list of members that are not in the bound of an array, an operand of `typeof`, or a list in the list.
fn of_list(tokens: &Tokens, text: &str, open: usize, found: &mut HashSet<usize>) {
    let mate = |t: usize| tokens.mates.get(t).map_or(t, |m| *m as usize);
    let close = mate(open);
    let mut at = open + 1;
    while at < close {
        match tokens.text(at, text) {
            "[" | "{" => at = mate(at),
            "typeof" | "__typeof__" | "__typeof" | "_Alignas" | "__attribute__" | "__attribute"
                if tokens.text(at + 1, text) == "(" =>
            {
                at = mate(at + 1);
            }
            _ if is_word(tokens, at) => {
                found.insert(at);
            }
            _ => {}
        }
        at += 1;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn members_are_told_from_objects_of_their_name() {
        let text = "int f(int kref, int n) { union { typeof(kref) kref; char n[n]; } u; \
                    struct s { struct { int n; } kref; } *p; return __builtin_offsetof(struct s, kref) + kref; }";
        let tokens = Tokens::lex(text, true).unwrap();
        let of = |word: &str| -> Vec<bool> {
            let named = named(&tokens, text);
            let all = (0..tokens.tokens.len()).filter(|t| tokens.text(*t, text) == word);
            all.map(|t| named.contains(&t)).collect()
        };
        assert_eq!(of("kref"), [false, false, true, true, true, false]);
        assert_eq!(of("n"), [false, true, false, true]);
    }
}
