//! Elements of arrays that no run reads before it writes them: those behind the end of a queue or a stack. States that differ in
//! them only are one.
//!
//! Which ones these are is guessed from the indices: those from the value of a variable on, or those outside of a ring's part
//! that begins at one variable and ends at another, or has as many elements as another one says. At heads they get a mark, and every
//! read is checked ([`super::poison`]): where one of them is read, the guess was wrong, and the search begins again with the next.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use cfront::access::address_taken;
use cfront::consteval::eval;
use cfront::span::{DeclId, ExprId, ObjectId, RecordId, StmtId};
use cfront::stepped;
use cfront::tree::{BinaryOp, Expr, ExprKind, Parent, Resolved, Storage, Tree};
use cfront::types::{ArrayLen, QualType, Type};
use cfront::Unit;

use super::dead::recorded;
use super::poison::can_be_checked;
use super::OWN;
use crate::flows::called;
use crate::kinds::integer;

/// The most arrays: with twice as many variables as [`GIVEN`] they are those of `templates/explicit/stepper.h`.
const ARRAYS: usize = 16;
/// The most elements of one.
const ELEMENTS: u64 = 64;
/// The most ways for one.
const WAYS: usize = 6;

/// An array in which elements may be buried.
#[derive(Clone, Debug)]
pub(super) struct Buriable {
    /// The object that it is, or is a member of.
    pub object: ObjectId,
    /// C conditions for the element with the index `ba_i`.
    pub ways: Vec<String>,
    /// Its text.
    lvalue: String,
    elements: u64,
}

/// A variable, or a member of all structures of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    Object(ObjectId),
    Member(RecordId, usize),
}

/// What indices of an array, and comparisons with them, name.
#[derive(Debug, Default)]
struct Used {
    reads: Vec<Name>,
    writes: Vec<Name>,
    /// Locals in its indices.
    locals: BTreeSet<ObjectId>,
    /// What these locals are compared with.
    limits: Vec<Name>,
}

/// Finds the arrays.
pub(super) fn arrays(unit: &Unit) -> Vec<Buriable> {
    let tree = &unit.tree;
    let found = Found::of(tree);
    let mut used: BTreeMap<Name, Used> = BTreeMap::new();
    for (id, e) in evaluated(tree) {
        let ExprKind::Index { base, index } = e.kind else {
            continue;
        };
        let Some(array) = name(tree, base).filter(|name| found.arrays.contains_key(name)) else {
            continue;
        };
        let used = used.entry(array).or_default();
        let (names, locals) = found.named(tree, index);
        match is_written(tree, id) {
            true => used.writes.extend(names),
            false => used.reads.extend(names),
        }
        used.locals.extend(locals);
    }
    let mut full = BTreeSet::new();
    for (_, e) in evaluated(tree) {
        let ExprKind::Binary(op, a, b) = e.kind else {
            continue;
        };
        if !op.is_boolean() || matches!(op, BinaryOp::And | BinaryOp::Or) {
            continue;
        }
        for (a, b) in [(a, b), (b, a)] {
            let (limits, _) = found.named(tree, b);
            if let Some(most) = eval(tree, a) {
                full.extend(limits.iter().map(|limit| (*limit, most)));
            }
            let (_, locals) = found.named(tree, a);
            for used in used.values_mut() {
                if locals.iter().any(|local| used.locals.contains(local)) {
                    used.limits.extend(&limits);
                }
            }
        }
    }
    let all = used
        .iter()
        .flat_map(|(array, used)| found.buriable(*array, used, &full));
    let mut all: Vec<Buriable> = all.filter(|array| !array.ways.is_empty()).collect();
    hint(tree, &mut all);
    all.truncate(ARRAYS);
    all
}

/// The most variables that only inputs are stored to.
const GIVEN: usize = 8;

