//! Lowers calls: inlines functions in which a thread may stop, and keeps the others.

use cfront::tree::{Body, ExprKind, StmtKind, Storage};
use cfront::types::{Class, Type};
use cfront::{ExprId, FunctionId, Span};

use super::exprs::{enclosed, Needs};
use super::{bounds, Decides, Frame, Lower};
use crate::code::{Access, Action, Label, Mover, Pointer};
use crate::library::Call;

/// An argument of an inlined call.
pub(super) struct Argument {
    /// Its span.
    pub at: Span,
    /// The text for its value.
    pub text: String,
    /// The value, if known.
    pub known: Option<i128>,
    /// The pointer's target, if known.
    pub pointer: Option<Pointer>,
}

impl Lower<'_, '_> {
    /// How a call must be lowered, without its operands.
    pub(super) fn call_needs(&mut self, call: ExprId) -> Needs {
        if self.is_left_out(call) {
            return Needs::Splitting;
        }
        if self.ends_at(call).is_some() {
            return Needs::Splitting;
        }
        if let Some(library) = self.facts.library(call) {
            return match library.is_visible() {
                true => Needs::Splitting,
                false => Needs::Nothing,
            };
        }
        let targets = self.facts.targets(call);
        if let [f] = targets[..] {
            if self.is_section(f) {
                return self.section_needs(f);
            }
        }
        match targets.iter().any(|&f| self.is_inlined(f)) {
            true => Needs::Splitting,
            false => Needs::Nothing,
        }
    }

    /// Whether a function is an atomic section by its name.
    fn is_section(&self, f: FunctionId) -> bool {
        self.facts.tree.functions[f]
            .name
            .starts_with("__VERIFIER_atomic_")
    }

    fn section_needs(&mut self, f: FunctionId) -> Needs {
        if self.may_wait_in(f) {
            return Needs::Splitting;
        }
        let visible = self.facts.graph.reachable(f).into_iter().any(|g| {
            let accesses = self.accesses.of_function(g);
            accesses.iter().any(|a| self.is_visible(a))
        });
        match visible {
            true => Needs::OneStep,
            false => Needs::Nothing,
        }
    }

    /// Whether a function makes library calls in which a thread may stop, or has loops that wait.
    pub(super) fn may_wait_in(&self, f: FunctionId) -> bool {
        let waits = |body: &Body| self.facts.loops_in(body.span).any(|l| self.may_wait(l));
        self.stops_in_library(f) || self.bodies(f).any(waits)
    }

    /// Whether a function makes library calls in which a thread may stop. Its calls are always inlined.
    pub(super) fn stops_in_library(&self, f: FunctionId) -> bool {
        self.bodies(f).any(|body| {
            let mut calls = self.facts.calls_in(body.span);
            calls.any(|c| {
                let call = self.facts.library(c);
                self.facts.point(c).is_some()
                    || call.is_some_and(|c| c.is_visible() && c != Call::Begin && c != Call::End)
            })
        })
    }

    /// The bodies of the functions that a function may call, itself included.
    fn bodies(&self, f: FunctionId) -> impl Iterator<Item = &Body> {
        let functions = self.facts.graph.reachable(f).into_iter();
        functions.filter_map(|g| self.facts.tree.functions[g].body.as_ref())
    }

    /// Whether the calls of a function are inlined.
    pub(super) fn is_inlined(&mut self, f: FunctionId) -> bool {
        if self.env.atomic > 0 {
            return self.may_wait_in(f);
        }
        if let Some(&known) = self.inlined.get(&f) {
            return known;
        }
        let functions = self.facts.graph.reachable(f);
        let touches = |g: &FunctionId| {
            let accesses = self.accesses.of_function(*g);
            accesses.iter().any(|a| self.is_visible(a))
        };
        let visible_library = |g: &FunctionId| {
            self.facts.tree.functions[*g]
                .body
                .as_ref()
                .is_some_and(|body| {
                    let mut calls = self.facts.calls_in(body.span);
                    let ends = self.ends_run(body.span);
                    let visible = |c: ExprId| {
                        self.facts.point(c).is_some()
                            || self.facts.library(c).is_some_and(Call::is_visible)
                    };
                    ends || calls.any(visible)
                })
        };
        let jumps = self.options.steps;
        let turns = |g: &FunctionId| {
            let body = self.facts.tree.functions[*g].body.as_ref();
            let loops = body.is_some_and(|b| {
                let mut loops = self.facts.loops_in(b.span);
                let jumps = jumps && self.facts.gotos_in(b.span).next().is_some();
                jumps || loops.any(|l| !bounds::is_short(self.facts, l))
            });
            loops || self.facts.graph.is_recursive(*g)
        };
        let inlined = functions
            .iter()
            .any(|g| touches(g) || visible_library(g) || turns(g));
        self.inlined.insert(f, inlined);
        inlined
    }

