//! Programs of several files: one monitor, C's rules of linkage, and flags per file.
#![allow(clippy::unwrap_used)]

use crate::support::{cbmc, installed, Dir};
use serde_json::json;

const MAIN: &str = "\
#include <stdio.h>
#include \"counter.h\"
static int state;
static int helper(int v) { return v + 1; }
int main(void) {
    int i;
    for (i = 0; i < 3; i++) {
        count(helper(i));
        state = i;
    }
    printf(\"%d %d %d\\n\", get(), total, state);
    return 0;
}
";

const HEADER: &str = "\
extern int total;
void count(int by);
int get(void);
";

/// A second file with a static object and a static function of the same names as in the main file.
const COUNTER: &str = "\
#include \"counter.h\"
static int state;
int total;
static int helper(int v) { return v * 2; }
static int is_big(int v) { return v > 5; }
void count(int by) {
begin:
    state = state + helper(by);
    total++;
end: ;
}
int get(void) { return is_big(0) + state; }
";

fn project() -> Dir {
    let spec = json!({
        "ltl": "G(big -> F !small)",
        "pa": [
            { "name": "big", "default": false, "expr": "is_big", "span": ["_begin", "_end"], "params": ["counter.c::state"] },
            { "name": "small", "default": true, "cond": "total < 3", "span": ["begin", "end"] },
        ]
    });
    Dir::with(&[
        ("main.c", MAIN),
        ("counter.c", COUNTER),
        ("counter.h", HEADER),
        ("s.json", &spec.to_string()),
    ])
}

/// Compiles and runs C files.
fn native(dir: &Dir, files: &[&str]) -> String {
    let mut gcc = std::process::Command::new("gcc");
    gcc.args(["-Wall", "-Wextra", "-Werror", "-Wno-unused-label", "-o"])
        .arg(dir.path("program"));
    gcc.args(files.iter().map(|f| dir.path(f)));
    let compiled = crate::support::ran(&mut gcc);
    assert_eq!(compiled.status, 0, "{}", compiled.stderr);
    let run = crate::support::ran(&mut std::process::Command::new(dir.path("program")));
    assert_eq!(run.status, 0);
    run.stdout
}

#[test]
fn instrumented_files_are_linked_to_the_same_program() {
    if !installed("gcc") {
        return;
    }
    let dir = project();
    let args = [
        "instrument",
        "s.json",
        "main.c",
        "counter.c",
        "-o",
        "out",
        "-MD",
    ];
    let ran = dir.run(&args);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let before = native(&dir, &["main.c", "counter.c"]);
    let after = native(&dir, &["out/main.c", "out/counter.c"]);
    assert_eq!(before, after);
    let rule = dir.read("out.d");
    assert!(
        rule.starts_with("out/main.c out/counter.c: s.json"),
        "{rule}"
    );
    for file in ["main.c", "counter.c", "counter.h"] {
        assert!(rule.contains(&format!("\n{file}:\n")), "{rule}");
    }
    let defined = |text: &str| text.contains("BA_UNUSED _Bool ba_p_big = 0;");
    let texts = ["out/main.c", "out/counter.c"].map(|f| dir.read(f));
    assert_eq!(texts.iter().filter(|t| defined(t)).count(), 1);
}

#[test]
fn the_verdict_is_that_of_all_files() {
    if !cbmc() {
        return;
    }
    let dir = project();
    let (result, status) = dir.verify(&["s.json", "main.c", "counter.c"]);
    assert_eq!(
        (&result["verdict"], status),
        (&json!("presumably_false"), 10)
    );
    let places: Vec<&str> = result["properties"][0]["trace"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|step| step["file"].as_str())
        .collect();
    assert!(places.contains(&"main.c") && places.contains(&"counter.c"));
    // The order of the files, and whether `instrument` wrote them, make no difference.
    let (swapped, _) = dir.verify(&["s.json", "counter.c", "main.c"]);
    assert_eq!(swapped["verdict"], result["verdict"]);
    dir.run(&["instrument", "s.json", "main.c", "counter.c", "-o", "out"]);
    let (written, _) = dir.verify(&["out"]);
    assert_eq!(written["verdict"], result["verdict"]);
    let (native, _) = dir.verify(&["s.json", "main.c", "counter.c", "--backend", "native"]);
    assert_eq!(native["verdict"], result["verdict"]);
}

#[test]
fn files_may_have_any_name() {
    let one = "static int n;\nvoid one(int by) { n += by; }\n";
    let two =
        "void one(int by);\nstatic int n;\nint main(void) { one(2); n = 3; one(4); return 0; }\n";
    let dir = Dir::with(&[("a-1.tab.c", one), ("b.c", two)]);
    let watched = |formula: &str| {
        let files = ["a-1.tab.c", "b.c", "--backend", "native"];
        let (result, _) = dir.verify(&[&["--ltl", formula], &files[..]].concat());
        result["verdict"].as_str().unwrap().to_string()
    };
    assert_eq!(watched("F {a-1.tab.c::n == 6 && b.c::n == 3}"), "true");
    assert_eq!(
        watched("F {a-1.tab.c::n - 1.0 > b.c::n*2 + 9}"),
        "presumably_false"
    );
    let args = ["verify", "--ltl", "F {a-2.tab.c::n}", "a-1.tab.c", "b.c"];
    let ran = dir.run(&args);
    assert_eq!(ran.status, 3, "{}", ran.stderr);
}

/// The warnings that projects enable beyond -Wall.
const STRICT: [&str; 12] = [
    "-std=c99",
    "-Wall",
    "-Wextra",
    "-pedantic",
    "-Wshadow",
    "-Wconversion",
    "-Wmissing-prototypes",
    "-Wmissing-declarations",
    "-Wstrict-prototypes",
    "-Wredundant-decls",
    "-Wnested-externs",
    "-Werror",
];

#[test]
fn strict_flags_bring_no_new_warnings() {
    let flat = |text: &str| text.replace("#include \"counter.h\"\n", HEADER);
    let dir = project();
    std::fs::write(dir.path("main.c"), flat(MAIN)).unwrap();
    std::fs::write(dir.path("counter.c"), flat(COUNTER)).unwrap();
    let ran = dir.run(&["instrument", "s.json", "main.c", "counter.c", "-o", "out"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    for file in ["out/main.c", "out/counter.c"] {
        let mut gcc = std::process::Command::new("gcc");
        gcc.args(STRICT)
            .args(["-Wno-unused-label", "-c", "-o", "/dev/null"]);
        let compiled = crate::support::ran(gcc.arg(dir.path(file)));
        assert_eq!(compiled.status, 0, "{}", compiled.stderr);
    }
}

#[test]
fn statics_of_two_files_are_told_apart() {
    if !cbmc() {
        return;
    }
    let dir = project();
    let verdict = |formula: &str| {
        let (result, _) = dir.verify(&["--ltl", formula, "main.c", "counter.c"]);
        result["verdict"].as_str().unwrap().to_string()
    };
    assert_eq!(verdict("F {counter.c::state == 12}"), "true");
    assert_eq!(verdict("F {main.c::state == 12}"), "presumably_false");
    // No file sees both objects.
    assert_eq!(
        verdict("F {main.c::state == 2 && counter.c::state == 12 && total == 3}"),
        "true"
    );
    let ran = dir.run(&["check", "s.json", "main.c", "counter.c"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let ran = dir.run(&["verify", "--ltl", "F {state == 12}", "main.c", "counter.c"]);
    assert_eq!(ran.status, 3);
    assert!(ran.stderr.contains("`main.c::state`"), "{}", ran.stderr);
}

#[test]
fn a_compilation_database_has_flags_and_files() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[
        (
            "a.c",
            "int x; void f(void); int main(void) { f(); x = A; return 0; }\n",
        ),
        (
            "b.c",
            "#ifdef B\nextern int x; void f(void) { x = B; }\n#endif\n",
        ),
    ]);
    let database = json!([
        { "directory": dir.path("."), "file": "a.c", "command": "cc -DA=1 -O2 -c a.c" },
        { "directory": ".", "file": "b.c", "arguments": ["cc", "-D", "B=2", "-c", "b.c"] },
    ]);
    dir.write("compile_commands.json", database.to_string());
    let formula = "F ({x == 2} && F {x == 1})";
    let args = [
        "--ltl",
        formula,
        "--compile-commands",
        "compile_commands.json",
    ];
    assert_eq!(dir.verify(&args).0["verdict"], "true");
    let named = [&args[..], &["b.c", "a.c"]].concat();
    assert_eq!(dir.verify(&named).0["verdict"], "true");
    let ran = dir.run(&["verify", "--ltl", formula, "a.c", "b.c"]);
    assert_eq!(ran.status, 3, "without flags nothing of it compiles");
}

#[test]
fn several_files_need_a_directory() {
    let dir = project();
    let ran = dir.run(&["instrument", "s.json", "main.c", "counter.c", "-o", "-"]);
    assert_eq!(ran.status, 2);
    let ran = dir.run(&[
        "instrument",
        "s.json",
        "main.c",
        "counter.c",
        "-o",
        "s.json",
    ]);
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    assert!(dir.read("s.json").starts_with('{'));
}

#[test]
fn inline_functions_of_system_headers_are_left_alone() {
    if !installed("gcc") {
        return;
    }
    let dir = Dir::with(&[
        (
            "p.c",
            "#include <stdlib.h>\n#if defined __SSE2__\n#include <emmintrin.h>\n#endif\nint x; int main(void) { x = atoi(\"1\"); return 0; }\n",
        ),
        ("s.json", "{\"ltl\": \"F {x == 1}\"}"),
    ]);
    let ran = dir.run(&["instrument", "s.json", "p.c", "-o", "o.c"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    native(&dir, &["o.c"]);
}

#[test]
fn comments_that_mark_a_fall_keep_their_meaning() {
    if !installed("gcc") {
        return;
    }
    let dir = Dir::with(&[
        (
            "p.c",
            "int x;\nint main(int argc, char **argv) {\n (void)argv;\n switch (argc) {\n case 1:\n  x = 1;\n  /* fall through */\n case 2:\n  x = 2; // FALLTHRU\n default: x++;\n }\n return 0;\n}\n",
        ),
        ("s.json", "{\"ltl\": \"F {x == 1}\"}"),
    ]);
    let ran = dir.run(&["instrument", "s.json", "p.c", "-o", "o.c"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    native(&dir, &["o.c"]);
}

/// Stores of functions without body were once modelled in programs of one file only: in others,
/// structures and targets of `void *` counted as unchanged.
#[test]
fn unknown_functions_store_as_in_one_file() {
    if !cbmc() {
        return;
    }
    let main = "void go(void);\nint main(void) {\n  go();\n  return 0;\n}\n";
    let rest = "struct pair { int a, b; };
void ext(struct pair *p);
void fill(void *p);
struct pair s, others[2];
void *where;
int x, kept;
void go(void) {
  where = &x;
  ext(&s);
  fill(where);
  ext(others);
  (void)kept;
}
";
    let dir = Dir::with(&[("main.c", main), ("rest.c", rest)]);
    for (formula, verdict) in [
        ("G {s.b != 5}", "false"),
        ("G {x != 5}", "false"),
        ("G {others[1].a != 5}", "false"),
        ("G {kept == 0}", "presumably_true"),
        ("F {s.a == 5}", "presumably_false"),
    ] {
        let (result, _) = dir.verify(&["--ltl", formula, "main.c", "rest.c"]);
        assert_eq!(result["verdict"], json!(verdict), "{formula}: {result}");
        assert_eq!(result["reason"], json!(null), "{formula}: {result}");
    }
    dir.write("s.json", r#"{"ltl": "G {s.b != 5} && G {x != 5}"}"#);
    let made = dir.run(&["instrument", "s.json", "main.c", "rest.c", "-o", "out"]);
    assert_eq!(made.status, 0, "{}", made.stderr);
    if installed("gcc") {
        let mut gcc = std::process::Command::new("gcc");
        gcc.current_dir(dir.path("out"))
            .args(["-Wall", "-Wextra", "-Werror", "-c", "main.c", "rest.c"]);
        let compiled = crate::support::ran(&mut gcc);
        assert_eq!(compiled.status, 0, "{}", compiled.stderr);
    }
}

/// The header declares the variable first; nevertheless, it is named after the file that defines
/// it.
#[test]
fn a_global_is_named_by_the_file_that_defines_it_though_a_header_declares_it() {
    let main = "#include \"s.h\"\nint main(void) { state = 2; return 0; }\n";
    let dir = Dir::with(&[
        ("s.h", "extern int state;\n"),
        ("s.c", "#include \"s.h\"\nint state = 1;\n"),
        ("m.c", main),
    ]);
    let args = [
        "verify",
        "--backend",
        "native",
        "--no-trace",
        "m.c",
        "s.c",
        "--ltl",
    ];
    for (file, status) in [("s.c", 0), ("s.h", 0), ("m.c", 3)] {
        let formula = format!("G {{{file}::state > 0}}");
        let ran = dir.run(&[&args[..], &[&formula]].concat());
        assert_eq!(ran.status, status, "{file}: {}", ran.stderr);
    }
}

/// The flags decide the sign of `char`, in the front end, model checkers and native runs.
#[test]
fn plain_char_is_as_signed_as_the_flags_say() {
    let text = "int big;\nint main(void)\n{\n    char c = (char)200;\n    big = c > 100;\n    return 0;\n}\n";
    let large = text.replace("(char)200", "'\\xc8'");
    let threads = "#include <pthread.h>\nint big;\nstatic void *sets(void *c)\n{\n    big = *(char *)c > 100;\n    return c;\n}\n\
        int main(void)\n{\n    char c = (char)200;\n    pthread_t t;\n    pthread_create(&t, 0, sets, &c);\n    pthread_join(t, 0);\n    return 0;\n}\n";
    let dir = Dir::with(&[("p.c", text), ("large.c", &large), ("threads.c", threads)]);
    let database = |flags: &[&str], name: &str| {
        let entry = |file: &str| {
            let arguments = [&["cc"], flags, &["-c", file]].concat();
            json!({ "directory": ".", "file": file, "arguments": arguments })
        };
        let entries: Vec<_> = ["p.c", "large.c", "threads.c"].map(entry).into();
        dir.write(name, json!(entries).to_string());
    };
    database(&["-fsigned-char", "-funsigned-char"], "unsigned.json");
    database(&["-funsigned-char", "-fsigned-char"], "signed.json");
    let given = |flags: &'static str, file: &'static str| {
        ["--ltl", "F {big == 1}", "--compile-commands", flags, file]
    };
    let native = |flags, file| {
        let args = [&given(flags, file)[..], &["--backend", "native"]].concat();
        dir.verify(&args).0["verdict"].clone()
    };
    if installed("gcc") {
        for file in ["p.c", "large.c"] {
            assert_eq!(native("unsigned.json", file), "true");
            assert_eq!(native("signed.json", file), "presumably_false");
        }
    }
    if !cbmc() {
        return;
    }
    let verdict = |args: &[&str]| dir.verify(args).0["verdict"].clone();
    assert_eq!(verdict(&given("unsigned.json", "p.c")), "true");
    assert_eq!(verdict(&given("signed.json", "p.c")), "presumably_false");
    let rounds = ["--schedules", "rounds:2"];
    let by_rounds = |flags| verdict(&[&given(flags, "threads.c")[..], &rounds].concat());
    assert_eq!(by_rounds("unsigned.json"), "true");
    assert_eq!(by_rounds("signed.json"), "presumably_false");
    // CBMC takes the constant as negative under both flags.
    let bounded = ["verify", "--engine", "bounded"];
    let refused = dir.run(&[&bounded[..], &given("unsigned.json", "large.c")].concat());
    assert_eq!(refused.status, 5, "{}", refused.stdout);
    assert!(refused.stdout.contains("0xff"), "{}", refused.stdout);
    // A woven file records the flags with which it was read.
    let spec = json!({
        "ltl": "F big",
        "pa": [{ "name": "big", "default": false, "cond": "big == 1", "span": ["_begin", "_end"] }]
    });
    dir.write("s.json", spec.to_string());
    let flags = ["--compile-commands", "unsigned.json", "-o", "out.c"];
    let woven = [&["instrument", "s.json", "p.c"], &flags[..]].concat();
    assert_eq!(dir.run(&woven).status, 0);
    assert_eq!(verdict(&["out.c"]), "true");
}

#[test]
fn one_program_has_one_char() {
    let dir = Dir::with(&[
        ("a.c", "extern char c;\nint main(void) { return c; }\n"),
        ("b.c", "char c = 1;\n"),
    ]);
    let database = json!([
        { "directory": ".", "file": "a.c", "command": "cc -funsigned-char -c a.c" },
        { "directory": ".", "file": "b.c", "command": "cc -fwrapv -c b.c" },
    ]);
    dir.write("db.json", database.to_string());
    let args = [
        "verify",
        "--ltl",
        "F {c == 2}",
        "--compile-commands",
        "db.json",
    ];
    let ran = dir.run(&args);
    assert_eq!(ran.status, 3, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("b.c:1:1") && ran.stderr.contains("`char` is unsigned in one file"),
        "{}",
        ran.stderr
    );
    // Native runs do not get `-fwrapv`; a note says so.
    assert!(ran.stderr.contains("-fwrapv"), "{}", ran.stderr);
}

/// A name in an assembler statement refers to the object of its own file: other files may have
/// namesakes.
#[test]
fn assembler_names_what_it_sees() {
    let helper = "static inline unsigned swap(unsigned state) {\n  __asm__(\"bswap %0\" : \"+r\"(state));\n  return state;\n}\n";
    let other = format!(
        "{helper}static int state;\nunsigned use(unsigned u) {{ state = 1; return swap(u); }}\n"
    );
    let main = "int state;\nunsigned use(unsigned u);\nint main(void) { state = (int) use(1); return 0; }\n";
    let spec = r#"{"ltl": "G {main.c::state == 0}"}"#;
    let dir = Dir::with(&[("main.c", main), ("other.c", &other), ("s.json", spec)]);
    let run = |main: &str| {
        dir.write("main.c", main);
        dir.run(&["check", "s.json", "main.c", "other.c"])
    };
    let accepted = run(main);
    assert_eq!(accepted.status, 0, "{}", accepted.stderr);
    let named = "int state;\nint main(void) {\n  __asm__(\"sarl $1, %0\" : \"=m\"(state));\n  return 0;\n}\n";
    let refused = run(named);
    assert_eq!(refused.status, 3, "{}", refused.stderr);
    let words = ["main.c:3:", "is named by an assembler statement"];
    assert!(
        words.iter().all(|w| refused.stderr.contains(w)),
        "{}",
        refused.stderr
    );
}
