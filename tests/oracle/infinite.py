"""Infinite runs: whether some infinite run of a program violates a formula, and how long the shortest lasso is.

The program's states are explored without bounds; states that differ only in a loop's counter are merged. The formula is
followed by guessing, after each letter, the type (ltl.py) of the rest of the word; a guess is right if each promise that it
makes is kept infinitely often or no longer made. No automaton is built; the method is independent of the tool's.
"""

import collections
import heapq
import itertools

import graphs
import ltl
import machine


class Letters:
    """Takes the place of a formula's semantics: only records whether a step gave a letter."""

    @staticmethod
    def start():
        return None

    @staticmethod
    def step(_remaining, _letter):
        return True


def promises(semantics):
    """For each promise of a formula, a test whether a type keeps it at its first position or does not make it."""
    tests = []
    for at, part in enumerate(semantics.parts):
        parts = [semantics.index[p] for p in part[1:]] if part[0] not in ("p", "0", "1") else []
        if part[0] == "F":
            tests.append(lambda t, at=at, a=parts[0]: not t[at] or t[a])
        elif part[0] == "G":
            tests.append(lambda t, at=at, a=parts[0]: t[at] or not t[a])
        elif part[0] == "U":
            tests.append(lambda t, at=at, b=parts[1]: not t[at] or t[b])
        elif part[0] == "W":
            tests.append(lambda t, at=at, a=parts[0], b=parts[1]: t[at] or not (t[a] or t[b]))
        elif part[0] == "R":
            tests.append(lambda t, at=at, b=parts[1]: t[at] or not t[b])
        elif part[0] == "M":
            tests.append(lambda t, at=at, a=parts[0], b=parts[1]: not t[at] or (t[a] and t[b]))
    return tests


class Runs:
    """The graph of a program's states: edges with a letter or none, and the number of loop heads that they pass."""

    def __init__(self, program, limit):
        image = machine.compile_program(program, 1)
        for thread in image.threads:
            thread.ops = [("head",) if op[0] == "bound" else op for op in thread.ops]
        explorer = machine.Explorer(image, Letters, limit)
        threads = tuple((0, (0,) * t.registers, machine.RUNNING) for t in image.threads)
        base = (tuple(image.slots), (), threads, frozenset(image.always))
        self.letter0 = explorer.letter(*base)
        first = (*base, None, self.letter0)
        self.edges, numbers, work = [], {first: 0}, [first]
        self.edges.append([])
        while work:
            state = work.pop()
            found = self.edges[numbers[state]]
            for follower in explorer.followers(state):
                letter = follower[5] if follower[4] else None
                pc = follower[2][0][0]
                cost = int(image.threads[0].ops[pc - 1][0] == "head")
                follower = (*follower[:4], None, follower[5])
                if follower not in numbers:
                    if len(numbers) >= limit:
                        raise machine.ProgramError(f"more than {limit} states")
                    numbers[follower] = len(numbers)
                    self.edges.append([])
                    work.append(follower)
                found.append((numbers[follower], letter, cost))
        self.last = [None] * len(numbers)
        for state, number in numbers.items():
            self.last[number] = state[5]

    def quiet(self, state):
        """The edges without a letter."""
        return ((follower, cost) for follower, letter, cost in self.edges[state] if letter is None)


def cheapest(starts, ways, most, goal=None):
    """The costs of the cheapest paths from some nodes, up to `most`; ends early at a goal."""
    costs, queue, order = {}, [], itertools.count()
    for node, cost in starts:
        heapq.heappush(queue, (cost, next(order), node))
    while queue:
        cost, _, node = heapq.heappop(queue)
        if node in costs or cost > most:
            continue
        costs[node] = cost
        if node == goal:
            break
        for follower, more in ways(node):
            if follower not in costs:
                heapq.heappush(queue, (cost + more, next(order), follower))
    return costs


class Violations:
    """The runs of a program that violate a formula: pairs of a state and the type of the rest of the word."""

    def __init__(self, program, limit=20_000):
        self.semantics = ltl.Semantics(program.formula)
        self.runs = Runs(program, limit)
        self.promises = promises(self.semantics)
        whole, first = self.semantics.index[self.semantics.formula], self.runs.letter0
        self.starts = [(0, kind) for kind in self.semantics.types if not self.semantics.front[first, kind][whole]]

    def step(self, node):
        """The outgoing edges: node, cost, and whether there is a letter."""
        state, kind = node
        for follower, letter, cost in self.runs.edges[state]:
            if letter is None:
                yield (follower, kind), cost, False
                continue
            for following in self.semantics.types:
                if self.semantics.front[letter, following] == kind:
                    yield (follower, following), cost, True

    def is_quiet(self, node):
        """Whether the guess fits a word that repeats the last letter for ever."""
        return node[1] == self.semantics.stutter[self.runs.last[node[0]]]

    def exist(self):
        """Whether some infinite run violates the formula."""
        nodes = cheapest([(n, 0) for n in self.starts], lambda n: ((f, 0) for f, _, _ in self.step(n)), 0)
        of = graphs.numbered(list(nodes), lambda n: (f for f, _, _ in self.step(n)))
        kept = {}
        for node in nodes:
            for follower, _, letter in self.step(node):
                if letter and of[follower] == of[node]:
                    kept.setdefault(of[node], set()).update(i for i, test in enumerate(self.promises) if test(node[1]))
        if any(len(promises) == len(self.promises) for promises in kept.values()):
            return True
        states = {state for state, _ in nodes}
        quiet = graphs.numbered(states, lambda s: (f for f, _ in self.runs.quiet(s)))
        members = collections.Counter(quiet.values())
        on_cycle = lambda s: members[quiet[s]] > 1 or any(f == s for f, _ in self.runs.quiet(s))
        return any(self.is_quiet(node) and on_cycle(node[0]) for node in nodes)

    def end(self):
        """Whether some run that ends violates the formula; its last letter is repeated for ever."""
        nodes = cheapest([(n, 0) for n in self.starts], lambda n: ((f, 0) for f, _, _ in self.step(n)), 0)
        return any(self.is_quiet(node) and not self.runs.edges[node[0]] for node in nodes)

    def guarded(self, node):
        """The edges of a node with the promise that is currently checked, and whether all were kept since the loop began."""
        (state, kind, promise), done = node
        for (follower, following), cost, letter in self.step((state, kind)):
            kept = promise
            while letter and kept < len(self.promises) and self.promises[kept](kind):
                kept += 1
            wrapped = letter and kept == len(self.promises)
            yield ((follower, following, 0 if wrapped else kept), done or wrapped), cost

    def within(self, bound, rounds=3):
        """Whether a stem and `rounds` rounds of a loop fit the bound together, counted in visits of loop heads."""
        ways = lambda n: ((f, cost) for f, cost, _ in self.step(n))
        for node, stem in cheapest([(n, 0) for n in self.starts], ways, bound).items():
            most = (bound - stem) // rounds
            state, kind = node
            if self.is_quiet(node):
                costs = cheapest(self.runs.quiet(state), self.runs.quiet, most, state)
                if state in costs:
                    return True
            begin, end = ((state, kind, 0), False), ((state, kind, 0), True)
            if end in cheapest(self.guarded(begin), self.guarded, most, end):
                return True
        return False
