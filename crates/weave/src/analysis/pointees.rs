//! Where the pointers of the state may lead: to objects of their type at file scope whose addresses the program
//! takes, to their parts, into arrays of functions, to functions, or nowhere. These are guesses; a proof checks them at each head.

use std::collections::BTreeMap;

use cfront::access::address_taken;
use cfront::span::{Id, ObjectId};
use cfront::tree::{Storage, Tree};
use cfront::types::{ArrayLen, QualType, Type};
use cfront::CallGraph;

use crate::facts::heads::Target;

/// The most targets of a pointer; one with more is taken to keep its value in each loop.
const MOST: usize = 16;
/// The most parts of an object that are looked at.
const PARTS: usize = 64;
/// The most elements of an array that are targets of their own; of a longer one, any element is one target.
const APART: u64 = 12;

/// The targets of pointers, by the type that they point to.
pub(super) struct Pointees<'a> {
    tree: &'a Tree,
    /// The objects at file scope whose address is taken.
    objects: Vec<ObjectId>,
    /// The arrays that functions declare and whose address is taken, each element of which is a scalar.
    arrays: Vec<ObjectId>,
    /// The functions whose address is taken: names and types.
    functions: Vec<(String, QualType)>,
    known: BTreeMap<u32, Vec<Target>>,
}

impl<'a> Pointees<'a> {
    pub(super) fn new(tree: &'a Tree) -> Self {
        let named = |o: &ObjectId| {
            let object = &tree.objects[*o];
            let global = matches!(object.storage, Storage::Global | Storage::FileStatic);
            global && !object.thread_local && !object.ty.quals.is_const
        };
        let in_function = |o: &ObjectId| {
            let object = &tree.objects[*o];
            let local = matches!(object.storage, Storage::Local | Storage::StaticLocal);
            let array = matches!(
                tree.types.get(object.ty),
                Type::Array(_, ArrayLen::Known(_))
            );
            local && array && !object.thread_local && !object.ty.quals.is_const
        };
        let graph = CallGraph::new(tree);
        let functions = graph.address_taken.keys();
        let taken = address_taken(tree);
        Pointees {
            tree,
            objects: taken.keys().copied().filter(named).collect(),
            arrays: taken.keys().copied().filter(in_function).collect(),
            functions: functions
                .map(|&f| (tree.functions[f].name.clone(), tree.functions[f].ty))
                .collect(),
            known: BTreeMap::new(),
        }
    }

    /// The targets of a pointer to a type; none if there are too many.
    pub(super) fn of(&mut self, pointee: QualType) -> Vec<Target> {
        let key = pointee.ty.index() as u32;
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let mut found = vec![Target {
            text: "0".to_string(),
            object: None,
            more: 0,
            local: false,
        }];
        for &o in &self.objects {
            self.parts(o, pointee, &mut found);
        }
        let functions = self.functions.iter().filter(|(_, ty)| ty.ty == pointee.ty);
        found.extend(functions.map(|(name, _)| Target {
            text: name.clone(),
            object: None,
            more: 0,
            local: false,
        }));
        if found.len() > MOST {
            found.clear();
        } else {
            found.extend(self.within_functions(pointee, MOST - found.len()));
        }
        self.known.insert(key, found.clone());
        found
    }

    /// The arrays of a type that functions declare, if they are not too many.
    fn within_functions(&self, pointee: QualType, most: usize) -> Vec<Target> {
        let element = |o: &&ObjectId| match self.tree.types.get(self.tree.objects[**o].ty) {
            Type::Array(element, ArrayLen::Known(n)) => {
                (element.ty == pointee.ty).then_some((**o, *n))
            }
            _ => None,
        };
        let arrays = self.arrays.iter().filter_map(|o| element(&o));
        let arrays: Vec<Target> = arrays
            .map(|(o, n)| Target {
                text: format!("&{}[0]", self.tree.objects[o].name),
                object: Some(o.index()),
                more: n,
                local: true,
            })
            .collect();
        match arrays.len() <= most {
            true => arrays,
            false => Vec::new(),
        }
    }

    /// Adds the addresses of an object's parts of a type, and those behind the arrays of such parts.
    fn parts(&self, o: ObjectId, pointee: QualType, found: &mut Vec<Target>) {
        let object = &self.tree.objects[o];
        let mut add = |way: &str, more: u64| {
            found.push(Target {
                text: format!("&{}{way}", object.name),
                object: Some(o.index()),
                more,
                local: false,
            });
        };
        let anything = matches!(self.tree.types.get(pointee), Type::Void);
        let mut open = vec![(String::new(), object.ty)];
        let mut looked = 0;
        while let Some((way, ty)) = open.pop() {
            looked += 1;
            if looked > PARTS {
                // Too many to be the targets of one pointer.
                (0..MOST).for_each(|_| add(&way, 0));
                return;
            }
            if ty.ty == pointee.ty || anything {
                add(&way, 0);
                continue;
            }
            match self.tree.types.get(ty) {
                Type::Array(element, ArrayLen::Known(n))
                    if element.ty == pointee.ty && *n > APART =>
                {
                    add(&format!("{way}[0]"), *n);
                }
                Type::Array(element, ArrayLen::Known(n)) => {
                    if element.ty == pointee.ty {
                        add(&format!("{way}[{n}]"), 0);
                    }
                    let parts = (0..*n).rev().take(PARTS + 1);
                    open.extend(parts.map(|i| (format!("{way}[{i}]"), *element)));
                }
                Type::Record(record) => {
                    let members = self.tree.types.records[*record].members.iter().flatten();
                    let named = members.filter(|m| !m.is_bit_field);
                    open.extend(named.map(|m| {
                        let name = m.name.as_ref().map(|n| format!(".{n}"));
                        (way.clone() + &name.unwrap_or_default(), m.ty)
                    }));
                }
                _ => {}
            }
        }
    }
}
