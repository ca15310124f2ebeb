//! Operands of which C leaves the order open, where the order matters: a call in one of them changes what another one uses. `n + f()`,
//! `h(f(), g())` and `a[i] = f()` may be evaluated in either order (C11, 6.5.2.2, paragraph 10), and compilers differ; a search takes one.
//! Calls in both operands of an operator (`f() - g()`) do not count: GCC, Clang and model checkers evaluate them from left to right.

use std::collections::{BTreeMap, BTreeSet};

use crate::access::written;
use crate::alias::{Aliases, Assumptions, Memory};
use crate::calls::named_function;
use crate::span::{ExprId, FunctionId, Id, ObjectId, RecordId};
use crate::tree::{ExprKind, Parent, Resolved, Tree};
use crate::types::{Class, Type};
use crate::CallGraph;

/// The first expression of the text whose operands may do so, and what they may share. Only functions with bodies count, and the memory
/// that outlives their calls. The analysis of pointers is made only where an operand calls such a function.
pub fn unordered(tree: &Tree, may_run: impl Fn(ExprId) -> bool) -> Option<(ExprId, String)> {
    let calls = |e: ExprId| {
        let mut inside = Vec::new();
        called(tree, e, &mut inside);
        !inside.is_empty()
    };
    let all = tree.exprs.iter().filter(|(_, expr)| !expr.unevaluated);
    let mut candidates: Vec<(ExprId, Vec<ExprId>)> = all
        .map(|(id, _)| (id, tree.unordered_operands(id)))
        .filter(|(id, operands)| {
            operands.len() > 1 && operands.iter().any(|&o| calls(o)) && may_run(*id)
        })
        .collect();
    if candidates.is_empty() {
        return None;
    }
    candidates.sort_by_key(|(id, _)| tree.exprs[*id].span.start);
    let aliases = Aliases::new(
        tree,
        Assumptions {
            whole_program: true,
        },
    );
    let mut search = Search::new(tree, &aliases);
    candidates.into_iter().find_map(|(id, operands)| {
        let by_custom = matches!(tree.exprs[id].kind, ExprKind::Binary(..));
        let all = search.operands(id, &operands);
        let shared = search.shared(&all, |operand| match by_custom {
            true => &operand.itself,
            false => &operand.whole,
        });
        Some((id, shared?))
    })
}

/// The calls of an operand that are evaluated with it, but for those of functions without a body here.
fn called(tree: &Tree, e: ExprId, found: &mut Vec<ExprId>) {
    if tree.exprs[e].unevaluated {
        return;
    }
    if let ExprKind::Call { callee, .. } = &tree.exprs[e].kind {
        let body = named_function(tree, *callee).map(|f| tree.functions[f].body.is_some());
        let builtin = matches!(
            tree.exprs[*callee].kind,
            ExprKind::Ident(Resolved::Unknown(_))
        );
        if body.unwrap_or(!builtin) {
            found.push(e);
        }
    }
    for child in tree.children(e) {
        called(tree, child, found);
    }
}

/// Memory, and the member of it that is used, if it is only one.
type Place = (Memory, Option<(RecordId, usize)>);

/// What some code uses.
#[derive(Clone, Default)]
struct Uses {
    reads: BTreeSet<Place>,
    writes: BTreeSet<Place>,
    /// Whether it may write anything that it does not name.
    writes_any: bool,
    /// Whether it may read anything that it does not name.
    reads_any: bool,
}

impl Uses {
    fn join(&mut self, other: &Uses) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.writes_any |= other.writes_any;
        self.reads_any |= other.reads_any;
    }

    fn any(&self) -> bool {
        self.writes_any || self.reads_any
    }
}

/// What an operand uses: without the functions that it calls, in them, and at all.
struct Operand {
    itself: Uses,
    by_calls: Uses,
    whole: Uses,
}

struct Search<'a> {
    tree: &'a Tree,
    aliases: &'a Aliases,
    graph: CallGraph,
    /// What each function itself uses.
    functions: BTreeMap<FunctionId, Uses>,
    /// What calls of each function use.
    calls: BTreeMap<FunctionId, Uses>,
}

