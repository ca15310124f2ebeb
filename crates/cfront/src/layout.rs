//! How compilers lay out structures and unions in which no attribute says otherwise (System V ABI).

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use crate::consteval::size_of;
use crate::span::{Offset, RecordId, Span};
use crate::token::Tokens;
use crate::tree::Tree;
use crate::types::{ArrayLen, IntKind, QualType, Record, Type};

/// The layout of a structure or union without attributes.
pub(crate) struct Layout {
    /// Its size in bits.
    pub size: u64,
    /// Where its last member ends, in bits.
    pub end: u64,
    /// Its alignment in bits.
    align: u64,
    /// What has to stand in front of bit-fields.
    pub padding: Vec<Padding>,
    /// Where its members end, in bits.
    ends: Vec<u64>,
}

/// Bits in front of a bit-field.
pub(crate) struct Padding {
    /// Its number among the bit-fields.
    pub field: usize,
    pub bits: u64,
    /// Whether the bit-field is `: 0` behind another member, and does not cross a boundary.
    pub is_apart: bool,
}

/// The parts of a program that layouts are read from.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'a> {
    pub tree: &'a Tree,
    pub tokens: &'a Tokens,
    pub text: &'a str,
}

/// The layouts of a program's structures, each computed once.
pub(crate) struct Layouts<'a> {
    of: Parts<'a>,
    /// The greatest alignment of a number within a structure, in bits.
    most: u64,
    known: BTreeMap<RecordId, Option<Rc<Layout>>>,
}

