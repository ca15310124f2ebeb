//! Functions of `<math.h>`.
//!
//! Model checkers know them, and some exactly: `floor`, `fabs`. Others they only estimate, or get wrong: CBMC 6.6 gives
//! `exp(1)`, `log10(1000)`, `pow(2, 0.5)`, `fmod(5.5, 2)` and `sqrt(3.2)` values that the functions do not have, rounds a product
//! that `fma` does not round, and gives `hypot` any value.

/// The square root, which CBMC 6.6 rounds wrongly, so that it is written out for it.
pub const ROOT: &str = "sqrt";

/// Functions that model checkers compute as the library does, for arguments of type `double`.
const EXACT: [&str; 16] = [
    "fabs",
    "floor",
    "ceil",
    "trunc",
    "round",
    "rint",
    "nearbyint",
    "lround",
    "llround",
    "lrint",
    "llrint",
    "fmax",
    "fmin",
    "fdim",
    "copysign",
    ROOT,
];

/// Functions that they do not.
const ESTIMATED: [&str; 42] = [
    "fma",
    "nextup",
    "nextdown",
    "roundeven",
    "pow10",
    "pow",
    "exp",
    "exp2",
    "exp10",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "cbrt",
    "hypot",
    "fmod",
    "remainder",
    "drem",
    "ldexp",
    "scalbn",
    "scalbln",
    "nextafter",
    "logb",
    "ilogb",
    "erf",
    "erfc",
    "tgamma",
    "lgamma",
];

/// The name for `double` of a function of this list, whatever the type of its arguments and however it is spelled.
fn named(name: &str, list: &'static [&'static str]) -> Option<&'static str> {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let find = |name: &str| list.iter().copied().find(|known| *known == name);
    let other = || find(plain.strip_suffix(['f', 'l'])?);
    find(plain).or_else(other)
}

/// Whether model checkers compute what a function of numbers returns.
pub(crate) fn is_exact(name: &str) -> bool {
    named(name, &EXACT).is_some()
}

/// The function for `double` of a function whose values model checkers only estimate: `pow` of `powf`.
pub fn estimated(name: &str) -> Option<&'static str> {
    named(name, &ESTIMATED)
}

/// Whether a function is a square root: of `double`, `float`, or `long double`.
pub fn is_root(name: &str) -> bool {
    named(name, &EXACT) == Some(ROOT)
}

/// Whether a function of the header depends on its arguments alone, so that a program that is executed may call it.
pub(super) fn is_pure(name: &str) -> bool {
    named(name, &EXACT).or_else(|| estimated(name)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_known_for_all_types_of_arguments() {
        assert_eq!(estimated("powf"), Some("pow"));
        assert_eq!(estimated("__builtin_fmodl"), Some("fmod"));
        assert_eq!(estimated("erf"), Some("erf"));
        assert_eq!(estimated("floorf"), None);
        assert!(is_pure("floorf") && is_pure("lrintl") && is_pure("expm1"));
        assert!(!is_pure("nan") && !is_pure("f") && !is_pure("pow2"));
    }
}
