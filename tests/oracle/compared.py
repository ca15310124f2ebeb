#!/usr/bin/env python3
"""Random programs whose states are few, for comparing two searches that know nothing of each other.

usage: compared.py [--seed N] [--count N] [--kind pointers|recursion|queues] DIRECTORY

Writes case_0, case_1, ... with prog.c and formula.txt. Programs with pointers assign, compare and follow pointers that lead to
global variables and elements of an array; programs with recursion have one or two functions that call each other with smaller
arguments. Queues are arrays with a number of elements, rings with two positions, tables of amounts that move and sums of them, used
rightly or with a mistake. All have an endless loop with loops, conditions and inputs inside.
"""

import argparse
import random
from pathlib import Path

GLOBALS = ["a", "b", "c"]
POINTERS = ["p", "q"]
INPUT = "__VERIFIER_nondet_int()"
COMPARED = ["<", "==", "!=", ">"]


class Pointers:
    """Programs with pointers that change."""

    def __init__(self, rng):
        self.rng = rng
        self.array = rng.random() < 0.4
        self.named = GLOBALS + (["v[1]"] if self.array else [])

    def lvalue(self):
        pick = self.rng.random()
        if pick < 0.45:
            return "*" + self.rng.choice(POINTERS)
        if self.array and pick < 0.65:
            return f"v[{self.rng.randrange(3)}]"
        return self.rng.choice(GLOBALS)

    def address(self):
        pick = self.rng.random()
        if self.array and pick < 0.4:
            return f"&v[{self.rng.randrange(3)}]"
        return "&" + self.rng.choice(GLOBALS) if pick < 0.75 else self.rng.choice(POINTERS)

    def condition(self):
        pick = self.rng.random()
        if pick < 0.25:
            return INPUT
        if pick < 0.6:
            return f"{self.lvalue()} {self.rng.choice(COMPARED)} {self.rng.randrange(4)}"
        if pick < 0.85:
            return f"{self.rng.choice(POINTERS)} {self.rng.choice(['==', '!='])} {self.address()}"
        return f"{self.lvalue()} {self.rng.choice(COMPARED)} {self.lvalue()}"

    def statement(self, depth):
        pick, lvalue = self.rng.random(), self.lvalue()
        if pick < 0.25 or depth == 2 and pick >= 0.78:
            return f"{lvalue} = {self.rng.choice(['0', '1', '2', '3', self.lvalue()])};"
        if pick < 0.4:
            return f"if ({lvalue} < 3) ++{lvalue};"
        if pick < 0.5:
            return f"if ({lvalue} > 0) --{lvalue};"
        if pick < 0.72:
            return f"{self.rng.choice(POINTERS)} = {self.address()};"
        if pick < 0.78:
            return "{ int *t = p; p = q; q = t; }"
        return compound(self, depth, pick < 0.92)

    def text(self):
        before = block(self, 1) if self.rng.random() < 0.7 else ""
        return (
            "int a, b = 1, c = 2, v[3] = {0, 1, 2};\nint *p = &a, *q = &b;\n"
            f"int main(void) {{ {before}\n  while (1) {{ {block(self, 0)} {block(self, 0)} }}\n}}\n")

    def propositions(self):
        return [f"{{{self.rng.choice(self.named)} == {self.rng.randrange(4)}}}", f"{{{self.rng.choice(GLOBALS)} < {self.rng.randint(1, 3)}}}",
                "{p == q}", "{p == &a}"]


class Recursion:
    """Programs with functions that call each other with smaller arguments."""

    def __init__(self, rng):
        self.rng = rng
        self.functions = ["f", "h"] if rng.random() < 0.4 else ["f"]
        self.inside = False

    def names(self):
        return GLOBALS + (["n"] if self.inside else [])

    def condition(self):
        pick, name = self.rng.random(), self.rng.choice(self.names())
        if pick < 0.25:
            return INPUT
        other = self.rng.randrange(4) if pick < 0.8 else self.rng.choice(self.names())
        return f"{name} {self.rng.choice(COMPARED)} {other}"

    def call(self):
        function, target = self.rng.choice(self.functions), self.rng.choice(["", self.rng.choice(GLOBALS) + " = "])
        if self.inside:
            return f"if (n > 0 && n < 5) {target}{function}({self.rng.choice(['n - 1', 'n - 1', 'n / 2'])});"
        return f"{target}{function}({self.rng.choice(['3', '2', 'a', 'b', 'c + 1'])});"

    def statement(self, depth):
        pick, name = self.rng.random(), self.rng.choice(GLOBALS)
        if pick < 0.3:
            return f"{name} = {self.rng.choice(['0', '1', '2', '3'] + GLOBALS + (['n & 3'] if self.inside else []))};"
        if pick < 0.42:
            return f"if ({name} < 3) ++{name};"
        if pick < 0.52:
            return f"if ({name} > 0) --{name};"
        if pick < 0.78 or depth == 2:
            return self.call()
        if self.inside and pick > 0.95:
            return f"if ({self.condition()}) return {self.rng.choice(['0', '1', 'a'])};"
        return compound(self, depth, pick < 0.9)

    def text(self):
        out = "int a, b = 1, c = 2;\n" + "".join(f"static int {f}(int n);\n" for f in self.functions)
        self.inside = True
        for f in self.functions:
            out += f"static int {f}(int n) {{ {block(self, 0)} return {self.rng.choice(['0', '1', 'a', 'n & 3'])}; }}\n"
        self.inside = False
        return out + f"int main(void) {{ while (1) {{ {block(self, 0)} {self.call()} }} }}\n"

    def propositions(self):
        return [f"{{{self.rng.choice(GLOBALS)} == {self.rng.randrange(4)}}}", f"{{{self.rng.choice(GLOBALS)} < {self.rng.randint(1, 3)}}}"]


