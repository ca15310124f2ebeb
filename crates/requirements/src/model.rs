//! The parts of a requirement.

use crate::expression::Expression;
use std::ops::Range;

/// Where a requirement is enforced: intervals of letters, given by a mode (a Boolean expression).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Scope {
    /// The whole run.
    Whole,
    /// Each interval in which the mode holds.
    In(Expression),
    /// Each interval in which the mode does not hold.
    NotIn(Expression),
    /// From the start up to the first letter with the mode, without that letter; the whole run if there is none.
    Before(Expression),
    /// Behind the first interval in which the mode holds, if that interval ends.
    After(Expression),
    /// The response may come only in the mode: its negation is enforced where the mode does not hold.
    OnlyIn(Expression),
    /// The response may come only before the mode: its negation is enforced from the first letter with the mode on.
    OnlyBefore(Expression),
    /// The response may come only after the mode: its negation is enforced from the start to the end of the first
    /// interval in which the mode holds.
    OnlyAfter(Expression),
}

impl Scope {
    /// The name in FRET's tables.
    pub fn name(&self) -> &'static str {
        match self {
            Scope::Whole => "null",
            Scope::In(_) => "in",
            Scope::NotIn(_) => "notin",
            Scope::Before(_) => "before",
            Scope::After(_) => "after",
            Scope::OnlyIn(_) => "onlyIn",
            Scope::OnlyBefore(_) => "onlyBefore",
            Scope::OnlyAfter(_) => "onlyAfter",
        }
    }

    /// The mode.
    pub fn mode(&self) -> Option<&Expression> {
        match self {
            Scope::Whole => None,
            Scope::In(mode)
            | Scope::NotIn(mode)
            | Scope::Before(mode)
            | Scope::After(mode)
            | Scope::OnlyIn(mode)
            | Scope::OnlyBefore(mode)
            | Scope::OnlyAfter(mode) => Some(mode),
        }
    }

    fn mode_mut(&mut self) -> Option<&mut Expression> {
        match self {
            Scope::Whole => None,
            Scope::In(mode)
            | Scope::NotIn(mode)
            | Scope::Before(mode)
            | Scope::After(mode)
            | Scope::OnlyIn(mode)
            | Scope::OnlyBefore(mode)
            | Scope::OnlyAfter(mode) => Some(mode),
        }
    }

    /// Whether the negation of the response is enforced.
    pub fn negates(&self) -> bool {
        matches!(
            self,
            Scope::OnlyIn(_) | Scope::OnlyBefore(_) | Scope::OnlyAfter(_)
        )
    }
}

/// At which letters of the scope's intervals the timing begins: the triggers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// At the first letter of each interval.
    None,
    /// Where the expression becomes true, and at the first letter of an interval if it holds there.
    Trigger(Expression),
    /// At every letter with the expression.
    Holding(Expression),
}

impl Condition {
    /// The name in FRET's tables.
    pub fn name(&self) -> &'static str {
        match self {
            Condition::None => "null",
            Condition::Trigger(_) => "regular",
            Condition::Holding(_) => "holding",
        }
    }
}

/// When the response has to hold, counted from a trigger and within the trigger's interval. Distances count letters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Timing {
    /// At the trigger.
    Immediately,
    /// One letter later, unless the interval ends before.
    Next,
    /// At most so many letters later, unless the interval ends before.
    Within(u32),
    /// From the trigger on for so many letters, or to the end of the interval.
    For(u32),
    /// Not for so many letters, and then at the next one, unless the interval ends before.
    After(u32),
    /// Up to a letter with the expression, without that letter, or to the end of the interval.
    Until(Expression),
    /// At least once before the first letter with the expression, if the interval has one.
    Before(Expression),
    /// To the end of the interval.
    Always,
    /// Nowhere up to the end of the interval.
    Never,
    /// Somewhere up to the end of the interval.
    Eventually,
    /// At the last letter of the interval, if it has one.
    Finally,
}

impl Timing {
    /// The name in FRET's tables.
    pub fn name(&self) -> &'static str {
        match self {
            Timing::Immediately => "immediately",
            Timing::Next => "next",
            Timing::Within(_) => "within",
            Timing::For(_) => "for",
            Timing::After(_) => "after",
            Timing::Until(_) => "until",
            Timing::Before(_) => "before",
            Timing::Always => "always",
            Timing::Never => "never",
            Timing::Eventually => "eventually",
            Timing::Finally => "finally",
        }
    }
}

/// The language in which a sentence is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// With the word `satisfy`: without a timing, the response comes eventually.
    Fretish,
    /// Without it: without a timing, the response to a trigger comes eventually, and without a trigger it holds always.
    Ears,
}

/// A requirement, as its sentence says it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Requirement {
    /// The language of the sentence.
    pub style: Style,
    /// Where it is enforced.
    pub scope: Scope,
    /// What triggers it.
    pub condition: Condition,
    /// Who has to respond: a name for people, without influence on the formula.
    pub component: String,
    /// When the response has to hold.
    pub timing: Timing,
    /// What has to hold.
    pub response: Expression,
}

impl Requirement {
    /// The requirement that no trigger of this one ever comes: what this one asks for, none can give.
    pub fn never_triggered(&self) -> Requirement {
        Requirement {
            timing: Timing::Immediately,
            response: Expression::Constant(self.scope.negates()),
            ..self.clone()
        }
    }

    /// Whether an expression counts letters, as `persisted(5, p)` does.
    pub fn counts_in_expressions(&self) -> bool {
        self.expressions().any(Expression::counts)
    }

    /// All names and C conditions of the sentence with their places, in the order of the text.
    pub fn leaves(&self) -> Vec<(&crate::Leaf, Range<usize>)> {
        let mut all = Vec::new();
        for expression in self.expressions() {
            expression.leaves(&mut all);
        }
        all.sort_by_key(|(_, span)| span.start);
        all
    }

    fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let scope = self.scope.mode();
        let condition = match &self.condition {
            Condition::None => None,
            Condition::Trigger(expression) | Condition::Holding(expression) => Some(expression),
        };
        let timing = match &self.timing {
            Timing::Until(stop) | Timing::Before(stop) => Some(stop),
            _ => None,
        };
        [scope, condition, timing, Some(&self.response)]
            .into_iter()
            .flatten()
    }

    pub(crate) fn expressions_mut(&mut self) -> impl Iterator<Item = &mut Expression> {
        let scope = self.scope.mode_mut();
        let condition = match &mut self.condition {
            Condition::None => None,
            Condition::Trigger(expression) | Condition::Holding(expression) => Some(expression),
        };
        let timing = match &mut self.timing {
            Timing::Until(stop) | Timing::Before(stop) => Some(stop),
            _ => None,
        };
        [scope, condition, timing, Some(&mut self.response)]
            .into_iter()
            .flatten()
    }
}
