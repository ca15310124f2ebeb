"""Programs over memory: pointers, arrays, structures, unions and aliases, with their exact verdicts.

The trees differ from those of lang.py: a program is a list of statements over cells, run once for every choice of its inputs.
After each write, the propositions are evaluated on the memory as it is, as a debugger would; ltl.py judges the resulting
words.

Memory is a dictionary from cells to numbers. A cell is an object's name with the path to one of its scalars, such as
("s", "m") or ("arr", 2); a pointer's value is a place, the same kind of tuple; a record or an array is the set of cells that
begin with its place. A local of a call has the call's number in its name.
"""

import json
import random

import ltl

# Types: "int", "bits" (unsigned: 3), ("ptr", T), ("arr", T, n), ("rec", name).
RECORDS = {"pair": [("m", "int"), ("n", "int"), ("f", "bits")]}
PAIR = ("rec", "pair")

DECLARATIONS = """\
struct pair { int m; int n; unsigned f : 3; };
"""

GLOBALS = [
    ("a", "int"), ("b", "int"), ("arr", ("arr", "int", 3)), ("s", PAIR), ("t", PAIR), ("ss", ("arr", PAIR, 2)),
    ("p", ("ptr", "int")), ("q", ("ptr", PAIR)),
]

# Text in C, and a function of the memory. `at` looks a global path up.
EVALUATIONS = """\
int big(int u) { return u > 1; }
int same(int u, int v) { return u == v; }
int sum(const int *v) { int r = 0; for (int i = 0; i < 3; i++) r += v[i]; return r > 2; }
int whole(struct pair v) { return v.m > v.n; }
int behind(const struct pair *v) { return v->n == 1; }
"""


class Stop(Exception):
    """The run returns from a function."""


