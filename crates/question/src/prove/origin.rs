//! The origin of a certificate: the program as it is compiled, its specification, and the options that decide how it is woven. A
//! check weaves the program again from it, so that nothing that the certificate says of the woven program has to be believed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Context;
use backend::Backend;
use cfront::data_model::DataModel;
use forms::{Listener, Preprocessor, Quiet, Reader, Texts, Weaving, DEFAULT_CPP};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use verify::prove::certificate::{self, Certificate};
use verify::prove::{Limits, Task};
use weave::Form;

use super::search::{Search, Ways};
use crate::source::Source;

/// The program and its specification.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The names and texts of the program's files.
    files: Vec<(String, String)>,
    /// The texts of its specification.
    specification: Texts,
    /// The C dialect.
    dialect: String,
    /// The data model.
    #[serde(default)]
    model: DataModel,
    monitor: String,
    strict: bool,
    assert_prunes: bool,
    unwind: Option<u32>,
    unwindset: Vec<String>,
}

impl Origin {
    /// The origin of the proofs about a program.
    ///
    /// # Errors
    /// If the program's text cannot be written.
    pub fn of(source: &Source) -> anyhow::Result<Origin> {
        let weaving = &source.weaving;
        let forms = FORMS.iter().find(|(form, _)| *form == weaving.monitor);
        let bounds = weaving.unwindset.iter();
        Ok(Origin {
            files: source.program.compiled()?,
            specification: source.spec.texts().clone(),
            dialect: weaving.preprocessor.std.clone(),
            model: source.whole.record.model,
            monitor: forms.map_or(String::new(), |(_, name)| (*name).to_owned()),
            strict: weaving.strict,
            assert_prunes: weaving.assert_prunes,
            unwind: weaving.unwind,
            unwindset: bounds.map(|(name, k)| format!("{name}:{k}")).collect(),
        })
    }

    /// Compares with a program that was read, and with its specification if there is one. The lines that say where text is from
    /// do not count.
    ///
    /// # Errors
    /// What differs, in words, as the inner error; or the program's text cannot be written.
    pub fn compare(
        &self,
        program: &forms::Program,
        specification: Option<&Texts>,
    ) -> anyhow::Result<Result<(), String>> {
        let mut own = self.files.iter().flat_map(|(_, text)| lines(text));
        // As for the proof, several files are one, and memory that is allocated once is an object.
        let given = match program.followed(self.specification.main())? {
            Some(Ok(one)) => one.compiled()?,
            _ => program.compiled()?,
        };
        let mut other = given.iter().flat_map(|(_, text)| lines(text));
        let different = own.find(|line| other.next() != Some(*line));
        Ok(match (different, specification) {
            (Some(line), _) => Err(format!("its program has the line `{}`", line.trim())),
            _ if other.next().is_some() => Err("its program is shorter".into()),
            (None, Some(texts)) if !texts.say_the_same(&self.specification) => {
                Err("its specification has another text".into())
            }
            _ => Ok(()),
        })
    }

    /// As a part of a certificate's argument.
    pub fn value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// Reads a part of a certificate's argument.
    ///
    /// # Errors
    /// If it is no origin.
    pub fn read(value: &Value) -> Result<Origin, String> {
        Origin::deserialize(value).map_err(|e| format!("its argument cannot be read: {e}"))
    }

    /// Weaves the program again for a proof, in a directory. Also gives the names of the program's types. The inner error says why
    /// the program cannot be woven.
    ///
    /// # Errors
    /// If the program or its specification is refused; the diagnostics have been printed.
    pub fn task(
        &self,
        directory: &Path,
        backend: &dyn Backend,
        output: &dyn Listener,
    ) -> anyhow::Result<Result<(Task, BTreeSet<String>), String>> {
        let source = self.source(directory, output)?;
        let search = Search {
            source: &source,
            apart: None,
            backend,
            options: &::verify::Options::default(),
            limits: &Limits::default(),
            output,
            certifies: true,
            ways: Ways {
                induction: true,
                k_induction: None,
                hunts: true,
            },
        };
        let task = search.task_of(0, directory)?;
        // No path of this machine is in the text.
        let here = format!("{}/", directory.display());
        Ok(task.map(|task| {
            let text = task.text.replace(&here, "");
            (Task { text, ..task }, source.program.types())
        }))
    }

    /// Reads the program again, and weaves it with its monitors.
    fn source(&self, directory: &Path, output: &dyn Listener) -> anyhow::Result<Source> {
        let quiet = Quiet(output);
        let mut paths = Vec::new();
        for (number, (name, text)) in self.files.iter().enumerate() {
            let path = directory.join(format!("origin{number}.c"));
            let name = cfront::linemap::quoted(name);
            std::fs::write(&path, format!("# 1 \"{name}\"\n{text}"))?;
            paths.push(path);
        }
        let preprocessor = Preprocessor::for_text(&self.dialect, DEFAULT_CPP, &self.model);
        let named = FORMS.iter().find(|(_, name)| *name == self.monitor);
        let weaving = Weaving {
            unwind: self.unwind,
            unwindset: bounds(&self.unwindset)?,
            monitor: named.map_or(Form::Auto, |(form, _)| *form),
            strict: self.strict,
            assert_prunes: self.assert_prunes,
            reader: Reader {
                model: true,
                cbmc: true,
                ..Reader::default()
            },
            ..Weaving::of(&preprocessor)
        };
        let spec = self.specification.clone().read(&quiet)?;
        let spec = forms::without_state(spec, &quiet);
        let program = forms::Program::read(&paths, &weaving, &quiet)?;
        let whole = forms::weave_into(&program, &spec, &weaving, &quiet)?;
        Ok(Source {
            program: program.into(),
            spec,
            weaving,
            whole: whole.into(),
        })
    }
}

/// The names of the forms of monitors.
const FORMS: [(Form, &str); 3] = [
    (Form::Auto, "auto"),
    (Form::Deterministic, "dfa"),
    (Form::Buchi, "buchi"),
];

/// Bounds that are written as `NAME:K`.
fn bounds(all: &[String]) -> anyhow::Result<BTreeMap<String, u32>> {
    let bound = |text: &String| {
        let (name, k) = text.rsplit_once(':')?;
        Some((name.to_owned(), k.parse().ok()?))
    };
    let mut all = all.iter();
    let bounds = all.try_fold(BTreeMap::new(), |mut bounds, text| {
        bounds.extend([bound(text)?]);
        Some(bounds)
    });
    bounds.context("a bound of the certificate is no number")
}

/// The lines of a compiled text that a program consists of.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let all = text.lines().map(str::trim_end);
    all.filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The text of a certificate about the program of a search. The inner error says why there is none.
///
/// # Errors
/// If the program's text cannot be written or read again.
pub fn certified(
    certificate: &Certificate,
    search: &Search,
) -> anyhow::Result<Result<String, String>> {
    let origin = Origin::of(search.source)?;
    let scratch = backend::Scratch::new()?;
    let woven = origin.task(scratch.path(), search.backend, search.output)?;
    Ok(woven.and_then(|(task, types)| {
        let text = certificate.text(&task.text, &origin.value());
        let hints = certificate::read(&text)?;
        match certificate::again(&hints, &task, &types)? == text {
            true => Ok(text),
            false => Err("its text cannot be made again".into()),
        }
    }))
}
