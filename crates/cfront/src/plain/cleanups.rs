//! Functions that the attribute `cleanup` names, called in the text wherever a variable's lifetime ends: at the end of its
//! block, and before jumps and returns out of it.

use std::collections::{BTreeMap, HashSet};

use crate::parse::Unit;
use crate::rewriting::{Names, Text};
use crate::source::Source;
use crate::span::{ExprId, FunctionId, ObjectId, Offset, Span, StmtId};
use crate::tree::{BlockItem, Entity, ForInit, Label, Mark, Marked, Parent, Stmt, StmtKind, Tree};
use crate::types::Type;

/// A variable with a function to call.
#[derive(Clone)]
struct Guarded {
    object: ObjectId,
    /// The function.
    cleanup: String,
    /// The word of the attribute.
    word: Span,
    /// Behind its declaration.
    declared: Offset,
    block: StmtId,
    /// The brace that ends its block.
    end: Offset,
}

impl Guarded {
    fn lives_at(&self, at: Offset) -> bool {
        self.declared <= at && at < self.end
    }
}

/// The variables of loops with such a function, declared in front of the loop, in a block of their own:
/// `for (T x, *y; c; e) s` is `{ T x, *y; for (; c; e) s }`.
pub(super) fn hoisted(unit: &Unit) -> Option<Vec<Source>> {
    let tree = &unit.tree;
    let mut text = Text::of(unit);
    let is_guard = |marked: &&Marked| matches!(marked.mark, Mark::Cleanup(_));
    let guards = tree.marks.iter().filter(is_guard);
    let guards: HashSet<Entity> = guards.map(|marked| marked.entity).collect();
    for (_, stmt) in tree.stmts.iter() {
        let StmtKind::For {
            init: ForInit::Decl(decl),
            header,
            ..
        } = &stmt.kind
        else {
            continue;
        };
        let decl = &tree.decls[*decl];
        if !decl.declared.iter().any(|one| guards.contains(&one.entity)) {
            continue;
        }
        let Some(word) = loop_word(unit, header.lparen) else {
            continue;
        };
        text.replace(Span::new(word.start, header.lparen + 1), "{ ");
        text.close(Span::empty(decl.span.end), " for (;");
        text.close(stmt.span, " }");
    }
    text.changed()
}

/// The word `for` in front of a parenthesis.
fn loop_word(unit: &Unit, lparen: Offset) -> Option<Span> {
    let before = unit.tokens.at_or_after(lparen).checked_sub(1)?;
    let word = unit.tokens.tokens[before].span;
    (unit.text_of(word) == "for").then_some(word)
}

pub(super) fn called(unit: &Unit) -> Option<Vec<Source>> {
    let tree = &unit.tree;
    // `None` stands for a variable whose end cannot be told.
    let mut all: BTreeMap<FunctionId, Option<Vec<Guarded>>> = BTreeMap::new();
    for marked in &tree.marks {
        let (Mark::Cleanup(cleanup), Entity::Object(object)) = (&marked.mark, marked.entity) else {
            continue;
        };
        let Some(function) = tree.objects[object].function else {
            continue;
        };
        let known = all.entry(function).or_insert_with(|| Some(Vec::new()));
        match guarded(tree, object, cleanup, marked.span) {
            Some(one) => known.iter_mut().for_each(|known| known.push(one.clone())),
            None => *known = None,
        }
    }
    if all.is_empty() {
        return None;
    }
    let names = Names::of(unit);
    let (value, pointer) = (names.free("value_at_end"), names.free("cleaned"));
    let mut text = Text::of(unit);
    for (function, known) in all {
        let Some(mut guarded) = known else { continue };
        // Those of one declaration, too, end in reverse.
        guarded.sort_by_key(|g| {
            let declarator = tree.objects[g.object].declarator.start;
            std::cmp::Reverse((g.declared, declarator))
        });
        let pass = Calls {
            unit,
            function,
            guarded,
            value: &value,
            pointer: &pointer,
        };
        if let Some(changes) = pass.changes() {
            changes
                .into_iter()
                .for_each(|change| change.apply(&mut text));
        }
    }
    text.changed()
}

/// A variable of a block.
fn guarded(tree: &Tree, object: ObjectId, cleanup: &str, word: Span) -> Option<Guarded> {
    let decl = &tree.decls[*tree.objects[object].decls.first()?];
    let Parent::Stmt(block) = decl.parent else {
        return None;
    };
    let StmtKind::Compound { close, .. } = tree.stmts[block].kind else {
        return None;
    };
    let stmt = &tree.stmts[block];
    let is_function = |e| matches!(e, Some(Entity::Function(_)));
    let seen = tree.lookup(stmt.scope, decl.span.start, cleanup);
    (is_function(seen) && is_function(tree.lookup(tree.scope_at(close), close, cleanup))).then(
        || Guarded {
            object,
            cleanup: cleanup.to_owned(),
            word,
            declared: decl.span.end,
            block,
            end: close,
        },
    )
}

