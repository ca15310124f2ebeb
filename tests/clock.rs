//! Formulas that measure time by a clock of the program, in every search.
#![allow(clippy::unwrap_used)]

use crate::support::{cbmc, repository, Dir};
use serde_json::{json, Value};

/// A controller that counts the ticks since a request, and serves it after so many.
fn controller(after: u32, clock: &str) -> String {
    format!(
        "extern int nondet_int(void);
{clock} ticks;
int request, served;
int main(void)
{{
    int waited = 0;
    for (;;) {{
        ticks++;
        served = 0;
        if (request) {{
            if (++waited >= {after}) {{
                served = 1;
                request = 0;
            }}
        }} else {{
            waited = 0;
            request = nondet_int() != 0;
        }}
tick:   ;
    }}
}}
"
    )
}

const SERVED: &str = "G({request} -> F[<=5 ticks] {served})";

fn spec(ltl: &str, sampled: bool) -> String {
    let mut spec = json!({
        "clock": "ticks",
        "properties": [{"name": "time", "ltl": ltl}]
    });
    if sampled {
        spec["trace"] = json!({"mode": "sample", "at": ["tick"]});
    }
    spec.to_string()
}

/// The result of the property, by these arguments.
fn asked(program: &str, spec: &str, arguments: &[&str]) -> Value {
    let dir = Dir::with(&[("p.c", program), ("s.json", spec)]);
    let (result, _) = dir.verify(&[arguments, &["s.json", "p.c"]].concat());
    result["properties"][0].clone()
}

#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn all_states_decide_a_time_whatever_the_width_of_the_clock() {
    for clock in ["unsigned char", "volatile unsigned", "unsigned long long"] {
        for sampled in [false, true] {
            if sampled && clock != "unsigned char" {
                continue;
            }
            for (after, holds) in [(5, "proved"), (6, "refuted")] {
                let program = controller(after, clock);
                let found = asked(&program, &spec(SERVED, sampled), &["--engine", "explicit"]);
                assert_eq!(found["holds"], holds, "{clock} {after} {sampled}: {found}");
            }
        }
    }
}

#[test]
fn a_time_that_is_missed_is_shown_with_the_clock() {
    if !cbmc() {
        return;
    }
    let found = asked(
        &controller(6, "unsigned char"),
        &spec(SERVED, false),
        &["--unwind", "9"],
    );
    assert_eq!(found["verdict"], "false", "{found}");
    assert_eq!(found["holds"], "refuted");
    let steps = found["trace"].as_array().unwrap();
    let late = |step: &Value| step["props"]["late: {request} -> F[<=5 ticks] {served}"] == true;
    let clock = |step: &Value| {
        step["what"]
            .as_str()
            .is_some_and(|what| what.contains("ticks"))
    };
    assert!(steps.iter().any(late), "{found}");
    assert!(
        steps.iter().filter(|step| clock(step)).count() >= 6,
        "{found}"
    );
    let found = asked(
        &controller(5, "unsigned char"),
        &spec(SERVED, false),
        &["--unwind", "9", "--no-trace"],
    );
    assert_eq!(found["verdict"], "presumably_false", "{found}");
}

#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn times_hold_by_induction() {
    if !cbmc() {
        return;
    }
    let program = "extern int nondet_int(void);
unsigned ticks;
int on;
int main(void)
{
    for (;;) {
        on = !on && nondet_int();
        ticks++;
    }
}
";
    let ltl = "G({on} -> F[<=1 ticks] !{on})";
    let found = asked(program, &spec(ltl, false), &["--engine", "induction"]);
    assert_eq!(found["holds"], "proved", "{found}");
    // The propositions of timers change with others; loops in which they do had been taken for ones in which they do not.
    let found = asked(
        program,
        &spec(ltl, false),
        &[
            "--engine",
            "lasso,bounded",
            "--unwind",
            "5",
            "--budget",
            "6",
        ],
    );
    assert_ne!(found["holds"], "refuted", "{found}");
    let wrong = "G({on} -> G[<=1 ticks] {on})";
    let found = asked(program, &spec(wrong, false), &["--unwind", "4"]);
    assert_eq!(found["holds"], "refuted", "{found}");
}

