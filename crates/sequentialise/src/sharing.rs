//! Finds the accesses that other threads can observe: accesses to memory that two threads may
//! access at the same time, at least one of them writing, without a common lock.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use cfront::tree::{ExprKind, Tree};
use cfront::{ExprId, Memory};

use crate::code::Lowered;
use crate::code::{Access, Action, Label, Place};
use crate::options::{Options, Watched};

/// The accesses that other threads can observe.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sharing {
    /// Visible accesses by thread and expression; `None` for all.
    visible: Option<HashSet<(u32, ExprId)>>,
    /// Reads of memory that no other thread writes, in expressions with visible writes: `n++` of the only thread that writes `n`.
    steady_reads: HashSet<(u32, ExprId)>,
    /// Accesses that would be visible if no locks were held.
    unsteady: Option<HashSet<(u32, ExprId)>>,
    /// The writes that are visible whether other threads can observe them or not.
    watched: Watched,
    /// Whether no thread begins in the place of one that was joined.
    once: bool,
}

/// An access with the facts at its place.
struct Seen<'a> {
    thread: u32,
    access: &'a Access,
    /// Mutexes with the same index as the accessed element that exist once in the program.
    under: Vec<&'a Place>,
    at: Rc<At>,
}

/// The facts at a place of a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct At {
    /// Mutexes that the thread holds.
    held: BTreeSet<Place>,
    /// Threads that this thread has started and that may still run.
    live: BTreeSet<u32>,
}

impl Sharing {
    /// Every access is visible.
    pub fn all() -> Sharing {
        Sharing::default()
    }

    /// The same in step form, where a question about the program observes writes, too.
    pub fn watching(self, options: &Options) -> Sharing {
        let watched = match options.steps {
            true => options.watched.clone(),
            false => Watched::Objects(BTreeSet::new()),
        };
        Sharing { watched, ..self }
    }

    /// The same of a program of which this is known: whether threads begin in the places of others.
    pub fn restarting(self, lowered: &Lowered) -> Sharing {
        let once = !lowered.threads.iter().any(|thread| thread.again);
        Sharing { once, ..self }
    }

    /// Whether a thread may begin in the place of one that was joined, so that others can observe joins.
    pub fn restarts(&self) -> bool {
        !self.once
    }

    /// Whether other threads, or who asks about the program, can observe an access of a thread.
    pub fn is_visible(&self, thread: u32, access: &Access) -> bool {
        let is_steady = || self.steady_reads.contains(&(thread, access.expr));
        self.is_shared(thread, access) && (access.writes || !is_steady())
    }

    /// Whether other threads, or who asks about the program, can observe an access of a thread, or another one in the same
    /// expression.
    pub fn is_shared(&self, thread: u32, access: &Access) -> bool {
        match &self.visible {
            None => true,
            Some(visible) => {
                visible.contains(&(thread, access.expr)) || access.writes && self.watches(access)
            }
        }
    }

    fn watches(&self, access: &Access) -> bool {
        match &self.watched {
            Watched::Accesses | Watched::Writes => true,
            Watched::Objects(all) => {
                let touched = &access.touched;
                let watched = |m: &Memory| matches!(m, Memory::Object(o) if all.contains(o));
                !all.is_empty() && (touched.anything || touched.memory.iter().any(watched))
            }
        }
    }

    /// Whether no other thread changes the accessed memory while the thread waits.
    pub fn is_steady(&self, thread: u32, expr: ExprId) -> bool {
        match &self.unsteady {
            None => false,
            Some(unsteady) => !unsteady.contains(&(thread, expr)),
        }
    }

    /// Computes the sharing of threads that were lowered with all accesses separate.
    pub fn of(tree: &Tree, lowered: &Lowered) -> Sharing {
        let families = Families::new(lowered);
        let mut seen = Vec::new();
        let mut starts: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for number in 0..lowered.threads.len() as u32 {
            collect(number, (lowered, &families), &mut seen, &mut starts);
        }
        let parallel = Parallel::new(families, &starts);
        let visible = conflicts(&seen, &parallel, true);
        let reads = seen.iter().filter(|s| !s.access.writes);
        let reads = reads.map(|s| (s.thread, s.access.expr));
        let steady_reads = reads.filter(|(thread, e)| {
            let is_call = matches!(tree.exprs[*e].kind, ExprKind::Call { .. });
            !is_call && !visible.contains(&(*thread, *e, false))
        });
        let steady_reads = steady_reads.collect();
        let of_expressions = |all: HashSet<(u32, ExprId, bool)>| {
            let all = all.into_iter();
            Some(all.map(|(thread, e, _)| (thread, e)).collect())
        };
        let unsteady = conflicts(&seen, &parallel, false);
        Sharing {
            visible: of_expressions(visible),
            steady_reads,
            unsteady: of_expressions(unsteady),
            watched: Watched::Objects(BTreeSet::new()),
            once: false,
        }
        .restarting(lowered)
    }
}

