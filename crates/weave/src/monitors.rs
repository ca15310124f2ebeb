//! The monitors of all properties as C.

use spec::{Diagnostic, Spec};

use crate::weaver::Proposition;
use crate::Options;

/// The form of a monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Deterministic where its size allows, else Büchi.
    Auto,
    /// Deterministic.
    Deterministic,
    /// The paper's form.
    Buchi,
}

/// One property's monitor.
#[derive(Clone, Debug)]
pub struct PropertyMonitor {
    /// The property's name.
    pub name: String,
    /// The formula as written.
    pub ltl: String,
    /// The JSON name of the expected verdict.
    pub expect: Option<String>,
    /// For each verdict below ⊤ that can occur: the C condition under which it is the word's.
    pub levels: Vec<(automata::B4, String)>,
    /// The C variable of the state.
    pub state: String,
    /// `dfa` or `buchi`.
    pub form: &'static str,
    /// What the class of the formula means.
    pub explanation: String,
    /// The automaton in lines of text, for the emitted comment.
    pub description: Vec<String>,
}

/// The monitors of all properties.
#[derive(Clone, Debug, Default)]
pub struct Monitors {
    /// Whether each event is a letter, changed or not.
    pub every_event: bool,
    /// Declarations in front of the program.
    pub declarations: Vec<String>,
    /// Functions behind it: the general step.
    pub functions: Vec<String>,
    /// For each proposition, the statements after it alone rose or fell.
    pub flips: Vec<(String, String)>,
    /// The statements of letter 0.
    pub first: String,
    /// The properties.
    pub properties: Vec<PropertyMonitor>,
}

/// Builds the monitors.
///
/// # Errors
/// A formula whose monitor is too large for the form that was asked for.
pub fn build(spec: &Spec, propositions: &[Proposition], options: &Options) -> Result<Monitors, Vec<Diagnostic>> {
    let _ = (spec, propositions, options);
    Ok(Monitors::default())
}
