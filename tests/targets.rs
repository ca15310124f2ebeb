//! Data models: a verdict is about the program's own machine.

use crate::support::{cbmc, Dir, NARROW};

/// Whether adding one to the greatest 32-bit number gives zero, the size of a structure with a
/// pointer, and memory that is allocated by a function with a 32-bit parameter.
const WIDTHS: &str = "#include <string.h>
extern void *malloc(unsigned int);
struct node { int value; struct node *next; };
unsigned long total; int wrapped, size, high;
int main(void)
{
    struct node *node = malloc(sizeof(struct node));
    char c = (char)200, bytes[4];
    memset(bytes, 1, sizeof bytes);
    node->value = 7;
    total = 0xfffffffful;
    total += bytes[2];
    size = sizeof(struct node);
    high = c > 100;
    if (total == 0 && node->value == 7)
        wrapped = 1;
    return 0;
}
";

/// An enumeration with three constants has one byte, and is without sign.
const SMALL: &str = "enum state { IDLE, RUN, STOP };
struct record { enum state state; unsigned char n; };
enum state state;
int wrapped, size;
int main(void)
{
    state = IDLE;
    state--;
    size = sizeof(struct record);
    if ((int)state == 255)
        wrapped = 1;
    return 0;
}
";

/// Enumerations of Arm's machines without an operating system were once taken to be as wide as `int`, and `G {size != 2}` was
/// proved.
#[test]
fn enumerations_are_as_small_as_the_targets() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("widths.c", SMALL)]);
    let proved = ("proved".to_owned(), 0);
    assert_eq!(holds(&dir, "cortex-m", "F {wrapped && size == 2}"), proved);
    assert_eq!(holds(&dir, "ilp32", "G {!wrapped && size != 2}"), proved);
}

fn holds(dir: &Dir, target: &str, formula: &str) -> (String, i32) {
    let (result, status) = dir.verify(&["--target", target, "--ltl", formula, "widths.c"]);
    let holds = result["properties"][0]["holds"].as_str();
    (holds.unwrap_or_default().to_owned(), status)
}

#[test]
fn widths_are_those_of_the_target() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("widths.c", WIDTHS)]);
    let proved = ("proved".to_owned(), 0);
    let formula = "F {wrapped && size == 8}";
    for target in ["ilp32", "cortex-m"] {
        assert_eq!(holds(&dir, target, formula), proved, "{target}");
    }
    assert_eq!(holds(&dir, "cortex-m", "F {high}"), proved);
    assert_eq!(holds(&dir, "ilp32", "G {!high}"), proved);
    // The preprocessor's macros say the same as the option, and a woven file has it in its record.
    let cpp = ["--cpp", "gcc -m32", "--ltl", formula, "w32.c"];
    dir.write(
        "w32.c",
        WIDTHS.replace(
            "#include <string.h>\n",
            "void *memset(void *, int, unsigned);\n",
        ),
    );
    let (result, status) = dir.verify(&cpp);
    assert_eq!((&result["verdict"], status), (&"true".into(), 0));
    let ran = dir.run(&[&["instrument", "-o", "out.c"], &cpp[..]].concat());
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(dir.read("out.c").starts_with("#if __SIZEOF_INT__ != 4"));
    let (again, status) = dir.verify(&["out.c"]);
    assert_eq!((&again["verdict"], status), (&"true".into(), 0));
}

#[test]
fn a_specification_names_the_target() {
    if !cbmc() {
        return;
    }
    let spec = r#"{ "ltl": "F {wrapped}", "target": "ilp32" }"#;
    let dir = Dir::with(&[("widths.c", WIDTHS), ("spec.json", spec)]);
    let (result, status) = dir.verify(&["spec.json", "widths.c"]);
    assert_eq!((&result["verdict"], status), (&"true".into(), 0));
    dir.write("bad.json", spec.replace("ilp32", "pdp11"));
    let ran = dir.run(&["check", "bad.json", "widths.c"]);
    assert_eq!(ran.status, 3);
    assert!(ran.stderr.contains("`target` is one of"), "{}", ran.stderr);
}

/// Native runs execute the program, which is another one here.
#[test]
fn what_is_executed_is_for_this_machine() {
    let dir = Dir::with(&[("widths.c", WIDTHS)]);
    let asked = [
        "verify",
        "--target",
        "ilp32",
        "--ltl",
        "F {wrapped}",
        "widths.c",
    ];
    let ran = dir.run(&[&asked[..], &["--backend", "native"]].concat());
    assert!(ran.stdout.contains("another machine"), "{ran:?}");
    let ran = dir.run(&[
        "verify", "--target", "lp64", "--cpp", "gcc -m32", "--ltl", "F {x}", "x.c",
    ]);
    assert_eq!(ran.status, 3, "{ran:?}");
    dir.write("x.c", "int x; int main(void) { return 0; }\n");
    let ran = dir.run(&[
        "verify", "--target", "lp64", "--cpp", "gcc -m32", "--ltl", "F {x}", "x.c",
    ]);
    assert_eq!(ran.status, 2, "{ran:?}");
    assert!(ran.stderr.contains("--target lp64"), "{}", ran.stderr);
}

