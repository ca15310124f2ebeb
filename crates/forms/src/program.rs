//! A program that was read, preprocessed and parsed once, and queries on it besides weaving.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Context;
use cfront::data_model::DataModel;
use cfront::tree::Entity;
use spec::Target;
use weave::facts::{Facts, Lifetime, Range};

use crate::listener::Listener;
use crate::refusal::Named;
use crate::weaving::{Preprocessor, Weaving};
use crate::{layouts, plain, sources, target};

/// An earlier weaving panicked.
pub(crate) const NO_TREE: &str = "an earlier weaving of the program came to an unexpected end";

/// A preprocessed and parsed program; several specifications can be woven into it, one after the
/// other.
pub struct Program {
    /// The paths of its files, as the user named them.
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) files: Vec<weave::files::File>,
    pub(crate) source: cfront::source::Source,
    /// Its data model.
    pub(crate) model: DataModel,
    pub(crate) facts: weave::facts::Facts,
    pub(crate) flows: HashMap<cfront::span::FunctionId, cfront::Flow>,
    /// The number of expressions of the program itself.
    pub(crate) own: usize,
    /// The names that a program of several files has instead of those in this text.
    pub(crate) renamed: BTreeMap<String, String>,
    /// Who calls its functions, if it has no `main` of its own.
    pub(crate) entered: Option<weave::Entered>,
    /// Its memory, if it is weaker than sequential consistency.
    pub(crate) memory: Option<Memory>,
    /// Its registers.
    pub registers: Registers,
    /// The syntax tree, to which each specification adds expressions: one is woven at a time.
    pub(crate) unit: Mutex<Option<cfront::Unit>>,
}

impl Program {
    /// Reads, preprocesses and parses a program.
    ///
    /// # Errors
    /// If a file cannot be read or is refused; the diagnostics have been printed.
    pub fn read(
        programs: &[PathBuf],
        weaving: &Weaving,
        output: &dyn Listener,
    ) -> anyhow::Result<Program> {
        Program::read_where(programs, weaving, weaving.reader.model, output)
    }

    /// Reads a text that was made of a program: what model checkers would take for another program was refused there.
    ///
    /// # Errors
    /// As [`Program::read`].
    pub fn read_made(
        path: PathBuf,
        weaving: &Weaving,
        output: &dyn Listener,
    ) -> anyhow::Result<Program> {
        let program = Program::read_where(&[path], weaving, false, output)?;
        let mut names = program
            .facts
            .calls
            .iter()
            .filter_map(|c| c.callee.as_deref());
        if !names.any(|name| cfront::atomics::operation(name).is_some()) {
            return Ok(program);
        }
        // Nothing happens between two steps.
        program.changed_where(&weaving.machine.named, output, |unit| {
            Ok(cfront::atomics::of_one_thread(unit).and_then(|mut all| all.pop()))
        })
    }

    /// Reads the files, and nothing else: what is wrong in them is told.
    ///
    /// # Errors
    /// If a file is refused; the diagnostics have been printed.
    pub fn read_only(
        programs: &[PathBuf],
        weaving: &Weaving,
        output: &dyn Listener,
    ) -> anyhow::Result<()> {
        let files = sources::list(programs, &weaving.preprocessor, output)?;
        sources::read(&files, output).map(|_| ())
    }

