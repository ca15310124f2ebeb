"""Random programs over small integer types, and whether formulas hold on all of their maximal runs.

The variables are chars and shorts that wrap around; there are inputs, early ends, assumptions, nested loops, jumps and static
locals. All states of a program are explored, and each formula has one of a few stutter-invariant shapes, so that graph
algorithms decide it without any automaton. The method is independent of the tool's.
"""

import argparse
import json
import pathlib
import random

import graphs

TYPES = {"unsigned char": (8, False), "signed char": (8, True), "short": (16, True), "unsigned short": (16, False)}
SHAPES = ["G {p}", "F {p}", "G F {p}", "F G {p}", "G({p} -> F {q})", "{p} U {q}"]


def wrapped(value, kind):
    bits, signed = TYPES[kind]
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value


class Generator:
    """A program as a list of instructions, and its text."""

    def __init__(self, rng):
        self.rng = rng
        kinds = rng.sample(sorted(TYPES), 2) + ["unsigned char"]
        self.names = ["a", "b", "s"]
        self.kinds = dict(zip(self.names, kinds))
        self.first = {n: wrapped(rng.choice([0, 0, 1, 3, 250]), self.kinds[n]) for n in self.names}
        self.code, self.text, self.depth = [], [], 1
        self.static = rng.random() < 0.4
        self.jump = rng.random() < 0.3
        # The variables at file scope.
        self.shown = self.names[: 2 if self.static else 3]

    def say(self, line):
        self.text.append("  " * self.depth + line)

    def emit(self, *op):
        self.code.append(list(op))
        return len(self.code) - 1

    def spelled(self, text):
        """The C text of an expression."""
        return text

    def variable(self):
        return self.rng.choice(self.shown)

    def condition(self):
        v, w, c = self.variable(), self.variable(), self.rng.choice([0, 1, 2, 5, 9, 200])
        op = self.rng.choice(["<", ">", "==", "!=", "<=", ">="])
        right = w if self.rng.random() < 0.25 else str(c)
        return f"{v} {op} {right}"

    def value(self):
        v, w, c = self.variable(), self.variable(), self.rng.choice([1, 1, 1, 2, 3])
        return self.rng.choice([str(c - 1), f"{v} + {c}", f"{v} - {c}", f"{v} + 1", f"{v} - 1", f"{v} ^ {w}", f"{v} & 7", "INPUT"])

    def statement(self, level, loops):
        pick = self.rng.random()
        if pick < 0.45:
            self.assign()
        elif pick < 0.6 and level:
            self.branch(level, loops)
        elif pick < 0.8 and level:
            self.loop(level, loops)
        elif pick < 0.86 and loops:
            cond = self.condition()
            self.say(f"if ({cond}) break;")
            loops[-1].append(self.emit("test", cond, None, len(self.code) + 1))
        elif pick < 0.9:
            cond = self.condition()
            self.say(f"__VERIFIER_assume({cond});")
            self.emit("assume", cond)
        elif pick < 0.93:
            cond = self.condition()
            self.say(f"if ({cond}) return 0;")
            self.emit("test", cond, "end", len(self.code) + 1)
        elif self.static:
            self.say("tick();")
            self.emit("set", "s", "s + 1")
            self.emit("set", "a", "a + (s & 1)")
        else:
            self.assign()

    def assign(self):
        v, value = self.variable(), self.value()
        self.say(f"{v} = {value.replace('INPUT', 'nondet_int() & 3')};")
        self.emit("set", v, value)

    def block(self, level, loops):
        self.depth += 1
        for _ in range(self.rng.randint(1, 3)):
            self.statement(level - 1, loops)
        self.depth -= 1

    def branch(self, level, loops):
        cond = "nondet_int() & 1" if self.rng.random() < 0.4 else self.condition()
        self.say(f"if ({self.spelled(cond)}) {{")
        test = self.emit("test", cond, len(self.code) + 1, None)
        self.block(level, loops)
        if self.rng.random() < 0.5:
            leave = self.emit("go", None)
            self.code[test][3] = len(self.code)
            self.say("} else {")
            self.block(level, loops)
            self.code[leave][1] = len(self.code)
        else:
            self.code[test][3] = len(self.code)
        self.say("}")

    def endless(self, _level):
        return self.rng.random() < 0.4

    def loop(self, level, loops):
        cond = "1" if self.endless(level) else self.condition()
        self.say(f"while ({cond}) {{")
        head = self.emit("test", cond, len(self.code) + 1, None)
        inner = [*loops, []]
        self.block(level, inner)
        self.emit("go", head)
        self.say("}")
        self.code[head][3] = len(self.code)
        for at in inner[-1]:
            self.code[at][2] = len(self.code)

    def program(self):
        if self.jump:
            self.say("again: ;")
        for _ in range(self.rng.randint(2, 4)):
            self.statement(3, [])
        if self.jump:
            cond = self.condition()
            self.say(f"if ({cond}) goto again;")
            self.emit("test", cond, 0, len(self.code) + 1)
        if self.rng.random() < 0.6:
            self.say("while (1) { }")
            self.emit("go", len(self.code))
        self.say("return 0;")
        self.emit("go", "end")
        for op in self.code:
            for i, x in enumerate(op):
                if x is None:
                    op[i] = len(self.code) - 1
        lines = ["int nondet_int(void);", "void __VERIFIER_assume(int);"]
        lines += [f"{self.kinds[n]} {n} = {self.first[n]};" for n in self.shown]
        if self.static:
            lines.append(f"static void tick(void) {{ static {self.kinds['s']} s = {self.first['s']}; s = s + 1; a = a + (s & 1); }}")
        return "\n".join([*lines, "int main(void)", "{", *self.text, "}", ""])

    def follow(self, limit):
        """The graph of states: numbers of valuations, successors, ends. None if it is too large."""
        first = (0, tuple(self.first[n] for n in self.names))
        numbers, work, after = {first: 0}, [first], []
        while work:
            state = work.pop()
            nexts = set()
            for successor in self.step(state):
                if successor not in numbers:
                    if len(numbers) >= limit:
                        return None
                    numbers[successor] = len(numbers)
                    work.append(successor)
                nexts.add(numbers[successor])
            after.append((numbers[state], nexts))
        graph = dict(after)
        ends = {number for state, number in numbers.items() if state[0] == "end"}
        values = {number: dict(zip(self.names, state[1])) for state, number in numbers.items()}
        return values, graph, ends

    def step(self, state):
        at, values = state
        if at == "end":
            return
        names = dict(zip(self.names, values))
        op = self.code[at]
        if op[0] == "go":
            yield (op[1], values)
        elif op[0] == "assume":
            if eval(op[1], {}, names):
                yield (at + 1, values)
        elif op[0] == "test":
            for result in (0, 1) if "nondet" in op[1] else (eval(op[1], {}, names),):
                yield (op[2] if result else op[3], values)
        else:
            results = range(4) if op[2] == "INPUT" else (eval(op[2], {}, names),)
            for result in results:
                changed = {**names, op[1]: wrapped(result, self.kinds[op[1]])}
                yield (at + 1, tuple(changed[n] for n in self.names))


