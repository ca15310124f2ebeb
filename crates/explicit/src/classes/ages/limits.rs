//! The numbers that an expression may have as its value, as far as the program's constants tell: a guess. The search checks what it
//! compares ages with.

use std::collections::BTreeMap;

use cfront::calls::named_function;
use cfront::consteval::eval;
use cfront::span::{ExprId, InitId};
use cfront::tree::{BinaryOp, ExprKind, InitKind, StmtKind, Storage, Tree};

use super::known::{place, Place};
use super::reads::Read;
use super::times::Times;

/// Guesses greatest values.
pub(super) struct Limits<'t> {
    tree: &'t Tree,
    /// What is known of places, and 0 of those that are being looked at.
    known: BTreeMap<Place, Option<i128>>,
}

impl<'t> Limits<'t> {
    pub fn new(tree: &'t Tree) -> Limits<'t> {
        Limits {
            tree,
            known: BTreeMap::new(),
        }
    }

    /// How old each stamp can be so that its age makes a difference, by the numbers that it is compared with: nothing is known of those
    /// that are not made from constants.
    pub fn of_stamps(&mut self, times: &Times, reads: &[Read]) -> Option<BTreeMap<Place, i128>> {
        let tree = self.tree;
        let mut limits: BTreeMap<Place, i128> = BTreeMap::new();
        let mut at_least = |of: Place, limit: i128| {
            let known = limits.entry(of).or_default();
            *known = limit.max(*known);
        };
        for &Read { stamp, with, .. } in reads {
            let stamp = place(tree, tree.uncast(stamp))?;
            match place(tree, tree.uncast(with)).and_then(|with| self.passed(stamp, with)) {
                Some(passed) => {
                    for (stamp, with) in passed {
                        let limit = self.greatest(with).unwrap_or(0);
                        at_least(place(tree, tree.uncast(stamp))?, limit);
                    }
                }
                None => at_least(stamp, self.greatest(with).unwrap_or(0)),
            }
        }
        let copies = copies(tree, times);
        loop {
            let before = limits.clone();
            for (to, from) in &copies {
                if let Some(limit) = before.get(to) {
                    let known = limits.entry(*from).or_default();
                    *known = (*known).max(*limit);
                }
            }
            if limits == before {
                return Some(limits);
            }
        }
    }

    /// What calls pass for two parameters of one function.
    fn passed(&self, stamp: Place, with: Place) -> Option<Vec<(ExprId, ExprId)>> {
        let function = |of: Place| match of {
            Place::Object(o) => {
                let object = &self.tree.objects[o];
                object
                    .function
                    .filter(|_| object.storage == Storage::Parameter)
            }
            Place::Member(..) => None,
        };
        function(stamp).filter(|f| function(with) == Some(*f))?;
        let calls = self.tree.exprs.iter().map(|(id, _)| id);
        let both = |call| Some((self.argument(call, stamp)?, self.argument(call, with)?));
        Some(calls.filter_map(both).collect())
    }

    /// The greatest value of an expression; nothing if it is not made from constants.
    pub fn greatest(&mut self, e: ExprId) -> Option<i128> {
        let tree = self.tree;
        if let Some(value) = eval(tree, e) {
            return (value >= 0).then_some(value);
        }
        if let Some(place) = place(tree, e) {
            return self.of_place(place);
        }
        match &tree.exprs[e].kind {
            ExprKind::Cast(inner) => self.greatest(*inner),
            ExprKind::Member { path, .. } => {
                let (record, n) = path.last()?;
                self.of_place(Place::Member(*record, *n))
            }
            ExprKind::Conditional {
                then: Some(then),
                otherwise,
                ..
            } => Some(self.greatest(*then)?.max(self.greatest(*otherwise)?)),
            ExprKind::Binary(BinaryOp::Add, a, b) => Some(self.greatest(*a)? + self.greatest(*b)?),
            ExprKind::Binary(BinaryOp::Mul, a, b) => {
                self.greatest(*a)?.checked_mul(self.greatest(*b)?)
            }
            ExprKind::Binary(BinaryOp::Sub | BinaryOp::Div, a, _) => self.greatest(*a),
            ExprKind::Call { callee, .. } => {
                let f = named_function(tree, *callee)?;
                let mut greatest = None;
                for (_, stmt) in tree.stmts.iter().filter(|(_, s)| s.function == Some(f)) {
                    if let StmtKind::Return(Some(e)) = stmt.kind {
                        greatest = greatest.max(Some(self.greatest(e)?));
                    }
                }
                greatest
            }
            _ => None,
        }
    }

    /// The greatest number that is stored in a place.
    fn of_place(&mut self, of: Place) -> Option<i128> {
        if let Some(known) = self.known.get(&of) {
            return *known;
        }
        self.known.insert(of, Some(0));
        let found = self.stored(of);
        self.known.insert(of, found);
        found
    }

    fn stored(&mut self, of: Place) -> Option<i128> {
        let tree = self.tree;
        let mut greatest = 0;
        for (id, e) in tree.exprs.iter() {
            match e.kind {
                ExprKind::Assign { op, lhs, rhs, .. } if self.is_at(lhs, of) => {
                    op.is_none().then_some(())?;
                    greatest = greatest.max(self.greatest(rhs)?);
                }
                ExprKind::IncDec { operand, .. } if self.is_at(operand, of) => return None,
                ExprKind::Call { .. } => {
                    if let Some(argument) = self.argument(id, of) {
                        greatest = greatest.max(self.greatest(argument)?);
                    }
                }
                _ => {}
            }
        }
        let objects: Vec<InitId> = match of {
            Place::Object(o) => tree.objects[o].init.into_iter().collect(),
            Place::Member(record, _) => {
                let all = tree.objects.iter();
                let all = all.filter(|(_, o)| super::known::contains(tree, o.ty, record, 0));
                all.filter_map(|(_, o)| o.init).collect()
            }
        };
        for init in objects {
            greatest = greatest.max(self.initial(init)?);
        }
        Some(greatest)
    }

    /// The greatest constant of an initializer: which of them a member gets does not matter to a guess.
    fn initial(&mut self, init: InitId) -> Option<i128> {
        let tree = self.tree;
        match &tree.inits[init].kind {
            InitKind::Expr(e) => self.greatest(*e),
            InitKind::List(items) => {
                let values = items.iter().filter_map(|item| self.initial(item.value));
                Some(values.max().unwrap_or(0))
            }
        }
    }

    fn is_at(&self, lvalue: ExprId, of: Place) -> bool {
        let there = place(self.tree, lvalue).or_else(|| match &self.tree.exprs[lvalue].kind {
            ExprKind::Member { path, .. } => path.last().map(|(r, n)| Place::Member(*r, *n)),
            _ => None,
        });
        there == Some(of)
    }

    /// What a call passes for a parameter.
    fn argument(&self, call: ExprId, of: Place) -> Option<ExprId> {
        let Place::Object(o) = of else { return None };
        let object = &self.tree.objects[o];
        let ExprKind::Call { callee, args, .. } = &self.tree.exprs[call].kind else {
            return None;
        };
        let f = object
            .function
            .filter(|_| object.storage == Storage::Parameter)?;
        (named_function(self.tree, *callee) == Some(f)).then_some(())?;
        let body = self.tree.functions[f].body.as_ref()?;
        let number = body.params.iter().position(|p| *p == o)?;
        args.get(number).copied()
    }
}

/// The places that get the values of others.
fn copies(tree: &Tree, times: &Times) -> Vec<(Place, Place)> {
    let mut out = Vec::new();
    let mut add = |to: Place, from: ExprId| {
        let from = place(tree, tree.uncast(from)).filter(|from| times.places.contains(from));
        out.extend(
            from.filter(|_| times.places.contains(&to))
                .map(|from| (to, from)),
        );
    };
    for (_, e) in tree.exprs.iter() {
        match &e.kind {
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } => {
                if let Some(to) = place(tree, *lhs) {
                    add(to, *rhs);
                }
            }
            ExprKind::Call { callee, args, .. } => {
                let f = named_function(tree, *callee);
                let body = f.and_then(|f| tree.functions[f].body.as_ref());
                let params = body.into_iter().flat_map(|body| &body.params);
                params
                    .zip(args)
                    .for_each(|(param, arg)| add(Place::Object(*param), *arg));
            }
            _ => {}
        }
    }
    for (o, object) in tree.objects.iter() {
        if let Some(InitKind::Expr(e)) = object.init.map(|init| &tree.inits[init].kind) {
            add(Place::Object(o), *e);
        }
    }
    out
}
