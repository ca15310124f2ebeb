//! Statements of the tree.

use super::Parent;
use crate::span::{DeclId, ExprId, FunctionId, Offset, ScopeId, Span, StmtId};

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// The kind, with the parts.
    pub kind: StmtKind,
    /// The text from the first token (attributes included) to the `;` or `}`.
    pub span: Span,
    /// The node around the statement.
    pub parent: Parent,
    /// The function that contains the statement; `None` in a fragment.
    pub function: Option<FunctionId>,
    /// The scope around the statement; `for` and `{` open another one inside.
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

/// An item of a block.
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
    /// No first part.
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
    /// `e;` or `;`. A label before a declaration or `}` gets such a statement with an empty span
    /// after the colon.
    Expr(Option<ExprId>),
    /// `if (cond) then else otherwise`
    If {
        /// The condition.
        cond: ExprId,
        /// Its parentheses.
        header: Header,
        /// The branch if the condition is true.
        then: StmtId,
        /// Offset of `else`.
        else_keyword: Option<Offset>,
        /// The branch if the condition is false.
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
        /// The labelled statement. Attributes between the colon and the statement belong to
        /// neither.
        body: StmtId,
        /// Whether no statement follows in the text (label before a declaration or `}`): `body` is
        /// empty.
        bare: bool,
    },
    /// `goto label;`
    Goto {
        /// The label's name.
        label: String,
        /// The place of the name.
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
    /// An assembler statement, which may do anything to the objects that it names.
    Asm {
        /// `asm goto`: the statement may jump to the labels that it names.
        is_goto: bool,
        /// The names that it mentions outside of strings, in order: operands and labels.
        mentions: Vec<(String, Span)>,
        /// Whether it may change objects of the program: it has outputs, or stores to memory
        /// through its inputs. A barrier and `nop` change nothing.
        writes: bool,
        /// Whether it may write to the targets of its operands: it clobbers "memory", or an output
        /// is not a plain variable.
        memory: bool,
        /// The places of the names of its outputs; `None` if one is no plain variable.
        outputs: Option<Vec<Span>>,
    },
}

impl StmtKind {
    /// The expression that decides where control goes: the condition of `if` and of loops, and what `switch` distinguishes.
    pub fn condition(&self) -> Option<ExprId> {
        match self {
            StmtKind::If { cond, .. }
            | StmtKind::Switch { cond, .. }
            | StmtKind::While { cond, .. }
            | StmtKind::DoWhile { cond, .. } => Some(*cond),
            StmtKind::For { cond, .. } => *cond,
            _ => None,
        }
    }
}
