//! Arrays in unions. CBMC 6.6 loses what is stored in a union with an array of more than 64 elements (`u.buf[0] = 1` leaves 0 there),
//! unless it is told to follow such arrays element by element, which takes long for many.

use std::collections::BTreeMap;

use crate::parse::Unit;
use crate::span::{RecordId, Span};
use crate::tree::Tree;
use crate::types::{ArrayLen, QualType, Type};

/// The most elements that CBMC follows without being told.
const FOLLOWED: u64 = 64;

/// The most elements that it can be told to follow.
pub const MOST: u64 = 1024;

/// The longest array of more than 64 elements in a union that the program has an expression of: its elements, and the place of the
/// expression. Linear in the program.
pub fn longest_array(unit: &Unit) -> Option<(u64, Span)> {
    let mut arrays = Arrays {
        tree: &unit.tree,
        known: BTreeMap::new(),
    };
    let exprs = unit.tree.exprs.iter().filter(|(_, e)| !e.unevaluated);
    let mut longest: Option<(u64, Span)> = None;
    for (_, expr) in exprs {
        let pointed = unit.tree.types.pointee(expr.ty);
        let types = [Some(expr.ty), pointed].into_iter().flatten();
        let most = types.map(|ty| arrays.longest(ty, false)).max().unwrap_or(0);
        if most > longest.map_or(FOLLOWED, |(known, _)| known) {
            longest = Some((most, expr.span));
        }
    }
    longest
}

struct Arrays<'a> {
    tree: &'a Tree,
    /// What is known of structures and unions, in a union or not.
    known: BTreeMap<(RecordId, bool), u64>,
}

impl Arrays<'_> {
    /// The elements of the longest array in a union that a type has in it, or, where it is in one itself, of the longest array that it
    /// is or has in it; 0 if there is none.
    fn longest(&mut self, ty: QualType, is_inside: bool) -> u64 {
        match self.tree.type_of(ty) {
            Type::Array(of, length) => {
                let own = match length {
                    _ if !is_inside => 0,
                    ArrayLen::Known(elements) => *elements,
                    ArrayLen::Unspecified => 0,
                    // A union has no array of variable length: this one's is only not known here.
                    ArrayLen::Variable => MOST,
                };
                own.max(self.longest(*of, is_inside))
            }
            Type::Record(record) => self.of_record(*record, is_inside),
            _ => 0,
        }
    }

    fn of_record(&mut self, id: RecordId, is_inside: bool) -> u64 {
        if let Some(known) = self.known.get(&(id, is_inside)) {
            return *known;
        }
        let record = &self.tree.types.records[id];
        let members = record.members.iter().flatten();
        let each = members.map(|member| self.longest(member.ty, is_inside || record.is_union));
        let most = each.max().unwrap_or(0);
        self.known.insert((id, is_inside), most);
        most
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Source;

    fn longest(text: &str) -> Option<u64> {
        let unit = Unit::parse(Source::from_bytes(text.as_bytes().to_vec())).unwrap();
        longest_array(&unit).map(|(elements, _)| elements)
    }

    #[test]
    fn long_arrays_in_unions_are_found_where_they_are_used() {
        let longest_in = |members: &str, use_of: &str| {
            longest(&format!("union u {{ {members} }} u; struct s {{ int a[99]; union u in[2]; }} s, *p;\nvoid f(void) {{ {use_of}; }}\n"))
        };
        assert_eq!(longest_in("char b[80]; int i;", "u.i = 1"), Some(80));
        assert_eq!(longest_in("char b[80]; int i;", "s.in[1].i = 1"), Some(80));
        assert_eq!(longest_in("char b[80]; int i;", "p->a[0] = 1"), Some(80));
        assert_eq!(
            longest_in("struct { int k, b[3][70]; } m; int i;", "u.i = 1"),
            Some(70)
        );
        assert_eq!(longest_in("char b[64]; int i;", "u.i = 1"), None);
        assert_eq!(longest_in("char b[80]; int i;", "int k = 0; k++"), None);
        assert_eq!(longest_in("char *b[2]; int i;", "s.a[98] = 1"), None);
    }

    #[test]
    fn types_with_many_parts_are_no_trouble() {
        let mut text = "union u0 { char b[80]; int i; };\n".to_owned();
        for n in 1..60 {
            let of = n - 1;
            text += &format!("union u{n} {{ union u{of} a, b; }};\n");
        }
        text += "union u59 *p; void f(void) { p++; }";
        assert_eq!(longest(&text), Some(80));
    }
}
