//! The step form of a threaded program, and the question about it.

mod counters;
mod reports;
mod watched;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use cfront::allocations::library_name;
use cfront::data_model::DataModel;
use cfront::filled_members::Mentions;
use cfront::flow::Point;
use cfront::linemap::RegionKind;
use cfront::memory_model::LOST;
use cfront::span::{ExprId, Id as _, ObjectId};
use cfront::tree::{Entity, Tree};
use ltl::timed::{Measure, Timer};
use ltl::{Arena, Id, Node};
use sequentialise::{Allocations, Fairness, Freed, Sequential};
use spec::{Area, Evaluation, InputTarget, Instances, Property, Proposition, Spec, Text, Trace};
use weave::analysis::live_locals::{self, Live};
use weave::collect::irrelevant::Irrelevant;

use crate::letters::{self, Letters};
use crate::listener::Listener;
use crate::program::Program;
use crate::specs::SpecFile;
use crate::weaving::{Machine, Preprocessor, Reader, Weaving};

/// A threaded program as one loop of steps.
pub struct Stepped {
    /// The sequential program.
    pub program: Arc<Program>,
    /// Its threads and positions, whose spans are in the text of [`Stepped::whole`].
    pub made: Sequential,
    /// The threaded program as one file.
    pub whole: cfront::Unit,
    /// The names that a program of several files has instead of those of its text as one file.
    pub renamed: BTreeMap<String, String>,
    /// The letters of the threaded program, if propositions need them; or why there are none.
    pub letters: Result<Option<Letters>, String>,
}

impl Stepped {
    /// Whether the threaded program has a body of a function.
    fn has_body(&self, name: &str) -> bool {
        let tree = &self.whole.tree;
        let function = tree.function_named(name);
        function.is_some_and(|f| tree.functions[f].body.is_some())
    }

    /// Whether the threaded program has a model of its memory.
    fn remembers(&self) -> bool {
        let tree = &self.whole.tree;
        tree.lookup(tree.file_scope(), usize::MAX, LOST).is_some()
    }

    /// Whether some run may need more objects, threads or activations than the step form has.
    fn is_limited(&self) -> bool {
        self.made.allocations.is_some() || !self.made.bounds.is_empty()
    }

    /// The first place at which a run may need more threads or activations than the step form has.
    pub fn bound(&self) -> Option<String> {
        let span = self.made.bounds.first()?;
        let (file, line) = self.whole.source.lines.line(span.start);
        Some(format!("{file}:{line}"))
    }

    /// Whether the step form has the body of a function.
    fn keeps(&self, name: &str) -> bool {
        let mut functions = self.program.facts().functions.iter();
        functions.any(|f| f.name == name)
    }
}

impl Program {
    /// The program as one loop that lets a chosen thread take a step. The inner error says why it has no such form, with
    /// the place.
    ///
    /// # Errors
    /// If the directory for the text cannot be written.
    pub fn stepped(
        &self,
        spec: &SpecFile,
        weaving: &Weaving,
        freed: Freed,
        directory: &Path,
        output: &dyn Listener,
    ) -> anyhow::Result<Result<Stepped, String>> {
        let letters = self.lettered(spec, weaving, directory, output)?;
        // Specifications that were woven before have added expressions to the syntax tree.
        let unit = match &letters {
            Ok(Some(letters)) => cfront::Unit::parse_all(letters.sources.clone()),
            _ => cfront::Unit::parse(self.source.clone()),
        };
        let unit = match unit {
            Ok(unit) => unit,
            Err(all) => return Ok(Err(first(&self.source, all))),
        };
        let (whole, renamed) = match cfront::merge::as_one(unit) {
            Ok(one) => one,
            Err(diagnostic) => return Ok(Err(diagnostic.message)),
        };
        let note = letters.as_ref().ok().and_then(Option::as_ref);
        let irrelevant = Irrelevant::new(&whole.tree);
        let mut options = sequentialise::Options {
            steps: true,
            tells: true,
            spurious_wakeups: weaving.spurious_wakeups,
            assigned: assigned(&whole),
            times: irrelevant.times(&whole.tree),
            asked: irrelevant.asked(&whole.tree),
            freed,
            watched: watched::by(spec.spec(), &whole, note.is_some()),
            section_end: note.map(|letters| letters.note.clone()),
            // The headers of another machine define the names of registers that are objects by now.
            expand_headers: whole.tree.types.model.has_other_layout(),
            ..sequentialise::Options::default()
        };
        let mut made = match sequentialise::sequentialise(&whole, &options) {
            Ok(made) => made,
            Err(all) => return Ok(Err(first(&whole.source, all))),
        };
        let path = directory.join("steps.c");
        let text = match note {
            Some(_) => letters::renamed(&String::from_utf8_lossy(&made.text)).into_bytes(),
            None => [&made.text, of_conditions(&whole).as_bytes()].concat(),
        };
        let weaving = stepping(weaving, &whole.tree.types.model);
        let place = counters::Place {
            path: &path,
            weaving: &weaving,
            output,
        };
        let shifted = counters::shifted(spec.spec(), &whole, &mut options, &place)?;
        let text = match shifted {
            Some(shifted) => {
                made = shifted;
                made.text.clone()
            }
            None => text,
        };
        std::fs::write(&path, text)?;
        let program = Program::read_made(path, &weaving, output)?;
        Ok(Ok(Stepped {
            program: Arc::new(program),
            made,
            whole,
            renamed,
            letters,
        }))
    }
}

