//! The library types of locks and other synchronisation objects, and their initializers.

use cfront::span::RecordId;
use cfront::tree::{Designator, Entity, ExprKind, InitKind, Parent, Tree};
use cfront::types::{QualType, Type};
use cfront::{InitId, Span, Unit};

use crate::models;

/// The structure or union behind a library type.
pub(crate) fn record(tree: &Tree, name: &str) -> Option<RecordId> {
    match tree.lookup(tree.file_scope(), usize::MAX, name)? {
        Entity::Typedef(ty) => match *tree.type_of(ty) {
            Type::Record(record) => Some(record),
            _ => None,
        },
        _ => None,
    }
}

/// The keyword of a structure or union, and the text in its braces.
pub(crate) fn body(unit: &Unit, record: RecordId) -> Option<(Span, Span)> {
    let record = &unit.tree.types.records[record];
    let (tokens, text) = (&unit.tokens, unit.text());
    let first = tokens.at_or_after(record.span.start);
    let keyword = match record.tag {
        Some(_) => first.checked_sub(1)?,
        None => first,
    };
    let near = first..tokens.tokens.len().min(first + 8);
    let open = near.into_iter().find(|&t| tokens.text(t, text) == "{")?;
    let close = tokens.tokens.get(tokens.mates[open] as usize)?.span;
    let inside = Span::new(tokens.tokens[open].span.end, close.start);
    Some((tokens.tokens[keyword].span, inside))
}

/// The replacements of initializers of such types, and whether some mutex is not a plain one.
pub(crate) fn initializers(unit: &Unit) -> (Vec<(Span, String)>, bool) {
    let tree = &unit.tree;
    let records: Vec<RecordId> = models::MEMBERS
        .iter()
        .filter_map(|(name, _)| record(tree, name))
        .collect();
    let mut walk = Walk {
        unit,
        records,
        out: Vec::new(),
        kinds: false,
    };
    for (_, object) in tree.objects.iter() {
        if let Some(init) = object.init {
            walk.init(init, object.ty);
        }
    }
    for (_, expr) in tree.exprs.iter() {
        if let ExprKind::CompoundLiteral(init) = expr.kind {
            if !matches!(expr.parent, Parent::Constant) {
                walk.init(init, expr.ty);
            }
        }
    }
    walk.out.sort();
    walk.out.dedup();
    (walk.out, walk.kinds)
}

struct Walk<'a> {
    unit: &'a Unit,
    records: Vec<RecordId>,
    out: Vec<(Span, String)>,
    kinds: bool,
}

impl Walk<'_> {
    fn init(&mut self, init: InitId, ty: QualType) {
        let tree = &self.unit.tree;
        let InitKind::List(items) = &tree.inits[init].kind else {
            return;
        };
        match tree.type_of(ty) {
            Type::Record(record) if self.records.contains(record) => {
                let span = tree.inits[init].span;
                let text = self.unit.text_of(span);
                let kind = match () {
                    () if text.contains("RECURSIVE") => 1,
                    () if text.contains("ERRORCHECK") => 2,
                    () => 0,
                };
                self.kinds |= kind != 0;
                let text = match kind {
                    0 => "{ 0 }".to_string(),
                    kind => format!("{{ .ba_seq_kind = {kind} }}"),
                };
                self.out.push((span, text));
            }
            Type::Record(record) => {
                let Some(members) = tree.types.records[*record].members.clone() else {
                    return;
                };
                let mut at = 0;
                for item in items {
                    if let Some(Designator::Member(name)) = item.designators.first() {
                        let named = |m: &cfront::types::Member| m.name.as_deref() == Some(name);
                        at = members.iter().position(named).unwrap_or(at);
                    }
                    if let (Some(member), 0 | 1) = (members.get(at), item.designators.len()) {
                        self.init(item.value, member.ty);
                    }
                    at += 1;
                }
            }
            Type::Array(of, _) => {
                for item in items {
                    if item.designators.len() <= 1 {
                        self.init(item.value, *of);
                    }
                }
            }
            _ => {}
        }
    }
}
