//! Lines of text that a program reads, for a search that looks for violations only: those that it compares what it reads with,
//! and numbers that make a difference to it. The functions of the library that take lines apart are executed as they are.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use cfront::allocations::called_name;
use cfront::literal::plain_text;
use cfront::span::ExprId;
use cfront::tree::{ExprKind, Parent, Tree};
use cfront::Unit;
use weave::heads::Heads;

use super::guesses::guessed;
use crate::flows::called;

/// The most lines.
const MOST: usize = 64;
/// The numbers of words of lines that have several.
const ROWS: [usize; 4] = [2, 3, 5, 9];
/// The most numbers, and the most single characters.
const FEW: usize = 16;
/// Functions that compare two strings.
const COMPARES: [&str; 7] = [
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "strstr",
    "memcmp",
    "strcoll",
];

/// Parts of the names of functions that find words, numbers or characters in a string.
const TAKES_APART: [&str; 10] = [
    "strtok", "strsep", "scanf", "strto", "atoi", "atol", "atof", "chr", "strstr", "spn",
];

/// The lines, and the sites where the program gets them.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// Where it is chosen whether there is a line, and which.
    begin: BTreeSet<u32>,
    /// Where the bytes of it are given.
    bytes: BTreeSet<u32>,
    texts: Vec<Vec<u8>>,
    /// Numbers that make a difference to the program.
    numbers: BTreeSet<i128>,
}

/// What lines are made from besides the program's strings.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// Numbers.
    pub numbers: BTreeSet<i128>,
    /// The codes of characters.
    pub characters: BTreeSet<i128>,
}

impl Parts {
    /// Those near a program's constants, where it is not known which of them make a difference to it.
    pub fn near(unit: &Unit) -> Parts {
        let tree = &unit.tree;
        let any = (i32::MIN.into(), i32::MAX.into());
        let characters = tree.exprs.iter().filter_map(|(_, e)| match e.kind {
            ExprKind::Char(value) if !e.unevaluated => value,
            _ => None,
        });
        Parts {
            numbers: guessed(tree, any).into_iter().collect(),
            characters: characters.collect(),
        }
    }
}

impl Lines {
    /// The lines of a program that reads lines at these sites; none if there are no such sites.
    pub fn of(unit: &Unit, heads: &Heads, sites: &BTreeSet<u32>, parts: &Parts) -> Lines {
        let mut out = Lines::default();
        let tree = &unit.tree;
        for (call, expr) in tree.exprs.iter() {
            let ExprKind::Call { callee, args, .. } = &expr.kind else {
                continue;
            };
            let chooses = called(tree, *callee).is_some_and(|f| {
                let name = &tree.functions[f].name;
                heads.own.choosers.iter().any(|c| c.function == *name)
            });
            let site = args.first().and_then(|a| cfront::consteval::eval(tree, *a));
            let site = site.and_then(|s| u32::try_from(s).ok());
            if let Some(site) = site.filter(|site| chooses && sites.contains(site)) {
                match is_stored(tree, Parent::Expr(call)) {
                    true => out.bytes.insert(site),
                    false => out.begin.insert(site),
                };
            }
        }
        let words = words(unit);
        out.texts = match takes_apart(unit) {
            true => texts(&words, parts),
            false => texts_as_wholes(&words),
        };
        if out.begin.is_empty() || out.texts.is_empty() {
            out = Lines::default();
        }
        out.numbers.clone_from(&parts.numbers);
        out
    }

    /// Numbers that make a difference to the program, the least ones first.
    pub(super) fn numbers(&self) -> impl Iterator<Item = i128> {
        let mut numbers: Vec<i128> = self.numbers.iter().copied().collect();
        numbers.sort_unstable_by_key(|n| n.unsigned_abs());
        numbers.into_iter()
    }

    /// Whether there are lines.
    pub fn are_some(&self) -> bool {
        !self.begin.is_empty()
    }

    /// Whether a site gives lines or their bytes.
    pub fn gives(&self, site: u32) -> bool {
        self.begin.contains(&site) || self.bytes.contains(&site)
    }

