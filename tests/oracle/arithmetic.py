"""Variables with large values for event-condition-action programs, as the challenge's problems with arithmetic have them: the
rules ask in which of four ranges such a variable lies, and compute its next value by sums, products, quotients and remainders.

The machine behind the program knows only the range. Every assignment is computed from all values of the ranges that its rule
accepts and stays within the wanted range, without overflow, so that the verdicts of the machine are those of the program.
"""

import collections

CAP = 600000
LARGEST = 2**31 - 1


def quotient(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def apply(op, bounds):
    """The values of `x op c` for x within bounds; None if a signed integer may overflow."""
    kind, c = op
    low, high = bounds
    if kind == "+":
        low, high = low + c, high + c
    elif kind == "*":
        low, high = sorted((low * c, high * c))
    elif kind == "/":
        low, high = sorted((quotient(low, c), quotient(high, c)))
    else:
        same = low * high > 0 and quotient(low, c) == quotient(high, c)
        if same or -c < low <= high < c:
            low, high = low - c * quotient(low, c), high - c * quotient(high, c)
        else:
            low, high = max(1 - c, min(low, 0)), min(c - 1, max(high, 0))
    return (low, high) if -LARGEST <= low <= high <= LARGEST else None


def through(ops, bounds):
    for op in ops:
        bounds = bounds and apply(op, bounds)
    return bounds


def text(rng, name, ops):
    for kind, c in ops:
        if kind == "+":
            shown = rng.choice([f"+ {c}", f"- {-c}"])
        else:
            shown = f"{kind} {c}"
        name = f"({name} {shown})"
    return name


def neutral(rng):
    """Operations that change nothing, as long as nothing overflows."""
    some = rng.randint(1, 300000)
    return rng.choice([[("+", 0)], [("*", 1)], [("+", some), ("+", -some)], [], []])


def assignment(rng, name, source, target):
    """A text that computes from any value in `source` a value in `target`."""
    low, high = target
    half = max((high - low + 1) // 2, 1)
    middle = low + half - 1
    wide = rng.randint(-CAP, CAP)
    for _ in range(400):
        begin = rng.choice([[], [("+", wide)], [("*", 9), ("/", 10)], [("/", 5)], [("+", rng.randint(-CAP, CAP)), ("/", 5)],
                            [("*", 5)], [("*", 10), ("/", rng.choice([9, -9]))], [("/", -5)]])
        end = rng.choice([[("%", half), ("+", middle)], [("%", half), ("+", middle)], [("+", rng.randint(-CAP, CAP))],
                          [("%", half), ("*", 5), ("%", half), ("+", middle)], [("*", 5), ("+", wide)], [("/", 5), ("+", wide)]])
        ops = begin + neutral(rng) + end + neutral(rng)
        reached = through(ops, source)
        if reached and low <= reached[0] and reached[1] <= high:
            return text(rng, name, ops)
    return text(rng, name, [("%", half), ("+", middle)])


class Ranges:
    """Which variables of a program have ranges, by their index: from the value of the machine's variable to bounds."""

    cap = CAP

    def __init__(self, rng, program, count):
        self.rng, self.of = rng, collections.OrderedDict()
        used = [sorted({v for v in self.values(program, at)}) for at in range(len(program.names))]
        eligible = [at for at, values in enumerate(used) if 2 <= len(values) <= 5]
        for at in sorted(rng.sample(eligible, min(count, len(eligible)))):
            cuts, last = [], rng.randint(-200, 50)
            for _ in used[at][1:]:
                cuts.append(last)
                last += rng.choice([rng.randint(20, 60), rng.randint(100, 250)])
            ends = [-self.cap - 1] + cuts + [self.cap]
            order = list(used[at])
            rng.shuffle(order)
            self.of[at] = {v: (ends[n] + 1, ends[n + 1]) for n, v in enumerate(order)}

    @staticmethod
    def values(program, at):
        yield program.start[at]
        for guards in (rule[0] for rule in program.rules + program.errors):
            for index, values, _ in guards:
                if index == at:
                    yield from values
        for rule in program.rules:
            yield from (v for index, v in rule[2] if index == at)

    def condition(self, at, name, v):
        low, high = self.of[at][v]
        if low <= -self.cap:
            return f" {name} <=  {high} "
        if high >= self.cap:
            return f" {low - 1} < {name} "
        return f"  (({low - 1} < {name}) && ({high} >= {name})) "

    def start(self, at, v):
        low, high = self.of[at][v]
        return self.rng.randint(max(low, -1000), min(high, 1000))

    def effects(self, program, rule):
        """The assignments of a rule to variables with ranges, also to those whose range does not change."""
        guard, _, effect, _ = rule
        targets = dict(effect)
        for at, bounds in self.of.items():
            accepted = set(bounds)
            for index, values, wanted in guard:
                if index == at:
                    accepted &= set(values) if wanted else accepted - set(values)
            if not accepted:
                continue
            source = (min(bounds[v][0] for v in accepted), max(bounds[v][1] for v in accepted))
            if at not in targets and (len(accepted) > 1 or self.rng.random() < 0.5):
                continue
            target = bounds[targets.get(at, next(iter(accepted)))]
            yield program.names[at], assignment(self.rng, program.names[at], source, target)
