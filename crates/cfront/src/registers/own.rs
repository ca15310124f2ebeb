//! Volatile objects of the program that hardware writes, as a specification says: buffers that a controller fills, flags that
//! another core or a file that is not here sets.

use std::collections::BTreeSet;

use crate::access::{usage, Use};
use crate::alias::Aliases;
use crate::diag::Diagnostic;
use crate::span::{ExprId, ObjectId, Span};
use crate::tree::{ExprKind, Parent, Resolved, Tree};
use crate::types::{QualType, Type};

use super::accesses::{access, Access, How};
use super::unwritten::is_volatile;
use super::{Escape, Home, Object, Pass, Reads, Register, Which};

/// The name that specifications have for an object: that of its function stands before that of a local.
pub fn name_of(tree: &Tree, object: ObjectId) -> String {
    let of = &tree.objects[object];
    match of.function {
        Some(f) => format!("{}::{}", tree.functions[f].name, of.name),
        None => of.name.clone(),
    }
}

/// The volatile objects of the program that a specification names under `registers`.
pub(super) fn named(tree: &Tree, said: &[Register]) -> BTreeSet<ObjectId> {
    let names = said.iter().filter_map(|register| match &register.which {
        Which::Name(name) => Some(super::values::split(name).0),
        Which::Address(_) => None,
    });
    let names: BTreeSet<&str> = names.collect();
    let objects = tree.objects.iter();
    let objects = objects.filter(|(id, o)| {
        o.is_static_duration()
            && has_volatile(tree, o.ty, 0)
            && names.contains(&*name_of(tree, *id))
    });
    objects.map(|(id, _)| id).collect()
}

/// Whether some part of a type is volatile.
fn has_volatile(tree: &Tree, ty: QualType, depth: usize) -> bool {
    let deeper = |ty: QualType| depth < 50 && has_volatile(tree, ty, depth + 1);
    match tree.types.get(ty) {
        _ if is_volatile(tree, ty) => true,
        Type::Array(element, _) => deeper(*element),
        Type::Record(record) => {
            let members = tree.types.records[*record].members.iter().flatten();
            members.into_iter().any(|member| deeper(member.ty))
        }
        _ => false,
    }
}

