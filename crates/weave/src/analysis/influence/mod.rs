//! The objects that can influence what a run does next, and its word.
//!
//! A slice of the program that distinguishes neither the order of statements nor the elements of an array: an
//! object influences another one if its value flows into a write to it, or into a condition that decides
//! whether the write happens. Conditions of jumps, loops, labels and ends influence the run itself. Each member
//! of a structure is a part of its own, and so is the same member of all elements of an array of structures. The
//! points-to analysis resolves pointers.

mod calls;
mod endless;
mod statements;
mod values;

use std::collections::{BTreeSet, HashMap};

use cfront::alias::Aliases;
use cfront::span::{ExprId, FunctionId, Id, ObjectId, RecordId, Span, StmtId};
use cfront::tree::{ExprKind, Parent, Resolved, Storage, Tree};
use cfront::types::{QualType, Type};

use crate::facts::ObjectIndex;
use crate::library;

/// A node of the graph: a part of an object, the result or the execution of a function, the
/// outcome of a condition, or the run.
type Node = usize;

/// A whole object, or one member of a structure or of all elements of an array of structures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    /// The object.
    pub object: ObjectIndex,
    /// The number of the member in the structure; `None` for the whole object.
    pub member: Option<usize>,
}

impl Part {
    /// The part that is the whole object; for an object without members.
    pub fn whole(object: ObjectIndex) -> Part {
        Part {
            object,
            member: None,
        }
    }
}

/// The graph of influences.
#[derive(Clone, Debug)]
pub struct Influence {
    parts: Vec<Part>,
    /// For each object, its first part and the number of its parts.
    of_object: Vec<(usize, usize)>,
    /// For each node, the nodes that influence it.
    from: Vec<BTreeSet<Node>>,
    written: Vec<bool>,
    run: Node,
    functions: HashMap<String, (Node, Node)>,
    /// What decides whether something undefined happens.
    hazards: BTreeSet<Node>,
    /// The watched expressions, by their spans, and their nodes.
    marks: Vec<((usize, usize), Node)>,
    /// Writes to memory without a name.
    pub unnamed_writes: Vec<Span>,
    /// For each function, the objects that its own code may write through pointers.
    pub through_pointers: HashMap<FunctionId, BTreeSet<ObjectIndex>>,
}

impl Influence {
    /// Builds the graph of the whole program.
    pub fn new(tree: &Tree, aliases: &Aliases) -> Influence {
        Influence::watching(tree, aliases, BTreeSet::new())
    }

    /// Builds the graph of the whole program, with nodes for the values of the expressions at some spans.
    pub fn watching(
        tree: &Tree,
        aliases: &Aliases,
        watched: BTreeSet<(usize, usize)>,
    ) -> Influence {
        let mut builder = Builder::new(tree, aliases);
        builder.watched = watched;
        for (id, _, body) in tree.defined_functions() {
            builder.function = Some(id);
            let context = builder.execution(id);
            builder.statement(body.block, context, None);
        }
        builder.close_recursions();
        for (id, function, _) in tree.defined_functions() {
            let nodes = (builder.result(id), builder.execution(id));
            builder.graph.functions.insert(function.name.clone(), nodes);
        }
        for (&id, &node) in &builder.results {
            let name = tree.functions[id].name.clone();
            let functions = &mut builder.graph.functions;
            functions.entry(name).or_insert((node, node));
        }
        builder.graph
    }

    /// The functions whose results can influence the run or these parts, and the spans of the watched
    /// expressions whose values can.
    pub fn influential(&self, parts: &[Part]) -> (BTreeSet<&str>, BTreeSet<(usize, usize)>) {
        let seen = self.seen(parts.iter().filter_map(|&p| self.index(p)).collect());
        let functions = self.functions.iter().filter(|(_, nodes)| seen[nodes.0]);
        let marked = self.marks.iter().filter(|(_, node)| seen[*node]);
        (
            functions.map(|(name, _)| name.as_str()).collect(),
            marked.map(|(place, _)| *place).collect(),
        )
    }

    /// For each node, whether it influences the run or one of the given nodes.
    fn seen(&self, mut stack: Vec<Node>) -> Vec<bool> {
        stack.push(self.run);
        self.reaching(stack)
    }

    /// For each node, whether it influences one of the given nodes, or is one.
    fn reaching(&self, mut stack: Vec<Node>) -> Vec<bool> {
        let mut seen = vec![false; self.from.len()];
        while let Some(node) = stack.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                stack.extend(self.from[node].iter().copied());
            }
        }
        seen
    }

    /// The parts of an object.
    pub fn parts_of(&self, object: ObjectIndex) -> &[Part] {
        let (first, count) = self.of_object[object];
        &self.parts[first..first + count]
    }

    /// The part that is this member, or all parts of the object.
    pub fn member(&self, object: ObjectIndex, member: Option<usize>) -> Vec<Part> {
        let parts = self.parts_of(object).iter().copied();
        parts
            .filter(|p| member.is_none() || p.member.is_none() || p.member == member)
            .collect()
    }

    /// Whether some statement or call writes a part.
    pub fn is_written(&self, part: Part) -> bool {
        self.index(part).is_some_and(|i| self.written[i])
    }

    fn index(&self, part: Part) -> Option<usize> {
        let (first, count) = self.of_object[part.object];
        (first..first + count).find(|&i| self.parts[i] == part)
    }

    /// The parts that influence the run, these parts, the results of these functions, or whether those
    /// functions are called.
    pub fn relevant(&self, parts: &[Part], results: &[&str], calls: &[&str]) -> BTreeSet<Part> {
        let mut stack: Vec<Node> = Vec::new();
        stack.extend(parts.iter().filter_map(|&p| self.index(p)));
        stack.extend(
            results
                .iter()
                .filter_map(|n| self.functions.get(*n))
                .map(|f| f.0),
        );
        stack.extend(
            calls
                .iter()
                .filter_map(|n| self.functions.get(*n))
                .map(|f| f.1),
        );
        let seen = self.seen(stack);
        let parts = self.parts.iter().enumerate();
        parts.filter(|(i, _)| seen[*i]).map(|(_, p)| *p).collect()
    }
}

