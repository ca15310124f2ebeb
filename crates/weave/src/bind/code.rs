//! Questions of the plan that the collected facts do not answer: which memory a write, a call or an expression
//! of the specification may access.

use std::cell::{OnceCell, Ref, RefCell};
use std::collections::BTreeSet;

use cfront::span::{ExprId, FunctionId, Id, ObjectId};
use cfront::tree::{ExprKind, Parent, Resolved, Tree};
use cfront::{Aliases, Assumptions, Locations, Unit, View};

use crate::bind::expression::Region;
use crate::bind::expression::{self, Expression, Fault, Mode, Stand};
use crate::facts::places::Place;
use crate::facts::ObjectIndex;

/// A program's tree, to which expressions of the specification are added, and the points-to analysis of both,
/// which runs at the first question about memory.
pub struct Code {
    unit: RefCell<Unit>,
    aliases: OnceCell<Aliases>,
}

impl Code {
    /// Wraps a unit.
    pub fn new(unit: Unit) -> Code {
        Code {
            unit: RefCell::new(unit),
            aliases: OnceCell::new(),
        }
    }

    /// Returns the unit.
    pub fn into_unit(self) -> Unit {
        self.unit.into_inner()
    }

    /// Parses a C expression whose names of objects are resolved, and in which some text stands for variables of the tool's, as it reads at an offset of a function or,
    /// without an offset, at the end of the file. All expressions have to be parsed before the first question
    /// about memory: the points-to analysis runs once.
    ///
    /// # Errors
    /// The first error in the text, with a span into `text`.
    pub fn expression(
        &self,
        text: &str,
        (names, stands): (&[(usize, ObjectIndex)], &[Stand]),
        at: Option<usize>,
        mode: Mode,
    ) -> Result<Expression, Fault> {
        let mut unit = self.unit.borrow_mut();
        let here = at.map(|offset| View {
            scope: unit.tree.scope_at(offset),
            offset,
        });
        // Objects are resolved already; functions and types may be those of another file.
        let views: Vec<View> = here.into_iter().chain(unit.file_views()).collect();
        let bound: Vec<(usize, ObjectId)> = names
            .iter()
            .map(|&(offset, object)| (offset, ObjectId::from_index(object)))
            .collect();
        let mut read = unit.fragment_with(text, &bound, views[0]);
        for &view in &views[1..] {
            if read.is_ok() {
                break;
            }
            read = unit.fragment_with(text, &bound, view).or(read);
        }
        let fragment = read.map_err(|list| {
            let first = list.into_iter().next();
            first.map_or_else(
                || Fault {
                    message: "this is no C expression".into(),
                    span: cfront::Span::new(0, text.len()),
                    help: None,
                },
                |d| Fault {
                    message: d.message,
                    span: d.span,
                    help: d.help,
                },
            )
        })?;
        expression::read(&unit.tree, text, fragment.expr, stands, mode)
    }

    /// The memory that the code of functions reads, without their own automatic objects.
    pub fn read_by(&self, functions: &BTreeSet<FunctionId>) -> Vec<Region> {
        // Most conditions call none, and the whole program need not be looked at.
        if functions.is_empty() {
            return Vec::new();
        }
        let unit = self.unit.borrow();
        let tree = &unit.tree;
        let mut regions: Vec<Region> = Vec::new();
        let function_of = tree.functions_of_expressions();
        for (id, expr) in tree.exprs.iter() {
            let inside = || function_of[id.index()].is_some_and(|f| functions.contains(&f));
            let region = match &expr.kind {
                ExprKind::Ident(Resolved::Object(object))
                    if tree.objects[*object].is_static_duration() =>
                {
                    Region::of_function(Place::object(object.index()))
                }
                ExprKind::Member { .. } | ExprKind::Index { .. } | ExprKind::Deref(_) => {
                    match Place::of(tree, id) {
                        place if place.root.is_none() => Region::of_function(place),
                        _ => continue,
                    }
                }
                _ => continue,
            };
            let known = |r: &Region| r.place.root.is_some() && r.place == region.place;
            if !expr.unevaluated && inside() && !regions.iter().any(known) {
                regions.push(region);
            }
        }
        regions
    }

