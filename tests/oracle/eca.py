#!/usr/bin/env python3
"""Generates event-condition-action programs of the RERS kind with formulas and their exact verdicts.

    tests/oracle/eca.py --seed 1 --count 10 --states 20 --formulas 20 --unwind 4 DIR

writes DIR/case_0001/ with prog.c, spec.json, properties.txt and expected.json. A program is a list of rules over state
variables, inputs 1, 2, ... (A, B, ...) and outputs 21, 22, ... (U, V, ...), in the style of the 2012 challenge; its main loop
reads an input and writes an output for ever. The word of a run alternates between inputs and outputs. Runs that reach an
error label or read an input that no rule accepts are discarded.

expected.json has for each formula the least value of definition 2 over the words of exactly `unwind` iterations ("prefix"),
and whether some infinite run violates it ("infinite"), with --lassos the iterations in which a lasso shows that; for each
error label the least number of iterations that reach it. All of it is computed by exploring the states; ltl.py gives the
semantics of words, and infinite runs are judged by the types of their suffixes, without an automaton of the formula.
"""

import argparse
import collections
import json
import os
import random
import sys

import arithmetic
import data
import graphs
import ltl
import rers as shape

INVALID = -2


def input_name(value):
    return "i" + chr(ord("A") + value - 1)


def output_name(value):
    return "o" + "UVWXYZSTRQ"[value - 21]


class Program:
    """State variables with initial values, error conditions, and rules in the order in which they are tried."""

    def __init__(self, names, start, inputs, outputs, errors, rules):
        self.names, self.start, self.inputs, self.outputs = names, start, inputs, outputs
        self.errors, self.rules = errors, rules
        self.index = collections.defaultdict(list)
        for rule in rules:
            self.index[rule[1]].append(rule)
        self.known = {}
        self.ranges = None

    def step(self, state, value):
        """("error", label) or ("ok", next state, output); INVALID counts as an output."""
        key = (state, value)
        if key not in self.known:
            self.known[key] = self.compute(state, value)
        return self.known[key]

    def compute(self, state, value):
        for guard, label in self.errors:
            if holds(guard, state):
                return ("error", label)
        for guard, _, effect, output in self.index[value]:
            if holds(guard, state):
                changed = list(state)
                for at, v in effect:
                    changed[at] = v
                return ("ok", tuple(changed), output)
        return ("ok", state, INVALID)


def holds(guard, state):
    """Whether each variable of a guard has one of its values (or none of them, if `wanted` is false)."""
    return all((state[at] in values) == wanted for at, values, wanted in guard)


