"""The little language of the oracle: programs as trees, and their text in C.

A tree has exactly the structure of the C text that it prints. machine.py defines the meaning of a tree.

Expressions
    3                            a constant
    "x"                          a variable: a local of the function, else a static of it, else a global
    ("input", n)                 a number from 0 to n - 1 that the environment chooses (n a power of two)
    ("call", "f", e, ...)        a call of a helper function
    ("!", e)  ("?", c, a, b)  (",", a, b)  (operator, a, b)
    ("=", "x", e)  ("+=", "x", e)  ("++x", "x")  ("x++", "x")  ("--x", "x")  ("x--", "x")

Statements
    ("do", e)                    an expression statement
    ("int", "x", e)              a local variable with its initialiser
    ("if", c, [..], [..])  ("while", c, [..])  ("dowhile", [..], c)  ("for", init, c, step, [..])
    ("switch", e, [(constant, [..]), ...], [..])   every group ends in a break
    ("break",)  ("continue",)  ("return", e)  ("exit",)
    ("goto", "L")  ("label", "L")
    ("area", "entry", "exit", [..])                the statements between two labels
    ("lock", "m")  ("unlock", "m")  ("create", i)  ("join", i)    thread i is the i-th of the program
    ("wait", "c", "m")  ("signal", "c")  ("broadcast", "c")       a condition variable
    ("down", "s")  ("up", "s")                                    a semaphore
    ("rdlock", "l")  ("wrlock", "l")  ("rwunlock", "l")           a read-write lock
    ("arrive", "b")                                               a barrier
    ("once", "o", "f")                                            calls f the first time
    ("pollock", "m")  ("spinlock", "x")                           a mutex or a number, acquired by trying repeatedly
    ("await", "L", e)                                             waits while e holds, by a goto to L
    ("either", e, "x", "y", n)                                    writes n to x if e holds, else to y, through a pointer
    ("try", [..], [..])  ("jump",)                setjmp, with the statements after a jump to it; once in main
    ("detach", i)  ("leave",)                                     thread i is never joined; main ends and the others continue
and the expression ("trylock", "m"), which is 0 or EBUSY.
"""

from dataclasses import dataclass, field

COMPOUND = ("+=", "-=", "*=", "^=", "|=", "&=")
STEPS = {"++x": (1, True), "x++": (1, False), "--x": (-1, True), "x--": (-1, False)}


@dataclass
class Predicate:
    """An evaluation function: a pure C function of its parameters."""

    name: str
    params: list
    body: object  # an expression over params
    direct: bool = False  # it reads globals of its parameters' names itself, in branches where its body is a "?"


@dataclass
class Proposition:
    name: str
    default: bool
    predicate: Predicate
    params: list  # "g" or "f::x"
    span: tuple = ("_begin", "_end")
    instances: str = "any"


@dataclass
class Function:
    name: str
    params: list
    body: list
    statics: dict = field(default_factory=dict)
    result: str = "int"


@dataclass
class Program:
    variables: dict = field(default_factory=dict)  # globals and their initial values
    mutexes: list = field(default_factory=list)
    conditions: list = field(default_factory=list)
    semaphores: dict = field(default_factory=dict)  # and their initial values
    rwlocks: list = field(default_factory=list)
    barriers: dict = field(default_factory=dict)  # and how many threads they take
    recursive: list = field(default_factory=list)  # mutexes that their holder may lock again
    onces: list = field(default_factory=list)
    functions: dict = field(default_factory=dict)  # helpers, called by name
    threads: list = field(default_factory=list)  # Functions
    main: Function = None
    propositions: list = field(default_factory=list)
    formula: str = "true"
    input_call: str = "nondet_int"  # read through a mask, or "input", which yields what the spec says
    gotos: bool = False  # endless loops are printed with a label and a goto
    boxes: bool = False  # each round of an endless loop takes memory and gives it back
    alike: bool = False  # main starts its threads, which all do the same, in a loop

    def objects(self):
        """The names of all synchronisation objects, in one order."""
        return [*self.mutexes, *self.conditions, *self.semaphores, *self.rwlocks, *self.barriers, *self.recursive,
                *self.onces]

    def initial(self):
        """Their initial states, in the same order."""
        return (*(False for _ in self.mutexes), *(frozenset() for _ in self.conditions), *self.semaphores.values(),
                *(0 for _ in self.rwlocks), *(frozenset() for _ in self.barriers), *((None, 0) for _ in self.recursive),
                *(0 for _ in self.onces))


