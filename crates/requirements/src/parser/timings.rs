//! Timings.

use super::cursor::{Cursor, TIMINGS};
use super::expressions;
use crate::duration;
use crate::error::SentenceError;
use crate::lexer::Kind;
use crate::model::Timing;

/// Words that begin a timing with what follows them.
const OTHERS: [&str; 3] = ["at", "next", "globally"];

/// Reads a timing, if one begins here.
pub(super) fn read(cursor: &mut Cursor) -> Result<Option<Timing>, SentenceError> {
    let Some(word) = cursor.one_of(&TIMINGS).or_else(|| cursor.one_of(&OTHERS)) else {
        return Ok(None);
    };
    let start = cursor.mark();
    cursor.advance();
    Ok(Some(match word {
        "within" => Timing::Within(letters(cursor)?),
        "for" => Timing::For(letters(cursor)?),
        "after" => Timing::After(letters(cursor)?),
        "until" => Timing::Until(expressions::read(cursor)?),
        "before" => Timing::Before(expressions::read(cursor)?),
        "immediately" | "initially" => Timing::Immediately,
        "finally" => Timing::Finally,
        "eventually" => Timing::Eventually,
        "always" => Timing::Always,
        "never" => Timing::Never,
        "at" => timepoint(cursor)?,
        "next" if cursor.is_word("satisfy") => Timing::Next,
        _ => {
            cursor.back_to(start);
            return Ok(None);
        }
    }))
}

/// `the next timepoint` and its like.
fn timepoint(cursor: &mut Cursor) -> Result<Timing, SentenceError> {
    cursor.skip_word("the");
    let timing = match cursor.one_of(&["next", "first", "same", "last"]) {
        Some("next") => Timing::Next,
        Some("last") => Timing::Finally,
        Some(_) => Timing::Immediately,
        None => return Err(cursor.unexpected("`the next timepoint`")),
    };
    cursor.advance();
    if !["timepoint", "step", "letter", "tick", "sample"]
        .iter()
        .any(|word| cursor.skip_word(word))
    {
        return Err(cursor.unexpected("`timepoint`"));
    }
    Ok(timing)
}

/// A duration, in letters.
fn letters(cursor: &mut Cursor) -> Result<u32, SentenceError> {
    let start = cursor.mark();
    let Some(Kind::Number(number)) = cursor.peek().cloned() else {
        return Err(cursor.unexpected("a duration, such as `5 ticks`"));
    };
    cursor.advance();
    let no_unit = |cursor: &Cursor| {
        let help = format!("letters are `{number} ticks`, and a time is such as `{number} ms`");
        cursor.unexpected("`ticks` or a unit of time").help(help)
    };
    let Some(Kind::Word(unit)) = cursor.peek().cloned() else {
        return Err(no_unit(cursor));
    };
    let refused = |cursor: &Cursor, message: &str, help: &str| {
        SentenceError::new(message, cursor.since(start)).help(help)
    };
    let count = match duration::unit(&unit) {
        _ if duration::is_tick(&unit) => {
            cursor.advance();
            number.parse::<u128>().ok()
        }
        None => return Err(no_unit(cursor)),
        Some(nanoseconds) => {
            cursor.advance();
            let Some(tick) = cursor.tick else {
                let message = "how many letters are this time?";
                let help = "give the time from one letter to the next with --tick, or write a number of `ticks`";
                return Err(refused(cursor, message, help));
            };
            duration::times(&number, nanoseconds).map(|time| tick.letters(time))
        }
    };
    // The negation of `after n` counts to n + 1.
    match count.and_then(|count| u32::try_from(count).ok()) {
        Some(count) if count < u32::MAX - 1 => Ok(count),
        _ => Err(refused(
            cursor,
            "this is no number of letters",
            "it is a whole number below four thousand million",
        )),
    }
}
