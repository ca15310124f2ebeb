//! Jumps that pass declarations: control comes into a block behind a declaration, whose initialiser does not run.

use crate::span::{ObjectId, StmtId};
use crate::tree::{Label, Parent, StmtKind, Tree};

/// The jumps of a program.
#[derive(Debug)]
pub struct Jumps {
    gotos: Vec<StmtId>,
    labels: Vec<StmtId>,
}

impl Jumps {
    /// Collects them. Linear in the program.
    pub fn of(tree: &Tree) -> Jumps {
        let (mut gotos, mut labels) = (Vec::new(), Vec::new());
        for (id, stmt) in tree.stmts.iter() {
            match stmt.kind {
                StmtKind::Goto { .. } | StmtKind::GotoComputed(_) => gotos.push(id),
                StmtKind::Labeled { .. } => labels.push(id),
                _ => {}
            }
        }
        Jumps { gotos, labels }
    }

    /// Whether a jump may reach a label after the declaration of a local, in its block, without passing the declaration.
    pub fn pass(&self, tree: &Tree, object: ObjectId) -> bool {
        self.reached_past(tree, object).next().is_some()
    }

    /// The labels that a jump may reach so.
    pub fn reached_past<'a>(
        &'a self,
        tree: &'a Tree,
        object: ObjectId,
    ) -> impl Iterator<Item = StmtId> + 'a {
        let jumps = self.gotos_past(tree, object).next().is_some();
        let labels = self.labels.iter().copied();
        let labels = labels.filter(move |id| is_after(tree, object, *id));
        labels.filter(move |id| match &tree.stmts[*id].kind {
            StmtKind::Labeled {
                label: Label::Named(_),
                ..
            } => jumps,
            // A `case` whose `switch` encloses the declaration.
            _ => switch_of(tree, *id).is_none_or(|body| encloses(tree, body, object)),
        })
    }

    /// The `goto`s that may do so.
    pub fn gotos_past<'a>(
        &'a self,
        tree: &'a Tree,
        object: ObjectId,
    ) -> impl Iterator<Item = StmtId> + 'a {
        let function = tree.objects[object].function;
        let all = self.gotos.iter().copied();
        all.filter(move |id| tree.stmts[*id].function == function && !is_after(tree, object, *id))
    }
}

/// Whether a statement stands in the block of a local, after its declaration.
fn is_after(tree: &Tree, object: ObjectId, stmt: StmtId) -> bool {
    let (o, s) = (&tree.objects[object], &tree.stmts[stmt]);
    let inside = tree.scopes[o.scope].span.contains(s.span.start);
    s.function == o.function && inside && s.span.start > o.name_span.start
}

/// Whether the body of a `switch` contains the declaration of a local.
pub fn encloses(tree: &Tree, body: StmtId, object: ObjectId) -> bool {
    let declared = tree.objects[object].name_span.start;
    tree.stmts[body].span.contains(declared)
}

/// The body of the `switch` of a `case`.
fn switch_of(tree: &Tree, case: StmtId) -> Option<StmtId> {
    let mut at = tree.stmts[case].parent;
    while let Parent::Stmt(stmt) = at {
        if let StmtKind::Switch { body, .. } = tree.stmts[stmt].kind {
            return Some(body);
        }
        at = tree.stmts[stmt].parent;
    }
    None
}
