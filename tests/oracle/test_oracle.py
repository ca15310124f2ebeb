"""Checks of the oracle itself, and of the verdicts that spec-examples promises.

    python3 -m unittest discover -s tests/oracle
"""

import random
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import cases
import generate
import infinite
import ltl
import machine
from lang import Function, Predicate, Printer, Program, Proposition

FORMULAS = [
    "G !(p && q)", "G (p -> F q)", "GF p && GF q", "G (p -> (!q U p))", "F G p", "p U q", "(p U q) || G p",
    "X (p U q)", "X X p", "G (p -> X q)", "p W q", "q R p", "p M q", "F (p && X (q && X p))", "G ((p -> F !p) && (!p -> F p))",
]


def random_word(rng, names, longest):
    return [frozenset(n for n in names if rng.random() < 0.5) for _ in range(rng.randint(1, longest))]


def lasso(semantics, prefix, loop):
    """Whether prefix.loop^omega satisfies the formula."""
    kind = semantics.loop_type(loop)
    for letter in reversed(prefix):
        kind = semantics.prepend(letter, kind)
    return kind[semantics.index[semantics.formula]]


class Semantics(unittest.TestCase):
    def test_named_words(self):
        for formula, word, expected in [
            ("G (p -> F q)", [""], "presumably_true"),
            ("G (p -> F q)", ["p"], "presumably_false"),
            ("G (p -> F q)", ["p", "q"], "presumably_true"),
            ("G !p", ["", "p", ""], "false"),
            ("F p", ["", "p", ""], "true"),
            ("F p", [""], "presumably_false"),
            ("X p", ["", "p"], "true"),
            ("X p", ["p"], "presumably_true"),
            ("X (p U q)", [""], "presumably_false"),
            ("X (p U q)", ["", ""], "false"),
            ("X (p U q)", ["", "p"], "presumably_false"),
            ("X (p U q)", ["", "p", ""], "false"),
            ("X (p U q)", ["", "p", "q"], "true"),
            ("p || !p", [""], "true"),
            ("F p || G !p", [""], "true"),
            ("F p && G !p", ["p"], "false"),
        ]:
            semantics = ltl.Semantics(formula)
            letters = [frozenset(letter.split()) for letter in word]
            self.assertEqual(ltl.NAMES[semantics.of_word(letters)], expected, (formula, word))

    def test_longer_loops_bring_no_new_types(self):
        for formula in FORMULAS:
            self.assertEqual(ltl.Semantics(formula, loop=3).types, ltl.Semantics(formula, loop=4).types, formula)

    def test_the_four_values_against_continuations(self):
        rng = random.Random(1)
        for formula in FORMULAS:
            semantics = ltl.Semantics(formula)
            for _ in range(40):
                word = random_word(rng, semantics.names, 4)
                tails = [(random_word(rng, semantics.names, 3), random_word(rng, semantics.names, 3)) for _ in range(60)]
                outcomes = {lasso(semantics, word + stem, loop) for stem, loop in tails}
                value = semantics.of_word(word)
                if value in (ltl.TRUE, ltl.FALSE):
                    self.assertEqual(outcomes, {value == ltl.TRUE}, (formula, word))
                stutters = lasso(semantics, word[:-1], word[-1:])
                self.assertEqual(stutters, value >= ltl.PRESUMABLY_TRUE, (formula, word))

    def test_negation_mirrors(self):
        rng = random.Random(2)
        for formula in FORMULAS:
            one, other = ltl.Semantics(formula), ltl.Semantics(f"!({formula})")
            for _ in range(40):
                word = random_word(rng, one.names, 5)
                self.assertEqual(one.of_word(word), ltl.TRUE - other.of_word(word), (formula, word))


def program(formula, body, variables=None, predicate=("==", "v", 1), span=("a", "b"), param="main::x"):
    proposition = Proposition("p", False, Predicate("holds", ["v"], predicate), [param], span)
    return Program(variables=variables or {}, main=Function("main", [], body), formula=formula, propositions=[proposition])


class Machine(unittest.TestCase):
    def verdict(self, *args, unwind=3, **named):
        answer = machine.decide(program(*args, **named), unwind)
        return answer.verdict, answer.complete

    def test_an_area_that_is_left_early_takes_the_default(self):
        for jump in (("break",), ("return", 0), ("exit",), ("goto", "out")):
            area = ("area", "a", "b", [("do", ("=", "x", 1)), ("if", 1, [jump], [])])
            body = [("int", "x", 0), ("while", 1, [area]), ("label", "out"), ("return", 0)]
            self.assertEqual(self.verdict("F (p && F G !p)", body), ("presumably_true", True), jump)
            self.assertEqual(self.verdict("G !p", body), ("false", True), jump)

    def test_writes_are_seen_wherever_they_stand(self):
        for write in (
            ("do", ("=", "x", 1)), ("do", ("++x", "x")), ("do", ("x++", "x")), ("do", ("+=", "x", 1)),
            ("if", ("=", "x", 1), [], []), ("int", "y", ("=", "x", 1)), ("if", ("&&", 1, ("=", "x", 1)), [], []),
            ("switch", ("=", "x", 1), [(1, [])], []), ("for", None, ("<", ("x++", "x"), 0), None, []),
        ):
            area = ("area", "a", "b", [write, ("do", ("=", "x", 0))])
            self.assertEqual(self.verdict("G !p", [("int", "x", 0), area, ("return", 0)]), ("false", True), write)
        area = ("area", "a", "b", [("if", ("||", 1, ("=", "x", 1)), [], [])])
        self.assertEqual(self.verdict("G !p", [("int", "x", 0), area, ("return", 0)]), ("presumably_true", True))

    def test_bounds(self):
        body = [("while", ("<", "g", 3), [("do", ("x++", "g"))]), ("return", 0)]
        named = dict(variables={"g": 0}, predicate=("==", "v", 3), span=("_begin", "_end"), param="g")
        self.assertEqual(self.verdict("F p", body, unwind=2, **named), ("presumably_false", False))
        self.assertEqual(self.verdict("F p", body, unwind=3, **named), ("true", True))

    def test_a_race_needs_the_gap_between_read_and_write(self):
        thread = [("do", ("x++", "g"))]
        main = [("create", 0), ("create", 1), ("join", 0), ("join", 1), ("return", 0)]
        for lock, expected in ((False, "presumably_false"), (True, "true")):
            body = [("lock", "m"), *thread, ("unlock", "m")] if lock else thread
            made = program("F p", main, {"g": 0}, ("==", "v", 2), ("_begin", "_end"), "g")
            made.mutexes = ["m"]
            made.threads = [Function("one", [], body), Function("two", [], body)]
            self.assertEqual(machine.decide(made, 1).verdict, expected)

    def test_a_deadlock_is_an_end_and_complete(self):
        made = program("F p", [("lock", "m"), ("lock", "m"), ("do", ("=", "g", 1)), ("return", 0)],
                       {"g": 0}, ("==", "v", 1), ("_begin", "_end"), "g")
        made.mutexes = ["m"]
        answer = machine.decide(made, 1)
        self.assertEqual((answer.verdict, answer.complete), ("presumably_false", True))


