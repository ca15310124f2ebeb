//! Whether the life of some object that a pointer may lead to can end before the run does, by the program's text alone: memory is
//! given back, or the address of an automatic object goes where it may outlive the object. Where neither can happen, no run uses an
//! object after its end, and nobody need be asked.

use std::path::Path;

use backend::{Backend, Job};
use cfront::access::address_taken;
use cfront::allocations::called_name;
use cfront::calls::named_function;
use cfront::data_model::DataModel;
use cfront::library::{self, Allocates};
use cfront::span::ExprId;
use cfront::tree::{ExprKind, Parent, Resolved, StmtKind, Storage};
use cfront::types::Class;
use cfront::Unit;

use crate::rewritten::{self, Reading};

/// The beginning of the names that the tool adds.
const ADDED: [&str; 3] = ["ba_", "nondet_ba_", "__CPROVER_"];
/// Parts of the names of functions that give something back, or whose memory ends with the caller.
const GIVES_BACK: [&str; 4] = ["free", "close", "realloc", "alloca"];

/// Whether the life of an object may end in some run of the emitted program of a job; also if the program cannot be read. Linear in the
/// program.
pub(crate) fn may_end(job: &Job, backend: &dyn Backend, model: DataModel) -> bool {
    let dialect = backend.dialect(&job.infix);
    let how = Reading {
        defines: &job.defines,
        std: job.dialect.as_deref(),
        model,
        dialect: &dialect,
    };
    let ends = |source: &Path| rewritten::read(source, &how).is_none_or(|unit| ends_in(&unit));
    std::iter::once(&job.source)
        .chain(&job.linked)
        .any(|source| ends(source))
}

/// Whether a function of the library gives memory back.
pub(crate) fn is_given_back_by(name: &str) -> bool {
    let name = library::plain_name(name);
    GIVES_BACK.iter().any(|part| name.contains(part))
}

/// Whether the life of an object may end in a program.
fn ends_in(unit: &Unit) -> bool {
    let tree = &unit.tree;
    let mut evaluated = tree.exprs.iter().filter(|(_, expr)| !expr.unevaluated);
    if evaluated.any(|(id, expr)| match expr.kind {
        ExprKind::Call { .. } => gives_back(unit, id),
        // Such an object ends with its block.
        ExprKind::CompoundLiteral(_) => true,
        // What it is used for otherwise than in a call is not seen.
        ExprKind::Ident(Resolved::Function(f)) => {
            let function = &tree.functions[f];
            function.body.is_none()
                && library::function(&function.name).is_some()
                && !is_called(unit, id)
        }
        _ => false,
    }) {
        return true;
    }
    let taken = address_taken(tree);
    let mut automatic = taken.iter().filter(|(object, _)| {
        let storage = tree.objects[**object].storage;
        matches!(storage, Storage::Local | Storage::Parameter)
    });
    automatic.any(|(_, all)| all.iter().any(|at| !stays(unit, *at)))
}

/// Whether a name of a function is that of a call.
fn is_called(unit: &Unit, name: ExprId) -> bool {
    match unit.tree.exprs[name].parent {
        Parent::Expr(parent) => {
            matches!(unit.tree.exprs[parent].kind, ExprKind::Call { callee, .. } if callee == name)
        }
        _ => false,
    }
}

/// Whether a call may give memory back, leave blocks by a jump, or run something that is not seen.
fn gives_back(unit: &Unit, call: ExprId) -> bool {
    let Some(name) = called_name(&unit.tree, call) else {
        // Which function a pointer leads to is not known, but its text is looked at.
        return false;
    };
    if ADDED.iter().any(|added| name.starts_with(added)) {
        return false;
    }
    let name = library::plain_name(name);
    if let Some(known) = library::function(name) {
        return is_given_back_by(name)
            || known.jump.is_some()
            || known.keeps_pointers
            || known.runs.is_some()
            || known.state.is_some() && known.allocates != Some(Allocates::Surely);
    }
    let ExprKind::Call { callee, .. } = &unit.tree.exprs[call].kind else {
        return true;
    };
    let function = named_function(&unit.tree, *callee).map(|f| &unit.tree.functions[f]);
    // What is in no header of the system and has no body has no effect in the model.
    function.is_none_or(|f| f.body.is_none() && f.in_system_header)
}

/// Whether an address goes to a function of the library that keeps no pointers, or to what monitors do with a place.
fn stays(unit: &Unit, name: ExprId) -> bool {
    let tree = &unit.tree;
    let mut at = name;
    loop {
        at = match tree.exprs[at].parent {
            Parent::Expr(parent) => match &tree.exprs[parent].kind {
                ExprKind::Member { arrow: false, .. }
                | ExprKind::Index { .. }
                | ExprKind::AddressOf(_)
                | ExprKind::Cast(_) => parent,
                ExprKind::Call { .. } => return is_only_used(unit, parent),
                _ => return false,
            },
            Parent::Init(init) => {
                let mut objects = tree.objects.iter().map(|(_, object)| object);
                return objects.any(|o| o.init == Some(init) && o.name.starts_with(ADDED[0]));
            }
            _ => return false,
        }
    }
}

/// Whether a call keeps no address that it is given: the function belongs to the tool, or to the library and keeps no pointers, and
/// its result is none, or nobody takes it.
fn is_only_used(unit: &Unit, call: ExprId) -> bool {
    let tree = &unit.tree;
    let Some(name) = called_name(tree, call) else {
        return false;
    };
    if ADDED.iter().any(|added| name.starts_with(added)) {
        return true;
    }
    let dropped = match tree.exprs[call].parent {
        Parent::Stmt(stmt) => matches!(tree.stmts[stmt].kind, StmtKind::Expr(_)),
        _ => false,
    };
    let is_pointer = matches!(tree.types.class(tree.exprs[call].ty), Class::Pointer);
    let known = library::function(library::plain_name(name));
    known.is_some_and(|f| !f.keeps_pointers) && (dropped || !is_pointer)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn ends(text: &str) -> bool {
        let source = cfront::Source::from_bytes(text.as_bytes().to_vec());
        ends_in(&Unit::parse(source).unwrap())
    }

    #[test]
    fn a_life_ends_where_memory_is_given_back_or_an_address_is_kept() {
        let library = "int scanf(const char *, ...); char *strcpy(char *, const char *); void free(void *); void *malloc(unsigned long);\n\
            int *kept; int all[4]; char text[9]; int outside(int); void own(int *p) { kept = p; }\n";
        let of = |body: &str| ends(&format!("{library}int main(void) {{ {body} return 0; }}\n"));
        for body in [
            "int v; scanf(\"%d\", &v); all[outside(v) & 3]++; kept = all;",
            "char s[9]; s[0] = 'a'; strcpy(text, s);",
            "int a[3]; a[1] = 2; int *ba_at = &a[1]; *ba_at = 3;",
            "kept = malloc(4); kept[0] = sizeof(&kept);",
        ] {
            assert!(!of(body), "{body}");
        }
        for body in [
            "int v = 0; kept = &v;",
            "{ int a[3]; own(a); } *kept = 1;",
            "free(malloc(1));",
            "getline(&text, &all, 0);",
            "char *t, s[9]; s[0] = 0; t = strcpy(s, text); t[0] = 0;",
            "kept = (int[2]){ 1, 2 };",
            "void (*give)(void *) = free; give(kept);",
        ] {
            assert!(of(body), "{body}");
        }
    }
}
