//! Programs as proofs and searches of all states follow them: one text, with names for what is allocated.

use std::path::Path;

use crate::program::Program;

impl Program {
    /// The program as proofs and searches of all states can follow it: as a single file, with objects in the place of memory that is
    /// allocated once; `None` if it is so already. The text of the specification tells which static objects keep their
    /// names. The inner error says why the files cannot stand in one.
    ///
    /// # Errors
    /// If an earlier weaving came to an unexpected end.
    pub fn followed(&self, spec: &str) -> anyhow::Result<Option<Result<Program, String>>> {
        let merged = match self.paths.len() {
            0 | 1 => None,
            _ => Some(self.merged(spec)?),
        };
        let one = match &merged {
            Some(Err(_)) => return Ok(merged),
            Some(Ok(one)) => one,
            None => self,
        };
        let settled = one.settled()?;
        let one = settled.as_ref().unwrap_or(one);
        let headed = one.with_conditions_inside()?;
        Ok(headed.or(settled).map(Ok).or(merged))
    }

    /// The program with the conditions of loops that wait for inputs in front of their bodies, where states are compared.
    fn with_conditions_inside(&self) -> anyhow::Result<Option<Program>> {
        self.made(cfront::loop_conditions::inside)
    }

    /// The program with a text that is made of it; `None` if there is none, or it cannot be read again.
    ///
    /// # Errors
    /// If an earlier weaving came to an unexpected end.
    pub(crate) fn made(
        &self,
        change: impl Fn(&cfront::Unit) -> Option<cfront::Source>,
    ) -> anyhow::Result<Option<Program>> {
        self.with_unit(|unit, _| {
            let unit = cfront::Unit::parse(change(unit)?).ok()?;
            Some(self.derived(unit, self.renamed.clone()))
        })
    }

    /// The program with any values of the outputs of assembler statements whose effect is not known, and their places; `None` if
    /// it has none. The text of the specification tells which static objects keep their names.
    ///
    /// # Errors
    /// If an earlier weaving came to an unexpected end.
    pub fn with_any_outputs(&self, spec: &str) -> anyhow::Result<Option<(Program, Vec<String>)>> {
        if self.facts.assemblers.is_empty() {
            return Ok(None);
        }
        let merged = match self.paths.len() {
            0 | 1 => None,
            _ => match self.merged(spec)? {
                Ok(merged) => Some(merged),
                Err(_) => return Ok(None),
            },
        };
        let one = merged.as_ref().unwrap_or(self);
        one.with_unit(|unit, _| {
            let made = cfront::any_outputs(unit)?;
            let places = made.places.iter().map(|span| {
                let place = unit.source.place(*span);
                format!("{}:{}", place.file, place.line)
            });
            let places = places.collect();
            let unit = cfront::Unit::parse(made.source).ok()?;
            Some((one.derived(unit, one.renamed.clone()), places))
        })
    }

    pub(crate) fn merged(&self, spec: &str) -> anyhow::Result<Result<Program, String>> {
        let keeps = |file: &str, name: &str| {
            let file = Path::new(file).file_name().unwrap_or_default();
            spec.contains(&format!("{}::{name}", file.to_string_lossy()))
        };
        self.with_unit(|unit, _| {
            let merged = cfront::merge::merged(unit, self.own, &keeps);
            let merged = merged.map_err(|d| unit.source.told(&d))?;
            let unit = cfront::Unit::parse(merged.source).map_err(|all| {
                let first = all.into_iter().next();
                let first = first.map(|d| d.message).unwrap_or_default();
                format!("the files cannot be read as one: {first}")
            })?;
            Ok(self.derived(unit, merged.renamed))
        })
    }

    /// The program with objects in the place of memory that is allocated once, if all of it is.
    fn settled(&self) -> anyhow::Result<Option<Program>> {
        self.made(|unit| cfront::settle::settled(unit, &self.flows, self.own))
    }
}
