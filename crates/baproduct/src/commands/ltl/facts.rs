//! The facts about one formula, and their output in all forms.

use automata::{
    classify_composite, classify_with, conditions, translate, Buchi, Class, Composite, HoaError,
    Limits, Mismatch, Monitor, Options, TooLarge,
};
use ltl::B4;
use ltl::{Arena, Id, Style};
use std::fmt::Write as _;
use std::time::Instant;

/// A shown formula is cut after this many bytes.
const LONGEST_FORMULA: usize = 10_000;

/// A formula, or an automaton of its negation, or both.
#[derive(Default)]
pub(super) struct Subject {
    pub arena: Arena,
    pub root: Option<Id>,
    /// An automaton of the negation from another tool.
    pub negation: Option<Buchi>,
}

impl Subject {
    /// Adds an automaton of the negation in the Hanoi format.
    ///
    /// # Errors
    /// Why the text is not such an automaton.
    pub fn with_automaton(mut self, text: &str) -> Result<Subject, HoaError> {
        let limits = Limits::default();
        self.negation = Some(Buchi::from_hoa(text, &mut self.arena, &limits)?);
        Ok(self)
    }

    /// The constraints on letters that the C conditions of the formula imply.
    fn constraints(&mut self) -> Vec<Id> {
        self.root.map_or(Vec::new(), |root| {
            conditions::constraints_of(&mut self.arena, root)
        })
    }
}

/// The facts about a formula.
pub(super) struct Facts {
    arena: Arena,
    root: Option<Id>,
    constraints: Vec<Id>,
    /// The automaton of the formula, or the exceeded bound; an automaton that was read is of the
    /// negation.
    automaton: Result<Buchi, TooLarge>,
    foreign: bool,
    /// The deterministic monitor, or the exceeded bound.
    monitor: Result<Monitor, TooLarge>,
    /// The monitors of the formula's independent parts, if the single monitor is too large.
    parts: Option<Composite>,
    milliseconds: f64,
}

/// Why there are no facts.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unknown {
    #[error("this formula is too large: {0}")]
    TooLarge(#[from] TooLarge),
    #[error("{0}")]
    Mismatch(Mismatch),
}

impl Facts {
    /// Translates the formula; or takes an automaton of its negation, and refuses it if it does not
    /// match the formula.
    pub fn new(mut subject: Subject) -> Result<Facts, Unknown> {
        let limits = Limits::default();
        let start = Instant::now();
        let constraints = subject.constraints();
        let Subject {
            arena,
            root,
            negation,
        } = subject;
        let foreign = negation.is_some();
        let (automaton, monitor) = match (negation, root) {
            (Some(negation), root) => {
                let negation = negation.restricted(&arena, &constraints, &limits)?;
                if let Some(root) = root {
                    // A mismatch that cannot be decided within the bounds is not reported.
                    if let Ok(Some(mismatch)) =
                        negation.mismatch(&arena, root, &constraints, &limits)
                    {
                        return Err(Unknown::Mismatch(mismatch));
                    }
                }
                let monitor = Monitor::of_negation(&negation, &limits);
                (Ok(negation), monitor)
            }
            (None, root) => {
                let mut arena = arena.clone();
                let root = root.unwrap_or_else(|| arena.make(ltl::Node::True));
                let options = Options {
                    limits,
                    constraints: constraints.clone(),
                };
                let automaton = translate(&arena, root, &options);
                let monitor = Monitor::for_formula(&arena, root, &constraints, &limits);
                (automaton, monitor)
            }
        };
        let parts = match (root, &monitor) {
            (Some(root), Err(_)) => {
                Composite::for_formula(&arena, root, &constraints, &limits).ok()
            }
            _ => None,
        };
        // Without any of them there is nothing to show.
        if let (Err(bound), Err(_), None) = (&automaton, &monitor, &parts) {
            return Err((*bound).into());
        }
        Ok(Facts {
            parts,
            arena,
            root,
            constraints,
            automaton,
            foreign,
            monitor,
            milliseconds: start.elapsed().as_secs_f64() * 1000.0,
        })
    }

    /// The monitor.
    ///
    /// # Errors
    /// The exceeded bound.
    pub fn into_monitor(self) -> Result<Monitor, TooLarge> {
        self.monitor
    }

    /// The number of the monitor's states; 0 if there is none.
    fn dfa_states(&self) -> usize {
        self.monitor.as_ref().map_or(0, Monitor::len)
    }

    fn formula(&self) -> String {
        self.root.map_or("?".to_owned(), |root| {
            ltl::print_bounded(&self.arena, root, Style::Ascii, LONGEST_FORMULA)
        })
    }

    /// The formula that the automaton accepts.
    fn accepted(&self) -> String {
        match self.foreign {
            true => format!("!({})", self.formula()),
            false => self.formula(),
        }
    }

    /// The line of `--stats`.
    pub fn stats(&self) -> Result<String, TooLarge> {
        let automaton = self.automaton()?;
        Ok(format!(
            "states={} edges={} accepting={} deterministic={} dfa_states={} time_ms={:.3}\n",
            automaton.states().len(),
            automaton.edge_count(),
            automaton.accepting_count(),
            automaton.is_deterministic(),
            self.dfa_states(),
            self.milliseconds,
        ))
    }

