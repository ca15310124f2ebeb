//! Tests of classes.

use super::*;

/// A value of each class of `int`.
fn of(constants: &[i128], wraps: &[u32]) -> Vec<i128> {
    let asked = Asked {
        constants: constants.iter().copied().collect(),
        wraps: wraps.iter().copied().collect(),
        ordered: true,
        ..Asked::default()
    };
    let int = (i32::MIN.into(), i32::MAX.into());
    classes(&asked, int).unwrap_or_default()
}

/// Against all values of a small type.
#[test]
fn every_setting_of_bits_is_in_every_interval() {
    for bits in [0x20u64, 0x81, 0x0c, 0xff] {
        for constants in [vec![], vec![0], vec![3, 200], vec![32, 33, 255]] {
            let asked = Asked {
                constants: constants.iter().copied().collect(),
                bits,
                ..Asked::default()
            };
            let class = |v: i128| {
                let signs: Vec<_> = constants.iter().map(|c| v.cmp(c)).collect();
                (v as u64 & bits, signs)
            };
            let all: BTreeSet<_> = (0..=255).map(class).collect();
            let chosen = classes(&asked, (0, 255)).unwrap_or_default();
            let found: BTreeSet<_> = chosen.iter().map(|v| class(*v)).collect();
            assert_eq!(found, all, "{bits:#x} {constants:?}");
            assert!(chosen.iter().all(|v| (0..=255).contains(v)));
        }
    }
    let wide = Asked {
        bits: 1 << 31 | 1 << 13,
        ..Asked::default()
    };
    let all = classes(&wide, (0, u32::MAX.into())).unwrap_or_default();
    assert_eq!(all, [0, 1 << 13, 1 << 31, 1 << 31 | 1 << 13]);
}

#[test]
fn every_interval_has_all_remainders() {
    let asked = Asked {
        constants: BTreeSet::from([0, 3, 1 << 30]),
        wraps: BTreeSet::from([32]),
        divisors: BTreeSet::from([2, 8]),
        ..Asked::default()
    };
    let (low, high): (i128, i128) = (i32::MIN.into(), i32::MAX.into());
    let all = classes(&asked, (low, high)).unwrap_or_default();
    assert!(all.iter().all(|v| low <= *v && *v <= high), "{all:?}");
    for (from, to) in [(low, -1), (4, (1 << 30) - 1), ((1 << 30) + 1, high)] {
        let within = all.iter().filter(|v| from <= **v && **v <= to);
        let remainders: BTreeSet<i128> = within.map(|v| v.rem_euclid(8)).collect();
        assert_eq!(remainders.len(), 8, "{from}..{to}: {all:?}");
    }
    assert!([0, 1, 2, 3].iter().all(|v| all.contains(v)));
}

/// `uint16_t t = adc() & 1023` once had each of 1,024 values.
#[test]
fn conversions_that_change_no_value_make_no_classes() {
    let asked = Asked {
        constants: BTreeSet::from([400, 900]),
        wraps: BTreeSet::from([16]),
        conversions: BTreeSet::from([1 << 16]),
        ordered: true,
        ..Asked::default()
    };
    let of = |low, high| classes(&asked.of_values((low, high)), (low, high));
    assert_eq!(of(0, 1023).unwrap_or_default(), [399, 400, 401, 900, 901]);
    // A negative number becomes a great one, and one above 32,767 becomes negative: no few values stand for all.
    for (low, high) in [(-1, 1023), (0, 0xffff)] {
        assert!(of(low, high).is_none_or(|all| all.len() > 1000));
    }
}

/// A value that is less than a divisor is its own remainder, on which something depends.
#[test]
fn remainders_that_are_the_values_tell_them_apart() {
    let asked = Asked {
        divisors: BTreeSet::from([8]),
        ..Asked::default()
    };
    let all = classes(&asked.of_values((0, 4)), (0, 4)).unwrap_or_default();
    assert_eq!(all, [0, 1, 2, 3, 4]);
}

#[test]
fn every_interval_has_a_value() {
    assert_eq!(of(&[], &[]), [0]);
    assert_eq!(of(&[0, 5], &[]), [-1, 0, 1, 5, 6]);
    assert_eq!(of(&[0], &[64]), [-1, 0, 1]);
    assert_eq!(of(&[-(1 << 40), 1 << 40], &[]), [0]);
    let (low, high): (i128, i128) = (i32::MIN.into(), i32::MAX.into());
    assert_eq!(of(&[low, high], &[]), [low, low + 1, high]);
}

#[test]
fn where_only_equality_is_asked_all_others_are_one_class() {
    let of = |constants: &[i128], range| {
        let asked = Asked {
            constants: constants.iter().copied().collect(),
            ..Asked::default()
        };
        classes(&asked, range).unwrap_or_default()
    };
    let int = (i32::MIN.into(), i32::MAX.into());
    assert_eq!(of(&[0], int), [0, 1]);
    assert_eq!(of(&[7, 9], int), [0, 7, 9]);
    assert_eq!(of(&[0, 1, -1], int), [-1, 0, 1, 2]);
    assert_eq!(of(&[0, 1], (0, 1)), [0, 1]);
    assert_eq!(of(&[5, 6], (5, 9)), [5, 6, 7]);
    assert_eq!(of(&[-5, -1], (-5, -1)), [-5, -2, -1]);
    assert_eq!(of(&[300], (0, 255)), [0]);
}
