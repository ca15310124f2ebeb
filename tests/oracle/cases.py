"""The programs of spec-examples, written a second time as trees, so that the oracle can compute their verdicts.

Output, sleeping and the pthread_t handles are left out: they do not affect the verdicts. The specifications are read
from spec-examples; only the evaluation functions are repeated.
"""

import json
from pathlib import Path

from lang import Function, Predicate, Program, Proposition

EXAMPLES = Path(__file__).resolve().parents[2] / "spec-examples"

EVALUATIONS = {
    "is_set": (["flag"], ("!=", "flag", 0)),
    "below_three": (["energy"], ("<", "energy", 3)),
    "below_five": (["energy"], ("<", "energy", 5)),
    "is_red": (["status"], ("==", "status", 0)),
    "is_orange": (["status"], ("==", "status", 1)),
    "is_green": (["status"], ("==", "status", 2)),
    "is_open": (["door"], (">", "door", 0)),
    "is_moving": (["speed"], ("!=", "speed", 0)),
    "is_negative": (["count"], ("<", "count", 0)),
    "first_leads": (["points"], ("==", "points", 10)),
    "f_ev": ([], 1),
    "yes": ([], 1),
    "sum_is": (["i", "j"], ("==", ("+", "i", "j"), 6)),
    "is_six": (["j"], ("==", "j", 6)),
    "{s == 0}": (["s"], ("==", "s", 0)),
    "{s == 1}": (["s"], ("==", "s", 1)),
    "{p == 1}": (["p"], ("==", "p", 1)),
    "{q == 1}": (["q"], ("==", "q", 1)),
    # A counter from 0 to 12; conditions with % are written without division: by bits, or as lists of multiples.
    "{i % 2}": (["i"], ("&", "i", 1)),
    "{i % 2 == 0}": (["i"], ("==", ("&", "i", 1), 0)),
    "{i % 3 == 0}": (["i"], ("||", ("||", ("==", "i", 0), ("==", "i", 3)), ("||", ("==", "i", 6),
                                   ("||", ("==", "i", 9), ("==", "i", 12))))),
    "{looking}": (["looking"], "looking"),
    "{done}": (["done"], "done"),
    "{i + j == count}": (["i", "j"], ("==", ("+", "i", "j"), 6)),
    "{j == 6}": (["j"], ("==", "j", 6)),
}

RETURN = ("return", 0)


def threaded(first, *routines, joined=None):
    """Threads that main starts after `first`, and joins (all, or those in `joined`)."""
    threads = [Function(name, [], body) for name, body in routines]
    joined = range(len(threads)) if joined is None else joined
    starts = [("create", i) for i in range(len(threads))]
    main = Function("main", [], [*first, *starts, *[("join", i) for i in joined], RETURN])
    return {"threads": threads, "main": main}


def sequential(*body):
    return {"main": Function("main", [], [*body, RETURN])}


def rounds(count, body):
    return ("for", ("int", "round", 0), ("<", "round", count), ("x++", "round"), body)


def answer(right):
    request = ("area", "begin_request", "end_request", [("do", ("=", "request", 1))])
    signal = ("unlock", "ready")
    server = [("lock", "ready"), ("area", "begin_answer", "end_answer", [("if", "request", [("do", ("=", "answer", 1))], [])])]
    return Program(variables={"request": 0, "answer": 0}, mutexes=["ready"], **threaded(
        [("lock", "ready")], ("server", server), ("client", [request, signal] if right else [signal, request])))


def battery_simple():
    return Program(variables={"battery1": 5, "battery2": 6}, **threaded(
        [],
        ("drone1", [("while", (">", "battery1", 1), [("do", ("x--", "battery1"))])]),
        ("drone2", [("while", (">", "battery2", 2), [("do", ("-=", "battery2", 1))])])))


def battery_var():
    def drone(number, full, low):
        flight = [("while", (">", "energy", low), [("do", ("x--", "energy"))])]
        mission = [("do", ("=", "energy", full)), ("area", f"takeoff{number}", f"landed{number}", flight)]
        return f"drone{number}", [("int", "energy", 0), rounds(2, mission)]

    return Program(**threaded([], drone(1, 4, 2), drone(2, 6, 4)))


def crossing(endless):
    def light(number, own, other):
        body = [("lock", own), *[("do", ("=", "status", s)) for s in (2, 1, 0)], ("unlock", other)]
        loop = ("while", 1, body) if endless else rounds(2, body)
        return f"signal{number}", [("int", "status", 0), ("area", f"begin{number}", f"end{number}", [loop])]

    return Program(mutexes=["turn1", "turn2"], **threaded(
        [("lock", "turn2")], light(1, "turn1", "turn2"), light(2, "turn2", "turn1")))


def prod_cons(locked):
    def guarded(body):
        return [("lock", "store"), *body, ("unlock", "store")] if locked else body

    def consumer(number):
        take = [("if", (">", "items", 0), [("do", ("x--", "items"))], [])]
        return f"consumer{number}", [("while", 1, guarded([("area", f"take{number}", f"taken{number}", take)]))]

    return Program(variables={"items": 0}, mutexes=["store"], **threaded(
        [], consumer(1), consumer(2), ("producer", [rounds(5, guarded([("do", ("x++", "items"))]))]), joined=[2]))


def race(fair):
    def player(number, points):
        body = [("do", ("=", "f", 1)), ("do", ("=", "score", points))]
        body = [("lock", "line"), *body, ("unlock", "line")] if fair else body
        return f"player{number}", [("int", "f", 0), ("area", f"start{number}", f"finish{number}", body)]

    return Program(variables={"score": 0}, mutexes=["line"], **threaded([], player(1, 10), player(2, -10)))


