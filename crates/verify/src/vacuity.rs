//! Vacuity: parts of a formula that an answer does not depend on, because the explored runs never
//! show a value with which they would matter (docs/semantics.md, "Vacuity").

use ltl::{Arena, Atom, Constant, Node, Style};
use weave::assertion::Asserted;
use weave::record::{PropositionRecord, Record, UnwrittenRecord, REACH};

use crate::combine::Answers;
use crate::result::{NeverLeft, PropertyResult, Vacuous, Verdict};
use crate::words::listed;

/// Whether it is known that no explored run comes to what a coverage assertion asks for.
type Never<'a> = &'a dyn Fn(Asserted) -> bool;

/// A part of a formula that is constant in all explored runs.
struct Fact {
    /// The constant, in the arena of the property's formula.
    constant: Constant,
    /// The fact in words.
    told: String,
}

/// The parts of a property's formula that do not matter to its verdict; empty if the property is
/// violated or unknown. A question without an answer makes nothing constant.
pub(crate) fn of(
    record: &Record,
    index: usize,
    result: &PropertyResult,
    answers: &Answers,
) -> Vec<Vacuous> {
    let holds = matches!(
        result.answer.verdict,
        Verdict::PRESUMABLY_TRUE | Verdict::TRUE
    );
    if !holds {
        return Vec::new();
    }
    // If the coverage run has answered, a question that it does not mention is in unreachable code.
    let asked = answers.covers_asked() && answers.fails(Asserted::End);
    let never = |asserted: Asserted| asked && answers.never_shown(asserted);
    parts(record, index, &never)
}

/// The parts of the formula of a property that holds and that do not matter, because of what no
/// run shows.
pub(crate) fn parts(record: &Record, index: usize, never: Never) -> Vec<Vacuous> {
    let Some(property) = record.properties.get(index) else {
        return Vec::new();
    };
    if property.monitor == REACH {
        return Vec::new();
    }
    let Ok(parsed) = ltl::parse(&property.formula) else {
        return Vec::new();
    };
    let (mut arena, root) = (parsed.arena, parsed.root);
    let fixed = fixed(record, index, &mut arena);
    let seen = seen(record, index, never, &mut arena);
    let is_new = |fact: &Fact| !fixed.iter().any(|f| f.constant == fact.constant);
    let seen: Vec<Fact> = seen.into_iter().filter(is_new).collect();
    let facts: Vec<&Fact> = fixed.iter().chain(&seen).collect();
    let constants: Vec<Constant> = facts.iter().map(|f| f.constant).collect();
    let found = arena.vacuous(root, &constants);
    let mut vacuous = Vec::new();
    for part in found {
        let alone = |fact: &&&Fact| {
            arena
                .clone()
                .vacuous(root, &[fact.constant])
                .contains(&part)
        };
        let because = match facts.iter().find(alone) {
            Some(fact) => fact.told.clone(),
            None => {
                let all: Vec<&str> = facts.iter().map(|f| f.told.as_str()).collect();
                all.join(", and ")
            }
        };
        vacuous.push(Vacuous {
            what: ltl::print(&arena, part, Style::Ascii),
            because,
            constant: false,
        });
    }
    vacuous.extend(unentered(record, index, never, &vacuous));
    let told = |fact: &&Fact| vacuous.iter().any(|v| v.because.contains(&fact.told));
    let of = |fact: &Fact| Vacuous {
        what: ltl::print(&arena, fact.constant.formula, Style::Ascii),
        because: fact.told.clone(),
        constant: true,
    };
    let rest: Vec<Vacuous> = fixed.iter().filter(|f| !told(f)).map(of).collect();
    vacuous.extend(rest);
    vacuous.extend(unwritten(record, index, never, &vacuous));
    vacuous
}

/// The propositions of a property with a constant value in every program run. A formula that they
/// decide says nothing about the program, so each of them is reported.
fn fixed(record: &Record, index: usize, arena: &mut Arena) -> Vec<Fact> {
    let own = record.propositions.iter();
    let own = own.filter(|p| p.used_by.contains(&index));
    let fact = |p: &PropositionRecord| {
        let value = p.always?;
        let inline = p.name.strip_prefix('{').and_then(|n| n.strip_suffix('}'));
        let atom = match inline {
            Some(text) => Atom::Condition(text.trim().to_owned()),
            None => Atom::Name(p.name.clone()),
        };
        let atom = arena.find_atom(&atom)?;
        let always = if value { "always holds" } else { "never holds" };
        Some(Fact {
            constant: Constant {
                formula: arena.make(Node::Atom(atom)),
                value,
            },
            told: format!(
                "`{}` {always}, whatever the program does: C's types give what it reads no other values",
                p.name
            ),
        })
    };
    own.filter_map(fact).collect()
}

