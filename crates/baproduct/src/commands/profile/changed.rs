//! Measurements of changed programs and specifications: without the calls of one lock, and with a proposition that
//! never changes, so that no letter is taken for it.

use std::collections::BTreeMap;
use std::path::Path;

use backend::Size;
use forms::{Program, SpecFile, Weaving, Woven};
use ltl::Constant;
use weave::record::SiteEvent;

use super::{Measure, Part};

/// The greatest number of groups of propositions that are measured.
const PROPOSITIONS: usize = 12;
/// The greatest number of locks that are measured.
const LOCKS: usize = 12;

impl Measure<'_> {
    /// Measures the program with each proposition constant, or with groups of them if there are many.
    pub(super) fn propositions(
        &mut self,
        program: &Program,
        spec: &SpecFile,
        woven: &Woven,
        whole: &Size,
        parts: &mut Vec<Part>,
    ) -> anyhow::Result<()> {
        let names: Vec<String> = spec.proposition_names();
        for group in names.chunks(names.len().div_ceil(PROPOSITIONS).max(1)) {
            let without = spec.changed(|spec| fix(spec, group));
            let what = match group {
                [one] => one.clone(),
                [first, .., last] => format!("{first} to {last}"),
                [] => continue,
            };
            let why = "the formulas without it cannot be woven";
            let measured = self.woven((program, &without), self.weaving, (&what, why))?;
            let Some((part, size)) = measured else {
                continue;
            };
            let places = letters(woven).saturating_sub(letters(&part));
            let areas = woven.record.propositions.iter();
            let mut areas = areas.filter(|p| group.contains(&p.name));
            let kind = match areas.any(|p| p.area.is_some()) {
                true => "area",
                false => "letters",
            };
            let places = match places {
                1 => "1 place".to_owned(),
                n => format!("{n} places"),
            };
            let change = format!("never changes, no letter at {places}");
            parts.push(Part::new((kind, what), change, whole, &size, None));
        }
        Ok(())
    }

    /// Measures the program without the calls that take and give back each of its locks.
    pub(super) fn locks(
        &mut self,
        program: &Program,
        spec: &SpecFile,
        whole: &Size,
        parts: &mut Vec<Part>,
    ) -> anyhow::Result<()> {
        let [path] = program.paths() else {
            return Ok(());
        };
        let mut locks: BTreeMap<String, Vec<weave::facts::Range>> = BTreeMap::new();
        let facts = program.facts();
        for call in &facts.calls {
            let known = call.callee.as_deref().and_then(cfront::library::function);
            let object = call.argument_objects.first().copied().flatten();
            if let (Some(_), Some(object)) = (known.and_then(|f| f.lock.as_ref()), object) {
                let name = facts.objects[object].name.clone();
                locks.entry(name).or_default().push(call.range);
            }
        }
        let mut weaving = self.weaving.clone();
        let beside = path.parent().unwrap_or(Path::new("")).to_path_buf();
        weaving
            .preprocessor
            .include
            .push(match beside.as_os_str().is_empty() {
                true => ".".into(),
                false => beside,
            });
        for (name, calls) in locks.into_iter().take(LOCKS) {
            let Some(text) = program.without(path, &calls) else {
                let why = "its calls do not stand in the program's text as they are compiled";
                self.not_measured.push(format!("{name}: {why}"));
                continue;
            };
            let directory = self.directory.join(format!("lock{}", self.written));
            std::fs::create_dir(&directory)?;
            let file = directory.join(path.file_name().unwrap_or_default());
            std::fs::write(&file, text)?;
            let changed = Program::read(&[file], &weaving, &self.quiet)?;
            let what = format!("{name} ({})", calls.len());
            let why = "the program without its calls cannot be woven";
            let measured = self.woven((&changed, spec), &weaving, (&what, why))?;
            let Some((_, size)) = measured else {
                continue;
            };
            let change = match calls.len() {
                1 => "1 call left out".to_owned(),
                n => format!("{n} calls left out"),
            };
            parts.push(Part::new(("lock", name), change, whole, &size, None));
        }
        Ok(())
    }

    /// Weaves a changed program or specification and measures it. What cannot be woven, for the reason given, or
    /// measured is added to the parts that are not measured.
    fn woven(
        &mut self,
        (program, spec): (&Program, &SpecFile),
        weaving: &Weaving,
        (what, why): (&str, &str),
    ) -> anyhow::Result<Option<(Woven, Size)>> {
        let Ok(woven) = forms::try_weave(program, spec, weaving, &self.quiet)? else {
            self.not_measured.push(format!("{what}: {why}"));
            return Ok(None);
        };
        let measured = self.of(&woven, self.options.rounds, None)?;
        Ok(self.known(what, measured).map(|size| (woven, size)))
    }
}

/// Gives propositions their values outside of their areas for ever, and leaves out their evaluations.
fn fix(spec: &mut spec::Spec, names: &[String]) {
    let chosen = spec.propositions.iter();
    let chosen = chosen.filter(|p| names.contains(&p.name));
    let values: Vec<(ltl::AtomId, bool)> = chosen.map(|p| (p.atom, p.default)).collect();
    let constants: Vec<Constant> = values
        .iter()
        .map(|&(atom, value)| Constant {
            formula: spec.arena.make(ltl::Node::Atom(atom)),
            value,
        })
        .collect();
    for property in &mut spec.properties {
        property.root = spec.arena.under(property.root, &constants);
    }
    spec.propositions.retain(|p| !names.contains(&p.name));
}

/// The number of places at which letters are taken.
fn letters(woven: &Woven) -> usize {
    let events = [
        SiteEvent::Write,
        SiteEvent::Enter,
        SiteEvent::Leave,
        SiteEvent::Sample,
    ];
    let sites = woven.record.sites.iter();
    sites.filter(|s| events.contains(&s.event)).count()
}
