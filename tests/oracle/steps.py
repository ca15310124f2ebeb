#!/usr/bin/env python3
"""Compares proofs about the step form of random threaded programs with the oracle, many formulas for each program.

usage: tests/oracle/steps.py [--seed 1] [--programs 10] [--formulas 12] [--kinds none weak strong] [--engine explicit]
       [--timeout 60] [--keep DIR] BAPRODUCT

A case is a program, a formula and a kind of fairness. `prove` writes the program in step form and decides the formula on it, with this
`--fairness`. The oracle explores the interleavings of the
program's tree (`fair.py`), with none of the tool's code. `proved` is wrong if the oracle has a violation, `refuted` if it has
none; but the oracle knows infinite runs only, so `refuted` is not compared there if some run ends or comes to a deadlock. Prints a line for each kind of each program and the sums; the exit status is 1 if something was wrong. With --keep,
programs with a wrong answer are kept there.
"""

import argparse
import collections
import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import fair
import fairness
from lang import Printer


def asked(formula, program):
    """The formula with its propositions as conditions in C."""
    values = {p.name: f"{{{p.params[0]} == {p.predicate.body[2]}}}" for p in program.propositions}
    return re.sub(r"\b[pq]\b", lambda m: values[m.group()], formula)


def answers(options, directory, text, program, chosen, kind):
    """The tool's answer for each formula, or the reason why there is none."""
    (directory / "prog.c").write_text(text)
    lines = [asked(formula, program) for formula in chosen]
    (directory / "formulas.txt").write_text("".join(line + "\n" for line in lines))
    words = [options.baproduct, "prove", "--engine", options.engine, "--properties", str(directory / "formulas.txt")]
    words += [str(directory / "prog.c"), "--fairness", kind]
    words += ["--budget", str(options.timeout), "--memory", "4000", "--no-trace", "--format", "json", "-q"]
    done = subprocess.run(words, capture_output=True, text=True)
    try:
        got = json.loads(done.stdout)["properties"]
    except ValueError:
        return done.stderr.strip() or f"exit status {done.returncode}"
    return {f: (p["holds"], p["reason"]) for f, p in zip(chosen, got)}


def state(holds, violated, ends):
    """Compares an answer with the oracle's."""
    if holds not in ("proved", "refuted"):
        return "unknown"
    if holds == "refuted" and not violated and ends:
        return "not compared"
    return holds if (holds == "refuted") == violated else "WRONG"


def one(options, number):
    """The results of one program for each kind; None if it has too many states."""
    rng = random.Random(f"steps:{options.seed}:{number}")
    program = fair.Endless(rng, options).make()
    if not all(fair.bounded(t.body) for t in program.threads):
        return None
    chosen = fairness.formulas(rng, options.formulas)
    expected = fairness.expected(program, chosen)
    if expected is None:
        return None
    sums, text = {}, Printer(program).text()
    ends = not all(fair.Runs(program, 40_000).able)
    for kind in options.kinds:
        with tempfile.TemporaryDirectory() as name:
            got = answers(options, Path(name), text, program, chosen, kind)
        if isinstance(got, str):
            got = {f: ("unknown", got) for f in chosen}
        states = {f: state(got[f][0], expected[f][kind], ends) for f in chosen}
        sums[kind] = collections.Counter(states.values())
        told = ", ".join(f"{n} {s}" for s, n in sorted(sums[kind].items()))
        reasons = {got[f][1] for f in chosen if states[f] == "unknown"}
        print(f"program {number} {kind:<7} {told} {' | '.join(map(str, reasons))[:300]}", flush=True)
        for formula in (f for f in chosen if states[f] == "WRONG"):
            print(f"  WRONG: {formula}: {got[formula][0]}", flush=True)
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{options.seed}_{number}.c").write_text(f"/* {kind}: {formula} */\n{text}")
    return sums


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("baproduct")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=10)
    parser.add_argument("--formulas", type=int, default=12)
    parser.add_argument("--kinds", nargs="+", choices=fair.KINDS, default=fair.KINDS)
    parser.add_argument("--engine", default="explicit")
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    options.avoid, options.inputs = [], "mask"
    sums = {kind: collections.Counter() for kind in options.kinds}
    number = done = 0
    while done < options.programs:
        number += 1
        made = one(options, number)
        if made:
            done += 1
            for kind in options.kinds:
                sums[kind] += made[kind]
    for kind in options.kinds:
        told = ", ".join(f"{n} {s}" for s, n in sorted(sums[kind].items()))
        print(f"{kind}: {sum(sums[kind].values())} cases: {told}")
    return 1 if any(sums[kind]["WRONG"] for kind in options.kinds) else 0


if __name__ == "__main__":
    sys.exit(main())
