//! Scopes and conditions in front of the component.

use super::cursor::Cursor;
use super::expressions;
use crate::error::SentenceError;
use crate::expression::{Expression, Leaf};
use crate::lexer::Kind;
use crate::model::{Condition, Scope, Style};

/// What stands in front of the component.
pub(super) struct Clauses {
    pub scope: Scope,
    pub condition: Condition,
}

/// Words that begin a condition or a scope, and nothing behind `shall`.
pub(super) const FRONT: [&str; 9] = [
    "when", "whenever", "if", "once", "upon", "unless", "while", "during", "where",
];

impl Default for Clauses {
    fn default() -> Clauses {
        Clauses {
            scope: Scope::Whole,
            condition: Condition::None,
        }
    }
}

impl Clauses {
    /// Reads scopes and conditions up to the component or the end.
    pub(super) fn read(&mut self, cursor: &mut Cursor, style: Style) -> Result<(), SentenceError> {
        loop {
            let start = cursor.mark();
            if let Some(scope) = scope(cursor, style)? {
                let known = std::mem::replace(&mut self.scope, Scope::Whole);
                self.scope = match (known, scope) {
                    (Scope::Whole, scope) => scope,
                    // `Where F, while S` of EARS.
                    (Scope::In(a), Scope::In(b)) => Scope::In(and(a, b)),
                    _ => {
                        let message = "a requirement has one scope";
                        return Err(SentenceError::new(message, cursor.since(start)));
                    }
                };
            } else if !condition(cursor, &mut self.condition)? {
                return Ok(());
            }
            cursor.skip_comma();
        }
    }

    /// Reads the clauses behind the response of a sentence of EARS; returns whether there are any.
    pub(super) fn read_behind(&mut self, cursor: &mut Cursor) -> Result<bool, SentenceError> {
        let start = cursor.mark();
        cursor.skip_comma();
        // What `unless` says there is not the condition that it is in front.
        let begins = cursor.one_of(&FRONT).is_some_and(|word| word != "unless")
            || cursor.is_word("only")
                && cursor.is_ahead(1, &["in", "during", "while", "when", "if"]);
        if !begins && !lasts(cursor) {
            cursor.back_to(start);
            return Ok(false);
        }
        self.read(cursor, Style::Ears)?;
        Ok(true)
    }
}

/// Whether `as long as` stands here.
fn lasts(cursor: &Cursor) -> bool {
    cursor.is_word("as") && cursor.is_ahead(1, &["long"]) && cursor.is_ahead(2, &["as"])
}

fn and(a: Expression, b: Expression) -> Expression {
    Expression::And(Box::new(a), Box::new(b))
}

/// A scope, if one begins here.
fn scope(cursor: &mut Cursor, style: Style) -> Result<Option<Scope>, SentenceError> {
    let start = cursor.mark();
    let only = cursor.skip_word("only");
    let except = !only && cursor.skip_word("except");
    let prefix = cursor.one_of(&["when", "if", "unless"]);
    if prefix.is_some() {
        let not = usize::from(cursor.is_ahead(1, &["not"]));
        if !cursor.is_ahead(1 + not, &["in", "during"]) {
            // `only when E` of EARS: what it says of the response is about every letter.
            if only && style == Style::Ears && prefix != Some("unless") {
                cursor.advance();
                cursor.skip_word("the");
                return Ok(Some(Scope::OnlyIn(mode(cursor)?)));
            }
            return rest(cursor, start, only || except);
        }
        cursor.advance();
    }
    let outside = prefix == Some("unless") || except;
    let not = cursor.is_word("not") && cursor.is_ahead(1, &["in", "during"]);
    if not {
        cursor.advance();
    }
    let mut word = cursor.one_of(&["in", "during", "while", "after", "before", "where"]);
    if lasts(cursor) {
        cursor.advance();
        cursor.advance();
        word = Some("while");
    }
    let make: fn(Expression) -> Scope = match word {
        // In EARS, a feature is a state that lasts.
        Some("where") if style == Style::Ears && !only && !except => Scope::In,
        Some("in" | "during" | "while") => match (only, outside != not) {
            (true, false) => Scope::OnlyIn,
            (false, true) => Scope::NotIn,
            (false, false) => Scope::In,
            (true, true) => {
                let message = "`only` and `not` in one scope can be read in two ways";
                return Err(SentenceError::new(message, cursor.place()));
            }
        },
        Some("after") if !except => match only {
            true => Scope::OnlyAfter,
            false => Scope::After,
        },
        Some("before") if !except => match only {
            true => Scope::OnlyBefore,
            false => Scope::Before,
        },
        _ => return rest(cursor, start, only || except),
    };
    cursor.advance();
    if matches!(word, Some("while" | "during")) {
        cursor.skip_word("in");
    }
    cursor.skip_word("the");
    if let Some(feature) = included(cursor).filter(|_| word == Some("where")) {
        return Ok(Some(make(feature)));
    }
    Ok(Some(make(mode(cursor)?)))
}

