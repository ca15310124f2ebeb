//! `verify` without a bound: all engines that apply, one answer, and who decided it.

use serde_json::Value;

use crate::support::{cbmc, ran, Dir};

/// A buffer that never overflows, for ever.
const RING: &str = "int nondet_int(void);\nint buffer[4], head, tail, count;\n\
    int main(void) {\n  for (;;) {\n    int c = nondet_int();\n\
    \x20   if (c == 1 && count < 4) { buffer[head] = c; head = (head + 1) % 4; count++; }\n\
    \x20   else if (c == 2 && count > LEAST) { tail = (tail + 1) % 4; count--; }\n  }\n}\n";

/// The result of the question with these options, and the exit status.
fn asked(program: &str, more: &[&str]) -> (Value, i32) {
    let dir = Dir::with(&[("p.c", program)]);
    let engine = match more.contains(&"--engine") {
        true => &[][..],
        false => &["--engine", "auto"][..],
    };
    dir.verify(&[&["p.c", "-DLEAST=0", "--no-trace"], engine, more].concat())
}

fn engines(property: &Value) -> Vec<&str> {
    let tried = property["tried"].as_array().into_iter().flatten();
    tried.filter_map(|t| t["engine"].as_str()).collect()
}

/// A table that is filled in front of the loop that matters cuts every run at a smaller bound.
#[test]
fn loops_that_count_to_a_constant_are_followed_to_their_ends() {
    if !cbmc() {
        return;
    }
    let program = "int table[12], n; int in(void);\n\
        int main(void) { for (int i = 0; i < 12; i++) table[i] = -1; while (in()) n++; return 0; }\n";
    let (free, _) = asked(
        program,
        &["--engine", "bounded,lasso", "--ltl", "G {n < 4}"],
    );
    assert_eq!(free["properties"][0]["holds"], "refuted", "{free}");
    // Who asks for a bound gets it for all loops.
    let (bound, _) = asked(
        program,
        &["--engine", "bounded", "--unwind", "5", "--ltl", "G {n < 4}"],
    );
    assert_eq!(bound["properties"][0]["holds"], "unknown", "{bound}");
    assert_eq!(bound["complete"], false, "{bound}");
}

#[test]
fn each_property_has_the_engine_that_decided_it() {
    if !cbmc() {
        return;
    }
    let spec = r#"{"properties": [
        {"name": "full", "ltl": "G {count <= 4}"},
        {"name": "never", "ltl": "G {count != 1}"},
        {"name": "empty", "ltl": "G F {count == 0}"}]}"#;
    let dir = Dir::with(&[("p.c", RING), ("s.json", spec)]);
    let (result, status) = dir.verify(&["s.json", "p.c", "-DLEAST=0", "--engine", "auto"]);
    assert_eq!(status, 10, "{result}");
    let of = |name: &str| {
        let all = result["properties"].as_array().unwrap();
        all.iter().find(|p| p["name"] == name).unwrap().clone()
    };
    let full = of("full");
    assert_eq!(
        (&full["verdict"], &full["holds"]),
        (&"presumably_true".into(), &"proved".into())
    );
    assert!(
        ["explicit", "induction"].contains(&full["decided_by"].as_str().unwrap()),
        "{full}"
    );
    let never = of("never");
    assert_eq!(
        (&never["verdict"], &never["holds"]),
        (&"false".into(), &"refuted".into())
    );
    assert!(!never["trace"].as_array().unwrap().is_empty(), "{never}");
    let empty = of("empty");
    assert_eq!(
        (&empty["verdict"], &empty["holds"]),
        (&"false".into(), &"refuted".into())
    );
    for property in [full, never, empty] {
        assert!(
            engines(&property).contains(&property["decided_by"].as_str().unwrap()),
            "{property}"
        );
    }
}

#[test]
fn engines_can_be_picked_and_agree() {
    if !cbmc() {
        return;
    }
    let holds = |engine: &str, formula: &str| {
        let (result, _) = asked(RING, &["--engine", engine, "--ltl", formula]);
        let property = result["properties"][0].clone();
        (property["holds"].as_str().unwrap().to_owned(), property)
    };
    let (got, property) = holds("explicit", "G {count >= 0}");
    assert_eq!(
        (got.as_str(), engines(&property)),
        ("proved", vec!["explicit"]),
        "{property}"
    );
    let (got, property) = holds("induction", "G {count >= 0}");
    assert_eq!(
        (got.as_str(), engines(&property)),
        ("proved", vec!["induction"]),
        "{property}"
    );
    let (got, property) = holds("bounded,explicit", "G {count < 2}");
    assert_eq!(got, "refuted", "{property}");
    // A bound is that of the bounded search, which has no other engines beside it.
    let (result, _) = asked(
        RING,
        &[
            "--ltl",
            "G {count >= 0}",
            "--engine",
            "bounded",
            "--unwind",
            "3",
        ],
    );
    let property = &result["properties"][0];
    assert_eq!(
        (&property["holds"], &property["tried"]),
        (&"unknown".into(), &Value::Null),
        "{property}"
    );
}

#[test]
fn what_the_user_cannot_have_is_told() {
    let dir = Dir::with(&[("p.c", RING)]);
    for (words, part) in [
        (
            &["--engine", "magic"][..],
            "the engines are bounded, rounds",
        ),
        (
            &["--engine", "explicit", "--bounds", "1,2"],
            "--bounds is about a bounded search",
        ),
        (
            &["--engine", "steps"],
            "does not apply to a program with no threads",
        ),
        (
            &["--unwind", "3", "--fairness", "weak"],
            "--fairness is about infinite runs",
        ),
    ] {
        if !cbmc() && words.contains(&"steps") {
            continue;
        }
        let base = ["verify", "--ltl", "G {count >= 0}", "p.c", "-DLEAST=0"];
        let out = ran(&mut dir.command(&[&base[..], words].concat()));
        assert_eq!(out.status, 2, "{words:?}: {out:?}");
        assert!(out.stderr.contains(part), "{words:?}: {out:?}");
    }
}

/// Where nothing decides, the answer says what each engine tried, and `--require proved` is not met.
#[test]
fn what_stands_in_the_way_is_told() {
    if !cbmc() {
        return;
    }
    let program = "unsigned long nondet_ulong(void);\nunsigned long x = 1;\n\
        int main(void) { for (;;) { unsigned long a = nondet_ulong(); x = x * a * a + 6 * a + 1; } }\n";
    let formula = "G {x != 12345678901}";
    let all = ["--ltl", formula, "--engine", "explicit"];
    let (result, status) = asked(program, &[&all[..], &["--require", "proved"]].concat());
    let property = &result["properties"][0];
    assert_eq!(
        (&property["holds"], status),
        (&"unknown".into(), 5),
        "{property}"
    );
    assert_eq!(property["decided_by"], Value::Null);
    assert_eq!(engines(property), ["explicit"]);
    let said = property["tried"][0]["said"].as_str().unwrap();
    assert!(
        said.contains("few values") && said.contains("p.c:3"),
        "{said}"
    );
    let (_, status) = asked(
        RING,
        &[
            "--ltl",
            "G {count >= 0}",
            "--engine",
            "explicit",
            "--require",
            "proved",
        ],
    );
    assert_eq!(status, 0);
}
