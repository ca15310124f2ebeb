//! Interrupt handlers, called between any two steps of the code that they interrupt.

use crate::support::{cbmc, thorough, Dir, NARROW};

/// A receiver: the handler counts bytes, and the program takes them, with or without keeping the
/// handler off meanwhile.
fn receiver(disable: &str, enable: &str) -> String {
    format!(
        "void __disable_irq(void); void __enable_irq(void);
volatile unsigned char count, received;
unsigned char taken;
void USART1_IRQHandler(void)
{{
    if (received < 3) {{ received++; count++; }}
}}
int main(void)
{{
    for (;;) {{
        if (count > 0) {{
            {disable}
            count--;
            {enable}
            taken++;
        }}
    }}
}}
"
    )
}

/// A program that sleeps until its handler has set a flag; `check` looks whether it has already.
fn sleeper(check: &str) -> String {
    format!(
        "volatile unsigned char flag;
void TIM2_IRQHandler(void)
{{
    flag = 1;
}}
int main(void)
{{
    for (;;) {{
        {check}
        if (flag)
            flag = 0;
    }}
}}
"
    )
}

const TAKES_ALL: &str = "G F {taken == received && count == 0}";
const SERVES: &str = "G ({flag == 1} -> F {flag == 0})";

#[track_caller]
fn answered(program: &str, formula: &str, status: i32) -> String {
    let dir = Dir::with(&[("p.c", program)]);
    let asked = ["prove", "--interrupt", "auto", "--ltl", formula, "p.c"];
    let ran = dir.run(&asked);
    assert_eq!(ran.status, status, "{ran:?}");
    ran.stdout
}

#[test]
fn an_update_that_a_handler_interrupts_is_lost() {
    if !cbmc() {
        return;
    }
    let told = answered(&receiver("", ""), TAKES_ALL, 10);
    assert!(told.contains("interrupt USART1_IRQ"), "{told}");
    let told = answered(
        &receiver("__disable_irq();", "__enable_irq();"),
        TAKES_ALL,
        0,
    );
    assert!(told.contains("each of these handlers may come"), "{told}");
    assert!(!told.contains("looks like an interrupt handler"), "{told}");
}

/// Regression: the search of all states wrote constants in the table, and took the end of its process for something undefined
/// in the program.
#[test]
fn tables_of_tasks_are_constants() {
    if !cbmc() {
        return;
    }
    let program = "unsigned char on, led; volatile unsigned char tick;\n\
        void SysTick_Handler(void) { tick = 1; }\n\
        static void start(void) { on = 1; }\n\
        static void stop(void) { on = 0; led ^= 1; }\n\
        static void (*const tasks[])(void) = { start, stop, 0 };\n\
        int main(void) { for (;;) if (tick) { tick = 0; for (int i = 0; tasks[i]; i++) tasks[i](); } }\n";
    answered(program, "G ({on == 1} -> F {on == 0})", 0);
}

/// Regression: `wfe` did nothing, and a program that waits for an event for ever was proved to go on. An event between the check
/// and the wait is taken by the wait.
#[test]
fn waits_for_events_may_last_for_ever_and_miss_none() {
    if !cbmc() {
        return;
    }
    let program = |wait: &str| {
        format!(
            "void __WFE(void); volatile unsigned char flag; unsigned char waits, served;\n\
             void TIM2_IRQHandler(void) {{ flag = 1; }}\n\
             int main(void) {{ for (;;) {{ waits = 1; {wait} waits = 0; flag = 0; served = 1; served = 0; }} }}\n"
        )
    };
    let goes_on = "G ({waits == 1} -> F {waits == 0})";
    answered(&program("__WFE();"), goes_on, 10);
    answered(&program("__asm volatile (\"wfe\");"), goes_on, 10);
    let served = "G ({flag == 1} -> F {served == 1})";
    answered(&program("while (!flag) __WFE();"), served, 0);
}

