//! From a formula with past and bounded operators to a formula of the future and machines beside it.
//!
//! - A past operator over propositional operands becomes a *register*: a fresh proposition whose value a machine
//!   gives.
//! - A bounded operator of the future over propositional operands becomes a *promise*: a fresh proposition that
//!   the automaton guesses, and a machine that watches that it is kept. Where the operator occurs positively, it
//!   is enough that a promise is kept; where it occurs negatively, that what is not promised does not happen.
//! - An operand that is a formula of the future is named by a fresh proposition in the same way; what the name
//!   promises is a conjunct `G (name -> operand)`, or its converse.

use super::machine::{Classes, Machine};
use crate::guard::{rename, Guard};
use crate::letters::allowed;
use crate::limits::{Limits, TooLarge};
use ltl::{Arena, Atom, AtomId, Bounded, Id, Interval, Node};
use std::collections::HashMap;

/// A formula of the future, and the machines beside it.
pub(super) struct Future {
    pub arena: Arena,
    pub root: Id,
    /// The fresh propositions, ascending; all are behind those of the formula.
    pub fresh: Vec<AtomId>,
    /// Whether the automaton guesses some of them. If not, the negation of the formula has the same machines.
    pub guesses: bool,
    /// What the machines are made of.
    plans: Vec<Plan>,
}

/// A machine, over propositional formulas.
enum Plan {
    Bit {
        register: AtomId,
        initial: bool,
        /// The value of the register, if the bit is false and if it is true.
        value: [Id; 2],
        next: Id,
    },
    Since {
        register: AtomId,
        negated: bool,
        hold: Id,
        goal: Id,
        interval: Interval,
    },
    Must {
        start: Id,
        hold: Id,
        goal: Id,
        from: u32,
        to: u32,
    },
    MustNot {
        start: Id,
        hold: Id,
        goal: Id,
        interval: Interval,
    },
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

    fn turned(self) -> Polarity {
        Polarity {
            positive: self.negative,
            negative: self.positive,
        }
    }
}

/// The polarities of all subformulas of a positive root.
fn polarities(arena: &Arena, root: Id) -> HashMap<Id, Polarity> {
    let mut found: HashMap<Id, Polarity> = HashMap::new();
    let positive = Polarity {
        positive: true,
        negative: false,
    };
    found.insert(root, positive);
    for id in arena.postorder(root).into_iter().rev() {
        let own = found.get(&id).copied().unwrap_or_default();
        let node = arena.node(id);
        for (number, operand) in node.operands().enumerate() {
            let known = found.entry(operand).or_default();
            match node {
                Node::Not(_) => known.join(own.turned()),
                Node::Implies(..) if number == 0 => known.join(own.turned()),
                Node::Iff(..) => {
                    known.join(own);
                    known.join(own.turned());
                }
                _ => known.join(own),
            }
        }
    }
    found
}

impl Future {
    pub fn of(arena: &Arena, root: Id) -> Future {
        let polarities = polarities(arena, root);
        let mut future = Future {
            arena: arena.clone(),
            root,
            fresh: Vec::new(),
            guesses: false,
            plans: Vec::new(),
        };
        let mut promises = Vec::new();
        let mut known: HashMap<Id, Id> = HashMap::new();
        for id in arena.postorder(root) {
            let node = arena.node(id);
            let polarity = polarities.get(&id).copied().unwrap_or_default();
            let operands: Vec<Id> = node.operands().map(|o| known[&o]).collect();
            let replaced = if node.is_past() || matches!(node, Node::Within(..)) {
                let mut present = |id| future.present(id, polarity, &mut promises);
                let operands: Vec<Id> = operands.into_iter().map(&mut present).collect();
                match node {
                    Node::Within(operator, interval, _) => {
                        future.within(*operator, *interval, &operands, polarity, &mut promises)
                    }
                    _ => future.register(node, &operands),
                }
            } else {
                future.arena.make(node.map_operands(&mut |o| known[&o]))
            };
            known.insert(id, replaced);
        }
        future.root = known[&root];
        if !promises.is_empty() {
            promises.insert(0, future.root);
            future.root = future.arena.make(Node::And(promises));
        }
        future
    }

