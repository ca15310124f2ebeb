//! The output compiles to the same machine code as the input, with headers collapsed or expanded,
//! with and without insertions that mean nothing.

#![allow(clippy::unwrap_used)]

use crate::common;

use std::path::{Path, PathBuf};

use crate::common::{assembly, harmless, read};
use cfront::{Edits, Headers, OutputOptions, Unit};

fn emit(unit: &Unit, edits: &Edits, headers: Headers) -> String {
    let options = OutputOptions {
        headers,
        ..OutputOptions::default()
    };
    String::from_utf8(unit.emit(edits, &options).unwrap()).unwrap()
}

fn write(dir: &Path, name: &str, text: &str) -> PathBuf {
    let path = dir.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn same_code(files: &[(&str, &str)]) {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        write(dir.path(), name, text);
    }
    let main = dir.path().join(files[0].0);
    let expected = assembly(&main, &[]);
    let unit = read(&main);
    for headers in [Headers::Include, Headers::Expand] {
        for edits in [Edits::new(), harmless(&unit)] {
            let out = emit(&unit, &edits, headers);
            let file = write(dir.path(), "out.c", &out);
            assert_eq!(assembly(&file, &[]), expected, "{headers:?}:\n{out}");
        }
    }
}

#[test]
fn headers_of_every_kind() {
    same_code(&[(
        "all.c",
        r#"
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdatomic.h>
#include <assert.h>
#include <threads.h>
#include <errno.h>
#include <time.h>
#include <signal.h>
#include <setjmp.h>
#include <math.h>
#include <limits.h>
#include <ctype.h>
static jmp_buf env;
static atomic_int n;
static sem_t sem;
static bool flag = true;
static void handler(int s, siginfo_t *i, void *c) { (void)c; n += s + i->si_pid; }
static void *thread(void *p) {
    pthread_mutex_t *m = p;
    pthread_mutex_lock(m);
    atomic_fetch_add(&n, 1);
    pthread_mutex_unlock(m);
    return NULL;
}
int main(int argc, char **argv) {
    struct sigaction sa;
    memset(&sa, 0, sizeof sa);
    sa.sa_sigaction = handler;
    sigaction(SIGINT, &sa, NULL);
    pthread_t t;
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_create(&t, NULL, thread, &m);
    sem_init(&sem, 0, 1);
    assert(argc < INT_MAX && "text");
    if (setjmp(env)) return errno;
    for (int i = 0; i < argc; i++) printf("%s %d %zu\n", argv[i], isdigit(*argv[i]), strlen(argv[i]));
    fprintf(stderr, "%f %ld %" PRIu_ "\n", sqrt(2.0), (long)time(0), UINT64_C(3));
    if (isnan(NAN) && flag) longjmp(env, 1);
    pthread_join(t, 0);
    return fputs("x", stdout) < 0 ? EXIT_FAILURE : sched_getcpu();
}
"#
        .replace("PRIu_", "\"lu\"")
        .as_str(),
    )]);
}

#[test]
fn macros_of_the_user() {
    same_code(&[
        (
            "macros.c",
            r#"
#define NDEBUG
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define f(x) (f(x) + 1)
#undef linux
int linux = 3;
#include "mine.h"
#include <assert.h>
static int (f)(int x) { assert(x > 0); return MAX(x, linux); }
#undef NDEBUG
#define puts(s) (puts)(s "!")
#include <assert.h>
#pragma pack(push, 1)
struct s { char c; int i; };
#pragma pack(pop)
int main(void) {
    assert(sizeof(struct s) == 5);
    puts("a" /* comment */ "b");
#define LATE 7
    return f(LATE) + FROM_HEADER + __LINE__;
}
"#,
        ),
        (
            "mine.h",
            "#pragma once\n#ifndef MINE\n#define MINE\n#include <stdio.h>\n#include \"other.h\"\n\
             #define FROM_HEADER 12\nextern int linux;\n#endif\n",
        ),
        ("other.h", "static inline int other(void) { return 1; }\n"),
    ]);
}

