//! Calls of the library that allocate memory, free it, or get pointers to it.

use super::memory::{allocator, Leads, ANY, MEMORY};
use super::rewriting::Rewriting;
use crate::allocations::library_name;
use crate::calls::named_function;
use crate::consteval::{size_of, sized};
use crate::library::{self, NoEffect};
use crate::span::{ExprId, ObjectId};
use crate::tree::{BinaryOp, ExprKind};

impl Rewriting<'_> {
    /// A call.
    ///
    /// # Errors
    /// Why it is not followed.
    pub(super) fn call(
        &mut self,
        id: ExprId,
        callee: ExprId,
        args: &[ExprId],
    ) -> Result<(), String> {
        let tree = self.tree;
        if let Some(name) = allocator(tree, id) {
            return self.allocated(id, name, args);
        }
        let given: Vec<ExprId> = args
            .iter()
            .copied()
            .filter(|a| self.is_pointer(*a))
            .collect();
        let given = given.iter().any(|a| self.heap.may_lead_there(*a));
        let has_body = |f| tree.functions[f].body.is_some();
        let name = library_name(tree, id);
        match (name, named_function(tree, callee)) {
            (_, Some(f)) if has_body(f) => Ok(()),
            (Some("free"), _) => {
                self.changed.insert(id);
                self.text.call_instead(id, "(void)");
                Ok(())
            }
            (Some(name), _) if given => self.library(id, name, args),
            (Some(name), _) if library::saves_place(name) => {
                Err("a place is saved to jump to".to_owned())
            }
            (Some(_), _) => Ok(()),
            (None, None) if given && self.heap.calls_outside(callee) => {
                Err("a function that is not known gets a pointer to allocated memory".to_owned())
            }
            (None, _) => Ok(()),
        }
    }

    /// A call of the library that gets a pointer to allocated memory.
    fn library(&mut self, id: ExprId, name: &str, args: &[ExprId]) -> Result<(), String> {
        let row = library::function(name);
        if row.is_some_and(|row| matches!(row.no_effect, Some(NoEffect::Silent(_)))) {
            return Ok(());
        }
        let size = self.size_type();
        let (int, p, q) = (
            format!("extern int {ANY}int(void); "),
            "const volatile void *p",
            "const volatile void *q",
        );
        let (own, definition, fills) = match (name, args.len()) {
            ("strcmp" | "strcasecmp", 2) => (
                "compared",
                format!("{int}static int {MEMORY}compared({p}, {q}) {{ (void)p; (void)q; return {ANY}int(); }} "),
                false,
            ),
            ("strncmp" | "memcmp" | "strncasecmp", 3) => (
                "begins",
                format!("{int}static int {MEMORY}begins({p}, {q}, {size} n) {{ (void)p; (void)q; (void)n; return {ANY}int(); }} "),
                false,
            ),
            ("strlen", 1) => (
                "length",
                format!(
                    "extern {size} {ANY}length(void); static {size} {MEMORY}length({p}) {{ (void)p; {size} n = {ANY}length(); \
                     if (n >= {}u) __CPROVER_assume(0); return n; }} ",
                    self.largest()
                ),
                false,
            ),
            ("strcpy" | "strcat", 2) => (
                "copied",
                format!("static void *{MEMORY}copied(void *p, {q}) {{ (void)q; return p; }} "),
                true,
            ),
            ("strncpy" | "strncat" | "memcpy" | "memmove", 3) => (
                "filled",
                format!("static void *{MEMORY}filled(void *p, {q}, {size} n) {{ (void)q; (void)n; return p; }} "),
                true,
            ),
            ("memset", 3) => (
                "set",
                format!("static void *{MEMORY}set(void *p, int c, {size} n) {{ (void)c; (void)n; return p; }} "),
                true,
            ),
            ("snprintf", 3..) => (
                "printed",
                format!(
                    "{int}static int {MEMORY}printed(void *p, {size} n, const char *q, ...) {{ (void)p; (void)n; (void)q; return {ANY}int(); }} "
                ),
                true,
            ),
            _ => {
                return Err(format!(
                    "`{name}` gets a pointer to allocated memory, and its effect on this is not followed"
                ))
            }
        };
        let other = |to: &ExprId| -> Result<bool, String> {
            let at = self.tree.uncast(*to);
            Ok(self.leads(*to)? != Leads::ToMemory || self.leads(at)? != Leads::ToMemory)
        };
        if fills && args.first().map_or(Ok(true), other)? {
            return Err(format!(
                "`{name}` writes what lies in allocated memory to an object with a name, or may"
            ));
        }
        self.cells.define(own, &definition);
        self.changed.insert(id);
        self.text.call_instead(id, &format!("{MEMORY}{own}"));
        Ok(())
    }

    /// The type of sizes, by its name.
    fn size_type(&self) -> &'static str {
        match self.tree.types.model.pointer > self.tree.types.model.long {
            true => "unsigned long long",
            false => "unsigned long",
        }
    }

    /// The size of the largest object.
    fn largest(&self) -> u64 {
        u64::MAX >> (65 - u64::from(self.tree.types.model.pointer.clamp(2, 64)))
    }

    /// A call that allocates: it gives the object that stands for all that it allocates. No object is larger than the differences
    /// of pointers are.
    fn allocated(&mut self, id: ExprId, name: &str, args: &[ExprId]) -> Result<(), String> {
        let (size, largest) = (self.size_type(), self.largest());
        let over = format!("{MEMORY}over");
        self.cells.define(
            "over",
            &format!("static void {over}(void) {{ __CPROVER_assume(0); }} "),
        );
        let grants = format!("{}_given", self.cells.memory(id));
        let object = self.cells.memory(id).to_owned();
        let too_large = format!("if (n > {largest}u) {over}(); ");
        let definition = match (name, args.len()) {
            ("malloc", 1) => format!("static void *{grants}({size} n) {{ {too_large}return &{object}; }} "),
            ("calloc", 2) => format!(
                "static void *{grants}({size} m, {size} n) {{ if (n && m > {largest}u / n) {over}(); return &{object}; }} "
            ),
            ("realloc", 2) => format!(
                "static void *{grants}(const volatile void *p, {size} n) {{ (void)p; {too_large}return &{object}; }} "
            ),
            ("strdup", 1) => format!("static void *{grants}(const volatile void *p) {{ (void)p; return &{object}; }} "),
            _ => return Err(format!("`{name}` is called with other arguments than the library's")),
        };
        self.cells.allocates(&definition);
        self.changed.insert(id);
        self.text.call_instead(id, &grants);
        self.limited(args.last().copied(), &over);
        Ok(())
    }

    /// Says of the number of elements that are allocated, too, that it is not too large.
    fn limited(&mut self, size: Option<ExprId>, over: &str) {
        let tree = self.tree;
        let Some(ExprKind::Binary(BinaryOp::Mul, left, right)) = size.map(|s| &tree.exprs[s].kind)
        else {
            return;
        };
        let of = |e: ExprId| sized(tree, e).and_then(|ty| size_of(tree, ty));
        let (count, of) = match (of(*left), of(*right)) {
            (_, Some(of)) => (*left, of),
            (Some(of), _) => (*right, of),
            _ => return,
        };
        let known: Option<ObjectId> = tree.named(tree.uncast(count));
        let (Some(_), Some(size)) = (known, size) else {
            return;
        };
        let limit = self.largest().checked_div(of).unwrap_or_default();
        let text = self.unit.text_of(tree.exprs[count].bare);
        let begin = format!("(({text}) > {limit}u ? {over}() : (void)0, ");
        self.text.around(tree.exprs[size].span, &begin, ")");
    }
}
