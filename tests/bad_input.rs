//! Each kind of bad input gives one clear diagnostic with its place, status 3, and no output.
//!
//! The messages are snapshots: a changed message is a change for users and must be reviewed.
#![allow(clippy::unwrap_used)]

use crate::support::Dir;
use serde_json::{json, Value};

/// A program in which most specifications of this file make sense.
const PROGRAM: &str = "\
#include <stdio.h>

int x = 0;
static int mode = 1;

int is_big(int v) { return v > 2; }
int both(int v, int w) { return v > 2 && w > 2; }
int counting(int v) { return v > mode++; }
void nothing(int v) { (void)v; }

int work(int amount) {
begin:
    x = amount;
    x += 2;
end:
    return x;
}

int other(void) {
first:
    x = 0;
last:
    return x;
}

int main(void) {
    work(2);
    other();
    return 0;
}
";

/// A specification over [`PROGRAM`] with some keys of its proposition replaced.
fn spec(changes: &Value) -> String {
    let mut proposition = json!({
        "name": "big", "default": false, "expr": "is_big", "span": ["begin", "end"], "params": ["x"]
    });
    for (key, value) in changes.as_object().unwrap() {
        match value {
            Value::Null => proposition.as_object_mut().unwrap().remove(key),
            _ => proposition
                .as_object_mut()
                .unwrap()
                .insert(key.clone(), value.clone()),
        };
    }
    serde_json::to_string_pretty(&json!({ "ltl": "G !big", "pa": [proposition] })).unwrap() + "\n"
}

/// Runs `instrument`, which must refuse and leave no file, and returns its message.
fn refusal(dir: &Dir, spec: &str, program: &str) -> String {
    let before = dir.names();
    let ran = dir.run(&["instrument", spec, program, "-o", "out.c", "-MD"]);
    assert_eq!(ran.status, 3, "{ran:?}");
    assert_eq!(ran.stdout, "");
    assert_eq!(dir.names(), before, "something is left behind");
    let errors = ran
        .stderr
        .lines()
        .filter(|line| line.starts_with("error"))
        .count();
    assert_eq!(errors, 1, "{}", ran.stderr);
    for word in ["panicked", "/tmp", "RUST_BACKTRACE"] {
        assert!(!ran.stderr.contains(word), "{}", ran.stderr);
    }
    ran.stderr
}

/// As [`refusal`]; the message must give the place as file:line:column and underline the line.
fn placed(dir: &Dir, file: &str) -> String {
    let text = refusal(dir, "s.json", "p.c");
    let place = text
        .split_once("--> ")
        .and_then(|(_, rest)| rest.lines().next())
        .unwrap_or_default();
    let parts: Vec<&str> = place.split(':').collect();
    assert!(
        parts.len() == 3 && parts[0] == file,
        "not in {file}: {text}"
    );
    assert!(
        parts[1..]
            .iter()
            .all(|n| n.parse::<u32>().is_ok_and(|n| n > 0)),
        "no place: {text}"
    );
    assert!(text.contains('^'), "nothing is underlined: {text}");
    text
}

fn in_spec(changes: Value) -> String {
    placed(
        &Dir::with(&[("p.c", PROGRAM), ("s.json", &spec(&changes))]),
        "s.json",
    )
}

fn in_spec_text(text: &str) -> String {
    placed(&Dir::with(&[("p.c", PROGRAM), ("s.json", text)]), "s.json")
}

/// The message for a proposition over a program with structures.
fn in_structures(changes: Value) -> String {
    let program = "struct queue { int len; } q;\nint length(int n) { return n; }\nint main(void) {\n    \
                   struct own { int len; } s = {1}, *p = &s;\nbegin:\n    q.len = p->len;\nend:\n    return 0;\n}\n";
    placed(
        &Dir::with(&[("p.c", program), ("s.json", &spec(&changes))]),
        "s.json",
    )
}

/// The message for [`PROGRAM`] with another definition of its evaluation function.
fn evaluation(definition: &str) -> String {
    let program = PROGRAM.replace("int is_big(int v) { return v > 2; }", definition);
    placed(
        &Dir::with(&[("p.c", &program), ("s.json", &spec(&json!({})))]),
        "s.json",
    )
}

/// The message for `program` with a formula over its global `x`.
fn in_program(program: &str) -> String {
    let spec = json!({ "ltl": "G {x < 3}" }).to_string();
    placed(&Dir::with(&[("p.c", program), ("s.json", &spec)]), "p.c")
}

/// As [`in_program`], for messages that concern no line.
fn whole_program(program: impl AsRef<[u8]>) -> String {
    let dir = Dir::with(&[("s.json", &json!({ "ltl": "G {x < 3}" }).to_string())]);
    dir.write("p.c", program);
    refusal(&dir, "s.json", "p.c")
}

