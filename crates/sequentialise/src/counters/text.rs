//! The text of the function that takes an amount off all counters of a class.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use cfront::stepped::{OWN, SHIFT, SHIFTS};
use cfront::tree::{Storage, Tree};
use cfront::types::{ArrayLen, QualType, Type};
use cfront::Unit;

use super::classes::{width, Classes, Key};
use super::model::{self, Memory};

/// The most counters of a class.
const MOST: usize = 64;

/// A class: its counters, those of them that no thread has for itself, and of what an amount is a multiple.
#[derive(Default)]
struct Class {
    counters: Vec<String>,
    bases: Vec<String>,
    multiple: u64,
    bits: u32,
    is_large: bool,
}

/// The definition, if there are such counters. They are shifted once a thread has begun, if `begins` says so.
pub(super) fn shift(
    unit: &Unit,
    classes: &mut Classes,
    (begins, memory): (bool, Memory),
) -> Option<String> {
    let tree = &unit.tree;
    let mut found: BTreeMap<usize, Class> = BTreeMap::new();
    for (id, object) in tree.objects.iter() {
        let file_scope = matches!(object.storage, Storage::Global | Storage::FileStatic);
        if !file_scope || object.in_system_header || !object.defined {
            continue;
        }
        let mut places = Vec::new();
        let base = !own(&object.name);
        walk(tree, object.ty, &object.name, Key::Object(id), &mut places);
        for (place, key, bits) in places {
            let Some((class, multiple)) = classes.shifted(key) else {
                continue;
            };
            let class = found.entry(class).or_default();
            class.multiple = multiple;
            class.bits = bits;
            match place {
                Some(place) => {
                    if base && !place.contains('[') {
                        class.bases.push(place.clone());
                    }
                    class.counters.push(place);
                }
                None => class.is_large = true,
            }
        }
    }
    let (mut functions, mut calls) = (String::new(), String::new());
    if memory == Memory::Views {
        functions.push_str(model::DEFINITION);
    }
    for class in found.into_values() {
        let Some(base) = class.bases.first() else {
            continue;
        };
        if class.is_large || class.counters.len() > MOST {
            continue;
        }
        let unsigned = match class.bits {
            64 => "unsigned long long",
            _ => "unsigned int",
        };
        let amount = match class.multiple {
            1 => format!("({unsigned}){base}"),
            multiple => format!("({unsigned}){base} & ~({unsigned}){}", multiple - 1),
        };
        // A function for each class: whoever has a better way for one leaves it out.
        let name = format!("{SHIFTS}{}", calls.lines().count());
        let _ = writeln!(
            functions,
            "\nstatic void {name}(void) {{\n  {unsigned} sequential_amount = {amount};"
        );
        for counter in &class.counters {
            if memory == Memory::Views {
                let (stores, place) = (model::STORES, model::PLACE);
                let _ = writeln!(
                    functions,
                    "  {stores}({place}(&{counter}), sequential_amount);"
                );
            }
            let _ = writeln!(
                functions,
                "  {counter} = ({unsigned}){counter} - sequential_amount;"
            );
        }
        functions.push_str("}\n");
        let _ = writeln!(calls, "  {name}();");
    }
    let guard = match begins {
        true => "  if (!sequential_begun()) return;\n",
        false => "",
    };
    (!calls.is_empty())
        .then(|| format!("{functions}\nstatic void {SHIFT}(void) {{\n{guard}{calls}}}\n"))
}

/// Whether a variable is one of a thread: it may have lost its value.
fn own(name: &str) -> bool {
    let rest = name.strip_prefix(OWN);
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// The integers of an object, each with its key and width; without a text if they are too many.
fn walk(
    tree: &Tree,
    ty: QualType,
    path: &str,
    key: Key,
    out: &mut Vec<(Option<String>, Key, u32)>,
) {
    match tree.type_of(ty) {
        Type::Array(element, ArrayLen::Known(length)) if *length <= MOST as u64 => {
            for index in 0..*length {
                walk(tree, *element, &format!("{path}[{index}]"), key, out);
            }
        }
        Type::Array(element, _) => {
            let mut inside = Vec::new();
            walk(tree, *element, path, key, &mut inside);
            out.extend(inside.into_iter().map(|(_, key, bits)| (None, key, bits)));
        }
        Type::Record(record) => {
            let members = tree.types.records[*record].members.iter().flatten();
            for (number, member) in members.enumerate() {
                let path = match &member.name {
                    Some(name) => format!("{path}.{name}"),
                    None => path.to_owned(),
                };
                walk(tree, member.ty, &path, Key::Member(*record, number), out);
            }
        }
        _ => out.extend(width(tree, ty).map(|bits| (Some(path.to_owned()), key, bits))),
    }
}
