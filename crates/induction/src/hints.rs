//! Hints from a program's text: constants, pairs of variables, conditions, remainders and steps.

use std::collections::{BTreeMap, BTreeSet};

use cfront::consteval::eval;
use cfront::span::{ExprId, StmtId};
use cfront::tree::{BinaryOp, ExprKind, InitKind, Label, Parent, Resolved, StmtKind, Tree};
use cfront::Unit;

mod conditions;
mod counted;
mod inherited;
mod kept;
mod measures;
mod stores;
mod sums;
mod targets;
pub use counted::Counted;
pub use kept::Kept;
pub use sums::Sum;
use targets::Targets;

/// What the loops of a program show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoopHints {
    /// Loops that count through a few values.
    pub counted: Vec<Counted>,
    /// Loops that step through short arrays, as far as a variable says: the rounds are the elements.
    pub indexing: Vec<Counted>,
    /// Whether a `case` label is inside a loop within its `switch`.
    pub entered: bool,
    /// Whether the program stores something through a pointer.
    pub stores: bool,
}

/// The hints about variables, by their lvalues.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// The constants that a variable is compared with or assigned.
    pub constants: BTreeMap<String, BTreeSet<i64>>,
    /// The constants that a variable is assigned.
    pub assigned: BTreeMap<String, BTreeSet<i64>>,
    /// Pairs of variables, the first of which is assigned the value of the second.
    pub copies: BTreeSet<(String, String)>,
    /// Variables that are assigned other values, too.
    pub open: BTreeSet<String>,
    /// Pairs of variables that are compared or assigned to each other.
    pub pairs: BTreeSet<(String, String)>,
    /// Conditions without effects, with the objects that they read.
    pub conditions: Vec<(String, Vec<usize>)>,
    /// Remainders by small constants, with the objects that they read and the constant.
    pub remainders: Vec<(String, Vec<usize>, i64)>,
    /// Computed expressions that conditions compare, as C computes them.
    pub measures: Vec<Measure>,
    /// The constants by which a variable is increased or decreased.
    pub steps: BTreeMap<String, BTreeSet<i64>>,
    /// What the loops show.
    pub loops: LoopHints,
    /// Relations that it may keep.
    pub kept: Kept,
    /// The constants in the program's text.
    pub written: Written,
}

/// The constants in a program's text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The integers, with their places.
    pub integers: Vec<(usize, i64)>,
    /// The floating-point numbers, as they are written.
    pub reals: BTreeSet<String>,
}

/// A computed side of a comparison. If it falls in each round, the loop around it ends, even if its parts wrap
/// around.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Measure {
    /// The expression in the program's text.
    pub name: String,
    /// The expression; 0 where it reads through a pointer that leads nowhere.
    pub text: String,
    /// The objects that it reads.
    pub objects: Vec<usize>,
    /// The bits of its type.
    pub bits: u32,
    /// Whether its type is signed.
    pub signed: bool,
}

/// The greatest constant of a remainder that may distinguish states.
const GREATEST_DIVISOR: i64 = 16;

impl Hints {
    /// The values of a variable, if it is only assigned constants, and few.
    pub fn values(&self, lvalue: &str) -> Option<BTreeSet<i64>> {
        const MOST: usize = 16;
        self.all_values(lvalue)
            .filter(|values| values.len() <= MOST)
    }

    /// The values of a variable, if it is only assigned constants.
    pub fn all_values(&self, lvalue: &str) -> Option<BTreeSet<i64>> {
        let names = names(lvalue);
        if names.iter().any(|n| self.open.contains(n)) {
            return None;
        }
        let known = names.iter().filter_map(|n| self.assigned.get(n));
        let mut values: BTreeSet<i64> = known.flatten().copied().collect();
        // Elements that are written by a computed index usually start with another value: 0.
        let computed = names
            .iter()
            .any(|n| n.contains("[]") && self.assigned.contains_key(n));
        values.extend(computed.then_some(0));
        (!values.is_empty()).then_some(values)
    }

    /// Whether two variables are compared or assigned to each other, also as members reached through pointers and as
    /// elements whose index is computed.
    pub fn related(&self, a: &str, b: &str) -> bool {
        let pair = |a: &str, b: &str| match a < b {
            true => (a.to_string(), b.to_string()),
            false => (b.to_string(), a.to_string()),
        };
        let (a, b) = (names(a), names(b));
        let mut all = a.iter().flat_map(|a| b.iter().map(move |b| pair(a, b)));
        all.any(|pair| self.pairs.contains(&pair))
    }

    /// The variables in the indices of the array that an element is of.
    pub(crate) fn indices(&self, element: &str) -> BTreeSet<String> {
        let array = base(element);
        let all = [array.to_string(), pointed(array)];
        let known = all.iter().filter_map(|n| self.kept.indices.get(n));
        known.flatten().cloned().collect()
    }

