//! State machines as Aoraï reads them (`.ya`): transitions with guards over calls, returns and conditions.
//!
//! ```text
//! %init: idle;
//! %accept: idle;
//! idle:   { CALL(lock) } -> locked | { !CALL(unlock) } -> idle ;
//! locked: { RETURN(main) } -> locked | { CALL(unlock) } -> idle | other -> locked ;
//! ```
//!
//! Each call and each return of an observed function is an event, which takes one of the transitions of the state. A run
//! for which there is none is wrong, and so is one after which `main` returns into a state that is not accepted.
//! A guard may be a sequence of events, `{ [ lock(); CALL(read)+; unlock() ] }`, in which `f()` is a call and the return.
//! `f().x` is a parameter at a call of `f` and at its return, `f().\result` what it returns; `$x` is a variable of the
//! machine, declared by `$x : int;` and assigned where a transition is taken: `{ CALL(f) } $x := f().n; -> S`.

mod data;
mod pattern;

use super::machine::{Condition, Guard, States, Transition};
use crate::diagnostic::Diagnostic;
use crate::json::Text;
use crate::param::is_identifier;
use crate::wire::shorten;
use pattern::Pattern;
use std::collections::BTreeMap;
use std::ops::Range;

type Read<T> = Result<T, Box<Diagnostic>>;

/// Reads a machine; spans begin at `offset`.
pub(super) fn read(text: &str, offset: usize) -> Read<States> {
    let mut reader = Reader {
        text,
        offset,
        at: 0,
        names: BTreeMap::new(),
        out: States::default(),
        init: Vec::new(),
        accept: None,
        observables: None,
        within: 0,
        scope: None,
    };
    reader.file()?;
    reader.finish()
}

struct Reader<'a> {
    text: &'a str,
    offset: usize,
    at: usize,
    /// The states, with the place of their transitions or of the first name.
    names: BTreeMap<String, (usize, Range<usize>, bool)>,
    out: States,
    init: Vec<usize>,
    accept: Option<Vec<usize>>,
    observables: Option<Vec<usize>>,
    /// The number of states within sequences: their numbers count down from the greatest.
    within: usize,
    /// The function at whose call or return the condition stands that is read now.
    scope: Option<usize>,
}

impl<'a> Reader<'a> {
    fn file(&mut self) -> Read<()> {
        loop {
            self.skip();
            match self.rest().chars().next() {
                None => return Ok(()),
                Some('%') => self.option()?,
                Some('$') => self.variable()?,
                _ => self.state()?,
            }
        }
    }

    fn option(&mut self) -> Read<()> {
        self.at += 1;
        let (name, place) = self.word("an option, such as `%init: S;`")?;
        match name.as_str() {
            "deterministic" => self.out.chooses_not = true,
            "init" => self.init = self.listed_states()?,
            "accept" => self.accept = Some(self.listed_states()?),
            "observables" => {
                let names = self.listed()?;
                let all = names.into_iter().map(|name| self.out.function(name));
                self.observables = Some(all.collect());
            }
            _ => {
                let title = format!("the option `%{}` is not supported", shorten(&name));
                let error = Diagnostic::error(title, place);
                return Err(Box::new(error.help(
                    "the options are %init, %accept, %deterministic and %observables",
                )));
            }
        }
        self.expect(";")
    }

    /// `: a, b`
    fn listed(&mut self) -> Read<Vec<Text>> {
        self.expect(":")?;
        let mut names = Vec::new();
        loop {
            let (name, place) = self.word("a name")?;
            names.push(Text::plain(&name, place.start));
            self.skip();
            match self.rest().starts_with(',') {
                true => self.at += 1,
                false => return Ok(names),
            }
        }
    }

    fn listed_states(&mut self) -> Read<Vec<usize>> {
        let names = self.listed()?;
        let states = names.into_iter().map(|n| self.named(&n, n.span(), false));
        Ok(states.collect())
    }

    /// The number of a state.
    fn named(&mut self, name: &str, place: Range<usize>, defined: bool) -> usize {
        let next = self.names.len();
        let known = self.names.entry(name.to_owned());
        let (number, _, has) = known.or_insert((next, place, false));
        *has |= defined;
        *number
    }

