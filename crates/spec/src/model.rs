//! The specification as the other crates use it: checked and complete, with the source place of
//! everything that a later message may concern.

use crate::diagnostic::Diagnostic;
use crate::json::Text;
use crate::param::Param;
use crate::target::Target;
use ltl::timed::{Measure, Timer};
use ltl::{Arena, AtomId, Expectation, Id};
use std::ops::Range;

/// A specification. All spans are byte offsets of the texts it was read from.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Holds the formulas of all properties and of [`Spec::alphabet`], which share propositions.
    pub arena: Arena,
    /// The properties to verify, in order, with distinct names. May be empty if [`Spec::reach`] is
    /// not.
    pub properties: Vec<Property>,
    /// All propositions: the declared ones in order, then the `{conditions}` of formulas.
    pub propositions: Vec<Proposition>,
    /// Propositional formulas that hold at every position of every word.
    pub alphabet: Vec<Formula>,
    /// When the trace takes a letter.
    pub trace: Trace,
    /// The functions and variables whose values are inputs.
    pub inputs: Vec<Input>,
    /// The runs that do not count.
    pub discards: Discards,
    /// Labels whose reachability is to be reported.
    pub reach: Vec<Reach>,
    /// How infinite runs are searched, if the specification says so.
    pub lasso: Option<Lasso>,
    /// The bound of each loop and each recursion; at least 1.
    pub unwind: Option<u32>,
    /// The machine that the program runs on.
    pub machine: Machine,
    /// Warnings about the specification.
    pub warnings: Vec<Diagnostic>,
}

impl Spec {
    /// The proposition of an atom of a formula of this specification.
    pub fn proposition(&self, atom: AtomId) -> Option<&Proposition> {
        self.propositions.iter().find(|p| p.atom == atom)
    }

    /// The propositions on which a formula's value depends: its own, and those that its timers read.
    pub fn atoms_behind(&self, root: Id) -> Vec<AtomId> {
        let mut found = self.arena.atoms_of(root);
        let mut next = 0;
        while let Some(&atom) = found.get(next) {
            next += 1;
            let timers = self.machine.timers.iter();
            for timer in timers.filter(|timer| timer.outputs.contains(&atom)) {
                let read = timer.rule.operands().into_iter();
                let read = read.flat_map(|id| self.arena.atoms_of(id));
                let clock = self.machine.clock.iter().map(|clock| clock.atom);
                let clock = clock.filter(|_| timer.measure == Measure::Ticks);
                for atom in read.chain(clock) {
                    if !found.contains(&atom) {
                        found.push(atom);
                    }
                }
            }
            for remembered in &self.machine.remembered {
                let reads = self.arena.atoms_of(remembered.guard).into_iter();
                let reads = reads.chain([remembered.read]);
                let new: Vec<AtomId> = match atom {
                    atom if atom == remembered.atom => reads.collect(),
                    atom if remembered.compared.contains(&atom) => vec![remembered.atom],
                    _ => continue,
                };
                for atom in new {
                    if !found.contains(&atom) {
                        found.push(atom);
                    }
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// Lets timers count the letters of a property's bounded operators of the future, where automata are too large.
    ///
    /// # Errors
    /// Why timers cannot count them.
    pub fn count_by_timers(&mut self, property: usize) -> Result<(), ltl::timed::Refused> {
        let Some(property) = self.properties.get_mut(property) else {
            return Ok(());
        };
        let timers = &mut self.machine.timers;
        property.root =
            ltl::timed::eliminate(&mut self.arena, property.root, Measure::Letters, timers)?;
        let span = property.span.clone();
        let known: Vec<AtomId> = self.propositions.iter().map(|p| p.atom).collect();
        let new = outputs(&self.arena, property.root, &self.machine.timers, &span);
        let new = new.into_iter().filter(|p| !known.contains(&p.atom));
        self.propositions.extend(new);
        Ok(())
    }
}

/// The propositions of timers in a formula.
pub(crate) fn outputs(
    arena: &Arena,
    root: Id,
    timers: &[Timer],
    span: &Range<usize>,
) -> Vec<Proposition> {
    let given = |atom: &AtomId| timers.iter().any(|timer| timer.outputs.contains(atom));
    let atoms = arena.atoms_of(root).into_iter().filter(given);
    let name = |atom: AtomId| match arena.atoms().get(atom.0 as usize) {
        Some(ltl::Atom::Name(name)) => name.clone(),
        _ => String::new(),
    };
    atoms
        .map(|atom| Proposition {
            name: name(atom),
            atom,
            name_span: span.clone(),
            default: false,
            area: Area::WholeProgram,
            evaluation: Evaluation::Timer,
            instances: Instances::Any,
            span: span.clone(),
        })
        .collect()
}

/// A formula with its text.
#[derive(Clone, Debug)]
pub struct Formula {
    /// The formula as it was written.
    pub text: Text,
    /// Its root in the arena of the specification.
    pub root: Id,
}

/// A formula that the program's runs have to satisfy.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name: safe in a C string, without `:`.
    pub name: String,
    /// The formula as it was written.
    pub text: Text,
    /// Its root in the arena of the specification.
    pub root: Id,
    /// Where it stands.
    pub span: Range<usize>,
    /// The verdict that the author of the specification expects.
    pub expect: Option<Expectation>,
}

/// An atomic proposition with its validity area (Hétier & Boucheneb 2018, section 3.4).
#[derive(Clone, Debug)]
pub struct Proposition {
    /// Its name in formulas and reports; for a `{condition}`, the condition in its braces.
    pub name: String,
    /// Its atom in the arena of the specification.
    pub atom: AtomId,
    /// Where its name stands: at its declaration, or in a formula.
    pub name_span: Range<usize>,
    /// Its value outside of its area.
    pub default: bool,
    /// The area in which it is evaluated.
    pub area: Area,
    /// How it is evaluated in its area.
    pub evaluation: Evaluation,
    /// How several simultaneous instances of the area are combined.
    pub instances: Instances,
    /// Where it stands.
    pub span: Range<usize>,
}

/// A validity area.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Area {
    /// From one label to another.
    Labels {
        /// When control reaches it, the area is entered.
        entry: Label,
        /// When control reaches it, the area is left.
        exit: Label,
    },
    /// From the start of `main` to the end of the run.
    WholeProgram,
    /// One position: the area is open for the letter taken there.
    At(Label),
    /// From the entry of a function to its return.
    Function(Text),
}

/// A label of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The text as written, with its place.
    pub text: Text,
    /// The function of `f::label`. Different functions may have labels of the same name.
    pub function: Option<String>,
    /// The label itself.
    pub name: String,
}

/// Labels whose name matches: `*` stands for any text, `?` for any character.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabelPattern {
    /// The text as written, with its place.
    pub text: Text,
    /// The function of `f::label`; without one, labels of every function match.
    pub function: Option<String>,
    /// The pattern for the label itself.
    pub pattern: String,
}

