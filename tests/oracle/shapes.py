"""Equivalent texts for a program: its variables stored in structures, in arrays, behind a pointer or in a narrow type; its
endless loop made by a goto, or in a function of its own; save points that the specification names.
"""

import re


def renamed(text, names):
    return re.sub(r"\b(" + "|".join(names) + r")\b", lambda m: names[m.group()], text)


def stored(rng, text, spec, variables):
    """Stores the globals of `variables` elsewhere; each of their declarations is one line."""
    style = rng.choice(["struct", "array", "nested", "narrow", "index", "pointer"])
    values = {}
    for name in variables:
        declared = re.search(rf"^int {name} = (\d+);\n", text, re.M)
        values[name] = declared.group(1)
        text = text.replace(declared.group(), "@\n" if len(values) == 1 else "", 1)
    first, second = variables
    one, two = values[first], values[second]
    places, declaration = {
        "struct": ({first: f"st.{first}", second: f"st.{second}"}, f"struct {{ int {first}; int {second}; }} st = {{ {one}, {two} }};\n"),
        "array": ({first: "ar[0]", second: "ar[2]"}, f"int ar[3] = {{ {one}, 0, {two} }};\n"),
        "nested": ({first: "ns[1].in.v", second: "ns[0].in.v"},
                   f"struct {{ struct {{ char pad; int v; }} in; }} ns[2] = {{ {{ {{ 0, {two} }} }}, {{ {{ 0, {one} }} }} }};\n"),
        "narrow": ({}, f"unsigned char {first} = {one};\nshort {second} = {two};\n"),
        "index": ({first: "ar[at]", second: "ar[1 - at]"}, f"int at = 1, ar[2] = {{ {two}, {one} }};\n"),
        "pointer": ({first: "(*to)"}, f"int {first} = {one};\nint {second} = {two};\nint *to = &{first};\n"),
    }[style]
    # The objects that a proposition reads are written without a choice.
    read = {"index": {first: "ar[1]", second: "ar[0]"}, "pointer": {}}.get(style, places)
    head, _, rest = text.partition("@\n")
    if places:
        rest = renamed(rest, places)
    for proposition in spec["pa"]:
        proposition["params"] = [read.get(p, p) for p in proposition["params"]]
    return style, head + declaration + rest


def endless(rng, text, spec):
    """Rewrites the loop of main, which is `while (1)` or `for (;…;…)`, in another form."""
    found = re.search(r"^    while \(1\) \{\n(.*?)^    \}\n", text, re.M | re.S)
    if not found or re.search(r"\bcontinue;|\bbreak;", found.group(1)):
        return None, text
    style = rng.choice(["goto", "label", "labels", "breaks"])
    body = found.group(1)
    if style == "goto":
        made = "again: ;\n    {\n" + body + "    }\n    goto again;\n"
    elif style == "breaks":
        made = "    do {\n" + body + "    if (!loops()) break;\n    } while (loops());\n"
        text = text.replace("int nondet_int(void);\n", "int nondet_int(void);\nint loops(void) { return 1; }\n", 1)
        found = re.search(r"^    while \(1\) \{\n(.*?)^    \}\n", text, re.M | re.S)
    else:
        labels = ["first_save"] + (["second_save"] if style == "labels" else [])
        made = "    while (1) {\n    first_save: ;\n" + body + ("    second_save: ;\n" if style == "labels" else "") + "    }\n"
        spec["lasso"] = {"at": labels}
    return style, text[:found.start()] + made + text[found.end():]


def other(rng, text, spec, expected):
    """A program, its specification and the expected result, in another shape."""
    if rng.random() < 0.6:
        style, text = stored(rng, text, spec, ["a", "b"])
        expected["features"].append(style)
    if rng.random() < 0.5:
        style, text = endless(rng, text, spec)
        if style:
            expected["features"].append(style)
        if style in ("goto", "breaks"):
            # The iteration in which a run is cut may differ by one.
            expected["verdict"] = None
    return text, spec, expected
