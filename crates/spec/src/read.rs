//! From the wire format to the model: all checks that do not need the C program.

mod clock;
mod machine;
mod program;
mod propositions;
mod remembered;
mod states;

use crate::diagnostic::Diagnostic;
use crate::json::{self, Text};
use crate::list::{self, machine::WireMachine, List};
use crate::model::{
    Area, Assumption, Clock, Discards, Evaluation, Formula, Instances, Lasso, Machine, Property,
    Proposition, Remembered, Spec, Trace,
};
use crate::param::is_identifier;
use crate::wire::{nearest, shorten, Decoder, WireProperty, WireProposition, WireSpec};
use ltl::timed::Timer;
use ltl::{Arena, Atom, AtomId, Expectation, ParseError, ParsedInto, Warning};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The most diagnostics that are reported.
const MAX_DIAGNOSTICS: usize = 100;

/// The name of the start of the program in a `span`.
const BEGIN: &str = "_begin";
/// The name of the end of the program in a `span`.
const END: &str = "_end";

/// Reads the text of a specification file. The diagnostics have no source name yet; set it with
/// [`Diagnostic::in_source`]. Warnings are in [`Spec::warnings`].
///
/// # Errors
/// All errors, in the order of the text, followed by the warnings.
pub fn read(text: &str) -> Result<Spec, Vec<Diagnostic>> {
    read_with_lists(Some(text), &[])
}

/// Reads a specification file together with lists of properties, which follow those of the
/// specification. Without a specification, the atoms of the lists are C conditions in braces. Spans
/// in a list begin at [`List::offset`], so that an offset identifies the text, too; see
/// [`crate::Sources`].
///
/// # Errors
/// As [`read`].
pub fn read_with_lists(text: Option<&str>, lists: &[List]) -> Result<Spec, Vec<Diagnostic>> {
    let mut decoder = Decoder::default();
    let wire = match text {
        None => Some(WireSpec::default()),
        Some(text) => {
            let value = json::read(text).map_err(|e| {
                let title = format!("not JSON: {}", e.message);
                vec![Diagnostic::error(title, e.span)]
            })?;
            decoder.spec(&value)
        }
    };
    let mut reader = Reader {
        errors: decoder.diagnostics,
        formula_alone: text.is_none(),
        ..Reader::default()
    };
    let declared: HashSet<&str> = wire
        .iter()
        .flat_map(|wire| &wire.pa)
        .filter_map(|p| p.name.as_deref())
        .collect();
    let clock = wire.as_ref().is_some_and(|wire| wire.clock.is_some());
    for list in lists {
        match list::read(list, &declared, clock) {
            Ok(listed) => {
                reader.add_listed(listed.properties, listed.numbered);
                reader.add_propositions(listed.propositions);
                reader.state_machines.extend(listed.machines);
                reader.followed.extend(listed.followed);
                reader.warnings.extend(listed.warnings);
            }
            Err(mut errors) => reader.errors.append(&mut errors),
        }
    }
    reader.lists = !lists.is_empty();
    let spec = wire.map(|wire| reader.spec(&wire));
    reader.finish(spec)
}

/// Makes a specification of one formula of the command line: text in braces is a C condition over
/// the whole program. Spans are bytes of the formula.
///
/// # Errors
/// As [`read`]. An atom that is no condition is an error, since nothing declares it.
pub fn from_ltl(text: &str) -> Result<Spec, Vec<Diagnostic>> {
    let mut reader = Reader {
        formula_alone: true,
        ..Reader::default()
    };
    let text = Text::plain(text, 0);
    let property = reader.property("ltl".to_owned(), text.span(), Some(&text), None);
    let spec = reader.assemble(property.into_iter().collect(), &[]);
    reader.finish(Some(spec))
}

