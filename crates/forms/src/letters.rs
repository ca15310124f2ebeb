//! Areas and locals in the step form. The threaded program is woven first: it then has the values of the propositions in
//! variables, and each event is an atomic section. At the end of each section it notes all values in one variable, so that an event
//! is one letter. Conditions on this variable are the propositions of the step form.

use std::collections::BTreeMap;
use std::path::Path;

use cfront::preprocess::{preprocess, MacroOption, Options};
use cfront::source::Source;
use ltl::{AtomId, Node};
use spec::{Area, Evaluation, Instances, Property, Proposition, Spec, Text};
use weave::record::Record;
use weave::Also;

use crate::listener::Listener;
use crate::program::Program;
use crate::specs::SpecFile;
use crate::weaving::{Reader, Weaving};
use crate::woven::try_weave;

/// The beginning of the names that weaving has added, in the step form.
const WOVEN: &str = "sequential_woven_";
/// The beginning of these names before.
const EMITTED: &str = "ba_";
/// The beginning of the names of functions with any result, as they are emitted, and as verifiers know them.
const CHOICE: &str = "nondet_ba_";
const VERIFIERS_CHOICE: &str = "__VERIFIER_nondet_";
/// The variable with the letter, without that.
const LETTER: &str = "letter";
/// The bit of a letter that is always set: no letter has been noted as long as the variable is 0.
const BEGUN: u32 = 31;

/// The letters of a threaded program in a variable.
pub struct Letters {
    /// The woven program's files, preprocessed.
    pub sources: Vec<Source>,
    /// The statement that notes the letter.
    pub note: String,
    /// The conditions of the propositions on the noted letter.
    conditions: BTreeMap<AtomId, String>,
}

impl Letters {
    /// Whether a proposition is part of the letter.
    pub fn have(&self, proposition: &Proposition) -> bool {
        self.conditions.contains_key(&proposition.atom)
    }

    /// Makes the propositions conditions on the noted letter.
    pub fn replace(&self, spec: &mut Spec) {
        for proposition in &mut spec.propositions {
            let condition = self.conditions.get(&proposition.atom);
            let made = condition.and_then(|c| spec::from_ltl(&format!("{{{c}}}")).ok());
            let Some(made) = made.and_then(|made| made.propositions.into_iter().next()) else {
                continue;
            };
            (proposition.area, proposition.evaluation) = (made.area, made.evaluation);
            proposition.default = made.default;
        }
    }
}

/// The step form of a program with letters, with the names that weaving has added as its own: it is woven again.
pub fn renamed(text: &str) -> String {
    let text = text.replace(CHOICE, VERIFIERS_CHOICE);
    let text = begun_otherwise(&text, EMITTED, WOVEN);
    begun_otherwise(&text, &EMITTED.to_uppercase(), &WOVEN.to_uppercase())
}

/// The text with another beginning of the names that begin like this.
fn begun_otherwise(text: &str, from: &str, to: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let (before, found) = rest.split_at(at);
        out.push_str(before);
        let last = out.chars().next_back();
        let begins = !last.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
        out.push_str(if begins { to } else { from });
        rest = &found[from.len()..];
    }
    out + rest
}

/// Whether a proposition can be part of a letter that is noted at the end of an event. A position is only open within one, and
/// what has no area must have its first value from the program's first one.
fn is_noted(proposition: &Proposition) -> bool {
    let plain = matches!(&proposition.evaluation, Evaluation::Condition(c) if !c.contains("::"));
    let area = match proposition.area {
        Area::Labels { .. } | Area::Function(_) => true,
        Area::WholeProgram => plain,
        Area::At(_) => false,
    };
    area && proposition.instances == Instances::Any
}

