"""Programs that are built by a Makefile of their own, from Debian's source packages.

A wrapper of gcc records every compilation while `make` runs, as bear does. A program then consists of the files whose objects
one link command takes, with their flags; members of libraries count as far as the linker takes them.
"""
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

RECORDER = """#!/usr/bin/python3 -ISs
import json, os, sys
line = json.dumps({"directory": os.getcwd(), "arguments": sys.argv[1:]}) + "\\n"
file = os.open(os.environ["CORPUS_RECORD"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
os.write(file, line.encode())
os.close(file)
os.execv("%s", ["%s", *sys.argv[1:]])
"""

GNU = ["--disable-nls", "--disable-dependency-tracking", "--disable-shared"]

# Package, options of configure, its programs (each tested by a script in suites/).
PROJECTS = {
    "gzip": (GNU, ["gzip"]),
    "mawk": ([], ["mawk"]),
    "dash": (GNU, ["dash"]),
    "sed": (GNU, ["sed"]),
    "bc": (GNU, ["bc", "dc"]),
    "less": (GNU, ["less", "lesskey", "lessecho"]),
    "grep": (GNU, ["grep"]),
    "diffutils": (GNU, ["diff", "cmp", "diff3", "sdiff"]),
    "patch": (GNU, ["patch"]),
    "m4": (GNU, ["m4"]),
    "xz-utils": ([*GNU, "--disable-assembler", "--disable-scripts"], ["xz", "xzdec", "lzmainfo"]),
    "ed": ([], ["ed"]),
    "coreutils": (
        GNU,
        """cat tac sort uniq wc cut join tr tail od base64 sha256sum cksum fmt pr split csplit seq factor expr printf ls cp mv
        du date numfmt ptx dd timeout paste comm head md5sum nl fold expand shuf test ln mkdir rm tsort readlink env tee
        touch truncate stty df""".split(),
    ),
    "gawk": ([*GNU, "--disable-extensions", "--disable-mpfr"], ["gawk"]),
    "findutils": (GNU, ["find", "xargs"]),
    "tar": (GNU, ["tar"]),
    "byacc": ([], ["yacc"]),
    "flex": (GNU, ["flex"]),
    "units": ([], ["units"]),
    "nasm": ([], ["nasm", "ndisasm"]),
    "pcre2": (GNU, ["pcre2test", "pcre2grep"]),
    "libxml2": ([*GNU, "--without-python", "--without-lzma", "--without-zlib"], ["xmllint"]),
    "jimtcl": (["--disable-docs"], ["jimsh"]),
    "lzo2": ([*GNU], ["lzotest", "simple"]),
        "tcc": ([], ["tcc"]),
}
# Large packages, which are taken only if they are named.
ON_DEMAND = {"nasm", "gawk", "tar"}
# For these programs the members of the project's own library are instrumented, too; for the others of coreutils only their own files.
WITH_LIBRARY = {"sort", "ls", "cp", "date"}


class Unbuilt(Exception):
    """A project could not be built."""


def build(cache, sources, package):
    """The directory in which a package is built, and the record of its compilations."""
    root = os.path.join(cache, "built", package)
    record = os.path.join(cache, "built", package + ".record")
    if os.path.isdir(root):
        return root, record
    work = root + ".new"
    shutil.rmtree(work, ignore_errors=True)
    if os.path.exists(record):
        os.remove(record)
    shutil.copytree(os.path.join(sources, package), work, symlinks=True)
    # All files get one time stamp, so that generated files are not made again.
    subprocess.run(["find", ".", "-exec", "touch", "-h", "-d", "@1600000000", "{}", "+"], cwd=work, check=True)
    wrappers = os.path.join(cache, "built", "wrappers")
    os.makedirs(wrappers, exist_ok=True)
    gcc = shutil.which("gcc")
    with open(os.path.join(wrappers, "gcc"), "w") as file:
        file.write(RECORDER % (gcc, gcc))
    os.chmod(os.path.join(wrappers, "gcc"), 0o755)
    # The record contains the final path.
    os.rename(work, root)
    # Some packages need the m4 of this table.
    path = os.environ["PATH"] + ":" + os.path.join(cache, "built", "m4", "src")
    environment = dict(os.environ, PATH=path, CC="gcc", CFLAGS="-O1", FORCE_UNSAFE_CONFIGURE="1", LC_ALL="C")
    log = open(os.path.join(cache, "built", package + ".log"), "w")
    run = lambda command, **more: subprocess.run(command, cwd=root, stdout=log, stderr=log, env={**environment, **more}, timeout=1800)
    options, _ = PROJECTS[package]
    recorded = {"PATH": wrappers + ":" + environment["PATH"], "CORPUS_RECORD": record}
    failed = run(["./configure", *options]).returncode != 0
    # Only the documentation may have failed.
    if not failed:
        run(["make", "-k", "-j2", "MAKEINFO=true"], **recorded)
    if failed or not os.path.exists(record):
        os.rename(root, work)
        raise Unbuilt(f"{package} cannot be built; see {log.name}")
    return root, record


