//! Functions of the C library under the names that the compiler has for them: model checkers
//! give most of them no meaning, so there they are called by their plain names.

use std::collections::BTreeSet;

use crate::items::Conditional;
use crate::layout::weaver::Weaver;
use crate::library;

impl Weaver<'_> {
    /// Plans the builtins that the program calls itself.
    pub(crate) fn plan_builtins(&mut self) {
        let called =
            library::calls(self.facts).filter_map(|(_, name)| name.strip_prefix("__builtin_"));
        let called: BTreeSet<&str> = called.collect();
        for name in called {
            if prototype(name).is_some() {
                self.use_builtin(name);
            }
        }
    }

    /// A builtin for emitted code.
    pub(crate) fn use_builtin(&mut self, name: &str) -> String {
        let builtin = format!("__builtin_{name}");
        let own = self.facts.functions.iter().any(|f| f.name == name);
        if let (Some(prototype), false) = (prototype(name), own) {
            let named = format!("#define {builtin} {name}");
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

/// The prototype of a function that model checkers know by its plain name alone.
fn prototype(name: &str) -> Option<&'static str> {
    library::function(name)?.prototype
}