class Run:
    """One run of a program for fixed inputs."""

    def __init__(self, program, inputs):
        self.program, self.inputs = program, list(inputs)
        self.asked = 0
        self.memory = {}
        self.calls = 0
        self.open = set()
        self.frames = []
        self.word = []
        for name, kind in GLOBALS:
            for cell in cells((name,), kind):
                self.memory[cell] = 0
        for place, value in program["values"].items():
            self.memory[place] = value
        self.letter()

    # Memory ------------------------------------------------------------------------------------

    def place(self, e):
        """The place that an lvalue designates."""
        kind = e[0]
        if kind == "var":
            return self.object(e[1])
        if kind == "member":
            return self.place(e[1]) + (e[2],)
        if kind == "arrow":
            return self.value(e[1]) + (e[2],)
        if kind == "index":
            return self.place(e[1]) + (self.value(e[2]),)
        if kind == "deref":
            return self.value(e[1])
        raise ValueError(e)

    def object(self, name):
        for scope in reversed(self.frames[-1]["scopes"]) if self.frames else []:
            if name in scope:
                return (scope[name],)
        return (name,)

    def value(self, e):
        if isinstance(e, int):
            return e
        kind = e[0]
        if kind == "input":
            self.asked += 1
            if self.asked > len(self.inputs):
                raise IndexError
            return self.inputs[self.asked - 1]
        if kind == "addr":
            return self.place(e[1])
        if kind == "+":
            return self.value(e[1]) + self.value(e[2])
        if kind == "==":
            return int(self.value(e[1]) == self.value(e[2]))
        if kind == "set":
            value = self.value(e[2])
            place = self.place(e[1])
            self.store({place: self.fit(place, value)})
            return self.memory[place]
        if kind == "op":
            value = self.value(e[2])
            place = self.place(e[1])
            self.store({place: self.fit(place, self.memory[place] + value)})
            return self.memory[place]
        if kind == "post":
            place = self.place(e[1])
            old = self.memory[place]
            self.store({place: self.fit(place, old + 1)})
            return old
        return self.memory[self.place(e)]

    @staticmethod
    def fit(place, value):
        return value % 8 if place[-1] == "f" else value

    def store(self, changes):
        self.memory.update(changes)
        self.letter()

    def copy(self, to, source):
        part = {to + cell[len(source):]: v for cell, v in self.memory.items() if cell[: len(source)] == source}
        self.store(part)

    # Propositions ------------------------------------------------------------------------------

    def letter(self):
        letter = set()
        for p in self.program["propositions"]:
            value = p["default"]
            if p["area"] is None or p["name"] in self.open:
                value = bool(self.evaluate(p))
            if value:
                letter.add(p["name"])
        letter = frozenset(letter)
        if not self.word or self.word[-1] != letter:
            self.word.append(letter)

    def evaluate(self, p):
        try:
            places = [self.watched(e, p) for e in p["reads"]]
        except LookupError:
            return p["default"]
        get = self.memory.get
        kind = p["kind"]
        if kind == "big":
            return get(places[0], 0) > 1
        if kind == "same":
            return get(places[0], 0) == get(places[1], 0)
        if kind == "sum":
            return sum(get(places[0] + (i,), 0) for i in range(3)) > 2
        if kind == "whole":
            return get(places[0] + ("m",), 0) > get(places[0] + ("n",), 0)
        return get(places[0] + ("n",), 0) == 1

    def watched(self, e, p):
        """The place that a parameter designates; LookupError where a pointer is null."""
        kind = e[0]
        if kind == "var":
            if ":" in e[1]:
                # A local of the area's function, in the only open call.
                name = e[1].split("::")[1]
                for frame in reversed(self.frames):
                    if frame["function"] == e[1].split("::")[0]:
                        for scope in frame["scopes"]:
                            if name in scope:
                                return (scope[name],)
                raise LookupError
            return (e[1],)
        if kind == "member":
            return self.watched(e[1], p) + (e[2],)
        if kind == "index":
            index = e[2] if isinstance(e[2], int) else self.memory[self.watched(e[2], p)]
            return self.watched(e[1], p) + (index,)
        pointer = self.memory.get(self.watched(e[1], p), 0)
        if pointer == 0:
            raise LookupError
        return pointer + (e[2],) if kind == "arrow" else pointer

    # Statements --------------------------------------------------------------------------------

    def call(self, name, arguments):
        function = self.program["functions"][name]
        self.calls += 1
        scope = {}
        for (parameter, kind), argument in zip(function["params"], arguments):
            own = f"{parameter}#{self.calls}"
            scope[parameter] = own
            self.memory[(own,)] = argument
        self.frames.append({"function": name, "scopes": [scope]})
        try:
            self.block(function["body"])
        except Stop:
            pass
        left = {p["name"] for p in self.program["propositions"] if p["area"] == name} & self.open
        if left:
            self.open -= left
            self.letter()
        self.frames.pop()

    def block(self, statements):
        frame = self.frames[-1]
        frame["scopes"].append({})
        for s in statements:
            self.statement(s)
        frame["scopes"].pop()

    def statement(self, s):
        kind = s[0]
        if kind == "do":
            self.value(s[1])
        elif kind == "decl":
            self.declare(s[1], s[2], s[3])
        elif kind == "copy":
            self.copy(self.place(s[1]), self.place(s[2]))
        elif kind == "zero":
            place = self.place(s[1])
            self.store({cell: 0 for cell in self.memory if cell[: len(place)] == place})
        elif kind == "if":
            self.block(s[2] if self.value(s[1]) else s[3])
        elif kind == "times":
            for _ in range(s[1]):
                self.block(s[2])
        elif kind == "call":
            self.call(s[1], [self.value(e) for e in s[2]])
        elif kind == "enter":
            self.open |= set(s[1])
            self.letter()
        elif kind == "leave":
            if self.open & set(s[1]):
                self.open -= set(s[1])
                self.letter()
        elif kind == "return":
            raise Stop
        else:
            raise ValueError(s)

    def declare(self, name, kind, value):
        self.calls += 1
        own = f"{name}#{self.calls}"
        changes = {cell: 0 for cell in cells((own,), kind)}
        first = cells((own,), kind)[0]
        changes[first] = self.value(value)
        self.memory.update(changes)
        self.frames[-1]["scopes"][-1][name] = own
        self.letter()


def cells(place, kind):
    """The scalar cells of an object."""
    if kind[0] == "arr":
        return [c for i in range(kind[2]) for c in cells(place + (i,), kind[1])]
    if kind[0] == "rec":
        return [c for name, of in RECORDS[kind[1]] for c in cells(place + (name,), of)]
    return [place]


# Printing --------------------------------------------------------------------------------------


def declared(name, kind):
    if kind == "int":
        return f"int {name}"
    if kind[0] == "ptr":
        return f"{declared('', kind[1]).strip()} *{name}"
    if kind[0] == "arr":
        return f"{declared('', kind[1]).strip()} {name}[{kind[2]}]"
    return f"struct {kind[1]} {name}"


def text(e):
    if isinstance(e, int):
        return str(e)
    kind = e[0]
    if kind == "var":
        return e[1]
    if kind == "member":
        return f"{text(e[1])}.{e[2]}"
    if kind == "arrow":
        return f"{text(e[1])}->{e[2]}"
    if kind == "index":
        return f"{text(e[1])}[{text(e[2])}]"
    if kind == "deref":
        return f"(*{text(e[1])})"
    if kind == "addr":
        return f"&{text(e[1])}"
    if kind == "input":
        return "(nondet_int() & 1)"
    if kind == "set":
        return f"({text(e[1])} = {text(e[2])})"
    if kind == "op":
        return f"({text(e[1])} += {text(e[2])})"
    if kind == "post":
        return f"{text(e[1])}++"
    return f"({text(e[1])} {kind} {text(e[2])})"