/// A change of the text.
enum Change {
    Replace(Span, String),
    Before(Span, String),
    Behind(Span, String),
}

impl Change {
    fn apply(self, text: &mut Text) {
        match self {
            Change::Replace(span, with) => text.replace(span, &with),
            Change::Before(span, what) => text.open(span, &what),
            Change::Behind(span, what) => text.close(span, &what),
        }
    }
}

/// The calls of one function.
struct Calls<'a> {
    unit: &'a Unit,
    function: FunctionId,
    /// The variables, the last one first.
    guarded: Vec<Guarded>,
    /// The names of what is added.
    value: &'a str,
    pointer: &'a str,
}

impl Calls<'_> {
    /// All changes; `None` if the end of some variable is not seen.
    fn changes(&self) -> Option<Vec<Change>> {
        let tree = &self.unit.tree;
        let mut out = Vec::new();
        for guarded in &self.guarded {
            out.push(Change::Replace(
                self.attribute(guarded)?,
                "unused".to_owned(),
            ));
            let name = &tree.objects[guarded.object].name;
            let declared = Span::empty(guarded.declared);
            let kept = format!(
                " __typeof__({name}) *{} = &{name};",
                self.pointer_to(guarded)
            );
            if self.is_hidden(guarded) {
                out.push(Change::Behind(declared, kept));
            }
        }
        let mut blocks: Vec<StmtId> = self.guarded.iter().map(|g| g.block).collect();
        blocks.dedup();
        for block in blocks {
            self.block_ends(block, &mut out)?;
        }
        for (_, stmt) in tree.stmts.iter() {
            if stmt.function == Some(self.function) {
                self.leaves(stmt, &mut out)?;
            }
        }
        Some(out)
    }

    /// `cleanup(f)` in the attribute.
    fn attribute(&self, guarded: &Guarded) -> Option<Span> {
        let tokens = &self.unit.tokens;
        let first = tokens.at_or_after(guarded.word.start);
        let last = tokens.tokens.get(first + 3)?;
        Some(Span {
            start: guarded.word.start,
            end: last.span.end,
        })
    }

    fn pointer_to(&self, guarded: &Guarded) -> String {
        let index = self.guarded.iter().position(|g| g.object == guarded.object);
        format!(
            "{}_{}",
            self.pointer,
            self.guarded.len() - index.unwrap_or(0)
        )
    }

    /// Whether another object of the function has the variable's name: a call may stand where that one is meant.
    fn is_hidden(&self, guarded: &Guarded) -> bool {
        let tree = &self.unit.tree;
        let mut objects = tree.objects.iter();
        objects.any(|(id, other)| {
            id != guarded.object
                && other.function == Some(self.function)
                && other.name == tree.objects[guarded.object].name
        })
    }

    /// The calls for the variables that satisfy a condition, the last one first.
    fn calls(&self, of: impl Fn(&Guarded) -> bool) -> String {
        let call = |g: &Guarded| match self.is_hidden(g) {
            true => format!(" {}({});", g.cleanup, self.pointer_to(g)),
            false => format!(
                " {}(&{});",
                g.cleanup, self.unit.tree.objects[g.object].name
            ),
        };
        self.guarded.iter().filter(|g| of(g)).map(call).collect()
    }

    /// The calls at the end of a block. The value of a statement expression is computed before.
    fn block_ends(&self, block: StmtId, out: &mut Vec<Change>) -> Option<()> {
        let tree = &self.unit.tree;
        let StmtKind::Compound { close, items, .. } = &tree.stmts[block].kind else {
            return None;
        };
        let calls = self.calls(|g| g.block == block);
        let last = items
            .last()
            .filter(|_| matches!(tree.stmts[block].parent, Parent::Expr(_)));
        let valued = last.and_then(|item| match item {
            BlockItem::Stmt(stmt) => Some(*stmt),
            BlockItem::Decl(_) => None,
        });
        let Some(stmt) = valued else {
            out.push(Change::Before(Span::empty(*close), calls + " "));
            return Some(());
        };
        match tree.stmts[stmt].kind {
            StmtKind::Expr(Some(e)) if !matches!(tree.types.get(tree.exprs[e].ty), Type::Void) => {
                let declared = self.declared(tree.exprs[e].ty, Some(e))?;
                let span = tree.stmts[stmt].span;
                out.push(Change::Before(span, format!("{declared} = ")));
                out.push(Change::Behind(span, format!("{calls} {};", self.value)));
            }
            StmtKind::Labeled { .. } => return None,
            _ => out.push(Change::Before(Span::empty(*close), calls + " ")),
        }
        Some(())
    }

    /// The declaration of the value that is computed before the calls.
    fn declared(&self, ty: crate::types::QualType, of: Option<ExprId>) -> Option<String> {
        let tree = &self.unit.tree;
        let named = tree.types.declare(ty, self.value, tree.file_scope());
        let is_array = matches!(tree.types.get(ty), Type::Array(..) | Type::Function(_));
        match named.filter(|_| !is_array) {
            Some(declared) => Some(declared),
            None => {
                let text = self.unit.text_of(tree.exprs[of?].span);
                (!text.contains('\n') && !is_array)
                    .then(|| format!("__typeof__({text}) {}", self.value))
            }
        }
    }

    /// The calls before a jump or return; `None` if variables begin to live by a jump.
    fn leaves(&self, stmt: &Stmt, out: &mut Vec<Change>) -> Option<()> {
        let tree = &self.unit.tree;
        let at = stmt.span.start;
        let target = match &stmt.kind {
            StmtKind::Return(value) => return self.returns(stmt, *value, out),
            StmtKind::Break | StmtKind::Continue => {
                let is_break = matches!(stmt.kind, StmtKind::Break);
                around(tree, stmt, |kind| {
                    is_loop(kind) || is_break && is_switch(kind)
                })?
            }
            StmtKind::Goto { label, .. } => self.label(label)?,
            StmtKind::GotoComputed(_) | StmtKind::Asm { is_goto: true, .. } => return None,
            StmtKind::Labeled {
                label: Label::Case(_) | Label::CaseRange(..) | Label::Default,
                ..
            } => {
                let switch = around(tree, stmt, is_switch)?;
                let enters = |g: &Guarded| g.lives_at(at) && !g.lives_at(switch);
                return (!self.guarded.iter().any(enters)).then_some(());
            }
            _ => return Some(()),
        };
        if self
            .guarded
            .iter()
            .any(|g| g.lives_at(target) && !g.lives_at(at))
        {
            return None;
        }
        let calls = self.calls(|g| g.lives_at(at) && !g.lives_at(target));
        if !calls.is_empty() {
            out.push(Change::Before(stmt.span, format!("{{{calls} ")));
            out.push(Change::Behind(stmt.span, " }".to_owned()));
        }
        Some(())
    }

    fn returns(&self, stmt: &Stmt, value: Option<ExprId>, out: &mut Vec<Change>) -> Option<()> {
        let tree = &self.unit.tree;
        let calls = self.calls(|g| g.lives_at(stmt.span.start));
        if calls.is_empty() {
            return Some(());
        }
        let Some(value) = value else {
            out.push(Change::Before(stmt.span, format!("{{{calls} ")));
            out.push(Change::Behind(stmt.span, " }".to_owned()));
            return Some(());
        };
        let Type::Function(function) = tree.types.get(tree.functions[self.function].ty) else {
            return None;
        };
        let keyword = Span {
            start: stmt.span.start,
            end: stmt.span.start + "return".len(),
        };
        if self.unit.text_of(keyword) != "return" {
            return None;
        }
        let is_void = matches!(tree.types.get(function.ret), Type::Void);
        let (before, returned) = match is_void {
            true => ("{ ".to_owned(), String::new()),
            false => {
                let declared = self.declared(function.ret, None)?;
                (format!("{{ {declared} ="), format!(" {}", self.value))
            }
        };
        let behind = format!("{calls} return{returned}; }}");
        debug_assert!(stmt.span.end > tree.exprs[value].span.end);
        out.push(Change::Replace(keyword, before));
        out.push(Change::Behind(stmt.span, behind));
        Some(())
    }

    /// Where a label stands.
    fn label(&self, name: &str) -> Option<Offset> {
        let mut stmts = self.unit.tree.stmts.iter();
        stmts.find_map(|(_, stmt)| match &stmt.kind {
            StmtKind::Labeled {
                label: Label::Named(label),
                ..
            } if label == name && stmt.function == Some(self.function) => Some(stmt.span.start),
            _ => None,
        })
    }
}

/// Where the innermost statement of a kind around a statement begins.
fn around(tree: &Tree, stmt: &Stmt, of: impl Fn(&StmtKind) -> bool) -> Option<Offset> {
    let mut at = stmt.parent;
    loop {
        let id = tree.statement_of(at)?;
        let stmt = &tree.stmts[id];
        if of(&stmt.kind) {
            return Some(stmt.span.start);
        }
        at = stmt.parent;
    }
}

fn is_loop(kind: &StmtKind) -> bool {
    matches!(
        kind,
        StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. }
    )
}

fn is_switch(kind: &StmtKind) -> bool {
    matches!(kind, StmtKind::Switch { .. })
}
