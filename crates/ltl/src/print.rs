//! From formulas to text.

use crate::glued;
use crate::operator::Binary;
use crate::pattern::times;
use crate::reserved::{is_past_letter, is_reserved, MAX_TEXT};
use crate::token::{continues_word, starts_word};
use crate::{Arena, Atom, AtomId, Bounded, Id, Interval, Matching, Node, Part, Pattern};
use std::borrow::Cow;
use std::collections::HashSet;

/// How operators are written. The parser reads all of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Style {
    /// `G(r -> F a)`, as in Spot and in this project's pages.
    Ascii,
    /// `[](r -> <>a)`, as in SPIN and ltl2ba, with `V` for release.
    Spin,
    /// `□(r → ◇a)`, as in books.
    Unicode,
}

/// Which parentheses are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parentheses {
    /// Those that the grammar needs, and those without which tools would disagree.
    Needed,
    /// Those around every infix operator inside another formula.
    All,
}

/// The text of a formula, with only those parentheses that the grammar needs or that make all tools agree: the
/// parser reads the text back as the same formula, without a warning.
///
/// The text does not share subformulas. If it would be longer than the parser reads, [`MAX_TEXT`], it is cut
/// with `…`, so that time and memory stay bounded; a cut text is not a formula.
pub fn print(arena: &Arena, root: Id, style: Style) -> String {
    print_bounded(arena, root, style, MAX_TEXT)
}

/// Like [`print()`], cut with `…` after about `limit` bytes: for messages.
pub fn print_bounded(arena: &Arena, root: Id, style: Style, limit: usize) -> String {
    Printer::new(arena, root, style, Parentheses::Needed).print(root, limit)
}

/// Like [`print_bounded`], with parentheses around every infix operator but the outermost.
pub fn print_parenthesised(arena: &Arena, root: Id, style: Style, limit: usize) -> String {
    Printer::new(arena, root, style, Parentheses::All).print(root, limit)
}

/// The letter of a bounded operator, in all styles.
fn letter(operator: Bounded) -> &'static str {
    match operator {
        Bounded::Next => "X",
        Bounded::Finally => "F",
        Bounded::Globally => "G",
        Bounded::Until => "U",
        Bounded::Once => "O",
        Bounded::Historically => "H",
        Bounded::Since => "S",
    }
}

/// The bounds of an operator in brackets.
fn bounds(operator: Bounded, Interval { from, to }: Interval, timed: bool) -> String {
    let unit = if timed { " ticks" } else { "" };
    match to {
        _ if operator == Bounded::Next => format!("[{from}]"),
        None => format!("[>={from}{unit}]"),
        Some(to) if from == 0 => format!("[<={to}{unit}]"),
        Some(to) => format!("[{from},{to}{unit}]"),
    }
}

fn is_timed(node: &Node) -> bool {
    matches!(node, Node::Timed(..))
}

/// A number of letters, as it is compared.
fn often(Interval { from, to }: Interval) -> String {
    match to {
        None => format!(">={from}"),
        Some(to) if from == to => format!("={to}"),
        Some(to) if from == 0 => format!("<={to}"),
        Some(to) => format!("{from},{to}"),
    }
}

/// What is still to be written.
#[derive(Clone)]
enum Item {
    Text(Cow<'static, str>),
    Formula(Id),
}

struct Printer<'a> {
    arena: &'a Arena,
    style: Style,
    parentheses: Parentheses,
    names: HashSet<&'a str>,
    /// Whether the formula has past operators, so that their letters are no plain names.
    past: bool,
}

impl<'a> Printer<'a> {
    fn new(arena: &'a Arena, root: Id, style: Style, parentheses: Parentheses) -> Self {
        let names = arena
            .atoms_of(root)
            .into_iter()
            .filter_map(|atom| match arena.atoms().get(atom.0 as usize) {
                Some(Atom::Name(name)) => Some(name.as_str()),
                _ => None,
            })
            .collect();
        Printer {
            arena,
            style,
            parentheses,
            names,
            past: arena.has_past(root),
        }
    }

    fn print(&self, root: Id, limit: usize) -> String {
        let mut out = String::new();
        let mut stack = vec![Item::Formula(root)];
        while let Some(item) = stack.pop() {
            match item {
                Item::Text(text) => out.push_str(&text),
                Item::Formula(id) => self.formula(id, &mut out, &mut stack),
            }
            if out.len() > limit {
                let end = (0..=limit)
                    .rev()
                    .find(|&i| out.is_char_boundary(i))
                    .unwrap_or(0);
                out.truncate(end);
                out.push('…');
                break;
            }
        }
        out
    }

