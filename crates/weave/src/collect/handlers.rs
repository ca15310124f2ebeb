//! What hardware does that the program does not show: functions that look like interrupt handlers and that the program does not
//! call, and volatile objects that it never writes.

use std::collections::{HashMap, HashSet};

use cfront::span::{ExprId, FunctionId, Id};
use cfront::tree::{Entity, ExprKind, Mark, Parent, Resolved};
use cfront::ObjectId;

use super::Collector;
use crate::facts::{range, HandlerSign, UncalledHandler};

/// The ends of names that vector tables of vendors use.
const ENDINGS: [&str; 4] = ["_IRQHandler", "_Handler", "_isr", "_ISR"];

/// Whether vector tables use such a name.
fn is_handler_name(name: &str) -> bool {
    let numbered = name.strip_prefix("__vector_");
    numbered.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
        || ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Whether a section holds vectors: `.isr_vector`, `.vectors`, `.intvec`, `.vector_table`.
fn holds_vectors(section: &str) -> bool {
    let section = section.to_ascii_lowercase();
    section.contains("vector") || section.contains("intvec")
}

/// The uses of functions other than in tables of vectors, and the functions in these.
#[derive(Default)]
pub(super) struct Uses {
    /// The function whose body names another (`None`: an initialiser at file scope), and the named one.
    named: Vec<(Option<FunctionId>, FunctionId)>,
    in_tables: HashSet<FunctionId>,
    /// Whether an expression names a table of vectors.
    tables_named: bool,
}

impl Uses {
    /// Whether only tables of vectors name a function, which the processor reads and the program does not.
    pub(super) fn is_only_in_tables(&self, function: FunctionId) -> bool {
        let in_tables = self.in_tables.contains(&function) && !self.tables_named;
        in_tables && !self.named.iter().any(|(_, of)| *of == function)
    }
}

impl Collector<'_> {
    /// Notes the handlers that no other code names, in time linear in the size of the tree for each handler
    /// that another handler calls.
    ///
    /// A function that other code names may be called, directly or through a pointer. One that only handlers
    /// name, which themselves are not called, is not. A function that calls `main` starts the program and
    /// interrupts nothing.
    pub(super) fn handlers(&mut self) {
        let uses = self.uses();
        // The processor reads a table of vectors. Where the program does not, nothing here calls what only such a table has.
        let functions = self.facts.functions.iter_mut();
        for function in functions.filter(|f| uses.is_only_in_tables(f.id)) {
            function.address_taken = None;
        }
        let signs = self.signs(&uses.in_tables);
        let starts = |f: &FunctionId| {
            let mut named = uses.named.iter();
            named.any(|(by, of)| *by == Some(*f) && self.tree.functions[*of].name == "main")
        };
        let mut uncalled: HashSet<FunctionId> =
            signs.keys().copied().filter(|f| !starts(f)).collect();
        loop {
            let called = |f: &FunctionId| {
                let mut named = uses.named.iter();
                named.any(|(by, of)| {
                    of == f && by.is_none_or(|by| by != *f && !uncalled.contains(&by))
                })
            };
            let kept: HashSet<FunctionId> =
                uncalled.iter().copied().filter(|f| !called(f)).collect();
            if kept.len() == uncalled.len() {
                break;
            }
            uncalled = kept;
        }
        let functions = self.facts.functions.iter().enumerate();
        let found = functions.filter(|(_, f)| uncalled.contains(&f.id));
        let found = found.filter_map(|(function, f)| {
            let sign = *signs.get(&f.id)?;
            Some(UncalledHandler { function, sign })
        });
        self.facts.uncalled_handlers = found.collect();
    }

    /// Notes the volatile objects that the program only reads.
    pub(super) fn unwritten(&mut self) {
        let found = cfront::registers::unwritten(self.tree).into_iter();
        let found = found.map(|(object, read)| (object.index(), range(self.tree.exprs[read].span)));
        self.facts.unwritten = found.collect();
    }

    /// The defined functions that look like handlers. An attribute or a place in a table says more than a name,
    /// which needs the form of a handler besides: no parameters and no result.
    fn signs(&self, in_tables: &HashSet<FunctionId>) -> HashMap<FunctionId, HandlerSign> {
        let attributes = self
            .tree
            .marks
            .iter()
            .filter_map(|m| match (&m.mark, m.entity) {
                (Mark::Handler, Entity::Function(f)) => Some(f),
                _ => None,
            });
        let attributes: HashSet<FunctionId> = attributes.collect();
        let sign = |f: &crate::facts::Function| {
            if attributes.contains(&f.id) {
                return Some(HandlerSign::Attribute);
            }
            if in_tables.contains(&f.id) {
                return Some(HandlerSign::Table);
            }
            let without = f.returns_void && f.parameters.is_none_or(|n| n == 0);
            (without && is_handler_name(&f.name)).then_some(HandlerSign::Name)
        };
        let functions = self.facts.functions.iter().filter(|f| f.name != "main");
        functions.filter_map(|f| Some((f.id, sign(f)?))).collect()
    }

    /// Where expressions that are evaluated name functions.
    pub(super) fn uses(&self) -> Uses {
        let tables = self
            .tree
            .marks
            .iter()
            .filter_map(|m| match (&m.mark, m.entity) {
                (Mark::Section(name), Entity::Object(o)) if holds_vectors(name) => Some(o),
                _ => None,
            });
        let tables: HashSet<ObjectId> = tables.collect();
        let bodies = self.facts.functions.iter();
        let bodies: Vec<_> = bodies.map(|f| (f.body.start..f.body.end, f.id)).collect();
        let mut uses = Uses::default();
        for (id, expr) in self.tree.exprs.iter() {
            if let ExprKind::Ident(Resolved::Object(object)) = expr.kind {
                uses.tables_named |= tables.contains(&object);
            }
            let ExprKind::Ident(Resolved::Function(named)) = expr.kind else {
                continue;
            };
            if expr.unevaluated {
                continue;
            }
            if self.initialised(id).is_some_and(|o| tables.contains(&o)) {
                uses.in_tables.insert(named);
                continue;
            }
            let around = bodies
                .iter()
                .find(|(body, _)| body.contains(&expr.span.start));
            uses.named.push((around.map(|(_, f)| *f), named));
        }
        uses
    }

    /// The object in whose initialiser an expression stands.
    fn initialised(&self, of: ExprId) -> Option<ObjectId> {
        let mut parent = self.tree.exprs[of].parent;
        loop {
            parent = match parent {
                Parent::Expr(expr) => self.tree.exprs[expr].parent,
                Parent::Init(init) => self.tree.inits[init].parent,
                Parent::Declarator(decl, number) => {
                    let declared = self.tree.decls[decl].declared.get(number)?;
                    return match declared.entity {
                        Entity::Object(object) => Some(object),
                        _ => None,
                    };
                }
                _ => return None,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_vector_tables_are_told_from_others() {
        for name in [
            "__vector_18",
            "USART1_IRQHandler",
            "SysTick_Handler",
            "timer_isr",
            "ADC_ISR",
        ] {
            assert!(is_handler_name(name), "{name}");
        }
        for name in [
            "__vector_",
            "__vector_x",
            "handler",
            "error_handler",
            "isr_count",
            "IRQHandler_on",
        ] {
            assert!(!is_handler_name(name), "{name}");
        }
    }

    #[test]
    fn sections_of_vectors_are_told_from_others() {
        assert!([".isr_vector", ".vectors", ".intvec"]
            .into_iter()
            .all(holds_vectors));
        assert!(![".text", ".noinit", ".data.table"]
            .into_iter()
            .any(holds_vectors));
    }
}
