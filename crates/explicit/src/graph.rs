//! The graph of a program's states, as read from the output of the search.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// An action within a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A letter was taken at a site (`None` for letter 0): the number of its valuation.
    Letter(Option<u32>, u32),
    /// The environment gave a value at a site.
    Given(u32, i128),
    /// An uninitialised local got a value: its number, and the value.
    Local(u32, i128),
    /// A signed integer overflowed, for the first time in the step: the number of the place.
    Overflow(u32),
    /// The age of a time stamp was compared that is old, or was before the clock has gone round.
    Age(Age),
}

/// The age of a time stamp that was old once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Age {
    /// It is old.
    Old,
    /// The clock has gone round since, so that it may have any age.
    Round,
}

/// A step from a state to another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The state that it leads to.
    pub to: u32,
    /// The actions of the step, in order. Steps with the same actions share them.
    pub actions: Arc<[Action]>,
}

impl Edge {
    /// The valuations of its letters.
    pub fn letters(&self) -> impl Iterator<Item = u32> + '_ {
        self.actions.iter().filter_map(|a| match a {
            Action::Letter(_, number) => Some(*number),
            _ => None,
        })
    }

    /// Whether it rests on an old time stamp, or on one that has an age again because the clock has gone round.
    pub fn ages(&self) -> (bool, bool) {
        let has = |age| self.actions.contains(&Action::Age(age));
        (has(Age::Old), has(Age::Round))
    }

    /// The numbers of locals to which the step gives values, although the program has stored none.
    pub fn locals(&self) -> impl Iterator<Item = u32> + '_ {
        self.actions.iter().filter_map(|a| match a {
            Action::Local(number, _) => Some(*number),
            _ => None,
        })
    }

    /// The place where the step does what C leaves undefined, so that no run of the program takes it.
    pub fn overflow(&self) -> Option<u32> {
        self.actions.iter().find_map(|a| match a {
            Action::Overflow(place) => Some(*place),
            _ => None,
        })
    }
}

/// Which steps need not be the program's, since they rest on what stands for functions of the library, or on the value of a local
/// that has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doubts {
    /// The sites at which contracts give results.
    pub contracts: BTreeSet<u32>,
    /// The sites at which lines of text are read, byte by byte: none goes on behind its end.
    pub lines: BTreeSet<u32>,
    /// The sites at which a number of printed characters is any number: only that the output fails need be no other.
    pub printed: BTreeSet<u32>,
    /// The locals that have no value, and that to read is undefined: whether a run does is not known.
    pub locals: BTreeSet<u32>,
}

impl Doubts {
    /// Whether a step is doubted.
    pub fn about(&self, edge: &Edge) -> bool {
        let mut ended = None;
        edge.actions.iter().any(|action| match action {
            Action::Given(site, value) if self.lines.contains(site) => {
                let behind = ended == Some(*site);
                ended = (behind || *value == i128::from(b'\n')).then_some(*site);
                behind && *value != 0
            }
            Action::Given(site, value) => {
                ended = None;
                let counted = self.printed.contains(site) && *value >= 0;
                counted || self.contracts.contains(site)
            }
            Action::Local(number, _) => {
                ended = None;
                self.locals.contains(number)
            }
            _ => {
                ended = None;
                false
            }
        })
    }
}

/// A state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// Whether it is the end of a run.
    pub ended: bool,
    /// The valuation that lasts as long as no letter is taken.
    pub letter: u32,
    /// The site of the head; `None` at the start and at the end of a run.
    pub site: Option<u32>,
    /// The steps from this state.
    pub edges: Vec<Edge>,
}

/// Why a search is partial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Partial {
    /// Too many states.
    States,
    /// Too much memory.
    Memory,
    /// Only some of the inputs were tried.
    Inputs,
    /// It was ended because what was visited is enough for all answers.
    Enough,
    /// The time was up, or the search was cancelled.
    Time,
    /// The program had undefined behaviour: the number of the signal.
    Crash(i32),
    /// A run reads a local that has no value.
    Undefined,
    /// A run reads an element that was buried: the number of its array, if it is known.
    Unburied(Option<usize>),
    /// A run reads a byte of which no value was chosen: the number of the place where it is stored.
    Unchosen(usize),
    /// Ages of time stamps were told apart too little: up to this one they make a difference, or, if it is 0, it is not known.
    Ages(u64),
    /// Too many steps had to be taken again to tell values apart by classes.
    Classes,
    /// An internal error.
    Internal,
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// The states; the first one precedes the first instruction.
    pub nodes: Vec<Node>,
    /// The valuations: the value of each proposition.
    pub valuations: Vec<Vec<bool>>,
    /// The places where signed integers overflow, as `file:line`.
    pub overflows: Vec<String>,
    /// Why not all states were visited; `None` if all were.
    pub partial: Option<Partial>,
    /// The number of discarded steps.
    pub discarded: u64,
    /// The length of the longest of the shortest paths to states.
    pub depth: u64,
}

