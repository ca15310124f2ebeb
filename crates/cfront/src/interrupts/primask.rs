//! Assembler statements that save PRIMASK in a variable and write it back, alone or with the instruction that sets it.

use crate::assembler::{instructions, statements, Instruction, Statement};
use crate::tree::{Parent, StmtKind};

use super::{Effect, Weaver};

/// What an instruction of such a statement does; the operand is its only one.
fn meaning(instruction: &Instruction, operand: &str) -> Option<String> {
    let words = [instruction.name.as_str()].into_iter();
    let words = words.chain(instruction.operands.iter().copied());
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let is_operand = |word: &str| word.starts_with('%');
    Some(match words[..] {
        ["nop" | "dsb" | "isb" | "dmb", ..] => String::new(),
        ["cpsid", "i"] => Effect::Disable.text().to_owned(),
        ["cpsie", "i"] => Effect::Enable.text().to_owned(),
        ["mrs", to, "primask"] if is_operand(to) => format!("{operand} = interrupts__masked;"),
        ["msr", "primask", from] if is_operand(from) => {
            let enable = Effect::Enable.text();
            let disable = Effect::Disable.text();
            format!("if ({operand} & 1) {disable} else {enable}")
        }
        _ => return None,
    })
}

/// A statement that reads or writes PRIMASK, in C; `None` for others.
fn in_c(statement: &Statement) -> Option<String> {
    let [operand] = &statement.operands[..] else {
        return None;
    };
    if !statement.template.to_lowercase().contains("primask") {
        return None;
    }
    let all = instructions(&statement.template)?;
    let parts = all.iter().map(|one| meaning(one, &operand.text));
    let parts: Vec<String> = parts.collect::<Option<_>>()?;
    Some(parts.join(" "))
}

impl Weaver<'_> {
    /// Gives the statements that may run their meaning.
    pub(super) fn primask(&mut self) {
        let tree = &self.unit.tree;
        let all = statements(self.unit.text(), &self.unit.tokens);
        let in_c = |start| {
            let at = all.binary_search_by_key(&start, |s| s.span.start).ok()?;
            in_c(&all[at])
        };
        let mut found = Vec::new();
        for (id, stmt) in tree.stmts.iter() {
            let is_assembler = matches!(stmt.kind, StmtKind::Asm { is_goto: false, .. });
            if !is_assembler || self.replaced(stmt.span.start) {
                continue;
            }
            let function = tree.function_of(Parent::Stmt(id));
            let function = function.filter(|f| self.reached.contains(f));
            let body = function.and_then(|f| tree.functions[f].body.as_ref());
            if let (Some(text), Some(body)) = (in_c(stmt.span.start), body) {
                found.push((stmt.span, text, body.span.start));
            }
        }
        for (span, text, start) in found {
            self.insert_once(start, Effect::Disable.declarations());
            self.insert_once(start, Effect::Enable.declarations());
            self.note(Effect::Disable);
            let text = format!("{{ {text} }}{}", self.lines(span));
            self.changes.insert((span.start, span.end), text);
        }
    }
}
