//! Handlers of signals as threads whose turns are calls of the handler.
//!
//! What a signal does, which signals are blocked, and which are pending are objects of the program; the functions of
//! POSIX that change them get bodies. A thread for each signal calls the handler that is installed, whenever it is, as the
//! threads of interrupts do. A handler that others may interrupt in its midst, and for which that matters, is no single
//! step: while it runs, [`TOP`] keeps the others from steps.

mod numbers;
mod runs;
mod signal;
mod structure;
mod text;
mod waits;

use std::collections::{BTreeMap, BTreeSet};

use crate::calls::{named_function, CallGraph, Callee};
use crate::diag::Diagnostic;
use crate::interrupts::{changed, Changes};
use crate::library;
use crate::parse::Unit;
use crate::source::Source;
use crate::span::{ExprId, FunctionId, Span};
use crate::tree::{ExprKind, Parent, StmtKind, Tree};
use crate::types::Class;

use numbers::Numbers;

pub use crate::interrupts::SIGNAL_THREAD as THREAD;

/// The function that starts the threads of signals.
pub const BEGIN: &str = "signals_begin";

/// The object that has the number of the signal whose handler runs, where others may interrupt it; 0 if none does.
pub const TOP: &str = "signals_top";

/// The end of the constant that has the number of a signal, behind the name of its thread.
pub const NUMBER: &str = "_number";

/// The end of the object that says whether a signal's handler has begun, behind the name of its thread.
pub const BEGUN: &str = "_begun";

/// What a call of the library does to signals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Role {
    /// `signal`
    Installs,
    /// `sigaction`
    Acts,
    /// `raise`
    Raises,
    /// `kill`
    Kills,
    /// `alarm`
    Alarms,
    /// `setitimer`
    Times,
    /// `sigprocmask` and `pthread_sigmask`
    Masks,
    /// `pause`
    Pauses,
    /// `sigsuspend`
    Suspends,
    /// `sigemptyset`
    Empties,
    /// `sigfillset`
    Fills,
    /// `sigaddset`
    Adds,
    /// `sigdelset`
    Deletes,
    /// `sigismember`
    Looks,
    /// `sigwait`
    Waits,
}

/// The functions of POSIX that are followed.
const ROLES: [(&str, Role); 17] = [
    ("signal", Role::Installs),
    ("bsd_signal", Role::Installs),
    ("sigaction", Role::Acts),
    ("raise", Role::Raises),
    ("kill", Role::Kills),
    ("alarm", Role::Alarms),
    ("setitimer", Role::Times),
    ("sigprocmask", Role::Masks),
    ("pthread_sigmask", Role::Masks),
    ("pause", Role::Pauses),
    ("sigsuspend", Role::Suspends),
    ("sigemptyset", Role::Empties),
    ("sigfillset", Role::Fills),
    ("sigaddset", Role::Adds),
    ("sigdelset", Role::Deletes),
    ("sigismember", Role::Looks),
    ("sigwait", Role::Waits),
];

/// A call of one of these functions.
struct Use {
    call: ExprId,
    callee: ExprId,
    args: Vec<ExprId>,
    role: Role,
    /// Whether a handler makes the call.
    within: bool,
}

/// A function that a signal may run.
struct Handler {
    function: FunctionId,
    name: String,
    /// How many arguments it is called with: none, the number, or also what `sigaction` with `SA_SIGINFO` gives.
    parameters: usize,
}

/// What a program does with signals.
struct Program<'a> {
    unit: &'a Unit,
    uses: Vec<Use>,
    handlers: Vec<Handler>,
    /// The signals for which functions may be installed.
    handled: BTreeSet<i128>,
    /// Other signals that the program names where it installs or sends.
    named: BTreeSet<i128>,
    /// Whether handlers are no single steps.
    nests: bool,
}

