//! The sites of writes: the value is computed first, then written, evaluated and stepped in one
//! atomic block, so that the interleavings stay those of the program.

use crate::facts::{Range, Write, WriteForm};
use crate::weaver::{PlannedUpdate, Weaver};

impl Weaver<'_> {
    /// Plans every write to an object that a proposition reads.
    pub fn plan_writes(&mut self) {
        let facts = self.facts;
        for write in &facts.writes {
            let refresh = self.refresh_copy(write.object);
            let updates = match write.form {
                WriteForm::Initialiser if !self.comes_back(write.function) => {
                    // No area with this parameter can be open before the parameter is declared.
                    let all = self.updates_of_write(write.object, write.function, write.range);
                    all.into_iter()
                        .filter(|u| u.1.is_none() || self.copied[write.object])
                        .collect()
                }
                _ => self.updates_of_write(write.object, write.function, write.range),
            };
            if updates.is_empty() && refresh.is_empty() {
                continue;
            }
            let site = self.site(write.range, write.function, "write");
            match &write.form {
                WriteForm::Initialiser => {
                    let event = self.event(site, &refresh, updates, "");
                    self.insertions
                        .close(write.range.end, write.depth, 0, format!(" {event}"));
                }
                WriteForm::Assignment {
                    operator,
                    target,
                    value,
                } => {
                    self.plan_assignment(site, write, operator, *target, *value, &refresh, updates);
                }
                WriteForm::Step { operator, prefix } => {
                    self.plan_step(site, write, operator, *prefix, &refresh, updates);
                }
            }
        }
        for escape in &facts.escapes {
            if !self.watchers[escape.object].is_empty() {
                let name = &facts.objects[escape.object].name;
                self.refuse(
                    escape.range,
                    format!("`{name}` is read by a proposition and {}", escape.how),
                    "writes from here on cannot be followed",
                    Some("let the program write to it by its name"),
                );
            }
        }
    }

    /// Whether a goto leads back in a function, so that a declaration may be passed again.
    fn comes_back(&self, function: crate::facts::FunctionIndex) -> bool {
        self.facts
            .jumps
            .iter()
            .any(|j| j.function == function && j.repeats.is_some())
    }

    /// `x = e` becomes `({ typeof(x) v = e; atomic { x = v; … } v; })`; a compound assignment
    /// evaluates `e` first as well, then reads `x`, then writes it.
    #[allow(clippy::too_many_arguments)]
    fn plan_assignment(
        &mut self,
        site: usize,
        write: &Write,
        operator: &str,
        target: Range,
        value: Range,
        refresh: &str,
        updates: Vec<PlannedUpdate>,
    ) {
        let name = self.source(target);
        let user_name = crate::names::user(&name);
        let atomic = self.facts.objects[write.object].atomic;
        let (open, middle, store);
        if operator == "=" {
            open = "(__extension__ ({ __typeof__(".to_string();
            middle = (target.end, ") ba_value ".to_string());
            store = format!("{user_name} = ba_value; ");
        } else {
            // The operator's own text stays, as a comment in front of the value.
            open = "(__extension__ ({ __auto_type ba_operand = /* ".to_string();
            middle = (value.start, "*/ (".to_string());
            store = if atomic {
                format!("{user_name} {operator} ba_operand; ba_value = {user_name}; ")
            } else {
                format!("{user_name} = ba_value; ")
            };
        }
        let event = self.event(site, &format!("{store}{refresh}"), updates, "");
        let read = match (operator, atomic) {
            ("=", _) => String::new(),
            (_, true) => format!("); __typeof__({user_name}) ba_value"),
            (_, false) => format!(
                "); __typeof__({user_name}) ba_value = {user_name}; ba_value {operator} ba_operand"
            ),
        };
        self.insertions
            .open(write.range.start, write.depth, 0, open);
        if operator == "=" {
            self.insertions.close(middle.0, write.depth, 0, middle.1);
        } else {
            self.insertions.open(middle.0, write.depth, 1, middle.1);
        }
        self.insertions.close(
            write.range.end,
            write.depth,
            0,
            format!("{read}; {event}ba_value; }}))"),
        );
    }

    /// `++x` and `x--`: the expression stays as a comment.
    fn plan_step(
        &mut self,
        site: usize,
        write: &Write,
        operator: &str,
        prefix: bool,
        refresh: &str,
        updates: Vec<PlannedUpdate>,
    ) {
        let object = &self.facts.objects[write.object];
        let name = crate::names::user(&object.name);
        let result = if prefix { "ba_value" } else { "ba_old" };
        let (work, store) = if object.atomic {
            let old = if prefix {
                String::new()
            } else {
                format!("ba_old = {name}; ")
            };
            (
                String::new(),
                format!("{old}{operator}{name}; ba_value = {name}; "),
            )
        } else {
            let old = if prefix { "" } else { "ba_old = ba_value; " };
            (
                format!("{old}{operator}ba_value; "),
                format!("{name} = ba_value; "),
            )
        };
        let event = self.event(site, &format!("{store}{refresh}"), updates, "");
        let declare = match (object.atomic, prefix) {
            (true, true) => format!("__typeof__({name}) ba_value; "),
            (true, false) => format!("__typeof__({name}) ba_value, ba_old; "),
            (false, true) => format!("__typeof__({name}) ba_value = {name}; "),
            (false, false) => format!("__typeof__({name}) ba_value = {name}, ba_old; "),
        };
        self.insertions.around(
            write.range,
            write.depth,
            0,
            format!("(__extension__ ({{ {declare}{work}/* "),
            format!(" */ {event}{result}; }}))"),
        );
    }
}
