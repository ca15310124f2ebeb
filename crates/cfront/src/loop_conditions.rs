//! Conditions of loops that call functions, as the first statement of the loop: `while ((c = getchar()) != EOF)` waits for an input
//! before its condition is known. Searches and proofs look at a program where the body of a loop begins. There the input would
//! be a part of the state; in front of the condition it is not.
//!
//! `while (f()) S` becomes `while (sizeof (f())) { if (!(f())) break; S }`: the size is no 0, and keeps the text for the reader.
//! All stays in its line.

use crate::allocations::library_name;
use crate::library;
use crate::parse::Unit;
use crate::rewriting::Text;
use crate::source::Source;
use crate::span::{ExprId, Span};
use crate::tree::{ExprKind, Header, StmtKind, Tree};

/// What stands in front of a condition that is evaluated in the body.
const SIZE: &str = "sizeof (";

/// The text of a program of one file with such conditions in the bodies; `None` if it has none. Linear in the program.
pub fn inside(unit: &Unit) -> Option<Source> {
    if unit.parts.len() != 1 {
        return None;
    }
    let tree = &unit.tree;
    let mut text = Text::of(unit);
    // Others are of conditions of the specification, which have texts of their own.
    let of_program = tree
        .stmts
        .iter()
        .filter(|(_, stmt)| stmt.function.is_some());
    for (_, stmt) in of_program {
        let (cond, header, body, by_step) = match stmt.kind {
            StmtKind::While {
                cond, header, body, ..
            } => (cond, header, body, false),
            StmtKind::For {
                cond: Some(cond),
                header,
                body,
                ..
            } => (cond, header, body, true),
            _ => continue,
        };
        if !moves(tree, cond) {
            continue;
        }
        let body = tree.stmts[body].span;
        let whole = tree.exprs[cond].span;
        let copy = text.on_a_line(unit.text_of(whole));
        match by_step {
            true => in_for(&mut text, whole, body, &copy),
            false => in_while(&mut text, header, body, &copy),
        }
    }
    text.changed()?.pop()
}

/// `for (i; C; s) S` becomes `for (i; sizeof (C); s) { if (!(C)) break; S }`.
fn in_for(text: &mut Text, cond: Span, body: Span, copy: &str) {
    text.around(cond, SIZE, ")");
    text.around(body, &format!("{{ if (!({copy})) break; "), " }");
}

/// The condition stays where it is, so that its calls keep their lines.
fn in_while(text: &mut Text, header: Header, body: Span, copy: &str) {
    let inside = Span::new(header.lparen + 1, header.rparen);
    text.around(inside, &format!("{SIZE}{copy})) {{ if (!("), ")");
    text.close(Span::new(header.lparen, header.rparen + 1), " break; ");
    text.close(body, " }");
}

/// Whether a condition calls a function that may do anything but compute a value.
fn moves(tree: &Tree, cond: ExprId) -> bool {
    let mut open = vec![cond];
    let mut calls = false;
    while let Some(e) = open.pop() {
        calls |= is_call(tree, e);
        // A size is a constant only where nothing is declared in it.
        if matches!(
            tree.exprs[e].kind,
            ExprKind::StmtExpr(_) | ExprKind::CompoundLiteral(_)
        ) {
            return false;
        }
        open.extend(tree.children(e));
    }
    calls
}

fn is_call(tree: &Tree, e: ExprId) -> bool {
    let expr = &tree.exprs[e];
    let is_pure = || library_name(tree, e).is_some_and(library::is_pure);
    matches!(expr.kind, ExprKind::Call { .. }) && !expr.unevaluated && !is_pure()
}

/// A piece of the text as the user wrote it.
pub fn restored(text: &str) -> String {
    let mut out = text.to_owned();
    for before in ["while (", "; "] {
        while let Some(at) = out.find(&format!("{before}{SIZE}")) {
            let start = at + before.len();
            let Some(end) = closing(&out[start + SIZE.len()..]) else {
                break;
            };
            out.remove(start + SIZE.len() + end);
            out.replace_range(start..start + SIZE.len(), "");
        }
    }
    out
}

/// Where the parenthesis closes that was opened in front of a text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().find_map(|(at, c)| {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(body: &str) -> Option<String> {
        let start = "int f(void), g(int *), n; int main(void) { int c;";
        let text = format!("# 1 \"p.c\"\n{start} {body} }}");
        let unit = Unit::parse(Source::from_bytes(text.into_bytes())).expect("it is C");
        let unit = Unit::parse(inside(&unit)?).expect("it is C still");
        let line = unit.text().lines().nth(1)?.to_owned();
        Some(line.replacen(start, "", 1))
    }

    #[test]
    fn conditions_that_wait_are_evaluated_in_the_body() {
        for (from, to) in [
            (
                "while ((c = f()) != -1) n++;",
                " while (sizeof ((c = f()) != -1)) { if (!((c = f()) != -1)) break;  n++; } }",
            ),
            (
                "if (n) while (f()) while (g(&c)) { if (c) continue; } else n = 1;",
                " if (n) while (sizeof (f())) { if (!(f())) break;  while (sizeof (g(&c))) { if (!(g(&c))) break;  { if (c) continue; } } } else n = 1; }",
            ),
            (
                "for (n = 0; g(&c); n++) if (c) break;",
                " for (n = 0; sizeof (g(&c)); n++) { if (!(g(&c))) break; if (c) break; } }",
            ),
        ] {
            assert_eq!(changed(from).as_deref(), Some(to));
        }
        for same in [
            "while (n--) f();",
            "for (;;) f();",
            "while (({ int i = f(); i; })) ;",
            "do n++; while (f());",
        ] {
            assert_eq!(changed(same), None, "{same}");
        }
    }

    #[test]
    fn the_reader_sees_the_condition_as_it_was() {
        for (from, to) in [
            (
                "while (sizeof ((c = f()) != (-1) ))",
                "while ((c = f()) != (-1) )",
            ),
            (
                "for (n = 0; sizeof (g(&c)); n++)",
                "for (n = 0; g(&c); n++)",
            ),
            ("while (n < sizeof (int))", "while (n < sizeof (int))"),
        ] {
            assert_eq!(restored(from), to);
        }
    }
}
