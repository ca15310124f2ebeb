//! Lowers initializers.

use lang_c::ast as c;
use lang_c::span::Node;

use super::Lower;
use crate::shadow::token_span;
use crate::span::{InitId, Span};
use crate::tree::{Designator, Init, InitItem, InitKind, Parent};

impl Lower<'_> {
    /// Lowers an initializer.
    pub(super) fn initializer(&mut self, node: &Node<c::Initializer>, parent: Parent) -> InitId {
        match &node.node {
            c::Initializer::Expression(e) => {
                let span = self.span(e.span);
                let id = self.new_init(span, parent);
                let e = self.expr(e, Parent::Init(id));
                self.tree.inits[id].kind = InitKind::Expr(e);
                id
            }
            c::Initializer::List(items) => {
                let span = self.list_span(node);
                self.init_list(items, span, parent)
            }
        }
    }

    /// The span of a list in braces, without the `=` that lang-c includes.
    fn list_span(&self, node: &Node<c::Initializer>) -> Span {
        match self.range(node.span) {
            Some((first, last)) if self.word(first) == "=" => {
                token_span(self.input.tokens, first + 1, last)
            }
            _ => self.span(node.span),
        }
    }

    fn new_init(&mut self, span: Span, parent: Parent) -> InitId {
        self.tree.inits.push(Init {
            span,
            kind: InitKind::List(Vec::new()),
            parent,
        })
    }

    /// Lowers an initializer list.
    pub(super) fn init_list(
        &mut self,
        items: &[Node<c::InitializerListItem>],
        span: Span,
        parent: Parent,
    ) -> InitId {
        let id = self.new_init(span, parent);
        let mut list = Vec::new();
        for item in items {
            if self.inserted(item.span) {
                // The shadow puts this element into empty braces.
                continue;
            }
            let designators = item
                .node
                .designation
                .iter()
                .map(|d| self.designator(d, id))
                .collect();
            let nested = self.deeper(item.span, |l| {
                l.initializer(&item.node.initializer, Parent::Init(id))
            });
            if let Some(value) = nested {
                list.push(InitItem { designators, value });
            }
        }
        self.tree.inits[id].kind = InitKind::List(list);
        id
    }

    fn designator(&mut self, node: &Node<c::Designator>, init: InitId) -> Designator {
        match &node.node {
            c::Designator::Member(name) => Designator::Member(self.name(name).0.to_string()),
            c::Designator::Index(e) => Designator::Index(self.expr(e, Parent::Init(init))),
            c::Designator::Range(range) => {
                let from = self.expr(&range.node.from, Parent::Init(init));
                let to = self.expr(&range.node.to, Parent::Init(init));
                Designator::Range(from, to)
            }
        }
    }
}
