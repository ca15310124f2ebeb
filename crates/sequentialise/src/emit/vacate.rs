//! Emits what makes the place of a joined thread free for another one, in step form.

use std::fmt::Write as _;

use cfront::span::ObjectId;
use cfront::types::Class;
use cfront::Diagnostic;

use crate::lower::variables::static_name;
use crate::written::Emit;

impl Emit<'_, '_> {
    /// Emits the function that threads call which have joined another one: its place is then as if no thread had begun
    /// there. `forgets` has the statements for the models' knowledge of thread `T`.
    pub(super) fn vacate(&mut self, forgets: &str, out: &mut String) {
        if !self.lowered.vacates {
            return;
        }
        out.push_str("\n/* A thread was joined: another one may begin in its place. */\nstatic void ba_seq_vacate(unsigned long thread) {\n  switch (thread) {\n");
        let threads = self.lowered.threads.iter().enumerate();
        let again: Vec<usize> = threads.filter(|(_, t)| t.again).map(|(n, _)| n).collect();
        let of_models = match self.reads_errno() {
            true => format!("{forgets} ba_seq_errno[T] = 0;"),
            false => forgets.to_owned(),
        };
        for number in again {
            let known = of_models.replace("[T]", &format!("[{number}]"));
            let own = self.forget_locals(number);
            let _ = writeln!(out, "    case {number}: ba_seq_on[{number}] = 0; ba_seq_pc[{number}] = 0; ba_seq_result[{number}] = (void *)0;{known}{own} break;");
        }
        out.push_str("    default: break;\n  }\n}\n");
    }

    /// The number of copies of a thread-local object: one for each thread, and one that nobody changes where threads begin
    /// in the places of others.
    pub(super) fn copies(&self) -> usize {
        self.lowered.threads.len() + usize::from(self.lowered.vacates)
    }

    /// The statements that give the thread-local objects of a thread their first values.
    fn forget_locals(&mut self, number: usize) -> String {
        let tree = self.facts.tree;
        let mut text = String::new();
        let all: Vec<ObjectId> = tree.objects.ids().collect();
        for object in all {
            let o = &tree.objects[object];
            let Some(name) = static_name(self.facts, object).filter(|_| o.thread_local) else {
                continue;
            };
            let whole = matches!(
                tree.types.class(o.ty),
                Class::Scalar | Class::Pointer | Class::Record
            );
            if !whole || o.ty.quals.is_const {
                let message = "this thread-local object cannot be given its first value again, where threads are started in a loop";
                self.errors.push(Diagnostic::error(o.declarator, message));
            }
            let fresh = self.copies() - 1;
            let _ = write!(text, " {name}[{number}] = {name}[{fresh}];");
        }
        text
    }
}