impl LabelPattern {
    /// Whether the pattern matches a label of a function.
    pub fn matches(&self, function: &str, label: &str) -> bool {
        self.function.as_deref().is_none_or(|f| f == function) && matches_glob(&self.pattern, label)
    }
}

/// Labels of which control may or may not reach each: the reachability is reported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reach {
    /// The labels.
    pub at: LabelPattern,
    /// The expected verdict of each of them.
    pub expect: Option<Expectation>,
}

/// Whether a name matches a pattern: `*` stands for any text, `?` for any character.
pub fn matches_glob(pattern: &str, name: &str) -> bool {
    wildmatch::WildMatch::new(pattern).matches(name)
}

/// How a proposition gets its value in its area.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Evaluation {
    /// The result of a pure C function.
    Function {
        /// The function.
        name: Text,
        /// Its arguments.
        params: Vec<Param>,
    },
    /// The value of a C condition, in which `f::x` is the local `x` of the function `f`.
    Condition(Text),
    /// Given by one of [`Machine::timers`].
    Timer,
}

/// How the values of simultaneous instances of an area are combined (docs/semantics.md, "Several
/// instances of an area").
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Instances {
    /// The value differs from the default if that of some instance does.
    #[default]
    Any,
    /// The value differs from the default if there are instances and all their values do.
    All,
    /// The formula must hold for each instance separately.
    Each,
    /// Programs in which there can be several are refused.
    Single,
}

/// The name of [`Instances::Single`].
pub(crate) const SINGLE: &str = "single";

/// When the trace takes a letter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trace {
    /// At the start, and whenever the value of a proposition may have changed.
    Changes,
    /// When control reaches one of these labels.
    Sample(Vec<Label>),
}

/// An input of the program.
#[derive(Clone, Debug)]
pub struct Input {
    /// The function or variable that gets the values.
    pub target: InputTarget,
    /// The values that it can get.
    pub values: InputValues,
    /// Where it stands.
    pub span: Range<usize>,
}

/// The runs that a specification discards.
#[derive(Clone, Debug, Default)]
pub struct Discards {
    /// Labels at which runs are discarded.
    pub prune: Vec<LabelPattern>,
    /// Conditions that every run must satisfy; other runs are discarded.
    pub assume: Vec<Assumption>,
}

