//! Whether requirements fit together: contradictions, redundant ones, and those whose trigger the others exclude.

use automata::{consistency, Consistency, Limits, Member};
use ltl::Arena;
use serde::Serialize;
use spec::Stated;

use super::filled;

/// What was found about a set of requirements.
pub(super) struct Together<'a> {
    stated: &'a [Stated],
    found: Consistency,
}

/// What was found, for JSON; requirements are named by their ids.
#[derive(Serialize)]
pub(super) struct Answer<'a> {
    contradictions: Vec<Vec<&'a str>>,
    always_hold: Vec<&'a str>,
    implied: Vec<Because<'a>>,
    never_triggered: Vec<Because<'a>>,
    not_checked: Vec<NotChecked<'a>>,
}

#[derive(Serialize)]
struct Because<'a> {
    id: &'a str,
    /// Why; empty if the requirement alone shows it.
    by: Vec<&'a str>,
}

#[derive(Serialize)]
struct NotChecked<'a> {
    ids: Vec<&'a str>,
    reason: String,
}

impl<'a> Together<'a> {
    /// Checks requirements. Names are taken for C conditions, as `verify` takes them without a specification, so that
    /// `speed` and `speed > 3` have something in common.
    pub(super) fn of(stated: &'a [Stated]) -> Together<'a> {
        let mut arena = Arena::new();
        let members: Vec<Member> = stated
            .iter()
            .map(|stated| Member {
                formula: stated.formula(&mut arena, &|_| false),
                trigger: stated.trigger(&mut arena, &|_| false),
            })
            .collect();
        Together {
            stated,
            found: consistency(&mut arena, &members, &Limits::default()),
        }
    }

    /// Whether no word satisfies all requirements.
    pub(super) fn is_contradictory(&self) -> bool {
        !self.found.contradictions.is_empty()
    }

    fn id(&self, member: usize) -> &'a str {
        self.stated.get(member).map_or("", |stated| &stated.id)
    }

    fn ids(&self, members: &[usize]) -> Vec<&'a str> {
        members.iter().map(|&member| self.id(member)).collect()
    }

    /// The members of which nothing was found out, with the reason.
    fn open(&self) -> Vec<(Vec<&'a str>, String)> {
        let large = self.found.too_large.iter();
        let large = large.map(|(member, bound)| (vec![self.id(*member)], bound.to_string()));
        let unfinished = self.found.unfinished.iter();
        let unfinished = unfinished.map(|(group, bound)| (self.ids(group), bound.to_string()));
        large.chain(unfinished).collect()
    }

    /// What was found, for JSON.
    pub(super) fn answer(&self) -> Answer<'a> {
        let because = |(member, by): &(usize, Vec<usize>)| Because {
            id: self.id(*member),
            by: self.ids(by),
        };
        let open = self.open().into_iter();
        Answer {
            contradictions: self
                .found
                .contradictions
                .iter()
                .map(|c| self.ids(c))
                .collect(),
            always_hold: self.ids(&self.found.trivial),
            implied: self.found.implied.iter().map(because).collect(),
            never_triggered: self.found.idle.iter().map(because).collect(),
            not_checked: open
                .map(|(ids, reason)| NotChecked { ids, reason })
                .collect(),
        }
    }

    /// What was found, as sentences.
    pub(super) fn text(&self) -> String {
        let mut sentences = Vec::new();
        for set in &self.found.contradictions {
            let ids = listed(&self.ids(set));
            sentences.push(match set.len() {
                1 => format!("contradictory: no word satisfies {ids}"),
                _ => format!("contradictory: no word satisfies {ids} together; without any one of them some word does"),
            });
        }
        for &member in &self.found.trivial {
            sentences.push(format!(
                "{} always holds: it asks for nothing",
                self.id(member)
            ));
        }
        for (member, by) in &self.found.implied {
            let imply = match by.len() {
                1 => "implies it",
                _ => "together imply it",
            };
            let by = listed(&self.ids(by));
            sentences.push(format!("{} is redundant: {by} {imply}", self.id(*member)));
        }
        for (member, by) in &self.found.idle {
            let id = self.id(*member);
            sentences.push(match by.is_empty() {
                true => format!("{id} is vacuous: its trigger can never come"),
                false => {
                    let hold = if by.len() == 1 { "holds" } else { "hold" };
                    let by = listed(&self.ids(by));
                    format!("{id} is vacuous: its trigger never comes if {by} {hold}")
                }
            });
        }
        for (ids, reason) in self.open() {
            sentences.push(format!("not checked: {} ({reason})", listed(&ids)));
        }
        if sentences.is_empty() {
            sentences.push("some word satisfies all requirements, none is redundant, and the trigger of each can come".to_owned());
        }
        let lines = sentences.iter().map(|s| filled("  • ", s) + "\n");
        format!("Together\n{}", lines.collect::<String>())
    }
}

/// `a`, `a and b`, `a, b and c`.
fn listed(ids: &[&str]) -> String {
    match ids {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
