//! The state of the analysis of a program: its threads, and what was found of them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use cfront::span::{ObjectId, RecordId};
use cfront::tree::ExprKind;
use cfront::{ExprId, FunctionId, Memory, Span};

use super::arrays::Loops;
use super::parts::{Path, Step};
use super::site::{Around, Seen, Site};
use super::state::{State, ThreadId};
use crate::code::Touched;
use crate::facts::Facts;

/// The most different accesses: beyond, nothing is known.
const MOST_SEEN: usize = 20_000;

/// Threads that one call starts.
#[derive(Clone, Debug)]
pub(super) struct Thread {
    /// The function with which they begin.
    pub function: FunctionId,
    /// The call that starts them; none for the main thread.
    pub created_at: Option<ExprId>,
    /// The thread that starts them.
    pub creator: Option<ThreadId>,
    /// What is known when they begin.
    pub entry: State,
    /// Threads of the same creator that may run when one of these begins.
    pub created_with: BTreeSet<ThreadId>,
    /// Threads that they may leave behind.
    pub leaves: BTreeSet<ThreadId>,
    /// Whether they may run at any time: handlers of signals, destructors.
    pub any_time: bool,
}

/// The analysis of a program.
pub(super) struct Run<'a, 'u> {
    pub facts: &'a Facts<'u>,
    pub threads: Vec<Thread>,
    /// The accesses, in the order in which they were found.
    pub seen: Vec<Seen>,
    /// Why nothing is known, with a place.
    pub blind: Option<(String, Option<ExprId>)>,
    /// Records that are parts of unions.
    pub in_unions: BTreeSet<RecordId>,
    /// Whether some atomic operation has an order weaker than sequential consistency.
    pub weaker: bool,
    /// Variables that may be locks.
    pub(super) flags: BTreeSet<ObjectId>,
    /// Functions that are called once in a run at most.
    pub(super) once: BTreeSet<FunctionId>,
    /// The thread that is followed now.
    pub(super) now: ThreadId,
    /// How each function is left, for what it is entered with.
    pub(super) exits: HashMap<(ThreadId, FunctionId, State), State>,
    /// Calls that are being followed.
    pub(super) active: Vec<(ThreadId, FunctionId, State)>,
    /// Whether the result of a call that is being followed was used.
    pub(super) recursive: bool,
    pub(super) known: HashMap<(ThreadId, Site), Vec<usize>>,
    pub(super) changed: bool,
    pub(super) steps: usize,
    /// The loops that start threads and wait for them.
    pub(super) loops: Loops,
}

impl Run<'_, '_> {
    /// Gives up.
    pub fn blind(&mut self, why: String, at: Option<ExprId>) {
        self.blind.get_or_insert((why, at));
    }

    /// Records an access.
    pub fn record(
        &mut self,
        (site, path, suffix): (Site, Option<Path>, Vec<Step>),
        touched: Touched,
        around: Around,
        state: &State,
    ) {
        if state.dead {
            return;
        }
        let seen = Seen {
            thread: self.now,
            site,
            touched,
            path,
            suffix,
            own: around.own,
            under: around.under,
            indexed: around.indexed,
            held: state.held.clone(),
            live: state.live.clone(),
        };
        let list = self.known.entry((self.now, site)).or_default();
        if list.iter().any(|&index| self.seen[index] == seen) {
            return;
        }
        list.push(self.seen.len());
        self.seen.push(seen);
        if self.seen.len() > MOST_SEEN {
            self.blind(
                "the program has too many accesses for the analysis of locks".to_owned(),
                None,
            );
        }
    }

    /// Whether there is only one such object in a run.
    pub fn is_single(&self, memory: Memory) -> bool {
        let tree = self.facts.tree;
        match memory {
            Memory::Object(o) => {
                let object = &tree.objects[o];
                match object.is_static_duration() {
                    true => !object.thread_local,
                    false => {
                        let function = object.function;
                        let in_loop = object.storage == cfront::tree::Storage::Local
                            && self.is_in_loop(function, object.name_span);
                        function.is_some_and(|f| self.once.contains(&f)) && !in_loop
                    }
                }
            }
            Memory::Made(call) => {
                let Some(expr) = tree.exprs.get(call) else {
                    return false;
                };
                let function = tree.function_of(expr.parent);
                function.is_some_and(|f| self.once.contains(&f))
                    && !self.is_in_loop(function, expr.span)
            }
        }
    }

    fn is_in_loop(&self, function: Option<FunctionId>, span: Span) -> bool {
        function.is_none_or(|f| is_in_loop(self.facts, f, span))
    }
}

/// Whether a part of a function is in a loop.
pub(crate) fn is_in_loop(facts: &Facts, function: FunctionId, span: Span) -> bool {
    let flow = facts.unit.flows.get(&function);
    flow.is_none_or(|flow| flow.computed || flow.loops.iter().any(|l| l.span.encloses(span)))
}

/// The functions that are called once at most: the main one, and those with one call, by such a
/// function and not in a loop.
pub(crate) fn once(facts: &Facts, main: FunctionId) -> BTreeSet<FunctionId> {
    let tree = facts.tree;
    let mut uses: BTreeMap<FunctionId, Vec<ExprId>> = BTreeMap::new();
    for (id, expr) in tree.exprs.iter() {
        if let ExprKind::Ident(cfront::tree::Resolved::Function(f)) = expr.kind {
            if !expr.unevaluated {
                uses.entry(f).or_default().push(id);
            }
        }
    }
    let mut once = BTreeSet::new();
    if !uses.contains_key(&main) {
        once.insert(main);
    }
    loop {
        let before = once.len();
        for (&f, sites) in &uses {
            let [site] = sites[..] else { continue };
            let cfront::tree::Parent::Expr(parent) = tree.exprs[site].parent else {
                continue;
            };
            let direct = match &tree.exprs[parent].kind {
                ExprKind::Call { callee, .. } => {
                    *callee == site
                        || crate::library::name_of(tree, parent) == Some("pthread_create")
                }
                _ => false,
            };
            let function = tree.function_of(tree.exprs[site].parent);
            let caller = function.filter(|g| once.contains(g) && *g != f);
            let span = tree.exprs[site].span;
            if direct && caller.is_some_and(|g| !is_in_loop(facts, g, span)) {
                once.insert(f);
            }
        }
        if once.len() == before {
            return once;
        }
    }
}

/// The records that are parts of unions.
pub(super) fn in_unions(facts: &Facts) -> BTreeSet<RecordId> {
    let types = &facts.tree.types;
    let mut found = BTreeSet::new();
    let mut work: Vec<RecordId> = Vec::new();
    for (id, record) in types.records.iter() {
        if record.is_union {
            work.push(id);
        }
    }
    while let Some(id) = work.pop() {
        for member in types.records[id].members.iter().flatten() {
            let mut ty = member.ty;
            while let cfront::types::Type::Array(of, _) = types.get(ty) {
                ty = *of;
            }
            if let cfront::types::Type::Record(inner) = *types.get(ty) {
                if found.insert(inner) {
                    work.push(inner);
                }
            }
        }
    }
    found
}
