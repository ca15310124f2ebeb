//! Visits all states of a woven program: compiles it with the stepper and the search of
//! `templates/explicit`, and executes the result.

mod apart;
mod parts;
mod symbols;

use crate::answer::{Failure, Usage};
use crate::process::{self, Cancel, End, Invocation};
use crate::text;
use parts::Part;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

const SPIN: &str = include_str!("../../../templates/explicit/spin.c");

/// The options of SPIN's search: acceptance cycles; a blocked process is no error.
const SEARCH: [&str; 5] = ["-a", "-E", "-m10000000", "-w20", "-n"];

/// The program's compiler, directories and limits.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// The C compiler.
    pub compiler: PathBuf,
    /// A directory for temporary files.
    pub directory: PathBuf,
    /// The C dialect of the program, if it is not gnu11.
    pub dialect: Option<String>,
    /// Functions of the program that a compiler would compute itself, by their names: it takes the program's.
    pub own: Vec<String>,
    /// Whether plain `char` is unsigned.
    pub unsigned_char: bool,
    /// Wall-clock limit of each process.
    pub timeout: Option<Duration>,
    /// Memory for states, in MiB.
    pub memory_mib: u64,
    /// The greatest number of states.
    pub states: u64,
    /// In which way elements of each array are buried, where all states are visited; 0 stands for none.
    pub buried: Vec<usize>,
    /// The places whose bytes are chosen, of those that may store bytes which no run reads.
    pub read: Vec<usize>,
    /// How far states are identified by the ages of time stamps.
    pub ages: Ages,
}

/// How far states are identified by the ages of time stamps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ages {
    /// By times as they are.
    #[default]
    Times,
    /// By all ages.
    All,
    /// Old ones are one: none of at most this age.
    Limited(u64),
}

impl Ages {
    /// As an argument of the search.
    fn argument(self) -> String {
        match self {
            Ages::Times => "0".into(),
            Ages::All => "1".into(),
            Ages::Limited(least) => format!("2:{least}"),
        }
    }

    /// The next guess where up to this age they make a difference, or, if it is 0, it is not known up to which; nothing if ages do not
    /// suffice.
    pub fn refined(self, least: u64) -> Option<Ages> {
        match self {
            Ages::Limited(known) if least > known => Some(Ages::Limited(least.max(2 * known))),
            Ages::Limited(_) => Some(Ages::All),
            Ages::All | Ages::Times => None,
        }
    }
}

/// What a search visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visits {
    /// Each state.
    States,
    /// Classes of states that differ in values which the program only compares and computes from each other.
    Classes,
    /// The states of one run.
    Run,
    /// Those of random runs that violate one of so many formulas; the limit of states is one of steps.
    Samples(usize),
}

/// What an execution along the steps of a run shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walked {
    /// The program takes all steps; the run has no loop.
    Ended,
    /// The states after these numbers of rounds of the loop are equal.
    Repeats(usize, usize),
    /// The program goes round the loop as often as was tried, and no state comes back.
    GoesOn,
    /// The program does not take some step.
    Differs,
}

/// What an execution along the steps of a run tells beside the actions of a step, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aside {
    /// A letter is taken.
    Letter,
    /// The clock of the formulas, where the program has one, at the last letter.
    Time(u64),
    /// A thread reports what it does: a number, and the address of an object, or 0.
    Report(usize, u64),
}

impl Aside {
    /// As the execution prints it.
    fn read(word: &str) -> Option<Aside> {
        if let Some(time) = word.strip_prefix('t') {
            return time.parse().ok().map(Aside::Time);
        }
        match word.strip_prefix("n:") {
            Some(report) => {
                let (number, object) = report.split_once(':')?;
                Some(Aside::Report(number.parse().ok()?, object.parse().ok()?))
            }
            None => (word == "l").then_some(Aside::Letter),
        }
    }
}

/// Undefined behaviour that would go unnoticed without these options. The stepper has the functions that the compiled program
/// calls: most end the search; the overflow of a signed integer, also in a shift, marks the step, whose value wraps around.
const CHECKS: [&str; 3] = [
    "-fsanitize=bounds,shift,integer-divide-by-zero,null,unreachable,vla-bound",
    "-fsanitize=signed-integer-overflow",
    "-fsanitize-recover=all",
];

/// The beginning of the names of these functions.
const CHECKED: &str = "__ubsan_handle_";

