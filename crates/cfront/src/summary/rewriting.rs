//! The program's text in which allocated memory has any content.

use std::collections::BTreeSet;

use super::cells::Cells;
use super::memory::{path, Heap, Leads, Path, Refusal, Targets, ANY, MEMORY};
use crate::access::is_pure;
use crate::consteval::is_null;
use crate::parse::Unit;
use crate::rewriting::Text;
use crate::source::Source;
use crate::span::{ExprId, Span};
use crate::tree::{BinaryOp, ExprKind, Parent, Resolved, StmtKind, Tree};
use crate::types::{Class, QualType, Type};

/// The text of a program in which allocated memory has any content.
///
/// # Errors
/// The first place that is not followed.
pub(super) fn rewritten(unit: &Unit) -> Result<Source, Refusal> {
    let heap = Heap::of(&unit.tree);
    super::bytes::checked(&heap)?;
    let targets = targets(&heap)?;
    let mut rewriting = Rewriting {
        unit,
        tree: &unit.tree,
        heap: &heap,
        cells: Cells::of(&heap, targets),
        text: Text::of(unit),
        changed: BTreeSet::new(),
    };
    for (id, expr) in unit.tree.exprs.iter() {
        if !expr.unevaluated {
            rewriting.expression(id).map_err(|why| (id, why))?;
        }
    }
    rewriting.finish()
}

/// What all pointers in allocated memory may lead to; nothing if none is accessed.
fn targets(heap: &Heap) -> Result<Targets, Refusal> {
    for (id, expr) in heap.tree.exprs.iter() {
        let class = heap.tree.types.class(expr.ty);
        if expr.unevaluated || !matches!(class, Class::Pointer | Class::Record) {
            continue;
        }
        let holds = || -> Result<bool, String> {
            let Some(path) = path(heap.tree, id)? else {
                return Ok(false);
            };
            Ok(heap.leads(path.base)? != Leads::Elsewhere)
        };
        if holds().map_err(|why| (id, why))? {
            return heap.targets().map_err(|why| (id, why));
        }
    }
    Ok(Targets::default())
}

/// A text that changes.
pub(super) struct Rewriting<'a> {
    pub unit: &'a Unit,
    pub tree: &'a Tree,
    pub heap: &'a Heap<'a>,
    pub cells: Cells<'a>,
    pub text: Text<'a>,
    /// The expressions that change.
    pub changed: BTreeSet<ExprId>,
}

impl<'a> Rewriting<'a> {
    fn finish(mut self) -> Result<Source, Refusal> {
        let start = |e: &ExprId| self.tree.exprs[*e].span.start;
        let first = self.changed.iter().copied().min_by_key(start);
        let Some(first) = first else {
            return Ok(self.unit.source.clone());
        };
        for object in &self.cells.named {
            if self.tree.objects[*object].name_span.start > start(&first) {
                let why =
                    "a pointer in allocated memory may lead to an object that is declared later";
                return Err((first, why.to_owned()));
            }
        }
        let declared = self.cells.declarations();
        self.text.declare_before(first, MEMORY, &declared);
        let sources = self.text.sources().into_iter().next();
        sources.ok_or((first, "the program has no text".to_owned()))
    }

