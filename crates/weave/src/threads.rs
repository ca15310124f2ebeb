//! Which functions run in which threads, and in how many at a time: decides where one flag is
//! enough and where instances have to be counted.

/// A call, or the start of a thread, in the body of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The function in whose body it stands.
    pub from: usize,
    /// The function that is called or started.
    pub to: usize,
    /// Whether one activation of `from` may execute it more than once.
    pub repeated: bool,
}

/// How often something may exist, saturating at "many".
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

/// What is known of every function's threads and activations.
#[derive(Clone, Debug)]
pub struct Threads {
    /// For each function: how often it is activated in a whole run, by calls and as a thread.
    pub activations: Vec<Count>,
    /// For each function: the roots (`main` and start routines) from which calls reach it.
    pub roots: Vec<Vec<usize>>,
    /// For each function: whether a call can lead from it back to it.
    pub recursive: Vec<bool>,
    /// For each function: how many threads are started with it.
    pub started: Vec<Count>,
    /// For each function: every function that calls reach from it, itself included.
    pub reaches: Vec<Vec<bool>>,
}

impl Threads {
    /// Follows calls and thread starts from `main`. O(functions · edges).
    pub fn new(functions: usize, main: usize, calls: &[Edge], starts: &[Edge]) -> Threads {
        let reaches = reachability(functions, calls);
        let recursive: Vec<bool> = (0..functions)
            .map(|f| calls.iter().any(|e| e.from == f && reaches[e.to][f]))
            .collect();
        let (activations, started) = count(functions, main, calls, starts, &recursive);
        let is_root = |f: usize| f == main || started[f] != Count::Zero;
        let roots = (0..functions)
            .map(|f| {
                (0..functions)
                    .filter(|&r| is_root(r) && reaches[r][f])
                    .collect()
            })
            .collect();
        Threads {
            activations,
            roots,
            recursive,
            started,
            reaches,
        }
    }

    /// Whether two activations of `f` may exist at the same time, in one thread or in several.
    pub fn several_instances(&self, f: usize) -> bool {
        self.recursive[f]
            || self.roots[f].len() > 1
            || self.roots[f]
                .iter()
                .any(|&r| self.started[r] == Count::Many)
    }

    /// Whether code of `f` runs in one thread only, and in which root it is.
    pub fn only_thread(&self, f: usize) -> Option<usize> {
        match self.roots[f][..] {
            [root] if self.started[root] != Count::Many => Some(root),
            _ => None,
        }
    }
}

fn reachability(functions: usize, calls: &[Edge]) -> Vec<Vec<bool>> {
    let mut successors = vec![Vec::new(); functions];
    for call in calls {
        successors[call.from].push(call.to);
    }
    (0..functions)
        .map(|start| {
            let mut seen = vec![false; functions];
            let mut stack = vec![start];
            while let Some(f) = stack.pop() {
                if !std::mem::replace(&mut seen[f], true) {
                    stack.extend(successors[f].iter().copied());
                }
            }
            seen
        })
        .collect()
}

/// The least fixpoint of activations: an activation of the caller gives one of the callee, or many
/// where the call is repeated; recursion gives many.
fn count(
    functions: usize,
    main: usize,
    calls: &[Edge],
    starts: &[Edge],
    recursive: &[bool],
) -> (Vec<Count>, Vec<Count>) {
    let mut activations = vec![Count::Zero; functions];
    let mut started = vec![Count::Zero; functions];
    loop {
        let through = |edges: &[Edge], f: usize, activations: &[Count]| {
            edges
                .iter()
                .filter(|e| e.to == f)
                .fold(Count::Zero, |sum, e| {
                    sum.plus(activations[e.from].times(e.repeated))
                })
        };
        let mut changed = false;
        for f in 0..functions {
            let by_start = through(starts, f, &activations);
            let mut total = through(calls, f, &activations).plus(by_start);
            if f == main {
                total = total.plus(Count::One);
            }
            if recursive[f] && total == Count::One {
                total = Count::Many;
            }
            changed |= total > activations[f] || by_start > started[f];
            activations[f] = activations[f].max(total);
            started[f] = started[f].max(by_start);
        }
        if !changed {
            return (activations, started);
        }
    }
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
