//! Remembered values: their syntax, and that the formula with one choice of a letter means what the definition says.
#![allow(clippy::unwrap_used)]

use ltl::lasso::{Lasso, Letter};
use ltl::{parse, print, Atom, AtomId, Parsed, Style};
use std::collections::HashMap;

fn printed(text: &str) -> String {
    let parsed = parse(text).unwrap_or_else(|e| panic!("{text}: {e} {e:?}"));
    print(&parsed.arena, parsed.root, Style::Ascii)
}

#[test]
fn values_are_remembered_and_compared() {
    for (text, expected) in [
        (
            "G (send -> let v = msg in F (recv && data == v))",
            "G(send -> (\"v := msg\" -> F(recv && \"data == v\")))",
        ),
        (
            "G(let v = {q->head & 1} in X[2] {other == v} W done)",
            "G(\"v := q->head & 1\" -> (X[2] \"other == v\" W done))",
        ),
        // Below a negation the dual operators let the choice through.
        (
            "!F (p && let old = s.len[2] in G s.len[2] <= old)",
            "!F(p && (\"old := s.len[2]\" && G \"s.len[2] <= old\"))",
        ),
        (
            "(p && let v = f::x in F y>=v) -> q",
            "(p && (\"v := f::x\" && F \"y>=v\")) -> q",
        ),
    ] {
        let parsed = parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        let made = print(&parsed.arena, parsed.root, Style::Ascii);
        assert_eq!(
            made.replace(['(', ')'], ""),
            expected.replace(['(', ')'], ""),
            "{text}"
        );
        // What is printed is a formula over propositions of these names.
        assert_eq!(printed(&made), made);
        let [remembered] = parsed.remembered.as_slice() else {
            panic!("{text}")
        };
        assert_eq!(remembered.compared.len(), 1, "{text}");
        for (atom, place) in &remembered.compared {
            let name = Atom::Name(text[place.clone()].to_owned());
            assert_eq!(parsed.arena.atoms()[atom.0 as usize], name);
        }
    }
    // Without a value behind it, the word is a proposition.
    assert_eq!(printed("G (let -> in)"), "G(let -> in)");
    // What holds beside it tells where the choice makes a difference.
    let parsed = parse("G (p -> (q || let v = x in F y == v))").unwrap();
    let guards = parsed.remembered[0].guards.iter();
    let guards: Vec<String> = guards
        .map(|id| print(&parsed.arena, *id, Style::Ascii))
        .collect();
    assert_eq!(guards, ["p", "!q"]);
}

#[test]
fn what_needs_several_values_at_a_time_is_refused_where_it_stands() {
    for (text, found, place) in [
        (
            "F let v = x in G y == v",
            "`let v` within `F`",
            "let v = x in",
        ),
        (
            "G (p -> F (q && let v = x in X y == v))",
            "`let v` within `F`",
            "let v = x in",
        ),
        (
            "!G let v = x in F y == v",
            "`let v` within a negated `G`",
            "let v = x in",
        ),
        (
            "p U let v = x in X y == v",
            "`let v` within `U`",
            "let v = x in",
        ),
        (
            "p <-> let v = x in X y == v",
            "`let v` within `<->`",
            "let v = x in",
        ),
        ("G let v = x in O y == v", "`v` below `O`", "let v = x in"),
        (
            "(G let v = x in X y == v) || G let v = z in X y == v",
            "a second `let v`",
            "let v = z in",
        ),
        (
            "G let v = x in let w = {v + 1} in X y == w",
            "in the value of another one",
            "let w = {v + 1} in",
        ),
        (
            "{p; let v = x in y == v} |-> q",
            "within a sequence",
            "let v = x in",
        ),
        ("G let v = 3 in F y == v", "expected a variable", "3"),
        ("G let v = x F y == v", "`in`", "F"),
    ] {
        let error = parse(text).unwrap_err();
        assert!(
            error.to_string().contains(found) || error.expected.contains(found),
            "{text}: {error}"
        );
        let at = error.span.clone();
        assert!(
            text[at.start..].starts_with(place) || text[at].trim().starts_with(place),
            "{text}: {:?}",
            error.span
        );
    }
}

