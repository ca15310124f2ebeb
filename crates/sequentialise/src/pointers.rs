//! Pointers to memory that is freed: through which the program may access it, and where they may be.

use std::collections::BTreeSet;

use cfront::alias::Locations;
use cfront::allocations::{allocated, allocated_several, gives_back, library_name};
use cfront::memory_model::{LOST, PREFIX};
use cfront::tree::{BinaryOp, Entity, ExprKind, Parent, Resolved, Tree};
use cfront::types::{ArrayLen, QualType, Type};
use cfront::{consteval, Aliases, ExprId, Memory};

use crate::lasso::MOST_ELEMENTS;
use crate::library;
use crate::models;
use crate::synctypes;

/// The pointers through which the program may access memory that it frees; `None` if it frees none, or if
/// pointers to it may be where no pointers are looked for.
pub(crate) fn followed(tree: &Tree, aliases: &Aliases) -> Option<Vec<ExprId>> {
    let evaluated = || tree.exprs.iter().filter(|(_, e)| !e.unevaluated);
    let frees = evaluated().any(|(id, _)| gives_back(tree, id));
    if !frees || evaluated().any(|(id, _)| hides(tree, aliases, id)) {
        return None;
    }
    let pointer = |(id, e): (ExprId, &cfront::tree::Expr)| {
        let base = match e.kind {
            ExprKind::Deref(of) => of,
            ExprKind::Index { base, .. }
            | ExprKind::Member {
                base, arrow: true, ..
            } => base,
            _ => return None,
        };
        let is_pointer = matches!(tree.types.get(tree.exprs[base].ty), Type::Pointer(_));
        let designated = aliases.designated(id);
        let there = designated.anything || leads_to_heap(tree, aliases, base);
        (is_pointer && there).then_some(base)
    };
    Some(evaluated().filter_map(pointer).collect())
}

/// Whether the program may see that the place of a freed object was given out again: it compares pointers to what is allocated.
pub(crate) fn compared(tree: &Tree, aliases: &Aliases) -> Compared {
    let mut found = Compared::Never;
    for (id, expr) in tree.exprs.iter().filter(|(_, e)| !e.unevaluated) {
        let one = match &expr.kind {
            ExprKind::Binary(op, left, right) if compares(*op) => {
                of_operands(tree, aliases, [*left, *right])
            }
            ExprKind::Call { .. } => match library_name(tree, id) {
                Some(name) if name.contains("compare") => Compared::Alike,
                Some("memcmp" | "bcmp") => Compared::Mixed,
                _ => Compared::Never,
            },
            _ => Compared::Never,
        };
        found = found.max(one);
    }
    match found {
        // The model of a weak memory compares numbers.
        Compared::Never if has_model(tree) => Compared::Alike,
        found => found,
    }
}

/// Which pointers to allocated memory a program compares with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Compared {
    /// None.
    Never,
    /// Those to objects of one type.
    Alike,
    /// Those to objects of any type.
    Mixed,
}

fn of_operands(tree: &Tree, aliases: &Aliases, both: [ExprId; 2]) -> Compared {
    let pointer = |&e: &ExprId| matches!(tree.types.get(tree.exprs[e].ty), Type::Pointer(_));
    if !both.iter().all(pointer) {
        return Compared::Never;
    }
    let to = both.map(|e| aliases.pointed_to(e));
    let [left, right] = to.each_ref().map(|to| {
        let made = aliases.memory(to).into_iter().filter_map(|m| match m {
            Memory::Made(call) => element(tree, call).map(|ty| ty.ty),
            Memory::Object(_) => None,
        });
        made.collect::<BTreeSet<_>>()
    });
    let leads = |to: &Locations, made: &BTreeSet<_>| to.anything || !made.is_empty();
    let anything = to.iter().any(|to| to.anything);
    match leads(&to[0], &left) && leads(&to[1], &right) {
        false => Compared::Never,
        true if !anything && left.len() == 1 && left == right => Compared::Alike,
        true => Compared::Mixed,
    }
}

/// Whether the result depends on the order or the equality of both operands.
fn compares(op: BinaryOp) -> bool {
    op.is_boolean() && !matches!(op, BinaryOp::And | BinaryOp::Or)
}

/// Whether a pointer may lead to what a call allocates.
fn leads_to_heap(tree: &Tree, aliases: &Aliases, pointer: ExprId) -> bool {
    let to = aliases.pointed_to(pointer);
    let made = |m: &Memory| matches!(m, Memory::Made(call) if element(tree, *call).is_some());
    aliases.memory(&to).iter().any(made)
}

/// The type of the objects, or elements, that a call allocates, if its size says so.
fn element(tree: &Tree, call: ExprId) -> Option<QualType> {
    // The arguments of `main` are memory that no call makes.
    tree.exprs.get(call)?;
    let one = allocated(tree, call).map(|made| made.ty);
    one.or_else(|| allocated_several(tree, call).map(|(ty, _)| ty))
}

