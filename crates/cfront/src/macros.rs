//! The macros of a program, whose definitions the preprocessor leaves in the text (`-dD`), and what they
//! expand to.

use std::collections::HashMap;

use crate::parse::Unit;
use crate::token::{TokenKind, Tokens};

/// An expansion of more tokens is given up: no name of an object has as many.
const MOST_TOKENS: usize = 400;

/// A macro: its parameters, if it takes any, and its replacement.
#[derive(Clone, Debug)]
struct Macro {
    parameters: Option<Vec<String>>,
    body: Vec<String>,
}

/// The macros that are defined at the end of a text.
#[derive(Clone, Debug, Default)]
pub struct Macros {
    all: HashMap<String, Macro>,
}

impl Macros {
    /// Reads the definitions of a program. Linear in its directives.
    pub fn of(unit: &Unit) -> Macros {
        let mut macros = Macros::default();
        for directive in &unit.tokens.directives {
            let line = unit.text_of(*directive);
            if let Some(rest) = line.strip_prefix("#define ") {
                macros.define(rest);
            } else if let Some(name) = line.strip_prefix("#undef ") {
                macros.all.remove(name.trim());
            }
        }
        macros
    }

    fn define(&mut self, definition: &str) {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let end = definition.find(|c| !word(c)).unwrap_or(definition.len());
        let (name, rest) = definition.split_at(end);
        let parameters = rest.strip_prefix('(').and_then(|r| r.split_once(')'));
        let parameters =
            parameters.map(|(list, body)| (list.split(',').map(|p| p.trim().to_owned()), body));
        let (parameters, body) = match parameters {
            Some((list, body)) => (Some(list.collect()), body),
            None => (None, rest),
        };
        let Some(body) = words(body) else {
            self.all.remove(name);
            return;
        };
        self.all.insert(name.to_owned(), Macro { parameters, body });
    }

    /// The names of the macros without parameters, in no order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let plain = self.all.iter().filter(|(_, m)| m.parameters.is_none());
        plain.map(|(name, _)| name.as_str())
    }

    /// Whether a macro without parameters only stands for another name.
    pub fn renames(&self, name: &str) -> bool {
        self.all.get(name).is_some_and(|m| m.body.len() == 1)
    }

    /// The tokens of a text in which all macros are expanded; `None` if it is no text of tokens, if an expansion
    /// makes a text of its argument (`#`), or if it is long.
    pub fn expanded(&self, text: &str) -> Option<Vec<String>> {
        let mut out = Vec::new();
        self.expand(&words(text)?, &mut Vec::new(), &mut out)?;
        Some(out)
    }

    fn expand<'a>(
        &'a self,
        tokens: &[String],
        within: &mut Vec<&'a str>,
        out: &mut Vec<String>,
    ) -> Option<()> {
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            if out.len() > MOST_TOKENS {
                return None;
            }
            let known = self.all.get_key_value(token.as_str());
            let known = known.filter(|(name, _)| !within.contains(&name.as_str()));
            let Some((name, of)) = known else {
                out.push(token.clone());
                continue;
            };
            let body = match &of.parameters {
                None => of.body.clone(),
                Some(_) if tokens.get(at).map(String::as_str) != Some("(") => {
                    out.push(token.clone());
                    continue;
                }
                Some(parameters) => {
                    let (given, end) = arguments(tokens, at)?;
                    at = end;
                    self.substituted(of, parameters, &given, within)?
                }
            };
            let body = pasted(body)?;
            if body.iter().any(|t| t.starts_with('#')) || within.len() > 30 {
                return None;
            }
            within.push(name);
            self.expand(&body, within, out)?;
            within.pop();
        }
        Some(())
    }

    /// The replacement of a macro with its arguments, which are expanded first.
    fn substituted<'a>(
        &'a self,
        of: &Macro,
        parameters: &[String],
        given: &[Vec<String>],
        within: &mut Vec<&'a str>,
    ) -> Option<Vec<String>> {
        let mut body = Vec::new();
        let joins =
            |at: Option<usize>| at.and_then(|at| of.body.get(at)).is_some_and(|t| t == "##");
        for (at, token) in of.body.iter().enumerate() {
            match parameters.iter().position(|p| p == token) {
                // What is joined is not expanded first (C11, 6.10.3.1).
                Some(which) if joins(at.checked_sub(1)) || joins(Some(at + 1)) => {
                    body.extend_from_slice(given.get(which)?);
                }
                Some(which) => self.expand(given.get(which)?, within, &mut body)?,
                None => body.push(token.clone()),
            }
        }
        Some(body)
    }
}

