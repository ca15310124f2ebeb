//! Accesses of registers through pointers: functions of drivers get the addresses of registers as arguments.

use crate::diag::Diagnostic;
use crate::span::{ExprId, TypeId};
use crate::tree::{ExprKind, Tree};
use crate::types::{Class, QualType, Type};

use super::accesses::{access, Access, How};
use super::places::{self, pointed};
use super::{Escape, Pass};
use crate::access::is_pure;

impl Pass<'_> {
    /// Treats the accesses through pointers that may have the addresses of registers. Linear in the program for each
    /// address that the program keeps.
    ///
    /// # Errors
    /// An access whose register is not known.
    pub(super) fn through_pointers(&mut self) -> Result<(), Diagnostic> {
        let tree = &self.unit.tree;
        let exprs = tree.exprs.iter().filter(|(_, e)| !e.unevaluated);
        let exprs: Vec<ExprId> = exprs.map(|(id, _)| id).collect();
        for e in exprs {
            self.unknown_address(e)?;
            match &tree.exprs[e].kind {
                ExprKind::Member {
                    base, arrow: true, ..
                } if pointed(tree, *base).is_none() => {
                    let of = tree.types.pointee(tree.exprs[*base].ty);
                    let of = of.map(|of| of.ty);
                    self.through(e, *base, of)?;
                }
                ExprKind::Deref(base) | ExprKind::Index { base, .. }
                    if places::object(tree, e).is_none() && is_pointer(tree, *base) =>
                {
                    self.through(e, e, Some(tree.exprs[e].ty.ty))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// An access to what a pointer points to, `of` this type.
    fn through(&mut self, e: ExprId, base: ExprId, of: Option<TypeId>) -> Result<(), Diagnostic> {
        let tree = &self.unit.tree;
        let escapes = self.escapes.iter().filter(|escape| Some(escape.ty) == of);
        let mut escapes: Vec<Escape> = escapes.cloned().collect();
        escapes.sort_by(|a, b| a.lvalue.cmp(&b.lvalue));
        escapes.dedup_by(|a, b| a.lvalue == b.lvalue);
        let access = access(tree, e);
        if escapes.is_empty() || !access.ty.quals.is_volatile {
            return Ok(());
        }
        let (escapes, own) = self.reached(access.whole, escapes);
        match access.how {
            How::Write => return Ok(()),
            How::Address => return self.kept(&access, &escapes),
            _ => {}
        }
        let text = |e: ExprId| {
            let text = self.unit.text_of(tree.exprs[e].span);
            self.text.on_a_line(text)
        };
        let (whole, address) = match base == e {
            true => (text(access.whole), format!("&({})", text(e))),
            false => (text(access.whole), format!("({})", text(base))),
        };
        let mut value = String::new();
        let one_of_type =
            || base != e && escapes.len() == 1 && of.is_some_and(|of| !self.has_others(of));
        let only = own || one_of_type();
        for escape in &escapes {
            if !own {
                self.declare(escape.object, access.whole)?;
            }
            let part = Access {
                path: escape.path.iter().chain(&access.path).cloned().collect(),
                ..access.clone()
            };
            let Some(read) = self.value(escape.object, &part, access.whole)? else {
                continue;
            };
            value += &match only {
                true => read,
                false if escape.within => format!(
                    "(unsigned long)(const volatile void *){address} - (unsigned long)(const volatile void *){array} < sizeof({array}) ? {read} : ",
                    array = escape.lvalue
                ),
                false => format!(
                    "(const volatile void *){address} == (const volatile void *)&{} ? {read} : ",
                    escape.lvalue
                ),
            };
        }
        if value.is_empty() {
            return Ok(());
        }
        if !only {
            if !is_pure(tree, access.whole) {
                return Err(self.impure(access.whole));
            }
            value = format!("({value}{whole})");
        }
        self.read(&access, &whole, &value)
    }

    /// A part of what a pointer points to whose address goes elsewhere: the same part of each register may be meant.
    fn kept(&mut self, access: &Access, escapes: &[Escape]) -> Result<(), Diagnostic> {
        for escape in escapes {
            let members: String = access.path.iter().map(|name| format!(".{name}")).collect();
            let further = Escape {
                lvalue: format!("{}{members}", escape.lvalue),
                ty: access.ty.ty,
                object: escape.object,
                path: escape.path.iter().chain(&access.path).cloned().collect(),
                within: false,
            };
            let indexed = matches!(self.unit.tree.types.get(access.ty), Type::Array(..));
            if indexed || !self.escapes.iter().any(|e| e.lvalue == further.lvalue) {
                let span = self.unit.tree.exprs[access.whole].span;
                let message = "the address of a part of a register goes elsewhere through a pointer, so that what is read there is not known";
                return Err(Diagnostic::error(span, message)
                    .help("access the register itself by its constant address"));
            }
        }
        Ok(())
    }

    /// Whether the program has objects of its own of a type.
    fn has_others(&self, of: TypeId) -> bool {
        let tree = &self.unit.tree;
        let declared = tree.objects.iter().any(|(_, o)| holds(tree, o.ty, of, 0));
        let sized = |e: &ExprKind| matches!(e, ExprKind::SizeofType(ty) if holds(tree, *ty, of, 0));
        declared || tree.exprs.iter().any(|(_, e)| sized(&e.kind))
    }

    /// Refuses volatile memory at an address that the program computes.
    fn unknown_address(&self, e: ExprId) -> Result<(), Diagnostic> {
        let tree = &self.unit.tree;
        let expr = &tree.exprs[e];
        let ExprKind::Cast(inner) = expr.kind else {
            return Ok(());
        };
        let of = tree.types.pointee(expr.ty);
        let volatile = of.is_some_and(|of| of.quals.is_volatile || self.is_of_registers(of));
        let computed = tree.types.class(expr.ty) == Class::Pointer
            && tree.types.is_integer(tree.exprs[inner].ty)
            && places::value(tree, inner).is_none();
        if computed && volatile {
            let message = "which register is at this address is not known: the address is computed";
            return Err(Diagnostic::error(expr.span, message).help(
                "pass the register's address as a pointer, or access it by its constant address",
            ));
        }
        let from = tree.types.pointee(tree.exprs[inner].ty);
        let number = tree.types.is_integer(expr.ty) && pointed(tree, inner).is_none();
        let named = !matches!(tree.exprs[inner].kind, ExprKind::AddressOf(_));
        if number && named && from.is_some_and(|of| self.is_of_registers(of)) {
            let message =
                "an address of registers becomes a number here, and is none of the model's";
            return Err(
                Diagnostic::error(expr.span, message).help("compare the pointers themselves")
            );
        }
        Ok(())
    }

    fn is_of_registers(&self, of: QualType) -> bool {
        let record = places::record(&self.unit.tree, of).is_some();
        record && self.escapes.iter().any(|escape| escape.ty == of.ty)
    }

    pub(super) fn is_pure(&self, e: ExprId) -> bool {
        is_pure(&self.unit.tree, e)
    }

    pub(super) fn impure(&self, e: ExprId) -> Diagnostic {
        let message = "a register is read here by an expression with an effect of its own, which cannot be evaluated twice";
        Diagnostic::error(self.unit.tree.exprs[e].span, message)
            .help("compute the pointer in a statement before")
    }
}

fn is_pointer(tree: &Tree, e: ExprId) -> bool {
    tree.types.class(tree.exprs[e].ty) == Class::Pointer
}

/// Whether an object of a type has one of another type in it.
fn holds(tree: &Tree, ty: QualType, of: TypeId, depth: usize) -> bool {
    if ty.ty == of {
        return true;
    }
    match tree.types.get(ty) {
        _ if depth > 50 => true,
        Type::Array(element, _) => holds(tree, *element, of, depth + 1),
        Type::Record(record) => {
            let members = tree.types.records[*record].members.iter().flatten();
            members
                .into_iter()
                .any(|m| holds(tree, m.ty, of, depth + 1))
        }
        _ => false,
    }
}
