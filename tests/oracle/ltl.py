"""LTL in the four-valued semantics of Morse et al. 2015, definition 2, computed from the definition.

No automaton is built. An infinite continuation matters to a formula only by its *type*: the subformulas that hold at its first
position. All types are found by brute force: those of all short loops x^omega, closed under prepending a letter. A finite
word u is then represented by the set of types of the continuations w with u.w |= phi, which suffices for the definition.
"""

import itertools
import re

UNARY = ("!", "X", "F", "G")
BINARY = ("U", "R", "W", "M", "&", "|", "->", "<->")

FALSE, PRESUMABLY_FALSE, PRESUMABLY_TRUE, TRUE = range(4)
NAMES = ("false", "presumably_false", "presumably_true", "true")

TOKEN = re.compile(r"\s*(<->|->|&&|\|\||[!()]|\{[^{}]*\}|[A-Za-z_]\w*)")


class FormulaError(ValueError):
    """The text is no formula in this module's syntax."""


def tokens(text):
    found, at = [], 0
    text = text.rstrip()
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise FormulaError(f"no token at {at} in {text!r}")
        token = match.group(1)
        if re.fullmatch(r"[FGX]{2,}", token):
            found.extend(token)
        else:
            found.append(token)
        at = match.end()
    return found


def parse(text):
    """The formula as nested tuples: ("p", name), ("1",), ("0",), (operator, operands...)."""
    queue = tokens(text)

    def peek():
        return queue[0] if queue else None

    def unary():
        token = queue.pop(0) if queue else None
        if token is None:
            raise FormulaError(f"{text!r} ends too early")
        if token in UNARY:
            return (token, unary())
        if token == "(":
            inner = equivalence()
            if not queue or queue.pop(0) != ")":
                raise FormulaError(f"a parenthesis stays open in {text!r}")
            return inner
        if token in ("true", "false"):
            return ("1",) if token == "true" else ("0",)
        if token[0] == "{" or token[0].isalpha() or token[0] == "_":
            return ("p", token)
        raise FormulaError(f"{token!r} is unexpected in {text!r}")

    def until():
        left = unary()
        if peek() in ("U", "R", "W", "M"):
            return (queue.pop(0), left, until())
        return left

    def chain(token, operator, below):
        def level():
            left = below()
            while peek() == token:
                queue.pop(0)
                left = (operator, left, below())
            return left
        return level

    conjunction = chain("&&", "&", until)
    disjunction = chain("||", "|", conjunction)

    def implication():
        left = disjunction()
        if peek() == "->":
            queue.pop(0)
            return ("->", left, implication())
        return left

    def equivalence():
        left = implication()
        if peek() == "<->":
            queue.pop(0)
            return ("<->", left, equivalence())
        return left

    formula = equivalence()
    if queue:
        raise FormulaError(f"{queue[0]!r} is left over in {text!r}")
    return formula


def propositions(formula):
    if formula[0] == "p":
        return {formula[1]}
    return set().union(*(propositions(part) for part in formula[1:])) if len(formula) > 1 else set()


def subformulas(formula):
    """All subformulas, operands before the formulas that contain them."""
    order = []

    def visit(part):
        if part in order:
            return
        if part[0] != "p":
            for inner in part[1:]:
                visit(inner)
        order.append(part)

    visit(formula)
    return order


class Semantics:
    """The finite-word semantics of one formula over a set of letters (frozensets of proposition names)."""

    def __init__(self, text, letters=None, loop=3):
        self.formula = parse(text) if isinstance(text, str) else text
        self.parts = subformulas(self.formula)
        self.index = {part: at for at, part in enumerate(self.parts)}
        self.names = sorted(propositions(self.formula))
        if letters is None:
            letters = [c for n in range(len(self.names) + 1) for c in itertools.combinations(self.names, n)]
        self.letters = [frozenset(letter) for letter in letters]
        self.stutter = {letter: self.loop_type([letter]) for letter in self.letters}
        self.types = self.all_types(loop)
        self.front = {(letter, kind): self.prepend(letter, kind) for letter in self.letters for kind in self.types}
        self.known = {}

    def holds(self, at, letter, now, following):
        """Whether subformula `at` holds at a position, given its parts there and everything one position later."""
        part = self.parts[at]
        kind = part[0]
        if kind == "p":
            return part[1] in letter
        if kind in ("0", "1"):
            return kind == "1"
        first = now[self.index[part[1]]]
        if kind == "!":
            return not first
        if kind == "X":
            return following[self.index[part[1]]]
        if kind == "F":
            return first or following[at]
        if kind == "G":
            return first and following[at]
        second = now[self.index[part[2]]]
        if kind == "&":
            return first and second
        if kind == "|":
            return first or second
        if kind == "->":
            return not first or second
        if kind == "<->":
            return first == second
        if kind in ("U", "W"):
            return second or (first and following[at])
        return second and (first or following[at])  # R, M

    def prepend(self, letter, following):
        """The type of letter.w for a w of type `following`."""
        now = []
        for at in range(len(self.parts)):
            now.append(self.holds(at, letter, now, following))
        return tuple(now)

    def loop_type(self, loop):
        """The type of loop^omega, by fixpoints: greatest for G, W and R, least for F, U and M.

        Inner subformulas are settled before outer ones; two passes over the loop settle one.
        """
        truth = [[part[0] in ("G", "W", "R") for part in self.parts] for _ in loop]
        for at in range(len(self.parts)):
            for _ in range(2):
                for position in reversed(range(len(loop))):
                    following = truth[(position + 1) % len(loop)]
                    truth[position][at] = self.holds(at, loop[position], truth[position], following)
        return tuple(truth[0])

    def all_types(self, longest):
        found = {self.loop_type(loop) for n in range(1, longest + 1)
                 for loop in itertools.product(self.letters, repeat=n)}
        fresh = list(found)
        while fresh:
            kind = fresh.pop()
            for letter in self.letters:
                other = self.prepend(letter, kind)
                if other not in found:
                    found.add(other)
                    fresh.append(other)
        return frozenset(found)

    def start(self):
        """The continuations that satisfy the formula after the empty word."""
        whole = self.index[self.formula]
        return frozenset(kind for kind in self.types if kind[whole])

    def step(self, remaining, letter):
        """The types w with letter.w in `remaining`."""
        key = (remaining, letter)
        if key not in self.known:
            self.known[key] = frozenset(k for k in self.types if self.front[letter, k] in remaining)
        return self.known[key]

    def verdict(self, remaining, last):
        """The value of a word that ends in the letter `last` and leaves `remaining`."""
        if not remaining:
            return FALSE
        if remaining == self.types:
            return TRUE
        return PRESUMABLY_TRUE if self.stutter[last] in remaining else PRESUMABLY_FALSE

    def of_word(self, word):
        remaining = self.start()
        for letter in word:
            remaining = self.step(remaining, frozenset(letter))
        return self.verdict(remaining, frozenset(word[-1]))
