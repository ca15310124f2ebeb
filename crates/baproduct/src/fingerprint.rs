//! A regression test on all emitted text: for each program of the project and each set of options,
//! it compares a hash of the woven program, or of the refusal, with
//! `tests/fingerprints/hashes.txt`. A change that only moves code thus shows that it changes no
//! emitted byte, and any other change shows which programs it affects. `tests/README.md` says how
//! to update the hashes. A quick run takes the sets of options in turns, one for each case, so that each set
//! meets dozens of programs; a thorough run, and one that updates, takes all of them.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;

use clap::Parser;
use forms::{Program, SpecFile};
use serde_json::Value;
use weave::Form;

use crate::options::{Color, Output, Weaving};
use crate::outputs::captured;

/// The repository, relative to this package; relative since emitted text contains the path.
const ROOT: &str = "../..";

/// In place of a hash that a quick run does not compute.
const NOT_TRIED: &str = "not tried";

/// Separates the hashes of a row from the name of the case.
const BETWEEN: &str = " | ";

/// A program whose formula takes seconds to translate. The insertions do not depend on the formula,
/// so few option sets suffice.
const LONG_FORMULA: &str = "loops_of_all_kinds.c";
const LONG_FORMULA_SETS: [&str; 1] = ["cbmc"];

/// The source of a specification.
#[derive(Clone)]
enum Wanted {
    File(PathBuf),
    Formula(String),
}

/// A program with a specification.
struct Case {
    name: String,
    program: PathBuf,
    wanted: Wanted,
    weaving: Weaving,
}

/// Parses the options of a case as the command line does.
#[derive(Parser)]
struct Line {
    #[command(flatten)]
    weaving: Weaving,
}

/// A set of options: its name, and how it changes the case's own options.
type OptionSet = (&'static str, fn(&mut forms::Weaving));

const OPTION_SETS: [OptionSet; 6] = [
    ("plain", |_| {}),
    ("cbmc", cbmc),
    ("esbmc", |w| w.reader.model = true),
    ("buchi", |w| {
        cbmc(w);
        w.monitor = Form::Buchi;
    }),
    ("lasso", |w| {
        cbmc(w);
        w.lasso = true;
    }),
    ("others", |w| {
        cbmc(w);
        w.unwind = Some(2);
        (w.spurious_wakeups, w.assert_prunes) = (true, true);
    }),
];

fn cbmc(weaving: &mut forms::Weaving) {
    (weaving.reader.model, weaving.reader.cbmc) = (true, true);
}

/// Programs without a specification beside them, each with a formula.
const FORMULAS: [(&str, &str); 13] = [
    (
        "regressions/branches.c",
        "G (({a > 0 && b == 2} && !{a == 1}) -> ({a > 0 && b == 2} U {a == 1}))",
    ),
    ("regressions/builtin_memcpy.c", "F {x == 3}"),
    ("regressions/evaluations.c", "G {!of_pair() && !of_list()}"),
    (
        "regressions/memcpy_in_threads.c",
        "G ({seen == 1} -> {to.a == 1})",
    ),
    ("regressions/prototype.c", "F {is_three(level)}"),
    ("regressions/qsort_without_a_model.c", "F {list[0] == 1}"),
    (
        "regressions/scanf_in_threads.c",
        "G ({seen == 1} -> {g == 1})",
    ),
    (
        "regressions/static_local_in_recursion.c",
        "F {sum::memo == 6}",
    ),
    ("regressions/two_targets.c", "F {x == 1} && F {y == 1}"),
    ("transparency/arguments.c", "G({g > 1} -> F {g % 2 == 0})"),
    ("transparency/declarators.c", "G({g > 1} -> F {g % 2 == 0})"),
    ("transparency/statements.c", "G({g > 1} -> F {g % 2 == 0})"),
    ("transparency/writes.c", "G({g > 1} -> F {g % 2 == 0})"),
];

#[test]
fn what_is_emitted_has_its_fingerprint() {
    let recorded = Path::new(ROOT).join("tests/fingerprints/hashes.txt");
    let updating = is_updating();
    let old = std::fs::read_to_string(&recorded).unwrap_or_default();
    let heading = heading();
    if !updating && !old.starts_with(&heading) {
        eprintln!(
            "the fingerprints were made with other headers than those of this system:\n{heading}"
        );
        testing::skip("headers of Debian 12");
        return;
    }
    let hashes = hashes();
    assert!(hashes.len() > 300, "{}", hashes.len());
    if updating {
        let rows = hashes
            .iter()
            .map(|(name, row)| format!("{}{BETWEEN}{name}\n", row.join(" ")));
        std::fs::write(&recorded, heading + &rows.collect::<String>()).unwrap();
    }
    let changed = differences(&old, &hashes);
    eprint!("{changed}");
    assert!(
        updating || changed.is_empty(),
        "What is emitted is not what it was:\n{changed}\
         If that is meant: BAPRODUCT_UPDATE_FINGERPRINTS=1 records the new state, in a commit that says what changed."
    );
}

/// Whether the record is written anew.
fn is_updating() -> bool {
    std::env::var_os("BAPRODUCT_UPDATE_FINGERPRINTS").is_some()
}

/// The set of options by which a quick run weaves a case: the name decides, so that cases that come or go change no
/// other's.
fn turn_of(name: &str) -> &'static str {
    let mut hasher = fnv::FnvHasher::default();
    hasher.write(name.as_bytes());
    let turn = (hasher.finish() >> 32) as usize % OPTION_SETS.len();
    OPTION_SETS[turn].0
}

