//! The declarations of headers that a preprocessed program uses.
//!
//! A program that includes `stdio.h`, `stdlib.h` and `pthread.h` has 2,000 lines of declarations, of which it uses three. CBMC
//! (5.12 to 6.6) reads and checks all of them in each search: half the time of a small one. What is left out here is only what
//! nothing names, neither the program nor a declaration that stays, so that CBMC would make nothing of it.
//!
//! The text is cut into external declarations by its brackets and semicolons alone. Where a name's role is in doubt, it counts
//! as declared, and the declaration stays if the name occurs.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// A line marker of the preprocessor: `# 28 "/usr/include/stdio.h" 2 3 4`.
struct Marker<'a> {
    line: u64,
    /// The file in quotes and the flags.
    rest: &'a str,
    /// Flag 3: the text comes from a header of the system.
    system: bool,
}

impl<'a> Marker<'a> {
    fn read(line: &'a str) -> Option<Marker<'a>> {
        let (number, rest) = line.strip_prefix("# ")?.split_once(' ')?;
        let flags = rest.rsplit_once('"')?.1;
        Some(Marker {
            line: number.parse().ok()?,
            rest,
            system: flags.split(' ').any(|flag| flag == "3"),
        })
    }
}

/// A token, as far as cutting takes notice of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Token<'a> {
    Word(&'a str),
    /// A punctuation character.
    Sign(u8),
    /// A number, a string or a character.
    Constant,
}

/// An external declaration, or a pragma.
#[derive(Default)]
struct Item<'a> {
    text: Range<usize>,
    /// Whether it is from headers of the system alone and not a pragma.
    system: bool,
    /// The line on which it begins, and that line's file and flags.
    place: (u64, &'a str),
    tokens: Vec<Token<'a>>,
}

/// The preprocessed text without the declarations of system headers that nothing uses. All other lines keep their places.
pub(super) fn used(text: &str) -> String {
    let items = Cutter::cut(text);
    let kept = kept(&items);
    let mut out = String::with_capacity(text.len() / 2);
    // The end of the text that the last item covers, if nothing was left out after it.
    let mut upto = Some(0);
    for (item, kept) in items.iter().zip(kept) {
        match (kept, upto) {
            (false, _) => upto = None,
            (true, Some(from)) => {
                out.push_str(&text[from..item.text.end]);
                upto = Some(item.text.end);
            }
            (true, None) => {
                let (line, rest) = item.place;
                out.push_str(&format!("\n# {line} {rest}\n"));
                out.push_str(&text[item.text.clone()]);
                upto = Some(item.text.end);
            }
        }
    }
    out.push('\n');
    out
}

/// For each item, whether the program has it or uses it.
fn kept(items: &[Item]) -> Vec<bool> {
    let mut declaring: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, item) in items.iter().enumerate().filter(|(_, item)| item.system) {
        for name in declared(&item.tokens) {
            declaring.entry(name).or_default().push(index);
        }
    }
    let mut kept: Vec<bool> = items.iter().map(|item| !item.system).collect();
    let mut open: Vec<usize> = (0..items.len()).filter(|&index| kept[index]).collect();
    let mut seen = HashSet::new();
    while let Some(index) = open.pop() {
        for token in &items[index].tokens {
            let Token::Word(word) = *token else { continue };
            if !seen.insert(word) {
                continue;
            }
            for &other in declaring.get(word).into_iter().flatten() {
                if !std::mem::replace(&mut kept[other], true) {
                    open.push(other);
                }
            }
        }
    }
    kept
}

/// Whether a word stands before the parentheses of an attribute or the like.
fn attributive(word: &str) -> bool {
    let known = ["attribute", "asm", "declspec", "typeof", "alignas"];
    known.contains(&word.trim_matches('_').to_ascii_lowercase().as_str())
}

/// Words of declarations that are no names of their own.
fn keyword(word: &str) -> bool {
    let known = [
        "bool",
        "char",
        "complex",
        "const",
        "double",
        "enum",
        "extension",
        "extern",
        "float",
        "inline",
        "int",
        "long",
        "noreturn",
        "register",
        "restrict",
        "short",
        "signed",
        "static",
        "struct",
        "typedef",
        "union",
        "unsigned",
        "void",
        "volatile",
    ];
    known.contains(&word.trim_matches('_').to_ascii_lowercase().as_str())
}