#[test]
fn a_clock_that_stands_still_is_a_lasso() {
    if !cbmc() {
        return;
    }
    // The request is never served, and no time passes: the deadline does not come.
    let program = "int ticks, request, served, other;
int main(void)
{
    request = 1;
    for (;;)
        other = !other;
}
";
    for engine in ["lasso", "explicit"] {
        let found = asked(program, &spec(SERVED, false), &["--engine", engine]);
        assert_eq!(found["holds"], "refuted", "{engine}: {found}");
    }
    let never = "G({request} -> G[<=5 ticks] !{served})";
    let found = asked(program, &spec(never, false), &["--engine", "explicit"]);
    assert_eq!(found["holds"], "proved", "{found}");
}

/// A time-out that is compared as the condition says; the clock has eight bits.
fn timeout(condition: &str) -> String {
    format!(
        "extern int nondet_int(void);
unsigned char ticks, started;
int waiting, timeout;
int main(void)
{{
    for (;;) {{
        timeout = 0;
        if (waiting && {condition}) {{
            timeout = 1;
            waiting = 0;
        }} else if (!waiting && nondet_int()) {{
            started = ticks;
            waiting = 1;
        }}
        ticks++;
    }}
}}
"
    )
}

#[test]
fn a_clock_may_wrap_around() {
    let spec = spec("G({waiting} -> F[<=6 ticks] {timeout})", false);
    for (condition, holds) in [
        ("(unsigned char)(ticks - started) >= 5", "proved"),
        // Near the end of the clock, the sum is never reached.
        ("ticks >= started + 5", "refuted"),
    ] {
        let found = asked(&timeout(condition), &spec, &["--engine", "explicit"]);
        assert_eq!(found["holds"], holds, "{condition}: {found}");
    }
}

#[test]
fn a_clock_that_a_formula_reads_is_a_part_of_the_state() {
    let program = "extern int nondet_int(void);
unsigned char ticks;
int on;
int main(void)
{
    for (;;) {
        on = nondet_int() != 0;
        ticks++;
    }
}
";
    // The clock is 0 again, though only after it has wrapped around.
    let ltl = "G({on} -> O[<=1 ticks] {on}) && G({ticks} -> X G {ticks})";
    let found = asked(program, &spec(ltl, false), &["--engine", "explicit"]);
    assert_eq!(found["holds"], "refuted", "{found}");
}

#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn more_times_than_there_is_room_for_are_no_answer() {
    if !cbmc() {
        return;
    }
    let program = "int ticks, p, q;
int main(void)
{
    for (;;) {
        p = 1;
        ticks++;
    }
}
";
    // Each letter begins a time, and nothing ends one.
    let ltl = "G({p} -> F[100,200 ticks] {q})";
    for arguments in [&["--engine", "explicit"][..], &["--unwind", "12"]] {
        let found = asked(program, &spec(ltl, false), arguments);
        assert_eq!(found["holds"], "unknown", "{found}");
    }
    let found = asked(program, &spec(ltl, false), &["--unwind", "12"]);
    assert!(
        found["reason"]
            .as_str()
            .unwrap()
            .contains("more than six times"),
        "{found}"
    );
    // One time that begins when the condition does needs no more room.
    let ltl = "G(Y !{p} && {p} -> F[10,20 ticks] {q})";
    let found = asked(program, &spec(ltl, false), &["--unwind", "40"]);
    assert_eq!(found["verdict"], "false", "{found}");
}

#[test]
fn an_interrupt_counts_the_ticks() {
    let program = |last: u32| {
        format!(
            "volatile unsigned char ticks;
volatile int motor, age;
extern int nondet_int(void);
void SysTick_Handler(void)
{{
    ticks++;
    if (motor && ++age >= {last}) {{
        motor = 0;
    }}
}}
int main(void)
{{
    for (;;) {{
        if (!motor && nondet_int()) {{
            age = 0;
            motor = 1;
        }}
    }}
}}
"
        )
    };
    let spec = json!({
        "clock": "ticks",
        "interrupts": [{"handler": "SysTick_Handler"}],
        // The motor is never on for nine ticks: it need not go off if no tick comes any more.
        "properties": [{"name": "stops", "ltl": "G !({motor} S[>=9 ticks] {motor})"}]
    })
    .to_string();
    for (last, holds) in [(8, "proved"), (9, "refuted")] {
        let found = asked(&program(last), &spec, &["--engine", "steps"]);
        assert_eq!(found["holds"], holds, "{last}: {found}");
    }
}

