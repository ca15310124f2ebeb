//! The reading of a requirement in words.

use crate::expression::Expression;
use crate::model::{Condition, Requirement, Scope, Timing};

impl Requirement {
    /// What the sentence is taken to say: where it is enforced, from where on it is counted, and what is required.
    pub fn reading(&self) -> String {
        let required = match self.scope.negates() {
            true => contrary(&self.timing, &self.response),
            false => positive(&self.timing, &self.response),
        };
        let trigger = match &self.condition {
            Condition::None if self.scope == Scope::Whole => "from the first letter on".to_owned(),
            Condition::None => "from its first letter on".to_owned(),
            Condition::Trigger(e) => {
                format!("from each letter on at which {} becomes true, or is true at the beginning", shown(e))
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

fn positive(timing: &Timing, response: &Expression) -> String {
    required(timing, &shown(response), &format!("not {}", shown(response)))
}

/// What is required where the response may not come: the contrary, as FRET defines it.
fn contrary(timing: &Timing, response: &Expression) -> String {
    let (r, not) = (shown(response), format!("not {}", shown(response)));
    match timing {
        Timing::Always => required(&Timing::Eventually, &not, &r),
        Timing::Never => required(&Timing::Eventually, &r, &not),
        Timing::Eventually => required(&Timing::Always, &not, &r),
        Timing::Within(n) => required(&Timing::For(*n), &not, &r),
        Timing::For(n) => required(&Timing::Within(*n), &not, &r),
        Timing::After(n) => format!(
            "either {}, or {}",
            required(&Timing::Within(*n), &r, &not),
            required(&Timing::For(n + 1), &not, &r)
        ),
        Timing::Until(stop) => required(&Timing::Before(stop.clone()), &not, &r),
        Timing::Before(stop) => required(&Timing::Until(stop.clone()), &not, &r),
        Timing::Immediately | Timing::Next | Timing::Finally => required(timing, &not, &r),
    }
}

fn required(timing: &Timing, r: &str, not: &str) -> String {
    match timing {
        Timing::Immediately => format!("{r} holds there"),
        Timing::Next => format!("{r} holds one letter later, unless the interval ends before"),
        Timing::Within(n) => format!(
            "{r} holds there or at most {} later, unless the interval ends before",
            letters(*n)
        ),
        Timing::For(n) => format!(
            "{r} holds there and for {} more, or to the end of the interval",
            letters(*n)
        ),
        Timing::After(n) => format!(
            "{not} holds there and for {} more, and {r} at the next one, unless the interval ends before",
            letters(*n)
        ),
        Timing::Until(stop) => format!(
            "{r} holds up to the first letter with {}, without that letter, or to the end of the interval",
            shown(stop)
        ),
        Timing::Before(stop) => format!(
            "{r} holds at least once before the first letter with {}, if the interval has one",
            shown(stop)
        ),
        Timing::Always => format!("{r} holds to the end of the interval"),
        Timing::Never => format!("{not} holds to the end of the interval"),
        Timing::Eventually => format!("{r} holds there or later, before the interval ends"),
        Timing::Finally => format!("{r} holds at the last letter of the interval, if it has one"),
    }
}