/// The macros that conditions may use, behind the text, which they do not change: those that name registers, and the
/// user's own without parameters.
fn of_conditions(unit: &cfront::Unit) -> String {
    let mut macros: BTreeMap<&str, &str> = BTreeMap::new();
    for directive in &unit.tokens.directives {
        let line = unit.text_of(*directive).trim_end();
        if let Some(name) = line.strip_prefix("#undef ") {
            macros.remove(name.trim());
        }
        let Some(definition) = line.strip_prefix("#define ") else {
            continue;
        };
        let end = definition.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let (name, rest) = definition.split_at(end.unwrap_or(definition.len()));
        let users = unit.source.lines.kind(directive.start) == RegionKind::User;
        if line.contains(" (&") || users && rest.starts_with(' ') {
            macros.insert(name, line);
        }
    }
    macros
        .values()
        .fold(String::from("\n"), |all, line| all + line + "\n")
}

/// The argument of a call through which it gives an object a value: those of threads never fail here.
fn gives(tree: &Tree, call: ExprId) -> Option<usize> {
    match library_name(tree, call) {
        Some("pthread_create" | "thrd_create") => Some(0),
        Some("pthread_join" | "thrd_join") => Some(1),
        _ => live_locals::gives(tree, call),
    }
}

/// The locals without initializer that are written before they are read.
fn assigned(unit: &cfront::Unit) -> BTreeSet<ObjectId> {
    let live = Live::giving(&unit.tree, &unit.flows, &gives);
    let mentions = Mentions::of(&unit.tree);
    let mut assigned = BTreeSet::new();
    for (id, decl) in unit.tree.decls.iter() {
        let Some(function) = decl.function else {
            continue;
        };
        let flow = unit.flows.get(&function);
        let Some((flow, at)) = flow.and_then(|f| Some((f, f.at(Point::Decl(id))?))) else {
            continue;
        };
        for declared in &decl.declared {
            let Entity::Object(object) = declared.entity else {
                continue;
            };
            let mut next = flow.next(at).iter();
            let read = next.any(|p| live.fresh_at(function, Some(p.index()), object.index()));
            if declared.init.is_none() && (!read || mentions.fill(flow, id, object)) {
                assigned.insert(object);
            }
        }
    }
    assigned
}

/// The first of these messages, with its place.
fn first(source: &cfront::source::Source, all: Vec<cfront::Diagnostic>) -> String {
    let first = all.into_iter().next();
    first.map(|d| source.told(&d)).unwrap_or_default()
}

/// The options by which the step form is read: its text is what the preprocessor left, but for headers.
pub fn stepping(weaving: &Weaving, model: &DataModel) -> Weaving {
    let of = &weaving.preprocessor;
    Weaving {
        preprocessor: Preprocessor::for_text(&of.std, &of.cpp, model),
        lasso: false,
        machine: Machine {
            // They are threads of the program by now.
            interrupts: Default::default(),
            // Their objects are in the text by now, and so are callers and the memory.
            registers: Vec::new(),
            entries: None,
            memory: None,
            ..weaving.machine.clone()
        },
        reader: Reader {
            rounds: false,
            ..weaving.reader
        },
        ..weaving.clone()
    }
}

