//! The structure of objects, and the C text that copies and compares them part by part. Padding is left out,
//! and pointers compare as pointers.

use std::borrow::Cow;

use cfront::consteval::size_of;
use cfront::tree::Tree;
use cfront::types::{ArrayLen, Class, Member, QualType, Type};

/// The most scalars of one object that are compared: each is a line of emitted code.
pub(crate) const COMPARED: u64 = 1024;
/// The most scalars of one object that are a part of a state for proofs, which compare them without code.
pub(crate) const LISTED: u64 = 4096;

/// The structure of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// An integer or a pointer.
    Scalar,
    /// A floating-point number, whose zeros have two signs.
    Real,
    /// This many elements of a shape.
    Array(u64, Box<Shape>),
    /// A structure: the paths to its members, and their shapes. A member without a name has an empty path.
    Record(Vec<(String, Shape)>),
    /// A part that never changes.
    Constant,
    /// A part that cannot be compared, as a phrase (`a union`).
    Opaque(&'static str),
}

impl Shape {
    /// The shape of an object with static storage, whose `const` parts never change.
    pub fn of_static(tree: &Tree, ty: QualType) -> Shape {
        Shape::nested(tree, ty, 0, &|_| Shape::Constant)
    }

    /// The shape of a local, whose `const` parts differ between activations.
    pub fn of_local(tree: &Tree, mut ty: QualType) -> Shape {
        if matches!(tree.types.class(ty), Class::Scalar | Class::Pointer) {
            ty.quals.is_const = false;
        }
        let constant = |_| Shape::Opaque("constant in a part, which cannot be copied");
        Shape::nested(tree, ty, 0, &constant)
    }

    fn nested(
        tree: &Tree,
        ty: QualType,
        depth: usize,
        constant: &dyn Fn(QualType) -> Shape,
    ) -> Shape {
        const DEEPEST: usize = 64;
        if ty.quals.is_const {
            return constant(ty);
        }
        match tree.types.get(ty) {
            _ if depth > DEEPEST => Shape::Opaque("a type that is nested too deep"),
            Type::Bool | Type::Int(_) | Type::Enum(_) | Type::Pointer(_) => Shape::Scalar,
            Type::Float(_) => Shape::Real,
            Type::Array(element, ArrayLen::Known(n)) => Shape::Array(
                *n,
                Box::new(Shape::nested(tree, *element, depth + 1, constant)),
            ),
            Type::Array(..) => Shape::Opaque("an array whose length is not constant"),
            Type::Record(record) => {
                let record = &tree.types.records[*record];
                if record.is_union {
                    return Shape::of_union(tree, ty).unwrap_or(Shape::Opaque("a union"));
                }
                let members = record.members.iter().flatten();
                let shapes = members.map(|m| {
                    let shape = Shape::nested(tree, m.ty, depth + 1, constant);
                    match (&m.name, &shape) {
                        (Some(name), _) => (format!(".{name}"), shape),
                        (None, Shape::Record(_) | Shape::Opaque(_)) => (String::new(), shape),
                        // The padding of bit-fields.
                        (None, _) => (String::new(), Shape::Constant),
                    }
                });
                Shape::Record(shapes.collect())
            }
            Type::Unknown
            | Type::Vector(_)
            | Type::Void
            | Type::Complex(_)
            | Type::Function(_)
            | Type::VaList => Shape::Opaque("of a type that cannot be compared"),
        }
    }

    /// A union of integers, by a member that has all its bytes. It is one whole: writes of other members change it, too.
    fn of_union(tree: &Tree, ty: QualType) -> Option<Shape> {
        let (size, _) = integer_bytes(tree, ty)?;
        let Type::Record(record) = tree.types.get(ty) else {
            return None;
        };
        let mut members = tree.types.records[*record].members.iter().flatten();
        let all = members.find(|m| {
            !m.is_bit_field && integer_bytes(tree, m.ty).is_some_and(|(all, _)| all == size)
        })?;
        let shape = Shape::nested(tree, all.ty, 0, &|_| Shape::Constant);
        let way = all.name.as_ref().map_or(String::new(), |n| format!(".{n}"));
        // The path of the whole has no name of its own, so that no member is taken for a part of the state.
        let whole = Shape::Record(vec![(way, shape)]);
        Some(Shape::Record(vec![(String::new(), whole)]))
    }

