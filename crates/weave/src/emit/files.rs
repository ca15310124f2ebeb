//! Programs of several files: distributes the emitted text over the files.
//!
//! The monitor is defined once. The file with `main` gets the definitions of the prologue, all others the
//! declarations. A definition of the epilogue goes to a file that sees every user's name in it; functions of
//! other files read the objects that this file does not see.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use cfront::span::Id;
use cfront::tree::Entity;
use cfront::Unit;

pub use crate::facts::files::{File, Name};
use crate::facts::names::{user, MarkedName};
use crate::facts::{Facts, ObjectIndex};
use crate::items::{alone, items, Item, Linkage};

/// The emitted text before a file's program text and after it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    /// The text before.
    pub prologue: String,
    /// The text after.
    pub epilogue: String,
}

/// The files of a unit.
pub fn files(unit: &Unit) -> Vec<File> {
    let scopes: Vec<_> = unit
        .tree
        .scopes
        .iter()
        .filter(|(_, scope)| scope.parent.is_none())
        .map(|(_, scope)| scope)
        .collect();
    let several = unit.parts.len() > 1;
    let names = |part: usize| -> HashMap<String, Name> {
        let scope = scopes.get(part).filter(|_| several);
        let names = scope.into_iter().flat_map(|s| &s.names);
        names
            .filter_map(|(name, list)| {
                let meaning = match list.last()?.1 {
                    Entity::Object(object) => Name::Object(object.index()),
                    Entity::Function(function) => Name::Function(function),
                    _ => Name::Other,
                };
                Some((name.clone(), meaning))
            })
            .collect()
    };
    unit.parts
        .iter()
        .enumerate()
        .map(|(part, span)| File {
            range: crate::facts::range(*span),
            names: names(part),
        })
        .collect()
}

/// The file of an offset.
pub fn file_of(files: &[File], offset: usize) -> usize {
    let after = files.partition_point(|file| file.range.start <= offset);
    after.saturating_sub(1)
}

/// Distributes the emitted text around a program over its files. `main` is the file for definitions that could
/// stand in any.
///
/// # Errors
/// The user's names that no single file sees all of.
pub fn distribute(
    prologue: &str,
    epilogue: &str,
    facts: &Facts,
    files: &[File],
    main: usize,
) -> Result<Vec<Texts>, String> {
    if files.len() < 2 {
        let seen_outside = facts.functions.iter().any(|f| f.inline_for_all);
        let mut declared = BTreeSet::new();
        let mut text = |rendered: &str| match seen_outside {
            true => text_of(&owned_by(items(rendered), main), main, &mut declared),
            false => alone(rendered),
        };
        return Ok(vec![Texts {
            prologue: text(prologue),
            epilogue: text(epilogue),
        }]);
    }
    let mut distributor = Distributor {
        facts,
        files,
        main,
        read: BTreeSet::new(),
    };
    let in_front = owned_by(items(prologue), main);
    let mut behind = Vec::new();
    for mut item in items(epilogue) {
        let owner = distributor.place(&mut item)?;
        behind.push((item, owner));
    }
    let (prototypes, mut definitions) = distributor.readers();
    Ok((0..files.len())
        .map(|file| {
            let mut declared = BTreeSet::new();
            Texts {
                prologue: text_of(&in_front, file, &mut declared),
                epilogue: prototypes.clone()
                    + &text_of(&behind, file, &mut declared)
                    + &definitions.remove(&file).unwrap_or_default(),
            }
        })
        .collect())
}

/// Items, each with the file that defines it.
type Owned = Vec<(Item, usize)>;

fn owned_by(items: Vec<Item>, file: usize) -> Owned {
    items.into_iter().map(|item| (item, file)).collect()
}

