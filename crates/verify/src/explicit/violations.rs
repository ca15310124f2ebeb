//! The runs of a graph, which may still grow, that violate a formula.

use std::borrow::Cow;

use automata::{translate_apart, Options};
use explicit::graph::{Actions, Doubts, Graph};
use explicit::product::{self, Claim, Demand, Violation, DEMANDS};
use ltl::{Arena, Atom, AtomId};
use weave::record::Record;

use super::Fairness;

/// The number of states at which it is first asked whether the search can end.
const FIRST: usize = 1 << 10;
/// From this number of states on, the beginning of a run is enough if whatever follows violates the formula: it may take long
/// until the states of a loop are met, and where something is counted there is none.
const LONG: usize = 1 << 12;

/// The runs that violate a property, given by its index in the record.
///
/// # Errors
/// Why they cannot be searched.
pub(super) fn claim(record: &Record, index: usize, fairness: &Fairness) -> Result<Claim, String> {
    let property = record.properties.get(index);
    let property = property.ok_or("there is no such property")?;
    let parsed = ltl::parse(&property.formula);
    let parsed = parsed.map_err(|_| "its formula cannot be read again")?;
    let mut arena = parsed.arena;
    let negated = arena.negate(parsed.root);
    let negation = translate_apart(&mut arena, negated, &Options::default());
    let negation = negation.map_err(|large| large.to_string())?;
    let mut atoms = Vec::new();
    for atom in arena.atoms_of(negated) {
        atoms.push((atom, position(record, &arena, atom)?));
    }
    let demand = |(often, then): &(Option<String>, String)| {
        let often = often.as_ref().map(|often| named(record, often));
        Ok(Demand {
            often: often.transpose()?,
            then: named(record, then)?,
        })
    };
    // What stands beside others is about all runs, also about those that do not count.
    let all = fairness.demands.iter();
    let all = all.filter(|_| !fairness.is_beside(&property.name));
    let demands: Result<Vec<Demand>, String> = all.map(demand).collect();
    if fairness.demands.len() > DEMANDS {
        return Err("there are too many threads for the question about fairness".into());
    }
    Ok(Claim {
        negation,
        atoms,
        demands: demands?,
    })
}

/// The index of an atom in valuations.
///
/// # Errors
/// Which proposition is not known.
pub(super) fn position(record: &Record, arena: &Arena, atom: AtomId) -> Result<usize, String> {
    match arena.atoms().get(atom.0 as usize) {
        Some(Atom::Name(name)) => named(record, name),
        Some(Atom::Condition(condition)) => named(record, &format!("{{{condition}}}")),
        None => named(record, ""),
    }
}

fn named(record: &Record, name: &str) -> Result<usize, String> {
    let at = record.propositions.iter().position(|p| p.name == name);
    at.ok_or(format!("the proposition `{name}` is not known"))
}

/// A violation, with the graph that it goes through; or what all violations rest on.
type Found<'g> = Result<(Cow<'g, Graph>, Violation), String>;

/// What tells the runs of the program among those of its graph.
#[derive(Debug)]
pub(super) struct Runs {
    /// A run that takes one of these steps may be none of the program's.
    pub doubts: Doubts,
    /// The locals to which steps give values although the program has stored none, by number, if to read them is undefined.
    pub locals: Vec<Option<String>>,
    /// Whether the program discards no runs, so that each one goes on or has ended.
    pub go_on: bool,
}

impl Runs {
    /// A run that violates a formula, if the graph has one: one that rests on no contract, and does nothing undefined.
    pub fn violation<'g>(&self, graph: &'g Graph, claim: &Claim) -> Option<Found<'g>> {
        let search = |graph: &Graph| match self.go_on {
            true => product::prefix_or_violation(graph, claim),
            false => product::violation(graph, claim),
        };
        let found = self.of_graph(graph, &search)?;
        match &found {
            Ok((of, run)) if reads_ages(of, run) => Some(self.timed(graph, claim)),
            _ => Some(found),
        }
    }

    /// A violation that the program has although some time stamps are old in the graph: a run that goes on for ever reads none of
    /// them in its loop, and the clock has not gone round since they were taken.
    fn timed<'g>(&self, graph: &Graph, claim: &Claim) -> Found<'g> {
        let straight = graph.without_rounds();
        let search = |graph: &Graph| product::timeless(graph, claim);
        if let Some(Ok((graph, run))) = self.of_graph(&straight, &search) {
            return Ok((Cow::Owned(graph.into_owned()), run));
        }
        let defined = straight.defined().without(&self.doubts);
        match product::prefix(&defined, claim).filter(|_| self.go_on) {
            Some(run) => Ok((Cow::Owned(defined), run)),
            None => Err(ROUNDS.into()),
        }
    }

    /// A run of a graph that a search finds.
    fn of_graph<'g>(
        &self,
        graph: &'g Graph,
        search: &dyn Fn(&Graph) -> Option<Violation>,
    ) -> Option<Found<'g>> {
        let found = search(graph)?;
        let Some(doubted) = steps(graph, &found).find(|e| self.doubts.about(e)) else {
            return Some(defined(Cow::Borrowed(graph), found, search));
        };
        let without = graph.without(&self.doubts);
        Some(match search(&without) {
            Some(found) => defined(Cow::Owned(without), found, search),
            None => Err(self.why(doubted)),
        })
    }

    /// Why a violation that takes this step is none.
    fn why(&self, doubted: &Actions) -> String {
        let told = |n: u32| self.locals.get(n as usize).and_then(Option::as_ref);
        match doubted.locals().find_map(told) {
            Some(local) => format!(
                "the formula is violated only by runs that may read a local before it has a value: {local}"
            ),
            None => "the formula is violated only by runs in which functions of the library give what their contracts allow, \
                     which need not be what they give"
                .into(),
        }
    }
}

