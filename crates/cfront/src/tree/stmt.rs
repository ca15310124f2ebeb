//! Statements.

use super::Parent;
use crate::span::{DeclId, ExprId, FunctionId, Offset, ScopeId, Span, StmtId};

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// From its first token (attributes included) to its `;` or `}`.
    pub span: Span,
    /// What it stands in.
    pub parent: Parent,
    /// The function it belongs to; nothing in a fragment.
    pub function: Option<FunctionId>,
    /// The scope it stands in, which for `for` and `{` is not the one that it opens.
    pub scope: ScopeId,
}

/// The header `(cond)` of a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// Offset of the `(`.
    pub lparen: Offset,
    /// Offset of the matching `)`.
    pub rparen: Offset,
}

/// A label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Label {
    /// `name:`
    Named(String),
    /// `case v:`
    Case(ExprId),
    /// `case from ... to:` (GNU)
    CaseRange(ExprId, ExprId),
    /// `default:`
    Default,
}

/// What stands in a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BlockItem {
    /// A declaration.
    Decl(DeclId),
    /// A statement.
    Stmt(StmtId),
}

/// The first part of a `for` header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForInit {
    /// Nothing.
    None,
    /// An expression.
    Expr(ExprId),
    /// A declaration, whose span ends with the first `;`.
    Decl(DeclId),
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `{ … }`; the braces are the first and last byte of its span.
    Compound {
        /// Offset of the `{`.
        open: Offset,
        /// Offset of the `}`.
        close: Offset,
        /// Its declarations and statements in order.
        items: Vec<BlockItem>,
        /// The scope it opens.
        scope: ScopeId,
    },
    /// `e;` or `;`. The statement that is missing after a label before a declaration or `}` is
    /// such a one with an empty span after the colon.
    Expr(Option<ExprId>),
    /// `if (cond) then else otherwise`
    If {
        /// The condition.
        cond: ExprId,
        /// Its parentheses.
        header: Header,
        /// Taken if it holds.
        then: StmtId,
        /// Offset of `else`.
        else_keyword: Option<Offset>,
        /// Taken if it does not hold.
        otherwise: Option<StmtId>,
    },
    /// `switch (value) body`
    Switch {
        /// The value.
        cond: ExprId,
        /// Its parentheses.
        header: Header,
        /// The body.
        body: StmtId,
    },
    /// `while (cond) body`
    While {
        /// The condition.
        cond: ExprId,
        /// Its parentheses.
        header: Header,
        /// The body.
        body: StmtId,
    },
    /// `do body while (cond);`
    DoWhile {
        /// The body.
        body: StmtId,
        /// Offset of `while`.
        while_keyword: Offset,
        /// The condition.
        cond: ExprId,
        /// Its parentheses.
        header: Header,
    },
    /// `for (init; cond; step) body`
    For {
        /// First part.
        init: ForInit,
        /// Second part.
        cond: Option<ExprId>,
        /// Third part.
        step: Option<ExprId>,
        /// The parentheses.
        header: Header,
        /// Offset of the first `;`.
        semi1: Offset,
        /// Offset of the second `;`.
        semi2: Offset,
        /// The body.
        body: StmtId,
        /// The scope that the header opens.
        scope: ScopeId,
    },
    /// `label: body`
    Labeled {
        /// The label.
        label: Label,
        /// The label's text, without the colon; `case` and its value included.
        label_span: Span,
        /// Offset of the `:`.
        colon: Offset,
        /// The labelled statement. Attributes between the colon and it belong to neither.
        body: StmtId,
        /// No statement follows in the text (label before a declaration or `}`): `body` is empty.
        bare: bool,
    },
    /// `goto label;`
    Goto {
        /// The label's name.
        label: String,
        /// Where it stands.
        label_span: Span,
    },
    /// `goto *e;` (GNU)
    GotoComputed(ExprId),
    /// `continue;`
    Continue,
    /// `break;`
    Break,
    /// `return e;`
    Return(Option<ExprId>),
    /// An assembler statement, which may do anything to the objects it names.
    Asm {
        /// `asm goto`: it may jump to labels that it names.
        is_goto: bool,
        /// The names it mentions outside strings, in order: operands and labels.
        mentions: Vec<(String, Span)>,
        /// Whether it may change something that the language knows of: it has outputs, or stores to
        /// memory through its inputs. A barrier and `nop` do not.
        writes: bool,
        /// Whether it may write to what its operands point to: it says so ("memory"), or an output
        /// is no plain variable.
        memory: bool,
    },
}
