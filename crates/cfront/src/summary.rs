//! Allocated memory with any content, for programs that allocate without a bound.
//!
//! One object stands for all memory that a call allocates. Pointers to it are exact as far as they are null or lead to it; what is
//! read from it is any value of its type (a pointer: null, or any object whose address may be there), what is written to it is
//! forgotten, and two pointers to it are equal or not. The rest of the program is as it was. So this program has all runs of the
//! other, and more: what holds on all of its runs holds. A violation on one of them says nothing.
//!
//! It rests on the points-to analysis ([`crate::Aliases`]): an lvalue that may lie in allocated memory is one of those, a pointer
//! that is stored there may be read from there. As everywhere, runs are followed until they do what C does not define: nothing is
//! accessed outside of what was allocated, or after it was freed.

mod bytes;
mod calls;
mod cells;
mod memory;
mod rewriting;

use std::collections::HashMap;

use crate::allocations::library_name;
use crate::flow::Flow;
use crate::parse::Unit;
use crate::settle;
use crate::source::Source;
use crate::span::{ExprId, FunctionId, Span};
use crate::tree::{BinaryOp, ExprKind, Parent, Resolved, Tree};
use crate::types::{Class, Type};
pub use memory::ANY;
use memory::{allocator, path, Heap, CELL, MEMORY};

/// What is made of a program that allocates memory.
pub enum Summary {
    /// It allocates none that this is about.
    Nothing,
    /// The program with more runs. Every line has its number.
    Program(Source),
    /// Why it is not followed, with the place.
    Refused(String),
}

/// The program in which allocated memory has any content. Memory that is allocated once is an object as it is for
/// [`settle::settled`]. `own` is the number of the program's own expressions, `flows` has the control flow of its functions; the
/// other expressions are those of specifications, which may not look into allocated memory.
pub fn summarised(unit: &Unit, flows: &HashMap<FunctionId, Flow>, own: usize) -> Summary {
    let tree = &unit.tree;
    if !tree
        .exprs
        .ids()
        .take(own)
        .any(|e| allocator(tree, e).is_some())
    {
        return Summary::Nothing;
    }
    let refused = |unit: &Unit, at: Span, why: String| {
        let place = unit.source.place(at);
        Summary::Refused(format!("{}:{}: {why}", place.file, place.line))
    };
    if let Some((at, why)) = obstacle(unit, own) {
        return refused(unit, at, why);
    }
    let settled = settle::settled_partly(unit, flows, own);
    let parsed = settled.and_then(|source| Unit::parse(source).ok());
    let unit = parsed.as_ref().unwrap_or(unit);
    match rewriting::rewritten(unit) {
        Ok(source) => Summary::Program(source),
        Err((e, why)) => refused(unit, unit.tree.exprs[e].span, why),
    }
}

/// What keeps a program from being followed, with its place.
fn obstacle(unit: &Unit, own: usize) -> Option<(Span, String)> {
    let tree = &unit.tree;
    let main = tree.function_named("main");
    if unit.parts.len() != 1 || main.is_none_or(|main| tree.functions[main].body.is_none()) {
        let why = "the program is not in one file with its `main`".to_owned();
        return Some((Span::empty(0), why));
    }
    let taken = unit.tokens.tokens.iter().find(|t| {
        let text = unit.text_of(t.span);
        [ANY, MEMORY, CELL].iter().any(|own| text.starts_with(own))
    });
    if let Some(token) = taken {
        return Some((
            token.span,
            "a name begins as those of allocated memory".to_owned(),
        ));
    }
    let operand = |(_, stmt): (_, &crate::tree::Stmt)| {
        let mut named = tree.named_by_assembler(stmt);
        named.find_map(|(o, at)| holds_pointer(tree, tree.objects[o].ty, 0).then_some(at))
    };
    if let Some(at) = tree.stmts.iter().find_map(operand) {
        return Some((at, "assembler gets a pointer".to_owned()));
    }
    let heap = Heap::of(tree);
    let found = tree.exprs.iter().find_map(|(id, expr)| {
        let why = match id {
            _ if expr.unevaluated => None,
            id if crate::span::Id::index(id) < own => of_program(tree, id),
            id => of_specification(&heap, id),
        };
        why.map(|why| (expr.span, why.to_owned()))
    });
    found
}

