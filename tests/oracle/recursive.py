"""Programs with a recursive function that has validity areas, for the kind `recursive`: several activations are in an area at
once, and the run may end in any of them, or in their callees. Sometimes a second thread runs the function, too.
"""

from generate import FORMULAS, Budget, Maker
from lang import Function, Program


class Recursive(Maker):
    unwind = 6  # more than there are activations

    def make(self, unwind):
        self.threaded = self.chance(0.25)
        program = Program(variables={"a": self.small(), "b": self.small()})
        self.program = program
        self.features |= {"threads"} if self.threaded else set()
        self.budget = Budget(2 if self.threaded else 5)
        if self.chance(0.5):
            program.functions["g"] = Function("g", [], [*self.some(1), *self.perhaps_exit()], {}, "void")
        areas = [(name, (f"b_{name}", f"e_{name}")) for name in self.rng.choice(["p", "p", "pq"])]
        body = self.body([span for _, span in areas])
        program.functions["f"] = Function("f", ["n"], [("int", "x", self.rng.choice([self.small(), "n"])), *body, ("return", self.value())])
        for number, name in enumerate("pq"):
            span = dict(areas).get(name)
            # Conditions over both locals of several activations and objects that other threads change are refused.
            places = self.rng.choice([["a", "b"], ["f::n", "f::x"]]) if span else ["a", "b"]
            made = self.proposition(name, number, places, span)
            if span and self.chance(0.3):
                made.instances = "all"
                self.features.add("all")
            program.propositions.append(made)
        program.main = Function("main", [], self.main_body())
        return program, FORMULAS

    def main_body(self):
        deepest = 1 if self.threaded else 3
        call = lambda: ("do", ("call", "f", self.rng.randint(0, deepest)))
        if self.threaded:
            self.program.threads.append(Function("t", [], [call()]))
            return [("create", 0), call(), *([("join", 0)] * self.chance(0.7)), ("return", 0)]
        return [*self.some(1), call(), *([call()] * self.chance(0.3)), *self.some(1), ("return", 0)]

    def value(self):
        return self.rng.choice(["n", "x", self.small(), "a"])

    def change(self):
        name = self.rng.choice("ab")
        return ("do", self.rng.choice([("=", name, self.small()), ("=", name, "x"), ("=", name, "n")]))

    def some(self, most):
        """Some writes outside of the scope of `f`'s locals."""
        return [("do", ("=", self.rng.choice("ab"), self.small())) for _ in range(self.rng.randint(0, most))]

    def test(self):
        return (self.rng.choice(["==", "<", ">"]), self.rng.choice(["a", "b", ("input", 2)]), self.small())

    def perhaps_exit(self):
        if not self.chance(0.6):
            return []
        self.features.add("exit")
        return [("if", self.test(), [("exit",)], [])]

    def deeper(self):
        call = ("call", "f", ("-", "n", 1))
        done = self.rng.choice([("do", call), ("do", ("=", "x", call)), ("return", call)])
        return ("if", (">", "n", 0), [done], [])

    def body(self, areas):
        parts = [self.deeper()]
        while self.budget.take():
            kind = self.rng.choice(["change", "change", "local", "exit", "call", "return"])
            part = {
                "change": lambda: [self.change()],
                "local": lambda: [("do", ("=", "x", self.small()))],
                "exit": self.perhaps_exit,
                "call": lambda: [("do", ("call", "g"))] if "g" in self.program.functions else [],
                "return": lambda: [("if", self.test(), [("return", self.value())], [])],
            }[kind]()
            at = self.rng.randint(0, len(parts))
            parts[at:at] = part
        for entry, exit_label in areas:
            cut = sorted(self.rng.sample(range(len(parts) + 1), 2))
            parts = [*parts[:cut[0]], ("area", entry, exit_label, parts[cut[0]:cut[1]]), *parts[cut[1]:]]
        return parts
