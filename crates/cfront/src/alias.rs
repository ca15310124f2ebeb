//! What pointers may point to.
//!
//! A points-to analysis in the manner of Andersen (his thesis, DIKU 1994). It ignores the order of
//! statements, members of structures and indices of arrays, so its answers hold at every place, in
//! every thread. It is sound for C whose pointers come from addresses of objects, allocation,
//! arithmetic within objects, casts (also through 64-bit integers) and library functions. It
//! assumes that a number cast to a pointer points to no object of the program, and that a function
//! without body accesses only memory that it was given.

mod bits;
mod constraints;
mod library;
mod solve;

use std::collections::BTreeSet;

use crate::span::{ExprId, FunctionId, Id, ObjectId};
use crate::tree::{ExprKind, Tree};
use solve::{Graph, Node};

/// A piece of memory that pointers may point to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Memory {
    /// A variable or parameter, or a part of it.
    Object(ObjectId),
    /// A string, a compound literal, or what a call allocates.
    Made(ExprId),
}

/// What an analysis may assume.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Assumptions {
    /// All callers of the unit's functions are in the unit. Without this assumption, the parameters
    /// of functions with external linkage may point to anything.
    pub whole_program: bool,
}

/// A location in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Location {
    /// A variable or parameter.
    Object(ObjectId),
    /// A function.
    Function(FunctionId),
    /// A string, a compound literal, or the memory that a call allocates.
    Made(ExprId),
    /// Anything.
    Unknown,
}

/// A set of locations that a pointer may point to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PointsTo {
    /// Variables and parameters, or parts of them.
    pub objects: BTreeSet<ObjectId>,
    /// Functions.
    pub functions: BTreeSet<FunctionId>,
    /// Whether the set also has known memory without a name: allocated memory, strings, literals.
    pub unnamed: bool,
    /// Whether the pointer may point to anything at all; the other fields then say nothing.
    pub anything: bool,
}

impl PointsTo {
    /// Whether the pointer may point to the object or to a part of it.
    pub fn may_be(&self, object: ObjectId) -> bool {
        self.anything || self.objects.contains(&object)
    }
}

/// A set of memory locations, to be compared with other sets of the same analysis: finer than
/// [`PointsTo`], because allocations and literals are told apart.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Locations {
    set: BTreeSet<solve::Loc>,
    /// Whether the set may contain anything at all.
    pub anything: bool,
}

impl Locations {
    /// Whether the two sets may have memory in common. An empty set has nothing in common with any
    /// set.
    pub fn meet(&self, other: &Locations) -> bool {
        let (few, many) = match self.set.len() < other.set.len() {
            true => (self, other),
            false => (other, self),
        };
        (self.anything && !other.is_empty())
            || (other.anything && !self.is_empty())
            || few.set.iter().any(|l| many.set.contains(l))
    }

    /// Whether the set is surely empty.
    pub fn is_empty(&self) -> bool {
        !self.anything && self.set.is_empty()
    }

    /// Adds another set.
    pub fn join(&mut self, other: &Locations) {
        self.set.extend(&other.set);
        self.anything |= other.anything;
    }
}

/// The result of the analysis for a unit.
#[derive(Clone, Debug)]
pub struct Aliases {
    locations: Vec<Location>,
    numbers: std::collections::HashMap<Location, solve::Loc>,
    graph: Graph,
    exprs: usize,
}

impl Aliases {
    /// Analyses a unit.
    pub fn new(tree: &Tree, assumptions: Assumptions) -> Aliases {
        constraints::analyse(tree, assumptions)
    }

    /// The targets of an expression's value: of a pointer its targets, of an array its own object.
    /// An expression that was added after the analysis may point to anything.
    pub fn may_point_to(&self, e: ExprId) -> PointsTo {
        self.set(e, constraints::value(e))
    }

    /// The objects that an lvalue may designate: a write to the lvalue changes one of them.
    pub fn may_designate(&self, e: ExprId) -> PointsTo {
        self.set(e, constraints::place(e))
    }

    /// The locations that an lvalue may designate.
    pub fn designated(&self, e: ExprId) -> Locations {
        self.locations_of(e, constraints::place(e))
    }

    /// The locations that the value of an expression may point to.
    pub fn pointed_to(&self, e: ExprId) -> Locations {
        self.locations_of(e, constraints::value(e))
    }

    /// The memory that a set of locations names, without functions. Where the set is `anything`,
    /// the result is incomplete.
    pub fn memory(&self, locations: &Locations) -> BTreeSet<Memory> {
        let named = locations.set.iter();
        named
            .filter_map(|&l| match self.locations[l] {
                Location::Object(o) => Some(Memory::Object(o)),
                Location::Made(e) => Some(Memory::Made(e)),
                Location::Function(_) | Location::Unknown => None,
            })
            .collect()
    }

    /// The location of an object; nothing if no pointer to it exists.
    pub fn location_of(&self, object: ObjectId) -> Locations {
        let number = self.numbers.get(&Location::Object(object));
        Locations {
            set: number.copied().into_iter().collect(),
            anything: self.graph.gave_up(),
        }
    }

    /// The locations that pointers in a piece of memory may point to.
    pub fn stored_in(&self, memory: Memory) -> Locations {
        let location = match memory {
            Memory::Object(object) => Location::Object(object),
            Memory::Made(made) => Location::Made(made),
        };
        let number = self.numbers.get(&location);
        let inside = number.map(|&n| self.graph.points_to(self.graph.contents(n)));
        let set: BTreeSet<solve::Loc> = inside.into_iter().flatten().collect();
        let unknown = set.iter().any(|&l| self.locations[l] == Location::Unknown);
        Locations {
            set,
            anything: unknown || self.graph.gave_up(),
        }
    }

