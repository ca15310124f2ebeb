//! The tables of the paper's form of a monitor.

use crate::buchi::Buchi;
use crate::guard::Guard;
use crate::limits::{Limits, TooLarge};

/// What the tables say of one state (Hétier & Boucheneb 2018, section 4.1).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableRow {
    /// The letters that, repeated for ever, are accepted from here.
    pub stutter_accept: Guard,
    /// Whether every word is accepted.
    pub surely_accept: bool,
    /// Whether no word is accepted.
    pub surely_reject: bool,
}

impl Buchi {
    /// The tables, a row for each state.
    pub fn tables(&self, _limits: &Limits) -> Result<Vec<TableRow>, TooLarge> {
        let n = self.states().len();
        let mut reach = vec![vec![Guard::bottom(); n]; n];
        let mut any = vec![vec![false; n]; n];
        for (s, state) in self.states().iter().enumerate() {
            for edge in &state.edges {
                reach[s][edge.target] = reach[s][edge.target].or(&edge.guard);
                any[s][edge.target] = true;
            }
        }
        for k in 0..n {
            for i in 0..n {
                for j in 0..n {
                    let through = reach[i][k].and(&reach[k][j]);
                    reach[i][j] = reach[i][j].or(&through);
                    any[i][j] |= any[i][k] && any[k][j];
                }
            }
        }
        let accepting: Vec<usize> = (0..n).filter(|&s| self.states()[s].accepting).collect();
        let universal = self.universal();
        Ok((0..n)
            .map(|s| {
                let mut stutter = Guard::bottom();
                let mut nonempty = false;
                for &a in &accepting {
                    let here = if a == s {
                        Guard::top()
                    } else {
                        reach[s][a].clone()
                    };
                    stutter = stutter.or(&here.and(&reach[a][a]));
                    nonempty |= (a == s || any[s][a]) && any[a][a];
                }
                TableRow {
                    stutter_accept: stutter,
                    surely_accept: universal[s],
                    surely_reject: !nonempty,
                }
            })
            .collect())
    }

    fn universal(&self) -> Vec<bool> {
        let n = self.states().len();
        let covers = |s: usize, set: &[bool]| {
            let mut sum = Guard::bottom();
            for edge in self.states()[s].edges.iter().filter(|e| set[e.target]) {
                sum = sum.or(&edge.guard);
            }
            self.alphabet().implies(&sum)
        };
        let mut set: Vec<bool> = self.states().iter().map(|s| s.accepting).collect();
        loop {
            let next: Vec<bool> = (0..n).map(|s| set[s] && covers(s, &set)).collect();
            if next == set {
                break;
            }
            set = next;
        }
        loop {
            let next: Vec<bool> = (0..n).map(|s| set[s] || covers(s, &set)).collect();
            if next == set {
                return set;
            }
            set = next;
        }
    }
}
