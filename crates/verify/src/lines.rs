//! Finds the lines that runs reach, for model checkers without coverage reports: an assertion before the first
//! statement of each line fails if a run reaches the line.

use backend::{Dialect, Lines};
use cfront::places::allowed;
use cfront::span::{DeclId, Span, StmtId};
use cfront::tree::{BlockItem, Entity, Parent, StmtKind};
use cfront::{EditError, Edits, Unit};

/// The questions for the lines of an emitted program, as insertions into its text.
///
/// # Errors
/// If an insertion has a line break; never for a parsed program.
pub(crate) fn questions(
    unit: &Unit,
    dialect: &Dialect,
    lines: &mut Lines,
) -> Result<Edits, EditError> {
    let mut pass = Pass {
        unit,
        dialect,
        lines,
        edits: Edits::new(),
    };
    for (_, function) in unit.tree.functions.iter() {
        let Some(body) = &function.body else { continue };
        if !function.name.starts_with("ba_") && !function.in_system_header {
            pass.block(body.block)?;
        }
    }
    Ok(pass.edits)
}

struct Pass<'a> {
    unit: &'a Unit,
    dialect: &'a Dialect,
    lines: &'a mut Lines,
    edits: Edits,
}

impl Pass<'_> {
    /// The statements of a block and of its inner blocks. Each statement starts where the one before it ends, so a
    /// second one on the same line needs no question.
    fn block(&mut self, block: StmtId) -> Result<(), EditError> {
        let tree = &self.unit.tree;
        let StmtKind::Compound { items, .. } = &tree.stmts[block].kind else {
            return Ok(());
        };
        let mut before = self.line_of_owner(block);
        for item in items {
            match *item {
                BlockItem::Stmt(stmt) => self.statement(stmt, &mut before)?,
                BlockItem::Decl(decl) if self.runs(decl) => {
                    let span = tree.decls[decl].span;
                    if before.as_ref() != Some(&self.place(span)) {
                        self.ask(span.start)?;
                    }
                    before = Some(self.place(span));
                }
                BlockItem::Decl(_) => {}
            }
        }
        Ok(())
    }

    /// A statement with its labels and its inner statements. `before` is the place of the statement that runs before
    /// it.
    fn statement(
        &mut self,
        outer: StmtId,
        before: &mut Option<(String, u32)>,
    ) -> Result<(), EditError> {
        let tree = &self.unit.tree;
        let mut inner = outer;
        while let StmtKind::Labeled { body, .. } = tree.stmts[inner].kind {
            inner = body;
        }
        let stmt = &tree.stmts[inner];
        let here = self.place(stmt.span);
        let labelled = inner != outer;
        let asked = labelled || before.as_ref() != Some(&here);
        let is_block = matches!(stmt.kind, StmtKind::Compound { .. });
        let in_block = match tree.stmts[outer].parent {
            Parent::Stmt(parent) => matches!(tree.stmts[parent].kind, StmtKind::Compound { .. }),
            _ => true,
        };
        if asked && !is_block {
            self.ask_at(outer, inner, in_block)?;
            *before = Some(here);
        }
        match stmt.kind {
            StmtKind::Compound { .. } => self.block(inner)?,
            StmtKind::If {
                then, otherwise, ..
            } => {
                self.statement(then, &mut before.clone())?;
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise, &mut before.clone())?;
                }
            }
            StmtKind::Switch { body, .. }
            | StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::For { body, .. } => self.statement(body, &mut before.clone())?,
            _ => {}
        }
        Ok(())
    }

    /// The place of the statement whose body is a block.
    fn line_of_owner(&self, block: StmtId) -> Option<(String, u32)> {
        let tree = &self.unit.tree;
        match tree.stmts[block].parent {
            Parent::Stmt(owner) => match tree.stmts[owner].kind {
                StmtKind::Compound { .. } | StmtKind::Labeled { .. } => None,
                _ => Some(self.place(tree.stmts[owner].span)),
            },
            _ => None,
        }
    }

    /// Whether a declaration has an effect at its place: it creates an object of the program.
    fn runs(&self, decl: DeclId) -> bool {
        let tree = &self.unit.tree;
        let mut declared = tree.decls[decl].declared.iter();
        declared.any(|d| match d.entity {
            Entity::Object(object) => {
                let object = &tree.objects[object];
                !object.is_static_duration() && !object.name.starts_with("ba_")
            }
            _ => false,
        })
    }

    fn place(&self, span: Span) -> (String, u32) {
        let (file, line) = self.unit.source.lines.line(span.start);
        (file.to_string(), line)
    }

    /// Asks about the line at an offset in a block.
    fn ask(&mut self, at: usize) -> Result<(), EditError> {
        let question = self.question(at);
        let place = allowed(self.unit.text(), at);
        self.edits.insert(place, -1, question)
    }

    /// Asks about a statement after its labels. A statement that is the whole body of another one gets a block.
    fn ask_at(&mut self, outer: StmtId, inner: StmtId, in_block: bool) -> Result<(), EditError> {
        let tree = &self.unit.tree;
        let at = tree.stmts[inner].span.start;
        if in_block {
            return self.ask(at);
        }
        let question = self.question(at);
        if outer != inner {
            self.edits.wrap(tree.stmts[outer].span, "{ ", " }")?;
            return self.edits.insert(at, -1, question);
        }
        let before = format!("{{ {question}");
        self.edits.wrap(tree.stmts[outer].span, before, " }")
    }

    fn question(&mut self, at: usize) -> String {
        let (file, line) = self.unit.source.lines.line(at);
        let text = self.lines.question(file, line);
        format!("{}(0, \"{text}\"); ", self.dialect.assertion)
    }
}