/// The first lines of the record: the versions of compiler and C library, on which the hashes
/// depend, and the names of the columns.
fn heading() -> String {
    use std::io::Write as _;
    use std::process::{Command, Stdio};
    let mut gcc = Command::new("gcc")
        .args(["-E", "-P", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let text = b"#include <features.h>\ngcc __GNUC__, glibc __GLIBC__ __GLIBC_MINOR__\n";
    gcc.stdin.take().unwrap().write_all(text).unwrap();
    let output = gcc.wait_with_output().unwrap();
    let names: Vec<&str> = OPTION_SETS.iter().map(|(name, _)| *name).collect();
    let columns: String = names.iter().map(|n| format!("{n:<10}")).collect();
    format!(
        "# {}\n#{columns}\n",
        String::from_utf8_lossy(&output.stdout).trim()
    )
}

/// The differences from the record, one line per case.
fn differences(old: &str, new: &BTreeMap<String, Vec<String>>) -> String {
    let rows = old.lines().filter(|line| !line.starts_with('#'));
    let old: BTreeMap<&str, Vec<&str>> = rows
        .filter_map(|row| row.split_once(BETWEEN))
        .map(|(hashes, name)| (name, hashes.split_whitespace().collect()))
        .collect();
    let mut text = String::new();
    for (name, row) in new {
        let Some(before) = old.get(name.as_str()) else {
            let _ = writeln!(text, "  new      {name}");
            continue;
        };
        let sets: Vec<&str> = OPTION_SETS
            .iter()
            .enumerate()
            .filter(|(i, _)| row[*i] != NOT_TRIED && before.get(*i) != Some(&row[*i].trim()))
            .map(|(_, (set, _))| *set)
            .collect();
        if !sets.is_empty() {
            let _ = writeln!(text, "  changed  {name} ({})", sets.join(", "));
        }
    }
    for name in old.keys().filter(|name| !new.contains_key(**name)) {
        let _ = writeln!(text, "  gone     {name}");
    }
    text
}

/// The hashes of all cases, by the name of the case.
fn hashes() -> BTreeMap<String, Vec<String>> {
    let dump = std::env::var_os("BAPRODUCT_DUMP_EMITTED").map(PathBuf::from);
    if let Some(directory) = &dump {
        std::fs::create_dir_all(directory).unwrap();
    }
    // Each program is read once for all its formulas.
    let mut programs: BTreeMap<(PathBuf, String), Vec<Case>> = BTreeMap::new();
    for case in cases() {
        let key = (case.program.clone(), format!("{:?}", case.weaving));
        programs.entry(key).or_default().push(case);
    }
    let (programs, next) = (Vec::from_iter(programs.into_values()), AtomicUsize::new(0));
    let found = Mutex::new(BTreeMap::new());
    let work = || {
        while let Some(cases) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let rows = hashes_of(cases, dump.as_deref());
            found.lock().unwrap().extend(rows);
        }
    };
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let builder = std::thread::Builder::new().stack_size(cfront::WALK_STACK);
            builder.spawn_scoped(scope, work).unwrap();
        }
    });
    found.into_inner().unwrap()
}

