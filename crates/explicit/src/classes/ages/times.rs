//! Which integers of a program are points in time: a clock, stamps that are copied from it, and what passes such values on. No step
//! of the program depends on them but by their differences ([`super`] says why this suffices).
//!
//! A time is an unsigned integer, and sums wrap around. It may be copied, passed and returned, a number that is no time may be added
//! to it, and two of them may be subtracted from each other or compared for being equal. Everything else refuses the reduction.

use std::collections::BTreeSet;

use cfront::calls::named_function;
use cfront::consteval::eval;
use cfront::span::{ExprId, FunctionId, InitId, ObjectId, RecordId, StmtId};
use cfront::tree::{BinaryOp, Entity, ExprKind, InitKind, Parent, StmtKind, Storage, Tree};
use cfront::types::{QualType, Type};

use super::known::{contains, is_indexed, place, Known, Place};
use crate::flows::last_of;
use crate::kinds::integer;
use crate::text::RECORDED;

/// The times of a program.
pub(super) struct Times<'k, 'a> {
    pub known: &'k Known<'a>,
    /// The width of all of them.
    pub bits: u32,
    pub places: BTreeSet<Place>,
    /// The differences of two times.
    pub differences: BTreeSet<ExprId>,
    /// The initializers by which the state is recorded, with the lvalue.
    pub recorded: Vec<(InitId, ExprId)>,
    /// Whether times are compared for being equal.
    pub compares: bool,
    pub times: BTreeSet<ExprId>,
    functions: BTreeSet<FunctionId>,
    /// Sums and differences of which an operand is a time.
    open: BTreeSet<ExprId>,
    /// The constants that threads of the step form store.
    pub constants: BTreeSet<ExprId>,
    /// What has to be a time, a constant that is stored before all loops or by a thread of the step form, or what is spent.
    demanded: BTreeSet<ExprId>,
    work: Vec<Work>,
}

#[derive(Clone, Copy, Debug)]
enum Work {
    Place(Place),
    Function(FunctionId),
}

/// Something is done with a time that is not followed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refused;

impl<'k, 'a> Times<'k, 'a> {
    /// All that is a time if this place is one.
    ///
    /// # Errors
    /// If something of it is used otherwise than a time may be.
    pub fn of(known: &'k Known<'a>, (seed, bits): (Place, u32)) -> Result<Self, Refused> {
        let mut out = Times {
            known,
            bits,
            places: BTreeSet::new(),
            differences: BTreeSet::new(),
            recorded: Vec::new(),
            compares: false,
            functions: BTreeSet::new(),
            times: BTreeSet::new(),
            open: BTreeSet::new(),
            constants: BTreeSet::new(),
            demanded: BTreeSet::new(),
            work: Vec::new(),
        };
        out.add(seed)?;
        out.spread()?;
        out.check()?;
        Ok(out)
    }

    fn is_kind(&self, ty: QualType) -> bool {
        integer(self.known.tree, ty) == Some((self.bits, false))
    }

    fn has_kind(&self, e: ExprId) -> bool {
        self.is_kind(self.known.tree.exprs[e].ty)
    }

    fn add(&mut self, place: Place) -> Result<(), Refused> {
        if !self.places.insert(place) {
            return Ok(());
        }
        let tree = self.known.tree;
        let (ty, allowed) = match place {
            Place::Object(o) => {
                let object = &tree.objects[o];
                let plain = object.defined || object.storage == Storage::Parameter;
                (object.ty, plain && !object.thread_local)
            }
            Place::Member(record, n) => {
                let members = tree.types.records[record].members.as_deref();
                let member = members.and_then(|all| all.get(n)).ok_or(Refused)?;
                let plain = !member.is_bit_field && !self.known.opaque.contains(&record);
                (
                    member.ty,
                    plain && !self.is_local(record) && !self.is_made(record),
                )
            }
        };
        let scalar = element(tree, ty);
        let quals = scalar.quals;
        // Nothing happens within a step.
        let is_atomic = quals.is_atomic && !self.known.positions.are_known();
        let fits = self.is_kind(scalar) && !is_atomic && !quals.is_const;
        if !allowed || !fits {
            return Err(Refused);
        }
        self.work.push(Work::Place(place));
        Ok(())
    }