impl Exploration {
    /// Compiles the preprocessed program. Returns the names that it does not define.
    ///
    /// # Errors
    /// The compiler's message.
    pub fn compile(
        &self,
        program: &str,
        cancel: &Cancel,
        usage: &mut Usage,
    ) -> Result<Vec<String>, Failure> {
        // The search has a `main` of its own, so the program's gets another name.
        let renamed = format!("int main() __asm__(\"ba_x_main\");\n{program}");
        self.write("ba_explored.i", &renamed)?;
        let mut compile = self.command(&[
            "-c",
            "-O0",
            "-g0",
            "-fPIC",
            "-fwrapv-pointer",
            "-fno-strict-aliasing",
        ]);
        compile.args([
            "-fno-stack-protector",
            "-ffp-contract=off",
            "-fdata-sections",
        ]);
        compile.args(CHECKS);
        if self.unsigned_char {
            compile.arg("-funsigned-char");
        }
        let own = self.own.iter();
        compile.args(own.map(|name| format!("-fno-builtin-{name}")));
        compile.arg(format!(
            "-std={}",
            self.dialect.as_deref().unwrap_or("gnu11")
        ));
        compile.args(["ba_explored.i", "-o", "ba_explored.o"].map(|a| self.file(a)));
        self.run(&compile, cancel, usage)?;
        let object = self.directory.join("ba_explored.o");
        let mut read = std::fs::read(&object).ok();
        if let Some(bytes) = &mut read {
            if apart::apart(bytes) > 0 {
                self.write("ba_explored.o", &*bytes)?;
            }
        }
        let mut names = match read.and_then(|object| symbols::undefined(&object)) {
            Some(names) => names,
            None => self.listed(&object, cancel)?,
        };
        names.retain(|name| !name.starts_with(CHECKED));
        Ok(names)
    }

    /// The names that an object file does not define, by `nm`: of another format than that of most machines.
    fn listed(&self, object: &Path, cancel: &Cancel) -> Result<Vec<String>, Failure> {
        let mut names = Invocation::new("nm");
        names.arg("-u").arg(object);
        names.env("LC_ALL", "C");
        names.limits.timeout = self.timeout;
        let read = |out: &mut dyn Read| {
            // A line is a letter for the kind of symbol, and the name.
            let name = |line: String| line.split_whitespace().last().map(str::to_owned);
            text::lines(out).filter_map(name).collect::<Vec<String>>()
        };
        let ran = process::run(&names, cancel, read).map_err(|e| Failure::Spawn {
            program: "nm".into(),
            message: e.to_string(),
        })?;
        process::exit_status(&ran, self.timeout)?;
        Ok(ran.value)
    }

    /// Links the program with its choice functions and with replacements of library functions: `quiet` ones do nothing,
    /// `texts` give a place that nobody can read, `ends` are never reached.
    ///
    /// # Errors
    /// The compiler's message.
    pub fn link(
        &self,
        choosers: &str,
        (quiet, texts, ends): (&[&str], &[&str], &[&str]),
        cancel: &Cancel,
        usage: &mut Usage,
    ) -> Result<(), Failure> {
        let mut text = choosers.to_string();
        for name in quiet {
            text += &format!("long __wrap_{name}() {{ return 0; }}\n");
        }
        for name in texts {
            text += &format!("void *__wrap_{name}() {{ return (void *)16; }}\n");
        }
        for name in ends {
            text += &format!("void __wrap_{name}() {{ ba_x_gone(); }}\n");
        }
        self.write("ba_choosers.c", &text)?;
        let mut library =
            self.command(&["-shared", "-O0", "-fPIC", "-Wl,-z,now", "-Wl,-Bsymbolic"]);
        library.args(
            quiet
                .iter()
                .chain(texts)
                .chain(ends)
                .map(|name| format!("-Wl,--wrap={name}")),
        );
        library.args(
            ["ba_explored.o", "ba_choosers.c", "-o", "libba_explored.so"].map(|a| self.file(a)),
        );
        library.arg("-lm");
        self.run(&library, cancel, usage)
    }

