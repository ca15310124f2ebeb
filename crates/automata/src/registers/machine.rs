//! Deterministic machines that read letters: what a past operator needs to know of the letters before, and what is
//! still owed to a bounded operator of the future.
//!
//! A machine remembers *ages*: for each relevant letter, how many letters ago it was. Of the ages that have come
//! into the interval just one matters, the oldest or the newest; those below the interval are all kept. So a
//! machine whose interval begins at zero, or ends nowhere, is one counter.

use super::plans::literals;
use super::tables::Table;
use crate::guard::Guard;
use ltl::{AtomId, Interval};

/// What a machine remembers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Memory {
    /// One bit.
    Bit(bool),
    /// Ages, ascending.
    Ages(Vec<u32>),
    /// The state of a table.
    State(u32),
}

/// The letters with which a machine goes on in the same way.
#[derive(Clone)]
pub(super) struct Move {
    pub letters: Guard,
    pub next: Memory,
}

/// A machine. The letters are those in which, besides, its register has the right value.
pub(super) enum Machine {
    /// A past operator without bounds.
    Bit {
        initial: bool,
        /// The letters whose register is right, if the bit is false and if it is true.
        right: [Guard; 2],
        /// The letters after which the bit is true.
        next: Guard,
    },
    /// `hold S[from,to] goal`, and its negation: the register says whether there was the goal in the interval.
    Since {
        classes: Classes,
        interval: Interval,
        /// The letters whose register says yes, and no.
        says: [Guard; 2],
    },
    /// After each letter of `start`, `hold U[from,to] goal`; the interval has an end.
    Must {
        classes: Classes,
        from: u32,
        to: u32,
    },
    /// After each letter of `start`, not `hold U[from,to] goal`.
    MustNot {
        classes: Classes,
        interval: Interval,
    },
    /// The register says whether the goals in the window are so many.
    Often {
        classes: Classes,
        window: Interval,
        times: Interval,
        /// The letters whose register says yes, and no.
        says: [Guard; 2],
    },
    /// A table: the moves of each state.
    Table(Vec<Vec<Move>>),
}

/// The letters by whether they are of `start`, of `hold` and of `goal`.
pub(super) struct Classes(Vec<(Class, Guard)>);

/// One class of letters.
#[derive(Clone, Copy)]
struct Class {
    start: bool,
    hold: bool,
    goal: bool,
}

impl Classes {
    /// The classes that are not empty.
    pub fn new(start: &Guard, hold: &Guard, goal: &Guard) -> Classes {
        let side = |of: &Guard, inside: bool| match inside {
            true => of.clone(),
            false => Guard::top().and_not(of),
        };
        let mut classes = Vec::new();
        for bits in 0..8 {
            let class = Class {
                start: bits & 1 == 1,
                hold: bits & 2 == 2,
                goal: bits & 4 == 4,
            };
            let letters = side(start, class.start)
                .and(&side(hold, class.hold))
                .and(&side(goal, class.goal));
            if !letters.is_false() {
                classes.push((class, letters));
            }
        }
        Classes(classes)
    }
}

impl Machine {
    /// The machine of a table whose output bits are the values of registers.
    pub fn of_table(table: &Table, registers: &[AtomId]) -> Machine {
        let says = |output: u8| {
            let bits = registers.iter().enumerate();
            bits.fold(Guard::top(), |all, (bit, register)| {
                let [yes, no] = literals(*register);
                all.and(if output >> bit & 1 == 1 { &yes } else { &no })
            })
        };
        let says: Vec<Guard> = (0..1 << registers.len()).map(says).collect();
        let moves = |row: &Vec<(u32, u8)>| {
            let mut moves: Vec<Move> = Vec::new();
            for ((next, output), letters) in row.iter().zip(&table.letters) {
                let output = usize::from(*output) & (says.len() - 1);
                let letters = letters.and(&says[output]);
                let next = Memory::State(*next);
                match moves.iter_mut().find(|m| m.next == next) {
                    Some(one) => one.letters = one.letters.or(&letters),
                    None => moves.push(Move { letters, next }),
                }
            }
            moves
        };
        Machine::Table(table.steps.iter().map(moves).collect())
    }

    /// What it remembers before the first letter.
    pub fn initial(&self) -> Memory {
        match self {
            Machine::Bit { initial, .. } => Memory::Bit(*initial),
            Machine::Table(_) => Memory::State(0),
            _ => Memory::Ages(Vec::new()),
        }
    }

