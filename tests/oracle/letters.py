#!/usr/bin/env python3
"""Generates programs whose only run has known letters, as a debugger would see them.

Each case is a program over globals, locals, arrays, structures, unions, bit-fields and pointers to all of them. It is written
twice: plain, with a specification, and as the oracle, in which every write, label and jump is followed by an evaluation of all
propositions of the case. Both are compiled and run; nothing is interpreted. A program consists of several cases that main runs
one after the other, each with its own property.

    tests/oracle/letters.py --seed 1 --count 2 --cases 20 DIR

writes DIR/batch_0/{prog.c,spec.json,oracle.c} and so on. The oracle prints a line for each letter that differs from its
predecessor: the case's number, and the values of its propositions.
"""
import argparse
import json
import os
import random

PRELUDE = """#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct S { int a; short b; unsigned f : 3; int h : 5; int arr[3]; union { int i; char c[4]; } u; };
struct V { int n; int d[]; };
"""

ORACLE = """#define SEEN(look, e) ({ __auto_type seen_ = +(e); look(); seen_; })
"""


def both(plain, oracle):
    return lambda o: oracle if o else plain


class Function:
    """A function of a case: its locals, and the areas in it."""

    def __init__(self, name, locals_, recursive=False):
        self.name, self.locals, self.recursive = name, locals_, recursive
        self.areas = []
        self.labels = 0


