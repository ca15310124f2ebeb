//! Integers in the parts that the processor accesses at once.

use crate::span::{ExprId, ObjectId};
use crate::tree::{ExprKind, Parent, Resolved, Tree};
use crate::types::{QualType, Type};

use super::{Effect, Weaver};

/// The function that says in which order the parts are accessed.
pub(super) const ORDER: &str = "high_part_first";

impl Weaver<'_> {
    /// Where the function begins in which an expression stands.
    pub(super) fn function_start(&self, e: ExprId) -> usize {
        let tree = &self.unit.tree;
        let function = tree.function_of(Parent::Expr(e));
        let body = function.and_then(|f| tree.functions[f].body.as_ref());
        body.map_or(0, |body| body.span.start)
    }

    /// Declares what divided accesses need in front of the function in which an expression stands.
    pub(super) fn declare_parts(&mut self, e: ExprId) {
        let start = self.function_start(e);
        let masked = match self.masked {
            true => Effect::Disable.declarations(),
            false => "",
        };
        let text = format!("extern _Bool {ORDER}(void); extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); {masked}");
        self.insert_once(start, &text);
    }
}

/// An integer object in parts.
#[derive(Clone)]
pub(super) struct Parts {
    pub lvalue: String,
    ty: String,
    pub unsigned: &'static str,
    width: u32,
    count: u32,
    masked: bool,
}

impl Parts {
    /// The parts of an lvalue with a type of integers that has a name; `None` for other types.
    pub fn of(
        tree: &Tree,
        lvalue: String,
        ty: QualType,
        width: u32,
        masked: bool,
    ) -> Option<Parts> {
        let number = tree.types.int_kind(ty)?;
        let plain = ty.unqualified();
        let bytes = crate::registers::places::size(tree, ty)?;
        Some(Parts {
            lvalue,
            ty: tree.types.declare(plain, "", tree.file_scope())?,
            unsigned: number.unsigned().spelling(),
            width,
            count: u32::try_from(8 * bytes).ok()?.div_ceil(width),
            masked,
        })
    }

    /// Those of another lvalue of the same type.
    pub fn at(&self, lvalue: String) -> Parts {
        Parts {
            lvalue,
            ..self.clone()
        }
    }

    fn mask(&self, part: u32) -> String {
        let ones = (1u128 << self.width) - 1;
        format!("({}){}ull", self.unsigned, ones << (part * self.width))
    }

    /// The expression that reads all parts.
    pub fn read(&self) -> String {
        let Parts {
            lvalue,
            ty,
            unsigned,
            ..
        } = self;
        let one = |part| format!("(({unsigned}){lvalue} & {})", self.mask(part));
        let all = |parts: Vec<u32>| {
            let parts: Vec<String> = parts.into_iter().map(one).collect();
            format!("({ty})({})", parts.join(" | "))
        };
        let (up, down) = ((0..self.count).collect(), (0..self.count).rev().collect());
        let masked = match self.masked {
            true => format!("interrupts__masked ? {lvalue} : "),
            false => String::new(),
        };
        format!("({masked}{ORDER}() ? {} : {})", all(down), all(up))
    }

    /// The statement that writes all parts of the variable `interrupts__parts`.
    pub fn write(&self) -> String {
        let Parts {
            lvalue,
            ty,
            unsigned,
            ..
        } = self;
        let one = |part| {
            let mask = self.mask(part);
            format!("__VERIFIER_atomic_begin(); {lvalue} = ({ty})((({unsigned}){lvalue} & ({unsigned})~{mask}) | (interrupts__parts & {mask})); __VERIFIER_atomic_end();")
        };
        let up: String = (0..self.count).map(one).collect();
        let down: String = (0..self.count).rev().map(one).collect();
        let masked = match self.masked {
            true => format!("if (interrupts__masked) {lvalue} = ({ty})interrupts__parts; else "),
            false => String::new(),
        };
        format!("{masked}if ({ORDER}()) {{ {down} }} else {{ {up} }}")
    }
}

/// Whether an index is one of what a pointer points to.
pub(super) fn is_element(tree: &Tree, e: ExprId) -> bool {
    match &tree.exprs[e].kind {
        ExprKind::Index { base, .. } => {
            !matches!(tree.types.get(tree.exprs[*base].ty), Type::Array(..))
        }
        _ => false,
    }
}

/// Whether the text of an access can be repeated: a name, members of it, elements at constant indices.
pub(super) fn is_plain(tree: &Tree, e: ExprId) -> bool {
    match &tree.exprs[e].kind {
        ExprKind::Ident(Resolved::Object(_)) => true,
        ExprKind::Member {
            base, arrow: false, ..
        } => is_plain(tree, *base),
        ExprKind::Index { base, index } => {
            let local = |o: &ObjectId| !tree.objects[*o].is_static_duration();
            let fixed = match &tree.exprs[*index].kind {
                ExprKind::Ident(Resolved::Object(o)) => local(o),
                _ => crate::consteval::eval(tree, *index).is_some(),
            };
            fixed && is_plain(tree, *base)
        }
        _ => false,
    }
}
