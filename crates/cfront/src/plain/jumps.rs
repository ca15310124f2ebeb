//! Jumps to computed addresses of labels: the address of a label is that of an object which stands for it, and a jump
//! compares its target with each.

use std::collections::{BTreeMap, BTreeSet};

use crate::parse::Unit;
use crate::rewriting::{Names, Text};
use crate::source::Source;
use crate::span::{ExprId, FunctionId, Span, StmtId};
use crate::tree::{BinaryOp, ExprKind, Label, Parent, StmtKind, Tree};
use crate::types::{ArrayLen, Class, Type};

/// The jumps of a function, and the labels whose addresses it takes.
#[derive(Default)]
struct Jumps {
    gotos: Vec<(StmtId, ExprId)>,
    addresses: Vec<(ExprId, String)>,
}

pub(super) fn followed(unit: &Unit) -> Option<Vec<Source>> {
    let tree = &unit.tree;
    let mut all: BTreeMap<FunctionId, Jumps> = BTreeMap::new();
    for (id, stmt) in tree.stmts.iter() {
        if let (StmtKind::GotoComputed(e), Some(f)) = (&stmt.kind, stmt.function) {
            all.entry(f).or_default().gotos.push((id, *e));
        }
    }
    if all.is_empty() {
        return None;
    }
    for (id, expr) in tree.exprs.iter() {
        let ExprKind::LabelAddress(label) = &expr.kind else {
            continue;
        };
        let function = tree.function_of(expr.parent);
        if let Some(jumps) = function.and_then(|f| all.get_mut(&f)) {
            jumps.addresses.push((id, label.clone()));
        }
    }
    let names = Names::of(unit);
    let (target, mut text) = (names.free("label_of_jump"), Text::of(unit));
    for (function, jumps) in &all {
        let labels: BTreeSet<&String> = jumps.addresses.iter().map(|(_, label)| label).collect();
        if labels.is_empty() || !can_follow(unit, *function, jumps) {
            continue;
        }
        let labels: Vec<&String> = labels.into_iter().collect();
        let table = names.free(&format!("labels_of_{}", tree.functions[*function].name));
        for (e, label) in &jumps.addresses {
            let number = labels.binary_search(&label).unwrap_or_default();
            let declared = format!("static const char {table}[{}] = {{0}}; ", labels.len());
            text.declare_before(*e, &table, &declared);
            text.replace(
                tree.exprs[*e].span,
                &format!("((void *)&{table}[{number}])"),
            );
        }
        for (stmt, e) in &jumps.gotos {
            let (stmt, value) = (tree.stmts[*stmt].span, tree.exprs[*e].span);
            let keyword = Span {
                start: stmt.start,
                end: value.start,
            };
            text.replace(keyword, &format!("{{ const void *{target} = "));
            text.close(stmt, &dispatch(&target, &table, &labels));
        }
    }
    text.changed()
}

/// The jumps behind the target of a computed one. A target is the address of one of the labels.
fn dispatch(target: &str, table: &str, labels: &[&String]) -> String {
    let mut out = String::new();
    for (number, label) in labels.iter().enumerate() {
        match number + 1 < labels.len() {
            true => out += &format!(" if ({target} == &{table}[{number}]) goto {label};"),
            false => out += &format!(" goto {label}; }}"),
        }
    }
    out
}

/// Whether the addresses of a function's labels are only kept, compared and jumped to, and each jump may go to each label.
fn can_follow(unit: &Unit, function: FunctionId, jumps: &Jumps) -> bool {
    let tree = &unit.tree;
    let Some(body) = &tree.functions[function].body else {
        return false;
    };
    let local_labels = unit.tokens.tokens[unit.tokens.at_or_after(body.span.start)..]
        .iter()
        .take_while(|t| t.span.start < body.span.end)
        .any(|t| unit.text_of(t.span) == "__label__");
    let of_variable_length = tree.objects.iter().any(|(_, object)| {
        object.function == Some(function) && has_variable_length(tree, object.ty)
    });
    let labels: BTreeSet<&String> = jumps.addresses.iter().map(|(_, label)| label).collect();
    let reachable = tree.stmts.iter().all(|(id, stmt)| match &stmt.kind {
        StmtKind::Labeled { label, .. } if stmt.function == Some(function) => {
            let is_taken = matches!(label, Label::Named(name) if labels.contains(name));
            !is_taken || !is_within_expression(tree, id)
        }
        _ => true,
    });
    let is_kept = |(e, _): &(ExprId, String)| keeps(tree, *e);
    let computes = |(stmt, e): &(StmtId, ExprId)| {
        let text = unit.text_of(tree.stmts[*stmt].span);
        text.starts_with("goto") && !has_arithmetic(tree, *e)
    };
    !local_labels
        && !of_variable_length
        && reachable
        && jumps.addresses.iter().all(is_kept)
        && jumps.gotos.iter().all(computes)
}

fn has_variable_length(tree: &Tree, ty: crate::types::QualType) -> bool {
    match tree.types.get(ty) {
        Type::Array(of, len) => *len == ArrayLen::Variable || has_variable_length(tree, *of),
        Type::Pointer(of) => has_variable_length(tree, *of),
        _ => false,
    }
}

/// Whether a statement stands in a statement expression.
fn is_within_expression(tree: &Tree, mut id: StmtId) -> bool {
    loop {
        match tree.stmts[id].parent {
            Parent::Stmt(around) => id = around,
            Parent::Function(_) => return false,
            _ => return true,
        }
    }
}

/// Whether the address of a label goes into an object, a comparison or a jump as it is.
fn keeps(tree: &Tree, mut e: ExprId) -> bool {
    loop {
        let parent = match tree.exprs[e].parent {
            Parent::Expr(parent) => parent,
            Parent::Init(_) | Parent::Declarator(..) | Parent::Stmt(_) => return true,
            _ => return false,
        };
        match &tree.exprs[parent].kind {
            ExprKind::Cast(_) if tree.types.class(tree.exprs[parent].ty) == Class::Pointer => {
                e = parent;
            }
            ExprKind::Conditional { cond, .. } if *cond != e => e = parent,
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } => {
                let into = tree.types.class(tree.exprs[*lhs].ty);
                return *rhs == e && into == Class::Pointer;
            }
            ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, ..) => return true,
            _ => return false,
        }
    }
}

/// Whether the target of a jump is computed from an address.
fn has_arithmetic(tree: &Tree, e: ExprId) -> bool {
    let expr = &tree.exprs[e];
    match &expr.kind {
        ExprKind::Binary(..) | ExprKind::Assign { op: Some(_), .. } => true,
        ExprKind::Cast(inner) => {
            let of = tree.types.class(tree.exprs[*inner].ty);
            !matches!(of, Class::Pointer | Class::Array) || has_arithmetic(tree, *inner)
        }
        ExprKind::Conditional {
            then, otherwise, ..
        } => {
            let arms = [*then, Some(*otherwise)];
            arms.into_iter()
                .flatten()
                .any(|arm| has_arithmetic(tree, arm))
        }
        ExprKind::Comma(list) => list.last().is_some_and(|e| has_arithmetic(tree, *e)),
        _ => false,
    }
}
