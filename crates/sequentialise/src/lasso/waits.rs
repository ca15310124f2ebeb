//! What threads wait for, and which operations may end a wait.

use std::collections::BTreeSet;

use cfront::tree::Tree;
use cfront::Memory;

use crate::code::{Action, Lowered, Mover, Op};
use crate::facts::Facts;

/// The conditions for which the threads of a program wait.
pub(crate) struct Waits {
    /// The words in them.
    words: BTreeSet<String>,
    /// Whether some of them read what a pointer or an index leads to.
    indirect: bool,
}

impl Waits {
    /// Those of all threads.
    pub fn of(lowered: &Lowered) -> Waits {
        let mut waits = Waits {
            words: BTreeSet::new(),
            indirect: false,
        };
        for op in lowered.threads.iter().flat_map(|t| &t.ops) {
            if let Action::Stand { can, must, .. } = &op.action {
                for condition in [Some(can), must.as_ref()].into_iter().flatten() {
                    waits.reads(condition);
                }
            }
        }
        waits
    }

    fn reads(&mut self, condition: &str) {
        // Where the threads stand is no memory of the program.
        let of_program = condition
            .replace("ba_seq_pc[", "")
            .replace("ba_seq_on[", "");
        self.indirect |= of_program.contains(['*', '[']) || of_program.contains("->");
        let words = of_program.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        self.words.extend(words.map(str::to_owned));
    }

    /// Whether a wait of another thread may end by an operation. What others cannot tell ends none, nor does the taking of
    /// a lock; else it is what a model does, or a write of something that a condition may read.
    pub fn may_end(&self, op: &Op, facts: &Facts) -> bool {
        match op.mover {
            Mover::Both | Mover::Right => return false,
            Mover::Left | Mover::None => {}
        }
        let text = match &op.action {
            Action::Text(text) => text.as_str(),
            Action::Jump { condition, .. } => condition.as_deref().unwrap_or_default(),
            _ => return true,
        };
        op.accesses.is_empty() || calls_model(text) || self.reads_what(op, facts.tree)
    }

    fn reads_what(&self, op: &Op, tree: &Tree) -> bool {
        let named = |memory: &Memory| match memory {
            Memory::Object(o) => {
                let object = &tree.objects[*o];
                let global = object.function.is_none() && !object.thread_local;
                !global || self.words.contains(&object.name)
            }
            Memory::Made(_) => true,
        };
        let mut written = op.accesses.iter().filter(|a| a.writes);
        written.any(|a| self.indirect || a.touched.anything || a.touched.memory.iter().any(named))
    }
}

/// Whether a text mentions a function of the models: variables of threads have a number behind the prefix.
fn calls_model(text: &str) -> bool {
    let parts = text.split("ba_seq_").skip(1);
    parts
        .into_iter()
        .any(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
}
