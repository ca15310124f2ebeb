#!/usr/bin/env python3
"""Verifies the suite of threaded programs: each in its correct and its wrong variant, by rounds or otherwise.

usage: tests/schedules/run.py [--ci] [--schedules rounds|auto|all] [--backend cbmc|esbmc] [--timeout 60] [--rounds R]
                              [--change names|order|unused|preprocessed] [NAME …]

`table.json` has for each program of `programs/` its property (`assert`: its own assertions; `reach LABEL`; or a formula),
the bound of loops, and the rounds with which each variant is explored (`--schedules rounds`, the default). A variant is
*decided* if there is a verdict in time, and *wrong* if the verdict is not that of the variant: a correct program satisfies its
property, one compiled with -DWRONG does not. Exit status 1 if a verdict is wrong, or with --ci if one is missing. BAPRODUCT
may name the program; else it is built.

With --change, the programs are changed without an effect on the verdict: the threads' functions get other names, the first two
threads are created in the other order (R + 1 rounds in any order find what R rounds find in one), or an additional thread is
created that does nothing.
"""

import json
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import suites  # noqa: E402

GOOD, BAD = {"true", "presumably_true"}, {"false", "presumably_false"}


CREATES = re.compile(r"^    pthread_create\(&.*;\n", re.M)


def changed(text, change):
    """The text of a program after a change that keeps its verdict; None if the change does not apply to the program."""
    head, main, body = text.partition("int main(void)")
    created = list(CREATES.finditer(body))
    if change == "names":
        started = set(re.findall(r"pthread_create\([^,]*,[^,]*, (\w+),", text))
        return re.sub(r"\b(" + "|".join(sorted(started)) + r")\b", r"another_\1", text) if started else None
    if change == "order":
        if len(created) < 2 or created[0].end() != created[1].start():
            return None
        first, second = created[0], created[1]
        return head + main + body[: first.start()] + second.group() + first.group() + body[second.end() :]
    if not created:
        return None
    at = created[0].start()
    more = "    pthread_t nobody;\n    pthread_create(&nobody, 0, does_nothing, 0);\n"
    function = "static void *does_nothing(void *argument)\n{\n    return argument;\n}\n\n"
    return head + function + main + body[:at] + more + body[at:]


def arguments(row, wrong, options, directory):
    """The command line for a variant, without the name of the executable."""
    variant = "wrong" if wrong else "right"
    rounds = (options.rounds or row["rounds"][variant]) + (wrong and options.change == "order")
    program = source = HERE / "programs" / (row["name"] + ".c")
    defined = ["-DWRONG"] if wrong else []
    if options.change == "preprocessed":
        program = Path(directory, row["name"] + ".i")
        subprocess.run(["gcc", "-E", *defined, "-o", program, source], check=True)
    elif options.change:
        text = changed(source.read_text(), options.change)
        if text is None:
            return None
        program = Path(directory, row["name"] + ".c")
        program.write_text(text)
    schedules = f"rounds:{rounds}" if options.schedules == "rounds" else options.schedules
    words = ["verify"]
    prop = row["property"]
    if prop.startswith("reach "):
        spec = Path(directory, row["name"] + ".json")
        spec.write_text(json.dumps({"reach": [prop.split()[1]], "pa": []}))
        words.append(str(spec))
    elif prop == "assert":
        words += ["--ltl", "G({1})", "--also-safety"]
    else:
        words += ["--ltl", prop]
    words += [str(program), "--schedules", schedules, "--unwind", str(row["unwind"])]
    words += ["--backend", options.backend, "--timeout", str(options.timeout), "--memory", "6000"]
    words += ["--format", "json", "--no-trace"] + defined
    if options.schedules == "auto":
        words += ["--budget", str(options.timeout)]
    return words


def run(row, wrong, options, directory, program):
    """The answer for one variant: `True` (holds), `False` or `None`; the reason if there is none; processor seconds. All are None
    if the change does not apply to the program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = arguments(row, wrong, options, directory)
    if words is None:
        return None
    words.insert(0, program)
    try:
        done = subprocess.run(words, cwd=HERE, capture_output=True, text=True, timeout=options.timeout * 3 + 60)
        result = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        result = {"reason": "no answer of the tool in time"}
    except ValueError:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        result = {"reason": f"exit status {done.returncode}: {' '.join(lines[:3])}"}
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    verdict = result.get("verdict")
    if row["property"] == "assert":
        safety = result.get("safety") or {}
        asserted = [f for f in result.get("findings", []) if f["kind"] == "assertion"]
        answer = False if asserted else True if safety.get("holds") else None
        reason = safety.get("reason") or result.get("reason") or str(result.get("findings"))
    else:
        answer = True if verdict in GOOD else False if verdict in BAD else None
        reason = result.get("reason")
    return answer, reason, seconds


def main():
    parser = suites.parser(__doc__)
    parser.add_argument("--schedules", choices=["rounds", "auto", "all"], default="rounds")
    parser.add_argument("--backend", choices=["cbmc", "esbmc"], default="cbmc")
    parser.add_argument("--change", choices=["names", "order", "unused", "preprocessed"])
    options = parser.parse_args()
    rows = suites.rows(HERE, parser, options)
    program = suites.baproduct()
    decided = wrong_verdicts = total = 0
    with tempfile.TemporaryDirectory() as directory:
        for row in rows:
            for wrong in (False, True):
                found = run(row, wrong, options, directory, program)
                if found is None:
                    continue
                answer, reason, seconds = found
                total += 1
                decided += answer is not None
                expected = answer is (not wrong)
                state = "ok" if expected else "unknown" if answer is None else "WRONG"
                wrong_verdicts += state == "WRONG"
                variant = "wrong" if wrong else "right"
                told = "" if expected else f"  {str(reason)[:300]}"
                print(f"{row['name']:<24} {variant:<6} {state:<8} {seconds:6.1f} s{told}", flush=True)
    print(f"{decided} of {total} decided ({100 * decided / max(total, 1):.0f} %), {wrong_verdicts} wrong")
    return 1 if wrong_verdicts or (options.ci and decided < total) or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
