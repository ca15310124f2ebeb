//! What is known on all paths to a point of a thread.

use std::collections::{BTreeMap, BTreeSet};

use cfront::span::ObjectId;
use cfront::types::QualType;
use cfront::ExprId;

use super::parts::{Path, Step};

/// The number of a thread: all threads that one call starts with one function for one creator are
/// one. The main thread is 0.
pub(super) type ThreadId = usize;

/// What a thread holds while it cannot meet others that hold it too.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Lock {
    /// A mutex, a spin lock or a read-write lock, which there is once.
    Object(Path),
    /// The lock at the end of these steps from the object that a local pointer points to.
    Beside(ObjectId, Vec<Step>),
    /// The lock of an array whose index is the value of a local variable.
    Indexed(Path, ObjectId),
    /// A variable that threads use as a lock.
    Flag(ObjectId),
    /// An atomic section.
    Atomic,
    /// The call of `pthread_once` for this object; shared when it is over.
    Once(Path),
}

/// The known value of a local variable whose address nobody has.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Value {
    /// It points to this place, where an object of this type is.
    Pointer(Path, QualType),
    /// An integer.
    Number(i128),
    /// The number that this call gave to the thread, which no other thread that it starts has (`numbered`), and how
    /// many bits tell it from theirs.
    Own(ExprId, u32),
    /// A number that no thread has which may run and which one of these calls, by their bits, has started; it needs so many bits, too.
    Apart(u64, u32),
    /// The result of trying to take this lock: 0 if it was taken. The flag says whether alone.
    Tried(Lock, bool),
}

impl Value {
    /// Puts other numbers in the place of those that are apart from threads of some calls, or nothing where the number is known no longer;
    /// `by` gets the calls and the bits that the number needs, none for an index on the way to an object. Returns whether the value is
    /// still known.
    pub fn replace_apart(&mut self, by: &dyn Fn(u64, u32) -> Option<Value>) -> bool {
        match self {
            Value::Apart(calls, width) => match by(*calls, *width) {
                Some(new) => *self = new,
                None => return false,
            },
            Value::Pointer(path, _) => {
                for step in &mut path.steps {
                    if let Step::Apart(calls) = *step {
                        *step = match by(calls, 0) {
                            Some(Value::Own(call, _)) => Step::Own(call),
                            Some(Value::Apart(calls, _)) => Step::Apart(calls),
                            _ => Step::Element(None),
                        };
                    }
                }
            }
            _ => {}
        }
        true
    }
}

/// What is known at a point.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct State {
    /// Locks that are held on all paths, and whether no other thread can hold them too.
    pub held: BTreeMap<Lock, bool>,
    /// Threads that the current one has started on some path, or that those have, and that may
    /// still run.
    pub live: BTreeSet<ThreadId>,
    /// The thread whose handle was stored here last, on all paths.
    pub handles: BTreeMap<Path, ThreadId>,
    /// Values of locals on all paths.
    pub known: BTreeMap<ObjectId, Value>,
    /// Locals that point to an object that nobody else can know.
    pub fresh: BTreeSet<ObjectId>,
    /// Variables that may be locks and that this atomic section has found to be 0.
    pub zero: BTreeSet<ObjectId>,
    /// Whether no path leads here.
    pub dead: bool,
}

impl State {
    /// Adds the paths on which another state holds. Returns whether anything changed.
    pub fn join(&mut self, other: &State) -> bool {
        if other.dead {
            return false;
        }
        if self.dead {
            *self = other.clone();
            return true;
        }
        let before = self.clone();
        self.held.retain(|lock, alone| match other.held.get(lock) {
            Some(also) => {
                *alone &= also;
                true
            }
            None => false,
        });
        self.live.extend(&other.live);
        self.handles
            .retain(|path, t| other.handles.get(path) == Some(t));
        self.zero.retain(|o| other.zero.contains(o));
        self.fresh.retain(|o| other.fresh.contains(o));
        self.known
            .retain(|o, value| other.known.get(o) == Some(value));
        *self != before
    }

    /// Forgets what depended on the value of a local variable.
    pub fn forget(&mut self, object: ObjectId) {
        self.known.remove(&object);
        self.fresh.remove(&object);
        self.forget_tries();
        self.held.retain(
            |lock, _| !matches!(lock, Lock::Beside(o, _) | Lock::Indexed(_, o) if *o == object),
        );
    }

    /// The numbers of a call's next thread are known no longer: it has started it.
    pub fn started(&mut self, bit: u64) {
        let others = |calls: u64, width| {
            let others = calls & !bit;
            (others != 0).then_some(Value::Apart(others, width))
        };
        self.known.retain(|_, value| value.replace_apart(&others));
    }

    /// Forgets which results of attempts to take a lock say that it is held.
    pub fn forget_tries(&mut self) {
        self.known
            .retain(|_, value| !matches!(value, Value::Tried(..)));
    }

    /// An atomic section ends.
    pub fn end_section(&mut self) {
        self.held.remove(&Lock::Atomic);
        self.zero.clear();
    }

    /// Forgets locks that a release of an unknown one may have released.
    pub fn release_any(&mut self) {
        self.forget_tries();
        self.held
            .retain(|lock, _| matches!(lock, Lock::Atomic | Lock::Once(_) | Lock::Flag(_)));
    }
}

impl Lock {
    /// Whether it is one lock of several, by the value of a local variable.
    pub fn is_relative(&self) -> bool {
        matches!(self, Lock::Beside(..) | Lock::Indexed(..))
    }

    /// The name for readers.
    pub fn name(&self, facts: &crate::facts::Facts) -> String {
        let of_path = |path: &Path| match path.memory {
            cfront::Memory::Object(o) => {
                let mut name = facts.tree.objects[o].name.clone();
                name.push_str(&steps(facts, &path.steps));
                name
            }
            cfront::Memory::Made(_) => format!("allocated memory{}", steps(facts, &path.steps)),
        };
        match self {
            Lock::Object(path) => of_path(path),
            Lock::Beside(o, path) => {
                let text = steps(facts, path);
                let text = text.strip_prefix('.').unwrap_or(&text);
                format!("{}->{text}", facts.tree.objects[*o].name)
            }
            Lock::Indexed(path, o) => {
                format!("{}[{}]", of_path(path), facts.tree.objects[*o].name)
            }
            Lock::Flag(o) => facts.tree.objects[*o].name.clone(),
            Lock::Atomic => "an atomic section".to_owned(),
            Lock::Once(path) => format!("once for {}", of_path(path)),
        }
    }
}

/// Steps in C.
fn steps(facts: &crate::facts::Facts, steps: &[Step]) -> String {
    let step = |step: &Step| match step {
        Step::Member(record, index) => {
            let members = facts.tree.types.records[*record].members.as_ref();
            let name = members.and_then(|m| m.get(*index)?.name.as_deref());
            format!(".{}", name.unwrap_or_default())
        }
        Step::Element(Some(n)) => format!("[{n}]"),
        Step::Element(None) | Step::Own(_) | Step::Apart(_) => "[…]".to_owned(),
    };
    steps.iter().map(step).collect()
}
