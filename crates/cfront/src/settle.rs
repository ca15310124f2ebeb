//! Memory that is allocated once, as objects with names.
//!
//! Whoever compares states needs names for what they consist of. A call of `malloc` that no run makes
//! twice stands for one object, and the text gets one with static storage in its place, which begins with any
//! value as the memory does. Each change stays within its line, so places are the same.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::allocations::{allocated, allocated_on_stack, gives_back, library_name, Allocated};
use crate::calls::{CallGraph, Callee};
use crate::flow::{Flow, Point, PointId};
use crate::library;
use crate::parse::Unit;
use crate::rewriting::new_name;
use crate::source::Source;
use crate::span::{ExprId, FunctionId, Span};
use crate::tree::{Entity, ExprKind, Init, Parent, Resolved, Tree};

/// A text in which the memory of all calls that allocate some is an object, `memory_of_p` where `p`
/// points to it; `None` if there are none, or if a run may make one of them twice, or if one allocates
/// memory of unknown size. `own` is the number of the program's own expressions, `flows` has the control
/// flow of its functions. Linear in the program for each call.
pub fn settled(unit: &Unit, flows: &HashMap<FunctionId, Flow>, own: usize) -> Option<Source> {
    settle(unit, (flows, own), false)
}

/// As [`settled`], where calls that a run may make twice, or whose memory has no known size, stay as they are, and so do those that
/// free memory.
pub fn settled_partly(
    unit: &Unit,
    flows: &HashMap<FunctionId, Flow>,
    own: usize,
) -> Option<Source> {
    settle(unit, (flows, own), true)
}

fn settle(
    unit: &Unit,
    (flows, own): (&HashMap<FunctionId, Flow>, usize),
    partly: bool,
) -> Option<Source> {
    let tree = &unit.tree;
    let graph = CallGraph::new(tree);
    let once = Once {
        tree,
        flows,
        graph: &graph,
    };
    let calls: Vec<ExprId> = tree.exprs.ids().take(own).collect();
    let jumps = |call: &ExprId| library_name(tree, *call).is_some_and(library::saves_place);
    if !graph.starts.is_empty() || calls.iter().any(jumps) {
        return None;
    }
    let mut text = Text::of(unit);
    let mut any = false;
    for call in calls {
        let ExprKind::Call { callee, .. } = tree.exprs[call].kind else {
            if names_memory_function(tree, call) {
                return None;
            }
            continue;
        };
        if gives_back(tree, call) {
            if partly {
                continue;
            }
            text.changes
                .insert(tree.exprs[callee].span, "(void)".to_owned());
        } else if library_name(tree, call).is_some_and(library::allocates) {
            let what = allocated(tree, call).or_else(|| allocated_on_stack(tree, call));
            let Some((what, caller)) = what.zip(once.caller(call)) else {
                match partly {
                    true => continue,
                    false => return None,
                }
            };
            text.settle(call, caller, what)?;
            any = true;
        }
    }
    any.then(|| text.source()).flatten()
}

/// Whether an identifier names a function that allocates or frees memory without calling it.
fn names_memory_function(tree: &Tree, e: ExprId) -> bool {
    let ExprKind::Ident(Resolved::Function(f)) = tree.exprs[e].kind else {
        return false;
    };
    let function = &tree.functions[f];
    let called = match tree.exprs[e].parent {
        Parent::Expr(call) => {
            matches!(tree.exprs[call].kind, ExprKind::Call { callee, .. } if callee == e)
        }
        _ => false,
    };
    let name = library::plain_name(&function.name);
    !called && function.body.is_none() && (name == "free" || library::allocates(name))
}

/// A text that changes.
struct Text<'a> {
    unit: &'a Unit,
    /// The words that the text has.
    taken: BTreeSet<String>,
    /// What replaces parts of it.
    changes: BTreeMap<Span, String>,
    /// What stands in front of functions.
    before: BTreeMap<usize, String>,
}

