//! Pairs of accesses that may be a race.

use std::collections::{BTreeMap, BTreeSet};

use cfront::Memory;

use super::parts::{self, are_of_different_threads, steps_are_apart, Step};
use super::run::Run;
use super::site::Seen;
use super::state::ThreadId;

impl Run<'_, '_> {
    /// The pairs of accesses that may be a race, by their numbers, the lesser first.
    pub fn pairs(&self) -> BTreeSet<(usize, usize)> {
        let mut by_memory: BTreeMap<Memory, Vec<usize>> = BTreeMap::new();
        let mut anywhere = Vec::new();
        for (index, seen) in self.seen.iter().enumerate() {
            if seen.touched.anything {
                anywhere.push(index);
            }
            for memory in &seen.touched.memory {
                by_memory.entry(*memory).or_default().push(index);
            }
        }
        let mut pairs = BTreeSet::new();
        let mut compare = |a: usize, b: usize| {
            let (a, b) = (a.min(b), a.max(b));
            if self.may_race(&self.seen[a], &self.seen[b]) {
                pairs.insert((a, b));
            }
        };
        for list in by_memory.values() {
            for (at, &a) in list.iter().enumerate() {
                for &b in &list[at..] {
                    compare(a, b);
                }
            }
        }
        for &a in &anywhere {
            for b in 0..self.seen.len() {
                compare(a, b);
            }
        }
        pairs
    }

    fn may_race(&self, a: &Seen, b: &Seen) -> bool {
        (a.site.writes || b.site.writes)
            && !(a.site.atomic && b.site.atomic)
            && !(a.own && b.own)
            && !(self.is_handler(a.thread) || self.is_handler(b.thread))
            && !is_protected(a, b)
            && !self.are_apart(a, b)
            && self.may_meet(a, b)
    }

    /// Whether a thread stands for an interrupt handler, which is no thread of C.
    fn is_handler(&self, thread: ThreadId) -> bool {
        let function = self.threads[thread].function;
        let name = self.facts.tree.functions[function].names.first();
        let file = name.map(|name| self.facts.unit.source.lines.line(name.start).0);
        file == Some(cfront::interrupts::FILE)
    }

    fn are_apart(&self, a: &Seen, b: &Seen) -> bool {
        let by_path = match (&a.path, &b.path) {
            (Some(a), Some(b)) => a.memory != b.memory || steps_are_apart(&a.steps, &b.steps),
            _ => false,
        };
        let started = |seen: &Seen| self.threads[seen.thread].created_at;
        let by_number = match (&a.path, &b.path, started(a)) {
            // They are of different threads, since one does not race with itself.
            (Some(p), Some(q), Some(call)) if started(b) == Some(call) => {
                let one = p.memory == q.memory && self.is_single(p.memory);
                one && are_of_different_threads(&p.steps, &q.steps, call)
            }
            _ => false,
        };
        by_path
            || by_number
            || self.is_of_no_other(a, b)
            || self.is_of_no_other(b, a)
            || self.are_apart_in_record(a, b)
    }

    /// Whether the first one accesses the element that its thread has for itself, and the second one is the creator's, of the element of
    /// a thread that it has not started yet, or that has ended.
    fn is_of_no_other(&self, a: &Seen, b: &Seen) -> bool {
        let thread = &self.threads[a.thread];
        let (Some(call), true) = (thread.created_at, thread.creator == Some(b.thread)) else {
            return false;
        };
        let (Some(p), Some(q), Some(numbered)) = (&a.path, &b.path, self.loops.numbered.get(&call))
        else {
            return false;
        };
        let one = p.memory == q.memory && self.is_single(p.memory);
        one && parts::is_of_no_other(&p.steps, &q.steps, (call, numbered.bit))
    }

    /// Whether both are different members of a structure of one type: two objects of one type are one,
    /// or do not overlap.
    fn are_apart_in_record(&self, a: &Seen, b: &Seen) -> bool {
        let record = |step: &Step| match step {
            Step::Member(record, _) if !self.in_unions.contains(record) => Some(*record),
            _ => None,
        };
        let of = |seen: &Seen| match &seen.path {
            Some(path) => path.steps.clone(),
            None => seen.suffix.clone(),
        };
        let (a, b) = (of(a), of(b));
        (0..a.len()).any(|i| {
            let Some(r) = record(&a[i]) else { return false };
            let same = b.iter().position(|step| record(step) == Some(r));
            same.is_some_and(|j| steps_are_apart(&a[i..], &b[j..]))
        })
    }

    fn may_meet(&self, a: &Seen, b: &Seen) -> bool {
        let (x, y) = (a.thread, b.thread);
        if self.threads[x].any_time || self.threads[y].any_time {
            return true;
        }
        let (up, across) = (self.line(x), self.line(y));
        let shared = up.iter().zip(&across).take_while(|(p, q)| p == q).count();
        if shared == 0 || up[..shared].iter().any(|&t| self.is_many(t)) {
            return true;
        }
        let meets =
            |live: &BTreeSet<ThreadId>, line: &[ThreadId]| line.iter().any(|t| live.contains(t));
        match (&up[shared..], &across[shared..]) {
            ([], []) => false,
            ([], below) => meets(&a.live, below),
            (below, []) => meets(&b.live, below),
            (left, right) => {
                meets(&self.threads[left[0]].created_with, right)
                    || meets(&self.threads[right[0]].created_with, left)
            }
        }
    }

    /// Whether several of the threads may run at once.
    fn is_many(&self, thread: ThreadId) -> bool {
        self.threads[thread].created_with.contains(&thread)
    }

    /// The creators of a thread, the main one first, and the thread itself.
    fn line(&self, thread: ThreadId) -> Vec<ThreadId> {
        let mut line = vec![thread];
        let mut at = thread;
        while let Some(creator) = self.threads[at].creator {
            line.push(creator);
            at = creator;
        }
        line.reverse();
        line
    }
}

/// Whether both threads hold what only one of them can hold then.
fn is_protected(a: &Seen, b: &Seen) -> bool {
    let common = a.held.iter().any(|(lock, alone)| match b.held.get(lock) {
        Some(also) => !lock.is_relative() && (*alone || *also),
        None => false,
    });
    // The lock stands beside the access in its object: if that is one object, it is one lock.
    let first = |seen: &Seen| match seen.suffix.first() {
        Some(Step::Member(record, _)) => Some(*record),
        _ => None,
    };
    let beside = first(a).is_some() && first(a) == first(b);
    common
        || (beside && a.under.iter().any(|steps| b.under.contains(steps)))
        || (of_one_array(a, b) && !a.indexed.is_disjoint(&b.indexed))
}

/// Whether both access elements of one array: if they are the same element, the indices are the same.
fn of_one_array(a: &Seen, b: &Seen) -> bool {
    let array = |seen: &Seen| {
        let path = seen.path.as_ref()?;
        let first = path.steps.iter().position(Step::varies)?;
        Some((path.memory, path.steps[..first].to_vec()))
    };
    array(a).is_some() && array(a) == array(b)
}