#[test]
fn every_line_keeps_its_place() {
    let dir = tempfile::tempdir().unwrap();
    let main = write(
        dir.path(),
        "lines.c",
        "#include <stdio.h>\n\n\n\n\n\n\n\n\n\n\n\nint a = 1;\n#include <stdlib.h>\nint b\n= 2;\n",
    );
    let unit = read(&main);
    for headers in [Headers::Include, Headers::Expand] {
        let options = OutputOptions {
            headers,
            prologue: "int before;\nint also;\n",
            epilogue: "int after;\n",
            own_name: "<own>",
        };
        let out = String::from_utf8(unit.emit(&Edits::new(), &options).unwrap()).unwrap();
        let again = Unit::parse(cfront::Source::from_bytes(out.clone().into_bytes())).unwrap();
        let place = |name: &str| {
            let tree = &again.tree;
            let (_, object) = tree.objects.iter().find(|(_, o)| o.name == name).unwrap();
            let place = again.source.place(object.name_span);
            (
                place.file.rsplit('/').next().unwrap().to_string(),
                place.line,
            )
        };
        assert_eq!(place("a"), ("lines.c".into(), 13), "{out}");
        assert_eq!(place("b"), ("lines.c".into(), 15), "{out}");
        assert_eq!(place("before"), ("<own>".into(), 1), "{out}");
        assert_eq!(place("after"), ("<own>".into(), 1), "{out}");
    }
}

#[test]
fn a_prologue_may_include_headers() {
    let dir = tempfile::tempdir().unwrap();
    let main = write(
        dir.path(),
        "late.c",
        "#define int_ long\nint_ x;\n#define _GNU_SOURCE\n#define int_2 short\n#include <stdio.h>\n\
         int main(void) { return asprintf(0, \"\") + (int)x; }\n",
    );
    let unit = read(&main);
    let options = OutputOptions {
        prologue: "#include <stdio.h>\n#include <sched.h>\nint int_;\nint int_2;\n",
        ..OutputOptions::default()
    };
    let out = unit.emit(&Edits::new(), &options).unwrap();
    let file = dir.path().join("out.c");
    std::fs::write(&file, &out).unwrap();
    let errors = ["-Werror=implicit-function-declaration", "-fno-builtin"];
    let text = assembly(&file, &errors);
    assert!(text.contains("asprintf"), "{text}");
}

/// A library's `time.h` stands before the system's, and a prologue includes `<time.h>`, too.
#[test]
fn a_prologue_may_include_headers_that_the_user_replaces() {
    let dir = tempfile::tempdir().unwrap();
    let replacement = "#if defined MY_TIME_H\n#include_next <time.h>\n#else\n#define MY_TIME_H\n#include_next <time.h>\n\
        struct mine { time_t time; };\n#endif\n";
    write(dir.path(), "time.h", replacement);
    let text = "int y = 1;\n#include <time.h>\nint main(void) { struct mine m = {y}; return (int)m.time; }\n";
    let main = write(dir.path(), "p.c", text);
    let options = cfront::preprocess::Options {
        include_dirs: vec![dir.path().to_path_buf()],
        ..Default::default()
    };
    let source = cfront::preprocess::preprocess(&main, &options)
        .unwrap()
        .source;
    let unit = Unit::parse(source).unwrap();
    let options = OutputOptions {
        prologue: "#include <time.h>\nstatic time_t ours;\n",
        ..OutputOptions::default()
    };
    let out = String::from_utf8(unit.emit(&Edits::new(), &options).unwrap()).unwrap();
    let file = write(dir.path(), "out.c", &out);
    let include = format!("-I{}", dir.path().display());
    assert!(assembly(&file, &[&include]).contains("ours"), "{out}");
}

#[test]
fn misplaced_insertions_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let main = write(
        dir.path(),
        "p.c",
        "#include <stdio.h>\nint main(void) { return 0; }\n",
    );
    let unit = read(&main);
    let (_, f, _) = unit.tree.defined_functions().last().unwrap();
    let at = f.names[0].start;
    for (at, why) in [
        (at + 1, "within a token"),
        (0, "in a directive"),
        (usize::MAX, "behind the end"),
    ] {
        let mut edits = Edits::new();
        edits.insert(at, 0, "x").unwrap();
        let error = unit.emit(&edits, &OutputOptions::default()).unwrap_err();
        assert!(error.message.contains(why), "{error}");
    }
}

#[test]
fn insertions_leave_every_byte() {
    let text = "int f(int a)\n{\n  return a?1:2; /*x*/\n}";
    let unit = common::unit(text);
    let out = emit(&unit, &Edits::new(), Headers::Include);
    assert_eq!(out.trim_end(), text.trim_end());
}

#[test]
fn bytes_that_are_no_utf8_survive() {
    let mut bytes = b"char s[] = \"".to_vec();
    bytes.extend([0xe9, 0xff, b'"', b';', b'\n']);
    let unit = Unit::parse(cfront::Source::from_bytes(bytes.clone())).unwrap();
    assert_eq!(
        unit.emit(&Edits::new(), &OutputOptions::default()).unwrap(),
        bytes
    );
}

