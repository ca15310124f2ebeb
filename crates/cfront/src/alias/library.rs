//! The memory that calls of functions without body write through the pointers that they are given.

use super::{Aliases, Location, Locations};
use crate::calls::named_function;
use crate::library::{self, Writes};
use crate::span::{ExprId, FunctionId};
use crate::tree::{ExprKind, Resolved, Tree};
use crate::types::Type;

fn known(name: &str) -> Option<Writes> {
    library::function(name)?.writes
}

impl Aliases {
    /// The memory that a call may write without a write in the unit's text; nothing if the called
    /// function has a body here. A function of the C library writes through the pointers that it is
    /// given, as far as their types allow. Any other function without body is taken to write all
    /// memory that this or another such function was given a pointer to.
    pub fn written_by_call(&self, tree: &Tree, call: ExprId) -> Locations {
        let ExprKind::Call { callee, args, .. } = &tree.exprs[call].kind else {
            return Locations::default();
        };
        match named_function(tree, *callee) {
            Some(f) => self.written_by_function(tree, f, args),
            None => match &tree.exprs[*callee].kind {
                ExprKind::Ident(Resolved::Unknown(name)) => {
                    self.by_library(tree, None, known(name), args)
                }
                _ => {
                    let targets = self.may_point_to(*callee);
                    let mut written = Locations::default();
                    for f in targets.functions {
                        written.join(&self.written_by_function(tree, f, args));
                    }
                    if targets.anything {
                        written.join(&self.written_by_unknown(args));
                    }
                    written
                }
            },
        }
    }

    /// The part of [`Aliases::written_by_call`] that no argument points to directly, but that
    /// pointers lead to from the arguments. Empty for functions of the library.
    pub fn written_further(&self, tree: &Tree, call: ExprId) -> Locations {
        let ExprKind::Call { callee, args, .. } = &tree.exprs[call].kind else {
            return Locations::default();
        };
        let unknown = match named_function(tree, *callee) {
            Some(f) => {
                let function = &tree.functions[f];
                let library = function.in_system_header && !function.implicit;
                function.body.is_none() && !library && known(&function.name).is_none()
            }
            None => match &tree.exprs[*callee].kind {
                ExprKind::Ident(Resolved::Unknown(name)) => known(name).is_none(),
                _ => false,
            },
        };
        let mut direct = Locations::default();
        for &arg in args.iter().filter(|_| unknown) {
            direct.join(&self.pointed_to(arg));
        }
        self.further(&direct)
    }

    /// The memory that pointers in some memory lead to, and pointers in that, besides the memory itself.
    pub fn further(&self, direct: &Locations) -> Locations {
        let gave_up = self.graph.gave_up() && !direct.is_empty();
        let mut further = Locations {
            anything: gave_up,
            ..Locations::default()
        };
        let mut work: Vec<_> = direct.set.iter().copied().collect();
        while let Some(location) = work.pop() {
            // Memory of the library may point to everything that the library ever got, so it says
            // nothing.
            if self.locations[location] == Location::Unknown {
                continue;
            }
            for inside in self.graph.points_to(self.graph.contents(location)) {
                if !direct.set.contains(&inside) && further.set.insert(inside) {
                    work.push(inside);
                }
            }
        }
        further
    }

    fn written_by_function(&self, tree: &Tree, f: FunctionId, args: &[ExprId]) -> Locations {
        let function = &tree.functions[f];
        if function.body.is_some() {
            return Locations::default();
        }
        match known(&function.name) {
            None if !function.in_system_header || function.implicit => {
                self.written_by_unknown(args)
            }
            known => self.by_library(tree, Some(f), known, args),
        }
    }

    /// Memory whose address left the unit may be written as long as the program runs.
    fn written_by_unknown(&self, args: &[ExprId]) -> Locations {
        let mut written = Locations::default();
        for &arg in args {
            written.join(&self.pointed_to(arg));
        }
        if let Some(&unknown) = self.numbers.get(&Location::Unknown) {
            written
                .set
                .extend(self.graph.points_to(self.graph.contents(unknown)));
        }
        let mut reached = self.reachable(written);
        // The function may return anything, but it can write only memory that it was given.
        reached.anything = self.graph.gave_up();
        reached
    }