#[derive(Default)]
struct Reader {
    arena: Arena,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    propositions: Vec<Proposition>,
    /// The names of the declared propositions, erroneous ones included.
    declared: HashSet<String>,
    /// The propositions that occur in a formula.
    used: HashSet<AtomId>,
    /// Whether the formula comes without a specification.
    formula_alone: bool,
    /// Whether lists of properties accompany the specification.
    lists: bool,
    /// The properties of the lists.
    listed: Vec<WireProperty>,
    /// The propositions of the lists.
    brought: Vec<WireProposition>,
    /// The variable that counts time, as it is written.
    ticks: Option<Text>,
    /// The clock, once a formula measures time.
    clock: Option<Clock>,
    /// What measures it.
    timers: Vec<Timer>,
    /// The values that formulas remember.
    remembered: Vec<Remembered>,
    /// The state machines of the lists.
    state_machines: Vec<WireMachine>,
    /// Those that code in the program follows.
    followed: Vec<(crate::followed::Followed, Text)>,
}

impl Reader {
    fn finish(mut self, spec: Option<Spec>) -> Result<Spec, Vec<Diagnostic>> {
        self.warnings.sort_by_key(|d| d.span.start);
        self.warnings.truncate(MAX_DIAGNOSTICS);
        match spec {
            Some(mut spec) if self.errors.is_empty() => {
                spec.warnings = self.warnings;
                Ok(spec)
            }
            _ => {
                self.errors.sort_by_key(|d| d.span.start);
                self.errors.truncate(MAX_DIAGNOSTICS);
                self.errors.append(&mut self.warnings);
                Err(self.errors)
            }
        }
    }

    fn error(&mut self, title: impl Into<String>, span: Range<usize>) {
        self.errors.push(Diagnostic::error(title, span));
    }

    /// Adds the propositions of a list; two lists may declare the same proposition.
    fn add_propositions(&mut self, propositions: Vec<WireProposition>) {
        for proposition in propositions {
            if self.brought.iter().all(|p| p.name != proposition.name) {
                self.brought.push(proposition);
            }
        }
    }

    /// Adds the properties of a list. If `numbered` (annotations and property files, which often
    /// use one name), a property with a taken name gets a number.
    fn add_listed(&mut self, mut properties: Vec<WireProperty>, numbered: bool) {
        for mut property in properties.drain(..) {
            if let (true, Some(name)) = (numbered, &property.name) {
                let taken = |name: &str| {
                    let mut all = self.listed.iter().filter_map(|p| p.name.as_deref());
                    all.any(|other| other == name)
                };
                let free = (1..).map(|n: usize| match n {
                    1 => name.to_string(),
                    n => format!("{name} {n}"),
                });
                let span = name.span();
                let steps = vec![(0, span.start)];
                let own = free.into_iter().find(|name| !taken(name));
                property.name = Some(Text::with_steps(own.unwrap_or_default(), span, steps));
            }
            self.listed.push(property);
        }
    }

    fn spec(&mut self, wire: &WireSpec) -> Spec {
        let brought = std::mem::take(&mut self.brought);
        match brought.is_empty() {
            true => self.propositions(&wire.pa),
            false => self.propositions(&[wire.pa.clone(), brought].concat()),
        }
        self.ticks = wire.clock.clone();
        let mut properties = self.properties(wire);
        properties.extend(self.machines());
        let mut spec = self.assemble(properties, &wire.alphabet);
        self.unused();
        spec.trace = wire
            .trace
            .as_ref()
            .map_or(Trace::Changes, |t| self.trace(t));
        spec.inputs = wire.inputs.iter().filter_map(|i| self.input(i)).collect();
        spec.discards.prune = wire.prune.iter().filter_map(|p| self.pattern(p)).collect();
        spec.reach = wire.reach.iter().filter_map(|r| self.reach(r)).collect();
        for assume in &wire.assume {
            let at = assume.at.as_ref().and_then(|at| self.label(at));
            let condition = assume.cond.as_ref().and_then(|cond| self.condition(cond));
            if let (Some(at), Some(condition)) = (at, condition) {
                let span = assume.span.clone();
                spec.discards.assume.push(Assumption {
                    at,
                    condition,
                    span,
                });
            }
        }
        spec.lasso = wire.lasso.as_ref().map(|lasso| Lasso {
            at: lasso.at.iter().filter_map(|at| self.label(at)).collect(),
            state: lasso
                .state
                .as_ref()
                .map(|s| s.iter().filter_map(|p| self.param(p)).collect()),
            span: lasso.span.clone(),
        });
        spec.machine = self.machine(wire);
        spec.unwind = wire.unwind.as_ref().and_then(|unwind| {
            let bound = u32::try_from(unwind.value).ok().filter(|&k| k > 0);
            if bound.is_none() {
                let title = format!("`unwind` must be from 1 to {}", u32::MAX);
                self.error(title, unwind.span.clone());
            }
            bound
        });
        spec
    }

