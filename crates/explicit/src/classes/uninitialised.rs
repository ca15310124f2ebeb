//! Uninitialised locals: they get chosen values.

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use cfront::access::address_taken;
use cfront::flow::Point;
use cfront::jumps::Jumps;
use cfront::span::{DeclId, ExprId, Id, ObjectId, StmtId};
use cfront::stepped::CONTENTS;
use cfront::tree::{
    BlockItem, Declared, Entity, ExprKind, Parent, Resolved, StmtKind, Storage, Tree,
};
use cfront::types::{ArrayLen, Type};
use cfront::{Aliases, Assumptions, Unit};
use weave::analysis::live_locals::{gives, Live};
use weave::heads::Chooser;

use super::bounds::following;
use super::buried::{arrays, burying, given, given_locals};
use super::poison::{self, Insertions};
use super::ranges::Ranged;
use super::texts;
use super::unread;
use super::{classes, list, Choices, Form, Obstacle, SMALL};
use crate::flows::{called, Flows};
use crate::kinds::integer;

/// Marks each local that may be read before it has a value, if it may, and has its reads checked, as those of elements of arrays that
/// may be buried; or gives it one value of each distinguishable class. No
/// violation rests on such a value, unless other code may have it from a pointer.
pub(super) fn uninitialised(
    unit: &Unit,
    choosers: &[Chooser],
    flows: &mut Flows,
    (out, form): (&mut Choices, Form),
    ranged: &Ranged,
) -> Result<(), Obstacle> {
    let tree = &unit.tree;
    let whole = Assumptions {
        whole_program: true,
    };
    let aliases = LazyCell::new(|| Aliases::new(tree, whole));
    let forgotten = texts::forgotten(tree);
    if let Some(&first) = forgotten.first() {
        texts::handed_on(tree, &aliases)?;
        if !form.marks {
            return Err(Obstacle {
                message: "what is left in a text may be read after a function of the library cut or copied it".into(),
                at: texts::place(tree, first),
            });
        }
    }
    // Where only some runs are visited, one value is as good as another, and a run that reads one ends.
    let some = form.some.is_some();
    let taken = address_taken(tree);
    let live = Live::giving(tree, &unit.flows, &|tree, call| {
        gives(tree, call).or_else(|| stored_by_emitted(tree, call))
    });
    let mut insertions = ranged.insertions.clone();
    let (before, mut marked) = (out.clone(), Vec::new());
    let jumps = Jumps::of(tree);
    for (id, decl) in tree.decls.iter() {
        let Some(function) = decl.function else {
            continue;
        };
        let flow = unit.flows.get(&function);
        let next = flow.and_then(|f| f.at(Point::Decl(id)).map(|p| f.next(p).to_vec()));
        for declared in &decl.declared {
            let Entity::Object(object) = declared.entity else {
                continue;
            };
            let o = &tree.objects[object];
            if o.storage != Storage::Local || o.name.starts_with("ba_") {
                continue;
            }
            if declared.init.is_some() {
                let point = |label| flow.and_then(|f| f.at(Point::Label(label)));
                let mut reached = jumps.reached_past(tree, object);
                // No pointer leads to it where its block is entered behind its declaration.
                if reached.any(|label| {
                    live.fresh_at(function, point(label).map(|p| p.index()), object.index())
                }) {
                    return Err(passed(tree, object));
                }
                continue;
            }
            let read = match &next {
                Some(next) => next
                    .iter()
                    .any(|p| live.at(function, Some(p.index()), object.index())),
                None => true,
            };
            if !read || !is_read(tree, object) || is_given(unit, choosers, id, object) {
                continue;
            }
            let fail = |message: String| Obstacle {
                message,
                at: declared.name.start,
            };
            let scalar = integer(tree, o.ty);
            // What other code may have a pointer to has some value, though not a certain one.
            let mut uses = taken.get(&object).into_iter().flatten();
            let any = some && uses.any(|at| !is_element(tree, *at));
            let indifferent = any || is_indifferent(tree, flows, object);
            if indifferent && !jumps.pass(tree, object) {
                insertions.between(declared.declarator.end, " = {0}".to_string());
                continue;
            }
            if form.marks && !jumps.pass(tree, object) {
                marked.push((id, object));
                continue;
            }
            if some && scalar.is_none() && !jumps.pass(tree, object) {
                let number = out.local(unit, declared, &[0], false);
                insertions.between(
                    declared.declarator.end,
                    format!(" = {{0}}, *ba_x_unset_{number} = (void *)ba_x_local_{number}()"),
                );
                continue;
            }
            let Some((bits, signed)) = scalar else {
                let used = flows.of_object(object).exposed;
                let used = used
                    .map(|(what, _)| format!(", and it {what}"))
                    .unwrap_or_default();
                return Err(fail(format!(
                    "`{}` may be read before it has a value{used}; the search of all states chooses values of integers only",
                    o.name
                )));
            };
            if jumps.pass(tree, object) {
                return Err(passed(tree, object));
            }
            let values = match some {
                true => vec![0],
                false => told_apart(flows, object, bits, signed),
            };
            if values.is_empty() {
                return Err(fail(format!(
                    "`{}` may be read before it has a value, and the program distinguishes too many of its values",
                    o.name
                )));
            }
            let any = taken.contains_key(&object) || o.name == CONTENTS;
            let number = out.local(unit, declared, &values, any);
            insertions.between(declared.declarator.end, format!(" = ba_x_local_{number}()"));
        }
    }
    let given = if some { Vec::new() } else { given(tree) };
    let constant = given.len();
    let mut arrays = if some { Vec::new() } else { arrays(unit) };
    arrays.extend(given);
    let objects: BTreeSet<ObjectId> = arrays.iter().map(|a| a.object).collect();
    let bytes = match form.marks && !some {
        true => unread::stores(unit, out),
        false => Vec::new(),
    };
    // Those that the analysis can follow: all, or at least some.
    let attempts = [(true, true), (true, false), (false, true), (false, false)];
    let attempts = attempts.into_iter().filter(|(with_arrays, with_bytes)| {
        !(*with_arrays && objects.is_empty() || *with_bytes && bytes.is_empty())
    });
    let mut checks = None;
    let (mut buries, mut leaves) = (false, false);
    for (with_arrays, with_bytes) in attempts {
        let others = poison::Others {
            objects: objects.iter().copied().filter(|_| with_arrays).collect(),
            bytes: bytes.iter().copied().filter(|_| with_bytes).collect(),
            forgotten: forgotten.clone(),
        };
        checks = poison::marked(unit, &marked, &others, &aliases);
        (buries, leaves) = (with_arrays, with_bytes);
        if checks.is_some() {
            break;
        }
    }
    let arrays = if buries { arrays } else { Vec::new() };
    let Some(checks) = checks else {
        *out = before;
        let form = Form {
            marks: false,
            ..form
        };
        return uninitialised(unit, choosers, flows, (out, form), ranged);
    };
    insertions.extend(checks);
    out.buried.ways = arrays.iter().map(|array| array.ways.len()).collect();
    out.buried.constant = if buries { constant } else { 0 };
    if !some {
        for (block, local) in given_locals(tree, &marked) {
            let (number, name) = (out.buried.ways.len(), &tree.objects[local].name);
            let mark = format!("ba_x_leave({number}, (void *)&{name}, sizeof {name}); ");
            insertions.between(tree.stmts[block].span.start, mark);
            out.buried.ways.push(1);
            out.buried.constant += 1;
        }
    }
    out.marks = !marked.is_empty() || !forgotten.is_empty();
    out.unread.retain(|_| leaves);
    let burying = burying(&arrays);
    out.text = ranged.declarations() + &inserted(unit, out.locals.len(), insertions) + &burying;
    Ok(())
}