/// The text of the items in one file: definitions of its own, declarations of the others'. Every function in
/// `declared` was declared before; each is declared once, and before its definition, since projects enable
/// warnings (`-Wmissing-prototypes`, `-Wredundant-decls`).
fn text_of(items: &Owned, file: usize, declared: &mut BTreeSet<String>) -> String {
    let mut text = String::new();
    for (item, owner) in items {
        let known = |signature: &str| !declared.insert(signature.to_string());
        let known = item.signature().is_some_and(known);
        let defined_here = *owner == file;
        let form = match item {
            Item::Text(line) if text.ends_with('\n') => {
                line.strip_prefix('\n').unwrap_or(line).to_string()
            }
            Item::Function(_) | Item::Variable(_) => match (known, defined_here) {
                (true, true) => item.definition(Linkage::External),
                (true, false) => String::new(),
                (false, true) => {
                    format!(
                        "{}\n{}",
                        item.declaration(),
                        item.definition(Linkage::External)
                    )
                }
                (false, false) => item.declaration(),
            },
            _ => item.definition(Linkage::External),
        };
        text.push_str(&form);
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// The most names that a message lists.
const MOST_NAMES: usize = 8;

struct Distributor<'a> {
    facts: &'a Facts,
    files: &'a [File],
    main: usize,
    /// Objects that another file than those that see them reads.
    read: BTreeSet<ObjectIndex>,
}

impl Distributor<'_> {
    /// Finds the file for an item, and rewrites the item's reads of objects that the file does not see.
    fn place(&mut self, item: &mut Item) -> Result<usize, String> {
        let wanted: Vec<(MarkedName, Option<Name>)> = item
            .names()
            .into_iter()
            .map(|name| {
                let meaning = self.meaning(&name);
                (name, meaning)
            })
            .collect();
        let hidden = |file: usize| -> Vec<&MarkedName> {
            let sees = |name: &str, meaning: &Option<Name>| {
                meaning.is_none() || self.files[file].names.get(name) == meaning.as_ref()
            };
            wanted
                .iter()
                .filter(|(name, meaning)| !sees(&name.name, meaning))
                .map(|(name, _)| name)
                .collect()
        };
        let readable = |name: &&MarkedName| self.readable(name).is_some();
        let mut files = vec![self.main];
        files.extend((0..self.files.len()).filter(|&f| f != self.main));
        let best = files
            .into_iter()
            .map(|file| (hidden(file), file))
            .filter(|(hidden, _)| hidden.iter().all(readable))
            .min_by_key(|(hidden, _)| hidden.len());
        let Some((hidden, file)) = best else {
            let mut names: Vec<String> = wanted.iter().map(|(n, _)| n.name.clone()).collect();
            names.sort();
            names.dedup();
            if names.len() > MOST_NAMES {
                let more = names.len() - MOST_NAMES;
                names.truncate(MOST_NAMES);
                names.push(format!("and {more} more"));
            }
            return Err(names.join(", "));
        };
        let mut readers = BTreeMap::new();
        for name in hidden {
            if let Some(object) = self.readable(name) {
                readers.insert(name.clone(), format!("{}()", reader(self.facts, object)));
                self.read.insert(object);
            }
        }
        item.replace(&readers);
        Ok(file)
    }

    /// The meaning of a name: that of its mark, or the same in every file that has the name. Names of no file,
    /// such as members, have no meaning.
    fn meaning(&self, name: &MarkedName) -> Option<Name> {
        if let Some(object) = name.object {
            return Some(Name::Object(object));
        }
        if let Some(function) = name.function {
            return Some(Name::Function(self.facts.functions[function].id));
        }
        let first_main = [self.main].into_iter().chain(0..self.files.len());
        let mut meanings = first_main.filter_map(|f| self.files[f].names.get(&name.name));
        meanings.next().copied()
    }

    /// The object that a name means, if a function can return its value.
    fn readable(&self, name: &MarkedName) -> Option<ObjectIndex> {
        let Some(Name::Object(object)) = self.meaning(name) else {
            return None;
        };
        let scalar = self.facts.objects[object].value_type.is_some();
        (name.value && scalar).then_some(object)
    }

    /// The functions that read objects for other files: their prototypes, and the definitions for each file.
    fn readers(&self) -> (String, BTreeMap<usize, String>) {
        let mut prototypes = String::new();
        let mut definitions: BTreeMap<usize, String> = BTreeMap::new();
        for &object in &self.read {
            let name = &self.facts.objects[object].name;
            let ty = self.facts.objects[object].value_type.as_deref();
            let head = format!(
                "{} {}(void)",
                ty.unwrap_or("int"),
                reader(self.facts, object)
            );
            let sees = |file: &File| file.names.get(name) == Some(&Name::Object(object));
            let file = self.files.iter().position(sees).unwrap_or(self.main);
            prototypes.push_str(&format!("{head};\n"));
            let definition = format!("{head} {{ return {}; }}\n", user(name));
            definitions.entry(file).or_default().push_str(&definition);
        }
        (prototypes, definitions)
    }
}

/// The name of the function that returns an object's value to other files.
fn reader(facts: &Facts, object: ObjectIndex) -> String {
    format!("ba_read_{}_{object}", facts.objects[object].name)
}
