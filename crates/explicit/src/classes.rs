//! The values of inputs that a program can tell apart, and the program with these as choices.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use cfront::consteval::eval;
use cfront::flow::Point;
use cfront::span::{DeclId, ExprId, FunctionId, Id, ObjectId, StmtId};
use cfront::tree::{
    BinaryOp, BlockItem, Entity, ExprKind, Parent, Resolved, StmtKind, Storage, Tree, UnaryOp,
};
use cfront::Unit;
use weave::analysis::live_locals::Live;

use crate::flows::{assumes, called, integer, Asked, Flows};

/// So many values of one input are tried at most.
pub const MOST: usize = 4096;
/// A type with so few values is tried with all of them.
const SMALL: i128 = 256;

/// Why the inputs are not finite for the search: a sentence, and the offset of the text that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// What is not followed.
    pub message: String,
    /// Where.
    pub at: usize,
}

/// The program with its choices.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// Its text, in which locals without a value get one that is chosen.
    pub text: String,
    /// C definitions of the functions that choose.
    pub choosers: String,
    /// The values tried at each site of an input.
    pub values: BTreeMap<u32, Vec<i128>>,
    /// The names of locals that are chosen where they are declared, by number.
    pub locals: Vec<String>,
}

/// Finds the values. `quiet` tells functions of the library without an effect on the program; `monitors` are the weaver's
/// variables that follow formulas, which nothing else depends on.
///
/// # Errors
/// The first place at which inputs are not finite, or which the search does not follow.
pub fn resolve(
    unit: &Unit,
    quiet: &dyn Fn(&str) -> bool,
    monitors: &BTreeSet<String>,
) -> Result<Choices, Obstacle> {
    let tree = &unit.tree;
    refuse_arguments(tree)?;
    let sources = sources(unit)?;
    let calls: Vec<ExprId> = sources.iter().map(|s| s.call).collect();
    let mut flows = Flows::new(unit, &calls, quiet);
    let mut out = Choices::default();
    for source in &sources {
        let asked = flows.of_source(source.call);
        let values = match &source.own {
            Some(all) => all.clone(),
            None => values(unit, source, &asked)?,
        };
        let all = out.values.entry(source.site).or_default();
        all.extend(values);
        all.sort_unstable();
        all.dedup();
    }
    uninitialised(unit, &mut flows, &mut out)?;
    for (site, values) in &out.values {
        if values.len() > MOST {
            let source = sources.iter().find(|s| s.site == *site);
            return Err(Obstacle {
                message: format!("an input has {} values here", values.len()),
                at: source.map_or(0, |s| tree.exprs[s.call].span.start),
            });
        }
    }
    choosers(unit, &mut out);
    let more = own_state(tree, monitors)?;
    out.text.push_str(&more);
    Ok(out)
}

/// Beginnings of the names of the weaver's variables that only formulas depend on, or that always have one value.
const FORMULAS: [&str; 8] = [
    "ba_state",
    "ba_run",
    "ba_met",
    "ba_kept",
    "ba_turned",
    "ba_static_",
    "ba_at_",
    "ba_saved",
];

/// C that tells all other variables of the weaver's, whatever they are for: they are part of the state.
fn own_state(tree: &Tree, monitors: &BTreeSet<String>) -> Result<String, Obstacle> {
    let mut text = String::from("\nvoid ba_x_more(void) {\n");
    for (_, object) in tree.objects.iter() {
        let name = object.name.as_str();
        let covers = name.strip_prefix("ba_seen_");
        let covers = covers.is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
        let own =
            name.starts_with("ba_") && object.is_static_duration() && !object.ty.quals.is_const;
        let told = name.starts_with("ba_x_") || covers || monitors.contains(name);
        if !own || told || FORMULAS.iter().any(|f| name.starts_with(f)) {
            continue;
        }
        if object.storage == Storage::StaticLocal {
            // Tables of names for records of runs.
            if matches!(name, "ba_variables" | "ba_states") {
                continue;
            }
            return Err(Obstacle {
                message: "something happens here only once in a run, which the search of all states does not follow".into(),
                at: object.name_span.start,
            });
        }
        let _ = writeln!(text, "  ba_x_put(&{name}, sizeof {name});");
    }
    text.push_str("}\n");
    Ok(text)
}

