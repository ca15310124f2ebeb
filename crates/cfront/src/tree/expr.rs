//! Expressions of the tree.

use super::Parent;
use crate::span::{EnumId, ExprId, FunctionId, InitId, ObjectId, Offset, RecordId, Span, StmtId};
use crate::types::QualType;

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The kind, with the operands.
    pub kind: ExprKind,
    /// Its text, with the parentheses around it.
    pub span: Span,
    /// Its text without parentheses around it.
    pub bare: Span,
    /// Its type, before any conversion (an array is still an array).
    pub ty: QualType,
    /// The node around the expression.
    pub parent: Parent,
    /// Whether the expression is never evaluated: it is in an operand of `sizeof`, `typeof` or
    /// `_Alignof`, or in an arm of `_Generic` that is not selected. An operand whose type has a
    /// variable length counts as evaluated.
    pub unevaluated: bool,
}

/// The meaning of a name in an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Resolved {
    /// A variable or parameter.
    Object(ObjectId),
    /// A function.
    Function(FunctionId),
    /// An enumeration constant and its value, where known.
    EnumConst(EnumId, Option<i128>),
    /// `__func__` and the like, `__builtin_…` without a declaration, or an undeclared name.
    Unknown(String),
}

/// Binary operators other than assignment and comma.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}

impl BinaryOp {
    /// The operator in C.
    pub fn spelling(self) -> &'static str {
        match self {
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::Lt => "<",
            BinaryOp::Gt => ">",
            BinaryOp::Le => "<=",
            BinaryOp::Ge => ">=",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitXor => "^",
            BinaryOp::BitOr => "|",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
        }
    }

    /// Whether the result is the `int` 0 or 1.
    pub fn is_boolean(self) -> bool {
        matches!(
            self,
            BinaryOp::Lt
                | BinaryOp::Gt
                | BinaryOp::Le
                | BinaryOp::Ge
                | BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::And
                | BinaryOp::Or
        )
    }
}

/// Unary operators that neither write nor take or follow addresses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum UnaryOp {
    Plus,
    Minus,
    BitNot,
    Not,
    /// `__real__` (GNU)
    Real,
    /// `__imag__` (GNU)
    Imag,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A name.
    Ident(Resolved),
    /// An integer constant and its value if it fits.
    Int(Option<i128>),
    /// A floating constant.
    Float,
    /// A character constant and its value if it is a plain one.
    Char(Option<i128>),
    /// A string literal (adjacent ones are one) and the bytes of its array, where known.
    Str(Option<u64>),
    /// `lhs = rhs` (`op` is `None`) or `lhs op= rhs`.
    Assign {
        /// The operator of a compound assignment.
        op: Option<BinaryOp>,
        /// The operator's text, `=` included.
        op_span: Span,
        /// The object written.
        lhs: ExprId,
        /// The value.
        rhs: ExprId,
    },
    /// `++` and `--`.
    IncDec {
        /// `++x` rather than `x++`.
        prefix: bool,
        /// `++` rather than `--`.
        increment: bool,
        /// The object written.
        operand: ExprId,
    },
    /// A unary operator.
    Unary(UnaryOp, ExprId),
    /// A binary operator.
    Binary(BinaryOp, ExprId, ExprId),
    /// A call.
    Call {
        /// The called expression.
        callee: ExprId,
        /// Arguments in order.
        args: Vec<ExprId>,
        /// Offset of the `(`.
        lparen: Offset,
        /// Offset of the `)`.
        rparen: Offset,
    },
    /// `base.name` or `base->name`.
    Member {
        /// The structure, or the pointer to it.
        base: ExprId,
        /// `->` rather than `.`.
        arrow: bool,
        /// The member's name.
        name: String,
        /// The member indices from the outermost record inwards, through anonymous members; empty
        /// if the type is not known.
        path: Vec<(RecordId, usize)>,
    },
    /// `base[index]`
    Index {
        /// The operand before the bracket.
        base: ExprId,
        /// The operand in the bracket.
        index: ExprId,
    },
    /// `*operand`
    Deref(ExprId),
    /// `&operand`
    AddressOf(ExprId),
    /// `&&label` (GNU)
    LabelAddress(String),
    /// `(T)operand`; builtins like `__builtin_bit_cast` are not casts.
    Cast(ExprId),
    /// `cond ? then : otherwise`; without `then` it is GNU's `cond ?: otherwise`.
    Conditional {
        /// The condition.
        cond: ExprId,
        /// The value if the condition is true; `None` stands for the condition's value.
        then: Option<ExprId>,
        /// The value if the condition is false.
        otherwise: ExprId,
    },
    /// `a, b, …`
    Comma(Vec<ExprId>),
    /// `sizeof e`
    SizeofExpr(ExprId),
    /// `sizeof(T)`
    SizeofType(QualType),
    /// `_Alignof(T)` or GNU's `__alignof__ e`
    Alignof(QualType),
    /// `(T){…}`
    CompoundLiteral(InitId),
    /// `({ … })` (GNU)
    StmtExpr(StmtId),
    /// `_Generic(control, …)`
    Generic {
        /// The controlling expression, not evaluated.
        control: ExprId,
        /// The associations; `default` has no type.
        arms: Vec<(Option<QualType>, ExprId)>,
        /// The selected arm, if it is known.
        chosen: Option<usize>,
    },
    /// `__builtin_va_arg(list, T)`: reads and advances the list.
    VaArg(ExprId),
    /// `__builtin_offsetof(T, …)`
    OffsetOf(QualType),
    /// A builtin that takes types (`__builtin_types_compatible_p`, `__builtin_choose_expr`, …):
    /// an integer constant to the weaver.
    TypeBuiltin,
    /// A remainder of an expression that became part of another node; no node contains it.
    Opaque,
}
