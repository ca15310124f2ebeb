//! What the standard asks of a thread that uses a lock: that it holds what it releases, does not
//! hold what it waits for, and destroys nothing that is in use. A program asks for the check of a
//! call by `(__baproduct_use(text), call)`; the assertion that fails for a wrong use has this text.
//!
//! Most checks are decided here, without the model checker: a thread that has taken a mutex on every
//! path holds it where it releases it. This assumes that no other thread has released the mutex in
//! between, which would be a wrong use before this one.

use std::collections::{BTreeMap, HashMap};

use cfront::allocations::called_name;
use cfront::library::plain_name;
use cfront::tree::{ExprKind, Parent, Tree};
use cfront::ExprId;

use crate::code::{Action, Label, Lowered, Mutex, Op, Place, Touched, Use};

/// The function of the program that asks for the check of the call behind it.
pub(crate) const USE: &str = "__baproduct_use";

/// What the standard asks of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    /// The condition in C, with `L` in place of the pointer to the lock and `ME` in place of the
    /// number that the calling thread has as the owner of a lock.
    holds: &'static str,
    /// How the check uses a lock with a single owner; `None` for other objects.
    pub mutex: Option<Use>,
    /// Whether the call destroys the object.
    pub destroys: bool,
    /// Whether only plain mutexes ask for it: those of other kinds report the wrong use themselves.
    plain: bool,
}

const ASKED: Asked = Asked {
    holds: "1",
    mutex: None,
    destroys: false,
    plain: false,
};

impl Asked {
    /// The condition for a lock with this pointer, an operand; `kinds` says whether some mutex is
    /// not a plain one.
    pub fn condition(self, pointer: &str, kinds: bool) -> String {
        let holds = match self.plain && kinds {
            true => format!(
                "L->ba_seq_kind == 1 || L->ba_seq_kind == 2 || {}",
                self.holds
            ),
            false => self.holds.to_string(),
        };
        let holds = holds.replace("ME", "ba_seq_now + 1");
        holds.replace('L', pointer)
    }
}

/// The check that the thread holds no lock with a single owner that it waits for.
const fn relocks(holds: &'static str) -> Asked {
    Asked {
        holds,
        mutex: Some(Use::Relocks),
        ..ASKED
    }
}

/// The check that the thread holds a lock with a single owner that it releases.
const fn releases(holds: &'static str) -> Asked {
    Asked {
        holds,
        mutex: Some(Use::Releases),
        ..ASKED
    }
}

/// The check that an object is not in use where it is destroyed.
const fn destroys(holds: &'static str) -> Asked {
    Asked {
        holds,
        destroys: true,
        ..ASKED
    }
}

/// The check about a plain mutex.
const fn plain(asked: Asked) -> Asked {
    Asked {
        plain: true,
        ..asked
    }
}

/// The check that no thread holds a lock with a single owner.
const fn free(asked: Asked) -> Asked {
    Asked {
        mutex: Some(Use::Destroys),
        ..asked
    }
}

/// What the standard asks of a call of a library function; `None` if nothing is checked.
pub(crate) fn asked(name: &str) -> Option<Asked> {
    const IS_MINE: &str = "L->ba_seq_owner == ME";
    Some(match plain_name(name) {
        "pthread_mutex_lock" | "mtx_lock" => plain(relocks("L->ba_seq_owner != ME")),
        "pthread_mutex_unlock" | "mtx_unlock" => plain(releases(IS_MINE)),
        "pthread_mutex_destroy" | "mtx_destroy" => free(destroys("L->ba_seq_owner == 0")),
        "pthread_cond_wait" | "cnd_wait" => releases(IS_MINE),
        "pthread_cond_timedwait" | "pthread_cond_clockwait" | "cnd_timedwait" => releases(IS_MINE),
        "pthread_cond_destroy" | "cnd_destroy" => destroys("L->ba_seq_waits == 0"),
        "pthread_spin_lock" => relocks("*L != (int)(ME)"),
        "pthread_spin_unlock" => releases("*L == (int)(ME)"),
        "pthread_spin_destroy" => free(destroys("*L == 0")),
        "pthread_barrier_destroy" => destroys("L->ba_seq_here == 0"),
        "pthread_rwlock_rdlock" => shared("L->ba_seq_writer != ME"),
        "pthread_rwlock_wrlock" => shared("L->ba_seq_writer != ME && BA_SEQ_NO_SHARE(L)"),
        "pthread_rwlock_unlock" => shared("L->ba_seq_writer == ME || BA_SEQ_SHARE(L) != 0"),
        "pthread_rwlock_destroy" => destroys("L->ba_seq_writer == 0 && L->ba_seq_readers == 0"),
        _ => return None,
    })
}

