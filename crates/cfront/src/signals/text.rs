//! The text of what signals do.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::diag::Diagnostic;
use crate::interrupts::threads::{begin, declarations};
use crate::interrupts::{Changes, COMES};
use crate::span::Span;

use super::signal::Signal;
use super::structure::{structure, Structure, RENAMED};
use super::{Handler, Program, Role, ALARM, BEGIN, BEGUN, NUMBER, THREAD, TOP};

/// The names of signals, from 1, as on Linux.
const NAMES: [&str; 31] = [
    "SIGHUP",
    "SIGINT",
    "SIGQUIT",
    "SIGILL",
    "SIGTRAP",
    "SIGABRT",
    "SIGBUS",
    "SIGFPE",
    "SIGKILL",
    "SIGUSR1",
    "SIGSEGV",
    "SIGUSR2",
    "SIGPIPE",
    "SIGALRM",
    "SIGTERM",
    "SIGSTKFLT",
    "SIGCHLD",
    "SIGCONT",
    "SIGSTOP",
    "SIGTSTP",
    "SIGTTIN",
    "SIGTTOU",
    "SIGURG",
    "SIGXCPU",
    "SIGXFSZ",
    "SIGVTALRM",
    "SIGPROF",
    "SIGWINCH",
    "SIGIO",
    "SIGPWR",
    "SIGSYS",
];

/// Signals that only an error of the program, or the program itself, sends: no run that is defined has the error.
const INNER: [i128; 9] = [4, 5, 6, 7, 8, 11, ALARM, 26, 27];

/// Signals that stop the process, if the program does not say more.
const STOPPING: [i128; 4] = [19, 20, 21, 22];

/// The type of a function that a signal runs.
const TYPE: &str = "void (*)(int)";

/// The name of a signal.
pub(super) fn name(number: i128) -> Option<&'static str> {
    let at = usize::try_from(number).ok()?.checked_sub(1)?;
    NAMES.get(at).copied()
}

/// The function that stands for one of POSIX, perhaps where a handler calls it.
pub(super) fn function(role: Role, within: bool) -> &'static str {
    match role {
        Role::Raises if within => "signals_raise_within",
        Role::Kills if within => "signals_kill_within",
        Role::Installs => "signals_install",
        Role::Acts => "signals_action",
        Role::Raises => "signals_raise",
        Role::Kills => "signals_kill",
        Role::Alarms => "signals_set_alarm",
        Role::Times => "signals_set_timer",
        Role::Masks => "signals_mask",
        Role::Pauses => "signals_pause",
        Role::Suspends => "signals_suspend",
        Role::Empties => "signals_empty",
        Role::Fills => "signals_fill",
        Role::Adds => "signals_add",
        Role::Deletes => "signals_delete",
        Role::Looks => "signals_has",
        Role::Waits => "signals_wait",
    }
}

/// The text that a program with signals needs.
pub(super) struct Model<'p> {
    program: &'p Program<'p>,
    signals: Vec<Signal>,
    structure: Option<Structure>,
    /// Whether signals are blocked: by the program, or while their handlers run and others of their number may come.
    blocks: bool,
    /// Whether signals may be pending.
    pends: bool,
    /// Whether the program waits for a handler.
    waits: bool,
    /// Whether there is an alarm.
    alarm: bool,
}

