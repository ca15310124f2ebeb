#![allow(clippy::unwrap_used)]
use super::*;

fn made(text: &str, interrupts: &Interrupts) -> Result<String, String> {
    let source = Source::from_bytes(format!("# 1 \"p.c\"\n{text}").into_bytes());
    let unit = Unit::parse(source).unwrap();
    let made = interleaved(&unit, interrupts).map_err(|d| d.message)?;
    let text = made.text.clone();
    Unit::parse(made).unwrap();
    Ok(text)
}

fn of(name: &str) -> Interrupts {
    Interrupts {
        handlers: vec![Handler {
            name: name.into(),
            enabled: Some("on".into()),
            at_most: Some(3),
            priority: 0,
        }],
        masks: Vec::new(),
    }
}

#[test]
fn handlers_are_threads_and_instructions_mask_them() {
    let program = "char on, n; void tick(void) { n++; }\nint main(void) { __asm__ __volatile__ (\"cli\" ::: \"memory\"); n = 0;\n__asm__ volatile (\"sei\"); for (;;) { __asm__ (\"sleep\"); __asm__ (\"sei\"); do { __asm__ (\"sleep\"); } while (0); } }\n";
    let text = made(program, &of("tick")).unwrap();
    for part in [
        "int main(void) { interrupts_begin(); { interrupts_masked = 1; } n = 0;\n{ interrupts_enable(); }",
        "for (;;) { { interrupts_woken = 0; while (!interrupts_woken) ; } ; do { { interrupts_woken = 0; interrupts_enable(); while (!interrupts_woken) ; } } while (0); }",
        "if (nondet_interrupt() && (on) && interrupt_tick_came < 3) { interrupts_woken = 1; interrupt_tick_came++; if (!interrupts_masked) { tick(); } else interrupt_tick_waits = 1; }",
        "static void interrupts_enable(void) { if (interrupt_tick_waits) { interrupt_tick_waits = 0; interrupts_woken = 1; tick(); } interrupts_masked = 0; }",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn what_is_no_handler_is_refused() {
    let program = "long long total; char on; void add(void) { total++; } void with(int n) { }\nint main(void) { return 0; }\n";
    for (name, part) in [("none", "no function `none`"), ("with", "has parameters")] {
        let why = made(program, &of(name)).unwrap_err();
        assert!(why.contains(part), "{why}");
    }
    assert!(made(program, &of("add")).is_ok());
    let restores = program.replace("return 0;", "__asm__ (\"msr primask, r0\"); return 0;");
    let why = made(&restores, &of("add")).unwrap_err();
    assert!(why.contains("not followed"), "{why}");
}

#[test]
fn masks_are_functions_of_the_program() {
    let program = "char n, on; void enter(void); void leave(void) { n = 2; } void tick(void) { n++; }\nint main(void) { enter(); n = 0; leave(); return 0; }\n";
    let interrupts = Interrupts {
        masks: vec![("enter".into(), "leave".into())],
        ..of("tick")
    };
    let text = made(program, &interrupts).unwrap();
    for part in [
        "void leave(void) { interrupts_enable(); n = 2; }",
        "void enter(void) { interrupts_masked = 1; }",
    ] {
        assert!(text.contains(part), "{text}");
    }
}
