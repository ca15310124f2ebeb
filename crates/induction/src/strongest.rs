//! Selects the strongest of the proved bounds: those that no other bound of the variable implies.

/// The bound in a condition.
#[derive(Clone, Copy, PartialEq)]
enum Bound {
    Equal(i128),
    Not(i128),
    Most(i128),
    Least(i128),
}

impl Bound {
    fn implies(self, other: Bound) -> bool {
        match (self, other) {
            (Bound::Equal(c), Bound::Equal(d)) => c == d,
            (Bound::Equal(c), Bound::Not(d)) => c != d,
            (Bound::Equal(c) | Bound::Most(c), Bound::Most(d)) => c <= d,
            (Bound::Equal(c) | Bound::Least(c), Bound::Least(d)) => c >= d,
            (Bound::Most(c), Bound::Not(d)) => c < d,
            (Bound::Least(c), Bound::Not(d)) => c > d,
            (Bound::Not(c), Bound::Not(d)) => c == d,
            _ => false,
        }
    }
}

/// The variable and its bound, if the text is a condition such as `x < 7`.
fn bound(text: &str) -> Option<(&str, Bound)> {
    let inner = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
    let text = inner.unwrap_or(text);
    let mut words = text.split(' ');
    let (name, op, constant) = (words.next()?, words.next()?, words.next()?);
    if words.next().is_some() {
        return None;
    }
    let constant = constant.trim_end_matches(['u', 'U', 'l', 'L']);
    let c: i128 = constant.parse().ok()?;
    let bound = match op {
        "==" => Bound::Equal(c),
        "!=" => Bound::Not(c),
        "<=" => Bound::Most(c),
        "<" => Bound::Most(c - 1),
        ">=" => Bound::Least(c),
        ">" => Bound::Least(c + 1),
        _ => return None,
    };
    Some((name, bound))
}

/// The conditions that no other one of the same variable implies; of equivalent ones the first stays.
/// Quadratic.
pub fn strongest(conditions: Vec<String>) -> Vec<String> {
    let bounds: Vec<_> = conditions.iter().map(|text| bound(text)).collect();
    let implied = |at: usize| {
        let Some((name, own)) = bounds[at] else {
            return false;
        };
        let stronger = |(i, other): (usize, &Option<(&str, Bound)>)| {
            let Some((of, other)) = *other else {
                return false;
            };
            let equal = own.implies(other) && i > at;
            i != at && of == name && other.implies(own) && !equal
        };
        bounds.iter().enumerate().any(stronger)
    };
    let keep: Vec<bool> = (0..conditions.len()).map(|at| !implied(at)).collect();
    let all = conditions.into_iter().zip(keep);
    all.filter(|(_, keep)| *keep)
        .map(|(text, _)| text)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_bound_implies_is_left_out() {
        let of = |all: &[&str]| strongest(all.iter().map(ToString::to_string).collect());
        assert_eq!(
            of(&["(n > 0)", "n >= 0", "n >= 1", "n != 0", "n <= 9", "n < 12", "n != 5", "m >= 0"]),
            ["(n > 0)", "n <= 9", "n != 5", "m >= 0"]
        );
        assert_eq!(of(&["n >= 0", "n == 3", "n <= 3", "n != 7u"]), ["n == 3"]);
        let others = [
            "n <= m",
            "(n == 1 || n == 2)",
            "n keeps its value",
            "n != -1",
            "n % 2 == 0",
        ];
        assert_eq!(of(&others), others);
    }
}
