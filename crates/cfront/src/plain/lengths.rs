//! Arrays of variable length whose length has one value in every run: constants stand in the place of such lengths.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::access::{is_pure, usage, Use};
use crate::consteval::{eval, eval_where};
use crate::parse::Unit;
use crate::rewriting::Text;
use crate::source::Source;
use crate::span::{ExprId, FunctionId, ObjectId};
use crate::tree::{ExprKind, InitKind, Parent, Resolved, StmtKind, Storage, Tree};

/// How many objects a value may come through.
const FARTHEST: usize = 16;

pub(super) fn constant(unit: &Unit) -> Option<Vec<Source>> {
    let tree = &unit.tree;
    let lengths = lengths(unit);
    if lengths.is_empty() {
        return None;
    }
    let values = Values::of(tree);
    let mut text = Text::of(unit);
    for e in lengths {
        let value = eval_where(tree, e, &|object| values.of_object(object, 0));
        if let Some(value) = value.filter(|v| *v > 0) {
            text.replace(tree.exprs[e].span, &value.to_string());
        }
    }
    text.changed()
}

/// The lengths of arrays in declarations of functions' variables and parameters that are no constants.
fn lengths(unit: &Unit) -> Vec<ExprId> {
    let tree = &unit.tree;
    let of_decls = tree.decls.iter().filter(|(_, d)| d.function.is_some());
    let mut all: Vec<ExprId> = of_decls.flat_map(|(_, d)| d.type_exprs.clone()).collect();
    let parameters: Vec<_> = tree
        .objects
        .iter()
        .filter(|(_, o)| o.storage == Storage::Parameter && o.function.is_some())
        .map(|(_, o)| o.declarator)
        .collect();
    let in_parameter = |e: &ExprId| {
        let at = tree.exprs[*e].span;
        let index = parameters.partition_point(|p| p.start <= at.start);
        index > 0 && at.end <= parameters[index - 1].end
    };
    if parameters
        .windows(2)
        .all(|two| two[0].start <= two[1].start)
    {
        let exprs = tree
            .exprs
            .iter()
            .filter(|(_, e)| e.parent == Parent::Constant);
        all.extend(exprs.map(|(id, _)| id).filter(in_parameter));
    }
    let is_length = |e: &ExprId| {
        let span = tree.exprs[*e].span;
        let index = unit.tokens.at_or_after(span.start);
        let before = index
            .checked_sub(1)
            .map(|i| unit.text_of(unit.tokens.tokens[i].span));
        let behind = unit.tokens.tokens.get(unit.tokens.at_or_after(span.end));
        before.is_some_and(|t| matches!(t, "[" | "static" | "const" | "restrict"))
            && behind.is_some_and(|t| unit.text_of(t.span) == "]")
    };
    all.retain(|e| is_length(e) && eval(tree, *e).is_none() && is_pure(tree, *e));
    all
}

/// The values of objects that have one only.
struct Values<'a> {
    tree: &'a Tree,
    /// The objects that something may write after their declaration.
    changed: BTreeSet<ObjectId>,
    /// The names of what assembler statements mention.
    mentioned: BTreeSet<&'a str>,
    /// The function and number of each parameter.
    parameters: BTreeMap<ObjectId, (FunctionId, usize)>,
    /// The arguments of all calls of a function; `None` if it is called in other ways.
    calls: BTreeMap<FunctionId, Option<Vec<&'a [ExprId]>>>,
    known: RefCell<HashMap<ObjectId, Option<i128>>>,
}

impl<'a> Values<'a> {
    fn of(tree: &'a Tree) -> Values<'a> {
        let mut values = Values {
            tree,
            changed: BTreeSet::new(),
            mentioned: BTreeSet::new(),
            parameters: BTreeMap::new(),
            calls: BTreeMap::new(),
            known: RefCell::default(),
        };
        for (function, _, body) in tree.defined_functions() {
            for (number, object) in body.params.iter().enumerate() {
                values.parameters.insert(*object, (function, number));
            }
        }
        for (id, expr) in tree.exprs.iter() {
            match &expr.kind {
                ExprKind::Ident(Resolved::Object(object))
                    if !matches!(usage(tree, id), Use::Read | Use::None) =>
                {
                    values.changed.insert(*object);
                }
                ExprKind::Ident(Resolved::Function(f)) if !is_callee(tree, id) => {
                    values.calls.insert(*f, None);
                }
                ExprKind::Call { callee, args, .. } => {
                    if let ExprKind::Ident(Resolved::Function(f)) = tree.exprs[*callee].kind {
                        let calls = values.calls.entry(f).or_insert_with(|| Some(Vec::new()));
                        calls.iter_mut().for_each(|calls| calls.push(args));
                    }
                }
                _ => {}
            }
        }
        for (_, stmt) in tree.stmts.iter() {
            if let StmtKind::Asm { mentions, .. } = &stmt.kind {
                let names = mentions.iter().map(|(name, _)| name.as_str());
                values.mentioned.extend(names);
            }
        }
        values
    }

    fn of_object(&self, object: ObjectId, depth: usize) -> Option<i128> {
        if let Some(known) = self.known.borrow().get(&object) {
            return *known;
        }
        if depth > FARTHEST {
            return None;
        }
        // What depends on itself has no value.
        self.known.borrow_mut().insert(object, None);
        let value = self.found(object, depth);
        self.known.borrow_mut().insert(object, value);
        value
    }

    fn found(&self, id: ObjectId, depth: usize) -> Option<i128> {
        let object = &self.tree.objects[id];
        let changes = object.ty.quals.is_volatile
            || self.changed.contains(&id)
            || self.mentioned.contains(object.name.as_str());
        if changes || !self.tree.types.is_integer(object.ty) {
            return None;
        }
        let value = |e| eval_where(self.tree, e, &|o| self.of_object(o, depth + 1));
        match object.storage {
            Storage::Local | Storage::StaticLocal => match self.tree.inits[object.init?].kind {
                InitKind::Expr(e) => value(e),
                InitKind::List(_) => None,
            },
            Storage::FileStatic | Storage::Global => {
                let fixed = object.ty.quals.is_const && object.defined;
                match self.tree.inits[object.init.filter(|_| fixed)?].kind {
                    InitKind::Expr(e) => value(e),
                    InitKind::List(_) => None,
                }
            }
            Storage::Parameter => {
                let (function, number) = self.parameters.get(&id)?;
                let is_main = self.tree.functions[*function].name == "main";
                let calls = self.calls.get(function)?.as_ref().filter(|_| !is_main)?;
                let mut values = calls
                    .iter()
                    .map(|args| value(*args.get(number.to_owned())?));
                let first = values.next()??;
                values.all(|other| other == Some(first)).then_some(first)
            }
        }
    }
}

fn is_callee(tree: &Tree, e: ExprId) -> bool {
    match tree.exprs[e].parent {
        Parent::Expr(parent) => {
            matches!(tree.exprs[parent].kind, ExprKind::Call { callee, .. } if callee == e)
        }
        _ => false,
    }
}
