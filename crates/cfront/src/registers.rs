//! Registers: objects in the place of memory at the constant addresses that a program dereferences.
//!
//! Vendors' headers name registers by such addresses (`#define UDR0 (*(volatile uint8_t *)(0xC6))`, `USART1->SR` where
//! `USART1` is `((USART_TypeDef *)0x40011000)`). No memory of a model is at these addresses, so each gets an object of
//! the program: what is written to it is seen as with all objects, and each read of a volatile one gives what the
//! hardware has put there meanwhile, which the object then has. Volatile objects of the program's own that a specification
//! names, such as buffers that a controller fills, are read likewise. Each change stays within its line, so places are the same.

pub(crate) mod accesses;
mod names;
mod own;
pub(crate) mod places;
mod through;
mod unwritten;
mod values;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::alias::Aliases;
use crate::diag::Diagnostic;
use crate::parse::Unit;
use crate::rewriting::Text;
use crate::source::Source;
use crate::span::{ExprId, ObjectId, RecordId, Span, TypeId};
use crate::types::{QualType, Quals};

use accesses::{access, Access, How};
use names::Names;
pub use own::name_of;
use places::{Form, Root};
pub use unwritten::unwritten;

/// What reads of a register give.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Reads {
    /// Any value of its type.
    #[default]
    Any,
    /// What was written last.
    Memory,
    /// One of these values.
    Values(Vec<i128>),
    /// What a function of the program returns.
    Call(String),
}

/// How a specification names registers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Which {
    /// As the program does: `UDR0`, `USART1->SR`, or `USART1` for all of a structure; or a volatile object of the program.
    Name(String),
    /// By the address.
    Address(u64),
}

/// What a specification says of registers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Register {
    /// Which ones.
    pub which: Which,
    /// What their reads give.
    pub reads: Reads,
}

/// A program with objects for its registers.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The text of each file.
    pub sources: Vec<Source>,
    /// What a reader must know of the registers, in sentences.
    pub told: Vec<String>,
    /// The registers whose reads give any value, as specifications name them, each with its first read.
    pub any: Vec<(String, Span)>,
    /// The names of the objects.
    pub objects: BTreeSet<String>,
}

/// Where registers are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Home {
    /// At a constant address.
    Address(u64),
    /// In an object of the program.
    Own(ObjectId),
}

/// Where registers are, and the type of the accesses.
type Key = (Home, TypeId);

/// An object in the place of registers at one address, or one of the program's own.
#[derive(Clone, Debug)]
struct Object {
    home: Home,
    /// Its type, `const` left out: what the program only reads, the hardware writes.
    ty: QualType,
    name: String,
    /// The names that the program has for it.
    called: Vec<String>,
}

/// The prefix of the functions whose results are the values that registers are read with.
pub const READ: &str = "read_";

/// The prefix of the functions that choose one of the values that a specification gives.
pub const CHOOSE: &str = "choose_";

/// The program with objects for its registers; `None` if it dereferences no constant address. Memory for which `keeps`
/// is true stays as it is. Linear in the program for each register.
///
/// # Errors
/// A register that a specification names and the program does not access, or an access that may be one of a
/// register and that cannot be followed.
pub fn placed(
    unit: &Unit,
    said: &[Register],
    keeps: &dyn Fn(u64) -> bool,
) -> Result<Option<Placed>, Diagnostic> {
    let mut roots = places::roots(&unit.tree);
    roots.retain(|root| !keeps(root.place.address));
    let own = own::named(&unit.tree, said);
    if own.is_empty() && roots.iter().all(|root| root.form == Form::Number) {
        return match said.first() {
            Some(register) => Err(not_there(register)),
            None => Ok(None),
        };
    }
    let mut pass = Pass {
        unit,
        said,
        used: vec![false; said.len()],
        objects: BTreeMap::new(),
        escapes: Vec::new(),
        any: Vec::new(),
        text: Text::of(unit),
        names: Names::of(unit),
        aliases: OnceCell::new(),
    };
    pass.objects(&roots)?;
    pass.own(&own)?;
    for root in &roots {
        pass.root(root)?;
    }
    pass.through_pointers()?;
    pass.written_by_hardware();
    if let Some(unused) = pass.used.iter().position(|used| !used) {
        return Err(not_there(&said[unused]));
    }
    let (told, macros) = (pass.told(), pass.macros());
    pass.text.define(macros);
    Ok(Some(Placed {
        told,
        any: pass.any,
        objects: pass.objects.into_values().map(|o| o.name).collect(),
        sources: pass.text.sources(),
    }))
}

/// Where the registers are that an expression names.
fn key_of(root: &Root) -> Key {
    (Home::Address(root.place.address), root.place.of.ty)
}

