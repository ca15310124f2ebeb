//! Functions whose results depend on their arguments alone.

use super::{function, mathematics, Backend, Function};

/// Functions of the library whose results depend only on their arguments, so that a program that is executed may call them, and
/// that model checkers know, or get a definition of; those of [`mathematics`] besides.
const KNOWN: [&str; 42] = [
    "memcpy",
    "memmove",
    "memset",
    "memcmp",
    "memchr",
    "strlen",
    "strnlen",
    "strcmp",
    "strncmp",
    "strcpy",
    "strncpy",
    "strcat",
    "strncat",
    "strchr",
    "strrchr",
    "strstr",
    "abs",
    "labs",
    "llabs",
    "isdigit",
    "isalpha",
    "isalnum",
    "isspace",
    "isupper",
    "islower",
    "toupper",
    "tolower",
    "sqrt",
    "fabs",
    "floor",
    "strspn",
    "strcspn",
    "strcasecmp",
    "strncasecmp",
    "atoi",
    "atol",
    "atoll",
    "atof",
    "strtol",
    "strtoul",
    "strtoll",
    "strtoull",
];

/// Such functions that model checkers may not know.
const UNKNOWN: [&str; 25] = [
    "index", "rindex", "bcmp", "mempcpy", "stpcpy", "isblank", "isgraph", "ispunct", "iscntrl",
    "isprint", "isxdigit", "isascii", "toascii", "difftime", "div", "ldiv", "lldiv", "imaxabs",
    "imaxdiv", "ffsl", "ffsll", "htons", "htonl", "ntohs", "ntohl",
];

/// Whether a function of the library has a result that depends only on its arguments, and no effect but on what these point to.
pub fn is_pure(name: &str) -> bool {
    KNOWN.contains(&name) || UNKNOWN.contains(&name) || mathematics::is_pure(name)
}

/// Whether a function of the library or the compiler that model checkers may not know computes its result from its arguments, as
/// its name tells. What a text from outside stands for (`strtod`) is as unknown as that text.
pub fn computes(name: &str) -> bool {
    const FAMILIES: [&str; 8] = [
        "str",
        "mem",
        "wcs",
        "wmem",
        "isw",
        "tow",
        "rawmem",
        "__builtin_",
    ];
    const OTHERS: [&str; 29] = [
        "basename",
        "dirname",
        "mktime",
        "timegm",
        "gmtime",
        "gmtime_r",
        "localtime",
        "localtime_r",
        "asctime",
        "asctime_r",
        "ctime",
        "ctime_r",
        "a64l",
        "l64a",
        "fnmatch",
        "inet_addr",
        "inet_aton",
        "inet_ntoa",
        "inet_pton",
        "inet_ntop",
        "lfind",
        "lsearch",
        "mblen",
        "mbtowc",
        "mbstowcs",
        "wctomb",
        "wcstombs",
        "btowc",
        "wctob",
    ];
    let family = FAMILIES.iter().any(|beginning| name.starts_with(beginning));
    let is_plain = |row: &Function| {
        row.backend == Backend::Declared && row.contract.is_none() && !row.reads && !row.defined
    };
    (family || OTHERS.contains(&name) || UNKNOWN.contains(&name))
        && !KNOWN.contains(&name)
        && function(name).is_none_or(is_plain)
}
