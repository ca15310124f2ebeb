//! The intermediate form: each thread as a list of operations with forward jumps only.

use std::collections::{BTreeSet, HashMap, HashSet};

use cfront::span::ObjectId;
use cfront::types::QualType;
use cfront::{ExprId, FunctionId, Memory, Span};

use crate::options::Tell;

/// A label in a thread's list of operations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Label(pub u32);

/// Memory that an operation may access.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Touched {
    /// Known objects and allocations.
    pub memory: BTreeSet<Memory>,
    /// Whether the memory may be anything.
    pub anything: bool,
}

/// A read or a write of memory that another thread may access.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    /// The lvalue that is read or written.
    pub expr: ExprId,
    /// The memory that it may designate.
    pub touched: Touched,
    /// Whether it writes.
    pub writes: bool,
    /// The accessed part of an object, if known.
    pub place: Option<Place>,
    /// Held mutexes whose array index is that of the accessed element in its array; their places
    /// name the element's index in place of their own.
    pub under: BTreeSet<Place>,
}

impl Touched {
    /// Whether two accesses may touch the same memory.
    pub fn overlaps(&self, other: &Touched) -> bool {
        self.anything || other.anything || !self.memory.is_disjoint(&other.memory)
    }

    /// Whether it is not known at all which memory it is.
    pub fn is_anywhere(&self) -> bool {
        self.anything || self.memory.is_empty()
    }

    /// Adds the memory of another access.
    pub fn extend(&mut self, other: &Touched) {
        self.anything |= other.anything;
        self.memory.extend(other.memory.iter().cloned());
    }
}

impl Access {
    /// An access of which only the memory is known.
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

/// In which directions an operation commutes with operations of other threads (Lipton 1975).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Mover {
    /// In both: no other thread can observe it.
    Both,
    /// A right mover: it may be done later, because it takes a lock.
    Right,
    /// A left mover: it may be done earlier, because it releases a lock or starts a thread.
    Left,
    /// In none: other threads can observe its time.
    None,
}

/// A step from an object to a part of it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Part {
    /// A member of a structure.
    Member(String),
    /// An element of an array.
    Index(i128),
    /// The element whose index is the current value of a variable.
    Variable(String),
}

/// A part of an object or of allocated memory.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Place {
    /// The object or allocation.
    pub memory: Memory,
    /// The path from there.
    pub parts: Vec<Part>,
}

impl Place {
    /// Whether the place is the same at every time.
    pub fn is_constant(&self) -> bool {
        !self.parts.iter().any(|p| matches!(p, Part::Variable(_)))
    }

    /// Whether only one object is ever there; `made` counts how often each allocation was lowered.
    pub fn is_single(&self, made: &HashMap<ExprId, u32>) -> bool {
        match self.memory {
            Memory::Object(_) => true,
            Memory::Made(call) => made.get(&call) == Some(&1),
        }
    }

    /// Whether two places surely do not overlap.
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

/// The use of a mutex by an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    /// The thread waits until the mutex is free.
    Waits,
    /// The thread takes the mutex.
    Takes,
    /// The thread releases the mutex.
    Gives,
    /// Any other use that depends on whether the mutex is free.
    Looks,
    /// A check that the thread does not hold the mutex.
    Relocks,
    /// A check that the thread holds the mutex; its place is known only where the thread has taken
    /// it on every path.
    Releases,
    /// A check that no thread holds the mutex.
    Destroys,
}

/// The mutex of an operation.
#[derive(Clone, Debug)]
pub(crate) struct Mutex {
    /// The use.
    pub how: Use,
    /// The memory where the mutex may be.
    pub touched: Touched,
    /// Its place, if known; for a release, only if it is surely the mutex that was taken at that
    /// place.
    pub place: Option<Place>,
    /// The equivalent statement if no thread ever waits for the mutex.
    pub quiet: String,
}

/// The condition of a jump that tries an exchange, which has no effect if it fails.
#[derive(Clone, Debug)]
pub(crate) struct Try {
    /// The condition in C, without effect, under which the exchange succeeds.
    pub can: String,
    /// Whether the thread jumps if it succeeds.
    pub jumps: bool,
}

/// An iteration of a loop that is repeated only while it has no effect.
#[derive(Clone, Debug)]
pub(crate) struct Retry {
    /// The function that tells whether an iteration would have an effect or leave the loop.
    pub name: String,
    /// The label before the iteration.
    pub from: Label,
    /// The label where the iteration would be repeated.
    pub again: Label,
}

