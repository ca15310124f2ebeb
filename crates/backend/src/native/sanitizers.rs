//! Reads what the compiler's sanitizers say of a run.

/// Something undefined that a run does, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undefined {
    /// In words.
    pub what: String,
    /// The file, as the compiler knows it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// The words for two pointers that have no order.
pub const PAIR: &str = "comparison or difference of pointers into different objects";

/// The words for errors of AddressSanitizer, by parts of their names.
const ERRORS: [(&str, &str); 10] = [
    (
        "use-after-return",
        "use of a local after the end of its life",
    ),
    (
        "use-after-scope",
        "use of a local after the end of its life",
    ),
    ("use-after-free", "use of memory that was given back"),
    ("overflow", "access outside of an object"),
    ("underflow", "access outside of an object"),
    ("underwrite", "access outside of an object"),
    ("attempting", "giving back of what is not allocated"),
    ("overlap", "copy of memory onto itself"),
    ("pointer-pair", PAIR),
    (
        "SEGV",
        "access through a pointer to no object that may be accessed so",
    ),
];

/// The first error that the sanitizers report, if it has a place; a stack that is full is none, as C has no stack.
pub(super) fn read(stderr: &str) -> Option<Undefined> {
    let mut lines = stderr.lines();
    while let Some(line) = lines.next() {
        if let Some((place, message)) = line.split_once(": runtime error: ") {
            // FILE:LINE:COLUMN
            let (place, _column) = place.rsplit_once(':')?;
            let (file, line) = place.rsplit_once(':')?;
            return Some(Undefined {
                what: without_addresses(message),
                file: file.to_owned(),
                line: line.parse().ok()?,
            });
        }
        if let Some((_, message)) = line.split_once("ERROR: AddressSanitizer: ") {
            let name = message.split(' ').next().unwrap_or_default();
            if name == "stack-overflow" {
                return None;
            }
            let (file, line) = lines.find_map(frame)?;
            let words = ERRORS.iter().find(|(part, _)| name.contains(part));
            return Some(Undefined {
                what: words.map_or(name, |(_, words)| words).to_owned(),
                file,
                line,
            });
        }
    }
    None
}

/// The place of a line `#N ADDRESS in FUNCTION FILE:LINE[:COLUMN]`, if it is not in the sanitizer itself.
fn frame(line: &str) -> Option<(String, u32)> {
    let (_, place) = line.trim_start().strip_prefix('#')?.split_once(" in ")?;
    let (_, place) = place.split_once(' ')?;
    let mut parts = place.rsplitn(3, ':');
    let (last, before) = (parts.next()?, parts.next()?);
    let (file, line) = match (parts.next(), before.parse()) {
        (Some(file), Ok(line)) => (file.to_owned(), line),
        (first, _) => {
            let file = first.map_or(before.to_owned(), |first| format!("{first}:{before}"));
            (file, last.parse().ok()?)
        }
    };
    (!file.contains("sanitizer")).then_some((file, line))
}

/// A message without addresses, which differ from run to run.
fn without_addresses(message: &str) -> String {
    let words = message.split(' ').filter(|word| !word.starts_with("0x"));
    let words = words.collect::<Vec<_>>().join(" ");
    words.replace(" to address ", " to an address ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(stderr: &str) -> Option<String> {
        read(stderr).map(|u| format!("{}:{}: {}", u.file, u.line, u.what))
    }

    #[test]
    fn the_first_error_is_told_with_its_place() {
        for (stderr, expected) in [
            (
                "hello\na.c:2:83: runtime error: store to address 0x559a with insufficient space for an object of type 'int'\n",
                Some("a.c:2: store to an address with insufficient space for an object of type 'int'"),
            ),
            (
                "==3==ERROR: AddressSanitizer: stack-use-after-return on address 0x7f at pc 0x5\nREAD of size 4\n    \
                 #0 0x7f in __interceptor_memcpy ../../src/libsanitizer/asan/a.cpp:9\n    #1 0x55 in main /tmp/d.c:4\n",
                Some("/tmp/d.c:4: use of a local after the end of its life"),
            ),
            (
                "==3==ERROR: AddressSanitizer: SEGV on unknown address\n    #0 0x55 in main /tmp/d.c:4:7\n",
                Some("/tmp/d.c:4: access through a pointer to no object that may be accessed so"),
            ),
            (
                "==3==ERROR: AddressSanitizer: invalid-pointer-pair: 0x55 0x66\n    #0 0x55 in main /tmp/d.c:3\n",
                Some("/tmp/d.c:3: comparison or difference of pointers into different objects"),
            ),
            ("==3==ERROR: AddressSanitizer: stack-overflow on\n    #0 0x55 in f d.c:4\n", None),
            ("==3==ERROR: AddressSanitizer: SEGV on\n    #0 0x55  (/lib/x+0x1)\n", None),
            ("a runtime error\n", None),
        ] {
            assert_eq!(told(stderr).as_deref(), expected, "{stderr}");
        }
    }
}
