//! Macros with parameters in conditions of a specification: their calls are replaced as the preprocessor replaces them,
//! before names are resolved.

use std::ops::Range as Span;

use spec::{Diagnostic, Text};

use crate::bind::numbers::{self, parameters};
use crate::bind::tokens::{tokens, Kind};
use crate::facts::Facts;

/// A condition of more tokens is refused: macros within macros can write a text of any length.
const MOST_TOKENS: usize = 4_000;

type Refused = Box<Diagnostic>;

/// A token, with the place of the specification that it comes from.
#[derive(Clone)]
struct Piece {
    kind: Kind,
    text: String,
    origin: Span<usize>,
}

impl Piece {
    fn is(&self, text: &str) -> bool {
        self.text == text
    }
}

/// The text in which calls of macros are replaced; `None` if it has none.
///
/// # Errors
/// A call that has no replacement.
pub(super) fn expanded(
    text: &Text,
    given: &[&str],
    facts: &Facts,
) -> Result<Option<Text>, Refused> {
    let pieces: Vec<Piece> = tokens(text)
        .into_iter()
        .map(|(kind, range)| Piece {
            kind,
            text: text[range.clone()].to_owned(),
            origin: text.span_of(range),
        })
        .collect();
    let expander = Expander { given, facts };
    let called =
        |piece: &Piece| piece.kind == Kind::Identifier && expander.leads_to_call(&piece.text, 0);
    if !pieces.iter().any(called) {
        return Ok(None);
    }
    let mut out = Vec::new();
    expander.list(&pieces, &mut Vec::new(), &mut out)?;
    let (mut value, mut steps) = (String::new(), Vec::new());
    for piece in &out {
        steps.push((value.len(), piece.origin.start));
        value.push_str(&piece.text);
    }
    steps.push((value.len(), text.span().end));
    Ok(Some(Text::with_steps(value, text.span(), steps)))
}

/// The solid token before one.
fn before(pieces: &[Piece], at: usize) -> Option<&Piece> {
    pieces[..at].iter().rev().find(|p| p.kind != Kind::Space)
}

/// The number of the solid token behind one.
fn behind(pieces: &[Piece], at: usize) -> Option<usize> {
    (at + 1..pieces.len()).find(|&i| pieces[i].kind != Kind::Space)
}

struct Expander<'a> {
    given: &'a [&'a str],
    facts: &'a Facts,
}

