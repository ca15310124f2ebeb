//! What holds at a place of a program whose places are the values of a variable: the program counters of a step form, or a state machine
//! with many states. As in "at this place the buffer is not empty", "whoever is here has the lock" (Manna and Pnueli 1995).

use super::{comparisons, constants, few, implies, number, GUARDS};
use crate::hints::Hints;
use crate::houdini::Claim;
use crate::system::{Cut, Kind, System, Variable};

/// The most places of one variable.
const PLACES: usize = 64;
/// The most candidates at one head.
const MOST: usize = 1600;
/// The most constants that a variable with many values is compared with.
const CONSTANTS: usize = 3;

/// Conditions on other variables at each place, those first that are about variables with few values.
pub(super) fn placed(system: &System, hints: &Hints, cut: &Cut) -> Vec<Claim> {
    let seen = || {
        system
            .seen(cut)
            .map(|v| &system.variables[v])
            .filter(|v| !v.bulk)
    };
    let guards: Vec<(&str, i64)> = seen()
        .filter_map(|v| Some((v, places(hints, v)?)))
        .flat_map(|(v, places)| places.into_iter().map(|place| (v.lvalue.as_str(), place)))
        .collect();
    if guards.is_empty() {
        return Vec::new();
    }
    let others = || seen().filter(|v| places(hints, v).is_none() && !v.computed);
    let exact = others().flat_map(|v| values(hints, v));
    let bounds = others().flat_map(|v| bounds(hints, v));
    let conditions: Vec<String> = exact.chain(bounds).take(MOST / guards.len()).collect();
    let of = |(at, place): &(&str, i64)| {
        let guard = format!("{at} == {}", number(*place));
        let claim = |condition: &String| Claim::Holds(implies(&guard, condition));
        conditions.iter().map(claim).collect::<Vec<_>>()
    };
    guards.iter().flat_map(of).collect()
}

/// The values of a variable that are places.
fn places(hints: &Hints, variable: &Variable) -> Option<Vec<i64>> {
    let plain = variable.kind == Kind::Integer && variable.states.is_none() && !variable.computed;
    let values = plain.then(|| hints.all_values(&variable.name))??;
    (GUARDS + 1..=PLACES)
        .contains(&values.len())
        .then(|| values.into_iter().collect())
}

/// That a variable with few values has one of them, or has not.
fn values(hints: &Hints, variable: &Variable) -> Vec<String> {
    let name = &variable.lvalue;
    match variable.kind {
        Kind::Truth => vec![name.clone(), format!("!{name}")],
        _ => few(hints, variable)
            .iter()
            .flat_map(|value| ["==", "!="].map(|op| format!("{name} {op} {value}")))
            .collect(),
    }
}

/// Bounds of a variable of the program that has many values.
fn bounds(hints: &Hints, variable: &Variable) -> Vec<String> {
    let plain = variable.kind == Kind::Integer && variable.states.is_none();
    if !plain || !few(hints, variable).is_empty() || !variable.is_of_program() {
        return Vec::new();
    }
    let all = constants(hints, &variable.name).into_iter().take(CONSTANTS);
    all.flat_map(|c| comparisons(variable, c, &["==", "<=", ">="]))
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use cfront::{Source, Unit};

    use super::*;

    /// The candidates at the head of a program with integers of 32 bits.
    fn candidates(program: &str, names: &[&str]) -> Vec<String> {
        let source = Source::from_bytes(program.as_bytes().to_vec());
        let unit = Unit::parse(source).unwrap();
        let hints = crate::hints::collect(&unit, unit.tree.exprs.iter().count());
        let variable = |(object, name): (usize, &&str)| Variable {
            lvalue: name.to_string(),
            name: name.to_string(),
            bits: 32,
            overflows: true,
            bulk: false,
            unsigned64: false,
            kind: Kind::Integer,
            targets: Vec::new(),
            computed: false,
            object: Some(object),
            everywhere: true,
            states: None,
        };
        let system = System {
            variables: names.iter().enumerate().map(variable).collect(),
            ..System::default()
        };
        let cut = Cut::plain(0);
        let claims = placed(&system, &hints, &cut);
        let condition = |c: &Claim| c.condition().unwrap().into_owned();
        claims.iter().map(condition).collect()
    }

    #[test]
    fn what_holds_at_a_place_is_a_candidate() {
        let program = |places: usize| {
            let moves: String = (1..places)
                .map(|p| format!("case {}: at = {p}; break;\n", p - 1))
                .collect();
            format!(
                "int in(void); int at, owner, n;\nint main(void) {{ for (;;) {{ n = in(); owner = n > 5 ? 1 : 2;\nswitch (at) {{ {moves} default: at = 0; }} }} }}\n"
            )
        };
        let names = ["at", "owner", "n"];
        let found = candidates(&program(GUARDS + 4), &names);
        for wanted in [
            "(!(at == 11) || (owner == 2))",
            "(!(at == 11) || (owner != 0))",
            "(!(at == 3) || (n >= 5))",
        ] {
            assert!(found.iter().any(|c| c == wanted), "{wanted}: {found:#?}");
        }
        assert!(found.len() <= MOST);
        // Fewer values guard at other stages, and more are no places.
        assert_eq!(candidates(&program(GUARDS), &names), Vec::<String>::new());
        let many = candidates(&program(PLACES + 1), &names);
        assert_eq!(many, Vec::<String>::new());
    }
}
