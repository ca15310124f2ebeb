//! Compiles the monitored program with its runtime.

use crate::answer::{Failure, Usage};
use crate::job::Job;
use crate::native::lines;
use crate::native::recorded::Replay;
use crate::process::{self, Cancel, Invocation};
use crate::text;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A runtime: its text, and its object as `build.rs` has compiled it for programs with the usual names; empty if it could not.
struct Runtime {
    text: &'static str,
    object: &'static [u8],
}

/// The runtime that records a run.
const RECORD: Runtime = Runtime {
    text: include_str!(concat!(env!("OUT_DIR"), "/record.c")),
    object: include_bytes!(concat!(env!("OUT_DIR"), "/record.o")),
};

/// The same with what schedules the threads and lets them take the recorded turns.
const REPLAY: Runtime = Runtime {
    text: include_str!(concat!(env!("OUT_DIR"), "/replay.c")),
    object: include_bytes!(concat!(env!("OUT_DIR"), "/replay.o")),
};

/// The thread functions that the scheduler replaces.
const SCHEDULED: [&str; 23] = [
    "pthread_mutex_lock",
    "pthread_mutex_trylock",
    "pthread_mutex_unlock",
    "pthread_cond_wait",
    "pthread_cond_timedwait",
    "pthread_cond_signal",
    "pthread_cond_broadcast",
    "pthread_join",
    "pthread_exit",
    "sem_wait",
    "sem_trywait",
    "sem_post",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_wrlock",
    "pthread_rwlock_trywrlock",
    "pthread_spin_lock",
    "pthread_barrier_init",
    "pthread_barrier_wait",
    "pthread_once",
    "sleep",
    "usleep",
    "nanosleep",
];

/// A run ends at the first access outside of an object or after its lifetime, comparison or difference of pointers into different
/// objects, overflow of signed numbers, null pointer, division by zero, shift too far or conversion that does not fit.
const SANITIZERS: [&str; 2] = [
    "-fsanitize=address,pointer-compare,pointer-subtract,undefined,float-cast-overflow",
    "-fno-sanitize-recover=all",
];

/// A compiler for one program. Its outputs go beside the source.
#[derive(Debug)]
pub(crate) struct Compiler<'a> {
    /// Its path.
    pub path: &'a Path,
    /// What is built.
    pub job: &'a Job,
    /// The run to replay; `None` for a free run.
    pub replay: Option<&'a Replay>,
    /// What was compiled before of the same source, which has not changed.
    pub objects: Option<&'a Objects>,
    /// Ends the compiler early.
    pub cancel: &'a Cancel,
}

/// The objects that were compiled from one program, for several runs of it: what differs from run to run is linked to them.
#[derive(Debug, Default)]
pub struct Objects {
    /// By what the compiler was told.
    known: Mutex<BTreeMap<String, Result<PathBuf, Failure>>>,
}

/// A program that was built, with the commands.
#[derive(Debug)]
pub(crate) struct Built {
    pub program: PathBuf,
    /// The file with the source line of each address, if turns are to be taken.
    pub lines: Option<PathBuf>,
    /// The command lines, quoted for a shell.
    pub commands: Vec<String>,
}

