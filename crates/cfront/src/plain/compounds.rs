//! Compound literals whose address is taken where control may come again during their lifetime: by a jump back within their block, or in
//! the head of a loop. There is one such object for each time the block is entered (C17 6.5.2.5); model checkers make one for each
//! evaluation. `p = &(T){n};` is `p = &(*(literal = (T){n}, &literal));`, with `literal` declared where the block begins.

use std::collections::{HashMap, HashSet};

use crate::parse::Unit;
use crate::rewriting::{Names, Text};
use crate::source::Source;
use crate::span::{ExprId, FunctionId, Span, StmtId};
use crate::tree::{ExprKind, Label, Parent, StmtKind, Tree};
use crate::types::{ArrayLen, QualType, Type};

pub(super) fn declared(unit: &Unit) -> Option<Vec<Source>> {
    let names = Names::of(unit);
    let mut text = Text::of(unit);
    for (number, (id, block)) in repeated(&unit.tree).into_iter().enumerate() {
        let Some(object) = Literal::of(unit, id) else {
            continue;
        };
        let name = names.free(&format!("literal_{number}"));
        let (ty, length) = (&object.ty, &object.length);
        let begin = format!(" __typeof__({ty}) {name}{length};");
        text.close(Span::new(block, block + 1), &begin);
        let span = unit.tree.exprs[id].span;
        match object.is_assigned {
            true => text.around(span, &format!("(*({name} = "), &format!(", &{name}))")),
            false => {
                let copied = format!("(*(__builtin_memcpy((void *)&{name}, &");
                text.around(span, &copied, &format!(", sizeof {name}), &{name}))"));
            }
        }
    }
    text.changed()
}

/// Such a literal that [`declared`] has no declaration of, since its type is defined in it; `None` if there is none.
pub fn undeclared(unit: &Unit) -> Option<Span> {
    let (found, _) = repeated(&unit.tree).into_iter().next()?;
    Some(unit.tree.exprs[found].span)
}

/// An object in the place of a literal.
struct Literal<'a> {
    /// Its type as the text names it, and the length if it is an array of as many elements as its initialiser has.
    ty: &'a str,
    length: String,
    /// Whether it can be assigned to.
    is_assigned: bool,
}

impl Literal<'_> {
    fn of(unit: &Unit, id: ExprId) -> Option<Literal<'_>> {
        let expr = &unit.tree.exprs[id];
        let tokens = &unit.tokens;
        let open = tokens.at_or_after(expr.bare.start);
        let close = usize::try_from(*tokens.mates.get(open)?).ok()?;
        let (open, close) = (&tokens.tokens[open], tokens.tokens.get(close)?);
        let named = unit.text_of(Span::new(open.span.end, close.span.start));
        let named = named.trim();
        if named.contains(['{', '\n']) {
            return None;
        }
        let elements = named.strip_suffix(']').map(str::trim_end);
        let element = elements.and_then(|rest| rest.strip_suffix('['));
        let (ty, length) = match (unit.tree.type_of(expr.ty), element) {
            (Type::Array(_, ArrayLen::Known(count)), Some(element)) => {
                (element.trim_end(), format!("[{count}]"))
            }
            (Type::Array(..), Some(_)) => return None,
            _ => (named, String::new()),
        };
        Some(Literal {
            ty,
            length,
            is_assigned: is_assignable(&unit.tree, expr.ty),
        })
    }
}

/// Whether all of an object of a type may be assigned.
fn is_assignable(tree: &Tree, ty: QualType) -> bool {
    !ty.quals.is_const
        && match tree.types.get(ty) {
            Type::Array(..) => false,
            Type::Record(record) => {
                let members = tree.types.records[*record].members.iter().flatten();
                members.into_iter().all(|m| !m.ty.quals.is_const)
            }
            _ => true,
        }
}

/// The literals, each with the place of the brace that opens its block.
fn repeated(tree: &Tree) -> Vec<(ExprId, usize)> {
    let exprs = tree.exprs.iter();
    let literals = exprs.filter(|(_, e)| matches!(e.kind, ExprKind::CompoundLiteral(_)));
    let mut literals = literals
        .filter(|(id, e)| !e.unevaluated && has_address(tree, *id))
        .peekable();
    if literals.peek().is_none() {
        return Vec::new();
    }
    let jumps = Jumps::of(tree);
    let found = literals.filter_map(|(id, _)| Some((id, jumps.block_that_repeats(id)?)));
    found.collect()
}

