//! Instructions about interrupts in assembler statements.

use super::Effect;
use crate::assembler::template;

/// The instructions of an assembler statement in small letters, one blank between their words; none if it cannot be read.
fn lines(text: &str) -> Vec<String> {
    let template = template(text).unwrap_or_default();
    let lines = template.split(['\n', ';']).map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.join(" ").to_lowercase()
    });
    lines.filter(|line| !line.is_empty()).collect()
}

/// Whether an assembler statement of AVR saves the status register first and writes it back, as avr-libc's for the
/// watchdog do: behind it, handlers are kept off as before.
pub(super) fn restores(text: &str) -> bool {
    let lines: Vec<String> = lines(text)
        .iter()
        .map(|line| line.replace(' ', ""))
        .collect();
    let (saved, restored) = ("in__tmp_reg__,__sreg__", "out__sreg__,__tmp_reg__");
    let about = |line: &&String| line.contains("__sreg__") || line.contains("__tmp_reg__");
    let Some(back) = lines.iter().position(|line| line == restored) else {
        return false;
    };
    lines.first().is_some_and(|line| line == saved)
        && lines.iter().filter(about).count() == 2
        && !lines.iter().any(|line| line == "sei")
        && !lines[back..].iter().any(|line| line == "cli")
}

/// The effect of an assembler statement that consists of one instruction about interrupts, besides
/// barriers and `nop`.
pub(super) fn instruction(text: &str) -> Option<Effect> {
    let mut effects = Vec::new();
    for line in lines(text) {
        match line.as_str() {
            "cli" | "cpsid i" => effects.push(Effect::Disable),
            "sei" | "cpsie i" => effects.push(Effect::Enable),
            "sleep" | "wfi" => effects.push(Effect::Sleep),
            "wfe" => effects.push(Effect::Wait),
            "sev" => effects.push(Effect::Event),
            "nop" | "dsb" | "isb" | "dmb" => {}
            _ => return None,
        }
    }
    match effects[..] {
        [effect] => Some(effect),
        _ => None,
    }
}