impl Compiler<'_> {
    /// Compiles and links.
    ///
    /// # Errors
    /// The compiler's message, as [`Failure::Refused`].
    pub fn build(&self, usage: &mut Usage) -> Result<Built, Failure> {
        if let Some(message) = self.job.machine.not_native() {
            return Err(Failure::Refused { message });
        }
        let source = &self.job.source;
        let beside = |name: &str| source.with_file_name(name);
        let runtime = beside("ba_runtime.c");
        let compiled = beside("ba_runtime.o");
        let test = beside("ba_test.c");
        let program = beside("ba_program");
        let Runtime {
            text,
            object: bytes,
        } = match self.replay {
            Some(_) => REPLAY,
            None => RECORD,
        };
        write(&runtime, text)?;
        let known = self.job.infix.is_empty() && !bytes.is_empty();
        if known {
            write(&compiled, bytes)?;
        }
        let (object, mut compile) = self.compiled(usage)?;
        let mut inputs: BTreeSet<String> = BTreeSet::new();
        write(&test, self.test(&inputs))?;
        let link = |runtime: &Path| self.link(&object, runtime, &test, &program);
        let fast = if known { &compiled } else { &runtime };
        if let Err(message) = self.run(&link(fast), usage)? {
            inputs = undefined(&message);
            if inputs.is_empty() && !known {
                return Err(Failure::Refused {
                    message: shortened(&message),
                });
            }
            write(&test, self.test(&inputs))?;
            // An object of another machine's compiler may not fit.
            let fast = if inputs.is_empty() { &runtime } else { fast };
            self.run(&link(fast), usage)?
                .map_err(|message| Failure::Refused {
                    message: shortened(&message),
                })?;
        }
        let mut link = link(&runtime);
        compile.envs.clear();
        link.envs.clear();
        let lines = match self.takes_turns() {
            true => lines::of(&program, &beside("ba_lines"), self.cancel),
            false => None,
        };
        Ok(Built {
            program,
            lines,
            commands: vec![compile.shell(), link.shell()],
        })
    }

    /// The object of the source, which may be compiled already, with the command. What failed before fails again.
    fn compiled(&self, usage: &mut Usage) -> Result<(PathBuf, Invocation), Failure> {
        let source = &self.job.source;
        let Some(objects) = self.objects else {
            let object = source.with_extension("o");
            let compile = self.compile(&object);
            self.make(&compile, usage)?;
            return Ok((object, compile));
        };
        let mut known = objects.known.lock().unwrap_or_else(PoisonError::into_inner);
        let told = self.compile(Path::new("")).shell();
        if let Some(before) = known.get(&told) {
            let object = before.clone()?;
            let compile = self.compile(&object);
            return Ok((object, compile));
        }
        let object = source.with_extension(format!("{}.o", known.len()));
        let compile = self.compile(&object);
        let made = self.make(&compile, usage).map(|()| object.clone());
        if !matches!(made, Err(Failure::Cancelled)) {
            known.insert(told, made.clone());
        }
        Ok((made?, compile))
    }

    /// Compiles, or has the compiler's message.
    fn make(&self, compile: &Invocation, usage: &mut Usage) -> Result<(), Failure> {
        self.run(compile, usage)?
            .map_err(|message| Failure::Refused {
                message: shortened(&message),
            })
    }

    /// Whether the runtime schedules the threads.
    fn schedules(&self) -> bool {
        self.replay.is_some() && self.job.threads
    }

    /// Whether the turns of the threads are known.
    fn takes_turns(&self) -> bool {
        self.schedules() && self.replay.is_some_and(|r| !r.turns.is_empty())
    }

    fn compile(&self, object: &Path) -> Invocation {
        let mut compile = self.command();
        // Several files become one object by a relocatable link.
        let several = !self.job.linked.is_empty();
        compile.args([if several { "-r" } else { "-c" }, "-g"]);
        // The scheduler needs each access separately, in the order of the text.
        match (self.schedules(), self.job.sanitized) {
            (true, _) => compile.args(["-O0", "-fsanitize=thread"]),
            // The sanitizers see what a function of the library does only where it is called.
            (false, true) => compile.args(["-O0", "-fno-builtin"]).args(SANITIZERS),
            (false, false) => compile.arg("-O1"),
        };
        if self.job.machine.unsigned_char {
            compile.arg("-funsigned-char");
        }
        let own = self.job.own.iter();
        compile.args(own.map(|name| format!("-fno-builtin-{name}")));
        let dialect = self.job.dialect.iter();
        compile.args(dialect.map(|dialect| format!("-std={dialect}")));
        compile.args(self.job.define_arguments());
        compile.arg(format!("-DBA_{}NATIVE", self.job.infix));
        if self.schedules() && self.replay.is_some_and(|r| r.round.is_some()) {
            // A thread that goes round a loop of its own for ever makes no access.
            compile.arg("-fsanitize-coverage=trace-pc");
        }
        if self.replay.is_some_and(Replay::feeds) {
            compile.arg(format!("-DBA_{}FEED", self.job.infix));
        }
        compile
            .args(self.job.source_arguments())
            .arg("-o")
            .arg(object);
        compile
    }

    fn link(&self, object: &Path, runtime: &Path, test: &Path, program: &Path) -> Invocation {
        let mut link = self.command();
        link.arg("-O1");
        if self.job.sanitized && !self.schedules() {
            link.args(SANITIZERS);
        }
        if self.takes_turns() {
            // Without PIE, run-time addresses are those in the table of lines.
            link.arg("-no-pie");
        }
        link.arg(format!(
            "-DBA_NATIVE_NAME(name)=ba_{}native_##name",
            self.job.infix
        ));
        link.arg(object).arg(runtime).arg(test);
        let mut wrapped: BTreeSet<&str> = ["pthread_create"].into();
        if let Some(replay) = self.replay {
            wrapped.extend(SCHEDULED.iter().chain(&["sched_yield"]));
            wrapped.extend(replay.inputs.iter().map(|(name, _)| name.as_str()));
        }
        link.args(wrapped.iter().map(|name| format!("-Wl,--wrap={name}")));
        link.args(["-lm", "-o"]).arg(program);
        link
    }

    fn command(&self) -> Invocation {
        let mut command = Invocation::new(self.path);
        // The parser of undefined references reads the linker's English messages.
        command.env("LC_ALL", "C");
        command.args(["-w", "-pthread"]);
        command.limits.timeout = self.job.timeout;
        command
    }

    /// Runs the compiler; the inner error is its message.
    fn run(
        &self,
        invocation: &Invocation,
        usage: &mut Usage,
    ) -> Result<Result<(), String>, Failure> {
        let read = |out: &mut dyn std::io::Read| text::lines(out).count();
        let ran = process::measured(invocation, self.cancel, (0, usage), read)?;
        let status = process::exit_status(&ran, self.job.timeout)?;
        Ok(if status.success() {
            Ok(())
        } else {
            Err(ran.stderr)
        })
    }

    /// The file with the data of this run: given inputs, functions that return them, and the
    /// letters that a replay follows.
    fn test(&self, missing: &BTreeSet<String>) -> String {
        let own = |name: &str| format!("ba_{}native_{name}", self.job.infix);
        let nothing = Replay::default();
        let replay = self.replay.unwrap_or(&nothing);
        let mut text = String::from("/* Inputs, and the letters of the recorded run. */\n");
        let _ = writeln!(
            text,
            "struct given {{ const char *name; long long value; }};"
        );
        let _ = writeln!(text, "const struct given {}[] = {{", own("given"));
        for (name, value) in &replay.inputs {
            let _ = writeln!(text, "  {{ \"{name}\", {}ll }},", *value as i64);
        }
        let _ = writeln!(
            text,
            "  {{ 0, 0 }}\n}};\nconst unsigned {} = {};",
            own("gives"),
            replay.inputs.len()
        );
        if self.replay.is_some() {
            replay.declare(&own, &mut text);
        }
        let _ = writeln!(
            text,
            "unsigned long long {}(const char *name);",
            own("input")
        );
        let given: BTreeSet<&str> = replay
            .inputs
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        let (objects, missing): (Vec<&String>, Vec<&String>) = missing
            .iter()
            .partition(|name| self.job.outside.contains(name));
        for name in objects {
            let _ = writeln!(text, "_Alignas(64) char {name}[{OUTSIDE}];");
        }
        let functions = missing
            .iter()
            .map(|name| (name.as_str(), ""))
            .filter(|(name, _)| !given.contains(name.trim_start_matches("__wrap_")))
            .chain(given.iter().map(|name| (*name, "__wrap_")));
        for (name, wrap) in functions {
            let ty = result_type(name);
            let _ = writeln!(
                text,
                "{ty} {wrap}{name}() {{ return ({ty}){}(\"{name}\"); }}",
                own("input")
            );
        }
        text
    }
}

/// The result type of an input function, from its name: `nondet_uint` gives an unsigned int. If the
/// name does not tell, the result is as wide as a register, of which a caller uses as much as it
/// expects.
fn result_type(name: &str) -> &'static str {
    let ends = |suffix: &str| name.ends_with(suffix);
    match name {
        _ if ends("bool") || ends("_Bool") => "_Bool",
        _ if ends("double") => "double",
        _ if ends("float") => "float",
        _ => "unsigned long long",
    }
}

/// The size in bytes of an undefined object: more than most objects have.
const OUTSIDE: usize = 1 << 20;

/// The undefined names in a linker's message.
fn undefined(message: &str) -> BTreeSet<String> {
    let names = message.lines().filter_map(|line| {
        let (_, rest) = line.split_once("undefined reference to `")?;
        rest.split_once('\'').map(|(name, _)| name.to_owned())
    });
    names
        .filter(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
        .collect()
}

/// The first lines of a compiler's message.
fn shortened(message: &str) -> String {
    message.lines().take(5).collect::<Vec<_>>().join("; ")
}

fn write(path: &Path, text: impl AsRef<[u8]>) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|e| Failure::Spawn {
        program: path.display().to_string(),
        message: e.to_string(),
    })
}
