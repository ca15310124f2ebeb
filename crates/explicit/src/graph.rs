//! The graph of a program's states, as the search writes it down.

/// Something that happened in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A letter was taken at a site (nothing for letter 0): the number of its valuation.
    Letter(Option<u32>, u32),
    /// The environment gave a value at a site.
    Given(u32, i128),
    /// A local without a value got one: its number, and the value.
    Local(u32, i128),
}

/// A step from a state to another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The state that it leads to.
    pub to: u32,
    /// What happened, in order.
    pub actions: Vec<Action>,
}

impl Edge {
    /// The valuations of its letters.
    pub fn letters(&self) -> impl Iterator<Item = u32> + '_ {
        self.actions.iter().filter_map(|a| match a {
            Action::Letter(_, number) => Some(*number),
            _ => None,
        })
    }
}

/// A state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// Whether it is the end of a run.
    pub ended: bool,
    /// The valuation that stays as long as nothing happens.
    pub letter: u32,
    /// The site of the head; nothing at the start and at the end of a run.
    pub site: Option<u32>,
    /// The steps that begin here.
    pub edges: Vec<Edge>,
}

/// Why a search was given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Partial {
    /// Too many states.
    States,
    /// Too much memory.
    Memory,
    /// The time was over, or it was cancelled.
    Time,
    /// The program did what C leaves undefined: the number of the signal.
    Crash(i32),
    /// Something that should not happen.
    Internal,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// The states; the first one is that before the first instruction.
    pub nodes: Vec<Node>,
    /// The valuations: for each proposition whether it holds.
    pub valuations: Vec<Vec<bool>>,
    /// Why not all states were visited; nothing if they were.
    pub partial: Option<Partial>,
    /// Steps that were discarded.
    pub discarded: u64,
    /// The longest of the shortest ways to states, in steps.
    pub depth: u64,
}

/// Reads what the search wrote, line by line.
#[derive(Debug, Default)]
pub struct Reader {
    graph: Graph,
    whole: bool,
    /// Whether the last line was none of the search: it may have been cut in the middle of one.
    broken: bool,
}

impl Reader {
    /// Takes the next line. What is no line of the search makes the graph a partial one; the last one may be incomplete.
    pub fn line(&mut self, line: &str) {
        if self.broken {
            self.graph.partial.get_or_insert(Partial::Internal);
        }
        self.broken = self.read(line).is_none() && !line.is_empty();
    }

    fn read(&mut self, line: &str) -> Option<()> {
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
            "N" => {
                let number: usize = words.next()?.parse().ok()?;
                (number == graph.nodes.len()).then_some(())?;
                graph.nodes.push(Node {
                    ended: words.next()? == "e",
                    letter: words.next()?.parse().ok()?,
                    site: words.next()?.parse().ok(),
                    edges: Vec::new(),
                });
            }
            "E" => {
                let from: usize = words.next()?.parse().ok()?;
                let to: u32 = words.next()?.parse().ok()?;
                ((to as usize) < graph.nodes.len()).then_some(())?;
                let actions = words.map(action).collect::<Option<Vec<Action>>>()?;
                graph.nodes.get_mut(from)?.edges.push(Edge { to, actions });
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
                    ("crash", Some(number)) => Partial::Crash(number.parse().ok()?),
                    _ => Partial::Internal,
                });
            }
            "M" => graph.partial = Some(Partial::Memory),
            _ => return None,
        }
        Some(())
    }

    /// The graph, when there are no more lines.
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
        _ => return None,
    })
}
