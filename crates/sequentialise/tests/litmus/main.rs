//! The models of memory against their axioms: all outcomes of some thousand litmus tests.
#![allow(clippy::unwrap_used)]

mod axioms;
mod mixed;
mod races;
mod shapes;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use axioms::{outcomes, Model};
use shapes::{all, Kind, Test};

const HARNESS: &str = include_str!("harness.c");
const VIEWS: &str = include_str!("../../../../templates/memory/views.c");
const RACES: &str = include_str!("../../../../templates/memory/races.c");
const BUFFERS: &str = include_str!("../../../../templates/memory/buffers.c");

/// The forms of a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// For finite runs.
    Brief,
    /// For infinite runs, too: the memory has steps of its own.
    Endless,
    /// For finite runs of programs without sequentially consistent accesses.
    Weak,
}

/// The program that visits all states of tests under a model, which have fences or have none.
fn machine(
    model: Model,
    form: Form,
    fences: bool,
    directory: &std::path::Path,
) -> std::path::PathBuf {
    let (text, ends) = match model {
        Model::C11 => (
            format!(
                "#define MEMMODEL_RACES 1\n#define MEMMODEL_LEARNS {}\n#define MEMMODEL_SC {}\n{VIEWS}{RACES}",
                u8::from(form == Form::Endless),
                u8::from(form != Form::Weak)
            ),
            "#define watched(p, kind) __VERIFIER_atomic_memmodel_watch(p, sizeof *p, 1, kind)\n\
             static void created(unsigned t, unsigned places, unsigned loads) { __VERIFIER_atomic_memmodel_created(t, places, loads); if (t == 1) __VERIFIER_atomic_memmodel_joins(t); }\n\
             #define joined __VERIFIER_atomic_memmodel_joined\nstatic _Bool memory_waits(unsigned t) { return 0; }\n\
             static _Bool memory_step(unsigned t) {\n#if MEMMODEL_LEARNS\nif (t == 1 && memmodel_behind) { __VERIFIER_atomic_memmodel_learn(); return 1; }\n#endif\nreturn 0; }\n",
        ),
        _ if form == Form::Brief => (
            format!("#define MEMMODEL_BRIEF 1\n{BUFFERS}"),
            "#define watched(p, kind) 0\nstatic void created(unsigned t, unsigned places, unsigned loads) { }\n#define joined __VERIFIER_atomic_memmodel_drained\n\
             static _Bool memory_step(unsigned t) { return 0; }\nstatic _Bool memory_waits(unsigned t) { return 0; }\n",
        ),
        _ => (
            BUFFERS.replace("static void *memmodel_memory", "static void *unused"),
            "#define watched(p, kind) 0\nstatic void created(unsigned t, unsigned places, unsigned loads) { }\nstatic void joined(unsigned t) { }\n\
             static _Bool memory_step(unsigned t) { if (memmodel_pending[t] == 0) return 0; __VERIFIER_atomic_memmodel_flush(t); return 1; }\n\
             static _Bool memory_waits(unsigned t) { return memmodel_pending[t] > 0; }\n",
        ),
    };
    let text = text
        .replace("MEMMODEL_LEARNS", "HARNESS_LEARNS")
        .replace("MEMMODEL_FENCES", "HARNESS_FENCES")
        .replace("MEMMODEL_WEAK", "harness_weak")
        .replace("MEMMODEL_ME", "harness_me")
        .replace("MEMMODEL_MAIN", "7")
        .replace("MEMMODEL_LOADED", "0")
        .replace("MEMMODEL_FRESH", "0")
        .replace("MEMMODEL_HANDLE", "int")
        .replace("MEMMODEL_CREATE", "")
        .replace("MEMMODEL_PSO", if model == Model::Pso { "1" } else { "0" })
        .replace("MEMMODEL_T", "5")
        .replace("MEMMODEL_SET", "unsigned char")
        .replace("MEMMODEL_LOCKS", "1")
        .replace("MEMMODEL_L", "3")
        .replace("MEMMODEL_N", "6");
    let source = directory.join(format!("{model:?}{form:?}{fences}.c"));
    let text = format!("#define HARNESS_FENCES {}\n{text}", u8::from(fences));
    std::fs::write(&source, HARNESS.replace("/*MODEL*/", &(text + ends))).unwrap();
    let program = source.with_extension("");
    // Few tests take less time than the compiler needs for more.
    let optimised = if testing::thorough() { "-O2" } else { "-O1" };
    let compiled = Command::new("cc")
        .args([optimised, "-w", "-o"])
        .args([&program, &source])
        .status();
    assert!(compiled.unwrap().success());
    program
}