/// The program with the handlers of its signals as threads, in which every line has its number; `None` if it installs no
/// function and waits for no signal. Linear in the program.
///
/// # Errors
/// A use of signals that is not followed, with its place.
pub fn interleaved(unit: &Unit) -> Result<Option<Source>, Diagnostic> {
    let tree = &unit.tree;
    let uses = uses(tree);
    let graph = CallGraph::new(tree);
    let installs = |used: &&Use| matches!(used.role, Role::Installs | Role::Acts);
    let installing = uses.iter().filter(installs);
    let handlers = handlers(tree, &graph, installing)?;
    let waits = uses.iter().any(|used| used.role == Role::Waits);
    if handlers.is_empty() && !waits {
        return Ok(None);
    }
    let mut program = Program {
        unit,
        uses,
        handlers,
        handled: BTreeSet::new(),
        named: BTreeSet::new(),
        nests: false,
    };
    program.numbers(&graph)?;
    program.within(&graph)?;
    if program.handled.is_empty() && !waits {
        return Ok(None);
    }
    program.refuse_others(&graph)?;
    program.nests = !program.handled.is_empty() && program.nest(&graph)?;
    program.source().map(Some)
}

/// The calls of functions that are followed, which the program does not define.
fn uses(tree: &Tree) -> Vec<Use> {
    let mut found = Vec::new();
    for (call, expr) in tree.exprs.iter() {
        let ExprKind::Call { callee, args, .. } = &expr.kind else {
            continue;
        };
        let Some(function) = named_function(tree, *callee).map(|f| &tree.functions[f]) else {
            continue;
        };
        let known = ROLES.iter().find(|(name, _)| *name == function.name);
        if let Some((_, role)) = known.filter(|_| function.body.is_none() && !expr.unevaluated) {
            found.push(Use {
                call,
                callee: *callee,
                args: args.clone(),
                role: *role,
                within: false,
            });
        }
    }
    found
}

/// Whether an argument is a constant (`SIG_IGN`, a null pointer).
fn is_constant(tree: &Tree, e: ExprId) -> bool {
    crate::consteval::eval(tree, tree.uncast(e)).is_some()
}

/// The functions that calls may install: those that they name and, if one passes something else, all whose address is
/// taken and whose type fits.
fn handlers<'u>(
    tree: &Tree,
    graph: &CallGraph,
    installing: impl Iterator<Item = &'u Use>,
) -> Result<Vec<Handler>, Diagnostic> {
    let mut found = BTreeSet::new();
    let mut any = false;
    for used in installing {
        let Some(given) = used.args.get(1) else {
            continue;
        };
        match named_function(tree, *given) {
            Some(function) => {
                found.insert(function);
            }
            None => any |= !is_constant(tree, *given),
        }
    }
    let fits = |f: FunctionId| {
        let Some(of) = tree.types.function(tree.functions[f].ty) else {
            return false;
        };
        let first = of.params.first();
        let number = first.is_none_or(|ty| tree.types.is_integer(*ty));
        tree.types.class(of.ret) == Class::Void
            && number
            && (matches!(of.params.len(), 1 | 3) || !of.prototype)
    };
    if any {
        let taken = graph.address_taken.keys().copied();
        found.extend(taken.filter(|f| fits(*f)));
    }
    let mut all = Vec::new();
    for function in found {
        let of = &tree.functions[function];
        let Some(body) = &of.body else {
            let at = graph.address_taken.get(&function);
            let at = at.and_then(|places| places.first());
            let span = at.map_or(Span::empty(0), |e| tree.exprs[*e].span);
            let message = format!(
                "`{}` may be the handler of a signal, and has no body",
                of.name
            );
            return Err(Diagnostic::error(span, message));
        };
        if body.params.len() == 3 {
            informed(tree, function, &body.params[1..])?;
        }
        all.push(Handler {
            function,
            name: of.name.clone(),
            parameters: body.params.len(),
        });
    }
    Ok(all)
}

