//! Which memory pointers lead to: what calls allocate, or objects with names.

use std::collections::BTreeSet;

use crate::alias::{Aliases, Assumptions, Locations, Memory};
use crate::allocations::library_name;
use crate::span::{ExprId, FunctionId, ObjectId};
use crate::tree::{ExprKind, Tree};
use crate::types::Type;

/// The beginning of the names of the functions that give any values.
pub const ANY: &str = "any_of_memory_";
/// The beginning of the names of what stands for allocated memory.
pub(super) const MEMORY: &str = "memory_of_call_";
/// The beginning of the names of the places of values in it.
pub(super) const CELL: &str = "memory_cell_";

/// Why a program is not followed, and where.
pub(super) type Refusal = (ExprId, String);

/// The calls that allocate memory, as far as they are followed.
const ALLOCATING: [&str; 4] = ["malloc", "calloc", "realloc", "strdup"];

/// Where a pointer may lead, besides nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leads {
    /// Not to allocated memory.
    Elsewhere,
    /// To allocated memory alone.
    ToMemory,
    /// To allocated memory or objects with names.
    ToBoth,
}

/// The memory that a program allocates.
pub(super) struct Heap<'a> {
    pub tree: &'a Tree,
    aliases: Aliases,
    /// The calls that allocate it, in the order of the text.
    pub calls: BTreeSet<ExprId>,
}

/// What pointers in allocated memory may lead to.
#[derive(Default)]
pub(super) struct Targets {
    pub calls: BTreeSet<ExprId>,
    pub objects: BTreeSet<ObjectId>,
    pub functions: BTreeSet<FunctionId>,
}

/// Whether memory that a function of this name allocates is followed.
pub(super) fn allocates(name: &str) -> bool {
    ALLOCATING.contains(&name)
}

/// The name of the function that a call allocates memory with.
pub(super) fn allocator(tree: &Tree, call: ExprId) -> Option<&str> {
    let name = library_name(tree, call)?;
    allocates(name).then_some(name)
}

impl<'a> Heap<'a> {
    /// Analyses a whole program.
    pub fn of(tree: &'a Tree) -> Heap<'a> {
        let evaluated = tree.exprs.iter().filter(|(_, expr)| !expr.unevaluated);
        let calls = evaluated.filter(|(id, _)| allocator(tree, *id).is_some());
        Heap {
            tree,
            aliases: Aliases::new(
                tree,
                Assumptions {
                    whole_program: true,
                },
            ),
            calls: calls.map(|(id, _)| id).collect(),
        }
    }

    /// The calls that allocate what a pointer may lead to.
    pub fn led_to(&self, pointer: ExprId) -> BTreeSet<ExprId> {
        let locations = self.aliases.pointed_to(pointer);
        let all = self.aliases.memory(&locations).into_iter();
        let calls = all.filter_map(|m| match m {
            Memory::Made(call) if self.calls.contains(&call) => Some(call),
            _ => None,
        });
        calls.collect()
    }

    /// Whether the value of an expression may lead to allocated memory.
    pub fn may_lead_there(&self, e: ExprId) -> bool {
        let locations = self.aliases.pointed_to(e);
        let all = self.aliases.memory(&locations);
        let made = |m: &Memory| matches!(m, Memory::Made(call) if self.calls.contains(call));
        locations.anything || all.iter().any(made)
    }

    /// The memory that a pointer may lead to, as far as that is known.
    pub fn memory(&self, pointer: ExprId) -> BTreeSet<Memory> {
        self.aliases.memory(&self.aliases.pointed_to(pointer))
    }

    /// Whether the value of an expression may lead to anything at all.
    pub fn leads_somewhere(&self, e: ExprId) -> bool {
        !self.aliases.pointed_to(e).is_empty()
    }

    /// Where a pointer may lead. Memory is bytes: it counts where the pointer comes from, not what it says that is there.
    ///
    /// # Errors
    /// It may lead anywhere.
    pub fn leads(&self, pointer: ExprId) -> Result<Leads, String> {
        let locations = self.aliases.pointed_to(pointer);
        if locations.anything {
            return Err("a pointer may lead anywhere".to_owned());
        }
        let all = self.aliases.memory(&locations);
        let allocated =
            |one: &&Memory| matches!(one, Memory::Made(call) if self.calls.contains(call));
        let memory = all.iter().filter(allocated).count();
        Ok(match (memory > 0, all.len() > memory) {
            (false, _) => Leads::Elsewhere,
            (true, false) => Leads::ToMemory,
            (true, true) => Leads::ToBoth,
        })
    }

    /// What the pointers in all allocated memory may lead to: also those that are copied there as bytes.
    ///
    /// # Errors
    /// That is not known, or it has no name.
    pub fn targets(&self) -> Result<Targets, String> {
        let mut found = Targets::default();
        let mut stored = Locations::default();
        for call in &self.calls {
            stored.join(&self.aliases.stored_in(Memory::Made(*call)));
        }
        if stored.anything {
            return Err("a pointer in allocated memory may lead anywhere".to_owned());
        }
        found.functions = self.aliases.functions(&stored);
        for one in self.aliases.memory(&stored) {
            match one {
                Memory::Made(call) if self.calls.contains(&call) => {
                    found.calls.insert(call);
                }
                Memory::Object(object) => {
                    found.objects.insert(object);
                }
                Memory::Made(_) => {
                    return Err(
                        "a pointer in allocated memory may lead to a string or to what a function of the library made"
                            .to_owned(),
                    )
                }
            }
        }
        Ok(found)
    }

    /// The functions that a call may call, unless all are known and have a body.
    pub fn calls_outside(&self, callee: ExprId) -> bool {
        let pointed = self.aliases.may_point_to(callee);
        let outside = |f: &FunctionId| self.tree.functions[*f].body.is_none();
        pointed.anything || pointed.functions.is_empty() || pointed.functions.iter().any(outside)
    }
}

/// A path of members and elements to an lvalue, from a pointer.
pub(super) struct Path {
    /// The pointer.
    pub base: ExprId,
    /// The indices on the way, in the order of the text.
    pub indices: Vec<ExprId>,
    /// Whether the way is a single element, or what the pointer leads to itself.
    pub direct: bool,
}

/// The path to an lvalue, if it begins with a pointer.
///
/// # Errors
/// An index stands in front of its array.
pub(super) fn path(tree: &Tree, lvalue: ExprId) -> Result<Option<Path>, String> {
    let is_array = |e: ExprId| matches!(tree.types.get(tree.exprs[e].ty), Type::Array(..));
    let (mut at, mut indices, mut steps) = (lvalue, Vec::new(), 0);
    loop {
        steps += 1;
        let (next, ends) = match &tree.exprs[at].kind {
            ExprKind::Member { base, arrow, .. } => (*base, *arrow),
            ExprKind::Deref(of) => (*of, !is_array(*of)),
            ExprKind::Index { base, index } => {
                if tree.types.pointee(tree.exprs[*base].ty).is_none() {
                    return Err("an index stands in front of its array".to_owned());
                }
                indices.insert(0, *index);
                (*base, !is_array(*base))
            }
            _ => return Ok(None),
        };
        if ends {
            let direct = steps == 1 && !matches!(tree.exprs[at].kind, ExprKind::Member { .. });
            return Ok(Some(Path {
                base: next,
                indices,
                direct,
            }));
        }
        at = next;
    }
}