    /// The program, with the added expressions.
    pub(crate) fn unit(&self) -> Ref<'_, Unit> {
        self.unit.borrow()
    }

    /// The tree, with the added expressions.
    pub(crate) fn tree(&self) -> Ref<'_, Tree> {
        Ref::map(self.unit.borrow(), |unit| &unit.tree)
    }

    /// The objects that pointers in an object lead to; `None` if that is unknown.
    pub fn reached_from(&self, object: usize) -> Option<BTreeSet<usize>> {
        let reached = self.aliases().reached_from(ObjectId::from_index(object))?;
        Some(reached.into_iter().map(Id::index).collect())
    }

    /// The points-to analysis.
    pub(super) fn aliases(&self) -> &Aliases {
        self.aliases.get_or_init(|| {
            let assumptions = Assumptions {
                whole_program: true,
            };
            Aliases::new(&self.unit.borrow().tree, assumptions)
        })
    }

    /// The memory that an lvalue may designate.
    pub fn designated(&self, lvalue: usize) -> Locations {
        self.aliases().designated(ExprId::from_index(lvalue))
    }

    /// The memory of a whole object.
    pub fn location_of(&self, object: ObjectIndex) -> Locations {
        self.aliases().location_of(ObjectId::from_index(object))
    }

    /// The memory that a call of a function without a body may write.
    pub fn written_by_call(&self, call: usize) -> Locations {
        let aliases = self.aliases();
        aliases.written_by_call(&self.unit.borrow().tree, ExprId::from_index(call))
    }

    /// The names of the user's objects that the program uses and no file defines. Linear in the program.
    pub fn outside_objects(&self) -> BTreeSet<String> {
        let unit = self.unit.borrow();
        let tree = &unit.tree;
        let used = tree.exprs.iter().filter_map(|(_, expr)| match expr.kind {
            ExprKind::Ident(Resolved::Object(o)) if !expr.unevaluated => Some(&tree.objects[o]),
            _ => None,
        });
        let outside = used.filter(|o| o.is_static_duration() && !o.defined && !o.in_system_header);
        outside.map(|o| o.name.clone()).collect()
    }

    /// The names of the functions without a body whose address the program takes and that may write through a
    /// pointer parameter: calls through pointers may call them. Which function a call may call is not asked,
    /// since a backend has no use for the names of functions without bodies. Linear in the program.
    pub fn outside_by_pointer(&self) -> BTreeSet<String> {
        let unit = self.unit.borrow();
        let tree = &unit.tree;
        let writes = |f: &cfront::tree::Function| match tree.types.function(f.ty) {
            Some(ty) if ty.prototype && !ty.variadic => {
                let pointees = ty.params.iter().filter_map(|p| tree.types.pointee(*p));
                pointees.into_iter().any(|to| !to.quals.is_const)
            }
            _ => true,
        };
        let is_called = |id: ExprId, parent: Parent| match parent {
            Parent::Expr(outer) => {
                matches!(tree.exprs[outer].kind, ExprKind::Call { callee, .. } if callee == id)
            }
            _ => false,
        };
        let taken = tree.exprs.iter().filter_map(|(id, expr)| match expr.kind {
            ExprKind::Ident(Resolved::Function(f)) => {
                (!expr.unevaluated && !is_called(id, expr.parent)).then_some(&tree.functions[f])
            }
            _ => None,
        });
        let outside = taken.filter(|f| f.body.is_none() && writes(f));
        outside.map(|f| f.name.clone()).collect()
    }

    /// The memory that a call of a function without a body may write through pointers that it finds in the
    /// objects that its arguments point to.
    pub fn written_further(&self, call: usize) -> Locations {
        let aliases = self.aliases();
        aliases.written_further(&self.unit.borrow().tree, ExprId::from_index(call))
    }

    /// Whether a thread that starts with one of these functions may get a pointer to a local object.
    pub fn leaves_its_thread(&self, object: ObjectIndex, starts: &[FunctionId]) -> bool {
        let aliases = self.aliases();
        let object = ObjectId::from_index(object);
        aliases.leaves_its_thread(&self.unit.borrow().tree, object, starts)
    }

    /// Whether only threads that run a call can change the memory that one of its arguments points to.
    pub fn stays_in_thread(&self, call: usize, argument: usize, starts: &[FunctionId]) -> bool {
        let aliases = self.aliases();
        let unit = self.unit.borrow();
        match &unit.tree.exprs[ExprId::from_index(call)].kind {
            ExprKind::Call { args, .. } => args
                .get(argument)
                .is_some_and(|&a| aliases.stays_in_thread(&unit.tree, a, starts)),
            _ => false,
        }
    }

    /// Whether another activation or thread may get a pointer to a local object.
    pub fn leaves_its_activation(&self, object: ObjectIndex) -> bool {
        let aliases = self.aliases();
        aliases.leaves_its_activation(&self.unit.borrow().tree, ObjectId::from_index(object))
    }
}
