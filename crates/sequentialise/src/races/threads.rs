//! Follows all threads of a program to a fixed point: what each function is entered and left with,
//! which threads run besides.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use cfront::flow::{Flow, Point, PointId};
use cfront::span::{ObjectId, RecordId};
use cfront::tree::{ExprKind, StmtKind};
use cfront::{ExprId, FunctionId, Memory, Span};

use super::paths::{steps_are_apart, Path, Places, Step};
use super::site::{Around, Seen, Site};
use super::state::{Lock, State, ThreadId, Value};
use crate::code::Touched;
use crate::facts::Facts;

/// The most steps of the analysis: beyond, nothing is known.
const MOST_STEPS: usize = 400_000;

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
    entry: State,
    /// Threads of the same creator that may run when one of these begins.
    pub created_with: BTreeSet<ThreadId>,
    /// Threads that they may leave behind.
    leaves: BTreeSet<ThreadId>,
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
    /// Variables that may be locks.
    pub flags: BTreeSet<ObjectId>,
    /// Functions that are called once in a run at most.
    once: BTreeSet<FunctionId>,
    /// The thread that is followed now.
    pub now: ThreadId,
    /// How each function is left, for what it is entered with.
    exits: HashMap<(ThreadId, FunctionId, State), State>,
    /// Calls that are being followed.
    active: Vec<(ThreadId, FunctionId, State)>,
    /// Whether the result of a call that is being followed was used.
    recursive: bool,
    known: HashMap<(ThreadId, Site), Vec<usize>>,
    pub changed: bool,
    steps: usize,
    /// The loops that join all threads of an array, by their statements.
    joins: HashMap<cfront::StmtId, ObjectId>,
    /// Calls that start threads whose handles fill an array, which such a loop joins all.
    filled: HashMap<ExprId, ObjectId>,
}

impl<'a, 'u> Run<'a, 'u> {
    /// Follows a program from its main function.
    pub fn of(facts: &'a Facts<'u>, main: FunctionId) -> Run<'a, 'u> {
        let mut run = Run {
            facts,
            threads: Vec::new(),
            seen: Vec::new(),
            blind: None,
            in_unions: in_unions(facts),
            flags: super::flags::candidates(facts),
            once: once(facts, main),
            now: 0,
            exits: HashMap::new(),
            active: Vec::new(),
            recursive: false,
            known: HashMap::new(),
            changed: true,
            steps: 0,
            joins: HashMap::new(),
            filled: HashMap::new(),
        };
        (run.filled, run.joins) = super::arrays::joined(facts, &run.once);
        run.thread(main, None, None, State::default());
        while std::mem::take(&mut run.changed) && run.blind.is_none() {
            run.exits.clear();
            run.seen.clear();
            run.known.clear();
            let mut next = 0;
            while next < run.threads.len() && run.blind.is_none() {
                run.follow(next);
                next += 1;
            }
        }
        run
    }

    fn follow(&mut self, thread: ThreadId) {
        self.now = thread;
        let Thread {
            function, entry, ..
        } = self.threads[thread].clone();
        let after = self.function(function, entry);
        self.ended(&after);
    }

    /// The current thread ends where a state holds.
    pub fn ended(&mut self, state: &State) {
        if state.dead {
            return;
        }
        let thread = &mut self.threads[self.now];
        let before = thread.leaves.len();
        thread.leaves.extend(&state.live);
        self.changed |= thread.leaves.len() > before;
    }

    /// Gives up.
    pub fn blind(&mut self, why: String, at: Option<ExprId>) {
        self.blind.get_or_insert((why, at));
    }

    /// The threads that a call starts with a function.
    fn thread(
        &mut self,
        function: FunctionId,
        created_at: Option<ExprId>,
        creator: Option<ThreadId>,
        entry: State,
    ) -> ThreadId {
        // Threads that start each other without end are one.
        let mut above = creator;
        let mut known = None;
        while let Some(id) = above {
            let t = &self.threads[id];
            if t.function == function && t.created_at == created_at {
                known = Some(id);
            }
            above = t.creator;
        }
        let same =
            |t: &Thread| (t.function, t.created_at, t.creator) == (function, created_at, creator);
        let known = known.or_else(|| self.threads.iter().position(same));
        if let Some(id) = known {
            self.changed |= self.threads[id].entry.join(&entry);
            return id;
        }
        self.changed = true;
        self.threads.push(Thread {
            function,
            created_at,
            creator,
            entry,
            created_with: BTreeSet::new(),
            leaves: BTreeSet::new(),
            any_time: false,
        });
        self.threads.len() - 1
    }

