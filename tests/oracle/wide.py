#!/usr/bin/env python3
"""Random programs over more of C, and whether formulas hold on all of their maximal runs.

Added to the constructs of `wrapping.py`: unsigned integers that wrap around and signed ones that must not, arrays with computed
indices, structures and their copies, pointers to globals, `do` and `for` loops with `continue`, `switch` with cases that fall through,
`exit` and `abort`, functions with loops and early returns that are called more than once, pointers to functions, and recursion. The
answers come from the graph of all states.
"""

import re

import wrapping

wrapping.TYPES.update({"unsigned": (32, False), "int": (32, True), "_Bool": (1, False)})
NAMES = ["a", "b", "u", "t0", "t1", "sx", "sy", "p", "f", "n"]
# How the variables are written in C; the pointers and the argument of the recursion are not in formulas.
SPELLED = {"t0": "t[0]", "t1": "t[1]", "sx": "s.x", "sy": "s.y"}
SHOWN = NAMES[:7]


class Undefined(Exception):
    """A signed integer overflows."""


def c(text):
    """The C text of an expression."""
    return re.sub(r"\b(t0|t1|sx|sy)\b", lambda m: SPELLED[m[1]], text)


class Generator(wrapping.Generator):
    def __init__(self, rng):
        super().__init__(rng)
        small = ["unsigned char", "signed char", "short", "unsigned short"]
        self.names, self.shown, self.static = NAMES, SHOWN, False
        self.kinds = {"a": rng.choice(small + ["int"]), "b": rng.choice(small), "u": "unsigned", "p": "int", "f": "int", "n": "int"}
        self.kinds["t0"] = self.kinds["t1"] = rng.choice(small + ["int"])
        self.kinds["sx"], self.kinds["sy"] = rng.choice(small), rng.choice(small + ["_Bool"])
        self.first = {n: 0 for n in NAMES}
        self.first["a"], self.first["u"] = rng.choice([0, 1, 3]), rng.choice([0, 0, 2])
        # The variables of this program: few, so that there are few states.
        self.used = sorted(rng.sample(SHOWN, rng.randint(2, 4)), key=SHOWN.index)
        self.functions, self.inside = [], False

    def spelled(self, text):
        return spelled(text)

    def variable(self):
        return self.rng.choice(self.used)

    def condition(self):
        op, v = self.rng.choice(["<", ">", "==", "!=", "<=", ">="]), self.variable()
        if self.rng.random() < 0.15:
            return f"at({v})"
        right = self.rng.choice([0, 1, 2, 3, 5, 9])
        return f"{v} {op} {right}" if self.kinds[v] != "unsigned" or right else f"{v} != 0"

    def value(self):
        v, w, k = self.variable(), self.variable(), self.rng.choice([1, 1, 2, 3])
        return self.rng.choice([
            str(k - 1), f"{v} + 1", f"{v} - 1", f"{v} + {k}", f"{v} ^ {w}", f"{v} & 3", f"{v} & 7", f"({v} + {k}) & 7", f"{v} >> 1", "INPUT",
            f"{v} == {k}", f"at({v})", "*p"])

    # Statements --------------------------------------------------------------------------------

    def assign(self):
        v, value = self.variable(), self.value()
        pick = self.rng.random()
        if pick < 0.12:
            self.say(f"t[{c(v)} & 1] = {spelled(value)};")
            self.emit("element", v, value)
        elif pick < 0.2:
            self.say(f"*p = {spelled(value)};")
            self.emit("through", value)
        elif pick < 0.26:
            target = self.rng.randint(0, 1)
            self.say(f"p = &{'ab'[target]};".replace("&a", "&t[0]").replace("&b", "&t[1]"))
            self.emit("set", "p", str(target))
        elif pick < 0.31:
            self.say("s = (struct pair) { .x = 1 };")
            self.emit("both", "1", "0")
        else:
            self.say(f"{c(v)} = {spelled(value)};")
            self.emit("set", v, value)

    def statement(self, level, loops):
        pick = self.rng.random()
        if pick < 0.4:
            return self.assign()
        if pick < 0.5 and level > 0:
            return self.branch(level, loops)
        if pick < 0.72 and level > 0:
            return self.rng.choice([self.loop, self.do_loop, self.for_loop, self.choice])(level, loops)
        if pick < 0.8 and loops:
            return self.leave(loops)
        if pick < 0.85:
            text = self.condition()
            self.say(f"__VERIFIER_assume({spelled(text)});")
            return self.emit("assume", text)
        if pick < 0.89:
            return self.end()
        return self.assign() if self.inside or not self.functions else self.call()

    def leave(self, loops):
        text, word = self.condition(), self.rng.choice(["break", "continue"])
        # `continue` of a switch is the one of the loop around it.
        around = [i for i, l in enumerate(loops) if not (word == "continue" and l["switch"])]
        if not around:
            return self.assign()
        self.say(f"if ({spelled(text)}) {word};")
        loops[around[-1]][word].append((self.emit("test", text, None, len(self.code) + 1), 2))

    def end(self):
        text = self.condition()
        word = self.rng.choice(["exit(0)", "abort()", "return" if self.inside else "return 0"])
        self.say(f"if ({spelled(text)}) {word};")
        at = self.emit("test", text, "end", len(self.code) + 1)
        if word == "return":
            self.returns.append((at, 2))

    def frame(self, switch=False):
        return {"break": [], "continue": [], "switch": switch}

    def resolve(self, places, target):
        for at, field in places:
            self.code[at][field] = target

    def loop(self, level, loops):
        text = "1" if self.endless(level) else self.condition()
        self.say(f"while ({spelled(text)}) {{")
        head = self.emit("test", text, len(self.code) + 1, None)
        own = self.frame()
        self.block(level, [*loops, own])
        self.emit("go", head)
        self.say("}")
        self.resolve([(head, 3), *own["break"]], len(self.code))
        self.resolve(own["continue"], head)

    def do_loop(self, level, loops):
        text, own, begin = self.condition(), self.frame(), len(self.code)
        self.say("do {")
        self.block(level, [*loops, own])
        self.say(f"}} while ({spelled(text)});")
        self.resolve(own["continue"], len(self.code))
        self.emit("test", text, begin, len(self.code) + 1)
        self.resolve(own["break"], len(self.code))

    def for_loop(self, level, loops):
        v, text, step = self.variable(), self.condition(), self.rng.choice(["+", "-"])
        self.say(f"for ({c(v)} = 0; {spelled(text)}; {c(v)} = {c(v)} {step} 1) {{")
        self.emit("set", v, "0")
        head, own = self.emit("test", text, len(self.code) + 1, None), self.frame()
        self.block(level, [*loops, own])
        self.resolve(own["continue"], len(self.code))
        self.emit("set", v, f"{v} {step} 1")
        self.emit("go", head)
        self.say("}")
        self.resolve([(head, 3), *own["break"]], len(self.code))

    def choice(self, level, loops):
        v, own = self.variable(), self.frame(switch=True)
        self.say(f"switch ({c(v)} & 3) {{")
        tests, labels = [], self.rng.sample(range(4), 3)
        tests = [self.emit("test", f"({v} & 3) == {label}", None, len(self.code) + 1) for label in labels]
        other = self.emit("go", None)
        for number, label in enumerate([*labels, None]):
            target = len(self.code)
            self.resolve([(other, 1) if label is None else (tests[number], 2)], target)
            self.say("default: ;" if label is None else f"case {label}: ;")
            self.block(level, [*loops, own])
            if self.rng.random() < 0.6:
                self.say("  break;")
                own["break"].append((self.emit("go", None), 1))
        self.say("}")
        self.resolve(own["break"], len(self.code))

    # Functions ---------------------------------------------------------------------------------

    def function(self):
        """Writes a function; its code is copied at each call."""
        main, self.code, text, self.text, self.inside, self.returns = self.code, [], self.text, [], True, []
        self.depth = 1
        for _ in range(self.rng.randint(1, 3)):
            self.statement(2, [])
        self.resolve(self.returns, len(self.code))
        self.functions.append((self.code, self.text))
        self.code, self.text, self.inside = main, text, False

    def insert(self, body):
        base = len(self.code)
        for op in body:
            self.emit(*[x + base if isinstance(x, int) else x for x in op])

    def call(self):
        number = self.rng.randrange(len(self.functions))
        pick = self.rng.random()
        if pick < 0.5:
            self.say(f"f{number}();")
            return self.insert(self.functions[number][0])
        if pick < 0.75:
            text = self.condition()
            self.say(f"call = {spelled(text)} ? f0 : f{number};")
            self.say("call();")
            test = self.emit("test", text, len(self.code) + 1, None)
            self.insert(self.functions[0][0])
            over = self.emit("go", None)
            self.code[test][3] = len(self.code)
            self.insert(self.functions[number][0])
            self.code[over][1] = len(self.code)
            return None
        v = self.variable()
        self.say(f"down({c(v)} & 3);")
        self.emit("set", "n", f"{v} & 3")
        self.recurse(0)
        return self.emit("set", "n", "0")

    def recurse(self, depth):
        """down(n - depth): the body of `down`, which calls itself while its argument is positive."""
        test = self.emit("test", f"n > {depth}", len(self.code) + 1, None)
        self.emit("set", self.used[0], f"{self.used[0]} ^ 1")
        if depth < 3:
            self.recurse(depth + 1)
        self.emit("set", self.used[-1], f"({self.used[-1]} + 1) & 3")
        self.code[test][3] = len(self.code)

    def program(self):
        for _ in range(self.rng.choice([0, 1, 1, 2])):
            self.function()
        self.depth = 1
        for _ in range(self.rng.randint(2, 4)):
            self.statement(3, [])
        if self.rng.random() < 0.6:
            self.say("while (1) { }")
            self.emit("go", len(self.code))
        self.say("return 0;")
        self.emit("go", "end")
        k, first, last = self.kinds, c(self.used[0]), c(self.used[-1])
        lines = [
            "#include <stdlib.h>", "int nondet_int(void);", "void __VERIFIER_assume(int);",
            f"{k['a']} a = {self.first['a']};", f"{k['b']} b;", f"unsigned u = {self.first['u']};", f"{k['t0']} t[2], *p = &t[0];",
            f"struct pair {{ {k['sx']} x; {k['sy']} y; }} s;"]
        for number, (_, text) in enumerate(self.functions):
            lines += [f"static void f{number}(void)", "{", *text, "}"]
        if self.functions:
            lines += ["void (*call)(void) = f0;",
                      f"static void down(int n) {{ if (n > 0) {{ {first} = {first} ^ 1; down(n - 1); {last} = ({last} + 1) & 3; }} }}"]
        return "\n".join([*lines, "int main(void)", "{", *self.text, "}", ""])

    # Meaning -----------------------------------------------------------------------------------

    def stored(self, name, value):
        kind = self.kinds[name]
        if kind == "_Bool":
            return int(value != 0)
        if kind == "int" and not -2**31 <= value < 2**31:
            raise Undefined
        return wrapping.wrapped(int(value), kind)

    def step(self, state):
        at, values = state
        if at == "end":
            return
        names = dict(zip(self.names, values))
        op = self.code[at]
        if op[0] == "go":
            yield (op[1], values)
            return
        if op[0] == "assume":
            if evaluated(op[1], names):
                yield (at + 1, values)
            return
        if op[0] == "test":
            for result in (0, 1) if "nondet" in op[1] else (evaluated(op[1], names),):
                yield (op[2] if result else op[3], values)
            return
        if op[0] == "both":
            changed = {**names, "sx": int(op[1]), "sy": int(op[2])}
            yield (at + 1, tuple(changed[n] for n in self.names))
            return
        target = {"element": lambda: f"t{names[op[1]] & 1}", "through": lambda: f"t{names['p']}", "set": lambda: op[1]}[op[0]]()
        value = op[-1]
        for result in range(4) if value == "INPUT" else (evaluated(value, names),):
            changed = {**names, target: self.stored(target, result)}
            yield (at + 1, tuple(changed[n] for n in self.names))


