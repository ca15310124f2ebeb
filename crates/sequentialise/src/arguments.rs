//! The arguments of the command line in step form.

use cfront::access::{usage, Use};
use cfront::tree::{ExprKind, Parent};
use cfront::types::Class;
use cfront::ExprId;

use crate::facts::Facts;
use crate::options::Options;

/// The macro that gives an argument by its index.
pub(crate) const READ: &str = "ba_seq_argument";

/// The reads `argv[i]` of `main`'s second parameter, if these are all its uses: its name, the whole, and the index.
pub(crate) fn reads(facts: &Facts, options: &Options) -> Option<Vec<(ExprId, ExprId, ExprId)>> {
    let tree = facts.tree;
    let main = tree.function_named("main").filter(|_| options.steps)?;
    let argv = *tree.functions[main].body.as_ref()?.params.get(1)?;
    let read = |name: ExprId| {
        let Parent::Expr(whole) = tree.exprs[name].parent else {
            return None;
        };
        let ExprKind::Index { base, index } = tree.exprs[whole].kind else {
            return None;
        };
        let first = base == name && tree.exprs[name].bare.end <= tree.exprs[index].span.start;
        (first && usage(tree, whole) == Use::Read).then_some((name, whole, index))
    };
    // `(void)argv;`
    let discarded = |name: &ExprId| match tree.exprs[*name].parent {
        Parent::Expr(cast) => tree.types.class(tree.exprs[cast].ty) == Class::Void,
        _ => false,
    };
    let uses = facts.idents_of(argv).filter(|name| !discarded(name));
    let all: Option<Vec<_>> = uses.map(read).collect();
    all.filter(|all| !all.is_empty())
}

/// The definition of the macro, and the number of arguments.
pub(crate) fn text() -> String {
    format!("static int ba_seq_arguments; /* the number of the program's arguments */\n#define {READ}(at) ((at) < ba_seq_arguments ? (char *)16 : (char *)0)\n")
}
