#!/usr/bin/env python3
"""Generates small programs with specifications and their exact verdicts.

    tests/oracle/generate.py --seed 1 --count 100 --kind mixed DIR

writes DIR/case_0/{prog.c,spec.json,expected.json}, DIR/case_1/... The same arguments give the same files. The verdicts come
from exploring every run of the program (machine.py), without any model checker and without the tool's code.

expected.json holds `unwind`, `verdict` and `complete` as spec-examples do, `verdicts` (those of single runs), and `features`,
the constructs that occur in the case, for sorting failing cases.
"""

import argparse
import json
import random
import sys
from pathlib import Path

import ltl
import machine
import memory
import reactive
import shapes
from lang import Function, Predicate, Printer, Program, Proposition, specification

FORMULAS = [
    "G !p", "F p", "G (p -> F q)", "G !(p && q)", "p U q", "G (p -> (!q U p))", "GF p && GF q", "F G p", "G (p || q)",
    "F (p && F q)", "G (p -> G !q)", "p W q", "q R p", "(F p) U q", "G (p -> F G q)", "F p -> F q", "!p U (q && !p)",
    "G ((p && !q) -> (p U q))", "G !p && G !q", "F p || G !q", "G F p -> G F q", "G (!p || (p W q))",
]
# Sensitive to stutter: every event counts, so only propositions over globals in the whole program are used.
NEXT_FORMULAS = [
    "X p", "X X p", "X (p U q)", "G (p -> X q)", "F (p && X q)", "G (p -> X F q)", "X !p || F q", "F (p && X (q && X p))",
]


class Budget:
    """How many more statements a function may get."""

    def __init__(self, statements):
        self.left = statements

    def take(self):
        self.left -= 1
        return self.left >= 0


class Maker:
    """The common part of sequential and threaded programs."""

    def __init__(self, rng, options):
        self.rng = rng
        self.options = options
        self.features = set()
        self.fresh = 0

    def chance(self, probability):
        return self.rng.random() < probability

    def small(self):
        return self.rng.randint(0, 3)

    def name(self, stem):
        self.fresh += 1
        return f"{stem}{self.fresh}"

    def predicate(self, number, arity):
        """A random evaluation function of none, one or two parameters."""
        params = ["u", "v"][:arity]
        if arity == 0:
            body = 1
        elif arity == 1:
            body = (self.rng.choice(["==", "!=", "<", ">", ">="]), "u", self.small())
        else:
            body = self.rng.choice([("<", "u", "v"), ("==", "u", "v"), (">", ("+", "u", "v"), self.small()),
                                    ("&&", (">", "u", 0), ("==", "v", self.small()))])
        return Predicate(f"eval{number}", params, body)

    def proposition(self, name, number, places, span):
        arity = min(self.rng.choice([0, 1, 1, 1, 2] if span else [1, 1, 2]), len(places))
        if arity == 0:
            self.features.add("area-alone")
        params = self.rng.sample(places, arity)
        # A constant proposition whose default is its own value would never change.
        default = False if arity == 0 else self.chance(0.3)
        return Proposition(name, default, self.predicate(number, arity), params, span or ("_begin", "_end"))

    def use_condition(self):
        kind = self.rng.choice(["wait", "wait-if", "signal", "signal", "broadcast"])
        if kind == "wait":
            middle = [("while", self.test(), [("wait", "c", "m")])]
        elif kind == "wait-if":
            middle = [("if", self.test(), [("wait", "c", "m")], [])]
        else:
            middle = [self.change(), (kind, "c")]
        return [("lock", "m"), *middle, ("unlock", "m")]


