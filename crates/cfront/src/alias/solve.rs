//! The constraint graph and its least solution.

use std::collections::{HashSet, VecDeque};

use super::bits::Bits;

/// A node of the graph: a set of locations.
pub(super) type Node = usize;

/// A location's number.
pub(super) type Loc = usize;

/// Steps after which the analysis gives up; then everything may point to anything.
const MAX_STEPS: usize = 60_000_000;

/// A call whose callee is known only by the targets of a pointer.
#[derive(Clone, Debug)]
pub(super) struct Dynamic {
    /// The node of the callee's value.
    pub callee: Node,
    /// Nodes of the arguments; the last stands for all further ones if `open`.
    pub args: Vec<Node>,
    /// Whether the arguments may be passed at any position and in any number (callbacks of
    /// libraries).
    pub open: bool,
    /// The node that receives the result.
    pub result: Node,
}

/// Constraints between sets of locations.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    points_to: Vec<Bits>,
    copies: Vec<Vec<Node>>,
    /// `to ⊇ contents of every location in the node`
    loads: Vec<Vec<Node>>,
    /// `contents of every location in the node ⊇ from`
    stores: Vec<Vec<Node>>,
    /// For each location, the node of its contents.
    contents: Vec<Node>,
    dynamics: Vec<Dynamic>,
    dynamic_at: Vec<Vec<usize>>,
    edges: HashSet<(Node, Node)>,
    steps: usize,
}

/// The nodes of a function that calls connect to.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub params: Vec<Node>,
    pub rest: Node,
    pub result: Node,
}

impl Graph {
    /// A graph of `nodes` nodes without constraints.
    pub fn new(nodes: usize) -> Graph {
        let mut graph = Graph::default();
        graph.grow(nodes);
        graph
    }

    fn grow(&mut self, nodes: usize) {
        self.points_to.resize(nodes, Bits::default());
        self.copies.resize(nodes, Vec::new());
        self.loads.resize(nodes, Vec::new());
        self.stores.resize(nodes, Vec::new());
        self.dynamic_at.resize(nodes, Vec::new());
    }

    /// A new node.
    pub fn node(&mut self) -> Node {
        let node = self.points_to.len();
        self.grow(node + 1);
        node
    }

    /// A new location with a node for its contents.
    pub fn location(&mut self) -> Loc {
        let node = self.node();
        self.contents.push(node);
        self.contents.len() - 1
    }

    /// The node of the contents of a location.
    pub fn contents(&self, location: Loc) -> Node {
        self.contents[location]
    }

    /// Requires `location ∈ node`.
    pub fn add(&mut self, node: Node, location: Loc) {
        self.points_to[node].insert(location);
    }

    /// Requires `to ⊇ from`.
    pub fn copy(&mut self, from: Node, to: Node) {
        if from != to && self.edges.insert((from, to)) {
            self.copies[from].push(to);
        }
    }

    /// Requires that `to` contains the contents of every location in `pointer`.
    pub fn load(&mut self, pointer: Node, to: Node) {
        self.loads[pointer].push(to);
    }

    /// Requires that the contents of every location in `pointer` contain `from`.
    pub fn store(&mut self, from: Node, pointer: Node) {
        self.stores[pointer].push(from);
    }

    /// Adds a call through a pointer.
    pub fn dynamic(&mut self, call: Dynamic) {
        self.dynamic_at[call.callee].push(self.dynamics.len());
        self.dynamics.push(call);
    }

    /// The locations in a node.
    pub fn points_to(&self, node: Node) -> impl Iterator<Item = Loc> + '_ {
        self.points_to[node].iter()
    }

    /// Whether a location is in a node.
    pub fn holds(&self, node: Node, location: Loc) -> bool {
        self.points_to[node].contains(location)
    }

    /// Whether the analysis reached its limit; then everything may point to anything.
    pub fn gave_up(&self) -> bool {
        self.steps > MAX_STEPS
    }

    /// Computes the least solution. `signature` gives the nodes of a location that is a function.
    pub fn solve(&mut self, signature: impl Fn(Loc) -> Option<Signature>) {
        let mut work: VecDeque<Node> = (0..self.points_to.len())
            .filter(|&n| !self.points_to[n].is_empty())
            .collect();
        let mut queued = vec![false; self.points_to.len()];
        for &n in &work {
            queued[n] = true;
        }
        let mut done: Vec<Bits> = vec![Bits::default(); self.points_to.len()];
        while let Some(node) = work.pop_front() {
            queued[node] = false;
            let new = self.points_to[node].without(&done[node]);
            done[node].unite(&new);
            let mut touched = self.complex(node, &new, &signature);
            for &to in &self.copies[node] {
                self.steps += new.blocks();
                if self.points_to[to].unite(&new) {
                    touched.push(to);
                }
            }
            for to in touched {
                if !std::mem::replace(&mut queued[to], true) {
                    work.push_back(to);
                }
            }
            if self.gave_up() {
                return;
            }
        }
    }

    /// Adds the edges that follow from new locations in a node; returns the nodes that grew.
    fn complex(
        &mut self,
        node: Node,
        new: &Bits,
        signature: &impl Fn(Loc) -> Option<Signature>,
    ) -> Vec<Node> {
        let mut edges = Vec::new();
        let calls = !self.dynamic_at[node].is_empty();
        let passive = !calls && self.loads[node].is_empty() && self.stores[node].is_empty();
        for location in new.iter().filter(|_| !passive) {
            let contents = self.contents[location];
            edges.extend(self.loads[node].iter().map(|&to| (contents, to)));
            edges.extend(self.stores[node].iter().map(|&from| (from, contents)));
            let Some(function) = calls.then(|| signature(location)).flatten() else {
                continue;
            };
            for &call in &self.dynamic_at[node] {
                call_edges(&self.dynamics[call], &function, &mut edges);
            }
        }
        let mut touched = Vec::new();
        for (from, to) in edges {
            self.steps += 1;
            if from == to || !self.edges.insert((from, to)) {
                continue;
            }
            self.copies[from].push(to);
            let source = std::mem::take(&mut self.points_to[from]);
            self.steps += source.blocks();
            if self.points_to[to].unite(&source) {
                touched.push(to);
            }
            self.points_to[from] = source;
        }
        touched
    }
}

fn call_edges(call: &Dynamic, function: &Signature, edges: &mut Vec<(Node, Node)>) {
    for (index, &arg) in call.args.iter().enumerate() {
        if call.open {
            edges.extend(function.params.iter().map(|&p| (arg, p)));
        } else {
            let to = function.params.get(index).copied().unwrap_or(function.rest);
            edges.push((arg, to));
        }
    }
    edges.push((function.result, call.result));
}
