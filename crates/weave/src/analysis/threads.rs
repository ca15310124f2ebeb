//! Which functions run in which threads, and how many activations may exist at once. This decides where one
//! flag is enough and where instances have to be counted.

use crate::analysis::reachability::{Edge, Reach};

/// How often something may exist; more than once is "many".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Count {
    /// Never
    Zero,
    /// At most once
    One,
    /// Any number
    Many,
}

impl Count {
    fn plus(self, other: Count) -> Count {
        match (self, other) {
            (Count::Zero, x) | (x, Count::Zero) => x,
            _ => Count::Many,
        }
    }

    fn times(self, repeated: bool) -> Count {
        if repeated && self == Count::One {
            Count::Many
        } else {
            self
        }
    }
}

/// The threads and activations of every function.
#[derive(Clone, Debug)]
pub struct Threads {
    /// For each function: how often a run activates it, by calls and as a thread.
    pub activations: Vec<Count>,
    /// For each function: the roots (`main` and start routines) from which calls reach it.
    pub roots: Vec<Vec<usize>>,
    /// For each function: whether calls lead from it back to it.
    pub recursive: Vec<bool>,
    /// For each function: whether calls lead from it back to it, handlers of signals aside. Only such recursion
    /// is cut: model checkers do not explore interruptions by handlers.
    pub nested: Vec<bool>,
    /// For each function: how many threads are started with it.
    pub started: Vec<Count>,
    /// The functions that calls reach from each function.
    reach: Reach,
}

impl Threads {
    /// Follows calls and thread starts from `main`. Linear in the edges, apart from the sets of
    /// reached functions, see [`Reach::new`].
    pub fn new(functions: usize, main: usize, calls: &[Edge], starts: &[Edge]) -> Threads {
        let reach = Reach::new(functions, calls);
        let recursive: Vec<bool> = (0..functions).map(|f| reach.recursive(f)).collect();
        let (activations, started) = count(functions, main, calls, starts, &recursive);
        let is_root = |f: &usize| *f == main || started[*f] != Count::Zero;
        let all_roots: Vec<usize> = (0..functions).filter(is_root).collect();
        let roots_of = |f: usize| -> Vec<usize> {
            let roots = all_roots.iter().copied();
            roots.filter(|&r| reach.reaches(r, f)).collect()
        };
        let roots = (0..functions).map(roots_of).collect();
        Threads {
            activations,
            roots,
            nested: recursive.clone(),
            recursive,
            started,
            reach,
        }
    }

    /// Like [`Threads::new`], where `interruptions` are the calls by which signal handlers interrupt functions.
    pub fn interrupted(
        functions: usize,
        main: usize,
        calls: &[Edge],
        interruptions: &[Edge],
        starts: &[Edge],
    ) -> Threads {
        let undisturbed = Threads::new(functions, main, calls, starts);
        if interruptions.is_empty() {
            return undisturbed;
        }
        let all = [calls, interruptions].concat();
        Threads {
            nested: undisturbed.nested,
            ..Threads::new(functions, main, &all, starts)
        }
    }

    /// Whether calls lead from a function to another; every function reaches itself.
    pub fn reaches(&self, from: usize, to: usize) -> bool {
        self.reach.reaches(from, to)
    }

    /// Whether two activations of `f` may exist at the same time, in one thread or in several.
    pub fn several_instances(&self, f: usize) -> bool {
        self.recursive[f]
            || self.roots[f].len() > 1
            || self.roots[f]
                .iter()
                .any(|&r| self.started[r] == Count::Many)
    }

    /// The root of the only thread that runs code of `f`, if there is just one.
    pub fn only_thread(&self, f: usize) -> Option<usize> {
        match self.roots[f][..] {
            [root] if self.started[root] != Count::Many => Some(root),
            _ => None,
        }
    }
}

/// The least fixed point of activations: an activation of the caller adds one of the callee, or many if the
/// call is repeated; recursion adds many. Linear in the edges: the count of a function changes at most twice,
/// and each change adds to the counts of its successors.
fn count(
    functions: usize,
    main: usize,
    calls: &[Edge],
    starts: &[Edge],
    recursive: &[bool],
) -> (Vec<Count>, Vec<Count>) {
    let mut next: Vec<Vec<(Edge, bool)>> = vec![Vec::new(); functions];
    let edges = calls.iter().map(|&e| (e, false));
    for (edge, start) in edges.chain(starts.iter().map(|&e| (e, true))) {
        next[edge.from].push((edge, start));
    }
    let mut activations = vec![Count::Zero; functions];
    let mut started = vec![Count::Zero; functions];
    let mut work = vec![(main, Count::One)];
    while let Some((f, more)) = work.pop() {
        let before = activations[f];
        let mut total = before.plus(more);
        if recursive[f] {
            total = Count::Many;
        }
        if total == before {
            continue;
        }
        activations[f] = total;
        for &(edge, start) in &next[f] {
            // With a second activation, each edge adds one more.
            let given = match before {
                Count::Zero => total.times(edge.repeated),
                _ => Count::One,
            };
            if start {
                started[edge.to] = started[edge.to].plus(given);
            }
            work.push((edge.to, given));
        }
    }
    (activations, started)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(from: usize, to: usize) -> Edge {
        Edge {
            from,
            to,
            repeated: false,
        }
    }

    #[test]
    fn one_start_site_is_one_instance_and_two_are_several() {
        // 0 main, 1 worker, 2 helper of the worker
        let one = Threads::new(3, 0, &[edge(1, 2)], &[edge(0, 1)]);
        assert!(!one.several_instances(1) && !one.several_instances(2));
        assert_eq!(one.only_thread(2), Some(1));
        let two = Threads::new(3, 0, &[edge(1, 2)], &[edge(0, 1), edge(0, 1)]);
        assert!(two.several_instances(1) && two.several_instances(2));
        assert_eq!(two.only_thread(2), None);
    }

    #[test]
    fn a_start_in_a_loop_or_in_a_function_called_twice_is_many() {
        let in_loop = Edge {
            repeated: true,
            ..edge(0, 1)
        };
        assert_eq!(Threads::new(2, 0, &[], &[in_loop]).started[1], Count::Many);
        let twice = Threads::new(3, 0, &[edge(0, 2), edge(0, 2)], &[edge(2, 1)]);
        assert_eq!(twice.started[1], Count::Many);
        let once = Threads::new(3, 0, &[edge(0, 2)], &[edge(2, 1)]);
        assert_eq!(once.started[1], Count::One);
    }

    #[test]
    fn a_function_of_main_and_of_a_thread_has_several_instances() {
        let t = Threads::new(3, 0, &[edge(0, 2), edge(1, 2)], &[edge(0, 1)]);
        assert!(t.several_instances(2));
        assert!(!t.several_instances(1));
        assert_eq!(t.roots[2], vec![0, 1]);
    }

    #[test]
    fn recursion_is_found_through_other_functions() {
        let t = Threads::new(3, 0, &[edge(0, 1), edge(1, 2), edge(2, 1)], &[]);
        assert_eq!(t.recursive, vec![false, true, true]);
        assert!(t.several_instances(2));
        assert_eq!(t.activations[1], Count::Many);
    }
}
