//! `errno`: an object of the program, which calls of functions without a body may change.
//!
//! What such a function leaves in `errno` is as open as its result (C11, 7.5): a program that waits while
//! `errno == EINTR` may wait for ever. Each change stays within its line, so places are the same.

use crate::allocations::{called_name, library_name, starts_threads};
use crate::library;
use crate::parse::Unit;
use crate::rewriting::{Names, Native, Substituted, Text};
use crate::source::Source;
use crate::span::ExprId;
use crate::tree::{ExprKind, Parent, Tree};

/// The function whose result is a pointer to the caller's `errno`.
const LOCATION: &str = "__errno_location";

/// The function that says what a call leaves in `errno`, if that is greater than 0: no function of the library sets
/// it to 0.
const CHOICE: &str = "errno_of_call";

/// The function that changes `errno` where a call may.
const CHANGE: &str = "errno_may_change";

/// The file that the lines of the functions are from that are added.
const FILE: &str = "errno";

/// The text of each file of a program that reads `errno`, in which calls of functions without a body may change it;
/// `None` if the program does not read it, or calls no such function. In a program without threads, `errno` is an
/// object at file scope, but where it is executed. Linear in the program.
pub fn changing(unit: &Unit) -> Option<Substituted> {
    let tree = &unit.tree;
    let calls = || {
        let all = tree.exprs.ids();
        all.filter(|e| matches!(tree.exprs[*e].kind, ExprKind::Call { .. }))
    };
    let reads: Vec<ExprId> = calls()
        .filter(|call| library_name(tree, *call) == Some(LOCATION))
        .collect();
    if reads.is_empty() {
        return None;
    }
    let names = Added::new(unit);
    let mut text = Text::of(unit);
    let threads = starts_threads(tree);
    let places: Option<Vec<ExprId>> = reads.iter().map(|call| place(tree, *call)).collect();
    let place = match places.filter(|_| !threads) {
        Some(places) => {
            for place in places {
                let declared = format!("extern int {}; ", names.object);
                text.declare_before(place, &names.object, &declared);
                text.replace(tree.exprs[place].span, &names.object);
            }
            names.object.clone()
        }
        None => format!("*{LOCATION}()"),
    };
    let mut any = false;
    for call in calls().filter(|call| changes(unit, *call)) {
        let declared = format!("static void ({})(void); ", names.change);
        text.declare_before(call, &names.change, &declared);
        let span = tree.exprs[call].span;
        text.open(span, &format!("({}(), ", names.change));
        text.close(span, ")");
        any = true;
    }
    let declared = |part: usize| text.is_declared_in(part, &names.change);
    let defined: Vec<String> = (0..unit.parts.len())
        .map(|part| names.defined(&place, part == 0, declared(part)))
        .collect();
    any.then(|| {
        let sources = text.sources().into_iter().zip(defined);
        let more = |(source, more): (Source, String)| match more.is_empty() {
            true => source,
            false => source.and_file(FILE, more),
        };
        Substituted {
            sources: sources.map(more).collect(),
            native: names.native(place == names.object),
        }
    })
}

