#!/usr/bin/env python3
"""Random programs whose loops count to small constants, or only seem to.

A prover may follow such a loop round by round instead of cutting it. Bodies change the counter in some programs, leave the loop
or the run, and contain other loops. The answers come from the graph of all states.
"""

import wrapping

COUNTERS = ["i", "j"]


class Generator(wrapping.Generator):
    def __init__(self, rng):
        super().__init__(rng)
        self.static = self.jump = False
        self.names = self.shown = ["a", "b", *COUNTERS]
        self.kinds |= {n: rng.choice(["unsigned char", "signed char", "short"]) for n in self.names}
        self.first = {n: rng.choice([0, 0, 1, 3]) for n in self.names}
        # Whether bodies leave the counters alone.
        self.plain = rng.random() < 0.6

    def variable(self):
        return self.rng.choice("aab" if self.plain or self.rng.random() < 0.7 else self.shown)

    def condition(self):
        return super().condition() if self.rng.random() < 0.7 else f"{self.rng.choice(COUNTERS)} {self.rng.choice(['==', '<'])} {self.rng.choice([1, 2, 3])}"

    def loop(self, level, loops):
        if self.rng.random() < 0.35 or len(loops) >= 3:
            super().loop(level, loops)
            return
        v = COUNTERS[len(loops) % 2] if self.rng.random() < 0.85 else self.rng.choice(self.shown)
        first, step = self.rng.choice([(0, 1), (0, 1), (1, 1), (0, 2), (5, -1)])
        cond = f"{v} {'>' if step < 0 else self.rng.choice(['<', '<=', '!=', '<'])} {self.rng.choice([0, 2, 3, 4, 6])}"
        text = {1: f"{v}++", -1: f"{v}--"}.get(step, f"{v} += {step}")
        self.say(f"for ({v} = {first}; {cond}; {text}) {{")
        self.emit("set", v, str(first))
        head = self.emit("test", cond, len(self.code) + 1, None)
        inner = [*loops, []]
        self.block(level, inner)
        self.emit("set", v, f"{v} + {step}")
        self.emit("go", head)
        self.say("}")
        self.code[head][3] = len(self.code)
        for at in inner[-1]:
            self.code[at][2] = len(self.code)


def case(seed):
    return wrapping.case(seed, Generator)


if __name__ == "__main__":
    wrapping.main(case, __doc__.splitlines()[0])