class Queues:
    """Programs with arrays of which some elements count, and sums over them; about half of them have a mistake."""

    def __init__(self, rng):
        self.rng = rng
        self.length = rng.randint(2, 3)
        self.wrong = rng.random() < 0.5

    def bound(self, right, others):
        return self.rng.choice(others) if self.wrong and self.rng.random() < 0.4 else right

    def put(self):
        most = self.bound("N", ["N - 1", "1"])
        store = self.rng.choice(["q[n] = x; n++;", "q[n++] = x;", "n++; q[n - 1] = x;"])
        total = self.bound("sum += x;", ["sum += 1;", ""])
        valid = self.bound("x >= 1 && x <= 2", ["x >= 0 && x <= 2", "x != 1 && x >= 0 && x < 4"])
        once = self.rng.choice(["", "for (i = 0; i < n; i++) if (q[i] == x) x = 0;"])
        return f"{{ int x = {INPUT}; {once} if ({valid} && n < {most}) {{ {store} {total} }} }}"

    def take(self):
        total = self.bound("sum -= last;", ["sum--;", "if (sum > 2) sum -= last;", ""])
        shift = self.rng.choice(["for (i = 1; i < n; i++) q[i - 1] = q[i]; n--;", "n--; for (i = 0; i < n; i++) q[i] = q[i + 1];",
                                 "n--; q[0] = q[n];"])
        test = self.bound("n > 0", ["n > 1"])
        return f"if ({test}) {{ last = q[0]; {total} {shift} }}"

    def ring(self):
        wrap = self.rng.choice(["tail = (tail + 1) % N;", "tail++; if (tail == N) tail = 0;"])
        test = self.bound("used < N", ["used < N - 1", "used <= N - 1 && tail != 1"])
        value = self.rng.choice(["2", "1", "last"])
        count = self.bound("used++;", ["if (used < N - 1) used++;"])
        return f"if ({test}) {{ r[tail] = {value}; {wrap} {count} }}"

    def unring(self):
        wrap = self.rng.choice(["head = (head + 1) % N;", "if (++head == N) head = 0;"])
        return f"if (used > 0) {{ last = r[head]; {wrap} used--; }}"

    def move(self):
        guard = self.bound("a[k] > 0", ["a[k] >= 0 && a[j] < 3"])
        return f"{{ int k = {INPUT} & 1, j = {self.rng.choice(['1 - k', '1'])}; if ({guard}) {{ a[k]--; a[j]++; }} }}"

    def text(self):
        kinds = self.rng.sample([[self.put, self.take], [self.ring, self.unring], [self.move]], 2)
        steps = [step() for kind in kinds for step in kind]
        turns = [f"if ({INPUT}) {step}" if self.rng.random() < 0.6 else step for step in steps]
        return (f"#define N {self.length}\nint q[N], n, sum, last = 1, r[N], a[2] = {{1, 2}};\nunsigned head, tail, used;\n"
                f"int main(void) {{ int i; while (1) {{ {' '.join(turns)} }} }}\n")

    def propositions(self):
        return ["{n <= 1}", "{n == 0}", "{sum >= 0}", "{sum <= 4}", "{last >= 1}", "{last == 2}", "{used <= N}".replace("N", str(self.length)),
                "{used == 0}", "{n < 2 || q[0] != q[1]}", "{n == 0 || q[0] >= 1}", "{a[0] + a[1] == 3}", "{a[0] <= 3}",
                "{(head + used) % N == tail}".replace("N", str(self.length))]


def block(program, depth):
    return " ".join(program.statement(depth) for _ in range(program.rng.randint(1, 3)))


def compound(program, depth, decides):
    """A condition or a loop."""
    if decides:
        return f"if ({program.condition()}) {{ {block(program, depth + 1)} }} else {{ {block(program, depth + 1)} }}"
    return f"while ({program.condition()}) {{ {block(program, depth + 1)} }}"


def formula(program):
    x, y = program.rng.sample(program.propositions(), 2)
    return program.rng.choice([
        f"G {x}", f"G !{x}", f"F {x}", f"G F {x}", f"F G {x}", f"G ({x} -> F {y})", f"{x} U {y}", f"G ({x} -> X {y})"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--kind", choices=["pointers", "recursion", "queues"], default="pointers")
    parser.add_argument("directory", type=Path)
    options = parser.parse_args()
    kind = {"pointers": Pointers, "recursion": Recursion, "queues": Queues}[options.kind]
    for number in range(options.count):
        program = kind(random.Random(f"{options.kind} {options.seed} {number}"))
        case = options.directory / f"case_{number}"
        case.mkdir(parents=True)
        (case / "prog.c").write_text("extern int __VERIFIER_nondet_int(void);\n" + program.text())
        (case / "formula.txt").write_text(formula(program) + "\n")


if __name__ == "__main__":
    main()
