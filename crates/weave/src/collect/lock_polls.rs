//! Busy waits that poll under a lock: an iteration that takes a lock and releases it leaves everything as it
//! was.

use cfront::span::{ExprId, ObjectId, StmtId};
use cfront::tree::{BlockItem, ExprKind, Resolved, StmtKind, Storage, Tree};

use crate::library::{self, Lock};

/// The lock that a statement takes (`true`) or releases (`false`), if the statement does nothing else. The
/// statement may call a function that only does so with a static lock.
pub fn locking(tree: &Tree, id: StmtId) -> Option<(bool, ExprId)> {
    let mut at = id;
    for _ in 0..MOST_WRAPPERS {
        let StmtKind::Expr(Some(e)) = tree.stmts[at].kind else {
            return None;
        };
        let ExprKind::Call { callee, args, .. } = &tree.exprs[e].kind else {
            return None;
        };
        let name = match &tree.exprs[*callee].kind {
            ExprKind::Ident(Resolved::Unknown(name)) => name,
            ExprKind::Ident(Resolved::Function(f)) => match &tree.functions[*f].body {
                Some(body) => {
                    at = only_statement(tree, body.block)?;
                    continue;
                }
                None => &tree.functions[*f].name,
            },
            _ => return None,
        };
        let (takes, lock) = (takes(name)?, *args.first()?);
        let mut keys = Vec::new();
        let mut named_anywhere = || stable(tree, lock, &mut keys) && keys.is_empty();
        return (at == id || named_anywhere()).then_some((takes, lock));
    }
    None
}

/// The most functions that a lock operation may be wrapped in.
const MOST_WRAPPERS: usize = 4;

/// Whether a library function takes a lock (`true`) or releases it (`false`).
fn takes(name: &str) -> Option<bool> {
    match library::lock(name)? {
        Lock::Takes => Some(true),
        Lock::Gives => Some(false),
        Lock::Tries | Lock::WaitsForTime | Lock::Looks => None,
    }
}

fn only_statement(tree: &Tree, block: StmtId) -> Option<StmtId> {
    match &tree.stmts[block].kind {
        StmtKind::Compound { items, .. } => match items[..] {
            [BlockItem::Stmt(s)] => Some(s),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a pointer designates the same place wherever it is evaluated, as long as nobody writes the local
/// variables that this function adds to `keys`: the expression reads nothing that others may write.
pub fn stable(tree: &Tree, e: ExprId, keys: &mut Vec<ObjectId>) -> bool {
    match tree.exprs[e].kind {
        ExprKind::AddressOf(place) => stable_place(tree, place, keys),
        ExprKind::Cast(inner) => stable(tree, inner, keys),
        ExprKind::Int(_) => true,
        ExprKind::Ident(Resolved::Object(o)) => {
            keys.push(o);
            matches!(tree.objects[o].storage, Storage::Local | Storage::Parameter)
        }
        _ => false,
    }
}

fn stable_place(tree: &Tree, e: ExprId, keys: &mut Vec<ObjectId>) -> bool {
    match tree.exprs[e].kind {
        ExprKind::Ident(Resolved::Object(_)) => true,
        ExprKind::Member {
            base, arrow: true, ..
        }
        | ExprKind::Deref(base) => stable(tree, base, keys),
        ExprKind::Member { base, .. } => stable_place(tree, base, keys),
        ExprKind::Index { base, index } => {
            use cfront::types::Type;
            let array = matches!(tree.types.get(tree.exprs[base].ty), Type::Array(..));
            let based = match array {
                true => stable_place(tree, base, keys),
                false => stable(tree, base, keys),
            };
            based && stable(tree, index, keys)
        }
        _ => false,
    }
}

/// Whether two expressions have the same syntax and name the same objects.
pub fn same(tree: &Tree, a: ExprId, b: ExprId) -> bool {
    let children = (tree.children(a), tree.children(b));
    let alike = match (&tree.exprs[a].kind, &tree.exprs[b].kind) {
        (ExprKind::AddressOf(_), ExprKind::AddressOf(_))
        | (ExprKind::Deref(_), ExprKind::Deref(_))
        | (ExprKind::Cast(_), ExprKind::Cast(_))
        | (ExprKind::Index { .. }, ExprKind::Index { .. }) => true,
        (ExprKind::Int(Some(x)), ExprKind::Int(Some(y))) => x == y,
        (ExprKind::Ident(Resolved::Object(x)), ExprKind::Ident(Resolved::Object(y))) => x == y,
        (
            ExprKind::Member {
                arrow: x, name: m, ..
            },
            ExprKind::Member {
                arrow: y, name: n, ..
            },
        ) => x == y && m == n,
        _ => false,
    };
    alike
        && children.0.len() == children.1.len()
        && children
            .0
            .into_iter()
            .zip(children.1)
            .all(|(x, y)| same(tree, x, y))
}