    /// The Büchi automaton in the HOA format.
    pub fn hoa(&self) -> Result<String, TooLarge> {
        Ok(self.automaton()?.to_hoa(&self.arena, &self.accepted()))
    }

    /// The Büchi automaton as a Graphviz graph.
    pub fn dot(&self) -> Result<String, TooLarge> {
        Ok(self.automaton()?.to_dot(&self.arena, &self.accepted()))
    }

    /// The Büchi automaton as SPIN's never claim.
    pub fn never(&self) -> Result<String, TooLarge> {
        Ok(self.automaton()?.to_never(&self.arena, &self.accepted()))
    }

    /// The tables of the monitor.
    pub fn tables(&self) -> Result<String, TooLarge> {
        let automaton = self.automaton()?;
        let tables = automaton.tables(&Limits::default())?;
        Ok(tables.display(automaton, &self.arena))
    }

    fn automaton(&self) -> Result<&Buchi, TooLarge> {
        self.automaton.as_ref().map_err(|bound| *bound)
    }

    /// The class of the formula; `None` if there is only an automaton.
    fn class(&self) -> Option<Class> {
        let (arena, constraints) = (&self.arena, &self.constraints);
        let (monitor, limits) = (self.monitor.as_ref().ok(), Limits::default());
        self.root.map(|root| match &self.parts {
            Some(parts) => classify_composite(parts, arena, root, constraints, &limits),
            None => classify_with(monitor, arena, root, constraints, &limits),
        })
    }

    /// The explanation, on several lines.
    pub fn explanation(&self) -> String {
        let class = self.class();
        let mut text = String::new();
        let mut row = |name: &str, value: &str| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name:<11}{value}");
        };
        if self.root.is_some() {
            row("formula", &self.formula());
        }
        if let Some(class) = &class {
            row("class", &class.describe());
        }
        let of_class = class
            .and_then(|class| class.words)
            .map(|words| words.verdicts);
        let of_monitor = self.monitor.as_ref().map(Monitor::verdicts).ok();
        if let Some(verdicts) = of_monitor.or(of_class) {
            let verdicts: Vec<String> = verdicts
                .iter()
                .map(|v| format!("{} ({v})", v.name()))
                .collect();
            row("verdicts", &verdicts.join(", "));
        }
        for &constraint in &self.constraints {
            let holds = ltl::print_bounded(&self.arena, constraint, Style::Ascii, 500);
            row("alphabet", &format!("{holds} always holds"));
        }
        row("automaton", &self.size());
        row("monitor", &self.monitor_size());
        if let Some(class) = class {
            text.push('\n');
            text.push_str(&class.explain());
            text.push('\n');
        }
        text
    }

    fn monitor_size(&self) -> String {
        let parts = self.parts.as_ref().map(|composite| composite.shape.parts());
        match (&self.monitor, parts.as_deref()) {
            (Ok(monitor), _) => count(monitor.len(), "state"),
            (Err(_), Some(parts @ [_, _, ..])) => {
                let states = parts.iter().map(|monitor| monitor.len()).sum();
                let states = count(states, "state");
                format!("{states} in {} independent parts", parts.len())
            }
            (Err(bound), _) => format!("{bound}: all runs of an automaton are followed"),
        }
    }

    fn size(&self) -> String {
        let automaton = match &self.automaton {
            Ok(automaton) => automaton,
            Err(bound) => return bound.to_string(),
        };
        let kind = match automaton.is_deterministic() {
            true => "deterministic",
            false => "non-deterministic",
        };
        let of = if self.foreign {
            ", of the negation"
        } else {
            ""
        };
        format!(
            "{}, {}, {} accepting, {kind}{of}",
            count(automaton.states().len(), "state"),
            count(automaton.edge_count(), "edge"),
            automaton.accepting_count(),
        )
    }

    /// The answer on one line, for programs and for people.
    pub fn line(&self) -> String {
        let class = self.class();
        let known = |value: Option<bool>| value.map_or("unknown".to_owned(), |v| v.to_string());
        let name = match class.map(|class| class.name()) {
            Some("both safety and co-safety") => "both",
            Some("neither safety nor co-safety") => "neither",
            Some("not known") | None => "unknown",
            Some(name) => name,
        };
        let words = class.and_then(|class| class.words);
        let verdicts = words.map_or("unknown".to_owned(), |words| {
            let names: Vec<&str> = words.verdicts.iter().map(B4::name).collect();
            names.join(",")
        });
        format!(
            "class={name} monitorable={} stutter_invariant={} verdicts={verdicts} states={} \
             dfa_states={} formula={}\n",
            known(words.map(|words| words.monitorable)),
            known(class.and_then(|class| class.stutter_invariant)),
            self.automaton
                .as_ref()
                .map_or(0, |automaton| automaton.states().len()),
            self.dfa_states(),
            self.formula(),
        )
    }
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
