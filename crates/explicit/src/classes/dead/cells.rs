//! Parts of objects that are live or dead: scalars, members of structures, and arrays, whose elements are not told apart.

use std::collections::{BTreeMap, BTreeSet};

use cfront::span::{ExprId, ObjectId, RecordId};
use cfront::tree::{ExprKind, Resolved, Tree};
use cfront::types::Type;

/// A set of cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Set(Vec<u64>);

impl PartialEq for Set {
    fn eq(&self, other: &Set) -> bool {
        let most = self.0.len().max(other.0.len());
        (0..most).all(|at| self.word(at) == other.word(at))
    }
}

impl Set {
    fn word(&self, at: usize) -> u64 {
        self.0.get(at).copied().unwrap_or(0)
    }

    /// Adds a cell.
    pub fn insert(&mut self, cell: usize) {
        if self.0.len() <= cell / 64 {
            self.0.resize(cell / 64 + 1, 0);
        }
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    /// Whether it has a cell.
    pub fn contains(&self, cell: usize) -> bool {
        self.word(cell / 64) >> (cell % 64) & 1 == 1
    }

    /// Adds all cells of another set.
    pub fn join(&mut self, other: &Set) {
        self.grow(other);
    }

    /// The same; whether it got more.
    pub fn grow(&mut self, other: &Set) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut more = false;
        for (own, new) in self.0.iter_mut().zip(&other.0) {
            more |= new & !*own != 0;
            *own |= new;
        }
        more
    }

    /// Takes away all cells of another set.
    pub fn remove(&mut self, other: &Set) {
        for (own, without) in self.0.iter_mut().zip(&other.0) {
            *own &= !without;
        }
    }

    /// The cells that both have.
    pub fn meet(&self, other: &Set) -> Set {
        Set(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }
}

/// The members on the way from an object to a part of it.
type Way = Vec<(RecordId, usize)>;

/// Where an lvalue without pointers is.
pub(super) struct Place {
    object: ObjectId,
    way: Way,
    /// Whether it may be less than what the way leads to: an element of an array, or a member of a union.
    is_part: bool,
    in_union: bool,
}

/// The cells whose values heads record.
#[derive(Debug, Default)]
pub(super) struct Cells {
    of_object: BTreeMap<ObjectId, Vec<(Way, usize)>>,
    count: usize,
}

impl Cells {
    /// Those of the recorded lvalues.
    pub fn of(tree: &Tree, recorded: impl Iterator<Item = ExprId>) -> Cells {
        let places = recorded.filter_map(|lvalue| place(tree, lvalue));
        let statics = places.filter(|place| tree.objects[place.object].is_static_duration());
        let named: BTreeSet<(ObjectId, Way)> =
            statics.map(|place| (place.object, place.way)).collect();
        let mut out = Cells::default();
        for (object, way) in named {
            let cells = out.of_object.entry(object).or_default();
            cells.push((way, out.count));
            out.count += 1;
        }
        out
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// All.
    pub fn all(&self) -> Set {
        let mut out = Set::default();
        (0..self.count).for_each(|cell| out.insert(cell));
        out
    }

    /// All of an object.
    pub fn add_object(&self, object: ObjectId, out: &mut Set) {
        let all = self.of_object.get(&object).into_iter().flatten();
        all.for_each(|(_, cell)| out.insert(*cell));
    }

    /// The cell whose value is recorded as that of an lvalue.
    pub fn recorded(&self, tree: &Tree, lvalue: ExprId) -> Option<usize> {
        let place = place(tree, lvalue)?;
        let mut all = self.of_object.get(&place.object)?.iter();
        all.find(|(way, _)| *way == place.way)
            .map(|(_, cell)| *cell)
    }

    /// Adds the cells that a place has something in common with.
    pub fn add_met(&self, place: &Place, out: &mut Set) {
        for (way, cell) in self.of_object.get(&place.object).into_iter().flatten() {
            if way.starts_with(&place.way) || place.way.starts_with(way) {
                out.insert(*cell);
            }
        }
    }

    /// Adds the cells that a write to a place overwrites.
    pub fn add_overwritten(&self, place: &Place, out: &mut Set) {
        for (way, cell) in self.of_object.get(&place.object).into_iter().flatten() {
            if !place.is_part && way.starts_with(&place.way) {
                out.insert(*cell);
            }
        }
    }
}

/// Where an lvalue is; `None` if it goes through a pointer or is no plain part of an object.
pub(super) fn place(tree: &Tree, lvalue: ExprId) -> Option<Place> {
    match &tree.exprs[lvalue].kind {
        ExprKind::Ident(Resolved::Object(object)) => Some(Place {
            object: *object,
            way: Vec::new(),
            is_part: false,
            in_union: false,
        }),
        ExprKind::Member {
            base,
            arrow: false,
            path,
            ..
        } => {
            let mut of = place(tree, *base)?;
            for &(record, member) in path {
                // Members of one union have the same bytes; what is behind it is not told apart.
                of.in_union |= tree.types.records[record].is_union;
                if !of.in_union {
                    of.way.push((record, member));
                }
            }
            of.is_part |= of.in_union;
            (!path.is_empty()).then_some(of)
        }
        ExprKind::Index { base, .. } => {
            let is_array = matches!(tree.types.get(tree.exprs[*base].ty), Type::Array(..));
            let mut of = place(tree, *base).filter(|_| is_array)?;
            of.is_part = true;
            Some(of)
        }
        _ => None,
    }
}