/// What the model says of each test; what fences need is left out where there are none, as in a program.
fn all_visited(model: Model, form: Form, tests: &[Test]) -> Vec<Visited> {
    let directory = tempfile::tempdir().unwrap();
    let is_fence = |op: &shapes::Op| matches!(op.kind, Kind::Fence);
    let mut all: Vec<Option<Visited>> = tests.iter().map(|_| None).collect();
    // Buffers have fences in any case.
    let forms: &[bool] = match model {
        Model::C11 => &[false, true],
        _ => &[true],
    };
    for &fences in forms {
        let has =
            |test: &Test| forms.len() == 1 || test.threads.iter().flatten().any(is_fence) == fences;
        let (numbers, some): (Vec<usize>, Vec<Test>) = tests
            .iter()
            .enumerate()
            .filter(|(_, test)| has(test))
            .map(|(number, test)| (number, test.clone()))
            .unzip();
        if some.is_empty() {
            continue;
        }
        let program = machine(model, form, fences, directory.path());
        for (number, said) in numbers.into_iter().zip(visited(&program, &some)) {
            all[number] = Some(said);
        }
    }
    all.into_iter().map(Option::unwrap).collect()
}

/// What the program says of each test.
struct Visited {
    /// Whether runs are left out.
    leaves: bool,
    /// Whether a run has a race.
    races: bool,
    outcomes: BTreeSet<u64>,
}

fn visited(program: &std::path::Path, tests: &[Test]) -> Vec<Visited> {
    let mut input = String::new();
    for test in tests {
        let _ = writeln!(input, "{}", test.threads.len());
        for ops in &test.threads {
            let _ = writeln!(input, "{}", ops.len());
            for op in ops {
                let (mut expected, mut failing) = (0, 0);
                let kind = match op.kind {
                    Kind::Compare {
                        expected: value,
                        failing: order,
                    } => {
                        (expected, failing) = (value, order);
                        'C'
                    }
                    Kind::Write => 'W',
                    Kind::Read => 'R',
                    Kind::Exchange => 'X',
                    Kind::Fence => 'F',
                    Kind::Guard => 'G',
                    Kind::PlainWrite => 'w',
                    Kind::PlainRead => 'r',
                };
                let _ = writeln!(
                    input,
                    "{kind} {} {} {} {} {expected} {failing}",
                    op.place, op.value, op.order, op.into
                );
            }
        }
    }
    let mut run = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = run.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()).unwrap());
    let output = run.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    let said = String::from_utf8(output.stdout).unwrap();
    let line = |line: &str| {
        let mut words = line.split(' ').map(|w| w.parse::<u64>().unwrap());
        let said = words.next().unwrap();
        Visited {
            leaves: said & 1 == 1,
            races: said & 2 == 2,
            outcomes: words.collect(),
        }
    };
    said.lines().map(line).collect()
}

/// Each so many-th of all tests.
fn every(step: usize) -> Vec<Test> {
    all().into_iter().step_by(step).collect()
}

/// Compares the model with its axioms: an outcome that the axioms forbid is wrong, one that is missing is wrong unless the model says that it
/// leaves out runs. Returns the number of tests, and of those of which it says so.
fn compared(model: Model, form: Form, tests: &[Test]) -> (usize, usize) {
    let mut lost = 0;
    let mut wrong = Vec::new();
    for (test, visited) in tests.iter().zip(all_visited(model, form, tests)) {
        let (leaves, found) = (visited.leaves, visited.outcomes);
        let allowed = outcomes(test, model);
        assert!(
            outcomes(test, Model::Sc).is_subset(&allowed),
            "{}",
            test.name
        );
        let extra: Vec<_> = found
            .difference(&allowed)
            .map(|o| format!("{o:o}"))
            .collect();
        let missing: Vec<_> = allowed
            .difference(&found)
            .map(|o| format!("{o:o}"))
            .collect();
        if !extra.is_empty() || (!leaves && !missing.is_empty()) {
            wrong.push(format!(
                "{}: forbidden {extra:?}, missing {missing:?}",
                test.name
            ));
        }
        lost += usize::from(leaves);
        if leaves {
            // Shown by `--nocapture`: whether the answer is open for nothing.
            println!("open: {}: missing {missing:?}", test.name);
        }
    }
    assert!(
        wrong.is_empty(),
        "{model:?} {form:?}: {} of {}:\n{}",
        wrong.len(),
        tests.len(),
        wrong[..wrong.len().min(40)].join("\n")
    );
    (tests.len(), lost)
}

