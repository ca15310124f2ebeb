//! The values that functions of the C library store and return when they read from outside.

use crate::facts::types::{CallTypes, Scalar};
use crate::library::{self, Bytes, Input};

/// The longest array that is an input: each element is a choice of its own.
pub(crate) const MOST_ELEMENTS: u64 = 4096;

/// The statement that stores element `e` of an argument that bytes are read to. Functions of the C library
/// store as many bytes as their size arguments say; strings end in a null character.
pub(crate) fn bytes_stored(
    name: &str,
    argument: usize,
    e: u64,
    elements: u64,
    ty: &Scalar,
    value: &str,
) -> String {
    let place = element(argument, e, elements);
    let end = format!("({e} + 1) * sizeof({})", ty.spelling);
    let last = e + 1 == elements;
    match input(name) {
        Some(Input::Bytes(_, Bytes::Line(most), _)) if last => {
            format!("  if ({e} < ba_a{most}) {place} = 0;\n")
        }
        Some(Input::Bytes(_, Bytes::Line(most), _)) => {
            format!("  if ({e} < ba_a{most}) {place} = {e} + 1 < ba_a{most} ? {value} : 0;\n")
        }
        Some(Input::Bytes(_, Bytes::Rest | Bytes::Unknown, _)) if last => {
            format!("  {place} = 0;\n")
        }
        Some(Input::Bytes(_, Bytes::Argument(most), _)) => {
            format!("  if ({end} <= ba_a{most}) {place} = {value};\n")
        }
        Some(Input::Bytes(_, Bytes::Product(size, many), _)) => {
            format!("  if ({end} <= ba_a{size} * ba_a{many}) {place} = {value};\n")
        }
        _ => format!("  {place} = {value};\n"),
    }
}

/// The statements that store a line as `fgets` does, in so many elements or fewer: nothing behind its end, and at most as many bytes
/// as an expression says, with the null character that ends them.
pub(super) fn line_stored(
    place: impl Fn(u64) -> String,
    elements: u64,
    most: &str,
    (ty, value): (&str, &str),
) -> String {
    let mut text = format!("  {ty} ba_c = 0;\n  _Bool ba_more = 1;\n");
    for e in 0..elements {
        let (more, ends) = match e {
            0 => ("", ""),
            _ => (" && ba_more", "ba_more = ba_c != '\\n'; "),
        };
        let value = match e + 1 == elements {
            true => "0".to_owned(),
            false => format!("{e} + 1 < {most}{more} ? {value} : 0"),
        };
        let place = place(e);
        text += &format!("  if ({e} < {most}{more}) {{ {ends}{place} = ba_c = {value}; }}\n");
    }
    text
}

/// The result of a function of the C library that stores and has read as much as it was asked to.
pub(super) fn returned(name: &str, stores: usize) -> Option<String> {
    match input(name)? {
        Input::Values => Some(stores.to_string()),
        Input::Bytes(_, _, result) => result.map(|argument| format!("ba_a{argument}")),
    }
}

/// The input of a function of the C library from outside.
pub(super) fn input(name: &str) -> Option<Input> {
    library::with_arguments(name)?.input
}

/// The least and the greatest result of a function of the C library, if it does not give all values of the result's type.
pub(super) fn results(name: &str) -> Option<(i64, i64)> {
    library::with_arguments(name)?.results
}

/// The argument of a function of the C library that is the greatest value of its result.
pub(super) fn most(name: &str) -> Option<usize> {
    library::with_arguments(name)?.at_most
}

/// Whether a function of the C library reads unknown values from outside.
pub(super) fn reads(name: &str) -> bool {
    library::with_arguments(name).is_some_and(|f| f.reads)
}

/// Whether the values that a call stores can be chosen: a function can replace it and has a result to return.
pub(crate) fn is_replaceable(name: &str, types: &CallTypes) -> bool {
    let pointer = types.result.as_ref().is_some_and(|r| r.pointer);
    has_scalars(types) && (!pointer || returned(name, 1).is_some())
}

/// Element `e` of the object that an argument points to.
pub(super) fn element(argument: usize, e: u64, elements: u64) -> String {
    match elements {
        1 => format!("*ba_a{argument}"),
        _ => format!("ba_a{argument}[{e}]"),
    }
}

/// Whether a function can replace a call: its arguments and its result, if any, are scalars.
pub(super) fn has_scalars(types: &CallTypes) -> bool {
    types.arguments.iter().all(|a| a.scalar.is_some()) && (types.result.is_some() || types.void)
}
