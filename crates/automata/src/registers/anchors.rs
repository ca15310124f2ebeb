//! Sequences that begin at known letters need no guess.
//!
//! Where a sequence is asked for at the first letter of a word, or under `G` at the letters of a premise about present
//! and past, a machine tells which stretches end where: `G (p -> ({r} |-> f))` is `G (m -> f)` for a register `m` that
//! holds at the last letter of each stretch that began at a letter of `p`. That is an equivalence, so that the formula
//! and its negation have the same machines.

use super::tables::Asked;
use ltl::{Arena, Atom, AtomId, Id, Matching, Node, Pattern, Signed};
use std::collections::HashMap;

/// What a machine tells about the stretches that begin at the letters of `start`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tells {
    /// At which letters one ends.
    Ends,
    /// Whether what is asked for can no longer come, and, if that is not enough, whether all has come.
    Asked(Asked, bool),
}

/// A machine of a sequence.
#[derive(Clone, Debug)]
pub(super) struct Follow {
    pub tells: Tells,
    pub pattern: Pattern,
    /// The formulas of the pattern's letters.
    pub letters: Vec<Id>,
    /// Where stretches begin.
    pub start: Id,
    /// What has to hold at the end of a stretch.
    pub goal: Id,
    /// The propositions that say what it tells: of the ends; or of what is missed and what is settled.
    pub registers: Vec<AtomId>,
}

/// The greatest depth to which a formula is searched.
const DEEPEST: usize = 300;

/// A formula in which sequences are replaced, with its machines.
pub(super) struct Anchored {
    pub arena: Arena,
    pub root: Id,
    pub fresh: Vec<AtomId>,
    pub follows: Vec<Follow>,
    has: HashMap<Id, bool>,
    /// What has been replaced, so that shared subformulas are replaced once.
    known: HashMap<(Option<Id>, Signed), Id>,
    depth: usize,
}

impl Anchored {
    pub fn of(arena: &Arena, root: Id) -> Anchored {
        let mut anchored = Anchored {
            arena: arena.clone(),
            root,
            fresh: Vec::new(),
            follows: Vec::new(),
            has: HashMap::new(),
            known: HashMap::new(),
            depth: 0,
        };
        anchored.root = anchored.first(root);
        anchored
    }

    fn has_sequences(&mut self, id: Id) -> bool {
        let arena = &self.arena;
        let has = self.has.entry(id);
        *has.or_insert_with(|| arena.has_sequences(id))
    }

    /// A formula with the same value at the first letter.
    fn first(&mut self, id: Id) -> Id {
        if !self.has_sequences(id) || self.depth > DEEPEST {
            return id;
        }
        if let Some(&known) = self.known.get(&(None, (id, true))) {
            return known;
        }
        self.depth += 1;
        let node = self.arena.node(id).clone();
        let yes = self.arena.make(Node::True);
        let replaced = match node {
            Node::Not(_) | Node::And(_) | Node::Or(_) | Node::Implies(..) | Node::Iff(..) => {
                let node = node.map_operands(&mut |operand| self.first(operand));
                self.arena.make(node)
            }
            Node::Globally(inner) => self.always(yes, (inner, true)),
            Node::Finally(inner) => {
                let never = self.always(yes, (inner, false));
                self.arena.negate(never)
            }
            Node::Sequence(matching, pattern, operands) => {
                let no = self.arena.make(Node::False);
                let first = self.arena.make(Node::WeakPrevious(no));
                let sequence = Sequence::new(&mut self.arena, matching, &pattern, &operands);
                match self.started(first, &sequence, true) {
                    Some(replaced) => replaced,
                    // What is not so for all stretches is so for one.
                    None => match self.started(first, &sequence, false) {
                        Some(replaced) => self.arena.negate(replaced),
                        None => id,
                    },
                }
            }
            _ => id,
        };
        self.depth -= 1;
        self.known.insert((None, (id, true)), replaced);
        replaced
    }