    /// A specification with its formulas and propositions; the caller fills in the rest.
    fn assemble(&mut self, properties: Vec<Property>, alphabet: &[Text]) -> Spec {
        let alphabet = alphabet
            .iter()
            .filter_map(|text| self.constraint(text))
            .collect();
        // Monitors of each property are made in a copy.
        self.arena.settle();
        Spec {
            properties,
            alphabet,
            arena: self.arena.clone(),
            propositions: self.propositions.clone(),
            trace: Trace::Changes,
            inputs: Vec::new(),
            discards: Discards::default(),
            reach: Vec::new(),
            lasso: None,
            unwind: None,
            machine: Machine {
                remembered: self.remembered.clone(),
                ..Machine::default()
            },
            warnings: Vec::new(),
        }
    }

    fn properties(&mut self, wire: &WireSpec) -> Vec<Property> {
        let listed = std::mem::take(&mut self.listed);
        let list: &[WireProperty] = match (&wire.ltl, &wire.properties) {
            (Some(ltl), Some(list)) => {
                let error =
                    Diagnostic::error("`ltl` and `properties` exclude each other", ltl.span())
                        .secondary(list.span.clone(), "the properties are here")
                        .help("move the formula into `properties`");
                self.errors.push(error);
                &list.items
            }
            (None, Some(list)) => &list.items,
            (Some(_), None) if self.lists => &[WireProperty {
                name: wire.name.clone(),
                ltl: wire.ltl.clone(),
                expect: wire.expect.clone(),
                span: wire.ltl.as_ref().map_or(0..0, Text::span),
            }],
            (Some(_), None) => return self.single(wire),
            (None, None) if self.lists => &[],
            (None, None) => {
                // `ltl` may be present without being a string; that was reported before.
                if wire.reach.is_empty() && self.errors.is_empty() {
                    let title = "nothing to verify: `ltl`, `properties` and `reach` are missing";
                    self.error(title, wire.span.clone());
                }
                return Vec::new();
            }
        };
        for (key, text) in [("name", &wire.name), ("expect", &wire.expect)] {
            if let (Some(text), None) = (text, &wire.ltl) {
                let title = format!("`{key}` belongs into each of the `properties`");
                self.error(title, text.span());
            }
        }
        if list.is_empty() && wire.reach.is_empty() && !self.lists {
            let span = wire
                .properties
                .as_ref()
                .map_or(wire.span.clone(), |p| p.span.clone());
            self.error("nothing to verify: `properties` is empty", span);
        }
        let all: Vec<WireProperty> = list.iter().cloned().chain(listed).collect();
        self.named(&all)
    }

    fn single(&mut self, wire: &WireSpec) -> Vec<Property> {
        let name = match &wire.name {
            Some(name) => self.property_name(name).unwrap_or_default(),
            None => "ltl".to_owned(),
        };
        let span = wire.ltl.as_ref().map_or(0..0, Text::span);
        self.property(name, span, wire.ltl.as_ref(), wire.expect.as_ref())
            .into_iter()
            .collect()
    }

