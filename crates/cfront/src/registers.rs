//! Registers: objects in the place of memory at the constant addresses that a program dereferences.
//!
//! Vendors' headers name registers by such addresses (`#define UDR0 (*(volatile uint8_t *)(0xC6))`, `USART1->SR` where
//! `USART1` is `((USART_TypeDef *)0x40011000)`). No memory of a model is at these addresses, so each gets an object of
//! the program: what is written to it is seen as with all objects, and each read of a volatile one gives what the
//! hardware has put there meanwhile, which the object then has. Each change stays within its line, so places are
//! the same.

pub(crate) mod accesses;
mod names;
pub(crate) mod places;
mod through;

use std::collections::BTreeMap;

use crate::diag::Diagnostic;
use crate::parse::Unit;
use crate::rewriting::Text;
use crate::source::Source;
use crate::span::{ExprId, RecordId, Span, TypeId};
use crate::types::{QualType, Quals};

use accesses::{access, Access, How};
use names::Names;
use places::{Form, Root};

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
    /// As the program does: `UDR0`, `USART1->SR`, or `USART1` for all of a structure.
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
}

/// An object in the place of registers at one address.
#[derive(Clone, Debug)]
struct Object {
    address: u64,
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
    if roots.iter().all(|root| root.form == Form::Number) {
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
    };
    pass.objects(&roots)?;
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
        sources: pass.text.sources(),
    }))
}

fn not_there(register: &Register) -> Diagnostic {
    let which = match &register.which {
        Which::Name(name) => format!("called `{name}`"),
        Which::Address(address) => format!("at the address {address:#x}"),
    };
    let message =
        format!("the program accesses no register {which}, which is named under `registers`");
    Diagnostic::error(Span::empty(0), message).help(
        "registers are objects at constant addresses, named as the program does: `UDR0`, `USART1->SR`",
    )
}

/// An address of registers that the program keeps: others may access them through pointers.
#[derive(Clone, Debug)]
struct Escape {
    /// What the address points to, as the text that replaces the program's.
    lvalue: String,
    ty: TypeId,
    /// The object, and the members to the place within it.
    object: (u64, TypeId),
    path: Vec<String>,
}

struct Pass<'a> {
    unit: &'a Unit,
    said: &'a [Register],
    /// Which of these the program has.
    used: Vec<bool>,
    objects: BTreeMap<(u64, TypeId), Object>,
    escapes: Vec<Escape>,
    any: Vec<(String, Span)>,
    text: Text<'a>,
    names: Names,
}

