//! The operators of the concrete syntax and their precedence, shared by the parser and the printer so that the
//! two cannot disagree.

use crate::{Bounded, Id, Interval, Node};

/// The bounds of an operator as they are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bounds {
    pub interval: Interval,
    /// Whether they are ticks of a clock; else letters.
    pub ticks: bool,
}

impl Bounds {
    /// The bounded operator.
    fn node(self, operator: Bounded, operands: Vec<Id>) -> Node {
        match self.ticks {
            true => Node::Timed(operator, self.interval, operands),
            false => Node::Within(operator, self.interval, operands),
        }
    }
}

/// A prefix operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unary {
    Not,
    Next,
    Finally,
    Globally,
    Previous,
    WeakPrevious,
    Once,
    Historically,
}

impl Unary {
    /// The operator of one of the letters `F`, `G` and `X`.
    pub(crate) fn from_letter(letter: char) -> Option<Unary> {
        match letter {
            'X' => Some(Unary::Next),
            'F' => Some(Unary::Finally),
            'G' => Some(Unary::Globally),
            _ => None,
        }
    }

    /// The past operator of one of the letters `Y`, `Z`, `O` and `H`.
    pub(crate) fn past_from_word(word: &str) -> Option<Unary> {
        match word {
            "Y" => Some(Unary::Previous),
            "Z" => Some(Unary::WeakPrevious),
            "O" => Some(Unary::Once),
            "H" => Some(Unary::Historically),
            _ => None,
        }
    }

    /// The bounded form, if there is one.
    pub(crate) fn bounded(self) -> Option<Bounded> {
        match self {
            Unary::Next => Some(Bounded::Next),
            Unary::Finally => Some(Bounded::Finally),
            Unary::Globally => Some(Bounded::Globally),
            Unary::Once => Some(Bounded::Once),
            Unary::Historically => Some(Bounded::Historically),
            Unary::Not | Unary::Previous | Unary::WeakPrevious => None,
        }
    }

    pub(crate) fn node(self, bounds: Option<Bounds>, operand: Id) -> Node {
        if let (Some(bounds), Some(bounded)) = (bounds, self.bounded()) {
            return bounds.node(bounded, vec![operand]);
        }
        match self {
            Unary::Not => Node::Not(operand),
            Unary::Next => Node::Next(operand),
            Unary::Finally => Node::Finally(operand),
            Unary::Globally => Node::Globally(operand),
            Unary::Previous => Node::Previous(operand),
            Unary::WeakPrevious => Node::WeakPrevious(operand),
            Unary::Once => Node::Once(operand),
            Unary::Historically => Node::Historically(operand),
        }
    }
}

/// An infix operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binary {
    Implies,
    Iff,
    /// Exclusive or, the negation of [`Binary::Iff`].
    Xor,
    Or,
    And,
    Until,
    Release,
    WeakUntil,
    StrongRelease,
    Since,
    BackTo,
    /// `;` in a sequence.
    Then,
    /// `:` in a sequence.
    Fusion,
    /// `&` in a sequence; between formulas about one letter it is [`Binary::And`].
    Along,
}

impl Binary {
    /// The precedence; a greater one binds tighter.
    pub(crate) fn precedence(self) -> u8 {
        match self {
            Binary::Then => 1,
            Binary::Fusion => 2,
            Binary::Implies | Binary::Iff => 3,
            Binary::Xor => 4,
            Binary::Or => 5,
            Binary::And | Binary::Along => 6,
            _ => 7,
        }
    }

    /// `&&`, `||` and `;` take any number of operands; all others take two and group to the right.
    pub(crate) fn is_nary(self) -> bool {
        matches!(self, Binary::And | Binary::Or | Binary::Then)
    }

    fn is_temporal(self) -> bool {
        self.precedence() == 7
    }

