//! The project's own syntax tree: arenas of nodes with ids, exact spans, resolved names and types.
//!
//! Every node knows its parent. Spans are offsets into the preprocessed text
//! (`Unit::text`), except in fragments, whose spans are offsets into the fragment.

use std::collections::HashMap;

use crate::span::{
    Arena, DeclId, EnumId, ExprId, FunctionId, Id, InitId, ObjectId, Offset, RecordId, ScopeId,
    Span, StmtId,
};
use crate::types::{QualType, Type, Types};

/// A translation unit.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Functions, declared or defined, those of system headers included.
    pub functions: Arena<FunctionId, Function>,
    /// Variables and parameters.
    pub objects: Arena<ObjectId, Object>,
    /// Expressions.
    pub exprs: Arena<ExprId, Expr>,
    /// Statements.
    pub stmts: Arena<StmtId, Stmt>,
    /// Declarations of blocks, `for` headers and file scope.
    pub decls: Arena<DeclId, Decl>,
    /// Initializers.
    pub inits: Arena<InitId, Init>,
    /// Scopes; the first is file scope. Each further file of a program has one without parent.
    pub scopes: Arena<ScopeId, Scope>,
    /// Types.
    pub types: Types,
    /// File-scope items in the order of the text.
    pub items: Vec<Item>,
}

/// A file-scope item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item {
    /// A declaration.
    Decl(DeclId),
    /// A function definition.
    Function(FunctionId),
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its type, always [`Type::Function`].
    pub ty: QualType,
    /// `static`: not visible in other translation units.
    pub is_static: bool,
    /// `inline` in any spelling.
    pub is_inline: bool,
    /// `_Noreturn` or `__attribute__((noreturn))` on some declaration.
    pub is_noreturn: bool,
    /// The definition, if this unit has it.
    pub body: Option<Body>,
    /// The name in each declaration and the definition.
    pub names: Vec<Span>,
    /// Whether the first declaration lies in a system header, or there is none.
    pub in_system_header: bool,
    /// Called without a declaration (C89): the type is `int ()`.
    pub implicit: bool,
}

/// The definition of a function.
#[derive(Clone, Debug)]
pub struct Body {
    /// From the first specifier to the closing brace.
    pub span: Span,
    /// The declarator, that is name and parameter list.
    pub declarator: Span,
    /// The compound statement.
    pub block: StmtId,
    /// Parameters in order.
    pub params: Vec<ObjectId>,
    /// The scope of the parameters, whose child is the scope of the block.
    pub scope: ScopeId,
    /// Whether the definition has an identifier list (K&R).
    pub old_style: bool,
}

/// How long an object lives and who sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Storage {
    /// File scope with external linkage, or declared `extern` in a block.
    Global,
    /// File scope, `static`.
    FileStatic,
    /// In a block or a `for` header, automatic; `register` included.
    Local,
    /// In a block, `static`.
    StaticLocal,
    /// A parameter of a function definition.
    Parameter,
}

/// A variable or a parameter of a function definition.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// Its type, completed by later declarations and by the initializer (`int a[] = {1, 2};`).
    pub ty: QualType,
    /// Lifetime and linkage.
    pub storage: Storage,
    /// `_Thread_local` or `__thread`: one for each thread.
    pub thread_local: bool,
    /// `register`: its address cannot be taken.
    pub register: bool,
    /// The function it is declared in; nothing at file scope.
    pub function: Option<FunctionId>,
    /// The scope it is declared in.
    pub scope: ScopeId,
    /// The name in its first declaration.
    pub name_span: Span,
    /// The declarator (without the initializer) in its first declaration.
    pub declarator: Span,
    /// Every declaration of it, in order: several for globals.
    pub decls: Vec<DeclId>,
    /// Its initializer.
    pub init: Option<InitId>,
    /// False if all declarations are `extern` without initializer: defined in another unit.
    pub defined: bool,
    /// Whether the first declaration lies in a system header.
    pub in_system_header: bool,
}

impl Object {
    /// Whether it exists once for the whole run (or thread), not once for each call.
    pub fn is_static_duration(&self) -> bool {
        matches!(
            self.storage,
            Storage::Global | Storage::FileStatic | Storage::StaticLocal
        )
    }
}

/// A declaration with all its declarators.
#[derive(Clone, Debug)]
pub struct Decl {
    /// From the first specifier to the `;`.
    pub span: Span,
    /// What it declares, in order.
    pub declared: Vec<Declared>,
    /// The function it stands in.
    pub function: Option<FunctionId>,
    /// The scope it stands in.
    pub scope: ScopeId,
    /// What it stands in.
    pub parent: Parent,
    /// Expressions of array lengths and `typeof` in its specifiers and declarators; those of
    /// variable lengths are evaluated where the declaration stands.
    pub type_exprs: Vec<ExprId>,
    /// `typedef`.
    pub is_typedef: bool,
}

