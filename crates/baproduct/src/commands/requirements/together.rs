//! Whether requirements fit together: contradictions, redundant ones, and those whose trigger the others exclude.

use automata::{consistency, Consistency, Limits, Member, Question, Unfinished};
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
    /// What is not known of them.
    question: String,
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

    /// What was not found out.
    fn open(&self) -> Vec<NotChecked<'a>> {
        let large = self.found.too_large.iter().map(|(member, bound)| {
            let id = self.id(*member);
            NotChecked {
                ids: vec![id],
                question: format!("whether {id} contradicts, implies or excludes others"),
                reason: bound.to_string(),
            }
        });
        let unfinished = self.found.unfinished.iter();
        large
            .chain(unfinished.map(|u| self.unfinished(u)))
            .collect()
    }

    fn unfinished(&self, unfinished: &Unfinished) -> NotChecked<'a> {
        let ids = self.ids(&unfinished.members);
        let (many, listed) = (ids.len() > 1, listed(&ids));
        let question = match unfinished.question {
            Question::Together if many => format!(
                "whether {listed} contradict each other, or make one of them redundant or vacuous"
            ),
            Question::Together => format!("whether any word satisfies {listed}"),
            Question::Each => {
                let (are, every) = if many { ("are", "each ") } else { ("is", "") };
                format!("whether {listed} {are} {every}redundant or vacuous beside the others")
            }
        };
        NotChecked {
            ids,
            question,
            reason: unfinished.bound.to_string(),
        }
    }

    /// What was found, for JSON.
    pub(super) fn answer(&self) -> Answer<'a> {
        let because = |(member, by): &(usize, Vec<usize>)| Because {
            id: self.id(*member),
            by: self.ids(by),
        };
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
            not_checked: self.open(),
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
        for NotChecked {
            question, reason, ..
        } in self.open()
        {
            sentences.push(format!("not known: {question} ({reason})"));
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