impl Choices {
    /// Adds a local that gets one of these values where it is declared; its number. If its address is taken, its value may be any, but
    /// to read it is not undefined (C11, 6.3.2.1): then `any` is true.
    fn local(&mut self, unit: &Unit, declared: &Declared, values: &[i128], any: bool) -> usize {
        let number = self.locals.len();
        let _ = writeln!(
            self.choosers,
            "long long ba_x_local_{number}(void) {{ static const long long of[] = {{ {} }}; return ba_x_uninitialised(of, {}, {number}); }}",
            list(values),
            values.len()
        );
        let (file, line) = unit.source.lines.line(declared.name.start);
        let name = declared.name.of(&unit.source.text);
        self.locals
            .push((!any).then(|| format!("`{name}`, {file}:{line}")));
        self.chosen_at.push(declared.name.start);
        number
    }
}

/// Why a local cannot be followed to which a jump comes behind its declaration.
fn passed(tree: &Tree, object: ObjectId) -> Obstacle {
    let object = &tree.objects[object];
    Obstacle {
        message: format!("a jump may pass the declaration of `{}`", object.name),
        at: object.name_span.start,
    }
}

/// Whether an array is named for one of its elements, not for a pointer.
fn is_element(tree: &Tree, array: ExprId) -> bool {
    match tree.exprs[array].parent {
        Parent::Expr(outer) => {
            matches!(tree.exprs[outer].kind, ExprKind::Index { base, .. } if base == array)
        }
        _ => false,
    }
}

