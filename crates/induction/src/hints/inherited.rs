//! What variables know from others: values along copies, and bounds of what they are compared with.

use std::collections::BTreeSet;

use super::{element, Walk, RESULT};

/// The most copies and comparisons along which a variable takes over bounds.
const INHERITED: usize = 4;

/// The most bounds that a variable hands on with its value.
const FEW: usize = 4;

impl Walk<'_> {
    /// Propagates values along copies, up to a fixed point.
    pub(super) fn close(&mut self) {
        loop {
            let before = (self.out.assigned.clone(), self.out.open.clone());
            for (to, from) in self.out.copies.clone() {
                match self.out.assigned.get(&from).cloned() {
                    Some(values) if !self.out.open.contains(&from) => {
                        values.into_iter().for_each(|v| self.gets(&to, Some(v)));
                    }
                    _ => self.gets(&to, None),
                }
            }
            if before == (self.out.assigned.clone(), self.out.open.clone()) {
                return;
            }
        }
    }

    /// Gives variables the constants that the results of functions may have: often the bounds to which a function restricts a value.
    pub(super) fn returned(&mut self) {
        let is_result = |name: &str| name.ends_with(RESULT);
        let copies = self.out.copies.clone();
        let into = copies.iter().filter(|(to, _)| is_result(to));
        let from = copies.iter().filter(|(_, from)| is_result(from));
        for (to, from) in into.chain(from) {
            for c in self.out.constants.get(from).cloned().unwrap_or_default() {
                self.knows(to, c);
            }
        }
    }

    /// Gives variables bounds of those that they are compared with, along a few of them.
    pub(super) fn inherited(&mut self) {
        for _ in 0..INHERITED {
            self.inherit();
        }
    }

    /// Gives a variable without bounds of its own the constants of those that it is compared with. What it begins with is no bound of
    /// it: `int limit = 50;` gets the bounds of `n` by `if (n <= 1000) limit = n;`.
    fn inherit(&mut self) {
        let before = self.out.constants.clone();
        // An element is also one of those whose index is computed.
        let names = |name: &str| [name.to_string(), element(name)];
        let of = |name: &str| -> BTreeSet<i64> {
            let names = names(name);
            let all = names.iter().filter_map(|n| before.get(n));
            all.flatten().copied().collect()
        };
        let begins_with = |name: &str, c: i64| {
            let given = |n: &String| self.out.assigned.get(n).is_some_and(|all| all.contains(&c));
            let names = names(name);
            names.iter().any(|n| self.out.open.contains(n)) && names.iter().any(given)
        };
        let mut inherited = Vec::new();
        for (a, b) in &self.out.pairs {
            for (to, from) in [(a, b), (b, a)] {
                if of(to).iter().all(|c| *c == 0 || begins_with(to, *c)) {
                    inherited.extend(of(from).into_iter().map(|c| (to.clone(), c)));
                }
            }
        }
        // What is stored behind a test keeps its bounds, beside those that it has otherwise.
        for (to, from) in &self.out.copies {
            let bounds = of(from);
            if self.out.open.contains(to) && bounds.len() <= FEW {
                inherited.extend(bounds.into_iter().map(|c| (to.clone(), c)));
            }
        }
        for (to, c) in inherited {
            self.knows(&to, c);
        }
    }
}
