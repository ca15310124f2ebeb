//! Candidates about the elements of arrays that count: those below a number, as in a list or a stack, and those of a ring
//! between two positions, or from a position on. What the other elements hold is stale, and nothing need hold of it.
//!
//! The elements of an array are single variables, so that "all elements below `n`" is a claim for each element.

use std::collections::BTreeSet;

use super::{arrays, comparisons, constants, implies};
use crate::hints::{self, Hints};
use crate::houdini::{Balance, Claim, Houdini};
use crate::rank::number;
use crate::system::{Cut, Kind, System, Variable};

/// The most elements of such an array.
const ELEMENTS: usize = 16;
/// The most variables of the indices of an array.
const POSITIONS: usize = 3;
/// The most variables that may say how many elements count.
const BOUNDS: usize = 4;
/// The most constants with which an element is compared.
const CONSTANTS: usize = 6;
/// The most constants that all elements of an array may have begun with.
const ALIKE: usize = 2;
/// The most variables that may be a sum of elements.
const TOTALS: usize = 4;
/// The most values of a member that tells of which elements another member is summed.
const STATES: usize = 4;
/// The most elements and flags of which every pair is related.
const PAIRS: usize = 64;
/// The most candidates at one head.
const MOST: usize = 1200;

/// An array with the variables that may say which of its elements count.
pub(super) struct Indexed {
    /// The variables of its elements, in their order.
    elements: Vec<usize>,
    /// The variables of its indices.
    pub(super) positions: Vec<usize>,
    /// Those, and variables that are compared with them.
    pub(super) bounds: Vec<usize>,
}

impl Indexed {
    /// The number of its elements.
    pub(super) fn len(&self) -> usize {
        self.elements.len()
    }
}

/// Which elements count.
enum Part {
    /// All.
    All,
    /// Those below a number.
    Below(String),
    /// In a ring of so many elements, those from a position on, as many as a number says.
    From(usize, String, String),
    /// In a ring, those from one position to before another one.
    Between(String, String),
}

impl Part {
    /// The condition that the element with this index counts.
    fn has(&self, index: usize) -> String {
        match self {
            Part::All => "1".to_string(),
            Part::Below(number) => format!("{number} > {index}"),
            Part::From(length, from, number) => {
                let behind = index + length;
                format!("((unsigned)({from} <= {index} ? {index} - {from} : {behind} - {from}) < (unsigned){number})")
            }
            Part::Between(from, to) => format!(
                "({from} <= {to} ? {from} <= {index} && {to} > {index} : {from} <= {index} || {to} > {index})"
            ),
        }
    }
}

/// The arrays of few integers that computed indices lead to.
pub(super) fn indexed(system: &System, hints: &Hints, seen: &[usize]) -> Vec<Indexed> {
    let integer = |v: &usize| {
        let variable = &system.variables[*v];
        let plain = variable.states.is_none() && !variable.bulk && variable.bits > 0;
        plain && variable.kind == Kind::Integer && variable.object.is_some()
    };
    let seen: Vec<usize> = seen.iter().copied().filter(integer).collect();
    let is_element = |v: &usize| system.variables[*v].lvalue.contains('[');
    let (elements, scalars): (Vec<usize>, Vec<usize>) = seen.into_iter().partition(is_element);
    let of = |elements: Vec<usize>| {
        let indices = hints.indices(&system.variables[*elements.first()?].name);
        let mut in_order = elements.iter().enumerate();
        let whole = |(i, v): (usize, &usize)| index(&system.variables[*v]) == Some(i);
        if !in_order.all(whole) {
            return None;
        }
        let is_index = |v: &usize| {
            let names = hints::names(&system.variables[*v].name);
            names.iter().any(|name| indices.contains(name))
        };
        let mut positions: Vec<usize> = scalars.iter().copied().filter(is_index).collect();
        let related = |v: &usize| {
            let name = &system.variables[*v].name;
            indices.iter().any(|index| hints.related(index, name))
        };
        let others = scalars
            .iter()
            .copied()
            .filter(|v| related(v) && !is_index(v));
        let counted = |v: &usize| {
            let names = hints::names(&system.variables[*v].name);
            names.iter().any(|name| hints.kept.counted.contains(name))
        };
        let counters = scalars.iter().copied().filter(counted);
        let mut bounds = positions.clone();
        for v in others.chain(counters) {
            if !bounds.contains(&v) {
                bounds.push(v);
            }
        }
        positions.truncate(POSITIONS);
        bounds.truncate(BOUNDS);
        Some(Indexed {
            elements,
            positions,
            bounds,
        })
    };
    arrays(system, &elements, ELEMENTS).filter_map(of).collect()
}

