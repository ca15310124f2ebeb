//! Bit-fields that would cross a boundary of their type, moved behind it by padding that the text names: `unsigned a : 20, b : 20`
//! is `unsigned a : 20, : 12, b : 20`. Compilers lay out both alike (System V ABI for x86-64, "Bit-Fields"); CBMC puts bit-fields
//! side by side wherever they are, so that the bytes of the structure would be others; and it aligns a structure to the type of
//! `int : 0`, which therefore becomes bytes. And it aligns a union that ends with padding otherwise where that is a member: such a
//! union gets one more member, of its whole size.

use crate::consteval::size_of;
use crate::parse::Unit;
use crate::rewriting::{Names, Text};
use crate::source::Source;
use crate::span::Span;
use crate::types::{ArrayLen, Member, QualType, Record, Type};

pub(super) fn padded(unit: &Unit) -> Option<Vec<Source>> {
    let model = &unit.tree.types.model;
    let packs = |directive: &Span| {
        let mut words = unit.text_of(*directive).split_whitespace();
        words.any(|word| word.starts_with("pack"))
    };
    if (model.int, model.pointer) != (32, 64) || unit.tokens.directives.iter().any(packs) {
        return None;
    }
    let mut text = Text::of(unit);
    let names = Names::of(unit);
    for (number, (_, record)) in unit.tree.types.records.iter().enumerate() {
        let Some(layout) = Layout::of(unit, record) else {
            continue;
        };
        if record.is_union && layout.size != layout.end {
            let close = body(unit, record).map(|within| unit.tokens.tokens[within.end].span);
            let name = names.free(&format!("union_{number}_bytes"));
            let whole = format!("char {name}[{}]; ", layout.size / 8);
            close.into_iter().for_each(|close| text.open(close, &whole));
        }
        if layout.padding.is_empty() {
            continue;
        }
        let Some(places) = declarators(unit, record) else {
            continue;
        };
        for Padding {
            field,
            bits,
            is_apart,
        } in layout.padding
        {
            match places.get(field) {
                Some(Declarator {
                    first: Some(start),
                    place,
                    ..
                }) if is_apart => {
                    let bytes = "char : 8; ".repeat(usize::try_from(bits / 8).unwrap_or(0));
                    let ty = Span::new(start.start, place.start);
                    text.replace(ty, &format!("{bytes}char "));
                }
                _ if is_apart => continue,
                // CBMC takes `enum e : 12` for an enumeration with that type.
                Some(Declarator {
                    first: Some(start),
                    is_enumeration: true,
                    ..
                }) => text.open(*start, &format!("unsigned : {bits}; ")),
                Some(declarator) => text.open(declarator.place, &format!(": {bits}, ")),
                None => continue,
            }
        }
    }
    text.changed()
}

/// The layout of a structure without attributes.
struct Layout {
    /// Its size in bits.
    size: u64,
    /// Where its last member ends, in bits.
    end: u64,
    /// Its alignment in bits.
    align: u64,
    /// What has to stand in front of bit-fields.
    padding: Vec<Padding>,
}

/// Bits in front of a bit-field.
struct Padding {
    /// Its number among the bit-fields.
    field: usize,
    bits: u64,
    /// Whether the bit-field is `: 0` behind another member, and does not cross a boundary.
    is_apart: bool,
}

impl Layout {
    fn of(unit: &Unit, record: &Record) -> Option<Layout> {
        let members = record.members.as_ref()?;
        body(unit, record)?;
        let (mut at, mut end, mut align) = (0u64, 0, 8);
        let mut padding = Vec::new();
        let (mut fields, mut behind_field) = (0, false);
        for member in members {
            if record.is_union {
                at = 0;
            }
            match member.is_bit_field {
                true => {
                    let (width, unit_bits) = (member.bits?, 8 * size_of(&unit.tree, member.ty)?);
                    let crosses = at % unit_bits + width > unit_bits;
                    if width == 0 || crosses {
                        let next = at.next_multiple_of(unit_bits);
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
                        align = align.max(unit_bits);
                    }
                }
                false => {
                    let (size, own) = plain(unit, member.ty)?;
                    at = at.next_multiple_of(own).checked_add(size)?;
                    align = align.max(own);
                }
            }
            end = end.max(at);
            behind_field = member.is_bit_field;
        }
        let size = end.next_multiple_of(align);
        Some(Layout {
            size,
            end,
            align,
            padding,
        })
    }
}

/// The size and the alignment of a type that is no bit-field, in bits.
fn plain(unit: &Unit, ty: QualType) -> Option<(u64, u64)> {
    let tree = &unit.tree;
    match tree.types.get(ty) {
        Type::Array(of, length) => {
            let (size, align) = plain(unit, *of)?;
            let count = match length {
                ArrayLen::Known(count) => *count,
                ArrayLen::Unspecified => 0,
                ArrayLen::Variable => return None,
            };
            Some((size.checked_mul(count)?, align))
        }
        Type::Record(record) => {
            let layout = Layout::of(unit, &tree.types.records[*record])?;
            Some((layout.size, layout.align))
        }
        Type::Complex(_) | Type::VaList => None,
        _ => size_of(tree, ty).map(|bytes| (8 * bytes, 8 * bytes)),
    }
}

/// The tokens between the braces of a record, by index; none if it has attributes.
fn body(unit: &Unit, record: &Record) -> Option<std::ops::Range<usize>> {
    let tokens = &unit.tokens;
    let text = |index: usize| tokens.tokens.get(index).map(|t| unit.text_of(t.span));
    let first = tokens.at_or_after(record.span.start);
    // An attribute in front of the tag ends with a parenthesis.
    if first.checked_sub(1).and_then(text) == Some(")") {
        return None;
    }
    let open = (first..first + 2).find(|index| text(*index) == Some("{"))?;
    let close = usize::try_from(tokens.mates[open]).ok()?;
    let attributes = |word: &str| word.starts_with("__attribute") || word.contains("lignas");
    // Those behind the brace are the record's, too.
    let mut within = (open..close + 2).filter_map(text);
    (!within.any(attributes)).then_some(open + 1..close)
}

/// The declarator of a bit-field.
struct Declarator {
    /// Where it begins.
    place: Span,
    /// Where its declaration begins, if it is the first one there.
    first: Option<Span>,
    /// Whether its type is an enumeration.
    is_enumeration: bool,
}

/// The declarators of a record's bit-fields, in their order.
fn declarators(unit: &Unit, record: &Record) -> Option<Vec<Declarator>> {
    let tokens = &unit.tokens;
    let within = body(unit, record)?;
    let mut out = Vec::new();
    let mut index = within.start;
    let mut start = Some(tokens.tokens[index].span);
    let members = record.members.as_ref()?.iter();
    let mut fields = members.filter(|m| m.is_bit_field);
    while index < within.end {
        match unit.text_of(tokens.tokens[index].span) {
            ":" => {
                let field: &Member = fields.next()?;
                let begins = index - usize::from(field.name.is_some());
                let place = tokens.tokens[begins].span;
                let name = field.name.as_deref();
                if name.is_some_and(|name| name != unit.text_of(place)) {
                    return None;
                }
                out.push(Declarator {
                    place,
                    first: start,
                    is_enumeration: matches!(unit.tree.type_of(field.ty), Type::Enum(_)),
                });
            }
            "," => start = None,
            ";" => start = Some(tokens.tokens.get(index + 1)?.span),
            _ => {}
        }
        let mate = usize::try_from(tokens.mates[index]).ok()?;
        index = index.max(mate) + 1;
    }
    fields.next().is_none().then_some(out)
}
