//! The step form of a program with counters that only grow (`sequentialise::counters`).

use std::collections::BTreeSet;
use std::path::Path;

use cfront::stepped::SHIFT;
use cfront::Unit;
use sequentialise::counters::{may_shift, shift};
use sequentialise::{Options, Sequential, Watched};
use spec::Spec;

use super::{of_conditions, Program};
use crate::listener::Listener;
use crate::weaving::Weaving;

/// Where the text stands, and how it is read.
pub(super) struct Place<'a> {
    pub path: &'a Path,
    pub weaving: &'a Weaving,
    pub output: &'a dyn Listener,
}

/// The step form in which an amount is taken off counters after each step; `None` if the program has none, or the specification
/// asks about more than the objects that its propositions name.
///
/// # Errors
/// If the text cannot be written, or not be read.
pub(super) fn shifted(
    spec: &Spec,
    whole: &Unit,
    options: &mut Options,
    place: &Place,
) -> anyhow::Result<Option<Sequential>> {
    let machine = &spec.machine;
    let counts = !machine.timers.is_empty() || !machine.remembered.is_empty();
    let objects = match &options.watched {
        Watched::Objects(objects) => Some(objects.clone()),
        // With a model of the memory, all accesses are steps.
        Watched::Accesses => super::watched::read_by(spec, &whole.tree),
        _ => None,
    };
    // With letters, each event tells what it writes.
    let counts = counts || options.section_end.is_some();
    let Some(objects) = objects.filter(|_| !counts && may_shift(whole)) else {
        return Ok(None);
    };
    let names = objects.iter().map(|o| whole.tree.objects[*o].name.clone());
    let observed: BTreeSet<String> = names.collect();
    options.shifts = true;
    let Ok(made) = sequentialise::sequentialise(whole, options) else {
        return Ok(None);
    };
    let mut text = made.text.clone();
    let end = text.len();
    text.extend(format!("\nstatic void {SHIFT}(void) {{ }}\n").into_bytes());
    text.extend(of_conditions(whole).into_bytes());
    std::fs::write(place.path, &text)?;
    let read = Program::read_made(place.path.to_owned(), place.weaving, place.output)?;
    let Ok(unit) = Unit::parse(read.source) else {
        return Ok(None);
    };
    Ok(shift(&unit, &observed).map(|function| {
        text.truncate(end);
        text.extend(function.into_bytes());
        text.extend(of_conditions(whole).into_bytes());
        Sequential { text, ..made }
    }))
}
