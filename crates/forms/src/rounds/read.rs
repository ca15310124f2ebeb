//! Translates a model checker's answer about the sequential program into one about the threaded
//! program.

use std::collections::BTreeMap;
use std::path::PathBuf;

use backend::{Answer, Job, Location, Outcome, StepKind, TraceStep, Value};
use cfront::merge::restored;
use sequentialise::Sequential;
use verify::result::RestsOn;
use weave::assertion::Asserted;

/// The name of a function in the user's program; `None` for the function of a thread.
fn users(function: String) -> Option<String> {
    match function.strip_prefix("ba_seq_whole_") {
        Some(name) => Some(name.to_owned()),
        None => Some(function).filter(|f| !f.starts_with("ba_seq_thread_")),
    }
}

/// The meaning of the names and numbers of a sequential program.
pub(super) struct Read {
    /// The positions of all threads.
    positions: Vec<Place>,
    /// Whether nothing is ever cut because the program bounds all its loops. Then the assertion
    /// about cut runs stands in a function that is never called, and model checkers leave it out.
    pub(super) uncut: bool,
    /// Whether the size of some memory was guessed.
    pub(super) guesses_memory: bool,
    /// Whether some loop is followed further than its bound.
    pub(super) goes_further: bool,
    /// The position of each thread after it was cut.
    cuts: Vec<u32>,
    /// For each thread that a call creates: its start function and the place of the call.
    created: Vec<Option<Place>>,
    /// The name of each local object in the sequential program, with its name in the user's
    /// program.
    locals: std::collections::HashMap<String, String>,
    /// The objects of the calls that threads report, by file and line.
    told: BTreeMap<(String, u32), Vec<String>>,
    /// The names that a program of several files has instead of those in its text as one file.
    renamed: BTreeMap<String, String>,
}

/// A position: the thread, its index in the thread, the place and text of the statement there,
/// whether the thread may wait there, and whether it goes round a loop meanwhile.
struct Place {
    thread: u32,
    index: u32,
    file: String,
    line: u32,
    what: String,
    waits: bool,
    spins: bool,
}

impl Place {
    /// The statement that a thread at this position executes next, or the condition for which it
    /// waits; empty if the text is not the user's: then only the place is shown.
    fn words(&self) -> String {
        words(&self.what)
    }
}

/// The statement that a thread executes next, or the condition for which it waits, in words; empty if the text is not the user's.
pub(crate) fn words(what: &str) -> String {
    let shown = what.split("{ __baproduct_bound(").next();
    let shown = shown.unwrap_or_default().trim();
    if shown.len() < 2 || shown.starts_with("__VERIFIER_atomic_") {
        return String::new();
    }
    let waits = ["for ", "until "].iter().any(|w| shown.starts_with(w));
    // A `for` loop is no wait.
    let waits = waits && !shown.starts_with("for (");
    match waits {
        _ if is_emitted(shown) => String::new(),
        true => format!("it waits {shown}"),
        false => format!("next is `{shown}`"),
    }
}

/// Whether a text contains emitted parts: models and monitors in place of calls, or line markers of
/// an expanded macro.
fn is_emitted(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|word| word.starts_with("ba_") || word.starts_with("BA_") || word == "__extension__")
        || text.starts_with("# ")
        || text.contains(" # ")
}

