//! The parts of the product in which accepting runs can stay for ever that are fair: strongly connected components, taken
//! apart until each demand is met or its condition does not occur any more (Streett's condition; Emerson and Lei 1987).

use super::components::{components, NONE};
use super::{Move, Product};

/// Components with an accepting step in which all demands can be met.
pub(super) struct Good {
    /// The component of each node; [`NONE`] if it is in no such component.
    of: Vec<u32>,
    /// By component: the conditions whose steps are no part of it.
    without: Vec<u64>,
    /// By component: the demands that have to be met in it.
    demands: Vec<u64>,
}

impl Good {
    /// Finds the components.
    pub(super) fn new(product: &Product) -> Good {
        let count = product.nodes.len();
        let mut good = Good {
            of: vec![NONE; count],
            without: Vec::new(),
            demands: Vec::new(),
        };
        let mut local = vec![NONE; count];
        let mut open: Vec<(Vec<u32>, u64)> = Vec::new();
        let live = live(product);
        let is_live = |n: &u32| live[product.nodes[*n as usize].1 as usize];
        if live.contains(&true) {
            open.push(((0..count as u32).filter(is_live).collect(), 0));
        }
        while let Some((members, without)) = open.pop() {
            for (at, &n) in members.iter().enumerate() {
                local[n as usize] = at as u32;
            }
            let inside = |step: &Move| {
                let kind = &product.kinds[step.kind as usize];
                let counts = kind.lasts && kind.asked & without == 0;
                let at = local[step.to as usize];
                (counts && at != NONE).then_some(at as usize)
            };
            let next = |at: usize, number: usize| {
                let step = product.steps(members[at] as usize).get(number)?;
                Some(inside(step))
            };
            let (of, number) = components(members.len(), &next);
            let parts = good.parts(product, (&members, without), &of, number, &inside);
            for &n in &members {
                local[n as usize] = NONE;
            }
            open.extend(parts);
        }
        good
    }

    /// Keeps those of the components that are good; returns those that may contain good ones, each with the conditions
    /// whose steps are left out.
    fn parts(
        &mut self,
        product: &Product,
        (members, without): (&[u32], u64),
        of: &[u32],
        number: u32,
        inside: &dyn Fn(&Move) -> Option<usize>,
    ) -> Vec<(Vec<u32>, u64)> {
        let mut sums = vec![(false, 0_u64, 0_u64); number as usize];
        for (at, &n) in members.iter().enumerate() {
            for step in product.steps(n as usize) {
                if inside(step).is_some_and(|to| of[to] == of[at]) {
                    let kind = &product.kinds[step.kind as usize];
                    let sum = &mut sums[of[at] as usize];
                    sum.0 |= kind.marked;
                    sum.1 |= kind.asked;
                    sum.2 |= kind.served;
                }
            }
        }
        let mut fates = Vec::new();
        let mut parts: Vec<(Vec<u32>, u64)> = Vec::new();
        for &(marked, asked, served) in &sums {
            let demands = product.always | asked;
            let unmet = demands & !served;
            fates.push(match unmet {
                // Parts of it have no accepting step either, or do not meet what is always demanded.
                _ if !marked || unmet & product.always != 0 => None,
                0 => {
                    self.without.push(without);
                    self.demands.push(demands);
                    Some(Ok(self.demands.len() as u32 - 1))
                }
                _ => {
                    parts.push((Vec::new(), without | unmet));
                    Some(Err(parts.len() - 1))
                }
            });
        }
        for (&n, &component) in members.iter().zip(of) {
            match fates[component as usize] {
                Some(Ok(good)) => self.of[n as usize] = good,
                Some(Err(part)) => parts[part].0.push(n),
                None => {}
            }
        }
        parts
    }

    /// Whether a step from a node stays in a good component.
    pub(super) fn has(&self, product: &Product, n: usize, step: &Move) -> bool {
        let of = self.of[n];
        let kind = &product.kinds[step.kind as usize];
        of != NONE
            && kind.lasts
            && self.of[step.to as usize] == of
            && kind.asked & self.without[of as usize] == 0
    }

    /// The steps of a loop that begins with a step of a good component, and meets all demands.
    pub(super) fn round(&self, product: &Product, n: usize, step: Move) -> Vec<(u32, usize)> {
        let mut round = vec![(n, step)];
        let demands = self.demands[self.of[n] as usize];
        let served = |round: &[(usize, Move)]| {
            let kinds = round.iter().map(|(_, m)| &product.kinds[m.kind as usize]);
            kinds.fold(0, |all, kind| all | kind.served)
        };
        let allowed = |from: usize, m: &Move| self.has(product, from, m);
        loop {
            let at = round.last().map_or(n, |(_, m)| m.to as usize);
            let unmet = demands & !served(&round);
            if unmet == 0 {
                let back = product.way(at, n, &allowed);
                round.extend(back);
                break;
            }
            let serves = |m: &Move| product.kinds[m.kind as usize].served & unmet != 0;
            match product.path(at, &allowed, &serves) {
                Some(path) => round.extend(path),
                // The component meets all of its demands.
                None => break,
            }
        }
        let state = |(from, m): &(usize, Move)| (product.nodes[*from].0, m.edge as usize);
        round.iter().map(state).collect()
    }
}

/// The states of the automaton that lie on a loop with an accepting step. A component of the product is one of the automaton or a part
/// of one, so that no other state is in a good one; of a formula that no run violates for good there are often none.
fn live(product: &Product) -> Vec<bool> {
    let count = product.moves.states();
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (from, to) in product.turns.keys() {
        next[*from as usize].push(*to as usize);
    }
    let (of, number) = components(count, &|q, at| next[q].get(at).map(|to| Some(*to)));
    let mut accepts = vec![false; number as usize];
    for (&(from, to), &marked) in &product.turns {
        let component = of[from as usize];
        accepts[component as usize] |= marked && of[to as usize] == component;
    }
    of.iter().map(|&at| accepts[at as usize]).collect()
}
