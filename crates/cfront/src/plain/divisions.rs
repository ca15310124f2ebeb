//! `div` and its relatives return a structure, which model checkers, not knowing the functions, let have any values: the
//! program computes it itself.

use crate::allocations::library_name;
use crate::parse::Unit;
use crate::rewriting::{Names, Text};
use crate::source::Source;
use crate::tree::ExprKind;

/// The functions, the types of their arguments and the headers' names of their results.
const DIVISIONS: [(&str, &str, &str); 3] = [
    ("div", "int", "div_t"),
    ("ldiv", "long", "ldiv_t"),
    ("lldiv", "long long", "lldiv_t"),
];

pub(super) fn computed(unit: &Unit) -> Option<Vec<Source>> {
    let tree = &unit.tree;
    let names = Names::of(unit);
    let mut text = Text::of(unit);
    for call in tree.exprs.ids() {
        let Some((name, ty, result)) = library_name(tree, call)
            .and_then(|name| DIVISIONS.into_iter().find(|(known, ..)| *known == name))
        else {
            continue;
        };
        let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
            continue;
        };
        // The header is what names the type.
        if args.len() != 2 || !is_named(unit, result) {
            continue;
        }
        let own = names.free(&format!("{name}_computed"));
        let declared = format!(
            "static {result} {own}({ty} number, {ty} by) {{ {result} parts = {{ .quot = number / by, .rem = number % by }}; return parts; }} "
        );
        text.declare_before(call, &own, &declared);
        text.call_instead(call, &own);
    }
    text.changed()
}

/// Whether a type of file scope has this name.
fn is_named(unit: &Unit, name: &str) -> bool {
    let types = unit
        .tree
        .decls
        .iter()
        .filter(|(_, d)| d.is_typedef && d.function.is_none());
    let mut declared = types.flat_map(|(_, d)| &d.declared);
    declared.any(|d| unit.text_of(d.name) == name)
}
