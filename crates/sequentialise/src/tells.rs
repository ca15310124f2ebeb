//! What threads of the step form report for traces: calls of a function that does nothing, with the number of what they do.

use std::fmt::Write as _;

use cfront::Span;

use crate::code::Lowered;
use crate::options::{Does, Tell, TELLING};
use crate::positions::{Placed, Stop};

/// The function that [`TELLING`] defines, before it is renamed.
pub(crate) const NAME: &str = "ba_seq_tells";

/// The numbers of reports: those of calls, then of positions where threads go on, of those where they wait for ever, and of those where
/// they stand after a step, to which the end of each thread is added.
pub(crate) struct Tells {
    /// For each thread, the numbers with which it reports something of its first position; empty if nothing is reported.
    firsts: Vec<First>,
}

/// The numbers with which a thread reports something of its first position.
#[derive(Clone, Copy)]
pub(crate) struct First {
    /// It goes on there.
    pub goes_on: usize,
    /// It waits there for ever.
    waits: usize,
    /// It stands there after a step.
    pub stands: usize,
}

impl Tells {
    /// Nothing is reported unless that is `wanted`.
    pub fn new(wanted: bool, lowered: &Lowered, placed: &[Placed]) -> Tells {
        if !wanted {
            return Tells { firsts: Vec::new() };
        }
        let all: usize = placed.iter().map(|p| p.end as usize).sum();
        let calls = lowered.tells.len();
        let mut before = 0;
        let first = |(thread, placed): (usize, &Placed)| {
            let first = First {
                goes_on: calls + before,
                waits: calls + all + before,
                stands: calls + 2 * all + before + thread,
            };
            before += placed.end as usize;
            first
        };
        Tells {
            firsts: placed.iter().enumerate().map(first).collect(),
        }
    }

    /// The numbers of a thread, if threads report anything.
    pub fn of(&self, thread: usize) -> Option<First> {
        self.firsts.get(thread).copied()
    }

    /// The function that is called.
    pub fn declare(&self, out: &mut String) {
        if !self.firsts.is_empty() {
            let _ = writeln!(out, "{TELLING} /* for traces */");
        }
    }

    /// At the end of a run: each thread that has not ended reports where it stands, and for what it waits.
    pub fn waiting(&self, placed: &[Placed], out: &mut String) {
        for (thread, (first, placed)) in self.firsts.iter().zip(placed).enumerate() {
            let first = first.waits;
            let _ = writeln!(
                out,
                "  if (ba_seq_on[{thread}] && ba_seq_pc[{thread}] != ba_seq_ends[{thread}]) switch (ba_seq_pc[{thread}]) {{"
            );
            for (at, stop) in placed.stops().enumerate() {
                if let Some(object) = stop.object.as_ref() {
                    let _ = writeln!(
                        out,
                        "    case {at}: {NAME}({}, {object}); break;",
                        first + at
                    );
                }
            }
            let _ = writeln!(
                out,
                "    default: {NAME}({first} + ba_seq_pc[{thread}], 0);\n  }}"
            );
        }
    }
}

/// All reports, by number.
pub(crate) fn all(lowered: &Lowered, placed: &[Placed]) -> Vec<Tell> {
    let stands = |does: fn(&Stop) -> Does| {
        let threads = placed.iter().zip(0..);
        threads.flat_map(move |(placed, thread)| {
            placed.stops().map(move |stop| Tell {
                thread,
                span: stop.span,
                does: does(stop),
            })
        })
    };
    let goes_on = stands(|stop| Does::GoesOn(stop.waits.is_some()));
    let waits = stands(|_| Does::Waits);
    let calls = lowered.tells.iter().cloned();
    let stops = placed.iter().zip(0..).flat_map(|(placed, thread)| {
        let does = |stop: &Stop| Does::Stands {
            waits: stop.waits.is_some(),
            spins: stop.spins,
        };
        let stops = placed.stops().map(move |stop| (stop.span, does(stop)));
        let last = placed.stops().last().map_or(Span::empty(0), |s| s.span);
        let all = stops.chain([(last, Does::Ends)]);
        all.map(move |(span, does)| Tell { thread, span, does })
    });
    calls.chain(goes_on).chain(waits).chain(stops).collect()
}
