//! Operands in emitted text: named objects and parts of them, by name, as arguments of emitted functions, or as
//! global copies of locals.

use std::collections::BTreeSet;

use crate::bind::expression::{Leaf, Piece};
use crate::facts::names::{sanitised, user};
use crate::facts::spelling::NAME;
use crate::facts::text::user_type;
use crate::facts::{FunctionIndex, Lifetime, ObjectIndex};
use crate::items::{Function, Item, OfThread, Signature, Variable};
use crate::layout::arguments::Argument;
use crate::layout::weaver::Weaver;

impl Leaf {
    /// The part's suffix in an identifier.
    fn tail(&self) -> String {
        match sanitised(&self.suffix) {
            empty if empty.is_empty() => String::new(),
            tail => format!("_{tail}"),
        }
    }

    fn is_array(&self) -> bool {
        let declaration = self.declaration.as_deref().unwrap_or_default();
        let behind = declaration.split(NAME).nth(1);
        self.value_type.is_none() && behind.is_some_and(|b| b.starts_with('['))
    }

    /// Its type, or the type of a pointer to it.
    fn type_name(&self, pointer: bool) -> String {
        let declaration = self.declaration.as_deref().unwrap_or_default();
        let text = declaration.replace(NAME, if pointer { "(*)" } else { "" });
        user(text.trim_end())
    }

    /// The operand if a variable holds its value.
    fn in_variable(&self, variable: &str) -> String {
        match self.pointer && self.declaration.is_some() {
            true => format!("(({}){variable})", self.type_name(false)),
            false => variable.to_string(),
        }
    }

    /// The declaration of a variable for its value.
    fn declare(&self, variable: &str) -> String {
        match (&self.value_type, &self.declaration) {
            (Some(ty), _) => format!("{ty} {variable}"),
            (None, Some(declaration)) => user_type(declaration, variable),
            (None, None) => variable.to_string(),
        }
    }
}

/// A whole object, as a place.
pub(crate) fn whole(object: ObjectIndex) -> Leaf {
    Leaf {
        object,
        suffix: String::new(),
        value_type: None,
        declaration: None,
        pointer: false,
        address: true,
        led_through: false,
    }
}

