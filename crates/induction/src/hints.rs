//! Hints from a program's text: constants, pairs of variables, conditions, remainders and steps.

use std::collections::{BTreeMap, BTreeSet};

use cfront::consteval::eval;
use cfront::span::{ExprId, Id, StmtId};
use cfront::tree::{BinaryOp, ExprKind, InitKind, Label, Parent, Resolved, StmtKind, Tree};
use cfront::types::Type;
use cfront::Unit;

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
    /// The constants that stand in the text, each with its place.
    pub numbers: Vec<(usize, i64)>,
    /// Whether a `case` leads into a loop.
    pub enters_loop: bool,
}

/// A computed side of a comparison. If it falls in each round, the loop around it ends, even if its parts wrap
/// around.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Measure {
    /// The expression.
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
    pub fn values(&self, lvalue: &str) -> Option<&BTreeSet<i64>> {
        const MOST: usize = 16;
        let pointed = pointed(lvalue);
        let open = self.open.contains(lvalue) || self.open.contains(&pointed);
        let values = self.assigned.get(&pointed).or(self.assigned.get(lvalue))?;
        (!open && values.len() <= MOST).then_some(values)
    }

    /// Whether two variables are compared or assigned to each other, also as members reached through pointers.
    pub fn related(&self, a: &str, b: &str) -> bool {
        let pair = |a: String, b: String| match a < b {
            true => (a, b),
            false => (b, a),
        };
        let members = pair(pointed(a), pointed(b));
        self.pairs.contains(&pair(a.into(), b.into()))
            || (!members.0.is_empty() && self.pairs.contains(&members))
    }

    /// The constants that a variable is compared with or assigned, also through pointers.
    pub fn known(&self, lvalue: &str) -> BTreeSet<i64> {
        let names = [lvalue.to_string(), pointed(lvalue)];
        let all = names.iter().filter_map(|n| self.constants.get(n));
        all.flatten().copied().collect()
    }
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
        text: &unit.source.text,
        out: Hints::default(),
    };
    for (id, _) in tree.exprs.iter().take(own) {
        walk.expression(id);
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
    walk.close();
    for _ in 0..INHERITED {
        walk.inherit();
    }
    walk.out.conditions.sort();
    walk.out.conditions.dedup();
    walk.out.remainders.sort();
    walk.out.remainders.dedup();
    walk.out.measures.sort();
    walk.out.measures.dedup();
    walk.out
}

/// So far bounds are handed on along copies and comparisons.
const INHERITED: usize = 2;
/// The variables of one condition are related where there are no more.
const RELATED: usize = 3;

struct Walk<'a> {
    tree: &'a Tree,
    text: &'a str,
    out: Hints,
}