/// Why an expression of the program is not followed.
fn of_program(tree: &Tree, id: ExprId) -> Option<&'static str> {
    match &tree.exprs[id].kind {
        ExprKind::Ident(Resolved::Object(_)) => bytes::comes_from_elsewhere(tree, id)
            .then_some("a pointer comes from an object that is defined elsewhere"),
        ExprKind::Ident(Resolved::Function(f)) => {
            let called = match tree.exprs[id].parent {
                Parent::Expr(call) => {
                    matches!(tree.exprs[call].kind, ExprKind::Call { callee, .. } if callee == id)
                }
                _ => false,
            };
            let function = &tree.functions[*f];
            let name = crate::library::plain_name(&function.name);
            let about = name == "free" || crate::library::allocates(name);
            (!called && function.body.is_none() && about)
                .then_some("a function that allocates or frees memory is called through a pointer")
        }
        ExprKind::Call { .. } => {
            let name = library_name(tree, id)?;
            let allocates = crate::library::allocates(name) && allocator(tree, id).is_none();
            let jumps = crate::library::saves_place(name) || crate::library::starts_thread(name);
            match (allocates, jumps) {
                (true, _) => Some("a function allocates memory that is not followed"),
                (_, true) => Some("a place is saved to jump to, or a thread is started"),
                _ => None,
            }
        }
        ExprKind::Member { path, .. } => {
            let puns = path.iter().any(|(record, index)| {
                let record = &tree.types.records[*record];
                let member = record.members.as_ref().and_then(|all| all.get(*index));
                let pointer = |m: &crate::types::Member| holds_pointer(tree, m.ty, 0);
                record.is_union && member.is_none_or(pointer)
            });
            puns.then_some("a pointer is a member of a union")
        }
        _ => None,
    }
}

/// Whether values of a type are addresses.
fn is_pointer(tree: &Tree, ty: crate::types::QualType) -> bool {
    matches!(tree.types.class(ty), Class::Pointer | Class::Array)
}

/// Whether a type has parts that are pointers.
fn holds_pointer(tree: &Tree, ty: crate::types::QualType, depth: usize) -> bool {
    match tree.types.get(ty) {
        _ if depth > 50 => true,
        Type::Pointer(_) | Type::Unknown | Type::Vector(_) | Type::VaList => true,
        Type::Array(of, _) => holds_pointer(tree, *of, depth + 1),
        Type::Record(record) => match &tree.types.records[*record].members {
            Some(all) => all.iter().any(|m| holds_pointer(tree, m.ty, depth + 1)),
            None => true,
        },
        _ => false,
    }
}

/// Why an expression of a specification is not followed: the values of propositions must not depend on what is forgotten.
fn of_specification(heap: &Heap, id: ExprId) -> Option<&'static str> {
    let tree = heap.tree;
    let expr = &tree.exprs[id];
    let is_pointer = |e: ExprId| is_pointer(tree, tree.exprs[e].ty);
    match &expr.kind {
        ExprKind::Member { .. } | ExprKind::Index { .. } | ExprKind::Deref(_) => {
            match path(tree, id) {
                Ok(None) => None,
                Ok(Some(path)) if !heap.may_lead_there(path.base) => None,
                _ => Some("the formula reads allocated memory"),
            }
        }
        ExprKind::Call { .. } => Some("the formula calls a function"),
        ExprKind::Binary(op, left, right) => {
            let null = |e: ExprId| crate::consteval::is_null(tree, e);
            let both = is_pointer(*left) && is_pointer(*right) && !null(*left) && !null(*right);
            let moves = matches!(op, BinaryOp::Add | BinaryOp::Sub)
                && (is_pointer(*left) || is_pointer(*right));
            let about = heap.may_lead_there(*left) || heap.may_lead_there(*right);
            ((both || moves) && about)
                .then_some("the formula compares pointers to allocated memory")
        }
        ExprKind::Cast(of) => {
            let number = tree.types.is_integer(expr.ty) && is_pointer(*of);
            (number && heap.may_lead_there(*of))
                .then_some("the formula makes a number of a pointer to allocated memory")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
