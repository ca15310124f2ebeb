//! From a formula with times to a formula without, and timers.

mod lasting;

use super::machine::LONGEST;
use super::repeated::begins_no_more;
use super::timer::{Measure, Rule, Timer};
use crate::{print_bounded, Arena, Atom, AtomId, Bounded, Id, Interval, Node, Signed, Style};
use std::collections::HashMap;

/// Why an operator with times cannot be replaced.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{what}")]
pub struct Refused {
    what: String,
    /// What to do about it.
    pub help: &'static str,
}

/// The greatest depth to which a formula is searched.
const DEEPEST: usize = 300;

/// The longest part of a formula in a name, in bytes.
const LONGEST_NAME: usize = 120;

/// Replaces the operators that measure `measure`: those with times, or the bounded operators of the future that count
/// letters. The formula is equivalent: over all words whose letters have the values of the timers, and for finite
/// words as well as infinite ones.
///
/// # Errors
/// The operator that cannot be replaced, and why. The arena may have grown nevertheless.
pub fn eliminate(
    arena: &mut Arena,
    root: Id,
    measure: Measure,
    timers: &mut Vec<Timer>,
) -> Result<Id, Refused> {
    let mut maker = Maker {
        arena,
        measure,
        timers,
        depth: 0,
    };
    let root = maker.past_replaced(root)?;
    maker.first(root)
}

struct Maker<'a> {
    arena: &'a mut Arena,
    measure: Measure,
    timers: &'a mut Vec<Timer>,
    depth: usize,
}

fn refused<T>(what: impl Into<String>, help: &'static str) -> Result<T, Refused> {
    Err(Refused {
        what: what.into(),
        help,
    })
}

const ONE_AT_A_TIME: &str =
    "times are measured from the letters of a condition about present and past on, as in `G(p -> F[<=50 ticks] q)`, and such formulas may be joined by `&&`, `||`, `!` and `->`";

