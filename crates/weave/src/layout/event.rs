//! The C text of one event, as it stands at a site.

use crate::layout::variables::Variable;

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

/// The text of one event: one step, which no other thread interrupts.
#[derive(Clone, Debug)]
pub struct Event {
    statements: String,
}

impl Event {
    /// The event of these statements.
    pub fn new(statements: String) -> Event {
        Event { statements }
    }

    /// Its text where the step has begun already.
    pub fn within_step(&self) -> String {
        format!("{}BA_END(); ", self.statements)
    }
}

impl std::fmt::Display for Event {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BA_BEGIN(); {}BA_END(); ", self.statements)
    }
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

pub fn call(site: usize, update: &Update) -> String {
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
pub fn grouped(site: usize, updates: &[Update], group: usize) -> String {
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
