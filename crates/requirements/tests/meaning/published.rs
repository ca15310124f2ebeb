//! The formulas of requirements against those that FRET publishes, in future time and in past time.
//!
//! FRET composes its formulas from a table of timings, a table of conditions and the end points of the scopes; so do
//! the tables here, in our own notation and with the end points written out. A future-time formula is equivalent to
//! ours as it is, where FRET reads it over infinite traces. A past-time formula is read at the last letter of a finite
//! trace: ours says that it holds of every prefix, and where it asks for something to come, that it holds of prefixes
//! again and again.

use crate::words::{formula, words_each, Random, Word, CONDITIONS, SCOPES, TIMINGS};

/// `F[<n] p` and its like: nothing comes before this letter.
fn sooner(operator: &str, n: u32, p: &str) -> String {
    match n.checked_sub(1) {
        None => "false".to_owned(),
        Some(most) => format!("({operator}[<={most}] ({p}))"),
    }
}

/// Future-time formulas, in an interval that ends at the letter with `end`.
mod future {
    use super::sooner;

    fn always(p: &str, end: &str) -> String {
        format!("(({end}) R ({p}))")
    }

    fn within(p: &str, n: u32, end: &str) -> String {
        format!("((F[<={n}] ({p})) || {})", sooner("F", n, end))
    }

    fn throughout(p: &str, n: u32, end: &str) -> String {
        format!("((G[<={n}] ({p})) || {})", always(p, end))
    }

    fn until(p: &str, end: &str) -> String {
        format!("((({p}) W s) || {})", always(p, end))
    }

    fn before(p: &str, end: &str) -> String {
        format!("((({p}) || ({end})) R !s)")
    }

    fn timing(timing: &str, n: u32, negated: bool, end: &str) -> String {
        let (r, contrary) = if negated { ("!r", "r") } else { ("r", "!r") };
        match (timing, negated) {
            ("immediately", _) => r.to_owned(),
            ("at the next timepoint", _) => format!("(({end}) || (X {r} && !({end})))"),
            ("within N ticks", false) | ("for N ticks", true) => within(r, n, end),
            ("for N ticks", false) | ("within N ticks", true) => throughout(r, n, end),
            ("after N ticks", false) => {
                format!(
                    "({} && {})",
                    throughout("!r", n, end),
                    within("r", n + 1, end)
                )
            }
            ("after N ticks", true) => {
                format!(
                    "({} || {})",
                    within("r", n, end),
                    throughout("!r", n + 1, end)
                )
            }
            ("until s", false) | ("before s", true) => until(r, end),
            ("before s", false) | ("until s", true) => before(r, end),
            ("always", false) | ("eventually", true) => always(r, end),
            ("never", false) => always(contrary, end),
            ("eventually", false) | ("always", true) => format!("!{}", always(contrary, end)),
            ("never", true) => format!("!{}", always(r, end)),
            _ => unreachable!(),
        }
    }

    fn condition(condition: &str, what: &str, end: &str) -> String {
        match condition {
            "" => what.to_owned(),
            "upon c" => {
                let later = format!("(!c && X c && !({end})) -> X {what}");
                format!("({} && (c -> {what}))", always(&later, end))
            }
            _ => always(&format!("c -> {what}"), end),
        }
    }

    pub fn formula(scope: &str, condition: &str, timing: &str, n: u32) -> String {
        let negated = scope.starts_with("only");
        let inside = |end: &str| {
            let what = self::timing(timing, n, negated, end);
            self::condition(condition, &what, end)
        };
        let (rises, falls) = ("(!m && X m)", "(m && X !m)");
        let behind = |point: &str| {
            let rest = inside("false");
            format!("((!{point} U ({point} && X {rest})) || G !{point})")
        };
        let each = |mode: &str, left: &str, right: &str| {
            let what = inside(right);
            format!("((G (!{left} || X {what})) && ({mode} -> {what}))")
        };
        match scope {
            "" => inside("false"),
            "before m" => format!("({} || m)", inside(rises)),
            "only after m" => inside(falls),
            "only before m" => format!("((!m -> {}) && (m -> {}))", behind(rises), inside("false")),
            "after m" => behind(falls),
            "in m" => each("m", rises, falls),
            _ => each("!m", falls, rises),
        }
    }
}

