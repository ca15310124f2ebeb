//! The names of objects in an activation, and the variables of a thread: those for its local
//! objects, and temporary ones.

use cfront::span::ObjectId;
use cfront::tree::Storage;
use cfront::types::{ArrayLen, QualType, Quals, Type};
use cfront::{ExprId, Span};

use super::Lower;
use crate::code::Variable;
use crate::facts::Facts;

impl Lower<'_, '_> {
    /// The name of an object in the current activation; `None` if it keeps its own name.
    pub(super) fn name(&self, object: ObjectId) -> Option<String> {
        let o = &self.facts.tree.objects[object];
        let unique = self.facts.names.get(&object).unwrap_or(&o.name);
        match o.storage {
            Storage::Local | Storage::Parameter => {
                let frame = self.frame();
                let function = &self.facts.tree.functions[frame.function].name;
                let thread = self.thread;
                let depth = match frame.depth {
                    1 => String::new(),
                    n => format!("_{n}"),
                };
                Some(format!("ba_seq_{thread}_{function}{depth}_{unique}"))
            }
            _ => static_name(self.facts, object).map(|name| match o.thread_local {
                true => format!("{name}[{}]", self.thread),
                false => name,
            }),
        }
    }

    /// The name of a local object; makes it a variable of the thread.
    pub(super) fn variable(&mut self, object: ObjectId) -> String {
        let name = self.name(object).unwrap_or_default();
        if self.variables.contains(&name) {
            return name;
        }
        let o = &self.facts.tree.objects[object];
        let span = o.declarator;
        let frame = self.frame();
        let of = Some((frame.function, object, frame.depth));
        let ty = self.stored(o.ty);
        let Some(declaration) = self.declare(ty, &name) else {
            let message = format!(
                "the type of `{}` cannot be written outside its block",
                o.name
            );
            self.refuse(span, message);
            return name;
        };
        self.add_variable(Variable {
            declaration,
            name: name.clone(),
            ty: Some(ty),
            of,
        });
        name
    }

    pub(super) fn add_variable(&mut self, variable: Variable) {
        if self.variables.insert(variable.name.clone()) {
            self.out.threads[self.thread as usize]
                .variables
                .push(variable);
        }
    }

    /// The type of the variable for an object: without qualifiers except `_Atomic`, so that it can
    /// be assigned.
    pub(super) fn stored(&self, ty: QualType) -> QualType {
        QualType {
            ty: ty.ty,
            quals: Quals {
                is_atomic: ty.quals.is_atomic,
                ..Quals::NONE
            },
        }
    }

    /// A declaration of a name with an assignable type; an array of variable length becomes a
    /// pointer.
    pub(super) fn declare(&self, ty: QualType, name: &str) -> Option<String> {
        let types = &self.facts.local_types.types;
        match types.get(ty) {
            Type::Array(of, ArrayLen::Variable) => {
                types.declare_where(*of, &format!("(*{name})"), &|_| true)
            }
            Type::Array(of, ArrayLen::Known(n)) => {
                let of = self.stored(*of);
                match types.get(of) {
                    Type::Array(..) => self.declare(of, &format!("{name}[{n}]")),
                    _ => types.declare_where(of, &format!("{name}[{n}]"), &|_| true),
                }
            }
            _ => types.declare_where(ty, name, &|_| true),
        }
    }

    /// Creates a variable for the value of an expression.
    pub(super) fn temp(&mut self, e: ExprId) -> String {
        let expr = &self.facts.tree.exprs[e];
        self.temp_of(expr.ty, expr.span)
    }

    pub(super) fn temp_of(&mut self, ty: QualType, span: Span) -> String {
        self.temps += 1;
        let name = format!("ba_seq_{}_t{}", self.thread, self.temps);
        let types = &self.facts.local_types.types;
        let ty = QualType {
            ty: ty.ty,
            quals: Quals::NONE,
        };
        let whole = !matches!(types.get(ty), Type::Array(..) | Type::Function(_));
        let declared = match types.get(ty) {
            Type::Array(of, _) => types.declare_where(*of, &format!("*{name}"), &|_| true),
            Type::Function(_) => types.declare_where(ty, &format!("(*{name})"), &|_| true),
            _ => types.declare_where(ty, &name, &|_| true),
        };
        let declaration = match declared {
            Some(declaration) => declaration,
            None => {
                let text = self.print(span, Vec::new());
                format!("__typeof__({text}) {name}")
            }
        };
        self.add_variable(Variable {
            declaration,
            name: name.clone(),
            ty: whole.then_some(ty),
            of: None,
        });
        name
    }

    /// Creates a variable of type `int`.
    pub(super) fn int_temp(&mut self) -> String {
        self.temps += 1;
        let name = format!("ba_seq_{}_t{}", self.thread, self.temps);
        self.add_variable(Variable {
            declaration: format!("int {name}"),
            name: name.clone(),
            ty: None,
            of: None,
        });
        name
    }

    /// The new name of a static object, which is declared once.
    pub(super) fn use_static(&mut self, object: ObjectId) -> Option<String> {
        let name = self.name(object)?;
        if !self.out.statics.contains(&object) {
            self.out.statics.push(object);
        }
        Some(name)
    }
}

/// The name in the output of a static object of a function, or of a thread-local object.
pub(crate) fn static_name(facts: &Facts, object: ObjectId) -> Option<String> {
    let o = &facts.tree.objects[object];
    match (o.storage, o.function) {
        (Storage::StaticLocal, Some(function)) => {
            let function = &facts.tree.functions[function].name;
            let unique = facts.names.get(&object).unwrap_or(&o.name);
            Some(format!("ba_seq_s_{function}_{unique}"))
        }
        _ if o.thread_local && !o.in_system_header => Some(format!("ba_seq_tl_{}", o.name)),
        _ => None,
    }
}
