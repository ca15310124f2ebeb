//! Numbers of states in which those that a counter passes through are consecutive, see [`crate::runs`].

/// An order of the states in which those that a counter passes through are consecutive: the levels of a search in
/// breadth from state 0 which have equally many states are read position by position. Any order is right; this one
/// makes few runs. `targets` has the successors of each state, all of which state 0 reaches.
pub(crate) fn by_levels(targets: &[Vec<u32>]) -> Vec<u32> {
    let mut seen = vec![false; targets.len()];
    let mut levels: Vec<Vec<u32>> = Vec::new();
    let mut level = vec![0u32];
    seen[0] = true;
    while !level.is_empty() {
        let mut next = Vec::new();
        for &target in level.iter().flat_map(|&state| &targets[state as usize]) {
            if !std::mem::replace(&mut seen[target as usize], true) {
                next.push(target);
            }
        }
        next.sort_unstable();
        levels.push(std::mem::replace(&mut level, next));
    }
    let mut order = Vec::with_capacity(targets.len());
    for stretch in levels.chunk_by(|a, b| a.len() == b.len()) {
        for position in 0..stretch[0].len() {
            order.extend(stretch.iter().map(|level| level[position]));
        }
    }
    order
}
