//! Names that stand for expressions: the internal variables and the modes of FRET's exports.

use crate::error::SentenceError;
use crate::expression::{operand, Expression, Leaf};
use crate::lustre::{self, Delayed};
use crate::model::Requirement;
use crate::parser;
use std::ops::Range;

/// A name and what it stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    name: String,
    /// As a Boolean expression, if it is one.
    truth: Option<Expression>,
    /// As a numeric expression in C, if it is one.
    number: Option<String>,
}

impl Definition {
    /// Reads what a name stands for: an expression as in a requirement, or one of Lustre that looks back by one letter,
    /// `0.0 -> pre x`.
    ///
    /// # Errors
    /// Where the text is no such expression.
    pub fn read(name: &str, text: &str) -> Result<Definition, SentenceError> {
        let (number, truth) = match lustre::delayed(text) {
            Some(Delayed { first, before }) => (
                parser::number(&format!("preReal({first}, {before})")),
                parser::truth(&format!("preBool({first}, {before})")),
            ),
            None => (parser::number(text), parser::truth(text)),
        };
        let truth = match truth {
            Err(_) if number.is_none() && lustre::looks_back(text) => {
                let message = "`pre` is read in `FIRST -> pre x` alone";
                return Err(SentenceError::new(message, 0..text.len()));
            }
            Err(error) if number.is_none() => return Err(error),
            truth => truth.ok(),
        };
        let name = name.to_owned();
        Ok(Definition {
            name,
            truth,
            number,
        })
    }

    /// Writes the definitions in each other's places, so that one round replaces all of their names.
    ///
    /// # Errors
    /// The name of one that stands for itself.
    pub fn resolve(all: &mut [Definition]) -> Result<(), String> {
        for _ in 0..=all.len() {
            let before = all.to_vec();
            for definition in all.iter_mut() {
                if let Some(truth) = &mut definition.truth {
                    replace(truth, &before);
                }
                if let Some(number) = &mut definition.number {
                    *number = numbers(number, &before);
                }
            }
            if *all == *before {
                return Ok(());
            }
        }
        let names = all.iter().map(|definition| &definition.name);
        let mut circular = names.filter(|name| all.iter().any(|d| d.names(name)));
        Err(circular.next().cloned().unwrap_or_default())
    }

    fn names(&self, name: &str) -> bool {
        let mut leaves = Vec::new();
        if let Some(truth) = &self.truth {
            truth.leaves(&mut leaves);
        }
        let texts = leaves.iter().map(|(leaf, _)| match leaf {
            Leaf::Name(text) | Leaf::Condition(text) => text,
        });
        let mut texts = texts.chain(&self.number);
        texts.any(|text| words(text).any(|(_, word)| word == name))
    }
}

impl Requirement {
    /// Whether it uses a name: in an expression, or in a condition in C.
    pub fn uses(&self, name: &str) -> bool {
        let leaves = self.leaves();
        let mut texts = leaves.iter().map(|(leaf, _)| match leaf {
            Leaf::Name(text) | Leaf::Condition(text) => text,
        });
        texts.any(|text| words(text).any(|(_, word)| word == name))
    }

    /// Writes what names stand for in their places; the definitions are resolved.
    pub fn define(&mut self, definitions: &[Definition]) {
        for expression in self.expressions_mut() {
            replace(expression, definitions);
        }
    }
}

fn replace(expression: &mut Expression, definitions: &[Definition]) {
    match expression {
        Expression::Leaf(Leaf::Condition(text), _) => *text = numbers(text, definitions),
        Expression::Leaf(Leaf::Name(name), place) => {
            let known = definitions.iter().find(|d| d.name == *name);
            let Some(definition) = known else { return };
            let place = place.clone();
            *expression = match (&definition.truth, &definition.number) {
                (Some(truth), _) => {
                    let mut truth = truth.clone();
                    move_to(&mut truth, &place);
                    truth
                }
                (None, Some(number)) => Expression::Leaf(Leaf::Condition(number.clone()), place),
                (None, None) => return,
            };
        }
        other => {
            for operand in other.operands_mut() {
                replace(operand, definitions);
            }
        }
    }
}