class Sequential(Maker):
    """A main, perhaps a helper function, loops, early exits, and writes in all places that C allows."""

    def make(self, unwind):
        self.next = self.chance(0.2)
        program = Program(variables={"a": self.small(), "b": self.small()})
        if self.options.inputs == "spec":
            program.input_call = "input"
        self.program = program
        self.helper_areas, self.main_areas = [], []
        helper = self.chance(0.5)
        spans = {}
        for name in ("p", "q"):
            where = self.rng.choice(["whole", "main", "main", "helper" if helper else "main"])
            where = "whole" if self.next else where
            spans[name] = where, None if where == "whole" else (f"b_{name}", f"e_{name}")
        self.owned = {w: [s for where, s in spans.values() if where == w] for w in ("main", "helper")}
        if helper:
            self.features.add("helper")
            program.functions["h"] = self.function("h", ["n"], "helper", 4)
        program.main = self.function("main", [], "main", 11)
        for number, name in enumerate(spans):
            where, span = spans[name]
            owner = {"main": "main", "helper": "h"}.get(where)
            places = ["a", "b"] + ([f"{owner}::{v}" for v in self.locals_of[where]] if owner else [])
            program.propositions.append(self.proposition(name, number, places, span))
        return program, NEXT_FORMULAS if self.next else FORMULAS

    locals_of = {"main": ["x", "y", "s"], "helper": ["n", "x"]}

    def function(self, name, params, kind, size):
        self.kind, self.pending = kind, list(self.owned[kind])
        self.loops, self.depth, self.used_label = 0, 0, False
        self.inside, self.endless = 0, 0
        statics = {"s": self.small()} if kind == "main" else {}
        locals_ = ["x", "y"] if kind == "main" else ["x"]
        self.visible = ["a", "b", *params, *statics, *locals_]
        self.budget = Budget(size)
        head = [("int", v, self.rng.choice([self.small(), ("input", 4)])) for v in locals_]
        body = self.block(size)
        while self.pending:
            entry, exit_label = self.pending.pop()
            cut = sorted(self.rng.sample(range(len(body) + 1), 2)) if body else [0, 0]
            area = ("area", entry, exit_label, body[cut[0]:cut[1]])
            body = [*body[:cut[0]], area, *body[cut[1]:]]
        tail = [("label", "out")] if self.used_label else []
        return Function(name, params, [*head, *body, *tail, ("return", self.value(1))], statics)

    def block(self, most):
        statements = []
        for _ in range(self.rng.randint(1, most)):
            if not self.budget.take():
                break
            statements.append(self.statement())
        return statements

    def statement(self):
        if self.pending and self.chance(0.35):
            entry, exit_label = self.pending.pop(self.rng.randrange(len(self.pending)))
            self.inside += 1
            area = ("area", entry, exit_label, self.block(4))
            self.inside -= 1
            return area
        kind = self.rng.choices(
            ["do", "if", "loop", "switch", "jump", "shadow"], [50, 15, 15 if self.loops < 2 else 0, 5, 12, 4])[0]
        if self.depth >= 3 and kind in ("if", "loop", "switch", "shadow"):
            kind = "do"
        self.depth += 1
        made = getattr(self, "make_" + kind)()
        self.depth -= 1
        return made

    def make_do(self):
        return ("do", self.effect())

    def make_if(self):
        return ("if", self.condition(), self.block(3), self.block(2) if self.chance(0.4) else [])

    def make_shadow(self):
        # A variable of the same name in an inner block: writes to it are not writes to the parameter.
        self.features.add("shadow")
        name = self.rng.choice(["x", "a"])
        return ("if", 1, [("int", name, self.small()), ("do", ("=", name, self.small())), *self.block(2)], [])

    def make_loop(self):
        self.loops += 1
        inside, self.inside = self.inside, 0
        kind = self.rng.choice(["while", "dowhile", "for", "counted"])
        if kind == "counted":
            counter = self.name("i")
            made = ("for", ("int", counter, 0), ("<", counter, self.rng.randint(1, 3)), ("x++", counter), self.block(3))
        elif kind == "for":
            init = ("do", self.effect()) if self.chance(0.5) else None
            condition = self.condition() if self.chance(0.8) else None
            self.endless += condition is None
            made = ("for", init, condition, self.effect() if self.chance(0.6) else None, self.block(3))
            self.endless -= condition is None
        elif kind == "while":
            made = ("while", self.condition(), self.block(3))
        else:
            made = ("dowhile", self.block(3), self.condition())
        self.features.add(kind)
        self.inside = inside
        self.loops -= 1
        return made

    def make_switch(self):
        self.features.add("switch")
        loops, self.loops = self.loops, 0  # no break or continue of an outer loop in here
        groups = [(c, self.block(2)) for c in self.rng.sample(range(4), self.rng.randint(1, 2))]
        made = ("switch", self.value(2), groups, self.block(2) if self.chance(0.5) else [])
        self.loops = loops
        return made

    def make_jump(self):
        # After an endless loop, an exit label may be unreachable, and a goto does not clearly leave the area.
        kinds = ["goto"] * (not self.endless) + ["return"] + ["break", "continue"] * 2 * bool(self.loops) + ["exit"] * self.chance(0.2)
        kind = self.rng.choice(kinds)
        if kind == "goto":
            self.used_label = True
            jump = ("goto", "out")
        else:
            jump = ("return", self.value(1)) if kind == "return" else (kind,)
        self.features.add(kind + ("-in-area" if self.inside else ""))
        return ("if", self.condition(), [jump], [])

    # Expressions. Side effects occur only where C orders them: never two unordered ones on the same object.

    def value(self, depth):
        """An expression without side effects on variables."""
        kind = self.rng.choices(["constant", "variable", "sum", "input"], [3, 5, 3 if depth else 0, 2])[0]
        if kind == "constant":
            return self.small()
        if kind == "variable":
            return self.rng.choice(self.visible)
        if kind == "input":
            return ("input", self.rng.choice([2, 4]) if self.options.inputs == "mask" else 4)
        return (self.rng.choice(["+", "-", "^", "&", "|"]), self.value(0), self.value(0))

    def condition(self):
        comparison = (self.rng.choice(["<", ">", "==", "!="]), self.value(1), self.small())
        kind = self.rng.random()
        if kind < 0.2:
            self.features.add("write-in-condition")
            return (self.rng.choice(["<", "==", "!="]), self.effect(), self.small())
        if kind < 0.35:
            self.features.add("short-circuit")
            return (self.rng.choice(["&&", "||"]), comparison, self.effect())
        if kind < 0.45:
            return ("!", comparison)
        return comparison

    def effect(self, depth=2):
        """An expression that writes."""
        target = self.rng.choice(self.visible)
        kind = self.rng.choices(
            ["assign", "compound", "step", "nested", "choice", "comma", "call"],
            [10, 4, 6, *([3, 2, 2] if depth else [0, 0, 0]), 3 if self.program.functions else 0])[0]
        if kind == "assign":
            return ("=", target, self.value(1))
        if kind == "compound":
            return (self.rng.choice(["+=", "-=", "^=", "&=", "|="]), target, self.value(0))
        if kind == "step":
            return (self.rng.choice(["x++", "++x", "x--", "--x"]), target)
        if kind == "choice":
            return ("?", self.value(1), self.effect(0), self.effect(0))
        if kind == "comma":
            return (",", self.effect(0), self.effect(0))
        if kind == "call":
            self.features.add("call-result")
            return ("=", target, ("call", "h", self.value(1)))
        self.features.add("nested-write")
        other = self.rng.choice([v for v in self.visible if v != target])
        return ("=", target, ("+", ("=", other, self.small()), 1))


