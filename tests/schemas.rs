//! Real results conform to the published schema, and SARIF reports to the SARIF standard.
#![allow(clippy::unwrap_used)]

use crate::support::{cbmc, repository, schema, Dir};
use serde_json::Value;

/// The schema that the program publishes.
fn published() -> Value {
    let ran = Dir::new().run(&["init", "--result-schema"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn a_schema_finds_what_is_wrong() {
    let schema = published();
    let wrong: Value =
        serde_json::from_str(r#"{"tool": {"name": "other"}, "properties": 1, "surplus": 2}"#)
            .unwrap();
    let errors = schema::errors(&schema, &wrong);
    for part in ["$.tool", "$.properties", "$.surplus", "required"] {
        assert!(
            errors.iter().any(|e| e.contains(part)),
            "{part}: {errors:?}"
        );
    }
}

#[test]
fn every_result_is_as_the_schema_says() {
    if !cbmc() {
        return;
    }
    let schema = published();
    let sarif: Value = serde_json::from_str(
        &std::fs::read_to_string(repository("tests/sarif.schema.json")).unwrap(),
    )
    .unwrap();
    let lock = "#include <pthread.h>\n#include <stdio.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint x;\nvoid *w(void *p) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); x = 1; return p; }\nint main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); return 0; }\n";
    let input = "#include <stdio.h>\nint x;\nint main(void) { int n = 0; while (1) { if (scanf(\"%d\", &n) != 1) break; x = n == 4; } return 0; }\n";
    let list = r#"{ "properties": [ { "name": "a", "ltl": "G !p", "expect": "violated" }, { "name": "b", "ltl": "F p" } ],
        "reach": [ "there" ], "pa": [ { "name": "p", "default": false, "cond": "x == 1", "span": ["_begin", "_end"] } ] }"#;
    let labelled = "int x;\nint main(void) {\n  x = 1;\nthere:\n  x = 2;\n  return 0;\n}\n";
    let divides = "int x;\nint main(void) {\n  x = 2;\n  return 1 / (x - 2);\n}\n";
    let cases: [(&str, &[&str]); 9] = [
        (divides, &["--ltl", "G {x != 2}", "p.c", "--also-safety"]),
        (lock, &["--ltl", "F {x == 1}", "p.c"]),
        (input, &["--ltl", "G {x == 0}", "p.c", "--unwind", "2"]),
        (
            input,
            &["--ltl", "G F {x == 1}", "p.c", "--unwind", "2", "--lasso"],
        ),
        (
            input,
            &["--ltl", "G F {x == 1}", "p.c", "--bounds", "1,2", "--trace"],
        ),
        (labelled, &["s.json", "p.c", "--trace", "--also-safety"]),
        (labelled, &["s.json", "p.c", "--levels", "separate"]),
        (labelled, &["s.json", "p.c", "--timeout", "0.001"]),
        (
            labelled,
            &["s.json", "p.c", "--backend", "native", "--trace"],
        ),
    ];
    for (program, args) in crate::support::sample(cases, 2) {
        let dir = Dir::with(&[("p.c", program), ("s.json", list)]);
        let (json, status) = dir.verify(args);
        assert_eq!(
            schema::errors(&schema, &json),
            Vec::<String>::new(),
            "{args:?}"
        );
        assert!([0, 5, 10].contains(&status), "{args:?}: {status}");
        let text = dir
            .run(&[&["verify", "--format", "sarif"], args].concat())
            .stdout;
        let report: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            schema::errors(&sarif, &report),
            Vec::<String>::new(),
            "{args:?}"
        );
    }
}
