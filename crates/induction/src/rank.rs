//! Ranking functions: integer functions of the state that decrease along edges.

use std::fmt::Write;

use crate::system::{Kind, System};

/// A constant in C; the least integer has no literal.
pub(crate) fn number(c: i64) -> String {
    match c {
        i64::MIN => "(-9223372036854775807LL - 1)".into(),
        _ if i32::try_from(c).is_ok() => c.to_string(),
        _ => format!("{c}LL"),
    }
}

/// A function of the state into the integers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    /// The variables, by number, with their coefficients.
    pub terms: Vec<(usize, i64)>,
    /// For a distance: the start, and the number of bits after which it wraps around. A counter that wraps
    /// around approaches each of its values.
    pub distance: Option<(i64, u32)>,
    /// The next function of a lexicographic order: it decides if this one does not change.
    pub then: Option<Box<Rank>>,
}

/// The queried change of a function along an edge.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ask {
    /// It falls.
    Falls,
    /// It does not grow.
    Stays,
}

impl Rank {
    /// A linear function.
    pub fn linear(terms: Vec<(usize, i64)>) -> Rank {
        Rank {
            terms,
            distance: None,
            then: None,
        }
    }

    /// The lexicographic order of this function, then another one.
    pub fn before(&self, then: &Rank) -> Rank {
        let then = match &self.then {
            Some(own) => own.before(then),
            None => then.clone(),
        };
        Rank {
            then: Some(Box::new(then)),
            ..self.clone()
        }
    }

    /// The number of functions in the lexicographic order.
    pub fn length(&self) -> usize {
        1 + self.then.as_ref().map_or(0, |then| then.length())
    }

    /// Whether the terms of a function occur in the lexicographic order.
    pub fn contains(&self, other: &Rank) -> bool {
        let then = self.then.as_ref();
        self.terms == other.terms || then.is_some_and(|then| then.contains(other))
    }

    /// The negation of a linear function: it falls where this one grows.
    pub fn negated(&self) -> Rank {
        let terms = self.terms.iter().map(|&(v, f)| (v, -f));
        Rank {
            terms: terms.collect(),
            ..self.clone()
        }
    }

    /// The variables that it reads, by number.
    pub fn variables(&self) -> Vec<usize> {
        let own = self.terms.iter().map(|(v, _)| *v);
        let then = self.then.iter().flat_map(|t| t.variables());
        own.chain(then).collect()
    }

    /// The C condition that the function changes as asked along an edge. The condition negates nothing and
    /// declares nothing: a function and its negation compare the same expressions, which the model checker then
    /// shares. (Measured: 288 functions take 0.25 s of processor time instead of 11.2 s.)
    pub(crate) fn change(
        &self,
        system: &System,
        now: &dyn Fn(usize) -> String,
        before: &dyn Fn(usize) -> String,
        ask: Ask,
    ) -> String {
        let (a, b) = self.compared(system, now, before);
        match (&self.then, ask) {
            (Some(then), _) => {
                let then = then.change(system, now, before, ask);
                format!("{a} < {b} || ({a} == {b} && ({then}))")
            }
            (None, Ask::Falls) => format!("{a} < {b}"),
            (None, Ask::Stays) => format!("{a} <= {b}"),
        }
    }

    /// Two expressions; the first one is less exactly if the function falls.
    fn compared(
        &self,
        system: &System,
        now: &dyn Fn(usize) -> String,
        before: &dyn Fn(usize) -> String,
    ) -> (String, String) {
        let falls = self.terms.first().is_some_and(|&(_, factor)| factor < 0);
        if self.distance.is_some() || !falls {
            return (self.value(system, now), self.value(system, before));
        }
        let upright = self.negated();
        (upright.value(system, before), upright.value(system, now))
    }

    /// Whether the function may fall only because a signed integer of C has a least value, beyond which it
    /// overflows.
    pub fn may_overflow(&self, system: &System) -> bool {
        let wide = |&(v, _): &(usize, i64)| system.variables[v].overflows;
        let then = self.then.as_ref().is_some_and(|t| t.may_overflow(system));
        self.terms.iter().any(wide) || then
    }

    /// The condition that the function is far above the least value of its signed integers.
    pub(crate) fn is_grounded(&self, system: &System, of: &dyn Fn(usize) -> String) -> String {
        let bits = self.terms.iter().filter_map(|&(v, _)| {
            let variable = &system.variables[v];
            variable.overflows.then_some(variable.bits)
        });
        let own = bits.max().map(|bits| {
            let (ty, value) = (self.ty(system), self.value(system, of));
            format!("({ty})({value}) >= -(({ty})1 << {})", bits - 2)
        });
        let then = self.then.as_ref().map(|t| t.is_grounded(system, of));
        let all: Vec<String> = own.into_iter().chain(then).collect();
        match all.is_empty() {
            true => "1".into(),
            false => all.join(" && "),
        }
    }

    /// A type in which the function cannot wrap around. Model checkers decide narrow types sooner.
    fn ty(&self, system: &System) -> &'static str {
        let narrow = |&(v, _): &(usize, i64)| {
            let variable = &system.variables[v];
            variable.kind == Kind::Truth
                || variable.states.is_some()
                || (1..=32).contains(&variable.bits)
        };
        match self.terms.iter().all(narrow) {
            true => "long long",
            false => "__int128",
        }
    }

    fn value(&self, system: &System, of: &dyn Fn(usize) -> String) -> String {
        let ty = self.ty(system);
        let term = |&(v, factor): &(usize, i64)| {
            let wide = match system.variables[v].unsigned64 {
                true => "unsigned long long",
                false => "long long",
            };
            let sign = if factor < 0 { "-" } else { "+" };
            let times = match factor.abs() {
                1 => String::new(),
                n => format!("{n} * "),
            };
            format!("{sign} {times}({ty})({wide})({})", of(v))
        };
        let sum: Vec<String> = self.terms.iter().map(term).collect();
        let sum = sum.join(" ");
        match self.distance {
            None => sum,
            Some((from, bits)) => {
                format!("(({} {sum}) & (((__int128)1 << {bits}) - 1))", number(from))
            }
        }
    }

    /// The function as text for people.
    pub fn text(&self, system: &System) -> String {
        let mut out = String::new();
        if let Some((from, _)) = self.distance {
            out = format!("the distance from {from} to ");
        }
        for (i, &(v, factor)) in self.terms.iter().enumerate() {
            let factor = if self.distance.is_some() { 1 } else { factor };
            let name = &system.variables[v].name;
            out += match (i, factor < 0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            if factor.abs() != 1 {
                let _ = write!(out, "{} * ", factor.abs());
            }
            match name.contains(' ') && (factor != 1 || self.terms.len() > 1) {
                true => {
                    let _ = write!(out, "({name})");
                }
                false => out += name,
            }
        }
        match &self.then {
            Some(then) => format!("{out}, then {}", then.text(system)),
            None => out,
        }
    }
}
