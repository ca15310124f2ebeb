//! Writes of pointers that several threads see, while threads run. CBMC knows only for a thread's own writes what
//! a pointer points to. It refuses most programs with others, but not those that write the pointer in an atomic
//! section, as a part of a structure, or as an integer; there it would read anything. So the tool finds the places
//! before CBMC is started.

use crate::facts::{FunctionIndex, Lifetime, Range, Write};
use crate::layout::weaver::Weaver;
use crate::library;
use crate::library::synchronisation;
use crate::sites::writes::calls::copier;

impl Weaver<'_> {
    /// The writes of pointers that other threads can see, where other threads may run. In `main`'s thread that
    /// is, by the text, after a call that starts a thread, and in functions that are called there.
    pub fn shared_pointers(&self) -> Vec<Range> {
        if !self.analysis.threaded {
            return Vec::new();
        }
        let begins = self.concurrent_from();
        let facts = self.facts;
        let writes = facts.writes.iter();
        let written = writes
            .filter(|w| w.pointer && self.is_seen_by_others(w))
            .map(|w| (w.function, w.range));
        let allocated = library::calls(facts)
            .filter(|(_, name)| matches!(*name, "realloc" | "strdup" | "strndup"))
            .map(|(call, _)| (call.function, call.range));
        let others = self.program.code.pointers_stored(&self.thread_routines());
        let others = others.into_iter().filter_map(|(f, span)| {
            let function = facts.functions.iter().position(|known| known.id == f)?;
            Some((function, crate::facts::range(span)))
        });
        written
            .chain(allocated)
            .chain(others)
            .filter(|(function, range)| begins[*function].is_some_and(|from| from <= range.start))
            .map(|(_, range)| range)
            .collect()
    }

    fn is_seen_by_others(&self, write: &Write) -> bool {
        let Some(object) = write.place.root else {
            return true;
        };
        let object = &self.facts.objects[object];
        match object.lifetime {
            Lifetime::Static | Lifetime::StaticLocal(_) => true,
            Lifetime::Local(_) => object.address_taken,
            Lifetime::ThreadLocal | Lifetime::Prototype => false,
        }
    }

    /// For each function, the offset from which on other threads may run beside it.
    pub(crate) fn concurrent_from(&self) -> Vec<Option<usize>> {
        let facts = self.facts;
        let mut begins: Vec<Option<usize>> = (0..facts.functions.len())
            .map(|f| {
                let roots = &self.analysis.threads.roots[f];
                roots.iter().any(|&r| r != self.analysis.main).then_some(0)
            })
            .collect();
        let creates = self.creators();
        loop {
            let mut changed = false;
            let mut at = |begins: &mut Vec<Option<usize>>, f: FunctionIndex, offset: usize| {
                if begins[f].is_none_or(|known| known > offset) {
                    begins[f] = Some(offset);
                    changed = true;
                }
            };
            for call in &facts.calls {
                let outside = call.target.is_none();
                let name = call.callee.as_deref().unwrap_or_default();
                let starts = outside && library::starts_thread(name);
                if starts || call.target.is_some_and(|t| creates[t]) {
                    at(
                        &mut begins,
                        call.function,
                        self.start_of_loops(call.function, call.range),
                    );
                }
                let beside = begins[call.function].is_some_and(|from| from <= call.range.start);
                if let (true, Some(target)) = (beside, call.target) {
                    at(&mut begins, target, 0);
                }
            }
            if !changed {
                return begins;
            }
        }
    }

    /// For each function, whether it, or a function that it calls, starts threads.
    fn creators(&self) -> Vec<bool> {
        let direct: Vec<FunctionIndex> = synchronisation::starts(self.facts)
            .map(|c| c.function)
            .collect();
        (0..self.facts.functions.len())
            .map(|f| direct.iter().any(|&d| self.analysis.threads.reaches(f, d)))
            .collect()
    }

    /// The start of the outermost loop around a place; the place itself outside loops.
    fn start_of_loops(&self, function: FunctionIndex, range: Range) -> usize {
        let loops = self.facts.loops.iter();
        loops
            .filter(|l| {
                l.function == function && l.range.start <= range.start && range.end <= l.range.end
            })
            .map(|l| l.range.start)
            .min()
            .unwrap_or(range.start)
    }

    /// File, line and text of a range.
    pub(crate) fn place_of(&self, range: Range) -> String {
        let (file, line) = (self.program.locate)(range.start);
        format!("{file}:{line}: {}", self.source(range))
    }

    /// File, line and text of each shared pointer's write.
    pub fn shared_pointer_places(&self) -> Vec<String> {
        let ranges = self.shared_pointers().into_iter();
        ranges
            .chain(self.joined_pointers())
            .chain(self.shared_copies())
            .map(|range| self.place_of(range))
            .collect()
    }

    /// The program's own thread-local objects, if it starts threads, with their places.
    pub(crate) fn thread_local_places(&self) -> Vec<String> {
        let objects = self.facts.objects.iter().filter(|o| !o.system);
        objects
            .filter(|o| self.analysis.threaded && o.lifetime == Lifetime::ThreadLocal)
            .map(|o| format!("{} at {}:{}", o.name, o.file, o.line))
            .collect()
    }

    /// The pointers with which threads end, if some join uses the thread's result: the result passes through a
    /// shared object, and CBMC loses what it points to.
    fn joined_pointers(&self) -> Vec<Range> {
        if !self.analysis.threaded || !results(self) {
            return Vec::new();
        }
        let started = (0..self.facts.functions.len())
            .filter(|&f| self.analysis.threads.started[f] != crate::analysis::threads::Count::Zero);
        let routines = started.map(|f| self.facts.functions[f].id).collect();
        let pointers = self.program.code.pointers_returned(&routines);
        pointers
            .into_iter()
            .map(|(_, span)| crate::facts::range(span))
            .collect()
    }

    /// The calls that fill memory which other threads can change, where other threads may run: CBMC stores what
    /// they fill with the rest of the object, as it read it before. Calls that write what a proposition reads are
    /// steps of their own already.
    fn shared_copies(&self) -> Vec<Range> {
        if !self.analysis.threaded {
            return Vec::new();
        }
        let begins = self.concurrent_from();
        let calls = self.facts.calls.iter().zip(&self.analysis.effects.calls);
        calls
            .filter(|(call, effects)| {
                let name = call.callee.as_deref().filter(|_| call.target.is_none());
                effects.is_empty()
                    && name.and_then(copier).is_some()
                    && !call.arguments.is_empty()
                    && begins[call.function].is_some_and(|from| from <= call.range.start)
                    && self.is_changed_by_threads(call, 0)
            })
            .map(|(call, _)| call.range)
            .collect()
    }

    /// Refuses the writes that [`Weaver::shared_pointers`] finds, for a backend that cannot follow them.
    pub fn refuse_shared_pointers(&mut self) {
        for range in self.joined_pointers() {
            self.refuse(
                range,
                "a pointer goes through `pthread_join` to another thread, which CBMC cannot follow".into(),
                "the thread ends with it",
                Some("use `--backend esbmc`, or let the thread write to an object and end with a number"),
            );
        }
        for range in self.shared_copies() {
            self.refuse(
                range,
                "memory that other threads can see is filled while threads run, which CBMC cannot follow".into(),
                "filled here",
                Some("use `--schedules auto` or `--backend esbmc`, or assignments in place of the call"),
            );
        }
        for range in self.shared_pointers() {
            self.refuse(
                range,
                "a pointer that other threads can see is written while threads run, which CBMC cannot follow".into(),
                "written here",
                Some("use `--backend esbmc`, or an index in place of the pointer"),
            );
        }
    }
}

/// Whether some join takes the result of a thread.
pub(crate) fn results(weaver: &Weaver) -> bool {
    library::calls(weaver.facts).any(|(call, name)| {
        matches!(name, "pthread_join" | "thrd_join") && !is_null(&weaver.argument(call, 1))
    })
}

fn is_null(argument: &str) -> bool {
    let plain: String = argument
        .chars()
        .filter(|c| !c.is_whitespace() && *c != crate::facts::names::USER)
        .collect();
    matches!(plain.as_str(), "0" | "NULL" | "((void*)0)" | "(void*)0")
}
