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
            fair: false,
        }],
        masks: Vec::new(),
    }
}

#[test]
fn handlers_are_threads_and_instructions_mask_them() {
    let program = "char on, n; void tick(void) { n++; }\nint main(void) { __asm__ __inline __volatile__ (\"cli\" ::: \"memory\"); n = 0;\n__asm__ volatile (\"sei\"); for (;;) { __asm__ (\"sleep\"); __asm__ (\"sei\"); do { __asm__ (\"sleep\"); } while (0); } }\n";
    let text = made(program, &of("tick")).unwrap();
    for part in [
        "int main(void) { interrupts__begin(); { interrupts__masked = 1; } n = 0;\n{ interrupts__enable(); }",
        "for (;;) { { interrupts__woken = 0; while (!interrupts__woken) ; } ; do { { interrupts__woken = 0; interrupts__enable(); while (!interrupts__woken) ; } } while (0); }",
        "if (nondet_interrupt() && (on) && interrupt__tick_came < 3) { interrupts__woken = 1; if (!interrupts__masked) { interrupt__tick_came++; tick(); } else interrupt__tick_waits = 1; }",
        "static void interrupts__enable(void) { __VERIFIER_atomic_begin(); if (interrupt__tick_waits && (on) && interrupt__tick_came < 3) { interrupt__tick_waits = 0; interrupts__woken = 1; interrupt__tick_came++; tick(); } interrupts__masked = 0; __VERIFIER_atomic_end(); }",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn the_thread_of_a_fair_handler_waits_until_it_can_come() {
    let program = "char on, n; void cli(void); void tick(void) { n++; }\nint main(void) { for (;;) { cli(); on = 1; } }\n";
    let mut fair = of("tick");
    fair.handlers[0].fair = true;
    let text = made(program, &fair).unwrap();
    let section = "while (!(!interrupts__masked && (on) && interrupt__tick_came < 3)) ; { { interrupt__tick_came++; tick(); } }";
    assert!(text.contains(section), "{text}");
    let unit = Unit::parse(Source::from_bytes(text.into_bytes())).unwrap();
    assert!(is_fair(&unit.tree, "interrupt__tick"));
    assert!(!is_fair(&unit.tree, "tick"));
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

/// Helper functions of vendors' libraries save PRIMASK in one statement with the instruction that sets it, or in two.
#[test]
fn primask_is_saved_and_restored_in_statements() {
    let program = "char n, on; void tick(void) { n++; }
static inline unsigned save(void) { unsigned p; __asm volatile (\"MRS %0, primask\\n\\t\" \"CPSID I\" : \"=r\"(p) :: \"memory\"); return p; }
static inline void restore(unsigned p) { __asm volatile (\"msr primask, %[p]\" :: [p] \"r\" (p) : \"memory\"); }
int main(void) { unsigned p = save(); n = 0; restore(p); return 0; }
";
    let text = made(program, &of("tick")).unwrap();
    for part in [
        "unsigned p; { (p) = interrupts__masked; interrupts__masked = 1; } return p;",
        "{ { if ((p) & 1) interrupts__masked = 1; else interrupts__enable(); } }",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let other = program.replace("CPSID I", "CPSID F");
    let why = made(&other, &of("tick")).unwrap_err();
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
        "void leave(void) { interrupts__enable(); n = 2; }",
        "void enter(void) { interrupts__masked = 1; }",
    ] {
        assert!(text.contains(part), "{text}");
    }
}

/// A handler for a program with vendors' headers in the style of CMSIS.
const PRIORITIES: &str = "#define __NVIC_PRIO_BITS 4
typedef enum { SVCall_IRQn = -5, TIM2_IRQn = 28 } IRQn_Type; char n;
static inline unsigned __get_BASEPRI(void) { unsigned r; __asm volatile (\"MRS %0, basepri\" : \"=r\"(r)); return r; }
static inline void __set_BASEPRI(unsigned v) { __asm volatile (\"MSR basepri, %0\" : : \"r\"(v) : \"memory\"); }
static inline void __set_FAULTMASK(unsigned v) { __asm volatile (\"MSR faultmask, %0\" : : \"r\"(v) : \"memory\"); }
static void NVIC_SetPriority(IRQn_Type irq, unsigned p) { (void)irq; (void)p; }
void TIM2_IRQHandler(void) { n++; }
int main(void) { NVIC_SetPriority(TIM2_IRQn, 6); unsigned old = __get_BASEPRI(); __set_BASEPRI(5 << 4); n = 1; __set_BASEPRI(old); return 0; }
";

#[test]
fn priorities_keep_handlers_off() {
    let interrupts = Interrupts {
        handlers: vec![Handler::at_any_time("TIM2_IRQHandler")],
        masks: Vec::new(),
    };
    let text = made(PRIORITIES, &interrupts).unwrap();
    for part in [
        "__get_BASEPRI(void) { return interrupts__basepri; }",
        "__set_BASEPRI(unsigned v) { interrupts__basepri = (unsigned char)(v & 240); }",
        "NVIC_SetPriority(IRQn_Type irq, unsigned p) { interrupts__priority((int)irq, p);",
        "unsigned char urgency = (unsigned char)(priority << 4);  if (number == 28) interrupts__urgency_TIM2_IRQHandler = urgency;",
        "nondet_interrupt() && (!interrupts__basepri || interrupts__urgency_TIM2_IRQHandler < interrupts__basepri)",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    for (from, to, part) in [
        ("#define __NVIC_PRIO_BITS 4", "", "how many bits"),
        (
            "TIM2_IRQn = 28",
            "OTHER_IRQn = 28, TIM3_IRQn, TIM2 = 1",
            "the number of `TIM2_IRQHandler` is not known",
        ),
        ("n = 1;", "__set_FAULTMASK(1);", "not followed"),
        (
            "n = 1;",
            "((struct { char IP[4]; } *)0xE000E100)->IP[1] = 8;",
            "may set priorities",
        ),
    ] {
        let program = PRIORITIES
            .replace(from, to)
            .replace("SetPriority(TIM2_IRQn", "SetPriority((IRQn_Type)28");
        let why = made(&program, &interrupts).unwrap_err();
        assert!(why.contains(part), "{why}");
    }
}

/// In small: what vendors' headers bring, and what threads cannot have.
#[test]
fn functions_that_nothing_calls_and_frames_of_handlers_do_not_matter() {
    let program = "char n, on; struct { unsigned char a : 1, b : 2; } bits;
static void __WFI(void) { __asm volatile (\"wfi\"); }
static void unused(void) { __asm volatile (\"MSR faultmask, %0\" : : \"r\"(1)); }
static void reset(unsigned char v) { __asm__ __volatile__ (\"in __tmp_reg__,__SREG__\" \"\\n\\t\" \"cli\" \"\\n\\t\" \"sts %0, %1\" \"\\n\\t\" \"out __SREG__,__tmp_reg__\" : : \"n\"(96), \"r\"(v) : \"r0\"); }
void tick(void) __attribute__((signal, used));
void tick(void) { bits.a = 1; }
int main(void) { reset(3); if (bits.a) n = 1; return 0; }
";
    let text = made(program, &of("tick")).unwrap();
    assert!(text.contains("void tick(void) ;"), "{text}");
    assert!(!text.contains("interrupts__woken"), "{text}");
    assert!(text.contains("struct  interrupts__type_0 {"), "{text}");
    let early = program
        .replace("\\n\\t\" : :", "\\n\\t\" \"cli\" : :")
        .replace("__tmp_reg__\" : :", "__tmp_reg__\" \"\\n cli\" : :");
    assert!(made(&early, &of("tick")).is_err());
}

/// Macros of a system header put lines between the two instructions that say where these are from.
#[test]
fn sleep_behind_the_enabling_instruction_is_one_step_with_it() {
    let program = "char on, n; void tick(void) { n++; }\nint main(void) {\n# 2 \"p.c\" 3\n__asm__ (\"sei\")\n# 2 \"p.c\"\n;\n# 2 \"p.c\" 3\ndo { __asm__ (\"sleep\"); } while (0)\n# 2 \"p.c\"\n; }\n";
    let text = made(program, &of("tick")).unwrap();
    let one = "interrupts__woken = 0; interrupts__enable(); while (!interrupts__woken) ;";
    assert!(text.contains(one), "{text}");
}

#[test]
fn a_store_is_exclusive_until_a_handler_comes() {
    let program = "char on; unsigned n; unsigned __LDREXW(volatile unsigned *a) { unsigned r; __asm__ (\"ldrex %0, %1\" : \"=r\" (r) : \"Q\" (*a)); return r; }\n\
        unsigned __STREXW(unsigned v, volatile unsigned *a) { unsigned r; __asm__ (\"strex %0, %2, %1\" : \"=&r\" (r), \"=Q\" (*a) : \"r\" (v)); return r; }\n\
        unsigned __get_IPSR(void) { unsigned r; __asm__ (\"MRS %0, ipsr\" : \"=r\" (r)); return r; }\n\
        void tick(void) { n++; }\nint main(void) { while (__STREXW(__LDREXW(&n) + 1, &n)) ; return __get_IPSR(); }\n";
    let text = made(program, &of("tick")).unwrap();
    for part in [
        "if (interrupts__exclusive) { *a = v; interrupts__failed = 0; } interrupts__exclusive = 0;",
        "{ return interrupts__number; }",
        "interrupts__exclusive = 0; { interrupt__tick_came++; { unsigned short interrupts__outer = interrupts__number; interrupts__number = 256; tick(); interrupts__number = interrupts__outer; } interrupts__exclusive = 0; }",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let unit = Unit::parse(Source::from_bytes(program.as_bytes().to_vec())).unwrap();
    let text = alone(&unit).unwrap().text.clone();
    assert!(
        text.contains("unsigned int interrupts__loaded = *a; return"),
        "{text}"
    );
    assert!(!text.contains("__VERIFIER_atomic"), "{text}");
}

/// Regression: without a body they were functions that give any value, on which refutations rested.
#[test]
fn exclusive_accesses_without_a_body_have_one() {
    let program = "char on; unsigned n; unsigned __LDREXW(volatile unsigned *); unsigned __STREXW(unsigned, volatile unsigned *); void __CLREX(void);\n\
        void tick(void) { n++; }\nint main(void) { while (__STREXW(__LDREXW(&n) + 1, &n)) ; __CLREX(); return 0; }\n";
    let text = made(program, &of("tick")).unwrap();
    for part in [
        "unsigned int __LDREXW(volatile unsigned int *interrupts__operand_0) { __VERIFIER_atomic_begin(); interrupts__exclusive = 1; unsigned int interrupts__loaded = *interrupts__operand_0;",
        "unsigned int __STREXW(unsigned int interrupts__operand_0, volatile unsigned int *interrupts__operand_1) {",
        "*interrupts__operand_1 = interrupts__operand_0; interrupts__failed = 0;",
        "void __CLREX(void) { interrupts__exclusive = 0; }",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

/// Operating systems' critical sections nest, or write back the mask that they found.
#[test]
fn critical_sections_without_a_body_keep_handlers_off() {
    let program = "char on, n; void vPortEnterCritical(void); void vPortExitCritical(void);
unsigned int irq_lock(void); void irq_unlock(unsigned int key); void tick(void) { n++; }
int main(void) { vPortEnterCritical(); n = 0; vPortExitCritical(); unsigned k = irq_lock(); n = 1; irq_unlock(k); return 0; }
";
    let text = made(program, &of("tick")).unwrap();
    for part in [
        "void vPortEnterCritical(void) { interrupts__masked = 1; if (interrupts__nested < 255) interrupts__nested++; }",
        "void vPortExitCritical(void) { if (interrupts__nested > 0) interrupts__nested--; if (interrupts__nested == 0) interrupts__enable(); }",
        "unsigned int irq_lock(void) { unsigned char key = interrupts__masked; interrupts__masked = 1; return key; }",
        "void irq_unlock(unsigned int key) { if (key) interrupts__masked = 1; else interrupts__enable(); }",
    ] {
        assert!(text.contains(part), "{text}");
    }
    for (from, to) in [
        ("irq_lock", "k_spin_irqsave"),
        (
            "unsigned int irq_lock(void)",
            "unsigned int irq_lock(int line)",
        ),
    ] {
        let other = program
            .replace(from, to)
            .replace("irq_lock()", "irq_lock(1)");
        let why = made(&other, &of("tick")).unwrap_err();
        assert!(why.contains("handlers off"), "{why}");
    }
    let named = Interrupts {
        masks: vec![(
            "hold_critical_section".into(),
            "drop_critical_section".into(),
        )],
        ..of("tick")
    };
    let own = "char on, n; void hold_critical_section(void); void drop_critical_section(void); void tick(void) { n++; }
int main(void) { hold_critical_section(); n = 0; drop_critical_section(); return 0; }
";
    assert!(made(own, &named).is_ok());
    assert!(made(own, &of("tick")).is_err());
}

/// What is divided in a program, as a text without the threads.
fn divided_text(program: &str, handlers: &[(&str, i128)]) -> Option<String> {
    let handlers = handlers.iter().map(|(name, priority)| Handler {
        priority: *priority,
        ..Handler::at_any_time(*name)
    });
    let all = Interrupts {
        handlers: handlers.collect(),
        masks: Vec::new(),
    };
    let narrow = "#define __SIZEOF_INT__ 2\n#define __SIZEOF_POINTER__ 2\n";
    let source = Source::from_bytes(format!("{narrow}{program}").into_bytes());
    let made = interleaved(&Unit::parse(source).unwrap(), &all).unwrap();
    let unit = Unit::parse(made).unwrap();
    let made = divided(&unit, &all).unwrap()?.text;
    Unit::parse(Source::from_bytes(made.clone().into_bytes())).unwrap();
    Some(made)
}

#[test]
fn accesses_are_divided_where_a_handler_may_come() {
    let program = |before: &str, function: &str, body: &str| {
        format!(
            "void cli(void); void sei(void); int _setjmp(void *); unsigned char in(void); unsigned n; struct {{ unsigned a, b; }} s, t; void tick(void) {{ n++; s.a = n; }}\n\
             {before}void sub(void) {{ {function} }}\nint main(void) {{ n = 0; sei(); for (;;) {{ {body} }} }}\n"
        )
    };
    let is_divided = |function: &str, body: &str| {
        divided_text(&program("", function, body), &[("tick", 0)]).is_some()
    };
    for (function, body) in [
        ("", "cli(); n = 0; sei();"),
        ("", "cli(); if (in()) n = 1; else n = 2; t = s; sei();"),
        ("", "cli(); while (n) { n--; if (in()) break; } sei();"),
        // All calls of the function are made while no handler can come.
        ("n = 1;", "cli(); sub(); sei();"),
        ("cli();", "sub(); n = 1; sei();"),
        ("n = 1; sei();", "cli(); sub();"),
    ] {
        assert!(!is_divided(function, body), "{function} {body}");
    }
    for (function, body) in [
        ("", "n = 0;"),
        ("", "cli(); n = 0; sei(); n = 1;"),
        ("", "if (in()) cli(); n = 0; sei();"),
        ("", "cli(); while (n) { n--; sei(); }"),
        (
            "",
            "cli(); again: n = 0; sei(); if (in()) goto again; cli();",
        ),
        ("n = 1;", "cli(); sub(); sei(); sub();"),
        ("if (in()) cli();", "sub(); n = 1; sei();"),
        ("sei();", "cli(); sub(); n = 1;"),
        ("n = 1; sei();", "cli(); sub(); n = 2;"),
        ("", "in() && (cli(), 1); n = 1; sei();"),
        ("", "cli(); _setjmp(0); n = 1; sei();"),
        (
            "",
            "cli(); switch (in()) { case 1: sei(); default: n = 1; } sei();",
        ),
    ] {
        assert!(is_divided(function, body), "{function} {body}");
    }
    // A pointer may lead to a function that lets handlers come.
    let by_pointer = program(
        "void (*f)(void); ",
        "sei();",
        "f = sub; cli(); f(); n = 1; sei();",
    );
    assert!(divided_text(&by_pointer, &[("tick", 0)]).is_some());
    // A handler that others interrupt begins with them.
    let nested = program("void high(void) { n = 5; } ", "", "cli(); sei();");
    assert!(divided_text(&nested, &[("tick", 0)]).is_none());
    let both = divided_text(
        &nested.replace("n++; s.a = n;", "n = 2;"),
        &[("tick", 0), ("high", 1)],
    );
    assert!(both.is_some());
    let masked = nested.replace("n++; s.a = n;", "cli(); n = 2; sei();");
    assert!(divided_text(&masked, &[("tick", 0), ("high", 1)]).is_none());
}

/// The blocks of avr-libc: a loop with one iteration, at whose end a function restores the mask.
#[test]
fn a_block_that_restores_the_mask_keeps_handlers_off() {
    let program = |body: &str| {
        format!(
            "void cli(void); void sei(void); unsigned char in(void); unsigned n, t; void tick(void) {{ n++; }}\n\
             static inline unsigned char begin(void) {{ cli(); return 1; }}\n\
             static inline void end(const unsigned char *s) {{ (*(volatile unsigned char *)0x5F) = *s; }}\n\
             int main(void) {{ sei(); for (;;) {{ {body} }} }}\n"
        )
    };
    let block = |inner: &str| {
        format!(
            "for (unsigned char s __attribute__((cleanup(end))) = (*(volatile unsigned char *)0x5F), todo = begin(); todo; todo = 0) {{ {inner} }}"
        )
    };
    for (body, divided) in [
        (block("t = n;"), false),
        (format!("{} t = n;", block("t = 1;")), true),
        (block("t = n; sei(); t = n;"), true),
    ] {
        let made = divided_text(&program(&body), &[("tick", 0)]);
        assert_eq!(made.is_some(), divided, "{body}: {made:?}");
    }
}

/// A program with a structure and a text that its handler writes.
fn shared_memory(body: &str) -> String {
    format!(
        "void cli(void); void sei(void); void *memcpy(void *, const void *, unsigned); void *memset(void *, int, unsigned);
unsigned strlen(const char *); struct pair {{ unsigned char a, b[2]; }} s, t, all[4]; volatile unsigned char at; char text[4];
void tick(void) {{ s.a++; all[1].b[0] = s.a; text[0] = 'x'; }}
struct pair of(struct pair p) {{ return p; }}
int main(void) {{ sei(); for (;;) {{ {body} }} }}
"
    )
}

#[test]
fn structures_are_copied_member_by_member_where_a_handler_may_come() {
    let text = |body: &str| divided_text(&shared_memory(body), &[("tick", 0)]);
    for (body, copied) in [
        ("t = s;", "t.a = s.a; t.b[0] = s.b[0]; t.b[1] = s.b[1]; "),
        ("s = t;", "s.b[1] = t.b[1]; s.b[0] = t.b[0]; s.a = t.a; "),
        ("struct pair p = s;", "p.a = s.a; p.b[0] = s.b[0]; "),
        (
            "t = all[at++];",
            "__typeof__((at++) + 0) interrupts__once_0 = (at++); if (interrupts__masked)",
        ),
        (
            "t = all[at];",
            "t.b[1] = all[interrupts__once_0].b[1]; t.b[0] = ",
        ),
        (
            "struct pair *p = &s; t = *p;",
            "t.a = (*p).a; t.b[0] = (*p).b[0]; ",
        ),
        (
            "s = of(t);",
            "struct pair interrupts__once_from = of(t); if (interrupts__masked)",
        ),
        ("memcpy(&t, &s, sizeof t);", "interrupts__memcpy(&t, &s"),
        ("at = strlen(text);", "interrupts__strlen(text)"),
        ("memset(&s, 0, sizeof s);", "interrupts__memset(&s, 0"),
    ] {
        let text = text(body);
        assert!(
            text.as_ref().is_some_and(|t| t.contains(copied)),
            "{body}: {text:?}"
        );
    }
    for body in [
        "cli(); t = s; memcpy(&t, &s, sizeof t); sei();",
        "struct pair own = t; t = own; memset(&t, 1, sizeof t);",
        "memset((void *)&at, 0, 1);",
        "at = strlen(\"four\");",
    ] {
        assert_eq!(text(body), None, "{body}");
    }
}

#[test]
fn what_a_handler_may_tear_in_an_unknown_way_is_refused() {
    let all = Interrupts {
        handlers: vec![Handler::at_any_time("tick")],
        masks: Vec::new(),
    };
    for (body, why) in [
        ("of(s);", "this uses a structure"),
        ("if (at) t = s, at = 0;", "this uses a structure"),
        ("struct pair p = t, r = s;", "this uses a structure"),
        ("t = all[strlen(text)];", "computes where it lies"),
    ] {
        let narrow = "#define __SIZEOF_INT__ 2\n#define __SIZEOF_POINTER__ 2\n";
        let program = format!("{narrow}{}", shared_memory(body));
        let source = Source::from_bytes(program.into_bytes());
        let made = interleaved(&Unit::parse(source).unwrap(), &all).unwrap();
        let refused = divided(&Unit::parse(made).unwrap(), &all).unwrap_err();
        assert!(refused.message.contains(why), "{body}: {}", refused.message);
    }
}
