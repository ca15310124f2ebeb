//! What assembler statements order: barriers of memory.
//!
//! Intel 64 and IA-32 Architectures Software Developer's Manual, volume 3, 8.2; Arm Architecture Reference Manual, B2.3; Power ISA,
//! book II, 4.6.3; RISC-V Unprivileged ISA, 2.7; SPARC Architecture Manual, version 9, 8.4.4.

use super::instructions::{instructions, Instruction};
use super::statement;
use crate::source::Source;
use crate::span::Span;
use crate::token::Tokens;

/// What an assembler statement orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barrier {
    /// Nothing: it has no barrier, or keeps only the compiler from moving accesses.
    Nothing,
    /// Stores before it become visible before those behind it.
    Stores,
    /// Loads before it are done before what is behind it.
    Loads,
    /// All accesses before it come before all behind it.
    Full,
    /// Instructions that are not known stand beside memory, or the compiler may move accesses across the barrier.
    Unknown,
}

/// The assembler statements of a text, without their semicolons, and what each orders. Linear in its length.
pub fn barriers(source: &Source) -> Vec<(Span, Barrier)> {
    if !source.text.contains("asm") {
        return Vec::new();
    }
    let Ok(tokens) = Tokens::lex(&source.text, true) else {
        return Vec::new();
    };
    let all = statement::all(&source.text, &tokens).into_iter();
    all.map(|s| (s.span, ordered(&s.template, s.memory)))
        .collect()
}

/// What a template orders; `memory` if the compiler moves no accesses across it.
fn ordered(template: &str, memory: bool) -> Barrier {
    match (of_template(template), memory) {
        (Some(Barrier::Nothing), _) | (None, false) => Barrier::Nothing,
        (Some(barrier), true) => barrier,
        _ => Barrier::Unknown,
    }
}

fn of_template(template: &str) -> Option<Barrier> {
    // Its operands look like comments.
    if let Some(mask) = template.trim().strip_prefix("membar") {
        return Some(match mask {
            _ if mask.contains("#StoreLoad") || mask.contains("#Sync") => Barrier::Full,
            _ if mask.contains("#StoreStore") => Barrier::Stores,
            _ => Barrier::Loads,
        });
    }
    let mut all = Barrier::Nothing;
    for one in instructions(template)? {
        all = both(all, of_instruction(&one)?);
    }
    Some(all)
}

fn both(a: Barrier, b: Barrier) -> Barrier {
    match (a, b) {
        (Barrier::Nothing, other) | (other, Barrier::Nothing) => other,
        (a, b) if a == b => a,
        (Barrier::Full, _) | (_, Barrier::Full) => Barrier::Full,
        _ => Barrier::Unknown,
    }
}

fn of_instruction(one: &Instruction) -> Option<Barrier> {
    let operands: Vec<String> = one.operands.iter().map(|o| o.to_lowercase()).collect();
    let operands: Vec<&str> = operands.iter().map(String::as_str).collect();
    Some(match one.name.to_lowercase().as_str() {
        _ if one.locked => Barrier::Full,
        "nop" | "pause" | "yield" | "rep" | "isb" | "isync" => Barrier::Nothing,
        "mfence" | "sync" | "hwsync" => Barrier::Full,
        "sfence" | "lwsync" | "eieio" => Barrier::Stores,
        "lfence" => Barrier::Loads,
        "dmb" | "dsb" => match operands.as_slice() {
            [] | ["sy" | "ish" | "osh" | "nsh"] => Barrier::Full,
            ["st" | "ishst" | "oshst" | "nshst"] => Barrier::Stores,
            ["ld" | "ishld" | "oshld" | "nshld"] => Barrier::Loads,
            _ => return None,
        },
        "fence" => match operands.as_slice() {
            [] | ["rw" | "iorw", "rw" | "iorw"] => Barrier::Full,
            ["w" | "ow", "w" | "ow"] => Barrier::Stores,
            ["r" | "ir", _] => Barrier::Loads,
            _ => return None,
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn barriers_of_machines_are_known() {
        for (text, expected) in [
            ("asm volatile(\"mfence\" ::: \"memory\")", Barrier::Full),
            ("asm volatile(\"mfence\")", Barrier::Unknown),
            ("asm volatile(\"\" ::: \"memory\")", Barrier::Nothing),
            ("asm volatile(\"pause\")", Barrier::Nothing),
            (
                "__asm__ __volatile__(\"lock; addl $0,-4(%%rsp)\" : : : \"cc\", \"memory\")",
                Barrier::Full,
            ),
            ("asm volatile(\"dmb ish\" ::: \"memory\")", Barrier::Full),
            (
                "asm volatile(\"dmb ishst\" ::: \"memory\")",
                Barrier::Stores,
            ),
            (
                "asm volatile(\"fence w,w\" ::: \"memory\")",
                Barrier::Stores,
            ),
            (
                "asm volatile(\"membar #StoreLoad\" ::: \"memory\")",
                Barrier::Full,
            ),
            (
                "asm volatile(\"lfence; sfence\" ::: \"memory\")",
                Barrier::Unknown,
            ),
            ("asm volatile(\"cpuid\" ::: \"memory\")", Barrier::Unknown),
        ] {
            let program = format!("void f(void) {{ {text}; }}");
            let source = Source::from_bytes(program.into_bytes());
            let found: Vec<Barrier> = barriers(&source).into_iter().map(|(_, b)| b).collect();
            assert_eq!(found, [expected], "{text}");
        }
    }
}
