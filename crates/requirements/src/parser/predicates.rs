//! Temporal predicates. Their operands are expressions, which the caller reads.

use super::cursor::Cursor;
use crate::error::SentenceError;
use crate::expression::Expression;
use crate::lexer::Kind;
use crate::temporal::Temporal;

/// What reads an operand.
type Operand = fn(&mut Cursor) -> Result<Expression, SentenceError>;

/// Reads a temporal predicate, if one begins here.
pub(super) fn read(
    cursor: &mut Cursor,
    operand: Operand,
) -> Result<Option<Expression>, SentenceError> {
    if cursor.is_word("at") && cursor.is_ahead(1, &["the"]) {
        return occurrence(cursor, operand).map(Some);
    }
    let (Some(Kind::Word(name)), Some(Kind::Sign("("))) = (cursor.peek(), cursor.ahead(1)) else {
        return Ok(None);
    };
    let Some(make) = Temporal::named(name) else {
        return Ok(None);
    };
    cursor.enter()?;
    cursor.advance();
    cursor.advance();
    let counts = make(0).parts().1.is_some();
    let number = if counts { letters(cursor)? } else { 0 };
    let mut operands = vec![operand(cursor)?];
    if !counts {
        comma(cursor)?;
        operands.push(operand(cursor)?);
    }
    if !cursor.skip_sign(")") {
        return Err(cursor.unexpected("an operator or `)`"));
    }
    cursor.leave();
    Ok(Some(Expression::Temporal(make(number), operands)))
}

/// `at the previous occurrence of p, q`.
fn occurrence(cursor: &mut Cursor, operand: Operand) -> Result<Expression, SentenceError> {
    cursor.enter()?;
    cursor.advance();
    cursor.advance();
    let temporal = match cursor.one_of(&["previous", "next"]) {
        Some("previous") => Temporal::PreviousOccurrence,
        Some(_) => Temporal::NextOccurrence,
        None => return Err(cursor.unexpected("`the previous` or `the next occurrence of`")),
    };
    cursor.advance();
    if !cursor.skip_word("occurrence") || !cursor.skip_word("of") {
        return Err(cursor.unexpected("`occurrence of`"));
    }
    let at = operand(cursor)?;
    comma(cursor)?;
    let what = operand(cursor)?;
    cursor.leave();
    Ok(Expression::Temporal(temporal, vec![at, what]))
}

/// A number of letters and the comma behind it.
fn letters(cursor: &mut Cursor) -> Result<u32, SentenceError> {
    let number = match cursor.peek() {
        Some(Kind::Number(number)) => number.parse::<u32>().ok(),
        _ => None,
    };
    let Some(number) = number.filter(|&number| number < u32::MAX - 1) else {
        return Err(cursor.unexpected("a number of letters"));
    };
    cursor.advance();
    comma(cursor)?;
    Ok(number)
}

fn comma(cursor: &mut Cursor) -> Result<(), SentenceError> {
    match cursor.skip_sign(",") {
        true => Ok(()),
        false => Err(cursor.unexpected("an operator or `,`")),
    }
}