/// Exclusive accesses that only a header of stubs declares: no update is lost. Plain ones lose one.
#[test]
fn exclusive_accesses_lose_no_update() {
    if !cbmc() {
        return;
    }
    let program = |add: &str| {
        format!(
            "unsigned __LDREXW(volatile unsigned *); unsigned __STREXW(unsigned, volatile unsigned *);\n\
             volatile unsigned char came, done; volatile unsigned n;\n\
             void TIM2_IRQHandler(void) {{ if (!came) {{ n++; came = 1; }} }}\n\
             int main(void) {{ {add} done = 1; return 0; }}\n"
        )
    };
    let none_lost = "G ({done == 1 && came == 1} -> {n == 2})";
    let exclusive = "unsigned v; do v = __LDREXW(&n); while (__STREXW(v + 1, &n));";
    answered(&program(exclusive), none_lost, 0);
    answered(&program("n++;"), none_lost, 10);
}

/// The word may be one that a function gets by a pointer, whose place is a part of the state, on a machine with other pointers.
#[test]
fn exclusive_accesses_through_pointers_are_followed_for_other_machines() {
    if !cbmc() {
        return;
    }
    let program = |add: &str| {
        format!(
            "unsigned __LDREXW(volatile unsigned *); unsigned __STREXW(unsigned, volatile unsigned *);\n\
             volatile unsigned char came, done; volatile unsigned n;\n\
             static void add(volatile unsigned *to) {{ {add} }}\n\
             void TIM2_IRQHandler(void) {{ if (!came) {{ add(&n); came = 1; }} }}\n\
             int main(void) {{ add(&n); done = 1; for (;;) ; }}\n"
        )
    };
    let none_lost = "G ({done == 1 && came == 1} -> {n == 2})";
    for (add, holds) in [
        (
            "unsigned v; do v = __LDREXW(to); while (__STREXW(v + 1, to));",
            "proved",
        ),
        ("*to = *to + 1;", "refuted"),
    ] {
        let dir = Dir::with(&[("p.c", &program(add))]);
        let machine = ["--target", "cortex-m", "--engine", "steps"];
        let asked = ["--interrupt", "auto", "--ltl", none_lost, "p.c"];
        let (result, _) = dir.verify(&[&asked[..], &machine].concat());
        assert_eq!(result["properties"][0]["holds"], holds, "{result}");
    }
}

/// An event of the program itself ends its wait, also in one statement.
#[test]
fn an_event_and_a_wait_in_one_statement_have_both_effects() {
    if !cbmc() {
        return;
    }
    let program = |wait: &str| {
        format!(
            "unsigned char waits;\nvoid TIM2_IRQHandler(void) {{ }}\n\
             int main(void) {{ for (;;) {{ waits = 1; __asm volatile (\"{wait}\"); waits = 0; }} }}\n"
        )
    };
    let goes_on = "G ({waits == 1} -> F {waits == 0})";
    answered(&program("sev\\n\\twfe"), goes_on, 0);
    answered(&program("dsb; wfe"), goes_on, 10);
}

/// Critical sections of operating systems, whose functions are elsewhere. A section within a section does not end it.
#[test]
fn critical_sections_of_operating_systems_are_known() {
    if !cbmc() {
        return;
    }
    let tasks = "void vPortEnterCritical(void); void vPortExitCritical(void);\n";
    let enter = "vPortEnterCritical(); vPortEnterCritical(); vPortExitCritical();";
    let nested = tasks.to_owned() + &receiver(enter, "vPortExitCritical();");
    answered(&nested, TAKES_ALL, 0);
    let early = enter.to_owned() + " vPortExitCritical();";
    answered(&(tasks.to_owned() + &receiver(&early, "")), TAKES_ALL, 10);
    let kernel = "unsigned irq_lock(void); void irq_unlock(unsigned key);\n";
    let keyed = receiver("unsigned key = irq_lock();", "irq_unlock(key);");
    answered(&(kernel.to_owned() + &keyed), TAKES_ALL, 0);
}