    /// C definitions for [`Lines::cases`].
    pub(super) fn tables(&self) -> String {
        if self.begin.is_empty() {
            return String::new();
        }
        let mut text = String::from("static const unsigned char *const ba_x_lines[] = {\n");
        for line in &self.texts {
            text.push_str("  (const unsigned char *)\"");
            for byte in line {
                let _ = write!(text, "\\{byte:03o}");
            }
            text.push_str("\",\n");
        }
        let numbers: Vec<String> = (0..=self.texts.len()).map(|n| n.to_string()).collect();
        let _ = write!(
            text,
            "}};\nstatic const long long ba_x_line_numbers[] = {{ {} }};\nstatic const unsigned char *ba_x_line = (const unsigned char *)\"\";\n\
             static long long ba_x_line_begins(void) {{\n  long long line = ba_x_choice(ba_x_line_numbers, {});\n  if (line) ba_x_line = ba_x_lines[line - 1];\n  return line != 0;\n}}\n\
             static long long ba_x_line_next(void) {{ return *ba_x_line ? *ba_x_line++ : 0; }}\n",
            numbers.join(", "),
            numbers.len()
        );
        text
    }

    /// Cases of a `switch` over sites.
    pub(super) fn cases(&self) -> String {
        let mut text = String::new();
        for site in &self.begin {
            let _ = writeln!(text, "    case {site}: return ba_x_line_begins();");
        }
        for site in &self.bytes {
            let _ = writeln!(text, "    case {site}: return ba_x_line_next();");
        }
        text
    }
}

/// Whether a value is stored by an assignment around it.
fn is_stored(tree: &Tree, mut at: Parent) -> bool {
    while let Parent::Expr(e) = at {
        if matches!(tree.exprs[e].kind, ExprKind::Assign { .. }) {
            return true;
        }
        at = tree.exprs[e].parent;
    }
    false
}

/// The strings that the program compares others with.
fn words(unit: &Unit) -> BTreeSet<Vec<u8>> {
    let tree = &unit.tree;
    let mut out = BTreeSet::new();
    for (call, expr) in tree.exprs.iter() {
        let (ExprKind::Call { args, .. }, Some(name)) = (&expr.kind, called_name(tree, call))
        else {
            continue;
        };
        if !COMPARES.contains(&name.trim_start_matches("__builtin_")) {
            continue;
        }
        for arg in args {
            let arg = &tree.exprs[tree.uncast(*arg)];
            if matches!(arg.kind, ExprKind::Str(_)) {
                out.extend(plain_text(arg.bare.of(unit.text())).map(String::into_bytes));
            }
        }
    }
    out
}

/// Whether the program seems to look for parts of lines: words in them, numbers, single characters other than their end.
fn takes_apart(unit: &Unit) -> bool {
    let tree = &unit.tree;
    let is_end = |arg: &ExprId| {
        let arg = &tree.exprs[tree.uncast(*arg)];
        let text = plain_text(arg.bare.of(unit.text()));
        text.is_some_and(|text| text.bytes().all(|b| matches!(b, b'\n' | b'\r')))
    };
    let finds = tree.exprs.iter().any(|(call, expr)| {
        let (ExprKind::Call { args, .. }, Some(name)) = (&expr.kind, called_name(tree, call))
        else {
            return false;
        };
        let cuts_end = name.ends_with("strcspn") && args.get(1).is_some_and(is_end);
        !cuts_end && TAKES_APART.iter().any(|part| name.contains(part))
    });
    let is_shown = |value: i128| u8::try_from(value).is_ok_and(|c| c.is_ascii_graphic());
    let mut names = tree.exprs.iter().filter(|(_, e)| !e.unevaluated);
    finds || names.any(|(_, e)| matches!(e.kind, ExprKind::Char(Some(c)) if is_shown(c)))
}

/// Lines of several words: the first or the last one again and again, and all in turn.
fn rows(words: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let words: Vec<&Vec<u8>> = words.iter().filter(|word| !word.is_empty()).collect();
    let mut out = Vec::new();
    for count in ROWS {
        for word in words.first().into_iter().chain(words.last()) {
            out.push(vec![word.as_slice(); count].join(&b' '));
        }
        let turn: Vec<&[u8]> = words.iter().take(count).map(|word| &word[..]).collect();
        out.push(turn.join(&b' '));
    }
    out
}

/// Some of many numbers: those at the ends of rows of consecutive ones first. Within a row, which may be all positions in a line, one
/// says as little as the next.
fn few(numbers: &BTreeSet<i128>) -> impl Iterator<Item = i128> {
    let within = |n: &i128| {
        let beside = [n.checked_sub(1), n.checked_add(1)];
        beside
            .iter()
            .all(|n| n.is_some_and(|n| numbers.contains(&n)))
    };
    let (inner, ends): (Vec<i128>, Vec<i128>) = numbers.iter().partition(|n| within(n));
    ends.into_iter().chain(inner).take(FEW)
}