/// Reads `F is included`, which EARS says of a feature.
fn included(cursor: &mut Cursor) -> Option<Expression> {
    const SAID: [&str; 5] = ["included", "present", "installed", "fitted", "supported"];
    let Some(Kind::Word(name)) = cursor.peek() else {
        return None;
    };
    let name = name.clone();
    if !cursor.is_ahead(1, &["is"]) || !cursor.is_ahead(2, &SAID) {
        return None;
    }
    let place = cursor.place();
    (0..3).for_each(|_| cursor.advance());
    Some(Expression::Leaf(Leaf::Name(name), place))
}

/// No scope begins at the mark; `begun` says that it must.
fn rest(cursor: &mut Cursor, start: usize, begun: bool) -> Result<Option<Scope>, SentenceError> {
    if begun {
        return Err(cursor.unexpected("`in`, `during`, `while`, `after` or `before`"));
    }
    cursor.back_to(start);
    Ok(None)
}

/// A mode: an expression, perhaps with the word `mode` in front of it or behind it.
fn mode(cursor: &mut Cursor) -> Result<Expression, SentenceError> {
    if cursor.is_word("mode") && cursor.next_is_no_operator() {
        cursor.advance();
    }
    let mode = expressions::read(cursor)?;
    cursor.skip_word("mode");
    Ok(mode)
}

/// Reads one more condition, if one begins here.
fn condition(cursor: &mut Cursor, known: &mut Condition) -> Result<bool, SentenceError> {
    let start = cursor.mark();
    let link = cursor.one_of(&["and", "or"]);
    if link.is_some() {
        cursor.advance();
    }
    let Some(qualifier) = cursor.one_of(&expressions::QUALIFIERS) else {
        cursor.back_to(start);
        return Ok(false);
    };
    cursor.advance();
    let first = cursor.mark();
    let mut expression = expressions::read(cursor)?;
    if let Some(name) = changing(cursor, &expression, qualifier) {
        expression = expressions::compared(cursor, first, &name, "==")?;
    }
    let says = cursor.is_word("is") || qualifier != "whenever" && cursor.is_word("becomes");
    if says && cursor.is_ahead(1, &["true", "false"]) {
        if cursor.is_ahead(1, &["false"]) {
            expression = expression.negated();
        }
        cursor.advance();
        cursor.advance();
    }
    if qualifier == "unless" {
        expression = expression.negated();
    }
    let join = |before: Expression, more| match link {
        Some("or") => Expression::Or(Box::new(before), Box::new(more)),
        _ => and(before, more),
    };
    let before = std::mem::replace(known, Condition::None);
    *known = match (before, qualifier) {
        (Condition::None, "whenever") => Condition::Holding(expression),
        (Condition::None, _) => Condition::Trigger(expression),
        (Condition::Holding(before), "whenever") => Condition::Holding(join(before, expression)),
        (Condition::Trigger(before), other) if other != "whenever" => {
            Condition::Trigger(join(before, expression))
        }
        _ => {
            let message =
                "`whenever` and another condition in one sentence can be read in two ways";
            let help = "join the conditions: `whenever a & b`, or `when a & b`";
            return Err(SentenceError::new(message, cursor.since(start)).help(help));
        }
    };
    Ok(true)
}

/// Skips `becomes` or `changes to` in front of a value; the name in front of it, whose equality with the value becomes
/// true then.
fn changing(cursor: &mut Cursor, before: &Expression, qualifier: &str) -> Option<String> {
    let Expression::Leaf(Leaf::Name(name), _) = before else {
        return None;
    };
    let changes = cursor.is_word("changes") && cursor.is_ahead(1, &["to"]);
    let becomes = cursor.is_word("becomes") && !cursor.is_ahead(1, &["true", "false"]);
    if qualifier == "whenever" || !changes && !becomes {
        return None;
    }
    cursor.advance();
    cursor.skip_word("to");
    Some(name.clone())
}