/// How the schedules of a question count.
pub struct Asked {
    /// The formulas, for a search that knows which runs count.
    pub spec: SpecFile,
    /// The formulas with the premise that runs are fair, for searches that count all runs.
    pub premised: SpecFile,
    /// The properties that are asked, by their numbers in the question.
    pub numbers: Vec<usize>,
    /// The runs that count.
    pub fairness: verify::explicit::Fairness,
}

impl Asked {
    /// Whether the formulas hold if they hold on all fair runs.
    pub fn is_fair(&self) -> bool {
        !self.fairness.demands.is_empty()
    }
}

/// Why a formula is not asked about the step form.
pub struct Unasked {
    /// Its number in the question.
    pub number: usize,
    /// The reason.
    pub why: String,
}

impl SpecFile {
    /// The formulas about the step form of a program, in two questions: those whose violations show
    /// in finite runs, which every schedule can go on from fairly, and the others, which hold if they hold on all fair
    /// runs. Where the program `discards` runs, not every schedule can.
    pub fn about_steps(
        &self,
        stepped: &Stepped,
        fairness: Fairness,
        discards: bool,
    ) -> (Vec<Asked>, Vec<Unasked>) {
        let mut unasked = Vec::new();
        let limited = stepped.is_limited();
        let presses = stepped.made.threads.iter().any(|thread| thread.fair);
        let (mut safe, mut live) = (Vec::new(), Vec::new());
        for (number, property) in self.spec.properties.iter().enumerate() {
            let mut refuse = |why: &str| {
                unasked.push(Unasked {
                    number,
                    why: why.to_owned(),
                });
            };
            if let Some(why) = lacks(&self.spec, property, stepped) {
                refuse(&why);
            } else if !self.spec.arena.is_next_free(property.root) {
                refuse(COUNTS);
            } else if fairness == Fairness::None && !limited && !presses
                || !discards && is_safety(&self.spec.arena, property.root)
            {
                safe.push(number);
            } else {
                live.push(number);
            }
        }
        let part = |numbers: &[usize]| {
            let mut part = self.part(numbers, false, false);
            if let Ok(Some(letters)) = &stepped.letters {
                letters.replace(&mut part.spec);
            }
            part
        };
        let mut asked = Vec::new();
        if !safe.is_empty() {
            let spec = part(&safe);
            asked.push(Asked {
                premised: spec.clone(),
                spec,
                numbers: safe,
                fairness: verify::explicit::Fairness::default(),
            });
        }
        if !live.is_empty() {
            let spec = part(&live);
            let demands = demands(stepped, fairness);
            asked.push(fair(&spec, live, &demands));
        }
        for about in &mut asked {
            // What the step form assumes of its own is what lets a thread take a step.
            about.fairness.goes_on = !discards;
        }
        if let Some(first) = asked.first_mut() {
            // Of runs that need more than there is, only these say anything.
            let beside = [
                DEADLOCK,
                Allocations::FULL,
                Allocations::STALE,
                Allocations::AGAIN,
            ];
            first.fairness.beside.extend(beside.map(str::to_owned));
            for spec in [&mut first.spec.spec, &mut first.premised.spec] {
                ask_never(spec, DEADLOCK, "no run is a deadlock");
                if stepped.is_limited() {
                    let text = "no run needs more than the step form has";
                    ask_never(spec, Allocations::FULL, text);
                }
                if stepped.made.allocations.is_some_and(|heap| heap.checks) {
                    ask_never(spec, Allocations::STALE, "no run uses freed memory");
                }
                if stepped.made.allocations.is_some_and(|heap| heap.compares) {
                    let text = "no run has a pointer to freed memory where it allocates";
                    ask_never(spec, Allocations::AGAIN, text);
                }
                if stepped.remembers() {
                    ask_never(spec, LOST, "the model of the memory leaves out no run");
                }
            }
        }
        (asked, unasked)
    }
}

