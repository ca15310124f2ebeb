//! Reads a sentence.
//!
//! The grammar is that of FRET (`Requirement.g4` in its sources): optional scope and conditions, the component and
//! `shall` in either order, an optional timing, `satisfy` and the response. Keywords may be in capitals. A sentence
//! without `satisfy` is EARS: `Where F, while S, when T, the X shall R`, or `The X shall R when T`.

mod clauses;
mod cursor;
mod expressions;
mod predicates;
mod timings;

use crate::duration::Tick;
use crate::error::SentenceError;
use crate::expression::Expression;
use crate::lexer::{self, Kind};
use crate::model::{Condition, Requirement, Style, Timing};
use clauses::{Clauses, FRONT};
use cursor::Cursor;
use std::ops::Range;

/// Reads one sentence. Durations with a unit of time need the time from letter to letter.
///
/// # Errors
/// Where the sentence is no requirement, and what to write instead.
pub fn parse(sentence: &str, tick: Option<Tick>) -> Result<Requirement, SentenceError> {
    let tokens = lexer::tokens(sentence)?;
    let mut cursor = Cursor::new(sentence, tokens, tick);
    if !cursor.has_word("shall") {
        return Err(without_shall(sentence, &cursor));
    }
    let style = match cursor.has_word("satisfy") {
        true => Style::Fretish,
        false => Style::Ears,
    };
    let mut clauses = Clauses::default();
    clauses.read(&mut cursor, style)?;
    let component = component(&mut cursor)?;
    let mut behaviour = Behaviour::read(&mut cursor, style)?;
    if style == Style::Ears && clauses.read_behind(&mut cursor)? {
        behaviour.timing(&mut cursor)?;
    }
    let timing = behaviour.when(&clauses, style)?;
    cursor.skip_full_stop();
    if !cursor.at_end() {
        let help = behind_response(&cursor, style);
        return Err(cursor.unexpected("the end of the sentence").help(help));
    }
    Ok(Requirement {
        style,
        scope: clauses.scope,
        condition: clauses.condition,
        component,
        timing,
        response: behaviour.response,
    })
}

/// Reads a Boolean expression.
pub(crate) fn truth(text: &str) -> Result<Expression, SentenceError> {
    let mut cursor = Cursor::new(text, lexer::tokens(text)?, None);
    let expression = expressions::read(&mut cursor)?;
    match cursor.at_end() {
        true => Ok(expression),
        false => Err(cursor.unexpected("an operator or the end of the expression")),
    }
}

/// Reads a numeric expression; `None` if the text is none.
pub(crate) fn number(text: &str) -> Option<String> {
    let mut cursor = Cursor::new(text, lexer::tokens(text).ok()?, None);
    let number = expressions::sum(&mut cursor).ok()??;
    cursor.at_end().then_some(number)
}

/// The error of a sentence that is no requirement, or one with another verb.
fn without_shall(sentence: &str, cursor: &Cursor) -> SentenceError {
    let message = "the sentence has no `shall`";
    let verbs = ["must", "should", "will"];
    let found = verbs.iter().find_map(|verb| cursor.find_word(verb));
    let help = match &found {
        Some(place) => format!("write `shall` for `{}`", &sentence[place.clone()]),
        None => "a requirement is: scope condition COMPONENT shall timing satisfy RESPONSE, \
                 such as `when door_open the motor shall within 5 ticks satisfy !motor_on`"
            .to_owned(),
    };
    SentenceError::new(message, found.unwrap_or(0..sentence.len())).help(help)
}

const AT_THE_BEGINNING: &str =
    "conditions and scopes stand at the beginning of the sentence: `when p, the motor shall …`";

/// Advice on what stands behind a response, where nothing can.
fn behind_response(cursor: &Cursor, style: Style) -> &'static str {
    let comparisons = ["<=", ">=", "<", ">", "==", "=", "!="];
    match () {
        () if cursor.one_of(&FRONT).is_some() => AT_THE_BEGINNING,
        () if cursor.is_word("only") => {
            "`only after M` and `only before M` can be read in two ways here: in front of the sentence they mean the end and the \
             beginning of the first time in M; `verify` the formula `G(r -> O m)` for what m has to have come before"
        }
        () if cursor.is_timing() => "a requirement has one timing",
        () if cursor.one_of(&["is", "are", "equals", "becomes"]).is_some() => {
            "equality is written `x = 3` or `x is 3`, and `!p` where `p` is false"
        }
        () if cursor.is_word("in") || cursor.peek() == Some(&Kind::Other('∈')) => {
            "one of several values is written `x = 1 | x = 2`"
        }
        () if cursor.one_of(&["u", "r", "w", "s", "v"]).is_some() => {
            "the response is so at one letter: write a timing, such as `until q`, or `verify` a formula beside"
        }
        () if comparisons.iter().any(|sign| cursor.is_sign(sign)) => {
            "two comparisons are joined: `0 <= x & x <= 3`"
        }
        () if style == Style::Fretish => "the response is one expression",
        () => {
            "the response is one expression: a name such as `motor_stopped`, words in double quotes, a comparison, \
             or a C condition in braces"
        }
    }
}

