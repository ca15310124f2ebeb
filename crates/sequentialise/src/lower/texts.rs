//! The text of a part of the program in an activation: objects and functions get their names in the
//! output, and loops that stay loops are cut at their bounds.

use std::collections::BTreeSet;

use cfront::span::ObjectId;
use cfront::tree::{ExprKind, Parent, Resolved, Storage};
use cfront::{Diagnostic, ExprId, FunctionId, Span};

use super::{bounds, memory, Lower};
use crate::facts::Facts;
use crate::options::Options;
use crate::print::{print, Patch};

impl Lower<'_, '_> {
    /// The text of a span in the current activation, with patches.
    pub(super) fn print(&mut self, span: Span, mut patches: Vec<Patch>) -> String {
        let facts = self.facts;
        for ident in facts.idents_in(span) {
            let expr = &facts.tree.exprs[ident];
            if self.options.turns() {
                if let Some(name) = crate::allocations::replaced(facts, self.options, ident) {
                    patches.push((expr.bare, name));
                    continue;
                }
            }
            match expr.kind {
                ExprKind::Ident(Resolved::Object(object)) => {
                    let parameter = facts.tree.objects[object].storage == Storage::Parameter;
                    let read = parameter.then(|| self.argument(ident, span)).flatten();
                    if let Some(read) = read {
                        patches.extend(read);
                        continue;
                    }
                    let name = self.named_outside(object, span);
                    patches.extend(name.map(|name| (expr.bare, name)));
                }
                ExprKind::Ident(Resolved::Function(function)) => {
                    if let Some(name) = replaced_function(facts, function) {
                        self.errors.extend(mentioned(facts, ident, name));
                        patches.push((expr.bare, name.to_string()));
                    } else if facts.tree.functions[function].body.is_some() {
                        self.out.kept.insert(function);
                    }
                }
                _ => {}
            }
        }
        if let Some(label) = facts.label_addresses_in(span).next() {
            let message = "the address of a label cannot be followed in a thread";
            self.refuse(facts.tree.exprs[label].span, message);
        }
        for (at, object) in facts.hidden_in(span) {
            let name = self.named_outside(object, span);
            patches.extend(name.map(|name| (at, name)));
        }
        if let Some(lost) = facts
            .local_types
            .mentioned_in(span)
            .find(|r| r.text.is_none())
        {
            let message = "this type is declared in a block and cannot be written outside of it";
            self.refuse(lost.at, message);
        }
        let known = |size: ExprId| self.value_of(size);
        let mut sizes = BTreeSet::new();
        let bounded = memory::bounded(facts, self.options, span, &known, &mut sizes);
        self.out.sizes.extend(sizes);
        self.out.bounds_memory |= !bounded.is_empty();
        patches.extend(bounded);
        if self.options.steps {
            // Sizes say nothing more where objects have names, and a mention is a read.
            let sizes = crate::allocations::sizes(facts, span);
            patches.extend(sizes.map(|at| (at, "0".to_owned())));
            let checks = crate::freed::checks(facts, span, &patches);
            patches.extend(checks);
        }
        self.count_calls(span);
        self.count_loops(span, &mut patches);
        print(facts, span, patches)
    }

    /// The patches of `argv[i]` in step form, where the arguments of the command line have no memory: each one but the null
    /// behind the last is a place that cannot be read.
    fn argument(&self, ident: ExprId, span: Span) -> Option<[Patch; 2]> {
        let all = crate::arguments::reads(self.facts)?;
        let read = all.iter().find(|read| read.name == ident)?;
        let exprs = &self.facts.tree.exprs;
        let (whole, index) = (exprs[read.whole].span, exprs[read.index].span);
        span.encloses(whole).then(|| {
            let begin = Span::new(exprs[ident].bare.start, index.start);
            let end = Span::new(index.end, whole.end);
            [
                (begin, format!("{}(", crate::arguments::READ)),
                (end, ")".to_owned()),
            ]
        })
    }

    /// The name of an object in a text that is executed here; `None` if it keeps its own name.
    fn named_outside(&mut self, object: ObjectId, text: Span) -> Option<String> {
        let o = &self.facts.tree.objects[object];
        match o.storage {
            Storage::Local if text.encloses(o.name_span) => None,
            Storage::Local | Storage::Parameter => Some(self.variable(object)),
            _ => self.use_static(object),
        }
    }

