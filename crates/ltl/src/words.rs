//! Formulas in plain words.

use crate::remembered::is_proposition;
use crate::{
    print_bounded, Arena, Atom, Bounded, Id, Interval, Matching, Node, Part, Pattern, Style,
};
use std::collections::HashMap;

/// A part of a formula is said in at most about this many bytes; what is longer is cut with `…`.
const LONGEST: usize = 4_000;

/// A formula in plain words, as a clause about one letter of a word and those around it. A word satisfies a formula if
/// the clause is true of its first letter.
pub fn words(arena: &Arena, root: Id) -> String {
    let mut known: HashMap<Id, Clause> = HashMap::new();
    for id in arena.postorder(root) {
        let clause = clause(arena, id, &known);
        known.insert(id, clause);
    }
    known
        .remove(&root)
        .map_or(String::new(), |clause| clause.text)
}

/// A clause.
struct Clause {
    text: String,
    /// Whether it stands in parentheses where something follows or where it is one of several.
    compound: bool,
}

impl Clause {
    fn simple(text: String) -> Clause {
        Clause {
            text: shortened(text),
            compound: false,
        }
    }

    fn compound(text: String) -> Clause {
        Clause {
            text: shortened(text),
            compound: true,
        }
    }

    /// The clause as a part of another one.
    fn part(&self) -> String {
        match self.compound {
            true => format!("({})", self.text),
            false => self.text.clone(),
        }
    }
}

fn shortened(mut text: String) -> String {
    if text.len() > LONGEST {
        let end = (0..=LONGEST).rev().find(|&at| text.is_char_boundary(at));
        text.truncate(end.unwrap_or(0));
        text.push('…');
    }
    text
}

fn clause(arena: &Arena, id: Id, known: &HashMap<Id, Clause>) -> Clause {
    let node = arena.node(id);
    let part = |id: &Id| known.get(id).map_or(String::new(), Clause::part);
    let open = |id: &Id| {
        known
            .get(id)
            .map_or(String::new(), |clause| clause.text.clone())
    };
    if arena.is_propositional(id) {
        return propositional(arena, id);
    }
    match node {
        Node::Not(a) => Clause::compound(format!("it is not true that {}", part(a))),
        Node::And(all) => Clause::compound(joined(all, " and ", &part)),
        Node::Or(all) => Clause::compound(format!("either {}", joined(all, ", or ", &part))),
        Node::Implies(a, b) => match chosen(arena, *a) {
            Some(choice) => Clause::compound(format!("with `{choice}` here, {}", part(b))),
            None => Clause::compound(format!("if {}, then {}", open(a), part(b))),
        },
        Node::Iff(a, b) => Clause::compound(format!("{} exactly if {}", part(a), part(b))),
        Node::Globally(a) => globally(arena, *a, &open, &part),
        Node::Finally(a) => match arena.node(*a) {
            Node::Globally(b) => {
                Clause::simple(format!("from some letter on, for ever, {}", part(b)))
            }
            _ => Clause::simple(format!("now or later {}", part(a))),
        },
        Node::Next(a) => Clause::simple(format!("at the next letter {}", part(a))),
        Node::Until(a, b) => Clause::compound(format!(
            "there comes a letter at which {}, and {} at every letter before it",
            part(b),
            part(a)
        )),
        Node::WeakUntil(a, b) => Clause::compound(format!(
            "{} up to a letter at which {}, or for ever",
            part(a),
            part(b)
        )),
        Node::Release(a, b) => Clause::compound(format!(
            "{} up to and including a letter at which {}, or for ever",
            part(b),
            part(a)
        )),
        Node::StrongRelease(a, b) => Clause::compound(format!(
            "there comes a letter at which {}, and {} up to and including it",
            part(a),
            part(b)
        )),
        Node::Previous(a) => {
            Clause::simple(format!("there is a letter before, and at it {}", part(a)))
        }
        Node::WeakPrevious(a) => Clause::simple(format!(
            "at the letter before, if there is one, {}",
            part(a)
        )),
        Node::Once(a) => Clause::simple(format!("now or before {}", part(a))),
        Node::Historically(a) => {
            Clause::simple(format!("now and at every letter before {}", part(a)))
        }
        Node::Since(a, b) => Clause::compound(format!(
            "there was a letter at which {}, and {} ever since",
            part(b),
            part(a)
        )),
        Node::BackTo(a, b) => Clause::compound(format!(
            "{} back to and including a letter at which {}, or back to the start",
            part(b),
            part(a)
        )),
        Node::Within(operator, interval, all) => within(*operator, *interval, "letter", all, &part),
        Node::Timed(operator, interval, all) => within(*operator, *interval, "tick", all, &part),
        Node::Often(window, times, a) => Clause::compound(format!(
            "among the letters {}, this one being number 0, there are {} at which {}",
            distance(*window, "letter", "before"),
            number(*times),
            part(a)
        )),
        Node::Sequence(matching, pattern, all) => sequence(arena, *matching, pattern, all, &part),
        Node::True | Node::False | Node::Atom(_) => propositional(arena, id),
    }
}

