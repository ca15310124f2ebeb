//! Non-local jumps (`setjmp`, `longjmp`): the text at a jump closes the areas that the jump leaves.
//!
//! A jump ends the activations between the call of `longjmp` and the function with `setjmp`, and their areas.
//! Areas of that function end if the place of `setjmp` is outside them; areas of its callers stay open. The
//! call graph tells the position of each function; in it, every function calls the handlers of signals. Model
//! checkers do not make such jumps: for them the program returns through its functions
//! ([`crate::sites::control::longjmp`]).

use crate::bind::propositions::Extent;
use crate::facts::record::SiteEvent;
use crate::facts::{Call, FunctionIndex, Lifetime, ObjectIndex};
use crate::layout::weaver::Weaver;
use crate::library;
use crate::library::{makes_nonlocal_jump, saves_place};

/// The effect of a jump on the activations of a function on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// They end.
    Ends,
    /// They continue.
    Stays,
    /// The jump leads into the function.
    Target,
}

impl Weaver<'_> {
    /// Whether a function, or a function that it calls, may make such a jump, or whether it saves a place for
    /// one.
    pub(crate) fn takes_part_in_jumps(&self, function: FunctionIndex) -> bool {
        library::calls(self.facts).any(|(call, name)| {
            (makes_nonlocal_jump(name) && self.is_on_stack(function, call))
                || (saves_place(name) && call.function == function)
        })
    }

    /// Whether non-local jumps may lead into a function.
    pub(crate) fn saves_places(&self, function: FunctionIndex) -> bool {
        library::calls(self.facts)
            .any(|(call, name)| saves_place(name) && call.function == function)
    }

    /// Plans the non-local jumps.
    pub(crate) fn plan_nonlocal_jumps(&mut self) {
        let facts = self.facts;
        let jumps: Vec<&Call> = library::calls(facts)
            .filter(|(_, name)| makes_nonlocal_jump(name))
            .map(|(call, _)| call)
            .collect();
        if jumps.is_empty() {
            return;
        }
        let places: Vec<&Call> = library::calls(facts)
            .filter(|(_, name)| saves_place(name))
            .map(|(call, _)| call)
            .collect();
        for jump in jumps {
            match self.analysis.threaded && self.in_handler(jump) {
                true => self.refuse(
                    jump.range,
                    "a signal handler jumps in whichever thread gets the signal".into(),
                    "it is not known which functions the jump leaves",
                    Some("let the handler set a flag"),
                ),
                false => self.plan_nonlocal_jump(jump, &places),
            }
        }
    }

    fn plan_nonlocal_jump(&mut self, jump: &Call, places: &[&Call]) {
        let mut areas = Vec::new();
        for area in 0..self.bound.areas.len() {
            let function = self.bound.areas[area].function;
            if !self.is_on_stack(function, jump)
                || matches!(self.bound.areas[area].extent, Extent::At(_))
            {
                continue;
            }
            match self.is_left(function, jump, places, |w, place| {
                !w.areas_open_at(function, place.node).contains(&area)
            }) {
                Some(true) => areas.push(area),
                Some(false) => {}
                None => return self.refuse_nonlocal_jump(jump, function),
            }
        }
        let mut objects: Vec<ObjectIndex> = Vec::new();
        for object in 0..self.facts.objects.len() {
            let o = &self.facts.objects[object];
            let Lifetime::Local(function) = o.lifetime else {
                continue;
            };
            if !self.layout.copied[object] || !self.is_on_stack(function, jump) {
                continue;
            }
            let scope = o.scope;
            match self.is_left(function, jump, places, |_, place| {
                !(scope.start <= place.range.start && place.range.start < scope.end)
            }) {
                Some(true) => objects.push(object),
                Some(false) => {}
                None => return self.refuse_nonlocal_jump(jump, function),
            }
        }
        self.notice_exit_by(jump, &areas);
        let gather = self.gather_activations(&areas);
        let leave = gather + &self.leave(&areas, &objects, jump.range, jump.function);
        let site = self.add_site(jump.range, jump.function, SiteEvent::Cut);
        let give_up = match self.in_handler(jump) {
            true => "BA_GIVE_UP(); ",
            false => "",
        };
        let cut = match self.emulates_longjmp() {
            true => String::new(),
            false => format!("if (BA_MODEL) ba_cut({site}); "),
        };
        let text = format!("{give_up}{leave}{cut}");
        let Some(&value) = jump.arguments.get(1) else {
            return;
        };
        let open = "(__extension__ ({ int ba_result = (";
        let close = format!("); {text}ba_result; }}))");
        self.out
            .insertions
            .around(value, jump.depth, 1, open, close);
    }

    /// Whether an activation of a function may be on the stack at a jump.
    pub(crate) fn is_on_stack(&self, function: FunctionIndex, jump: &Call) -> bool {
        function == jump.function || self.analysis.threads.reaches(function, jump.function)
    }

    /// Whether a jump leaves an area or a variable of a function; `outside` tells whether a saved place in the
    /// function is outside it. `None` if that depends on the place to which the jump leads.
    fn is_left(
        &self,
        function: FunctionIndex,
        jump: &Call,
        places: &[&Call],
        outside: impl Fn(&Self, &Call) -> bool,
    ) -> Option<bool> {
        let reached = places
            .iter()
            .filter(|place| self.is_on_stack(place.function, jump));
        let mut answers = reached.map(|place| match self.fate(function, place.function) {
            Some(Fate::Target) => Some(outside(self, place)),
            Some(fate) => Some(fate == Fate::Ends),
            None => None,
        });
        // Without a saved place, no jump can be made.
        let Some(first) = answers.next() else {
            return Some(true);
        };
        answers.all(|answer| answer == first).then_some(first)?
    }

    fn fate(&self, function: FunctionIndex, target: FunctionIndex) -> Option<Fate> {
        if function == target {
            return Some(Fate::Target);
        }
        let below = self.analysis.threads.reaches(function, target);
        let above = self.analysis.threads.reaches(target, function);
        match (below, above) {
            (true, true) => None,
            (true, false) => Some(Fate::Stays),
            _ => Some(Fate::Ends),
        }
    }

    fn refuse_nonlocal_jump(&mut self, jump: &Call, function: FunctionIndex) {
        let name = self.facts.functions[function].name.clone();
        self.refuse(
            jump.range,
            format!(
                "which areas and variables of `{name}` this jump leaves depends on where it leads"
            ),
            "several places, or a recursive function",
            Some("save the place to jump to in one function, outside of recursions"),
        );
    }

    /// File, line and text of each non-local jump that model checkers cannot follow.
    pub(crate) fn nonlocal_jump_places(&self) -> Vec<String> {
        if self.emulates_longjmp() {
            return Vec::new();
        }
        let jumps = library::calls(self.facts).filter(|(_, name)| makes_nonlocal_jump(name));
        jumps.map(|(call, _)| self.place_of(call.range)).collect()
    }

    /// Refuses non-local jumps that cannot be emulated, for a backend that does not make them.
    pub(crate) fn refuse_nonlocal_jumps(&mut self) {
        let facts = self.facts;
        let obstacles = match library::calls(facts).any(|(_, name)| makes_nonlocal_jump(name)) {
            true => self.obstacles_to_emulation(),
            false => Vec::new(),
        };
        for (range, why) in obstacles {
            self.refuse(
                range,
                "jumps out of functions are not modelled here".into(),
                why,
                Some("use `--backend native`, or return through the callers"),
            );
        }
    }
}