    /// `G (premise -> f)`; the premise is about present and past.
    fn always(&mut self, premise: Id, (id, positive): Signed) -> Id {
        if !self.has_sequences(id) || self.depth > DEEPEST {
            return self.plain(premise, (id, positive));
        }
        let question = (Some(premise), (id, positive));
        if let Some(&known) = self.known.get(&question) {
            return known;
        }
        self.depth += 1;
        let node = self.arena.node(id).clone();
        let all = match (&node, positive) {
            (Node::Not(inner), _) => self.always(premise, (*inner, !positive)),
            (Node::And(_), true) | (Node::Or(_) | Node::Implies(..), false) => {
                let all = self.arena.signed_operands((id, positive), true);
                let all = all.into_iter().map(|one| self.always(premise, one));
                let all = all.collect();
                self.arena.make(Node::And(all))
            }
            (Node::Or(_) | Node::Implies(..), true) | (Node::And(_), false) => {
                self.always_one(premise, (id, positive))
            }
            (Node::Globally(inner), true) | (Node::Finally(inner), false) => {
                let once = match self.arena.node(premise) {
                    Node::True => premise,
                    _ => self.arena.make(Node::Once(premise)),
                };
                self.always(once, (*inner, positive))
            }
            (Node::Next(inner), _) => {
                let before = self.arena.make(Node::Previous(premise));
                self.always(before, (*inner, positive))
            }
            (Node::Sequence(matching, pattern, operands), _) => {
                let sequence = Sequence::new(&mut self.arena, *matching, pattern, operands);
                self.started(premise, &sequence, positive)
                    .unwrap_or_else(|| self.plain(premise, (id, positive)))
            }
            _ => self.plain(premise, (id, positive)),
        };
        self.depth -= 1;
        self.known.insert(question, all);
        all
    }

    /// `G (premise -> (f || g || …))`, with all but one operand in the premise.
    fn always_one(&mut self, premise: Id, disjunction: Signed) -> Id {
        let all = self.arena.signed_operands(disjunction, false);
        let (present, others): (Vec<Signed>, Vec<Signed>) = all
            .into_iter()
            .partition(|(id, _)| self.arena.is_present(*id));
        let [only] = others.as_slice() else {
            return self.plain(premise, disjunction);
        };
        let premise = self.arena.where_none(premise, &present);
        self.always(premise, *only)
    }

    /// The formula as it is.
    fn plain(&mut self, premise: Id, conclusion: Signed) -> Id {
        let conclusion = self.arena.signed(conclusion);
        let inner = match (self.arena.node(premise), self.arena.node(conclusion)) {
            (Node::True, _) => conclusion,
            (_, Node::False) => self.arena.negate(premise),
            _ => self.arena.make(Node::Implies(premise, conclusion)),
        };
        self.arena.make(Node::Globally(inner))
    }

    /// What is asked of a sequence (or its negation) at each letter of a premise.
    fn started(&mut self, start: Id, sequence: &Sequence, positive: bool) -> Option<Id> {
        match sequence.asks(positive) {
            Asks::Each(negated) => {
                let ends = self.follow(Tells::Ends, sequence, start, start);
                Some(self.always(ends[0], (sequence.behind, !negated)))
            }
            Asks::One(asked, negated) => {
                let goal = self.arena.signed((sequence.behind, !negated));
                if !self.arena.is_present(goal) {
                    return None;
                }
                let tells = sequence.tells(asked);
                let registers = self.follow(tells, sequence, start, goal);
                Some(kept(&mut self.arena, &registers))
            }
        }
    }

    /// A machine; the formulas of its registers.
    fn follow(&mut self, tells: Tells, sequence: &Sequence, start: Id, goal: Id) -> Vec<Id> {
        let (follow, names) = sequence.follow(&mut self.arena, tells, start, goal);
        self.fresh.extend(&follow.registers);
        self.follows.push(follow);
        names
    }
}

