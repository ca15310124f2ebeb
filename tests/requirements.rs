//! Requirements in structured English, and formulas in words.

use serde_json::Value;

use crate::support::{cbmc, Dir};

const PUMP: &str = "int nondet_int(void); int motor, level, overheated;
int main(void) { for (;;) { overheated = nondet_int() & 1; motor = !overheated; if (level < 5) level++; } }
";

fn json(dir: &Dir, args: &[&str]) -> (Value, i32) {
    let ran = dir.run(&[args, &["--format", "json"]].concat());
    let value = serde_json::from_str(&ran.stdout);
    (value.unwrap_or_else(|e| panic!("{e}: {ran:?}")), ran.status)
}

#[test]
fn requirements_are_verified_under_their_ids() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[
        ("p.c", PUMP),
        ("r.txt", "LEVEL: The pump shall always satisfy level <= 5.\nHEAT: When overheated, the pump shall immediately satisfy motor.\n"),
    ]);
    let arguments = [
        "--requirements",
        "r.txt",
        "p.c",
        "--unwind",
        "2",
        "--report",
        "out",
    ];
    let (result, status) = dir.verify(&arguments);
    assert_eq!(status, 10, "{result}");
    let sentence = "The pump shall always satisfy level <= 5.";
    assert_eq!(result["properties"][0]["requirement"], sentence);
    // The table that traces each requirement to its formula and its answer.
    let page = dir.read("out/report.html");
    for part in ["id=\"traceability\"", "level &#60;= 5", "HEAT</a>", "p.c:2"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(dir.read("out/report.csv").contains(sentence));
    let junit = dir.read("out/report.xml");
    assert!(junit.contains("<property name=\"requirement\""), "{junit}");
    assert!(dir
        .read("out/report.sarif")
        .contains("shall immediately satisfy motor"));
    let told = verdicts(&result);
    assert_eq!(told, [("LEVEL", "presumably_true"), ("HEAT", "false")]);
}

/// Internal variables and modes of an export stand for their expressions, and the number of the letter before is compared.
#[test]
fn exports_with_definitions_are_verified() {
    let export = r#"{ "requirements": [
        { "reqid": "STEP", "fulltext": "The tank shall always satisfy level - preInt(0, level) <= STEP" },
        { "reqid": "FULL", "fulltext": "In full mode the tank shall always satisfy level >= preInt(0, level) | held" }
    ], "variables": [
        { "variable_name": "STEP", "idType": "Internal", "dataType": "integer", "assignment": "2 - 1" },
        { "variable_name": "full", "idType": "Mode", "modeRequirement": "level >= LAST" },
        { "variable_name": "LAST", "idType": "Internal", "assignment": "6" },
        { "variable_name": "level", "idType": "Output", "assignment": "" }
    ] }"#;
    let program = "int nondet_int(void);\nint level, held;\nint main(void)\n{\n    for (;;) {\n        held = nondet_int() & 1;\n        level = held ? 0 : (level + 1) & 7;\n    }\n}\n";
    let dir = Dir::with(&[("tank.json", export), ("tank.c", program)]);
    let (told, status) = json(&dir, &["requirements", "tank.json"]);
    assert_eq!(status, 0, "{told}");
    let full = &told["requirements"][1]["ltl"];
    let wanted = "({level >= 6} -> {level >= 0} || held) && G(let pre_level = {level} in X({level >= 6} -> {level >= pre_level} || held))";
    assert_eq!(full, wanted);
    let arguments = ["verify", "--requirements", "tank.json", "tank.c"];
    let (result, _) = json(&dir, &arguments);
    let told = verdicts(&result);
    assert_eq!(
        told,
        [("STEP", "presumably_true"), ("FULL", "presumably_true")]
    );
    dir.write("wrong.json", export.replace("2 - 1", "STEP + 1"));
    let ran = dir.run(&["requirements", "wrong.json"]);
    assert!(ran.stderr.contains("stands for itself"), "{}", ran.stderr);
}

