//! The cuts of a program that is woven for a proof by induction.
//!
//! Every loop head and every backward jump carries the text `BA_HEAD_n(counter)`, where n is its site; the
//! prover defines that macro. The state is the one that lassos compare: the proof need not follow objects that
//! influence neither jumps nor propositions.

use std::collections::BTreeSet;

use super::text::LassoText;
use super::{Lasso, Place};
use crate::analysis::state_slice::Kept;
use crate::facts::heads::{Head, Heads, Judged, Own, Scalar, StatePart, StaticLeaf, StaticLocal};
use crate::facts::names;
use crate::facts::{Call, FunctionIndex, JumpKind, Lifetime, ObjectIndex};
use crate::items::code::{self, Code};
use crate::layout::timers::CLOCK;
use crate::layout::variables::Reading;
use crate::layout::weaver::Weaver;
use crate::monitor::{cover_flag, LoopMonitor, Monitors};

impl Weaver<'_> {
    /// Whether the program is woven for a proof.
    pub(crate) fn proves(&self) -> bool {
        self.out.lasso.as_ref().is_some_and(|l| l.heads.is_some())
    }

    /// The text of a cut at the start of a loop's body; `None` if no proof is wanted.
    pub(crate) fn plan_loop_head(
        &mut self,
        place: Place,
        site: usize,
        counter: &str,
        ends: bool,
    ) -> Option<String> {
        let range = (place.range.start, place.range.end);
        self.plan_head(place, site, counter, range, (None, ends))
    }

    /// The text of the cut of a backward jump.
    pub(crate) fn plan_jump_head(
        &mut self,
        place: Place,
        site: usize,
        counter: &str,
        label: usize,
    ) -> Option<String> {
        let range = (self.facts.labels[label].place.start, place.range.end);
        let jump = Some(counter.to_string());
        self.plan_head(place, site, counter, range, (jump, false))
    }

    /// Whether something that happens in a part of a function is left to the environment.
    fn chooses_in(&self, place: Place) -> bool {
        let facts = self.facts;
        let chooses = |number: usize, call: &Call| match (call.callee.as_deref(), call.target) {
            (Some(name), None) => {
                let types = &facts.call_types[number];
                self.is_outside(call, name) || self.contract(call, name, types).is_some()
            }
            // Nobody knows whom it calls.
            (None, None) => true,
            _ => false,
        };
        let inside = |call: &&Call| {
            call.function == place.function
                && place.range.start <= call.range.start
                && call.range.end <= place.range.end
        };
        let called: BTreeSet<FunctionIndex> = facts
            .calls
            .iter()
            .filter(inside)
            .filter_map(|c| c.target)
            .collect();
        let reached = |call: &Call| {
            let mut called = called.iter();
            inside(&call) || called.any(|f| self.analysis.threads.reaches(*f, call.function))
        };
        let mut calls = facts.calls.iter().enumerate();
        calls.any(|(number, call)| reached(call) && chooses(number, call))
    }

    fn plan_head(
        &mut self,
        place: Place,
        site: usize,
        counter: &str,
        range: (usize, usize),
        (jump, ends): (Option<String>, bool),
    ) -> Option<String> {
        let mut lasso = self.out.lasso.take()?;
        if lasso.heads.is_some() {
            let mut head = self.head(&lasso, place, site, range, jump);
            head.ends = ends && !self.chooses_in(place);
            lasso.heads.get_or_insert_default().push(head);
        }
        let wanted = lasso.heads.is_some();
        self.out.lasso = Some(lasso);
        wanted.then(|| format!("BA_HEAD_{site}({counter}); "))
    }

    pub(super) fn head(
        &self,
        lasso: &Lasso,
        place: Place,
        site: usize,
        range: (usize, usize),
        counter: Option<String>,
    ) -> Head {
        let (locals, obstacle) = match self.locals_at(lasso, place) {
            Ok(kept) => (kept, None),
            Err(why) => (Vec::new(), Some(why)),
        };
        let mut parts: Vec<StatePart> = Vec::new();
        for kept in &locals {
            parts.extend(parts_of(lasso, kept, &kept.name));
        }
        parts.extend(
            self.flags_of(place.function)
                .into_iter()
                .map(|f| own(&f, "_Bool")),
        );
        let pointers = lasso.observed.objects.iter().flat_map(|o| &o.pointers);
        let targets = pointers.flat_map(|(_, targets)| targets.iter().filter_map(|t| t.object));
        let statics: BTreeSet<ObjectIndex> = lasso.statics.iter().map(|k| k.object).collect();
        let hidden = |o: ObjectIndex| {
            // Only objects of the state are declared in front of the program.
            let declared = statics.contains(&o) && self.early(lasso, o).is_some();
            self.is_later(o, place.offset) && !declared
                || self.is_shadowed(o, place)
                || self.is_elsewhere(o, place)
        };
        let named: BTreeSet<ObjectIndex> = targets.chain(statics.iter().copied()).collect();
        Head {
            site,
            function: self.facts.functions[place.function].name.clone(),
            range,
            inner: Vec::new(),
            entered: counter.is_none() && self.is_entered(place.function, range),
            counter,
            ends: false,
            locals: parts,
            hidden: named.into_iter().filter(|&o| hidden(o)).collect(),
            obstacle,
        }
    }

    /// Whether an object is declared behind a place.
    fn is_later(&self, o: ObjectIndex, at: usize) -> bool {
        let object = &self.facts.objects[o];
        !matches!(object.lifetime, Lifetime::StaticLocal(_)) && object.place.start > at
    }

    /// Whether an object is one of a function, and its name is not that object's at a place.
    fn is_elsewhere(&self, o: ObjectIndex, place: Place) -> bool {
        let object = &self.facts.objects[o];
        match object.lifetime {
            Lifetime::Local(f) | Lifetime::StaticLocal(f) => {
                f != place.function
                    || place.offset < object.scope.start
                    || object.scope.end < place.offset
                    || self.hidden_at(o, place)
            }
            _ => false,
        }
    }

    /// A declaration of an object that can precede the program.
    fn early<'l>(&self, lasso: &'l Lasso, o: ObjectIndex) -> Option<&'l str> {
        let plain = matches!(self.facts.objects[o].lifetime, Lifetime::Static);
        let early = lasso.observed.objects[o].early.as_deref();
        early.filter(|_| plain)
    }

    /// Whether a local of the function hides an object of static storage.
    fn is_shadowed(&self, o: ObjectIndex, place: Place) -> bool {
        let name = &self.facts.objects[o].name;
        self.facts.objects.iter().enumerate().any(|(other, local)| {
            other != o
                && local.name == *name
                && matches!(local.lifetime, Lifetime::Local(f) | Lifetime::StaticLocal(f) if f == place.function)
                && local.place.start < place.offset
                && local.scope.start <= place.offset
                && place.offset <= local.scope.end
        })
    }

    /// Collects the facts for a proof, after everything else is planned.
    pub(crate) fn proof_heads(&self, monitors: &Monitors) -> Option<Heads> {
        let lasso = self.out.lasso.as_ref()?;
        let heads = lasso.heads.clone()?;
        let forgets = self.forgets_arguments(&heads);
        let mut out = Heads {
            heads,
            own: Own {
                choosers: self.choosers(),
                assuming: self.out.discards.supposed.keys().cloned().collect(),
                apart: self.apart(lasso, monitors),
                ignored: lasso.record.ignored.iter().cloned().collect(),
                clock: self.unasked_clock(),
                now: self.bound.timers.clock,
                contracts: self.out.inputs.known.contracts.clone(),
                computed: self.out.inputs.known.computed.clone(),
                harmless: self.out.inputs.known.harmless.clone(),
                filled: self.out.inputs.filled.clone(),
                forgets,
            },
            recursive: self.recursive_functions(lasso),
            hidden: self.hidden_state(lasso),
            ..Heads::default()
        };
        let mut text = LassoText::default();
        self.keep_values(&mut text);
        for kept in &lasso.statics {
            if lasso.observed.objects[kept.object].pointer.is_none() {
                let early = self.early(lasso, kept.object);
                let entries = out.recursive.iter().map(|r| &r.entry);
                let mut cuts = out.heads.iter().chain(entries);
                let late = cuts.any(|h| self.is_later(kept.object, h.range.0));
                out.declarations += early.filter(|_| late).unwrap_or_default();
                out.statics.extend(parts_of(lasso, kept, &kept.name));
                continue;
            }
            match static_local(lasso, kept) {
                Some(local) => out.static_locals.push(local),
                None => out.obstacles.push(format!(
                    "the static local `{}` counts, and it is no integer or array or structure of integers with constant initial values; declare it outside its function",
                    kept.name
                )),
            }
        }
        out.monitor
            .parts
            .extend(text.names.iter().map(|(ty, name)| own(name, ty)));
        out.monitor.automata.extend(self.small_timers());
        let apart = self.clock_apart();
        for (p, v) in self.layout.variables.iter().enumerate() {
            let letter = self.letter(v);
            // Its value is that of the clock, which is no part of the state.
            if Some(p) == apart {
                continue;
            }
            out.monitor.parts.push(own(&letter, "_Bool"));
            let (kept, turned) = (names::kept_letter(&v.name), names::turned(&v.name));
            out.begin
                .push_str(&format!("{kept} = {letter}; {turned} = 0; "));
            // What is evaluated at samples only has no variable that is up to date, and nothing evaluates timers.
            if !matches!(v.reading, Reading::Samples | Reading::Timers) {
                let evaluation = format!("ba_eval_{}", v.name);
                out.evaluations.push((v.value(), evaluation));
            }
        }
        if self.bound.environment.sampled {
            out.monitor.parts.push(own("ba_sampled", "_Bool"));
        }
        if self.bound.timers.clock.is_some() && apart.is_none() {
            let pair = (CLOCK.to_owned(), "ba_clock_now".to_owned());
            out.monitor.parts.push(own(&pair.0, "unsigned long long"));
            out.evaluations.push(pair);
        }
        for property in &monitors.properties {
            let Some(judged) = &property.lasso else {
                continue;
            };
            let states = property
                .states
                .iter()
                .map(|s| (s.name.clone(), s.count as usize));
            let run = judged.run.iter().map(|r| (r.variable.clone(), r.states));
            for (name, count) in states.chain(run) {
                out.monitor.parts.push(own(&name, "unsigned"));
                out.monitor.automata.push((name, count));
            }
            out.judged.push(self.judged(&property.name, judged));
        }
        self.obstacles(lasso, &mut out);
        order(&mut out);
        Some(out)
    }

    /// The names of the weaver's variables that neither the program nor its propositions read.
    fn apart(&self, lasso: &Lasso, monitors: &Monitors) -> BTreeSet<String> {
        let mut out = BTreeSet::new();
        for property in &monitors.properties {
            out.extend(property.states.iter().map(|s| s.name.clone()));
            let run = property.lasso.as_ref().and_then(|l| l.run.as_ref());
            out.extend(
                run.into_iter()
                    .flat_map(|r| [&r.variable, &r.kept, &r.met])
                    .cloned(),
            );
        }
        for v in &self.layout.variables {
            out.extend([names::kept_letter(&v.name), names::turned(&v.name)]);
        }
        // It is the clock's value, wherever a run can be.
        out.extend(self.bound.timers.clock.map(|_| CLOCK.to_owned()));
        if let Some(clock) = self.clock_apart() {
            let variable = &self.layout.variables[clock];
            out.extend([variable.value(), self.letter(variable)]);
        }
        out.extend((0..monitors.covers.len()).map(cover_flag));
        let addressed = lasso.statics.iter().filter(|k| {
            let lifetime = self.facts.objects[k.object].lifetime;
            matches!(lifetime, Lifetime::StaticLocal(_))
        });
        out.extend(addressed.map(|k| names::address(k.object)));
        out
    }

    fn judged(&self, name: &str, judged: &LoopMonitor) -> Judged {
        let conditions: [Code; 2] = [&judged.stuttering, &judged.certain].map(Code::from);
        let (reads, mut resolved) = code::resolve(&conditions.each_ref(), &[]);
        let certain = resolved.pop().unwrap_or_default();
        let mut stuttering = resolved.pop().unwrap_or_default();
        if self.bound.environment.sampled {
            stuttering = format!("ba_sampled && ({stuttering})");
        }
        let turned = judged
            .propositions
            .iter()
            .map(|&p| names::turned(&self.layout.variables[p].name));
        Judged {
            name: name.to_string(),
            run: judged.run.as_ref().map(|r| (r.variable.clone(), r.states)),
            met: judged
                .run
                .as_ref()
                .map(|r| r.met.clone())
                .unwrap_or_default(),
            of_negation: judged.run.as_ref().is_some_and(|r| r.of_negation),
            reads,
            stuttering,
            certain,
            turned: turned.collect(),
        }
    }

    fn obstacles(&self, lasso: &Lasso, out: &mut Heads) {
        let facts = self.facts;
        let mut refuse = |what: String| out.obstacles.push(what);
        if lasso.several_files {
            refuse("the program has several files".into());
        }
        if lasso.declared.is_some() {
            refuse(
                "the specification declares the state of lassos; a proof finds it itself".into(),
            );
        }
        if self.analysis.synchronises {
            refuse("the program has locks or other objects of threads, whose models are not part of the state".into());
        }
        let reached = |f: usize| !self.is_never_cut(f);
        if facts.computed_jumps.iter().any(|j| reached(j.function)) {
            refuse("a jump goes to a computed address".into());
        }
        if self.emulates_longjmp() {
            refuse("the program jumps out of functions".into());
        }
    }

    /// Whether a jump from outside leads into a range.
    fn is_entered(&self, function: usize, (start, end): (usize, usize)) -> bool {
        let within = |at: usize| start <= at && at < end;
        let jumps = self.facts.jumps.iter().filter(|j| j.function == function);
        let mut gotos = jumps.filter(|j| j.kind == JumpKind::Goto);
        gotos.any(|j| within(j.target_offset) && !within(j.range.start))
    }
}

