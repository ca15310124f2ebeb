//! The functions and objects that a program has in the place of the memory that it allocates.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::memory::{Heap, Targets, ANY, CELL, MEMORY};
use crate::span::{ExprId, ObjectId};
use crate::tree::{ExprKind, InitKind, Parent, StmtKind, Tree};
use crate::types::{QualType, Type};

/// What is declared in front of the first function that uses it.
pub(super) struct Cells<'a> {
    heap: &'a Heap<'a>,
    /// The object for each call that allocates memory.
    memory: BTreeMap<ExprId, String>,
    /// Their declarations.
    objects: Vec<String>,
    /// The types of those that are no characters for want of a better one.
    types: BTreeMap<ExprId, QualType>,
    /// The addresses of them, and of members of them, that pointers may have.
    addresses: BTreeSet<String>,
    /// The declarations, in their order.
    declared: Vec<String>,
    /// The cell of each type, by its text.
    known: BTreeMap<String, String>,
    /// Where a cell gets pointers to named objects, which must be declared before.
    pub named: BTreeSet<ObjectId>,
    /// The names of library functions that have a definition here.
    defined: BTreeSet<&'static str>,
    /// What pointers in allocated memory may lead to.
    targets: Targets,
}

/// The text of a type, or of a declaration with it.
fn text(tree: &Tree, ty: QualType, name: &str) -> Result<String, String> {
    let declared = tree.types.declare(ty, name, tree.file_scope());
    declared.ok_or_else(|| "a type in allocated memory has no name at file scope".to_owned())
}