def lasting(nodes, graph, ends):
    """The nodes from which a run can stay among them for ever, or end there."""
    alive = set(nodes)
    before = {n: [] for n in alive}
    count = {}
    for n in alive:
        inside = [m for m in graph[n] if m in alive]
        count[n] = len(inside)
        for m in inside:
            before[m].append(n)
    work = [n for n in alive if count[n] == 0 and n not in ends]
    while work:
        n = work.pop()
        alive.discard(n)
        for m in before[n]:
            count[m] -= 1
            if count[m] == 0 and m not in ends:
                work.append(m)
    return alive


def reachable(start, nodes, graph):
    seen, work = set(), [n for n in start if n in nodes]
    while work:
        n = work.pop()
        if n not in seen:
            seen.add(n)
            work.extend(m for m in graph[n] if m in nodes)
    return seen


def on_cycles(nodes, graph):
    """The nodes that lie on a cycle."""
    parts = graphs.components(nodes, lambda node: [n for n in graph[node] if n in nodes])
    return {node for part in parts if len(part) > 1 or part[0] in graph[part[0]] for node in part}


def violated(shape, p, q, values, graph, ends):
    """Whether some maximal run violates a formula. Discarded states belong to no run."""
    alive = lasting(graph, graph, ends)
    if 0 not in alive:
        return False
    true = {n for n in alive if eval(p, {}, values[n])}
    also = {n for n in alive if eval(q, {}, values[n])}
    if shape == "G {p}":
        return bool(alive - true)
    if shape == "F {p}":
        return 0 in lasting(alive - true, graph, ends)
    if shape == "G F {p}":
        return bool(lasting(alive - true, graph, ends))
    if shape == "F G {p}":
        return bool((on_cycles(alive, graph) | (ends & alive)) - true)
    if shape == "G({p} -> F {q})":
        return bool(lasting(alive - also, graph, ends) & true)
    waits = reachable([0], alive - also, graph)
    return bool(waits - true) or 0 in lasting((alive - also) & true, graph, ends)


def case(seed, kind=Generator):
    rng = random.Random(seed)
    while True:
        generator = kind(rng)
        text = generator.program()
        followed = generator.follow(60_000)
        if followed is None or len(followed[0]) < 8:
            continue
        values, graph, ends = followed
        if 0 not in lasting(graph, graph, ends):
            continue
        shape = rng.choice(SHAPES)
        conditions = [f"{rng.choice(generator.shown)} {rng.choice(['<', '>', '==', '!='])} {rng.choice([0, 1, 2, 5, 9])}" for _ in range(2)]
        p, q = conditions
        formula = shape.replace("{p}", "{" + p + "}").replace("{q}", "{" + q + "}")
        return text, formula, violated(shape, p, q, *followed), len(values)


def main(case, description):
    """Writes the programs of a generator: `case` gives for a seed a program, its formula, whether the formula is violated, and the
    number of states."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("directory", type=pathlib.Path)
    args = parser.parse_args()
    for number in range(args.count):
        text, formula, wrong, states = case(args.seed * 100_003 + number)
        directory = args.directory / f"case_{number}"
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "prog.c").write_text(text)
        expected = {"ltl": formula, "violated": wrong, "states": states}
        (directory / "expected.json").write_text(json.dumps(expected) + "\n")


if __name__ == "__main__":
    main(case, "Generates programs over small types with exact answers for all runs.")
