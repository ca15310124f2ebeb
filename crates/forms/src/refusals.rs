//! What a specification or the command line asks of the machine and cannot have, as a failure with its place.

use std::sync::Arc;

use spec::Diagnostic;

use crate::failure::{Cause, Failure};
use crate::listener::Listener;
use crate::refusal::{Named, Refusal};
use crate::specs::SpecFile;

impl Refusal {
    /// The failure; a place in the specification is shown.
    pub fn ended(self, spec: Option<&SpecFile>, output: &dyn Listener) -> anyhow::Error {
        match (self, spec) {
            (Refusal::Option(message), _) => Failure::error(Cause::Usage, message),
            (Refusal::Specification(diagnostic), Some(spec)) => spec.refused(&diagnostic, output),
            (Refusal::Specification(diagnostic), None) => {
                Failure::error(Cause::Refused, diagnostic.title.clone())
            }
        }
    }
}

impl Named {
    /// The names of a specification.
    pub fn of(spec: &SpecFile) -> Named {
        let machine = &spec.spec().machine;
        let handlers = machine.interrupts.iter().map(|i| &i.handler);
        let masks = machine.masks.iter().flat_map(|(off, on)| [off, on]);
        let registers = machine.registers.iter().filter_map(|r| match &r.which {
            spec::WhichRegister::Name(name) => Some(name),
            spec::WhichRegister::Address(_) => None,
        });
        let machines = crate::machines::names(spec.spec()).into_iter();
        let names = handlers.chain(masks).chain(registers).chain(machines);
        let place = |text: &spec::Text| (text.as_str().to_owned(), text.span());
        let mut places: Vec<_> = names.map(place).collect();
        for text in &machine.entry {
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let words = text.as_str().split(|c| !is_name(c));
            for name in words.filter(|n| !n.is_empty()) {
                let at = name.as_ptr() as usize - text.as_str().as_ptr() as usize;
                places.push((name.to_owned(), text.span_of(at..at + name.len())));
            }
        }
        Named {
            sources: Some(Arc::new(spec.sources.clone())),
            places,
        }
    }

    /// The failure for what a program lacks, with the place that names it; `None` if the diagnostic has a place in the program,
    /// or is about something else.
    pub fn refused(
        &self,
        lacks: &cfront::Diagnostic,
        output: &dyn Listener,
    ) -> Option<anyhow::Error> {
        if lacks.span != cfront::Span::empty(0) {
            return None;
        }
        let sources = self.sources.as_ref()?;
        let about = |name: &str| lacks.message.contains(&format!("`{name}`"));
        let (_, span) = self.places.iter().find(|(name, _)| about(name))?;
        let mut diagnostic = Diagnostic::error(lacks.message.clone(), span.clone());
        if let Some(help) = &lacks.help {
            diagnostic = diagnostic.help(help.clone());
        }
        output.specification(&diagnostic, sources);
        Some(Failure::silent(Cause::Refused))
    }
}
