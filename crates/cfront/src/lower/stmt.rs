//! Lowers statements.

use lang_c::ast as c;
use lang_c::span::{Node, Span as CSpan};

use super::{Lower, MAX_DEPTH};
use crate::shadow::token_span;
use crate::span::{ExprId, FunctionId, Offset, Span, StmtId};
use crate::token::too_deep;
use crate::tree::{BlockItem, ExprKind, ForInit, Header, Label, Parent, Stmt, StmtKind};

/// A label whose statement has not been lowered yet.
struct Pending {
    id: StmtId,
    label: Label,
    label_span: Span,
    colon: Offset,
}

impl Lower<'_> {
    /// Lowers the body of a function.
    pub(super) fn body(&mut self, node: &Node<c::Statement>, function: FunctionId) -> StmtId {
        self.statement(node, Parent::Function(function))
    }

    fn new_stmt(&mut self, span: Span, parent: Parent) -> StmtId {
        self.tree.stmts.push(Stmt {
            kind: StmtKind::Expr(None),
            span,
            parent,
            function: self.function,
            scope: self.scope,
        })
    }

    /// Lowers a statement.
    pub(super) fn statement(&mut self, node: &Node<c::Statement>, parent: Parent) -> StmtId {
        if let c::Statement::Labeled(_) = &node.node {
            return self.labelled(node, parent);
        }
        let span = self.span_with_prefix(node.span);
        let id = self.new_stmt(span, parent);
        if let Some(kind) = self.deeper(node.span, |l| l.stmt_kind(node, id)) {
            self.tree.stmts[id].kind = kind;
        }
        id
    }

    fn stmt_kind(&mut self, node: &Node<c::Statement>, id: StmtId) -> StmtKind {
        let me = Parent::Stmt(id);
        let first = self.first(node.span);
        match &node.node {
            // The caller handles labels; an empty statement would lose them.
            c::Statement::Labeled(_) => StmtKind::Expr(None),
            c::Statement::Compound(items) => self.compound(node.span, items, id),
            c::Statement::Expression(e) => self.expression_statement(e.as_deref(), first, me),
            c::Statement::If(s) => self.if_chain(s, id),
            c::Statement::Switch(s) => {
                let header = self.header(first);
                let cond = self.expr(&s.node.expression, me);
                let body = self.statement(&s.node.statement, me);
                StmtKind::Switch { cond, header, body }
            }
            c::Statement::While(s) => {
                let header = self.header(first);
                let cond = self.expr(&s.node.expression, me);
                let body = self.statement(&s.node.statement, me);
                StmtKind::While { cond, header, body }
            }
            c::Statement::DoWhile(s) => self.do_while(&s.node, me),
            c::Statement::For(s) => self.for_statement(s, first, id),
            c::Statement::Goto(label) => {
                let (name, label_span, _) = self.name(label);
                StmtKind::Goto {
                    label: name.to_string(),
                    label_span,
                }
            }
            c::Statement::Continue => StmtKind::Continue,
            c::Statement::Break => StmtKind::Break,
            c::Statement::Return(e) => self.return_statement(e.as_deref(), first, me),
            c::Statement::Asm(_) => self.asm_statement(first),
        }
    }

    /// The parentheses after the keyword at a token.
    fn header(&self, keyword: usize) -> Header {
        let lparen = self.next(keyword);
        let rparen = self.mate(lparen);
        Header {
            lparen: self.token_start(lparen),
            rparen: self.token_start(rparen),
        }
    }

    fn last(&self, span: CSpan) -> usize {
        self.range(span).map_or(0, |r| r.1)
    }

    fn expression_statement(
        &mut self,
        e: Option<&Node<c::Expression>>,
        first: usize,
        me: Parent,
    ) -> StmtKind {
        match e {
            None => StmtKind::Expr(None),
            Some(_) if matches!(self.word(first), "asm" | "__asm" | "__asm__") => {
                self.asm_statement(first)
            }
            Some(e) => StmtKind::Expr(Some(self.expr(e, me))),
        }
    }

    /// Lowers an `if` with all `else if` links after it, in a loop: generated programs have
    /// thousands of links, and recursion would take a level for each.
    fn if_chain(&mut self, node: &Node<c::IfStatement>, id: StmtId) -> StmtKind {
        let mut links: Vec<(StmtId, StmtKind)> = Vec::new();
        let (mut node, mut id) = (node, id);
        loop {
            let s = &node.node;
            let header = self.header(self.first(node.span));
            let cond = self.expr(&s.condition, Parent::Stmt(id));
            let then = self.statement(&s.then_statement, Parent::Stmt(id));
            let (mut else_keyword, mut otherwise, mut next) = (None, None, None);
            if let Some(e) = &s.else_statement {
                let token = self.next(self.last(s.then_statement.span));
                else_keyword = Some(self.token_start(token));
                otherwise = Some(match &e.node {
                    c::Statement::If(link) => {
                        let span = self.span_with_prefix(e.span);
                        let other = self.new_stmt(span, Parent::Stmt(id));
                        next = Some((link, other));
                        other
                    }
                    _ => self.statement(e, Parent::Stmt(id)),
                });
            }
            let kind = StmtKind::If {
                cond,
                header,
                then,
                else_keyword,
                otherwise,
            };
            links.push((id, kind));
            match next {
                Some(link) => (node, id) = link,
                None => break,
            }
        }
        let mut links = links.into_iter();
        let first = links.next().map_or(StmtKind::Expr(None), |(_, kind)| kind);
        for (id, kind) in links {
            self.tree.stmts[id].kind = kind;
        }
        first
    }

    fn do_while(&mut self, s: &c::DoWhileStatement, me: Parent) -> StmtKind {
        let body = self.statement(&s.statement, me);
        let keyword = self.next(self.last(s.statement.span));
        let header = self.header(keyword);
        let cond = self.expr(&s.expression, me);
        StmtKind::DoWhile {
            body,
            while_keyword: self.token_start(keyword),
            cond,
            header,
        }
    }

    fn for_statement(
        &mut self,
        node: &Node<c::ForStatement>,
        keyword: usize,
        id: StmtId,
    ) -> StmtKind {
        let me = Parent::Stmt(id);
        let s = &node.node;
        let span = self.span(node.span);
        let header = self.header(keyword);
        let lparen = self.next(keyword);
        let scope = self.open_scope(span);
        let (init, semi1) = match &s.initializer.node {
            c::ForInitializer::Empty | c::ForInitializer::StaticAssert(_) => {
                (ForInit::None, self.next(lparen))
            }
            c::ForInitializer::Expression(e) => {
                let semi = self.next(self.last(e.span));
                (ForInit::Expr(self.expr(e, me)), semi)
            }
            c::ForInitializer::Declaration(d) => {
                let semi = self.last(d.span);
                (ForInit::Decl(self.declaration(d, me)), semi)
            }
        };
        let semi2 = match &s.condition {
            Some(c) => self.next(self.last(c.span)),
            None => self.next(semi1),
        };
        let cond = s.condition.as_ref().map(|e| self.expr(e, me));
        let step = s.step.as_ref().map(|e| self.expr(e, me));
        let body = self.statement(&s.statement, me);
        self.close_scope();
        let (semi1, semi2) = (self.token_start(semi1), self.token_start(semi2));
        StmtKind::For {
            init,
            cond,
            step,
            header,
            semi1,
            semi2,
            body,
            scope,
        }
    }

    fn return_statement(
        &mut self,
        e: Option<&Node<c::Expression>>,
        first: usize,
        me: Parent,
    ) -> StmtKind {
        let value = e.map(|e| self.expr(e, me));
        if self.word(first) != "goto" {
            return StmtKind::Return(value);
        }
        // The shadow text has `return *e;` for `goto *e;`.
        let target = value.and_then(|v| match self.tree.exprs[v].kind {
            ExprKind::Deref(target) => Some((v, target)),
            _ => None,
        });
        match target {
            Some((deref, target)) => {
                self.tree.exprs[target].parent = self.tree.exprs[deref].parent;
                // The `*` belongs to the statement, so the dereferencing expression is taken out of
                // the tree.
                let gone = &mut self.tree.exprs[deref];
                gone.kind = ExprKind::Opaque;
                gone.parent = Parent::Constant;
                gone.unevaluated = true;
                StmtKind::GotoComputed(target)
            }
            None => StmtKind::Return(value),
        }
    }

    // Labels and blocks -------------------------------------------------------------------------

    fn compound(&mut self, span: CSpan, items: &[Node<c::BlockItem>], id: StmtId) -> StmtKind {
        let real = self.span(span);
        let scope = self.open_scope(real);
        let me = Parent::Stmt(id);
        let mut out = Vec::new();
        let mut pending: Vec<Pending> = Vec::new();
        for item in items {
            match &item.node {
                c::BlockItem::StaticAssert(_) => {}
                c::BlockItem::Declaration(d) => {
                    self.settle_bare(&mut pending, &mut out);
                    out.push(BlockItem::Decl(self.declaration(d, me)));
                }
                c::BlockItem::Statement(s) => {
                    if self.collect_labels(s, me, &mut pending) {
                        continue;
                    }
                    let parent = pending.last().map_or(me, |p| Parent::Stmt(p.id));
                    let stmt = self.statement(s, parent);
                    let top = self.settle(&mut pending, stmt, false);
                    out.push(BlockItem::Stmt(top));
                }
            }
        }
        self.settle_bare(&mut pending, &mut out);
        self.close_scope();
        StmtKind::Compound {
            open: real.start,
            close: real.end - 1,
            items: out,
            scope,
        }
    }

    /// Collects a label whose statement the shadow inserted; returns whether the item was one.
    fn collect_labels(
        &mut self,
        s: &Node<c::Statement>,
        block: Parent,
        pending: &mut Vec<Pending>,
    ) -> bool {
        let c::Statement::Labeled(labelled) = &s.node else {
            return false;
        };
        if !self.inserted(labelled.node.statement.span) {
            return false;
        }
        if pending.len() >= MAX_DEPTH {
            let diagnostic = too_deep(self.span(s.span));
            self.report(diagnostic);
            return true;
        }
        let parent = pending.last().map_or(block, |p| Parent::Stmt(p.id));
        let label = self.label(&labelled.node.label, s.span, parent);
        pending.push(label);
        true
    }

    /// Lowers labels and their statement as the branch of another statement.
    fn labelled(&mut self, node: &Node<c::Statement>, parent: Parent) -> StmtId {
        let mut pending = Vec::new();
        let mut at = node;
        let mut parent = parent;
        while let c::Statement::Labeled(labelled) = &at.node {
            let label = self.label(&labelled.node.label, at.span, parent);
            parent = Parent::Stmt(label.id);
            pending.push(label);
            at = &labelled.node.statement;
        }
        let nested = self.deeper(at.span, |l| l.statement(at, parent));
        let body = match nested {
            Some(body) => body,
            None => self.new_stmt(self.span(at.span), parent),
        };
        self.settle(&mut pending, body, false)
    }

    fn label(&mut self, node: &Node<c::Label>, whole: CSpan, parent: Parent) -> Pending {
        let first = self.first(whole);
        let id = self.new_stmt(self.span(whole), parent);
        let me = Parent::Stmt(id);
        let (label, last) = match &node.node {
            c::Label::Identifier(name) => (
                Label::Named(self.name(name).0.to_string()),
                self.first(name.span),
            ),
            c::Label::Case(e) => {
                let last = self.last(e.span);
                (Label::Case(self.expr(e, me)), last)
            }
            c::Label::CaseRange(range) => {
                let low: ExprId = self.expr(&range.node.low, me);
                let high = self.expr(&range.node.high, me);
                (Label::CaseRange(low, high), self.last(range.node.high.span))
            }
            c::Label::Default => (Label::Default, first),
        };
        let colon = self.token_start(self.next(last));
        let label_span = token_span(self.input.tokens, first, last);
        Pending {
            id,
            label,
            label_span,
            colon,
        }
    }

    /// Gives pending labels an empty statement, because none follows in the text.
    fn settle_bare(&mut self, pending: &mut Vec<Pending>, out: &mut Vec<BlockItem>) {
        let Some(last) = pending.last() else { return };
        let (parent, at) = (Parent::Stmt(last.id), last.colon + 1);
        let empty = self.new_stmt(Span::empty(at), parent);
        let top = self.settle(pending, empty, true);
        out.push(BlockItem::Stmt(top));
    }

    /// Gives pending labels their statement and returns the outermost label.
    fn settle(&mut self, pending: &mut Vec<Pending>, body: StmtId, bare: bool) -> StmtId {
        let mut body = body;
        let end = self.tree.stmts[body].span.end;
        let mut innermost = true;
        while let Some(p) = pending.pop() {
            let stmt = &mut self.tree.stmts[p.id];
            stmt.span.end = stmt.span.end.max(end);
            stmt.span.start = p.label_span.start;
            stmt.kind = StmtKind::Labeled {
                label: p.label,
                label_span: p.label_span,
                colon: p.colon,
                body,
                bare: bare && innermost,
            };
            innermost = false;
            body = p.id;
        }
        body
    }
}
