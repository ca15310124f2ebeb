//! The C text of save points and of the search for lassos.

use std::collections::BTreeSet;

use askama::Template;

use super::Place;
use crate::analysis::state_slice::Kept;
use crate::facts::assertion::Asserted;
use crate::facts::names::{self, user};
use crate::facts::record::SiteEvent;
use crate::facts::text::user_type;
use crate::facts::{FunctionIndex, Lifetime, ObjectIndex};
use crate::items::assertion::Assertion;
use crate::items::code::{self, code, Code};
use crate::items::words::*;
use crate::items::{rendered, Function, Item, Signature, Variable};
use crate::layout::lasso::Lasso;
use crate::layout::variables::{Reading, Storage};
use crate::layout::weaver::Weaver;
use crate::monitor::LoopMonitor;
use crate::monitor::Monitors;

/// The text after the program that lassos need.
#[derive(Clone, Debug, Default, Template)]
#[template(path = "lasso.c", escape = "none")]
pub(super) struct LassoText {
    /// The variables of saved values: types and declarators.
    pub copies: Vec<String>,
    /// In a program of several files, a function for each object, since only some files see it.
    pub functions: Vec<Function>,
    /// Statements that save the state, one on each line.
    pub saves: Vec<String>,
    /// Conditions that the state equals the saved one, one on each line.
    pub conditions: Vec<String>,
    /// Locals that the conditions below read.
    pub reads: String,
    /// Assertions at possible ends of a lasso: that the lasso violates no property.
    pub violations: Vec<Assertion>,
    /// Types and names of the monitor's variables that are saved.
    pub names: Vec<(String, String)>,
    /// Whether threads run: then the sequentialisation saves and compares their state, and this text concerns
    /// the monitors only.
    pub by_rounds: bool,
}

/// Adds a global variable and its saved value.
fn global(text: &mut LassoText, ty: &str, name: &str) {
    let copy = format!("ba_kept_{}", name.trim_start_matches("ba_"));
    text.names.push((ty.to_string(), name.to_string()));
    text.copies.push(format!("{ty} {copy}"));
    text.saves.push(format!("{copy} = {name};"));
    text.conditions.push(format!("{name} == {copy}"));
}