impl<'a> Layouts<'a> {
    /// Those of the program's machine.
    pub fn of_machine(of: Parts<'a>) -> Layouts<'a> {
        Layouts::up_to(of, if is_80386(of.tree) { 32 } else { 128 })
    }

    /// Those of model checkers, which align each number to its size.
    pub fn natural(of: Parts<'a>) -> Layouts<'a> {
        Layouts::up_to(of, 128)
    }

    fn up_to(of: Parts<'a>, most: u64) -> Layouts<'a> {
        Layouts {
            of,
            most,
            known: BTreeMap::new(),
        }
    }

    /// The layout of a structure; `None` if it has attributes or members of unknown size.
    pub fn of(&mut self, id: RecordId) -> Option<Rc<Layout>> {
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        // No structure is a member of itself.
        self.known.insert(id, None);
        let layout = self.computed(id).map(Rc::new);
        self.known.insert(id, layout.clone());
        layout
    }

    fn computed(&mut self, id: RecordId) -> Option<Layout> {
        let record = &self.of.tree.types.records[id];
        let members = record.members.as_ref()?;
        body(self.of, record)?;
        let (mut at, mut end, mut align) = (0u64, 0, 8);
        let (mut padding, mut ends) = (Vec::new(), Vec::new());
        let (mut fields, mut behind_field) = (0, false);
        for member in members {
            if record.is_union {
                at = 0;
            }
            match member.is_bit_field {
                true => {
                    let (width, (unit_bits, own)) = (member.bits?, self.number(member.ty)?);
                    let crosses = at % own + width > unit_bits;
                    if width == 0 || crosses {
                        let next = at.next_multiple_of(own);
                        let is_ignored = width == 0 && !behind_field && next != at;
                        if (crosses || is_ignored) && !record.is_union {
                            padding.push(Padding {
                                field: fields,
                                bits: next - at,
                                is_apart: is_ignored,
                            });
                        }
                        at = next;
                    }
                    at += width;
                    fields += 1;
                    if member.name.is_some() {
                        align = align.max(own);
                    }
                }
                false => {
                    let (size, own) = self.plain(member.ty)?;
                    at = at.next_multiple_of(own).checked_add(size)?;
                    align = align.max(own);
                }
            }
            ends.push(at);
            end = end.max(at);
            behind_field = member.is_bit_field;
        }
        Some(Layout {
            size: end.checked_next_multiple_of(align)?,
            end,
            align,
            padding,
            ends,
        })
    }

    /// The size and the alignment of a type that is no bit-field, in bits.
    fn plain(&mut self, ty: QualType) -> Option<(u64, u64)> {
        match self.of.tree.types.get(ty) {
            Type::Array(of, length) => {
                let (size, align) = self.plain(*of)?;
                let count = match length {
                    ArrayLen::Known(count) => *count,
                    ArrayLen::Unspecified => 0,
                    ArrayLen::Variable => return None,
                };
                Some((size.checked_mul(count)?, align))
            }
            Type::Record(record) => {
                let layout = self.of(*record)?;
                Some((layout.size, layout.align))
            }
            Type::Complex(_) | Type::VaList => None,
            _ => self.number(ty),
        }
    }

    /// The size and the alignment of a number or a pointer, in bits.
    fn number(&self, ty: QualType) -> Option<(u64, u64)> {
        let bits = 8 * size_of(self.of.tree, ty)?;
        Some((bits, bits.min(self.most).max(8)))
    }
}

/// The structures that model checkers lay out otherwise, and that no text of the same meaning changes: under `#pragma pack` unions
/// that end with padding and structures with `: 0`, and those with numbers of 64 bits that are aligned to 32. Linear in the program.
pub(crate) fn otherwise(parts: Parts) -> BTreeSet<RecordId> {
    let packed = packed(parts.tokens, parts.text);
    let is_80386 = is_80386(parts.tree);
    if packed.is_empty() && !is_80386 {
        return BTreeSet::new();
    }
    let (mut machine, mut natural) = (Layouts::of_machine(parts), Layouts::natural(parts));
    let records = parts.tree.types.records.iter();
    let differs = records.filter(|(id, record)| match is_within(&packed, record) {
        true => {
            let mut members = record.members.iter().flatten();
            let mut ends_with_padding = || natural.of(*id).is_none_or(|l| l.size != l.end);
            members.any(|m| m.bits == Some(0)) || record.is_union && ends_with_padding()
        }
        false => match (machine.of(*id), natural.of(*id)) {
            (Some(a), Some(b)) => is_80386 && (a.size, &a.ends) != (b.size, &b.ends),
            _ => false,
        },
    });
    differs.map(|(id, _)| id).collect()
}

/// Whether the machine is an 80386, which aligns numbers of 64 bits to 32 within structures; its `long double` has 96 bits.
fn is_80386(tree: &Tree) -> bool {
    tree.types.model.long_double == 96
}

/// Whether a structure is defined in one of these parts.
pub(crate) fn is_within(parts: &[Range<Offset>], record: &Record) -> bool {
    let at = record.span.start;
    let next = parts.partition_point(|part| part.end <= at);
    parts.get(next).is_some_and(|part| part.start <= at)
}

/// The parts of the text in which `#pragma pack` says how members are aligned.
pub(crate) fn packed(tokens: &Tokens, text: &str) -> Vec<Range<Offset>> {
    let (mut saved, mut now) = (Vec::new(), None::<Offset>);
    let mut parts = Vec::new();
    for directive in &tokens.directives {
        let Some(arguments) = pack_of(text, *directive) else {
            continue;
        };
        let at = directive.end;
        let before = now;
        if arguments.is_empty() {
            now = None;
        }
        for argument in arguments.split(',').map(str::trim) {
            match argument {
                "push" => saved.push(before.is_some()),
                "pop" => now = saved.pop().unwrap_or(false).then_some(at),
                number if number.starts_with(|c: char| c.is_ascii_digit()) => now = Some(at),
                _ => {}
            }
        }
        if let Some(start) = before {
            parts.push(start..at);
            now = now.map(|_| at);
        }
    }
    parts.extend(now.map(|start| start..text.len()));
    parts
}

/// What stands in the parentheses of `#pragma pack(…)`.
fn pack_of(text: &str, directive: Span) -> Option<&str> {
    let words = directive.of(text).trim_start_matches('#').trim_start();
    let rest = words.strip_prefix("pragma")?.trim_start();
    let rest = rest.strip_prefix("pack")?.trim_start().strip_prefix('(')?;
    Some(rest.split(')').next()?.trim())
}

/// The tokens between the braces of a record, by index; none if it has attributes.
pub(crate) fn body(of: Parts, record: &Record) -> Option<Range<usize>> {
    let tokens = of.tokens;
    let text = |index: usize| tokens.tokens.get(index).map(|t| t.span.of(of.text));
    let first = tokens.at_or_after(record.span.start);
    // An attribute in front of the tag ends with a parenthesis.
    if first.checked_sub(1).and_then(text) == Some(")") {
        return None;
    }
    let open = (first..first + 2).find(|index| text(*index) == Some("{"))?;
    let close = usize::try_from(tokens.mates[open]).ok()?;
    // Those behind the brace are the record's, too.
    let mut within = (open..close + 2).filter_map(text);
    (!within.any(is_attribute)).then_some(open + 1..close)
}

/// What in a file may lay structures out otherwise than System V does: found once, since many lengths of arrays are sizes.
pub(crate) struct Otherwise<'a> {
    /// Whether something is packed by pragmas.
    packed: bool,
    /// The names of types with attributes.
    aligned: BTreeSet<&'a str>,
}

impl<'a> Otherwise<'a> {
    /// Linear in the text.
    pub fn of(tokens: &'a Tokens, text: &'a str) -> Otherwise<'a> {
        Otherwise {
            packed: !packed(tokens, text).is_empty(),
            aligned: aligned_names(tokens, text),
        }
    }
}

/// The size of a structure in bytes, for constants of the program; `None` where something may lay it out otherwise: attributes of its
/// own or of types that it names, `#pragma pack`, bit-fields, machines whose alignments are not those of System V. Linear in
/// the text of the structure and of those within it.
pub(crate) fn constant_size(of: Parts, otherwise: &Otherwise, id: RecordId) -> Option<u64> {
    if otherwise.packed || of.tree.types.model.bits(IntKind::Int) != 32 {
        return None;
    }
    let mut layouts = Layouts::of_machine(of);
    let layout = layouts.of(id)?;
    let plain = |id: RecordId| {
        let record = &of.tree.types.records[id];
        let Some(within) = body(of, record) else {
            return false;
        };
        let mut members = record.members.iter().flatten();
        let mut words = of.tokens.tokens[within].iter().map(|t| t.span.of(of.text));
        !members.any(|m| m.is_bit_field) && !words.any(|word| otherwise.aligned.contains(word))
    };
    let mut used = layouts.known.keys().copied();
    used.all(plain).then_some(layout.size / 8)
}

fn is_attribute(word: &str) -> bool {
    word.starts_with("__attribute") || word.contains("lignas")
}

/// The index behind the parentheses that begin at a token.
fn tokens_behind(tokens: &Tokens, open: usize) -> usize {
    let close = tokens.mates.get(open).copied().unwrap_or_default();
    usize::try_from(close).map_or(open, |close| close.max(open)) + 1
}

/// The names that type definitions with attributes give, and those that are made of them.
fn aligned_names<'a>(tokens: &Tokens, text: &'a str) -> BTreeSet<&'a str> {
    let word = |at: usize| tokens.tokens.get(at).map_or("", |t| t.span.of(text));
    let (mut names, mut declared) = (BTreeSet::new(), Vec::new());
    let (mut defines, mut touched, mut at) = (false, false, 0);
    while at < tokens.tokens.len() {
        match word(at) {
            // Structures have attributes of their own.
            "{" => at = usize::try_from(tokens.mates[at]).unwrap_or(at),
            "typedef" => (defines, touched) = (true, false),
            ";" => {
                if defines && touched {
                    names.extend(declared.iter().copied());
                }
                declared.clear();
                defines = false;
            }
            own if defines && is_attribute(own) => {
                touched = true;
                at = tokens_behind(tokens, at + 1);
                continue;
            }
            own if defines => {
                touched |= names.contains(own);
                let next = word(at + 1);
                let ends = matches!(next, "," | ";" | "[" | ")") || is_attribute(next);
                if ends && own.starts_with(|c: char| c.is_alphabetic() || c == '_') {
                    declared.push(own);
                }
            }
            _ => {}
        }
        at += 1;
    }
    names
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Source, Unit};

    fn unit(text: &str) -> Unit {
        Unit::parse(Source::from_bytes(text.as_bytes().to_vec())).unwrap()
    }

    #[test]
    fn structures_of_structures_are_no_trouble() {
        let mut text = "struct s0 { char c; int : 0; char d; };\n".to_owned();
        for n in 1..40 {
            let of = n - 1;
            text += &format!("struct s{n} {{ struct s{of} a, b; }};\n");
        }
        let unit = unit(&text);
        let mut layouts = Layouts::of_machine(unit.parts_of_layouts());
        let last = unit.tree.types.records.ids().last().unwrap();
        assert_eq!(layouts.of(last).unwrap().size, 40 << 39);
    }

    /// The length of `a[sizeof(struct s)]`.
    fn length(text: &str) -> Option<u64> {
        let unit = unit(&format!("{text} char a[sizeof(struct s)];"));
        let array = unit.tree.objects.iter().find(|(_, o)| o.name == "a");
        match unit.tree.types.get(array.unwrap().1.ty) {
            Type::Array(_, ArrayLen::Known(n)) => Some(*n),
            _ => None,
        }
    }

    #[test]
    fn sizes_of_plain_structures_are_constants() {
        for (text, size) in [
            ("struct s { unsigned short f; char d[14]; };", 16),
            ("struct s { char c; double d; char e; };", 24),
            (
                "struct i { int x; char y; }; struct s { struct i a[3]; char z; };",
                28,
            ),
            (
                "struct s { union { char c[5]; short h; } u; char *p; };",
                16,
            ),
            ("typedef long t; struct s { char c; t x; };", 16),
            (
                "typedef long c __attribute__((aligned(4))); typedef int (*f)(char); typedef char t; struct s { t x; f y; };",
                16,
            ),
        ] {
            assert_eq!(length(text), Some(size), "{text}");
        }
    }

    #[test]
    fn what_may_be_laid_out_otherwise_is_no_constant() {
        for text in [
            "struct s { char c; int i; } __attribute__((packed));",
            "struct __attribute__((aligned(16))) s { char c; };",
            "struct s { char c; int i __attribute__((aligned(8))); };",
            "typedef int t __attribute__((aligned(16))); struct s { char c; t x; };",
            "typedef int t __attribute__((aligned(16))); typedef t u; struct s { char c; u x; };",
            "typedef int t __attribute__((aligned(16))); struct i { t x; }; struct s { char c; struct i x; };",
            "#pragma pack(1)\nstruct s { char c; int i; };",
            "struct s { int a : 3; };",
        ] {
            assert_eq!(length(text), None, "{text}");
        }
    }

    #[test]
    fn parts_are_packed_as_pragmas_say() {
        let text = "#pragma pack(push, 2)\nA\n#pragma pack(1)\nB\n#pragma pack(pop)\nC\n#pragma pack(4)\nD\n#pragma pack()\nE\n# pragma pack (push)\nF\n#pragma pack(8)\nG";
        let text = text
            .replace(['A', 'B', 'C', 'D', 'E', 'F', 'G'], "struct {int x;} v;")
            .replace(" v;", " v@;");
        let named: String = text
            .split('@')
            .enumerate()
            .map(|(n, part)| format!("{part}{n}"))
            .collect();
        let unit = unit(named.trim_end_matches(|c: char| c.is_ascii_digit()));
        let parts = packed(&unit.tokens, &unit.source.text);
        let records = unit.tree.types.records.iter();
        let inside: Vec<bool> = records.map(|(_, r)| is_within(&parts, r)).collect();
        assert_eq!(inside, [true, true, false, true, false, false, true]);
    }
}