class Infinite(unittest.TestCase):
    """Infinite runs: whether one violates the formula, and the least bound that three rounds of its loop fit."""

    def check(self, body, formula, least, first=()):
        made = Program(variables={"a": 0, "b": 0}, formula=formula)
        made.main = Function("main", [], [*first, ("while", 1, body), ("return", 0)])
        equals = [("p", "a"), ("q", "b")]
        used = ltl.propositions(ltl.parse(formula))
        made.propositions = [Proposition(name, False, Predicate(f"is_{name}", ["u"], ("==", "u", 1)), [variable])
                             for name, variable in equals if name in used]
        found = infinite.Violations(made)
        self.assertEqual(found.exist(), least is not None)
        fits = [bound for bound in range(16) if found.within(bound)]
        self.assertEqual(fits[:1], [] if least is None else [least])

    def test_by_hand(self):
        put = lambda name, value: ("do", ("=", name, value))
        self.check([put("a", ("input", 2))], "G F p", 4)
        self.check([put("a", 1), put("a", 0)], "G F p", None)
        self.check([put("a", 1), put("a", 0)], "F G p", 4)
        self.check([put("b", ("!", "b"))], "G (p -> F q)", None, [put("a", 1)])
        self.check([put("a", 1)], "G (p -> F q)", 4, [put("a", 1)])
        step = put("a", ("&", ("+", "a", 1), 3))
        self.check([step], "G F p", None)
        self.check([step, put("b", ("input", 2))], "G F p -> G F q", 13)


class Examples(unittest.TestCase):
    def test_spec_examples_have_the_promised_verdicts(self):
        names = []
        for name, run, tree, bounds in cases.runs():
            answer = machine.decide(tree, run["unwind"], bounds)
            self.assertEqual((answer.verdict, answer.complete), (run["verdict"], run["complete"]), name)
            names.append(name)
        self.assertEqual(len(names), len(set(names)), "names are not unique")


# Feeds inputs from the command line, and prints the globals when the process ends.
HARNESS = """
#include <stdio.h>
#include <stdlib.h>
static const char *tape = "";
int nondet_int(void) { return *tape ? *tape++ - '0' : 0; }
extern int a, b;
static void report(void) { printf("%d %d\\n", a, b); }
int program(void);
int main(int argc, char **argv) { if (argc > 1) tape = argv[1]; atexit(report); return program(); }
"""


class Generated(unittest.TestCase):
    def options(self, kind):
        return generate.arguments(["--seed", "7", "--kind", kind, "unused"])

    def test_the_same_seed_gives_the_same_cases(self):
        for kind in ("sequential", "threads", "waits"):
            one, other = (generate.Generator(self.options(kind)) for _ in range(2))
            for _ in range(5):
                (p, e), (q, f) = one.case(), other.case()
                self.assertEqual((Printer(p).text(), e), (Printer(q).text(), f))

    def test_verdicts_are_balanced(self):
        generator = generate.Generator(self.options("threads"))
        for _ in range(40):
            generator.case()
        self.assertGreaterEqual(min(generator.counts.values()), 5)

    @unittest.skipUnless(shutil.which("gcc"), "gcc is not installed")
    def test_gcc_computes_what_the_trees_compute(self):
        rng, generator, compared = random.Random(3), generate.Generator(self.options("sequential")), 0
        with tempfile.TemporaryDirectory() as place:
            place = Path(place)
            (place / "harness.c").write_text(HARNESS)
            while compared < 30:
                program, expected = generator.case()
                # A run longer than the bound has no final values; unbounded loops would never end.
                answer = machine.decide(program, expected["unwind"])
                if not answer.complete or answer.deadlock:
                    continue
                compared += 1
                (place / "prog.c").write_text(Printer(program).text().replace("int main(void)", "int program(void)"))
                subprocess.run(["gcc", "-std=gnu11", "-w", "-o", place / "prog", place / "prog.c", place / "harness.c"], check=True)
                seen = set()
                for _ in range(40):
                    tape = "".join(rng.choice("0123") for _ in range(12))
                    run = subprocess.run([place / "prog", tape], capture_output=True, text=True, timeout=10)
                    seen.add(tuple(int(v) for v in run.stdout.split()))
                self.assertLessEqual(seen, {final[:2] for final in answer.finals}, Printer(program).text())


if __name__ == "__main__":
    unittest.main()