/// A formula as the tests understand it.
#[derive(Clone, Debug)]
enum F {
    P,
    Q,
    /// The second variable compared with a remembered value.
    Compared(usize),
    Not(Box<F>),
    Next(Box<F>),
    Finally(Box<F>),
    Globally(Box<F>),
    Historically(Box<F>),
    Before(Box<F>),
    Soon(Box<F>),
    And(Box<F>, Box<F>),
    Or(Box<F>, Box<F>),
    Implies(Box<F>, Box<F>),
    Until(Box<F>, Box<F>),
    WeakUntil(Box<F>, Box<F>),
    Release(Box<F>, Box<F>),
    /// The first variable is remembered under this number.
    Let(usize, Box<F>),
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % limit
    }

    fn formula(&mut self, depth: u32, known: &mut Vec<usize>, lets: &mut usize) -> F {
        if depth == 0 {
            return match self.below(5) {
                0 => F::P,
                1 => F::Q,
                _ if !known.is_empty() => {
                    let at = self.below(known.len() as u64) as usize;
                    F::Compared(known[at])
                }
                _ => F::P,
            };
        }
        let of = |random: &mut Random, known: &mut Vec<usize>, lets: &mut usize| {
            Box::new(random.formula(depth - 1, known, lets))
        };
        match self.below(20) {
            0 => F::Not(of(self, known, lets)),
            1 | 2 => F::Next(of(self, known, lets)),
            3 | 4 => F::Finally(of(self, known, lets)),
            5 | 6 => F::Globally(of(self, known, lets)),
            7 if known.is_empty() => F::Historically(of(self, known, lets)),
            8 if known.is_empty() => F::Before(of(self, known, lets)),
            9 => F::Soon(of(self, known, lets)),
            10 => F::And(of(self, known, lets), of(self, known, lets)),
            11 => F::Or(of(self, known, lets), of(self, known, lets)),
            12 | 13 => F::Implies(of(self, known, lets), of(self, known, lets)),
            14 => F::Until(of(self, known, lets), of(self, known, lets)),
            15 => F::WeakUntil(of(self, known, lets), of(self, known, lets)),
            16 => F::Release(of(self, known, lets), of(self, known, lets)),
            _ if *lets < 2 => {
                let number = *lets;
                *lets += 1;
                known.push(number);
                let inner = of(self, known, lets);
                known.pop();
                F::Let(number, inner)
            }
            _ => F::Globally(of(self, known, lets)),
        }
    }
}

fn text(f: &F) -> String {
    let (one, two) = match f {
        F::P => return "p".into(),
        F::Q => return "q".into(),
        F::Compared(n) => return format!("{{y == v{n}}}"),
        F::Let(n, a) => return format!("(let v{n} = x in {})", text(a)),
        F::Not(a) => ("!", a),
        F::Next(a) => ("X ", a),
        F::Finally(a) => ("F ", a),
        F::Globally(a) => ("G ", a),
        F::Historically(a) => ("H ", a),
        F::Before(a) => ("Y ", a),
        F::Soon(a) => ("F[1,2] ", a),
        F::And(a, b) => return format!("({} && {})", text(a), text(b)),
        F::Or(a, b) => return format!("({} || {})", text(a), text(b)),
        F::Implies(a, b) => return format!("({} -> {})", text(a), text(b)),
        F::Until(a, b) => return format!("({} U {})", text(a), text(b)),
        F::WeakUntil(a, b) => return format!("({} W {})", text(a), text(b)),
        F::Release(a, b) => return format!("({} R {})", text(a), text(b)),
    };
    format!("{one}({})", text(two))
}

/// A letter with data: two propositions, two variables of three values.
type Data = (bool, bool, u8, u8);

/// An infinite word: from the second number on, it repeats.
struct Word {
    letters: Vec<Data>,
    cycle: usize,
}

impl Word {
    fn at(&self, position: usize) -> Data {
        let length = self.letters.len() - self.cycle;
        match position < self.letters.len() {
            true => self.letters[position],
            false => self.letters[self.cycle + (position - self.cycle) % length],
        }
    }

    /// Positions from here on, enough to see all that comes: past operators of depth 4 repeat after some rounds.
    fn on(&self, from: usize) -> std::ops::Range<usize> {
        from..from.max(self.cycle + 5 * self.length()) + 2 * self.length()
    }

    fn length(&self) -> usize {
        self.letters.len() - self.cycle
    }
}

