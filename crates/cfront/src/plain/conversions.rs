//! Conversions of floating numbers to integers, which C leaves undefined where the number is outside of the type (C11, 6.3.1.4).
//! Model checkers go on with some value, and have no check for these alone. The text gets one that all have: a sum of
//! integers that overflows there, `(int)d | (2147483647 + !(d > -2147483649.0 && d < 2147483648.0)) >> 31`; its shift is 0 otherwise.
//! A compiler's checks for undefined behaviour see it, too: a difference in the place of the shift would be folded away.

use crate::integers::IntKind;
use crate::library::is_exact;
use crate::parse::Unit;
use crate::rewriting::Text;
use crate::source::Source;
use crate::span::{ExprId, InitId};
use crate::tree::{ExprKind, InitKind, Resolved, StmtKind, Tree};
use crate::types::{QualType, Type};

/// The longest number that is written twice more.
const LONGEST: usize = 200;

pub(super) fn checked(unit: &Unit) -> Option<Vec<Source>> {
    let tree = &unit.tree;
    let mut writer = Writer {
        unit,
        tree,
        text: Text::of(unit),
        any: false,
    };
    for (id, expr) in tree.exprs.iter() {
        if !expr.unevaluated {
            writer.expression(id);
        }
    }
    for (_, object) in tree.objects.iter().filter(|(_, o)| !o.is_static_duration()) {
        if let Some(init) = object.init {
            writer.initialised(object.ty, init);
        }
    }
    for (_, stmt) in tree.stmts.iter() {
        let StmtKind::Return(Some(e)) = stmt.kind else {
            continue;
        };
        let returned = stmt
            .function
            .and_then(|f| tree.types.function(tree.functions[f].ty));
        if let Some(function) = returned {
            writer.converted(function.ret, e);
        }
    }
    writer.any.then(|| writer.text.sources())
}

struct Writer<'a> {
    unit: &'a Unit,
    tree: &'a Tree,
    text: Text<'a>,
    any: bool,
}

impl Writer<'_> {
    fn expression(&mut self, id: ExprId) {
        let tree = self.tree;
        let expr = &tree.exprs[id];
        match &expr.kind {
            ExprKind::Cast(of) => {
                if let Some((kind, check)) = self.check(expr.ty, *of) {
                    let span = expr.span;
                    self.text.open(span, &format!("{}((", narrowed(kind)));
                    self.text.close(span, &format!(") | {check})"));
                    self.any = true;
                }
            }
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } => self.converted(tree.exprs[*lhs].ty, *rhs),
            ExprKind::Call { callee, args, .. } => {
                let callee = tree.exprs[*callee].ty;
                let function = tree.types.function(callee).or_else(|| {
                    let to = tree.types.pointee(callee)?;
                    tree.types.function(to)
                });
                for (ty, arg) in function.into_iter().flat_map(|f| &f.params).zip(args) {
                    self.converted(*ty, *arg);
                }
            }
            _ => {}
        }
    }

    fn initialised(&mut self, ty: QualType, init: InitId) {
        if let InitKind::Expr(e) = self.tree.inits[init].kind {
            self.converted(ty, e);
        }
    }

    /// Checks a number that becomes one of a type without a cast.
    fn converted(&mut self, ty: QualType, e: ExprId) {
        if let Some((kind, check)) = self.check(ty, e) {
            let span = self.tree.exprs[e].span;
            self.text.open(span, &format!("(({})(", kind.spelling()));
            self.text.close(span, &format!(") | {check})"));
            self.any = true;
        }
    }

    /// The integer type to which a number is converted, and what overflows if the type does not have the number.
    fn check(&self, ty: QualType, number: ExprId) -> Option<(IntKind, String)> {
        let types = &self.tree.types;
        let Type::Int(kind) = *types.get(ty) else {
            return None;
        };
        let expr = &self.tree.exprs[number];
        let is_float = matches!(types.get(expr.ty), Type::Float(_));
        let short = expr.span.len() <= LONGEST;
        if !(is_float && short && self.is_variable(number) && self.is_repeatable(number)) {
            return None;
        }
        let bits = types.bits(kind);
        if bits > 64 {
            return None;
        }
        let written = self.unit.text_of(expr.span).replace(['\n', '\r'], " ");
        let (low, high) = match types.signed(kind) {
            // The number below is one of `double` only for narrower types.
            true if bits == 64 => (">= -9223372036854775808.0".to_owned(), 63),
            true => (format!("> -{}.0", (1u64 << (bits - 1)) + 1), bits - 1),
            false => ("> -1.0".to_owned(), bits),
        };
        let high = 1u128 << high;
        let most = (1u64 << (types.model.int - 1)) - 1;
        let check = format!(
            "({most} + !(({written}) {low} && ({written}) < {high}.0)) >> {}",
            types.model.int - 1
        );
        Some((kind, check))
    }

    /// Whether a number is none of the program's constants.
    fn is_variable(&self, e: ExprId) -> bool {
        match &self.tree.exprs[e].kind {
            ExprKind::Ident(resolved) => matches!(resolved, Resolved::Object(_)),
            ExprKind::Call { .. } => true,
            _ => self
                .tree
                .children(e)
                .into_iter()
                .any(|child| self.is_variable(child)),
        }
    }

    /// Whether a number is the same, and nothing else happens, if it is computed again.
    fn is_repeatable(&self, e: ExprId) -> bool {
        let tree = self.tree;
        let expr = &tree.exprs[e];
        let itself = match &expr.kind {
            ExprKind::Ident(Resolved::Object(_))
            | ExprKind::Member { .. }
            | ExprKind::Index { .. }
            | ExprKind::Deref(_) => !expr.ty.quals.is_volatile && !expr.ty.quals.is_atomic,
            ExprKind::Ident(Resolved::Function(f)) => is_exact(&tree.functions[*f].name),
            ExprKind::Ident(Resolved::EnumConst(..))
            | ExprKind::Int(_)
            | ExprKind::Float
            | ExprKind::Char(_) => true,
            ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Cast(_)
            | ExprKind::Conditional { .. } => true,
            ExprKind::Call { callee, .. } => matches!(
                tree.exprs[*callee].kind,
                ExprKind::Ident(Resolved::Function(_))
            ),
            _ => false,
        };
        itself
            && tree
                .children(e)
                .into_iter()
                .all(|child| self.is_repeatable(child))
    }
}

/// What makes a sum of a type again that is computed in `int`.
fn narrowed(kind: IntKind) -> String {
    match kind.rank() < IntKind::Int.rank() {
        true => format!("({})", kind.spelling()),
        false => String::new(),
    }
}
