//! Turns the weaver's description of a program's heads into the system of a proof.

use std::collections::{BTreeMap, BTreeSet};

use induction::{Cut, Kind, System, Target, Variable};
use weave::heads::{Head, Heads, Judged, Scalar, StatePart};

mod recursion;
pub use recursion::obstacle;

/// The bit of an edge on which the automaton visited an accepting state.
pub const MET: u8 = 1;
/// The bit of an edge on which a letter changed.
pub const TURNED: u8 = 2;
/// The bit of an edge at whose end the stuttering word violates the formula.
pub const REJECTED: u8 = 4;

/// The depths to which recursions are followed, one after the other; an assertion checks that none is deeper. A
/// function that calls itself twice has at most 31 activations at the first depth, and thousands at the second.
pub const DEPTHS: [u32; 2] = [5, 12];

/// The depth at which calls of recursive functions are not followed: summaries stand for them.
pub const SUMMARISED: u32 = 0;

/// The greatest number of automaton states by which a node is split into phases.
const PHASES: usize = 24;

/// Makes the system of one property.
///
/// # Errors
/// Why a proof cannot be searched.
pub fn system(
    heads: &Heads,
    judged: &Judged,
    text: &str,
    added: &[(String, usize)],
    depth: u32,
) -> Result<System, String> {
    followed(heads, depth)?;
    let (mut variables, visible) = variables(heads, added, depth);
    let since = match depth {
        SUMMARISED => recursion::since(judged, &mut variables),
        _ => Vec::new(),
    };
    let cuts = recursion::cuts(heads, depth).zip(visible);
    let cuts = cuts.map(|(head, visible)| cut(head, visible, &variables));
    let mut cuts = cuts.collect::<Result<Vec<Cut>, String>>()?;
    if depth == SUMMARISED {
        recursion::enter(heads, &variables, &since, &mut cuts);
    }
    let (phase, phases) = match &judged.run {
        Some((name, states)) if *states <= PHASES => (format!("(unsigned)({name})"), *states),
        _ => ("0u".to_string(), 1),
    };
    let evaluations = heads.evaluations.iter();
    let evaluations = evaluations.filter(|(_, f)| text.contains(&format!(" {f}(void)")));
    let forget = match judged.met.is_empty() {
        true => String::new(),
        false => format!("{} = 0; ", judged.met),
    };
    let statics = Statics::of(heads);
    let recursive = heads.recursive.iter();
    let bounds = recursive.map(|r| recursion::bound(r, depth));
    Ok(System {
        followed: Vec::new(),
        declarations: heads.declarations.clone()
            + &statics.declarations
            + &bounds.collect::<String>()
            + &recursion::declared(&since),
        arrive: statics.arrive + &recursion::arrive(&since),
        resume: statics.resume,
        variables,
        phases: vec![(phase, phases); cuts.len()],
        cuts,
        definitions: evaluations
            .map(|(v, f)| (v.clone(), format!("{f}()")))
            .collect(),
        reads: judged.reads.clone(),
        marks: marks(judged),
        forbidden: judged.certain.clone(),
        begin: format!("{}{forget}", heads.begin),
    })
}

/// The variables of a system, and for each head the numbers of those that it sees besides the
/// global ones.
fn variables(
    heads: &Heads,
    added: &[(String, usize)],
    depth: u32,
) -> (Vec<Variable>, Vec<Vec<usize>>) {
    let mut variables: Vec<Variable> = Vec::new();
    let mut numbers = BTreeMap::new();
    let mut add = |part: &StatePart, everywhere: bool| {
        let key = (part.number, part.lvalue.clone());
        *numbers.entry(key).or_insert_with(|| {
            variables.push(variable(part, everywhere, heads));
            variables.len() - 1
        })
    };
    for part in heads.statics.iter().chain(&heads.monitor.parts) {
        add(part, true);
    }
    for local in &heads.static_locals {
        for (n, leaf) in local.variables() {
            let part = StatePart {
                lvalue: format!("ba_static_{n}"),
                object: local.name.clone(),
                number: None,
                scalar: leaf.scalar,
                targets: Vec::new(),
            };
            add(&part, true);
        }
    }
    for (name, _) in added {
        let part = StatePart {
            lvalue: name.clone(),
            object: name.clone(),
            number: None,
            scalar: Scalar::Integer(32, false),
            targets: Vec::new(),
        };
        add(&part, true);
    }
    let visible: Vec<Vec<usize>> = recursion::cuts(heads, depth)
        .map(|h| h.locals.iter().map(|p| add(p, false)).collect())
        .collect();
    for local in &heads.static_locals {
        for (n, leaf) in local.variables() {
            let own = format!("ba_static_{n}");
            let variable = variables.iter_mut().find(|v| v.lvalue == own);
            if let Some(variable) = variable {
                variable.name = format!("{}{}", local.name, leaf.way);
                (variable.bits, variable.overflows) = width(leaf.scalar);
                variable.bulk = local.leaves.len() > ELEMENTS;
            }
        }
    }
    for variable in &mut variables {
        let counts = added.iter().find(|(name, _)| *name == variable.lvalue);
        variable.states = variable.states.or(counts.map(|(_, n)| *n));
    }
    mark_bulk(&mut variables, &heads.own.filled);
    (variables, visible)
}

/// The conditions of the bits of an edge, in order: [`MET`], [`TURNED`], [`REJECTED`].
fn marks(judged: &Judged) -> Vec<String> {
    let or_never = |condition: String| match condition.is_empty() {
        true => "0".to_string(),
        false => condition,
    };
    vec![
        or_never(judged.met.clone()),
        or_never(judged.turned.join(" || ")),
        judged.stuttering.clone(),
    ]
}