    fn read_where(
        programs: &[PathBuf],
        weaving: &Weaving,
        is_checked: bool,
        output: &dyn Listener,
    ) -> anyhow::Result<Program> {
        let target = weaving.preprocessor.target;
        let mut files = sources::list(programs, &weaving.preprocessor, output)?;
        let mut unit = sources::read(&files, output)?;
        if weaving.machine.ilp32 && target.is_none() && depends_on_widths(&unit.source, output)? {
            let preprocessor = Preprocessor {
                target: Some(Target::Ilp32),
                ..weaving.preprocessor.clone()
            };
            files = sources::list(programs, &preprocessor, output)?;
            unit = sources::read(&files, output)?;
        }
        target::check(target.unwrap_or(Target::Macros), &unit.tree.types.model)?;
        let is_whole = weaving.machine.entries.is_none();
        let unit = plain::in_plain_c(unit, is_checked, is_whole, output)?;
        let (mut unit, told, registers) = with_registers(unit, weaving, output)?;
        let mut native = cfront::Native::default();
        let mut substituted = |unit, changed: Option<cfront::Substituted>| match changed {
            None => Ok(unit),
            Some(changed) => {
                native.and(changed.native);
                sources::changed(changed.sources, output)
            }
        };
        let is_input = |name: &str| weaving.machine.inputs.contains(name);
        let changed = cfront::outside::told(&unit, &is_input);
        unit = substituted(unit, changed)?;
        let changed = cfront::errno::changing(&unit);
        unit = substituted(unit, changed)?;
        let changed = cfront::streams::opened(&unit);
        unit = substituted(unit, changed)?;
        if is_checked {
            layouts::refuse_others(&unit, output)?;
        }
        let paths = files.into_iter().map(|p| p.path).collect();
        let mut program = Program::of(unit, paths)
            .entered(weaving, output)?
            .with_machines(weaving, output)?
            .interrupted(weaving, output)?
            .signalled(weaving, output)?;
        program.refuse_machines(weaving, output)?;
        program.facts.registers = told;
        program.facts.native = native;
        program.registers = registers;
        match &weaving.machine.memory {
            Some(asked) if program.starts_threads() => program.remembered(asked, output),
            _ => Ok(program),
        }
    }

    /// The program with a `main` that calls the entries that are asked for.
    fn entered(self, weaving: &Weaving, output: &dyn Listener) -> anyhow::Result<Program> {
        let Some(asked) = &weaving.machine.entries else {
            return Ok(self);
        };
        let mut record = None;
        let mut program = self.changed(&weaving.machine.named, output, |unit| {
            let driver = cfront::entries::Driver::new(unit, &asked.entries)?;
            record = Some(weave::Entered {
                record: weave::record::EntryRecord {
                    calls: asked.texts.clone(),
                    arguments: driver.arguments,
                },
                assumptions: driver.assumptions,
            });
            Ok(driver.source)
        })?;
        program.entered = record;
        Ok(program)
    }

    pub(crate) fn starts_threads(&self) -> bool {
        let mut names = self.facts.calls.iter().filter_map(|c| c.callee.as_deref());
        names.any(cfront::library::starts_thread)
    }

    /// The program with the interrupt handlers that are asked for, as threads.
    fn interrupted(self, weaving: &Weaving, output: &dyn Listener) -> anyhow::Result<Program> {
        // After a handler that never returns, nothing else runs: those of faults are such.
        let returns = |id| self.flows.get(id).is_none_or(cfront::Flow::returns);
        let looks = self.facts.uncalled_handlers.iter();
        let looks = looks.map(|handler| &self.facts.functions[handler.function]);
        let looks = looks.filter(|function| returns(&function.id));
        let looks = looks.map(|function| function.name.clone());
        let meant = |name: &str| {
            let unit = self.unit();
            let unit = unit.as_ref();
            unit.map_or(name.to_owned(), |unit| {
                cfront::interrupts::handler_named(unit, name)
            })
        };
        let Some(mut interrupts) = weaving.machine.interrupts.in_program(looks, meant) else {
            return self.undisturbed(weaving, output);
        };
        let named = &weaving.machine.named;
        let program = self.changed(named, output, |unit| {
            weaving.machine.interrupts.by_urgency(unit, &mut interrupts);
            cfront::interrupts::interleaved(unit, &interrupts)
        })?;
        program.changed_where(named, output, |unit| {
            cfront::interrupts::divided(unit, &interrupts)
        })
    }

    /// The program with the handlers of its signals as threads, if a model checker reads it.
    fn signalled(self, weaving: &Weaving, output: &dyn Listener) -> anyhow::Result<Program> {
        let mut names = self.facts.calls.iter().filter_map(|c| c.callee.as_deref());
        let about = |name| cfront::library::handler_argument(name).is_some() || name == "sigwait";
        if !names.any(about) || !weaving.reader.model || weaving.machine.no_interrupts {
            return Ok(self);
        }
        self.changed_where(&weaving.machine.named, output, cfront::signals::interleaved)
    }

    /// Whether handlers of signals are threads of it.
    pub fn has_handlers(&self) -> bool {
        let mut functions = self.facts.functions.iter();
        functions.any(|f| f.name == cfront::signals::BEGIN)
    }

