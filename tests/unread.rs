//! The search of all states does without what no run reads: elements behind the end of a queue, bytes of a line, stops at heads of
//! loops that ask for nothing; and it finds violations by some runs where not all can be visited.

use serde_json::Value;

use crate::support::{cbmc, ran, repository, Dir};

fn explicit(program: &str, formula: &str) -> (String, Value) {
    let dir = Dir::with(&[("prog.c", program)]);
    let args = ["prove", "--engine", "explicit", "--states", "20000"];
    let rest = ["--format", "json", "-q", "--ltl", formula, "prog.c"];
    let args = [&args[..], &rest].concat();
    let out = ran(&mut dir.command(&args));
    let result: Value =
        serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"));
    let property = result["properties"][0].clone();
    (property["holds"].as_str().unwrap().to_string(), property)
}

fn states(property: &Value) -> u64 {
    property["proof"]["explored"]["states"].as_u64().unwrap()
}

/// Requests that a program puts into an array and takes out again.
fn queue(put: &str, take: &str) -> String {
    format!(
        "int nondet_int(void);
struct item {{ int kind, left; }} items[4], item;
int q[4], n, first, got = 1, bad;
static void take(void) {{ {take} }}
int main(void) {{
  while (1) {{
    int x = nondet_int();
    if (x >= 1 && x <= 3) {{ if (n < 4) {{ {put} }} }}
    else take();
  }}
}}
"
    )
}

/// At the end of a queue that is shifted, and in a ring.
const LAST: &str = "q[n++] = x;";
const NEXT: &str = "items[(first + n) % 4].kind = x; n++;";

#[test]
fn elements_that_no_run_reads_make_no_states() {
    if !cbmc() {
        return;
    }
    let shift = "if (n > 0) { got = q[0]; for (int i = 1; i < n; i++) q[i - 1] = q[i]; n--; }";
    let ring = "if (n > 0) { item = items[first]; got = item.kind; first = (first + 1) % 4; n--; }";
    // There are 121 queues of at most four of three values, and three values that were taken, and four places where a ring begins; with
    // what stands elsewhere in the array there are more.
    for (put, take, most) in [(LAST, shift, 400), (NEXT, ring, 1800)] {
        let (holds, property) = explicit(&queue(put, take), "G {got >= 1 && got <= 3}");
        assert_eq!(holds, "proved", "{property}");
        assert!(states(&property) < most, "{property}");
    }
}

/// Elements behind the end of a queue count where they are read: directly, by a pointer, through a copy of the whole structure, or
/// of memory.
#[test]
fn elements_behind_the_end_that_are_read_are_not_forgotten() {
    if !cbmc() {
        return;
    }
    for (put, take) in [
        (LAST, "if (n > 0) { n--; if (n == 0 && q[1] == 3) bad = 1; }"),
        (LAST, "int *p = q; if (n > 0) { n--; if (n == 0 && *(p + 1) == 3) bad = 1; }"),
        (LAST, "if (n > 0) { n--; int c[4]; __builtin_memcpy(c, q, sizeof c); if (n == 0 && c[1] == 3) bad = 1; }"),
        (NEXT, "if (n > 0) { n--; item = items[1]; if (n == 0 && item.kind == 3) bad = 1; }"),
        (NEXT, "if (n > 0) { n--; items[0] = items[1]; if (n == 0 && items[0].kind == 3) bad = 1; }"),
    ] {
        let (holds, property) = explicit(&queue(put, take), "G {bad == 0}");
        assert_eq!(holds, "refuted", "{take}: {property}");
    }
}

