//! Values for the arguments of entries: any scalars, and pointers to objects that the driver owns.

mod values;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::lengths::{lengths, Named};
use super::{Entries, INPUT};
use crate::diag::Diagnostic;
use crate::parse::Unit;
use crate::rewriting::new_name;
use crate::span::{RecordId, Span};
use crate::tree::{Entity, Function, Mark, Tree};
use crate::types::{IntKind, QualType, Type};

/// The parameters of a function with their names; `` for one without.
pub(super) fn parameters<'a>(tree: &'a Tree, function: &'a Function) -> Vec<(&'a str, QualType)> {
    let params = function.body.as_ref().map_or(&[][..], |body| &body.params);
    let params = params.iter().map(|p| &tree.objects[*p]);
    params.map(|p| (p.name.as_str(), p.ty)).collect()
}

/// What a reader of a run wants to know of an argument.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Argument {
    /// The name of the choice of its value, behind [`INPUT`]; choices of contents have more behind it.
    pub word: String,
    /// How the choice is to be read.
    pub form: Form,
}

/// How the choice of an argument is to be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// The value itself.
    Value,
    /// One of these texts, by its number; the last for larger numbers.
    OneOf(Vec<String>),
    /// A number of elements from 1 to this one, which is that of all other choices, too.
    Length(u32),
    /// Null for 0, else an object with contents: the last elements, as many as the argument of this index says; or all.
    Contents(Option<usize>),
    /// Null for 0, else a string.
    Text,
    /// A structure with contents.
    Structure,
}

/// Objects of one structure type that calls share: they keep what calls leave in them.
struct Kept {
    /// The name of the first; those for further parameters of the same call have numbers behind it.
    name: String,
    /// How many there are: none if callers cannot make one.
    own: usize,
    /// The functions that give pointers to such objects.
    makers: Vec<String>,
    /// The type as it is written.
    spelling: String,
}

/// What makes the arguments of all calls.
pub(super) struct Arguments<'a> {
    tree: &'a Tree,
    entries: &'a Entries,
    /// Functions that a text outside the program cannot name.
    hidden: &'a dyn Fn(&Function) -> bool,
    kept: BTreeMap<RecordId, Kept>,
    /// Declarations of the functions that choose, each once.
    inputs: Vec<String>,
    /// Definitions of objects and callbacks.
    objects: Vec<String>,
    /// Sentences about what arguments cannot be.
    limits: BTreeSet<String>,
    /// The function that values are made for.
    at: (String, Span),
    /// Whether pointers are not null now.
    nonnull: bool,
}

/// A call of an entry.
pub(super) struct Call {
    /// Its statements, those of its arguments first.
    pub(super) lines: Lines,
    /// Its arguments in order.
    pub(super) arguments: Vec<Argument>,
}

/// Statements.
pub(super) type Lines = Vec<String>;