    /// The constants that a variable is compared with or assigned, also through pointers and by a computed index.
    pub fn known(&self, lvalue: &str) -> BTreeSet<i64> {
        let names = names(lvalue);
        let all = names.iter().filter_map(|n| self.constants.get(n));
        all.flatten().copied().collect()
    }
}

/// The names of a variable in hints: its own, that of a member, and those of any element.
pub(crate) fn names(lvalue: &str) -> Vec<String> {
    let element = element(lvalue);
    let mut out = vec![
        lvalue.to_string(),
        pointed(lvalue),
        pointed(&element),
        element,
    ];
    out.retain(|n| !n.is_empty());
    out.dedup();
    out
}

/// The name for an element of an array whose index is computed.
pub(crate) fn element(lvalue: &str) -> String {
    if !lvalue.contains('[') {
        return String::new();
    }
    let mut parts = lvalue.split('[');
    let first = parts.next().unwrap_or_default().to_string();
    let blank = |part: &str| {
        part.split_once(']')
            .map_or(String::new(), |(_, rest)| format!("[]{rest}"))
    };
    first + &parts.map(blank).collect::<String>()
}

/// The array that an element is of.
pub(crate) fn base(element: &str) -> &str {
    element.split_once('[').map_or(element, |(base, _)| base)
}

/// The name for a member that is reached through any pointer.
fn pointed(lvalue: &str) -> String {
    let member = lvalue.rsplit_once('.').map(|(_, member)| member);
    member.map(|m| format!("->{m}")).unwrap_or_default()
}

/// Collects the hints of a program. The first `own` expressions of the tree are the program's; the others are
/// the specification's, and their spans belong to other texts.
pub fn collect(unit: &Unit, own: usize) -> Hints {
    let tree = &unit.tree;
    let mut walk = Walk {
        tree,
        targets: Targets::of(tree),
        text: &unit.source.text,
        orders: BTreeMap::new(),
        out: Hints::default(),
    };
    for (id, _) in tree.exprs.iter().take(own) {
        walk.expression(id);
    }
    for (id, _) in tree.exprs.iter().skip(own) {
        walk.asked(id);
    }
    for (id, _) in tree.stmts.iter() {
        walk.statement(id);
    }
    for (_, object) in tree.objects.iter() {
        let Some(init) = object.init else {
            if object.is_static_duration() {
                walk.gets(&object.name, Some(0));
            }
            continue;
        };
        match &tree.inits[init].kind {
            InitKind::Expr(e) => {
                let (name, e) = (object.name.clone(), *e);
                walk.assigned(&name, e);
            }
            InitKind::List(_) => drop(walk.out.open.insert(object.name.clone())),
        }
    }
    walk.out.kept = kept::kept(&walk, own);
    walk.out.loops.counted = counted::counted(tree);
    walk.out.loops.indexing = counted::indexing(tree);
    walk.out.loops.stores = stores::through_pointers(tree);
    walk.close();
    walk.returned();
    walk.inherited();
    walk.out.conditions.sort();
    walk.out.conditions.dedup();
    walk.out.remainders.sort();
    walk.out.remainders.dedup();
    walk.out.measures.sort();
    walk.out.measures.dedup();
    walk.out
}

/// What follows a function's name in the name for its result.
const RESULT: &str = "()";
/// The most variables of one condition that are pairwise related.
const RELATED: usize = 3;

struct Walk<'a> {
    tree: &'a Tree,
    targets: Targets,
    text: &'a str,
    /// The operators that compare two variables.
    orders: BTreeMap<(String, String), BTreeSet<&'static str>>,
    out: Hints,
}

