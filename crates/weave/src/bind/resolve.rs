//! Resolves the names of a specification to the objects, functions and labels of a program.

use std::collections::BTreeSet;

use cfront::span::FunctionId;
use spec::{Access, Area as SpecArea, Diagnostic, Evaluation, Param, Spec, Text};

use crate::bind::code::Code;
use crate::bind::condition::{self, Condition, Given};
use crate::bind::environment::Environment;
use crate::bind::expression::{Mode, Piece, Region};
use crate::bind::propositions::{Area, Extent, Proposition};
use crate::bind::scope::{label, unknown, Scope, Wanted};
use crate::bind::timers::Timers;
use crate::facts::names::{self, Unique};
use crate::facts::{Facts, FunctionIndex, ObjectIndex};

/// The specification with every name resolved: the result of the room `bind`.
#[derive(Debug, Default)]
pub struct Bound {
    /// The areas.
    pub areas: Vec<Area>,
    /// The propositions, in the order of the specification's.
    pub propositions: Vec<Proposition>,
    /// For each function, whether an evaluation calls it. Evaluations are no part of the run, so loops of such
    /// a function are not cut.
    pub evaluating: Vec<bool>,
    /// Samples, inputs, discarded runs, labels to be reached.
    pub environment: Environment,
    /// What measures time, and counts letters, for formulas.
    pub timers: Timers,
}

/// Resolves a specification against a program.
///
/// # Errors
/// Every name with no meaning, or with several, at its place in the specification.
pub fn resolve(spec: &Spec, facts: &Facts, code: &Code) -> Result<Bound, Vec<Diagnostic>> {
    let mut resolver = Resolver {
        facts,
        code,
        out: Bound::default(),
        evaluating: BTreeSet::new(),
        errors: Vec::new(),
        names: Unique::default(),
        sampled: matches!(spec.trace, spec::Trace::Sample(_)),
        given: Vec::new(),
    };
    let used: Vec<Vec<ltl::AtomId>> = spec
        .properties
        .iter()
        .map(|p| spec.atoms_behind(p.root))
        .collect();
    resolver.given(spec);
    for proposition in &spec.propositions {
        let by = |p: &usize| used[*p].contains(&proposition.atom);
        let read = spec.machine.read_by(proposition.atom);
        let read: Vec<String> = read.map(|r| r.name.clone()).collect();
        resolver.proposition(proposition, &read, (0..used.len()).filter(by).collect());
    }
    resolver.environment(spec);
    if resolver.errors.is_empty() {
        match Timers::of(spec, &resolver.out.propositions, &resolver.given) {
            Ok(timers) => resolver.out.timers = timers,
            Err(error) => resolver.errors.push(*error),
        }
    }
    if resolver.errors.is_empty() {
        let functions = facts.functions.iter();
        let evaluating = &resolver.evaluating;
        resolver.out.evaluating = functions.map(|f| evaluating.contains(&f.id)).collect();
        Ok(resolver.out)
    } else {
        Err(resolver.errors)
    }
}

pub(crate) struct Resolver<'a> {
    pub facts: &'a Facts,
    pub code: &'a Code,
    pub out: Bound,
    evaluating: BTreeSet<FunctionId>,
    pub errors: Vec<Diagnostic>,
    names: Unique,
    sampled: bool,
    /// The values that formulas remember, in the specification's order.
    pub given: Vec<Given>,
}

