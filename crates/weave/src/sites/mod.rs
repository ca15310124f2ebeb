//! The planners: each finds the sites of one kind and plans the text that is woven there.

pub mod areas;
pub mod control;
pub mod environment;
pub mod lasso;
pub mod threads;
pub mod writes;
