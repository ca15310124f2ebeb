//! Lowers declarators and parameter lists.

use lang_c::ast as c;
use lang_c::span::Node;

use super::specs::qualifier;
use super::Lower;
use crate::consteval::{eval, eval_with, sized};
use crate::layout::{constant_size, Otherwise, Parts};
use crate::span::{ExprId, ObjectId, Span};
use crate::tree::{Entity, Object, Parent, Storage};
use crate::types::{ArrayLen, FunctionType, QualType, Quals, Type};

/// A declarator with the type that it gives to its name.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub name: Option<(String, Span)>,
    pub ty: QualType,
}

/// The parameters that the declarator of a function definition introduces.
#[derive(Clone, Debug, Default)]
pub(super) struct Introduced {
    pub params: Vec<ObjectId>,
    /// Names of a K&R identifier list; their declarations follow the declarator.
    pub identifiers: Option<Vec<(String, Span)>>,
}

impl Lower<'_> {
    /// Applies a declarator to a base type. For a function definition, `introduced` collects the
    /// parameters of the function itself, which are declared in the current scope.
    pub(super) fn declarator(
        &mut self,
        base: QualType,
        node: &Node<c::Declarator>,
        exprs: &mut Vec<ExprId>,
        mut introduced: Option<&mut Introduced>,
    ) -> Declared {
        let mut ty = base;
        let mut level = node;
        let nearest = nearest_to_name(node);
        // The nesting is bounded like that of brackets; the loop handles one level in each turn.
        loop {
            let pointers = level
                .node
                .derived
                .iter()
                .take_while(|d| matches!(d.node, c::DerivedDeclarator::Pointer(_)))
                .count();
            for pointer in &level.node.derived[..pointers] {
                ty = self.pointer(ty, &pointer.node);
            }
            let is_nearest = std::ptr::eq(level, nearest);
            for (index, suffix) in level.node.derived[pointers..].iter().enumerate().rev() {
                let own = if index == 0 && is_nearest {
                    introduced.as_deref_mut()
                } else {
                    None
                };
                ty = self.suffix(ty, suffix, exprs, own);
            }
            match &level.node.kind.node {
                c::DeclaratorKind::Abstract => return Declared { name: None, ty },
                c::DeclaratorKind::Identifier(name) => {
                    let (text, span, _) = self.name(name);
                    return Declared {
                        name: Some((text.to_string(), span)),
                        ty,
                    };
                }
                c::DeclaratorKind::Declarator(inner) => level = inner,
            }
        }
    }

    fn pointer(&mut self, to: QualType, node: &c::DerivedDeclarator) -> QualType {
        let mut quals = Quals::NONE;
        if let c::DerivedDeclarator::Pointer(list) = node {
            for q in list {
                if let c::PointerQualifier::TypeQualifier(q) = &q.node {
                    quals = quals.union(qualifier(&q.node));
                }
            }
        }
        QualType {
            quals,
            ..self.tree.types.pointer_to(to)
        }
    }

    fn suffix(
        &mut self,
        of: QualType,
        node: &Node<c::DerivedDeclarator>,
        exprs: &mut Vec<ExprId>,
        introduced: Option<&mut Introduced>,
    ) -> QualType {
        match &node.node {
            c::DerivedDeclarator::Array(array) => {
                let len = self.array_len(&array.node.size, exprs);
                self.plain(Type::Array(of, len))
            }
            c::DerivedDeclarator::Function(f) => self.function_suffix(of, f, introduced),
            c::DerivedDeclarator::KRFunction(names) => {
                if let Some(introduced) = introduced {
                    let names = names.iter().map(|n| self.name(n));
                    introduced.identifiers = Some(
                        names
                            .map(|(name, span, _)| (name.to_string(), span))
                            .collect(),
                    );
                }
                let function = FunctionType {
                    ret: of,
                    params: vec![],
                    variadic: false,
                    prototype: false,
                };
                self.plain(Type::Function(function))
            }
            c::DerivedDeclarator::Pointer(_) | c::DerivedDeclarator::Block(_) => {
                self.pointer(of, &node.node)
            }
        }
    }

    fn array_len(&mut self, size: &c::ArraySize, exprs: &mut Vec<ExprId>) -> ArrayLen {
        match size {
            c::ArraySize::Unknown => ArrayLen::Unspecified,
            c::ArraySize::VariableUnknown => ArrayLen::Variable,
            c::ArraySize::VariableExpression(e) | c::ArraySize::StaticExpression(e) => {
                let id = self.expr(e, Parent::Constant);
                exprs.push(id);
                match self.length(id).and_then(|v| u64::try_from(v).ok()) {
                    Some(n) => ArrayLen::Known(n),
                    None => ArrayLen::Variable,
                }
            }
        }
    }

    /// The value of the length of an array, which may have sizes of structures in it.
    fn length(&self, e: ExprId) -> Option<i128> {
        let tree = &self.tree;
        let of = Parts {
            tree,
            tokens: self.input.tokens,
            text: self.input.text,
        };
        let size = |e: ExprId| match tree.types.get(sized(tree, e)?) {
            Type::Record(record) if self.view.is_none() => {
                let found = || Otherwise::of(self.input.tokens, self.input.text);
                let otherwise = self.otherwise.get_or_init(found);
                constant_size(of, otherwise, *record).map(i128::from)
            }
            _ => None,
        };
        eval(tree, e).or_else(|| eval_with(tree, e, &size))
    }

    fn function_suffix(
        &mut self,
        ret: QualType,
        node: &Node<c::FunctionDeclarator>,
        introduced: Option<&mut Introduced>,
    ) -> QualType {
        let introduces = introduced.is_some();
        if !introduces {
            // Tags and parameter names of a prototype are visible in the prototype only.
            let span = self.span(node.span);
            self.open_scope(span);
        }
        let mut params = Vec::new();
        let mut objects = Vec::new();
        for param in &node.node.parameters {
            let (ty, object) = self.parameter(param, introduces);
            params.push(ty);
            objects.extend(object);
        }
        if !introduces {
            self.close_scope();
        }
        if let Some(introduced) = introduced {
            introduced.params = objects;
        }
        let variadic = node.node.ellipsis == c::Ellipsis::Some;
        let is_void = |t: &QualType| *self.tree.types.get(*t) == Type::Void;
        // In an abstract declarator, `()` is an empty list without a prototype.
        let prototype = !params.is_empty();
        if params.len() == 1 && is_void(&params[0]) && !variadic {
            params.clear();
        }
        self.plain(Type::Function(FunctionType {
            ret,
            params,
            variadic,
            prototype,
        }))
    }

    fn parameter(
        &mut self,
        node: &Node<c::ParameterDeclaration>,
        introduces: bool,
    ) -> (QualType, Option<ObjectId>) {
        let specs = self.specs(&node.node.specifiers, false, node.span);
        let mut exprs = Vec::new();
        let Some(declarator) = &node.node.declarator else {
            return (self.adjusted(specs.base), None);
        };
        let declared = self.declarator(specs.base, declarator, &mut exprs, None);
        let ty = self.adjusted(declared.ty);
        let Some((name, name_span)) = declared.name else {
            return (ty, None);
        };
        let span = self.span(declarator.span);
        let object = self.parameter_object(&name, name_span, span, ty, specs.is_register);
        if introduces {
            return (ty, Some(object));
        }
        // A parameter of a prototype is visible only to the array lengths after it.
        self.tree.objects[object].function = None;
        (ty, None)
    }

    /// Declares a parameter in the current scope.
    pub(super) fn parameter_object(
        &mut self,
        name: &str,
        name_span: Span,
        declarator: Span,
        ty: QualType,
        register: bool,
    ) -> ObjectId {
        let object = self.tree.objects.push(Object {
            name: name.to_string(),
            ty,
            storage: Storage::Parameter,
            thread_local: false,
            register,
            function: self.function,
            scope: self.scope,
            name_span,
            declarator,
            decls: Vec::new(),
            init: None,
            defined: true,
            in_system_header: self.in_system_header(name_span.start),
        });
        self.declare(name, declarator.end, Entity::Object(object));
        object
    }

    /// The type of a parameter: arrays and functions become pointers.
    pub(super) fn adjusted(&mut self, ty: QualType) -> QualType {
        match *self.tree.types.get(ty) {
            Type::Array(of, _) => self.tree.types.pointer_to(of),
            Type::Function(_) => self.tree.types.pointer_to(ty),
            _ => ty,
        }
    }
}

/// The level of a declarator whose pointers and suffixes stand next to the name: for `int
/// (*(f)(int))(char)`, the level `*(f)(int)`.
fn nearest_to_name(node: &Node<c::Declarator>) -> &Node<c::Declarator> {
    let mut level = node;
    let mut nearest = node;
    loop {
        if !level.node.derived.is_empty() {
            nearest = level;
        }
        match &level.node.kind.node {
            c::DeclaratorKind::Declarator(inner) => level = inner,
            _ => return nearest,
        }
    }
}
