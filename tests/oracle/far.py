"""Programs with non-local jumps, for the kind `far`: `main` calls setjmp, and the functions that it calls may jump back, out of
areas, loops and calls in expressions.
"""

from generate import FORMULAS, Budget, Maker
from lang import Function, Program


class Far(Maker):
    unwind = 6  # more than there are activations

    def make(self, unwind):
        program = Program(variables={"a": self.small(), "b": self.small()})
        self.program = program
        owners = {name: self.rng.choice(["main", "outer", "inner", "whole"]) for name in "pq"}
        spans = {name: (f"b_{name}", f"e_{name}") for name, owner in owners.items() if owner != "whole"}
        self.areas = {owner: [spans[n] for n, o in owners.items() if o == owner] for owner in ("main", "outer", "inner")}
        program.functions["inner"] = self.function("inner", "jump")
        program.functions["outer"] = self.function("outer", "inner")
        for number, name in enumerate("pq"):
            places = ["a", "b"]
            if owners[name] in ("outer", "inner") and self.chance(0.4):
                places = [f"{owners[name]}::n", f"{owners[name]}::x"]
            program.propositions.append(self.proposition(name, number, places, spans.get(name)))
        body = self.around(self.some() + [("do", self.call("outer")), *self.some()], "main", 0.5)
        handler = self.some() or [("do", ("=", "a", 3))]
        program.main = Function("main", [], [*self.around([("try", body, handler), *self.some()], "main", 1), ("return", 0)])
        return program, FORMULAS

    def around(self, statements, owner, probability):
        """The statements, with the areas that remain to be placed around some of them."""
        while self.areas[owner] and self.chance(probability):
            entry, exit_label = self.areas[owner].pop()
            cut = sorted(self.rng.sample(range(len(statements) + 1), 2))
            statements = [*statements[:cut[0]], ("area", entry, exit_label, statements[cut[0]:cut[1]]), *statements[cut[1]:]]
        return statements

    def some(self):
        return [("do", ("=", self.rng.choice("ab"), self.small())) for _ in range(self.rng.randint(0, 2))]

    def call(self, name):
        call = ("call", name, self.small())
        return self.rng.choice([call, ("=", "a", call), ("=", "b", ("+", call, 1)), ("+", "b", call)])

    def change(self):
        return ("do", ("=", self.rng.choice("abx"), self.rng.choice([self.small(), "n", "x"])))

    def test(self):
        return (self.rng.choice(["==", "<", ">"]), self.rng.choice(["a", "b", "n", ("input", 2)]), self.small())

    def deeper(self, what):
        if what == "jump":
            return [("if", self.test(), [("jump",)], [])]
        call = ("do", self.call(what))
        if self.chance(0.4):
            self.features.add("recursive")
            deeper = ("call", "outer", ("-", "n", 1))
            return [("if", (">", "n", 0), [("do", self.rng.choice([deeper, ("=", "x", deeper)]))], [call])]
        if self.chance(0.3):
            self.features.add("loop")
            return [("for", ("int", "i", 0), ("<", "i", 2), ("x++", "i"), [call, *([self.change()] * self.chance(0.5))])]
        return [call] if self.chance(0.7) else [("if", self.test(), [call], [("return", 2)])]

    def function(self, name, what):
        parts = self.deeper(what)
        budget = Budget(4)
        while budget.take():
            part = self.rng.choice([self.change, self.change, lambda: ("if", self.test(), [("return", "x")], []),
                                    lambda: ("if", self.test(), [("exit",)], [])])()
            parts.insert(self.rng.randint(0, len(parts)), part)
        parts = self.around(parts, name, 1)
        return Function(name, ["n"], [("int", "x", self.small()), *parts, ("return", self.rng.choice(["n", "x", 1]))])
