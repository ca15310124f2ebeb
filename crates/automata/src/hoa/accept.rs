//! Acceptance conditions: Boolean formulas over `Fin` and `Inf`, in disjunctive normal form.

use super::lexer::{Kind, Token};
use super::HoaError;
use std::ops::Range;

/// The most products of a condition.
const MAX_PRODUCTS: usize = 64;

/// The edges of a set, or with `complement` those outside it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Edges {
    pub set: u32,
    pub complement: bool,
}

/// A product: a run is accepted if it takes some edges only finitely often and others infinitely often. Each
/// entry of `infinitely` is a union of sets.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Product {
    pub finitely: Vec<Edges>,
    pub infinitely: Vec<Vec<Edges>>,
}

/// A disjunction of products.
pub(super) type Condition = Vec<Product>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pending {
    Open,
    And,
    Or,
}

/// The condition of all the tokens, over this many acceptance sets.
pub(super) fn read(tokens: &[Token], sets: u32, end: &Range<usize>) -> Result<Condition, HoaError> {
    let mut reader = Reader {
        tokens,
        at: 0,
        sets,
        end,
        operands: Vec::new(),
        pending: Vec::new(),
    };
    let mut operand_next = true;
    while reader.at < tokens.len() {
        let sign = match reader.kind() {
            Some(Kind::Sign(sign)) => *sign,
            _ => ' ',
        };
        match (sign, operand_next) {
            ('(', true) => reader.push(Pending::Open),
            (_, true) => {
                let atom = reader.atom()?;
                reader.operands.push(atom);
                operand_next = false;
            }
            ('&', false) => {
                reader.reduce(Pending::And)?;
                reader.push(Pending::And);
                operand_next = true;
            }
            ('|', false) => {
                reader.reduce(Pending::Or)?;
                reader.push(Pending::Or);
                operand_next = true;
            }
            (')', false) => {
                reader.reduce(Pending::Or)?;
                if reader.pending.pop() != Some(Pending::Open) {
                    return Err(reader.unexpected("`&` or `|`"));
                }
                reader.at += 1;
            }
            _ => return Err(reader.unexpected("`&`, `|` or `)`")),
        }
    }
    if operand_next {
        return Err(reader.unexpected("an acceptance condition"));
    }
    reader.reduce(Pending::Or)?;
    match (reader.operands.pop(), reader.pending.is_empty()) {
        (Some(condition), true) => Ok(condition),
        _ => Err(reader.unexpected("`)`")),
    }
}

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
    sets: u32,
    end: &'a Range<usize>,
    operands: Vec<Condition>,
    pending: Vec<Pending>,
}

impl Reader<'_> {
    fn kind(&self) -> Option<&Kind> {
        self.tokens.get(self.at).map(|t| &t.kind)
    }

    fn span(&self) -> &Range<usize> {
        self.tokens.get(self.at).map_or(self.end, |t| &t.span)
    }

    fn push(&mut self, pending: Pending) {
        self.pending.push(pending);
        self.at += 1;
    }

    fn unexpected(&self, expected: &str) -> HoaError {
        let found = self
            .tokens
            .get(self.at)
            .map_or("the end".to_owned(), Token::found);
        let message = format!("expected {expected}, found {found}");
        HoaError::new(message, self.span())
    }

    fn sign(&mut self, sign: char) -> Result<(), HoaError> {
        if self.kind() != Some(&Kind::Sign(sign)) {
            return Err(self.unexpected(&format!("`{sign}`")));
        }
        self.at += 1;
        Ok(())
    }

    /// `t`, `f`, `Fin(2)` or `Inf(!2)`.
    fn atom(&mut self) -> Result<Condition, HoaError> {
        let name = match self.kind() {
            Some(Kind::Identifier(name)) => name.clone(),
            _ => return Err(self.unexpected("`Inf`, `Fin`, `t` or `f`")),
        };
        let finitely = match name.as_str() {
            "t" | "f" => {
                self.at += 1;
                let always = vec![Product::default()];
                return Ok(if name == "t" { always } else { Vec::new() });
            }
            "Fin" => true,
            "Inf" => false,
            _ => return Err(self.unexpected("`Inf`, `Fin`, `t` or `f`")),
        };
        self.at += 1;
        self.sign('(')?;
        let complement = self.kind() == Some(&Kind::Sign('!'));
        self.at += usize::from(complement);
        let set = match self.kind() {
            Some(&Kind::Int(set)) if set < self.sets => set,
            _ => return Err(self.unexpected("the number of an acceptance set")),
        };
        self.at += 1;
        self.sign(')')?;
        let edges = Edges { set, complement };
        Ok(vec![match finitely {
            true => Product {
                finitely: vec![edges],
                infinitely: Vec::new(),
            },
            false => Product {
                finitely: Vec::new(),
                infinitely: vec![vec![edges]],
            },
        }])
    }

    fn reduce(&mut self, operator: Pending) -> Result<(), HoaError> {
        while let Some(&top) = self.pending.last() {
            if !(top == Pending::And || top == Pending::Or && operator == Pending::Or) {
                break;
            }
            self.pending.pop();
            let (right, left) = (self.operands.pop(), self.operands.pop());
            let (Some(left), Some(right)) = (left, right) else {
                return Err(self.unexpected("an acceptance condition"));
            };
            let joined = match top {
                Pending::And => product(&left, &right),
                _ => sum(left, right),
            };
            if joined.len() > MAX_PRODUCTS {
                let message = "the acceptance condition is too large";
                return Err(HoaError::new(message, self.span())
                    .help("ask the other tool for a Büchi automaton"));
            }
            self.operands.push(joined);
        }
        Ok(())
    }
}

/// The conjunction of both conditions.
fn product(left: &Condition, right: &Condition) -> Condition {
    let mut all = Vec::new();
    // The result is refused anyway if there are more.
    for a in left.iter().take(MAX_PRODUCTS + 1) {
        for b in right {
            let mut both = a.clone();
            both.finitely.extend(&b.finitely);
            both.finitely.sort_unstable();
            both.finitely.dedup();
            both.infinitely.extend(b.infinitely.iter().cloned());
            both.infinitely.sort_unstable();
            both.infinitely.dedup();
            if !all.contains(&both) {
                all.push(both);
            }
        }
    }
    all
}

/// The disjunction of both conditions. `Inf(a) | Inf(b)` is one product: the union of both sets infinitely
/// often.
fn sum(mut left: Condition, right: Condition) -> Condition {
    let single = |product: &Product| product.finitely.is_empty() && product.infinitely.len() == 1;
    for product in right {
        let place = left.iter().position(single);
        match place.filter(|_| single(&product)) {
            Some(place) => {
                let union = &mut left[place].infinitely[0];
                union.extend(&product.infinitely[0]);
                union.sort_unstable();
                union.dedup();
            }
            None if left.contains(&product) => {}
            None => left.push(product),
        }
    }
    left
}
