//! Emits saving and comparing of the state, checks of who can continue, and the rounds.

use std::fmt::Write as _;

use cfront::Diagnostic;

use super::shapes::Kept;
use crate::code::{Mover, Op};
use crate::options::{Fairness, Lasso};
use crate::positions::{Placed, Stop};
use crate::written::Emit;

/// The text around the threads' functions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Text {
    /// The text before them.
    pub before: String,
    /// The text after them, up to the end of `main`.
    pub behind: String,
}

/// Notes of the models for traces: the thread that wakes by its timeout or spuriously, or that
/// wakes one of several.
pub(crate) const NOTES: &str = "static unsigned ba_seq_noted_late, ba_seq_noted_spurious, ba_seq_noted_chosen;\n#define BA_SEQ_NOTE(what) ba_seq_noted_##what = ba_seq_now + 1\n";

impl Emit<'_, '_> {
    /// The text for a thread that passes a position: checks who can continue if that may have changed.
    /// Each check costs as much as several operations.
    pub(crate) fn passing(&self, stop: &Stop) -> &'static str {
        match stop.woke && self.has_fairness(Fairness::Strong) {
            true => " if (ba_seq_saved) ba_seq_look();",
            false => "",
        }
    }

    /// The text after an operation that may block other threads. If a thread takes and releases a lock
    /// between two positions, this check sees that another thread waits for it.
    pub(crate) fn taken(&self, op: &Op) -> &'static str {
        match op.mover == Mover::Right && !op.atomic && self.has_fairness(Fairness::Weak) {
            true => " if (ba_seq_saved) ba_seq_look();",
            false => "",
        }
    }

    /// The text for infinite runs.
    ///
    /// # Errors
    /// If a part of the state has no name.
    pub(crate) fn lasso(&self, lasso: &Lasso, placed: &[Placed]) -> Result<Text, Vec<Diagnostic>> {
        let state = self.state(placed)?;
        let count = placed.len();
        let mut out = Text::default();
        let _ = writeln!(out.before, "\n/* What is known of the loop: the state was saved; which threads have taken a step since, were seen waiting, were seen able to go on. */");
        let _ = writeln!(out.before, "static _Bool ba_seq_saved, ba_seq_turned, ba_seq_step[{count}], ba_seq_dis[{count}], ba_seq_en[{count}];");
        if lasso.fairness == Fairness::None {
            let _ = writeln!(out.before, "/* Some thread was seen that goes round a loop without effect. */\nstatic _Bool ba_seq_spun;");
        }
        let _ = writeln!(out.before, "static void ba_seq_look(void);");
        out.behind.push_str(&look(lasso, placed));
        out.behind.push_str(&saved(&state, count));
        out.behind.push_str(&self.border(lasso, count));
        self.rounds(lasso, placed, &mut out.behind);
        Ok(out)
    }

    /// The fairness with which a thread takes its steps.
    fn fairness_of(&self, lasso: &Lasso, thread: usize) -> Fairness {
        match crate::emit::is_fair(self.facts, &self.lowered.threads[thread]) {
            true => Fairness::Strong,
            false => lasso.fairness,
        }
    }

    /// Whether infinite runs are searched in which some thread takes its steps with this fairness.
    fn has_fairness(&self, fairness: Fairness) -> bool {
        let lasso = self.options.lasso.as_ref();
        let mut threads = 0..self.lowered.threads.len();
        lasso.is_some_and(|l| threads.any(|t| self.fairness_of(l, t) == fairness))
    }

    /// The text at the border of a round.
    fn border(&self, lasso: &Lasso, count: usize) -> String {
        let call = |name: &str| {
            self.hook(name)
                .map_or(String::new(), |f| format!("{f}(); "))
        };
        let mut runs: Vec<String> = (0..count).map(|t| format!("ba_seq_step[{t}]")).collect();
        let mut forget = String::new();
        // With fairness, a thread that spins all through a loop only waits.
        if lasso.fairness == Fairness::None {
            runs.push("ba_seq_spun".to_string());
            forget.push_str("ba_seq_spun = 0; ");
        }
        let fair = (0..count).map(|t| match self.fairness_of(lasso, t) {
            Fairness::None => "1".to_string(),
            Fairness::Weak => {
                format!("(!ba_seq_on[{t}] || ba_seq_step[{t}] || ba_seq_dis[{t}])")
            }
            Fairness::Strong => {
                format!("(!ba_seq_on[{t}] || ba_seq_step[{t}] || !ba_seq_en[{t}])")
            }
        });
        let fair: Vec<String> = fair.collect();
        forget.extend(
            (0..count).map(|t| {
                format!("ba_seq_step[{t}] = 0; ba_seq_dis[{t}] = 0; ba_seq_en[{t}] = 0; ")
            }),
        );
        format!(
            "\n/* Some thread runs in the loop, and nobody is treated unfairly. */\nstatic _Bool ba_seq_fair(void) {{ return ({}) && {}; }}\n\nstatic void ba_seq_border(void) {{\n  if (ba_seq_saved) {{ if (ba_seq_fair() && ba_seq_same()) {{ {}}} }}\n  else if (nondet_ba_seq() & 1) {{ ba_seq_save(); {}{}ba_seq_look(); ba_seq_saved = 1; }}\n}}\n",
            runs.join(" || "),
            fair.join(" && "),
            call(&lasso.again),
            call(&lasso.saved),
            forget,
        )
    }

    /// The rounds.
    fn rounds(&self, lasso: &Lasso, placed: &[Placed], out: &mut String) {
        out.push_str("\nint main(void) {\n");
        self.arguments(out);
        context((0, &self.guard(0)), placed, 1, out);
        for round in 1..=self.options.rounds {
            let _ = writeln!(out, "  ba_seq_round = {round};");
            for number in (1..placed.len()).chain([0]) {
                let guard = self.guard(number);
                context((number, &guard), placed, lasso.turns + 1, out);
            }
            out.push_str("  ba_seq_border();\n");
        }
        out.push_str("  return 0;\n}\n");
    }
}