/// Past-time formulas, in an interval that begins at the letter with `left`.
mod past {
    use super::sooner;

    struct Interval {
        left: String,
        /// What begins a timing.
        trigger: String,
        /// Whether it is only the beginning of the interval.
        plain: bool,
    }

    fn since(p: &str, point: &str) -> String {
        format!("(({p}) S (({p}) && ({point})))")
    }

    fn occurs(p: &str, point: &str) -> String {
        format!("!{}", since(&format!("!({p})"), point))
    }

    impl Interval {
        /// Vacuous, if there was no trigger in the interval.
        fn or_idle(&self, p: &str) -> String {
            match self.plain {
                true => p.to_owned(),
                false => format!("({} || {p})", since("!c", &self.left)),
            }
        }

        fn throughout(&self, p: &str, n: u32) -> String {
            let asked = self.or_idle(p);
            let each = format!("(O[<={n}] ({})) -> {asked}", self.trigger);
            since(&each, &self.left)
        }

        fn within(&self, p: &str, n: u32) -> String {
            let each = match self.plain {
                true => {
                    let none = since(&format!("!{p}"), &self.left);
                    format!("{none} -> {}", sooner("O", n, &self.left))
                }
                false => {
                    let due = format!("O[{n},{n}] (({}) && !{p})", self.trigger);
                    let met = sooner("O", n, &format!("({}) || {p}", self.left));
                    format!("({due}) -> {met}")
                }
            };
            since(&each, &self.left)
        }

        fn not_after(&self, n: u32) -> String {
            let late = n + 1;
            let due = format!("(O[{late},{late}] ({}))", self.trigger);
            let met = match self.plain {
                true => occurs("r", &self.left),
                false => format!("O[<={n}] r"),
            };
            let each = format!("{due} -> ((O[<={n}] ({})) || !r || (Y ({met})))", self.left);
            since(&each, &self.left)
        }

        fn until(&self, p: &str) -> String {
            let open = format!("({} -> {p})", since("!s", &self.trigger));
            since(&self.or_idle(&open), &self.left)
        }

        fn before(&self, p: &str) -> String {
            let came = format!("Y ({})", occurs(p, &self.trigger));
            let asked = match self.plain {
                true => format!("(!({}) && {came})", self.left),
                false => format!("(!({}) && !({}) && {came})", self.left, self.trigger),
            };
            since(&format!("s -> {}", self.or_idle(&asked)), &self.left)
        }

        fn timing(&self, timing: &str, n: u32, negated: bool) -> String {
            let (r, contrary) = if negated { ("!r", "r") } else { ("r", "!r") };
            let always = |p: &str| since(&self.or_idle(p), &self.left);
            let eventually = |p: &str| self.or_idle(&occurs(p, &self.trigger));
            match (timing, negated) {
                ("immediately", _) => since(&format!("({}) -> {r}", self.trigger), &self.left),
                ("at the next timepoint", _) => {
                    let asked = match self.plain {
                        true => r.to_owned(),
                        false => format!("({r} || ({}))", self.left),
                    };
                    since(&format!("(Y ({})) -> {asked}", self.trigger), &self.left)
                }
                ("within N ticks", false) | ("for N ticks", true) => self.within(r, n),
                ("for N ticks", false) | ("within N ticks", true) => self.throughout(r, n),
                ("after N ticks", false) => {
                    format!(
                        "({} && {})",
                        self.throughout("!r", n),
                        self.within("r", n + 1)
                    )
                }
                ("after N ticks", true) => self.not_after(n),
                ("until s", false) | ("before s", true) => self.until(r),
                ("before s", false) | ("until s", true) => self.before(r),
                ("always", false) | ("eventually", true) => always(r),
                ("never", false) => always(contrary),
                ("eventually", false) | ("always", true) => eventually(r),
                ("never", true) => eventually(contrary),
                _ => unreachable!(),
            }
        }
    }

    const FIRST: &str = "(!Y true)";

