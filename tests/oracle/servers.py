"""Random programs that may run for ever: servers, state machines, nested loops, helpers with loops of their own."""

import infinite
import ltl
import machine
from generate import FORMULAS, Budget, Maker
from lang import Function, Program

# Verdicts about infinite runs, rarest last: a lasso that fits the bound, one that may need a greater bound, none.
LASSOS = ("must", "may", "never")
MORE = ["G F p", "G (p -> F q)", "G F (p && q)", "F G p || F G q", "G F p -> G F q", "F (G p) -> G F q", "G (p -> F !p)",
        "(G F p) && (F G q)", "F (p && G !q)"]


class Server(Maker):
    """Every value stays between 0 and 3, so that there are finitely many states. Only the counter t grows; nothing relevant reads
    it, and the oracle leaves it out."""

    def make(self):
        program = Program(variables={"a": self.small(), "b": self.small(), "t": 0})
        self.visible, self.loops, self.depth = ["a", "b"], 0, 0
        self.has_helper = False
        if self.chance(0.4):
            self.visible = ["a", "b", "n", "x"]
            self.budget = Budget(4)
            body = [("int", "x", self.first()), *self.block(3), ("return", self.value())]
            program.functions["h"] = Function("h", ["n"], body)
            self.features.add("helper")
        self.has_helper = bool(program.functions)
        statics = {"s": self.small()} if self.chance(0.4) else {}
        self.visible = ["a", "b", "x", "y", *statics]
        self.budget = Budget(9)
        head = [("int", "x", self.first()), ("int", "y", self.first())]
        spans = []
        for name in ("p", "q"):
            spans.append(None if self.chance(0.6) else (f"b_{name}", f"e_{name}"))
        self.pending = [s for s in spans if s]
        body = self.automaton() if self.chance(0.25) else self.block(6, inside=True)
        while self.pending:
            entry, exit_label = self.pending.pop()
            body = [*body, ("area", entry, exit_label, self.block(2))]
        if self.chance(0.2):
            # A jump out of the loop, or into its next round.
            self.features.add("jump")
            jump = self.rng.choice(["break", "continue"])
            body.insert(self.rng.randint(0, len(body)), ("if", self.condition(), [(jump,)], []))
        if not any(spans) and not statics and self.chance(0.3):
            # The loop is in a function of its own; main's locals live as long as the call lasts.
            self.features.add("inner")
            program.functions["serve"] = Function("serve", [], [*head, *self.forever(body), ("return", 0)])
            head = [("int", "z", self.first())]
            last = [("do", ("=", "a", ("&", ("+", "a", "z"), 3)))]
            program.main = Function("main", [], [*head, ("do", ("call", "serve")), *last, ("return", 0)])
        else:
            program.main = Function("main", [], [*head, *self.forever(body), ("return", 0)], statics)
        for number, (name, span) in enumerate(zip("pq", spans)):
            places = ["a", "b"] + (["main::" + v for v in self.visible[2:]] if span else [])
            program.propositions.append(self.proposition(name, number, places, span))
        return program

    pending = ()

    def automaton(self):
        """A state machine: a choice or an input determines the next value of one variable."""
        self.features.add("automaton")
        state = self.rng.choice([v for v in self.visible if v not in ("x", "y")])
        groups = []
        for number in range(4):
            move = ("?", ("==", ("input", 2), 0), self.small(), self.small()) if self.chance(0.5) else self.small()
            act = [("do", self.assign())] if self.chance(0.5) else []
            groups.append((number, [*act, ("do", ("=", state, move))]))
        return [("switch", state, groups, [("do", self.assign())]), *self.block(2, inside=True)]

    def forever(self, body):
        kind = self.rng.choice(["while", "while", "for", "dowhile"])
        self.features.add(kind)
        before = self.block(1) if self.chance(0.3) else []
        if kind == "while":
            return [*before, ("while", 1, body)]
        if kind == "for":
            return [*before, ("for", None, None, self.assign() if self.chance(0.5) else None, body)]
        return [*before, ("dowhile", body, self.condition() if self.chance(0.5) else 1)]

    def first(self):
        return self.rng.choice([self.small(), ("input", 4)])

    def value(self):
        kind = self.rng.randrange(6)
        if kind == 0:
            return self.small()
        if kind == 1:
            return ("input", self.rng.choice([2, 4]))
        if kind == 2 and self.has_helper:
            return ("&", ("call", "h", self.rng.choice(self.visible)), 3)
        variable = self.rng.choice(self.visible)
        if kind == 3:
            return variable
        return ("&", (self.rng.choice(["+", "^", "-", "|"]), variable, self.rng.choice([1, 1, 2, *self.visible])), 3)

    def condition(self):
        left = ("input", 2) if self.chance(0.3) else self.rng.choice(self.visible)
        return (self.rng.choice(["==", "!=", "<", ">"]), left, self.small())

    def assign(self):
        return ("=", self.rng.choice(self.visible), self.value())

    def block(self, most, inside=False):
        statements = []
        for _ in range(self.rng.randint(1, most)):
            if self.budget.take():
                statements.append(self.statement(inside))
        return statements

    def statement(self, inside):
        if inside and self.pending and self.depth < 2 and self.chance(0.4):
            entry, exit_label = self.pending.pop()
            return ("area", entry, exit_label, self.block(3))
        kinds = ["assign", "if", "loop", "count", "switch", "ghost"]
        kind = self.rng.choices(kinds, [50, 20, 8 if self.loops < 1 else 0, 8 if self.loops < 1 else 0, 5, 6])[0]
        if self.depth >= 2 and kind not in ("assign", "ghost"):
            kind = "assign"
        if kind == "assign":
            return ("do", self.assign())
        if kind == "ghost":
            self.features.add("ghost")
            return ("do", ("x++", "t"))
        self.depth += 1
        if kind == "if":
            made = ("if", self.condition(), self.block(3), self.block(2) if self.chance(0.4) else [])
        elif kind == "switch":
            groups = [(c, self.block(1)) for c in self.rng.sample(range(4), 2)]
            made = ("switch", self.rng.choice(self.visible), groups, self.block(1))
        else:
            made = self.loop(kind)
        self.depth -= 1
        return made

    def loop(self, kind):
        self.loops += 1
        self.features.add("nested")
        if kind == "count":
            counter = self.name("i")
            made = ("for", ("int", counter, 0), ("<", counter, self.rng.randint(1, 2)), ("x++", counter), self.block(2))
        else:
            made = ("while", self.condition(), self.block(2))
        self.loops -= 1
        return made


