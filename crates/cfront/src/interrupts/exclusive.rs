//! Exclusive accesses of Cortex-M, and the number of the exception that runs.
//!
//! A store by `__STREXW` fails if the monitor is open: there was no load by `__LDREXW` before, another such store has
//! closed it, or a handler began or ended since (ARMv7-M Architecture Reference Manual, A3.4 and B1.5.6). `__get_IPSR` is 0
//! outside of handlers.

use crate::parse::Unit;
use crate::source::Source;
use crate::tree::{Function, Tree};
use crate::types::QualType;

use super::{priority, Handler, Interrupts, Weaver};

/// What a load does; `ADDRESS` is the parameter.
const LOAD: &str = "__VERIFIER_atomic_begin(); interrupts__exclusive = 1; unsigned int interrupts__loaded = *ADDRESS; __VERIFIER_atomic_end(); return interrupts__loaded;";

/// What a store does; `VALUE` is the other parameter.
const STORE: &str = "unsigned int interrupts__failed = 1; __VERIFIER_atomic_begin(); if (interrupts__exclusive) { *ADDRESS = VALUE; interrupts__failed = 0; } interrupts__exclusive = 0; __VERIFIER_atomic_end(); return interrupts__failed;";

/// The functions of CMSIS, each with its body.
const FUNCTIONS: [(&str, &str); 7] = [
    ("__LDREXB", LOAD),
    ("__LDREXH", LOAD),
    ("__LDREXW", LOAD),
    ("__STREXB", STORE),
    ("__STREXH", STORE),
    ("__STREXW", STORE),
    ("__CLREX", "interrupts__exclusive = 0;"),
];

/// The function that gives the number of the exception that runs, with its body.
const NUMBER: (&str, &str) = ("__get_IPSR", "return interrupts__number;");

/// What the functions need in front of them.
const DECLARED: &str = "static unsigned char interrupts__exclusive; extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); ";
const DECLARED_NUMBER: &str = "static unsigned short interrupts__number; ";

/// A text without sections of one step, for programs that nothing interrupts.
fn without_sections(text: &str) -> String {
    let mut text = text.to_owned();
    for part in [
        "extern void __VERIFIER_atomic_begin(void); ",
        "extern void __VERIFIER_atomic_end(void); ",
        "__VERIFIER_atomic_begin(); ",
        "__VERIFIER_atomic_end(); ",
    ] {
        text = text.replace(part, "");
    }
    text
}

/// The program with the meaning of exclusive accesses, and of the number of the exception, where no handler comes; `None` if it has
/// none.
pub fn alone(unit: &Unit) -> Option<Source> {
    let interrupts = Interrupts::default();
    let mut weaver = Weaver::of(unit, &interrupts);
    weaver.exclusive();
    (weaver.exclusive || weaver.numbered).then(|| weaver.source())
}

/// Whether a function has exclusive accesses, or gives the number of the exception.
pub fn is_exclusive(name: &str) -> bool {
    FUNCTIONS.iter().any(|(known, _)| *known == name) || name == NUMBER.0
}

impl Weaver<'_> {
    /// Gives exclusive accesses and the number of the exception their meaning.
    pub(super) fn exclusive(&mut self) {
        for (name, body) in FUNCTIONS {
            self.exclusive |= self.body_of(name, body, DECLARED);
        }
        self.numbered |= self.body_of(NUMBER.0, NUMBER.1, DECLARED_NUMBER);
    }

    /// Puts another body in the place of a function's; returns whether the function may run.
    fn body_of(&mut self, name: &str, body: &str, declared: &str) -> bool {
        let tree = &self.unit.tree;
        let function = tree.function_named(name);
        let Some(function) = function.filter(|f| self.reached.contains(f)) else {
            return false;
        };
        let function = &tree.functions[function];
        let parameters = match &function.body {
            Some(of) => of
                .params
                .iter()
                .map(|p| tree.objects[*p].name.clone())
                .collect(),
            None => self.parameters_without_body(function),
        };
        // A store has its value first.
        let (value, address) = match &parameters[..] {
            [value, address, ..] => (value.as_str(), address.as_str()),
            [address] => ("", address.as_str()),
            [] => ("", ""),
        };
        let body = match self.interrupts.handlers.is_empty() {
            true => without_sections(body),
            false => body.to_owned(),
        };
        let body = body.replace("ADDRESS", address).replace("VALUE", value);
        let declared = match self.interrupts.handlers.is_empty() {
            true => without_sections(declared),
            false => declared.to_owned(),
        };
        match &function.body {
            Some(of) => {
                let span = tree.stmts[of.block].span;
                let text = format!("{{ {body} }}{}", self.lines(span));
                self.changes.insert((span.start, span.end), text);
                self.insert(of.span.start, &declared);
            }
            None => match self.head(function, &parameters) {
                Some(head) => self.end += &format!("{declared}{head} {{ {body} }}\n"),
                None => return false,
            },
        }
        true
    }

    /// Names for the parameters of a function that the program only declares.
    fn parameters_without_body(&self, function: &Function) -> Vec<String> {
        let of = self.unit.tree.types.function(function.ty);
        let count = of.map_or(0, |of| of.params.len());
        (0..count)
            .map(|at| format!("interrupts__operand_{at}"))
            .collect()
    }

    /// The head of a definition of a function that the program only declares; `None` if its types have no text.
    fn head(&self, function: &Function, parameters: &[String]) -> Option<String> {
        let tree = &self.unit.tree;
        let scope = tree.file_scope();
        let of = tree.types.function(function.ty)?;
        let declare = |(ty, name): (&QualType, &String)| tree.types.declare(*ty, name, scope);
        let all: Option<Vec<String>> = of.params.iter().zip(parameters).map(declare).collect();
        let all = match all?.join(", ") {
            none if none.is_empty() => "void".to_owned(),
            all => all,
        };
        tree.types
            .declare(of.ret, &format!("{}({all})", function.name), scope)
    }
}

/// The number of a handler's exception: 16 and that of the vendor's header, or one that no other has.
pub(super) fn number(tree: &Tree, handlers: &[Handler], at: usize) -> i128 {
    let known = priority::exception(tree, &handlers[at].name);
    known.map_or(256 + at as i128, |number| 16 + number)
}
