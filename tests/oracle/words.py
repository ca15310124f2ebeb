#!/usr/bin/env python3
"""Generates formulas and finite words with their exact four-valued verdicts.

    tests/oracle/words.py --seed 1 --count 200 --words 6

prints one case per line: formula, word and verdict, separated by tabs. The word has the syntax of `baproduct ltl --word`.
The fixed formulas of generate.py and those below come first, random ones after them.
"""

import argparse
import random
import sys

import generate
import ltl

# Formulas on which some translation of LTL was once wrong; a postponed promise must not get lost.
NAMED = [
    "G (q U X p)", "(F X p) W p", "p R (F X p)", "G ((q || X p) && F X p)", "X G (q U X p)", "G ((F q) U (X p))",
]


def formula(rng, depth):
    """A random formula over p, q and r. Everything is in parentheses, since readings differ."""
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(["p", "q", "p", "q", "r"] + ["true", "false"] * (rng.random() < 0.1))
    operator = rng.choice(["!", "X", "F", "G", "F", "G", "U", "U", "R", "W", "M", "&&", "||", "->", "<->"])
    if operator in ltl.UNARY:
        return f"{operator} ({formula(rng, depth - 1)})"
    return f"({formula(rng, depth - 1)}) {operator} ({formula(rng, depth - 1)})"


def cases(rng, count, words):
    fixed = NAMED + generate.FORMULAS + generate.NEXT_FORMULAS
    for number in range(count):
        text = fixed[number] if number < len(fixed) else formula(rng, rng.choice([2, 3, 3, 4]))
        semantics = ltl.Semantics(text)
        for _ in range(words):
            word = [frozenset(n for n in semantics.names if rng.random() < 0.5) for _ in range(rng.randint(1, 5))]
            yield text, "; ".join(" ".join(sorted(letter)) for letter in word), ltl.NAMES[semantics.of_word(word)]


def main(argv):
    parser = argparse.ArgumentParser(description="Generates formulas and words with their exact verdicts.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200, help="formulas")
    parser.add_argument("--words", type=int, default=6, help="words for each")
    options = parser.parse_args(argv)
    for case in cases(random.Random(options.seed), options.count, options.words):
        print("\t".join(case))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
