//! Operator precedence parsing with explicit stacks, so that no nesting overflows the call stack.

mod advice;
mod counts;
mod lets;
mod sequences;

use crate::error::{shorten, Doubt, ParseError, Warning};
use crate::glued;
use crate::lexer::{tokens, Token};
use crate::operator::{Binary, Bounds, Unary};
use crate::pattern::Piece;
use crate::print::{print_parenthesised, Style};
use crate::remembered::{placed, Remembered};
use crate::reserved::{constant, infix_letter, is_reserved, past_infix_letter, MAX_TEXT};
use crate::token::Kind;
use crate::{Arena, Atom, AtomId, Bounded, Id, Interval, Matching, Node, Pattern};
use std::collections::HashSet;
use std::ops::Range;

/// The most warnings about one text.
const MAX_WARNINGS: usize = 20;

/// The longest reading that a warning shows, in bytes.
const MAX_READING: usize = 2000;

/// A formula with its own arena.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The arena of the formula and its propositions.
    pub arena: Arena,
    /// The formula.
    pub root: Id,
    /// Places that other tools may read differently, from left to right.
    pub warnings: Vec<Warning>,
    /// Each occurrence of a proposition with its bytes, quotes and braces included.
    pub occurrences: Vec<(AtomId, Range<usize>)>,
    /// The values that it remembers.
    pub remembered: Vec<Remembered>,
}

/// A formula that was added to an arena.
#[derive(Clone, Debug)]
pub struct ParsedInto {
    /// The formula.
    pub root: Id,
    /// Places that other tools may read differently, from left to right.
    pub warnings: Vec<Warning>,
    /// Each occurrence of a proposition with its bytes, quotes and braces included.
    pub occurrences: Vec<(AtomId, Range<usize>)>,
    /// The values that it remembers.
    pub remembered: Vec<Remembered>,
}

/// Reads a formula. The syntax is described on the page about the command line, under "Spec".
///
/// # Errors
/// The first token that does not fit, or a text longer than [`MAX_TEXT`].
pub fn parse(text: &str) -> Result<Parsed, ParseError> {
    let mut arena = Arena::new();
    let ParsedInto {
        root,
        warnings,
        occurrences,
        remembered,
    } = parse_into(&mut arena, text, None)?;
    Ok(Parsed {
        arena,
        root,
        warnings,
        occurrences,
        remembered,
    })
}

/// Reads a formula into an arena, so that several formulas share their propositions. `declared` has the names
/// of all propositions, if they are known: then no word such as `Fp0` is guessed at.
///
/// # Errors
/// As [`parse`]. The arena may have grown nevertheless.
pub fn parse_into(
    arena: &mut Arena,
    text: &str,
    declared: Option<&HashSet<String>>,
) -> Result<ParsedInto, ParseError> {
    if text.len() > MAX_TEXT {
        let found = format!("{} bytes", text.len());
        let expected = format!("a formula of at most {MAX_TEXT} bytes");
        return Err(ParseError::new(found, expected, 0..0));
    }
    let tokens = tokens(text)?;
    Parser {
        arena,
        text,
        declared,
        spoken: tokens
            .iter()
            .filter(|t| t.kind == Kind::Word)
            .map(|t| &text[t.span.clone()])
            .filter(|word| !is_reserved(word))
            .collect(),
        doubted: HashSet::new(),
        tokens,
        at: 0,
        operands: Vec::new(),
        pending: Vec::new(),
        sequences: 0,
        warnings: Vec::new(),
        occurrences: Vec::new(),
        remembered: Vec::new(),
    }
    .run()
}

/// What was read: a formula, or, within a sequence, a pattern of letters.
#[derive(Clone)]
enum Body {
    Formula(Id),
    Pattern(Vec<Piece>),
}

