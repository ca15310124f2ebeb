//! Results of functions of the library that change nothing of the program's: `if (fputs(line, out) == EOF)`. Where a program
//! of its own makes the runs, such a function does nothing, so that its result is an input where the program looks at it.

use cfront::library::{NoEffect, Writes};
use spec::InputValues;

use super::stored::{most, results};
use super::values::chooser;
use crate::facts::types::{Argument, CallTypes, Scalar};
use crate::facts::Call;
use crate::layout::weaver::Weaver;
use crate::library::{self, Backend};
use crate::plan::inputs::Choice;

impl Weaver<'_> {
    /// Plans the result of such a call as an input of any value; returns whether it is one.
    pub(super) fn plan_outcome(&mut self, call: &Call, name: &str, types: &CallTypes) -> bool {
        let result = types.result.as_ref();
        let number = result.is_some_and(|ty| !ty.pointer && ty.bounds.is_some());
        let scalars = types.arguments.iter().all(|a| a.scalar.is_some());
        let outside = call.used && call.target.is_none() && number && scalars;
        let asked = self.options.driven || results(name).is_some();
        let planned = asked && outside && only_tells(name);
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

    /// The statements before a call returns, and the value that it returns: one of the input's values, or any value that the function
    /// gives if the input's values are stored; `None` if the call is refused.
    pub(super) fn result(
        &mut self,
        call: &Call,
        ty: &Scalar,
        values: &InputValues,
        site: usize,
        (wanted, stored): (bool, usize),
        arguments: &[Argument],
    ) -> Option<(String, String)> {
        let name = call.callee.as_deref().unwrap_or_default();
        if ty.pointer {
            if wanted {
                self.refuse(
                    call.range,
                    format!("`{name}` gives a pointer, which cannot be chosen"),
                    "no arithmetic type",
                    None,
                );
            }
            return None;
        }
        let any = InputValues::Any;
        let values = if stored == 0 { values } else { &any };
        let bounds = ty.bounds.filter(|_| !wanted);
        let (Some((low, high)), Some((least, greatest))) = (results(name), bounds) else {
            let choice = self.add_choice(call.range, ty, values)?;
            return Some((String::new(), format!("{}({site})", chooser(choice))));
        };
        let most = most(name).and_then(|a| Some((a, arguments.get(a)?.constant)));
        let constant = most.and_then(|(_, constant)| constant);
        let high = greatest.min(high.into()).min(constant.unwrap_or(greatest));
        let choice = self.add_known_choice(Choice {
            ty: ty.clone(),
            values: InputValues::Any,
            within: Some((least.max(low.into()), high)),
        });
        let given = format!("{}({site})", chooser(choice));
        Some(match most {
            Some((argument, None)) => {
                let first = format!("  {} ba_given = {given};\n", ty.spelling);
                (first, at_most(ty, argument))
            }
            _ => (String::new(), given),
        })
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

/// The result `ba_given` where an argument is the greatest one: of those inputs that are greater all but one are the same run.
fn at_most(ty: &Scalar, argument: usize) -> String {
    let wide = "unsigned long long";
    let greater = format!("ba_given > 0 && ({wide})ba_given > ({wide})ba_a{argument}");
    format!("{greater} ? ({})ba_a{argument} : ba_given", ty.spelling)
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
