"""Programs of threads that share their code, for the kind `crew`.

Two or three threads, some of which run one routine; validity areas in it, so that there are several instances; recursive
locks; calls by pthread_once; writes through pointers; evaluations with branches; detached threads; broadcasts, barriers and
read-write locks that are used more than once; waits written as spins on a lock or on an exchange, and as loops by goto;
threads that end the process.

A thread that shares its routine has an equal tree: the printer prints each routine once.
"""

from generate import FORMULAS, Budget, Synchronised
from lang import Function, Predicate, Program, Proposition

MEANS = ["condition", "semaphore", "rwlock", "barrier", "spin", "recursive", "once", "poll", "exchange", "goto", "exit", "pointer"]


class Crew(Synchronised):
    def make(self, unwind):
        self.means = self.rng.sample(MEANS, 3)
        self.crew = 3 if self.chance(0.35) else 2
        uses = self.means.__contains__
        program = Program(
            variables={"a": self.small(), "b": self.small(), **({"x0": 0} if uses("exchange") else {})}, mutexes=["m", "k"],
            recursive=["w"] if uses("recursive") else [],
            conditions=["c"] if uses("condition") else [],
            semaphores={"s": self.rng.randint(0, 1)} if uses("semaphore") else {},
            rwlocks=["l"] if uses("rwlock") else [],
            barriers={"r": self.rng.choice([2, 2, self.crew])} if uses("barrier") else {},
            onces=["o"] if uses("once") else [])
        self.program = program
        self.features |= set(self.means)
        shared = self.chance(0.6)
        if uses("once"):
            program.functions["prepare"] = Function("prepare", [], [self.change()], {}, "void")
        areas = [(name, (f"b_{name}", f"e_{name}")) if self.chance(0.5) else (name, None) for name in "pq"]
        first = self.routine(1, [span for _, span in areas if span])
        program.threads.append(first)
        for number in range(2, self.crew + 1):
            again = shared and number == 2
            program.threads.append(first if again else self.routine(number, []))
        self.features |= {"shared"} if shared else set()
        for number, (name, span) in enumerate(areas):
            places = ["a", "b"] + (["t1::x"] * 2 if span else [])
            if span and shared:
                # Conditions over both locals of several activations and objects that other threads change are refused.
                places = self.rng.choice([["a", "b"], ["t1::x"]])
            made = self.proposition(name, number, sorted(set(places)), span)
            if not any("::" in p for p in made.params) and self.chance(0.5):
                made = self.direct(name, number, made.default, made.span)
            program.propositions.append(made)
        program.main = Function("main", [], self.main_body())
        return program, FORMULAS

    def direct(self, name, number, default, span):
        """A proposition whose evaluation reads globals itself, in branches."""
        self.features.add("direct")
        test = lambda: (self.rng.choice(["==", "<", ">"]), self.rng.choice("ab"), self.small())
        body = ("?", test(), test(), ("?", test(), test(), test()))
        return Proposition(name, default, Predicate(f"eval{number}", ["a", "b"], body, True), ["a", "b"], span)

    def use_pointer(self):
        return [("either", ("<", "x", self.small()), *self.rng.sample("ab", 2), self.small())]

    def main_body(self):
        created = [("create", i) for i in range(self.crew)]
        ends = []
        for i in range(self.crew):
            kind = self.rng.choices(["join", "detach", "none"], [8, 1, 1])[0]
            if kind != "none":
                ends.append((kind, i))
        self.features |= {kind for kind, _ in ends if kind == "detach"}
        last = [("do", ("=", "a", self.small()))] if self.chance(0.3) else []
        return [*created, *ends, *last, ("leave",) if self.chance(0.3) else ("return", 0)]

    def routine(self, number, areas):
        self.locked, self.loops, self.pending = False, 0, [tuple(span) for span in areas]
        self.budget = Budget(4 if self.crew == 2 else 3)
        body = self.block(3)
        while self.pending:
            entry, exit_label = self.pending.pop()
            cut = sorted(self.rng.sample(range(len(body) + 1), 2)) if body else [0, 0]
            body = [*body[:cut[0]], ("area", entry, exit_label, body[cut[0]:cut[1]]), *body[cut[1]:]]
        return Function(f"t{number}", [], [("int", "x", self.small()), *body])

    def use_barrier(self):
        return [self.change(), ("arrive", "r"), *([self.change(), ("arrive", "r")] * self.chance(0.4))]

    def use_rwlock(self):
        kind = self.rng.choice(["rdlock", "wrlock", "both"])
        if kind == "both":
            return [("rdlock", "l"), ("rdlock", "l"), self.change(), ("rwunlock", "l"), ("rwunlock", "l")]
        return [(kind, "l"), self.change(), *([("rwunlock", "l")] * self.chance(0.9))]

    def use_recursive(self):
        inner = [("lock", "w"), self.change(), ("unlock", "w")]
        return [("lock", "w"), *inner, self.change(), *([("unlock", "w")] * self.chance(0.9))]

    def use_once(self):
        return [("once", "o", "prepare")]

    def use_poll(self):
        """A loop that spins on a lock."""
        return [("pollock", "m"), self.change(), *([("unlock", "m")] * self.chance(0.8))]

    def use_exchange(self):
        return [("spinlock", "x0"), self.change(), *([("do", ("=", "x0", 0))] * self.chance(0.8))]

    def use_goto(self):
        return [("await", self.name("again"), self.test())]

    def use_exit(self):
        return [("if", self.test(), [("exit",)], [])]
