//! The text of the models.

use std::fmt::Write as _;

use cfront::memory_model::{CHOICE, FILE, LOST};

use super::model::Model;
use super::objects::{Cell, Objects};
use super::operations::Touched;
use crate::facts::Facts;

const VIEWS: &str = include_str!("../../../../templates/memory/views.c");
const BUFFERS: &str = include_str!("../../../../templates/memory/buffers.c");
const RACES: &str = include_str!("../../../../templates/memory/races.c");

/// The room of a model.
pub(super) struct Size {
    /// The greatest number of threads.
    pub threads: usize,
    /// The number of stores in the text of the program.
    pub stores: usize,
    /// Whether threads learn of stores by themselves, as steps of a thread of its own: infinite runs count.
    pub learns: bool,
    /// Whether finite runs show all that is asked, and nothing but the threads' accesses reads the objects.
    pub brief: bool,
    /// Whether some access or fence may be sequentially consistent.
    pub ordered: bool,
    /// What the main thread does with the objects.
    pub main: Touched,
    /// The greatest number of locks.
    pub locks: usize,
    /// Whether accesses say which they are, as races are searched.
    pub races: bool,
    /// Whether there are fences.
    pub fences: bool,
    /// The objects (as bits) with a store that may be weaker than release.
    pub weak: u32,
}

/// The most stores of an object that are remembered, or stores in a buffer.
const MOST: usize = 8;

/// What the changed text needs in front of it, on one line.
pub(super) fn head(model: Model, learns: bool, brief: bool) -> String {
    let mut out = String::from(
        "long __VERIFIER_atomic_memmodel_load(const volatile void *p, int order); \
         void __VERIFIER_atomic_memmodel_store(const volatile void *p, long value, int order); \
         long __VERIFIER_atomic_memmodel_change(const volatile void *p, int operation, long by, long expected, int order, int failing); \
         void __VERIFIER_atomic_memmodel_fence(int order); \
         static long memmodel_result(int operation, long old, long by); ",
    );
    out.push_str(match model {
        Model::C11 => {
            "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); void __VERIFIER_atomic_memmodel_created(unsigned long t, unsigned accesses, unsigned loads); \
             void __VERIFIER_atomic_memmodel_joins(unsigned long t); void __VERIFIER_atomic_memmodel_joined(unsigned long t); \
             void __VERIFIER_atomic_memmodel_lock(const volatile void *m); void __VERIFIER_atomic_memmodel_unlock(const volatile void *m); \
             void __VERIFIER_atomic_memmodel_lock_alone(const volatile void *m); void __VERIFIER_atomic_memmodel_unlock_either(const volatile void *m); "
        }
        _ if brief => "void __VERIFIER_atomic_memmodel_drained(unsigned long t); ",
        _ => "static void memmodel_serve(unsigned long t); extern unsigned char memmodel_pending[]; ",
    });
    if learns {
        out.push_str("static void memmodel_begins(void); ");
    }
    out
}

/// The model.
pub(super) fn model(facts: &Facts, objects: &Objects, model: Model, size: &Size) -> String {
    let mut out = format!("\n# 1 \"{FILE}\"\n_Bool {LOST};\nextern _Bool {CHOICE}(void);\n");
    // What is read before a store counts as lost with views, as any value.
    let fresh = |model: Model, cell: &Cell| model == Model::C11 && cell.fresh;
    places(&objects.cells, &|cell| fresh(model, cell), &mut out);
    let of = |(number, cell): (usize, &Cell)| u32::from(fresh(model, cell)) << number;
    let fresh: u32 = objects.cells.iter().enumerate().map(of).sum();
    let declared = |name: &str| facts.tree.function_named(name).is_some();
    let (me, handle) = match declared("pthread_self") {
        true => ("pthread_self()", "pthread_t"),
        false => ("thrd_current()", "thrd_t"),
    };
    let create = match declared("pthread_create") {
        true => "pthread_create(&memmodel_server, 0, memmodel_memory, (void *)t);",
        false => "thrd_create(&memmodel_server, (thrd_start_t)memmodel_memory, (void *)t);",
    };
    // With a store more than the text has, the value before has room, too.
    let room = (size.stores + 1).min(MOST);
    let parts = [
        ("MEMMODEL_RACES", size.races),
        ("MEMMODEL_LEARNS", size.learns),
        ("MEMMODEL_BRIEF", size.brief),
        ("MEMMODEL_SC", size.ordered),
        ("MEMMODEL_FENCES", size.fences),
    ];
    let text = match (model, size.races) {
        (Model::C11, true) => chosen(VIEWS, &parts) + RACES,
        (Model::C11, false) => chosen(VIEWS, &parts),
        _ => chosen(BUFFERS, &parts),
    };
    // A bit for each thread.
    let set = match size.threads <= 8 {
        true => "unsigned char",
        false => "unsigned",
    };
    out.push_str(
        &text
            .replace("MEMMODEL_ME", &format!("(unsigned)(unsigned long){me}"))
            .replace("MEMMODEL_MAIN", &format!("{}u", size.main.accessed))
            .replace("MEMMODEL_LOADED", &format!("{}u", size.main.read))
            .replace("MEMMODEL_WEAK", &format!("{}u", size.weak))
            .replace("MEMMODEL_FRESH", &format!("{fresh}u"))
            .replace("MEMMODEL_HANDLE", handle)
            .replace("MEMMODEL_CREATE", create)
            .replace("MEMMODEL_PSO", if model == Model::Pso { "1" } else { "0" })
            .replace("MEMMODEL_T", &size.threads.to_string())
            .replace("MEMMODEL_SET", set)
            .replace("MEMMODEL_LOCKS", &size.locks.to_string())
            .replace("MEMMODEL_L", &objects.cells.len().to_string())
            .replace("MEMMODEL_N", &room.to_string()),
    );
    if size.learns {
        let create = create
            .replace("memmodel_memory", "memmodel_learns")
            .replace("(void *)t", "0");
        let _ = writeln!(
            out,
            "static void memmodel_begins(void) {{ static {handle} memmodel_server; {create} }}"
        );
    }
    out
}