#[test]
fn a_wake_up_between_check_and_sleep_is_missed() {
    if !cbmc() {
        return;
    }
    let asm = |text: &str| format!("__asm__ volatile (\"{text}\" ::: \"memory\");");
    let (cli, sei, wfi) = (asm("cpsid i"), asm("cpsie i"), asm("wfi"));
    answered(&sleeper(&format!("if (!flag) {wfi}")), SERVES, 10);
    let waits = format!("{cli} if (!flag) {wfi} {sei}");
    answered(&sleeper(&waits), SERVES, 0);
    // The instruction behind the enabling one is executed before a handler comes.
    let pair = format!("{cli} if (!flag) {{ {sei} {wfi} }} {sei}");
    answered(&sleeper(&pair), SERVES, 0);
    let apart = format!("{cli} if (!flag) {{ {sei} flag; {wfi} }} {sei}");
    answered(&sleeper(&apart), SERVES, 10);
}

/// A handler that is fair comes infinitely often if it infinitely often could, also where the program keeps it off again and
/// again, and where it sleeps; one that is kept off for good, or has come as often as it may, need not come.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn fair_handlers_come_if_they_can() {
    if !cbmc() {
        return;
    }
    let toggles = "volatile unsigned char on, even, came; void tick(void) { came = !came; }
int main(void) { for (;;) { on = 1; even = !even; on = 0; } }
";
    let sleeps = "void __disable_irq(void); void __enable_irq(void); void __WFI(void);
volatile unsigned char flag, came; void tick(void) { flag = 1; }
int main(void) { for (;;) { __disable_irq(); while (!flag) { __WFI(); __enable_irq(); __disable_irq(); }
    flag = 0; came = !came; __enable_irq(); } }