/// The hashes of the cases of one program, one per set of options. A mark distinguishes refusals.
fn hashes_of(cases: &[Case], dump: Option<&Path>) -> Vec<(String, Vec<String>)> {
    let output = Output {
        color: Color::Never,
        quiet: false,
        verbose: 0,
        collected: None,
    };
    let all = testing::thorough() || dump.is_some() || is_updating();
    let first = &cases[0];
    let program = Program::read(
        std::slice::from_ref(&first.program),
        &first.weaving.options().unwrap(),
        &output,
    );
    let program = program.unwrap_or_else(|e| panic!("{}: {e}", first.name));
    let rows = cases.iter().map(|case| {
        let spec = spec_of(case, &output);
        let hash = |(set, change): &OptionSet| {
            let mut weaving = case.weaving.options().unwrap();
            if case.program.ends_with(LONG_FORMULA) && !LONG_FORMULA_SETS.contains(set) {
                return format!(" {:8}", "-");
            }
            if !all && turn_of(&case.name) != *set {
                return NOT_TRIED.into();
            }
            change(&mut weaving);
            let (refused, text) = emitted(&program, &spec, &weaving, &output);
            if let Some(directory) = dump {
                std::fs::write(directory.join(file_name(&case.name, set)), &text).unwrap();
            }
            let mut hasher = fnv::FnvHasher::default();
            hasher.write(&text);
            let mark = if refused { '!' } else { ' ' };
            format!("{mark}{:08x}", hasher.finish() >> 32)
        };
        (case.name.clone(), OPTION_SETS.iter().map(hash).collect())
    });
    rows.collect()
}

/// Weaves a specification; returns whether it was refused, and the diagnostics with the emitted
/// text.
fn emitted(
    program: &Program,
    spec: &SpecFile,
    weaving: &forms::Weaving,
    output: &Output,
) -> (bool, Vec<u8>) {
    let (woven, told) = captured(|| forms::weave_into(program, spec, weaving, output));
    let mut text = told.into_bytes();
    for (_, file) in woven.iter().flat_map(|w| &w.files) {
        text.extend_from_slice(file);
    }
    (woven.is_err(), text)
}

/// The name of the file into which the emitted text of a case is dumped.
fn file_name(case: &str, set: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || c == '.' {
            c
        } else {
            '_'
        }
    };
    format!("{}.{set}.c", case.chars().map(plain).collect::<String>())
}

fn spec_of(case: &Case, output: &Output) -> SpecFile {
    let lists = case.weaving.properties.iter();
    let lists = lists.map(|path| forms::ListFile::of(path));
    // Sentences stand beside the program.
    let sentences = case.weaving.requirements.iter();
    let sentences = sentences.map(|path| {
        let path = case.program.with_file_name(path);
        forms::ListFile::of_requirements(&path, case.weaving.tick)
    });
    let lists: Vec<_> = lists.chain(sentences).collect();
    let read = || match &case.wanted {
        Wanted::File(path) => forms::read_spec(Some(path), &lists, output),
        Wanted::Formula(formula) => forms::spec_of_formula(formula, output),
    };
    captured(read).0.unwrap()
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The strings of a list; empty if the list is missing.
fn strings(row: &Value, key: &str) -> Vec<String> {
    let list = row[key].as_array().into_iter().flatten();
    list.map(|v| v.as_str().unwrap().to_string()).collect()
}

/// The files of a directory with an extension, sorted.
fn files(directory: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).unwrap();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| path.extension().is_some_and(|e| e == extension));
    found.sort();
    found
}

