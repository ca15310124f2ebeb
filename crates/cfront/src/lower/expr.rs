//! Lowers expressions.

use lang_c::ast as c;
use lang_c::span::{Node, Span as CSpan};

use super::Lower;
use crate::consteval::eval;
use crate::diag::Diagnostic;
use crate::literal;
use crate::span::ExprId;
use crate::tree::{BinaryOp, Entity, Expr, ExprKind, Parent, Resolved, UnaryOp};
use crate::types::{ArrayLen, IntKind, QualType, Type};

/// How many members the help for a missing member lists.
const MEMBERS_TOLD: usize = 10;

/// A kind and a type.
type Typed = (ExprKind, QualType);

impl Lower<'_> {
    /// Lowers an expression.
    pub(super) fn expr(&mut self, node: &Node<c::Expression>, parent: Parent) -> ExprId {
        let span = self.span(node.span);
        let ty = self.unknown();
        let id = self.tree.exprs.push(Expr {
            kind: ExprKind::Opaque,
            span,
            bare: bare_span(node).map_or(span, |s| self.span(s)),
            ty,
            parent,
            unevaluated: self.unevaluated,
        });
        let lowered = self.deeper(node.span, |l| l.kind(node, id));
        let (kind, ty) = lowered.unwrap_or((ExprKind::Opaque, ty));
        let expr = &mut self.tree.exprs[id];
        expr.kind = kind;
        expr.ty = ty;
        id
    }

    /// Lowers an operand that is not evaluated, unless its type has a variable length.
    pub(super) fn unevaluated_operand(
        &mut self,
        node: &Node<c::Expression>,
        parent: Parent,
    ) -> ExprId {
        let before = std::mem::replace(&mut self.unevaluated, true);
        let id = self.expr(node, parent);
        self.unevaluated = before;
        if !before && self.is_variable(self.tree.exprs[id].ty) {
            self.mark_evaluated(id);
        }
        id
    }

    fn mark_evaluated(&mut self, id: ExprId) {
        let mut work = vec![id];
        while let Some(id) = work.pop() {
            self.tree.exprs[id].unevaluated = false;
            work.extend(self.tree.children(id));
        }
    }

    /// The value of a constant expression; `None` if it cannot be computed.
    pub(super) fn constant(&mut self, node: &Node<c::Expression>) -> Option<i128> {
        let id = self.expr(node, Parent::Constant);
        eval(&self.tree, id)
    }

    fn kind(&mut self, node: &Node<c::Expression>, id: ExprId) -> Typed {
        let me = Parent::Expr(id);
        match &node.node {
            c::Expression::Identifier(name) => self.identifier(name, false),
            c::Expression::Constant(constant) => self.literal(constant),
            c::Expression::StringLiteral(s) => self.string(s.span),
            c::Expression::GenericSelection(g) => self.generic(&g.node, me),
            c::Expression::Member(m) => self.member_access(&m.node, me),
            c::Expression::Call(call) => self.call(call, me),
            c::Expression::CompoundLiteral(l) => self.compound_literal(l, me),
            c::Expression::SizeOfTy(s) => {
                let ty = self.expr_type_name(&s.node.0, me);
                self.sizeof(s.span, ExprKind::SizeofType(ty))
            }
            c::Expression::SizeOfVal(s) => {
                let operand = self.unevaluated_operand(&s.node.0, me);
                self.sizeof(s.span, ExprKind::SizeofExpr(operand))
            }
            c::Expression::AlignOf(_) => (ExprKind::Alignof(self.unknown()), self.size_type()),
            c::Expression::UnaryOperator(u) => self.unary(u, me),
            c::Expression::Cast(cast) => {
                let ty = self.expr_type_name(&cast.node.type_name, me);
                let operand = self.expr(&cast.node.expression, me);
                (ExprKind::Cast(operand), self.unqualified(ty))
            }
            c::Expression::BinaryOperator(b) => self.binary(&b.node, me),
            c::Expression::Conditional(cond) => self.conditional(&cond.node, me),
            c::Expression::Comma(list) => {
                let list: Vec<ExprId> = list.iter().map(|e| self.expr(e, me)).collect();
                let ty = match list.last() {
                    Some(&last) => self.value_type(last),
                    None => self.unknown(),
                };
                (ExprKind::Comma(list), ty)
            }
            c::Expression::OffsetOf(o) => {
                let of = self.expr_type_name(&o.node.type_name, me);
                (ExprKind::OffsetOf(of), self.size_type())
            }
            c::Expression::VaArg(v) => {
                let list = self.expr(&v.node.va_list, me);
                let ty = self.expr_type_name(&v.node.type_name, me);
                (ExprKind::VaArg(list), ty)
            }
            c::Expression::Statement(s) => {
                let stmt = self.statement(s, me);
                (ExprKind::StmtExpr(stmt), self.block_value(stmt))
            }
        }
    }

    /// Lowers a type name in an expression; the expressions in the type become children of `me`.
    fn expr_type_name(&mut self, name: &Node<c::TypeName>, me: Parent) -> QualType {
        let mut exprs = Vec::new();
        let ty = self.type_name(name, &mut exprs);
        for e in exprs {
            self.tree.exprs[e].parent = me;
        }
        ty
    }

    fn sizeof(&mut self, span: CSpan, kind: ExprKind) -> Typed {
        // The shadow text has `sizeof` for `_Alignof`.
        let kind = match kind {
            kind if self.first_word(span) == "sizeof" => kind,
            ExprKind::SizeofType(of) => ExprKind::Alignof(of),
            ExprKind::SizeofExpr(of) => ExprKind::Alignof(self.tree.exprs[of].ty),
            kind => kind,
        };
        (kind, self.size_type())
    }

    fn identifier(&mut self, name: &Node<c::Identifier>, is_callee: bool) -> Typed {
        let (text, span, token) = self.name(name);
        if let Some(&object) = self.bound.get(&token) {
            let ty = self.tree.objects[object].ty;
            return (ExprKind::Ident(Resolved::Object(object)), ty);
        }
        match self.lookup(text) {
            Some(Entity::Object(object)) => {
                let ty = self.tree.objects[object].ty;
                (ExprKind::Ident(Resolved::Object(object)), ty)
            }
            Some(Entity::Function(f)) => (
                ExprKind::Ident(Resolved::Function(f)),
                self.tree.functions[f].ty,
            ),
            Some(Entity::EnumConst(id, index)) => {
                let value = self.tree.types.enums[id]
                    .constants
                    .get(index)
                    .and_then(|c| c.1);
                let ty = match value.and_then(|v| self.tree.types.model.kind_of_constant(v)) {
                    Some(kind) => self.plain(Type::Int(kind)),
                    None => self.unknown(),
                };
                (ExprKind::Ident(Resolved::EnumConst(id, value)), ty)
            }
            Some(Entity::Typedef(_)) => {
                self.hint_type(token);
                (
                    ExprKind::Ident(Resolved::Unknown(text.to_string())),
                    self.unknown(),
                )
            }
            None => self.undeclared(text, span, is_callee),
        }
    }

    fn undeclared(&mut self, text: &str, span: crate::span::Span, is_callee: bool) -> Typed {
        let unknown = ExprKind::Ident(Resolved::Unknown(text.to_string()));
        let known_to_compilers = ["__builtin_", "__sync_", "__atomic_", "__c11_atomic_"]
            .iter()
            .any(|prefix| text.starts_with(prefix));
        match text {
            "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__" => {
                let mut of = self.plain(Type::Int(IntKind::Char));
                of.quals.is_const = true;
                (unknown, self.plain(Type::Array(of, ArrayLen::Variable)))
            }
            _ if known_to_compilers => (unknown, self.unknown()),
            _ if is_callee && self.view.is_none() => {
                let f = self.implicit_function(text);
                (
                    ExprKind::Ident(Resolved::Function(f)),
                    self.tree.functions[f].ty,
                )
            }
            _ => {
                self.error(span, format!("`{text}` is not declared here"));
                (unknown, self.unknown())
            }
        }
    }

    /// The type of `sizeof`.
    fn size_type(&mut self) -> QualType {
        let kind = self.tree.types.model.size_type();
        self.plain(Type::Int(kind))
    }

    fn literal(&mut self, node: &Node<c::Constant>) -> Typed {
        let word = self.first_word(node.span);
        if self.inserted(node.span) {
            return (ExprKind::Int(Some(0)), self.tree.types.int());
        }
        if word.starts_with("__builtin_") {
            return (ExprKind::TypeBuiltin, self.unknown());
        }
        if matches!(word, "asm" | "__asm" | "__asm__") {
            return (ExprKind::Opaque, self.plain(Type::Void));
        }
        if word.ends_with('\'') {
            let (value, kind) = literal::character(word);
            let is_unsigned = self.tree.types.model.char_unsigned && word.starts_with('\'');
            let value = match value {
                Some(v) if v < 0 && is_unsigned => Some(v + 256),
                other => other,
            };
            return (ExprKind::Char(value), self.plain(Type::Int(kind)));
        }
        match literal::number(word, &self.tree.types.model) {
            literal::Number::Int(value, kind) => {
                (ExprKind::Int(value), self.plain(Type::Int(kind)))
            }
            literal::Number::Float(kind) => (ExprKind::Float, self.plain(Type::Float(kind))),
            literal::Number::Imaginary(kind) => (ExprKind::Float, self.plain(Type::Complex(kind))),
            literal::Number::Other => (ExprKind::Float, self.unknown()),
        }
    }

    fn string(&mut self, span: CSpan) -> Typed {
        let Some((first, last)) = self.range(span) else {
            return (ExprKind::Str(None), self.unknown());
        };
        let parts: Vec<&str> = (first..=last).map(|t| self.word(t)).collect();
        let (kind, units) = literal::string(&parts);
        let of = self.plain(Type::Int(kind));
        let len = units.map_or(ArrayLen::Variable, ArrayLen::Known);
        let bytes = units.and_then(|n| n.checked_mul(u64::from(self.tree.types.bits(kind) / 8)));
        (ExprKind::Str(bytes), self.plain(Type::Array(of, len)))
    }

    fn generic(&mut self, node: &c::GenericSelection, me: Parent) -> Typed {
        let control = self.unevaluated_operand(&node.expression, me);
        let mut arms = Vec::new();
        for arm in &node.associations {
            match &arm.node {
                c::GenericAssociation::Type(t) => {
                    let ty = self.expr_type_name(&t.node.type_name, me);
                    arms.push((Some(ty), self.expr(&t.node.expression, me)));
                }
                c::GenericAssociation::Default(e) => arms.push((None, self.expr(e, me))),
            }
        }
        let chosen = self.chosen(control, &arms);
        let mut ty = self.unknown();
        if let Some(chosen) = chosen {
            ty = self.tree.exprs[arms[chosen].1].ty;
            for (index, (_, e)) in arms.iter().enumerate() {
                if index != chosen {
                    self.mark_unevaluated(*e);
                }
            }
        }
        (
            ExprKind::Generic {
                control,
                arms,
                chosen,
            },
            ty,
        )
    }

    fn mark_unevaluated(&mut self, id: ExprId) {
        let mut work = vec![id];
        while let Some(id) = work.pop() {
            self.tree.exprs[id].unevaluated = true;
            work.extend(self.tree.children(id));
        }
    }

    fn member_access(&mut self, node: &c::MemberExpression, me: Parent) -> Typed {
        let base = self.expr(&node.expression, me);
        let arrow = node.operator.node == c::MemberOperator::Indirect;
        let (name, span, _) = self.name(&node.identifier);
        let base_ty = self.tree.exprs[base].ty;
        let of = if arrow {
            self.tree.types.pointee(base_ty)
        } else {
            Some(base_ty)
        };
        let found = of.and_then(|of| self.tree.types.member(of, name));
        if found.is_none() {
            self.complain_about_member(of, name, span);
        }
        let (path, ty) = found.unwrap_or_else(|| (Vec::new(), self.unknown()));
        (
            ExprKind::Member {
                base,
                arrow,
                name: name.to_string(),
                path,
            },
            ty,
        )
    }

    fn complain_about_member(&mut self, of: Option<QualType>, name: &str, span: crate::span::Span) {
        let Some(of) = of else { return };
        if let Type::Record(id) = self.tree.types.get(of) {
            let diagnostic = match &self.tree.types.records[*id].members {
                Some(members) => {
                    let names = members.iter().filter_map(|m| m.name.as_deref());
                    let names: Vec<&str> = names.take(MEMBERS_TOLD + 1).collect();
                    let more = if names.len() > MEMBERS_TOLD {
                        ", …"
                    } else {
                        ""
                    };
                    let told = names[..names.len().min(MEMBERS_TOLD)].join(", ");
                    let message = format!("there is no member `{name}` in this structure or union");
                    Diagnostic::error(span, message).help(format!("it has: {told}{more}"))
                }
                None => Diagnostic::error(span, "this structure or union is not defined"),
            };
            self.report(diagnostic);
        }
    }

    fn call(&mut self, node: &Node<c::CallExpression>, me: Parent) -> Typed {
        let call = &node.node;
        let callee = match &call.callee.node {
            c::Expression::Identifier(name) => self.callee(&call.callee, name, me),
            _ => self.expr(&call.callee, me),
        };
        let args: Vec<ExprId> = call.arguments.iter().map(|a| self.expr(a, me)).collect();
        let callee_last = self.range(call.callee.span).map_or(0, |r| r.1);
        let lparen = self.next(callee_last);
        let rparen = self.mate(lparen);
        let ty = match self.tree.types.function(self.tree.exprs[callee].ty) {
            Some(f) => f.ret,
            None => self.builtin_type(callee, &args),
        };
        let kind = ExprKind::Call {
            callee,
            args,
            lparen: self.token_start(lparen),
            rparen: self.token_start(rparen),
        };
        (kind, self.unqualified(ty))
    }

    fn callee(
        &mut self,
        node: &Node<c::Expression>,
        name: &Node<c::Identifier>,
        parent: Parent,
    ) -> ExprId {
        let span = self.span(node.span);
        let bare = self.span(name.span);
        let (kind, ty) = self.identifier(name, true);
        let unevaluated = self.unevaluated;
        self.tree.exprs.push(Expr {
            kind,
            span,
            bare,
            ty,
            parent,
            unevaluated,
        })
    }

    fn compound_literal(&mut self, node: &Node<c::CompoundLiteral>, me: Parent) -> Typed {
        let ty = self.expr_type_name(&node.node.type_name, me);
        let type_last = self.range(node.node.type_name.span).map_or(0, |r| r.1);
        let open = self.next(self.next(type_last));
        let close = self.mate(open);
        let span = crate::shadow::token_span(self.input.tokens, open, close);
        let init = self.init_list(&node.node.initializer_list, span, me);
        (ExprKind::CompoundLiteral(init), self.completed(ty, init))
    }

    fn unary(&mut self, node: &Node<c::UnaryOperatorExpression>, me: Parent) -> Typed {
        let sign = self.first_word(node.node.operator.span);
        if sign == "&&" {
            if let c::Expression::Identifier(name) = &node.node.operand.node {
                let label = self.name(name).0.to_string();
                let void = self.plain(Type::Void);
                return (
                    ExprKind::LabelAddress(label),
                    self.tree.types.pointer_to(void),
                );
            }
        }
        let operand = self.expr(&node.node.operand, me);
        let ty = self.tree.exprs[operand].ty;
        let op = match node.node.operator.node {
            c::UnaryOperator::PostIncrement => return self.inc_dec(false, true, operand),
            c::UnaryOperator::PostDecrement => return self.inc_dec(false, false, operand),
            c::UnaryOperator::PreIncrement => return self.inc_dec(true, true, operand),
            c::UnaryOperator::PreDecrement => return self.inc_dec(true, false, operand),
            c::UnaryOperator::Address => {
                let ty = match self.tree.types.get(ty) {
                    Type::Unknown => ty,
                    _ => self.tree.types.pointer_to(ty),
                };
                return (ExprKind::AddressOf(operand), ty);
            }
            c::UnaryOperator::Indirection => {
                let ty = match self.tree.types.get(ty) {
                    Type::Function(_) => ty,
                    _ => self
                        .tree
                        .types
                        .pointee(ty)
                        .unwrap_or_else(|| self.unknown()),
                };
                return (ExprKind::Deref(operand), ty);
            }
            c::UnaryOperator::Plus => match sign {
                "__real__" | "__real" => UnaryOp::Real,
                "__imag__" | "__imag" => UnaryOp::Imag,
                _ => UnaryOp::Plus,
            },
            c::UnaryOperator::Minus => UnaryOp::Minus,
            c::UnaryOperator::Complement => UnaryOp::BitNot,
            c::UnaryOperator::Negate => UnaryOp::Not,
        };
        (ExprKind::Unary(op, operand), self.unary_type(op, operand))
    }

    fn inc_dec(&mut self, prefix: bool, increment: bool, operand: ExprId) -> Typed {
        let ty = self.unqualified(self.tree.exprs[operand].ty);
        (
            ExprKind::IncDec {
                prefix,
                increment,
                operand,
            },
            ty,
        )
    }

    fn binary(&mut self, node: &c::BinaryOperatorExpression, me: Parent) -> Typed {
        let lhs = self.expr(&node.lhs, me);
        let rhs = self.expr(&node.rhs, me);
        match operator(&node.operator.node) {
            Operator::Index => {
                let (x, y) = (self.tree.exprs[lhs].ty, self.tree.exprs[rhs].ty);
                let types = &self.tree.types;
                let element = |of: QualType| match types.get(of) {
                    Type::Vector(element) => Some(*element),
                    _ => types.pointee(of),
                };
                let ty = element(x).or_else(|| element(y));
                let ty = ty.unwrap_or_else(|| self.unknown());
                (
                    ExprKind::Index {
                        base: lhs,
                        index: rhs,
                    },
                    ty,
                )
            }
            Operator::Assign(op) => {
                let op_span = self.span(node.operator.span);
                let ty = self.unqualified(self.tree.exprs[lhs].ty);
                (
                    ExprKind::Assign {
                        op,
                        op_span,
                        lhs,
                        rhs,
                    },
                    ty,
                )
            }
            Operator::Binary(op) => (
                ExprKind::Binary(op, lhs, rhs),
                self.binary_type(op, lhs, rhs),
            ),
        }
    }

    fn conditional(&mut self, node: &c::ConditionalExpression, me: Parent) -> Typed {
        let cond = self.expr(&node.condition, me);
        let then = (!self.inserted(node.then_expression.span))
            .then(|| self.expr(&node.then_expression, me));
        let otherwise = self.expr(&node.else_expression, me);
        let ty = self.conditional_type(then.unwrap_or(cond), otherwise);
        (
            ExprKind::Conditional {
                cond,
                then,
                otherwise,
            },
            ty,
        )
    }
}

