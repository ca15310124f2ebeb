//! The text of the threads that stand for handlers.

use std::fmt::Write as _;

use crate::tree::Tree;

use super::{Handler, Interrupts, COMES, ENABLE, FAIR, LEVEL, PRIORITY, STRONG, THREAD};

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
        true => " interrupts__exclusive = 0;",
        false => "",
    };
    match needs.numbered {
        true => format!("{counted}{{ unsigned short interrupts__outer = interrupts__number; interrupts__number = {number}; {name}(); interrupts__number = interrupts__outer; }}{opened}"),
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

/// A function of this name that starts threads, each with the function of its name: all at once, for none of them is there before
/// the others.
pub(crate) fn begin(name: &str, tree: &Tree, started: impl Iterator<Item = String>) -> String {
    let handle = handle(tree);
    let started = started.map(|thread| {
        format!(
            " static {handle} {thread}_thread; pthread_create(&{thread}_thread, 0, {thread}, 0);"
        )
    });
    let started: String = started.collect();
    format!(
        "static void {name}(void) {{ __VERIFIER_atomic_begin();{started} __VERIFIER_atomic_end(); }}\n"
    )
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
        let _ = writeln!(text, "static unsigned char interrupts__masked{initial};");
    }
    if needs.by_priority {
        text += "static unsigned char interrupts__basepri;\n";
        for handler in &interrupts.handlers {
            let _ = writeln!(
                text,
                "static unsigned char interrupts__urgency_{};",
                handler.name
            );
        }
    }
    if needs.sleeps {
        text += "static unsigned char interrupts__woken;\n";
    }
    if needs.exclusive {
        text += "static unsigned char interrupts__exclusive;\n";
    }
    if needs.numbered {
        text += "static unsigned short interrupts__number;\n";
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

/// A handler among the others.
struct Of<'a> {
    handler: &'a Handler,
    /// The number of its exception.
    number: i128,
    /// The rank of its priority, from 1.
    rank: usize,
    /// Whether no other handler interrupts it.
    highest: bool,
    /// Whether some handler interrupts another one.
    nests: bool,
    needs: Needs,
}

/// The handlers, each with the number of its exception.
fn each<'a>(
    interrupts: &'a Interrupts,
    numbers: &'a [i128],
    needs: Needs,
) -> impl Iterator<Item = Of<'a>> {
    let ranks = ranks(interrupts);
    let highest = ranks.iter().max().copied();
    let nests = nests(interrupts);
    let all = interrupts.handlers.iter().zip(numbers).zip(ranks);
    all.map(move |((handler, number), rank)| Of {
        handler,
        number: *number,
        rank,
        highest: highest == Some(rank),
        nests,
        needs,
    })
}

/// The threads of the handlers, one behind the other. A handler that no other may interrupt runs as one step.
pub(super) fn all(interrupts: &Interrupts, numbers: &[i128], needs: Needs) -> String {
    let threads = each(interrupts, numbers, needs);
    threads.map(|of| of.thread()).collect()
}

