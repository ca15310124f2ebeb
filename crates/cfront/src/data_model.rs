//! The data model of a program: the widths of its types, whether plain `char` is signed, the order
//! of bytes. The preprocessor's own macros tell it (`gcc`, `gcc -m32`, a cross compiler).

use serde::{Deserialize, Serialize};

use crate::integers::IntKind;
use crate::preprocess::MacroOption;
use crate::token::Tokens;

/// Widths in bits and other properties of the machine that a program is compiled for. `char` has 8
/// bits, `short` 16 and `long long` 64 in all models.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct DataModel {
    /// The width of `int`.
    pub int: u32,
    /// The width of `long`.
    pub long: u32,
    /// The width of pointers.
    pub pointer: u32,
    /// The width of `double`.
    pub double: u32,
    /// The width of `long double`, as it is stored.
    pub long_double: u32,
    /// Whether plain `char` is unsigned.
    pub char_unsigned: bool,
    /// Whether the most significant byte of a number comes first.
    pub big_endian: bool,
}

impl DataModel {
    /// 64-bit machines of the Unix family: `long` and pointers have 64 bits.
    pub const LP64: DataModel = DataModel {
        int: 32,
        long: 64,
        pointer: 64,
        double: 64,
        long_double: 128,
        char_unsigned: false,
        big_endian: false,
    };

    /// 32-bit machines: `int`, `long` and pointers have 32 bits.
    pub const ILP32: DataModel = DataModel {
        long: 32,
        pointer: 32,
        long_double: 96,
        ..DataModel::LP64
    };

    /// 64-bit Windows: pointers have 64 bits, `long` has 32.
    pub const LLP64: DataModel = DataModel {
        long: 32,
        ..DataModel::LP64
    };

    /// AVR: `int` and pointers have 16 bits, `double` has 32.
    pub const IP16: DataModel = DataModel {
        int: 16,
        pointer: 16,
        double: 32,
        long_double: 32,
        ..DataModel::ILP32
    };

    /// The model that the compiler's own macros describe, or LP64 with what they leave open.
    pub fn of_macros(text: &str, tokens: &Tokens) -> DataModel {
        let mut model = DataModel::LP64;
        for directive in &tokens.directives {
            let mut words = directive.of(text).split_whitespace();
            let (directive, name) = (words.next(), words.next());
            let value = words.next().unwrap_or_default();
            let name = match (directive, name) {
                (Some("#define"), Some(name)) => name,
                (Some("#undef"), Some("__CHAR_UNSIGNED__")) => {
                    model.char_unsigned = false;
                    continue;
                }
                _ => continue,
            };
            let width = |default: u32| value.parse::<u32>().map_or(default, |bytes| 8 * bytes);
            match name {
                "__SIZEOF_INT__" => model.int = width(model.int),
                "__SIZEOF_LONG__" => model.long = width(model.long),
                "__SIZEOF_POINTER__" => model.pointer = width(model.pointer),
                "__SIZEOF_DOUBLE__" => model.double = width(model.double),
                "__SIZEOF_LONG_DOUBLE__" => model.long_double = width(model.long_double),
                "__CHAR_UNSIGNED__" => model.char_unsigned = true,
                "__BYTE_ORDER__" => model.big_endian = value == "__ORDER_BIG_ENDIAN__",
                _ => {}
            }
        }
        model
    }

    /// The width of an integer type in bits.
    pub fn bits(&self, kind: IntKind) -> u32 {
        match kind {
            IntKind::Char | IntKind::SChar | IntKind::UChar => 8,
            IntKind::Short | IntKind::UShort => 16,
            IntKind::Int | IntKind::UInt => self.int,
            IntKind::Long | IntKind::ULong => self.long,
            IntKind::LongLong | IntKind::ULongLong => 64,
            IntKind::Int128 | IntKind::UInt128 => 128,
        }
    }

    /// Whether an integer type is signed.
    pub fn signed(&self, kind: IntKind) -> bool {
        kind.signed() && !(self.char_unsigned && kind == IntKind::Char)
    }

