//! The memory models as their papers define them: executions are enumerated, and axioms say which are allowed.

use std::collections::BTreeSet;

use super::shapes::{Kind, Op, Test};

/// A memory model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Interleavings (Lamport 1979).
    Sc,
    /// x86 (Owens, Sarkar and Sewell 2009; as axioms: Alglave, Maranget and Tautschnig 2014).
    Tso,
    /// SPARC's partial store order.
    Pso,
    /// RC11 (Lahav, Vafeiadis, Kang, Hur and Dreyer, PLDI 2017).
    C11,
}

/// An event of an execution.
#[derive(Clone, Copy, Debug)]
struct Event {
    /// The thread; `None` for initial stores.
    thread: Option<usize>,
    /// The place in its thread.
    at: usize,
    kind: char,
    place: usize,
    value: u64,
    order: i32,
    into: usize,
    /// For the parts of an exchange: the other part.
    pair: Option<usize>,
}

impl Event {
    fn reads(&self) -> bool {
        self.kind == 'R'
    }

    fn writes(&self) -> bool {
        self.kind == 'W'
    }

    fn fence(&self) -> bool {
        self.kind == 'F'
    }

    fn acquires(&self) -> bool {
        matches!(self.order, 1 | 2 | 4 | 5) && !self.writes()
    }

    fn releases(&self) -> bool {
        matches!(self.order, 3..=5) && !self.reads()
    }

    fn sc(&self) -> bool {
        self.order == 5
    }
}

/// A relation: for each event, the set of those behind it, as bits.
type Relation = Vec<u64>;

/// An execution whose reads and orders of stores are chosen.
struct Execution {
    events: Vec<Event>,
    sb: Relation,
    rf: Relation,
    mo: Relation,
    rb: Relation,
}

fn union(parts: &[&Relation]) -> Relation {
    let all = 0..parts[0].len();
    all.map(|i| parts.iter().fold(0, |set, r| set | r[i]))
        .collect()
}

fn then(a: &Relation, b: &Relation) -> Relation {
    let behind = |set: u64| {
        (0..b.len())
            .filter(|i| set >> i & 1 == 1)
            .fold(0, |all, i| all | b[i])
    };
    a.iter().map(|&set| behind(set)).collect()
}

fn closure(r: &Relation) -> Relation {
    let mut all = r.clone();
    for k in 0..r.len() {
        for i in 0..r.len() {
            if all[i] >> k & 1 == 1 {
                all[i] |= all[k];
            }
        }
    }
    all
}

fn or_same(r: &Relation) -> Relation {
    r.iter().enumerate().map(|(i, set)| set | 1 << i).collect()
}

fn acyclic(r: &Relation) -> bool {
    let all = closure(r);
    (0..all.len()).all(|i| all[i] >> i & 1 == 0)
}

impl Execution {
    fn only(&self, r: &Relation, keeps: impl Fn(&Event, &Event) -> bool) -> Relation {
        let keep = |i: usize, set: u64| {
            let kept = (0..r.len()).filter(|&j| set >> j & 1 == 1);
            let kept = kept.filter(|&j| keeps(&self.events[i], &self.events[j]));
            kept.fold(0, |all, j| all | 1 << j)
        };
        r.iter().enumerate().map(|(i, &set)| keep(i, set)).collect()
    }

    fn those(&self, which: impl Fn(&Event) -> bool) -> Relation {
        let bit = |(i, e)| if which(e) { 1u64 << i } else { 0 };
        self.events.iter().enumerate().map(bit).collect()
    }

    fn atomic(&self) -> bool {
        let between = then(&self.rb, &self.mo);
        let pairs = self.events.iter().enumerate().filter(|(_, e)| e.reads());
        let mut pairs = pairs.filter_map(|(i, e)| Some((i, e.pair?)));
        pairs.all(|(r, w)| between[r] >> w & 1 == 0)
    }

    fn coherent_in_order(&self) -> bool {
        let same = self.only(&self.sb, |a, b| {
            a.place == b.place && !a.fence() && !b.fence()
        });
        acyclic(&union(&[&same, &self.rf, &self.mo, &self.rb]))
    }