impl Graph {
    /// The steps that have a meaning in C: those in which no signed integer overflows. The states keep their numbers.
    pub fn defined(&self) -> Graph {
        self.with(|e| e.overflow().is_none())
    }

    /// These steps alone. The states keep their numbers.
    fn with(&self, keeps: impl Fn(&Edge) -> bool) -> Graph {
        let mut out = self.clone();
        for node in &mut out.nodes {
            node.edges.retain(&keeps);
        }
        out
    }

    /// The steps in which the clock has not gone round since a stamp was taken. The states keep their numbers.
    pub fn without_rounds(&self) -> Graph {
        self.with(|e| !e.ages().1)
    }

    /// Whether a step rests on an old time stamp.
    pub fn reads_ages(&self) -> bool {
        let mut all = self.nodes.iter().flat_map(|n| &n.edges);
        all.any(|e| e.ages() != (false, false))
    }

    /// The steps that are not doubted. The states keep their numbers.
    pub fn without(&self, doubts: &Doubts) -> Graph {
        self.with(|e| !doubts.about(e))
    }
}

/// Reads the output of the search, line by line.
#[derive(Debug, Default)]
pub struct Reader {
    graph: Graph,
    /// The actions of steps, by their text: there are far fewer than steps.
    actions: HashMap<String, Arc<[Action]>>,
    whole: bool,
    /// Whether the last line that was read was not understood.
    broken: bool,
    /// The line behind it: it is read when another one follows.
    next: String,
    /// The memory that the graph takes, in bytes, as far as it grows with the number of states and steps.
    bytes: usize,
}

/// The bytes that a list of actions takes besides itself: in the table of all, and where they are counted.
const OF_ACTIONS: usize = 80;

impl Reader {
    /// Reads the next line. A line that is not understood makes the graph partial, unless it is the last one.
    pub fn line(&mut self, line: &str) {
        if line.starts_with(['Z', 'T', 'M']) {
            self.settle();
            self.read_or_break(line);
            return;
        }
        // Where the search was ended, its last line may be the beginning of one, which means something else.
        let mut next = std::mem::take(&mut self.next);
        if !next.is_empty() {
            self.read_or_break(&next);
        }
        next.clear();
        next.push_str(line);
        self.next = next;
    }

    /// Reads the line that was kept back: another one follows.
    fn settle(&mut self) {
        let next = std::mem::take(&mut self.next);
        self.read_or_break(&next);
    }

    fn read_or_break(&mut self, line: &str) {
        if self.broken {
            self.graph.partial.get_or_insert(Partial::Internal);
        }
        self.broken = self.read(line).is_none() && !line.is_empty();
    }

