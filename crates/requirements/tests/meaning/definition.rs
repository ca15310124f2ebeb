//! Every combination against an evaluator that knows no formula: it finds the intervals of a scope and their triggers
//! by scanning the letters, and asks at each trigger for what the timing's definition says.

use crate::words::{
    compare, compare_formula, timed_formula, words_each, Random, Word, CONDITIONS, SCOPES, TIMINGS,
};

use ltl::timed::Measure;

/// An interval: its first letter, and its last one, if it ends.
pub type Span = (usize, Option<usize>);

/// The maximal intervals of letters that satisfy a predicate.
fn maximal(word: &Word, is: impl Fn(usize) -> bool) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < word.far() {
        if !is(at) {
            at += 1;
            continue;
        }
        let start = at;
        while at < word.far() && is(at) {
            at += 1;
        }
        // An interval that lasts to the horizon lasts for ever, unless it began just before it.
        if start < word.near() {
            found.push((start, (at < word.far()).then(|| at - 1)));
        }
    }
    found
}

pub fn intervals(scope: &str, word: &Word) -> Vec<Span> {
    let first_mode = (0..word.far()).find(|&at| word.m(at));
    let first_interval = maximal(word, |at| word.m(at)).into_iter().next();
    match scope {
        "" => vec![(0, None)],
        "in m" => maximal(word, |at| word.m(at)),
        "unless in m" | "only in m" => maximal(word, |at| !word.m(at)),
        "before m" => match first_mode {
            Some(0) => vec![],
            Some(at) => vec![(0, Some(at - 1))],
            None => vec![(0, None)],
        },
        "after m" => match first_interval {
            Some((_, Some(last))) => vec![(last + 1, None)],
            _ => vec![],
        },
        "only before m" => first_mode.map(|at| (at, None)).into_iter().collect(),
        "only after m" => match first_interval {
            Some((_, Some(last))) => vec![(0, Some(last))],
            _ => vec![(0, None)],
        },
        _ => unreachable!(),
    }
}

fn triggers(condition: &str, (first, last): Span, word: &Word) -> Vec<usize> {
    let end = last
        .unwrap_or(word.far())
        .min(first.max(word.near()) + 2 * word.cycle.len());
    let is = |at: usize| match condition {
        "" => at == first,
        "upon c" => word.c(at) && (at == first || !word.c(at - 1)),
        "whenever c" => word.c(at),
        _ => unreachable!(),
    };
    (first..=end).filter(|&at| is(at)).collect()
}

/// Whether the response `r`, given as a predicate, comes in time.
fn in_time(
    timing: &str,
    n: usize,
    r: &dyn Fn(usize) -> bool,
    trigger: usize,
    last: Option<usize>,
    word: &Word,
) -> bool {
    let end = last.unwrap_or(trigger + word.far() + n);
    let inside = |to: usize| trigger..=to.min(end);
    match timing {
        "immediately" => r(trigger),
        "at the next timepoint" => trigger == end || r(trigger + 1),
        "within N ticks" => inside(trigger + n).any(r) || end < trigger + n,
        "for N ticks" => inside(trigger + n).all(r),
        "after N ticks" => {
            !inside(trigger + n).any(r) && (end < trigger + n + 1 || r(trigger + n + 1))
        }
        "until s" => {
            let stop = inside(end).find(|&at| word.s(at));
            (trigger..stop.unwrap_or(end + 1)).all(r)
        }
        "before s" => {
            let stop = inside(end).find(|&at| word.s(at));
            stop.is_none_or(|stop| (trigger..stop).any(r))
        }
        "always" => inside(end).all(r),
        "never" => !inside(end).any(r),
        "eventually" => inside(end).any(r),
        "finally" => last.is_none_or(r),
        _ => unreachable!(),
    }
}