/// Whether nothing that the program does depends on the values in an array of integers: one value stands for all of them.
fn is_indifferent(tree: &Tree, flows: &mut Flows, object: ObjectId) -> bool {
    let Type::Array(element, ArrayLen::Known(_)) = tree.types.get(tree.objects[object].ty) else {
        return false;
    };
    let Some((bits, signed)) = integer(tree, *element) else {
        return false;
    };
    let asked = flows.of_object(object);
    let told = classes(&asked, range(bits, signed));
    asked.exposed.is_none() && told.is_some_and(|all| all == [0])
}

/// The least and the greatest value of an integer type.
fn range(bits: u32, signed: bool) -> (i128, i128) {
    match signed {
        true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        false => (0, (1i128 << bits) - 1),
    }
}

/// One value of each class of an integer local; empty if there are too many classes.
fn told_apart(flows: &mut Flows, object: ObjectId, bits: u32, signed: bool) -> Vec<i128> {
    let asked = flows.of_object(object);
    let range = range(bits, signed);
    match (range.1 - range.0 < SMALL, &asked.exposed) {
        (true, _) => (range.0..=range.1).collect(),
        (false, None) => classes(&asked, range).unwrap_or_default(),
        (false, Some(_)) => Vec::new(),
    }
}

/// The program's text with a chosen value for each of these locals, after declarations of the functions that
/// choose.
fn inserted(unit: &Unit, locals: usize, insertions: Insertions) -> String {
    let mut text = String::from("long long ");
    for number in 0..locals {
        let _ = write!(text, "ba_x_local_{number}(void), ");
    }
    text.push_str("ba_x_local_none(void);\n");
    text.push_str("void ba_x_defined(const volatile void *, unsigned long, int);\nvoid ba_x_text(const char *, unsigned long);\nvoid ba_x_place_of(unsigned);\nvoid ba_x_stored(const volatile void *);\n");
    text + &insertions.into_text(&unit.source.text)
}

/// Whether the text reads an object at all, or passes its address on.
fn is_read(tree: &Tree, object: ObjectId) -> bool {
    tree.exprs.iter().any(|(id, e)| match e.kind {
        ExprKind::Ident(Resolved::Object(o)) if o == object && !e.unevaluated => {
            let written = match e.parent {
                Parent::Expr(p) => match &tree.exprs[p].kind {
                    ExprKind::Assign { op: None, lhs, .. } => *lhs == id,
                    _ => false,
                },
                _ => false,
            };
            !written
        }
        _ => false,
    })
}

