//! Durations: numbers of letters, or times at a known distance of letters.

/// The time from one letter to the next, in nanoseconds; at least 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tick(u128);

/// Why a text is no distance of letters.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no time: write a number and a unit (ns, us, ms, s, min, h), such as `10ms`")]
pub struct TickError(String);

/// The units and their nanoseconds.
const UNITS: [(&str, u128); 22] = [
    ("ns", 1),
    ("nanosecond", 1),
    ("nanoseconds", 1),
    ("us", 1_000),
    ("microsec", 1_000),
    ("microsecs", 1_000),
    ("microsecond", 1_000),
    ("microseconds", 1_000),
    ("ms", 1_000_000),
    ("millisec", 1_000_000),
    ("millisecs", 1_000_000),
    ("millisecond", 1_000_000),
    ("milliseconds", 1_000_000),
    ("s", 1_000_000_000),
    ("sec", 1_000_000_000),
    ("secs", 1_000_000_000),
    ("second", 1_000_000_000),
    ("seconds", 1_000_000_000),
    ("min", 60_000_000_000),
    ("minute", 60_000_000_000),
    ("minutes", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

/// The nanoseconds of a unit, in any case of its letters.
pub(crate) fn unit(word: &str) -> Option<u128> {
    let word = word.to_lowercase();
    if word == "hour" || word == "hours" {
        return unit("h");
    }
    UNITS
        .iter()
        .find(|(name, _)| *name == word)
        .map(|(_, nanoseconds)| *nanoseconds)
}

/// Whether a word counts letters.
pub(crate) fn is_tick(word: &str) -> bool {
    let word = word.to_lowercase();
    [
        "tick", "ticks", "letter", "letters", "step", "steps", "sample", "samples", "period",
        "periods",
    ]
    .contains(&word.as_str())
}

/// The product of a decimal number and a number of nanoseconds, rounded down; `None` if it is no such number, or
/// too large.
pub(crate) fn times(number: &str, nanoseconds: u128) -> Option<u128> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let fraction = fraction.get(..fraction.len().min(12))?;
    let scale = 10u128.pow(fraction.len() as u32);
    let digits: u128 = format!("{whole}{fraction}").parse().ok()?;
    Some(digits.checked_mul(nanoseconds)? / scale)
}

impl Tick {
    /// The letters that come at most this many nanoseconds after one.
    pub(crate) fn letters(self, nanoseconds: u128) -> u128 {
        nanoseconds / self.0
    }
}

impl std::fmt::Display for Tick {
    /// In nanoseconds; it can be read again.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}ns", self.0)
    }
}

impl std::str::FromStr for Tick {
    type Err = TickError;

    fn from_str(text: &str) -> Result<Tick, TickError> {
        let wrong = || TickError(text.to_owned());
        let text = text.trim();
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
        let (number, word) = text.split_at(end.unwrap_or(text.len()));
        let nanoseconds = unit(word.trim()).ok_or_else(wrong)?;
        match times(number, nanoseconds) {
            Some(tick) if tick > 0 => Ok(Tick(tick)),
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn times_are_counted_in_letters() {
        let tick: Tick = "10ms".parse().unwrap();
        assert_eq!(tick.letters(times("50", unit("ms").unwrap()).unwrap()), 5);
        assert_eq!(
            tick.letters(times("0.025", unit("Seconds").unwrap()).unwrap()),
            2
        );
        assert_eq!("1.5 h".parse(), Ok(Tick(5_400_000_000_000)));
        for wrong in ["", "5", "ms", "0ms", "-1s", "1 fortnight", "1..2s"] {
            assert!(wrong.parse::<Tick>().is_err(), "{wrong}");
        }
    }
}
