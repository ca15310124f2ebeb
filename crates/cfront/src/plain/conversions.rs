//! Conversions of floating numbers to integers, which C leaves undefined where the number is outside of the type (C11, 6.3.1.4).
//! Model checkers go on with some value, and have no check for these alone. The text gets one that all have: a sum of
//! integers that overflows there, `(int)d | (2147483647 + !(d > -2147483649.0 && d < 2147483648.0)) >> 31`; its shift is 0 otherwise.
//! A compiler's checks for undefined behaviour see it, too: a difference in the place of the shift would be folded away.
//! What cannot be computed twice, as a call, is kept in an object: `({ double converted_number = (next()); (int)converted_number | …; })`.

use crate::implicit;
use crate::integers::IntKind;
use crate::library::is_exact;
use crate::parse::Unit;
use crate::rewriting::{Names, Text};
use crate::source::Source;
use crate::span::{ExprId, Span};
use crate::tree::{BinaryOp, Entity, ExprKind, Parent, Resolved, StmtKind, Tree, UnaryOp};
use crate::types::{FloatKind, QualType, Type};

/// The longest number that is written twice more.
const LONGEST: usize = 200;
/// The least whole number behind which `double` has not all.
const EXACT: f64 = 9_007_199_254_740_992.0;
pub(super) fn checked(unit: &Unit) -> Option<Vec<Source>> {
    let tree = &unit.tree;
    let mut writer = Writer {
        unit,
        tree,
        text: Text::of(unit),
        kept: Names::of(unit).free("converted_number"),
    };
    for (id, expr) in tree.exprs.iter() {
        if !expr.unevaluated {
            writer.expression(id);
        }
    }
    for (ty, value) in implicit::conversions(tree) {
        writer.converted(ty, value);
    }
    writer.text.changed()
}

struct Writer<'a> {
    unit: &'a Unit,
    tree: &'a Tree,
    text: Text<'a>,
    /// The object that has a number which is not written again.
    kept: String,
}

