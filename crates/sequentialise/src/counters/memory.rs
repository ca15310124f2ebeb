//! Calls of a model of memory (`templates/memory/views.c`), which are atomic operations of the compiler to the counters. A model has values of
//! its own for an object, those of its stores: they are shifted with it.

use cfront::consteval::eval;
use cfront::memory_model::PREFIX;
use cfront::tree::ExprKind;
use cfront::types::{QualType, Type};
use cfront::ExprId;

use super::classes::width;
use super::flow::{Value, Walk};

/// What a function of the model does with values of the program.
fn access(name: &str) -> Option<&str> {
    // The step form has a name of its own for a function that runs within a step.
    let (before, name) = name.rsplit_once("__VERIFIER_atomic_").unwrap_or(("", name));
    let name = name.strip_prefix(PREFIX)?;
    if !before.is_empty() && !before.ends_with("whole_") {
        return None;
    }
    matches!(name, "load" | "store" | "change" | "result").then_some(name)
}

/// Whether a function of the model accesses values of the program, or computes with them.
pub(super) fn accesses(name: &str) -> bool {
    access(name).is_some()
}

impl Walk<'_> {
    /// A call of a function that [`accesses`] values; `None` if they are not followed.
    pub(super) fn remembered(&mut self, name: &str, args: &[ExprId]) -> Option<Value> {
        match (access(name)?, args) {
            ("load", &[at, order]) => {
                self.number(order)?;
                self.of_place(at)
            }
            ("store", &[at, value, order]) => {
                self.number(order)?;
                let (node, of, _) = self.model_place(at)?;
                let value = self.narrowed(value, of)?;
                self.assign(node, of, value);
                Some(Value::default())
            }
            ("change", &[at, operation, by, expected, ..]) => {
                for &order in &args[4..] {
                    self.number(order)?;
                }
                self.change(at, operation, (by, expected))
            }
            ("result", &[operation, old, by]) => {
                let (old, by) = (self.expr(old)?, self.expr(by)?);
                self.fix(by);
                match self.letter(operation) {
                    Some(b'+' | b'-') => {
                        old.class.iter().for_each(|c| self.classes.grows(c.0));
                        Some(old)
                    }
                    _ => {
                        self.fix(old);
                        Some(Value::default())
                    }
                }
            }
            _ => None,
        }
    }

    /// An operation that reads and writes.
    fn change(
        &mut self,
        at: ExprId,
        operation: ExprId,
        (by, expected): (ExprId, ExprId),
    ) -> Option<Value> {
        let (node, of, old) = self.model_place(at)?;
        let operation = self.letter(operation);
        let by = match operation {
            Some(b'c' | b'x') => self.narrowed(by, of)?,
            _ => self.expr(by)?,
        };
        let expected = self.narrowed(expected, of)?;
        match operation {
            Some(b'c') => {
                self.assign(node, of, by);
                self.join(old, expected);
            }
            Some(b'x') => self.assign(node, of, by),
            Some(b'+' | b'-') => self.add(node, by),
            _ => {
                self.fix(old);
                self.lose(by);
            }
        }
        Some(old)
    }

    /// What is at an address.
    fn of_place(&mut self, at: ExprId) -> Option<Value> {
        self.model_place(at).map(|(_, _, value)| value)
    }

    /// The place that an address is, its type and its value, which the model gives as a `long`.
    fn model_place(&mut self, at: ExprId) -> Option<(usize, QualType, Value)> {
        let of = self.tree.types.pointee(self.tree.exprs[at].ty)?;
        let node = self.expr(at)?.to?;
        self.classes.shape(self.tree, node, of);
        let value = self.load(node, of);
        Some((node, of, value))
    }

    /// A value that is converted to the model's type, and by the model to that of a place.
    fn narrowed(&mut self, value: ExprId, of: QualType) -> Option<Value> {
        let ExprKind::Cast(inner) = self.tree.exprs[value].kind else {
            return self.expr(value);
        };
        let same = width(self.tree, of) == width(self.tree, self.tree.exprs[inner].ty);
        let is_pointer = matches!(self.tree.type_of(of), Type::Pointer(_));
        match same || is_pointer {
            true => self.expr(inner),
            false => self.expr(value),
        }
    }

    /// An argument that is a number only.
    fn number(&mut self, id: ExprId) -> Option<()> {
        self.counts(id)
    }

    /// The letter of an operation.
    fn letter(&self, id: ExprId) -> Option<u8> {
        eval(self.tree, id).and_then(|n| u8::try_from(n).ok())
    }
}
