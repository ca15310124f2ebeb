//! Resolves the values that formulas remember, and the conditions that compare them.

use spec::{Diagnostic, Spec, Text};

use crate::bind::condition::{self, Given};
use crate::bind::expression::Mode;
use crate::bind::remembered::variable;
use crate::bind::resolve::{Evaluated, Resolver};
use crate::bind::scope::Scope;

impl Resolver<'_> {
    /// The types of all values that are remembered.
    pub(super) fn given(&mut self, spec: &Spec) {
        for (number, remembered) in spec.machine.remembered.iter().enumerate() {
            match self.type_of(&remembered.value) {
                Ok(ty) => self.given.push(Given {
                    name: remembered.name.clone(),
                    variable: variable(number),
                    ty,
                }),
                Err(error) => self.errors.push(*error),
            }
        }
    }

    fn type_of(&mut self, value: &Text) -> Result<String, Box<Diagnostic>> {
        let everywhere = Scope {
            function: None,
            offset: usize::MAX,
        };
        let read = self.condition(value, everywhere, false)?;
        read.value_type.ok_or_else(|| {
            let title = format!("`{value}` is no number or pointer, and cannot be remembered");
            let error = Diagnostic::error(title, value.span());
            Box::new(error.help("remember a member or an element of it"))
        })
    }

    /// A condition that reads remembered values.
    pub(super) fn comparison(
        &mut self,
        text: &Text,
        read: &[String],
        scope: Scope,
    ) -> Result<Evaluated, Box<Diagnostic>> {
        let given = self.given.iter().filter(|g| read.contains(&g.name));
        let given: Vec<Given> = given.cloned().collect();
        let mode = Mode {
            default: false,
            lenient: false,
        };
        let condition = condition::read(text, &given, self.facts, scope)?;
        self.evaluated(&condition, scope, mode)
    }
}
