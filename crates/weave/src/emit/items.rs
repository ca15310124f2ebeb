//! Emitted C as a sequence of file-scope items, each of which can be a definition in one file and
//! a declaration in the others.

use std::collections::BTreeSet;

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A directive or a comment: every file has it.
    Line,
    /// A type or a prototype: every file has it.
    Declaration,
    /// A function with its body.
    Function,
    /// A variable.
    Variable,
}

/// A file-scope item.
#[derive(Clone, Debug)]
pub struct Item {
    /// What it is.
    pub kind: Kind,
    /// Its text, white space at its ends trimmed.
    pub text: String,
    /// Where the body or the first initialiser begins, else the length.
    head: usize,
}

impl Item {
    /// What a function, a prototype or a variable (the first of several) is called. Nothing for
    /// types, and for pointers to functions.
    fn name(&self) -> Option<&str> {
        let head = self.text.get(..self.head)?;
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (mut depth, mut name, mut from) = (0, None, None);
        for (at, c) in significant(head) {
            if is_word(c) {
                from.get_or_insert(at);
                continue;
            }
            let word = from.take().map(|from| &head[from..at]);
            let attribute = word == Some("__attribute__");
            if depth == 0 && !attribute {
                name = word.or(name);
            }
            match c {
                '{' => return None,
                '(' if depth == 0 && !attribute => {
                    let pointer = head[at + 1..].trim_start().starts_with('*');
                    return name.filter(|_| !pointer);
                }
                '(' => depth += 1,
                ')' => depth -= 1,
                '[' | ',' | ';' if depth == 0 => return name,
                _ => {}
            }
        }
        from.map(|from| &head[from..]).or(name)
    }

    /// The item in the file that defines it, visible to the others.
    pub fn definition(&self) -> String {
        let (head, rest) = self.text.split_at(self.head.min(self.text.len()));
        match self.kind {
            Kind::Line => format!("{}\n", self.text),
            _ => format!("{}{rest}\n", without_static(head)),
        }
    }

    /// The item in the other files.
    pub fn declaration(&self) -> String {
        match self.kind {
            Kind::Line | Kind::Declaration => self.definition(),
            Kind::Function => {
                let head = self.text.get(..self.head).unwrap_or_default();
                format!("{};\n", without_static(head).trim_end())
            }
            Kind::Variable => format!(
                "extern {}\n",
                without_static(&without_initialisers(&self.text))
            ),
        }
    }
}

/// The functions and variables that the items seen so far declare, as far as each holds behind
/// the directives of the preprocessor in between.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    names: BTreeSet<String>,
    /// For each conditional that is open, the names in front of it.
    outer: Vec<BTreeSet<String>>,
}

impl Declared {
    /// Takes notice of an item, and tells whether it is the first that declares its name, as far as
    /// it has one.
    pub fn see(&mut self, item: &Item) -> bool {
        if item.kind == Kind::Line {
            self.directive(&item.text);
            return false;
        }
        item.name()
            .is_none_or(|name| self.names.insert(name.to_string()))
    }

    /// What one branch declares, no other and nothing behind the conditional knows.
    fn directive(&mut self, line: &str) {
        let Some(rest) = line.strip_prefix('#') else {
            return;
        };
        let rest = rest.trim_start();
        if rest.starts_with("if") {
            self.outer.push(self.names.clone());
        } else if rest.starts_with("endif") {
            self.names = self.outer.pop().unwrap_or_default();
        } else if rest.starts_with("el") {
            self.names = self.outer.last().cloned().unwrap_or_default();
        }
    }
}

/// Cuts a text of complete items. Braces in directives are not counted.
pub fn items(text: &str) -> Vec<Item> {
    let mut items = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let blank = rest.len() - rest.trim_start().len();
        if blank > 0 {
            at += blank;
            continue;
        }
        let item = if rest.starts_with('#') {
            line(rest)
        } else if rest.starts_with("/*") {
            comment(rest)
        } else {
            item(rest)
        };
        at += item.text.len().max(1);
        items.push(Item {
            text: item.text.trim_end().to_string(),
            ..item
        });
    }
    items
}

/// A directive with the lines that it is continued on.
fn line(text: &str) -> Item {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        end += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    whole(Kind::Line, &text[..end])
}

fn comment(text: &str) -> Item {
    let end = text.find("*/").map_or(text.len(), |i| i + 2);
    whole(Kind::Line, &text[..end])
}

fn whole(kind: Kind, text: &str) -> Item {
    Item {
        kind,
        text: text.to_string(),
        head: text.len(),
    }
}

