//! Functions of the C library that model checkers do not know: what is written out for them computes what the library does.

use std::process::Command;

use crate::support::{cbmc, repository, Dir, AMPLE};
use serde_json::{json, Value};

/// What the library itself computes, natively.
fn computed_natively(dir: &Dir) -> String {
    let built = Command::new("gcc")
        .args(["-w", "-DSHOW", "known.c", "-o", "known"])
        .current_dir(dir.path(""))
        .status()
        .expect("gcc is installed");
    assert!(built.success());
    let out = Command::new(dir.path("known")).output();
    let out = out.expect("it was built").stdout;
    String::from_utf8(out)
        .expect("it prints a number")
        .trim()
        .to_owned()
}

/// Checks the verdicts of a bounded search.
fn gives(program: &str, expected: &[(&str, &str)]) {
    let list: String = (0..)
        .zip(expected)
        .map(|(number, (formula, _))| format!("p{number}: {formula}\n"))
        .collect();
    let dir = Dir::with(&[("prog.c", program), ("l.txt", &list)]);
    let (result, _) = dir.verify(&["--properties", "l.txt", "prog.c", "--no-trace"]);
    let found = result["properties"].as_array().unwrap();
    assert_eq!(found.len(), expected.len(), "{result}");
    for ((formula, verdict), property) in expected.iter().zip(found) {
        assert_eq!(property["verdict"], json!(verdict), "{formula}: {result}");
        assert_eq!(property["reason"], Value::Null, "{formula}: {result}");
    }
}

/// Thousands of calls with edge cases: the search of all states follows the definitions.
#[test]
fn the_definitions_compute_what_the_library_does() {
    if !cbmc() {
        return;
    }
    let text = std::fs::read_to_string(repository("tests/library/known.c")).unwrap();
    let dir = Dir::with(&[("known.c", &text)]);
    let hash = computed_natively(&dir);
    let rows = [
        (format!("F {{done == 1 && hash == {hash}ul}}"), "true"),
        (format!("G {{hash != {hash}ul}}"), "false"),
    ];
    for (formula, verdict) in crate::support::sample(rows, 2) {
        let args = [
            "--engine", "explicit", "--budget", AMPLE, "--ltl", &formula, "known.c",
        ];
        let (result, _) = dir.verify(&args);
        assert_eq!(result["verdict"], json!(verdict), "{result}");
        let assumed = result["assumptions"].to_string();
        assert!(assumed.contains("sorts by insertion"), "{result}");
    }
}

