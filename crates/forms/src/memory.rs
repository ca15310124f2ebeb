//! Programs with a memory that is weaker than sequential consistency.

use std::collections::BTreeSet;
use std::sync::Arc;

use sequentialise::memory::{ordered, remembered, Asked, Model};

use crate::program::{Memory, Program, NO_TREE};
use crate::races::first_message;

use spec::Evaluation;

use crate::listener::Listener;
use crate::refusal::Named;

impl Program {
    /// The program with a model of its memory. What the model does not follow leaves the program as it is.
    ///
    /// # Errors
    /// If the files cannot stand in one.
    pub(crate) fn remembered(
        self,
        asked: &Asked,
        output: &dyn Listener,
    ) -> anyhow::Result<Program> {
        let mut memory = Memory {
            model: asked.model,
            objects: Vec::new(),
            plain: false,
            refused: None,
            without_races: None,
            before: None,
        };
        let mut program = self.changed(&Named::default(), output, |unit| {
            let made = match with_flow(unit) {
                Some(whole) => remembered(&whole, asked),
                None => remembered(unit, asked),
            };
            let changed = match made {
                Ok(made) => {
                    (memory.objects, memory.plain) = (made.objects, made.plain);
                    let open = made.without_races.as_ref();
                    memory.without_races = open.map(|d| unit.source.told(d));
                    if made.source.is_some() {
                        memory.before = Some(Arc::new(unit.source.clone()));
                    }
                    made.source
                }
                Err(all) => {
                    memory.refused = all.first().map(|d| unit.source.told(d));
                    None
                }
            };
            // The tree was taken out of the program.
            Ok(changed.unwrap_or_else(|| unit.source.clone()))
        })?;
        program.memory = Some(memory);
        Ok(program)
    }

    /// The program that says which accesses may be a race, with the memory of C11; `None` if the orders of its atomic operations
    /// make no difference. The error says what the model does not follow.
    pub(crate) fn ordered(mut self) -> Result<Option<Program>, String> {
        let unit = self.unit().take().ok_or(NO_TREE)?;
        let unit = with_flow(&unit).unwrap_or(unit);
        let made = ordered(&unit).map_err(|all| {
            let first = all.into_iter().next();
            first.map_or_else(String::new, |d| unit.source.told(&d))
        })?;
        let Some(text) = made.source else {
            return Ok(None);
        };
        let unit = cfront::Unit::parse(text).map_err(first_message)?;
        self.memory = Some(Memory {
            model: Model::C11,
            objects: made.objects,
            plain: made.plain,
            refused: None,
            without_races: None,
            before: None,
        });
        let renamed = std::mem::take(&mut self.renamed);
        Ok(Some(self.derived(unit, renamed)))
    }

    /// Its memory, if it is weaker than sequential consistency and the program has threads.
    pub fn memory(&self) -> Option<&Memory> {
        self.memory.as_ref()
    }

    /// Whether some of its objects have a model of the memory.
    pub fn models_memory(&self) -> bool {
        self.memory().is_some_and(|m| !m.objects.is_empty())
    }
}

/// A unit with the control flow of its functions, which is taken out of programs: it tells what a run does once at most.
fn with_flow(unit: &cfront::Unit) -> Option<cfront::Unit> {
    cfront::Unit::parse(unit.source.clone()).ok()
}

/// If finite runs show each violation of the formulas of a specification: the names that its conditions read. `None` also where a
/// condition may read memory through pointers.
pub fn finite(spec: &spec::Spec) -> Option<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    let safe = |p: &spec::Property| crate::steps::is_safety(&spec.arena, p.root);
    let machine = &spec.machine;
    let reads_more = machine.clock.is_some() || !machine.remembered.is_empty();
    if reads_more || !spec.inputs.is_empty() || !spec.properties.iter().all(safe) {
        return None;
    }
    for proposition in &spec.propositions {
        let condition = match &proposition.evaluation {
            Evaluation::Condition(condition) => condition.as_str(),
            Evaluation::Function { .. } => return None,
            Evaluation::Timer => continue,
        };
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let mut calls = condition.match_indices('(');
        let calls = calls.any(|(at, _)| condition[..at].trim_end().ends_with(is_name));
        if calls || condition.contains(['*', '[']) || condition.contains("->") {
            return None;
        }
        let words = condition.split(|c| !is_name(c));
        names.extend(words.map(str::to_owned));
    }
    Some(names)
}

impl Memory {
    /// Why an answer about runs with sequential consistency is none; `None` if the model is followed.
    pub fn doubt(&self) -> Option<String> {
        let why = self.refused.as_ref()?;
        let model = self.model.name();
        Some(format!("the memory model {model} is not followed in this program ({why}), and only runs with sequential consistency were searched"))
    }

    /// Why an answer is none unless the program has no data races, of which this is known; `None` if that makes no difference.
    pub fn doubt_with_races(&self, known: &str) -> Option<String> {
        let why = self.without_races.as_ref()?;
        let model = self.model.name();
        Some(format!("the memory model {model} is followed in this program only if it has no data races ({why}), and {known}"))
    }

    /// What answers rest on, besides the model.
    pub fn assumption(&self) -> Option<&'static str> {
        let c11 = self.model == Model::C11;
        match (c11, self.plain && !self.objects.is_empty()) {
            (true, true) => Some(PLAIN),
            (true, false) => Some(RACES),
            (false, _) => None,
        }
    }
}

/// What C11 says of accesses that are not atomic and that two threads may make at the same time.
const PLAIN: &str = "accesses of shared objects that are not atomic count as relaxed ones; where two of them race, the program is undefined, and whether any do was not asked";

/// The same where no such access was found that is not ordered by locks, starts and ends of threads.
const RACES: &str =
    "accesses that are not atomic read the last store, as in programs without data races";
