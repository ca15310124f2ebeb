//! Differences of a clock and time stamps in the search of all states (`crates/explicit/src/classes/ages.rs`).
//!
//! `BAPRODUCT_CASES=20` checks twenty times as many generated programs; `BAPRODUCT_SEED=7` checks others.
#![allow(clippy::unwrap_used)]

use crate::support::{cases, number, repository, Dir};
use serde_json::{json, Value};
use std::collections::BTreeMap;

/// What the search of all states says of each property.
fn answers(program: &str, spec: &str) -> BTreeMap<String, (String, String)> {
    answers_by("explicit", program, spec)
}

/// What an engine says of each property.
fn answers_by(engine: &str, program: &str, spec: &str) -> BTreeMap<String, (String, String)> {
    let dir = Dir::with(&[("p.c", program), ("s.json", spec)]);
    let engine: &[&str] = &["--engine", engine, "--vacuity", "none"];
    let (result, _) = dir.verify(&[engine, &["s.json", "p.c"]].concat());
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let properties = result["properties"].as_array().unwrap().iter();
    let answer = |p: &Value| (text(&p["holds"]), text(&p["reason"]));
    properties.map(|p| (text(&p["name"]), answer(p))).collect()
}

fn read(name: &str) -> String {
    std::fs::read_to_string(repository(&format!("tests/time/{name}"))).unwrap()
}

/// The programs, and for each a fault with the property that it violates.
const PROGRAMS: [(&str, &str, &str, &str); 3] = [
    (
        "boiler",
        "else if (passed(entered, IGNITION))",
        "else if (passed(entered, IGNITION + 2))",
        "ignition",
    ),
    (
        "door",
        "#define TRAVEL   120u",
        "#define TRAVEL   125u",
        "travel",
    ),
    (
        "pump",
        "if (demand && elapsed(stopped, MIN_OFF))",
        "if (demand && elapsed(entered, MIN_OFF / 6))",
        "rest",
    ),
];

/// A state for each value of a clock of 32 bits would be too many.
#[test]
fn programs_with_time_stamps_are_decided() {
    for (name, right, wrong, violated) in PROGRAMS {
        let (program, spec) = (read(&format!("{name}.c")), read(&format!("{name}.json")));
        let found = answers(&program, &spec);
        assert_eq!(found.len(), 5, "{name}");
        for (property, answer) in &found {
            assert_eq!(answer.0, "proved", "{name} {property}: {}", answer.1);
        }
        let faulty = program.replacen(right, wrong, 1);
        assert_ne!(faulty, program, "{name}");
        let found = answers(&faulty, &spec);
        for (property, answer) in &found {
            let expected = ["proved", "refuted"][usize::from(property == violated)];
            assert_eq!(answer.0, expected, "{name} {property}: {}", answer.1);
        }
    }
}

/// What holds until the clock has gone round does not hold: after 256 ticks a stamp of eight bits is new again.
#[test]
fn a_clock_goes_round() {
    let program = |ty: &str| {
        format!(
            "extern int nondet_int(void);\nunsigned {ty} now, since;\nint over, began;\nint main(void)\n{{\n    for (;;) {{\n        now++;\n        \
             if (nondet_int() & 1) over = (unsigned {ty})(now - since) >= 20;\n        if (!began) {{ began = 1; since = now; }}\n    }}\n}}\n"
        )
    };
    let spec = json!({ "ltl": "G({over} -> G {over})" }).to_string();
    let answer = |program: &str| answers(program, &spec).into_values().next().unwrap();
    assert_eq!(answer(&program("char")).0, "refuted");
    // No run of this size is visited, and none without the round violates the formula.
    let (holds, why) = answer(&program("int"));
    assert_eq!(holds, "unknown");
    assert!(why.contains("until the clock has gone round"), "{why}");
    let still = program("int").replace("now++;", "");
    assert_eq!(answer(&still).0, "proved");
}

/// After a flame that does not come, gas may flow again before its rest is over: the time of the last rest is old when it is
/// asked for, but the loop behind needs no old stamp, although the first one that is met reads one.
#[test]
fn a_loop_without_old_stamps_is_found_behind_one_with_them() {
    let spec = json!({
        "clock": "now",
        "trace": { "mode": "sample", "at": ["tick"] },
        "ltl": "G(!{gas} && Y({gas} && !{locked}) -> G[<=39 ticks] !{gas})",
    });
    is_refuted(&read("boiler.c"), &spec);
}