    /// The functions that a set of locations names.
    pub fn functions(&self, locations: &Locations) -> BTreeSet<FunctionId> {
        let named = locations.set.iter();
        named
            .filter_map(|&l| match self.locations[l] {
                Location::Function(f) => Some(f),
                _ => None,
            })
            .collect()
    }

    /// The objects that can be reached by following pointers, starting at the contents of an
    /// object; `None` if the analysis gave up.
    pub fn reached_from(&self, object: ObjectId) -> Option<BTreeSet<ObjectId>> {
        if self.graph.gave_up() {
            return None;
        }
        let Some(&number) = self.numbers.get(&Location::Object(object)) else {
            return Some(BTreeSet::new());
        };
        let inside = self.graph.points_to(self.graph.contents(number)).collect();
        let from = Locations {
            set: inside,
            anything: false,
        };
        let reached = self.reachable(from).set.into_iter();
        let objects = reached.filter_map(|l| match self.locations[l] {
            Location::Object(o) => Some(o),
            _ => None,
        });
        Some(objects.collect())
    }

    /// Whether anything but a local variable of its own function may hold the address of an object.
    /// Parameters count as others. Then another activation or another thread may write to the
    /// object.
    pub fn leaves_its_activation(&self, tree: &Tree, object: ObjectId) -> bool {
        let function = tree.objects[object].function;
        self.is_held_by_other(object, |holder| {
            let o = &tree.objects[holder];
            o.function == function && o.storage == crate::tree::Storage::Local
        })
    }

    /// Whether the address of an object may get into memory that other threads can read: memory
    /// that is not automatic, or a parameter of one of these functions, with which threads begin.
    pub fn leaves_its_thread(&self, tree: &Tree, object: ObjectId, starts: &[FunctionId]) -> bool {
        self.is_held_by_other(object, |holder| {
            let o = &tree.objects[holder];
            match o.storage {
                crate::tree::Storage::Local => true,
                crate::tree::Storage::Parameter => !o.function.is_some_and(|f| starts.contains(&f)),
                _ => false,
            }
        })
    }

    /// Whether no other thread can change the targets of a value: locals whose addresses stay in
    /// their thread, constants and strings. `starts` are the functions that threads begin with.
    pub fn stays_in_thread(&self, tree: &Tree, value: ExprId, starts: &[FunctionId]) -> bool {
        let pointed = self.pointed_to(value);
        let stays = |&location: &solve::Loc| match self.locations[location] {
            Location::Object(o) if tree.objects[o].is_static_duration() => {
                tree.objects[o].ty.quals.is_const
            }
            Location::Object(o) => !self.leaves_its_thread(tree, o, starts),
            Location::Made(e) => {
                e.index() < tree.exprs.len() && matches!(tree.exprs[e].kind, ExprKind::Str(_))
            }
            Location::Function(_) | Location::Unknown => false,
        };
        !pointed.anything && pointed.set.iter().all(stays)
    }

    /// Whether an object that is not `own` holds the address of this object, directly or through
    /// others.
    fn is_held_by_other(&self, object: ObjectId, own: impl Fn(ObjectId) -> bool) -> bool {
        self.is_kept(Memory::Object(object), own)
    }

    /// Whether anything but objects that are `own` may hold the address of a piece of memory, directly or through others.
    pub fn is_kept(&self, memory: Memory, own: impl Fn(ObjectId) -> bool) -> bool {
        if self.graph.gave_up() {
            return true;
        }
        let location = match memory {
            Memory::Object(object) => Location::Object(object),
            Memory::Made(made) => Location::Made(made),
        };
        let Some(&number) = self.numbers.get(&location) else {
            return false;
        };
        let mut work = vec![number];
        let mut seen = BTreeSet::from([number]);
        while let Some(held) = work.pop() {
            for (holder, location) in self.locations.iter().enumerate() {
                let inside = self.graph.contents(holder);
                if !self.graph.holds(inside, held) || !seen.insert(holder) {
                    continue;
                }
                let own = matches!(location, Location::Object(o) if own(*o));
                if !own {
                    return true;
                }
                work.push(holder);
            }
        }
        false
    }

    /// All locations that can be reached by following pointers from these locations, themselves
    /// included.
    fn reachable(&self, from: Locations) -> Locations {
        let mut work: Vec<solve::Loc> = from.set.iter().copied().collect();
        let mut found = from;
        while let Some(location) = work.pop() {
            found.anything |= self.locations[location] == Location::Unknown;
            for inside in self.graph.points_to(self.graph.contents(location)) {
                if found.set.insert(inside) {
                    work.push(inside);
                }
            }
        }
        found
    }

    fn locations_of(&self, e: ExprId, node: Node) -> Locations {
        if e.index() >= self.exprs || self.graph.gave_up() {
            return Locations {
                set: BTreeSet::new(),
                anything: true,
            };
        }
        let set: BTreeSet<solve::Loc> = self.graph.points_to(node).collect();
        let anything = set.iter().any(|&l| self.locations[l] == Location::Unknown);
        Locations { set, anything }
    }

    fn set(&self, e: ExprId, node: Node) -> PointsTo {
        let mut set = PointsTo::default();
        if e.index() >= self.exprs || self.graph.gave_up() {
            set.anything = true;
            return set;
        }
        for location in self.graph.points_to(node) {
            match self.locations[location] {
                Location::Object(o) => {
                    set.objects.insert(o);
                }
                Location::Function(f) => {
                    set.functions.insert(f);
                }
                Location::Made(_) => set.unnamed = true,
                Location::Unknown => set.anything = true,
            }
        }
        set
    }
}