/// The kinds of operations.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// C statements without jumps.
    Text(String),
    /// An assertion that a library function is used as its standard asks.
    Check {
        /// The condition in C, without effect.
        holds: String,
        /// The text of the assertion, a string literal.
        text: String,
    },
    /// A target of jumps.
    Label(Label),
    /// The head of a loop that is not unrolled: a thread may stop there.
    Head(Label),
    /// The jump back to such a head. A context ends here, and the next one begins at the head.
    Back(Label),
    /// A jump, possibly conditional.
    Jump {
        /// The condition in C; `None` for an unconditional jump.
        condition: Option<String>,
        /// The target, which is later in the list.
        to: Label,
    },
    /// A place where the thread blocks while the condition is false. The following operations
    /// assume the condition.
    Stand {
        /// The condition in C, without effect.
        can: String,
        /// The object or event that the thread waits for, in words.
        what: String,
        /// The condition under which the thread must go on eventually, if it may go on without it.
        must: Option<String>,
        /// Whether the thread reads again and again while it waits, in a loop, instead of sleeping.
        spins: bool,
        /// A pointer to the object that it waits for, as C text.
        object: Option<String>,
        /// The shared memory that the conditions and the expressions around them read; empty unless
        /// infinite runs are searched.
        reads: Touched,
    },
    /// An atomic section begins.
    Begin,
    /// The atomic section ends.
    End,
    /// The thread has ended.
    Stop,
    /// The thread is cut, after this text.
    Cut(String),
    /// A thread is started.
    Start(u32),
    /// A thread is joined; its number if known.
    Joined(Option<u32>),
    /// A mutex is taken.
    Take(Option<Place>),
    /// A mutex is released; `None` if it is not known which.
    Give(Option<Place>),
}

/// An operation.
#[derive(Clone, Debug)]
pub(crate) struct Op {
    /// The action.
    pub action: Action,
    /// The source of the operation.
    pub span: Span,
    /// Its accesses to memory that other threads may access.
    pub accesses: Vec<Access>,
    /// In which directions it commutes.
    pub mover: Mover,
    /// Whether it is in an atomic section.
    pub atomic: bool,
    /// The mutex that it uses.
    pub mutex: Option<Mutex>,
    /// The functions of the models that it calls.
    pub calls: Vec<&'static str>,
    /// The variable that it assigns, if it has no other effect.
    pub assigns: Option<ObjectId>,
    /// What it tries, if it is a jump.
    pub tries: Option<Try>,
    /// A variable: the statement has no effect while it is 0.
    pub guard: Option<String>,
    /// A variable that a jump tests, and whether the thread jumps if it is not 0.
    pub tests: Option<(String, bool)>,
    /// The variable that it gives any value, because the program gives it none.
    pub undefines: Option<String>,
    /// Whether it may change something that is live after an iteration; only for operations in
    /// iterations that are repeated while they have no effect.
    pub has_effect: bool,
}

/// A local variable that keeps its value between contexts.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    /// Its declaration in C, without storage class.
    pub declaration: String,
    /// Its name.
    pub name: String,
    /// Its type, if it is neither a number nor a pointer.
    pub ty: Option<QualType>,
    /// The function, the object and the call that it stands for; `None` if the program has no such
    /// variable.
    pub of: Option<(FunctionId, ObjectId, u32)>,
}

/// A thread.
#[derive(Clone, Debug)]
pub(crate) struct ThreadCode {
    /// The function that it begins with.
    pub function: FunctionId,
    /// The call that creates it; `None` for the main thread.
    pub created_at: Option<Span>,
    /// The thread that creates it.
    pub creator: u32,
    /// Its operations.
    pub ops: Vec<Op>,
    /// Its variables, in the order of their first use.
    pub variables: Vec<Variable>,
    /// Its iterations that are repeated only while they have no effect, inner ones first.
    pub retries: Vec<Retry>,
    /// The heads of its loops that surely end, because they count up or down to a bound.
    pub counted: HashSet<Label>,
    /// Whether it stands for several threads, each of which begins when the last one has been joined.
    pub again: bool,
}

/// The threads of a program as lists of operations, and what the emitted text needs besides them:
/// static variables, functions that are called unchanged, allocations.
#[derive(Debug)]
pub(crate) struct Lowered {
    /// The threads; the first is the main one.
    pub threads: Vec<ThreadCode>,
    /// Static variables of functions, thread-local ones included; each is declared once.
    pub statics: Vec<ObjectId>,
    /// Functions that are called unchanged.
    pub kept: HashSet<FunctionId>,
    /// Functions whose calls are never unchanged, because threads may stop in a library function there. Where others
    /// name them, only their addresses count.
    pub only_named: HashSet<FunctionId>,
    /// How often each allocating call was lowered.
    pub made: HashMap<ExprId, u32>,
    /// Whether threads allocate arrays of variable length.
    pub allocates: bool,
    /// Whether threads allocate memory whose size gets a bound.
    pub bounds_memory: bool,
    /// Declarations of arrays whose lengths get a bound in step form, where a longer one ends the run.
    pub lengths: BTreeSet<Span>,
    /// Whether some loop is followed further than its bound.
    pub goes_further: bool,
    /// Calls that threads report, each with the pointer to its object.
    pub told: Vec<(Span, Span)>,
    /// What threads of the step form report besides their positions, by number.
    pub tells: Vec<Tell>,
    /// The greatest numbers of elements of allocations with exact sizes.
    pub sizes: BTreeSet<u64>,
    /// Whether joins give the places of threads back ([`ThreadCode::again`]).
    pub vacates: bool,
}

impl Lowered {
    /// The functions of the models that threads call.
    pub fn models(&self) -> BTreeSet<&'static str> {
        let ops = self.threads.iter().flat_map(|thread| &thread.ops);
        ops.flat_map(|op| op.calls.iter().copied()).collect()
    }
}

/// The known value of a pointer.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Pointer {
    /// The object that it points to, with its type.
    To(Place, QualType),
    /// The number that it was converted from.
    Number(i128),
}
