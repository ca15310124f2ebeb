//! The objects that allocating calls give out where states are compared, and whose place a new one may have.

use cfront::allocations::Allocated;
use cfront::{ExprId, ObjectId};

use crate::options::{Freed, Watched};
use crate::pointers::{pointers, Compared};
use crate::written::Emit;

/// What one call allocates.
pub(crate) struct Pool {
    /// The call.
    pub call: ExprId,
    /// The objects.
    pub made: Allocated,
    /// Its number in names.
    pub number: usize,
    /// The arguments of the call.
    pub arguments: usize,
}

impl Pool {
    /// Whether the objects of both have one type.
    pub(crate) fn is_alike(&self, other: &Pool) -> bool {
        self.made.ty.ty == other.made.ty.ty && self.made.elements == other.made.elements
    }
}

/// Freed objects to which pointers lead, where a new object is allocated.
#[derive(Debug, Default)]
pub(crate) struct Old {
    /// Those whose place the new object may have, by their pools and numbers.
    pub given: Vec<(usize, usize)>,
    /// The conditions that there are others, whose place it might have.
    pub left_out: Vec<String>,
}

impl Emit<'_, '_> {
    /// Which pointers to freed memory the program, or what is asked about it, may compare with new ones.
    pub(crate) fn compared(&self) -> Compared {
        let tree = self.facts.tree;
        let points = |o: &&ObjectId| {
            let inner = pointers(tree, tree.objects[**o].ty);
            inner.is_none_or(|all| !all.is_empty())
        };
        match &self.options.watched {
            _ if !self.checks_freed() => Compared::Never,
            Watched::Objects(objects) if objects.iter().filter(points).count() > 1 => {
                Compared::Mixed
            }
            _ => self.facts.compared,
        }
    }

    /// What becomes of freed objects to which pointers lead when a new one is allocated.
    pub(crate) fn old(&self, pool: &Pool, pools: &[Pool], compared: Compared) -> Old {
        let mut old = Old::default();
        for other in pools {
            let all = (0..self.objects()).map(|i| (other.number, i));
            match compared {
                Compared::Never => {}
                _ if other.is_alike(pool) && self.options.freed == Freed::Anytime => {
                    old.given.extend(all);
                }
                Compared::Alike if !other.is_alike(pool) => {}
                Compared::Alike | Compared::Mixed => {
                    let kept = |(m, i)| format!("ba_seq_used_{m}[{i}] == 2");
                    old.left_out.extend(all.map(kept));
                }
            }
        }
        old
    }
}