/// What a specification says of the machine that its program runs on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Machine {
    /// Its kind, if the specification says so.
    pub target: Option<Target>,
    /// The interrupt handlers that come.
    pub interrupts: Vec<Interrupt>,
    /// Functions after which no handler comes, each with the one after which they come again.
    pub masks: Vec<(Text, Text)>,
    /// The functions that callers of the program call, or one expression of calls.
    pub entry: Vec<Text>,
    /// Registers whose reads do not give any value.
    pub registers: Vec<Register>,
    /// The clock by which formulas measure time.
    pub clock: Option<Clock>,
    /// The timers of the formulas, each behind those whose propositions it reads.
    pub timers: Vec<Timer>,
    /// The values that formulas remember, each behind those whose propositions its guard reads.
    pub remembered: Vec<Remembered>,
    /// The state machines that code in the program follows.
    pub followed: Vec<crate::followed::Followed>,
}

impl Machine {
    /// The remembered values that a condition reads.
    pub fn read_by(&self, condition: AtomId) -> impl Iterator<Item = &Remembered> {
        let all = self.remembered.iter();
        all.filter(move |r| r.compared.contains(&condition))
    }
}

/// A value that a formula remembers at one letter and compares at others. The letter is chosen once in a run, freely.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remembered {
    /// Its name in the conditions that read it.
    pub name: String,
    /// The C expression that gives it.
    pub value: Text,
    /// The proposition that it is remembered at this letter.
    pub atom: AtomId,
    /// The proposition that reads the expression, so that its writes are events.
    pub read: AtomId,
    /// A propositional formula without which it makes no difference whether it is remembered.
    pub guard: Id,
    /// The conditions that read it.
    pub compared: Vec<AtomId>,
    /// Whether some formula with it tells repeated letters from single ones.
    pub counts: bool,
}

/// A variable of the program that counts time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Its name.
    pub name: Text,
    /// The proposition that reads it, so that its writes are events.
    pub atom: AtomId,
}

/// What a specification says of registers: objects at constant addresses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Register {
    /// Which ones.
    pub which: WhichRegister,
    /// What their reads give.
    pub reads: RegisterReads,
}

/// How a specification names registers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WhichRegister {
    /// As the program does: `UDR0`, `USART1->SR`, or `USART1` for all of a structure.
    Name(Text),
    /// By the address.
    Address(u64),
}

/// What reads of a register give.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RegisterReads {
    /// Any value of its type.
    Any,
    /// What was written last.
    Memory,
    /// One of these; at least one.
    Values(Vec<i128>),
    /// What a function of the program returns.
    Call(Text),
}

/// An interrupt handler.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interrupt {
    /// The function.
    pub handler: Text,
    /// Its priority: a handler of a larger number interrupts one of a smaller.
    pub priority: i128,
    /// The condition, in C, without which it does not come.
    pub enabled: Option<Text>,
    /// How often it comes in a run at most.
    pub at_most: Option<u32>,
    /// Whether it comes infinitely often if it infinitely often could.
    pub fair: bool,
    /// Where it stands.
    pub span: Range<usize>,
}

/// The target of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputTarget {
    /// The result of each call of a function, or the values that the call stores through its
    /// pointers.
    Call(Text),
    /// A variable, at its declaration.
    Variable(Param),
}

/// The values of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputValues {
    /// Every value of the type.
    Any,
    /// One of these; at least one.
    Set(Vec<i128>),
    /// From the first to the second, both included; the first is at most the second.
    Range(i128, i128),
}

/// A condition that holds whenever control reaches a label; runs that violate it are discarded.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// The label.
    pub at: Label,
    /// The C condition.
    pub condition: Text,
    /// Where it stands.
    pub span: Range<usize>,
}

/// How infinite runs are searched.
#[derive(Clone, Debug)]
pub struct Lasso {
    /// The save points; if empty, the tool chooses them.
    pub at: Vec<Label>,
    /// The objects whose values are compared; if absent, the tool chooses them.
    pub state: Option<Vec<Param>>,
    /// Where it stands.
    pub span: Range<usize>,
}

#[cfg(test)]
mod tests {
    use super::matches_glob;

    #[test]
    fn globs() {
        for (pattern, name, expected) in [
            ("error_*", "error_12", true),
            ("error_*", "error_", true),
            ("error_*", "errors", false),
            ("*", "", true),
            ("?", "", false),
            ("?", "é", true),
            ("a*b*c", "a--b--b-c", true),
            ("a*b*c", "a--c", false),
            ("*_1", "x_1_1", true),
            ("bad", "bad_input", false),
        ] {
            assert_eq!(matches_glob(pattern, name), expected, "{pattern} {name}");
        }
        let many = "a*".repeat(5000) + "b";
        assert!(!matches_glob(&many, &"a".repeat(10_000)));
    }
}
