//! The step form of a threaded program, and the question about it.

use std::collections::BTreeSet;
use std::path::Path;

use cfront::flow::Point;
use cfront::span::{Id as _, ObjectId};
use cfront::tree::Entity;
use ltl::{Arena, Id, Node};
use sequentialise::Fairness;
use spec::{Proposition, Spec, Trace};
use weave::analysis::live_locals::Live;

use super::program::Program;
use super::specs::SpecFile;
use crate::options::{Output, Preprocessor, Weaving};

/// A threaded program as one loop of steps.
pub struct Stepped {
    /// The sequential program.
    pub program: Program,
    /// The functions that its threads begin with.
    pub threads: Vec<String>,
}

impl Program {
    /// The program as one loop that lets a chosen thread take a step. The inner error says why it has no such form, with
    /// the place.
    ///
    /// # Errors
    /// If the directory for the text cannot be written.
    pub fn stepped(
        &self,
        weaving: &Weaving,
        directory: &Path,
        output: &Output,
    ) -> anyhow::Result<Result<Stepped, String>> {
        // Specifications that were woven before have added expressions to the syntax tree.
        let unit = match cfront::Unit::parse(self.source.clone()) {
            Ok(unit) => unit,
            Err(all) => return Ok(Err(first(&self.source, all))),
        };
        let unit = match cfront::merge::as_one(unit) {
            Ok((unit, _)) => unit,
            Err(diagnostic) => return Ok(Err(diagnostic.message)),
        };
        let options = sequentialise::Options {
            steps: true,
            spurious_wakeups: weaving.spurious_wakeups,
            assigned: assigned(&unit),
            ..sequentialise::Options::default()
        };
        let sequential = match sequentialise::sequentialise(&unit, &options) {
            Ok(sequential) => sequential,
            Err(all) => return Ok(Err(first(&unit.source, all))),
        };
        let path = directory.join("steps.c");
        std::fs::write(&path, &sequential.text)?;
        let program = Program::read(&[path], &stepping(weaving), output)?;
        Ok(Ok(Stepped {
            program,
            threads: sequential.threads.into_iter().map(|t| t.function).collect(),
        }))
    }
}

/// The locals without initializer that are written before they are read.
fn assigned(unit: &cfront::Unit) -> BTreeSet<ObjectId> {
    let live = Live::new(&unit.tree, &unit.flows);
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
            let read = next.any(|p| live.at(function, Some(p.index()), object.index()));
            if declared.init.is_none() && !read {
                assigned.insert(object);
            }
        }
    }
    assigned
}

/// The first of these messages, with its place.
fn first(source: &cfront::source::Source, all: Vec<cfront::Diagnostic>) -> String {
    let first = all.into_iter().next();
    let text = first.map(|d| {
        let place = source.place(d.span);
        format!("{}:{}: {}", place.file, place.line, d.message)
    });
    text.unwrap_or_default()
}

/// The options by which the step form is read: its text is what the preprocessor left, but for headers.
pub fn stepping(weaving: &Weaving) -> Weaving {
    let of = &weaving.preprocessor;
    Weaving {
        preprocessor: Preprocessor {
            include: Vec::new(),
            define: Vec::new(),
            undefine: Vec::new(),
            std: of.std.clone(),
            cpp: of.cpp.clone(),
            compile_commands: None,
        },
        rounds: false,
        lasso: false,
        ..weaving.clone()
    }
}

/// How the schedules of a question count.
pub struct Asked {
    /// The formulas, with the assumption in front of those that need it.
    pub spec: SpecFile,
    /// The properties that are asked, by their numbers in the question.
    pub numbers: Vec<usize>,
    /// Whether the formulas hold if they hold on all fair runs.
    pub fair: bool,
}

/// Why a formula is not asked about the step form.
pub struct Unasked {
    /// Its number in the question.
    pub number: usize,
    /// The reason.
    pub why: String,
}

impl SpecFile {
    /// The formulas about the step form of a program with so many threads, in two questions: those whose violations show
    /// in finite runs, which every schedule can go on from fairly, and the others, which hold if they hold on all fair
    /// runs.
    pub fn about_steps(&self, threads: usize, fairness: Fairness) -> (Vec<Asked>, Vec<Unasked>) {
        let mut unasked = Vec::new();
        let (mut safe, mut live) = (Vec::new(), Vec::new());
        for (number, property) in self.spec.properties.iter().enumerate() {
            let mut refuse = |why: &str| {
                unasked.push(Unasked {
                    number,
                    why: why.to_owned(),
                });
            };
            if matches!(self.spec.trace, Trace::Sample(_)) {
                refuse("letters are taken at labels, which the step form does not have");
            } else if !self.spec.arena.is_next_free(property.root) {
                refuse("the formula counts letters, and the step form has more of them than the program");
            } else if is_safety(&self.spec.arena, property.root) || fairness == Fairness::None {
                safe.push(number);
            } else {
                live.push(number);
            }
        }
        let mut asked = Vec::new();
        if !safe.is_empty() {
            asked.push(Asked {
                spec: self.part(&safe, false, false),
                numbers: safe,
                fair: false,
            });
        }
        if !live.is_empty() {
            let mut spec = self.part(&live, false, false);
            assume_fair(&mut spec.spec, threads, fairness);
            asked.push(Asked {
                spec,
                numbers: live,
                fair: true,
            });
        }
        (asked, unasked)
    }
}

fn is_safety(arena: &Arena, root: Id) -> bool {
    automata::classify(arena, root, &[], &automata::Limits::default()).safety == Some(true)
}

/// Puts the assumption that runs are fair in front of all formulas.
fn assume_fair(spec: &mut Spec, threads: usize, fairness: Fairness) {
    let mut fair = Vec::new();
    for thread in 0..threads {
        fair.push(match fairness {
            Fairness::Strong => {
                let can = infinitely_often(spec, &format!("sequential_can_{thread} == 1"));
                let step = infinitely_often(spec, &format!("sequential_step_{thread} == 1"));
                spec.arena.make(Node::Implies(can, step))
            }
            _ => infinitely_often(spec, &format!("sequential_fair_{thread} == 1")),
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
fn infinitely_often(spec: &mut Spec, condition: &str) -> Id {
    let atom = spec.arena.atom(ltl::Atom::Condition(condition.to_owned()));
    let made = spec::from_ltl(&format!("{{{condition}}}")).ok();
    let proposition = made.and_then(|made| made.propositions.into_iter().next());
    spec.propositions
        .extend(proposition.map(|proposition| Proposition {
            atom,
            ..proposition
        }));
    let atom = spec.arena.make(Node::Atom(atom));
    let eventually = spec.arena.make(Node::Finally(atom));
    spec.arena.make(Node::Globally(eventually))
}
