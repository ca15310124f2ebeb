//! The specification as the rest of the tool sees it: checked, complete, with the place of
//! everything that a later message may be about.

use crate::diagnostic::Diagnostic;
use crate::json::Text;
use crate::param::Param;
use ltl::{Arena, AtomId, Expectation, Id};
use std::ops::Range;

/// A specification. All spans are bytes of the text it was read from.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Holds the formulas of all properties and of [`Spec::alphabet`], which share propositions.
    pub arena: Arena,
    /// What is to be verified, in order, with different names. May be empty if [`Spec::reach`] is
    /// not.
    pub properties: Vec<Property>,
    /// All propositions: the declared ones in order, then the `{conditions}` of formulas.
    pub propositions: Vec<Proposition>,
    /// Propositional formulas that hold at every position of every word.
    pub alphabet: Vec<Formula>,
    /// When a letter of the word is taken.
    pub trace: Trace,
    /// Where values come from that the backend cannot see.
    pub inputs: Vec<Input>,
    /// Labels whose runs are discarded.
    pub prune: Vec<LabelPattern>,
    /// Conditions without which a run is discarded.
    pub assume: Vec<Assumption>,
    /// Labels to be reported if control can reach them.
    pub reach: Vec<Reach>,
    /// How infinite runs are looked for, if the specification says so.
    pub lasso: Option<Lasso>,
    /// How often each loop and each recursion is followed at most; at least 1.
    pub unwind: Option<u32>,
    /// What was odd, but no reason to refuse it.
    pub warnings: Vec<Diagnostic>,
}

impl Spec {
    /// The proposition of an atom of a formula of this specification.
    pub fn proposition(&self, atom: AtomId) -> Option<&Proposition> {
        self.propositions.iter().find(|p| p.atom == atom)
    }
}

/// A formula with its text.
#[derive(Clone, Debug)]
pub struct Formula {
    /// The formula as it was written.
    pub text: Text,
    /// The formula, in the arena of the specification.
    pub root: Id,
}

/// A formula that the program's runs have to satisfy.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name: safe in a C string, without `:`.
    pub name: String,
    /// The formula as it was written.
    pub text: Text,
    /// The formula, in the arena of the specification.
    pub root: Id,
    /// Where it stands.
    pub span: Range<usize>,
    /// The verdict that the author of the specification expects.
    pub expect: Option<Expectation>,
}

/// An atomic proposition with its validity area (Hétier & Boucheneb 2018, section 3.4).
#[derive(Clone, Debug)]
pub struct Proposition {
    /// What it is called in formulas and reports; for a `{condition}` the condition in its braces.
    pub name: String,
    /// Its atom in the arena of the specification.
    pub atom: AtomId,
    /// Where its name stands: at its declaration, or in a formula.
    pub name_span: Range<usize>,
    /// Its value outside of its area.
    pub default: bool,
    /// Where it is evaluated.
    pub area: Area,
    /// What its value is there.
    pub evaluation: Evaluation,
    /// What several instances of the area at a time amount to.
    pub instances: Instances,
    /// Where it stands.
    pub span: Range<usize>,
}

/// A validity area.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Area {
    /// From one label to another.
    Labels {
        /// Control reaches it: the area is entered.
        entry: Label,
        /// Control reaches it: the area is left.
        exit: Label,
    },
    /// From the start of `main` to the end of the run.
    WholeProgram,
    /// One position: open for the letter that is taken there.
    At(Label),
    /// From the entry of a function to its return.
    Function(Text),
}

/// A label of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// As it was written, with its place.
    pub text: Text,
    /// The function of `f::label`; labels of the same name in different functions differ.
    pub function: Option<String>,
    /// The label itself.
    pub name: String,
}

/// Labels whose name matches: `*` stands for any text, `?` for any character.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabelPattern {
    /// As it was written, with its place.
    pub text: Text,
    /// The function of `f::label`; labels of every function match without.
    pub function: Option<String>,
    /// The pattern for the label itself.
    pub pattern: String,
}

impl LabelPattern {
    /// Whether a label of a function is meant.
    pub fn matches(&self, function: &str, label: &str) -> bool {
        self.function.as_deref().is_none_or(|f| f == function) && matches_glob(&self.pattern, label)
    }
}

/// Labels about which the specification asks whether control can reach them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reach {
    /// The labels.
    pub at: LabelPattern,
    /// The verdict that each of them should have.
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
}

/// What several instances of an area at a time amount to (docs/semantics.md, "Several instances of an area").
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Instances {
    /// The value is not the default if one instance gives another.
    #[default]
    Any,
    /// The value is not the default if there are instances and all give another.
    All,
    /// The formula has to hold for each instance alone.
    Each,
}

/// When a letter of the word is taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trace {
    /// At the start, and whenever something may have changed.
    Changes,
    /// When control reaches one of these labels.
    Sample(Vec<Label>),
}

/// A source of values.
#[derive(Clone, Debug)]
pub struct Input {
    /// What gets the values.
    pub target: InputTarget,
    /// The values it can get.
    pub values: InputValues,
    /// Where it stands.
    pub span: Range<usize>,
}

/// What gets the values of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputTarget {
    /// The result of each call of a function, or what the call stores through its pointers.
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
    /// From the first to the second, both included; the first is not greater.
    Range(i128, i128),
}

/// A condition that holds whenever control reaches a label, or the run does not exist.
#[derive(Clone, Debug)]
pub struct Assumption {
    /// The label.
    pub at: Label,
    /// The C condition.
    pub condition: Text,
    /// Where it stands.
    pub span: Range<usize>,
}

/// How infinite runs are looked for.
#[derive(Clone, Debug)]
pub struct Lasso {
    /// The save points; the tool chooses if there are none.
    pub at: Vec<Label>,
    /// The objects whose values are compared; the tool chooses if not given.
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