impl<'p> Model<'p> {
    /// The text of a program.
    ///
    /// # Errors
    /// If the program stops itself, or its headers' structure is not known.
    pub(super) fn of(program: &'p Program<'p>) -> Result<Model<'p>, Diagnostic> {
        let handled = program.handled.iter().map(|n| (*n, true));
        let named = program.named.iter().map(|n| (*n, false));
        let all = handled.chain(named);
        let signals: Vec<Signal> = all
            .filter_map(|(number, handled)| {
                Some(Signal {
                    number,
                    name: name(number)?,
                    handled,
                })
            })
            .collect();
        let raises = program.has(&[Role::Raises, Role::Kills]);
        let stops = signals.iter().find(|s| STOPPING.contains(&s.number));
        if let (true, Some(signal)) = (raises, stops) {
            let message = format!(
                "`{}` may stop the program, which is not followed",
                signal.name
            );
            return Err(Diagnostic::error(Span::empty(0), message));
        }
        let masks = program.has(&[Role::Masks, Role::Suspends, Role::Waits]);
        Ok(Model {
            structure: structure(program)?,
            signals,
            blocks: masks || raises || program.nests,
            pends: raises,
            waits: program.has(&[Role::Pauses, Role::Suspends]),
            alarm: program.has(&[Role::Alarms, Role::Times]),
            program,
        })
    }

    /// Takes the union out of the structure of `sigaction`.
    pub(super) fn without_union(&self, changes: &mut Changes) {
        if let Some(structure) = &self.structure {
            structure.without_union(self.program.unit, changes);
        }
    }

    /// The declaration of a function that stands for one of POSIX.
    pub(super) fn prototype(&self, role: Role, within: bool) -> String {
        format!("{}; ", self.head(role, within))
    }

    fn handled(&self) -> impl Iterator<Item = &Signal> {
        self.signals.iter().filter(|s| s.handled)
    }

    /// The text behind the program.
    pub(super) fn text(&self) -> String {
        let tree = self.program.tree();
        let mut text = declarations(tree);
        let _ = writeln!(text, "extern _Bool {COMES}(void);");
        if tree.function_named("_Exit").is_none() {
            text += "extern void _Exit(int) __attribute__((__noreturn__));\n";
        }
        self.objects(&mut text);
        for signal in self.handled() {
            self.deliver(signal, &mut text);
        }
        for signal in self.handled() {
            match self.program.nests {
                true => self.nested(signal, &mut text),
                false => self.thread(signal, &mut text),
            }
        }
        for signal in self.signals.iter().filter(|_| self.pends) {
            self.settle(signal, &mut text);
        }
        let uses = self.program.uses.iter();
        let roles: BTreeSet<(Role, bool)> =
            uses.clone().map(|used| (used.role, used.within)).collect();
        if self.program.has(&[Role::Installs, Role::Acts]) {
            self.which(&mut text);
        }
        for within in [false, true] {
            let raises = roles.contains(&(Role::Raises, within));
            if roles.contains(&(Role::Kills, within)) && !raises {
                self.role(Role::Raises, within, &mut text);
            }
        }
        for (role, within) in roles {
            let once = within && !matches!(role, Role::Raises | Role::Kills);
            if !once
                || !uses
                    .clone()
                    .any(|used| (used.role, used.within) == (role, false))
            {
                self.role(role, within, &mut text);
            }
        }
        let threads = self.handled().map(|s| format!("{THREAD}{}", s.name));
        text + &begin(BEGIN, tree, threads)
    }

    /// The objects.
    fn objects(&self, text: &mut String) {
        let mut object = |ty: &str, name: &str| {
            let _ = writeln!(text, "static {ty} {name};");
        };
        if self.blocks {
            object("unsigned long", "signals_blocked");
        }
        if self.waits {
            object("unsigned char", "signals_woken");
        }
        if self.alarm {
            object("unsigned char", "signals_alarm");
        }
        if self.program.nests {
            object("unsigned char", TOP);
        }
        for signal in &self.signals {
            let name = signal.name;
            // 0 is the default, 1 is nothing, others are the handlers.
            object("unsigned char", &format!("signals_does_{name}"));
            if self.pends {
                object("unsigned char", &format!("signals_pending_{name}"));
            }
            if self.structure.is_some() {
                object("unsigned long", &format!("signals_mask_{name}"));
                object("int", &format!("signals_flags_{name}"));
            }
            if self.program.nests && signal.handled {
                object("unsigned char", &format!("{THREAD}{name}{BEGUN}"));
            }
        }
        if self.program.nests {
            for signal in self.handled() {
                let _ = writeln!(
                    text,
                    "enum {{ {THREAD}{}{NUMBER} = {} }};",
                    signal.name, signal.number
                );
            }
        }
    }

    /// The calls of the handler that was installed, as statements.
    fn calls(&self, signal: &Signal, installed: &str) -> String {
        let handlers = self.program.handlers.iter().enumerate();
        let calls = handlers.map(|(at, handler)| {
            let arguments = match handler.parameters {
                0 => String::new(),
                1 => signal.number.to_string(),
                _ => format!("{}, 0, 0", signal.number),
            };
            format!(
                "if ({installed} == {}) {}({arguments});",
                at + 2,
                handler.name
            )
        });
        calls.collect::<Vec<_>>().join(" else ")
    }

    /// What begins and ends around the call of a handler.
    fn around(&self, signal: &Signal) -> (String, String) {
        let name = signal.name;
        let (mut before, mut behind) = (String::new(), String::new());
        if self.alarm && signal.number == ALARM {
            before += " if (signals_alarm == 1) signals_alarm = 0;";
        }
        if self.pends {
            let _ = write!(before, " signals_pending_{name} = 0;");
        }
        if self.structure.is_some() {
            // SA_RESETHAND
            let _ = write!(
                before,
                " if ((unsigned)signals_flags_{name} & 0x80000000u) signals_does_{name} = 0;"
            );
        }
        if self.blocks {
            let bit = signal.bit();
            let mask = match self.structure {
                // SA_NODEFER
                Some(_) => {
                    format!("signals_mask_{name} | (signals_flags_{name} & 0x40000000 ? 0 : {bit})")
                }
                None => bit,
            };
            let _ = write!(before, " signals_blocked = signals_outer | {mask};");
            behind += " signals_blocked = signals_outer;";
        }
        if self.waits {
            behind += " signals_woken = 1;";
        }
        (before, behind)
    }

    /// The function that calls the handler of a signal; once more, if the signal comes meanwhile.
    fn deliver(&self, signal: &Signal, text: &mut String) {
        let name = signal.name;
        let calls = self.calls(signal, "signals_runs");
        let outer = match self.blocks {
            true => "unsigned long signals_outer = signals_blocked; ",
            false => "",
        };
        let (before, behind) = self.around(signal);
        let body = format!(
            "{outer}unsigned char signals_runs = signals_does_{name};{before} {calls}{behind}"
        );
        let _ = match self.pends {
            true => writeln!(
                text,
                "static void signals_deliver_{name}(void) {{ do {{ {body} }} while (signals_pending_{name} && signals_does_{name} > 1); if (signals_pending_{name}) {{ signals_pending_{name} = 0; if (signals_does_{name} == 0) {} }} }}",
                signal.default()
            ),
            false => writeln!(text, "static void signals_deliver_{name}(void) {{ {body} }}"),
        };
    }

    /// When a signal comes, as a condition.
    fn comes(&self, signal: &Signal) -> String {
        let name = signal.name;
        let mut condition = format!("signals_does_{name} > 1");
        if self.blocks {
            let _ = write!(condition, " && !(signals_blocked & {})", signal.bit());
        }
        let mut when = Vec::new();
        if self.pends {
            when.push(format!("signals_pending_{name}"));
        }
        if self.alarm && signal.number == ALARM {
            when.push("signals_alarm".to_owned());
        }
        if !INNER.contains(&signal.number) {
            when.push(format!("{COMES}()"));
        }
        let when = match when.is_empty() {
            true => "0".to_owned(),
            false => when.join(" || "),
        };
        format!("{condition} && ({when})")
    }

    /// What else may happen at a signal's turn, behind the condition for its handler.
    fn otherwise(&self, signal: &Signal) -> String {
        match self.alarm && signal.number == ALARM {
            true => format!(" {}", self.unhandled_alarm(signal)),
            false => String::new(),
        }
    }

    /// What an alarm does without a handler.
    fn unhandled_alarm(&self, signal: &Signal) -> String {
        let name = signal.name;
        let open = match self.blocks {
            true => format!(" && !(signals_blocked & {})", signal.bit()),
            false => String::new(),
        };
        format!("else if (signals_alarm && signals_does_{name} < 2{open}) {{ if (signals_does_{name} == 0) _Exit(1); if (signals_alarm == 1) signals_alarm = 0; }}")
    }

    /// The thread of a signal whose handler is one step.
    fn thread(&self, signal: &Signal, text: &mut String) {
        let name = signal.name;
        let _ = writeln!(
            text,
            "static void *{THREAD}{name}(void *unused) {{ for (;;) {{ __VERIFIER_atomic_begin(); if ({}) signals_deliver_{name}();{} __VERIFIER_atomic_end(); }} return unused; }}",
            self.comes(signal),
            self.otherwise(signal)
        );
    }

    /// The thread of a signal whose handler others may interrupt.
    fn nested(&self, signal: &Signal, text: &mut String) {
        let name = signal.name;
        let (before, behind) = self.around(signal);
        let calls = self.calls(signal, "signals_runs");
        let begun = format!("{THREAD}{name}{BEGUN}");
        let again = match self.pends {
            true => format!(
                " signals_runs = 0; if (signals_pending_{name}) {{ signals_pending_{name} = 0; signals_runs = signals_does_{name} > 1 ? signals_does_{name} : 0; if (signals_does_{name} == 0) {} }} if (!signals_runs)",
                signal.default()
            ),
            false => " signals_runs = 0;".to_owned(),
        };
        let _ = writeln!(
            text,
            "static void *{THREAD}{name}(void *unused) {{ for (;;) {{ unsigned char signals_runs = 0, signals_below = 0; unsigned long signals_outer = 0; \
             __VERIFIER_atomic_begin(); if ({}) {{ signals_runs = signals_does_{name}; signals_outer = signals_blocked; signals_below = {TOP}; {TOP} = {}; {begun} = 1;{before} }}{} __VERIFIER_atomic_end(); \
             while (signals_runs) {{ {calls} __VERIFIER_atomic_begin();{again} {{{behind} {TOP} = signals_below; {begun} = 0; }} __VERIFIER_atomic_end(); }} }} return unused; }}",
            self.comes(signal),
            signal.number,
            self.otherwise(signal)
        );
    }

    /// From functions to numbers and back.
    fn which(&self, text: &mut String) {
        let handlers = || self.program.handlers.iter().enumerate();
        let of = |(at, h): (usize, &Handler)| {
            format!(" if (f == ({TYPE}){}) return {};", h.name, at + 2)
        };
        let into: String = handlers().map(of).collect();
        let _ = writeln!(
            text,
            "static unsigned char signals_which(void (*f)(int)) {{{into} return f == ({TYPE})1; }}"
        );
        let of = |(at, h): (usize, &Handler)| {
            format!(" if (which == {}) return ({TYPE}){};", at + 2, h.name)
        };
        let back: String = handlers().map(of).collect();
        let _ = writeln!(
            text,
            "static void (*signals_of(unsigned char which))(int) {{{back} return ({TYPE})(unsigned long)which; }}"
        );
    }

    /// A body of `if`s over the signals that the program names.
    fn each(&self, of: impl Fn(&Signal) -> String) -> String {
        let cases = self.signals.iter();
        let cases = cases.map(|s| format!(" if (n == {}) {{ {} }}", s.number, of(s)));
        cases.collect()
    }

    /// The function in a role.
    fn role(&self, role: Role, within: bool, text: &mut String) {
        let body = match role {
            Role::Installs => {
                let set = self.each(|s| {
                    let name = s.name;
                    let plain = match self.structure {
                        Some(_) => format!(" signals_mask_{name} = 0; signals_flags_{name} = 0;"),
                        None => String::new(),
                    };
                    format!("unsigned char was = signals_does_{name};{plain} signals_does_{name} = signals_which(f); return signals_of(was);")
                });
                format!("{set} return ({TYPE})-1L;")
            }
            Role::Acts => self.acts(),
            Role::Raises if within => {
                let raised = self.each(|s| {
                    let name = s.name;
                    format!("if (signals_does_{name} != 1) signals_pending_{name} = 1;")
                });
                format!("{raised} return 0;")
            }
            Role::Raises => {
                let raised = self.each(|s| self.raised(s));
                format!("{raised} return 0;")
            }
            Role::Kills => format!(
                "(void)process; return {}(n);",
                function(Role::Raises, within)
            ),
            Role::Alarms => "signals_alarm = seconds != 0; return 0;".to_owned(),
            Role::Times => "(void)which; (void)old; signals_alarm = !(of->it_value.tv_sec || of->it_value.tv_usec) ? 0 : of->it_interval.tv_sec || of->it_interval.tv_usec ? 2 : 1; return 0;".to_owned(),
            Role::Masks => format!(
                "unsigned long was = signals_blocked; if (set) {{ unsigned long of = *(const unsigned long *)set; \
                 signals_blocked = how == 0 ? was | of : how == 1 ? was & ~of : of; }} \
                 if (old) *(unsigned long *)old = was;{} return 0;",
                self.settled()
            ),
            Role::Pauses => "signals_woken = 0; while (!signals_woken) ; return -1;".to_owned(),
            Role::Suspends => "unsigned long was = signals_blocked; signals_woken = 0; signals_blocked = *(const unsigned long *)set; while (!signals_woken) ; signals_blocked = was; return -1;".to_owned(),
            Role::Empties => "*(unsigned long *)set = 0; return 0;".to_owned(),
            Role::Fills => "*(unsigned long *)set = ~0UL; return 0;".to_owned(),
            Role::Adds => "*(unsigned long *)set |= 1UL << (n - 1); return 0;".to_owned(),
            Role::Deletes => "*(unsigned long *)set &= ~(1UL << (n - 1)); return 0;".to_owned(),
            Role::Waits => super::waits::body(&self.signals, self.pends),
            Role::Looks => "return (int)(*(const unsigned long *)set >> (n - 1) & 1);".to_owned(),
        };
        let _ = writeln!(text, "{} {{ {body} }}", self.head(role, within));
    }

    /// What was pending comes as soon as it is not blocked any more, as statements.
    fn settled(&self) -> String {
        let all = self.signals.iter().filter(|_| self.pends);
        all.map(|s| format!(" signals_settle_{}();", s.name))
            .collect()
    }

    /// The function that lets a pending signal come, unless it is blocked. Who takes it does so in one step: its thread may take
    /// it, too.
    fn settle(&self, signal: &Signal, text: &mut String) {
        let (name, bit, default) = (signal.name, signal.bit(), signal.default());
        let taken = format!("signals_pending_{name} && !(signals_blocked & {bit})");
        let (declared, runs, called) = match signal.handled {
            true => {
                let (before, behind) = self.around(signal);
                let calls = self.calls(signal, "signals_runs");
                (
                    "unsigned char signals_runs; unsigned long signals_outer = 0; do { signals_runs = 0; ",
                    format!(" else if (signals_does_{name} > 1) {{ signals_runs = signals_does_{name}; signals_outer = signals_blocked;{before} }}"),
                    format!(" if (signals_runs) {{ {calls}{behind} }} }} while (signals_runs);"),
                )
            }
            false => ("", String::new(), String::new()),
        };
        let _ = writeln!(
            text,
            "static void signals_settle_{name}(void) {{ {declared}__VERIFIER_atomic_begin(); \
             if ({taken}) {{ signals_pending_{name} = 0; if (signals_does_{name} == 0) {default}{runs} }} __VERIFIER_atomic_end();{called} }}"
        );
    }

    /// What sending a signal to the program itself does.
    fn raised(&self, signal: &Signal) -> String {
        let name = signal.name;
        format!("if (signals_does_{name} != 1) {{ signals_pending_{name} = 1; signals_settle_{name}(); }}")
    }

    /// The head of a function that stands for one of POSIX.
    fn head(&self, role: Role, within: bool) -> String {
        match &self.structure {
            Some(Structure { renamed: true, .. }) => {
                head(role, within).replace("struct sigaction ", &format!("{RENAMED} "))
            }
            _ => head(role, within),
        }
    }

    /// The body of `sigaction`.
    fn acts(&self) -> String {
        let Some(structure) = &self.structure else {
            return "return -1;".to_owned();
        };
        let handler = &structure.handler;
        let informs = self.program.handlers.iter().any(|h| h.parameters == 3);
        let given = match &structure.informed {
            // SA_SIGINFO
            Some(informed) if informs => {
                format!("act->sa_flags & 4 ? ({TYPE})act->{informed} : act->{handler}")
            }
            _ => format!("act->{handler}"),
        };
        let set = self.each(|s| {
            let name = s.name;
            format!(
                "if (old) {{ old->{handler} = signals_of(signals_does_{name}); *(unsigned long *)&old->sa_mask = signals_mask_{name}; old->sa_flags = signals_flags_{name}; }} \
                 if (act) {{ signals_mask_{name} = *(const unsigned long *)&act->sa_mask; signals_flags_{name} = act->sa_flags; signals_does_{name} = signals_which({given}); }} return 0;"
            )
        });
        format!("{set} return -1;")
    }
}

/// The head of a function that stands for one of POSIX, with the header's structure.
fn head(role: Role, within: bool) -> String {
    let name = function(role, within);
    match role {
        Role::Installs => format!("static void (*{name}(int n, void (*f)(int)))(int)"),
        Role::Acts => {
            format!("static int {name}(int n, const struct sigaction *act, struct sigaction *old)")
        }
        Role::Raises => format!("static int {name}(int n)"),
        Role::Kills => format!("static int {name}(int process, int n)"),
        Role::Alarms => format!("static unsigned {name}(unsigned seconds)"),
        Role::Times => {
            format!("static int {name}(int which, const struct itimerval *of, void *old)")
        }
        Role::Masks => format!("static int {name}(int how, const void *set, void *old)"),
        Role::Pauses => format!("static int {name}(void)"),
        Role::Suspends => format!("static int {name}(const void *set)"),
        Role::Empties | Role::Fills => format!("static int {name}(void *set)"),
        Role::Adds | Role::Deletes => format!("static int {name}(void *set, int n)"),
        Role::Looks => format!("static int {name}(const void *set, int n)"),
        Role::Waits => format!("static int {name}(const void *set, int *number)"),
    }
}
