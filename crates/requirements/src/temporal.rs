//! FRET's temporal predicates: what expressions say of letters before and after the one at which they stand.

/// A temporal predicate. It looks no further than the interval of the scope in which it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Temporal {
    /// `persisted(n, p)`: at this letter and at each of so many letters before it, all of the interval.
    Persisted(u32),
    /// `occurred(n, p)`: at this letter or at one of so many letters before it.
    Occurred(u32),
    /// `persists(n, p)`: at this letter and at each of so many letters behind it, all of the interval.
    Persists(u32),
    /// `occurs(n, p)`: at this letter or at one of so many letters behind it.
    Occurs(u32),
    /// `prevOcc(p, q)`: at the last letter before this one with the first operand, if there is one, the second holds.
    PreviousOccurrence,
    /// `nextOcc(p, q)`: at the first letter behind this one with the first operand, if there is one, the second holds.
    NextOccurrence,
    /// `preBool(p, q)`: at the first letter of the run the first operand, else the second at the letter before. Alone
    /// among the predicates it looks at the run, not at the interval.
    Before,
}

impl Temporal {
    /// The predicate of a name, with a number that it may have.
    pub(crate) fn named(name: &str) -> Option<fn(u32) -> Temporal> {
        Some(match name {
            "persisted" => Temporal::Persisted,
            "occurred" => Temporal::Occurred,
            "persists" => Temporal::Persists,
            "occurs" => Temporal::Occurs,
            "prevOcc" => |_| Temporal::PreviousOccurrence,
            "nextOcc" => |_| Temporal::NextOccurrence,
            "preBool" => |_| Temporal::Before,
            _ => return None,
        })
    }

    /// Its name, and the number of letters that it is given.
    pub(crate) fn parts(self) -> (&'static str, Option<u32>) {
        match self {
            Temporal::Persisted(n) => ("persisted", Some(n)),
            Temporal::Occurred(n) => ("occurred", Some(n)),
            Temporal::Persists(n) => ("persists", Some(n)),
            Temporal::Occurs(n) => ("occurs", Some(n)),
            Temporal::PreviousOccurrence => ("prevOcc", None),
            Temporal::NextOccurrence => ("nextOcc", None),
            Temporal::Before => ("preBool", None),
        }
    }
}