    fn allowed(&self, model: Model) -> bool {
        match model {
            Model::Sc => {
                self.atomic() && acyclic(&union(&[&self.sb, &self.rf, &self.mo, &self.rb]))
            }
            Model::Tso | Model::Pso => self.buffered(model == Model::Pso),
            Model::C11 => self.rc11(),
        }
    }

    /// Stores may be delayed behind later loads, and (in PSO) behind later stores of other objects.
    fn buffered(&self, partial: bool) -> bool {
        let drains = |e: &Event| e.sc() && e.writes() || e.pair.is_some();
        let kept = self.only(&self.sb, |a, b| {
            if a.fence() || b.fence() {
                return false;
            }
            let late = a.writes() && (b.reads() || partial && a.place != b.place);
            !late || drains(a) || drains(b)
        });
        // Fences: what is before is before what is behind.
        let mut fenced = vec![0; self.events.len()];
        for (f, fence) in self.events.iter().enumerate().filter(|(_, e)| e.fence()) {
            for (a, before) in self.events.iter().enumerate() {
                for (b, behind) in self.events.iter().enumerate() {
                    let around = self.sb[a] >> f & 1 == 1 && self.sb[f] >> b & 1 == 1;
                    let stores = before.writes() && behind.writes();
                    if around && (fence.sc() || fence.order >= 3 && stores) {
                        fenced[a] |= 1 << b;
                    }
                }
            }
        }
        let external = self.only(&self.rf, |a, b| a.thread != b.thread);
        let global = union(&[&kept, &fenced, &external, &self.mo, &self.rb]);
        self.atomic() && self.coherent_in_order() && acyclic(&global)
    }

    /// Happens-before.
    fn hb(&self) -> Relation {
        let (sb, rf) = (&self.sb, &self.rf);
        let writes = self.those(Event::writes);
        let rmw: Relation = self
            .events
            .iter()
            .map(|e| e.pair.filter(|_| e.reads()).map_or(0, |w| 1 << w))
            .collect();
        let same = |a: &Event, b: &Event| a.place == b.place && !a.fence() && !b.fence();
        // rs = [W]; sb|loc?; [W]; (rf; rmw)*
        let own = or_same(&self.only(sb, same));
        let chain = or_same(&closure(&then(rf, &rmw)));
        let rs = then(&then(&then(&writes, &own), &writes), &chain);
        // sw = [rel]; ([F]; sb)?; rs; rf; [R]; (sb; [F])?; [acq]
        let fences = self.those(Event::fence);
        let from = or_same(&then(&fences, sb));
        let to = or_same(&then(sb, &fences));
        let reads = self.those(Event::reads);
        let sw = then(&then(&then(&from, &rs), rf), &then(&reads, &to));
        let sw = self.only(&sw, |a, b| a.releases() && b.acquires());
        closure(&union(&[sb, &sw]))
    }

    fn rc11(&self) -> bool {
        let (sb, rf) = (&self.sb, &self.rf);
        let hb = self.hb();
        let eco = closure(&union(&[rf, &self.mo, &self.rb]));
        let coherence = then(&hb, &or_same(&eco));
        let coherent = (0..coherence.len()).all(|i| coherence[i] >> i & 1 == 0);
        coherent && self.atomic() && acyclic(&union(&[sb, rf])) && acyclic(&self.psc(&hb, &eco))
    }

    fn psc(&self, hb: &Relation, eco: &Relation) -> Relation {
        let same = |a: &Event, b: &Event| a.place == b.place && !a.fence() && !b.fence();
        let other = self.only(&self.sb, |a, b| !same(a, b));
        let scb = union(&[
            &self.sb,
            &then(&then(&other, hb), &other),
            &self.only(hb, same),
            &self.mo,
            &self.rb,
        ]);
        let fences = self.those(|e| e.sc() && e.fence());
        let events = self.those(Event::sc);
        let from = union(&[&events, &then(&fences, &or_same(hb))]);
        let to = union(&[&events, &then(&or_same(hb), &fences)]);
        let base = then(&then(&from, &scb), &to);
        let by_fences = union(&[hb, &then(&then(hb, eco), hb)]);
        let by_fences = then(&then(&fences, &by_fences), &fences);
        union(&[&base, &by_fences])
    }
}

