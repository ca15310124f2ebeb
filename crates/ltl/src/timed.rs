//! Operators with times, and counts of letters too long for automata, as small machines beside a formula.
//!
//! A time is a difference of a program's clock, which may grow by any number from one letter to the next: no automaton
//! over letters measures it. [`eliminate`] replaces such operators by propositions whose values [`Timer`]s give: each
//! remembers a few times and is a deterministic function of the letters and of the time that has passed
//! ([`Timer::machine`]). What remains is a formula without times, equivalent for every word and every clock.
//!
//! - A past operator is a proposition: its value.
//! - `G (p -> F[a,b] q)` is owed at each letter of `p`. That it comes too late is a proposition; that it may never come
//!   since the clock stands still is left to the formula that remains.
//! - `G (p -> G[a,b] q)` forbids `!q` in a window, which is a proposition, too.
//!
//! The value of a finite word is that of the word that repeats its last letter for ever, at its time. All propositions
//! here keep their values then, which the operands have to allow: see [`refusal`](Refused).

mod formula;
mod machine;
mod repeated;
mod timer;

pub use formula::{eliminate, Refused};
pub use machine::{Expression, Machine, Place};
pub use timer::{Edge, Measure, Rule, Timer};
