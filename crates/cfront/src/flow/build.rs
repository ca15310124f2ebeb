//! Builds the control flow graph of a function from its statements.

mod evaluations;
mod jumps;

use std::collections::HashMap;

use super::block::is_once;
use super::{Flow, Jump, Loop, LoopKind, Point, PointId, Target};
use crate::diag::Diagnostic;
use crate::span::{ExprId, FunctionId, Id, StmtId};
use crate::tree::{BlockItem, ForInit, Label, StmtKind, Tree};

/// Points from which control continues at the next point that is built.
type Ends = Vec<PointId>;

pub(super) fn build(tree: &Tree, function: FunctionId) -> Result<Flow, Vec<Diagnostic>> {
    let flow = Flow {
        function,
        points: Vec::new(),
        next: Vec::new(),
        entry: PointId(0),
        exit: PointId(1),
        labels: HashMap::new(),
        jumps: Vec::new(),
        loops: Vec::new(),
        computed: false,
        first: HashMap::new(),
        index: HashMap::new(),
    };
    let mut builder = Builder {
        tree,
        flow,
        errors: Vec::new(),
        frames: Vec::new(),
        address_taken: Vec::new(),
        pending: Vec::new(),
    };
    let entry = builder.point(Point::Entry);
    let exit = builder.point(Point::Exit);
    builder.flow.entry = entry;
    builder.flow.exit = exit;
    let mut ends = vec![entry];
    if let Some(body) = &tree.functions[function].body {
        builder.labels_of(function, body.block);
        ends = builder.stmt(body.block, ends);
    }
    builder.connect(&ends, exit);
    builder.resolve_gotos();
    builder.goto_loops();
    if builder.errors.is_empty() {
        Ok(builder.flow)
    } else {
        Err(builder.errors)
    }
}

/// A loop or `switch` that is being built.
struct Frame {
    stmt: StmtId,
    is_loop: bool,
    /// Points that leave the frame by `break`.
    breaks: Ends,
    /// Points that continue at the next iteration by `continue`.
    continues: Ends,
    /// The condition of a `switch`, from which edges go to the `case` labels.
    switch: Option<PointId>,
    has_default: bool,
}

struct Builder<'a> {
    tree: &'a Tree,
    flow: Flow,
    errors: Vec<Diagnostic>,
    frames: Vec<Frame>,
    /// Labels whose address is taken.
    address_taken: Vec<String>,
    /// Jumps to labels, connected at the end: point, statement, label names. `None` stands for
    /// every label whose address is taken.
    pending: Vec<(PointId, StmtId, Option<Vec<String>>)>,
}

impl<'a> Builder<'a> {
    fn point(&mut self, point: Point) -> PointId {
        let id = PointId(self.flow.points.len() as u32);
        self.flow.points.push(point);
        self.flow.next.push(Vec::new());
        self.flow.index.entry(point).or_insert(id);
        id
    }

    fn edge(&mut self, from: PointId, to: PointId) {
        let list = &mut self.flow.next[from.index()];
        if !list.contains(&to) {
            list.push(to);
        }
    }

    fn connect(&mut self, from: &[PointId], to: PointId) {
        for &f in from {
            self.edge(f, to);
        }
    }

    /// Adds a point that follows `ends`.
    fn after(&mut self, ends: &[PointId], point: Point) -> PointId {
        let id = self.point(point);
        self.connect(ends, id);
        id
    }

    fn error(&mut self, stmt: StmtId, message: String) {
        self.errors
            .push(Diagnostic::error(self.tree.stmts[stmt].span, message));
    }

    /// Finds all labels of the function. The statements of a function are contiguous in the arena.
    fn labels_of(&mut self, function: FunctionId, block: StmtId) {
        for index in block.index()..self.tree.stmts.len() {
            let id = StmtId::from_index(index);
            let stmt = &self.tree.stmts[id];
            if stmt.function != Some(function) {
                break;
            }
            let StmtKind::Labeled {
                label: Label::Named(name),
                label_span,
                ..
            } = &stmt.kind
            else {
                continue;
            };
            if self.flow.labels.insert(name.clone(), id).is_some() {
                let message = format!("the label `{name}` is defined twice in this function");
                self.errors.push(Diagnostic::error(*label_span, message));
            }
        }
    }

    /// Builds a statement; returns the points from which control continues after it.
    fn stmt(&mut self, id: StmtId, ends: Ends) -> Ends {
        let before = self.flow.points.len();
        let ends = self.stmt_parts(id, ends);
        if self.flow.points.len() > before {
            self.flow.first.entry(id).or_insert(PointId(before as u32));
        }
        ends
    }