/// What the papers say of well-known tests: whether the outcome that no interleaving has is allowed under TSO, PSO and RC11.
#[test]
fn axioms_agree_with_published_results() {
    for (name, published) in [
        ("SB 0,0,-2 0,0,-2", [true, true, true]),
        ("SB 3,2,-2 3,2,-2", [true, true, true]),
        ("SB 5,5,-2 5,5,-2", [false, false, false]),
        ("SB 0,0,5 0,0,5", [false, false, false]),
        ("MP 0,0,-2 0,0,-2", [false, true, true]),
        ("MP 3,2,-2 3,2,-2", [false, true, false]),
        ("MP 0,0,4 0,0,4", [false, false, false]),
        ("LB 0,0,-2 0,0,-2", [false, false, false]),
        ("2+2W 0,0,-2 0,0,-2", [false, true, true]),
        ("2+2W 3,2,-2 3,2,-2", [false, true, true]),
        ("2+2W 5,5,-2 5,5,-2", [false, false, false]),
        ("WRC 0,0,-2 0,0,-2 0,0,-2", [false, false, true]),
        ("WRC 3,2,-2 3,2,-2 3,2,-2", [false, false, false]),
        ("IRIW 3,2,-2 3,2,-2 3,2,-2 3,2,-2", [false, false, true]),
        ("IRIW 5,5,-2 5,5,-2 5,5,-2 5,5,-2", [false, false, false]),
        ("ISA2 3,2,-2 3,2,-2 3,2,-2", [false, true, false]),
        ("CoRR 0,0,-2 0,0,-2", [false, false, false]),
        ("CoWW 0,0,-2 0,0,-2", [false, false, false]),
    ] {
        let test = all().into_iter().find(|t| t.name == name).unwrap();
        let interleaved = outcomes(&test, Model::Sc);
        for (model, allowed) in [Model::Tso, Model::Pso, Model::C11]
            .into_iter()
            .zip(published)
        {
            let more = outcomes(&test, model).len() > interleaved.len();
            assert_eq!(more, allowed, "{name} under {model:?}");
        }
    }
}

#[test]
fn buffers_have_the_outcomes_of_their_axioms() {
    for model in [Model::Tso, Model::Pso] {
        for (form, step) in [
            (Form::Brief, testing::tried(797, 149)),
            (Form::Endless, testing::tried(1083, 269)),
        ] {
            let (_, lost) = compared(model, form, &every(step));
            assert_eq!(lost, 0);
        }
    }
}

#[test]
fn views_have_the_outcomes_of_rc11() {
    for (form, step) in [
        (Form::Brief, testing::tried(797, 149)),
        (Form::Endless, testing::tried(3285, 409)),
    ] {
        let (tests, lost) = compared(Model::C11, form, &every(step));
        assert!(lost * 10 <= tests, "{lost} of {tests} open");
    }
}

/// What sequentially consistent accesses need is left out where there are none.
#[test]
fn weak_views_have_the_outcomes_of_rc11() {
    let is_weak = |test: &Test| test.threads.iter().flatten().all(|op| op.order < 5);
    let tests: Vec<Test> = all().into_iter().filter(is_weak).step_by(31).collect();
    let (tests, lost) = compared(Model::C11, Form::Weak, &tests);
    assert!(tests > 15 && lost == 0, "{lost} of {tests} open");
}

/// All orders beside each other: sequentially consistent accesses are ordered by less than happens-before.
#[test]
fn views_have_the_outcomes_of_rc11_where_orders_are_mixed() {
    let tests = mixed::published()
        .into_iter()
        .chain((0..testing::tried(200, 400) as u64).map(mixed::test));
    let (tests, lost) = compared(Model::C11, Form::Brief, &tests.collect::<Vec<_>>());
    assert!(lost * 12 <= tests, "{lost} of {tests} open");
}

