//! The walk over the syntax tree that collects the [`Facts`] that the plan works on.

mod arguments;
mod assembler;
pub mod busy_waits;
mod expressions;
mod handlers;
mod hidden;
mod identifiers;
pub mod irrelevant;
pub mod lock_polls;
mod misread;
mod narrow;
mod objects;
mod prototypes;
mod saved_places;
mod statements;

use cfront::library::{primitive, starts_thread};
use std::collections::{HashMap, HashSet};

use cfront::flow::{LoopKind, Point, PointId};
use cfront::span::{DeclId, FunctionId, ObjectId, ScopeId, Span, StmtId};
use cfront::tree::{Item, Tree};
use cfront::types::{Class, QualType};
use cfront::{Flow, Unit};

use crate::facts::names::Unique;
use crate::facts::spelling::{declaration_in, scopes_of_functions};
use crate::facts::{range, Facts, Function, Label, Range, ENTRY};

/// Collects the facts of a unit, in time linear in the size of the tree. `line` gives the file and line of an
/// offset.
pub fn collect(unit: &Unit, line: &dyn Fn(usize) -> (String, u32)) -> Facts {
    let mut collector = Collector {
        tree: &unit.tree,
        uses: cfront::counted_loops::Uses::of(&unit.tree),
        text: &unit.source.text,
        flows: &unit.flows,
        flow: None,
        cycle: Vec::new(),
        backward: HashSet::new(),
        switches: Vec::new(),
        facts: Facts::default(),
        functions: HashMap::new(),
        scopes: HashMap::new(),
        declared: HashMap::new(),
        function: 0,
        inner: scopes_of_functions(&unit.tree),
        irrelevant: crate::collect::irrelevant::Irrelevant::new(&unit.tree),
        one_file: unit.parts.len() < 2,
    };
    collector.functions();
    collector.walk_bodies();
    collector.objects(line);
    collector.link_gotos();
    collector.entries();
    collector.assembler_symbols();
    collector.hidden(&|at| unit.source.lines.kind(at) == cfront::linemap::RegionKind::System);
    collector.handlers();
    collector.unwritten();
    collector.arguments();
    collector.prototypes();
    collector.identifiers();
    collector.leave_headers(unit);
    // A program that calls nothing of the models keeps the library's types.
    let modelled = {
        let mut called = crate::library::calls(&collector.facts).map(|(_, name)| name);
        called.any(|f| primitive(f).is_some() || starts_thread(f))
    };
    let type_names = match modelled {
        true => crate::facts::sync_types::type_names(unit),
        false => Vec::new(),
    };
    Facts {
        shapes: crate::facts::sync_types::shapes(&unit.tree),
        static_kinds: crate::facts::sync_types::names_kinds(unit),
        type_names,
        ..collector.facts
    }
}

/// A point of the control flow graph of the function that is walked.
type Node = Option<PointId>;

struct Collector<'a> {
    irrelevant: crate::collect::irrelevant::Irrelevant,
    tree: &'a Tree,
    uses: cfront::counted_loops::Uses,
    text: &'a str,
    flows: &'a HashMap<FunctionId, Flow>,
    /// The control flow of the walked function.
    flow: Option<&'a Flow>,
    /// For each of its points, the cycle that it is on.
    cycle: Vec<Option<usize>>,
    /// Its backward gotos.
    backward: HashSet<StmtId>,
    /// Where the enclosing `switch` statements begin, innermost last.
    switches: Vec<usize>,
    facts: Facts,
    functions: HashMap<FunctionId, usize>,
    /// Scopes that statements open: their depths, whether they are `for` headers, and their spans.
    scopes: HashMap<ScopeId, (i32, bool, Span)>,
    /// Where the declarations of variables in blocks end.
    declared: HashMap<ObjectId, usize>,
    function: usize,
    /// The scopes of each function.
    inner: HashMap<FunctionId, Vec<ScopeId>>,
    /// Whether the program is one file.
    one_file: bool,
}

