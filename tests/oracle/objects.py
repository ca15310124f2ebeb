"""Programs that store and read structures, unions and arrays in many ways: by members, through pointers, byte by byte, and as wholes.

What a program computes is told by its execution, so the reference is the compiler. Model checkers lay objects out themselves.
"""

import argparse
import os
import random

INTEGERS = ["unsigned char", "signed char", "unsigned short", "short", "unsigned", "int", "unsigned long", "long long"]
# Around 64 elements CBMC begins to treat arrays as wholes.
LENGTHS = [1, 2, 3, 5, 17, 64, 65, 70, 100]


class Program:
    """A program of one seed: types, objects, and statements that change a sum."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.types = {}
        for number in range(self.rng.randint(2, 4)):
            self.add_type(number)
        names = list(self.types)
        self.objects = [(f"o{k}", self.rng.choice(names), self.rng.choice([None, None, 2, 3])) for k in range(3)]

    def add_type(self, number):
        members = []
        for place in range(self.rng.randint(1, 4)):
            nested = self.types and self.rng.random() < 0.35
            ty = self.rng.choice(list(self.types) if nested else INTEGERS)
            dimensions = []
            if self.rng.random() < 0.5:
                dimensions = [self.rng.choice(LENGTHS[:3] if nested else LENGTHS)]
                if not nested and self.rng.random() < 0.2:
                    dimensions = [self.rng.choice([2, 3]), self.rng.choice([2, 66])]
            members.append((f"m{place}", ty, dimensions))
        kind = self.rng.choice(["struct", "struct", "union"])
        self.types[f"{kind} t{number}"] = members

    def place(self, text, ty):
        """An integer somewhere in an object, and its type."""
        while ty in self.types:
            name, ty, dimensions = self.rng.choice(self.types[ty])
            text += "." + name
            for length in dimensions:
                text += self.rng.choice([f"[{self.rng.randrange(length)}]", f"[k % {length}]"])
        return text, ty

    def whole(self, of=None):
        """An object, or one of a type, and its type."""
        name, ty, length = self.rng.choice([o for o in self.objects if of in (None, o[1])])
        return (name if length is None else f"{name}[{self.rng.randrange(length)}]"), ty

    def statement(self):
        rng = self.rng
        whole, ty = self.whole()
        place, integer = self.place(whole, ty)
        other, _ = self.whole(ty)
        anything, _ = self.whole()
        least = f"sizeof {whole} < sizeof {anything} ? sizeof {whole} : sizeof {anything}"
        choices = [
            (35, f"{place} = ({integer})({rng.randint(-300, 70000)} + k);"),
            (15, f"{{ {integer} *p = &{place}; *p += {rng.randint(1, 9)}; }}"),
            (15, f"{{ unsigned char *p = (unsigned char *)&{whole}; p[{rng.randint(0, 500)} % sizeof {whole}] = {rng.randint(0, 255)}; }}"),
            (10, f"{other} = {whole};" if other != whole else ";"),
            (10, f"memmove(&{whole}, &{anything}, {least});"),
            (5, f"memset(&{whole}, {rng.randint(0, 255)}, sizeof {whole});"),
            (10, f"sum = sum * 31 + (unsigned){place};"),
        ]
        return rng.choices([text for _, text in choices], [weight for weight, _ in choices])[0]

    def text(self):
        declared = [
            f"{ty} {{ {' '.join(f'{of} {name}' + ''.join(f'[{n}]' for n in lengths) + ';' for name, of, lengths in members)} }};"
            for ty, members in self.types.items()
        ]
        declared += [f"static {ty} {name}{'' if length is None else f'[{length}]'};" for name, ty, length in self.objects]
        body = [self.statement() for _ in range(self.rng.randint(8, 20))]
        body += [f"sum = sum * 31 + (unsigned){self.place(*self.whole())[0]};" for _ in range(12)]
        bytes_of = "for (unsigned i = 0; i < sizeof {0}; i += sizeof {0} / 40 + 1) sum = sum * 31 + ((unsigned char *)&{0})[i];"
        end = [bytes_of.format(name) for name, _, _ in self.objects]
        lines = ["#include <stdio.h>", "#include <string.h>", *declared, "unsigned sum;", "int done;", "int main(void) {"]
        lines += ["  for (int k = 0; k < 2; k++) {", *("    " + line for line in body), "  }", *("  " + line for line in end)]
        return "\n".join([*lines, "  done = 1;", '  printf("%u", sum);', "  return 0;", "}", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("directory")
    options = parser.parse_args()
    for number in range(options.count):
        directory = os.path.join(options.directory, f"case_{number}")
        os.makedirs(directory, exist_ok=True)
        with open(os.path.join(directory, "prog.c"), "w") as file:
            file.write(Program(options.seed + number).text())


if __name__ == "__main__":
    main()