    fn named(&mut self, list: &[WireProperty]) -> Vec<Property> {
        let mut names: HashMap<String, Range<usize>> = HashMap::new();
        let mut properties = Vec::new();
        for (i, wire) in list.iter().enumerate() {
            let written = wire.name.as_ref().and_then(|name| self.property_name(name));
            let name = written.unwrap_or_else(|| format!("ltl{}", i + 1));
            let span = wire.name.as_ref().map_or(wire.span.clone(), Text::span);
            if let Some(before) = names.get(&name) {
                let title = format!("two properties are called `{}`", shorten(&name));
                let error = Diagnostic::error(title, span);
                self.errors
                    .push(error.secondary(before.clone(), "first here"));
            } else {
                names.insert(name.clone(), span);
            }
            let (ltl, expect) = (wire.ltl.as_ref(), wire.expect.as_ref());
            properties.extend(self.property(name, wire.span.clone(), ltl, expect));
        }
        properties
    }

    /// A property's name, if it can stand in a C string, on a command line and between colons.
    fn property_name(&mut self, name: &Text) -> Option<String> {
        let bad = name.char_indices().find(|(_, c)| {
            c.is_control() || matches!(c, '"' | '\\' | ':' | '\u{2028}' | '\u{2029}')
        });
        if let Some((at, c)) = bad {
            let title = format!(
                "the name of a property must not have `{}`",
                c.escape_debug()
            );
            self.error(title, name.span_of(at..at + c.len_utf8()));
        } else if name.trim().is_empty() || name.chars().count() > 100 {
            self.error(
                "the name of a property has from 1 to 100 characters",
                name.span(),
            );
        } else {
            return Some(name.to_string());
        }
        None
    }

    fn property(
        &mut self,
        name: String,
        span: Range<usize>,
        ltl: Option<&Text>,
        expect: Option<&Text>,
    ) -> Option<Property> {
        let expect = expect.and_then(|name| self.expectation(name));
        let text = ltl?;
        let parsed = self.formula(text)?;
        self.remember(&parsed, text)?;
        let root = self.without_times(parsed.root, text)?;
        Some(Property {
            name,
            text: text.clone(),
            root,
            span,
            expect,
        })
    }

    fn expectation(&mut self, name: &Text) -> Option<Expectation> {
        let expectation = Expectation::from_name(name);
        if expectation.is_none() {
            let names = Expectation::ALL.map(Expectation::name);
            self.not_one_of("`expect`", name, &names);
        }
        expectation
    }

    /// Reads a formula of `alphabet`.
    fn constraint(&mut self, text: &Text) -> Option<Formula> {
        let parsed = self.formula(text)?;
        let root = parsed.root;
        if let Some(remembered) = parsed.remembered.first() {
            let title = "a formula of `alphabet` remembers no value";
            self.error(title, text.span_of(remembered.span.clone()));
            return None;
        }
        if !self.arena.is_propositional(root) {
            let error = Diagnostic::error(
                "a formula of `alphabet` has a temporal operator",
                text.span(),
            )
            .help("it holds at every position anyway: leave the operator out");
            self.errors.push(error);
            return None;
        }
        Some(Formula {
            text: text.clone(),
            root,
        })
    }

    /// Adds a condition over the whole program as a proposition.
    fn whole_condition(&mut self, condition: Text, atom: AtomId, span: Range<usize>) {
        self.propositions.push(Proposition {
            name: format!("{{{condition}}}"),
            atom,
            name_span: span.clone(),
            default: false,
            area: Area::WholeProgram,
            evaluation: Evaluation::Condition(condition),
            instances: Instances::Any,
            span,
        });
    }

