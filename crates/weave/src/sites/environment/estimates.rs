//! Functions of `<math.h>` that model checkers do not compute, or get wrong: `pow`, `exp`, `fmod`.
//!
//! For a model checker a call returns any value of which a few facts are known: signs, bounds, and the values that every library
//! computes exactly. What a model checker proves so holds whatever the function returns; a violation that it shows may be one of
//! values that the function never returns, so it has to be seen in an execution. A program that is executed calls the library.

use cfront::library::{computes, counts_characters, estimated, is_root, Backend, Function, ROOT};
use cfront::types::{FloatKind, Type};

use super::definitions;
use super::values::nondet;
use crate::facts::types::{CallTypes, Scalar};
use crate::facts::Call;
use crate::layout::weaver::Weaver;

/// The condition under which nothing is computed.
pub(super) const CONDITION: &str = "#if BA_MODEL && !defined BA_DRIVER";

impl Weaver<'_> {
    /// Puts an estimate in the place of a call of such a function; returns whether it is one.
    pub(super) fn plan_estimate(&mut self, call: &Call, name: &str, types: &CallTypes) -> bool {
        let function = estimated(name).or(is_root(name).then_some(ROOT));
        let function = function.filter(|_| call.target.is_none());
        let arguments: Option<Vec<&Scalar>> =
            types.arguments.iter().map(|a| a.scalar.as_ref()).collect();
        let double = self.program.code.tree().types.model.double;
        let (Some(function), Some(result), Some(arguments)) =
            (function, types.result.as_ref(), arguments)
        else {
            return false;
        };
        if result.pointer || arguments.iter().any(|a| a.pointer) {
            return false;
        }
        if function == ROOT && !self.is_of_library(name) {
            return false;
        }
        let ty = &result.spelling;
        let known = &mut self.out.inputs.known;
        // The root of a `float` is that of the same `double`, rounded: this has more than twice as many digits.
        let computed =
            function == ROOT && double == 64 && matches!(ty.as_str(), "double" | "float");
        let body = match computed {
            true => {
                known.helpers.insert(definitions::SQUARE_ROOT);
                format!("  return ({ty})ba_root(ba_a0);\n")
            }
            false => {
                known.estimated.insert(name.to_owned());
                body(function, ty, arguments.len())
            }
        };
        self.stand_in(call, types, vec![(CONDITION.to_owned(), body)]);
        true
    }

    /// Whether the program declares a function of one floating-point number with the types that its name tells.
    fn is_of_library(&self, name: &str) -> bool {
        let tree = self.program.code.tree();
        let own = match name.strip_prefix("__builtin_").unwrap_or(name) {
            name if name.ends_with('f') => FloatKind::Float,
            name if name.ends_with('l') => FloatKind::LongDouble,
            _ => FloatKind::Double,
        };
        let declared = tree.function_named(name).map(|f| tree.functions[f].ty);
        let declared = declared.and_then(|ty| tree.types.function(ty));
        declared.is_none_or(|ty| {
            let mut all = ty.params.iter().chain([&ty.ret]);
            all.all(|ty| matches!(tree.types.get(*ty), Type::Float(kind) if *kind == own))
        })
    }

    /// Notes a function of the library that model checkers let return anything, although it computes what it returns.
    pub(super) fn note_estimate(&mut self, call: &Call, name: &str, row: Option<&Function>) {
        // Times and texts of the environment are any.
        let printed = name.ends_with("printf") || name.ends_with("scanf");
        let vague = row.is_some_and(|f| f.backend == Backend::Vague);
        let unread = row.is_some_and(|f| f.contract.is_some() && f.backend != Backend::Known);
        let counts = call.used && counts_characters(name);
        let known = &mut self.out.inputs.known;
        if counts || (vague && printed || unread) && !known.reads_bytes {
            known.estimated.insert(name.to_owned());
        }
        if computes(name) {
            known.computing.insert(name.to_owned());
        }
    }
}

/// The statements that return an estimate of a function's value for arguments `ba_a0`, `ba_a1`.
fn body(function: &str, ty: &str, arguments: usize) -> String {
    let any = nondet(ty);
    let facts = match arguments {
        1 => one(function),
        2 => two(function),
        _ => String::new(),
    };
    let facts = facts.replace("TYPE", ty);
    format!("  {ty} {any}(void);\n  {ty} ba_r = {any}();\n{facts}  return ba_r;\n")
}

/// A fact: where this holds of arguments `x` and `y`, this holds of the result `r`.
type Fact = (&'static str, &'static str);

/// The statement that assumes a fact.
fn assumed((when, then): &Fact) -> String {
    let named = |text: &str| {
        let names = text.replace('x', "ba_a0").replace('y', "ba_a1");
        names.replace('r', "ba_r")
    };
    format!("  BA_ASSUME(!({}) || ({}));\n", named(when), named(then))
}

