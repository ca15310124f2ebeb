//! Instructions that only an operating system may run, where the program is run as another one is: `cli` and the like end the
//! process there, as an error of the program; and those of other processors (`dsb` of Arm, `wdr` of AVR), which its compiler does not
//! know. Where they write nothing of the program, they are barriers for the compiler.

use super::instructions::{instructions, is_harmless};
use super::statement::{self, Statement};
use crate::token::Tokens;

const PRIVILEGED: [&str; 36] = [
    "cli", "sti", "hlt", "popf", "popfq", "popfl", "wrmsr", "invlpg", "wbinvd", "swapgs", "clac",
    "stac", "out", "outb", "outw", "outl", "in", "inb", "inw", "inl", "rdmsr", "rdpmc", "msr",
    "mrs", "clrex", "cpsid", "cpsie", "dsb", "dmb", "isb", "wfi", "wfe", "sev", "sei", "sleep",
    "wdr",
];

/// The text without such instructions that write nothing; `None` if it has none. Linear in its length.
pub fn without_privileged(text: &str) -> Option<String> {
    if !text.contains("asm") {
        return None;
    }
    let tokens = Tokens::lex(text, true).ok()?;
    let (mut out, mut at) = (String::new(), 0);
    let all = statement::all(text, &tokens);
    for Statement { span, .. } in all.into_iter().filter(is_privileged) {
        out.push_str(&text[at..span.start]);
        out.push_str("__asm__ __volatile__(\"\" : : : \"memory\")");
        // Every line keeps its number.
        out.extend(text[span.start..span.end].chars().filter(|c| *c == '\n'));
        at = span.end;
    }
    (at > 0).then(|| out + &text[at..])
}

fn is_privileged(statement: &Statement) -> bool {
    let writes = statement.labels.is_some() || statement.operands.iter().any(|o| o.output);
    let named = |list: Vec<super::Instruction>| {
        let mut names = list.iter().map(|i| i.name.to_lowercase());
        names.any(|name| PRIVILEGED.contains(&name.as_str()))
    };
    let template = &statement.template;
    !writes && is_harmless(template) && instructions(template).is_some_and(named)
}

#[cfg(test)]
mod tests {
    use super::without_privileged;

    #[test]
    fn they_are_barriers() {
        let barrier = "__asm__ __volatile__(\"\" : : : \"memory\")";
        for privileged in [
            "asm volatile(\"cli\" : : : \"memory\")",
            "__asm__(\"push %0 ; popf\" : : \"g\"(flags) : \"memory\", \"cc\")",
            "asm volatile(\"sti; hlt\")",
            "asm volatile(\"dsb 0xF\" : : : \"memory\")",
            "asm volatile(\"MSR primask, %0\" : : \"r\"(flags) : \"memory\")",
            "asm volatile(\"wdr\")",
        ] {
            let made = without_privileged(&format!("void f(long flags) {{ {privileged}; }}"));
            let wanted = format!("void f(long flags) {{ {barrier}; }}");
            assert_eq!(made.as_deref(), Some(wanted.as_str()));
        }
        for other in [
            "asm volatile(\"\" : : : \"memory\")",
            "asm(\"rdmsr\" : \"=a\"(n))",
            "asm(\"mrs %0, primask\" : \"=r\"(n))",
            "asm(\"cli; strange\")",
        ] {
            let text = format!("void f(int n) {{ {other}; }}");
            assert_eq!(without_privileged(&text), None, "{other}");
        }
    }
}