/// A piece of the text as the user wrote it, without what was added around calls.
pub fn restored(text: &str) -> String {
    let added = format!("({CHANGE}(), ");
    let mut out = text.to_owned();
    while let Some(start) = out.find(&added) {
        let inside = start + added.len();
        let mut depth = 0;
        let end = out[inside..].char_indices().find(|(_, c)| {
            depth += match c {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
            depth < 0
        });
        if let Some((at, _)) = end {
            out.remove(inside + at);
        }
        out.replace_range(start..inside, "");
    }
    out
}

/// The names of what is added.
struct Added {
    object: String,
    change: String,
    choice: String,
}

impl Added {
    fn new(unit: &Unit) -> Added {
        let names = Names::of(unit);
        Added {
            object: names.free("errno_now"),
            change: names.free(CHANGE),
            choice: names.free(CHOICE),
        }
    }

    /// What stands behind a file: the object, and what a call does to `errno`, which is at this place.
    fn defined(&self, place: &str, first: bool, changes: bool) -> String {
        let (object, change, choice) = (&self.object, &self.change, &self.choice);
        let mut text = String::new();
        if first && place == object {
            text.push_str(&format!("int {object};\n"));
        }
        if changes {
            text.push_str(&format!(
                "extern int ({choice})(void);\nstatic void ({change})(void) {{ int given = {choice}(); if (given > 0) {place} = given; }}\n"
            ));
        }
        text
    }

    /// A run that is executed has the library's `errno`: the object's declaration is then one of the function that has its
    /// place. One whose inputs are those of a recorded run has the object.
    fn native(&self, has_object: bool) -> Native {
        let mut before = vec!["#if !BA_CHOOSES".to_owned()];
        if has_object {
            before.push(format!("#define {} (*{LOCATION}())", self.object));
        }
        before.push(format!("#define {}() ((void)0)", self.change));
        before.push(format!("#define {}() 0", self.choice));
        before.push("#endif".into());
        Native {
            before,
            behind: Vec::new(),
        }
    }
}

/// The expression that is `errno`, if a call of [`LOCATION`] is part of one.
fn place(tree: &Tree, call: ExprId) -> Option<ExprId> {
    match tree.exprs[call].parent {
        Parent::Expr(around) if matches!(tree.exprs[around].kind, ExprKind::Deref(_)) => {
            Some(around)
        }
        _ => None,
    }
}

/// Whether a call may change `errno` in a way that the program does not show.
fn changes(unit: &Unit, call: ExprId) -> bool {
    let tree = &unit.tree;
    let Some(name) = library_name(tree, call) else {
        return false;
    };
    // The text of a system's header becomes its inclusion again. What the compiler knows sets `errno` only where it is a
    // function of the library, too.
    let of_compiler = called_name(tree, call).is_some_and(|called| called != name);
    let is_header = unit.source.lines.is_quiet(tree.exprs[call].span.start);
    if is_header || of_compiler && library::function(name).is_none() {
        return false;
    }
    let is_model = ["__builtin_", "__VERIFIER_", "__CPROVER_", "nondet"];
    if name == LOCATION || is_model.iter().any(|prefix| name.starts_with(prefix)) {
        return false;
    }
    library::may_set_errno(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewriting::behind;

    fn changed(text: &str) -> Option<String> {
        let begin = "# 1 \"p.c\"\nextern int *__errno_location(void); int f(int); int g(void); int nondet_int(void); long read(int, void *, unsigned long); int printf(const char *, ...);\n";
        behind(begin, text, changing)
    }

    #[test]
    fn calls_without_a_body_change_errno() {
        let text = changed("int h(void) { return 1; } int main(void) { while (f(g()) < 0 && (*__errno_location()) == 4) h(); printf(\"x\"); return nondet_int(); }");
        let text = text.expect("errno is read");
        let wanted = "while ((errno_may_change(), f((errno_may_change(), g()))) < 0 && errno_now == 4) h(); printf(\"x\"); return nondet_int(); }";
        assert!(text.contains(wanted), "{text}");
        assert!(
            text.contains("int errno_now;\nextern int (errno_of_call)(void);"),
            "{text}"
        );
        assert_eq!(
            restored("x = (errno_may_change(), f((errno_may_change(), g()))) + 1"),
            "x = f(g()) + 1"
        );
    }

    #[test]
    fn what_the_compiler_knows_and_headers_do_not_change_it() {
        let header = "# 9 \"/usr/include/h.h\" 1 3\nstatic int swapped(int x) { return f(x); }\n# 3 \"p.c\" 2\n";
        let text = changed(&format!("{header}int main(void) {{ return f(*__errno_location()) + swapped(1) + __builtin_bswap32(1); }}"));
        let text = text.expect("errno is read");
        assert_eq!(text.matches("(errno_may_change(), ").count(), 1, "{text}");
        assert!(
            text.contains("(errno_may_change(), f(errno_now))"),
            "{text}"
        );
    }

    #[test]
    fn threads_have_their_own() {
        let text = changed("int pthread_create(); void *w(void *p) { if (f(1)) *__errno_location() = 3; return p; } int main(void) { pthread_create(0, 0, w, 0); return 0; }");
        let text = text.expect("errno is accessed");
        assert!(text.contains("*__errno_location() = given"), "{text}");
    }

    #[test]
    fn a_program_that_does_not_read_it_stays_as_it_is() {
        assert_eq!(changed("int main(void) { return f(1); }"), None);
        assert_eq!(
            changed("int main(void) { return *__errno_location(); }"),
            None
        );
        let own = "int e; int *__errno_location(void) { return &e; } int main(void) { return f(*__errno_location()); }";
        assert_eq!(changed(own), None);
    }
}