    /// The program whose exclusive accesses no handler disturbs.
    fn undisturbed(self, weaving: &Weaving, output: &dyn Listener) -> anyhow::Result<Program> {
        let mut functions = self.facts.functions.iter();
        let exclusive = functions.any(|f| cfront::interrupts::is_exclusive(&f.name));
        if !exclusive || self.starts_threads() {
            return Ok(self);
        }
        self.changed_where(&weaving.machine.named, output, |unit| {
            Ok(cfront::interrupts::alone(unit))
        })
    }

    /// The program with the text that is made of its files as one. Its tree is taken.
    ///
    /// # Errors
    /// If the files cannot stand in one, or the text is not made of them.
    pub(crate) fn changed(
        &self,
        named: &Named,
        output: &dyn Listener,
        change: impl FnOnce(&cfront::Unit) -> Result<cfront::Source, cfront::Diagnostic>,
    ) -> anyhow::Result<Program> {
        self.changed_where(named, output, |unit| change(unit).map(Some))
    }

    /// As [`Program::changed`]; the same program if no text is made.
    fn changed_where(
        &self,
        named: &Named,
        output: &dyn Listener,
        change: impl FnOnce(&cfront::Unit) -> Result<Option<cfront::Source>, cfront::Diagnostic>,
    ) -> anyhow::Result<Program> {
        let refused = |source: &cfront::Source, d: cfront::Diagnostic| {
            let of_spec = named.refused(&d, output);
            of_spec.unwrap_or_else(|| sources::refused(&[source.resolve(d)], output))
        };
        let taken = self.unit().take().context(NO_TREE)?;
        let source = taken.source.clone();
        let one = cfront::merge::as_one(taken);
        let (unit, renamed) = one.map_err(|d| refused(&source, *d))?;
        let text = change(&unit).map_err(|d| refused(&unit.source, d))?;
        let unit = match text {
            Some(text) => {
                cfront::Unit::parse(text).map_err(|all| sources::refused(&all, output))?
            }
            None => unit,
        };
        let mut all = self.renamed.clone();
        all.extend(renamed);
        Ok(self.derived(unit, all))
    }

    /// The same program in another text: what was made of it before is said of that, too.
    pub(crate) fn derived(&self, unit: cfront::Unit, renamed: BTreeMap<String, String>) -> Program {
        let mut program = Program {
            renamed,
            entered: self.entered.clone(),
            registers: self.registers.clone(),
            memory: self.memory.clone(),
            ..Program::of(unit, self.paths.clone())
        };
        program.facts.registers.clone_from(&self.facts.registers);
        program.facts.native = self.facts.native.clone();
        program
    }

    /// A program that was parsed.
    pub(crate) fn of(mut unit: cfront::Unit, paths: Vec<PathBuf>) -> Program {
        let source = unit.source.clone();
        let locate = |at: usize| {
            let (file, line) = source.lines.line(at);
            (file.to_string(), line)
        };
        let facts = weave::collect::collect(&unit, &locate);
        let flows = std::mem::take(&mut unit.flows);
        Program {
            paths,
            files: weave::files::files(&unit),
            own: unit.tree.exprs.iter().count(),
            source,
            model: unit.tree.types.model,
            facts,
            flows,
            renamed: BTreeMap::new(),
            entered: None,
            registers: Registers::default(),
            memory: None,
            unit: Mutex::new(Some(unit)),
        }
    }

    /// A piece of its text with the names that the user wrote.
    pub(crate) fn restored(&self, text: &str) -> String {
        let text = cfront::streams::restored(&cfront::errno::restored(text));
        let text = cfront::loop_conditions::restored(&cfront::outside::restored(&text));
        match self.renamed.is_empty() {
            true => text,
            false => cfront::merge::restored(&self.renamed, &text),
        }
    }

    /// The paths of its files, as the user named them.
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// The preprocessed text.
    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// The names of its objects at file scope, without those that a local object shares: a trace
    /// does not distinguish them.
    pub fn shared(&self) -> Vec<String> {
        let objects = || self.facts.objects.iter().filter(|o| !o.system);
        let locals: BTreeSet<&str> = objects()
            .filter(|o| matches!(o.lifetime, Lifetime::Local(_) | Lifetime::StaticLocal(_)))
            .map(|o| o.name.as_str())
            .collect();
        let shared = objects().filter(|o| o.lifetime == Lifetime::Static);
        let names: BTreeSet<&str> = shared.map(|o| o.name.as_str()).collect();
        names.difference(&locals).map(|n| (*n).to_owned()).collect()
    }

