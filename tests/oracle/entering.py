#!/usr/bin/env python3
"""Random loop programs in which jumps and cases lead into loops.

A jump before or behind a loop, or in a loop around it, leads to a place inside its body; a `switch` around a loop has cases
in its body. The rest is as in `wrapping.py`, and so are the formulas. The answers come from the graph of all states.
"""

import wrapping


class Generator(wrapping.Generator):
    def __init__(self, rng):
        super().__init__(rng)
        self.places = 0
        self.entered = 0

    def jump_into(self, name):
        """A conditional jump, whose target is known later."""
        cond = self.condition() if self.rng.random() < 0.7 else "nondet_int() & 1"
        self.say(f"if ({cond}) goto {name};")
        return self.emit("test", cond, None, len(self.code) + 1)

    def loop(self, level, loops):
        pick = self.rng.random()
        if pick < 0.3:
            return super().loop(level, loops)
        self.entered += 1
        name = f"inside_{self.places}"
        self.places += 1
        jumps, cases, by_case = [], None, pick < 0.5
        if by_case:
            on, value = self.variable(), self.rng.randint(0, 2)
            self.say(f"switch ({on}) {{")
            cases = self.emit("test", f"{on} == {value}", None, len(self.code) + 1)
            self.say("default: ;")
            name = f"case {value}"
        else:
            if self.rng.random() < 0.7:
                jumps.append(self.jump_into(name))
            if self.rng.random() < 0.3:
                self.statement(level - 1, loops)
        cond = "1" if self.endless(level) else self.condition()
        self.say(f"while ({cond}) {{")
        head = self.emit("test", cond, len(self.code) + 1, None)
        inner = [*loops, []]
        self.block(max(level, 1), inner)
        self.say(f"{name}: ;")
        place = len(self.code)
        self.block(max(level, 1), inner)
        self.emit("go", head)
        self.say("}")
        self.code[head][3] = len(self.code)
        for at in inner[-1]:
            self.code[at][2] = len(self.code)
        if by_case:
            self.code[cases][2] = place
            self.say("}")
        elif self.rng.random() < 0.4 or not jumps:
            jumps.append(self.jump_into(name))
        for at in jumps:
            self.code[at][2] = place


def case(seed):
    rng = wrapping.random.Random(seed)
    while True:
        generator = Generator(rng)
        text = generator.program()
        followed = generator.follow(30_000)
        if not generator.entered or followed is None or len(followed[0]) < 8:
            continue
        values, graph, ends = followed
        if 0 not in wrapping.lasting(graph, graph, ends):
            continue
        shape = rng.choice(wrapping.SHAPES)
        p, q = [f"{rng.choice(generator.shown)} {rng.choice(['<', '>', '==', '!='])} {rng.choice([0, 1, 2, 5, 9])}" for _ in range(2)]
        formula = shape.replace("{p}", "{" + p + "}").replace("{q}", "{" + q + "}")
        return text, formula, wrapping.violated(shape, p, q, *followed), len(values)


if __name__ == "__main__":
    wrapping.main(case, __doc__.splitlines()[0])
