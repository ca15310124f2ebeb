//! Emulation of non-local jumps (`longjmp`) for model checkers, which do not make them: each function on the
//! stack returns after its call, and the function that saved the place runs the saving statement again.
//!
//! The text at the jump closes the areas and variables that the jump leaves, as in native runs
//! ([`crate::sites::control::nonlocal_jumps`]); in native runs, the text planned here is empty.

use crate::facts::names::user;
use crate::facts::record::SiteEvent;
use crate::facts::{Call, FunctionIndex, Range, SavedPlace};
use crate::items::rendered;
use crate::items::words::*;
use crate::layout::weaver::Weaver;
use crate::library;
use crate::library::{makes_nonlocal_jump, saves_place};
use crate::sites::writes::calls::called_type;
use askama::Template;

/// The emulation's variables and macros; in native runs, empty macros.
#[derive(Template)]
#[template(path = "longjmp.c", escape = "none")]
struct Runtime;

/// Why a jump cannot be emulated, and its place.
type Obstacle = (Range, &'static str);

impl Weaver<'_> {
    /// The obstacles to an emulation of the program's non-local jumps.
    pub(crate) fn obstacles_to_emulation(&self) -> Vec<Obstacle> {
        let facts = self.facts;
        let jumps = self.nonlocal_jumps();
        let mut found: Vec<Obstacle> = Vec::new();
        for (call, name) in library::calls(facts) {
            let given = call.argument_functions.iter().flatten();
            if makes_nonlocal_jump(name) && self.analysis.threaded {
                found.push((call.range, "not in programs with threads"));
            } else if makes_nonlocal_jump(name) && self.out.lasso.is_some() {
                found.push((call.range, "not together with `--lasso`"));
            } else if makes_nonlocal_jump(name) && self.bound.evaluating[call.function] {
                found.push((call.range, "not in the evaluation of a proposition"));
            } else if saves_place(name) && self.place_of_call(call).is_none() {
                found.push((
                    call.range,
                    "not where anything else is computed in the same statement",
                ));
            } else if given.copied().any(|f| self.may_jump(f, &jumps)) {
                found.push((
                    call.range,
                    "the function that is passed here jumps out of the call",
                ));
            }
        }
        let untyped = facts.calls.iter().filter(|c| self.may_be_left(c, &jumps));
        found.extend(
            untyped
                .filter(|c| !self.has_end(c.function))
                .map(|c| (c.range, "the type of its function's result has no name")),
        );
        found
    }

    /// Whether the emitted program emulates its non-local jumps for model checkers.
    pub(crate) fn emulates_longjmp(&self) -> bool {
        !self.nonlocal_jumps().is_empty() && self.obstacles_to_emulation().is_empty()
    }

    /// The functions into which emulated jumps lead.
    pub(crate) fn longjmp_functions(&self) -> impl Iterator<Item = FunctionIndex> + '_ {
        let emulates = self.emulates_longjmp();
        let places =
            library::calls(self.facts).filter(move |(_, name)| emulates && saves_place(name));
        places.map(|(call, _)| call.function)
    }

    fn place_of_call(&self, call: &Call) -> Option<&SavedPlace> {
        let places = self.facts.saved_places.iter();
        places.clone().find(|p| p.call == call.expr)
    }

    /// The calls that make non-local jumps.
    fn nonlocal_jumps(&self) -> Vec<&Call> {
        let jumps = library::calls(self.facts).filter(|(_, name)| makes_nonlocal_jump(name));
        jumps.map(|(call, _)| call).collect()
    }

    /// Whether a function, or a function that it calls, makes one of the jumps.
    fn may_jump(&self, function: FunctionIndex, jumps: &[&Call]) -> bool {
        jumps.iter().any(|jump| self.is_on_stack(function, jump))
    }

    /// Whether one of the jumps may leave a call.
    fn may_be_left(&self, call: &Call, jumps: &[&Call]) -> bool {
        match (call.target, &call.callee) {
            (Some(target), _) => self.may_jump(target, jumps),
            (None, Some(name)) => makes_nonlocal_jump(name),
            (None, None) => true,
        }
    }

    /// Whether a `return` can be inserted anywhere in a function: its result's type can be spelled.
    fn has_end(&self, function: FunctionIndex) -> bool {
        let f = &self.facts.functions[function];
        f.returns_void || f.result.is_some() || function == self.analysis.main
    }

    /// Plans the places to which jumps lead, and the returns to them.
    pub(crate) fn plan_longjmp_emulation(&mut self) {
        if !self.emulates_longjmp() {
            return;
        }
        self.out.global(rendered(&Runtime));
        let facts = self.facts;
        let places: Vec<(usize, &Call)> = library::calls(facts)
            .filter(|(_, name)| saves_place(name))
            .map(|(call, _)| call)
            .enumerate()
            .collect();
        for &(number, call) in &places {
            self.plan_place(number, call);
        }
        let mut returns = std::collections::BTreeMap::<FunctionIndex, String>::new();
        let jumps = self.nonlocal_jumps();
        let left: Vec<&Call> = facts
            .calls
            .iter()
            .filter(|c| self.may_be_left(c, &jumps))
            .collect();
        for call in left {
            let back = match returns.get(&call.function) {
                Some(known) => known.clone(),
                None => {
                    let text = self.plan_way_back(call, &places);
                    returns.entry(call.function).or_insert(text).clone()
                }
            };
            let (open, close) = match call.returns_void || !call.used {
                true => ("(__extension__ ({ ".to_string(), "(void)0; }))"),
                false => (
                    format!("(__extension__ ({{ {} = ", called_type(call)),
                    "ba_result; }))",
                ),
            };
            let close = format!("; BA_IF_JUMPING({back}) {close}");
            self.out
                .insertions
                .around(call.range, call.depth, 0, open, close);
            if call.target.is_none() && call.callee.is_some() {
                self.out
                    .insertions
                    .around(call.callee_range, call.depth, 2, "BA_LONGJMP(", ")");
            }
        }
    }

    fn plan_place(&mut self, number: usize, call: &Call) {
        let Some(place) = self.place_of_call(call).cloned() else {
            return;
        };
        self.out.declare(
            call.function,
            &format!("BA_UNUSED unsigned ba_place{number} = 0, ba_returns{number} = 0; "),
        );
        let label = format!("BA_SETJMP_LABEL(ba_to{number}); ");
        match place.in_block {
            true => {
                self.out
                    .insertions
                    .open(place.range.start, place.depth, 0, label);
            }
            false => {
                self.out
                    .insertions
                    .around(place.range, place.depth, 0, format!("{{ {label}"), " }")
            }
        }
        let saved = call.arguments.first().copied().unwrap_or_default();
        let saved = user(&self.whole_source(saved));
        let open = format!("(BA_MODEL ? ba_saves(&ba_place{number}, (void *)({saved})) : ");
        self.out
            .insertions
            .around(call.range, call.depth, 0, open, ")");
    }

    /// The text after a call that a jump has left: the function continues at its saved place, or it returns.
    fn plan_way_back(&mut self, call: &Call, places: &[(usize, &Call)]) -> String {
        let function = call.function;
        let mut text = String::new();
        for (number, place) in places.iter().filter(|(_, p)| p.function == function) {
            let site = self.add_site(place.range, function, SiteEvent::Cut);
            let bound = self.plan_bound_of(function, &[]);
            text.push_str(&format!(
                "if (ba_to_place == ba_place{number}) {{ BA_BOUND(ba_returns{number}, {bound}, {site}); ba_jumping = 0; ba_jump_arrived = 1; goto ba_to{number}; }} "
            ));
        }
        let f = &self.facts.functions[function];
        if self.analysis.threads.nested[function] && !self.is_never_cut(function) {
            text.push_str(&format!("ba_depth_{}--; ", f.emitted));
        }
        let (returns_void, result) = (f.returns_void, f.result.clone());
        if function == self.analysis.main {
            // `main` has no caller with the place: the place is no longer valid.
            let site = self.add_site(call.range, function, SiteEvent::Cut);
            text.push_str(&format!("ba_cut({site});"));
        } else if returns_void {
            text.push_str("return;");
        } else {
            let result = result.unwrap_or_default();
            let none = crate::facts::text::user_type(&result, "ba_none");
            text.push_str(&format!("{none}; return ba_none;"));
        }
        text
    }
}
