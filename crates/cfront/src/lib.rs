//! Reading C: preprocessing, tokens, tree, scopes, types, control flow, labels.
//!
//! [`preprocess::preprocess`] runs the preprocessor and gives a [`source::Source`]; [`Unit::parse`]
//! reads the source into a [`tree::Tree`] with exact spans, resolved names and types. Everything
//! but `preprocess` is pure.

pub mod access;
pub mod alias;
pub mod allocations;
pub mod arguments;
mod assembler;
pub mod atomics;
pub mod calls;
pub mod consteval;
pub mod counted_loops;
pub mod data_model;
pub mod diag;
pub mod edit;
pub mod effects;
pub mod entries;
pub mod enumerations;
pub mod errno;
pub mod file_text;
pub mod filled_members;
pub mod flow;
pub mod fragment;
pub mod fresh;
pub mod host;
mod implicit;
pub mod integers;
pub mod interrupts;
pub mod jumps;
mod layout;
pub mod library;
pub mod linemap;
pub mod literal;
pub mod loop_conditions;
pub mod lost_effects;
mod lower;
pub mod machines;
pub mod macros;
pub mod memory_model;
pub mod merge;
pub mod model_dependence;
pub mod narrow_model;
pub mod outlived;
pub mod output;
pub mod outside;
pub mod own_layouts;
mod parse;
pub mod places;
pub mod plain;
pub mod preprocess;
pub mod ranges;
pub mod registers;
mod remarks;
mod returning;
mod rewriting;
pub mod settle;
mod shadow;
pub mod signals;
pub mod slice;
pub mod source;
pub mod span;
pub mod stepped;
pub mod streams;
pub mod summary;
pub mod token;
pub mod tree;
pub mod types;
pub mod unchecked;
pub mod unions;
pub mod unordered;
pub mod unsequenced;

pub use alias::{Aliases, Assumptions, Locations, Memory, PointsTo};
pub use assembler::{any_outputs, barriers, without_privileged, AnyOutputs, Barrier};
pub use calls::CallGraph;
pub use diag::{Diagnostic, Place, Severity};
pub use edit::{EditError, Edits};
pub use effects::Effects;
pub use flow::Flow;
pub use fragment::{Fragment, FragmentName, View};
pub use lower::MAX_DEPTH;
pub use output::{Headers, OutputOptions};
pub use parse::{Unit, WALK_STACK};
pub use rewriting::{Native, Substituted};
pub use source::Source;
pub use span::{
    Arena, DeclId, EnumId, ExprId, FunctionId, Id, InitId, ObjectId, Offset, RecordId, ScopeId,
    Span, StmtId, TypeId,
};
