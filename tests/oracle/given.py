"""Random programs whose inputs are stored in small and large integer types and compared there, and whether formulas hold on
all of their maximal runs.

The objects are chars, shorts, ints with and without sign, bit-fields, enumerations and _Bool; an input of some type is stored
in them, converted, compared with constants of several types (negative, unsigned, too large for the type), masked and assumed.
Each input takes the values around all numbers of the text, in each of its low bytes, so that every equivalence class of
values that such a program distinguishes is represented. The method is independent of the tool's.
"""

import random

import wrapping

# Width and sign; conversions wrap as in GCC.
KINDS = {
    "signed char": (8, True),
    "unsigned char": (8, False),
    "short": (16, True),
    "unsigned short": (16, False),
    "int": (32, True),
    "unsigned": (32, False),
    "long": (64, True),
    "unsigned long": (64, False),
    "_Bool": (1, False),
    "bits:unsigned:3": (3, False),
    "bits:int:4": (4, True),
    "bits:unsigned:9": (9, False),
}
GIVEN = {"nondet_char": "signed char", "nondet_uchar": "unsigned char", "nondet_short": "short", "nondet_ushort": "unsigned short", "nondet_int": "int", "nondet_uint": "unsigned"}
CONSTANTS = [("0", "int"), ("1", "int"), ("3", "int"), ("7", "int"), ("-1", "int"), ("-3", "int"), ("100", "int"), ("200", "int"), ("255", "int"), ("300", "int"), ("1000", "int")]
ODD = [("5u", "unsigned"), ("0u", "unsigned"), ("4294967295u", "unsigned"), ("40000", "int"), ("-40000", "int"), ("3000000000", "long"), ("-2", "int"), ("65535", "int"), ("2147483647", "int"), ("6ul", "unsigned long")]
OPERATORS = ["<", ">", "==", "!=", "<=", ">="]


def number(text):
    return int(text.rstrip("ul"))


def convert(value, kind):
    bits, signed = KINDS[kind]
    if kind == "_Bool":
        return int(value != 0)
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def promoted(kind):
    return kind if kind in ("unsigned", "long", "unsigned long") else "int"


def compare(left, op, right):
    """Values with their types, after the usual arithmetic conversions."""
    order = ["int", "unsigned", "long", "unsigned long"]
    common = max(promoted(left[1]), promoted(right[1]), key=order.index)
    a, b = convert(left[0], common), convert(right[0], common)
    return {"<": a < b, ">": a > b, "==": a == b, "!=": a != b, "<=": a <= b, ">=": a >= b}[op]


