//! What a specification says of the machine, as it is written: interrupts, masks, registers.

use super::{Decoder, List, Spanned, INTERRUPT, MASK, REGISTER};
use crate::json::{Kind, Text, Value};
use std::ops::Range;

/// One of `interrupts`.
#[derive(Clone, Debug)]
pub(crate) struct WireInterrupt {
    pub(crate) handler: Option<Text>,
    pub(crate) priority: Option<i128>,
    pub(crate) enabled: Option<Text>,
    pub(crate) at_most: Option<i128>,
    pub(crate) fair: bool,
    pub(crate) span: Range<usize>,
}

/// One of `masks`.
#[derive(Clone, Debug)]
pub(crate) struct WireMask {
    pub(crate) disable: Option<Text>,
    pub(crate) enable: Option<Text>,
}

/// One of `registers`.
#[derive(Clone, Debug)]
pub(crate) struct WireRegister {
    pub(crate) name: Option<Text>,
    /// A number, or one as a text.
    pub(crate) address: Option<Spanned<Option<i128>>>,
    pub(crate) reads: Option<WireReads>,
    pub(crate) span: Range<usize>,
}

/// The value of `reads`: a word, or values.
#[derive(Clone, Debug)]
pub(crate) enum WireReads {
    Word(Text),
    Values(List<i128>),
}

impl Decoder {
    pub(super) fn interrupt(&mut self, value: &Value) -> Option<WireInterrupt> {
        let fields = self.fields(value, "an interrupt", INTERRUPT)?;
        self.require(&fields, "handler", "an interrupt");
        let mut number = |key: &str| {
            let value = fields.get(key)?;
            self.integer(value, &format!("`{key}`"))
        };
        let (priority, at_most) = (number("priority"), number("at_most"));
        let fair = fields.get("fair").and_then(|v| self.boolean(v));
        Some(WireInterrupt {
            handler: self.text(&fields, "handler"),
            priority,
            enabled: self.text(&fields, "enabled"),
            at_most,
            fair: fair == Some(true),
            span: fields.span,
        })
    }

    pub(super) fn mask(&mut self, value: &Value) -> Option<WireMask> {
        let fields = self.fields(value, "a mask", MASK)?;
        self.require(&fields, "disable", "a mask");
        self.require(&fields, "enable", "a mask");
        Some(WireMask {
            disable: self.text(&fields, "disable"),
            enable: self.text(&fields, "enable"),
        })
    }

    pub(super) fn register(&mut self, value: &Value) -> Option<WireRegister> {
        let fields = self.fields(value, "a register", REGISTER)?;
        self.require(&fields, "reads", "a register");
        let address = fields.get("address").and_then(|v| {
            let value = match v.kind {
                Kind::String(_) => address(&self.string(v, "an address")?),
                _ => Some(self.integer(v, "an address")?),
            };
            let span = v.span.clone();
            Some(Spanned { value, span })
        });
        let reads = fields.get("reads").and_then(|v| match v.kind {
            Kind::Array(_) => {
                let values = self.list(&fields, "reads", |d, v| d.integer(v, "a value"));
                values.map(WireReads::Values)
            }
            _ => self.text(&fields, "reads").map(WireReads::Word),
        });
        Some(WireRegister {
            name: self.text(&fields, "name"),
            address,
            reads,
            span: fields.span,
        })
    }
}

/// An address as a text: a decimal number, or a hexadecimal one behind `0x`.
fn address(text: &str) -> Option<i128> {
    match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        Some(digits) => i128::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
