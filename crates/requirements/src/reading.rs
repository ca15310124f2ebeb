//! The reading of a requirement in words.

use crate::expression::Expression;
use crate::model::{Condition, Requirement, Scope, Timing};

impl Requirement {
    /// What the sentence is taken to say: where it is enforced, from where on it is counted, and what is required.
    pub fn reading(&self) -> String {
        let end = match self.scope {
            Scope::Whole | Scope::After(_) | Scope::OnlyBefore(_) => End::Never,
            _ => End::Interval,
        };
        let required = match self.scope.negates() {
            true => end.contrary(&self.timing, &shown(&self.response)),
            false => end.positive(&self.timing, &shown(&self.response)),
        };
        let trigger = match &self.condition {
            Condition::None if self.scope == Scope::Whole => "from the first letter on".to_owned(),
            Condition::None => "from its first letter on".to_owned(),
            Condition::Trigger(e) => {
                format!(
                    "from each letter on at which {} becomes true, or is true at the beginning",
                    shown(e)
                )
            }
            Condition::Holding(e) => format!("from each letter on at which {} holds", shown(e)),
        };
        format!("{}, {trigger}: {required}.", scope(&self.scope))
    }
}

fn shown(e: &Expression) -> String {
    format!("`{e}`")
}

fn scope(scope: &Scope) -> String {
    let mode = scope.mode().map(shown).unwrap_or_default();
    match scope {
        Scope::Whole => "In the whole run".to_owned(),
        Scope::In(_) => format!("In each interval in which {mode} holds"),
        Scope::NotIn(_) | Scope::OnlyIn(_) => {
            format!("In each interval in which {mode} does not hold")
        }
        Scope::Before(_) => {
            format!("Before the first letter with {mode} (in the whole run, if there is none)")
        }
        Scope::After(_) => {
            format!("Behind the first interval in which {mode} holds (if that ends)")
        }
        Scope::OnlyBefore(_) => format!("From the first letter with {mode} on (if there is one)"),
        Scope::OnlyAfter(_) => format!(
            "To the end of the first interval in which {mode} holds (in the whole run, if there is no end)"
        ),
    }
}

fn letters(n: u32) -> String {
    match n {
        1 => "1 letter".to_owned(),
        n => format!("{n} letters"),
    }
}

/// Whether intervals end, so that the end is worth a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Never,
    Interval,
}

impl End {
    /// The words about the end, if there is one.
    fn only(self, words: &'static str) -> &'static str {
        match self {
            End::Never => "",
            End::Interval => words,
        }
    }

    /// What is required of a response.
    fn positive(self, timing: &Timing, r: &str) -> String {
        let unless = self.only(", unless the interval ends before");
        let or = self.only(", or to the end of the interval");
        match timing {
            Timing::Immediately => format!("{r} holds there"),
            Timing::Next => format!("{r} holds one letter later{unless}"),
            Timing::Within(n) => {
                format!("{r} holds there or at most {} later{unless}", letters(*n))
            }
            Timing::For(n) => format!("{r} holds there and for {} more{or}", letters(*n)),
            Timing::After(n) => format!(
                "{r} does not hold there nor for {} more, and holds at the next one{unless}",
                letters(*n)
            ),
            Timing::Until(stop) => format!(
                "{r} holds up to the first letter with {}, without that letter, or {}",
                shown(stop),
                self.last("to the end of the interval", "for ever")
            ),
            Timing::Before(stop) => format!(
                "{r} holds at least once before the first letter with {}, if {} one",
                shown(stop),
                self.last("the interval has", "there is")
            ),
            Timing::Always => format!(
                "{r} holds {}",
                self.last("to the end of the interval", "for ever")
            ),
            Timing::Never => format!(
                "{r} holds nowhere{}",
                self.only(" up to the end of the interval")
            ),
            Timing::Eventually => {
                format!("{r} holds there or later{}", self.only(" in the interval"))
            }
            Timing::Finally => match self {
                End::Never => "nothing is required, since there is no last letter".to_owned(),
                End::Interval => {
                    format!("{r} holds at the last letter of the interval, if it has one")
                }
            },
        }
    }

    fn last(self, interval: &'static str, never: &'static str) -> &'static str {
        match self {
            End::Never => never,
            End::Interval => interval,
        }
    }

    /// What is required where the response may not come: the contrary, as FRET defines it.
    fn contrary(self, timing: &Timing, r: &str) -> String {
        let not = format!("not {r}");
        match timing {
            Timing::Always => self.positive(&Timing::Eventually, &not),
            Timing::Never => self.positive(&Timing::Eventually, r),
            Timing::Eventually => self.positive(&Timing::Never, r),
            Timing::Within(n) => self.positive(&Timing::For(*n), &not),
            Timing::For(n) => self.positive(&Timing::Within(*n), &not),
            Timing::After(n) => format!(
                "either {}, or {}",
                self.positive(&Timing::Within(*n), r),
                self.positive(&Timing::For(n + 1), &not)
            ),
            Timing::Until(stop) => self.positive(&Timing::Before(stop.clone()), &not),
            Timing::Before(stop) => self.positive(&Timing::Until(stop.clone()), &not),
            Timing::Immediately | Timing::Next | Timing::Finally => self.positive(timing, &not),
        }
    }
}