impl<'a> Search<'a> {
    fn new(tree: &'a Tree, aliases: &'a Aliases) -> Self {
        let mut search = Search {
            tree,
            aliases,
            graph: CallGraph::resolved(tree, aliases),
            functions: BTreeMap::new(),
            calls: BTreeMap::new(),
        };
        let of = tree.functions_of_expressions();
        for (id, expr) in tree.exprs.iter().filter(|(_, expr)| !expr.unevaluated) {
            let Some(function) =
                of[id.index()].filter(|_| !matches!(expr.parent, Parent::Fragment))
            else {
                continue;
            };
            let mut uses = search.functions.remove(&function).unwrap_or_default();
            search.uses_itself(id, &mut uses);
            search.functions.insert(function, uses);
        }
        search
    }

    /// What the operands of an expression use.
    fn operands(&mut self, e: ExprId, operands: &[ExprId]) -> Vec<Operand> {
        let target = written(self.tree, e);
        let updates = matches!(
            self.tree.exprs[e].kind,
            ExprKind::Assign { op: Some(_), .. }
        );
        // What is read for a value that nobody looks at may as well be read later.
        let is_binary = matches!(self.tree.exprs[e].kind, ExprKind::Binary(..));
        let is_dropped = is_binary && !self.tree.is_used(e);
        let mut all = Vec::new();
        for &operand in operands {
            let mut itself = Uses::default();
            let is_target = target == Some(operand) && !updates;
            self.uses(operand, is_target, &mut itself);
            let mut inside = Vec::new();
            called(self.tree, operand, &mut inside);
            let mut by_calls = Uses::default();
            for call in inside {
                by_calls.join(&self.by_call(call));
            }
            if is_dropped || self.is_shown_only(e, operand) {
                (itself.reads, itself.reads_any) = (BTreeSet::new(), false);
            }
            let mut whole = itself.clone();
            whole.join(&by_calls);
            all.push(Operand {
                itself,
                by_calls,
                whole,
            });
        }
        all
    }

    /// Whether an operand is an argument without a name that nothing but output depends on.
    fn is_shown_only(&self, call: ExprId, operand: ExprId) -> bool {
        let tree = self.tree;
        let ExprKind::Call { callee, args, .. } = &tree.exprs[call].kind else {
            return false;
        };
        let Some(f) = named_function(tree, *callee) else {
            return false;
        };
        let ty = tree.types.function(tree.functions[f].ty);
        let named = ty.filter(|ty| ty.variadic).map(|ty| ty.params.len());
        let mut unnamed = args.iter().skip(named.unwrap_or(args.len()));
        if !unnamed.any(|arg| *arg == operand) {
            return false;
        }
        match tree.functions[f].body {
            Some(_) => !tree.exprs.iter().any(|(id, e)| {
                let reads = matches!(e.kind, ExprKind::VaArg(_));
                reads && tree.function_of(Parent::Expr(id)) == Some(f)
            }),
            None => tree.functions[f].name.ends_with("printf"),
        }
    }

    /// What one operand's calls change while another operand uses it.
    fn shared(&self, all: &[Operand], of: impl Fn(&Operand) -> &Uses) -> Option<String> {
        let pairs = (0..all.len()).flat_map(|a| (0..all.len()).map(move |b| (a, b)));
        let mut apart = pairs.filter(|(a, b)| a != b);
        apart.find_map(|(a, b)| self.clash(&all[a].by_calls, of(&all[b])))
    }

    /// What calls change that other code uses.
    fn clash(&self, calls: &Uses, other: &Uses) -> Option<String> {
        let used = || other.reads.iter().chain(&other.writes);
        let unnamed = calls.writes_any && (other.any() || used().next().is_some())
            || other.any() && !calls.writes.is_empty();
        let shared = calls
            .writes
            .iter()
            .find(|w| used().any(|u| self.overlap(w, u)));
        match shared {
            Some((Memory::Object(object), _)) => {
                Some(format!("`{}`", self.tree.objects[*object].name))
            }
            Some(_) => Some("allocated memory".to_owned()),
            None => unnamed.then(|| "what a pointer leads to".to_owned()),
        }
    }