def walk(statements):
    """All statements, nested ones included."""
    for s in statements:
        yield s
        parts = [group for _, group in s[2]] + [s[3]] if s[0] == "switch" else [part for part in s[1:] if isinstance(part, list)]
        for part in parts:
            yield from walk(part)


class Printer:
    """Prints a program as C."""

    def __init__(self, program):
        self.program = program
        self.lines = []

    def text(self):
        program = self.program
        headers = ["stdlib.h"] + (["pthread.h"] if program.threads else []) + (["semaphore.h"] if program.semaphores else [])
        self.lines += [f"#include <{header}>" for header in headers] + [""]
        self.lines.append(f"int {program.input_call}(void);")
        if any(s[0] == "try" for s in walk(program.main.body)):
            self.lines[-2:-2] = ["#include <setjmp.h>"]
            self.lines.append("jmp_buf place;")
        self.lines += [f"int {name} = {value};" for name, value in program.variables.items()]
        self.lines += [f"pthread_mutex_t {name} = PTHREAD_MUTEX_INITIALIZER;" for name in program.mutexes]
        self.lines += [f"pthread_cond_t {name} = PTHREAD_COND_INITIALIZER;" for name in program.conditions]
        self.lines += [f"pthread_rwlock_t {name} = PTHREAD_RWLOCK_INITIALIZER;" for name in program.rwlocks]
        self.lines += [f"sem_t {name};" for name in program.semaphores]
        self.lines += [f"pthread_barrier_t {name};" for name in program.barriers]
        self.lines += [f"pthread_mutex_t {name};" for name in program.recursive]
        self.lines += [f"pthread_once_t {name} = PTHREAD_ONCE_INIT;" for name in program.onces]
        for predicate in {p.predicate.name: p.predicate for p in program.propositions}.values():
            params = ", ".join(f"int {name}" for name in predicate.params if not predicate.direct) or "void"
            self.lines.append(f"int {predicate.name}({params}) {{ {self.returned(predicate.body)} }}")
        for function in program.functions.values():
            params = ", ".join(f"int {name}" for name in function.params) or "void"
            self.function(f"{function.result} {function.name}({params})", function, [])
        for function in {f.name: f for f in program.threads}.values():
            self.function(f"void *{function.name}(void *arg)", function, ["(void)arg;"])
        handles = [f"pthread_t id{i};" for i in range(len(program.threads))]
        handles += [f"sem_init(&{name}, 0, {value});" for name, value in program.semaphores.items()]
        handles += [f"pthread_barrier_init(&{name}, NULL, {count});" for name, count in program.barriers.items()]
        if program.recursive:
            handles += ["pthread_mutexattr_t kind;", "pthread_mutexattr_init(&kind);",
                        "pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);"]
            handles += [f"pthread_mutex_init(&{name}, &kind);" for name in program.recursive]
        if program.alike:
            count, name = len(program.threads), program.threads[0].name
            handles = [f"pthread_t id[{count}];", *handles[count:]]
            handles += [f"for (int i = 0; i < {count}; i++) pthread_create(&id[i], NULL, {name}, NULL);"]
            handles += [f"for (int i = 0; i < {count}; i++) pthread_join(id[i], NULL);", "return 0;"]
            self.lines += ["", "int main(void)", "{", *("    " + line for line in handles), "}"]
        else:
            self.function("int main(void)", program.main, handles)
        return "\n".join(self.lines) + "\n"

    def returned(self, e):
        """The return statement of an evaluation, with branches as if statements."""
        if isinstance(e, tuple) and e[0] == "?":
            return f"if ({self.bare(e[1])}) {{ {self.returned(e[2])} }} {self.returned(e[3])}"
        return f"return {self.expression(e)};"

    def function(self, head, function, first):
        self.lines += ["", head, "{"]
        self.lines += [f"    static int {name} = {value};" for name, value in function.statics.items()]
        self.lines += ["    " + line for line in first]
        self.is_thread = function in self.program.threads
        self.block(function.body, 1)
        self.lines.append("}")

    def block(self, statements, depth):
        for statement in statements:
            self.statement(statement, depth)

    def put(self, depth, line):
        self.lines.append("    " * depth + line)

    def braced(self, head, statements, depth, tail="}"):
        self.put(depth, head + " {")
        self.block(statements, depth + 1)
        self.put(depth, tail)

    def statement(self, s, depth):
        kind = s[0]
        if kind == "do":
            self.put(depth, self.bare(s[1]) + ";")
        elif kind == "int":
            self.put(depth, f"int {s[1]} = {self.bare(s[2])};")
        elif kind == "if":
            self.braced(f"if ({self.bare(s[1])})", s[2], depth)
            if s[3]:
                self.lines.pop()
                self.braced("} else", s[3], depth)
        elif kind == "while" and s[1] == 1 and (self.program.gotos or self.program.boxes):
            self.endless(s[2], depth)
        elif kind == "while":
            self.braced(f"while ({self.bare(s[1])})", s[2], depth)
        elif kind == "dowhile":
            self.braced("do", s[1], depth, f"}} while ({self.bare(s[2])});")
        elif kind == "for":
            init, condition, step = s[1], s[2], s[3]
            first = "" if init is None else f"int {init[1]} = {self.bare(init[2])}" if init[0] == "int" else self.bare(init[1])
            condition = "" if condition is None else self.bare(condition)
            step = "" if step is None else self.bare(step)
            self.braced(f"for ({first}; {condition}; {step})", s[4], depth)
        elif kind == "switch":
            self.put(depth, f"switch ({self.bare(s[1])}) {{")
            for constant, group in s[2]:
                self.put(depth, f"case {constant}:")
                self.block(group, depth + 1)
                self.put(depth + 1, "break;")
            self.put(depth, "default:")
            self.block(s[3], depth + 1)
            self.put(depth + 1, "break;")
            self.put(depth, "}")
        elif kind in ("break", "continue"):
            self.put(depth, kind + ";")
        elif kind == "return":
            self.put(depth, "return NULL;" if self.is_thread else f"return {self.bare(s[1])};")
        elif kind == "exit":
            self.put(depth, "exit(0);")
        elif kind == "goto":
            self.put(depth, f"goto {s[1]};")
        elif kind == "label":
            self.put(depth, f"{s[1]}: ;")
        elif kind == "area":
            # A label may not stand before a declaration; elsewhere it marks the statement itself.
            bare = not s[3] or s[3][0][0] in ("int", "area", "label")
            self.put(max(depth - 1, 0), s[1] + ": ;" if bare else s[1] + ":")
            self.block(s[3], depth)
            self.put(max(depth - 1, 0), s[2] + ": ;")
        elif kind in ("lock", "unlock"):
            self.put(depth, f"pthread_mutex_{kind}(&{s[1]});")
        elif kind == "wait":
            self.put(depth, f"pthread_cond_wait(&{s[1]}, &{s[2]});")
        elif kind in ("signal", "broadcast"):
            self.put(depth, f"pthread_cond_{kind}(&{s[1]});")
        elif kind in ("down", "up"):
            self.put(depth, f"sem_{'wait' if kind == 'down' else 'post'}(&{s[1]});")
        elif kind in ("rdlock", "wrlock", "rwunlock"):
            self.put(depth, f"pthread_rwlock_{kind.replace('rwunlock', 'unlock')}(&{s[1]});")
        elif kind == "arrive":
            self.put(depth, f"pthread_barrier_wait(&{s[1]});")
        elif kind == "create":
            self.put(depth, f"pthread_create(&id{s[1]}, NULL, {self.program.threads[s[1]].name}, NULL);")
        elif kind == "join":
            self.put(depth, f"pthread_join(id{s[1]}, NULL);")
        elif kind == "either":
            self.put(depth, f"{{ int *to = {self.bare(s[1])} ? &{s[2]} : &{s[3]}; *to = {s[4]}; }}")
        elif kind == "detach":
            self.put(depth, f"pthread_detach(id{s[1]});")
        elif kind == "leave":
            self.put(depth, "pthread_exit(NULL);")
        elif kind == "once":
            self.put(depth, f"pthread_once(&{s[1]}, {s[2]});")
        elif kind == "pollock":
            self.put(depth, f"while (pthread_mutex_trylock(&{s[1]}) != 0) ;")
        elif kind == "spinlock":
            self.put(depth, f"while (__sync_lock_test_and_set(&{s[1]}, 1)) ;")
        elif kind == "await":
            self.put(depth, f"{s[1]}: if ({self.bare(s[2])}) goto {s[1]};")
        elif kind == "try":
            self.braced("if (setjmp(place) == 0)", s[1], depth, "} else {")
            self.block(s[2], depth + 1)
            self.put(depth, "}")
        elif kind == "jump":
            self.put(depth, "longjmp(place, 1);")
        else:
            raise ValueError(f"no such statement: {kind}")

    def endless(self, body, depth):
        """An endless loop, in the form that the program uses."""
        label = f"again{len(self.lines)}"
        self.put(depth, f"{label}: {{" if self.program.gotos else "while (1) {")
        if self.program.boxes:
            self.put(depth + 1, "int *box = malloc(sizeof *box);")
            self.put(depth + 1, "*box = x;")
        self.block(body, depth + 1)
        if self.program.boxes:
            self.put(depth + 1, "x = *box;")
            self.put(depth + 1, "free(box);")
        if self.program.gotos:
            self.put(depth + 1, f"goto {label};")
        self.put(depth, "}")

    def bare(self, e):
        """An expression in a place that needs no parentheses."""
        text = self.expression(e)
        if isinstance(e, tuple) and e[0] not in ("input", "call", "trylock", "!") and e[0] not in STEPS:
            return text[1:-1]
        return text

    def expression(self, e):
        if isinstance(e, int):
            return str(e) if e >= 0 else f"({e})"
        if isinstance(e, str):
            return e
        kind = e[0]
        if kind == "trylock":
            return f"pthread_mutex_trylock(&{e[1]})"
        if kind == "input":
            call = self.program.input_call
            return f"({call}() & {e[1] - 1})" if call.startswith("nondet") else f"{call}()"
        if kind == "call":
            return f"{e[1]}({', '.join(self.bare_argument(a) for a in e[2:])})"
        if kind == "!":
            return f"!{self.expression(e[1])}"
        if kind == "?":
            return f"({self.expression(e[1])} ? {self.expression(e[2])} : {self.expression(e[3])})"
        if kind in STEPS:
            return kind.replace("x", e[1])
        return f"({self.expression(e[1])} {kind} {self.expression(e[2])})" if kind != "," else (
            f"({self.expression(e[1])}, {self.expression(e[2])})")

    def bare_argument(self, e):
        return self.expression(e) if isinstance(e, tuple) and e[0] == "," else self.bare(e)


def specification(program, inputs=None):
    """The specification of a program in the form of Hetier & Boucheneb 2018, listing 4."""
    spec = {
        "ltl": program.formula,
        "pa": [
            {
                "name": p.name,
                "default": p.default,
                "expr": p.predicate.name,
                "span": list(p.span),
                "params": [] if p.predicate.direct else list(p.params),
                **({"instances": p.instances} if p.instances != "any" else {}),
            }
            for p in program.propositions
        ],
    }
    if inputs:
        spec["inputs"] = inputs
    return spec
