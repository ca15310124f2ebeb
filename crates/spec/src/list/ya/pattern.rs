//! Guards that are sequences of events.

use super::{Read, Reader};
use crate::list::machine::{Guard, Transition};

/// Events one after the other.
#[derive(Clone, Debug)]
pub(super) enum Pattern {
    /// One event.
    Event(Guard),
    /// One after the other.
    All(Vec<Pattern>),
    /// From so many to so many times, or more without an end.
    Repeated(Box<Pattern>, u32, Option<u32>),
}

/// The most repetitions that are written out.
const MOST_TIMES: u32 = 100;

/// The most levels of brackets and calls.
const DEEPEST: usize = 50;

impl Pattern {
    pub(super) fn may_be_empty(&self) -> bool {
        match self {
            Pattern::Event(_) => false,
            Pattern::All(all) => all.iter().all(Pattern::may_be_empty),
            Pattern::Repeated(inner, least, _) => *least == 0 || inner.may_be_empty(),
        }
    }

    /// Whether some part may come more than once, or not at all.
    pub(super) fn repeats(&self) -> bool {
        match self {
            Pattern::Event(_) => false,
            Pattern::All(all) => all.iter().any(Pattern::repeats),
            Pattern::Repeated(..) => true,
        }
    }

    /// What the first event has to be.
    pub(super) fn first(&self) -> Guard {
        match self {
            Pattern::Event(guard) => guard.clone(),
            Pattern::Repeated(inner, ..) => inner.first(),
            Pattern::All(all) => {
                let first = all.iter().position(|one| !one.may_be_empty());
                let last = first.map_or(all.len(), |at| at + 1);
                Guard::Any(all[..last].iter().map(Pattern::first).collect())
            }
        }
    }
}

impl Reader<'_> {
    /// `one; one*; one`
    pub(super) fn sequence(&mut self, depth: usize) -> Read<Pattern> {
        if depth > DEEPEST {
            return Err(self.refused(1, "the guard is too deep"));
        }
        let mut all = vec![self.element(depth)?];
        while self.comes(";") {
            all.push(self.element(depth)?);
        }
        Ok(match all.len() {
            1 => all.remove(0),
            _ => Pattern::All(all),
        })
    }

    fn element(&mut self, depth: usize) -> Read<Pattern> {
        self.skip();
        let element = match () {
            () if self.comes("[") => {
                let inner = self.sequence(depth + 1)?;
                self.expect("]")?;
                inner
            }
            () if self.is_call() => self.call(depth)?,
            () => Pattern::Event(self.either(0)?),
        };
        self.repeated(element)
    }

    /// Whether `f(`, with nothing or with events in the parentheses, or `f{{` comes; else it is a condition in C.
    fn is_call(&self) -> bool {
        let behind = self.rest()[self.word_length()..].trim_start();
        begins_call(self.rest()) && !(behind.starts_with('(') && self.compares(behind))
    }

    /// Whether what stands in parentheses belongs to a comparison, as in `f() > 0`.
    fn compares(&self, parenthesis: &str) -> bool {
        let mut depth = 0usize;
        let end = parenthesis.find(|c| {
            depth += usize::from(c == '(');
            depth -= usize::from(c == ')' && depth > 0);
            depth == 0
        });
        let behind = end.map_or("", |end| parenthesis[end + 1..].trim_start());
        let ends = ["", ";", "}", "]", ")", "*", "+", "?", "{"];
        !ends.iter().any(|sign| match sign.is_empty() {
            true => behind.is_empty(),
            false => behind.starts_with(sign),
        })
    }

    /// `f {{ at the call }} ( events within ) {{ at the return }}`
    fn call(&mut self, depth: usize) -> Read<Pattern> {
        let (name, place) = self.word("a function")?;
        let text = crate::json::Text::plain(&name, place.start);
        let function = self.out.function(text);
        let called = self.conditioned(function, true)?;
        self.expect("(")?;
        let mut all = vec![Pattern::Event(called)];
        if !self.comes(")") {
            all.push(self.sequence(depth + 1)?);
            self.expect(")")?;
        }
        let returned = self.conditioned(function, false)?;
        all.push(Pattern::Event(returned));
        Ok(Pattern::All(all))
    }

    /// An event with the condition in double braces behind it, if there is one.
    fn conditioned(&mut self, function: usize, calls: bool) -> Read<Guard> {
        let event = Guard::Event(function, calls);
        if !self.comes("{{") {
            return Ok(event);
        }
        self.scope = Some(function);
        let condition = self.either(0);
        self.scope = None;
        let condition = condition?;
        self.expect("}}")?;
        Ok(Guard::All(vec![event, condition]))
    }

    /// An element with how often it comes.
    fn repeated(&mut self, element: Pattern) -> Read<Pattern> {
        let times = |least, most| Pattern::Repeated(Box::new(element.clone()), least, most);
        Ok(match () {
            () if self.comes("*") => times(0, None),
            () if self.comes("+") => times(1, None),
            () if self.comes("?") => times(0, Some(1)),
            () if self.comes("{") => {
                let start = self.at;
                let least = self.number()?;
                let most = match self.comes(",") {
                    true => self.number()?,
                    false => least,
                };
                self.expect("}")?;
                let least = least.unwrap_or(0);
                let wrong = match most {
                    _ if least > MOST_TIMES || most.is_some_and(|most| most > MOST_TIMES) => {
                        Some("more than 100 repetitions are not supported")
                    }
                    Some(most) if most < least => Some("the first number is the smaller one"),
                    Some(0) => Some("what comes no time is left out"),
                    _ => None,
                };
                if let Some(wrong) = wrong {
                    self.at = start;
                    return Err(self.refused(1, wrong));
                }
                times(least, most)
            }
            () => element,
        })
    }

    fn number(&mut self) -> Read<Option<u32>> {
        self.skip();
        let end = self.rest().find(|c: char| !c.is_ascii_digit());
        let digits = &self.rest()[..end.unwrap_or(self.rest().len())];
        if digits.is_empty() {
            return Ok(None);
        }
        let Ok(number) = digits.parse() else {
            return Err(self.refused(digits.len(), "this number is too large"));
        };
        self.at += digits.len();
        Ok(Some(number))
    }
}