    /// `S: transition | transition;`
    fn state(&mut self) -> Read<()> {
        let (name, place) = self.word("a state")?;
        if self.names.get(&name).is_some_and(|(_, _, has)| *has) {
            let title = format!("the state `{}` is there twice", shorten(&name));
            return Err(Box::new(Diagnostic::error(title, place)));
        }
        let from = self.named(&name, place, true);
        self.expect(":")?;
        let mut others = Vec::new();
        loop {
            self.skip();
            let mut pattern = None;
            let guard = match () {
                () if self.rest().starts_with("->") || self.rest().starts_with('$') => {
                    Guard::All(Vec::new())
                }
                () if self.rest().starts_with('{') => {
                    let start = self.at;
                    let read = self.guard()?;
                    if !self.out.variables.is_empty() && read.repeats() {
                        self.at = start;
                        return Err(self.refused(1, "a machine with variables repeats no events"));
                    }
                    let first = read.first();
                    pattern = Some(read);
                    first
                }
                () => match self.word("a guard in braces, `other` or `->`")? {
                    (word, _) if word == "other" => {
                        let all = others.iter().cloned().map(Guard::otherwise);
                        Guard::All(all.collect())
                    }
                    (word, place) => {
                        let title =
                            format!("expected a guard in braces, found `{}`", shorten(&word));
                        return Err(Box::new(Diagnostic::error(title, place)));
                    }
                },
            };
            let actions = self.actions()?;
            self.expect("->")?;
            let (name, place) = self.word("a state")?;
            let to = self.named(&name, place, false);
            others.push(guard.clone());
            let first = self.out.transitions.len();
            match pattern {
                Some(pattern) => self.lead(from, &pattern, to),
                None => self.out.transitions.push(Transition {
                    from,
                    guard,
                    to,
                    actions: Vec::new(),
                }),
            }
            let new = self.out.transitions[first..].iter_mut();
            for last in new.filter(|transition| transition.to == to) {
                last.actions.clone_from(&actions);
            }
            self.skip();
            match self.rest().chars().next() {
                Some('|') => self.at += 1,
                _ => return self.expect(";"),
            }
        }
    }

    /// A guard in braces: events one after the other, of which each may be repeated.
    fn guard(&mut self) -> Read<Pattern> {
        self.expect("{")?;
        let start = self.at;
        let pattern = self.sequence(0)?;
        self.expect("}")?;
        if pattern.may_be_empty() {
            self.at = start;
            let length = self.rest().find('}').unwrap_or(1);
            return Err(self.refused(length, "no event may be enough for this transition"));
        }
        Ok(pattern)
    }

    fn either(&mut self, depth: usize) -> Read<Guard> {
        let mut all = vec![self.both(depth)?];
        while self.comes("||") {
            all.push(self.both(depth)?);
        }
        Ok(match all.len() {
            1 => all.remove(0),
            _ => Guard::Any(all),
        })
    }

    fn both(&mut self, depth: usize) -> Read<Guard> {
        let mut all = vec![self.one(depth)?];
        while self.comes("&&") {
            all.push(self.one(depth)?);
        }
        Ok(match all.len() {
            1 => all.remove(0),
            _ => Guard::All(all),
        })
    }

    fn one(&mut self, depth: usize) -> Read<Guard> {
        const DEEPEST: usize = 100;
        self.skip();
        if depth > DEEPEST {
            return Err(self.refused(1, "the guard is too deep"));
        }
        let rest = self.rest();
        if rest.starts_with('!') && !rest.starts_with("!=") {
            self.at += 1;
            return Ok(Guard::not(self.one(depth + 1)?));
        }
        if rest.starts_with('(') {
            let start = self.at;
            self.at += 1;
            // Else the parenthesis is one of C.
            if let Ok(guard) = self.either(depth + 1) {
                self.skip();
                if self.rest().starts_with(')') {
                    self.at += 1;
                    self.skip();
                    let rest = self.rest();
                    if ["&&", "||", ")", "}", ";", "]", "*", "+", "?", "{"]
                        .iter()
                        .any(|s| rest.starts_with(s))
                    {
                        return Ok(guard);
                    }
                }
            }
            self.at = start;
        }
        let length = self.word_length();
        let word = &self.text[self.at..self.at + length];
        match word {
            "CALL" | "RETURN" | "COR" => {
                self.at += length;
                self.expect("(")?;
                let (name, place) = self.word("a function")?;
                self.expect(")")?;
                let function = self.out.function(Text::plain(&name, place.start));
                let event = |rises| Guard::Event(function, rises);
                Ok(match word {
                    "CALL" => event(true),
                    "RETURN" => event(false),
                    _ => Guard::Any(vec![event(true), event(false)]),
                })
            }
            "true" | "false" => {
                self.at += length;
                let all = Guard::All(Vec::new());
                Ok(if word == "true" { all } else { Guard::not(all) })
            }
            _ => self.condition(),
        }
    }

