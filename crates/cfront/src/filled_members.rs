//! Local structures that get their values member by member before anything reads them.

use std::collections::{BTreeSet, HashMap};

use crate::flow::{Flow, Point, PointId};
use crate::span::{DeclId, ExprId, FunctionId, ObjectId};
use crate::tree::{ExprKind, Label, Parent, Resolved, StmtKind, Tree};
use crate::types::{Class, Type};

/// Mentions of objects in a program, where they are evaluated.
pub struct Mentions<'a> {
    tree: &'a Tree,
    all: HashMap<ObjectId, Vec<ExprId>>,
    /// Functions in which control may come back over a declaration without leaving its block.
    jumps: BTreeSet<FunctionId>,
}

impl<'a> Mentions<'a> {
    /// Reads the whole program.
    pub fn of(tree: &'a Tree) -> Mentions<'a> {
        let mut all: HashMap<ObjectId, Vec<ExprId>> = HashMap::new();
        for (id, expr) in tree.exprs.iter() {
            if let ExprKind::Ident(Resolved::Object(object)) = expr.kind {
                all.entry(object).or_default().push(id);
            }
        }
        let labels = tree.stmts.iter();
        let labels = labels.filter(|(_, stmt)| {
            matches!(
                &stmt.kind,
                StmtKind::Labeled {
                    label: Label::Named(_),
                    ..
                }
            )
        });
        let jumps = labels.filter_map(|(_, stmt)| stmt.function).collect();
        Mentions { tree, all, jumps }
    }

    /// Whether all members of a structure that is declared here without initializer get values, each by an assignment of its own, on all
    /// paths to any other mention of it. Linear in the function for each member.
    pub fn fill(&self, flow: &Flow, decl: DeclId, object: ObjectId) -> bool {
        let tree = self.tree;
        let function = tree.decls[decl].function;
        let Some(members) = members(tree, object) else {
            return false;
        };
        if function.is_none_or(|f| self.jumps.contains(&f)) {
            return false;
        }
        let Some(start) = flow.at(Point::Decl(decl)) else {
            return false;
        };
        let mentions = self.all.get(&object).map_or(&[][..], Vec::as_slice);
        let mut fills: HashMap<PointId, &str> = HashMap::new();
        let mut reads: BTreeSet<PointId> = BTreeSet::new();
        for mention in mentions {
            let Some(at) = flow.point_of(tree, *mention) else {
                return false;
            };
            match self.filled(*mention) {
                Some(member) if !reads.contains(&at) && !fills.contains_key(&at) => {
                    fills.insert(at, member);
                }
                _ => {
                    fills.remove(&at);
                    reads.insert(at);
                }
            }
        }
        members.iter().all(|member| {
            let filling = fills.iter().filter(|(_, m)| *m == member);
            let filling: Vec<PointId> = filling.map(|(at, _)| *at).collect();
            let reached = flow.reachable(start, &filling);
            !reads.iter().any(|at| *at == start || reached[at.index()])
        })
    }

    /// The member that a statement `object.member = value;` fills of which this is the mention of the object.
    fn filled(&self, mention: ExprId) -> Option<&'a str> {
        let tree = self.tree;
        let Parent::Expr(access) = tree.exprs[mention].parent else {
            return None;
        };
        let ExprKind::Member {
            name: member,
            arrow: false,
            ..
        } = &tree.exprs[access].kind
        else {
            return None;
        };
        let Parent::Expr(assignment) = tree.exprs[access].parent else {
            return None;
        };
        let ExprKind::Assign { op: None, lhs, .. } = tree.exprs[assignment].kind else {
            return None;
        };
        let alone = matches!(tree.exprs[assignment].parent, Parent::Stmt(s) if matches!(tree.stmts[s].kind, StmtKind::Expr(_)));
        (lhs == access && alone).then_some(member.as_str())
    }
}

/// The names of the members of a local structure all of whose members are numbers or pointers.
fn members(tree: &Tree, object: ObjectId) -> Option<Vec<&str>> {
    let o = &tree.objects[object];
    let Type::Record(id) = *tree.types.get(o.ty) else {
        return None;
    };
    let record = &tree.types.records[id];
    if o.is_static_duration() || record.is_union {
        return None;
    }
    let all = record.members.as_ref()?.iter().map(|m| {
        let scalar = matches!(tree.types.class(m.ty), Class::Scalar | Class::Pointer);
        m.name.as_deref().filter(|_| scalar)
    });
    all.collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Source, Unit};

    /// Which of the structures `a`, `b`, … of `f` are filled.
    fn filled(body: &str) -> String {
        let text = format!(
            "struct s {{ int x; void *p; }}; void g(struct s *); int c; void f(void) {{ {body} }}"
        );
        let unit = Unit::parse(Source::from_bytes(text.into_bytes())).unwrap();
        let mentions = Mentions::of(&unit.tree);
        let mut names = String::new();
        for (id, decl) in unit.tree.decls.iter() {
            let Some(flow) = decl.function.and_then(|f| unit.flows.get(&f)) else {
                continue;
            };
            for declared in &decl.declared {
                if let crate::tree::Entity::Object(o) = declared.entity {
                    if mentions.fill(flow, id, o) {
                        names += &unit.tree.objects[o].name;
                    }
                }
            }
        }
        names
    }

    #[test]
    fn all_members_are_assigned_before_the_structure_is_read() {
        assert_eq!(
            filled("struct s a, b; a.x = 1; a.p = 0; g(&a); b.x = 1; g(&b);"),
            "a"
        );
        assert_eq!(
            filled("struct s a; do { a.x = c; a.p = &c; g(&a); } while (c);"),
            "a"
        );
        assert_eq!(filled("struct s a; a.p = 0; if (c) a.x = 1; g(&a);"), "");
        assert_eq!(
            filled("struct s a; a.p = 0; if (c) a.x = 1; else a.x = 2; g(&a);"),
            "a"
        );
        assert_eq!(filled("struct s a; a.p = &a; a.x = 1; g(&a);"), "");
        assert_eq!(filled("struct s a; a.x = a.x + 1; a.p = 0; g(&a);"), "");
        assert_eq!(filled("struct s a; c && (a.x = 1); a.p = 0; g(&a);"), "");
        assert_eq!(
            filled("struct s a; again: a.x = 1; a.p = 0; g(&a); goto again;"),
            ""
        );
    }
}
