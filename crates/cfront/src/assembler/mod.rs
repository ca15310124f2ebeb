//! Assembler statements of well-known x86 instructions, written in C before the program is read: increments,
//! exchanges, bit operations and conditions, as kernels use them for counters, locks and bits. Model checkers
//! skip assembler. Other statements stay as they are (Intel 64 and IA-32 Architectures Software Developer's
//! Manual, volume 2; GCC manual, "Extended Asm").

mod instructions;
mod operand;
mod statement;

use crate::source::Source;
use crate::span::Span;
use crate::token::Tokens;
use crate::tree::{ExprKind, Resolved, Tree};
use crate::types::{Class, Type};

/// A program text whose well-known assembler statements that write something are in C; `None` if it has none.
/// Every line keeps its number. Linear in the length of the text.
pub(crate) fn in_c(source: &Source) -> Option<Source> {
    if !source.text.contains("asm") {
        return None;
    }
    let tokens = Tokens::lex(&source.text, true).ok()?;
    let replaced = statement::all(&source.text, &tokens);
    if replaced.is_empty() {
        return None;
    }
    let mut bytes = Vec::with_capacity(source.bytes.len());
    let mut at = 0;
    for (span, text) in replaced {
        bytes.extend_from_slice(&source.bytes[at..span.start]);
        bytes.extend_from_slice(text.as_bytes());
        let lines = Span::new(span.start, span.end).of(&source.text);
        bytes.extend(lines.bytes().filter(|b| *b == b'\n'));
        at = span.end;
    }
    bytes.extend_from_slice(&source.bytes[at..]);
    let mut changed = Source::from_bytes(bytes);
    changed.files.clone_from(&source.files);
    Some(changed)
}

/// Whether the operands of all atomic operations are numbers or pointers, so that the compiler accepts them.
pub(crate) fn is_typed(tree: &Tree) -> bool {
    tree.exprs.iter().all(|(_, e)| {
        let ExprKind::Call { callee, args, .. } = &e.kind else {
            return true;
        };
        let atomic = matches!(&tree.exprs[*callee].kind,
            ExprKind::Ident(Resolved::Unknown(name)) if name.starts_with("__atomic_") || name.starts_with("__sync_"));
        let (true, Some(&object)) = (atomic, args.first()) else {
            return true;
        };
        let Some(of) = tree.types.pointee(tree.exprs[object].ty) else {
            return false;
        };
        let real = matches!(tree.types.get(of), Type::Float(_));
        !real && matches!(tree.types.class(of), Class::Scalar | Class::Pointer)
    })
}