/// The text of a model with those of its parts that are chosen: `#if NAME`, `#else` and `#endif`, each on a line.
fn chosen(text: &str, parts: &[(&str, bool)]) -> String {
    let (mut out, mut kept) = (String::new(), true);
    for line in text.lines() {
        match line.strip_prefix("#if ") {
            Some(name) => kept = parts.iter().any(|(n, chosen)| *n == name && *chosen),
            None if line == "#else" => kept = !kept,
            None if line == "#endif" => kept = true,
            None if kept => out.extend([line, "\n"]),
            None => {}
        }
    }
    out
}

/// The places, their values and types; nobody reads the values that are `fresh`.
fn places(cells: &[Cell], fresh: &dyn Fn(&Cell) -> bool, out: &mut String) {
    out.push_str("static unsigned memmodel_place(const volatile void *memmodel_p) {\n");
    for (number, cell) in cells.iter().enumerate() {
        let _ = writeln!(
            out,
            "  if (memmodel_p == (const volatile void *)&{}) return {number};",
            cell.at
        );
    }
    let _ = writeln!(out, "  return {};\n}}", cells.len());
    out.push_str("static long memmodel_get(unsigned memmodel_l) {\n  switch (memmodel_l) {\n");
    for (number, cell) in cells.iter().enumerate().filter(|(_, cell)| !fresh(cell)) {
        let _ = writeln!(out, "    case {number}: return (long){};", cell.lvalue);
    }
    out.push_str(
        "  }\n  return 0;\n}\nstatic void memmodel_set(unsigned memmodel_l, long memmodel_value) {\n  switch (memmodel_l) {\n",
    );
    for (number, cell) in cells.iter().enumerate() {
        let _ = writeln!(
            out,
            "    case {number}: {{ {} = {}memmodel_value; {} = memmodel_v; break; }}",
            cell.declaration,
            cast(cell),
            cell.lvalue
        );
    }
    out.push_str("  }\n}\n/* A value as one of the object's type. */\nstatic long memmodel_as(unsigned memmodel_l, long memmodel_value) {\n  switch (memmodel_l) {\n");
    for (number, cell) in cells.iter().enumerate() {
        let _ = writeln!(
            out,
            "    case {number}: {{ {} = {}memmodel_value; return (long)memmodel_v; }}",
            cell.declaration,
            cast(cell)
        );
    }
    out.push_str("  }\n  return memmodel_value;\n}\n");
    out.push_str(
        "static long memmodel_result(int operation, long old, long by) {\n  switch (operation) {\n    case '+': return (long)((unsigned long)old + (unsigned long)by);\n    case '-': return (long)((unsigned long)old - (unsigned long)by);\n    \
         case '&': return old & by;\n    case '|': return old | by;\n    case '^': return old ^ by;\n    case '~': return ~(old & by);\n  }\n  return by;\n}\n",
    );
}

/// The conversion from a number to the type of a place.
fn cast(cell: &Cell) -> String {
    let ty = cell.declaration.replacen("memmodel_v", "", 1);
    format!("({})", ty.trim())
}