    fn expression(&mut self, id: ExprId) -> Result<(), String> {
        let expr = &self.tree.exprs[id];
        match &expr.kind {
            ExprKind::Deref(_) | ExprKind::Member { .. } | ExprKind::Index { .. } => {
                match self.is_part_of_a_path(id) {
                    true => Ok(()),
                    false => self.lvalue(id),
                }
            }
            ExprKind::AddressOf(of) => match path(self.tree, *of)? {
                Some(path) => self.address(id, *of, &path),
                None => Ok(()),
            },
            ExprKind::Binary(op, left, right) => self.binary(id, *op, (*left, *right)),
            ExprKind::Assign {
                op: Some(BinaryOp::Add | BinaryOp::Sub),
                lhs,
                rhs,
                ..
            } if self.is_pointer(*lhs) => self.moved(id, (*lhs, *rhs)),
            ExprKind::Assign { lhs, rhs, .. } => {
                let narrow = self.tree.types.is_integer(self.tree.exprs[*lhs].ty);
                match narrow && self.is_pointer(*rhs) && self.heap.may_lead_there(*rhs) {
                    true => Err("a pointer to allocated memory becomes a number".to_owned()),
                    false => Ok(()),
                }
            }
            ExprKind::IncDec {
                prefix,
                increment,
                operand,
            } if self.is_pointer(*operand) => self.stepped(id, (*prefix, *increment, *operand)),
            ExprKind::Cast(of) => {
                let is_number = self.tree.types.is_integer(expr.ty)
                    && !matches!(self.tree.types.get(expr.ty), Type::Bool);
                match is_number && self.is_pointer(*of) && self.heap.may_lead_there(*of) {
                    true => Err("a pointer to allocated memory becomes a number".to_owned()),
                    false => Ok(()),
                }
            }
            ExprKind::Call { callee, args, .. } => self.call(id, *callee, args),
            ExprKind::VaArg(_) => Err("arguments without names are read".to_owned()),
            ExprKind::Generic { .. } | ExprKind::Opaque => {
                Err("an expression is not followed".to_owned())
            }
            _ => Ok(()),
        }
    }

    pub(super) fn is_pointer(&self, e: ExprId) -> bool {
        let class = self.tree.types.class(self.tree.exprs[e].ty);
        matches!(class, Class::Pointer | Class::Array)
    }

    /// Where a pointer may lead; nowhere for one to a function.
    pub(super) fn leads(&self, pointer: ExprId) -> Result<Leads, String> {
        let to = self.tree.types.pointee(self.tree.exprs[pointer].ty);
        match to {
            Some(to) if !matches!(self.tree.types.get(to), Type::Function(_)) => {
                self.heap.leads(pointer)
            }
            _ => Ok(Leads::Elsewhere),
        }
    }

    /// Whether an lvalue is a part of the way to another one.
    fn is_part_of_a_path(&self, id: ExprId) -> bool {
        let is_array = matches!(self.tree.types.get(self.tree.exprs[id].ty), Type::Array(..));
        let Parent::Expr(around) = self.tree.exprs[id].parent else {
            return false;
        };
        match self.tree.exprs[around].kind {
            ExprKind::Member { arrow: false, .. } | ExprKind::AddressOf(_) => true,
            ExprKind::Index { base, .. } => base == id && is_array,
            ExprKind::Deref(_) => is_array,
            _ => false,
        }
    }

    /// An lvalue that is no part of another one.
    fn lvalue(&mut self, id: ExprId) -> Result<(), String> {
        let Some(path) = path(self.tree, id)? else {
            return Ok(());
        };
        let ty = self.tree.exprs[id].ty;
        if let Type::Array(of, _) = *self.tree.types.get(ty) {
            return self.place(id, (id, of), &path);
        }
        let leads = self.leads(path.base)?;
        if leads == Leads::Elsewhere {
            return Ok(());
        }
        for (record, member) in self.members(id) {
            let members = self.tree.types.records[record].members.as_ref();
            if members
                .and_then(|all| all.get(member))
                .is_none_or(|m| m.is_bit_field)
            {
                return Err("a bit-field in allocated memory is accessed".to_owned());
            }
        }
        let (cell, star) = self.accessed(id)?;
        self.changed.insert(id);
        let bare = self.tree.exprs[id].bare;
        let base = self.tree.exprs[path.base].span;
        match (leads, path.indices.as_slice()) {
            (Leads::ToBoth, []) if path.direct => {
                self.remove(bare.start, base.start);
                self.remove(base.end, bare.end);
                self.text
                    .around(bare, &format!("({star}{cell}_either("), "))");
            }
            (Leads::ToBoth, &[index]) if path.direct && self.variable(path.base).is_some() => {
                let index = self.tree.exprs[index].span;
                let step = format!(" + {}", self.step(path.base)?);
                self.text.replace(Span::new(base.end, index.start), &step);
                self.text.replace(Span::new(index.end, bare.end), ")");
                self.text
                    .around(bare, &format!("({star}{cell}_either("), "))");
            }
            (Leads::ToBoth, _) => {
                let variable = self.plain_way(id, &path)?;
                let address = if star.is_empty() { "" } else { "&" };
                let open =
                    format!("({star}({MEMORY}has({variable}) ? {cell}({variable}) : {address}");
                self.text.around(bare, &open, "))");
            }
            _ => self.way(bare, &path, &format!("({star}{cell}("), "))"),
        }
        Ok(())
    }

