//! State machines over calls and returns (`.ya`) as properties.
#![allow(clippy::unwrap_used)]

use crate::support::{cbmc, Dir};

/// A lock is taken and given back in turn.
const LOCK: &str = "/* A lock. */
%init: start;
%accept: end;
%deterministic;
start:  { CALL(main) } -> open ;
open:   { CALL(take) } -> taking
      | { RETURN(main) } -> end ;
taking: { RETURN(take) && held == 1 } -> locked
      | { RETURN(take) && !(held == 1) } -> open ; // it was not there
locked: { CALL(give) } -> giving ;
giving: { RETURN(give) } -> open ;
end:    -> end ;
";

fn program(body: &str) -> String {
    format!(
        "int nondet_int(void);
int held;
void take(void) {{ held = nondet_int() & 1; }}
void give(void) {{ held = 0; }}
int main(void)
{{
{body}
    return 0;
}}
"
    )
}

/// The answer, and the states of the run that shows it.
fn asked(machine: &str, program: &str, arguments: &[&str]) -> serde_json::Value {
    let dir = Dir::with(&[("p.c", program), ("lock.ya", machine)]);
    let (result, _) = dir.verify(&[&["lock.ya", "p.c"], arguments].concat());
    result["properties"][0].clone()
}

#[test]
fn a_machine_is_followed_by_all_runs_or_not() {
    let right = "for (int i = 0; i < 2; i++) { take(); if (held) give(); }";
    let twice = "take(); take(); if (held) give();";
    let kept = "take();";
    let loops = "for (;;) { take(); if (held) give(); }";
    let others = "for (;;) { take(); give(); }";
    for (body, holds) in [
        (right, "proved"),
        (twice, "refuted"),
        (kept, "refuted"),
        (loops, "proved"),
        (others, "refuted"),
    ] {
        let found = asked(LOCK, &program(body), &["--engine", "explicit"]);
        assert_eq!(found["name"], "lock", "{found}");
        assert_eq!(found["holds"], holds, "{body} {found}");
    }
    if !cbmc() {
        return;
    }
    for (body, holds) in [(right, "proved"), (twice, "refuted"), (kept, "refuted")] {
        let found = asked(LOCK, &program(body), &["--unwind", "3", "--no-trace"]);
        assert_eq!(found["holds"], holds, "{body} {found}");
    }
}

#[test]
fn choices_are_followed_at_once() {
    // Which of the two, the second call decides.
    let machine = "%init: S;
S: { CALL(main) } -> A | { CALL(main) } -> B;
A: { CALL(take) } -> A | { RETURN(take) } -> C | other -> A;
B: { COR(give) } -> D | { RETURN(main) } -> B;
C: { CALL(take) } -> A | { !CALL(take) && !CALL(give) } -> C;
D: { COR(give) || RETURN(main) } -> D;
";
    for (body, holds) in [
        ("take(); take();", "proved"),
        ("give(); give();", "proved"),
        ("take(); give();", "refuted"),
        // The first state takes any other event.
        ("give(); take();", "proved"),
        ("", "proved"),
    ] {
        let found = asked(
            machine,
            &program(body),
            &["--engine", "explicit", "--no-trace"],
        );
        assert_eq!(found["holds"], holds, "{body} {found}");
    }
}

/// Sequences of events, with how often each comes; `f()` is a call and its return.
#[test]
fn guards_may_be_sequences() {
    let machine = |guard: &str| format!("%init: S;\n%accept: E;\nS: {{ {guard} }} -> E;\nE: -> E;");
    let take_give = "[ CALL(main); take(); give(); RETURN(main) ]";
    let held = "[ CALL(main); take(){{held == 1}}; give(); RETURN(main) ]";
    let many = "[ CALL(main); [ take(); give() ]+; take()?; RETURN(main) ]";
    let exactly = "[ main( take(){2}; give(){,1} ) ]";
    let endless = "[ CALL(main); [ take(); give() ]* ; COR(take) ]";
    let rows = [
        (take_give, "take(); give();", "proved"),
        (take_give, "take();", "refuted"),
        (take_give, "take(); give(); give();", "refuted"),
        (held, "take(); give();", "refuted"),
        (held, "do take(); while (0); held = 1; give();", "refuted"),
        (many, "take(); give(); take(); give();", "proved"),
        (many, "take(); give(); take();", "proved"),
        (many, "take(); take();", "refuted"),
        (many, "", "refuted"),
        (exactly, "take(); take();", "proved"),
        (exactly, "take(); take(); give();", "proved"),
        (exactly, "take();", "refuted"),
        (exactly, "take(); take(); give(); give();", "refuted"),
        (endless, "for (;;) { take(); give(); }", "proved"),
        (endless, "for (;;) { give(); }", "refuted"),
    ];
    for (guard, body, holds) in crate::support::sample(rows, 3) {
        let found = asked(
            &machine(guard),
            &program(body),
            &["--engine", "explicit", "--no-trace"],
        );
        assert_eq!(found["holds"], holds, "{guard} {body} {found}");
    }
}