    /// One member of a structure, or of all elements of an array of structures, or the whole, with the path to it.
    pub fn member(&self, member: Option<usize>) -> (&str, Cow<'_, Shape>) {
        match (self, member) {
            (Shape::Record(members), Some(m)) => members
                .get(m)
                .map_or(("", Cow::Borrowed(self)), |(way, shape)| {
                    (way, Cow::Borrowed(shape))
                }),
            (Shape::Array(..), Some(m)) => ("", Cow::Owned(self.only(m))),
            _ => ("", Cow::Borrowed(self)),
        }
    }

    /// What a reader sees behind the object's name: `.a`, or `[].a` for a member of all elements.
    pub fn name_of(&self, member: Option<usize>) -> String {
        match (self, member) {
            (Shape::Array(_, element), Some(_)) => format!("[]{}", element.name_of(member)),
            _ => self.member(member).0.to_string(),
        }
    }

    /// The shape without the other members of the structures.
    fn only(&self, member: usize) -> Shape {
        match self {
            Shape::Array(n, element) => Shape::Array(*n, Box::new(element.only(member))),
            Shape::Record(members) => {
                Shape::Record(members.get(member).cloned().into_iter().collect())
            }
            _ => self.clone(),
        }
    }

    /// The number of the member that text after the object's name, such as `.a == 1` or `[2].a == 1`, begins with.
    pub fn member_named(&self, behind: &str) -> Option<usize> {
        let (members, behind) = match self {
            Shape::Record(members) => (members, behind),
            Shape::Array(_, element) => {
                let (_, behind) = behind.trim_start().strip_prefix('[')?.split_once(']')?;
                return element.member_named(behind);
            }
            _ => return None,
        };
        let rest = behind.trim_start().strip_prefix('.')?.trim_start();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        let wanted = &rest[..end.unwrap_or(rest.len())];
        members
            .iter()
            .position(|(way, _)| way.strip_prefix('.') == Some(wanted))
    }

    /// The number of its scalars.
    fn count(&self) -> u64 {
        match self {
            Shape::Scalar | Shape::Real => 1,
            Shape::Array(n, element) => n.saturating_mul(element.count()),
            Shape::Record(members) => members
                .iter()
                .fold(0, |sum, (_, shape)| sum.saturating_add(shape.count())),
            Shape::Constant | Shape::Opaque(_) => 0,
        }
    }

    /// Why objects of this shape cannot be compared if they may have at `most` so many scalars, as a phrase.
    pub(crate) fn obstacle(&self, most: u64) -> Option<&'static str> {
        match self {
            Shape::Opaque(what) => Some(*what),
            Shape::Array(_, element) => element.obstacle(most),
            Shape::Record(members) => members.iter().find_map(|(_, shape)| shape.obstacle(most)),
            _ => None,
        }
        .or((self.count() > most).then_some("too large to be compared element by element"))
    }

    /// The paths to all scalars of an object, and whether they are floating-point numbers.
    pub(crate) fn scalars(&self, way: &str, out: &mut Vec<(String, bool)>) {
        match self {
            Shape::Scalar => out.push((way.to_string(), false)),
            Shape::Real => out.push((way.to_string(), true)),
            Shape::Array(n, element) => {
                (0..*n).for_each(|i| element.scalars(&format!("{way}[{i}]"), out));
            }
            Shape::Record(members) => {
                for (name, shape) in members {
                    shape.scalars(&format!("{way}{name}"), out);
                }
            }
            Shape::Constant | Shape::Opaque(_) => {}
        }
    }

    /// Statements that copy an object to another, and conditions that both are equal. `way` is the path from
    /// both to the compared part.
    pub fn keep(&self, object: &str, copy: &str, way: &str) -> (String, Vec<String>) {
        let mut scalars = Vec::new();
        self.scalars(way, &mut scalars);
        let (mut statements, mut conditions) = (String::new(), Vec::new());
        for (way, real) in scalars {
            statements.push_str(&format!("{copy}{way} = {object}{way}; "));
            conditions.push(format!("{object}{way} == {copy}{way}"));
            if real {
                conditions.push(format!(
                    "!__builtin_signbit({object}{way}) == !__builtin_signbit({copy}{way})"
                ));
            }
        }
        (statements, conditions)
    }
}

