//! The call graph: which function calls, starts or interrupts which.

use crate::analysis::reachability::Edge;
use crate::facts::{Facts, FunctionIndex};
use crate::library::starts_thread;
use crate::library::synchronisation::routine;

/// The calls and thread starts of a program. A call through a pointer may reach every function whose address is
/// taken, through one extra node numbered after the functions.
pub fn edges(facts: &Facts, main: FunctionIndex) -> (Vec<Edge>, Vec<Edge>) {
    let taken: Vec<FunctionIndex> = (0..facts.functions.len())
        .filter(|&f| facts.functions[f].address_taken.is_some())
        .collect();
    let (mut calls, mut starts) = (Vec::new(), Vec::new());
    let mut indirect = false;
    let any = facts.functions.len();
    calls.extend(taken.iter().map(|&to| Edge {
        from: any,
        to,
        repeated: false,
    }));
    for call in &facts.calls {
        let edge = |to| Edge {
            from: call.function,
            to,
            repeated: call.repeated,
        };
        match (call.target, call.callee.as_deref()) {
            (Some(target), _) => calls.push(edge(target)),
            (None, Some(name)) if starts_thread(name) => match routine(call) {
                Some(routine) => starts.push(edge(routine)),
                None => starts.extend(taken.iter().map(|&f| Edge {
                    repeated: true,
                    ..edge(f)
                })),
            },
            // `call_once` and the like call the routine here.
            (None, Some(_)) if routine(call).is_some() => calls.extend(routine(call).map(edge)),
            (None, None) => {
                indirect = true;
                calls.push(edge(any));
            }
            (None, Some(_)) => {
                // A library function such as `qsort` may call the functions that it is given at any time.
                let given = call.argument_functions.iter().flatten();
                calls.extend(given.map(|&f| Edge {
                    repeated: true,
                    ..edge(f)
                }));
            }
        }
    }
    calls.extend(of_handlers(facts, main));
    calls.extend(of_destructors(facts, main, &starts));
    if !indirect {
        // Nobody here calls the extra node; a library function may, for the program passes addresses to it.
        calls.push(Edge {
            from: main,
            to: any,
            repeated: true,
        });
    }
    (calls, starts)
}

/// Edges to handlers registered for the end of the process, from every place where the process ends.
fn of_handlers(facts: &Facts, main: FunctionIndex) -> impl Iterator<Item = Edge> + '_ {
    let handlers = crate::library::ends::all_handlers(facts).into_iter();
    handlers.flat_map(move |to| {
        let exits = facts.calls.iter().filter(|c| c.exits);
        let ends = exits.map(|c| c.function).chain([main]);
        ends.map(move |from| Edge {
            from,
            to,
            repeated: false,
        })
    })
}

/// Edges to the destructors of thread-specific data, from every routine of a thread.
fn of_destructors(facts: &Facts, main: FunctionIndex, starts: &[Edge]) -> Vec<Edge> {
    let threads = starts.iter().map(|start| start.to).chain([main]);
    let destructors = destructors(facts);
    let of_thread = |from| {
        let called = destructors.iter().map(move |&to| Edge {
            from,
            to,
            repeated: true,
        });
        called.collect::<Vec<_>>()
    };
    threads.flat_map(of_thread).collect()
}

/// The destructors of thread-specific data.
fn destructors(facts: &Facts) -> Vec<FunctionIndex> {
    let made = crate::library::calls(facts)
        .filter(|(_, name)| crate::library::thread_specific(name) && name.ends_with("create"));
    let given = made.flat_map(|(call, _)| call.argument_functions.iter().flatten());
    given.copied().collect()
}