    /// Counts the calls in a text that is executed here, for the memory that they allocate.
    fn count_calls(&mut self, span: Span) {
        // A loop that is not unrolled may execute a call many times.
        let cycles = self.options.turns();
        let several = cycles || self.facts.loops_in(span).next().is_some();
        let calls: Vec<ExprId> = self.facts.calls_in(span).collect();
        for call in calls {
            *self.out.made.entry(call).or_default() += if several { 2 } else { 1 };
            for target in self.facts.targets(call) {
                for function in self.facts.graph.reachable(target) {
                    if let Some(body) = &self.facts.tree.functions[function].body {
                        for inner in self.facts.calls_in(body.span) {
                            *self.out.made.entry(inner).or_default() += 2;
                        }
                    }
                }
            }
        }
    }

    /// Adds patches that cut loops that stay loops at their bounds.
    fn count_loops(&mut self, span: Span, patches: &mut Vec<Patch>) {
        if self.options.steps {
            return;
        }
        let loops: Vec<_> = self.facts.loops_in(span).collect();
        for stmt in loops {
            if span.encloses(self.facts.tree.stmts[stmt].span) {
                let suspends = self.env.atomic == 0;
                if bounds::is_followed(self.facts, stmt, self.env.alone) {
                    self.out.goes_further |= bounds::is_long(self.facts, self.options, stmt);
                } else {
                    bounds::counted(self.facts, self.options, stmt, suspends, patches);
                }
            }
        }
    }
}

/// The function that says where a thread has its `errno`.
pub(crate) const ERRNO: &str = "__errno_location";

/// The replacement of a library function in kept text.
pub(crate) fn replaced_function(facts: &Facts, function: FunctionId) -> Option<&'static str> {
    let f = &facts.tree.functions[function];
    if f.body.is_some() {
        return None;
    }
    Some(match f.name.as_str() {
        "exit" | "_exit" | "_Exit" | "quick_exit" => "ba_seq_exit",
        "abort" => "ba_seq_abort",
        "pthread_self" | "thrd_current" => "ba_seq_self",
        "pthread_equal" | "thrd_equal" => "ba_seq_equal",
        "pthread_setspecific" | "tss_set" => "ba_seq_setspecific",
        "pthread_getspecific" | "tss_get" => "ba_seq_getspecific",
        ERRNO => "ba_seq_errno_location",
        "__VERIFIER_assume" => "ba_seq_assume",
        "__VERIFIER_atomic_begin"
        | "__VERIFIER_atomic_end"
        | "__CPROVER_atomic_begin"
        | "__CPROVER_atomic_end"
        | "__ESBMC_atomic_begin"
        | "__ESBMC_atomic_end"
        | "sched_yield"
        | "pthread_yield"
        | "thrd_yield" => "ba_seq_nothing",
        name => match crate::library::is_nothing(name) {
            true => "ba_seq_nothing",
            false => return None,
        },
    })
}

/// Replacements that are functions; the others are macros with parameters.
const FUNCTIONS: [&str; 3] = [
    "ba_seq_setspecific",
    "ba_seq_getspecific",
    "ba_seq_errno_location",
];

/// The error for a mention of a replaced function that is no call of it.
pub(crate) fn mentioned(facts: &Facts, ident: ExprId, replacement: &str) -> Option<Diagnostic> {
    let tree = facts.tree;
    let ExprKind::Ident(Resolved::Function(function)) = tree.exprs[ident].kind else {
        return None;
    };
    let called = match tree.exprs[ident].parent {
        Parent::Expr(around) => {
            matches!(tree.exprs[around].kind, ExprKind::Call { callee, .. } if callee == ident)
        }
        _ => false,
    };
    if called || FUNCTIONS.contains(&replacement) {
        return None;
    }
    let span = tree.exprs[ident].bare;
    let message = format!(
        "the address of `{}` is taken here: a call through a pointer cannot be followed in a program whose threads take turns",
        tree.functions[function].name
    );
    Some(
        Diagnostic::error(span, message)
            .help("take the address of a function of the program that calls it"),
    )
}

/// The patches that cut the loops of a kept function at their bounds.
pub(crate) fn counted_in_function(facts: &Facts, options: &Options, span: Span) -> Vec<Patch> {
    let mut patches = Vec::new();
    if options.steps {
        return patches;
    }
    for stmt in facts.loops_in(span) {
        if !bounds::is_short(facts, stmt) {
            bounds::counted(facts, options, stmt, false, &mut patches);
        }
    }
    patches
}

/// The patches that give allocations in a kept function constant sizes.
pub(crate) fn bounded_in_function(
    facts: &Facts,
    options: &Options,
    span: Span,
    sizes: &mut BTreeSet<u64>,
) -> Vec<Patch> {
    memory::bounded(facts, options, span, &|_| None, sizes)
}