/// Numbers that are not differences tell states apart that differ by a shift.
#[test]
fn a_clock_whose_value_is_asked_is_no_age() {
    for (what, formula) in [
        ("if (now == 200) bad = 1;", "G {!bad}"),
        ("if (now < since) bad = 1;", "G {!bad}"),
        ("if (now - since >= 3) since = 0;", "G {now - since < 3}"),
        ("if (now & 128) bad = 1;", "G {!bad}"),
    ] {
        let program = format!(
            "extern int nondet_int(void);\nunsigned char now, since;\nint bad;\nint main(void)\n{{\n    for (;;) {{\n        now++;\n        \
             {what}\n        if (nondet_int() & 1) since = now;\n        if ((unsigned char)(now - since) > 9) since = now;\n    }}\n}}\n"
        );
        let spec = json!({ "ltl": formula }).to_string();
        let found = answers(&program, &spec);
        let answer = found.values().next().unwrap();
        assert_eq!(answer.0, "refuted", "{what}: {}", answer.1);
    }
}

/// Each program has a fault that a wrong reduction to ages does not see.
fn is_refuted(program: &str, spec: &Value) {
    for (name, answer) in answers(program, &spec.to_string()) {
        assert_eq!(answer.0, "refuted", "{name}: {}", answer.1);
    }
}

/// A stamp that is never taken is no part of the state, but grows older: states that differ in its age were one, and faults behind
/// them not found.
#[test]
fn a_stamp_that_nothing_writes_grows_older() {
    let program = "extern int nondet_int(void);
unsigned char now = 250, since, other;
int mode, in;
int main(void)
{
    for (;;) {
        in = nondet_int() & 1;
        now++;
        if (mode == 1) since = other;
        if (mode == 1 && (unsigned char)(now - since) != 6) { mode = 0; since = now; }
        if (mode == 2 && (unsigned char)(now - other) > 0) { mode = 2; since = now; }
        if (mode == 1 && !in && (unsigned char)(now - since) != 4) { mode = 2; since = other; }
        if ((unsigned char)(now - since) <= 7) { mode = 1; since = now; }
    }
}
";
    is_refuted(program, &json!({ "ltl": "G {mode != 2}" }));
}

/// The clock of the formulas is a proposition of the woven program, whose value tells states apart that differ by a shift.
#[test]
fn the_clock_of_formulas_is_no_proposition_of_a_state() {
    let program = "extern int nondet_int(void);
unsigned char now, since;
int mode, in;
int main(void)
{
    for (;;) {
        in = nondet_int() & 1;
        if (mode == 1 && (unsigned char)(now - since) >= 3) mode = 2;
        if (mode == 0 && in && (unsigned char)(now - since) >= 6) { mode = 1; since = now; }
        now += in ? 1 : 2;
    }
}
";
    let properties = [
        "G {mode != 2}",
        "G({mode == 0} -> G[<=6 ticks] {mode == 0})",
        "G({mode == 1} -> G[<=4 ticks] {mode == 1})",
    ];
    let properties = properties.map(|ltl| json!({ "ltl": ltl }));
    is_refuted(
        program,
        &json!({ "clock": "now", "properties": properties }),
    );
}

/// A number that is stored in a stamp has another age each time, because the clock may have any value then.
#[test]
fn stamps_that_are_numbers_have_no_ages() {
    for stored in ["at = (struct times){ 0 };", "reset();", "at.since = 0;"] {
        let program = "extern int nondet_int(void);
struct times { unsigned char since; } at;
unsigned char now;
int bad, in;
static void reset(void) { at.since = 0; }
int main(void)
{
    reset();
    for (;;) {
        in = nondet_int() & 1;
        now++;
        if ((unsigned char)(now - at.since) == 3) at.since = now;
        if (in && now == at.since) {
            STORED
            if ((unsigned char)(now - at.since) == 6) bad = 1;
            at.since = now;
        }
    }
}
";
        let program = program.replace("STORED", stored);
        is_refuted(&program, &json!({ "ltl": "G {!bad}" }));
    }
}