    /// The functions without a body in the program of which every call has type `void`.
    pub fn silent(&self) -> Vec<String> {
        let mut outside: BTreeMap<&str, bool> = BTreeMap::new();
        for (call, types) in self.facts.calls.iter().zip(&self.facts.call_types) {
            if let (Some(name), None) = (call.callee.as_deref(), call.target) {
                *outside.entry(name).or_insert(true) &= types.void;
            }
        }
        let silent = outside.into_iter().filter(|(_, void)| *void);
        silent.map(|(name, _)| name.to_owned()).collect()
    }

    /// The facts that weaving collected about the program.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The names and texts of the user's files, in the order in which the preprocessor read them.
    pub fn texts(&self) -> Vec<(&str, &str)> {
        let mut texts: Vec<(&str, &str)> = Vec::new();
        for name in self.source.lines.files() {
            let known = texts.iter().any(|(other, _)| other == name);
            if let (Some(text), false) = (self.source.files.get(name), known) {
                texts.push((name, &**text));
            }
        }
        texts
    }

    /// A line of a file, from 1, without blanks around it and the semicolon at its end.
    pub fn line(&self, file: &str, line: u32) -> Option<String> {
        let text = self.source.files.get(file)?;
        let line = text.line(line)?;
        Some(line.trim().trim_end_matches(';').to_owned())
    }

    /// The text of a file with `0` in place of some expressions of the program; `None` if one of them does not stand
    /// in the file as it is compiled, because a macro makes it.
    pub fn without(&self, path: &Path, expressions: &[Range]) -> Option<String> {
        let name = path.display().to_string();
        let mut text = self.source.files.get(&name)?.to_string();
        for range in expressions {
            let (file, line) = self.locate(range.start);
            if file != name {
                return None;
            }
            let call = self.text().get(range.start..range.end)?;
            let before = text.split_inclusive('\n').take(line as usize - 1);
            let start = before.map(str::len).sum::<usize>();
            let at = start + text.get(start..)?.find(call)?;
            let same_line = !text.get(start..at)?.contains('\n');
            let lines: String = call.chars().filter(|c| *c == '\n').collect();
            if !same_line {
                return None;
            }
            text.replace_range(at..at + call.len(), &format!("0{lines}"));
        }
        Some(text)
    }

    /// The user's files from which the program was read, headers included.
    pub fn dependencies(&self) -> Vec<String> {
        dependencies(&self.source)
    }

    /// The syntax tree, when nothing else weaves the program; `None` if an earlier weaving came to an unexpected end.
    pub(crate) fn unit(&self) -> MutexGuard<'_, Option<cfront::Unit>> {
        self.unit.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The files that it was read from, with all headers, as the preprocessor names them.
    pub fn read_from(&self) -> Vec<PathBuf> {
        let included = self.source.lines.files().iter().map(PathBuf::from);
        included.chain(self.paths.iter().cloned()).collect()
    }

    /// Calls `look` with the syntax tree, when nothing else weaves the program.
    ///
    /// # Errors
    /// If an earlier weaving came to an unexpected end.
    pub fn with_unit<T>(&self, look: impl Fn(&cfront::Unit, &Facts) -> T) -> anyhow::Result<T> {
        let unit = self.unit();
        let unit = unit.as_ref().context(NO_TREE)?;
        Ok(look(unit, &self.facts))
    }

    /// The names of its files, and their texts as they are compiled, with the headers in them.
    ///
    /// # Errors
    /// If a text is no UTF-8, or an earlier weaving came to an unexpected end.
    pub fn compiled(&self) -> anyhow::Result<Vec<(String, String)>> {
        let options = cfront::output::OutputOptions {
            headers: cfront::output::Headers::Expand,
            prologue: "",
            epilogue: "",
            own_name: "",
        };
        let options = vec![options; self.paths.len()];
        let none = cfront::edit::Edits::new();
        let texts = self.with_unit(|unit, _| unit.emit_all(&none, &options))?;
        let texts = texts.map_err(|d| anyhow::anyhow!(d.message))?;
        let names = self.paths.iter().map(|path| path.display().to_string());
        let text = |text| String::from_utf8(text).context("the program is not encoded in UTF-8");
        let texts = texts.into_iter().map(text);
        names.zip(texts).map(|(n, t)| Ok((n, t?))).collect()
    }

