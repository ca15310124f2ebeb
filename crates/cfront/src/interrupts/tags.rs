//! Tags for types without a name: what divides accesses needs variables of them.

use std::collections::BTreeSet;

use crate::span::{Id, RecordId};
use crate::types::{QualType, Type};

use super::Weaver;

impl Weaver<'_> {
    /// Gives structures and unions a tag that have no name and are the type of an object at file scope.
    pub(super) fn tags(&mut self) {
        let unit = self.unit;
        let tree = &unit.tree;
        let statics = tree.objects.iter().filter(|(_, o)| o.is_static_duration());
        let records: BTreeSet<RecordId> = statics.filter_map(|(_, o)| self.unnamed(o.ty)).collect();
        for record in records {
            let keyword = tree.types.records[record].span;
            let tokens = &unit.tokens;
            let first = tokens.at_or_after(keyword.start);
            if !matches!(unit.text_of(keyword), "struct" | "union") {
                continue;
            }
            // Attributes stand before the tag.
            let mut at = first + 1;
            while at < tokens.tokens.len() && unit.text_of(tokens.tokens[at].span) != "{" {
                at = (tokens.mates[at] as usize).max(at) + 1;
            }
            if let Some(brace) = tokens.tokens.get(at) {
                let tag = format!(" interrupts__type_{} ", record.index());
                self.insert(brace.span.start, &tag);
            }
        }
    }

    /// The structure or union without a name that a type is, or has as elements.
    fn unnamed(&self, ty: QualType) -> Option<RecordId> {
        let types = &self.unit.tree.types;
        match types.get(ty) {
            Type::Array(of, _) => self.unnamed(*of),
            Type::Record(record) => {
                let of = &types.records[*record];
                let file = of.scope == self.unit.tree.file_scope();
                let unnamed = of.tag.is_none() && of.typedef_name.is_none();
                (unnamed && file && of.members.is_some()).then_some(*record)
            }
            _ => None,
        }
    }
}
