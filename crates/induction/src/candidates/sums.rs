//! Candidates about sums of variables that the program seems to keep: their values, and relations to other
//! variables.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::{arrays, comparisons, constants, number};
use crate::hints::{self, Hints, Sum};
use crate::houdini::{Balance, Claim};
use crate::system::{Cut, Kind, System, Variable};

/// The most constants that are compared with one sum.
const CONSTANTS: usize = 12;
/// The most variables of a sum that is compared otherwise than for equality.
const BOUNDED: usize = 2;
/// The most variables that are compared with one sum.
const OTHERS: usize = 6;
/// The most flags that are counted.
const FLAGS: usize = 16;
/// The most constants that may stand for an element that does not count.
const NONE: usize = 2;
/// The most constants at which positions wrap around.
const MODULI: usize = 4;
/// The most candidates about positions that wrap around.
const AROUND: usize = 200;
/// The most candidates at one head.
const MOST: usize = 1200;

/// The candidates about sums at a head.
pub(super) fn sums(system: &System, hints: &Hints, cut: &Cut) -> Vec<Claim> {
    let plain = |v: &usize| {
        let variable = &system.variables[*v];
        let narrow = (1..=32).contains(&variable.bits);
        let integer = variable.kind == Kind::Integer && variable.states.is_none();
        variable.object.is_some() && integer && narrow && !variable.bulk
    };
    let seen: Vec<usize> = system.seen(cut).filter(plain).collect();
    let all = hints.kept.sums.iter();
    let all = all.flat_map(|sum| about(system, hints, &seen, sum));
    let counts = counts(system, hints, &seen);
    let around = around(system, hints, &seen);
    let around = around.into_iter().map(Claim::Holds);
    counts
        .into_iter()
        .chain(around)
        .chain(all)
        .take(MOST)
        .collect()
}

/// Differences of two positions in a ring and a number of elements: the number is how far one position is ahead of the other, or
/// how much is left, or one more or less while only some of them are up to date. Positions wrap around at a constant, where the
/// difference jumps.
fn around(system: &System, hints: &Hints, seen: &[usize]) -> Vec<String> {
    let name = |v: &usize| system.variables[*v].lvalue.as_str();
    let mut out = BTreeSet::new();
    for ring in super::arrays::indexed(system, hints, seen) {
        for a in &ring.positions {
            for b in ring.positions.iter().filter(|b| *b != a) {
                let numbers = ring.bounds.iter().filter(|n| *n != a && *n != b);
                let apart = format!("(unsigned){} - (unsigned){}", name(a), name(b));
                out.extend(numbers.flat_map(|n| fits(hints, &apart, name(n))));
            }
        }
    }
    out.into_iter().take(AROUND).collect()
}

/// That a difference of two positions fits a number of elements, or what is left beside so many.
fn fits(hints: &Hints, apart: &str, number: &str) -> Vec<String> {
    let mut out = Vec::new();
    for modulus in hints.kept.moduli.iter().take(MODULI) {
        for off in [0, 1, -1] {
            let by = format!("{apart} - (unsigned){number}");
            let wrapped = off - modulus;
            out.push(format!(
                "({by} == (unsigned)({off}) || {by} == (unsigned)({wrapped}))"
            ));
        }
        let left = format!("{apart} + (unsigned){number}");
        out.push(format!("({left} == 0u || {left} == {modulus}u)"));
    }
    out
}

