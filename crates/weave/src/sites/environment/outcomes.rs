//! Results of functions of the library that change nothing of the program's: `if (fputs(line, out) == EOF)`. Where a program
//! of its own makes the runs, such a function does nothing, so that its result is an input where the program looks at it.

use cfront::library::{NoEffect, Writes};
use spec::InputValues;

use crate::facts::types::{Argument, CallTypes};
use crate::facts::Call;
use crate::layout::weaver::Weaver;
use crate::library::{self, Backend};

impl Weaver<'_> {
    /// Plans the result of such a call as an input of any value; returns whether it is one.
    pub(super) fn plan_outcome(&mut self, call: &Call, name: &str, types: &CallTypes) -> bool {
        let result = types.result.as_ref();
        let number = result.is_some_and(|ty| !ty.pointer && ty.bounds.is_some());
        let scalars = types.arguments.iter().all(|a| a.scalar.is_some());
        let outside = call.used && call.target.is_none() && number && scalars;
        let planned = self.options.driven && outside && only_tells(name);
        if planned {
            // It reads what its arguments point to, although their types may let it write there.
            let read = |argument: &Argument| Argument {
                scalar: argument.scalar.clone(),
                constant: argument.constant,
                ..Argument::default()
            };
            let types = CallTypes {
                arguments: types.arguments.iter().map(read).collect(),
                ..types.clone()
            };
            self.out.inputs.known.outcomes.insert(call.expr);
            let length = self.printed(call, name);
            if length.is_none() && cfront::library::counts_characters(name) {
                self.out.inputs.known.estimated.insert(name.to_owned());
            }
            let values = length.map_or(InputValues::Any, |n| InputValues::Set(vec![-1, n]));
            self.call_input(call, &types, &values, false);
        }
        planned
    }

    /// How many characters a call of `printf` or `fprintf` prints, unless its output fails, whose format is a text without conversions.
    fn printed(&self, call: &Call, name: &str) -> Option<i128> {
        let format = match cfront::library::plain_name(name) {
            "printf" => 0,
            "fprintf" => 1,
            _ => return None,
        };
        let text = self.literal(call, format)?;
        let length = text.iter().take_while(|byte| **byte != 0).count();
        let plain = !text[..length].contains(&b'%');
        i128::try_from(length).ok().filter(|_| plain)
    }
}

/// Whether a function has no effect on the model, and the catalogue knows nothing of its result.
fn only_tells(name: &str) -> bool {
    let Some(row) = library::function(name) else {
        return false;
    };
    let prints = matches!(row.no_effect, Some(NoEffect::Silent(_)));
    let quiet = row.writes == Some(Writes::Nothing)
        && row.backend == Backend::Declared
        && row.no_effect.is_none()
        && !row.reads;
    let plain = row.primitive.is_none()
        && row.lock.is_none()
        && row.allocates.is_none()
        && row.state.is_none()
        && row.runs.is_none()
        && row.contract.is_none();
    let executed = name.starts_with("__") || cfront::library::is_pure(name);
    row.ends.is_none() && !executed && (prints || quiet && plain)
}
