//! Sequences of letters in braces: `{a; b[*2:4]; c} |-> d`.

use super::{Body, Operand, Parser, Pending};
use crate::error::ParseError;
use crate::lexer::Token;
use crate::operator::Binary;
use crate::pattern::{numbered, Piece, MOST_PARTS};
use crate::token::Kind;
use crate::{Id, Matching, Node, Part};
use std::ops::Range;

impl Parser<'_> {
    pub(super) fn open_sequence(&mut self, start: usize) {
        self.sequences += 1;
        self.pending.push(Pending::Sequence(start));
    }

    /// Handles the brace at the end of a sequence; returns whether a formula must follow.
    pub(super) fn close_sequence(&mut self, span: Range<usize>) -> Result<bool, ParseError> {
        self.reduce_all()?;
        let Some(&Pending::Sequence(open)) = self.pending.last() else {
            let mut error = self.unexpected("an operator or `)`");
            if let Some(&Pending::Open(open)) = self.pending.last() {
                error = error.beside(open..open + 1, "this parenthesis is not closed");
            }
            return Err(error);
        };
        self.pending.pop();
        self.sequences -= 1;
        let Some(mut inner) = self.operands.pop() else {
            return Err(self.unexpected("a formula"));
        };
        self.report_mixture(&mut inner);
        let pieces = self.pieces(&inner)?;
        if self.sequences > 0 {
            // Braces within a sequence are parentheses.
            self.complete(Operand {
                body: Body::Pattern(pieces),
                span: open..span.end,
                bare: None,
                mixture: None,
            })?;
            return Ok(false);
        }
        let (pattern, letters) = numbered(&pieces);
        let matching = match self.tokens.get(self.at + 1) {
            Some(Token {
                kind: Kind::Behind(matching),
                ..
            }) => *matching,
            Some(next) if self.word(&next.span) == "!" => Matching::Strong,
            _ => Matching::Weak,
        };
        if matching != Matching::Weak {
            self.at += 1;
        }
        if matching.has_formula() {
            self.pending
                .push(Pending::Behind(matching, pattern, letters, open));
            return Ok(true);
        }
        self.push(Node::Sequence(matching, pattern, letters), open..span.end)?;
        Ok(false)
    }

    /// Completes a sequence with the formula behind it.
    pub(super) fn reduce_behind(&mut self) -> Result<(), ParseError> {
        let Some(Pending::Behind(matching, pattern, mut operands, start)) = self.pending.pop()
        else {
            return Ok(());
        };
        let Some(mut behind) = self.operands.pop() else {
            return Err(self.unexpected("a formula"));
        };
        self.report_mixture(&mut behind);
        operands.push(self.formula_of(&behind)?);
        self.push(
            Node::Sequence(matching, pattern, operands),
            start..behind.span.end,
        )
    }

    /// A repetition behind the last operand.
    pub(super) fn repeat(&mut self, part: Part, span: Range<usize>) -> Result<(), ParseError> {
        self.within_sequence(&span)?;
        let Some(mut operand) = self.operands.pop() else {
            return Err(self.unexpected("a formula"));
        };
        let mut pieces = self.pieces(&operand)?;
        if !matches!(part, Part::Repeat(_)) && !matches!(pieces.as_slice(), [Piece::Letter(_)]) {
            let help = "`[=n]` and `[->n]` count letters; `[*n]` repeats a sequence";
            return Err(ParseError {
                help: Some(help.to_owned()),
                ..ParseError::new("a sequence", "a formula about one letter", operand.span)
            });
        }
        pieces.push(Piece::Part(part));
        operand.body = Body::Pattern(pieces);
        operand.span.end = span.end;
        operand.bare = None;
        self.operands.push(operand);
        Ok(())
    }

    /// A repetition without a formula: of any letter.
    pub(super) fn repeat_any(&mut self, part: Part, span: Range<usize>) -> Result<(), ParseError> {
        self.within_sequence(&span)?;
        if !matches!(part, Part::Repeat(_)) {
            return Err(self.unexpected("a formula"));
        }
        self.push(Node::True, span.clone())?;
        self.repeat(part, span)
    }

    fn within_sequence(&self, span: &Range<usize>) -> Result<(), ParseError> {
        if self.sequences > 0 {
            return Ok(());
        }
        let found = format!("`{}`", self.word(span));
        Err(ParseError {
            help: Some("repetitions stand in sequences, as in `{a; b[*2:4]} |-> c`".to_owned()),
            ..ParseError::new(found, "an operator", span.clone())
        })
    }

    /// The formula that was read; an error for a pattern.
    pub(super) fn formula_of(&self, operand: &Operand) -> Result<Id, ParseError> {
        match operand.body {
            Body::Formula(id) => Ok(id),
            Body::Pattern(_) => {
                let help =
                    "within braces, only `;`, `:`, `|`, `&&`, `&` and repetitions join sequences";
                Err(ParseError {
                    help: Some(help.to_owned()),
                    ..ParseError::new(
                        "a sequence",
                        "a formula about one letter",
                        operand.span.clone(),
                    )
                })
            }
        }
    }

    /// The pattern that was read: a formula is one letter.
    fn pieces(&self, operand: &Operand) -> Result<Vec<Piece>, ParseError> {
        let pieces = match &operand.body {
            Body::Pattern(pieces) => pieces.clone(),
            Body::Formula(id) if self.arena.is_present(*id) => vec![Piece::Letter(*id)],
            Body::Formula(_) => {
                let help = "a sequence tells letter by letter what is so; what comes after it stands behind `|->`";
                return Err(ParseError {
                    help: Some(help.to_owned()),
                    ..ParseError::new(
                        "an operator of the future",
                        "a formula about one letter",
                        operand.span.clone(),
                    )
                });
            }
        };
        if pieces.len() > MOST_PARTS {
            let found = format!("{} parts", pieces.len());
            let expected = format!("a sequence of at most {MOST_PARTS} parts");
            return Err(ParseError::new(found, expected, operand.span.clone()));
        }
        Ok(pieces)
    }

    /// The pattern of an operator within a sequence; `None` if it joins formulas about one letter.
    pub(super) fn pattern_of(
        &self,
        op: Binary,
        operands: &[Operand],
    ) -> Result<Option<Vec<Piece>>, ParseError> {
        let letters = operands.iter().all(|o| matches!(o.body, Body::Formula(_)));
        let part = match op {
            Binary::Then => Part::Then(operands.len() as u32),
            Binary::Fusion => Part::Fusion,
            _ if letters => return Ok(None),
            Binary::Or => Part::Either(operands.len() as u32),
            Binary::And => Part::Both(operands.len() as u32),
            Binary::Along => Part::Along,
            _ => return Ok(None),
        };
        let mut all = Vec::new();
        for operand in operands {
            all.extend(self.pieces(operand)?);
        }
        all.push(Piece::Part(part));
        Ok(Some(all))
    }
}
