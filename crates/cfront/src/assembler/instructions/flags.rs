//! Flags of the processor as values, and the numbers of bits.

use std::fmt::Write as _;

use super::{Place, Writer};
use crate::assembler::operand::Operand;

/// The condition on the flags at the end whose value an output has.
pub(super) fn flag(operand: &Operand) -> Option<&str> {
    operand.constraint.strip_prefix("=@cc")
}

impl Writer<'_> {
    /// The number of the lowest or highest bit that is set. If none is, the register keeps its value, or has none.
    pub(super) fn scan(&mut self, name: &str, of: &str, to: &str) -> Option<()> {
        if self.bytes {
            return None;
        }
        let of = self.value(of)?;
        let Place::Operand(index) = self.place(to)? else {
            return None;
        };
        let keeps = self.operands[index].constraint.contains('+') || self.written[index];
        let (to, memory) = self.output(to)?;
        if memory {
            return None;
        }
        let word = match self.size {
            Some(4) => format!("(unsigned int){of}"),
            Some(8) => format!("(unsigned long long){of}"),
            None => format!("sizeof {to} == 4 ? (unsigned int){of} : (unsigned long long){of}"),
            _ => return None,
        };
        let bits = self.temporary();
        let condition = match keeps {
            true => format!("if ({bits} != 0) "),
            false => String::new(),
        };
        let number = match name {
            "bsf" => format!("__builtin_ctzll({bits})"),
            _ => format!("63 - __builtin_clzll({bits})"),
        };
        let _ = write!(
            self.out,
            "unsigned long long {bits} = {word}; {condition}{to} = {number}; "
        );
        self.forget();
        Some(())
    }

    /// Gives outputs that are conditions on the flags their values.
    pub(super) fn flags(&mut self) -> Option<()> {
        for (index, operand) in self.operands.iter().enumerate() {
            if let Some(condition) = flag(operand).filter(|_| operand.output) {
                let value = self.condition(condition)?;
                self.written[index] = true;
                let _ = write!(self.out, "{} = {value}; ", operand.text);
            }
        }
        Some(())
    }

    /// The value of a condition on the flags.
    pub(super) fn condition(&self, name: &str) -> Option<String> {
        let not = |flag: &Option<String>| flag.as_ref().map(|f| format!("!{f}"));
        match name {
            "e" | "z" => self.zero.clone(),
            "ne" | "nz" => not(&self.zero),
            "s" => self.negative.clone(),
            "ns" => not(&self.negative),
            "c" | "b" => self.carry.clone(),
            "nc" | "ae" => not(&self.carry),
            _ => None,
        }
    }
}
