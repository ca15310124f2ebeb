//! Lowers blocks: their items in order, and loops that jumps back to an item make.

use std::collections::HashMap;

use cfront::tree::{BlockItem, Label as CLabel, StmtKind};
use cfront::{Span, StmtId};

use crate::code::Label;
use crate::lower::{bounds, Lower};

impl Lower<'_, '_> {
    /// Lowers the statements of a statement expression, of which the last gives the value.
    pub(in crate::lower) fn block_with_value(&mut self, block: StmtId, result: Option<&str>) {
        let StmtKind::Compound { items, .. } = &self.facts.tree.stmts[block].kind else {
            return;
        };
        self.with_labels(block, |lower| lower.items(items, result));
    }

    pub(in crate::lower) fn items(&mut self, items: &[BlockItem], result: Option<&str>) {
        for index in 0..items.len() {
            if self.returns_to(items, index) {
                self.repeat(&items[index..], result);
                return;
            }
            self.item(items, index, result);
        }
    }

    fn item(&mut self, items: &[BlockItem], index: usize, result: Option<&str>) {
        match items[index] {
            BlockItem::Decl(decl) => self.declaration(decl),
            BlockItem::Stmt(stmt) => {
                let last = index + 1 == items.len();
                match (&self.facts.tree.stmts[stmt].kind, result) {
                    (StmtKind::Expr(Some(e)), Some(result)) if last => {
                        let value = self.value(*e);
                        let span = self.facts.tree.exprs[*e].span;
                        self.text(format!("{result} = {value};"), span, Vec::new());
                    }
                    _ => self.statement(stmt),
                }
            }
        }
    }

    /// Whether a later item of the block jumps back to a label before this one.
    fn returns_to(&self, items: &[BlockItem], index: usize) -> bool {
        !self.back_labels(items, index).is_empty()
    }

    fn back_labels(&self, items: &[BlockItem], index: usize) -> Vec<String> {
        let tree = self.facts.tree;
        let mut names = Vec::new();
        let BlockItem::Stmt(mut stmt) = items[index] else {
            return names;
        };
        let start = tree.stmts[stmt].span.start;
        while let StmtKind::Labeled { label, body, .. } = &tree.stmts[stmt].kind {
            if let CLabel::Named(name) = label {
                names.push(name.clone());
            }
            stmt = *body;
        }
        let end = items.iter().map(|item| match item {
            BlockItem::Stmt(s) => tree.stmts[*s].span.end,
            BlockItem::Decl(d) => tree.decls[*d].span.end,
        });
        let rest = Span::new(start, end.max().unwrap_or(start));
        names.retain(|name| {
            self.facts.gotos_in(rest).any(
                |g| matches!(&tree.stmts[g].kind, StmtKind::Goto { label, .. } if label == name),
            )
        });
        names
    }

    /// Lowers the rest of a block as a loop, because jumps go back to its first statement.
    fn repeat(&mut self, items: &[BlockItem], result: Option<&str>) {
        let BlockItem::Stmt(first) = items[0] else {
            return;
        };
        let tree = self.facts.tree;
        let span = tree.stmts[first].span;
        let heads = self.back_labels(items, 0);
        let end = match items[items.len() - 1] {
            BlockItem::Stmt(s) => tree.stmts[s].span.end,
            BlockItem::Decl(d) => tree.decls[d].span.end,
        };
        let names = self.label_names(Span::new(span.start, end));
        let mut inner = first;
        while let StmtKind::Labeled { label, body, .. } = &tree.stmts[inner].kind {
            self.place_label(inner, label, span);
            inner = *body;
        }
        let once = Once {
            inner,
            items,
            result,
            names: &names,
            heads: &heads,
            span,
        };
        if self.may_turn() && self.turn(span, |lower, out| lower.once_round(&once, out)) {
            return;
        }
        let bound = bounds::of_body(self.facts, inner, self.options);
        let out = self.label();
        for copy in 0..=bound.limit {
            if !self.env.reachable {
                break;
            }
            if copy == bound.limit {
                self.cut(&bound.site, span);
                break;
            }
            self.once_round(&once, out);
        }
        self.place(out, span);
    }

    /// Lowers one iteration of such a loop: its end is the target of the jumps back, and `out` the
    /// end of the block.
    fn once_round(&mut self, once: &Once, out: Label) {
        let again = self.label();
        let labels = once
            .names
            .iter()
            .map(|name| match once.heads.contains(name) {
                true => (name.clone(), again),
                false => {
                    self.labels += 1;
                    (name.clone(), Label(self.labels))
                }
            });
        let labels: HashMap<String, Label> = labels.collect();
        self.scopes.push(labels);
        self.statement(once.inner);
        for index in 1..once.items.len() {
            if self.returns_to(once.items, index) {
                self.repeat(&once.items[index..], once.result);
                break;
            }
            self.item(once.items, index, once.result);
        }
        self.scopes.pop();
        self.jump(None, out, once.span);
        self.place(again, once.span);
    }
}

/// The rest of a block whose first statement is the target of jumps back.
struct Once<'a> {
    /// The first statement, without its labels.
    inner: StmtId,
    items: &'a [BlockItem],
    /// The variable for the block's value.
    result: Option<&'a str>,
    /// All labels in it.
    names: &'a [String],
    /// The labels before the first statement.
    heads: &'a [String],
    span: Span,
}