/// What jumps back to a head of a loop change there.
#[derive(Default)]
struct Changes {
    /// Mutexes that are held no more.
    lost: BTreeSet<Place>,
    /// Threads that may run then.
    live: BTreeSet<u32>,
}

/// Changes by heads of loops.
type AtHeads = HashMap<Label, Changes>;

/// Walks through a thread until the set of locks held at each head of a loop is stable, and that of live threads.
fn collect<'a>(
    number: u32,
    program: (&'a Lowered, &Families),
    seen: &mut Vec<Seen<'a>>,
    starts: &mut BTreeMap<u32, BTreeSet<u32>>,
) {
    let before = seen.len();
    let mut known = AtHeads::new();
    loop {
        let more = walk(number, program, &known, (seen, starts));
        if more.is_empty() {
            return;
        }
        for (head, changes) in more {
            let at = known.entry(head).or_default();
            at.lost.extend(changes.lost);
            at.live.extend(changes.live);
        }
        seen.truncate(before);
    }
}

/// Walks through a thread from its beginning to its end: all jumps go forward, except those to
/// heads of loops. Returns what jumps back to heads change there besides what is known.
fn walk<'a>(
    number: u32,
    (lowered, families): (&'a Lowered, &Families),
    known: &AtHeads,
    (seen, starts): (&mut Vec<Seen<'a>>, &mut BTreeMap<u32, BTreeSet<u32>>),
) -> AtHeads {
    let mut at_heads: HashMap<Label, At> = HashMap::new();
    let mut more = AtHeads::new();
    let thread = &lowered.threads[number as usize];
    let mut pending: HashMap<Label, At> = HashMap::new();
    let mut now = Some(At::default());
    let mut shared: Option<Rc<At>> = None;
    for op in &thread.ops {
        if let (Action::Head(head), Some(at)) = (&op.action, now.as_mut()) {
            if let Some(changes) = known.get(head) {
                at.held.retain(|l| !changes.lost.contains(l));
                at.live.extend(&changes.live);
            }
            at_heads.insert(*head, at.clone());
            shared = None;
        }
        if let Action::Label(label) = &op.action {
            now = merge(now, pending.remove(label));
            shared = None;
        }
        let Some(at) = now.as_mut() else { continue };
        for access in &op.accesses {
            let at = shared.get_or_insert_with(|| Rc::new((*at).clone()));
            seen.push(Seen {
                thread: number,
                access,
                under: access
                    .under
                    .iter()
                    .filter(|m| m.is_single(&lowered.made))
                    .collect(),
                at: Rc::clone(at),
            });
        }
        match &op.action {
            Action::Take(Some(lock)) if lock.is_single(&lowered.made) => {
                at.held.insert(lock.clone());
            }
            Action::Give(Some(lock)) => {
                at.held.remove(lock);
            }
            Action::Give(None) => at.held.clear(),
            Action::Start(n) => {
                starts.insert(*n, at.live.clone());
                at.live.insert(*n);
            }
            Action::Joined(Some(n)) if families.ends_with(*n) => {
                at.live.remove(n);
            }
            Action::Jump { condition, to } => {
                let there = merge(pending.remove(to), Some(at.clone()));
                if let Some(there) = there {
                    pending.insert(*to, there);
                }
                if condition.is_none() {
                    now = None;
                }
            }
            Action::Back(head) => {
                // Several jumps may lead back to one head.
                if let Some(before) = at_heads.get(head) {
                    let changes = more.entry(*head).or_default();
                    changes
                        .lost
                        .extend(before.held.difference(&at.held).cloned());
                    changes.live.extend(at.live.difference(&before.live));
                }
                now = None;
            }
            Action::Stop | Action::Cut(_) => now = None,
            _ => continue,
        }
        shared = None;
    }
    more.retain(|_, changes| !(changes.lost.is_empty() && changes.live.is_empty()));
    more
}

fn merge(a: Option<At>, b: Option<At>) -> Option<At> {
    match (a, b) {
        (Some(mut a), Some(b)) => {
            a.held.retain(|l| b.held.contains(l));
            a.live.extend(b.live);
            Some(a)
        }
        (a, b) => a.or(b),
    }
}

/// Which threads may run at the same time.
struct Parallel {
    /// Pairs of threads that may run in parallel, without the main one.
    pairs: HashSet<(u32, u32)>,
    families: Families,
}

/// The threads that the main one starts, each with its descendants.
struct Families {
    /// For each thread, its ancestor (or itself) among the threads that the main one starts.
    root: Vec<u32>,
}

impl Families {
    fn new(lowered: &Lowered) -> Families {
        let mut root = vec![0u32; lowered.threads.len()];
        for (number, thread) in lowered.threads.iter().enumerate().skip(1) {
            root[number] = match thread.creator {
                0 => number as u32,
                creator => root[creator as usize],
            };
        }
        Families { root }
    }

    /// Whether no descendant of a thread runs after its end.
    fn ends_with(&self, thread: u32) -> bool {
        self.root.iter().filter(|&&r| r == thread).count() == 1
    }
}

impl Parallel {
    fn new(families: Families, starts: &BTreeMap<u32, BTreeSet<u32>>) -> Parallel {
        let count = families.root.len() as u32;
        let mut pairs = HashSet::new();
        for a in 1..count {
            for b in 1..a {
                let (x, y) = (families.root[a as usize], families.root[b as usize]);
                let (first, second) = (x.min(y), x.max(y));
                // Of two threads that the main one starts, the start of the later one shows whether
                // the other is live. In a loop each may be the later one.
                let begins_behind = |later, other| {
                    let live: Option<&BTreeSet<u32>> = starts.get(later);
                    live.is_some_and(|live| !live.contains(other))
                };
                let apart = first != second
                    && begins_behind(&second, &first)
                    && begins_behind(&first, &second);
                if !apart {
                    pairs.insert((a, b));
                    pairs.insert((b, a));
                }
            }
        }
        Parallel { pairs, families }
    }

    fn may_meet(&self, a: &Seen, b: &Seen) -> bool {
        let lives = |main: &Seen, other: &Seen| {
            let root = self.families.root[other.thread as usize];
            main.at.live.contains(&root)
        };
        match (a.thread, b.thread) {
            (x, y) if x == y => false,
            (0, _) => lives(a, b),
            (_, 0) => lives(b, a),
            pair => self.pairs.contains(&pair),
        }
    }

    fn conflict(&self, a: &Seen, b: &Seen, locks: bool) -> bool {
        (a.access.writes || b.access.writes)
            && !(locks && is_locked(a, b))
            && !are_apart(a.access, b.access)
            && self.may_meet(a, b)
    }
}

/// Whether both threads hold a mutex that only one thread can hold at a time.
fn is_locked(a: &Seen, b: &Seen) -> bool {
    !a.at.held.is_disjoint(&b.at.held) || a.under.iter().any(|m| b.under.contains(m))
}

/// Whether two accesses concern different parts of memory.
fn are_apart(a: &Access, b: &Access) -> bool {
    match (&a.place, &b.place) {
        (Some(a), Some(b)) => a.is_apart(b),
        _ => false,
    }
}

/// The reads or the writes of one expression by one thread.
type Group = (u32, ExprId, bool);

/// The accesses by group.
type Groups<'a> = BTreeMap<Group, Vec<&'a Seen<'a>>>;

/// The accesses that another thread may disturb. Accesses are compared by expression: the first pair that meets decides
/// for all of both groups, which matters where loops are unrolled.
fn conflicts(seen: &[Seen], parallel: &Parallel, locks: bool) -> HashSet<Group> {
    let mut by_memory: BTreeMap<Memory, Groups> = BTreeMap::new();
    let (mut anywhere, mut all) = (Groups::new(), Groups::new());
    let mut known = HashSet::new();
    for s in seen {
        let access = (
            s.access.expr,
            s.access.writes,
            &s.access.place,
            &s.access.under,
        );
        if !known.insert((s.thread, access, &s.at)) {
            continue;
        }
        let key = (s.thread, s.access.expr, s.access.writes);
        all.entry(key).or_default().push(s);
        if s.access.touched.anything {
            anywhere.entry(key).or_default().push(s);
        }
        for memory in &s.access.touched.memory {
            let groups = by_memory.entry(*memory).or_default();
            groups.entry(key).or_default().push(s);
        }
    }
    let mut visible = HashSet::new();
    let mut compare = |a: (&Group, &Vec<&Seen>), b: (&Group, &Vec<&Seen>)| {
        let ((ka, a), (kb, b)) = (a, b);
        let is_known = ka.0 == kb.0 || visible.contains(ka) && visible.contains(kb);
        let meets = |a: &&Seen| b.iter().any(|b| parallel.conflict(a, b, locks));
        if !is_known && a.iter().any(meets) {
            visible.insert(*ka);
            visible.insert(*kb);
        }
    };
    for groups in by_memory.values() {
        let groups: Vec<_> = groups.iter().collect();
        for (index, a) in groups.iter().enumerate() {
            groups[index + 1..].iter().for_each(|b| compare(*a, *b));
        }
    }
    for a in &anywhere {
        all.iter().for_each(|b| compare(a, b));
    }
    visible
}