    /// The moves with this memory: their letters are disjoint. With other letters there is no move: a register
    /// would be wrong, or something that is owed would not be given.
    pub fn moves(&self, memory: &Memory) -> Vec<Move> {
        let moves = match (self, memory) {
            (Machine::Bit { right, next, .. }, Memory::Bit(bit)) => {
                let right = &right[usize::from(*bit)];
                vec![
                    Move {
                        letters: right.and(next),
                        next: Memory::Bit(true),
                    },
                    Move {
                        letters: right.and_not(next),
                        next: Memory::Bit(false),
                    },
                ]
            }
            (
                Machine::Since {
                    classes,
                    interval,
                    says,
                },
                Memory::Ages(ages),
            ) => classes.moves(|class| {
                let ages = since(ages, class, *interval);
                let yes = ages.iter().any(|&age| interval.contains(age));
                Some((ages, Some(&says[usize::from(!yes)])))
            }),
            (
                Machine::Often {
                    classes,
                    window,
                    times,
                    says,
                },
                Memory::Ages(ages),
            ) => classes.moves(|class| {
                let ages = counted(ages, class, *window, *times);
                let inside = ages.iter().filter(|age| window.contains(**age)).count();
                let yes = times.contains(inside as u32);
                Some((ages, Some(&says[usize::from(!yes)])))
            }),
            (Machine::Must { classes, from, to }, Memory::Ages(ages)) => {
                classes.moves(|class| Some((owed(ages, class, *from, *to)?, None)))
            }
            (Machine::MustNot { classes, interval }, Memory::Ages(ages)) => {
                classes.moves(|class| Some((forbidden(ages, class, *interval)?, None)))
            }
            (Machine::Table(moves), Memory::State(state)) => {
                moves.get(*state as usize).cloned().unwrap_or_default()
            }
            // A memory belongs to its machine.
            _ => Vec::new(),
        };
        let possible = moves.into_iter().filter(|m| !m.letters.is_false());
        possible.collect()
    }
}

impl Classes {
    /// The move of each class that has one: the next ages, and a further condition on the letters.
    fn moves<'a>(
        &self,
        next: impl Fn(Class) -> Option<(Vec<u32>, Option<&'a Guard>)>,
    ) -> Vec<Move> {
        let mut moves = Vec::new();
        for (class, letters) in &self.0 {
            if let Some((ages, condition)) = next(*class) {
                moves.push(Move {
                    letters: condition.map_or_else(|| letters.clone(), |c| letters.and(c)),
                    next: Memory::Ages(ages),
                });
            }
        }
        moves
    }
}

/// The ages one letter later, and a new one.
fn older(ages: &[u32], new: bool) -> Vec<u32> {
    let first = new.then_some(0);
    first
        .into_iter()
        .chain(ages.iter().map(|age| age + 1))
        .collect()
}

/// The ages of the goals since which `hold` has held, as far as the interval needs them.
fn since(ages: &[u32], class: Class, interval: Interval) -> Vec<u32> {
    let kept = if class.hold { ages } else { &[] };
    newest(older(kept, class.goal), interval)
}

/// Keeps the ages below the interval and one in it: the newest, which stays longest; without an end any age that
/// is reached stays, and those behind it are as good.
fn newest(ages: Vec<u32>, interval: Interval) -> Vec<u32> {
    let Interval { from, to } = interval;
    match to {
        None => {
            let reached = ages.iter().any(|age| *age >= from);
            match (reached, ages.last()) {
                (true, _) => vec![from],
                // Only the oldest is asked for, since it comes first.
                (false, Some(oldest)) => vec![*oldest],
                (false, None) => Vec::new(),
            }
        }
        Some(to) => {
            let inside = ages.iter().copied().find(|age| (from..=to).contains(age));
            let below = ages.iter().copied().filter(|age| *age < from);
            below.chain(inside).collect()
        }
    }
}

/// The ages of the goals, as far as the window and the number that is asked for need them: those that will come into
/// the window, and in it the newest, which stay longest; without an end those in it stay where they came in.
fn counted(ages: &[u32], class: Class, window: Interval, times: Interval) -> Vec<u32> {
    let enough = times.to.map_or(times.from, |to| to.saturating_add(1)) as usize;
    let Interval { from, to } = window;
    let ages = older(ages, class.goal).into_iter();
    let ages: Vec<u32> = match to {
        None => ages.map(|age| age.min(from)).collect(),
        Some(to) => ages.filter(|age| *age <= to).collect(),
    };
    let (below, inside): (Vec<u32>, Vec<u32>) = ages.into_iter().partition(|age| *age < from);
    below
        .into_iter()
        .chain(inside.into_iter().take(enough))
        .collect()
}

/// The ages of what is owed after one more letter; `None` if something can no longer be given.
fn owed(ages: &[u32], class: Class, from: u32, to: u32) -> Option<Vec<u32>> {
    let mut ages = older(ages, class.start);
    if class.goal {
        ages.retain(|age| *age < from);
    }
    let late = ages.iter().any(|age| *age >= to);
    if late || (!class.hold && !ages.is_empty()) {
        return None;
    }
    // In the interval the oldest has the least time left, and one goal serves all.
    let oldest = ages.last().copied().filter(|age| *age >= from);
    Some(
        ages.into_iter()
            .filter(|age| *age < from)
            .chain(oldest)
            .collect(),
    )
}

/// The ages of the letters after which the goal is forbidden; `None` if it came.
fn forbidden(ages: &[u32], class: Class, interval: Interval) -> Option<Vec<u32>> {
    let ages = older(ages, class.start);
    if class.goal && ages.iter().any(|age| interval.contains(*age)) {
        return None;
    }
    Some(if class.hold {
        newest(ages, interval)
    } else {
        Vec::new()
    })
}