    /// Whether a local is such a structure, or has one in it: nothing says what is in it.
    fn is_local(&self, record: RecordId) -> bool {
        let tree = self.known.tree;
        let mut objects = tree.objects.iter();
        objects.any(|(_, o)| !o.is_static_duration() && contains(tree, o.ty, record, 0))
    }

    /// Whether such a structure is a value that is made of others, or comes from outside: nothing says what is in it.
    fn is_made(&self, record: RecordId) -> bool {
        let tree = self.known.tree;
        let makes = |e: ExprId| match &tree.exprs[e].kind {
            ExprKind::CompoundLiteral(_) => !self.known.is_prelude(e),
            ExprKind::Call { callee, .. } => {
                let f = named_function(tree, *callee);
                f.is_none_or(|f| tree.functions[f].body.is_none())
            }
            _ => false,
        };
        let mut all = tree.exprs.iter();
        all.any(|(id, e)| makes(id) && contains(tree, e.ty, record, 0))
    }

    fn spread(&mut self) -> Result<(), Refused> {
        loop {
            while let Some(next) = self.work.pop() {
                match next {
                    Work::Place(place) => self.place(place)?,
                    Work::Function(f) => self.function(f)?,
                }
            }
            // What is subtracted is known to be a time, or none: then the rest is a time. Sums come first, which may tell more of that.
            let open = self.open.iter().copied();
            let open = open.filter(|e| !self.times.contains(e) && !self.is_difference(*e));
            let Some(e) = open.min_by_key(|e| self.subtracts(*e)) else {
                return Ok(());
            };
            self.used(e)?;
        }
    }

    /// Whether something is subtracted that may be a time.
    fn subtracts(&self, e: ExprId) -> bool {
        let tree = self.known.tree;
        matches!(tree.exprs[e].kind, ExprKind::Binary(BinaryOp::Sub, _, b) if eval(tree, b).is_none())
    }

    fn is_difference(&self, e: ExprId) -> bool {
        match self.known.tree.exprs[e].kind {
            ExprKind::Binary(BinaryOp::Sub, a, b) => {
                self.times.contains(&a) && self.times.contains(&b)
            }
            _ => false,
        }
    }

    fn place(&mut self, place: Place) -> Result<(), Refused> {
        let known = self.known;
        let tree = known.tree;
        for &e in known.occurrences.get(&place).into_iter().flatten() {
            let within = tree.function_of(Parent::Expr(e));
            if within.is_some_and(|f| known.skipped.contains(&f)) {
                continue;
            }
            match self.has_kind(e) {
                true => self.used(e)?,
                false => self.of_array(e)?,
            }
        }
        let Place::Object(o) = place else {
            return Ok(());
        };
        let object = &tree.objects[o];
        match object.storage {
            Storage::Parameter => self.parameter(o),
            Storage::Local => match object.init.map(|init| &tree.inits[init].kind) {
                Some(InitKind::Expr(e)) => self.demand(*e),
                _ => Err(Refused),
            },
            _ => Ok(()),
        }
    }

    /// The name of an array, of which only elements are used.
    fn of_array(&self, e: ExprId) -> Result<(), Refused> {
        match is_indexed(self.known.tree, e) {
            true => Ok(()),
            false => Err(Refused),
        }
    }

    /// What calls pass for a parameter.
    fn parameter(&mut self, o: ObjectId) -> Result<(), Refused> {
        let known = self.known;
        let function = known.tree.objects[o].function.ok_or(Refused)?;
        let body = known.tree.functions[function].body.as_ref();
        let number = body.and_then(|body| body.params.iter().position(|p| *p == o));
        let number = number.ok_or(Refused)?;
        if known.passed.contains(&function) || known.tree.functions[function].name == "main" {
            return Err(Refused);
        }
        for &call in known.calls.get(&function).into_iter().flatten() {
            let ExprKind::Call { args, .. } = &known.tree.exprs[call].kind else {
                continue;
            };
            self.demand(*args.get(number).ok_or(Refused)?)?;
        }
        Ok(())
    }

    /// A function that returns a time.
    fn function(&mut self, f: FunctionId) -> Result<(), Refused> {
        let known = self.known;
        let returned = known.returned.get(&f).ok_or(Refused)?;
        let ret = known.tree.types.function(known.tree.functions[f].ty);
        if !ret.is_some_and(|t| self.is_kind(t.ret)) || known.passed.contains(&f) {
            return Err(Refused);
        }
        for &e in returned {
            self.demand(e)?;
        }
        for &call in known.calls.get(&f).into_iter().flatten() {
            self.used(call)?;
        }
        Ok(())
    }

