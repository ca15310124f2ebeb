//! Calls of the C library and of POSIX threads: which calls are modelled, which have no effect on the model,
//! and which are refused.

use crate::bind::propositions::{Area, Extent};
use crate::facts::Call;
use crate::layout::weaver::Weaver;
use crate::library;
use crate::library::effects::RENAMED;

impl<'a> Weaver<'a> {
    /// Renames the call of a function without effect on the model if headers are expanded: a macro with the
    /// function's name would change its declaration.
    pub(crate) fn rename_without_effect(&mut self, call: &Call, name: &str) {
        if self.out.inputs.known.outcomes.contains(&call.expr) {
            return;
        }
        let silent = library::silent(name).is_some();
        let known = library::passes_time(name) || silent && self.facts.declared.contains(name);
        if !self.options.include_headers && known && !self.ends_threads(name) {
            let own = format!("{RENAMED}{name} /* ");
            self.out
                .insertions
                .around(call.callee_range, call.depth, 9, own, " */");
        }
    }

    /// Refuses calls whose effect on the run is neither modelled nor absent.
    pub fn plan_library(&mut self) {
        let cancels = self.options.rounds && self.calls("pthread_cancel");
        for (call, name) in library::calls(self.facts) {
            if name == "pthread_cancel" && self.options.rounds && self.has_activations() {
                let message =
                    "a thread that is cancelled here would not leave its areas".to_owned();
                let help = "use conditions on objects at file scope";
                self.refuse(
                    call.range,
                    message,
                    "it ends in the middle of a call",
                    Some(help),
                );
            }
            // What stands in place of an input is no call of the library any more.
            let followed = library::passes_time(name)
                || library::silent(name).is_some()
                || library::primitive(name).is_some();
            if !followed && cancels && library::cancellation_point(name).is_some() {
                let message = format!("`{name}` is not followed beside `pthread_cancel`");
                let why = "a thread that is cancelled may end in it";
                self.refuse(call.range, message, why, None);
            }
            let Some(why) = self.unmodelled(name) else {
                continue;
            };
            let message = format!("`{name}` is not modelled");
            match native(name) {
                Native::No => self.refuse(call.range, message, why, help(name)),
                Native::Processes => self.plan_process(call, name),
                Native::Yes => {}
            }
        }
    }

    /// Whether a call of a function may end a thread that is cancelled, or says whether it does: the sequentialisation of
    /// threads has to see it.
    pub(crate) fn ends_threads(&self, name: &str) -> bool {
        let about =
            library::about_cancellation(name) || library::cancellation_point(name).is_some();
        about && self.options.rounds && self.calls("pthread_cancel")
    }

    /// Whether a proposition is about activations of functions: areas, or objects in them.
    fn has_activations(&self) -> bool {
        let mut areas = self.bound.areas.iter();
        let functions = 0..self.facts.functions.len();
        let at = |a: &Area| matches!(a.extent, Extent::At(_));
        !areas.all(at)
            || functions
                .into_iter()
                .any(|f| !self.copied_locals_of(f).is_empty())
    }

    /// Plans a call that starts a process. The child has only the calling thread, so no other thread may be
    /// within a step of the monitor: the call holds the monitor's lock, and both processes release it.
    fn plan_process(&mut self, call: &Call, name: &str) {
        let (mut before, mut behind) = (String::new(), String::new());
        if self.analysis.threaded {
            let result = crate::sites::writes::calls::called_type(call);
            before = format!("(__extension__ ({{ BA_BEGIN(); {result} = ");
            behind = "; BA_END(); ba_result; }))".into();
        }
        // The child of `vfork` would continue in its parent's memory, and end the run there. A function that no
        // header declares has another name already.
        if name == "vfork" && !self.is_outside(call, name) {
            before.push_str("fork /* ");
            let close = " */".to_string();
            self.out
                .insertions
                .close(call.callee_range.end, call.depth, 1, close);
        }
        self.out
            .insertions
            .around(call.range, call.depth, 0, before, behind);
    }