/// A complete operand that waits for its operator.
struct Operand {
    body: Body,
    span: Range<usize>,
    /// The infix operator at its root, unless it is in parentheses.
    bare: Option<Binary>,
    /// A mixture in it that is not reported yet, because it may be part of a larger one.
    mixture: Option<(Binary, Binary)>,
}

/// An operator or parenthesis that waits for operands.
enum Pending {
    Open(usize),
    Unary(Unary, Option<Bounds>, usize),
    /// An infix operator, and the number of operands on its left.
    Binary(Binary, Option<Bounds>, usize),
    /// `F` or `O` with the times and the window.
    Often(Unary, Interval, Interval, usize),
    /// The brace of a sequence.
    Sequence(usize),
    /// A sequence that waits for the formula behind it, with the formulas of its letters.
    Behind(Matching, Pattern, Vec<Id>, usize),
    /// A remembered value, by its number, that waits for the formula in which it is read.
    Let(usize, usize),
}

struct Parser<'a> {
    arena: &'a mut Arena,
    text: &'a str,
    declared: Option<&'a HashSet<String>>,
    spoken: HashSet<&'a str>,
    /// The words that have a warning already.
    doubted: HashSet<&'a str>,
    tokens: Vec<Token>,
    at: usize,
    operands: Vec<Operand>,
    pending: Vec<Pending>,
    /// The number of sequences that are open.
    sequences: usize,
    warnings: Vec<Warning>,
    occurrences: Vec<(AtomId, Range<usize>)>,
    remembered: Vec<Remembered>,
}

impl<'a> Parser<'a> {
    fn run(mut self) -> Result<ParsedInto, ParseError> {
        let mut operand_next = true;
        while self.at < self.tokens.len() {
            operand_next = if operand_next {
                self.operand()?
            } else {
                self.operator()?
            };
            self.at += 1;
        }
        if operand_next {
            return Err(self.unexpected("a formula"));
        }
        self.reduce_all()?;
        match self.pending.last() {
            Some(&Pending::Open(open)) => {
                return Err(self
                    .unexpected("an operator or `)`")
                    .beside(open..open + 1, "this parenthesis is not closed"));
            }
            Some(&Pending::Sequence(open)) => {
                return Err(self
                    .unexpected("`}`")
                    .beside(open..open + 1, "the sequence begins here"));
            }
            _ => {}
        }
        let Some(mut last) = self.operands.pop() else {
            return Err(self.unexpected("a formula"));
        };
        let Body::Formula(root) = last.body else {
            return Err(self.unexpected("a formula"));
        };
        self.report_mixture(&mut last);
        self.warnings.sort_by_key(|w| w.span.start);
        let root = placed(self.arena, root, &mut self.remembered)?;
        Ok(ParsedInto {
            root,
            warnings: self.warnings,
            occurrences: self.occurrences,
            remembered: self.remembered,
        })
    }