/// A clock of eight bits goes round before the fault: what is found with old stamps is no run, and all ages are visited.
#[test]
fn faults_behind_a_round_of_the_clock_are_found() {
    let program = "extern int nondet_int(void);
unsigned char now, since, other;
int mode, in;
int main(void)
{
    for (;;) {
        in = nondet_int() & 1;
        if (in && (unsigned char)(now - since) != 1) { mode = 1; since = now; }
        if (mode == 1 && !in) { mode = 2; since = now; }
        if (mode == 0 && in && (unsigned char)(now - other) != 0) { mode = 2; other = now; since = other; }
        now += in ? 1 : 2;
    }
}
";
    let formulas = [
        "G({mode == 1} -> {(unsigned char)(now - since) <= 8})",
        "G({(unsigned char)(now - since) > 9} -> F {mode == 2})",
    ];
    let properties = formulas.map(|ltl| json!({ "ltl": ltl }));
    is_refuted(program, &json!({ "properties": properties }));
}

/// What is stored before the first loop, in `main` or in a function that it calls there, is in the first state: any number.
#[test]
fn numbers_that_are_stored_before_all_loops_are_times() {
    let program = "extern int nondet_int(void);
unsigned now, since;
int on, in;
static void prepared(void) { since = 7; }
int main(void)
{
    prepared();
    for (;;) {
        in = nondet_int() & 1;
        now++;
        if (on && now - since >= 5) on = 0;
        if (!on && in && now - since >= 20) { on = 1; since = now; }
    }
}
";
    let spec = json!({ "clock": "now", "ltl": "G({on} -> F[<=6 ticks] {!on})" }).to_string();
    let answer = answers(program, &spec).into_values().next().unwrap();
    assert_eq!(answer.0, "proved", "{}", answer.1);
}

/// What is left until a deadline is a signed number, whichever way it is computed; a clock of `main` is one, too.
#[test]
fn deadlines_are_ages() {
    let program = "#include <stdint.h>
extern int nondet_int(void);
OUTSIDE
int on, in;
int main(void)
{
    INSIDE
    for (;;) {
        in = nondet_int() & 1;
        now++;
        if (on && STOPS) { on = 0; rest = now + 50u; }
        if (!on && in && STARTS) { on = 1; until = now + 120u; }
    }
}
";
    let times = "uint32_t now = 0, until = 0, rest = 0;";
    let after = ["(int32_t)(now - until) >= 0", "(int32_t)(now - rest) > 0"];
    let left = ["(int32_t)(until - now) <= 0", "0 > (int32_t)(rest - now)"];
    for (outside, inside, [stops, starts]) in
        [(times, "", after), (times, "", left), ("", times, after)]
    {
        let program = program
            .replace("OUTSIDE", outside)
            .replace("INSIDE", inside)
            .replace("STOPS", stops)
            .replace("STARTS", starts);
        let is_local = outside.is_empty();
        let spec = match is_local {
            true => json!({ "properties": [
                { "name": "stops", "ltl": "G({on} -> F {!on})" },
                { "name": "starts", "ltl": "G({!on} -> F {on})" },
            ] }),
            false => json!({ "clock": "now", "properties": [
                { "name": "stops", "ltl": "G({on} -> F[<=121 ticks] {!on})" },
                { "name": "starts", "ltl": "G({on} -> F[<=110 ticks] {!on})" },
            ] }),
        };
        let found = answers(&program, &spec.to_string());
        for (name, expected) in [("stops", "proved"), ("starts", "refuted")] {
            let (holds, why) = &found[name];
            assert_eq!(holds, expected, "{stops} {name}: {why}");
        }
    }
}

/// How old a stamp can be is guessed from constants; here more is known only when ages are compared.
#[test]
fn durations_may_be_computed() {
    let program = "extern int nondet_int(void);
unsigned now, since, duration = 10;
int on, in;
int main(void)
{
    for (;;) {
        in = nondet_int() & 1;
        now++;
        if (on && now - since >= duration) {
            on = 0;
            since = now;
            if (duration < 80) duration *= 2;
        }
        if (!on && in && now - since > 5) { on = 1; since = now; if (nondet_int() & 1) duration = 10; }
    }
}
";
    let spec = |most: u32| {
        let ltl = format!("G({{on}} -> F[<={most} ticks] {{!on}})");
        json!({ "clock": "now", "ltl": ltl }).to_string()
    };
    let answer = |most| answers(program, &spec(most)).into_values().next().unwrap();
    assert_eq!(answer(80).0, "proved", "{}", answer(80).1);
    is_refuted(program, &serde_json::from_str(&spec(79)).unwrap());
}

