//! From the specification's names to the program's things.

use std::collections::BTreeSet;
use std::ops::Range as Span;

use spec::{Area as SpecArea, Diagnostic, Evaluation, Param, Spec, Text};

use crate::condition;
use crate::effects::Region;
use crate::environment::Environment;
use crate::facts::{Facts, FunctionIndex, ObjectIndex};
use crate::names::{user, Unique};
use crate::weaver::{Area, Extent, Piece, Proposition};

/// Areas and propositions with every name resolved.
#[derive(Debug, Default)]
pub struct Resolved {
    /// The areas.
    pub areas: Vec<Area>,
    /// The propositions, in the order of the specification's.
    pub propositions: Vec<Proposition>,
    /// The user's macros that conditions use, as `#define` lines.
    pub macros: Vec<String>,
    /// Samples, inputs, discarded runs, labels to be reached.
    pub environment: Environment,
}

/// Resolves a specification against a program.
///
/// # Errors
/// Every name that means nothing, or more than one thing, at its place in the specification.
pub fn resolve(spec: &Spec, facts: &Facts) -> Result<Resolved, Vec<Diagnostic>> {
    let mut resolver = Resolver {
        facts,
        out: Resolved::default(),
        errors: Vec::new(),
        names: Unique::default(),
    };
    let used: Vec<Vec<ltl::AtomId>> = spec
        .properties
        .iter()
        .map(|p| spec.arena.atoms_of(p.root))
        .collect();
    for proposition in &spec.propositions {
        let by = |p: &usize| used[*p].contains(&proposition.atom);
        resolver.proposition(proposition, (0..used.len()).filter(by).collect());
    }
    resolver.environment(spec);
    if resolver.errors.is_empty() {
        Ok(resolver.out)
    } else {
        Err(resolver.errors)
    }
}

/// Where names of parameters are looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope {
    /// The function of the area, if there is one.
    pub function: Option<FunctionIndex>,
    /// The entry of the area.
    pub offset: usize,
}

pub(crate) struct Resolver<'a> {
    pub facts: &'a Facts,
    pub out: Resolved,
    pub errors: Vec<Diagnostic>,
    names: Unique,
}