/// One declarator of a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Declared {
    /// What it is.
    pub entity: Entity,
    /// The declarator, without the initializer.
    pub declarator: Span,
    /// The declared name.
    pub name: Span,
    /// The initializer.
    pub init: Option<InitId>,
}

/// What an ordinary identifier can stand for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Entity {
    /// A variable or parameter.
    Object(ObjectId),
    /// A function.
    Function(FunctionId),
    /// A type name.
    Typedef(QualType),
    /// An enumeration constant: its type and place in the list.
    EnumConst(EnumId, usize),
}

/// A tag of a scope.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tag {
    /// `struct` or `union`.
    Record(RecordId),
    /// `enum`.
    Enum(EnumId),
}

/// A region of the text with its own names.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The enclosing scope; nothing for file scope.
    pub parent: Option<ScopeId>,
    /// The function it belongs to.
    pub function: Option<FunctionId>,
    /// The text it covers.
    pub span: Span,
    /// Ordinary identifiers, each with the offset from which it is visible.
    pub names: HashMap<String, Vec<(Offset, Entity)>>,
    /// Tags, each with the offset from which it is visible.
    pub tags: HashMap<String, (Offset, Tag)>,
}

/// What a node stands in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Parent {
    /// At file scope.
    File,
    /// The body of this function.
    Function(FunctionId),
    /// Directly in this statement.
    Stmt(StmtId),
    /// Directly in this expression.
    Expr(ExprId),
    /// In the type of this declaration (array length, `typeof`, static assertion).
    Decl(DeclId),
    /// In this initializer.
    Init(InitId),
    /// A declarator of this declaration, or the outermost brace of an initializer list.
    Declarator(DeclId, usize),
    /// In a type definition or another place of file scope that is never evaluated at run time.
    Constant,
    /// In a fragment: a condition of the specification.
    Fragment,
}

/// An initializer.
#[derive(Clone, Debug)]
pub struct Init {
    /// The expression, or the list with its braces.
    pub span: Span,
    /// What it is.
    pub kind: InitKind,
    /// What it stands in.
    pub parent: Parent,
}

/// The two forms of initializers.
#[derive(Clone, Debug)]
pub enum InitKind {
    /// An expression.
    Expr(ExprId),
    /// A list in braces.
    List(Vec<InitItem>),
}

/// An element of an initializer list.
#[derive(Clone, Debug)]
pub struct InitItem {
    /// `.m`, `[i]` and `[a ... b]` before the `=`.
    pub designators: Vec<Designator>,
    /// The value.
    pub value: InitId,
}

/// A designator of an initializer list or of `offsetof`.
#[derive(Clone, Debug)]
pub enum Designator {
    /// `.name`
    Member(String),
    /// `[i]`
    Index(ExprId),
    /// `[from ... to]` (GNU)
    Range(ExprId, ExprId),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its text, with the parentheses around it.
    pub span: Span,
    /// Its text without parentheses around it.
    pub bare: Span,
    /// Its type, before any conversion (an array is still an array).
    pub ty: QualType,
    /// What it stands in.
    pub parent: Parent,
    /// In an operand of `sizeof`, `typeof` or `_Alignof`, or a part of `_Generic` that is not
    /// chosen: never evaluated. An operand whose type has a variable length counts as evaluated.
    pub unevaluated: bool,
}

/// What a name in an expression stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Resolved {
    /// A variable or parameter.
    Object(ObjectId),
    /// A function.
    Function(FunctionId),
    /// An enumeration constant and its value, where known.
    EnumConst(EnumId, Option<i128>),
    /// `__func__` and its like, `__builtin_…` without a declaration, or undeclared.
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

