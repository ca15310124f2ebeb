//! The mask as the program saves and restores it: AVR's status register, `ATOMIC_BLOCK`, PRIMASK.

use crate::diag::Diagnostic;
use crate::registers::accesses::{access, Access, How};
use crate::registers::places;
use crate::span::{ExprId, Span, StmtId};
use crate::tree::{ForInit, Parent, StmtKind};

use super::{Effect, Weaver, STATUS};

/// The functions of CMSIS that read and write the mask, each with its body.
const FUNCTIONS: [(&str, &str); 2] = [
    ("__get_PRIMASK", "return interrupts__masked;"),
    (
        "__set_PRIMASK",
        "if (mask & 1) interrupts__masked = 1; else interrupts__enable();",
    ),
];

/// What the functions for the status register need in front of their first use.
const DECLARED: &str =
    "static unsigned char interrupts__status(void); static void interrupts__restore(unsigned char); ";

/// AVR's status register, of which only the bit for interrupts is known.
const REGISTER: &str = "static unsigned char interrupts__status(void) { return interrupts__masked ? 0 : 128; }\n\
static void interrupts__restore(unsigned char status) { if (status & 128) interrupts__enable(); else interrupts__masked = 1; }\n";

/// Whether a function's effect on the mask is known, by its name in small letters.
pub(super) fn is_known(name: &str) -> bool {
    FUNCTIONS
        .iter()
        .any(|(known, _)| known.eq_ignore_ascii_case(name))
}