/// Whether the address of a literal or of a part of it is kept, or may be.
fn has_address(tree: &Tree, mut e: ExprId) -> bool {
    loop {
        if matches!(tree.type_of(tree.exprs[e].ty), Type::Array(..)) {
            return true;
        }
        let Parent::Expr(parent) = tree.exprs[e].parent else {
            return false;
        };
        match tree.exprs[parent].kind {
            ExprKind::AddressOf(_) => return true,
            // A member by `.`, not one behind a pointer.
            ExprKind::Member { .. } => e = parent,
            _ => return false,
        }
    }
}

/// The function that a statement is in.
type Function = Option<FunctionId>;

/// Where control of each function may go back.
struct Jumps<'a> {
    tree: &'a Tree,
    /// The labels of each function in the order of the text: where each begins, and where the jumps behind it that may go to it do.
    back: HashMap<Function, Vec<(usize, Vec<usize>)>>,
}

impl Jumps<'_> {
    /// Near linear in the jumps and labels, and in the pairs of computed jumps and labels whose address is taken in a function.
    fn of(tree: &Tree) -> Jumps<'_> {
        let mut named: HashMap<(Function, &str), Vec<usize>> = HashMap::new();
        let mut computed: HashMap<Function, Vec<usize>> = HashMap::new();
        for (_, stmt) in tree.stmts.iter() {
            let at = stmt.span.start;
            match &stmt.kind {
                StmtKind::Goto { label, .. } => {
                    named.entry((stmt.function, label)).or_default().push(at);
                }
                StmtKind::GotoComputed(_) => computed.entry(stmt.function).or_default().push(at),
                _ => {}
            }
        }
        let mut taken = HashSet::new();
        for (_, expr) in tree.exprs.iter() {
            if let ExprKind::LabelAddress(name) = &expr.kind {
                taken.insert((tree.function_of(expr.parent), name.as_str()));
            }
        }
        let mut back: HashMap<Function, Vec<(usize, Vec<usize>)>> = HashMap::new();
        for (_, stmt) in tree.stmts.iter() {
            let StmtKind::Labeled {
                label: Label::Named(name),
                ..
            } = &stmt.kind
            else {
                continue;
            };
            let (label, key) = (stmt.span.start, (stmt.function, name.as_str()));
            let by_value = computed
                .get(&stmt.function)
                .filter(|_| taken.contains(&key));
            let to = named.get(&key).into_iter().chain(by_value).flatten();
            let mut behind: Vec<usize> = to.copied().filter(|&jump| label < jump).collect();
            behind.sort_unstable();
            if !behind.is_empty() {
                back.entry(stmt.function).or_default().push((label, behind));
            }
        }
        for labels in back.values_mut() {
            labels.sort_unstable();
        }
        Jumps { tree, back }
    }

    /// Whether a jump of a function behind a place goes back to a label before it, both within a block.
    fn returns(&self, function: Function, block: Span, at: usize) -> bool {
        let Some(labels) = self.back.get(&function) else {
            return false;
        };
        let first = labels.partition_point(|(label, _)| *label < block.start);
        let before = labels.iter().skip(first);
        before
            .take_while(|(label, _)| *label <= at)
            .any(|(_, jumps)| {
                let behind = jumps.partition_point(|&jump| jump <= at);
                jumps.get(behind).is_some_and(|&jump| jump < block.end)
            })
    }

    /// The brace of the block that has a literal, if control may come to the literal again before it leaves the block.
    fn block_that_repeats(&self, literal: ExprId) -> Option<usize> {
        let tree = self.tree;
        let at = tree.exprs[literal].span;
        let mut stmt = tree.statement_of(Parent::Expr(literal))?;
        let mut in_head = false;
        loop {
            let around = &tree.stmts[stmt];
            match &around.kind {
                StmtKind::Compound { open, .. } => {
                    let repeats = in_head || self.returns(around.function, around.span, at.start);
                    return repeats.then_some(*open);
                }
                kind => in_head |= is_in_head(tree, kind, at),
            }
            stmt = self.around(stmt)?;
        }
    }

    /// The statement around another.
    fn around(&self, stmt: StmtId) -> Option<StmtId> {
        self.tree.statement_of(self.tree.stmts[stmt].parent)
    }
}

/// Whether an expression at a place is one that a loop evaluates each time. The body of a loop is a block, also without braces: what
/// stands in it lives for one round.
fn is_in_head(tree: &Tree, kind: &StmtKind, at: Span) -> bool {
    let has = |e: ExprId| tree.exprs[e].span.encloses(at);
    match kind {
        StmtKind::While { cond, .. } | StmtKind::DoWhile { cond, .. } => has(*cond),
        StmtKind::For { cond, step, .. } => [cond, step].into_iter().flatten().any(|e| has(*e)),
        _ => false,
    }
}