    /// Starts threads.
    pub fn create(
        &mut self,
        call: ExprId,
        (handle, function, argument): (ExprId, ExprId, ExprId),
        state: &mut State,
    ) {
        let pointed = self.facts.pointed(function);
        let targets = self.with_body(pointed.clone());
        if targets.is_empty() || targets.len() < pointed.len() {
            return self.blind(
                "the function of this thread is not known".to_owned(),
                Some(call),
            );
        }
        let value = self.value(argument, state);
        let place = self.place_of(handle, state);
        if let Some(place) = &place {
            forget_handles(state, place);
        }
        for &target in &targets {
            let entry = self.entry(target, std::slice::from_ref(&value), State::default());
            let id = self.thread(target, Some(call), Some(self.now), entry);
            let nested = id <= self.now;
            let thread = &mut self.threads[id];
            let before = thread.created_with.len();
            thread.created_with.extend(&state.live);
            if nested {
                thread.created_with.insert(id);
            }
            self.changed |= thread.created_with.len() > before;
        }
        for &target in &targets {
            let entry = State {
                dead: true,
                ..State::default()
            };
            let id = self.thread(target, Some(call), Some(self.now), entry);
            state.live.insert(id);
            if let (Some(place), [_]) = (&place, &targets[..]) {
                state.handles.insert(place.clone(), id);
            }
        }
    }

    /// The place where a handle is stored, if there is only one such place.
    fn place_of(&self, pointer: ExprId, state: &State) -> Option<Path> {
        let places = Places {
            facts: self.facts,
            state,
        };
        places.pointed(pointer).map(|(path, _)| path)
    }

    /// A function may run at any time, in a thread of its own.
    pub fn any_time(&mut self, function: Option<ExprId>) {
        let Some(function) = function else { return };
        let pointed = self.facts.pointed(function);
        for target in self.with_body(pointed) {
            let id = self.thread(target, Some(function), None, State::default());
            self.threads[id].any_time = true;
        }
    }

    /// Waits for the end of a thread.
    pub fn join(&mut self, handle: ExprId, state: &mut State) {
        let places = Places {
            facts: self.facts,
            state,
        };
        let place = places.located(handle).map(|(path, _)| path);
        let place = place.filter(|p| p.is_constant() && self.is_single(p.memory));
        if let Some(id) = place.and_then(|place| state.handles.get(&place).copied()) {
            self.joined(id, state);
        }
    }

    fn joined(&mut self, id: ThreadId, state: &mut State) {
        let thread = &self.threads[id];
        // One of several does not say that all have ended.
        if !thread.created_with.contains(&id) {
            state.live.remove(&id);
            state.live.extend(&thread.leaves);
        }
    }

    /// What a function is entered with.
    fn entry(&self, function: FunctionId, values: &[Option<Value>], state: State) -> State {
        let mut entry = State {
            known: BTreeMap::new(),
            ..state
        };
        entry.held.retain(|lock, _| !lock.is_relative());
        let body = self.facts.tree.functions[function].body.as_ref();
        if self.facts.graph.is_recursive(function) {
            return entry;
        }
        for (param, value) in body.iter().flat_map(|b| &b.params).zip(values) {
            let kept = match value {
                Some(Value::Tried(..)) | None => None,
                Some(value) => Some(value.clone()),
            };
            if let Some(value) = kept.filter(|_| !self.facts.address_taken.contains(param)) {
                entry.known.insert(*param, value);
            }
        }
        entry
    }

    /// Calls a function of the program.
    pub fn call_function(&mut self, function: FunctionId, args: &[ExprId], state: &mut State) {
        let values: Vec<_> = args.iter().map(|&arg| self.value(arg, state)).collect();
        let atomic = is_atomic_by_name(&self.facts.tree.functions[function].name);
        let mut entry = self.entry(function, &values, state.clone());
        let within = entry.held.contains_key(&Lock::Atomic);
        if atomic {
            entry.held.insert(Lock::Atomic, true);
        }
        let mut after = self.function(function, entry);
        if atomic && !within {
            after.end_section();
        }
        // Locks beside what a pointer points to may have been released by the function.
        let quiet = after.held.len() >= state.held.len();
        let beside = state.held.iter();
        let beside = beside.filter(|(lock, _)| quiet && lock.is_relative());
        let releases = self.releases(function);
        after.held.extend(
            beside
                .filter(|_| !releases)
                .map(|(lock, alone)| (lock.clone(), *alone)),
        );
        after.known = std::mem::take(&mut state.known);
        after.forget_tries();
        *state = after;
    }