impl Expander<'_> {
    /// Whether a name is that of a macro with parameters, or of one whose replacement has such a name.
    fn leads_to_call(&self, name: &str, depth: usize) -> bool {
        let macros = &self.facts.macros;
        macros.calls.contains_key(name)
            || depth < 30
                && macros.plain.get(name).is_some_and(|body| {
                    let mut all = tokens(body).into_iter();
                    all.any(|(kind, range)| {
                        kind == Kind::Identifier && self.leads_to_call(&body[range], depth + 1)
                    })
                })
    }

    /// Whether a name means something else than the macro.
    fn is_taken(&self, name: &str) -> bool {
        self.given.contains(&name)
            || self.facts.functions.iter().any(|f| f.name == name)
            || numbers::is_name(name)
    }

    /// Appends tokens with their macros replaced, within the replacements of others.
    fn list(
        &self,
        pieces: &[Piece],
        within: &mut Vec<String>,
        out: &mut Vec<Piece>,
    ) -> Result<(), Refused> {
        let mut at = 0;
        while let Some(piece) = pieces.get(at) {
            if out.len() > MOST_TOKENS {
                let title = "this condition is too long, with its macros replaced";
                return Err(Box::new(Diagnostic::error(title, piece.origin.clone())));
            }
            match self.replacement(pieces, at, within)? {
                Some((body, next)) => {
                    within.push(piece.text.clone());
                    self.list(&body, within, out)?;
                    within.pop();
                    at = next;
                }
                None => {
                    out.push(piece.clone());
                    at += 1;
                }
            }
        }
        Ok(())
    }

    /// What a macro at a token is replaced by, and the first token behind it.
    fn replacement(
        &self,
        pieces: &[Piece],
        at: usize,
        within: &mut Vec<String>,
    ) -> Result<Option<(Vec<Piece>, usize)>, Refused> {
        let piece = &pieces[at];
        let leads = ["::", ".", "->", "struct", "union", "enum"];
        let is_part = before(pieces, at).is_some_and(|b| leads.iter().any(|l| b.is(l)));
        let next = behind(pieces, at);
        let is = |sign: &str| next.is_some_and(|next| pieces[next].is(sign));
        if piece.kind != Kind::Identifier
            || is_part
            || is("::")
            || within.contains(&piece.text)
            || self.is_taken(&piece.text)
        {
            return Ok(None);
        }
        let macros = &self.facts.macros;
        if let Some(called) = macros.calls.get(&piece.text).filter(|_| is("(")) {
            let (operands, last) = arguments(pieces, next.unwrap_or(at));
            let Some(last) = last else {
                return Ok(None);
            };
            let body = self.call(piece, called, &operands, within)?;
            return Ok(Some((body, last + 1)));
        }
        let plain = macros.plain.get(&piece.text);
        Ok(plain
            .filter(|_| self.leads_to_call(&piece.text, 0))
            .map(|body| {
                let enclosed = [sign("(", piece)].into_iter().chain(of_body(body, piece));
                (enclosed.chain([sign(")", piece)]).collect(), at + 1)
            }))
    }

    /// The replacement of a macro with its arguments, whose own macros are replaced first.
    fn call(
        &self,
        name: &Piece,
        (names, body): &(Vec<String>, String),
        operands: &[&[Piece]],
        within: &mut Vec<String>,
    ) -> Result<Vec<Piece>, Refused> {
        let refused = |title: String| Box::new(Diagnostic::error(title, name.origin.clone()));
        let none = names.is_empty() && operands.len() == 1;
        if operands.len() != names.len() && !none {
            let wanted = parameters(Some(names.len()));
            let title = format!("the macro `{}` takes {wanted}", name.text);
            return Err(Box::new(refused(title).label("wrong number of parameters")));
        }
        let mut out = Vec::new();
        for piece in of_body(body, name) {
            if piece.is("#") {
                let title = format!(
                    "the macro `{}` makes new names, which a condition cannot",
                    name.text
                );
                let help = "write what it stands for";
                return Err(Box::new(refused(title).help(help)));
            }
            match names.iter().position(|own| *own == piece.text) {
                Some(which) => self.list(operands[which], within, &mut out)?,
                None => out.push(piece),
            }
        }
        Ok(out)
    }
}

fn sign(text: &str, of: &Piece) -> Piece {
    Piece {
        kind: Kind::Operator,
        text: text.to_owned(),
        origin: of.origin.clone(),
    }
}

/// The tokens of a macro's replacement, which come from the place of its name.
fn of_body<'a>(body: &'a str, name: &'a Piece) -> impl Iterator<Item = Piece> + 'a {
    tokens(body).into_iter().map(|(kind, range)| Piece {
        kind,
        text: body[range].to_owned(),
        origin: name.origin.clone(),
    })
}

/// The arguments between the parenthesis at a token and the one that closes it, and the latter, if there is one.
fn arguments(pieces: &[Piece], open: usize) -> (Vec<&[Piece]>, Option<usize>) {
    let (mut depth, mut from, mut found) = (0usize, open + 1, Vec::new());
    for at in open..pieces.len() {
        match pieces[at].text.as_str() {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            "," if depth == 1 => {
                found.push(&pieces[from..at]);
                from = at + 1;
            }
            _ => {}
        }
        if depth == 0 {
            found.push(&pieces[from..at]);
            return (found, Some(at));
        }
    }
    (found, None)
}