impl Maker<'_> {
    /// The operator with its interval and operands, if it is one to be replaced.
    fn wanted(&self, id: Id) -> Option<(Bounded, Interval, Vec<Id>)> {
        match (self.arena.node(id), self.measure) {
            (Node::Timed(operator, interval, operands), Measure::Ticks) => {
                Some((*operator, *interval, operands.clone()))
            }
            (Node::Within(operator, interval, operands), Measure::Letters)
                if !operator.is_past() && *operator != Bounded::Next =>
            {
                Some((*operator, *interval, operands.clone()))
            }
            _ => None,
        }
    }

    fn has_wanted(&self, root: Id) -> bool {
        let mut all = self.arena.postorder(root).into_iter();
        all.any(|id| self.wanted(id).is_some())
    }

    fn said(&self, id: Id) -> String {
        print_bounded(self.arena, id, Style::Ascii, LONGEST_NAME)
    }

    fn make(&mut self, node: Node) -> Id {
        self.arena.make(node)
    }

    /// Past operators with times are values of timers wherever they stand.
    fn past_replaced(&mut self, root: Id) -> Result<Id, Refused> {
        let mut new: HashMap<Id, Id> = HashMap::new();
        for id in self.arena.postorder(root) {
            let node = self.arena.node(id).map_operands(&mut |o| new[&o]);
            let replaced = match &node {
                Node::Timed(operator, interval, operands)
                    if operator.is_past() && self.measure == Measure::Ticks =>
                {
                    let (hold, goal) = self.pair(operands);
                    let name = self.said(id);
                    let hold = self.operand(hold, &name)?;
                    let negated = *operator == Bounded::Historically;
                    let goal = self.operand(goal, &name)?;
                    let goal = self.arena.signed((goal, !negated));
                    self.check(*interval, &name)?;
                    let rule = Rule::Since {
                        hold,
                        goal,
                        interval: *interval,
                    };
                    let outputs = self.timer(rule, self.measure, &[name]);
                    let value = self.make(Node::Atom(outputs[0]));
                    self.arena.signed((value, !negated))
                }
                _ => self.make(node),
            };
            new.insert(id, replaced);
        }
        Ok(new[&root])
    }

    fn check(&self, interval: Interval, name: &str) -> Result<(), Refused> {
        let longest = interval.to.unwrap_or(interval.from).max(interval.from);
        match longest < LONGEST {
            true => Ok(()),
            false => refused(
                format!("the bounds of `{name}` are too large"),
                "they are below 2 to the power of 30",
            ),
        }
    }

    /// The operands of a binary operator; `true` and the operand of a unary one.
    fn pair(&mut self, operands: &[Id]) -> (Id, Id) {
        let yes = self.make(Node::True);
        match operands {
            [a, b] => (*a, *b),
            [a] => (yes, *a),
            _ => (yes, yes),
        }
    }

    /// An operand as a propositional formula. It may not change when a letter is repeated.
    fn operand(&mut self, id: Id, of: &str) -> Result<Id, Refused> {
        let changes = |node: &Node| matches!(node, Node::Previous(_) | Node::WeakPrevious(_));
        let mut all = self.arena.postorder(id).into_iter();
        if all.any(|id| changes(self.arena.node(id))) {
            return refused(
                format!("`{}` in `{of}` looks at the letter before", self.said(id)),
                "what is measured to may have the past operators O, H, S and B, but not Y and Z",
            );
        }
        self.propositional(id, of)
    }

    /// A formula about present and past in which values of timers stand for past operators.
    fn propositional(&mut self, root: Id, of: &str) -> Result<Id, Refused> {
        if !self.arena.is_present(root) {
            return refused(
                format!("`{}` in `{of}` is about the future", self.said(root)),
                ONE_AT_A_TIME,
            );
        }
        let mut new: HashMap<Id, Id> = HashMap::new();
        for id in self.arena.postorder(root) {
            let node = self.arena.node(id).map_operands(&mut |o| new[&o]);
            let replaced = match node {
                Node::Within(..) | Node::Often(..) | Node::Sequence(..) => {
                    return refused(
                        format!("`{}` in `{of}` counts letters", self.said(id)),
                        "letters and longer times are not counted in one formula: write several properties",
                    );
                }
                node if node.is_past() => {
                    let name = self.said(id);
                    let outputs = self.timer(Rule::Past(node), self.measure, &[name]);
                    self.make(Node::Atom(outputs[0]))
                }
                node => self.make(node),
            };
            new.insert(id, replaced);
        }
        Ok(new[&root])
    }

    /// The propositions of a timer, with these names if it is a new one.
    fn timer(&mut self, rule: Rule, measure: Measure, names: &[String]) -> Vec<AtomId> {
        let mut known = self.timers.iter();
        if let Some(known) = known.find(|t| t.rule == rule && t.measure == measure) {
            return known.outputs.clone();
        }
        let outputs: Vec<AtomId> = names.iter().map(|name| self.fresh(name)).collect();
        self.timers.push(Timer {
            rule,
            measure,
            outputs: outputs.clone(),
        });
        outputs
    }

    /// A proposition with a name that no other one has.
    fn fresh(&mut self, name: &str) -> AtomId {
        let mut name = name.to_owned();
        while self.arena.find_atom(&Atom::Name(name.clone())).is_some() {
            name.push('\'');
        }
        self.arena.atom(Atom::Name(name))
    }

    /// A formula with the same value at the first letter.
    fn first(&mut self, id: Id) -> Result<Id, Refused> {
        if !self.has_wanted(id) {
            return Ok(id);
        }
        self.deeper()?;
        let yes = self.make(Node::True);
        let node = self.arena.node(id).clone();
        let replaced = match &node {
            Node::Not(_) | Node::And(_) | Node::Or(_) | Node::Implies(..) | Node::Iff(..) => {
                let mut wrong = None;
                let node = node.map_operands(&mut |operand| {
                    let found = self.first(operand);
                    found.unwrap_or_else(|error| {
                        wrong.get_or_insert(error);
                        operand
                    })
                });
                match wrong {
                    Some(error) => return Err(error),
                    None => self.make(node),
                }
            }
            Node::Globally(inner) => self.always(yes, (*inner, true))?,
            Node::Finally(inner) => {
                let never = self.always(yes, (*inner, false))?;
                self.arena.negate(never)
            }
            _ => {
                let no = self.make(Node::False);
                let first = self.make(Node::WeakPrevious(no));
                self.always(first, (id, true))?
            }
        };
        self.depth -= 1;
        Ok(replaced)
    }

    fn deeper(&mut self) -> Result<(), Refused> {
        self.depth += 1;
        match self.depth > DEEPEST {
            true => refused("the formula is too deep", "write several properties"),
            false => Ok(()),
        }
    }

    /// `G (premise -> f)`; the premise is about present and past.
    fn always(&mut self, premise: Id, (id, positive): Signed) -> Result<Id, Refused> {
        if !self.has_wanted(id) {
            let conclusion = self.arena.signed((id, positive));
            let implied = match self.arena.node(premise) {
                Node::True => conclusion,
                _ => self.make(Node::Implies(premise, conclusion)),
            };
            return Ok(self.make(Node::Globally(implied)));
        }
        self.deeper()?;
        if let Some((operator, interval, operands)) = self.wanted(id) {
            let all = self.started(premise, id, (operator, interval, &operands), positive)?;
            self.depth -= 1;
            return Ok(all);
        }
        let node = self.arena.node(id).clone();
        let all = match (&node, positive) {
            (Node::Not(inner), _) => self.always(premise, (*inner, !positive))?,
            (Node::And(all), true) => self.each(premise, all.iter().map(|one| (*one, true)))?,
            (Node::Or(all), false) => self.each(premise, all.iter().map(|one| (*one, false)))?,
            (Node::Implies(a, b), false) => {
                self.each(premise, [(*a, true), (*b, false)].into_iter())?
            }
            (Node::Or(all), true) => {
                self.one_of(premise, id, all.iter().map(|one| (*one, true)))?
            }
            (Node::And(all), false) => {
                self.one_of(premise, id, all.iter().map(|one| (*one, false)))?
            }
            (Node::Implies(a, b), true) => {
                self.one_of(premise, id, [(*a, false), (*b, true)].into_iter())?
            }
            (Node::Globally(inner), true) | (Node::Finally(inner), false) => {
                let once = match self.arena.node(premise) {
                    Node::True => premise,
                    _ => self.make(Node::Once(premise)),
                };
                self.always(once, (*inner, positive))?
            }
            (Node::Next(inner), _) => {
                let before = self.make(Node::Previous(premise));
                self.always(before, (*inner, positive))?
            }
            _ => self.lasting(premise, (id, positive))?,
        };
        self.depth -= 1;
        Ok(all)
    }

    fn each(&mut self, premise: Id, all: impl Iterator<Item = Signed>) -> Result<Id, Refused> {
        let all: Result<Vec<Id>, Refused> = all.map(|one| self.always(premise, one)).collect();
        let all = all?;
        Ok(self.make(Node::And(all)))
    }

    /// `G (premise -> (f || g || …))`, with all but one operand in the premise.
    fn one_of(
        &mut self,
        premise: Id,
        whole: Id,
        all: impl Iterator<Item = Signed>,
    ) -> Result<Id, Refused> {
        let (present, others): (Vec<Signed>, Vec<Signed>) =
            all.partition(|(id, _)| self.arena.is_present(*id));
        let [only] = others.as_slice() else {
            return refused(
                format!(
                    "`{}` leaves open which of several formulas about the future holds",
                    self.said(whole)
                ),
                ONE_AT_A_TIME,
            );
        };
        let premise = self.arena.where_none(premise, &present);
        self.always(premise, *only)
    }

    /// What is asked at each letter of `start`: a bounded operator of the future, or its negation.
    fn started(
        &mut self,
        start: Id,
        whole: Id,
        (operator, interval, operands): (Bounded, Interval, &[Id]),
        positive: bool,
    ) -> Result<Id, Refused> {
        let name = self.said(whole);
        self.check(interval, &name)?;
        if !begins_no_more(self.arena, start) {
            return refused(
                format!(
                    "`{}`, from which `{name}` is measured, can begin to hold when nothing changes any more",
                    self.said(start)
                ),
                "with Y or Z it has to be about a change, as in `Y !p && p`",
            );
        }
        let from = match self.arena.node(start) {
            Node::True => String::new(),
            _ => format!("{} -> ", self.said(start)),
        };
        let start = self.propositional(start, &name)?;
        let (hold, goal) = self.pair(operands);
        let (hold, goal) = (self.operand(hold, &name)?, self.operand(goal, &name)?);
        // What is always so never misses; what is not always so misses once.
        let always = operator == Bounded::Globally;
        let goal = self.arena.signed((goal, !always));
        if positive == always {
            let names = [
                format!("wrong: {from}{name}"),
                format!("watched: {from}{name}"),
            ];
            let rule = Rule::Forbidden {
                start,
                hold,
                goal,
                interval,
            };
            let outputs = self.timer(rule, self.measure, &names);
            return Ok(self.never_wrong(&outputs, [hold, goal]));
        }
        let Some(to) = interval.to else {
            return refused(
                format!("`{name}` has no end"),
                "give it one, or leave the bounds away: `F[>=a ticks]` may always come later",
            );
        };
        let names = [
            format!("late: {from}{name}"),
            format!("pending: {from}{name}"),
        ];
        let rule = Rule::Owed {
            start,
            hold,
            goal,
            from: interval.from,
            to,
        };
        let outputs = self.timer(rule, self.measure, &names);
        Ok(self.in_time(&outputs, goal, interval.from))
    }

    /// That nothing forbidden comes. Letters go on when the last one is repeated.
    fn never_wrong(&mut self, outputs: &[AtomId], [hold, goal]: [Id; 2]) -> Id {
        let never = self.never(outputs[0]);
        if self.measure == Measure::Ticks {
            return never;
        }
        let active = self.make(Node::Atom(outputs[1]));
        let both = self.make(Node::And(vec![hold, goal]));
        let away = self.arena.negate(both);
        let away = self.make(Node::Finally(away));
        let away = self.make(Node::Implies(active, away));
        let away = self.make(Node::Globally(away));
        self.make(Node::And(vec![never, away]))
    }

    fn never(&mut self, atom: AtomId) -> Id {
        let atom = self.make(Node::Atom(atom));
        let not = self.arena.negate(atom);
        self.make(Node::Globally(not))
    }

    /// That nothing is missed, and that all comes if no time passes any more.
    fn in_time(&mut self, outputs: &[AtomId], goal: Id, from: u32) -> Id {
        let never = self.never(outputs[0]);
        let pending = self.make(Node::Atom(outputs[1]));
        let comes = match self.measure {
            Measure::Letters => {
                let comes = self.make(Node::Finally(goal));
                let comes = self.make(Node::Implies(pending, comes));
                self.make(Node::Globally(comes))
            }
            Measure::Ticks => {
                let settled = self.again((pending, false));
                match from {
                    0 => settled,
                    // Something new may be pending whenever the last comes.
                    _ => {
                        let name = "time passes".to_owned();
                        let bit = self.timer(Rule::Passing, self.measure, &[name])[0];
                        let bit = self.make(Node::Atom(bit));
                        let turns = vec![self.again((bit, true)), self.again((bit, false))];
                        let passes = self.make(Node::And(turns));
                        self.make(Node::Or(vec![passes, settled]))
                    }
                }
            }
        };
        self.make(Node::And(vec![never, comes]))
    }

    /// `G F` of a formula or its negation.
    fn again(&mut self, signed: Signed) -> Id {
        let inner = self.arena.signed(signed);
        let inner = self.make(Node::Finally(inner));
        self.make(Node::Globally(inner))
    }
}