impl Weaver<'_> {
    /// The text of a save point; empty, with a note, if the state cannot be compared there.
    pub(crate) fn plan_save_point(&mut self, place: Place) -> String {
        let Some(mut lasso) = self.out.lasso.take() else {
            return String::new();
        };
        let locals = match &lasso.declared {
            Some(state) => Ok(self.declared_at(state, &lasso, place)),
            None => self.locals_at(&lasso, place),
        };
        let text = match locals {
            Ok(locals) => self.save_point_text(&mut lasso, place, &locals),
            Err(why) => {
                self.note(
                    place.range,
                    format!("lassos are not searched here: {why}"),
                    "not a save point",
                );
                String::new()
            }
        };
        self.out.lasso = Some(lasso);
        text
    }

    /// The declared objects of the state that are locals and visible at a place.
    fn declared_at(&self, state: &[Kept], lasso: &Lasso, place: Place) -> Vec<Kept> {
        let visible = |o: ObjectIndex| {
            let object = &self.facts.objects[o];
            object.lifetime == Lifetime::Local(place.function)
                && object.place.start < place.offset
                && object.scope.start <= place.offset
                && place.offset <= object.scope.end
                && !self.hidden_at(o, place)
        };
        let point = lasso.points.len();
        let named = state.iter().filter(|k| visible(k.object)).cloned();
        named
            .map(|kept| Kept {
                copy: format!("{}_{point}", kept.copy),
                ..kept
            })
            .collect()
    }

    fn save_point_text(&mut self, lasso: &mut Lasso, place: Place, locals: &[Kept]) -> String {
        let number = lasso.points.len() + 1;
        let site = self.add_site(place.range, place.function, SiteEvent::Save);
        let back = self.add_site(place.range, place.function, SiteEvent::Repeat);
        let here = "unsigned ba_here = 0; ";
        self.out.declare_once(place.function, here);
        lasso.points.push(site);
        let mut names: BTreeSet<&str> = BTreeSet::new();
        let (mut declare, mut save) = (String::new(), String::new());
        let mut conditions = vec![format!("ba_here == {number}")];
        for kept in locals {
            names.insert(&kept.name);
            let facts = &lasso.observed.objects[kept.object];
            let (name, copy) = (user(&facts.name), &kept.copy);
            let ty = match facts.constant {
                true => format!("({name}) + 0"),
                false => name.clone(),
            };
            declare.push_str(&format!("static __typeof__({ty}) {copy}; "));
            for (way, shape) in &kept.parts {
                let (statements, same) = shape.keep(&name, copy, way);
                save.push_str(&statements);
                conditions.extend(same);
            }
        }
        for flag in self.flags_of(place.function) {
            let copy = format!("ba_kept_{}_{number}", flag.trim_start_matches("ba_"));
            declare.push_str(&format!("static _Bool {copy}; "));
            save.push_str(&format!("{copy} = {flag}; "));
            conditions.push(format!("{flag} == {copy}"));
        }
        let names: Vec<String> = names.into_iter().map(str::to_string).collect();
        lasso.record.points.push((site, names));
        format!(
            "{{ {declare}if (BA_SAVE({site})) {{ ba_here = {number}; {save}ba_save({site}); }} else if ({}) {{ if (ba_same()) ba_lasso({back}); }} }} ",
            conditions.join(" && ")
        )
    }

    /// The flags of areas, and own contributions, that belong to a function's activations.
    pub(super) fn flags_of(&self, function: FunctionIndex) -> Vec<String> {
        let areas = (0..self.bound.areas.len()).filter(|&a| {
            let area = &self.bound.areas[a];
            area.function == function && !self.layout.static_flags[a] && !self.pulses_at_sample(a)
        });
        areas.flat_map(|a| self.area_flags(a)).collect()
    }

    fn area_flags(&self, area: usize) -> Vec<String> {
        let own = self.bound.areas[area].propositions.iter().filter_map(|&p| {
            let variable = &self.layout.variables[p];
            matches!(variable.storage, Storage::Frame { own: true, .. }).then(|| variable.own())
        });
        std::iter::once(self.flag(area)).chain(own).collect()
    }

    /// The text after the program that lassos need; `None` if lassos are not searched.
    fn lasso_text(&self, monitors: &Monitors) -> Option<LassoText> {
        let lasso = self.out.lasso.as_ref().filter(|_| !self.proves())?;
        let mut text = LassoText {
            by_rounds: lasso.by_rounds,
            ..LassoText::default()
        };
        let declared =
            lasso.declared.iter().flatten().filter(|kept| {
                !matches!(self.facts.objects[kept.object].lifetime, Lifetime::Local(_))
            });
        for kept in lasso.statics.iter().chain(declared) {
            self.keep_static(lasso, kept, &mut text);
        }
        self.keep_values(&mut text);
        for property in &monitors.properties {
            if let Some(judged) = &property.lasso {
                if !judged.begin.is_empty() {
                    text.saves.push(judged.begin.clone());
                }
            }
        }
        for v in &self.layout.variables {
            text.saves.push(names::turned(&v.name) + " = 0;");
        }
        let judged = monitors.properties.iter();
        let violations =
            judged.filter_map(|p| Some((p.name.clone(), self.violation(p.lasso.as_ref()?)?)));
        let (names, conditions): (Vec<String>, Vec<Code>) = violations.unzip();
        let conditions: Vec<&Code> = conditions.iter().collect();
        let (reads, resolved) = code::resolve(&conditions, &[]);
        text.reads = reads;
        let assertion = |(name, violated): (&String, String)| {
            let holds = match lasso.by_rounds {
                true => format!("!(ba_same && ({violated}))"),
                false => format!("!({violated})"),
            };
            Assertion::new(holds, Asserted::Lasso(name))
        };
        text.violations = names.iter().zip(resolved).map(assertion).collect();
        Some(text)
    }

    /// Saves and compares an object with static storage.
    fn keep_static(&self, lasso: &Lasso, kept: &Kept, text: &mut LassoText) {
        if !lasso.several_files {
            return self.keep_object(lasso, kept, text);
        }
        let mut own = LassoText::default();
        self.keep_object(lasso, kept, &mut own);
        let number = kept.copy.trim_start_matches("ba_kept_");
        let copies = own.copies.iter().map(|copy| format!("static {copy};"));
        let body = format!(
            "  {}\n  if (ba_saves) {{ {} }}\n  return {};\n",
            copies.collect::<Vec<_>>().join(" "),
            own.saves.join(" "),
            own.conditions.join(" && ")
        );
        let signature = Signature::new(format!("_Bool ba_keep_{number}(_Bool ba_saves)"));
        text.functions.push(Function::new(signature, body));
        text.saves.push(format!("ba_keep_{number}(1);"));
        text.conditions.push(format!("ba_keep_{number}(0)"));
    }

    fn keep_object(&self, lasso: &Lasso, kept: &Kept, text: &mut LassoText) {
        let facts = &lasso.observed.objects[kept.object];
        let name = names::object(&facts.name, kept.object);
        let at = names::address(kept.object);
        let is_local = facts.pointer.is_some();
        let (object, copy) = match &facts.pointer {
            Some((_, Some(typed))) => {
                let pointer = format!("ba_typed_{}", kept.object);
                let declaration = user_type(typed, &pointer);
                let value = format!("(*{pointer})");
                text.copies.push(declaration);
                text.copies
                    .push(format!("__typeof__(*{pointer}) {}", kept.copy));
                text.copies.push(format!("void *{}_at", kept.copy));
                text.saves.push(format!("{}_at = {at};", kept.copy));
                text.saves.push(format!("{pointer} = {at};"));
                text.conditions.push(format!("{}_at == {at}", kept.copy));
                (value, kept.copy.clone())
            }
            _ => {
                text.copies
                    .push(format!("__typeof__({name}) {}", kept.copy));
                (name, kept.copy.clone())
            }
        };
        for (way, shape) in &kept.parts {
            let (statements, mut conditions) = shape.keep(&object, &copy, way);
            // A static local has its initial value until control passes its declaration.
            match is_local {
                true => {
                    text.saves.push(format!("if ({at}) {{ {statements}}}"));
                    let all = conditions.join(" && ");
                    conditions = vec![format!("(!{at} || ({all}))")];
                }
                false => text.saves.push(statements),
            }
            text.conditions.extend(conditions);
        }
    }

    /// Saves and compares values of propositions, counts of instances, copies of locals, and flags outside
    /// frames.
    pub(super) fn keep_values(&self, text: &mut LassoText) {
        let apart = self.clock_apart();
        for (p, v) in self.layout.variables.iter().enumerate() {
            if Some(p) == apart {
                continue;
            }
            // The saved value is declared before the program, since monitors compare with it.
            let (letter, kept) = (self.letter(v), names::kept_letter(&v.name));
            text.saves.push(format!("{kept} = {letter};"));
            match self.bound.environment.sampled {
                // The next letters depend on the values between samples, not on the last letter.
                true if !matches!(v.reading, Reading::Samples | Reading::Timers) => {
                    global(text, "_Bool", &v.value());
                }
                true => {}
                false => text.conditions.push(format!("{letter} == {kept}")),
            }
            match v.storage {
                Storage::Frame { counted: true, .. } => {
                    global(text, "unsigned", &format!("ba_count_{}", v.name));
                }
                Storage::Remote => global(text, "unsigned", &format!("ba_open_{}", v.name)),
                _ => {}
            }
        }
        for (ty, name) in self.timer_state() {
            global(text, ty, &name);
        }
        for o in (0..self.layout.copied.len()).filter(|&o| self.layout.copied[o]) {
            let live = self.live(o);
            global(text, "_Bool", &live);
            // A copy with a type of the user's is a part of an object, which is compared itself.
            for leaf in &self.layout.copies[o] {
                let Some(ty) = &leaf.value_type else { continue };
                let copy = self.copy(leaf);
                text.names.push((ty.to_string(), copy.clone()));
                let kept = format!("ba_kept_{}", copy.trim_start_matches("ba_"));
                text.copies.push(format!("{ty} {kept}"));
                text.saves.push(format!("{kept} = {copy};"));
                text.conditions
                    .push(format!("(!{live} || {copy} == {kept})"));
            }
        }
        for area in (0..self.bound.areas.len()).filter(|&a| self.layout.static_flags[a]) {
            for flag in self.area_flags(area) {
                global(text, "_Bool", &flag);
            }
            if self.is_stacked(area) {
                for counter in self.deep_counters(area) {
                    global(text, "unsigned", &counter);
                }
            }
        }
    }

    /// The condition that a lasso violates a property; `None` if no lasso can.
    fn violation(&self, judged: &LoopMonitor) -> Option<Code> {
        let turned: Vec<String> = judged
            .propositions
            .iter()
            .map(|&p| names::turned(&self.layout.variables[p].name))
            .collect();
        let turns = !turned.is_empty();
        let turned = match turns {
            false => "0".to_string(),
            true => format!("({})", turned.join(" || ")),
        };
        let mut ways = Vec::new();
        // The verdict of a ⊥ prefix is final, unless its run may be discarded later.
        if self.discards() && !judged.certain.is_never() {
            ways.push(Code::from(&judged.certain));
        }
        if !judged.stuttering.is_never() {
            ways.push(code!["(!", &turned, " && (", &judged.stuttering, "))"]);
        }
        if let Some(repeated) = judged.repeated.as_ref().filter(|_| turns) {
            ways.push(code!["(", &turned, " && ", repeated, ")"]);
        }
        let taken = match self.bound.environment.sampled {
            // A loop before the first letter proves nothing.
            true => "ba_sampled && ",
            false => "",
        };
        let by_rounds = self.out.lasso.as_ref().is_some_and(|l| l.by_rounds);
        let void = self.void_run().filter(|_| by_rounds);
        let exists = void.map_or(String::new(), |void| format!("!({void}) && "));
        (!ways.is_empty()).then(|| code![exists, taken, "(", Code::join(ways, " || "), ")"])
    }
}

