//! Reads references to the program: labels, objects, conditions, inputs and the trace mode.

use super::Reader;
use crate::diagnostic::Diagnostic;
use crate::json::Text;
use crate::model::{Input, InputTarget, InputValues, Label, LabelPattern, Reach, Trace};
use crate::param::{is_identifier, Param};
use crate::wire::{shorten, WireInput, WireReach, WireTrace};

impl Reader {
    pub(super) fn trace(&mut self, wire: &WireTrace) -> Trace {
        match (wire.mode.as_deref(), &wire.at) {
            (Some("sample"), Some(at)) if at.written > 0 => {
                return Trace::Sample(at.items.iter().filter_map(|l| self.label(l)).collect());
            }
            (Some("sample"), _) => {
                let span = wire
                    .at
                    .as_ref()
                    .map_or(wire.span.clone(), |at| at.span.clone());
                self.error("the mode `sample` needs labels in `at`", span);
            }
            (Some("changes"), Some(at)) => {
                self.error("the mode `changes` has no labels `at`", at.span.clone());
            }
            (Some("changes") | None, _) => {}
            (Some(_), _) => {
                if let Some(mode) = &wire.mode {
                    self.not_one_of("`mode`", mode, &["changes", "sample"]);
                }
            }
        }
        Trace::Changes
    }

    pub(super) fn input(&mut self, wire: &WireInput) -> Option<Input> {
        let target = match (&wire.call, &wire.variable) {
            (Some(call), None) => self.identifier(call, "a function").map(InputTarget::Call),
            (None, Some(variable)) => self.param(variable).map(InputTarget::Variable),
            (None, None) => {
                self.error("an input needs `call` or `variable`", wire.span.clone());
                None
            }
            (Some(call), Some(variable)) => {
                let title = "`call` and `variable` exclude each other";
                let error = Diagnostic::error(title, variable.span());
                self.errors
                    .push(error.secondary(call.span(), "the call is here"));
                None
            }
        };
        let values = self.input_values(wire);
        Some(Input {
            target: target?,
            values: values?,
            span: wire.span.clone(),
        })
    }

    pub(super) fn input_values(&mut self, wire: &WireInput) -> Option<InputValues> {
        match (&wire.values, &wire.range) {
            (None, None) => Some(InputValues::Any),
            (Some(values), None) if values.written == 0 => {
                self.error("no value is left for this input", values.span.clone());
                None
            }
            (Some(values), None) => Some(InputValues::Set(values.complete()?.to_vec())),
            (None, Some(range)) => match *range.complete()? {
                [low, high] if low <= high => Some(InputValues::Range(low, high)),
                [low, high] => {
                    let title = format!("the range from {low} to {high} is empty");
                    self.error(title, range.span.clone());
                    None
                }
                _ => {
                    let title = format!("`range` has two bounds, not {}", range.written);
                    self.error(title, range.span.clone());
                    None
                }
            },
            (Some(values), Some(range)) => {
                let title = "`values` and `range` exclude each other";
                let error = Diagnostic::error(title, range.span.clone());
                self.errors
                    .push(error.secondary(values.span.clone(), "the values are here"));
                None
            }
        }
    }

    pub(super) fn condition(&mut self, text: &Text) -> Option<Text> {
        if text.trim().is_empty() {
            self.error("expected a C condition", text.span());
            return None;
        }
        Some(text.clone())
    }

    pub(super) fn param(&mut self, text: &Text) -> Option<Param> {
        match Param::parse(text) {
            Ok(param) => Some(param),
            Err(error) => {
                let title = format!("`{}` names no object: {}", shorten(text), error.message);
                // An error at the end of the text is shown at the closing quote.
                let mut span = text.span_of(error.span);
                span.end = span.end.max(span.start + usize::from(span.is_empty()));
                let help =
                    "objects are written `x`, `f::x`, `f::x@line`, `file.c::x`, each with a path \
                            such as `.field`, `->field` or `[2]`";
                self.errors.push(Diagnostic::error(title, span).help(help));
                None
            }
        }
    }

    pub(super) fn identifier(&mut self, text: &Text, what: &str) -> Option<Text> {
        if is_identifier(text) {
            return Some(text.clone());
        }
        let title = format!("expected the name of {what}, found `{}`", shorten(text));
        self.error(title, text.span());
        None
    }

    pub(super) fn label(&mut self, text: &Text) -> Option<Label> {
        let (function, name) = split_function(text);
        if is_identifier(name) && function.is_none_or(is_identifier) {
            let (function, name) = (function.map(str::to_owned), name.to_owned());
            return Some(Label {
                text: text.clone(),
                function,
                name,
            });
        }
        let title = format!("expected a label, found `{}`", shorten(text));
        let error = Diagnostic::error(title, text.span())
            .help("labels are written `label`, or `f::label` for that of the function `f`");
        self.errors.push(error);
        None
    }

    pub(super) fn reach(&mut self, wire: &WireReach) -> Option<Reach> {
        let expect = wire.expect.as_ref().and_then(|name| self.expectation(name));
        let at = self.pattern(wire.at.as_ref()?)?;
        Some(Reach { at, expect })
    }

    pub(super) fn pattern(&mut self, text: &Text) -> Option<LabelPattern> {
        let (function, pattern) = split_function(text);
        let plain = pattern.replace(['*', '?'], "_");
        if is_identifier(&plain) && function.is_none_or(is_identifier) {
            let (function, pattern) = (function.map(str::to_owned), pattern.to_owned());
            return Some(LabelPattern {
                text: text.clone(),
                function,
                pattern,
            });
        }
        let title = format!(
            "expected a label or a pattern such as `error_*`, found `{}`",
            shorten(text)
        );
        self.error(title, text.span());
        None
    }
}

/// Splits `f::label` into function and label.
fn split_function(text: &str) -> (Option<&str>, &str) {
    match text.split_once("::") {
        Some((function, label)) => (Some(function), label),
        None => (None, text),
    }
}
