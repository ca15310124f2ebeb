//! Loops whose headers count: how often their bodies run at most from one constant to another, and which surely end.

use std::collections::HashMap;

use crate::access::{usage, Use};
use crate::consteval;
use crate::ranges::counts_beyond;
use crate::span::{ExprId, Id, ObjectId, Span, StmtId};
use crate::tree::{
    BinaryOp, Entity, ExprKind, ForInit, InitKind, Parent, Resolved, StmtKind, Storage, Tree,
};

/// How often a counting loop runs its body at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Iterations {
    /// This many times.
    Times(u64),
    /// The value of this object (its index) plus this number.
    Above(usize, i128),
}

/// The greatest number of iterations of `for (i = a; i < b; i++)` and the like, where `b` is a constant or an
/// object; `None` for every other loop. A `break` only lowers the number. Writes to the counter in the body are
/// not looked for, so the number serves as an estimate of sizes; no verdict may depend on it.
pub fn iterations(tree: &Tree, id: StmtId) -> Option<Iterations> {
    let StmtKind::For {
        init, cond, step, ..
    } = &tree.stmts[id].kind
    else {
        return None;
    };
    let (counter, from) = start(tree, init)?;
    let ExprKind::Binary(op, left, right) = tree.exprs[(*cond)?].kind else {
        return None;
    };
    if tree.named(left) != Some(counter) || !steps_by_one(tree, (*step)?, counter) {
        return None;
    }
    let more = match op {
        BinaryOp::Lt | BinaryOp::Ne => from.checked_neg()?,
        BinaryOp::Le => 1i128.checked_sub(from)?,
        _ => return None,
    };
    if let Some(to) = consteval::eval(tree, right) {
        let count = to.checked_add(more)?;
        return u64::try_from(count).ok().map(Iterations::Times);
    }
    let object = tree.named(right)?;
    Some(Iterations::Above(object.index(), more))
}

/// What the first clause of a loop gives a constant to, and that constant.
pub fn start(tree: &Tree, init: &ForInit) -> Option<(ObjectId, i128)> {
    match init {
        ForInit::Expr(e) => match tree.exprs[*e].kind {
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } => Some((tree.named(lhs)?, consteval::eval(tree, rhs)?)),
            _ => None,
        },
        ForInit::Decl(d) => {
            let [declared] = &tree.decls[*d].declared[..] else {
                return None;
            };
            let (Entity::Object(object), Some(init)) = (declared.entity, declared.init) else {
                return None;
            };
            match tree.inits[init].kind {
                InitKind::Expr(e) => Some((object, consteval::eval(tree, e)?)),
                InitKind::List(_) => None,
            }
        }
        ForInit::None => None,
    }
}

fn steps_by_one(tree: &Tree, step: ExprId, counter: ObjectId) -> bool {
    match tree.exprs[step].kind {
        ExprKind::IncDec {
            increment: true,
            operand,
            ..
        } => tree.named(operand) == Some(counter),
        ExprKind::Assign {
            op: Some(BinaryOp::Add),
            lhs,
            rhs,
            ..
        } => tree.named(lhs) == Some(counter) && consteval::eval(tree, rhs) == Some(1),
        _ => false,
    }
}

/// A loop whose header steps a counter by one until it passes a bound.
#[derive(Clone, Copy, Debug)]
pub struct Counting {
    /// What it counts.
    pub counter: ObjectId,
    /// The bound; `None` stands for 0.
    pub bound: Option<ExprId>,
    /// The expression that counts.
    pub step: ExprId,
    /// What it does in each round.
    pub body: StmtId,
}

/// Reads the header of a loop. Whether something else changes the counter or the bound is not looked at.
pub fn counting(tree: &Tree, id: StmtId) -> Option<Counting> {
    match tree.stmts[id].kind {
        StmtKind::For {
            cond, step, body, ..
        } => {
            let step = step?;
            let (counter, up) = stepped(tree, step)?;
            let bound = reached(tree, cond?, counter, up)?;
            Some(Counting {
                counter,
                bound,
                step,
                body,
            })
        }
        // while (n--), while (n-- > 0)
        StmtKind::While { cond, body, .. } => {
            let (step, op, bound) = match tree.exprs[cond].kind {
                ExprKind::Binary(op @ (BinaryOp::Gt | BinaryOp::Ne), step, bound) => {
                    (step, op, Some(bound))
                }
                _ => (cond, BinaryOp::Ne, None),
            };
            let (counter, up) = stepped(tree, step)?;
            let zero = bound.is_none_or(|b| consteval::eval(tree, b) == Some(0));
            let ends = !up && zero && passes(tree, counter, up, op, bound);
            ends.then_some(Counting {
                counter,
                bound: None,
                step,
                body,
            })
        }
        _ => None,
    }
}

