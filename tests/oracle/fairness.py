#!/usr/bin/env python3
"""Compares infinite runs of random threaded programs with the oracle's, many formulas for each program.

usage: tests/oracle/fairness.py [--seed 1] [--programs 10] [--formulas 16] [--rounds 4] [--more 7] [--kinds none weak strong]
       [--log FILE] BAPRODUCT

A case is a program, a formula and a kind of fairness. Each program is verified once for each kind, with all its formulas. A
lasso that the oracle does not have is wrong, and so is a proof if the oracle has a violation. A violation that only the
oracle finds is counted as missed; `--more` repeats the search with that many rounds, which says whether the rounds were too
few. Prints a line for each kind of each program and the sums; the exit status is 1 if something was wrong.
"""

import argparse
import collections
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import fair
import ltl
import machine
from generate import FORMULAS
from lang import Printer, specification


def formulas(rng, count):
    """Formulas that are insensitive to stutter."""
    known = sorted({f for f in FORMULAS + fair.MORE if "X" not in f})
    made = set()
    while len(made) < count:
        formula = rng.choice(known)
        if rng.random() < 0.4:
            formula = formula.replace("p", "~").replace("q", "p").replace("~", "q")
        if rng.random() < 0.4:
            formula = formula.replace("p", "(!p)").replace("!(!p)", "p")
        if rng.random() < 0.15:
            formula = f"!({formula})"
        if ltl.propositions(ltl.parse(formula)):
            made.add(formula)
    return sorted(made)


def expected(program, chosen):
    """For each formula, whether it is violated under each kind of fairness; None if there are too many states."""
    declared, graphs, answers = program.propositions, {}, {}
    try:
        for formula in chosen:
            program.formula = formula
            used = ltl.propositions(ltl.parse(formula))
            program.propositions = [p for p in declared if p.name in used]
            names = tuple(p.name for p in program.propositions)
            if names not in graphs:
                graphs[names] = fair.Runs(program, 4_000)
            violations = fair.Violations(program, graphs[names])
            answers[formula] = {kind: violations.exist(kind) for kind in fair.KINDS}
    except machine.ProgramError:
        return None
    finally:
        program.propositions = declared
    return answers


def verify(options, directory, kind, rounds):
    """The tool's answer for each formula, or the reason why there is none."""
    words = [options.baproduct, "verify", str(directory / "spec.json"), str(directory / "prog.c"), "--properties", str(directory / "formulas.txt")]
    words += ["--lasso", "--fairness", kind, "--schedules", f"rounds:{rounds}", "--unwind", "1", "--jobs", "1", "--no-trace"]
    words += ["--timeout", str(options.timeout), "--memory", "4000", "--format", "json"]
    done = subprocess.run(words, capture_output=True, text=True)
    try:
        got = json.loads(done.stdout)
    except ValueError:
        return done.stderr.strip() or f"exit status {done.returncode}"
    # The first property is the specification's own.
    lines = (directory / "formulas.txt").read_text().splitlines()
    return dict(zip(lines, got["properties"][-len(lines):]))


def state(answer, violated):
    """Compares an answer with the oracle's."""
    if answer["evidence"] == "lasso":
        return "found" if violated else "WRONG"
    if answer["holds"] == "proved" and violated:
        return "WRONG"
    if answer["verdict"] == "unknown":
        return "unknown"
    if not violated:
        return "right"
    # A prefix that no continuation can repair is just as good.
    return "prefix" if answer["verdict"] == "false" else "missed"


def one(options, rng, number, log):
    """The results of one program's cases for each kind; None if it has too many states."""
    maker = fair.Endless(rng, options)
    program = maker.make()
    if not all(fair.bounded(t.body) for t in program.threads):
        return None
    answers = expected(program, formulas(rng, options.formulas))
    if answers is None:
        return None
    sums = {}
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        text = Printer(program).text()
        (directory / "prog.c").write_text(text)
        program.formula = next(iter(answers))
        (directory / "spec.json").write_text(json.dumps(specification(program)))
        (directory / "formulas.txt").write_text("".join(f + "\n" for f in answers))
        for kind in options.kinds:
            begin, states = time.time(), {}
            got = verify(options, directory, kind, options.rounds)
            if isinstance(got, str):
                states = dict.fromkeys(answers, "unknown")
            else:
                states = {f: state(got[f], answers[f][kind]) for f in answers}
            missed = [f for f in states if states[f] == "missed"]
            if missed and options.more:
                again = verify(options, directory, kind, options.more)
                for f in missed:
                    found = "unknown" if isinstance(again, str) else state(again[f], True)
                    states[f] = f"missed, {found} later"
            sums[kind] = collections.Counter(states.values())
            wrong = [f for f in states if states[f] == "WRONG"]
            told = ", ".join(f"{n} {s}" for s, n in sorted(sums[kind].items()))
            print(f"program {number} {kind:<7} {time.time() - begin:6.1f} s  {told}", flush=True)
            # Results that need a closer look are kept with their program.
            odd = {f: s for f, s in states.items() if s not in ("found", "right", "prefix")}
            if log and (odd or wrong):
                reason = got if isinstance(got, str) else {f: got[f]["reason"] for f in odd if got[f]["reason"]}
                row = {"program": number, "kind": kind, "odd": odd, "reason": reason, "spec": specification(program), "text": text}
                log.write(json.dumps(row) + "\n")
                log.flush()
    return sums


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("baproduct")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=10)
    parser.add_argument("--formulas", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--more", type=int, default=0)
    parser.add_argument("--kinds", nargs="+", choices=fair.KINDS, default=fair.KINDS)
    parser.add_argument("--timeout", type=int, default=120)
    parser.add_argument("--log", type=Path)
    options = parser.parse_args()
    options.avoid, options.inputs = [], "mask"
    sums = {kind: collections.Counter() for kind in fair.KINDS}
    log = options.log.open("a") if options.log else None
    number = done = 0
    while done < options.programs:
        number += 1
        made = one(options, random.Random(f"fairness:{options.seed}:{number}"), number, log)
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
