//! Programs of small processors that sleep between their interrupts, in the style of avr-libc.

use serde_json::Value;

use crate::support::{cbmc, Dir, NARROW};

/// The part of avr-libc's headers that such programs use.
const HEADER: &str = "typedef unsigned char uint8_t;
#define _BYTE(address) (*(volatile uint8_t *)(address))
#define SMCR _BYTE((0x33) + 0x20)
#define PIND _BYTE((0x09) + 0x20)
#define _VECTOR(N) __vector_ ## N
#define TIMER1_COMPA_vect _VECTOR(11)
#define ISR(vector) void vector(void) __attribute__((signal, used)); void vector(void)
#define sei() __asm__ __volatile__ (\"sei\" ::: \"memory\")
#define cli() __asm__ __volatile__ (\"cli\" ::: \"memory\")
#define sleep_cpu() __asm__ __volatile__ (\"sleep\" \"\\n\\t\" :: )
#define set_sleep_mode(mode) do { SMCR = ((SMCR & ~0x0e) | (mode)); } while (0)
";

/// A program that a timer wakes, and that works at every second tick.
const EVERY_SECOND: &str = "static volatile uint8_t phase, due;
uint8_t worked, both;
ISR(TIMER1_COMPA_vect)
{
    phase = (phase + 1) & 1;
    if (phase == 0)
        due = 1;
}
int main(void)
{
    set_sleep_mode(2);
    both = (PIND & 4) | (PIND & 8);
    sei();
    for (;;) {
        cli();
        if (!due) {
            sei();
            sleep_cpu();
        }
        sei();
        worked = 0;
        if (due) { due = 0; worked = 1; }
    }
}
";

fn asked(handler: &str, formula: &str) -> Value {
    let dir = Dir::with(&[("p.c", &format!("{HEADER}{EVERY_SECOND}"))]);
    dir.write(
        "p.json",
        format!(r#"{{ "ltl": "{formula}", "interrupts": [ {handler} ] }}"#),
    );
    dir.verify(&["--engine", "steps", "--cpp", NARROW, "p.json", "p.c"])
        .0
}

/// What becomes due while the mask goes comes then, as one step, and does not interrupt itself. It had been left until the next
/// time, and formulas had been refuted by that.
#[test]
fn a_handler_that_becomes_due_while_the_mask_goes_comes_then() {
    if !cbmc() {
        return;
    }
    let fair = r#"{"handler": "__vector_11", "fair": true}"#;
    let result = asked(fair, "G F {worked}");
    assert_eq!(result["holds"], "proved", "{result}");
    let result = asked(fair, "F G {!worked}");
    assert_eq!(result["holds"], "refuted", "{result}");
}

/// Headers have macros for the functions of handlers, and a register that an expression reads and writes, or reads twice, is no
/// object that it changes without an order.
#[test]
fn handlers_and_registers_are_those_of_the_headers() {
    if !cbmc() {
        return;
    }
    let handler = r#"{"handler": "TIMER1_COMPA_vect"}"#;
    for formula in ["G F {worked}", "G {both != 12}"] {
        let result = asked(handler, formula);
        assert_eq!(result["holds"], "refuted", "{result}");
    }
    let unknown = Dir::with(&[("p.c", HEADER), ("q.c", "int main(void) { return 0; }")]);
    let ran = unknown.run(&[
        "verify",
        "--ltl",
        "G {1}",
        "--interrupt",
        "TIMER1_COMPA_vect",
        "q.c",
    ]);
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(
        ran.stderr
            .contains("there is no function `TIMER1_COMPA_vect`"),
        "{ran:?}"
    );
}

/// Instructions that order or wait, written as the headers of Arm have them, are no obstacle to a search on another machine.
#[test]
fn instructions_of_the_target_are_none_of_this_machine() {
    if !cbmc() {
        return;
    }
    let program = "static volatile unsigned events;
unsigned char served;
void EXTI0_IRQHandler(void) { events |= 1u; }
int main(void)
{
    for (;;) {
        __asm volatile (\"cpsid i\" ::: \"memory\");
        if (events == 0) { __asm volatile (\"dsb 0xF\" ::: \"memory\"); __asm volatile (\"wfi\"); }
        __asm volatile (\"cpsie i\" ::: \"memory\");
        __asm volatile (\"isb 0xF\" ::: \"memory\");
        served = 0;
        if (events & 1u) { events = 0; served = 1; }
    }
}
";
    let dir = Dir::with(&[("p.c", program)]);
    let asked = [
        "--engine",
        "steps",
        "--target",
        "cortex-m",
        "--interrupt",
        "auto",
    ];
    let asked = [
        &asked[..],
        &["--ltl", "G({events == 1} -> F {served})", "p.c"],
    ]
    .concat();
    let (result, _) = dir.verify(&asked);
    assert_eq!(result["holds"], "proved", "{result}");
}
