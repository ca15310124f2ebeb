//! Classes of places that hold counters, and what pointers lead to (Steensgaard, *Points-to analysis in almost linear time*,
//! POPL 1996).

use std::collections::{BTreeMap, BTreeSet};

use cfront::span::{FunctionId, ObjectId, RecordId};
use cfront::tree::Tree;
use cfront::types::{QualType, Type};

/// What has a class: all elements of an array have one, and so has a member of all objects of a structure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Key {
    Object(ObjectId),
    Member(RecordId, usize),
    Result(FunctionId),
}

/// The types by which memory is accessed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Shape {
    Integer(u32),
    Record(RecordId),
    Pointer,
    Other,
}

#[derive(Clone, Debug)]
struct Node {
    parent: usize,
    /// What the pointers that it holds lead to.
    target: Option<usize>,
    shapes: BTreeSet<Shape>,
    /// Its values count, and stay as they are.
    fixed: bool,
    /// Anybody may change it in any way.
    exposed: bool,
    /// Something is added to it.
    grows: bool,
    /// Amounts that are taken off are multiples of this power of two.
    multiple: u64,
}

/// All classes of a program.
#[derive(Debug, Default)]
pub(super) struct Classes {
    nodes: Vec<Node>,
    keys: BTreeMap<Key, usize>,
}

/// The width of an integer that may be a counter. Narrower ones are few values anyway, and are promoted.
pub(super) fn width(tree: &Tree, ty: QualType) -> Option<u32> {
    match tree.type_of(ty) {
        Type::Int(kind) => Some(tree.types.bits(*kind)).filter(|bits| matches!(bits, 32 | 64)),
        _ => None,
    }
}

impl Classes {
    pub fn fresh(&mut self) -> usize {
        let parent = self.nodes.len();
        self.nodes.push(Node {
            parent,
            target: None,
            shapes: BTreeSet::new(),
            fixed: false,
            exposed: false,
            grows: false,
            multiple: 1,
        });
        parent
    }

    /// The class of a place.
    pub fn of(&mut self, tree: &Tree, key: Key) -> usize {
        if let Some(&node) = self.keys.get(&key) {
            return self.find(node);
        }
        let node = self.fresh();
        self.keys.insert(key, node);
        let (ty, is_bit_field) = match key {
            Key::Object(object) => (tree.objects[object].ty, false),
            Key::Result(function) => match tree.types.function(tree.functions[function].ty) {
                Some(function) => (function.ret, false),
                None => return node,
            },
            Key::Member(record, number) => {
                let members = tree.types.records[record].members.as_ref();
                match members.and_then(|all| all.get(number)) {
                    Some(member) => (member.ty, member.is_bit_field),
                    None => return node,
                }
            }
        };
        self.shape(tree, node, ty);
        if is_bit_field {
            self.fix(node);
        }
        node
    }

    pub fn find(&mut self, mut node: usize) -> usize {
        while self.nodes[node].parent != node {
            let above = self.nodes[self.nodes[node].parent].parent;
            self.nodes[node].parent = above;
            node = above;
        }
        node
    }

    fn at(&mut self, node: usize) -> &mut Node {
        let node = self.find(node);
        &mut self.nodes[node]
    }

    /// Notes that memory is accessed by a type.
    pub fn shape(&mut self, tree: &Tree, node: usize, ty: QualType) {
        let mut ty = ty;
        while let Type::Array(element, _) = tree.type_of(ty) {
            ty = *element;
        }
        let shape = match tree.type_of(ty) {
            Type::Void | Type::Function(_) => return,
            Type::Record(record) => Shape::Record(*record),
            Type::Pointer(_) => Shape::Pointer,
            Type::Int(kind) => Shape::Integer(tree.types.bits(*kind)),
            _ => Shape::Other,
        };
        let node = self.at(node);
        node.fixed |= !matches!(shape, Shape::Integer(32 | 64));
        node.shapes.insert(shape);
    }

    pub fn fix(&mut self, node: usize) {
        self.at(node).fixed = true;
    }

    pub fn expose(&mut self, node: usize) {
        let node = self.at(node);
        node.fixed = true;
        node.exposed = true;
    }

    pub fn grows(&mut self, node: usize) {
        self.at(node).grows = true;
    }

    /// Only the remainder by a power of two counts.
    pub fn remainder(&mut self, node: usize, power: u64) {
        let node = self.at(node);
        node.multiple = node.multiple.max(power);
    }

    /// What the pointers of a place lead to.
    pub fn target(&mut self, node: usize) -> usize {
        let node = self.find(node);
        if let Some(target) = self.nodes[node].target {
            return self.find(target);
        }
        let target = self.fresh();
        self.nodes[node].target = Some(target);
        target
    }

    pub fn unite(&mut self, a: usize, b: usize) {
        let mut pending = vec![(a, b)];
        while let Some((a, b)) = pending.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                continue;
            }
            let gone = self.nodes[b].clone();
            self.nodes[b].parent = a;
            let kept = &mut self.nodes[a];
            kept.fixed |= gone.fixed;
            kept.exposed |= gone.exposed;
            kept.grows |= gone.grows;
            kept.multiple = kept.multiple.max(gone.multiple);
            kept.shapes.extend(gone.shapes);
            match (kept.target, gone.target) {
                (Some(one), Some(other)) => pending.push((one, other)),
                (None, other) => kept.target = other,
                _ => {}
            }
        }
    }

    /// Follows what is exposed: what it leads to, and members of structures that are accessed by other types.
    pub fn settle(&mut self, tree: &Tree) {
        let mut members = BTreeMap::new();
        let mut known = usize::MAX;
        while known != members.len() || self.lead_on() {
            known = members.len();
            let punned = |n: &Node| n.shapes.len() > 1;
            for node in 0..self.nodes.len() {
                if self.nodes[node].parent != node {
                    continue;
                }
                if punned(&self.nodes[node]) {
                    self.expose(node);
                }
                if !self.nodes[node].exposed {
                    continue;
                }
                let records = self.nodes[node].shapes.iter().filter_map(|s| match s {
                    Shape::Record(record) => Some(*record),
                    _ => None,
                });
                for record in records.collect::<Vec<_>>() {
                    let count = tree.types.records[record].members.as_ref();
                    for number in 0..count.map_or(0, Vec::len) {
                        let key = Key::Member(record, number);
                        let member = self.of(tree, key);
                        if members.insert(key, ()).is_none() {
                            self.expose(member);
                        }
                    }
                }
            }
        }
    }

    /// Exposes what exposed pointers lead to; whether something was not exposed before.
    fn lead_on(&mut self) -> bool {
        let mut more = false;
        for node in 0..self.nodes.len() {
            if self.nodes[node].parent != node || !self.nodes[node].exposed {
                continue;
            }
            if let Some(target) = self.nodes[node].target {
                more |= !self.at(target).exposed;
                self.expose(target);
            }
        }
        more
    }

    /// The class of a place whose counters may be shifted, and of what their amount is a multiple.
    pub fn shifted(&mut self, key: Key) -> Option<(usize, u64)> {
        let node = *self.keys.get(&key)?;
        let node = self.find(node);
        let found = &self.nodes[node];
        (!found.fixed && found.grows).then_some((node, found.multiple))
    }
}