/// Where two ages are compared with each other, the clock may have gone round since either stamp was taken.
#[test]
fn ages_are_compared_with_each_other() {
    let program = "extern int nondet_int(void);
unsigned char now, first, second;
int bad, in, age;
int main(void)
{
    for (;;) {
        in = nondet_int() & 1;
        now++;
        if (in && age < 3) { age++; if (age == 1) first = now; if (age == 3) second = now; }
        if (age == 3 && (unsigned char)(now - first) < (unsigned char)(now - second)) bad = 1;
    }
}
";
    is_refuted(program, &json!({ "ltl": "G {!bad}" }));
}

/// A small generator of numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }
}

/// A machine of three modes with a clock of eight bits; the first program's times are ages, the second one takes an address.
fn generated(numbers: &mut Numbers) -> ([String; 2], String) {
    const AGE: &str = "(unsigned char)(now - since)";
    let mut rules = String::new();
    for _ in 0..2 + numbers.below(4) {
        let mode = numbers.below(3);
        let input = numbers.one(&["in", "!in", "1"]);
        let (op, limit) = (numbers.one(&[">=", ">", "<", "=="]), numbers.below(9));
        let age = match numbers.below(6) {
            0 => format!("old(since, {limit})"),
            1 => format!("{AGE} {op} {limit}"),
            2 => format!("{AGE} {op} duration"),
            3 => format!("(signed char)(now - since) {op} 0"),
            4 => format!("(signed char)(since - now) {op} -1"),
            _ => "1".to_owned(),
        };
        let stamps = ["since = now;", "since = now + 5;", "duration += 2;", ""];
        let (next, stamp) = (numbers.below(3), numbers.one(&stamps));
        rules += &format!(
            "        if (mode == {mode} && {input} && {age}) {{ mode = {next}; {stamp} }}\n"
        );
    }
    let tick = numbers.one(&["now++;", "now += 3;", "now = now + 1;", "if (in) now++;"]);
    let first = numbers.one(&["", " = 250"]);
    let program = |more: &str| {
        format!(
            "extern int nondet_int(void);\nunsigned char now{first}, since, duration = 3;\nint mode, in;\n{more}\
             static int old(unsigned char of, unsigned char limit) {{ return (unsigned char)(now - of) >= limit; }}\n\
             int main(void)\n{{\n    for (;;) {{\n        in = nondet_int() & 1;\n        {tick}\n{rules}    }}\n}}\n"
        )
    };
    let formulas = [
        "G {mode != 2}".to_owned(),
        "G({mode == 1} -> F {mode != 1})".to_owned(),
        "G F {mode == 0}".to_owned(),
        format!("G({{mode == 1}} -> {{{AGE} <= {}}})", 2 + numbers.below(9)),
        format!(
            "G({{mode == 1}} -> F[<={} ticks] {{mode != 1}})",
            1 + numbers.below(9)
        ),
    ];
    let properties = formulas.iter().enumerate();
    let properties: Vec<Value> = properties
        .map(|(n, ltl)| json!({ "name": format!("p{n}"), "ltl": ltl }))
        .collect();
    let spec = json!({ "clock": "now", "properties": properties }).to_string();
    let address = "unsigned char *where(void) { return &now; }\n";
    ([program(""), program(address)], spec)
}

/// Where all values of the clock can be visited, the answers are the same.
#[test]
fn ages_decide_what_all_times_decide() {
    compared(cases(4), &generated, "explicit");
}

/// Compares the answers for a program whose times are ages with those for one whose times are numbers.
fn compared(count: usize, generated: &dyn Fn(&mut Numbers) -> ([String; 2], String), engine: &str) {
    let seed = number("BAPRODUCT_SEED", 0) as u64;
    let (mut same, mut open) = (0, 0);
    for case in 0..count as u64 {
        let mut numbers = Numbers(1 + case + 1_000_000 * seed);
        let ([ages, times], spec) = generated(&mut numbers);
        let expected = answers_by(engine, &times, &spec);
        for (name, (holds, why)) in answers_by(engine, &ages, &spec) {
            let (truth, _) = &expected[&name];
            match (holds.as_str(), truth.as_str()) {
                ("unknown", _) | (_, "unknown") => open += 1,
                (holds, truth) => {
                    assert_eq!(holds, truth, "{name} {why}\n{spec}\n{ages}");
                    same += 1;
                }
            }
        }
    }
    assert!(open * 20 <= same, "{open} of {same}");
}

