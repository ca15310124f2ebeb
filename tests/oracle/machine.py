"""The meaning of the oracle's programs: every run, its word, and the least verdict.

`compile_program` turns each thread into a list of small operations, with calls expanded in place, so that every instance of a
validity area has a number. `explore` then visits every state of every interleaving. ltl.Semantics summarises the word so far
in the state, so that the search is finite and exact without listing the words.

Reads and writes of shared objects are separate steps, between which any other thread may run. A write, the new letter and the
step of the semantics are one step.
write, the new letter and the step of the semantics are one step.
"""

import operator
from dataclasses import dataclass, field

import ltl
from lang import COMPOUND, STEPS

OPERATORS = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "<": lambda a, b: int(a < b), "<=": lambda a, b: int(a <= b), ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b), "==": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b),
}
RUNNING, ENDED, CUT, UNBORN, LEFT = range(5)


class ProgramError(ValueError):
    """The tree is no program of the language, or computes a number beyond C's int."""


def pure(e, values):
    """The value of an evaluation function's body."""
    if isinstance(e, int):
        return e
    if isinstance(e, str):
        return values[e]
    if e[0] == "!":
        return int(not pure(e[1], values))
    if e[0] == "?":
        return pure(e[2] if pure(e[1], values) else e[3], values)
    if e[0] == "&&":
        return int(bool(pure(e[1], values)) and bool(pure(e[2], values)))
    if e[0] == "||":
        return int(bool(pure(e[1], values)) or bool(pure(e[2], values)))
    return OPERATORS[e[0]](pure(e[1], values), pure(e[2], values))


def idle(body):
    """Whether one round of these statements changes nothing and continues with the next round."""
    for s in body:
        if s[0] == "if":
            if effects(s[1]) or not idle(s[2]) or not idle(s[3]):
                return False
        elif s[0] == "do":
            if effects(s[1]):
                return False
        elif s[0] != "continue":
            return False
    return True


def effects(e):
    """Whether an expression has side effects."""
    if not isinstance(e, tuple):
        return False
    return e[0] in ("=", "input", "call", "trylock") or e[0] in COMPOUND or e[0] in STEPS or any(effects(x) for x in e[1:])


def current(e, slots, registers):
    """The value of a resolved condition in one state."""
    if isinstance(e, int):
        return e
    if e[0] in ("g", "r"):
        return (slots if e[0] == "g" else registers)[e[1]]
    if e[0] == "?":
        return current(e[2] if current(e[1], slots, registers) else e[3], slots, registers)
    if e[0] == ",":
        return current(e[2], slots, registers)
    if e[0] == "!":
        return int(not current(e[1], slots, registers))
    left, right = current(e[1], slots, registers), current(e[2], slots, registers)
    if e[0] in ("&&", "||"):
        return int(bool(left and right) if e[0] == "&&" else bool(left or right))
    return OPERATORS[e[0]](left, right)


@dataclass
class Instance:
    """An area of one call in one thread: its proposition, and the places of the parameters."""

    proposition: int
    thread: int
    places: list  # ("g", slot) or ("r", slot)


@dataclass
class Thread:
    name: str
    ops: list = field(default_factory=list)
    registers: int = 0
    watched: set = field(default_factory=set)


@dataclass
class Image:
    """A compiled program."""

    program: object
    slots: list  # initial values of globals and statics
    threads: list
    instances: list
    always: list  # instances of propositions of the whole program
    watched: set  # shared slots that a proposition reads