/// A program that reads lines and looks at their first bytes.
fn reader(then: &str) -> String {
    format!(
        "#include <stdio.h>
int n, bad;
int main(void) {{
  char line[32];
  line[0] = line[1] = 0;
  while (1) {{
    if (fgets(line, sizeof line, stdin) != NULL) {{
      if (line[0] == '+') {{ if (n < 5) n++; }}
      else if (line[0] == '-') {{ if (n > 0) n--; }}
      else printf(\"what is %s\", line);
    }}
    {then}
  }}
}}
"
    )
}

#[test]
fn bytes_of_lines_that_no_run_reads_make_no_states() {
    if !cbmc() {
        return;
    }
    let (holds, property) = explicit(&reader(""), "G {n >= 0 && n <= 5}");
    assert_eq!(holds, "proved", "{property}");
    assert!(states(&property) < 60, "{property}");
    // A byte of a line that was read before counts, too.
    let (holds, property) = explicit(&reader("else if (line[1] == 'x') bad = 1;"), "G {bad == 0}");
    assert_eq!(holds, "refuted", "{property}");
    let stays = reader("if (line[0] == '+' && line[1] == 'x' && line[2] == 'y') bad = 1;");
    let (holds, property) = explicit(&stays, "G {bad == 0}");
    assert_eq!(holds, "refuted", "{property}");
}

#[test]
fn a_loop_that_asks_for_nothing_is_part_of_a_step() {
    if !cbmc() {
        return;
    }
    let program = "int nondet_int(void); int sum;
int main(void) {
  while (1) {
    int x = nondet_int();
    if (x < 0 || x > 9) continue;
    sum = 0;
    for (int i = 0; i < x; i++) sum++;
  }
}
";
    let (holds, property) = explicit(program, "G {sum >= 0 && sum <= 9}");
    assert_eq!(holds, "proved", "{property}");
    // The start, and each sum with its letter; no state within the inner loop.
    assert!(states(&property) <= 12, "{property}");
}

/// Faults that need the functions of the library, many inputs, or inputs that no finite set stands for.
#[test]
fn some_runs_show_what_all_states_do_not() {
    if !cbmc() {
        return;
    }
    let commands = reader("").replace("line[0] == '-'", "strcmp(line, \"down\\n\") == 0");
    let commands = commands.replace("if (n > 0) n--;", "n--;").replace(
        "#include <stdio.h>",
        "#include <stdio.h>\n#include <string.h>",
    );
    let (holds, property) = explicit(&commands, "G {n > -4}");
    assert_eq!(holds, "refuted", "{property}");
    let clock = "unsigned nondet_unsigned(void); unsigned since; int lamp;
int main(void) {
  while (1) {
    unsigned now = nondet_unsigned();
    if (now - since >= 300) { lamp = lamp + 1; since = now; }
    if (lamp > 7) lamp = 0;
  }
}
";
    let (holds, property) = explicit(clock, "G {lamp < 6}");
    assert_eq!(holds, "refuted", "{property}");
    assert_eq!(property["evidence"], "prefix", "{property}");
    // Nothing is proved by some runs.
    let (holds, property) = explicit(clock, "G {lamp <= 8}");
    assert_eq!(holds, "unknown", "{property}");
}

/// What grows for ever has no loop of states, but the beginning of a run is enough.
#[test]
fn the_beginning_of_a_run_shows_a_violation_beside_a_counter() {
    if !cbmc() {
        return;
    }
    let program = std::fs::read_to_string(repository("tests/reactive/watchdog.c")).unwrap();
    let program = format!("#define BROKEN\n{program}");
    let (holds, property) = explicit(&program, "G {ticks >= 0 && ticks <= 10}");
    assert_eq!(holds, "refuted", "{property}");
    assert_eq!(property["evidence"], "prefix", "{property}");
}

/// An element that counted as buried for a moment, and was not written since, is not alive without its value: between the write of
/// an element and the change of the count is a stop.
#[test]
fn an_element_is_not_buried_between_its_write_and_the_count() {
    if !cbmc() {
        return;
    }
    let program = "int nondet(void);
int buf[3], in, out, count, last, phase, item;
int main(void) {
  for (;;) {
    int c = nondet() & 1;
    if (c && count < 3) {
      item = item == 3 ? 1 : item + 1;
      buf[in] = item;
      do phase = !phase; while (nondet() & 1);
      in = (in + 1) % 3;
      count++;
    } else if (!c && count > 0) {
      last = buf[out];
      out = (out + 1) % 3;
      count--;
    }
  }
}
";
    assert_eq!(explicit(program, "G {last != 2}").0, "refuted");
    assert_eq!(explicit(program, "G {last >= 0 && last <= 3}").0, "proved");
}
