//! What calls do: take and release locks, start and join threads, access memory.

use cfront::library::{Runs, Size, Writes};
use cfront::tree::ExprKind;
use cfront::types::Type;
use cfront::{ExprId, FunctionId};

use super::names::library_name;
use super::parts::Step;
use super::paths::{base_pointer, suffix, Places};
use super::run::Run;
use super::site::{Around, Part, Site};
use super::state::{Lock, State};
use crate::code::Touched;
use crate::library::{Call, Role};

impl Run<'_, '_> {
    /// Performs a call whose operands were evaluated.
    pub(super) fn call(&mut self, call: ExprId, args: &[ExprId], state: &mut State) {
        if state.dead {
            return;
        }
        let fixed = super::fixed::target(self.facts, call).map(|f| self.with_body(vec![f]));
        let fixed = fixed.filter(|f| !f.is_empty());
        let targets = fixed.unwrap_or_else(|| self.facts.targets(call));
        if !targets.is_empty() {
            self.call_any(&targets, args, state);
            // As verifiers agree, it ends the run where its argument is 0.
            let assumes =
                crate::library::name_of(self.facts.tree, call) == Some("assume_abort_if_not");
            if let (true, Some(&condition)) = (assumes, args.first()) {
                self.refine(condition, true, state);
            }
            return;
        }
        match self.facts.library(call) {
            Some(known) => self.synchronise(call, known, args, state),
            None => self.outside(call, args, state),
        }
    }

    /// Calls one of several functions.
    fn call_any(&mut self, targets: &[FunctionId], args: &[ExprId], state: &mut State) {
        let mut after = State {
            dead: true,
            ..State::default()
        };
        for &target in targets {
            let mut one = state.clone();
            self.call_function(target, args, &mut one);
            after.join(&one);
        }
        *state = after;
    }

    fn synchronise(&mut self, call: ExprId, known: Call, args: &[ExprId], state: &mut State) {
        match known {
            Call::Create(handle, function, argument) => {
                let of = |index: usize| args.get(index).copied();
                if let (Some(h), Some(f), Some(a)) = (of(handle), of(function), of(argument)) {
                    self.access_target(call, (handle, h), true, state);
                    self.create(call, (h, f, a), state);
                }
            }
            Call::Join => {
                if let Some(&result) = args.get(1) {
                    self.access_target(call, (1, result), true, state);
                }
                if let Some(&handle) = args.first() {
                    self.join(handle, state);
                    self.joined_by_number(call, state);
                }
            }
            Call::ThreadExit => {
                self.ended(state);
                state.dead = true;
            }
            Call::Exit => state.dead = true,
            Call::Begin => {
                state.held.insert(Lock::Atomic, true);
            }
            Call::End => {
                state.end_section();
            }
            Call::Once => self.once(args, state),
            Call::Model(model) => self.lock_call(call, model.role, args, state),
            Call::Register => {
                let why = "where a cleanup handler runs is not followed".to_owned();
                self.blind(why, Some(call));
            }
            Call::Refused => {
                let name = crate::library::name_of(self.facts.tree, call).unwrap_or_default();
                self.blind(format!("`{name}` is not followed"), Some(call));
            }
            _ => {}
        }
    }

    /// Takes or releases a lock.
    fn lock_call(&mut self, call: ExprId, role: Role, args: &[ExprId], state: &mut State) {
        let name = crate::library::name_of(self.facts.tree, call).unwrap_or_default();
        let Some(&lock) = args.first() else { return };
        let taken = match (role, cfront::library::plain_name(name)) {
            (Role::Takes, _) | (_, "pthread_rwlock_wrlock") => Some(true),
            (_, "pthread_rwlock_rdlock") => Some(false),
            (Role::Gives, _) | (_, "pthread_rwlock_unlock") => None,
            _ => return,
        };
        match (taken, self.lock_at(lock, state)) {
            (Some(alone), Some(lock)) => {
                state.held.insert(lock, alone);
            }
            (Some(_), None) => {}
            (None, Some(lock)) => {
                state.forget_tries();
                state.held.remove(&lock);
                // The same lock may be known by another name.
                state.held.retain(|other, _| {
                    matches!(
                        (&lock, other),
                        (_, Lock::Atomic | Lock::Once(_) | Lock::Flag(_))
                            | (Lock::Object(_), Lock::Object(_))
                    )
                });
            }
            (None, None) => state.release_any(),
        }
    }

