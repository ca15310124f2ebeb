//! Files that a program opens: an object stands for them.
//!
//! What is in a file is an input: each call that reads it gives any values. So all that a run can tell of an open file is
//! whether it was opened, and the pointer that stands for it, which is null or the address of an object that nobody
//! accesses. Such a pointer can be compared when a run comes back to a state; the memory that a library allocates for it
//! could not. The changes stay within their lines.

use crate::allocations::library_name;
use crate::consteval::is_null;
use crate::parse::Unit;
use crate::rewriting::{Names, Native, Substituted, Text};
use crate::span::ExprId;
use crate::tree::{BinaryOp, ExprKind, Parent, Resolved, Tree};
use std::collections::BTreeMap;

/// The functions that open a file and return a pointer, with their parameters. They write nothing that the program sees.
const OPEN: [(&str, &str); 4] = [
    ("fopen", "const char *, const char *"),
    ("fopen64", "const char *, const char *"),
    ("fdopen", "int, const char *"),
    ("tmpfile", "void"),
];

/// The streams that are open when a program starts.
const STANDARD: [&str; 3] = ["stdin", "stdout", "stderr"];

/// What is behind the name of such a function in the name of the one that says whether it succeeds.
const SUCCEEDS: &str = "_succeeds";

/// What is behind the name of such a function in the name of the object.
const FILE: &str = "_file";

/// The text of each file of a program in which calls that open files return null or the address of an object; `None` if
/// it opens none in this way, or compares pointers to open files with each other. Linear in the program.
pub fn opened(unit: &Unit) -> Option<Substituted> {
    let tree = &unit.tree;
    let calls: Vec<(ExprId, &str, &str)> = tree
        .exprs
        .ids()
        .filter_map(|call| {
            let name = library_name(tree, call)?;
            let (name, parameters) = OPEN.into_iter().find(|(known, _)| *known == name)?;
            Some((call, name, parameters))
        })
        .collect();
    if calls.is_empty() || calls.iter().any(|(call, ..)| compared(tree, *call)) {
        return None;
    }
    let streams = streams(tree);
    let names = Names::of(unit);
    let mut text = Text::of(unit);
    let mut native = BTreeMap::new();
    for (call, name, parameters) in calls {
        let succeeds = names.free(&format!("{name}{SUCCEEDS}"));
        let file = names.free(&format!("{name}{FILE}"));
        // In parentheses, the name of a macro with arguments is that of the function.
        let declared = format!("extern _Bool ({succeeds})({parameters}); ");
        text.declare_before(call, &succeeds, &declared);
        text.declare_before(call, &file, &format!("static char {file}; "));
        let span = tree.exprs[call].span;
        text.open(span, "(");
        text.call_instead(call, &succeeds);
        text.close(span, &format!(" ? (void *)&{file} : 0)"));
        let kept = names.free(&format!("{name}_kept"));
        native
            .entry(name)
            .or_insert_with(|| executed(name, &succeeds, &file, &kept));
    }
    for (place, name) in streams {
        let file = names.free(&format!("{name}{FILE}"));
        text.declare_before(place, &file, &format!("static char {file}; "));
        text.replace(tree.exprs[place].span, &format!("(void *)&{file}"));
        let kept = names.free(&format!("{name}_kept"));
        native
            .entry(name)
            .or_insert_with(|| standard(name, &file, &kept));
    }
    let mut all = Native::default();
    native.into_values().for_each(|of_name| all.and(of_name));
    Some(Substituted {
        sources: text.sources(),
        native: all,
    })
}

/// A run that is executed opens the file: the object's declaration is then one of the function that has the place of the
/// pointer. Where a recorded run says whether the call succeeds, the file is an empty one.
fn executed(name: &str, succeeds: &str, file: &str, kept: &str) -> Native {
    let before = [
        format!("#define {file} (**{kept}())"),
        "#if !BA_CHOOSES".into(),
        format!("#define {succeeds}(...) ((*{kept}() = (char *)(void *){name}(__VA_ARGS__)) != 0)"),
        "#endif".into(),
    ];
    let behind = [
        format!("static char **{kept}() {{"),
        "  static __thread char *ba_kept;".into(),
        "#if BA_CHOOSES".into(),
        "  ba_kept = (char *)(void *)fopen(\"/dev/null\", \"r+\");".into(),
        "#endif".into(),
        "  return &ba_kept;".into(),
        "}".into(),
    ];
    Native {
        before: before.into(),
        behind: behind.into(),
    }
}

/// The same for a standard stream.
fn standard(name: &str, file: &str, kept: &str) -> Native {
    Native {
        before: vec![format!("#define {file} (*{kept}())")],
        behind: vec![format!(
            "static char *{kept}() {{ return (char *)(void *){name}; }}"
        )],
    }
}