def spelled(text):
    """The C text of a condition or value."""
    text = text.replace("INPUT", "nondet_int() & 3")
    return re.sub(r"at\((\w+)\)", lambda m: f"t[{c(m[1])} & 1]", c(text) if "at(" not in text else text)


def evaluated(text, names):
    """The value of a condition or value in a state."""
    if text == "*p":
        return names[f"t{names['p']}"]
    found = re.fullmatch(r"at\((\w+)\)", text)
    if found:
        return names[f"t{names[found[1]] & 1}"]
    return eval(text, {}, names)


def case(seed):
    rng = wrapping.random.Random(seed)
    wanted = rng.random() < 0.55
    for attempt in range(1, 3000):
        generator = Generator(rng)
        text = generator.program()
        try:
            followed = generator.follow(20_000)
        except Undefined:
            continue
        if followed is None or len(followed[0]) < 10 or 0 not in wrapping.lasting(followed[1], followed[1], followed[2]):
            continue
        for _ in range(6):
            shape = rng.choice(wrapping.SHAPES)
            p, q = (f"{rng.choice(generator.used)} {rng.choice(['<', '>', '==', '!=', '<=', '>='])} {rng.choice([0, 1, 1, 2, 3, 5])}" for _ in range(2))
            wrong = wrapping.violated(shape, p, q, *followed)
            if wrong != wanted:
                formula = shape.replace("{p}", "{" + c(p) + "}").replace("{q}", "{" + c(q) + "}")
                return text, formula, wrong, len(followed[0])
    raise SystemExit(f"no program for the seed {seed}")


if __name__ == "__main__":
    wrapping.main(case, __doc__.splitlines()[0])
