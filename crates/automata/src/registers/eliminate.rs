//! From a formula with past and bounded operators to a formula of the future and machines beside it.
//!
//! - A past operator over propositional operands becomes a *register*: a fresh proposition whose value a machine
//!   gives.
//! - A bounded operator of the future over propositional operands becomes a *promise*: a fresh proposition that
//!   the automaton guesses, and a machine that watches that it is kept. Where the operator occurs positively, it
//!   is enough that a promise is kept; where it occurs negatively, that what is not promised does not happen.
//! - An operand that is a formula of the future is named by a fresh proposition in the same way; what the name
//!   promises is a conjunct `G (name -> operand)`, or its converse.
//! - A sequence has machines for its stretches, see [`super::anchors`]; where it may begin at any letter, a fresh
//!   proposition that the automaton guesses says at which.

use super::anchors::{fresh, kept, Anchored, Asks, Follow, Sequence, Tells};
use super::plans::Plan;
use ltl::{Arena, AtomId, Bounded, Id, Interval, Node, Signed};
use std::collections::HashMap;

/// A formula of the future, and the machines beside it.
pub(super) struct Future {
    pub arena: Arena,
    pub root: Id,
    /// The fresh propositions, ascending; all are behind those of the formula.
    pub fresh: Vec<AtomId>,
    /// Whether the machines exclude words, and do not only compute the fresh propositions. If not, the negation of
    /// the formula has the same machines.
    pub excludes: bool,
    /// What the machines are made of.
    pub plans: Vec<Plan>,
}

/// Whether a subformula occurs positively, and negatively.
#[derive(Clone, Copy, Default)]
struct Polarity {
    positive: bool,
    negative: bool,
}

impl Polarity {
    fn join(&mut self, other: Polarity) {
        self.positive |= other.positive;
        self.negative |= other.negative;
    }

    /// The polarity of an operand of a node with this one.
    fn below(self, node: &Node, number: usize) -> Polarity {
        let mut both = self;
        both.join(self.turned());
        match node {
            Node::Not(_) => self.turned(),
            Node::Implies(..) if number == 0 => self.turned(),
            Node::Iff(..) => both,
            Node::Often(_, times, _) => match (times.from, times.to) {
                (_, None) => self,
                (0, _) => self.turned(),
                _ => both,
            },
            _ => self,
        }
    }

    fn turned(self) -> Polarity {
        Polarity {
            positive: self.negative,
            negative: self.positive,
        }
    }
}

/// The polarities of all subformulas of a formula or of its negation.
fn polarities(arena: &Arena, (root, positive): Signed) -> HashMap<Id, Polarity> {
    let mut found: HashMap<Id, Polarity> = HashMap::new();
    let own = Polarity {
        positive,
        negative: !positive,
    };
    found.insert(root, own);
    for id in arena.postorder(root).into_iter().rev() {
        let own = found.get(&id).copied().unwrap_or_default();
        let node = arena.node(id);
        for (number, operand) in node.operands().enumerate() {
            let below = own.below(node, number);
            found.entry(operand).or_default().join(below);
        }
    }
    found
}

/// A conjunct `G (a || B)`, where `B` is the only bounded operator of the future, or its negation: what is promised,
/// and when, needs no guess.
struct Watched {
    /// The other operands of the disjunction; of several conjuncts with the same operator, those of each.
    others: Vec<Vec<Signed>>,
    operator: Bounded,
    interval: Interval,
    operands: Vec<Id>,
    /// Whether the operator is promised, or its negation.
    value: bool,
}

impl Watched {
    fn asks_the_same(&self, other: &Watched) -> bool {
        let own = (self.operator, self.interval, &self.operands, self.value);
        own == (other.operator, other.interval, &other.operands, other.value)
    }
}

/// Splits a conjunction into conjuncts that need no guess, and the others.
fn split(arena: &Arena, root: Id) -> (Vec<Watched>, Vec<Signed>) {
    let (mut watched, mut others): (Vec<Watched>, _) = (Vec::new(), Vec::new());
    for conjunct in arena.signed_operands((root, true), true) {
        let Some(all) = all_watched(arena, conjunct) else {
            others.push(conjunct);
            continue;
        };
        for one in all {
            // What two conjuncts ask for is asked for where either asks: one counter serves both.
            match watched.iter_mut().find(|w| w.asks_the_same(&one)) {
                Some(same) => same.others.extend(one.others),
                None => watched.push(one),
            }
        }
    }
    (watched, others)
}