#[test]
fn what_the_specification_says_of_time_is_checked() {
    for (spec, message) in [
        (
            json!({"ltl": SERVED}).to_string(),
            "the specification names no clock",
        ),
        (
            json!({"ltl": SERVED, "clock": "seconds"}).to_string(),
            "`seconds`",
        ),
        (
            json!({"ltl": SERVED, "clock": "rate"}).to_string(),
            "the clock `rate` is no integer",
        ),
        (
            json!({"ltl": "G F (p U F[<=5 ticks] {served})", "clock": "ticks",
                   "pa": [{"name": "p", "cond": "request"}]})
            .to_string(),
            "no times are measured within",
        ),
    ] {
        let program = controller(5, "double rate; unsigned");
        let dir = Dir::with(&[("p.c", &program), ("s.json", &spec)]);
        let ran = dir.run(&["check", "s.json", "p.c"]);
        assert_eq!(ran.status, 3, "{spec}: {ran:?}");
        assert!(ran.stderr.contains(message), "{message}: {}", ran.stderr);
    }
}

#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn late_intervals_under_always_are_timed() {
    // The automaton of such a formula would need a state for each set of the last so many letters.
    let program = |after: u32| {
        format!(
            "extern int nondet_int(void);
int request, served;
int main(void)
{{
    int waited = 0;
    for (;;) {{
        served = 0;
        request = 0;
        if (waited == 0)
            request = nondet_int() != 0;
        if (request || waited)
            ++waited;
        if (waited == {after}) {{
            served = 1;
            waited = 0;
        }}
tick:   ;
    }}
}}
"
        )
    };
    for (after, holds) in [(31, "proved"), (25, "refuted"), (42, "refuted")] {
        let rows = [
            "G({request} -> F[30,40] {served})",
            "G({request} -> G[1,29] !{served}) && G({request} -> F[<=40] {served})",
        ];
        for ltl in crate::support::sample(rows, if after == 31 { 1 } else { 2 }) {
            let found = asked(&program(after), &spec(ltl, true), &["--engine", "explicit"]);
            assert_eq!(found["holds"], holds, "{after}: {ltl}: {found}");
        }
    }
}

#[test]
fn durations_of_requirements_are_measured_by_the_clock() {
    let requirements = "SERVE: When request the controller shall within 5 ticks satisfy served\n\
                        KEEP: the controller shall always satisfy {waited_too_long == 0}\n\
                        SCOPE: In request mode the controller shall within 5 ticks satisfy served\n\
                        ONLY: Only before request mode shall the controller for 5 ticks satisfy !served\n\
                        THEN: In request mode the controller shall after 4 ticks satisfy served\n\
                        NEVER: Only before request mode shall the controller after 4 ticks satisfy served\n";
    let program = |after: u32| {
        let program = controller(after, "int waited_too_long; unsigned char");
        program.replace("int request, served", "int request, served, beside")
    };
    let spec = json!({"clock": "ticks", "pa": [
        {"name": "request", "cond": "request", "span": ["_begin", "_end"]},
        {"name": "served", "cond": "served", "span": ["_begin", "_end"]}]})
    .to_string();
    for (after, holds) in [(5, "proved"), (6, "refuted")] {
        let dir = Dir::with(&[
            ("p.c", &program(after)),
            ("s.json", &spec),
            ("r.txt", requirements),
        ]);
        let arguments = [
            "--engine",
            "explicit",
            "--requirements",
            "r.txt",
            "s.json",
            "p.c",
        ];
        let (result, _) = dir.verify(&arguments);
        assert_eq!(result["properties"][0]["holds"], holds, "{after}: {result}");
        let told = |n: usize| &result["properties"][n]["holds"];
        assert_eq!(told(1), "proved", "{after}: {result}");
        // The interval lasts until the answer comes; from the first request on, the contrary of "for" is "within".
        assert_eq!([told(2), told(3)], [holds, holds], "{after}: {result}");
        // It is served after four ticks and one more; that it is not is the contrary.
        let contrary = if after == 5 { "refuted" } else { "proved" };
        assert_eq!([told(4), told(5)], [holds, contrary], "{after}: {result}");
    }
}