/// The check about a lock that several threads may hold.
const fn shared(holds: &'static str) -> Asked {
    Asked { holds, ..ASKED }
}

/// The argument of the `__baproduct_use` in front of a call, if the program asks for its check.
pub(crate) fn text_of(tree: &Tree, call: ExprId) -> Option<ExprId> {
    let Parent::Expr(around) = tree.exprs[call].parent else {
        return None;
    };
    let ExprKind::Comma(list) = &tree.exprs[around].kind else {
        return None;
    };
    let before = list.iter().position(|&e| e == call)?.checked_sub(1)?;
    let ExprKind::Call { args, .. } = &tree.exprs[list[before]].kind else {
        return None;
    };
    let asks = called_name(tree, list[before]) == Some(USE);
    args.first().copied().filter(|_| asks)
}

/// Leaves out the checks that hold on every path to them.
pub(crate) fn leave_out(lowered: &mut Lowered) {
    let Lowered { threads, made, .. } = lowered;
    for thread in threads {
        let mut walk = Walk {
            made,
            held: Some(Held::default()),
            pending: HashMap::new(),
        };
        thread.ops.retain(|op| walk.op(op));
    }
}

/// Mutexes that a thread may hold.
#[derive(Clone, Debug, Default)]
struct Held {
    /// Those at known places.
    places: BTreeMap<Place, Touched>,
    /// Where others may be.
    elsewhere: Touched,
}

impl Held {
    fn or(mut self, other: Held) -> Held {
        self.places.extend(other.places);
        self.elsewhere.extend(&other.elsewhere);
        self
    }

    /// Whether the thread may hold the mutex, whose place is given if it is only one.
    fn may_be(&self, mutex: &Mutex, place: Option<&Place>) -> bool {
        let known = self.places.iter().any(|(held, touched)| match place {
            Some(place) => !held.is_apart(place),
            None => mutex.touched.is_anywhere() || touched.overlaps(&mutex.touched),
        });
        known
            || mutex.touched.is_anywhere() && !is_none(&self.elsewhere)
            || self.elsewhere.overlaps(&mutex.touched)
    }
}

fn is_none(touched: &Touched) -> bool {
    !touched.anything && touched.memory.is_empty()
}

/// A walk through a thread.
struct Walk<'a> {
    made: &'a HashMap<ExprId, u32>,
    /// The mutexes that may be held; `None` at an unreachable place.
    held: Option<Held>,
    pending: HashMap<Label, Held>,
}

impl Walk<'_> {
    /// Walks over an operation; returns whether it is needed.
    fn op(&mut self, op: &Op) -> bool {
        match &op.action {
            Action::Label(label) => {
                let there = self.pending.remove(label);
                self.held = match (self.held.take(), there) {
                    (Some(a), Some(b)) => Some(a.or(b)),
                    (a, b) => a.or(b),
                };
            }
            // What is held at the jump back is not known yet.
            Action::Head(_) => {
                let held = self.held.get_or_insert_with(Held::default);
                held.elsewhere.anything = true;
            }
            Action::Jump { condition, to } => {
                if let Some(held) = &self.held {
                    let there = self.pending.remove(to).unwrap_or_default();
                    self.pending.insert(*to, there.or(held.clone()));
                }
                if condition.is_none() {
                    self.held = None;
                }
            }
            Action::Stop | Action::Cut(_) | Action::Back(_) => self.held = None,
            _ => {}
        }
        match (&op.mutex, &op.action) {
            (Some(mutex), Action::Check { .. }) => self.is_needed(mutex),
            (Some(mutex), _) => {
                self.uses(mutex);
                true
            }
            (None, _) => true,
        }
    }

    /// The place of a mutex, if only one mutex is ever there.
    fn single<'m>(&self, mutex: &'m Mutex) -> Option<&'m Place> {
        let place = mutex.place.as_ref();
        place.filter(|place| place.is_single(self.made))
    }

    fn is_needed(&self, mutex: &Mutex) -> bool {
        let Some(held) = &self.held else { return false };
        let place = self.single(mutex);
        match mutex.how {
            Use::Releases => place.is_none(),
            Use::Relocks => held.may_be(mutex, place),
            _ => true,
        }
    }

    fn uses(&mut self, mutex: &Mutex) {
        let place = self.single(mutex).cloned();
        let Some(held) = &mut self.held else { return };
        match (mutex.how, place) {
            (Use::Gives, Some(place)) => drop(held.places.remove(&place)),
            (Use::Takes | Use::Looks, Some(place)) => {
                held.places.insert(place, mutex.touched.clone());
            }
            (Use::Takes | Use::Looks, None) => {
                held.elsewhere.extend(&mutex.touched);
                held.elsewhere.anything |= mutex.touched.is_anywhere();
            }
            _ => {}
        }
    }
}