/// What a conjunct `G (a || B)` watches, or one `G (a || (B && C))`, which is two of them.
fn all_watched(arena: &Arena, (conjunct, positive): Signed) -> Option<Vec<Watched>> {
    let inner = match (arena.node(conjunct), positive) {
        (Node::Globally(inner), true) | (Node::Finally(inner), false) => *inner,
        _ => return None,
    };
    let disjuncts = arena.signed_operands((inner, positive), false);
    let counted = |one: &Signed| !arena.is_present(one.0);
    let (joined, present): (Vec<Signed>, Vec<Signed>) = disjuncts.into_iter().partition(counted);
    let [joined] = joined.as_slice() else {
        return None;
    };
    let all = arena.signed_operands(*joined, true).into_iter();
    all.map(|one| watched_of(arena, one, &present)).collect()
}

fn watched_of(arena: &Arena, (bounded, value): Signed, others: &[Signed]) -> Option<Watched> {
    let Node::Within(operator, interval, operands) = arena.node(bounded) else {
        return None;
    };
    let counts = !operator.is_past() && interval.to.is_some_and(|to| to > 0);
    let present = operands.iter().all(|o| arena.is_present(*o));
    (counts && present).then(|| Watched {
        others: vec![others.to_vec()],
        operator: *operator,
        interval: *interval,
        operands: operands.clone(),
        value,
    })
}

impl Future {
    pub fn of(arena: &Arena, root: Id) -> Future {
        let anchored = Anchored::of(arena, root);
        let (arena, root) = (&anchored.arena, anchored.root);
        let mut future = Future {
            arena: arena.clone(),
            root,
            fresh: anchored.fresh,
            excludes: false,
            plans: Vec::new(),
        };
        let mut known = HashMap::new();
        let mut conjuncts = Vec::new();
        let (watched, others) = split(arena, root);
        for (conjunct, positive) in others {
            let polarities = polarities(arena, (conjunct, positive));
            let replaced =
                future.replaced(arena, conjunct, &polarities, &mut known, &mut conjuncts);
            conjuncts.push(future.arena.signed((replaced, positive)));
        }
        for one in watched {
            future.watch(arena, &one, &mut known);
        }
        for follow in anchored.follows {
            let none = HashMap::new();
            let mut of = |id: Id| future.replaced(arena, id, &none, &mut known, &mut Vec::new());
            let follow = Follow {
                letters: follow.letters.into_iter().map(&mut of).collect(),
                start: of(follow.start),
                goal: of(follow.goal),
                ..follow
            };
            future.plans.push(Plan::Follow(follow));
        }
        future.root = match conjuncts.as_slice() {
            [] => future.arena.make(Node::True),
            [only] => *only,
            _ => future.arena.make(Node::And(conjuncts)),
        };
        future
    }

    /// The formula that stands for one of `arena`; adds what its fresh propositions promise.
    fn replaced(
        &mut self,
        arena: &Arena,
        root: Id,
        polarities: &HashMap<Id, Polarity>,
        known: &mut HashMap<Id, Id>,
        promises: &mut Vec<Id>,
    ) -> Id {
        for id in arena.postorder(root) {
            let node = arena.node(id);
            // The same operator may be promised in two conjuncts; what has no promise is shared.
            if known.contains_key(&id) && arena.is_present(id) {
                continue;
            }
            let polarity = polarities.get(&id).copied().unwrap_or_default();
            let operands: Vec<Id> = node.operands().map(|o| known[&o]).collect();
            let replaced = if let Node::Sequence(matching, pattern, _) = node {
                let sequence = Sequence::new(&mut self.arena, *matching, pattern, &operands);
                self.sequence(&sequence, polarity, promises)
            } else if node.is_past() || matches!(node, Node::Within(..)) {
                let below = polarity.below(node, 0);
                let mut present = |id| self.present(id, below, promises);
                let operands: Vec<Id> = operands.into_iter().map(&mut present).collect();
                match node {
                    Node::Within(operator, interval, _) => {
                        self.within(*operator, *interval, &operands, polarity, promises)
                    }
                    Node::Often(window, times, _) => self.often(*window, *times, &operands),
                    _ => self.register(node, &operands),
                }
            } else {
                self.arena.make(node.map_operands(&mut |o| known[&o]))
            };
            known.insert(id, replaced);
        }
        known[&root]
    }

