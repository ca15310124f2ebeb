//! Tests of the room `collect`: from the tree of a program to its facts.

use std::fmt::Write as _;

use expect_test::{expect, Expect};
use weave::facts::{JumpKind, Lifetime, WriteForm};

use crate::given::{program, Given, LIBRARY, THREADS};

fn check(header: &str, text: &str, show: impl Fn(&Given, &mut String), expected: Expect) {
    let given = program(header, text);
    let mut shown = String::new();
    show(&given, &mut shown);
    expected.assert_eq(&shown);
}

fn writes(given: &Given, out: &mut String) {
    for write in &given.facts.writes {
        let form = match &write.form {
            WriteForm::Assignment { operator, .. } => operator.clone(),
            WriteForm::Step {
                operator, prefix, ..
            } if *prefix => format!("{operator}_"),
            WriteForm::Step { operator, .. } => format!("_{operator}"),
            WriteForm::Initialiser => "initialiser".into(),
        };
        let root = write.place.root.map_or("*", |o| given.object(o));
        let used = if write.used { ", value used" } else { "" };
        writeln!(out, "{} [{root} {form}{used}]", given.shown(write.range)).unwrap();
    }
}

fn calls(given: &Given, out: &mut String) {
    for call in &given.facts.calls {
        let callee = call.callee.as_deref().unwrap_or("a pointer");
        let body = if call.target.is_some() {
            ""
        } else {
            ", no body"
        };
        let ends = if call.exits { ", ends the process" } else { "" };
        let again = if call.repeated { ", repeated" } else { "" };
        writeln!(
            out,
            "{} [{callee}{body}{ends}{again}]",
            given.shown(call.range)
        )
        .unwrap();
    }
}

fn loops(given: &Given, out: &mut String) {
    for each in &given.facts.loops {
        let line = given.line(each.range.start);
        write!(out, "{line} {}:", given.function(each.function)).unwrap();
        if let Some(iterations) = &each.iterations {
            write!(out, " {iterations:?}").unwrap();
        }
        if let Some(delay) = &each.delay {
            let names: Vec<&str> = delay.iter().map(|&o| given.object(o)).collect();
            write!(out, " a delay by {}", names.join(", ")).unwrap();
        }
        if let Some(busy) = &each.busy {
            let effects: Vec<String> = busy.effects.iter().map(|e| given.shown(e.range)).collect();
            write!(out, " waits unless [{}]", effects.join(" | ")).unwrap();
        }
        out.push('\n');
    }
}

fn jumps(given: &Given, out: &mut String) {
    for jump in &given.facts.jumps {
        let kind = match jump.kind {
            JumpKind::Goto => "goto",
            JumpKind::Break => "break",
            JumpKind::Continue => "continue",
        };
        let back = if jump.backward { " back" } else { "" };
        let target = given.line(jump.target_offset);
        writeln!(
            out,
            "{} [{kind}{back} to line {target}]",
            given.shown(jump.range)
        )
        .unwrap();
    }
}

#[test]
fn every_form_of_a_write() {
    let text = "
struct { int a : 3; } s;
int x, t[3], *p;
int main(void) {
  int y = 1;
  x = y = 2;
  t[x]++;
  s.a = --x;
  *p += 3;
  return 0;
}";
    check(
        "",
        text,
        writes,
        expect![[r#"
        4: int y = 1; [y initialiser]
        5: x = y = 2 [x =]
        5: y = 2 [y =, value used]
        6: t[x]++ [t _++]
        7: s.a = --x [s =]
        7: --x [x --_, value used]
        8: *p += 3 [* +=]
    "#]],
    );
}

#[test]
fn calls_with_and_without_a_body() {
    let text = "
int f(int n) { return n; }
int main(void) {
  int (*g)(int) = f;
  while (f(1)) g(2);
  exit(3);
}";
    check(
        LIBRARY,
        text,
        calls,
        expect![[r#"
        4: f(1) [f, repeated]
        4: g(2) [a pointer, no body, repeated]
        5: exit(3) [exit, no body, ends the process]
    "#]],
    );
}

#[test]
fn loops_that_count_and_loops_that_delay() {
    let text = "
int x;
struct { int from, to; } table[7];
int main(void) {
  for (int i = 0; i < 10; i++) x = i;
  for (volatile int i = 0; i < 1000; i++) ;
  while (x) x--;
  for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++) x = table[i].to;
  return 0;
}";
    check(
        "",
        text,
        loops,
        expect![[r#"
        4 main: Times(10)
        5 main: Times(1000)
        6 main:
        7 main: Times(7)
    "#]],
    );
}

#[test]
fn a_counter_that_never_passes_its_bound_is_no_delay() {
    let text = "
int ready;
void *worker(void *a) {
  do { unsigned char i; for (i = 0; i < 200; i++) ; } while (!ready);
  do { unsigned char i; for (i = 0; i < 300; i++) ; } while (!ready);
  do { signed char i; for (i = 0; i != 200; i++) ; } while (!ready);
  do { unsigned char i; for (i = 9; i > -1; i--) ; } while (!ready);
  do { _Bool i; for (i = 0; i <= 1; i++) ; } while (!ready);
  return a;
}
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); return 0; }";
    check(
        THREADS,
        text,
        loops,
        expect![[r#"
        3 worker: waits unless []
        3 worker: Times(200) a delay by i, i, i
        4 worker:
        4 worker: Times(300)
        5 worker:
        5 worker: Times(200)
        6 worker:
        6 worker:
        7 worker:
        7 worker: Times(2)
    "#]],
    );
}

#[test]
fn loops_that_only_wait() {
    let text = "
int ready, tries;
pthread_mutex_t m;
void *worker(void *a) {
  while (!ready) ;
  while (1) {
    if (ready) { tries = 1; break; }
  }
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  return 0;
}";
    check(
        THREADS,
        text,
        loops,
        expect![[r#"
        4 worker: waits unless []
        5 worker: waits unless [6: tries = 1;]
    "#]],
    );
}

#[test]
fn jumps_and_where_they_lead() {
    let text = "
int x;
int main(void) {
again:
  while (x) {
    if (x == 1) break;
    if (x == 2) continue;
    goto out;
  }
  goto again;
out:
  return 0;
}";
    check(
        "",
        text,
        jumps,
        expect![[r#"
        5: break; [break to line 8]
        6: continue; [continue to line 4]
        7: goto out; [goto to line 10]
        9: goto again; [goto back to line 3]
    "#]],
    );
}

#[test]
fn objects_and_where_they_live() {
    let text = "
static int a;
_Thread_local int b;
int main(int c, char **d) {
  static int e = 5;
  register int f = 0;
  int *g = &c;
  return *g + f + e + a + b;
}";
    let show = |given: &Given, out: &mut String| {
        for object in &given.facts.objects {
            let taken = if object.address_taken {
                ", address taken"
            } else {
                ""
            };
            let local = matches!(object.lifetime, Lifetime::Local(_));
            let initial = object
                .initial
                .filter(|_| !local)
                .map(|v| format!(", starts with {v}"));
            let initial = initial.unwrap_or_default();
            writeln!(
                out,
                "{}: {:?}{taken}{initial}",
                object.name, object.lifetime
            )
            .unwrap();
        }
    };
    check(
        "",
        text,
        show,
        expect![[r#"
            a: Static, starts with 0
            b: ThreadLocal, starts with 0
            c: Local(0), address taken
            d: Local(0)
            e: StaticLocal(0), starts with 5
            f: Local(0)
            g: Local(0)
        "#]],
    );
}