/// A variable, and whether the expression increments it; `None` if it is neither `++` nor `--` of a variable.
fn stepped(tree: &Tree, e: ExprId) -> Option<(ObjectId, bool)> {
    match tree.exprs[e].kind {
        ExprKind::IncDec {
            increment, operand, ..
        } => Some((tree.named(operand)?, increment)),
        _ => None,
    }
}

/// The bound that a counter reaches in steps of one; the inner `None` stands for 0.
fn reached(tree: &Tree, cond: ExprId, counter: ObjectId, up: bool) -> Option<Option<ExprId>> {
    match tree.exprs[cond].kind {
        ExprKind::Ident(Resolved::Object(o)) => {
            let ends = !up && passes(tree, counter, up, BinaryOp::Ne, None);
            (o == counter && ends).then_some(None)
        }
        ExprKind::Binary(op, left, right) => {
            let forth = tree.named(left) == Some(counter);
            let (bound, op) = match (forth, op) {
                (true, op) => (right, op),
                (false, BinaryOp::Lt) => (left, BinaryOp::Gt),
                (false, BinaryOp::Gt) => (left, BinaryOp::Lt),
                (false, BinaryOp::Ne) => (left, BinaryOp::Ne),
                _ => return None,
            };
            if !forth && tree.named(right) != Some(counter) {
                return None;
            }
            passes(tree, counter, up, op, Some(bound)).then_some(Some(bound))
        }
        _ => None,
    }
}

/// Whether a counter of this variable's type passes a bound.
fn passes(tree: &Tree, counter: ObjectId, up: bool, op: BinaryOp, bound: Option<ExprId>) -> bool {
    counts_beyond(tree, tree.objects[counter].ty, up, op, bound)
}

/// Whether a loop ends, however long it takes: `for (…; i < n; i++)`, `while (n-- > 0)` and the like, also
/// `while (n > 0 && isspace(s[n - 1])) s[--n] = 0;`, where one expression changes the counter, an automatic variable, in each round, and
/// nothing in the loop changes the bound. A counter that overflows is undefined behaviour.
pub fn ends(tree: &Tree, uses: &Uses, id: StmtId) -> bool {
    let inside = Inside {
        tree,
        uses,
        span: tree.stmts[id].span,
    };
    let conditional = || inside.counting_in_part(id);
    counting(tree, id)
        .or_else(conditional)
        .is_some_and(|loops| {
            let initial = initial(tree, id).unwrap_or(loops.step);
            is_automatic(tree, loops.counter)
                && inside.writes(loops.counter, &[loops.step, initial]) == Some(false)
                && loops.bound.is_none_or(|bound| inside.stays(bound))
        })
}

fn is_automatic(tree: &Tree, object: ObjectId) -> bool {
    matches!(
        tree.objects[object].storage,
        Storage::Local | Storage::Parameter
    )
}

/// The expression of a loop's first clause.
fn initial(tree: &Tree, id: StmtId) -> Option<ExprId> {
    match tree.stmts[id].kind {
        StmtKind::For {
            init: ForInit::Expr(e),
            ..
        } => Some(e),
        _ => None,
    }
}

/// What loops are asked for, collected once for all of them: a program of many loops has many expressions.
pub struct Uses {
    /// The names of each variable.
    named: HashMap<ObjectId, Vec<ExprId>>,
    /// The calls that may be of functions of the program.
    calls: Vec<Span>,
    /// The assembler statements.
    assembler: Vec<Span>,
}