/// That a variable counts the elements of an array, or of a member of its elements, that are 1 or that are 0, or of other elements
/// those that differ from a constant which stands for none, as in a table of keys.
fn counts(system: &System, hints: &Hints, seen: &[usize]) -> Vec<Claim> {
    let own = seen.iter().map(|&v| &system.variables[v]);
    let counters = own.filter(|v| !v.lvalue.contains('[') && hints.values(&v.name).is_none());
    let counters: Vec<&Variable> = counters.collect();
    let each = |all: &[usize], counted: &dyn Fn(&Variable) -> String| {
        let each = all.iter().map(|&v| counted(&system.variables[v]));
        each.collect::<Vec<_>>()
    };
    let equal = |x: &&Variable, terms: &[String]| {
        let set = x.lvalue.clone();
        let left = format!("{}u - (unsigned){set}", terms.len());
        [set, left].map(|total| {
            Claim::Sum(Balance {
                terms: terms.to_vec(),
                total,
            })
        })
    };
    let mut out = Vec::new();
    for all in flags(system, hints, seen) {
        let terms = each(&all, &|v| v.lvalue.clone());
        let counters = counters.iter().take(OTHERS);
        out.extend(counters.flat_map(|x| equal(x, &terms)));
    }
    let stepped = |x: &&&Variable| hints.kept.counted.contains(&x.name);
    let stepped: Vec<&Variable> = counters.iter().filter(stepped).copied().collect();
    for (all, none) in tables(system, hints, seen) {
        let differs = |v: &Variable| comparisons(v, none, &["!="]).concat();
        let terms = each(&all, &differs);
        if terms.iter().any(String::is_empty) {
            continue;
        }
        let counters = stepped.iter().take(OTHERS);
        out.extend(counters.flat_map(|x| equal(x, &terms)));
    }
    out
}

/// The arrays of other values, each with a constant that may stand for none.
fn tables(system: &System, hints: &Hints, seen: &[usize]) -> Vec<(Vec<usize>, i64)> {
    let own = |v: usize| hints.known(&system.variables[v].name);
    let compared =
        |v: &usize| hints.values(&system.variables[*v].name).is_none() && !own(*v).is_empty();
    let compared: Vec<usize> = seen.iter().copied().filter(compared).collect();
    let none = |all: Vec<usize>| {
        let mut known: Vec<i64> = own(*all.first()?).into_iter().collect();
        known.sort_by_key(|c| c.unsigned_abs());
        let known = known.into_iter().take(NONE);
        Some(known.map(|c| (all.clone(), c)).collect::<Vec<_>>())
    };
    arrays(system, &compared, FLAGS)
        .filter_map(none)
        .flatten()
        .collect()
}

/// The arrays whose elements, or a member of them, are only 0 or 1.
fn flags(system: &System, hints: &Hints, seen: &[usize]) -> Vec<Vec<usize>> {
    let is_flag = |v: &usize| {
        let values = hints.values(&system.variables[*v].name);
        values.is_some_and(|all| all.iter().all(|c| (0..=1).contains(c)))
    };
    let flags: Vec<usize> = seen.iter().copied().filter(is_flag).collect();
    arrays(system, &flags, FLAGS).collect()
}

/// The variables of each name of a sum, with their factors: all elements where the index is computed. A sum of members of what a
/// pointer designates is one of each structure that has them.
fn terms(system: &System, seen: &[usize], sum: &Sum) -> Vec<Vec<(usize, i64)>> {
    let named = |name: &str| {
        let mut of: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for &v in seen {
            if let Some(structure) = structure(&system.variables[v].name, name) {
                of.entry(structure).or_default().push(v);
            }
        }
        of
    };
    let all: Vec<_> = sum
        .iter()
        .map(|(name, factor)| (named(name), *factor))
        .collect();
    let structures = all.iter().flat_map(|(of, _)| of.keys().copied());
    let mut structures: BTreeSet<&str> = structures.filter(|s| !s.is_empty()).collect();
    if structures.is_empty() {
        structures.insert("");
    }
    let of_one = |structure: &&str| {
        let mut out = Vec::new();
        for (of, factor) in &all {
            let own = of.get(structure).or_else(|| of.get(""))?;
            out.extend(own.iter().map(|v| (*v, *factor)));
        }
        (out.len() <= FLAGS).then_some(out)
    };
    structures.iter().take(OTHERS).filter_map(of_one).collect()
}

/// The structure of which a variable is the member with this name; an empty one if the name does not begin with a pointer.
fn structure<'a>(variable: &'a str, name: &str) -> Option<&'a str> {
    let element = hints::element(variable);
    if variable == name || element == name {
        return Some("");
    }
    let member = name.strip_prefix("->")?;
    let is = |text: &str| {
        text.strip_suffix(member)
            .is_some_and(|before| before.ends_with('.'))
    };
    if !is(variable) && !is(&element) {
        return None;
    }
    let dots = member.matches('.').count();
    let (at, _) = variable.rmatch_indices('.').nth(dots)?;
    Some(&variable[..at])
}