/// Those with these numbers, as `BAPRODUCT_MIXED=10000-10400` says.
#[test]
#[ignore = "some minutes"]
fn many_tests_of_mixed_orders_have_the_outcomes_of_their_axioms() {
    let asked = std::env::var("BAPRODUCT_MIXED").unwrap_or("400-10000".to_owned());
    let (first, last) = asked.split_once('-').unwrap();
    let numbers: std::ops::Range<u64> = first.parse().unwrap()..last.parse().unwrap();
    for (name, test) in [
        ("mixed", mixed::test as fn(u64) -> Test),
        ("with comparisons", mixed::comparing),
    ] {
        let tests: Vec<Test> = numbers.clone().map(test).collect();
        for model in [Model::C11, Model::Tso, Model::Pso] {
            let (tests, lost) = compared(model, Form::Brief, &tests);
            println!("{name} {asked} {model:?}: {tests} tests, {lost} open");
        }
    }
}

/// A comparison that fails is a load, and its order is not that of the store that it would have made.
#[test]
fn comparisons_have_the_outcomes_of_rc11() {
    let tests = mixed::compared().into_iter();
    let tests = tests.chain((0..testing::tried(25, 150) as u64).map(mixed::comparing));
    let (tests, lost) = compared(Model::C11, Form::Brief, &tests.collect::<Vec<_>>());
    assert!(lost * 12 <= tests, "{lost} of {tests} open");
}

/// A store that repeats another needs no room in the history: nobody can tell.
#[test]
fn repeated_exchanges_have_the_outcomes_of_rc11() {
    let tries = all().into_iter().filter(|t| t.name.starts_with("TAS"));
    compared(
        Model::C11,
        Form::Brief,
        &tries.step_by(testing::tried(314, 79)).collect::<Vec<_>>(),
    );
}

#[test]
#[ignore = "some minutes"]
fn all_litmus_tests_have_the_outcomes_of_their_axioms() {
    for model in [Model::Tso, Model::Pso, Model::C11] {
        for form in [Form::Brief, Form::Endless] {
            let (tests, lost) = compared(model, form, &every(1));
            println!("{model:?} {form:?}: {tests} tests, {lost} open");
        }
    }
}

/// A part of all of them: `BAPRODUCT_LITMUS` says the model, the form and which tests, as `C11 Brief 3/100`, which are the third of each
/// hundred. `scripts/litmus` asks for one part after the other.
#[test]
#[ignore = "some minutes; scripts/litmus"]
fn a_part_of_all_litmus_tests_has_the_outcomes_of_their_axioms() {
    let asked = std::env::var("BAPRODUCT_LITMUS").unwrap_or("C11 Brief 1/100".to_owned());
    let words: Vec<&str> = asked.split(['/', ' ']).collect();
    let [model, form, part, parts] = words[..] else {
        panic!("{asked}");
    };
    let model = [Model::Tso, Model::Pso, Model::C11]
        .into_iter()
        .find(|m| format!("{m:?}") == model);
    let form = [Form::Brief, Form::Endless]
        .into_iter()
        .find(|f| format!("{f:?}") == form);
    let (part, parts): (usize, usize) = (part.parse().unwrap(), parts.parse().unwrap());
    let tests: Vec<Test> = all().into_iter().skip(part - 1).step_by(parts).collect();
    let (tests, lost) = compared(model.unwrap(), form.unwrap(), &tests);
    println!("{asked}: {tests} tests, {lost} open");
}

/// Races of the model are those that executions of RC11 have.
fn compared_races(tests: &[Test]) -> (usize, usize, usize) {
    let (mut lost, mut racy) = (0, 0);
    let mut wrong = Vec::new();
    for (test, visited) in tests
        .iter()
        .zip(all_visited(Model::C11, Form::Brief, tests))
    {
        let expected = races::has_race(test);
        if visited.races != expected && !(expected && visited.leaves) {
            wrong.push(format!("{}: {expected}", test.name));
        }
        lost += usize::from(visited.leaves);
        racy += usize::from(expected);
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    (tests.len(), racy, lost)
}

#[test]
fn races_are_those_of_rc11() {
    let tests: Vec<Test> = races::all()
        .into_iter()
        .step_by(testing::tried(102, 17))
        .collect();
    let (all, racy, _) = compared_races(&tests);
    assert!(racy * 4 > all && racy * 4 < 3 * all, "{racy} of {all}");
}

#[test]
#[ignore = "a minute"]
fn all_races_are_those_of_rc11() {
    let (all, racy, lost) = compared_races(&races::all());
    println!("{all} tests, {racy} with a race, {lost} open");
}
