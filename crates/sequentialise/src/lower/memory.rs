//! Allocations of variable size get their greatest size instead, because model checkers handle
//! memory of unknown size by a separate theory, which is far slower. Runs that need more memory are
//! left out, like those after a bound.

use cfront::consteval;
use cfront::tree::{BinaryOp, ExprKind, Tree};
use cfront::{ExprId, Span};

use crate::facts::Facts;
use crate::library::name_of;
use crate::options::Options;
use crate::print::Patch;

/// The number of elements of an array of variable size.
pub(super) const MOST: u64 = 64;

/// The number of bytes of other memory of variable size.
const MOST_BYTES: u64 = 256;

/// The variable part of an allocation's size, and its greatest value.
fn open_size(facts: &Facts, call: ExprId) -> Option<(ExprId, u64)> {
    let tree = facts.tree;
    let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
        return None;
    };
    let name = name_of(tree, call)?;
    let library = facts
        .called(call)
        .is_none_or(|f| tree.functions[f].body.is_none());
    let size = args.first().copied().filter(|_| library)?;
    // An expression without objects and calls is constant, even if its value is not known here.
    let names_nothing = |e: ExprId| {
        let span = tree.exprs[e].span;
        let evaluated = |i: &ExprId| !tree.exprs[*i].unevaluated;
        !facts.idents_in(span).any(|i| evaluated(&i)) && facts.calls_in(span).next().is_none()
    };
    let value = |e: ExprId| consteval::eval_where(tree, e, &|o| facts.constants.get(&o).copied());
    let constant = |e: ExprId| names_nothing(e) || value(e).is_some();
    match name {
        _ if constant(size) => None,
        "calloc" => Some((size, MOST)),
        "malloc" => Some(match factors(tree, size) {
            Some((a, b)) if constant(a) => (b, MOST),
            Some((a, b)) if constant(b) => (a, MOST),
            _ => (size, MOST_BYTES),
        }),
        _ => None,
    }
}

fn factors(tree: &Tree, mut e: ExprId) -> Option<(ExprId, ExprId)> {
    while let ExprKind::Cast(of) = tree.exprs[e].kind {
        e = of;
    }
    match tree.exprs[e].kind {
        ExprKind::Binary(BinaryOp::Mul, a, b) => Some((a, b)),
        _ => None,
    }
}

/// The patches that give constant sizes to allocations in a part of the text, or around it; sizes
/// in `known` need none.
pub(crate) fn bounded(
    facts: &Facts,
    options: &Options,
    span: Span,
    known: &dyn Fn(ExprId) -> bool,
) -> Vec<Patch> {
    if options.exact_memory {
        return Vec::new();
    }
    let sizes = facts.calls_around(span).filter_map(|call| {
        let (size, most) = open_size(facts, call)?;
        let at = facts.tree.exprs[size].span;
        (span.encloses(at) && !known(size)).then_some((at, most))
    });
    let patches = sizes.flat_map(|(at, most)| {
        let open = "ba_seq_few((unsigned long)(".to_string();
        let close = format!("), {most})");
        [(Span::empty(at.start), open), (Span::empty(at.end), close)]
    });
    patches.collect()
}