class Compiler:
    def __init__(self, program, unwind, unwindset):
        self.program = program
        self.unwind = unwind
        self.unwindset = unwindset or {}
        self.slots = []
        self.names = {}
        for name, value in program.variables.items():
            self.new_slot((None, name), value)
        for function in [*program.functions.values(), *program.threads, program.main]:
            for name, value in function.statics.items():
                self.new_slot((function.name, name), value)
        self.instances = []
        self.threads = []

    def new_slot(self, key, value):
        self.names[key] = len(self.slots)
        self.slots.append(value)

    def image(self):
        for number, function in enumerate([self.program.main, *self.program.threads]):
            self.compile_thread(number, function)
        always = []
        for number, proposition in enumerate(self.program.propositions):
            if proposition.span == ("_begin", "_end"):
                places = [self.shared_place(name) for name in proposition.params]
                always.append(len(self.instances))
                self.instances.append(Instance(number, 0, places))
        watched = set()
        for instance in self.instances:
            for kind, slot in instance.places:
                (watched if kind == "g" else self.threads[instance.thread].watched).add(slot)
        return Image(self.program, self.slots, self.threads, self.instances, always, watched)

    def shared_place(self, name):
        function, _, variable = name.rpartition("::")
        return ("g", self.names[function or None, variable])

    def compile_thread(self, number, function):
        self.thread = Thread(function.name)
        self.number = number
        self.threads.append(self.thread)
        self.calls = []
        self.enter_function(function, [])
        self.emit("end")

    def emit(self, *op):
        self.thread.ops.append(list(op))
        return len(self.thread.ops) - 1

    def here(self):
        return len(self.thread.ops)

    def register(self):
        self.thread.registers += 1
        return ("r", self.thread.registers - 1)

    # Functions, scopes and areas. A frame is one call, expanded in place.

    def enter_function(self, function, arguments):
        if sum(frame["function"] is function for frame in self.calls) >= self.unwind:
            never = self.register()
            self.emit("bound", never, 0)
            return never
        frame = {
            "function": function, "scopes": [{}], "areas": [], "jumps": [], "result": self.register(),
            "returns": [], "labels": {}, "gotos": [], "paths": dict(self.label_paths(function.body, ())),
        }
        self.calls.append(frame)
        for name, argument in zip(function.params, arguments):
            place = self.register()
            frame["scopes"][0][name] = place
            self.emit("mv", place, argument)
        self.block(function.body)
        for at in frame["returns"]:
            self.thread.ops[at][1] = self.here()
        for at, label in frame["gotos"]:
            self.thread.ops[at][1] = frame["labels"][label]
        self.calls.pop()
        return frame["result"]

    def label_paths(self, statements, path):
        """The areas (by their entry labels) that enclose each label of a function."""
        for s in statements:
            if s[0] == "label":
                yield s[1], path
            elif s[0] == "area":
                yield from self.label_paths(s[3], path + (s[1],))
            else:
                parts = [part for part in s[1:] if isinstance(part, list)]
                if s[0] == "switch":
                    parts = [group for _, group in s[2]] + [s[3]]
                for part in parts:
                    yield from self.label_paths(part, path)

    @property
    def frame(self):
        return self.calls[-1]

    def block(self, statements):
        self.frame["scopes"].append({})
        for statement in statements:
            self.statement(statement)
        self.frame["scopes"].pop()

    def place(self, name):
        for scope in reversed(self.frame["scopes"]):
            if name in scope:
                return scope[name]
        key = (self.frame["function"].name, name)
        return ("g", self.names[key if key in self.names else (None, name)])

    def parameter(self, name):
        function, _, variable = name.rpartition("::")
        if function and function != self.frame["function"].name:
            raise ProgramError(f"{name} is not visible in {self.frame['function'].name}")
        return self.place(variable) if function else ("g", self.names[None, variable])

    def area(self, s):
        _, entry, exit_label, body = s
        opened = []
        for number, proposition in enumerate(self.program.propositions):
            if proposition.span == (entry, exit_label):
                opened.append(len(self.instances))
                self.instances.append(Instance(number, self.number, [self.parameter(p) for p in proposition.params]))
        self.emit("enter", tuple(opened))
        self.frame["areas"].append((entry, tuple(opened)))
        # The labels open no block of their own.
        for statement in body:
            self.statement(statement)
        self.frame["areas"].pop()
        self.emit("leave", tuple(opened))

    def leave(self, areas):
        """Leaving areas other than by their exit labels leaves them all at once."""
        instances = tuple(i for _, opened in areas for i in opened)
        if instances:
            self.emit("leave", instances)

    # Statements

    def statement(self, s):
        getattr(self, "on_" + s[0])(s)

    def on_area(self, s):
        self.area(s)

    def on_do(self, s):
        self.expression(s[1])

    def on_int(self, s):
        value = self.expression(s[2])
        place = self.register()
        self.frame["scopes"][-1][s[1]] = place
        self.emit("mv", place, value)

    def on_if(self, s):
        over = self.emit("jz", self.expression(s[1]), None)
        self.block(s[2])
        end = self.emit("jmp", None)
        self.thread.ops[over][2] = self.here()
        self.block(s[3])
        self.thread.ops[end][1] = self.here()

    def loop(self, condition, body, step=None, first_tested=True):
        function = self.frame["function"].name
        if idle(body) and step is None and not effects(condition):
            # A busy wait is a blocking wait for its condition.
            self.emit("await", 1 if condition is None else self.resolved(condition))
            return
        counter = self.register()
        self.emit("mv", counter, ("k", 0))
        jumps = {"break": [], "continue": [], "depth": len(self.frame["areas"])}
        self.frame["jumps"].append(jumps)
        top, leave = self.here(), None
        if first_tested and condition is not None:
            leave = self.emit("jz", self.expression(condition), None)
        self.emit("bound", counter, self.unwindset.get(function, self.unwind))
        self.block(body)
        for at in jumps["continue"]:
            self.thread.ops[at][1] = self.here()
        if step is not None:
            self.expression(step)
        if first_tested:
            self.emit("jmp", top)
        else:
            self.emit("jnz", self.expression(condition), top)
        self.frame["jumps"].pop()
        for at in jumps["break"]:
            self.thread.ops[at][1] = self.here()
        if leave is not None:
            self.thread.ops[leave][2] = self.here()

    def on_while(self, s):
        self.loop(s[1], s[2])

    def on_dowhile(self, s):
        self.loop(s[2], s[1], first_tested=False)

    def on_for(self, s):
        self.frame["scopes"].append({})
        if s[1] is not None:
            self.statement(s[1])
        self.loop(s[2], s[4], s[3])
        self.frame["scopes"].pop()

    def on_switch(self, s):
        value = self.register()
        self.emit("mv", value, self.expression(s[1]))
        jumps = {"break": [], "continue": None, "depth": len(self.frame["areas"])}
        self.frame["jumps"].append(jumps)
        for constant, group in s[2]:
            same = self.register()
            self.emit("op", same, "==", value, ("k", constant))
            over = self.emit("jz", same, None)
            self.block(group)
            jumps["break"].append(self.emit("jmp", None))
            self.thread.ops[over][2] = self.here()
        self.block(s[3])
        self.frame["jumps"].pop()
        for at in jumps["break"]:
            self.thread.ops[at][1] = self.here()

    def jump_out(self, kind):
        jumps = next(j for j in reversed(self.frame["jumps"]) if j[kind] is not None)
        self.leave(self.frame["areas"][jumps["depth"]:])
        jumps[kind].append(self.emit("jmp", None))

    def on_break(self, s):
        self.jump_out("break")

    def on_continue(self, s):
        self.jump_out("continue")

    def on_return(self, s):
        # A thread's routine returns NULL, whatever the tree says.
        if self.frame["function"] not in self.program.threads:
            self.emit("mv", self.frame["result"], self.expression(s[1]))
        self.leave(self.frame["areas"])
        self.frame["returns"].append(self.emit("jmp", None))

    def on_exit(self, s):
        self.leave([area for frame in self.calls for area in frame["areas"]])
        self.emit("exit")

    def on_try(self, s):
        mark = {"calls": len(self.calls), "areas": len(self.frame["areas"]), "jumps": []}
        self.saved = mark
        self.block(s[1])
        end = self.emit("jmp", None)
        for at in mark["jumps"]:
            self.thread.ops[at][1] = self.here()
        self.block(s[2])
        self.thread.ops[end][1] = self.here()

    def on_jump(self, s):
        mark = self.saved
        inside = self.calls[mark["calls"] - 1]["areas"][mark["areas"]:]
        self.leave([*inside, *(area for frame in self.calls[mark["calls"]:] for area in frame["areas"])])
        mark["jumps"].append(self.emit("jmp", None))

    def on_label(self, s):
        self.frame["labels"][s[1]] = self.here()

    def on_goto(self, s):
        path = self.frame["paths"][s[1]]
        self.leave([area for area in self.frame["areas"] if area[0] not in path])
        self.frame["gotos"].append((self.emit("jmp", None), s[1]))

    def on_lock(self, s):
        self.emit("relock" if s[1] in self.program.recursive else "lock", self.object(s[1]))

    def on_unlock(self, s):
        self.emit("reunlock" if s[1] in self.program.recursive else "unlock", self.object(s[1]))

    def on_pollock(self, s):
        self.emit("lock", self.object(s[1]))

    def on_spinlock(self, s):
        self.emit("acquire", self.place(s[1])[1])

    def on_await(self, s):
        self.emit("await", self.resolved(s[2]))

    def on_once(self, s):
        begin = self.emit("once", self.object(s[1]), None)
        self.enter_function(self.program.functions[s[2]], [])
        self.emit("oncedone", self.object(s[1]))
        self.thread.ops[begin][2] = self.here()

    def on_either(self, s):
        self.statement(("if", s[1], [("do", ("=", s[2], s[4]))], [("do", ("=", s[3], s[4]))]))

    def on_detach(self, s):
        pass

    def on_leave(self, s):
        self.leave([area for frame in self.calls for area in frame["areas"]])
        self.emit("left")

    def on_create(self, s):
        self.emit("create", s[1] + 1)

    def on_join(self, s):
        self.emit("join", s[1] + 1)

    def on_wait(self, s):
        self.emit("sleep", self.object(s[1]), self.object(s[2]))
        self.emit("woken", self.object(s[1]))
        self.emit("lock", self.object(s[2]))

    def on_arrive(self, s):
        self.emit("arrive", self.object(s[1]), self.program.barriers[s[1]])
        self.emit("woken", self.object(s[1]))

    def simple(self, s):
        self.emit(s[0], self.object(s[1]))

    on_signal = on_broadcast = on_up = on_down = on_rdlock = on_wrlock = on_rwunlock = simple

    def object(self, name):
        return self.program.objects().index(name)

    def resolved(self, e):
        """A condition with places in place of names."""
        if isinstance(e, str):
            return self.place(e)
        return (e[0], *(self.resolved(x) for x in e[1:])) if isinstance(e, tuple) else e

    # Expressions; the result is a constant ("k", n) or a register ("r", i).

    def read(self, place):
        if place[0] == "r":
            return place
        value = self.register()
        self.emit("ld", value, place[1])
        return value

    def write(self, place, value):
        if place[0] == "g":
            self.emit("st", place[1], value)
        else:
            self.emit("mv", place, value)

    def copied(self, value):
        copy = self.register()
        self.emit("mv", copy, value)
        return copy

    def expression(self, e):
        if isinstance(e, int):
            return ("k", e)
        if isinstance(e, str):
            return self.read(self.place(e))
        kind = e[0]
        if kind == "input":
            value = self.register()
            self.emit("in", value, e[1])
            return value
        if kind == "trylock":
            value = self.register()
            self.emit("try", value, self.object(e[1]))
            return value
        if kind == "call":
            return self.enter_function(self.program.functions[e[1]], [self.copied(self.expression(a)) for a in e[2:]])
        if kind == "=":
            value = self.copied(self.expression(e[2]))
            self.write(self.place(e[1]), value)
            return value
        if kind in COMPOUND:
            return self.compound(kind[:-1], e[1], self.expression(e[2]))[1]
        if kind in STEPS:
            change, before = STEPS[kind]
            old, new = self.compound("+", e[1], ("k", change))
            return new if before else old
        if kind in ("&&", "||", "?"):
            return self.branching(e)
        if kind == ",":
            self.expression(e[1])
            return self.expression(e[2])
        result = self.register()
        if kind == "!":
            self.emit("op", result, "==", self.expression(e[1]), ("k", 0))
        else:
            left = self.expression(e[1])
            self.emit("op", result, kind, left, self.expression(e[2]))
        return result

    def compound(self, operation, name, change):
        place = self.place(name)
        old = self.copied(self.read(place))
        new = self.register()
        self.emit("op", new, operation, old, change)
        self.write(place, new)
        return old, new

    def branching(self, e):
        result = self.register()
        if e[0] == "?":
            over = self.emit("jz", self.expression(e[1]), None)
            self.emit("mv", result, self.expression(e[2]))
            end = self.emit("jmp", None)
            self.thread.ops[over][2] = self.here()
            self.emit("mv", result, self.expression(e[3]))
            self.thread.ops[end][1] = self.here()
            return result
        self.emit("op", result, "!=", self.expression(e[1]), ("k", 0))
        over = self.emit("jz" if e[0] == "&&" else "jnz", result, None)
        self.emit("op", result, "!=", self.expression(e[2]), ("k", 0))
        self.thread.ops[over][2] = self.here()
        return result


