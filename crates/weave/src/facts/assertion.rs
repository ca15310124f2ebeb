//! The assertions of an emitted program by what they say. Model checkers report them by their texts, and
//! whoever reads a report looks for these texts: both sides have them from here.

use std::fmt::{self, Display, Formatter};

use super::check;

/// What an assertion of an emitted program says. Its text is the name by which a report tells the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asserted<'a> {
    /// No run ends with this value of this property's formula. The value has the name of a level, or
    /// [`PREFIX_FALSE`](super::record::PREFIX_FALSE) or [`ENDED_FALSE`](super::record::ENDED_FALSE).
    Level(&'a str, &'a str),
    /// No deadlock ends with this value of this property's formula.
    DeadlockOf(&'a str, &'a str),
    /// No lasso violates this property.
    Lasso(&'a str),
    /// No run is a deadlock.
    Deadlock,
    /// No run comes to its end: it has to fail, so that other answers speak of something.
    End,
    /// No run is cut at a bound.
    Cut,
    /// No run shows the value of this number among the record's covers.
    Cover(usize),
    /// No run enters the area of this number.
    Area(usize),
    /// No run comes to the exit label of the area of this number while it is open.
    Exit(usize),
    /// What happens at the site of this number is a right use of a lock or the like.
    Use(usize),
    /// No more threads are started than the instrumentation provides for.
    Threads,
}

impl Asserted<'_> {
    /// Its bit in `BA_CHECK`; none for a level's, which depends on the level.
    pub fn bit(self) -> Option<u32> {
        match self {
            Asserted::Level(..) => None,
            Asserted::DeadlockOf(..) | Asserted::Deadlock => Some(check::DEADLOCK),
            Asserted::Lasso(_) => Some(check::LASSO),
            Asserted::End => Some(check::END),
            Asserted::Cut => Some(check::CUT),
            Asserted::Cover(_) | Asserted::Area(_) | Asserted::Exit(_) => Some(check::COVER),
            Asserted::Use(_) => Some(check::MISUSE),
            Asserted::Threads => Some(check::INTERNAL),
        }
    }
}

impl Display for Asserted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("baproduct:")?;
        match self {
            Asserted::Level(property, level) => write!(f, "{property}:{level}"),
            Asserted::DeadlockOf(property, level) => write!(f, "{property}:{level}:deadlock"),
            Asserted::Lasso(property) => write!(f, "{property}:lasso"),
            Asserted::Deadlock => f.write_str("deadlock"),
            Asserted::End => f.write_str("end"),
            Asserted::Cut => f.write_str("cut"),
            Asserted::Cover(number) => write!(f, "cover:{number}"),
            Asserted::Area(number) => write!(f, "area:{number}"),
            Asserted::Exit(number) => write!(f, "exit:{number}"),
            Asserted::Use(site) => write!(f, "misuse:{site}"),
            Asserted::Threads => f.write_str("internal:threads"),
        }
    }
}