/// The garage gate of the examples, with the number of periods until its motor stands.
fn gate(brake: &str, arguments: &[&str]) -> Vec<Value> {
    let directory = repository("spec-examples/gate");
    let text = |name: &str| std::fs::read_to_string(directory.join(name)).unwrap();
    let names = ["gate.c", "gate.json", "gate.txt"];
    let texts = names.map(text);
    let files: Vec<(&str, &str)> = names
        .into_iter()
        .zip(texts.iter().map(String::as_str))
        .collect();
    let dir = Dir::with(&files);
    let brake = format!("-DBRAKE={brake}");
    let own = [
        "gate.json",
        "gate.c",
        &brake,
        "--requirements",
        "gate.txt",
        "--tick",
        "1ms",
    ];
    let (result, _) = dir.verify(&[&own, arguments].concat());
    result["properties"].as_array().unwrap().clone()
}

#[test]
fn requirements_with_times_are_proved_and_the_one_that_is_missed_is_traced_in_milliseconds() {
    let right = gate("3", &["--engine", "explicit"]);
    assert_eq!(right.len(), 5);
    for requirement in &right {
        assert_eq!(requirement["holds"], "proved", "{requirement}");
        // That a time is never missed makes no part of a requirement irrelevant.
        assert_eq!(requirement["vacuous"], json!([]), "{requirement}");
    }
    let wrong = gate("4", &["--engine", "explicit"]);
    for requirement in &wrong {
        let late = requirement["name"] == "CURTAIN";
        let holds = if late { "refuted" } else { "proved" };
        assert_eq!(requirement["holds"], holds, "{requirement}");
    }
    let mut all = vec![wrong];
    if cbmc() {
        all.push(gate("4", &["--unwind", "8", "--engine", "bounded"]));
    }
    let time = |found: &[Value], wanted: &str| {
        let steps = found[0]["trace"].as_array().unwrap();
        let rises = |step: &&Value| {
            let props = step["props"].as_object().unwrap();
            props
                .iter()
                .any(|(name, on)| name.starts_with(wanted) && on == true)
        };
        let step = steps.iter().find(rises).unwrap();
        step["values"]["ms"]
            .as_str()
            .unwrap()
            .parse::<u32>()
            .unwrap()
    };
    for found in &all {
        let times = (time(found, "late: "), time(found, "pending: ") + 30);
        assert_eq!(times.0, times.1, "{found:?}");
    }
}

/// The search identifies states whose times differ by a shift; the run that it shows has them as they are, also where the clock
/// goes round, and where the loop of a run begins at another place of it.
#[test]
fn runs_that_are_found_in_all_states_have_the_time_at_each_letter() {
    let program = "#include <stdint.h>
extern int nondet_int(void);
uint8_t now = 230;
int dry, on = 1;
int main(void)
{
    uint8_t since = 0;
    int was = 0;
    for (;;) {
        dry = nondet_int() & 1;
        if (dry && !was)
            since = now;
        was = dry;
        on = !(dry && (uint8_t)(now - since) >= 50);
        now += 10;
    }
}
";
    let property = asked(
        program,
        &json!({
            "clock": "now",
            "properties": [{"name": "time", "ltl": "G({dry} -> F[<=40 ticks] {!on || !dry})"}]
        })
        .to_string(),
        &["--engine", "explicit"],
    );
    assert_eq!(property["holds"], "refuted", "{property}");
    let steps = property["trace"].as_array().unwrap();
    let times = steps
        .iter()
        .filter_map(|step| step["values"]["now"].as_str());
    let mut times: Vec<u32> = times.map(|time| time.parse().unwrap()).collect();
    times.dedup();
    assert!(times.len() > 5 && times[0] == 230, "{times:?}");
    for pair in times.windows(2) {
        assert_eq!(pair[1], (pair[0] + 10) % 256, "{times:?}");
    }
    let written = steps.iter().filter(|step| step["what"] == "now += 10");
    for (n, step) in (1..).zip(written) {
        let time = (230 + 10 * n) % 256;
        assert_eq!(step["values"]["now"], time.to_string(), "{step}");
    }
}
