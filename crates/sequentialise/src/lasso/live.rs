//! Live variables of a thread at each position.
//!
//! The analysis works on the C texts of operations. A text that mentions a variable reads it,
//! unless the text has no branches and mentions the variable only once, as the target of an
//! assignment. Variable names are unique, so comparing identifiers suffices.

use std::collections::{BTreeMap, BTreeSet};

use crate::code::{Action, Label, ThreadCode};
use crate::positions::{Item, Placed};

type Set = BTreeSet<usize>;

/// For each position, the thread's variables (by index) whose values may be read later.
pub(crate) fn live(thread: &ThreadCode, placed: &Placed) -> Vec<Set> {
    let names = thread.variables.iter().enumerate();
    let numbers: BTreeMap<&str, usize> = names.map(|(n, v)| (v.name.as_str(), n)).collect();
    let always = pointed(thread, &numbers);
    let mut heads: BTreeMap<Label, Set> = BTreeMap::new();
    loop {
        let (at, now) = backwards(placed, &numbers, &heads);
        if now == heads {
            return at.into_iter().map(|s| &s | &always).collect();
        }
        heads = now;
    }
}

/// Variables whose address is taken.
fn pointed(thread: &ThreadCode, numbers: &BTreeMap<&str, usize>) -> Set {
    let mut found = Set::new();
    for op in &thread.ops {
        for text in texts(&op.action) {
            let mut before = "";
            for word in words(text) {
                if let Some(&n) = numbers.get(word) {
                    let declared = &thread.variables[n].declaration;
                    let scalar = !declared.contains('[');
                    // The text before the identifier, without opening parentheses.
                    let front = before.trim_end_matches([' ', '(']);
                    let address = front.ends_with('&') && !front.ends_with("&&");
                    if address || !scalar {
                        found.insert(n);
                    }
                }
                let end = word.as_ptr() as usize + word.len() - text.as_ptr() as usize;
                before = text.get(..end).unwrap_or_default();
                let next = &text[end..];
                let gap = next
                    .find(|c: char| c.is_alphanumeric() || c == '_')
                    .unwrap_or(next.len());
                before = text.get(..end + gap).unwrap_or(before);
            }
        }
    }
    found
}

fn backwards(
    placed: &Placed,
    numbers: &BTreeMap<&str, usize>,
    heads: &BTreeMap<Label, Set>,
) -> (Vec<Set>, BTreeMap<Label, Set>) {
    let mut positions = Vec::new();
    let mut now = Set::new();
    let mut labels: BTreeMap<Label, Set> = BTreeMap::new();
    let mut found = BTreeMap::new();
    for item in placed.items.iter().rev() {
        let op = match item {
            Item::Position(stop) => {
                let can = stop.waits.iter().map(|(can, _)| can);
                for condition in can.chain(&stop.must) {
                    now.extend(mentioned(condition, numbers));
                }
                positions.push(now.clone());
                continue;
            }
            Item::Op(op) => op,
        };
        match &op.action {
            Action::Label(label) => drop(labels.insert(*label, now.clone())),
            Action::Head(label) => drop(found.insert(*label, now.clone())),
            Action::Back(label) => now = heads.get(label).cloned().unwrap_or_default(),
            Action::Stop => now.clear(),
            Action::Jump { condition, to } => {
                let there = labels.get(to).cloned().unwrap_or_default();
                match condition {
                    None => now = there,
                    Some(condition) => {
                        now.extend(there);
                        now.extend(mentioned(condition, numbers));
                    }
                }
            }
            Action::Cut(text) => now = mentioned(text, numbers).collect(),
            Action::Check { holds, .. } => now.extend(mentioned(holds, numbers)),
            Action::Text(text) => {
                let set: Set = mentioned(text, numbers).collect();
                for variable in set {
                    match assigns(text, variable, numbers) {
                        true => drop(now.remove(&variable)),
                        false => drop(now.insert(variable)),
                    }
                }
            }
            _ => {}
        }
    }
    positions.reverse();
    (positions, found)
}

fn texts(action: &Action) -> impl Iterator<Item = &str> {
    let text = match action {
        Action::Text(text) | Action::Cut(text) => Some(text.as_str()),
        Action::Jump { condition, .. } => condition.as_deref(),
        Action::Stand { can: text, .. } | Action::Check { holds: text, .. } => Some(text.as_str()),
        _ => None,
    };
    text.into_iter()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    parts.filter(|w| !w.is_empty())
}

fn mentioned<'a>(
    text: &'a str,
    numbers: &'a BTreeMap<&str, usize>,
) -> impl Iterator<Item = usize> + 'a {
    words(text).filter_map(|word| numbers.get(word).copied())
}

/// Whether a text surely assigns the whole variable and does not read it.
fn assigns(text: &str, variable: usize, numbers: &BTreeMap<&str, usize>) -> bool {
    let branches = ["if", "for", "while", "do", "switch", "goto"];
    if words(text).any(|w| branches.contains(&w)) || text.contains(['?', '"', '\'']) {
        return false;
    }
    if text.contains("&&") || text.contains("||") {
        return false;
    }
    let mut places = words(text).filter(|w| numbers.get(w) == Some(&variable));
    let (Some(word), None) = (places.next(), places.next()) else {
        return false;
    };
    let start = word.as_ptr() as usize - text.as_ptr() as usize;
    let before = text[..start].trim_end();
    let after = text[start + word.len()..].trim_start();
    let begins = before.is_empty() || before.ends_with([';', '{']);
    begins && after.starts_with('=') && !after.starts_with("==")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_assignments_end_lives() {
        let numbers = BTreeMap::from([("x", 0), ("y", 1)]);
        let kills = |text| assigns(text, 0, &numbers);
        assert!(kills("x = y;"));
        assert!(kills("{ int v; x = v; }"));
        for text in [
            "x = x + 1;",
            "x == y;",
            "x += 1;",
            "if (y) x = 1;",
            "y ? x = 1 : 0;",
            "x[0] = 1;",
            "x.a = 1;",
            "*x = 1;",
            "y = x = 1;",
            "y && (x = 1);",
        ] {
            assert!(!kills(text), "{text}");
        }
    }
}
