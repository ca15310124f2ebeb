//! Reading C: preprocessing, tokens, tree, scopes, types, control flow, labels.

pub mod diag;
pub mod span;
pub mod tree;
pub mod types;

pub use span::{
    Arena, DeclId, EnumId, ExprId, FunctionId, Id, InitId, ObjectId, Offset, RecordId, ScopeId,
    Span, StmtId, TypeId,
};
