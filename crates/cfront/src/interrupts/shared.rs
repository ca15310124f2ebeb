//! What the code of a program shares with the handlers that may interrupt it.

use std::collections::{BTreeMap, BTreeSet};

use crate::access::{usage, Use};
use crate::alias::{Aliases, Locations};
use crate::calls::CallGraph;
use crate::registers::accesses::{access, How};
use crate::span::{ExprId, FunctionId, ObjectId};
use crate::tree::{ExprKind, Parent, Resolved, Tree};

use super::held::Held;
use super::{threads, Weaver};

/// Memory that handlers access.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    objects: BTreeSet<ObjectId>,
    /// What they access through pointers.
    targets: Locations,
}

impl Memory {
    /// Whether the object that an expression names may belong to it.
    pub fn has(&self, tree: &Tree, aliases: &Aliases, e: ExprId) -> bool {
        match tree.root(e) {
            (Some(o), false) => {
                let lives = tree.objects[o].is_static_duration();
                lives && self.objects.contains(&o) || aliases.location_of(o).meet(&self.targets)
            }
            _ => self.meets(aliases, &aliases.designated(e)),
        }
    }

    /// Whether some of these locations may belong to it.
    pub fn meets(&self, aliases: &Aliases, locations: &Locations) -> bool {
        let mut objects = self.objects.iter();
        locations.meet(&self.targets) || objects.any(|o| aliases.location_of(*o).meet(locations))
    }
}

/// What handlers may do with memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Shared {
    /// What they read or write.
    pub accessed: Memory,
    /// What they write.
    pub written: Memory,
}

/// The functions of a program by who runs them.
pub(super) struct Runs {
    /// For each function the least priority of the code that it is part of; 0 is the program itself.
    pub least: BTreeMap<FunctionId, usize>,
    /// The functions that run in handlers which nothing interrupts.
    pub highest: BTreeSet<FunctionId>,
    /// For each rank what the handlers of this or a higher one access.
    shared: Vec<Shared>,
    /// Where no handler can come.
    held: Held,
}

impl Runs {
    /// What the handlers share that may interrupt the evaluation of an expression; `None` if none may.
    pub fn interrupted(&self, tree: &Tree, e: ExprId) -> Option<&Shared> {
        let function = tree.function_of(Parent::Expr(e))?;
        let shared = self.shared.get(*self.least.get(&function)?)?;
        (!self.held.has(tree, e)).then_some(shared)
    }
}

impl Weaver<'_> {
    pub(super) fn runs(&self, aliases: &Aliases) -> Runs {
        let tree = &self.unit.tree;
        let graph = CallGraph::new(tree);
        let reached = |f: FunctionId| -> Vec<FunctionId> {
            graph.reachable(f).into_iter().chain([f]).collect()
        };
        // The threads of handlers are their own, and so is what they do when they become due.
        let own = |f: FunctionId| {
            let name = &tree.functions[f].name;
            name == super::ENABLE || name.starts_with(super::THREAD)
        };
        let ranks = threads::ranks(self.interrupts);
        let most = ranks.iter().copied().max().unwrap_or(0);
        let main = tree.function_named("main");
        let (mut undisturbed, mut roots) = (BTreeSet::new(), BTreeSet::new());
        if self.masked && tree.types.model.int == 16 {
            undisturbed.extend(main);
        }
        for (handler, rank) in self.interrupts.handlers.iter().zip(&ranks) {
            let handler = tree.function_named(&handler.name);
            match *rank == most {
                true => undisturbed.extend(handler),
                false => roots.extend(handler),
            }
        }
        roots.extend(main);
        roots.extend(graph.starts.iter().filter_map(|start| start.function));
        let mut runs = Runs {
            least: BTreeMap::new(),
            highest: BTreeSet::new(),
            shared: vec![Shared::default(); most],
            held: Held::of(tree, &graph, &undisturbed, &roots),
        };
        for (handler, rank) in self.interrupts.handlers.iter().zip(&ranks) {
            let Some(function) = tree.function_named(&handler.name) else {
                continue;
            };
            for f in reached(function) {
                let least = runs.least.entry(f).or_insert(*rank);
                *least = (*least).min(*rank);
                if *rank == most {
                    runs.highest.insert(f);
                }
                for below in &mut runs.shared[..*rank] {
                    accessed(tree, f, aliases, below);
                }
            }
        }
        let starts = graph.starts.iter().filter_map(|start| start.function);
        let mut work: Vec<FunctionId> = main.into_iter().chain(starts).collect();
        while let Some(f) = work.pop() {
            if !own(f) && runs.least.insert(f, 0) != Some(0) {
                work.extend(graph.callees(f));
            }
        }
        runs
    }
}

/// Adds what a function does.
fn accessed(tree: &Tree, function: FunctionId, aliases: &Aliases, out: &mut Shared) {
    let Some(body) = &tree.functions[function].body else {
        return;
    };
    for (id, expr) in tree.exprs.iter() {
        if expr.unevaluated || !body.span.contains(expr.span.start) {
            continue;
        }
        match &expr.kind {
            ExprKind::Ident(Resolved::Object(o)) if tree.objects[*o].is_static_duration() => {
                out.accessed.objects.insert(*o);
                if matches!(usage(tree, id), Use::Write | Use::ReadWrite) {
                    out.written.objects.insert(*o);
                }
            }
            ExprKind::Deref(_) | ExprKind::Member { arrow: true, .. } | ExprKind::Index { .. } => {
                let pointer = !matches!(tree.root(id), (Some(_), false));
                if pointer {
                    let to = aliases.designated(id);
                    if !matches!(access(tree, id).how, How::Read | How::Address) {
                        out.written.targets.join(&to);
                    }
                    out.accessed.targets.join(&to);
                }
            }
            ExprKind::Call { args, .. } => {
                let written = aliases.written_by_call(tree, id);
                out.written.targets.join(&written);
                out.accessed.targets.join(&written);
                for arg in args {
                    out.accessed.targets.join(&aliases.pointed_to(*arg));
                }
            }
            _ => {}
        }
    }
}
