//! How often something is so within a window: `O[<=2 in <=9] p`, `F[>=3 in 2,5] p`.

use super::{Parser, Pending};
use crate::error::ParseError;
use crate::lexer::Token;
use crate::operator::Unary;
use crate::pattern::{numbered, Piece};
use crate::token::Kind;
use crate::{Id, Interval, Matching, Node, Part};

impl Parser<'_> {
    /// The operator at the current token with the times and the window that follow it, if they do.
    pub(super) fn often(&mut self, op: Unary) -> Result<Option<Pending>, ParseError> {
        let start = self
            .tokens
            .get(self.at)
            .map_or(0, |token| token.span.end - 1);
        let Some(Token {
            kind: Kind::Often(times, window),
            ..
        }) = self.tokens.get(self.at + 1)
        else {
            return Ok(None);
        };
        let (times, window) = (*times, *window);
        self.at += 1;
        let turned = |i: Interval| i.to.is_some_and(|to| to < i.from);
        let help = match op {
            _ if turned(times) || turned(window) => "the first number is the smaller one",
            Unary::Finally if window.to.is_none() && times.to.is_some() => {
                "a window without an end is never over, so that only `>=` can be counted in it"
            }
            Unary::Finally | Unary::Once => {
                return Ok(Some(Pending::Often(op, times, window, start)));
            }
            _ => "the operators that count within a window are F (from here on) and O (up to here)",
        };
        Err(ParseError {
            help: Some(help.to_owned()),
            ..self.unexpected("an operator with such bounds")
        })
    }

    /// The formula. A window ahead is a sequence of so many letters.
    pub(super) fn often_node(
        &mut self,
        op: Unary,
        times: Interval,
        window: Interval,
        operand: Id,
    ) -> Node {
        if op == Unary::Once {
            return Node::Often(window, times, operand);
        }
        let any = Piece::Letter(self.arena.make(Node::True));
        let exactly = |n| Interval {
            from: n,
            to: Some(n),
        };
        let mut pieces = vec![Piece::Letter(operand), Piece::Part(Part::Times(times))];
        if let Some(to) = window.to {
            let length = exactly(to - window.from + 1);
            let all = [
                any,
                Piece::Part(Part::Repeat(length)),
                Piece::Part(Part::Both(2)),
            ];
            pieces.extend(all);
        }
        if window.from > 0 {
            let before = vec![any, Piece::Part(Part::Repeat(exactly(window.from)))];
            pieces = [before, pieces, vec![Piece::Part(Part::Then(2))]].concat();
        }
        let (pattern, letters) = numbered(&pieces);
        Node::Sequence(Matching::Strong, pattern, letters)
    }
}