    fn overlap(&self, (memory, member): &Place, (other, another): &Place) -> bool {
        let apart = match (member, another) {
            (Some((record, m)), Some((same, n))) => {
                record == same && m != n && !self.tree.types.records[*record].is_union
            }
            _ => false,
        };
        memory == other && !apart
    }

    /// What a call uses of the memory that outlives it.
    fn by_call(&mut self, call: ExprId) -> Uses {
        let ExprKind::Call { callee, .. } = &self.tree.exprs[call].kind else {
            return Uses::default();
        };
        let functions: Vec<FunctionId> = match named_function(self.tree, *callee) {
            Some(function) => vec![function],
            None => {
                let pointed = self.aliases.may_point_to(*callee);
                match pointed.anything {
                    true => self.graph.address_taken.keys().copied().collect(),
                    false => pointed.functions.into_iter().collect(),
                }
            }
        };
        let mut uses = Uses::default();
        for function in functions {
            uses.join(&self.by_function(function));
        }
        uses
    }

    fn by_function(&mut self, function: FunctionId) -> Uses {
        if let Some(known) = self.calls.get(&function) {
            return known.clone();
        }
        let reachable = self.graph.reachable(function);
        let mut uses = Uses::default();
        for f in &reachable {
            if let Some(own) = self.functions.get(f) {
                uses.join(own);
            }
        }
        let lasts = |object: ObjectId| {
            let o = &self.tree.objects[object];
            o.is_static_duration() || !o.function.is_some_and(|f| reachable.contains(&f))
        };
        let stays = |place: &Place| match place.0 {
            Memory::Object(object) => lasts(object),
            Memory::Made(_) => true,
        };
        uses.reads.retain(stays);
        uses.writes.retain(stays);
        self.calls.insert(function, uses.clone());
        uses
    }

    /// What an operand uses without the functions that it calls; one that is assigned to is not read.
    fn uses(&self, e: ExprId, is_target: bool, uses: &mut Uses) {
        if self.tree.exprs[e].unevaluated {
            return;
        }
        if !is_target {
            self.uses_itself(e, uses);
        }
        for child in self.tree.children(e) {
            self.uses(child, false, uses);
        }
    }

    /// What an expression itself uses, without its operands.
    fn uses_itself(&self, e: ExprId, uses: &mut Uses) {
        let tree = self.tree;
        if let Some(lvalue) = written(tree, e) {
            uses.writes_any |= self.places(lvalue, &mut uses.writes);
        }
        match &tree.exprs[e].kind {
            ExprKind::Call { callee, args, .. } => {
                let written = self.aliases.written_by_call(tree, e);
                uses.writes_any |= written.anything;
                uses.writes
                    .extend(self.aliases.memory(&written).into_iter().map(|m| (m, None)));
                let body =
                    named_function(tree, *callee).is_some_and(|f| tree.functions[f].body.is_some());
                for arg in args.iter().filter(|_| !body) {
                    let read = self.aliases.pointed_to(*arg);
                    uses.reads_any |= read.anything;
                    uses.reads
                        .extend(self.aliases.memory(&read).into_iter().map(|m| (m, None)));
                }
            }
            _ if self.is_read(e) => uses.reads_any |= self.places(e, &mut uses.reads),
            _ => {}
        }
    }

