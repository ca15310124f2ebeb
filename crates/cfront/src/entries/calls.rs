//! Which calls of entries may follow one another: any order, or a regular expression as an automaton.

use std::collections::{BTreeMap, BTreeSet};

/// Which functions are called, and which call may follow which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calls {
    /// The functions, each once, in the order in which they are named.
    pub functions: Vec<String>,
    /// The states of a deterministic automaton over the functions; the first is the initial one.
    pub states: Vec<State>,
}

/// A moment between two calls.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    /// The calls that may come now, by their indices in [`Calls::functions`], each with the state after it.
    pub calls: Vec<(usize, usize)>,
    /// Whether the calls may end here.
    pub ends: bool,
}

/// Why an expression of calls cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Which of the texts.
    pub text: usize,
    /// Where in it, in bytes.
    pub at: usize,
    /// The end of what is wrong there.
    pub end: usize,
    /// What is wrong there.
    pub message: String,
}

/// The most calls that an expression may have: the automaton's states are sets of them.
const MOST: usize = 200;

impl Calls {
    /// The calls of a list of functions, or of an expression: a single text with an operator or a blank in it.
    ///
    /// # Errors
    /// If a text is neither a name nor a lone expression.
    pub fn of(texts: &[String]) -> Result<Calls, Unreadable> {
        let is_name = |text: &str| {
            let first = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            first && text.chars().all(is_of_name)
        };
        match texts {
            [one] if !is_name(one.trim()) => Calls::parse(one),
            names => match names.iter().enumerate().find(|(_, name)| !is_name(name.trim())) {
                None => Ok(Calls::in_any_order(names)),
                Some((text, other)) => Err(Unreadable {
                    text,
                    at: 0,
                    end: other.len(),
                    message: format!(
                        "`{other}` is no name of a function, and an expression of calls stands alone"
                    ),
                }),
            },
        }
    }

    /// These functions in any order, again and again without an end.
    fn in_any_order(names: &[String]) -> Calls {
        let mut functions: Vec<String> = Vec::new();
        for name in names {
            if !functions.iter().any(|f| f == name.trim()) {
                functions.push(name.trim().to_string());
            }
        }
        let calls = (0..functions.len()).map(|f| (f, 0)).collect();
        Calls {
            functions,
            states: vec![State { calls, ends: false }],
        }
    }

    /// The calls of a regular expression: names, one behind the other, `|`, `*`, `+`, `?`, and parentheses. It is
    /// compiled to an automaton whose states are the sets of places that a call may have been (Glushkov, "The abstract
    /// theory of automata", 1961), which are then merged as far as they allow the same (Moore, "Gedanken-experiments
    /// on sequential machines", 1956). Exponential in the number of places in the worst case, for expressions that
    /// nobody writes of interfaces; at most 4,096 states.
    ///
    /// # Errors
    /// A character or an end in a wrong place; an expression of too many calls or states.
    pub fn parse(text: &str) -> Result<Calls, Unreadable> {
        let mut parser = Parser {
            text,
            at: 0,
            functions: Vec::new(),
            places: Vec::new(),
            follow: BTreeSet::new(),
        };
        let part = parser.alternatives()?;
        if parser.at < text.len() {
            return Err(parser.unexpected());
        }
        if parser.places.is_empty() {
            return Err(parser.fail("it names no function"));
        }
        parser.automaton(&part).map(|states| Calls {
            functions: parser.functions,
            states: merged(states),
        })
    }

    /// Whether any call may follow any other, without an end.
    pub fn any_order(&self) -> bool {
        self.states.len() == 1 && !self.states[0].ends
    }

    /// The call that a choice stands for in a state, with the state after it; `None` for the end. The last possibility
    /// is also that of all larger choices.
    pub fn chosen(&self, state: usize, choice: u64) -> Option<(usize, usize)> {
        let state = &self.states[state];
        let at = usize::try_from(choice).unwrap_or(usize::MAX);
        let last = state.calls.len().checked_sub(1)?;
        match state.ends {
            true => state.calls.get(at).copied(),
            false => state.calls.get(at.min(last)).copied(),
        }
    }
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// A part of an expression: whether it allows no call at all, and the places of its first and last calls.
#[derive(Clone, Debug, Default)]
struct Part {
    empty: bool,
    first: BTreeSet<usize>,
    last: BTreeSet<usize>,
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    functions: Vec<String>,
    /// The function of each place.
    places: Vec<usize>,
    /// Pairs of places of which the second may follow the first.
    follow: BTreeSet<(usize, usize)>,
}

impl Parser<'_> {
    fn fail(&self, message: &str) -> Unreadable {
        let rest = &self.text[self.at.min(self.text.len())..];
        let word = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
        let first = rest.chars().next().map_or(0, char::len_utf8);
        Unreadable {
            text: 0,
            at: self.at,
            end: self.at + word.max(first),
            message: message.to_string(),
        }
    }

