//! The text of accesses and calls that go by way of the model.

use cfront::tree::{BinaryOp, ExprKind, Parent, StmtKind};
use cfront::types::{QualType, Type};
use cfront::{ExprId, Span};

use super::locks::{self, Order};
use super::model::{refused, Model, Outcome};
use cfront::atomics::{Kind, Operation};

use super::operations::{Touched, FENCE, SEQ_CST};
use super::rewrite::Rewriter;
use crate::library::{name_of, Call};

/// The order of an access that is not atomic.
const PLAIN: &str = "-1";

impl Rewriter<'_, '_> {
    /// The type of the value of an lvalue, in parentheses.
    fn cast(&self, ty: QualType, span: Span) -> Outcome<String> {
        let plain = ty.unqualified();
        let types = &self.facts.local_types.types;
        match types.declare_where(plain, "", &|_| true) {
            Some(text) => Ok(format!("({})", text.trim())),
            None => refused(
                span,
                "the type of this access cannot be written here, as a weak memory model needs it",
            ),
        }
    }

    fn order_of(&self, lvalue: ExprId) -> &'static str {
        match self.facts.tree.exprs[lvalue].ty.quals.is_atomic {
            true => SEQ_CST,
            false => PLAIN,
        }
    }

    pub(super) fn load(&self, e: ExprId, text: &str) -> Outcome<String> {
        let of = &self.facts.tree.exprs[e];
        let (cast, order) = (self.cast(of.ty, of.span)?, self.order_of(e));
        Ok(format!(
            "({cast}__VERIFIER_atomic_memmodel_load(&{text}, {order}))"
        ))
    }

    /// An assignment, increment or decrement.
    pub(super) fn write(&self, e: ExprId, index: usize) -> Outcome<String> {
        let tree = self.facts.tree;
        let used = !matches!(tree.exprs[e].parent, Parent::Stmt(_))
            || !matches!(tree.exprs[e].parent, Parent::Stmt(s) if matches!(tree.stmts[s].kind, StmtKind::Expr(_)));
        let (lhs, op, rhs, after) = match &tree.exprs[e].kind {
            ExprKind::Assign { op, lhs, rhs, .. } => {
                let rhs = self.render(tree.exprs[*rhs].span, index)?;
                (*lhs, *op, rhs, true)
            }
            ExprKind::IncDec {
                prefix,
                increment,
                operand,
            } => {
                let op = if *increment {
                    BinaryOp::Add
                } else {
                    BinaryOp::Sub
                };
                (*operand, Some(op), "1".to_owned(), *prefix)
            }
            _ => {
                return refused(
                    tree.exprs[e].span,
                    "this write is not followed under a weak memory model",
                )
            }
        };
        let of = &tree.exprs[lhs];
        let place = self.render(of.span, index)?;
        let (cast, order) = (self.cast(of.ty, of.span)?, self.order_of(lhs));
        if let (Some(op), true) = (op, of.ty.quals.is_atomic) {
            let operation =
                computes(op).filter(|_| !matches!(tree.type_of(of.ty), Type::Pointer(_)));
            let Some(operation) = operation else {
                return refused(
                    tree.exprs[e].span,
                    "this operation of an atomic object is not followed under a weak memory model",
                );
            };
            return Ok(computed(
                (&cast, &format!("&{place}")),
                operation,
                after,
                (&rhs, SEQ_CST),
            ));
        }
        let store = |value: &str| {
            format!("__VERIFIER_atomic_memmodel_store(&{place}, (long)({value}), {order})")
        };
        let Some(op) = op else {
            return Ok(match used {
                false => store(&rhs),
                true => format!(
                    "({{ {} = ({rhs}); {}; memmodel_v; }})",
                    self.variable(of.ty, of.span)?,
                    store("memmodel_v")
                ),
            });
        };
        let old = self.load(lhs, &place)?;
        let op = op.spelling();
        Ok(match used {
            false => store(&format!("{cast}({old} {op} ({rhs}))")),
            true => {
                let variable = self.variable(of.ty, of.span)?;
                match after {
                    true => format!(
                        "({{ {variable} = ({old} {op} ({rhs})); {}; memmodel_v; }})",
                        store("memmodel_v")
                    ),
                    false => format!(
                        "({{ {variable} = {old}; {}; memmodel_v; }})",
                        store(&format!("{cast}(memmodel_v {op} 1)"))
                    ),
                }
            }
        })
    }

    /// A variable `memmodel_v` of a type.
    fn variable(&self, ty: QualType, span: Span) -> Outcome<String> {
        let plain = ty.unqualified();
        let types = &self.facts.local_types.types;
        match types.declare_where(plain, "memmodel_v", &|_| true) {
            Some(text) => Ok(text),
            None => refused(
                span,
                "the type of this access cannot be written here, as a weak memory model needs it",
            ),
        }
    }

    /// What each argument points to, as lvalues.
    fn pointed(&self, args: &[ExprId], index: usize) -> Outcome<Vec<String>> {
        let exprs = &self.facts.tree.exprs;
        let lvalue = |&arg: &ExprId| match exprs[arg].kind {
            ExprKind::AddressOf(of) => Ok(format!("({})", self.render(exprs[of].span, index)?)),
            _ => Ok(format!("(*({}))", self.render(exprs[arg].span, index)?)),
        };
        args.iter().map(lvalue).collect()
    }

    pub(super) fn operation(&self, call: ExprId, of: Operation, index: usize) -> Outcome<String> {
        let tree = self.facts.tree;
        let span = tree.exprs[call].span;
        let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
            return Ok(String::new());
        };
        if args.len() < of.arguments {
            return refused(span, "this call has too few arguments");
        }
        let texts: Outcome<Vec<String>> = args
            .iter()
            .map(|a| self.render(tree.exprs[*a].span, index))
            .collect();
        let texts = texts?;
        let order = match of.order {
            Some(order) => order.to_owned(),
            None => texts
                .get(of.arguments)
                .cloned()
                .unwrap_or(SEQ_CST.to_owned()),
        };
        let at = &texts[0];
        let byte = matches!(of.kind, Kind::Clear | Kind::TestAndSet);
        let (cast, variable) = match tree.types.pointee(tree.exprs[args[0]].ty) {
            Some(to) if !byte => (self.cast(to, span)?, self.variable(to, span)?),
            _ => ("(_Bool)".to_owned(), "_Bool memmodel_v".to_owned()),
        };
        let change = |what: char, by: &str, expected: &str, failing: &str| {
            format!("__VERIFIER_atomic_memmodel_change({at}, '{what}', (long)({by}), (long)({expected}), {order}, {failing})")
        };
        let pointed = self.pointed(args, index)?;
        let value = |i: usize, indirect: bool| match indirect {
            true => pointed[i].clone(),
            false => texts[i].clone(),
        };
        Ok(match of.kind {
            Kind::Load { indirect } => {
                let load = format!("{cast}__VERIFIER_atomic_memmodel_load({at}, {order})");
                match indirect {
                    true => format!("({} = {load})", pointed[1]),
                    false => format!("({load})"),
                }
            }
            Kind::Store { indirect } => {
                format!(
                    "__VERIFIER_atomic_memmodel_store({at}, (long)({}), {order})",
                    value(1, indirect)
                )
            }
            Kind::Clear => format!("__VERIFIER_atomic_memmodel_store({at}, 0, {order})"),
            Kind::TestAndSet => format!("((_Bool){})", change('x', "1", "0", &order)),
            Kind::Exchange { indirect: false } => {
                format!("({cast}{})", change('x', &texts[1], "0", &order))
            }
            Kind::Exchange { indirect: true } => {
                format!(
                    "({} = {cast}{})",
                    pointed[2],
                    change('x', &value(1, true), "0", &order)
                )
            }
            Kind::Compare { indirect } => {
                let failing = texts
                    .get(of.arguments + 1)
                    .cloned()
                    .unwrap_or(SEQ_CST.to_owned());
                let expected = &pointed[1];
                let tried = change('c', &value(2, indirect), "memmodel_e", &failing);
                let was = variable.replace("memmodel_v", "memmodel_e");
                format!("({{ {was} = {expected}; {variable} = {cast}{tried}; if (memmodel_v != memmodel_e) {expected} = memmodel_v; memmodel_v == memmodel_e; }})")
            }
            Kind::CompareValue { truth } => {
                let was = variable.replace("memmodel_v", "memmodel_e");
                let tried = change('c', &texts[2], "memmodel_e", &order);
                let result = if truth {
                    "memmodel_v == memmodel_e"
                } else {
                    "memmodel_v"
                };
                format!(
                    "({{ {was} = ({}); {variable} = {cast}{tried}; {result}; }})",
                    texts[1]
                )
            }
            Kind::Compute { operation, after } => {
                computed((&cast, at), operation, after, (&texts[1], &order))
            }
        })
    }

    /// A call about threads: what it orders.
    pub(super) fn about_threads(
        &self,
        call: ExprId,
        of: Call,
        (span, index): (Span, usize),
    ) -> Outcome<String> {
        let tree = self.facts.tree;
        let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
            return Ok(String::new());
        };
        let whole = self.render(span, index)?;
        let argument = |i: usize| match args.get(i) {
            Some(a) => self.render(tree.exprs[*a].span, index),
            None => refused(span, "this call has too few arguments"),
        };
        let result = |before: &str, behind: &str| {
            format!("({{ {before}int memmodel_r = {whole}; {behind} memmodel_r; }})")
        };
        let views = self.model == Model::C11;
        Ok(match of {
            Call::Create(handle, routine, _) => {
                let started = args.get(routine).and_then(|r| self.started(*r));
                let Touched {
                    stores,
                    accessed,
                    read,
                } = started.unwrap_or(Touched::ANYTHING);
                let handle = format!("(unsigned long)*({})", argument(handle)?);
                match views {
                    // The thread must not begin before it has the view of its creator.
                    true => result(
                        "__VERIFIER_atomic_begin(); ",
                        &format!("__VERIFIER_atomic_memmodel_created({handle}, {accessed}u, {read}u); __VERIFIER_atomic_end();"),
                    ),
                    false if self.brief || stores == 0 => {
                        format!("(__VERIFIER_atomic_memmodel_fence(5), {whole})")
                    }
                    false => result(FENCE, &format!("memmodel_serve({handle});")),
                }
            }
            Call::Join => {
                let handle = format!("(unsigned long)({})", argument(0)?);
                match views {
                    true => result(
                        &format!("__VERIFIER_atomic_memmodel_joins({handle}); "),
                        &format!("__VERIFIER_atomic_memmodel_joined({handle});"),
                    ),
                    false if self.brief => result(
                        FENCE,
                        &format!("__VERIFIER_atomic_memmodel_drained({handle});"),
                    ),
                    false => result(FENCE, &format!("while (memmodel_pending[{handle}]) ;")),
                }
            }
            Call::Exit => format!("(__VERIFIER_atomic_memmodel_fence(5), {whole})"),
            _ if !views => format!("(__VERIFIER_atomic_memmodel_fence(5), {whole})"),
            Call::CondWait(_) => {
                let m = argument(1)?;
                result(
                    &format!("__VERIFIER_atomic_memmodel_unlock({m}); "),
                    &format!("__VERIFIER_atomic_memmodel_lock({m});"),
                )
            }
            Call::Barrier => {
                let b = argument(0)?;
                result(
                    &format!("__VERIFIER_atomic_memmodel_unlock({b}); "),
                    &format!("__VERIFIER_atomic_memmodel_lock({b});"),
                )
            }
            // The function that ran has given back what it has seen.
            Call::Once => {
                let once = argument(0)?;
                let takes = format!("__VERIFIER_atomic_memmodel_lock({once});");
                match name_of(tree, call) {
                    Some("call_once") => format!("({{ {whole}; {takes} }})"),
                    _ => result("", &takes),
                }
            }
            Call::Model(model) => {
                let name = name_of(tree, call).unwrap_or_default();
                let taken = |function: &str| -> Outcome<String> {
                    let takes = format!("__VERIFIER_atomic_memmodel_{function}({});", argument(0)?);
                    Ok(match model.never_fails(self.facts.mutex_kinds) {
                        true => result("", &takes),
                        false => result("", &format!("if (memmodel_r == 0) {takes}")),
                    })
                };
                let given = |function: &str| -> Outcome<String> {
                    let at = argument(0)?;
                    Ok(format!(
                        "(__VERIFIER_atomic_memmodel_{function}({at}), {whole})"
                    ))
                };
                match locks::order(name, model.role) {
                    Some(Order::None) => whole,
                    Some(Order::Takes) => taken("lock")?,
                    Some(Order::TakesAlone) => taken("lock_alone")?,
                    Some(Order::Gives) => given("unlock")?,
                    Some(Order::GivesEither) => given("unlock_either")?,
                    None => return self.refuse_call(call),
                }
            }
            _ => return self.refuse_call(call),
        })
    }

    pub(super) fn refuse_call(&self, call: ExprId) -> Outcome<String> {
        let name = name_of(self.facts.tree, call).unwrap_or_default();
        let message = format!("what `{name}` orders is not followed under --memory-model c11");
        refused(self.facts.tree.exprs[call].span, &message)
    }
}

/// An operation that computes, with its value before or after.
fn computed(
    (cast, at): (&str, &str),
    operation: char,
    after: bool,
    (by, order): (&str, &str),
) -> String {
    let change = |by: &str| {
        format!("__VERIFIER_atomic_memmodel_change({at}, '{operation}', {by}, 0, {order}, {order})")
    };
    match after {
        false => format!("({cast}{})", change(&format!("(long)({by})"))),
        true => format!("({{ long memmodel_b = (long)({by}); {cast}memmodel_result('{operation}', {}, memmodel_b); }})", change("memmodel_b")),
    }
}

/// The model's operation for an operator.
fn computes(op: BinaryOp) -> Option<char> {
    Some(match op {
        BinaryOp::Add => '+',
        BinaryOp::Sub => '-',
        BinaryOp::BitAnd => '&',
        BinaryOp::BitOr => '|',
        BinaryOp::BitXor => '^',
        _ => return None,
    })
}