impl Read {
    /// `renamed` has the names that a program of several files has instead of those in its text as one
    /// file.
    pub(super) fn new(
        made: &Sequential,
        line: &dyn Fn(cfront::Span) -> (String, u32),
        renamed: BTreeMap<String, String>,
    ) -> Read {
        let users = |text: &str| restored(&renamed, text);
        let place = |p: &sequentialise::Position| {
            let (file, line) = line(p.span);
            Place {
                thread: p.thread,
                index: p.index,
                file,
                line,
                what: users(&p.what),
                waits: p.waits,
                spins: p.spins,
            }
        };
        let local = |l: &sequentialise::Local| {
            let name = format!("{}::{}", users(&l.function), l.original);
            (l.name.clone(), name)
        };
        let created = made.threads.iter().zip(0..).map(|(t, thread)| {
            let (file, line) = line(t.created_at?);
            Some(Place {
                thread,
                index: 0,
                file,
                line,
                what: users(&t.function),
                waits: false,
                spins: false,
            })
        });
        let mut told: BTreeMap<_, Vec<String>> = BTreeMap::new();
        for (call, pointer) in &made.told {
            let object = users(pointer.trim_start_matches('&'));
            told.entry(line(*call)).or_default().push(object);
        }
        Read {
            told,
            uncut: false,
            guesses_memory: made.guesses_memory,
            goes_further: made.goes_further,
            cuts: made.threads.iter().map(|t| t.cut).collect(),
            created: created.collect(),
            positions: made.positions.iter().map(place).collect(),
            locals: made.locals.iter().map(local).collect(),
            renamed,
        }
    }

    /// A name of the sequential program as the user's program has it.
    fn users(&self, name: &mut String) {
        if !self.renamed.is_empty() {
            *name = restored(&self.renamed, name);
        }
    }

    /// The name of a function of the sequential program in the user's program; `None` for the function of
    /// a thread.
    fn function(&self, function: String) -> Option<String> {
        let mut name = users(function)?;
        self.users(&mut name);
        Some(name)
    }

    /// The job for the sequential program in a file.
    pub(super) fn job(&self, source: PathBuf, threaded: &Job) -> Job {
        Job {
            source,
            linked: Vec::new(),
            defines: Vec::new(),
            threads: false,
            // Loops over all threads (to wake them) must be unrolled, too.
            unwind: threaded.unwind.map(|k| k.max(self.cuts.len() as u32 + 2)),
            thread_locals: Vec::new(),
            context_bound: None,
            ..threaded.clone()
        }
    }

    /// The number of positions of each thread, and at how many it may wait.
    pub(super) fn of_threads(&self) -> Vec<backend::Positions> {
        let thread = |number: usize| {
            let thread = number as u32;
            let own = || self.positions.iter().filter(|p| p.thread == thread);
            backend::Positions {
                thread,
                all: own().count() as u64,
                waits: own().filter(|p| p.waits).count() as u64,
            }
        };
        (0..self.cuts.len()).map(thread).collect()
    }

    /// Turns an answer into one about the threaded program.
    pub(super) fn answer(&self, job: &Job, answer: &mut Answer) {
        let cut = Asserted::Cut.to_string();
        if self.uncut && job.selection.wants(&cut) {
            answer.outcomes.entry(cut).or_insert(Outcome::Holds);
        }
        for other in &mut answer.other_failures {
            // Threads' functions have emitted names; the place is the user's.
            let function = other.location.function.take();
            other.location.function = function.and_then(|f| self.function(f));
        }
        for trace in answer.traces.values_mut() {
            *trace = self.threaded(std::mem::take(trace));
        }
    }

    /// The steps of a trace as steps of threads, with the beginning and the end of each context.
    fn threaded(&self, steps: Vec<TraceStep>) -> Vec<TraceStep> {
        let mut told = Told::default();
        let mut out = Vec::new();
        for mut step in steps {
            match &mut step.kind {
                StepKind::Assignment { lhs, value } => {
                    if let Some(number) = value.number.and_then(|n| u32::try_from(n).ok()) {
                        if told.notes(lhs, number, self, &mut out) {
                            continue;
                        }
                    }
                    if let Some(model) = lhs.strip_prefix("ba_seq_told_").and_then(told_by) {
                        let at = step.location.clone();
                        let object = self.object(&value.text, &at);
                        out.extend(called(model, &object, told.thread, &at));
                        continue;
                    }
                    if lhs.starts_with("ba_seq_") && !self.renames(lhs) {
                        continue;
                    }
                    self.users(lhs);
                }
                // Threads' functions have emitted names; the place is the user's.
                StepKind::Violation { .. } => {
                    let function = step.location.function.take();
                    step.location.function = function.and_then(|f| self.function(f));
                }
                // The threads record these calls themselves, even where the model is left out.
                StepKind::Call { function } | StepKind::Return { function }
                    if TELLING.contains(&function.as_str()) =>
                {
                    continue;
                }
                StepKind::Call { function } if function.ends_with("rounds_over") => {
                    told.ends(self, &mut out);
                }
                StepKind::Call { function } if function.ends_with("rounds_again") => {
                    told.repeats(self, &mut out);
                }
                StepKind::Call { function } if function == "ba_seq_look" => told.looks = true,
                StepKind::Return { function } if function == "ba_seq_look" => told.looks = false,
                // From here on, the program only checks which threads could continue.
                StepKind::Call { function } if function == "ba_seq_finish" => told.over = true,
                _ => {}
            }
            step.thread = Some(told.thread);
            out.push(step);
        }
        out
    }

