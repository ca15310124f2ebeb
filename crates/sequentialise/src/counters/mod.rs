//! Counters that only grow and are only compared with each other: tickets, generations, free-running positions of
//! rings, numbers of versions. A state in which all of them are greater by the same amount goes on alike
//! (a shift is an automorphism of the program), so that one state of each class need be visited: the
//! step form takes an amount off all of them after each step, and has finitely many states where their differences are bounded
//! (symmetry reduction: Clarke, Enders, Filkorn and Jha, *Exploiting symmetry in temporal logic model checking*, 1996).
//!
//! Which variables belong together is found by unification, as types are inferred: each integer variable has a class; copies,
//! comparisons for equality and differences unite classes; a sum with a constant stays in its class; whatever else a program does with a
//! value, or a constant that is stored, makes its class one whose values count, and stays as it is. All of this is so modulo
//! powers of two, so that it stands whatever wraps around.

mod calls;
mod classes;
mod flow;
mod memory;
mod model;
mod text;
mod values;

use std::collections::BTreeSet;

use cfront::consteval::eval;
use cfront::tree::{BinaryOp, Expr, ExprKind, Resolved, Storage};
use cfront::{ExprId, Unit};

use classes::Key;
use flow::Walk;

/// The definition of the function [`cfront::stepped::SHIFT`] for a program in step form that was made with `Options::shifts`; `None` if it has no such counters. What
/// the objects with the names in `observed` hold is asked about.
pub fn shift(unit: &Unit, observed: &BTreeSet<String>) -> Option<String> {
    if has_aliases(unit) {
        return None;
    }
    let mut walk = Walk::new(unit);
    walk.program()?;
    let mut classes = walk.classes;
    for (id, object) in unit.tree.objects.iter() {
        let named = observed.contains(&object.name);
        let lasts = object.is_static_duration();
        let elsewhere = lasts && (!object.defined || object.in_system_header);
        let hidden = object.storage == Storage::StaticLocal || object.thread_local;
        if named || elsewhere || hidden || object.ty.quals.is_const {
            let node = classes.of(&unit.tree, Key::Object(id));
            classes.expose(node);
        }
    }
    classes.settle(&unit.tree);
    text::shift(unit, &mut classes, (walk.begins, walk.memory))
}

/// Whether an attribute may give one object two names.
fn has_aliases(unit: &Unit) -> bool {
    let mut tokens = unit.tokens.tokens.iter();
    tokens.any(|t| matches!(unit.text_of(t.span), "alias" | "__alias__"))
}

