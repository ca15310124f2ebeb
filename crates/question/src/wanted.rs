//! The schedules that `--schedules` requests, and whether a backend can search all of them.

use std::str::FromStr;

use weave::record::Record;

/// The values of `--schedules`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// All schedules.
    All,
    /// Schedules of at most this many rounds.
    Rounds(u32),
    /// Both, in parallel; rounds alone if the backend cannot search all schedules.
    #[default]
    Auto,
}

/// The greatest number of rounds: more find nothing new, and take too long.
pub(crate) const MOST_ROUNDS: u32 = 64;

impl FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Wanted, String> {
        let wrong = || format!("it is `all`, `auto` or `rounds:R` with R from 1 to {MOST_ROUNDS}");
        match text {
            "all" => Ok(Wanted::All),
            "auto" => Ok(Wanted::Auto),
            _ => {
                let rounds = text.strip_prefix("rounds:").and_then(|r| r.parse().ok());
                let rounds = rounds.filter(|r| (1..=MOST_ROUNDS).contains(r));
                rounds.map(Wanted::Rounds).ok_or_else(wrong)
            }
        }
    }
}

/// Whether the backend can search all schedules of a threaded program: it accepts the program, and
/// does not enumerate interleavings.
pub fn can_search_all(can: backend::Capabilities, record: &Record) -> bool {
    let pointers = !can.shared_pointers && !record.shared_pointers.is_empty();
    !pointers && record.sections.is_empty() && !can.enumerates
}

/// The number of rounds that are always explored.
pub const SURE: u32 = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_are_read() {
        assert_eq!("all".parse(), Ok(Wanted::All));
        assert_eq!("auto".parse(), Ok(Wanted::Auto));
        assert_eq!("rounds:3".parse(), Ok(Wanted::Rounds(3)));
        for wrong in [
            "",
            "rounds",
            "rounds:",
            "rounds:0",
            "rounds:65",
            "rounds:-1",
            "All",
        ] {
            assert!(wrong.parse::<Wanted>().is_err(), "{wrong}");
        }
    }
}
