//! The distinguishable values of an object: each constant that it is compared with, and the values between
//! them.
//!
//! Two rules keep this correct for every type of the object. The usual arithmetic conversions turn -1 into the
//! largest value of an unsigned type, so comparisons that order an object with both negative and other
//! constants are ignored. And a floating-point object may be NaN, which is unequal to everything and in no
//! order.

use super::expression::Relation;
use super::Known;
use crate::guard::Guard;
use std::collections::{BTreeMap, BTreeSet};

/// The most combinations of values that are analysed.
const MAX_COMBINATIONS: usize = 20_000;

/// Drops conditions with comparisons whose outcome depends on the signedness of the object.
pub(super) fn drop_ambiguous(known: &mut Vec<Known>) {
    let mut ordered: BTreeSet<String> = BTreeSet::new();
    let mut negative: BTreeSet<String> = BTreeSet::new();
    let mut other: BTreeSet<String> = BTreeSet::new();
    for condition in known.iter() {
        condition
            .expression
            .comparisons(&mut |object, relation, value| {
                if relation.is_order() {
                    ordered.insert(object.to_owned());
                }
                let signs = if value < 0 { &mut negative } else { &mut other };
                signs.insert(object.to_owned());
            });
    }
    known.retain(|condition| {
        condition
            .objects
            .iter()
            .all(|o| !(ordered.contains(o) && negative.contains(o) && other.contains(o)))
    });
}

/// A value of an object, or several values that no comparison distinguishes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Region {
    /// The constant itself.
    Is(i64),
    /// All values between this constant, or minus infinity, and the next higher constant.
    Above(Option<i64>),
    NotANumber,
}

impl Region {
    fn holds(self, relation: Relation, value: i64) -> bool {
        let order = match self {
            Region::NotANumber => return relation == Relation::Unequal,
            Region::Is(this) => this.cmp(&value),
            Region::Above(Some(low)) if low >= value => std::cmp::Ordering::Greater,
            Region::Above(_) => std::cmp::Ordering::Less,
        };
        match relation {
            Relation::Equal => order.is_eq(),
            Relation::Unequal => order.is_ne(),
            Relation::Less => order.is_lt(),
            Relation::LessEqual => order.is_le(),
            Relation::Greater => order.is_gt(),
            Relation::GreaterEqual => order.is_ge(),
        }
    }
}

/// The regions that the constants divide the values into.
fn regions(constants: &BTreeSet<i64>, integer: bool) -> Vec<Region> {
    let mut regions = vec![Region::Above(None)];
    for &constant in constants {
        regions.push(Region::Is(constant));
        if !(integer && constants.contains(&(constant + 1))) {
            regions.push(Region::Above(Some(constant)));
        }
    }
    if !integer {
        regions.push(Region::NotANumber);
    }
    regions
}

/// The letters in which the conditions have values that are possible together; `None` if there are too many
/// combinations.
pub(super) fn possible(members: &[&Known], is_integer: &dyn Fn(&str) -> bool) -> Option<Guard> {
    let mut constants: BTreeMap<&str, BTreeSet<i64>> = BTreeMap::new();
    for condition in members {
        for object in &condition.objects {
            constants.entry(object).or_default();
        }
        condition.expression.comparisons(&mut |object, _, value| {
            if let Some(set) = constants.get_mut(object) {
                set.insert(value);
            }
        });
    }
    let choices: Vec<(&str, Vec<Region>)> = constants
        .into_iter()
        .map(|(object, set)| (object, regions(&set, is_integer(object))))
        .collect();
    let combinations = choices
        .iter()
        .try_fold(1usize, |n, (_, regions)| n.checked_mul(regions.len()))?;
    if combinations > MAX_COMBINATIONS {
        return None;
    }
    let mut valuations: BTreeSet<Vec<bool>> = BTreeSet::new();
    for mut number in 0..combinations {
        let mut values: BTreeMap<&str, Region> = BTreeMap::new();
        for (object, regions) in &choices {
            values.insert(object, regions[number % regions.len()]);
            number /= regions.len();
        }
        let holds = |object: &str, relation, value| {
            values.get(object).is_some_and(|r| r.holds(relation, value))
        };
        let inside = members.iter().map(|c| c.expression.eval(&holds));
        valuations.insert(inside.collect());
    }
    let mut letters = Guard::bottom();
    for valuation in valuations {
        let mut letter = Guard::top();
        for (condition, &value) in members.iter().zip(&valuation) {
            // Outside its area, a condition may have its default whatever the objects are.
            if condition.outside != Some(!value) {
                letter = letter.and(&Guard::literal(condition.atom, value)?);
            }
        }
        letters = letters.or(&letter);
    }
    Some(letters)
}