/// Unary operators that neither write nor touch addresses.
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
    /// `lhs = rhs` (`op` is nothing) or `lhs op= rhs`.
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
        /// What is called.
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
        /// The member indices from the outermost record inwards (anonymous members on the way);
        /// empty if the type is not known.
        path: Vec<(RecordId, usize)>,
    },
    /// `base[index]`
    Index {
        /// What stands before the bracket.
        base: ExprId,
        /// What stands in it.
        index: ExprId,
    },
    /// `*operand`
    Deref(ExprId),
    /// `&operand`
    AddressOf(ExprId),
    /// `&&label` (GNU)
    LabelAddress(String),
    /// `(T)operand`; also `__builtin_bit_cast`-like forms are not casts.
    Cast(ExprId),
    /// `cond ? then : otherwise`; without `then` it is GNU's `cond ?: otherwise`.
    Conditional {
        /// The condition.
        cond: ExprId,
        /// The value if it holds; nothing means the condition's value.
        then: Option<ExprId>,
        /// The value if it does not hold.
        otherwise: ExprId,
    },
    /// `a, b, …`
    Comma(Vec<ExprId>),
    /// `sizeof e`
    SizeofExpr(ExprId),
    /// `sizeof(T)`
    SizeofType(QualType),
    /// `_Alignof(T)` or GNU's `__alignof__ e`
    Alignof,
    /// `(T){…}`
    CompoundLiteral(InitId),
    /// `({ … })` (GNU)
    StmtExpr(StmtId),
    /// `_Generic(control, …)`
    Generic {
        /// The controlling expression, not evaluated.
        control: ExprId,
        /// The associations; the type is nothing for `default`.
        arms: Vec<(Option<QualType>, ExprId)>,
        /// The arm that is chosen, where this can be told.
        chosen: Option<usize>,
    },
    /// `__builtin_va_arg(list, T)`: reads and advances the list.
    VaArg(ExprId),
    /// `__builtin_offsetof(T, …)`
    OffsetOf,
    /// A builtin that takes types (`__builtin_types_compatible_p`, `__builtin_choose_expr`, …):
    /// an integer constant to the weaver.
    TypeBuiltin,
    /// What is left of an expression that became something else; it stands nowhere.
    Opaque,
}

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
    },
}

impl Tree {
    /// File scope.
    pub fn file_scope(&self) -> ScopeId {
        ScopeId::from_index(0)
    }

    /// What `name` means in `scope` at `offset`, in the name space of ordinary identifiers.
    pub fn lookup(&self, scope: ScopeId, offset: Offset, name: &str) -> Option<Entity> {
        let mut at = Some(scope);
        while let Some(id) = at {
            let scope = &self.scopes[id];
            if let Some(found) = scope.names.get(name) {
                if let Some((_, e)) = found.iter().rev().find(|(from, _)| *from <= offset) {
                    return Some(*e);
                }
            }
            at = scope.parent;
        }
        None
    }