impl<'a> Cells<'a> {
    /// The objects for all calls, and the question whether a pointer leads to one.
    pub fn of(heap: &'a Heap<'a>, targets: Targets) -> Cells<'a> {
        let mut cells = Cells {
            heap,
            memory: BTreeMap::new(),
            objects: Vec::new(),
            types: BTreeMap::new(),
            addresses: BTreeSet::new(),
            declared: Vec::new(),
            known: BTreeMap::new(),
            named: BTreeSet::new(),
            defined: BTreeSet::new(),
            targets,
        };
        let tree = heap.tree;
        for (number, call) in (1..).zip(&heap.calls) {
            let name = format!("{MEMORY}{number}");
            let of = element(tree, *call).map(QualType::unqualified);
            let declared =
                of.and_then(|ty| Some((ty, tree.types.declare(ty, &name, tree.file_scope())?)));
            let object = match declared {
                Some((ty, declared)) => {
                    cells.types.insert(*call, ty);
                    declared
                }
                None => format!("char {name}"),
            };
            cells.objects.push(format!("static {object}; "));
            cells.addresses.insert(format!("&{name}"));
            cells.memory.insert(*call, name);
        }
        cells
    }

    /// The function that gives the address of a member of the objects for these calls, of any of them, and `elsewhere` that of what a
    /// pointer to another object leads to; `None` if the objects do not have this member. Pointers may have these addresses then.
    ///
    /// # Errors
    /// The type of the member cannot be named.
    pub fn member(
        &mut self,
        calls: &BTreeSet<ExprId>,
        (of, ty, member): (QualType, QualType, &str),
        elsewhere: bool,
    ) -> Result<Option<String>, String> {
        let is_of = |call: &ExprId| self.types.get(call).is_some_and(|ty| ty.ty == of.ty);
        let Some(last) = calls.iter().last().filter(|_| calls.iter().all(is_of)) else {
            return Ok(None);
        };
        let address = |call: &ExprId| format!("&{}.{member}", self.memory(*call));
        let addresses: Vec<String> = calls.iter().map(address).collect();
        let tree = self.heap.tree;
        let name = format!("{MEMORY}member_{}", self.declared.len());
        let given = text(
            tree,
            ty.unqualified(),
            &format!("*{name}(const volatile void *p)"),
        )?;
        let structure = text(tree, of.unqualified(), "*")?;
        let other = match elsewhere {
            true => format!("if (!{MEMORY}has(p)) return &(({structure})p)->{member}; "),
            false => String::new(),
        };
        let cases = (1..).zip(&addresses[..addresses.len() - 1]);
        let cases: String = cases
            .map(|(n, address)| format!("case {n}: return {address}; "))
            .collect();
        let any = format!("{ANY}int");
        let choice = match cases.as_str() {
            "" => String::new(),
            _ => format!("switch ({any}()) {{ {cases}default: break; }} "),
        };
        let last = address(last);
        self.declare_any_int();
        self.declared.push(format!(
            "static {given} {{ (void)p; {other}{choice}return {last}; }} "
        ));
        self.addresses.extend(addresses);
        Ok(Some(name))
    }

    /// Declares the function that gives any `int`.
    fn declare_any_int(&mut self) {
        let declaration = format!("extern int {ANY}int(void); ");
        if !self.declared.contains(&declaration) {
            self.declared.push(declaration);
        }
    }

    /// What is declared.
    pub fn declarations(&self) -> String {
        let tests = self.addresses.iter();
        let tests = tests.map(|a| format!("p == (const volatile void *){a}"));
        let tests: Vec<String> = tests.collect();
        format!(
            "{}static int {MEMORY}has(const volatile void *p) {{ return {}; }} {}",
            self.objects.concat(),
            tests.join(" || "),
            self.declared.concat()
        )
    }

    /// The name of the object for a call.
    pub fn memory(&self, call: ExprId) -> &str {
        self.memory.get(&call).map_or("0", String::as_str)
    }

    /// Declares a function of this program's own once.
    pub fn define(&mut self, name: &'static str, definition: &str) {
        if self.defined.insert(name) {
            self.declared.push(definition.to_owned());
        }
    }

    /// Declares the function of a call that allocates.
    pub fn allocates(&mut self, definition: &str) {
        self.declared.push(definition.to_owned());
    }

    /// The function that gives any value of a type, as it may be in allocated memory: each call gives one of its own, whatever else
    /// is read before the values are used.
    ///
    /// # Errors
    /// The type cannot be named, or has parts that are not followed.
    pub fn cell(&mut self, lvalue: ExprId) -> Result<String, String> {
        let tree = self.heap.tree;
        let ty = tree.exprs[lvalue].ty.unqualified();
        let spelled = text(tree, ty, "")?;
        if let Some(known) = self.known.get(&spelled) {
            return Ok(known.clone());
        }
        let name = format!("{CELL}{}", self.known.len() + 1);
        let mut any = String::new();
        self.forget("value", ty, &mut any)?;
        let value = text(tree, ty, "value")?;
        let given = text(tree, ty, &format!("{name}(const volatile void *p)"))?;
        let either = text(tree, ty, &format!("{name}_either(const volatile void *p)"))?;
        let pointer = text(tree, ty, "*")?;
        self.declared.push(format!(
            "static {given} {{ (void)p; {value}; {any}return value; }} \
             static {either} {{ return {MEMORY}has(p) ? {name}(p) : *({pointer})p; }} "
        ));
        self.known.insert(spelled, name.clone());
        Ok(name)
    }

    /// The function that gives a place where a value of a type is stored, with any value before if it is `changed`. Nothing is read
    /// there but by the operation that stores; one whose value is used has a place of its own, with this number.
    ///
    /// # Errors
    /// As [`Cells::cell`].
    pub fn place(
        &mut self,
        lvalue: ExprId,
        changed: bool,
        own: Option<usize>,
    ) -> Result<String, String> {
        let cell = self.cell(lvalue)?;
        let tree = self.heap.tree;
        let ty = tree.exprs[lvalue].ty.unqualified();
        let kind = if changed { "changed" } else { "kept" };
        let own = own.map(|n| format!("_{n}")).unwrap_or_default();
        let name = format!("{cell}_{kind}{own}");
        let object = text(tree, ty, &format!("{name}_object"))?;
        let given = text(tree, ty, &format!("*{name}(const volatile void *p)"))?;
        let either = text(tree, ty, &format!("*{name}_either(const volatile void *p)"))?;
        let pointer = text(tree, ty, "*")?;
        let any = match changed {
            true => format!("{name}_object = {cell}(p); "),
            false => String::new(),
        };
        let declaration = format!(
            "static {object}; static {given} {{ (void)p; {any}return &{name}_object; }} \
             static {either} {{ return {MEMORY}has(p) ? {name}(p) : ({pointer})p; }} "
        );
        if !self.declared.contains(&declaration) {
            self.declared.push(declaration);
        }
        Ok(name)
    }

    /// Statements that give an lvalue of a type any value.
    fn forget(&mut self, lvalue: &str, ty: QualType, out: &mut String) -> Result<(), String> {
        let tree = self.heap.tree;
        match tree.types.get(ty) {
            Type::Bool | Type::Int(_) | Type::Enum(_) | Type::Float(_) => {
                let function = self.any(ty)?;
                let _ = write!(out, "{lvalue} = {function}(); ");
                Ok(())
            }
            Type::Pointer(to) => {
                *out += &self.chosen(lvalue, (ty, *to))?;
                Ok(())
            }
            Type::Record(record) => {
                let record = &tree.types.records[*record];
                let members = record.members.clone().filter(|_| !record.is_union);
                let members = members.ok_or("a union, or a structure without members, is read from allocated memory")?;
                for member in members {
                    let name = member.name.filter(|_| !member.is_bit_field);
                    let name = name.ok_or(
                        "a structure with bit-fields or without names is read from allocated memory",
                    )?;
                    self.forget(&format!("{lvalue}.{name}"), member.ty.unqualified(), out)?;
                }
                Ok(())
            }
            _ => Err(
                "an array in a structure, or something of a type that is not followed, is read from allocated memory"
                    .to_owned(),
            ),
        }
    }

    /// The function without a body that gives any value of an arithmetic type.
    fn any(&mut self, ty: QualType) -> Result<String, String> {
        let tree = self.heap.tree;
        let spelled = text(tree, ty, "")?;
        let letters = spelled.chars().map(|c| match c.is_ascii_alphanumeric() {
            true => c,
            false => '_',
        });
        let name = format!("{ANY}{}", letters.collect::<String>());
        let declared = text(tree, ty, &format!("{name}(void)"))?;
        let declaration = format!("extern {declared}; ");
        if !self.declared.contains(&declaration) {
            self.declared.push(declaration);
        }
        Ok(name)
    }

    /// The statement that gives a pointer any of its targets.
    fn chosen(&mut self, lvalue: &str, (ty, to): (QualType, QualType)) -> Result<String, String> {
        let tree = self.heap.tree;
        let spelled = text(tree, ty, "")?;
        let mut values = Vec::new();
        let functions = self.targets.functions.iter();
        let functions = functions.map(|f| tree.functions[*f].name.clone());
        let functions: Vec<String> = functions.collect();
        match tree.types.get(to) {
            Type::Function(_) => values.extend(functions),
            Type::Void => {
                values.extend(self.objects_of(to)?);
                values.extend(functions);
            }
            _ => values.extend(self.objects_of(to)?),
        }
        if values.is_empty() {
            // What the program never wrote is no null, either.
            let any = self.memory.values().next();
            values.extend(any.map(|name| format!("&{name}")));
        }
        let any = format!("{ANY}int");
        self.declare_any_int();
        let cases = (1..).zip(&values);
        let cases: String = cases
            .map(|(n, value)| format!("case {n}: {lvalue} = ({spelled})(void *){value}; break; "))
            .collect();
        Ok(format!(
            "{lvalue} = 0; switch ({any}()) {{ {cases}default: break; }} "
        ))
    }

    /// The addresses of the objects that pointers to a type in allocated memory may lead to.
    ///
    /// # Errors
    /// One of them has no name there, or the pointer may lead to a part of it.
    fn objects_of(&mut self, to: QualType) -> Result<Vec<String>, String> {
        let tree = self.heap.tree;
        let calls = self.targets.calls.iter();
        let mut values: Vec<String> = calls.map(|c| format!("&{}", self.memory(*c))).collect();
        for object in &self.targets.objects {
            let known = &tree.objects[*object];
            if !known.is_static_duration() || known.function.is_some() {
                return Err(format!(
                    "a pointer in allocated memory may lead to `{}`, which is local",
                    known.name
                ));
            }
            // A pointer of another type may lead to any byte of it.
            if known.ty.ty != to.ty || matches!(tree.types.get(known.ty), Type::Array(..)) {
                return Err(format!(
                    "a pointer in allocated memory may lead to a part of `{}`",
                    known.name
                ));
            }
            self.named.insert(*object);
            values.push(format!("&{}", known.name));
        }
        Ok(values)
    }
}