/// Whether an expression puts a pointer to allocated memory where none is looked for: into an integer, or into
/// memory without pointers.
fn hides(tree: &Tree, aliases: &Aliases, id: ExprId) -> bool {
    match &tree.exprs[id].kind {
        ExprKind::Cast(of) => {
            let from = matches!(tree.types.get(tree.exprs[*of].ty), Type::Pointer(_));
            let to = matches!(tree.types.get(tree.exprs[id].ty), Type::Int(_));
            let is_kept = !is_remembered(tree, id) && !is_compared(tree, id, *of);
            from && to && is_kept && leads_to_heap(tree, aliases, *of)
        }
        ExprKind::Call { args, .. } => {
            let copies = matches!(library_name(tree, id), Some("memcpy" | "memmove"));
            let holds = |arg: &ExprId| holds_pointers(tree, aliases, *arg);
            copies && args.len() > 1 && holds(&args[1]) && !holds(&args[0])
        }
        _ => false,
    }
}

/// Whether the place of an access, as a number, is only compared with that of another one: races are watched so.
fn is_compared(tree: &Tree, number: ExprId, place: ExprId) -> bool {
    let watched = match tree.exprs[place].kind {
        ExprKind::Ident(Resolved::Object(o)) => tree.objects[o].name.starts_with(models::WATCHED),
        _ => false,
    };
    let mut at = number;
    while let (true, Parent::Expr(around)) = (watched, tree.exprs[at].parent) {
        match tree.exprs[around].kind {
            ExprKind::Binary(BinaryOp::Add, ..) => at = around,
            ExprKind::Binary(op, ..) => return compares(op),
            _ => return false,
        }
    }
    false
}

/// Whether a value goes to the model of a weak memory, which keeps it as a number where [`remembered`] finds it, or is used within a
/// function of the model, which keeps no other.
fn is_remembered(tree: &Tree, value: ExprId) -> bool {
    let is_model = |name: &str| name.contains(PREFIX);
    let given = match tree.exprs[value].parent {
        Parent::Expr(call) => library::name_of(tree, call).is_some_and(is_model),
        _ => false,
    };
    let within = || {
        let mut at = tree.exprs[value].parent;
        while let Parent::Expr(around) = at {
            at = tree.exprs[around].parent;
        }
        let Parent::Stmt(stmt) = at else {
            return false;
        };
        let function = tree.stmts[stmt].function;
        function.is_some_and(|f| is_model(&tree.functions[f].name))
    };
    has_model(tree) && (given || within())
}

fn has_model(tree: &Tree) -> bool {
    let lost = tree.lookup(tree.file_scope(), usize::MAX, LOST);
    matches!(lost, Some(Entity::Object(_)))
}

/// The values that the model of a weak memory keeps in one of its variables of this name and type, which may be pointers.
pub(crate) fn remembered(tree: &Tree, name: &str, ty: QualType) -> Vec<String> {
    let mut ways = Vec::new();
    if name.contains(PREFIX) && has_model(tree) {
        values(tree, ty, name.to_owned(), &mut ways);
    }
    ways
}

fn values(tree: &Tree, ty: QualType, way: String, ways: &mut Vec<String>) {
    match tree.types.get(ty) {
        Type::Array(of, ArrayLen::Known(n)) => {
            for i in 0..*n {
                values(tree, *of, format!("{way}[{i}]"), ways);
            }
        }
        Type::Record(record) => {
            let members = tree.types.records[*record].members.iter().flatten();
            for member in members.filter(|m| m.name.as_deref() == Some("value")) {
                values(tree, member.ty, format!("{way}.value"), ways);
            }
        }
        Type::Int(_) if consteval::size_of(tree, ty) == Some(8) => ways.push(way),
        _ => {}
    }
}

/// Whether memory that a pointer leads to has pointers.
fn holds_pointers(tree: &Tree, aliases: &Aliases, pointer: ExprId) -> bool {
    let to = aliases.pointed_to(pointer);
    let has = |m: &Memory| {
        let ty = match m {
            Memory::Object(o) => Some(tree.objects[*o].ty),
            Memory::Made(call) => element(tree, *call),
        };
        ty.is_some_and(|ty| pointers(tree, ty).is_none_or(|ways| !ways.is_empty()))
    };
    to.anything || aliases.memory(&to).iter().any(has)
}

/// The paths to the pointers to objects in an object of a type; `None` if there are too many, or if they cannot be named.
pub(crate) fn pointers(tree: &Tree, ty: QualType) -> Option<Vec<String>> {
    let mut ways = Vec::new();
    collect(tree, ty, String::new(), &mut ways)?;
    Some(ways)
}

fn collect(tree: &Tree, ty: QualType, way: String, ways: &mut Vec<String>) -> Option<()> {
    match tree.types.get(ty) {
        Type::Pointer(to) if matches!(tree.types.get(*to), Type::Function(_)) => {}
        Type::Pointer(_) => ways.push(way),
        Type::Array(of, length) => {
            if pointers(tree, *of).is_some_and(|inner| inner.is_empty()) {
                return Some(());
            }
            let ArrayLen::Known(n) = length else {
                return None;
            };
            if n.saturating_add(ways.len() as u64) > MOST_ELEMENTS {
                return None;
            }
            for i in 0..*n {
                collect(tree, *of, format!("{way}[{i}]"), ways)?;
            }
        }
        Type::Record(record) => {
            let mut library = models::MEMBERS.iter();
            if library.any(|(name, _)| synctypes::record(tree, name) == Some(*record)) {
                return Some(());
            }
            for member in tree.types.records[*record].members.as_ref()? {
                let way = match &member.name {
                    Some(name) => format!("{way}.{name}"),
                    None => way.clone(),
                };
                collect(tree, member.ty, way, ways)?;
            }
        }
        _ => {}
    }
    Some(())
}
