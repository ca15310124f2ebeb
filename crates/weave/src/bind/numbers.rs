//! `abs`, `min` and `max` in conditions of a specification. Where the program defines no function of that name they mean
//! what they mean in mathematics, whatever the types of their operands, and are written out: the emitted program
//! then calls nothing of a library, whose effects would be unknown.

use std::ops::Range as Span;

use crate::bind::tokens::Kind;
use crate::facts::Facts;

/// What is written out, by name: text and, by their numbers, the operands.
type Form = &'static [Part];

/// A piece of what a call is written out as.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    Text(&'static str),
    Operand(usize),
}

use Part::{Operand, Text};

const ABSOLUTE: Form = &[
    Text("(("),
    Operand(0),
    Text(") < 0 ? -("),
    Operand(0),
    Text(") : ("),
    Operand(0),
    Text("))"),
];
const LEAST: Form = &chosen(") < (");
const GREATEST: Form = &chosen(") > (");

/// The first operand if this comparison with the second one holds, else the second one.
const fn chosen(compared: &'static str) -> [Part; 9] {
    [
        Text("(("),
        Operand(0),
        Text(compared),
        Operand(1),
        Text(") ? ("),
        Operand(0),
        Text(") : ("),
        Operand(1),
        Text("))"),
    ]
}

/// The most calls within each other: each level writes its operands out several times.
pub(super) const DEEPEST: usize = 4;

/// A call that is written out.
pub(super) struct Written {
    pub form: Form,
    /// The tokens of each operand.
    pub operands: Vec<Span<usize>>,
    /// The token of the closing parenthesis.
    pub last: usize,
    /// The number of operands that it should have.
    pub wanted: usize,
}

/// What calls of a name are written out as, and the number of their operands.
fn form(name: &str) -> Option<(Form, usize)> {
    Some(match name {
        "abs" | "labs" | "llabs" | "fabs" => (ABSOLUTE, 1),
        "min" => (LEAST, 2),
        "max" => (GREATEST, 2),
        _ => return None,
    })
}

/// Whether calls of a name are written out, also where a macro has the name: those of kernels have statements in them.
pub(super) fn is_name(name: &str) -> bool {
    form(name).is_some()
}

/// The call whose name is a token, if it is written out.
pub(super) fn written(
    tokens: &[(Kind, Span<usize>)],
    text: &str,
    at: usize,
    facts: &Facts,
) -> Option<Written> {
    let name = &text[tokens[at].1.clone()];
    let (form, wanted) = form(name)?;
    let piece = |i: usize| &text[tokens[i].1.clone()];
    let open = (at + 1..tokens.len()).find(|&i| tokens[i].0 != Kind::Space)?;
    if piece(open) != "(" || facts.functions.iter().any(|f| f.name == name) {
        return None;
    }
    let (mut depth, mut from, mut operands) = (0usize, open + 1, Vec::new());
    for i in open..tokens.len() {
        match piece(i) {
            "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            "," if depth == 1 => {
                operands.push(from..i);
                from = i + 1;
            }
            _ => {}
        }
        if depth == 0 {
            operands.push(from..i);
            return Some(Written {
                form,
                operands,
                last: i,
                wanted,
            });
        }
    }
    None
}

/// A number of parameters in words.
pub(crate) fn parameters(number: Option<usize>) -> String {
    match number {
        None => "a variable number of parameters".to_string(),
        Some(1) => "1 parameter".to_string(),
        Some(n) => format!("{n} parameters"),
    }
}
