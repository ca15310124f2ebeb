"""Infinite runs of threaded programs under no, weak or strong fairness: random programs of endless threads, and whether a
fair run violates their formulas.

The graph of all states is explored; each edge has the thread that takes the step, and each state the enabled threads. The
formula is followed by guessing types (infinite.py). A cycle counts

- always, without fairness; there, a thread that goes round a loop without effect (a busy wait) takes steps, too;
- as weakly fair, if for each thread that has not ended it has a step of the thread or a state in which the thread is disabled;
- as strongly fair, if for each such thread it has a step of the thread or no state in which the thread is enabled.

Strong fairness is a Streett condition: a component in which some thread is enabled but never takes a step is searched again
without the states that enable the thread (Emerson and Lei 1987). The method is independent of the tool's.
"""

import graphs
import infinite
import ltl
import machine
from generate import FORMULAS, Maker
from lang import Function, Predicate, Program, Proposition

KINDS = ("none", "weak", "strong")
# Busy waits.
BUSY = ("await", "acquire")
MORE = ["G F p", "G F q", "G (p -> F q)", "G (q -> F p)", "F G p", "F p", "F q", "F G p || F G q", "G F p -> G F q", "G (p -> F !p)"]


class Runs:
    """The graph of a threaded program's states."""

    def __init__(self, program, limit):
        image = machine.compile_program(program, 1)
        for thread in image.threads:
            thread.ops = [("head",) if op[0] == "bound" else op for op in thread.ops]
        explorer = machine.Explorer(image, infinite.Letters, limit)
        threads = tuple((0, (0,) * t.registers, machine.UNBORN if n else machine.RUNNING) for n, t in enumerate(image.threads))
        base = (tuple(image.slots), program.initial(), threads, frozenset(image.always))
        self.letter0 = explorer.letter(*base)
        first = (*base, None, self.letter0)
        numbers, work = {first: 0}, [first]
        self.edges, self.able, self.live, self.last = [[]], [frozenset()], [frozenset()], [self.letter0]
        self.spins = [False]  # whether some thread goes round a loop without effect
        while work:
            state = work.pop()
            number = numbers[state]
            able = set()
            for thread, follower in explorer.steps(state):
                able.add(thread)
                letter = follower[5] if follower[4] else None
                follower = (*follower[:4], None, follower[5])
                if follower not in numbers:
                    if len(numbers) >= limit:
                        raise machine.ProgramError(f"more than {limit} states")
                    numbers[follower] = len(numbers)
                    self.edges.append([])
                    self.able.append(frozenset())
                    self.live.append(frozenset())
                    self.spins.append(False)
                    self.last.append(follower[5])
                    work.append(follower)
                self.edges[number].append((numbers[follower], letter, thread))
            self.able[number] = frozenset(able)
            self.live[number] = frozenset(n for n, t in enumerate(state[2]) if t[2] == machine.RUNNING)
            self.spins[number] = any(explorer.next(state, n)[2][0] in BUSY for n in self.live[number] - able)


class Violations(infinite.Violations):
    """The runs of a program that violate a formula."""

    def __init__(self, program, runs):
        self.semantics = ltl.Semantics(program.formula)
        self.runs = runs
        self.promises = infinite.promises(self.semantics)
        whole, first = self.semantics.index[self.semantics.formula], runs.letter0
        self.starts = [(0, kind) for kind in self.semantics.types if not self.semantics.front[first, kind][whole]]
        self.found = {}

    def ways(self, node):
        """The steps of a node: (follower, thread, whether there is a letter)."""
        if node not in self.found:
            self.found[node] = list(self.step(node))
        return self.found[node]

    def exist(self, fairness):
        nodes, work = set(self.starts), list(self.starts)
        while work:
            for follower, _, _ in self.ways(work.pop()):
                if follower not in nodes:
                    nodes.add(follower)
                    work.append(follower)
        quiet = {n for n in nodes if self.is_quiet(n)}
        return self.fair(nodes, fairness, letters=True) or self.fair(quiet, fairness, letters=False)

    def fair(self, nodes, fairness, letters):
        """Whether some cycle of these nodes counts: one with letters that keeps every promise, or one without letters."""
        within = lambda n: [(f, t, l) for f, t, l in self.ways(n) if f in nodes and (letters or not l)]
        of = graphs.numbered(list(nodes), lambda n: [f for f, _, _ in within(n)])
        members = {}
        for node, number in of.items():
            members.setdefault(number, set()).add(node)
        return any(self.counts(group, within, fairness, letters) for group in members.values())

    def counts(self, group, within, fairness, letters):
        steps = [(n, f, t, l) for n in group for f, t, l in within(n) if f in group]
        if not steps:
            spins = any(self.runs.spins[s] for s, _ in group)
            return spins and fairness == "none" and not letters
        if letters:
            lettered = [n for n, _, _, l in steps if l]
            if not lettered or not all(any(test(n[1]) for n in lettered) for test in self.promises):
                return False
        if fairness == "none":
            return True
        runs, taken = self.runs, {t for _, _, t, _ in steps}
        some = next(iter(group))[0]
        idle = [t for t in runs.live[some] if t not in taken]
        if fairness == "weak":
            return all(any(t not in runs.able[s] for s, _ in group) for t in idle)
        unfair = [t for t in idle if any(t in runs.able[s] for s, _ in group)]
        if not unfair:
            return True
        left = {n for n in group if not any(t in runs.able[n[0]] for t in unfair)}
        return bool(left) and self.fair(left, fairness, letters)


