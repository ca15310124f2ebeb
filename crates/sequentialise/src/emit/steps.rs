//! Emits the step form: one loop, each round of which lets a chosen thread that can take a step
//! take one. A step goes from one position of the thread to the next. Loops stay loops, since the
//! jump back to a head ends a step, so nothing is bounded.
//!
//! What a formula may ask about the schedule is in variables: `sequential_step_T` is 1 for a moment
//! when thread T takes a step, `sequential_fair_T` also when it is unable to, `sequential_can_T` is whether
//! it is able to. All are 1 for good when the run is over, so that an ended run is fair.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use cfront::linemap::{parse_marker, quoted};
use cfront::{Diagnostic, Span};

use super::spent::{Spent, SPENT};
use crate::code::{Action, Op};
use crate::live::unread;
use crate::positions::{Item, Placed, Stop};
use crate::tells::{First, NAME};
use crate::written::Emit;

/// The names in the step form. They have no prefix of ours, because the program will be instrumented
/// like any other, and those are the instrumentation's; and calls that choose are those that
/// verifiers of sequential programs know.
const NAMES: [(&str, &str); 4] = [
    ("nondet_ba_seq", "__VERIFIER_nondet_uint"),
    // What stands for assembler.
    ("ba_asm_", "sequential_asm_"),
    ("ba_seq", "sequential"),
    ("BA_SEQ", "SEQUENTIAL"),
];

/// The text with marks of places in the user's files alone. The types of the library's objects are replaced in the text of its
/// headers, which is the program's own from there on.
fn without_headers(text: &str) -> String {
    // A macro of a header has such a mark where it is used, too.
    let own = text.lines().filter_map(parse_marker).filter(|m| !m.system);
    let own: BTreeSet<String> = own.map(|marker| marker.file).collect();
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let _ = match parse_marker(line) {
            Some(marker) if !own.contains(&marker.file) => Ok(()),
            Some(marker) => writeln!(out, "#line {} \"{}\"", marker.line, quoted(&marker.file)),
            None => writeln!(out, "{line}"),
        };
    }
    out
}

/// The first place where a program has a name of its own that begins with a text. Members have names of their own, which
/// no other name hides.
fn own_name(unit: &cfront::Unit, begin: &str) -> Option<cfront::Span> {
    let (tree, tokens) = (&unit.tree, &unit.tokens);
    let starts = |name: &&str| name.starts_with(begin);
    let scopes = tree.scopes.iter();
    let names = scopes.flat_map(|(_, s)| s.names.keys().chain(s.tags.keys()));
    let declared: BTreeSet<&str> = names.map(String::as_str).filter(starts).collect();
    let records = tree.types.records.iter();
    let members = records.flat_map(|(_, r)| r.members.iter().flatten());
    let members = members.filter_map(|m| m.name.as_deref());
    let members: BTreeSet<&str> = members.filter(starts).collect();
    let word = tokens.tokens.iter().map(|t| t.span).find(|at| {
        let word = unit.text_of(*at);
        starts(&word) && (declared.contains(word) || !members.contains(word))
    });
    let mut macros = tokens.directives.iter();
    let named = macros.find(|d| {
        let mut words = unit
            .text_of(**d)
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        words.any(|word| starts(&word))
    });
    word.or(named.copied())
}

/// A text with these names.
pub(super) fn renamed(text: String) -> String {
    NAMES
        .into_iter()
        .fold(text, |text, (from, to)| text.replace(from, to))
}

/// The text of the program with the names of the step form.
///
/// # Errors
/// If the program itself uses one of them.
pub(super) fn named(unit: &cfront::Unit, text: Vec<u8>) -> Result<Vec<u8>, Vec<Diagnostic>> {
    for (_, name) in &NAMES[1..] {
        let own = format!("{name}_");
        if let Some(span) = own_name(unit, &own) {
            let message = format!("names that begin with `{own}` are those of the step form");
            let help = "give the program's own another name";
            return Err(vec![Diagnostic::error(span, message).help(help)]);
        }
    }
    let text = String::from_utf8_lossy(&text);
    Ok(renamed(without_headers(&text)).into_bytes())
}

impl Emit<'_, '_> {
    /// Refuses what would have to be bounded.
    pub(super) fn refuse_bounds(&mut self, placed: &[Placed]) {
        let items = placed.iter().flat_map(|p| &p.items);
        for item in items {
            let Item::Op(op) = item else { continue };
            let of_assembler = self.facts.assemblers_in(op.span).next().is_some();
            if matches!(op.action, Action::Cut(_)) && of_assembler {
                self.errors.push(Diagnostic::error(op.span, super::UNKNOWN));
            }
        }
        if self.bounds_memory || self.lowered.bounds_memory {
            let span = self.lowered.threads[0].ops.first();
            let message = "the program allocates memory of variable size, to which the step form would have to give a bound";
            let span = span.map_or(cfront::Span::empty(0), |op| op.span);
            self.errors.push(Diagnostic::error(span, message));
        }
    }

