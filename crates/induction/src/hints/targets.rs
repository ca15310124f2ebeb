//! Members that are reached through a pointer with one possible target, as text that names the target.

use cfront::alias::{Aliases, Assumptions};
use cfront::span::{ExprId, ObjectId};
use cfront::tree::{ExprKind, Tree};
use cfront::types::Type;
use cfront::Span;

/// The targets of the program's pointers; only computed for a program that reaches members through pointers.
pub(super) struct Targets(Option<Aliases>);

impl Targets {
    pub(super) fn of(tree: &Tree) -> Targets {
        let reaches = |kind: &ExprKind| {
            matches!(
                kind,
                ExprKind::Member { arrow: true, .. } | ExprKind::Deref(_)
            )
        };
        let wanted = tree.exprs.iter().any(|(_, e)| reaches(&e.kind));
        let whole = Assumptions {
            whole_program: true,
        };
        Targets(wanted.then(|| Aliases::new(tree, whole)))
    }

    /// The object that `p->member` reads, and the member's name as a member of this object, if the pointer can
    /// point to no other object.
    pub(super) fn member(&self, tree: &Tree, id: ExprId) -> Option<(ObjectId, String)> {
        let ExprKind::Member {
            base, name, path, ..
        } = &tree.exprs[id].kind
        else {
            return None;
        };
        let pointer = matches!(tree.exprs[*base].kind, ExprKind::Ident(_));
        let found = self.0.as_ref().filter(|_| pointer)?.may_designate(id);
        let mut objects = found.objects.iter();
        let (Some(&object), None) = (objects.next(), objects.next()) else {
            return None;
        };
        let [(record, _)] = path.as_slice() else {
            return None;
        };
        let whole =
            matches!(tree.types.get(tree.objects[object].ty), Type::Record(r) if r == record);
        let known = whole && !found.unnamed && !found.anything && found.functions.is_empty();
        known.then(|| (object, format!("{}.{name}", tree.objects[object].name)))
    }
}

impl Targets {
    /// The names of what `*p` may designate: objects, and elements of arrays; none if they are many or not known.
    pub(super) fn names(&self, tree: &Tree, id: ExprId) -> Vec<String> {
        const MOST: usize = 16;
        let found = match (&self.0, &tree.exprs[id].kind) {
            (Some(aliases), ExprKind::Deref(_)) => aliases.may_designate(id),
            _ => return Vec::new(),
        };
        if found.unnamed || found.anything || found.objects.len() > MOST {
            return Vec::new();
        }
        let name = |o: &ObjectId| {
            let object = &tree.objects[*o];
            match tree.types.get(object.ty) {
                Type::Array(..) => format!("{}[]", object.name),
                _ => object.name.clone(),
            }
        };
        found.objects.iter().map(name).collect()
    }
}

/// The text of a span with other text in place of some spans inside it.
pub(super) fn replaced(text: &str, span: Span, parts: &mut [(Span, String)]) -> Option<String> {
    parts.sort_by_key(|(part, _)| part.start);
    let (mut out, mut at) = (String::new(), span.start);
    for (part, new) in parts {
        out += text.get(at..part.start)?;
        out += new;
        at = part.end;
    }
    out += text.get(at..span.end)?;
    Some(out)
}