    /// The object of a reported call, from the value of a pointer to it: its name, or the expression
    /// in the program if it has none and the line has no other.
    fn object(&self, value: &str, at: &Location) -> String {
        if matches!(value, "NULL" | "0") {
            return String::new();
        }
        let nameless = value.contains(['?', '(']) || value.contains("dynamic");
        let place = at.file.clone().zip(at.line);
        let here = place.and_then(|place| self.told.get(&place));
        match here.map(Vec::as_slice) {
            Some([only]) if nameless => only.clone(),
            _ => value.to_owned(),
        }
    }

    /// Replaces the name of a local object by its name in the user's program; returns whether it is
    /// one.
    fn renames(&self, lhs: &mut String) -> bool {
        let end = lhs.find(['.', '[']).unwrap_or(lhs.len());
        let Some(name) = self.locals.get(&lhs[..end]) else {
            return false;
        };
        *lhs = format!("{name}{}", &lhs[end..]);
        true
    }

    /// The position at which a thread stands.
    fn place(&self, thread: u32, index: u32) -> Option<&Place> {
        let mut places = self.positions.iter();
        places.find(|p| p.thread == thread && p.index == index)
    }

    /// How many positions at the line of position `to` lie on the way there from position `from`,
    /// behind which a thread goes back to where its loop begins.
    fn passes(&self, thread: u32, from: u32, to: u32) -> u32 {
        let Some(end) = self.place(thread, to) else {
            return 0;
        };
        let between = |at: u32| match from < to {
            true => from < at && at < to,
            false => at > from || at < to,
        };
        let here = |p: &&Place| p.thread == thread && between(p.index);
        let passed = self.positions.iter().filter(here);
        let on_line = passed.filter(|p| (&p.file, p.line) == (&end.file, end.line));
        on_line.count() as u32
    }
}

/// The state of the schedule, as the trace has assigned it so far.
#[derive(Default)]
struct Told {
    thread: u32,
    round: u32,
    /// Whether a context has begun and not ended.
    open: bool,
    /// Whether the last context has ended.
    over: bool,
    /// Whether the thread has taken a step in this context; assigned only if infinite runs are
    /// searched.
    moved: bool,
    /// The position of each thread.
    at: std::collections::BTreeMap<u32, u32>,
    /// Whether the program checks which threads wait; the schedule does not advance then.
    looks: bool,
    /// The threads that have taken a step since the state was saved.
    steps: std::collections::BTreeSet<u32>,
    /// The threads whose start function has been reported.
    named: std::collections::BTreeSet<u32>,
    /// The threads that have been started, besides the main one.
    started: std::collections::BTreeSet<u32>,
    /// The threads that were able to continue at some time since the state was saved.
    able: std::collections::BTreeSet<u32>,
    /// The assumptions on which the loop rests since the state was saved, each with its thread.
    rests: std::collections::BTreeSet<(u32, u32)>,
}