    /// The object that `name` means in `scope` at `offset`; nothing if it is hidden by another
    /// kind of name or not declared yet.
    pub fn visible_at(&self, scope: ScopeId, offset: Offset, name: &str) -> Option<ObjectId> {
        match self.lookup(scope, offset, name)? {
            Entity::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The tag that `name` means in `scope` at `offset`.
    pub fn lookup_tag(&self, scope: ScopeId, offset: Offset, name: &str) -> Option<Tag> {
        let mut at = Some(scope);
        while let Some(id) = at {
            let scope = &self.scopes[id];
            if let Some((from, tag)) = scope.tags.get(name) {
                if *from <= offset {
                    return Some(*tag);
                }
            }
            at = scope.parent;
        }
        None
    }

    /// The innermost scope that covers `offset`.
    pub fn scope_at(&self, offset: Offset) -> ScopeId {
        let mut best = self.file_scope();
        // Scopes are created outside in, so the last one that covers the offset is the innermost.
        for (id, scope) in self.scopes.iter() {
            if scope.span.contains(offset) {
                best = id;
            }
        }
        best
    }

    /// The function with this name, whatever its linkage.
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        self.functions
            .iter()
            .find(|(_, f)| f.name == name)
            .map(|(id, _)| id)
    }

    /// The functions that this unit defines, in the order of the text.
    pub fn defined_functions(&self) -> impl Iterator<Item = (FunctionId, &Function, &Body)> {
        self.items.iter().filter_map(|item| match item {
            Item::Function(id) => {
                let function = &self.functions[*id];
                function.body.as_ref().map(|body| (*id, function, body))
            }
            Item::Decl(_) => None,
        })
    }

    /// The objects declared in a function, parameters first, in the order of the text.
    pub fn objects_of(&self, function: FunctionId) -> Vec<ObjectId> {
        let mut found: Vec<ObjectId> = self
            .objects
            .iter()
            .filter(|(_, o)| o.function == Some(function))
            .map(|(id, _)| id)
            .collect();
        found.sort_by_key(|&id| self.objects[id].name_span.start);
        found
    }

    /// The type behind a qualified type.
    pub fn type_of(&self, ty: QualType) -> &Type {
        self.types.get(ty)
    }

    /// The statement that an expression, declaration or initializer belongs to: the innermost one.
    pub fn statement_of(&self, mut at: Parent) -> Option<StmtId> {
        loop {
            at = match at {
                Parent::Stmt(id) => return Some(id),
                Parent::Expr(id) => self.exprs[id].parent,
                Parent::Init(id) => self.inits[id].parent,
                Parent::Decl(id) | Parent::Declarator(id, _) => self.decls[id].parent,
                Parent::File | Parent::Function(_) | Parent::Constant | Parent::Fragment => {
                    return None
                }
            }
        }
    }

    /// The function that a node stands in.
    pub fn function_of(&self, mut at: Parent) -> Option<FunctionId> {
        loop {
            at = match at {
                Parent::Function(id) => return Some(id),
                Parent::Stmt(id) => return self.stmts[id].function,
                Parent::Expr(id) => self.exprs[id].parent,
                Parent::Init(id) => self.inits[id].parent,
                Parent::Decl(id) | Parent::Declarator(id, _) => return self.decls[id].function,
                Parent::File | Parent::Constant | Parent::Fragment => return None,
            }
        }
    }

    /// The expressions directly inside an expression, in the order of the text, those in a
    /// statement expression's statements not included.
    pub fn children(&self, id: ExprId) -> Vec<ExprId> {
        let mut out = Vec::new();
        match &self.exprs[id].kind {
            ExprKind::Assign { lhs, rhs, .. } => out.extend([*lhs, *rhs]),
            ExprKind::IncDec { operand, .. } => out.push(*operand),
            ExprKind::Unary(_, e)
            | ExprKind::Deref(e)
            | ExprKind::AddressOf(e)
            | ExprKind::Cast(e)
            | ExprKind::SizeofExpr(e)
            | ExprKind::VaArg(e) => out.push(*e),
            ExprKind::Binary(_, a, b) => out.extend([*a, *b]),
            ExprKind::Call { callee, args, .. } => {
                out.push(*callee);
                out.extend(args);
            }
            ExprKind::Member { base, .. } => out.push(*base),
            ExprKind::Index { base, index } => out.extend([*base, *index]),
            ExprKind::Conditional {
                cond,
                then,
                otherwise,
            } => {
                out.push(*cond);
                out.extend(then);
                out.push(*otherwise);
            }
            ExprKind::Comma(list) => out.extend(list),
            ExprKind::CompoundLiteral(init) => self.init_exprs(*init, &mut out),
            ExprKind::Generic { control, arms, .. } => {
                out.push(*control);
                out.extend(arms.iter().map(|(_, e)| *e));
            }
            ExprKind::Ident(_)
            | ExprKind::Int(_)
            | ExprKind::Float
            | ExprKind::Char(_)
            | ExprKind::Str(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::SizeofType(_)
            | ExprKind::Alignof
            | ExprKind::StmtExpr(_)
            | ExprKind::OffsetOf
            | ExprKind::TypeBuiltin
            | ExprKind::Opaque => {}
        }
        out
    }

    /// The outermost expressions of an initializer, designators included, in the text's order.
    pub fn init_exprs(&self, id: InitId, out: &mut Vec<ExprId>) {
        match &self.inits[id].kind {
            InitKind::Expr(e) => out.push(*e),
            InitKind::List(items) => {
                for item in items {
                    for designator in &item.designators {
                        match designator {
                            Designator::Member(_) => {}
                            Designator::Index(e) => out.push(*e),
                            Designator::Range(a, b) => out.extend([*a, *b]),
                        }
                    }
                    self.init_exprs(item.value, out);
                }
            }
        }
    }

    /// The object at the root of an lvalue path (`x`, `x.m`, `x[i]` of an array, `(x)`), and
    /// whether the path goes through a pointer on its way (then the object is the pointer's).
    pub fn root(&self, mut id: ExprId) -> (Option<ObjectId>, bool) {
        let mut through_pointer = false;
        loop {
            match &self.exprs[id].kind {
                ExprKind::Ident(Resolved::Object(object)) => {
                    return (Some(*object), through_pointer)
                }
                ExprKind::Member { base, arrow, .. } => {
                    through_pointer |= *arrow;
                    id = *base;
                }
                ExprKind::Index { base, index } => {
                    let array =
                        |e: ExprId| matches!(self.types.get(self.exprs[e].ty), Type::Array(..));
                    let pointer =
                        |e: ExprId| matches!(self.types.get(self.exprs[e].ty), Type::Pointer(..));
                    // `2[a]` is `a[2]`.
                    id = if array(*index) || pointer(*index) {
                        *index
                    } else {
                        *base
                    };
                    through_pointer |= !array(id);
                }
                ExprKind::Deref(e) => {
                    through_pointer |=
                        !matches!(self.types.get(self.exprs[*e].ty), Type::Array(..));
                    id = *e;
                }
                _ => return (None, through_pointer),
            }
        }
    }
}