/// The facts about a function of one argument. A comparison with what is no number is false.
fn one(function: &str) -> String {
    const AT_ZERO: Fact = ("x == 0", "r == 0");
    // The value has the argument's sign.
    const ODD: [Fact; 2] = [("x > 0", "r >= 0"), ("x < 0", "r <= 0")];
    let facts: &[Fact] = match function {
        "sin" => &[("x - x == 0", "r >= -1 && r <= 1"), AT_ZERO],
        "cos" => &[("x - x == 0", "r >= -1 && r <= 1"), ("x == 0", "r == 1")],
        "tan" => &[AT_ZERO],
        "exp" | "exp2" | "exp10" => &[
            ("x == 0", "r == 1"),
            ("x >= 0", "r >= 1"),
            ("x <= 0", "r >= 0 && r <= 1"),
        ],
        "expm1" => &[AT_ZERO, ODD[0], ODD[1], ("x == x", "r >= -1")],
        "cosh" => &[("x == x", "r >= 1"), ("x == 0", "r == 1")],
        "log" | "log2" | "log10" => &[
            ("x == 1", "r == 0"),
            ("x >= 1", "r >= 0"),
            ("x > 0 && x <= 1", "r <= 0"),
        ],
        "log1p" => &[AT_ZERO, ODD[0], ("x > -1 && x < 0", "r <= 0")],
        "asin" | "atanh" => &[
            AT_ZERO,
            ("x > 0 && x <= 1", "r >= 0"),
            ("x < 0 && x >= -1", "r <= 0"),
        ],
        "acos" => &[
            ("x == 1", "r == 0"),
            ("x >= -1 && x <= 1", "r >= 0 && r < 3.2"),
        ],
        "atan" => &[AT_ZERO, ODD[0], ODD[1], ("x == x", "r > -1.6 && r < 1.6")],
        "tanh" | "erf" => &[AT_ZERO, ODD[0], ODD[1], ("x == x", "r >= -1 && r <= 1")],
        "erfc" => &[("x == 0", "r == 1"), ("x == x", "r >= 0 && r <= 2")],
        "sinh" | "asinh" | "cbrt" => &[AT_ZERO, ODD[0], ODD[1]],
        _ => &[],
    };
    facts.iter().map(assumed).collect()
}

/// The facts about a function of two arguments.
fn two(function: &str) -> String {
    match function {
        "pow" => POWER.to_owned(),
        "fmod" => REMAINDER.to_owned(),
        "hypot" => assumed(&(
            "x - x == 0 && y - y == 0",
            "r >= 0 && r >= x && r >= -x && r >= y && r >= -y",
        )),
        "atan2" => {
            assumed(&("x == x && y == y", "r > -3.2 && r < 3.2"))
                + &assumed(&("x == 0 && y > 0", "r == 0"))
        }
        "ldexp" | "scalbn" | "scalbln" => SCALED.to_owned(),
        _ => String::new(),
    }
}

/// A power of a whole number by a small whole number is exact where it has at most 24 bits: the library's error is less than one
/// unit in the last place. A factor that is rounded makes a greater product.
const POWER: &str = "  if (ba_a1 == 0 || ba_a0 == 1) return 1;
  if (ba_a1 == 1) return ba_a0;
  BA_ASSUME(!(ba_a0 >= 0 && ba_a1 == ba_a1) || ba_r >= 0);
  BA_ASSUME(!(ba_a0 >= 1 && ba_a1 >= 0) || ba_r >= 1);
  if (ba_a0 >= -4096 && ba_a0 <= 4096 && ba_a1 > 0 && ba_a1 < 16 && (int)ba_a0 == ba_a0 && (int)ba_a1 == ba_a1) {
    int ba_n = (int)ba_a1;
    TYPE ba_x = ba_a0, ba_p = ba_n & 1 ? ba_x : 1;
    ba_x *= ba_x;
    if (ba_n & 2) ba_p *= ba_x;
    ba_x *= ba_x;
    if (ba_n & 4) ba_p *= ba_x;
    ba_x *= ba_x;
    if (ba_n & 8) ba_p *= ba_x;
    if (ba_p <= 1 << 24 && ba_p >= -(1 << 24)) return ba_p;
  }
";

/// A remainder is always exact. That of numbers with few digits is one of whole numbers; it is a zero of either sign.
const REMAINDER: &str = "  if (ba_a0 - ba_a0 == 0 && (ba_a0 < 0 ? -ba_a0 : ba_a0) < (ba_a1 < 0 ? -ba_a1 : ba_a1)) return ba_a0;
  BA_ASSUME(!(ba_a0 - ba_a0 == 0 && ba_a1 > 0) || (ba_r < ba_a1 && ba_r > -ba_a1));
  BA_ASSUME(!(ba_a0 - ba_a0 == 0 && ba_a1 < 0) || (ba_r > ba_a1 && ba_r < -ba_a1));
  BA_ASSUME(!(ba_a0 >= 0 && ba_a0 - ba_a0 == 0 && ba_a1 != 0 && ba_a1 == ba_a1) || ba_r >= 0);
  BA_ASSUME(!(ba_a0 <= 0 && ba_a0 - ba_a0 == 0 && ba_a1 != 0 && ba_a1 == ba_a1) || ba_r <= 0);
  if (ba_a0 > -1048576 && ba_a0 < 1048576 && ba_a1 > -1048576 && ba_a1 < 1048576) {
    int ba_x = (int)(ba_a0 * 1024), ba_y = (int)(ba_a1 * 1024);
    if (ba_y != 0 && ba_x == ba_a0 * 1024 && ba_y == ba_a1 * 1024) BA_ASSUME(ba_r == (TYPE)(ba_x % ba_y) / 1024);
  }
";

/// A number times a power of two is exact where neither it nor the product is very large or very small.
const SCALED: &str = "  if (ba_a0 == 0 || ba_a0 - ba_a0 != 0) return ba_a0;
  if (ba_a1 >= -60 && ba_a1 <= 60 && (ba_a0 > 0 ? ba_a0 : -ba_a0) < 1e18f && (ba_a0 > 0 ? ba_a0 : -ba_a0) > 1e-18f)
    return ba_a1 >= 0 ? ba_a0 * (1ull << ba_a1) : ba_a0 / (1ull << -ba_a1);
";
