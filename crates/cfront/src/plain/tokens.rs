//! `strtok` remembers in the library where it is in a string. `strtok_r` does the same with an object of the program, which
//! every search knows.

use crate::allocations::library_name;
use crate::parse::Unit;
use crate::rewriting::{Names, Text};
use crate::source::Source;
use crate::span::{ExprId, Span};
use crate::tree::{ExprKind, Resolved};

/// What declares the function, in the words of the C library: a header may have declared it before.
const DECLARED: &str =
    "extern char *strtok_r(char *__restrict, const char *__restrict, char **__restrict); ";

pub(super) fn remembered(unit: &Unit) -> Option<Vec<Source>> {
    let tree = &unit.tree;
    let calls: Vec<ExprId> = tree
        .exprs
        .ids()
        .filter(|call| library_name(tree, *call) == Some("strtok"))
        .collect();
    let part = |call: &ExprId| unit.part_of(tree.exprs[*call].span.start);
    let first = part(calls.first()?);
    // All calls go on with one string, wherever they are.
    let defined = tree.function_named("strtok_r");
    if calls.iter().any(|call| part(call) != first)
        || defined.is_some_and(|f| tree.functions[f].body.is_some())
    {
        return None;
    }
    let rest = Names::of(unit).free("strtok_rest");
    let mut text = Text::of(unit);
    // What only `main` uses is a local of it, which has no value where the next line is read.
    let of_main = begins_once(unit, &calls);
    if let Some(begin) = of_main {
        text.replace(begin, &format!("{{ char *{rest} = 0;"));
    }
    for call in calls {
        let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
            continue;
        };
        let [_, delimiters] = args[..] else {
            return None;
        };
        text.declare_before(call, "strtok_r", DECLARED);
        if of_main.is_none() {
            text.declare_before(call, &rest, &format!("static char *{rest}; "));
        }
        // In parentheses, the name of a macro with arguments is that of the function.
        text.call_instead(call, "(strtok_r)");
        text.close(tree.exprs[delimiters].span, &format!(", &{rest}"));
    }
    Some(text.sources())
}

/// The brace with which `main` begins, if it has all these calls and nothing in the program calls it.
fn begins_once(unit: &Unit, calls: &[ExprId]) -> Option<Span> {
    let tree = &unit.tree;
    let main = tree.function_named("main")?;
    let body = tree.functions[main].body.as_ref()?;
    let body = tree.stmts[body.block].span;
    let inside = |call: &ExprId| body.encloses(tree.exprs[*call].span);
    let named =
        |kind: &ExprKind| matches!(kind, ExprKind::Ident(Resolved::Function(f)) if *f == main);
    let again = tree.exprs.iter().any(|(_, e)| named(&e.kind));
    let brace = Span::new(body.start, body.start + 1);
    let text = unit.source.text.get(brace.start..brace.end);
    (calls.iter().all(inside) && !again && text == Some("{")).then_some(brace)
}