/// The outcomes that a model allows: what is read, in the order of the registers, and the last value of each object.
pub fn outcomes(test: &Test, model: Model) -> BTreeSet<u64> {
    let mut found = BTreeSet::new();
    for (decided, read) in compared(test) {
        executions(&decided, &mut |execution, outcome| {
            if execution.allowed(model) {
                let outcome = outcome();
                if read.iter().all(|read| read.is_in(outcome)) {
                    found.insert(outcome);
                }
            }
        });
    }
    found
}

/// What a comparison has read.
#[derive(Clone, Copy)]
struct Compared {
    into: usize,
    expected: u64,
    equal: bool,
}

impl Compared {
    fn is_in(&self, outcome: u64) -> bool {
        let register = outcome >> (3 * (8 - self.into)) & 7;
        (register == self.expected) == self.equal
    }
}

/// The test with its comparisons as exchanges, where they succeed, and as loads, where they fail.
fn compared(test: &Test) -> Vec<(Test, Vec<Compared>)> {
    let mut all = vec![(test.clone(), Vec::new())];
    for (thread, ops) in test.threads.iter().enumerate() {
        for (at, op) in ops.iter().enumerate() {
            let Kind::Compare { expected, failing } = op.kind else {
                continue;
            };
            let decided = all.into_iter().flat_map(|(test, read)| {
                [true, false].map(|equal| {
                    let (mut test, mut read) = (test.clone(), read.clone());
                    let of = &mut test.threads[thread][at];
                    (of.kind, of.order) = match equal {
                        true => (Kind::Exchange, of.order),
                        false => (Kind::Read, failing),
                    };
                    read.push(Compared {
                        into: op.into,
                        expected,
                        equal,
                    });
                    (test, read)
                })
            });
            all = decided.collect();
        }
    }
    all
}

/// Whether RC11 allows an execution in which these two events race, by their numbers among all events, and the reads among them have
/// values as they should.
pub fn is_race(test: &Test, plain: &[bool], reads_zero: &dyn Fn(usize) -> Option<bool>) -> bool {
    let mut found = false;
    executions(test, &mut |execution, _| {
        let events = &execution.events;
        let fits = (0..events.len()).filter(|&i| events[i].reads()).all(|i| {
            let source = (0..events.len()).find(|&w| execution.rf[w] >> i & 1 == 1);
            let zero = source.is_some_and(|w| events[w].value == 0);
            reads_zero(i).is_none_or(|expected| expected == zero)
        });
        if found || !fits || !execution.allowed(Model::C11) {
            return;
        }
        let hb = execution.hb();
        let conflict = |a: usize, b: usize| {
            let (x, y) = (&events[a], &events[b]);
            let threads = x.thread.is_some() && y.thread.is_some() && x.thread != y.thread;
            let unordered = hb[a] >> b & 1 == 0 && hb[b] >> a & 1 == 0;
            threads
                && x.place == y.place
                && (x.writes() || y.writes())
                && (plain[a] || plain[b])
                && unordered
                && !x.fence()
                && !y.fence()
        };
        found = (0..events.len()).any(|a| (0..a).any(|b| conflict(a, b)));
    });
    found
}

/// All executions of a test, whatever is allowed, each with what gives its outcome.
fn executions(test: &Test, each: &mut dyn FnMut(&Execution, &dyn Fn() -> u64)) {
    let (events, sb) = events(test);
    let reads: Vec<usize> = (0..events.len()).filter(|&i| events[i].reads()).collect();
    let orders: Vec<Vec<Vec<usize>>> = (0..3).map(|place| orders_of(&events, place)).collect();
    for first in &orders[0] {
        for second in &orders[1] {
            for third in &orders[2] {
                let mo = [first, second, third];
                reads_from(&events, &reads, &mut Vec::new(), &mut |sources| {
                    let execution = execution(&events, &sb, &reads, sources, &mo);
                    each(&execution, &|| outcome(&events, &reads, sources, &mo));
                });
            }
        }
    }
}

