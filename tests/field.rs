//! Code as it is written for small machines and kernels: instructions that are not known, tables of vectors, priorities that
//! keep handlers off; and where errors about the machine are shown.

use serde_json::Value;

use crate::support::{cbmc, Dir};

/// A clock is read by an instruction, and what it gives is tested.
const CLOCK: &str = "unsigned char level, other;
static inline unsigned clock_now(void)
{
    unsigned low;
    asm volatile(\"rdpmc\" : \"=a\"(low) : \"c\"(3) : \"edx\");
    return low;
}
int main(void)
{
    for (;;) {
        unsigned now = clock_now();
        level = now > 3 ? 3 : now;
        if (now == 77)
            other = 1;
    }
}
";

fn properties(dir: &Dir, arguments: &[&str]) -> Vec<Value> {
    let ran = dir.run(&[&["prove"], arguments, &["--format", "json"]].concat());
    let result: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{ran:?}"));
    let mut all = result["properties"].as_array().unwrap().clone();
    for property in &mut all {
        property["assumptions"] = result["assumptions"].clone();
    }
    all
}

fn holds(dir: &Dir, arguments: &[&str]) -> Vec<String> {
    let all = properties(dir, arguments);
    let holds = all.iter().map(|p| p["holds"].as_str().unwrap().to_owned());
    holds.collect()
}

/// With any value of an instruction's outputs, a proof stands, and a violation may be none.
#[test]
fn refutations_do_not_rest_on_what_an_instruction_may_never_give() {
    if !cbmc() {
        return;
    }
    let spec = r#"{ "properties": [
        { "name": "bounded", "ltl": "G {level <= 3}" },
        { "name": "never", "ltl": "G {other == 0}" } ] }"#;
    let dir = Dir::with(&[("clock.c", CLOCK), ("spec.json", spec)]);
    let all = properties(&dir, &["--engine", "explicit", "spec.json", "clock.c"]);
    let told: Vec<&Value> = all.iter().map(|p| &p["holds"]).collect();
    assert_eq!(told, ["proved", "unknown"], "{all:?}");
    for open in &all[1..] {
        assert_eq!(open["verdict"], "unknown", "{open}");
        let reason = open["reason"].as_str().unwrap();
        assert!(reason.contains("assembler"), "{reason}");
    }
    let assumed = all[0]["assumptions"].to_string();
    assert!(
        assumed.contains("write nothing but their outputs") && assumed.contains("clock.c:5"),
        "{assumed}"
    );
}

/// A run that never comes to the instruction is one of the program's.
#[test]
fn refutations_before_an_unknown_instruction_stand() {
    if !cbmc() {
        return;
    }
    let program = CLOCK.replace("    for (;;) {", "    other = 2;\n    for (;;) {");
    let dir = Dir::with(&[("clock.c", &program)]);
    let told = holds(&dir, &["--ltl", "G {other == 0}", "clock.c"]);
    assert_eq!(told, ["refuted"]);
}