/// A call that gives an input.
struct Source {
    call: ExprId,
    site: u32,
    bits: u32,
    signed: bool,
    /// Its values, where the weaver's text enumerates them: numbers from which it makes the value.
    own: Option<Vec<i128>>,
}

fn refuse_arguments(tree: &Tree) -> Result<(), Obstacle> {
    let main = tree.function_named("main");
    let body = main.and_then(|f| tree.functions[f].body.as_ref());
    let params: BTreeSet<ObjectId> = body.iter().flat_map(|b| b.params.iter().copied()).collect();
    let read = tree.exprs.iter().find(|(_, e)| match e.kind {
        ExprKind::Ident(Resolved::Object(o)) => params.contains(&o) && !e.unevaluated,
        _ => false,
    });
    match read {
        Some((_, e)) => Err(Obstacle {
            message: "the program reads the arguments of its command line".into(),
            at: e.span.start,
        }),
        None => Ok(()),
    }
}

/// The calls of the weaver's functions `ba_choose_N`, each with its site.
fn sources(unit: &Unit) -> Result<Vec<Source>, Obstacle> {
    let tree = &unit.tree;
    let mut out = Vec::new();
    for (call, expr) in tree.exprs.iter() {
        let ExprKind::Call { callee, args, .. } = &expr.kind else {
            continue;
        };
        let Some(f) = called(tree, *callee) else {
            continue;
        };
        let function = &tree.functions[f];
        if !function.name.starts_with("ba_choose_") {
            continue;
        }
        let fail = |what: &str| Obstacle {
            message: what.to_string(),
            at: expr.span.start,
        };
        let site = args.first().and_then(|a| eval(tree, *a));
        let site = site.and_then(|s| u32::try_from(s).ok());
        let site = site.ok_or_else(|| fail("an input without a place"))?;
        let text = function.body.as_ref().map(|b| unit.text_of(b.span));
        let (Some(text), Some((bits, signed))) = (text, integer(tree, expr.ty)) else {
            return Err(fail("an input is no integer"));
        };
        let own = match text.contains("ba_pick") {
            true => Some(enumerated(text).ok_or_else(|| fail("an input has too many values"))?),
            false => None,
        };
        out.push(Source {
            call,
            site,
            bits,
            signed,
            own,
        });
    }
    Ok(out)
}

/// The numbers from which the weaver's text makes the values of a set or a range.
fn enumerated(text: &str) -> Option<Vec<i128>> {
    let number = |after: &str| -> Option<i128> {
        let (_, rest) = text.split_once(after)?;
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    };
    let compared = text.matches("ba_pick == ").count() as i128;
    let highest = number("ba_pick & ")
        .or_else(|| number("ba_pick <= "))
        .or((compared > 0).then_some(compared))?;
    (highest < MOST as i128).then(|| (0..=highest).collect())
}

/// The values of an input that the program can tell apart.
fn values(unit: &Unit, source: &Source, asked: &Asked) -> Result<Vec<i128>, Obstacle> {
    let (low, high) = match source.signed {
        true => (
            -(1i128 << (source.bits - 1)),
            (1i128 << (source.bits - 1)) - 1,
        ),
        false => (0, (1i128 << source.bits) - 1),
    };
    if high - low < SMALL {
        return Ok((low..=high).collect());
    }
    // What is assumed at once excludes the rest before anything else is asked; what is tested at once and
    // thrown away is one value for all the rest.
    let (bounds, others) = bounded(unit, source.call);
    let (from, to) = (
        bounds.0.unwrap_or(low).max(low),
        bounds.1.unwrap_or(high).min(high),
    );
    let span = to - from;
    if let Some((what, at)) = &asked.exposed {
        if (0..MOST as i128).contains(&span) {
            let other = if to < high { to + 1 } else { from - 1 };
            let others = others && (low..=high).contains(&other);
            return Ok((from..=to).chain(others.then_some(other)).collect());
        }
        return Err(Obstacle {
            message: format!(
                "the search of all states wants inputs of which the program can tell few values apart, but this one {what}; \
                 name its values or its range under `inputs`, or assume bounds right where it is read"
            ),
            at: *at,
        });
    }
    let classes = classes(asked, (low, high));
    match classes {
        Some(classes) => Ok(classes),
        None if !others && (0..MOST as i128).contains(&span) => Ok((from..=to).collect()),
        None => Err(Obstacle {
            message: "the program can tell too many values of this input apart".into(),
            at: unit.tree.exprs[source.call].span.start,
        }),
    }
}

