//! Assembler statements that save PRIMASK in a variable and write it back, alone or with the instruction that sets it.

use crate::span::Span;
use crate::token::TokenKind;
use crate::tree::{Parent, StmtKind};

use super::{Effect, Weaver};

/// What an instruction of such a statement does; the operand is its only one.
fn meaning(instruction: &str, operand: &str) -> Option<String> {
    let words: Vec<&str> = instruction.split([' ', '\t', ',']).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let is_operand = |word: &str| word.starts_with('%');
    Some(match words[..] {
        [] | ["nop" | "dsb" | "isb" | "dmb", ..] => String::new(),
        ["cpsid", "i"] => Effect::Disable.text().to_owned(),
        ["cpsie", "i"] => Effect::Enable.text().to_owned(),
        ["mrs", to, "primask"] if is_operand(to) => format!("{operand} = interrupts_masked;"),
        ["msr", "primask", from] if is_operand(from) => {
            let enable = Effect::Enable.text();
            let disable = Effect::Disable.text();
            format!("if ({operand} & 1) {disable} else {enable}")
        }
        _ => return None,
    })
}

impl Weaver<'_> {
    /// Gives the statements that may run their meaning.
    pub(super) fn primask(&mut self) {
        let tree = &self.unit.tree;
        let mut found = Vec::new();
        for (id, stmt) in tree.stmts.iter() {
            let function = tree.function_of(Parent::Stmt(id));
            let Some(function) = function.filter(|f| self.reached.contains(f)) else {
                continue;
            };
            let is_assembler = matches!(stmt.kind, StmtKind::Asm { is_goto: false, .. });
            if !is_assembler || self.replaced(stmt.span.start) {
                continue;
            }
            if let (Some(text), Some(body)) =
                (self.primask_of(stmt.span), &tree.functions[function].body)
            {
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

    /// A statement that reads or writes PRIMASK, in C; `None` for others.
    fn primask_of(&self, stmt: Span) -> Option<String> {
        let tokens = &self.unit.tokens;
        let text = |at: usize| tokens.tokens.get(at).map(|t| self.unit.text_of(t.span));
        let within = |at: &usize| {
            tokens
                .tokens
                .get(*at)
                .is_some_and(|t| t.span.end <= stmt.end)
        };
        let first = tokens.at_or_after(stmt.start);
        let is_string = |at: &usize| tokens.tokens[*at].kind == TokenKind::Str;
        let strings = (first..).take_while(within).skip_while(|at| !is_string(at));
        let template: Vec<usize> = strings.take_while(is_string).collect();
        let behind = template.last()? + 1;
        // The only operand: the group behind a constraint.
        let mut operands = (behind..).take_while(within).filter(|at| {
            text(*at) == Some("(") && text(at - 1).is_some_and(|before| before.ends_with('"'))
        });
        let open = operands.next()?;
        if operands.next().is_some() {
            return None;
        }
        let close = *tokens.mates.get(open)? as usize;
        let operand = Span::new(
            tokens.tokens[open].span.start,
            tokens.tokens[close].span.end,
        );
        let operand = self.unit.text_of(operand);
        let template: String = template.iter().filter_map(|at| text(*at)).collect();
        let template = template
            .replace("\\n", ";")
            .replace("\\t", " ")
            .replace('"', "");
        let template = template.to_lowercase();
        if !template.contains("primask") || operand.contains('\n') {
            return None;
        }
        let parts = template.split(';').map(|part| meaning(part, operand));
        let parts: Vec<String> = parts.collect::<Option<_>>()?;
        Some(parts.join(" "))
    }
}