/// The facts that the explored runs never contradict.
fn seen(record: &Record, index: usize, never: Never, arena: &mut Arena) -> Vec<Fact> {
    let mut facts = Vec::new();
    for (number, cover) in record.covers.iter().enumerate() {
        if !never(Asserted::Cover(number)) || !cover.properties.contains(&index) {
            continue;
        }
        let Ok(part) = ltl::parse_into(arena, &cover.formula, None) else {
            continue;
        };
        facts.push(Fact {
            constant: Constant {
                formula: part.root,
                value: !cover.value,
            },
            told: told(record, never, &cover.formula, cover.value),
        });
    }
    facts
}

/// Whether a formula holds and runs may show that a part of it does not matter.
pub(crate) fn is_open(record: &Record, index: usize, result: &PropertyResult) -> bool {
    let holds = matches!(
        result.answer.verdict,
        Verdict::PRESUMABLY_TRUE | Verdict::TRUE
    );
    let mut propositions = record.propositions.iter();
    let covered = record.covers.iter().any(|c| c.properties.contains(&index))
        || propositions.any(|p| p.area.is_some() && p.used_by.contains(&index));
    holds && covered && !result.asked.reach
}

/// The propositions of a property whose areas no run enters, without those already reported: the
/// formula holds whatever their conditions say.
fn unentered(record: &Record, index: usize, never: Never, told: &[Vacuous]) -> Vec<Vacuous> {
    let propositions = record.propositions.iter();
    let own = propositions.filter(|p| p.used_by.contains(&index));
    let closed = own.filter(|p| p.area.is_some_and(|area| never(Asserted::Area(area))));
    let of = |p: &PropositionRecord| Vacuous {
        what: p.name.clone(),
        because: closed_area(&p.name),
        constant: false,
    };
    let known = |v: &Vacuous| told.iter().any(|t| t.because.contains(&v.because));
    closed.map(of).filter(|v| !known(v)).collect()
}

/// The propositions of a property whose areas runs enter, while no run reaches the exit label from
/// there. This concerns the explored runs, independently of the verdict.
pub(crate) fn never_left(record: &Record, index: usize, answers: &Answers) -> Vec<NeverLeft> {
    if !answers.covers_asked() || !answers.fails(Asserted::End) {
        return Vec::new();
    }
    let own = record.propositions.iter();
    let own = own.filter(|p| p.used_by.contains(&index));
    let stays = |p: &PropositionRecord| {
        let (area, label) = (p.area?, p.exit.clone()?);
        let entered = answers.fails(Asserted::Area(area));
        let stays = entered && answers.never_shown(Asserted::Exit(area));
        stays.then(|| NeverLeft {
            what: p.name.clone(),
            label,
        })
    };
    own.filter_map(stays).collect()
}

/// The propositions of a property that have one value alone because no run writes what they read, without those
/// that are reported as part of something else.
fn unwritten(record: &Record, index: usize, never: Never, told: &[Vacuous]) -> Vec<Vacuous> {
    let propositions = record.propositions.iter();
    let own = propositions.filter(|p| p.used_by.contains(&index));
    let of = |p: &PropositionRecord| {
        let writers = p.unwritten.as_ref()?;
        let mut routines = writers.routines.iter();
        let idle = routines.all(|(number, _)| never(Asserted::Started(*number)));
        idle.then(|| Vacuous {
            what: p.name.clone(),
            because: nothing_writes(writers),
            constant: true,
        })
    };
    let known = |v: &Vacuous| {
        let mentions = |t: &Vacuous| t.what.contains(&v.what) || t.because.contains(&v.what);
        told.iter().any(mentions)
    };
    own.filter_map(of).filter(|v| !known(v)).collect()
}

/// The sentence that no run writes some objects, and which functions would.
fn nothing_writes(writers: &UnwrittenRecord) -> String {
    let quoted = |names: &[String], last: &str| {
        let names: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
        listed(&names, last)
    };
    let objects = quoted(&writers.objects, "or");
    let routines: Vec<String> = writers.routines.iter().map(|(_, n)| n.clone()).collect();
    let idle = quoted(&writers.idle, "and");
    match (writers.idle.is_empty(), routines.is_empty()) {
        (true, true) => format!("nothing in the program writes {objects}"),
        (false, true) if writers.idle.len() == 1 => {
            format!("only {idle} would write {objects}, and nothing calls or starts this function")
        }
        (false, true) => {
            format!(
                "only {idle} would write {objects}, and nothing calls or starts these functions"
            )
        }
        (_, false) => format!(
            "only threads that begin with {} would write {objects}, and no explored run starts one",
            quoted(&routines, "or")
        ),
    }
}

fn closed_area(part: &str) -> String {
    format!("no explored run enters the area of `{part}`")
}

/// The sentence that a part of a formula never has a value; it names the area that is never entered
/// if that is the reason.
fn told(record: &Record, never: Never, part: &str, value: bool) -> String {
    let mut propositions = record.propositions.iter();
    let proposition = propositions.find(|p| p.name == part || format!("{{{}}}", p.name) == part);
    let closed = proposition
        .and_then(|p| p.area)
        .is_some_and(|area| never(Asserted::Area(area)));
    match (closed, value) {
        (true, _) => closed_area(part),
        (false, true) => format!("`{part}` holds in no explored run"),
        (false, false) => format!("`{part}` always holds in the explored runs"),
    }
}