fn sequence(
    arena: &Arena,
    matching: Matching,
    pattern: &Pattern,
    all: &[Id],
    part: &dyn Fn(&Id) -> String,
) -> Clause {
    let fold = pattern.fold(|one, operands| stretch(arena, one, &operands, all));
    let stretch = fold.map_or(String::new(), |clause| clause.text);
    let behind = all.last().map(part).unwrap_or_default();
    Clause::compound(match matching {
        Matching::Every => {
            format!("at the last letter of each stretch from here that is {stretch}, {behind}")
        }
        Matching::EveryNext => {
            format!("at the letter after each stretch from here that is {stretch}, {behind}")
        }
        Matching::Some => format!(
            "there is a stretch from here that is {stretch}, and at its last letter {behind}"
        ),
        Matching::SomeNext => format!(
            "there is a stretch from here that is {stretch}, and at the letter after it {behind}"
        ),
        Matching::Strong => format!("from here comes {stretch}"),
        Matching::Weak => {
            format!("from here comes {stretch}, or goes on without coming to its end")
        }
    })
}

/// A part of a pattern, in words that name letters.
fn stretch(arena: &Arena, part: Part, operands: &[Clause], letters: &[Id]) -> Clause {
    let joined = |between: &str| {
        let parts: Vec<String> = operands.iter().map(Clause::part).collect();
        parts.join(between)
    };
    let first = operands.first().map(Clause::part).unwrap_or_default();
    match part {
        Part::Letter(number) => Clause::simple(match letters.get(number as usize) {
            Some(&letter) if *arena.node(letter) == Node::True => "any letter".to_owned(),
            Some(&letter) => format!("`{}`", print_bounded(arena, letter, Style::Ascii, LONGEST)),
            None => String::new(),
        }),
        Part::Then(_) => Clause::compound(joined(", then ")),
        Part::Fusion => Clause::compound(joined(", whose last letter begins ")),
        Part::Either(_) => Clause::compound(format!("either {}", joined(" or "))),
        Part::Both(_) => Clause::compound(joined(" and, for the same letters, ")),
        Part::Along => Clause::compound(joined(" and, from the same letter on, ")),
        Part::Repeat(interval) => Clause::simple(format!("{first} {}", often(interval))),
        Part::Goto(interval) => Clause::simple(format!(
            "letters up to one at which {first} holds {}",
            nth(interval)
        )),
        Part::Times(interval) => Clause::simple(format!(
            "letters at which {first} holds {} in all",
            often(interval)
        )),
    }
}

/// A number of letters.
fn number(Interval { from, to }: Interval) -> String {
    match to {
        None => format!("at least {from}"),
        Some(to) if from == to => format!("exactly {to}"),
        Some(to) if from == 0 => format!("at most {to}"),
        Some(to) => format!("{from} to {to}"),
    }
}

/// How often something is repeated.
fn often(Interval { from, to }: Interval) -> String {
    match to {
        None if from == 0 => "any number of times".to_owned(),
        None if from == 1 => "once or more".to_owned(),
        None => format!("{from} times or more"),
        Some(1) if from == 1 => "once".to_owned(),
        Some(0) => "never".to_owned(),
        Some(to) if from == to => format!("{to} times"),
        Some(to) if from == 0 => format!("at most {to} times"),
        Some(to) => format!("{from} to {to} times"),
    }
}

/// For the how many-th time something comes.
fn nth(Interval { from, to }: Interval) -> String {
    match to {
        Some(1) if from == 1 => "for the first time".to_owned(),
        Some(to) if from == to => format!("for the time number {to}"),
        Some(to) => format!("for a time number {from} to {to}"),
        None => format!("for a time number {from} or later"),
    }
}

/// A formula about one letter: it stays a formula.
fn propositional(arena: &Arena, id: Id) -> Clause {
    let shown = |id: Id| print_bounded(arena, id, Style::Ascii, LONGEST);
    Clause::simple(match arena.node(id) {
        Node::True => "anything happens".to_owned(),
        Node::False => "the impossible happens".to_owned(),
        Node::Not(a) if matches!(arena.node(*a), Node::Atom(_)) => {
            format!("`{}` does not hold", shown(*a))
        }
        _ => format!("`{}` holds", shown(id)),
    })
}

fn joined(all: &[Id], between: &str, part: &dyn Fn(&Id) -> String) -> String {
    all.iter().map(part).collect::<Vec<_>>().join(between)
}

