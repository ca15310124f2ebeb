//! Functions of the emitted program that choose values.

use spec::InputValues;

use crate::items::{Conditional, Function, Item, Signature};
use crate::plan::inputs::Choice;

/// The function without a body that returns any value of a type.
pub(crate) fn nondet(ty: &str) -> String {
    format!("nondet_ba_{}", ty.replace(' ', "_"))
}

/// The function that chooses a value; if a search drives the runs, it may decide which, and learns of it.
pub(crate) fn choosing(number: usize, choice: &Choice, driven: bool) -> Item {
    let ty = &choice.ty.spelling;
    let (pick, value) = match &choice.values {
        InputValues::Any if driven => (String::new(), format!("BA_ANY({}())", nondet(ty))),
        InputValues::Any => (String::new(), format!("{}()", nondet(ty))),
        InputValues::Set(set) => {
            let last = set.last().map_or_else(|| "0".into(), |v| literal(*v));
            let others = set
                .iter()
                .enumerate()
                .take(set.len().saturating_sub(1))
                .rev();
            let value = others.fold(last, |rest, (i, v)| {
                format!("ba_pick == {i} ? {} : {rest}", literal(*v))
            });
            ("  unsigned ba_pick = nondet_ba_unsigned();\n".into(), value)
        }
        InputValues::Range(low, high) => ranged(*low, *high),
    };
    // A search that decides the values may give others.
    let within = choice.within.map_or_else(String::new, |(low, high)| {
        let (low, high) = (literal(low), literal(high));
        format!("  if (ba_given < {low} || ba_given > {high}) ba_given = {low};\n")
    });
    let tells = if driven {
        "  BA_GIVEN(ba_given);\n"
    } else {
        ""
    };
    let body = format!(
        "  BA_SHOW(ba_site);\n#if BA_MODEL\n{pick}  {ty} ba_given = {value};\n#else\n  {ty} ba_given = ({ty})BA_CHOICE(ba_site);\n#endif\n{within}{tells}  return ba_given;\n"
    );
    let function = Function::new(choice_signature(number, ty), body);
    let said = match choice.within {
        Some((low, high)) => words(&InputValues::Range(low, high)),
        None => words(&choice.values),
    };
    Conditional::when(CHOOSES, vec![function.into()])
        .for_reason(format!("{said}."))
        .into()
}

/// The condition under which values from the environment are chosen.
pub(crate) const CHOOSES: &str = "#if BA_CHOOSES";

/// The function that makes a choice.
pub(crate) fn choice_signature(number: usize, ty: &str) -> Signature {
    Signature::unused(format!("{ty} {}(unsigned ba_site)", chooser(number)))
}

/// The name of that function.
pub(crate) fn chooser(number: usize) -> String {
    format!("ba_choose_{number}")
}

/// A choice from a range: by a mask if the number of values is a power of two, else by a comparison. A division
/// would cost model checkers far more.
fn ranged(low: i128, high: i128) -> (String, String) {
    let last = high.wrapping_sub(low);
    if last > u64::MAX.into() {
        return (String::new(), literal(low));
    }
    let (ty, suffix) = match last > u32::MAX.into() {
        true => ("unsigned long long", "ull"),
        false => ("unsigned", "u"),
    };
    let nondet = match last > u32::MAX.into() {
        true => {
            "((unsigned long long)nondet_ba_unsigned() << 32 | nondet_ba_unsigned())".to_string()
        }
        false => "nondet_ba_unsigned()".into(),
    };
    let within = match (last + 1) & last == 0 {
        true => format!("(ba_pick & {last}{suffix})"),
        false => format!("(ba_pick <= {last}{suffix} ? ba_pick : 0{suffix})"),
    };
    // Computed in unsigned arithmetic, which wraps.
    let wide = if ty == "unsigned" && (low < i32::MIN.into() || high > i32::MAX.into()) {
        "unsigned long long"
    } else {
        ty
    };
    let signed = if wide == "unsigned" {
        "int"
    } else {
        "long long"
    };
    let value = match low {
        0 => within,
        _ if high > i64::MAX.into() => format!("(unsigned long long){within} + {}", literal(low)),
        _ => format!("({signed})(({wide}){} + {within})", literal(low)),
    };
    (format!("  {ty} ba_pick = {nondet};\n"), value)
}

/// A number as a C expression.
fn literal(value: i128) -> String {
    match value {
        v if v == i64::MIN.into() => "(-9223372036854775807ll - 1)".into(),
        v if v > i64::MAX.into() => format!("{v}ull"),
        v if v < i32::MIN.into() || v > i32::MAX.into() => format!("{v}ll"),
        v if v == i32::MIN.into() => "(-2147483647 - 1)".into(),
        v => v.to_string(),
    }
}

/// The values of an input in words.
pub(crate) fn words(values: &InputValues) -> String {
    match values {
        InputValues::Any => "any value of its type".into(),
        InputValues::Range(low, high) => format!("a value from {low} to {high}"),
        InputValues::Set(set) => match &set[..] {
            [one] => format!("the value {one}"),
            _ => {
                const LONGEST: usize = 12;
                let shown: Vec<String> = set.iter().take(LONGEST).map(i128::to_string).collect();
                let more = if set.len() > LONGEST { ", …" } else { "" };
                format!("one of {}{more}", shown.join(", "))
            }
        },
    }
}
