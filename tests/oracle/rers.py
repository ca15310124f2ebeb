"""Event-condition-action programs of the shape of the 2012 challenge's problems: several variables of two to five values, and
guards that ignore a variable or accept several of its values, so that a rule serves many states and most reachable states
were not listed explicitly. Every state is reached within some ten inputs; few states fail, and from all others a run can
continue for ever.
"""


def generate(rng, make, inputs, outputs, sizes):
    """A program made by `make(names, start, errors, rules)`. `sizes` has `states`, the wanted number of states before guards
    overlap, `rules` and `errors`, the wanted numbers in the text, `depth`, the number of inputs that reach every state, and `narrow`, whether each part
    of the machine has few letters, so that more formulas hold."""
    while True:
        program = attempt(rng, make, inputs, outputs, sizes)
        if program:
            return program


def attempt(rng, make, inputs, outputs, sizes):
    count = rng.randint(4, 8)
    names = [f"a{n}" for n in rng.sample(range(30), count)]
    values = [rng.sample(range(0, 20), rng.choice([2, 2, 3, 4, 5])) for _ in names]
    some = lambda: tuple(rng.choice(v) for v in values)
    start = some()
    codes = [start]
    while len(codes) < sizes["states"]:
        code = list(rng.choice(codes))
        for at in rng.sample(range(count), rng.randint(1, 2)):
            code[at] = rng.choice(values[at])
        if tuple(code) not in codes:
            codes.append(tuple(code))
    rules = []
    # The machine goes through parts with inputs and outputs of their own: otherwise it would violate nearly every formula.
    few = lambda values: rng.sample(values, rng.randint(len(values) // 2, len(values) - 1))
    if sizes.get("narrow"):
        few = lambda values: rng.sample(values, rng.randint(max(1, len(values) // 4), len(values) // 2))
    parts = [(few(inputs), few(outputs)) for _ in range(4)]
    answers = {(part, value): rng.sample(parts[part][1], min(2, len(parts[part][1]))) for part in range(4) for value in inputs}
    for number, code in enumerate(codes):
        part = number * 4 // len(codes)
        near = [c for n, c in enumerate(codes) if part <= n * 4 // len(codes) <= part + (rng.random() < 0.2)]
        for value in parts[part][0]:
            if rng.random() < 0.7:
                rules.append(rule(rng, code, value, rng.choice(near), values, answers[part, value]))
    rng.shuffle(rules)
    program = alive(rng, make, names, start, [], rules, values, inputs, outputs)
    depths = explored(program, inputs) if program else {}
    if not depths or max(depths.values()) > sizes["depth"] or not sizes["states"] // 3 <= len(depths) <= 3 * sizes["states"]:
        return None
    deep = sorted(state for state, depth in depths.items() if depth >= 3)
    failing = rng.sample(deep, min(len(deep), 1 + len(depths) // 14))
    errors = [tuple((at, (v,), True) for at, v in enumerate(state)) for state in failing]
    while len(errors) < sizes["errors"]:
        unreal = some()
        if unreal not in depths:
            errors.append(tuple((at, (v,), True) for at, v in enumerate(unreal)))
    rng.shuffle(errors)
    labelled = [(guard, f"error_{n}" if n else "globalError") for n, guard in enumerate(errors)]
    padding = []
    while len(rules) + len(padding) < sizes["rules"]:
        unreal = some()
        if unreal not in depths:
            padding.append(exact(rng, unreal, rng.choice(inputs), some(), outputs))
    rules = program.rules + padding
    rng.shuffle(rules)
    return alive(rng, make, names, start, labelled, rules, values, inputs, outputs)


def rule(rng, code, value, target, values, outputs):
    """A rule for a state, and for the similar states that its guard also accepts."""
    guard = []
    for at, v in enumerate(code):
        chance = rng.random()
        others = [o for o in values[at] if o != v]
        if chance < 0.7:
            guard.append((at, (v,), True))
        elif chance < 0.8:
            guard.append((at, (rng.choice(others),), False))
        else:
            guard.append((at, tuple(sorted([v, *rng.sample(others, rng.randint(1, len(others)))])), True))
    rng.shuffle(guard)
    return (tuple(guard), value, tuple((at, v) for at, v in enumerate(target) if v != code[at]), rng.choice(outputs))


def exact(rng, code, value, target, outputs):
    guard = tuple((at, (v,), True) for at, v in enumerate(code))
    return (guard, value, tuple((at, v) for at, v in enumerate(target) if v != code[at]), rng.choice(outputs))


def explored(program, inputs):
    """The least number of inputs that reach each state."""
    depths, frontier = {program.start: 0}, [program.start]
    while frontier and len(depths) < 2000:
        following = []
        for state in frontier:
            for value in inputs:
                result = program.step(state, value)
                if result[0] == "ok" and result[2] > 0 and result[1] not in depths:
                    depths[result[1]] = depths[state] + 1
                    following.append(result[1])
        frontier = following
    return depths


def alive(rng, make, names, start, errors, rules, values, inputs, outputs):
    """The program with an additional rule for each state, other than failing ones, in which a run would end; None if this never
    succeeds."""
    rules = list(rules)
    for _ in range(30):
        program = make(names, start, errors, rules)
        depths = explored(program, inputs)
        failing = {state for state in depths if program.step(state, inputs[0])[0] == "error"}
        if start in failing or len(depths) >= 2000:
            return None
        good = sorted(set(depths) - failing)
        stuck = [s for s in good if not any(goes_on(program.step(s, value), failing) for value in inputs)]
        if not stuck:
            return program
        for state in stuck:
            refused = [v for v in inputs if program.step(state, v)[2] < 0] or inputs
            near = [s for s in good if depths[s] <= depths[state]]
            rules.insert(0, exact(rng, state, rng.choice(refused), rng.choice(near), outputs))
    return None


def goes_on(result, failing):
    return result[0] == "ok" and result[2] > 0 and result[1] not in failing
