//! Helpers of the crate's integration tests.

#![allow(clippy::unwrap_used, dead_code)]

use std::path::Path;
use std::process::Command;

use cfront::preprocess::{preprocess, Options};
use cfront::tree::{BlockItem, ExprKind, Parent, StmtKind};
use cfront::{Edits, Source, Unit};

/// Reads a text that needs no preprocessing.
pub fn unit(text: &str) -> Unit {
    match Unit::parse(Source::from_bytes(text.as_bytes().to_vec())) {
        Ok(unit) => unit,
        Err(list) => panic!("{}", messages(&list).join("\n")),
    }
}

/// The messages of the refusal of a text.
pub fn refused(text: &str) -> Vec<String> {
    match Unit::parse(Source::from_bytes(text.as_bytes().to_vec())) {
        Ok(_) => panic!("accepted: {text}"),
        Err(list) => messages(&list),
    }
}

fn messages(list: &[cfront::Diagnostic]) -> Vec<String> {
    list.iter()
        .map(|d| d.to_string().replacen("::", "", 0))
        .collect()
}

/// Preprocesses and reads a file.
pub fn read(file: &Path) -> Unit {
    let source = preprocess(file, &Options::default()).unwrap().source;
    match Unit::parse(source) {
        Ok(unit) => unit,
        Err(list) => panic!("{}: {}", file.display(), messages(&list).join("\n")),
    }
}

/// gcc's assembly of a file, without the lines that name files.
pub fn assembly(file: &Path, flags: &[&str]) -> String {
    try_assembly(file, flags).unwrap_or_else(|e| panic!("gcc refuses {}:\n{e}", file.display()))
}

/// gcc's assembly of a file, or its messages.
pub fn try_assembly(file: &Path, flags: &[&str]) -> Result<String, String> {
    let out = Command::new("gcc")
        .args([
            "-std=gnu11",
            "-S",
            "-O0",
            "-w",
            "-U_FORTIFY_SOURCE",
            // As the preprocessor is called: without it character classes are look-ups in a table.
            "-D__NO_CTYPE",
            "-x",
            "c",
            "-o",
            "-",
        ])
        .args(flags)
        .arg(file)
        .output()
        .unwrap();
    if !out.status.success() {
        return Err(String::from_utf8_lossy(&out.stderr).into_owned());
    }
    Ok(String::from_utf8_lossy(&out.stdout)
        .lines()
        .filter(|l| !l.trim_start().starts_with(".file") && !l.trim_start().starts_with(".ident"))
        .collect::<Vec<_>>()
        .join("\n"))
}

/// Parentheses around every expression of the user and `;` before every statement in a block.
pub fn harmless(unit: &Unit) -> Edits {
    let mut edits = Edits::new();
    let user = |at: usize| unit.source.lines.kind(at) == cfront::linemap::RegionKind::User;
    for (_, expr) in unit.tree.exprs.iter() {
        // Parentheses would make a pointer of a string literal in an initializer; an expression
        // without a value of its own cannot be wrapped.
        let wrappable = matches!(expr.parent, Parent::Stmt(_) | Parent::Expr(_))
            && !matches!(expr.kind, ExprKind::Str(_) | ExprKind::Opaque)
            && user(expr.span.start);
        if wrappable {
            edits.wrap(expr.span, "(", ")").unwrap();
        }
    }
    for (_, stmt) in unit.tree.stmts.iter() {
        let StmtKind::Compound { items, .. } = &stmt.kind else {
            continue;
        };
        for item in items {
            let BlockItem::Stmt(id) = item else { continue };
            let stmt = &unit.tree.stmts[*id];
            if user(stmt.span.start) && !matches!(stmt.kind, StmtKind::Labeled { .. }) {
                edits.insert(stmt.span.start, 0, ";").unwrap();
            }
        }
    }
    edits
}