impl Text<'_> {
    fn of(unit: &Unit) -> Text<'_> {
        let words = unit.tokens.tokens.iter();
        Text {
            unit,
            taken: words.map(|t| unit.text_of(t.span).to_owned()).collect(),
            changes: BTreeMap::new(),
            before: BTreeMap::new(),
        }
    }

    /// Puts an object in the place of what a call allocates.
    fn settle(&mut self, call: ExprId, caller: FunctionId, what: Allocated) -> Option<()> {
        let tree = &self.unit.tree;
        let zero = library_name(tree, call) == Some("calloc");
        let object = self.name(call);
        let declared = declaration(tree, &object, what, zero)?;
        let at = tree.functions[caller].body.as_ref()?.span.start;
        self.before.entry(at).or_default().push_str(&declared);
        let whole = tree.exprs[call].span;
        let address = match what.elements {
            None => format!("&{object}"),
            Some(_) => object.clone(),
        };
        let given = format!("((void *){address}{})", self.unit.lines_of(whole));
        self.changes.insert(whole, given);
        Some(())
    }

    /// A new name for what a call allocates, after the pointer that gets it.
    fn name(&mut self, call: ExprId) -> String {
        let pointer = pointer(self.unit, call);
        let letters = pointer.chars().map(|c| match c.is_ascii_alphanumeric() {
            true => c,
            false => '_',
        });
        let plain = format!("memory_of_{}", letters.collect::<String>());
        let name = new_name(&plain, |name| self.taken.contains(name));
        self.taken.insert(name.clone());
        name
    }

    /// The changed text; `None` if two changes are about the same part.
    fn source(&self) -> Option<Source> {
        let source = &self.unit.source;
        let before = self.before.iter();
        let before = before.map(|(at, text)| (Span::new(*at, *at), text));
        let mut all: Vec<(Span, &String)> = before.collect();
        all.extend(self.changes.iter().map(|(span, text)| (*span, text)));
        all.sort_by_key(|(span, _)| *span);
        let (mut out, mut done) = (Vec::new(), 0);
        for (span, text) in all {
            if span.start < done {
                return None;
            }
            out.extend_from_slice(&source.bytes[done..span.start]);
            out.extend_from_slice(text.as_bytes());
            done = span.end;
        }
        out.extend_from_slice(&source.bytes[done..]);
        Some(Source {
            files: source.files.clone(),
            ..Source::from_bytes(out)
        })
    }
}

/// The declaration of an object. One that is defined nowhere begins with any value, as memory does that
/// `malloc` allocates.
fn declaration(tree: &Tree, object: &str, what: Allocated, zero: bool) -> Option<String> {
    let size = what.elements.map_or(String::new(), |n| format!("[{n}]"));
    let name = format!("{object}{size}");
    let declared = tree.types.declare(what.ty, &name, tree.file_scope())?;
    let linkage = if zero { "static" } else { "extern" };
    Some(format!("{linkage} {declared}; "))
}

/// The text of the pointer that gets what a call allocates; else its line.
fn pointer(unit: &Unit, call: ExprId) -> String {
    let tree = &unit.tree;
    let mut at = tree.exprs[call].parent;
    while let Parent::Expr(around) = at {
        match &tree.exprs[around].kind {
            ExprKind::Cast(_) => at = tree.exprs[around].parent,
            ExprKind::Assign { lhs, .. } => return unit.text_of(tree.exprs[*lhs].span).to_owned(),
            _ => break,
        }
    }
    let declared = match at {
        Parent::Init(init) => declared_by(tree, &tree.inits[init]),
        _ => None,
    };
    declared.unwrap_or_else(|| format!("line_{}", unit.source.place(tree.exprs[call].span).line))
}

/// The name of the object that an initializer belongs to.
fn declared_by(tree: &Tree, init: &Init) -> Option<String> {
    let Parent::Declarator(decl, number) = init.parent else {
        return None;
    };
    match tree.decls[decl].declared.get(number)?.entity {
        Entity::Object(o) => Some(tree.objects[o].name.clone()),
        _ => None,
    }
}

/// What no run evaluates twice.
struct Once<'a> {
    tree: &'a Tree,
    flows: &'a HashMap<FunctionId, Flow>,
    graph: &'a CallGraph,
}