impl Walk<'_> {
    /// Propagates values along copies, up to a fixed point.
    fn close(&mut self) {
        loop {
            let before = (self.out.assigned.clone(), self.out.open.clone());
            for (to, from) in self.out.copies.clone() {
                match self.out.assigned.get(&from).cloned() {
                    Some(values) if !self.out.open.contains(&from) => {
                        values.into_iter().for_each(|v| self.gets(&to, Some(v)));
                    }
                    _ => self.gets(&to, None),
                }
            }
            if before == (self.out.assigned.clone(), self.out.open.clone()) {
                return;
            }
        }
    }

    /// Gives a variable without constants of its own the constants of those that it is compared with.
    fn inherit(&mut self) {
        let before = self.out.constants.clone();
        let bare = |name: &str| {
            before
                .get(name)
                .is_none_or(|all| all.iter().all(|c| *c == 0))
        };
        for (a, b) in self.out.pairs.clone() {
            for (to, from) in [(&a, &b), (&b, &a)] {
                if let Some(all) = before.get(from).filter(|_| bare(to)) {
                    all.iter().for_each(|c| self.knows(to, *c));
                }
            }
        }
    }

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
            ExprKind::Index { base, index } => Some(format!(
                "{}[{}]",
                self.lvalue(*base)?,
                eval(self.tree, *index)?
            )),
            ExprKind::Cast(operand) => self.lvalue(*operand),
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
        if let Some(other) = self.lvalue(value) {
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
        for (side, other) in [(x, b), (y, a)] {
            if let (Some(x), Some(c)) = (side, self.constant(other)) {
                self.knows(&x, c);
            }
        }
    }

    /// The name of a side of a comparison: a variable, even one that is stepped there, or a computed
    /// expression, which is noted.
    fn measured(&mut self, id: ExprId) -> Option<String> {
        let at = match self.tree.exprs[id].kind {
            ExprKind::IncDec { operand, .. } => operand,
            _ => id,
        };
        if let Some(lvalue) = self.lvalue(at) {
            return Some(lvalue);
        }
        let computed = matches!(
            self.tree.exprs[id].kind,
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, ..)
        );
        let Type::Int(kind) = self.tree.types.get(self.tree.exprs[id].ty) else {
            return None;
        };
        let (text, objects, _) = self.plain(id).filter(|_| computed)?;
        self.out.measures.push(Measure {
            text: text.clone(),
            objects,
            bits: kind.bits(),
            signed: self.tree.types.signed(*kind),
        });
        Some(text)
    }

    fn expression(&mut self, id: ExprId) {
        match &self.tree.exprs[id].kind {
            ExprKind::Int(_) => {
                let at = self.tree.exprs[id].span.start;
                let value = self.constant(id);
                self.out.numbers.extend(value.map(|value| (at, value)));
            }
            ExprKind::Binary(op, a, b)
                if op.is_boolean() && !matches!(op, BinaryOp::And | BinaryOp::Or) =>
            {
                self.compared(*a, *b);
                self.condition(id);
            }
            ExprKind::Binary(BinaryOp::Rem, _, divisor) => self.remainder(id, *divisor),
            ExprKind::Assign { op, lhs, rhs, .. } => {
                if let Some(lvalue) = self.lvalue(*lhs) {
                    self.step(&lvalue, *op, *rhs);
                    match op {
                        None => self.assigned(&lvalue, *rhs),
                        Some(_) => self.gets(&lvalue, None),
                    }
                }
            }
            ExprKind::IncDec { operand, .. } | ExprKind::AddressOf(operand) => {
                if let Some(lvalue) = self.lvalue(*operand) {
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
        self.out.enters_loop |= into_loop;
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

    /// Notes a condition that neither writes nor calls nor reads through pointers.
    fn condition(&mut self, id: ExprId) {
        let Some((text, objects, names)) = self.plain(id) else {
            return;
        };
        if names.len() <= RELATED {
            for (i, a) in names.iter().enumerate() {
                names[i + 1..].iter().for_each(|b| self.pair(a, b));
            }
        }
        self.out.conditions.push((text, objects));
    }

    /// The text of an expression that neither writes nor calls nor reads through pointers, with the indices and
    /// names of the objects that it reads.
    fn plain(&self, id: ExprId) -> Option<(String, Vec<usize>, Vec<String>)> {
        const LONGEST: usize = 200;
        let (mut open, mut objects) = (vec![id], BTreeSet::new());
        let mut names = BTreeSet::new();
        while let Some(e) = open.pop() {
            let expr = &self.tree.exprs[e];
            match &expr.kind {
                ExprKind::Ident(Resolved::Object(o)) => {
                    names.insert(self.tree.objects[*o].name.as_str());
                    objects.insert(o.index());
                }
                ExprKind::Ident(Resolved::EnumConst(..)) | ExprKind::Int(_) | ExprKind::Char(_) => {
                }
                ExprKind::Binary(op, ..) if !matches!(op, BinaryOp::Div | BinaryOp::Rem) => {}
                ExprKind::Binary(_, _, b) if self.constant(*b).is_some_and(|c| c != 0) => {}
                ExprKind::Unary(..) | ExprKind::Cast(_) | ExprKind::Member { arrow: false, .. } => {
                }
                _ => return None,
            }
            open.extend(self.tree.children(e));
        }
        let span = self.tree.exprs[id].bare;
        let text = self.text.get(span.start..span.end)?;
        let marked = text.contains(['#', '"', '\\']);
        if objects.is_empty() || text.len() > LONGEST || marked {
            return None;
        }
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let names = names.iter().map(ToString::to_string).collect();
        Some((text, objects.into_iter().collect(), names))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use cfront::Source;

    fn hints(text: &str) -> Hints {
        let source = Source::from_bytes(text.as_bytes().to_vec());
        let unit = Unit::parse(source).unwrap();
        let own = unit.tree.exprs.iter().count();
        collect(&unit, own)
    }

    #[test]
    fn what_gets_constants_alone_has_few_values() {
        let text = "int f(void); int state, other, n; void g(int p) { state = p; }\n\
            int main(void) { int in = f(); state = in > 0 ? 3 : 5; if (state == 7) g(4); other = in; n++; if (n < other) return 1; return 0; }\n";
        let found = hints(text);
        let values = |name: &str| {
            found
                .values(name)
                .map(|v| v.iter().copied().collect::<Vec<_>>())
        };
        assert_eq!(values("p"), Some(vec![4]));
        assert_eq!(values("state"), Some(vec![0, 3, 4, 5]));
        assert_eq!(values("other"), None);
        assert_eq!(values("n"), None);
        assert!(found.constants["state"].contains(&7));
        assert!(found.pairs.contains(&("n".into(), "other".into())));
        assert!(found.conditions.iter().any(|(text, _)| text == "n < other"));
    }

    #[test]
    fn what_happens_through_pointers_is_known_of_members() {
        let found = hints("struct m { int phase, ticks; } m; void f(struct m *p) { if (p->phase == 0) p->phase = 2; p->ticks++; if (p->ticks > 9) p->phase = 0; }\n");
        assert!(found.known("m.ticks").contains(&9));
        assert_eq!(found.values("m.ticks"), None);
        let phases = found.values("m.phase").map(|v| v.len());
        assert_eq!(phases, Some(2));
    }

    #[test]
    fn masks_and_divisors_bound_what_gets_their_values() {
        let found = hints("int f(void); int to, at, n; int main(void) { to = f() & 7; n = f() % 50; while (at < to) at++; return 0; }\n");
        assert!(found.known("to").contains(&7));
        assert!(found.known("at").contains(&7));
        assert!(found.known("n").contains(&49) && found.known("n").contains(&-49));
    }

    #[test]
    fn a_case_inside_a_loop_is_noticed() {
        let text = "int n; int main(void) { switch (n) { case 0: do { n++; case 1: n--; } while (n); } return 0; }\n";
        assert!(hints(text).enters_loop);
        let text = "int n; int main(void) { while (n) switch (n) { case 0: n++; } return 0; }\n";
        assert!(!hints(text).enters_loop);
    }

    #[test]
    fn what_is_compared_is_related() {
        let found = hints("struct m { int at, to; } m; int f(struct m *p) { return ++p->at == p->to; }\n\
            unsigned n; int k; int main(void) { while (2 * k - 3 > (long)n) k--; return n++ + 1 > 3; }\n");
        assert!(found.related("m.to", "m.at"));
        assert!(!found.related("m.to", "n"));
        let texts: Vec<&str> = found.measures.iter().map(|m| m.text.as_str()).collect();
        assert_eq!(texts, ["2 * k - 3"]);
        assert!(found.measures[0].signed && found.measures[0].bits == 32);
        assert!(found.related("2 * k - 3", "n"));
    }

    #[test]
    fn remainders_and_steps_are_noted() {
        let found = hints("unsigned n; int m, k; int main(void) { n = n + 1; m += 4; k = k - 3; if ((n + 1) % 10 == 0) return m % 1000; return m / 2; }\n");
        assert_eq!(found.remainders.len(), 1);
        assert_eq!(found.remainders[0].0, "(n + 1) % 10");
        assert_eq!(found.remainders[0].2, 10);
        assert_eq!(found.steps["m"], BTreeSet::from([4]));
        assert_eq!(found.steps["k"], BTreeSet::from([3]));
        assert!(!found.steps.contains_key("n"));
    }
}
