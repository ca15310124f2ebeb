//! The functions that sites call: evaluations, changes of one proposition, changes of several.

use crate::items::code::Code;
use crate::items::{self, Function, Item, Signature};
use crate::layout::arguments::parameter_list;
use crate::layout::pre_reads;
use crate::layout::variables::{Reading, Storage, Variable};
use crate::monitor::GeneralStep;

/// How the monitors step when exactly one proposition has changed, and when several may have.
pub struct Steps {
    /// For each proposition, the statements for its rise and for its fall.
    pub flips: Vec<(Code, Code)>,
    /// The general steps of all monitors.
    pub general: Vec<GeneralStep>,
    /// Whether each event appends a letter, even an equal one (formulas that count letters).
    pub every_event: bool,
    /// Whether letters are taken at sample labels only: other events then only update the values.
    pub sampled: bool,
    /// Whether timers take each letter, too.
    pub timed: bool,
    /// The proposition that reads their clock.
    pub clock: Option<usize>,
}

/// So many steps may stand in the functions of events, so that few properties have no more calls.
const MOST_STEPS: usize = 4_096;

/// The call of the steps of all monitors.
const STEP_ALL: &str = "ba_step_all(); ";

impl Steps {
    /// The steps of the monitors that read one of these propositions, or that read every event.
    fn concerned(&self, changed: &[usize]) -> Code {
        let concerned = |step: &&GeneralStep| {
            step.every_event || step.propositions.iter().any(|p| changed.contains(p))
        };
        let texts = self.general.iter().filter(concerned);
        Code::join(texts.map(|step| step.text.clone()), "")
    }

    /// Whether the text would be large in which each event has the steps of all monitors that it concerns: most of them,
    /// where they count letters. Then these stand in one function. A monitor that an event does not concern stays in
    /// its state.
    fn are_shared(&self, events: usize) -> bool {
        let counting = self.general.iter().filter(|step| step.every_event);
        self.every_event && !self.sampled && counting.count() * events >= MOST_STEPS
    }

    /// The function of the steps of all monitors.
    fn shared(&self) -> Function {
        let signature = Signature::new("void ba_step_all(void)");
        let all = Code::join(self.general.iter().map(|step| step.text.clone()), "");
        Function::new(signature, format!("  {}\n", all.block(&[])))
            .for_reason("A letter was appended.")
    }

    /// What timers do where these propositions may have changed: statements.
    fn timers(&self, changed: &[usize]) -> String {
        let clock = self.clock.filter(|clock| changed.contains(clock));
        let elapse = clock.map_or("", |_| "ba_elapse(); ");
        let step = match self.timed && !self.sampled {
            true => "ba_timers(0); ",
            false => "",
        };
        format!("{elapse}{step}")
    }

    /// The macro that announces an event's site: `BA_AT` if the event may append a letter.
    fn announce(&self) -> &'static str {
        match self.sampled {
            true => "BA_SHOW(ba_site)",
            false => "BA_AT(ba_site)",
        }
    }
}

/// The functions that the sites call.
pub fn functions(variables: &[Variable], groups: &[Vec<usize>], steps: &Steps) -> Vec<Item> {
    let mut functions: Vec<Item> = Vec::new();
    let shared = steps.are_shared(variables.len() + groups.len());
    if shared {
        functions.push(steps.shared().into());
    }
    for (number, (variable, flips)) in variables.iter().zip(&steps.flips).enumerate() {
        functions.push(evaluation_function(variable).into());
        if variable.reading == Reading::Events {
            functions.extend(put_and_event(number, variable, flips, (steps, shared)));
        }
    }
    for (number, group) in groups.iter().enumerate() {
        let members: Vec<&Variable> = group.iter().map(|&i| &variables[i]).collect();
        let timers = steps.timers(group);
        let step = match shared {
            true => STEP_ALL.into(),
            false => steps.concerned(group),
        };
        let step = (timers.as_str(), &step);
        functions.push(group_function(number, &members, step, steps).into());
    }
    functions
}

