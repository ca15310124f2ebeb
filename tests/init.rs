//! `init` proposes properties for a program: they are the expected ones, and `check` accepts each
//! specification.

use serde_json::{json, Value};

use crate::support::{cases, cbmc, repository, Dir};

/// A program, and the patterns and formulas that `init` proposes for it.
fn asked(program: &str) -> (Dir, Vec<(String, String)>) {
    let dir = Dir::with(&[("p.c", program)]);
    let ran = dir.run(&["init", "p.c", "-o", "first.json"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    let next = "baproduct verify first.json p.c\n";
    assert!(ran.stderr.ends_with(next), "{ran:?}");
    let spec: Value = serde_json::from_str(&dir.read("first.json")).unwrap();
    let properties = spec["properties"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_string();
    let questions = properties.map(|p| {
        let why = text(&p["$comment"]);
        let (pattern, _) = why.split_once(':').unwrap();
        (pattern.to_string(), text(&p["ltl"]))
    });
    let questions = questions.collect();
    let checked = dir.run(&["check", "first.json", "p.c"]);
    assert_eq!((checked.status, checked.stderr.as_str()), (0, ""));
    (dir, questions)
}

fn has(questions: &[(String, String)], pattern: &str, formula: &str) -> bool {
    let known = questions.iter();
    known.clone().any(|(p, f)| p == pattern && f == formula)
}

#[test]
fn marked_areas_of_two_threads_exclude_each_other() {
    let program = "#include <pthread.h>\nint x;\n\
        void *f(void *a) { b_p1: x++; e_p1: return a; }\nvoid *g(void *a) { b_p2: x--; e_p2: return a; }\n\
        int main(void) { pthread_t s, t; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, g, 0);\n\
        pthread_join(s, 0); pthread_join(t, 0); return 0; }\n";
    let (dir, questions) = asked(program);
    assert!(
        has(&questions, "Exclusion", "G !(p1 && p2)"),
        "{questions:?}"
    );
    let spec: Value = serde_json::from_str(&dir.read("first.json")).unwrap();
    assert_eq!(spec["pa"][0]["span"], json!(["b_p1", "e_p1"]));
    // Editors find the schema beside the specification.
    assert_eq!(spec["$schema"], "./baproduct.schema.json");
    let beside: Value = serde_json::from_str(&dir.read("baproduct.schema.json")).unwrap();
    assert_eq!(beside["$id"], "urn:baproduct:schema:specification:1");
    let again = dir.run(&["init", "p.c", "-o", "first.json"]);
    assert_eq!(again.status, 2, "an existing file is kept: {again:?}");
}

/// If a table has the transitions, its column of next states gives the possible ones.
#[test]
fn a_machine_in_a_table_is_asked_for_its_way() {
    let tables = [
        "struct row { int from, on, to; };\nstatic const struct row table[] = { { IDLE, 1, HOT }, { HOT, 2, FAULT }, { HOT, 1, IDLE } };\n\
         static void step(int e) { for (int i = 0; i < 3; i++)\n  if (table[i].from == m.state && table[i].on == e) {\n\
         m.state = table[i].to; return; } }\n",
        "struct row { int on, to; };\nstatic const struct row table[3] = { [HOT] = { .to = FAULT }, { .on = 1, .to = IDLE }, { .to = HOT, .on = 2 } };\n\
         static void step(int e) { if (table[e].on) m.state = table[e].to; }\n",
        "static const unsigned char next[2][2] = { { HOT, FAULT }, { IDLE, FAULT } };\n\
         static void to(struct machine *p, int e) { p->state = next[p->state & 1][e & 1]; }\n\
         static void step(int e) { to(&m, e); }\n",
    ];
    for table in tables {
        let program = format!(
            "enum {{ IDLE, HOT, FAULT }};\nstatic struct machine {{ int seen, state; }} m = {{ .state = HOT }};\nint input(void);\n\
            {table}int main(void) {{ while (1) step(input() % 3); }}\n"
        );
        let (_, questions) = asked(&program);
        let back = "G(state_not_HOT -> F state_HOT)";
        assert!(has(&questions, "Response", back), "{table}{questions:?}");
        assert!(
            has(&questions, "Absence", "G !state_FAULT"),
            "{questions:?}"
        );
    }
}

/// The states have the names that the program gives them, macros or enumeration constants, and the
/// machine may be reached through a pointer.
#[test]
fn a_state_machine_is_asked_for_its_way() {
    let names = [
        "enum { IDLE, HEATING, FAULT };",
        "#define IDLE 0\n#define HEATING (1)\n#define FAULT 2",
    ];
    for names in names {
        let program = format!(
            "{names}\nstruct machine {{ int state; int seen; }};\nstatic struct machine m;\nint input(void);\n\
            static void step(struct machine *p) {{ switch (p->state) {{\n\
            case IDLE: if (input()) p->state = HEATING; break;\n\
            case HEATING:\n  if (input()) p->state = FAULT;\n  else p->state = IDLE;\n  break;\n\
            case FAULT: break; }} }}\n\
            int main(void) {{ while (1) step(&m); }}\n"
        );
        let (dir, questions) = asked(&program);
        let back = "G(state_not_IDLE -> F state_IDLE)";
        assert!(has(&questions, "Response", back), "{questions:?}");
        assert!(
            has(&questions, "Absence", "G !state_FAULT"),
            "{questions:?}"
        );
        assert!(dir
            .read("first.json")
            .contains("\"cond\": \"m.state == FAULT\""));
        assert!(dir
            .read("first.json")
            .contains("found: state m.state (p.c:"));
        if cbmc() {
            let (result, status) = dir.verify(&["first.json", "p.c", "--no-trace"]);
            assert_eq!(status, 10, "{result}");
        }
    }
}

/// Firmware sets the next state in one function and commits it in another.
#[test]
fn a_state_that_a_function_sets_for_others_is_seen() {
    let program =
        "#include <stdbool.h>\n#define MAX 500\ntypedef enum { IDLE, PAY, JAM } state_t;\n\
        static struct unit { state_t state; unsigned credit; bool motor; } unit;\nint coin(void);\n\
        static void enter(struct unit *u, state_t next) { u->state = next; }\n\
        static void step(struct unit *u) { int c = coin(); switch (u->state) {\n\
        case IDLE: if (u->credit + c <= MAX) u->credit += c; enter(u, PAY); break;\n\
        case PAY: if (c) { u->motor = true; enter(u, JAM); } else enter(u, IDLE); break;\n\
        case JAM: u->motor = false; break; } }\n\
        int main(void) { enter(&unit, IDLE); for (;;) step(&unit); }\n";
    let (dir, questions) = asked(program);
    let back = "G(state_not_IDLE -> F state_IDLE)";
    assert!(has(&questions, "Response", back), "{questions:?}");
    assert!(
        has(&questions, "Universality", "G credit_in_range"),
        "{questions:?}"
    );
    // An output that the program never reads.
    assert!(
        has(&questions, "Response", "G(motor -> F no_motor)"),
        "{questions:?}"
    );
    assert!(dir.read("first.json").contains("unit.credit <= MAX"));
    assert!(dir.read("first.json").contains("found: state unit.state"));
}

#[test]
fn what_is_set_under_a_condition_answers_it_and_counters_have_a_range() {
    let program = "#define SIZE 4\nint fault, relay, count;\nint input(void);\n\
        int main(void) { for (;;) { fault = input() > 3;\n if (fault) relay = 1;\n\
        if (input() && count < SIZE) count++;\n if (count > 0) count--; } }\n";
    let (dir, questions) = asked(program);
    assert!(
        has(&questions, "Response", "G(fault -> F relay_1)"),
        "{questions:?}"
    );
    assert!(
        has(&questions, "Universality", "G count_in_range"),
        "{questions:?}"
    );
    assert!(dir
        .read("first.json")
        .contains("count >= 0 && count <= SIZE"));
    let spec: Value = serde_json::from_str(&dir.read("first.json")).unwrap();
    let found = spec["$comment"].to_string();
    assert!(
        found.contains("functions without a body here: input"),
        "{found}"
    );
}

#[test]
fn threads_with_locks_should_end_and_labels_follow_each_other() {
    let program = "#include <pthread.h>\npthread_mutex_t m; int x;\n\
        void *f(void *a) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return a; }\n\
        int main(void) { pthread_t s; pthread_create(&s, 0, f, 0); pthread_join(s, 0); return 0; }\n";
    let (_, questions) = asked(program);
    assert!(has(&questions, "Response", "G(f -> F !f)"), "{questions:?}");
    let labels =
        "int main(void) { int n = 3;\nagain: n--;\n    if (n) goto again;\ndone: return 0; }\n";
    let (dir, questions) = asked(labels);
    assert!(
        has(&questions, "Response", "G(again -> F done)"),
        "{questions:?}"
    );
    assert!(dir.read("first.json").contains("\"at\": \"done\""));
}

/// `init` proposes at least one property for every program of the tests and examples, and `check`
/// accepts the result.
#[test]
fn every_program_has_questions_that_check_accepts() {
    let mut programs = Vec::new();
    let examples = std::fs::read_dir(repository("spec-examples")).unwrap();
    let folders = examples
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir());
    let tests = ["tests/small", "tests/threads", "tests/prove"].map(repository);
    for folder in folders.chain(tests) {
        let include = folder.join("include");
        let files = std::fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        for file in files.filter(|file| file.extension().is_some_and(|e| e == "c")) {
            programs.push((file, include.clone()));
        }
    }
    programs.sort();
    assert!(programs.len() > 200, "{}", programs.len());
    // Neighbours are alike, so the selection is spread evenly.
    let (count, all) = (cases(programs.len()), programs.len());
    let dir = Dir::new();
    for index in 0..count.min(all) {
        let (program, include) = &programs[index * all / count.min(all)];
        // Saving the mask of interrupts is an idiom of this processor.
        let text = std::fs::read_to_string(program).unwrap();
        let target = if text.contains("\"avr.h\"") {
            "avr"
        } else {
            "lp64"
        };
        let (program, include) = (program.to_str().unwrap(), include.to_str().unwrap());
        // Options that the build system sets.
        let flags = ["-I", include, "-D", "GATES=2", "--target", target];
        let ran = dir.run(&[&["init", program], &flags[..]].concat());
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{program}");
        dir.write("s.json", &ran.stdout);
        let checked = dir.run(&[&["check", "s.json", program], &flags[..]].concat());
        assert_eq!(checked.status, 0, "{program}: {checked:?}\n{}", ran.stdout);
        let spec: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert!(
            !spec["properties"].as_array().unwrap().is_empty(),
            "{program}"
        );
    }
}

#[test]
fn a_program_that_is_refused_says_why_as_check_does() {
    let dir = Dir::with(&[("p.c", "int x;\nstatic int f(void) { return x++; }\n")]);
    let ran = dir.run(&["init", "p.c", "-o", "s.json", "--html", "s.html"]);
    assert_eq!(ran.status, 3);
    assert!(ran.stderr.contains("no function `main`"), "{ran:?}");
    assert_eq!(dir.names(), ["p.c"], "nothing is written");
}

/// The page has each line of the source, marks findings and places of insertion, and loads nothing
/// from elsewhere.
#[test]
fn the_page_shows_the_source_with_its_places() {
    let program = "enum { OFF, ON };\nint mode;\nint main(void) {\n    if (mode == OFF && 1 < 2)\n        mode = ON;\n\
        \x20   if (mode == ON)\n        mode = OFF;\n    return 0;\n}\n";
    let dir = Dir::with(&[("p.c", program)]);
    let ran = dir.run(&["init", "p.c", "-o", "s.json", "--html", "s.html"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    let page = dir.read("s.html");
    assert!(
        page.contains("if (mode == OFF &#38;&#38; 1 &#60; 2)"),
        "{page}"
    );
    assert_eq!(
        page.matches("class=\"no\"").count(),
        program.lines().count()
    );
    assert!(page.contains(">write</span>") && page.contains(">state</span>"));
    assert!(!page.contains("http:") && !page.contains("<script"));
    let twice = dir.run(&["init", "p.c", "-o", "p.html", "--html", "p.html"]);
    assert_eq!(twice.status, 2, "{twice:?}");
}

#[test]
fn the_schema_of_specifications_is_printed() {
    let ran = Dir::new().run(&["init", "--schema"]);
    let schema: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(schema["properties"]["pa"].is_object());
}

/// Handlers, the functions that keep them off, and registers are proposed with their lines, and `verify` takes them.
#[test]
fn the_machine_of_a_firmware_is_proposed() {
    if !cbmc() {
        return;
    }
    let program = "#define UCSR0A (*(volatile unsigned char *)0xC0)\n\
        typedef struct { volatile unsigned SR; } USART_TypeDef;\n#define USART1 ((USART_TypeDef *)0x40011000)\n\
        void irq_disable(void); void irq_enable(void);\nunsigned char taken;\n\
        volatile unsigned char count;\nvoid USART1_IRQHandler(void)\n{\n    if (USART1->SR & 32) count = 1;\n}\n\
        int main(void)\n{\n    for (;;)\n        if (count == 1 && (UCSR0A & 32)) { irq_disable(); count = 0; irq_enable(); taken = 1; }\n}\n";
    let (dir, _) = asked(program);
    let text = dir.read("first.json");
    let spec: Value = serde_json::from_str(&text).unwrap();
    let handlers = json!([{ "handler": "USART1_IRQHandler" }]);
    let masks = json!([{ "disable": "irq_disable", "enable": "irq_enable" }]);
    assert_eq!((&spec["interrupts"], &spec["masks"]), (&handlers, &masks));
    let any = |name: &str| json!({ "name": name, "reads": "any" });
    let registers = spec["registers"].as_array().unwrap();
    assert!(registers.len() == 2 && registers.contains(&any("UCSR0A")));
    assert!(registers.contains(&any("USART1->SR")), "{text}");
    for line in [
        "USART1_IRQHandler at p.c:7",
        "UCSR0A is a register, read at p.c:14",
    ] {
        assert!(text.contains(line), "{line} {text}");
    }
    let bounds = ["--unwind", "1", "--schedules", "rounds:1"];
    let ran = dir.run(&[&["verify", "first.json", "p.c"], &bounds[..]].concat());
    assert!(matches!(ran.status, 0 | 10), "{ran:?}");
    assert!(ran.stdout.contains("runs to its end: USART1_IRQHandler"));
}

/// Handlers get the priorities that the program gives them, where CMSIS has the smaller number for the more urgent one.
#[test]
fn priorities_of_handlers_are_proposed() {
    if !cbmc() {
        return;
    }
    let program = |given: &str| {
        format!(
            "typedef enum {{ EXTI0_IRQn = 6, TIM2_IRQn = 28 }} IRQn_Type;\nvoid NVIC_SetPriority(IRQn_Type, unsigned);\n\
             volatile unsigned char a, b;\nvoid EXTI0_IRQHandler(void) {{ a = b; }}\nvoid TIM2_IRQHandler(void) {{ b = a; }}\n\
             int main(void)\n{{\n    NVIC_SetPriority(EXTI0_IRQn, 1);\n    NVIC_SetPriority(TIM2_IRQn, {given});\n    for (;;) if (a == 1) b = 0;\n}}\n"
        )
    };
    let (dir, _) = asked(&program("3"));
    let text = dir.read("first.json");
    let spec: Value = serde_json::from_str(&text).unwrap();
    let expected = json!([{ "handler": "EXTI0_IRQHandler", "priority": 2 }, { "handler": "TIM2_IRQHandler", "priority": 0 }]);
    assert_eq!(spec["interrupts"], expected, "{text}");
    assert!(
        text.contains("TIM2_IRQHandler has the priority 3 of CMSIS, by p.c:9"),
        "{text}"
    );
    let (dir, _) = asked(&program("a"));
    let spec: Value = serde_json::from_str(&dir.read("first.json")).unwrap();
    assert_eq!(
        spec["interrupts"],
        json!([{ "handler": "EXTI0_IRQHandler" }, { "handler": "TIM2_IRQHandler" }])
    );
}

/// A program without `main` is asked about with its functions as entries.
#[test]
fn entries_of_a_library_are_proposed() {
    if !cbmc() {
        return;
    }
    let program =
        "int n;\nvoid push(void) { if (n < 3) n++; }\nvoid pop(void) { if (n > 0) n--; }\n";
    let (dir, questions) = asked(program);
    assert!(
        has(&questions, "Universality", "G n_in_range"),
        "{questions:?}"
    );
    let spec: Value = serde_json::from_str(&dir.read("first.json")).unwrap();
    assert_eq!(spec["entry"], json!(["push", "pop"]));
    let (result, _) = dir.verify(&["first.json", "p.c", "--engine", "auto"]);
    let first = &result["properties"][0];
    assert_eq!(first["holds"], "proved", "{result}");
}