impl Resolver<'_> {
    fn proposition(&mut self, wanted: &spec::Proposition, read: &[String], used_by: Vec<usize>) {
        let number = self.out.propositions.len();
        let identifier = self.names.name(&wanted.name, "p");
        let area = match self.area(&wanted.area, &identifier, number) {
            Ok(area) => area,
            Err(error) => return self.errors.push(*error),
        };
        let scope = self.scope_of(area);
        let evaluated = match &wanted.evaluation {
            Evaluation::Function { name, params } => self.call(name, params, scope, wanted.default),
            Evaluation::Condition(text) if !read.is_empty() => self.comparison(text, read, scope),
            Evaluation::Condition(text) => condition::refuse_constant(text, self.facts)
                .and_then(|()| self.condition(text, scope, wanted.default)),
            // The timer writes the variable itself.
            Evaluation::Timer => Ok(Evaluated::of_itself(match self.sampled {
                true => names::letter(&identifier),
                false => names::value(&identifier),
            })),
        };
        match evaluated {
            Err(error) => self.errors.push(*error),
            Ok(evaluated) => {
                let description = describe(wanted);
                self.out.propositions.push(Proposition {
                    name: wanted.name.clone(),
                    identifier,
                    default: wanted.default,
                    area,
                    objects: evaluated.objects,
                    regions: evaluated.regions,
                    always: evaluated
                        .always
                        .filter(|&value| area.is_none() || value == wanted.default),
                    evaluation: evaluated.pieces,
                    functions: evaluated.functions,
                    description,
                    used_by,
                    instances: wanted.instances,
                });
            }
        }
    }

    fn scope_of(&self, area: Option<usize>) -> Scope {
        let Some(area) = area.and_then(|a| self.out.areas.get(a)) else {
            return Scope {
                function: None,
                offset: usize::MAX,
            };
        };
        let offset = match area.extent {
            Extent::Labels { entry, .. } | Extent::At(entry) => {
                self.facts.labels[entry].after_colon
            }
            Extent::Function => self.facts.functions[area.function].body.start + 1,
        };
        Scope {
            function: Some(area.function),
            offset,
        }
    }

    fn area(
        &mut self,
        wanted: &SpecArea,
        name: &str,
        proposition: usize,
    ) -> Result<Option<usize>, Box<Diagnostic>> {
        let (function, extent) = match wanted {
            SpecArea::WholeProgram => return Ok(None),
            SpecArea::Labels { entry, exit } => {
                let (first, second) = (label(self.facts, entry)?, label(self.facts, exit)?);
                let (f, g) = (
                    self.facts.labels[first].function,
                    self.facts.labels[second].function,
                );
                if f != g {
                    return Err(Box::new(
                        Diagnostic::error(
                            format!(
                                "`{}` is in `{}` but `{}` is in `{}`",
                                entry.name,
                                self.facts.functions[f].name,
                                exit.name,
                                self.facts.functions[g].name
                            ),
                            exit.text.span(),
                        )
                        .label("a label of another function")
                        .help("both labels of an area have to be in one function"),
                    ));
                }
                if first == second {
                    return Err(Box::new(
                        Diagnostic::error("an area needs two different labels", exit.text.span())
                            .help(
                            "for the single position of a label write \"at\" instead of \"span\"",
                        ),
                    ));
                }
                (
                    f,
                    Extent::Labels {
                        entry: first,
                        exit: second,
                    },
                )
            }
            SpecArea::At(at) => {
                let label = label(self.facts, at)?;
                (self.facts.labels[label].function, Extent::At(label))
            }
            SpecArea::Function(name) => (self.function(name)?, Extent::Function),
        };
        if let Some(known) = self
            .out
            .areas
            .iter()
            .position(|a| a.function == function && a.extent == extent)
        {
            self.out.areas[known].propositions.push(proposition);
            return Ok(Some(known));
        }
        self.out.areas.push(Area {
            name: name.to_string(),
            function,
            extent,
            propositions: vec![proposition],
        });
        Ok(Some(self.out.areas.len() - 1))
    }

    fn function(&self, name: &Text) -> Result<FunctionIndex, Box<Diagnostic>> {
        let functions = self.facts.functions.iter();
        let mut named = (0..).zip(functions).filter(|(_, f)| f.name == **name);
        match (named.next(), named.next()) {
            (Some((one, _)), None) => Ok(one),
            (Some(_), Some(_)) => Err(Box::new(
                Diagnostic::error(
                    format!("several files have a function `{name}`"),
                    name.span(),
                )
                .label("which one is meant?")
                .help("give the function a name of its own"),
            )),
            _ => {
                let names = self.facts.functions.iter().map(|f| f.name.as_str());
                Err(Box::new(unknown("function", name, name.span(), names)))
            }
        }
    }

    /// An evaluation function with its arguments.
    fn call(
        &mut self,
        name: &Text,
        params: &[Param],
        scope: Scope,
        default: bool,
    ) -> Result<Evaluated, Box<Diagnostic>> {
        let function = self.function(name)?;
        let has = self.facts.functions[function].parameters;
        if has != Some(params.len()) {
            let takes = crate::bind::numbers::parameters(has);
            return Err(Box::new(
                Diagnostic::error(
                    format!(
                        "`{name}` takes {takes}, and \"params\" has {}",
                        params.len()
                    ),
                    name.span(),
                )
                .label("wrong number of parameters"),
            ));
        }
        let mut condition = Condition::default();
        condition.functions.push((function, name.span()));
        condition.push(name, name.span());
        condition.push("(", name.span());
        for (i, param) in params.iter().enumerate() {
            if i > 0 {
                condition.push(", ", param.text.span());
            }
            self.parameter(param, scope, &mut condition)?;
        }
        condition.push(")", name.span());
        let mode = Mode {
            default,
            lenient: true,
        };
        self.evaluated(&condition, scope, mode)
    }

    /// Parses an expression whose names are resolved, and finds the memory that it depends on.
    pub(crate) fn evaluated(
        &mut self,
        condition: &Condition,
        scope: Scope,
        mode: Mode,
    ) -> Result<Evaluated, Box<Diagnostic>> {
        let mut functions = BTreeSet::new();
        for (function, span) in &condition.functions {
            let name = Text::plain(&self.facts.functions[*function].name, span.start);
            let pure = self.pure(*function, &name);
            functions.extend(pure.map_err(|mut error| {
                error.span = span.clone();
                error
            })?);
        }
        self.evaluating.extend(&functions);
        let at = scope.function.map(|_| scope.offset);
        let read = self
            .code
            .expression(
                &condition.plain,
                (&condition.names, &condition.stands),
                at,
                mode,
            )
            .map_err(|fault| {
                let span = condition.origin(&(fault.span.start..fault.span.end));
                let error = Diagnostic::error(fault.message, span);
                Box::new(match fault.help {
                    Some(help) => error.help(help),
                    None => error,
                })
            })?;
        let mut regions = read.regions;
        regions.extend(self.code.read_by(&functions));
        let leaves = read.pieces.iter().filter_map(|piece| match piece {
            Piece::Leaf(leaf) => Some(leaf.object),
            Piece::Text(_) => None,
        });
        let objects: BTreeSet<ObjectIndex> = leaves
            .chain(regions.iter().filter_map(|r| r.place.root))
            .collect();
        let functions: BTreeSet<FunctionIndex> =
            condition.functions.iter().map(|(f, _)| *f).collect();
        Ok(Evaluated {
            pieces: read.pieces,
            functions: functions.into_iter().collect(),
            objects: objects.into_iter().collect(),
            regions,
            always: read.always,
            value_type: read.value_type,
        })
    }

    /// The function and those that it calls; an error if one of them has effects.
    fn pure(
        &self,
        function: FunctionIndex,
        name: &Text,
    ) -> Result<BTreeSet<FunctionId>, Box<Diagnostic>> {
        let refuse = |what: String| {
            Box::new(
                Diagnostic::error(format!("`{name}` cannot evaluate a proposition: {what}"), name.span())
                    .help("an evaluation function has no effects: it computes a value from its parameters and from globals"),
            )
        };
        let (mut todo, mut done) = (vec![function], BTreeSet::new());
        if self.facts.functions[function].returns_void {
            return Err(refuse("it returns nothing".into()));
        }
        while let Some(f) = todo.pop() {
            if !done.insert(f) {
                continue;
            }
            let code = &self.facts.functions[f];
            if code.writes_outside.is_some() {
                return Err(refuse(format!("`{}` has side effects", code.name)));
            }
            for call in self.facts.calls.iter().filter(|c| c.function == f) {
                match (call.target, &call.callee) {
                    (Some(target), _) => todo.push(target),
                    (None, Some(unknown)) => {
                        return Err(refuse(format!(
                            "`{}` calls `{unknown}`, whose effects are unknown",
                            code.name
                        )))
                    }
                    (None, None) => {
                        return Err(refuse(format!("`{}` calls through a pointer", code.name)))
                    }
                }
            }
        }
        let id = |f: FunctionIndex| self.facts.functions[f].id;
        Ok(done.into_iter().map(id).collect())
    }

    /// Reads a condition. Its value is `default` if it would dereference a null pointer.
    pub fn condition(
        &mut self,
        text: &Text,
        scope: Scope,
        default: bool,
    ) -> Result<Evaluated, Box<Diagnostic>> {
        let mode = Mode {
            default,
            lenient: false,
        };
        self.evaluated(&condition::read(text, &[], self.facts, scope)?, scope, mode)
    }

    /// Appends the C text of a parameter.
    fn parameter(
        &self,
        param: &Param,
        scope: Scope,
        out: &mut Condition,
    ) -> Result<(), Box<Diagnostic>> {
        let span = param.text.span();
        let wanted = Wanted {
            function: param.function.as_deref(),
            file: param.file.as_deref(),
            line: param.line,
            variable: &param.variable,
            span: span.clone(),
        };
        let derefs = param.path.iter().filter(|a| **a == Access::Deref).count();
        out.push(&"*".repeat(derefs), span.clone());
        let object = condition::object(&wanted, self.facts, scope)?;
        out.push_object(object, self.facts, span.clone());
        for access in &param.path {
            match access {
                Access::Field(name) => out.push(&format!(".{name}"), span.clone()),
                Access::Arrow(name) => out.push(&format!("->{name}"), span.clone()),
                Access::Index(index) => out.push(&format!("[{index}]"), span.clone()),
                Access::IndexName(name) => {
                    out.push("[", span.clone());
                    condition::index(name, &wanted, self.facts, scope, out)?;
                    out.push("]", span.clone());
                }
                Access::Deref => {}
            }
        }
        Ok(())
    }
}