/// Whether a text begins with `f(` and events behind it, or with `f{{`.
fn begins_call(text: &str) -> bool {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_'));
    let (word, behind) = text.split_at(end.unwrap_or(text.len()));
    let events = ["CALL", "RETURN", "COR"];
    if word.is_empty() || events.contains(&word) {
        return false;
    }
    let behind = behind.trim_start();
    let Some(inside) = behind.strip_prefix('(') else {
        return behind.starts_with("{{");
    };
    let inside = inside.trim_start();
    let event = |sign: &&str| inside.starts_with(*sign);
    inside.starts_with([')', '[']) || events.iter().any(event) || begins_call(inside)
}

/// From patterns to transitions.
impl Reader<'_> {
    /// Adds transitions that lead from a state to another one by the events of a pattern, which is not empty.
    pub(super) fn lead(&mut self, from: usize, pattern: &Pattern, to: usize) {
        for end in self.path(&[from], pattern, Some(to)) {
            debug_assert_eq!(end, to);
        }
    }

    /// Adds transitions from any of some states by a pattern; the states that these lead to. The last event leads to `to`,
    /// if it is given.
    fn path(&mut self, from: &[usize], pattern: &Pattern, to: Option<usize>) -> Vec<usize> {
        match pattern {
            Pattern::Event(guard) => {
                let to = to.unwrap_or_else(|| self.fresh());
                for &from in from {
                    let guard = guard.clone();
                    self.out.transitions.push(Transition {
                        from,
                        guard,
                        to,
                        actions: Vec::new(),
                    });
                }
                vec![to]
            }
            Pattern::All(all) => {
                let mut states = from.to_vec();
                for (at, one) in all.iter().enumerate() {
                    // What follows may be nothing: then this one is the last, too.
                    let last = all[at + 1..].iter().all(Pattern::may_be_empty);
                    let is_end = at + 1 == all.len();
                    let mut ends = self.path(&states, one, to.filter(|_| is_end));
                    if let (Some(to), true, false) = (to, last, is_end) {
                        self.path(&states, one, Some(to));
                    }
                    if one.may_be_empty() {
                        ends.extend(&states);
                    }
                    states = ends;
                }
                states.sort_unstable();
                states.dedup();
                match to {
                    Some(to) => vec![to],
                    None => states,
                }
            }
            Pattern::Repeated(inner, least, most) => self.times(from, inner, (*least, *most), to),
        }
    }

    fn times(
        &mut self,
        from: &[usize],
        inner: &Pattern,
        (least, most): (u32, Option<u32>),
        to: Option<usize>,
    ) -> Vec<usize> {
        let mut states = from.to_vec();
        let mut ends = Vec::new();
        let rounds = most.unwrap_or(least.max(1));
        for round in 1..=rounds {
            let enough = round >= least;
            if let (Some(to), true) = (to, enough) {
                self.path(&states, inner, Some(to));
            }
            states = self.path(&states, inner, None);
            if enough {
                ends.extend(&states);
            }
        }
        if most.is_none() {
            // Once more leads back to where the last round ended.
            for &state in &states.clone() {
                self.path(&[state], inner, Some(state));
                if let Some(to) = to {
                    self.path(&[state], inner, Some(to));
                }
            }
        }
        match to {
            Some(to) => vec![to],
            None => ends,
        }
    }

    /// A state within a sequence. Its number is given when all states with names are known.
    fn fresh(&mut self) -> usize {
        self.within += 1;
        usize::MAX - self.within
    }

    /// Numbers the states within sequences behind the others.
    pub(super) fn renumber(&mut self, count: usize) {
        let new = |state: usize| match usize::MAX - state {
            within if within <= self.within => count + within - 1,
            _ => state,
        };
        for transition in &mut self.out.transitions {
            transition.from = new(transition.from);
            transition.to = new(transition.to);
        }
    }
}
