//! C conditions over comparisons with constants.

use std::collections::BTreeSet;
use std::iter::Peekable;
use std::str::Chars;

/// The greatest absolute value of a constant that is understood: every C type that can hold two such constants
/// distinguishes them, even `float`.
const LARGEST: i64 = 1 << 24;
/// The most tokens of a condition that is understood; bounds the recursion, too.
const MAX_TOKENS: usize = 200;

/// The operator of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Relation {
    /// The relation with both sides exchanged.
    fn flipped(self) -> Relation {
        match self {
            Relation::Less => Relation::Greater,
            Relation::LessEqual => Relation::GreaterEqual,
            Relation::Greater => Relation::Less,
            Relation::GreaterEqual => Relation::LessEqual,
            same => same,
        }
    }

    /// Whether it orders values.
    pub fn is_order(self) -> bool {
        !matches!(self, Relation::Equal | Relation::Unequal)
    }
}

/// A condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Expression {
    Constant(bool),
    Compare(String, Relation, i64),
    Not(Box<Expression>),
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
}

impl Expression {
    /// Calls `f` for each comparison.
    pub fn comparisons(&self, f: &mut dyn FnMut(&str, Relation, i64)) {
        match self {
            Expression::Constant(_) => {}
            Expression::Compare(object, relation, value) => f(object, *relation, *value),
            Expression::Not(a) => a.comparisons(f),
            Expression::And(a, b) | Expression::Or(a, b) => {
                a.comparisons(f);
                b.comparisons(f);
            }
        }
    }

    /// The objects that are compared.
    pub fn objects(&self) -> BTreeSet<String> {
        let mut objects = BTreeSet::new();
        self.comparisons(&mut |object, _, _| {
            objects.insert(object.to_owned());
        });
        objects
    }

    /// The value of the condition; `holds` gives those of the comparisons.
    pub fn eval(&self, holds: &dyn Fn(&str, Relation, i64) -> bool) -> bool {
        match self {
            Expression::Constant(value) => *value,
            Expression::Compare(object, relation, value) => holds(object, *relation, *value),
            Expression::Not(a) => !a.eval(holds),
            Expression::And(a, b) => a.eval(holds) && b.eval(holds),
            Expression::Or(a, b) => a.eval(holds) || b.eval(holds),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Path(String),
    Number(i64),
    Sign(&'static str),
}

const SIGNS: &[&str] = &[
    "==", "!=", "<=", ">=", "&&", "||", "<", ">", "!", "(", ")", "-",
];

/// The condition; `None` if it contains anything besides comparisons of paths with constants.
pub(super) fn parse(text: &str) -> Option<Expression> {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens, at: 0 };
    let expression = parser.either()?;
    (parser.at == parser.tokens.len()).then_some(expression)
}

fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut rest = text.trim_start();
    let mut tokens = Vec::new();
    while let Some(first) = rest.chars().next() {
        if tokens.len() > MAX_TOKENS {
            return None;
        }
        if first.is_ascii_digit() || first == '\'' {
            let (number, length) = number(rest)?;
            tokens.push(Token::Number(number));
            rest = &rest[length..];
        } else if is_name(first) {
            let (path, length) = path(rest)?;
            tokens.push(Token::Path(path));
            rest = &rest[length..];
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign))?;
            // Longer operators, which are not understood.
            if rest.starts_with("<<") || rest.starts_with(">>") || rest.starts_with("--") {
                return None;
            }
            tokens.push(Token::Sign(sign));
            rest = &rest[sign.len()..];
        }
        rest = rest.trim_start();
    }
    Some(tokens)
}

fn is_name(c: char) -> bool {
    c == '_' || c == '@' || c.is_alphanumeric()
}

/// A constant without suffix, and its length in bytes.
fn number(text: &str) -> Option<(i64, usize)> {
    if let Some(rest) = text.strip_prefix('\'') {
        let c = rest.chars().next()?;
        // Escapes and non-ASCII characters have values that depend on the compiler.
        let plain = c.is_ascii() && !matches!(c, '\\' | '\'') && rest[1..].starts_with('\'');
        return plain.then_some((i64::from(u32::from(c)), 3));
    }
    let continues = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let length = text.find(|c| !continues(c)).unwrap_or(text.len());
    let digits = &text[..length];
    let value = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hex) => i64::from_str_radix(hex, 16),
        None if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(digits, 8),
        None => digits.parse(),
    };
    let value = value.ok().filter(|_| !digits.contains('+'))?;
    (value <= LARGEST).then_some((value, length))
}

