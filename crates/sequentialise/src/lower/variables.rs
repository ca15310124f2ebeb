//! The names of objects in an activation, and the variables of a thread: those for its local
//! objects, and temporary ones.

use cfront::span::ObjectId;
use cfront::tree::{Expr, ExprKind, Storage};
use cfront::types::{ArrayLen, QualType, Quals, Type};
use cfront::{ExprId, Span};

use super::Lower;
use crate::code::Variable;
use crate::facts::Facts;
use crate::local_types::is_nameless;
use crate::print::{print, Patch};

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
        let Some(declaration) = self.declare_object(object, &name) else {
            let message = format!(
                "the type of `{}` cannot be written outside its block",
                o.name
            );
            self.refuse(span, message);
            self.variables.insert(name.clone());
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

    /// A declaration of a name with the type of an object, without qualifiers: by the type, or as the program
    /// declares the object if the type has no known name (vectors, `_Float16`).
    pub(super) fn declare_object(&self, object: ObjectId, name: &str) -> Option<String> {
        let ty = self.stored(self.facts.tree.objects[object].ty);
        let by_type = self.declare(ty, name);
        by_type.or_else(|| self.declared_as_written(object, name))
    }

    fn declared_as_written(&self, object: ObjectId, name: &str) -> Option<String> {
        let (tree, unit) = (self.facts.tree, self.facts.unit);
        let o = &tree.objects[object];
        let mut element = o.ty;
        while let Type::Array(of, ArrayLen::Known(_)) = *tree.types.get(element) {
            element = of;
        }
        if !is_nameless(tree.types.get(element)) {
            return None;
        }
        let head = match o.storage {
            Storage::Parameter => self.parameter_head(o.declarator)?,
            _ => {
                let decl = &tree.decls[*o.decls.last()?];
                Span::new(decl.span.start, decl.declared.first()?.declarator.start)
            }
        };
        let parts = [head, o.declarator];
        let words = unit.tokens.tokens.iter();
        let words: Vec<Span> = words
            .filter(|t| parts.iter().any(|p| p.encloses(t.span)))
            .map(|t| t.span)
            .collect();
        let odd = |word: &str| matches!(word, "static" | "auto" | "__auto_type" | "{");
        let depends = |part: Span| {
            let idents = self.facts.idents_in(part).next().is_some();
            let hidden = self.facts.hidden_in(part).next().is_some();
            let mut types = self.facts.local_types.mentioned_in(part);
            idents || hidden || types.any(|r| r.text.is_none())
        };
        if words.iter().any(|w| odd(unit.text_of(*w))) || parts.iter().any(|p| depends(*p)) {
            return None;
        }
        // The variable is assigned.
        let fixed = |w: &&Span| matches!(unit.text_of(**w), "const" | "register" | "__const");
        let free: Vec<Patch> = words
            .iter()
            .filter(fixed)
            .map(|w| (*w, String::new()))
            .collect();
        let mut renamed = free.clone();
        renamed.push((o.name_span, name.to_string()));
        let declarator = print(self.facts, o.declarator, renamed);
        Some(format!("{} {declarator}", print(self.facts, head, free)))
    }

    /// The specifiers of a parameter with this declarator.
    fn parameter_head(&self, declarator: Span) -> Option<Span> {
        let tokens = &self.facts.unit.tokens;
        let end = tokens.at_or_after(declarator.start);
        let mut first = end;
        while let Some(before) = first.checked_sub(1) {
            match tokens.text(before, self.facts.unit.text()) {
                "(" | "," => break,
                ")" | "]" => first = *tokens.mates.get(before)? as usize,
                ";" | "{" | "}" => return None,
                _ => first = before,
            }
        }
        let start = tokens.tokens.get(first)?.span.start;
        (first < end).then_some(Span::new(start, declarator.start))
    }

    /// `__typeof__` of a text, for a declaration at file scope; refused if the type has a variable length or the text
    /// is a block.
    pub(super) fn typeof_text(&mut self, text: &str, e: ExprId) -> String {
        let tree = self.facts.tree;
        let span = tree.exprs[e].span;
        let mut ty = tree.exprs[e].ty;
        let variable = loop {
            match tree.types.get(ty) {
                Type::Array(_, ArrayLen::Variable) => break true,
                Type::Array(of, _) | Type::Pointer(of) => ty = *of,
                _ => break false,
            }
        };
        let is_block =
            |expr: &Expr| matches!(expr.kind, ExprKind::StmtExpr(_)) && span.encloses(expr.span);
        if variable || tree.exprs.iter().any(|(_, expr)| is_block(expr)) {
            let message = "the type of this value cannot be written outside its block";
            self.refuse(span, message);
        }
        format!("__typeof__({text})")
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
        let ty = self.facts.tree.exprs[e].ty;
        self.temp_of(ty, e)
    }

    fn temp_of(&mut self, ty: QualType, e: ExprId) -> String {
        self.temps += 1;
        let name = format!("ba_seq_{}_t{}", self.thread, self.temps);
        let types = &self.facts.local_types.types;
        let ty = ty.unqualified();
        let whole = !matches!(types.get(ty), Type::Array(..) | Type::Function(_));
        let declared = match types.get(ty) {
            Type::Array(of, _) => types.declare_where(*of, &format!("*{name}"), &|_| true),
            Type::Function(_) => types.declare_where(ty, &format!("(*{name})"), &|_| true),
            _ => types.declare_where(ty, &name, &|_| true),
        };
        let declaration = match declared {
            Some(declaration) => declaration,
            None => {
                let text = self.print(self.facts.tree.exprs[e].span, Vec::new());
                format!("{} {name}", self.typeof_text(&text, e))
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
