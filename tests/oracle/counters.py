#!/usr/bin/env python3
"""Compares proofs about threads with counters that only grow with proofs about the same programs in which the counters are
numbers below 16, which are compared and stored as they are.

usage: tests/oracle/counters.py [--seed 1] [--programs 10] [--timeout 60] [--keep DIR] BAPRODUCT

Two threads draw tickets, copy counters, wait until they are equal, and read what their remainders and differences say. The two texts of
a program differ in a macro only. As long as counters stay within 16 of each other, which they do where all states are visited, the answers are the same.
Prints a line for each program and the sums; the exit status is 1 if two answers differ. With --keep, programs with
different answers are kept there.
"""

import argparse
import collections
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

HEAD = """#include <pthread.h>
#ifdef SMALL
#define M(x) ((x) & 15)
#else
#define M(x) (x)
#endif
TYPE A, B;
struct pair { TYPE c; int other; } s;
int flag, mark, slot[4];
TYPE __VERIFIER_atomic_draw(TYPE *p) { TYPE old = *p; *p = M(old + 1); return old; }
void raise(TYPE *p) { *p = M(*p + 1); }
"""

MAIN = """int main(void) {
  pthread_t a, b;
  START
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  return 0;
}
"""

COUNTERS = ["A", "B", "s.c"]


class Thread:
    """Random statements of a thread, which has the counters `t` and `u`."""

    def __init__(self, rng, used):
        self.rng = rng
        self.used = used

    def shared(self):
        return self.rng.choice(self.used)

    def any(self):
        return self.rng.choice(self.used + ["t", "u"])

    def condition(self):
        a, b = self.any(), self.any()
        kind = self.rng.randrange(4)
        if kind == 0:
            return f"{a} == {b}"
        if kind == 1:
            return f"{a} != {b}"
        if kind == 2:
            return f"M((UNSIGNED){a} - (UNSIGNED){b}) < {self.rng.randint(1, 3)}"
        return f"({a} & {self.rng.choice([1, 3])}) == {self.rng.randint(0, 1)}"

    def effect(self):
        kind = self.rng.randrange(5)
        if kind == 0:
            return f"flag = {self.rng.randint(0, 1)};"
        if kind == 1:
            return f"slot[{self.any()} & 3] = {self.rng.randint(0, 2)};"
        if kind == 2:
            return f"mark = {self.any()} & 1;"
        if kind == 3:
            return f"mark = slot[{self.shared()} & 3];"
        return f"flag = {self.condition()};"

    def statement(self):
        a, b = self.shared(), self.shared()
        local = self.rng.choice("tu")
        kind = self.rng.randrange(9)
        if kind == 0:
            return f"{local} = __VERIFIER_atomic_draw(&{a});"
        if kind == 1:
            return f"{local} = {a};"
        if kind == 2:
            return f"while ({a} != {local}) ;"
        if kind == 3:
            return f"if (M((UNSIGNED){a} - (UNSIGNED){b}) < {self.rng.randint(1, 3)}) raise(&{a});"
        if kind == 4:
            return f"if ({self.condition()}) {{ {self.effect()} }}"
        if kind == 5:
            return f"{a} = M({local} + 1);"
        if kind == 6:
            return f"if ({self.condition()}) {a} = {b};"
        if kind == 7:
            return f"if ({a} == {local}) raise(&{a});"
        return self.effect()

    def text(self, name):
        body = "".join(f"    {self.statement()}\n" for _ in range(self.rng.randint(2, 5)))
        return (f"static void *{name}(void *x) {{\n  TYPE t = 0, u = 0;\n  for (;;) {{\n{body}"
                f"    {self.effect()}\n  }}\n  return x;\n}}\n")


def program(rng):
    unsigned = rng.choice(["unsigned", "unsigned long"])
    kind = unsigned if rng.random() < 0.7 else unsigned.replace("unsigned", "int").replace("int long", "long")
    used = rng.sample(COUNTERS, rng.randint(1, 3))
    start = rng.choice(["", "A = 1; B = 1; s.c = 1;", "A = B = 3; s.c = 2;"])
    text = HEAD + Thread(rng, used).text("first") + Thread(rng, used).text("second") + MAIN.replace("START", start)
    return text.replace("UNSIGNED", unsigned).replace("TYPE", kind)


def formulas(rng):
    atoms = ["{flag == 1}", "{mark == 1}", "{slot[1] == 1}", "{mark == 2}", "{slot[0] == slot[1]}"]
    found = []
    for _ in range(12):
        p, q = rng.choice(atoms), rng.choice(atoms)
        found.append(rng.choice([f"G !{p}", f"G F {p}", f"F G !{p}", f"G({p} -> F {q})", f"G({p} -> {q})", f"{p} R !{q}"]))
    return found


def answers(options, directory, define, fairness):
    words = [options.baproduct, "prove", "--engine", "explicit", "--properties", str(directory / "formulas.txt")]
    words += [str(directory / "prog.c"), "--fairness", fairness, "--budget", str(options.timeout), "--memory", "3000"]
    words += ["--no-trace", "--format", "json", "-q", *define]
    done = subprocess.run(words, capture_output=True, text=True)
    try:
        return [p["holds"] for p in json.loads(done.stdout)["properties"]]
    except ValueError:
        return [f"error {done.stderr.strip()[:200]}"] * 12


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("baproduct")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=10)
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    sums = collections.Counter()
    for number in range(options.programs):
        rng = random.Random(f"counters:{options.seed}:{number}")
        text, asked, fairness = program(rng), formulas(rng), rng.choice(["none", "weak", "strong"])
        with tempfile.TemporaryDirectory() as name:
            directory = Path(name)
            (directory / "prog.c").write_text(text)
            (directory / "formulas.txt").write_text("".join(f + "\n" for f in asked))
            large = answers(options, directory, [], fairness)
            small = large
            if any(a in ("proved", "refuted") for a in large):
                small = answers(options, directory, ["-DSMALL"], fairness)
        found = collections.Counter()
        for formula, one, other in zip(asked, large, small):
            decided = [a for a in (one, other) if a in ("proved", "refuted")]
            same = "open" if len(decided) < 2 else one if one == other else "DIFFERENT"
            found[same] += 1
            if same == "DIFFERENT":
                print(f"program {number} {fairness} {formula}: {one}, small {other}")
                if options.keep:
                    options.keep.mkdir(parents=True, exist_ok=True)
                    (options.keep / f"{options.seed}_{number}.c").write_text(text)
        print(f"program {number} {fairness}:", ", ".join(f"{n} {a}" for a, n in sorted(found.items())), flush=True)
        sums.update(found)
    print("all:", ", ".join(f"{n} {a}" for a, n in sorted(sums.items())))
    return 1 if sums["DIFFERENT"] else 0


if __name__ == "__main__":
    sys.exit(main())