class Threaded(Maker):
    """Two threads, shared counters, perhaps a mutex; every statement reads at most one shared object."""

    def make(self, unwind):
        program = Program(variables={"a": self.small(), "b": self.small()}, mutexes=["m"])
        self.program = program
        spans = []
        for name, thread in zip("pq", self.rng.choice([(1, 2), (1, 1), (2, 1), (None, 1), (2, None), (None, None)])):
            spans.append((name, thread, (f"b_{name}", f"e_{name}") if thread else None))
        for number in (1, 2):
            program.threads.append(self.routine(number, [s for _, t, s in spans if t == number]))
        for number, (name, thread, span) in enumerate(spans):
            places = ["a", "b"] + ([f"t{thread}::x"] * 2 if thread else [])
            program.propositions.append(self.proposition(name, number, sorted(set(places)), span))
        joins = [0, 1] if self.chance(0.8) else self.rng.sample([0, 1], self.rng.randint(0, 1))
        if len(joins) < 2:
            self.features.add("main-returns-early")
        last = [("do", ("=", "a", self.small()))] if self.chance(0.3) else []
        main = [("create", 0), ("create", 1), *[("join", j) for j in joins], *last, ("return", 0)]
        program.main = Function("main", [], main)
        return program, FORMULAS

    def routine(self, number, areas):
        self.pending = list(areas)
        self.locked, self.loops = False, 0
        self.budget = Budget(5)
        body = self.block(4)
        while self.pending:
            entry, exit_label = self.pending.pop()
            cut = sorted(self.rng.sample(range(len(body) + 1), 2)) if body else [0, 0]
            body = [*body[:cut[0]], ("area", entry, exit_label, body[cut[0]:cut[1]]), *body[cut[1]:]]
        return Function(f"t{number}", [], [("int", "x", self.small()), *body])

    def block(self, most):
        statements = []
        for _ in range(self.rng.randint(1, most)):
            if self.budget.take():
                statements.append(self.statement())
        return statements

    def statement(self):
        if self.pending and self.chance(0.4):
            entry, exit_label = self.pending.pop()
            return ("area", entry, exit_label, self.block(3))
        shared = self.rng.choice(["a", "b"])
        kind = self.rng.choices(["simple", "if", "loop", "lock", "jump"],
                                [55, 12, 0 if self.loops else 8, 0 if self.locked else 15, 5 * (not self.locked)])[0]
        if kind == "simple":
            return ("do", self.rng.choice([
                ("=", shared, self.small()), ("=", shared, ("+", "x", 1)), ("x++", shared), ("x--", shared),
                ("+=", shared, self.small()), ("=", "x", shared), ("=", "x", ("+", shared, 1)), ("++x", "x"),
                ("=", "x", self.small())]))
        if kind == "if":
            return ("if", (self.rng.choice(["==", "<", ">"]), self.rng.choice([shared, "x"]), self.small()),
                    self.block(2), self.block(1) if self.chance(0.3) else [])
        if kind == "jump":
            self.features.add("return")
            return ("if", ("==", shared, self.small()), [("return", 0)], [])
        if kind == "loop":
            self.features.add("loop")
            self.loops += 1
            counter = self.name("i")
            made = ("for", ("int", counter, 0), ("<", counter, self.rng.randint(1, 3)), ("x++", counter), self.block(2))
            self.loops -= 1
            return made
        self.features.add("lock")
        self.locked = True
        made = [("lock", "m"), *self.block(3), ("unlock", "m")]
        self.locked = False
        # Three statements in one: a branch that is always taken.
        return ("if", 1, made, [])


