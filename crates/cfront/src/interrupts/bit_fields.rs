//! Accesses of bit-fields that a handler shares: a write of one reads and writes what lies beside it.

use std::ops::Range;

use crate::diag::Diagnostic;
use crate::layout::{is_within, packed, Layouts};
use crate::parse::Unit;
use crate::registers::accesses::{Access, How};
use crate::span::{ExprId, Offset, RecordId, Span};
use crate::tree::{ExprKind, Parent, StmtKind, Tree};
use crate::types::Member;

use super::parts::{is_element, is_plain};
use super::Weaver;

/// The variable that has what is written again.
const WORD: &str = "interrupts__word";

/// Where bit-fields lie.
pub(super) struct Units<'a> {
    unit: &'a Unit,
    layouts: Layouts<'a>,
    /// The parts of the text in which members lie closer than their types say.
    packed: Vec<Range<Offset>>,
}

impl<'a> Units<'a> {
    /// Those of a program. Linear in its text.
    pub fn of(unit: &'a Unit) -> Units<'a> {
        Units {
            unit,
            layouts: Layouts::of_machine(unit.parts_of_layouts()),
            packed: packed(&unit.tokens, &unit.source.text),
        }
    }

    /// Whether a bit-field lies in a unit of its type, which the processor accesses at once: bit-fields do not cross the boundaries of
    /// their type in structures without attributes and pragmas, except on machines of bytes, which fill these without regard to types.
    pub fn accessed_at_once(&mut self, lvalue: ExprId, width: u32) -> bool {
        let tree = &self.unit.tree;
        let mut at = Some(lvalue);
        while let Some(e) = at {
            at = match &tree.exprs[e].kind {
                ExprKind::Member { path, .. } if path.is_empty() => return false,
                ExprKind::Member { path, .. }
                    if !path.iter().all(|(id, _)| self.is_natural(*id)) =>
                {
                    return false;
                }
                ExprKind::Member { base, arrow, .. } => Some(*base).filter(|_| !arrow),
                ExprKind::Index { base, .. } if !is_element(tree, e) => Some(*base),
                _ => None,
            };
        }
        let bytes = crate::registers::places::size(tree, tree.exprs[lvalue].ty);
        width > 8 && bytes.is_some_and(|bytes| 8 * bytes <= u64::from(width))
    }

    fn is_natural(&mut self, id: RecordId) -> bool {
        let record = &self.unit.tree.types.records[id];
        self.layouts.of(id).is_some() && !is_within(&self.packed, record)
    }
}

impl Weaver<'_> {
    /// Divides a write of a bit-field: the word around it is read, and written.
    pub(super) fn divide_bits(
        &mut self,
        access: &Access,
        width: u32,
        units: &mut Units,
    ) -> Result<(), Diagnostic> {
        let tree = &self.unit.tree;
        let span = tree.exprs[access.whole].span;
        let refused = || {
            let message =
                "this writes a bit-field whose word a handler shares, which is not followed here";
            let help = "write it in a statement of its own, in a structure of one word";
            Err(Diagnostic::error(span, message).help(help))
        };
        let ExprKind::Member { base, name, .. } = &tree.exprs[access.whole].kind else {
            return refused();
        };
        let Parent::Expr(around) = tree.exprs[access.whole].parent else {
            return refused();
        };
        let statement = match tree.exprs[around].parent {
            Parent::Stmt(s) if matches!(tree.stmts[s].kind, StmtKind::Expr(_)) => s,
            _ => return refused(),
        };
        let word = self.word_of(access.whole, width, units);
        let Some(word) = word.filter(|_| is_plain(tree, access.whole)) else {
            return refused();
        };
        let base = self.once(*base);
        let (read, written) = (word.read(&base), word.written(&base));
        let (outer, end) = (tree.exprs[around].span, tree.stmts[statement].span.end);
        let (op, begin, until) = match &access.how {
            How::Update { op, op_span, .. } => (*op, "(", op_span.end),
            How::Step { op, .. } => (*op, "(1", outer.end),
            _ => ("", "(", self.assignment_end(span)),
        };
        let masked = match self.masked {
            true => format!("if (interrupts__masked) {base}.{name} {op}= interrupts__value; else "),
            false => String::new(),
        };
        let write = format!(
            "; {masked}{{ __typeof__({base}) {WORD} = {read} {WORD}.{name} {op}= interrupts__value; {written} }} }}"
        );
        let begin = format!(
            "{{ long long interrupts__value = {begin}{}",
            self.lines(Span::new(outer.start, until))
        );
        self.declare_parts(access.whole);
        self.changes.insert((outer.start, until), begin);
        match outer.end > until {
            true => {
                self.insert(outer.end, ")");
                self.changes.insert((outer.end, end), write);
            }
            false => {
                self.changes.insert((outer.end, end), format!("){write}"));
            }
        }
        Ok(())
    }