/// Whether a program may have such counters: something grows by a constant, and values that are not constant are compared
/// or subtracted, or remainders are taken.
pub fn may_shift(unit: &Unit) -> bool {
    let tree = &unit.tree;
    let mut exprs = tree.exprs.iter();
    let constant = |id: &ExprId| eval(tree, *id).is_some();
    let called = |callee: ExprId| match &tree.exprs[callee].kind {
        ExprKind::Ident(Resolved::Unknown(name)) => name.clone(),
        ExprKind::Ident(Resolved::Function(f)) => tree.functions[*f].name.clone(),
        _ => String::new(),
    };
    let grows = exprs.any(|(_, e)| match &e.kind {
        ExprKind::IncDec { .. } | ExprKind::Assign { op: Some(_), .. } => true,
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => constant(a) != constant(b),
        ExprKind::Call { callee, .. } => calls::adds(&called(*callee)),
        _ => false,
    });
    let is_number = |id: &ExprId| tree.types.is_integer(tree.exprs[*id].ty) && !constant(id);
    let mut exprs = tree.exprs.iter();
    let relates = |e: &Expr| match &e.kind {
        ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Sub, a, b) => {
            is_number(a) && is_number(b)
        }
        ExprKind::Binary(BinaryOp::BitAnd | BinaryOp::Rem, a, b) => is_number(a) != is_number(b),
        ExprKind::Call { callee, .. } => called(*callee).contains("compare"),
        _ => false,
    };
    grows && exprs.any(|(_, e)| relates(e))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// The function for a program with these variables and this step of a thread.
    fn shifted(variables: &str, step: &str) -> Option<String> {
        let text = format!(
            "_Bool sequential_on[2]; int nondet(void); unsigned next, serving; static unsigned sequential_1_mine;\n{variables}\n\
             static void sequential_shift(void) {{ }}\nstatic void sequential_thread_1(void) {{ {step} }}\n\
             int main(void) {{ for (;;) {{ sequential_thread_1(); sequential_shift(); }} }}"
        );
        let unit = Unit::parse(cfront::Source::from_bytes(text.into())).unwrap();
        shift(&unit, &BTreeSet::new())
    }

    #[test]
    fn tickets_are_shifted_together() {
        let text = shifted("", "sequential_1_mine = __atomic_fetch_add(&next, 1, 5); if (serving == sequential_1_mine) serving++;").unwrap();
        for name in ["next", "serving", "sequential_1_mine"] {
            assert!(
                text.contains(&format!(
                    "{name} = (unsigned int){name} - sequential_amount;"
                )),
                "{text}"
            );
        }
        assert!(
            text.contains("sequential_amount = (unsigned int)next;"),
            "{text}"
        );
    }

    #[test]
    fn remainders_by_powers_of_two_are_kept() {
        let text = shifted(
            "int slot[8];",
            "if (next - serving < 8) { slot[next & 7] = 1; next++; } else serving = serving + 1;",
        )
        .unwrap();
        assert!(
            text.contains("(unsigned int)next & ~(unsigned int)7;"),
            "{text}"
        );
        let text = shifted(
            "int slot[4];",
            "slot[next % 4] = 1; next++; serving = next;",
        )
        .unwrap();
        assert!(text.contains("~(unsigned int)3;"), "{text}");
    }

    #[test]
    fn values_that_count_stay() {
        for step in [
            "next++; if (next == 5) serving = next;",
            "next++; if (next < serving) serving = next;",
            "next++; if (next) serving = next;",
            "next++; serving = next; serving = 0;",
            "next++; serving = next; if (serving % 3) return;",
            "next++; serving = next * 2;",
            "next++; serving = next + serving;",
            "next++; serving = nondet(); if (next != serving) return;",
            "next++; serving = next; { unsigned *p = &serving; *p = 1; }",
            "next++; serving = next; { unsigned char c = serving; if (c == serving) return; }",
            "next++; serving = next; { unsigned long l = serving; if (l == next) return; }",
            "next++; if (next != serving) __atomic_store_n(&serving, 7, 5);",
            "next++; if (next != serving) return; switch (serving) { case 1: return; }",
            "next++; serving = next; nondet_of(&serving);",
            "next++; serving = next; *(char *)&next = 1;",
            "next++; serving = next; { long at = (long)&next; *(unsigned *)at = 1; }",
        ] {
            assert_eq!(shifted("void nondet_of(unsigned *);", step), None, "{step}");
        }
    }

    #[test]
    fn pointers_are_followed() {
        let step = "unsigned *p = &next; (*p)++; if (*q == sequential_1_mine) return; sequential_1_mine = *p;";
        let text = shifted("unsigned *q = &serving;", step).unwrap();
        assert!(
            text.contains("serving = (unsigned int)serving - sequential_amount;"),
            "{text}"
        );
        assert_eq!(
            shifted("unsigned *q = &serving;", &format!("{step} *q = 0;")),
            None
        );
        assert_eq!(
            shifted(
                "unsigned *q[1] = { &serving };",
                &step.replace("*q", "*q[0]")
            ),
            None
        );
    }

    #[test]
    fn what_main_does_before_it_starts_threads_is_one_state() {
        let program = |on: &str, main: &str| {
            let text = format!(
                "_Bool sequential_on[2] = {on}; unsigned sequential_pc[2]; unsigned next, serving;\n\
                 static _Bool sequential_begun(void) {{ return sequential_on[1]; }} void begin(unsigned *p) {{ *p = 0; }}\n\
                 static void sequential_shift(void) {{ }} static void sequential_thread_0(void) {{ {main} }}\n\
                 static void sequential_thread_1(void) {{ next++; if (serving != next) return; }}\n\
                 int main(void) {{ for (;;) {{ sequential_thread_0(); sequential_thread_1(); sequential_shift(); }} }}"
            );
            let unit = Unit::parse(cfront::Source::from_bytes(text.into())).unwrap();
            shift(&unit, &BTreeSet::new())
        };
        let starts = "sequential_p0: ; begin(&next); serving = 5; sequential_pc[0] = 1; return; sequential_p1: ; sequential_on[1] = 1;";
        let text = program("{ 1 }", starts).unwrap();
        assert!(text.contains("if (!sequential_begun()) return;"), "{text}");
        assert_eq!(program("{ 1, 1 }", starts), None);
        for later in [
            "begin(&next);",
            "serving = 5;",
            "sequential_pc[0] = 0; return;",
            "sequential_pc[0] = 1; return;",
        ] {
            assert_eq!(
                program("{ 1 }", &format!("{starts} {later}")),
                None,
                "{later}"
            );
        }
    }

    #[test]
    fn members_have_one_class_in_all_objects() {
        let lock = "struct lock { unsigned next, owner; } one;";
        let step = "struct lock *l = &one; sequential_1_mine = l->next++; if (l->owner == sequential_1_mine) l->owner++;";
        let text = shifted(lock, step).unwrap();
        assert!(
            text.contains("one.owner = (unsigned int)one.owner - sequential_amount;"),
            "{text}"
        );
        let other = "struct lock { unsigned next, owner; } one, two;";
        assert_eq!(shifted(other, &format!("{step} two.next = 3;")), None);
        assert_eq!(shifted(lock, &format!("{step} *(char *)&one = 3;")), None);
        let union = "union lock { unsigned next; int owner; } one;";
        assert_eq!(shifted(union, &step.replace("struct", "union")), None);
    }

    #[test]
    fn what_lies_elsewhere_or_has_two_names_stays() {
        let step = "next++; far = next;";
        assert!(shifted("unsigned far;", step).is_some());
        for far in [
            "extern unsigned far;",
            "_Thread_local unsigned far;",
            "unsigned far __attribute__((alias(\"next\")));",
            "const unsigned far;",
        ] {
            assert_eq!(shifted(far, step), None, "{far}");
        }
        let inside = "static unsigned far; next++; far = next;";
        assert_eq!(shifted("", inside), None);
    }

    #[test]
    fn what_is_asked_about_stays() {
        let step = "next++; serving = next;";
        let text = format!("unsigned next, serving; void sequential_shift(void) {{ }} int main(void) {{ for (;;) {{ {step} }} }}");
        let unit = Unit::parse(cfront::Source::from_bytes(text.into())).unwrap();
        assert!(shift(&unit, &BTreeSet::new()).is_some());
        assert_eq!(shift(&unit, &BTreeSet::from(["serving".to_owned()])), None);
    }
}