/// Checks that the program's heads are all heads of loops, and that their states can be described.
fn followed(heads: &Heads, depth: u32) -> Result<(), String> {
    if let Some(obstacle) = heads.obstacles.first() {
        return Err(obstacle.clone());
    }
    if depth == SUMMARISED {
        recursion::obstacle(heads)?;
    }
    let mut obstacles = heads
        .heads
        .iter()
        .filter_map(|h| Some((h, h.obstacle.as_ref()?)));
    match obstacles.next() {
        Some((head, why)) => Err(format!(
            "the state of a loop of `{}` cannot be described: {why}",
            head.function
        )),
        None => Ok(()),
    }
}

/// The text by which variables of the prover stand for static locals.
#[derive(Default)]
struct Statics {
    declarations: String,
    arrive: String,
    resume: String,
}

impl Statics {
    fn of(heads: &Heads) -> Statics {
        let mut out = Statics::default();
        for local in &heads.static_locals {
            let mut passed = String::new();
            for (n, leaf) in local.variables() {
                let (ty, way) = (leaf.scalar.integer_type(), &leaf.way);
                out.declarations += &format!(
                    "static {ty} ba_static_{n} = {}LL, *ba_known_{n};\n",
                    leaf.initial
                );
                // A run may reach the declaration for the first time after a head that has forgotten
                // the value.
                passed += &format!("if (!ba_known_{n}) {{ ba_name{way} = ba_static_{n}; }} ba_known_{n} = ({ty} *)&ba_name{way}; ");
                out.arrive += &format!("if (ba_known_{n}) ba_static_{n} = *ba_known_{n}; ");
                out.resume += &format!("if (ba_known_{n}) *ba_known_{n} = ba_static_{n}; ");
            }
            let macro_ = format!("#define BA_STATIC_{}(ba_name)", local.number);
            out.declarations += &format!("{macro_} {{ {passed}}}\n");
        }
        out
    }
}

/// Candidates ignore objects with more elements than this.
const ELEMENTS: usize = 64;

/// Candidates ignore objects filled from outside with more elements than this: any bytes are there.
const BYTES: usize = 8;

fn mark_bulk(variables: &mut [Variable], filled: &BTreeSet<usize>) {
    let mut counts = BTreeMap::new();
    for variable in variables.iter() {
        *counts.entry(variable.object).or_insert(0) += 1;
    }
    for variable in variables.iter_mut() {
        let most = match variable.object.is_some_and(|o| filled.contains(&o)) {
            true => BYTES,
            false => ELEMENTS,
        };
        let many = counts[&variable.object] > most;
        variable.bulk = variable.object.is_some() && many;
    }
    // The last byte of a line ends the string, wherever else it may end.
    for object in filled {
        let mut own = variables.iter_mut().rev();
        let last = own.find(|v| v.object == Some(*object));
        last.into_iter().for_each(|v| v.bulk = false);
    }
}

/// The width of an integer of the program in bits, and whether its overflow is undefined.
fn width(scalar: Scalar) -> (u32, bool) {
    match scalar {
        Scalar::Integer(bits, signed) => (bits, signed && (32..=64).contains(&bits)),
        _ => (0, false),
    }
}

fn variable(part: &StatePart, everywhere: bool, heads: &Heads) -> Variable {
    let automaton = heads
        .monitor
        .automata
        .iter()
        .find(|(name, _)| *name == part.lvalue);
    let (bits, overflows) = match part.number {
        Some(_) => width(part.scalar),
        None => (0, false),
    };
    Variable {
        lvalue: part.lvalue.clone(),
        name: part.lvalue.clone(),
        bits,
        overflows,
        bulk: false,
        computed: false,
        unsigned64: part.scalar == Scalar::Integer(64, false),
        kind: match part.scalar {
            Scalar::Truth => Kind::Truth,
            Scalar::Integer(bits, _) if bits <= 64 => Kind::Integer,
            Scalar::Integer(..) => Kind::Wide,
            Scalar::Real => Kind::Real,
            Scalar::Pointer => Kind::Pointer,
        },
        object: part.number,
        targets: part.targets.iter().map(target).collect(),
        everywhere,
        states: automaton
            .map(|(_, states)| *states)
            .filter(|s| *s <= PHASES),
    }
}

fn target(of: &weave::heads::Target) -> Target {
    Target {
        text: of.text.clone(),
        object: of.object,
        more: of.more,
        local: of.local,
    }
}

/// Describes a head.
///
/// # Errors
/// A pointer of static storage has no name there, so that nothing can assert that it keeps its value.
fn cut(head: &Head, visible: Vec<usize>, variables: &[Variable]) -> Result<Cut, String> {
    let hidden = |v: &Variable| v.everywhere && v.object.is_some_and(|o| head.hidden.contains(&o));
    let all = variables.iter().enumerate();
    let mut pointers = variables.iter().filter(|v| v.kind == Kind::Pointer);
    if let Some(pointer) = pointers.find(|v| hidden(v)) {
        return Err(format!(
            "the pointer `{}` counts, and another declaration hides it in a loop of `{}`",
            pointer.name, head.function
        ));
    }
    Ok(Cut {
        number: head.site,
        visible,
        hidden: all.filter(|(_, v)| hidden(v)).map(|(i, _)| i).collect(),
        inner: head.inner.clone(),
        unnamed: head.hidden.clone(),
        entry: None,
        inside: None,
    })
}
