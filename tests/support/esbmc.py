#!/usr/bin/env python3
"""Plays ESBMC with the help of CBMC, for tests on machines without ESBMC.

Takes the options that ESBMC documents and no others, gives the C to CBMC in its dialect for ESBMC
(with ESBMC's functions replaced by CBMC's) and writes what ESBMC writes in the recorded runs: the
list of claims, counterexamples, the table of results, the verdict, its exit statuses. As a version
before 8.4 (PLAY_ESBMC=7.8.0) it has no table, lacks an option, and has one copy of each thread-local
object for all threads. What CBMC is called comes from the environment (PLAY_CBMC).

It differs from ESBMC in that an assumption ends its own thread only, so it cannot show that a halted
thread leaves the others alone.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

VERSION = os.environ.get("PLAY_ESBMC", "8.4.0")
OLD = tuple(map(int, VERSION.split("."))) < (8, 4, 0)
FLAGS = {
    "--no-pointer-check", "--no-bounds-check", "--no-div-by-zero-check", "--overflow-check", "--show-claims",
    "--multi-property", "--no-unwinding-assertions", "--no-slice", "--version", "--no-por",
}
VALUES = {"--claim", "--unwind", "--context-bound"}
if not OLD:
    FLAGS.add("--no-library-assertions")
    VALUES.add("--unwindsetname")


def end(text, status):
    print(text)
    print(f"ESBMC version {VERSION} 64-bit x86_64 linux")
    sys.exit(status)


def arguments():
    """Files, macros and options; ends as ESBMC does with one that it does not have."""
    files, macros, options = [], [], {}
    rest = iter(sys.argv[1:])
    for argument in rest:
        if argument.startswith("-D"):
            macros.append(argument)
        elif argument in FLAGS:
            options[argument] = True
        elif argument in VALUES:
            options[argument] = next(rest)
        elif argument.startswith("-"):
            print(f"ERROR: Invalid command line: unrecognised option '{argument}'")
            sys.exit(64)
        else:
            files.append(argument)
    return files, macros, options


def program(files, macros, directory):
    """The files as CBMC takes them."""
    for number, file in enumerate(files):
        expanded = subprocess.run(["gcc", "-E", "-DBA_ESBMC", *macros, file], capture_output=True, text=True, check=True).stdout
        if "__CPROVER" in expanded:
            end(f"ERROR: {file} has names of CBMC's", 6)
        if OLD:
            expanded = re.sub(r"\b(_Thread_local|__thread)\b", "", expanded)
        expanded = expanded.replace("void __ESBMC_assert(_Bool, const char *);", "void __CPROVER_assert(_Bool, const char *);")
        expanded = re.sub(r"\b__ESBMC_(assert|assume|atomic_begin|atomic_end)\b", r"__CPROVER_\1", expanded)
        expanded = with_threads(expanded)
        if "__ESBMC" in expanded:
            end(f"ERROR: {file} has names of ESBMC's that are not documented", 6)
        path = os.path.join(directory, f"file{number}.i")
        with open(path, "w") as out:
            out.write(expanded)
        yield path


def with_threads(text):
    """Threads as CBMC starts them without pointers that all see; numbered as they are made, as ESBMC does."""
    text = re.sub(r"\bstatic void \*(ba_argument_\w+\[)", r"static unsigned long \1", text)
    text = re.sub(r"\b(ba_argument_\w+\[ba_id\]) = ba_argument;", r"\1 = (unsigned long)ba_argument;", text)
    text = re.sub(r"(ba_start_\w+\(ba_id, )(ba_argument_)", r"\1(void *)\2", text)
    launch = r"pthread_create\(&ba_thread, \(void \*\)0, (ba_enter_\w+), (.*?)\);"
    text = re.sub(launch, r"unsigned long play_number = ++play_threads; __CPROVER_ASYNC_1: play(\1, play_number, \2);", text)
    text = re.sub(r"play\((ba_enter_\w+), ", r"play_\1(", text)
    entries = re.findall(r"static void \*(ba_enter_\w+)\(void \*ba_number\) \{", text)
    for entry in entries:
        text = text.replace(f"static void *{entry}(void *ba_number) {{", f"static void *{entry}(void *);\nstatic void play_{entry}(unsigned long number, void *value) {{ play_self = number; {entry}(value); }}\nstatic void *{entry}(void *ba_number) {{", 1)
    text = text.replace("pthread_self()", "play_self")
    return "_Thread_local unsigned long play_self; unsigned long play_threads;\n" + text if entries else text


def cbmc(arguments):
    command = [os.environ.get("PLAY_CBMC", "cbmc"), *arguments, "--json-ui"]
    ran = subprocess.run(command, capture_output=True, text=True)
    try:
        return json.loads(ran.stdout)
    except ValueError:
        return end("ERROR: " + (ran.stderr or ran.stdout)[-2000:], 6)


def find(messages, key):
    found = [m[key] for m in messages if isinstance(m, dict) and key in m]
    if not found:
        texts = [m.get("messageText", "") for m in messages if isinstance(m, dict) and m.get("messageType") == "ERROR"]
        end("ERROR: " + "; ".join(texts), 6)
    return found[0]


def place(location, thread=None):
    parts = [f'{word} {location[word]}' for word in ("file", "line", "function") if word in location]
    return " ".join(parts + ([f"thread {thread}"] if thread is not None else []))


def counterexample(result):
    print("\n[Counterexample]\n\n")
    number, bar = 0, "-" * 52
    for step in result.get("trace", []):
        kind, location = step["stepType"], step.get("sourceLocation", {})
        number += 1
        if kind == "failure":
            print(f"State {number} {place(location, step['thread'])}\n{bar}\nViolated property:")
            print(f"  {place(location)}\n  {result['description']}\n  0\n")
        elif kind == "assignment" and not step.get("hidden") and "data" in step.get("value", {}):
            value, bits = step["value"]["data"], step["value"].get("binary", "")
            value = re.sub(r"(?i)[ul]+$", "", str(value).upper() if isinstance(value, bool) else value)
            shown = f"{value} ({bits})" if bits else value
            print(f"State {number} {place(location, step['thread'])}\n{bar}\n  {step['lhs']} = {shown}\n")


def table(results):
    print("\n** Results:")
    for number, result in enumerate(results):
        location = result.get("sourceLocation", {})
        word = "FAILED " if result["status"] == "FAILURE" else "PASSED "
        print(f"{location.get('file', '')}, function {location.get('function', '')}")
        print(f"  {word}      [{location.get('function', '')}.assertion.{number}]  line {location.get('line', 0)}  {result['description']}")
    failed = sum(r["status"] == "FAILURE" for r in results)
    passed = len(results) - failed
    print(f"\n** {failed} of {len(results)} properties failed" + (f", {passed} passed" if passed else ""))


def main():
    files, macros, options = arguments()
    if "--version" in options:
        print(f"ESBMC version {VERSION} 64-bit x86_64 linux")
        return
    print("Target: 64-bit little-endian x86_64-unknown-linux with esbmclibc")
    one_copy = any(re.fullmatch(r"-DBA_\w*ONE_COPY", m) for m in macros)
    with tempfile.TemporaryDirectory() as directory:
        sources = list(program(files, macros, directory))
        with open(sources[0]) as text:
            threads = "play_threads;" in text.read()
        if threads and OLD != one_copy:
            end("ERROR: the program does not know how many copies there are", 6)
        new = ["--no-standard-checks"] if "--no-standard-checks" in subprocess.run(
            [os.environ.get("PLAY_CBMC", "cbmc"), "--help"], capture_output=True, text=True).stdout else []
        claims = [c for c in find(cbmc([*sources, *new, "--show-properties"]), "properties") if c["class"] == "assertion"]
        if "--show-claims" in options:
            for number, claim in enumerate(claims):
                print(f'Claim {number + 1}:\n  {place(claim["sourceLocation"])}\n  {claim["description"]}\n  {claim["expression"]}\n')
            end("", 0)
        run = [*sources, *new, "--trace"]
        if "--unwind" in options:
            run += ["--unwind", options["--unwind"]]
        if "--no-unwinding-assertions" not in options:
            run.append("--unwinding-assertions")
        elif new:
            run.append("--no-unwinding-assertions")
        if "--claim" in options:
            run += ["--property", claims[int(options["--claim"]) - 1]["name"]]
        results = find(cbmc(run), "result")
    failing = [r for r in results if r["status"] == "FAILURE"]
    for result in failing:
        counterexample(result)
    if not OLD and results:
        table(results)
    end("\nVERIFICATION " + ("FAILED" if failing else "SUCCESSFUL"), 1 if failing else 0)


if __name__ == "__main__":
    main()