impl Pass<'_> {
    /// Puts values from outside in the place of the reads of the program's own objects.
    ///
    /// # Errors
    /// Where the address of one goes to code that reads it in another way.
    pub(super) fn own(&mut self, own: &BTreeSet<ObjectId>) -> Result<(), Diagnostic> {
        let tree = &self.unit.tree;
        for &id in own {
            let object = &tree.objects[id];
            self.objects.insert(
                (Home::Own(id), object.ty.ty),
                Object {
                    home: Home::Own(id),
                    ty: object.ty,
                    name: object.name.clone(),
                    called: vec![name_of(tree, id)],
                },
            );
            self.writable(id);
        }
        for (id, expr) in tree.exprs.iter().filter(|(_, e)| !e.unevaluated) {
            let ExprKind::Ident(Resolved::Object(o)) = expr.kind else {
                continue;
            };
            if !own.contains(&o) || usage(tree, id) == Use::None {
                continue;
            }
            let key = (Home::Own(o), tree.objects[o].ty.ty);
            let access = access(tree, id);
            let text = self.unit.text_of(tree.exprs[access.whole].span);
            let lvalue = self.text.on_a_line(text);
            match access.how {
                How::Address => self.pointed_to(key, id, access, lvalue)?,
                How::Write => self.accessed(access, key, lvalue)?,
                _ => {
                    self.is_number(key, &access)?;
                    self.accessed(access, key, lvalue)?;
                }
            }
        }
        Ok(())
    }

    /// Refuses to read something of which not each value is one: a pointer, or a structure as a whole.
    fn is_number(&mut self, key: super::Key, access: &Access) -> Result<(), Diagnostic> {
        let tree = &self.unit.tree;
        let other = !tree.types.is_arithmetic(access.ty) && has_volatile(tree, access.ty, 0);
        if !other || self.setting(key, access) == Reads::Memory {
            return Ok(());
        }
        let message = "hardware writes this, as `registers` says, and what is read is no number";
        Err(Diagnostic::error(tree.exprs[access.whole].span, message)
            .help("read its members one by one, or say \"memory\""))
    }

    /// Takes `const` from the declarations of an object: what the program only reads, the hardware writes.
    fn writable(&mut self, object: ObjectId) {
        let tree = &self.unit.tree;
        let object = &tree.objects[object];
        let mut of = object.ty;
        while let Type::Array(element, _) = tree.types.get(of) {
            of = *element;
        }
        if !of.quals.is_const {
            return;
        }
        for decl in &object.decls {
            let head = Span::new(tree.decls[*decl].span.start, object.name_span.start);
            let tokens = self.unit.tokens.tokens.iter();
            let tokens = tokens.filter(|t| head.contains(t.span.start));
            let constant =
                tokens.filter(|t| matches!(self.unit.text_of(t.span), "const" | "__const"));
            for at in constant.map(|t| t.span).collect::<Vec<_>>() {
                self.text.replace(at, "");
            }
        }
    }

    /// Notes that pointers may lead to an object, or to elements of an array.
    fn pointed_to(
        &mut self,
        key: super::Key,
        ident: ExprId,
        access: Access,
        lvalue: String,
    ) -> Result<(), Diagnostic> {
        let tree = &self.unit.tree;
        let array = array_of(tree, ident, access.whole);
        let mut of = access.ty;
        while let Type::Array(element, _) = tree.types.get(of) {
            of = *element;
        }
        self.kept_as(access.whole, of)?;
        let lvalue = match array {
            Some(array) => self
                .text
                .on_a_line(self.unit.text_of(tree.exprs[array].span)),
            None => lvalue,
        };
        let escape = Escape {
            lvalue,
            ty: of.ty,
            object: key,
            path: access.path,
            within: array.is_some(),
        };
        if !self
            .escapes
            .iter()
            .any(|e| e.object == key && e.lvalue == escape.lvalue && e.ty == of.ty)
        {
            self.escapes.push(escape);
        }
        Ok(())
    }

    /// Refuses an address that goes on as one of something else, or to a function without a body: what is read there is not seen.
    fn kept_as(&self, whole: ExprId, of: QualType) -> Result<(), Diagnostic> {
        let tree = &self.unit.tree;
        let same = |ty: QualType| {
            let to = tree.types.pointee(ty);
            to.is_some_and(|to| to.ty == of.ty && (to.quals.is_volatile || !of.quals.is_volatile))
        };
        let mut at = whole;
        while let Parent::Expr(around) = tree.exprs[at].parent {
            let fits = match &tree.exprs[around].kind {
                ExprKind::AddressOf(_)
                | ExprKind::Binary(..)
                | ExprKind::Conditional { .. }
                | ExprKind::Comma(..) => true,
                ExprKind::Cast(_) => same(tree.exprs[around].ty),
                ExprKind::Assign { lhs, rhs, .. } => *rhs != at || same(tree.exprs[*lhs].ty),
                ExprKind::Call { callee, args, .. } => {
                    let parameter = args.iter().position(|arg| *arg == at);
                    parameter.is_none_or(|n| self.parameter(*callee, n).is_some_and(same))
                }
                _ => true,
            };
            if !fits {
                let message = "the address of an object that hardware writes goes on here as one of something else, or to a function without a body, so that what is read there is not known";
                return Err(Diagnostic::error(tree.exprs[at].span, message)
                    .help("read the object itself, or pass a pointer to `volatile` of its type"));
            }
            if !matches!(
                tree.exprs[around].kind,
                ExprKind::AddressOf(_) | ExprKind::Cast(_) | ExprKind::Binary(..)
            ) {
                break;
            }
            at = around;
        }
        Ok(())
    }

    /// The type of a parameter of a called function with a body.
    fn parameter(&self, callee: ExprId, number: usize) -> Option<QualType> {
        let tree = &self.unit.tree;
        let ExprKind::Ident(Resolved::Function(f)) = tree.exprs[callee].kind else {
            return None;
        };
        let body = tree.functions[f].body.as_ref()?;
        Some(tree.objects[*body.params.get(number)?].ty)
    }

    /// Refuses a place at which an object has no name: only there a pointer tells whether it leads to it.
    pub(super) fn is_seen(&self, object: ObjectId, at: ExprId) -> Result<(), Diagnostic> {
        let tree = &self.unit.tree;
        let (of, span) = (&tree.objects[object], tree.exprs[at].span);
        let part = |at| self.unit.part_of(at);
        let seen = of.function.is_none()
            && of.name_span.start < span.start
            && part(of.name_span.start) == part(span.start);
        if seen {
            return Ok(());
        }
        let message = format!("`{}` may be read here through a pointer, as well as other objects, and has no name here", of.name);
        Err(Diagnostic::error(span, message).help("declare it at file scope, before"))
    }

    /// The escapes to which a pointer may lead, and whether it leads to the only one of them whatever happens.
    pub(super) fn reached(&self, lvalue: ExprId, mut escapes: Vec<Escape>) -> (Vec<Escape>, bool) {
        let own = |escape: &Escape| matches!(escape.object.0, Home::Own(_));
        if !escapes.iter().any(own) {
            return (escapes, false);
        }
        let tree = &self.unit.tree;
        let aliases = self.aliases.get_or_init(|| {
            let whole_program = true;
            Aliases::new(tree, crate::Assumptions { whole_program })
        });
        let to = aliases.may_designate(lvalue);
        escapes.retain(|escape| match escape.object.0 {
            Home::Own(o) => to.may_be(o),
            Home::Address(_) => true,
        });
        let only = match &escapes[..] {
            [Escape {
                object: (Home::Own(o), _),
                ..
            }] => {
                let record = matches!(tree.types.get(tree.objects[*o].ty), Type::Record(_));
                !record && !to.anything && !to.unnamed && to.objects.len() == 1
            }
            _ => false,
        };
        (escapes, only)
    }
}

/// The array that an access of an object or of a part of it indexes first, or whose elements it points to.
fn array_of(tree: &Tree, ident: ExprId, whole: ExprId) -> Option<ExprId> {
    let mut at = ident;
    loop {
        if matches!(tree.types.get(tree.exprs[at].ty), Type::Array(..)) {
            return Some(at);
        }
        if at == whole {
            return None;
        }
        let Parent::Expr(around) = tree.exprs[at].parent else {
            return None;
        };
        at = around;
    }
}