/// Model checkers follow them, too, with values that are not constant.
#[test]
fn model_checkers_follow_the_definitions() {
    let sorts = "#include <stdlib.h>
        int nondet(void);
        int list[3], sorted;
        static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
        int main(void) {
            for (int i = 0; i < 3; i++) list[i] = nondet() & 7;
            qsort(list, 3, sizeof *list, order);
            int key = 5, *found = bsearch(&key, list, 3, sizeof *list, order);
            sorted = 1 + (list[0] <= list[1] && list[1] <= list[2] && (!found || *found == 5));
            return 0;
        }";
    let prints = "#include <stdio.h>
        #include <string.h>
        unsigned char nondet(void);
        char text[16], copy[16]; int n, words, sum = -1;
        int main(void) {
            unsigned char value = nondet();
            n = snprintf(text, sizeof text, \"%u,%02x\", value, value);
            strcpy(copy, text);
            for (char *word = strtok(text, \",\"); word; word = strtok(NULL, \",\")) words++;
            sum = value >= 100 ? copy[0] - '0' : -1;
            return 0;
        }";
    if cbmc() {
        gives(
            sorts,
            &[("F {sorted == 2}", "true"), ("G {sorted != 2}", "false")],
        );
        let formulas = [
            ("F {words == 2}", "true"),
            ("G {n < 7 && sum < 3}", "presumably_true"),
            ("G {n != 6}", "false"),
            ("G {sum != 2}", "false"),
            ("G {sum != 0}", "presumably_true"),
        ];
        gives(prints, &formulas);
    }
}

/// What model checkers have for these functions gives no more than the room for the text, so that a text was proved never to be
/// cut, and may leave out the null character.
#[test]
fn texts_that_are_cut_have_the_length_of_the_whole_and_end() {
    let program = |call: &str| {
        format!(
            "#include <stdarg.h>
        #include <stdio.h>
        char text[4]; int n;
        static void show(char *room, unsigned long size, const char *format, ...) {{
            va_list list;
            va_start(list, format);
            n = vsnprintf(room, size, format, list);
            va_end(list);
        }}
        int main(void) {{ {call} return 0; }}"
        )
    };
    if !cbmc() {
        return;
    }
    let cut = [("G {n <= 4}", "false"), ("G {!text[3]}", "presumably_true")];
    gives(
        &program("n = snprintf(text, sizeof text, \"%g\", 0.125);"),
        &cut,
    );
    gives(
        &program("show(text, sizeof text, \"%s %d\", \"count\", 12);"),
        &cut,
    );
    let measured = [("G {n == 0}", "false"), ("G {n >= -1}", "presumably_true")];
    gives(&program("show(0, 0, \"%d\", 12);"), &measured);
}

/// A list of arguments was said to be read before it has a value: `va_start` gives it one.
#[test]
fn functions_that_print_their_further_arguments_are_searched() {
    let program = "#include <stdarg.h>
        #include <stdio.h>
        int lines; _Bool more(void);
        static void show(const char *format, ...) {
            va_list list;
            va_start(list, format);
            vfprintf(stderr, format, list);
            va_end(list);
            lines ^= 1;
        }
        int main(void) { while (more()) show(\"on %d\\n\", 1); return 0; }";
    if cbmc() {
        let dir = Dir::with(&[("prog.c", program)]);
        let explicit = ["--engine", "explicit", "--no-trace", "prog.c"];
        let (result, _) = dir.verify(&[&["--ltl", "G {lines < 2}"], &explicit[..]].concat());
        assert_eq!(result["holds"], json!("proved"), "{result}");
    }
}

/// C says of `isdigit` and its kin that what they give is zero or not; it was 0 or 1 for model checkers, so that what holds for
/// no library but theirs was proved.
#[test]
fn what_tells_the_class_of_a_character_gives_any_number_but_zero() {
    let program = "#include <ctype.h>
        int found, one, c; int nondet(void);
        static int any(int given) { return isupper(given); }
        int main(void) {
            c = 'A' + (nondet() & 7);
            one = any(c) == 1;
            found = isupper(c) && !isdigit(c) && isalpha(c) != 0 ? 1 : 2;
            return 0;
        }";
    if cbmc() {
        let formulas = [
            ("G {found != 2}", "presumably_true"),
            ("F {found == 1}", "true"),
            ("F {one == 1}", "presumably_false"),
        ];
        gives(program, &formulas);
        // An execution shows one library's numbers, if the compiler does not compute its own.
        let dir = Dir::with(&[("prog.c", program)]);
        let explicit = ["--engine", "explicit", "--ltl", "F {one == 1}", "prog.c"];
        let (result, _) = dir.verify(&explicit);
        assert_eq!(result["holds"], json!("unknown"), "{result}");
    }
}

/// The definitions did not compile where a program is C of 1989.
#[test]
fn the_definitions_are_c_of_1989() {
    if !cbmc() {
        return;
    }
    let program = "#include <stdlib.h>
        #include <string.h>
        int a[3] = {3, 1, 2}; int n, k; char s[8];
        static int order(const void *x, const void *y) { return *(const int *)x - *(const int *)y; }
        int main(void) {
            char *p;
            strcpy(s, \"a,b\");
            qsort(a, 3, sizeof *a, order);
            for (p = strtok(s, \",\"); p; p = strtok(0, \",\")) n++;
            k = strtoul(\"12\", 0, 10);
            return 0;
        }";
    let dir = Dir::with(&[("prog.c", program)]);
    let formula = "F {a[0] == 1 && n == 2 && k == 12}";
    for engine in ["explicit", "bounded"] {
        let args = [
            "--std", "gnu89", "--engine", engine, "--ltl", formula, "prog.c",
        ];
        let (result, _) = dir.verify(&args);
        assert_eq!(result["verdict"], json!("true"), "{result}");
    }
}

/// A number ends before a digit that its base does not have.
#[test]
fn numbers_have_the_digits_of_their_base() {
    if !cbmc() {
        return;
    }
    let program = "#include <stdlib.h>
        long octal, binary, zero; char *end; int done;
        int main(void) {
            octal = strtol(\"0281\", &end, 0); binary = strtol(\"-1012\", 0, 2); zero = strtol(\"8\", 0, 8);
            done = 1;
            return 0;
        }";
    let right = "F {done == 1 && octal == 2 && *end == '8' && binary == -5 && zero == 0}";
    gives(program, &[(right, "true")]);
}

/// A helper reads a number, or looks for a character, in a string of any length: proofs had no contract for that, and ended in the
/// library's loop.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn helpers_that_read_strings_of_any_length_are_proved() {
    if !cbmc() {
        return;
    }
    let program = "#include <stdlib.h>
        #include <string.h>
        int port = -1, at = -1, tries; int connects(int);
        static int parse(const char *s) {
            char *end; long v = strtol(s, &end, 10);
            return end == s || *end != 0 || v < 1 || v > 65535 ? -1 : (int)v;
        }
        static int colon(const char *s) {
            const char *c = strchr(s, ':');
            return c != 0;
        }
        int main(int argc, char **argv) {
            if (argc != 2) return 2;
            port = parse(argv[1]);
            at = colon(argv[1]);
            while (tries < 10 && connects(port)) tries++;
            return 0;
        }";
    let dir = Dir::with(&[("prog.c", program)]);
    let formulas = [
        ("G {port == -1 || port >= 1 && port <= 65535}", "proved"),
        ("G {at <= 1}", "proved"),
    ];
    let mut args = vec!["--engine", "induction", "prog.c", "--no-trace"];
    args.extend(formulas.iter().flat_map(|(f, _)| ["--ltl", f]));
    let (result, _) = dir.verify(&args);
    for (i, (formula, wanted)) in formulas.iter().enumerate() {
        let of = &result["properties"][i];
        assert_eq!(of["holds"], json!(wanted), "{formula}: {of}");
    }
}

/// Functions of `<math.h>` that model checkers only estimate, or get wrong.
const COMPUTES: &str = "#include <math.h>
    double root, rest, power, product, grown, near; float small; int done;
    int main(void) {
        root = cbrt(8.0); rest = fmod(-5.5, 2.0); power = pow(-2.0, 3.0); product = ldexp(0.75, 4);
        grown = exp(1.0); near = sin(1.0); small = powf(3.0f, 4.0f);
        done = 1;
        return 0;
    }";

/// What is known of every library is proved; what is not rests on the library.
#[test]
fn estimated_functions_have_their_exact_values_where_these_are_known() {
    if !cbmc() {
        return;
    }
    let exact = "done == 1 && rest == -1.5 && power == -8.0 && product == 12.0 && small == 81.0f";
    let bounds = "done == 0 || (near >= -1.0 && near <= 1.0 && grown >= 1.0 && root >= 0.0)";
    gives(
        COMPUTES,
        &[
            (&format!("F {{{exact}}}"), "true"),
            (&format!("G {{{bounds}}}"), "presumably_true"),
        ],
    );
}

/// A violation stands if an execution, which calls the library, shows it.
#[test]
fn violations_by_estimated_values_are_executed() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("prog.c", COMPUTES)]);
    let (result, _) = dir.verify(&["--ltl", "F {root == 2.0}", "prog.c"]);
    assert_eq!(result["verdict"], json!("unknown"), "{result}");
    let reason = result["reason"].as_str().unwrap_or_default();
    assert!(
        reason.contains("`cbrt`") && reason.contains("no execution shows it"),
        "{result}"
    );
    for trace in [&["--no-trace"][..], &[]] {
        let args = [
            &[
                "--engine",
                "bounded",
                "--ltl",
                "G {grown < 2.71 || grown > 2.72}",
                "prog.c",
            ],
            trace,
        ]
        .concat();
        let (result, _) = dir.verify(&args);
        assert_eq!(result["verdict"], json!("false"), "{result}");
        assert_eq!(result["holds"], json!("refuted"), "{result}");
        // The execution has other values than the model checker's estimates.
        let steps = result["properties"][0]["trace"].as_array();
        let shown = steps.into_iter().flatten().skip(1);
        assert!(
            shown.clone().all(|step| step["values"].is_null()),
            "{result}"
        );
        assert_eq!(shown.count() > 0, trace.is_empty(), "{result}");
    }
}

/// CBMC 6.6 rounds square roots wrongly, so that a value that `sqrt` has was proved to be none of its values, and takes a minute
/// for them. It rounds the product in `fma`, and lets `difftime` return anything.
#[test]
fn roots_are_rounded_and_what_is_unknown_of_numbers_is_executed() {
    if !cbmc() {
        return;
    }
    let program = "#include <math.h>
        #include <time.h>
        double root, tiny, none, rest, later, part; float small; int power, odd, done; double nondet_double(void);
        int main(void) {
            root = sqrt(3.2); tiny = sqrt(0x1.8p-1050); none = sqrt(-1.0); small = sqrtf(7.25f);
            part = frexp(-40.0, &power); odd = __builtin_parity(0x7000u);
            rest = fma(0x1.0000001p+0, 0x1.ffffffep-1, -1.0); later = difftime(27, 54);
            done = 1;
            return 0;
        }";
    let right = "F {done == 1 && root == 0x1.c9f25c5bfedd9p+0 && tiny == 0x1.3988e1409212ep-525 && none != none \
                 && small == 0x1.58a68ap+1f && part == -0.625 && power == 6 && odd == 1}";
    let wrong = "G {done == 0 || root != 0x1.c9f25c5bfedd9p+0}";
    gives(program, &[(right, "true"), (wrong, "false")]);
    let dir = Dir::with(&[("prog.c", program)]);
    for (right, function) in [("rest == -0x1p-56", "fma"), ("later == -27.0", "difftime")] {
        let formula = format!("G {{done == 0 || {right}}}");
        let (result, _) = dir.verify(&["--ltl", &formula, "prog.c"]);
        let reason = result["reason"].as_str().unwrap_or_default();
        assert!(reason.contains(&format!("`{function}`")), "{result}");
        let formula = format!("G {{done == 0 || {}}}", right.replace("==", "!="));
        let (result, _) = dir.verify(&["--ltl", &formula, "prog.c"]);
        assert_eq!(result["verdict"], json!("false"), "{result}");
    }
}

/// So it is with functions that a model checker does not know.
#[test]
fn violations_by_functions_without_a_model_are_executed() {
    if !cbmc() {
        return;
    }
    let program = "#include <stdio.h>
        #include <string.h>
        #include <strings.h>
        char text[16]; int order = 9, place = 9, done;
        int main(void) {
            order = strcoll(\"a\", \"a\");
            place = index(\"abc\", 'c') != NULL;
            sprintf(text, \"%.2f\", 1.5);
            done = 1;
            return 0;
        }";
    let dir = Dir::with(&[("prog.c", program)]);
    for (formula, verdict) in [
        ("F {done == 1 && order == 0}", "unknown"),
        ("F {done == 1 && place == 1}", "unknown"),
        ("F {done == 1 && text[1] == '.'}", "unknown"),
        ("G {done == 0 || place == 0}", "false"),
    ] {
        let (result, _) = dir.verify(&["--ltl", formula, "prog.c"]);
        assert_eq!(result["verdict"], json!(verdict), "{formula}: {result}");
        let reason = result["reason"].as_str().unwrap_or_default();
        assert_eq!(
            reason.contains("no execution shows it"),
            verdict == "unknown",
            "{result}"
        );
    }
}

/// The search of all states executes the program.
#[test]
fn the_search_of_all_states_calls_the_library() {
    if !cbmc() {
        return;
    }
    let dir = Dir::with(&[("prog.c", COMPUTES)]);
    let (result, _) = dir.verify(&[
        "--engine",
        "explicit",
        "--budget",
        AMPLE,
        "--ltl",
        "F {root == 2.0}",
        "prog.c",
    ]);
    assert_eq!(result["holds"], json!("proved"), "{result}");
}

/// What such a function writes is an event, too: the call keeps its place in the event's block.
#[test]
fn what_a_defined_function_writes_is_an_event() {
    if !cbmc() {
        return;
    }
    let program = "#define _GNU_SOURCE
        #include <string.h>
        char text[8];
        int main(void) {
            char *end = stpcpy(text, \"abc\");
            stpcpy(end, \"def\");
        }";
    let dir = Dir::with(&[("prog.c", program)]);
    let (result, _) = dir.verify(&["--ltl", "{text[0] == 0} U {text[3] == 100}", "prog.c"]);
    assert_eq!(result["verdict"], json!("false"), "{result}");
    let (result, _) = dir.verify(&["--ltl", "F {text[3] == 100}", "prog.c"]);
    assert_eq!(result["verdict"], json!("true"), "{result}");
}

/// The last array of a structure may go on to the end of the object.
#[test]
fn arrays_at_the_end_of_structures_are_as_long_as_their_objects() {
    if !cbmc() {
        return;
    }
    let program = "#include <stdlib.h>
        #include <string.h>
        struct message { int length; char data[1]; };
        unsigned char buffer[8]; int sum, last, sent;
        int main(void) {
            struct message *m = malloc(sizeof *m + 8);
            if (!m) exit(1);
            m->length = 4;
            for (int i = 0; i < m->length; i++) m->data[i] = (char)(i + 1);
            for (int i = 0; i < m->length; i++) sum += m->data[i];
            strcpy(m->data, \"abcd\");
            last = m->data[3];
            struct message *own = (struct message *)buffer;
            own->data[2] = 9;
            sent = 1;
            return 0;
        }";
    gives(
        program,
        &[
            (
                "G ({sent == 1} -> {sum == 10 && last == 'd' && buffer[6] == 9})",
                "presumably_true",
            ),
            ("G {last == 0 || last == 'd'}", "presumably_true"),
        ],
    );
}

/// Arguments that no prototype converts are promoted.
#[test]
fn arguments_without_a_prototype_are_promoted() {
    if !cbmc() {
        return;
    }
    let program = "#include <stdarg.h>
        int add(); int total, sum; double mean;
        char step = 3; short delta = -2; float half = 0.5f; struct { unsigned low : 3; } field = {5};
        int added(int n, ...) {
            va_list list; int all = 0;
            va_start(list, n);
            while (n-- > 0) all += va_arg(list, int);
            mean = va_arg(list, double);
            va_end(list);
            return all;
        }
        int main(void) {
            total = add(total, step); total = add(total, delta);
            sum = added(3, step, delta, field.low, half);
            return 0;
        }
        int add(int t, int s) { return t + s; }";
    gives(
        program,
        &[("F {total == 1 && sum == 6 && mean == 0.5}", "true")],
    );
}

/// Bit-fields do not cross a boundary of their type, which shows in the bytes of their structure.
#[test]
fn bit_fields_are_where_the_compiler_puts_them() {
    if !cbmc() {
        return;
    }
    let program =
        "union { struct { unsigned low : 20, high : 20; } fields; unsigned char bytes[8]; } word;
        int done;
        int main(void) { word.fields.high = 5; done = 1; return 0; }";
    gives(
        program,
        &[(
            "F {done == 1 && word.bytes[4] == 5 && word.bytes[2] == 0}",
            "true",
        )],
    );
}
