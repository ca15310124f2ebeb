//! The intermediate form: each thread as a list of operations with forward jumps only.

use std::collections::{BTreeSet, HashMap, HashSet};

use cfront::span::ObjectId;
use cfront::types::QualType;
use cfront::{ExprId, FunctionId, Memory, Span};

/// A place in a thread's list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Label(pub u32);

/// Memory that an access may touch.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Touched {
    /// What is known by name.
    pub memory: BTreeSet<Memory>,
    /// Whether it may be anything.
    pub anything: bool,
}

/// A read or a write of memory that another thread may know.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    /// The expression that denotes what is read or written.
    pub expr: ExprId,
    /// What it touches.
    pub touched: Touched,
    /// Whether it writes.
    pub writes: bool,
    /// Which part of which object it is, if that is known.
    pub place: Option<Place>,
    /// Mutexes that are held and have the same index in their array as what is accessed in its own, each
    /// with that in the place of the index.
    pub under: BTreeSet<Place>,
}

impl Touched {
    /// Whether two accesses may touch the same memory.
    pub fn overlaps(&self, other: &Touched) -> bool {
        self.anything || other.anything || !self.memory.is_disjoint(&other.memory)
    }

    /// Adds what another access touches.
    pub fn extend(&mut self, other: &Touched) {
        self.anything |= other.anything;
        self.memory.extend(other.memory.iter().cloned());
    }
}

impl Access {
    /// An access of which no more is known.
    pub fn new(expr: ExprId, touched: Touched, writes: bool) -> Access {
        Access {
            expr,
            touched,
            writes,
            place: None,
            under: BTreeSet::new(),
        }
    }
}

/// How an operation moves over those of other threads (Lipton 1975).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Mover {
    /// Over all of them: nobody can tell.
    Both,
    /// It may be done later: it takes a lock.
    Right,
    /// It may be done earlier: it gives a lock back, or starts a thread.
    Left,
    /// Others see when it is done.
    None,
}

/// A step from an object to a part of it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Part {
    /// A member of a structure.
    Member(String),
    /// An element of an array.
    Index(i128),
    /// The element whose index is the value that a variable has now.
    Variable(String),
}

/// A part of an object, or of memory that a call makes.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Place {
    /// What it lies in.
    pub memory: Memory,
    /// The way from there.
    pub parts: Vec<Part>,
}

impl Place {
    /// Whether it is the same at any time.
    pub fn is_constant(&self) -> bool {
        !self.parts.iter().any(|p| matches!(p, Part::Variable(_)))
    }

    /// Whether two places have surely nothing in common.
    pub fn is_apart(&self, other: &Place) -> bool {
        self.memory != other.memory
            || self
                .parts
                .iter()
                .zip(&other.parts)
                .any(|parts| match parts {
                    (Part::Member(a), Part::Member(b)) => a != b,
                    (Part::Index(a), Part::Index(b)) => a != b,
                    _ => false,
                })
    }
}

/// What an operation does with a mutex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    /// It waits until it can be taken.
    Waits,
    /// It takes it.
    Takes,
    /// It gives it back.
    Gives,
    /// Anything else that tells whether it is taken.
    Looks,
}

/// A mutex that an operation is about.
#[derive(Clone, Debug)]
pub(crate) struct Mutex {
    /// What happens to it.
    pub how: Use,
    /// Where it may lie.
    pub touched: Touched,
    /// Where it lies, if that is known; of one that is given back, if it is surely the one that was
    /// taken there.
    pub place: Option<Place>,
    /// The statement that does the same where nobody ever waits for the mutex.
    pub quiet: String,
}

/// What a jump tries: an exchange that has no effect where it fails.
#[derive(Clone, Debug)]
pub(crate) struct Try {
    /// The condition in C, without effect, under which it succeeds.
    pub can: String,
    /// Whether the thread jumps where it succeeds.
    pub jumps: bool,
}

/// An iteration of a loop that is repeated only as long as it has no effect.
#[derive(Clone, Debug)]
pub(crate) struct Retry {
    /// The function that tells whether an iteration would have an effect, or leave the loop.
    pub name: String,
    /// Stands in front of the iteration.
    pub from: Label,
    /// Stands where the iteration would be repeated.
    pub again: Label,
}

