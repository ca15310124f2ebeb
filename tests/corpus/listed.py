"""Programs that are compiled in one command: libraries with a driver of this project or their own tests, and small packages."""
import glob
import os
import subprocess

DRIVERS = os.path.dirname(os.path.abspath(__file__))

# Debian's source packages that are compiled in one command, besides the small ones.
PACKAGES = ["expat", "libyaml", "jansson", "jq", "cjson", "zopfli", "brotli", "libpng1.6"]

# The header that configure would write, for packages that come without it.
EXPAT_CONFIG = """#define BYTEORDER 1234
#define HAVE_GETRANDOM 1
#define XML_CONTEXT_BYTES 1024
#define XML_DTD 1
#define XML_NS 1
#define PACKAGE_STRING "expat"
"""


class Program:
    """C files, how to compile them, which objects to watch (by default those that are found), and how to test the result."""

    def __init__(self, name, files, watch, flags=(), libraries=(), tests=((),), stdin=None):
        self.name, self.files, self.watch = name, [str(f) for f in files], watch
        self.flags, self.libraries = list(flags), list(libraries)
        self.tests, self.stdin = tests, stdin

    def compile(self, options, files, output):
        flags = ["-std=gnu11", "-O1", "-Wall", "-Wextra", *self.flags]
        answer = subprocess.run([options.cc, *flags, *files, "-o", output, *self.libraries],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
        return answer.stderr, answer.returncode == 0

    def build(self, options, output):
        """Compiles the original; returns the messages, and whether it succeeded."""
        return self.compile(options, self.files, output)

    def build_woven(self, options, out, output):
        return self.compile(options, sorted(glob.glob(os.path.join(out, "*.c"))), output)

    def instrument(self, options, out):
        """The arguments of the tool after the specification."""
        target = os.path.join(out, os.path.basename(self.files[0])) if len(self.files) == 1 else out
        return [*self.files, "-o", target, "--cpp", options.cc, *(flag for flag in self.flags if flag != "-w")]

    def outcomes(self, binary, directory):
        """The output of each test, and its exit status."""
        found = []
        for test in self.tests:
            try:
                answer = subprocess.run([binary, *test], cwd=directory, timeout=120, input=self.stdin or b"",
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                written = [text.replace(binary.encode(), b"PROGRAM") for text in (answer.stdout, answer.stderr)]
                found.append((answer.returncode, *written))
            except subprocess.TimeoutExpired:
                found.append("time-out")
        return found


def bundled(vendor):
    """The programs of the crates."""
    driver = lambda name: os.path.join(DRIVERS, name)
    at = lambda *parts: os.path.join(vendor, *parts)
    sqlite = at("libsqlite3-sys", "sqlite3")
    zlib = at("libz-sys", "src", "zlib")
    lua = at("lua-src", "lua-5.4.7")
    zstd = at("zstd-sys", "zstd", "lib")
    bzip2 = glob.glob(at("bzip2-sys", "bzip2-*"))[0]
    lz4 = at("lz4-sys", "liblz4", "lib")
    lua_files = [f for f in sorted(glob.glob(os.path.join(lua, "*.c"))) if os.path.basename(f) not in ("lua.c", "luac.c")]
    zstd_files = sorted(f for part in ("common", "compress", "decompress") for f in glob.glob(os.path.join(zstd, part, "*.c")))
    bzip2_files = [os.path.join(bzip2, f + ".c") for f in ("blocksort", "bzlib", "compress", "crctable", "decompress", "huffman", "randtable")]
    text = os.path.join(zlib, "README")
    return [
        Program("sqlite", [driver("sqlite.c"), os.path.join(sqlite, "sqlite3.c")], ["rows > 3", "failures == 0"],
                ["-I", sqlite, "-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION"], ["-lm"]),
        Program("zlib", [driver("zlib.c")] + sorted(glob.glob(os.path.join(zlib, "*.c"))), ["total > 1000", "rounds % 2 == 0"],
                ["-I", zlib, "-D_LARGEFILE64_SOURCE=1", "-DHAVE_UNISTD_H"], tests=[[text], [driver("zlib.c")]]),
        Program("lua", [driver("lua.c")] + lua_files, ["steps > 1000", "failures == 0"], ["-I", lua, "-DLUA_USE_POSIX"], ["-lm"],
                tests=[[driver("test.lua")], ["/none"]]),
        Program("zstd", [driver("zstd.c")] + zstd_files, ["total > 1000", "level > 3"],
                ["-I", zstd, "-DZSTD_DISABLE_ASM", "-DXXH_NAMESPACE=ZSTD_"], tests=[[text], [driver("zlib.c")]]),
        Program("bzip2", [driver("bzip2.c")] + bzip2_files, ["total > 1000", "failures == 0"], ["-I", bzip2], tests=[[text]]),
        Program("lz4", [driver("lz4.c")] + [os.path.join(lz4, f) for f in ("lz4.c", "lz4hc.c", "xxhash.c", "lz4frame.c")],
                ["total > 1000", "failures == 0"], ["-I", lz4], tests=[[text]]),
    ]


def packaged(sources):
    """The programs of Debian's source packages."""
    at = lambda *parts: os.path.join(sources, *parts)
    files = lambda name, *stems: [at(name, stem + ".c") for stem in stems]
    tree = ("tree", "list", "hash", "color", "file", "filter", "info", "unix", "xml", "json", "html", "strverscmp")
    figlet = ("figlet", "zipio", "crc", "inflate", "utf8")
    program = b"function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2); } var a = []; for (var i = 0; i < 12; ++i) a.push(f(i));" \
        b"print(a.join(' '), JSON.stringify({ x: [1, /a+b/.exec('xaab')[0]] })); try { null.x } catch (e) { print(e) }\n"
    fonts, text = at("figlet", "fonts"), at("figlet", "README")
    return [
        Program("tree", files("tree", *tree), ["Level > 2", "flimit == 0"], ["-D_LARGEFILE64_SOURCE", "-D_GNU_SOURCE"],
                tests=[["-a", "-s", fonts], ["-J", "--sort=size", fonts], ["-H", ".", "-L", "1", at("tree")], ["-X", "/none"]]),
        Program("figlet", files("figlet", *figlet), ["outlinelen > 20", "inchrlinelen % 2 == 0"],
                [f'-DDEFAULTFONTDIR="{fonts}"', '-DDEFAULTFONTFILE="standard.flf"', "-DTLF_FONTS"],
                tests=[["areas and letters"], ["-f", "small", "-c", "-w", "60", "a longer text than one line"], ["-I", "2"], ["-f", "none", "x"]]),
        Program("ncompress", files("ncompress", "compress42"), ["maxbits > 12", "exit_code == 0"],
                ["-DUSERMEM=800000", "-DREGISTERS=3", "-DIBUFSIZ=1024", "-DOBUFSIZ=1024", "-DLSTAT", "-DDIRENT"],
                tests=[["-c", text], ["-c", "-b", "10", text], ["-V"], ["-c", "/none"]]),
        Program("mujs", [at("mujs", "main.c"), at("mujs", "one.c")], ["xoptind > 0", "xoptind == 1"], ["-I", at("mujs")], ["-lm"],
                tests=[[], ["/none"]], stdin=program),
    ]


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def libraries(sources, generated, zlib):
    """Libraries with their own tests, and tools of one directory. `generated` replaces the headers that configure would write."""
    at = lambda *parts: os.path.join(sources, *parts)
    every = lambda *parts: sorted(glob.glob(at(*parts)))
    text, short = os.path.join(zlib, "README"), at("cjson", "README.md")

    def program(package, files, flags, **more):
        if os.path.isdir(at(package)):
            yield Program(more.pop("name", package), files, None, ["-w", *flags], more.pop("libraries", ()), **more)

    expat = at("expat", "expat")
    write(os.path.join(generated, "expat", "expat_config.h"), EXPAT_CONFIG)
    flags = ["-DHAVE_EXPAT_CONFIG_H", "-D_GNU_SOURCE", "-I", os.path.join(generated, "expat"), "-I", os.path.join(expat, "lib")]
    library = every("expat", "expat", "lib", "*.c")
    library = [f for f in library if "_impl" not in f and "_ns" not in f]
    tests = [os.path.join(expat, "tests", name + ".c") for name in ("runtests", "chardata", "structdata", "minicheck", "memcheck")]
    yield from program("expat", library + tests, flags)
    xmlwf = [os.path.join(expat, "xmlwf", name + ".c") for name in ("xmlwf", "xmlfile", "codepage", "unixfilemap")]
    page = os.path.join(expat, "doc", "reference.html")
    document = b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY e 'x'><!ATTLIST a b CDATA 'c'>]><a><b c='d'>&e;&#65;</b><!-- n --><?p i?></a>"
    yield from program("expat", library + xmlwf, flags, name="expat: xmlwf", stdin=document, tests=[[], ["-n", "-t"], ["-c"], ["-m"], [page], ["-v"], ["-x"]])

    flags = ["-I", at("libyaml", "include"), "-DYAML_VERSION_MAJOR=0", "-DYAML_VERSION_MINOR=2", "-DYAML_VERSION_PATCH=5", '-DYAML_VERSION_STRING="0.2.5"']
    library = every("libyaml", "src", "*.c")
    files = every("libyaml", "examples", "*.yaml")
    for test in ("run-scanner", "run-parser", "run-loader", "run-emitter", "run-dumper", "test-reader", "example-reformatter"):
        data = {"test-reader": [[]], "example-reformatter": [[]]}.get(test, [files[:8]])
        yield from program("libyaml", [*library, at("libyaml", "tests", test + ".c")], [*flags, "-I", at("libyaml", "src")], name=f"libyaml: {test}",
                           tests=data, stdin=b"a: [1, {b: c}]\n? x\n: |\n  text\n  more\n- d: &e f\n")

    config = os.path.join(generated, "jansson", "jansson_config.h")
    if os.path.isdir(at("jansson")):
        with open(at("jansson", "src", "jansson_config.h.in")) as file:
            lines = file.read().replace("@json_inline@", "inline")
        for word in ("json_have_long_long", "json_have_localeconv", "json_have_atomic_builtins", "json_have_sync_builtins"):
            lines = lines.replace(f"@{word}@", "1")
        write(config, lines)
        write(os.path.join(os.path.dirname(config), "jansson_private_config.h"), "#define HAVE_STDINT_H 1\n#define HAVE_LOCALE_H 1\n#define HAVE_UNISTD_H 1\n")
    flags = ["-I", os.path.dirname(config), "-I", at("jansson", "src"), "-DHAVE_STDINT_H", "-D_GNU_SOURCE"]
    for test in every("jansson", "test", "suites", "api", "test_*.c"):
        name = os.path.basename(test)[5:-2]
        yield from program("jansson", [*every("jansson", "src", "*.c"), test], flags, name=f"jansson: {name}", libraries=["-lm"])

    jq = at("jq", "src")
    if os.path.isdir(jq):
        with open(os.path.join(jq, "builtin.jq")) as file:
            lines = file.read().splitlines()
        quoted = "".join('"' + line.replace("\\", "\\\\").replace('"', '\\"') + '\\n"\n' for line in lines)
        write(os.path.join(generated, "jq", "src", "builtin.inc"), quoted)
        write(os.path.join(generated, "jq", "src", "version.h"), '#define JQ_VERSION "1.6"\n')
    files = [f for f in every("jq", "src", "*.c") if os.path.basename(f) != "inject_errors.c"]
    flags = ["-I", os.path.join(generated, "jq"), "-I", at("jq"), "-I", jq, "-DIEEE_8087", "-DHAVE_MEMMEM", "-DHAVE_ISATTY",
             "-DHAVE_STRPTIME", "-DHAVE_TIMEGM", "-DHAVE_GMTIME_R", "-DHAVE_GMTIME", "-DHAVE_MKTIME", "-DHAVE_PTHREAD_KEY_CREATE", "-DHAVE_PTHREAD_ONCE",
             *(f"-DHAVE_{f.upper()}" for f in ("sin", "cos", "floor", "sqrt", "pow", "log", "exp", "log10", "ceil", "fabs", "round", "frexp", "ldexp", "modf"))]
    yield from program("jq", files, flags, libraries=["-lm", "-lpthread"], stdin=b'{"a": [1, 2.5, "x"], "b": {"c": null}} [3, 1, 2]',
                       tests=[["--run-tests", at("jq", "tests", "jq.test")], ["."], ["-c", "[.. | numbers] | sort | map(. * 2)"], ["-S", ".a"], ["-e", ".b?"],
                              ["--stream", "-c", "."], ["-r", "@base64"], [".["], ["-n", "[range(50)] | map(select(. % 7 == 0)) | @csv"]])

    unity = [at("cjson", "tests", "unity", "src", "unity.c")]
    for test in ("cjson_add", "compare_tests", "minify_tests", "misc_tests", "parse_array", "parse_examples", "parse_hex4", "parse_number", "parse_object", "parse_string",
                 "parse_value", "parse_with_opts", "print_array", "print_number", "print_object", "print_string", "print_value", "readme_examples"):
        flags = ["-I", at("cjson"), "-I", at("cjson", "tests"), "-I", at("cjson", "tests", "unity", "src"), "-DENABLE_LOCALES"]
        # The tests include the source of the library.
        yield from program("cjson", [at("cjson", "tests", test + ".c"), *unity], flags, name=f"cjson: {test}", libraries=["-lm"])
    yield from program("cjson", [at("cjson", "test.c"), at("cjson", "cJSON.c")], [], name="cjson: test", libraries=["-lm"])

    files = [f for f in every("zopfli", "src", "zopfli", "*.c")]
    yield from program("zopfli", files, [], libraries=["-lm"], tests=[["-c", short], ["-c", "--zlib", "--i5", short], ["-c", "--deflate", "-v", text], ["--i0", "/none"], ["-h"]])
    files = every("brotli", "c", "common", "*.c") + every("brotli", "c", "dec", "*.c") + every("brotli", "c", "enc", "*.c") + [at("brotli", "c", "tools", "brotli.c")]
    yield from program("brotli", files, ["-I", at("brotli", "c", "include")], libraries=["-lm"],
                       tests=[["-c", short], ["-c", "-q", "5", "-w", "16", text], ["-c", "-q", "1", text], ["-t", short], ["-V"], ["-c", "-d", at("brotli", "tests", "testdata", "x.compressed")]])
    if os.path.isdir(at("libpng1.6")):
        with open(at("libpng1.6", "scripts", "pnglibconf.h.prebuilt")) as file:
            write(os.path.join(generated, "libpng", "pnglibconf.h"), file.read())
    files = [f for f in every("libpng1.6", "png*.c")] + [f for f in sorted(glob.glob(os.path.join(zlib, "*.c")))]
    images = every("libpng1.6", "contrib", "pngsuite", "*.png")[:12]
    yield from program("libpng1.6", files, ["-I", os.path.join(generated, "libpng"), "-I", at("libpng1.6"), "-I", zlib, "-DPNG_INTEL_SSE_OPT=0", "-DHAVE_UNISTD_H"],
                       libraries=["-lm"], tests=[[at("libpng1.6", "pngtest.png")], ["-m", *images], ["/none"]])