/// A path such as `f::s.len`, `a[2]` or `p->next`, without spaces, and its length in bytes. `None` for a call.
fn path(text: &str) -> Option<(String, usize)> {
    let mut path = String::new();
    let mut chars = text.chars().peekable();
    let mut length = word(&mut chars, &mut path);
    loop {
        let spaces = skip(&mut chars);
        let rest: String = chars.clone().take(2).collect();
        let joint = ["::", "->", ".", "["]
            .into_iter()
            .find(|joint| rest.starts_with(joint));
        let Some(joint) = joint else {
            // A call, or two identifiers side by side as in a cast.
            let next = rest.chars().next();
            let plain = !next.is_some_and(|c| c == '(' || is_name(c));
            return plain.then_some((path, length));
        };
        path.push_str(joint);
        for _ in joint.chars() {
            chars.next();
        }
        length += spaces + joint.len() + skip(&mut chars);
        let inner = word(&mut chars, &mut path);
        if inner == 0 {
            return None;
        }
        length += inner;
        if joint == "[" {
            length += skip(&mut chars);
            if chars.next() != Some(']') {
                return None;
            }
            path.push(']');
            length += 1;
        }
    }
}

/// Moves an identifier into the path; returns its length in bytes.
fn word(chars: &mut Peekable<Chars<'_>>, path: &mut String) -> usize {
    let before = path.len();
    while let Some(c) = chars.next_if(|&c| is_name(c)) {
        path.push(c);
    }
    path.len() - before
}

/// Skips white space; returns its length in bytes.
fn skip(chars: &mut Peekable<Chars<'_>>) -> usize {
    let mut length = 0;
    while let Some(c) = chars.next_if(|c| c.is_whitespace()) {
        length += c.len_utf8();
    }
    length
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
}

/// An operand of a comparison.
enum Operand {
    Path(String),
    Number(i64),
    Condition(Expression),
}

impl Operand {
    /// The operand as a condition: whether it is not 0.
    fn truth(self) -> Expression {
        match self {
            Operand::Path(path) => Expression::Compare(path, Relation::Unequal, 0),
            Operand::Number(value) => Expression::Constant(value != 0),
            Operand::Condition(expression) => expression,
        }
    }
}

impl Parser {
    fn take(&mut self, sign: &str) -> bool {
        let taken = matches!(self.tokens.get(self.at), Some(Token::Sign(s)) if *s == sign);
        self.at += usize::from(taken);
        taken
    }

    fn either(&mut self) -> Option<Expression> {
        let mut left = self.both()?;
        while self.take("||") {
            left = Expression::Or(Box::new(left), Box::new(self.both()?));
        }
        Some(left)
    }

    fn both(&mut self) -> Option<Expression> {
        let mut left = self.comparison()?;
        while self.take("&&") {
            left = Expression::And(Box::new(left), Box::new(self.comparison()?));
        }
        Some(left)
    }

    /// At most one comparison: `a < b < c` is not understood.
    fn comparison(&mut self) -> Option<Expression> {
        let left = self.operand()?;
        let Some(relation) = self.relation() else {
            return Some(left.truth());
        };
        let right = self.operand()?;
        if self.relation().is_some() {
            return None;
        }
        match (left, right) {
            (Operand::Path(path), Operand::Number(value)) => {
                Some(Expression::Compare(path, relation, value))
            }
            (Operand::Number(value), Operand::Path(path)) => {
                Some(Expression::Compare(path, relation.flipped(), value))
            }
            _ => None,
        }
    }

    fn relation(&mut self) -> Option<Relation> {
        let relation = match self.tokens.get(self.at)? {
            Token::Sign("==") => Relation::Equal,
            Token::Sign("!=") => Relation::Unequal,
            Token::Sign("<") => Relation::Less,
            Token::Sign("<=") => Relation::LessEqual,
            Token::Sign(">") => Relation::Greater,
            Token::Sign(">=") => Relation::GreaterEqual,
            _ => return None,
        };
        self.at += 1;
        Some(relation)
    }

    fn operand(&mut self) -> Option<Operand> {
        if self.take("!") {
            let inner = self.operand()?.truth();
            return Some(Operand::Condition(Expression::Not(Box::new(inner))));
        }
        if self.take("(") {
            // A path or constant in parentheses stays an operand.
            let inner = match &self.tokens[self.at..] {
                [Token::Path(_) | Token::Number(_), Token::Sign(")"), ..] => self.operand()?,
                _ => Operand::Condition(self.either()?),
            };
            return self.take(")").then_some(inner);
        }
        let negative = self.take("-");
        let operand = match self.tokens.get(self.at)? {
            Token::Number(value) if negative => Operand::Number(-value),
            Token::Number(value) => Operand::Number(*value),
            Token::Path(path) if !negative => Operand::Path(path.clone()),
            _ => return None,
        };
        self.at += 1;
        Some(operand)
    }
}