/// Why there is no answer where the graph's violations may be none of the program's.
pub(super) const ROUNDS: &str =
    "the formula is violated only by runs that wait until the clock has gone round to an old time stamp, which the search does not follow";

/// Whether a run reads the age of an old time stamp.
pub(super) fn reads_ages(graph: &Graph, run: &Violation) -> bool {
    steps(graph, run).any(|e| e.ages() != (false, false))
}

/// The actions of a run's steps.
fn steps<'g>(graph: &'g Graph, run: &'g Violation) -> impl Iterator<Item = &'g Actions> {
    let steps = run.steps.iter();
    steps.map(|(state, edge)| graph.actions_of(&graph.nodes[*state as usize].edges[*edge]))
}

/// A violation by a run that does nothing undefined: the one that was found, or another one. The error says which
/// overflow all of them rest on.
fn defined<'g>(
    graph: Cow<'g, Graph>,
    found: Violation,
    search: &dyn Fn(&Graph) -> Option<Violation>,
) -> Found<'g> {
    let Some(place) = steps(&graph, &found).find_map(Actions::overflow) else {
        return Ok((graph, found));
    };
    let defined = graph.defined();
    match search(&defined) {
        Some(violation) => Ok((Cow::Owned(defined), violation)),
        None => {
            let place = graph.overflows.get(place as usize);
            Err(format!(
                "the formula is violated only by runs in which a signed integer overflows{}",
                place.map(|p| format!(", at {p}")).unwrap_or_default()
            ))
        }
    }
}

/// Tells when a search of states can end: when all formulas are known to be violated, if only by runs that need not be the program's: each time the number of states has doubled, they are
/// asked about the part of the graph that was visited.
pub(super) struct Watch<'a> {
    claims: Vec<Claim>,
    runs: &'a Runs,
    next: usize,
    ended: bool,
}

impl<'a> Watch<'a> {
    /// Waits for violations of all properties but those that stand beside others.
    pub fn new(record: &Record, fairness: &Fairness, runs: &'a Runs) -> Watch<'a> {
        let all = record.properties.iter().enumerate();
        let asked = all.filter(|(_, property)| !fairness.is_beside(&property.name));
        let claims: Option<Vec<Claim>> = asked
            .map(|(index, _)| claim(record, index, fairness).ok())
            .collect();
        let claims = claims.unwrap_or_default();
        // What has no answer in any graph never ends the search.
        let next = if claims.is_empty() { usize::MAX } else { FIRST };
        Watch {
            claims,
            runs,
            next,
            ended: false,
        }
    }

    /// Looks at the graph so far; returns whether it is enough.
    pub fn look(&mut self, graph: &Graph) -> bool {
        let count = graph.nodes.len();
        if self.ended || count < self.next {
            return self.ended;
        }
        self.next = 2 * count;
        let runs = self.runs;
        // Runs that contracts allow, or in which an integer overflows, are none of the program's, but there is no proof then.
        let found = |claim: &Claim| runs.violation(graph, claim);
        // A violation that needs no round of the clock may come later.
        let mut settled = !graph.reads_ages();
        self.claims.retain(|claim| match found(claim) {
            Some(Ok(_)) => false,
            Some(Err(_)) => true,
            None => {
                settled = false;
                true
            }
        });
        self.ended = self.claims.is_empty() || (settled && count >= LONG);
        self.ended
    }

    /// Whether it has ended the search.
    pub fn has_ended(&self) -> bool {
        self.ended
    }
}
