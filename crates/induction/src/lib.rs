//! Proofs about runs of any length, as C programs that a bounded model checker decides.
//!
//! Every cycle of a program's control flow is cut at a *head*. The emitted text makes each head an
//! induction step: where control arrives first, invariants are asserted, the state is forgotten, the
//! invariants are assumed; where it arrives again, they are asserted, and the run ends. So the program
//! makes one round of each loop from any state that the invariants allow, and its runs are finite.
//!
//! What happens between two heads is an *edge*. An infinite run follows edges for ever, so it stays in
//! a strongly connected component of the graph of edges in the end; ranking functions show which
//! edges it can take only finitely often ([`ranking`]).
//!
//! The crate knows nothing of temporal logic: what marks an edge is an expression that it is given. It is
//! pure; [`Houdini`](crate::houdini) is told what the model checker answered.

pub mod candidates;
pub mod emit;
pub mod hints;
pub mod houdini;
pub mod rank;
pub mod ranking;
pub mod split;
pub mod strongest;
pub mod system;

pub use hints::Hints;
pub use system::{Cut, Kind, System, Variable};
