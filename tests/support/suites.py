"""The common part of the suites of threaded programs: their tables, and the tested program."""

import argparse
import json
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def baproduct():
    """The tested program: the one that BAPRODUCT names; otherwise it is built."""
    named = os.environ.get("BAPRODUCT")
    if named:
        return named
    subprocess.run(["cargo", "build", "--quiet", "--release", "-p", "baproduct"], cwd=ROOT, check=True)
    return str(ROOT / "target/release/baproduct")


def parser(description):
    """The options of every suite."""
    made = argparse.ArgumentParser(description=description.splitlines()[0])
    made.add_argument("--ci", action="store_true", help="only the rows that are marked for it; each has to be decided")
    made.add_argument("--timeout", type=int, default=60)
    made.add_argument("--rounds", type=int, help="instead of those of the table")
    made.add_argument("names", nargs="*")
    return made


def rows(suite, made, options):
    """The rows of a suite's table that the options select."""
    table = json.loads((suite / "table.json").read_text())
    unknown = set(options.names) - {row["name"] for row in table}
    if unknown:
        made.error(f"no such program: {', '.join(sorted(unknown))}")
    return [r for r in table if (not options.names or r["name"] in options.names) and (not options.ci or r.get("ci"))]
