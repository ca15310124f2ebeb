//! The plans and facts of small programs: a program and a specification go in, the plan comes out.
//! `UPDATE_EXPECT=1 cargo test -p baproduct-weave --test plans` writes the new plans into these files.
#![allow(clippy::unwrap_used)]

mod given;

mod analysis;
mod areas;
mod bind;
mod collect;
mod control;
mod environment;
mod lasso;
mod threads;
mod writes;