";
    let dir = Dir::with(&[("toggles.c", toggles), ("sleeps.c", sleeps)]);
    let rows = [
        ("toggles.c", r#""enabled": "on && even""#, "", "proved"),
        (
            "toggles.c",
            r#""enabled": "on && even", "at_most": 2"#,
            "",
            "refuted",
        ),
        (
            "toggles.c",
            r#""enabled": "on && even > 1""#,
            "--lasso --unwind 3",
            "refuted",
        ),
        (
            "toggles.c",
            r#""enabled": "on && even""#,
            "--lasso --unwind 3",
            "unknown",
        ),
        (
            "sleeps.c",
            r#""at_most": 1000"#,
            "--lasso --unwind 2",
            "unknown",
        ),
        ("sleeps.c", r#""priority": 0"#, "", "proved"),
    ];
    // A wait for an interrupt takes the search for a lasso long.
    let quick =
        |row: &(&str, &str, &str, &str)| thorough() || row.0 != "sleeps.c" || row.2.is_empty();
    for (program, handler, options, expected) in rows.iter().copied().filter(quick) {
        let spec = format!(
            r#"{{ "ltl": "G F {{came == 1}}", "interrupts": [ {{ "handler": "tick", "fair": true, {handler} }} ] }}"#
        );
        dir.write("s.json", &spec);
        let mut args: Vec<&str> = options.split_whitespace().collect();
        if args.is_empty() {
            args.extend(["--engine", "steps"]);
        }
        args.extend(["s.json", program]);
        let (result, _) = dir.verify(&args);
        let told = (program, handler, &result);
        assert_eq!(result["holds"], expected, "{told:?}");
        let assumed = result["assumptions"].to_string();
        assert!(
            assumed.contains("comes again and again if it again and again could"),
            "{told:?}"
        );
    }
}

/// Conditions, numbers of times and masks of the specification.
#[test]
fn a_specification_declares_handlers() {
    if !cbmc() {
        return;
    }
    let program = "unsigned char on, came, inside, bad; void enter(void) { } void leave(void) { }
void tick(void) { came++; if (inside) bad = 1; }
int main(void) { on = 1; for (;;) { enter(); inside = 1; inside = 0; leave(); } }
";
    let spec = |masks: &str| {
        format!(
            r#"{{ "properties": [ {{ "name": "few", "ltl": "G {{came <= 2}}" }}, {{ "name": "outside", "ltl": "G {{!bad}}" }},
                 {{ "name": "enabled", "ltl": "G ({{came > 0}} -> {{on == 1}})" }} ],
              "interrupts": [ {{ "handler": "tick", "enabled": "on", "at_most": 2 }} ]{masks} }}"#
        )
    };
    let dir = Dir::with(&[
        ("p.c", program),
        ("open.json", &spec("")),
        (
            "masked.json",
            &spec(r#", "masks": [ { "disable": "enter", "enable": "leave" } ]"#),
        ),
    ]);
    let holds = |file: &str| -> Vec<String> {
        let ran = dir.run(&["prove", file, "p.c", "--format", "json"]);
        let result: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        let all = result["properties"].as_array().unwrap().iter();
        all.map(|p| p["holds"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(holds("open.json"), ["proved", "refuted", "proved"]);
    assert_eq!(holds("masked.json"), ["proved", "proved", "proved"]);
}

#[test]
fn steps_of_handlers_say_what_they_interrupt() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", &receiver("", ""))]);
    let asked = [
        "--unwind",
        "2",
        "--interrupt",
        "USART1_IRQHandler",
        "--ltl",
        "G {received == 0}",
        "p.c",
    ];
    let (result, status) = dir.verify(&asked);
    assert_eq!((&result["verdict"], status), (&"false".into(), 10));
    let trace = result["properties"][0]["trace"].as_array().unwrap();
    let write = trace.iter().find(|step| step["event"] == "write").unwrap();
    assert_eq!(write["interrupt"], "USART1_IRQHandler", "{write}");
    assert_eq!(write["interrupted"]["function"], "main", "{write}");
    // Without them, no handler comes, and the answer says so.
    let asked = [
        "verify",
        "--no-interrupts",
        "--ltl",
        "G {received == 0}",
        "p.c",
    ];
    let ran = dir.run(&asked);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(
        ran.stdout.contains("looks like an interrupt handler"),
        "{ran:?}"
    );
}

#[test]
fn what_is_not_followed_is_refused() {
    let dir = Dir::with(&[
        ("p.c", "long long n, *p = &n; void a(void) { n++; } void b(void) { }\nint main(void) { for (;;) *p = 0; }\n"),
    ]);
    let ltl = ["--ltl", "G {n == 0}", "p.c"];
    for (options, status, part) in [
        (&["--interrupt", "c"][..], 3, "no function `c`"),
        (&["--interrupt", "a:x"], 2, "a priority is a number"),
        (
            &["--interrupt", "a", "--target", "ilp32"],
            3,
            "accesses 64 bits",
        ),
        (
            &["--interrupt", "a", "--fairness", "none"],
            2,
            "--fairness none",
        ),
    ] {
        let ran = dir.run(&[&["prove"][..], options, &ltl].concat());
        assert_eq!(ran.status, status, "{options:?} {ran:?}");
        assert!(ran.stderr.contains(part), "{options:?} {}", ran.stderr);
    }
    let ran = dir.run(&[&["instrument", "--interrupt", "a", "-o", "out.c"][..], &ltl].concat());
    assert_eq!(ran.status, 2, "{ran:?}");
    assert!(!dir.names().contains(&"out.c".to_owned()));
}

/// A handler of higher priority that reads what another one has half done.
fn nested() -> &'static str {
    "volatile unsigned char busy, seen, n;
void TIM2_IRQHandler(void)
{
    busy = 1;
    n++;
    busy = 0;
}
void ADC_IRQHandler(void)
{
    if (busy)
        seen = 1;
}
int main(void)
{
    for (;;)
        n = 0;
}
"
}

#[test]
fn handlers_of_higher_priority_interrupt_others() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", nested())]);
    let asked = |first: &str, second: &str, formula: &str| {
        let handlers = ["--interrupt", first, "--interrupt", second];
        let asked = [&["prove"][..], &handlers, &["--ltl", formula, "p.c"]].concat();
        dir.run(&asked)
    };
    let unseen = "G {!seen}";
    let ran = asked("TIM2_IRQHandler:1", "ADC_IRQHandler:2", unseen);
    assert_eq!(ran.status, 10, "{ran:?}");
    assert!(ran.stdout.contains("interrupt ADC_IRQ"), "{ran:?}");
    for (first, second) in [
        ("TIM2_IRQHandler", "ADC_IRQHandler"),
        ("TIM2_IRQHandler:2", "ADC_IRQHandler:1"),
    ] {
        let ran = asked(first, second, unseen);
        assert_eq!(ran.status, 0, "{ran:?}");
    }
    // The program always goes on, however often handlers come.
    let ran = asked("TIM2_IRQHandler:1", "ADC_IRQHandler:2", "G F {n == 0}");
    assert_eq!(ran.status, 0, "{ran:?}");
}