/// Tokens joined where `##` stands between them; `None` if that makes no token.
fn pasted(tokens: Vec<String>) -> Option<Vec<String>> {
    if tokens.iter().all(|token| token != "##") {
        return Some(tokens);
    }
    let mut out: Vec<String> = Vec::new();
    let mut rest = tokens.into_iter();
    while let Some(token) = rest.next() {
        if token != "##" {
            out.push(token);
            continue;
        }
        let joined = out.pop()? + &rest.next()?;
        match &words(&joined)?[..] {
            [one] => out.push(one.clone()),
            _ => return None,
        }
    }
    Some(out)
}

/// The tokens of a text; `None` if it is none.
pub fn words(text: &str) -> Option<Vec<String>> {
    let lexed = Tokens::lex(text, false).ok()?;
    let known = lexed.tokens.iter().all(|t| t.kind != TokenKind::Other);
    let texts = lexed.tokens.iter().map(|t| t.span.of(text).to_owned());
    known.then(|| texts.collect())
}

/// The arguments of a call whose parenthesis is at an index, and the index behind it.
fn arguments(tokens: &[String], open: usize) -> Option<(Vec<Vec<String>>, usize)> {
    let (mut depth, mut given) = (0, vec![Vec::new()]);
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.as_str() {
            "(" if depth == 0 => {
                depth = 1;
                continue;
            }
            "(" => depth += 1,
            ")" if depth == 1 => return Some((given, at + 1)),
            ")" => depth -= 1,
            "," if depth == 1 => {
                given.push(Vec::new());
                continue;
            }
            _ => {}
        }
        given.last_mut()?.push(token.clone());
    }
    None
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Source;

    #[test]
    fn registers_of_avr_and_arm_are_expanded() {
        let text = "#define OFFSET 0x20\n#define BYTE(a) (*(volatile unsigned char *)(a))\n#define IO8(io) BYTE((io) + OFFSET)\n#define PORTB IO8(0x05)\n\
                    #define BASE 0x40000000UL\n#define UART ((uart_t *) (BASE + 0x3800UL))\n#define LED PORTB\n#define JOIN(a) a##_x\n#undef LED\n\
                    #define VECTOR(N) __vector_ ## N\n#define TIMER1_vect VECTOR(11)\n#define TEXT(a) #a\n#define LOST + ## 1\nint x;\n";
        let unit = Unit::parse(Source::from_bytes(text.as_bytes().to_vec())).unwrap();
        let macros = Macros::of(&unit);
        let told = |text: &str| macros.expanded(text).map(|t| t.join(" "));
        assert_eq!(
            told("PORTB").unwrap(),
            "( * ( volatile unsigned char * ) ( ( 0x05 ) + 0x20 ) )"
        );
        assert_eq!(
            told("UART->SR").unwrap(),
            "( ( uart_t * ) ( 0x40000000UL + 0x3800UL ) ) -> SR"
        );
        assert_eq!(told("LED").unwrap(), "LED");
        assert_eq!(told("JOIN(OFFSET)").unwrap(), "OFFSET_x");
        assert_eq!(told("TIMER1_vect").unwrap(), "__vector_11");
        assert_eq!(told("TEXT(a)"), None);
        assert_eq!(told("LOST"), None);
    }
}
