//! The intermediate form: each thread as a list of operations with forward jumps only.

use std::collections::BTreeSet;

use cfront::span::ObjectId;
use cfront::{ExprId, FunctionId, Memory, Span};

/// A place in a thread's list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Label(pub u32);

/// Memory that an access may touch.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct PreRead {
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
    pub touched: PreRead,
    /// Whether it writes.
    pub writes: bool,
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

/// A mutex of which the program has one.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Lock {
    /// What it is, or lies in.
    pub memory: Memory,
    /// The path of members and constant indices in it.
    pub path: String,
}

/// What an operation does.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// C statements without jumps.
    Text(String),
    /// A place to jump to.
    Label(Label),
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
    Take(Option<Lock>),
    /// The mutex is given back; nothing if it is not known which.
    Give(Option<Lock>),
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
}

/// A local variable that lives on between contexts.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    /// Its declaration in C, without storage class.
    pub declaration: String,
    /// Its name.
    pub name: String,
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
}