/// The declarations that the program's text needs before it uses the functions.
pub fn prototypes(variables: &[Variable], groups: &[Vec<usize>]) -> Vec<Item> {
    let mut lines: Vec<Item> = Vec::new();
    for v in variables {
        lines.push(evaluation(v).into());
        if v.reading == Reading::Events {
            lines.push(event(v).into());
        }
        let mut count = |what: &str| {
            let counter = items::Variable::unused(format!("unsigned ba_{what}_{}", v.name));
            lines.push(counter.into());
        };
        if let Storage::Frame { counted: true, .. } = v.storage {
            count("count");
        }
        if v.counts_open() {
            count("open");
        }
    }
    for (number, group) in groups.iter().enumerate() {
        let signature = group_signature(number, group.len());
        lines.push(Signature::unused(signature).into());
    }
    lines
}

/// The function that evaluates a proposition in its area.
fn evaluation(v: &Variable) -> Signature {
    let parameters = match v.storage {
        Storage::Frame { .. } => parameter_list(&v.locals),
        _ => "void".into(),
    };
    Signature::unused(format!("_Bool ba_eval_{}({parameters})", v.name))
}

/// The function that a site calls if it may change one proposition.
fn event(v: &Variable) -> Signature {
    let name = &v.name;
    Signature::unused(format!(
        "_Bool ba_event_{name}(unsigned ba_site, _Bool ba_was, _Bool ba_value)"
    ))
}

fn evaluation_function(v: &Variable) -> Function {
    let mut conditions = Vec::new();
    if v.storage == Storage::Remote && v.reading != Reading::ItsLabel {
        conditions.push(format!("ba_open_{}", v.name));
    }
    conditions.extend(v.condition.clone());
    let mut body = String::new();
    if !conditions.is_empty() {
        body.push_str(&format!(
            "  if (!({})) return {};\n",
            conditions.join(" && "),
            u8::from(v.default)
        ));
    }
    body.push_str(&pre_reads::statements(&v.pre_reads));
    body.push_str(&format!("  return !!({});\n", v.evaluation));
    Function::new(evaluation(v), body).for_reason(format!("The value of {} in its area.", v.name))
}

/// `put` stores a frame's new contribution, and returns whether the proposition has changed; `event` handles an
/// event that can only change this proposition.
fn put_and_event(
    number: usize,
    v: &Variable,
    (rise, fall): &(Code, Code),
    (steps, shared): (&Steps, bool),
) -> Vec<Item> {
    let value = v.value();
    let put = match v.storage {
        _ if v.all => put_of_all(v),
        Storage::Frame { counted: true, .. } => format!(
            "  if (ba_value == ba_was) return 0;\n  unsigned ba_count = ba_count_{n} + (ba_value == {default} ? -1u : 1u);\n  ba_count_{n} = ba_count;\n  if (ba_count != (ba_value == {default} ? 0u : 1u)) return 0;\n  {value} = ba_value;\n  return 1;\n",
            default = u8::from(v.default),
            n = v.name,
        ),
        _ => format!("  if (ba_value == ba_was) return 0;\n  {value} = ba_value;\n  return 1;\n"),
    };
    let n = &v.name;
    let signature = Signature::new(format!("_Bool ba_put_{n}(_Bool ba_was, _Bool ba_value)"));
    let mut functions: Vec<Item> = vec![Function::new(signature, put).into()];
    if !steps.every_event && !steps.sampled {
        let step = crate::monitor::choice("ba_value", rise.clone(), fall.clone());
        let step = step.block(&[]);
        let signature = Signature::unused(format!("void ba_flip_{n}(_Bool ba_value)"));
        let flip = Function::new(signature, format!("  (void)ba_value;\n  {step}\n"));
        functions.push(flip.for_reason(format!("{n} alone has changed.")).into());
    }
    let timers = steps.timers(&[number]);
    let step = if steps.sampled {
        format!(
            "  ba_put_{}(ba_was, ba_value);\n{}",
            v.name,
            indented(&timers)
        )
    } else if steps.every_event {
        let known = [(value.clone(), "ba_value".to_string())];
        // Where a remembered value is chosen, the comparison changes once more.
        let known = if v.compares || matches!(v.storage, Storage::Frame { counted: true, .. }) {
            &[][..]
        } else {
            &known[..]
        };
        let step = match shared {
            true => STEP_ALL.to_owned(),
            false => steps.concerned(&[number]).block(known),
        };
        format!("  ba_put_{}(ba_was, ba_value);\n  {timers}{step}\n", v.name)
    } else {
        format!(
            "  if (ba_put_{n}(ba_was, ba_value)) ba_flip_{n}({now});\n",
            n = v.name,
            // The frame's contribution need not be the value of all.
            now = if v.all { v.value() } else { "ba_value".into() },
        )
    };
    let now = if v.compares { &value } else { "ba_value" };
    let body = format!("  {};\n{step}  return {now};\n", steps.announce());
    let why = format!("{n} may have changed at a site.");
    functions.push(Function::new(event(v), body).for_reason(why).into());
    functions
}