/// `G a`, with the usual forms of `a`.
fn globally(
    arena: &Arena,
    a: Id,
    open: &dyn Fn(&Id) -> String,
    part: &dyn Fn(&Id) -> String,
) -> Clause {
    match arena.node(a) {
        Node::Implies(premise, conclusion) => {
            Clause::compound(format!("whenever {}, {}", open(premise), part(conclusion)))
        }
        Node::Finally(b) => Clause::simple(format!("again and again, for ever, {}", part(b))),
        _ => Clause::simple(format!("always {}", part(&a))),
    }
}

/// The proposition that a value is remembered.
fn chosen(arena: &Arena, id: Id) -> Option<&str> {
    match arena.node(id) {
        Node::Atom(atom) => match arena.atoms().get(atom.0 as usize)? {
            Atom::Name(name) if is_proposition(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

fn counted(n: u32, unit: &str) -> String {
    match n {
        1 => format!("1 {unit}"),
        n => format!("{n} {unit}s"),
    }
}

/// The letters or ticks of an interval, `away` from here.
fn distance(Interval { from, to }: Interval, unit: &str, away: &str) -> String {
    match to {
        None => format!("{} or more {away}", counted(from, unit)),
        Some(to) if to == from => format!("{} {away}", counted(to, unit)),
        Some(to) if from == 0 => format!("at most {} {away}", counted(to, unit)),
        Some(to) => format!("{from} to {} {away}", counted(to, unit)),
    }
}

fn within(
    operator: Bounded,
    interval: Interval,
    unit: &str,
    all: &[Id],
    part: &dyn Fn(&Id) -> String,
) -> Clause {
    let away = if operator.is_past() {
        "before"
    } else {
        "later"
    };
    let place = distance(interval, unit, away);
    let first = all.first().map(part).unwrap_or_default();
    let second = all.get(1).map(part).unwrap_or_default();
    match operator {
        Bounded::Next => Clause::simple(format!("{place} {first}")),
        Bounded::Finally | Bounded::Once => Clause::simple(format!("at some letter {place} {first}")),
        Bounded::Globally | Bounded::Historically => {
            Clause::simple(format!("at every letter {place} {first}"))
        }
        Bounded::Until => Clause::compound(format!(
            "there comes a letter, {place}, at which {second}, and {first} at every letter before it"
        )),
        Bounded::Since => Clause::compound(format!(
            "there was a letter, {place}, at which {second}, and {first} ever since"
        )),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::words;

    #[test]
    fn formulas_are_said_in_words() {
        for (formula, expected) in [
            ("G(p -> F q)", "whenever `p` holds, now or later `q` holds"),
            ("G F p", "again and again, for ever, `p` holds"),
            ("F G !p", "from some letter on, for ever, `p` does not hold"),
            (
                "!p U (q && r)",
                "there comes a letter at which `q && r` holds, and `p` does not hold at every letter before it",
            ),
            (
                "G(p -> (q W r)) && F s",
                "(whenever `p` holds, (`q` holds up to a letter at which `r` holds, or for ever)) and now or later `s` holds",
            ),
            ("G(p -> F[<=5] q)", "whenever `p` holds, at some letter at most 5 letters later `q` holds"),
            ("X[1] p || O[2,3] q", "either 1 letter later `p` holds, or at some letter 2 to 3 letters before `q` holds"),
            ("G(q -> O p)", "whenever `q` holds, now or before `p` holds"),
            (
                "G({a; b[*2:4]; c} |-> F d)",
                "always (at the last letter of each stretch from here that is `a`, then `b` 2 to 4 times, then `c`, now or later `d` holds)",
            ),
            (
                "G(a -> {[*0:3]; (b : c[->2]) | d[=1]}!)",
                "whenever `a` holds, (from here comes any letter at most 3 times, then (either (`b`, whose last letter begins letters up to one at which `c` holds for the time number 2) or letters at which `d` holds once in all))",
            ),
            (
                "G(O[<=2 in <=9] p)",
                "always (among the letters at most 9 letters before, this one being number 0, there are at most 2 at which `p` holds)",
            ),
            ("!F p", "it is not true that now or later `p` holds"),
            (
                "G(p -> let v = x in F y == v)",
                "whenever `p` holds, (with `v := x` here, now or later `\"y == v\"` holds)",
            ),
        ] {
            let parsed = crate::parse(formula).unwrap();
            assert_eq!(words(&parsed.arena, parsed.root), expected, "{formula}");
        }
    }

    #[test]
    fn shared_parts_do_not_make_endless_texts() {
        let mut formula = "p U q".to_owned();
        for _ in 0..40 {
            formula = format!("F ({formula}) ");
        }
        let parsed = crate::parse(&formula).unwrap();
        assert!(words(&parsed.arena, parsed.root).contains("`q` holds"));
        let mut arena = crate::Arena::new();
        let atom = arena.atom(crate::Atom::Name("p".into()));
        let mut root = arena.make(crate::Node::Atom(atom));
        for _ in 0..200 {
            root = arena.make(crate::Node::Until(root, root));
        }
        assert!(words(&arena, root).len() < 3 * super::LONGEST);
    }
}
