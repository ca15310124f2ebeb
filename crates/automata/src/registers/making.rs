//! How the machines beside an automaton are made of their plans.

use super::anchors::Tells;
use super::eliminate::Future;
use super::machine::{Classes, Machine};
use super::plans::{literals, Plan};
use super::sequences::Nfa;
use super::tables::{asked, matched};
use crate::guard::{rename, Guard};
use crate::letters::allowed;
use crate::limits::{Limits, TooLarge};
use ltl::{AtomId, Id};

impl Future {
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
                Plan::Often {
                    register,
                    goal,
                    window,
                    times,
                } => Machine::Often {
                    classes: Classes::new(&Guard::bottom(), &Guard::top(), &guard(*goal)?),
                    window: *window,
                    times: *times,
                    says: literals(*register),
                },
                Plan::Follow(follow) => {
                    let letters: Result<Vec<Guard>, TooLarge> =
                        follow.letters.iter().map(|id| guard(*id)).collect();
                    let nfa = Nfa::of(&follow.pattern, &letters?, limits)?;
                    let [start, goal] = [guard(follow.start)?, guard(follow.goal)?];
                    let table = match follow.tells {
                        Tells::Ends => matched(&nfa, &start, limits)?,
                        Tells::Asked(what, settles) => {
                            asked(&nfa, (what, settles), [&start, &goal], limits)?
                        }
                    };
                    Machine::of_table(&table, &follow.registers)
                }
            })
        };
        self.plans.iter().map(machine).collect()
    }
}
