#!/usr/bin/env python3
"""Searches infinite runs of the threaded programs in `programs/` without fairness, with weak and with strong fairness.

usage: tests/fairness/run.py [--ci] [--replay] [--timeout 60] [--rounds R] [NAME …]

`table.json` has for each program its formula, the rounds, and the expected result for each kind of fairness: `lasso`, a fair
infinite run that violates the formula; `deadlock`, no such run, but a deadlock that violates it; `-`, neither. With --ci, only
the kinds are asked from whose answers the others follow. Exit status 1 if an answer differs, or with --ci if there is none in
time. With --replay, `baproduct replay` has to repeat each run that is found on the real program: it goes round the loop of an
infinite run a thousand times. BAPRODUCT may name the program; else it is built.
"""

import json
import resource
import subprocess
import sys
import tempfile
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


def telling(row):
    """The kinds of fairness whose answers imply the others: a fair run is also one without fairness, and where there is none without
    fairness, there is no fair one. A deadlock is one with any fairness, but a lasso hides it."""
    answers = [row[kind] for kind in KINDS]
    if len(set(answers)) == 1:
        return (KINDS[-1] if answers[0] == "lasso" else KINDS[0],)
    steps = [n for n in range(1, len(KINDS)) if answers[n] != answers[n - 1]]
    return [KINDS[n] for n in sorted({n for step in steps for n in (step - 1, step)})]


def run(row, kind, options, program):
    """The result, the reason if there is none, processor seconds, and the result in JSON."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = [program, "verify", "--ltl", row["property"], str(HERE / "programs" / (row["name"] + ".c"))]
    words += [f"-D{name}" for name in row.get("defines", [])]
    words += ["--lasso", "--fairness", kind, "--schedules", f"rounds:{options.rounds or row['rounds']}", "--unwind", "2"]
    words += row.get("options", [])
    words += ["--timeout", str(options.timeout), "--memory", "6000", "--format", "json"]
    words += [] if options.replay else ["--no-trace"]
    done = subprocess.run(words, cwd=HERE, capture_output=True, text=True)
    try:
        result = json.loads(done.stdout)
        found, why = answer(result), result["properties"][0]["reason"]
    except ValueError:
        found, why = None, done.stderr.strip()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found, why, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def replay(text, options, program):
    """Why the real program does not repeat the run of a result; None if it does."""
    with tempfile.TemporaryDirectory() as name:
        trace = Path(name) / "trace.json"
        trace.write_text(text)
        words = [program, "replay", str(trace), "--timeout", str(options.timeout)]
        done = subprocess.run(words, cwd=HERE, capture_output=True, text=True)
    return None if done.returncode == 0 else (done.stdout + done.stderr).strip()


def main():
    parser = suites.parser(__doc__)
    parser.add_argument("--replay", action="store_true", help="repeat the runs that are found on the real program")
    options = parser.parse_args()
    rows = suites.rows(HERE, parser, options)
    program = suites.baproduct()
    wrong = missing = total = replayed = unconfirmed = 0
    for row in rows:
        name = " ".join([row["name"], *row.get("defines", []), *row.get("options", [])])
        for kind in telling(row) if options.ci else KINDS:
            found, why, seconds, text = run(row, kind, options, program)
            total += 1
            missing += found is None
            state = "ok" if found == row[kind] else "no answer" if found is None else "WRONG"
            wrong += state == "WRONG"
            told = "" if state == "ok" else f", expected {row[kind]}; {str(why)[:200]}"
            print(f"{name:<22} {kind:<7} {state:<9} {seconds:6.1f} s  {found}{told}", flush=True)
            if options.replay and found in ("lasso", "deadlock"):
                excuse = replay(text, options, program)
                replayed += excuse is None
                unconfirmed += excuse is not None
                if excuse is not None:
                    print(f"    not confirmed: {excuse[:300]}", flush=True)
    print(f"{total} answers: {wrong} wrong, {missing} missing")
    if options.replay:
        print(f"{replayed} runs were repeated on the real program, {unconfirmed} were not")
    return 1 if wrong or unconfirmed or (options.ci and missing) or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
