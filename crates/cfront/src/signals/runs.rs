//! Whether it matters that handlers interrupt one another in their midst.

use std::collections::{BTreeMap, BTreeSet};

use crate::access::{usage, Use};
use crate::calls::{CallGraph, Callee};
use crate::consteval::eval;
use crate::diag::Diagnostic;
use crate::span::{FunctionId, Id as _, ObjectId, Span};
use crate::tree::{ExprKind, InitKind, Parent, Resolved, StmtKind, Tree};

use super::{is_constant, Program, Role};

/// The bit of `sa_flags` with which waits go on behind a handler.
const RESTART: i128 = 0x1000_0000;

/// The bit of `sa_flags` with which a signal may interrupt its own handler.
pub(super) const NODEFER: i128 = 0x4000_0000;

/// Whether every `sa_flags` that the program sets has `SA_RESTART`.
pub(super) fn restarts(tree: &Tree) -> bool {
    let all = flags(tree);
    let has = |flags: &Option<i128>| flags.is_some_and(|flags| flags & RESTART != 0);
    !all.is_empty() && all.iter().all(has)
}

/// Whether some `sa_flags` that the program sets has a bit, or may have it.
pub(super) fn has_flag(tree: &Tree, bit: i128) -> bool {
    let has = |flags: Option<i128>| flags.is_none_or(|flags| flags & bit != 0);
    flags(tree).into_iter().any(has)
}

/// What the program sets `sa_flags` to, where that is known.
fn flags(tree: &Tree) -> Vec<Option<i128>> {
    let mut found = Vec::new();
    for (_, expr) in tree.exprs.iter() {
        let ExprKind::Assign { lhs, rhs, .. } = &expr.kind else {
            continue;
        };
        let is_flags = |name: &str| name == "sa_flags";
        if matches!(&tree.exprs[*lhs].kind, ExprKind::Member { name, .. } if is_flags(name)) {
            found.push(eval(tree, *rhs));
        }
    }
    for (_, init) in tree.inits.iter() {
        let InitKind::List(items) = &init.kind else {
            continue;
        };
        for item in items {
            let flags = item
                .designators
                .iter()
                .any(|d| matches!(d, crate::tree::Designator::Member(name) if name == "sa_flags"));
            if let (true, InitKind::Expr(e)) = (flags, &tree.inits[item.value].kind) {
                found.push(eval(tree, *e));
            }
        }
    }
    found
}

/// What a handler accesses of the memory that it shares.
#[derive(Default)]
struct Accesses {
    /// The objects, each with the number of its places.
    objects: BTreeMap<ObjectId, usize>,
    /// Whether it accesses other memory, or goes round a loop.
    more: bool,
    /// Whether it only stores.
    stores: bool,
}

impl Accesses {
    /// Whether it is one access.
    fn is_one(&self) -> bool {
        !self.more && self.objects.values().sum::<usize>() <= 1
    }
}

impl Program<'_> {
    /// Whether handlers are no single steps: another one that comes in the midst of one may make a difference.
    ///
    /// # Errors
    /// A handler of more than one step in a program with threads, where others go on meanwhile.
    pub(super) fn nest(&self, graph: &CallGraph) -> Result<bool, Diagnostic> {
        let tree = self.tree();
        let all: Vec<Accesses> = self
            .handlers
            .iter()
            .map(|handler| accesses(tree, graph, handler.function))
            .collect();
        if !graph.starts.is_empty() {
            self.beside_threads(&all)?;
            return Ok(false);
        }
        if self.handled.len() == 1 {
            return Ok(false);
        }
        let one = all.iter().enumerate().all(|(number, of)| {
            let others = all.iter().enumerate().filter(|(other, _)| *other != number);
            let mut others = others.flat_map(|(_, of)| of.objects.keys());
            of.is_one() && (of.stores || others.all(|o| !of.objects.contains_key(o)))
        });
        // One function for several signals interrupts itself.
        let again = self.handled.len() > self.handlers.len();
        let stores = all.iter().all(|of| of.is_one() && of.stores);
        Ok(!(one && (!again || stores)))
    }

    /// Refuses what needs to know which thread a signal interrupts.
    fn beside_threads(&self, all: &[Accesses]) -> Result<(), Diagnostic> {
        let tree = self.tree();
        let which = [
            Role::Masks,
            Role::Pauses,
            Role::Suspends,
            Role::Raises,
            Role::Kills,
        ];
        if let Some(used) = self.first(&which) {
            let message = "which thread of the program this is about is not followed";
            return Err(Diagnostic::error(tree.exprs[used.call].span, message));
        }
        for (handler, of) in self.handlers.iter().zip(all) {
            if !of.is_one() || !of.stores {
                let at = tree.functions[handler.function].names.last();
                let message = format!(
                    "the handler `{}` has more than one step, between which other threads go on: that is not followed",
                    handler.name
                );
                let help = "let it store one value, as in `stop = 1`";
                let at = at.copied().unwrap_or(Span::empty(0));
                return Err(Diagnostic::error(at, message).help(help));
            }
        }
        Ok(())
    }
}

