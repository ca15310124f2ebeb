//! Assembler statements whose effect is not known, with any values of their outputs.
//!
//! Their constraints promise that they write nothing else (GCC manual, "Extended Asm"), so this program has all runs of
//! the other, and more: what holds on all of its runs holds. A violation on one of them says nothing.

use crate::parse::Unit;
use crate::source::Source;
use crate::span::{ObjectId, Span};
use crate::tree::{Parent, StmtKind};

/// The beginning of the names of the functions that give the values.
const GIVES: &str = "nondet_assembler_";

/// A program with more runs.
#[derive(Clone, Debug)]
pub struct AnyOutputs {
    /// Its text, in which every line of the program has its number.
    pub source: Source,
    /// The statements in the program.
    pub places: Vec<Span>,
}

/// The program in which statements that write only variables of integer types assign any values to these; `None` if it
/// has none. All others stay. Linear in the program.
pub fn any_outputs(unit: &Unit) -> Option<AnyOutputs> {
    let tree = &unit.tree;
    let mut changes: Vec<(Span, String)> = Vec::new();
    let mut places = Vec::new();
    let mut count = 0;
    for (id, stmt) in tree.stmts.iter() {
        let StmtKind::Asm {
            is_goto: false,
            writes: true,
            memory: false,
            outputs: Some(outputs),
            ..
        } = &stmt.kind
        else {
            continue;
        };
        let named = tree.named_by_assembler(stmt);
        let written: Vec<ObjectId> = named
            .filter(|(_, span)| outputs.contains(span))
            .map(|(object, _)| object)
            .collect();
        let function = tree
            .function_of(Parent::Stmt(id))
            .map(|f| &tree.functions[f]);
        let function = function.filter(|f| !f.in_system_header);
        let Some(body) = function.and_then(|f| f.body.as_ref()) else {
            continue;
        };
        let integers = written
            .iter()
            .all(|o| tree.types.is_integer(tree.objects[*o].ty));
        if written.is_empty() || written.len() != outputs.len() || !integers {
            continue;
        }
        let (mut declared, mut assigned) = (String::new(), String::new());
        for object in written {
            let object = &tree.objects[object];
            let name = format!("{GIVES}{count}");
            let mut ty = object.ty;
            ty.quals = Default::default();
            let declaration = tree
                .types
                .declare(ty, &format!("{name}(void)"), tree.file_scope());
            let Some(declaration) = declaration else {
                declared.clear();
                break;
            };
            declared += &format!("extern {declaration}; ");
            assigned += &format!("{} = {name}(); ", object.name);
            count += 1;
        }
        if declared.is_empty() {
            continue;
        }
        changes.push((Span::empty(body.span.start), declared));
        changes.push((
            stmt.span,
            format!("{{ {assigned}}}{}", unit.lines_of(stmt.span)),
        ));
        places.push(stmt.span);
    }
    if places.is_empty() {
        return None;
    }
    changes.sort_by_key(|(span, _)| (span.start, span.end));
    let source = &unit.source;
    let (mut bytes, mut at) = (Vec::with_capacity(source.bytes.len()), 0);
    for (span, text) in changes {
        bytes.extend_from_slice(&source.bytes[at..span.start]);
        bytes.extend_from_slice(text.as_bytes());
        at = span.end;
    }
    bytes.extend_from_slice(&source.bytes[at..]);
    let source = Source {
        files: source.files.clone(),
        ..Source::from_bytes(bytes)
    };
    Some(AnyOutputs { source, places })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn made(text: &str) -> Option<String> {
        let unit = Unit::parse(Source::from_bytes(text.as_bytes().to_vec())).unwrap();
        let made = any_outputs(&unit)?;
        let text = made.source.text.clone();
        Unit::parse(made.source).unwrap();
        Some(text)
    }

    #[test]
    fn integers_get_any_values() {
        let program = "typedef unsigned long u64; int n;\nstatic int f(int k)\n{ volatile u64 t; if (k) asm volatile(\"rdtsc\\n\"\n : \"=A\"(t), \"=r\"(n)); else n = 2;\n return (int)t; }";
        let text = made(program).unwrap();
        assert_eq!(text, "typedef unsigned long u64; int n;\nextern unsigned long nondet_assembler_0(void); extern int nondet_assembler_1(void); static int f(int k)\n{ volatile u64 t; if (k) { t = nondet_assembler_0(); n = nondet_assembler_1(); }\n else n = 2;\n return (int)t; }");
    }

    #[test]
    fn what_may_write_more_stays() {
        for statement in [
            "asm(\"fancy %0\" : \"=r\"(p));",
            "asm(\"fancy %0\" : \"=r\"(*p));",
            "asm(\"fancy %0\" : \"=r\"(n) : \"r\"(p) : \"memory\");",
            "asm(\"fancy %0\" : : \"r\"(p) : \"memory\");",
            "asm goto(\"fancy %l0\" : : : : out); out: ;",
        ] {
            let program = format!("int n; void f(int *p) {{ {statement} }}");
            assert_eq!(made(&program), None, "{statement}");
        }
    }
}