fn not_there(register: &Register) -> Diagnostic {
    let which = match &register.which {
        Which::Name(name) => format!("called `{name}`"),
        Which::Address(address) => format!("at the address {address:#x}"),
    };
    let message =
        format!("the program accesses no register {which}, which is named under `registers`");
    Diagnostic::error(Span::empty(0), message).help(
        "registers are objects at constant addresses, named as the program does: `UDR0`, `USART1->SR`; and volatile objects: `buffer`, `function::flag`",
    )
}

/// An address of registers that the program keeps: others may access them through pointers.
#[derive(Clone, Debug)]
struct Escape {
    /// What the address points to, as the text that replaces the program's.
    lvalue: String,
    ty: TypeId,
    /// The object, and the members to the place within it.
    object: Key,
    path: Vec<String>,
    /// Whether it points to any element of an array, which the lvalue names.
    within: bool,
}

struct Pass<'a> {
    unit: &'a Unit,
    said: &'a [Register],
    /// Which of these the program has.
    used: Vec<bool>,
    objects: BTreeMap<Key, Object>,
    escapes: Vec<Escape>,
    any: Vec<(String, Span)>,
    text: Text<'a>,
    names: Names,
    aliases: OnceCell<Aliases>,
}

impl Pass<'_> {
    /// Makes an object for each address and type.
    fn objects(&mut self, roots: &[Root]) -> Result<(), Diagnostic> {
        let tree = &self.unit.tree;
        let objects = || roots.iter().filter(|root| root.form != Form::Number);
        for root in objects() {
            let key = key_of(root);
            let quals = Quals {
                is_volatile: root.place.of.quals.is_volatile,
                ..Quals::NONE
            };
            let ty = QualType { ty: key.1, quals };
            let fresh = Object {
                home: key.0,
                ty,
                name: String::new(),
                called: Vec::new(),
            };
            let object = self.objects.entry(key).or_insert(fresh);
            object.ty.quals = object.ty.quals.union(quals);
        }
        for root in objects() {
            let (start, end) = places::replaced(tree, root);
            let key = key_of(root);
            let named = Span::new(start, end).of(&self.unit.source.text);
            self.names.wants(key, named, root.form == Form::Object);
        }
        for (e, expr) in tree.exprs.iter().filter(|(_, e)| !e.unevaluated) {
            let place = places::object(tree, e);
            let place = place.map(|place| (Home::Address(place.address), place.of.ty));
            if let Some(key) = place.filter(|key| self.objects.contains_key(key)) {
                let text = expr.span.of(&self.unit.source.text);
                self.names.wants(key, text, true);
            }
        }
        let byte = |key: &Key| match key.0 {
            Home::Address(address) if places::is_byte(tree, key.1) => Some((address, *key)),
            _ => None,
        };
        let bytes = self.objects.keys().filter_map(byte);
        self.names.search(&bytes.collect());
        for (key, object) in &mut self.objects {
            (object.name, object.called) = self.names.given(*key);
        }
        self.one_type_each(roots)
    }

    /// Objects of the same name are one, with the type of the accesses. Addresses that are only kept, as marks, have no type
    /// of their own.
    ///
    /// # Errors
    /// If there are accesses with two types.
    fn one_type_each(&mut self, roots: &[Root]) -> Result<(), Diagnostic> {
        let mut types: BTreeMap<String, Key> = BTreeMap::new();
        let accesses = |root: &&Root| matches!(root.form, Form::Object | Form::Arrow);
        for root in roots.iter().filter(accesses) {
            let key = key_of(root);
            let name = self.objects[&key].name.clone();
            if *types.entry(name).or_insert(key) != key {
                let span = self.unit.tree.exprs[root.expr].span;
                let message = "memory at this constant address is accessed with another type elsewhere, and an object of the model has one";
                return Err(Diagnostic::error(span, message)
                    .help("access it with one type, or as a member of a union"));
            }
        }
        let of_accesses: BTreeMap<String, QualType> = types
            .into_iter()
            .map(|(name, key)| (name, self.objects[&key].ty))
            .collect();
        for object in self.objects.values_mut() {
            if let Some(ty) = of_accesses.get(&object.name) {
                object.ty = *ty;
            }
        }
        Ok(())
    }

    /// Puts the object in the place of an expression that names it, and a value from outside in the place of a read.
    fn root(&mut self, root: &Root) -> Result<(), Diagnostic> {
        let tree = &self.unit.tree;
        let key = key_of(root);
        if root.form == Form::Number {
            return self.number(root);
        }
        let object = self.objects[&key].clone();
        self.declare(key, root.expr)?;
        let (start, end) = places::replaced(tree, root);
        let named = match root.form {
            Form::Object => object.name.clone(),
            Form::Arrow => {
                let arrow = self.text.arrow_after(end);
                self.text
                    .replace(Span::new(start, arrow.end), &format!("{}.", object.name));
                let access = access(tree, root.expr);
                let lvalue = self.lvalue(root, &access, &format!("{}.", object.name));
                return self.accessed(access, key, lvalue);
            }
            Form::Address if object.ty.ty != key.1 => {
                let ty = self.spelled(tree.exprs[root.expr].ty, "", root.expr)?;
                format!("(({ty})&{})", object.name)
            }
            Form::Address | Form::Number => format!("(&{})", object.name),
        };
        self.text.replace(Span::new(start, end), &named);
        match root.form {
            Form::Address => {
                self.escapes.push(Escape {
                    lvalue: object.name,
                    ty: key.1,
                    object: key,
                    path: Vec::new(),
                    within: false,
                });
                Ok(())
            }
            _ => {
                let access = access(tree, root.expr);
                let lvalue = self.lvalue(root, &access, &named);
                self.accessed(access, key, lvalue)
            }
        }
    }

    /// Puts the number in the place of an address that is only used as one.
    fn number(&mut self, root: &Root) -> Result<(), Diagnostic> {
        let expr = &self.unit.tree.exprs[root.expr];
        let ty = self.spelled(expr.ty, "", root.expr)?;
        let text = format!("(({ty}){})", root.place.address);
        self.text.replace(expr.span, &text);
        Ok(())
    }

    /// Treats what the program does with an object or a part of it; `lvalue` is its text after the replacement.
    fn accessed(&mut self, access: Access, key: Key, lvalue: String) -> Result<(), Diagnostic> {
        // What the program only reads, the hardware writes.
        let access = Access {
            constant: false,
            ..access
        };
        if access.how == How::Address {
            self.escapes.push(Escape {
                lvalue,
                ty: access.ty.ty,
                object: key,
                path: access.path,
                within: false,
            });
            return Ok(());
        }
        if access.how == How::Write || !access.ty.quals.is_volatile {
            self.setting(key, &access);
            return Ok(());
        }
        let Some(value) = self.value(key, &access, access.whole)? else {
            return Ok(());
        };
        self.read(&access, &lvalue, &value)
    }

    /// Takes `const` from the members of structures of registers: what the program only reads, the hardware writes.
    fn written_by_hardware(&mut self) {
        let tree = &self.unit.tree;
        let mut records: Vec<RecordId> = Vec::new();
        let types = self.objects.values().map(|object| object.ty);
        for ty in types {
            places::records(tree, ty, &mut records);
        }
        for record in records {
            let tokens = &self.unit.tokens;
            let head = tokens.at_or_after(tree.types.records[record].span.start);
            let words = |from: usize| {
                let rest = tokens.tokens.iter().enumerate().skip(from);
                rest.map(|(at, t)| (at, self.unit.text_of(t.span)))
            };
            let Some((open, _)) = words(head).find(|(_, word)| matches!(*word, "{" | ";")) else {
                continue;
            };
            let constant: Vec<Span> = words(open)
                .take_while(|(at, _)| *at < tokens.mates[open] as usize)
                .filter(|(_, word)| matches!(*word, "const" | "__const"))
                .filter(|(at, _)| {
                    let end = words(*at).find(|(_, word)| matches!(*word, ";" | "*" | "}"));
                    end.is_some_and(|(_, word)| word != "*")
                })
                .map(|(at, _)| tokens.tokens[at].span)
                .collect();
            for at in constant {
                self.text.replace(at, "");
            }
        }
    }

    /// The text of an accessed object, as it is after the replacement.
    fn lvalue(&self, root: &Root, access: &Access, name: &str) -> String {
        let tree = &self.unit.tree;
        let (start, mut end) = places::replaced(tree, root);
        if root.form == Form::Arrow {
            end = self.text.arrow_after(end).end;
        }
        let whole = tree.exprs[access.whole].span;
        let before = Span::new(whole.start, start).of(&self.unit.source.text);
        let after = Span::new(end, whole.end).of(&self.unit.source.text);
        self.text.on_a_line(&format!("{before}{name}{after}"))
    }

    /// Puts a value into a register where the program reads it.
    fn read(&mut self, access: &Access, lvalue: &str, value: &str) -> Result<(), Diagnostic> {
        let tree = &self.unit.tree;
        let whole = tree.exprs[access.whole].span;
        match &access.how {
            How::Update {
                op,
                op_span,
                value: rhs,
            } => {
                self.text.replace(*op_span, &format!("= {value} {op} ("));
                self.text.close(tree.exprs[*rhs].span, ")");
            }
            How::Step { around, op, used } => {
                let span = tree.exprs[*around].span;
                let text = match used {
                    false => format!("({lvalue} = {value} {op} 1)"),
                    true => {
                        let step = span.of(&self.unit.source.text);
                        let old = whole.of(&self.unit.source.text);
                        let step = self.text.on_a_line(step).replacen(
                            &self.text.on_a_line(old),
                            lvalue,
                            1,
                        );
                        format!("({lvalue} = {value}, {step})")
                    }
                };
                if !self.is_pure(access.whole) {
                    return Err(self.impure(access.whole));
                }
                self.text.replace(span, &text);
            }
            _ if access.constant => {
                // What the program only reads, the hardware writes.
                let quals = Quals {
                    is_const: false,
                    ..access.ty.quals
                };
                let ty = QualType { quals, ..access.ty };
                let ty = self.spelled(ty, "*", access.whole)?;
                self.text.open(whole, &format!("(*({ty})&"));
                self.text.close(whole, &format!(" = {value})"));
            }
            _ => {
                self.text.open(whole, "(");
                self.text.close(whole, &format!(" = {value})"));
            }
        }
        Ok(())
    }

    /// A declaration of a name with a type.
    fn spelled(&self, ty: QualType, name: &str, at: ExprId) -> Result<String, Diagnostic> {
        let tree = &self.unit.tree;
        let part = self.unit.part_of(tree.exprs[at].span.start);
        let views = self.unit.file_views();
        let scope = views.get(part).or(views.first());
        let declared = scope.and_then(|view| tree.types.declare(ty, name, view.scope));
        declared.ok_or_else(|| {
            let message = "the type of what is at this constant address has no name at file scope";
            Diagnostic::error(tree.exprs[at].span, message).help("give the structure a name")
        })
    }

    /// Declares an object in front of the function or declaration that has an expression.
    ///
    /// # Errors
    /// If an object of the program cannot be named there.
    fn declare(&mut self, key: Key, at: ExprId) -> Result<(), Diagnostic> {
        let object = &self.objects[&key];
        if let Home::Own(o) = key.0 {
            return self.is_seen(o, at);
        }
        let declared = self.spelled(object.ty, &object.name, at)?;
        let linked = self.unit.parts.len() > 1;
        let linkage = match (linked, self.text.is_declared(&object.name)) {
            (false, _) => "static ",
            (true, false) => "",
            (true, true) => "extern ",
        };
        let declaration = format!("{linkage}{declared}; ");
        self.text.declare_before(at, &object.name, &declaration);
        Ok(())
    }

    /// The macros that name objects, each with what it stands for now.
    fn macros(&self) -> Vec<(String, Option<String>)> {
        let objects = self.objects.iter();
        let all = objects.flat_map(|(key, object)| self.names.macros(*key, &object.name));
        all.collect()
    }

    /// What a reader must know.
    fn told(&self) -> Vec<String> {
        let named = |own: bool| {
            let objects = self.objects.values();
            let objects = objects.filter(|o| matches!(o.home, Home::Own(_)) == own);
            let mut names: Vec<&str> = objects.map(|o| o.shown()).collect();
            names.sort_unstable();
            names.dedup();
            names.join(", ")
        };
        let mut told = vec![
            ("registers begin with 0, and conditions see in them what was last written or read", named(false)),
            ("each read of these gives what hardware has put there, and conditions see what was last read", named(true)),
        ];
        told.retain(|(_, names)| !names.is_empty());
        let mut told: Vec<String> = told
            .into_iter()
            .map(|(what, names)| format!("{what}: {names}"))
            .collect();
        let placed = self
            .objects
            .values()
            .filter_map(|object| match object.home {
                Home::Address(address) => Some((address, object)),
                Home::Own(_) => None,
            });
        let mut all = placed.peekable();
        let mut shared = Vec::new();
        while let Some((address, object)) = all.next() {
            let size = places::size(&self.unit.tree, object.ty).unwrap_or(1);
            let next = all.peek().filter(|(next, _)| *next < address + size);
            shared.extend(next.map(|(_, next)| format!("{} and {}", object.shown(), next.shown())));
        }
        if !shared.is_empty() {
            told.push(format!(
                "registers that share addresses each show only what the program writes by that name: {}",
                shared.join(", ")
            ));
        }
        told
    }
}

impl Object {
    /// The name as a part of other names.
    fn word(&self) -> &str {
        match self.home {
            Home::Address(_) => self.shown(),
            Home::Own(_) => &self.name,
        }
    }

    /// The name for readers.
    fn shown(&self) -> &str {
        self.called.first().unwrap_or(&self.name)
    }
}

#[cfg(test)]
mod tests;