/// The index of a variable that is an element.
fn index(variable: &Variable) -> Option<usize> {
    let (_, rest) = variable.lvalue.split_once('[')?;
    let (index, rest) = rest.split_once(']')?;
    index.parse().ok().filter(|_| !rest.contains('['))
}

/// The candidates at a head; what holds of every element is left out.
pub(super) fn elements(
    system: &System,
    hints: &Hints,
    left: &Houdini,
    (number, cut): (usize, &Cut),
) -> Vec<Claim> {
    let counts = |v: &usize| !system.variables[*v].bulk;
    let seen: Vec<usize> = system.seen(cut).filter(counts).collect();
    let all = indexed(system, hints, &seen);
    let mut out = Vec::new();
    for array in &all {
        out.extend(in_states(system, hints, &seen, (array, &all)));
        let parts = parts(system, array);
        out.extend(sums(system, hints, &seen, array, &parts));
        for part in &parts {
            out.extend(related(system, array, part).into_iter().map(Claim::Holds));
            let flags = all.iter().filter(|other| other.elements != array.elements);
            let listed = flags.flat_map(|flags| listed(system, hints, array, part, flags));
            out.extend(listed.map(Claim::Holds));
        }
    }
    for array in &all {
        for part in &parts(system, array) {
            let open = |atom: &String| !left.holds(number, atom);
            for (i, &v) in array.elements.iter().enumerate() {
                let own = bounds(hints, &system.variables[v]).into_iter().filter(open);
                out.extend(own.map(|atom| Claim::Holds(implies(&part.has(i), &atom))));
            }
        }
    }
    let mut known = BTreeSet::new();
    out.retain(|claim: &Claim| known.insert(claim.clone()));
    out.truncate(MOST);
    out
}

/// The parts of an array that may count.
fn parts(system: &System, array: &Indexed) -> Vec<Part> {
    let name = |v: &usize| system.variables[*v].lvalue.clone();
    let mut out: Vec<Part> = array.bounds.iter().map(|v| Part::Below(name(v))).collect();
    for from in &array.positions {
        let others = array.bounds.iter().filter(|v| *v != from);
        for to in others {
            out.push(Part::From(array.len(), name(from), name(to)));
            if array.positions.contains(to) {
                out.push(Part::Between(name(from), name(to)));
            }
        }
    }
    out
}

/// Comparisons of an element with constants.
fn bounds(hints: &Hints, element: &Variable) -> Vec<String> {
    let all = constants(hints, &element.name);
    let each = all.into_iter().take(CONSTANTS);
    each.flat_map(|c| comparisons(element, c, &["<=", ">=", "!="]))
        .collect()
}

/// That the elements below a number are in order, and that no two of them are equal.
fn related(system: &System, array: &Indexed, part: &Part) -> Vec<String> {
    if !matches!(part, Part::Below(_)) {
        return Vec::new();
    }
    let name = |i: usize| &system.variables[array.elements[i]].lvalue;
    let mut out = Vec::new();
    for j in 1..array.len() {
        let ordered = format!("{} <= {}", name(j - 1), name(j));
        out.push(implies(&part.has(j), &ordered));
        if array.len() * array.len() <= PAIRS {
            let differ = |i| implies(&part.has(j), &format!("{} != {}", name(i), name(j)));
            out.extend((0..j).map(differ));
        }
    }
    out
}

/// That flags tell what the elements that count are: a flag is set if some element is its index, and only then.
fn listed(
    system: &System,
    hints: &Hints,
    array: &Indexed,
    part: &Part,
    flags: &Indexed,
) -> Vec<String> {
    let is_flag = |v: &usize| {
        let values = hints.values(&system.variables[*v].name);
        values.is_some_and(|all| all.iter().all(|c| (0..=1).contains(c)))
    };
    if array.len() * flags.len() > PAIRS || !flags.elements.iter().all(is_flag) {
        return Vec::new();
    }
    let name = |v: &usize| &system.variables[*v].lvalue;
    let mut out = Vec::new();
    for (k, flag) in flags.elements.iter().enumerate() {
        let each = array.elements.iter().enumerate();
        let found = each.map(|(i, e)| format!("{} && {} == {k}", part.has(i), name(e)));
        let found: Vec<String> = found.collect();
        let found = found.join(" || ");
        out.push(format!("(!{} || {found})", name(flag)));
        out.push(format!("({} || !({found}))", name(flag)));
    }
    out
}

