//! The arguments of the command line: strings, the same wherever they are read.
#![allow(clippy::unwrap_used)]

use crate::support::{cbmc, Dir, AMPLE};

const OPTIONS: &str = "#include <string.h>
int verbose, quiet, files, n;
int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], \"-v\") == 0) verbose = 1;
    if (argc > 1 && strcmp(argv[1], \"-q\") == 0) quiet = 1;
    if (argc > 2) n = argv[2][0];
    return 0;
}
";

/// What is read of an argument is one string: it is not `-v` for one comparison and `-q` for the next. The run that a
/// violation shows has it, rests on nothing undefined, and is repeated by the real program.
#[test]
fn an_argument_is_the_same_string_at_each_read() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", OPTIONS)]);
    let asked = ["verify", "--engine", "bounded", "--timeout", AMPLE, "p.c"];
    let both = dir.run(&[&asked[..], &["--ltl", "G {!(verbose && quiet)}"]].concat());
    assert!(
        both.stdout.contains("ltl: presumably true, proved"),
        "{both:?}"
    );

    let one = ["--ltl", "G {verbose == 0}", "--format", "json"];
    let one = dir.run(&[&asked[..], &one].concat());
    assert!(one.stdout.contains("\"verdict\": \"false\""), "{one:?}");
    assert!(!one.stdout.contains("dead object"), "{one:?}");
    dir.write("r.json", &one.stdout);
    let replayed = dir.run(&["replay", "r.json"]);
    assert_eq!(replayed.status, 0, "{replayed:?}");
}