    /// The function that gives the value of an lvalue in allocated memory, or the place where it is stored; and what follows its
    /// result.
    fn accessed(&mut self, id: ExprId) -> Result<(String, &'static str), String> {
        let tree = self.tree;
        let Parent::Expr(around) = tree.exprs[id].parent else {
            return Ok((self.cells.cell(id)?, ""));
        };
        let (changed, value) = match tree.exprs[around].kind {
            ExprKind::Assign { op, lhs, rhs, .. } if lhs == id => (op.is_some(), Some(rhs)),
            ExprKind::IncDec { .. } => (true, None),
            _ => return Ok((self.cells.cell(id)?, "")),
        };
        let is_used = match tree.exprs[around].parent {
            Parent::Stmt(s) => !matches!(tree.stmts[s].kind, StmtKind::Expr(_)),
            _ => true,
        };
        // A function that is called meanwhile may come to this place, too.
        if is_used && value.is_some_and(|e| !is_pure(tree, e) && self.calls(e)) {
            return Err(
                "the value of an assignment to allocated memory is used, and it calls a function"
                    .to_owned(),
            );
        }
        let own = is_used.then(|| crate::span::Id::index(id));
        Ok((self.cells.place(id, changed, own)?, "*"))
    }

    /// Whether an expression calls something.
    fn calls(&self, e: ExprId) -> bool {
        let kind = &self.tree.exprs[e].kind;
        matches!(kind, ExprKind::Call { .. } | ExprKind::StmtExpr(_))
            || self.tree.children(e).into_iter().any(|c| self.calls(c))
    }

    /// The members on the way to an lvalue.
    fn members(&self, id: ExprId) -> Vec<(crate::span::RecordId, usize)> {
        match &self.tree.exprs[id].kind {
            ExprKind::Member { path, .. } => path.clone(),
            _ => Vec::new(),
        }
    }

