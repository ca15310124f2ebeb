//! Numbers of the letter before: FRET's `preInt(0, x)` and `preReal(0.0, x)`, the first operand at the first letter and the
//! second operand's value at the letter before at each other one.
//!
//! A formula remembers the number at each letter and compares it at the next one: `G r` becomes `r' && G let pre_x = {x} in
//! X r''`, where `r'` has the first operand and `r''` the remembered number. That decides what is asked of letters one by
//! one, as *always* and *immediately* ask, and is refused elsewhere.

use crate::error::SentenceError;
use crate::expression::operand;
use ltl::{Arena, Atom, Id, Node, Style};
use std::ops::Range;

/// The functions that give the number of the letter before.
pub(crate) const FUNCTIONS: [&str; 2] = ["preInt", "preReal"];

/// A call of such a function in a C condition.
struct Call {
    span: Range<usize>,
    first: String,
    value: String,
}

/// The calls in a condition, in its order.
fn calls(text: &str) -> Vec<Call> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some((at, name)) = next(text, from) {
        let open = at + name.len();
        let (mut depth, mut comma, mut end) = (0usize, None, None);
        for (i, c) in text[open..].char_indices() {
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' => depth = depth.saturating_sub(1),
                ',' if depth == 1 => comma = comma.or(Some(open + i)),
                _ => {}
            }
            if depth == 0 {
                end = Some(open + i);
                break;
            }
        }
        if let (Some(comma), Some(end)) = (comma, end) {
            found.push(Call {
                span: at..end + 1,
                first: text[open + 1..comma].trim().to_owned(),
                value: text[comma + 1..end].trim().to_owned(),
            });
        }
        from = end.map_or(open, |end| end + 1);
    }
    found
}

/// The next call from a byte on, and its function.
fn next(text: &str, from: usize) -> Option<(usize, &'static str)> {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    let of = |name: &'static str| {
        let mut all = text[from..]
            .match_indices(name)
            .map(move |(at, _)| at + from);
        all.find(|&at| !text[..at].ends_with(in_word) && text[at + name.len()..].starts_with('('))
            .map(|at| (at, name))
    };
    FUNCTIONS.into_iter().filter_map(of).min()
}

/// The name under which a number is remembered.
fn name(value: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() { c } else { '_' };
    format!("pre_{}", value.chars().map(plain).collect::<String>())
}

/// A condition with something in place of each call.
fn replaced(text: &str, by: &dyn Fn(&Call) -> String) -> String {
    let mut out = String::new();
    let mut at = 0;
    for call in calls(text) {
        out.push_str(&text[at..call.span.start]);
        out.push_str(&by(&call));
        at = call.span.end;
    }
    out + &text[at..]
}

struct Writer<'a> {
    arena: &'a mut Arena,
    /// What is remembered, each with the name of the proposition that stands for it until the formula is printed.
    remembered: Vec<(String, String)>,
}