    /// Builds a search of the linked program.
    fn search_of(
        &self,
        what: Visits,
        cancel: &Cancel,
        usage: &mut Usage,
    ) -> Result<PathBuf, Failure> {
        let (name, main) = match what {
            Visits::States => ("ba_explore", parts::EXPLORE),
            Visits::Classes => ("ba_refine", parts::REFINE),
            Visits::Run => ("ba_walk", parts::WALK),
            Visits::Samples(_) => ("ba_sample", parts::SAMPLE),
        };
        let program = self.file(name);
        if program.exists() {
            return Ok(program);
        }
        let parts: Vec<Part> = parts::COMMON.into_iter().chain([main]).collect();
        self.linked(&["-O2"], &parts, name, cancel, usage)?;
        Ok(program)
    }

    /// Compiles and links a program from options and files of its own, parts, and the program that was linked before. Objects
    /// of another machine's compiler may not fit: then it compiles the sources of the parts.
    fn linked(
        &self,
        own: &[&str],
        parts: &[Part],
        name: &str,
        cancel: &Cancel,
        usage: &mut Usage,
    ) -> Result<(), Failure> {
        for (name, text) in parts::HEADERS {
            self.write(name, text)?;
        }
        let mut link = |objects: bool| {
            let mut link = self.command(&["-rdynamic"]);
            link.args(own.iter().map(|a| self.file(a)));
            for part in parts {
                let (ending, bytes) = match objects {
                    true => ("o", part.object),
                    false => ("c", part.text.as_bytes()),
                };
                let name = format!("{}.{ending}", part.name);
                self.write(&name, bytes)?;
                link.arg(self.file(&name));
            }
            link.arg(self.file("libba_explored.so"));
            link.arg("-Wl,-rpath,$ORIGIN")
                .arg("-o")
                .arg(self.file(name));
            self.run(&link, cancel, usage)
        };
        let known = parts.iter().all(|part| !part.object.is_empty());
        if known && link(true).is_ok() {
            return Ok(());
        }
        link(false)
    }

    /// Builds and runs the search; calls `part` with its output, part by part.
    ///
    /// # Errors
    /// If the search cannot be started.
    pub fn explore(
        &self,
        what: Visits,
        cancel: &Cancel,
        usage: &mut Usage,
        part: &mut (dyn FnMut(&[u8]) + Send),
    ) -> Result<(), Failure> {
        let program = self.search_of(what, cancel, usage)?;
        let mut search = Invocation::new(&program);
        search.arg(self.states.to_string());
        match what {
            Visits::Samples(formulas) => search.arg(formulas.to_string()),
            _ => search.arg(self.memory_mib.to_string()),
        };
        if what != Visits::Run {
            search.args([list(&self.buried), list(&self.read), self.ages.argument()]);
        }
        search.limits.timeout = self.timeout;
        Self::taken(&search, cancel, usage, |out| parts_of(out, part))
    }

    /// Executes the program along the steps of a run, each a line of its actions; the line `loop` precedes the loop. No answer:
    /// the time was over.
    ///
    /// For each step, `told` gets what the program tells beside its actions.
    ///
    /// # Errors
    /// If the program cannot be executed.
    pub fn walk(
        &self,
        steps: &str,
        cancel: &Cancel,
        usage: &mut Usage,
        told: &mut Vec<Vec<Aside>>,
    ) -> Result<Option<Walked>, Failure> {
        self.write("run.txt", steps)?;
        let program = self.search_of(Visits::Run, cancel, usage)?;
        let mut walk = Invocation::new(&program);
        walk.arg(self.file("run.txt")).arg(list(&self.read));
        walk.limits.timeout = self.timeout;
        let mut walked = None;
        self.listen(&walk, cancel, usage, &mut |line| {
            let mut words = line.split_ascii_whitespace();
            let numbers = |a: Option<&str>, b: Option<&str>| {
                Some(Walked::Repeats(a?.parse().ok()?, b?.parse().ok()?))
            };
            let differs = Some(Walked::Differs);
            if let Some(asides) = line.strip_prefix('C') {
                let asides = asides.split_ascii_whitespace();
                told.push(asides.filter_map(Aside::read).collect());
                return;
            }
            walked = match (words.next(), words.next()) {
                (Some("W"), Some("end")) => Some(Walked::Ended),
                (Some("W"), Some("many")) => Some(Walked::GoesOn),
                (Some("W"), from) => numbers(from, words.next()).or(differs),
                (Some("T" | "M"), _) => differs,
                _ => walked,
            };
        })?;
        Ok(walked)
    }