/// A main loop that takes stamps of a clock of eight bits which a handler advances; the second program takes the clock's address.
fn interrupted(numbers: &mut Numbers) -> ([String; 2], String) {
    const AGE: &str = "(unsigned char)(now - since)";
    let mut rules = String::new();
    for _ in 0..1 + numbers.below(3) {
        let (mode, next) = (numbers.below(3), numbers.below(3));
        let (op, limit) = (numbers.one(&[">=", ">", "<"]), numbers.below(5));
        let age = match numbers.below(4) {
            0 => format!("(unsigned char)(t - since) {op} {limit}"),
            1 => format!("(unsigned char)(current() - since) {op} {limit}"),
            2 => "button".to_owned(),
            _ => format!("{AGE} {op} {limit}"),
        };
        let stamp = numbers.one(&["since = now;", "since = t;", "since = 3;", ""]);
        rules += &format!("        if (mode == {mode} && {age}) {{ mode = {next}; {stamp} }}\n");
    }
    let before = numbers.one(&["", "unsigned char t = 0;"]);
    let within = if before.is_empty() {
        "unsigned char "
    } else {
        ""
    };
    let taken = numbers.one(&["now", "current()"]);
    let first = numbers.one(&["0", "250", "now"]);
    let tick = numbers.one(&["now++;", "now += 2;", "if (mode) now++;"]);
    let program = |more: &str| {
        format!(
            "volatile unsigned char now, button;\nvolatile int mode;\n{more}\
             void SysTick_Handler(void) {{ {tick} }}\nvoid EXTI0_IRQHandler(void) {{ button = !button; }}\n\
             static unsigned char current(void) {{ return now; }}\n\
             int main(void)\n{{\n    unsigned char since = {first}; {before}\n    for (;;) {{\n        {within}t = {taken};\n{rules}    }}\n}}\n"
        )
    };
    let formulas = [
        "G {mode != 2}",
        "G({mode == 1} -> F {mode != 1})",
        "G F {mode == 0}",
        "F G {mode == 0}",
    ];
    let properties = formulas.iter().enumerate();
    let properties: Vec<Value> = properties
        .map(|(n, ltl)| json!({ "name": format!("p{n}"), "ltl": ltl }))
        .collect();
    let handlers = ["SysTick_Handler", "EXTI0_IRQHandler"].map(|h| json!({ "handler": h }));
    let spec = json!({ "interrupts": handlers, "properties": properties });
    let address =
        "volatile unsigned char *where(void) { return &now; }\nvolatile unsigned char *at;\n";
    ([program(""), program(address)], spec.to_string())
}

/// A wait with a time-out: what `main` stores at first, and what it no longer needs, are no times. A state for each value of the clock
/// would be too many.
#[test]
fn a_time_out_is_decided_where_a_handler_advances_the_clock() {
    let program = |until: &str| {
        format!(
            "#include <stdint.h>\nvolatile uint32_t ticks;\nvolatile uint8_t done;\nuint8_t late, over;\n\
             void SysTick_Handler(void) {{ ticks++; }}\nvoid USART1_IRQHandler(void) {{ done = 1; }}\n\
             static uint32_t current(void) {{ return ticks; }}\n\
             int main(void)\n{{\n    uint32_t start = 0, last = 0;\n    for (;;) {{\n        done = 0;\n        start = current();\n        \
             while (!done && {until}) {{ }}\n        over = !done;\n        late = current() - last >= 4;\n        last = current();\n    }}\n}}\n"
        )
    };
    let handlers = ["SysTick_Handler", "USART1_IRQHandler"].map(|h| json!({ "handler": h }));
    let properties = [
        json!({ "name": "bounded", "ltl": "G {late <= 1}" }),
        json!({ "name": "never late", "ltl": "G {late == 0}" }),
        json!({ "name": "never over", "ltl": "G {over == 0}" }),
        json!({ "name": "in time again", "ltl": "G F {over == 0}" }),
    ];
    let spec = json!({ "interrupts": handlers, "properties": properties }).to_string();
    for (until, over) in [
        ("current() - start < 5", "refuted"),
        ("(current() - start < 5 || !done)", "proved"),
    ] {
        let found = answers_by("steps", &program(until), &spec);
        assert_eq!(found["bounded"].0, "proved", "{}", found["bounded"].1);
        assert_eq!(found["never late"].0, "refuted");
        assert_eq!(found["never over"].0, over, "{}", found["never over"].1);
        // No state of the loop comes back, for the clock goes on.
        let again = &found["in time again"];
        assert_eq!(again.0, over, "{}", again.1);
    }
}