    /// The arguments through which a call of a function without body may write, as far as types or
    /// the catalogue say.
    pub fn arguments_written(&self, tree: &Tree, call: ExprId) -> Vec<ExprId> {
        let ExprKind::Call { callee, args, .. } = &tree.exprs[call].kind else {
            return Vec::new();
        };
        let (function, row) = match (named_function(tree, *callee), &tree.exprs[*callee].kind) {
            (Some(f), _) if tree.functions[f].body.is_some() => return Vec::new(),
            (Some(f), _) => (Some(f), known(&tree.functions[f].name)),
            (None, ExprKind::Ident(Resolved::Unknown(name))) => (None, known(name)),
            (None, _) => return Vec::new(),
        };
        let written = written_through(tree, function, row, args);
        written.into_iter().map(|(arg, _)| arg).collect()
    }

    /// Whether some of this memory may hold a pointer to known memory or to a function.
    pub fn hold_pointers(&self, memory: &Locations) -> bool {
        let inside = |&l: &_| {
            self.graph
                .points_to(self.graph.contents(l))
                .next()
                .is_some()
        };
        memory.anything || memory.set.iter().any(inside)
    }

    fn by_library(
        &self,
        tree: &Tree,
        function: Option<FunctionId>,
        known: Option<Writes>,
        args: &[ExprId],
    ) -> Locations {
        let mut written = Locations::default();
        for (arg, deep) in written_through(tree, function, known, args) {
            let pointed = self.pointed_to(arg);
            written.join(&match deep {
                true => self.reachable(pointed),
                false => pointed,
            });
        }
        written
    }
}

/// The arguments through which a function of the library writes, and whether it also writes what
/// pointers in the memory there lead to.
fn written_through(
    tree: &Tree,
    function: Option<FunctionId>,
    known: Option<Writes>,
    args: &[ExprId],
) -> Vec<(ExprId, bool)> {
    let prototype = function.and_then(|f| tree.types.function(tree.functions[f].ty));
    let given = args.iter().enumerate();
    let how = |(i, &arg): (usize, &ExprId)| {
        let (writes, deep) = match known {
            Some(Writes::Nothing) => (false, false),
            Some(Writes::Arguments(list)) => (list.contains(&i), false),
            Some(Writes::Deep(list)) => (list.contains(&i), true),
            Some(Writes::From(first)) => (i >= first, false),
            None => {
                let ty = prototype.and_then(|p| p.params.get(i).copied());
                let ty = ty.unwrap_or(tree.exprs[arg].ty);
                match tree.types.get(ty) {
                    Type::Pointer(to) | Type::Array(to, _) => {
                        let deep = matches!(tree.types.get(*to), Type::Pointer(_));
                        (!to.quals.is_const, deep)
                    }
                    _ => (false, false),
                }
            }
        };
        writes.then_some((arg, deep))
    };
    given.filter_map(how).collect()
}

/// Whether a function of the library may store a pointer where one of its arguments leads: into memory that it writes, unless that
/// is one of numbers, or a stream. Pointers that it keeps itself are another matter.
pub(super) fn stores_pointers(
    tree: &Tree,
    (function, name): (Option<FunctionId>, &str),
    args: &[ExprId],
    at: usize,
) -> bool {
    let prototype = function.and_then(|f| tree.types.function(tree.functions[f].ty));
    let ty = prototype.and_then(|p| p.params.get(at).copied());
    let to = tree.types.pointee(ty.unwrap_or(tree.exprs[args[at]].ty));
    let numbers = to.is_some_and(|to| match tree.types.get(to) {
        Type::Bool | Type::Int(_) | Type::Float(_) | Type::Complex(_) | Type::Enum(_) => true,
        Type::Record(record) => {
            let tag = tree.types.records[*record].tag.as_deref();
            tag == Some("_IO_FILE")
        }
        _ => false,
    });
    let mut written = written_through(tree, function, known(name), args).into_iter();
    !numbers && written.any(|(arg, _)| arg == args[at])
}
