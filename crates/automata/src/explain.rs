//! The class of a formula in words.

use crate::class::{Class, Verdicts, Words};
use ltl::B4;

impl Class {
    /// The name of the class: `safety`, `co-safety`, `both safety and co-safety`, `liveness`,
    /// `neither safety nor co-safety`, or `not known` if the formula is too large for an answer.
    pub fn name(&self) -> &'static str {
        let live = |words: Words| !words.verdicts.has(B4::False);
        match (self.safety, self.co_safety) {
            (Some(true), Some(true)) => "both safety and co-safety",
            (Some(true), _) => "safety",
            (_, Some(true)) => "co-safety",
            (Some(false), Some(false)) if self.words.is_some_and(live) => "liveness",
            (Some(false), Some(false)) => "neither safety nor co-safety",
            _ => "not known",
        }
    }

    /// The class with the other things that are known, such as `safety, monitorable,
    /// stutter-invariant`.
    pub fn describe(&self) -> String {
        let mut all = vec![self.name()];
        if let Some(words) = self.words {
            all.push(match words.monitorable {
                true => "monitorable",
                false => "not monitorable",
            });
        }
        all.push(match self.stutter_invariant {
            Some(true) => "stutter-invariant",
            Some(false) => "not stutter-invariant",
            None => "perhaps not stutter-invariant",
        });
        all.join(", ")
    }

    /// What can be expected of finite runs, in one or two sentences. They do not say "prove" or
    /// "refute": those are words for all runs of one program, of which a report says them beside
    /// these sentences.
    pub fn explain(&self) -> String {
        let Some(words) = self.words else {
            return "This formula is too large for a deterministic monitor, so what finite runs can \
                    tell about it is not known."
                .to_owned();
        };
        let mut text = self.sentences(words);
        if let Some(all) = words.unrestricted.filter(|&all| all != words.verdicts) {
            let excluded: Vec<String> = all
                .iter()
                .filter(|&v| !words.verdicts.has(v))
                .map(|v| v.to_string())
                .collect();
            if !excluded.is_empty() {
                text += &format!(
                    " Without the alphabet's restriction {} could occur as well.",
                    excluded.join(" and ")
                );
            }
        }
        text
    }

    fn sentences(&self, words: Words) -> String {
        let set = words.verdicts;
        if let Some(text) = constant(set) {
            return text.to_owned();
        }
        let (refuted, proved) = (set.has(B4::False), set.has(B4::True));
        if !refuted && !proved {
            return "No finite run satisfies or violates this formula whatever follows; the verdict \
                    can change between ⊥ᵖ and ⊤ᵖ as long as the run goes on."
                .to_owned();
        }
        let text = match (self.safety, self.co_safety) {
            (Some(true), Some(true)) => decided_soon(words),
            (Some(true), _) => safety(set),
            (_, Some(true)) => co_safety(set),
            _ => general(refuted, proved).to_owned() + &meanwhile(set),
        };
        match words.monitorable {
            true => text,
            false => {
                text + " After some runs it is too late: no continuation of them leads to ⊤ or ⊥ \
                        any more."
            }
        }
    }
}

/// Where there is one verdict only.
fn constant(set: Verdicts) -> Option<&'static str> {
    Some(match () {
        () if set == Verdicts::default() => {
            "There is no run: the restriction of the alphabet excludes every letter."
        }
        () if set.is_only(B4::True) => "Every run satisfies this formula; ⊤ is all you will see.",
        () if set.is_only(B4::False) => "No run can satisfy this formula; ⊥ is all you will see.",
        () if set.is_only(B4::PresumablyFalse) => {
            "No finite run satisfies or violates this formula whatever follows; ⊥ᵖ is all you will \
             see, for it fails whenever nothing changes any more."
        }
        () if set.is_only(B4::PresumablyTrue) => {
            "No finite run satisfies or violates this formula whatever follows; ⊤ᵖ is all you will \
             see, for it holds whenever nothing changes any more."
        }
        () => return None,
    })
}

/// Both safety and co-safety.
fn decided_soon(words: Words) -> String {
    let after = match words.horizon {
        Some(1) => "the first letter decides".to_owned(),
        Some(letters) => format!("the first {letters} letters decide"),
        // Both, so every word is decided at some time.
        None => "a bounded number of letters decides".to_owned(),
    };
    format!("On every run {after} between ⊤ and ⊥.")
}

fn safety(set: Verdicts) -> String {
    let best = match set.has(B4::True) {
        true => "some satisfy the formula whatever follows (⊤), the others",
        false => "none satisfies the formula whatever follows: those without a violation",
    };
    format!(
        "A violation always shows in a finite run, as ⊥; {best} end with {}.",
        undecided(set)
    )
}

fn co_safety(set: Verdicts) -> String {
    let worst = match set.has(B4::False) {
        true => "some violate the formula whatever follows (⊥), the others",
        false => "none violates the formula whatever follows: those that have not satisfied it yet",
    };
    format!(
        "Satisfaction always shows in a finite run, as ⊤; {worst} end with {}.",
        undecided(set)
    )
}

fn general(refuted: bool, proved: bool) -> &'static str {
    match (refuted, proved) {
        (true, true) => {
            "Whatever follows, some finite runs satisfy this formula (⊤) and some violate it (⊥);"
        }
        (true, false) => {
            "Whatever follows, some finite runs violate this formula (⊥), none satisfies it;"
        }
        _ => "Whatever follows, some finite runs satisfy this formula (⊤), none violates it;",
    }
}

/// What the verdict is as long as nothing is certain.
fn meanwhile(set: Verdicts) -> String {
    format!(" on the others the verdict is {}.", undecided(set))
}

fn undecided(set: Verdicts) -> &'static str {
    match (set.has(B4::PresumablyFalse), set.has(B4::PresumablyTrue)) {
        (true, true) => "⊤ᵖ or ⊥ᵖ, as it would hold or fail if nothing changed any more",
        (true, false) => "⊥ᵖ, for it would fail if nothing changed any more",
        _ => "⊤ᵖ, for it would hold if nothing changed any more",
    }
}