/// Lines of words, numbers and characters, alone and with a number behind them, of several of them, and two others. A line ends with a line feed, but the last one of a
/// file need not.
fn texts(words: &BTreeSet<Vec<u8>>, parts: &Parts) -> Vec<Vec<u8>> {
    let numbers: Vec<String> = few(&parts.numbers).map(|n| n.to_string()).collect();
    let characters = parts.characters.iter();
    let characters = characters.filter_map(|c| u8::try_from(*c).ok().filter(u8::is_ascii_graphic));
    let characters: Vec<Vec<u8>> = characters.take(FEW).map(|c| vec![c]).collect();
    let numbers = || numbers.iter().map(|n| n.clone().into_bytes());
    let starts = || words.iter().cloned().chain(characters.iter().cloned());
    // "level " and "speed=" ask for what follows.
    let asks = |word: &Vec<u8>| word.last().is_some_and(|c| !c.is_ascii_alphanumeric());
    let asking: Vec<Vec<u8>> = words.iter().filter(|word| asks(word)).cloned().collect();
    let answered = numbers().flat_map(|n| asking.iter().map(move |word| [&word[..], &n].concat()));
    let others_with = |n: Vec<u8>| starts().map(move |word| [&word[..], b" ", &n].concat());
    let pairs = numbers().flat_map(others_with);
    let alone: Vec<Vec<u8>> = starts().chain(numbers()).chain(others()).collect();
    let plain = alone.iter().cloned().chain(answered);
    let plain = plain.chain(rows(&alone)).chain(pairs);
    ended_and_not(plain.collect())
}

/// Lines of words alone, and others.
fn texts_as_wholes(words: &BTreeSet<Vec<u8>>) -> Vec<Vec<u8>> {
    ended_and_not(words.iter().cloned().chain(others()).collect())
}

/// Lines that no program looks for: an empty one, and another.
fn others() -> impl Iterator<Item = Vec<u8>> {
    ["", "?"].into_iter().map(|other| other.as_bytes().to_vec())
}

/// Texts with a line feed behind them, and without.
fn ended_and_not(plain: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let ended = plain.iter().map(|line| match line.last() {
        Some(b'\n') => line.clone(),
        _ => [&line[..], b"\n"].concat(),
    });
    let mut out: Vec<Vec<u8>> = Vec::new();
    for line in ended.chain(plain.iter().cloned()) {
        if !line.is_empty() && out.len() < MOST && !out.contains(&line) {
            out.push(line);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn lines_that_are_only_compared_are_words() {
        let of = |text: &str| {
            let text = format!(
                "int strcmp(const char *, const char *); unsigned long strcspn(const char *, const char *); int atoi(const char *);\n\
                 int f(char *line) {{ {text} return strcmp(line, \"go\"); }}"
            );
            let unit = Unit::parse(cfront::Source::from_bytes(text.into_bytes())).unwrap();
            takes_apart(&unit)
        };
        assert!(!of("line[strcspn(line, \"\\n\")] = 0;"));
        assert!(of("line[strcspn(line, \" \")] = 0;"));
        assert!(of("if (atoi(line)) return 2;"));
        assert!(of("if (*line == 'q') return 2;"));
        let all = texts_as_wholes(&BTreeSet::from([b"go".to_vec()]));
        let all: Vec<_> = all.iter().map(|t| String::from_utf8_lossy(t)).collect();
        assert_eq!(all, ["go\n", "\n", "?\n", "go", "?"]);
    }

    #[test]
    fn words_stand_alone_and_with_numbers() {
        let parts = Parts {
            numbers: BTreeSet::from([-1, 7]),
            characters: BTreeSet::from([0, i128::from(b'q'), 300]),
        };
        let all = texts(&BTreeSet::from([b"buy".to_vec()]), &parts);
        for line in ["buy\n", "q\n", "7\n", "buy 7\n", "q -1\n", "buy"] {
            assert!(all.contains(&line.as_bytes().to_vec()), "{line:?}: {all:?}");
        }
        // What asks for a number has it right behind it; of many numbers, the ends of rows come first.
        let numbers = (-1..40).chain([90, 100]).collect();
        let parts = Parts {
            numbers,
            characters: BTreeSet::new(),
        };
        let asked = texts(&BTreeSet::from([b"level ".to_vec()]), &parts);
        for line in ["level -1\n", "level 39\n", "level 90\n", "level 100\n"] {
            assert!(
                asked.contains(&line.as_bytes().to_vec()),
                "{line:?}: {asked:?}"
            );
        }
        for line in ["buy buy buy\n", "? ? ? ? ?\n", "buy q -1\n"] {
            assert!(all.contains(&line.as_bytes().to_vec()), "{line:?}: {all:?}");
        }
    }
}
