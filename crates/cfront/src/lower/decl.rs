//! Lowers declarations and function definitions.

use lang_c::ast as c;
use lang_c::span::{Node, Span as CSpan};

use super::params::Introduced;
use super::specs::Specs;
use super::Lower;
use crate::diag::Diagnostic;
use crate::span::{DeclId, FunctionId, ObjectId, Span};
use crate::tree::{Body, Decl, Declared, Entity, Function, InitKind, Object, Parent, Storage};
use crate::types::{ArrayLen, FunctionType, IntKind, QualType, Type};

impl Lower<'_> {
    /// Lowers a declaration with all its declarators.
    pub(super) fn declaration(&mut self, node: &Node<c::Declaration>, parent: Parent) -> DeclId {
        let id = self.tree.decls.push(Decl {
            span: self.span_with_prefix(node.span),
            declared: Vec::new(),
            function: self.function,
            scope: self.scope,
            parent,
            type_exprs: Vec::new(),
            is_typedef: false,
        });
        let alone = node.node.declarators.is_empty();
        let specs = self.specs(&node.node.specifiers, alone, node.span);
        self.tree.decls[id].is_typedef = specs.is_typedef;
        self.adopt(id, specs.exprs.clone());
        let all: Vec<Span> = node
            .node
            .declarators
            .iter()
            .map(|d| self.span(d.span))
            .collect();
        let mut specs = specs;
        let marks = std::mem::take(&mut specs.marks);
        for (number, declarator) in node.node.declarators.iter().enumerate() {
            let of_this = marks.iter().filter(|(_, at)| {
                let marked = self.marked(*at, &all);
                marked.is_none_or(|marked| marked == number)
            });
            specs.marks = of_this.cloned().collect();
            self.init_declarator(id, &specs, declarator);
        }
        id
    }

    /// Makes a declaration the parent of expressions in its types.
    fn adopt(&mut self, decl: DeclId, exprs: Vec<crate::span::ExprId>) {
        for &e in &exprs {
            self.tree.exprs[e].parent = Parent::Decl(decl);
        }
        self.tree.decls[decl].type_exprs.extend(exprs);
    }

    fn init_declarator(&mut self, decl: DeclId, specs: &Specs, node: &Node<c::InitDeclarator>) {
        let mut exprs = Vec::new();
        let declared = self.declarator(specs.base, &node.node.declarator, &mut exprs, None);
        self.adopt(decl, exprs);
        let Some((name, name_span)) = declared.name else {
            return;
        };
        let declarator = self.span(node.node.declarator.span);
        let is_function = matches!(self.tree.types.get(declared.ty), Type::Function(_));
        let entity = if specs.is_typedef {
            self.name_type(declared.ty, &name);
            let entity = Entity::Typedef(declared.ty);
            self.check_kind(&name, name_span, entity);
            self.declare(&name, declarator.end, entity);
            entity
        } else if is_function {
            let function = self.function_named(&name, name_span, declared.ty, specs);
            let entity = Entity::Function(function);
            self.check_kind(&name, name_span, entity);
            self.declare(&name, declarator.end, entity);
            entity
        } else {
            let has_init = node.node.initializer.is_some();
            let spans = (name_span, declarator);
            let object = self.object(decl, &name, spans, declared.ty, specs, has_init);
            let entity = Entity::Object(object);
            self.check_kind(&name, name_span, entity);
            self.declare(&name, declarator.end, entity);
            entity
        };
        self.mark(&specs.marks, entity);
        let index = self.tree.decls[decl].declared.len();
        self.tree.decls[decl].declared.push(Declared {
            entity,
            declarator,
            name: name_span,
            init: None,
        });
        if let (Some(init), Entity::Object(object)) = (&node.node.initializer, entity) {
            self.initialize(decl, index, object, specs, init);
        }
    }

    fn initialize(
        &mut self,
        decl: DeclId,
        index: usize,
        object: ObjectId,
        specs: &Specs,
        node: &Node<c::Initializer>,
    ) {
        let ty = self.tree.objects[object].ty;
        let init = self.initializer(node, Parent::Declarator(decl, index));
        self.tree.decls[decl].declared[index].init = Some(init);
        self.tree.objects[object].init = Some(init);
        if specs.is_auto_type || specs.is_untyped_auto {
            let ty = match self.tree.inits[init].kind {
                InitKind::Expr(e) => self.value_type(e),
                InitKind::List(_) => self.unknown(),
            };
            let is_int = matches!(self.tree.types.get(ty), Type::Int(IntKind::Int));
            if specs.is_untyped_auto && !is_int {
                let message = "`auto` without a type is an `int` before C23, and has the type of its initializer since: write the type";
                self.error(self.tree.objects[object].name_span, message);
            }
            self.tree.objects[object].ty = ty;
        } else {
            self.tree.objects[object].ty = self.completed(ty, init);
        }
    }

    /// Two kinds of names cannot be the same in one scope. A declaration that lang-c misread is
    /// caught here.
    fn check_kind(&mut self, name: &str, span: Span, entity: Entity) {
        let Some(before) = self.lookup_here(name) else {
            return;
        };
        let same = match (before, entity) {
            (Entity::Object(a), Entity::Object(b)) => {
                a == b || self.tree.objects[a].storage == Storage::Parameter
            }
            (Entity::Function(a), Entity::Function(b)) => a == b,
            (Entity::Typedef(_), Entity::Typedef(_)) => true,
            _ => false,
        };
        if !same {
            self.report(
                Diagnostic::error(span, format!("`{name}` is declared here as something else"))
                    .note("the compiler would refuse this, too, or baproduct misread it"),
            );
        }
    }

    /// Finds or makes the object that a declarator declares.
    fn object(
        &mut self,
        decl: DeclId,
        name: &str,
        (name_span, declarator): (Span, Span),
        ty: QualType,
        specs: &Specs,
        has_init: bool,
    ) -> ObjectId {
        let at_file_scope = self.at_file_scope();
        let linked = at_file_scope || specs.is_extern;
        if linked {
            let defines = !specs.is_extern || has_init;
            if let Some(&known) = self.linked.get(name) {
                self.redeclare(known, decl, ty, defines);
                return known;
            }
            if let Some(&known) = self
                .externals
                .objects
                .get(name)
                .filter(|_| !specs.is_static)
            {
                self.redeclare(known, decl, ty, defines);
                self.retype(known, ty);
                self.linked.insert(name.to_string(), known);
                return known;
            }
        }
        let storage = match (at_file_scope, specs.is_static) {
            (true, true) => Storage::FileStatic,
            (true, false) => Storage::Global,
            (false, _) if specs.is_extern => Storage::Global,
            (false, true) => Storage::StaticLocal,
            (false, false) => Storage::Local,
        };
        let object = self.tree.objects.push(Object {
            name: name.to_string(),
            ty,
            storage,
            thread_local: specs.is_thread_local,
            register: specs.is_register,
            function: if linked { None } else { self.function },
            scope: if linked { self.file_scope } else { self.scope },
            name_span,
            declarator,
            decls: vec![decl],
            init: None,
            defined: !specs.is_extern || has_init,
            in_system_header: self.in_system_header(name_span.start),
        });
        if linked {
            self.linked.insert(name.to_string(), object);
        }
        object
    }

    fn redeclare(&mut self, known: ObjectId, decl: DeclId, ty: QualType, defines: bool) {
        let before = self.tree.objects[known].ty;
        let completes = matches!(
            self.tree.types.get(before),
            Type::Array(_, ArrayLen::Unspecified) | Type::Unknown
        );
        let object = &mut self.tree.objects[known];
        if completes {
            object.ty = ty;
        }
        object.defined |= defines;
        object.decls.push(decl);
    }

    /// Gives an object of another file the type of this file, whose expressions use the types of
    /// this file.
    fn retype(&mut self, known: ObjectId, ty: QualType) {
        let incomplete = match self.tree.types.get(ty) {
            Type::Array(_, ArrayLen::Unspecified) | Type::Unknown => true,
            Type::Record(id) => self.tree.types.records[*id].members.is_none(),
            _ => false,
        };
        if !incomplete {
            self.tree.objects[known].ty = ty;
        }
    }

    /// The function of another file that a declaration may refer to.
    fn external_function(&mut self, name: &str, specs: &Specs) -> Option<FunctionId> {
        let known = *self.externals.functions.get(name)?;
        // Each file may have its own inline definition.
        let inline = specs.is_inline || self.tree.functions[known].is_inline;
        if specs.is_static || inline {
            return None;
        }
        self.functions.insert(name.to_string(), known);
        Some(known)
    }

    /// Finds or makes the function that a declarator declares.
    fn function_named(
        &mut self,
        name: &str,
        name_span: Span,
        ty: QualType,
        specs: &Specs,
    ) -> FunctionId {
        let here = self.functions.get(name).copied();
        if let Some(known) = here.or_else(|| self.external_function(name, specs)) {
            let better = match (
                self.tree.types.get(self.tree.functions[known].ty),
                self.tree.types.get(ty),
            ) {
                (_, Type::Unknown) => false,
                (Type::Function(old), Type::Function(new)) => !old.prototype || new.prototype,
                _ => true,
            };
            let function = &mut self.tree.functions[known];
            if better {
                function.ty = ty;
            }
            function.is_static |= specs.is_static;
            function.is_inline |= specs.is_inline;
            function.is_noreturn |= specs.is_noreturn && !returns_by_convention(name);
            function.implicit = false;
            function.names.push(name_span);
            return known;
        }
        let in_system_header = self.in_system_header(name_span.start);
        let function = self.tree.functions.push(Function {
            name: name.to_string(),
            ty,
            is_static: specs.is_static,
            is_inline: specs.is_inline,
            is_noreturn: specs.is_noreturn && !returns_by_convention(name),
            body: None,
            names: vec![name_span],
            in_system_header,
            implicit: false,
        });
        self.functions.insert(name.to_string(), function);
        function
    }

    /// The function of a call without declaration, as C89 allows.
    pub(super) fn implicit_function(&mut self, name: &str) -> FunctionId {
        let known = self.functions.get(name);
        if let Some(&known) = known.or_else(|| self.externals.functions.get(name)) {
            self.functions.insert(name.to_string(), known);
            return known;
        }
        let ret = self.tree.types.int();
        let ty = self.plain(Type::Function(FunctionType {
            ret,
            params: vec![],
            variadic: false,
            prototype: false,
        }));
        let function = self.tree.functions.push(Function {
            name: name.to_string(),
            ty,
            is_static: false,
            is_inline: false,
            is_noreturn: false,
            body: None,
            names: vec![],
            in_system_header: true,
            implicit: true,
        });
        self.functions.insert(name.to_string(), function);
        function
    }

    // Definitions -------------------------------------------------------------------------------

    /// Lowers a function definition; `None` if its declarator is malformed.
    pub(super) fn function_definition(
        &mut self,
        node: &Node<c::FunctionDefinition>,
    ) -> Option<FunctionId> {
        let def = &node.node;
        let span = self.span_with_prefix(node.span);
        let header = CSpan::span(node.span.start, def.statement.span.start.saturating_sub(1));
        let specs = self.specs(&def.specifiers, false, header);
        let declarator_span = self.span(def.declarator.span);
        // The parameters belong to the function, so the function is needed before them.
        let name = declarator_name(&def.declarator)?;
        let (name, name_span, _) = self.name(name);
        let name = name.to_string();
        let placeholder = self.unknown();
        let function = self.function_named(&name, name_span, placeholder, &specs);
        self.mark(&specs.marks, Entity::Function(function));
        self.function = Some(function);
        let scope_span = Span::new(declarator_span.start, span.end);
        let scope = self.open_scope(scope_span);
        let mut introduced = Introduced::default();
        let mut exprs = Vec::new();
        let declared = self.declarator(
            specs.base,
            &def.declarator,
            &mut exprs,
            Some(&mut introduced),
        );
        let old_style = introduced
            .identifiers
            .as_ref()
            .is_some_and(|l| !l.is_empty())
            || !def.declarations.is_empty();
        if let Some(identifiers) = introduced.identifiers.take() {
            introduced.params = self.old_style_params(&identifiers, &def.declarations);
        }
        self.set_type(function, declared.ty, name_span);
        self.declare_at_file_scope(&name, name_span, function);
        let already = self.tree.functions[function].body.is_some();
        if already {
            self.error(
                name_span,
                format!("the function `{name}` is defined a second time"),
            );
        }
        let block = self.body(&def.statement, function);
        self.close_scope();
        self.function = None;
        if !already {
            self.tree.functions[function].body = Some(Body {
                span,
                declarator: declarator_span,
                block,
                params: introduced.params,
                scope,
                old_style,
            });
        }
        (!already).then_some(function)
    }

    fn set_type(&mut self, function: FunctionId, ty: QualType, name_span: Span) {
        if !matches!(self.tree.types.get(ty), Type::Function(_)) {
            self.error(name_span, "this definition has a body but is no function");
            return;
        }
        let keep = match (
            self.tree.types.get(self.tree.functions[function].ty),
            self.tree.types.get(ty),
        ) {
            (Type::Function(old), Type::Function(new)) => old.prototype && !new.prototype,
            _ => false,
        };
        if !keep {
            self.tree.functions[function].ty = ty;
        }
    }

    fn declare_at_file_scope(&mut self, name: &str, name_span: Span, function: FunctionId) {
        let here = std::mem::replace(&mut self.scope, self.file_scope);
        self.check_kind(name, name_span, Entity::Function(function));
        self.declare(name, name_span.end, Entity::Function(function));
        self.scope = here;
    }

    fn old_style_params(
        &mut self,
        identifiers: &[(String, Span)],
        declarations: &[Node<c::Declaration>],
    ) -> Vec<ObjectId> {
        let mut typed = Vec::new();
        for node in declarations {
            let specs = self.specs(&node.node.specifiers, false, node.span);
            for declarator in &node.node.declarators {
                let mut exprs = Vec::new();
                let d = self.declarator(specs.base, &declarator.node.declarator, &mut exprs, None);
                if let Some((name, span)) = d.name {
                    let whole = self.span(declarator.node.declarator.span);
                    typed.push((name, span, whole, self.adjusted(d.ty), specs.is_register));
                }
            }
        }
        let mut params = Vec::new();
        for (name, span) in identifiers {
            let found = typed.iter().find(|t| t.0 == *name).cloned();
            let (span, whole, ty, register) = match found {
                Some((_, span, whole, ty, register)) => (span, whole, ty, register),
                None => (*span, *span, self.tree.types.int(), false),
            };
            params.push(self.parameter_object(name, span, whole, ty, register));
        }
        params
    }

    /// The type of an expression's value: arrays and functions decayed, without qualifiers.
    pub(super) fn value_type(&mut self, e: crate::span::ExprId) -> QualType {
        let ty = self.tree.exprs[e].ty;
        let ty = self.adjusted(ty);
        ty.unqualified()
    }
}

fn declarator_name(node: &Node<c::Declarator>) -> Option<&Node<c::Identifier>> {
    let mut at = node;
    loop {
        match &at.node.kind.node {
            c::DeclaratorKind::Identifier(name) => return Some(name),
            c::DeclaratorKind::Declarator(inner) => at = inner,
            c::DeclaratorKind::Abstract => return None,
        }
    }
}

/// Whether a function returns even if its declaration says `noreturn`: verification tasks declare
/// functions that choose values or assume conditions with the attributes of the one that reports an
/// error.
fn returns_by_convention(name: &str) -> bool {
    name.strip_prefix("__VERIFIER_")
        .is_some_and(|rest| rest != "error")
}