/// Why formulas that count letters are not asked.
const COUNTS: &str =
    "the formula counts letters, and the step form has more of them than the program";

/// What a property names that the step form does not have, or has only in part, if there is such a thing.
fn lacks(spec: &Spec, property: &Property, stepped: &Stepped) -> Option<String> {
    if matches!(spec.trace, Trace::Sample(_)) {
        return Some("letters are taken at labels, which the step form does not have".to_owned());
    }
    if !spec.discards.prune.is_empty() || !spec.discards.assume.is_empty() {
        return Some("runs are discarded at labels, which the step form does not have".to_owned());
    }
    let taken_apart = spec.inputs.iter().find_map(|input| match &input.target {
        InputTarget::Call(name) => stepped.has_body(name).then(|| name.to_string()),
        InputTarget::Variable(param) => Some(param.to_string()),
    });
    if let Some(input) = taken_apart {
        return Some(format!(
            "the step form takes apart the functions of the program, and the input `{input}` with them"
        ));
    }
    let atoms = spec.atoms_behind(property.root);
    let timers = spec.machine.timers.iter();
    let own = |timer: &&Timer| timer.outputs.iter().any(|output| atoms.contains(output));
    let measures: Vec<Measure> = timers.filter(own).map(|timer| timer.measure).collect();
    if measures.contains(&Measure::Letters) {
        return Some(COUNTS.to_owned());
    }
    let noted = stepped.letters.as_ref().is_ok_and(Option::is_some);
    let mut remembered = spec.machine.remembered.iter();
    if noted && remembered.any(|r| atoms.contains(&r.atom)) {
        return Some(
            "no values are remembered at the letters that the step form notes for areas".to_owned(),
        );
    }
    if noted && !measures.is_empty() {
        return Some("the letters that the step form notes for areas have no times".to_owned());
    }
    let used = atoms.into_iter().filter_map(|atom| spec.proposition(atom));
    let mut used: Vec<&Proposition> = used.collect();
    if let Ok(Some(letters)) = &stepped.letters {
        let all = used.len();
        used.retain(|proposition| !letters.have(proposition));
        if let Some(beside) = used.first().filter(|_| used.len() < all) {
            return Some(format!(
                "`{}` has no value in the letters that the step form notes beside areas",
                beside.name
            ));
        }
    }
    let mut used = used.into_iter();
    used.find_map(|proposition| needs(proposition, stepped))
}

/// What a proposition needs that the step form does not have. A local is none of its objects, even if its function is
/// called as it is: writes of locals are no steps of their own, so that the values that others see between them
/// would be missing.
fn needs(proposition: &Proposition, stepped: &Stepped) -> Option<String> {
    let name = &proposition.name;
    let local = || {
        Some(format!(
            "`{name}` reads a local object of a function, whose writes are no steps of their own"
        ))
    };
    if proposition.area != Area::WholeProgram || proposition.instances != Instances::Any {
        let why = match &stepped.letters {
            Err(why) => format!(": {why}"),
            Ok(_) => String::new(),
        };
        return Some(format!(
            "`{name}` has an area, which the step form does not have{why}"
        ));
    }
    match &proposition.evaluation {
        Evaluation::Condition(condition) if condition.contains("::") => local(),
        Evaluation::Condition(_) => None,
        Evaluation::Timer => None,
        Evaluation::Function { params, .. } if params.iter().any(|p| p.function.is_some()) => {
            local()
        }
        Evaluation::Function { name: function, .. } => (!stepped.keeps(function)).then(|| {
            format!("no thread calls the function `{function}` of `{name}`, so that the step form does not have it")
        }),
    }
}

/// Whether a finite word shows each violation of a formula.
pub fn is_safety(arena: &Arena, root: Id) -> bool {
    automata::classify(arena, root, &[], &automata::Limits::default()).safety == Some(true)
}

