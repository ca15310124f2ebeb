//! Allocations of variable size get a constant size instead, because model checkers handle memory
//! of unknown size by a separate theory, which is far slower. Runs that need more memory are left
//! out, like those after a bound. Where bounds are checked, each of a few sizes is an allocation of
//! its own.

use std::collections::BTreeSet;

use cfront::allocations::{allocated, allocated_several, Allocated};
use cfront::consteval;
use cfront::tree::{BinaryOp, ExprKind, Tree};
use cfront::{ExprId, Span};

use crate::facts::Facts;
use crate::library::name_of;
use crate::options::Options;
use crate::print::Patch;
use crate::rooms;

/// The least number of elements of an array whose length no constant bounds.
const LEAST: u64 = 4;

/// The greatest number of elements that constants of the program may ask for.
const ASKED: u64 = 1024;

/// The greatest number of elements with exact sizes.
const SIZES: u64 = 16;

/// The number of elements that replaces a variable size.
pub(super) fn room(facts: &Facts, options: &Options, size: ExprId) -> u64 {
    if options.wide_memory {
        return rooms::MOST;
    }
    let found = facts.rooms.most(facts.tree, size);
    // Longer loops are cut anyway.
    let any = u64::from(options.unwind).clamp(LEAST, rooms::MOST);
    match found.open {
        true => found.most.max(any).min(rooms::MOST),
        false if found.most > ASKED => any,
        false => found.most.max(1),
    }
}

/// The greatest number of elements of memory of variable size in step form.
const ELEMENTS: u64 = 16;

/// What a call allocates where objects have names. Memory of variable size has room in step form for as many elements as the
/// program's constants suggest, and a run that needs more ends.
pub(crate) fn made(facts: &Facts, options: &Options, call: ExprId) -> Option<Allocated> {
    let several = || {
        let (ty, count) = allocated_several(facts.tree, call).filter(|_| options.steps)?;
        let room = room(facts, options, count);
        (room <= ELEMENTS).then_some(Allocated {
            ty,
            elements: Some(room),
        })
    };
    allocated(facts.tree, call).or_else(several)
}

/// An allocation whose size is not constant.
struct Open {
    /// The called function.
    callee: ExprId,
    /// Its name.
    name: &'static str,
    /// The variable terms and factors of its size.
    parts: Vec<ExprId>,
    /// Whether the size is a constant times a single part.
    is_product: bool,
}

/// The functions that allocate, with the index of their size argument.
const ALLOCATE: [(&str, usize); 4] = [
    ("malloc", 0),
    ("calloc", 0),
    ("realloc", 1),
    ("aligned_alloc", 1),
];

fn open_size(facts: &Facts, call: ExprId) -> Option<Open> {
    let tree = facts.tree;
    let ExprKind::Call { args, callee, .. } = &tree.exprs[call].kind else {
        return None;
    };
    let called = name_of(tree, call)?;
    let (name, at) = ALLOCATE.into_iter().find(|(name, _)| *name == called)?;
    let library = facts
        .called(call)
        .is_none_or(|f| tree.functions[f].body.is_none());
    let size = args.get(at).copied().filter(|_| library)?;
    let mut open = Open {
        callee: *callee,
        name,
        parts: Vec::new(),
        is_product: true,
    };
    open.collect(facts, size);
    open.is_product &= open.parts.len() == 1;
    (!open.parts.is_empty()).then_some(open)
}

impl Open {
    fn collect(&mut self, facts: &Facts, size: ExprId) {
        let tree = facts.tree;
        if is_constant(facts, size) {
            return;
        }
        match tree.exprs[size].kind {
            ExprKind::Cast(of) if inner(tree, of) => self.collect(facts, of),
            ExprKind::Binary(op @ (BinaryOp::Mul | BinaryOp::Add), a, b) => {
                self.is_product &= op == BinaryOp::Mul;
                self.collect(facts, a);
                self.collect(facts, b);
            }
            _ => self.parts.push(size),
        }
    }
}