class Case:
    def __init__(self, rng, k):
        self.r, self.k = rng, k
        self.g = lambda n: f"c{k}_{n}"
        self.look = f"look_{k}"
        self.props = []  # name, default, function or None, condition with $ before locals, spec keys
        self.functions = []
        self.index = None  # a variable that only a loop's header changes
        self.label_count = 0
        self.around = []  # areas within the statements that a jump out of functions leaves

    # Objects -----------------------------------------------------------------------------------------------------

    def globals_text(self):
        g = self.g
        return (
            f"int {g('g0')}, {g('g1')} = 1, {g('buf')}[4]; static int {g('g2')} = 2, {g('fuel')} = 8;\n"
            f"struct S {g('s0')}, {g('s1')} = {{ .a = 1, .f = 2, .arr = {{ 1, 2, 3 }} }};\n"
            f"int *{g('gp')} = &{g('g0')}; struct S *{g('sp')} = &{g('s0')}; struct V *{g('v')}; static jmp_buf {g('place')};\n"
        )

    def fields(self, s):
        r = self.r
        return r.choice([f"{s}.a", f"{s}.b", f"{s}.f", f"{s}.h", f"{s}.arr[{r.randrange(3)}]", f"{s}.u.i", f"{s}.u.c[{r.randrange(4)}]"])

    def global_lvalue(self):
        r, g = self.r, self.g
        return r.choice(
            [
                lambda: g(r.choice(["g0", "g1", "g2"])),
                lambda: self.fields(g(r.choice(["s0", "s1"]))),
                lambda: f"{g('buf')}[{r.randrange(4)}]",
                lambda: f"(*{g('gp')})",
                lambda: self.fields(f"(*{g('sp')})"),
                lambda: f"{g('sp')}->{r.choice(['a', 'f', 'arr[1]'])}",
                lambda: f"{g('v')}->d[{r.randrange(2)}]",
            ]
        )()

    def addressed(self):
        """A global that a condition reads through its address, even if the program has no pointer to it."""
        r, g = self.r, self.g
        return r.choice(
            [
                f"(*&{g(r.choice(['g0', 'g1', 'g2']))})",
                f"(&{g(r.choice(['g1', 'g2']))})[0]",
                f"((unsigned char *)&{g(r.choice(['g1', 's0', 's1']))})[0]",
                f"(&{g('buf')}[{r.randrange(1, 4)}])[-1]",
                f"(*({g('g2')} > 1 ? &{g('g0')} : &{g('g1')}))",
                f"(*(&{g('s1')}.arr[0] + {r.randrange(3)}))",
            ]
        )

    def local_lvalue(self, mark="", own=False):
        """A local; the address of an `own` one never reaches other code."""
        r = self.r
        if own or r.random() < 0.25:
            return r.choice([f"{mark}w", f"{mark}n", self.fields(f"{mark}q")])
        return r.choice([f"{mark}x", f"{mark}loc[{r.randrange(3)}]", self.fields(f"{mark}t"), f"{mark}st", f"{mark}n"])

    def lvalue(self):
        """An lvalue to be written; the same expression writes no object that the lvalue's text reads."""
        r, g = self.r, self.g
        special = [
            f"(*lp)",
            f"((char *)&{g('g0')})[0]",
            f"(&{g('buf')}[3])[-{r.randrange(1, 4)}]",
            f"({r.randrange(4)}[{g('buf')}])",
            f"(*({g('g2')} > 1 ? &{g('g0')} : &x))",
            f"(*(&{g('s1')}.arr[0] + 1))",
        ]
        if self.index:
            special += [f"{g('buf')}[{self.index} & 3]", f"loc[{self.index} % 3]", f"{g('sp')}->arr[{self.index} % 3]"] * 2
        return r.choice([self.global_lvalue, self.local_lvalue, lambda: r.choice(special)])()

    # Expressions -------------------------------------------------------------------------------------------------

    def pure(self, depth=0):
        r = self.r
        if depth > 1 or r.random() < 0.4:
            return r.choice([str(r.randrange(6)), self.global_lvalue(), self.local_lvalue(), "n"])
        op = r.choice(["+", "-", "==", "<", "!=", "&", "|", "^"])
        return f"({self.pure(depth + 1)} {op} {self.pure(depth + 1)})"

    def write(self, depth=0):
        """An expression that writes."""
        r = self.r
        lv = self.lvalue()
        kind = r.randrange(5)
        if kind == 0:
            op = r.choice(["++", "--"])
            text = r.choice([f"{lv}{op}", f"{op}{lv}"])
            return both(f"{text}", f"SEEN({self.look}, {text})")
        if kind == 1:
            text = f"{lv} {r.choice(['+=', '-=', '|=', '^='])} (({self.pure()}) & 3)"
            return both(f"({text})", f"SEEN({self.look}, {text})")
        e = self.expr(depth + 1)
        return lambda o: f"SEEN({self.look}, {lv} = ({e(o)}) & 7)" if o else f"({lv} = ({e(o)}) & 7)"

    def expr(self, depth=0):
        r = self.r
        if depth > 2 or r.random() < 0.45:
            text = self.pure()
            return both(text, text)
        kind = r.randrange(7)
        if kind == 0:
            return self.write(depth)
        a, b, c = self.expr(depth + 1), self.expr(depth + 1), self.expr(depth + 1)
        if kind == 1:
            return lambda o: f"({a(o)} && {b(o)})"
        if kind == 2:
            return lambda o: f"({a(o)} || {b(o)})"
        if kind == 3:
            return lambda o: f"({a(o)} ? {b(o)} : {c(o)})"
        if kind == 4:
            w = self.write(depth + 1)
            return lambda o: f"({w(o)}, {b(o)})"
        if kind == 5:
            w = self.write(depth + 1)
            return lambda o: f"({{ {w(o)}; {b(o)}; }})"
        return lambda o: f"{self.g('id')}({a(o)})"

    # Statements --------------------------------------------------------------------------------------------------

    def seen(self, text):
        """A statement that has no value, followed by an evaluation of the propositions."""
        return both(text, f"{text} {self.look}();")

    def statement(self, f, depth, loops):
        r, g = self.r, self.g
        roll = r.random()
        if roll < 0.4 or depth > 2:
            w = self.write()
            return lambda o: f"{w(o)};"
        if roll < 0.62:
            return self.whole(f)
        choice = r.choice(["if", "for", "while", "do", "switch", "duff", "block", "leave", "leave", "at", "call"])
        return getattr(self, "s_" + choice)(f, depth, loops)

    def whole(self, f):
        """Writes of whole aggregates, by assignments, library functions and helpers."""
        r, g = self.r, self.g
        s = r.choice([g("s0"), g("s1"), "t", "q", f"*{g('sp')}"])
        other = r.choice([g("s0"), g("s1"), "t"])
        v = r.randrange(6)
        if "q" in (s, other):  # the address of this one stays where it is
            return self.seen(f"{s} = {other};")
        target = r.choice([f"&{g('g0')}", f"&{g('g1')}", "&x", "&st", f"&{g('buf')}[{r.randrange(4)}]", f"&t.arr[{r.randrange(3)}]", f"&{g('s0')}.a", f"&{g('s1')}.arr[1]", g("gp"), "lp"])
        return self.seen(
            r.choice(
                [
                    f"{s} = {other};",
                    f"{s} = (struct S){{ .a = {v}, .f = {v % 8}, .arr = {{ {v}, 1 }} }};",
                    f"{s} = {g('make')}({v});",
                    f"if (&{s.lstrip('*') if s[0] != '*' else '*' + s[1:]} != &{other}) memcpy(&{s}, &{other}, sizeof(struct S));",
                    f"memmove(&{g('buf')}[{r.randrange(2)}], loc, {r.randrange(1, 3)} * sizeof(int));",
                    f"memset({r.choice([f'&{g(chr(115) + chr(48))}', 'loc', g('buf'), '&t'])}, 0, {r.choice(['4', '8', 'sizeof(int)'])});",
                    f"__builtin_memcpy(loc, {g('buf')} + 1, sizeof loc);",
                    f"{g('set')}({target}, {v});",
                    f"{g('fp')}({target}, {v});",
                    f"{g('knr')}({v}, {target});",
                    f"{g('several')}(2, {target}, {v}, &x, {(v + 1) % 6});",
                    f"sscanf(\"{v}\", \"%d\", {target});",
                    f"{g('gp')} = {r.choice(['&' + g('g0'), '&' + g('g1'), '&' + g('buf') + '[2]', '&' + g('s0') + '.a', '&' + g('s1') + '.arr[1]'])};",
                    f"{g('sp')} = &{g(r.choice(['s0', 's1']))};",
                    f"lp = {r.choice(['&x', '&st', '&loc[1]', '&t.a', '&' + g('g1')])};",
                    f"{{ int x = {v}; x++; {g('g0')} = x; }}",
                    f"qsort({g('buf')}, 4, sizeof(int), {g('order')});",
                ]
            )
        )

    def body(self, f, depth, loops, size=None):
        """Statements, often with an area among them."""
        r = self.r
        parts = [self.statement(f, depth, loops) for _ in range(size or r.randrange(1, 4))]
        if depth == 0 and f.name == self.g("top"):
            parts.insert(r.randrange(len(parts)), self.s_far(f))
        wanted = [p for p in self.props if p["function"] is f and p["kind"] == "span" and "placed" not in p]
        if wanted and len(parts) > 1 and (depth == 0 or r.random() < 0.5):
            p = wanted[0]
            p["placed"] = True
            first = r.randrange(len(parts) - 1)
            last = r.randrange(first + 1, len(parts) + 1)
            i = p["index"]
            begin, end = p["labels"]
            parts.insert(last, both(f"{end}: ;", f"F.in[{i}] = 0; {self.look}();"))
            parts.insert(first, both(f"{begin}: ;", f"F.in[{i}] = 1; {self.look}();"))
            for loop in loops + self.around:
                loop.append(i)
        return lambda o: " ".join(p(o) for p in parts)

    def fresh(self, f):
        self.label_count += 1
        return f"i{self.label_count}"

    def s_if(self, f, depth, loops):
        c, a = self.expr(), self.body(f, depth + 1, loops)
        b = self.body(f, depth + 1, loops) if self.r.random() < 0.5 else None
        return lambda o: f"if ({c(o)}) {{ {a(o)} }}" + (f" else {{ {b(o)} }}" if b else "")

    def s_for(self, f, depth, loops):
        i, saved, inside = self.fresh(f), self.index, []
        self.index = i
        a = self.body(f, depth + 1, loops + [inside])
        self.index = saved
        n = self.r.randrange(1, 4)
        return lambda o: f"for (int {i} = 0; {i} < {n}; {i}++) {{ {a(o)} }}"

    def s_while(self, f, depth, loops):
        i, inside = self.fresh(f), []
        c, a = self.expr(), self.body(f, depth + 1, loops + [inside])
        return lambda o: f"{{ int {i} = 0; while ({i}++ < 3 && ({c(o)})) {{ {a(o)} }} }}"

    def s_do(self, f, depth, loops):
        i, inside = self.fresh(f), []
        w, a = self.write(), self.body(f, depth + 1, loops + [inside])
        return lambda o: f"{{ int {i} = 0; do {{ {a(o)} }} while (({w(o)}, ++{i}) < 2); }}"

    def s_switch(self, f, depth, loops):
        c = self.expr()
        parts = [self.body(f, 3, loops, 1) for _ in range(3)]
        breaks = [self.r.choice([" break;", ""]) for _ in range(3)]
        def text(o):
            arms = "".join(f" {l} {p(o)}{b}" for l, p, b in zip(["case 0:", "default:", "case 1 ... 2:"], parts, breaks))
            return f"switch (({c(o)}) & 3) {{{arms} }}"
        return text

    def s_duff(self, f, depth, loops):
        i = self.fresh(f)
        w = [self.write() for _ in range(3)]
        e = self.pure()
        return lambda o: (
            f"{{ int {i} = 2; switch (({e}) & 3) {{ case 0: do {{ {w[0](o)}; case 1: {w[1](o)}; case 2: {w[2](o)}; "
            f"default: ; }} while (--{i} > 0); }} }}"
        )

    def s_block(self, f, depth, loops):
        a = self.body(f, depth + 1, loops)
        return lambda o: f"{{ {a(o)} }}"

    def s_leave(self, f, depth, loops):
        """A jump out of areas: out of the loop's body, or out of the whole function."""
        r, c = self.r, self.expr()
        if r.random() < (0.9 if depth == 0 else 0.4):
            seldom = c
            c = lambda o: f"({seldom(o)}) == 5"
        kind = r.choice(["return", "goto"] + ["break", "continue"] * 2 * bool(loops) + ["far"] * 4 * (f is self.mid))
        if kind in ("break", "continue"):
            inside = loops[-1]
            jump = f"{kind};"
        else:
            inside = f.areas
            jump = {"return": "return n;", "goto": "goto out;", "far": f"longjmp({self.g('place')}, 2);"}[kind]
        def text(o):
            if not o:
                return f"if ({c(o)}) {jump}"
            closed = "".join(f"F.in[{i}] = 0; " for i in inside)
            if kind == "far":
                closed += "F.in[0] = 0; " + "".join(f"F.up->in[{i}] = 0; " for i in self.left_far)
                return f"if ({c(o)}) {{ {closed}{self.look}(); frames_{self.k} = F.up; {jump} }}"
            if kind == "return":
                closed += "F.in[0] = 0; "
                return f"if ({c(o)}) {{ int r_ = n; {closed}{self.look}(); frames_{self.k} = F.up; return r_; }}"
            return f"if ({c(o)}) {{ {closed}{self.look}(); {jump} }}"
        return text

    def s_at(self, f, depth, loops):
        """A label without braces around it; sometimes a proposition is evaluated at it."""
        w, c = self.write(), self.expr()
        wanted = [p for p in self.props if p["function"] is f and p["kind"] == "at" and "placed" not in p]
        if not wanted:
            return lambda o: f"if ({c(o)}) {w(o)};"
        p = wanted[0]
        p["placed"] = True
        i = p["index"]
        return lambda o: (
            f"if ({c(o)}) {{ F.in[{i}] = 1; {self.look}(); F.in[{i}] = 0; {self.look}(); {w(o)}; }}"
            if o
            else f"if ({c(o)}) {p['labels'][0]}: {w(o)};"
        )

    def s_call(self, f, depth, loops):
        if f.recursive:
            call = f"if ({self.g('fuel')}-- > 0) {f.name}(n - 1, &x);"
        else:
            call = f"{self.g('rec')}({self.r.randrange(3)}, {self.r.choice(['&x', '&' + self.g('g1'), 'lp'])});"
        return both(call, call)

    def s_far(self, f):
        """The only setjmp, in `top`."""
        self.around.append(self.left_far)
        a = self.body(f, 1, [], 2)
        self.around.pop()
        b = self.body(f, 1, [])
        call = f"{self.g('mid')}({self.r.randrange(4)}, &x);"
        return lambda o: f"if (!setjmp({self.g('place')})) {{ {call} {a(o)} {call} }} else {{ {b(o)} }}"

    # Functions ---------------------------------------------------------------------------------------------------

    def function(self, f):
        body = self.body(f, 0, [], self.r.randrange(6, 14))
        # Areas and labels that were not placed so far are put at the end, around one statement.
        rest = []
        for p in self.props:
            if p["function"] is f and p["kind"] in ("span", "at") and "placed" not in p:
                w, i = self.write(), p["index"]
                if p["kind"] == "at":
                    p["kind"] = "span"
                    p["spec"].pop("at", None)
                    p["spec"]["span"] = p["labels"]
                begin, end = p["labels"]
                rest.append(both(f"{begin}: ;", f"F.in[{i}] = 1; {self.look}();"))
                rest.append(lambda o, w=w: f"{w(o)};")
                rest.append(both(f"{end}: ;", f"F.in[{i}] = 0; {self.look}();"))
        declared = "int x = n & 7, w = n & 3, loc[3] = { 1, 2, 3 }; struct S t = { .a = 2 }, q = { .a = 1 }; static int st = 1; int *lp = p;"
        k = self.k
        def text(o):
            inner = body(o) + " " + " ".join(s(o) for s in rest)
            if not o:
                return f"int {f.name}(int n, int *p) {{ {declared} {inner} goto out; out: return n; }}\n"
            frame = f"struct frame F = {{ .of = {self.functions.index(f)}, .in = {{ 1 }}, .x = &x, .loc = loc, .t = &t, .st = &st, .n = &n, .w = &w, .q = &q, .up = frames_{k} }}; frames_{k} = &F; {self.look}();"
            end = f"F.in[0] = 0; {self.look}(); frames_{k} = F.up; return n;"
            return f"int {f.name}(int n, int *p) {{ {declared} {frame} {inner} goto out; out: {end} }}\n"
        return text

    def proposition(self, number):
        r, g = self.r, self.g
        value = r.choice(["& 1", "& 1", "& 2", "!= 0", "== 1", "> 1", "<= 2"])
        name = f"p{self.k}_{number}"
        kind = "whole" if number == 0 else r.choice(["whole", "span", "span", "span", "at", "function"])
        function = None if kind == "whole" else r.choice(self.functions)
        lv = self.global_lvalue() if kind == "whole" or r.random() < 0.3 else self.local_lvalue("$", function.recursive)
        if kind == "whole" and r.random() < 0.3:
            lv = self.addressed()
        if value[0] == "&":
            lv = f"({lv} {value})"
            value = "!= 0"
        if kind == "function" and "$" in lv:
            lv, value = "$n", "> 1"  # where a function begins, only its parameters are known
        condition = f"{lv} {value}"
        # With several activations, a proposition reads its own locals only, or globals only.
        if kind != "whole" and not function.recursive and r.random() < 0.3:
            condition = f"{condition} && {self.global_lvalue()} != 3"
        p = {"name": name, "kind": kind, "function": function, "default": r.random() < 0.3, "condition": condition, "index": number + 1}
        written = condition.replace("$", f"{function.name}::" if function else "")
        p["spec"] = {"name": name, "default": p["default"], "cond": written}
        p["labels"] = [f"b{self.k}_{number}", f"e{self.k}_{number}"]
        if kind == "whole":
            p["spec"]["span"] = ["_begin", "_end"]
        elif kind == "span":
            p["spec"]["span"] = p["labels"]
            function.areas.append(number + 1)
        elif kind == "at":
            p["spec"]["at"] = p["labels"][0]
        else:
            p["spec"]["function"] = function.name
            p["index"] = 0
        self.props.append(p)

    def value(self, p):
        """The proposition in the oracle."""
        default = int(p["default"])
        own = p["condition"].replace("$t", "(*f->t)").replace("$x", "(*f->x)").replace("$st", "(*f->st)").replace("$loc", "f->loc").replace("$n", "(*f->n)").replace("$w", "(*f->w)").replace("$q", "(*f->q)")
        if f"{self.g('v')}->" in own:
            own = f"({self.g('v')} ? ({own}) : {default})"
        if p["kind"] == "whole":
            return f"now[n++] = '0' + !!({own});"
        return (
            f"{{ int v = {default}; for (struct frame *f = frames_{self.k}; f; f = f->up) if (f->of == {self.functions.index(p['function'])} && f->in[{p['index']}] && !!({own}) != {default}) v = !{default}; now[n++] = '0' + v; }}"
        )

    def texts(self):
        g, k = self.g, self.k
        rec, self.mid, top = Function(g("rec"), [], True), Function(g("mid"), []), Function(g("top"), [])
        self.functions = [rec, self.mid, top]
        self.left_far = []
        for number in range(self.r.randrange(2, 5)):
            self.proposition(number)
        functions = [self.function(rec), self.function(self.mid), self.function(top)]
        helpers = (
            f"static int {g('id')}(int a) {{ return a; }}\n"
            f"static int {g('order')}(const void *a, const void *b) {{ return *(const int *)a - *(const int *)b; }}\n"
            f"static inline struct S {g('make')}(int a) {{ return (struct S){{ .a = a, .b = 1, .h = -a, .u = {{ .c = {{ a }} }} }}; }}\n"
        )
        def writers(o):
            seen = lambda e: f"{{ {e}; {self.look}(); }}" if o else f"{e};"
            return (
                f"static void {g('set')}(int *p, int v) {{ {seen('*p = v & 7')} }}\n"
                f"static void (*{g('fp')})(int *, int) = {g('set')};\n"
                f"static void {g('knr')}(v, p) int v; int *p; {{ {seen('p[0] = v')} {seen('*p += 1')} }}\n"
                f"static void {g('several')}(int n, ...) {{ va_list ap; va_start(ap, n); while (n-- > 0) {{ int *p = va_arg(ap, int *); {seen('*p = va_arg(ap, int)')} }} va_end(ap); }}\n"
            )
        allocate = both(
            f"{g('v')} = malloc(sizeof(struct V) + 2 * sizeof(int)); {g('v')}->n = 2; {g('v')}->d[0] = 1; {g('v')}->d[1] = 2;",
            f"{{ struct V *made = calloc(1, sizeof(struct V) + 2 * sizeof(int)); {g('v')} = made; {self.look}(); made->n = 2; made->d[0] = 1; {self.look}(); made->d[1] = 2; {self.look}(); }}",
        )
        allocate = both(allocate(False).replace("malloc(", "calloc(1, "), allocate(True))
        call = f"{allocate(False)} {g('top')}(2, &{g('g1')}); {g('top')}(1, {g('buf')});"
        # The placement of areas is known only after the functions are generated.
        plain = self.globals_text() + helpers + writers(False) + "".join(f(False) for f in functions)
        values = " ".join(self.value(p) for p in self.props)
        look = (
            f"static struct frame *frames_{k};\nstatic void {self.look}(void) {{ static char last[32]; char now[32]; int n = 0; {values} now[n] = 0; "
            f"if (strcmp(now, last)) printf(\"{k} %s\\n\", now); strcpy(last, now); }}\n"
        )
        oracle = self.globals_text() + look + helpers + writers(True) + "".join(f(True) for f in functions)
        return plain, oracle, call, allocate(True) + call[len(allocate(False)):]

    def property(self):
        formula = " | ".join(p["name"] for p in self.props)
        return {"name": f"case{self.k}", "ltl": f"G F ({formula})"}