/// The number of bytes of a type and its alignment, if each of its bytes is a part of an integer that may have any value.
fn integer_bytes(tree: &Tree, ty: QualType) -> Option<(u64, u64)> {
    match tree.types.get(ty) {
        _ if ty.quals.is_const => None,
        Type::Int(_) => size_of(tree, ty).map(|size| (size, size)),
        Type::Array(element, ArrayLen::Known(n)) => {
            let (size, align) = integer_bytes(tree, *element)?;
            Some((size.checked_mul(*n)?, align))
        }
        Type::Record(record) => {
            let record = &tree.types.records[*record];
            let mut greatest = 1;
            // In bits: bit-fields without padding are parts of the bytes that they fill.
            let mut bits = 0u64;
            for member in record.members.as_ref()? {
                let start = if record.is_union { 0 } else { bits };
                let (more, align) = match member.is_bit_field {
                    true => field_bits(tree, member, start)?,
                    false => {
                        let (size, align) = integer_bytes(tree, member.ty)?;
                        (size.checked_mul(8)?, align)
                    }
                };
                if !member.is_bit_field && start % align.checked_mul(8)? != 0 {
                    return None;
                }
                greatest = greatest.max(align);
                bits = bits.max(start.checked_add(more)?);
            }
            let whole = bits % greatest.checked_mul(8)? == 0;
            whole.then_some((bits / 8, greatest))
        }
        _ => None,
    }
}

/// The width of a bit-field behind this many bits and the alignment of its type in bytes, if it has a name and no padding before it.
fn field_bits(tree: &Tree, member: &Member, start: u64) -> Option<(u64, u64)> {
    member.name.as_ref()?;
    let width = member.bits.filter(|bits| *bits > 0)?;
    let bytes = match tree.types.get(member.ty) {
        Type::Int(_) | Type::Bool if !member.ty.quals.is_const => size_of(tree, member.ty)?,
        _ => return None,
    };
    let unit = bytes.checked_mul(8)?;
    (start % unit + width <= unit).then_some((width, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_of_an_array_is_that_of_all_elements() {
        let pair = Shape::Record(vec![
            (".a".into(), Shape::Scalar),
            (".b".into(), Shape::Opaque("a union")),
        ]);
        let array = Shape::Array(2, Box::new(pair));
        let (way, only) = array.member(Some(0));
        let (statements, _) = only.keep("x", "y", way);
        assert_eq!(statements, "y[0].a = x[0].a; y[1].a = x[1].a; ");
        assert_eq!(only.obstacle(1000), None);
        assert!(array.member(Some(1)).1.obstacle(1000).is_some());
        assert_eq!(array.name_of(Some(1)), "[].b");
        assert_eq!(array.member_named("[1].b.c > 0"), Some(1));
        assert_eq!(array.member_named("[i"), None);
        assert_eq!(array.member_named(".a"), None);
    }

    #[test]
    fn parts_are_copied_and_compared_one_by_one() {
        let pair = Shape::Record(vec![
            (".a".into(), Shape::Scalar),
            (".b".into(), Shape::Real),
        ]);
        let array = Shape::Array(2, Box::new(pair));
        let (statements, conditions) = array.keep("x", "y", "");
        assert_eq!(
            statements,
            "y[0].a = x[0].a; y[0].b = x[0].b; y[1].a = x[1].a; y[1].b = x[1].b; "
        );
        assert_eq!(conditions.len(), 6);
        assert_eq!(conditions[0], "x[0].a == y[0].a");
        assert!(Shape::Array(2000, Box::new(Shape::Scalar))
            .obstacle(1000)
            .is_some());
        assert!(Shape::Array(2, Box::new(Shape::Opaque("a union")))
            .obstacle(1000)
            .is_some());
    }
}