/// Regression: with priorities, a handler that was due while it was kept off could be late for ever, as others came again
/// and again, and the program never went on; and a handler that itself keeps others off was refused where the processor
/// sleeps.
#[test]
fn handlers_that_are_due_come_before_the_program_goes_on() {
    if !cbmc() {
        return;
    }
    let program = "void __disable_irq(void); void __enable_irq(void); void __WFI(void);
volatile unsigned char flag, other, half, seen, woke, done;
void TIM2_IRQHandler(void) { __disable_irq(); half = 1; half = 0; __enable_irq(); flag = !flag; }
void TIM3_IRQHandler(void) { other = !other; }
void ADC_IRQHandler(void) { flag = other; if (half) seen = 1; }
int main(void) { for (;;) { __disable_irq(); done = 0; __WFI(); woke = 1; __enable_irq(); done = 1; woke = 0; } }
";
    let dir = Dir::with(&[("p.c", program)]);
    for (formula, holds) in [
        ("G ({woke} -> F {done}) && G {!seen}", "proved"),
        ("G F {done}", "refuted"),
    ] {
        let asked = [
            "--interrupt=TIM2_IRQHandler:1",
            "--interrupt=TIM3_IRQHandler:1",
            "--interrupt=ADC_IRQHandler:2",
        ];
        let asked = [
            &["--engine", "steps", "--ltl", formula][..],
            &asked,
            &["p.c"],
        ]
        .concat();
        let (result, _) = dir.verify(&asked);
        assert_eq!(result["holds"], holds, "{result}");
    }
}

/// A 16-bit number that a handler counts on an 8-bit processor; its macros stand for a cross compiler.
#[test]
fn wide_accesses_are_torn() {
    if !cbmc() {
        return;
    }
    let program = |before: &str, behind: &str| {
        format!(
            "#define SREG (*(volatile unsigned char *)0x5F)
void cli(void); void sei(void);
volatile unsigned ticks = 255; unsigned now = 255;
void timer_isr(void)
{{
    if (ticks < 257) ticks++;
}}
int main(void)
{{
    unsigned char saved;
    sei();
    for (;;) {{
        {before}
        now = ticks;
        {behind}
    }}
}}
"
        )
    };
    let dir = Dir::with(&[
        ("torn.c", &program("", "")),
        ("whole.c", &program("cli();", "sei();")),
        ("saved.c", &program("saved = SREG; cli();", "SREG = saved;")),
    ]);
    // Two rounds show the torn read; a proof of the others needs minutes.
    for (file, status) in [("torn.c", 10), ("whole.c", 0), ("saved.c", 0)] {
        let formula = "G {now >= 255 && now <= 257}";
        let bounded = [
            "--engine",
            "rounds",
            "--schedules",
            "rounds:2",
            "--unwind",
            "2",
        ];
        let asked = ["--interrupt", "timer_isr", "--ltl", formula, file];
        let ran = dir.run(&[&["verify", "--cpp", NARROW][..], &bounded, &asked].concat());
        assert_eq!(ran.status, status, "{file} {ran:?}");
    }
}

