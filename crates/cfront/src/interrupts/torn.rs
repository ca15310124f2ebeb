//! Accesses that the processor makes in several parts, between which a handler may come.
//!
//! A read of a wide object becomes one read for each part, and a write one for each part, in either order of the
//! parts. Only objects that the interrupted code shares with a handler matter, and only while handlers may come.

use std::collections::BTreeSet;

use crate::alias::{Aliases, Assumptions};
use crate::diag::Diagnostic;
use crate::registers::accesses::{access, Access, How};
use crate::span::Span;
use crate::tree::{ExprKind, Parent, Resolved, StmtKind, Tree};
use crate::types::{QualType, Type};

use super::bit_fields::{is_spread, Units};
use super::copies::in_a_copy;
use super::parts::{is_element, is_plain, Parts};
use super::shared::Runs;
use super::Weaver;

impl Weaver<'_> {
    /// Divides the accesses that a handler may interrupt: copies of structures and of memory, then those of single objects.
    ///
    /// # Errors
    /// Such an access that cannot be divided.
    pub(super) fn torn(&mut self) -> Result<(), Diagnostic> {
        let unit = self.unit;
        let tree = &unit.tree;
        let width = width(tree);
        let aliases = Aliases::new(tree, Assumptions::default());
        let runs = self.runs(&aliases);
        let mut units = Units::of(unit);
        let divided = self.wide(width, &runs, &aliases, &mut units);
        let is_record = |of: &Access| matches!(tree.types.get(of.ty), Type::Record(_));
        let (records, numbers): (Vec<_>, Vec<_>) = divided.into_iter().partition(is_record);
        let mut copies = Vec::new();
        for access in &records {
            copies.extend(self.copied(access, width)?);
        }
        self.called(&runs, &aliases, (width, &copies))?;
        for access in &numbers {
            let span = tree.exprs[access.whole].span;
            if let Some(copy) = copies.iter().find(|copy| copy.encloses(span)) {
                return Err(in_a_copy(*copy));
            }
            if tree.bit_field(access.whole).is_some() && access.how != How::Read {
                self.divide_bits(access, width, &mut units)?;
                continue;
            }
            let function = tree.function_of(Parent::Expr(access.whole));
            let atomic = function.is_some_and(|f| runs.highest.contains(&f));
            self.divide(access, width, atomic)?;
        }
        Ok(())
    }

    /// The accesses that the processor makes in several parts, between which a handler may do something with the same object.
    fn wide(&self, width: u32, runs: &Runs, aliases: &Aliases, units: &mut Units) -> Vec<Access> {
        let tree = &self.unit.tree;
        let evaluated = tree.exprs.iter().filter(|(_, e)| !e.unevaluated);
        let mut divided = BTreeSet::new();
        let mut out = Vec::new();
        for (id, expr) in evaluated {
            let root = matches!(
                &expr.kind,
                ExprKind::Ident(Resolved::Object(_))
                    | ExprKind::Deref(_)
                    | ExprKind::Member { arrow: true, .. }
            ) || is_element(tree, id);
            let access = access(tree, id);
            let bit_field = tree.bit_field(access.whole).is_some();
            let bits = bit_field && access.how != How::Read;
            let wide = match bit_field {
                true => {
                    is_spread(tree, access.whole, width)
                        && !units.accessed_at_once(access.whole, width)
                }
                false => is_wide(tree, access.ty, width),
            };
            if !root || access.how == How::Address || !(bits || wide) {
                continue;
            }
            let Some(shared) = runs.interrupted(tree, id) else {
                continue;
            };
            let memory = match access.how {
                How::Read => &shared.written,
                _ => &shared.accessed,
            };
            if memory.has(tree, aliases, id) && divided.insert(access.whole) {
                out.push(access);
            }
        }
        out
    }

    fn divide(&mut self, access: &Access, width: u32, atomic: bool) -> Result<(), Diagnostic> {
        let tree = &self.unit.tree;
        let span = tree.exprs[access.whole].span;
        let bits = crate::registers::places::size(tree, access.ty).map_or(0, |bytes| 8 * bytes);
        let refused = |what: &str, help: &str| {
            let message = format!("{what} {bits} bits that a handler shares, and the processor accesses {width} at once: the handler could come in between, which is not followed here");
            Err(Diagnostic::error(span, message).help(help))
        };
        let integer = tree.types.is_integer(access.ty) && tree.bit_field(access.whole).is_none();
        if !integer || !is_plain(tree, access.whole) {
            let help = "use parts of that width, or a flag that says whether all parts are there";
            return refused("this accesses", help);
        }
        if atomic && access.how != How::Read {
            let help = "let handlers and the program write it in functions of their own";
            return refused("a function that handlers call, too, writes", help);
        }
        let lvalue = self.once(access.whole);
        let Some(parts) = Parts::of(tree, lvalue, access.ty, width, self.masked) else {
            return refused("this accesses", "give the object the type of a number");
        };
        self.declare_parts(access.whole);
        match &access.how {
            How::Read => {
                let text = format!("{}{}", parts.read(), self.lines(span));
                self.changes.insert((span.start, span.end), text);
                Ok(())
            }
            How::Address => Ok(()),
            how => {
                let Parent::Expr(around) = tree.exprs[access.whole].parent else {
                    return Ok(());
                };
                let statement = match tree.exprs[around].parent {
                    Parent::Stmt(s) if matches!(tree.stmts[s].kind, StmtKind::Expr(_)) => s,
                    _ => return refused("this writes", "write it in a statement of its own"),
                };
                let (outer, end) = (tree.exprs[around].span, tree.stmts[statement].span.end);
                let (begin, until) = match how {
                    How::Update { op, op_span, .. } => {
                        (format!("{} {op} (", parts.read()), op_span.end)
                    }
                    How::Step { op, .. } => (format!("{} {op} (1", parts.read()), outer.end),
                    _ => ("(".to_owned(), self.assignment_end(span)),
                };
                let lines = self.lines(Span::new(outer.start, until));
                let text = format!(
                    "{{ {0} interrupts__parts = ({0}){begin}{lines}",
                    parts.unsigned
                );
                self.changes.insert((outer.start, until), text);
                if outer.end > until {
                    self.insert(outer.end, ")");
                    let semicolon = (outer.end, end);
                    self.changes
                        .insert(semicolon, format!("; {} }}", parts.write()));
                } else {
                    let semicolon = (outer.end, end);
                    self.changes
                        .insert(semicolon, format!("); {} }}", parts.write()));
                }
                Ok(())
            }
        }
    }
}

/// How many bits the processor reads and writes at once: single bytes where `int` has 16 bits, else words.
fn width(tree: &Tree) -> u32 {
    match tree.types.model.int {
        16 => 8,
        _ => tree.types.model.pointer,
    }
}

/// Whether an object of a type takes several accesses.
fn is_wide(tree: &Tree, ty: QualType, width: u32) -> bool {
    match tree.types.get(ty) {
        Type::Array(..) | Type::Function(_) | Type::Void => false,
        _ => {
            let bytes = crate::registers::places::size(tree, ty);
            bytes.is_none_or(|bytes| 8 * bytes > u64::from(width))
        }
    }
}
