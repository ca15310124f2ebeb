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
