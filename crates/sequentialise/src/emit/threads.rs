//! Emits each thread as a function.

use std::fmt::Write as _;

use crate::code::{Action, Op, ThreadCode};
use crate::options::Options;
use crate::positions::{Item, Placed};
use crate::written::Emit;

/// Whether the main thread's first context goes beyond its first position: an empty one adds no
/// runs. The round says then whether the beginning is executed, which model checkers know as a
/// constant: they follow the beginning once, without a condition.
pub(super) fn begins_at_once(options: &Options, main: &Placed) -> bool {
    let first = main.stops().next();
    options.lasso.is_none() && first.is_some_and(|stop| stop.waits.is_none())
}

impl Emit<'_, '_> {
    pub(super) fn threads(&self, placed: &[Placed]) -> String {
        let mut out = String::new();
        for (number, thread) in self.lowered.threads.iter().enumerate() {
            let _ = writeln!(out, "\n/* Variables of thread {number} */");
            for variable in &thread.variables {
                let _ = writeln!(out, "static {};", variable.declaration);
            }
        }
        for (number, placed) in placed.iter().enumerate() {
            self.retries(number, &mut out);
            match self.options.steps {
                true => self.step(number, placed, &mut out),
                false => self.thread(number, placed, &mut out),
            }
        }
        out
    }

    pub(super) fn thread(&self, number: usize, placed: &Placed, out: &mut String) {
        let code = &self.lowered.threads[number];
        let function = &self.facts.tree.functions[code.function].name;
        let end = placed.end;
        let cut = end + 1;
        let lasso = self.options.lasso.as_ref();
        let _ = writeln!(
            out,
            "\n/* Thread {number}: {function}{} */",
            self.origin(code)
        );
        let _ = writeln!(out, "static void ba_seq_thread_{number}(void) {{");
        let _ = writeln!(
            out,
            "  enum {{ ba_seq_end_at = {end}, ba_seq_cut_at = {cut}, ba_seq_back_at }};"
        );
        let _ = writeln!(out, "  unsigned ba_seq_to = ba_seq_cs;");
        let mut next = 0;
        let mut line = (String::new(), 0);
        for item in &placed.items {
            match item {
                Item::Position(stop) => {
                    let passing = self.passing(stop);
                    let skips =
                        match number == 0 && next == 0 && begins_at_once(self.options, placed) {
                            true => "ba_seq_round > 0".to_string(),
                            false => format!("ba_seq_pc[{number}] > {next} || {next} >= ba_seq_to"),
                        };
                    let _ = writeln!(
                        out,
                        "ba_seq_p{next}: if ({skips}) goto ba_seq_p{};{passing}",
                        next + 1
                    );
                    next += 1;
                }
                Item::Op(op) => {
                    self.place_of(op, &mut line, out);
                    self.op(op, next, placed, out);
                }
            }
        }
        if lasso.is_some() {
            let _ = writeln!(out, "ba_seq_p{end}: BA_SEQ_ASSUME(ba_seq_to != ba_seq_back_at && (ba_seq_to != ba_seq_cut_at || ba_seq_pc[{number}] == ba_seq_cut_at));");
        } else {
            let _ = writeln!(out, "ba_seq_p{end}: BA_SEQ_ASSUME(ba_seq_to != ba_seq_cut_at || ba_seq_pc[{number}] == ba_seq_cut_at);");
        }
        let _ = writeln!(out, "ba_seq_out: ;\n}}");
    }

    pub(super) fn origin(&self, code: &ThreadCode) -> String {
        match code.created_at {
            None => String::new(),
            Some(span) => {
                let (file, line) = self.facts.unit.source.lines.line(span.start);
                format!(
                    ", created at {}:{line}",
                    file.rsplit('/').next().unwrap_or(file)
                )
            }
        }
    }

    /// Emits a line directive if the next operation is not on the expected line.
    pub(super) fn place_of(&self, op: &Op, last: &mut (String, u32), out: &mut String) {
        if matches!(op.action, Action::Label(_)) {
            return;
        }
        let (file, line) = self.facts.unit.source.lines.line(op.span.start);
        let quoted = cfront::linemap::quoted(file);
        let _ = writeln!(out, "#line {line} \"{quoted}\"");
        *last = (quoted, line);
    }

    pub(super) fn op(&self, op: &Op, next: u32, placed: &Placed, out: &mut String) {
        let behind = |label| placed.behind.get(label).copied().unwrap_or(placed.end);
        match &op.action {
            Action::Text(text) => {
                let taken = self.taken(op);
                let _ = writeln!(out, "  {text}{taken}");
            }
            Action::Check { holds, text } => {
                let _ = writeln!(out, "  __CPROVER_assert({holds}, {text});");
            }
            Action::Label(label) => {
                let _ = writeln!(out, "ba_seq_l{}: ;", label.0);
            }
            Action::Head(label) => {
                let _ = writeln!(out, "  /* loop {} */", label.0);
            }
            Action::Back(to) => {
                let head = behind(to);
                let _ = writeln!(out, "  BA_SEQ_ASSUME(ba_seq_to == ba_seq_back_at); ba_seq_turned = 1; ba_seq_cs = {head}; goto ba_seq_out;");
            }
            Action::Jump { condition, to } => {
                let target = behind(to);
                let mut jump = String::new();
                if target > next {
                    let _ = write!(jump, "BA_SEQ_ASSUME(ba_seq_to >= {target}); ");
                }
                let _ = write!(jump, "goto ba_seq_l{};", to.0);
                let _ = match condition {
                    Some(condition) => writeln!(out, "  if ({condition}) {{ {jump} }}"),
                    None => writeln!(out, "  {jump}"),
                };
            }
            Action::Stop => {
                let end = placed.end;
                let _ = writeln!(
                    out,
                    "  BA_SEQ_ASSUME(ba_seq_to >= {end}); goto ba_seq_p{end};"
                );
            }
            Action::Cut(text) => {
                let _ = writeln!(out, "  {text}");
            }
            Action::Start(n) => {
                let _ = writeln!(out, "  ba_seq_on[{n}] = 1;");
            }
            Action::Stand { .. }
            | Action::Begin
            | Action::End
            | Action::Joined(_)
            | Action::Take(_)
            | Action::Give(_) => {}
        }
    }
}
