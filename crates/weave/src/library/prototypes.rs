//! Functions of the library that a program declares with other types than the library has, and functions of operating
//! systems that allocate memory.
//!
//! CBMC finds the body of a library function only where the program's types have the same widths, and takes it for a
//! function without a body otherwise. So the program calls another function then, which calls the library's.

/// A function without a body as the program declares it.
#[derive(Clone, Debug)]
pub struct Declared {
    /// Its name.
    pub name: String,
    /// A declaration of the function of [`renamed`] with these types and the parameters `ba_0`, `ba_1`, ….
    pub head: String,
    /// The kind of its result.
    pub result: Kind,
    /// The kinds of its parameters.
    pub parameters: Vec<Kind>,
}

/// The kind of a parameter or of a result, as far as calls depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A pointer, whatever it points to.
    Pointer,
    /// An integer of so many bits.
    Integer(u32),
    /// Nothing.
    Void,
    /// Anything else.
    Other,
}

/// The widths of types in a model of data, in bits.
#[derive(Clone, Copy, Debug)]
pub struct Widths {
    /// Of `int`.
    pub int: u32,
    /// Of `long`.
    pub long: u32,
    /// Of `size_t`.
    pub size: u32,
}

/// Names with their types: the result, then the parameters. `p` is `void *`, `c` is `const void *`, `s` is `char *`, `t` is
/// `const char *`, `z` is `size_t`, `i` is `int`, `l` is `long`, `v` is `void` (C11, 7.22 and 7.24).
const LIBRARY: [(&str, &str); 24] = [
    ("malloc", "pz"),
    ("calloc", "pzz"),
    ("realloc", "ppz"),
    ("free", "vp"),
    ("memcpy", "ppcz"),
    ("memmove", "ppcz"),
    ("memset", "ppiz"),
    ("memcmp", "iccz"),
    ("memchr", "pciz"),
    ("strcpy", "sst"),
    ("strncpy", "sstz"),
    ("strcat", "sst"),
    ("strncat", "sstz"),
    ("strcmp", "itt"),
    ("strncmp", "ittz"),
    ("strchr", "sti"),
    ("strrchr", "sti"),
    ("strlen", "zt"),
    ("strdup", "st"),
    ("abs", "ii"),
    ("labs", "ll"),
    ("atoi", "it"),
    ("toupper", "ii"),
    ("tolower", "ii"),
];

/// Functions of Linux that allocate memory: the kinds of their parameters as above (`-` for any), and the call that does
/// the same (Linux, Memory Allocation Guide).
const KERNEL: [(&str, &str, &str); 11] = [
    ("kmalloc", "pz-", "malloc(ba_0)"),
    ("__kmalloc", "pz-", "malloc(ba_0)"),
    ("kzalloc", "pz-", "calloc(1, ba_0)"),
    ("kcalloc", "pzz-", "calloc(ba_0, ba_1)"),
    ("kmalloc_array", "pzz-", "malloc(ba_0 * ba_1)"),
    ("vmalloc", "pz", "malloc(ba_0)"),
    ("vzalloc", "pz", "calloc(1, ba_0)"),
    ("kvmalloc", "pz-", "malloc(ba_0)"),
    ("kvzalloc", "pz-", "calloc(1, ba_0)"),
    ("devm_kmalloc", "ppz-", "malloc(ba_1)"),
    ("devm_kzalloc", "ppz-", "calloc(1, ba_1)"),
];

/// Whether the function has a row here, so that its types are worth a look.
pub fn is_listed(name: &str) -> bool {
    LIBRARY.iter().any(|(n, _)| *n == name) || KERNEL.iter().any(|(n, ..)| *n == name)
}

/// The lines before the program by which a function is called as the library has it; `None` if the program declares it so,
/// or so that no call could mean it.
pub fn adapted(function: &Declared, widths: Widths) -> Option<Vec<String>> {
    let name = function.name.as_str();
    let arguments = (0..function.parameters.len()).map(|i| format!("ba_{i}"));
    let arguments: Vec<String> = arguments.collect();
    let (prototypes, call) = match LIBRARY.iter().find(|(n, _)| *n == name) {
        Some((_, kinds)) => {
            if !fits(function, kinds, widths)? {
                return None;
            }
            let call = format!("{name}({})", arguments.join(", "));
            (vec![prototype(name, kinds)], call)
        }
        None => {
            let (_, kinds, call) = KERNEL.iter().find(|(n, ..)| *n == name)?;
            fits(function, kinds, widths)?;
            let prototypes = vec![prototype("malloc", "pz"), prototype("calloc", "pzz")];
            (prototypes, call.to_string())
        }
    };
    let returned = match function.result {
        Kind::Void => "",
        _ => "return ",
    };
    let head = &function.head;
    let mut lines = prototypes;
    lines.push(format!("BA_UNUSED static {head} {{ {returned}{call}; }}"));
    lines.push(format!("#define {name} {}", renamed(name)));
    Some(lines)
}

