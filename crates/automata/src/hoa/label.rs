//! Label expressions, as decision diagrams.

use super::lexer::{Kind, Token};
use super::HoaError;
use crate::guard::Guard;
use ltl::AtomId;
use std::collections::HashMap;
use std::ops::Range;

/// The most nodes of diagrams that are built for the labels of one automaton.
const MAX_WORK: usize = 1_000_000;

/// Reads the labels of one automaton.
pub(super) struct Labels {
    /// The propositions by index.
    pub atoms: Vec<AtomId>,
    pub aliases: HashMap<String, Guard>,
    work: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pending {
    Open,
    Not,
    And,
    Or,
}

impl Labels {
    pub fn new(atoms: Vec<AtomId>) -> Labels {
        Labels {
            atoms,
            aliases: HashMap::new(),
            work: 0,
        }
    }

    /// The expression at the start of `tokens`, and the number of its tokens. The expression ends before the
    /// first token that cannot continue it. `end` is the place for errors if there are no tokens.
    pub fn read(
        &mut self,
        tokens: &[Token],
        end: &Range<usize>,
    ) -> Result<(Guard, usize), HoaError> {
        let mut operands: Vec<Guard> = Vec::new();
        let mut pending: Vec<Pending> = Vec::new();
        let mut at = 0;
        let mut operand_next = true;
        loop {
            let token = tokens.get(at);
            let span = token.map_or(end, |t| &t.span);
            match (token.map(|t| &t.kind), operand_next) {
                (Some(Kind::Sign('!')), true) => pending.push(Pending::Not),
                (Some(Kind::Sign('(')), true) => pending.push(Pending::Open),
                (Some(kind), true) => {
                    let guard = self.operand(kind, tokens, at)?;
                    operands.push(guard);
                    self.negate(&mut operands, &mut pending);
                    operand_next = false;
                }
                (None, true) => return Err(HoaError::new("expected a label", span)),
                (Some(Kind::Sign('&')), false) => {
                    self.reduce(&mut operands, &mut pending, Pending::And, span)?;
                    pending.push(Pending::And);
                    operand_next = true;
                }
                (Some(Kind::Sign('|')), false) => {
                    self.reduce(&mut operands, &mut pending, Pending::Or, span)?;
                    pending.push(Pending::Or);
                    operand_next = true;
                }
                (Some(Kind::Sign(')')), false) if pending.contains(&Pending::Open) => {
                    self.reduce(&mut operands, &mut pending, Pending::Or, span)?;
                    pending.pop();
                    self.negate(&mut operands, &mut pending);
                }
                (_, false) => {
                    self.reduce(&mut operands, &mut pending, Pending::Or, span)?;
                    if !pending.is_empty() {
                        return Err(HoaError::new("expected `&`, `|` or `)`", span));
                    }
                    let guard = operands.pop().unwrap_or_else(Guard::top);
                    return Ok((guard, at));
                }
            }
            at += 1;
        }
    }

    fn operand(&self, kind: &Kind, tokens: &[Token], at: usize) -> Result<Guard, HoaError> {
        let span = &tokens[at].span;
        match kind {
            Kind::Int(index) => {
                let atom = self.atoms.get(*index as usize);
                let literal = atom.and_then(|&atom| Guard::literal(atom, true));
                literal
                    .ok_or_else(|| HoaError::new(format!("there is no proposition {index}"), span))
            }
            Kind::Identifier(name) if name == "t" => Ok(Guard::top()),
            Kind::Identifier(name) if name == "f" => Ok(Guard::bottom()),
            Kind::Alias(name) => self.aliases.get(name).cloned().ok_or_else(|| {
                HoaError::new(format!("{} is not defined", tokens[at].found()), span)
            }),
            _ => {
                let message = format!("expected a label, found {}", tokens[at].found());
                Err(HoaError::new(message, span))
            }
        }
    }

    /// Applies the pending negations to the last operand.
    fn negate(&self, operands: &mut [Guard], pending: &mut Vec<Pending>) {
        while pending.last() == Some(&Pending::Not) {
            pending.pop();
            if let Some(last) = operands.last_mut() {
                *last = Guard::top().and_not(last);
            }
        }
    }

    /// Applies the pending operators that bind at least as tightly as `operator`.
    fn reduce(
        &mut self,
        operands: &mut Vec<Guard>,
        pending: &mut Vec<Pending>,
        operator: Pending,
        span: &Range<usize>,
    ) -> Result<(), HoaError> {
        while let Some(&top) = pending.last() {
            let applies = top == Pending::And || top == Pending::Or && operator == Pending::Or;
            if !applies {
                break;
            }
            pending.pop();
            let (right, left) = (operands.pop(), operands.pop());
            let (Some(left), Some(right)) = (left, right) else {
                return Err(HoaError::new("expected a label", span));
            };
            self.work += left.size() + right.size();
            let joined = match top {
                Pending::And => left.and_within(&right, MAX_WORK - self.work.min(MAX_WORK)),
                _ => left.or_within(&right, MAX_WORK - self.work.min(MAX_WORK)),
            };
            let joined = joined.ok_or_else(|| HoaError::new("the labels are too large", span))?;
            self.work += joined.size();
            operands.push(joined);
        }
        Ok(())
    }
}
