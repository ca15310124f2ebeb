//! The state of an emission: collected edits, warnings and errors.

use cfront::{interrupts, signals, Diagnostic, Edits, Span};

use crate::code::Lowered;
use crate::facts::Facts;
use crate::options::Options;
use crate::tells::Tells;

/// The state of an emission, which reads the program and its threads and collects edits of the
/// text.
pub(crate) struct Emit<'a, 'u> {
    /// The facts about the program.
    pub(crate) facts: &'a Facts<'u>,
    /// Its threads.
    pub(crate) lowered: &'a Lowered,
    /// How it is sequentialised.
    pub(crate) options: &'a Options,
    /// Insertions into the program's text.
    pub(crate) edits: Edits,
    /// Parts of the text that are dropped.
    pub(crate) dropped: Vec<Span>,
    /// Whether kept functions allocate memory of variable size.
    pub(crate) bounds_memory: bool,
    /// Whether kept functions have loops that are followed further than their bounds.
    pub(crate) goes_further: bool,
    /// The greatest numbers of elements of allocations with exact sizes.
    pub(crate) sizes: std::collections::BTreeSet<u64>,
    /// What threads of the step form report.
    pub(crate) tells: Tells,
    /// Warnings.
    pub(crate) warnings: Vec<Diagnostic>,
    /// Constructs that cannot be followed.
    pub(crate) errors: Vec<Diagnostic>,
}

impl Emit<'_, '_> {
    /// Inserts text at an offset; at the same offset, a smaller `order` comes first.
    pub(crate) fn insert(&mut self, at: usize, order: i32, text: impl Into<String>) {
        // Cannot happen: the texts have no line breaks.
        if let Err(error) = self.edits.insert(at, order, text.into()) {
            self.errors
                .push(Diagnostic::error(Span::empty(at), error.to_string()));
        }
    }

    /// Replaces a part of the text and keeps the old part in a comment.
    pub(crate) fn replace(&mut self, span: Span, text: &str) {
        self.insert(span.start, 0, format!("{text} /* "));
        self.insert(span.end, -1, " */");
    }

    /// Whether a part of the text belongs to a function whose body is dropped.
    pub(crate) fn is_dropped(&self, span: Span) -> bool {
        self.dropped.iter().any(|d| d.encloses(span))
    }

    /// The name of a hook, if the program defines it.
    pub(crate) fn hook(&self, name: &str) -> Option<String> {
        let f = self.facts.tree.function_named(name)?;
        self.facts.tree.functions[f].body.as_ref()?;
        Some(name.to_string())
    }

    /// The condition without which a thread takes no step: that no handler that interrupts it runs. `None` if
    /// none can.
    pub(crate) fn open(&self, thread: usize) -> Option<String> {
        let tree = self.facts.tree;
        let function = &tree.functions[self.lowered.threads[thread].function].name;
        if let Some(top) = tree.visible_at(tree.file_scope(), usize::MAX, signals::TOP) {
            let top = &tree.objects[top].name;
            return Some(match function.starts_with(signals::THREAD) {
                true => format!(
                    "({top} == {function}{} || !{function}{})",
                    signals::NUMBER,
                    signals::BEGUN
                ),
                false => format!("{top} == 0"),
            });
        }
        let level = tree.visible_at(tree.file_scope(), usize::MAX, interrupts::LEVEL)?;
        let level = &tree.objects[level].name;
        match function.starts_with(interrupts::THREAD) {
            true => Some(format!("{level} <= {function}{}", interrupts::PRIORITY)),
            false => Some(format!("{level} == 0")),
        }
    }
}