    /// What the processor reads and writes again where a bit-field is written; none if that is more than it accesses at once.
    fn word_of(&self, lvalue: ExprId, width: u32, units: &mut Units) -> Option<Word> {
        let tree = &self.unit.tree;
        let ExprKind::Member { path, .. } = &tree.exprs[lvalue].kind else {
            return None;
        };
        let &(record, index) = path.last()?;
        let record = &tree.types.records[record];
        let members = record.members.as_deref()?;
        let within = |of: &[Member]| {
            let bits = of.iter().map(field_bits).sum::<Option<u64>>();
            bits.is_some_and(|bits| bits <= u64::from(width))
        };
        if within(members) && path.len() == 1 {
            return Some(Word::Whole);
        }
        let fields = members.get(run(members, index))?;
        let together = width == 8 || units.accessed_at_once(lvalue, width);
        let one = !record.is_union && within(fields) && together;
        one.then(|| Word::Fields(fields.iter().filter_map(|m| m.name.clone()).collect()))
    }
}

/// What is written when a bit-field is.
enum Word {
    /// The structure.
    Whole,
    /// These adjacent bit-fields of it.
    Fields(Vec<String>),
}

impl Word {
    /// What initialises a structure of its type, and reads it into that at once. All of that has a value.
    fn read(&self, base: &str) -> String {
        match self {
            Word::Whole => format!("{base};"),
            Word::Fields(names) => format!("{{ 0 }}; {}", copied(names, base, WORD)),
        }
    }

    /// The statement that writes it at once.
    fn written(&self, base: &str) -> String {
        match self {
            Word::Whole => format!("{base} = {WORD};"),
            Word::Fields(names) => copied(names, WORD, base),
        }
    }
}

/// Copies bit-fields at once.
fn copied(names: &[String], from: &str, to: &str) -> String {
    let each = |name: &String| format!("{to}.{name} = {from}.{name}; ");
    let all: String = names.iter().map(each).collect();
    format!("__VERIFIER_atomic_begin(); {all}__VERIFIER_atomic_end();")
}

/// Whether a bit-field may lie in several of the parts that the processor accesses at once.
pub(super) fn is_spread(tree: &Tree, lvalue: ExprId, width: u32) -> bool {
    let ExprKind::Member { path, .. } = &tree.exprs[lvalue].kind else {
        return true;
    };
    let Some(&(record, index)) = path.last() else {
        return true;
    };
    let record = &tree.types.records[record];
    let members = record.members.as_deref().unwrap_or_default();
    // Each byte of a machine of bytes is a part of its own, and adjacent bit-fields begin in one.
    let first = match width {
        8 => run(members, index).start,
        _ => 0,
    };
    let before = members.get(first..index).filter(|_| !record.is_union);
    let before = before.and_then(|all| all.iter().map(field_bits).sum::<Option<u64>>());
    let own = members.get(index).and_then(field_bits);
    match (before, own) {
        (Some(first), Some(own)) => {
            first / u64::from(width) != (first + own - 1) / u64::from(width)
        }
        _ => true,
    }
}

/// The bits of a bit-field; none for other members, and for `: 0`.
fn field_bits(member: &Member) -> Option<u64> {
    member.bits.filter(|bits| member.is_bit_field && *bits > 0)
}

/// The adjacent bit-fields of which a member is one: they are one memory location (C11, 3.14), which no other member shares.
fn run(members: &[Member], index: usize) -> Range<usize> {
    let apart = |m: &Member| field_bits(m).is_none();
    let before = members.get(..index).unwrap_or_default();
    let first = before.iter().rposition(apart);
    let behind = members.iter().skip(index).position(apart);
    let end = behind.map_or(members.len(), |behind| index + behind);
    first.map_or(0, |before| before + 1)..end
}