/// A proposition that no formula has, behind all others.
pub(super) fn fresh(arena: &mut Arena) -> (AtomId, Id) {
    // No condition in a formula's braces begins with a space.
    let text = format!(" {}", arena.atoms().len());
    let atom = arena.atom(Atom::Condition(text));
    (atom, arena.make(Node::Atom(atom)))
}

/// That nothing that a machine is asked for is missed, and that all comes.
pub(super) fn kept(arena: &mut Arena, registers: &[Id]) -> Id {
    let missed = arena.negate(registers[0]);
    let never = arena.make(Node::Globally(missed));
    let Some(&settled) = registers.get(1) else {
        return never;
    };
    let again = arena.make(Node::Finally(settled));
    let again = arena.make(Node::Globally(again));
    arena.make(Node::And(vec![never, again]))
}

/// A sequence in one of few forms.
pub(super) struct Sequence {
    matching: Matching,
    pub pattern: Pattern,
    pub letters: Vec<Id>,
    /// The formula behind it; `true` if there is none.
    pub behind: Id,
}

/// What a sequence, or its negation, asks for.
pub(super) enum Asks {
    /// At the last letter of each stretch, the formula behind it, or its negation (`true`).
    Each(bool),
    /// Something of some stretch, where the formula behind it holds, or its negation (`true`).
    One(Asked, bool),
}

impl Sequence {
    pub fn new(arena: &mut Arena, matching: Matching, pattern: &Pattern, all: &[Id]) -> Sequence {
        let yes = arena.make(Node::True);
        let (behind, letters) = match all.split_last() {
            Some((behind, letters)) if matching.has_formula() => (*behind, letters),
            _ => (yes, all),
        };
        let mut letters = letters.to_vec();
        let (matching, pattern) = match matching {
            Matching::EveryNext | Matching::SomeNext => {
                letters.push(yes);
                let longer = pattern.followed_by(letters.len() as u32 - 1);
                let one = match matching {
                    Matching::EveryNext => Matching::Every,
                    _ => Matching::Some,
                };
                (one, longer)
            }
            _ => (matching, pattern.clone()),
        };
        Sequence {
            matching,
            pattern,
            letters,
            behind,
        }
    }

    pub fn asks(&self, positive: bool) -> Asks {
        match (self.matching, positive) {
            (Matching::Every | Matching::EveryNext, true) => Asks::Each(false),
            (Matching::Every | Matching::EveryNext, false) => Asks::One(Asked::Match, true),
            (Matching::Some | Matching::SomeNext | Matching::Strong, true) => {
                Asks::One(Asked::Match, false)
            }
            (Matching::Some | Matching::SomeNext | Matching::Strong, false) => Asks::Each(true),
            (Matching::Weak, true) => Asks::One(Asked::Open, false),
            (Matching::Weak, false) => Asks::One(Asked::Closed, false),
        }
    }

    /// A machine for the stretches that begin at the letters of `start`, and the formulas of its registers, which stand behind all
    /// other propositions.
    pub fn follow(
        &self,
        arena: &mut Arena,
        tells: Tells,
        start: Id,
        goal: Id,
    ) -> (Follow, Vec<Id>) {
        let many = match tells {
            Tells::Ends | Tells::Asked(_, false) => 1,
            Tells::Asked(_, true) => 2,
        };
        let (registers, names) = (0..many).map(|_| fresh(arena)).unzip();
        let follow = Follow {
            tells,
            pattern: self.pattern.clone(),
            letters: self.letters.clone(),
            start,
            goal,
            registers,
        };
        (follow, names)
    }

    /// What a machine tells of what is asked for: if stretches are bounded, all comes that is not missed.
    pub fn tells(&self, asked: Asked) -> Tells {
        let settles = asked != Asked::Open && !self.pattern.is_bounded();
        Tells::Asked(asked, settles)
    }
}
