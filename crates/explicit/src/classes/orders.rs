//! The program with inputs of which only the order matters ([`crate::flows::Order`]): the calls that tell the search where such values are
//! kept at a head, and the tables from which it chooses them.

use std::fmt::Write as _;

use cfront::span::{ExprId, StmtId};
use cfront::tree::{BlockItem, Parent, StmtKind, Tree};

use super::poison::Insertions;
use super::{list, Obstacle, Source};
use crate::flows::{calls_of, Order};
use crate::text::{ARRIVES, HEAD};

/// The C name of a type of the program.
fn named((bits, signed): (u32, bool)) -> String {
    let ty = match bits {
        0..=16 => "short",
        17..=32 => "int",
        _ => "long long",
    };
    let sign = if signed { "" } else { "unsigned " };
    format!("{sign}{ty}")
}

/// The calls of a function that are evaluated.
fn calls<'t>(tree: &'t Tree, name: &str) -> impl Iterator<Item = ExprId> + 't {
    let all = tree.function_named(name).into_iter();
    let calls = all.flat_map(|function| calls_of(tree, function));
    calls.filter(|call| !tree.exprs[*call].unevaluated)
}

/// Whether each head is in `main`, which nothing calls: no frame of a caller has values that the search would have to change.
pub(super) fn are_followed(tree: &Tree) -> bool {
    let main = tree.function_named("main");
    let in_main = |call| main.is_some() && tree.function_of(Parent::Expr(call)) == main;
    calls(tree, ARRIVES).all(in_main) && calls(tree, "main").next().is_none()
}

/// Whether an input may be any value of its type, and no other call has its site.
pub(super) fn is_free(sources: &[Source], call: ExprId) -> bool {
    let Some(source) = sources.iter().find(|s| s.of == call) else {
        return false;
    };
    let mut same = sources.iter().filter(|s| s.site == source.site);
    let alone = same.next().is_some() && same.next().is_none();
    alone && source.of == source.call && source.own.is_none() && source.within.is_none()
}

/// The calls at heads: each place is told, then the state is recorded with other values in these places.
pub(super) fn insertions(tree: &Tree, orders: &[Order]) -> Insertions {
    let mut out = Insertions::default();
    if orders.is_empty() {
        return out;
    }
    for (number, order) in orders.iter().enumerate() {
        let before = format!("(*({} *)ba_x_cell({number}, (void *)&(", named(order.kind));
        for e in &order.recorded {
            out.around(tree.exprs[*e].span, true, &before, ")))");
        }
    }
    for (begins, ends) in calls(tree, HEAD).filter_map(|call| recording(tree, call)) {
        out.between(begins, " do {".to_owned());
        out.between(ends, "} while (ba_x_again()); ".to_owned());
    }
    out
}

/// Where the text begins and ends that records the state at a head whose step ends with this call.
fn recording(tree: &Tree, call: ExprId) -> Option<(usize, usize)> {
    let stmt = tree.statement_of(Parent::Expr(call))?;
    let Parent::Stmt(block) = tree.stmts[stmt].parent else {
        return None;
    };
    let StmtKind::Compound { items, .. } = &tree.stmts[block].kind else {
        return None;
    };
    let first = match items.first()? {
        BlockItem::Stmt(first) => tree.stmts[*first].span.start,
        BlockItem::Decl(first) => tree.decls[*first].span.start,
    };
    Some((first, start(tree, stmt)))
}

fn start(tree: &Tree, stmt: StmtId) -> usize {
    tree.stmts[stmt].span.start
}

/// What the calls need, in front of the text.
pub(super) fn declarations(orders: &[Order]) -> &'static str {
    match orders.is_empty() {
        true => "",
        false => "void *ba_x_cell(unsigned, void *);\nint ba_x_again(void);\n",
    }
}

/// The C tables of the sets, and of the values that were met in a step, which are a part of the program's memory.
pub(super) fn tables(orders: &[Order]) -> String {
    let mut out = String::from(
        "struct ba_x_known { unsigned count; long long values[64]; };\n\
         struct ba_x_order { const long long *constants; unsigned count, bytes; int is_signed; struct ba_x_known *known; };\n",
    );
    let mut rows = String::new();
    for (number, order) in orders.iter().enumerate() {
        let constants: Vec<i128> = order.constants.iter().copied().collect();
        let (bits, signed) = order.kind;
        let _ = writeln!(
            out,
            "static const long long ba_x_bounds_{number}[] = {{ {} }};\nstatic struct ba_x_known ba_x_known_{number};",
            list(&[constants.as_slice(), &[0]].concat())
        );
        let _ = write!(
            rows,
            "{{ ba_x_bounds_{number}, {}, {}, {}, &ba_x_known_{number} }}, ",
            constants.len(),
            bits / 8,
            u8::from(signed)
        );
    }
    let _ = writeln!(
        out,
        "const struct ba_x_order ba_x_orders[] = {{ {rows}{{ 0, 0, 0, 0, 0 }} }};\nconst unsigned ba_x_order_count = {};",
        orders.len()
    );
    out
}

impl Order {
    /// Why the search cannot follow it after all.
    pub(super) fn obstacle(&self, tree: &Tree) -> Obstacle {
        let first = self.sources.first();
        Obstacle {
            message: "the search of all states follows the order of values only where no local is read before it has a value".into(),
            at: first.map_or(0, |e| tree.exprs[*e].span.start),
        }
    }
}