    fn stmt_parts(&mut self, id: StmtId, mut ends: Ends) -> Ends {
        let tree = self.tree;
        match &tree.stmts[id].kind {
            StmtKind::Compound { items, .. } => {
                for item in items {
                    ends = match item {
                        BlockItem::Decl(decl) => self.declaration(*decl, ends),
                        BlockItem::Stmt(stmt) => self.stmt(*stmt, ends),
                    };
                }
                if items.is_empty() {
                    ends = vec![self.after(&ends, Point::Stmt(id))];
                }
                ends
            }
            StmtKind::Expr(e) => {
                let exprs: Vec<ExprId> = e.iter().copied().collect();
                self.evaluate(&exprs, ends, Point::Stmt(id))
            }
            StmtKind::If { .. } => self.if_chain(id, ends),
            StmtKind::Switch { cond, body, .. } => self.switch(id, *cond, *body, ends),
            StmtKind::While { cond, body, .. } => self.while_loop(id, *cond, *body, ends),
            StmtKind::DoWhile { cond, body, .. } => self.do_while(id, *cond, *body, ends),
            StmtKind::For { .. } => self.for_loop(id, ends),
            StmtKind::Labeled { .. } => self.labels(id, ends),
            StmtKind::Goto { label, .. } => {
                let point = self.after(&ends, Point::Stmt(id));
                self.pending.push((point, id, Some(vec![label.clone()])));
                Vec::new()
            }
            StmtKind::GotoComputed(e) => {
                let ends = self.evaluate(&[*e], ends, Point::Stmt(id));
                self.flow.computed = true;
                for point in ends {
                    self.pending.push((point, id, None));
                }
                Vec::new()
            }
            StmtKind::Continue => self.leave(id, ends, true),
            StmtKind::Break => self.leave(id, ends, false),
            StmtKind::Return(e) => {
                let exprs: Vec<ExprId> = e.iter().copied().collect();
                let ends = self.evaluate(&exprs, ends, Point::Stmt(id));
                let exit = self.flow.exit;
                self.connect(&ends, exit);
                self.flow.jumps.push(Jump {
                    stmt: id,
                    target: Target::Caller,
                });
                Vec::new()
            }
            StmtKind::Asm {
                is_goto, mentions, ..
            } => {
                let point = self.after(&ends, Point::Stmt(id));
                if *is_goto {
                    self.flow.computed = true;
                    let names = mentions.iter().map(|(name, _)| name.clone());
                    let known = names.filter(|n| self.flow.labels.contains_key(n)).collect();
                    self.pending.push((point, id, Some(known)));
                }
                vec![point]
            }
        }
    }

    /// `if … else if … else`, without recursion along the chain.
    fn if_chain(&mut self, id: StmtId, mut ends: Ends) -> Ends {
        let mut out = Vec::new();
        let mut at = id;
        loop {
            let StmtKind::If {
                cond,
                then,
                otherwise,
                ..
            } = &self.tree.stmts[at].kind
            else {
                out.extend(self.stmt(at, ends));
                return out;
            };
            let before = self.flow.points.len();
            let after_cond = self.evaluate(&[*cond], ends, Point::Cond(at));
            self.flow.first.entry(at).or_insert(PointId(before as u32));
            let constant = self.constant(*cond);
            let (taken, skipped) = branches(after_cond, constant);
            out.extend(self.stmt(*then, taken));
            match otherwise {
                Some(otherwise) => {
                    at = *otherwise;
                    ends = skipped;
                }
                None => {
                    out.extend(skipped);
                    return out;
                }
            }
        }
    }

    fn frame(&mut self, stmt: StmtId, is_loop: bool, switch: Option<PointId>) {
        self.frames.push(Frame {
            stmt,
            is_loop,
            breaks: Vec::new(),
            continues: Vec::new(),
            switch,
            has_default: false,
        });
    }

    fn pop(&mut self) -> (Ends, Ends, bool) {
        match self.frames.pop() {
            Some(f) => (f.breaks, f.continues, f.has_default),
            None => (Vec::new(), Vec::new(), false),
        }
    }

    fn switch(&mut self, id: StmtId, cond: ExprId, body: StmtId, ends: Ends) -> Ends {
        let after_cond = self.evaluate(&[cond], ends, Point::Cond(id));
        self.frame(id, false, after_cond.first().copied());
        let mut out = self.stmt(body, Vec::new());
        let (breaks, _, has_default) = self.pop();
        out.extend(breaks);
        if !has_default {
            out.extend(after_cond);
        }
        out
    }

