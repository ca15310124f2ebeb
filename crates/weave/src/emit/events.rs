//! The C text of events: what stands in the program where propositions may change, and the
//! functions that it calls.

use crate::layout::operands::{argument_list, parameter_list, Argument};
use crate::layout::pre_reads::{self, Touched};
use crate::monitor::single_reads;
use crate::monitor::GeneralStep;

/// Where a proposition's value lives and how instances of its area are told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Only the frame of the area's function changes it: the frame keeps whether the area is open
    /// and, where threads run or instances are counted, its own contribution.
    Frame {
        /// Whether frames keep their own contribution.
        own: bool,
        /// Whether several instances contribute, so that the non-default ones are counted.
        counted: bool,
    },
    /// Other code changes it too: a global count says how many instances are open, and the values
    /// of local parameters are copied to global variables.
    Remote,
    /// The area is the whole program.
    Whole,
}

/// When a proposition gets its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// At every event that may change it: between events, its variable has its value.
    AtEvents,
    /// When a letter is taken, from what its evaluation reads: nothing else asks for it.
    AtSamples,
    /// When a letter is taken at its own label; in all other letters it has its default.
    AtItsLabel,
}

/// What the emission has to know of a proposition.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The identifier behind `ba_`, such as `g1`.
    pub name: String,
    /// The value outside the area.
    pub default: bool,
    /// The only thread that changes it keeps a copy of its value, so as not to read the shared one.
    pub thread_copy: bool,
    /// Where its value lives.
    pub storage: Storage,
    /// When it gets its value.
    pub reading: Reading,
    /// Whether it has its other value only if every open instance gives it that.
    pub all: bool,
    /// Where the formula is about one instance alone: the flag of the activation that is followed.
    pub follows: Option<String>,
    /// The frame's locals that are arguments of the evaluation.
    pub locals: Vec<Argument>,
    /// A C condition without which the evaluation has no meaning, such as that a local lives.
    pub condition: Option<String>,
    /// What the evaluation may read at more than one place: it is read once before it.
    pub touched: Vec<Touched>,
    /// The C expression of the evaluation, in terms of the arguments and of globals, marked with
    /// [`user`] where it is the user's text.
    pub evaluation: String,
}

impl Variable {
    /// The global variable with the proposition's value.
    pub fn value(&self) -> String {
        variable(&self.name)
    }

    /// What holds this frame's contribution at a site.
    pub fn own(&self) -> String {
        match self.keeps_own() {
            true => format!("ba_own_{}", self.name),
            false => self.value(),
        }
    }

    /// Whether a frame or a thread keeps its own contribution.
    pub fn keeps_own(&self) -> bool {
        self.thread_copy || matches!(self.storage, Storage::Frame { own: true, .. })
    }

    /// Whether the open instances are counted.
    pub fn counts_open(&self) -> bool {
        self.storage == Storage::Remote || self.all
    }

    /// The evaluation as it is called at a site: local parameters by their own names in the frame,
    /// none where global copies of them are kept.
    pub fn evaluation_call(&self) -> String {
        let arguments = match self.storage {
            Storage::Frame { .. } => argument_list(&self.locals),
            _ => String::new(),
        };
        format!("ba_eval_{}({arguments})", self.name)
    }
}

/// The global variable with the value of a proposition of this identifier: a family of its own, so
/// that no proposition's name, be it `value` or `start`, meets another emitted name.
pub(crate) fn variable(identifier: &str) -> String {
    format!("ba_p_{identifier}")
}

/// A possible change of one proposition at an event.
#[derive(Clone, Debug)]
pub struct Update<'a> {
    /// The proposition.
    pub variable: &'a Variable,
    /// Under which condition it is re-evaluated; `None` is always.
    pub guard: Option<String>,
    /// Its new value.
    pub now: String,
}

/// The statements of one event, with the bookkeeping before and after the evaluation, to stand in
/// an atomic block. `group` is the number of the group function if several propositions change.
pub fn statements(
    site: usize,
    before: &str,
    updates: &[Update],
    after: &str,
    group: usize,
) -> String {
    let body = match updates {
        [] => String::new(),
        [one] => {
            let guard = one
                .guard
                .as_ref()
                .map(|g| format!("if ({g}) "))
                .unwrap_or_default();
            format!("{guard}{}", call(site, one))
        }
        many => grouped(site, many, group),
    };
    format!("{before}{body}{after}")
}

