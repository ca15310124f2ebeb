//! Reads propositions: their areas, evaluations and instances.

use super::{Reader, BEGIN, END};
use crate::diagnostic::Diagnostic;
use crate::json::Text;
use crate::model::{Area, Evaluation, Instances, Proposition, SINGLE};
use crate::param::{is_identifier, Param};
use crate::wire::{shorten, WireArea, WireProposition};
use ltl::Atom;
use std::collections::HashMap;
use std::ops::Range;

impl Reader {
    pub(super) fn propositions(&mut self, list: &[WireProposition]) {
        let mut first: HashMap<&str, Range<usize>> = HashMap::new();
        for wire in list {
            if let Some(name) = &wire.name {
                if name.is_empty() {
                    self.error("a proposition needs a name", name.span());
                } else if let Some(before) = first.get(name.as_str()) {
                    let title = format!("the proposition `{}` is declared twice", shorten(name));
                    let error = Diagnostic::error(title, name.span());
                    self.errors
                        .push(error.secondary(before.clone(), "first here"));
                } else {
                    first.insert(name, name.span());
                    self.declared.insert(name.to_string());
                }
            }
            self.proposition(wire);
        }
    }

    pub(super) fn proposition(&mut self, wire: &WireProposition) {
        let area = self.area(wire);
        let evaluation = self.evaluation(wire);
        let instances = self.instances(wire);
        let (Some(name), Some(area), Some(evaluation)) = (&wire.name, area, evaluation) else {
            debug_assert!(!self.errors.is_empty(), "what is missing was reported");
            return;
        };
        let atom = self.arena.atom(Atom::Name(name.to_string()));
        self.propositions.push(Proposition {
            name: name.to_string(),
            atom,
            name_span: name.span(),
            default: wire.default.unwrap_or(false),
            area,
            evaluation,
            instances,
            span: wire.span.clone(),
        });
    }

    pub(super) fn instances(&mut self, wire: &WireProposition) -> Instances {
        match wire.instances.as_deref() {
            None | Some("any") => Instances::Any,
            Some("all") => Instances::All,
            Some("each") => Instances::Each,
            Some(SINGLE) => Instances::Single,
            Some(_) => {
                if let Some(text) = &wire.instances {
                    self.not_one_of("`instances`", text, &["any", "all", "each", SINGLE]);
                }
                Instances::Any
            }
        }
    }

    pub(super) fn area(&mut self, wire: &WireProposition) -> Option<Area> {
        match wire.area_keys.as_slice() {
            [] => {
                let title = "a proposition needs one of `span`, `at` and `function`";
                let error = Diagnostic::error(title, wire.span.clone()).help(format!(
                    "the whole program is `\"span\": [\"{BEGIN}\", \"{END}\"]`"
                ));
                self.errors.push(error);
                return None;
            }
            [_] => {}
            [first, second, ..] => {
                let title = "`span`, `at` and `function` exclude each other";
                let error = Diagnostic::error(title, second.clone());
                self.errors
                    .push(error.secondary(first.clone(), "the area is given here"));
                return None;
            }
        }
        match wire.area.as_ref()? {
            WireArea::At(label) => self.label(label).map(Area::At),
            WireArea::Function(name) => self.identifier(name, "a function").map(Area::Function),
            WireArea::Span(span) => match span.complete()? {
                [entry, exit] => self.span(entry, exit),
                labels => {
                    let title = format!("`span` has two labels, not {}", labels.len());
                    let error = Diagnostic::error(title, span.span.clone())
                        .help("the first is the entry of the area, the second its exit");
                    self.errors.push(error);
                    None
                }
            },
        }
    }

    pub(super) fn span(&mut self, entry: &Text, exit: &Text) -> Option<Area> {
        if entry.as_str() == BEGIN && exit.as_str() == END {
            return Some(Area::WholeProgram);
        }
        let special = |text: &Text| matches!(text.as_str(), BEGIN | END);
        if let Some(text) = [entry, exit].into_iter().find(|text| special(text)) {
            let error =
                Diagnostic::error(format!("`{text}` cannot stand beside a label"), text.span())
                    .help(format!(
                        "the whole program is `[\"{BEGIN}\", \"{END}\"]`; an area that is \
                     never left ends at a label that is never reached"
                    ));
            self.errors.push(error);
            return None;
        }
        let (start, end) = (self.label(entry), self.label(exit));
        let (entry_label, exit_label) = (start?, end?);
        if entry_label == exit_label {
            let error =
                Diagnostic::error("the area begins and ends at the same label", exit.span())
                    .help(format!("one position is `\"at\": \"{entry}\"`"));
            self.errors.push(error);
            return None;
        }
        Some(Area::Labels {
            entry: entry_label,
            exit: exit_label,
        })
    }

    pub(super) fn evaluation(&mut self, wire: &WireProposition) -> Option<Evaluation> {
        match wire.evaluation_keys.as_slice() {
            [] => {
                let title = "a proposition needs `expr` (with `params`) or `cond`";
                self.error(title, wire.span.clone());
            }
            [_] => {}
            [first, second, ..] => {
                let error =
                    Diagnostic::error("`expr` and `cond` exclude each other", second.clone());
                self.errors
                    .push(error.secondary(first.clone(), "the evaluation is given here"));
            }
        }
        let params: Vec<Option<Param>> = wire
            .params
            .iter()
            .flat_map(|list| &list.items)
            .map(|text| self.param(text))
            .collect();
        if wire.evaluation_keys.len() != 1 {
            return None;
        }
        if let Some(cond) = &wire.cond {
            if let Some(list) = &wire.params {
                let error = Diagnostic::error("`params` belongs to `expr`", list.span.clone())
                    .help("a condition names its objects itself, as `f::x > 1`");
                self.errors.push(error);
            }
            return self.condition(cond).map(Evaluation::Condition);
        }
        let expr = wire.expr.as_ref()?;
        if !is_identifier(expr) {
            let error = Diagnostic::error("`expr` is the name of a C function", expr.span()).help(
                format!("a condition is written `\"cond\": \"{}\"`", shorten(expr)),
            );
            self.errors.push(error);
            return None;
        }
        let params = params.into_iter().collect::<Option<Vec<_>>>()?;
        Some(Evaluation::Function {
            name: expr.clone(),
            params,
        })
    }

    pub(super) fn unused(&mut self) {
        // A specification with lists may serve several lists, so no list needs every proposition.
        if self.lists {
            return;
        }
        let propositions = self.propositions.iter();
        let unused: Vec<_> = propositions
            .filter(|p| !self.used.contains(&p.atom))
            .collect();
        let Some(first) = unused.first() else { return };
        let names: Vec<String> = unused
            .iter()
            .map(|p| format!("`{}`", shorten(&p.name)))
            .collect();
        let title = match &names[..] {
            [one] => format!("no formula has the proposition {one}"),
            several => format!("no formula has the propositions {}", several.join(", ")),
        };
        self.warnings
            .push(Diagnostic::warning(title, first.name_span.clone()));
    }
}
