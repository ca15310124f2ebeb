//! The project's own syntax tree: arenas of nodes with ids, exact spans, resolved names and types.
//!
//! Every node knows its parent. Spans are offsets into the preprocessed text
//! (`Unit::text`), except in fragments, whose spans are offsets into the fragment.

mod expr;
mod mark;
mod query;
mod stmt;

use std::collections::HashMap;

pub use expr::{BinaryOp, Expr, ExprKind, Resolved, UnaryOp};
pub use mark::{Mark, Marked};
pub use stmt::{BlockItem, ForInit, Header, Label, Stmt, StmtKind};

use crate::span::{
    Arena, DeclId, EnumId, ExprId, FunctionId, InitId, ObjectId, Offset, RecordId, ScopeId, Span,
    StmtId,
};
use crate::types::{QualType, Types};

/// A program: its declarations, functions, statements and expressions in arenas, each with a typed id and a span of the
/// preprocessed text; names are resolved and types known.
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
    /// Scopes; the first is the file scope of the first file. Each further file of a program has a
    /// file scope of its own (without parent).
    pub scopes: Arena<ScopeId, Scope>,
    /// Types.
    pub types: Types,
    /// File-scope items in the order of the text.
    pub items: Vec<Item>,
    /// Attributes of the program's declarations that have a meaning for the analysis.
    pub marks: Vec<Marked>,
    /// Words of the user's assembler text, in statements and at file scope, which may be names of
    /// objects with linkage.
    pub assembler_words: Vec<(String, Span)>,
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
    /// Its type, always [`crate::types::Type::Function`].
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
    /// The text from the first specifier to the closing brace.
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

/// Lifetime and linkage of an object.
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
    /// The function that declares it; `None` at file scope.
    pub function: Option<FunctionId>,
    /// The scope that declares it.
    pub scope: ScopeId,
    /// The name in the first declaration.
    pub name_span: Span,
    /// The declarator (without the initializer) in the first declaration.
    pub declarator: Span,
    /// All its declarations in order; a global may have several.
    pub decls: Vec<DeclId>,
    /// Its initializer.
    pub init: Option<InitId>,
    /// False if all declarations are `extern` without initializer: defined in another unit.
    pub defined: bool,
    /// Whether the first declaration lies in a system header.
    pub in_system_header: bool,
}

impl Object {
    /// Whether the object exists once for the whole run (or thread), not once for each call.
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
    /// The text from the first specifier to the `;`.
    pub span: Span,
    /// The declared entities, in order.
    pub declared: Vec<Declared>,
    /// The function that contains the declaration.
    pub function: Option<FunctionId>,
    /// The scope of the declaration.
    pub scope: ScopeId,
    /// The node around the declaration.
    pub parent: Parent,
    /// Expressions of array lengths and `typeof` in its specifiers and declarators. Those of
    /// variable lengths are evaluated when control reaches the declaration.
    pub type_exprs: Vec<ExprId>,
    /// `typedef`.
    pub is_typedef: bool,
}

/// One declarator of a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Declared {
    /// The declared entity.
    pub entity: Entity,
    /// The declarator, without the initializer.
    pub declarator: Span,
    /// The declared name.
    pub name: Span,
    /// The initializer.
    pub init: Option<InitId>,
}

/// The meanings of an ordinary identifier.
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
    /// The enclosing scope; `None` for file scope.
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

/// The node around a node.
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
    /// The expression or list.
    pub kind: InitKind,
    /// The node around the initializer.
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