    /// The lock that a pointer points to, if it is always the same one.
    pub(super) fn lock_at(&self, pointer: ExprId, state: &State) -> Option<Lock> {
        let places = Places {
            facts: self.facts,
            state,
        };
        if let Some((path, _)) = places.pointed(pointer) {
            if path.is_constant() && self.is_single(path.memory) {
                return Some(Lock::Object(path));
            }
        }
        let tree = self.facts.tree;
        let ExprKind::AddressOf(lvalue) = tree.exprs[tree.uncast(pointer)].kind else {
            return None;
        };
        if let Some(lock) = self.element_lock(lvalue, &places) {
            return Some(lock);
        }
        let of = base_pointer(tree, lvalue)?;
        let object = &tree.objects[of];
        let fixed = super::paths::is_automatic(self.facts, of)
            && !self.facts.address_taken.contains(&of)
            && object.function.is_some();
        let steps = suffix(self.facts, lvalue);
        let whole = match (steps.first(), tree.types.pointee(object.ty)) {
            (Some(Step::Member(record, _)), Some(to)) => {
                *tree.type_of(to) == Type::Record(*record) && !self.in_unions.contains(record)
            }
            _ => false,
        };
        let constant = !steps.iter().any(Step::varies);
        (fixed && whole && constant).then_some(Lock::Beside(of, steps))
    }

    /// The lock of an array that is an object of its own, with a local variable as index.
    fn element_lock(&self, lvalue: ExprId, places: &Places) -> Option<Lock> {
        let tree = self.facts.tree;
        let ExprKind::Index { base, .. } = tree.exprs[lvalue].kind else {
            return None;
        };
        let (array, _) = places.located(base)?;
        let whole = array.is_constant() && self.is_single(array.memory);
        let index = self.index_variable(lvalue)?;
        whole.then_some(Lock::Indexed(array, index))
    }

    fn once(&mut self, args: &[ExprId], state: &mut State) {
        let [control, function, ..] = args else {
            return;
        };
        let lock = match self.lock_at(*control, state) {
            Some(Lock::Object(path)) => Some(Lock::Once(path)),
            _ => None,
        };
        let mut inside = state.clone();
        if let Some(lock) = &lock {
            inside.held.insert(lock.clone(), true);
        }
        let targets = self.with_body(self.facts.pointed(*function));
        self.call_any(&targets, &[], &mut inside);
        state.join(&inside);
        if let Some(lock) = lock {
            state.held.insert(lock, false);
        }
    }

    /// The functions of these that have a body.
    pub(super) fn with_body(&self, functions: Vec<FunctionId>) -> Vec<FunctionId> {
        let has_body = |f: &FunctionId| self.facts.tree.functions[*f].body.is_some();
        functions.into_iter().filter(has_body).collect()
    }

    /// Calls a function that the program does not define.
    fn outside(&mut self, call: ExprId, args: &[ExprId], state: &mut State) {
        let name = library_name(self.facts, call).unwrap_or_default();
        let plain = cfront::library::plain_name(name);
        if plain.starts_with("__atomic_") || plain.starts_with("__sync_") {
            return self.atomic(call, plain, args, state);
        }
        if matches!(
            name,
            "__VERIFIER_assume" | "__CPROVER_assume" | "__ESBMC_assume"
        ) {
            if let Some(&condition) = args.first() {
                self.refine(condition, true, state);
            }
            return;
        }
        if name.starts_with("__VERIFIER_") || name.starts_with("__CPROVER_") {
            return;
        }
        let row = cfront::library::function(name);
        match row.and_then(|row| row.runs) {
            Some(Runs::Here(index)) => self.call_back(args.get(index).copied(), state),
            Some(Runs::OnSignal(index)) => self.any_time(args.get(index).copied()),
            Some(Runs::AtExit(_)) => self.any_time(args.first().copied()),
            Some(Runs::Thread(_)) => self.blind(format!("`{name}` is not followed"), Some(call)),
            None => {}
        }
        if matches!(plain, "pthread_key_create" | "tss_create") {
            self.any_time(args.get(1).copied());
        }
        if let Some(fills) = row.and_then(|row| row.fills) {
            let part = |index| match fills.size {
                Size::Argument(n) => Part::Bytes(index, n),
                Size::String => Part::Some(index),
            };
            self.access_part(call, (part(0), args.first().copied()), true, state);
            if fills.reads {
                self.access_part(call, (part(1), args.get(1).copied()), false, state);
            }
            return;
        }
        for (index, &arg) in args.iter().enumerate() {
            let writes = match row.and_then(|row| row.writes) {
                Some(Writes::Nothing) => plain == "free" && index == 0,
                Some(Writes::Arguments(list) | Writes::Deep(list)) => list.contains(&index),
                Some(Writes::From(first)) => index >= first,
                None => !self.is_constant(call, index, arg),
            };
            let part = match (
                plain,
                self.facts.tree.types.pointee(self.facts.tree.exprs[arg].ty),
            ) {
                ("free", Some(to)) if matches!(self.facts.tree.type_of(to), Type::Record(_)) => {
                    Part::Target(index)
                }
                _ => Part::Some(index),
            };
            if row.is_none() {
                // A function that is not known may call what it is given.
                if let Some(f) = cfront::calls::named_function(self.facts.tree, arg) {
                    let targets = self.with_body(vec![f]);
                    let mut called = state.clone();
                    self.call_any(&targets, &[], &mut called);
                    state.join(&called);
                    continue;
                }
            }
            self.access_part(call, (part, Some(arg)), writes, state);
            let deep = match row {
                Some(row) => {
                    matches!(row.writes, Some(Writes::Deep(list)) if list.contains(&index))
                }
                None => true,
            };
            if deep {
                self.access_further(call, (index, arg), state);
            }
        }
    }

