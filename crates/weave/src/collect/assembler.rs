//! Objects that assembler may write: operands of statements and symbols in their text.

use std::collections::HashMap;

use cfront::span::{Id, StmtId};
use cfront::tree::StmtKind;

use super::Collector;
use crate::facts::range;
use crate::facts::{AssemblerPointer, Escape, ObjectIndex};

impl Collector<'_> {
    /// The operands of an assembler statement.
    pub(crate) fn assembler(&mut self, id: StmtId) {
        let tree = self.tree;
        let stmt = &tree.stmts[id];
        let memory = matches!(stmt.kind, StmtKind::Asm { memory: true, .. });
        for (object, span) in tree.named_by_assembler(stmt) {
            let (object, range) = (object.index(), range(span));
            self.facts.escapes.push(Escape {
                object,
                range,
                how: "is named by an assembler statement".into(),
            });
            if memory {
                let pointer = AssemblerPointer { object, range };
                self.facts.assembler_pointers.push(pointer);
            }
        }
    }

    /// Notes the objects whose symbols occur in assembler text, at file scope, too: the linker finds objects by
    /// name.
    pub(crate) fn assembler_symbols(&mut self) {
        if self.tree.assembler_words.is_empty() {
            return;
        }
        let mut named: HashMap<&str, Vec<ObjectIndex>> = HashMap::new();
        for (id, object) in self.tree.objects.iter() {
            if object.is_static_duration() && object.function.is_none() {
                named.entry(&object.name).or_default().push(id.index());
            }
        }
        for (word, span) in &self.tree.assembler_words {
            for &object in named.get(word.as_str()).into_iter().flatten() {
                self.facts.escapes.push(Escape {
                    object,
                    range: range(*span),
                    how: "is named by assembler text".into(),
                });
            }
        }
    }
}