impl Weaver<'_> {
    /// Gives reads and writes of the mask their meaning.
    ///
    /// # Errors
    /// A use of the status register that is not followed.
    pub(super) fn status(&mut self) -> Result<(), Diagnostic> {
        for (name, body) in FUNCTIONS {
            let declared = format!(
                "{}{}",
                Effect::Disable.declarations(),
                Effect::Enable.declarations()
            );
            if self.function_of_mask(name, body, &declared) {
                self.note(Effect::Disable);
            }
        }
        let tree = &self.unit.tree;
        if tree.types.model.int != 16 {
            return Ok(());
        }
        let is_status = |e: &ExprId| places::object(tree, *e).is_some_and(|p| p.address == STATUS);
        let evaluated = tree.exprs.iter().filter(|(_, e)| !e.unevaluated);
        let uses: Vec<ExprId> = evaluated.map(|(id, _)| id).filter(is_status).collect();
        for e in &uses {
            self.status_used(*e)?;
        }
        if !uses.is_empty() {
            self.end.push_str(REGISTER);
            self.blocks()?;
        }
        Ok(())
    }

    /// Puts another body in the place of a function's, with declarations in front of it; returns whether the function
    /// may run.
    pub(super) fn function_of_mask(&mut self, name: &str, body: &str, declared: &str) -> bool {
        let tree = &self.unit.tree;
        let function = tree
            .function_named(name)
            .filter(|f| self.reached.contains(f));
        let Some(function) = function.map(|f| &tree.functions[f]) else {
            return false;
        };
        match &function.body {
            Some(of) => {
                let span = tree.stmts[of.block].span;
                let parameter = of.params.first().map(|p| tree.objects[*p].name.clone());
                let body = body.replace("mask &", &format!("{} &", parameter.unwrap_or_default()));
                let lines = self.unit.text_of(span).matches('\n').count();
                let text = format!("{{ {body} }}{}", "\n".repeat(lines));
                self.changes.insert((span.start, span.end), text);
                self.insert(of.span.start, declared);
            }
            None => {
                let sets = name.starts_with("__set");
                let (ty, parameter) = if sets {
                    ("void", "mask")
                } else {
                    ("unsigned int", "")
                };
                let of = tree.types.function(function.ty);
                let first = of.and_then(|f| f.params.first().copied());
                let scope = tree.file_scope();
                let parameter = match first.and_then(|ty| tree.types.declare(ty, parameter, scope))
                {
                    Some(parameter) if sets => parameter,
                    _ if sets => "unsigned int mask".to_owned(),
                    _ => "void".to_owned(),
                };
                let returned = of.and_then(|f| tree.types.declare(f.ret, "", scope));
                let ty = returned.unwrap_or(ty.to_owned());
                self.end += &format!("{declared}{ty} {name}({parameter}) {{ {body} }}\n");
            }
        }
        true
    }

    fn status_used(&mut self, e: ExprId) -> Result<(), Diagnostic> {
        let tree = &self.unit.tree;
        let Access { whole, how, .. } = access(tree, e);
        let span = tree.exprs[whole].span;
        let refused = |what: &str| {
            let message = format!("{what} the status register here is not followed");
            let help = "save it in a variable, and write that back in a statement of its own";
            Err(Diagnostic::error(span, message).help(help))
        };
        let Some(function) = tree.function_of(Parent::Expr(e)) else {
            return refused("using");
        };
        match how {
            How::Read => {
                let text = format!("interrupts__status(){}", self.lines(span));
                self.changes.insert((span.start, span.end), text);
            }
            How::Write | How::Update { .. } => {
                let Parent::Expr(around) = tree.exprs[whole].parent else {
                    return refused("writing");
                };
                let outer = tree.exprs[around].span;
                if !matches!(tree.exprs[around].parent, Parent::Stmt(_)) {
                    return refused("writing");
                }
                let (begin, until) = match &how {
                    How::Update { op, op_span, .. } => {
                        (format!("interrupts__status() {op} "), op_span.end)
                    }
                    _ => (String::new(), self.assignment_end(span)),
                };
                let lines = self.lines(Span::new(outer.start, until));
                let text = format!("interrupts__restore({begin}({lines}");
                self.changes.insert((outer.start, until), text);
                self.insert(outer.end, "))");
            }
            How::Step { .. } | How::Address => return refused("using"),
        }
        if let Some(body) = &tree.functions[function].body {
            let start = body.span.start;
            self.insert_once(start, DECLARED);
            self.effect_at(start, Effect::Disable);
        }
        Ok(())
    }

    /// The end of the `=` behind an expression.
    pub(super) fn assignment_end(&self, lhs: Span) -> usize {
        let tokens = &self.unit.tokens;
        let sign = tokens.tokens.get(tokens.at_or_after(lhs.end));
        sign.map_or(lhs.end, |token| token.span.end)
    }

    pub(super) fn insert_once(&mut self, at: usize, text: &str) {
        let known = self.changes.get(&(at, at));
        if !known.is_some_and(|known| known.contains(text)) {
            self.insert(at, text);
        }
    }

    /// The ends of lines in a part of the text.
    pub(super) fn lines(&self, part: Span) -> String {
        "\n".repeat(self.unit.text_of(part).matches('\n').count())
    }

    /// `ATOMIC_BLOCK` of avr-libc: a loop with one iteration, whose variable has a function that restores the mask
    /// at the end of its lifetime. The function is called at the end of the iteration.
    fn blocks(&mut self) -> Result<(), Diagnostic> {
        let tree = &self.unit.tree;
        let loops: Vec<StmtId> = tree
            .stmts
            .iter()
            .filter(|(_, s)| matches!(s.kind, StmtKind::For { .. }))
            .map(|(id, _)| id)
            .collect();
        for id in loops {
            let StmtKind::For {
                init: ForInit::Decl(decl),
                step: Some(step),
                body,
                ..
            } = &tree.stmts[id].kind
            else {
                continue;
            };
            let head = tree.decls[*decl].span;
            let Some((attribute, function)) = self.cleanup(head) else {
                continue;
            };
            let Some(variable) = tree.decls[*decl].declared.first() else {
                continue;
            };
            let variable = self.unit.text_of(variable.name).to_owned();
            let within = tree.stmts[*body].span;
            let leaves = tree.stmts.iter().find(|(_, s)| {
                let jumps = matches!(
                    s.kind,
                    StmtKind::Return(_) | StmtKind::Break | StmtKind::Goto { .. }
                );
                jumps && within.encloses(s.span)
            });
            if let Some((_, stmt)) = leaves {
                let message = "leaving an atomic block by a jump is not followed";
                return Err(Diagnostic::error(stmt.span, message)
                    .help("leave it at its end, and jump behind it"));
            }
            let lines = self.lines(attribute);
            self.changes.insert((attribute.start, attribute.end), lines);
            let at = tree.exprs[*step].span.start;
            self.insert(at, &format!("{function}(&{variable}), "));
        }
        Ok(())
    }

    /// The attribute `cleanup` in a declaration, and the function that it names.
    fn cleanup(&self, head: Span) -> Option<(Span, String)> {
        let tokens = &self.unit.tokens;
        let first = tokens.at_or_after(head.start);
        let text = |at: usize| tokens.tokens.get(at).map(|t| self.unit.text_of(t.span));
        let mut all = first..;
        let at = all.find(|at| {
            let past = tokens
                .tokens
                .get(*at)
                .is_none_or(|t| t.span.start >= head.end);
            past || text(*at) == Some("__attribute__")
        })?;
        let named = text(at + 3).is_some_and(|word| word.trim_matches('_') == "cleanup");
        if text(at) != Some("__attribute__") || !named {
            return None;
        }
        let close = *tokens.mates.get(at + 1)? as usize;
        let span = Span::new(tokens.tokens[at].span.start, tokens.tokens[close].span.end);
        Some((span, text(at + 5)?.to_owned()))
    }
}