    fn returns(&mut self, f: FunctionId) {
        if self.functions.insert(f) {
            self.work.push(Work::Function(f));
        }
    }

    /// An expression is a time: what becomes of it.
    fn used(&mut self, e: ExprId) -> Result<(), Refused> {
        let tree = self.known.tree;
        if !self.times.insert(e) {
            return Ok(());
        }
        match tree.exprs[e].parent {
            Parent::Expr(p) => self.within(e, p),
            Parent::Init(init) => self.initialises(e, init),
            Parent::Stmt(stmt) => self.in_statement(e, stmt),
            _ => Err(Refused),
        }
    }

    fn within(&mut self, e: ExprId, p: ExprId) -> Result<(), Refused> {
        let tree = self.known.tree;
        match &tree.exprs[p].kind {
            ExprKind::SizeofExpr(_) => Ok(()),
            ExprKind::Cast(_) if self.has_kind(p) => self.used(p),
            ExprKind::Cast(_) if matches!(tree.types.get(tree.exprs[p].ty), Type::Void) => Ok(()),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, ..) if self.has_kind(e) => {
                self.open.insert(p);
                Ok(())
            }
            ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) if self.has_kind(e) => {
                self.compares = true;
                self.demand(*a)?;
                self.demand(*b)
            }
            ExprKind::Assign { op, lhs, rhs, .. } => match op {
                None if *lhs == e => {
                    self.demand(*rhs)?;
                    self.used(p)
                }
                None => self.add(place(tree, *lhs).ok_or(Refused)?),
                Some(BinaryOp::Add | BinaryOp::Sub) if *lhs == e => self.used(p),
                Some(_) => Err(Refused),
            },
            ExprKind::IncDec { .. } => self.used(p),
            ExprKind::Call { callee, args, .. } => self.passed(e, *callee, args),
            ExprKind::Comma(all) if all.last() == Some(&e) => self.used(p),
            ExprKind::Comma(_) => Ok(()),
            ExprKind::Conditional {
                cond,
                then: Some(then),
                otherwise,
            } if *cond != e => {
                self.demand(*then)?;
                self.demand(*otherwise)?;
                self.used(p)
            }
            _ => Err(Refused),
        }
    }

    fn passed(&mut self, e: ExprId, callee: ExprId, args: &[ExprId]) -> Result<(), Refused> {
        let tree = self.known.tree;
        let f = named_function(tree, callee).ok_or(Refused)?;
        match &tree.functions[f].body {
            Some(body) => {
                let number = args.iter().position(|a| *a == e).ok_or(Refused)?;
                self.add(Place::Object(*body.params.get(number).ok_or(Refused)?))
            }
            None if (self.known.quiet)(&tree.functions[f].name) => Ok(()),
            None => Err(Refused),
        }
    }

    fn initialises(&mut self, e: ExprId, init: InitId) -> Result<(), Refused> {
        let tree = self.known.tree;
        let Parent::Declarator(decl, index) = tree.inits[init].parent else {
            return Err(Refused);
        };
        let declared = tree.decls[decl].declared.get(index).ok_or(Refused)?;
        let Entity::Object(o) = declared.entity else {
            return Err(Refused);
        };
        if tree.objects[o].name == RECORDED {
            self.recorded.push((init, tree.uncast(e)));
            return Ok(());
        }
        self.add(Place::Object(o))
    }

    fn in_statement(&mut self, e: ExprId, stmt: StmtId) -> Result<(), Refused> {
        let tree = self.known.tree;
        match &tree.stmts[stmt].kind {
            StmtKind::Expr(_) => match tree.gives_value_of(stmt) {
                Some(of) => self.used(of),
                None => Ok(()),
            },
            StmtKind::For { cond, .. } if *cond != Some(e) => Ok(()),
            StmtKind::Return { .. } => {
                self.returns(tree.stmts[stmt].function.ok_or(Refused)?);
                Ok(())
            }
            _ => Err(Refused),
        }
    }

    /// An expression has to be a time.
    fn demand(&mut self, e: ExprId) -> Result<(), Refused> {
        let tree = self.known.tree;
        if !self.demanded.insert(e) || self.times.contains(&e) {
            return Ok(());
        }
        if let Some(place) = place(tree, e) {
            return self.add(place);
        }
        match &tree.exprs[e].kind {
            ExprKind::Cast(inner) if self.has_kind(e) => self.demand(*inner),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => {
                match (eval(tree, *a), eval(tree, *b)) {
                    (None, Some(_)) => self.demand(*a),
                    (Some(_), None) => self.demand(*b),
                    // One of them is a time for another reason, or the check fails.
                    _ => Ok(()),
                }
            }
            ExprKind::Call { callee, .. } => {
                let f = named_function(tree, *callee).ok_or(Refused)?;
                self.returns(f);
                Ok(())
            }
            ExprKind::Conditional {
                then: Some(then),
                otherwise,
                ..
            } => {
                self.demand(*then)?;
                self.demand(*otherwise)
            }
            ExprKind::Comma(all) => self.demand(*all.last().ok_or(Refused)?),
            ExprKind::StmtExpr(block) => self.demand(last_of(tree, *block).ok_or(Refused)?),
            ExprKind::Assign { lhs, .. } => self.demand(*lhs),
            ExprKind::IncDec { operand, .. } => self.demand(*operand),
            _ => Ok(()),
        }
    }

    /// Whether everything fits together.
    fn check(&mut self) -> Result<(), Refused> {
        let tree = self.known.tree;
        for &e in &self.demanded {
            let known = self.known;
            if self.times.contains(&e) || known.spent.contains(&e) {
                continue;
            }
            eval(tree, e).ok_or(Refused)?;
            if !known.is_prelude(e) {
                known.positions.has(tree, e).then_some(()).ok_or(Refused)?;
                self.constants.insert(e);
            }
        }
        let mut differences = BTreeSet::new();
        for &e in &self.open {
            let ExprKind::Binary(op, a, b) = tree.exprs[e].kind else {
                return Err(Refused);
            };
            let of = [a, b].map(|operand| self.times.contains(&operand));
            match (op, of, self.times.contains(&e)) {
                (BinaryOp::Sub, [true, true], false) if self.is_exact(e) => {
                    differences.insert(e);
                }
                (BinaryOp::Add, [true, false] | [false, true], true)
                | (BinaryOp::Sub, [true, false], true) => {
                    (self.has_kind(e) || self.is_converted(e))
                        .then_some(())
                        .ok_or(Refused)?;
                }
                _ => return Err(Refused),
            }
        }
        self.differences = differences;
        Ok(())
    }

    /// Whether a difference is one modulo the width of times: it wraps around there, or is converted to that width at once.
    fn is_exact(&self, e: ExprId) -> bool {
        // Where times are promoted, both types of their width tell the same.
        self.has_kind(e) || self.bits < 32 && (self.is_converted(e) || self.is_cast(e))
    }

    /// Whether a value is cast to a type of the width of times.
    fn is_cast(&self, e: ExprId) -> bool {
        let tree = self.known.tree;
        let Parent::Expr(p) = tree.exprs[e].parent else {
            return false;
        };
        let width = integer(tree, tree.exprs[p].ty).map(|(bits, _)| bits);
        matches!(tree.exprs[p].kind, ExprKind::Cast(_)) && width == Some(self.bits)
    }

    /// Whether the value of a promoted operation is converted to the width of times at once.
    fn is_converted(&self, e: ExprId) -> bool {
        let tree = self.known.tree;
        match tree.exprs[e].parent {
            Parent::Expr(p) => match &tree.exprs[p].kind {
                ExprKind::Cast(_) => self.has_kind(p),
                ExprKind::Assign {
                    op: None, lhs, rhs, ..
                } => *rhs == e && self.has_kind(*lhs),
                _ => false,
            },
            Parent::Init(init) => match tree.inits[init].parent {
                Parent::Declarator(decl, index) => {
                    match tree.decls[decl].declared.get(index).map(|d| d.entity) {
                        Some(Entity::Object(o)) => self.is_kind(tree.objects[o].ty),
                        _ => false,
                    }
                }
                _ => false,
            },
            _ => false,
        }
    }
}

/// The type of the scalars in an array, or of a scalar.
fn element(tree: &Tree, ty: QualType) -> QualType {
    match tree.types.get(ty) {
        Type::Array(of, _) => element(tree, *of),
        _ => ty,
    }
}