def mutual_exclusion(protected):
    def thread(number):
        work = [("area", f"b_p{number}", f"e_p{number}", [("do", ("+=", "p", 1))])]
        return f"thread{number}", [rounds(2, [("lock", "lock"), *work, ("unlock", "lock")])] if protected else work

    return Program(variables={"p": 0}, mutexes=["lock"], **threaded([], thread(1), thread(2)))


def lift():
    drive = [("do", ("=", "speed", 1)), ("do", ("x++", "floor_now")), ("do", ("=", "speed", 0))]
    motor = ("while", ("<", "floor_now", 2), [("lock", "cabin"), *drive, ("unlock", "cabin")])
    visit = [("do", ("=", "door", 100)), ("do", ("=", "door", 0))]
    door = rounds(2, [("lock", "cabin"), *visit, ("unlock", "cabin")])
    return Program(variables={"floor_now": 0}, mutexes=["cabin"], **threaded(
        [], ("motor", [("int", "speed", 0), ("area", "begin_motor", "end_motor", [motor])]),
        ("door_keeper", [("int", "door", 0), ("area", "begin_door", "end_door", [door])])))


def loop_of(*values, before=()):
    change = [("do", ("=", "s", v)) for v in values]
    return Program(variables={"s": 0}, **sequential(*[("do", ("=", "s", v)) for v in before], ("while", 1, change)))


def choice(q, back=True):
    first = [("if", ("input", 2), [("do", ("=", "p", 0))], [])] if back else []
    return Program(variables={"p": 0, "q": q}, **sequential(
        ("do", ("=", "p", 1)), *first, ("if", ("input", 2), [("do", ("=", "q", 1))], [])))


def guarded_sum():
    body = [("do", ("=", "looking", 0)), ("do", ("x--", "i")), ("do", ("x++", "j")), ("do", ("=", "looking", 1))]
    return Program(variables={"i": 6, "j": 0, "looking": 1, "done": 0}, **sequential(
        ("while", "i", body), ("do", ("=", "done", 1))))


def asserted_sum():
    body = [("do", ("x--", "i")), ("do", ("x++", "j")), ("area", "b_sum", "e_sum", [])]
    return Program(**sequential(
        ("int", "i", 6), ("int", "j", 0), ("area", "b_loop", "e_loop", [("while", "i", body)]),
        ("area", "b_done", "e_done", [("int", "status", 0)])))


PROGRAMS = {
    "answer/answer_simple.c": lambda args: answer(False),
    "answer/answer_simple_valid.c": lambda args: answer(True),
    "battery/battery_simple.c": lambda args: battery_simple(),
    "battery/battery_var.c": lambda args: battery_var(),
    "crossing/crossing.c": lambda args: crossing("-DENDLESS" in args),
    "prod_cons/prod_cons_mutex.c": lambda args: prod_cons(True),
    "prod_cons/prod_cons_simple.c": lambda args: prod_cons(False),
    "make_demo/lift.c": lambda args: lift(),
    "race/race.c": lambda args: race("-DFAIR" in args),
    "mutual_exclusion/protected.c": lambda args: mutual_exclusion(True),
    "mutual_exclusion/unprotected.c": lambda args: mutual_exclusion(False),
    "morse_loops/p1.c": lambda args: loop_of(("-", 1, "s")),
    "morse_loops/p2.c": lambda args: loop_of(1, 0),
    "morse_loops/p3.c": lambda args: loop_of(0, 1, before=[1]),
    "morse_choice/q.c": lambda args: choice(0),
    "morse_choice/q_prime.c": lambda args: choice(1),
    "morse_choice/q_second.c": lambda args: choice(0, back=False),
    "morse_counter/counter.c": lambda args: Program(
        variables={"i": 0}, **sequential(("while", 1, [("do", ("x++", "i"))]))),
    "morse_figure4/guarded.c": lambda args: guarded_sum(),
    "morse_figure4/asserted.c": lambda args: asserted_sum(),
}


def attach(program, spec):
    """Adds the formula and the propositions of a specification to a program, atoms in braces included."""
    import ltl

    program.formula = spec["ltl"]
    for p in spec["pa"]:
        predicate = Predicate(p["expr"], *EVALUATIONS[p["expr"]])
        program.propositions.append(Proposition(p["name"], p["default"], predicate, p["params"], tuple(p["span"])))
    for atom in sorted(ltl.propositions(ltl.parse(spec["ltl"]))):
        if atom.startswith("{"):
            params, body = EVALUATIONS[atom]
            program.propositions.append(Proposition(atom, False, Predicate("atom", params, body), params))


def runs():
    """Every run of every example: (its name, its expectation, the program as a tree, bounds by function)."""
    for listing in sorted(EXAMPLES.glob("*/expected.json")):
        for run in json.loads(listing.read_text(encoding="utf-8"))["runs"]:
            args = run.get("args", [])
            (source,) = run["program"]
            key = f"{listing.parent.name}/{source}"
            if key not in PROGRAMS:
                continue  # it uses what the little language cannot say
            program = PROGRAMS[key](args)
            attach(program, json.loads((listing.parent / run["spec"]).read_text(encoding="utf-8")))
            bounds = [b.rpartition(":") for a, b in zip(args, args[1:]) if a == "--unwindset"]
            yield run["name"], run, program, {name: int(k) for name, _, k in bounds}
