//! Reads of a Harvard machine's program memory, as avr-libc's `pgm_read_byte` and its kin write them: a statement
//! expression makes a number of the address, and an instruction reads there. Objects in program memory are objects like
//! others, so the address stays a pointer, and the read is one of what it points to.

use crate::span::Span;
use crate::token::Tokens;

use super::statement::Statement;

/// The type that avr-libc gives addresses, and what stands in its place.
const NUMBER: &str = "uint16_t";
const POINTER: &str = "const void *";

/// A read of program memory.
pub(super) struct Read {
    /// The statement as C.
    pub text: String,
    /// Names of types that become a pointer's.
    pub types: Vec<Span>,
}

/// The read that an assembler statement is; `None` if it is none, or if its address comes from elsewhere.
pub(super) fn read(statement: &Statement, text: &str, tokens: &Tokens) -> Option<Read> {
    let template = statement.template.split(['\n', ';']).map(str::trim);
    let mut lines = template.filter(|line| !line.is_empty()).peekable();
    lines.peek()?;
    if !lines.all(|line| line.starts_with("lpm ") && line.contains(", Z")) {
        return None;
    }
    let name = |text: &str| text.trim_matches(['(', ')', ' ']).to_owned();
    let result = statement.operands.iter().find(|o| o.output)?;
    let address = statement.operands.iter().find(|o| !o.output)?;
    let (result, address) = (name(&result.text), name(&address.text));
    let first = tokens.at_or_after(statement.span.start);
    let word = |at: usize| match at < tokens.tokens.len() {
        true => tokens.text(at, text),
        false => "",
    };
    let span = |at: usize| tokens.tokens[at].span;
    let block = block(tokens, first)?;
    // `uint16_t ADDRESS = (uint16_t)((uint16_t)(…)); TYPE RESULT;`
    if word(block + 1) != NUMBER || word(block + 2) != address || word(block + 3) != "=" {
        return None;
    }
    let mut types = vec![span(block + 1)];
    let mut at = block + 4;
    while word(at) == "(" {
        if word(at + 1) == NUMBER && word(at + 2) == ")" {
            types.push(span(at + 1));
            at += 2;
        }
        at += 1;
    }
    // `(const char *)pgm_read_word(…)`: a pointer is read.
    let before = (0..block)
        .rev()
        .find(|at| !matches!(word(*at), "(" | "__extension__"));
    let casts = before.is_some_and(|at| word(at) == ")" && word(at.saturating_sub(1)) == "*");
    let declared = (block..first)
        .find(|at| word(*at) == NUMBER && word(at + 1) == result && word(at + 2) == ";");
    let pointer = declared.filter(|_| casts);
    types.extend(pointer.map(span));
    Some(Read {
        text: format!("{result} = *(__typeof__({result}) const *){address}"),
        types,
    })
}

impl Read {
    /// What stands in the place of a type.
    pub fn ty(&self) -> &'static str {
        POINTER
    }
}

/// The brace that opens the block around a token.
fn block(tokens: &Tokens, of: usize) -> Option<usize> {
    let encloses = |at: &usize| {
        let close = tokens.mates.get(*at).map_or(0, |close| *close as usize);
        close > of
    };
    (0..of).rev().find(encloses)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::{Source, Unit};

    fn read(text: &str) -> String {
        let unit = Unit::parse(Source::from_bytes(text.as_bytes().to_vec())).unwrap();
        unit.source.text
    }

    /// The expansion of `pgm_read_byte`, `pgm_read_word` and a table of strings.
    #[test]
    fn addresses_stay_pointers() {
        let types = "typedef unsigned char uint8_t; typedef unsigned short uint16_t; const uint8_t font[4]; const char *const texts[4];";
        let byte = "(__extension__({ uint16_t __addr16 = (uint16_t)((uint16_t)(&font[i])); uint8_t __result; __asm__ __volatile__ ( \"lpm %0, Z\" \"\\n\\t\" : \"=r\" (__result) : \"z\" (__addr16) ); __result; }))";
        let text = read(&format!("{types} int f(int i) {{ return {byte}; }}"));
        assert!(text.contains("({ const void * __addr16 = (const void *)((const void *)(&font[i])); uint8_t __result; __result = *(__typeof__(__result) const *)__addr16; __result; })"), "{text}");
        let word = "(__extension__({ uint16_t __addr16 = (uint16_t)((uint16_t)(&texts[i])); uint16_t __result; __asm__ __volatile__ ( \"lpm %A0, Z+\" \"\\n\\t\" \"lpm %B0, Z\" \"\\n\\t\" : \"=r\" (__result), \"=z\" (__addr16) : \"1\" (__addr16) ); __result; }))";
        let text = read(&format!(
            "{types} const char *f(int i) {{ return (const char *){word}; }}"
        ));
        assert!(
            text.contains(
                "const void * __result; __result = *(__typeof__(__result) const *)__addr16;"
            ),
            "{text}"
        );
        let text = read(&format!("{types} int f(int i) {{ return {word}; }}"));
        assert!(text.contains("uint16_t __result; __result ="), "{text}");
        let other = byte.replace("lpm %0, Z", "elpm %0, Z");
        assert!(read(&format!("{types} int f(int i) {{ return {other}; }}")).contains("elpm"));
    }
}
