//! Reads and validates specifications (JSON, formulas, lists of properties, tasks) and gives the
//! model that the other crates use. It also has the diagnostics of the whole tool.
//!
//! [`read`] takes the text of a specification file, [`from_ltl`] a formula from the command line.
//! Both find as many errors as they can, each with its place in the text.

pub mod diagnostic;
pub mod followed;
mod json;
mod list;
mod model;
mod param;
mod read;
mod sources;
mod target;
mod task;
mod wire;

pub use diagnostic::{render, render_from, Annotation, Diagnostic, Severity};
pub use json::Text;
pub use list::requirements::{
    places as requirement_places, read_alone as read_requirements, Stated,
};
pub use list::{has_annotations, unsupported, List, Reading};
pub use model::{
    matches_glob, Area, Assumption, Clock, Discards, Evaluation, Formula, Input, InputTarget,
    InputValues, Instances, Interrupt, Label, LabelPattern, Lasso, Machine, Property, Proposition,
    Reach, Register, RegisterReads, Remembered, Spec, Trace, WhichRegister,
};
pub use param::{is_identifier, Access, Param, ParamError};
pub use read::{formula_error, formula_warning, from_ltl, read, read_with_lists};
pub use sources::Sources;
pub use target::Target;
pub use task::{read_task, Task, TaskProperty};

/// The JSON Schema of specification files (draft 2020-12), for editors.
pub const SCHEMA: &str = include_str!("../schema.json");