    /// The places at which runs end that would go round a loop once more, or call once more, than the step form has copies of,
    /// or have a longer array than it has room for.
    pub(super) fn ends_at_bounds(&self, placed: &[Placed]) -> BTreeSet<Span> {
        let items = placed.iter().flat_map(|p| &p.items);
        let cuts = items.filter_map(|item| match item {
            Item::Op(op) if matches!(op.action, Action::Cut(_)) => Some(op.span),
            _ => None,
        });
        cuts.chain(self.lowered.lengths.iter().copied()).collect()
    }

    /// The variables for formulas, and the end of the process.
    pub(super) fn steps_prologue(&self, out: &mut String) {
        let count = self.lowered.threads.len();
        for name in ["step", "can", "fair"] {
            let names: Vec<String> = (0..count).map(|t| format!("ba_seq_{name}_{t}")).collect();
            let _ = writeln!(out, "_Bool {};", names.join(", "));
        }
        let _ = writeln!(
            out,
            "enum {{ {SPENT} }}; /* what an integer is that nothing reads any more */"
        );
        out.push_str("_Bool ba_seq_deadlock; /* no thread can go on, and some have not ended */\n");
        self.tells.declare(out);
        out.push_str("void exit(int);\nvoid abort(void);\nstatic void ba_seq_over(void);\n");
        out.push_str("#define ba_seq_exit(status) (ba_seq_over(), exit(status))\n");
        out.push_str("#define ba_seq_abort() (ba_seq_over(), abort())\n");
        out.push_str("#define BA_SEQ_OVER() ba_seq_exit(0)\n");
        out.push_str("#define BA_SEQ_CUT(site) do { ba_seq_full = 1; BA_SEQ_OVER(); } while (0)\n#define BA_SEQ_LOST(site) BA_SEQ_CUT(site)\n");
        if !self.lowered.lengths.is_empty() {
            out.push_str("#define ba_seq_few(size, most) ((size) > (most) ? (void)(ba_seq_full = 1, BA_SEQ_OVER()) : (void)0)\n");
        }
    }

    /// A thread as a function that takes one step.
    pub(super) fn step(&self, number: usize, placed: &Placed, out: &mut String) {
        let code = &self.lowered.threads[number];
        let function = &self.facts.tree.functions[code.function].name;
        let origin = self.origin(code);
        let _ = writeln!(
            out,
            "\n/* A step of thread {number}: {function}{origin} */\nstatic void ba_seq_thread_{number}(void) {{"
        );
        if let Some(First { goes_on, .. }) = self.tells.of(number) {
            let _ = writeln!(out, "  {NAME}({goes_on} + ba_seq_pc[{number}], 0);");
        }
        let _ = writeln!(out, "  switch (ba_seq_pc[{number}]) {{");
        for at in 0..placed.end {
            let _ = writeln!(out, "    case {at}: goto ba_seq_p{at};");
        }
        out.push_str("    default: return;\n  }\n");
        let mut next = 0;
        let mut line = (String::new(), 0);
        let mut spent = Spent::new(self.facts, code, placed, self.options.shifts);
        for (index, item) in placed.items.iter().enumerate() {
            match item {
                Item::Position(_) => {
                    if next > 0 {
                        let reset = spent.at(next);
                        let _ = writeln!(out, "  {reset}ba_seq_pc[{number}] = {next}; return;");
                    }
                    spent.begin(next);
                    let _ = writeln!(out, "ba_seq_p{next}: ;");
                    next += 1;
                }
                Item::Op(_) if spent.is_needless(index) => {}
                Item::Op(op) => {
                    spent.pass(op);
                    self.place_of(op, &mut line, out);
                    self.step_op(op, number, placed, &spent, out);
                    spent.leave(op);
                }
            }
        }
        let end = placed.end;
        let reset = spent.at(end as usize);
        let _ = writeln!(out, "  {reset}ba_seq_pc[{number}] = {end};\n}}");
        self.unread(number, placed, out);
        if self.options.shifts {
            let _ = writeln!(
                out,
                "\nstatic void ba_seq_forget_{number}(void) {{\n  switch (ba_seq_pc[{number}]) {{"
            );
            let all = spent.everywhere(end as usize);
            for (at, resets) in all.iter().enumerate().filter(|(_, r)| !r.is_empty()) {
                let _ = writeln!(out, "    case {at}: {resets}break;");
            }
            out.push_str("    default: break;\n  }\n}\n");
        }
    }