def without_ghosts(part):
    """The tree without the statements on the irrelevant counter t."""
    if isinstance(part, list):
        return [without_ghosts(p) for p in part if p != ("do", ("x++", "t"))]
    return tuple(without_ghosts(p) for p in part) if isinstance(part, tuple) else part


def only_ghosts(part):
    """Whether some block consists of such statements only: without them, a loop would be a wait."""
    if isinstance(part, list) and part and all(p == ("do", ("x++", "t")) for p in part):
        return True
    return isinstance(part, (list, tuple)) and any(only_ghosts(p) for p in part)


def visited(program):
    """The program that the oracle explores."""
    bare = Program(variables=dict(program.variables), propositions=program.propositions, formula=program.formula)
    for name, function in program.functions.items():
        bare.functions[name] = Function(name, function.params, without_ghosts(function.body), function.statics)
    bare.main = Function("main", [], without_ghosts(program.main.body), program.main.statics)
    return bare


def case(rng, options, counts):
    """One case: (program, expectation); None if it has too many states."""
    maker = Server(rng, options)
    program = maker.make()
    if any(only_ghosts(f.body) for f in [*program.functions.values(), program.main]):
        return None
    declared, best = program.propositions, None
    unwind = rng.randint(4, 7)
    for formula in rng.sample(FORMULAS + MORE, 3):
        program.formula = formula
        used = ltl.propositions(ltl.parse(formula))
        program.propositions = [p for p in declared if p.name in used]
        bare = visited(program)
        try:
            violations = infinite.Violations(bare, limit=3_000)
            exists = violations.exist()
            lasso = "never" if not exists else "must" if violations.within(unwind) else "may"
            violated = exists or violations.end()
            answer = machine.decide(bare, unwind, limit=20_000)
        except machine.ProgramError:
            return None
        rank = counts.get((answer.verdict, lasso), 0)
        if best is None or rank < best[0]:
            best = (rank, formula, program.propositions, answer, lasso, violated)
    _, program.formula, program.propositions, answer, lasso, violated = best
    counts[answer.verdict, lasso] = counts.get((answer.verdict, lasso), 0) + 1
    return program, {"kind": "lasso", "unwind": unwind, "verdict": answer.verdict, "complete": answer.complete,
                     "lasso": lasso, "violated": violated, "features": sorted(maker.features)}