    /// Whether a function may release a lock, itself or by others.
    fn releases(&self, function: FunctionId) -> bool {
        let tree = self.facts.tree;
        self.facts.graph.reachable(function).iter().any(|&f| {
            let body = tree.functions[f].body.as_ref();
            body.is_some_and(|body| {
                self.facts.calls_in(body.span).any(|call| {
                    let name = super::calls::library_name(self.facts, call);
                    name.is_some_and(|name| name.contains("unlock"))
                })
            })
        })
    }

    /// Follows a function from what it is entered with to what it is left with.
    fn function(&mut self, function: FunctionId, entry: State) -> State {
        let dead = State {
            dead: true,
            ..State::default()
        };
        if entry.dead || self.blind.is_some() {
            return dead;
        }
        let key = (self.now, function, entry);
        if self.active.contains(&key) {
            self.recursive = true;
            return self.exits.get(&key).cloned().unwrap_or(dead);
        }
        if let Some(known) = self.exits.get(&key) {
            return known.clone();
        }
        let Some(flow) = self.facts.unit.flows.get(&function) else {
            let name = &self.facts.tree.functions[function].name;
            self.blind(format!("the control flow of `{name}` is not known"), None);
            return dead;
        };
        self.active.push(key.clone());
        let mut last = dead;
        loop {
            let outer = std::mem::take(&mut self.recursive);
            let after = self.body(flow, key.2.clone());
            let again = std::mem::replace(&mut self.recursive, outer) && after != last;
            last = after;
            self.exits.insert(key.clone(), last.clone());
            if !again || self.blind.is_some() {
                break;
            }
            // What rests on the result of the last round is not final.
            let (active, graph) = (&self.active, &self.facts.graph);
            self.exits
                .retain(|key, _| active.contains(key) || !graph.is_recursive(key.1));
        }
        self.active.pop();
        // Nor is what rests on a call around this one.
        self.recursive |= self.facts.graph.is_recursive(function) && !self.active.is_empty();
        last
    }

