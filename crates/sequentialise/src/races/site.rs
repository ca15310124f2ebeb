//! Accesses of shared memory, and what is known where they are made.

use std::collections::{BTreeMap, BTreeSet};

use cfront::ExprId;

use super::parts::{Path, Step};
use super::state::{Lock, ThreadId};
use crate::code::Touched;

/// Which memory a site accesses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Part {
    /// The lvalue that the expression is.
    Lvalue,
    /// What this argument of a call points to: an object of its type.
    Target(usize),
    /// What this argument of a call points to: as many bytes as another argument says.
    Bytes(usize, usize),
    /// Memory that this argument of a call points to, of a size that is not known.
    Some(usize),
    /// Memory that pointers lead to which stand where this argument of a call points to.
    Further(usize),
}

/// A place of the program that accesses memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Site {
    /// The lvalue, or the call.
    pub expr: ExprId,
    /// Which memory.
    pub part: Part,
    /// Whether it writes.
    pub writes: bool,
    /// Whether the access is atomic.
    pub atomic: bool,
}

/// What is known of an access by how it is written.
#[derive(Clone, Debug, Default)]
pub(super) struct Around {
    /// As in [`Seen`].
    pub own: bool,
    /// As in [`Seen`].
    pub under: BTreeSet<Vec<Step>>,
    /// As in [`Seen`].
    pub indexed: BTreeSet<Path>,
}

/// An access of a thread.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Seen {
    /// The thread.
    pub thread: ThreadId,
    /// The place.
    pub site: Site,
    /// The memory that it may concern.
    pub touched: Touched,
    /// The part of an object, if that is known.
    pub path: Option<Path>,
    /// The members and elements by which the access leads to its object from a pointer.
    pub suffix: Vec<Step>,
    /// Whether the object is an automatic one of the thread itself, accessed by its name.
    pub own: bool,
    /// Locks in the object that the access is a part of, by their steps.
    pub under: BTreeSet<Vec<Step>>,
    /// Arrays of locks of which that one is held whose index is the variable that is the first index of the
    /// access that is not constant.
    pub indexed: BTreeSet<Path>,
    /// Locks that are held on all paths, and whether no other thread can hold them too.
    pub held: BTreeMap<Lock, bool>,
    /// Threads that may run besides, of those that this one has started.
    pub live: BTreeSet<ThreadId>,
}