/// The condition of the `switch` that a `break` leaves; `None` if it leaves a loop.
type Switch = Option<Node>;

struct Builder<'a> {
    tree: &'a Tree,
    aliases: &'a Aliases,
    graph: Influence,
    results: HashMap<FunctionId, Node>,
    executions: HashMap<FunctionId, Node>,
    function: Option<FunctionId>,
    watched: BTreeSet<(usize, usize)>,
    /// The calls of functions with bodies: the caller, the callee, and the nodes that decide whether the call happens.
    calls: Vec<(FunctionId, FunctionId, Vec<Node>)>,
    /// For each set of parts that some expression reads together, a node that stands for it. Pointers in large programs
    /// designate thousands of parts, the same ones again and again: edges to each would take hours.
    read_together: HashMap<Vec<Node>, Node>,
    /// The same for sets of parts that some expression may write.
    written_together: HashMap<Vec<Node>, Node>,
}

/// Sets of more parts have a node of their own.
const FEW: usize = 4;

impl<'a> Builder<'a> {
    fn new(tree: &'a Tree, aliases: &'a Aliases) -> Builder<'a> {
        let mut parts = Vec::new();
        let mut of_object = Vec::new();
        for (id, object) in tree.objects.iter() {
            let first = parts.len();
            let record = structure(tree, object.ty).map(|record| &tree.types.records[record]);
            let record = record.filter(|record| !record.is_union);
            let members = record.and_then(|record| record.members.as_ref().map(Vec::len));
            let object = id.index();
            match members {
                Some(count) if count > 0 => parts.extend((0..count).map(|m| Part {
                    object,
                    member: Some(m),
                })),
                _ => parts.push(Part {
                    object,
                    member: None,
                }),
            }
            of_object.push((first, parts.len() - first));
        }
        let run = parts.len();
        let graph = Influence {
            written: vec![false; parts.len()],
            from: vec![BTreeSet::new(); run + 1],
            parts,
            of_object,
            run,
            functions: HashMap::new(),
            hazards: BTreeSet::new(),
            marks: Vec::new(),
            unnamed_writes: Vec::new(),
            through_pointers: HashMap::new(),
        };
        Builder {
            tree,
            aliases,
            graph,
            results: HashMap::new(),
            executions: HashMap::new(),
            function: None,
            watched: BTreeSet::new(),
            calls: Vec::new(),
            read_together: HashMap::new(),
            written_together: HashMap::new(),
        }
    }

    fn node(&mut self) -> Node {
        self.graph.from.push(BTreeSet::new());
        self.graph.from.len() - 1
    }

    fn edge(&mut self, from: Node, to: Node) {
        self.graph.from[to].insert(from);
    }

    fn edges(&mut self, from: &[Node], to: Node) {
        self.graph.from[to].extend(from.iter().copied());
    }

    /// A condition that decides `context` then decides something about the run itself.
    fn decides_run(&mut self, context: Node) {
        self.edge(context, self.graph.run);
    }

    fn result(&mut self, function: FunctionId) -> Node {
        if let Some(&node) = self.results.get(&function) {
            return node;
        }
        let node = self.node();
        self.results.insert(function, node);
        node
    }

    fn execution(&mut self, function: FunctionId) -> Node {
        if let Some(&node) = self.executions.get(&function) {
            return node;
        }
        let node = self.node();
        self.executions.insert(function, node);
        node
    }

    /// A node for the outcome of a condition.
    fn condition(&mut self, context: Node, sources: &[Node]) -> Node {
        let node = self.node();
        self.edge(context, node);
        self.edges(sources, node);
        node
    }

    fn all_parts(&self, object: ObjectId) -> Vec<Node> {
        let (first, count) = self.graph.of_object[object.index()];
        (first..first + count).collect()
    }
}

/// The type of a structure, or of the elements of an array of structures.
fn structure(tree: &Tree, mut ty: QualType) -> Option<RecordId> {
    loop {
        match tree.types.get(ty) {
            Type::Array(element, _) => ty = *element,
            Type::Record(record) => return Some(*record),
            _ => return None,
        }
    }
}

/// Whether an object belongs to an activation of its function.
pub(crate) fn is_automatic(tree: &Tree, object: ObjectId) -> bool {
    matches!(
        tree.objects[object].storage,
        Storage::Local | Storage::Parameter
    )
}

/// Whether a statement is nested in another one.
pub(crate) fn within(tree: &Tree, mut at: Parent, outer: StmtId) -> bool {
    while let Some(statement) = tree.statement_of(at) {
        if statement == outer {
            return true;
        }
        at = tree.stmts[statement].parent;
    }
    false
}