impl Weaver<'_> {
    /// The functions after the program.
    pub(crate) fn lasso_functions(&self, monitors: &Monitors) -> Option<Item> {
        Some(rendered(&self.lasso_text(monitors)?).into())
    }

    /// The declarations before the program.
    pub(crate) fn lasso_prototypes(&self) -> Vec<Item> {
        if self.out.lasso.is_none() {
            return Vec::new();
        }
        if self.proves() {
            let lines = [
                "#ifndef BA_GUESS",
                "#define BA_GUESS() nondet_ba_unsigned()",
                "#endif",
            ];
            return lines.map(Item::from).to_vec();
        }
        if self.out.lasso.as_ref().is_some_and(|l| l.by_rounds) {
            let lines = [
                "#if defined BA_ROUNDS && (BA_CHECK & 8) /* infinite runs are searched */",
                "#define BA_GUESS() nondet_ba_unsigned()",
                "#else",
                "#define BA_GUESS() 0u",
                "#endif",
            ];
            return lines.map(Item::from).to_vec();
        }
        let lines = [
            "#if BA_MODEL && (BA_CHECK & 8) /* infinite runs are searched */",
            "#define BA_SAVE(site) (!ba_saved && nondet_ba_bool())",
            "#define BA_GUESS() nondet_ba_unsigned()",
            "#elif defined BA_FEED /* an infinite run is replayed */",
            "#define BA_SAVE(site) (!ba_saved && ba_native_saves(site))",
            "#define BA_GUESS() 0u",
            "#else",
            "#define BA_SAVE(site) 0",
            "#define BA_GUESS() 0u",
            "#endif",
        ];
        let signatures = [
            "void ba_save(unsigned ba_site)",
            "_Bool ba_same(void)",
            "void ba_lasso(unsigned ba_site)",
        ];
        let saved = Variable::unused("_Bool ba_saved").remark("the state was saved");
        let mut items = lines.map(Item::from).to_vec();
        items.push(saved.into());
        items.extend(signatures.map(|text| Signature::unused(text).into()));
        items
    }

    /// Whether the program asks if a lasso violates a property.
    pub(crate) fn judges_loops(&self, property: &crate::monitor::PropertyMonitor) -> bool {
        let points = self
            .out
            .lasso
            .as_ref()
            .is_some_and(|l| l.by_rounds || !l.record.points.is_empty());
        let judged = property.lasso.as_ref();
        points && judged.is_some_and(|j| self.violation(j).is_some())
    }
}