    /// Lowers a call that cannot stay unchanged.
    pub(super) fn call(&mut self, e: ExprId, used: bool) -> String {
        if self.is_left_out(e) {
            return "(void)0".to_string();
        }
        if let Some(point) = self.ends_at(e) {
            self.cancellation_point(point, self.facts.tree.exprs[e].span);
        }
        if let Some(library) = self.facts.library(e) {
            if library.is_visible() {
                return self.library_call(e, library, used);
            }
        }
        let targets = self.facts.targets(e);
        match targets[..] {
            [f] if self.is_section(f) => self.section(e, f, used),
            [f] if self.is_inlined(f) => {
                let args = self.arguments(e);
                let result = self.result(e, used);
                self.inline(f, e, args, result)
            }
            _ if targets.iter().any(|&f| self.is_inlined(f)) => self.chosen(e, &targets, used),
            _ => self.kept_call(e, used),
        }
    }

    /// Jumps if the truth of a call's value is `sense`, if the function is inlined; returns whether
    /// it is. A constant result leads directly to the label that it decides.
    pub(super) fn branch_on_call(&mut self, e: ExprId, sense: bool, to: Label) -> bool {
        if self.facts.library(e).is_some() {
            return false;
        }
        let [f] = self.facts.targets(e)[..] else {
            return false;
        };
        if self.is_section(f) || !self.is_inlined(f) {
            return false;
        }
        let span = self.facts.tree.exprs[e].span;
        let args = self.arguments(e);
        let Some(result) = self.result(e, true) else {
            return false;
        };
        let over = self.label();
        self.decides = Some(Decides { sense, to, over });
        let value = self.inline(f, e, args, Some(result));
        self.decides = None;
        let condition = match sense {
            true => value,
            false => format!("!{}", enclosed(value)),
        };
        self.jump(Some(condition), to, span);
        self.place(over, span);
        true
    }

    /// Lowers the arguments of a call to values.
    fn arguments(&mut self, e: ExprId) -> Vec<(ExprId, String)> {
        let ExprKind::Call { args, .. } = &self.facts.tree.exprs[e].kind else {
            return Vec::new();
        };
        let mut values = Vec::new();
        for &arg in args {
            let value = self.value(arg);
            values.push((arg, value));
        }
        values
    }

    fn result(&mut self, e: ExprId, used: bool) -> Option<String> {
        let is_void = matches!(
            self.facts.tree.type_of(self.facts.tree.exprs[e].ty),
            Type::Void
        );
        (used && !is_void).then(|| self.temp(e))
    }

    /// Lowers a call with split operands that stays a call.
    fn kept_call(&mut self, e: ExprId, used: bool) -> String {
        let tree = self.facts.tree;
        let span = tree.exprs[e].span;
        let ExprKind::Call { callee, .. } = &tree.exprs[e].kind else {
            return "0".to_string();
        };
        let mut parts = self.arguments(e);
        if cfront::calls::named_function(tree, *callee).is_none() {
            let value = self.value(*callee);
            parts.push((*callee, value));
        }
        let own: Vec<Access> = self.accesses.of_expr(e);
        let own = own.into_iter().filter(|a| a.expr == e).collect();
        let accesses = self.with_calls(own, Span::new(span.start, span.start + 1));
        self.stays(e, parts, accesses, used)
    }

    /// Emits a call as a statement of its own, with these texts in place of its parts.
    fn stays(
        &mut self,
        e: ExprId,
        parts: Vec<(ExprId, String)>,
        accesses: Vec<Access>,
        used: bool,
    ) -> String {
        let tree = self.facts.tree;
        let span = tree.exprs[e].span;
        let patches = parts
            .into_iter()
            .map(|(part, text)| (tree.exprs[part].span, enclosed(text)))
            .collect();
        let text = self.print(span, patches);
        match self.result(e, used) {
            Some(result) => {
                self.text(format!("{result} = {text};"), span, accesses);
                result
            }
            None => {
                self.text(format!("{text};"), span, accesses);
                "(void)0".to_string()
            }
        }
    }

    /// Lowers a call of a function that is an atomic section by its name.
    fn section(&mut self, e: ExprId, f: FunctionId, used: bool) -> String {
        let span = self.facts.tree.exprs[e].span;
        let args = self.arguments(e);
        self.begin(span);
        let result = if self.may_wait_in(f) {
            let result = self.result(e, used);
            self.inline(f, e, args, result)
        } else {
            let accesses = self.with_calls(Vec::new(), span);
            self.stays(e, args, accesses, used)
        };
        self.end(span);
        result
    }

    /// Begins an atomic section.
    pub(super) fn begin(&mut self, span: Span) {
        self.push(Action::Begin, span, Vec::new(), Mover::Both);
        self.env.atomic += 1;
    }

    /// Ends an atomic section.
    pub(super) fn end(&mut self, span: Span) {
        if let Some(statement) = &self.options.section_end {
            self.text(statement.clone(), span, Vec::new());
        }
        if self.env.reachable {
            self.env.atomic = self.env.atomic.saturating_sub(1);
        }
        self.push(Action::End, span, Vec::new(), Mover::Both);
    }