impl<'a> Arguments<'a> {
    pub(super) fn new(
        unit: &'a Unit,
        entries: &'a Entries,
        hidden: &'a dyn Fn(&Function) -> bool,
    ) -> Arguments<'a> {
        Arguments {
            tree: &unit.tree,
            entries,
            hidden,
            kept: BTreeMap::new(),
            inputs: Vec::new(),
            objects: Vec::new(),
            limits: BTreeSet::new(),
            at: (String::new(), Span::empty(0)),
            nonnull: entries.nonnull,
        }
    }

    fn refused(&self, what: &str) -> Diagnostic {
        let (name, at) = &self.at;
        let message = format!("`{name}` {what}, for which there are no values here");
        Diagnostic::error(*at, message).help(
            "name other functions as entries, or write this call by hand: `baproduct init --harness` writes the others",
        )
    }

    fn spelled(&self, ty: QualType, name: &str) -> Result<String, Diagnostic> {
        let plain = ty.unqualified();
        let declared = self.tree.types.declare(plain, name, self.tree.file_scope());
        declared.ok_or_else(|| self.refused("takes a type that has no name"))
    }

    /// Finds the structures that calls share: those that a pointer parameter lets a function change. A type of which the
    /// program alone can make objects, because a function gives them and takes none itself, has no object of the driver's.
    pub(super) fn keep(&mut self, functions: &[&'a Function]) {
        let tree = self.tree;
        for (record, changes) in pointed(tree, functions.iter()) {
            let gives = |f: &Function| {
                let returned = tree.types.function(f.ty).map(|f| f.ret);
                returned.is_some_and(|ret| self.record_behind(ret) == Some(record))
            };
            let takes = |f: &Function| {
                let params = parameters(tree, f);
                let all = params
                    .iter()
                    .filter(|p| self.record_behind(p.1) == Some(record));
                all.count()
            };
            let makers: Vec<&&Function> = functions.iter().filter(|f| gives(f)).collect();
            let makes = makers.iter().any(|f| takes(f) == 0);
            let complete = tree.types.records[record].members.is_some();
            if !changes && makers.is_empty() && complete {
                continue;
            }
            let own = functions.iter().map(|f| takes(f)).max().unwrap_or(0);
            let (tag, spelling) = self.names(record);
            let kept = Kept {
                name: format!("entry_{tag}"),
                own: if makes || !complete { 0 } else { own },
                makers: makers.iter().map(|f| f.name.clone()).collect(),
                spelling,
            };
            self.kept.insert(record, kept);
        }
    }

    /// The structure or union that a pointer points to.
    fn record_behind(&self, ty: QualType) -> Option<RecordId> {
        match self.tree.types.get(ty) {
            Type::Pointer(to) => match self.tree.types.get(*to) {
                Type::Record(id) => Some(*id),
                _ => None,
            },
            _ => None,
        }
    }

    /// A word for a structure, and its type as it is written; empty if it has no name.
    fn names(&self, id: RecordId) -> (String, String) {
        let record = &self.tree.types.records[id];
        let name = record.tag.as_ref().or(record.typedef_name.as_ref());
        let name = name.cloned().unwrap_or_default();
        let keyword = match (record.tag.is_some(), record.is_union) {
            (false, _) => "",
            (true, true) => "union ",
            (true, false) => "struct ",
        };
        (name.clone(), format!("{keyword}{name}"))
    }

    /// The statements of a call of this function, its arguments included.
    ///
    /// # Errors
    /// A parameter for which there are no values.
    pub(super) fn call(&mut self, function: &Function) -> Result<Call, Diagnostic> {
        let name = &function.name;
        let at = function.names.first().copied().unwrap_or(Span::empty(0));
        self.at = (name.clone(), at);
        let ty = self.tree.types.function(function.ty);
        if ty.is_some_and(|f| f.variadic) {
            return Err(self.refused("takes a variable number of arguments"));
        }
        let params = parameters(self.tree, function);
        let mut lines = Lines::new();
        let lengths = lengths(&self.named(&params));
        let local = |at: usize| match params[at].0 {
            "" => format!("entry_{at}"),
            name => format!("entry_{name}"),
        };
        let word = |at: usize| match params[at].0 {
            "" => format!("{name}_{at}"),
            param => format!("{name}_{param}"),
        };
        let mut told: Vec<Argument> = Vec::new();
        let nonnull = self.nonnull_of(function);
        for at in 0..params.len() {
            self.nonnull = nonnull(at);
            told.push(Argument {
                word: word(at),
                form: self.form(params[at].1, lengths.contains(&Some(at)), lengths[at]),
            });
        }
        // Lengths first: arrays end where they say.
        for (at, (_, ty)) in params.iter().enumerate() {
            if lengths.contains(&Some(at)) {
                let chosen = self.length(&word(at), &mut lines);
                lines.push(format!("{} = {chosen};", self.spelled(*ty, &local(at))?));
            }
        }
        let mut shared: BTreeMap<RecordId, usize> = BTreeMap::new();
        for (at, (_, ty)) in params.iter().enumerate() {
            if lengths.contains(&Some(at)) {
                continue;
            }
            self.nonnull = nonnull(at);
            let length = lengths[at].map(&local);
            let kept = self
                .record_behind(*ty)
                .filter(|id| self.kept.contains_key(id));
            let value = match (kept, &length) {
                (Some(id), None) => {
                    let number = shared.entry(id).or_insert(0);
                    *number += 1;
                    self.kept_pointer(id, *number - 1, &word(at), &mut lines)
                }
                _ => {
                    let depth = self.entries.depth;
                    self.value(*ty, &word(at), length.as_deref(), depth, &mut lines)?
                }
            };
            let Value::Text(value) = value else {
                // A structure is filled in its place.
                lines.insert(0, format!("{};", self.spelled(*ty, &local(at))?));
                self.fill(&local(at), *ty, &word(at), self.entries.depth, &mut lines)?;
                continue;
            };
            lines.push(format!("{} = {value};", self.spelled(*ty, &local(at))?));
        }
        self.nonnull = self.entries.nonnull;
        let arguments: Vec<String> = (0..params.len()).map(local).collect();
        let call = format!("{name}({});", arguments.join(", "));
        let given = ty.and_then(|f| self.record_behind(f.ret));
        lines.push(match given.and_then(|id| self.kept.get(&id)) {
            Some(kept) => format!("{}_given = {call}", kept.name),
            None => call,
        });
        Ok(Call {
            lines,
            arguments: told,
        })
    }

    /// Which parameters of a function are not null, by their indices.
    fn nonnull_of(&self, function: &Function) -> impl Fn(usize) -> bool {
        let marks = self
            .tree
            .marks
            .iter()
            .filter_map(|marked| match &marked.mark {
                Mark::NonNull(numbers) => Some((marked.entity, numbers)),
                _ => None,
            });
        let own = marks.filter(|(entity, _)| match entity {
            Entity::Function(f) => self.tree.functions[*f].name == function.name,
            _ => false,
        });
        let numbers: Vec<Vec<u32>> = own.map(|(_, numbers)| numbers.clone()).collect();
        let all = self.entries.nonnull;
        move |at| {
            let named = |numbers: &Vec<u32>| {
                numbers.is_empty() || numbers.iter().any(|n| *n as usize == at + 1)
            };
            all || numbers.iter().any(named)
        }
    }

    /// How the choice of an argument of this type is to be read.
    fn form(&self, ty: QualType, is_length: bool, length: Option<usize>) -> Form {
        let text = |name: &str| name.to_string();
        if is_length {
            return Form::Length(self.entries.length.max(1));
        }
        let kept = self.record_behind(ty).and_then(|id| self.kept.get(&id));
        if let (Some(kept), None) = (kept, length) {
            let own = format!("&{}", kept.name.trim_start_matches("entry_"));
            let given = format!("the last {} *", kept.spelling);
            let null = match (self.nonnull, kept.own > 0) {
                (false, _) => text("NULL"),
                (true, true) => own.clone(),
                (true, false) => given.clone(),
            };
            return Form::OneOf(match (kept.own > 0, kept.makers.is_empty()) {
                (true, true) => vec![null, own],
                (true, false) => vec![null, own, given],
                (false, _) => vec![null, given],
            });
        }
        match self.tree.types.get(ty) {
            Type::Pointer(to) => match self.tree.types.get(*to) {
                Type::Function(_) => {
                    let mut names = self.callbacks(*to);
                    if names.is_empty() {
                        names.push(text("a callback"));
                    }
                    let null = match self.nonnull {
                        true => names[0].clone(),
                        false => text("NULL"),
                    };
                    names.insert(0, null);
                    Form::OneOf(names)
                }
                Type::Int(IntKind::Char) if length.is_none() => Form::Text,
                _ => Form::Contents(length),
            },
            Type::Record(_) => Form::Structure,
            _ => Form::Value,
        }
    }

    /// The functions of the program with this type.
    fn callbacks(&self, ty: QualType) -> Vec<String> {
        let defined = self.tree.defined_functions().map(|(_, f, _)| f);
        let same = defined.filter(|f| f.ty.ty == ty.ty && !(self.hidden)(f));
        same.map(|f| f.name.clone()).collect()
    }

    fn named<'p>(&self, params: &[(&'p str, QualType)]) -> Vec<Named<'p>> {
        let of = |(name, ty): &(&'p str, QualType)| Named {
            name,
            points: match self.tree.types.get(*ty) {
                Type::Pointer(to) => !matches!(self.tree.types.get(*to), Type::Function(_)),
                _ => false,
            },
            counts: match self.tree.types.get(*ty) {
                Type::Int(kind) => !matches!(kind, IntKind::Char | IntKind::SChar | IntKind::UChar),
                _ => false,
            },
        };
        params.iter().map(of).collect()
    }

    /// A pointer to one of the objects that calls share.
    fn kept_pointer(
        &mut self,
        id: RecordId,
        number: usize,
        word: &str,
        lines: &mut Lines,
    ) -> Value {
        let Some(kept) = self.kept.get(&id) else {
            return Value::Text("0".into());
        };
        let own = match number {
            0 => format!("&{}", kept.name),
            n => format!("&{}_{}", kept.name, n + 1),
        };
        let given = format!("{}_given", kept.name);
        Value::Text(match (kept.own > 0, kept.makers.is_empty()) {
            (true, true) => self.or_null(&own, word),
            (true, false) => {
                let which = self.which(word, lines);
                let null = if self.nonnull { &own } else { "0" };
                format!("{which} == 0 ? {null} : {which} == 1 ? {own} : {given}")
            }
            (false, false) => self.or_null(&given, word),
            (false, true) => "0".into(),
        })
    }

    /// A pointer, or null where that is allowed.
    fn or_null(&mut self, pointer: &str, word: &str) -> String {
        match self.nonnull {
            true => pointer.to_string(),
            false => format!("{} ? {pointer} : 0", self.input("_Bool", word)),
        }
    }

    /// A variable with the choice among several pointers.
    fn which(&mut self, word: &str, lines: &mut Lines) -> String {
        let input = self.input("unsigned char", word);
        chosen(&format!("entry_which_{word}"), &input, lines)
    }

    /// A number of elements, from 1 to the most.
    fn length(&mut self, word: &str, lines: &mut Lines) -> String {
        let most = self.entries.length.max(1);
        let input = self.input("unsigned char", word);
        let local = chosen(&format!("entry_length_{word}"), &input, lines);
        self.limits.insert(format!(
            "arrays whose length is another argument have from 1 to {most} elements"
        ));
        let smaller = (1..most).map(|n| format!("{local} == {n} ? {n} : "));
        format!("{}{most}", smaller.collect::<String>())
    }

    /// A call that gives any value of a type.
    fn input(&mut self, ty: &str, word: &str) -> String {
        // Another parameter may have led to the same name, with another type.
        let end = format!(" {INPUT}{word}(void);\n");
        let declaration = format!("extern {ty}{end}");
        let known = self.inputs.iter().find(|known| known.ends_with(&end));
        match known {
            Some(known) if *known != declaration => return self.input(ty, &format!("{word}_2")),
            Some(_) => {}
            None => self.inputs.push(declaration),
        }
        format!("{INPUT}{word}()")
    }

    /// The statements that give shared objects their contents at first.
    ///
    /// # Errors
    /// A structure for which there are no values.
    pub(super) fn begin(&mut self) -> Result<Lines, Diagnostic> {
        let mut lines = Lines::new();
        let depth = self.entries.depth.saturating_sub(1);
        let kept: Vec<(RecordId, String, usize, bool, String)> = self
            .kept
            .iter()
            .map(|(id, k)| {
                (
                    *id,
                    k.name.clone(),
                    k.own,
                    k.makers.is_empty(),
                    k.spelling.clone(),
                )
            })
            .collect();
        for (id, name, own, unmade, spelling) in kept {
            if spelling.is_empty() {
                return Err(self.refused("takes a type that has no name"));
            }
            for number in 0..own {
                let object = match number {
                    0 => name.clone(),
                    n => format!("{name}_{}", n + 1),
                };
                self.objects.push(format!("static {spelling} {object};"));
                let word = object.trim_start_matches("entry_").to_string();
                self.members(&object, id, &word, depth, &mut lines)?;
            }
            if !unmade {
                self.objects
                    .push(format!("static {spelling} *{name}_given;"));
            }
        }
        Ok(lines)
    }

    /// Declarations and definitions at file scope.
    pub(super) fn declarations(&self) -> String {
        let objects = self.objects.iter().map(|o| format!("{o}\n"));
        self.inputs.concat() + &objects.collect::<String>()
    }

    /// What answers rest on, a sentence each.
    pub(super) fn assumptions(&self) -> Vec<String> {
        let mut out = Vec::new();
        let null = if self.nonnull { "" } else { "is null or " };
        for kept in self.kept.values() {
            let Kept {
                own,
                makers,
                spelling,
                ..
            } = kept;
            let makers = makers.join(", ");
            let sentence = match (*own > 0, makers.is_empty()) {
                (true, true) => format!("a pointer to `{spelling}` {null}points to the same object in all calls, which has any contents at first and which only calls change"),
                (true, false) => format!("a pointer to `{spelling}` {null}is what {makers} gave last, or points to the same object in all calls, which has any contents at first and which only calls change"),
                (false, false) => format!("a pointer to `{spelling}` {null}is what {makers} gave last, null at first"),
                (false, true) => format!("a pointer to `{spelling}`, of which nothing is known, is null"),
            };
            out.push(sentence);
        }
        out.extend(self.limits.iter().cloned());
        if self.nonnull {
            out.push("pointers among arguments that lead to an object are not null".into());
        }
        if !self.objects.is_empty() {
            out.push("different pointers among arguments point to different objects".into());
        }
        out
    }
}

/// A new variable with a choice; members of two structures may lead to one name.
fn chosen(name: &str, input: &str, lines: &mut Lines) -> String {
    let declares = |name: &str| {
        let begin = format!("unsigned char {name} = ");
        lines.iter().any(|line| line.starts_with(&begin))
    };
    let local = new_name(name, declares);
    lines.push(format!("unsigned char {local} = {input};"));
    local
}

/// The records to which a parameter of these functions points, by record: whether some parameter is not `const`.
fn pointed<'a>(
    tree: &'a Tree,
    functions: impl Iterator<Item = &'a &'a Function>,
) -> BTreeMap<RecordId, bool> {
    let mut out = BTreeMap::new();
    for function in functions {
        for param in parameters(tree, function) {
            if let Type::Pointer(to) = tree.types.get(param.1) {
                if let Type::Record(id) = tree.types.get(*to) {
                    *out.entry(*id).or_insert(false) |= !to.quals.is_const;
                }
            }
        }
    }
    out
}

/// A value as an expression, or none: the object is filled in its place.
pub(super) enum Value {
    Text(String),
    InPlace,
}
