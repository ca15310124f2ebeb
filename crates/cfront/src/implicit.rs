//! Where values become ones of other types without a cast: assignments, arguments, initialisers of objects on the stack, returned
//! values (C17 6.5.16.1, 6.5.2.2, 6.7.9, 6.8.6.4).

use crate::span::{ExprId, InitId};
use crate::tree::{Designator, ExprKind, InitItem, InitKind, StmtKind, Tree};
use crate::types::{Class, QualType, Type};

/// These values, each with the type that it becomes one of. Initialisers whose braces are left out are not among them.
pub(crate) fn conversions(tree: &Tree) -> Vec<(QualType, ExprId)> {
    let mut found = Found {
        tree,
        values: Vec::new(),
    };
    for (_, expr) in tree.exprs.iter().filter(|(_, e)| !e.unevaluated) {
        match &expr.kind {
            ExprKind::Assign {
                op: None, lhs, rhs, ..
            } => found.values.push((tree.exprs[*lhs].ty, *rhs)),
            ExprKind::Call { callee, args, .. } => {
                let function = tree.types.function(tree.exprs[*callee].ty);
                let params = function.into_iter().flat_map(|f| &f.params);
                found
                    .values
                    .extend(params.copied().zip(args.iter().copied()));
            }
            ExprKind::CompoundLiteral(init) if tree.function_of(expr.parent).is_some() => {
                found.initialised(expr.ty, *init);
            }
            _ => {}
        }
    }
    for (_, object) in tree.objects.iter().filter(|(_, o)| !o.is_static_duration()) {
        if let Some(init) = object.init {
            found.initialised(object.ty, init);
        }
    }
    for (_, stmt) in tree.stmts.iter() {
        let StmtKind::Return(Some(e)) = stmt.kind else {
            continue;
        };
        let of = stmt.function.map(|f| tree.functions[f].ty);
        if let Some(function) = of.and_then(|ty| tree.types.function(ty)) {
            found.values.push((function.ret, e));
        }
    }
    found.values
}

struct Found<'a> {
    tree: &'a Tree,
    values: Vec<(QualType, ExprId)>,
}

impl Found<'_> {
    fn initialised(&mut self, ty: QualType, init: InitId) {
        let tree = self.tree;
        match &tree.inits[init].kind {
            InitKind::Expr(e) => self.values.push((ty, *e)),
            InitKind::List(items) => match tree.types.get(ty) {
                Type::Array(of, _) => {
                    let members = items.iter().map(|item| (item, Some(*of)));
                    self.listed(members.collect());
                }
                Type::Record(record) => {
                    let members = tree.types.records[*record].members.iter().flatten();
                    let named = members.filter(|m| !(m.is_bit_field && m.name.is_none()));
                    let members: Vec<_> = named.map(|m| (m.name.as_deref(), m.ty)).collect();
                    let mut next = 0;
                    let mut placed = Vec::new();
                    for item in items {
                        if let [Designator::Member(name), ..] = &item.designators[..] {
                            let at = members.iter().position(|m| m.0 == Some(name));
                            next = at.unwrap_or(members.len());
                        }
                        placed.push((item, members.get(next).map(|m| m.1)));
                        next += 1;
                    }
                    self.listed(placed);
                }
                _ => {
                    if let [item] = &items[..] {
                        self.initialised(ty, item.value);
                    }
                }
            },
        }
    }

    /// The elements of a list with their types, up to one whose braces are left out.
    fn listed(&mut self, elements: Vec<(&InitItem, Option<QualType>)>) {
        for (item, ty) in elements {
            let Some(ty) = ty else {
                continue;
            };
            let is_part = |ty| matches!(self.tree.types.class(ty), Class::Array | Class::Record);
            if let InitKind::Expr(e) = self.tree.inits[item.value].kind {
                let string = matches!(self.tree.exprs[e].kind, ExprKind::Str(_));
                if is_part(ty) && !string && !is_part(self.tree.exprs[e].ty) {
                    return;
                }
            }
            if item.designators.len() <= 1 {
                self.initialised(ty, item.value);
            }
        }
    }
}