/// A context of a thread, which may return to heads of loops.
fn context((number, guard): (usize, &str), placed: &[Placed], parts: u32, out: &mut String) {
    let most = placed[number].end + 2;
    let part = format!(
        "ba_seq_turned = 0; ba_seq_cs = nondet_ba_seq(); BA_SEQ_ASSUME(ba_seq_pc[{number}] <= ba_seq_cs && ba_seq_cs <= {most}); ba_seq_thread_{number}(); if (ba_seq_turned || ba_seq_cs != ba_seq_pc[{number}]) ba_seq_step[{number}] = 1; ba_seq_pc[{number}] = ba_seq_cs; if (ba_seq_saved) ba_seq_look();"
    );
    let _ = write!(out, "  {guard}{{ ba_seq_now = {number}; {part}");
    for _ in 1..parts {
        let _ = write!(out, " if (ba_seq_turned) {{ {part} }}");
    }
    out.push_str(" }\n");
}

/// The function that checks who waits and who could continue.
fn look(lasso: &Lasso, placed: &[Placed]) -> String {
    let mut out = String::from("\n/* Looks who waits and who could go on. */\nstatic void ba_seq_look(void) {\n  unsigned ba_seq_whose = ba_seq_now;\n  _Bool waits;\n");
    for (number, placed) in placed.iter().enumerate() {
        let _ = writeln!(out, "  if (ba_seq_on[{number}]) {{\n    ba_seq_now = {number};\n    switch (ba_seq_pc[{number}]) {{");
        for ((goes, spins), cases) in conditions(lasso, placed) {
            let cases: Vec<String> = cases.iter().map(|at| format!("case {at}:")).collect();
            let cases = cases.join(" ");
            let spun = if spins { " ba_seq_spun |= waits;" } else { "" };
            let _ = writeln!(out, "      {cases} waits = !({goes});{spun} break;");
        }
        let _ = writeln!(
            out,
            "      case {}: waits = 1; break;\n      default: waits = 0;\n    }}\n    if (waits) ba_seq_dis[{number}] = 1; else ba_seq_en[{number}] = 1;\n  }}",
            placed.end
        );
    }
    out.push_str("  ba_seq_now = ba_seq_whose;\n}\n");
    out
}

/// A condition under which threads continue, and whether threads that wait for it count as running.
type Goes<'a> = (&'a str, bool);

/// The conditions under which threads continue, each with its positions, in the order of the first
/// position.
fn conditions<'a>(lasso: &Lasso, placed: &'a Placed) -> Vec<(Goes<'a>, Vec<usize>)> {
    let mut all: Vec<(Goes, Vec<usize>)> = Vec::new();
    for (index, stop) in placed.stops().enumerate() {
        let Some((can, _)) = &stop.waits else {
            continue;
        };
        let goes = stop.must.as_ref().unwrap_or(can).as_str();
        let goes = (goes, stop.spins && lasso.fairness == Fairness::None);
        match all.iter_mut().find(|(known, _)| *known == goes) {
            Some((_, at)) => at.push(index),
            None => all.push((goes, vec![index])),
        }
    }
    all
}

/// The functions that save and compare the state.
fn saved(state: &[Kept], count: usize) -> String {
    let (mut copies, mut saves, mut tests) = (String::new(), String::new(), String::new());
    let _ = writeln!(
        copies,
        "static unsigned ba_seq_kept_pc[{count}];\nstatic _Bool ba_seq_kept_on[{count}];"
    );
    for t in 0..count {
        let _ = writeln!(
            saves,
            "  ba_seq_kept_pc[{t}] = ba_seq_pc[{t}]; ba_seq_kept_on[{t}] = ba_seq_on[{t}];"
        );
        let _ = write!(tests, "\n    && ba_seq_kept_pc[{t}] == ba_seq_pc[{t}] && ba_seq_kept_on[{t}] == ba_seq_on[{t}]");
    }
    for (number, kept) in state.iter().enumerate() {
        let (name, copy) = (&kept.name, format!("ba_seq_kept_{number}"));
        let _ = writeln!(copies, "static __typeof__({name}) {copy};");
        for way in &kept.ways {
            let place = match kept.constants.get(way) {
                Some(ty) => format!("*({ty} *)&{copy}{way}"),
                None => format!("{copy}{way}"),
            };
            let _ = writeln!(saves, "  {place} = {name}{way};");
        }
        let equal = kept
            .ways
            .iter()
            .map(|way| format!("{copy}{way} == {name}{way}"));
        let equal = equal.collect::<Vec<_>>().join(" && ");
        let _ = match &kept.when {
            _ if equal.is_empty() => Ok(()),
            Some(when) => write!(tests, "\n    && (!({when}) || {equal})"),
            None => write!(tests, "\n    && {equal}"),
        };
    }
    format!("\n/* The state, saved once in a run. */\n{copies}static void ba_seq_save(void) {{\n{saves}}}\n\n/* Whether it is the saved one. */\nstatic _Bool ba_seq_same(void) {{\n  return 1{tests};\n}}\n")
}
