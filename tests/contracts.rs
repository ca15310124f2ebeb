//! Functions of the C library in proofs: their results are what the standard allows, and no run that rests on such a result
//! refutes a formula.

use crate::support::{cbmc, ran, repository, Dir, AMPLE};
use serde_json::Value;

/// The answer to one formula, and the property as JSON.
fn prove(engine: &str, program: &str, formula: &str, more: &[&str]) -> (String, Value) {
    let dir = Dir::with(&[("prog.c", program)]);
    let mut all = vec!["prove", "--engine", engine, "--format", "json", "-q"];
    all.extend(["--budget", AMPLE, "--ltl", formula, "prog.c"]);
    all.extend(more);
    let out = ran(&mut dir.command(&all));
    let result: Value =
        serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"));
    let property = result["properties"][0].clone();
    (property["holds"].as_str().unwrap().to_string(), property)
}

/// A lift that reads the requests from lines of text: neither the loop of `atoi` nor the bytes of the line matter to a proof, and
/// each element of the queue is a floor.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn a_lift_stays_within_its_floors_and_stops() {
    if !cbmc() {
        return;
    }
    let text = std::fs::read_to_string(repository("tests/prove/queue_lift.c")).unwrap();
    let formulas = ["G({moving} -> F {!moving})", "G {floor >= 0 && floor <= 5}"];
    for formula in crate::support::sample(formulas, 2) {
        let (holds, property) = prove("induction", &text, formula, &[]);
        assert_eq!(holds, "proved", "{formula}: {property}");
    }
}

/// The contract of `atoi` allows more than it gives: what only the contract refutes is open, and what `atoi` gives refutes.
#[test]
fn no_refutation_rests_on_a_contract_alone() {
    if !cbmc() {
        return;
    }
    // The line has room for seven digits.
    let reads = "#include <stdio.h>\n#include <stdlib.h>\nint x;\nint main(void) {\n  char line[8];\n  \
                 while (fgets(line, sizeof line, stdin)) x = atoi(line) > 9999999;\n  while (1) { }\n}\n";
    let (holds, property) = prove("explicit", reads, "G {x == 0}", &[]);
    assert_eq!(holds, "unknown", "{property}");
    let reason = property["reason"].as_str().unwrap();
    assert!(reason.contains("contracts allow"), "{reason}");
    let program =
        "#include <stdlib.h>\nint x;\nint main(void) {\n  x = atoi(\"7\");\n  while (1) { }\n}\n";
    // A text that is known is read.
    let (holds, property) = prove("explicit", program, "G {x == 0 || x == 7}", &[]);
    assert_eq!(holds, "proved", "{property}");
    let few = ["--questions", "12"];
    let (holds, property) = prove("induction", program, "G {x == 0 || x == 7}", &few);
    assert_ne!(holds, "refuted", "{property}");
    let (holds, property) = prove("induction", program, "G {x == 0 || x == 8}", &few);
    assert_eq!(holds, "refuted", "{property}");
    let (holds, property) = prove("explicit", program, "G {x == 0 || x != 0}", &[]);
    assert_eq!(holds, "proved", "{property}");
}

/// The first characters of strings compare as they do, whatever comes behind them.
#[test]
fn short_strings_compare_as_they_do() {
    if !cbmc() {
        return;
    }
    let program = |first: &str, second: &str| {
        format!(
            "#include <string.h>\nint nondet_int(void);\nint x, n;\nchar word[8] = \"ab\";\nint main(void) {{\n  while (1) {{\n    \
             int in = nondet_int();\n    word[1] = in > 3 ? 'b' : 'c';\n    if ({first}) x = 1;\n    if ({second}) x = 2;\n    \
             n = (int)strlen(word);\n  }}\n}}\n"
        )
    };
    let rows = [
        ("0", "strcmp(word, \"ad\") >= 0", "G {x == 0}", "proved"),
        ("0", "memcmp(word, \"abx\", 2) > 0", "G {x != 1}", "proved"),
        ("0", "strncmp(word, \"az\", 1) != 0", "G {x == 0}", "proved"),
        (
            "0",
            "strncmp(word, \"az\", in & -1) != 0",
            "G {x == 0}",
            "refuted",
        ),
        ("0", "0", "G {n == 0 || n == 2}", "proved"),
        ("0", "strcmp(word, \"ac\") == 0", "G {x == 0}", "refuted"),
    ];
    for (first, second, formula, expected) in crate::support::sample(rows, 3) {
        let text = program(first, second);
        let (holds, property) = prove("induction", &text, formula, &["--questions", "24"]);
        assert_eq!(holds, expected, "{second} {formula}: {property}");
    }
}

/// A character is found where it stands in the first bytes of an array, and otherwise anywhere or nowhere in it.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn characters_are_found_in_their_array() {
    if !cbmc() {
        return;
    }
    let program = "#include <string.h>\nint nondet_int(void);\nint at = -1, other = -1;\nchar word[4] = \"ab\";\nint main(void) {\n  while (1) {\n    \
         word[1] = nondet_int() ? 'b' : '=';\n    char *p = strchr(word, '=');\n    at = p ? (int)(p - word) : -1;\n    \
         p = strrchr(word, 'a');\n    other = p ? (int)(p - word) : -1;\n  }\n}\n";
    for (formula, expected) in [
        ("G {at == -1 || at == 1}", "proved"),
        ("G {at == -1}", "refuted"),
        ("G {other >= -1 && other < 4}", "proved"),
        ("G {other == -1}", "refuted"),
    ] {
        let few = ["--questions", "24"];
        let (holds, property) = prove("induction", program, formula, &few);
        assert_eq!(holds, expected, "{formula}: {property}");
    }
}