    /// The least and the greatest value of an integer type; `None` where `i128` cannot hold them.
    pub fn range(&self, kind: IntKind) -> Option<(i128, i128)> {
        let bits = self.bits(kind);
        let all = 1i128.checked_shl(bits).filter(|_| bits < 127)?;
        Some(match self.signed(kind) {
            true => (-(all >> 1), (all >> 1) - 1),
            false => (0, all - 1),
        })
    }

    /// The widths of `int`, `long` and pointers.
    pub fn widths(&self) -> (u32, u32, u32) {
        (self.int, self.long, self.pointer)
    }

    /// Whether the types have other widths than those of LP64, or numbers another order of bytes: headers
    /// for LP64 do not fit then.
    pub fn has_other_layout(&self) -> bool {
        self.widths() != DataModel::LP64.widths() || self.big_endian
    }

    /// The type of `sizeof`: the smallest unsigned type as wide as pointers, as compilers choose it.
    pub fn size_type(&self) -> IntKind {
        self.unsigned_of_width(self.pointer)
    }

    /// The type of differences of pointers.
    pub fn difference_type(&self) -> IntKind {
        match self.size_type() {
            IntKind::UInt => IntKind::Int,
            IntKind::ULong => IntKind::Long,
            _ => IntKind::LongLong,
        }
    }

    /// The type of a value of a narrower type than `int` after promotion (C17 6.3.1.1).
    pub fn promoted(&self, kind: IntKind) -> IntKind {
        match !self.signed(kind) && self.bits(kind) >= self.int {
            true => IntKind::UInt,
            false => IntKind::Int,
        }
    }

    /// The type of an enumeration's constant, as gcc chooses it; `None` if it is too large.
    pub fn kind_of_constant(&self, value: i128) -> Option<IntKind> {
        let kinds = [
            IntKind::Int,
            IntKind::UInt,
            IntKind::Long,
            IntKind::LongLong,
        ];
        kinds.into_iter().find(|&kind| {
            let range = self.range(kind);
            range.is_some_and(|(low, high)| (low..=high).contains(&value))
        })
    }

    /// The unsigned type with exactly so many bits, `int` before longer ones.
    pub fn unsigned_of(&self, bits: u32) -> Option<IntKind> {
        let kinds = [
            IntKind::UChar,
            IntKind::UShort,
            IntKind::UInt,
            IntKind::ULong,
            IntKind::ULongLong,
            IntKind::UInt128,
        ];
        let mut wide = kinds.into_iter().filter(|&kind| self.bits(kind) == bits);
        // `int16_t` is `int` where both have 16 bits.
        match (wide.next(), wide.next()) {
            (Some(IntKind::UShort), Some(IntKind::UInt)) => Some(IntKind::UInt),
            (first, _) => first,
        }
    }

    /// The first of `unsigned int`, `unsigned long` and `unsigned long long` with at least so many
    /// bits.
    pub fn unsigned_of_width(&self, bits: u32) -> IntKind {
        let kinds = [IntKind::UInt, IntKind::ULong];
        let wide = kinds.into_iter().find(|&kind| self.bits(kind) >= bits);
        wide.unwrap_or(IntKind::ULongLong)
    }