/// In a block, the brace before the qualifier does not end a statement.
#[test]
fn qualifiers_behind_a_structures_members() {
    same_code(&[(
        "qualified.c",
        "int use(const void *);\n\
         int main(void) {\n  struct s { char const *a; } const s[] = { { \"x\" }, { 0 } };\n  \
         struct { int a; } volatile t;\n  enum e { A, B } const e = B;\n  \
         union __attribute__((aligned(8))) u { int i; } const u = { 1 };\n  t.a = e;\n  \
         if (t.a) { t.a = 2; } static count = 3;\n  return use(s) + t.a + u.i + count;\n}\n",
    )]);
}

/// A macro without text before the first member leaves a semicolon.
#[test]
fn a_semicolon_before_the_first_member() {
    same_code(&[(
        "semicolon.c",
        "#define LOCK(x)\nstruct s { LOCK(a); int n; LOCK(b); };\n\
         union { struct __attribute__((packed)) { ; char c; } in; int all; } u;\n\
         int main(void) { struct s s = { 1 }; return s.n + u.all; }\n",
    )]);
}

/// Two system headers that include each other only through a third, like those of intrinsics.
const SYSTEM: [(&str, &str); 4] = [
    (
        "outer.h",
        "#ifndef OUTER\n#define OUTER\n#include <stdlib.h>\n#include <inner.h>\n#include <after.h>\n#endif\n",
    ),
    (
        "inner.h",
        "#ifndef OUTER\n#error include outer.h\n#endif\n#ifndef INNER\n#define INNER\n#include <stdio.h>\n\
         #include \"beside.h\"\n#define twice(x) (2 * (x))\n\
         static inline int inner(int n)\n{\n  return twice(n) + beside(n) + EOF;\n}\n#endif\n",
    ),
    ("beside.h", "static inline int beside(int n) { return n - 1; }\n"),
    (
        "after.h",
        "#ifndef INNER\n#error include inner.h\n#endif\n#ifndef AFTER\n#define AFTER\n\
         static inline int after(int n) { return twice(inner(n)); }\n#endif\n",
    ),
];

#[test]
fn a_system_header_is_written_where_something_is_inserted_into_it() {
    let dir = tempfile::tempdir().unwrap();
    let system = dir.path().join("sys");
    std::fs::create_dir(&system).unwrap();
    for (name, text) in SYSTEM {
        write(&system, name, text);
    }
    let text = "#include <outer.h>\n#include <after.h>\n#include <string.h>\n#include <outer.h>\n\
                int twice = 3;\nint main(void) { return twice + after(1) + (int)strlen(\"a\"); }\n";
    let main = write(dir.path(), "p.c", text);
    let place = system.to_str().unwrap().to_string();
    let extra = vec!["-isystem".to_string(), place.clone()];
    let options = cfront::preprocess::Options {
        extra: extra.clone(),
        ..Default::default()
    };
    let source = cfront::preprocess::preprocess(&main, &options)
        .unwrap()
        .source;
    let unit = Unit::parse(source).unwrap();
    let mut edits = Edits::new();
    let at = unit.source.text.find("return (2 * (n))").unwrap();
    edits.insert(at, 0, "extern int seen; seen++; ").unwrap();
    let out = emit(&unit, &edits, Headers::Include);
    for kept in ["<stdlib.h>", "<stdio.h>", "<after.h>", "<string.h>"] {
        assert!(out.contains(&format!("#include {kept}")), "{kept}:\n{out}");
    }
    for written in ["<inner.h>", "\"beside.h\""] {
        assert!(!out.contains(&format!("#include {written}")), "{out}");
    }
    // The places stay those of the header, about which compilers do not warn.
    let line = out.lines().position(|l| l.contains("seen++")).unwrap();
    let marker = out
        .lines()
        .take(line)
        .filter(|l| l.starts_with("# "))
        .last();
    let (file, flags) = marker.unwrap().rsplit_once('"').unwrap();
    assert!(file.ends_with("inner.h") && flags.contains('3'), "{out}");
    // The assembly is the same as for a header with the inserted text.
    let inner = SYSTEM[1]
        .1
        .replace("  return", "  extern int seen; seen++; return");
    write(&system, "inner.h", &inner);
    let flags: Vec<&str> = extra.iter().map(String::as_str).collect();
    let file = write(dir.path(), "out.c", &out);
    assert_eq!(
        common::try_assembly(&file, &flags).unwrap_or_else(|e| panic!("{e}{out}")),
        common::assembly(&main, &flags)
    );
}
