//! A program with one area, for many tests.

use serde_json::json;

use super::Dir;

/// `x` becomes 3 in the area and 0 after it.
pub const PROGRAM: &str = "\
#include <stdio.h>

int x = 0;

int is_big(int v) { return v > 2; }

void work(void) {
begin:
    x = 1;
    x += 2;
end:
    x = 0;
}

int main(void) {
    work();
    printf(\"%d\\n\", x);
    return 0;
}
";

/// Counts to 3 in a loop.
pub const LOOP: &str = "\
int n = 0;

int main(void) {
    int i;
    for (i = 0; i < 3; i++) {
        n = n + 1;
    }
    return 0;
}
";

/// A specification of [`PROGRAM`].
pub fn spec(ltl: &str) -> String {
    json!({
        "ltl": ltl,
        "pa": [{ "name": "big", "default": false, "expr": "is_big", "span": ["begin", "end"], "params": ["x"] }]
    })
    .to_string()
}

/// [`PROGRAM`] with its specification.
pub fn project(ltl: &str) -> Dir {
    Dir::with(&[("p.c", PROGRAM), ("s.json", &spec(ltl))])
}

/// [`PROGRAM`] with a property that has this expectation.
pub fn with_expectation(expect: &str) -> Dir {
    let spec = json!({
        "properties": [{ "name": "small", "ltl": "G {x < 3}", "expect": expect }]
    });
    Dir::with(&[("p.c", PROGRAM), ("s.json", &spec.to_string())])
}