    /// The usual name of the widths of `int`, `long` and pointers.
    pub fn name(&self) -> &'static str {
        match self.widths() {
            (32, 64, 64) => "LP64",
            (32, 32, 32) => "ILP32",
            (32, 32, 64) => "LLP64",
            (64, 64, 64) => "ILP64",
            (16, 32, 16) => "IP16",
            (16, 32, 32) => "LP32",
            _ => "an unusual data model",
        }
    }

    /// The macros that tell a preprocessor of another model of this one, with their values; none for
    /// LP64, the usual model.
    pub fn defined(&self) -> Vec<(String, String)> {
        let defined = |(name, value): (&str, Option<String>)| Some((name.to_owned(), value?));
        self.macros().into_iter().filter_map(defined).collect()
    }

    /// The macros that describe the model, with their values, `None` for one that is not defined; none
    /// for LP64.
    fn macros(&self) -> Vec<(&'static str, Option<String>)> {
        if *self == DataModel::LP64 {
            return Vec::new();
        }
        let bytes = |bits: u32| Some((bits / 8).to_string());
        let order = match self.big_endian {
            true => "__ORDER_BIG_ENDIAN__",
            false => "__ORDER_LITTLE_ENDIAN__",
        };
        vec![
            ("__SIZEOF_INT__", bytes(self.int)),
            ("__SIZEOF_LONG__", bytes(self.long)),
            ("__SIZEOF_POINTER__", bytes(self.pointer)),
            ("__SIZEOF_DOUBLE__", bytes(self.double)),
            ("__SIZEOF_LONG_DOUBLE__", bytes(self.long_double)),
            ("__CHAR_UNSIGNED__", self.char_unsigned.then(|| "1".into())),
            ("__BYTE_ORDER__", Some(order.into())),
        ]
    }

    /// Options with which a preprocessor of another model reads a text that includes no header as one
    /// for this model; none for LP64, the usual model.
    pub fn macro_options(&self) -> Vec<MacroOption> {
        let option = |(name, value): (&str, Option<String>)| match value {
            Some(value) => MacroOption::Define(format!("{name}={value}")),
            None => MacroOption::Undefine(name.to_owned()),
        };
        self.macros().into_iter().map(option).collect()
    }

    /// The lines that stop the compilation of a program that was read for this model with a
    /// compiler for another one; empty for LP64 with signed `char`, the model that all tools have
    /// unless they are told another.
    pub fn guard(&self) -> String {
        let mut out = String::new();
        let mut check = |condition: String, what: String| {
            out += &format!("#{condition}\n#error this program was read {what}\n#endif\n");
        };
        if self.char_unsigned {
            check(
                "ifndef __CHAR_UNSIGNED__".into(),
                "with -funsigned-char: compile it with that flag, too".into(),
            );
        }
        if self.widths() != DataModel::LP64.widths() {
            let bytes = [self.int, self.long, self.pointer].map(|bits| bits / 8);
            let [int, long, pointer] = bytes;
            check(
                format!("if __SIZEOF_INT__ != {int} || __SIZEOF_LONG__ != {long} || __SIZEOF_POINTER__ != {pointer}"),
                format!("for {}: int, long and pointers have {int}, {long} and {pointer} bytes", self.name()),
            );
        }
        if self.big_endian {
            check(
                "if __BYTE_ORDER__ != __ORDER_BIG_ENDIAN__".into(),
                "for a big-endian machine".into(),
            );
        }
        out
    }
}

impl Default for DataModel {
    fn default() -> Self {
        DataModel::LP64
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn macros_tell_the_model() {
        let models = [
            DataModel::LP64,
            DataModel::ILP32,
            DataModel::LLP64,
            DataModel {
                char_unsigned: true,
                big_endian: true,
                ..DataModel::ILP32
            },
            DataModel::IP16,
        ];
        for model in models {
            let defined = model.defined().into_iter();
            let lines = defined.map(|(name, value)| format!("#define {name} {value}\n"));
            let text: String = lines.collect();
            let tokens = Tokens::lex(&text, true).unwrap();
            assert_eq!(DataModel::of_macros(&text, &tokens), model);
        }
    }

    #[test]
    fn sizes_have_the_width_of_pointers() {
        assert_eq!(DataModel::LP64.size_type(), IntKind::ULong);
        assert_eq!(DataModel::ILP32.size_type(), IntKind::UInt);
        assert_eq!(DataModel::LLP64.size_type(), IntKind::ULongLong);
        assert_eq!(DataModel::LLP64.difference_type(), IntKind::LongLong);
        assert_eq!(DataModel::LP64.guard(), "");
    }
}