impl Of<'_> {
    fn name(&self) -> String {
        format!("{THREAD}{}", self.handler.name)
    }

    /// Whether it can be due while it is kept off, which wakes the processor.
    fn waits(&self) -> bool {
        self.needs.masked && self.needs.sleeps
    }

    /// Whether a handler that is due comes by a step of its thread, and by that alone.
    fn waits_in_thread(&self) -> bool {
        self.waits() && self.nests
    }

    fn thread(&self) -> String {
        let thread = self.name();
        let needs = self.needs;
        let declared = self.declared();
        let mut begins = String::new();
        for (does, text) in [
            (needs.sleeps, "interrupts__woken = 1; "),
            (needs.exclusive, "interrupts__exclusive = 0; "),
        ] {
            begins.push_str(if does { text } else { "" });
        }
        let condition = self.comes();
        let called = self.called();
        // The section of a fair handler waits until the handler can come, and then it comes: its thread has no other
        // steps. That of one that is due waits likewise.
        let section = match self.handler.fair {
            true => format!("while (!({condition})) ; {{ {begins}{called} }}"),
            false => {
                let first = match self.waits_in_thread() {
                    true => format!(
                        "while ({thread}_waits && !({} && (!interrupts__masked || !interrupts__woken))) ; ",
                        conjunction(&self.open())
                    ),
                    false => String::new(),
                };
                format!("{first}if ({condition}) {{ {begins}{called} }}")
            }
        };
        let (before, behind) = match self.highest {
            true => ("", String::new()),
            false => (
                match needs.numbered {
                    true => {
                        "unsigned char interrupts__outer_level = 0; unsigned short interrupts__outer_number = 0; _Bool interrupts__came = 0; "
                    }
                    false => "unsigned char interrupts__outer_level = 0; _Bool interrupts__came = 0; ",
                },
                returned(&self.handler.name, needs),
            ),
        };
        format!(
            "{declared}static void *{thread}(void *interrupts__unused) {{ for (;;) {{ {before}__VERIFIER_atomic_begin(); {section} __VERIFIER_atomic_end();{behind} }} return interrupts__unused; }}\n"
        )
    }

    /// The declarations in front of the thread.
    fn declared(&self) -> String {
        let thread = self.name();
        let mut declared = String::new();
        for (is_needed, text) in [
            (
                self.handler.at_most.is_some(),
                format!("static unsigned {thread}_came;\n"),
            ),
            (
                self.waits(),
                format!("static unsigned char {thread}_waits;\n"),
            ),
            (
                self.waits_in_thread(),
                format!("static unsigned char {thread}_first;\n"),
            ),
            (
                self.handler.fair,
                format!("enum {{ {thread}{FAIR} = 1 }};\n"),
            ),
            (
                self.waits_in_thread() && !self.handler.fair,
                format!("enum {{ {thread}{STRONG} = 1 }};\n"),
            ),
        ] {
            declared.push_str(if is_needed { &text } else { "" });
        }
        declared
    }

    /// What the thread does when the handler comes, or becomes due.
    fn called(&self) -> String {
        let thread = self.name();
        let needs = self.needs;
        let one = call(self.handler, self.number, needs);
        let called = match self.highest {
            true if needs.unmasks => format!("{one} interrupts__masked = 0;"),
            true => one,
            // The handler itself is called behind the section.
            false => format!(
                "{}interrupts__outer_level = {LEVEL}; {LEVEL} = {}; interrupts__came = 1;{}",
                counted(self.handler),
                self.rank,
                match needs.numbered {
                    true => format!(
                        " interrupts__outer_number = interrupts__number; interrupts__number = {};",
                        self.number
                    ),
                    false => String::new(),
                }
            ),
        };
        let called = match self.waits_in_thread() {
            true => format!("{{ {thread}_waits = 0; {thread}_first = 0; {called} }}"),
            false => format!("{{ {called} }}"),
        };
        match (needs.masked, self.waits()) {
            (false, _) => called,
            (true, false) if self.handler.fair => called,
            (true, false) => format!("if (!interrupts__masked) {called}"),
            (true, true) => format!("if (!interrupts__masked) {called} else {thread}_waits = 1;"),
        }
    }

    /// The conditions in C without which it does not come, but for the mask.
    fn open(&self) -> Vec<String> {
        let name = &self.handler.name;
        let mut all = Vec::new();
        if !self.highest {
            all.push(format!("{LEVEL} < {}", self.rank));
        }
        all.extend(
            self.handler
                .enabled
                .iter()
                .map(|condition| format!("({condition})")),
        );
        if self.needs.by_priority {
            all.push(format!(
                "(!interrupts__basepri || interrupts__urgency_{name} < interrupts__basepri)"
            ));
        }
        let most = self.handler.at_most;
        all.extend(most.map(|most| format!("{THREAD}{name}_came < {most}")));
        all
    }

    /// The condition in C under which it comes, or becomes due although it is kept off.
    fn comes(&self) -> String {
        let thread = self.name();
        let chosen = match self.handler.fair {
            // Nobody chooses whether it comes. Becoming due while it is kept off is one more step, and so is waking the
            // processor that falls asleep when it is due.
            true if self.waits() => Some(format!(
                "(!interrupts__masked || !{thread}_waits || !interrupts__woken)"
            )),
            true => self.needs.masked.then(|| "!interrupts__masked".to_owned()),
            false if self.waits_in_thread() => Some(format!("({thread}_waits || {COMES}())")),
            false => Some(format!("{COMES}()")),
        };
        let mut all = self.open();
        // What reads nothing but the level stands in front of the choice.
        let at = usize::from(!self.highest);
        all.splice(at..at, chosen);
        conjunction(&all)
    }
}

