//! Stored results: the key with everything a verdict depends on, and the file of an earlier run.

use std::collections::HashMap;
use std::path::PathBuf;

use forms::{Cause, Failure, Listener, Program, SpecFile, Weaving};
use verify::result::PropertyResult;
use verify::store::{Key, Store};
use weave::record::{PropertyRecord, Record};

use crate::selection::Selection;

/// The subject of a verification.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The program.
    pub program: &'a Program,
    /// The specification with all its formulas.
    pub spec: &'a SpecFile,
    /// The options of weaving.
    pub weaving: &'a Weaving,
    /// The model checker.
    pub backend: &'a dyn backend::Backend,
    /// The options of the model checker's runs.
    pub options: &'a verify::Options,
}

impl Subject<'_> {
    /// The hash of everything that the verdict of every property depends on at a bound. `record` is
    /// of the program with all monitors.
    pub fn context(&self, unwind: u32, record: &Record) -> Key {
        let (options, weaving) = (self.options, self.weaving);
        let program = self.backend.program();
        let unwindset = format!("{:?}", options.unwindset);
        let how = format!(
            "{unwind} {:?} {} {:?} {} {:?} {:?} {} {} {} {} {:?} {} {}",
            weaving.monitor,
            weaving.strict,
            options.extra_args,
            program.version,
            options.memory_model,
            options.context_bound,
            weaving.lasso,
            weaving.spurious_wakeups,
            weaving.assert_prunes,
            options.seed,
            options.rounds,
            options.shows,
            options.follows_counts,
        );
        let mut context = Key::default()
            .with(env!("CARGO_PKG_VERSION"))
            .with(self.program.text())
            .with(self.spec.text())
            .with(program.kind.name())
            .with(unwindset)
            .with(how);
        if record.every_event {
            // Propositions of other formulas make letters, too.
            for proposition in &record.propositions {
                context = context.with(&proposition.name).with(&proposition.meaning);
            }
        }
        context
    }
}

/// The key of a property's result.
pub fn key(context: &Key, property: &PropertyRecord) -> String {
    context.with(&property.name).with(&property.ltl).digits()
}

/// The file of results, if there is one, with the results of an earlier run.
pub struct Kept {
    path: PathBuf,
    store: Option<Store>,
    found: HashMap<String, PropertyResult>,
    assumptions: HashMap<String, Vec<String>>,
}

impl Kept {
    /// Opens the file that the options name.
    ///
    /// # Errors
    /// If it exists and is not to be continued, or cannot be written.
    pub fn open(args: &Selection, output: &dyn Listener) -> anyhow::Result<Kept> {
        let path = args.results.clone().unwrap_or_default();
        let mut assumptions = HashMap::new();
        let (store, found) = match (&args.results, args.resume) {
            (None, _) => (None, HashMap::new()),
            (Some(path), true) => {
                let (store, kept) = Store::resume(path).map_err(|e| cannot_write(path, &e))?;
                if kept.damaged > 0 {
                    let (lines, path) = (kept.damaged, path.display());
                    output.tell(format_args!(
                        "warning: {lines} lines of {path} cannot be read"
                    ));
                }
                assumptions = kept.assumptions;
                (Some(store), kept.results)
            }
            (Some(path), false) => match Store::create(path) {
                Ok(store) => (Some(store), HashMap::new()),
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {
                    let path = path.display();
                    let message = format!("{path} exists; go on with it by --resume, or remove it");
                    return Err(Failure::error(Cause::Usage, message));
                }
                Err(e) => return Err(cannot_write(path, &e)),
            },
        };
        Ok(Kept {
            path,
            store,
            found,
            assumptions,
        })
    }

    /// Whether results are stored.
    pub fn is_open(&self) -> bool {
        self.store.is_some()
    }

    /// The result of an earlier run, with the current expectation.
    pub fn result(&self, context: &Key, property: &PropertyRecord) -> Option<PropertyResult> {
        let mut result = self.found.get(&key(context, property))?.clone();
        let expect = property.expect.as_deref();
        result.asked.expect = expect.and_then(ltl::Expectation::from_name);
        Some(result)
    }

    /// What the result of an earlier run rests on.
    pub fn assumptions(&self, context: &Key, property: &PropertyRecord) -> &[String] {
        let stored = self.assumptions.get(&key(context, property));
        stored.map(Vec::as_slice).unwrap_or_default()
    }

    /// Writes results that rest on these assumptions, and waits until they are on disk.
    ///
    /// # Errors
    /// If they cannot be written, since they would be lost.
    pub fn add_resting_on<'a>(
        &mut self,
        results: impl IntoIterator<Item = (&'a str, &'a PropertyResult)>,
        assumptions: &[String],
    ) -> anyhow::Result<()> {
        match &mut self.store {
            Some(store) => {
                let added = store.add_resting_on(results, assumptions);
                added.map_err(|e| cannot_write(&self.path, &e))
            }
            None => Ok(()),
        }
    }

    /// Writes results and waits until they are on disk.
    ///
    /// # Errors
    /// If they cannot be written, since they would be lost.
    pub fn add<'a>(
        &mut self,
        results: impl IntoIterator<Item = (&'a str, &'a PropertyResult)>,
    ) -> anyhow::Result<()> {
        self.add_resting_on(results, &[])
    }
}

fn cannot_write(path: &std::path::Path, error: &std::io::Error) -> anyhow::Error {
    let message = format!("cannot write {}: {error}", path.display());
    Failure::error(Cause::Other, message)
}
