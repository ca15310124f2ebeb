//! Byte ranges of the preprocessed text, and the typed indices of the tree's arenas.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A byte offset into the preprocessed text.
pub type Offset = usize;

/// A half-open byte range of the preprocessed text.
///
/// A span starts at the first byte of its first token and ends after the last byte of its last
/// token; white space and line markers never belong to its ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: Offset,
    /// Offset after the last byte.
    pub end: Offset,
}

impl Span {
    /// The range `start..end`.
    pub const fn new(start: Offset, end: Offset) -> Span {
        Span { start, end }
    }

    /// The empty range at `at`.
    pub const fn empty(at: Offset) -> Span {
        Span { start: at, end: at }
    }

    /// Whether `at` lies in the range.
    pub fn contains(self, at: Offset) -> bool {
        self.start <= at && at < self.end
    }

    /// Whether the whole of `other` lies in the range.
    pub fn encloses(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The smallest range that contains both.
    pub fn join(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// Number of bytes.
    pub fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Whether the range holds no byte.
    pub fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// The text of the range, or the empty string if the range is not in `text`.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or("")
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// The type of an [`Arena`]'s indices.
pub trait Id: Copy + Eq {
    /// The id with this position.
    fn from_index(index: usize) -> Self;
    /// The position.
    fn index(self) -> usize;
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(u32);

        impl Id for $name {
            fn from_index(index: usize) -> Self {
                // A unit holds fewer nodes than bytes, and texts above 2 GiB are refused.
                $name(index as u32)
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A function, declared or defined.
    FunctionId;
    /// An object: a variable or a parameter.
    ObjectId;
    /// An expression.
    ExprId;
    /// A statement.
    StmtId;
    /// A declaration.
    DeclId;
    /// A scope.
    ScopeId;
    /// A structure or union type.
    RecordId;
    /// An enumeration type.
    EnumId;
    /// A type without its outermost qualifiers.
    TypeId;
    /// An initializer.
    InitId;
}

/// A growing list whose elements are named by a typed index.
#[derive(Clone, Debug)]
pub struct Arena<I, T> {
    items: Vec<T>,
    id: PhantomData<I>,
}

impl<I: Id, T> Default for Arena<I, T> {
    fn default() -> Self {
        Arena {
            items: Vec::new(),
            id: PhantomData,
        }
    }
}

impl<I: Id, T> Arena<I, T> {
    /// Adds an element and names it.
    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::from_index(self.items.len() - 1)
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The elements in the order of their ids.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.items
            .iter()
            .enumerate()
            .map(|(i, t)| (I::from_index(i), t))
    }

    /// The ids in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> {
        (0..self.items.len()).map(I::from_index)
    }

    /// The element; `None` if the id belongs to another arena.
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }
}

impl<I: Id, T> Index<I> for Arena<I, T> {
    type Output = T;
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Arena<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}