    /// Functions that tell a search where it seems that nothing reads what is in an array.
    fn unread(&self, number: usize, placed: &Placed, out: &mut String) {
        let code = &self.lowered.threads[number];
        for (array, positions) in unread(code, placed) {
            let name = &code.variables[array].name;
            let told = name.strip_prefix("ba_seq_").unwrap_or(name);
            let cases: Vec<String> = positions.iter().map(|at| format!("case {at}:")).collect();
            let _ = writeln!(
                out,
                "\n/* Where nothing seems to read `{name}` before it is filled again: a hint for searches */\nstatic _Bool ba_seq_unread_{told}(void) {{\n  switch (ba_seq_pc[{number}]) {{\n    {} return 1;\n    default: return 0;\n  }}\n}}",
                cases.join(" ")
            );
        }
    }

    /// An operation within a step. Only jumps and ends differ from those of rounds.
    fn step_op(&self, op: &Op, number: usize, placed: &Placed, spent: &Spent, out: &mut String) {
        let mut goes = |to: u32| {
            let reset = spent.at(to as usize);
            writeln!(out, "  {reset}ba_seq_pc[{number}] = {to}; return;")
        };
        let _ = match &op.action {
            Action::Back(to) if placed.whole.contains(to) => {
                writeln!(out, "  goto ba_seq_l{};", to.0)
            }
            Action::Head(label) if placed.whole.contains(label) => {
                writeln!(out, "ba_seq_l{}: ;", label.0)
            }
            Action::Back(to) => goes(placed.behind.get(to).copied().unwrap_or(placed.end)),
            Action::Stop => goes(placed.end),
            Action::Jump { condition, to } => match condition {
                Some(condition) => writeln!(out, "  if ({condition}) goto ba_seq_l{};", to.0),
                None => writeln!(out, "  goto ba_seq_l{};", to.0),
            },
            _ => {
                // Neither jumps nor ends: what the operation does not ask is not read.
                self.op(op, 0, placed, out);
                Ok(())
            }
        };
    }

    /// The functions that say who can go on, the end, and the loop of steps.
    pub(super) fn steps(&self, placed: &[Placed], out: &mut String) {
        for (number, placed) in placed.iter().enumerate() {
            let can = |stop: &Stop| stop.waits.as_ref().map(|(can, _)| can.clone());
            let must = |stop: &Stop| stop.must.clone().or_else(|| can(stop));
            let (may, has) = ("may", "must");
            let open = self.open(number);
            who(number, placed, (may, open.as_deref()), &can, out);
            // Who is interrupted waits for nothing of its own: the handler comes to its end.
            who(number, placed, (has, None), &must, out);
            idles(number, placed, out);
        }
        let count = placed.len();
        let all = |line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<Vec<_>>();
        let set = |name: &str| all(&|t| format!("ba_seq_{name}_{t} = 1;")).join(" ");
        let _ = writeln!(
            out,
            "\n/* The run is over: it stutters for ever, and nobody is treated unfairly. */\nstatic void ba_seq_over(void) {{ {} {} {} }}",
            set("can"),
            set("step"),
            set("fair")
        );
        let checks = self.checks_freed();
        if checks {
            self.release(out);
        }
        if self.options.shifts {
            let begun = (1..count).map(|t| format!("ba_seq_on[{t}]"));
            let begun = begun.collect::<Vec<_>>().join(" || ");
            let _ = writeln!(
                out,
                "\nstatic _Bool ba_seq_begun(void) {{ return {}; }}",
                if begun.is_empty() { "1" } else { &begun }
            );
            out.push_str("static void ba_seq_shift(void);\n");
        }
        out.push_str("\nint main(void) {\n");
        self.arguments(out);
        out.push_str("  for (;;) {\n");
        for t in 0..count {
            let _ = writeln!(out, "    ba_seq_now = {t}; _Bool ba_seq_e{t} = ba_seq_may_{t}(), ba_seq_m{t} = ba_seq_must_{t}();");
        }
        let some = all(&|t| format!("ba_seq_e{t}")).join(" || ");
        let _ = writeln!(out, "    if (!({some})) break;");
        for t in 0..count {
            let _ = writeln!(
                out,
                "    if (ba_seq_can_{t} != ba_seq_m{t}) ba_seq_can_{t} = ba_seq_m{t};"
            );
            let _ = writeln!(
                out,
                "    if (!ba_seq_m{t}) {{ ba_seq_fair_{t} = 1; ba_seq_fair_{t} = 0; }}"
            );
        }
        let idle = all(&|t| format!("ba_seq_idles_{t}(ba_seq_e{t}, ba_seq_m{t})")).join(" || ");
        let _ = writeln!(
            out,
            "    if (({idle}) && nondet_ba_seq() & 1) continue; /* waits go on */"
        );
        for t in 0..count {
            let later = (t + 1..count).map(|u| format!("ba_seq_e{u}"));
            let later = later.collect::<Vec<_>>().join(" || ");
            let first = if t == 0 { "    " } else { "    else " };
            let condition = match later.is_empty() {
                true => String::new(),
                false => format!("if (ba_seq_e{t} && (!({later}) || nondet_ba_seq() & 1)) "),
            };
            let stands = self
                .tells
                .of(t)
                .map_or_else(String::new, |First { stands, .. }| {
                    format!(" {NAME}({stands} + ba_seq_pc[{t}], 0);")
                });
            let _ = writeln!(out, "{first}{condition}{{ ba_seq_now = {t}; ba_seq_step_{t} = 1; ba_seq_step_{t} = 0; ba_seq_fair_{t} = 1; ba_seq_fair_{t} = 0; ba_seq_thread_{t}();{stands} }}");
        }
        if checks {
            out.push_str("    ba_seq_release();\n");
        }
        if self.options.shifts {
            let forget = all(&|t| format!("ba_seq_forget_{t}();")).join(" ");
            let _ = writeln!(out, "    ba_seq_shift(); {forget}");
        }
        out.push_str("  }\n");
        let left = all(&|t| format!("ba_seq_on[{t}] && ba_seq_pc[{t}] != ba_seq_ends[{t}]"));
        let _ = writeln!(
            out,
            "  ba_seq_over();\n  if ({}) ba_seq_deadlock = 1;",
            left.join(" || ")
        );
        self.tells.waiting(placed, out);
        out.push_str("  return 0;\n}\n");
    }
}