/// The integers of static storage that get their values as inputs through their addresses, as by `scanf("%d", &n)`. Where the
/// program reads none before it has another value, what is left there makes no difference.
pub(super) fn given(tree: &Tree) -> Vec<Buriable> {
    let taken = address_taken(tree);
    let all = recorded(tree, true).into_iter().filter_map(|(_, lvalue)| {
        let ExprKind::Ident(Resolved::Object(id)) = tree.exprs[lvalue].kind else {
            return None;
        };
        let object = &tree.objects[id];
        let lasting = matches!(object.storage, Storage::Global | Storage::FileStatic);
        let plain = lasting && integer(tree, object.ty).is_some() && !is_fixed(tree, object.ty);
        (plain && is_given(tree, &taken, id)).then(|| Buriable {
            object: id,
            ways: vec!["1".to_owned()],
            lvalue: as_array(&object.name),
            elements: 1,
        })
    });
    all.take(GIVEN).collect()
}

/// The same of locals, with the blocks that record them.
pub(super) fn given_locals(tree: &Tree, marked: &[(DeclId, ObjectId)]) -> Vec<(StmtId, ObjectId)> {
    let taken = address_taken(tree);
    let all = recorded(tree, false).into_iter();
    let locals = all.filter_map(|(block, lvalue)| match tree.exprs[lvalue].kind {
        ExprKind::Ident(Resolved::Object(id)) => Some((block, id)),
        _ => None,
    });
    let given = locals.filter(|(_, id)| {
        marked.iter().any(|(_, local)| local == id) && is_given(tree, &taken, *id)
    });
    given.take(GIVEN).collect()
}

/// Whether the address of an object is given to functions that store inputs, and to nothing else.
fn is_given(tree: &Tree, taken: &BTreeMap<ObjectId, Vec<ExprId>>, object: ObjectId) -> bool {
    let to_input = |name: &ExprId| {
        let mut at = tree.exprs[*name].parent;
        while let Parent::Expr(outer) = at {
            match &tree.exprs[outer].kind {
                ExprKind::AddressOf(_) | ExprKind::Cast(_) => at = tree.exprs[outer].parent,
                ExprKind::Call { callee, .. } => {
                    let function = called(tree, *callee).map(|f| &tree.functions[f]);
                    return function.is_some_and(|f| f.name.starts_with("ba_input_"));
                }
                _ => return false,
            }
        }
        false
    };
    taken
        .get(&object)
        .is_some_and(|names| names.iter().all(to_input))
}

/// A variable as an array of one element.
fn as_array(name: &str) -> String {
    format!("(*(__typeof__({name})(*)[1])&{name})")
}

/// Adds what the step form says of where nothing reads its arrays: it is the first way for each.
fn hint(tree: &Tree, all: &mut Vec<Buriable>) {
    for (id, object) in tree.objects.iter() {
        let name = &object.name;
        let hint = name
            .strip_prefix(stepped::OWN)
            .map(|of| format!("{}{of}", stepped::UNREAD));
        let Some(hint) = hint.filter(|hint| is_hint(tree, hint)) else {
            continue;
        };
        let way = format!("{hint}()");
        if let Some(array) = all.iter_mut().find(|array| array.lvalue == *name) {
            array.ways.insert(0, way);
            continue;
        }
        let (element, elements, lvalue) = match tree.types.get(object.ty) {
            Type::Array(element, ArrayLen::Known(count)) => (*element, *count, name.clone()),
            // It is an array of one.
            _ => (object.ty, 1, as_array(name)),
        };
        if can_be_checked(tree, element) && !is_fixed(tree, object.ty) {
            let array = Buriable {
                object: id,
                ways: vec![way],
                lvalue,
                elements,
            };
            all.insert(0, array);
        }
    }
}

/// Whether a program has a function of this name that may be called at any time: it has no parameters, calls nothing and assigns
/// nothing.
fn is_hint(tree: &Tree, name: &str) -> bool {
    let function = tree.function_named(name);
    let body = function.and_then(|f| tree.functions[f].body.as_ref());
    body.is_some_and(|body| {
        let mut inside = tree
            .exprs
            .iter()
            .filter(|(_, e)| body.span.encloses(e.span));
        body.params.is_empty() && inside.all(|(_, e)| has_no_effect(&e.kind))
    })
}