class Compilation:
    """A recorded command that makes an object of a file."""

    def __init__(self, directory, arguments, source):
        self.directory, self.source = directory, os.path.join(directory, source)
        given = lambda: [a for a in arguments if a not in ("-c", source)]
        self.flags, rest = [], iter(given())
        output = os.path.splitext(os.path.basename(source))[0] + ".o"
        for word in rest:
            if word == "-o":
                output = next(rest)
            elif word in ("-MT", "-MF", "-MQ"):
                next(rest)
            elif not word.startswith("-M"):
                self.flags.append(word)
        self.output = os.path.normpath(os.path.join(directory, output))

    def database_entry(self, cc):
        name = os.path.normpath(self.source)
        return {"directory": self.directory, "file": name, "arguments": [cc, *self.flags, "-c", name]}


def read_record(path):
    """Compilations by their object, and link commands by the program's name."""
    compilations, links = {}, {}
    with open(path) as file:
        commands = [json.loads(line) for line in file]
    for command in commands:
        directory, arguments = command["directory"], command["arguments"]
        sources = [a for a in arguments if a.endswith(".c") and not a.startswith("-")]
        if "-c" in arguments and len(sources) == 1:
            compilation = Compilation(directory, arguments, sources[0])
            compilations[compilation.output] = compilation
        elif "-o" in arguments and "-c" not in arguments and "-E" not in arguments:
            links[os.path.basename(arguments[arguments.index("-o") + 1])] = (directory, arguments)
    return compilations, links