class Synchronised(Threaded):
    """Two or three threads that wait for each other by all means of synchronisation; some of them may wait for ever."""

    def make(self, unwind):
        self.means = self.rng.sample(["condition", "semaphore", "rwlock", "barrier", "try", "spin"], 2)
        self.crew = 3 if self.chance(0.25) else 2
        program = Program(
            variables={"a": self.small(), "b": self.small()}, mutexes=["m", "k"],
            conditions=["c"] if "condition" in self.means else [],
            semaphores={"s": self.rng.randint(0, 1)} if "semaphore" in self.means else {},
            rwlocks=["l"] if "rwlock" in self.means else [],
            barriers={"r": 2} if "barrier" in self.means else {})
        self.program = program
        self.features |= set(self.means)
        for number in range(1, self.crew + 1):
            program.threads.append(self.routine(number, []))
        for number, name in enumerate("pq"):
            program.propositions.append(self.proposition(name, number, ["a", "b"], None))
        joins = range(self.crew) if self.chance(0.8) else self.rng.sample(range(self.crew), self.rng.randint(0, self.crew - 1))
        last = [("do", ("=", "a", self.small()))] if self.chance(0.3) else []
        creates = [("create", i) for i in range(self.crew)]
        program.main = Function("main", [], [*creates, *[("join", j) for j in joins], *last, ("return", 0)])
        return program, FORMULAS

    def routine(self, number, areas):
        self.locked, self.loops, self.pending = False, 0, []
        self.budget = Budget(4 if self.crew == 2 else 3)
        return Function(f"t{number}", [], [("int", "x", self.small()), *self.block(3)])

    def statement(self):
        if self.chance(0.45):
            return super().statement()
        return ("if", 1, getattr(self, "use_" + self.rng.choice([*self.means, "mutexes"]))(), [])

    def test(self):
        return (self.rng.choice(["==", "!=", "<"]), self.rng.choice("ab"), self.small())

    def change(self):
        return ("do", ("=", self.rng.choice("ab"), self.small()))

    def use_mutexes(self):
        first, second = self.rng.sample(["m", "k"], 2)
        return [("lock", first), ("lock", second), self.change(), ("unlock", second), ("unlock", first)]

    def use_semaphore(self):
        return self.rng.choice([[("up", "s")], [("down", "s"), self.change(), ("up", "s")], [("down", "s")]])

    def use_rwlock(self):
        return [(self.rng.choice(["rdlock", "wrlock"]), "l"), self.change(), *([("rwunlock", "l")] * self.chance(0.9))]

    def use_barrier(self):
        return [self.change(), ("arrive", "r")]

    def use_try(self):
        return [("do", ("=", "x", ("trylock", "m"))), ("if", ("==", "x", 0), [self.change(), ("unlock", "m")], [self.change()])]

    def use_spin(self):
        return [("while", self.test(), [])]