    /// Writes the first part of a formula and pushes the rest on the stack.
    fn formula(&self, id: Id, out: &mut String, stack: &mut Vec<Item>) {
        let node = self.arena.node(id);
        match node {
            Node::True => out.push_str("true"),
            Node::False => out.push_str("false"),
            Node::Atom(atom) => self.atom(*atom, out),
            Node::Not(a)
            | Node::Next(a)
            | Node::Finally(a)
            | Node::Globally(a)
            | Node::Previous(a)
            | Node::WeakPrevious(a)
            | Node::Once(a)
            | Node::Historically(a) => {
                out.push_str(self.unary(node));
                self.unary_operand(node, *a, stack);
            }
            Node::Within(operator, interval, operands)
            | Node::Timed(operator, interval, operands)
                if operands.len() == 1 =>
            {
                out.push_str(letter(*operator));
                out.push_str(&bounds(*operator, *interval, is_timed(node)));
                self.unary_operand(node, operands[0], stack);
            }
            Node::Often(window, times, operand) => {
                let window = bounds(Bounded::Once, *window, false);
                out.push_str(&format!("O[{} in {}", often(*times), &window[1..]));
                self.unary_operand(node, *operand, stack);
            }
            Node::Sequence(matching, pattern, operands) => {
                self.sequence(*matching, pattern, operands, stack);
            }
            // The parser never makes these; the neutral elements have their meaning.
            Node::And(all) if all.is_empty() => out.push_str("true"),
            Node::Or(all) if all.is_empty() => out.push_str("false"),
            _ => self.infix(node, stack),
        }
    }

    fn unary_operand(&self, node: &Node, operand: Id, stack: &mut Vec<Item>) {
        let wrap = self.infix_of(operand).is_some() || self.is_behind(operand);
        let letters = self
            .unary(node)
            .ends_with(|c: char| c.is_ascii_alphabetic());
        let bounded = matches!(node, Node::Within(..) | Node::Timed(..) | Node::Often(..));
        self.push(operand, wrap, stack);
        if (letters || bounded) && !wrap {
            stack.push(Item::Text(" ".into()));
        }
    }

    /// Pushes the operands of an infix operator, the last one first.
    fn infix(&self, node: &Node, stack: &mut Vec<Item>) {
        let Some(op) = Binary::of(node) else { return };
        let last = node.operands().count() - 1;
        for (i, operand) in node
            .operands()
            .enumerate()
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
        {
            let wrap = self.infix_of(operand).is_some_and(|inner| {
                // An n-ary operator with one operand prints as that operand.
                last > 0 && self.needs_parentheses(op, inner, i == 0)
            }) || self.is_behind(operand);
            self.push(operand, wrap, stack);
            if i > 0 {
                stack.push(Item::Text(match node {
                    Node::Within(operator, interval, _) | Node::Timed(operator, interval, _) => {
                        let bounds = bounds(*operator, *interval, is_timed(node));
                        format!(" {}{bounds} ", letter(*operator)).into()
                    }
                    _ => self.binary(op).into(),
                }));
            }
        }
    }

    /// Pushes a sequence in braces, and the formula behind it.
    fn sequence(&self, matching: Matching, pattern: &Pattern, all: &[Id], stack: &mut Vec<Item>) {
        let letters = match all.split_last() {
            Some((behind, letters)) if matching.has_formula() => {
                let wrap = self.parentheses == Parentheses::All && self.infix_of(*behind).is_some();
                self.push(*behind, wrap, stack);
                letters
            }
            _ => all,
        };
        stack.push(Item::Text(matching.sign().into()));
        stack.push(Item::Text("}".into()));
        let of = |part, operands| self.part(part, operands, letters);
        let (items, _) = pattern.fold(of).unwrap_or_default();
        stack.extend(items.into_iter().rev());
        stack.push(Item::Text("{".into()));
    }

    /// A part of a pattern, and whether it stands in parentheses beside others.
    fn part(
        &self,
        part: Part,
        operands: Vec<(Vec<Item>, bool)>,
        letters: &[Id],
    ) -> (Vec<Item>, bool) {
        let text = |text: &'static str| Item::Text(text.into());
        let sign = match part {
            Part::Letter(number) => {
                let Some(&letter) = letters.get(number as usize) else {
                    return (vec![text("?")], false);
                };
                let mut items = Vec::new();
                let wrap = self.infix_of(letter).is_some();
                self.push(letter, wrap, &mut items);
                items.reverse();
                return (items, false);
            }
            Part::Then(_) => "; ",
            Part::Fusion => " : ",
            Part::Either(_) => " | ",
            Part::Both(_) => " && ",
            Part::Along => " & ",
            Part::Repeat(_) | Part::Goto(_) | Part::Times(_) => "",
        };
        let mut items = Vec::new();
        for (number, (operand, wrap)) in operands.into_iter().enumerate() {
            if number > 0 {
                items.push(text(sign));
            }
            match wrap {
                true => items.extend([vec![text("(")], operand, vec![text(")")]].concat()),
                false => items.extend(operand),
            }
        }
        let repetition = match part {
            Part::Repeat(interval) => format!("[*{}]", times(interval)),
            Part::Goto(interval) => format!("[->{}]", times(interval)),
            Part::Times(interval) => format!("[={}]", times(interval)),
            _ => return (items, true),
        };
        items.push(Item::Text(
            repetition
                .replace("[=]", "[=0:]")
                .replace("[->]", "[->0:]")
                .into(),
        ));
        (items, false)
    }

