//! Side effects that model checkers leave out or repeat: in the sizes of parameters (`int a[i++]`), behind the first argument of
//! `__builtin_expect`, and in the operands of assembler statements.

use std::collections::HashSet;

use crate::access::is_pure;
use crate::allocations::called_name;
use crate::parse::Unit;
use crate::span::Span;
use crate::tree::{ExprKind, StmtKind};

/// The first such place, and what is there; `None` if there is none. Linear in the program.
pub fn matter(unit: &Unit) -> Option<(Span, &'static str)> {
    let functions = unit.tree.functions.iter();
    let effects = Effects {
        unit,
        functions: functions.map(|(_, f)| f.name.as_str()).collect(),
    };
    effects
        .in_sizes()
        .or_else(|| hints(unit))
        .or_else(|| effects.in_operands())
}

/// What finds effects in parts of the text.
struct Effects<'a> {
    unit: &'a Unit,
    /// The names of all functions.
    functions: HashSet<&'a str>,
}

/// What the compiler is told about a condition, with an effect.
fn hints(unit: &Unit) -> Option<(Span, &'static str)> {
    let tree = &unit.tree;
    let mut calls = tree.exprs.iter().filter_map(|(id, expr)| {
        let ExprKind::Call { args, .. } = &expr.kind else {
            return None;
        };
        let is_hint =
            called_name(tree, id).is_some_and(|name| name.starts_with("__builtin_expect"));
        let told = args.iter().skip(1).filter(|_| is_hint && !expr.unevaluated);
        told.copied().find(|told| !is_pure(tree, *told))
    });
    let place = calls.next().map(|told| tree.exprs[told].span);
    place.map(|place| (place, "in what `__builtin_expect` is told"))
}

impl Effects<'_> {
    /// A size of a parameter with an effect.
    fn in_sizes(&self) -> Option<(Span, &'static str)> {
        let unit = self.unit;
        let functions = unit.tree.functions.iter();
        let bodies = functions.filter_map(|(_, f)| f.body.as_ref());
        let mut found = bodies.filter_map(|body| {
            let block = unit.tree.stmts[body.block].span;
            let header = Span::new(body.declarator.start, block.start);
            let tokens = &unit.tokens;
            let mut index = tokens.at_or_after(header.start);
            while tokens.tokens.get(index)?.span.start < header.end {
                let token = &tokens.tokens[index];
                if unit.text_of(token.span) == "[" {
                    let close = tokens
                        .tokens
                        .get(usize::try_from(tokens.mates[index]).ok()?)?;
                    let size = Span::new(token.span.start, close.span.end);
                    if let Some(place) = self.effect(size) {
                        return Some(place);
                    }
                }
                index += 1;
            }
            None
        });
        found
            .next()
            .map(|place| (place, "in the size of a parameter"))
    }

    /// An operand of an assembler statement with an effect.
    fn in_operands(&self) -> Option<(Span, &'static str)> {
        let unit = self.unit;
        let statements = unit.tree.stmts.iter();
        let assembler = statements.filter(|(_, s)| matches!(s.kind, StmtKind::Asm { .. }));
        let mut found = assembler.filter_map(|(_, stmt)| {
            let tokens = &unit.tokens;
            let open = (tokens.at_or_after(stmt.span.start)..)
                .take_while(|index| tokens.tokens.get(*index).is_some())
                .find(|index| unit.text_of(tokens.tokens[*index].span) == "(")?;
            let close = tokens
                .tokens
                .get(usize::try_from(tokens.mates[open]).ok()?)?;
            self.effect(Span::new(tokens.tokens[open].span.end, close.span.start))
        });
        let place = found.next();
        place.map(|place| (place, "in an operand of an assembler statement"))
    }

    /// An assignment, an increment or a call of a function in a part of the text.
    fn effect(&self, part: Span) -> Option<Span> {
        let unit = self.unit;
        let within = |span: Span| part.start <= span.start && span.end <= part.end;
        let tokens = &unit.tokens.tokens;
        let first = unit.tokens.at_or_after(part.start);
        let inside = (first..tokens.len()).take_while(|index| within(tokens[*index].span));
        let text = |index: usize| tokens.get(index).map_or("", |t| unit.text_of(t.span));
        let mut found = inside.filter(|&index| match text(index) {
            "++" | "--" | "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<="
            | ">>=" => {
                // Designators in literals are no assignments.
                !matches!(text(index.wrapping_sub(2)), ".")
            }
            name => text(index + 1) == "(" && self.functions.contains(name),
        });
        found.next().map(|index| tokens[index].span)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Source;

    fn place(text: &str) -> Option<(usize, &'static str)> {
        let unit = Unit::parse(Source::from_bytes(text.as_bytes().to_vec())).unwrap();
        matter(&unit).map(|(span, what)| (span.start, what))
    }

    #[test]
    fn effects_that_are_left_out_have_a_place() {
        for (text, at, what) in [
            ("int f(int i, int a[i++]) { return i; }", "++", "parameter"),
            (
                "int n(void); int f(int a[n()]) { return 0; }",
                "n()",
                "parameter",
            ),
            (
                "int f(int z) { return __builtin_expect(z > 1, z++); }",
                "z++",
                "expect",
            ),
            (
                "int *n(void); void f(void) { asm(\"\" : \"+r\"(*n())); }",
                "n())",
                "assembler",
            ),
            (
                "void f(int i) { asm volatile(\"\" : : \"r\"(i++)); }",
                "++)",
                "assembler",
            ),
        ] {
            let found = place(text).unwrap();
            assert_eq!(found.0, text.rfind(at).unwrap(), "{text}");
            assert!(found.1.contains(what), "{text}");
        }
        for text in [
            "int f(int i, int a[i + 1]) { int b[i++]; return i; }",
            "int f(int z) { return __builtin_expect(z++ > 1, 0); }",
            "int g(int); void f(int *p) { asm(\"fancy %0\" : \"=r\"(*p) : \"r\"((long)(p[1])) : \"memory\"); g(1); }",
            "int g(int a[g(1)]);",
        ] {
            assert_eq!(place(text), None, "{text}");
        }
    }
}