impl Pass<'_> {
    /// Makes an object for each address and type.
    fn objects(&mut self, roots: &[Root]) -> Result<(), Diagnostic> {
        let tree = &self.unit.tree;
        let objects = || roots.iter().filter(|root| root.form != Form::Number);
        for root in objects() {
            let key = (root.place.address, root.place.of.ty);
            let quals = Quals {
                is_volatile: root.place.of.quals.is_volatile,
                ..Quals::NONE
            };
            let ty = QualType { ty: key.1, quals };
            let fresh = Object {
                address: key.0,
                ty,
                name: String::new(),
                called: Vec::new(),
            };
            let object = self.objects.entry(key).or_insert(fresh);
            object.ty.quals = object.ty.quals.union(quals);
        }
        for root in objects() {
            let (start, end) = places::replaced(tree, root);
            let key = (root.place.address, root.place.of.ty);
            let named = Span::new(start, end).of(&self.unit.source.text);
            self.names.wants(key, named, root.form == Form::Object);
        }
        for (e, expr) in tree.exprs.iter().filter(|(_, e)| !e.unevaluated) {
            let place = places::object(tree, e).map(|place| (place.address, place.of.ty));
            if let Some(key) = place.filter(|key| self.objects.contains_key(key)) {
                let text = expr.span.of(&self.unit.source.text);
                self.names.wants(key, text, true);
            }
        }
        let byte = |key: &(u64, TypeId)| places::is_byte(tree, key.1);
        let bytes = self.objects.keys().filter(|key| byte(key));
        self.names.search(&bytes.map(|key| (key.0, *key)).collect());
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
        let mut types: BTreeMap<String, (u64, TypeId)> = BTreeMap::new();
        let accesses = |root: &&Root| matches!(root.form, Form::Object | Form::Arrow);
        for root in roots.iter().filter(accesses) {
            let key = (root.place.address, root.place.of.ty);
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
        let key = (root.place.address, root.place.of.ty);
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
                return self.accessed(root, key, format!("{}.", object.name));
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
                });
                Ok(())
            }
            _ => self.accessed(root, key, named),
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

    /// Treats what the program does with an object or a part of it; `name` is the text for the replaced part.
    fn accessed(
        &mut self,
        root: &Root,
        key: (u64, TypeId),
        name: String,
    ) -> Result<(), Diagnostic> {
        let tree = &self.unit.tree;
        let access = Access {
            constant: false,
            ..access(tree, root.expr)
        };
        let lvalue = self.lvalue(root, &access, &name);
        if access.how == How::Address {
            self.escapes.push(Escape {
                lvalue,
                ty: access.ty.ty,
                object: key,
                path: access.path,
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

    /// The expression for what a read gives: a call of a function for this register; `None` where it is what was
    /// written last.
    fn value(
        &mut self,
        key: (u64, TypeId),
        access: &Access,
        at: ExprId,
    ) -> Result<Option<String>, Diagnostic> {
        let tree = &self.unit.tree;
        let scalar = tree.types.is_arithmetic(access.ty);
        let reads = self.setting(key, access);
        if !scalar || reads == Reads::Memory {
            return Ok(None);
        }
        let mut name = self.objects[&key].shown().to_owned();
        if reads == Reads::Any {
            let register = match access.path.is_empty() {
                true => name.clone(),
                false => format!("{name}->{}", access.path.join(".")),
            };
            if self.any.iter().all(|(known, _)| *known != register) {
                self.any.push((register, tree.exprs[at].span));
            }
        }
        for member in &access.path {
            name = format!("{name}_{member}");
        }
        let name = self.names.function(&format!("{READ}{name}"), access.ty.ty);
        let plain = access.ty.unqualified();
        let declared = match &reads {
            Reads::Call(function) => {
                if tree.function_named(function).is_none() {
                    let message = format!(
                        "there is no function `{function}`, which is named under `registers`"
                    );
                    return Err(Diagnostic::error(Span::empty(0), message));
                }
                return Ok(Some(format!("{function}()")));
            }
            Reads::Values(values) => {
                let head = self.spelled(plain, &format!("{name}(void)"), at)?;
                let choose = name.replacen(READ, CHOOSE, 1);
                chosen(&head, &choose, values)
            }
            _ => format!(
                "extern {}; ",
                self.spelled(plain, &format!("{name}(void)"), at)?
            ),
        };
        self.text.declare_before(at, &name, &declared);
        Ok(Some(format!("{name}()")))
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
    fn declare(&mut self, key: (u64, TypeId), at: ExprId) -> Result<(), Diagnostic> {
        let object = &self.objects[&key];
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

    /// What a specification says of the reads of an object, or of a part of it.
    fn setting(&mut self, key: (u64, TypeId), access: &Access) -> Reads {
        let object = &self.objects[&key];
        let path = access.path.join(".");
        let mut found = Reads::Any;
        for (register, used) in self.said.iter().zip(&mut self.used) {
            let means = match &register.which {
                Which::Address(address) => {
                    let offset = access.offset.unwrap_or(0);
                    *address == object.address + offset
                }
                Which::Name(name) => {
                    let (object_name, member) = match name.split_once("->").or(name.split_once('.'))
                    {
                        Some((object, member)) => (object, Some(member)),
                        None => (name.as_str(), None),
                    };
                    object
                        .called
                        .iter()
                        .any(|called| called == object_name.trim())
                        && member.is_none_or(|member| member.trim() == path)
                }
            };
            if means {
                *used = true;
                found = register.reads.clone();
            }
        }
        found
    }

    /// The macros that name objects, each with what it stands for now.
    fn macros(&self) -> Vec<(String, Option<String>)> {
        let objects = self.objects.iter();
        let all = objects.flat_map(|(key, object)| self.names.macros(*key, &object.name));
        all.collect()
    }

    /// What a reader must know.
    fn told(&self) -> Vec<String> {
        let mut names: Vec<&str> = self.objects.values().map(|o| o.shown()).collect();
        names.sort_unstable();
        names.dedup();
        let mut told = vec![format!(
            "registers begin with 0, and conditions see in them what was last written or read: {}",
            names.join(", ")
        )];
        let mut all = self.objects.values().peekable();
        let mut shared = Vec::new();
        while let Some(object) = all.next() {
            let size = places::size(&self.unit.tree, object.ty).unwrap_or(1);
            let next = all
                .peek()
                .filter(|next| next.address < object.address + size);
            shared.extend(next.map(|next| format!("{} and {}", object.shown(), next.shown())));
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
    /// The name for readers.
    fn shown(&self) -> &str {
        self.called.first().unwrap_or(&self.name)
    }
}

/// The definition of a function that gives one of some values.
fn chosen(head: &str, choose: &str, values: &[i128]) -> String {
    let mut body = format!(
        "extern unsigned char {choose}(void); static {head} {{ unsigned char chosen = {choose}();"
    );
    for (number, value) in values.iter().enumerate().skip(1) {
        body += &format!(" if (chosen == {number}) return {value};");
    }
    let first = values.first().copied().unwrap_or(0);
    body + &format!(" return {first}; }} ")
}

#[cfg(test)]
mod tests;
