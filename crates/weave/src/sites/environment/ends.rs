//! Calls of the C library that read less than they are asked to, because the input ends, has another form or fails. Where a
//! program looks at the result of such a call and the specification does not say what it gives, all results are possible that
//! the standards allow.

use spec::InputValues;

use super::blocks::Block;
use super::conversions::Conversions;
use super::stored::input;
use super::values::chooser;
use crate::facts::types::{CallTypes, Scalar};
use crate::facts::Call;
use crate::layout::weaver::Weaver;
use crate::library::{Bytes, Input};
use crate::plan::inputs::Choice;

/// The assumption about reads of objects that are not chosen byte by byte.
pub const AT_ONCE: &str = "a read gives at most 64 bytes or elements, or all that it was asked for";

/// The greatest number of bytes of a short read in an object that is not chosen byte by byte.
const SHORT: i128 = 64;

/// How a replaced call may read less.
#[derive(Default)]
pub(super) struct Ends {
    /// The statements before it stores anything.
    pub first: String,
    /// Whether `ba_count` is the number of the values that it stores.
    pub counts: bool,
}

impl Weaver<'_> {
    /// How a call whose result is used may read less than it is asked to.
    pub(super) fn ends_of_input(
        &mut self,
        call: &Call,
        types: &CallTypes,
        block: Option<&Block>,
        read: Option<&Conversions>,
    ) -> Ends {
        let name = call.callee.as_deref().unwrap_or_default();
        match (input(name), block) {
            (Some(Input::Values), _) => self.fewer_values(call, types, read),
            (Some(Input::Bytes(_, Bytes::Line(_) | Bytes::Unknown, Some(_))), Some(_)) => Ends {
                first: format!("  if (!{}) return 0;\n", self.result_within(call, 0, 1)),
                counts: false,
            },
            (Some(Input::Bytes(pointer, bytes, Some(asked))), Some(_)) => {
                let whole = matches!(bytes, Bytes::Product(..));
                self.fewer_bytes(call, types, (pointer, asked), whole)
            }
            _ => Ends::default(),
        }
    }

    /// A value of a range, chosen at a site of its own.
    pub(super) fn result_within(&mut self, call: &Call, low: i128, high: i128) -> String {
        let site = self.input_site(call);
        let choice = self.add_known_choice(Choice {
            ty: Scalar {
                spelling: "int".into(),
                bounds: Some((i32::MIN.into(), i32::MAX.into())),
                pointer: false,
            },
            values: InputValues::Any,
            within: Some((low, high)),
        });
        format!("{}({site})", chooser(choice))
    }

    /// `scanf` and relatives: the input ends before the first value (-1), or does not have the form of a later one.
    fn fewer_values(&mut self, call: &Call, types: &CallTypes, read: Option<&Conversions>) -> Ends {
        let written = types.arguments.iter().filter(|a| a.target.is_some());
        let most = read.map_or_else(|| written.count(), Conversions::values) as i128;
        if most == 0 {
            return Ends::default();
        }
        let mut first = format!("  int ba_count = {};\n", self.result_within(call, -1, most));
        if read.is_some_and(Conversions::begins) {
            first.push_str("  if (ba_count == 0) ba_count = -1;\n");
        }
        Ends {
            first,
            counts: true,
        }
    }

    /// Tells what is assumed of calls of a function.
    pub(super) fn assume_of(&mut self, call: &Call, assumption: &str) {
        let name = call.callee.as_deref().unwrap_or_default();
        let sentence = format!("{assumption}: {name}");
        let known = &mut self.out.inputs.assumptions;
        if !known.contains(&sentence) {
            known.push(sentence);
        }
    }

    /// `read`, `fread` and relatives: an error (-1, not for `fread`), the end of the input (0), or fewer bytes or elements.
    fn fewer_bytes(
        &mut self,
        call: &Call,
        types: &CallTypes,
        (pointer, asked): (usize, usize),
        whole: bool,
    ) -> Ends {
        let argument = types.arguments.get(pointer);
        let elements = argument.and_then(|a| a.elements).map(i128::from);
        let target = argument.and_then(|a| a.target.as_ref());
        let single = target.is_some_and(|t| t.spelling.ends_with("char"));
        let least = if whole { 0 } else { -1 };
        let constant = types.arguments.get(asked).and_then(|a| a.constant);
        let few = constant.filter(|n| (1..=SHORT).contains(n));
        let most = match (few, elements) {
            // All of them is no fewer.
            (Some(n), _) => n - 1,
            (None, Some(n)) if single && n <= super::blocks::SINGLE.into() => n,
            _ => {
                self.assume_of(call, AT_ONCE);
                SHORT
            }
        };
        // One more stands for all that was asked for.
        let got = self.result_within(call, least, most + 1);
        let end = match whole {
            true => "return 0",
            false => "return ba_count",
        };
        // A part of an element is stored byte by byte.
        let part = match target.filter(|_| !single && !whole) {
            Some(ty) => {
                let site = self.input_site(call);
                let bytes = "(unsigned long)ba_count";
                let rest = self.store_rest(call, true, pointer, bytes, site);
                format!(
                    "  if ((unsigned long)ba_a{asked} == (unsigned long)ba_count && ba_count % sizeof({}) != 0) {{ {rest} return ba_count; }}\n",
                    ty.spelling
                )
            }
            None => String::new(),
        };
        let fewer = match most {
            0 => String::new(),
            _ => format!(
                "  if (ba_count <= {most} && (unsigned long)ba_count < (unsigned long)ba_a{asked}) ba_a{asked} = ba_count;\n"
            ),
        };
        Ends {
            first: format!("  int ba_count = {got};\n  if (ba_count <= 0) {end};\n{fewer}{part}"),
            counts: false,
        }
    }
}
