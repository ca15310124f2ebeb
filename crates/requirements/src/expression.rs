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

    /// What it is composed of, in the order of the text.
    fn operands(&self) -> Vec<&Expression> {
        match self {
            Expression::Constant(_) | Expression::Leaf(..) => Vec::new(),
            Expression::Not(inner) => vec![inner],
            Expression::And(left, right)
            | Expression::Or(left, right)
            | Expression::Xor(left, right)
            | Expression::Implies(left, right)
            | Expression::Iff(left, right) => vec![left, right],
            Expression::Temporal(_, operands) => operands.iter().collect(),
        }
    }

    /// The same, to be changed.
    pub(crate) fn operands_mut(&mut self) -> Vec<&mut Expression> {
        match self {
            Expression::Constant(_) | Expression::Leaf(..) => Vec::new(),
            Expression::Not(inner) => vec![inner],
            Expression::And(left, right)
            | Expression::Or(left, right)
            | Expression::Xor(left, right)
            | Expression::Implies(left, right)
            | Expression::Iff(left, right) => vec![left, right],
            Expression::Temporal(_, operands) => operands.iter_mut().collect(),
        }
    }

    /// Whether a temporal predicate of it counts letters.
    pub(crate) fn counts(&self) -> bool {
        let own = match self {
            Expression::Temporal(temporal, _) => temporal.parts().1.is_some(),
            _ => false,
        };
        own || self.operands().into_iter().any(Expression::counts)
    }

    pub(crate) fn leaves<'a>(&'a self, all: &mut Vec<(&'a Leaf, Range<usize>)>) {
        if let Expression::Leaf(leaf, span) = self {
            all.push((leaf, span.clone()));
        }
        for operand in self.operands() {
            operand.leaves(all);
        }
    }
}

/// A numeric expression in C in the place of a name: in parentheses, unless it is a name or a number itself.
pub(crate) fn operand(text: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    match text.chars().all(is_part) {
        true => text.to_owned(),
        false => format!("({text})"),
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