#[test]
fn sixteen_bits() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[(
        "sum.c",
        "unsigned sum; int wrapped; typedef unsigned word __attribute__((__mode__(__HI__))); word w = 40000u;\n\
         int main(void) { sum = w; sum += 30000u; wrapped = sum == 4464; return 0; }\n",
    )]);
    let asked = |file: &'static str| ["--cpp", NARROW, "--ltl", "F {wrapped}", file];
    let (result, status) = dir.verify(&asked("sum.c"));
    assert_eq!(
        (&result["verdict"], status),
        (&"true".into(), 0),
        "{result}"
    );
    // Model checkers have wider pointers, so that what depends on them is refused.
    dir.write(
        "size.c",
        "struct s { char c; int n; } v; int wrapped;\nint main(void) { wrapped = sizeof(struct s) == 3; return 0; }\n",
    );
    let ran = dir.run(&[&["verify"], &asked("size.c")[..]].concat());
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(ran.stderr.contains("size.c:2:"), "{}", ran.stderr);
}

/// The model checker reads its own library with the headers of this machine: without them, `strlen` gave any value.
#[test]
fn functions_of_the_library_are_those_of_a_narrow_target() {
    if !cbmc() {
        return;
    }
    let program = "#include <string.h>\nchar text[8] = \"abc\", copy[8];\nunsigned n;\n\
        int main(void) { memcpy(copy, text, 8); n = strlen(copy); return 0; }\n";
    let dir = Dir::with(&[("widths.c", program)]);
    for target in ["avr", "ilp32"] {
        let proved = ("proved".to_owned(), 0);
        assert_eq!(holds(&dir, target, "F {n == 3}"), proved, "{target}");
    }
}

/// Headers of a 16-bit machine that compute with `double` only to wait, and packed structures, are no reason to refuse;
/// registers that the headers name are objects in every form.
#[test]
fn what_only_takes_time_is_of_any_width() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[
        ("wait.h", "#define LED (*(volatile unsigned char *)0x25)\nextern void __builtin_avr_delay_cycles(unsigned long);\n\
          extern double ceil(double);\nstatic inline void wait_ms(double ms) { __builtin_avr_delay_cycles((unsigned long)ceil(16e3 * ms)); }\n"),
        ("led.c", "#include <wait.h>\nstruct tag { char kind, size; long clock; } __attribute__((__packed__));\n\
          const struct tag tag = { 1, sizeof(struct tag) - 2, 16000000 };\n\
          int main(void) { LED = 1; wait_ms(0.5); LED = 0; return 0; }\n"),
    ]);
    let system = format!("{NARROW} -isystem .");
    let asked = [
        "--cpp",
        &system,
        "--ltl",
        "F {LED == 1} && F {LED == 0 && tag.size == 4}",
        "led.c",
    ];
    let (result, status) = dir.verify(&asked);
    assert_eq!(
        (&result["properties"][0]["holds"], status),
        (&"proved".into(), 0),
        "{result}"
    );
}

/// A task for 32-bit machines whose meaning depends on the widths is verified as such.
#[test]
fn tasks_for_32_bits() {
    if !cbmc() {
        return;
    }
    let task = "format_version: '2.0'\ninput_files: 'long.c'\nproperties:\n  - property_file: p.prp\n    expected_verdict: true\noptions:\n  language: C\n  data_model: ILP32\n";
    let dir = Dir::with(&[
        (
            "long.c",
            "unsigned long x = 0xfffffffful; int main(void) { x++; return 0; }\n",
        ),
        ("p.prp", "CHECK( init(main()), LTL(F \"x == 0\") )\n"),
        ("task.yml", task),
    ]);
    let (result, status) = dir.verify(&["task.yml"]);
    assert_eq!(
        (&result["verdict"], status),
        (&"true".into(), 0),
        "{result}"
    );
}