    /// The names that mean a type wherever they are declared.
    pub fn types(&self) -> BTreeSet<String> {
        let unit = self.unit();
        let scopes = unit.iter().flat_map(|unit| unit.tree.scopes.iter());
        let names = scopes.flat_map(|(_, scope)| &scope.names);
        let (mut types, mut other) = (BTreeSet::new(), BTreeSet::new());
        for (name, meanings) in names {
            let is_type = |(_, e): &(_, Entity)| matches!(e, Entity::Typedef(_));
            match meanings.iter().all(is_type) {
                true => types.insert(name.clone()),
                false => other.insert(name.clone()),
            };
        }
        types.retain(|name| !other.contains(name));
        types
    }

    /// Hints for a proof, collected from the program's text.
    pub fn hints(&self) -> induction::Hints {
        let unit = self.unit();
        unit.as_ref()
            .map(|unit| induction::hints::collect(unit, self.own))
            .unwrap_or_default()
    }

    /// Whether it may access an object through a pointer.
    pub fn follows_pointers(&self) -> bool {
        let unit = self.unit();
        unit.as_ref().is_none_or(cfront::access::follows_pointers)
    }

    pub(crate) fn locate(&self, at: usize) -> (String, u32) {
        let (file, line) = self.source.lines.line(at);
        (file.to_string(), line)
    }
}

/// The memory of a threaded program that is weaker than sequential consistency.
#[derive(Clone, Debug)]
pub struct Memory {
    /// The memory model.
    pub model: sequentialise::memory::Model,
    /// The objects that are accessed by way of the model.
    pub objects: Vec<String>,
    /// Whether some of them are accessed without atomic operations.
    pub plain: bool,
    /// What the model does not follow, with its place: the program is sequentially consistent then.
    pub refused: Option<String>,
    /// What the model does not follow, with its place, of a program that it follows if that has no data races.
    pub without_races: Option<String>,
    /// The text of the program without the model.
    pub before: Option<Arc<cfront::Source>>,
}

/// A register whose reads give any value, and the place of a read.
pub type AnyRegister = (String, String);

/// The registers of a program.
#[derive(Clone, Debug, Default)]
pub struct Registers {
    /// Those whose reads give any value, as specifications name them, each with the place of a read.
    pub any: Vec<AnyRegister>,
    /// The names of the objects for them.
    pub objects: BTreeSet<String>,
}

/// The program with objects for its registers, what a reader must know of them, and which they are.
fn with_registers(
    unit: cfront::Unit,
    weaving: &Weaving,
    output: &dyn Listener,
) -> anyhow::Result<(cfront::Unit, Vec<String>, Registers)> {
    let narrow = unit.tree.types.model.int == 16;
    let masks = weaving.machine.interrupts.any() && narrow;
    let keeps = |address: u64| masks && address == cfront::interrupts::STATUS;
    let placed = cfront::registers::placed(&unit, &weaving.machine.registers, &keeps);
    let placed = placed.map_err(|d| {
        let of_spec = weaving.machine.named.refused(&d, output);
        of_spec.unwrap_or_else(|| sources::refused(&[unit.source.resolve(d)], output))
    })?;
    let Some(placed) = placed else {
        return Ok((unit, Vec::new(), Registers::default()));
    };
    let first = |(name, span): (String, cfront::Span)| {
        let place = unit.source.place(span);
        (name, format!("{}:{}", place.file, place.line))
    };
    let registers = Registers {
        any: placed.any.into_iter().map(first).collect(),
        objects: placed.objects,
    };
    let unit = sources::changed(placed.sources, output)?;
    Ok((unit, placed.told, registers))
}

/// Whether a program may mean something else where `long` and pointers have 32 bits.
fn depends_on_widths(
    source: &cfront::source::Source,
    output: &dyn Listener,
) -> anyhow::Result<bool> {
    let place = cfront::model_dependence::depends(source);
    let place = place.map_err(|d| sources::refused(&[source.resolve(d)], output))?;
    Ok(place.is_some())
}

pub(crate) fn dependencies(source: &cfront::source::Source) -> Vec<String> {
    let mut files: Vec<String> = source
        .lines
        .files_with_kinds()
        .filter(|(name, kind)| *kind == cfront::linemap::RegionKind::User && !name.starts_with('<'))
        .map(|(name, _)| name.to_string())
        .collect();
    files.dedup();
    files
}
