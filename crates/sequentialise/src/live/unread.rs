//! A guess where arrays of a thread are not read before something fills them again, as `fgets` fills the buffer for a line. A search
//! that checks all reads may take what is in them for nothing there.
//!
//! It is no more than a guess: a line may be shorter than the one before, and at the end of the input there is none.

use std::collections::{BTreeMap, BTreeSet};

use cfront::library::{Contract, Input};

use super::{is_typed, mentions, pointed, texts, words, Numbers, Set, Through, Walk};
use crate::code::ThreadCode;
use crate::live::Mentions;
use crate::positions::Placed;

/// For each array of a thread, the positions at which it seems that nothing reads it before something fills it. Those that are read
/// everywhere are left out.
pub(crate) fn unread(thread: &ThreadCode, placed: &Placed) -> BTreeMap<usize, BTreeSet<usize>> {
    let Mentions(numbers) = Mentions::of(thread);
    let arrays = Arrays::of(thread, &numbers);
    if arrays.all.is_empty() {
        return BTreeMap::new();
    }
    let mut always = pointed(thread, &numbers);
    always.retain(|variable| !arrays.all.contains(variable));
    let walk = Walk {
        placed,
        numbers: &numbers,
        through: &Through::default(),
        always: &always,
        arrays: Some(&arrays),
    };
    let mut live = walk.fixpoint().at;
    // Nothing is read at the end.
    live.push(Set::new());
    let of = |array: usize| {
        let positions = live.iter().enumerate();
        let unread = positions.filter(|(_, live)| !live.contains(&array));
        unread.map(|(at, _)| at).collect::<BTreeSet<usize>>()
    };
    let all = arrays.all.iter().map(|&array| (array, of(array)));
    all.filter(|(_, positions)| positions.len() > 1).collect()
}

/// The arrays among a thread's variables.
pub(super) struct Arrays {
    all: Set,
    /// Those that a pointer may lead into.
    behind: BTreeMap<usize, Set>,
}

impl Arrays {
    fn of(thread: &ThreadCode, numbers: &Numbers) -> Arrays {
        let declared = |v: &usize| thread.variables[*v].declaration.as_str();
        let (all, others): (Set, Set) = (0..thread.variables.len()).partition(|v| {
            declared(v).contains('[')
                || declared(v).starts_with("struct ") && !declared(v).contains('*')
        });
        let pointers: Set = others
            .into_iter()
            .filter(|v| declared(v).contains('*'))
            .collect();
        let mut behind: BTreeMap<usize, Set> = BTreeMap::new();
        loop {
            let before = behind.clone();
            for text in thread.ops.iter().flat_map(|op| texts(&op.action)) {
                let Some((pointer, from)) = assigned(text, numbers) else {
                    continue;
                };
                if !pointers.contains(&pointer) {
                    continue;
                }
                for mention in mentions(from, numbers) {
                    let own = all.contains(&mention.variable).then_some(mention.variable);
                    let others = behind.get(&mention.variable).cloned().unwrap_or_default();
                    behind.entry(pointer).or_default().extend(others);
                    behind.entry(pointer).or_default().extend(own);
                }
            }
            if behind == before {
                return Arrays { all, behind };
            }
        }
    }

    /// Those that a variable is, or leads into.
    fn of_variable(&self, variable: usize) -> Set {
        match self.all.contains(&variable) {
            true => Set::from([variable]),
            false => self.behind.get(&variable).cloned().unwrap_or_default(),
        }
    }

    /// Those that a text reads.
    pub(super) fn read(&self, text: &str, numbers: &Numbers) -> Set {
        // A pointer to it is no read.
        let plain = |(_, from): &(usize, &str)| !from.contains('(') && !from.contains('*');
        if assigned(text, numbers).is_some_and(|of| plain(&of)) && words(text).count() == 2 {
            return Set::new();
        }
        let filled = self.filled(text, numbers);
        let all = mentions(text, numbers).flat_map(|m| self.of_variable(m.variable));
        all.filter(|array| Some(*array) != filled).collect()
    }

