//! The program as plain types: places in memory, types and their spelling, names, and the flat lists of sites
//! that [`crate::collect`] fills. Also the interface of a woven program: the record in its last comment, and
//! the bits that choose its assertions.

pub mod assertion;
pub mod check;
pub mod files;
pub mod heads;
pub mod loops;
mod macros;
pub mod names;
pub mod options;
pub mod places;
mod program;
pub mod record;
pub mod remarks;
pub mod spelling;
pub mod sync_types;
pub mod text;
pub mod types;

pub use macros::Macros;
pub use program::*;
