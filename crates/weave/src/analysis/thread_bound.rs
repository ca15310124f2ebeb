//! The greatest number of threads that a program starts.

use crate::facts::loops::Iterations;
use crate::facts::{Call, Facts, FunctionIndex};
use crate::library::synchronisation::{routine, starts};

/// The greatest number of threads that a run starts, if calls and counting loops determine it.
pub fn thread_bound(facts: &Facts, main: FunctionIndex) -> Option<u64> {
    let mut path = Vec::new();
    starts(facts).try_fold(0u64, |sum, call| {
        let each = executions(facts, main, call, &mut path)?;
        sum.checked_add(each)
    })
}

/// How often a run executes a call, at most.
fn executions(
    facts: &Facts,
    main: FunctionIndex,
    call: &Call,
    path: &mut Vec<FunctionIndex>,
) -> Option<u64> {
    let mut times = activations(facts, main, call.function, path)?;
    let mut explained = false;
    for lp in &facts.loops {
        if lp.function == call.function
            && lp.range.start <= call.range.start
            && call.range.end <= lp.range.end
        {
            times = times.checked_mul(times_of(facts, lp.iterations?)?)?;
            explained = true;
        }
    }
    (explained || !call.repeated).then_some(times)
}

/// The number of a loop's iterations; `None` if it depends on an object that is written.
fn times_of(facts: &Facts, iterations: Iterations) -> Option<u64> {
    match iterations {
        Iterations::Times(times) => Some(times),
        Iterations::Above(o, more) => {
            let object = facts.objects.get(o)?;
            let written = facts.writes.iter().any(|w| w.place.root == Some(o));
            let value = object
                .initial
                .filter(|_| !written && !object.address_taken)?;
            u64::try_from(value.checked_add(more)?).ok()
        }
    }
}

fn activations(
    facts: &Facts,
    main: FunctionIndex,
    function: FunctionIndex,
    path: &mut Vec<FunctionIndex>,
) -> Option<u64> {
    if facts.functions[function].address_taken.is_some() || path.contains(&function) {
        return None;
    }
    path.push(function);
    let mut sum = u64::from(function == main);
    for call in &facts.calls {
        let routine = match call.target {
            Some(target) => Some(target),
            None => routine(call),
        };
        if routine == Some(function) {
            sum = sum.checked_add(executions(facts, main, call, path)?)?;
        }
    }
    path.pop();
    Some(sum)
}
