//! Facts from statements: labels, jumps, loops, returns.

use std::collections::HashMap;

use cfront::flow::{Flow, Point, PointId};
use cfront::span::{ExprId, Id, Span, StmtId};
use cfront::tree::{BlockItem, ForInit, Label as TreeLabel, StmtKind};
use cfront::Unit;

use super::Collector;
use crate::facts::loops::BusyGoto;
use crate::facts::range;
use crate::facts::{Assembler, ComputedJump, Fixed, Jump, JumpKind, Label, Loop, Range, Return};

impl Collector<'_> {
    /// Walks a statement. Chains of `else if` are walked in a loop, not recursively: generated programs have
    /// thousands of links.
    pub(crate) fn statement(&mut self, id: StmtId, depth: i32) {
        let mut next = Some((id, depth));
        while let Some((id, depth)) = next {
            next = self.link(id, depth).map(|otherwise| (otherwise, depth + 1));
        }
    }

    /// Walks a statement without its `else` branch, and returns that branch.
    fn link(&mut self, id: StmtId, depth: i32) -> Option<StmtId> {
        let stmt = &self.tree.stmts[id];
        match stmt.kind.clone() {
            StmtKind::Compound { items, scope, .. } => {
                self.scopes.insert(scope, (depth, false, stmt.span));
                for item in items {
                    match item {
                        BlockItem::Decl(d) => self.declaration(d, depth + 1, true),
                        BlockItem::Stmt(s) => self.statement(s, depth + 1),
                    }
                }
            }
            StmtKind::Expr(e) => {
                e.into_iter()
                    .for_each(|e| self.place_in_statement(id, e, depth));
                self.expressions(e, depth, Point::Stmt(id));
            }
            StmtKind::If {
                cond,
                then,
                otherwise,
                ..
            } => {
                self.place_in_statement(id, cond, depth);
                self.expressions([cond], depth, Point::Cond(id));
                self.statement(then, depth + 1);
                return otherwise;
            }
            StmtKind::Switch { cond, body, .. } => {
                self.place_in_statement(id, cond, depth);
                self.expressions([cond], depth, Point::Cond(id));
                self.switches.push(stmt.span.start);
                self.statement(body, depth + 1);
                self.switches.pop();
            }
            StmtKind::While { cond, body, .. } | StmtKind::DoWhile { cond, body, .. } => {
                // Macros wrap their text in `do … while (0)`, which is not a loop.
                let once = matches!(stmt.kind, StmtKind::DoWhile { .. })
                    && cfront::consteval::eval(self.tree, cond) == Some(0);
                if !once {
                    self.looping(id, body, depth);
                }
                self.expressions([cond], depth, Point::Cond(id));
                self.statement(body, depth + 1);
            }
            StmtKind::For { .. } => self.for_loop(id, depth),
            StmtKind::Labeled { .. } => self.labelled(id, depth),
            StmtKind::Goto { .. } => self.jump(id, JumpKind::Goto, depth),
            StmtKind::Break => self.jump(id, JumpKind::Break, depth),
            StmtKind::Continue => self.jump(id, JumpKind::Continue, depth),
            StmtKind::GotoComputed(e) => {
                self.computed_jump(id, e, depth);
                self.expressions([e], depth, Point::Stmt(id));
            }
            StmtKind::Return(value) => {
                self.returns(id, value, depth);
                self.expressions(value, depth, Point::Stmt(id));
            }
            StmtKind::Asm { writes, .. } => {
                if writes {
                    self.assembler(id);
                    self.facts.assemblers.push(Assembler {
                        function: self.function,
                        range: range(self.tree.stmts[id].span),
                        depth,
                    });
                }
            }
        }
        None
    }

    fn for_loop(&mut self, id: StmtId, depth: i32) {
        let stmt = &self.tree.stmts[id];
        let StmtKind::For {
            init,
            cond,
            step,
            body,
            scope,
            ..
        } = stmt.kind.clone()
        else {
            return;
        };
        self.scopes.insert(scope, (depth, true, stmt.span));
        self.looping(id, body, depth);
        match init {
            ForInit::None => {}
            ForInit::Expr(e) => self.expressions([e], depth, Point::ForInit(id)),
            ForInit::Decl(d) => self.declaration(d, depth, false),
        }
        self.expressions(cond, depth, Point::Cond(id));
        self.expressions(step, depth, Point::ForStep(id));
        self.statement(body, depth + 1);
    }

    fn labelled(&mut self, id: StmtId, depth: i32) {
        let StmtKind::Labeled {
            label,
            label_span,
            colon,
            body,
            ..
        } = self.tree.stmts[id].kind.clone()
        else {
            return;
        };
        if !matches!(label, TreeLabel::Named(_)) {
            self.case(label_span);
        }
        match label {
            TreeLabel::Named(name) => self.label(id, name, label_span, colon, body, depth),
            TreeLabel::Case(e) => self.expressions([e], depth, Point::Label(id)),
            TreeLabel::CaseRange(a, b) => self.expressions([a, b], depth, Point::Label(id)),
            TreeLabel::Default => {}
        }
        self.statement(body, depth + 1);
    }

    fn computed_jump(&mut self, id: StmtId, target: ExprId, depth: i32) {
        let node = self.at(Point::Stmt(id)).map_or(usize::MAX, PointId::index);
        self.facts.computed_jumps.push(ComputedJump {
            function: self.function,
            range: range(self.tree.stmts[id].span),
            value: range(self.tree.exprs[target].span),
            depth,
            node,
        });
    }

    fn returns(&mut self, id: StmtId, value: Option<ExprId>, depth: i32) {
        self.facts.returns.push(Return {
            function: self.function,
            range: range(self.tree.stmts[id].span),
            value: value.map(|e| range(self.tree.exprs[e].span)),
            fixed: value.map_or(Fixed::No, |e| self.fixed(e)),
            depth,
            node: Self::node(self.at(Point::Stmt(id))),
        });
    }

    /// Notes a label of a `switch`.
    fn case(&mut self, label: Span) {
        if let Some(switch) = self.switches.last() {
            self.facts.cases.push((label.start, *switch));
        }
    }

    fn program(&self) -> crate::collect::busy_waits::Program<'_> {
        crate::collect::busy_waits::Program {
            tree: self.tree,
            functions: &self.functions,
            irrelevant: &self.irrelevant,
        }
    }

    fn looping(&mut self, id: StmtId, body: StmtId, depth: i32) {
        let mut labels = Vec::new();
        let mut at = self.tree.stmts[id].parent;
        while let cfront::tree::Parent::Stmt(parent) = at {
            let StmtKind::Labeled { label, .. } = &self.tree.stmts[parent].kind else {
                break;
            };
            if let TreeLabel::Named(name) = label {
                labels.push(name.clone());
            }
            at = self.tree.stmts[parent].parent;
        }
        self.facts.loops.push(Loop {
            function: self.function,
            range: range(self.tree.stmts[id].span),
            body: range(self.tree.stmts[body].span),
            braces: matches!(self.tree.stmts[body].kind, StmtKind::Compound { .. }),
            depth,
            labels,
            iterations: cfront::counted_loops::iterations(self.tree, id),
            ends: cfront::counted_loops::ends(self.tree, &self.uses, id),
            busy: crate::collect::busy_waits::busy_wait(self.program(), id, depth),
            delay: self
                .irrelevant
                .delay(id)
                .map(|objects| objects.iter().map(|o| o.index()).collect()),
        });
    }

    fn label(
        &mut self,
        id: StmtId,
        name: String,
        place: Span,
        colon: usize,
        body: StmtId,
        depth: i32,
    ) {
        let mut top = id;
        while let cfront::tree::Parent::Stmt(parent) = self.tree.stmts[top].parent {
            if !matches!(self.tree.stmts[parent].kind, StmtKind::Labeled { .. }) {
                break;
            }
            top = parent;
        }
        let in_block = match self.tree.stmts[top].parent {
            cfront::tree::Parent::Stmt(parent) => {
                matches!(self.tree.stmts[parent].kind, StmtKind::Compound { .. })
            }
            _ => false,
        };
        self.facts.labels.push(Label {
            function: self.function,
            name,
            place: range(place),
            after_colon: colon + 1,
            statement: Range {
                start: colon + 1,
                end: self.tree.stmts[body].span.end.max(colon + 1),
            },
            in_block,
            depth,
            node: Self::node(self.at(Point::Label(id))),
        });
    }

    fn jump(&mut self, id: StmtId, kind: JumpKind, depth: i32) {
        let Some((flow, from)) = self.flow.zip(self.at(Point::Stmt(id))) else {
            return;
        };
        // A jump has one target; computed jumps are listed elsewhere.
        let Some(&target) = flow.next(from).first() else {
            return;
        };
        let target_offset = match kind {
            JumpKind::Goto => 0,
            JumpKind::Break => self
                .enclosing(id, true)
                .map_or(0, |s| self.tree.stmts[s].span.end),
            JumpKind::Continue => {
                self.enclosing(id, false)
                    .map_or(0, |s| match &self.tree.stmts[s].kind {
                        StmtKind::For { header, .. } => header.rparen,
                        _ => self.tree.stmts[s].span.start,
                    })
            }
        };
        self.facts.jumps.push(Jump {
            function: self.function,
            kind,
            range: range(self.tree.stmts[id].span),
            depth,
            node: from.index(),
            target: target.index(),
            target_offset,
            repeats: None,
            backward: self.backward.contains(&id),
            busy: self.busy_goto(flow, id, depth),
            label: match &self.tree.stmts[id].kind {
                StmtKind::Goto { label, .. } => Some(label.clone()),
                _ => None,
            },
        });
    }

    /// The rounds of a backward `goto`, if some round may only wait.
    fn busy_goto(&self, flow: &Flow, id: StmtId, depth: i32) -> Option<BusyGoto> {
        let StmtKind::Goto { label, .. } = &self.tree.stmts[id].kind else {
            return None;
        };
        let target = *flow.labels.get(label)?;
        crate::collect::busy_waits::busy_goto(self.program(), id, target, depth)
    }

    /// The innermost loop around a statement; with `switches`, the innermost loop or `switch`.
    fn enclosing(&self, id: StmtId, switches: bool) -> Option<StmtId> {
        let mut at = self.tree.stmts[id].parent;
        loop {
            let parent = self.tree.statement_of(at)?;
            match self.tree.stmts[parent].kind {
                StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } => {
                    return Some(parent)
                }
                StmtKind::Switch { .. } if switches => return Some(parent),
                _ => at = self.tree.stmts[parent].parent,
            }
        }
    }

    /// Removes loops in system headers, where nothing can be inserted: the backend bounds them, and reports
    /// where it cuts one.
    pub(crate) fn leave_headers(&mut self, unit: &Unit) {
        use cfront::linemap::RegionKind;
        let own = |range: Range| unit.source.lines.kind(range.start) != RegionKind::System;
        self.facts.loops.retain(|l| own(l.range));
        for jump in self.facts.jumps.iter_mut().filter(|j| !own(j.range)) {
            (jump.backward, jump.repeats, jump.busy) = (false, None, None);
        }
    }

    /// Links each goto to its label. The label may follow the goto, so this comes after the walk.
    pub(crate) fn link_gotos(&mut self) {
        let labels = self.facts.labels.iter().enumerate();
        let labels: HashMap<(usize, &str), (usize, usize)> = labels
            .map(|(i, l)| ((l.function, l.name.as_str()), (i, l.place.start)))
            .collect();
        for jump in &mut self.facts.jumps {
            let Some(name) = &jump.label else { continue };
            if let Some(&(label, start)) = labels.get(&(jump.function, name.as_str())) {
                jump.target_offset = start;
                jump.repeats = jump.backward.then_some(label);
            }
        }
    }
}
