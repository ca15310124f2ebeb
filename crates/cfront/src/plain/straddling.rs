//! Bit-fields that would cross a boundary of their type, moved behind it by padding that the text names: `unsigned a : 20, b : 20`
//! is `unsigned a : 20, : 12, b : 20`. Compilers lay out both alike (System V ABI for x86-64, "Bit-Fields"); CBMC puts bit-fields
//! side by side wherever they are, so that the bytes of the structure would be others; and it aligns a structure to the type of
//! `int : 0`, which therefore becomes bytes. And it aligns a union that ends with padding otherwise where that is a member: such a
//! union gets one more member, of its whole size.

use crate::layout::{body, is_within, packed, Layouts, Padding};
use crate::parse::Unit;
use crate::rewriting::{Names, Text};
use crate::source::Source;
use crate::span::Span;
use crate::types::{Member, Record, Type};

pub(super) fn padded(unit: &Unit) -> Option<Vec<Source>> {
    let model = &unit.tree.types.model;
    if model.int != 32 {
        return None;
    }
    let mut text = Text::of(unit);
    let names = Names::of(unit);
    let parts = unit.parts_of_layouts();
    let (mut layouts, packed) = (Layouts::of_machine(parts), packed(parts.tokens, parts.text));
    for (number, (id, record)) in unit.tree.types.records.iter().enumerate() {
        let Some(layout) = layouts.of(id).filter(|_| !is_within(&packed, record)) else {
            continue;
        };
        if record.is_union && layout.size != layout.end {
            let close = body(parts, record).map(|within| unit.tokens.tokens[within.end].span);
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
        for &Padding {
            field,
            bits,
            is_apart,
        } in &layout.padding
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
    let within = body(unit.parts_of_layouts(), record)?;
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