    /// The machine of a conjunct that needs no guess.
    fn watch(&mut self, arena: &Arena, watched: &Watched, known: &mut HashMap<Id, Id>) {
        let none = HashMap::new();
        let mut of = |id: &Id| self.replaced(arena, *id, &none, known, &mut Vec::new());
        let others: Vec<Vec<Signed>> = watched
            .others
            .iter()
            .map(|all| all.iter().map(|(other, p)| (of(other), *p)).collect())
            .collect();
        let operands: Vec<Id> = watched.operands.iter().map(&mut of).collect();
        let starts: Vec<Id> = others.iter().map(|all| self.start(all)).collect();
        let start = match starts.as_slice() {
            [only] => *only,
            _ => self.arena.make(Node::Or(starts)),
        };
        let Watched {
            operator,
            interval,
            value,
            ..
        } = watched;
        self.promise(*operator, *interval, &operands, start, *value);
    }

    /// That none of these operands holds.
    fn start(&mut self, others: &[Signed]) -> Id {
        let all = self.arena.make(Node::True);
        self.arena.where_none(all, others)
    }

    /// A propositional formula that stands for this one in this polarity.
    fn present(&mut self, id: Id, polarity: Polarity, promises: &mut Vec<Id>) -> Id {
        if self.arena.is_propositional(id) {
            return id;
        }
        self.excludes = true;
        let name = self.fresh().1;
        for (wanted, left, right) in [(polarity.positive, name, id), (polarity.negative, id, name)]
        {
            if wanted {
                let implied = self.arena.make(Node::Implies(left, right));
                promises.push(self.arena.make(Node::Globally(implied)));
            }
        }
        name
    }

    /// The register of a past operator without bounds.
    fn register(&mut self, node: &Node, operands: &[Id]) -> Id {
        let (register, name) = self.fresh();
        let (first, last) = self.pair(operands);
        let mut make = |node| self.arena.make(node);
        let (no, yes) = (make(Node::False), make(Node::True));
        let either = make(Node::Or(vec![first, last]));
        let both = make(Node::And(vec![first, last]));
        let (initial, value, next) = match node {
            Node::Previous(_) => (false, [no, yes], last),
            Node::WeakPrevious(_) => (true, [no, yes], last),
            Node::Historically(_) => (true, [no, last], name),
            Node::BackTo(..) => (true, [both, last], name),
            // `a S b`: at a letter of b, and where it held before, at one of a.
            _ => (false, [last, either], name),
        };
        self.plans.push(Plan::Bit {
            register,
            initial,
            value,
            next,
        });
        name
    }

    /// The register of a count.
    fn often(&mut self, window: Interval, times: Interval, operands: &[Id]) -> Id {
        let (register, name) = self.fresh();
        let goal = self.pair(operands).1;
        self.plans.push(Plan::Often {
            register,
            goal,
            window,
            times,
        });
        name
    }

    /// The formula that stands for a bounded operator.
    fn within(
        &mut self,
        operator: Bounded,
        interval: Interval,
        operands: &[Id],
        polarity: Polarity,
        promises: &mut Vec<Id>,
    ) -> Id {
        let (hold, goal) = self.pair(operands);
        if operator.is_past() {
            let (register, name) = self.fresh();
            let negated = operator == Bounded::Historically;
            let goal = if negated {
                self.arena.negate(goal)
            } else {
                goal
            };
            self.plans.push(Plan::Since {
                register,
                negated,
                hold,
                goal,
                interval,
            });
            return name;
        }
        let Some(to) = interval.to else {
            return self.unending(operator, interval.from, (hold, goal), polarity, promises);
        };
        if interval.from == 0 && to == 0 {
            return goal;
        }
        let name = self.fresh().1;
        if polarity.positive {
            self.promise(operator, interval, operands, name, true);
        }
        if polarity.negative {
            let not = self.arena.negate(name);
            self.promise(operator, interval, operands, not, false);
        }
        name
    }