    /// The end points of a scope: the first letter, and the letter behind the last one, if that is not the last of all.
    fn points(scope: &str) -> (String, Option<String>) {
        let enters = format!("(m && ({FIRST} || Y !m))");
        let leaves = "(!m && Y m)".to_owned();
        let first_enters = format!("({enters} && ((Y H !m) || {FIRST}))");
        let first_leaves = format!("({leaves} && Y H !{leaves})");
        let first = FIRST.to_owned();
        match scope {
            "" => (first, None),
            "before m" => (first, Some(first_enters)),
            "only after m" => (first, Some(first_leaves)),
            "only before m" => (first_enters, None),
            "after m" => (first_leaves, None),
            "in m" => (enters, Some(leaves)),
            _ => (
                format!("(!m && ({FIRST} || Y m))"),
                Some("(m && Y !m)".to_owned()),
            ),
        }
    }

    pub fn formula(scope: &str, condition: &str, timing: &str, n: u32) -> String {
        let (left, right) = points(scope);
        let interval = Interval {
            trigger: match condition {
                "" => left.clone(),
                "upon c" => format!("c && ((Y !c) || {left})"),
                _ => "c".to_owned(),
            },
            plain: condition.is_empty(),
            left,
        };
        let left = &interval.left;
        let what = interval.timing(timing, n, scope.starts_with("only"));
        match right {
            None => format!("((O {left}) -> {what})"),
            Some(right) => {
                let open = since(&format!("!{right}"), left);
                format!("((H (({right} && Y true) -> Y {what})) && ({open} -> {what}))")
            }
        }
    }
}

/// Whether a timing asks for something that may come at any later letter.
fn waits(scope: &str, timing: &str) -> bool {
    match scope.starts_with("only") {
        true => ["always", "never"].contains(&timing),
        false => timing == "eventually",
    }
}

/// Compares all cases with the formulas that FRET publishes, on random words; how many cases and how many words satisfy.
fn compared(published: impl Fn(&str, &str, &str, u32) -> String) -> [usize; 3] {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut cases, mut satisfied, mut violated) = (0, 0, 0);
    // FRET publishes no formula of `finally` over infinite traces.
    let timings = TIMINGS.into_iter().filter(|timing| *timing != "finally");
    for timing in timings {
        let numbers = if timing.contains('N') { 0..4 } else { 0..1 };
        for (scope, condition, n) in numbers.flat_map(|n| {
            let scopes = SCOPES.into_iter();
            scopes.flat_map(move |s| CONDITIONS.into_iter().map(move |c| (s, c, n)))
        }) {
            let named = timing.replace('N', &n.to_string());
            let sentence = format!("{scope} {condition} the box shall {named} satisfy r");
            let (mut arena, ours) = formula(&sentence);
            let text = published(scope, condition, timing, n);
            let theirs = ltl::parse_into(&mut arena, &text, None).unwrap().root;
            for _ in 0..words_each(25) {
                let word = Word::random(&mut random);
                let lasso = word.lasso();
                let found = lasso.satisfies(&arena, ours);
                assert_eq!(
                    found,
                    lasso.satisfies(&arena, theirs),
                    "{sentence}: {} and {text} on {:?} {:?}",
                    ltl::print(&arena, ours, ltl::Style::Ascii),
                    word.prefix,
                    word.cycle
                );
                satisfied += usize::from(found);
                violated += usize::from(!found);
            }
            cases += 1;
        }
    }
    [cases, satisfied, violated]
}

#[test]
fn future_time_formulas_agree() {
    let [cases, satisfied, violated] = compared(future::formula);
    assert_eq!(cases, 24 * (7 + 3 * 4));
    assert!(
        satisfied > 3_000 && violated > 2_000,
        "{satisfied} {violated}"
    );
}

#[test]
fn past_time_formulas_agree() {
    let [cases, satisfied, violated] = compared(|scope, condition, timing, n| {
        let at_the_end = past::formula(scope, condition, timing, n);
        let often = if waits(scope, timing) { "G F" } else { "G" };
        format!("{often} {at_the_end}")
    });
    assert_eq!(cases, 24 * (7 + 3 * 4));
    assert!(
        satisfied > 3_000 && violated > 2_000,
        "{satisfied} {violated}"
    );
}