/// The message for a program whose thread executes `body`.
fn threaded(body: &str) -> String {
    in_program(&format!(
        "#include <pthread.h>\n\nint x;\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\npthread_cond_t c = PTHREAD_COND_INITIALIZER;\n\n\
         void *run(void *arg) {{\n{body}\n    x = 1;\n    return 0;\n}}\n\n\
         int main(void) {{\n    pthread_t t;\n    pthread_create(&t, 0, run, 0);\n    return 0;\n}}\n"
    ))
}

/// Tests that compare each message with the snapshot of the test's name.
macro_rules! messages {
    ($($name:ident: $message:expr;)*) => {
        $(#[test] fn $name() { insta::assert_snapshot!(stringify!($name), $message); })*
    };
}

messages! {
    malformed_json: in_spec_text("{\n  \"ltl\": \"G !big\",\n  \"pa\": [\n}\n");
    json_without_an_end: in_spec_text("{\n  \"ltl\": \"G !big");
    unknown_key: in_spec(json!({"deflaut": true}));
    unknown_key_at_the_top: in_spec_text("{ \"lt\": \"G {x < 3}\" }");
    repeated_key: in_spec_text("{ \"ltl\": \"G {x < 3}\", \"ltl\": \"F {x < 3}\" }");
    wrong_type: in_spec(json!({"default": "no"}));
    no_formula: in_spec_text("{ }");
    not_an_object: in_spec_text("[1, 2]");
    proposition_without_evaluation: in_spec(json!({"expr": null}));
    unknown_proposition: in_spec_text(&spec(&json!({})).replace("G !big", "G !bag"));
    unparsable_formula: in_spec_text("{ \"ltl\": \"G ({x < 3} &&)\" }");
    formula_without_an_end: in_spec_text("{ \"ltl\": \"G (\" }");
    unclosed_condition: in_spec_text("{ \"ltl\": \"G {x < 3\" }");
    unparsable_condition: in_spec_text("{ \"ltl\": \"G {x < }\" }");
    condition_with_an_effect: in_spec_text("{ \"ltl\": \"G {x = 3}\" }");
    condition_with_a_call: in_spec_text("{ \"ltl\": \"G {work(1) > 2}\" }");
    condition_with_another_number_of_arguments: in_spec_text("{ \"ltl\": \"G {is_big(x, 2)}\" }");
    condition_through_what_is_no_pointer: in_spec_text("{ \"ltl\": \"G {x < 3 && *x}\" }");
    condition_with_an_unknown_member: in_spec_text("{ \"ltl\": \"G {x.len < 3}\" }");
    parameter_with_an_unknown_member: in_spec(json!({"params": ["x.len"]}));
    condition_with_the_address_of_a_local: in_spec_text("{ \"ltl\": \"G {&work::amount != 0}\" }");
    a_structure_for_a_number: in_structures(json!({"expr": "length", "params": ["q"]}));
    a_structure_as_a_truth_value: in_structures(json!({"expr": null, "params": null, "cond": "q"}));
    a_type_of_a_function_behind_a_pointer: in_structures(json!({"expr": "length", "params": ["main::p->len"]}));
    a_pointer_as_an_operand: in_structures(json!({"expr": null, "params": null, "cond": "main::p % 2"}));
    a_number_for_a_pointer: evaluation("int is_big(int *v) { return v != 0; }");
    a_parameter_without_a_name: evaluation("int is_big(int, int) { return 1; }");
    a_number_with_an_unknown_suffix: in_spec_text("{ \"ltl\": \"G {x < 3W}\" }");
    a_local_that_is_not_there_yet: in_structures(
        json!({"expr": null, "params": null, "span": null, "function": "main", "cond": "main::s.len > 0"}));
    a_local_of_a_line_that_is_not_there_yet: in_structures(
        json!({"expr": "length", "params": ["main::s@4.len"], "span": null, "function": "main"}));
    a_member_with_a_typing_error: in_structures(json!({"expr": null, "params": null, "cond": "q.lem > 1"}));
    a_function_for_a_label: in_spec(json!({"span": null, "at": "work"}));
    a_local_in_another_line: in_structures(json!({"expr": null, "params": null, "cond": "main::s@3.len > 0"}));
    condition_over_an_unknown_constant: placed(
        &Dir::with(&[("p.c", &PROGRAM.replace("int x = 0;", "enum { IDLE, BUSY };\nint x = 0;")),
            ("s.json", "{ \"ltl\": \"G {x == IDEL}\" }")]), "s.json");
    condition_over_an_unknown_variable: in_spec_text("{ \"ltl\": \"G {y < 3}\" }");
    unknown_label: in_spec(json!({"span": ["begin", "ende"]}));
    unknown_label_of_a_function: in_spec(json!({"span": ["other::begin", "end"]}));
    labels_in_two_functions: in_spec(json!({"span": ["begin", "last"]}));
    unknown_variable: in_spec(json!({"params": ["z"]}));
    unknown_local: in_spec(json!({"params": ["work::amuont"]}));
    local_of_an_unknown_function: in_spec(json!({"params": ["wrok::amount"]}));
    unparsable_parameter: in_spec(json!({"params": ["x ++"]}));
    unknown_evaluation: in_spec(json!({"expr": "is_bog"}));
    evaluation_with_effects: in_spec(json!({"expr": "counting"}));
    evaluation_without_a_value: in_spec(json!({"expr": "nothing"}));
    evaluation_with_another_number_of_parameters: in_spec(json!({"expr": "both"}));
    unknown_function_as_an_area: in_spec(json!({"span": null, "function": "wrok"}));
    two_areas: in_spec(json!({"at": "begin"}));
    a_label_in_two_functions: placed(
        &Dir::with(&[("p.c", &PROGRAM.replace("first:", "begin:")), ("s.json", &spec(&json!({})))]), "s.json");

    unparsable_program: in_program("int x;\nint main(void) {\n    x = ;\n    return 0;\n}\n");
    program_that_stops: in_program("int x;\nint main(void) {\n    x = 1;\n");
    unbalanced_program: in_program("int x;\nint main(void) { x = 1; } }\n");
    failing_directive: whole_program("int x;\n#error not on this machine\nint main(void) { return 0; }\n");
    missing_header: whole_program("#include \"nowhere.h\"\nint x;\nint main(void) { return 0; }\n");
    no_main: whole_program("int x;\nvoid f(void) { x = 1; }\n");
    empty_program: whole_program("");
    binary_program: whole_program(binary());
    undeclared_variable_in_the_program: in_program("int x;\nint main(void) {\n    x = yy;\n    return 0;\n}\n");
    assembly: in_program("int x;\nint main(void) {\n    __asm__(\"\" : \"=m\"(x));\n    return 0;\n}\n");
    computed_start_routine: in_program(
        "#include <pthread.h>\n#include <dlfcn.h>\n\nint x;\n\n\
         int main(void) {\n    pthread_t t;\n    void *(*start)(void *) = (void *(*)(void *))dlsym(0, \"run\");\n    \
         pthread_create(&t, 0, start, 0);\n    return 0;\n}\n");
    cancelling_a_thread: threaded("    pthread_cancel(pthread_self());");
}

/// Bytes that are no text in any encoding.
fn binary() -> Vec<u8> {
    (0..2000u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect()
}

#[test]
fn files_that_cannot_be_read() {
    let dir = Dir::with(&[
        ("p.c", PROGRAM),
        ("s.json", &spec(&json!({}))),
        ("empty", ""),
    ]);
    dir.write("binary", binary());
    std::fs::create_dir(dir.path("folder")).unwrap();
    let messages: Vec<String> = [
        ("nowhere.json", "p.c"),
        ("s.json", "nowhere.c"),
        ("folder", "p.c"),
        ("s.json", "folder"),
        ("empty", "p.c"),
        ("s.json", "empty"),
        ("binary", "p.c"),
        ("s.json", "binary"),
    ]
    .iter()
    .map(|(spec, program)| {
        format!(
            "instrument {spec} {program}\n{}",
            refusal(&dir, spec, program)
        )
    })
    .collect();
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn a_specification_behind_the_program_is_wrong_usage() {
    let dir = Dir::with(&[("p.c", PROGRAM), ("s.json", &spec(&json!({})))]);
    let before = dir.names();
    let ran = dir.run(&["instrument", "p.c", "s.json", "-o", "out.c"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert!(
        ran.stderr.contains("the specification stands in front"),
        "{ran:?}"
    );
    assert_eq!(dir.names(), before, "something is left behind");
}

#[test]
fn every_error_of_a_specification_is_told() {
    let changes = json!({"expr": "is_bog", "deflaut": 1, "span": ["begin"]});
    let dir = Dir::with(&[("p.c", PROGRAM), ("s.json", &spec(&changes))]);
    let ran = dir.run(&["check", "s.json", "p.c"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (3, ""));
    insta::assert_snapshot!(ran.stderr);
}

#[test]
fn what_is_refused_leaves_an_old_output_alone() {
    let dir = Dir::with(&[
        ("p.c", "int x"),
        ("s.json", &spec(&json!({}))),
        ("out.c", "old"),
    ]);
    assert_eq!(
        dir.run(&["instrument", "s.json", "p.c", "-o", "out.c"])
            .status,
        3
    );
    assert_eq!(dir.read("out.c"), "old");
}

#[test]
fn a_damaged_plan_is_refused() {
    let dir = Dir::with(&[("p.c", PROGRAM), ("s.json", &spec(&json!({})))]);
    assert_eq!(
        dir.run(&["instrument", "s.json", "p.c", "-o", "out.c"])
            .status,
        0
    );
    let text = dir.read("out.c");
    dir.write("out.c", text.replace("\"version\"", "\"verison\""));
    let ran = dir.run(&["verify", "out.c"]);
    assert_eq!(ran.status, 3);
    assert!(
        ran.stderr
            .starts_with("error: the plan in out.c is damaged"),
        "{}",
        ran.stderr
    );
}