def compile_program(program, unwind, unwindset=None):
    return Compiler(program, unwind, unwindset).image()


@dataclass
class Answer:
    verdict: str
    complete: bool
    states: int
    verdicts: set  # of all runs
    finals: set  # values of globals and statics at the ends of runs that are not cut
    deadlock: bool  # whether some run ends because every thread that is left waits for good


def turns(threads, rounds):
    """The order of threads in runs of at most `rounds` rounds: main first, and then in each round every thread in the order of
    their numbers, main last. Each takes any number of steps, possibly none."""
    return [0] + [*range(1, threads), 0] * rounds if rounds else []


class Explorer:
    """Explores every reachable state. A state is (slots, objects, threads, open instances, remaining, letter).

    The state of a mutex is whether it is locked, of a semaphore its value, of a read-write lock the number of its readers or -1,
    of a condition variable or barrier the set of waiting threads."""

    def __init__(self, image, semantics, limit, rounds=None):
        self.image = image
        self.semantics = semantics
        self.limit = limit
        self.turns = turns(len(image.threads), rounds)

    def answer(self):
        image = self.image
        threads = tuple((0, (0,) * t.registers, UNBORN if n else RUNNING) for n, t in enumerate(image.threads))
        base = (tuple(image.slots), image.program.initial(), threads, frozenset(image.always))
        letter = self.letter(*base)
        first = (*base, self.semantics.step(self.semantics.start(), letter), letter)
        seen, work, ends, finals, cut, deadlock = {first}, [first], set(), set(), False, False
        while work:
            state = work.pop()
            stopped = any(t[2] == CUT for t in state[2])
            cut = cut or stopped
            followers = self.followers(state)
            if not followers:
                ends.add(self.semantics.verdict(state[4], state[5]))
                waits = any(t[2] == RUNNING for t in state[2])
                deadlock = deadlock or (not stopped and waits and state[2][0][2] != ENDED)
                finals |= set() if stopped else {state[0]}
            for follower in followers:
                if follower not in seen:
                    if len(seen) >= self.limit:
                        raise ProgramError(f"more than {self.limit} states")
                    seen.add(follower)
                    work.append(follower)
        return Answer(ltl.NAMES[min(ends)], not cut, len(seen), {ltl.NAMES[v] for v in ends}, finals, deadlock)

    def by_rounds(self):
        """The answer for the runs that keep to the order of turns. A run that is not over when the turns are used up counts only if
        its word is false."""
        image = self.image
        threads = tuple((0, (0,) * t.registers, UNBORN if n else RUNNING) for n, t in enumerate(image.threads))
        base = (tuple(image.slots), image.program.initial(), threads, frozenset(image.always))
        letter = self.letter(*base)
        first = ((*base, self.semantics.step(self.semantics.start(), letter), letter), 0)
        seen, work, ends, finals, cut, deadlock = {first}, [first], set(), set(), False, False
        while work:
            state, turn = work.pop()
            stopped = any(t[2] == CUT for t in state[2])
            cut = cut or stopped
            steps = self.steps(state)
            verdict = self.semantics.verdict(state[4], state[5])
            if not steps:
                ends.add(verdict)
                waits = any(t[2] == RUNNING for t in state[2])
                deadlock = deadlock or (not stopped and waits and state[2][0][2] != ENDED)
            elif ltl.NAMES[verdict] == "false":
                ends.add(verdict)
            for number, follower in steps:
                # The first turn that a thread still has is the best one: it leaves most turns.
                later = next((i for i in range(turn, len(self.turns)) if self.turns[i] == number), None)
                if later is not None and (follower, later) not in seen:
                    if len(seen) >= self.limit:
                        raise ProgramError(f"more than {self.limit} states")
                    seen.add((follower, later))
                    work.append((follower, later))
        names = {ltl.NAMES[v] for v in ends}
        return Answer(ltl.NAMES[min(ends)] if ends else "unknown", not cut, len(seen), names, finals, deadlock)

    def letter(self, slots, _mutexes, threads, opened):
        declared = self.image.program.propositions
        holds = [p.default for p in declared]
        kept = set()  # those of which every instance has to have the other value, and one has not
        for number in opened:
            instance = self.image.instances[number]
            proposition = self.image.program.propositions[instance.proposition]
            registers = threads[instance.thread][1]
            values = [(slots if kind == "g" else registers)[slot] for kind, slot in instance.places]
            value = bool(pure(proposition.predicate.body, dict(zip(proposition.predicate.params, values))))
            if value != proposition.default:
                holds[instance.proposition] = value
            elif proposition.instances == "all":
                kept.add(instance.proposition)
        for number in kept:
            holds[number] = declared[number].default
        return frozenset(p.name for p, h in zip(declared, holds) if h)

    def followers(self, state):
        """The states after one step of any thread; none if the run has ended."""
        return [follower for _, follower in self.steps(state)]

    def steps(self, state):
        """The same, each with the thread that takes the step."""
        threads = state[2]
        if threads[0][2] == ENDED:
            return []
        found = []
        for number, (_, _, status) in enumerate(threads):
            if status == RUNNING:
                found += [(number, follower) for follower in self.advance(state, number)]
        return found

    def advance(self, state, number):
        """Runs thread `number` through its private operations, up to and including one that other threads may observe."""
        at = self.next(state, number)
        return self.noticed(state, number, *at) if at else []

    def next(self, state, number):
        """The first operation of thread `number` that other threads may observe: its place, the registers, itself, and a function for
        the values of operands; None if the thread goes round a loop for ever before it."""
        code = self.image.threads[number]
        pc, registers, _ = state[2][number]
        slots, registers = state[0], list(registers)

        def value(operand):
            return operand[1] if operand[0] == "k" else registers[operand[1]]

        while True:
            op = code.ops[pc]
            kind = op[0]
            if kind == "mv" and op[1][1] not in code.watched:
                registers[op[1][1]] = value(op[2])
            elif kind == "op":
                result = OPERATORS[op[2]](value(op[3]), value(op[4]))
                if not -(2**31) <= result < 2**31:
                    raise ProgramError("an int overflows")
                registers[op[1][1]] = result
            elif kind == "jmp":
                pc = op[1]
                continue
            elif kind in ("jz", "jnz"):
                if (value(op[1]) == 0) == (kind == "jz"):
                    pc = op[2]
                    continue
            elif kind == "bound" and registers[op[1][1]] < op[2]:
                registers[op[1][1]] += 1
            elif kind == "bound" and self.changes_nothing(code, pc, registers, slots):
                return None
            else:
                break
            pc += 1
        return pc, registers, op, value

    def changes_nothing(self, code, top, registers, slots):
        """Whether further iterations of the loop with the bound `top` would only read the objects as they are now, and never leave the
        loop: then the thread is blocked for ever and not cut. The first of these iterations may still give their final values to
        variables that only the loop reads."""
        if len(self.image.threads) == 1 and not self.only_reads(code, top):
            return False
        rounds = []
        registers = list(registers)
        for _ in range(2):
            registers = self.quiet_round(code, top, registers, slots)
            if registers is None:
                return False
            rounds.append(registers)
        return rounds[0] == rounds[1]

    @staticmethod
    def only_reads(code, top):
        """Whether nothing in the loop with the bound `top` has an effect. Without other threads, a loop with effects never is a wait:
        no other thread could end it."""
        jumps = [(pc, op) for pc, op in enumerate(code.ops) if pc > top and op[0] in ("jmp", "jnz")]
        back = [(pc, op[-1]) for pc, op in jumps if op[-1] is not None and op[-1] <= top]
        if not back:
            return False
        last, first = max(back)[0], min(target for _, target in back)
        ops = code.ops[first:top] + code.ops[top + 1 : last]
        return all(op[0] in ("op", "ld", "jmp", "jz", "jnz") or op[0] == "mv" and op[1][1] not in code.watched for op in ops)

    def quiet_round(self, code, top, registers, slots):
        """The registers after an iteration; None if it has an effect, leaves the loop or contains a loop."""
        registers, pc = list(registers), top + 1

        def value(operand):
            return operand[1] if operand[0] == "k" else registers[operand[1]]

        while pc != top:
            op = code.ops[pc]
            kind = op[0]
            pc += 1
            if kind == "mv" and op[1][1] not in code.watched:
                registers[op[1][1]] = value(op[2])
            elif kind == "ld":
                registers[op[1][1]] = slots[op[2]]
            elif kind == "op":
                registers[op[1][1]] = OPERATORS[op[2]](value(op[3]), value(op[4]))
            elif kind == "jmp":
                pc = op[1]
            elif kind in ("jz", "jnz"):
                if (value(op[1]) == 0) == (kind == "jz"):
                    pc = op[2]
            else:
                return None
        return registers

    def noticed(self, state, number, pc, registers, op, value):
        slots, mutexes, threads, opened, remaining, letter = state
        kind, status, event, jump = op[0], RUNNING, False, pc + 1
        slots, mutexes, choices, wakes = list(slots), list(mutexes), [None], [None]
        others = list(threads)
        if kind == "ld":
            registers[op[1][1]] = slots[op[2]]
        elif kind == "st":
            slots[op[1]] = value(op[2])
            event = op[1] in self.image.watched
        elif kind == "mv":
            registers[op[1][1]] = value(op[2])
            event = True
        elif kind == "in":
            choices = range(op[2])
        elif kind == "enter":
            opened, event = opened | set(op[1]), bool(op[1])
        elif kind == "leave":
            event = bool(opened & set(op[1]))
            opened = opened - set(op[1])
        elif kind == "lock":
            if mutexes[op[1]]:
                return []
            mutexes[op[1]] = True
        elif kind == "unlock":
            mutexes[op[1]] = False
        elif kind == "relock":
            owner, count = mutexes[op[1]]
            if owner not in (None, number):
                return []
            mutexes[op[1]] = (number, count + 1)
        elif kind == "reunlock":
            owner, count = mutexes[op[1]]
            if owner == number:
                mutexes[op[1]] = (number, count - 1) if count > 1 else (None, 0)
        elif kind == "acquire":
            if slots[op[1]]:
                return []
            slots[op[1]] = 1
            event = op[1] in self.image.watched
        elif kind == "once":
            if mutexes[op[1]] == 1:
                return []
            if mutexes[op[1]] == 2:
                jump = op[2]
            mutexes[op[1]] = 1 if mutexes[op[1]] == 0 else 2
        elif kind == "oncedone":
            mutexes[op[1]] = 2
        elif kind == "try":
            registers[op[1][1]] = 16 if mutexes[op[2]] else 0
            mutexes[op[2]] = True
        elif kind == "sleep":
            mutexes[op[1]] = mutexes[op[1]] | {number}
            mutexes[op[2]] = False
        elif kind == "woken":
            if number in mutexes[op[1]]:
                return []
        elif kind == "broadcast":
            mutexes[op[1]] = frozenset()
        elif kind == "signal":
            wakes = [mutexes[op[1]] - {one} for one in sorted(mutexes[op[1]])] or [frozenset()]
        elif kind == "arrive":
            arrived = mutexes[op[1]] | {number}
            mutexes[op[1]] = frozenset() if len(arrived) == op[2] else arrived
        elif kind == "down":
            if mutexes[op[1]] == 0:
                return []
            mutexes[op[1]] -= 1
        elif kind == "up":
            mutexes[op[1]] += 1
        elif kind in ("rdlock", "wrlock"):
            users = mutexes[op[1]]
            if users < 0 or (users and kind == "wrlock"):
                return []
            mutexes[op[1]] = users + 1 if kind == "rdlock" else -1
        elif kind == "rwunlock":
            mutexes[op[1]] = max(mutexes[op[1]] - 1, 0)
        elif kind == "await":
            if current(op[1], slots, registers):
                return []
        elif kind == "create":
            others[op[1]] = (others[op[1]][0], others[op[1]][1], RUNNING)
        elif kind == "join":
            if threads[op[1]][2] != ENDED:
                return []
        elif kind == "bound":
            status = CUT
        elif kind == "end":
            status = ENDED
        elif kind == "left":
            status = LEFT
        elif kind == "exit":
            status = ENDED
            others[0] = (others[0][0], others[0][1], ENDED)
        found = []
        for choice in choices:
            if choice is not None:
                registers[op[1][1]] = choice
            others[number] = (jump, tuple(registers), status)
            for wake in wakes:
                if wake is not None:
                    mutexes[op[1]] = wake
                world = (tuple(slots), tuple(mutexes), tuple(others), opened)
                new = self.letter(*world) if event else letter
                found.append((*world, self.semantics.step(remaining, new) if event else remaining, new))
        return found


def decide(program, unwind, unwindset=None, limit=400_000, rounds=None):
    """The verdict of a program, with each loop bounded to `unwind` iterations; with `rounds`, of the runs of that many rounds."""
    image = compile_program(program, unwind, unwindset)
    if rounds:
        return Explorer(image, ltl.Semantics(program.formula), limit, rounds).by_rounds()
    return Explorer(image, ltl.Semantics(program.formula), limit).answer()