    /// A condition in C, up to what ends it.
    fn condition(&mut self) -> Read<Guard> {
        let start = self.at;
        let (mut depth, mut end) = (0usize, start);
        for (i, c) in self.rest().char_indices() {
            let here = &self.rest()[i..];
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' if depth == 0 => break,
                ')' | ']' => depth -= 1,
                '}' | '{' => break,
                ';' => break,
                _ if depth == 0 && (here.starts_with("&&") || here.starts_with("||")) => break,
                _ => {}
            }
            end = start + i + c.len_utf8();
        }
        let text = self.text[start..end].trim_end();
        let length = text.len();
        let called = text.match_indices("()").any(|(at, _)| {
            let behind = text[at + 2..].trim_start();
            !behind.starts_with('.')
        });
        let wrong = match () {
            () if text.is_empty() => Some("expected a guard"),
            () if called || self.text[end..].starts_with('{') => {
                Some("a call stands alone, or is `f().x` for its parameter `x`")
            }
            () => None,
        };
        if let Some(wrong) = wrong {
            return Err(self.refused(length.max(1), wrong));
        }
        self.at = start + length;
        let text = Text::plain(text, self.offset + start);
        let leaf = self.leaf(&text);
        let scope = self.scope;
        if scope.is_some() || text.contains("()") || text.contains(['\\', '$']) {
            self.out.reads_data = true;
            leaf.clone()?;
        }
        let condition = Condition { text, scope, leaf };
        Ok(Guard::Condition(self.out.condition(condition)))
    }

    fn finish(mut self) -> Read<States> {
        let undefined = self.names.iter().find(|(_, (_, _, has))| !has);
        if let Some((name, (_, place, _))) = undefined {
            let title = format!("the state `{}` has no transitions", shorten(name));
            let help = "a state that is left by no event is written `S: -> S;`";
            return Err(Box::new(Diagnostic::error(title, place.clone()).help(help)));
        }
        let whole = self.offset..self.offset;
        if self.init.is_empty() {
            let title = "the machine has no initial state";
            let error = Diagnostic::error(title, whole);
            return Err(Box::new(error.help("name it: `%init: S;`")));
        }
        let place = Text::plain("main", self.offset);
        self.out.main = self.out.function(place);
        // In the middle of a sequence, nothing is accepted.
        let count = self.names.len();
        self.renumber(count);
        self.out.init = self.init;
        let accept = self.accept.unwrap_or_else(|| (0..count).collect());
        if let Some(observed) = self.observables {
            if !observed.contains(&self.out.main) && accept.len() < count {
                let title =
                    "`main` is not observed, and not every state is accepted where it returns";
                return Err(Box::new(Diagnostic::error(title, whole)));
            }
            self.out.observed = Some(observed);
        }
        self.out.accept = accept;
        Ok(self.out)
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips white space and comments.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            let rest = self.rest();
            let end = match () {
                () if rest.starts_with("//") => rest.find('\n'),
                () if rest.starts_with("/*") => rest.find("*/").map(|end| end + 2),
                () => return,
            };
            self.at += end.unwrap_or(rest.len());
        }
    }

    fn word_length(&self) -> usize {
        let end = self
            .rest()
            .find(|c: char| !(c.is_alphanumeric() || c == '_'));
        end.unwrap_or(self.rest().len())
    }

    fn word(&mut self, expected: &str) -> Read<(String, Range<usize>)> {
        self.skip();
        let length = self.word_length();
        let word = self.text[self.at..self.at + length].to_owned();
        if !is_identifier(&word) {
            return Err(self.refused(1, &format!("expected {expected}")));
        }
        let place = self.offset + self.at..self.offset + self.at + length;
        self.at += length;
        Ok((word, place))
    }

    /// Whether an operator comes, which is taken then.
    fn comes(&mut self, sign: &str) -> bool {
        self.skip();
        let comes = self.rest().starts_with(sign);
        if comes {
            self.at += sign.len();
        }
        comes
    }

    fn expect(&mut self, sign: &str) -> Read<()> {
        match self.comes(sign) {
            true => Ok(()),
            false => Err(self.refused(1, &format!("expected `{sign}`"))),
        }
    }

    /// The error for what comes, of at most so many bytes.
    fn refused(&self, length: usize, why: &str) -> Box<Diagnostic> {
        let rest = self.rest();
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let length = if length > 1 {
            length.min(rest.len())
        } else {
            first
        };
        let start = self.offset + self.at;
        let title = format!("not a state machine that is understood: {why}");
        let error = Diagnostic::error(title, start..start + length);
        Box::new(error.help(
            "a state is written `S: { CALL(f) && x > 0 } -> T | { RETURN(f) } -> S | other -> U;`",
        ))
    }
}
