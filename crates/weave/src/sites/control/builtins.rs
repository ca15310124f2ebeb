//! Functions of the C library under the names that the compiler has for them: CBMC gives most of
//! them no meaning, so there they are called by their plain names.

use crate::layout::weaver::Weaver;
use crate::library;

/// The functions that CBMC knows by their plain names alone, with their prototypes.
const PLAIN: [(&str, &str); 11] = [
    ("malloc", "void *malloc(unsigned long);"),
    (
        "memcmp",
        "int memcmp(const void *, const void *, unsigned long);",
    ),
    (
        "memcpy",
        "void *memcpy(void *, const void *, unsigned long);",
    ),
    (
        "memmove",
        "void *memmove(void *, const void *, unsigned long);",
    ),
    ("strcat", "char *strcat(char *, const char *);"),
    ("strchr", "char *strchr(const char *, int);"),
    ("strcmp", "int strcmp(const char *, const char *);"),
    ("strcpy", "char *strcpy(char *, const char *);"),
    ("strlen", "unsigned long strlen(const char *);"),
    (
        "strncmp",
        "int strncmp(const char *, const char *, unsigned long);",
    ),
    (
        "strncpy",
        "char *strncpy(char *, const char *, unsigned long);",
    ),
];

impl Weaver<'_> {
    /// Plans the builtins that the program calls itself.
    pub(crate) fn plan_builtins(&mut self) {
        let called =
            library::calls(self.facts).filter_map(|(_, name)| name.strip_prefix("__builtin_"));
        let called: Vec<&str> = called.collect();
        for (name, _) in PLAIN {
            if called.contains(&name) {
                self.builtin(name);
            }
        }
    }

    /// A builtin for emitted code.
    pub(crate) fn builtin(&mut self, name: &str) -> String {
        let builtin = format!("__builtin_{name}");
        let own = self.facts.functions.iter().any(|f| f.name == name);
        let known = PLAIN.iter().find(|(plain, _)| *plain == name);
        if let (Some((_, prototype)), false) = (known, own) {
            let text =
                format!("#if defined __CPROVER__\n{prototype}\n#define {builtin} {name}\n#endif");
            if !self.out.globals.contains(&text) {
                self.out.globals.push(text);
            }
        }
        builtin
    }
}