/// Places in an array are bytes: with as many places as elements, `G {at < 4}` was proved.
#[test]
fn bytes_are_found_in_arrays_of_integers() {
    if !cbmc() {
        return;
    }
    let program = "#include <string.h>\nint nondet_int(void);\nint a[4], at = -1;\nint main(void) {\n  while (1) {\n    \
         a[3] = nondet_int() & 0x7f;\n    char *p = memchr(a, 7, sizeof a);\n    at = p ? (int)(p - (char *)a) : -1;\n  }\n}\n";
    for (engine, formula, expected) in [
        ("induction", "G {at < 16}", "proved"),
        ("induction", "G {at < 4}", "refuted"),
        ("explicit", "G {at < 4}", "refuted"),
    ] {
        let few = ["--questions", "24"];
        let (holds, property) = prove(engine, program, formula, &few);
        assert_eq!(holds, expected, "{engine} {formula}: {property}");
    }
}

/// Bytes on which nothing depends have one value, and so have arrays in which nothing is looked at.
#[test]
fn bytes_that_are_only_stored_have_one_value() {
    if !cbmc() {
        return;
    }
    let program = "#include <stdio.h>\n#include <stdlib.h>\nint on, last;\nint main(void) {\n  char line[16];\n  \
         while (1) {\n    if (fgets(line, sizeof line, stdin)) {\n      int in = atoi(line);\n      \
         if (in == 3) on = 1;\n      if (in == 4) on = 0;\n    }\n  }\n}\n";
    let (holds, property) = prove(
        "explicit",
        program,
        "G({on == 1} -> {on == 1} W {on == 0})",
        &[],
    );
    assert_eq!(holds, "proved", "{property}");
    let states = property["proof"]["explored"]["states"].as_u64().unwrap();
    assert!(states < 10, "{property}");
}

/// A condition tests the bounds of an input before it calls a function: its values outside the bounds are one class.
#[test]
fn bounds_that_are_tested_before_a_call_are_bounds() {
    if !cbmc() {
        return;
    }
    let program = |condition: &str| {
        format!("int nondet_int(void);\nint sum, limit = 3;\nstatic int fits(int v) {{ return v + sum <= limit; }}\nint main(void) {{\n  while (1) {{\n    int v = nondet_int();\n    if ({condition}) sum = sum + v;\n    if (sum == 3) sum = 0;\n  }}\n}}\n")
    };
    let formula = "G {sum >= 0 && sum <= 3}";
    let (holds, property) = prove(
        "explicit",
        &program("v >= 0 && v <= 3 && fits(v)"),
        formula,
        &[],
    );
    assert_eq!(holds, "proved", "{property}");
    let (holds, property) = prove(
        "explicit",
        &program("fits(v) && v >= 0 && v <= 3"),
        formula,
        &[],
    );
    assert_eq!(holds, "unknown", "{property}");
}

/// A line is cut at its end and taken apart by `sscanf`: neither the place of the end nor the characters of the word multiply the
/// states. Where the first character is looked at behind the cut, the line may be empty or not, and never begins with its end.
#[test]
fn lines_that_are_cut_and_scanned_are_decided() {
    if !cbmc() {
        return;
    }
    let scanned = "#include <stdio.h>\n#include <string.h>\nint volume = 5, power;\nint main(void) {\n  char line[100];\n  \
         while (fgets(line, sizeof line, stdin)) {\n    char word[16];\n    int v = 0;\n    line[strcspn(line, \"\\n\")] = '\\0';\n    \
         if (strcmp(line, \"quit\") == 0) break;\n    int n = sscanf(line, \"%15s %d\", word, &v);\n    \
         if (n >= 1 && strcmp(word, \"on\") == 0) power = 1;\n    \
         else if (n == 2 && strcmp(word, \"volume\") == 0 && power && v >= 0 && v <= 10) volume = v;\n  }\n  return 0;\n}\n";
    let (holds, property) = prove("explicit", scanned, "G {volume >= 0 && volume <= 10}", &[]);
    assert_eq!(holds, "proved", "{property}");
    let states = property["proof"]["explored"]["states"].as_u64().unwrap();
    assert!(states < 100, "{property}");
    let begins = "#include <stdio.h>\n#include <string.h>\nint empty, some, wrong;\nint main(void) {\n  char line[8];\n  \
         while (fgets(line, sizeof line, stdin)) {\n    line[strcspn(line, \"\\n\")] = 0;\n    \
         if (line[0] == 0) empty = 1;\n    else some = 1;\n    if (line[0] == '\\n') wrong = 1;\n  }\n  return 0;\n}\n";
    for formula in ["G {empty == 0}", "G {some == 0}"] {
        let (holds, property) = prove("explicit", begins, formula, &[]);
        assert_eq!(holds, "refuted", "{formula}: {property}");
    }
    let (holds, property) = prove("explicit", begins, "G {wrong == 0}", &[]);
    assert_ne!(holds, "refuted", "{property}");
}