/// A value of each class; nothing if there are too many.
fn classes(asked: &Asked, (low, high): (i128, i128)) -> Option<Vec<i128>> {
    let mut ends = asked.constants.clone();
    for bits in &asked.wraps {
        let size = 1i128 << (*bits).min(64);
        ends.extend([0, size / 2, -(size / 2)]);
        for c in asked.constants.iter().copied().collect::<Vec<_>>() {
            ends.extend([c + size, c - size]);
        }
    }
    let inside = |v: &i128| low <= *v && *v <= high;
    let mut out = BTreeSet::new();
    if asked.modulus > 1 {
        // The remainder has the sign of the dividend.
        ends.insert(0);
        let (first, last) = (ends.first()? - asked.modulus, ends.last()? + asked.modulus);
        if last - first >= MOST as i128 {
            return None;
        }
        out.extend((first..=last).filter(inside));
    } else {
        out.extend(ends.iter().flat_map(|c| [c - 1, *c, c + 1]).filter(inside));
        let nearer = |v: &i128| {
            // Between two constants one value is enough.
            ends.contains(v) || ends.contains(&(v - 1)) || ends.first().is_some_and(|f| v < f)
        };
        out.retain(nearer);
        if out.is_empty() {
            out.insert(0);
        }
    }
    (out.len() <= MOST).then(|| out.into_iter().collect())
}

/// Bounds, where there are some.
type Bounds = (Option<i128>, Option<i128>);

/// The bounds of an input that are assumed right behind the place where it is read; or those behind which control goes away,
/// with the value that nothing reads then: `true`.
fn bounded(unit: &Unit, call: ExprId) -> (Bounds, bool) {
    let tree = &unit.tree;
    let mut bounds = ((None, None), false);
    // The weaver reads it in a function of its own, which is called in one place.
    let Some(function) = tree.function_of(Parent::Expr(call)) else {
        return bounds;
    };
    let mut at = call;
    if tree.functions[function].name.starts_with("ba_input_") {
        let calls: Vec<ExprId> = tree
            .exprs
            .iter()
            .filter(|(_, e)| match &e.kind {
                ExprKind::Call { callee, .. } => called(tree, *callee) == Some(function),
                _ => false,
            })
            .map(|(id, _)| id)
            .collect();
        match calls.as_slice() {
            [one] => at = *one,
            _ => return bounds,
        }
    }
    let Some((object, place)) = receiver(tree, at) else {
        return bounds;
    };
    let mut behind = following(tree, place).into_iter().peekable();
    if let Some(stmt) = behind.peek() {
        if let Some(kept) = thrown_away(unit, function_of(tree, *stmt), *stmt, object) {
            return (kept, true);
        }
    }
    for stmt in behind {
        let StmtKind::Expr(Some(e)) = tree.stmts[stmt].kind else {
            break;
        };
        let ExprKind::Call { callee, args, .. } = &tree.exprs[e].kind else {
            break;
        };
        let name = called(tree, *callee).map(|f| tree.functions[f].name.as_str());
        match (name, args.as_slice()) {
            (Some(name), [condition]) if assumes(name) => {
                narrow(tree, *condition, object, &mut bounds.0, true);
            }
            _ => break,
        }
    }
    bounds
}

fn function_of(tree: &Tree, stmt: StmtId) -> Option<FunctionId> {
    tree.stmts[stmt].function
}

