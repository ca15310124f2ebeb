#![allow(clippy::unwrap_used)]
use super::*;

#[test]
fn a_task_for_each_case_and_backend() {
    let directory = tempfile::tempdir().unwrap();
    for file in ["a.c", "b.c", "s.json", "l.txt"] {
        std::fs::write(directory.path().join(file), file).unwrap();
    }
    let text = r#"{ "unwind": [8, 2, 8], "backends": ["cbmc", "esbmc"], "args": ["--timeout", "60"],
        "cases": [ { "files": ["a.c"], "spec": "s.json", "properties": ["l.txt"] },
                   { "name": "second", "files": ["b.c"], "ltl": "G {x}", "unwind": [3],
                     "backends": ["cbmc"], "args": ["--no-trace"] } ] }"#;
    let manifest = Manifest::read(text).unwrap();
    let list = tasks(&manifest, directory.path()).unwrap();
    let names: Vec<(&str, &str)> = list.iter().map(|t| (&*t.name, &*t.backend)).collect();
    assert_eq!(
        names,
        [("a.c", "cbmc"), ("a.c", "esbmc"), ("second", "cbmc")]
    );
    let place = directory.path().display().to_string();
    let arguments = list[0].arguments.join(" ").replace(&place, "DIR");
    assert_eq!(
        arguments,
        "verify DIR/s.json DIR/a.c --properties DIR/l.txt --backend cbmc --bounds 2,8 --timeout 60"
    );
    assert!(list[2]
        .arguments
        .join(" ")
        .ends_with("--ltl G {x} --backend cbmc --bounds 3 --timeout 60 --no-trace"));

    std::fs::write(directory.path().join("l.txt"), "changed").unwrap();
    let again = tasks(&manifest, directory.path()).unwrap();
    assert_ne!(again[0].id, list[0].id, "another input is another task");
    assert_eq!(again[2].id, list[2].id);
    std::fs::remove_file(directory.path().join("b.c")).unwrap();
    let error = tasks(&manifest, directory.path()).unwrap_err();
    assert!(error.to_string().contains("b.c"), "{error}");
}

#[test]
fn what_is_wrong_with_a_manifest() {
    let cases = [
        ("{", (1, 1), "EOF"),
        (r#"{"case": []}"#, (1, 7), "unknown field `case`"),
        (r#"{"cases": []}"#, (0, 0), "`cases` is empty"),
        (r#"{"cases": [{"files": []}]}"#, (0, 0), "has no `files`"),
        (r#"{"cases": [{"files": ["a.c"]}]}"#, (0, 0), "needs one of"),
        (
            r#"{"cases": [{"files": ["a.c"], "ltl": "1", "spec": "s"}]}"#,
            (0, 0),
            "`ltl` beside",
        ),
        (
            r#"{"unwind": [0], "cases": [{"files": ["a.c"], "ltl": "1"}]}"#,
            (0, 0),
            "is 0",
        ),
        (
            r#"{"backends": [], "cases": [{"files": ["a.c"], "ltl": "1"}]}"#,
            (0, 0),
            "no backend",
        ),
    ];
    for (text, place, words) in cases {
        let problem = Manifest::read(text).unwrap_err();
        assert!(problem.message.contains(words), "{text}: {problem}");
        assert_eq!((problem.line, problem.column), place, "{text}: {problem}");
    }
}
