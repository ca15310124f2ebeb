//! Recursive functions whose calls are summaries: the starts as heads, and what is remembered from there.

use induction::{Cut, Entry, Kind, Target, Variable};
use weave::heads::{Head, Heads, Judged, Recursive, Scalar};

use super::{width, SUMMARISED};

/// The most recursive functions whose calls are summaries. The text of each follows in that of each other one.
const MOST: usize = 5;

/// Checks that summaries can stand for the calls of all recursive functions.
///
/// # Errors
/// Why they cannot.
pub fn obstacle(heads: &Heads) -> Result<(), String> {
    let all = &heads.recursive;
    let found = all
        .iter()
        .find_map(|r| Some((r, r.entry.obstacle.as_ref()?)));
    match (found, all.first()) {
        (Some((function, why)), _) => Err(format!(
            "`{}` ({}) is recursive, and its effect cannot be described: {why}",
            function.name, function.place
        )),
        (None, Some(first)) if all.len() > MOST => Err(format!(
            "`{}` ({}) is one of {} recursive functions, and a proof follows at most {MOST}",
            first.name,
            first.place,
            all.len()
        )),
        _ => Ok(()),
    }
}

/// The heads that are cuts.
pub(super) fn cuts(heads: &Heads, depth: u32) -> impl Iterator<Item = &Head> {
    let entries = heads.recursive.iter().map(|r| &r.entry);
    let entries = entries.filter(move |_| depth == SUMMARISED);
    heads.heads.iter().chain(entries)
}

/// The definition of the macro that bounds a recursion.
pub(super) fn bound(function: &Recursive, depth: u32) -> String {
    let depth = match depth {
        SUMMARISED => "0x7fffffffu".to_string(),
        _ => depth.to_string(),
    };
    format!("#define {} {depth}\n", function.bound)
}

/// Adds the variables that tell whether a mark of an edge occurred since the start of a function. A function that returns may
/// have passed any number of heads.
pub(super) fn since(judged: &Judged, variables: &mut Vec<Variable>) -> Vec<(String, Vec<String>)> {
    let met = vec![judged.met.clone()];
    let mut out = Vec::new();
    for marks in [met, judged.turned.clone()] {
        let marks: Vec<String> = marks.into_iter().filter(|m| !m.is_empty()).collect();
        let name = format!("ba_since_{}", out.len());
        if marks.is_empty() {
            continue;
        }
        variables.push(Variable {
            lvalue: name.clone(),
            everywhere: true,
            ..plain(&name, Kind::Truth)
        });
        out.push((name, marks));
    }
    out
}

/// A variable of the prover.
fn plain(name: &str, kind: Kind) -> Variable {
    Variable {
        lvalue: name.to_string(),
        name: name.to_string(),
        bits: 0,
        overflows: false,
        bulk: false,
        unsigned64: false,
        kind,
        targets: Vec::new(),
        computed: false,
        object: None,
        everywhere: false,
        states: None,
    }
}

/// The declarations of these variables.
pub(super) fn declared(since: &[(String, Vec<String>)]) -> String {
    let all = since
        .iter()
        .map(|(name, _)| format!("static _Bool {name};\n"));
    all.collect()
}

/// The statements at heads that update these variables.
pub(super) fn arrive(since: &[(String, Vec<String>)]) -> String {
    let one = |(name, marks): &(String, Vec<String>)| {
        format!("{name} = {name} || {}; ", marks.join(" || "))
    };
    since.iter().map(one).collect()
}

/// Makes the last cuts the starts of the recursive functions.
pub(super) fn enter(
    heads: &Heads,
    variables: &[Variable],
    since: &[(String, Vec<String>)],
    cuts: &mut [Cut],
) {
    let first = heads.heads.len();
    for (number, function) in heads.recursive.iter().enumerate() {
        let site = cuts[first + number].number;
        let remembered = (0..variables.len()).filter(|&v| {
            let variable = &variables[v];
            let seen = variable.everywhere || cuts[first + number].visible.contains(&v);
            let known = matches!(variable.kind, Kind::Truth | Kind::Integer | Kind::Real);
            let object = |t: &Target| t.text == "0" || t.text.starts_with('&');
            let leads = !variable.targets.is_empty() && variable.targets.iter().all(object);
            let scalar = known || leads;
            let own = since.iter().any(|(name, _)| *name == variable.lvalue);
            seen && scalar && !variable.bulk && !variable.computed && !own
        });
        let result = function.result.map(|scalar| result(function, scalar, site));
        cuts[first + number].entry = Some(Entry {
            name: function.emitted.clone(),
            result,
            remembered: remembered.collect(),
            since: since.to_vec(),
        });
        for (cut, head) in cuts.iter_mut().zip(&heads.heads) {
            if head.function == function.name {
                cut.inside = Some(first + number);
            }
        }
    }
}

/// The variable with a function's result.
fn result(function: &Recursive, scalar: Scalar, site: usize) -> Variable {
    let kind = match scalar {
        Scalar::Truth => Kind::Truth,
        Scalar::Real => Kind::Real,
        Scalar::Integer(..) | Scalar::Pointer => Kind::Integer,
    };
    let (bits, overflows) = width(scalar);
    Variable {
        lvalue: format!("ba_result_{site}"),
        name: format!("{}()", function.name),
        bits,
        overflows,
        unsigned64: scalar == Scalar::Integer(64, false),
        ..plain("", kind)
    }
}