/// The programs of the project, each with its specifications.
#[derive(Default)]
struct Cases {
    all: Vec<Case>,
    names: BTreeSet<String>,
}

fn cases() -> Vec<Case> {
    let mut cases = Cases::default();
    cases.add_examples();
    cases.add_with_specification("tests/small");
    cases.add_threads();
    cases.add_with_specification("tests/regressions");
    for (program, formula) in FORMULAS {
        let (directory, program) = program.split_once('/').unwrap();
        let directory = format!("tests/{directory}");
        cases.add(&directory, program, Wanted::Formula(formula.into()), &[]);
    }
    let catalogue = Path::new(ROOT).join("spec-examples/rers_like");
    let list = catalogue.join("properties.txt");
    let list = format!("--properties={}", list.display());
    let spec = Wanted::File(catalogue.join("spec.json"));
    cases.add("spec-examples/rers_like", "problem.c", spec, &[list]);
    cases.all
}

impl Cases {
    /// Adds a program of a directory, once even if tables list it with several bounds.
    fn add(&mut self, directory: &str, program: &str, wanted: Wanted, args: &[String]) {
        let shown = match &wanted {
            Wanted::File(path) => path.file_name().unwrap().to_string_lossy().into_owned(),
            Wanted::Formula(formula) => formula.clone(),
        };
        let mut name = format!("{directory}/{program} {shown}");
        args.iter()
            .for_each(|arg| name.push_str(&format!(" {arg}")));
        if self.names.insert(name.clone()) {
            let words = [String::new()].into_iter().chain(args.iter().cloned());
            self.all.push(Case {
                name,
                program: Path::new(ROOT).join(directory).join(program),
                wanted,
                weaving: Line::parse_from(words).weaving,
            });
        }
    }

    /// Adds the runs of the complete examples.
    fn add_examples(&mut self) {
        let root = Path::new(ROOT);
        for directory in std::fs::read_dir(root.join("spec-examples")).unwrap() {
            let directory = directory.unwrap().path();
            let below = directory.strip_prefix(root).unwrap().to_str().unwrap();
            let expected = directory.join("expected.json");
            if !expected.exists() {
                continue;
            }
            for run in json(&expected)["runs"].as_array().unwrap() {
                let spec = directory.join(run["spec"].as_str().unwrap());
                let [program] = &strings(run, "program")[..] else {
                    panic!("an example of several files has no case yet: {run}");
                };
                self.add(below, program, Wanted::File(spec), &strings(run, "args"));
            }
        }
    }

    /// Adds the programs of a directory that have a specification beside them.
    fn add_with_specification(&mut self, directory: &str) {
        for spec in files(&Path::new(ROOT).join(directory), "json") {
            let program = spec.with_extension("c");
            let program = program.file_name().unwrap().to_str().unwrap().to_owned();
            self.add(directory, &program, Wanted::File(spec), &[]);
        }
    }

    /// Adds the programs with threads from their table.
    fn add_threads(&mut self) {
        let table = json(&Path::new(ROOT).join("tests/threads/table.json"));
        for row in table.as_array().unwrap() {
            let defines = strings(row, "define").into_iter();
            let mut args: Vec<String> = defines.map(|d| format!("-D{d}")).collect();
            args.extend(strings(row, "args"));
            let formula = Wanted::Formula(row["ltl"].as_str().unwrap().into());
            let program = row["program"].as_str().unwrap();
            self.add("tests/threads", program, formula, &args);
        }
    }
}
