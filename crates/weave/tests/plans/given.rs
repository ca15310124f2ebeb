//! The tests' helper: reads a small program, weaves it, and shows the plan as text.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use cfront::span::FunctionId;
use cfront::{Flow, Source, Unit};
use expect_test::Expect;
use spec::Spec;
use weave::code::Code;
use weave::facts::{Facts, Range};
use weave::flow::Graphs;
use weave::{Form, Options, Refusal, Woven};

/// The declarations of programs with threads, as if from a system header.
pub const THREADS: &str = "# 1 \"/usr/include/pthread.h\" 1 3
typedef unsigned long pthread_t;
typedef union { int kind; } pthread_mutex_t;
typedef union { int kind; } pthread_cond_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void pthread_exit(void *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_signal(pthread_cond_t *);
";

/// The declarations of other programs, as if from a header of the C library.
pub const LIBRARY: &str = "# 1 \"/usr/include/library.h\" 1 3
typedef int jmp_buf[8];
int setjmp(jmp_buf);
void longjmp(jmp_buf, int);
void exit(int);
void abort(void);
int atexit(void (*)(void));
int read(int, void *, unsigned long);
int scanf(const char *, ...);
int getchar(void);
void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
void (*signal(int, void (*)(int)))(int);
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
";

/// A program that was read, with its facts.
pub struct Given {
    pub unit: Unit,
    pub flows: HashMap<FunctionId, Flow>,
    pub facts: Facts,
    source: Source,
}

/// Reads a program. `header` stands before it, and its lines do not count.
pub fn program(header: &str, text: &str) -> Given {
    let bytes = format!("{header}# 1 \"p.c\" 2\n{}", text.trim_start());
    let mut unit = Unit::parse(Source::from_bytes(bytes.into_bytes())).unwrap();
    let source = unit.source.clone();
    let locate = |at: usize| {
        let (file, line) = source.lines.line(at);
        (file.to_string(), line)
    };
    let facts = weave::collect::collect(&unit, &locate);
    Given {
        flows: std::mem::take(&mut unit.flows),
        unit,
        facts,
        source,
    }
}

impl Given {
    /// The line of an offset.
    pub fn line(&self, at: usize) -> u32 {
        self.source.lines.line(at).1
    }

    /// Line and text of a range, on one line.
    pub fn shown(&self, range: Range) -> String {
        let text = &self.source.text[range.start..range.end];
        let words: Vec<&str> = text.split_whitespace().collect();
        format!("{}: {}", self.line(range.start), words.join(" "))
    }

    /// The name of an object.
    pub fn object(&self, object: usize) -> &str {
        &self.facts.objects[object].name
    }

    /// The name of a function.
    pub fn function(&self, function: usize) -> &str {
        &self.facts.functions[function].name
    }
}

/// The options of the tests, unless a test says otherwise.
pub fn options() -> Options {
    Options {
        unwind: None,
        unwindset: BTreeMap::new(),
        form: Form::Auto,
        strict: false,
        version: "0".into(),
        include_headers: true,
        spurious_wakeups: false,
        assert_prunes: false,
        nonlocal_jumps: true,
        dialect: None,
        proves: false,
        also: weave::Also::Nothing,
        driven: false,
        shared_pointers: true,
        rounds: false,
        entered: None,
        tells: false,
    }
}

/// A specification: JSON, or a formula alone.
pub fn specification(text: &str) -> Spec {
    match text.trim_start().starts_with('{') && text.contains("properties") {
        true => spec::read(text),
        false => spec::from_ltl(text),
    }
    .unwrap()
}

/// A specification as JSON: a formula, and further members of the object.
pub fn with(formula: &str, members: &str) -> String {
    format!(r#"{{ "properties": [{{"name": "q", "ltl": "{formula}"}}], {members} }}"#)
}

/// Weaves a program; `lasso` says whether infinite runs are searched.
fn woven(
    given: Given,
    spec: &Spec,
    options: &Options,
    lasso: bool,
) -> (Result<Woven, Vec<Refusal>>, Source) {
    planned(given, lasso, |program| weave::weave(spec, program, options))
}

/// Calls `of` with a program; `lasso` says whether infinite runs are searched.
fn planned<T>(given: Given, lasso: bool, of: impl FnOnce(&weave::Program) -> T) -> (T, Source) {
    let Given {
        unit,
        flows,
        facts,
        source,
    } = given;
    let locate = |at: usize| {
        let (file, line) = source.lines.line(at);
        (file.to_string(), line)
    };
    let files = weave::files::files(&unit);
    let flow = Graphs::new(&facts, &flows);
    let observed = lasso.then(|| weave::lasso::observe(&unit, &flows));
    let code = Code::new(unit);
    let program = weave::Program {
        text: &source.text,
        facts: &facts,
        flow: &flow,
        code: &code,
        locate: &locate,
        files: &files,
        lasso: observed.as_ref(),
    };
    let plan = of(&program);
    (plan, source)
}

/// The events of a plan, one on each line: line, function, kind, and the text at the site.
fn events(woven: &Woven) -> String {
    let mut text = String::new();
    for site in &woven.record.sites {
        let (line, function, event) = (site.line, &site.function, site.event.name());
        writeln!(text, "{line} {function}: {event} {}", site.what).unwrap();
    }
    text
}

/// Notes or refusals, one on each line.
fn remarks<'a>(remarks: impl IntoIterator<Item = &'a weave::Remark>, source: &Source) -> String {
    let mut text = String::new();
    for remark in remarks {
        let kind = if remark.error { "refused" } else { "note" };
        let line = source.lines.line(remark.range.start).1;
        writeln!(text, "{line} {kind}: {}; {}", remark.message, remark.label).unwrap();
    }
    text
}

fn refusals(refused: &[Refusal], source: &Source) -> String {
    let mut text = String::new();
    for refusal in refused {
        match refusal {
            Refusal::Program(remark) => text += &remarks([remark], source),
            Refusal::Spec(diagnostic) => writeln!(text, "refused: {}", diagnostic.title).unwrap(),
        }
    }
    text
}

/// The program's lines with insertions; each insertion is in brackets.
fn insertions(woven: &Woven, source: &Source) -> String {
    let mut text = source.text.clone();
    for insertion in woven.insertions.iter().rev() {
        text.insert_str(insertion.offset, &format!("⟨{}⟩", insertion.text.trim()));
    }
    let lines = text.lines().filter(|line| line.contains('⟨'));
    lines.map(|line| format!("{}\n", line.trim())).collect()
}

/// The notes or refusals of a program that is not woven.
fn remarks_of_fit(given: Given, spec: &Spec, options: &Options) -> String {
    let fit = |program: &weave::Program| weave::fit(spec, program, options, false, |_| true);
    let (fit, source) = planned(given, false, fit);
    match fit {
        Ok(fit) => {
            let fit = fit.unwrap();
            assert!(fit.record.is_none(), "text was written");
            remarks(&fit.notes, &source)
        }
        Err(refused) => refusals(&refused, &source),
    }
}

/// Weaves and compares the events, notes and refusals; what is said without weaving is the same.
pub fn check_with(header: &str, text: &str, spec: &str, options: &Options, expected: &Expect) {
    let (woven, source) = woven(program(header, text), &specification(spec), options, false);
    let said = match &woven {
        Ok(woven) => remarks(&woven.notes, &source),
        Err(refused) => refusals(refused, &source),
    };
    let unwoven = remarks_of_fit(program(header, text), &specification(spec), options);
    assert_eq!(unwoven, said);
    let plan = match woven {
        Ok(woven) => events(&woven) + &remarks(&woven.notes, &source),
        Err(refused) => refusals(&refused, &source),
    };
    expected.assert_eq(&plan);
}

/// Like [`check_with`], with the usual options and no header.
pub fn check(text: &str, spec: &str, expected: Expect) {
    check_with("", text, spec, &options(), &expected);
}

/// Weaves a program, and returns its lines with insertions.
pub fn inserted(header: &str, text: &str, spec: &str) -> String {
    let given = program(header, text);
    let (woven, source) = woven(given, &specification(spec), &options(), false);
    match woven {
        Ok(woven) => insertions(&woven, &source),
        Err(refused) => refusals(&refused, &source),
    }
}

/// Weaves a program, and compares its lines with insertions.
pub fn check_text(header: &str, text: &str, spec: &str, expected: Expect) {
    expected.assert_eq(&inserted(header, text, spec));
}

/// Weaves a program with the search for lassos, and compares the events and the state.
pub fn check_lasso(text: &str, spec: &str, expected: Expect) {
    let options = Options {
        rounds: true,
        ..options()
    };
    let (woven, source) = woven(program("", text), &specification(spec), &options, true);
    let plan = match woven {
        Ok(woven) => {
            let record = woven.record.lasso.as_ref();
            let state = record.map(|r| r.state.join(", ")).unwrap_or_default();
            format!("state: {state}\n") + &events(&woven)
        }
        Err(refused) => refusals(&refused, &source),
    };
    expected.assert_eq(&plan);
}
