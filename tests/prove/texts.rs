//! Programs that read lines and copy texts: proofs by induction follow no loop of the library.

use super::prove;
use crate::support::{cbmc, Dir};

/// Each line is cut into words, one of which is looked for among those that were stored.
const STOCK: &str = "#include <stdio.h>
#include <string.h>
static char names[2][18], last[20], label[28];
static int count;
static int find(const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return i;
    return -1;
}
int main(void) {
    char line[24], *word;
    while (fgets(line, sizeof line, stdin)) {
        strncpy(last, line, sizeof last - 1);
        strcpy(label, \"last: \");
        strcat(label, last);
        word = strtok(line, \" \\n\");
        if (word && find(word) < 0 && count < 2) strcpy(names[count++], word);
    }
}";

fn asked(formula: &str) -> String {
    let dir = Dir::with(&[("prog.c", STOCK)]);
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
fn texts_are_copied_without_a_loop() {
    if !cbmc() {
        return;
    }
    assert_eq!(asked("G {count >= 0 && count <= 2}"), "proved");
    // It is never written.
    assert_eq!(asked("G {last[19] == 0}"), "proved");
}

/// What is behind the first characters may be anything.
#[test]
fn what_is_behind_the_first_characters_is_not_taken_for_known() {
    if !cbmc() {
        return;
    }
    assert_ne!(asked("G {last[17] == 0}"), "proved");
}