/// The same for `only` scopes, as FRET's descriptions say it: the contrary of each timing.
fn contrary_in_time(
    timing: &str,
    n: usize,
    trigger: usize,
    last: Option<usize>,
    word: &Word,
) -> bool {
    let end = last.unwrap_or(trigger + word.far() + n);
    let inside = |to: usize| trigger..=to.min(end);
    let r = |at: usize| word.r(at);
    match timing {
        "immediately" => !r(trigger),
        "at the next timepoint" => trigger == end || !r(trigger + 1),
        "within N ticks" => !inside(trigger + n).any(r),
        "for N ticks" => inside(trigger + n).any(|at| !r(at)) || end < trigger + n,
        "after N ticks" => {
            inside(trigger + n).any(r) || end < trigger + n || !inside(trigger + n + 1).any(r)
        }
        "until s" => {
            let stop = inside(end).find(|&at| word.s(at));
            stop.is_none_or(|stop| (trigger..stop).any(|at| !r(at)))
        }
        "before s" => {
            let stop = inside(end).find(|&at| word.s(at));
            !(trigger..stop.unwrap_or(end + 1)).any(r)
        }
        "always" => inside(end).any(|at| !r(at)),
        "never" => inside(end).any(r),
        "eventually" => !inside(end).any(r),
        "finally" => last.is_none_or(|at| !r(at)),
        _ => unreachable!(),
    }
}

fn by_definition(scope: &str, condition: &str, timing: &str, n: usize, word: &Word) -> bool {
    intervals(scope, word).into_iter().all(|span| {
        triggers(condition, span, word)
            .into_iter()
            .all(|trigger| match scope.starts_with("only") {
                true => contrary_in_time(timing, n, trigger, span.1, word),
                false => in_time(timing, n, &|at| word.r(at), trigger, span.1, word),
            })
    })
}

#[test]
fn every_combination_means_what_its_definition_says() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut satisfied, mut violated) = (0, 0);
    for scope in SCOPES {
        for condition in CONDITIONS {
            for timing in TIMINGS {
                let mut both = [0, 0];
                for n in 0..4 {
                    let named = timing.replace('N', &n.to_string());
                    let sentence = format!("{scope} {condition} the box shall {named} satisfy r");
                    let expected = |word: &Word| by_definition(scope, condition, timing, n, word);
                    let words = words_each(150).div_ceil(4);
                    compare(&sentence, words, &mut random, expected, &mut both);
                }
                // Every combination is violated by some words and satisfied by others, but for the end of what has none.
                let endless =
                    timing == "finally" && ["", "after m", "only before m"].contains(&scope);
                assert!(
                    both[1] > 0 && (both[0] > 0 || endless),
                    "{scope} {condition} {timing} {both:?}"
                );
                violated += both[0];
                satisfied += both[1];
            }
        }
    }
    assert!(
        satisfied > 10_000 && violated > 10_000,
        "{satisfied} {violated}"
    );
}

/// Where each letter takes one tick, times are numbers of letters. That timers can measure the times is asked, too.
#[test]
fn durations_that_a_clock_measures_mean_what_their_definition_says() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut satisfied, mut violated) = (0, 0);
    for scope in SCOPES {
        for condition in CONDITIONS {
            for timing in ["within N ticks", "for N ticks", "after N ticks"] {
                let mut both = [0, 0];
                for n in 0..4 {
                    let named = timing.replace('N', &n.to_string());
                    let sentence = format!("{scope} {condition} the box shall {named} satisfy r");
                    let expected = |word: &Word| by_definition(scope, condition, timing, n, word);
                    let formula = timed_formula(&sentence);
                    let (mut arena, root) = (formula.0.clone(), formula.1);
                    let measured =
                        ltl::timed::eliminate(&mut arena, root, Measure::Ticks, &mut Vec::new());
                    assert!(measured.is_ok(), "{sentence}: {measured:?}");
                    let words = words_each(150).div_ceil(4);
                    compare_formula(formula, &sentence, words, &mut random, expected, &mut both);
                }
                assert!(both[0] > 0 && both[1] > 0, "{scope} {condition} {timing}");
                violated += both[0];
                satisfied += both[1];
            }
        }
    }
    assert!(satisfied > 1_000 && violated > 1_000);
}