/// A firmware for 16 bits that never ends: the torn read of a counter is found, and the repaired one proved for ever. Both
/// instructions of one statement have their effect.
#[test]
fn endless_programs_of_narrow_machines_are_proved() {
    if !cbmc() {
        return;
    }
    let program = |read: &str| {
        format!(
            "static inline unsigned length(const char *s) {{ return __builtin_strlen(s); }} /* nothing calls it */
volatile unsigned ticks = 255, now = 255; void cli(void); void sei(void);
void TIMER1_COMPA_isr(void) {{ ticks ^= 255u ^ 256u; }}
int main(void) {{ sei(); for (;;) {{ {read} }} }}
"
        )
    };
    let asked = |text: &str, formula: &str| {
        let dir = Dir::with(&[("p.c", text)]);
        let ran = dir.run(&[
            "verify",
            "--cpp",
            NARROW,
            "--interrupt",
            "auto",
            "--ltl",
            formula,
            "p.c",
        ]);
        (ran.status, ran.stdout)
    };
    let real = "G {now == 255 || now == 256}";
    let (status, told) = asked(&program("cli(); now = ticks; sei();"), real);
    assert!(status == 0 && told.contains("proved: every run"), "{told}");
    let (status, told) = asked(&program("now = ticks;"), real);
    assert!(status == 10 && told.contains("refuted"), "{told}");
    // A block that a macro writes as a loop with one iteration: what it sets has a value behind it.
    let once =
        "unsigned t; for (unsigned char on = off(); on; on = 0) { t = ticks; sei(); } now = t;";
    let off = "void cli(void); static inline unsigned char off(void) { cli(); return 1; }\n";
    let (status, told) = asked(&format!("{off}{}", program(once)), real);
    assert!(status == 0 && told.contains("proved: every run"), "{told}");
    // Without a handler that wakes it, the processor sleeps for ever.
    let sleeps = program("__asm__ volatile (\"sei\\n\\tsleep\"); now = 1;");
    let (status, told) = asked(&sleeps, "F {now == 1}");
    assert!(status == 10 && told.contains("refuted"), "{told}");
}

/// Objects and members of an enumeration without a name are set behind calls that a handler may interrupt.
#[test]
fn a_state_of_an_enumeration_without_a_name_is_followed() {
    if !cbmc() {
        return;
    }
    let program = "volatile unsigned char ready;
enum { OFF, RUN, FAULT } state;
struct { enum { LOW, HIGH } level; } line;
void TIM2_IRQHandler(void) { ready = 1; }
static unsigned char take(void) { unsigned char was = ready; ready = 0; return was; }
int main(void)
{
    for (;;) {
        switch (state) {
        case OFF: state = take() ? RUN : OFF; break;
        case RUN: line.level = take() ? HIGH : LOW; if (line.level == HIGH) state = FAULT; break;
        case FAULT: break;
        }
    }
}
";
    answered(program, "G ({state == FAULT} -> G {line.level == HIGH})", 0);
    answered(program, "G {state != FAULT}", 10);
}

/// A copy of several words is torn by a handler that comes in between, however it is written, unless the handler is kept off.
#[test]
fn copies_of_what_a_handler_writes_are_torn() {
    if !cbmc() {
        return;
    }
    let program = |copy: &str| {
        format!(
            "#include <string.h>
void __disable_irq(void); void __enable_irq(void);
struct pair {{ unsigned long a, b; }};
static struct pair shared, mine, queue[2];
static unsigned n;
static volatile unsigned last;
int torn;
void SysTick_Handler(void) {{ n = (n + 1) & 1; shared.a = n; shared.b = n; queue[last] = shared; }}
int main(void)
{{
    for (;;) {{
        {copy}
        torn = mine.a != mine.b;
    }}
}}
"
        )
    };
    let holds = "G {torn == 0}";
    let copies = [
        "mine = shared;",
        "struct pair first = shared; mine = first;",
        "mine = queue[last];",
        "memcpy(&mine, &shared, sizeof mine);",
        "const struct pair *from = &shared; memmove(&mine, from, sizeof mine);",
    ];
    for copy in crate::support::sample(copies, 3) {
        answered(&program(copy), holds, 10);
        let kept_off = format!("__disable_irq(); {copy} __enable_irq();");
        answered(&program(&kept_off), holds, 0);
    }
}

