//! How values flow through calls, and through writes to unnamed memory.

use super::values::Wholes;
use super::*;
use cfront::library::{Fills, Size, Writes};
use cfront::Memory;

impl Builder<'_> {
    /// Notes a write through a pointer. Memory without a name that is written cannot be compared.
    pub(crate) fn note_indirect(&mut self, lvalue: ExprId) {
        let (root, through_pointer) = self.tree.root(lvalue);
        if root.is_some() && !through_pointer {
            return;
        }
        let set = self.aliases.may_designate(lvalue);
        if set.unnamed && self.may_write_unnamed(lvalue) {
            self.graph.unnamed_writes.push(self.tree.exprs[lvalue].span);
        }
        let objects = self.objects(&set);
        self.written_through_pointer(&objects);
    }

    /// Whether an lvalue may designate memory without a name that a program may write: no string literal (C11 6.4.5p7).
    fn may_write_unnamed(&self, lvalue: ExprId) -> bool {
        let places = self.aliases.designated(lvalue);
        // The arguments of `main` are made by no expression.
        let maker = |e: ExprId| self.tree.exprs.get(e).map(|e| &e.kind);
        let is_string = |e: ExprId| matches!(maker(e), Some(ExprKind::Str(_)));
        let mut memory = self.aliases.memory(&places).into_iter();
        memory.any(|m| matches!(m, Memory::Made(e) if !is_string(e)))
    }

    /// Notes a compound literal whose address is taken: it is memory without a name, too.
    pub(crate) fn note_literal(&mut self, mut e: ExprId) {
        loop {
            match self.tree.exprs[e].kind {
                ExprKind::CompoundLiteral(_) if self.function.is_some() => {
                    return self.graph.unnamed_writes.push(self.tree.exprs[e].span);
                }
                ExprKind::Member {
                    base, arrow: false, ..
                } => e = base,
                ExprKind::Index { base, .. } => e = base,
                _ => return,
            }
        }
    }

    fn written_through_pointer(&mut self, objects: &[ObjectId]) {
        let Some(function) = self.function else {
            return;
        };
        let known = self.graph.through_pointers.entry(function).or_default();
        known.extend(objects.iter().map(|o| o.index()));
    }

    pub(crate) fn call(&mut self, callee: ExprId, args: &[ExprId], context: Node) -> Vec<Node> {
        let values: Vec<Vec<Node>> = args.iter().map(|&a| self.value(a, context)).collect();
        let named = match self.tree.exprs[callee].kind {
            ExprKind::Ident(Resolved::Function(f)) => Some(f),
            _ => None,
        };
        let (functions, way) = match named {
            Some(f) => (vec![f], Vec::new()),
            None => {
                let way = self.value(callee, context);
                let set = self.aliases.may_point_to(callee);
                let functions = match set.anything {
                    true => self.tree.defined_functions().map(|(id, _, _)| id).collect(),
                    false => set.functions.into_iter().collect(),
                };
                (functions, way)
            }
        };
        if let ExprKind::Ident(Resolved::Unknown(name)) = &self.tree.exprs[callee].kind {
            self.may_stop(name, false, (&[], &values), context);
        }
        let mut sources = way.clone();
        if let ExprKind::Ident(Resolved::Unknown(name)) = &self.tree.exprs[callee].kind {
            sources.extend(self.external(name, None, args, &values, context));
        }
        for function in functions {
            match &self.tree.functions[function].body {
                Some(body) => {
                    let parameters = body.params.clone();
                    for ((parameter, value), &arg) in parameters.into_iter().zip(&values).zip(args)
                    {
                        if self.initialised_by(parameter, arg, context) {
                            continue;
                        }
                        let targets = self.all_parts(parameter);
                        self.write(&targets, value, context);
                    }
                    let execution = self.execution(function);
                    self.edge(context, execution);
                    self.edges(&way, execution);
                    self.note_call(function, context, &way);
                    sources.push(self.result(function));
                }
                None => {
                    let of = &self.tree.functions[function];
                    self.may_stop(&of.name, of.is_noreturn, (&way, &values), context);
                    let result = self.result(function);
                    sources.extend(self.external(&of.name, Some(result), args, &values, context));
                }
            }
        }
        if named.is_none() && sources.is_empty() {
            sources = values.concat();
        }
        sources
    }

    /// Passes a whole structure, member by member; false, without effect, if it is none.
    fn initialised_by(&mut self, parameter: ObjectId, arg: ExprId, context: Node) -> bool {
        let to = match *self.tree.types.get(self.tree.objects[parameter].ty) {
            Type::Record(record) => Wholes {
                record,
                objects: vec![parameter],
            },
            _ => return false,
        };
        self.passed(arg, &to, context)
    }

    /// The structures that a function copies from one argument to another one, if these lead to whole ones of the same type.
    fn copied_behind(&self, of: ExprId, to: ExprId) -> Option<(Wholes, Wholes)> {
        let (of, to) = (self.wholes_behind(of)?, self.wholes_behind(to)?);
        (of.record == to.record).then_some((of, to))
    }

    fn note_call(&mut self, callee: FunctionId, context: Node, way: &[Node]) {
        let deciding = std::iter::once(context).chain(way.iter().copied());
        let call = self.function.map(|f| (f, callee, deciding.collect()));
        self.calls.extend(call);
    }

    /// What decides whether a recursion goes on influences the run, as for a loop: a run may stay in it.
    pub(crate) fn close_recursions(&mut self) {
        let mut next: HashMap<FunctionId, BTreeSet<FunctionId>> = HashMap::new();
        for (caller, callee, _) in &self.calls {
            next.entry(*caller).or_default().insert(*callee);
        }
        let reaches = |from: FunctionId, to: FunctionId| {
            let (mut seen, mut stack) = (BTreeSet::new(), vec![from]);
            while let Some(f) = stack.pop() {
                if f == to {
                    return true;
                }
                if seen.insert(f) {
                    stack.extend(next.get(&f).into_iter().flatten().copied());
                }
            }
            false
        };
        let mut known: HashMap<(FunctionId, FunctionId), bool> = HashMap::new();
        for (caller, callee, deciding) in std::mem::take(&mut self.calls) {
            let around = known.entry((caller, callee));
            if *around.or_insert_with(|| reaches(callee, caller)) {
                self.edges(&deciding, self.graph.run);
            }
        }
    }

    /// What decides whether a run stops at a call of a function without a body influences the run: whether control
    /// comes here, the way to the function, and for some functions the arguments.
    fn may_stop(
        &mut self,
        name: &str,
        noreturn: bool,
        (way, values): (&[Node], &[Vec<Node>]),
        context: Node,
    ) {
        let depends = library::may_not_return(name);
        if noreturn || depends || library::never_returns(name) {
            self.decides_run(context);
            self.edges(way, self.graph.run);
        }
        if depends {
            self.edges(&values.concat(), self.graph.run);
        }
    }

    /// A function without a body reads its arguments and the memory that they point to, and may write that
    /// memory, unless its only effect is output. Its result may also come from outside: the node `result`. What
    /// functions of the library and of the compiler write is in the catalogue.
    fn external(
        &mut self,
        name: &str,
        result: Option<Node>,
        args: &[ExprId],
        values: &[Vec<Node>],
        context: Node,
    ) -> Vec<Node> {
        // How much is printed says nothing of the values that are.
        if library::silent(name).is_some() {
            return result.into_iter().collect();
        }
        let mut sources = values.concat();
        sources.extend(result);
        let row = cfront::library::with_arguments(name);
        let fills = row.and_then(|row| row.fills);
        if let (Some(Fills { reads: true, .. }), [to, of, ..]) = (fills, args) {
            if let Some((of, to)) = self.copied_behind(*of, *to) {
                self.written_through_pointer(&to.objects);
                return self.copy(&of, &to, &sources, context);
            }
        }
        // What is filled is not read, unless its string tells where.
        let unread = fills.is_some_and(|fills| !matches!(fills.size, Size::String));
        let writes = row.and_then(|row| row.writes);
        let mut targets = Vec::new();
        for (position, &arg) in args.iter().enumerate() {
            let set = self.aliases.may_point_to(arg);
            let objects = self.objects(&set);
            let pointees: Vec<Node> = objects.iter().flat_map(|&o| self.all_parts(o)).collect();
            let pointee = self.tree.types.pointee(self.tree.exprs[arg].ty);
            let written = match writes {
                Some(Writes::Nothing) => false,
                Some(Writes::Arguments(list)) => list.contains(&position),
                _ => !pointee.is_some_and(|to| to.quals.is_const),
            };
            if written {
                self.written_through_pointer(&objects);
                targets.extend(pointees.iter().copied());
            }
            if !(unread && position == 0) {
                sources.extend(pointees);
            }
            let called: Vec<FunctionId> = set.functions.iter().copied().collect();
            for f in called
                .into_iter()
                .filter(|f| self.tree.functions[*f].body.is_some())
            {
                let execution = self.execution(f);
                self.edge(context, execution);
                self.note_call(f, context, &[]);
                sources.push(self.result(f));
                let body = self.tree.functions[f].body.clone();
                let parameters = body.map(|b| b.params).unwrap_or_default();
                targets.extend(parameters.iter().flat_map(|p| self.all_parts(*p)));
            }
        }
        self.write(&targets, &sources, context);
        sources
    }
}