/// The same where a thread advances the clock: by operations of `<stdatomic.h>`, by an atomic object's own, and as the only thread that writes
/// it. What the step form takes off the clock so that numbers stay small would be a step of it.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn a_time_out_is_decided_where_a_thread_advances_the_clock() {
    let atomic = ("_Atomic unsigned", "atomic_load(&ticks)");
    let spellings = [
        (
            atomic,
            "atomic_fetch_add_explicit(&ticks, 1, memory_order_relaxed)",
        ),
        (("_Atomic unsigned", "ticks"), "++ticks"),
        (("unsigned", "ticks"), "ticks++"),
    ];
    let properties = [
        json!({ "name": "bounded", "ltl": "G {late <= 1}" }),
        json!({ "name": "never late", "ltl": "G {late == 0}" }),
    ];
    let spec = json!({ "properties": properties }).to_string();
    for ((ty, now), advanced) in spellings {
        let program = format!(
            "#include <pthread.h>\n#include <stdatomic.h>\n{ty} ticks;\nint late;\n\
             void *timer(void *unused) {{ for (;;) {advanced}; return unused; }}\n\
             int main(void)\n{{\n    unsigned start = 0, last = 0;\n    pthread_t id;\n    pthread_create(&id, 0, timer, 0);\n    \
             for (;;) {{\n        start = {now};\n        while ({now} - start < 5) {{ }}\n        late = {now} - last >= 9;\n        last = {now};\n    }}\n}}\n"
        );
        let found = answers_by("steps", &program, &spec);
        assert_eq!(found["bounded"].0, "proved", "{}", found["bounded"].1);
        assert_eq!(
            found["never late"].0, "refuted",
            "{}",
            found["never late"].1
        );
    }
}

/// On a machine whose `int` is as wide as its clock, differences need no conversion; and a copy of the clock that `main` compares is not the
/// clock from which ages are counted, for it stands still while the handler goes on.
#[test]
fn differences_of_sixteen_bits_are_ages_where_int_has_as_many() {
    let program = |limit: u32| {
        format!(
            "volatile unsigned ticks;\nvolatile unsigned char request, valve, seen;\nunsigned char alarm;\n\
             void __vector_11(void) {{ ticks++; if (valve && seen < 4) seen++; }}\nvoid __vector_1(void) {{ request = 1; }}\n\
             int main(void)\n{{\n    unsigned opened = 0;\n    __asm__ volatile(\"sei\" ::: \"memory\");\n    for (;;) {{\n        \
             alarm = 0;\n        if (!valve && request) {{ request = 0; seen = 0; valve = 1; __asm__ volatile(\"cli\" ::: \"memory\"); opened = ticks; __asm__ volatile(\"sei\" ::: \"memory\"); }}\n        \
             if (valve) {{\n            unsigned t;\n            __asm__ volatile(\"cli\" ::: \"memory\"); t = ticks; __asm__ volatile(\"sei\" ::: \"memory\");\n            \
             if (t - opened >= {limit}u) {{ alarm = seen < 4 ? 2 : 1; valve = 0; }}\n        }}\n    }}\n}}\n"
        )
    };
    let handlers = ["__vector_11", "__vector_1"].map(|h| json!({ "handler": h }));
    let spec = json!({ "target": "avr", "interrupts": handlers, "ltl": "G {alarm != 2}" });
    for (limit, holds) in [(4, "proved"), (3, "refuted")] {
        let found = answers_by("steps", &program(limit), &spec.to_string());
        let (answer, why) = found.values().next().unwrap();
        assert_eq!(answer, holds, "{limit}: {why}");
    }
}

/// The same where the clock is advanced by a handler, in the form of one loop of steps.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn ages_decide_what_all_times_decide_beside_handlers() {
    compared(cases(12), &interrupted, "steps");
}