impl Writer<'_> {
    fn expression(&mut self, id: ExprId) {
        let tree = self.tree;
        let expr = &tree.exprs[id];
        match &expr.kind {
            ExprKind::Cast(of) => self.cast(id, *of),
            ExprKind::Assign {
                op: Some(op),
                op_span,
                lhs,
                rhs,
            } if self.is_repeatable(*lhs) => self.combined(*op, *op_span, [*lhs, *rhs]),
            _ => {}
        }
    }

    fn cast(&mut self, cast: ExprId, of: ExprId) {
        let tree = self.tree;
        let (expr, number) = (&tree.exprs[cast], &tree.exprs[of]);
        let Some(conversion) = self.conversion(expr.ty, of) else {
            return;
        };
        let (narrowed, kept) = (conversion.narrowed(), &self.kept);
        match conversion.object {
            None => {
                let check = conversion.check(self.unit.text_of(number.span));
                self.text.around(
                    expr.span,
                    &format!("{narrowed}(("),
                    &format!(") | {check})"),
                );
            }
            Some(ty) => {
                let begin = format!("{narrowed}(__extension__ ({{ {ty} {kept} = (");
                let operator = Span::new(expr.bare.start, number.span.start);
                self.text.replace(operator, &begin);
                let end = conversion.of_the_object(kept);
                self.text.close(number.span, &end);
            }
        }
    }

    /// Checks a number that becomes one of a type without a cast.
    fn converted(&mut self, ty: QualType, e: ExprId) {
        let Some(conversion) = self.conversion(ty, e) else {
            return;
        };
        let span = self.tree.exprs[e].span;
        match conversion.object {
            None => {
                let check = conversion.check(self.unit.text_of(span));
                let begin = format!("(({})(", conversion.kind.spelling());
                self.text.open(span, &begin);
                self.text.close(span, &format!(") | {check})"));
            }
            Some(ty) => {
                let begin = format!("(__extension__ ({{ {ty} {} = (", self.kept);
                let end = conversion.of_the_object(&self.kept);
                self.text.around(span, &begin, &end);
            }
        }
    }

    /// Checks what becomes of an object and a number by a compound assignment.
    fn combined(&mut self, op: BinaryOp, op_span: Span, [object, number]: [ExprId; 2]) {
        let exprs = &self.tree.exprs;
        let Some((ty, kind)) = self.kinds(exprs[object].ty, number) else {
            return;
        };
        let conversion = Conversion {
            object: Some(ty),
            ..kind
        };
        let name = self.unit.text_of(exprs[object].span);
        let begin = format!(
            "= (__extension__ ({{ {ty} {} = {name} {} (",
            self.kept,
            op.spelling()
        );
        self.text.replace(op_span, &begin);
        let end = conversion.of_the_object(&self.kept);
        self.text.close(exprs[number].span, &end);
    }

    /// How a number becomes one of an integer type, if it may be outside of it.
    fn conversion(&self, ty: QualType, number: ExprId) -> Option<Conversion> {
        let (object, conversion) = self.kinds(ty, number)?;
        if !self.is_variable(number) && !self.is_outside(&conversion, number) {
            return None;
        }
        let is_short = self.tree.exprs[number].span.len() <= LONGEST;
        let is_written_again = is_short && self.is_repeatable(number);
        Some(Conversion {
            object: (!is_written_again).then_some(object),
            ..conversion
        })
    }

    /// The floating type of a number and its conversion to an integer type, if these are its types.
    fn kinds(&self, ty: QualType, number: ExprId) -> Option<(&'static str, Conversion)> {
        let types = &self.tree.types;
        let Type::Int(kind) = *types.get(ty) else {
            return None;
        };
        let from = match types.get(self.tree.exprs[number].ty) {
            Type::Float(FloatKind::Float) => "float",
            Type::Float(FloatKind::Double) => "double",
            Type::Float(FloatKind::LongDouble) => "long double",
            _ => return None,
        };
        let conversion = Conversion {
            kind,
            bits: types.bits(kind),
            is_signed: types.signed(kind),
            int: types.model.int,
            object: None,
        };
        (conversion.bits <= 64).then_some((from, conversion))
    }

    /// Whether a constant is, or may be, none of the type, in an expression that is evaluated where the program runs.
    fn is_outside(&self, conversion: &Conversion, number: ExprId) -> bool {
        let known = constant(self.unit, number);
        !known.is_some_and(|value| conversion.has(value)) && self.runs(Parent::Expr(number))
    }

    /// Whether something is evaluated where the program runs: it is no label, no length and no initialiser of static duration.
    fn runs(&self, mut at: Parent) -> bool {
        let tree = self.tree;
        loop {
            at = match at {
                Parent::Expr(e) => tree.exprs[e].parent,
                Parent::Init(init) => tree.inits[init].parent,
                Parent::Stmt(stmt) => {
                    return !matches!(tree.stmts[stmt].kind, StmtKind::Labeled { .. });
                }
                Parent::Declarator(decl, index) => {
                    let declared = tree.decls[decl].declared.get(index);
                    return declared.is_some_and(|declared| match declared.entity {
                        Entity::Object(object) => !tree.objects[object].is_static_duration(),
                        _ => false,
                    });
                }
                _ => return false,
            }
        }
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

/// A conversion to an integer type.
struct Conversion {
    kind: IntKind,
    /// The width of the type.
    bits: u32,
    is_signed: bool,
    /// The width of `int`.
    int: u32,
    /// The type of the object that has the number, if it is not written again.
    object: Option<&'static str>,
}

/// The value of an expression of constants, as `double` has it; `None` for others, and where `long double` may have another.
fn constant(unit: &Unit, e: ExprId) -> Option<f64> {
    let tree = &unit.tree;
    let expr = &tree.exprs[e];
    let value = match &expr.kind {
        ExprKind::Float => {
            let text = unit.text_of(expr.bare).to_ascii_lowercase();
            text.trim_end_matches(['f', 'l']).parse().ok()?
        }
        ExprKind::Int(value) | ExprKind::Char(value) => (*value)? as f64,
        ExprKind::Cast(of) if tree.types.is_arithmetic(expr.ty) => constant(unit, *of)?,
        ExprKind::Unary(UnaryOp::Minus, of) => -constant(unit, *of)?,
        ExprKind::Unary(UnaryOp::Plus, of) => constant(unit, *of)?,
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (constant(unit, *a)?, constant(unit, *b)?);
            match op {
                BinaryOp::Add => a + b,
                BinaryOp::Sub => a - b,
                BinaryOp::Mul => a * b,
                BinaryOp::Div => a / b,
                _ => return None,
            }
        }
        _ => return None,
    };
    match tree.type_of(expr.ty) {
        Type::Float(FloatKind::Float) => Some(f64::from(value as f32)),
        Type::Float(FloatKind::Double) => Some(value),
        // Whole numbers without a rounding.
        Type::Int(_) if value.fract() == 0.0 && value.abs() < EXACT => Some(value),
        Type::Float(FloatKind::LongDouble) if value.abs() < EXACT => Some(value),
        _ => None,
    }
}

impl Conversion {
    /// Whether the type has what remains of a number without its fraction.
    fn has(&self, number: f64) -> bool {
        let bound = |bits: u32| 2f64.powi(i32::try_from(bits).unwrap_or(i32::MAX));
        let (low, high) = match self.is_signed {
            true => (-bound(self.bits - 1), bound(self.bits - 1)),
            false => (0.0, bound(self.bits)),
        };
        let whole = number.trunc();
        low <= whole && whole < high
    }

    /// What overflows if the type does not have a number.
    fn check(&self, number: &str) -> String {
        let number = number.replace(['\n', '\r'], " ");
        let bits = self.bits;
        let (low, high) = match self.is_signed {
            // The number below is one of `double` only for narrower types.
            true if bits == 64 => (">= -9223372036854775808.0".to_owned(), 63),
            true => (format!("> -{}.0", (1u64 << (bits - 1)) + 1), bits - 1),
            false => ("> -1.0".to_owned(), bits),
        };
        let (high, width) = (1u128 << high, self.int - 1);
        let most = (1u64 << width) - 1;
        format!("({most} + !(({number}) {low} && ({number}) < {high}.0)) >> {width}")
    }

    /// The end of an expression whose value is the converted object.
    fn of_the_object(&self, kept: &str) -> String {
        let (ty, check) = (self.kind.spelling(), self.check(kept));
        format!("); ({ty}){kept} | {check}; }}))")
    }

    /// What makes a sum of a type again that is computed in `int`.
    fn narrowed(&self) -> String {
        match self.kind.rank() < IntKind::Int.rank() {
            true => format!("({})", self.kind.spelling()),
            false => String::new(),
        }
    }
}