/// The standard stream that an expression names.
fn stream(tree: &Tree, e: ExprId) -> Option<&'static str> {
    match &tree.exprs[e].kind {
        ExprKind::Ident(Resolved::Object(object)) => {
            let object = &tree.objects[*object];
            let name = STANDARD.into_iter().find(|known| *known == object.name);
            name.filter(|_| object.function.is_none())
        }
        _ => None,
    }
}

/// Where the program has standard streams as values, other than arguments of functions of the library, for which all
/// streams are the same.
fn streams(tree: &Tree) -> Vec<(ExprId, &'static str)> {
    let named = tree.exprs.ids().filter_map(|e| Some((e, stream(tree, e)?)));
    let passed = |e: ExprId| match tree.exprs[e].parent {
        Parent::Expr(around) => library_name(tree, around).is_some(),
        _ => false,
    };
    named.filter(|(e, _)| !passed(*e)).collect()
}

/// Whether the program compares pointers of the type that a call returns, other than with null and standard streams.
fn compared(tree: &Tree, call: ExprId) -> bool {
    let Some(opened) = tree.types.pointee(tree.exprs[call].ty) else {
        return true;
    };
    tree.exprs.ids().any(|e| match tree.exprs[e].kind {
        ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) => {
            let of_files = |e: ExprId| tree.types.pointee(tree.exprs[e].ty) == Some(opened);
            let known = |e: ExprId| is_null(tree, e) || stream(tree, e).is_some();
            (of_files(a) || of_files(b)) && !known(a) && !known(b)
        }
        _ => false,
    })
}

/// A piece of the text as the user wrote it, without what was added around calls.
pub fn restored(text: &str) -> String {
    let mut out = text.to_owned();
    for (name, _) in OPEN {
        let added = format!("({name}{SUCCEEDS}");
        let choice = format!(" ? (void *)&{name}{FILE}");
        while let Some(start) = out.find(&added) {
            let behind = start + added.len();
            let end = out[behind..].find(&choice).map(|at| behind + at);
            let close = end.and_then(|end| Some(end + out[end..].find(" : 0)")? + " : 0)".len()));
            if let (Some(end), Some(close)) = (end, close) {
                out.replace_range(end..close, "");
            }
            out.replace_range(start..behind, name);
        }
    }
    for name in STANDARD {
        out = out.replace(&format!("(void *)&{name}{FILE}"), name);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewriting::behind;

    fn changed(text: &str) -> Option<String> {
        let begin = "# 1 \"p.c\"\ntypedef struct _IO_FILE FILE; FILE *fopen(const char *, const char *); FILE *tmpfile(void); int fclose(FILE *); FILE *in;\n";
        behind(begin, text, opened)
    }

    #[test]
    fn a_call_that_opens_a_file_gives_null_or_an_object() {
        let text = changed("int main(int argc, char **argv) { FILE *f = fopen(argv[1], \"r\"); if (f == ((void *)0)) return 1; return (in = tmpfile()) && fclose(f); }");
        let text = text.expect("it opens files");
        for wanted in [
            "extern _Bool (fopen_succeeds)(const char *, const char *); static char fopen_file; ",
            "FILE *f = (fopen_succeeds(argv[1], \"r\") ? (void *)&fopen_file : 0); if",
            "(in = (tmpfile_succeeds() ? (void *)&tmpfile_file : 0))",
        ] {
            assert!(text.contains(wanted), "{wanted}: {text}");
        }
        assert_eq!(
            restored("f = (fopen_succeeds(argv[1], \"r\") ? (void *)&fopen_file : 0)"),
            "f = fopen(argv[1], \"r\")"
        );
        assert_eq!(restored("(fopen_succeeds("), "fopen(");
    }

    #[test]
    fn standard_streams_are_objects_where_they_are_values() {
        let text = changed("extern FILE *stdin; int feof(FILE *); int main(int argc, char **argv) { FILE *f = argc > 1 ? fopen(argv[1], \"r\") : stdin; if (feof(stdin)) return 1; return f != stdin && fclose(f); }");
        let text = text.expect("it opens files");
        for wanted in [
            ": 0) : (void *)&stdin_file; if (feof(stdin)) return 1; return f != (void *)&stdin_file && fclose(f); }",
            "static char stdin_file; ",
        ] {
            assert!(text.contains(wanted), "{wanted}: {text}");
        }
        assert_eq!(restored("f != (void *)&stdin_file"), "f != stdin");
    }

    #[test]
    fn programs_that_compare_files_stay_as_they_are() {
        assert_eq!(
            changed("int main(void) { FILE *f = tmpfile(); return f == in; }"),
            None
        );
        assert_eq!(changed("int main(void) { return in == 0; }"), None);
        let own = "FILE *fopen(const char *a, const char *b) { return a == b ? 0 : in; } int main(void) { return !fopen(0, 0); }";
        assert_eq!(changed(own), None);
    }
}