/// A number that the processor reads in two parts is so within a structure, too, also where it is copied to a variable without
/// a value.
#[test]
fn wide_members_of_copied_structures_are_torn() {
    if !cbmc() {
        return;
    }
    let program = |before: &str, behind: &str| {
        format!(
            "void cli(void); void sei(void);
struct sample {{ unsigned value; unsigned char kind; }};
static struct sample shared = {{ 0x00ff, 1 }};
static unsigned char bad;
void tick(void) {{ shared.value ^= 0xffff; }}
int main(void)
{{
    sei();
    for (;;) {{
        {before}
        struct sample mine = shared;
        {behind}
        bad = mine.value != 0x00ff && mine.value != 0xff00;
    }}
}}
"
        )
    };
    for (before, behind, status) in [("", "", 10), ("cli();", "sei();", 0)] {
        let dir = Dir::with(&[("p.c", &program(before, behind))]);
        let asked = ["prove", "--target", "avr", "--interrupt", "tick"];
        let ran = dir.run(&[&asked[..], &["--ltl", "G {bad == 0}", "p.c"]].concat());
        assert_eq!(ran.status, status, "{ran:?}");
    }
}

/// Names of the program are its own where accesses are divided, and where handlers are kept off.
#[test]
fn names_of_the_program_are_not_those_of_divided_accesses() {
    if !cbmc() {
        return;
    }
    let program = "unsigned long long wide; unsigned parts; unsigned char bad, word;
struct { unsigned lo : 4, hi : 4; } bits;
long value = 3;
void SysTick_Handler(void) { wide = 7; bits.hi = 1; }
void interrupts_enable(void) { __asm volatile (\"cpsie i\"); }
int main(void)
{
    parts = 5;
    for (;;) {
        interrupts_enable();
        wide = parts + 2;
        bits.lo = value;
        bad = wide != 7 && wide != 0;
    }
}
";
    let dir = Dir::with(&[("p.c", program)]);
    for (formula, status) in [
        ("G {bad == 0}", 0),
        ("G {bits.lo == 0 || bits.lo == 3}", 0),
        ("G {bits.lo == 0}", 10),
    ] {
        let asked = ["--target", "cortex-m", "--interrupt", "auto", "p.c"];
        let ran = dir.run(&[&["prove", "--ltl", formula][..], &asked].concat());
        assert_eq!(ran.status, status, "{formula}: {ran:?}");
    }
}

/// A bit-field beside members of other types is read at once, and writing it writes the bit-fields next to it again, nothing else.
#[test]
fn a_bit_field_beside_other_members_is_written_with_its_neighbours() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[(
        "p.c",
        "volatile struct { unsigned char buffer[12], head; unsigned char overrun : 1, idle : 1, : 2; unsigned short rest; } rx;
volatile int came; int head_lost, bit_lost;
void uart_isr(void) { rx.head = 1; rx.overrun = 1; rx.rest = 1; came = 1; }
int main(void)
{
    rx.idle = 1;
    if (came && !(rx.head && rx.rest)) head_lost = 1;
    if (came && !rx.overrun) bit_lost = 1;
    return 0;
}
",
    )]);
    for (formula, status) in [("G {head_lost == 0}", 0), ("G {bit_lost == 0}", 10)] {
        let bounded = ["--engine", "rounds", "--schedules", "rounds:2"];
        let asked = ["--interrupt", "uart_isr", "--ltl", formula, "p.c"];
        let ran = dir.run(&[&["verify", "--unwind", "2"][..], &bounded, &asked].concat());
        assert_eq!(ran.status, status, "{formula} {ran:?}");
    }
}
