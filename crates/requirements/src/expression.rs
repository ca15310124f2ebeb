//! Boolean expressions over names and C conditions.

use crate::temporal::Temporal;
use std::ops::Range;

/// What an expression is about.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Leaf {
    /// An identifier, or words in double quotes: a proposition, or a C condition if no proposition has this name.
    Name(String),
    /// A C condition: text in braces, or a comparison.
    Condition(String),
}

/// A Boolean expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expression {
    /// `true` or `false`.
    Constant(bool),
    /// A name or a C condition, with the bytes of the sentence where it stands.
    Leaf(Leaf, Range<usize>),
    /// Negation.
    Not(Box<Expression>),
    /// Conjunction.
    And(Box<Expression>, Box<Expression>),
    /// Disjunction.
    Or(Box<Expression>, Box<Expression>),
    /// Exclusive disjunction.
    Xor(Box<Expression>, Box<Expression>),
    /// Implication.
    Implies(Box<Expression>, Box<Expression>),
    /// Equivalence.
    Iff(Box<Expression>, Box<Expression>),
    /// A temporal predicate of one operand or of two.
    Temporal(Temporal, Vec<Expression>),
}

impl Expression {
    /// The negation; a negation at the root is removed instead.
    pub(crate) fn negated(self) -> Expression {
        match self {
            Expression::Not(inner) => *inner,
            Expression::Constant(value) => Expression::Constant(!value),
            other => Expression::Not(Box::new(other)),
        }
    }

    /// Whether a temporal predicate of it counts letters.
    pub(crate) fn counts(&self) -> bool {
        match self {
            Expression::Constant(_) | Expression::Leaf(..) => false,
            Expression::Not(inner) => inner.counts(),
            Expression::And(left, right)
            | Expression::Or(left, right)
            | Expression::Xor(left, right)
            | Expression::Implies(left, right)
            | Expression::Iff(left, right) => left.counts() || right.counts(),
            Expression::Temporal(temporal, operands) => {
                temporal.parts().1.is_some() || operands.iter().any(Expression::counts)
            }
        }
    }

    pub(crate) fn leaves<'a>(&'a self, all: &mut Vec<(&'a Leaf, Range<usize>)>) {
        match self {
            Expression::Constant(_) => {}
            Expression::Leaf(leaf, span) => all.push((leaf, span.clone())),
            Expression::Not(inner) => inner.leaves(all),
            Expression::And(left, right)
            | Expression::Or(left, right)
            | Expression::Xor(left, right)
            | Expression::Implies(left, right)
            | Expression::Iff(left, right) => {
                left.leaves(all);
                right.leaves(all);
            }
            Expression::Temporal(_, operands) => {
                operands.iter().for_each(|operand| operand.leaves(all));
            }
        }
    }
}

impl std::fmt::Display for Expression {
    /// As FRET writes it; operands that are no names, conditions or negations stand in parentheses.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let inner = |e: &Expression| match e {
            Expression::Constant(_)
            | Expression::Leaf(..)
            | Expression::Not(_)
            | Expression::Temporal(..) => e.to_string(),
            other => format!("({other})"),
        };
        let infix = |left: &Expression, sign: &str, right: &Expression| {
            format!("{} {sign} {}", inner(left), inner(right))
        };
        let text = match self {
            Expression::Constant(value) => value.to_string(),
            Expression::Leaf(Leaf::Name(name), _) => name.clone(),
            Expression::Leaf(Leaf::Condition(text), _) => format!("{{{text}}}"),
            Expression::Not(e) => format!("!{}", inner(e)),
            Expression::And(left, right) => infix(left, "&", right),
            Expression::Or(left, right) => infix(left, "|", right),
            Expression::Xor(left, right) => infix(left, "xor", right),
            Expression::Implies(left, right) => infix(left, "->", right),
            Expression::Iff(left, right) => infix(left, "<->", right),
            Expression::Temporal(temporal, operands) => {
                let (name, number) = temporal.parts();
                let number = number.map(|number| number.to_string());
                let operands = operands.iter().map(ToString::to_string);
                let all: Vec<String> = number.into_iter().chain(operands).collect();
                format!("{name}({})", all.join(", "))
            }
        };
        f.write_str(&text)
    }
}
