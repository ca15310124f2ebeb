//! Turns of several properties: a hard property takes no time from easy ones.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use ::verify::result::{Verdict, VerifyResult};

/// The greatest time of a property in the first turns. In the last turn properties share the
/// remaining time.
const TURNS: [Duration; 2] = [Duration::from_secs(8), Duration::from_secs(30)];
/// The least remaining time that is worth another turn.
const LEAST: Duration = Duration::from_secs(1);

/// Schedules the properties with their time limits.
pub struct Turns {
    /// The properties that have not had this turn.
    open: VecDeque<usize>,
    /// The properties that had no definite answer in this turn.
    again: VecDeque<usize>,
    /// The number of earlier turns.
    turn: usize,
    /// The end of the whole time.
    until: Option<Instant>,
    /// The end of the last turn that was started.
    ends: Option<Instant>,
}

impl Turns {
    /// Starts with all properties open. A single property gets all the time at once.
    pub fn new(properties: usize, until: Option<Instant>) -> Turns {
        Turns {
            open: (0..properties).collect(),
            again: VecDeque::new(),
            turn: if properties > 1 { 0 } else { TURNS.len() },
            until,
            ends: None,
        }
    }

    /// The next property, and the end of its turn; `None` if no property or no time is left.
    pub fn next(&mut self) -> Option<(usize, Option<Instant>)> {
        let now = Instant::now();
        if self.open.is_empty() {
            let left = self.until.map(|until| until.saturating_duration_since(now));
            if self.turn >= TURNS.len() || left.is_some_and(|left| left < LEAST) {
                return None;
            }
            self.turn += 1;
            std::mem::swap(&mut self.open, &mut self.again);
        }
        // A fair share of the remaining time, for this property and those after it.
        let number = self.open.pop_front()?;
        let waiting = self.open.len() as u32 + 1;
        let fair = self
            .until
            .map(|until| until.saturating_duration_since(now) / waiting);
        let part = match (TURNS.get(self.turn), fair) {
            (Some(turn), Some(fair)) => Some(fair.min(*turn)),
            (Some(turn), None) => Some(*turn),
            (None, fair) => fair,
        };
        self.ends = part.map(|part| now + part);
        Some((number, self.ends))
    }

    /// Schedules a property again that had no definite answer in the turn that began then. If it
    /// used less than half of the turn, more time would not help.
    pub fn again(&mut self, number: usize, begun: Instant) {
        let had = self.ends.map(|ends| ends.saturating_duration_since(begun));
        if had.is_some_and(|had| begun.elapsed() >= had / 2) {
            self.again.push_back(number);
        }
    }
}

/// The result of a property after a later turn: the later result, unless the earlier one said more.
pub fn later(before: VerifyResult, after: VerifyResult) -> VerifyResult {
    let says = |result: &VerifyResult| {
        let sure = |p: &::verify::result::PropertyResult| {
            p.answer.holds != ::verify::result::Holds::Unknown
                || p.answer.verdict != Verdict::Unknown
        };
        result.properties.iter().any(sure)
    };
    let (runs, seconds) = (
        before.backend.runs + after.backend.runs,
        before.backend.seconds + after.backend.seconds,
    );
    let mut kept = match says(&before) && !says(&after) {
        true => before,
        false => after,
    };
    (kept.backend.runs, kept.backend.seconds) = (runs, seconds);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes all turns: `solved` properties are answered in their first turn, the others use up
    /// theirs.
    fn taken(properties: usize, until: Option<Instant>, solved: &[usize]) -> Vec<usize> {
        let mut turns = Turns::new(properties, until);
        let mut taken = Vec::new();
        while let Some((number, ends)) = turns.next() {
            taken.push(number);
            if !solved.contains(&number) {
                turns.again(number, ends.unwrap_or_else(Instant::now));
            }
        }
        taken
    }

    #[test]
    fn what_is_open_comes_again_behind_all_others() {
        let until = Some(Instant::now() + Duration::from_secs(1000));
        assert_eq!(taken(3, until, &[1]), [0, 1, 2, 0, 2, 0, 2]);
        assert_eq!(taken(3, None, &[0, 1, 2]), [0, 1, 2]);
    }

    #[test]
    fn what_gave_up_early_is_not_asked_again() {
        let mut turns = Turns::new(2, Some(Instant::now() + Duration::from_secs(60)));
        while let Some((number, _)) = turns.next() {
            turns.again(number, Instant::now());
        }
        assert_eq!(turns.turn, 1, "no second turn had a property");
    }

    #[test]
    fn one_alone_has_all_the_time_at_once() {
        assert_eq!(taken(1, None, &[]), [0]);
        assert!(Turns::new(1, None)
            .next()
            .is_some_and(|(_, until)| until.is_none()));
    }

    #[test]
    fn a_turn_takes_no_more_than_a_fair_part() {
        let now = Instant::now();
        let mut turns = Turns::new(10, Some(now + Duration::from_secs(20)));
        let (_, until) = turns.next().expect("ten are open");
        let part = until.expect("there is a limit").duration_since(now);
        assert!(part <= Duration::from_secs(3), "{part:?}");
    }

    #[test]
    fn without_time_each_property_is_still_named_once() {
        assert_eq!(taken(2, Some(Instant::now()), &[]), [0, 1]);
    }
}
