//! Follows functions from point to point, to a fixed point.

use std::collections::{BTreeMap, BTreeSet};

use cfront::flow::{Flow, Point, PointId};
use cfront::tree::StmtKind;
use cfront::{ExprId, FunctionId, Span};

use super::names::library_name;
use super::paths::converted;
use super::run::Run;
use super::state::{Lock, State, Value};

/// The most steps of the analysis: beyond, nothing is known.
const MOST_STEPS: usize = 400_000;

impl Run<'_, '_> {
    /// What a function is entered with.
    pub fn entry(&self, function: FunctionId, values: &[Option<Value>], state: State) -> State {
        let mut entry = State {
            known: BTreeMap::new(),
            fresh: BTreeSet::new(),
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
                Some(value) => converted(
                    self.facts,
                    value.clone(),
                    self.facts.tree.objects[*param].ty,
                ),
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
        after.fresh = std::mem::take(&mut state.fresh);
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
                    let name = library_name(self.facts, call);
                    name.is_some_and(|name| name.contains("unlock"))
                })
            })
        })
    }

    /// Follows a function from what it is entered with to what it is left with.
    pub fn function(&mut self, function: FunctionId, entry: State) -> State {
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
        match (loops, taken) {
            (true, true) => self.round_begins(stmt, state),
            (true, false) => self.joined_by_loop(stmt, state),
            _ => {}
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
            Point::Cond(stmt) => {
                if let Some(cond) = tree.stmts[stmt].kind.condition() {
                    self.root(cond, state);
                }
            }
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
                let name = library_name(self.facts, call);
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
}

/// Whether the body of a function of this name is an atomic section, as verifiers agree.
fn is_atomic_by_name(name: &str) -> bool {
    let sections = ["__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"];
    name.starts_with("__VERIFIER_atomic_") && !sections.contains(&name)
}