/// The conditions about one sum; none if a variable of it is not seen.
fn about(system: &System, hints: &Hints, seen: &[usize], sum: &Sum) -> Vec<Claim> {
    let all = terms(system, seen, sum);
    let all = all.iter();
    all.flat_map(|terms| of_terms(system, hints, seen, (sum, terms)))
        .collect()
}

/// The conditions about the sum of these variables.
fn of_terms(
    system: &System,
    hints: &Hints,
    seen: &[usize],
    (sum, terms): (&Sum, &[(usize, i64)]),
) -> Vec<Claim> {
    let wide = || {
        let mut text = String::new();
        for (i, &(v, factor)) in terms.iter().enumerate() {
            text += match (i, factor < 0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            let _ = write!(text, "(long long){}", system.variables[v].lvalue);
        }
        text
    };
    // Equations are decided sooner in a narrow type, and a sum that the program keeps is kept there, too.
    let term = |&(v, factor): &(usize, i64)| {
        let name = &system.variables[v].lvalue;
        match factor < 0 {
            true => format!("0u - (unsigned){name}"),
            false => name.clone(),
        }
    };
    let narrow: Vec<String> = terms.iter().map(term).collect();
    let compared = |with: &str| {
        let equal = Claim::Sum(Balance {
            terms: narrow.clone(),
            total: with.to_string(),
        });
        let bound = |op| Claim::Holds(format!("{} {op} (long long){with}", wide()));
        let bounds = ["<=", ">="].map(bound);
        let short = terms.len() <= BOUNDED;
        std::iter::once(equal)
            .chain(bounds.into_iter().filter(move |_| short))
            .collect::<Vec<_>>()
    };
    let of_constants = totals(system, hints, terms).into_iter().map(number);
    let inside = |v: &usize| terms.iter().any(|(own, _)| own == v);
    let related = |v: &usize| {
        let name = &system.variables[*v].name;
        sum.iter().any(|(own, _)| hints.related(own, name))
    };
    let others = seen.iter().filter(|v| !inside(v) && related(v));
    let of_others = others
        .take(OTHERS)
        .map(|&v| system.variables[v].lvalue.clone());
    of_constants
        .chain(of_others)
        .flat_map(|c| compared(&c))
        .collect()
}

/// The values of a sum whose variables have constants of the program as values, or lists of them for arrays; the least ones.
fn totals(system: &System, hints: &Hints, terms: &[(usize, i64)]) -> Vec<i64> {
    let mut all = vec![0i64];
    let mut listed = BTreeSet::new();
    for (v, factor) in terms {
        let name = &system.variables[*v].name;
        let element = hints::element(name);
        let own = match hints.kept.totals.get(&element) {
            // The list is one of all elements.
            Some(_) if !listed.insert(element) => continue,
            Some(total) => BTreeSet::from([*total]),
            None => constants(hints, name).into_iter().collect(),
        };
        let with = |total: &i64| {
            let each = own
                .iter()
                .map(|c| total.saturating_add(c.saturating_mul(*factor)));
            each.collect::<Vec<_>>()
        };
        all = all.iter().flat_map(with).collect();
        all.sort_by_key(|c| (c.unsigned_abs(), *c));
        all.dedup();
        all.truncate(CONSTANTS * CONSTANTS);
    }
    all.truncate(CONSTANTS);
    all
}

#[cfg(test)]
mod tests {
    use super::structure;

    #[test]
    fn members_through_pointers_are_those_of_structures() {
        assert_eq!(structure("sold", "sold"), Some(""));
        assert_eq!(structure("stock[2]", "stock[]"), Some(""));
        assert_eq!(structure("m.stock[2]", "->stock[]"), Some("m"));
        assert_eq!(structure("all[1].m.sold", "->sold"), Some("all[1].m"));
        assert_eq!(structure("all[1].m.sold", "->m.sold"), Some("all[1]"));
        assert_eq!(structure("m.unsold", "->sold"), None);
        assert_eq!(structure("m.sold", "sold"), None);
    }
}