    /// Builds SPIN's search of a model for the program that was linked before.
    ///
    /// # Errors
    /// The message of SPIN or the compiler.
    pub fn pan(
        &self,
        spin: &Path,
        model: &str,
        cancel: &Cancel,
        usage: &mut Usage,
    ) -> Result<(), Failure> {
        self.write("model.pml", model)?;
        self.write("spin.c", SPIN)?;
        // SPIN writes into its working directory.
        let mut generate = Invocation::new("sh");
        generate.args(["-c", "cd \"$1\" && exec \"$2\" -a model.pml >&2", "sh"]);
        generate.arg(&self.directory).arg(spin);
        generate.limits.timeout = self.timeout;
        self.run(&generate, cancel, usage)?;
        let memory = format!("-DMEMLIM={}", self.memory_mib);
        let read = format!("-DBA_X_READ=\"{}\"", list(&self.read));
        let own = ["-O1", "-DNOREDUCE", &memory, &read, "pan.c", "spin.c"];
        self.linked(&own, &parts::FOLLOW, "pan", cancel, usage)
    }

    /// Runs SPIN's search for a claim; calls `line` with each line of its output.
    ///
    /// # Errors
    /// If the search cannot be started.
    pub fn search(
        &self,
        claim: &str,
        cancel: &Cancel,
        usage: &mut Usage,
        line: &mut (dyn FnMut(&str) + Send),
    ) -> Result<(), Failure> {
        let mut search = Invocation::new("sh");
        search.args(["-c", "cd \"$1\" && shift && exec ./pan \"$@\"", "sh"]);
        search
            .arg(&self.directory)
            .args(SEARCH)
            .arg("-N")
            .arg(claim);
        search.limits.timeout = self.timeout;
        self.listen(&search, cancel, usage, line)
    }

    fn listen(
        &self,
        search: &Invocation,
        cancel: &Cancel,
        usage: &mut Usage,
        line: &mut (dyn FnMut(&str) + Send),
    ) -> Result<(), Failure> {
        Self::taken(search, cancel, usage, |out| {
            text::lines(out).for_each(|l| line(&l));
        })
    }

    fn taken(
        search: &Invocation,
        cancel: &Cancel,
        usage: &mut Usage,
        read: impl FnOnce(&mut dyn Read) + Send,
    ) -> Result<(), Failure> {
        let ran = process::measured(search, cancel, (1, usage), read)?;
        match ran.end {
            End::Cancelled => Err(Failure::Cancelled),
            // What was written so far is a part of the graph.
            _ => Ok(()),
        }
    }

    /// The argument for a name: an option unchanged, a file with its directory.
    fn file(&self, name: &str) -> PathBuf {
        match name.starts_with('-') {
            true => PathBuf::from(name),
            false => self.directory.join(name),
        }
    }

    fn command(&self, options: &[&str]) -> Invocation {
        let mut command = Invocation::new(&self.compiler);
        command.env("LC_ALL", "C");
        command.arg("-w").args(options);
        command.limits.timeout = self.timeout;
        command
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> Result<(), Failure> {
        let path: &Path = &self.directory.join(name);
        std::fs::write(path, text).map_err(|e| Failure::Spawn {
            program: path.display().to_string(),
            message: e.to_string(),
        })
    }

    fn run(
        &self,
        invocation: &Invocation,
        cancel: &Cancel,
        usage: &mut Usage,
    ) -> Result<(), Failure> {
        let read = |out: &mut dyn Read| text::lines(out).count();
        let ran = process::measured(invocation, cancel, (0, usage), read)?;
        match process::exit_status(&ran, self.timeout)?.success() {
            true => Ok(()),
            false => Err(Failure::Refused {
                message: ran.stderr.lines().take(5).collect::<Vec<_>>().join("; "),
            }),
        }
    }
}

/// Passes a stream on part by part, as it comes.
fn parts_of(stream: &mut dyn Read, part: &mut dyn FnMut(&[u8])) {
    let mut bytes = vec![0; 1 << 16];
    loop {
        match stream.read(&mut bytes) {
            Ok(0) => return,
            Ok(n) => part(&bytes[..n]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// Numbers with commas between them.
fn list(numbers: &[usize]) -> String {
    let all: Vec<String> = numbers.iter().map(usize::to_string).collect();
    all.join(",")
}

#[cfg(test)]
mod tests;
