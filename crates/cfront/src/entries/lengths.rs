//! Which parameters give the number of elements behind which pointers, by their names and places.

/// A parameter or member, as far as lengths are concerned.
pub(super) struct Named<'a> {
    pub(super) name: &'a str,
    /// Whether it points to something that can be an array: no function.
    pub(super) points: bool,
    /// Whether it is an integer of more than a byte.
    pub(super) counts: bool,
}

/// Whole names of lengths.
const NAMES: [&str; 14] = [
    "n", "len", "length", "size", "count", "num", "nmemb", "sz", "cnt", "cap", "capacity", "max",
    "nbytes", "nelem",
];

/// Ends of names of lengths.
const ENDS: [&str; 8] = [
    "len", "length", "size", "count", "_n", "_sz", "_cnt", "_max",
];

/// Begins of names of lengths.
const BEGINS: [&str; 5] = ["n_", "num_", "len_", "length_", "size_"];

fn says_length(name: &str) -> bool {
    let name = name.to_lowercase();
    NAMES.contains(&name.as_str())
        || ENDS.iter().any(|end| name.ends_with(end))
        || BEGINS.iter().any(|begin| name.starts_with(begin))
}

/// For each of these the index of the one that gives the number of elements behind it, if one does: the length behind
/// it, also for the last of several pointers in a row; else one directly in front that no other pointer has.
pub(super) fn lengths(all: &[Named]) -> Vec<Option<usize>> {
    let is_length = |at: usize| all.get(at).is_some_and(|p| p.counts && says_length(p.name));
    let mut out: Vec<Option<usize>> = vec![None; all.len()];
    for at in 0..all.len() {
        if all[at].points {
            let behind = (at + 1..all.len()).find(|i| !all[*i].points);
            out[at] = behind.filter(|i| is_length(*i));
        }
    }
    for at in 1..all.len() {
        let before = at - 1;
        if all[at].points && out[at].is_none() && is_length(before) && !out.contains(&Some(before))
        {
            out[at] = Some(before);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parameters from their names: `*x` points, `x` counts.
    fn of(names: &str) -> Vec<Option<usize>> {
        let all = names.split(' ').map(|name| Named {
            name: name.trim_start_matches('*'),
            points: name.starts_with('*'),
            counts: !name.starts_with('*'),
        });
        lengths(&all.collect::<Vec<_>>())
    }

    #[test]
    fn lengths_stand_beside_their_pointers() {
        for (names, expected) in [
            ("*data n", vec![Some(1), None]),
            ("n *data", vec![None, Some(0)]),
            ("*dst *src n", vec![Some(2), Some(2), None]),
            ("*out out_len *in inlen", vec![Some(1), None, Some(3), None]),
            ("*base nmemb size", vec![Some(1), None, None]),
            ("*s x", vec![None, None]),
            ("*buf len *other", vec![Some(1), None, None]),
        ] {
            assert_eq!(of(names), expected, "{names}");
        }
    }
}
