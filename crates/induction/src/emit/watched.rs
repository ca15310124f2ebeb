//! What a trace shows of the states at heads, and questions about the combinations of values in which heads are reached.

use std::fmt::Write;

use super::{check, Queries};
use crate::candidates::vocabulary::Literal;

/// The prefix of the variables that show the codes of a vocabulary where control arrives at a head: the head's index and the
/// group's follow.
pub const HERE: &str = "ba_here_";

/// The prefix of the variables that show them behind the head.
pub const BEHIND: &str = "ba_behind_";

/// The variable that tells in a trace which head control left last: its index, plus one.
pub const FROM: &str = "ba_from";

/// The combinations of codes in which heads are reached, as far as they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Combinations {
    /// Each combination: a head, and the codes of its vocabulary.
    pub known: Vec<(usize, Vec<usize>)>,
    /// Those of which it is asked whether a step leads to an unknown one, by number from 1; 0 stands for the start of the
    /// program.
    pub open: Vec<usize>,
}

impl Combinations {
    fn at(&self, head: usize) -> impl Iterator<Item = (usize, &Vec<usize>)> {
        let all = self.known.iter().enumerate();
        all.filter(move |(_, (h, _))| *h == head)
            .map(|(n, (_, codes))| (n + 1, codes))
    }
}

/// The questions about single states.
#[derive(Clone, Debug, Default)]
pub struct States {
    /// For each head, expressions for codes that a trace shows; none if it has no list.
    pub watched: Vec<Vec<String>>,
    /// The combinations of these codes of which it is asked where they lead.
    pub combinations: Option<Combinations>,
    /// A state of which it is asked what about it leads to a failing assertion.
    pub flipped: Option<Flipped>,
    /// States, each as a head and a condition, to find out which others lead to them.
    pub targets: Vec<(usize, String)>,
}

/// The condition that the variables of a head have these codes.
fn equal(prefix: &str, head: usize, codes: &[usize]) -> String {
    let all = codes.iter().enumerate();
    let all: Vec<String> = all
        .map(|(g, code)| format!("{prefix}{head}_{g} == {code}"))
        .collect();
    match all.is_empty() {
        true => "1".to_string(),
        false => all.join(" && "),
    }
}

/// A state behind a head, as conditions that hold in it, and states in which exactly one of these does not. Of these it is asked which
/// lead to a failing assertion, too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flipped {
    /// The head, by index.
    pub head: usize,
    /// The conditions. Where one does not hold, the others about its variables may not hold either.
    pub conditions: Vec<Literal>,
    /// The text of the assertion. Without the N-th condition, from 1, it is `flipped:N`.
    pub text: String,
}

impl Flipped {
    /// The text behind a head: the state, or one of the others.
    fn behind(&self, head: usize) -> String {
        if head != self.head {
            return "ba_flipped = 0; ".into();
        }
        let each = self.conditions.iter().enumerate();
        let each: String = each.map(|(n, own)| self.assumed(n, own)).collect();
        format!("ba_flipped = nondet_ba_integer(); {each}")
    }

    /// The condition, its negation, or nothing.
    fn assumed(&self, n: usize, own: &Literal) -> String {
        let shares = |other: &Literal| other.about.iter().any(|v| own.about.contains(v));
        let others = self.conditions.iter().enumerate();
        let others = others.filter(|(m, other)| *m != n && shares(other));
        let open: String = others
            .map(|(m, _)| format!("ba_flipped == {} || ", m + 1))
            .collect();
        let (n, text) = (n + 1, &own.text);
        format!("__CPROVER_assume(ba_flipped == {n} ? !({text}) : ({open}({text}))); ")
    }

    /// The assertions beside one of this condition and text.
    fn checks(&self, condition: &str, text: &str) -> String {
        if text != self.text {
            return String::new();
        }
        let one = |n| {
            check(
                &format!("ba_flipped != {n} || ({condition})"),
                &format!("flipped:{n}"),
            )
        };
        (1..=self.conditions.len()).map(one).collect()
    }
}

/// An assertion, together with those that [`States::flipped`] asks for.
pub(super) fn asserted(queries: &Queries, condition: &str, text: &str) -> String {
    let more = queries
        .states
        .flipped
        .as_ref()
        .map(|f| f.checks(condition, text));
    check(condition, text) + &more.unwrap_or_default()
}

/// The declarations before the program.
pub(super) fn declarations(queries: &Queries) -> String {
    let mut out = String::new();
    for (head, codes) in queries.states.watched.iter().enumerate() {
        for g in 0..codes.len() {
            let _ = writeln!(out, "static int {HERE}{head}_{g}, {BEHIND}{head}_{g};");
        }
    }
    if queries.states.combinations.is_some() {
        out += "static unsigned ba_combination;\n";
    }
    if queries.states.flipped.is_some() {
        out += "static unsigned ba_flipped;\n";
    }
    out
}

/// The text where control arrives at a head.
pub(super) fn arrives(head: usize, queries: &Queries) -> String {
    let mut out = assigned(HERE, head, queries);
    let Some(combinations) = &queries.states.combinations else {
        return out;
    };
    let known = combinations.at(head);
    let known: Vec<String> = known
        .map(|(_, codes)| format!("({})", equal(HERE, head, codes)))
        .collect();
    let known = match known.is_empty() {
        true => "0".to_string(),
        false => known.join(" || "),
    };
    let _ = write!(out, "_Bool ba_known = {known}; ");
    for n in &combinations.open {
        let condition = format!("ba_combination != {n} || ba_known");
        out += &check(&condition, &format!("combination:{n}:{head}"));
    }
    out
}

/// The text behind a head: one of the known combinations.
pub(super) fn behind(head: usize, queries: &Queries) -> String {
    let mut out = assigned(BEHIND, head, queries);
    out += &queries
        .states
        .flipped
        .as_ref()
        .map_or(String::new(), |f| f.behind(head));
    for (_, state) in queries.states.targets.iter().filter(|(h, _)| *h == head) {
        let _ = write!(out, "__CPROVER_assume(!({state})); ");
    }
    let Some(combinations) = &queries.states.combinations else {
        return out;
    };
    for (n, codes) in combinations.at(head) {
        let condition = equal(BEHIND, head, codes);
        let _ = write!(out, "if ({condition}) ba_combination = {n}; else ");
    }
    out + "__CPROVER_assume(0); "
}

fn assigned(prefix: &str, head: usize, queries: &Queries) -> String {
    let codes = queries
        .states
        .watched
        .get(head)
        .into_iter()
        .flatten()
        .enumerate();
    codes
        .map(|(g, code)| format!("{prefix}{head}_{g} = {code}; "))
        .collect()
}