impl Told {
    /// Records an assignment to a variable of the schedule; returns whether it is one.
    fn notes(&mut self, name: &str, value: u32, read: &Read, out: &mut Vec<TraceStep>) -> bool {
        if let Some(thread) = indexed(name, "ba_seq_en") {
            match value {
                0 => self.able.remove(&thread),
                _ => self.able.insert(thread),
            };
            return true;
        }
        match name {
            _ if (self.over || self.looks) && name.starts_with("ba_seq_") => {}
            // A trace may begin by assigning each object its initial value.
            "ba_seq_saved" if value == 0 => {}
            "ba_seq_saved" => {
                self.steps.clear();
                self.rests.clear();
                out.push(step(self.thread, verify::LOOP, None, self.round));
            }
            "ba_seq_now" => {
                // A trace may begin by assigning the first thread, before its context does.
                if let (true, Some(begin)) = (self.open, out.iter().rposition(begins)) {
                    out.remove(begin);
                }
                self.open = true;
                self.thread = value;
                self.moved = false;
                out.extend(self.named(read));
                out.push(step(self.thread, verify::ROUND, None, self.round));
            }
            "ba_seq_round" => self.round = value,
            "ba_seq_cs" => {}
            _ => {
                if let Some(thread) = indexed(name, "ba_seq_on") {
                    if value != 0 {
                        self.started.insert(thread);
                    }
                    return true;
                }
                if let Some(on) = noted(name) {
                    self.rests
                        .extend(value.checked_sub(1).map(|t| (on.number(), t)));
                    return true;
                }
                if let (Some(thread), true) = (indexed(name, "ba_seq_step"), value != 0) {
                    self.moved = true;
                    self.steps.insert(thread);
                    return true;
                }
                let Some(thread) = indexed(name, "ba_seq_pc") else {
                    return false;
                };
                let before = self.at.insert(thread, value).unwrap_or(0);
                self.open &= thread != self.thread;
                // An empty context. A thread that runs round a loop to where it began has set
                // `moved`.
                if before == value && thread == self.thread && !self.moved {
                    if let Some(begin) = out.iter().rposition(begins) {
                        out.remove(begin);
                    }
                    return true;
                }
                let place = read.place(thread, value);
                let passes = read.passes(thread, before, value);
                if passes > 0 {
                    out.push(step(thread, verify::PASSED, None, passes));
                }
                let cut = u32::from(read.cuts.get(thread as usize) == Some(&value));
                out.push(step(thread, verify::STOPPED, place, cut));
            }
        }
        true
    }

    /// A step that names the start function of the current thread, once per thread.
    fn named(&mut self, read: &Read) -> Option<TraceStep> {
        let place = read.created.get(self.thread as usize)?.as_ref()?;
        if !self.named.insert(self.thread) {
            return None;
        }
        let mut told = step(self.thread, verify::CREATED, Some(place), 0);
        if let StepKind::Assignment { value, .. } = &mut told.kind {
            value.text.clone_from(&place.what);
        }
        Some(told)
    }

    /// The state is the saved one again: reports the threads that take no step in the loop.
    fn repeats(&mut self, read: &Read, out: &mut Vec<TraceStep>) {
        let idle = self
            .at
            .iter()
            .filter(|(thread, _)| **thread == 0 || self.started.contains(thread))
            .filter(|(thread, _)| !self.steps.contains(thread));
        let places = idle.filter_map(|(&thread, &index)| read.place(thread, index));
        let mut rests = self.rests.clone();
        for place in places {
            let waits = u32::from(place.waits) + u32::from(place.waits && place.spins);
            out.push(step(place.thread, verify::STARVES, Some(place), waits));
            if place.waits && self.able.contains(&place.thread) {
                rests.insert((RestsOn::Order.number(), place.thread));
            }
        }
        for (on, thread) in rests {
            out.push(step(thread, verify::RESTS, None, on));
        }
    }

    /// The run ends because no thread can continue: reports the threads that wait.
    fn ends(&self, read: &Read, out: &mut Vec<TraceStep>) {
        let standing = self.at.iter();
        let places = standing.filter_map(|(&thread, &index)| read.place(thread, index));
        for place in places.filter(|p| p.waits) {
            out.push(step(place.thread, verify::WAITING, Some(place), self.round));
        }
    }
}

