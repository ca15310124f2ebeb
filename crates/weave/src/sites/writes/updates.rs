//! Updates after a write: which propositions are evaluated again, under which conditions, and how values and
//! addresses of locals are kept for code elsewhere.

use crate::analysis::effects::Effect;
use crate::bind::expression::{Piece, Region};
use crate::facts::names::user;
use crate::facts::places::Overlap;
use crate::facts::{FunctionIndex, Lifetime, ObjectIndex, Range};
use crate::items::{Function, Item, Signature};
use crate::layout::operands::whole;
use crate::layout::timers::CLOCK;
use crate::layout::variables::{Reading, Storage};
use crate::layout::weaver::{PlannedUpdate, Weaver};

/// The place of an event, and the memory that it writes.
#[derive(Clone, Copy, Default)]
pub struct Written<'a> {
    /// The function.
    pub function: FunctionIndex,
    /// The expression or declaration.
    pub range: Range,
    /// The object, if the event writes it by its name.
    pub object: Option<ObjectIndex>,
    /// A pointer to the written memory, for comparisons at run time.
    pub pointer: Option<&'a str>,
    /// The number of written bytes; `None` stands for the size of the pointer's type.
    pub size: Option<&'a str>,
    /// Conditions under which a call of a function without a body may write an object; [`OBJECT`] stands for
    /// the object.
    pub given: Option<&'a str>,
}

/// Stands for the object in [`Written::given`].
pub const OBJECT: char = '\u{4}';

impl Written<'_> {
    /// The condition that the bytes at a pointer overlap with an object.
    fn overlaps(&self, pointer: &str, object: &str) -> String {
        match self.size {
            Some(size) => format!("({size} && BA_MEETS({pointer}, {size}, {object}))"),
            None => format!("BA_OVERLAP({pointer}, &{object})"),
        }
    }

    /// A call of an emitted function with the address and the number of the written bytes.
    fn told(&self, function: &str, pointer: &str) -> String {
        match self.size {
            Some(size) => format!("{function}({pointer}, {size})"),
            None => format!("{function}({pointer}, sizeof *({pointer}))"),
        }
    }
}

/// The conjunction of both conditions.
fn both(a: Option<String>, b: Option<String>) -> Option<String> {
    match (a, b) {
        (Some(a), Some(b)) => Some(format!("({a} && {b})")),
        (a, b) => a.or(b),
    }
}

