//! Follows all threads of a program to a fixed point: what each function is entered and left with,
//! which threads run besides.

use std::collections::HashMap;

use cfront::FunctionId;

use super::run::{in_unions, once, Run, Thread};
use super::state::{State, ThreadId};
use super::{arrays, flags, fresh};
use crate::facts::Facts;

impl<'a, 'u> Run<'a, 'u> {
    /// Follows a program from its main function.
    pub fn of(facts: &'a Facts<'u>, main: FunctionId) -> Run<'a, 'u> {
        let mut run = Run {
            facts,
            threads: Vec::new(),
            seen: Vec::new(),
            blind: None,
            in_unions: in_unions(facts),
            weaker: fresh::has_weaker_orders(facts),
            flags: flags::candidates(facts),
            once: once(facts, main),
            now: 0,
            exits: HashMap::new(),
            active: Vec::new(),
            recursive: false,
            known: HashMap::new(),
            changed: true,
            steps: 0,
            loops: arrays::loops(facts, &once(facts, main)),
        };
        run.thread(main, None, None, State::default());
        while std::mem::take(&mut run.changed) && run.blind.is_none() {
            run.exits.clear();
            run.seen.clear();
            run.known.clear();
            let mut next = 0;
            while next < run.threads.len() && run.blind.is_none() {
                run.follow(next);
                next += 1;
            }
        }
        run
    }

    fn follow(&mut self, thread: ThreadId) {
        self.now = thread;
        let Thread {
            function, entry, ..
        } = self.threads[thread].clone();
        let after = self.function(function, entry);
        self.ended(&after);
    }
}
