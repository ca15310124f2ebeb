//! Questions about variables: states, flags, counters, and reactions of one variable to another.

use cfront::tree::BinaryOp;

use super::super::interview::{Constant, Interview, Variable, Written};
use super::{identifier, is_bad, Meaning, Proposition, Question};

/// The last component of a variable's path.
fn short(path: &str) -> &str {
    path.rsplit([':', '.']).next().unwrap_or(path)
}

fn condition(name: String, text: String) -> Proposition {
    Proposition {
        name: identifier(&name),
        meaning: Meaning::Condition(text),
    }
}

/// `x == C`, called `x_C`.
fn equals(variable: &Variable, constant: &Constant) -> Proposition {
    let path = &variable.path;
    condition(
        format!("{}_{}", short(path), spoken(constant)),
        format!("{path} == {}", constant.text),
    )
}

/// `x != C`, called `x_not_C`.
fn differs(variable: &Variable, constant: &Constant) -> Proposition {
    let path = &variable.path;
    condition(
        format!("{}_not_{}", short(path), spoken(constant)),
        format!("{path} != {}", constant.text),
    )
}

/// A constant as part of a name.
fn spoken(constant: &Constant) -> String {
    let word = constant
        .text
        .chars()
        .all(|c| c.is_alphanumeric() || c == '_');
    match (word, constant.value < 0) {
        (true, _) => constant.text.clone(),
        (_, true) => format!("minus_{}", constant.value.unsigned_abs()),
        _ => format!("is_{}", constant.value),
    }
}

pub(super) fn assigns_constants(variable: &Variable) -> bool {
    let constants = variable.written.iter().filter_map(|w| w.value.as_ref());
    let mut values: Vec<i128> = constants.map(|c| c.value).collect();
    values.sort_unstable();
    values.dedup();
    let counts = variable.counter || variable.rises || variable.falls;
    values.len() > usize::from(counts)
}

/// The places of writes, as text.
fn at(places: &[&Written]) -> String {
    let mut spots: Vec<String> = places.iter().map(|w| w.spot.to_string()).collect();
    spots.dedup();
    let more = spots.len().saturating_sub(3);
    spots.truncate(3);
    let text = spots.join(", ");
    match more {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}

fn writes_of(variable: &Variable, value: i128) -> Vec<&Written> {
    let wanted = |w: &&Written| w.value.as_ref().is_some_and(|c| c.value == value);
    variable.written.iter().filter(wanted).collect()
}

/// A variable that is compared with and set to several constants: the state of a machine.
pub(super) fn state(variable: &Variable, all: &mut Vec<Question>) {
    let name = short(&variable.path);
    let states = &variable.compared;
    let home = states
        .iter()
        .find(|c| Some(c.value) == variable.initial)
        .unwrap_or(&states[0]);
    let local = if variable.lasting { 0 } else { 10 };
    let mut add = |pattern, name, formula, propositions, why, rank: u32| {
        all.push(Question {
            pattern,
            name,
            formula,
            propositions,
            why,
            about: variable.path.clone(),
            rank: rank - local,
        });
    };
    for bad in states.iter().filter(|c| is_bad(&c.text)) {
        let places = writes_of(variable, bad.value);
        if !places.is_empty() {
            let why = format!("`{name}` is set to {} at {}", bad.text, at(&places));
            let text = format!("{name} is never {}", bad.text);
            add(
                "Absence",
                text,
                "G !@0",
                vec![equals(variable, bad)],
                why,
                80,
            );
        }
    }
    let back = writes_of(variable, home.value);
    if !back.is_empty() {
        let why = format!("`{name}` is set to {} at {}", home.text, at(&back));
        let both = vec![differs(variable, home), equals(variable, home)];
        let text = format!("{name} comes back to {}", home.text);
        add("Response", text, "G(@0 -> F @1)", both, why, 85);
    }
    for (from, to) in only_ways(variable, home) {
        let why = format!(
            "`{name}` is set to {} where it was {}, at {}",
            to.text,
            from.text,
            at(&writes_of(variable, to.value))
        );
        let both = vec![equals(variable, to), equals(variable, from)];
        let text = format!("{name} is {} only after {}", to.text, from.text);
        add("Precedence", text, "!@0 W @1", both, why, 76);
    }
    if variable.written.iter().any(|w| w.value.is_none()) && states.len() <= 8 {
        let known: Vec<String> = states
            .iter()
            .map(|c| format!("{} == {}", variable.path, c.text))
            .collect();
        let computed = variable.written.iter().filter(|w| w.value.is_none());
        let why = format!(
            "`{name}` is set to something that is no constant at {}",
            at(&computed.collect::<Vec<_>>())
        );
        let one = vec![condition(format!("{name}_known"), known.join(" || "))];
        let text = format!("{name} is always one of the known states");
        add("Universality", text, "G @0", one, why, 58);
    }
}

/// Pairs of states such that the text enters the second only from the first.
fn only_ways<'a>(variable: &'a Variable, home: &Constant) -> Vec<(&'a Constant, &'a Constant)> {
    let mut ways = Vec::new();
    for to in variable.compared.iter().filter(|c| c.value != home.value) {
        let entries = writes_of(variable, to.value);
        let from = |w: &&Written| {
            let own = w.guards.iter().find(|g| g.variable == variable.path);
            own.filter(|g| g.op == BinaryOp::Eq)
                .map(|g| g.constant.value)
        };
        let sources: Vec<Option<i128>> = entries.iter().map(from).collect();
        let [Some(first), rest @ ..] = sources.as_slice() else {
            continue;
        };
        let single = rest.iter().all(|other| *other == Some(*first));
        let different = *first != to.value && *first != home.value;
        if let (true, Some(from)) = (
            single && different,
            variable.compared.iter().find(|c| c.value == *first),
        ) {
            ways.push((from, to));
        }
    }
    ways
}

