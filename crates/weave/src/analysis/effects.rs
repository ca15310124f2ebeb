//! The effects of writes and calls on propositions: which memory of an evaluation a write surely changes, and
//! where a comparison of addresses has to decide at run time.

use cfront::Locations;

use crate::bind::code::Code;
use crate::bind::propositions::Proposition;
use crate::facts::places::{Overlap, Place};
use crate::facts::Facts;

/// The effect of an event on one proposition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// The proposition.
    pub proposition: usize,
    /// Whether the event surely writes memory that the proposition reads.
    pub overlap: Overlap,
    /// The indices of the regions that it writes, or may write.
    pub regions: Vec<usize>,
}

/// The memory that an event writes.
enum Written<'a> {
    /// The memory that an lvalue designates.
    Place(&'a Place),
    /// The memory that a call may write.
    Call(Locations),
}

/// The effects of every write, in the order of [`Facts::writes`], and of every call, in the order
/// of [`Facts::calls`].
pub struct Effects {
    /// Of writes.
    pub writes: Vec<Vec<Effect>>,
    /// Of calls of functions without body.
    pub calls: Vec<Vec<Effect>>,
}

impl Effects {
    /// Compares all writes with all regions. Runs the points-to analysis only if some address of memory that a
    /// proposition reads is taken.
    pub fn new(facts: &Facts, code: &Code, propositions: &[Proposition]) -> Effects {
        let finder = Finder::new(facts, code, propositions);
        let writes = facts.writes.iter();
        let calls = facts.calls.iter();
        Effects {
            writes: writes
                .map(|w| finder.effects(&Written::Place(&w.place)))
                .collect(),
            calls: calls
                .map(|c| match finder.exposed && c.target.is_none() {
                    true => finder.effects(&Written::Call(code.written_by_call(c.expr))),
                    false => Vec::new(),
                })
                .collect(),
        }
    }
}

struct Finder<'a> {
    code: &'a Code,
    propositions: &'a [Proposition],
    /// For each region of each proposition, its memory, if pointers to it may exist.
    memory: Vec<Vec<Option<Locations>>>,
    /// Whether pointers to any region may exist.
    exposed: bool,
}

impl<'a> Finder<'a> {
    fn new(facts: &'a Facts, code: &'a Code, propositions: &'a [Proposition]) -> Self {
        let memory: Vec<Vec<Option<Locations>>> = propositions
            .iter()
            .map(|p| {
                let regions = p.regions.iter();
                regions
                    .map(|region| match region.place.root {
                        Some(o) => facts.objects[o].address_taken.then(|| code.location_of(o)),
                        None => Some(code.designated(region.place.lvalue)),
                    })
                    .collect()
            })
            .collect();
        let exposed = memory.iter().flatten().any(Option::is_some);
        Finder {
            code,
            propositions,
            memory,
            exposed,
        }
    }

    fn effects(&self, written: &Written) -> Vec<Effect> {
        // The targets of a pointer are looked up once, and only if needed.
        let memory = match written {
            Written::Call(locations) => Some(locations.clone()),
            Written::Place(place) => match place.root {
                None if self.exposed => Some(self.code.designated(place.lvalue)),
                // A condition may read the object through a pointer, even if the program has no pointer to it.
                Some(o) if self.exposed => Some(self.code.location_of(o)).filter(|l| !l.is_empty()),
                _ => None,
            },
        };
        (0..self.propositions.len())
            .filter_map(|p| self.effect(p, written, memory.as_ref()))
            .collect()
    }

    fn effect(&self, p: usize, written: &Written, memory: Option<&Locations>) -> Option<Effect> {
        let (mut regions, mut surely) = (Vec::new(), false);
        for (r, region) in self.propositions[p].regions.iter().enumerate() {
            let overlap = match written {
                Written::Place(place) if place.root.is_some() && region.place.root.is_some() => {
                    place.overlaps(&region.place)
                }
                _ => {
                    let meets = match (memory, &self.memory[p][r]) {
                        (Some(a), Some(b)) => a.meet(b),
                        _ => false,
                    };
                    meets.then_some(Overlap::Maybe)
                }
            };
            if let Some(overlap) = overlap {
                regions.push(r);
                surely |= overlap == Overlap::Surely;
            }
        }
        (!regions.is_empty()).then_some(Effect {
            proposition: p,
            overlap: match surely {
                true => Overlap::Surely,
                false => Overlap::Maybe,
            },
            regions,
        })
    }
}