    /// The text of the operator in messages and in the ASCII style.
    pub(crate) fn ascii(self) -> &'static str {
        match self {
            Binary::Implies => "->",
            Binary::Iff => "<->",
            Binary::Xor => "xor",
            Binary::Or => "||",
            Binary::And => "&&",
            Binary::Until => "U",
            Binary::Release => "R",
            Binary::WeakUntil => "W",
            Binary::StrongRelease => "M",
            Binary::Since => "S",
            Binary::BackTo => "B",
            Binary::Then => ";",
            Binary::Fusion => ":",
            Binary::Along => "&",
        }
    }

    /// The operator at the root of a formula, if it is an infix one.
    pub(crate) fn of(node: &Node) -> Option<Binary> {
        Some(match node {
            Node::Implies(..) => Binary::Implies,
            Node::Iff(..) => Binary::Iff,
            Node::Or(_) => Binary::Or,
            Node::And(_) => Binary::And,
            Node::Until(..) => Binary::Until,
            Node::Release(..) => Binary::Release,
            Node::WeakUntil(..) => Binary::WeakUntil,
            Node::StrongRelease(..) => Binary::StrongRelease,
            Node::Since(..) => Binary::Since,
            Node::BackTo(..) => Binary::BackTo,
            Node::Within(Bounded::Until, ..) | Node::Timed(Bounded::Until, ..) => Binary::Until,
            Node::Within(Bounded::Since, ..) | Node::Timed(Bounded::Since, ..) => Binary::Since,
            _ => return None,
        })
    }

    /// The bounded form, if there is one.
    pub(crate) fn bounded(self) -> Option<Bounded> {
        match self {
            Binary::Until => Some(Bounded::Until),
            Binary::Since => Some(Bounded::Since),
            _ => None,
        }
    }

    pub(crate) fn node(self, bounds: Option<Bounds>, mut operands: Vec<Id>) -> Node {
        match self {
            Binary::And | Binary::Along => return Node::And(operands),
            Binary::Or => return Node::Or(operands),
            _ => {}
        }
        if let (Some(bounds), Some(bounded)) = (bounds, self.bounded()) {
            return bounds.node(bounded, operands);
        }
        // The parser counts the operands: all other operators have two.
        let right = operands.pop();
        let left = operands.pop();
        let (Some(left), Some(right)) = (left, right) else {
            return Node::False;
        };
        match self {
            Binary::Implies => Node::Implies(left, right),
            // The parser negates it.
            Binary::Iff | Binary::Xor => Node::Iff(left, right),
            Binary::Release => Node::Release(left, right),
            Binary::WeakUntil => Node::WeakUntil(left, right),
            Binary::StrongRelease => Node::StrongRelease(left, right),
            Binary::Since => Node::Since(left, right),
            Binary::BackTo => Node::BackTo(left, right),
            _ => Node::Until(left, right),
        }
    }

    /// Whether tools disagree on the meaning of `inner` without parentheses as an operand of `self`. Spot
    /// groups temporal operators and implications to the right, and has one level each for `&&`, `||` and the
    /// implications. ltl2ba and `spin -f` group all operators to the left, and have one level for the temporal
    /// operators and one for the others. Some tools bind `&&` as tightly as `U`. Mixtures with the same meaning
    /// either way, such as `a -> b || c`, are left out.
    pub(crate) fn mixes_with(self, inner: Binary, first: bool) -> bool {
        match self {
            Binary::And | Binary::Or if inner.is_temporal() => true,
            Binary::Or => inner == Binary::And && !first,
            Binary::And | Binary::Along | Binary::Then | Binary::Fusion => false,
            Binary::Implies | Binary::Iff if first => false,
            Binary::Implies => matches!(
                inner,
                Binary::And | Binary::Xor | Binary::Implies | Binary::Iff
            ),
            Binary::Iff => matches!(
                inner,
                Binary::And | Binary::Or | Binary::Xor | Binary::Implies
            ),
            // Where implications bind as tightly, or `||` does, the same text is another formula.
            Binary::Xor => matches!(inner, Binary::And | Binary::Or) || inner.is_temporal(),
            _ => inner.is_temporal(),
        }
    }
}