/// As any `put`, where the value is another one than the default only if there is an open instance
/// and every one gives it that. An instance that opens or closes can change it, too.
fn put_of_all(v: &Variable) -> String {
    let (default, other) = (u8::from(v.default), u8::from(!v.default));
    format!(
        "  unsigned ba_count = ba_count_{n};\n  if (ba_value != ba_was) ba_count_{n} = ba_count = ba_count + (ba_value == {default} ? -1u : 1u);\n  _Bool ba_all = ba_count != 0u && ba_count == ba_open_{n} ? {other} : {default};\n  if (ba_all == {value}) return 0;\n  {value} = ba_all;\n  return 1;\n",
        n = v.name,
        value = v.value(),
    )
}

/// Statements as a line; nothing if there are none.
fn indented(statements: &str) -> String {
    match statements {
        "" => String::new(),
        _ => format!("  {statements}\n"),
    }
}

/// The function that a site calls where several propositions may change.
fn group_signature(number: usize, members: usize) -> String {
    let mut list = vec!["unsigned ba_site".to_string()];
    for i in 0..members {
        list.push(format!("_Bool ba_was{i}, _Bool ba_value{i}"));
    }
    format!("void ba_events_{number}({})", list.join(", "))
}

/// The function that appends one letter for a change of several propositions.
fn group_function(
    number: usize,
    members: &[&Variable],
    (timers, step): (&str, &Code),
    steps: &Steps,
) -> Function {
    let mut text = format!("  {};\n", steps.announce());
    let signature = Signature::new(group_signature(number, members.len()));
    let mut changed = Vec::new();
    let mut known = Vec::new();
    for (i, v) in members.iter().enumerate() {
        text.push_str(&format!(
            "  _Bool ba_changed{i} = ba_put_{}(ba_was{i}, ba_value{i});\n",
            v.name
        ));
        changed.push(format!("ba_changed{i}"));
        // If instances are counted, a frame's contribution is not the proposition's value.
        if !v.compares && !matches!(v.storage, Storage::Frame { counted: true, .. }) {
            known.push((v.value(), format!("ba_value{i}")));
        }
    }
    let condition = if steps.every_event {
        format!("1 | {}", changed.join(" | "))
    } else {
        changed.join(" | ")
    };
    if steps.sampled {
        let unused = (0..members.len()).map(|i| format!("  (void)ba_changed{i};\n"));
        text.extend(unused);
        return Function::new(signature, text + &indented(timers));
    }
    let step = step.block(&known);
    text.push_str(&format!("  if ({condition}) {{ {timers}{step}}}\n"));
    Function::new(signature, text)
}
