//! What the specification says of the program's environment: when letters are taken (`trace`), which
//! runs do not exist (`prune`, `assume`), which labels are to be reached (`reach`).

mod blocks;
pub(crate) mod discard;
pub mod inputs;
mod reach;
mod sample;
mod structures;
mod values;
mod variables;

use crate::bind::expression::Piece;
use crate::layout::operands::Argument;
use crate::layout::weaver::Weaver;
use crate::monitor::Monitors;

/// A function of the emitted program over the locals that it is given.
struct Emitted {
    /// Its parameters.
    parameters: Vec<Argument>,
    /// Its expression.
    expression: String,
}

impl Weaver<'_> {
    /// Whether the end of a run has to know if some thread was cut.
    pub(crate) fn marks_cuts(&self) -> bool {
        self.environment.discards() || self.void_run().is_some()
    }

    /// Declarations in front of the program.
    pub(crate) fn environment_prototypes(&self) -> Vec<String> {
        let mut lines = self.discard_prototypes();
        if self.marks_cuts() {
            lines.push(
                "static _Bool ba_was_cut; /* a thread was cut: the word is a prefix */".into(),
            );
        }
        lines.extend(self.sample_prototypes());
        lines.extend(self.reach_prototypes());
        lines.extend(self.input_prototypes());
        lines
    }

    /// Functions behind the program.
    pub(crate) fn environment_functions(&self, monitors: &Monitors) -> Vec<String> {
        let mut functions = self.discard_functions();
        functions.extend(self.sample_functions(monitors));
        functions.extend(self.reach_functions());
        functions.extend(self.input_functions());
        functions
    }

    /// What a reader has to know of the environment to believe a verdict.
    pub(crate) fn environment_assumptions(&self) -> Vec<String> {
        let name = |l: usize| {
            let label = &self.facts.labels[l];
            format!(
                "{} in {}",
                label.name, self.facts.functions[label.function].name
            )
        };
        let at = &self.environment.at;
        let pruned = at.iter().filter(|(_, at)| at.prune).map(|(&l, _)| name(l));
        let pruned: Vec<String> = pruned.collect();
        let mut out = Vec::new();
        if !pruned.is_empty() {
            out.push(format!(
                "runs are discarded that reach: {}",
                pruned.join(", ")
            ));
        }
        if self.environment.failed_assertions {
            out.push("runs are discarded in which an assertion of the program fails".into());
        }
        for assumption in &self.environment.assume {
            let label = name(assumption.label);
            out.push(format!("assumed at {label}: {}", assumption.text));
        }
        out.extend(self.input_assumptions().iter().cloned());
        out
    }

    /// A condition as an expression over parameters of an emitted function. Complexity: its length.
    fn emitted(&self, pieces: &[Piece]) -> Emitted {
        let mut parameters = Vec::new();
        let expression = self.with_arguments(pieces, &mut parameters);
        Emitted {
            parameters,
            expression,
        }
    }
}