fn call(site: usize, update: &Update) -> String {
    let variable = update.variable;
    let own = variable.own();
    let call = format!("ba_event_{}({site}, {own}, {})", variable.name, update.now);
    match variable.keeps_own() {
        true => format!("{own} = {call}; "),
        false => format!("{call}; "),
    }
}

/// Several propositions that change in one event: all new values first, then one letter. What a
/// condition reads, and a value that may stay, is read at one place (see [`crate::monitor::single_reads`]).
fn grouped(site: usize, updates: &[Update], group: usize) -> String {
    let mut guards: Vec<&String> = updates.iter().filter_map(|u| u.guard.as_ref()).collect();
    let all_guarded = guards.len() == updates.len();
    guards.dedup();
    // One condition for all of them stands in front of the whole.
    let common = all_guarded && guards.len() == 1;
    let (mut kept, mut conditions, mut values) = (Vec::new(), Vec::new(), Vec::new());
    let mut arguments = vec![site.to_string()];
    let mut keep = String::new();
    for (i, update) in updates.iter().enumerate() {
        let mut own = update.variable.own();
        let keeps = update.variable.keeps_own();
        if keeps {
            keep.push_str(&format!("{own} = ba_now{i}; "));
        }
        let now = match &update.guard {
            Some(guard) if !common => {
                if !keeps {
                    kept.push(format!("ba_was{i} = {own}"));
                    own = format!("ba_was{i}");
                }
                conditions.push(format!("ba_if{i} = {guard}"));
                format!("ba_if{i} ? {} : {own}", update.now)
            }
            _ => update.now.clone(),
        };
        values.push(format!("ba_now{i} = {now}"));
        arguments.push(own);
        arguments.push(format!("ba_now{i}"));
    }
    let body = format!(
        "{{ _Bool {}; ba_events_{group}({}); {keep}}} ",
        values.join(", "),
        arguments.join(", ")
    );
    if common {
        return format!("if ({}) {body}", guards[0]);
    }
    if conditions.is_empty() {
        return body;
    }
    let open = match all_guarded {
        true => {
            let each: Vec<String> = (0..updates.len()).map(|i| format!("ba_if{i}")).collect();
            format!("if ({}) ", each.join(" | "))
        }
        false => String::new(),
    };
    // What stays is read first, since conditions may read it too.
    kept.extend(conditions);
    format!("{{ _Bool {}; {open}{body}}} ", kept.join(", "))
}

/// How the monitors step when exactly one proposition has changed, and when several may have.
pub struct Steps {
    /// For each proposition, the statements after it rose and after it fell, with marked reads.
    pub flips: Vec<(String, String)>,
    /// The general steps of all monitors.
    pub general: Vec<GeneralStep>,
    /// Whether each event is a letter, changed or not (formulas that count letters).
    pub every_event: bool,
    /// Whether letters are taken at sample labels only: events then keep the values up to date.
    pub sampled: bool,
}

impl Steps {
    /// The statements of the monitors that an event concerns which may have changed these
    /// propositions.
    fn concerned(&self, changed: &[usize]) -> String {
        let concerned = |step: &&GeneralStep| {
            step.every_event || step.propositions.iter().any(|p| changed.contains(p))
        };
        let texts = self.general.iter().filter(concerned);
        texts.map(|step| step.text.as_str()).collect()
    }

    /// What an event does with the number of its site: where it is a letter, it announces it.
    fn announce(&self) -> &'static str {
        match self.sampled {
            true => "(void)ba_site",
            false => "BA_AT(ba_site)",
        }
    }
}

/// The functions that the sites call.
pub fn functions(variables: &[Variable], groups: &[Vec<usize>], steps: &Steps) -> Vec<String> {
    let mut functions = Vec::new();
    for (number, (variable, flips)) in variables.iter().zip(&steps.flips).enumerate() {
        functions.push(evaluation_function(variable));
        if variable.reading == Reading::AtEvents {
            functions.push(put_and_event(number, variable, flips, steps));
        }
    }
    for (number, group) in groups.iter().enumerate() {
        let members: Vec<&Variable> = group.iter().map(|&i| &variables[i]).collect();
        functions.push(group_function(
            number,
            &members,
            &steps.concerned(group),
            steps,
        ));
    }
    functions
}