/// Refuses a handler that uses what it is told about the signal.
fn informed(
    tree: &Tree,
    function: FunctionId,
    told: &[crate::span::ObjectId],
) -> Result<(), Diagnostic> {
    let is_void = |e: ExprId| match tree.exprs[e].parent {
        Parent::Expr(cast) => tree.types.class(tree.exprs[cast].ty) == Class::Void,
        _ => false,
    };
    let used = tree.exprs.iter().find(|(id, e)| match &e.kind {
        ExprKind::Ident(crate::tree::Resolved::Object(o)) => told.contains(o) && !is_void(*id),
        _ => false,
    });
    let name = &tree.functions[function].name;
    used.map_or(Ok(()), |(_, e)| {
        let message = format!("what the handler `{name}` is told about its signal is not followed");
        Err(Diagnostic::error(e.span, message))
    })
}

impl Program<'_> {
    fn tree(&self) -> &Tree {
        &self.unit.tree
    }

    fn has(&self, roles: &[Role]) -> bool {
        self.uses.iter().any(|used| roles.contains(&used.role))
    }

    /// The first use in one of these roles.
    fn first(&self, roles: &[Role]) -> Option<&Use> {
        self.uses.iter().find(|used| roles.contains(&used.role))
    }

    /// Finds the signals that the program installs functions for, and sends.
    fn numbers(&mut self, graph: &CallGraph) -> Result<(), Diagnostic> {
        let tree = &self.unit.tree;
        let functions = self.handlers.iter().map(|h| h.function).collect();
        let numbers = Numbers::of(tree, graph, &functions);
        for used in &self.uses {
            let at = match used.role {
                Role::Installs | Role::Acts | Role::Raises => 0,
                Role::Kills => 1,
                _ => continue,
            };
            let all = used.args.get(at).and_then(|e| numbers.all(*e));
            let Some(all) = all else {
                let message = "which signal this is about is not known";
                let help = "give the number as a constant";
                return Err(Diagnostic::error(tree.exprs[used.call].span, message).help(help));
            };
            let constant = used.args.get(1).is_some_and(|e| is_constant(tree, *e));
            let installs = matches!(used.role, Role::Installs | Role::Acts) && !constant;
            let into = if installs {
                &mut self.handled
            } else {
                &mut self.named
            };
            into.extend(all);
        }
        for kept in [KILL, STOP] {
            self.handled.remove(&kept);
        }
        if self.has(&[Role::Alarms, Role::Times]) {
            self.named.insert(ALARM);
        }
        let known = |n: &i128| text::name(*n).is_some() || *n == 0;
        let other = self.handled.union(&self.named).find(|n| !known(n)).copied();
        if other.is_some() || self.handled.contains(&ABORT) {
            let used = self.first(&[Role::Installs, Role::Acts]);
            let span = used.map_or(Span::empty(0), |u| tree.exprs[u.call].span);
            let message = match other {
                Some(other) => format!("the signal {other} is not followed"),
                None => "a handler of `SIGABRT` is not followed".to_owned(),
            };
            return Err(Diagnostic::error(span, message));
        }
        if self.has(&[Role::Waits]) {
            self.waited(&numbers)?;
        }
        self.named = self.named.difference(&self.handled).copied().collect();
        Ok(())
    }

    /// Finds what handlers themselves do. A signal that a handler sends comes when the handler has returned, as one does
    /// that the handler is for.
    ///
    /// # Errors
    /// A handler that sends another signal, or changes which are blocked while signals may be pending.
    fn within(&mut self, graph: &CallGraph) -> Result<(), Diagnostic> {
        let tree = &self.unit.tree;
        let functions: BTreeSet<FunctionId> = self.handlers.iter().map(|h| h.function).collect();
        let inside: BTreeSet<FunctionId> =
            functions.iter().flat_map(|f| graph.reachable(*f)).collect();
        let outside = graph
            .calls
            .iter()
            .filter(|call| match (call.caller, &call.callee) {
                (Some(caller), Callee::Direct(f)) => {
                    !inside.contains(&caller) && inside.contains(f)
                }
                _ => false,
            });
        let outside: BTreeSet<FunctionId> = outside
            .filter_map(|call| match &call.callee {
                Callee::Direct(f) => Some(*f),
                _ => None,
            })
            .flat_map(|f| graph.reachable(f))
            .collect();
        let sends = self.has(&[Role::Raises, Role::Kills]);
        let alone = match (self.handlers.len(), self.handled.len()) {
            (1, 1) => self.handled.first().copied(),
            _ => None,
        };
        let numbers = Numbers::of(tree, graph, &functions);
        for used in &mut self.uses {
            let caller = tree.function_of(Parent::Expr(used.call));
            let Some(caller) = caller.filter(|f| inside.contains(f)) else {
                continue;
            };
            let refused =
                |message: &str| Err(Diagnostic::error(tree.exprs[used.call].span, message));
            used.within = true;
            match used.role {
                Role::Raises | Role::Kills => {
                    let at = usize::from(used.role == Role::Kills);
                    let all = used.args.get(at).and_then(|e| numbers.all(*e));
                    let own = all.is_some_and(|all| all.iter().all(|n| Some(*n) == alone));
                    if !own || outside.contains(&caller) || runs::has_flag(tree, runs::NODEFER) {
                        return refused("a signal that a handler sends, other than its own, is not followed");
                    }
                }
                Role::Masks if sends => {
                    return refused("a handler that changes which signals are blocked is not followed beside signals that the program sends")
                }
                Role::Pauses | Role::Suspends => {
                    return refused("a handler that waits for another one is not followed")
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Refuses what is not followed beside handlers.
    fn refuse_others(&self, graph: &CallGraph) -> Result<(), Diagnostic> {
        let tree = self.tree();
        let at = |e: ExprId, message: &str| Err(Diagnostic::error(tree.exprs[e].span, message));
        for used in &self.uses {
            let is_used = !is_statement(tree, used.call);
            match used.role {
                Role::Kills if !is_own(tree, used.args.first()) => {
                    return at(used.call, "a signal to another process is not followed");
                }
                Role::Waits if !self.handlers.is_empty() => {
                    return at(used.call, "`sigwait` is not followed beside handlers");
                }
                Role::Alarms if is_used => {
                    return at(
                        used.call,
                        "the time that is left of an alarm is not followed",
                    );
                }
                Role::Times => {
                    let which = used.args.first();
                    let which = which.and_then(|e| crate::consteval::eval(tree, *e));
                    let old = used.args.get(2).is_none_or(|e| is_constant(tree, *e));
                    if which != Some(0) || !old {
                        return at(used.call, "this timer is not followed");
                    }
                }
                _ => {}
            }
        }
        let library = |call: &&crate::calls::Call| match &call.callee {
            Callee::Direct(f) => tree.functions[*f].body.is_none(),
            _ => true,
        };
        for call in graph.calls.iter().filter(library) {
            let name = match &call.callee {
                Callee::Direct(f) => tree.functions[*f].name.as_str(),
                Callee::Builtin(name) => name.as_str(),
                Callee::Indirect(_) => continue,
            };
            if OTHERS.contains(&name) {
                return at(call.expr, &format!("`{name}` is not followed"));
            }
            let restarts = || runs::restarts(tree);
            if WAITS.contains(&name) && self.has(&[Role::Acts]) && !restarts() {
                let message =
                    format!("a signal may end the wait of `{name}`, which is not followed");
                let help = "set `SA_RESTART` in all `sa_flags`";
                return Err(Diagnostic::error(tree.exprs[call.expr].span, message).help(help));
            }
        }
        for handler in &self.handlers {
            for called in graph.reachable(handler.function) {
                let name = &tree.functions[called].name;
                let known = library::function(name);
                let jumps = known.is_some_and(|f| f.jump.is_some());
                let starts = library::thread_argument(name).is_some();
                if tree.functions[called].body.is_none() && (jumps || starts) {
                    let span = tree.functions[handler.function].names.last();
                    let message = format!(
                        "the handler `{}` calls `{name}`, which is not followed",
                        handler.name
                    );
                    return Err(Diagnostic::error(
                        span.copied().unwrap_or(Span::empty(0)),
                        message,
                    ));
                }
            }
        }
        Ok(())
    }

    /// The program's text with calls of the functions that are followed.
    fn source(&self) -> Result<Source, Diagnostic> {
        let tree = self.tree();
        let main = tree.function_named("main");
        let Some((_, body)) = main.and_then(|f| Some((f, tree.functions[f].body.as_ref()?))) else {
            let message = "there is no function `main` with a body";
            return Err(Diagnostic::error(Span::empty(0), message));
        };
        let model = text::Model::of(self)?;
        let mut changes = Changes::new();
        let mut declared: BTreeMap<FunctionId, BTreeSet<(Role, bool)>> = BTreeMap::new();
        for used in &self.uses {
            let Some(function) = tree.function_of(Parent::Expr(used.call)) else {
                continue;
            };
            declared
                .entry(function)
                .or_default()
                .insert((used.role, used.within));
            let span = tree.exprs[used.callee].span;
            let lines = self.unit.lines_of(span);
            let called = format!("{}{lines}", text::function(used.role, used.within));
            changes.insert((span.start, span.end), called);
        }
        let mut insert = |at: usize, text: &str| {
            changes.entry((at, at)).or_default().push_str(text);
        };
        insert(body.span.start, &format!("static void {BEGIN}(void); "));
        insert(
            tree.stmts[body.block].span.start + 1,
            &format!(" {BEGIN}();"),
        );
        for (function, roles) in declared {
            let Some(body) = &tree.functions[function].body else {
                continue;
            };
            let prototypes: String = roles
                .into_iter()
                .map(|(role, within)| model.prototype(role, within))
                .collect();
            insert(body.span.start, &prototypes);
        }
        model.without_union(&mut changes);
        Ok(changed(self.unit, changes, &model.text()))
    }
}

/// The number of `SIGABRT`.
const ABORT: i128 = 6;
/// The number of `SIGKILL`.
const KILL: i128 = 9;
/// The number of `SIGALRM`.
const ALARM: i128 = 14;
/// The number of `SIGSTOP`.
const STOP: i128 = 19;

/// Functions that change what signals do, or wait for them, in ways that are not followed.
const OTHERS: [&str; 16] = [
    "sigset",
    "sighold",
    "sigrelse",
    "sigignore",
    "sigpause",
    "sigvec",
    "sysv_signal",
    "ssignal",
    "sigwaitinfo",
    "sigtimedwait",
    "sigpending",
    "siginterrupt",
    "signalfd",
    "ppoll",
    "pselect",
    "pthread_kill",
];

/// Functions whose wait a handler ends without `SA_RESTART`.
const WAITS: [&str; 2] = ["sem_wait", "sem_timedwait"];

/// Whether nothing uses the value of an expression.
fn is_statement(tree: &Tree, e: ExprId) -> bool {
    match tree.exprs[e].parent {
        Parent::Stmt(s) => matches!(tree.stmts[s].kind, StmtKind::Expr(_)),
        Parent::Expr(around) => tree.types.class(tree.exprs[around].ty) == Class::Void,
        _ => false,
    }
}

/// Whether the process is the program's own.
fn is_own(tree: &Tree, process: Option<&ExprId>) -> bool {
    let Some(process) = process else { return false };
    let ExprKind::Call { callee, .. } = &tree.exprs[tree.uncast(*process)].kind else {
        return false;
    };
    let called = named_function(tree, *callee);
    called.is_some_and(|f| tree.functions[f].name == "getpid")
}

#[cfg(test)]
mod tests;
