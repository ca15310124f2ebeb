//! Calls of functions without a body that write, or may write, objects that a proposition reads.
//!
//! No other thread may act between a write and its event. The bytes that a copying function writes are known:
//! its arguments are computed first, then the call and its event form one atomic block, as for an assignment.
//! In a program with threads, calls that the model replaces are treated alike. Other calls keep their text, and
//! the event follows them.

use crate::analysis::effects::Effect;
use crate::facts::names::user;
use crate::facts::record::SiteEvent;
use crate::facts::text::{may_hold_sites, user_type};
use crate::facts::types::{Argument, CallTypes};
use crate::facts::{Call, Range};
use crate::items::event::Event;
use crate::layout::weaver::{PlannedUpdate, Weaver};
use crate::library::{self, Fills, Size};
use crate::sites::writes::updates::{Written, OBJECT};

/// Macros around a call: in the model the call is inside the event's atomic block, in a native run before
/// it.
const CALLS: &str = "#if BA_MODEL\n#define BA_CALLS() BA_BEGIN()\n#define BA_CALLED() ((void)0)\n#else\n#define BA_CALLS() ((void)0)\n#define BA_CALLED() BA_BEGIN()\n#endif";

/// How a function fills memory, if it does nothing else.
pub(crate) fn copier(name: &str) -> Option<Fills> {
    library::function(name)?.fills
}

/// The argument through which a function stores a handle or a result of a thread.
fn handed(name: &str) -> Option<usize> {
    library::function(name)?.hands
}

/// A call of a function without a body, and its effects.
#[derive(Clone, Copy)]
pub(crate) struct Foreign<'a> {
    /// The call.
    pub call: &'a Call,
    /// Its types.
    pub types: &'a CallTypes,
    /// The effects that it may have on propositions.
    pub effects: &'a [Effect],
}

impl Foreign<'_> {
    /// The arguments that are pointers, or those that are numbers.
    fn scalars(&self, pointers: bool) -> Vec<usize> {
        let arguments = self.types.arguments.iter().enumerate();
        let wanted = |a: &Argument| a.scalar.as_ref().is_some_and(|s| s.pointer == pointers);
        arguments
            .filter(|(_, a)| wanted(a))
            .map(|(i, _)| i)
            .collect()
    }
}