/// The names of requirements with their verdicts.
fn verdicts(result: &Value) -> Vec<(&str, &str)> {
    let all = result["properties"].as_array().unwrap().iter();
    all.map(|p| (p["name"].as_str().unwrap(), p["verdict"].as_str().unwrap()))
        .collect()
}

/// Internal variables belong to a component, look back as in Lustre, and are left to the program where they cannot be read.
#[test]
fn exports_with_lustre_are_verified() {
    let export = r#"{ "requirements": [
        { "reqid": "UP", "fulltext": "tank shall always satisfy was_low => level <= last + LIMIT" },
        { "reqid": "DOWN", "fulltext": "drain shall always satisfy level >= last - LIMIT" },
        { "reqid": "TABLE", "fulltext": "drain shall always satisfy level = table | level <= 7" }
    ], "variables": [
        { "component_name": "tank", "variable_name": "last", "idType": "Internal", "assignment": "0 -> pre level" },
        { "component_name": "tank", "variable_name": "was_low", "idType": "Internal", "assignment": "false -> pre (level < 3)" },
        { "component_name": "tank", "variable_name": "LIMIT", "idType": "Internal", "assignment": "1" },
        { "component_name": "drain", "variable_name": "last", "idType": "Internal", "assignment": "7 -> pre level" },
        { "component_name": "drain", "variable_name": "LIMIT", "idType": "Internal", "assignment": "6" },
        { "component_name": "drain", "variable_name": "table", "idType": "Internal", "assignment": "1 -> pre ( 2 -> pre ( 3 ) )" },
        { "project": "p", "modeldoc": true, "variable_name": "Rudder Trim", "dataType": ["double"], "dimensions": [1, 1] }
    ] }"#;
    let program =
        "int level, table;\nint main(void)\n{\n    for (;;)\n        level = (level + 1) & 7;\n}\n";
    let dir = Dir::with(&[("tank.json", export), ("tank.c", program)]);
    let arguments = ["verify", "--requirements", "tank.json", "tank.c"];
    let (result, _) = json(&dir, &arguments);
    let told = verdicts(&result);
    // Seven falls to zero: more than a drain may take, and less than a tank may get.
    assert_eq!(
        told,
        [
            ("UP", "presumably_true"),
            ("DOWN", "false"),
            ("TABLE", "presumably_true")
        ]
    );
    let ran = dir.run(&["requirements", "tank.json"]);
    let warning = "`table` is taken for a variable of the program";
    assert_eq!(ran.stderr.matches(warning).count(), 1, "{}", ran.stderr);
}

