//! The argument of a certificate as JSON: reading and writing.

use induction::houdini::{Balance, Candidate, Claim};
use induction::rank::Rank;
use induction::ranking::{Change, Edge, Node};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Certificate;
use crate::prove::attempt::Function;

/// What a certificate says besides its text: where the text is from, and how to make it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hints {
    /// The version of this tool.
    version: String,
    /// The program and its specification, as the command line has them.
    origin: Value,
    unwind: u32,
    rounds: u32,
    depth: u32,
    /// The heads of loops with few rounds, which are followed.
    follows: Vec<usize>,
    /// For each head, the expression that tells its phases apart.
    phases: Vec<String>,
    invariants: Vec<WireClaim>,
    edges: Vec<(Node, Node, u8)>,
    functions: Vec<WireFunction>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WireClaim {
    Holds(usize, String),
    Keeps(usize, usize),
    Returns(usize, String),
    /// The summands and their sum.
    Sum(usize, Vec<String>, String),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireRank {
    terms: Vec<(usize, i64)>,
    distance: Option<(i64, u32)>,
    /// The function that decides where this one stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    then: Option<Box<WireRank>>,
}

#[derive(Serialize, Deserialize)]
struct WireFunction {
    #[serde(flatten)]
    rank: WireRank,
    /// Indices of edges.
    falls: Vec<usize>,
    stays: Vec<usize>,
}

/// The argument as JSON.
pub(super) fn write(certificate: &Certificate, origin: &Value) -> String {
    let numbers = |function: &Function, wanted: Change| {
        let all = function.changes.iter().filter(|(_, c)| *c == wanted);
        all.filter_map(|(e, _)| certificate.edges.iter().position(|known| known == e))
            .collect()
    };
    let claim = |c: &Candidate| match &c.claim {
        Claim::Holds(text) => WireClaim::Holds(c.cut, text.clone()),
        Claim::Keeps(v) => WireClaim::Keeps(c.cut, *v),
        Claim::Returns(text) => WireClaim::Returns(c.cut, text.clone()),
        Claim::Sum(sum) => WireClaim::Sum(c.cut, sum.terms.clone(), sum.total.clone()),
    };
    let edges = certificate.edges.iter();
    let phases = certificate.system.phases.iter();
    let hints = Hints {
        version: env!("CARGO_PKG_VERSION").to_string(),
        origin: origin.clone(),
        unwind: certificate.unwind,
        rounds: certificate.rounds,
        depth: certificate.depth,
        follows: certificate.system.followed.clone(),
        phases: phases.map(|(text, _)| text.clone()).collect(),
        invariants: certificate.claims.iter().map(claim).collect(),
        edges: edges.map(|e| (e.from, e.to, e.marks)).collect(),
        functions: certificate
            .functions
            .iter()
            .map(|f| WireFunction {
                rank: rank(&f.rank),
                falls: numbers(f, Change::Falls),
                stays: numbers(f, Change::Stays),
            })
            .collect(),
    };
    // The text must not end the comment around it.
    let text = serde_json::to_string(&hints).unwrap_or_default();
    text.replace("*/", "*\\/")
}

/// Reads the argument.
pub(super) fn read(text: &str) -> Result<Hints, String> {
    let hints: Hints =
        serde_json::from_str(text).map_err(|e| format!("its argument cannot be read: {e}"))?;
    match hints.version == env!("CARGO_PKG_VERSION") {
        true => Ok(hints),
        false => Err(format!(
            "baproduct {} wrote it, and only this version can make its text again",
            hints.version
        )),
    }
}

impl Hints {
    /// The program and its specification, as the command line has them.
    pub fn origin(&self) -> &Value {
        &self.origin
    }

    /// The model checker's bound for loops.
    pub(super) fn unwind(&self) -> u32 {
        self.unwind
    }

    /// The k of the induction.
    pub(super) fn rounds(&self) -> u32 {
        self.rounds
    }

    /// The depth to which recursions are followed.
    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    /// The heads of loops with few rounds, which are followed.
    pub(super) fn follows(&self) -> &[usize] {
        &self.follows
    }

    /// Adds phases, invariants, edges and functions to a certificate that has its system.
    ///
    /// # Errors
    /// If they name what the system does not have.
    pub(super) fn complete(&self, certificate: &mut Certificate) -> Result<(), String> {
        let system = &mut certificate.system;
        let (variables, cuts) = (system.variables.len(), system.cuts.len());
        if self.phases.len() != cuts {
            return Err("its argument has other loops than its program".into());
        }
        for (phase, text) in system.phases.iter_mut().zip(&self.phases) {
            phase.0.clone_from(text);
        }
        let claim = |claim: &WireClaim| match claim {
            WireClaim::Holds(cut, text) => Candidate {
                cut: *cut,
                claim: Claim::Holds(text.clone()),
            },
            WireClaim::Keeps(cut, v) => Candidate {
                cut: *cut,
                claim: Claim::Keeps(*v),
            },
            WireClaim::Returns(cut, text) => Candidate {
                cut: *cut,
                claim: Claim::Returns(text.clone()),
            },
            WireClaim::Sum(cut, terms, total) => Candidate {
                cut: *cut,
                claim: Claim::Sum(Balance {
                    terms: terms.clone(),
                    total: total.clone(),
                }),
            },
        };
        certificate.claims = self.invariants.iter().map(claim).collect();
        let edge = |&(from, to, marks): &(Node, Node, u8)| Edge { from, to, marks };
        certificate.edges = self.edges.iter().map(edge).collect();
        let edges = &certificate.edges;
        let functions: Option<Vec<Function>> =
            self.functions.iter().map(|f| function(f, edges)).collect();
        certificate.functions =
            functions.ok_or("its argument names edges that it does not have")?;
        let known = |v: &usize| *v < variables;
        let claims = certificate.claims.iter();
        let fits = claims.clone().all(|c| c.cut < cuts)
            && claims
                .clone()
                .all(|c| !matches!(&c.claim, Claim::Keeps(v) if !known(v)))
            && certificate
                .functions
                .iter()
                .all(|f| f.rank.variables().iter().all(known))
            && edges.iter().all(|e| e.from.0 < cuts && e.to.0 < cuts);
        let starts = |c: &Candidate| certificate.system.cuts[c.cut].entry.is_some();
        let mut returns = certificate.claims.iter();
        let fits = fits && returns.all(|c| !matches!(c.claim, Claim::Returns(_)) || starts(c));
        match fits {
            true => Ok(()),
            false => Err("its argument names what its program does not have".into()),
        }
    }
}

fn rank(of: &Rank) -> WireRank {
    WireRank {
        terms: of.terms.clone(),
        distance: of.distance,
        then: of.then.as_ref().map(|then| Box::new(rank(then))),
    }
}

fn of_rank(wire: &WireRank) -> Rank {
    Rank {
        terms: wire.terms.clone(),
        distance: wire.distance,
        then: wire.then.as_ref().map(|then| Box::new(of_rank(then))),
    }
}

fn function(wire: &WireFunction, edges: &[Edge]) -> Option<Function> {
    let mut changes = Vec::new();
    for (numbers, change) in [(&wire.falls, Change::Falls), (&wire.stays, Change::Stays)] {
        for &number in numbers {
            changes.push((*edges.get(number)?, change));
        }
    }
    changes.sort_by_key(|(edge, _)| *edge);
    Some(Function {
        rank: of_rank(&wire.rank),
        changes,
    })
}
