//! Ends: returns, ends of bodies, calls that end a thread or the run. Also starts of threads, and the bounds of
//! loops and recursions.

use crate::bind::propositions::Extent;
use crate::facts::heads::bound_at;
use crate::facts::loops::Iterations;
use crate::facts::names::user;
use crate::facts::record::SiteEvent;
use crate::facts::{Call, Fixed, FunctionIndex, Loop, Range};
use crate::items::OfThread;
use crate::layout::weaver::Weaver;
use crate::library;
use crate::library::ends::gives_format;
use crate::library::plain_name;
use crate::sites::lasso::Place;
use crate::sites::writes::calls::called;

/// The greatest number of iterations of a loop that a search may follow to its end although the bound is smaller.
const COUNTED: u32 = 32;

impl Weaver<'_> {
    /// Plans the text at the start and at the end of every function.
    pub fn plan_functions(&mut self) {
        let facts = self.facts;
        for ret in &facts.returns {
            let areas = self.areas_open_at(ret.function, ret.node);
            let labelled: Vec<usize> = areas
                .iter()
                .copied()
                .filter(|&a| self.is_still_open_at(a, ret.node))
                .collect();
            self.notice_exit(&labelled, ret.range);
            let gives = ret.value.is_some() && !facts.functions[ret.function].returns_void;
            let text = self.plan_end_of_function(ret.function, &areas, (ret.range, gives));
            if text.is_empty() {
                continue;
            }
            let fixed = match ret.fixed {
                // The summary of a recursive function speaks of its result.
                _ if self.is_summarised(ret.function) => false,
                Fixed::Always => true,
                Fixed::Local => !self.analysis.threaded,
                Fixed::No => false,
            };
            match ret.value.filter(|_| !fixed) {
                Some(value) if !facts.functions[ret.function].returns_void => {
                    let ty = facts.functions[ret.function].result.clone();
                    let ty = ty.unwrap_or("__auto_type".into());
                    let result = crate::facts::text::user_type(&ty, "ba_result");
                    self.out.insertions.open(
                        value.start,
                        ret.depth,
                        1,
                        format!("(__extension__ ({{ {result} = ("),
                    );
                    self.out.insertions.close(
                        value.end,
                        ret.depth,
                        1,
                        format!("); {text}ba_result; }}))"),
                    );
                }
                Some(value) => {
                    self.out
                        .insertions
                        .around(ret.range, ret.depth, 0, "{ ", " }");
                    self.out
                        .insertions
                        .open(value.start, ret.depth, 1, "(__extension__ ({ ");
                    self.out
                        .insertions
                        .close(value.end, ret.depth, 1, format!("; {text}}}))"));
                }
                None => {
                    self.out
                        .insertions
                        .around(ret.range, ret.depth, 0, format!("{{ {text}"), " }")
                }
            }
        }
        self.add_site(
            facts.functions[self.analysis.main].place,
            self.analysis.main,
            SiteEvent::Start,
        );
        for function in 0..facts.functions.len() {
            self.plan_body(function);
        }
    }

    /// The text at the return of a function, which may give a value: it leaves areas, ends copies, counts the depth down, and in
    /// `main` takes the verdict.
    fn plan_end_of_function(
        &mut self,
        function: FunctionIndex,
        areas: &[usize],
        (range, gives): (Range, bool),
    ) -> String {
        let objects = self.copied_locals_of(function);
        let mut text = self.leave(areas, &objects, range, function);
        text.push_str(&self.end_of_activation(function));
        if self.analysis.threads.nested[function] && !self.is_never_cut(function) {
            text.push_str(&format!(
                "ba_depth_{}--; ",
                self.facts.functions[function].emitted
            ));
        }
        text.push_str(&self.end_of_summarised(function, gives));
        if function == self.analysis.main {
            text.push_str(&self.ending("exit"));
        }
        text
    }

    fn plan_body(&mut self, function: FunctionIndex) {
        let body = self.facts.functions[function].body;
        let brace = Range {
            start: body.end.saturating_sub(1),
            end: body.end,
        };
        // The area of a single position is left as soon as it is entered.
        let areas: Vec<usize> = (0..self.bound.areas.len())
            .filter(|&a| self.bound.areas[a].function == function)
            .filter(|&a| !matches!(self.bound.areas[a].extent, Extent::At(_)))
            .collect();
        if self.facts.functions[function].falls_off {
            let end = self.plan_end_of_function(function, &areas, (brace, false));
            // In an empty body, the text of its start is at the same place and comes first.
            self.out.insertions.open(brace.start, 0, 7, end);
        }
        let mut start = String::new();
        if self.analysis.threads.nested[function] && !self.is_never_cut(function) {
            let name = self.facts.functions[function].emitted.clone();
            let depth = OfThread::unused("unsigned ", &format!("ba_depth_{name}"));
            self.out.global(depth);
            let place = self.facts.functions[function].place;
            let site = self.add_site(place, function, SiteEvent::Cut);
            self.note_cut(site, function, body.start);
            start.push_str(&self.start_of_summarised(function, site));
            start.push_str(&format!(
                "BA_BOUND(ba_depth_{name}, BA_UNWIND_{name}, {site}); "
            ));
        }
        start.push_str(&self.plan_start_of_function(function));
        self.out.begin(function, &start);
    }

    /// The text at the start of a function: copies of parameters, areas that are whole functions, and letter 0
    /// in `main`.
    fn plan_start_of_function(&mut self, function: FunctionIndex) -> String {
        let facts = self.facts;
        let mut text = String::new();
        if function == self.analysis.main {
            text.push_str(self.inputs_at_start());
        }
        if function == self.analysis.main && self.layout.starts {
            text.push_str("ba_start(); ");
        }
        if function == self.analysis.main {
            text.push_str(&self.out.inputs.arguments);
        }
        text.push_str(&self.out.thread_starts[function]);
        for o in self.copied_locals_of(function) {
            let object = &facts.objects[o];
            if object.parameter {
                let site = self.add_site(object.place, function, SiteEvent::Write);
                text.push_str(&self.keep_address(o));
                let refresh = self.refresh_copy(o);
                let updates = self.plan_updates_of_object(o, function, object.place);
                text.push_str(&self.event(site, &refresh, updates, "").to_string());
            }
        }
        let whole: Vec<usize> = (0..self.bound.areas.len())
            .filter(|&a| {
                self.bound.areas[a].function == function
                    && self.bound.areas[a].extent == Extent::Function
            })
            .collect();
        if !whole.is_empty() {
            text.push_str(&self.cross(&[], &whole, facts.functions[function].place, function));
        }
        text.push_str(&self.plan_entered(function));
        text
    }

    /// Plans the calls that end the run or a thread, or start one.
    pub fn plan_calls(&mut self) {
        let facts = self.facts;
        for (number, call) in facts.calls.iter().enumerate() {
            if self.plan_supposed(number) {
                continue;
            }
            let Some(name) = call.callee.as_deref() else {
                continue;
            };
            if call.target.is_some() {
                continue;
            }
            self.rename_without_effect(call, name);
            if let Some(discard) = self.plan_failed_assertion(call, name) {
                let open = format!("(__extension__ ({{ {discard}");
                self.out
                    .insertions
                    .around(call.range, call.depth, 0, open, "; }))");
            } else if call.exits {
                let asserts = name.starts_with("__assert") || name == "__VERIFIER_error";
                let fails = match asserts {
                    true => format!(
                        "BA_FAILED({}); ",
                        self.add_site(call.range, call.function, SiteEvent::Fail)
                    ),
                    false => String::new(),
                };
                let ending = match library::ends_process(name) {
                    true => self.ending(plain_name(name)),
                    false => self.ending("exit"),
                };
                let stop = fails + &ending + "if (BA_MODEL) BA_ASSUME(0); ";
                self.plan_exit(call, "int", &stop);
            } else if library::ends_thread(name) {
                let stop = "if (BA_MODEL) ba_thread_exit((void *)(long)ba_result); ";
                let ty = if name == "thrd_exit" { "int" } else { "void *" };
                self.plan_exit(call, ty, stop);
            } else if library::starts_thread(name) {
                self.plan_start(call);
            }
        }
    }

    /// Plans a call that does not return: the thread leaves its areas before it.
    fn plan_exit(&mut self, call: &Call, ty: &str, stop: &str) {
        let areas = self.areas_of_thread(call);
        self.notice_exit_by(call, &areas);
        let objects = self.copied_locals_of(call.function);
        let gather = self.gather_activations(&areas);
        let leave = self.leave(&areas, &objects, call.range, call.function);
        let text = format!("{gather}{leave}{stop}");
        let known = call.callee.as_deref();
        let known = known.is_some_and(library::ends);
        if !known && call.arguments.iter().any(|&a| self.has_events(a)) {
            return self.plan_exit_with_events(call, &text);
        }
        match call.arguments[..] {
            [value] if known => {
                self.out.insertions.open(
                    value.start,
                    call.depth,
                    1,
                    format!("(__extension__ ({{ {ty} ba_result = ("),
                );
                self.out.insertions.close(
                    value.end,
                    call.depth,
                    1,
                    format!("); {text}ba_result; }}))"),
                );
            }
            _ => self.out.insertions.around(
                call.range,
                call.depth,
                0,
                format!("(__extension__ ({{ {text}"),
                "; }))",
            ),
        }
    }

    /// Whether the evaluation of a range has events, which must not follow the end of the run.
    fn has_events(&self, range: Range) -> bool {
        let facts = self.facts;
        let within = |r: Range| range.start <= r.start && r.end <= range.end;
        let silent = |name: &Option<String>| name.as_deref().is_some_and(gives_format);
        let calls = facts.calls.iter();
        let calls = calls.filter(|c| c.target.is_some() || !silent(&c.callee));
        let writes = facts.writes.iter().map(|w| w.range);
        writes.chain(calls.map(|c| c.range)).any(within)
    }

    /// Plans a call that ends the run and whose arguments have events: these arguments are computed before
    /// the end, and the call follows it. Formats stay in the call, where compilers check them.
    fn plan_exit_with_events(&mut self, call: &Call, text: &str) {
        let mut names = self.computed(call);
        for (name, &argument) in names.iter_mut().zip(&call.arguments) {
            if !self.has_events(argument) {
                *name = user(&self.whole_source(argument));
            }
        }
        self.compute_first(call, &[], &names);
        let name = user(&self.whole_source(call.callee_range));
        let (work, result) = called(call, &name, &names);
        self.out.insertions.close(
            call.range.end,
            call.depth,
            1,
            format!("*/ {text}{work}{result}}}))"),
        );
    }

    /// The areas that the calling thread may be in: those of the function and of its callers.
    fn areas_of_thread(&self, call: &Call) -> Vec<usize> {
        let here = self.areas_open_at(call.function, call.node);
        (0..self.bound.areas.len())
            .filter(|&a| {
                let function = self.bound.areas[a].function;
                match function == call.function {
                    true => here.contains(&a) || self.layout.static_flags[a],
                    false => {
                        self.analysis.threads.reaches(function, call.function)
                            && self.layout.static_flags[a]
                    }
                }
            })
            .collect()
    }

    fn plan_start(&mut self, call: &Call) {
        let name = match crate::library::synchronisation::routine(call) {
            Some(routine) => self.facts.functions[routine].emitted.clone(),
            None if !crate::library::synchronisation::candidates(self.facts).is_empty() => {
                crate::library::synchronisation::COMPUTED.to_string()
            }
            None => {
                return self.refuse(
                    call.range,
                    "no function of this program can be the one that this thread runs".into(),
                    "computed start routine",
                    Some("pass the function's name"),
                )
            }
        };
        let kind = match call.callee.as_deref() {
            Some("thrd_create") => "thrd",
            _ => "create",
        };
        self.out.insertions.around(
            call.callee_range,
            call.depth,
            7,
            format!("ba_{kind}_{name} /* "),
            " */",
        );
    }

    /// Whether the loops of a function have no bound. Evaluations are no part of the run, and backends leave
    /// out assertions in functions that nothing calls.
    pub(crate) fn is_never_cut(&self, function: FunctionIndex) -> bool {
        self.bound.evaluating[function] || self.analysis.threads.roots[function].is_empty()
    }

    /// Plans the bounds of loops and of backward gotos.
    pub fn plan_loops(&mut self) {
        let facts = self.facts;
        for (number, lp) in facts.loops.iter().enumerate() {
            if self.is_never_cut(lp.function) {
                continue;
            }
            if self.is_delay(number) {
                self.out.waits.needed = true;
                self.out
                    .insertions
                    .around(lp.range, lp.depth, 0, "{ BA_DELAY ", " }");
                continue;
            }
            let before_body = Range {
                start: lp.range.start,
                end: lp.body.start,
            };
            let site = self.add_site(before_body, lp.function, SiteEvent::Cut);
            self.note_cut(site, lp.function, lp.range.start);
            let counter = format!("ba_loop{number}");
            self.out
                .declare(lp.function, &format!("unsigned {counter} = 0; "));
            self.note_counted(site, lp);
            let bound = self.plan_bound_at(site, lp.function, &lp.labels);
            let busy = self.is_busy_wait(lp);
            let (before, behind) = match busy {
                true => self.around_busy_wait(number),
                false => Default::default(),
            };
            self.out.insertions.around(
                lp.range,
                lp.depth,
                0,
                format!("{{ {counter} = 0; {before}"),
                format!("{behind} {counter} = 0; }}"),
            );
            let place = Place {
                function: lp.function,
                range: before_body,
                offset: lp.body.start,
                point: self.body_point(lp.body),
            };
            let whole = Place {
                range: lp.range,
                ..place
            };
            let head = self.plan_loop_head(whole, site, &counter, lp.ends);
            let check = match head {
                Some(head) => head,
                None => {
                    let save = self.plan_loop_save_point(place, Some(lp.body));
                    save + &match busy {
                        true => self.plan_busy_wait(number, &bound, site),
                        false => format!("BA_BOUND({counter}, {bound}, {site}); "),
                    }
                }
            };
            let turn = lp.busy.as_ref().and_then(|b| b.turn.as_ref());
            if let Some(turn) = turn.filter(|_| busy) {
                self.plan_turn(number, turn, &check);
                continue;
            }
            let out = &mut self.out.insertions;
            match lp.braces {
                true => out.open(lp.body.start + 1, lp.depth, 1, format!(" {check}")),
                false => out.around(lp.body, lp.depth, 2, format!("{{ {check}"), " }"),
            }
        }
        self.plan_goto_loops();
    }

    fn plan_goto_loops(&mut self) {
        let facts = self.facts;
        let mut reset = std::collections::BTreeMap::<usize, String>::new();
        for (number, jump) in facts.jumps.iter().enumerate() {
            let Some(label) = jump.repeats else { continue };
            if self.is_never_cut(jump.function) {
                continue;
            }
            let site = self.add_site(jump.range, jump.function, SiteEvent::Cut);
            let counter = format!("ba_goto{number}");
            self.out
                .declare(jump.function, &format!("unsigned {counter} = 0; "));
            let bound = self.plan_bound_at(
                site,
                jump.function,
                std::slice::from_ref(&facts.labels[label].name),
            );
            let place = Place {
                function: jump.function,
                range: jump.range,
                offset: jump.range.start,
                point: Some(facts.labels[label].node),
            };
            let check = match self.plan_jump_head(place, site, &counter, label) {
                Some(head) => head,
                None => {
                    let save = self.plan_loop_save_point(place, None);
                    save + &match &jump.busy {
                        Some(busy) if self.is_busy_goto(busy) => {
                            self.plan_busy_goto(number, busy, &counter, &bound, site)
                        }
                        _ => format!("BA_BOUND({counter}, {bound}, {site}); "),
                    }
                }
            };
            self.out
                .insertions
                .around(jump.range, jump.depth, 1, format!("{{ {check}"), " }");
            reset
                .entry(label)
                .or_default()
                .push_str(&format!("{counter} = 0; "));
        }
        // Control that falls through to a label begins the first round of its goto loops.
        for (label, text) in reset {
            let label = &facts.labels[label];
            if label.in_block {
                self.out
                    .insertions
                    .open(label.place.start, label.depth, 0, text);
            }
        }
    }

    /// Notes how often a loop runs, if that is a small constant: a search may follow it to its end whatever bound other loops have.
    fn note_counted(&mut self, site: usize, lp: &Loop) {
        if let Some(Iterations::Times(times)) = lp.iterations {
            let few = u32::try_from(times)
                .ok()
                .filter(|t| (2..=COUNTED).contains(t));
            self.out
                .own_bounds
                .counted
                .extend(few.map(|times| (site, times)));
        }
    }

    /// The macro that bounds a loop: that of its label if it has one, else that of its function.
    pub(crate) fn plan_bound_of(&self, function: FunctionIndex, labels: &[String]) -> String {
        let name = &self.facts.functions[function].emitted;
        match labels.first() {
            Some(label) => format!("BA_UNWIND_{name}_{label}"),
            None => format!("BA_UNWIND_{name}"),
        }
    }

    /// The macro that bounds the loop at a site: if a search drives the runs, or the loop counts to a small constant, it has one of its own.
    fn plan_bound_at(&mut self, site: usize, function: FunctionIndex, labels: &[String]) -> String {
        let default = self.plan_bound_of(function, labels);
        if !self.options.driven && !self.out.own_bounds.counted.contains_key(&site) {
            return default;
        }
        self.out.own_bounds.defaults.insert(site, default);
        bound_at(site)
    }

    /// The argument of a C call as the user wrote it.
    pub fn argument(&self, call: &Call, index: usize) -> String {
        call.arguments
            .get(index)
            .map(|&range| user(&self.source(range)))
            .unwrap_or_default()
    }
}