fn has_no_effect(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::Ident(_) | ExprKind::Int(_) | ExprKind::Index { .. } | ExprKind::Cast(_)
    )
}

fn evaluated(tree: &Tree) -> impl Iterator<Item = (ExprId, &Expr)> {
    tree.exprs.iter().filter(|(_, e)| !e.unevaluated)
}

/// The variable or member that an expression designates.
fn name(tree: &Tree, e: ExprId) -> Option<Name> {
    match &tree.exprs[tree.uncast(e)].kind {
        ExprKind::Ident(Resolved::Object(object)) => Some(Name::Object(*object)),
        ExprKind::Member { path, .. } => path.last().map(|(record, n)| Name::Member(*record, *n)),
        _ => None,
    }
}

/// Whether an element is only written: it, or a member of it, is assigned to.
fn is_written(tree: &Tree, mut e: ExprId) -> bool {
    while let Parent::Expr(parent) = tree.exprs[e].parent {
        match &tree.exprs[parent].kind {
            ExprKind::Member { base, arrow, .. } if *base == e && !arrow => e = parent,
            ExprKind::Assign { op: None, lhs, .. } => return *lhs == e,
            _ => return false,
        }
    }
    false
}

/// Whether the search may not write objects of a type: the compiler may put constants where writing ends the process.
fn has_fixed_quals(ty: QualType) -> bool {
    ty.quals.is_volatile || ty.quals.is_const || ty.quals.is_atomic
}

/// Whether the search may not write all of an object: `void (*const tasks[])(void)` is a constant only in its elements.
fn is_fixed(tree: &Tree, ty: QualType) -> bool {
    let parts = || match tree.types.get(ty) {
        Type::Array(element, _) => is_fixed(tree, *element),
        Type::Record(record) => {
            let members = tree.types.records[*record].members.iter().flatten();
            members.into_iter().any(|member| is_fixed(tree, member.ty))
        }
        _ => false,
    };
    has_fixed_quals(ty) || parts()
}

/// The arrays and integers among the program's variables, with their texts.
#[derive(Debug, Default)]
struct Found {
    arrays: BTreeMap<Name, Vec<(ObjectId, String, u64)>>,
    integers: BTreeMap<Name, Vec<(ObjectId, String)>>,
}

impl Found {
    fn of(tree: &Tree) -> Found {
        let mut out = Found::default();
        for (id, object) in tree.objects.iter() {
            let lasting = matches!(object.storage, Storage::Global | Storage::FileStatic);
            if !lasting
                || has_fixed_quals(object.ty)
                || object.thread_local
                || !object.defined
                || object.name.starts_with(OWN)
            {
                continue;
            }
            out.add(tree, Name::Object(id), (id, object.name.clone()), object.ty);
            let Type::Record(number) = tree.types.get(object.ty) else {
                continue;
            };
            let record = &tree.types.records[*number];
            let members = record.members.iter().flatten().enumerate();
            for (n, member) in members.filter(|_| !record.is_union) {
                if let Some(of) = member.name.as_ref().filter(|_| !member.is_bit_field) {
                    let text = format!("{}.{of}", object.name);
                    out.add(tree, Name::Member(*number, n), (id, text), member.ty);
                }
            }
        }
        out
    }

    fn add(&mut self, tree: &Tree, name: Name, (object, text): (ObjectId, String), ty: QualType) {
        if is_fixed(tree, ty) {
            return;
        }
        match tree.types.get(ty) {
            Type::Array(element, ArrayLen::Known(count))
                if (2..=ELEMENTS).contains(count) && can_be_checked(tree, *element) =>
            {
                let all = self.arrays.entry(name).or_default();
                all.push((object, text, *count));
            }
            _ if integer(tree, ty).is_some() => {
                self.integers.entry(name).or_default().push((object, text));
            }
            _ => {}
        }
    }

    /// The integers among the variables that an expression names, and its locals.
    fn named(&self, tree: &Tree, e: ExprId) -> (Vec<Name>, Vec<ObjectId>) {
        let (mut names, mut locals, mut work) = (Vec::new(), Vec::new(), vec![e]);
        while let Some(e) = work.pop() {
            match name(tree, e) {
                Some(name) if self.integers.contains_key(&name) => names.push(name),
                Some(Name::Object(object)) => locals.push(object),
                _ => work.extend(tree.children(e)),
            }
        }
        (names, locals)
    }