def members(directory, arguments, environment):
    """The members of archives that a link command takes, as objects."""
    traced = subprocess.run(["gcc", *arguments[: arguments.index("-o")], "-Wl,-t,-t", *arguments[arguments.index("-o") :]],
                            cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
    found = re.findall(r"^\((\S+\.a)\)(\S+\.o)$", traced.stdout.decode(errors="replace"), re.M)
    for archive, member in found:
        place = os.path.dirname(os.path.join(directory, archive))
        if os.path.basename(place) == ".libs":
            place = os.path.dirname(place)
        yield os.path.normpath(os.path.join(place, member)), member


SCALAR = re.compile(
    r"^(?:static\s+)?(?:volatile\s+)?(?:unsigned\s+|signed\s+)?(int|long|bool|_Bool|char|short|size_t|uintmax_t|intmax_t|off_t|unsigned|uint32_t|uint64_t)\s+"
    r"(\w+)\s*(?:=\s*[^;{]*)?;", re.M)


def symbols(binary, kinds):
    """The names of these kinds in a program's symbol table, once per definition."""
    table = subprocess.run(["nm", "--defined-only", binary], stdout=subprocess.PIPE).stdout.decode()
    lines = [line.split() for line in table.splitlines()]
    return [line[-1] for line in lines if len(line) == 3 and line[1] in kinds]


def watched(files, binary, limit=3):
    """Conditions over scalars at file scope that the program changes, most used ones first."""
    found, defined = {}, set(symbols(binary, "bBdD"))
    for file in files:
        with open(file, errors="replace") as text:
            text = text.read()
        for kind, name in SCALAR.findall(text):
            changes = re.findall(rf"\b{name}\s*(?:[-+|&]?=[^=]|\+\+|--)|(?:\+\+|--){name}\b", text)
            if len(changes) > 1 and name in defined and "-" not in os.path.basename(file):
                found[os.path.basename(file), name] = (len(changes), kind)
    best = sorted(found, key=lambda key: (-found[key][0], key))[:limit]
    tests = [" != 0", " > 1", " % 2 == 0"]
    return [f"{file}::{name}" + ("" if found[file, name][1] in ("bool", "_Bool") else test) for (file, name), test in zip(best, tests)]


FUNCTION = re.compile(r"^(?:[A-Za-z_][\w\s*]*?[\s*])?(\w+)[ ]?\(([^;{}()]*)\)\s*\n?\{", re.M)
NUMBER = re.compile(r"(?:^|\s)(?:int|unsigned|long|size_t|char|uint32_t|uLong|u32)\s+(\w+)$")


def areas(files, binary, limit=6):
    """Functions with a numeric parameter, spread over the files, as areas with conditions over the parameter."""
    defined = symbols(binary, "tT")
    found, seen = [], set()
    for file in files:
        with open(file, errors="replace") as text:
            text = re.sub(r"/\*.*?\*/", " ", text.read(), flags=re.S)
        for name, parameters in FUNCTION.findall(text):
            numbers = [NUMBER.search(p.strip()) for p in parameters.split(",")]
            numbers = [n[1] for n in numbers if n]
            if numbers and defined.count(name) == 1 and name != "main" and name not in seen:
                seen.add(name)
                found.append((name, numbers[0]))
                break
    step = max(1, len(found) // limit)
    return found[::step][:limit]


class Recorded:
    """A program of a project: its own files, how they are compiled and linked, and a script that tests it."""

    def __init__(self, package, name, root, compilations, link, library):
        self.name, self.package, self.program = f"{package}: {name}" if name != package else name, package, name
        self.root, self.link = root, link
        directory, arguments = link
        self.environment = dict(os.environ, LC_ALL="C")
        objects = [os.path.normpath(os.path.join(directory, a)) for a in arguments if a.endswith(".o")]
        self.taken = [o for o in objects if o in compilations]
        if library:
            for at, member in members(directory, arguments, self.environment):
                near = [o for o in compilations if o == at] or [o for o in compilations if os.path.basename(o) == member]
                self.taken += [o for o in near[:1] if o not in self.taken]
        self.compilations = [compilations[o] for o in self.taken]
        self.files = [os.path.normpath(c.source) for c in self.compilations]
        self.watch = None

    def compile(self, cc, sources, output):
        """Compiles other sources in place of the recorded ones and links them; returns the messages, and whether it succeeded."""
        objects = [os.path.join(os.path.dirname(output), f"{number}.o") for number in range(len(sources))]

        def one(job):
            compilation, source, target = job
            command = [cc, *compilation.flags, "-Wall", "-Wextra", "-Wno-unknown-warning-option", "-c", source, "-o", target]
            return subprocess.run(command, cwd=compilation.directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment)

        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(one, zip(self.compilations, sources, objects)))
        messages = b"".join(a.stderr for a in answers)
        if any(a.returncode != 0 for a in answers):
            return messages, False
        directory, arguments = self.link
        new, placed, rest = [], False, iter(arguments)
        for word in rest:
            path = os.path.normpath(os.path.join(directory, word))
            if word == "-o":
                next(rest)
            elif word.endswith(".o") and path in self.taken:
                if not placed:
                    new += objects
                placed = True
            # The symbols are needed to find objects to watch.
            elif word != "-s":
                new.append(word)
        linked = subprocess.run([cc, *new, "-o", output], cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment)
        return messages + linked.stderr, linked.returncode == 0

    def build(self, options, output):
        return self.compile(options.cc, self.files, output)

    def build_woven(self, options, out, output):
        return self.compile(options.cc, [os.path.join(out, name) for name in self.woven_names()], output)

    def woven_names(self):
        """The names of the tool's output files."""
        taken = []
        for file in self.files:
            stem = os.path.splitext(os.path.basename(file))[0]
            name, number = f"{stem}.c", 1
            while name in taken:
                number += 1
                name = f"{stem}_{number}.c"
            taken.append(name)
        return taken

    def instrument(self, options, out):
        """The arguments of the tool after the specification."""
        database = os.path.join(os.path.dirname(out), "compile_commands.json")
        with open(database, "w") as file:
            json.dump([c.database_entry(options.cc) for c in self.compilations], file, indent=1)
        target = out if len(self.files) > 1 else os.path.join(out, self.woven_names()[0])
        return ["--compile-commands", database, "-o", target]

    def outcomes(self, binary, directory):
        """The output of its test script, in a fresh directory."""
        place = os.path.join(directory, "run")
        shutil.rmtree(place, ignore_errors=True)
        os.makedirs(place)
        suites = os.path.join(os.path.dirname(os.path.abspath(__file__)), "suites")
        script = os.path.join(suites, self.package + ".sh")
        environment = dict(self.environment, PATH=os.path.dirname(binary) + ":" + os.environ["PATH"], HOME=place, TZ="UTC0", TERM="dumb",
                           SOURCE=self.root, TMPDIR=place)
        answer = subprocess.run(["/bin/sh", script, self.program], cwd=place, env=environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        return answer.returncode, answer.stdout.replace(os.path.dirname(binary).encode(), b"PLACE")


def recorded(cache, sources, wanted, skipped):
    """All programs of the projects."""
    for package, (_, names) in PROJECTS.items():
        # Without names, everything is wanted.
        if package in ON_DEMAND and wanted(""):
            continue
        chosen = [name for name in names if wanted(package) or wanted(f"{package}: {name}")]
        if not chosen or not os.path.isdir(os.path.join(sources, package)):
            continue
        try:
            root, record = build(cache, sources, package)
        except Unbuilt as reason:
            skipped.append(str(reason))
            continue
        compilations, links = read_record(record)
        for name in chosen:
            if name not in links:
                skipped.append(f"{package} does not build {name}")
                continue
            library = package != "coreutils" or name in WITH_LIBRARY
            yield Recorded(package, name, root, compilations, links[name], library)