/// For `if (condition) jump;`: the bounds within which control does not jump, if the object is not read any
/// more where it goes.
fn thrown_away(
    unit: &Unit,
    function: Option<FunctionId>,
    stmt: StmtId,
    object: ObjectId,
) -> Option<Bounds> {
    let tree = &unit.tree;
    let function = function?;
    let StmtKind::If { cond, then, .. } = tree.stmts[stmt].kind else {
        return None;
    };
    if !is_plain(tree, cond) {
        return None;
    }
    let jump = match &tree.stmts[then].kind {
        StmtKind::Compound { items, .. } => match items.as_slice() {
            [BlockItem::Stmt(only)] => *only,
            _ => return None,
        },
        _ => then,
    };
    let leaves = match tree.stmts[jump].kind {
        StmtKind::Return(value) => value.is_none_or(|e| eval(tree, e).is_some()),
        StmtKind::Continue | StmtKind::Break | StmtKind::Goto { .. } => true,
        _ => false,
    };
    let flow = unit.flows.get(&function)?;
    let live = Live::new(tree, &unit.flows);
    let point = flow.at(Point::Stmt(jump))?;
    let mut next = flow.next(point).iter();
    let read = next.any(|p| live.at(function, Some(p.index()), object.index()));
    if !leaves || read {
        return None;
    }
    let mut bounds = (None, None);
    narrow(tree, cond, object, &mut bounds, false);
    Some(bounds)
}

/// Whether an expression has no effects.
fn is_plain(tree: &Tree, e: ExprId) -> bool {
    let effects = matches!(
        tree.exprs[e].kind,
        ExprKind::Assign { .. }
            | ExprKind::IncDec { .. }
            | ExprKind::Call { .. }
            | ExprKind::StmtExpr(_)
            | ExprKind::VaArg(_)
    );
    !effects && tree.children(e).into_iter().all(|c| is_plain(tree, c))
}

/// The local that gets the value of a call, and the item of a block in which it does.
fn receiver(tree: &Tree, call: ExprId) -> Option<(ObjectId, BlockItem)> {
    match tree.exprs[call].parent {
        Parent::Init(init) => match tree.inits[init].parent {
            Parent::Declarator(decl, n) if n + 1 == tree.decls[decl].declared.len() => {
                match tree.decls[decl].declared[n].entity {
                    Entity::Object(object) => Some((object, BlockItem::Decl(decl))),
                    _ => None,
                }
            }
            _ => None,
        },
        Parent::Expr(parent) => match &tree.exprs[parent].kind {
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } if *rhs == call => {
                let (ExprKind::Ident(Resolved::Object(object)), Parent::Stmt(stmt)) =
                    (&tree.exprs[*lhs].kind, tree.exprs[parent].parent)
                else {
                    return None;
                };
                Some((*object, BlockItem::Stmt(stmt)))
            }
            _ => None,
        },
        _ => None,
    }
    .filter(|(object, _)| {
        let object = &tree.objects[*object];
        object.storage == Storage::Local && !object.ty.quals.is_volatile
    })
}

/// The statements behind an item of a block.
fn following(tree: &Tree, item: BlockItem) -> Vec<StmtId> {
    let parent = match item {
        BlockItem::Decl(decl) => tree.decls[decl].parent,
        BlockItem::Stmt(stmt) => tree.stmts[stmt].parent,
    };
    let Parent::Stmt(block) = parent else {
        return Vec::new();
    };
    let StmtKind::Compound { items, .. } = &tree.stmts[block].kind else {
        return Vec::new();
    };
    let behind = items.iter().skip_while(|i| **i != item).skip(1);
    let statements = behind.map_while(|i| match i {
        BlockItem::Stmt(stmt) => Some(*stmt),
        BlockItem::Decl(_) => None,
    });
    statements.collect()
}