enum Operator {
    Index,
    Assign(Option<BinaryOp>),
    Binary(BinaryOp),
}

fn operator(op: &c::BinaryOperator) -> Operator {
    use c::BinaryOperator as B;
    match op {
        B::Index => Operator::Index,
        B::Multiply => Operator::Binary(BinaryOp::Mul),
        B::Divide => Operator::Binary(BinaryOp::Div),
        B::Modulo => Operator::Binary(BinaryOp::Rem),
        B::Plus => Operator::Binary(BinaryOp::Add),
        B::Minus => Operator::Binary(BinaryOp::Sub),
        B::ShiftLeft => Operator::Binary(BinaryOp::Shl),
        B::ShiftRight => Operator::Binary(BinaryOp::Shr),
        B::Less => Operator::Binary(BinaryOp::Lt),
        B::Greater => Operator::Binary(BinaryOp::Gt),
        B::LessOrEqual => Operator::Binary(BinaryOp::Le),
        B::GreaterOrEqual => Operator::Binary(BinaryOp::Ge),
        B::Equals => Operator::Binary(BinaryOp::Eq),
        B::NotEquals => Operator::Binary(BinaryOp::Ne),
        B::BitwiseAnd => Operator::Binary(BinaryOp::BitAnd),
        B::BitwiseXor => Operator::Binary(BinaryOp::BitXor),
        B::BitwiseOr => Operator::Binary(BinaryOp::BitOr),
        B::LogicalAnd => Operator::Binary(BinaryOp::And),
        B::LogicalOr => Operator::Binary(BinaryOp::Or),
        B::Assign => Operator::Assign(None),
        B::AssignMultiply => Operator::Assign(Some(BinaryOp::Mul)),
        B::AssignDivide => Operator::Assign(Some(BinaryOp::Div)),
        B::AssignModulo => Operator::Assign(Some(BinaryOp::Rem)),
        B::AssignPlus => Operator::Assign(Some(BinaryOp::Add)),
        B::AssignMinus => Operator::Assign(Some(BinaryOp::Sub)),
        B::AssignShiftLeft => Operator::Assign(Some(BinaryOp::Shl)),
        B::AssignShiftRight => Operator::Assign(Some(BinaryOp::Shr)),
        B::AssignBitwiseAnd => Operator::Assign(Some(BinaryOp::BitAnd)),
        B::AssignBitwiseXor => Operator::Assign(Some(BinaryOp::BitXor)),
        B::AssignBitwiseOr => Operator::Assign(Some(BinaryOp::BitOr)),
    }
}

/// The span of an expression without the parentheses around it.
fn bare_span(node: &Node<c::Expression>) -> Option<CSpan> {
    Some(match &node.node {
        c::Expression::Identifier(n) => n.span,
        c::Expression::Constant(n) => n.span,
        c::Expression::StringLiteral(n) => n.span,
        c::Expression::GenericSelection(n) => n.span,
        c::Expression::Member(n) => n.span,
        c::Expression::Call(n) => n.span,
        c::Expression::CompoundLiteral(n) => n.span,
        c::Expression::SizeOfTy(n) => n.span,
        c::Expression::SizeOfVal(n) => n.span,
        c::Expression::AlignOf(n) => n.span,
        c::Expression::UnaryOperator(n) => n.span,
        c::Expression::Cast(n) => n.span,
        c::Expression::BinaryOperator(n) => n.span,
        c::Expression::Conditional(n) => n.span,
        c::Expression::OffsetOf(n) => n.span,
        c::Expression::VaArg(n) => n.span,
        c::Expression::Statement(_) => return None,
        c::Expression::Comma(list) => CSpan::span(list.first()?.span.start, list.last()?.span.end),
    })
}