    fn body(&mut self, flow: &Flow, entry: State) -> State {
        let count = flow.points().count();
        let dead = State {
            dead: true,
            ..State::default()
        };
        let mut at = vec![dead.clone(); count];
        at[flow.entry().index()] = entry;
        let mut work = BTreeSet::from([flow.entry().index()]);
        while let Some(index) = work.pop_first() {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                self.blind(
                    "the program is too large for the analysis of locks".to_owned(),
                    None,
                );
            }
            if self.blind.is_some() {
                return dead;
            }
            let point = PointId::from_index(index);
            let mut state = at[index].clone();
            self.point(flow.point(point), &mut state);
            if state.dead {
                continue;
            }
            for &next in flow.next(point) {
                let mut there = state.clone();
                self.edge(flow, (point, next), &mut there);
                if at[next.index()].join(&there) {
                    work.insert(next.index());
                }
            }
        }
        at[flow.exit().index()].clone()
    }

    /// What holds only on one of the ways from a condition.
    fn edge(&mut self, flow: &Flow, (from, to): (PointId, PointId), state: &mut State) {
        let Point::Cond(stmt) = flow.point(from) else {
            return;
        };
        let (cond, then, loops) = match self.facts.tree.stmts[stmt].kind {
            StmtKind::If { cond, then, .. } => (Some(cond), then, false),
            StmtKind::While { cond, body, .. } => (Some(cond), body, true),
            StmtKind::DoWhile { cond, body, .. } => (Some(cond), body, true),
            StmtKind::For { cond, body, .. } => (cond, body, true),
            _ => return,
        };
        let taken = flow.first_of(then) == Some(to);
        let mut others = flow.next(from).iter().filter(|&&next| next != to);
        let Some(cond) = cond.filter(|_| others.next().is_some()) else {
            return;
        };
        self.refine(cond, taken, state);
        if loops && !taken {
            if let Some(array) = self.joins.get(&stmt).copied() {
                let all: Vec<ThreadId> = (0..self.threads.len()).collect();
                for id in all {
                    let thread = &self.threads[id];
                    let call = thread
                        .created_at
                        .filter(|_| thread.creator == Some(self.now));
                    if call.and_then(|call| self.filled.get(&call)) == Some(&array) {
                        state.live.remove(&id);
                        state
                            .live
                            .extend(self.threads[id].leaves.iter().filter(|&&l| l != id));
                    }
                }
            }
        }
    }

    fn point(&mut self, point: Point, state: &mut State) {
        let tree = self.facts.tree;
        match point {
            Point::Stmt(stmt) => match &tree.stmts[stmt].kind {
                StmtKind::Expr(Some(e)) | StmtKind::Return(Some(e)) | StmtKind::GotoComputed(e) => {
                    self.root(*e, state);
                }
                StmtKind::Asm { writes: true, .. } => {
                    self.blind("an assembler statement is not followed".to_owned(), None);
                }
                _ => {}
            },
            Point::Cond(stmt) => match tree.stmts[stmt].kind {
                StmtKind::If { cond, .. }
                | StmtKind::Switch { cond, .. }
                | StmtKind::While { cond, .. }
                | StmtKind::DoWhile { cond, .. }
                | StmtKind::For {
                    cond: Some(cond), ..
                } => self.root(cond, state),
                _ => {}
            },
            Point::ForInit(stmt) => {
                if let StmtKind::For {
                    init: cfront::tree::ForInit::Expr(e),
                    ..
                } = tree.stmts[stmt].kind
                {
                    self.root(e, state);
                }
            }
            Point::ForStep(stmt) => {
                if let StmtKind::For { step: Some(e), .. } = tree.stmts[stmt].kind {
                    self.root(e, state);
                }
            }
            Point::Decl(decl) => self.declaration(decl, state),
            Point::NoReturn(call) => {
                let name = super::calls::library_name(self.facts, call);
                if name.is_some_and(cfront::library::ends_thread) {
                    self.ended(state);
                }
                state.dead = true;
            }
            Point::Entry | Point::Exit | Point::Label(_) | Point::Enter(_) => {}
        }
    }

    fn declaration(&mut self, decl: cfront::DeclId, state: &mut State) {
        let tree = self.facts.tree;
        for declared in &tree.decls[decl].declared {
            let cfront::tree::Entity::Object(object) = declared.entity else {
                continue;
            };
            if tree.objects[object].is_static_duration() {
                continue;
            }
            let mut all = Vec::new();
            if let Some(init) = declared.init {
                tree.init_exprs(init, &mut all);
            }
            for &e in &all {
                self.root(e, state);
            }
            match (&all[..], declared.init.map(|init| &tree.inits[init].kind)) {
                (&[e], Some(cfront::tree::InitKind::Expr(_))) => self.set(object, Some(e), state),
                _ => self.set(object, None, state),
            }
        }
    }

    /// Evaluates an expression that is in no other.
    fn root(&mut self, e: ExprId, state: &mut State) {
        let span = self.facts.tree.exprs[e].span;
        let mut inner = self.facts.statement_expressions_in(span).peekable();
        if inner.peek().is_some() {
            // The control flow puts the statements of an expression before it.
            let calls: Vec<Span> = self
                .facts
                .calls_in(span)
                .filter(|&c| !self.facts.targets(c).is_empty() || self.facts.library(c).is_some())
                .map(|c| self.facts.tree.exprs[c].span)
                .collect();
            let late = |s: Span| calls.iter().any(|c| c.end <= s.start);
            if inner.any(late) {
                let why = "a statement in an expression behind a call is not followed";
                self.blind(why.to_owned(), Some(e));
            }
        }
        if !state.dead {
            self.evaluate(e, state);
        }
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
pub(super) fn is_in_loop(facts: &Facts, function: FunctionId, span: Span) -> bool {
    let flow = facts.unit.flows.get(&function);
    flow.is_none_or(|flow| flow.computed || flow.loops.iter().any(|l| l.span.encloses(span)))
}

/// Whether the body of a function of this name is an atomic section, as verifiers agree.
fn is_atomic_by_name(name: &str) -> bool {
    let sections = ["__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"];
    name.starts_with("__VERIFIER_atomic_") && !sections.contains(&name)
}

/// The functions that are called once at most: the main one, and those with one call, by such a
/// function and not in a loop.
fn once(facts: &Facts, main: FunctionId) -> BTreeSet<FunctionId> {
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
fn in_unions(facts: &Facts) -> BTreeSet<RecordId> {
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

/// A handle is overwritten.
fn forget_handles(state: &mut State, place: &Path) {
    state.handles.retain(|other, _| {
        other.memory != place.memory || steps_are_apart(&other.steps, &place.steps)
    });
}
