"""Other texts for event-condition-action programs, in the style of the challenge's later problems: state variables in arrays, structures and
tables, pointers that tell which of several arrays a variable is, variables with large values that are computed from each other, rules
in functions of their own behind a flag, `switch`, temporaries, and counters on which nothing depends.

The machine behind the program stays as it is, and so do its verdicts.
"""

import collections

import arithmetic

CAP = 40000
PERIOD = 14999


class Products(arithmetic.Ranges):
    """Variables with ranges, which rules compute from their products."""

    cap = CAP

    def effects(self, program, rule):
        """As of ranges; the value of one variable may go into another one. A temporary may hold it."""
        guard, _, effect, _ = rule
        targets, bounds = dict(effect), {}
        for at, of in self.of.items():
            accepted = set(of)
            for index, values, wanted in guard:
                if index == at:
                    accepted &= set(values) if wanted else accepted - set(values)
            if not accepted:
                return
            bounds[at] = (min(of[v][0] for v in accepted), max(of[v][1] for v in accepted))
            if at not in targets and len(accepted) == 1 and self.rng.random() < 0.5:
                targets[at] = next(iter(accepted))
        for at in self.of:
            if at in targets:
                target = self.of[at][targets[at]]
                yield program.names[at], self.product(program, at, bounds, target)
                bounds[at] = target

    def product(self, program, at, bounds, target):
        low, high = target
        other = self.rng.choice(list(self.of))
        factors = (bounds[at], bounds[other])
        ends = [a * b for a in factors[0] for b in factors[1]]
        half = max((high - low + 1) // 2, 1)
        if max(map(abs, ends)) > arithmetic.LARGEST or self.rng.random() < 0.3:
            return arithmetic.assignment(self.rng, program.names[at], bounds[at], target)
        start = f"(({program.names[at]} * {program.names[other]}) % {PERIOD})"
        around = self.rng.choice([[], [("+", self.rng.randint(-20000, 20000))], [("/", 5)], [("*", 9), ("/", 10)]])
        end = [("%", half), ("+", low + half - 1)]
        assert within(arithmetic.through(around + end, (1 - PERIOD, PERIOD - 1)), target)
        return arithmetic.text(self.rng, start, around + end)


def within(inner, outer):
    return inner and outer[0] <= inner[0] and inner[1] <= outer[1]


class Encoding:
    """How the values of the machine's variables are written: by the index of a variable, a kind."""

    def __init__(self, rng, program):
        self.rng, self.program = rng, program
        self.values = {at: sorted(set(arithmetic.Ranges.values(program, at))) for at in range(len(program.names))}
        self.of = collections.OrderedDict()
        ranges = program.ranges.of if program.ranges else {}
        for at in range(len(program.names)):
            self.of[at] = "range" if at in ranges else rng.choice(["plain", "letter", "pointer", "table", "member", "difference"])

    def name(self, at):
        own = self.program.names[at]
        return f"state.{own}" if self.of[at] == "member" else own

    def declarations(self):
        members = []
        for at, name in enumerate(self.program.names):
            kind, values, start = self.of[at], self.values[at], self.program.start[at]
            if kind == "pointer":
                for v in values:
                    yield f"\tint {name}_{v}[6] = {{{', '.join(str(v + 7 * n) for n in range(6))}}};"
                yield f"\tint *{name} = {name}_{start};"
            elif kind == "table":
                yield f"\tint {name}_of[] = {{{', '.join(map(str, values))}}};"
                yield f"\tint {name} = {start};"
            elif kind == "member":
                members.append((name, start))
            elif kind == "letter":
                yield f"\tint {name} = '{chr(97 + values.index(start))}';"
            elif kind == "range":
                yield f"\tint {name} = {self.program.ranges.start(at, start)};"
            else:
                yield f"\tint {name} = {start};"
        if members:
            yield f"\tstruct {{ int {', '.join(n for n, _ in members)}; }} state = {{{', '.join(str(v) for _, v in members)}}};"
        yield "\tint steps = 0;"
        yield "\tint cf = 1;"

    def is_value(self, at, v):
        name, kind = self.name(at), self.of[at]
        if kind == "range":
            return "(" + self.program.ranges.condition(at, name, v) + ")"
        if kind == "pointer":
            n = self.rng.randrange(6)
            return self.rng.choice([f"({name} == {name}_{v})", f"({v + 7 * n} == {name}[{n}])"])
        if kind == "table":
            return f"({name} == {name}_of[{self.values[at].index(v)}])"
        if kind == "letter":
            return f"({name} == '{chr(97 + self.values[at].index(v))}')"
        return f"({name} == {v})"

    def condition(self, guard):
        parts = []
        for at, values, wanted in guard:
            some = " || ".join(self.is_value(at, v) for v in values)
            parts.append(f"({some})" if wanted else f"!({some})")
        return " && ".join(parts)

    def effect(self, at, v, known):
        """An assignment; `known` has the values of variables that are known where it stands."""
        name, kind = self.name(at), self.of[at]
        if kind == "pointer":
            return f"{name} = {name}_{v};"
        if kind == "table":
            index = self.values[at].index(v)
            plain = [o for o in known if self.of[o] in ("plain", "difference", "member")]
            other = self.name(self.rng.choice(plain)) if plain else "input"
            return f"{name} = {name}_of[(({other} - {other}) + {index})];"
        if kind == "letter":
            return f"{name} = '{chr(97 + self.values[at].index(v))}';"
        others = [o for o in known if o != at and self.of[o] in ("difference", "member")]
        if kind == "difference" and others:
            other = self.rng.choice(others)
            return f"{name} = ({self.name(other)} - {known[other] - v});"
        return f"{name} = {v};"


def text_of(program, rng, per_function=12):
    """The program, with about so many rules in each function."""
    encoding = Encoding(rng, program)
    lines = ["#include <stdio.h>", "#include <assert.h>", "#include <stdlib.h>", ""]
    lines += ["\tint inputs[] = {" + ",".join(map(str, program.inputs)) + "};", "", *encoding.declarations(), ""]
    lines += ["void errorCheck() {"]
    for guard, label in program.errors:
        lines += [f"\tif(({encoding.condition(guard)})){{", "\tcf = 0;", f"\t{label}: assert(0);", "\t}"]
    lines += ["}", ""]
    parts = [program.rules[n:n + per_function] for n in range(0, len(program.rules), per_function)]
    for number, rules in enumerate(parts):
        lines.append(f"int calculate_outputm{number}(int input) {{")
        for rule in rules:
            lines += rule_text(program, encoding, rule, rng)
        lines += ["\treturn -2;", "}", ""]
    lines += ["int calculate_output(int input) {", "\tint output = -2;", "\tcf = 1;", "\terrorCheck();"]
    lines += [f"\tif( cf==1 ) output = calculate_outputm{n}(input);" for n in range(len(parts))]
    lines += ["\treturn output;", "}", "", "int main()", "{", "    int output = -1;", "", "    while(1)", "    {", "        int input = 0;",
              '        scanf("%d", &input);']
    guard = " && ".join(f"(input != {v})" for v in program.inputs)
    lines += [f"        if({guard}) return -2;", "got_input: output = calculate_output(input);", "",
              "got_output: if(output == -2)",
              '            fprintf(stderr, "Invalid input: %d\\n", input);', "        else", '            printf("%d\\n", output);', "    }", "}"]
    return "\n".join(lines) + "\n"


def rule_text(program, encoding, rule, rng):
    guard, value, effect, output = rule
    accepted = rng.choice([f"(input == {value})", f"({value} == input)", f"(input == inputs[{program.inputs.index(value)}])"])
    conditions = [" cf==1 ", accepted, encoding.condition(guard)]
    rng.shuffle(conditions)
    yield f"\tif(({' && '.join(conditions)})) {{"
    yield "\t\tcf = 0;"
    ranges = program.ranges.of if program.ranges else {}
    for number, (name, text) in enumerate(program.ranges.effects(program, rule) if ranges else []):
        how = rng.random()
        if how < 0.15:
            yield f"\t\tint t{number} = {text};"
            yield f"\t\t{name} = t{number};"
        else:
            yield f"\t\t{name} = {text};"
    known = {at: values[0] for at, values, wanted in guard if wanted and len(values) == 1}
    for at, v in effect:
        if at not in ranges:
            yield f"\t\t{encoding.effect(at, v, known)}"
            known[at] = v
    if rng.random() < 0.1:
        yield "\t\tsteps += (steps + 20) > steps ? 2 : 0;"
    yield f"\t\treturn {output};"
    yield "\t}"