/// Lets the leaves of an expression stand at the place of the name that they replace.
fn move_to(expression: &mut Expression, place: &Range<usize>) {
    if let Expression::Leaf(_, own) = expression {
        *own = place.clone();
    }
    for operand in expression.operands_mut() {
        move_to(operand, place);
    }
}

/// A condition in C with the numbers that names stand for; fields of structures are no such names.
fn numbers(text: &str, definitions: &[Definition]) -> String {
    let mut out = String::new();
    let mut at = 0;
    for (start, word) in words(text) {
        let known = definitions.iter().find(|d| d.name == word);
        let number = known.and_then(|definition| definition.number.as_ref());
        let before = text[..start].trim_end();
        let is_field = before.ends_with('.') || before.ends_with("->");
        if let Some(number) = number.filter(|_| !is_field) {
            out.push_str(&text[at..start]);
            out.push_str(&operand(number));
            at = start + word.len();
        }
    }
    out + &text[at..]
}

/// The words of a text with their places. Letters of a number are none.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut from = 0;
    std::iter::from_fn(move || loop {
        let rest = &text[from..];
        let start = from + rest.find(|c: char| c.is_alphanumeric() || c == '_')?;
        let rest = &text[start..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        from = start + end.unwrap_or(rest.len());
        if !rest.starts_with(|c: char| c.is_ascii_digit()) {
            return Some((start, &text[start..from]));
        }
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::model::{Condition, Timing};

    fn definitions(all: &[(&str, &str)]) -> Vec<Definition> {
        let all = all
            .iter()
            .map(|(name, text)| Definition::read(name, text).unwrap());
        all.collect()
    }

    #[test]
    fn names_are_written_out() {
        let mut known = definitions(&[
            ("HOT", "temperature > LIMIT & !cooled"),
            ("LIMIT", "80 + margin"),
            ("margin", "5"),
            ("cruise", "mode = 3"),
            ("same", "other"),
        ]);
        Definition::resolve(&mut known).unwrap();
        let sentence = "In cruise mode, when HOT, the x shall until same satisfy y.LIMIT < LIMIT & rate = margin";
        let mut requirement = crate::parse(sentence, None).unwrap();
        requirement.define(&known);
        assert_eq!(requirement.scope.mode().unwrap().to_string(), "{mode == 3}");
        let Condition::Trigger(trigger) = &requirement.condition else {
            panic!("{requirement:?}");
        };
        assert_eq!(trigger.to_string(), "{temperature > (80 + 5)} & !cooled");
        assert_eq!(
            requirement.response.to_string(),
            "{y.LIMIT < (80 + 5)} & {rate == 5}"
        );
        let Timing::Until(stop) = &requirement.timing else {
            panic!("{requirement:?}");
        };
        assert_eq!(stop.to_string(), "other");
        let places = requirement
            .leaves()
            .into_iter()
            .map(|(_, place)| &sentence[place]);
        assert!(places.eq([
            "cruise",
            "HOT",
            "HOT",
            "same",
            "y.LIMIT < LIMIT",
            "rate = margin"
        ]));
    }

    #[test]
    fn names_that_stand_for_themselves_are_refused() {
        let mut known = definitions(&[("a", "b + 1"), ("b", "a"), ("c", "2")]);
        assert!(Definition::resolve(&mut known).is_err());
        assert!(Definition::read("a", "b ->").is_err());
    }

    #[test]
    fn what_was_before_is_read_as_lustre_writes_it() {
        let mut known = definitions(&[
            ("last", "0.0 -> pre x"),
            ("was_hot", "false -> pre (x > LIMIT)"),
            ("LIMIT", "3"),
        ]);
        Definition::resolve(&mut known).unwrap();
        let sentence = "The y shall always satisfy was_hot => x <= 0.5 * (x + last)";
        let mut requirement = crate::parse(sentence, None).unwrap();
        requirement.define(&known);
        assert_eq!(
            requirement.response.to_string(),
            "preBool(false, {x > 3}) -> {x <= 0.5 * (x + (preReal(0.0, x)))}"
        );
        let nested = format!("0 -> {}x{}", "pre (1 -> ".repeat(300), ")".repeat(300));
        for text in [
            "1 -> pre (2 -> pre x)",
            "pre x",
            "0 -> pre x + 1",
            "0 -> x",
            &nested,
        ] {
            assert!(Definition::read("a", text).is_err(), "{text}");
        }
    }
}
