//! Programs that read lines and copy texts: proofs by induction follow no loop of the library, and the search of all states keeps no
//! characters of words.

use super::prove;
use crate::support::{cbmc, Dir};

/// Each line is cut into words, one of which is looked for among those that were stored.
const STOCK: &str = "#include <stdio.h>
#include <string.h>
static char names[2][8];
static int count;
static int find(const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return i;
    return -1;
}
int main(void) {
    char line[8], *word;
    while (fgets(line, sizeof line, stdin)) {
        word = strtok(line, \" \\n\");
        if (word && find(word) < 0 && count < 2) strcpy(names[count++], word);
    }
}";

/// Each line is copied.
const COPIES: &str = "#include <stdio.h>
#include <string.h>
static char last[20], label[28];
int main(void) {
    char line[24];
    while (fgets(line, sizeof line, stdin)) {
        strncpy(last, line, sizeof last - 1);
        strcpy(label, \"last: \");
        strcat(label, last);
    }
}";

/// Asks for a proof by induction.
fn induced(program: &str, formula: &str) -> String {
    let dir = Dir::with(&[("prog.c", program)]);
    let induction = [
        "--engine",
        "induction",
        "--questions",
        "20",
        "--ltl",
        formula,
    ];
    prove(&dir, &[&induction[..], &["prog.c"]].concat()).0
}

#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn texts_are_copied_without_a_loop() {
    if !cbmc() {
        return;
    }
    // The last element is never written.
    let rows = [
        (STOCK, "G {count >= 0 && count <= 2}"),
        (COPIES, "G {last[19] == 0}"),
    ];
    for (program, formula) in crate::support::sample(rows, 2) {
        assert_eq!(induced(program, formula), "proved", "{formula}");
    }
}

/// What is behind the first characters may be anything.
#[test]
fn what_is_behind_the_first_characters_is_not_taken_for_known() {
    if !cbmc() {
        return;
    }
    assert_ne!(induced(COPIES, "G {last[17] == 0}"), "proved");
}

/// A washing machine that is told what to do by lines.
const WASHER: &str = "#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int phase, locked, water, minutes;
static void tick(void) {
    switch (phase) {
    case 1: if (++water >= 3) { phase = 2; minutes = 2; } break;
    case 2: if (--minutes == 0) phase = 3; break;
    case 3: if (--water == 0) { phase = 0; locked = 0; } break;
    }
}
static void handle(char *line) {
    char *command = strtok(line, \" \");
    if (command == NULL) { tick(); return; }
    if (strcmp(command, \"start\") == 0) {
        if (phase == 0) { phase = 1; locked = 1; }
    } else if (strcmp(command, \"tick\") == 0) {
        char *argument = strtok(NULL, \" \");
        int n = argument ? atoi(argument) : 1;
        if (n > 3) n = 3;
        while (n-- > 0) tick();
    }
}
int main(void) {
    char line[32];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, \"\\n\")] = 0;
        if (line[0]) handle(line);
    }
}";

/// Asks the search of all states.
fn visited(program: &str, formula: &str) -> String {
    let dir = Dir::with(&[("prog.c", program)]);
    prove(&dir, &["--engine", "explicit", "--ltl", formula, "prog.c"]).0
}

#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn words_of_lines_have_no_states_of_their_own() {
    if !cbmc() {
        return;
    }
    let formula = "G ({water > 0} -> {locked == 1})";
    assert_eq!(visited(WASHER, formula), "proved");
    let broken = WASHER.replace("phase = 0; locked = 0;", "phase = 1; locked = 0;");
    assert_eq!(visited(&broken, formula), "refuted");
}

/// The end of a line is overwritten where the library finds it.
#[test]
fn a_place_that_is_found_is_no_memory_without_a_name() {
    if !cbmc() {
        return;
    }
    let program = "#include <stdio.h>
#include <string.h>
int on, errors;
int main(void) {
    char line[32];
    while (fgets(line, sizeof line, stdin)) {
        char *end = strchr(line, '\\n');
        if (end) *end = 0;
        if (strcmp(line, \"on\") == 0) on = 1;
        else if (strcmp(line, \"off\") == 0) on = 0;
        else if (errors < 3) errors++;
    }
}";
    assert_eq!(visited(program, "G {errors <= 3}"), "proved");
    assert_eq!(visited(program, "G {errors <= 2}"), "refuted");
}

/// What the library leaves in texts is not known: reads of it, and what a program finds out of places, is never taken for decided.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn characters_that_are_looked_at_are_not_forgotten() {
    if !cbmc() {
        return;
    }
    let bodies = [
        // What was cut, in the array and behind a pointer.
        "char *c = strtok(line, \" \"); if (c && line[3] == 0) bad = 1;",
        "if (line[0] != 120) { cut(line); if (line[2] == 0) bad = 1; }",
        // A word, and its place.
        "char *c = strtok(line, \" \"); if (c && *c == 120) bad = 1;",
        "char *c = strtok(line, \" \"); if (!c) c = line; if (c[0] == 97) bad = 1;",
        "char *c = strtok(line, \" \"); if (c == line) bad = 1;",
        "char *c = strtok(line, \" \"); if (c && c - line == 3) bad = 1;",
        "char *c = strtok(line, \" \"); if (c && (unsigned long)c % 8 == 1) bad = 1;",
        // What was copied.
        "char *c = strtok(line, \" \"); if (c) { strcpy(name, c); if (name[2] == 97) bad = 1; }",
        "char *c = strtok(line, \" \"); if (c) { strncpy(name, c, 3); if (name[2] == 97) bad = 1; }",
        "char *c = strtok(line, \" \"); if (c) { snprintf(name, 8, \"%s\", c); if (name[0] == 97) bad = 1; }",
    ];
    for body in crate::support::sample(bodies, 5) {
        let program = format!(
            "#include <stdio.h>\n#include <string.h>\nstatic int bad; static char line[8], name[8];
            static int cut(char *of) {{ return strtok(of, \" \") != 0; }}
            int main(void) {{ while (fgets(line, sizeof line, stdin)) {{ {body} }} return cut(name); }}"
        );
        assert_ne!(visited(&program, "G {bad == 0}"), "proved", "{body}");
    }
}

/// A command is copied by a format.
const PRINTED: &str = "#include <stdio.h>
#include <string.h>
static int running; static char last[16], message[40];
int main(void) {
    char line[64], word[16];
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, \"%15s\", word) != 1) continue;
        snprintf(last, sizeof last, \"%s\", word);
        sprintf(message, \"got %s!\", word);
        if (!strcmp(last, \"start\")) running = 1;
        else if (!strcmp(last, \"stop\")) running = 0;
        puts(message);
    }
}";

/// Some texts are cut off where they are written by a format.
const CUT: &str = "#include <stdio.h>
int nondet_int(void); static int length, end; static char text[8];
static const char *names[3] = { \"a\", \"abc\", \"abcdef\" };
int main(void) {
    while (1) {
        int k = nondet_int();
        if (k < 0 || k > 2) continue;
        length = snprintf(text, 4, \"%s\", names[k]);
        end = text[3];
    }
}";

/// What is written by a format is any text where texts are: its characters are not looked at.
#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn texts_are_written_by_a_format_without_a_loop() {
    if !cbmc() {
        return;
    }
    assert_eq!(visited(PRINTED, "G {running <= 1}"), "proved");
    let broken = PRINTED.replace("running = 0;", "running = 2;");
    assert_eq!(visited(&broken, "G {running <= 1}"), "refuted");
    assert_eq!(induced(CUT, "G {end == 0}"), "proved");
    // The length is that of the whole text.
    assert_ne!(induced(CUT, "G {length <= 5}"), "proved");
}
