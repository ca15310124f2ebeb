//! Emits a function for each loop that a thread repeats only while its iterations have no effect:
//! it tells whether an iteration would have an effect now.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::code::{Action, Label, Op, Retry};
use crate::written::Emit;

impl Emit<'_, '_> {
    /// The functions for the loops of a thread. They are called while the thread stands before
    /// the loop; they use the variables of the iteration, whose values are dead there.
    pub(super) fn retries(&self, number: usize, out: &mut String) {
        if self.hook(&self.options.hooks.over).is_none() {
            return;
        }
        let code = &self.lowered.threads[number];
        let at = |label: Label| code.ops.iter().position(|op| is_label(op, label));
        for retry in &code.retries {
            if let (Some(from), Some(again)) = (at(retry.from), at(retry.again)) {
                self.retry(retry, &code.ops[from..=again], out);
            }
        }
    }

    fn retry(&self, retry: &Retry, ops: &[Op], out: &mut String) {
        let inside: BTreeSet<Label> = ops
            .iter()
            .filter_map(|op| match op.action {
                Action::Label(label) => Some(label),
                _ => None,
            })
            .collect();
        let _ = writeln!(out, "\nstatic _Bool {}(void) {{", retry.name);
        let own = format!("{}()", retry.name);
        for op in ops {
            let _ = match &op.action {
                Action::Label(label) => writeln!(out, "ba_seq_l{}: ;", label.0),
                Action::Stand { can, .. } if *can == own => Ok(()),
                Action::Stand { can, .. } => writeln!(out, "  if (!({can})) return 0;"),
                Action::Text(_) if op.has_effect => match &op.guard {
                    Some(guard) => writeln!(out, "  if ({guard}) return 1;"),
                    None => writeln!(out, "  return 1;"),
                },
                Action::Cut(_) | Action::Stop | Action::Head(_) | Action::Back(_) => {
                    writeln!(out, "  return 1;")
                }
                Action::Text(text) => match &op.mutex {
                    Some(mutex) => writeln!(out, "  {}", mutex.quiet),
                    None => writeln!(out, "  {text}"),
                },
                Action::Jump { condition, to } => {
                    let jump = match inside.contains(to) {
                        true => format!("goto ba_seq_l{};", to.0),
                        false => "return 1;".to_owned(),
                    };
                    match (condition, &op.tries) {
                        (_, Some(tries)) if tries.jumps => {
                            writeln!(out, "  if ({}) return 1;", tries.can)
                        }
                        (_, Some(tries)) => {
                            writeln!(out, "  if (!({})) {{ {jump} }} else return 1;", tries.can)
                        }
                        _ if op.has_effect => writeln!(out, "  return 1;"),
                        (Some(condition), None) => writeln!(out, "  if ({condition}) {{ {jump} }}"),
                        (None, None) => writeln!(out, "  {jump}"),
                    }
                }
                _ => Ok(()),
            };
        }
        out.push_str("  return 0;\n}\n");
    }
}

fn is_label(op: &Op, label: Label) -> bool {
    matches!(op.action, Action::Label(l) if l == label)
}
