//! Several simultaneous instances of an area (docs/semantics.md, "Several instances of an area"). `each`
//! follows one activation of the area's function; the choice is free when the activation first enters an area,
//! and final. A run counts only if it follows an activation where there is one.

use spec::Instances;

use crate::analysis::threads::Count;
use crate::facts::FunctionIndex;
use crate::items::{Function, Item, OfThread, Signature, Variable};
use crate::layout::weaver::Weaver;

/// The function by which a native run chooses what is followed: a declaration.
pub(crate) const NATIVE_CHOICE: &str =
    "#if defined BA_NATIVE\nint ba_native_follows(unsigned ba_asked);\n#endif";

impl Weaver<'_> {
    /// Whether the formula is about a single instance of a proposition's area, and there may be several.
    pub fn follows_one(&self, p: usize) -> bool {
        let proposition = &self.bound.propositions[p];
        let single = |f: FunctionIndex| self.analysis.threads.activations[f] <= Count::One;
        proposition.instances == Instances::Each
            && proposition
                .area
                .is_some_and(|a| !single(self.bound.areas[a].function))
    }

    /// The functions of which the run follows one activation.
    pub fn followed(&self) -> Vec<FunctionIndex> {
        let functions = (0..self.bound.propositions.len())
            .filter(|&p| self.follows_one(p))
            .filter_map(|p| self.bound.propositions[p].area)
            .map(|a| self.bound.areas[a].function);
        let set: std::collections::BTreeSet<FunctionIndex> = functions.collect();
        set.into_iter().collect()
    }

    /// The flag of the followed activation.
    pub fn mine(&self, function: FunctionIndex) -> String {
        format!("ba_mine_{}", self.facts.functions[function].emitted)
    }

    /// The statements by which an activation that enters an area decides whether it is followed.
    pub fn follow(&self, area: usize) -> String {
        let area = &self.bound.areas[area];
        if !area.propositions.iter().any(|&p| self.follows_one(p)) {
            return String::new();
        }
        let name = &self.facts.functions[area.function].emitted;
        format!(
            "if (!ba_asked_{name}) {{ ba_asked_{name} = 1; ba_mine_{name} = ba_follow_{name}(); }} "
        )
    }

    /// Declares the flags of activations: locals of the function, or static for each thread if a callee may end
    /// the run inside an area.
    pub fn declare_followed(&mut self) {
        for function in self.followed() {
            let name = self.facts.functions[function].emitted.clone();
            let is_static = self.has_static_flags(function);
            let (mine, asked) = (format!("ba_mine_{name}"), format!("ba_asked_{name}"));
            if is_static {
                let flags = OfThread::unused("_Bool ", &mine)
                    .initially(0)
                    .and(&asked, 0);
                self.out.global(flags);
                let keep = match self.keeps_followed(function) {
                    true => format!("_Bool ba_outer_mine_{name} = ba_mine_{name}, ba_outer_asked_{name} = ba_asked_{name}; "),
                    false => String::new(),
                };
                self.out.declare(function, &keep);
                self.out
                    .declare(function, &format!("ba_mine_{name} = ba_asked_{name} = 0; "));
            } else {
                self.out.declare(
                    function,
                    &format!("BA_UNUSED _Bool {mine} = 0, {asked} = 0; "),
                );
            }
        }
    }

    /// Declarations before the program.
    pub(crate) fn instance_prototypes(&self) -> Vec<Item> {
        let declare = |function: FunctionIndex| {
            let name = &self.facts.functions[function].emitted;
            let flags = Variable::new(format!("_Bool ba_seen_{name}"))
                .and(format!("ba_taken_{name}"))
                .remark(format!(
                    "an activation of {name} enters an area; one is followed"
                ));
            [flags.into(), follow_signature(name).into()]
        };
        let mut lines: Vec<Item> = self.followed().into_iter().flat_map(declare).collect();
        if !lines.is_empty() {
            lines.push(NATIVE_CHOICE.into());
        }
        lines
    }

    /// The functions that choose an activation. A native run follows the first one, a replay the recorded one.
    pub(crate) fn instance_functions(&self) -> Vec<Item> {
        let define = |function: FunctionIndex| {
            let name = &self.facts.functions[function].emitted;
            let body = format!(
                "  _Bool ba_free = !ba_taken_{name};\n  ba_seen_{name} = 1;\n#if BA_MODEL\n  ba_free = ba_free && nondet_ba_bool();\n#elif defined BA_NATIVE\n  static unsigned ba_asked;\n  ba_free = ba_free && ba_native_follows(ba_asked++);\n#endif\n  if (ba_free) ba_taken_{name} = 1;\n  return ba_free;\n"
            );
            let why = format!("Whether this activation of {name} is the one that is followed.");
            Function::new(follow_signature(name), body)
                .for_reason(why)
                .into()
        };
        self.followed().into_iter().map(define).collect()
    }

    /// The condition that there was an activation to follow, and none was followed.
    fn unchosen(&self) -> Option<String> {
        let condition = |function: FunctionIndex| {
            let name = &self.facts.functions[function].emitted;
            format!("ba_seen_{name} && !ba_taken_{name}")
        };
        let all: Vec<String> = self.followed().into_iter().map(condition).collect();
        (!all.is_empty()).then(|| all.join(" || "))
    }

    /// The condition [`Self::unchosen`] for programs without threads, where an assumption at the end can state
    /// it.
    pub(crate) fn unfollowed(&self) -> Option<String> {
        self.unchosen().filter(|_| !self.analysis.threaded)
    }

    /// In threaded programs: the condition under which the end of a run has no verdict.
    pub(crate) fn void_run(&self) -> Option<String> {
        if !self.analysis.threaded {
            return None;
        }
        let pruned = self.discards().then(|| "ba_pruned".to_string());
        let all: Vec<String> = pruned.into_iter().chain(self.unchosen()).collect();
        (!all.is_empty()).then(|| all.join(" || "))
    }
}

/// The function that decides whether an activation is followed.
fn follow_signature(name: &str) -> Signature {
    Signature::new(format!("_Bool ba_follow_{name}(void)"))
}