/// The value by the definition; each remembered value is the variable's at its letter.
fn holds(f: &F, word: &Word, at: usize, values: &mut HashMap<usize, u8>) -> bool {
    let mut of = |f: &F, at: usize| holds(f, word, at, values);
    match f {
        F::P => word.at(at).0,
        F::Q => word.at(at).1,
        F::Compared(n) => values.get(n) == Some(&word.at(at).3),
        F::Not(a) => !of(a, at),
        F::Next(a) => of(a, at + 1),
        F::Finally(a) => word.on(at).any(|i| of(a, i)),
        F::Globally(a) => word.on(at).all(|i| of(a, i)),
        F::Historically(a) => (0..=at).all(|i| of(a, i)),
        F::Before(a) => at > 0 && of(a, at - 1),
        F::Soon(a) => of(a, at + 1) || of(a, at + 2),
        F::And(a, b) => of(a, at) && of(b, at),
        F::Or(a, b) => of(a, at) || of(b, at),
        F::Implies(a, b) => !of(a, at) || of(b, at),
        F::Until(a, b) => word
            .on(at)
            .find_map(|i| {
                if of(b, i) {
                    Some(true)
                } else {
                    (!of(a, i)).then_some(false)
                }
            })
            .unwrap_or(false),
        F::WeakUntil(a, b) => word
            .on(at)
            .find_map(|i| {
                if of(b, i) {
                    Some(true)
                } else {
                    (!of(a, i)).then_some(false)
                }
            })
            .unwrap_or(true),
        F::Release(a, b) => word
            .on(at)
            .find_map(|i| {
                if !of(b, i) {
                    Some(false)
                } else {
                    of(a, i).then_some(true)
                }
            })
            .unwrap_or(true),
        F::Let(n, a) => {
            let outer = values.insert(*n, word.at(at).2);
            let value = holds(a, word, at, values);
            match outer {
                Some(outer) => values.insert(*n, outer),
                None => values.remove(n),
            };
            value
        }
    }
}

/// The value of the formula that was made, for one choice of letters.
fn chosen(parsed: &Parsed, word: &Word, choice: &[Option<usize>], stem: usize) -> bool {
    let atom = |name: &str| parsed.arena.find_atom(&Atom::Name(name.to_owned()));
    let letter = |position: usize| -> Letter {
        let (p, q, _, y) = word.at(position);
        let mut letter = Letter::new();
        let mut add = |atom: Option<AtomId>, value: bool| letter.extend(atom.filter(|_| value));
        add(atom("p"), p);
        add(atom("q"), q);
        for (n, at) in choice.iter().enumerate() {
            let Some(at) = at else { continue };
            add(atom(&format!("v{n} := x")), *at == position);
            let known = position >= *at && word.at(*at).2 == y;
            add(atom(&format!("y == v{n}")), known);
        }
        letter
    };
    let prefix = (0..stem).map(letter).collect();
    let cycle = (stem..stem + word.length()).map(letter).collect();
    let lasso = Lasso::new(prefix, cycle).unwrap();
    lasso.satisfies(&parsed.arena, parsed.root)
}

#[test]
fn one_choice_means_what_the_definition_says() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut read, mut words, mut violated) = (0, 0, 0);
    for _ in 0..2500 {
        let (mut known, mut lets) = (Vec::new(), 0);
        let f = random.formula(4, &mut known, &mut lets);
        let text = text(&f);
        let Ok(parsed) = parse(&text) else { continue };
        if lets == 0 {
            continue;
        }
        read += 1;
        for _ in 0..3 {
            let cycle = random.below(3) as usize;
            let length = cycle + 1 + random.below(3) as usize;
            let letters = (0..length).map(|_| {
                let coin = |random: &mut Random| random.below(2) == 0;
                let pair = (coin(&mut random), coin(&mut random));
                (pair.0, pair.1, random.below(3) as u8, random.below(3) as u8)
            });
            let letters = letters.collect();
            let word = Word { letters, cycle };
            let expected = holds(&f, &word, 0, &mut HashMap::new());
            // The letters at which the choice can differ, and one with none.
            let stem = word.cycle + 4 * word.length();
            let places: Vec<Option<usize>> = (0..stem).map(Some).chain([None]).collect();
            let all = match parsed.remembered.len() {
                1 => places
                    .iter()
                    .all(|a| chosen(&parsed, &word, &[*a, *a], stem)),
                _ => places.iter().all(|a| {
                    places
                        .iter()
                        .all(|b| chosen(&parsed, &word, &[*a, *b], stem))
                }),
            };
            assert_eq!(all, expected, "{text} {:?} {}", word.letters, word.cycle);
            words += 1;
            violated += usize::from(!expected);
        }
    }
    assert!(read > 400 && words > 1200, "{read} {words}");
    assert!(violated > words / 10, "{violated} of {words}");
}
