//! Resolves the names in the specification's statements about the environment.

use spec::{Diagnostic, InputTarget, LabelPattern, Spec, Trace};

use crate::bind::condition;
use crate::bind::environment::{Assumption, Input, Reach, Receiver};
use crate::bind::resolve::Resolver;
use crate::bind::scope::{self, unknown, Scope, Wanted};
use crate::facts::{Lifetime, ObjectIndex, ENTRY};

impl Resolver<'_> {
    /// Resolves samples, discarded runs, inputs and labels to be reached.
    pub fn environment(&mut self, spec: &Spec) {
        if let Trace::Sample(labels) = &spec.trace {
            self.out.environment.sampled = true;
            for label in labels {
                match scope::label(self.facts, label) {
                    Ok(label) => self.out.environment.at.entry(label).or_default().sample = true,
                    Err(error) => self.errors.push(*error),
                }
            }
        }
        for pattern in &spec.discards.prune {
            for label in self.labels(pattern) {
                self.out.environment.at.entry(label).or_default().prune = true;
            }
        }
        for assumption in &spec.discards.assume {
            if let Err(error) = self.assumption(assumption) {
                self.errors.push(*error);
            }
        }
        for input in &spec.inputs {
            match self.receiver(&input.target) {
                Ok(receiver) => self.out.environment.inputs.push(Input {
                    receiver,
                    values: input.values.clone(),
                }),
                Err(error) => self.errors.push(*error),
            }
        }
        for wanted in &spec.reach {
            for label in self.labels(&wanted.at) {
                self.reach(spec, label, wanted);
            }
        }
    }

    /// The receiver of an input's values. Two inputs with one receiver are an error.
    fn receiver(&self, target: &InputTarget) -> Result<Receiver, Box<Diagnostic>> {
        let (receiver, span) = match target {
            InputTarget::Call(name) => {
                let mut called = self.facts.calls.iter().filter_map(|c| c.callee.as_deref());
                if !called.any(|callee| callee == &**name) {
                    let names = self.facts.calls.iter().filter_map(|c| c.callee.as_deref());
                    let mut error = unknown("call of", name, name.span(), names);
                    error.label = Some("nothing calls it by this name".into());
                    return Err(Box::new(error));
                }
                (Receiver::Call(name.to_string()), name.span())
            }
            InputTarget::Variable(param) => {
                if !param.path.is_empty() {
                    return Err(Box::new(
                        Diagnostic::error(
                            format!("`{param}` is a part of a variable"),
                            param.text.span(),
                        )
                        .help("a variable is an input as a whole"),
                    ));
                }
                (Receiver::Variable(self.variable(param)?), param.text.span())
            }
        };
        let known = self.out.environment.inputs.iter();
        if known.clone().any(|i| i.receiver == receiver) {
            return Err(Box::new(
                Diagnostic::error("this input is given twice", span)
                    .help("write all its values in one place"),
            ));
        }
        Ok(receiver)
    }

    /// The variable of an input; it may have any type.
    fn variable(&self, param: &spec::Param) -> Result<ObjectIndex, Box<Diagnostic>> {
        let wanted = Wanted {
            function: param.function.as_deref(),
            file: param.file.as_deref(),
            line: param.line,
            variable: &param.variable,
            span: param.text.span(),
        };
        let scope = Scope {
            function: None,
            offset: usize::MAX,
        };
        condition::object(&wanted, self.facts, scope)
    }

    /// The labels that a pattern matches. If there are none, an error is noted.
    fn labels(&mut self, pattern: &LabelPattern) -> Vec<usize> {
        let labels = &self.facts.labels;
        let function = |l: usize| self.facts.functions[labels[l].function].name.as_str();
        let found: Vec<usize> = (0..labels.len())
            .filter(|&l| pattern.matches(function(l), &labels[l].name))
            .filter(|&l| !labels[l].is_entry() || pattern.pattern == ENTRY)
            .collect();
        if found.is_empty() {
            let named = labels.iter().filter(|l| !l.is_entry());
            let names = named.map(|l| l.name.as_str());
            self.errors
                .push(match pattern.pattern.contains(['*', '?']) {
                    true => Diagnostic::error(
                        format!("the program has no label that `{}` matches", pattern.text),
                        pattern.text.span(),
                    )
                    .label("matches nothing"),
                    false => {
                        let error = unknown("label", &pattern.pattern, pattern.text.span(), names);
                        match labels.iter().find(|l| l.name == pattern.pattern) {
                            Some(l) => error.help(format!(
                                "the label of this name is in `{}`",
                                self.facts.functions[l.function].name
                            )),
                            None => error,
                        }
                    }
                });
        }
        found
    }

    fn assumption(&mut self, wanted: &spec::Assumption) -> Result<(), Box<Diagnostic>> {
        let label = scope::label(self.facts, &wanted.at)?;
        let function = self.facts.labels[label].function;
        let scope = Scope {
            function: Some(function),
            offset: self.facts.labels[label].after_colon,
        };
        let evaluated = self.condition(&wanted.condition, scope, false)?;
        let foreign = |&&o: &&ObjectIndex| matches!(self.facts.objects[o].lifetime, Lifetime::Local(f) | Lifetime::StaticLocal(f) if f != function);
        if let Some(&o) = evaluated.objects.iter().find(foreign) {
            let title = format!(
                "`{}` cannot be seen at the label `{}`",
                self.facts.objects[o].name, wanted.at.text
            );
            return Err(Box::new(
                Diagnostic::error(title, wanted.condition.span())
                    .label("a local of another function")
                    .help("assume it at a label of that function"),
            ));
        }
        let environment = &mut self.out.environment;
        let number = environment.assume.len();
        environment.assume.push(Assumption {
            text: wanted.condition.to_string(),
            evaluation: evaluated.pieces,
            functions: evaluated.functions,
            label,
        });
        environment.at.entry(label).or_default().assume.push(number);
        Ok(())
    }

    /// Adds a label to be reached. If several items name it, it is one property with the first expectation.
    fn reach(&mut self, spec: &Spec, label: usize, wanted: &spec::Reach) {
        let facts = self.facts;
        let environment = &mut self.out.environment;
        let at = environment.at.entry(label).or_default();
        if let Some(known) = at.reach {
            let expect = &mut environment.reach[known].expect;
            *expect = expect.or(wanted.expect);
            return;
        }
        let name = &facts.labels[label].name;
        let several = facts.labels.iter().filter(|l| l.name == *name).count() > 1;
        let name = match several {
            true => format!(
                "reach {name} in {}",
                facts.functions[facts.labels[label].function].name
            ),
            false => format!("reach {name}"),
        };
        if let Some(property) = spec.properties.iter().find(|p| p.name == name) {
            return self.errors.push(
                Diagnostic::error(
                    format!("`{name}` is also the name of a property"),
                    property.span.clone(),
                )
                .secondary(wanted.at.text.span(), "the label that is to be reached")
                .help("rename the property"),
            );
        }
        at.reach = Some(environment.reach.len());
        environment.reach.push(Reach {
            name,
            label,
            expect: wanted.expect,
        });
    }
}