/// The type of what a call allocates, as far as the pointer says that gets it.
fn element(tree: &Tree, call: ExprId) -> Option<QualType> {
    let mut at = call;
    loop {
        let to = |ty: QualType| {
            let to = tree.types.pointee(ty)?;
            let whole = match tree.types.get(to) {
                Type::Bool | Type::Int(_) | Type::Enum(_) | Type::Float(_) | Type::Pointer(_) => {
                    true
                }
                Type::Record(record) => tree.types.records[*record].members.is_some(),
                _ => false,
            };
            whole.then_some(to)
        };
        if let Some(found) = to(tree.exprs[at].ty) {
            return Some(found);
        }
        return match tree.exprs[at].parent {
            Parent::Expr(around) => match tree.exprs[around].kind {
                ExprKind::Assign { lhs, .. } => to(tree.exprs[lhs].ty),
                ExprKind::Cast(_) | ExprKind::Comma(_) | ExprKind::Conditional { .. } => {
                    at = around;
                    continue;
                }
                _ => None,
            },
            Parent::Init(init) if matches!(tree.inits[init].kind, InitKind::Expr(_)) => {
                let mut objects = tree.objects.iter();
                objects
                    .find(|(_, o)| o.init == Some(init))
                    .and_then(|(_, o)| to(o.ty))
            }
            Parent::Stmt(statement) => match tree.stmts[statement].kind {
                StmtKind::Return(_) => {
                    let function = tree.stmts[statement].function?;
                    to(tree.types.function(tree.functions[function].ty)?.ret)
                }
                _ => None,
            },
            _ => None,
        };
    }
}
