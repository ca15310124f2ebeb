//! Temporal predicates in each scope against their definitions.

use crate::definition::{intervals, Span};
use crate::words::{compare, words_each, Random, Word, SCOPES};

/// Whether a predicate over `c` and `r` holds at a letter of an interval.
fn holds(predicate: &str, n: usize, at: usize, (first, last): Span, word: &Word) -> bool {
    let last = last.unwrap_or(usize::MAX);
    let inside = |from: usize, to: usize| from..=to.min(last).min(word.far());
    match predicate {
        "persisted(N, r)" => at >= first + n && (at - n..=at).all(|at| word.r(at)),
        "occurred(N, r)" => (first.max(at.saturating_sub(n))..=at).any(|at| word.r(at)),
        "persists(N, r)" => at + n <= last && (at..=at + n).all(|at| word.r(at)),
        "occurs(N, r)" => inside(at, at + n).any(|at| word.r(at)),
        "at the previous occurrence of c, r" => {
            let before = (first..at).rev().find(|&at| word.c(at));
            before.is_none_or(|at| word.r(at))
        }
        "at the next occurrence of c, r" => {
            let behind = inside(at + 1, usize::MAX).find(|&at| word.c(at));
            behind.is_none_or(|at| word.r(at))
        }
        "preBool(c, r)" => match at.checked_sub(1) {
            None => word.c(at),
            Some(before) => word.r(before),
        },
        _ => unreachable!(),
    }
}

const PREDICATES: [&str; 7] = [
    "persisted(N, r)",
    "occurred(N, r)",
    "persists(N, r)",
    "occurs(N, r)",
    "at the previous occurrence of c, r",
    "at the next occurrence of c, r",
    "preBool(c, r)",
];

#[test]
fn they_look_no_further_than_the_interval() {
    let mut random = Random(0x9e37_79b9_97f4_a7c1);
    for scope in SCOPES {
        for predicate in PREDICATES {
            let mut both = [0, 0];
            for n in 0..4 {
                let named = predicate.replace('N', &n.to_string());
                // A scope with `only` asks for the contrary where it is enforced.
                let behaviour = match scope.starts_with("only") {
                    true => format!("eventually satisfy !({named})"),
                    false => format!("always satisfy {named}"),
                };
                let sentence = format!("{scope} the box shall {behaviour}");
                let expected = |word: &Word| {
                    intervals(scope, word).into_iter().all(|span| {
                        let end = span
                            .1
                            .unwrap_or(word.near().max(span.0) + 2 * word.cycle.len());
                        (span.0..=end).all(|at| holds(predicate, n, at, span, word))
                    })
                };
                let words = words_each(120).div_ceil(4);
                compare(&sentence, words, &mut random, expected, &mut both);
            }
            assert!(both[0] > 0 && both[1] > 0, "{scope} {predicate} {both:?}");
        }
    }
}