/// What a function and those that it calls access.
fn accesses(tree: &Tree, graph: &CallGraph, handler: FunctionId) -> Accesses {
    let functions = graph.reachable(handler);
    let of = tree.functions_of_expressions();
    let inside = |f: Option<FunctionId>| f.is_some_and(|f| functions.contains(&f));
    let mut found = Accesses {
        stores: true,
        ..Accesses::default()
    };
    for (id, expr) in tree.exprs.iter() {
        if expr.unevaluated || !inside(of[id.index()]) {
            continue;
        }
        match &expr.kind {
            ExprKind::Ident(Resolved::Object(object)) => {
                let shared = tree.objects[*object].is_static_duration();
                let how = usage(tree, id);
                if !shared || how == Use::None {
                    continue;
                }
                found.more |= how == Use::Address;
                found.stores &= how == Use::Write;
                *found.objects.entry(*object).or_default() += 1;
            }
            ExprKind::Deref(_) | ExprKind::Member { arrow: true, .. } => found.more = true,
            ExprKind::Index { base, .. } => {
                found.more |= tree.root(*base).1;
            }
            _ => {}
        }
    }
    let loops = tree.stmts.iter().filter(|(_, s)| inside(s.function));
    found.more |= loops.into_iter().any(|(_, s)| {
        matches!(
            s.kind,
            StmtKind::While { .. }
                | StmtKind::DoWhile { .. }
                | StmtKind::For { .. }
                | StmtKind::Goto { .. }
                | StmtKind::Asm { .. }
        )
    });
    found.more |= functions.iter().any(|f| graph.is_recursive(*f));
    let mut called = BTreeSet::new();
    for call in graph.calls.iter().filter(|call| inside(call.caller)) {
        found.more |= match &call.callee {
            Callee::Direct(f) if tree.functions[*f].body.is_some() => !called.insert(*f),
            Callee::Direct(f) => {
                let name = tree.functions[*f].name.as_str();
                !is_quiet(tree, name, call.expr)
            }
            Callee::Builtin(_) | Callee::Indirect(_) => true,
        };
    }
    found
}

/// Whether a call of the library neither reads nor writes what the program shares.
fn is_quiet(tree: &Tree, name: &str, call: crate::span::ExprId) -> bool {
    let ends = ["exit", "_exit", "_Exit", "abort", "write", "puts", "printf"];
    let installs = ["signal", "bsd_signal"].contains(&name);
    let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
        return false;
    };
    // Installed again, as on systems where a handler is called once.
    let own = args.first().is_some_and(|e| is_parameter(tree, *e));
    ends.contains(&name) || installs && (own || args.iter().all(|e| is_constant(tree, *e)))
}

fn is_parameter(tree: &Tree, e: crate::span::ExprId) -> bool {
    let ExprKind::Ident(Resolved::Object(object)) = &tree.exprs[tree.uncast(e)].kind else {
        return false;
    };
    let parent = tree.function_of(Parent::Expr(e));
    let of = &tree.objects[*object];
    of.storage == crate::tree::Storage::Parameter && of.function == parent
}
