//! How conditions influence the statements that they control, and where jumps lead.

use cfront::span::{ExprId, StmtId};
use cfront::tree::{BlockItem, Entity, ForInit, Label, StmtKind, Storage};

use super::{Builder, Node, Switch};

impl Builder<'_> {
    pub(super) fn statement(&mut self, id: StmtId, context: Node, switch: Switch) {
        match self.tree.stmts[id].kind.clone() {
            StmtKind::Compound { items, .. } => {
                for item in items {
                    match item {
                        BlockItem::Decl(d) => self.declaration(d, context),
                        BlockItem::Stmt(s) => self.statement(s, context, switch),
                    }
                }
            }
            StmtKind::Expr(e) => {
                e.into_iter().for_each(|e| drop(self.value(e, context)));
            }
            StmtKind::If {
                cond,
                then,
                otherwise,
                ..
            } => {
                let sources = self.value(cond, context);
                let outcome = self.condition(context, &sources);
                self.statement(then, outcome, switch);
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise, outcome, switch);
                }
            }
            StmtKind::Switch { cond, body, .. } => {
                let sources = self.value(cond, context);
                let outcome = self.condition(context, &sources);
                self.statement(body, outcome, Some(outcome));
            }
            StmtKind::While { cond, body, .. } | StmtKind::DoWhile { cond, body, .. } => {
                self.looping(context, Some(cond), None, body);
            }
            StmtKind::For {
                init,
                cond,
                step,
                body,
                ..
            } => {
                match init {
                    ForInit::None => {}
                    ForInit::Expr(e) => drop(self.value(e, context)),
                    ForInit::Decl(d) => self.declaration(d, context),
                }
                self.looping(context, cond, step, body);
            }
            StmtKind::Labeled { label, body, .. } => {
                if matches!(label, Label::Named(_)) {
                    self.decides_run(context);
                }
                self.statement(body, context, switch);
            }
            kind => self.jump(&kind, context, switch),
        }
    }

    fn looping(&mut self, context: Node, cond: Option<ExprId>, step: Option<ExprId>, body: StmtId) {
        let outcome = self.condition(context, &[]);
        self.decides_run(outcome);
        if let Some(cond) = cond {
            let sources = self.value(cond, outcome);
            self.edges(&sources, outcome);
        }
        step.into_iter().for_each(|e| drop(self.value(e, outcome)));
        self.statement(body, outcome, None);
    }

    fn jump(&mut self, kind: &StmtKind, context: Node, switch: Switch) {
        match (kind, switch) {
            (StmtKind::Break, Some(switch)) => self.edge(context, switch),
            (StmtKind::Return(value), _) => {
                let Some(function) = self.function else {
                    return;
                };
                let (result, execution) = (self.result(function), self.execution(function));
                if let Some(value) = *value {
                    let sources = self.value(value, context);
                    self.edges(&sources, result);
                }
                self.edge(context, result);
                self.edge(context, execution);
                if self.tree.functions[function].name == "main" {
                    self.decides_run(context);
                }
            }
            (StmtKind::GotoComputed(e), _) => {
                let sources = self.value(*e, context);
                self.edges(&sources, self.graph.run);
                self.decides_run(context);
            }
            _ => self.decides_run(context),
        }
    }

    fn declaration(&mut self, id: cfront::span::DeclId, context: Node) {
        for declared in self.tree.decls[id].declared.clone() {
            let (Some(init), Entity::Object(object)) = (declared.init, declared.entity) else {
                continue;
            };
            let automatic = self.tree.objects[object].storage == Storage::Local;
            if automatic && self.initialised(object, init, context) {
                continue;
            }
            let mut exprs = Vec::new();
            self.tree.init_exprs(init, &mut exprs);
            let sources = self.values(&exprs, context);
            if automatic {
                let targets = self.all_parts(object);
                self.write(&targets, &sources, context);
            }
        }
    }
}