impl Writer<'_> {
    fn condition(&self, id: Id) -> Option<String> {
        match self.arena.node(id) {
            Node::Atom(atom) => match &self.arena.atoms()[atom.0 as usize] {
                Atom::Condition(text) if next(text, 0).is_some() => Some(text.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    fn looks_back(&self, root: Id) -> bool {
        let all = self.arena.postorder(root);
        all.into_iter().any(|id| self.condition(id).is_some())
    }

    /// The formula with something in place of each call.
    fn with(&mut self, root: Id, by: &dyn Fn(&Call) -> String) -> Id {
        let mut new = std::collections::HashMap::new();
        for id in self.arena.postorder(root) {
            let made = match self.condition(id) {
                Some(text) => {
                    let atom = self.arena.atom(Atom::Condition(replaced(&text, by)));
                    self.arena.make(Node::Atom(atom))
                }
                None => {
                    let node = self
                        .arena
                        .node(id)
                        .map_operands(&mut |operand| new[&operand]);
                    self.arena.make(node)
                }
            };
            new.insert(id, made);
        }
        new[&root]
    }

    /// The formula at the first letter, if it is about one letter alone.
    fn first(&mut self, root: Id) -> Id {
        self.with(root, &|call| operand(&call.first))
    }

    /// The formula in which the numbers of this letter are those of the letter before at the next one.
    fn remembering(&mut self, root: Id) -> Id {
        let mut values: Vec<String> = Vec::new();
        for id in self.arena.postorder(root) {
            let of = self.condition(id).map(|text| calls(&text));
            for call in of.into_iter().flatten() {
                if !values.contains(&call.value) {
                    values.push(call.value);
                }
            }
        }
        let mut formula = self.with(root, &|call| name(&call.value));
        for value in values.into_iter().rev() {
            let known = self
                .remembered
                .iter()
                .position(|(_, other)| *other == value);
            let number = known.unwrap_or_else(|| {
                let mark = format!("let{}#", self.remembered.len());
                self.remembered.push((mark, value));
                self.remembered.len() - 1
            });
            let atom = Atom::Name(self.remembered[number].0.clone());
            let atom = self.arena.atom(atom);
            let atom = self.arena.make(Node::Atom(atom));
            formula = self.arena.make(Node::Implies(atom, formula));
        }
        formula
    }

    /// Whether all calls are about the first letter. What else it asks of other letters does not matter.
    fn is_of_letter(&self, id: Id) -> bool {
        if !self.looks_back(id) {
            return true;
        }
        let node = self.arena.node(id);
        let plain = matches!(
            node,
            Node::Atom(_)
                | Node::Not(_)
                | Node::And(_)
                | Node::Or(_)
                | Node::Implies(..)
                | Node::Iff(..)
        );
        let operands: Vec<Id> = node.operands().collect();
        plain
            && operands
                .into_iter()
                .all(|operand| self.is_of_letter(operand))
    }

    /// Whether all calls are about the next letter.
    fn is_of_next(&self, id: Id) -> bool {
        if !self.looks_back(id) {
            return true;
        }
        match self.arena.node(id) {
            Node::Next(inner) => self.is_of_letter(*inner),
            Node::Not(_) | Node::And(_) | Node::Or(_) | Node::Implies(..) => {
                let operands: Vec<Id> = self.arena.node(id).operands().collect();
                operands.into_iter().all(|operand| self.is_of_next(operand))
            }
            _ => false,
        }
    }

    /// The formula at the first letter; `None` if numbers would have to be remembered for letters farther away.
    fn written(&mut self, root: Id) -> Option<Id> {
        if !self.looks_back(root) {
            return Some(root);
        }
        if self.is_of_letter(root) {
            return Some(self.first(root));
        }
        match self.arena.node(root).clone() {
            Node::And(operands) => {
                let all: Option<Vec<Id>> =
                    operands.into_iter().map(|id| self.written(id)).collect();
                Some(self.arena.make(Node::And(all?)))
            }
            Node::Implies(a, b) if !self.looks_back(a) => {
                let b = self.written(b)?;
                Some(self.arena.make(Node::Implies(a, b)))
            }
            Node::Globally(body) if self.is_of_letter(body) => {
                let first = self.first(body);
                let next = self.arena.make(Node::Next(body));
                let next = self.remembering(next);
                let always = self.arena.make(Node::Globally(next));
                Some(self.arena.make(Node::And(vec![first, always])))
            }
            Node::Globally(body) if self.is_of_next(body) => {
                let body = self.remembering(body);
                Some(self.arena.make(Node::Globally(body)))
            }
            Node::Next(_) if self.is_of_next(root) => Some(self.remembering(root)),
            _ => None,
        }
    }
}

/// The text of a formula in which numbers of the letter before are remembered.
///
/// # Errors
/// If the formula asks for them at letters that are not told one by one; the place is the whole sentence.
pub fn text(arena: &mut Arena, root: Id, sentence: &str) -> Result<String, SentenceError> {
    let mut writer = Writer {
        arena,
        remembered: Vec::new(),
    };
    let Some(root) = writer.written(root) else {
        let message = "numbers of the letter before are compared here at letters that are not asked one by one";
        let help = "`preInt` and `preReal` stand in the response of `always` and `immediately`; let a variable of the program keep the number, and compare with it";
        return Err(SentenceError::new(message, 0..sentence.len()).help(help));
    };
    let remembered = std::mem::take(&mut writer.remembered);
    let mut text = ltl::print(arena, root, Style::Ascii);
    for (mark, value) in remembered {
        let header = format!("let {} = {{{value}}} in ", name(&value));
        text = text.replace(&format!("\"{mark}\" -> "), &header);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Leaf;

    fn written(sentence: &str) -> Result<String, SentenceError> {
        let requirement = crate::parse(sentence, None).unwrap();
        let mut arena = Arena::new();
        let root = requirement.formula(&mut arena, &mut |leaf| match leaf {
            Leaf::Name(name) => Atom::Name(name.clone()),
            Leaf::Condition(text) => Atom::Condition(text.clone()),
        });
        text(&mut arena, root, sentence)
    }

    #[test]
    fn numbers_are_remembered_for_one_letter() {
        for (sentence, formula) in [
            (
                "The x shall always satisfy y >= preInt(0, y)",
                "{y >= 0} && G(let pre_y = {y} in X {y >= pre_y})",
            ),
            (
                "Whenever p the x shall immediately satisfy y - preInt(a + 1, y) <= preReal(0.5, s.z)",
                "(p -> {y - (a + 1) <= 0.5}) && G(let pre_y = {y} in let pre_s_z = {s.z} in X(p -> {y - pre_y <= pre_s_z}))",
            ),
            (
                "The x shall always satisfy preBool(false, p) => y = preInt(0, y)",
                "((Z false && false || Y p) -> {y == 0}) && G(let pre_y = {y} in X((Z false && false || Y p) -> {y == pre_y}))",
            ),
            (
                "When p, the x shall immediately satisfy y = preInt(0, y)",
                "(p -> {y == 0}) && G(let pre_y = {y} in (!p -> X(p -> {y == pre_y})))",
            ),
            (
                "In m mode the x shall always satisfy y = preInt(-1, f(y, 2))",
                "(m -> {y == (-1)}) && G(let pre_f_y__2_ = {f(y, 2)} in X(m -> {y == pre_f_y__2_}))",
            ),
            (
                "The x shall at the next timepoint satisfy y = preInt(0, y)",
                "let pre_y = {y} in X {y == pre_y}",
            ),
        ] {
            let mut found = written(sentence).unwrap();
            found.retain(|c| !matches!(c, '(' | ')'));
            let wanted: String = formula.chars().filter(|c| !matches!(c, '(' | ')')).collect();
            assert_eq!(found, wanted, "{sentence}");
            ltl::parse(&written(sentence).unwrap()).unwrap();
        }
        for sentence in [
            "When p, the x shall until q satisfy y = preInt(0, y)",
            "The x shall within 3 ticks satisfy y = preInt(0, y)",
            "Before m the x shall always satisfy y = preInt(0, y)",
            "The x shall always satisfy preBool(p, y = preInt(0, y))",
        ] {
            assert!(written(sentence).is_err(), "{sentence}");
        }
    }
}
