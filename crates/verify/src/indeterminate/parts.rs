//! The parts of a variable that have flags of their own, and which of them an expression accesses.

use cfront::span::{ExprId, ObjectId};
use cfront::tree::{ExprKind, Parent, Resolved, Storage, Tree};
use cfront::types::{ArrayLen, Class, QualType, Type};

/// The greatest number of flags of a variable.
const MOST: u64 = 256;
/// The greatest nesting of structures and arrays that is followed.
const DEEPEST: usize = 8;

/// A scalar part of a variable. The elements of arrays on the path to it are one part, with a flag
/// for each element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    /// The members on the path, by their indices.
    members: Vec<usize>,
    /// The lengths of the arrays on the path.
    pub lengths: Vec<u64>,
    /// Whether the part is a union; an assignment to any member counts for all.
    is_union: bool,
}

impl Part {
    fn flags(&self) -> u64 {
        self.lengths
            .iter()
            .fold(1, |count, length| count.saturating_mul(*length))
    }

    /// The indices of its elements as C, like `[0][1]`; one empty text if no array is on the path.
    pub fn elements(&self) -> Vec<String> {
        let mut all = vec![String::new()];
        for &length in &self.lengths {
            let with = |before: &String| {
                let before = before.clone();
                (0..length).map(move |i| format!("{before}[{i}]"))
            };
            all = all.iter().flat_map(with).collect();
        }
        all
    }
}

/// The scalar parts and the unions of a type; `None` if they may change on their own (volatile, atomic), or are too
/// many.
pub(super) fn parts(tree: &Tree, ty: QualType) -> Option<Vec<Part>> {
    let mut found = Vec::new();
    collect(tree, ty, &mut Part::default(), &mut found)?;
    let flags = found.iter().map(Part::flags);
    let flags = flags.fold(0, u64::saturating_add);
    (1..=MOST).contains(&flags).then_some(found)
}

fn collect(tree: &Tree, ty: QualType, way: &mut Part, found: &mut Vec<Part>) -> Option<()> {
    let deep = way.members.len() + way.lengths.len() > DEEPEST;
    if ty.quals.is_volatile || ty.quals.is_atomic || deep || found.len() as u64 > MOST {
        return None;
    }
    match tree.types.get(ty) {
        Type::Array(of, ArrayLen::Known(length)) if *length > 0 => {
            way.lengths.push(*length);
            collect(tree, *of, way, found)?;
            way.lengths.pop();
        }
        Type::Record(record) => {
            let record = &tree.types.records[*record];
            let members = record.members.as_ref()?;
            if record.is_union {
                found.push(Part {
                    is_union: true,
                    ..way.clone()
                });
                return Some(());
            }
            for (index, member) in members.iter().enumerate() {
                if member.is_bit_field && member.name.is_none() {
                    continue;
                }
                way.members.push(index);
                collect(tree, member.ty, way, found)?;
                way.members.pop();
            }
        }
        _ if [Class::Scalar, Class::Pointer].contains(&tree.types.class(ty)) => {
            found.push(way.clone());
        }
        _ => return None,
    }
    Some(())
}

/// An access of an expression to a variable or a part of it.
pub(super) struct Access {
    members: Vec<usize>,
    /// The indices of arrays on the path.
    pub indexes: Vec<ExprId>,
    /// The outermost expression of the path.
    pub whole: ExprId,
    /// Whether the access is to a single number or pointer.
    scalar: bool,
}

impl Access {
    /// The access that an identifier begins; `None` if the path contains anything but members and
    /// indices in brackets.
    pub fn of(tree: &Tree, ident: ExprId) -> Option<Access> {
        let mut access = Access {
            members: Vec::new(),
            indexes: Vec::new(),
            whole: ident,
            scalar: false,
        };
        while let Parent::Expr(outer) = tree.exprs[access.whole].parent {
            let at = access.whole;
            let array = matches!(tree.types.get(tree.exprs[at].ty), Type::Array(..));
            match &tree.exprs[outer].kind {
                ExprKind::Member { arrow, path, .. } if !arrow => {
                    if path.is_empty() {
                        return None;
                    }
                    access.members.extend(path.iter().map(|(_, index)| *index));
                }
                ExprKind::Index { base, index } if array && *base == at => {
                    access.indexes.push(*index);
                }
                ExprKind::Index { .. } | ExprKind::Deref(_) if array => return None,
                _ => break,
            }
            access.whole = outer;
        }
        let class = tree.types.class(tree.exprs[access.whole].ty);
        access.scalar = [Class::Scalar, Class::Pointer].contains(&class);
        Some(access)
    }

    /// Whether the access is to this scalar part, to one element of it, or to a scalar in this union.
    pub fn is(&self, part: &Part) -> bool {
        let same = match part.is_union {
            true => self.members.starts_with(&part.members),
            false => self.members == part.members,
        };
        self.scalar && same && self.is_one_of(part)
    }

    /// Whether the accessed object contains this part or some of its elements, or lies in this union.
    pub fn has(&self, part: &Part) -> bool {
        part.members.starts_with(&self.members)
            || (part.is_union && self.members.starts_with(&part.members))
    }

    /// Whether the access covers only one element of a part, so that one flag suffices.
    pub fn is_one_of(&self, part: &Part) -> bool {
        match part.is_union {
            true => self.indexes.len() >= part.lengths.len(),
            false => self.indexes.len() == part.lengths.len(),
        }
    }
}

/// Whether an index has the same value if it is evaluated again in the same full expression: it
/// consists of constants and of automatic variables whose address is not taken.
pub(super) fn is_stable(tree: &Tree, index: ExprId, taken: impl Fn(ObjectId) -> bool) -> bool {
    let mut open = vec![index];
    while let Some(e) = open.pop() {
        match &tree.exprs[e].kind {
            ExprKind::Int(_) | ExprKind::Char(Some(_)) => {}
            ExprKind::Ident(Resolved::Object(object)) => {
                let of = &tree.objects[*object];
                let automatic = [Storage::Local, Storage::Parameter].contains(&of.storage);
                let plain = !of.ty.quals.is_volatile && !of.ty.quals.is_atomic;
                let scalar = tree.types.class(of.ty) == Class::Scalar;
                if !automatic || !plain || !scalar || taken(*object) {
                    return false;
                }
            }
            ExprKind::Ident(_) if cfront::consteval::eval(tree, e).is_some() => {}
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => open.push(*a),
            ExprKind::Binary(_, a, b) => open.extend([*a, *b]),
            _ => return false,
        }
    }
    true
}
