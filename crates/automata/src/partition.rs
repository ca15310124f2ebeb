//! The coarsest partition of the states of a deterministic machine that its transitions respect (Hopcroft, *An
//! n log n algorithm for minimizing states in a finite automaton*, 1971).

use std::collections::HashMap;

/// A partition: the elements of each block are consecutive.
struct Partition {
    elements: Vec<u32>,
    /// Where each element is.
    place: Vec<u32>,
    block: Vec<u32>,
    /// For each block, its places, and how many of its elements are marked: these come first.
    blocks: Vec<Block>,
}

#[derive(Clone, Copy)]
struct Block {
    start: u32,
    end: u32,
    marked: u32,
}

impl Partition {
    fn new(block: Vec<u32>, count: usize) -> Partition {
        let mut elements: Vec<u32> = (0..block.len() as u32).collect();
        elements.sort_by_key(|&element| block[element as usize]);
        let mut place = vec![0; block.len()];
        let mut sizes = vec![0u32; count];
        for (at, &element) in elements.iter().enumerate() {
            place[element as usize] = at as u32;
            sizes[block[element as usize] as usize] += 1;
        }
        let mut start = 0;
        let blocks = sizes.iter().map(|size| {
            let end = start + size;
            let block = Block {
                start,
                end,
                marked: 0,
            };
            start = end;
            block
        });
        Partition {
            blocks: blocks.collect(),
            elements,
            place,
            block,
        }
    }

    fn members(&self, block: u32) -> Vec<u32> {
        let Block { start, end, .. } = self.blocks[block as usize];
        self.elements[start as usize..end as usize].to_vec()
    }

    /// Marks an element; returns its block if that had no marked one.
    fn mark(&mut self, element: u32) -> Option<u32> {
        let number = self.block[element as usize];
        let block = &mut self.blocks[number as usize];
        let (at, first) = (self.place[element as usize], block.start + block.marked);
        if at < first {
            return None;
        }
        let other = self.elements[first as usize];
        self.elements.swap(at as usize, first as usize);
        self.place[element as usize] = first;
        self.place[other as usize] = at;
        block.marked += 1;
        (block.marked == 1).then_some(number)
    }

    /// Divides a block into its marked and its other elements; the smaller part is a new block, which is returned.
    fn split(&mut self, number: u32) -> Option<u32> {
        let old = &mut self.blocks[number as usize];
        let Block { start, end, marked } = std::mem::replace(old, Block { marked: 0, ..*old });
        let middle = start + marked;
        if middle == end {
            return None;
        }
        let (kept, moved) = match middle - start <= end - middle {
            true => ((middle, end), (start, middle)),
            false => ((start, middle), (middle, end)),
        };
        (old.start, old.end) = kept;
        let new = self.blocks.len() as u32;
        for &element in &self.elements[moved.0 as usize..moved.1 as usize] {
            self.block[element as usize] = new;
        }
        self.blocks.push(Block {
            start: moved.0,
            end: moved.1,
            marked: 0,
        });
        Some(new)
    }
}

/// The states from which a letter leads to each state.
struct Inverse {
    start: Vec<u32>,
    sources: Vec<u32>,
}

impl Inverse {
    fn new(next: &[Vec<u32>], letter: usize) -> Inverse {
        let mut start = vec![0u32; next.len() + 1];
        for row in next {
            start[row[letter] as usize + 1] += 1;
        }
        for state in 0..next.len() {
            start[state + 1] += start[state];
        }
        let mut free = start.clone();
        let mut sources = vec![0u32; next.len()];
        for (state, row) in next.iter().enumerate() {
            let place = &mut free[row[letter] as usize];
            sources[*place as usize] = state as u32;
            *place += 1;
        }
        Inverse { start, sources }
    }

    fn of(&self, state: u32) -> &[u32] {
        let [from, to] = [state, state + 1].map(|s| self.start[s as usize] as usize);
        &self.sources[from..to]
    }
}

/// The coarsest refinement of a partition that the transitions respect, its blocks numbered by their first states;
/// `next` has for each state its successor by each letter. For n states and k letters it takes k n log n steps.
pub(crate) fn refine(next: &[Vec<u32>], block: &[u32]) -> Vec<u32> {
    let letters = next.first().map_or(0, Vec::len);
    let inverse: Vec<Inverse> = (0..letters).map(|a| Inverse::new(next, a)).collect();
    let (block, count) = numbered(block);
    let mut partition = Partition::new(block, count);
    let mut waiting: Vec<u32> = (0..count as u32).collect();
    while let Some(splitter) = waiting.pop() {
        let members = partition.members(splitter);
        for inverse in &inverse {
            let sources = members.iter().flat_map(|&state| inverse.of(state));
            let touched: Vec<u32> = sources.filter_map(|&s| partition.mark(s)).collect();
            // The other part either waits still, or has been taken as a whole: then one of the two is enough.
            waiting.extend(touched.into_iter().filter_map(|b| partition.split(b)));
        }
    }
    numbered(&partition.block).0
}

/// The blocks of a partition in the order of their first states, and how many there are.
fn numbered(block: &[u32]) -> (Vec<u32>, usize) {
    let mut numbers: HashMap<u32, u32> = HashMap::new();
    let number = |old: &u32| {
        let fresh = numbers.len() as u32;
        *numbers.entry(*old).or_insert(fresh)
    };
    let block = block.iter().map(number).collect();
    (block, numbers.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Moore's algorithm: divides by the blocks of the successors until nothing changes.
    fn moore(next: &[Vec<u32>], block: &[u32]) -> Vec<u32> {
        let mut block = block.to_vec();
        loop {
            let signatures: Vec<Vec<u32>> = (0..next.len())
                .map(|s| {
                    let targets = next[s].iter().map(|&t| block[t as usize]);
                    [block[s]].into_iter().chain(targets).collect()
                })
                .collect();
            let find = |s: &Vec<u32>| signatures.iter().position(|other| other == s);
            let new = signatures.iter().map(|s| find(s).map_or(0, |at| at as u32));
            let new: Vec<u32> = new.collect();
            if numbered(&new) == numbered(&block) {
                return numbered(&block).0;
            }
            block = new;
        }
    }

    proptest! {
        #[test]
        fn it_is_the_partition_of_moore(
            (next, block) in (1..25usize, 0..4usize).prop_flat_map(|(states, letters)| {
                let row = prop::collection::vec(0..states as u32, letters);
                let next = prop::collection::vec(row, states);
                (next, prop::collection::vec(0..3u32, states))
            })
        ) {
            prop_assert_eq!(refine(&next, &block), moore(&next, &block));
        }
    }
}