/// The names that an external declaration may introduce: declarators, tags with a body, enumerators.
fn declared<'a>(tokens: &[Token<'a>]) -> Vec<&'a str> {
    let mut names = Names::default();
    for index in 0..tokens.len() {
        names.read(tokens, index);
    }
    names.found
}

/// The state of [`declared`] at a token.
#[derive(Default)]
struct Names<'a> {
    found: Vec<&'a str>,
    /// Open round and square brackets, and open braces.
    round: usize,
    curly: usize,
    /// Where the outermost round brackets belong to a declarator, as in `(*name)(int)`.
    declarator: bool,
    /// How many brackets were open before those of an attribute, and of an enumeration's body.
    attribute: Option<usize>,
    enumeration: Option<usize>,
    /// The last `struct`, `union` or `enum` whose body may follow.
    tag: Option<&'a str>,
}

impl<'a> Names<'a> {
    fn read(&mut self, tokens: &[Token<'a>], index: usize) {
        match tokens[index] {
            Token::Sign(b'(' | b'[') => self.open(tokens, index),
            Token::Sign(b')' | b']') => {
                self.round = self.round.saturating_sub(1);
                self.attribute = self.attribute.filter(|&depth| depth < self.round);
            }
            Token::Sign(b'{') => {
                if self.tag == Some("enum") && self.enumeration.is_none() {
                    self.enumeration = Some(self.curly);
                }
                (self.curly, self.tag) = (self.curly + 1, None);
            }
            Token::Sign(b'}') => {
                self.curly = self.curly.saturating_sub(1);
                self.enumeration = self.enumeration.filter(|&depth| depth < self.curly);
            }
            Token::Word(word) if self.attribute.is_none() => self.word(word, tokens.get(index + 1)),
            Token::Sign(_) | Token::Constant | Token::Word(_) => {}
        }
    }

    fn open(&mut self, tokens: &[Token<'a>], index: usize) {
        let before = index.checked_sub(1).map(|before| tokens[before]);
        if self.attribute.is_none()
            && matches!(before, Some(Token::Word(word)) if attributive(word))
        {
            self.attribute = Some(self.round);
        }
        if self.round == 0 {
            // `(*name)`, `(name)(int)`
            self.declarator = matches!(
                tokens.get(index + 1..index + 4),
                Some(
                    [Token::Sign(b'*' | b'('), ..]
                        | [Token::Word(_), Token::Sign(b')'), Token::Sign(b'(')]
                )
            );
        }
        self.round += 1;
    }

    fn word(&mut self, word: &'a str, next: Option<&Token>) {
        if ["struct", "union", "enum"].contains(&word) {
            self.tag = Some(word);
        } else if !keyword(word) && !attributive(word) {
            let ends = match next {
                Some(Token::Sign(sign)) => b",;[(=)".contains(sign),
                Some(Token::Word(next)) => attributive(next),
                Some(Token::Constant) | None => true,
            };
            let body = self.tag.is_some() && next == Some(&Token::Sign(b'{'));
            let declarator = self.curly == 0 && (self.round == 0 || self.declarator);
            if body || self.enumeration.is_some() || (ends && declarator) {
                self.found.push(word);
            }
        }
    }
}

/// Cuts a preprocessed text into items.
struct Cutter<'a> {
    text: &'a str,
    at: usize,
    items: Vec<Item<'a>>,
    item: Item<'a>,
    /// The brackets that are open.
    depth: usize,
    line: u64,
    rest: &'a str,
    system: bool,
}

impl<'a> Cutter<'a> {
    fn cut(text: &'a str) -> Vec<Item<'a>> {
        let mut cutter = Cutter {
            text,
            at: 0,
            items: Vec::new(),
            item: Item::default(),
            depth: 0,
            line: 1,
            rest: "",
            system: false,
        };
        while cutter.at < text.len() {
            cutter.step();
        }
        cutter.end();
        cutter.items
    }

    /// Reads one token, directive or blank.
    fn step(&mut self) {
        let bytes = self.text.as_bytes();
        let start = self.at;
        let first_in_line = start == 0 || bytes[start - 1] == b'\n';
        match bytes[start] {
            b'\n' => {
                self.at += 1;
                self.line += 1;
            }
            b'#' if first_in_line => self.directive(),
            byte if byte.is_ascii_whitespace() => self.at += 1,
            quote @ (b'"' | b'\'') => {
                self.at = literal(bytes, start, quote);
                self.token(Token::Constant, start);
            }
            byte if word(byte) => {
                let rest = &bytes[start..];
                let length = rest.iter().position(|&b| !word(b)).unwrap_or(rest.len());
                self.at += length;
                let token = match byte.is_ascii_digit() {
                    true => Token::Constant,
                    false => Token::Word(&self.text[start..self.at]),
                };
                self.token(token, start);
            }
            sign => {
                self.at += 1;
                self.token(Token::Sign(sign), start);
                self.bracket(sign);
            }
        }
    }

    /// Reads a line that is a marker, or a pragma, which stays.
    fn directive(&mut self) {
        let rest = &self.text[self.at..];
        let line = rest.lines().next().unwrap_or(rest);
        let start = self.at;
        self.at += line.len();
        if let Some(marker) = Marker::read(line) {
            // The number is that of the next line.
            (self.line, self.rest, self.system) =
                (marker.line.saturating_sub(1), marker.rest, marker.system);
        } else if self.item.tokens.is_empty() {
            self.token(Token::Constant, start);
            self.item.system = false;
            self.end();
        } else {
            self.item.system = false;
        }
    }

    fn token(&mut self, token: Token<'a>, start: usize) {
        if self.item.tokens.is_empty() {
            self.item = Item {
                text: start..start,
                system: self.system,
                place: (self.line, self.rest),
                tokens: Vec::new(),
            };
        }
        self.item.system &= self.system;
        self.item.text.end = self.at;
        self.item.tokens.push(token);
    }

    /// Follows the brackets; ends an item behind its semicolon or its body.
    fn bracket(&mut self, sign: u8) {
        match sign {
            b'(' | b'[' | b'{' => self.depth += 1,
            b')' | b']' => self.depth = self.depth.saturating_sub(1),
            b'}' => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 && body(&self.item.tokens) {
                    self.end();
                }
            }
            b';' if self.depth == 0 => self.end(),
            _ => {}
        }
    }