/// Whether an expression is a sum or a product.
fn inner(tree: &Tree, e: ExprId) -> bool {
    matches!(
        tree.exprs[tree.uncast(e)].kind,
        ExprKind::Binary(BinaryOp::Mul | BinaryOp::Add, ..)
    )
}

/// Whether an expression is constant; one without objects and calls is, even if its value is not
/// known here.
fn is_constant(facts: &Facts, e: ExprId) -> bool {
    let tree = facts.tree;
    let span = tree.exprs[e].span;
    let evaluated = |i: &ExprId| !tree.exprs[*i].unevaluated;
    let names_nothing =
        !facts.idents_in(span).any(|i| evaluated(&i)) && facts.calls_in(span).next().is_none();
    let value = || consteval::eval_where(tree, e, &|o| facts.constants.get(&o).copied());
    names_nothing || value().is_some()
}

/// The patches that give constant sizes to allocations in a part of the text, or around it. `known`
/// returns the value of a size, if it is known; `sizes` collects the functions that the patches
/// call.
pub(crate) fn bounded(
    facts: &Facts,
    options: &Options,
    span: Span,
    known: &dyn Fn(ExprId) -> Option<i128>,
    sizes: &mut BTreeSet<u64>,
) -> Vec<Patch> {
    let mut patches = Vec::new();
    for call in facts.calls_around(span) {
        let Some(open) = open_size(facts, call) else {
            continue;
        };
        if options.steps && made(facts, options, call).is_some() {
            continue;
        }
        let callee = facts.tree.exprs[open.callee].bare;
        for &part in &open.parts {
            let at = facts.tree.exprs[part].span;
            if !span.encloses(at) {
                continue;
            }
            let mut around = |before: String, after: String| {
                patches.push((Span::empty(at.start), before));
                patches.push((Span::empty(at.end), after));
            };
            let most = room(facts, options, part);
            if let Some(value) = known(part).and_then(|v| u64::try_from(v).ok()) {
                around("((void)(".to_string(), format!("), {value}ul)"));
            } else if !options.exact_memory {
                around(
                    "ba_seq_few((unsigned long)(".to_string(),
                    format!("), {most})"),
                );
            } else if open.is_product && most <= SIZES && tells_sizes(&open, span, callee) {
                around(
                    "(ba_seq_size = (unsigned long)(".to_string(),
                    "), 1ul)".to_string(),
                );
                patches.push((callee, format!("ba_seq_{}_{most}", open.name)));
                sizes.insert(most);
            }
        }
    }
    patches
}

/// Whether an allocation may be replaced by one of several exact sizes.
fn tells_sizes(open: &Open, span: Span, callee: Span) -> bool {
    matches!(open.name, "malloc" | "calloc") && span.encloses(callee)
}

/// The functions that allocate `ba_seq_size` elements, up to the given numbers.
pub(crate) fn functions(sizes: &BTreeSet<u64>) -> String {
    let mut out = String::new();
    if sizes.is_empty() {
        return out;
    }
    out.push_str("static unsigned long ba_seq_size;\nvoid *malloc(__typeof__(sizeof 0)); void *calloc(__typeof__(sizeof 0), __typeof__(sizeof 0));\n");
    for most in sizes {
        let each = |made: &dyn Fn(u64) -> String| {
            let sizes = (0..*most).map(|k| format!("if (ba_seq_size == {k}) return {}; ", made(k)));
            let sizes: String = sizes.collect();
            format!(
                "ba_seq_no_more(ba_seq_size, {most}); {sizes}return {};",
                made(*most)
            )
        };
        let malloc = each(&|k| format!("malloc({k} * of)"));
        let calloc = each(&|k| format!("calloc({k}, of)"));
        out.push_str(&format!(
            "static void *ba_seq_malloc_{most}(unsigned long of) {{ {malloc} }}\nstatic void *ba_seq_calloc_{most}(unsigned long one, unsigned long of) {{ {calloc} }}\n"
        ));
    }
    out
}