/// What an operation does.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// C statements without jumps.
    Text(String),
    /// A place to jump to.
    Label(Label),
    /// The head of a loop that is not unrolled: a place where a thread may stop.
    Head(Label),
    /// The way back to such a head. A context ends here, and the next one begins there.
    Back(Label),
    /// A jump, if a condition holds.
    Jump {
        /// The condition in C; nothing for always.
        condition: Option<String>,
        /// The target, which stands later in the list.
        to: Label,
    },
    /// A place where the thread stands as long as the condition does not hold. What follows
    /// assumes it.
    Stand {
        /// The condition in C, without effect.
        can: String,
        /// What is waited for, in words.
        what: String,
        /// The condition under which it has to go on some time, where it may go on without that.
        must: Option<String>,
        /// What the conditions read that other threads may know, with what is read around them; nothing where
        /// no infinite runs are searched.
        reads: Touched,
    },
    /// A section of one step begins.
    Begin,
    /// The section ends.
    End,
    /// The thread has ended.
    Stop,
    /// The thread is cut, after this text.
    Cut(String),
    /// A thread is started.
    Start(u32),
    /// A thread is joined, if it is known which.
    Joined(Option<u32>),
    /// The mutex is taken.
    Take(Option<Place>),
    /// The mutex is given back; nothing if it is not known which.
    Give(Option<Place>),
}

/// An operation.
#[derive(Clone, Debug)]
pub(crate) struct Op {
    /// What it does.
    pub action: Action,
    /// Where it comes from.
    pub span: Span,
    /// What it touches that other threads may know.
    pub accesses: Vec<Access>,
    /// How it moves.
    pub mover: Mover,
    /// Whether it lies in a section of one step.
    pub atomic: bool,
    /// The mutex that it is about.
    pub mutex: Option<Mutex>,
    /// The functions of the models that it calls.
    pub calls: Vec<&'static str>,
    /// The variable that it gives a value, if it does no more.
    pub assigns: Option<ObjectId>,
    /// What it tries, if it is a jump.
    pub tries: Option<Try>,
    /// The variable that has to be something but 0 for a statement to do anything.
    pub guard: Option<String>,
    /// A variable that a jump tests, and whether the thread jumps where it is something but 0.
    pub tests: Option<(String, bool)>,
    /// Whether it may change what lives on behind an iteration; of those in iterations that are repeated only as
    /// long as they have no effect.
    pub has_effect: bool,
}

/// A local variable that lives on between contexts.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    /// Its declaration in C, without storage class.
    pub declaration: String,
    /// Its name.
    pub name: String,
    /// Its type, where it is not a number or a pointer.
    pub ty: Option<QualType>,
    /// What it stands for; nothing for one that the program does not have.
    pub of: Option<(FunctionId, ObjectId, u32)>,
}

/// A thread.
#[derive(Clone, Debug)]
pub(crate) struct ThreadCode {
    /// The function that it begins with.
    pub function: FunctionId,
    /// The call that creates it.
    pub created_at: Option<Span>,
    /// The thread that creates it.
    pub creator: u32,
    /// What it does.
    pub ops: Vec<Op>,
    /// Its variables, in the order of their first use.
    pub variables: Vec<Variable>,
    /// Iterations that are repeated only as long as they have no effect, inner ones first.
    pub retries: Vec<Retry>,
}

/// The threads of a program as lists of operations, and what the emitted text needs beside them: static variables,
/// functions that are called as they are, memory that calls make.
#[derive(Debug)]
pub(crate) struct Lowered {
    /// The threads; the first is the main one.
    pub threads: Vec<ThreadCode>,
    /// Static variables of functions, thread-local ones included: declared once.
    pub statics: Vec<ObjectId>,
    /// Functions that are called as they are.
    pub kept: HashSet<FunctionId>,
    /// How often a call was made out of which memory comes.
    pub made: HashMap<ExprId, u32>,
    /// Whether threads allocate arrays of variable length.
    pub allocates: bool,
    /// Whether threads allocate memory of a size that is bounded.
    pub bounds_memory: bool,
}

impl Lowered {
    /// The functions of the models that threads call.
    pub fn models(&self) -> BTreeSet<&'static str> {
        let ops = self.threads.iter().flat_map(|thread| &thread.ops);
        ops.flat_map(|op| op.calls.iter().copied()).collect()
    }
}

/// What is known of a pointer.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Pointer {
    /// Where it points to.
    To(Place, QualType),
    /// The number that it was made of.
    Number(i128),
}
