//! Strongly connected components.

/// No component, or none yet.
pub(super) const NONE: u32 = u32::MAX;

/// The strongly connected components of a graph of `count` nodes, by node, and how many there are (Tarjan 1972, without
/// recursion). `next` gives the target of a node's step by its number: `None` if there are no more, `Some(None)` if that step
/// does not count.
pub(super) fn components(
    count: usize,
    next: &dyn Fn(usize, usize) -> Option<Option<usize>>,
) -> (Vec<u32>, u32) {
    let (mut index, mut low) = (vec![NONE; count], vec![0_u32; count]);
    let mut of = vec![NONE; count];
    let (mut counter, mut number) = (0, 0);
    let mut stack: Vec<u32> = Vec::new();
    let mut work: Vec<(u32, u32)> = Vec::new();
    for root in 0..count {
        if index[root] != NONE {
            continue;
        }
        work.push((root as u32, 0));
        while let Some((node, at)) = work.last_mut() {
            let n = *node as usize;
            if *at == 0 && index[n] == NONE {
                (index[n], low[n]) = (counter, counter);
                counter += 1;
                stack.push(*node);
            }
            if let Some(step) = next(n, *at as usize) {
                *at += 1;
                let Some(to) = step else { continue };
                if index[to] == NONE {
                    work.push((to as u32, 0));
                } else if of[to] == NONE {
                    low[n] = low[n].min(index[to]);
                }
                continue;
            }
            work.pop();
            if let Some((parent, _)) = work.last() {
                let parent = *parent as usize;
                low[parent] = low[parent].min(low[n]);
            }
            if low[n] == index[n] {
                while let Some(member) = stack.pop() {
                    of[member as usize] = number;
                    if member as usize == n {
                        break;
                    }
                }
                number += 1;
            }
        }
    }
    (of, number)
}