def batch(seed, cases):
    rng = random.Random(seed)
    all_ = [Case(rng, k) for k in range(cases)]
    texts = [c.texts() for c in all_]
    plain = PRELUDE + "".join(t[0] for t in texts) + "int main(void) { " + "\n".join(t[2] for t in texts) + " return 0; }\n"
    frame = "struct frame { int of; int in[8]; int *x, *loc, *st, *n, *w; struct S *t, *q; struct frame *up; };\n"
    looks = " ".join(f"{c.look}();" for c in all_)
    oracle = PRELUDE + ORACLE + frame + "".join(t[1] for t in texts) + f"int main(void) {{ {looks}\n" + "\n".join(t[3] for t in texts) + " return 0; }\n"
    spec = {"properties": [c.property() for c in all_], "pa": [p["spec"] for c in all_ for p in c.props]}
    return plain, oracle, spec


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1, help="programs")
    parser.add_argument("--cases", type=int, default=20, help="cases in each")
    parser.add_argument("dir")
    args = parser.parse_args()
    for i in range(args.count):
        plain, oracle, spec = batch(args.seed * 1000 + i, args.cases)
        at = os.path.join(args.dir, f"batch_{i}")
        os.makedirs(at, exist_ok=True)
        for name, text in [("prog.c", plain), ("oracle.c", oracle), ("spec.json", json.dumps(spec, indent=1))]:
            with open(os.path.join(at, name), "w", encoding="utf-8") as file:
                file.write(text)


if __name__ == "__main__":
    main()