/// The function that says whether a thread can go on, where `condition` is that of a position.
fn who(
    number: usize,
    placed: &Placed,
    (name, open): (&str, Option<&str>),
    condition: &dyn Fn(&Stop) -> Option<String>,
    out: &mut String,
) {
    let mut at: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, stop) in placed.stops().enumerate() {
        if let Some(can) = condition(stop) {
            at.entry(can).or_default().push(index);
        }
    }
    let closed = open.map_or(String::new(), |open| format!(" || !({open})"));
    let _ = writeln!(out, "\nstatic _Bool ba_seq_{name}_{number}(void) {{\n  if (!ba_seq_on[{number}]{closed}) return 0;\n  switch (ba_seq_pc[{number}]) {{");
    for (can, cases) in &at {
        let cases: Vec<String> = cases.iter().map(|at| format!("case {at}:")).collect();
        let _ = writeln!(out, "    {} return {can};", cases.join(" "));
    }
    let _ = writeln!(
        out,
        "    case {}: return 0;\n    default: return 1;\n  }}\n}}",
        placed.end
    );
}

/// The function that says whether a thread goes on waiting without being blocked: it spins, or it
/// could wake up without a reason but need not.
fn idles(number: usize, placed: &Placed, out: &mut String) {
    let stops = placed.stops().enumerate().filter(|(_, stop)| stop.spins);
    let spins: Vec<String> = stops
        .map(|(at, _)| format!("ba_seq_pc[{number}] == {at}"))
        .collect();
    let spins = match spins.is_empty() {
        true => "0".to_owned(),
        false => spins.join(" || "),
    };
    let _ = writeln!(out, "\nstatic _Bool ba_seq_idles_{number}(_Bool may, _Bool must) {{ return ba_seq_on[{number}] && !must && (may || {spins}); }}");
}

#[cfg(test)]
mod tests {
    use super::without_headers;

    #[test]
    fn marks_of_the_users_files_stay() {
        let text = "# 1 \"/usr/include/io.h\" 1 3\nint io;\n# 2 \"p.c\" 2\nint a =\n# 3 \"p.c\" 3\n REGISTER\n# 3 \"p.c\"\n;\n#define X 1\n";
        assert_eq!(
            without_headers(text),
            "int io;\n#line 2 \"p.c\"\nint a =\n#line 3 \"p.c\"\n REGISTER\n#line 3 \"p.c\"\n;\n#define X 1\n"
        );
    }
}
