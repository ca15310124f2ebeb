//! What is true of the program and its propositions before anything is planned: control flow, effects of
//! writes and calls, threads, who reaches whom, what traces can show, and the state that a lasso compares.

pub mod call_edges;
pub mod effects;
pub mod flow;
pub mod influence;
pub mod live_locals;
pub mod object_shapes;
pub mod reachability;
pub mod signal_handlers;
pub mod state_slice;
pub mod thread_bound;
pub mod threads;
pub mod traced;
