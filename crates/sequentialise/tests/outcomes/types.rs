//! Types that functions declare in blocks, `typeof` and statement expressions, as in the kernel's macros.

use super::{check, threads};

const MACROS: &str = r"
#define min(x, y) ({ typeof(x) x_ = (x); typeof(y) y_ = (y); (void)(&x_ == &y_); x_ < y_ ? x_ : y_; })
#define READ_ONCE(x) ({ union { typeof(x) value; char bytes[1]; } u_; u_.value = *(const volatile typeof(x) *)&(x); u_.value; })
#define WRITE_ONCE(x, to) ({ typeof(x) v_ = (to); *(volatile typeof(x) *)&(x) = v_; v_; })
#define container_of(p, type, member) ({ const typeof(((type *)0)->member) *m_ = (p); (type *)((char *)m_ - __builtin_offsetof(type, member)); })
#define same(a, b) __builtin_types_compatible_p(typeof(a), typeof(b))
";

/// A program with these macros, preprocessed.
fn preprocessed(program: &str) -> String {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let mut gcc = Command::new("gcc")
        .args(["-E", "-P", "-xc", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let text = format!("{MACROS}{program}");
    let mut stdin = gcc.stdin.take().unwrap();
    stdin.write_all(text.as_bytes()).unwrap();
    drop(stdin);
    String::from_utf8(gcc.wait_with_output().unwrap().stdout).unwrap()
}

/// Regression: the declaration in the statement expression was repeated at file scope, where neither it nor the
/// parameter in its `typeof` means anything.
#[test]
fn parameters_in_typeof_of_a_statement_expression_are_followed() {
    let globals = "int x; static int least(unsigned interval, unsigned other) { return min(min(interval, other), 5u) + same(interval, other); }";
    let body = "x += least(3, 4);";
    let program = preprocessed(&threads(globals, &[body, body], "x"));
    check(&program, 1, &[8]);
    check(&program, 2, &[4, 8]);
}

#[test]
fn accesses_by_macros_of_the_kernel_are_single_steps() {
    let globals = "int x; struct part { int a; }; struct whole { int b; struct part p; } w;";
    let body = "int y = READ_ONCE(x); WRITE_ONCE(x, y + 1); struct whole *of = container_of(&w.p, struct whole, p); of->b = 1;";
    let program = preprocessed(&threads(globals, &[body, body], "x + w.b"));
    check(&program, 1, &[3]);
    check(&program, 2, &[2, 3]);
}

/// Regression: the types of several functions with one name were declared twice at file scope.
#[test]
fn types_of_blocks_have_the_meaning_of_their_blocks() {
    let globals = r"
int x; typedef int number; struct pair { char c; };
static int one(int n) {
  typedef long number;
  struct pair { int a; struct pair *next; union { int u; char v[4]; }; struct { int q : 3; unsigned : 2; int r; } named; } p = { n, 0 };
  enum { FIRST = 3, SECOND } e = SECOND;
  number y = x;
  p.next = &p; p.u = 3; p.named.q = 2;
  x = x + 1;
  return (int)(y - x) + p.next->a + p.v[0] + p.named.q + e + FIRST + sizeof(number) + sizeof(struct pair);
}
static int two(int n) {
  typedef short number;
  typedef __typeof__(n + x) sum;
  enum { FIRST = 5, SECOND } e = SECOND;
  struct pair { number a[2]; } b = { { 1, 2 } };
  struct __attribute__((packed)) { char c; int i; } p = { 1, 2 };
  static struct pair last; static struct { int k; } deep; static int *in = &deep.k;
  sum y = x + *in;
  last = b;
  x = (number)y;
  { typedef char sum; sum k = 1; y += k + sizeof(sum); }
  return y + e + FIRST + b.a[1] + sizeof(p) + sizeof(struct pair) + last.a[0];
}";
    let program = threads(globals, &["int r = one(1) + two(2); x = r;"], "x");
    // one: -1 + 1 + 3 + 2 - … as the compiler computes it without threads.
    let direct =
        format!("{globals}\nint main(void) {{ int r = one(1) + two(2); outcome(r); return 0; }}\n");
    let expected = super::outcomes(&direct, 1, 3);
    assert_eq!(super::outcomes(&program, 1, 3), expected);
    assert_eq!(super::native(&direct), expected);
}

/// Regression: the condition was written without its types, and `__func__` outside of its function.
#[test]
fn types_are_compared_and_functions_named_where_others_can_come_between() {
    let globals = "int x; static int once(int step) { static struct { const char *name; int n; } calls = { .name = __func__ }; \
        if (same(calls.n, step)) calls.n += step; if (same(&calls, step)) calls.n = 9; return calls.name[0] == 'o' ? calls.n : 9; }";
    let body = "x = once(2);";
    let program = preprocessed(&threads(globals, &[body, body], "x"));
    check(&program, 1, &[4]);
    check(&program, 2, &[2, 4]);
}