    fn unexpected(&mut self) -> Unreadable {
        match self.peek() {
            Some(c) => self.fail(&format!(
                "`{c}` cannot stand here: names of functions, blanks, `|`, `*`, `+`, `?` and parentheses can"
            )),
            None => self.fail("a name of a function is missing at the end"),
        }
    }

    /// The next character that is not blank.
    fn peek(&mut self) -> Option<char> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        trimmed.chars().next()
    }

    fn takes(&mut self, wanted: char) -> bool {
        let is = self.peek() == Some(wanted);
        if is {
            self.at += wanted.len_utf8();
        }
        is
    }

    fn alternatives(&mut self) -> Result<Part, Unreadable> {
        let mut all = self.sequence()?;
        while self.takes('|') {
            let other = self.sequence()?;
            all.empty |= other.empty;
            all.first.extend(other.first);
            all.last.extend(other.last);
        }
        Ok(all)
    }

    fn sequence(&mut self) -> Result<Part, Unreadable> {
        let mut whole = self.repeated()?;
        while self.peek().is_some_and(|c| c == '(' || is_of_name(c)) {
            let next = self.repeated()?;
            self.joins(&whole.last, &next.first);
            if whole.empty {
                whole.first.extend(&next.first);
            }
            match next.empty {
                true => whole.last.extend(&next.last),
                false => whole.last = next.last,
            }
            whole.empty &= next.empty;
        }
        Ok(whole)
    }

    fn joins(&mut self, before: &BTreeSet<usize>, behind: &BTreeSet<usize>) {
        for a in before {
            self.follow.extend(behind.iter().map(|b| (*a, *b)));
        }
    }

    fn repeated(&mut self) -> Result<Part, Unreadable> {
        let mut part = self.single()?;
        loop {
            let (again, absent) = match self.peek() {
                Some('*') => (true, true),
                Some('+') => (true, false),
                Some('?') => (false, true),
                _ => return Ok(part),
            };
            self.at += 1;
            if again {
                let (last, first) = (part.last.clone(), part.first.clone());
                self.joins(&last, &first);
            }
            part.empty |= absent;
        }
    }

    fn single(&mut self) -> Result<Part, Unreadable> {
        if self.takes('(') {
            let inner = self.alternatives()?;
            return match self.takes(')') {
                true => Ok(inner),
                false => match self.peek() {
                    None => Err(self.fail("a `)` is missing at the end")),
                    Some(_) => Err(self.unexpected()),
                },
            };
        }
        let starts = |c: char| c.is_ascii_alphabetic() || c == '_';
        if !self.peek().is_some_and(starts) {
            return Err(self.unexpected());
        }
        let rest = &self.text[self.at..];
        let name = &rest[..rest.find(|c| !is_of_name(c)).unwrap_or(rest.len())];
        if self.places.len() == MOST {
            return Err(self.fail(&format!("it has more than {MOST} calls")));
        }
        let known = self.functions.iter().position(|f| f == name);
        let function = known.unwrap_or_else(|| {
            self.functions.push(name.to_string());
            self.functions.len() - 1
        });
        self.at += name.len();
        let place = BTreeSet::from([self.places.len()]);
        self.places.push(function);
        Ok(Part {
            empty: false,
            first: place.clone(),
            last: place,
        })
    }

    /// The deterministic automaton of the whole expression.
    fn automaton(&self, whole: &Part) -> Result<Vec<State>, Unreadable> {
        const STATES: usize = 4096;
        // `None` is the begin.
        let mut sets: Vec<(bool, BTreeSet<usize>)> = vec![(true, BTreeSet::new())];
        let mut states: Vec<State> = Vec::new();
        while let Some((begin, set)) = sets.get(states.len()).cloned() {
            let next: BTreeSet<usize> = match begin {
                true => whole.first.clone(),
                false => {
                    let of = |from: &usize| {
                        let range = (*from, 0)..=(*from, usize::MAX);
                        self.follow.range(range).map(|(_, to)| *to)
                    };
                    set.iter().flat_map(of).collect()
                }
            };
            let mut by_function: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
            for place in next {
                let function = self.places[place];
                by_function.entry(function).or_default().insert(place);
            }
            let mut calls = Vec::new();
            for (function, places) in by_function {
                let to = sets.iter().position(|(b, s)| !b && *s == places);
                let to = to.unwrap_or_else(|| {
                    sets.push((false, places));
                    sets.len() - 1
                });
                calls.push((function, to));
            }
            let ends = match begin {
                true => whole.empty,
                false => !set.is_disjoint(&whole.last),
            };
            states.push(State { calls, ends });
            if sets.len() > STATES {
                return Err(self.fail("its calls depend on too much of what was called before"));
            }
        }
        Ok(states)
    }
}

