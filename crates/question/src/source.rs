//! What is asked about: a program with its specification, or a program that was woven before.

use std::sync::Arc;

use forms::{Listener, Quiet, Reader, Weaving};
use sequentialise::memory::Model;
use verify::result::{Engine, Holds, PropertyResult, VerifyResult};
use weave::record::Record;

/// The input of a verification.
pub enum Input {
    /// A program that `instrument` wrote, with its record.
    Woven(Vec<forms::Emitted>, Box<Record>),
    /// A program and a specification.
    Source(Box<Source>),
}

/// A program and a specification, read once.
#[derive(Clone)]
pub struct Source {
    /// The program.
    pub program: Arc<forms::Program>,
    /// The specification.
    pub spec: forms::SpecFile,
    /// The options of weaving.
    pub weaving: Weaving,
    /// The program with all monitors.
    pub whole: Arc<forms::Woven>,
}

impl Source {
    /// The same specification for another form of the program. The inner error says why it does not fit.
    ///
    /// # Errors
    /// If the options do not fit the program.
    pub fn of(
        &self,
        program: forms::Program,
        output: &dyn Listener,
    ) -> anyhow::Result<Result<Source, String>> {
        let quiet = Quiet(output);
        let (spec, weaving) = (self.spec.clone(), self.weaving.clone());
        let woven = forms::try_weave(&program, &spec, &weaving, &quiet)?;
        Ok(match woven {
            Ok(whole) => Ok(Source {
                program: Arc::new(program),
                spec,
                weaving,
                whole: Arc::new(whole),
            }),
            Err(refused) => Err(refused.first(&program).unwrap_or_default()),
        })
    }
}

impl Source {
    /// The same question without the specification's section on infinite runs, as proofs ask it.
    pub fn without_state(&self, output: &dyn Listener) -> Source {
        Source {
            program: Arc::clone(&self.program),
            spec: forms::without_state(self.spec.clone(), output),
            weaving: self.weaving.clone(),
            whole: Arc::clone(&self.whole),
        }
    }

    /// Whether a finite run shows each violation of a property.
    fn is_safety(&self, name: &str) -> bool {
        let spec = self.spec.spec();
        let property = spec.properties.iter().find(|p| p.name.as_str() == name);
        property.is_some_and(|p| forms::steps::is_safety(&spec.arena, p.root))
    }

    /// Takes back what runs with sequential consistency do not show about a weaker memory model that is not followed, and tells
    /// what answers about one that is rest on. Whether the program has races is not asked.
    pub fn doubt(&self, result: &mut VerifyResult) {
        self.doubt_unless_races_are_asked(result);
        self.doubt_with_races("whether it has any is not known", result);
    }

    /// Takes back what a program that may have data races, of which this is known, does not show.
    pub fn doubt_with_races(&self, known: &str, result: &mut VerifyResult) {
        let memory = self.program.memory();
        let why = memory.and_then(|m| m.doubt_with_races(known));
        if let Some(why) = why {
            ::verify::memory::doubt(result, &why);
        }
    }

    /// [`Self::doubt`], if races are asked later. Also takes back violations by a program of which no run is known to do nothing
    /// undefined, and proofs about a program that may evaluate calls in another order.
    pub fn doubt_unless_races_are_asked(&self, result: &mut VerifyResult) {
        let violates = |p: &PropertyResult| p.answer.verdict.is_violation();
        if result.properties.iter().any(violates) {
            if let Some(what) = self.program.undefined_anywhere() {
                ::verify::memory::refutes_nothing(
                    result,
                    &format!(
                        "the formula is violated, and whether by a run that does nothing undefined before is not known: \
                         {what}"
                    ),
                );
            }
        }
        let proved = |p: &PropertyResult| p.answer.holds == Holds::Proved;
        if result.properties.iter().any(proved) {
            if let Some(why) = self.program.unordered() {
                ::verify::memory::incomplete(&mut result.properties, &why);
            }
        }
        let Some(memory) = self.program.memory() else {
            return;
        };
        if let Some(why) = memory.doubt() {
            ::verify::memory::doubt(result, &why);
        } else if !memory.objects.is_empty() {
            ::verify::memory::only_by(Engine::Steps, result);
            if memory.model == Model::Pso {
                ::verify::memory::unfair(result, |name| self.is_safety(name));
            }
        }
        let assumptions = &mut result.premises.assumptions;
        let known = |text: &&str| assumptions.iter().any(|a| a == *text);
        if let Some(text) = memory.assumption().filter(|text| !known(text)) {
            assumptions.push(text.to_owned());
        }
    }

    /// The same question, in which runs that repeat a state count as infinite.
    ///
    /// # Errors
    /// If the program cannot be woven so.
    pub fn with_lassos(&self, output: &dyn Listener) -> anyhow::Result<Source> {
        let spec = forms::without_state(self.spec.clone(), output);
        let weaving = Weaving {
            lasso: true,
            reader: Reader {
                rounds: true,
                ..self.weaving.reader
            },
            ..self.weaving.clone()
        };
        let woven = forms::try_weave(&self.program, &spec, &weaving, output)?;
        let refused = |refused: forms::Refused| {
            let why = refused.first(&self.program).unwrap_or_default();
            anyhow::anyhow!("infinite runs cannot be followed: {why}")
        };
        Ok(Source {
            program: Arc::clone(&self.program),
            whole: Arc::new(woven.map_err(refused)?),
            spec,
            weaving,
        })
    }
}

impl Input {
    /// The files of the program with all monitors.
    pub fn files(&self) -> &[forms::Emitted] {
        match self {
            Input::Woven(files, _) => files,
            Input::Source(source) => &source.whole.files,
        }
    }

    /// The record of the program with all monitors.
    pub fn record(&self) -> &Record {
        match self {
            Input::Woven(_, record) => record,
            Input::Source(source) => &source.whole.record,
        }
    }
}