/// A variable that is only 0 or 1.
pub(super) fn flag(variable: &Variable, all: &mut Vec<Question>) {
    let Some((set, cleared)) = switched(variable) else {
        return;
    };
    let name = short(&variable.path);
    let on = condition(name.to_string(), format!("{} != 0", variable.path));
    let off = condition(format!("no_{name}"), format!("{} == 0", variable.path));
    let (pattern, formula, text, propositions, rank) = match (is_bad(name), cleared.is_empty()) {
        (true, true) => ("Absence", "G !@0", format!("never {name}"), vec![on], 79),
        (_, true) => ("Existence", "F @0", format!("{name} comes"), vec![on], 50),
        (_, false) => (
            "Response",
            "G(@0 -> F @1)",
            format!("{name} does not stay"),
            vec![on, off],
            83,
        ),
    };
    let why = match cleared.is_empty() {
        true => format!("`{name}` is set at {}, and nothing clears it", at(&set)),
        false => format!(
            "`{name}` is set at {}, and cleared at {}",
            at(&set),
            at(&cleared)
        ),
    };
    all.push(Question {
        pattern,
        name: text,
        formula,
        propositions,
        why,
        about: variable.path.clone(),
        rank: if variable.lasting { rank } else { rank - 15 },
    });
}

/// The writes that set a flag, and those that clear it; `None` for a variable with other values.
pub(super) fn switched(variable: &Variable) -> Option<(Vec<&Written>, Vec<&Written>)> {
    if variable.counter || variable.rises || variable.falls {
        return None;
    }
    let value = |w: &Written| w.value.as_ref().map(|c| c.value);
    let all = variable.written.iter();
    if !all.clone().all(|w| matches!(value(w), Some(0 | 1))) {
        return None;
    }
    let (set, cleared): (Vec<_>, Vec<_>) = all.partition(|w| value(w) == Some(1));
    // A variable that is never read may be an output: a motor that is switched on and off.
    let read = variable.tested || !variable.compared.is_empty();
    let matters = read || variable.lasting && !cleared.is_empty();
    (matters && !set.is_empty() && variable.initial != Some(1)).then_some((set, cleared))
}

/// A counter that the program compares with a bound.
pub(super) fn range(variable: &Variable, all: &mut Vec<Question>) {
    let greatest = variable
        .bounds
        .iter()
        .chain(&variable.compared)
        .filter(|c| c.value > 0)
        .max_by_key(|c| c.value);
    let Some(bound) = greatest.filter(|_| variable.rises && !variable.counter) else {
        return;
    };
    let (path, name) = (&variable.path, short(&variable.path));
    let below = format!("{path} <= {}", bound.text);
    let text = match variable.signed && variable.falls {
        true => format!("{path} >= 0 && {below}"),
        false => below,
    };
    let steps: Vec<&Written> = variable.written.iter().collect();
    all.push(Question {
        pattern: "Universality",
        name: format!("{name} stays within {}", bound.text),
        formula: "G @0",
        propositions: vec![condition(format!("{name}_in_range"), text)],
        why: format!(
            "`{name}` is held against {}, and it changes at {}",
            bound.text,
            at(&steps)
        ),
        about: path.clone(),
        rank: if variable.lasting { 82 } else { 52 },
    });
}