class Generator:
    def __init__(self, rng):
        self.rng = rng
        wide = rng.choice(sorted(KINDS))
        rest = [k for k in sorted(KINDS) if KINDS[k][0] <= 9]
        self.kinds = {"g": wide, "h": rng.choice(rest), "m": "int"}
        self.local = rng.choice([*rng.sample(sorted(GIVEN.values()), 1), "int", "long"])
        self.source = rng.choice([*sorted(GIVEN), "nondet_int", "nondet_int"])
        self.used = {0, 1}
        self.modes = 3

    def constant(self):
        text, kind = self.rng.choice(CONSTANTS * 2 + ODD)
        self.used.add(number(text))
        return text, kind

    def name(self, variable):
        return f"bits.{variable}" if self.kinds[variable].startswith("bits:") else variable

    def operand(self, inside):
        """The text of a readable operand, and a function that computes its value and type."""
        pick = self.rng.random()
        variable = self.rng.choice(["g", "h"]) if not inside or pick < 0.5 else "x"
        kind = self.local if variable == "x" else self.kinds[variable]
        text = "x" if variable == "x" else self.name(variable)

        def plain(state):
            return state[variable], kind

        pick = self.rng.random()
        if pick < 0.2:
            to = self.rng.choice([k for k in sorted(KINDS) if ":" not in k and k != "_Bool"])
            return f"({to}){text}", lambda state: (convert(state[variable], to), to)
        if pick < 0.27:
            mask = self.rng.choice([1, 3, 7])
            return f"({text} & {mask})", lambda state: (state[variable] & mask, promoted(kind))
        return text, plain

    def condition(self, inside):
        text, value = self.operand(inside)
        if self.rng.random() < 0.12:
            return text, lambda state: value(state)[0] != 0
        op = self.rng.choice(OPERATORS)
        constant, kind = self.constant()
        right = (number(constant), kind)
        if self.rng.random() < 0.15:
            return f"{constant} {op} {text}", lambda state: compare(right, op, value(state))
        return f"{text} {op} {constant}", lambda state: compare(value(state), op, right)

    def both(self, inside):
        one, first = self.condition(inside)
        if self.rng.random() < 0.45:
            two, second = self.condition(inside)
            if self.rng.random() < 0.7:
                return f"{one} && {two}", lambda state: first(state) and second(state)
            return f"{one} || {two}", lambda state: first(state) or second(state)
        return one, first

    def assignment(self):
        to = self.rng.choice(["g", "g", "h"])
        kind = self.kinds[to]
        if self.rng.random() < 0.75:
            text, value = self.operand(True)
            if self.rng.random() < 0.4:
                text, value = "x", lambda state: (state["x"], self.local)
        else:
            text, constant_kind = self.constant()
            constant = number(text)
            value = lambda state: (constant, constant_kind)
        return f"{self.name(to)} = {text};", lambda state: {**state, to: convert(value(state)[0], kind)}

    def mode(self):
        if self.rng.random() < 0.5:
            to = self.rng.randrange(self.modes)
            return f"m = {to};", lambda state: {**state, "m": to}
        return "m = (m + 1) % 3;", lambda state: {**state, "m": (state["m"] + 1) % 3}

    def statement(self):
        """A line of the program and its effect: the states after it, and whether it ends the round (`next`, `end`, `gone`)."""
        pick = self.rng.random()
        if pick < 0.35:
            line, act = self.assignment()
            return line, lambda state: (act(state), "on")
        if pick < 0.85:
            text, test = self.both(True)
            line, act = self.mode() if self.rng.random() < 0.65 else self.assignment()
            return f"if ({text}) {line}", lambda state: (act(state) if test(state) else state, "on")
        text, test = self.both(True)
        what, outcome = self.rng.choice([("continue;", "next"), ("return 0;", "end"), ("__VERIFIER_assume(0);", "gone")])
        if outcome == "gone" or self.rng.random() < 0.3:
            return f"__VERIFIER_assume(!({text}));", lambda state: (state, "gone" if test(state) else "on")
        return f"if ({text}) {what}", lambda state: (state, outcome if test(state) else "on")

    def program(self):
        self.body = []
        lines = []
        for _ in range(self.rng.randint(2, 5)):
            line, act = self.statement()
            self.body.append(act)
            lines.append("    " + line)
        bits = [v for v in ("g", "h") if self.kinds[v].startswith("bits:")]
        head = ["void __VERIFIER_assume(int);", f"{GIVEN[self.source]} {self.source}(void);"]
        if bits:
            fields = " ".join(f"{self.kinds[v].split(':')[1]} {v} : {self.kinds[v].split(':')[2]};" for v in bits)
            head.append(f"struct {{ {fields} }} bits;")
        head += [f"{self.kinds[v]} {v};" for v in ("g", "h", "m") if v not in bits]
        opening = self.rng.choice(["{local} x = {source}();", "{local} x = ({local}){source}();", "{local} x; x = {source}();"])
        opening = opening.format(local=self.local, source=self.source)
        return "\n".join([*head, "int main(void)", "{", "  while (1) {", "    " + opening, *lines, "  }", "}", ""])

    def inputs(self):
        """Values around the numbers of the text, also with the low bytes of one and the high bytes of another."""
        around = {n + d for n in self.used for d in (-1, 0, 1)}
        around |= {0, 127, 128, 255, 256, 32767, 32768, 65535, 65536, -128, -129, 2147483647, -2147483648}
        kind = GIVEN[self.source]
        if KINDS[kind][0] == 8:
            return sorted({convert(n, kind) for n in range(256)})
        found = set(around)
        for low in (3, 4, 8, 9, 16):
            mask = (1 << low) - 1
            found |= {(a & ~mask) | (b & mask) for a in around for b in around}
        return sorted({convert(convert(n, kind), self.local) for n in found})

    def follow(self, limit):
        """The graph of states: letters change at each statement, so a state includes the program location."""
        values = self.inputs()
        first = (0, ("g", 0), ("h", 0), ("m", 0), ("x", 0))
        numbers, work, graph, ends = {first: 0}, [first], {}, set()

        def seen(state):
            if state not in numbers:
                numbers[state] = len(numbers)
                work.append(state)
            return numbers[state]

        while work:
            key = work.pop()
            if len(numbers) > limit:
                return None
            at, state = key[0], dict(key[1:])
            make = lambda at, state: (at, ("g", state["g"]), ("h", state["h"]), ("m", state["m"]), ("x", state["x"]))
            here = numbers[key]
            if at == "end":
                graph[here] = set()
                ends.add(here)
            elif at == 0:
                graph[here] = {seen(make(1, {**state, "x": x})) for x in values}
            else:
                after, what = self.body[at - 1](state)
                last = at == len(self.body)
                if what == "gone":
                    graph[here] = set()
                elif what == "end":
                    graph[here] = {seen(make("end", {**after, "x": 0}))}
                elif what == "next" or last:
                    graph[here] = {seen(make(0, {**after, "x": 0}))}
                else:
                    graph[here] = {seen(make(at + 1, after))}
        return {number: dict(key[1:]) for key, number in numbers.items()}, graph, ends


def case(seed):
    rng = random.Random(seed)
    while True:
        generator = Generator(rng)
        text = generator.program()
        letters = []
        for _ in range(2):
            if rng.random() < 0.5:
                mode = rng.randrange(3)
                letters.append((f"m == {mode}", lambda state, mode=mode: state["m"] == mode))
            else:
                letters.append(generator.condition(False))
        followed = generator.follow(25_000)
        if followed is None or len(followed[0]) < 8:
            continue
        values, graph, ends = followed
        if 0 not in wrapping.lasting(graph, graph, ends):
            continue
        letter = {n: {"p": letters[0][1](state), "q": letters[1][1](state)} for n, state in values.items()}
        shape = rng.choice(wrapping.SHAPES + ["G {p}", "G {p}"])
        formula = shape.replace("{p}", "{" + letters[0][0] + "}").replace("{q}", "{" + letters[1][0] + "}")
        return text, formula, wrapping.violated(shape, "p", "q", letter, graph, ends), len(values)


if __name__ == "__main__":
    wrapping.main(case, "Generates programs whose inputs are stored, converted and compared, with exact answers.")
