//! Instructions about interrupts in assembler statements.

use super::Effect;

/// The lines of an assembler statement in small letters, without blanks at their ends.
fn lines(text: &str) -> impl Iterator<Item = String> + '_ {
    let code = text.split('"').skip(1).step_by(2);
    let parts = code
        .flat_map(|string| string.split("\\n"))
        .flat_map(|line| line.split(';'));
    let parts = parts.map(|part| part.replace("\\t", " ").trim().to_lowercase());
    parts.filter(|part| !part.is_empty())
}

/// Whether an assembler statement of AVR saves the status register first and writes it back, as avr-libc's for the
/// watchdog do: behind it, handlers are kept off as before.
pub(super) fn restores(text: &str) -> bool {
    let mut inside = false;
    let end = text.find(|c| {
        inside ^= c == '"';
        c == ':' && !inside
    });
    let lines = lines(&text[..end.unwrap_or(text.len())]);
    let lines: Vec<String> = lines.map(|line| line.replace([' ', '\t'], "")).collect();
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
    let strings = text.split('"').skip(1).step_by(2);
    let template = strings.take(1).next()?;
    let mut effects = Vec::new();
    for part in template.split(['\n', ';']).flat_map(|p| p.split("\\n")) {
        match part.replace("\\t", " ").trim().to_lowercase().as_str() {
            "cli" | "cpsid i" => effects.push(Effect::Disable),
            "sei" | "cpsie i" => effects.push(Effect::Enable),
            "sleep" | "wfi" => effects.push(Effect::Sleep),
            "" | "nop" | "dsb" | "isb" | "dmb" => {}
            _ => return None,
        }
    }
    match effects[..] {
        [effect] => Some(effect),
        _ => None,
    }
}