impl Weaver<'_> {
    /// Its text at places where the object can be named.
    pub fn named(&self, leaf: &Leaf) -> String {
        let name = &self.facts.objects[leaf.object].name;
        if leaf.is_value() && leaf.suffix.is_empty() {
            return crate::facts::names::value_of_object(name, leaf.object);
        }
        let name = crate::facts::names::identified(name, leaf.object);
        user(&format!("{name}{}", leaf.suffix))
    }

    /// Whether an object is a local variable or parameter, static or not.
    pub fn is_local(&self, object: ObjectIndex) -> bool {
        matches!(
            self.facts.objects[object].lifetime,
            Lifetime::Local(_) | Lifetime::StaticLocal(_)
        )
    }

    /// A leaf in an emitted function that gets locals as arguments.
    pub fn as_argument(&self, leaf: &Leaf, arguments: &mut Vec<Argument>) -> String {
        if !self.is_local(leaf.object) {
            return self.named(leaf);
        }
        let by_value = leaf.value_type.as_ref().filter(|_| !leaf.address);
        let mark = if by_value.is_none() { "_at" } else { "" };
        let name = format!(
            "{}{}{mark}",
            self.facts.objects[leaf.object].name,
            leaf.tail()
        );
        let (ty, value) = match by_value {
            Some(ty) => (ty.clone(), self.named(leaf)),
            None => (
                "const volatile void *".to_string(),
                format!("&{}", self.named(leaf)),
            ),
        };
        if !arguments.iter().any(|a| a.name == name) {
            arguments.push(Argument {
                ty,
                name: name.clone(),
                value,
                leaf: leaf.clone(),
            });
        }
        let variable = format!("ba_arg_{name}");
        match by_value {
            Some(_) => leaf.in_variable(&variable),
            None => format!("(*({}){variable})", leaf.type_name(true)),
        }
    }

    /// A leaf in an emitted function that works on copies of locals; adds the flags that tell whether these are
    /// alive to `live`.
    pub fn as_copy(&self, leaf: &Leaf, live: &mut BTreeSet<String>) -> String {
        if !self.is_local(leaf.object) {
            return self.named(leaf);
        }
        live.insert(self.live(leaf.object));
        leaf.in_variable(&self.copy(leaf))
    }

    /// The text of pieces in an emitted function that gets locals as arguments.
    pub fn with_arguments(&self, pieces: &[Piece], arguments: &mut Vec<Argument>) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Leaf(leaf) => self.as_argument(leaf, arguments),
        };
        pieces.iter().map(piece).collect()
    }

    /// The text of pieces at a place where all objects can be named.
    pub fn by_name(&self, pieces: &[Piece]) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Leaf(leaf) => self.named(leaf),
        };
        pieces.iter().map(piece).collect()
    }

    fn copy_name(&self, object: ObjectIndex) -> String {
        format!("{}_{object}", self.facts.objects[object].name)
    }

    /// The global copy of a local object or of a part of it.
    pub fn copy(&self, leaf: &Leaf) -> String {
        format!("ba_copy_{}{}", self.copy_name(leaf.object), leaf.tail())
    }

    /// The flag that tells whether a copied object is alive.
    pub fn live(&self, object: ObjectIndex) -> String {
        format!("ba_live_{}", self.copy_name(object))
    }

    /// The variable with the address of a copied object.
    pub fn address(&self, object: ObjectIndex) -> String {
        format!("ba_address_{}", self.copy_name(object))
    }

    /// The function that updates the copies of an object where it has no name.
    pub fn refresher(&self, object: ObjectIndex) -> String {
        format!("ba_refresh_{}", self.copy_name(object))
    }

    /// A leaf, after the program, by the address of its object.
    pub fn by_address(&self, leaf: &Leaf) -> String {
        if !self.is_local(leaf.object) {
            return self.named(leaf);
        }
        let declaration = self.facts.objects[leaf.object].declaration.as_deref();
        let ty = declaration.unwrap_or_default().replace(NAME, "(*)");
        format!(
            "(*(const volatile {}){}){}",
            user(&ty),
            self.address(leaf.object),
            user(&leaf.suffix)
        )
    }

    /// The statements that update the global copies of a local after a write.
    pub fn refresh_copy(&self, object: ObjectIndex) -> String {
        self.refresh(object, |leaf| self.named(leaf))
    }

    /// The same, if `value` is the value of the whole object.
    pub fn refresh_with(&self, object: ObjectIndex, value: &str) -> String {
        self.refresh(object, |leaf| format!("{value}{}", user(&leaf.suffix)))
    }

    /// The functions that update copies where the object has no name, if a write overlaps with the object.
    pub fn refresh_functions(&self) -> Vec<Item> {
        let wanted = (0..self.layout.addressed.len()).filter(|&o| self.layout.addressed[o]);
        wanted
            .map(|o| {
                let body = format!(
                    "  if ({} && BA_MEETS(ba_at, ba_size, {})) {{\n    {}\n  }}\n",
                    self.address(o),
                    self.by_address(&whole(o)),
                    self.refresh(o, |leaf| self.by_address(leaf))
                );
                let name = &self.facts.objects[o].name;
                Function::new(self.refresher_signature(o), body)
                    .for_reason(format!(
                        "{name} may have been written where it has no name."
                    ))
                    .into()
            })
            .collect()
    }

    fn refresher_signature(&self, object: ObjectIndex) -> Signature {
        let name = self.refresher(object);
        Signature::unused(format!(
            "void {name}(const volatile void *ba_at, unsigned long ba_size)"
        ))
    }

    fn refresh(&self, object: ObjectIndex, place: impl Fn(&Leaf) -> String) -> String {
        let mut text = String::new();
        for leaf in &self.layout.copies[object] {
            let (copy, from) = (self.copy(leaf), place(leaf));
            text.push_str(&match leaf.is_array() {
                true => {
                    format!("__builtin_memcpy(&{copy}, (const void *)&{from}, sizeof {copy}); ")
                }
                false => format!("{copy} = {from}; "),
            });
        }
        if text.is_empty() {
            return text;
        }
        format!("{text}{} = 1; ", self.live(object))
    }

    /// Notes that a proposition reads copies of a local.
    pub fn add_copies(&mut self, object: ObjectIndex, p: usize) {
        self.context.layout.copied[object] = true;
        if let Lifetime::Local(function) = self.facts.objects[object].lifetime {
            let locals = self
                .context
                .layout
                .copied_locals
                .entry(function)
                .or_default();
            locals.insert(object);
        }
        let wanted: Vec<Leaf> = self.bound.propositions[p]
            .evaluation
            .iter()
            .filter_map(|piece| match piece {
                Piece::Leaf(leaf) if leaf.object == object => Some(Leaf {
                    address: false,
                    led_through: false,
                    ..leaf.clone()
                }),
                _ => None,
            })
            .collect();
        for leaf in wanted {
            if !self.layout.copies[object].contains(&leaf) {
                self.context.layout.copies[object].push(leaf);
            }
        }
    }

    /// The locals of a function that are copied, in order.
    pub fn copied_locals_of(&self, function: FunctionIndex) -> Vec<ObjectIndex> {
        let locals = self.layout.copied_locals.get(&function);
        locals.into_iter().flatten().copied().collect()
    }

    /// Declares the copies, and the pointers to the copied objects. A declaration with a type of the user's
    /// stands before the function that declares the object.
    pub fn declare_copies(&mut self) {
        for o in 0..self.facts.objects.len() {
            let (Lifetime::Local(f) | Lifetime::StaticLocal(f)) = self.facts.objects[o].lifetime
            else {
                continue;
            };
            if !self.layout.copied[o] {
                continue;
            }
            let is_static = matches!(self.facts.objects[o].lifetime, Lifetime::StaticLocal(_));
            if is_static {
                self.check_initial(o);
            }
            let living = Variable::unused(format!("_Bool {}", self.live(o)));
            let living = if is_static {
                living.initially(1)
            } else {
                living
            };
            self.out.global(living);
            if self.layout.copies[o].iter().any(Leaf::is_array) {
                self.use_builtin("memcpy");
            }
            if self.layout.addressed[o] {
                let address = OfThread::unused("const volatile void *", &self.address(o));
                self.out.global(address);
                let refresher = self.refresher_signature(o);
                self.out.global(refresher);
            }
            for leaf in self.layout.copies[o].clone() {
                self.declare_copy(&leaf, f);
            }
        }
    }

    /// Refuses a static local without a known initial value, which it has before the program reaches its
    /// declaration.
    fn check_initial(&mut self, object: ObjectIndex) {
        let o = &self.facts.objects[object];
        if o.initial.is_none() {
            self.refuse(
                o.place,
                format!(
                    "`{}` is read by a proposition of other code, and its initialiser is no number",
                    o.name
                ),
                "a static local",
                Some("declare it at file scope"),
            );
        }
    }

    fn declare_copy(&mut self, leaf: &Leaf, function: FunctionIndex) {
        let object = &self.facts.objects[leaf.object];
        let initial = match (object.lifetime, object.initial) {
            (Lifetime::StaticLocal(_), Some(value)) if value != 0 => Some(value),
            _ => None,
        };
        let copy = leaf.declare(&self.copy(leaf));
        match (&leaf.value_type, initial) {
            (Some(_), Some(value)) => self.out.global(Variable::unused(copy).initially(value)),
            (Some(_), None) => self.out.global(Variable::unused(copy)),
            (None, initial) => {
                let initial = initial.map_or(String::new(), |value| format!(" = {value}"));
                let text = format!("BA_UNUSED static {copy}{initial};");
                let start = self.facts.functions[function].start;
                self.out.insertions.open(start, -1, 0, text + " ");
            }
        }
    }
}
