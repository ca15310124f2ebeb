//! Complex numbers as CBMC follows them: compared by their parts (`z == 1` compares the real parts alone there, and `0.0 == -0.0` the
//! bits of complex ones), their truth as a comparison with 0, without which there is no answer, and conjugates and parts computed by the program.

use crate::allocations::called_name;
use crate::implicit;
use crate::parse::Unit;
use crate::rewriting::{Names, Text};
use crate::source::Source;
use crate::span::{ExprId, Span};
use crate::tree::{BinaryOp, ExprKind, StmtKind, Tree, UnaryOp};
use crate::types::{FloatKind, Type};

pub(super) fn followed(unit: &Unit) -> Option<Vec<Source>> {
    let tree = &unit.tree;
    if !tree
        .exprs
        .iter()
        .any(|(_, e)| matches!(tree.type_of(e.ty), Type::Complex(_)))
    {
        return None;
    }
    let mut writer = Writer {
        tree,
        text: Text::of(unit),
        names: ["left", "right", "truth", "conjugate"]
            .map(|part| Names::of(unit).free(&format!("complex_{part}"))),
    };
    for (id, expr) in tree.exprs.iter() {
        if !expr.unevaluated {
            writer.expression(id);
        }
    }
    for (ty, value) in implicit::conversions(tree) {
        if *tree.type_of(ty) == Type::Bool {
            writer.truth(value);
        }
    }
    for (_, stmt) in tree.stmts.iter() {
        if let StmtKind::If { cond, .. }
        | StmtKind::While { cond, .. }
        | StmtKind::DoWhile { cond, .. } = stmt.kind
        {
            writer.truth(cond);
        }
        if let StmtKind::For {
            cond: Some(cond), ..
        } = stmt.kind
        {
            writer.truth(cond);
        }
    }
    writer.text.changed()
}

struct Writer<'a> {
    tree: &'a Tree,
    text: Text<'a>,
    /// The names of two operands, of a number whose truth is asked, and of one whose conjugate is.
    names: [String; 4],
}

impl Writer<'_> {
    /// The real type of the parts of a complex number, and the letter by which the library tells it.
    fn parts(&self, e: ExprId) -> Option<(&'static str, &'static str)> {
        match self.tree.type_of(self.tree.exprs[e].ty) {
            Type::Complex(FloatKind::Float) => Some(("float", "f")),
            Type::Complex(FloatKind::Double) => Some(("double", "")),
            Type::Complex(FloatKind::LongDouble) => Some(("long double", "l")),
            _ => None,
        }
    }

    fn expression(&mut self, e: ExprId) {
        let tree = self.tree;
        match &tree.exprs[e].kind {
            ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) => {
                self.compared(e, *op, [*a, *b])
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                self.truth(*a);
                self.truth(*b);
            }
            ExprKind::Unary(UnaryOp::Not, of) => self.truth(*of),
            ExprKind::Conditional {
                cond,
                then: Some(_),
                ..
            } => self.truth(*cond),
            ExprKind::Cast(of) if *tree.type_of(tree.exprs[e].ty) == Type::Bool => self.truth(*of),
            ExprKind::Unary(UnaryOp::BitNot, of) => {
                let Some((ty, _)) = self.parts(*of) else {
                    return;
                };
                let [begin, end] = conjugate(ty, &self.names[3]);
                let operand = tree.exprs[*of].span;
                let sign = Span::new(tree.exprs[e].bare.start, operand.start);
                self.text.replace(sign, &begin);
                self.text.close(operand, &end);
            }
            ExprKind::Call { .. } => self.call(e),
            _ => {}
        }
    }

    /// Compares two numbers by their parts.
    fn compared(&mut self, e: ExprId, op: BinaryOp, operands: [ExprId; 2]) {
        // The wider type has all values of the other.
        let types = operands.map(|operand| self.parts(operand).map(|(ty, _)| ty));
        let all = ["long double", "double", "float"];
        let real = operands.map(
            |operand| match self.tree.type_of(self.tree.exprs[operand].ty) {
                Type::Float(FloatKind::LongDouble) => Some("long double"),
                Type::Float(FloatKind::Double) => Some("double"),
                _ => None,
            },
        );
        let has = |ty: &str| {
            types
                .iter()
                .chain(&real)
                .flatten()
                .any(|known| *known == ty)
        };
        let widest = all.into_iter().find(|ty| has(ty));
        let (Some(ty), true) = (widest, types.iter().any(Option::is_some)) else {
            return;
        };
        let and = if op == BinaryOp::Eq { "&&" } else { "||" };
        let op = op.spelling();
        let [whole, a, b] = [e, operands[0], operands[1]].map(|e| &self.tree.exprs[e]);
        let [left, right, ..] = &self.names;
        let begin = format!("(__extension__ ({{ {ty} _Complex {left} = (");
        let end = format!("); __real__ {left} {op} __real__ {right} {and} __imag__ {left} {op} __imag__ {right}; }}))");
        let operator = Span::new(a.span.end, b.span.start);
        self.text.around(whole.bare, &begin, &end);
        self.text.replace(operator, &format!("), {right} = ("));
    }

    /// Compares a number with 0 where its truth is asked.
    fn truth(&mut self, e: ExprId) {
        let Some((ty, _)) = self.parts(e) else {
            return;
        };
        let span = self.tree.exprs[e].span;
        let truth = &self.names[2];
        let begin = format!("(__extension__ ({{ {ty} _Complex {truth} = (");
        let end = format!("); __real__ {truth} != 0 || __imag__ {truth} != 0; }}))");
        self.text.around(span, &begin, &end);
    }

    /// Computes what a function of `<complex.h>` returns of a number.
    fn call(&mut self, e: ExprId) {
        let Some(name) = called_name(self.tree, e) else {
            return;
        };
        if self
            .tree
            .function_named(name)
            .is_some_and(|f| self.tree.functions[f].body.is_some())
        {
            return;
        }
        let name = name.trim_start_matches("__builtin_");
        let types = [("f", "float"), ("l", "long double"), ("", "double")];
        for (letter, ty) in types {
            match name.strip_suffix(letter) {
                Some("creal") => self
                    .text
                    .call_instead(e, &format!("__real__ ({ty} _Complex)")),
                Some("cimag") => self
                    .text
                    .call_instead(e, &format!("__imag__ ({ty} _Complex)")),
                Some("conj") => {
                    let [begin, end] = conjugate(ty, &self.names[3]);
                    self.text.call_instead(e, &begin);
                    self.text.close(self.tree.exprs[e].span, &end);
                }
                _ => continue,
            }
            return;
        }
    }
}

/// What stands around a number to make it its conjugate. CBMC has no answer for some functions with complex parameters.
fn conjugate(ty: &str, name: &str) -> [String; 2] {
    let begin = format!("(__extension__ ({{ {ty} _Complex {name} = (");
    let end = format!("); __imag__ {name} = -__imag__ {name}; {name}; }}))");
    [begin, end]
}
