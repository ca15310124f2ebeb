//! Machines whose transitions are in a table: the values of a lookup are those in the table's
//! initialiser.

use cfront::span::{ExprId, InitId, ObjectId};
use cfront::tree::{Designator, ExprKind, InitKind, Resolved};

use super::{Asker, Constant, Spot};

/// A step from an object to a part of it.
enum Step {
    /// Any element of an array.
    Element,
    /// A member: its name and index.
    Member(String, usize),
}

impl Asker<'_> {
    /// The constants that `table[i].member`, `table[i][j]` etc. may be, each with its place in the
    /// initialiser; empty if the expression is no such lookup. Elements that the initialiser omits
    /// are missing.
    pub(super) fn looked_up(&self, id: ExprId) -> Vec<(Constant, Spot)> {
        let mut steps = Vec::new();
        let Some(table) = self.table(id, &mut steps) else {
            return Vec::new();
        };
        let mut constants = Vec::new();
        match self.tree.objects[table].init {
            Some(init) if steps.iter().any(|s| matches!(s, Step::Element)) => {
                self.column(init, &steps, &mut constants);
            }
            _ => {}
        }
        constants
    }

    /// The initial value of a member of an object.
    pub(super) fn initial_of_member(&self, id: ExprId) -> Option<i128> {
        let mut steps = Vec::new();
        let object = self.table(id, &mut steps)?;
        let mut constants = Vec::new();
        self.column(self.tree.objects[object].init?, &steps, &mut constants);
        match (
            steps.iter().any(|s| matches!(s, Step::Element)),
            constants.as_slice(),
        ) {
            (false, [(constant, _)]) => Some(constant.value),
            _ => None,
        }
    }

    /// The object that an expression accesses, and the path to the part, outermost step first.
    fn table(&self, id: ExprId, steps: &mut Vec<Step>) -> Option<ObjectId> {
        match &self.tree.exprs[self.stripped(id)].kind {
            ExprKind::Ident(Resolved::Object(object)) => Some(*object),
            ExprKind::Index { base, .. } => {
                let table = self.table(*base, steps)?;
                steps.push(Step::Element);
                Some(table)
            }
            ExprKind::Member {
                base,
                arrow,
                name,
                path,
            } => {
                let [(record, number)] = path.as_slice() else {
                    return None;
                };
                let table = match arrow {
                    true => (*self.owners.get(record)?)?,
                    false => self.table(*base, steps)?,
                };
                steps.push(Step::Member(name.clone(), *number));
                Some(table)
            }
            _ => None,
        }
    }

    /// The values in an initialiser at the end of a path. Lists without inner braces are skipped.
    fn column(&self, init: InitId, steps: &[Step], out: &mut Vec<(Constant, Spot)>) {
        let init = &self.tree.inits[init];
        match (&init.kind, steps) {
            (InitKind::Expr(value), []) => {
                let constant = self.constant(*value);
                out.extend(constant.map(|constant| (constant, self.spot(init.span))));
            }
            (InitKind::List(items), [step, rest @ ..]) => {
                let mut next = 0;
                for item in items {
                    let here = match (step, item.designators.as_slice()) {
                        (Step::Element, _) => true,
                        (Step::Member(_, number), []) => {
                            next += 1;
                            next - 1 == *number
                        }
                        (Step::Member(name, number), [Designator::Member(named)]) => {
                            // Members after a designated one are not counted.
                            next = if named == name {
                                number + 1
                            } else {
                                usize::MAX / 2
                            };
                            named == name
                        }
                        _ => false,
                    };
                    if here {
                        self.column(item.value, rest, out);
                    }
                }
            }
            _ => {}
        }
    }
}