/// The automaton in which states that allow the same are one, in the order of their first visit.
fn merged(states: Vec<State>) -> Vec<State> {
    let mut class: Vec<usize> = states.iter().map(|s| usize::from(s.ends)).collect();
    loop {
        let mut known: BTreeMap<(usize, Vec<(usize, usize)>), usize> = BTreeMap::new();
        let refined = states.iter().zip(&class).map(|(state, of)| {
            let calls = state.calls.iter().map(|(f, to)| (*f, class[*to])).collect();
            let next = known.len();
            *known.entry((*of, calls)).or_insert(next)
        });
        let refined: Vec<usize> = refined.collect();
        if refined == class {
            break;
        }
        class = refined;
    }
    let mut out: Vec<State> = Vec::new();
    for (state, of) in states.iter().zip(&class) {
        if *of == out.len() {
            out.push(State {
                calls: state.calls.iter().map(|(f, to)| (*f, class[*to])).collect(),
                ends: state.ends,
            });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Whether an expression allows a word of calls, and whether calls may end after it.
    fn allows(calls: &Calls, word: &str) -> (bool, bool) {
        let mut at = 0;
        for name in word.split_whitespace() {
            let function = calls.functions.iter().position(|f| f == name);
            let mut next = calls.states[at].calls.iter();
            match next.find(|(f, _)| Some(*f) == function) {
                Some((_, to)) => at = *to,
                None => return (false, false),
            }
        }
        (true, calls.states[at].ends)
    }

    #[test]
    fn words_of_expressions() {
        for (text, word, allowed, ends) in [
            ("init (push | pop)*", "", true, false),
            ("init (push | pop)*", "push", false, false),
            ("init (push | pop)*", "init pop push push", true, true),
            ("init (push | pop)*", "init init", false, false),
            (
                "(open (read | write)* close)+",
                "open close open",
                true,
                false,
            ),
            (
                "(open (read | write)* close)+",
                "open write close",
                true,
                true,
            ),
            ("(open (read | write)* close)+", "close", false, false),
            ("a? b", "b", true, true),
            ("a? b", "a", true, false),
            ("a+ b?", "a a a b", true, true),
            ("a+ b?", "a b b", false, false),
            ("(a b | a c) d", "a c d", true, true),
            ("((a))", "a", true, true),
            ("a(b)c", "a b c", true, true),
        ] {
            let calls = Calls::parse(text).unwrap();
            assert_eq!(allows(&calls, word), (allowed, ends), "{text}: {word}");
        }
    }

    #[test]
    fn states_that_allow_the_same_are_one() {
        assert_eq!(Calls::parse("init (push | pop)*").unwrap().states.len(), 2);
        assert_eq!(Calls::parse("(a | b)*").unwrap().states.len(), 1);
        assert_eq!(Calls::parse("(a b | a c) d").unwrap().states.len(), 4);
    }

    #[test]
    fn a_list_has_no_end() {
        let names = ["push", "pop", "push"].map(String::from);
        let calls = Calls::of(&names).unwrap();
        assert_eq!(calls.functions, ["push", "pop"]);
        assert!(calls.any_order());
        assert_eq!(calls.chosen(0, 7), Some((1, 0)));
        assert!(!Calls::of(&["(push | pop)*".into()]).unwrap().any_order());
    }

    #[test]
    fn choices_of_a_state() {
        let calls = Calls::parse("init push*").unwrap();
        assert_eq!(calls.chosen(0, 9), Some((0, 1)));
        assert_eq!(calls.chosen(1, 0), Some((1, 1)));
        assert_eq!(calls.chosen(1, 1), None);
    }

    #[test]
    fn wrong_expressions_tell_the_place() {
        for (text, at) in [
            ("", 0),
            ("init (push", 10),
            ("init | ", 7),
            ("init )", 5),
            ("* init", 0),
            ("a, b", 1),
            ("1a", 0),
            ("()", 1),
        ] {
            assert_eq!(Calls::parse(text).unwrap_err().at, at, "{text}");
        }
        assert!(Calls::of(&["a*".into(), "b".into()]).is_err());
    }
}