impl Weaver<'_> {
    /// The updates when the lifetime of an object begins with a value.
    pub fn plan_updates_of_object(
        &mut self,
        object: ObjectIndex,
        function: FunctionIndex,
        range: Range,
    ) -> Vec<PlannedUpdate> {
        let surely = |&proposition: &usize| Effect {
            proposition,
            overlap: Overlap::Surely,
            regions: Vec::new(),
        };
        let effects: Vec<Effect> = self.layout.watchers[object].iter().map(surely).collect();
        let written = Written {
            function,
            range,
            object: Some(object),
            ..Written::default()
        };
        self.plan_updates_of(&effects, written)
    }

    /// The updates that effects require.
    pub fn plan_updates_of(&mut self, effects: &[Effect], written: Written) -> Vec<PlannedUpdate> {
        let mut updates = Vec::new();
        for effect in effects {
            let p = effect.proposition;
            if self.layout.variables[p].reading != Reading::Events {
                continue;
            }
            let (function, end) = (written.function, written.range.end);
            let now = match self.nameable(p, function, end) {
                Ok(true) => self.layout.variables[p].evaluation_call(),
                Ok(false) => continue,
                Err(_) if self.keep_hidden(p, function, end) => {
                    self.evaluation_at(p, function, end)
                }
                Err(hidden) => {
                    self.refuse_hidden(hidden, written.range);
                    continue;
                }
            };
            let variable = &self.layout.variables[p];
            let open = match (&variable.storage, self.bound.propositions[p].area) {
                (Storage::Frame { .. }, Some(area))
                    if self.bound.areas[area].function == written.function =>
                {
                    Some(self.contributes(p, area))
                }
                (Storage::Frame { .. }, _) => continue,
                (Storage::Remote, _) if self.monitors.every_event => {
                    Some(format!("ba_open_{}", variable.name))
                }
                _ => None,
            };
            let compared = match effect.overlap {
                Overlap::Surely => None,
                Overlap::Maybe => self.compare(effect, written).or_else(|| {
                    // It is not known whether the write changes what is read, so only a change is a letter. What is
                    // remembered is no truth value: each such write is one.
                    if self.is_remembered(p, written.range) {
                        return None;
                    }
                    let changed = match self.bound.timers.clock == Some(p) {
                        true => format!("ba_clock_now() != {CLOCK}"),
                        false => format!("{now} != {}", self.layout.variables[p].own()),
                    };
                    self.monitors.every_event.then_some(changed)
                }),
            };
            updates.push((p, both(open, compared), now));
        }
        updates
    }

    /// Whether values of what a proposition reads are remembered. Formulas that count letters would count a write
    /// that only may change it.
    fn is_remembered(&mut self, p: usize, range: Range) -> bool {
        let mut all = self.bound.timers.remembered.iter().filter(|r| r.read == p);
        let Some(first) = all.next() else {
            return false;
        };
        if first.counts || all.any(|r| r.counts) {
            self.refuse(
                range,
                "the formula counts letters, and this write may or may not change a value that it remembers".into(),
                "a write through a pointer",
                Some("write the formula without X, or remember something that is written by its name"),
            );
        }
        true
    }

    fn refuse_hidden(&mut self, hidden: ObjectIndex, range: Range) {
        let name = self.facts.objects[hidden].name.clone();
        self.refuse(
            range,
            format!("a declaration hides the `{name}` that a proposition reads where this write changes it"),
            "cannot be evaluated here",
            Some("rename the inner variable"),
        );
    }

    /// The condition under which a write changes the regions that it may change; `None` if no comparison of
    /// addresses can tell.
    fn compare(&mut self, effect: &Effect, written: Written) -> Option<String> {
        let pointer = written.pointer?;
        let mut conditions = Vec::new();
        for &r in &effect.regions {
            let region = self.bound.propositions[effect.proposition].regions[r].clone();
            let here = |o: ObjectIndex| self.has_name(o, written.function, written.range.end);
            let condition = match region.place.root.filter(|&o| self.is_local(o)) {
                Some(o) if here(o) => {
                    let lvalue = region.lvalue.as_ref()?;
                    let named = |piece: &Piece| match piece {
                        Piece::Text(_) => true,
                        Piece::Leaf(leaf) => here(leaf.object),
                    };
                    if !lvalue.iter().all(named) {
                        return None;
                    }
                    let lvalue = self.by_name(lvalue);
                    written.overlaps(pointer, &lvalue)
                }
                Some(o) if !self.layout.addressed[o] => return None,
                _ => {
                    let number = self.compare_with(&region)?;
                    written.told(&format!("ba_hits_{number}"), pointer)
                }
            };
            if !conditions.contains(&condition) {
                conditions.push(condition);
            }
        }
        match conditions.len() {
            1 => conditions.pop(),
            // All operands are evaluated, so that all paths read the same pointers.
            _ => Some(format!("({})", conditions.join(" | "))),
        }
    }

    /// The number of the function that compares a pointer with the address of an lvalue.
    fn compare_with(&mut self, region: &Region) -> Option<usize> {
        let text = |pieces: &[Piece]| -> String {
            let piece = |piece: &Piece| match piece {
                Piece::Text(text) => text.clone(),
                Piece::Leaf(leaf) => self.by_address(leaf),
            };
            pieces.iter().map(piece).collect()
        };
        let lvalue = text(region.lvalue.as_ref()?);
        let own = region.place.root.filter(|&o| self.is_local(o));
        let own = own.map(|o| self.address(o));
        let guards = own
            .into_iter()
            .chain(region.guards.iter().map(|g| text(g)))
            .collect();
        let wanted = (lvalue, guards);
        let known = self.out.shared.compared.iter().position(|c| *c == wanted);
        Some(known.unwrap_or_else(|| {
            self.out.shared.compared.push(wanted);
            self.out.shared.compared.len() - 1
        }))
    }

    /// The text that updates the copies of locals that an event writes.
    pub fn refresh_copies(&self, effects: &[Effect], written: Written) -> String {
        let mut text = String::new();
        let mut done = Vec::new();
        if let Some(o) = written.object {
            text.push_str(&self.refresh_copy(o));
            done.push(o);
        }
        let regions = effects.iter().flat_map(|e| {
            let of = &self.bound.propositions[e.proposition].regions;
            e.regions.iter().filter_map(move |&r| of[r].place.root)
        });
        for o in regions {
            if !self.layout.copied[o] || done.contains(&o) {
                continue;
            }
            done.push(o);
            text.push_str(
                &match self.has_name(o, written.function, written.range.end) {
                    true => {
                        let refresh = self.refresh_copy(o);
                        let name = user(&self.facts.objects[o].name);
                        match written.pointer {
                            Some(pointer) => {
                                let overlaps = written.overlaps(pointer, &name);
                                format!("if ({overlaps}) {{ {refresh}}} ")
                            }
                            None => self.refresh_given(o, written, &name, &refresh),
                        }
                    }
                    false => {
                        let (refresher, address) = (self.refresher(o), self.address(o));
                        match written.pointer {
                            Some(pointer) => {
                                format!("{}; ", written.told(&refresher, pointer))
                            }
                            None => {
                                let refresh = format!("{refresher}({address}, 1); ");
                                let object = self.by_address(&whole(o));
                                self.refresh_given(o, written, &object, &refresh)
                            }
                        }
                    }
                },
            );
        }
        text
    }

    /// The text that updates the copy of an object that a call may have written. A copy without a value gets
    /// one only if the call could reach the object.
    fn refresh_given(
        &self,
        object: ObjectIndex,
        written: Written,
        text: &str,
        refresh: &str,
    ) -> String {
        match written.given {
            Some(given) => {
                let given = given.replace(OBJECT, text);
                format!("if ({}{given}) {{ {refresh}}} ", self.live(object))
            }
            None => refresh.to_string(),
        }
    }

    /// Whether an object can be named at an offset of a function.
    pub fn has_name(&self, object: ObjectIndex, function: FunctionIndex, offset: usize) -> bool {
        let o = &self.facts.objects[object];
        let visible = match o.lifetime {
            Lifetime::Local(f) | Lifetime::StaticLocal(f) => {
                f == function
                    && o.place.start < offset
                    && o.scope.start <= offset
                    && offset <= o.scope.end
            }
            Lifetime::Static | Lifetime::ThreadLocal => true,
            Lifetime::Prototype => false,
        };
        visible && !self.hidden(object, function, offset)
    }

    /// The start routines of threads.
    pub(crate) fn thread_routines(&self) -> Vec<cfront::span::FunctionId> {
        let started = self
            .facts
            .functions
            .iter()
            .zip(&self.analysis.threads.started);
        started
            .filter(|(_, count)| **count != crate::analysis::threads::Count::Zero)
            .map(|(f, _)| f.id)
            .collect()
    }

    /// The text that stores the address of an object, if other code needs it.
    pub fn keep_address(&self, object: ObjectIndex) -> String {
        if !self.layout.addressed[object] {
            return String::new();
        }
        let name = user(&self.facts.objects[object].name);
        format!("{} = &{name}; ", self.address(object))
    }

    /// The functions of the epilogue that compare addresses.
    pub fn comparisons(&self) -> Vec<Item> {
        let function = |(i, (lvalue, guards)): (usize, &(String, Vec<String>))| {
            let guards: String = guards
                .iter()
                .map(|g| format!("  if (!({g})) return 0;\n"))
                .collect();
            let body = format!("{guards}  return BA_MEETS(ba_at, ba_size, {lvalue});\n");
            Function::new(comparison(i), body)
                .for_reason(format!("Whether a write touches {lvalue}."))
                .into()
        };
        self.out
            .shared
            .compared
            .iter()
            .enumerate()
            .map(function)
            .collect()
    }

    /// The declarations of these functions.
    pub fn comparison_prototypes(&self) -> Vec<Item> {
        let numbers = 0..self.out.shared.compared.len();
        numbers.map(|i| comparison(i).into()).collect()
    }
}

/// The function that compares addresses with an lvalue, by its number.
fn comparison(number: usize) -> Signature {
    Signature::unused(format!(
        "int ba_hits_{number}(const volatile void *ba_at, unsigned long ba_size)"
    ))
}