    /// The variable that a pointer is, with its text.
    fn variable(&self, e: ExprId) -> Option<&'a str> {
        let tree = self.tree;
        matches!(tree.exprs[e].kind, ExprKind::Ident(Resolved::Object(_)))
            .then(|| self.unit.text_of(tree.exprs[e].bare))
    }

    /// The pointer at the beginning of a way, if it can be written twice, and nothing happens on the way.
    fn plain_way(&self, id: ExprId, path: &Path) -> Result<&'a str, String> {
        let variable = self.variable(path.base).filter(|_| is_pure(self.tree, id));
        variable.ok_or_else(|| BOTH.to_owned())
    }

    /// The number of elements by which a pointer steps: none in allocated memory, which is one element.
    fn step(&mut self, pointer: ExprId) -> Result<String, String> {
        let variable = self.variable(pointer).ok_or_else(|| BOTH.to_owned())?;
        Ok(format!("(1 - {MEMORY}has({variable})) * ("))
    }

    /// Takes a piece of the text away.
    fn remove(&mut self, start: usize, end: usize) {
        if start < end {
            self.text.replace(Span::new(start, end), "");
        }
    }

    /// Leaves the pointer of a way, and its indices as further arguments.
    fn way(&mut self, whole: Span, path: &Path, begin: &str, end: &str) {
        let base = self.tree.exprs[path.base].span;
        let within = format!("{MEMORY}within(");
        if !path.indices.is_empty() {
            let definition = format!(
                "static const volatile void *{MEMORY}within(const volatile void *p, long long at) {{ (void)at; return p; }} "
            );
            self.cells.define("within", &definition);
        }
        let open = format!("{begin}{}", within.repeat(path.indices.len()));
        self.remove(whole.start, base.start);
        self.text.open(whole, &open);
        let mut done = base.end;
        for index in &path.indices {
            let index = self.tree.exprs[*index].span;
            // What stands behind the index before is closed by its parenthesis.
            let text = if done == base.end { ", " } else { "), " };
            self.text.replace(Span::new(done, index.start), text);
            done = index.end;
        }
        let closing = if path.indices.is_empty() { "" } else { ")" };
        match done < whole.end {
            true => self.text.replace(Span::new(done, whole.end), closing),
            false => self.text.close(whole, closing),
        }
        self.text.close(whole, end);
    }

    /// The address of an lvalue, or the value of an array: `shown` has its text, `to` is the type that the address leads to.
    fn place(
        &mut self,
        shown: ExprId,
        (lvalue, to): (ExprId, QualType),
        path: &Path,
    ) -> Result<(), String> {
        let leads = self.leads(path.base)?;
        if leads == Leads::Elsewhere {
            return Ok(());
        }
        let bare = self.tree.exprs[shown].bare;
        let ty = self
            .tree
            .types
            .declare(to.unqualified(), "*", self.tree.file_scope());
        let ty = ty.ok_or("a type in allocated memory has no name at file scope")?;
        self.changed.insert(shown);
        match (leads, path.indices.as_slice()) {
            (Leads::ToBoth, []) if path.direct => {}
            (Leads::ToBoth, &[index]) if path.direct => {
                let step = self.step(path.base)?;
                self.text.around(self.tree.exprs[index].span, &step, ")");
            }
            (Leads::ToBoth, _) => {
                let variable = self.plain_way(lvalue, path)?;
                let open = format!("({MEMORY}has({variable}) ? ({ty})({variable}) : ");
                self.text.around(bare, &open, ")");
            }
            _ => self.way(bare, path, &format!("(({ty})("), "))"),
        }
        Ok(())
    }

    fn address(&mut self, id: ExprId, of: ExprId, path: &Path) -> Result<(), String> {
        let to = self.tree.exprs[of].ty;
        match self.tree.types.get(to) {
            Type::Function(_) => Ok(()),
            _ if self.is_member(id, of, path)? => Ok(()),
            _ => self.place(id, (of, to), path),
        }
    }

    /// Makes the address of a member of a structure that a pointer leads to that of this member of the objects that stand for
    /// allocated memory, if they have it; tells whether they do. Whichever part of them the pointer leads to, it is their member.
    fn is_member(&mut self, id: ExprId, lvalue: ExprId, path: &Path) -> Result<bool, String> {
        let ExprKind::Member {
            base,
            arrow: true,
            ref name,
            ..
        } = self.tree.exprs[lvalue].kind
        else {
            return Ok(false);
        };
        let of = self.tree.types.pointee(self.tree.exprs[base].ty);
        let of = of.ok_or("a pointer has no type")?;
        let leads = self.leads(base)?;
        if base != path.base || leads == Leads::Elsewhere {
            return Ok(false);
        }
        let member = (of, self.tree.exprs[lvalue].ty, name.as_str());
        let elsewhere = leads == Leads::ToBoth;
        let calls = self.heap.led_to(base);
        let Some(function) = self.cells.member(&calls, member, elsewhere)? else {
            return Ok(false);
        };
        self.changed.insert(id);
        let bare = self.tree.exprs[id].bare;
        self.way(bare, path, &format!("({function}("), "))");
        Ok(true)
    }

    fn binary(
        &mut self,
        id: ExprId,
        op: BinaryOp,
        (left, right): (ExprId, ExprId),
    ) -> Result<(), String> {
        use BinaryOp::{Add, Eq, Ge, Gt, Le, Lt, Ne, Sub};
        let pointers = (self.is_pointer(left), self.is_pointer(right));
        match (op, pointers) {
            (Add | Sub, (true, false)) => self.moved(id, (left, right)),
            (Add, (false, true)) => self.moved(id, (right, left)),
            (Eq | Ne | Lt | Gt | Le | Ge | Sub, (true, true)) => {
                let both = !is_null(self.tree, left)
                    && !is_null(self.tree, right)
                    && self.heap.may_lead_there(left)
                    && self.heap.may_lead_there(right);
                if both {
                    self.compared(id, op, (left, right));
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// A comparison of two pointers to allocated memory: which of its many objects they lead to is not known.
    fn compared(&mut self, id: ExprId, op: BinaryOp, (left, right): (ExprId, ExprId)) {
        let any = format!("extern int {ANY}int(void); ");
        let (name, not) = match op {
            BinaryOp::Eq => ("equal", ""),
            BinaryOp::Ne => ("equal", "!"),
            BinaryOp::Sub => ("distance", ""),
            _ => ("order", ""),
        };
        let definition = match name {
            "equal" => format!(
                "{any}static int {MEMORY}equal(const volatile void *p, const volatile void *q) \
                 {{ return {MEMORY}has(p) && {MEMORY}has(q) ? {ANY}int() != 0 : p == q; }} "
            ),
            "distance" => format!(
                "extern long {ANY}long(void); static long {MEMORY}distance(const volatile void *p, const volatile void *q) \
                 {{ (void)p; (void)q; return {ANY}long(); }} "
            ),
            _ => format!(
                "{any}static int {MEMORY}order(const volatile void *p, const volatile void *q) \
                 {{ (void)p; (void)q; return {ANY}int() != 0; }} "
            ),
        };
        self.cells.define(name, &definition);
        self.changed.insert(id);
        let span = |e: ExprId| self.tree.exprs[e].span;
        let between = Span::new(span(left).end, span(right).start);
        self.text.replace(between, ", ");
        let whole = self.tree.exprs[id].bare;
        self.text
            .around(whole, &format!("({not}{MEMORY}{name}("), "))");
    }

    /// A pointer that moves by a number: in allocated memory it stays, for that is one element.
    fn moved(&mut self, id: ExprId, (pointer, number): (ExprId, ExprId)) -> Result<(), String> {
        let step = match self.leads(pointer)? {
            Leads::Elsewhere => return Ok(()),
            Leads::ToMemory => "0 * (".to_owned(),
            Leads::ToBoth => self.step(pointer)?,
        };
        self.changed.insert(id);
        self.text.around(self.tree.exprs[number].span, &step, ")");
        Ok(())
    }

    fn stepped(
        &mut self,
        id: ExprId,
        (prefix, increment, of): (bool, bool, ExprId),
    ) -> Result<(), String> {
        let leads = self.leads(of)?;
        if leads == Leads::Elsewhere {
            return Ok(());
        }
        self.changed.insert(id);
        let (whole, operand) = (self.tree.exprs[id].bare, self.tree.exprs[of].span);
        self.remove(whole.start, operand.start);
        self.remove(operand.end, whole.end);
        if leads == Leads::ToBoth {
            let step = self.step(of)? + "1)";
            let (there, back) = if increment { ("+", "-") } else { ("-", "+") };
            let variable = self.unit.text_of(operand);
            let value = match prefix {
                true => format!(" {there}= {step})"),
                false => format!(" {there}= {step}, {variable} {back} {step})"),
            };
            self.text.around(whole, "(", &value);
        }
        Ok(())
    }
}

/// Why a pointer is not followed that may lead to allocated memory or elsewhere.
const BOTH: &str = "a pointer may lead to allocated memory or to an object with a name";