/// That the sum of the elements of an array between which amounts move stays what it was at first, by the list that initialises
/// them or if all have begun with one constant of the program, and that no element is greater, as is so if none is negative.
pub(super) fn totals(system: &System, hints: &Hints, seen: &[usize]) -> Vec<Claim> {
    let is_moved = |v: &usize| {
        let names = hints::names(&system.variables[*v].name);
        let moved = |name: &String| hints.kept.accumulated.contains(name);
        index(&system.variables[*v]).is_some() && names.iter().any(moved)
    };
    let moved: Vec<usize> = seen.iter().copied().filter(is_moved).collect();
    let mut out = Vec::new();
    for elements in arrays(system, &moved, ELEMENTS) {
        let first = &system.variables[elements[0]];
        let listed = listed_total(system, hints, elements[0]);
        let length = i64::try_from(elements.len()).unwrap_or(i64::MAX);
        let alike = constants(hints, &first.name).into_iter();
        let alike = alike.filter(|c| *c > 0).take(ALIKE);
        let alike = alike.map(|c| c.saturating_mul(length));
        let all: BTreeSet<i64> = listed.into_iter().chain(alike).collect();
        for total in all {
            out.extend(keeping(system, &elements, total));
        }
    }
    out
}

/// The sum that the elements of an array have at first, by the list that initialises them.
fn listed_total(system: &System, hints: &Hints, element: usize) -> Option<i64> {
    let element = hints::element(&system.variables[element].name);
    hints.kept.totals.get(&element).copied()
}

/// That the sum of these variables is a constant, and that each lies between 0 and it.
fn keeping(system: &System, parts: &[usize], total: i64) -> Vec<Claim> {
    let each = parts.iter().map(|v| &system.variables[*v]);
    let mut out = vec![Claim::Sum(Balance {
        terms: each.clone().map(|v| v.lvalue.clone()).collect(),
        total: number(total),
    })];
    for part in each {
        let most = comparisons(part, total, &["<="]);
        let least = comparisons(part, 0, &[">="]);
        out.extend(most.into_iter().chain(least).map(Claim::Holds));
    }
    out
}

/// The arrays of another member of the same elements that has few values, with these values.
fn states<'a>(
    system: &System,
    hints: &Hints,
    (array, all): (&Indexed, &'a [Indexed]),
) -> Vec<(&'a Indexed, Vec<i64>)> {
    let element = |v: usize| {
        let variable = &system.variables[v];
        let before = variable.lvalue.split_once(']').map(|(before, _)| before);
        (variable.object, before.map(str::to_string))
    };
    let same = |other: &Indexed| {
        let each = other.elements.iter().zip(&array.elements);
        other.len() == array.len()
            && each
                .clone()
                .all(|(a, b)| a != b && element(*a) == element(*b))
    };
    let values = |other: &'a Indexed| {
        let values = hints.values(&system.variables[*other.elements.first()?].name)?;
        let few = (2..=STATES).contains(&values.len());
        few.then(|| (other, values.into_iter().collect()))
    };
    all.iter()
        .filter(|other| same(other))
        .filter_map(values)
        .collect()
}

/// That a variable is the sum of a member over those elements another member of which has some of its few values: what was reserved
/// by the orders that are open.
fn in_states(
    system: &System,
    hints: &Hints,
    seen: &[usize],
    (array, all): (&Indexed, &[Indexed]),
) -> Vec<Claim> {
    let name = |v: usize| &system.variables[v].lvalue;
    let accumulated = |v: &&usize| {
        let names = hints::names(&system.variables[**v].name);
        let scalar = !name(**v).contains('[') && (1..=32).contains(&system.variables[**v].bits);
        scalar && names.iter().any(|n| hints.kept.accumulated.contains(n))
    };
    let totals: Vec<&String> = seen
        .iter()
        .filter(accumulated)
        .take(TOTALS)
        .map(|v| name(*v))
        .collect();
    let mut out = Vec::new();
    for (states, values) in states(system, hints, (array, all)) {
        // In all states the elements count, and in none of them nothing does.
        for set in 1..(1u32 << values.len()) - 1 {
            let chosen = values.iter().enumerate().filter(|(n, _)| set >> n & 1 == 1);
            let chosen: Vec<i64> = chosen.map(|(_, value)| *value).collect();
            let term = |(element, state): (&usize, &usize)| {
                let equal = chosen
                    .iter()
                    .map(|c| format!("{} == {}", name(*state), number(*c)));
                let equal: Vec<String> = equal.collect();
                format!(
                    "({}) ? (unsigned){} : 0u",
                    equal.join(" || "),
                    name(*element)
                )
            };
            let terms: Vec<String> = array
                .elements
                .iter()
                .zip(&states.elements)
                .map(term)
                .collect();
            out.extend(totals.iter().map(|total| {
                Claim::Sum(Balance {
                    terms: terms.clone(),
                    total: total.to_string(),
                })
            }));
        }
    }
    out
}