fn item(text: &str) -> Item {
    let (mut depth, mut body, mut initialiser, mut called) = (0i32, None, None, false);
    let mut end = text.len();
    for (at, c) in significant(text) {
        match c {
            '{' if depth == 0 && called && initialiser.is_none() => {
                body.get_or_insert(at);
                depth += 1;
            }
            '(' | '[' | '{' => {
                called |= c == '(' && depth == 0;
                depth += 1;
            }
            ')' | ']' | '}' => {
                depth -= 1;
                if c == '}' && depth == 0 && body.is_some() {
                    end = at + 1;
                    break;
                }
            }
            '=' if depth == 0 => {
                initialiser.get_or_insert(at);
            }
            ';' if depth == 0 => {
                end = at + 1;
                break;
            }
            _ => {}
        }
    }
    let text = &text[..end];
    let declares_nothing = text.trim_end_matches(';').trim_end().ends_with('}');
    let shared = ["typedef", "extern", "_Static_assert", "enum"];
    let kind = match (body, initialiser) {
        (Some(_), _) => Kind::Function,
        _ if shared.iter().any(|word| text.starts_with(word)) => Kind::Declaration,
        (None, None) if called || declares_nothing => Kind::Declaration,
        _ => Kind::Variable,
    };
    Item {
        kind,
        text: text.to_string(),
        head: body.or(initialiser).unwrap_or(text.len()),
    }
}

/// The characters of a text that are in no comment, literal or directive.
fn significant(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let mut skip = 0;
    let mut line_start = true;
    text.char_indices().filter(move |&(at, c)| {
        if at < skip {
            return false;
        }
        let rest = &text[at..];
        if rest.starts_with("/*") {
            skip = at + rest.find("*/").map_or(rest.len(), |i| i + 2);
        } else if c == '"' || c == '\'' {
            skip = at + literal(rest, c);
        } else if c == '#' && line_start {
            skip = at + line(rest).text.len();
        } else {
            line_start = c == '\n' || line_start && c.is_whitespace();
            return true;
        }
        line_start = c == '#';
        false
    })
}

/// The length of a literal that begins with a quote.
fn literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

fn without_static(head: &str) -> String {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out = String::with_capacity(head.len());
    for piece in head.split_inclusive(|c| !word(c)) {
        if piece.trim_end_matches(|c| !word(c)) != "static" {
            out.push_str(piece);
        }
    }
    out
}

fn without_initialisers(text: &str) -> String {
    let (mut depth, mut skipping) = (0i32, false);
    let mut out = String::with_capacity(text.len());
    for (_, c) in significant(text) {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '=' if depth == 0 => skipping = true,
            ',' | ';' if depth == 0 => skipping = false,
            _ => {}
        }
        // An extent in brackets stays; an initialiser's text goes.
        if !skipping {
            out.push(c);
        }
    }
    out.replace(" ;", ";").replace(" ,", ",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declarations(text: &str) -> Vec<String> {
        items(text)
            .iter()
            .map(|i| i.declaration().trim_end().to_string())
            .collect()
    }

    #[test]
    fn definitions_become_declarations() {
        let text = "\
#define A(x) do { \\
  x; } while (0)
BA_UNUSED static BA_THREAD_LOCAL _Bool ba_p = 0;
static unsigned ba_a, ba_b[3] = { 1, 2 }, *ba_c = &(int){ 1 };
static void ba_f(int x);
typedef struct { int a; } ba_t;
struct ba_s { int a; };
#if BA_MODEL
/* It has a body; } */
static int ba_f(ba_t *x, ...) {
#if 1
  if (x) { return '}'; }
#endif
  return \"{\"[0];
}
#endif
";
        assert_eq!(
            declarations(text),
            [
                "#define A(x) do { \\\n  x; } while (0)",
                "extern BA_UNUSED BA_THREAD_LOCAL _Bool ba_p;",
                "extern unsigned ba_a, ba_b[3], *ba_c;",
                "void ba_f(int x);",
                "typedef struct { int a; } ba_t;",
                "struct ba_s { int a; };",
                "#if BA_MODEL",
                "/* It has a body; } */",
                "int ba_f(ba_t *x, ...);",
                "#endif",
            ]
        );
    }

    #[test]
    fn the_definition_is_no_longer_static() {
        let all = items(
            "BA_UNUSED static int ba_f(void) { static int x; return x; }\nstatic int ba_v = 1;",
        );
        let text: Vec<String> = all.iter().map(Item::definition).collect();
        assert_eq!(
            text,
            [
                "BA_UNUSED int ba_f(void) { static int x; return x; }\n",
                "int ba_v = 1;\n"
            ]
        );
    }

    #[test]
    fn a_name_is_declared_once() {
        let text = "\
static int ba_a = 1;
static void ba_f(int ba_a);
void ba_f(int ba_a) { (void)ba_a; }
__attribute__((constructor)) static void ba_g(void) { }
static int ba_a;
static void (*ba_h)(void), (*ba_i)(void);
struct { int a; } ba_t;
#if BA_MODEL
static unsigned ba_k[3];
static unsigned *ba_k;
#else
static unsigned ba_k;
#endif
static unsigned ba_k;
";
        let mut declared = Declared::default();
        let all = items(text);
        let new: Vec<&str> = all
            .iter()
            .filter(|item| declared.see(item))
            .map(|item| item.text.as_str())
            .collect();
        assert_eq!(all.len(), 14);
        assert_eq!(
            new,
            [
                "static int ba_a = 1;",
                "static void ba_f(int ba_a);",
                "__attribute__((constructor)) static void ba_g(void) { }",
                "static void (*ba_h)(void), (*ba_i)(void);",
                "struct { int a; } ba_t;",
                "static unsigned ba_k[3];",
                "static unsigned ba_k;",
                "static unsigned ba_k;",
            ]
        );
    }
}