class Printer:
    def __init__(self, program):
        self.program = program
        self.lines = ["#include <string.h>", "int nondet_int(void);", DECLARATIONS.strip()]

    def text(self):
        values = self.program["values"]
        for name, kind in GLOBALS:
            value = values.get((name,))
            init = ""
            if isinstance(value, int):
                init = f" = {value}"
            elif value is not None:
                init = f" = &{path(value)}"
            self.lines.append(f"{declared(name, kind)}{init};")
        self.lines.append(EVALUATIONS.strip())
        for name, function in self.program["functions"].items():
            params = ", ".join(declared(p, k) for p, k in function["params"]) or "void"
            head = f"int main({params})" if name == "main" else f"static void {name}({params})"
            self.lines += [head, "{"]
            for s in function["body"]:
                self.statement(s, 1)
            self.lines += (["    return 0;"] if name == "main" else []) + ["}"]
        return "\n".join(self.lines) + "\n"

    def put(self, depth, line):
        self.lines.append("    " * depth + line)

    def statement(self, s, depth):
        kind = s[0]
        if kind == "do":
            self.put(depth, text(s[1]) + ";")
        elif kind == "decl":
            value = text(s[3])
            self.put(depth, f"{declared(s[1], s[2])} = {value if s[2] == 'int' or s[2][0] == 'ptr' else '{' + value + '}'};")
        elif kind == "copy":
            way = s[3]
            to, source = text(s[1]), text(s[2])
            self.put(depth, f"{to} = {source};" if way == "=" else f"{way}(&{to}, &{source}, sizeof {to});")
        elif kind == "zero":
            self.put(depth, f"memset(&{text(s[1])}, 0, sizeof {text(s[1])});")
        elif kind == "if":
            self.braced(f"if ({text(s[1])}) {{", s[2], depth)
            if s[3]:
                self.lines[-1] += " else {"
                self.inner(s[3], depth)
        elif kind == "times":
            counter = f"i{len(self.lines)}"
            self.braced(f"for (int {counter} = 0; {counter} < {s[1]}; {counter}++) {{", s[2], depth)
        elif kind == "call":
            self.put(depth, f"{s[1]}({', '.join(text(e) for e in s[2])});")
        elif kind in ("enter", "leave"):
            letter = "b" if kind == "enter" else "e"
            for name in s[1]:
                self.put(0, f"{letter}_{name}: ;")
        elif kind == "return":
            self.put(depth, "return 0;" if s[1] == "main" else "return;")

    def braced(self, head, statements, depth):
        self.put(depth, head)
        self.inner(statements, depth)

    def inner(self, statements, depth):
        for inner in statements:
            self.statement(inner, depth + 1)
        self.put(depth, "}")


def path(place):
    out = place[0]
    for step in place[1:]:
        out += f"[{step}]" if isinstance(step, int) else f".{step}"
    return out


def specification(program):
    """The specification, with evaluation functions or inline conditions."""
    entries = []
    for p in program["propositions"]:
        reads = [text(e) for e in p["reads"]]
        span = ["_begin", "_end"] if p["area"] is None else [f"b_{p['name']}", f"e_{p['name']}"]
        entry = {"name": p["name"], "default": p["default"], "span": span}
        if p["inline"] and p["kind"] in ("big", "same"):
            entry["cond"] = f"{reads[0]} > 1" if p["kind"] == "big" else f"{reads[0]} == {reads[1]}"
        else:
            entry["expr"] = p["kind"]
            entry["params"] = [r.strip("()") if r.startswith("(*") else r for r in reads]
        entries.append(entry)
    return {"ltl": program["formula"], "pa": entries}


# Deciding --------------------------------------------------------------------------------------


def words(program, limit=200):
    """The words of all runs."""
    found, todo = [], [[]]
    while todo:
        inputs = todo.pop()
        run = Run(program, inputs)
        try:
            run.call("main", [])
        except IndexError:
            todo += [inputs + [0], inputs + [1]]
            if len(todo) + len(found) > limit:
                return None
            continue
        found.append(tuple(run.word))
    return found


# Generating ------------------------------------------------------------------------------------