/// The conjunction of conditions in C.
fn conjunction(all: &[String]) -> String {
    match all.is_empty() {
        true => "1".to_owned(),
        false => all.join(" && "),
    }
}

/// The call of a handler that others may interrupt, and the return from it.
fn returned(name: &str, needs: Needs) -> String {
    let mut first = String::new();
    for (does, text) in [
        (needs.unmasks, "interrupts__masked = 0; "),
        (needs.exclusive, "interrupts__exclusive = 0; "),
        (
            needs.numbered,
            "interrupts__number = interrupts__outer_number; ",
        ),
    ] {
        first.push_str(if does { text } else { "" });
    }
    match first.is_empty() {
        true => format!(" if (interrupts__came) {{ {name}(); {LEVEL} = interrupts__outer_level; }}"),
        false => format!(" if (interrupts__came) {{ {name}(); __VERIFIER_atomic_begin(); {first}{LEVEL} = interrupts__outer_level; __VERIFIER_atomic_end(); }}"),
    }
}

/// The function that lets handlers come. Those that woke the processor while they were kept off come before the program
/// goes on: they come and the mask goes in one step, so that none becomes due in between and is left, and none interrupts itself.
pub(super) fn enable(interrupts: &Interrupts, numbers: &[i128], needs: Needs) -> String {
    let all = || each(interrupts, numbers, needs);
    if nests(interrupts) {
        return enable_nested(all());
    }
    let waiting = all().filter(Of::waits).map(|of| {
        let thread = of.name();
        let mut conditions = vec![format!("{thread}_waits")];
        conditions.extend(of.open());
        let one = call(of.handler, of.number, needs);
        format!(
            " if ({}) {{ {thread}_waits = 0; interrupts__woken = 1; {one} }}",
            conjunction(&conditions)
        )
    });
    let waiting: String = waiting.collect();
    let opened = match waiting.is_empty() {
        true => " interrupts__masked = 0;".to_owned(),
        false => format!(
            " __VERIFIER_atomic_begin();{waiting} interrupts__masked = 0; __VERIFIER_atomic_end();"
        ),
    };
    format!("static void {ENABLE}(void) {{{opened} }}\n")
}

/// The same where handlers interrupt one another: it waits for those that are due, and that may interrupt what calls it, to
/// come once by the steps of their threads.
fn enable_nested<'a>(all: impl Iterator<Item = Of<'a>>) -> String {
    let (mut notes, mut waits) = (String::new(), Vec::new());
    for of in all.filter(Of::waits_in_thread) {
        let thread = of.name();
        let _ = write!(
            notes,
            " if ({LEVEL} < {}) {thread}_first = {thread}_waits;",
            of.rank
        );
        let mut first = vec![format!("{thread}_first"), format!("{LEVEL} < {}", of.rank)];
        first.extend(of.open().into_iter().skip(usize::from(!of.highest)));
        waits.push(format!("({})", conjunction(&first)));
    }
    match waits.is_empty() {
        true => format!("static void {ENABLE}(void) {{ interrupts__masked = 0; }}\n"),
        false => format!(
            "static void {ENABLE}(void) {{ __VERIFIER_atomic_begin(); interrupts__masked = 0;{notes} __VERIFIER_atomic_end(); while ({}) ; }}\n",
            waits.join(" || ")
        ),
    }
}
