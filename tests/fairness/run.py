#!/usr/bin/env python3
"""Searches infinite runs of the threaded programs in `programs/` without fairness, with weak and with strong fairness.

usage: tests/fairness/run.py [--ci] [--timeout 60] [--rounds R] [NAME …]

`table.json` has for each program its formula, the rounds, and the expected result for each kind of fairness: `lasso`, a fair
infinite run that violates the formula; `deadlock`, no such run, but a deadlock that violates it; `-`, neither. Exit status 1
if an answer differs, or with --ci if there is none in time. BAPRODUCT may name the program; else it is built.
"""

import json
import resource
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import suites  # noqa: E402

KINDS = ("none", "weak", "strong")


def answer(result):
    """The result: `lasso`, `deadlock`, `-`; None if there is no answer."""
    found = result["properties"][0]
    if found["evidence"] == "lasso":
        return "lasso"
    if found["verdict"] == "unknown":
        return None
    return "deadlock" if found["deadlock"] else "-"


def run(row, kind, options, program):
    """The result, the reason if there is none, and processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = [program, "verify", "--ltl", row["property"], str(HERE / "programs" / (row["name"] + ".c"))]
    words += [f"-D{name}" for name in row.get("defines", [])]
    words += ["--lasso", "--fairness", kind, "--schedules", f"rounds:{options.rounds or row['rounds']}", "--unwind", "2"]
    words += row.get("options", [])
    words += ["--timeout", str(options.timeout), "--memory", "6000", "--format", "json", "--no-trace"]
    done = subprocess.run(words, cwd=HERE, capture_output=True, text=True)
    try:
        result = json.loads(done.stdout)
        found, why = answer(result), result["properties"][0]["reason"]
    except ValueError:
        found, why = None, done.stderr.strip()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found, why, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = suites.parser(__doc__)
    options = parser.parse_args()
    rows = suites.rows(HERE, parser, options)
    program = suites.baproduct()
    wrong = missing = total = 0
    for row in rows:
        name = " ".join([row["name"], *row.get("defines", []), *row.get("options", [])])
        for kind in KINDS:
            found, why, seconds = run(row, kind, options, program)
            total += 1
            missing += found is None
            state = "ok" if found == row[kind] else "no answer" if found is None else "WRONG"
            wrong += state == "WRONG"
            told = "" if state == "ok" else f", expected {row[kind]}; {str(why)[:200]}"
            print(f"{name:<22} {kind:<7} {state:<9} {seconds:6.1f} s  {found}{told}", flush=True)
    print(f"{total} answers: {wrong} wrong, {missing} missing")
    return 1 if wrong or (options.ci and missing) or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
