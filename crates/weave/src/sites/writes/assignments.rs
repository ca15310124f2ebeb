//! The sites of writes. The value is computed first; one atomic block then writes it, evaluates the
//! propositions and steps the monitors, so that the interleavings stay those of the program.

use crate::analysis::effects::Effect;
use crate::bind::expression::{Piece, Region};
use crate::facts::names::user;
use crate::facts::places::Overlap;
use crate::facts::record::SiteEvent;
use crate::facts::text::may_hold_sites;
use crate::facts::{FunctionIndex, Range, Rewritten, Write, WriteForm};
use crate::layout::weaver::Weaver;
use crate::sites::writes::calls::Foreign;
use crate::sites::writes::updates::Written;

/// The texts around the parts of a write.
struct Form {
    /// Before the whole.
    open: String,
    /// After the target and before the operator.
    after_target: String,
    /// Before the right side; without one, after the operator.
    after_operator: String,
    /// After the whole: computations before the atomic block.
    work: String,
    /// The store itself, in the block.
    store: String,
    /// The value of the whole.
    result: &'static str,
    /// A pointer to the written object, valid in the block.
    pointer: Option<String>,
}

impl Weaver<'_> {
    /// Plans every write, and every call, that may change an object that a proposition reads.
    pub fn plan_writes(&mut self) {
        let facts = self.facts;
        let found = &self.analysis.effects;
        let with_others = self.stored_with_others();
        let writes = facts.writes.iter().zip(&found.writes).zip(with_others);
        for ((write, effects), with_others) in writes {
            if !effects.is_empty()
                || self.is_one_step(write)
                || self.is_in_full(write)
                || with_others
            {
                self.plan_write(write, effects, with_others);
            }
        }
        let calls = facts.calls.iter().zip(&facts.call_types).zip(&found.calls);
        for ((call, types), effects) in calls {
            if !effects.is_empty() && !crate::library::atomics::is_atomic(call) {
                self.plan_writing_call(Foreign {
                    call,
                    types,
                    effects,
                });
            }
        }
        for escape in &facts.escapes {
            if !self.layout.watchers[escape.object].is_empty() {
                let name = &facts.objects[escape.object].name;
                self.refuse(
                    escape.range,
                    format!("`{name}` is read by a proposition and {}", escape.how),
                    "writes from here on cannot be followed",
                    Some("let the program write to it by its name"),
                );
            }
        }
        self.refuse_assembler_pointers();
    }

    /// Refuses assembler statements that may write an object that a proposition reads through a pointer.
    fn refuse_assembler_pointers(&mut self) {
        let facts = self.facts;
        // Pointers lead only to objects whose address is taken.
        let watched: Vec<usize> = (0..facts.objects.len())
            .filter(|&o| !self.layout.watchers[o].is_empty() && facts.objects[o].address_taken)
            .collect();
        for pointer in facts
            .assembler_pointers
            .iter()
            .filter(|_| !watched.is_empty())
        {
            let reached = self.program.code.reached_from(pointer.object);
            let mut watched = watched.iter().copied();
            let watched = watched.find(|o| reached.as_ref().is_none_or(|set| set.contains(o)));
            if let Some(watched) = watched {
                let name = &facts.objects[watched].name;
                let by = &facts.objects[pointer.object].name;
                self.refuse(
                    pointer.range,
                    format!("an assembler statement may write to `{name}` through `{by}`"),
                    "writes from here on cannot be followed",
                    Some("let the program write to it by its name"),
                );
            }
        }
    }

    /// Whether a write in a program with threads also reads its `_Atomic` object: model checkers would take two
    /// steps for it.
    fn is_one_step(&self, write: &Write) -> bool {
        let plain = match &write.form {
            WriteForm::Assignment { operator, .. } => operator == "=",
            WriteForm::Initialiser => true,
            WriteForm::Step { .. } => false,
        };
        self.analysis.threaded && write.atomic && !plain
    }

    /// Plans a write; `with_others` says whether a model checker stores other parts of the object with it.
    fn plan_write(&mut self, write: &Write, effects: &[Effect], with_others: bool) {
        if effects.is_empty() && with_others && self.plan_stored_with_others(write) {
            return;
        }
        let form = match &write.form {
            WriteForm::Initialiser => return self.plan_initialiser(write, effects),
            _ if write.bit_field.is_some() => self.bit_field_form(write),
            WriteForm::Assignment { operator, .. } => self.assignment(write, operator),
            WriteForm::Step {
                operator, prefix, ..
            } => self.step(write, operator, *prefix),
        };
        let written = Written {
            function: write.function,
            range: write.range,
            object: write.place.root,
            pointer: form.pointer.as_deref(),
            ..Written::default()
        };
        let refresh = self.refresh_copies(effects, written);
        let updates = self.plan_updates_of(effects, written);
        if updates.is_empty() && refresh.is_empty() && !self.is_one_step(write) {
            if with_others {
                let store = match write.bit_field.is_some() {
                    // The text may declare the value of the whole.
                    true => format!("BA_BEGIN(); {}BA_END(); ", form.store),
                    false => format!("BA_STORE({}); ", form.store.trim_end_matches("; ")),
                };
                self.insert(write, form, &store);
            } else if self.is_in_full(write) {
                let store = form.store.clone();
                self.insert(write, form, &store);
            }
            return;
        }
        let site = self.add_site(write.range, write.function, SiteEvent::Write);
        let what = match write.place.root {
            Some(_) => "this part",
            None => "what the pointer leads to",
        };
        self.note_uncertain(site, effects, what);
        let event = self.event(site, &format!("{}{refresh}", form.store), updates, "");
        self.insert(write, form, &event.to_string());
    }

    /// Inserts the texts of a form around the parts of a write.
    fn insert(&mut self, write: &Write, form: Form, event: &str) {
        let (target, operator) = match &write.form {
            WriteForm::Initialiser => return,
            WriteForm::Assignment { target, value, .. } => (*target, value.start),
            WriteForm::Step { target, prefix, .. } if *prefix => (*target, target.start),
            WriteForm::Step { target, .. } => (*target, write.range.end),
        };
        let depth = write.depth;
        let result = match write.used {
            true => format!("{}; ", form.result),
            false => String::new(),
        };
        let end = format!("{}; {event}{result}}}))", form.work);
        self.out
            .insertions
            .open(write.range.start, depth, 0, form.open);
        let prefix = operator == target.start;
        if prefix {
            self.out
                .insertions
                .open(operator, depth, 1, form.after_operator);
            self.out
                .insertions
                .close(target.end, depth, 0, form.after_target + &end);
            return;
        }
        self.out
            .insertions
            .close(target.end, depth, 0, form.after_target);
        if operator == write.range.end {
            self.out
                .insertions
                .close(operator, depth, 0, form.after_operator + &end);
        } else {
            self.out
                .insertions
                .open(operator, depth, 1, form.after_operator);
            self.out.insertions.close(write.range.end, depth, 0, end);
        }
    }

    /// The expression of the written object in emitted text: its own text if that can be evaluated twice, else
    /// `*ba_at`, which the opening text declares.
    fn target(&self, write: &Write, target: Range) -> (bool, String, Option<String>) {
        let by_name = write.place.repeatable;
        match by_name {
            true => {
                let text = user(&self.whole_source(target));
                let register = write
                    .place
                    .root
                    .is_some_and(|o| self.facts.objects[o].register);
                let pointer = (!register).then(|| format!("&({text})"));
                (true, text, pointer)
            }
            false => (false, "*ba_at".to_string(), Some("ba_at".to_string())),
        }
    }

    /// `x = e` becomes `({ typeof(x) v = e; atomic { x = v; … } v; })`, and `*p = e` becomes
    /// `({ at = &(*p); typeof(*at) v = e; atomic { *at = v; … } v; })`; a compound assignment
    /// evaluates `e` first as well, then reads the target, then writes it.
    fn assignment(&self, write: &Write, operator: &str) -> Form {
        let WriteForm::Assignment { target, .. } = write.form else {
            return self.step(write, operator, true);
        };
        let (by_name, name, pointer) = self.target(write, target);
        let typed = if by_name { &name } else { "*ba_at" };
        let value = format!("__typeof__({typed}) ba_value");
        let at = format!("{} ba_at = &(", self.typed("&", target));
        let (open, after_target) = match (by_name, operator) {
            (true, "=") => ("__typeof__(".to_string(), ") ba_value ".to_string()),
            (true, _) => ("/* ".to_string(), String::new()),
            (false, "=") => (at, format!("); {value} ")),
            (false, _) => (at, "); /* ".to_string()),
        };
        let operand = format!("*/ {} ba_operand = +(", self.operand_type(write));
        let atomic = write.atomic;
        let (after_operator, work, store) = match (operator, atomic) {
            ("=", _) => (String::new(), String::new(), format!("{name} = ba_value; ")),
            (_, true) => (
                operand,
                format!("); {value}"),
                format!("{name} {operator} ba_operand; ba_value = {name}; "),
            ),
            (_, false) => {
                let binary = operator.trim_end_matches('=');
                let computed = match self.rewritten(target) {
                    Some(Rewritten::UnsignedObject) => {
                        "ba_value = (unsigned)ba_value >> ba_operand".to_string()
                    }
                    Some(Rewritten::InFull) => format!("ba_value = ba_value {binary} ba_operand"),
                    _ => format!("ba_value {operator} ba_operand"),
                };
                (
                    operand,
                    format!("); {value} = {name}; {computed}"),
                    format!("{name} = ba_value; "),
                )
            }
        };
        Form {
            open: format!("(__extension__ ({{ {open}"),
            after_target,
            after_operator,
            work,
            store,
            result: "ba_value",
            pointer,
        }
    }

    /// How the target of an assignment is rewritten for model checkers, if it is.
    fn rewritten(&self, target: Range) -> Option<Rewritten> {
        let mut misread = self.facts.misread.iter();
        let found = misread.find(|m| m.placed.range == target)?;
        Some(found.written)
    }

    /// Whether a write is a compound assignment that has to be written in full for model checkers.
    fn is_in_full(&self, write: &Write) -> bool {
        match write.form {
            WriteForm::Assignment { target, .. } => {
                self.rewritten(target) == Some(Rewritten::InFull)
            }
            _ => false,
        }
    }

    /// `++x` and `x--`: operators and repeatable targets become comments.
    fn step(&self, write: &Write, operator: &str, prefix: bool) -> Form {
        let target = match write.form {
            WriteForm::Step { target, .. } => target,
            _ => write.range,
        };
        let (by_name, name, pointer) = self.target(write, target);
        // The old value is needed only if the value of a postfix expression is used.
        let keeps = !prefix && write.used;
        let result = if keeps { "ba_old" } else { "ba_value" };
        let old = if keeps { "ba_old = " } else { "" };
        let both = if keeps { ", ba_old" } else { "" };
        let (work, store) = match write.atomic {
            true => (
                format!("__typeof__({name}) ba_value{both}"),
                format!(
                    "{}{operator}{}; ba_value = {name}; ",
                    if keeps {
                        format!("{old}{name}; ")
                    } else {
                        String::new()
                    },
                    if by_name {
                        name.clone()
                    } else {
                        format!("({name})")
                    },
                ),
            ),
            false => (
                format!(
                    "__typeof__({name}) ba_value = {name}{both}; {}{operator}ba_value",
                    if keeps {
                        format!("{old}ba_value; ")
                    } else {
                        String::new()
                    },
                ),
                format!("{name} = ba_value; "),
            ),
        };
        let at = format!("{} ba_at = &(", self.typed("&", target));
        let (open, after_target, after_operator) = match (by_name, prefix) {
            (true, true) => ("/* ", " */ ", String::new()),
            (true, false) => ("/* ", "", " */ ".to_string()),
            (false, true) => ("/* ", "); ", format!(" */ {at}")),
            (false, false) => (at.as_str(), "); /* ", " */ ".to_string()),
        };
        Form {
            open: format!("(__extension__ ({{ {open}"),
            after_target: after_target.to_string(),
            after_operator,
            work,
            store,
            result,
            pointer,
        }
    }

    /// A bit-field has neither an address nor a type of its own, so the pointer leads to its record.
    fn bit_field_form(&mut self, write: &Write) -> Form {
        let field = write.bit_field.clone().unwrap_or_default();
        let (target, operator, prefix) = match &write.form {
            WriteForm::Assignment {
                target, operator, ..
            } => (*target, operator.as_str(), false),
            WriteForm::Step {
                target,
                operator,
                prefix,
            } => (*target, operator.as_str(), *prefix),
            WriteForm::Initialiser => (write.range, "=", false),
        };
        let step = matches!(write.form, WriteForm::Step { .. });
        let member = format!("ba_at->{}", user(&field.member));
        // The text around the record in the target becomes a comment.
        let sign = if field.arrow { "" } else { "&" };
        let at = format!("*/ {} ba_at = {sign}(", self.typed(sign, field.base));
        let operand = self.operand_type(write);
        self.out
            .insertions
            .open(field.base.start, write.depth, 2, at);
        self.out
            .insertions
            .close(field.base.end, write.depth, 1, "); /*");
        let _ = target;
        let binary = match step {
            true => operator.get(..1).unwrap_or("+"),
            false => operator.strip_suffix('=').unwrap_or(""),
        };
        let (after_operator, work) = match (step, operator) {
            (true, _) => (
                if prefix { "" } else { " */ " }.to_string(),
                format!("__auto_type ba_old = +{member}; __auto_type ba_new = ba_old {binary} 1"),
            ),
            (_, "=") => (format!("*/ {operand} ba_new = +("), ")".to_string()),
            _ => (
                format!("*/ {operand} ba_operand = +("),
                format!("); __auto_type ba_new = {member} {binary} ba_operand"),
            ),
        };
        Form {
            open: "(__extension__ ({ /* ".to_string(),
            after_target: if prefix { " */ " } else { "" }.to_string(),
            after_operator,
            work,
            store: match write.used {
                true => format!("__auto_type ba_value = +({member} = ba_new); "),
                false => format!("{member} = ba_new; "),
            },
            result: if step && !prefix {
                "ba_old"
            } else {
                "ba_value"
            },
            pointer: Some("ba_at".to_string()),
        }
    }

    /// The type of a variable that is initialised with an expression, with `sign` before it. CBMC reads
    /// the initialiser of an `__auto_type` variable twice, which fails if it contains declarations; so the type
    /// is spelled out if the text may contain woven ones.
    fn typed(&self, sign: &str, range: Range) -> String {
        let text = self.whole_source(range);
        match may_hold_sites(&text) {
            true => format!("__typeof__({sign}({}))", user(&text)),
            false => "__auto_type".to_string(),
        }
    }

    fn operand_type(&self, write: &Write) -> String {
        match write.form {
            WriteForm::Assignment { value, .. } => self.typed("+", value),
            _ => "__auto_type".to_string(),
        }
    }

    fn plan_initialiser(&mut self, write: &Write, effects: &[Effect]) {
        let written = Written {
            function: write.function,
            range: write.range,
            object: write.place.root,
            ..Written::default()
        };
        let refresh = self.refresh_copies(effects, written);
        let mut updates = self.plan_updates_of(effects, written);
        if !self.comes_back(write.function) {
            // No area with this local can be open before the local is declared.
            let copied = write.place.root.is_some_and(|o| self.layout.copied[o]);
            updates.retain(|u| u.1.is_none() || copied);
        }
        if updates.is_empty() && refresh.is_empty() && !self.is_one_step(write) {
            return;
        }
        let site = self.add_site(write.range, write.function, SiteEvent::Write);
        let event = self.event(site, &refresh, updates, "");
        self.out
            .insertions
            .close(write.range.end, write.depth, 0, format!(" {event}"));
    }

    /// Notes in the record why only the run decides whether a write changes an object that a proposition reads.
    pub(crate) fn note_uncertain(&mut self, site: usize, effects: &[Effect], what: &str) {
        let mut read: Vec<String> = Vec::new();
        for effect in effects.iter().filter(|e| e.overlap == Overlap::Maybe) {
            let regions = &self.bound.propositions[effect.proposition].regions;
            for &r in &effect.regions {
                let name = self.region_name(&regions[r]);
                if !read.contains(&name) {
                    read.push(name);
                }
            }
        }
        if !read.is_empty() {
            self.out.sites[site].decided = Some(format!("{what} may be {}", read.join(", ")));
        }
    }

    fn region_name(&self, region: &Region) -> String {
        let Some(lvalue) = &region.lvalue else {
            return "what an evaluation function reads".to_string();
        };
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) => crate::facts::names::avoid(text, ""),
            Piece::Leaf(leaf) => crate::facts::names::avoid(&self.named(leaf), ""),
        };
        format!("`{}`", lvalue.iter().map(piece).collect::<String>())
    }

    /// Whether a backward jump of a function may pass a declaration again.
    fn comes_back(&self, function: FunctionIndex) -> bool {
        let mut gotos = self.facts.jumps.iter();
        gotos.any(|j| j.function == function && j.repeats.is_some()) || self.saves_places(function)
    }
}