/// Promotion, conversions and overflows of a machine with 16 bits, in the search of all states, which runs here.
const NARROW_SUMS: &str = "typedef unsigned char u8;
unsigned u = 65535u, v = 200u, n; int i = -1, j = 30000, bad, done; long l = -1; u8 c = 200; unsigned long w;
enum side { LEFT, RIGHT } side = RIGHT;
static void check(int holds) { if (!holds) bad = 1; }
int main(void)
{
    check(l < 5u && !(i < 1u) && i > 65534u && ~0u == 65535u);
    l = u + 1u; check(l == 0);
    l = v * 400u; check(l == 14464);
    l = ~0u; check(l == 65535);
    l = (unsigned)c << 8; check(l == 51200);
    w = 1UL << 20; check(w == 1048576);
    l = 40000; check(l == 40000);
    l = c ? i : u; check(l == 65535);
    l = sizeof(int) + sizeof(long) + sizeof side; check(l == 8);
    l = j - u; check(l == 30001);
    i = j / -1; check(i == -30000);
    switch (u) { case -1: break; default: bad = 1; }
    u -= -1; check(u == 0);
    u--; check(u == 65535u);
    u *= u; check(u == 1);
    c += 100; check(c == 44);
    i = 5; check(i++ == 5 && i-- == 6 && --i == 4);
    i += j; check(i == 30004);
    i = -i; check(i == -30004);
    n = 3; check((1u << n) == 8 && -n == 65533u);
    done = side;
    for (;;) ;
}
";

/// What the search of all states alone says.
fn visited(dir: &Dir, cpp: &str, formula: &str, file: &str) -> (String, String) {
    let asked = ["--engine", "explicit", "--cpp", cpp, "--ltl", formula, file];
    let ran = dir.run(&[&["verify", "--format", "json"], &asked[..]].concat());
    let result: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
    let holds = result["properties"][0]["holds"].as_str();
    (holds.unwrap_or_default().to_owned(), ran.stdout)
}

#[test]
fn states_of_a_narrow_machine_are_visited_here() {
    if !cbmc() {
        return;
    }
    let wide = NARROW_SUMS.replace("l == 51200", "l == 51201");
    let dir = Dir::with(&[
        ("sums.c", NARROW_SUMS),
        ("wrong.c", &wide),
        (
            "last.c",
            "int n = 32767; int main(void) { n++; for (;;) ; }\n",
        ),
        (
            "greatest.c",
            "int n = 2147483647; int main(void) { n++; for (;;) ; }\n",
        ),
        (
            "size.c",
            "char *p; unsigned n; int main(void) { n = sizeof p; for (;;) ; }\n",
        ),
    ]);
    let formula = "F {done} && G {!bad}";
    let (holds, told) = visited(&dir, NARROW, formula, "sums.c");
    assert_eq!(holds, "proved", "{told}");
    let (holds, told) = visited(&dir, NARROW, formula, "wrong.c");
    assert_eq!(holds, "refuted", "{told}");
    // An overflow is undefined on both machines.
    let (narrow, told) = visited(&dir, NARROW, "G {n > 0}", "last.c");
    let (wide, _) = visited(&dir, "gcc", "G {n > 0}", "greatest.c");
    assert_eq!(narrow, wide, "{told}");
    // Pointers are wider here.
    let (_, told) = visited(&dir, "gcc -m32 -w", "F {n == 4}", "size.c");
    assert!(told.contains("size of a type with pointers"), "{told}");
}

/// What the builtins for overflows say of numbers of 32 bits is neither what they say of 64 bits, nor does it depend on how the
/// machine is named. gcc's own execution with `-m32` agrees with each line.
#[test]
fn overflows_are_those_of_the_target() {
    if !cbmc() {
        return;
    }
    let program = "int bad; extern long nondet_long(void);
        int main(void) {
          long a = nondet_long(), s; int i; unsigned long long w; short h;
          if (a < 2147483000L) return 0;
          if (__builtin_add_overflow(a, 1L, &s) != (a == 2147483647L)) bad = 1;
          if (__builtin_add_overflow(a, 1000L, &w) || w != (unsigned long long)a + 1000) bad = 2;
          if (!__builtin_mul_overflow(a, 2L, &i)) bad = 3;
          if (__builtin_saddl_overflow(a, 0L, &s)) bad = 4;
          if (__builtin_add_overflow(-1, 0u, &h) || h != -1) bad = 5;
          if (!__builtin_sub_overflow(0u, a, &w)) bad = 6;
          if (!__builtin_add_overflow_p(a, a, 0L) || __builtin_add_overflow_p(a, a, 0LL)) bad = 7;
          return 0;
        }";
    let dir = Dir::with(&[("p.c", program)]);
    for (machine, expected) in [
        (&["--target", "ilp32"][..], "proved"),
        (&["--cpp", "gcc -m32"], "proved"),
        (&[], "refuted"),
    ] {
        let asked = ["--ltl", "G {bad == 0}", "p.c", "--unwind", "2"];
        let (got, _) = dir.verify(&[&asked[..], machine].concat());
        assert_eq!(
            got["properties"][0]["holds"], expected,
            "{machine:?}: {got}"
        );
    }
}