/// So it is with threads, whose program has its arguments from a sequential one.
#[test]
fn an_argument_is_the_same_string_for_threads() {
    if !cbmc() {
        return;
    }
    let program = "#include <pthread.h>
#include <string.h>
int verbose, quiet, level;
static void *work(void *p) { level++; return 0; }
int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], \"-v\") == 0) verbose = 1;
    if (argc > 1 && strcmp(argv[1], \"-q\") == 0) quiet = 1;
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
";
    let dir = Dir::with(&[("p.c", program)]);
    let asked = ["verify", "--unwind", "4", "--timeout", AMPLE, "p.c"];
    let both = dir.run(&[&asked[..], &["--ltl", "G {!(verbose && quiet)}"]].concat());
    assert!(
        both.stdout.contains("ltl: presumably true, proved"),
        "{both:?}"
    );
    let one = dir.run(&[&asked[..], &["--ltl", "G {quiet == 0}"]].concat());
    assert!(one.stdout.contains("ltl: false, refuted"), "{one:?}");
}

const LEVELS: &str = "#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int verbose, quiet, level, slow;
int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], \"-v\") == 0) verbose = 1;
    if (argc > 1 && strcmp(argv[1], \"-q\") == 0) quiet = 1;
    if (argc > 2) { int l = atoi(argv[2]); level = l > 99 ? 99 : l < 0 ? 0 : l; }
    if (argc > 3 && strlen(argv[3]) > 2) slow = 1;
    for (;;) {
        int c = getchar();
        if (c == '+' && level < 99) level++;
        if (c == 'q') break;
    }
    return 0;
}
";

/// Asks the search of all states about `p.c`, all formulas in one run, each with what is expected of it.
fn all_states_say(dir: &Dir, formulas: &[(&str, &str)]) {
    let mut asked = vec!["verify", "--engine", "explicit", "--format", "json", "p.c"];
    formulas
        .iter()
        .for_each(|(f, _)| asked.extend(["--ltl", f]));
    let out = dir.run(&asked);
    let result: serde_json::Value = serde_json::from_str(&out.stdout).unwrap();
    for (n, (formula, expected)) in formulas.iter().enumerate() {
        let property = &result["properties"][n];
        assert_eq!(property["holds"], *expected, "{formula}: {property}");
    }
}

/// The search of all states has the texts that a program compares its arguments with, the numbers that matter to it, and any other
/// text, of which it knows only what it chose: no formula is refuted by what two calls say of that one.
#[test]
fn all_states_have_all_arguments() {
    let dir = Dir::with(&[("p.c", LEVELS)]);
    let formulas = [
        ("G {level >= 0 && level <= 99}", "proved"),
        ("G {!(verbose && quiet)}", "proved"),
        ("G ({quiet} -> G {!verbose})", "proved"),
        ("G {!verbose}", "refuted"),
        ("G {level != 99}", "refuted"),
        // No text is known that is longer than two characters.
        ("G {!slow}", "unknown"),
    ];
    all_states_say(&dir, &formulas);
}

/// `getopt` gives its options in any order, and any arguments of theirs: a proof stands, and a violation that rests on it is none.
#[test]
fn all_states_have_options_by_contract() {
    let text = "#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int level = 1, help, ran, last, both;
int main(int argc, char *argv[])
{
    int opt, before = 0;
    while ((opt = getopt(argc, argv, \"vl:\")) != -1) {
        if (before == 2) last = 1;
        switch (opt) {
        case 'v': help = 1; break;
        case 'l': { int l = atoi(optarg); if (l >= 1 && l <= 9) level = l; break; }
        default: fprintf(stderr, \"usage: %s\\n\", argv[0]); return 1;
        }
        before = optind;
    }
    if (optind == 5 && last) both = 1;
    ran = !help;
    return 0;
}
";
    let dir = Dir::with(&[("p.c", text)]);
    let formulas = [
        ("G {level >= 1 && level <= 9}", "proved"),
        ("G ({help} -> G {!ran})", "proved"),
        ("G {level == 1}", "unknown"),
        // What the library remembers is a part of the state.
        ("G {!last}", "unknown"),
        ("G {!both}", "unknown"),
    ];
    all_states_say(&dir, &formulas);
}

/// A run does not come back to a state in a call of `getopt`, which goes on to the next option: options end.
#[test]
fn options_do_not_go_on_for_ever() {
    let text = "#include <unistd.h>
int ready, v;
int main(int argc, char *argv[])
{
    int opt;
    while ((opt = getopt(argc, argv, \"v\")) != -1) if (opt == 'v') v = 1;
    ready = 1;
    return 0;
}
";
    let dir = Dir::with(&[("p.c", text)]);
    let out = dir.run(&["verify", "--lasso", "--ltl", "F {ready}", "p.c"]);
    assert_eq!(out.status, 3, "{out:?}");
    let why = "`getopt` remembers where it is in the arguments";
    assert!(out.stderr.contains(why), "{out:?}");
}

/// What is read of an argument otherwise ends that search.
#[test]
fn all_states_need_arguments_that_contracts_speak_of() {
    let reads = [
        "if (argc > 1 && argv[1][0] == '-') n = 1;",
        "for (int i = 1; i < argc; i++) if (argv[i]) n = 1;",
        "char text[9] = \"\"; if (argc > 1) strncpy(text, argv[1], 8); if (text[0] == 'x') n = 1;",
        "char **all = argv; if (argc > 1) n = all[1] != 0;",
        "if (strcmp(argv[1], \"-v\") == 0) n = 0;",
    ];
    for read in reads {
        let text = format!(
            "#include <string.h>\nint n;\nint main(int argc, char **argv)\n{{\n    {read}\n    return 0;\n}}\n"
        );
        let dir = Dir::with(&[("p.c", &text)]);
        let asked = ["verify", "--engine", "explicit", "--format", "json", "p.c"];
        let out = dir.run(&[&asked[..], &["--ltl", "G {n == 0}"]].concat());
        assert!(!out.stdout.contains("\"proved\""), "{read}: {out:?}");
    }
}

/// A number in an argument, which may have any length, is followed for some characters; a longer one is cut there, as a loop is.
#[test]
fn a_number_in_an_argument_is_followed_for_some_characters() {
    if !cbmc() {
        return;
    }
    let program = "#include <stdlib.h>
char *end; long n; char next;
int main(int argc, char **argv)
{
    if (argc < 2) return 1;
    n = strtol(argv[1], &end, 10);
    next = *end;
    return 0;
}
";
    let dir = Dir::with(&[("p.c", program)]);
    let asked = ["verify", "--unwind", "1", "--timeout", AMPLE, "p.c"];
    let never = dir.run(&[&asked[..], &["--ltl", "G {next < '0' || next > '9'}"]].concat());
    let (verdict, cut) = (
        "ltl: presumably true, cannot say",
        "longer runs were cut at `strtol(argv[1], &end, 10)`",
    );
    assert!(never.stdout.contains(verdict), "{never:?}");
    assert!(never.stdout.contains(cut), "{never:?}");
    let sometimes = dir.run(&[&asked[..], &["--ltl", "G {n != 4711}"]].concat());
    assert!(
        sometimes.stdout.contains("ltl: false, refuted"),
        "{sometimes:?}"
    );
}