impl Resolver<'_> {
    fn proposition(&mut self, wanted: &spec::Proposition, used_by: Vec<usize>) {
        let number = self.out.propositions.len();
        let identifier = self.names.name(&wanted.name, "p");
        let area = match self.area(&wanted.area, &identifier, number) {
            Ok(area) => area,
            Err(error) => return self.errors.push(*error),
        };
        if wanted.instances != spec::Instances::Any {
            self.errors.push(
                Diagnostic::error(
                    "`instances` other than `any` is not supported yet",
                    wanted.span.clone(),
                )
                .help("leave it out, or use a function that only one thread runs"),
            );
        }
        let scope = self.scope_of(area);
        let evaluated = match &wanted.evaluation {
            Evaluation::Function { name, params } => self.call(name, params, scope),
            Evaluation::Condition(text) => self.condition(text, scope),
        };
        match evaluated {
            Err(error) => self.errors.push(*error),
            Ok((evaluation, objects)) => {
                let description = describe(wanted);
                let regions = objects.iter().map(|&o| Region::object(o)).collect();
                self.out.propositions.push(Proposition {
                    name: wanted.name.clone(),
                    identifier,
                    default: wanted.default,
                    area,
                    objects,
                    regions,
                    evaluation,
                    description,
                    used_by,
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
                let (first, second) = (self.label(entry)?, self.label(exit)?);
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
            SpecArea::At(label) => {
                let label = self.label(label)?;
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
            static_flags: false,
        });
        Ok(Some(self.out.areas.len() - 1))
    }

    pub fn label(&self, wanted: &spec::Label) -> Result<usize, Box<Diagnostic>> {
        let of_function = |l: &usize| match &wanted.function {
            Some(f) => self.facts.functions[self.facts.labels[*l].function].name == *f,
            None => true,
        };
        let found: Vec<usize> = (0..self.facts.labels.len())
            .filter(|&l| self.facts.labels[l].name == wanted.name)
            .filter(of_function)
            .collect();
        match found[..] {
            [one] => Ok(one),
            [] => {
                let names = self.facts.labels.iter().map(|l| l.name.as_str());
                Err(Box::new(unknown(
                    "label",
                    &wanted.name,
                    wanted.text.span(),
                    names,
                )))
            }
            _ => {
                let functions: Vec<String> = found
                    .iter()
                    .map(|&l| {
                        format!(
                            "`{}`",
                            self.facts.functions[self.facts.labels[l].function].name
                        )
                    })
                    .collect();
                Err(Box::new(
                    Diagnostic::error(
                        format!(
                            "the label `{}` is in {}",
                            wanted.name,
                            functions.join(" and in ")
                        ),
                        wanted.text.span(),
                    )
                    .label("which one is meant?")
                    .help(format!("write `function::{}`", wanted.name)),
                ))
            }
        }
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
    fn call(&self, name: &Text, params: &[Param], scope: Scope) -> Evaluated {
        let function = self.function(name)?;
        let has = self.facts.functions[function].parameters;
        if has != Some(params.len()) {
            let takes = condition::parameters(has);
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
        let mut objects = self.pure(function, name)?;
        let mut evaluation = vec![Piece::Text(format!("{}(", user(name)))];
        for (i, param) in params.iter().enumerate() {
            let object = self.parameter(param, scope)?;
            if i > 0 {
                evaluation.push(Piece::Text(", ".into()));
            }
            evaluation.push(Piece::Object(object));
            objects.insert(object);
        }
        evaluation.push(Piece::Text(")".into()));
        Ok((evaluation, objects.into_iter().collect()))
    }

    /// Refuses a function with effects; else the globals that it and its callees read.
    fn pure(
        &self,
        function: FunctionIndex,
        name: &Text,
    ) -> Result<BTreeSet<ObjectIndex>, Box<Diagnostic>> {
        let refuse = |what: String| {
            Box::new(
                Diagnostic::error(format!("`{name}` cannot evaluate a proposition: {what}"), name.span())
                    .help("an evaluation function has no effects: it computes a value from its parameters and from globals"),
            )
        };
        let (mut todo, mut done, mut objects) = (vec![function], BTreeSet::new(), BTreeSet::new());
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
            if code.indirect.is_some() {
                return Err(refuse(format!("`{}` reads through a pointer, an array or a structure, which is not supported yet", code.name)));
            }
            objects.extend(code.reads.iter().copied());
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
        Ok(objects)
    }

    pub fn condition(&mut self, text: &Text, scope: Scope) -> Evaluated {
        let parsed = condition::read(text, self.facts, scope)?;
        for line in parsed.macros {
            if !self.out.macros.contains(&line) {
                self.out.macros.push(line);
            }
        }
        let mut objects: BTreeSet<ObjectIndex> = parsed.objects;
        for (function, span) in parsed.functions {
            let name = Text::plain(&self.facts.functions[function].name, span.start);
            objects.extend(self.pure(function, &name)?);
        }
        Ok((parsed.pieces, objects.into_iter().collect()))
    }

    fn parameter(&self, param: &Param, scope: Scope) -> Result<ObjectIndex, Box<Diagnostic>> {
        if !param.path.is_empty() {
            return Err(Box::new(
                Diagnostic::error(
                    format!("`{param}` is a part of an object, which is not supported yet"),
                    param.text.span(),
                )
                .help("name a scalar variable"),
            ));
        }
        let wanted = condition::Wanted {
            function: param.function.as_deref(),
            file: param.file.as_deref(),
            line: param.line,
            variable: &param.variable,
            span: param.text.span(),
        };
        condition::object(&wanted, self.facts, scope)
    }
}

/// An evaluation's text with the objects that it depends on.
pub(crate) type Evaluated = Result<(Vec<Piece>, Vec<ObjectIndex>), Box<Diagnostic>>;

/// The error for a name that means nothing, with the nearest one that does.
pub(crate) fn unknown<'a>(
    what: &str,
    name: &str,
    span: Span<usize>,
    names: impl Iterator<Item = &'a str>,
) -> Diagnostic {
    let error = Diagnostic::error(format!("the program has no {what} `{name}`"), span)
        .label(format!("unknown {what}"));
    let nearest = names
        .map(|n| (strsim::osa_distance(n, name), n))
        .filter(|(distance, n)| *distance <= 1 + n.len() / 4 && *distance < n.len().max(name.len()))
        .min();
    match nearest {
        Some((_, nearest)) => error.help(format!("did you mean `{nearest}`?")),
        None => error,
    }
}

fn describe(proposition: &spec::Proposition) -> String {
    let value = match &proposition.evaluation {
        Evaluation::Function { name, params } => {
            let params: Vec<String> = params.iter().map(|p| p.to_string()).collect();
            format!("{name}({})", params.join(", "))
        }
        Evaluation::Condition(text) => text.to_string(),
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
