#!/usr/bin/env python3
"""Random loop programs in which one round of a loop says little: invariants appear only over two or more rounds.

Shift registers, rotations, delayed copies, swaps and state machines, among the constructs of `wrapping.py`: inputs, early
ends, assumptions, nested loops and jumps. The formulas are about values that no run takes, or that runs take only after some
rounds. The answers come from the graph of all states.
"""

import wrapping

SHAPES = ["G {p}"] * 6 + wrapping.SHAPES[1:]


class Generator(wrapping.Generator):
    def __init__(self, rng):
        super().__init__(rng)
        self.static = False
        self.names = self.shown = ["a", "b", "c", "s", "t"]
        self.kinds = {n: rng.choice(["unsigned char"] * 3 + sorted(wrapping.TYPES)) for n in self.names}
        self.first = {n: rng.choice([0, 0, 1, 2, 3, 5]) for n in self.names}
        # One endless loop of machines: complete exploration cannot answer it, and few invariants can.
        self.alone = rng.random() < 0.6

    def variable(self):
        return self.rng.choice("abcs")

    def statement(self, level, loops):
        pick = self.rng.random()
        if not self.alone or loops and pick > 0.9:
            super().statement(level, loops)
        elif not loops and not any(op[0] == "go" for op in self.code):
            self.loop(level, loops)
        elif pick < 0.25 and level:
            self.branch(level, loops)
        else:
            self.machine()

    def endless(self, level):
        return self.alone or self.rng.random() < (0.8 if level == 3 else 0.1)

    def sets(self, *pairs):
        for variable, value in pairs:
            self.say(f"{variable} = {value.replace('INPUT', 'nondet_int() & 3')};")
            self.emit("set", variable, value)

    def assign(self):
        if self.rng.random() < 0.5:
            self.machine()
        else:
            super().assign()

    def machine(self):
        x, y, z = self.rng.sample("abcs", 3)
        d = self.rng.randint(1, 9)
        kind = self.rng.choice(["register", "rotation", "swap", "copy", "states", "stride", "states", "fold"])
        if kind == "register":
            self.sets((z, y), (y, x), (x, self.rng.choice(["INPUT", f"{x} ^ 1", f"{z} + 1 & 3"])))
        elif kind == "rotation":
            self.sets(("t", x), (x, y), (y, z), (z, "t"))
        elif kind == "swap":
            self.sets(("t", x), (x, f"{y} - {d}"), (y, f"t + {d}"))
        elif kind == "copy":
            self.sets((y, x), (x, "INPUT"))
        elif kind == "stride":
            self.sets((x, f"{x} + {2 ** self.rng.randint(3, 6)} & 255"))
        elif kind == "fold":
            self.sets((x, f"({y} ^ {z}) & 7"), (y, f"{x} >> 1"))
        else:
            self.states(x)

    def states(self, x):
        """A machine that goes through a list of states in order, with effects in some of them."""
        order = self.rng.sample(range(8), self.rng.randint(3, 5))
        leave = []
        for number, (state, after) in enumerate(zip(order, [*order[1:], order[0]])):
            self.say(("} else " if number else "") + f"if ({x} == {state}) {{")
            test = self.emit("test", f"{x} == {state}", len(self.code) + 1, None)
            self.depth += 1
            if self.rng.random() < 0.3:
                other = self.rng.choice([n for n in "abcs" if n != x])
                self.sets((other, self.rng.choice([str(self.rng.randint(0, 3)), f"{other} ^ 1", "INPUT"])))
            self.sets((x, str(after)))
            self.depth -= 1
            leave.append(self.emit("go", None))
            self.code[test][3] = len(self.code)
        self.say("}")
        for at in leave:
            self.code[at][1] = len(self.code)


def condition(rng, values):
    """A condition about values near those that runs take."""
    x, y = rng.sample("abcs", 2)
    seen = sorted({v[x] for v in values.values()})
    at = rng.choice([rng.choice(seen), rng.choice(seen) + 1, seen[-1], seen[0], rng.randint(0, 9)])
    other = rng.choice([v[y] for v in values.values()][:50])
    return rng.choice([
        f"{x} != {at}", f"{x} <= {at}", f"{x} == {at}", f"{x} < {at}", f"!(({x} == {at}) & ({y} == {other}))", f"({x} != {at}) | ({y} == {other})",
        f"{x} >= {y}", f"{x} != {y}"])


def python(text):
    return "not " + text[1:] if text.startswith("!(") else text


def case(seed):
    rng = wrapping.random.Random(seed)
    wanted = rng.random() < 0.65
    for attempt in range(1, 1000):
        generator = Generator(rng)
        text = generator.program()
        followed = generator.follow(20_000)
        if followed is None or len(followed[0]) < 12:
            continue
        values, graph, ends = followed
        alive = wrapping.lasting(graph, graph, ends)
        if 0 not in alive:
            continue
        live = {n: values[n] for n in alive}
        for _ in range(12):
            shape, p, q = rng.choice(SHAPES), condition(rng, live), condition(rng, live)
            formula = shape.replace("{p}", "{" + p + "}").replace("{q}", "{" + q + "}")
            wrong = wrapping.violated(shape, python(p), python(q), *followed)
            if wrong != wanted:
                return text, formula, wrong, len(values)
    raise SystemExit(f"no program for the seed {seed}")


if __name__ == "__main__":
    wrapping.main(case, __doc__.splitlines()[0])
