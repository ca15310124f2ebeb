//! Functions that look like interrupt handlers and that the program does not call.
#![allow(clippy::unwrap_used)]

use serde_json::Value;

use crate::support::{cbmc, Dir};

/// A program with handlers of all kinds, and with functions that only look like them.
const FIRMWARE: &str = r#"int fault, led;
void USART1_IRQHandler(void) { fault = 1; }
void adc_service(void) { fault = 2; }
__attribute__((interrupt)) void tick(void) { fault = 3; }
void shared_isr(void) { fault = 4; }
void __vector_18(void) { shared_isr(); }
void polled_isr(void) { led = led; }
void client_Handler(int x) { led = x; }
void hook_isr(void) { led = led; }
void (*hook)(void) = hook_isr;
void (*const vectors[])(void) __attribute__((section(".isr_vector"))) = { adc_service, tick };
int main(void);
void Reset_Handler(void) { main(); }
int main(void) { for (;;) { polled_isr(); hook(); if (fault) led = 1; } }
"#;

const FORMULA: [&str; 2] = ["--ltl", "G({fault != 0} -> F {led == 1})"];

/// The functions and lines of the findings about handlers.
fn told(result: &Value) -> Vec<(String, u64)> {
    let findings = result["findings"].as_array().unwrap().iter();
    let handlers = findings.filter(|f| f["kind"] == "uncalled_handler");
    handlers
        .map(|f| {
            let function = f["function"].as_str().unwrap().to_string();
            (function, f["line"].as_u64().unwrap())
        })
        .collect()
}

/// `proved` once said nothing about the handlers that no run calls.
#[test]
fn a_proof_without_the_handlers_says_so() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", FIRMWARE)]);
    let args = [
        "prove", "--format", "json", "-q", FORMULA[0], FORMULA[1], "p.c",
    ];
    let result: Value = serde_json::from_str(&dir.run(&args).stdout).unwrap();
    assert_eq!(result["properties"][0]["holds"], "proved", "{result}");
    let expected = [
        ("USART1_IRQHandler", 2),
        ("adc_service", 3),
        ("tick", 4),
        ("shared_isr", 5),
        ("__vector_18", 6),
    ];
    let expected = expected.map(|(name, line)| (name.to_string(), line));
    assert_eq!(told(&result), expected, "{result}");
    let text = dir
        .run(&["prove", "-q", FORMULA[0], FORMULA[1], "p.c"])
        .stdout;
    assert!(text.contains("as long as no interrupt comes"), "{text}");
    let assumed = result["assumptions"].to_string();
    assert!(assumed.contains("no interrupt comes"), "{assumed}");
}

#[test]
fn every_form_of_a_bounded_answer_has_the_finding() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("p.c", FIRMWARE)]);
    for format in ["text", "json", "sarif"] {
        let bound = [
            "verify",
            "--unwind",
            "1",
            "--vacuity",
            "none",
            "--format",
            format,
        ];
        let ran = dir.run(&[&bound[..], &FORMULA, &["p.c"]].concat());
        assert!(ran.stdout.contains("looks like an interrupt"), "{ran:?}");
        assert!(!ran.stdout.contains("`hook_isr` looks"), "{ran:?}");
    }
}

#[test]
fn a_program_that_calls_its_handlers_has_no_finding() {
    if !cbmc() {
        return;
    }
    let program = "int x;\nvoid timer_isr(void) { x = 1; }\nint main(void) { timer_isr(); }\n";
    let dir = Dir::with(&[("p.c", program)]);
    let (result, _) = dir.verify(&["--unwind", "1", "--ltl", "F {x == 1}", "p.c"]);
    assert_eq!(told(&result), [], "{result}");
    assert!(!result["assumptions"].to_string().contains("interrupt"));
}