class Generator:
    def __init__(self, options):
        self.options = options
        self.rng = random.Random(f"{options.seed}:{options.kind}:{options.inputs}:{sorted(options.avoid)}")
        self.counts = dict.fromkeys(ltl.NAMES, 0)

    def case(self):
        """One case: (program, expectation). Of several formulas, it keeps the one whose verdict was rarest so far."""
        while True:
            kind = self.options.kind
            if kind == "lasso":
                import servers  # builds on this module

                made = servers.case(self.rng, self.options, self.counts)
                if made:
                    return made
                continue
            if kind == "fair":
                import fair  # builds on this module

                made = fair.case(self.rng, self.options, self.counts)
                if made:
                    return made
                continue
            if kind == "mixed":
                kind = self.rng.choice(["sequential", "threads"])
            makers = {"sequential": Sequential, "threads": Threaded, "waits": Synchronised}
            if kind == "crew":
                import crew  # builds on this module

                makers["crew"] = crew.Crew
            if kind == "far":
                import far  # builds on this module

                makers["far"] = far.Far
            if kind == "recursive":
                import recursive  # builds on this module

                makers["recursive"] = recursive.Recursive
            maker = makers[kind](self.rng, self.options)
            unwind = getattr(maker, "unwind", None) or self.rng.randint(1, 3)
            program, formulas = maker.make(unwind)
            if any(feature.startswith(avoided) for avoided in self.options.avoid for feature in maker.features):
                continue
            declared, best = program.propositions, None
            for formula in self.rng.sample(formulas, 4):
                program.formula = formula
                # For X, a proposition that the formula does not use would still make events.
                used = ltl.propositions(ltl.parse(formula))
                program.propositions = [p for p in declared if p.name in used]
                try:
                    answer = machine.decide(program, unwind, limit=self.options.states)
                except machine.ProgramError:
                    break
                rank = self.counts[answer.verdict] - (len(answer.verdicts) > 1) * 0.5
                if best is None or rank < best[0]:
                    best = (rank, formula, program.propositions, answer)
            if best is None:
                continue
            _, program.formula, program.propositions, answer = best
            self.counts[answer.verdict] += 1
            rounds = {}
            if kind in ("threads", "waits", "crew"):
                for number in range(1, self.options.rounds + 1):
                    bounded = machine.decide(program, unwind, limit=20 * self.options.states, rounds=number)
                    rounds[str(number)] = {"verdict": bounded.verdict, "complete": bounded.complete}
            return program, {
                **({"rounds": rounds} if rounds else {}),
                "kind": kind, "unwind": unwind, "verdict": answer.verdict, "complete": answer.complete,
                "deadlock": answer.deadlock,
                "verdicts": sorted(answer.verdicts), "features": sorted(maker.features),
            }