    /// The call may access what pointers lead to that stand where an argument points to: the string that `strtok_r` goes on with.
    fn access_further(&mut self, call: ExprId, (index, arg): (usize, ExprId), state: &State) {
        if !self.is_pointer(arg) {
            return;
        }
        let aliases = &self.facts.aliases;
        let further = aliases.further(&aliases.pointed_to(arg));
        let mut touched = Touched {
            anything: further.anything,
            memory: aliases.memory(&further),
        };
        touched.memory.retain(|&m| self.facts.may_be_shared(m));
        if touched.anything || !touched.memory.is_empty() {
            let site = Site {
                expr: call,
                part: Part::Further(index),
                writes: true,
                atomic: false,
            };
            self.record((site, None, Vec::new()), touched, Around::default(), state);
        }
    }

    /// Calls a function that an argument points to, with arguments that are not known, or not.
    fn call_back(&mut self, function: Option<ExprId>, state: &mut State) {
        let Some(function) = function else { return };
        let targets = self.with_body(self.facts.pointed(function));
        let mut called = state.clone();
        self.call_any(&targets, &[], &mut called);
        state.join(&called);
    }

    /// Whether a function's prototype, or the argument, says that it writes nothing through it.
    fn is_constant(&self, call: ExprId, index: usize, arg: ExprId) -> bool {
        let tree = self.facts.tree;
        let ExprKind::Call { callee, .. } = &tree.exprs[call].kind else {
            return false;
        };
        let ty = tree.types.function(tree.exprs[*callee].ty);
        let param = ty.and_then(|ty| ty.params.get(index).copied());
        let to = tree.types.pointee(param.unwrap_or(tree.exprs[arg].ty));
        to.is_some_and(|to| to.quals.is_const)
    }

    /// An atomic operation of the compiler: its first argument points to the atomic object.
    fn atomic(&mut self, call: ExprId, name: &str, args: &[ExprId], state: &mut State) {
        if name.contains("fence") || name == "__sync_synchronize" || name.contains("lock_free") {
            return;
        }
        let Some(&object) = args.first() else { return };
        self.flag_operation(name, args, state);
        let loads = matches!(name, "__atomic_load_n" | "__atomic_load");
        let site = Site {
            expr: call,
            part: Part::Target(0),
            writes: !loads,
            atomic: true,
        };
        self.access_at(site, object, state);
        let plain: &[(usize, bool)] = match name {
            "__atomic_load" => &[(1, true)],
            "__atomic_store" => &[(1, false)],
            "__atomic_exchange" => &[(1, false), (2, true)],
            "__atomic_compare_exchange_n" => &[(1, true)],
            "__atomic_compare_exchange" => &[(1, true), (2, false)],
            _ => &[],
        };
        for &(index, writes) in plain {
            if let Some(&arg) = args.get(index) {
                self.access_target(call, (index, arg), writes, state);
            }
        }
    }

    /// The call accesses the object that an argument points to.
    fn access_target(
        &mut self,
        call: ExprId,
        (index, arg): (usize, ExprId),
        writes: bool,
        state: &State,
    ) {
        self.access_part(call, (Part::Target(index), Some(arg)), writes, state);
    }

    fn access_part(
        &mut self,
        call: ExprId,
        (part, arg): (Part, Option<ExprId>),
        writes: bool,
        state: &State,
    ) {
        let site = Site {
            expr: call,
            part,
            writes,
            atomic: false,
        };
        if let Some(arg) = arg {
            self.access_at(site, arg, state);
        }
    }

    /// An access of what a pointer points to.
    fn access_at(&mut self, site: Site, pointer: ExprId, state: &State) {
        let tree = self.facts.tree;
        let address = self.is_pointer(pointer);
        if !address || matches!(tree.exprs[tree.uncast(pointer)].kind, ExprKind::Str(_)) {
            return;
        }
        let places = self.facts.aliases.pointed_to(pointer);
        let mut touched = Touched {
            anything: places.anything,
            memory: self.facts.aliases.memory(&places),
        };
        touched.memory.retain(|&m| self.facts.may_be_shared(m));
        if !touched.anything && touched.memory.is_empty() {
            return;
        }
        let whole = matches!(site.part, Part::Target(_));
        let places = Places {
            facts: self.facts,
            state,
        };
        let to = tree.types.pointee(tree.exprs[pointer].ty);
        let path = places.pointed(pointer);
        let path = path.filter(|(_, ty)| whole && to.is_some_and(|to| to.ty == ty.ty));
        let path = path.map(|(path, _)| path);
        self.record((site, path, Vec::new()), touched, Around::default(), state);
    }

    fn is_pointer(&self, e: ExprId) -> bool {
        let tree = self.facts.tree;
        let ty = tree.type_of(tree.exprs[e].ty);
        matches!(ty, Type::Array(..) | Type::Pointer(_))
    }
}