impl Program {
    /// The program with its letters in a variable, if the step form needs them for a specification. The inner error says why
    /// it cannot have them.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn lettered(
        &self,
        spec: &SpecFile,
        weaving: &Weaving,
        directory: &Path,
        output: &dyn Listener,
    ) -> anyhow::Result<Result<Option<Letters>, String>> {
        let of = spec.spec();
        let roots = of.properties.iter().map(|p| p.root);
        let used: Vec<AtomId> = roots.flat_map(|root| of.arena.atoms_of(root)).collect();
        let compares = |p: &Proposition| of.machine.read_by(p.atom).next().is_some();
        let noted = |p: &Proposition| used.contains(&p.atom) && is_noted(p) && !compares(p);
        let needs = |p: &Proposition| noted(p) && p.area != Area::WholeProgram;
        if !of.propositions.iter().any(needs) {
            return Ok(Ok(None));
        }
        if of.propositions.iter().filter(|p| noted(p)).count() as u32 > BEGUN {
            return Ok(Err("there are too many propositions".into()));
        }
        if weaving.machine.memory.is_some()
            || !weaving.machine.registers.is_empty()
            || self.has_sections()
        {
            let why = "the program has a memory model, registers or atomic sections of its own";
            return Ok(Err(why.into()));
        }
        let events = spec.changed(|spec| only_events(spec, &noted));
        let weaving = Weaving {
            lasso: false,
            reader: Reader {
                model: true,
                cbmc: true,
                rounds: true,
                proves: false,
                also: Also::Nothing,
                driven: false,
                ..weaving.reader
            },
            ..weaving.clone()
        };
        let woven = match try_weave(self, &events, &weaving, output)? {
            Ok(woven) => woven,
            Err(refused) => return Ok(Err(refused.first(self).unwrap_or_default())),
        };
        if !woven.record.infix.is_empty() {
            return Ok(Err(format!(
                "the program has names that begin with `{EMITTED}`"
            )));
        }
        let mut sources = Vec::new();
        for (number, (name, text)) in woven.files.iter().enumerate() {
            let path = directory.join(format!("letters_{number}.c"));
            let declared = match number {
                0 => format!("\nunsigned {EMITTED}{LETTER};\n"),
                _ => String::new(),
            };
            std::fs::write(&path, [text.as_slice(), declared.as_bytes()].concat())?;
            match preprocess(&path, &self.rounds_form(&weaving)) {
                Ok(read) => sources.push(read.source),
                Err(error) => return Ok(Err(format!("{name}: {error}"))),
            }
        }
        Ok(Ok(Some(noting(events.spec(), &woven.record, sources))))
    }

    /// Whether the program has atomic sections of its own: events within them are not noted one by one.
    fn has_sections(&self) -> bool {
        let names = self
            .facts()
            .calls
            .iter()
            .filter_map(|c| c.callee.as_deref());
        let mut names = names.chain(self.facts().functions.iter().map(|f| f.name.as_str()));
        names.any(|name| name.contains("_atomic_begin") || name.starts_with("__VERIFIER_atomic"))
    }

    /// How a woven program is preprocessed, in the form that can be sequentialised and without questions.
    fn rounds_form(&self, weaving: &Weaving) -> Options {
        let model = self.model.defined().into_iter();
        let model = model.map(|(name, value)| format!("{name}={value}"));
        let form = ["BA_ROUNDS".to_owned(), "BA_CHECK=0".to_owned()];
        Options {
            command: Some(weaving.preprocessor.cpp.clone()),
            std: Some(weaving.preprocessor.std.clone()),
            macros: model.chain(form).map(MacroOption::Define).collect(),
            ..Options::default()
        }
    }
}

/// Leaves the noted propositions and one formula that reads them all, whose monitor has one state.
fn only_events(spec: &mut Spec, noted: &dyn Fn(&Proposition) -> bool) {
    spec.propositions.retain(|p| noted(p));
    spec.inputs.clear();
    spec.alphabet.clear();
    let atoms: Vec<AtomId> = spec.propositions.iter().map(|p| p.atom).collect();
    let atoms = atoms
        .into_iter()
        .map(|atom| spec.arena.make(Node::Atom(atom)));
    let mut atoms: Vec<ltl::Id> = atoms.collect();
    let all = match atoms.len() {
        1 => atoms.remove(0),
        _ => spec.arena.make(Node::And(atoms)),
    };
    let eventually = spec.arena.make(Node::Finally(all));
    let root = spec.arena.make(Node::Globally(eventually));
    spec.properties = vec![Property {
        name: "letters".to_owned(),
        text: Text::plain("all propositions", 0),
        root,
        span: 0..0,
        expect: None,
    }];
}

/// How the letter is noted, and what it says of each proposition. Before the first one each has its first value.
fn noting(spec: &Spec, record: &Record, sources: Vec<Source>) -> Letters {
    let mut note = format!("{EMITTED}{LETTER} = 1u << {BEGUN}");
    let mut conditions = BTreeMap::new();
    for (bit, known) in record.propositions.iter().enumerate() {
        let named = |p: &&Proposition| p.name == known.name;
        let Some(proposition) = spec.propositions.iter().find(named) else {
            continue;
        };
        note += &format!(" | (unsigned){} << {bit}", known.variable);
        let first = match (&proposition.area, &proposition.evaluation) {
            (Area::WholeProgram, Evaluation::Condition(condition)) => {
                format!("({})", condition.as_str())
            }
            _ => u8::from(proposition.default).to_string(),
        };
        let letter = format!("{WOVEN}{LETTER}");
        let condition = format!("({letter} ? (int)({letter} >> {bit} & 1u) : {first})");
        conditions.insert(proposition.atom, condition);
    }
    Letters {
        sources,
        note: note + ";",
        conditions,
    }
}

#[cfg(test)]
mod tests {
    use super::renamed;

    #[test]
    fn names_are_renamed_where_they_begin() {
        let text = "ba_p = sequential_1_ba_q + samba_x(BA_y) + nondet_ba_bool();";
        let expected = "sequential_woven_p = sequential_1_ba_q + samba_x(SEQUENTIAL_WOVEN_y) + __VERIFIER_nondet_bool();";
        assert_eq!(renamed(text), expected);
    }
}