def write(directory, program, expected, inputs):
    printer = Printer(program)
    ranges = [{"call": "input", "range": [0, 3]}] if inputs == "spec" and expected["kind"] == "sequential" else None
    text, spec = printer.text(), specification(program, ranges)
    if expected["kind"] == "lasso":
        text, spec, expected = shapes.other(random.Random(text), text, spec, expected)
    put(directory, text, spec, expected)


def put(directory, program, spec, expected):
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in [
        ("prog.c", program),
        ("spec.json", json.dumps(spec, indent=2) + "\n"),
        ("expected.json", json.dumps(expected, indent=2) + "\n"),
    ]:
        (directory / name).write_text(text, encoding="utf-8")


def write_memory(options):
    """Cases of the kind `memory`, which has a language of its own."""
    rng = random.Random(f"{options.seed}:memory:{sorted(options.avoid)}")
    counts = dict.fromkeys(ltl.NAMES, 0)
    for number in range(options.count):
        program, spec, expected = memory.case(rng, options, FORMULAS, counts)
        directory = options.directory / f"case_{number}"
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "prog.c").write_text(program, encoding="utf-8")
        (directory / "spec.json").write_text(spec, encoding="utf-8")
        (directory / "expected.json").write_text(json.dumps(expected, indent=2) + "\n", encoding="utf-8")
    return 0


def arguments(argv):
    parser = argparse.ArgumentParser(description="Generates small programs with their exact verdicts.")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--kind", choices=["sequential", "threads", "waits", "crew", "recursive", "far", "mixed", "memory", "inputs", "lasso", "fair"], default="mixed")
    parser.add_argument("--inputs", choices=["mask", "spec"], default="mask",
                        help="mask: nondet_int() & 3, which needs nothing from the spec; spec: input(), ranged by the spec's inputs")
    parser.add_argument("--avoid", action="append", default=[], metavar="FEATURE",
                        help="no cases whose features include one that begins with this, such as shadow or goto")
    parser.add_argument("--rounds", type=int, default=0,
                        help="for programs with threads: the verdicts of the runs of 1, 2, … so many rounds, too")
    parser.add_argument("--states", type=int, default=100_000, help="programs with more states are thrown away")
    return parser.parse_args(argv)


def main(argv):
    options = arguments(argv)
    if options.kind == "memory":
        return write_memory(options)
    if options.kind == "inputs":
        rng = random.Random(f"{options.seed}:inputs")
        for number in range(options.count):
            put(options.directory / f"case_{number}", *reactive.make(rng))
        return 0
    generator = Generator(options)
    for number in range(options.count):
        program, expected = generator.case()
        write(options.directory / f"case_{number}", program, expected, options.inputs)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
