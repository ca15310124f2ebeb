//! Calls, ends of the run and writes that the program's text does not show: attributes, aliases, ranges of
//! designators, and functions that end the process and are used as values.

use cfront::consteval::eval;
use cfront::tree::{Designator, Entity, ExprKind, InitKind, Mark, Parent, Resolved};
use cfront::Id;

use super::Collector;
use crate::facts::range;
use crate::facts::{Hidden, HiddenKind, Range};
use crate::library;

impl Collector<'_> {
    pub(crate) fn hidden(&mut self, system: &dyn Fn(usize) -> bool) {
        let uses = self.uses();
        for marked in &self.tree.marks {
            let kind = match (&marked.mark, marked.entity) {
                (Mark::Cleanup(_), Entity::Object(o)) => {
                    let function = self.tree.objects[o].function;
                    let function = function.and_then(|f| self.functions.get(&f).copied());
                    HiddenKind::Cleanup(function)
                }
                (Mark::Destructor, Entity::Function(_)) => HiddenKind::Destructor,
                (Mark::Alias(of), Entity::Function(f)) => {
                    if self.is_of_library(f, of)
                        || !self.is_referred_to(f)
                        || uses.is_only_in_tables(f)
                    {
                        continue;
                    }
                    HiddenKind::FunctionAlias
                }
                // The assembler label of an automatic variable names a register.
                (Mark::Alias(of), Entity::Object(o))
                    if self.tree.objects[o].is_static_duration()
                        && self.tree.objects[o].name != *of =>
                {
                    HiddenKind::ObjectAlias {
                        object: o.index(),
                        of: of.clone(),
                    }
                }
                _ => continue,
            };
            let range = range(marked.span);
            self.facts.hidden.push(Hidden { range, kind });
        }
        self.ranges(system);
        for (id, expr) in self.tree.exprs.iter() {
            let name = match &expr.kind {
                ExprKind::Ident(Resolved::Function(f)) => {
                    let f = &self.tree.functions[*f];
                    (f.body.is_none() && library::ends_process(&f.name)).then_some(&f.name)
                }
                ExprKind::Ident(Resolved::Unknown(name)) => {
                    library::ends_process(name).then_some(name)
                }
                _ => None,
            };
            let Some(name) = name.filter(|_| !expr.unevaluated && !system(expr.span.start)) else {
                continue;
            };
            let called = matches!(expr.parent, Parent::Expr(p)
                if matches!(self.tree.exprs[p].kind, ExprKind::Call { callee, .. } if callee == id));
            if !called {
                self.facts.hidden.push(Hidden {
                    range: range(expr.span),
                    kind: HiddenKind::EndAsValue(name.clone()),
                });
            }
        }
    }

    /// Whether the program defines a function or names it in an expression. A function that only a header
    /// declares has no effect, whatever its other names are.
    fn is_referred_to(&self, function: cfront::FunctionId) -> bool {
        self.tree.functions[function].body.is_some()
            || self.tree.exprs.iter().any(|(_, expr)| {
                matches!(expr.kind, ExprKind::Ident(Resolved::Function(f)) if f == function)
            })
    }

    /// Whether an alias is the function's own name, or the name of the function inside the library:
    /// `__isoc99_scanf`, `__xpg_strerror_r`, `fopen64`. The program defines neither.
    fn is_of_library(&self, function: cfront::FunctionId, of: &str) -> bool {
        let function = &self.tree.functions[function];
        let defined = |name: &str| {
            let mut functions = self.tree.functions.iter();
            functions.any(|(_, f)| f.name == name && f.body.is_some())
        };
        function.name == of
            || function.body.is_none() && of.contains(&function.name) && !defined(of)
    }

    /// Notes designators of several elements.
    fn ranges(&mut self, system: &dyn Fn(usize) -> bool) {
        for (_, init) in self.tree.inits.iter() {
            let InitKind::List(items) = &init.kind else {
                continue;
            };
            for designator in items.iter().flat_map(|item| &item.designators) {
                let Designator::Range(from, to) = *designator else {
                    continue;
                };
                let range = Range {
                    start: self.tree.exprs[from].span.start,
                    end: self.tree.exprs[to].span.end,
                };
                let one = eval(self.tree, from).is_some_and(|v| eval(self.tree, to) == Some(v));
                if !one && !system(range.start) {
                    let kind = HiddenKind::RangeDesignator;
                    self.facts.hidden.push(Hidden { range, kind });
                }
            }
        }
    }

    /// Whether a call of a function without a body ends the process: the library says so, or the declaration
    /// says that the function does not return.
    pub(crate) fn ends_process(&self, callee: cfront::ExprId, name: Option<&str>) -> bool {
        let Some(name) = name else { return false };
        if library::ends_thread(name) || library::makes_nonlocal_jump(name) {
            return false;
        }
        match self.tree.exprs[callee].kind {
            ExprKind::Ident(Resolved::Function(f)) if self.tree.functions[f].body.is_none() => {
                self.tree.functions[f].is_noreturn || library::ends_process(name)
            }
            ExprKind::Ident(Resolved::Unknown(_)) => library::ends_process(name),
            _ => false,
        }
    }
}