#[test]
fn what_is_not_understood_is_refused_where_it_stands() {
    for (machine, message, place) in [
        (
            "%init: S;\nS: { [ CALL(main)*; take()? ] } -> S;",
            "no event may be enough",
            "2:5",
        ),
        (
            "%init: S;\nS: { [ CALL(main){3,2} ] } -> S;",
            "the smaller one",
            "2:19",
        ),
        (
            "%init: S;\nS: { take().x > 0 } -> S;",
            "`take` has no parameter `x`",
            "2:13",
        ),
        (
            "%init: S;\nS: { give().\\result > 0 } -> S;",
            "the function returns no number",
            "2:14",
        ),
        ("%init: S;\nS: { \\result > 0 } -> S;", "whose?", "2:6"),
        (
            "%init: S;\nS: { !(take().\\result > 0) } -> S;",
            "not there at each event",
            "2:8",
        ),
        (
            "%init: S;\nS: { main().\\result > nowhere } -> S;",
            "no variable `nowhere` at file scope",
            "2:23",
        ),
        (
            "%init: S;\nS: { take().\\result > *held } -> S;",
            "pointers are not followed",
            "2:23",
        ),
        (
            "%init: S;\nS: { take().\\result / held > 0 } -> S;",
            "a divisor is a number",
            "2:21",
        ),
        (
            "%init: S;\n$x: int;\nS: -> S;",
            "a machine with variables has no choices",
            "1:1",
        ),
        (
            "%init: S;\n$x: float;\nS: -> S;",
            "an integer, not `float`",
            "2:5",
        ),
        (
            "%init: S;\nS: { CALL(main) } $x := 1; -> S;",
            "no variable `$x`",
            "2:20",
        ),
        (
            "%init: S;\n%deterministic;\n$x: int;\nS: { CALL(main) } $x := take().\\result; -> S;",
            "this value is not there",
            "4:25",
        ),
        (
            "%init: S;\n%deterministic;\n$x: int;\n$y: int;\nS: { CALL(main) } $x := 1; $y := $x; -> S;",
            "assigns to the variable before",
            "5:34",
        ),
        (
            "%init: S;\n%deterministic;\n$x: int;\nS: { [ take()* ; give() ] } -> S;",
            "repeats no events",
            "4:4",
        ),
        (
            "%init: S;\nS: { CALL(main) } -> T;",
            "the state `T` has no transitions",
            "2:22",
        ),
        (
            "%init: S;\nS: -> S;\nS: -> S;",
            "the state `S` is there twice",
            "3:1",
        ),
        ("%reject: S;\nS: -> S;", "the option `%reject`", "1:2"),
        ("S: -> S;", "no initial state", "1:1"),
        (
            "%init: S;\nS: { CALL(nowhere) } -> S;",
            "no function `nowhere`",
            "2:11",
        ),
        (
            "%init: S;\nS: { CALL(main) } { x = 1; } -> S;",
            "expected `->`",
            "2:19",
        ),
    ] {
        let dir = Dir::with(&[("p.c", &program("take();")), ("lock.ya", machine)]);
        let refused = dir.run(&["check", "lock.ya", "p.c"]);
        assert_eq!(refused.status, 3, "{machine}: {refused:?}");
        assert!(
            refused.stderr.contains(message),
            "{machine}: {}",
            refused.stderr
        );
        assert!(
            refused.stderr.contains(&format!("lock.ya:{place}")),
            "{machine}: {}",
            refused.stderr
        );
    }
    // Nothing returns where `exit` ends the run.
    let leaves = "#include <stdlib.h>\nvoid f(void) { exit(1); } int main(void) { f(); return 0; }";
    let machine = "%init: S;\nS: { RETURN(f) || CALL(f) } -> S | other -> S;";
    let dir = Dir::with(&[("p.c", leaves), ("lock.ya", machine)]);
    let refused = dir.run(&["check", "lock.ya", "p.c"]);
    assert_eq!(refused.status, 3, "{refused:?}");
    assert!(
        refused.stderr.contains("left without one"),
        "{}",
        refused.stderr
    );
    // Calls of a function that calls itself cannot be told apart.
    let recursive =
        "int down(int n) { return n > 0 ? down(n - 1) : 0; } int main(void) { return down(2); }";
    let machine = "%init: S;\nS: { CALL(down) || RETURN(down) } -> S | other -> S;";
    let dir = Dir::with(&[("p.c", recursive), ("lock.ya", machine)]);
    let refused = dir.run(&["check", "lock.ya", "p.c"]);
    assert_eq!(refused.status, 3, "{refused:?}");
    assert!(
        refused.stderr.contains("several activations of `down`"),
        "{}",
        refused.stderr
    );
}

