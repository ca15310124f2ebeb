//! Constructs of C and GNU C that model checkers do not follow, or take for something else, in the C that they do follow: ranges in
//! initialisers, functions that the attribute `cleanup` calls, jumps to computed addresses, promotions of arguments, bit-fields at
//! boundaries of their types and wider than `int`, arrays that go on to the end of their object, floating numbers that become
//! integers, complex numbers, `long double`, wide literals, octal escapes before digits, casts of vectors, overflows in several types, compound literals to which control comes again, `__builtin_constant_p`, variables whose type their initialiser gives, arrays whose variable length has one value only.
//! And what the library remembers between calls or returns in a structure, where the program can do that itself.
//!
//! Each change stays within its line, so places are the same. What cannot be written so stays as it is.

mod choices;
mod cleanups;
mod comparisons;
mod complex;
mod compounds;
mod constants;
mod conversions;
mod deduced;
mod divisions;
mod enumerations;
mod escapes;
mod extended;
mod jumps;
mod lengths;
mod literals;
mod newer;
mod overflows;
mod promotions;
mod ranges;
mod straddling;
mod tokens;
mod trailing;
mod vectors;
mod wide_strings;
mod widths;

pub use compounds::undeclared as undeclared_literal;

use crate::parse::Unit;
use crate::source::Source;

/// The texts of a program's files after one kind of change; `None` if it has nothing of that kind.
pub type Pass = fn(&Unit) -> Option<Vec<Source>>;

const PASSES: [Pass; 22] = [
    divisions::computed,
    tokens::remembered,
    trailing::followed,
    promotions::written_out,
    straddling::padded,
    widths::cut,
    conversions::checked,
    extended::rounded,
    constants::of_the_text,
    comparisons::written_out,
    overflows::of_several_types,
    vectors::kept,
    complex::followed,
    wide_strings::by_number,
    escapes::ended,
    jumps::followed,
    compounds::declared,
    cleanups::hoisted,
    cleanups::called,
    ranges::written_out,
    // Behind those that declare things in expressions.
    deduced::spelled,
    lengths::constant,
];

/// The texts of a program for a machine whose enumerations are as small as their constants allow, where each says so; `None`
/// for others. Model checkers give them the width of `int` otherwise.
pub fn small_enumerations(unit: &Unit) -> Option<Vec<Source>> {
    enumerations::packed(unit)
}

/// What compilers read and model checkers do not, in a text that is the same program for both.
pub const FOR_ALL: [Pass; 3] = [
    choices::selected,
    literals::unwrapped,
    newer::written_as_before,
];

/// The changes, in their order; with those that rest on seeing all calls of each function, if the program has no other
/// callers.
pub fn passes(is_whole: bool) -> &'static [Pass] {
    // The last one rests on that.
    let count = PASSES.len() - usize::from(!is_whole);
    &PASSES[..count]
}

#[cfg(test)]
mod tests;