class Memory:
    """A main and two functions that write through pointers."""

    def __init__(self, rng, options):
        self.rng, self.options = rng, options
        self.features = set()

    def chance(self, probability):
        return self.rng.random() < probability

    def make(self):
        rng = self.rng
        program = {"values": {("a",): rng.randint(0, 2), ("p",): rng.choice([("a",), ("b",), ("arr", 1), ("s", "m")]),
                              ("q",): rng.choice([("s",), ("t",), ("ss", 1)])}, "functions": {}, "propositions": []}
        self.program = program
        self.names = 0
        areas = {"p1": rng.choice([None, None, "main", "work"]), "p2": rng.choice([None, "main"])}
        program["functions"]["put"] = {"params": [("to", ("ptr", "int")), ("v", "int")], "body": self.put()}
        program["functions"]["fill"] = {"params": [("to", ("ptr", PAIR))], "body": self.fill()}
        program["functions"]["work"] = self.function("work", [n for n, w in areas.items() if w == "work"], 5)
        program["functions"]["main"] = self.function("main", [n for n, w in areas.items() if w == "main"], 9)
        for name, area in areas.items():
            program["propositions"].append(self.proposition(name, area))
        return program

    def put(self):
        body = [("do", ("set", ("deref", ("var", "to")), ("var", "v")))]
        if self.chance(0.3):
            body.append(("do", ("post", ("deref", ("var", "to")))))
        return body

    def fill(self):
        to = ("var", "to")
        return self.rng.sample([
            ("do", ("set", ("arrow", to, "m"), self.rng.randint(0, 3))),
            ("do", ("op", ("arrow", to, "n"), 1)),
            ("do", ("set", ("arrow", to, "f"), self.rng.randint(0, 9))),
            ("copy", ("deref", to), ("var", "t"), "="),
        ], self.rng.randint(1, 3))

    def function(self, name, owned, size):
        self.where = name
        # The objects that a proposition reads are in the function's outermost block.
        self.locals = ["x", "lp"] if name == "main" else ["x"]
        head = [("decl", "x", "int", self.rng.randint(0, 2)), ("decl", "lo", PAIR, self.rng.randint(0, 2)),
                ("decl", "la", ("arr", "int", 3), self.rng.randint(0, 2)), ("decl", "lp", ("ptr", "int"), ("addr", ("var", "x")))]
        body = [self.statement(1) for _ in range(self.rng.randint(2, size))]
        for own in owned:
            cut = sorted(self.rng.sample(range(len(body) + 1), 2))
            body = [*body[:cut[0]], ("enter", [own]), *body[cut[0]:cut[1]], ("leave", [own]), *body[cut[1]:]]
        return {"params": [], "body": head + body}

    def int_lvalue(self, depth=1):
        index = self.rng.choice([0, 1, 2, ("input",)])
        return self.rng.choice([
            ("var", "a"), ("var", "b"), ("var", "x"), ("member", ("var", "s"), "m"), ("member", ("var", "t"), "n"),
            ("index", ("var", "arr"), index), ("deref", ("var", "p")), ("deref", ("var", "lp")),
            ("arrow", ("var", "q"), "m"), ("arrow", ("var", "q"), "n"), ("member", ("index", ("var", "ss"), self.rng.choice([0, 1, ("input",)])), "n"),
            ("member", ("var", "lo"), "m"), ("index", ("var", "la"), index),
        ])

    def pair(self):
        return self.rng.choice([("var", "s"), ("var", "t"), ("index", ("var", "ss"), 1), ("deref", ("var", "q")), ("var", "lo")])

    def number(self):
        return self.rng.choice([0, 1, 2, 3, ("input",), ("+", ("input",), 1), ("var", "a"), ("var", "x")])

    def statement(self, depth):
        kind = self.rng.choices(["set", "op", "post", "bits", "point", "copy", "zero", "put", "fill", "if", "times", "work", "nested"],
                                [8, 3, 3, 2, 4, 3, 1, 4, 3, 3 * depth, 2 * depth, 3 if self.where == "main" else 0, 2])[0]
        self.features.add(kind)
        if kind == "set":
            return ("do", ("set", self.int_lvalue(), self.number()))
        if kind == "op":
            return ("do", ("op", self.int_lvalue(), self.rng.randint(1, 2)))
        if kind == "post":
            return ("do", ("post", self.int_lvalue()))
        if kind == "bits":
            record = self.pair()
            target = ("arrow", ("var", "q"), "f") if self.chance(0.3) else ("member", record, "f")
            return ("do", self.rng.choice([("set", target, 9), ("op", target, 3), ("post", target)]))
        if kind == "nested":
            # The value of one write is assigned by the other; the targets are different objects.
            return ("do", ("set", ("var", "b"), ("+", ("set", self.rng.choice([("deref", ("var", "lp")), ("var", "a")]), self.rng.randint(0, 2)), 1)))
        if kind == "point":
            return ("do", self.rng.choice([
                ("set", ("var", "p"), ("addr", self.rng.choice([("var", "a"), ("var", "b"), ("member", ("var", "s"), "m"),
                                                              ("index", ("var", "arr"), 2)]))),
                ("set", ("var", "lp"), ("addr", self.rng.choice([("var", "a"), ("var", "x"), ("index", ("var", "la"), 1)]))),
                ("set", ("var", "q"), ("addr", self.rng.choice([("var", "s"), ("var", "t"), ("index", ("var", "ss"), 1)]))),
            ]))
        if kind == "copy":
            return ("copy", self.pair(), self.rng.choice([("var", "s"), ("var", "t")]), self.rng.choice(["=", "memmove"]))
        if kind == "zero":
            return ("zero", self.rng.choice([("var", "s"), ("var", "arr"), ("var", "la"), ("deref", ("var", "q"))]))
        if kind == "put":
            return ("call", "put", [("addr", self.int_lvalue()), self.number()])
        if kind == "fill":
            return ("call", "fill", [self.rng.choice([("var", "q"), ("addr", ("var", "s")), ("addr", ("var", "lo"))])])
        if kind == "if":
            return ("if", ("==", self.number(), 1), [self.statement(0) for _ in range(self.rng.randint(1, 2))],
                    [self.statement(0)] if self.chance(0.4) else [])
        if kind == "times":
            return ("times", self.rng.randint(1, 2), [self.statement(0)])
        return ("call", "work", [])

    def proposition(self, name, area):
        whole_pairs = [("var", "s"), ("index", ("var", "ss"), 1)]
        ints = [("var", "a"), ("member", ("var", "s"), "m"), ("index", ("var", "arr"), 1), ("deref", ("var", "p")),
                ("arrow", ("var", "q"), "n"), ("member", ("var", "s"), "f"), ("member", ("index", ("var", "ss"), 1), "n"),
                ("index", ("var", "arr"), ("var", "a"))]
        arrays = [("var", "arr")]
        if area is not None:
            ints += [("var", f"{area}::x"), ("member", ("var", f"{area}::lo"), "m"), ("index", ("var", f"{area}::la"), 1),
                     ("deref", ("var", f"{area}::lp"))] * 2
            whole_pairs.append(("var", f"{area}::lo"))
            arrays.append(("var", f"{area}::la"))
        kind = self.rng.choice(["big", "big", "big", "same", "sum", "whole", "behind"])
        count = 2 if kind == "same" else 1
        reads = self.rng.sample({"big": ints, "same": ints, "sum": arrays, "whole": whole_pairs, "behind": whole_pairs}[kind], count)
        if any(e[0] == "index" and e[2] == ("var", "a") for e in reads):
            # The index must stay within the array.
            reads = [("index", ("var", "arr"), 1) if e[0] == "index" and e[2] == ("var", "a") else e for e in reads]
        self.features.add("watch-" + kind)
        for e in reads:
            self.features.add("watch-" + e[0])
        return {"name": name, "area": area, "kind": kind, "reads": reads, "default": self.chance(0.3), "inline": self.chance(0.5)}


