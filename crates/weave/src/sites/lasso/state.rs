//! The state that a search for lassos saves and compares: relevant parts of objects, and refusals.

use std::collections::BTreeSet;

use super::Place;
use crate::analysis::influence::Part;
use crate::analysis::object_shapes::{COMPARED, LISTED};
use crate::analysis::state_slice::{Kept, Observed};
use crate::bind::expression::Piece;
use crate::bind::propositions::Extent;
use crate::facts::heads::Hidden;
use crate::facts::names;
use crate::facts::{FunctionIndex, Lifetime, ObjectIndex};
use crate::items::Variable;
use crate::layout::lasso::Lasso;
use crate::layout::weaver::Weaver;
use crate::library;

/// What a function does that uses a lock, a semaphore or a value of a thread.
const OF_THREADS: &str = "changes the state of an object of threads";

/// Advice for programs whose state the tool cannot find out.
const DECLARE: &str =
    "name what the state is: \"lasso\": {\"state\": [\"a\", \"b.c\"]}; the verdict then rests on that";

impl Weaver<'_> {
    /// The parts of objects that can influence the run or its word.
    pub(crate) fn relevant_parts(&self, observed: &Observed) -> BTreeSet<Part> {
        let (mut parts, mut results) = (Vec::new(), Vec::new());
        // Where only differences of the clock matter, its value does not.
        let apart = self.clock_apart();
        let propositions = self.bound.propositions.iter().enumerate();
        for (_, proposition) in propositions.filter(|(p, _)| Some(*p) != apart) {
            self.read_by(
                &proposition.evaluation,
                &proposition.objects,
                &proposition.functions,
                observed,
                &mut parts,
            );
            results.extend(self.names_of(&proposition.functions));
            // A read through a pointer may be a read of any object.
            if proposition.regions.iter().any(|r| r.place.root.is_none()) {
                let all = 0..observed.objects.len();
                parts.extend(all.flat_map(|o| observed.influence.parts_of(o)).copied());
            }
        }
        for assumption in &self.bound.environment.assume {
            let pieces = &assumption.evaluation;
            let named = pieces.iter().filter_map(|piece| match piece {
                Piece::Leaf(leaf) => Some(leaf.object),
                Piece::Text(_) => None,
            });
            let objects: Vec<ObjectIndex> = named.collect();
            let functions = &assumption.functions;
            self.read_by(pieces, &objects, functions, observed, &mut parts);
            results.extend(self.names_of(functions));
        }
        let areas = self
            .bound
            .areas
            .iter()
            .filter(|a| a.extent == Extent::Function);
        let calls: Vec<&str> = areas
            .map(|a| self.facts.functions[a.function].name.as_str())
            .collect();
        observed.influence.relevant(&parts, &results, &calls)
    }

    /// Adds the parts that an evaluation reads: members that it names, else whole objects.
    pub(crate) fn read_by(
        &self,
        evaluation: &[Piece],
        objects: &[ObjectIndex],
        functions: &[FunctionIndex],
        observed: &Observed,
        parts: &mut Vec<Part>,
    ) {
        for &object in objects {
            let mut named = false;
            for piece in evaluation {
                let leaf = match piece {
                    Piece::Leaf(leaf) if leaf.object == object => leaf,
                    _ => continue,
                };
                named = true;
                let member = observed.objects[object].shape.member_named(&leaf.suffix);
                parts.extend(observed.influence.member(object, member));
            }
            // The influence graph has the reads of an evaluation function; an object that is read in some
            // other way counts as a whole.
            if !named && functions.is_empty() {
                parts.extend(observed.influence.parts_of(object));
            }
        }
    }

    fn names_of<'b>(&'b self, functions: &'b [FunctionIndex]) -> impl Iterator<Item = &'b str> {
        functions
            .iter()
            .map(|&f| self.facts.functions[f].name.as_str())
    }

    /// Refuses programs with state outside their objects.
    pub(crate) fn refuse_hidden_state(&mut self, observed: &Observed) {
        let facts = self.facts;
        for (number, call) in facts.calls.iter().enumerate() {
            let name = call.callee.as_deref().unwrap_or_default();
            // A contract allows whatever that state lets the function do.
            let types = &facts.call_types[number];
            if self.is_proof() && self.contract(call, name, types).is_some() {
                continue;
            }
            let apart = library::uses_lock(name) || library::thread_specific(name);
            // Programs with threads were refused as a whole before.
            let of_threads = (apart && !self.analysis.threaded).then_some(OF_THREADS);
            let found = library::function(name).and_then(|f| f.state).or(of_threads);
            let reached = self
                .analysis
                .threads
                .reaches(self.analysis.main, call.function);
            if let (Some(what), None, true) = (found, call.target, reached) {
                self.refuse(
                    call.range,
                    format!("`{name}` {what}, which cannot be compared when a run comes back to a state"),
                    "part of the state has no name",
                    Some(DECLARE),
                );
            }
        }
        for span in &observed.influence.unnamed_writes {
            self.refuse(
                crate::facts::range(*span),
                "memory without a name is written, which cannot be compared when a run comes back to a state".into(),
                "part of the state has no name",
                Some(DECLARE),
            );
        }
    }

    /// What decides whether something undefined happens, and is no part of the state.
    pub(crate) fn hidden_state(&self, lasso: &Lasso) -> Hidden {
        let influence = &lasso.observed.influence;
        let counts = |p: &&Part| !lasso.relevant.contains(p) && influence.is_written(**p);
        let endless = influence.endless();
        let told = |p: &Part| {
            let (file, line) = (self.program.locate)(self.facts.objects[p.object].place.start);
            format!("`{}` ({file}:{line})", self.part_name(lasso.observed, *p))
        };
        Hidden {
            any: influence.decides_definedness().iter().any(|p| counts(&p)),
            endless: endless.iter().filter(counts).map(told).collect(),
        }
    }

    /// Chooses the relevant objects with static storage.
    pub(crate) fn choose_statics(&mut self, lasso: &mut Lasso) {
        let facts = self.facts;
        let observed = lasso.observed;
        for (o, object) in facts.objects.iter().enumerate() {
            let is_static = match object.lifetime {
                Lifetime::Static | Lifetime::ThreadLocal | Lifetime::StaticLocal(_) => true,
                Lifetime::Local(_) | Lifetime::Prototype => false,
            };
            if !is_static {
                continue;
            }
            let parts = observed.influence.parts_of(o);
            let written = parts.iter().filter(|p| observed.influence.is_written(**p));
            let (counts, irrelevant): (Vec<Part>, Vec<Part>) =
                written.partition(|p| lasso.relevant.contains(p));
            let name = |p: &Part| self.part_name(observed, *p);
            lasso.record.ignored.extend(irrelevant.iter().map(name));
            if counts.is_empty() {
                continue;
            }
            lasso.record.state.extend(counts.iter().map(name));
            let copy = format!("ba_kept_{o}");
            match keep(lasso, o, copy, &counts) {
                Ok(kept) => {
                    self.point_to(observed, o, lasso.heads.is_some());
                    lasso.statics.push(kept);
                }
                Err(what) => self.refuse(
                    object.place,
                    format!(
                        "`{}` is {what}, and it can influence what follows",
                        object.name
                    ),
                    "cannot be compared when a run comes back to a state",
                    Some(DECLARE),
                ),
            }
        }
    }

    fn part_name(&self, observed: &Observed, part: Part) -> String {
        let facts = &observed.objects[part.object];
        let object = &self.facts.objects[part.object];
        let way = facts.shape.name_of(part.member);
        match object.lifetime {
            Lifetime::StaticLocal(f) | Lifetime::Local(f) => {
                format!("{}::{}{way}", self.facts.functions[f].name, object.name)
            }
            _ => format!("{}{way}", object.name),
        }
    }

    /// A static local has no name at the end of the file, so text after its declaration stores its address.
    fn point_to(&mut self, observed: &Observed, object: ObjectIndex, proves: bool) {
        let Lifetime::StaticLocal(function) = self.facts.objects[object].lifetime else {
            return;
        };
        let facts = &observed.objects[object];
        let place = self.facts.objects[object].place;
        // A proof names the scalars of the object where it is declared, and not its type.
        let nameable = proves || matches!(&facts.pointer, Some((_, Some(_))));
        if !nameable || facts.bypassed {
            let why = match nameable {
                true => "a jump may pass its declaration",
                false => "its type has no name outside the function",
            };
            let name = &facts.name;
            return self.refuse(
                place,
                format!(
                    "the static local `{name}` of `{}` can influence what follows, and {why}",
                    self.facts.functions[function].name
                ),
                "cannot be compared when a run comes back to a state",
                Some("declare it outside the function"),
            );
        }
        if let Some(end) = observed.declaration_end(object) {
            let depth = self.facts.objects[object].scope_depth;
            let name = names::user(&facts.name);
            let at = names::address(object);
            let passed = format!(" {at} = (void *)&{name};");
            let passed = match proves {
                true => format!("{passed} BA_STATIC_{object}({name})"),
                false => passed,
            };
            self.out.insertions.close(end.end, depth, 0, passed);
            let function = &self.facts.functions[function].name;
            let address = Variable::unused(format!("void *{at}"))
                .remark(format!("the address of {name} of {function}"));
            self.out.global(address);
        }
    }

    /// The relevant locals of the function at a place.
    ///
    /// # Errors
    /// Why the place cannot be a save point.
    pub(crate) fn locals_at(&self, lasso: &Lasso, place: Place) -> Result<Vec<Kept>, String> {
        let facts = self.facts;
        let observed = lasso.observed;
        let function = facts.functions[place.function].id;
        let mut kept = Vec::new();
        for (o, object) in facts.objects.iter().enumerate() {
            let visible = object.lifetime == Lifetime::Local(place.function)
                && object.place.start < place.offset
                && object.scope.start <= place.offset
                && place.offset <= object.scope.end;
            let live = || observed.live.at(function, place.point, o);
            if !visible || !(live() || self.read_later(observed, o, place)) {
                continue;
            }
            let parts = observed.influence.parts_of(o).iter().copied();
            let counts: Vec<Part> = parts
                .filter(|p| lasso.relevant.contains(p) && observed.influence.is_written(*p))
                .collect();
            if counts.is_empty() {
                continue;
            }
            if self.hidden_at(o, place) {
                return Err(format!(
                    "another `{}` hides the one that counts",
                    object.name
                ));
            }
            let copy = format!("ba_kept_{o}_{}", lasso.points.len());
            match keep(lasso, o, copy, &counts) {
                Ok(part) => kept.push(part),
                Err(what) => return Err(format!("`{}` is {what}", object.name)),
            }
        }
        match self.changed_below(lasso, place) {
            Some(object) => Err(format!(
                "`{}` of a function that waits for this one to return may be written through a pointer",
                facts.objects[object].name
            )),
            None => Ok(kept),
        }
    }

    /// Whether the specification may read the value that a local has at a place.
    fn read_later(&self, observed: &Observed, o: ObjectIndex, place: Place) -> bool {
        let function = self.facts.functions[place.function].id;
        let at = |label: usize| {
            let way = (place.point, self.facts.labels[label].node);
            observed.live.keeps(function, way, o)
        };
        let mut reading = self
            .bound
            .propositions
            .iter()
            .filter(|p| p.objects.contains(&o));
        let by_proposition = reading.any(|p| match p.area.map(|a| &self.bound.areas[a].extent) {
            // A proposition at a single label is evaluated only there.
            Some(Extent::At(label)) if !self.layout.copied[o] => at(*label),
            _ => true,
        });
        let mut assumed = self.bound.environment.assume.iter();
        by_proposition
            || assumed.any(|assumption| {
                let names = |piece: &Piece| matches!(piece, Piece::Leaf(l) if l.object == o);
                assumption.evaluation.iter().any(names) && at(assumption.label)
            })
    }

    /// Whether an inner declaration hides an object at a place.
    pub(crate) fn hidden_at(&self, o: ObjectIndex, place: Place) -> bool {
        let object = &self.facts.objects[o];
        let mut others = self.facts.objects.iter().enumerate();
        others.any(|(other, candidate)| {
            other != o
                && candidate.name == object.name
                && matches!(candidate.lifetime, Lifetime::Local(f) | Lifetime::StaticLocal(f) if f == place.function)
                && candidate.place.start > object.place.start
                && candidate.place.start < place.offset
                && candidate.scope.start <= place.offset
                && place.offset < candidate.scope.end
        })
    }

    /// A relevant local of another activation that may change while this activation lasts.
    fn changed_below(&self, lasso: &Lasso, place: Place) -> Option<ObjectIndex> {
        let observed = lasso.observed;
        let reaches = |f, g| self.analysis.threads.reaches(f, g);
        let functions = 0..self.facts.functions.len();
        let callees = functions.filter(|&f| reaches(place.function, f));
        let mut written = callees
            .filter_map(|f| {
                observed
                    .influence
                    .through_pointers
                    .get(&self.facts.functions[f].id)
            })
            .flatten()
            .copied();
        written.find(|&o| match self.facts.objects[o].lifetime {
            Lifetime::Local(f) => {
                // The function's own locals are compared by name, those of its earlier activations are not.
                let below = match f == place.function {
                    true => self.analysis.threads.nested[f],
                    false => reaches(f, place.function),
                };
                let parts = observed.influence.parts_of(o);
                below && parts.iter().any(|p| lasso.relevant.contains(p))
            }
            _ => false,
        })
    }
}

/// The saved parts of an object.
///
/// # Errors
/// Why it cannot be compared, as a phrase.
fn keep(
    lasso: &Lasso,
    object: ObjectIndex,
    copy: String,
    parts: &[Part],
) -> Result<Kept, &'static str> {
    let facts = &lasso.observed.objects[object];
    let most = match lasso.heads {
        Some(_) => LISTED,
        None => COMPARED,
    };
    let mut kept = Vec::new();
    for part in parts {
        let (way, shape) = facts.shape.member(part.member);
        if let Some(what) = shape.obstacle(most) {
            return Err(what);
        }
        kept.push((way.to_string(), shape.into_owned()));
    }
    Ok(Kept {
        object,
        name: facts.name.clone(),
        copy,
        parts: kept,
    })
}