/// The words up to `shall`, or the word behind it.
fn component(cursor: &mut Cursor) -> Result<String, SentenceError> {
    let mut separated = cursor.is_separated();
    separated |= cursor.skip_word("then");
    separated |= cursor.skip_word("the");
    let start = cursor.mark();
    let mut words: Vec<String> = Vec::new();
    while !cursor.skip_word("shall") {
        if cursor.is_timing() {
            let message = "the timing stands behind `shall`";
            let help = "such as `the motor shall within 5 ticks satisfy !motor_on`";
            return Err(SentenceError::new(message, cursor.place()).help(help));
        }
        if cursor.is_word("the") || words.is_empty() && cursor.one_of(&VERBS).is_some() {
            return Err(unclear_end(cursor.since(start), cursor.place()));
        }
        if let Some(word) = cursor.one_of(&DENIALS).filter(|_| words.is_empty()) {
            let message = format!("the name of a component does not begin with `{word}`");
            let help = "what must not be is written `the motor shall never satisfy p`";
            return Err(SentenceError::new(message, cursor.place()).help(help));
        }
        match cursor.peek() {
            Some(Kind::Word(word)) => words.push(word.clone()),
            Some(Kind::Number(number)) => words.push(number.clone()),
            Some(Kind::Quoted(text)) => words.push(text.clone()),
            Some(Kind::Sign("-")) => words.push("-".to_owned()),
            _ if !words.is_empty() && cursor.is_sign(",") => {
                let place = cursor.since(start);
                return Err(unclear_end(place.clone(), place));
            }
            _ => {
                let expected = "the name of the component and `shall`";
                return Err(cursor.unexpected(expected));
            }
        }
        cursor.advance();
    }
    if !separated && words.len() > 1 {
        let place = cursor.since(start);
        return Err(unclear_end(place.clone(), place));
    }
    if words.is_empty() {
        cursor.skip_word("the");
        match cursor.peek() {
            Some(Kind::Word(word)) if !cursor.is_behaviour() => words.push(word.clone()),
            _ => return Err(cursor.unexpected("the name of the component")),
        }
        cursor.advance();
    }
    Ok(words.join(" ").replace(" - ", "-"))
}

/// Verbs, with which no name of a component begins.
const VERBS: [&str; 10] = [
    "is", "are", "becomes", "become", "changes", "equals", "exceeds", "has", "was", "gets",
];

/// Words that would turn the meaning of a sentence around, were they part of a name: `at no time shall …`.
const DENIALS: [&str; 6] = ["no", "none", "at", "neither", "under", "nothing"];

/// Where what stands in front of `shall` may belong to the condition as well as to the name of the component: it was
/// read up to the end of `words`, and is unclear from `place` on.
fn unclear_end(words: Range<usize>, place: Range<usize>) -> SentenceError {
    let place = words.start.min(place.start)..place.end;
    let message = "these words can belong to the condition or to the name of the component";
    let help = "a condition is an expression, such as `mode = 3` or `x > 5`; a comma or `the` separates it from the \
                component";
    SentenceError::new(message, place).help(help)
}

/// What stands behind `shall`.
struct Behaviour {
    /// The word `not` in front of the response.
    not: Option<Range<usize>>,
    timing: Option<Timing>,
    response: Expression,
}

impl Behaviour {
    /// Reads a timing and the response, or the response and a timing.
    fn read(cursor: &mut Cursor, style: Style) -> Result<Behaviour, SentenceError> {
        let not = cursor.place();
        let negated = cursor.is_word("not") && cursor.next_is_no_operator();
        if negated {
            cursor.advance();
        }
        cursor.skip_comma();
        let timing = timings::read(cursor)?;
        cursor.skip_comma();
        if cursor.is_word("with") && cursor.is_ahead(1, &["probability"]) {
            let message = "a requirement holds on every run, not with a probability";
            return Err(SentenceError::new(message, cursor.place()));
        }
        if style == Style::Fretish && !cursor.skip_word("satisfy") {
            let error = cursor.unexpected("a timing or `satisfy`");
            return Err(match cursor.one_of(&FRONT) {
                Some(_) => error.help(AT_THE_BEGINNING),
                None => error,
            });
        }
        if style == Style::Ears && cursor.is_word("be") && cursor.next_is_no_operator() {
            cursor.advance();
        }
        let response = match negated {
            true => expressions::primary(cursor)?,
            false => expressions::read(cursor)?,
        };
        let mut behaviour = Behaviour {
            not: negated.then_some(not),
            timing,
            response,
        };
        behaviour.timing(cursor)?;
        Ok(behaviour)
    }

    /// Reads a timing, if there was none before.
    fn timing(&mut self, cursor: &mut Cursor) -> Result<(), SentenceError> {
        if self.timing.is_none() {
            cursor.skip_comma();
            self.timing = timings::read(cursor)?;
        }
        Ok(())
    }

    /// The timing that is written, or that of a sentence without one.
    fn when(&self, clauses: &Clauses, style: Style) -> Result<Timing, SentenceError> {
        // What `only` says of EARS's sentences: nowhere outside.
        let only = style == Style::Ears && clauses.scope.negates();
        match (&self.not, &self.timing) {
            (Some(not), None) if only => {
                let message = "`only` and `not` in one sentence can be read in two ways";
                let help =
                    "say what must be outside: `when not in m mode the motor shall always run`";
                Err(SentenceError::new(message, not.clone()).help(help))
            }
            (Some(not), Some(_)) => {
                let message = "`not` in front of a response with a timing can be read in two ways";
                let help = "write `never`, or negate the expression: `within 5 ticks satisfy !r`";
                Err(SentenceError::new(message, not.clone()).help(help))
            }
            (None, Some(timing)) => Ok(timing.clone()),
            (Some(_), None) => Ok(Timing::Never),
            (None, None) if only => Ok(Timing::Eventually),
            (None, None) => Ok(match (style, &clauses.condition) {
                (Style::Ears, Condition::None) => Timing::Always,
                (Style::Ears, Condition::Holding(_)) => Timing::Immediately,
                _ => Timing::Eventually,
            }),
        }
    }
}

#[cfg(test)]
mod tests;
