//! Several properties take turns: one that is hard takes nothing from those that are easy.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use ::verify::result::{Verdict, VerifyResult};

/// How long one property is looked at in the first turns. The last turn has what is left of the time.
const TURNS: [Duration; 2] = [Duration::from_secs(8), Duration::from_secs(30)];
/// Less than this is not worth another turn.
const LEAST: Duration = Duration::from_secs(1);

/// Which property is looked at next, and until when.
pub struct Turns {
    /// The properties of this turn that were not looked at yet.
    open: VecDeque<usize>,
    /// Those that had no sure answer in this turn.
    again: VecDeque<usize>,
    /// How many turns were begun before this one.
    turn: usize,
    /// When all has to be over.
    until: Option<Instant>,
    /// When the turn that was begun last ends.
    ends: Option<Instant>,
}

impl Turns {
    /// All properties are open. One alone has all the time at once.
    pub fn new(properties: usize, until: Option<Instant>) -> Turns {
        Turns {
            open: (0..properties).collect(),
            again: VecDeque::new(),
            turn: if properties > 1 { 0 } else { TURNS.len() },
            until,
            ends: None,
        }
    }

    /// The next property, and when its turn is over; `None` when no property or no time is left.
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
        // A fair part of what is left, for this property and those behind it.
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

    /// A property had no sure answer in its turn, which began then. Where most of the turn was left, more
    /// time helps nothing.
    pub fn again(&mut self, number: usize, begun: Instant) {
        let had = self.ends.map(|ends| ends.saturating_duration_since(begun));
        if had.is_some_and(|had| begun.elapsed() >= had / 2) {
            self.again.push_back(number);
        }
    }
}

/// What is known of a property after a later turn: the later result, unless an earlier one said more.
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

    /// Takes all turns; `solved` are answered in their first turn, the others use theirs up.
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