impl Collector<'_> {
    /// A type as text that is valid in a function.
    fn spelled(&self, ty: QualType, function: FunctionId) -> Option<String> {
        let scopes = self.inner.get(&function).map_or(&[][..], |s| s);
        declaration_in(self.tree, ty, function, scopes)
    }

    fn functions(&mut self) {
        let mut emitted = Unique::default();
        for item in &self.tree.items {
            let Item::Function(id) = *item else { continue };
            let function = &self.tree.functions[id];
            let Some(body) = &function.body else { continue };
            let ty = self.tree.types.function(function.ty);
            let parameters = match ty {
                // Parameters without a name count, too; the type of an old-style definition has none.
                Some(ty) if !ty.variadic => Some(ty.params.len().max(body.params.len())),
                _ => None,
            };
            let returns_void = ty.is_some_and(|ty| self.tree.types.class(ty.ret) == Class::Void);
            self.functions.insert(id, self.facts.functions.len());
            let flow = self.flows.get(&id);
            self.facts.functions.push(Function {
                id,
                name: function.name.clone(),
                emitted: emitted.name_exactly(&function.name),
                place: range(function.names.last().copied().unwrap_or(body.declarator)),
                start: body.span.start,
                body: range(self.tree.stmts[body.block].span),
                returns_void,
                result: ty.and_then(|ty| self.spelled(ty.ret, id)),
                inline_for_all: function.is_inline
                    && !function.is_static
                    && !function.in_system_header,
                falls_off: flow.is_none_or(|flow| flow.falls_off(self.tree)),
                address_taken: None,
                parameters,
                reads: Vec::new(),
                indirect: None,
                writes_outside: None,
            });
        }
        for (_, function) in self.tree.functions.iter() {
            if function.in_system_header {
                self.facts.declared.insert(function.name.clone());
            }
        }
    }

    fn walk_bodies(&mut self) {
        for item in self.tree.items.clone() {
            match item {
                Item::Function(id) => {
                    let Some(body) = self.tree.functions[id].body.clone() else {
                        continue;
                    };
                    let Some(&index) = self.functions.get(&id) else {
                        continue;
                    };
                    self.function = index;
                    self.enter(id);
                    self.statement(body.block, 1);
                }
                Item::Decl(id) => self.file_scope_declaration(id),
            }
        }
    }

    /// Prepares the control flow of the function that is walked next.
    fn enter(&mut self, function: FunctionId) {
        self.flow = self.flows.get(&function);
        self.cycle = self.flow.map(Flow::cycles).unwrap_or_default();
        let loops = self.flow.iter().flat_map(|flow| &flow.loops);
        let backward = loops.filter(|l| l.kind == LoopKind::Goto);
        self.backward = backward.map(|l| l.stmt).collect();
    }

    /// The node of the walked function at a point.
    fn at(&self, point: Point) -> Node {
        self.flow?.at(point)
    }

    /// A node's number; `usize::MAX` for code at no node (an initialiser at file scope), which is never
    /// reached.
    fn node(node: Node) -> usize {
        node.map_or(usize::MAX, PointId::index)
    }

    /// Adds a label for the entry of each function, after the labels of the program.
    fn entries(&mut self) {
        for (number, function) in self.facts.functions.iter().enumerate() {
            let flow = self.flows.get(&function.id);
            let behind_brace = function.body.start + 1;
            self.facts.labels.push(Label {
                function: number,
                name: ENTRY.into(),
                place: function.place,
                after_colon: behind_brace,
                statement: Range {
                    start: behind_brace,
                    end: function.body.end,
                },
                in_block: true,
                depth: 0,
                node: Self::node(flow.map(Flow::entry)),
            });
        }
    }

    /// Walks the initialisers at file scope: they are constant, but may take addresses.
    fn file_scope_declaration(&mut self, id: DeclId) {
        let decl = &self.tree.decls[id];
        let first = decl.declared.first();
        if first.is_some_and(|d| d.declarator.start <= decl.span.start) {
            self.facts.untyped.push(decl.span.start);
        }
        for declared in self.tree.decls[id].declared.clone() {
            if let Some(init) = declared.init {
                let mut exprs = Vec::new();
                self.tree.init_exprs(init, &mut exprs);
                for e in exprs {
                    self.expression(e, 1, None);
                }
            }
        }
    }
}
