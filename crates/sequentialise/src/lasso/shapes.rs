//! The parts of objects that are compared to find a repeated state.

use std::collections::BTreeMap;

use cfront::tree::Tree;
use cfront::types::{ArrayLen, QualType, Type};

use crate::facts::Facts;
use crate::models;
use crate::synctypes;

/// The greatest number of array elements that are compared.
pub(crate) const MOST_ELEMENTS: u64 = 256;

/// An object, or a variable of a thread, that belongs to the state.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    /// Its name in the emitted text.
    pub name: String,
    /// The paths to the compared parts.
    pub ways: Vec<String>,
    /// The condition under which it belongs to the state; `None` for always.
    pub when: Option<String>,
    /// The types of the compared parts that are `const`.
    pub constants: BTreeMap<String, String>,
}

/// The types, without qualifiers, of the scalar parts that are `const`, for the paths to them: no assignment may name them as
/// they are.
pub(crate) fn constants(facts: &Facts, ty: QualType) -> BTreeMap<String, String> {
    let mut walk = Walk {
        tree: facts.tree,
        kinds: facts.mutex_kinds,
        constant: false,
        constants: Vec::new(),
        out: Vec::new(),
    };
    // What cannot be followed is refused where the paths are asked for.
    if walk.part(ty, String::new()).is_err() {
        return BTreeMap::new();
    }
    let types = &facts.local_types.types;
    let named = walk.constants.into_iter().filter_map(|(way, ty)| {
        let plain = ty.unqualified();
        Some((way, types.declare_where(plain, "", &|_| true)?))
    });
    named.collect()
}

/// The paths to the scalar parts of an object of a type: empty for a scalar, `.next`,
/// `[3].lock.ba_owner`.
///
/// # Errors
/// Why an object of the type cannot be compared, in words for after "it is".
pub(crate) fn parts(tree: &Tree, ty: QualType, kinds: bool) -> Result<Vec<String>, String> {
    let mut walk = Walk {
        tree,
        kinds,
        constant: false,
        constants: Vec::new(),
        out: Vec::new(),
    };
    walk.part(ty, String::new())?;
    Ok(walk.out)
}

struct Walk<'a> {
    tree: &'a Tree,
    kinds: bool,
    /// Whether the part is in one that is `const`.
    constant: bool,
    /// The scalar parts that are `const`.
    constants: Vec<(String, QualType)>,
    out: Vec<String>,
}

impl Walk<'_> {
    fn part(&mut self, ty: QualType, way: String) -> Result<(), String> {
        let around = self.constant;
        self.constant |= ty.quals.is_const;
        let done = self.parts_of(ty, way);
        self.constant = around;
        done
    }

    fn parts_of(&mut self, ty: QualType, way: String) -> Result<(), String> {
        if self.out.len() as u64 > 4 * MOST_ELEMENTS {
            return Err("too large".into());
        }
        match self.tree.types.get(ty) {
            Type::Bool | Type::Int(_) | Type::Enum(_) | Type::Float(_) | Type::Pointer(_) => {
                if self.constant {
                    self.constants.push((way.clone(), ty));
                }
                self.out.push(way);
                Ok(())
            }
            Type::Complex(_) => Err("complex".into()),
            Type::Array(of, ArrayLen::Known(n)) if *n <= MOST_ELEMENTS => {
                (0..*n).try_for_each(|i| self.part(*of, format!("{way}[{i}]")))
            }
            Type::Array(_, ArrayLen::Known(n)) => Err(format!("an array of {n} elements")),
            Type::Array(..) => Err("an array without a constant length".into()),
            Type::Record(record) => {
                if let Some(members) = self.library(*record) {
                    self.out.extend(members.iter().map(|m| format!("{way}{m}")));
                    return Ok(());
                }
                let record = &self.tree.types.records[*record];
                let Some(members) = &record.members else {
                    return Err("of a type that is not complete".into());
                };
                let mut all = members.iter();
                if record.is_union && !all.all(|m| !m.is_bit_field && self.is_exact(m.ty)) {
                    return Err("a union with other parts than integers".into());
                }
                for member in members {
                    match &member.name {
                        Some(name) => self.part(member.ty, format!("{way}.{name}"))?,
                        None if member.is_bit_field => {}
                        None => self.part(member.ty, way.clone())?,
                    }
                }
                Ok(())
            }
            _ => Err("of a type that cannot be compared".into()),
        }
    }

    /// Whether an object consists of integers whose copies have the same bytes, so that the members
    /// of a union can be copied and compared one after the other. A `_Bool` has other bytes if
    /// another member was written; numbers that are no numbers differ from their copies.
    fn is_exact(&self, ty: QualType) -> bool {
        match self.tree.types.get(ty) {
            Type::Int(_) | Type::Enum(_) => true,
            Type::Array(of, ArrayLen::Known(_)) => self.is_exact(*of),
            Type::Record(record) if self.library(*record).is_none() => {
                let members = self.tree.types.records[*record].members.as_ref();
                members
                    .is_some_and(|all| all.iter().all(|m| !m.is_bit_field && self.is_exact(m.ty)))
            }
            _ => false,
        }
    }

    /// The members that replace those of a library type.
    fn library(&self, record: cfront::span::RecordId) -> Option<Vec<String>> {
        let found = models::MEMBERS
            .iter()
            .find(|(name, _)| synctypes::record(self.tree, name) == Some(record));
        let (_, members) = found?;
        let more = match self.kinds {
            true => models::MUTEX_MORE,
            false => "",
        };
        let members = members.replace(" BA_SEQ_MORE", more);
        let names = members
            .split([';', ',', ' '])
            .filter(|word| word.starts_with("ba_seq_"));
        Some(names.map(|name| format!(".{name}")).collect())
    }
}