def generate(rng, states, inputs, outputs, padding, errors):
    """A random machine whose states are encoded in variables, with some unreachable rules and errors."""
    domain = rng.choice([2, 3, 4])
    count = 1
    while domain ** count < 3 * states:
        count += 1
    names = [f"a{n}" for n in rng.sample(range(30), count)]
    values = [rng.sample(range(0, 20), domain) for _ in names]
    codes = set()
    while len(codes) < 2 * states:
        codes.add(tuple(rng.choice(v) for v in values))
    codes = sorted(codes)
    rng.shuffle(codes)
    real, unreal = codes[:states], codes[states:]
    failing = rng.sample(real[1:], min(len(real) // 3, errors // 2)) if states > 3 else []
    error_codes = failing + rng.sample(unreal, min(len(unreal), errors - len(failing)))
    rng.shuffle(error_codes)
    numbers = rng.sample(range(60), len(error_codes))
    found = [(tuple((at, (v,), True) for at, v in enumerate(code)), f"error_{n}" if nth else "globalError")
             for nth, (code, n) in enumerate(zip(error_codes, numbers))]
    # The machine goes through regions with inputs and outputs of their own: otherwise it would violate nearly every formula.
    regions = max(1, min(4, states // 4))
    subset = lambda values: rng.sample(values, rng.randint(max(1, len(values) // 2), len(values)))
    allowed = [(subset(inputs), subset(outputs)) for _ in range(regions)]
    rules = []
    for number, code in enumerate(real):
        region = number * regions // states
        near = [c for n, c in enumerate(real) if region <= n * regions // states <= region + (rng.random() < 0.3)]
        accepted, written = allowed[region]
        rules += [rule(rng, code, value, near, codes, written, 0.85) for value in accepted]
    rules += [rule(rng, rng.choice(unreal), rng.choice(inputs), codes, codes, outputs, 1.0) for _ in range(padding)]
    rules = [r for r in rules if r]
    rng.shuffle(rules)
    return Program(names, real[0], inputs, outputs, found, rules)


def rule(rng, code, value, targets, codes, outputs, chance):
    if rng.random() > chance:
        return None
    target = rng.choice(targets)
    guard = [(at, (v,), True) for at, v in enumerate(code)]
    if rng.random() < 0.2:
        # A redundant condition, as the challenge's generator adds.
        at = rng.randrange(len(code))
        other = rng.choice(codes)[at]
        if other != code[at]:
            guard.append((at, (other,), False))
    rng.shuffle(guard)
    effect = [(at, v) for at, v in enumerate(target) if v != code[at]]
    return (tuple(guard), value, tuple(effect), rng.choice(outputs))


# The C text.

def condition(program, guard):
    parts = []
    for at, values, wanted in guard:
        if program.ranges and at in program.ranges.of:
            within = " || ".join(program.ranges.condition(at, program.names[at], v) for v in values)
            parts.append(f"({within})" if wanted else f"!({within})")
            continue
        same = " || ".join(f"({program.names[at]} == {v})" for v in values)
        parts.append(same.replace("==", "!=") if not wanted else f"({same})" if len(values) > 1 else same)
    return " && ".join(parts)


def text_of(program):
    lines = ["#include <stdio.h>", "#include <assert.h>", "#include <math.h>", "#include <stdlib.h>", ""]
    lines += ["\t// inputs", "\tint inputs[] = {" + ",".join(map(str, program.inputs)) + "};", ""]
    ranges = program.ranges.of if program.ranges else {}
    for at, (name, value) in enumerate(zip(program.names, program.start)):
        lines.append(f"\tint {name} = {program.ranges.start(at, value) if at in ranges else value};")
    lines += ["", "int calculate_output(int input) {"]
    for guard, label in program.errors:
        lines += [f"\tif(({condition(program, guard)})){{", f"\t{label}: assert(0);", "\t}"]
    for number, rule in enumerate(program.rules):
        guard, value, effect, output = rule
        lines.append(f"\t{'} else ' if number else ''}if(({condition(program, guard)} && (input == {value}))){{")
        lines += [f"\t\t{name} = {text};" for name, text in (program.ranges.effects(program, rule) if ranges else [])]
        lines += [f"\t\t{program.names[at]} = {v};" for at, v in effect if at not in ranges]
        lines.append(f"\t\treturn {output};")
    if program.rules:
        lines.append("\t}")
    lines += ["\treturn -2;", "}", "", "int main()", "{", "    // default output", "    int output = -1;", "",
              "    // main i/o-loop", "    while(1)", "    {", "        // read input", "        int input;",
              '        scanf("%d", &input);']
    guard = " && ".join(f"(input != {v})" for v in program.inputs)
    lines += [f"        if({guard})", "          return -2;", "", "        // operate eca engine"]
    lines.append("got_input: output = calculate_output(input);")
    lines += ["", "got_output: if(output == -2)",
              '            fprintf(stderr, "Invalid input: %d\\n", input);', "        else if(output != -1)",
              '            printf("%d\\n", output);', "    }", "}"]
    return "\n".join(lines) + "\n"


def specification(program, positions):
    read, wrote = positions
    letters = [{"name": input_name(v), "cond": f"main::input == {v}", "at": read} for v in program.inputs]
    letters += [{"name": output_name(v), "cond": f"main::output == {v}", "at": wrote} for v in program.outputs]
    names = [letter["name"] for letter in letters]
    pairs = [f"!({a} && {b})" for n, a in enumerate(names) for b in names[n + 1:]]
    return {
        "pa": letters, "alphabet": pairs, "trace": {"mode": "sample", "at": [read, wrote]},
        "inputs": [{"call": "scanf", "values": program.inputs}],
        "prune": [label for _, label in program.errors if label == "globalError"] + ["error_*"] * (len(program.errors) > 1),
        "assume": [{"at": wrote, "cond": "main::output != -2"}],
    }


# Formulas: the patterns of the challenge, as trees.

def p(name):
    return ("p", name)


def no(f):
    return ("!", f)


def both(*fs):
    return fs[0] if len(fs) == 1 else ("&", fs[0], both(*fs[1:]))


def either(*fs):
    return fs[0] if len(fs) == 1 else ("|", fs[0], either(*fs[1:]))


def until(a, b):
    return ("U", a, b)


TRUE = ("1",)

PATTERNS = [
    lambda a, b, c, d: ("W", no(a), both(b, no(a))),
    lambda a, b, c, d: ("G", no(a)),
    lambda a, b, c, d: until(TRUE, a),
    lambda a, b, c, d: ("G", either(no(a), ("F", b))),
    lambda a, b, c, d: either(no(("F", b)), until(no(a), b)),
    lambda a, b, c, d: ("G", either(no(both(a, no(b))), ("W", no(c), b))),
    lambda a, b, c, d: ("G", either(no(both(a, no(b), ("F", b))), until(no(c), b))),
    lambda a, b, c, d: ("G", either(no(b), ("G", no(a)))),
    lambda a, b, c, d: either(("G", no(a)), until(TRUE, both(a, ("F", b)))),
    lambda a, b, c, d: ("G", either(no(a), ("F", both(b, ("X", ("F", c)))))),
    lambda a, b, c, d: ("G", either(no(both(a, no(b))), ("W", either(no(c), until(no(b), both(d, no(b)))), b))),
    lambda a, b, c, d: either(no(("F", a)), until(no(a), both(b, no(a), ("X", until(no(a), c))))),
    lambda a, b, c, d: ("G", either(no(a), ("X", ("G", either(no(b), ("F", c)))))),
    lambda a, b, c, d: ("F", ("G", no(a))),
    lambda a, b, c, d: either(("G", ("F", a)), ("F", ("G", no(b)))),
    lambda a, b, c, d: ("G", either(no(a), ("X", either(b, c)))),
]


def formula(rng, program):
    names = [input_name(v) for v in program.inputs] + [output_name(v) for v in program.outputs]
    letters = rng.sample(names, min(4, len(names)))
    letters += [letters[0]] * (4 - len(letters))
    return rng.choice(PATTERNS)(*(p(name) for name in letters))


def rers(f):
    """The formula as the challenge writes it."""
    if f[0] == "p":
        return f[1]
    if f[0] == "1":
        return "true"
    if len(f) == 2:
        operand = rers(f[1])
        return f"! {operand}" if f[0] == "!" else f"({f[0]} {operand})"
    return f"({rers(f[1])} {'WU' if f[0] == 'W' else f[0]} {rers(f[2])})"


# Verdicts.

class Word:
    """The finite-word semantics of a formula where at most one letter holds at a time."""

    def __init__(self, tree):
        names = sorted(ltl.propositions(tree))
        self.names = set(names)
        self.semantics = ltl.Semantics(tree, letters=[()] + [(n,) for n in names])

    def letter(self, name):
        return frozenset([name] if name in self.names else [])


def prefix(program, word, bound):
    """The least value over the runs of exactly `bound` iterations; None if there are none."""
    semantics = word.semantics
    frontier = {(program.start, semantics.start(), None)}
    for _ in range(bound):
        following = set()
        for state, left, _ in frontier:
            for value in program.inputs:
                result = program.step(state, value)
                if result[0] == "error" or result[2] == INVALID:
                    continue
                rest = semantics.step(left, word.letter(input_name(value)))
                last = word.letter(output_name(result[2]))
                following.add((result[1], semantics.step(rest, last), last))
        frontier = following
    verdicts = [semantics.verdict(left, last) for _, left, last in frontier]
    return min(verdicts) if verdicts else None


def graph(program):
    """The program's infinite behaviour as a graph: each node reads an input or writes an output; dead ends are removed."""
    start = [("start", program.start)]
    following, letters = {}, {}
    queue = list(start)
    while queue:
        node = queue.pop()
        if node in following:
            continue
        state = node[1]
        if node[0] == "in":
            result = program.step(state, node[2])
            dead = result[0] == "error" or result[2] == INVALID
            letters[node] = input_name(node[2])
            following[node] = [] if dead else [("out", result[1], result[2])]
        else:
            letters[node] = output_name(node[2]) if node[0] == "out" else None
            following[node] = [("in", state, value) for value in program.inputs]
        queue.extend(following[node])
    before = collections.defaultdict(list)
    for node, successors in following.items():
        for successor in successors:
            before[successor].append(node)
    degree = {node: len(successors) for node, successors in following.items()}
    dead = [node for node, n in degree.items() if n == 0]
    gone = set(dead)
    while dead:
        for node in before[dead.pop()]:
            degree[node] -= 1
            if degree[node] == 0 and node not in gone:
                gone.add(node)
                dead.append(node)
    alive = {node: [s for s in successors if s not in gone] for node, successors in following.items() if node not in gone}
    return start[0], alive, letters


def promises(semantics):
    """For each eventuality, a test of a type that must hold infinitely often on a consistent sequence of types."""
    tests = []
    for at, part in enumerate(semantics.parts):
        inner = [semantics.index[x] for x in part[1:]] if part[0] not in ("p", "0", "1") else []
        if part[0] == "F":
            tests.append(lambda t, at=at, i=inner: not t[at] or t[i[0]])
        elif part[0] == "G":
            tests.append(lambda t, at=at, i=inner: t[at] or not t[i[0]])
        elif part[0] == "U":
            tests.append(lambda t, at=at, i=inner: not t[at] or t[i[1]])
        elif part[0] == "R":
            tests.append(lambda t, at=at, i=inner: t[at] or not t[i[1]])
        elif part[0] == "W":
            tests.append(lambda t, at=at, i=inner: t[at] or not (t[i[0]] or t[i[1]]))
        elif part[0] == "M":
            tests.append(lambda t, at=at, i=inner: not t[at] or (t[i[0]] and t[i[1]]))
    return tests


def violated(behaviour, word):
    """Whether some infinite run violates the formula: a fair cycle in the product of the graph and the types of suffixes."""
    start, alive, letters = behaviour
    semantics = word.semantics
    whole = semantics.index[semantics.formula]
    # The possible types of the suffix after a letter, by the type of the whole word.
    behind = collections.defaultdict(list)
    for (letter, other), kind in semantics.front.items():
        behind[letter, kind].append(other)
    first = [kind for kind in semantics.types if not kind[whole]]

    def following(node):
        at, kind = node
        suffixes = first if letters[at] is None else behind[word.letter(letters[at]), kind]
        for successor in alive.get(at, []):
            for other in suffixes:
                yield (successor, other)

    tests = promises(semantics)
    for component in graphs.components([(start, None)], following):
        if len(component) == 1 and component[0] not in following(component[0]):
            continue
        if component[0][1] is not None and all(any(test(kind) for _, kind in component) for test in tests):
            return True
    return False


def shortest(program, word, bound):
    """The least number of iterations, within the bound, in which a violating run can reach a state and go twice round a cycle
    back to it, so that a monitor that remembers more than the state has also returned; None if there is none."""
    semantics = word.semantics
    whole = semantics.index[semantics.formula]
    behind = collections.defaultdict(list)
    for (letter, other), kind in semantics.front.items():
        behind[letter, kind].append(other)
    tests = promises(semantics)
    known = {}

    def kept(kind):
        return frozenset(n for n, test in enumerate(tests) if test(kind))

    def following(at):
        """The states and types one iteration later, with the promises that are kept on the way."""
        if at not in known:
            found = set()
            for value in program.inputs:
                result = program.step(at[0], value)
                if result[0] == "error" or result[2] == INVALID:
                    continue
                for half in behind[word.letter(input_name(value)), at[1]]:
                    for kind in behind[word.letter(output_name(result[2])), half]:
                        found.add(((result[1], kind), kept(at[1]) | kept(half)))
            known[at] = found
        return known[at]

    def loop(start, most):
        """The length of the shortest fair cycle."""
        seen, frontier = set(), {(start, frozenset())}
        for length in range(1, most + 1):
            frontier = {(at, done | more) for before, done in frontier for at, more in following(before)} - seen
            seen |= frontier
            if (start, frozenset(range(len(tests)))) in frontier:
                return length
        return None

    best, seen = None, set()
    frontier = {(program.start, kind) for kind in semantics.types if not kind[whole]}
    for stem in range(bound):
        for at in frontier:
            found = loop(at, ((bound if best is None else best - 1) - stem) // 2)
            if found:
                best = stem + 2 * found
        seen |= frontier
        frontier = {at for before in frontier for at, _ in following(before)} - seen
    return best


def reached(program, bound):
    """For each error label, the first iteration (from 1) that can reach it, within the bound."""
    found, frontier, seen = {}, {program.start}, {program.start}
    for iteration in range(1, bound + 1):
        following = set()
        for state in frontier:
            for value in program.inputs:
                result = program.step(state, value)
                if result[0] == "error":
                    found.setdefault(result[1], iteration)
                elif result[2] != INVALID:
                    following.add(result[1])
        frontier = following - seen
        seen |= following
    return found


def case(rng, options):
    """Program, formulas and verdicts; None if no run is long enough."""
    inputs = list(range(1, options.inputs + 1))
    outputs = list(range(21, 21 + options.outputs))
    if options.rules:
        sizes = {"states": options.states, "rules": options.rules, "errors": options.errors, "depth": options.depth,
                 "narrow": options.ranges > 0}
        make = lambda names, start, errors, rules: Program(names, start, inputs, outputs, errors, rules)
        program = shape.generate(rng, make, inputs, outputs, sizes)
    else:
        program = generate(rng, options.states, inputs, outputs, options.padding, options.errors)
    if options.ranges:
        kind = data.Products if options.data else arithmetic.Ranges
        program.ranges = kind(rng, program, options.ranges)
    behaviour = graph(program)
    if len({node[1] for node in behaviour[1]}) < max(2, options.states // 2) and not options.rules:
        return None
    if prefix(program, Word(p("x")), options.unwind) is None:
        return None
    properties = {}
    for number in range(options.formulas):
        # As many violated formulas as satisfied ones, if they can be found.
        for _ in range(40):
            tree = formula(rng, program)
            word = Word(tree)
            wrong = violated(behaviour, word)
            if wrong == bool(number % 2):
                break
        verdict = prefix(program, word, options.unwind)
        # A cut run may be discarded later, and then its word belongs to no run: so ⊥ is not certain.
        certain = max(verdict, ltl.PRESUMABLY_FALSE)
        properties[f"#{number}"] = {
            "ltl": rers(tree), "word": ltl.NAMES[verdict], "prefix": ltl.NAMES[certain],
            "infinite": "violated" if wrong else "satisfied",
            "lasso": shortest(program, word, options.unwind) if wrong and options.lassos else None,
        }
    expected = {"unwind": options.unwind, "properties": properties, "reach": reached(program, options.unwind)}
    return program, expected


def write(directory, program, expected, texts=None):
    """Writes a case; `texts` makes other texts of the same meaning."""
    os.makedirs(directory, exist_ok=True)

    def put(name, text):
        with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
            file.write(text)

    text = data.text_of(program, texts) if texts else text_of(program)
    positions = ("got_input", "got_output")
    put("prog.c", text)
    put("spec.json", json.dumps(specification(program, positions), indent=1) + "\n")
    catalogue = []
    for name, of in expected["properties"].items():
        catalogue += [f"{name}: generated", of["ltl"], ""]
    put("properties.txt", "\n".join(catalogue))
    put("expected.json", json.dumps(expected, indent=1) + "\n")


def parser():
    options = argparse.ArgumentParser(description="Generates event-condition-action programs with exact verdicts.")
    options.add_argument("directory")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--count", type=int, default=10, help="programs")
    options.add_argument("--states", type=int, default=12, help="states of the machine behind a program")
    options.add_argument("--inputs", type=int, default=3)
    options.add_argument("--outputs", type=int, default=3)
    options.add_argument("--padding", type=int, default=20, help="rules that never apply")
    options.add_argument("--errors", type=int, default=4, help="error labels, half of them with a reachable condition")
    options.add_argument("--rules", type=int, default=0,
                         help="rules in the text; guards name several values, as in the challenge (else a rule is for one state)")
    options.add_argument("--ranges", type=int, default=0, help="variables with large values, which rules compute")
    options.add_argument("--data", action="store_true", help="variables in arrays, structures and tables, products, rules in functions")
    options.add_argument("--depth", type=int, default=9, help="with --rules, the inputs after which every state was reached")
    options.add_argument("--formulas", type=int, default=10)
    options.add_argument("--unwind", type=int, default=4, help="iterations of the main loop")
    options.add_argument("--lassos", action="store_true", help="tell the iterations in which a lasso violates a formula")
    return options


def main(argv):
    options = parser().parse_args(argv)
    rng = random.Random(options.seed)
    done = 0
    while done < options.count:
        found = case(rng, options)
        if found:
            done += 1
            write(os.path.join(options.directory, f"case_{done:04}"), *found, texts=rng if options.data else None)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