/// What holds infinitely often in the runs that count: those of schedules that are fair, and that need no more than the
/// step form has.
fn demands(stepped: &Stepped, fairness: Fairness) -> Vec<(Option<String>, String)> {
    let threads = stepped.made.threads.iter().enumerate();
    let of_thread = |(thread, of): (usize, &sequentialise::Thread)| match fairness {
        Fairness::None if !of.fair => None,
        _ if of.fair || fairness == Fairness::Strong => Some((
            Some(format!("sequential_can_{thread} == 1")),
            format!("sequential_step_{thread} == 1"),
        )),
        _ => Some((None, format!("sequential_fair_{thread} == 1"))),
    };
    let limited = stepped.is_limited();
    let within = limited.then(|| (None, format!("{} == 0", Allocations::FULL)));
    threads.filter_map(of_thread).chain(within).collect()
}

/// The question about some formulas on fair runs.
fn fair(spec: &SpecFile, numbers: Vec<usize>, demands: &[(Option<String>, String)]) -> Asked {
    let (mut spec, mut premised) = (spec.clone(), spec.clone());
    assume_fair(&mut premised.spec, demands);
    // The search reads the values of the conditions, which a formula has to name.
    let texts = demands
        .iter()
        .flat_map(|(often, then)| often.iter().chain([then]));
    let atoms: Vec<Id> = texts.map(|text| condition(&mut spec.spec, text)).collect();
    let any = spec.spec.arena.make(Node::Or(atoms));
    let root = spec.spec.arena.make(Node::Finally(any));
    ask(&mut spec.spec, FAIRNESS, "some thread takes a step", root);
    let named = |text: String| format!("{{{text}}}");
    let demands = demands.iter().cloned();
    let demands = demands.map(|(often, then)| (often.map(named), named(then)));
    Asked {
        spec,
        premised,
        numbers,
        fairness: verify::explicit::Fairness {
            demands: demands.collect(),
            names: Some(FAIRNESS.to_owned()),
            ..verify::explicit::Fairness::default()
        },
    }
}

/// Puts the assumption that runs are fair in front of all formulas.
fn assume_fair(spec: &mut Spec, demands: &[(Option<String>, String)]) {
    let mut fair = Vec::new();
    for (often, then) in demands {
        let then = infinitely_often(spec, then);
        fair.push(match often {
            Some(often) => {
                let often = infinitely_often(spec, often);
                spec.arena.make(Node::Implies(often, then))
            }
            None => then,
        });
    }
    let fair = match fair.as_slice() {
        [one] => *one,
        _ => spec.arena.make(Node::And(fair)),
    };
    for property in &mut spec.properties {
        property.root = spec.arena.make(Node::Implies(fair, property.root));
    }
}

/// `G F {condition}`, with the condition as a new proposition.
fn infinitely_often(spec: &mut Spec, text: &str) -> Id {
    let atom = condition(spec, text);
    let eventually = spec.arena.make(Node::Finally(atom));
    spec.arena.make(Node::Globally(eventually))
}

/// A condition over the whole program, as a new proposition.
fn condition(spec: &mut Spec, condition: &str) -> Id {
    let atom = spec.arena.atom(ltl::Atom::Condition(condition.to_owned()));
    let made = spec::from_ltl(&format!("{{{condition}}}")).ok();
    let proposition = made.and_then(|made| made.propositions.into_iter().next());
    spec.propositions
        .extend(proposition.map(|proposition| Proposition {
            atom,
            ..proposition
        }));
    spec.arena.make(Node::Atom(atom))
}

/// The name of the property that no run is a deadlock, and of the variable of the step form that tells it.
pub const DEADLOCK: &str = "sequential_deadlock";

/// The name of the property that names what demands of fairness are about.
const FAIRNESS: &str = "sequential_fairness";

/// Adds the property that a variable of the step form is never set.
fn ask_never(spec: &mut Spec, variable: &str, text: &str) {
    if spec.properties.iter().any(|p| p.name == variable) {
        return;
    }
    let atom = condition(spec, &format!("{variable} == 1"));
    let not = spec.arena.make(Node::Not(atom));
    let root = spec.arena.make(Node::Globally(not));
    ask(spec, variable, text, root);
}

/// Adds a property that is none of the user's.
fn ask(spec: &mut Spec, name: &str, text: &str, root: Id) {
    spec.properties.push(Property {
        name: name.to_owned(),
        text: Text::plain(text, 0),
        root,
        span: 0..0,
        expect: None,
    });
}