/// The declarations that the program's text needs before it uses the functions.
pub fn prototypes(variables: &[Variable], groups: &[Vec<usize>]) -> Vec<String> {
    let mut lines = Vec::new();
    for v in variables {
        lines.push(format!(
            "BA_UNUSED static _Bool ba_eval_{}({});",
            v.name,
            parameters(v)
        ));
        if v.reading == Reading::AtEvents {
            lines.push(format!(
                "BA_UNUSED static _Bool ba_event_{}(unsigned ba_site, _Bool ba_was, _Bool ba_value);",
                v.name
            ));
        }
        if let Storage::Frame { counted: true, .. } = v.storage {
            lines.push(format!("BA_UNUSED static unsigned ba_count_{};", v.name));
        }
        if v.counts_open() {
            lines.push(format!("BA_UNUSED static unsigned ba_open_{};", v.name));
        }
    }
    for (number, group) in groups.iter().enumerate() {
        lines.push(format!(
            "BA_UNUSED static void ba_events_{number}({});",
            group_parameters(group.len())
        ));
    }
    lines
}

fn parameters(v: &Variable) -> String {
    match v.storage {
        Storage::Frame { .. } => parameter_list(&v.locals),
        _ => "void".into(),
    }
}

fn evaluation_function(v: &Variable) -> String {
    let mut conditions = Vec::new();
    if v.storage == Storage::Remote && v.reading != Reading::AtItsLabel {
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
    body.push_str(&pre_reads::statements(&v.touched));
    body.push_str(&format!("  return !!({});\n", v.evaluation));
    format!(
        "/* The value of {} in its area. */\nBA_UNUSED static _Bool ba_eval_{}({}) {{\n{body}}}",
        v.name,
        v.name,
        parameters(v)
    )
}

/// `put` stores a frame's new contribution and tells whether the proposition changed; `event` is
/// the letter of an event that only this proposition can change.
fn put_and_event(
    number: usize,
    v: &Variable,
    (rise, fall): &(String, String),
    steps: &Steps,
) -> String {
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
    let flip = if steps.every_event || steps.sampled {
        String::new()
    } else {
        let step = single_reads::block(
            &crate::monitor::choice("ba_value", rise.clone(), fall.clone()),
            &[],
        );
        format!(
            "/* {n} alone has changed. */\nBA_UNUSED static void ba_flip_{n}(_Bool ba_value) {{\n  (void)ba_value;\n  {step}\n}}\n",
            n = v.name
        )
    };
    let step = if steps.sampled {
        format!("  ba_put_{}(ba_was, ba_value);\n", v.name)
    } else if steps.every_event {
        let known = [(value.clone(), "ba_value".to_string())];
        let known = if matches!(v.storage, Storage::Frame { counted: true, .. }) {
            &[][..]
        } else {
            &known[..]
        };
        format!(
            "  ba_put_{}(ba_was, ba_value);\n  {}\n",
            v.name,
            single_reads::block(&steps.concerned(&[number]), known)
        )
    } else {
        format!(
            "  if (ba_put_{n}(ba_was, ba_value)) ba_flip_{n}({now});\n",
            n = v.name,
            // The frame's contribution need not be the value of all.
            now = if v.all { v.value() } else { "ba_value".into() },
        )
    };
    format!(
        "static _Bool ba_put_{n}(_Bool ba_was, _Bool ba_value) {{\n{put}}}\n{flip}\
         /* {n} may have changed at a site. */\n\
         BA_UNUSED static _Bool ba_event_{n}(unsigned ba_site, _Bool ba_was, _Bool ba_value) {{\n  {at};\n{step}  return ba_value;\n}}",
        n = v.name,
        at = steps.announce(),
    )
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

fn group_parameters(members: usize) -> String {
    let mut list = vec!["unsigned ba_site".to_string()];
    for i in 0..members {
        list.push(format!("_Bool ba_was{i}, _Bool ba_value{i}"));
    }
    list.join(", ")
}

/// One letter for a change of several propositions.
fn group_function(number: usize, members: &[&Variable], step: &str, steps: &Steps) -> String {
    let mut text = format!(
        "static void ba_events_{number}({}) {{\n  {};\n",
        group_parameters(members.len()),
        steps.announce()
    );
    let mut changed = Vec::new();
    let mut known = Vec::new();
    for (i, v) in members.iter().enumerate() {
        text.push_str(&format!(
            "  _Bool ba_changed{i} = ba_put_{}(ba_was{i}, ba_value{i});\n",
            v.name
        ));
        changed.push(format!("ba_changed{i}"));
        // A frame's contribution is not the proposition's value where instances are counted.
        if !matches!(v.storage, Storage::Frame { counted: true, .. }) {
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
        return text + &unused.collect::<String>() + "}";
    }
    text + &format!(
        "  if ({condition}) {{ {}}}\n}}",
        single_reads::block(step, &known)
    )
}
