//! The assertions of an emitted program. A model checker reports an assertion by its text, and readers of its
//! output look for that text; this file defines the texts for both sides.

use std::fmt::{self, Display, Formatter};

use super::check;

/// What an assertion of an emitted program claims. The assertion's text is the name by which a report tells the
/// outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asserted<'a> {
    /// No run ends with this value (second field) of this property's formula (first field). The value is the
    /// name of a level, or [`PREFIX_FALSE`](super::record::PREFIX_FALSE) or
    /// [`ENDED_FALSE`](super::record::ENDED_FALSE).
    Level(&'a str, &'a str),
    /// No deadlock ends with this value (second field) of this property's formula (first field).
    DeadlockOf(&'a str, &'a str),
    /// No lasso violates this property.
    Lasso(&'a str),
    /// No run is a deadlock.
    Deadlock,
    /// No run comes to its end. This assertion has to fail: if no run ends, all others hold vacuously.
    End,
    /// No run is cut at a bound.
    Cut,
    /// No run gives the cover with this number in the record its value.
    Cover(usize),
    /// No run enters the area of this number.
    Area(usize),
    /// No run reaches the exit label of the area of this number while the area is open.
    Exit(usize),
    /// No run starts a thread with the function of this number.
    Started(usize),
    /// No run ends other than at a bound.
    Ended,
    /// No run is cut at the site of this number in the record.
    CutAt(usize),
    /// The call at the site of this number uses its lock, semaphore or other object correctly.
    Use(usize),
    /// The program starts no more threads than the instrumentation provides for.
    Threads,
}

impl Asserted<'_> {
    /// The bit of `BA_CHECK` that switches the assertion on; `None` for [`Asserted::Level`], whose bit depends
    /// on the level.
    pub fn bit(self) -> Option<u32> {
        match self {
            Asserted::Level(..) => None,
            Asserted::DeadlockOf(..) | Asserted::Deadlock => Some(check::DEADLOCK),
            Asserted::Lasso(_) => Some(check::LASSO),
            Asserted::End => Some(check::END),
            Asserted::Cut => Some(check::CUT),
            Asserted::Cover(_) | Asserted::Area(_) | Asserted::Exit(_) | Asserted::Started(_) => {
                Some(check::COVER)
            }
            Asserted::Ended | Asserted::CutAt(_) => Some(check::CUTS),
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
            Asserted::Started(number) => write!(f, "starts:{number}"),
            Asserted::Ended => f.write_str("ended"),
            Asserted::CutAt(site) => write!(f, "cut:{site}"),
            Asserted::Use(site) => write!(f, "misuse:{site}"),
            Asserted::Threads => f.write_str("internal:threads"),
        }
    }
}
