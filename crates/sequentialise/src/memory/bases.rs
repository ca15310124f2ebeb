//! Objects that have no name at file scope: of functions, or allocated. The program says where they are, as soon as they are there.

use std::collections::BTreeSet;

use cfront::allocations::{allocated, library_name};
use cfront::tree::{Parent, Storage};
use cfront::types::{ArrayLen, QualType, Type};
use cfront::{Diagnostic, ExprId, FunctionId, Memory, ObjectId, Span};

use super::model::{refused, Outcome};
use crate::facts::Facts;
use crate::races::{is_in_loop, once};

/// An object that a run makes once at most, and where it is.
pub(super) struct Base {
    memory: Memory,
    /// The variable with its address.
    pub name: String,
    /// The type of the object, or of its elements.
    pub ty: QualType,
    /// The number of elements.
    pub elements: u64,
}

/// Where the program says the address of an object.
pub(super) enum Said {
    /// Around the call that allocates it.
    Around(Span, String, String),
    /// Behind its declaration.
    Behind(Span, String),
}

impl Base {
    /// The object, if a run makes it once at most; it gets this number.
    pub fn of(facts: &Facts, memory: Memory, number: usize) -> Outcome<Base> {
        let (ty, elements) = match memory {
            Memory::Object(object) => automatic(facts, object)?,
            Memory::Made(call) => made(facts, call)?,
        };
        Ok(Base {
            memory,
            name: format!("memmodel_base_{number}"),
            ty,
            elements,
        })
    }

    /// Its elements as lvalues.
    pub fn lvalues(&self, facts: &Facts) -> Option<Vec<String>> {
        let types = &facts.local_types.types;
        let pointer = types.declare_where(self.ty, "*", &|_| true)?;
        let one = |i| match self.elements {
            1 => format!("(*({pointer}){})", self.name),
            _ => format!("(({pointer}){})[{i}]", self.name),
        };
        Some((0..self.elements).map(one).collect())
    }

    /// Whether it has any value before it is written.
    pub fn is_fresh(&self, facts: &Facts) -> bool {
        match self.memory {
            Memory::Object(object) => {
                let o = &facts.tree.objects[object];
                o.init.is_none() && !o.is_static_duration()
            }
            Memory::Made(call) => library_name(facts.tree, call) != Some("calloc"),
        }
    }

    /// Its name for people.
    pub fn told(&self, facts: &Facts) -> String {
        match self.memory {
            Memory::Object(object) => facts.tree.objects[object].name.clone(),
            Memory::Made(call) => facts.unit.text_of(facts.tree.exprs[call].span).to_owned(),
        }
    }

    /// Where the program says its address.
    pub fn said(&self, facts: &Facts) -> Outcome<Said> {
        let tree = facts.tree;
        match self.memory {
            Memory::Made(call) => Ok(Said::Around(
                tree.exprs[call].span,
                format!("({} = ", self.name),
                ")".to_owned(),
            )),
            Memory::Object(object) => {
                let o = &tree.objects[object];
                let decl = o.decls.first().map(|&d| &tree.decls[d]);
                // Statements of other kinds have no room for another one.
                let decl = decl.filter(|d| {
                    matches!(d.parent, Parent::Stmt(s) if matches!(tree.stmts[s].kind, cfront::tree::StmtKind::Compound { .. }))
                });
                match decl {
                    Some(decl) => Ok(Said::Behind(
                        Span::empty(decl.span.end),
                        format!(" {} = (void *)&{};", self.name, o.name),
                    )),
                    None => Err(vec![on_a_stack(facts, object)]),
                }
            }
        }
    }
}

/// The functions that a run calls once at most.
fn called_once(facts: &Facts) -> BTreeSet<FunctionId> {
    let main = facts.tree.function_named("main");
    main.map_or_else(BTreeSet::new, |main| once(facts, main))
}

fn runs_once(facts: &Facts, function: Option<FunctionId>, at: Span) -> bool {
    function.is_some_and(|f| called_once(facts).contains(&f) && !is_in_loop(facts, f, at))
}

/// What a variable of a function has room for.
fn automatic(facts: &Facts, object: ObjectId) -> Outcome<(QualType, u64)> {
    let o = &facts.tree.objects[object];
    let is_plain = o.storage == Storage::Local && runs_once(facts, o.function, o.name_span);
    // A static local is there once, whoever passes its declaration.
    if o.thread_local || !(is_plain || o.is_static_duration()) {
        return Err(vec![on_a_stack(facts, object)]);
    }
    match facts.tree.types.get(o.ty) {
        Type::Array(of, ArrayLen::Known(n)) => Ok((*of, *n)),
        Type::Array(..) => Err(vec![on_a_stack(facts, object)]),
        _ => Ok((o.ty, 1)),
    }
}

fn on_a_stack(facts: &Facts, object: ObjectId) -> Diagnostic {
    let o = &facts.tree.objects[object];
    let message = format!("`{}` is accessed by several threads at the same time, and the memory model follows only objects at file scope and those that are there once", o.name);
    Diagnostic::error(o.name_span, message)
}

/// What a call allocates.
fn made(facts: &Facts, call: ExprId) -> Outcome<(QualType, u64)> {
    let tree = facts.tree;
    let span = tree.exprs[call].span;
    let room = allocated(tree, call).map(|made| (made.ty, made.elements.unwrap_or(1)));
    let function = tree.function_of(tree.exprs[call].parent);
    match room.filter(|_| runs_once(facts, function, span)) {
        Some(room) => Ok(room),
        None => refused(span, "memory that is allocated here is accessed by several threads at the same time, which the memory model follows only where one object is allocated in a run"),
    }
}