impl Weaver<'_> {
    /// Plans a call of a function without a body that may write an object that a proposition reads.
    pub(crate) fn plan_writing_call(&mut self, foreign: Foreign) {
        let call = foreign.call;
        // The end of the process has no event after it.
        if call.exits {
            return;
        }
        let name = call.callee.as_deref().filter(|_| call.target.is_none());
        let copier = name
            .and_then(copier)
            .filter(|c| call.arguments.len() > usize::from(c.reads) + 1 || c.size == Size::String);
        let handed = name.and_then(handed).filter(|&i| i < call.arguments.len());
        match (copier, handed, name) {
            (Some(copier), ..) => self.plan_copier(foreign, copier),
            (None, Some(argument), _) if self.analysis.threaded => {
                self.plan_handing(foreign, argument);
            }
            (None, None, Some(name)) if self.analysis.threaded && !self.is_handled(name) => {
                self.plan_replaceable(foreign);
            }
            _ => self.plan_call_in_place(foreign),
        }
    }

    /// The site of a call, the text that refreshes copies, and the updates after its writes; `None` if the
    /// writes concern no proposition.
    fn notice(
        &mut self,
        foreign: Foreign,
        written: Written,
    ) -> Option<(usize, String, Vec<PlannedUpdate>)> {
        let Foreign { call, effects, .. } = foreign;
        let refresh = self.refresh_copies(effects, written);
        let updates = self.plan_updates_of(effects, written);
        if updates.is_empty() && refresh.is_empty() {
            return None;
        }
        let site = self.add_site(call.range, call.function, SiteEvent::Write);
        self.note_uncertain(site, effects, "what the call writes");
        Some((site, refresh, updates))
    }

    /// The event of a call that may write through its pointer arguments, which are kept in variables whose
    /// names begin with `prefix`; with its site and the text that refreshes copies. `None` if it concerns no
    /// proposition.
    fn plan_event_of_pointers(
        &mut self,
        foreign: Foreign,
        prefix: &str,
    ) -> Option<(usize, String, Event)> {
        let given = self.given(foreign, |i| format!("{prefix}{i}"));
        let written = Written {
            function: foreign.call.function,
            range: foreign.call.range,
            given: Some(&given),
            ..Written::default()
        };
        let (site, refresh, updates) = self.notice(foreign, written)?;
        let event = self.event(site, &refresh, updates, "");
        Some((site, refresh, event))
    }

    /// `memcpy(a, b, n)` becomes `({ a0 = a; a1 = b; a2 = n; atomic { r = memcpy(a0, a1, a2); … } r; })`.
    fn plan_copier(&mut self, foreign: Foreign, copier: Fills) {
        let call = foreign.call;
        let mut names = self.computed(call);
        let size = match copier.size {
            Size::Argument(i) => names[i].clone(),
            Size::String => format!("{}(ba_a0) + 1", self.use_builtin("strlen")),
        };
        let size = format!("({size})");
        let written = Written {
            function: call.function,
            range: call.range,
            pointer: Some("(char *)ba_a0"),
            size: Some(&size),
            ..Written::default()
        };
        let Some((site, refresh, updates)) = self.notice(foreign, written) else {
            return;
        };
        let before = match copier.reads && self.is_changed_by_threads(call, 1) {
            true => self.read_bytes_first(copier.size, &names),
            false => String::new(),
        };
        self.compute_first(call, &foreign.scalars(false), &names);
        if !before.is_empty() {
            names[1] = "(void *)ba_bytes".into();
        }
        let name = match self.may_be_stood_in(call) {
            true => self.rename(call, site),
            false => user(&self.whole_source(call.callee_range)),
        };
        let (work, result) = called(call, &name, &names);
        let event = self.event(site, &format!("{work}{refresh}"), updates, "");
        self.out.insertions.close(
            call.range.end,
            call.depth,
            1,
            format!("*/ {before}{event}{result}}}))"),
        );
    }

    /// Whether a function of the emitted program may stand for a call of the library's.
    fn may_be_stood_in(&self, call: &Call) -> bool {
        let row = call.callee.as_deref().and_then(library::function);
        row.is_some_and(|row| row.defined || row.contract.is_some() && self.is_proof())
    }

    /// Gives the callee of a call a name of its own, which means that function unless another one stands for it.
    fn rename(&mut self, call: &Call, site: usize) -> String {
        let name = format!("ba_call_{site}");
        self.out.replaced.names.insert(call.expr, name.clone());
        name
    }

    /// The text that, before the atomic block, reads the bytes to be copied: other threads may change them
    /// until then, and may act between the read and the write.
    fn read_bytes_first(&mut self, size: Size, names: &[String]) -> String {
        let size = match size {
            Size::Argument(i) => names[i].clone(),
            Size::String => format!("{}(ba_a1) + 1", self.use_builtin("strlen")),
        };
        let copy = self.use_builtin("memcpy");
        format!(
            "unsigned long ba_size = {size}; unsigned char ba_bytes[ba_size + 1]; {copy}(ba_bytes, ba_a1, ba_size); "
        )
    }

    /// Whether other threads may change the memory that an argument of a call points to.
    pub(crate) fn is_changed_by_threads(&self, call: &Call, argument: usize) -> bool {
        if !self.analysis.threaded {
            return false;
        }
        let starts = self.thread_routines();
        !self
            .program
            .code
            .stays_in_thread(call.expr, argument, &starts)
    }

    /// The texts that replace the arguments of a call once these are computed: variables, except for integer
    /// literals, since a 0 may be a null pointer, and for strings, which compilers check as formats.
    pub(crate) fn computed(&self, call: &Call) -> Vec<String> {
        let arguments = call.arguments.iter().enumerate();
        arguments
            .map(|(i, &argument)| {
                let text = self.whole_source(argument);
                let number = text.starts_with(|c: char| c.is_ascii_digit())
                    && text.chars().all(|c| c.is_ascii_alphanumeric());
                let string = text.len() > 1 && text.starts_with('"') && text.ends_with('"');
                match number || string {
                    true => text,
                    false => format!("ba_a{i}"),
                }
            })
            .collect()
    }

    /// Computes the arguments of a call into variables before it; the remaining text becomes comments. The
    /// arguments `numbers` are known to be numbers.
    pub(crate) fn compute_first(&mut self, call: &Call, numbers: &[usize], names: &[String]) {
        for (i, &argument) in call.arguments.iter().enumerate() {
            if names[i] != format!("ba_a{i}") {
                continue;
            }
            // Only the value of a bit-field has a type that can be spelled.
            let sign = if numbers.contains(&i) { "+" } else { "" };
            let ty = self.value_typed(&self.whole_source(argument), sign);
            let open = format!("*/ {ty} ba_a{i} = {sign}(");
            self.out
                .insertions
                .open(argument.start, call.depth, 2, open);
            self.out
                .insertions
                .close(argument.end, call.depth, 2, "); /*");
        }
        let open = "(__extension__ ({ /* ";
        self.out
            .insertions
            .open(call.range.start, call.depth, 1, open.to_string());
    }

    /// The type of a variable that is initialised with a value, see [`Weaver::typed`]; an array becomes a
    /// pointer.
    fn value_typed(&self, text: &str, sign: &str) -> String {
        // CBMC gives the `__auto_type` variable the type of the array, not of the pointer that the array
        // becomes.
        match may_hold_sites(text) || sign.is_empty() {
            true => {
                let text = user(text);
                format!("__typeof__(1 ? {sign}({text}) : {sign}({text}))")
            }
            false => "__auto_type".to_string(),
        }
    }

    /// A call of `pthread_create` or `pthread_join`: its result goes into a variable first, and is stored in
    /// the event's block.
    fn plan_handing(&mut self, foreign: Foreign, argument: usize) {
        let call = foreign.call;
        let written = Written {
            function: call.function,
            range: call.range,
            pointer: Some("ba_to"),
            ..Written::default()
        };
        let Some((site, refresh, updates)) = self.notice(foreign, written) else {
            return;
        };
        let event = self.event(site, &format!("*ba_to = ba_handed; {refresh}"), updates, "");
        let given = call.arguments[argument];
        let text = user(&self.whole_source(given));
        let open = format!(
            "(__extension__ ({{ __typeof__(1 ? ({text}) : ({text})) ba_to = 0; __typeof__(*ba_to) ba_handed; int ba_result = "
        );
        let close = format!("; if (ba_to && !ba_result) {{ {event}}} ba_result; }}))");
        self.out
            .insertions
            .around(call.range, call.depth, 0, open, close);
        self.out
            .insertions
            .around(given, call.depth, 1, "((ba_to = (", ")) ? &ba_handed : 0)");
    }

    /// A call whose function the model may replace: the model's call and the event are one step. In a native
    /// run the call may block, so the event follows it.
    fn plan_replaceable(&mut self, foreign: Foreign) {
        let call = foreign.call;
        let Some((site, _, event)) = self.plan_event_of_pointers(foreign, "ba_a") else {
            return;
        };
        let event = event.within_step();
        let names = self.computed(call);
        self.compute_first(call, &foreign.scalars(false), &names);
        if !std::mem::replace(&mut self.out.replaced.framed, true) {
            self.out.global(CALLS);
        }
        let name = self.rename(call, site);
        let (work, result) = called(call, &name, &names);
        self.out.insertions.close(
            call.range.end,
            call.depth,
            1,
            format!("*/ BA_CALLS(); {work}BA_CALLED(); {event}{result}}}))"),
        );
    }

    /// A call whose event follows it; its pointers are kept for the event.
    fn plan_call_in_place(&mut self, foreign: Foreign) {
        let call = foreign.call;
        let Some((_, refresh, event)) = self.plan_event_of_pointers(foreign, "ba_to") else {
            return;
        };
        let mut kept = String::new();
        // Refreshing a copy needs each pointer, to compare it with the copied object.
        let pointers = match refresh.is_empty() {
            true => Vec::new(),
            false => foreign.scalars(true),
        };
        for i in pointers {
            kept.push_str(&format!("const volatile void *ba_to{i} = 0; "));
            self.keep_pointer(call, i);
        }
        let (open, close) = match call.returns_void {
            true => (
                format!("(__extension__ ({{ {kept}"),
                format!("; {event}}}))"),
            ),
            false => {
                let result = called_type(call);
                (
                    format!("(__extension__ ({{ {kept}{result} = "),
                    format!("; {event}ba_result; }}))"),
                )
            }
        };
        self.out
            .insertions
            .around(call.range, call.depth, 0, open, close);
    }

    fn keep_pointer(&mut self, call: &Call, i: usize) {
        let argument: Range = call.arguments[i];
        let ty = self.value_typed(&self.whole_source(argument), "");
        self.out.insertions.around(
            argument,
            call.depth,
            1,
            format!("(__extension__ ({{ {ty} ba_kept = ("),
            format!("); ba_to{i} = ba_kept; ba_kept; }}))"),
        );
    }

    /// The condition, as further alternatives, that a call could reach an object: one of its pointers leads
    /// into the object, or the function is not the C library's and may know the object from before.
    fn given(&self, foreign: Foreign, name: impl Fn(usize) -> String) -> String {
        let library = foreign.call.callee.as_ref();
        let library = library.is_some_and(|name| self.facts.declared.contains(name));
        let pointers = foreign.scalars(true).into_iter();
        let mut given: String = pointers
            .map(|i| format!(" || BA_MEETS({}, 1, {OBJECT})", name(i)))
            .collect();
        if !library {
            given.push_str(" || !BA_MODEL");
        }
        given
    }

    /// Defines the names of functions that [`Weaver::plan_replaceable`] calls and that no input replaces.
    pub(crate) fn plan_replaced(&mut self) {
        let facts = self.facts;
        for call in &facts.calls {
            let replaced = &self.out.replaced;
            let alias = replaced.names.get(&call.expr);
            let alias = alias.filter(|_| !replaced.by_input.contains(&call.expr));
            let Some(alias) = alias.cloned() else {
                continue;
            };
            let name = call.callee.clone().unwrap_or_default();
            self.out.global(format!("#define {alias} {}", user(&name)));
        }
    }
}

/// A declaration of `ba_result` with the type of a call's result.
pub(crate) fn called_type(call: &Call) -> String {
    let ty = call.result.as_deref().unwrap_or("__auto_type");
    user_type(ty, "ba_result")
}

/// The text that calls a function and keeps its result, and the expression of the result.
pub(crate) fn called(call: &Call, name: &str, arguments: &[String]) -> (String, &'static str) {
    let text = format!("{name}({}); ", arguments.join(", "));
    match call.returns_void || !call.used {
        true => (text, "(void)0; "),
        false => (format!("{} = {text}", called_type(call)), "ba_result; "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_copies_memory_is_known_by_all_its_names() {
        for name in [
            "memcpy",
            "__builtin_memcpy",
            "__builtin___memcpy_chk",
            "__memcpy_chk",
        ] {
            assert_eq!(copier(name), copier("memcpy"), "{name}");
            assert!(copier(name).is_some());
        }
        assert_eq!(copier("memcmp"), None);
        assert_eq!(copier("sprintf"), None);
    }
}