    /// Lowers a call through a pointer: a case for each possible function.
    fn chosen(&mut self, e: ExprId, targets: &[FunctionId], used: bool) -> String {
        let tree = self.facts.tree;
        let span = tree.exprs[e].span;
        let ExprKind::Call { callee, .. } = tree.exprs[e].kind else {
            return "0".to_string();
        };
        let mut args = Vec::new();
        for (arg, value) in self.arguments(e) {
            let temp = self.temp(arg);
            let at = tree.exprs[arg].span;
            self.text(format!("{temp} = {value};"), at, Vec::new());
            args.push((arg, temp));
        }
        let pointer = self.stable(callee);
        let result = self.result(e, used);
        let end = self.label();
        for &target in targets {
            let over = self.label();
            let name = &tree.functions[target].name;
            self.out.kept.insert(target);
            self.jump(Some(format!("{pointer} != {name}")), over, span);
            self.inline(target, e, args.clone(), result.clone());
            self.jump(None, end, span);
            self.place(over, span);
        }
        self.text("BA_SEQ_ASSUME(0);".to_string(), span, Vec::new());
        self.env.reachable = false;
        self.place(end, span);
        result.unwrap_or_else(|| "(void)0".to_string())
    }

    /// Inlines a function.
    pub(super) fn inline(
        &mut self,
        f: FunctionId,
        call: ExprId,
        args: Vec<(ExprId, String)>,
        result: Option<String>,
    ) -> String {
        let given = args.into_iter().map(|(arg, text)| Argument {
            at: self.facts.tree.exprs[arg].span,
            known: self.value_of(arg),
            pointer: self.pointer(arg),
            text,
        });
        let given: Vec<Argument> = given.collect();
        self.inline_with(f, call, &given, result)
    }

    /// Inlines a function with arguments given as texts.
    pub(super) fn inline_with(
        &mut self,
        f: FunctionId,
        call: ExprId,
        args: &[Argument],
        result: Option<String>,
    ) -> String {
        let tree = self.facts.tree;
        let span = tree.exprs[call].span;
        let value = result.clone().unwrap_or_else(|| "(void)0".to_string());
        let Some(body) = tree.functions[f].body.as_ref() else {
            return value;
        };
        if !self.env.reachable {
            return value;
        }
        if self.is_variadic(f) && !self.only_prints(f) {
            let name = &tree.functions[f].name;
            self.refuse(span, format!("`{name}` takes a variable number of arguments and accesses objects that threads share: this cannot be followed"));
            return value;
        }
        let depth = self.frames.iter().filter(|x| x.function == f).count() as u32 + 1;
        if depth > self.options.recursion && depth > 1 {
            let site = match &tree.stmts[body.block].kind {
                StmtKind::Compound { .. } => {
                    bounds::of_body(self.facts, body.block, self.options).site
                }
                _ => String::new(),
            };
            self.cut(&site, span);
            return value;
        }
        let back = self.label();
        let cleanups = self.cleanups.len();
        let decides = self.decides.take();
        self.frames.push(Frame {
            function: f,
            depth,
            result,
            back,
            is_thread: false,
            decides,
        });
        for (index, &param) in body.params.iter().enumerate() {
            let name = self.variable(param);
            let arg = args.get(index);
            if let Some(arg) = arg {
                self.text(format!("{name} = {};", arg.text), arg.at, Vec::new());
            }
            self.know(param, arg.and_then(|a| a.known));
            self.know_pointer(param, arg.and_then(|a| a.pointer.clone()));
        }
        for arg in args.iter().skip(body.params.len()) {
            self.text(format!("(void)({});", arg.text), arg.at, Vec::new());
        }
        self.function_body(body.block);
        self.place(back, body.span);
        self.end_lifetimes(f, body.span);
        self.cleanups.truncate(cleanups);
        self.frames.pop();
        value
    }

    /// Resets the scalars of an activation that ends whose address was taken: no pointer to them means anything any
    /// more. Others are reset where nothing reads them.
    fn end_lifetimes(&mut self, f: FunctionId, span: Span) {
        if !self.options.steps || !self.env.reachable {
            return;
        }
        let tree = self.facts.tree;
        for object in tree.objects_of(f) {
            let o = &tree.objects[object];
            let own = matches!(o.storage, Storage::Local | Storage::Parameter);
            let plain = matches!(tree.types.class(o.ty), Class::Scalar | Class::Pointer)
                && !o.ty.quals.is_atomic;
            if !own || !plain || !self.facts.address_taken.contains(&object) {
                continue;
            }
            let name = self
                .name(object)
                .filter(|name| self.variables.contains(name));
            if let Some(name) = name {
                self.text(format!("{name} = 0;"), span, Vec::new());
            }
        }
    }
}