class Endless(Maker):
    """Two or three threads that run for ever, or stop somewhere, and wait for each other in every way."""

    def make(self):
        crew = 3 if self.chance(0.15) else 2
        self.means = self.rng.sample(["mutex", "mutex", "await", "semaphore", "try", "condition", "rwlock", "spin"], 2)
        uses = self.means.__contains__
        program = Program(
            variables={"a": self.rng.randint(0, 1), "b": self.rng.randint(0, 1), **({"x0": 0} if uses("spin") else {})},
            mutexes=["m", "k"],
            conditions=["c"] if uses("condition") else [], rwlocks=["l"] if uses("rwlock") else [],
            semaphores={"s": self.rng.randint(0, 1)} if uses("semaphore") else {})
        for number in range(1, crew + 1):
            body = [s for _ in range(self.rng.randint(1, 2)) for s in self.part()]
            first = self.part() if self.chance(0.25) else []
            ends = self.chance(0.15)
            loop = body if ends else [("while", 1, body + ([("do", ("=", "x", ("-", 1, "x")))] if self.chance(0.2) else []))]
            program.threads.append(Function(f"t{number}", [], [("int", "x", self.rng.randint(0, 1)), *first, *loop, ("return", 0)]))
        for number, name in enumerate("pq"):
            predicate = Predicate(f"eval{number}", ["u"], ("==", "u", self.rng.randint(0, 1)))
            program.propositions.append(Proposition(name, False, predicate, ["ab"[number]]))
        joins = [("join", i) for i in range(crew)]
        program.main = Function("main", [], [*[("create", i) for i in range(crew)], *joins, ("return", 0)])
        self.features |= set(self.means)
        self.form(program)
        return program

    def form(self, program):
        """How the endless loops and the start of the threads are written."""
        program.gotos = self.chance(0.3)
        # A thread's box holds the value of x during a round: only possible if the round does not change x.
        program.boxes = not any("'x'" in str(t.body[1:]) for t in program.threads) and self.chance(0.5)
        if self.chance(0.2):
            program.alike = True
            program.threads = [program.threads[0]] * len(program.threads)

    def bit(self):
        return self.rng.randint(0, 1)

    def change(self):
        name = self.rng.choice("ab")
        return ("do", ("=", name, self.rng.choice([0, 1, 0, 1, ("-", 1, name)])))

    def test(self):
        return (self.rng.choice(["==", "!="]), self.rng.choice("ab"), self.bit())

    def part(self):
        if self.chance(0.3):
            return [self.change()]
        if self.chance(0.15):
            return [("if", self.test(), [self.change()], [self.change()] if self.chance(0.4) else [])]
        return getattr(self, "use_" + self.rng.choice(self.means))()

    def changes(self):
        return [self.change() for _ in range(self.rng.randint(0, 2))]

    def use_mutex(self):
        lock = self.rng.choice("mk")
        return [("lock", lock), *self.changes(), ("unlock", lock)]

    def use_await(self):
        return [("while", self.test(), [])]

    def use_semaphore(self):
        return self.rng.choice([[("up", "s")], [("down", "s"), *self.changes(), ("up", "s")], [("down", "s"), *self.changes()]])

    def use_try(self):
        return [("do", ("=", "x", ("trylock", "m"))), ("if", ("==", "x", 0), [*self.changes(), ("unlock", "m")], self.changes())]

    def use_rwlock(self):
        return [(self.rng.choice(["rdlock", "wrlock"]), "l"), *self.changes(), ("rwunlock", "l")]

    def use_spin(self):
        return [("spinlock", "x0"), *self.changes(), ("do", ("=", "x0", 0))]


def bounded(part):
    """Whether a semaphore cannot grow for ever: otherwise there are infinitely many states."""
    flat = str(part)
    return flat.count("'up'") <= flat.count("'down'")


def case(rng, options, counts):
    """One case: (program, expectation); None if it has too many states."""
    maker = Endless(rng, options)
    program = maker.make()
    if not all(bounded(t.body) for t in program.threads):
        return None
    declared, best = program.propositions, None
    try:
        for formula in rng.sample(FORMULAS + MORE * 2, 6):
            program.formula = formula
            used = ltl.propositions(ltl.parse(formula))
            program.propositions = [p for p in declared if p.name in used]
            violations = Violations(program, Runs(program, 4_000))
            answer = tuple(violations.exist(kind) for kind in KINDS)
            rank = counts.get(answer, 0)
            if best is None or rank < best[0]:
                best = (rank, formula, program.propositions, answer)
    except machine.ProgramError:
        return None
    _, program.formula, program.propositions, answer = best
    counts[answer] = counts.get(answer, 0) + 1
    return program, {"kind": "fair", **dict(zip(KINDS, answer)), "features": sorted(maker.features)}