    /// Whether it is a sequence with a formula behind it, which ends where the formula around it ends.
    fn is_behind(&self, id: Id) -> bool {
        matches!(self.arena.node(id), Node::Sequence(matching, ..) if matching.has_formula())
    }

    fn push(&self, operand: Id, wrap: bool, stack: &mut Vec<Item>) {
        if wrap {
            stack.push(Item::Text(")".into()));
        }
        stack.push(Item::Formula(operand));
        if wrap {
            stack.push(Item::Text("(".into()));
        }
    }

    /// The infix operator at the root of the printed text; an n-ary operator with one operand is skipped.
    fn infix_of(&self, mut id: Id) -> Option<Binary> {
        loop {
            match self.arena.node(id) {
                Node::And(all) | Node::Or(all) if all.is_empty() => return None,
                Node::And(all) | Node::Or(all) if all.len() == 1 => id = all[0],
                node => return Binary::of(node),
            }
        }
    }

    fn needs_parentheses(&self, op: Binary, inner: Binary, first: bool) -> bool {
        self.parentheses == Parentheses::All
            || inner.precedence() < op.precedence()
            // Within `&&`, an `&&` in parentheses is another formula than one without.
            || inner.precedence() == op.precedence() && (first || op.is_nary())
            || op.mixes_with(inner, first)
    }

    fn unary(&self, node: &Node) -> &'static str {
        match (node, self.style) {
            (Node::Not(_), Style::Unicode) => "¬",
            (Node::Not(_), _) => "!",
            (Node::Next(_), Style::Unicode) => "○",
            (Node::Next(_), _) => "X",
            (Node::Finally(_), Style::Ascii) => "F",
            (Node::Finally(_), Style::Spin) => "<>",
            (Node::Finally(_), Style::Unicode) => "◇",
            // There are no other signs that several tools share.
            (Node::Previous(_), _) => "Y",
            (Node::WeakPrevious(_), _) => "Z",
            (Node::Once(_), _) => "O",
            (Node::Historically(_), _) => "H",
            (_, Style::Ascii) => "G",
            (_, Style::Spin) => "[]",
            (_, Style::Unicode) => "□",
        }
    }

    fn binary(&self, op: Binary) -> &'static str {
        let unicode = self.style == Style::Unicode;
        match op {
            Binary::Implies if unicode => " → ",
            Binary::Iff if unicode => " ↔ ",
            Binary::Or if unicode => " ∨ ",
            Binary::And if unicode => " ∧ ",
            Binary::Implies => " -> ",
            Binary::Iff => " <-> ",
            // Printed as the negation that it is.
            Binary::Xor => " xor ",
            Binary::Or => " || ",
            Binary::And => " && ",
            Binary::Until => " U ",
            Binary::Release if self.style == Style::Spin => " V ",
            Binary::Release => " R ",
            Binary::WeakUntil => " W ",
            Binary::StrongRelease => " M ",
            Binary::Since => " S ",
            Binary::BackTo => " B ",
            // Between formulas, there are no such operators.
            Binary::Then | Binary::Fusion | Binary::Along => " ",
        }
    }

    fn atom(&self, atom: AtomId, out: &mut String) {
        match self.arena.atoms().get(atom.0 as usize) {
            Some(Atom::Name(name)) if self.is_plain(name) => out.push_str(name),
            Some(Atom::Name(name)) => {
                out.push('"');
                for c in name.chars() {
                    if matches!(c, '"' | '\\') {
                        out.push('\\');
                    }
                    out.push(c);
                }
                out.push('"');
            }
            Some(Atom::Condition(text)) => {
                out.push('{');
                out.push_str(text);
                out.push('}');
            }
            // An id of another arena: the text must not be read as a formula.
            None => out.push('?'),
        }
    }

    /// Whether the parser reads the bare name as this proposition without a warning.
    fn is_plain(&self, name: &str) -> bool {
        let split = glued::split(name, None, &self.names);
        name.starts_with(starts_word)
            && name.chars().all(continues_word)
            && !is_reserved(name)
            && !(self.past && is_past_letter(name))
            && !split.doubtful
            && !(self.past && ends_with_past_letter(name))
    }
}

/// Whether a name consists of operator letters and the letter of a past operator, as `FB`: where that operator
/// occurs, the parser takes its letter for a proposition that the formula names.
fn ends_with_past_letter(name: &str) -> bool {
    let past = ["Y", "Z", "O", "H", "S", "B"].into_iter().collect();
    glued::split(name, None, &past).doubtful
}