    /// The part of the graph that was read. Its states are numbered in the order of their distance from the start.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The memory that the graph takes, in bytes, about.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    fn read(&mut self, line: &str) -> Option<()> {
        if let Some(step) = line.strip_prefix("E ") {
            return self.step(step);
        }
        let mut words = line.split_ascii_whitespace();
        let kind = words.next()?;
        let graph = &mut self.graph;
        match kind {
            "L" => {
                let number: usize = words.next()?.parse().ok()?;
                let values = words.next().unwrap_or_default();
                (number == graph.valuations.len()).then_some(())?;
                graph
                    .valuations
                    .push(values.bytes().map(|b| b == b'1').collect());
            }
            "O" => {
                let number: usize = words.next()?.parse().ok()?;
                (number == graph.overflows.len()).then_some(())?;
                let place: u32 = words.next()?.parse().ok()?;
                let file: Vec<&str> = words.collect();
                graph.overflows.push(format!("{}:{place}", file.join(" ")));
            }
            "N" => {
                let number: usize = words.next()?.parse().ok()?;
                (number == graph.nodes.len()).then_some(())?;
                self.bytes += 2 * size_of::<Node>();
                graph.nodes.push(Node {
                    ended: words.next()? == "e",
                    letter: words.next()?.parse().ok()?,
                    site: words.next()?.parse().ok(),
                    edges: Vec::new(),
                });
            }
            "Z" => {
                self.whole = true;
                let mut numbers = words.map(|w| w.parse::<u64>().ok());
                graph.discarded = numbers.nth(2)??;
                graph.depth = numbers.next()??;
            }
            "T" => {
                graph.partial = Some(match (words.next()?, words.next()) {
                    ("states", _) => Partial::States,
                    ("memory", _) => Partial::Memory,
                    ("undefined", _) => Partial::Undefined,
                    ("inputs", _) => Partial::Inputs,
                    ("unchosen", Some(place)) => Partial::Unchosen(place.parse().ok()?),
                    ("unburied", array) => Partial::Unburied(array.and_then(|a| a.parse().ok())),
                    ("classes", _) => Partial::Classes,
                    ("ages", Some(least)) => Partial::Ages(least.parse().ok()?),
                    ("crash", Some(number)) => Partial::Crash(number.parse().ok()?),
                    _ => Partial::Internal,
                });
            }
            "M" => graph.partial = Some(Partial::Memory),
            _ => return None,
        }
        Some(())
    }

    /// Reads a step: the numbers of two states, and actions.
    fn step(&mut self, text: &str) -> Option<()> {
        let (from, rest) = text.split_once(' ')?;
        let (to, actions) = rest.split_once(' ').unwrap_or((rest, ""));
        let (from, to): (usize, u32) = (from.parse().ok()?, to.parse().ok()?);
        ((to as usize) < self.graph.nodes.len()).then_some(())?;
        let actions = match self.actions.get(actions) {
            Some(known) => Arc::clone(known),
            None => {
                let read = actions.split_ascii_whitespace().map(action);
                let read: Arc<[Action]> = read.collect::<Option<Vec<Action>>>()?.into();
                let known = |a: &Action| match a {
                    Action::Letter(_, number) => self.graph.valuations.len() > *number as usize,
                    _ => true,
                };
                read.iter().all(known).then_some(())?;
                self.actions.insert(actions.to_owned(), Arc::clone(&read));
                self.bytes += actions.len() + size_of_val(&*read) + OF_ACTIONS;
                read
            }
        };
        self.graph
            .nodes
            .get_mut(from)?
            .edges
            .push(Edge { to, actions });
        self.bytes += 2 * size_of::<Edge>();
        Some(())
    }

    /// The graph, where the search was ended for this reason.
    pub fn ended(mut self, why: Partial) -> Graph {
        self.graph.partial = Some(why);
        self.finish()
    }

    /// The graph, after the last line.
    pub fn finish(mut self) -> Graph {
        if !self.whole {
            self.graph.partial.get_or_insert(Partial::Time);
        }
        let count = self.graph.valuations.len() as u32;
        let known = |n: &Node| {
            let mut all = n.edges.iter().flat_map(Edge::letters);
            all.all(|l| l < count)
        };
        if !self.graph.nodes.iter().all(known) {
            self.graph.partial = Some(Partial::Internal);
            self.graph.nodes.clear();
        }
        self.graph
    }
}

fn action(word: &str) -> Option<Action> {
    let mut parts = word.splitn(3, ':');
    let (kind, site, value) = (parts.next()?, parts.next()?, parts.next()?);
    let value: i128 = value.parse().ok()?;
    Some(match kind {
        "l" => Action::Letter(site.parse().ok(), u32::try_from(value).ok()?),
        "c" => Action::Given(site.parse().ok()?, value),
        "u" => Action::Local(site.parse().ok()?, value),
        "o" => Action::Overflow(site.parse().ok()?),
        "w" if value < 0 => Action::Age(Age::Old),
        "w" => Action::Age(Age::Round),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Graph {
        let mut reader = Reader::default();
        lines.iter().for_each(|line| reader.line(line));
        reader.finish()
    }

    /// `E 2 0` was a step to the first state, and a loop, where the search was ended while it wrote `E 2 01234 …`.
    #[test]
    fn the_beginning_of_a_line_is_no_step() {
        let begin = [
            "N 0 h 0 -1",
            "N 1 h 0 4",
            "L 0 1",
            "E 0 1 l:0:0",
            "N 2 h 0 4",
        ];
        let cut = read(&[&begin[..], &["E 1 2 l:0:0", "E 2 0"]].concat());
        assert_eq!(cut.partial, Some(Partial::Time));
        let edges: Vec<usize> = cut.nodes.iter().map(|n| n.edges.len()).collect();
        assert_eq!(edges, [1, 1, 0]);
        let whole = read(&[&begin[..], &["E 2 0 l:0:0", "Z 3 2 0 2 100"]].concat());
        assert_eq!(whole.partial, None);
        assert_eq!(whole.nodes[2].edges.len(), 1);
        let ended = read(&[&begin[..], &["E 2 0 l:0:0", "T states"]].concat());
        assert_eq!(ended.partial, Some(Partial::States));
        assert_eq!(ended.nodes[2].edges.len(), 1);
    }
}
