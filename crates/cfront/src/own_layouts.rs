//! Where the bytes of a type matter that compilers lay out otherwise than model checkers: of structures whose bit-fields have
//! attributes of their own (`int a : 3 __attribute__((packed))`), and the alignment of functions.

use std::collections::BTreeSet;

use crate::calls::named_function;
use crate::implicit;
use crate::parse::Unit;
use crate::span::{ExprId, RecordId, Span};
use crate::tree::{ExprKind, Tree};
use crate::types::{QualType, Record, Type};

const FIELDS: &str = "the layout of a structure in which a bit-field has an attribute of its own";

/// The first such place, and what is there; `None` if there is none. Linear in the program.
pub fn matter(unit: &Unit) -> Option<(Span, &'static str)> {
    let tree = &unit.tree;
    let records = tree.types.records.iter();
    let own = records.filter(|(_, record)| has_attributed_field(unit, record));
    let layouts = Layouts {
        tree,
        own: own.map(|(id, _)| id).collect(),
    };
    let exprs = tree.exprs.iter().filter(|(_, e)| !e.unevaluated);
    let mut places = exprs.filter_map(|(id, e)| Some((e.span, layouts.shown(id)?)));
    let place = places.next().or_else(|| layouts.overlaid());
    place.or_else(|| layouts.viewed())
}

/// Whether a bit-field of a structure has an attribute behind its width, or its declaration an alignment.
fn has_attributed_field(unit: &Unit, record: &Record) -> bool {
    let members = record.members.as_deref().unwrap_or_default();
    if !members.iter().any(|m| m.is_bit_field) {
        return false;
    }
    let tokens = &unit.tokens;
    let text = |index: usize| tokens.tokens.get(index).map(|t| unit.text_of(t.span));
    let first = tokens.at_or_after(record.span.start);
    // Attributes may stand between the keyword, the tag and the brace.
    let Some(open) = (first..first + 40).find(|index| matches!(text(*index), Some("{" | ";")))
    else {
        return false;
    };
    let Ok(close) = usize::try_from(tokens.mates[open]) else {
        return false;
    };
    let (mut index, mut has_width, mut has_attribute) = (open + 1, false, false);
    while index < close {
        match text(index) {
            Some(":") => has_width = true,
            Some(";") => (has_width, has_attribute) = (false, false),
            // What is `packed`, or has its own alignment or mode; others, such as `unused`, change no layout.
            Some(word) if word.starts_with("__attribute") => has_attribute |= lays_out(unit, index),
            Some("_Alignas" | "alignas") => has_attribute = true,
            _ => {}
        }
        if has_width && has_attribute {
            return true;
        }
        let mate = usize::try_from(tokens.mates[index]).unwrap_or(0);
        index = index.max(mate) + 1;
    }
    false
}

/// Whether the attributes at a token change where a member lies.
fn lays_out(unit: &Unit, attribute: usize) -> bool {
    let tokens = &unit.tokens;
    let open = attribute + 1;
    let close = tokens
        .mates
        .get(open)
        .and_then(|m| usize::try_from(*m).ok());
    let within = open..close.unwrap_or(open);
    let mut words = within.map(|index| unit.text_of(tokens.tokens[index].span));
    words.any(|word| matches!(word.trim_matches('_'), "packed" | "aligned" | "mode"))
}

struct Layouts<'a> {
    tree: &'a Tree,
    /// The structures that have such a layout themselves.
    own: BTreeSet<RecordId>,
}

impl Layouts<'_> {
    /// Whether a type has such a structure in it.
    fn has(&self, ty: QualType) -> bool {
        match self.tree.type_of(ty) {
            Type::Array(of, _) => self.has(*of),
            Type::Record(record) => {
                let members = self.tree.types.records[*record].members.iter().flatten();
                self.own.contains(record) || members.into_iter().any(|m| self.has(m.ty))
            }
            _ => false,
        }
    }

    /// What shows a layout in an expression.
    fn shown(&self, id: ExprId) -> Option<&'static str> {
        let tree = self.tree;
        let expr = &tree.exprs[id];
        if let ExprKind::Alignof(of) = expr.kind {
            let is_function = matches!(tree.type_of(of), Type::Function(_));
            return match is_function {
                true => Some("the alignment of a function"),
                false => self.has(of).then_some(FIELDS),
            };
        }
        if self.own.is_empty() {
            return None;
        }
        let shown = match &expr.kind {
            ExprKind::SizeofType(of) | ExprKind::OffsetOf(of) => self.has(*of),
            ExprKind::SizeofExpr(of) => self.has(tree.exprs[*of].ty),
            ExprKind::Cast(of) => self.is_view(expr.ty, tree.exprs[*of].ty),
            // The library's functions see bytes.
            ExprKind::Call { callee, args, .. } => {
                let called = named_function(tree, *callee);
                let is_own = called.is_some_and(|f| tree.functions[f].body.is_some());
                !is_own && args.iter().any(|arg| self.is_at(tree.exprs[*arg].ty))
            }
            _ => false,
        };
        shown.then_some(FIELDS)
    }

    /// Whether a pointer leads to such a structure.
    fn is_at(&self, ty: QualType) -> bool {
        self.tree.types.pointee(ty).is_some_and(|to| self.has(to))
    }

    /// Whether a pointer to such a structure becomes one to something else, or the other way round.
    fn is_view(&self, to: QualType, from: QualType) -> bool {
        let types = &self.tree.types;
        match (types.pointee(to), types.pointee(from)) {
            (Some(a), Some(b)) => a.ty != b.ty && (self.has(a) || self.has(b)),
            _ => false,
        }
    }

    /// A pointer that becomes one to or from such a structure without a cast.
    fn viewed(&self) -> Option<(Span, &'static str)> {
        if self.own.is_empty() {
            return None;
        }
        let exprs = &self.tree.exprs;
        let conversions = implicit::conversions(self.tree);
        let mut values = conversions
            .into_iter()
            .filter(|(ty, value)| self.is_view(*ty, exprs[*value].ty));
        values.next().map(|(_, value)| (exprs[value].span, FIELDS))
    }

    /// A union in which such a structure lies over others.
    fn overlaid(&self) -> Option<(Span, &'static str)> {
        let mut records = self.tree.types.records.iter();
        records.find_map(|(id, record)| {
            let members = record.members.as_deref().unwrap_or_default();
            let found = record.is_union
                && members.len() > 1
                && (self.own.contains(&id) || members.iter().any(|m| self.has(m.ty)));
            found.then_some((record.span, "a union over such a structure"))
        })
    }
}
