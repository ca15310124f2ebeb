//! Reads of shared variables in an atomic block.
//!
//! CBMC (5.12 to 6.6 at least) goes wrong where one object is read in two alternative branches of an
//! atomic block: one of the reads is not tied to any write and gives any value. So emitted code
//! reads each shared variable at one place of a block: text is made with marked reads, and a
//! variable that is marked more than once is read into a local first.

use std::collections::BTreeMap;

/// Around the name of a variable that is read.
const MARK: char = '\u{2}';

/// A marked read of a global variable.
pub fn read(variable: &str) -> String {
    format!("{MARK}{variable}{MARK}")
}

/// How often each variable is read in the texts.
fn count<'a>(texts: &[&'a str]) -> BTreeMap<&'a str, usize> {
    let mut counts = BTreeMap::new();
    for text in texts {
        for name in text.split(MARK).skip(1).step_by(2) {
            *counts.entry(name).or_insert(0) += 1;
        }
    }
    counts
}

/// Resolves the marked reads of texts that stand in one atomic block: `known` variables by the
/// expressions that hold their values already, variables that are read once in place, the others by
/// locals. Gives the declarations of the locals and the texts.
pub fn resolve(texts: &[&str], known: &[(String, String)]) -> (String, Vec<String>) {
    let mut names: BTreeMap<&str, String> = BTreeMap::new();
    let mut declarations = String::new();
    for (variable, times) in count(texts) {
        let value = known
            .iter()
            .find(|(name, _)| name == variable)
            .map(|(_, value)| value.clone());
        let value = match value {
            Some(value) => value,
            None if times > 1 => {
                let local = format!("ba_read_{}", variable.trim_start_matches("ba_"));
                declarations.push_str(&format!("BA_UNUSED unsigned {local} = {variable}; "));
                local
            }
            None => variable.to_string(),
        };
        names.insert(variable, value);
    }
    let resolved = texts.iter().map(|text| {
        let pieces = text.split(MARK).enumerate();
        pieces
            .map(|(i, piece)| {
                if i % 2 == 1 {
                    names.get(piece).map_or(piece, String::as_str)
                } else {
                    piece
                }
            })
            .collect()
    });
    (declarations, resolved.collect())
}

/// One text by [`resolve`], with the declarations in front.
pub fn block(text: &str, known: &[(String, String)]) -> String {
    let (declarations, texts) = resolve(&[text], known);
    declarations + &texts.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_is_read_at_one_place() {
        let text = format!(
            "if ({}) {{ f({}); }} else {{ g({}); }}",
            read("ba_q"),
            read("ba_s"),
            read("ba_s")
        );
        assert_eq!(block(&text, &[]), "BA_UNUSED unsigned ba_read_s = ba_s; if (ba_q) { f(ba_read_s); } else { g(ba_read_s); }");
        let known = [("ba_s".to_string(), "v".to_string())];
        assert_eq!(block(&text, &known), "if (ba_q) { f(v); } else { g(v); }");
    }
}
