//! Jumps to labels, connected when all labels are known, and the loops that they make.

use super::super::{start, Jump, Loop, LoopKind, Point, Target};
use super::Builder;
use crate::tree::StmtKind;

impl Builder<'_> {
    pub(super) fn resolve_gotos(&mut self) {
        // All declarations have been built, so labels are known whose address is taken only in the
        // initializer of a static table.
        let any: Vec<String> = std::mem::take(&mut self.address_taken);
        for (point, stmt, names) in std::mem::take(&mut self.pending) {
            let computed =
                names.is_none() || matches!(self.tree.stmts[stmt].kind, StmtKind::Asm { .. });
            let mut targets = Vec::new();
            for name in names.as_ref().unwrap_or(&any) {
                match self.flow.labels.get(name) {
                    Some(&label) => {
                        if !targets.contains(&label) {
                            targets.push(label);
                        }
                        if let Some(to) = self.flow.at(Point::Label(label)) {
                            self.edge(point, to);
                        }
                    }
                    None => {
                        self.error(stmt, format!("there is no label `{name}` in this function"))
                    }
                }
            }
            let target = match (computed, targets.as_slice()) {
                (false, [label]) => Target::Label(*label),
                (false, _) => continue,
                _ => Target::AnyOf(targets),
            };
            self.flow.jumps.push(Jump { stmt, target });
        }
        let tree = self.tree;
        self.flow.jumps.sort_by_key(|j| start(tree, j.stmt));
    }

    /// Jumps back to a label that can reach the jump.
    pub(super) fn goto_loops(&mut self) {
        let tree = self.tree;
        let mut found = Vec::new();
        let cycle = self.flow.cycles();
        for jump in &self.flow.jumps {
            let targets = match &jump.target {
                Target::Label(label) => std::slice::from_ref(label),
                Target::AnyOf(labels) => labels.as_slice(),
                _ => continue,
            };
            let Some(from) = self.flow.at(Point::Stmt(jump.stmt)) else {
                continue;
            };
            for &label in targets {
                let Some(to) = self.flow.at(Point::Label(label)) else {
                    continue;
                };
                // The jump leads to the label, so the label leads to the jump if both are in the
                // same cycle.
                let (to, from) = (cycle[to.index()], cycle[from.index()]);
                if start(tree, label) <= start(tree, jump.stmt) && to.is_some() && to == from {
                    let span =
                        crate::span::Span::new(start(tree, label), tree.stmts[jump.stmt].span.end);
                    found.push(Loop {
                        kind: LoopKind::Goto,
                        stmt: jump.stmt,
                        body: label,
                        span,
                    });
                }
            }
        }
        self.flow.loops.extend(found);
        self.flow
            .loops
            .sort_by_key(|l| (l.span.start, std::cmp::Reverse(l.span.end)));
    }
}