def case(rng, options, formulas, counts):
    """One case: the program's text, its specification and the expected result."""
    while True:
        maker = Memory(rng, options)
        program = maker.make()
        if any(feature.startswith(avoided) for avoided in options.avoid for feature in maker.features):
            continue
        runs = words(program)
        if runs is None:
            continue
        best = None
        for formula in rng.sample(formulas, 4):
            renamed = " ".join({"p": "p1", "q": "p2"}.get(t, t) for t in ltl.tokens(formula))
            semantics = ltl.Semantics(renamed)
            names = set(semantics.names)
            verdicts = {semantics.of_word([frozenset(letter & names) for letter in word]) for word in runs}
            verdict = min(verdicts)
            rank = counts[ltl.NAMES[verdict]] - (len(verdicts) > 1) * 0.5
            if best is None or rank < best[0]:
                best = (rank, renamed, ltl.NAMES[verdict], sorted(ltl.NAMES[v] for v in verdicts))
        _, formula, verdict, verdicts = best
        program["formula"] = formula
        counts[verdict] += 1
        return Printer(program).text(), json.dumps(specification(program), indent=2) + "\n", {
            "kind": "memory", "unwind": 3, "verdict": verdict, "complete": True, "verdicts": verdicts,
            "features": sorted(maker.features),
        }