    /// Whether an expression is an lvalue whose value is read.
    fn is_read(&self, e: ExprId) -> bool {
        let tree = self.tree;
        let lvalue = matches!(
            tree.exprs[e].kind,
            ExprKind::Ident(Resolved::Object(_))
                | ExprKind::Deref(_)
                | ExprKind::Member { .. }
                | ExprKind::Index { .. }
        );
        if !lvalue || matches!(tree.types.class(tree.exprs[e].ty), Class::Array) {
            return false;
        }
        let Parent::Expr(parent) = tree.exprs[e].parent else {
            return true;
        };
        match &tree.exprs[parent].kind {
            ExprKind::AddressOf(_) => false,
            ExprKind::Member { arrow, .. } => *arrow,
            ExprKind::Assign { lhs, op, .. } => *lhs != e || op.is_some(),
            _ => true,
        }
    }

    /// Adds the memory of which an lvalue may be a part. Returns whether it may be any.
    fn places(&self, lvalue: ExprId, all: &mut BTreeSet<Place>) -> bool {
        let member = self.member(lvalue);
        if let (Some(object), false) = self.tree.root(lvalue) {
            all.insert((Memory::Object(object), member));
            return false;
        }
        let designated = self.aliases.designated(lvalue);
        all.extend(
            self.aliases
                .memory(&designated)
                .into_iter()
                .map(|m| (m, member)),
        );
        designated.anything
    }

    /// The member of the outermost structure that contains an lvalue.
    fn member(&self, mut e: ExprId) -> Option<(RecordId, usize)> {
        let tree = self.tree;
        let is_array = |e: ExprId| matches!(tree.types.get(tree.exprs[e].ty), Type::Array(..));
        let mut member = None;
        loop {
            e = match &tree.exprs[e].kind {
                ExprKind::Member {
                    base, arrow, path, ..
                } => {
                    member = path.first().copied();
                    if *arrow {
                        return member;
                    }
                    *base
                }
                ExprKind::Index { base, .. } if is_array(*base) => *base,
                ExprKind::Deref(base) if is_array(*base) => *base,
                _ => return member,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Source, Unit};

    /// What the operands of an expression may share.
    fn shared(e: &str) -> Option<String> {
        let text = format!(
            "struct q {{ int head, tail, of[9]; }} q; int n, m, a[9]; int outside(int);\n\
             int f(void) {{ return ++n; }} int g(void) {{ return n; }} int h(void) {{ return m = 2; }}\n\
             int set(int *p) {{ int own = 3; own++; *p = own; return own; }} int two(int x, int y) {{ return x + y; }} int say(int x, ...) {{ return x; }}\n\
             int take(struct q *p) {{ return p->of[p->head++]; }}\n\
             int own(void) {{ int l = 0, *p = &l; *p = 2; return set(&l); }}\n\
             int main(void) {{ int i = 0, j = 0; struct q *p = &q; {e}; return i + j; }}\n"
        );
        let unit = Unit::parse(Source::from_bytes(text.into_bytes())).unwrap();
        unordered(&unit.tree, |_| true).map(|(_, what)| what)
    }

    #[test]
    fn operands_whose_order_matters_are_told() {
        for (e, expected) in [
            ("i = f() + n", "`n`"),
            ("i = n - f()", "`n`"),
            ("two(f(), f())", "`n`"),
            ("two(n, f())", "`n`"),
            ("say(n, f())", "`n`"),
            ("say(1, f(), f())", "`n`"),
            ("n += f()", "`n`"),
            ("a[n] = f()", "`n`"),
            ("i = j + set(&j)", "`j`"),
            ("p->of[p->head] = take(p)", "`q`"),
        ] {
            assert_eq!(shared(e).as_deref(), Some(expected), "{e}");
        }
        for e in [
            "n = f()",
            "i = f() + h()",
            "i = f() - g()",
            "i = f() + f()",
            "i = (f)() + two(1, g())",
            "i = f(), j = g()",
            "i = f() && g()",
            "i = f() ? g() : n",
            "i = g() + g() + n",
            "p->of[p->tail] = take(p)",
            "i = own() + own()",
            "i = set(&i)",
            "two(outside(1), outside(2))",
            "i = f() + sizeof(n++)",
            "say(1, n, f())",
            "n + f()",
        ] {
            assert_eq!(shared(e), None, "{e}");
        }
    }
}