    /// The arrays of this name, with the ways for each.
    fn buriable<'f>(
        &'f self,
        array: Name,
        used: &'f Used,
        full: &'f BTreeSet<(Name, i128)>,
    ) -> impl Iterator<Item = Buriable> + 'f {
        let all = self.arrays.get(&array).into_iter().flatten();
        all.map(move |(object, lvalue, elements)| Buriable {
            object: *object,
            lvalue: lvalue.clone(),
            elements: *elements,
            ways: self.ways(*object, *elements, used, full),
        })
    }

    fn ways(
        &self,
        object: ObjectId,
        elements: u64,
        used: &Used,
        full: &BTreeSet<(Name, i128)>,
    ) -> Vec<String> {
        // A member of the same variable, if there are several.
        let text = |name: &Name| {
            let all = &self.integers[name];
            let own = all.iter().find(|(of, _)| *of == object);
            format!("(long long)({})", own.unwrap_or(&all[0]).1)
        };
        let most = i128::from(elements);
        let counts = full
            .iter()
            .filter(|(_, with)| (most - 1..=most).contains(with));
        let counts: Vec<Name> = counts.map(|(name, _)| *name).collect();
        let from = |first: &Name| {
            format!(
                "((ba_i - {}) % {elements} + {elements}) % {elements}",
                text(first)
            )
        };
        let mut rings = Vec::new();
        for first in &used.reads {
            for count in counts.iter().filter(|count| *count != first) {
                rings.push(format!("{} >= {}", from(first), text(count)));
            }
            for end in used.writes.iter().filter(|end| *end != first) {
                let length = format!(
                    "(({} - {}) % {elements} + {elements}) % {elements}",
                    text(end),
                    text(first)
                );
                rings.push(format!("{} >= {length}", from(first)));
            }
        }
        let ends = used.limits.iter().chain(&used.writes).chain(&used.reads);
        let ends: Vec<String> = ends.map(|end| format!("ba_i >= {}", text(end))).collect();
        let all = match used.limits.is_empty() {
            true => [rings, ends].concat(),
            false => [ends, rings].concat(),
        };
        let mut seen = BTreeSet::new();
        all.into_iter()
            .filter(|way| seen.insert(way.clone()))
            .take(WAYS)
            .collect()
    }
}

/// The functions that bury elements, and that tell which array memory is in. An element that was buried and never written may count
/// as one that is not buried later: its mark tells.
pub(super) fn burying(arrays: &[Buriable]) -> String {
    let (mut bury, mut buried) = (String::new(), String::new());
    for (n, array) in arrays.iter().enumerate() {
        let (lvalue, elements) = (&array.lvalue, array.elements);
        let _ = writeln!(
            bury,
            "  for (long long ba_i = 0; ba_i < {elements}; ba_i++) {{\n    _Bool ba_dead = 0;"
        );
        for (way, condition) in array.ways.iter().enumerate() {
            let _ = writeln!(
                bury,
                "    if (ba_x_ways[{n}] == {}) ba_dead = {condition};",
                way + 1
            );
        }
        let _ = writeln!(
            bury,
            "    if (ba_dead) __builtin_memset((void *)&{lvalue}[ba_i], 0xa5, sizeof {lvalue}[0]);\n  }}"
        );
        let _ = writeln!(
            buried,
            "  ba_o = (const volatile char *)ba_at - (const volatile char *)&{lvalue};\n  \
             if (ba_o >= 0 && ba_o < (long)sizeof {lvalue}) return {n};"
        );
    }
    format!(
        "\nextern unsigned ba_x_ways[];\nvoid ba_x_bury(void) {{\n{bury}}}\n\
         int ba_x_buried(const volatile void *ba_at) {{\n  long ba_o;\n{buried}  (void)ba_o;\n  return -1;\n}}\n"
    )
}
