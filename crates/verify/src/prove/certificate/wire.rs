//! The argument of a certificate as JSON: reading and writing.

use induction::houdini::{Candidate, Claim};
use induction::rank::Rank;
use induction::ranking::{Change, Edge, Node};
use induction::{Cut, Kind, System, Variable};
use serde::{Deserialize, Serialize};

use super::Certificate;
use crate::prove::attempt::Function;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    program: String,
    property: String,
    run: bool,
    of_negation: bool,
    unwind: u32,
    #[serde(default = "one")]
    rounds: u32,
    variables: Vec<WireVariable>,
    heads: Vec<WireCut>,
    /// The heads of loops that are followed.
    #[serde(default)]
    followed: Vec<usize>,
    declarations: String,
    arrive: String,
    resume: String,
    reads: String,
    marks: Vec<String>,
    forbidden: String,
    begin: String,
    phases: Vec<(String, usize)>,
    invariants: Vec<WireClaim>,
    edges: Vec<(Node, Node, u8)>,
    functions: Vec<WireFunction>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireVariable {
    lvalue: String,
    name: String,
    kind: WireKind,
    object: Option<usize>,
    everywhere: bool,
    states: Option<usize>,
    bits: u32,
    unsigned64: bool,
    #[serde(default)]
    overflows: bool,
    /// Whether `lvalue` is an expression over other variables.
    #[serde(default)]
    computed: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WireKind {
    Truth,
    Integer,
    Real,
    Wide,
    Pointer,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireCut {
    number: usize,
    visible: Vec<usize>,
    hidden: Vec<usize>,
    inner: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WireClaim {
    Holds(usize, String),
    Keeps(usize, usize),
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

/// The default of k.
fn one() -> u32 {
    1
}

/// The argument as JSON, with the hash of its program.
pub(super) fn write(certificate: &Certificate, program: &str) -> String {
    let system = &certificate.system;
    let numbers = |function: &Function, wanted: Change| {
        let all = function.changes.iter().filter(|(_, c)| *c == wanted);
        all.filter_map(|(e, _)| certificate.edges.iter().position(|known| known == e))
            .collect()
    };
    let wire = Wire {
        program: program.to_string(),
        property: certificate.name.clone(),
        run: certificate.run,
        of_negation: certificate.of_negation,
        unwind: certificate.unwind,
        rounds: certificate.rounds,
        variables: system.variables.iter().map(variable).collect(),
        heads: system.cuts.iter().map(cut).collect(),
        followed: system.followed.clone(),
        declarations: system.declarations.clone(),
        arrive: system.arrive.clone(),
        resume: system.resume.clone(),
        reads: system.reads.clone(),
        marks: system.marks.clone(),
        forbidden: system.forbidden.clone(),
        begin: system.begin.clone(),
        phases: system.phases.clone(),
        invariants: certificate
            .claims
            .iter()
            .map(|c| match &c.claim {
                Claim::Holds(text) => WireClaim::Holds(c.cut, text.clone()),
                Claim::Keeps(v) => WireClaim::Keeps(c.cut, *v),
            })
            .collect(),
        edges: certificate
            .edges
            .iter()
            .map(|e| (e.from, e.to, e.marks))
            .collect(),
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
    let text = serde_json::to_string(&wire).unwrap_or_default();
    text.replace("*/", "*\\/")
}

/// Reads the argument and the hash of its program.
pub(super) fn read(text: &str) -> Result<(Certificate, String), String> {
    let wire: Wire =
        serde_json::from_str(text).map_err(|e| format!("its argument cannot be read: {e}"))?;
    let edges: Vec<Edge> = wire
        .edges
        .iter()
        .map(|&(from, to, marks)| Edge { from, to, marks })
        .collect();
    let system = System {
        variables: wire.variables.iter().map(of_variable).collect(),
        cuts: wire.heads.iter().map(of_cut).collect(),
        followed: wire.followed,
        declarations: wire.declarations,
        arrive: wire.arrive,
        resume: wire.resume,
        definitions: Vec::new(),
        reads: wire.reads,
        marks: wire.marks,
        forbidden: wire.forbidden,
        begin: wire.begin,
        phases: wire.phases,
    };
    let (variables, cuts) = (system.variables.len(), system.cuts.len());
    let claims: Vec<Candidate> = wire
        .invariants
        .into_iter()
        .map(|claim| match claim {
            WireClaim::Holds(cut, text) => Candidate {
                cut,
                claim: Claim::Holds(text),
            },
            WireClaim::Keeps(cut, v) => Candidate {
                cut,
                claim: Claim::Keeps(v),
            },
        })
        .collect();
    let functions: Option<Vec<Function>> =
        wire.functions.iter().map(|f| function(f, &edges)).collect();
    let functions = functions.ok_or("its argument names edges that it does not have")?;
    let known = |v: &usize| *v < variables;
    let fits = claims
        .iter()
        .all(|c| c.cut < cuts && !matches!(&c.claim, Claim::Keeps(v) if !known(v)))
        && system
            .cuts
            .iter()
            .all(|c| c.visible.iter().chain(&c.hidden).all(known))
        && functions
            .iter()
            .all(|f| f.rank.variables().iter().all(known))
        && edges.iter().all(|e| e.from.0 < cuts && e.to.0 < cuts)
        && system.phases.len() == cuts;
    if !fits {
        return Err("its argument names what it does not have".into());
    }
    let certificate = Certificate {
        name: wire.property,
        run: wire.run,
        of_negation: wire.of_negation,
        unwind: wire.unwind,
        rounds: wire.rounds,
        system,
        claims,
        edges,
        functions,
    };
    Ok((certificate, wire.program))
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

fn variable(v: &Variable) -> WireVariable {
    WireVariable {
        lvalue: v.lvalue.clone(),
        name: v.name.clone(),
        kind: match v.kind {
            Kind::Truth => WireKind::Truth,
            Kind::Integer => WireKind::Integer,
            Kind::Real => WireKind::Real,
            Kind::Wide => WireKind::Wide,
            Kind::Pointer => WireKind::Pointer,
        },
        object: v.object,
        everywhere: v.everywhere,
        states: v.states,
        bits: v.bits,
        unsigned64: v.unsigned64,
        overflows: v.overflows,
        computed: v.computed,
    }
}

fn of_variable(v: &WireVariable) -> Variable {
    Variable {
        lvalue: v.lvalue.clone(),
        name: v.name.clone(),
        kind: match v.kind {
            WireKind::Truth => Kind::Truth,
            WireKind::Integer => Kind::Integer,
            WireKind::Real => Kind::Real,
            WireKind::Wide => Kind::Wide,
            WireKind::Pointer => Kind::Pointer,
        },
        object: v.object,
        everywhere: v.everywhere,
        states: v.states,
        bits: v.bits,
        unsigned64: v.unsigned64,
        overflows: v.overflows,
        computed: v.computed,
        bulk: false,
    }
}

fn cut(cut: &Cut) -> WireCut {
    WireCut {
        number: cut.number,
        visible: cut.visible.clone(),
        hidden: cut.hidden.clone(),
        inner: cut.inner.clone(),
    }
}

fn of_cut(cut: &WireCut) -> Cut {
    Cut {
        number: cut.number,
        visible: cut.visible.clone(),
        hidden: cut.hidden.clone(),
        inner: cut.inner.clone(),
    }
}