/// What a condition that holds, or that does not, says of an object.
fn narrow(tree: &Tree, condition: ExprId, object: ObjectId, bounds: &mut Bounds, holds: bool) {
    let is = |e: ExprId| match tree.exprs[e].kind {
        ExprKind::Ident(Resolved::Object(o)) => o == object,
        _ => false,
    };
    let signs_agree = |a: ExprId, b: ExprId| {
        let sign = |e: ExprId| integer(tree, tree.exprs[e].ty).map(|(bits, s)| s || bits < 32);
        sign(a) == sign(b)
    };
    match tree.exprs[condition].kind {
        ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
            // Both halves are known only of a conjunction that holds, and of a disjunction that does not.
            if (op == BinaryOp::And) != holds {
                return;
            }
            narrow(tree, a, object, bounds, holds);
            narrow(tree, b, object, bounds, holds);
        }
        ExprKind::Unary(UnaryOp::Not, inner) => narrow(tree, inner, object, bounds, !holds),
        ExprKind::Binary(op, a, b) if (is(a) || is(b)) && signs_agree(a, b) => {
            let (constant, op) = match is(a) {
                true => (eval(tree, b), op),
                false => (eval(tree, a), mirrored(op)),
            };
            let Some(c) = constant else { return };
            let op = if holds { op } else { opposite(op) };
            let above = |v: i128| Some(bounds.0.map_or(v, |o: i128| o.max(v)));
            let below = |v: i128| Some(bounds.1.map_or(v, |o: i128| o.min(v)));
            match op {
                BinaryOp::Lt => bounds.1 = below(c - 1),
                BinaryOp::Le => bounds.1 = below(c),
                BinaryOp::Gt => bounds.0 = above(c + 1),
                BinaryOp::Ge => bounds.0 = above(c),
                BinaryOp::Eq => (bounds.0, bounds.1) = (above(c), below(c)),
                _ => {}
            }
        }
        _ => {}
    }
}

fn opposite(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Le => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Ge => BinaryOp::Lt,
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        other => other,
    }
}

fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        other => other,
    }
}

/// Locals that may be read before they have a value: they get any of the values that can be told apart.
fn uninitialised(unit: &Unit, flows: &mut Flows, out: &mut Choices) -> Result<(), Obstacle> {
    let tree = &unit.tree;
    let live = Live::new(tree, &unit.flows);
    let mut insertions: Vec<(usize, String)> = Vec::new();
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
            if declared.init.is_some() || o.storage != Storage::Local || o.name.starts_with("ba_") {
                continue;
            }
            let read = match &next {
                Some(next) => next
                    .iter()
                    .any(|p| live.at(function, Some(p.index()), object.index())),
                None => true,
            };
            if !read || !is_read(tree, object) || is_given(unit, id, object) {
                continue;
            }
            let fail = |message: String| Obstacle {
                message,
                at: declared.name.start,
            };
            let Some((bits, signed)) = integer(tree, o.ty) else {
                return Err(fail(format!(
                    "`{}` may be read before it has a value; the search of all states wants one",
                    o.name
                )));
            };
            if passed_by(tree, object) {
                return Err(fail(format!(
                    "a jump may pass the declaration of `{}`",
                    o.name
                )));
            }
            let asked = flows.of_object(object);
            let range = match signed {
                true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
                false => (0, (1i128 << bits) - 1),
            };
            let values = match (range.1 - range.0 < SMALL, &asked.exposed) {
                (true, _) => (range.0..=range.1).collect(),
                (false, None) => classes(&asked, range).unwrap_or_default(),
                (false, Some(_)) => Vec::new(),
            };
            if values.is_empty() {
                return Err(fail(format!(
                    "`{}` may be read before it has a value, and the program can tell too many of its values apart",
                    o.name
                )));
            }
            let number = out.locals.len();
            let _ = writeln!(
                out.choosers,
                "long long ba_x_local_{number}(void) {{ static const long long of[] = {{ {} }}; return ba_x_uninitialised(of, {}, {number}); }}",
                list(&values),
                values.len()
            );
            out.locals.push(o.name.clone());
            insertions.push((declared.declarator.end, format!(" = ba_x_local_{number}()")));
        }
    }
    insertions.sort();
    let mut text = String::from("long long ");
    for number in 0..out.locals.len() {
        let _ = write!(text, "ba_x_local_{number}(void), ");
    }
    text.push_str("ba_x_local_none(void);\n");
    let mut from = 0;
    for (at, insertion) in insertions {
        text.push_str(&unit.source.text[from..at]);
        text.push_str(&insertion);
        from = at;
    }
    text.push_str(&unit.source.text[from..]);
    out.text = text;
    Ok(())
}

