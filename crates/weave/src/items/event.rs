//! Events at sites, as values: the changes stay known until the text of the site is made.

use std::fmt::{self, Display, Formatter, Write};

/// The new value of a proposition at an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Now {
    /// The proposition is evaluated: the function and its arguments.
    Evaluated(String, Vec<String>),
    /// The value is known.
    Is(bool),
}

impl Display for Now {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Now::Evaluated(function, arguments) => {
                write!(f, "{function}({})", arguments.join(", "))
            }
            Now::Is(value) => write!(f, "{}", u8::from(*value)),
        }
    }
}

/// A possible change of one proposition at an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The identifier of the proposition.
    pub name: String,
    /// The variable with its value, or with the frame's contribution to it.
    pub own: String,
    /// Whether that variable is not the proposition's own, and has to be updated.
    pub keeps_own: bool,
    /// The condition of its evaluation; `None` is always.
    pub guard: Option<String>,
    /// Its new value.
    pub now: Now,
}

/// One event: one step of the monitors, which no other thread interrupts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The number of the site.
    pub site: usize,
    /// The bookkeeping before the evaluations: statements.
    pub before: String,
    /// The propositions that may change.
    pub changes: Vec<Change>,
    /// The number of the function for these propositions, if there are several.
    pub group: usize,
    /// The bookkeeping after them: statements.
    pub after: String,
}

impl Display for Event {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "BA_BEGIN(); {}", self.within_step())
    }
}

impl Event {
    /// Its text without the text that begins the atomic step.
    pub fn within_step(&self) -> String {
        let Event { before, after, .. } = self;
        let changes = match self.changes.as_slice() {
            [] => String::new(),
            [one] => {
                let guard = one.guard.as_ref();
                let guard = guard.map_or(String::new(), |guard| format!("if ({guard}) "));
                guard + &self.alone(one)
            }
            several => self.together(several),
        };
        format!("{before}{changes}{after}BA_END(); ")
    }

    fn alone(&self, change: &Change) -> String {
        let Change { name, own, now, .. } = change;
        let call = format!("ba_event_{name}({}, {own}, {now})", self.site);
        match change.keeps_own {
            true => format!("{own} = {call}; "),
            false => format!("{call}; "),
        }
    }

    /// Several propositions change in one event: all new values first, then one letter. Conditions, and values
    /// that may stay, are read at one place (see [`super::code`]).
    fn together(&self, changes: &[Change]) -> String {
        let mut guards: Vec<&String> = changes.iter().filter_map(|c| c.guard.as_ref()).collect();
        let all_guarded = guards.len() == changes.len();
        guards.dedup();
        // A condition that all changes share stands before the whole.
        let common = all_guarded && guards.len() == 1;
        let (mut kept, mut conditions, mut values) = (Vec::new(), Vec::new(), Vec::new());
        let mut arguments = vec![self.site.to_string()];
        let mut keep = String::new();
        for (i, change) in changes.iter().enumerate() {
            let mut own = change.own.clone();
            if change.keeps_own {
                let _ = write!(keep, "{own} = ba_now{i}; ");
            }
            let now = match &change.guard {
                Some(guard) if !common => {
                    if !change.keeps_own {
                        kept.push(format!("ba_was{i} = {own}"));
                        own = format!("ba_was{i}");
                    }
                    conditions.push(format!("ba_if{i} = {guard}"));
                    format!("ba_if{i} ? {} : {own}", change.now)
                }
                _ => change.now.to_string(),
            };
            values.push(format!("ba_now{i} = {now}"));
            arguments.push(own);
            arguments.push(format!("ba_now{i}"));
        }
        let body = format!(
            "{{ _Bool {}; ba_events_{}({}); {keep}}} ",
            values.join(", "),
            self.group,
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
                let each: Vec<String> = (0..changes.len()).map(|i| format!("ba_if{i}")).collect();
                format!("if ({}) ", each.join(" | "))
            }
            false => String::new(),
        };
        // Old values are read first, since conditions may read them, too.
        kept.extend(conditions);
        format!("{{ _Bool {}; {open}{body}}} ", kept.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(name: &str, guard: Option<&str>) -> Change {
        Change {
            name: name.into(),
            own: format!("ba_p_{name}"),
            keeps_own: false,
            guard: guard.map(str::to_owned),
            now: Now::Evaluated(format!("ba_eval_{name}"), vec!["x".into()]),
        }
    }

    fn event(changes: Vec<Change>) -> Event {
        Event {
            site: 7,
            before: "b; ".into(),
            changes,
            group: 2,
            after: "a; ".into(),
        }
    }

    #[test]
    fn one_change_is_one_call() {
        assert_eq!(
            event(vec![change("g", Some("in"))]).to_string(),
            "BA_BEGIN(); b; if (in) ba_event_g(7, ba_p_g, ba_eval_g(x)); a; BA_END(); "
        );
    }

    #[test]
    fn several_changes_are_evaluated_before_the_letter() {
        assert_eq!(
            event(vec![change("g", None), change("h", Some("in"))]).to_string(),
            "BA_BEGIN(); b; { _Bool ba_was1 = ba_p_h, ba_if1 = in; { _Bool ba_now0 = ba_eval_g(x), \
             ba_now1 = ba_if1 ? ba_eval_h(x) : ba_was1; ba_events_2(7, ba_p_g, ba_now0, ba_was1, \
             ba_now1); } } a; BA_END(); "
        );
    }

    #[test]
    fn a_condition_of_all_stands_in_front() {
        assert_eq!(
            event(vec![change("g", Some("in")), change("h", Some("in"))]).to_string(),
            "BA_BEGIN(); b; if (in) { _Bool ba_now0 = ba_eval_g(x), ba_now1 = ba_eval_h(x); \
             ba_events_2(7, ba_p_g, ba_now0, ba_p_h, ba_now1); } a; BA_END(); "
        );
    }
}