/// That a variable is the sum of the elements that count.
fn sums(
    system: &System,
    hints: &Hints,
    seen: &[usize],
    array: &Indexed,
    parts: &[Part],
) -> Vec<Claim> {
    let narrow = |v: &usize| (1..=32).contains(&system.variables[*v].bits);
    let integer = |v: &usize| (1..=64).contains(&system.variables[*v].bits);
    if !array.elements.iter().all(integer) {
        return Vec::new();
    }
    let terms = |part: &Part| -> Vec<String> {
        let each = array.elements.iter().enumerate();
        let each = each.map(|(i, v)| {
            let element = &system.variables[*v].lvalue;
            match part {
                Part::All => element.clone(),
                part => format!("{} ? (unsigned){element} : 0u", part.has(i)),
            }
        });
        each.collect()
    };
    let mut out = Vec::new();
    let kept = &hints.kept;
    let changes = |v: usize, by: &BTreeSet<String>| {
        let names = hints::names(&system.variables[v].name);
        names.iter().any(|name| by.contains(name))
    };
    // Elements that are stepped by constants may be counted together, as votes are.
    let first = array.elements.first().copied();
    let stepped = first.is_some_and(|v| changes(v, &kept.counted));
    let moved = stepped || first.is_some_and(|v| changes(v, &kept.accumulated));
    let accumulates = |v: &&usize| {
        let variable = &system.variables[**v];
        let scalar = variable.object.is_some() && !variable.lvalue.contains('[');
        let changed = changes(**v, &kept.accumulated) || stepped && changes(**v, &kept.counted);
        scalar && integer(v) && changed
    };
    for &v in seen.iter().filter(accumulates).take(TOTALS) {
        let total = &system.variables[v].lvalue;
        // The sum is one of 32 bits, and all of the total if that is no greater.
        if !narrow(&v) {
            let most = comparisons(&system.variables[v], i64::from(i32::MAX), &["<="]);
            let least = comparisons(&system.variables[v], 0, &[">="]);
            out.extend(most.into_iter().chain(least).map(Claim::Holds));
        }
        for part in std::iter::once(&Part::All).chain(parts) {
            out.push(Claim::Sum(Balance {
                terms: terms(part),
                total: total.clone(),
            }));
        }
        // It may also be what the elements have lost: what was sold of a stock.
        let listed = first.and_then(|e| listed_total(system, hints, e));
        if let Some(all) = listed.filter(|all| moved && *all > 0) {
            let parts: Vec<usize> = array.elements.iter().copied().chain([v]).collect();
            out.extend(keeping(system, &parts, all));
        }
        // Where none is negative, none is greater than their sum.
        if moved {
            for element in array.elements.iter().map(|e| &system.variables[*e]) {
                let own = &element.lvalue;
                let most = format!("(long long){own} <= (long long){total}");
                let least = comparisons(element, 0, &[">="]);
                out.extend([most].into_iter().chain(least).map(Claim::Holds));
            }
            let bounds = bounds(hints, &system.variables[v]);
            out.extend(bounds.into_iter().map(Claim::Holds));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_elements_that_count_are_told_by_their_index() {
        let name = |name: &str| name.to_string();
        assert_eq!(Part::Below(name("n")).has(2), "n > 2");
        let from = Part::From(4, name("head"), name("used"));
        assert_eq!(
            from.has(1),
            "((unsigned)(head <= 1 ? 1 - head : 5 - head) < (unsigned)used)"
        );
        let between = Part::Between(name("head"), name("tail"));
        assert_eq!(
            between.has(0),
            "(head <= tail ? head <= 0 && tail > 0 : head <= 0 || tail > 0)"
        );
    }
}