/// An evaluation with the memory that it depends on.
pub(crate) struct Evaluated {
    /// Its text.
    pub pieces: Vec<Piece>,
    pub functions: Vec<FunctionIndex>,
    /// The named objects that it reads.
    pub objects: Vec<ObjectIndex>,
    /// The memory that it reads.
    pub regions: Vec<Region>,
    /// The truth value that it always has because of its C types.
    pub always: Option<bool>,
    /// The C type of its value, if it is a scalar.
    pub value_type: Option<String>,
}

impl Evaluated {
    /// A variable of the tool's that reads nothing of the program.
    fn of_itself(variable: String) -> Evaluated {
        Evaluated {
            pieces: vec![Piece::Text(variable)],
            functions: Vec::new(),
            objects: Vec::new(),
            regions: Vec::new(),
            always: None,
            value_type: None,
        }
    }
}

fn describe(proposition: &spec::Proposition) -> String {
    let value = match &proposition.evaluation {
        Evaluation::Function { name, params } => {
            let params: Vec<String> = params.iter().map(|p| p.to_string()).collect();
            format!("{name}({})", params.join(", "))
        }
        Evaluation::Condition(text) => text.to_string(),
        Evaluation::Timer => proposition.name.clone(),
    };
    let default = proposition.default;
    let text = match &proposition.area {
        SpecArea::WholeProgram => value,
        SpecArea::Labels { entry, exit } => {
            format!(
                "{value} from {} to {}, else {default}",
                entry.text, exit.text
            )
        }
        SpecArea::At(label) => format!("{value} at {}, else {default}", label.text),
        SpecArea::Function(name) => format!("{value} in {name}, else {default}"),
    };
    text.replace("*/", "* /").replace(['\n', '\r'], " ")
}
