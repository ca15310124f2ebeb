//! Objects: their types, lifetimes and scopes.

use std::collections::HashSet;

use cfront::span::ObjectId;
use cfront::tree::{ExprKind, InitKind, Resolved, Storage};
use cfront::types::{ArrayLen, QualType, Type};

use super::Collector;
use crate::facts::range;
use crate::facts::spelling::{declaration, value_type};
use crate::facts::types;
use crate::facts::{FunctionIndex, Lifetime, Object, Range};

impl Collector<'_> {
    /// Collects the objects in the order of their ids, so that an id is also the index into the facts.
    pub(crate) fn objects(&mut self, line: &dyn Fn(usize) -> (String, u32)) {
        let taken = cfront::access::address_taken(self.tree);
        let named = self.named();
        for (id, object) in self.tree.objects.iter() {
            let function = object
                .function
                .and_then(|f| self.functions.get(&f).copied());
            let lifetime = match (object.storage, function) {
                _ if object.thread_local => Lifetime::ThreadLocal,
                (Storage::Local | Storage::Parameter, Some(f)) => Lifetime::Local(f),
                (Storage::StaticLocal, Some(f)) => Lifetime::StaticLocal(f),
                (Storage::Parameter, None) => Lifetime::Prototype,
                _ => Lifetime::Static,
            };
            let (element, elements) = match self.tree.types.get(object.ty) {
                Type::Array(of, ArrayLen::Known(n)) => (*of, Some(*n)),
                Type::Array(of, _) => (*of, Some(0)),
                _ => (object.ty, None),
            };
            let (scope_depth, scope_is_for, scope) = self.scope_of(object, function);
            let (file, number) = line(object.name_span.start);
            let other_files = self.other_files(object, &file, line);
            self.facts
                .variable_types
                .push(types::variable(self.tree, id));
            self.facts.objects.push(Object {
                name: object.name.clone(),
                place: range(object.name_span),
                file,
                other_files,
                line: number,
                lifetime,
                system: object.in_system_header,
                value_type: value_type(self.tree, object.ty),
                declaration: declaration(self.tree, object.ty),
                type_name: self.type_name(element),
                elements,
                parts: crate::facts::sync_types::parts(self.tree, object.ty),
                scope,
                scope_is_for,
                scope_depth,
                parameter: object.storage == Storage::Parameter,
                register: object.register,
                address_taken: taken.contains_key(&id),
                named: named.contains(&id),
                initial: self.initial(object),
                declared_at: self.declared.get(&id).copied(),
                atomic: object.ty.quals.is_atomic,
            });
        }
    }

    /// The scope of an object: its depth, whether a `for` statement opens it, and its range. The scope of an
    /// object outside functions is the whole text.
    fn scope_of(
        &self,
        object: &cfront::tree::Object,
        function: Option<FunctionIndex>,
    ) -> (i32, bool, Range) {
        let body = function.map(|f| self.facts.functions[f].body);
        let parameter = object.storage == Storage::Parameter;
        match (self.scopes.get(&object.scope), body) {
            (_, Some(body)) if parameter => (0, false, body),
            (Some(&(depth, is_for, span)), _) => (depth, is_for, range(span)),
            (None, Some(body)) => (0, false, body),
            (None, None) => (
                0,
                false,
                Range {
                    start: 0,
                    end: usize::MAX,
                },
            ),
        }
    }

    /// The files other than `file` that declare an object, in the order of the declarations.
    fn other_files(
        &self,
        object: &cfront::tree::Object,
        file: &str,
        line: &dyn Fn(usize) -> (String, u32),
    ) -> Vec<String> {
        let mut others: Vec<String> = Vec::new();
        for decl in object.decls.iter().skip(1) {
            let other = line(self.tree.decls[*decl].span.start).0;
            if other != file && !others.contains(&other) {
                others.push(other);
            }
        }
        others
    }

    /// The objects that some code names.
    fn named(&self) -> HashSet<ObjectId> {
        let exprs = self.tree.exprs.iter();
        let objects = exprs.filter_map(|(_, e)| match e.kind {
            ExprKind::Ident(Resolved::Object(object)) if !e.unevaluated => Some(object),
            _ => None,
        });
        objects.collect()
    }

    fn initial(&self, object: &cfront::tree::Object) -> Option<i128> {
        let Some(init) = object.init else {
            return Some(0);
        };
        match self.tree.inits[init].kind {
            InitKind::Expr(e) => cfront::consteval::eval(self.tree, e),
            InitKind::List(_) => None,
        }
    }

    fn type_name(&self, ty: QualType) -> String {
        match self.tree.types.get(ty) {
            Type::Record(id) => self.tree.types.records[*id]
                .typedef_name
                .clone()
                .unwrap_or_default(),
            _ => String::new(),
        }
    }
}
