//! The text of the threads that stand for handlers.

use std::fmt::Write as _;

use crate::tree::Tree;

use super::{Handler, Interrupts, COMES, FAIR, LEVEL, PRIORITY, THREAD};

/// What the threads of handlers have to do with.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Needs {
    /// Whether the program keeps handlers off.
    pub masked: bool,
    /// Whether it waits for one.
    pub sleeps: bool,
    /// Whether it keeps them off by their priorities.
    pub by_priority: bool,
    /// Whether the return from a handler lets handlers come, as on AVR.
    pub unmasks: bool,
    /// Whether it has exclusive accesses, which fail if a handler has come.
    pub exclusive: bool,
    /// Whether it reads the number of the exception that runs.
    pub numbered: bool,
}

/// The call of a handler whose exception has this number, in one step.
fn call(handler: &Handler, number: i128, needs: Needs) -> String {
    let name = &handler.name;
    let counted = counted(handler);
    let opened = match needs.exclusive {
        true => " interrupts_exclusive = 0;",
        false => "",
    };
    match needs.numbered {
        true => format!("{counted}{{ unsigned short interrupts_outer = interrupts_number; interrupts_number = {number}; {name}(); interrupts_number = interrupts_outer; }}{opened}"),
        false => format!("{counted}{name}();{opened}"),
    }
}

/// Counts how often a handler came, if that has a bound.
fn counted(handler: &Handler) -> String {
    match handler.at_most {
        Some(_) => format!("{THREAD}{}_came++; ", handler.name),
        None => String::new(),
    }
}

/// The type of a thread's handle.
fn handle(tree: &Tree) -> &'static str {
    match tree.function_named("pthread_create") {
        Some(_) => "pthread_t",
        None => "unsigned long",
    }
}

/// The declarations of the functions that threads and their sections need, if the program has none.
pub(crate) fn declarations(tree: &Tree) -> String {
    let mut text = String::new();
    if tree.function_named("pthread_create").is_none() {
        text += "extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);\n";
    }
    for name in ["__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"] {
        if tree.function_named(name).is_none() {
            let _ = writeln!(text, "extern void {name}(void);");
        }
    }
    text
}

/// A function of this name that starts threads, each with the function of its name.
pub(crate) fn begin(name: &str, tree: &Tree, started: impl Iterator<Item = String>) -> String {
    let handle = handle(tree);
    let started = started.map(|thread| {
        format!(
            " static {handle} {thread}_thread; pthread_create(&{thread}_thread, 0, {thread}, 0);"
        )
    });
    let started: String = started.collect();
    format!("static void {name}(void) {{{started} }}\n")
}

/// The ranks of the handlers' priorities, from 1.
pub(super) fn ranks(interrupts: &Interrupts) -> Vec<usize> {
    let handlers = || interrupts.handlers.iter();
    let mut all: Vec<i128> = handlers().map(|h| h.priority).collect();
    all.sort_unstable();
    all.dedup();
    let rank = |h: &Handler| all.partition_point(|p| *p <= h.priority);
    handlers().map(rank).collect()
}

/// Whether some handler may interrupt another one.
pub(super) fn nests(interrupts: &Interrupts) -> bool {
    ranks(interrupts).iter().any(|rank| *rank > 1)
}

/// The declarations of what the threads share, in front of them.
pub(super) fn shared(interrupts: &Interrupts, needs: Needs, initial: &str) -> String {
    let mut text = format!("extern _Bool {COMES}(void);\n");
    if needs.masked {
        let _ = writeln!(text, "static unsigned char interrupts_masked{initial};");
    }
    if needs.by_priority {
        text += "static unsigned char interrupts_basepri;\n";
        for handler in &interrupts.handlers {
            let _ = writeln!(
                text,
                "static unsigned char interrupts_urgency_{};",
                handler.name
            );
        }
    }
    if needs.sleeps {
        text += "static unsigned char interrupts_woken;\n";
    }
    if needs.exclusive {
        text += "static unsigned char interrupts_exclusive;\n";
    }
    if needs.numbered {
        text += "static unsigned short interrupts_number;\n";
    }
    if nests(interrupts) {
        // The scheduler of threads reads these: a thread takes no step while the level is above its priority.
        let _ = writeln!(text, "static unsigned char {LEVEL};");
        for (handler, rank) in interrupts.handlers.iter().zip(ranks(interrupts)) {
            let name = &handler.name;
            let _ = writeln!(text, "enum {{ {THREAD}{name}{PRIORITY} = {rank} }};");
        }
    }
    text
}