    fn word(&self, span: &Range<usize>) -> &'a str {
        &self.text[span.clone()]
    }

    /// Handles the current token where a formula must begin; returns whether one must still begin after it.
    fn operand(&mut self) -> Result<bool, ParseError> {
        let Token { kind, span } = self.tokens[self.at].clone();
        match kind {
            Kind::Open => self.pending.push(Pending::Open(span.start)),
            Kind::Unary(op) => self.push_unary(op, span.start)?,
            Kind::Word => return self.word_operand(span),
            Kind::Constant(value) => {
                self.push(if value { Node::True } else { Node::False }, span)?;
                return Ok(false);
            }
            Kind::Quoted(name) => {
                self.push_atom(Atom::Name(name), span)?;
                return Ok(false);
            }
            Kind::Condition(text) => {
                match self.compared(&text, &span) {
                    Some(atom) => self.push(Node::Atom(atom), span)?,
                    None => self.push_atom(Atom::Condition(text), span)?,
                }
                return Ok(false);
            }
            Kind::Let(header) => self.open_let(&header, span)?,
            Kind::OpenSequence => self.open_sequence(span.start),
            Kind::Repetition(part) => {
                self.repeat_any(part, span)?;
                return Ok(false);
            }
            Kind::Binary(_)
            | Kind::Interval(_)
            | Kind::Often(..)
            | Kind::Close
            | Kind::Semicolon
            | Kind::CloseSequence
            | Kind::Behind(_) => {
                return Err(self.unexpected("a formula"));
            }
        }
        Ok(true)
    }

    /// A prefix operator, with the bounds that follow it.
    fn push_unary(&mut self, op: Unary, start: usize) -> Result<(), ParseError> {
        if let Some(often) = self.often(op)? {
            self.pending.push(often);
            return Ok(());
        }
        let bounds = self.bounds(op.bounded())?;
        self.pending.push(Pending::Unary(op, bounds, start));
        Ok(())
    }

    /// The bounds behind the current token, if there are any.
    fn bounds(&mut self, bounded: Option<Bounded>) -> Result<Option<Bounds>, ParseError> {
        let next = self.tokens.get(self.at + 1);
        let Some(Token {
            kind: Kind::Interval(bounds),
            ..
        }) = next
        else {
            return Ok(None);
        };
        let bounds = *bounds;
        let interval = bounds.interval;
        self.at += 1;
        let help = match bounded {
            None => "the operators with bounds are X, F, G, U, O, H and S",
            Some(Bounded::Next) if interval.to != Some(interval.from) => {
                "next has one number, as in `X[3]`; `F[2,5]` is somewhere from the second to the fifth letter"
            }
            Some(operator) if operator != Bounded::Next && self.is_single(interval) => {
                "a single number can be read in two ways: write `[<=5]` or `[5,5]`"
            }
            Some(Bounded::Next) if bounds.ticks => {
                "next counts letters: no letter need be so many ticks away"
            }
            Some(_) => return Ok(Some(bounds)),
        };
        Err(ParseError {
            help: Some(help.to_owned()),
            ..self.unexpected("an operator with such bounds")
        })
    }

    /// Whether the current token has just one number, without a sign.
    fn is_single(&self, interval: Interval) -> bool {
        let text = self.tokens.get(self.at).map(|t| self.word(&t.span));
        interval.to == Some(interval.from) && text.is_some_and(|t| !t.contains([',', '<', '>']))
    }

    /// A word where a formula must begin: a constant, operators, a proposition, or both.
    fn word_operand(&mut self, span: Range<usize>) -> Result<bool, ParseError> {
        let word = self.word(&span);
        let is_declared = self.declared.is_some_and(|names| names.contains(word));
        if let Some(value) = constant(word).filter(|_| !is_declared || word == word.to_lowercase())
        {
            self.push(if value { Node::True } else { Node::False }, span)?;
            return Ok(false);
        }
        if infix_letter(word).is_some() {
            return Err(self.unexpected("a formula"));
        }
        if glued::is_operators(word) && !(word.len() > 1 && is_declared) {
            self.push_letters(word, span.start)?;
            return Ok(true);
        }
        if word == "not" && self.operand_follows() {
            self.push_unary(Unary::Not, span.start)?;
            return Ok(true);
        }
        if let Some(op) = Unary::past_from_word(word).filter(|_| !is_declared) {
            if self.operand_follows() {
                self.push_unary(op, span.start)?;
                return Ok(true);
            }
        }
        let split = glued::split(word, self.declared, &self.spoken);
        let (letters, name) = word.split_at(split.operators);
        self.push_letters(letters, span.start)?;
        if split.doubtful && self.doubted.insert(word) {
            let spaced = letters.chars().map(|l| format!("{l} ")).collect::<String>();
            let reading = shorten(&(spaced + name), MAX_READING);
            self.warn(Warning {
                span: span.clone(),
                doubt: Doubt::Glued,
                reading,
            });
        }
        self.push_atom(
            Atom::Name(name.to_owned()),
            span.start + letters.len()..span.end,
        )?;
        Ok(false)
    }

    fn push_letters(&mut self, letters: &str, start: usize) -> Result<(), ParseError> {
        let ops: Vec<Unary> = letters.chars().filter_map(Unary::from_letter).collect();
        let Some((last, others)) = ops.split_last() else {
            return Ok(());
        };
        let others = others.iter().enumerate();
        self.pending
            .extend(others.map(|(i, op)| Pending::Unary(*op, None, start + i)));
        self.push_unary(*last, start + ops.len() - 1)
    }

    /// Whether the next token begins a formula, so that a `not` or `H` before it is an operator.
    fn operand_follows(&self) -> bool {
        self.begins_operand(self.at + 1)
    }

    /// Whether the token at an index begins a formula. `S` and `B` do not if they can be infix operators there,
    /// that is, if a formula begins after them: in `O S p` the `O` is a proposition, in `O S` the `S` is.
    fn begins_operand(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|t| match t.kind {
            Kind::Word => {
                let word = self.word(&t.span);
                let infix = past_infix_letter(word).is_some() && self.is_start(at + 1);
                infix_word(word).is_none() && !infix
            }
            _ => t.kind.begins_formula(),
        })
    }

    /// Whether the token at an index can begin a formula.
    fn is_start(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|t| match t.kind {
            Kind::Word => infix_word(self.word(&t.span)).is_none(),
            _ => t.kind.begins_formula(),
        })
    }

    /// Handles the current token after a formula; returns whether another one must follow.
    fn operator(&mut self) -> Result<bool, ParseError> {
        let Token { kind, span } = self.tokens[self.at].clone();
        let op = match kind {
            Kind::Binary(op) => op,
            Kind::Word => {
                match infix_word(self.word(&span)).or_else(|| past_infix_letter(self.word(&span))) {
                    Some(op) => op,
                    None => return Err(self.no_operator()),
                }
            }
            Kind::Close => return self.close(span).map(|()| false),
            Kind::CloseSequence => return self.close_sequence(span),
            Kind::Repetition(part) => return self.repeat(part, span).map(|()| false),
            _ => return Err(self.no_operator()),
        };
        let bounds = self.bounds(op.bounded())?;
        self.reduce_above(op.precedence())?;
        match self.pending.last_mut() {
            Some(Pending::Binary(before, _, left)) if *before == op && op.is_nary() => *left += 1,
            _ => self.pending.push(Pending::Binary(op, bounds, 1)),
        }
        Ok(true)
    }

    fn close(&mut self, span: Range<usize>) -> Result<(), ParseError> {
        self.reduce_all()?;
        let Some(&Pending::Open(open)) = self.pending.last() else {
            let mut error = self.unexpected("an operator or the end of the formula");
            error.help = Some("no parenthesis is open here".to_owned());
            return Err(error);
        };
        self.pending.pop();
        if let Some(mut inner) = self.operands.pop() {
            self.report_mixture(&mut inner);
            self.complete(Operand {
                span: open..span.end,
                bare: None,
                ..inner
            })?;
        }
        Ok(())
    }

    fn push_atom(&mut self, atom: Atom, span: Range<usize>) -> Result<(), ParseError> {
        let atom = self.arena.atom(atom);
        self.occurrences.push((atom, span.clone()));
        self.push(Node::Atom(atom), span)
    }

    fn push(&mut self, node: Node, span: Range<usize>) -> Result<(), ParseError> {
        let id = self.arena.make(node);
        self.complete(Operand {
            body: Body::Formula(id),
            span,
            bare: None,
            mixture: None,
        })
    }

    /// Applies the waiting prefix operators to an operand, and stores it.
    fn complete(&mut self, mut operand: Operand) -> Result<(), ParseError> {
        while let Some(&Pending::Unary(op, bounds, start)) = self.pending.last() {
            let id = self.formula_of(&operand)?;
            self.pending.pop();
            operand.body = Body::Formula(self.arena.make(op.node(bounds, id)));
            operand.span.start = start;
        }
        match self.pending.last() {
            Some(&Pending::Often(op, times, window, start)) => {
                let id = self.formula_of(&operand)?;
                self.pending.pop();
                let node = self.often_node(op, times, window, id);
                operand.body = Body::Formula(self.arena.make(node));
                operand.span.start = start;
                self.complete(operand)
            }
            _ => {
                self.operands.push(operand);
                Ok(())
            }
        }
    }

    /// Applies all waiting operators, up to a parenthesis or a brace; a formula behind a sequence or a `let` ends there.
    fn reduce_all(&mut self) -> Result<(), ParseError> {
        self.reduce_above(0)?;
        loop {
            match self.pending.last() {
                Some(Pending::Behind(..)) => self.reduce_behind()?,
                Some(&Pending::Let(number, start)) => self.reduce_let(number, start)?,
                _ => return Ok(()),
            }
            self.reduce_above(0)?;
        }
    }

    /// Applies the waiting infix operators that bind tighter than `precedence`.
    fn reduce_above(&mut self, precedence: u8) -> Result<(), ParseError> {
        while let Some(&Pending::Binary(op, bounds, left)) = self.pending.last() {
            if op.precedence() <= precedence {
                break;
            }
            self.pending.pop();
            let first = self.operands.len().saturating_sub(left + 1);
            let operands = self.operands.split_off(first);
            self.combine(op, bounds, operands)?;
        }
        Ok(())
    }

    fn combine(
        &mut self,
        op: Binary,
        bounds: Option<Bounds>,
        mut operands: Vec<Operand>,
    ) -> Result<(), ParseError> {
        let mut mixture = None;
        for (i, operand) in operands.iter_mut().enumerate() {
            match operand.bare {
                // The larger mixture shows the reading of the smaller one, too.
                Some(inner) if op.mixes_with(inner, i == 0) => mixture = Some((op, inner)),
                _ => self.report_mixture(operand),
            }
        }
        let span = match (operands.first(), operands.last()) {
            (Some(first), Some(last)) => first.span.start..last.span.end,
            _ => 0..0,
        };
        let body = match self.pattern_of(op, &operands)? {
            Some(pattern) => {
                // Two readings of a pattern are not compared.
                mixture = None;
                Body::Pattern(pattern)
            }
            None => {
                let ids: Result<Vec<Id>, ParseError> =
                    operands.iter().map(|o| self.formula_of(o)).collect();
                let id = self.arena.make(op.node(bounds, ids?));
                Body::Formula(match op {
                    Binary::Xor => self.arena.make(Node::Not(id)),
                    _ => id,
                })
            }
        };
        self.operands.push(Operand {
            body,
            span,
            bare: Some(op),
            mixture,
        });
        Ok(())
    }

    fn report_mixture(&mut self, operand: &mut Operand) {
        if let (Some((outer, inner)), Body::Formula(id)) = (operand.mixture.take(), &operand.body) {
            if self.warnings.len() < MAX_WARNINGS {
                let reading = print_parenthesised(self.arena, *id, Style::Ascii, MAX_READING);
                let doubt = Doubt::Mixture {
                    outer: outer.ascii(),
                    inner: inner.ascii(),
                };
                self.warn(Warning {
                    span: operand.span.clone(),
                    doubt,
                    reading,
                });
            }
        }
    }

    fn warn(&mut self, warning: Warning) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(warning);
        }
    }
}

/// The infix operator that a word after a formula stands for.
fn infix_word(word: &str) -> Option<Binary> {
    match word {
        "and" => Some(Binary::And),
        "or" => Some(Binary::Or),
        "xor" => Some(Binary::Xor),
        _ => infix_letter(word),
    }
}