/// Parameters, results and variables of the machine: what is given out is what is given back.
#[test]
fn guards_read_the_data_of_calls() {
    let machine = "%init: start;
%accept: end;
%deterministic;
$got : int;
start:  { CALL(main) } -> idle ;
idle:   { take().n >= 0 } -> taking | { RETURN(main) && main().\\result == 0 } -> end;
taking: { RETURN(take) && take().\\result > limit && take().\\result == take().n + 1 }
             $got := take().\\result; -> has
      | { take().\\return == 0 } $got := 0; -> has ;
has:    { CALL(give) && give().k == $got } -> gives ;
gives:  { RETURN(give) } -> idle ;
end:    -> end ;
";
    let machine = machine.replace("\\\\", "\\");
    let program = |taken: &str, given: &str, last: &str| {
        format!(
            "int nondet_int(void);
int status, limit = 3;
int take(int n) {{ n++; if (n > limit) return {taken}; return 0; }}
void give(int k) {{ status = 0; if (k) return; status = 1; }}
int main(void)
{{
    int x = nondet_int();
    if (x < 0 || x > 4) return 0;
    for (int i = 0; i < 2; i++) {{
        int taken = take(x);
        give({given});
    }}
    return {last};
}}
"
        )
    };
    let rows = [
        ("n", "taken", "0", "proved"),
        ("n", "taken + 1", "0", "refuted"),
        ("n + 1", "taken", "0", "refuted"),
        ("n", "taken", "x == 3", "refuted"),
    ];
    for (taken, given, last, holds) in rows {
        let text = program(taken, given, last);
        let found = asked(&machine, &text, &["--engine", "explicit", "--no-trace"]);
        assert_eq!(found["holds"], holds, "{taken} {given} {last} {found}");
    }
    if !cbmc() {
        return;
    }
    for (taken, given, last, holds) in rows.into_iter().take(2) {
        let text = program(taken, given, last);
        let found = asked(&machine, &text, &["--unwind", "3", "--no-trace"]);
        assert_eq!(found["holds"], holds, "{taken} {given} {last} {found}");
    }
}

/// Names in double braces are parameters first, and a machine that reads data follows no threads.
#[test]
fn names_at_a_call_are_its_parameters() {
    let program = |argument: &str| {
        format!(
            "int n = 7; int half(int n) {{ return n / 2; }}
int main(void) {{ int r = half({argument}); return r < 0; }}
"
        )
    };
    let machine = "%init: S;\n%accept: E;\nS: { [ CALL(main); half {{ n == 4 }}(){{ \\result == 2 }}; RETURN(main) ] } -> E;\nE: -> E;";
    for (argument, holds) in [("4", "proved"), ("7", "refuted"), ("5", "refuted")] {
        let arguments = ["--engine", "explicit", "--no-trace"];
        let found = asked(machine, &program(argument), &arguments);
        assert_eq!(found["holds"], holds, "{argument} {found}");
    }
    let threads = "#include <pthread.h>
int half(int n) { return n / 2; }
void *run(void *a) { half(4); return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); pthread_join(t, 0); return 0; }
";
    let machine = "%init: S;\nS: { half().n == 4 } -> S | other -> S;";
    let dir = Dir::with(&[("p.c", threads), ("lock.ya", machine)]);
    let refused = dir.run(&["check", "lock.ya", "p.c"]);
    assert_eq!(refused.status, 3, "{refused:?}");
    let said = &refused.stderr;
    assert!(said.contains("follows no threads"), "{said}");
    assert!(said.contains("lock.ya:2:6"), "{said}");
    // Which of two static variables is meant cannot be told.
    let first = "static int limit = 2; int half(int n); int main(void) { return half(4) > limit; }";
    let second = "static int limit = 9; int half(int n) { return n > limit ? limit : n / 2; }";
    let machine = "%init: S;\nS: { half().n == limit } -> S | other -> S;";
    let dir = Dir::with(&[("p.c", first), ("q.c", second), ("lock.ya", machine)]);
    let refused = dir.run(&["check", "lock.ya", "p.c", "q.c"]);
    assert_eq!(refused.status, 3, "{refused:?}");
    let said = &refused.stderr;
    assert!(
        said.contains("several files have a static `limit`"),
        "{said}"
    );
    assert!(said.contains("lock.ya:2:18"), "{said}");
}