/// The thread of a handler. One that no other may interrupt runs as one step.
pub(super) fn thread(
    interrupts: &Interrupts,
    (number, numbers): (usize, &[i128]),
    needs: Needs,
) -> String {
    let handler = &interrupts.handlers[number];
    let ranks = ranks(interrupts);
    let highest = ranks.iter().max() == Some(&ranks[number]);
    let thread = format!("{THREAD}{}", handler.name);
    let waits = needs.masked && needs.sleeps;
    let mut declared = String::new();
    for (is_needed, text) in [
        (
            handler.at_most.is_some(),
            format!("static unsigned {thread}_came;\n"),
        ),
        (waits, format!("static unsigned char {thread}_waits;\n")),
        (handler.fair, format!("enum {{ {thread}{FAIR} = 1 }};\n")),
    ] {
        declared.push_str(if is_needed { &text } else { "" });
    }
    let one = call(handler, numbers[number], needs);
    let called = match highest {
        true if needs.unmasks => format!("{one} interrupts_masked = 0;"),
        true => one,
        // The handler itself is called behind the section.
        false => format!(
            "{}outer = {LEVEL}; {LEVEL} = {}; came = 1;{}",
            counted(handler),
            ranks[number],
            match needs.numbered {
                true => format!(
                    " outer_number = interrupts_number; interrupts_number = {};",
                    numbers[number]
                ),
                false => String::new(),
            }
        ),
    };
    let called = match waits && nests(interrupts) {
        true => format!("{{ {thread}_waits = 0; {called} }}"),
        false => format!("{{ {called} }}"),
    };
    let called = match (needs.masked, waits) {
        (false, _) => called,
        (true, false) if handler.fair => called,
        (true, false) => format!("if (!interrupts_masked) {called}"),
        (true, true) => format!("if (!interrupts_masked) {called} else {thread}_waits = 1;"),
    };
    let mut begins = String::new();
    for (does, text) in [
        (needs.sleeps, "interrupts_woken = 1; "),
        (needs.exclusive, "interrupts_exclusive = 0; "),
    ] {
        begins.push_str(if does { text } else { "" });
    }
    let level = (!highest).then(|| ranks[number]);
    let condition = comes(handler, level, nests(interrupts), needs);
    let (before, behind) = match (highest, needs.numbered) {
        (true, _) => ("", String::new()),
        (false, true) => (
            "unsigned char outer = 0; unsigned short outer_number = 0; _Bool came = 0; ",
            returned(&handler.name, needs),
        ),
        (false, false) => (
            "unsigned char outer = 0; _Bool came = 0; ",
            returned(&handler.name, needs),
        ),
    };
    // The section of a fair handler waits until the handler can come, and then it comes: its thread has no other steps.
    let section = match handler.fair {
        true => format!("while (!({condition})) ; {{ {begins}{called} }}"),
        false => format!("if ({condition}) {{ {begins}{called} }}"),
    };
    format!(
        "{declared}static void *{thread}(void *unused) {{ for (;;) {{ {before}__VERIFIER_atomic_begin(); {section} __VERIFIER_atomic_end();{behind} }} return unused; }}\n"
    )
}

/// The condition in C under which a handler comes, or under which it becomes due although it is kept off. One of this
/// rank interrupts those of lower ranks only.
fn comes(handler: &Handler, rank: Option<usize>, nests: bool, needs: Needs) -> String {
    let name = &handler.name;
    let waits = needs.masked && needs.sleeps;
    let mut all = Vec::new();
    all.extend(rank.map(|rank| format!("{LEVEL} < {rank}")));
    match handler.fair {
        // Nobody chooses whether it comes. Becoming due while it is kept off is one more step, and so is waking the
        // processor that falls asleep when it is due.
        true if waits => all.push(format!(
            "(!interrupts_masked || !{THREAD}{name}_waits || !interrupts_woken)"
        )),
        true if needs.masked => all.push("!interrupts_masked".to_owned()),
        true => {}
        false if waits && nests => all.push(format!("({THREAD}{name}_waits || {COMES}())")),
        false => all.push(format!("{COMES}()")),
    }
    all.extend(
        handler
            .enabled
            .iter()
            .map(|condition| format!("({condition})")),
    );
    if needs.by_priority {
        all.push(format!(
            "(!interrupts_basepri || interrupts_urgency_{name} < interrupts_basepri)"
        ));
    }
    let most = handler.at_most;
    all.extend(most.map(|most| format!("{THREAD}{name}_came < {most}")));
    match all.is_empty() {
        true => "1".to_owned(),
        false => all.join(" && "),
    }
}

/// The call of a handler that others may interrupt, and the return from it.
fn returned(name: &str, needs: Needs) -> String {
    let mut first = String::new();
    for (does, text) in [
        (needs.unmasks, "interrupts_masked = 0; "),
        (needs.exclusive, "interrupts_exclusive = 0; "),
        (needs.numbered, "interrupts_number = outer_number; "),
    ] {
        first.push_str(if does { text } else { "" });
    }
    match first.is_empty() {
        true => format!(" if (came) {{ {name}(); {LEVEL} = outer; }}"),
        false => format!(" if (came) {{ {name}(); __VERIFIER_atomic_begin(); {first}{LEVEL} = outer; __VERIFIER_atomic_end(); }}"),
    }
}

/// The function that lets handlers come. One that woke the processor while it was kept off comes before the program
/// goes on.
pub(super) fn enable(interrupts: &Interrupts, numbers: &[i128], needs: Needs) -> String {
    let all = || interrupts.handlers.iter().zip(numbers);
    let waiting = || all().filter(|_| needs.sleeps);
    if nests(interrupts) {
        let any: Vec<String> = waiting()
            .map(|(h, _)| format!("{THREAD}{}_waits", h.name))
            .collect();
        let wait = match any.is_empty() {
            true => String::new(),
            false => format!(" while ({}) ;", any.join(" || ")),
        };
        return format!("static void interrupts_enable(void) {{ interrupts_masked = 0;{wait} }}\n");
    }
    let waiting = waiting().map(|(h, number)| {
        let name = &h.name;
        let one = call(h, *number, needs);
        format!(" if ({THREAD}{name}_waits) {{ {THREAD}{name}_waits = 0; interrupts_woken = 1; {one} }}")
    });
    let waiting: String = waiting.collect();
    format!("static void interrupts_enable(void) {{{waiting} interrupts_masked = 0; }}\n")
}