fn events(test: &Test) -> (Vec<Event>, Relation) {
    let initial = |place| Event {
        thread: None,
        at: 0,
        kind: 'W',
        place,
        value: 0,
        order: 0,
        into: 0,
        pair: None,
    };
    let mut events: Vec<Event> = (0..3).map(initial).collect();
    for (thread, ops) in test.threads.iter().enumerate() {
        for Op {
            kind,
            place,
            value,
            order,
            into,
        } in ops
        {
            let event = |kind, pair| Event {
                thread: Some(thread),
                at: 0,
                kind,
                place: *place,
                value: *value,
                order: *order,
                into: *into,
                pair,
            };
            let next = events.len();
            match kind {
                Kind::Write | Kind::PlainWrite => events.push(event('W', None)),
                Kind::Read | Kind::Guard | Kind::PlainRead => events.push(event('R', None)),
                Kind::Fence => events.push(event('F', None)),
                // A comparison is one of the others where it is known whether it succeeds.
                Kind::Exchange | Kind::Compare { .. } => {
                    events.push(event('R', Some(next + 1)));
                    events.push(event('W', Some(next)));
                }
            }
        }
    }
    for (at, event) in events.iter_mut().enumerate() {
        event.at = at;
    }
    let before = |a: &Event, b: &Event| match (a.thread, b.thread) {
        (None, Some(_)) => true,
        (Some(x), Some(y)) => x == y && a.at < b.at,
        _ => false,
    };
    let sb = events.iter().map(|a| {
        let behind = events.iter().filter(|b| before(a, b));
        behind.fold(0, |set, b| set | 1 << b.at)
    });
    let sb = sb.collect();
    (events, sb)
}

/// The orders of the stores of an object; the initial one is the first.
fn orders_of(events: &[Event], place: usize) -> Vec<Vec<usize>> {
    let stores = events.iter().filter(|e| e.writes() && e.place == place);
    let stores: Vec<usize> = stores.map(|e| e.at).collect();
    let mut all = vec![vec![stores[0]]];
    for &store in &stores[1..] {
        let longer = all.iter().flat_map(|order| {
            (1..=order.len()).map(move |at| {
                let mut order = order.clone();
                order.insert(at, store);
                order
            })
        });
        all = longer.collect();
    }
    all
}

fn reads_from(
    events: &[Event],
    reads: &[usize],
    chosen: &mut Vec<usize>,
    found: &mut dyn FnMut(&[usize]),
) {
    let Some(&read) = reads.get(chosen.len()) else {
        return found(chosen);
    };
    let stores = events
        .iter()
        .filter(|e| e.writes() && e.place == events[read].place);
    for store in stores.filter(|e| events[read].pair != Some(e.at)) {
        chosen.push(store.at);
        reads_from(events, reads, chosen, found);
        chosen.pop();
    }
}

fn execution(
    events: &[Event],
    sb: &Relation,
    reads: &[usize],
    sources: &[usize],
    orders: &[&Vec<usize>; 3],
) -> Execution {
    let mut rf = vec![0; events.len()];
    let mut mo = vec![0; events.len()];
    let mut rb = vec![0; events.len()];
    for order in orders {
        for (i, &a) in order.iter().enumerate() {
            mo[a] = order[i + 1..].iter().fold(0, |set, b| set | 1 << b);
        }
    }
    for (&read, &source) in reads.iter().zip(sources) {
        rf[source] |= 1 << read;
        rb[read] = mo[source];
    }
    Execution {
        events: events.to_vec(),
        sb: sb.clone(),
        rf,
        mo,
        rb,
    }
}

fn outcome(events: &[Event], reads: &[usize], sources: &[usize], orders: &[&Vec<usize>; 3]) -> u64 {
    let mut registers = [0; 6];
    for (&read, &source) in reads.iter().zip(sources) {
        registers[events[read].into] = events[source].value;
    }
    let last = orders.map(|order| order.last().map_or(0, |&s| events[s].value));
    registers
        .iter()
        .chain(&last)
        .fold(0, |all, value| all * 8 + value)
}