/// A start-up file in small: the table of vectors starts the program, and faults go to a function that never returns.
const VECTORS: &str = "volatile unsigned char ticks, seen;
int main(void)
{
    for (;;)
        if (ticks != seen)
            seen = ticks;
}
void SysTick_Handler(void)
{
    if (ticks < 3)
        ticks++;
}
void Default_Handler(void)
{
    for (;;)
        ;
}
void Reset_Handler(void)
{
    main();
}
void NMI_Handler(void) __attribute__((weak, alias(\"Default_Handler\")));
__attribute__((section(\".isr_vector\"), used)) void (*const vectors[])(void) = {
    Reset_Handler, NMI_Handler, SysTick_Handler
};
";

#[test]
fn tables_of_vectors_are_read_by_the_processor_alone() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", VECTORS)]);
    let asked = ["--interrupt", "auto", "--ltl", "G {seen <= ticks}", "p.c"];
    assert_eq!(holds(&dir, &asked), ["proved"]);
    let ran = dir.run(&["init", "p.c"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let told = [
        "Default_Handler never returns",
        "\"handler\": \"SysTick_Handler\"",
    ];
    assert!(
        told.iter().all(|part| ran.stdout.contains(part)),
        "{}",
        ran.stdout
    );
    assert!(
        !ran.stdout.contains("\"handler\": \"Default_Handler\""),
        "{}",
        ran.stdout
    );
}

/// A counter that a handler and the program change, the program with BASEPRI set.
fn by_priority(urgency: u32) -> String {
    format!(
        "#define __NVIC_PRIO_BITS 4
typedef enum {{ TIM2_IRQn = 28 }} IRQn_Type;
static inline unsigned __get_BASEPRI(void) {{ unsigned r; __asm volatile (\"MRS %0, basepri\" : \"=r\"(r)); return r; }}
static inline void __set_BASEPRI(unsigned v) {{ __asm volatile (\"MSR basepri, %0\" : : \"r\"(v) : \"memory\"); }}
static inline void NVIC_SetPriority(IRQn_Type irq, unsigned p) {{ (void)irq; (void)p; }}
volatile unsigned char count, received; unsigned char taken;
void TIM2_IRQHandler(void) {{ if (received < 2) {{ received++; count++; }} }}
int main(void)
{{
    NVIC_SetPriority(TIM2_IRQn, {urgency});
    for (;;)
        if (count > 0) {{
            unsigned old = __get_BASEPRI();
            __set_BASEPRI(5 << 4);
            count--;
            __set_BASEPRI(old);
            taken++;
        }}
}}
"
    )
}

#[test]
fn basepri_keeps_off_what_is_not_more_urgent() {
    if !cbmc() {
        return;
    }
    for (urgency, expected) in [(5, "proved"), (4, "refuted")] {
        let dir = Dir::with(&[("p.c", &by_priority(urgency))]);
        let asked = [
            "--interrupt",
            "auto",
            "--ltl",
            "G F {taken == received}",
            "p.c",
        ];
        assert_eq!(holds(&dir, &asked), [expected], "{urgency}");
    }
}

/// Three bits of one byte, in a structure without a name: each write reads and writes the byte.
#[test]
fn bits_without_a_type_name_are_shared_with_handlers() {
    if !cbmc() {
        return;
    }
    let program = "void cli(void); void sei(void);
volatile struct { unsigned ready : 1; unsigned wake : 1; } events;
unsigned char came;
void __attribute__((signal)) ADC_isr(void) { events.ready = 1; came = 1; }
int main(void) { sei(); for (;;) { if (!events.wake) events.wake = 0; } }
";
    let repaired = program.replace("events.wake = 0;", "cli(); events.wake = 0; sei();");
    for (program, expected) in [(program, "false"), (&repaired, "presumably_true")] {
        let dir = Dir::with(&[("p.c", program)]);
        let machine = ["--target", "avr", "--interrupt", "auto"];
        let bounds = ["--schedules", "rounds:2", "--unwind", "2", "--no-trace"];
        let formula = ["--ltl", "G {came <= events.ready}", "p.c"];
        let (result, _) = dir.verify(&[&machine[..], &bounds, &formula].concat());
        assert_eq!(result["verdict"], expected, "{}", result["reason"]);
    }
}

/// What the specification says of the machine is shown where it says it.
#[test]
fn errors_about_the_machine_have_their_place() {
    let program =
        "int x; void tick(void) { x++; } void push(int v) { x = v; } int main(void) { return 0; }";
    let library = "int x; void push(int v) { x = v; }";
    let dir = Dir::with(&[("p.c", program), ("lib.c", library)]);
    for (file, member, place, underlined) in [
        ("lib.c", r#""entry": "push (pop | )""#, "2:23", "^"),
        ("lib.c", r#""entry": "push pop""#, "2:16", "^^^"),
        ("lib.c", r#""entry": ["push", "po p"]"#, "2:20", "^^^^"),
        (
            "p.c",
            r#""interrupts": [{"handler": "tock"}]"#,
            "2:28",
            "^^^^^^",
        ),
        (
            "p.c",
            r#""interrupts": [{"handler": "tick"}], "masks": [{"disable": "off", "enable": "on"}]"#,
            "2:60",
            "^^^^^",
        ),
        (
            "p.c",
            r#""registers": [{"name": "UDR0", "reads": "any"}]"#,
            "2:24",
            "^^^^^^",
        ),
    ] {
        dir.write(
            "spec.json",
            format!("{{ \"ltl\": \"G {{x == 0}}\",\n{member} }}"),
        );
        let ran = dir.run(&["check", "spec.json", file]);
        assert_eq!(ran.status, 3, "{member}: {ran:?}");
        let at = format!("spec.json:{place}");
        assert!(ran.stderr.contains(&at), "{member}: {at}\n{}", ran.stderr);
        let marks = ran.stderr.lines().filter_map(|line| line.split_once('|'));
        let marks = marks.filter(|(_, rest)| rest.trim_start().starts_with('^'));
        let marked: Vec<&str> = marks.map(|(_, rest)| rest.trim()).collect();
        assert_eq!(
            marked
                .first()
                .map(|m| m.split(' ').next().unwrap_or_default()),
            Some(underlined),
            "{member}: {}",
            ran.stderr
        );
    }
}
