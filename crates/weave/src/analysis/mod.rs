//! What is true of the program and its propositions before anything is planned: control flow, effects of
//! writes and calls, threads, who reaches whom, what traces can show, and the state that a lasso compares.

pub mod effects;
pub mod flow;
pub mod influence;
pub mod live_locals;
pub mod reachability;
pub mod state_slice;
pub mod threads;
pub mod traced;
