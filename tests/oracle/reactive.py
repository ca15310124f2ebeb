"""Reactive programs: a main loop with inputs, samples, discarded runs, labels to be reached and several properties.

`make` gives a random case; its verdicts come from running the program with every choice of inputs. A run is a list of choices
that is replayed and then changed at its last place, so no states are stored.

Words follow the specification: a letter at each sample label, or after every change. If runs may be discarded, the FALSE of a
cut run is no proof, since the run may be discarded later: it counts as PRESUMABLY_FALSE. A label counts as reached even if
the run is discarded there.
"""

import ltl

OPERATORS = {"==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, ">": lambda a, b: a > b}
FORMULAS = [
    "G !p", "F p", "G (p -> F q)", "G !(p && q)", "p U q", "!p W q", "F (p && F q)", "G (p || q)", "G (p -> G !q)", "F G p", "G F p",
]
NEXT_FORMULAS = ["X p", "X X p", "G (p -> X q)", "F (p && X q)", "X (p U q)", "G (p -> X X !p)"]
GLOBALS = ("a", "b")


class Discarded(Exception):
    """The run is discarded."""


class Ended(Exception):
    """The run is over; `cut` says whether it was cut at the bound."""

    def __init__(self, cut):
        super().__init__()
        self.cut = cut


class Returned(Exception):
    """Raised when `step` returns."""


def condition_text(condition):
    return f"{condition[0]} {condition[1]} {condition[2]}"


class Run:
    """One run: it replays the choices so far, and then takes the first possible ones."""

    def __init__(self, case, choices):
        self.case, self.choices, self.taken = case, choices, []
        self.values = dict(case["globals"])
        self.letters, self.reached, self.open, self.sampled = [], set(), set(), False
        self.pulse = None

    def choose(self, values):
        at = len(self.taken)
        self.taken.append(self.choices[at] if at < len(self.choices) else 0)
        self.choices = self.choices if at < len(self.choices) else [*self.choices, 0]
        return values[self.taken[at]]

    def letter(self):
        return frozenset(name for name, p in self.case["propositions"].items() if self.holds(p))

    def holds(self, p):
        variable, operator, constant = p["condition"]
        area = p["area"]
        inside = area == "whole" or area == self.pulse or area in self.open
        return OPERATORS[operator](self.values[variable], constant) if inside else p["default"]

    def changed(self):
        if not self.case["samples"]:
            self.letters.append(self.letter())

    def test(self, condition):
        return condition is None or OPERATORS[condition[1]](self.values[condition[0]], condition[2])

    def label(self, name):
        """The effect of reaching a label."""
        self.reached.add(name)
        if name in self.case["prune"]:
            raise Discarded
        if name in self.case["assume"] and not self.test(self.case["assume"][name]):
            raise Discarded
        if name == "begin":
            self.open.add("area")
            self.changed()
        if name == "end" and "area" in self.open:
            self.open.discard("area")
            self.changed()
        pulses = [p for p in self.case["propositions"].values() if p["area"] == name]
        self.pulse = name
        if pulses:
            self.changed()
        if name in self.case["samples"]:
            self.letters.append(self.letter())
        self.pulse = None
        if pulses:
            self.changed()

    def statements(self, body):
        for s in body:
            if s[0] == "set":
                self.values[s[1]] = (self.values[s[2]] + s[3] if s[2] else s[3]) & 3
                self.changed()
            elif s[0] == "label":
                self.label(s[1])
            elif s[0] == "if" and self.test(s[1]) and self.test(s[2]):
                self.statements(s[3])
            elif s[0] == "return":
                raise Returned

    def step(self, argument):
        outer = self.values.get("p")
        self.values["p"] = argument
        self.open.add("function")
        self.changed()
        try:
            self.statements(self.case["step"])
        except Returned:
            pass
        self.open -= {"function", "area"}
        self.changed()
        self.values["p"] = outer

    def main(self):
        """Runs to the end; returns whether the run was cut."""
        case = self.case
        if case["given"]:
            self.values["b"] = self.choose(case["given"])
        self.initial = self.letter()
        self.changed()
        self.values["n"] = self.choose(case["start"])
        try:
            for _ in range(case["unwind"]):
                self.values["in"] = self.choose(case["values"])
                self.changed()
                if self.test(case["bad"]):
                    self.label("bad")
                    raise Ended(False)
                self.label("before")
                self.step(self.values["in"])
                self.label("after")
                if self.test(case["stop"]):
                    raise Ended(False)
            raise Ended(True)
        except Ended as end:
            return end.cut


def runs(case):
    """Every run, with whether it was discarded and whether it was cut."""
    choices = []
    while True:
        run = Run(case, choices)
        try:
            cut = run.main()
            yield run, False, cut
        except Discarded:
            yield run, True, False
        sizes = [case["given"]] * bool(case["given"]) + [case["start"]] + [case["values"]] * len(run.taken)
        choices = list(run.taken)
        while choices and choices[-1] + 1 == len(sizes[len(choices) - 1]):
            choices.pop()
        if not choices:
            return
        choices[-1] += 1


def decide(case):
    """The verdicts of all properties, and whether no run was cut."""
    discards = bool(case["prune"] or case["assume"])
    semantics = {name: ltl.Semantics(formula) for name, formula in case["properties"].items()}
    verdicts = dict.fromkeys(semantics)
    complete, reached = True, set()
    for run, discarded, cut in runs(case):
        reached |= run.reached
        if discarded:
            continue
        complete = complete and not cut
        word = run.letters or [run.initial]
        for name, meaning in semantics.items():
            letters = [frozenset(letter & set(meaning.names)) for letter in word]
            verdict = meaning.of_word(letters)
            if cut and discards and verdict == ltl.FALSE:
                verdict = ltl.PRESUMABLY_FALSE
            verdicts[name] = verdict if verdicts[name] is None else min(verdict, verdicts[name])
    names = {name: "unknown" if v is None else ltl.NAMES[v] for name, v in verdicts.items()}
    for label in case["reach"]:
        none = "unknown" if None in verdicts.values() else "presumably_true"
        names[f"reach {label}"] = "false" if label in reached else none
    return names, complete


class Maker:
    def __init__(self, rng):
        self.rng = rng

    def condition(self, variables):
        return self.rng.choice(variables), self.rng.choice(["==", "==", "!=", "<", ">"]), self.rng.randint(0, 3)

    def set(self, variables):
        return "set", self.rng.choice(variables), self.rng.choice([None, None, *variables]), self.rng.randint(0, 3)

    def rule(self, variables, label=None):
        body = [self.set(variables) for _ in range(self.rng.randint(1, 2))]
        if label:
            body.insert(0, ("label", label))
        second = self.condition(variables) if self.rng.random() < 0.5 else None
        return "if", self.condition(variables), second, body

    def make(self):
        rng, variables = self.rng, [*GLOBALS, "p"]
        labels = ["error_0"] + ["error_1"] * (rng.random() < 0.5)
        step = [self.rule(variables) for _ in range(rng.randint(0, 2))]
        step.append(("label", "begin"))
        step += [self.set(variables) for _ in range(rng.randint(0, 2))]
        step.append(("label", "middle"))
        step += [self.rule(variables) for _ in range(rng.randint(0, 1))]
        if rng.random() < 0.4:
            step.append(("if", self.condition(variables), None, [("return",)]))
        step += [("label", "end")] + [self.rule(variables, label) for label in labels]
        sampled = rng.random() < 0.6
        samples = [name for name in ("before", "middle", "after") if rng.random() < 0.5] if sampled else []
        if sampled and not samples:
            samples = ["after"]
        case = {
            "globals": {"a": rng.randint(0, 3), "b": rng.randint(0, 3)}, "step": step, "samples": samples,
            "values": sorted(rng.sample(range(4), rng.randint(1, 3))), "start": sorted(rng.sample(range(4), rng.randint(1, 2))),
            "given": sorted(rng.sample(range(4), 2)) if rng.random() < 0.3 else [],
            "bad": self.condition(["in", "a", "n"]), "stop": self.condition(["a", "b", "n"]), "unwind": rng.randint(1, 3),
            "prune": sorted(label for label in ["bad", *labels] if rng.random() < 0.3),
            "assume": {name: self.condition([*GLOBALS, *extra]) for name, extra in (("before", ["in"]), ("end", ["p"])) if rng.random() < 0.25},
            "reach": sorted(label for label in ["bad", "after", *labels] if rng.random() < 0.5),
            "call": rng.choice(["sense", "scanf", "getchar"]), "labels": labels,
        }
        places = [("whole", list(GLOBALS)), ("area", [*GLOBALS, "p", "p"]), ("before", [*GLOBALS, "in"]), ("after", [*GLOBALS, "in"]),
                  ("middle", [*GLOBALS, "p"]), ("function", [*GLOBALS, "p"])]
        case["propositions"] = {}
        known = []
        for name in "pq":
            area, names = rng.choice(places)
            # Conditions over one variable may exclude each other, which sharpens verdicts beyond the definition over all letters.
            condition = self.condition([n for n in names if n not in known])
            known.append(condition[0])
            default = rng.random() < 0.2
            case["propositions"]["prop_" + name] = {"area": area, "condition": condition, "default": default}
        formulas = FORMULAS + NEXT_FORMULAS * sampled
        chosen = rng.sample(formulas, 4)
        case["properties"] = {f"f{i}": f.replace("p", "prop_p").replace("q", "prop_q") for i, f in enumerate(chosen)}
        return case


# Text

def statement_lines(body, depth):
    pad = "    " * depth
    for s in body:
        if s[0] == "set":
            yield f"{pad}{s[1]} = ({s[2]} + {s[3]}) & 3;" if s[2] else f"{pad}{s[1]} = {s[3]};"
        elif s[0] == "label":
            yield f"{s[1]}: ;"
        elif s[0] == "return":
            yield f"{pad}return;"
        else:
            conditions = [condition_text(c) for c in s[1:3] if c]
            yield f"{pad}if ({' && '.join(conditions)}) {{"
            yield from statement_lines(s[3], depth + 1)
            yield pad + "}"


def program(case):
    read = {"sense": "in = sense();", "scanf": 'scanf("%d", &in);', "getchar": "in = getchar();"}[case["call"]]
    lines = ["#include <stdio.h>", "", "int sense(void);"]
    lines += [f"int {name} = {value};" for name, value in case["globals"].items()]
    lines += ["", "void step(int p)", "{", *statement_lines(case["step"], 1), "}", ""]
    lines += ["int main(void)", "{", "    int n;", "    int in;", "    while (1) {", f"        {read}",
              f"        if ({condition_text(case['bad'])}) {{", "bad: ;", "            return 1;", "        }",
              "before: ;", "        step(in);", "after: ;", f"        if ({condition_text(case['stop'])})", "            return 0;",
              "    }", "}"]
    return "\n".join(lines) + "\n"


def named(condition):
    owner = {"p": "step::", "in": "main::", "n": "main::"}.get(condition[0], "")
    return owner + condition_text(condition)


def specification(case):
    areas = {"whole": {"span": ["_begin", "_end"]}, "area": {"span": ["begin", "end"]}, "function": {"function": "step"}}
    spec = {
        "properties": [{"name": name, "ltl": formula} for name, formula in case["properties"].items()],
        "inputs": [{"call": case["call"], "values": case["values"]}, {"variable": "main::n", "values": case["start"]}],
        "pa": [{"name": name, "default": p["default"], "cond": named(p["condition"]), **areas.get(p["area"], {"at": p["area"]})}
               for name, p in case["propositions"].items()],
    }
    if case["given"]:
        spec["inputs"].append({"variable": "b", "values": case["given"]})
    if case["samples"]:
        spec["trace"] = {"mode": "sample", "at": case["samples"]}
    for key in ("prune", "reach"):
        if case[key]:
            spec[key] = case[key]
    if set(case["labels"]) <= set(case["prune"]) and len(case["labels"]) > 1:
        spec["prune"] = [name for name in case["prune"] if name == "bad"] + ["error_*"]
    if case["assume"]:
        spec["assume"] = [{"at": name, "cond": named(c)} for name, c in case["assume"].items()]
    return spec


def make(rng):
    """A random case: the program's text, its specification and the expected result."""
    case = Maker(rng).make()
    verdicts, complete = decide(case)
    features = [case["call"], "samples" if case["samples"] else "changes"]
    features += [key for key in ("prune", "assume", "reach", "given") if case[key]]
    features += [p["area"] for p in case["propositions"].values()]
    return program(case), specification(case), {
        "kind": "inputs", "unwind": case["unwind"], "verdicts": verdicts, "complete": complete, "features": sorted(set(features)),
    }

