//! Where the bytes of a type matter that compilers lay out otherwise than model checkers: of structures whose bit-fields have
//! attributes of their own (`int a : 3 __attribute__((packed))`), of those that [`layout::otherwise`] finds, and the alignment of
//! functions.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::calls::named_function;
use crate::implicit;
use crate::layout;
use crate::parse::Unit;
use crate::span::{ExprId, RecordId, Span};
use crate::tree::{ExprKind, Parent, Tree};
use crate::types::{QualType, Record, Type};

const FIELDS: &str = "the layout of a structure in which a bit-field has an attribute of its own";
const PACKED: &str =
    "the layout of a structure under `#pragma pack`, or of numbers of 64 bits on this machine";

/// The first such place, and what is there; `None` if there is none. Linear in the program.
pub fn matter(unit: &Unit) -> Option<(Span, &'static str)> {
    let tree = &unit.tree;
    let records = tree.types.records.iter();
    let own = records.filter(|(_, record)| has_attributed_field(unit, record));
    let mut known: BTreeMap<RecordId, Option<&'static str>> = BTreeMap::new();
    let others = layout::otherwise(unit.parts_of_layouts()).into_iter();
    known.extend(others.map(|id| (id, Some(PACKED))));
    known.extend(own.map(|(id, _)| (id, Some(FIELDS))));
    let layouts = Layouts {
        tree,
        is_empty: known.is_empty(),
        known: RefCell::new(known),
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
    /// Whether no structure has such a layout itself.
    is_empty: bool,
    /// What is known of structures: those that have such a layout, or one in them that has.
    known: RefCell<BTreeMap<RecordId, Option<&'static str>>>,
}

impl Layouts<'_> {
    /// What such a structure in a type is; `None` if it has none.
    fn has(&self, ty: QualType) -> Option<&'static str> {
        match self.tree.type_of(ty) {
            Type::Array(of, _) => self.has(*of),
            Type::Record(record) => {
                let known = self.known.borrow().get(record).copied();
                known.unwrap_or_else(|| {
                    let members = self.tree.types.records[*record].members.iter().flatten();
                    let found = members.into_iter().find_map(|m| self.has(m.ty));
                    self.known.borrow_mut().insert(*record, found);
                    found
                })
            }
            _ => None,
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
                false => self.has(of),
            };
        }
        if self.is_empty {
            return None;
        }
        match &expr.kind {
            ExprKind::OffsetOf(of) => self.has(*of),
            ExprKind::SizeofType(of) => self.has(*of).filter(|what| !self.is_given(id, what)),
            ExprKind::SizeofExpr(of) => {
                let what = self.has(tree.exprs[*of].ty);
                what.filter(|what| !self.is_given(id, what))
            }
            ExprKind::Cast(of) => self.is_view(expr.ty, tree.exprs[*of].ty),
            // The library's functions see bytes.
            ExprKind::Call { callee, args, .. } => {
                let called = named_function(tree, *callee);
                let is_own = called.is_some_and(|f| tree.functions[f].body.is_some());
                let mut args = args.iter().filter(|_| !is_own);
                let found = args.find_map(|arg| self.is_at(tree.exprs[*arg].ty));
                // What is allocated, cleared or copied as a whole has the size that it has there.
                found.filter(|what| *what == FIELDS)
            }
            _ => None,
        }
    }

    /// Whether a size is only given to a function, as of what it allocates or copies, and that is the size there.
    fn is_given(&self, mut id: ExprId, what: &str) -> bool {
        let exprs = &self.tree.exprs;
        while let Parent::Expr(parent) = exprs[id].parent {
            match exprs[parent].kind {
                ExprKind::Call { .. } => return what == PACKED,
                ExprKind::Binary(..) | ExprKind::Cast(_) => id = parent,
                _ => return false,
            }
        }
        false
    }

    /// Such a structure that a pointer leads to.
    fn is_at(&self, ty: QualType) -> Option<&'static str> {
        self.has(self.tree.types.pointee(ty)?)
    }

    /// Such a structure whose pointer becomes one to something else, or the other way round.
    fn is_view(&self, to: QualType, from: QualType) -> Option<&'static str> {
        let types = &self.tree.types;
        let (a, b) = (types.pointee(to)?, types.pointee(from)?);
        let found = self.has(a).or_else(|| self.has(b))?;
        let is_void = [a, b]
            .map(|ty| *types.get(ty) == Type::Void)
            .contains(&true);
        let is_seen = a.ty != b.ty && (found == FIELDS || !is_void);
        is_seen.then_some(found)
    }

    /// A pointer that becomes one to or from such a structure without a cast.
    fn viewed(&self) -> Option<(Span, &'static str)> {
        if self.is_empty {
            return None;
        }
        let exprs = &self.tree.exprs;
        let conversions = implicit::conversions(self.tree);
        conversions.into_iter().find_map(|(ty, value)| {
            let expr = &exprs[value];
            Some((expr.span, self.is_view(ty, expr.ty)?))
        })
    }

    /// A union in which such a structure lies over others.
    fn overlaid(&self) -> Option<(Span, &'static str)> {
        if self.is_empty {
            return None;
        }
        let mut records = self.tree.types.records.iter();
        records.find_map(|(id, record)| {
            let members = record.members.as_deref().unwrap_or_default();
            let found = record.is_union
                && members.len() > 1
                && (self.known.borrow().get(&id) == Some(&Some(FIELDS))
                    || members.iter().any(|m| self.has(m.ty).is_some()));
            found.then_some((record.span, "a union over such a structure"))
        })
    }
}