    fn formula(&mut self, text: &Text) -> Option<ParsedInto> {
        // Without declarations, nothing tells how to split names such as `Fp0`.
        let declared = (!self.formula_alone).then_some(&self.declared);
        let parsed = match ltl::parse_into(&mut self.arena, text, declared) {
            Ok(parsed) => parsed,
            Err(error) => {
                self.errors.push(formula_error(text, error));
                return None;
            }
        };
        self.warnings
            .extend(parsed.warnings.iter().map(|w| formula_warning(text, w)));
        let mut complained = HashSet::new();
        for (atom, span) in &parsed.occurrences {
            let new = self.used.insert(*atom);
            match self.arena.atoms().get(atom.0 as usize).cloned() {
                Some(Atom::Condition(_)) if new => self.brace_condition(text, *atom, span),
                Some(Atom::Name(name))
                    if !self.declared.contains(&name) && complained.insert(*atom) =>
                {
                    self.undeclared(&name, text.span_of(span.clone()));
                }
                _ => {}
            }
        }
        Some(parsed)
    }

    fn undeclared(&mut self, name: &str, span: Range<usize>) {
        let title = format!("the proposition `{}` is not declared", shorten(name));
        let mut error = Diagnostic::error(title, span);
        // The search is only worth its time for messages that will be shown.
        let near = (self.errors.len() < MAX_DIAGNOSTICS)
            .then(|| nearest(name, self.declared.iter().map(String::as_str)))
            .flatten();
        error.replacement = near.map(str::to_owned);
        error.help = Some(match near {
            Some(near) => format!("did you mean `{near}`?"),
            None if self.formula_alone && is_identifier(name) => {
                format!("write `{{{}}}` if it is a C condition", shorten(name))
            }
            None if self.formula_alone => "write a C condition in braces: `{x > 1}`".to_owned(),
            None => "declare it in `pa`, or write a C condition in braces: `{x > 1}`".to_owned(),
        });
        self.errors.push(error);
    }

    /// Adds a `{condition}` or `AP(condition)` of a formula as a proposition over the whole
    /// program.
    fn brace_condition(&mut self, formula: &Text, atom: AtomId, braces: &Range<usize>) {
        let text = formula.get(braces.clone()).unwrap_or_default();
        let open = text.find(['{', '(']).unwrap_or_default();
        let inside = braces.start + open + 1..braces.end.saturating_sub(1);
        let written = formula.get(inside.clone()).unwrap_or_default();
        let start = inside.start + (written.len() - written.trim_start().len());
        let condition = formula.part(start..start + written.trim().len());
        let span = formula.span_of(braces.clone());
        self.whole_condition(condition, atom, span);
    }

    fn not_one_of(&mut self, what: &str, text: &Text, choices: &[&str]) {
        let title = format!("{what} cannot be `{}`", shorten(text));
        let mut error = Diagnostic::error(title, text.span());
        let all = format!("it is one of `{}`", choices.join("`, `"));
        let near = nearest(text, choices.iter().copied());
        error.replacement = near.map(str::to_owned);
        error.help = Some(match near {
            Some(near) => format!("did you mean `{near}`? {all}"),
            None => all,
        });
        self.errors.push(error);
    }
}

/// The diagnostic for a syntax error in a formula.
pub fn formula_error(text: &Text, error: ParseError) -> Diagnostic {
    let mut span = text.span_of(error.span.clone());
    if span.is_empty() && text.is_empty() {
        span = text.span();
    }
    let mut diagnostic = Diagnostic::error(format!("not a formula: {error}"), span);
    diagnostic.help = error.help;
    if let Some(beside) = error.beside {
        diagnostic = diagnostic.secondary(text.span_of(beside.0), beside.1);
    }
    diagnostic
}

/// The diagnostic for a warning about a formula.
pub fn formula_warning(text: &Text, warning: &Warning) -> Diagnostic {
    let span = text.span_of(warning.span.clone());
    Diagnostic::warning(warning.to_string(), span).help(warning.help())
}