    /// The calls that only native programs can make, with the reasons.
    pub(crate) fn native_calls(&self) -> Vec<(&'a Call, &'a str, &'static str)> {
        library::calls(self.facts)
            .filter(|(_, name)| native(name) != Native::No)
            .filter_map(|(call, name)| Some((call, name, self.unmodelled(name)?)))
            .collect()
    }

    /// File, line and text of sections that only sequentialised programs may have.
    pub(crate) fn section_places(&self) -> Vec<String> {
        let called = library::calls(self.facts).filter(|(_, name)| sequentialised(name));
        let mut places: Vec<String> = called.map(|(c, _)| self.place_of(c.range)).collect();
        let calls = self.facts.calls.iter().filter(|c| {
            let name = c.target.map(|f| self.facts.functions[f].name.as_str());
            name.is_some_and(|name| name.starts_with("__VERIFIER_atomic_"))
        });
        places.extend(calls.map(|c| self.place_of(c.range)));
        places
    }

    /// Why a function is refused.
    fn unmodelled(&self, name: &str) -> Option<&'static str> {
        unmodelled(name).filter(|_| !(self.options.rounds && sequentialised(name)))
    }

    /// Whether the program calls a function that has no body in it.
    pub fn calls(&self, name: &str) -> bool {
        library::calls(self.facts).any(|(_, called)| called == name)
    }
}

/// Whether a native program with a monitor may call a function that is not modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Native {
    /// No: native runs would miss events, too.
    No,
    /// Yes: native runs miss nothing.
    Yes,
    /// Yes, and the process that it starts is not followed.
    Processes,
}

fn native(name: &str) -> Native {
    let interrupts = ["pthread_cancel", "clone"].contains(&name)
        || name.starts_with("__pthread_")
        || name.contains("_atomic_");
    match name {
        "fork" | "vfork" => Native::Processes,
        _ if interrupts => Native::No,
        _ => Native::Yes,
    }
}

/// Advice on what to use instead of a refused function.
pub(crate) fn help(name: &str) -> Option<&'static str> {
    match name {
        "pthread_cancel" | "pthread_kill" => {
            Some("let the thread look at a flag that tells it to end")
        }
        "sem_open" | "sem_close" | "sem_unlink" => Some("use `sem_init`"),
        _ if name.contains("_atomic_") => Some("use a mutex, or atomic operations"),
        "pthread_setspecific"
        | "pthread_getspecific"
        | "pthread_key_create"
        | "tss_set"
        | "tss_get"
        | "tss_create" => Some("use a `_Thread_local` variable"),
        _ => None,
    }
}

/// Whether the sequentialisation of threads models a function.
fn sequentialised(name: &str) -> bool {
    name.ends_with("_atomic_begin")
        || name.ends_with("_atomic_end")
        || library::thread_specific(name)
        || library::cancels(name)
}

/// Why a function is refused.
fn unmodelled(name: &str) -> Option<&'static str> {
    let known = library::primitive(name).is_some()
        || library::starts_thread(name)
        || library::no_effect(name)
        || library::ends_thread(name);
    if known {
        return None;
    }
    // Prefixes tell the families, not rows of the catalogue: a function without a row must not count as one
    // without effect.
    let begins = |prefixes: &[&str]| prefixes.iter().any(|p| name.starts_with(p));
    let atomic = ["__VERIFIER_atomic_", "__CPROVER_atomic_", "__ESBMC_atomic_"];
    if begins(&atomic) {
        return Some("atomic blocks do not nest, and the monitor's steps are such blocks");
    }
    if matches!(name, "fork" | "vfork" | "clone") {
        return Some("a second process has its own run");
    }
    if library::cancels(name) || matches!(name, "pthread_kill" | "tgkill") {
        return Some("a thread that another one interrupts may stop anywhere");
    }
    if matches!(name, "sem_open" | "sem_close" | "sem_unlink") {
        return Some("a named semaphore is shared with other processes");
    }
    begins(&["pthread_", "sem_", "mtx_", "cnd_", "thrd_", "tss_"])
        .then_some("its effect on the run would be missed")
}
