//! Functions of the C library under their compiler's names (`__builtin_`). Model checkers give most of these no
//! meaning, so for them the program calls the plain names.

use std::collections::BTreeSet;

use crate::items::Conditional;
use crate::layout::weaver::Weaver;
use crate::library;

impl Weaver<'_> {
    /// Plans the builtins that the program itself calls.
    pub(crate) fn plan_builtins(&mut self) {
        let called =
            library::calls(self.facts).filter_map(|(_, name)| name.strip_prefix("__builtin_"));
        let called: BTreeSet<&str> = called.collect();
        for name in called {
            if prototype(name).is_some() {
                self.use_builtin(name);
            }
        }
        for lines in &self.facts.adapted {
            let lines = lines.iter().map(|line| line.as_str().into()).collect();
            self.out.global(Conditional::when("#if BA_MODEL", lines));
        }
    }

    /// Returns the name of a builtin for emitted code, and declares its plain name for model checkers.
    pub(crate) fn use_builtin(&mut self, name: &str) -> String {
        let builtin = format!("__builtin_{name}");
        let own = self.facts.functions.iter().any(|f| f.name == name);
        if let (Some(prototype), false) = (prototype(name), own) {
            let named = format!("#define {builtin} {name}");
            let model = &self.program.code.tree().types.model;
            // The table has the types of LP64.
            let prototype = prototype.replace("unsigned long", model.size_type().spelling());
            let declared = vec![prototype.into(), named.into()];
            const CHECKED: &str = "#if defined __CPROVER__ || defined BA_ESBMC";
            let item = Conditional::when(CHECKED, declared).into();
            if !self.out.globals.contains(&item) {
                self.out.global(item);
            }
        }
        builtin
    }
}

/// The prototype of a function that model checkers know only by its plain name.
fn prototype(name: &str) -> Option<&'static str> {
    library::function(name)?.prototype
}