/// Whether this step begins a context.
fn begins(step: &TraceStep) -> bool {
    matches!(&step.kind, StepKind::Assignment { lhs, .. } if lhs == verify::ROUND)
}

/// The models whose calls the threads always record themselves.
const TELLING: [&str; 4] = [
    "ba_seq_lock",
    "ba_seq_unlock",
    "ba_seq_spin_lock",
    "ba_seq_spin_unlock",
];

/// The model whose effect a thread records, by the name of the recording variable.
pub(crate) fn told_by(name: &str) -> Option<&'static str> {
    Some(match name {
        "take" => "ba_seq_lock",
        "give" => "ba_seq_unlock",
        "sleep" => "ba_seq_cond_sleep",
        "wake" => "ba_seq_cond_wait",
        "signal" => "ba_seq_cond_signal",
        "broadcast" => "ba_seq_cond_broadcast",
        "arrive" => "ba_seq_barrier_wait",
        "join" => "ba_join_pthread",
        "start" => "ba_spawn",
        _ => return None,
    })
}

/// The trace steps of a call of a model.
pub(crate) fn called(model: &str, object: &str, thread: u32, at: &Location) -> [TraceStep; 3] {
    let function = || model.to_owned();
    let kinds = [
        StepKind::Call {
            function: function(),
        },
        StepKind::Assignment {
            lhs: "ba_m".into(),
            value: Value {
                text: object.to_owned(),
                number: None,
            },
        },
        StepKind::Return {
            function: function(),
        },
    ];
    kinds.map(|kind| TraceStep {
        thread: Some(thread),
        location: at.clone(),
        kind,
    })
}

/// The assumption that a model records, by the name of its variable.
fn noted(name: &str) -> Option<RestsOn> {
    match name.strip_prefix("ba_seq_noted_")? {
        "late" => Some(RestsOn::Timeout),
        "spurious" => Some(RestsOn::SpuriousWakeup),
        "chosen" => Some(RestsOn::AnyWaiter),
        _ => None,
    }
}

/// The index of an element of an array, written `pc[2]` or `pc[2l]`.
fn indexed(name: &str, array: &str) -> Option<u32> {
    let inner = name.strip_prefix(array)?.strip_prefix('[')?;
    let digits = inner
        .trim_end_matches(']')
        .trim_end_matches(['l', 'L', 'u', 'U']);
    digits.parse().ok()
}

/// A trace step about the schedule.
fn step(thread: u32, name: &str, place: Option<&Place>, number: u32) -> TraceStep {
    let at = place.map_or_else(Location::default, |p| Location {
        file: Some(p.file.clone()),
        line: Some(p.line),
        function: None,
    });
    let value = Value {
        text: place.map_or_else(String::new, Place::words),
        number: Some(i128::from(number)),
    };
    TraceStep::assigns(thread, at, name, value)
}

#[cfg(test)]
mod tests {
    use super::{indexed, is_emitted};

    #[test]
    fn the_users_text_is_told_from_what_is_emitted() {
        assert!(is_emitted("while ( # 13 \"t.c\" 3 4 (lock))"));
        assert!(is_emitted("ba_old = *ba_at; *ba_at = 1;"));
        assert!(!is_emitted("while (tabs_of(n) != 0)"));
        assert!(!is_emitted("for the end of thread p"));
    }

    #[test]
    fn elements_are_read_as_model_checkers_write_them() {
        assert_eq!(indexed("ba_seq_pc[2l]", "ba_seq_pc"), Some(2));
        assert_eq!(indexed("ba_seq_pc[12]", "ba_seq_pc"), Some(12));
        assert_eq!(indexed("ba_seq_pc", "ba_seq_pc"), None);
        assert_eq!(indexed("ba_seq_cs", "ba_seq_pc"), None);
    }
}
