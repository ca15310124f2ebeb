//! Proofs about runs of any length, as C programs that a bounded model checker decides.
//!
//! Every cycle of a program's control flow is cut at a *head*. The emitted text makes each head an induction
//! step. On the first arrival, invariants are asserted, the state is forgotten, and the invariants are assumed;
//! on the next arrival they are asserted again, and the run ends. So the program runs each loop once from any
//! state that the invariants allow, and its runs are finite.
//!
//! The start of a recursive function can be a head, too. Then a call either returns, and its effect is any that the claims about
//! returns allow; or it is followed and does not return. A run that follows a call checks these claims where it would return.
//!
//! The part of a run between two heads is an *edge*. An infinite run follows infinitely many edges, so it
//! finally stays in a strongly connected component of the graph of edges; ranking functions show which edges it
//! can take only finitely often ([`ranking`]).
//!
//! The crate has no temporal logic: the caller gives the expressions that mark edges. It is pure; the caller
//! tells [`Houdini`](crate::houdini) the model checker's answers.

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
pub use system::{Cut, Entry, Kind, System, Target, Variable};