    fn end(&mut self) {
        if !self.item.tokens.is_empty() {
            self.items.push(std::mem::take(&mut self.item));
        }
    }
}

/// Whether a byte is part of a word or a number.
fn word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// The end of a literal.
fn literal(bytes: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != quote {
        at += 1 + usize::from(bytes[at] == b'\\');
    }
    (at + 1).min(bytes.len())
}

/// Whether the braces that end these tokens are the body of a function: they follow its parameters.
fn body(tokens: &[Token]) -> bool {
    let opening = partner(tokens, tokens.len() - 1, b'{', b'}');
    let Some(close) = opening.and_then(|open| open.checked_sub(1)) else {
        return false;
    };
    if tokens[close] != Token::Sign(b')') {
        return false;
    }
    let before = partner(tokens, close, b'(', b')').and_then(|open| open.checked_sub(1));
    !matches!(before.map(|index| tokens[index]), Some(Token::Word(word)) if attributive(word))
}

/// The opening bracket of a closing one.
fn partner(tokens: &[Token], close: usize, opening: u8, closing: u8) -> Option<usize> {
    let mut depth = 0_usize;
    for index in (0..=close).rev() {
        if tokens[index] == Token::Sign(closing) {
            depth += 1;
        } else if tokens[index] == Token::Sign(opening) {
            depth -= 1;
            if depth == 0 {
                return Some(index);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// What stays of declarations in a header of the system, before a program that follows it.
    fn left(header: &str, program: &str) -> String {
        let text = format!("# 0 \"a.c\"\n# 1 \"/h.h\" 1 3 4\n{header}\n# 2 \"a.c\" 2\n{program}\n");
        let text = used(&text);
        let end = text.find("\n# 2 \"a.c\"").unwrap();
        let lines = text[..end]
            .lines()
            .filter(|line| !line.starts_with('#') && !line.is_empty());
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn what_is_used_stays_with_what_it_uses() {
        let header = "typedef unsigned long size_t;
typedef struct _IO_FILE FILE;
struct _IO_FILE { int _fileno; struct _IO_marker *_markers; };
struct _IO_marker { int pos; };
extern FILE *stdin;
extern int fputs (const char *__restrict __s, FILE *__restrict __stream);
extern size_t strlen (const char *__s) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__));
extern int puts (const char *__s);";
        assert_eq!(left(header, "int puts_not, s;"), "");
        assert_eq!(
            left(header, "int f(void) { return puts(0); }"),
            "extern int puts (const char *__s);"
        );
        let all: Vec<&str> = header.lines().collect();
        assert_eq!(
            left(header, "int x = strlen(\"puts\");"),
            [all[0], all[6]].join("\n")
        );
        assert_eq!(left(header, "FILE *f;"), all[1..4].join("\n"));
        assert_eq!(left(header, "void *f = stdin;"), all[1..5].join("\n"));
    }

    #[test]
    fn names_of_all_kinds_of_declarators_are_known() {
        let each = [
            (
                "signal",
                "extern __sighandler_t signal (int __sig, __sighandler_t __handler);",
            ),
            ("handler", "typedef void (*handler) (int);"),
            (
                "set",
                "extern void (*set (int __sig, void (*f) (int))) (int);",
            ),
            ("isalpha", "extern int (isalpha) (int c);"),
            ("b", "extern int a, *b, c[3];"),
            ("c", "extern int a, *b, c[3];"),
            ("RED", "enum { RED = 1, BLUE };"),
            ("BLUE", "typedef enum colour { RED, BLUE } colour_t;"),
            ("colour", "typedef enum colour { RED, BLUE } colour_t;"),
            ("colour_t", "typedef enum colour { RED, BLUE } colour_t;"),
            (
                "pair",
                "struct __attribute__ ((packed)) pair { int a; } __attribute__ ((aligned (8)));",
            ),
            (
                "stat64",
                "extern int stat64 (void) __asm__ (\"\" \"stat\");",
            ),
            (
                "bswap",
                "static __inline int bswap (int x) { if (x) { return -x; } return x; }",
            ),
            ("u", "typedef union { struct inner { int i; } s; } u;"),
            ("inner", "typedef union { struct inner { int i; } s; } u;"),
        ];
        for (name, header) in each {
            let program = format!("void *use_it = {name};");
            assert_eq!(left(header, &program), header, "{name}");
            assert_eq!(left(header, "int other, a_member, x, i;"), "", "{name}");
        }
    }

    #[test]
    fn a_type_in_a_prototype_and_a_member_are_no_reason_to_keep_it() {
        let header = "typedef unsigned long size_t;
extern void *malloc (size_t __size);
extern void qsort (void *base, size_t, int (*compare) (const void *, const void *));
struct point { int x, y; };";
        let expected = "typedef unsigned long size_t;";
        assert_eq!(left(header, "size_t x, y, base, compare;"), expected);
    }

    #[test]
    fn the_program_its_own_headers_and_pragmas_stay_in_their_places() {
        let text = "# 0 \"a.c\"\n# 1 \"/h.h\" 1 3\nint gone(void);\n#pragma pack(1)\nint kept(void);\n# 2 \"a.c\" 2\n\
                    # 1 \"own.h\" 1\nint own(void);\n# 3 \"a.c\" 2\nint main(void) { return kept(); }\n";
        let expected = "\n# 2 \"/h.h\" 1 3\n#pragma pack(1)\nint kept(void);\n# 2 \"a.c\" 2\n\
                        # 1 \"own.h\" 1\nint own(void);\n# 3 \"a.c\" 2\nint main(void) { return kept(); }\n";
        assert_eq!(used(text), expected);
        let without = "# 0 \"a.c\"\nint main(void) { return '}' + \"\\\"{\"[0]; }\n";
        assert_eq!(used(without), without);
    }

    #[test]
    fn a_text_that_cannot_be_cut_stays_as_it_is() {
        let text = "# 1 \"/h.h\" 1 3\nint f({;\nint g(void);\n# 2 \"a.c\" 2\nint x;\n";
        assert_eq!(used(text), text);
    }
}