impl Walk<'_> {
    /// The name of a variable or member, if it can be named without evaluation.
    fn lvalue(&self, id: ExprId) -> Option<String> {
        let expr = &self.tree.exprs[id];
        match &expr.kind {
            ExprKind::Ident(Resolved::Object(o)) => Some(self.tree.objects[*o].name.clone()),
            ExprKind::Member {
                base,
                arrow: false,
                name,
                ..
            } => Some(format!("{}.{name}", self.lvalue(*base)?)),
            ExprKind::Member {
                arrow: true, name, ..
            } => Some(format!("->{name}")),
            ExprKind::Index { base, index } => {
                let base = self.lvalue(*base)?;
                Some(match eval(self.tree, *index) {
                    Some(index) => format!("{base}[{index}]"),
                    None => format!("{base}[]"),
                })
            }
            ExprKind::Cast(operand) => self.lvalue(*operand),
            _ => None,
        }
    }

    /// The names of the variables that an lvalue may designate.
    fn lvalues(&self, id: ExprId) -> Vec<String> {
        match self.lvalue(id) {
            Some(lvalue) => vec![lvalue],
            None => self.targets.names(self.tree, id),
        }
    }

    /// The name for the result of a function of the program.
    fn result(&self, id: ExprId) -> Option<String> {
        let ExprKind::Call { callee, .. } = self.tree.exprs[id].kind else {
            return None;
        };
        match self.tree.exprs[callee].kind {
            ExprKind::Ident(Resolved::Function(f)) => {
                let function = &self.tree.functions[f];
                function
                    .body
                    .as_ref()
                    .map(|_| format!("{}{RESULT}", function.name))
            }
            _ => None,
        }
    }

    fn constant(&self, id: ExprId) -> Option<i64> {
        i64::try_from(eval(self.tree, id)?).ok()
    }

    fn knows(&mut self, lvalue: &str, value: i64) {
        self.out
            .constants
            .entry(lvalue.to_string())
            .or_default()
            .insert(value);
    }

    fn gets(&mut self, lvalue: &str, value: Option<i64>) {
        match value {
            Some(value) => {
                self.knows(lvalue, value);
                self.out
                    .assigned
                    .entry(lvalue.to_string())
                    .or_default()
                    .insert(value);
            }
            None => drop(self.out.open.insert(lvalue.to_string())),
        }
    }

    /// Takes the constants that the specification compares variables with: what it asks is often a bound that always holds.
    fn asked(&mut self, id: ExprId) {
        let ExprKind::Binary(op, a, b) = self.tree.exprs[id].kind else {
            return;
        };
        for (variable, constant) in [(a, b), (b, a)] {
            let known = self.lvalue(variable).zip(self.constant(constant));
            if let Some((name, c)) = known.filter(|_| op.is_boolean()) {
                self.knows(&name, c);
            }
        }
    }

    fn pair(&mut self, a: &str, b: &str) {
        if a != b {
            let (a, b) = if a < b { (a, b) } else { (b, a) };
            self.out.pairs.insert((a.to_string(), b.to_string()));
        }
    }

    fn assigned(&mut self, lvalue: &str, value: ExprId) {
        if let Some(c) = self.constant(value) {
            return self.gets(lvalue, Some(c));
        }
        if let ExprKind::Conditional {
            then: Some(then),
            otherwise,
            ..
        } = self.tree.exprs[value].kind
        {
            self.assigned(lvalue, then);
            return self.assigned(lvalue, otherwise);
        }
        if let Some(other) = self.lvalue(value).or_else(|| self.result(value)) {
            self.out.copies.insert((lvalue.to_string(), other.clone()));
            return self.pair(lvalue, &other);
        }
        self.gets(lvalue, None);
        let mut open = vec![value];
        while let Some(e) = open.pop() {
            if let Some(other) = self.lvalue(e) {
                self.pair(lvalue, &other);
                continue;
            }
            match self.tree.exprs[e].kind {
                ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => open.extend([a, b]),
                ExprKind::Binary(op @ (BinaryOp::BitAnd | BinaryOp::Rem), _, b) => {
                    self.bounded(lvalue, op, b);
                }
                ExprKind::Cast(operand) => open.push(operand),
                _ => {}
            }
        }
    }

    /// Notes the bounds that a mask or a divisor implies.
    fn bounded(&mut self, lvalue: &str, op: BinaryOp, by: ExprId) {
        match (op, self.constant(by)) {
            (BinaryOp::BitAnd, Some(mask)) if mask > 0 => self.knows(lvalue, mask),
            (BinaryOp::Rem, Some(divisor)) if divisor > 0 => {
                self.knows(lvalue, divisor - 1);
                self.knows(lvalue, 1 - divisor);
            }
            _ => {}
        }
    }

    fn compared(&mut self, a: ExprId, b: ExprId) {
        let (x, y) = (self.measured(a), self.measured(b));
        if let (Some(x), Some(y)) = (&x, &y) {
            self.pair(x, y);
        }
        for (side, other, at) in [(x, b, a), (y, a, b)] {
            let Some(c) = self.constant(other) else {
                continue;
            };
            for name in side.into_iter().chain(self.targets.names(self.tree, at)) {
                self.knows(&name, c);
            }
            // What a sum may not exceed is often what one of its summands never exceeds: `if (credit + coin <= 500) credit += coin;`.
            for name in self.summands(at) {
                self.knows(&name, c);
            }
        }
    }

    fn expression(&mut self, id: ExprId) {
        match &self.tree.exprs[id].kind {
            ExprKind::Int(_) => {
                let at = self.tree.exprs[id].span.start;
                let value = self.constant(id);
                self.out
                    .written
                    .integers
                    .extend(value.map(|value| (at, value)));
            }
            ExprKind::Float => {
                let span = self.tree.exprs[id].span;
                self.out
                    .written
                    .reals
                    .insert(self.text[span.start..span.end].to_owned());
            }
            ExprKind::Binary(op, a, b)
                if op.is_boolean() && !matches!(op, BinaryOp::And | BinaryOp::Or) =>
            {
                self.compared(*a, *b);
                self.approached(*op, *a, *b);
                self.condition(id);
            }
            ExprKind::Binary(BinaryOp::Rem, _, divisor) => self.remainder(id, *divisor),
            ExprKind::Assign { op, lhs, rhs, .. } => {
                for lvalue in self.lvalues(*lhs) {
                    self.step(&lvalue, *op, *rhs);
                    match op {
                        None => self.assigned(&lvalue, *rhs),
                        Some(_) => self.gets(&lvalue, None),
                    }
                }
            }
            ExprKind::IncDec { operand, .. } | ExprKind::AddressOf(operand) => {
                for lvalue in self.lvalues(*operand) {
                    self.gets(&lvalue, None);
                }
            }
            ExprKind::Call { callee, args, .. } => {
                let callee = match &self.tree.exprs[*callee].kind {
                    ExprKind::Ident(Resolved::Function(f)) => self.tree.functions[*f].body.as_ref(),
                    _ => None,
                };
                let params = callee.map(|b| b.params.clone()).unwrap_or_default();
                for (param, arg) in params.into_iter().zip(args.clone()) {
                    let name = self.tree.objects[param].name.clone();
                    self.step(&name, None, arg);
                    self.assigned(&name, arg);
                }
            }
            _ => {}
        }
    }

    fn statement(&mut self, id: StmtId) {
        match self.tree.stmts[id].kind.clone() {
            StmtKind::If { cond, .. }
            | StmtKind::While { cond, .. }
            | StmtKind::DoWhile { cond, .. }
            | StmtKind::For {
                cond: Some(cond), ..
            } => {
                if let Some(lvalue) = self.lvalue(cond) {
                    self.knows(&lvalue, 0);
                }
                self.condition(cond);
            }
            StmtKind::Return(Some(value)) => {
                if let Some(function) = self.tree.stmts[id].function {
                    let name = format!("{}{RESULT}", self.tree.functions[function].name);
                    self.assigned(&name, value);
                }
            }
            StmtKind::Switch { cond, body, .. } => {
                let lvalue = self.lvalue(cond);
                for value in self.cases(id, body) {
                    if let Some(lvalue) = &lvalue {
                        self.knows(lvalue, value);
                    }
                }
            }
            _ => {}
        }
    }

    /// The values of the labels of a `switch`.
    fn cases(&mut self, switch: StmtId, _body: StmtId) -> Vec<i64> {
        let mut values = Vec::new();
        let mut into_loop = false;
        for (label_id, stmt) in self.tree.stmts.iter() {
            let StmtKind::Labeled { label, .. } = &stmt.kind else {
                continue;
            };
            if matches!(label, Label::Named(_)) {
                continue;
            }
            let (mut at, mut loops) = (self.tree.stmts[label_id].parent, false);
            let found = loop {
                let Parent::Stmt(s) = at else { break false };
                match &self.tree.stmts[s].kind {
                    StmtKind::Switch { .. } => break s == switch,
                    StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } => {
                        loops = true
                    }
                    _ => {}
                }
                at = self.tree.stmts[s].parent;
            };
            if found {
                into_loop |= loops;
                if let Label::Case(value) = label {
                    values.extend(self.constant(*value));
                }
            }
        }
        self.out.loops.entered |= into_loop;
        values
    }

    /// Notes the constant by which a variable changes: `v += c`, `v = v - c`.
    fn step(&mut self, lvalue: &str, op: Option<BinaryOp>, value: ExprId) {
        let by = match (op, &self.tree.exprs[value].kind) {
            (Some(BinaryOp::Add | BinaryOp::Sub), _) => self.constant(value),
            (None, ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b))
                if self.lvalue(*a).as_deref() == Some(lvalue) =>
            {
                self.constant(*b)
            }
            _ => None,
        };
        let by = by.map(i64::unsigned_abs).and_then(|c| c.try_into().ok());
        if let Some(by) = by.filter(|c| (2..=GREATEST_DIVISOR).contains(c)) {
            let steps = self.out.steps.entry(lvalue.to_string()).or_default();
            steps.insert(by);
        }
    }

    fn remainder(&mut self, id: ExprId, divisor: ExprId) {
        let divisor = self.constant(divisor);
        let small = divisor.filter(|c| (2..=GREATEST_DIVISOR).contains(c));
        if let (Some(c), Some((text, objects, _))) = (small, self.plain(id)) {
            self.out.remainders.push((text, objects, c));
        }
    }
}

#[cfg(test)]
mod tests;
