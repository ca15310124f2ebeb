//! Assembler statements whose results nobody reads.

use std::collections::BTreeMap;

use crate::span::{ObjectId, StmtId};
use crate::tree::{ExprKind, Resolved, StmtKind, Storage, Tree};

/// Takes back that a statement writes, if it writes only variables that nothing else in the program names, such as the
/// scratch registers of avr-libc's `wdt_disable`. Linear in the program.
pub(crate) fn take_back(tree: &mut Tree) {
    let writes = |kind: &StmtKind| {
        matches!(
            kind,
            StmtKind::Asm {
                is_goto: false,
                writes: true,
                memory: false,
                outputs: Some(names),
                ..
            } if !names.is_empty()
        )
    };
    let all = tree.stmts.iter().filter(|(_, s)| writes(&s.kind));
    let candidates: Vec<StmtId> = all.map(|(id, _)| id).collect();
    if candidates.is_empty() {
        return;
    }
    let mut named: BTreeMap<ObjectId, usize> = BTreeMap::new();
    for (_, expr) in tree.exprs.iter() {
        if let ExprKind::Ident(Resolved::Object(object)) = expr.kind {
            *named.entry(object).or_default() += 1;
        }
    }
    for (_, stmt) in tree.stmts.iter() {
        for (object, _) in tree.named_by_assembler(stmt) {
            *named.entry(object).or_default() += 1;
        }
    }
    let unread = |id: &StmtId| {
        let stmt = &tree.stmts[*id];
        let StmtKind::Asm {
            outputs: Some(outputs),
            ..
        } = &stmt.kind
        else {
            return false;
        };
        let written = || {
            tree.named_by_assembler(stmt)
                .filter(|(_, span)| outputs.contains(span))
        };
        let scratch = |object: ObjectId| {
            tree.objects[object].storage == Storage::Local && named.get(&object) == Some(&1)
        };
        written().count() == outputs.len() && written().all(|(object, _)| scratch(object))
    };
    let found: Vec<StmtId> = candidates.into_iter().filter(unread).collect();
    for id in found {
        if let StmtKind::Asm { writes, .. } = &mut tree.stmts[id].kind {
            *writes = false;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Source, Unit};

    #[test]
    fn results_that_nobody_reads_are_no_effect() {
        for (text, expected) in [
            ("int t; asm(\"in %0, 3\" : \"=r\"(t) : \"i\"(4));", false),
            ("int t; asm(\"in %0, 3\" : \"=r\"(t)); n = t;", true),
            ("int t; asm(\"in %0, 3\" : \"=r\"(t) : \"r\"(t));", true),
            ("static int t; asm(\"in %0, 3\" : \"=r\"(t));", true),
            ("asm(\"in %0, 3\" : \"=r\"(n));", true),
            ("int t; asm(\"fancy %0\" : \"=r\"(t) : : \"memory\");", true),
        ] {
            let program = format!("int n; void f(void) {{ {text} }}");
            let unit = Unit::parse(Source::from_bytes(program.into_bytes())).unwrap();
            let mut statements = unit.tree.stmts.iter();
            let found = statements.find_map(|(_, s)| match s.kind {
                StmtKind::Asm { writes, .. } => Some(writes),
                _ => None,
            });
            assert_eq!(found, Some(expected), "{text}");
        }
    }
}
