//! The storage of each proposition: in the frame of its area's function if only that frame can change it, else
//! in global variables that every site can access.

use std::collections::BTreeSet;

use crate::analysis::effects::Effect;
use crate::bind::expression::Piece;
use crate::facts::{Call, FunctionIndex, Lifetime, ObjectIndex};
use crate::items::OfThread;
use crate::layout::variables::{Reading, Storage, Variable};
use crate::layout::weaver::Weaver;
use crate::library;

impl Weaver<'_> {
    /// Decides every proposition's storage, and declares flags and copies.
    pub fn classify(&mut self) {
        for p in 0..self.bound.propositions.len() {
            self.refuse_several(p);
            let objects = self.bound.propositions[p].objects.clone();
            let storage = self.storage(p, &objects);
            let reading = self.reading(p, &storage);
            if !matches!(storage, Storage::Frame { .. }) {
                for &object in &objects {
                    self.keep_copy(object, p);
                }
            }
            // An object that is read only at samples is watched only if it has copies.
            for &object in &objects {
                if reading == Reading::Events || self.layout.copied[object] {
                    self.context.layout.watchers[object].push(p);
                }
            }
            let variable = self.variable(p, storage, reading);
            self.context.layout.variables.push(variable);
        }
        self.keep_addresses();
        self.declare_copies();
        self.declare_thread_copies();
        for area in 0..self.bound.areas.len() {
            if !self.pulses_at_sample(area) {
                self.declare_flags(area);
            }
        }
        self.declare_followed();
    }

    /// Refuses a proposition of one instance where there can be several.
    fn refuse_several(&mut self, p: usize) {
        let proposition = &self.bound.propositions[p];
        let area = proposition
            .area
            .filter(|_| proposition.instances == spec::Instances::Single);
        let Some(function) = area.map(|a| self.bound.areas[a].function) else {
            return;
        };
        if self.analysis.threads.several_instances(function) {
            let (place, name) = {
                let function = &self.facts.functions[function];
                (function.place, function.name.clone())
            };
            self.refuse(
                place,
                format!("several activations of `{name}` can run at a time"),
                "their calls and returns cannot be told apart",
                Some("observe functions that are not recursive and run in one thread"),
            );
        }
        // Nothing returns there, and several areas are left at once.
        let ends = |call: &&Call| {
            let name = call.callee.as_deref().filter(|_| call.target.is_none());
            call.exits || name.is_some_and(|n| library::ends_thread(n) || n.contains("longjmp"))
        };
        let reaches = |call: &&Call| self.analysis.threads.reaches(function, call.function);
        let mut calls = self.facts.calls.iter().filter(ends);
        if let Some(range) = calls.find(reaches).map(|call| call.range) {
            self.refuse(
                range,
                "returns are observed, and here functions are left without one".into(),
                "a call that does not return",
                Some("let the function return instead, or write the property as a formula"),
            );
        }
    }

    fn storage(&self, p: usize, objects: &[ObjectIndex]) -> Storage {
        let Some(area) = self.bound.propositions[p].area else {
            return Storage::Whole;
        };
        let function = self.bound.areas[area].function;
        let several = self.analysis.threads.several_instances(function);
        let only_here = |root: Option<ObjectIndex>| {
            let mut writers = self.writing_functions(p, move |r| r == root);
            writers.all(|f| f == function)
        };
        // If letters are taken at samples, static objects are read there.
        let in_frame = |root: Option<ObjectIndex>, lifetime: Lifetime| match lifetime {
            Lifetime::Local(f) => {
                let escapes = |o: ObjectIndex| {
                    self.facts.objects[o].address_taken
                        && self.program.code.leaves_its_activation(o)
                };
                f == function && only_here(root) && !(several && root.is_some_and(escapes))
            }
            Lifetime::StaticLocal(f) => f == function && !several && only_here(root),
            Lifetime::Static if self.bound.environment.sampled => self.pulses_at_sample(area),
            Lifetime::Static | Lifetime::ThreadLocal => !several && only_here(root),
            Lifetime::Prototype => false,
        };
        let through_pointers = self.bound.propositions[p]
            .regions
            .iter()
            .any(|r| r.place.root.is_none());
        let own_frame = objects
            .iter()
            .all(|&o| in_frame(Some(o), self.facts.objects[o].lifetime))
            && (!through_pointers || in_frame(None, Lifetime::Static));
        let pulse = self.pulses_at_sample(area);
        match own_frame {
            true => Storage::Frame {
                own: !pulse && (self.analysis.threaded || several),
                counted: !pulse && several && !self.follows_one(p),
            },
            false => Storage::Remote,
        }
    }

    /// When a proposition is evaluated.
    fn reading(&self, p: usize, storage: &Storage) -> Reading {
        let pulse = self.bound.propositions[p]
            .area
            .is_some_and(|a| self.pulses_at_sample(a));
        if self.bound.timers.give(p) {
            return Reading::Timers;
        }
        // Time passes wherever the clock is written.
        if self.bound.timers.clock == Some(p) {
            return Reading::Events;
        }
        match (self.bound.environment.sampled, storage) {
            (false, _) => Reading::Events,
            (true, _) if pulse => Reading::ItsLabel,
            (true, Storage::Frame { .. }) => Reading::Events,
            (true, Storage::Remote | Storage::Whole) => Reading::Samples,
        }
    }

    /// Copies a local to a global variable, which is possible only if one such local is alive at a time.
    fn keep_copy(&mut self, object: ObjectIndex, p: usize) {
        let (Lifetime::Local(f) | Lifetime::StaticLocal(f)) = self.facts.objects[object].lifetime
        else {
            return;
        };
        self.add_copies(object, p);
        // A static local is one object for all activations.
        let one = matches!(
            self.facts.objects[object].lifetime,
            Lifetime::StaticLocal(_)
        );
        if !one && self.analysis.threads.several_instances(f) {
            let name = &self.facts.objects[object].name;
            self.refuse(
                self.facts.objects[object].place,
                format!(
                    "several instances of `{name}` can live at a time, and the proposition also depends on what other code changes"
                ),
                "one for each activation",
                Some("use a proposition that depends on locals of its own area alone, or on globals alone"),
            );
        }
    }

    fn variable(&mut self, p: usize, storage: Storage, reading: Reading) -> Variable {
        let frame = matches!(storage, Storage::Frame { .. });
        let proposition = self.bound.propositions[p].clone();
        let mut locals = Vec::new();
        let mut live = BTreeSet::new();
        let evaluation = match frame {
            true => self.with_arguments(&proposition.evaluation, &mut locals),
            false => {
                let pieces = proposition.evaluation.iter();
                pieces
                    .map(|piece| match piece {
                        Piece::Text(text) => text.clone(),
                        Piece::Leaf(leaf) => self.as_copy(leaf, &mut live),
                    })
                    .collect()
            }
        };
        let remembered = self.bound.timers.read_by(p);
        live.extend(remembered.map(|r| r.taken.clone()));
        let compares = self.bound.timers.read_by(p).next().is_some();
        let condition =
            (!live.is_empty()).then(|| live.into_iter().collect::<Vec<_>>().join(" && "));
        let pre_reads = self.pre_reads_of(&proposition, frame);
        let followed = reading == Reading::Events;
        let thread_copy = self.analysis.threaded
            && !frame
            && followed
            && !compares
            && self.only_changer(p).is_some();
        let counted = matches!(storage, Storage::Frame { counted: true, .. });
        let follows = match (proposition.area, self.follows_one(p)) {
            (Some(area), true) => Some(self.mine(self.bound.areas[area].function)),
            _ => None,
        };
        Variable {
            all: counted && proposition.instances == spec::Instances::All,
            follows,
            reading,
            pre_reads,
            thread_copy,
            name: proposition.identifier,
            default: proposition.default,
            storage,
            locals,
            condition,
            compares,
            evaluation,
        }
    }

    /// The only thread, by its root function, that can change a proposition after the start.
    fn only_changer(&self, p: usize) -> Option<FunctionIndex> {
        let proposition = &self.bound.propositions[p];
        let writes = self.writing_functions(p, |_| true);
        let copies =
            proposition
                .objects
                .iter()
                .filter_map(|&o| match self.facts.objects[o].lifetime {
                    Lifetime::Local(f) | Lifetime::StaticLocal(f) => Some(f),
                    _ => None,
                });
        let functions = writes
            .chain(copies)
            .chain(proposition.area.map(|a| self.bound.areas[a].function));
        let mut roots = functions.map(|f| self.analysis.threads.only_thread(f));
        let first = roots.next()??;
        roots.all(|r| r == Some(first)).then_some(first)
    }

    /// The functions in which a write or call may change memory that a proposition reads and that `wanted`
    /// accepts; `None` stands for memory behind pointers.
    fn writing_functions<'b>(
        &'b self,
        p: usize,
        wanted: impl Fn(Option<ObjectIndex>) -> bool + Copy + 'b,
    ) -> impl Iterator<Item = FunctionIndex> + 'b {
        let on = move |effects: &[Effect]| {
            effects.iter().any(|e| {
                let regions = &self.bound.propositions[p].regions;
                e.proposition == p && e.regions.iter().any(|&r| wanted(regions[r].place.root))
            })
        };
        let writes = self.facts.writes.iter().zip(&self.analysis.effects.writes);
        let calls = self.facts.calls.iter().zip(&self.analysis.effects.calls);
        writes
            .filter(move |(_, effects)| on(effects))
            .map(|(w, _)| w.function)
            .chain(
                calls
                    .filter(move |(_, effects)| on(effects))
                    .map(|(c, _)| c.function),
            )
    }

    /// A thread's copy begins with the value at the thread's start; in `main` that is right once letter 0 is
    /// taken.
    fn declare_thread_copies(&mut self) {
        for p in 0..self.layout.variables.len() {
            if !self.layout.variables[p].thread_copy {
                continue;
            }
            let Some(root) = self.only_changer(p) else {
                continue;
            };
            let (own, value) = (
                self.layout.variables[p].own(),
                self.layout.variables[p].value(),
            );
            self.out.global(OfThread::unused("_Bool ", &own));
            self.out.thread_starts[root].push_str(&format!("{own} = {value}; "));
        }
    }

    /// Declares the flags of an area: locals of its function, or static for each thread if a callee may end the
    /// run inside the area.
    fn declare_flags(&mut self, area: usize) {
        let function = self.bound.areas[area].function;
        let recursive = self.analysis.threads.recursive[function];
        let jumped_over = self.takes_part_in_jumps(function);
        let ended_by_callee = jumped_over
            || self.facts.calls.iter().any(|call| {
                let name = call.callee.as_deref().filter(|_| call.target.is_none());
                let ends = call.exits || name.is_some_and(library::ends_thread);
                let deeper = call.function != function || recursive;
                ends && deeper && self.analysis.threads.reaches(function, call.function)
            });
        if recursive && self.saves_places(function) {
            self.refuse(
                self.facts.functions[function].place,
                format!(
                    "`{}` is recursive, has an area, and saves a place to jump to",
                    self.facts.functions[function].name
                ),
                "the monitor cannot tell which of its activations a jump leaves",
                Some("save the place in a function that is not recursive"),
            );
        }
        self.context.layout.static_flags[area] = ended_by_callee;
        let mut declarations = vec![("ba_in_".to_string() + &self.bound.areas[area].name, 0)];
        for &p in &self.bound.areas[area].propositions {
            if matches!(
                self.layout.variables[p].storage,
                Storage::Frame { own: true, .. }
            ) {
                declarations.push((
                    self.layout.variables[p].own(),
                    u8::from(self.layout.variables[p].default),
                ));
            }
        }
        for (name, value) in declarations {
            if ended_by_callee {
                self.out
                    .global(OfThread::unused("_Bool ", &name).initially(value));
            } else {
                self.out
                    .declare(function, &format!("BA_UNUSED _Bool {name} = {value}; "));
            }
        }
        if self.is_stacked(area) {
            self.declare_activations(area);
        }
    }

    /// Whether the locals of a proposition can be named at an offset of its function; `Err` with a local that
    /// another declaration hides there.
    pub fn nameable(
        &self,
        p: usize,
        function: FunctionIndex,
        offset: usize,
    ) -> Result<bool, ObjectIndex> {
        if !matches!(self.layout.variables[p].storage, Storage::Frame { .. }) {
            return Ok(true);
        }
        for &o in &self.bound.propositions[p].objects {
            let object = &self.facts.objects[o];
            if !matches!(object.lifetime, Lifetime::Local(f) | Lifetime::StaticLocal(f) if f == function)
            {
                continue;
            }
            let visible = object.place.start < offset
                && object.scope.start <= offset
                && offset <= object.scope.end;
            if !visible {
                return Ok(false);
            }
            if self.hidden(o, function, offset) {
                return Err(o);
            }
        }
        Ok(true)
    }
}