/// A variable that changes its initial value.
pub(super) fn change(variable: &Variable, all: &mut Vec<Question>) {
    let Some(first) = variable.written.first().filter(|_| !variable.counter) else {
        return;
    };
    let name = short(&variable.path);
    let (text, proposition) = match (&first.value, variable.initial) {
        (Some(value), initial) if Some(value.value) != initial => (
            format!("{name} gets {}", value.text),
            equals(variable, value),
        ),
        (None, Some(initial)) => {
            let initial = Constant {
                text: initial.to_string(),
                value: initial,
            };
            (format!("{name} changes"), differs(variable, &initial))
        }
        _ => return,
    };
    all.push(Question {
        pattern: "Existence",
        name: text,
        formula: "F @0",
        propositions: vec![proposition],
        why: format!("`{name}` is set at {}", first.spot),
        about: variable.path.clone(),
        rank: if variable.lasting { 28 } else { 15 },
    });
}

/// A variable that is set if another one has a value: the reaction to that value.
pub(super) fn reaction(variable: &Variable, found: &Interview, all: &mut Vec<Question>) {
    for written in variable.written.iter().filter(|_| variable.lasting) {
        let Some(value) = &written.value else {
            continue;
        };
        let lasting = |path: &str| {
            let known = found.variables.iter().find(|v| v.path == path);
            known.is_some_and(|v| v.lasting && !v.written.is_empty())
        };
        let cause = written
            .guards
            .iter()
            .find(|g| g.variable != variable.path && lasting(&g.variable));
        // The initial value needs no reaction.
        let Some(cause) = cause.filter(|_| variable.initial != Some(value.value)) else {
            continue;
        };
        let name = short(&variable.path);
        let bad = is_bad(&cause.variable) || is_bad(&cause.constant.text);
        let test = format!("{}_{}", short(&cause.variable), operator(cause.op));
        let cause_name = match (cause.op, cause.constant.value) {
            (BinaryOp::Ne, 0) => short(&cause.variable).to_string(),
            (BinaryOp::Eq, 0) if cause.constant.text == "0" => {
                format!("no_{}", short(&cause.variable))
            }
            (BinaryOp::Eq, _) => format!("{}_{}", short(&cause.variable), spoken(&cause.constant)),
            _ => format!("{test}_{}", spoken(&cause.constant)),
        };
        all.push(Question {
            pattern: "Response",
            name: format!("{cause_name} leads to {name} = {}", value.text),
            formula: "G(@0 -> F @1)",
            propositions: vec![
                condition(cause_name, cause.condition()),
                equals(variable, value),
            ],
            why: format!(
                "`{name}` is set to {} where {}, at {}",
                value.text,
                cause.condition(),
                written.spot
            ),
            about: variable.path.clone(),
            rank: if bad { 84 } else { 70 },
        });
    }
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Eq => "is",
        BinaryOp::Ne => "not",
        BinaryOp::Lt => "below",
        BinaryOp::Le => "up_to",
        BinaryOp::Gt => "above",
        _ => "from",
    }
}

/// Two flags with similar names that are set in different functions: they may exclude each other.
pub(super) fn flags_of_two(found: &Interview, all: &mut Vec<Question>) {
    let flags: Vec<(&Variable, Vec<&Written>)> = found
        .variables
        .iter()
        .filter(|v| v.lasting)
        .filter_map(|v| Some((v, switched(v)?.0)))
        .collect();
    for (index, (one, set)) in flags.iter().enumerate() {
        let twin = flags[index + 1..].iter().find(|(other, set_there)| {
            let apart = set[0].function != set_there[0].function;
            apart && alike(short(&one.path), short(&other.path))
        });
        let Some((other, set_there)) = twin else {
            continue;
        };
        let (first, second) = (short(&one.path), short(&other.path));
        all.push(Question {
            pattern: "Exclusion",
            name: format!("not {first} and {second}"),
            formula: "G !(@0 && @1)",
            propositions: vec![
                condition(first.to_string(), format!("{} != 0", one.path)),
                condition(second.to_string(), format!("{} != 0", other.path)),
            ],
            why: format!(
                "`{first}` is set at {}, and `{second}` at {}",
                at(set),
                at(set_there)
            ),
            about: one.path.clone(),
            rank: 83,
        });
    }
}

/// Whether two names differ in one place: a digit, or a prefix or suffix of a common part.
fn alike(one: &str, other: &str) -> bool {
    let common = one.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    let front = common.count();
    let common = one.chars().rev().zip(other.chars().rev());
    let back = common.take_while(|(a, b)| a == b).count();
    let shared = front.max(back);
    shared >= 3 && one.len().max(other.len()) <= 3 * shared
}