/// The export is a list, or an object that has the list besides variables.
#[test]
fn exports_of_fret_are_read() {
    let list = r#"[ { "reqid": "A-1", "project": "p", "fulltext": "In cruise mode, upon button the car shall at the next timepoint satisfy speed <= 10", "semantics": {} } ]"#;
    let dir = Dir::with(&[
        ("list.json", list),
        (
            "object.json",
            &format!(r#"{{ "requirements": {list}, "variables": [] }}"#),
        ),
    ]);
    for file in ["list.json", "object.json"] {
        let (told, status) = json(&dir, &["requirements", file]);
        assert_eq!(status, 0, "{told}");
        let one = &told["requirements"][0];
        assert_eq!((&one["id"], &one["scope"]), (&"A-1".into(), &"in".into()));
        assert_eq!(
            (&one["condition"], &one["timing"]),
            (&"regular".into(), &"next".into())
        );
    }
}

#[test]
fn requirements_are_compared() {
    let dir = Dir::with(&[
        (
            "against.txt",
            "A: The x shall always satisfy p.\nB: The x shall eventually satisfy !p.\n",
        ),
        (
            "twice.txt",
            "A: The x shall always satisfy p.\nB: The x shall immediately satisfy p.\n",
        ),
        (
            "bad.txt",
            "A: The x shall always satisfy p.\nB: The x shall within.\n",
        ),
    ]);
    let ran = dir.run(&["requirements", "against.txt"]);
    assert_eq!(ran.status, 10, "{ran:?}");
    let (told, status) = json(&dir, &["requirements", "twice.txt"]);
    assert_eq!(status, 0, "{told}");
    assert_eq!(
        told["together"]["implied"].as_array().map(Vec::len),
        Some(1),
        "{told}"
    );
    let ran = dir.run(&["requirements", "bad.txt"]);
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(ran.stderr.contains("bad.txt:2:"), "{}", ran.stderr);
}

#[test]
fn formulas_are_said_in_words() {
    let dir = Dir::new();
    let ran = dir.run(&["explain", "G (a -> X b)", "G (a -> F b)"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    for part in [
        "at the next letter `b` holds",
        "class      safety",
        "the first implies the second",
    ] {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    let ran = dir.run(&["explain", "!(a U b)", "!a R !b"]);
    assert!(ran.stdout.contains("equivalent"), "{}", ran.stdout);
    assert_eq!(dir.run(&["explain", "G (a ->"]).status, 3);
}

/// Functions of numbers that the program does not have; one that it has is the program's.
#[test]
fn numbers_are_compared_by_functions() {
    let program = "int x, y; unsigned u = 5; long n;
int max(int a, int b) { return a; }
int main(void) { x = -3; y = 2; n = 7; x = 1; return 0; }";
    let dir = Dir::with(&[("p.c", program)]);
    let decided = |formula: &str| {
        let (told, _) = json(&dir, &["verify", "--ltl", formula, "p.c", "--unwind", "1"]);
        told["properties"][0]["holds"].as_str().map(str::to_owned)
    };
    for (formula, holds) in [
        ("G {abs(x) <= 3}", "proved"),
        ("G {abs(x) <= 2}", "refuted"),
        ("F {abs(x - y) == 5}", "proved"),
        (
            "G {min(x, n) <= max(x, y) && min(min(y, 4), abs(-1)) <= 1}",
            "proved",
        ),
        ("F {max(x, y) == -3}", "proved"),
        ("G {fabs(u) == 5}", "proved"),
    ] {
        assert_eq!(decided(formula).as_deref(), Some(holds), "{formula}");
    }
    for (formula, message) in [
        ("G {min(x) < 3}", "`min` takes 2 parameters"),
        ("G {abs() < 3}", "`abs` takes 1 parameter"),
        ("G {abs(x = 1) < 3}", "`=` changes an object"),
        ("G {abs(abs(abs(abs(abs(x))))) < 3}", "within 4 calls"),
        ("G {avg(x, y) < 3}", "no function `avg`"),
    ] {
        let ran = dir.run(&["check", "--ltl", formula, "p.c"]);
        assert_eq!(ran.status, 3, "{formula}");
        assert!(ran.stderr.contains(message), "{formula}: {}", ran.stderr);
    }
}

/// A macro means in a condition what it means in the program, parentheses or not.
#[test]
fn macros_with_parameters_are_read_in_conditions() {
    let program = "#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define TWICE(x) x * 2
#define BIT(n) (1u << (n))
#define READY (flags & BIT(SHIFT))
#define SHIFT 2
#define FULL(s) ((s)->level >= MAX(LIMIT, 1))
#define LIMIT 3
#define NAMED(x) dev.x ## el
#define NOTHING() 1
#define SUM x + y
enum { OFF, ON };
struct S { int mode, level; } dev; unsigned flags; int x, y;
int main(void) { x = 3; y = 2; flags = 4; dev.level = 3; dev.mode = ON; return 0; }
";
    let holding = [
        "G {MAX(x, y) <= 3}",
        "F {MAX(MAX(x, y), 1) == 3}",
        "F {TWICE(x + 1) == 5}",
        "F {READY}",
        "G {!READY || MAX(flags, BIT(1)) == BIT(SHIFT)}",
        "F {FULL(&dev)}",
        "G {NOTHING() == 1}",
        "F {dev.mode == ON}",
        "F {SUM * 2 == 7}",
    ];
    let properties: Vec<Value> = (holding.iter().enumerate())
        .map(|(n, ltl)| serde_json::json!({"name": n.to_string(), "ltl": ltl}))
        .collect();
    let spec = serde_json::json!({ "properties": properties }).to_string();
    let dir = Dir::with(&[("p.c", program), ("s.json", &spec)]);
    let (told, _) = json(&dir, &["verify", "s.json", "p.c", "--unwind", "1"]);
    for (n, formula) in holding.iter().enumerate() {
        assert_eq!(
            told["properties"][n]["holds"], "proved",
            "{formula}: {told}"
        );
    }
    for (formula, message) in [
        ("F {MAX(x) == 3}", "the macro `MAX` takes 2 parameters"),
        ("F {NAMED(lev) == 3}", "the macro `NAMED` makes new names"),
        ("F {MAX(x, z) == 3}", "no variable `z`"),
        ("G ({ON} -> {x < 5})", "`ON` is a constant of the program"),
    ] {
        let ran = dir.run(&["check", "--ltl", formula, "p.c"]);
        assert_eq!(ran.status, 3, "{formula}");
        assert!(ran.stderr.contains(message), "{formula}: {}", ran.stderr);
    }
}

/// What a predicate counts is not what a clock counts.
#[test]
fn temporal_predicates_are_verified() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[
        ("p.c", PUMP),
        (
            "r.txt",
            "KEPT: The pump shall always satisfy if overheated then persisted(0, !motor).\n\
             PAST: The pump shall always satisfy at the previous occurrence of level = 5, overheated.\n",
        ),
        ("clock.json", r#"{ "clock": "level" }"#),
    ]);
    let (result, _) = dir.verify(&["--requirements", "r.txt", "p.c", "--unwind", "4"]);
    let verdicts: Vec<&str> = (0..2)
        .map(|at| result["properties"][at]["verdict"].as_str().unwrap())
        .collect();
    // The motor is stopped one letter after the heat.
    assert_eq!(verdicts, ["false", "presumably_true"], "{result}");
    let arguments = ["verify", "--requirements", "r.txt", "clock.json", "p.c"];
    let ran = dir.run(&arguments);
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(
        ran.stderr.contains("the clock does not measure"),
        "{}",
        ran.stderr
    );
}

/// The steps of many monitors that count letters stand once, not in the function of each event.
#[test]
fn many_requirements_that_count_have_little_text() {
    let names: Vec<String> = (0..66).map(|n| format!("p{n}")).collect();
    let program = format!(
        "int {};\nint main(void) {{ p0 = 1; return 0; }}\n",
        names.join(", ")
    );
    let scopes = ["", "only after p2,", "when not in p2 mode,", "before p2,"];
    let timings = ["within 3 ticks", "for 9 ticks"];
    let sentence = |n: usize| {
        let (scope, timing) = (scopes[n % 4], timings[n / 4 % 2]);
        format!(
            "{scope} when p{n}, the x shall {timing} satisfy p{}\n",
            (n + 7) % 66
        )
    };
    let list: String = (0..66).map(sentence).collect();
    let dir = Dir::with(&[("p.c", &program), ("r.txt", &list)]);
    let ran = dir.run(&[
        "instrument",
        "--requirements",
        "r.txt",
        "p.c",
        "-o",
        "out.c",
    ]);
    assert_eq!(ran.status, 0, "{ran:?}");
    let text = dir.read("out.c");
    assert!(text.contains("ba_step_all();"), "{} bytes", text.len());
    assert!(text.len() < 2_000_000, "{} bytes", text.len());
}