    fn while_loop(&mut self, id: StmtId, cond: ExprId, body: StmtId, ends: Ends) -> Ends {
        let first = self.flow.points.len();
        let after_cond = self.evaluate(&[cond], ends, Point::Cond(id));
        let constant = self.constant(cond);
        let (taken, skipped) = branches(after_cond, constant);
        self.frame(id, true, None);
        let mut back = self.stmt(body, taken);
        let (mut out, continues, _) = self.pop();
        back.extend(continues);
        self.connect(&back, PointId(first as u32));
        self.add_loop(LoopKind::While, id, body);
        out.extend(skipped);
        out
    }

    fn do_while(&mut self, id: StmtId, cond: ExprId, body: StmtId, ends: Ends) -> Ends {
        let first = self.flow.points.len();
        self.frame(id, true, None);
        let mut at_cond = self.stmt(body, ends);
        let (mut out, continues, _) = self.pop();
        at_cond.extend(continues);
        let after_cond = self.evaluate(&[cond], at_cond, Point::Cond(id));
        let constant = self.constant(cond);
        let (taken, skipped) = branches(after_cond, constant);
        self.connect(&taken, PointId(first as u32));
        self.add_loop(LoopKind::DoWhile, id, body);
        out.extend(skipped);
        out
    }

    fn for_loop(&mut self, id: StmtId, ends: Ends) -> Ends {
        let StmtKind::For {
            init,
            cond,
            step,
            body,
            ..
        } = &self.tree.stmts[id].kind
        else {
            return ends;
        };
        let ends = match init {
            ForInit::None => ends,
            ForInit::Expr(e) => self.evaluate(&[*e], ends, Point::ForInit(id)),
            ForInit::Decl(d) => self.declaration(*d, ends),
        };
        let first = self.flow.points.len();
        let once = is_once(self.tree, id);
        let (taken, skipped) = match cond {
            Some(cond) => {
                let after_cond = self.evaluate(&[*cond], ends, Point::Cond(id));
                let constant = if once {
                    Some(true)
                } else {
                    self.constant(*cond)
                };
                branches(after_cond, constant)
            }
            None => (vec![self.after(&ends, Point::Cond(id))], Vec::new()),
        };
        self.frame(id, true, None);
        let mut at_step = self.stmt(*body, taken);
        let (mut out, continues, _) = self.pop();
        at_step.extend(continues);
        let back = match step {
            Some(step) => self.evaluate(&[*step], at_step, Point::ForStep(id)),
            None => at_step,
        };
        if once {
            out.extend(back);
        } else {
            self.connect(&back, PointId(first as u32));
        }
        self.add_loop(LoopKind::For, id, *body);
        out.extend(skipped);
        out
    }

    fn add_loop(&mut self, kind: LoopKind, stmt: StmtId, body: StmtId) {
        let span = self.tree.stmts[stmt].span;
        self.flow.loops.push(Loop {
            kind,
            stmt,
            body,
            span,
        });
    }

    /// Labels and the statement after them, without recursion along the labels.
    fn labels(&mut self, id: StmtId, mut ends: Ends) -> Ends {
        let mut at = id;
        while let StmtKind::Labeled { label, body, .. } = &self.tree.stmts[at].kind {
            let point = self.after(&ends, Point::Label(at));
            self.flow.first.entry(at).or_insert(point);
            if !matches!(label, Label::Named(_)) {
                self.case(at, label, point);
            }
            ends = vec![point];
            at = *body;
        }
        self.stmt(at, ends)
    }

    fn case(&mut self, stmt: StmtId, label: &Label, point: PointId) {
        let Some(frame) = self.frames.iter_mut().rev().find(|f| !f.is_loop) else {
            return self.error(
                stmt,
                "this label stands outside of any `switch`".to_string(),
            );
        };
        if *label == Label::Default {
            frame.has_default = true;
        }
        if let Some(cond) = frame.switch {
            self.edge(cond, point);
        }
    }

    fn leave(&mut self, id: StmtId, ends: Ends, is_continue: bool) -> Ends {
        let point = self.after(&ends, Point::Stmt(id));
        let found = self
            .frames
            .iter_mut()
            .rev()
            .find(|f| f.is_loop || !is_continue);
        let Some(frame) = found else {
            let word = if is_continue { "continue" } else { "break" };
            self.error(
                id,
                format!("`{word}` stands outside of what it could leave"),
            );
            return Vec::new();
        };
        let target = if is_continue {
            frame.continues.push(point);
            Target::Next(frame.stmt)
        } else {
            frame.breaks.push(point);
            Target::Behind(frame.stmt)
        };
        self.flow.jumps.push(Jump { stmt: id, target });
        Vec::new()
    }
}

/// The ends of the branch that is taken and of the branch that is not.
fn branches(ends: Ends, constant: Option<bool>) -> (Ends, Ends) {
    match constant {
        Some(true) => (ends, Vec::new()),
        Some(false) => (Vec::new(), ends),
        None => (ends.clone(), ends),
    }
}