/// Finds for each head the counters of jumps inside it. If loops of jumps overlap, neither counter is reset; a
/// value that is claimed constant then has to be constant since the first round.
fn order(out: &mut Heads) {
    let all = out.heads.clone();
    for head in &mut out.heads {
        let inside = |o: &&Head| {
            o.function == head.function
                && o.site != head.site
                && head.range.0 <= o.range.0
                && o.range.1 <= head.range.1
                && o.range != head.range
        };
        head.inner = all
            .iter()
            .filter(inside)
            .filter_map(|o| o.counter.clone())
            .collect();
    }
}

/// A variable of the monitor as a part of the state.
fn own(name: &str, ty: &str) -> StatePart {
    StatePart {
        lvalue: name.to_string(),
        object: name.to_string(),
        number: None,
        scalar: match ty {
            "_Bool" => Scalar::Truth,
            "unsigned long long" => Scalar::Integer(64, false),
            _ => Scalar::Integer(32, false),
        },
        targets: Vec::new(),
    }
}

/// A static local whose relevant scalars are integers with known initial values.
fn static_local(lasso: &Lasso, kept: &Kept) -> Option<StaticLocal> {
    let facts = &lasso.observed.objects[kept.object];
    let initial = facts.initial.as_ref().filter(|_| !facts.constant)?;
    let leaf = |part: StatePart| {
        let counts = matches!(
            part.scalar,
            Scalar::Truth | Scalar::Integer(8 | 16 | 32 | 64, _)
        );
        counts.then(|| StaticLeaf {
            initial: initial.get(&part.lvalue).copied().unwrap_or(0),
            way: part.lvalue,
            scalar: part.scalar,
        })
    };
    let leaves: Option<Vec<StaticLeaf>> = parts_of(lasso, kept, "").into_iter().map(leaf).collect();
    Some(StaticLocal {
        number: kept.object,
        name: kept.name.clone(),
        leaves: leaves?,
    })
}

/// The relevant scalars of an object.
fn parts_of(lasso: &Lasso, kept: &Kept, object: &str) -> Vec<StatePart> {
    let facts = &lasso.observed.objects[kept.object];
    let mut out = Vec::new();
    for (way, shape) in &kept.parts {
        let mut ways = Vec::new();
        shape.scalars(way, &mut ways);
        for (way, real) in ways {
            let known = facts
                .leaves
                .iter()
                .find(|(w, _)| *w == way)
                .map(|(_, s)| *s);
            let scalar = known.unwrap_or(if real { Scalar::Real } else { Scalar::Pointer });
            let pointers = facts.pointers.iter().filter(|(w, _)| *w == way);
            out.push(StatePart {
                lvalue: format!("{object}{way}"),
                object: object.to_string(),
                number: Some(kept.object),
                scalar,
                targets: pointers.flat_map(|(_, t)| t.clone()).collect(),
            });
        }
    }
    out
}