impl Once<'_> {
    /// The function that makes a call, if no run makes the call twice.
    fn caller(&self, call: ExprId) -> Option<FunctionId> {
        let mut of_this = self.graph.calls.iter().filter(|c| c.expr == call);
        let caller = of_this.next()?.caller?;
        let points = self.points(caller, self.tree.exprs[call].parent);
        let flow = self.flows.get(&caller)?;
        let cycles = flow.cycles();
        let once = !points.is_empty() && points.iter().all(|p| cycles[p.index()].is_none());
        (once && self.enters_once(caller)).then_some(caller)
    }

    /// Whether no run enters a function twice.
    fn enters_once(&self, function: FunctionId) -> bool {
        if self.graph.is_recursive(function) || self.graph.address_taken.contains_key(&function) {
            return false;
        }
        let to_this = |c: &&crate::calls::Call| c.callee == Callee::Direct(function);
        let calls: Vec<_> = self.graph.calls.iter().filter(to_this).collect();
        let is_main = self.tree.functions[function].name == "main";
        match calls.as_slice() {
            [] => is_main,
            [call] => !is_main && self.caller(call.expr).is_some(),
            _ => false,
        }
    }

    /// The points of a function at which a node may be evaluated.
    fn points(&self, function: FunctionId, mut at: Parent) -> Vec<PointId> {
        let Some(flow) = self.flows.get(&function) else {
            return Vec::new();
        };
        let found: Vec<Point> = loop {
            at = match at {
                Parent::Stmt(s) => {
                    break vec![
                        Point::Stmt(s),
                        Point::Cond(s),
                        Point::ForInit(s),
                        Point::ForStep(s),
                    ]
                }
                Parent::Decl(d) | Parent::Declarator(d, _) => break vec![Point::Decl(d)],
                Parent::Expr(e) => self.tree.exprs[e].parent,
                Parent::Init(i) => self.tree.inits[i].parent,
                Parent::File | Parent::Function(_) | Parent::Constant | Parent::Fragment => {
                    break Vec::new()
                }
            }
        };
        found.into_iter().filter_map(|p| flow.at(p)).collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const HEAD: &str = "typedef unsigned long size_t; void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); \
                        void free(void *); struct s { int a; struct s *next; }; int n;\n";

    fn changed(program: &str) -> Option<String> {
        let text = format!("# 1 \"p.c\"\n{HEAD}{program}");
        let source = Source::from_bytes(text.into_bytes());
        let unit = Unit::parse(source).unwrap();
        let own = unit.tree.exprs.iter().count();
        let settled = settled(&unit, &unit.flows, own)?;
        // The text is a program again, with the same lines.
        let lines = |source: &Source| source.text.lines().count();
        assert_eq!(lines(&settled), lines(&unit.source));
        let text = settled.text.clone();
        Unit::parse(settled).unwrap();
        Some(text.split_once(HEAD).unwrap().1.to_owned())
    }

    #[test]
    fn what_is_allocated_once_is_an_object() {
        let text = "static struct s *make(void) { struct s *p = (struct s *)malloc(sizeof(struct s)); p->next = calloc(2,\n sizeof *p); return p; }\n\
                    int main(void) { struct s *q = make(); while (n) q->a++; free(q->next); free(q); }\n";
        let expected = "extern struct s memory_of_p; static struct s memory_of_p__next[2]; \
                        static struct s *make(void) { struct s *p = (struct s *)((void *)&memory_of_p); p->next = ((void *)memory_of_p__next\n); return p; }\n\
                        int main(void) { struct s *q = make(); while (n) q->a++; (void)(q->next); (void)(q); }\n";
        assert_eq!(changed(text).unwrap(), expected);
    }

    #[test]
    fn new_names_differ_from_all_others() {
        let text = "int memory_of_p; int main(void) { int *p = malloc(sizeof(int)); p = malloc(sizeof *p); return *p; }\n";
        let text = changed(text).unwrap();
        assert!(
            text.contains("extern int memory_of_p_2; extern int memory_of_p_3; int main"),
            "{text}"
        );
    }

    #[test]
    fn directives_in_a_call_stay() {
        let text = "int main(void) { int *p = \n# 3 \"h.h\" 3 4\nmalloc(\n# 3 \"p.c\"\nsizeof(int)); return *p; }\n";
        let text = changed(text).unwrap();
        assert!(
            text.contains("((void *)&memory_of_p\n# 3 \"p.c\"\n)"),
            "{text}"
        );
    }

    #[test]
    fn what_may_be_allocated_twice_or_has_no_known_size_is_no_object() {
        for text in [
            // Loops, also by jumps, and functions that are called again.
            "int main(void) { int *p; while (n) p = malloc(sizeof *p); }",
            "int main(void) { int *p; for (p = malloc(sizeof *p); n; p = malloc(sizeof *p)) ; }",
            "int main(void) { int *p; again: p = malloc(sizeof *p); if (n) goto again; }",
            "static void *f(void) { return malloc(sizeof(int)); } int main(void) { f(); f(); }",
            "static void *f(void) { return malloc(sizeof(int)); } int main(void) { while (n) f(); }",
            "static void f(int k) { malloc(sizeof(int)); if (k) f(k - 1); } int main(void) { f(3); }",
            "static void f(void) { malloc(sizeof(int)); } int main(void) { void (*g)(void) = f; g(); g(); }",
            "int main(int c, char **v) { malloc(sizeof(int)); if (c) main(0, v); }",
            // Sizes, and what else makes or frees memory.
            "int main(void) { int *p = malloc(n); }",
            "int main(void) { int *p = malloc(n * sizeof(int)); }",
            "int main(void) { int *p = malloc(sizeof(int)); p = realloc(p, 8); }",
            "int main(void) { void (*give)(void *) = free; give(malloc(sizeof(int))); }",
            // A type without a name at file scope; nothing to do.
            "int main(void) { struct t { int a; } *p = malloc(sizeof *p); }",
            "int main(void) { free(0); }",
        ] {
            assert_eq!(changed(text), None, "{text}");
        }
    }
}
