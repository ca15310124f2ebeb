//! `U`, `W`, `R` and `M` around operators with times: what is asked as long as something lasts is asked at letters that the
//! past tells.

use super::{refused, Maker, Refused, ONE_AT_A_TIME};
use crate::{Id, Node, Signed};

/// The letters at which `f` is asked, counted from the letter where `f` is asked first.
struct Lasting {
    /// It is asked as long as this holds; it is about present and past.
    as_long_as: Signed,
    /// Whether it is asked at the letter at which that ends, too.
    inclusive: bool,
    /// What is asked.
    asked: Signed,
    /// Whether the end has to come.
    ends: bool,
}

impl Maker<'_> {
    /// `G (premise -> f)`, where `f` is one of these operators or its negation.
    pub(super) fn lasting(&mut self, premise: Id, whole: Signed) -> Result<Id, Refused> {
        let lasting = self.letters_of(whole);
        let known = |l: &Lasting| self.arena.is_present(l.as_long_as.0);
        let Some(lasting) = lasting.filter(known) else {
            return refused(
                format!("no times are measured within `{}`", self.said(whole.0)),
                ONE_AT_A_TIME,
            );
        };
        let lasts = self.arena.signed(lasting.as_long_as);
        let begins = match self.arena.node(premise) {
            Node::True => lasts,
            _ => self.make(Node::And(vec![premise, lasts])),
        };
        let since = self.make(Node::Since(lasts, begins));
        let letters = match lasting.inclusive {
            false => since,
            true => {
                let before = self.make(Node::Previous(since));
                self.make(Node::Or(vec![premise, before]))
            }
        };
        let each = self.always(letters, lasting.asked)?;
        if !lasting.ends {
            return Ok(each);
        }
        let end = self.arena.negate(lasts);
        let end = self.make(Node::Finally(end));
        let end = self.always(premise, (end, true))?;
        Ok(self.make(Node::And(vec![each, end])))
    }

    /// The letters at which the operand with times is asked, if it is asked at letters that the other one tells.
    fn letters_of(&self, (id, positive): Signed) -> Option<Lasting> {
        // `f W g` asks for `f` as long as `g` does not hold; `g R f` and `!(g U !f)` do so at the end, too.
        let (asked, other, inclusive, ends) = match (self.arena.node(id), positive) {
            (Node::WeakUntil(f, g), true) => ((*f, true), (*g, false), false, false),
            (Node::Until(f, g), true) => ((*f, true), (*g, false), false, true),
            (Node::Release(g, f), true) => ((*f, true), (*g, false), true, false),
            (Node::StrongRelease(g, f), true) => ((*f, true), (*g, false), true, true),
            (Node::Until(g, f), false) => ((*f, false), (*g, true), true, false),
            (Node::WeakUntil(g, f), false) => ((*f, false), (*g, true), true, true),
            (Node::StrongRelease(f, g), false) => ((*f, false), (*g, true), false, false),
            (Node::Release(f, g), false) => ((*f, false), (*g, true), false, true),
            _ => return None,
        };
        Some(Lasting {
            as_long_as: other,
            inclusive,
            asked,
            ends,
        })
    }
}