impl Uses {
    /// Those of a program.
    pub fn of(tree: &Tree) -> Uses {
        let stmts = tree.stmts.iter();
        let assembler = stmts.filter(|(_, s)| matches!(s.kind, StmtKind::Asm { .. }));
        let mut out = Uses {
            named: HashMap::new(),
            calls: Vec::new(),
            assembler: assembler.map(|(_, s)| s.span).collect(),
        };
        for (id, e) in tree.exprs.iter() {
            if let Some(object) = tree.named(id) {
                out.named.entry(object).or_default().push(id);
            }
            if let ExprKind::Call { callee, .. } = e.kind {
                let named = crate::calls::named_function(tree, callee);
                if named.is_none_or(|f| tree.functions[f].body.is_some()) {
                    out.calls.push(e.span);
                }
            }
        }
        out
    }
}

/// What is inside a loop.
struct Inside<'a> {
    tree: &'a Tree,
    uses: &'a Uses,
    span: Span,
}

impl Inside<'_> {
    /// A loop that goes on at most while a part of its condition holds that a counter ends: one that a statement of its body counts.
    fn counting_in_part(&self, id: StmtId) -> Option<Counting> {
        let tree = self.tree;
        let (cond, step, body) = match tree.stmts[id].kind {
            StmtKind::While { cond, body, .. } => (cond, None, body),
            StmtKind::For {
                cond, step, body, ..
            } => (cond?, step, body),
            _ => return None,
        };
        let mut parts = vec![cond];
        let mut at = 0;
        while let Some(&part) = parts.get(at) {
            match tree.exprs[part].kind {
                ExprKind::Binary(BinaryOp::And, left, right) => {
                    parts.splice(at..=at, [left, right])
                }
                _ => {
                    at += 1;
                    continue;
                }
            };
        }
        parts.into_iter().find_map(|part| {
            let counters = tree.children(part).into_iter().chain([part]);
            let counters = counters.filter_map(|e| tree.named(e));
            counters.into_iter().find_map(|counter| {
                let written = self.uses.named.get(&counter)?.iter();
                let steps = written.filter_map(|e| match tree.exprs[*e].parent {
                    Parent::Expr(step) if stepped(tree, step).is_some() => Some(step),
                    _ => None,
                });
                let mut steps = steps.filter(|e| self.span.encloses(tree.exprs[*e].span));
                let counted =
                    steps.find(|e| Some(*e) == step || self.is_in_each_round(*e, body))?;
                let (_, up) = stepped(tree, counted)?;
                Some(Counting {
                    counter,
                    bound: reached(tree, part, counter, up)?,
                    step: counted,
                    body,
                })
            })
        })
    }

    /// Whether each round of a loop that goes on evaluates an expression: it is in a statement of the body's own.
    fn is_in_each_round(&self, e: ExprId, body: StmtId) -> bool {
        let tree = self.tree;
        let mut at = e;
        let stmt = loop {
            match tree.exprs[at].parent {
                Parent::Expr(outer) => match &tree.exprs[outer].kind {
                    ExprKind::Index { .. }
                    | ExprKind::Assign { .. }
                    | ExprKind::Deref(_)
                    | ExprKind::Cast(_)
                    | ExprKind::Call { .. } => at = outer,
                    _ => return false,
                },
                Parent::Stmt(stmt) => break stmt,
                _ => return false,
            }
        };
        let own = stmt == body || tree.stmts[stmt].parent == Parent::Stmt(body);
        let plain = |stmt: StmtId| match tree.stmts[stmt].kind {
            StmtKind::Expr(_) => true,
            StmtKind::Compound { .. } => stmt == body,
            _ => false,
        };
        let mut jumps = tree.stmts.iter().filter(|(_, s)| {
            matches!(
                s.kind,
                StmtKind::Continue | StmtKind::Goto { .. } | StmtKind::GotoComputed(_)
            )
        });
        own && plain(stmt)
            && plain(body)
            && !tree.exprs[e].unevaluated
            && !jumps.any(|(_, s)| self.span.encloses(s.span))
    }

    /// Whether the loop writes a variable elsewhere than in these expressions; `None` if its address is taken or assembler is
    /// there, so that who knows.
    fn writes(&self, object: ObjectId, but: &[ExprId]) -> Option<bool> {
        let mut assembler = self.uses.assembler.iter();
        if assembler.any(|at| self.span.encloses(*at)) {
            return None;
        }
        let mut writes = false;
        for &id in self.uses.named.get(&object).into_iter().flatten() {
            match usage(self.tree, id) {
                Use::Address => return None,
                Use::Read | Use::None => {}
                Use::Write | Use::ReadWrite => {
                    let at = self.tree.exprs[id].span;
                    let within = |e: &ExprId| self.tree.exprs[*e].span.encloses(at);
                    writes |= self.span.encloses(at) && !but.iter().any(within);
                }
            }
        }
        Some(writes)
    }

    /// Whether an expression keeps its value while the loop goes on.
    fn stays(&self, bound: ExprId) -> bool {
        match self.tree.exprs[bound].kind {
            ExprKind::Ident(Resolved::Object(o)) => {
                let own = is_automatic(self.tree, o);
                self.writes(o, &[]) == Some(false) && (own || !self.calls())
            }
            ExprKind::Binary(..) | ExprKind::Cast(_) | ExprKind::Unary(..) => {
                let parts = self.tree.children(bound);
                !parts.is_empty() && parts.into_iter().all(|part| self.stays(part))
            }
            _ => consteval::eval(self.tree, bound).is_some(),
        }
    }

    /// Whether the loop calls functions of the program, which may write variables at file scope.
    fn calls(&self) -> bool {
        let mut calls = self.uses.calls.iter();
        calls.any(|at| self.span.encloses(*at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Source, Unit};

    /// Whether the loop of a function surely ends.
    fn ends_in(body: &str) -> bool {
        let text = format!("int n, a[9]; void f(void), g(int *); void h(void) {{ n++; }} void p(int m, unsigned char c) {{ int i = 0; {body} }}");
        let unit = Unit::parse(Source::from_bytes(text.into_bytes())).expect("C");
        let tree = &unit.tree;
        let is_loop = |kind: &StmtKind| {
            matches!(
                kind,
                StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::DoWhile { .. }
            )
        };
        let mut loops = tree.stmts.iter().filter(|(_, s)| is_loop(&s.kind));
        let (id, _) = loops.next().expect("a loop");
        ends(tree, &Uses::of(tree), id)
    }

    #[test]
    fn loops_that_count_to_a_bound_end() {
        for body in [
            "for (int k = 0; k < m; k++) a[k] = 0;",
            "for (i = m; i > 0; i--) a[i] = i;",
            "for (i = 0; i < m - 1; i++) if (a[i]) break;",
            "for (i = 0; i < n; i++) a[i] = 0;",
            "while (m-- > 0) h();",
            "for (unsigned k = 0; k != 9; ++k) h();",
            "while (m > 0 && a[m - 1] == 4) a[--m] = 0;",
            "while (i < m && a[i] && n) { h(); i++; if (a[0]) break; }",
            "for (; i < 9 && a[i] != n; i++) h();",
            "while (m) { a[0] = 1; m--; }",
        ] {
            assert!(ends_in(body), "{body}");
        }
    }

    #[test]
    fn loops_of_which_nobody_knows_need_not_end() {
        for body in [
            "for (i = 0; i < m; i++) i = 0;",
            "for (i = 0; i < m; i++) m++;",
            "for (i = 0; i < n; i++) h();",
            "for (i = 0; i < n; i++) n++;",
            "g(&i); for (i = 0; i < m; i++) f();",
            "for (; c < 300; c++) f();",
            "for (i = 0; i < m; i--) f();",
            "while (n-- > 0) h();",
            "while (m > 0) f();",
            "while (m > 0 && n) if (a[0]) m--;",
            "while (m > 0 && n) { if (a[1]) continue; m--; }",
            "while (m > 0 || n) m--;",
            "while (m > 0 && n) { a[0] && m--; }",
            "while (m > 0 && n) { m--; m++; }",
            "while (i < m && n) { m++; i++; }",
            "while (i < m && n) i--;",
            "while (m > 0 && n) { while (a[0]) { a[0]--; m--; } }",
            "while (n > 0 && m) n--;",
            "while (c < 300 && n) c++;",
            "while (m > 0 && n) { goto on; m--; on: f(); }",
            "while (m > 0 && n) { for (; a[0]; ) m--; }",
            "for (i = 0; i < a[0]; i++) a[0]++;",
            "for (i = 0; i < m; i++) __asm__(\"\" : \"+r\"(i));",
        ] {
            assert!(!ends_in(body), "{body}");
        }
    }
}