/// Whether the text reads an object at all, or hands its address on.
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

/// Whether the statement behind a declaration stores an input into the object, whatever comes: a call of
/// a function of the weaver's.
fn is_given(unit: &Unit, decl: DeclId, object: ObjectId) -> bool {
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
    let body = function
        .filter(|f| f.name.starts_with("ba_input_"))
        .and_then(|f| f.body.as_ref());
    match (place, body) {
        // A statement of its own, so under no condition.
        (Some(n), Some(body)) => unit
            .text_of(body.span)
            .contains(&format!(";\n  *ba_a{n} = ba_choose_")),
        _ => false,
    }
}

/// Whether a label stands behind a declaration in its block, so that control may come there without it.
fn passed_by(tree: &Tree, object: ObjectId) -> bool {
    let o = &tree.objects[object];
    let scope = tree.scopes[o.scope].span;
    let jumps = tree.stmts.iter().any(|(_, s)| {
        s.function == o.function
            && matches!(s.kind, StmtKind::Goto { .. } | StmtKind::GotoComputed(_))
            && !(scope.contains(s.span.start) && s.span.start > o.name_span.start)
    });
    let mut labels = tree.stmts.iter().filter(|(_, s)| {
        s.function == o.function
            && matches!(s.kind, StmtKind::Labeled { .. })
            && scope.contains(s.span.start)
            && s.span.start > o.name_span.start
    });
    labels.any(|(id, s)| match &s.kind {
        StmtKind::Labeled {
            label: cfront::tree::Label::Named(_),
            ..
        } => jumps,
        // A `case` whose `switch` stands around the declaration.
        _ => {
            let mut at = tree.stmts[id].parent;
            while let Parent::Stmt(stmt) = at {
                if let StmtKind::Switch { body, .. } = tree.stmts[stmt].kind {
                    return tree.stmts[body].span.contains(o.name_span.start);
                }
                at = tree.stmts[stmt].parent;
            }
            true
        }
    })
}

fn list(values: &[i128]) -> String {
    let texts = values.iter().map(|v| match *v as i64 {
        i64::MIN => "-9223372036854775807LL - 1".to_string(),
        v => format!("{v}LL"),
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// The functions by which the woven program gets values: one for each type, which looks its site up.
fn choosers(unit: &Unit, out: &mut Choices) {
    let tree = &unit.tree;
    let mut tables = String::new();
    let mut cases = String::new();
    for (site, values) in &out.values {
        let _ = writeln!(
            tables,
            "static const long long ba_x_set_{site}[] = {{ {} }};",
            list(values)
        );
        let _ = writeln!(
            cases,
            "    case {site}: return ba_x_choice(ba_x_set_{site}, {});",
            values.len()
        );
    }
    let mut functions = String::new();
    for (_, function) in tree.functions.iter() {
        if !function.name.starts_with("nondet_ba_") || function.body.is_some() {
            continue;
        }
        if function.name == "nondet_ba_bool" {
            // A decision of the weaver's models, at no site.
            functions.push_str("_Bool nondet_ba_bool(void) { static const long long of[] = { 0, 1 }; return (_Bool)ba_x_choice(of, 2); }\n");
            continue;
        }
        let ret = tree.types.function(function.ty).map(|t| t.ret);
        let scope = tree.file_scope();
        let declared = ret.and_then(|ty| tree.types.declare(ty, "ba_x_value", scope));
        let Some(declared) = declared else { continue };
        let ty = declared.trim_end_matches("ba_x_value").trim_end();
        let _ = writeln!(
            functions,
            "{ty} {}(void) {{ return ({ty})ba_x_here(); }}",
            function.name
        );
    }
    out.choosers = format!(
        "extern long long ba_x_choice(const long long *, unsigned), ba_x_uninitialised(const long long *, unsigned, unsigned);\n\
         extern long ba_x_given_site(void);\nextern void ba_x_gone(void);\n{tables}\
         static long long ba_x_here(void) {{\n  switch (ba_x_given_site()) {{\n{cases}    default: ba_x_gone(); return 0;\n  }}\n}}\n{functions}{}",
        out.choosers
    );
}