/// The name under which the program's function goes.
pub fn renamed(name: &str) -> String {
    format!("ba_other_{name}")
}

/// Whether a type differs from the library's; `None` if no conversion makes it the same.
fn fits(function: &Declared, kinds: &str, widths: Widths) -> Option<bool> {
    let mut letters = kinds.chars();
    let result = kind(letters.next()?, widths);
    let expected: Vec<char> = letters.collect();
    if expected.len() != function.parameters.len() {
        return None;
    }
    let mut differs = match (function.result, result) {
        (Kind::Void, _) => result != Kind::Void,
        (given, wanted) => converts(given, wanted)?,
    };
    for (given, letter) in function.parameters.iter().zip(expected) {
        if letter != '-' {
            differs |= converts(*given, kind(letter, widths))?;
        }
    }
    Some(differs)
}

/// Whether kinds differ; `None` if one is not converted to the other.
fn converts(given: Kind, wanted: Kind) -> Option<bool> {
    match (given, wanted) {
        (Kind::Pointer, Kind::Pointer) => Some(false),
        (Kind::Integer(a), Kind::Integer(b)) => Some(a != b),
        _ => None,
    }
}

fn kind(letter: char, widths: Widths) -> Kind {
    match letter {
        'i' => Kind::Integer(widths.int),
        'l' => Kind::Integer(widths.long),
        'z' => Kind::Integer(widths.size),
        'v' => Kind::Void,
        _ => Kind::Pointer,
    }
}

/// The library's prototype.
fn prototype(name: &str, kinds: &str) -> String {
    let text = |letter: char| match letter {
        'p' => "void *",
        'c' => "const void *",
        's' => "char *",
        't' => "const char *",
        'i' => "int ",
        'l' => "long ",
        'z' => "__typeof__(sizeof 0) ",
        _ => "void ",
    };
    let mut all = kinds.chars().map(text);
    let result = all.next().unwrap_or("void ");
    let parameters: Vec<&str> = all.map(str::trim_end).collect();
    format!("{result}{name}({});", parameters.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTHS: Widths = Widths {
        int: 32,
        long: 64,
        size: 64,
    };

    fn function(name: &str, result: Kind, parameters: &[Kind]) -> Declared {
        Declared {
            name: name.into(),
            head: format!("HEAD ba_other_{name}(…)"),
            result,
            parameters: parameters.to_vec(),
        }
    }

    #[test]
    fn other_widths_are_adapted() {
        let malloc = function("malloc", Kind::Pointer, &[Kind::Integer(32)]);
        let lines = adapted(&malloc, WIDTHS).unwrap_or_default();
        assert_eq!(lines[0], "void *malloc(__typeof__(sizeof 0));");
        assert!(lines[1].ends_with("HEAD ba_other_malloc(…) { return malloc(ba_0); }"));
        assert_eq!(lines[2], "#define malloc ba_other_malloc");
        let same = function("malloc", Kind::Pointer, &[Kind::Integer(64)]);
        assert_eq!(adapted(&same, WIDTHS), None);
        let narrow = Widths { size: 32, ..WIDTHS };
        assert_eq!(adapted(&malloc, narrow), None);
    }

    #[test]
    fn what_is_no_such_function_stays() {
        let other = function("free", Kind::Integer(32), &[Kind::Pointer]);
        assert_eq!(adapted(&other, WIDTHS), None);
        let other = function(
            "kmalloc",
            Kind::Pointer,
            &[Kind::Pointer, Kind::Integer(32)],
        );
        assert_eq!(adapted(&other, WIDTHS), None);
        let kernel = function(
            "kmalloc",
            Kind::Pointer,
            &[Kind::Integer(64), Kind::Integer(32)],
        );
        assert!(adapted(&kernel, WIDTHS).is_some());
    }
}