    /// The array that a call in a text fills, whatever is in it.
    pub(super) fn filled(&self, text: &str, numbers: &Numbers) -> Option<usize> {
        let arguments = mentions(text, numbers).filter_map(|mention| {
            let array = self.of_variable(mention.variable);
            let only = array.first().copied().filter(|_| array.len() == 1)?;
            let after = text[mention.to..].trim_start();
            let whole = after.starts_with([',', ')']);
            let (name, number) = argument(&text[..mention.from]).filter(|_| whole)?;
            fills(name, number).then_some(only)
        });
        let mut arguments = arguments;
        arguments.next()
    }
}

/// The variable of `v = ...;` and what it is assigned.
fn assigned<'t>(text: &'t str, numbers: &Numbers) -> Option<(usize, &'t str)> {
    let (target, from) = text.split_once('=')?;
    let target = target.trim_matches([' ', '(', ')', '{']);
    let is_equality = from.starts_with('=');
    let variable = numbers.get(target).filter(|_| !is_equality)?;
    Some((*variable, from))
}

/// The function of whose call an argument begins behind a text, and the argument's number.
fn argument(before: &str) -> Option<(&str, usize)> {
    let (mut depth, mut number) = (0, 0);
    for (at, c) in before.char_indices().rev() {
        match c {
            ')' => depth += 1,
            '(' if depth > 0 => depth -= 1,
            '(' => {
                let front = before[..at].trim_end();
                let name = front.rsplit(|c: char| !(c.is_alphanumeric() || c == '_'));
                let name = name.into_iter().next().filter(|name| !name.is_empty());
                match name {
                    Some(name) if !is_typed(&before[..=at]) => return Some((name, number)),
                    // Parentheses around the argument.
                    _ if number == 0 => {}
                    _ => return None,
                }
            }
            ',' if depth == 0 => number += 1,
            ';' | '{' | '}' => return None,
            _ => {}
        }
    }
    None
}

/// Whether a function of the library writes what this argument points to and does not read it.
fn fills(name: &str, argument: usize) -> bool {
    let Some(row) = cfront::library::with_arguments(name) else {
        return false;
    };
    let by_input = match row.input {
        Some(Input::Bytes(to, ..)) => argument == to,
        Some(Input::Values) => argument > 0,
        None => false,
    };
    let by_contract = match row.contract {
        Some(Contract::Copy { behind, .. }) => argument == 0 && !behind,
        Some(Contract::Print(_)) => argument == 0,
        Some(Contract::Values) => argument > 1,
        _ => false,
    };
    // What appends reads where the text ends.
    let appends = matches!(row.contract, Some(Contract::Copy { behind: true, .. }));
    by_input || by_contract || row.fills.is_some() && argument == 0 && !appends
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrays() -> (Arrays, Numbers<'static>) {
        let arrays = Arrays {
            all: Set::from([0]),
            behind: BTreeMap::from([(1, Set::from([0]))]),
        };
        (arrays, BTreeMap::from([("line", 0), ("p", 1), ("n", 2)]))
    }

    #[test]
    fn inputs_fill_what_they_get() {
        let (arrays, numbers) = arrays();
        for text in [
            "!(fgets(line, sizeof line, stdin))",
            "n = read(0, line, 16);",
            "n = scanf(\"%15s\", line);",
            "n = sscanf(other, \"%15s %d\", (line), &n);",
            "snprintf(line, sizeof line, \"%d\", n);",
            "fgets(p, n, stdin);",
            "strcpy(line, \"\");",
        ] {
            assert_eq!(arrays.filled(text, &numbers), Some(0), "{text}");
            assert!(arrays.read(text, &numbers).is_empty(), "{text}");
        }
        for text in [
            "strcmp(line, \"quit\") == 0",
            "n = sscanf(line, \"%d\", &n);",
            "strcat(line, \"\");",
            "p = strtok(line, \" \");",
            "n = line[0];",
            "fgets(line + n, 4, stdin);",
            "*p == 'q'",
        ] {
            assert_eq!(arrays.filled(text, &numbers), None, "{text}");
            assert_eq!(arrays.read(text, &numbers), Set::from([0]), "{text}");
        }
        assert!(arrays.read("p = line;", &numbers).is_empty());
    }
}
