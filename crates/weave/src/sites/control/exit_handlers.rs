//! Functions that the program registers to run at the end of the process (`atexit`, `at_quick_exit`). Model
//! checkers do not run them, so the emitted program keeps a list and runs it.

use crate::facts::Call;
use crate::items::{Function, Item, Signature, Variable};
use crate::layout::weaver::Weaver;
use crate::library::ends::{handlers, registrations, REGISTRARS};

/// The number of registrations that never fail by the C standard; the model lets further ones fail.
const MOST: usize = 32;

impl<'a> Weaver<'a> {
    /// Plans the calls that register handlers.
    pub fn plan_handlers(&mut self) {
        let facts = self.facts;
        for (registrar, _) in REGISTRARS {
            for call in registrations(facts, registrar) {
                let Some(handler) = call.argument_functions.first().copied().flatten() else {
                    // A native run registers it as usual; for model checkers it is refused.
                    continue;
                };
                let name = &facts.functions[handler].emitted;
                self.out.insertions.around(
                    call.callee_range,
                    call.depth,
                    0,
                    format!("ba_{registrar}_{name} /* "),
                    " */",
                );
            }
        }
    }

    /// The calls that register a handler without naming it, or one without a body in the program.
    pub(crate) fn unnamed_handlers(&self) -> Vec<(&'a Call, &'static str)> {
        let facts = self.facts;
        let each = REGISTRARS.iter().map(|(registrar, _)| *registrar);
        each.flat_map(|registrar| registrations(facts, registrar).map(move |c| (c, registrar)))
            .filter(|(c, _)| c.argument_functions.first().copied().flatten().is_none())
            .collect()
    }

    /// The text that ends the run where a function ends the process, or where `main` returns (`exit`). A native
    /// run takes the verdict after the handlers have run.
    pub(crate) fn ending(&self, exit: &str) -> String {
        let registrar = REGISTRARS.iter().find(|(_, runs)| *runs == exit);
        let Some(&(registrar, _)) = registrar else {
            return "ba_finish(); BA_OVER(); ".into();
        };
        let handled = !handlers(self.facts, registrar).is_empty();
        let registers = registrations(self.facts, registrar).next().is_some();
        let late = registers || exit == "quick_exit" || self.ends_late();
        match (handled, late) {
            (true, _) => format!("if (BA_MODEL) {{ ba_run_{registrar}(); ba_finish(); }} "),
            (false, true) => "if (BA_MODEL) ba_finish(); ".into(),
            (false, false) => "ba_finish(); ".into(),
        }
    }

    /// Declarations before the program.
    pub(crate) fn handler_prototypes(&self) -> Vec<Item> {
        let mut lines: Vec<Item> = Vec::new();
        for (registrar, _) in REGISTRARS {
            let list = handlers(self.facts, registrar);
            for &f in &list {
                let name = &self.facts.functions[f].emitted;
                lines.push(registering(registrar, name).into());
                lines.push(handling(registrar, name).into());
            }
            if !list.is_empty() {
                lines.push(running(registrar).into());
            }
        }
        lines
    }

    /// The functions after the program that register handlers and run them, last registered first.
    pub(crate) fn handler_functions(&self) -> Vec<Item> {
        let mut functions: Vec<Item> = Vec::new();
        for (registrar, runs) in REGISTRARS {
            let list = handlers(self.facts, registrar);
            if list.is_empty() {
                continue;
            }
            let sites = registrations(self.facts, registrar);
            let most = match registrations(self.facts, registrar).any(|c| self.may_come_again(c)) {
                true => MOST,
                false => sites.count(),
            };
            let mut cases = String::new();
            let list_of = Variable::new(format!("unsigned ba_registered_{registrar}"))
                .and(format!("ba_list_{registrar}[{most}]"));
            let mut register: Vec<Item> = vec![
                format!("/* The handlers that run at `{runs}`. */").into(),
                list_of.into(),
            ];
            for (number, &f) in list.iter().enumerate() {
                let function = &self.facts.functions[f];
                let name = &function.emitted;
                cases.push_str(&format!(
                    "case {number}: ba_handler_{registrar}_{name}(); break; "
                ));
                // It has a function of its own because it may be static in another file.
                let call = crate::facts::names::function(&function.name, f);
                let handle = Function::new(handling(registrar, name), format!("  {call}();\n"));
                functions.push(handle.into());
                let body = format!(
                    "#if BA_MODEL\n  (void)ba_handler;\n  if (ba_registered_{registrar} == {most}) return 1;\n  \
                     ba_list_{registrar}[ba_registered_{registrar}++] = {number};\n  return 0;\n\
                     #else\n  return {registrar}(ba_handler);\n#endif\n"
                );
                register.push(Function::new(registering(registrar, name), body).into());
            }
            functions.append(&mut register);
            let body = format!(
                "  for (unsigned ba_i = 0; ba_i < {most} && ba_registered_{registrar} > 0; ba_i++)\n    \
                 switch (ba_list_{registrar}[--ba_registered_{registrar}]) {{ {cases}}}\n"
            );
            functions.push(Function::new(running(registrar), body).into());
        }
        functions
    }

    fn may_come_again(&self, call: &Call) -> bool {
        call.repeated
            || self.analysis.threads.activations[call.function]
                == crate::analysis::threads::Count::Many
    }
}

/// The function that registers a handler.
fn registering(registrar: &str, handler: &str) -> Signature {
    Signature::new(format!(
        "int ba_{registrar}_{handler}(void (*ba_handler)(void))"
    ))
}

/// The function that runs one handler.
fn handling(registrar: &str, handler: &str) -> Signature {
    Signature::unused(format!("void ba_handler_{registrar}_{handler}(void)"))
}

/// The function that runs all handlers.
fn running(registrar: &str) -> Signature {
    Signature::unused(format!("void ba_run_{registrar}(void)"))
}