/// Whether the statement after a declaration unconditionally gives the object a value: a call of a function of
/// the weaver's that stores an input, or of the compiler's (`__atomic_load`).
fn is_given(unit: &Unit, choosers: &[Chooser], decl: DeclId, object: ObjectId) -> bool {
    let tree = &unit.tree;
    let next = following(tree, BlockItem::Decl(decl)).into_iter().next();
    let call = next.and_then(|stmt| match tree.stmts[stmt].kind {
        StmtKind::Expr(e) => e,
        _ => None,
    });
    let Some(ExprKind::Call { callee, args, .. }) = call.map(|e| &tree.exprs[e].kind) else {
        return false;
    };
    let place = args.iter().position(|a| match tree.exprs[*a].kind {
        ExprKind::AddressOf(inner) => {
            matches!(tree.exprs[inner].kind, ExprKind::Ident(Resolved::Object(o)) if o == object)
        }
        _ => false,
    });
    let function = called(tree, *callee).map(|f| &tree.functions[f]);
    let name = match (function, &tree.exprs[*callee].kind) {
        (Some(f), _) if f.body.is_none() => Some(f.name.as_str()),
        (None, ExprKind::Ident(Resolved::Unknown(name))) => Some(name.as_str()),
        _ => None,
    };
    let row = name.and_then(cfront::library::with_arguments);
    if place.is_some() && row.is_some_and(|f| f.gives == place) {
        return true;
    }
    let body = function
        .filter(|f| f.name.starts_with("ba_input_"))
        .and_then(|f| f.body.as_ref());
    let (Some(place), Some(body)) = (place, body) else {
        return false;
    };
    let Some(param) = body.params.get(place) else {
        return false;
    };
    let StmtKind::Compound { items, .. } = &tree.stmts[body.block].kind else {
        return false;
    };
    // A statement of the body's own is under no condition.
    items.iter().any(|item| match item {
        BlockItem::Stmt(stmt) => stores_choice(tree, choosers, *stmt, *param),
        BlockItem::Decl(_) => false,
    })
}

/// The argument of a call of an emitted function through which it stores under no condition.
fn stored_by_emitted(tree: &Tree, call: ExprId) -> Option<usize> {
    let ExprKind::Call { callee, .. } = &tree.exprs[call].kind else {
        return None;
    };
    let function = called(tree, *callee).map(|f| &tree.functions[f])?;
    let body = function.body.as_ref()?;
    let StmtKind::Compound { items, .. } = &tree.stmts[body.block].kind else {
        return None;
    };
    if !function.name.starts_with("ba_input_") {
        return None;
    }
    // Behind the first statement that may branch, what is stored may depend on a condition.
    let plain = items.iter().map_while(|item| match item {
        BlockItem::Stmt(stmt) => match tree.stmts[*stmt].kind {
            StmtKind::Expr(e) => Some(e),
            _ => None,
        },
        BlockItem::Decl(_) => Some(None),
    });
    plain.flatten().find_map(|e| {
        let ExprKind::Assign { op: None, lhs, .. } = tree.exprs[e].kind else {
            return None;
        };
        let ExprKind::Deref(mut pointer) = tree.exprs[lhs].kind else {
            return None;
        };
        while let ExprKind::Cast(inner) = tree.exprs[pointer].kind {
            pointer = inner;
        }
        match tree.exprs[pointer].kind {
            ExprKind::Ident(Resolved::Object(o)) => body.params.iter().position(|p| *p == o),
            _ => None,
        }
    })
}

/// Whether a statement stores a chosen value through a pointer.
fn stores_choice(tree: &Tree, choosers: &[Chooser], stmt: StmtId, pointer: ObjectId) -> bool {
    let StmtKind::Expr(Some(expr)) = tree.stmts[stmt].kind else {
        return false;
    };
    let ExprKind::Assign {
        op: None, lhs, rhs, ..
    } = tree.exprs[expr].kind
    else {
        return false;
    };
    let through = match tree.exprs[lhs].kind {
        ExprKind::Deref(inner) => {
            matches!(tree.exprs[inner].kind, ExprKind::Ident(Resolved::Object(o)) if o == pointer)
        }
        _ => false,
    };
    let ExprKind::Call { callee, .. } = &tree.exprs[rhs].kind else {
        return false;
    };
    let name = called(tree, *callee).map(|f| &tree.functions[f].name);
    through && name.is_some_and(|name| choosers.iter().any(|c| c.function == *name))
}