    /// A propositional formula that stands for this one in this polarity.
    fn present(&mut self, id: Id, polarity: Polarity, promises: &mut Vec<Id>) -> Id {
        if self.arena.is_propositional(id) {
            return id;
        }
        let name = self.guess();
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
            return self.from_on(operator, interval.from, (hold, goal), polarity, promises);
        };
        if interval.from == 0 && to == 0 {
            return goal;
        }
        let name = self.guess();
        let not = self.arena.negate(name);
        let always = operator == Bounded::Globally;
        let missed = self.arena.negate(goal);
        for (wanted, start, kept) in [
            (polarity.positive, name, true),
            (polarity.negative, not, false),
        ] {
            if wanted {
                self.plans.push(match kept == always {
                    // What is always so never misses; what is not always so misses once.
                    true if always => Plan::MustNot {
                        start,
                        hold,
                        goal: missed,
                        interval,
                    },
                    false if always => Plan::Must {
                        start,
                        hold,
                        goal: missed,
                        from: interval.from,
                        to,
                    },
                    true => Plan::MustNot {
                        start,
                        hold,
                        goal,
                        interval,
                    },
                    false => Plan::Must {
                        start,
                        hold,
                        goal,
                        from: interval.from,
                        to,
                    },
                });
            }
        }
        name
    }

    /// An interval without an end: the operator without bounds, so many letters later.
    fn from_on(
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

    fn guess(&mut self) -> Id {
        self.guesses = true;
        self.fresh().1
    }

    /// A proposition that no formula has, behind all others.
    fn fresh(&mut self) -> (AtomId, Id) {
        // No condition in a formula's braces begins with a space.
        let text = format!(" {}", self.arena.atoms().len());
        let atom = self.arena.atom(Atom::Condition(text));
        self.fresh.push(atom);
        (atom, self.arena.make(Node::Atom(atom)))
    }

    /// The machines; `atoms` are the formula's propositions.
    pub fn machines(&self, atoms: &[AtomId], limits: &Limits) -> Result<Vec<Machine>, TooLarge> {
        let all: Vec<AtomId> = atoms.iter().chain(&self.fresh).copied().collect();
        let guard = |id: Id| -> Result<Guard, TooLarge> {
            let diagram = allowed(&self.arena, id, &all, limits)?;
            Ok(Guard::from_bdd(rename(&diagram, &all)))
        };
        let machine = |plan: &Plan| -> Result<Machine, TooLarge> {
            Ok(match plan {
                Plan::Bit {
                    register,
                    initial,
                    value,
                    next,
                } => {
                    let [yes, no] = literals(*register);
                    let right = |value: Id| -> Result<Guard, TooLarge> {
                        let value = guard(value)?;
                        Ok(yes.and(&value).or(&no.and_not(&value)))
                    };
                    Machine::Bit {
                        initial: *initial,
                        right: [right(value[0])?, right(value[1])?],
                        next: guard(*next)?,
                    }
                }
                Plan::Since {
                    register,
                    negated,
                    hold,
                    goal,
                    interval,
                } => {
                    let [yes, no] = literals(*register);
                    Machine::Since {
                        classes: Classes::new(&Guard::bottom(), &guard(*hold)?, &guard(*goal)?),
                        interval: *interval,
                        says: if *negated { [no, yes] } else { [yes, no] },
                    }
                }
                Plan::Must {
                    start,
                    hold,
                    goal,
                    from,
                    to,
                } => Machine::Must {
                    classes: Classes::new(&guard(*start)?, &guard(*hold)?, &guard(*goal)?),
                    from: *from,
                    to: *to,
                },
                Plan::MustNot {
                    start,
                    hold,
                    goal,
                    interval,
                } => Machine::MustNot {
                    classes: Classes::new(&guard(*start)?, &guard(*hold)?, &guard(*goal)?),
                    interval: *interval,
                },
            })
        };
        self.plans.iter().map(machine).collect()
    }
}

/// The letters in which a proposition holds, and in which it does not.
fn literals(atom: AtomId) -> [Guard; 2] {
    [true, false].map(|value| Guard::literal(atom, value).unwrap_or_else(Guard::bottom))
}