    /// The machine that watches, after each letter of `start`, that a bounded operator has this value.
    fn promise(
        &mut self,
        operator: Bounded,
        interval: Interval,
        operands: &[Id],
        start: Id,
        value: bool,
    ) {
        self.excludes = true;
        let (hold, goal) = self.pair(operands);
        // What is always so never misses; what is not always so misses once.
        let always = operator == Bounded::Globally;
        let goal = if always {
            self.arena.negate(goal)
        } else {
            goal
        };
        self.plans
            .push(match interval.to.filter(|_| value != always) {
                Some(to) => Plan::Must {
                    start,
                    hold,
                    goal,
                    from: interval.from,
                    to,
                },
                None => Plan::MustNot {
                    start,
                    hold,
                    goal,
                    interval,
                },
            });
    }

    /// The formula that stands for a sequence: a name, which promises what is asked for where it is said.
    fn sequence(&mut self, sequence: &Sequence, polarity: Polarity, promises: &mut Vec<Id>) -> Id {
        self.excludes = true;
        let name = self.fresh().1;
        for (wanted, positive) in [(polarity.positive, true), (polarity.negative, false)] {
            if wanted {
                let start = self.arena.signed((name, positive));
                let promised = self.started(start, sequence, positive, promises);
                promises.push(promised);
            }
        }
        name
    }

    /// What is asked of a sequence (or its negation) at each letter of `start`.
    fn started(
        &mut self,
        start: Id,
        sequence: &Sequence,
        positive: bool,
        promises: &mut Vec<Id>,
    ) -> Id {
        let (Asks::Each(negated) | Asks::One(_, negated)) = sequence.asks(positive);
        let behind = self.arena.signed((sequence.behind, !negated));
        let once = Polarity {
            positive: true,
            negative: false,
        };
        let (tells, goal) = match sequence.asks(positive) {
            Asks::Each(_) => (Tells::Ends, start),
            Asks::One(asked, _) => (sequence.tells(asked), self.present(behind, once, promises)),
        };
        let (follow, names) = sequence.follow(&mut self.arena, tells, start, goal);
        self.fresh.extend(&follow.registers);
        self.plans.push(Plan::Follow(follow));
        match tells {
            Tells::Ends => {
                let implied = self.arena.make(Node::Implies(names[0], behind));
                self.arena.make(Node::Globally(implied))
            }
            Tells::Asked(..) => kept(&mut self.arena, &names),
        }
    }

    /// An interval without an end: the operator without bounds, so many letters later.
    fn unending(
        &mut self,
        operator: Bounded,
        from: u32,
        (hold, goal): (Id, Id),
        polarity: Polarity,
        promises: &mut Vec<Id>,
    ) -> Id {
        let later = match operator {
            Bounded::Globally => Node::Globally(goal),
            Bounded::Until => Node::Until(hold, goal),
            _ => Node::Finally(goal),
        };
        let later = self.arena.make(later);
        let Some(before) = from.checked_sub(1) else {
            return later;
        };
        let later = self.present(later, polarity, promises);
        let at = |from, to| Interval { from, to: Some(to) };
        let next = self.within(Bounded::Next, at(from, from), &[later], polarity, promises);
        if operator != Bounded::Until {
            return next;
        }
        let until = self.within(
            Bounded::Globally,
            at(0, before),
            &[hold],
            polarity,
            promises,
        );
        self.arena.make(Node::And(vec![until, next]))
    }

    /// The operands of a binary operator; `true` and the operand of a unary one.
    fn pair(&mut self, operands: &[Id]) -> (Id, Id) {
        let yes = self.arena.make(Node::True);
        match operands {
            [a, b] => (*a, *b),
            [a] => (yes, *a),
            _ => (yes, yes),
        }
    }

    /// A proposition that no formula has, behind all others.
    fn fresh(&mut self) -> (AtomId, Id) {
        let (atom, name) = fresh(&mut self.arena);
        self.fresh.push(atom);
        (atom, name)
    }
}
