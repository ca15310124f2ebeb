//! Elements of arrays that are recorded one after the other are recorded at once: a state of a program with large arrays (as a model of
//! the memory has them) is thousands of variables, and a call for each takes most of the time of a search.
//!
//! This is done to the text that is compiled, after all that is found out about the program: an address counts as one that others may get.

use std::fmt::Write as _;

use crate::text::{PUT, RECORDED};

/// A line that records an element: its type, its array and its index.
#[derive(Clone, Copy)]
struct Element<'t> {
    ty: &'t str,
    array: &'t str,
    index: u64,
}

/// The program with such elements recorded at once. Each line has its number.
pub fn at_once(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let Some(first) = element(line) else {
            out.push_str(line);
            continue;
        };
        let mut count = 1;
        while let Some(next) = lines.peek().copied() {
            let follows = |e: Element| {
                (e.ty, e.array, e.index) == (first.ty, first.array, first.index + count)
            };
            if !element(next).is_some_and(follows) {
                break;
            }
            count += 1;
            lines.next();
        }
        if count == 1 {
            out.push_str(line);
            continue;
        }
        // An integer or a pointer has no bytes that are not its value.
        let Element { array, index, .. } = first;
        let _ = write!(
            out,
            "  {PUT}((const void *)&{array}[{index}], {count} * sizeof({array}[{index}]));"
        );
        (0..count).for_each(|_| out.push('\n'));
    }
    out
}

/// What a line records, if it is an element of an array of integers.
fn element(line: &str) -> Option<Element<'_>> {
    let rest = line.trim().strip_prefix("{ ")?;
    let (ty, rest) = rest.split_once(&format!(" {RECORDED} = ("))?;
    let rest = rest.strip_prefix(ty)?.strip_prefix(')')?;
    let lvalue = rest.strip_suffix(&format!("; {PUT}(&{RECORDED}, sizeof {RECORDED}); }}"))?;
    let (array, index) = lvalue.strip_suffix(']')?.rsplit_once('[')?;
    let word = |c: char| c.is_ascii_alphanumeric() || "_[].".contains(c);
    let plain = array.chars().all(word) && !array.is_empty();
    let index = index.parse().ok().filter(|_| plain)?;
    Some(Element { ty, array, index })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(ty: &str, lvalue: &str) -> String {
        format!(
            "  {{ {ty} ba_x_part = ({ty}){lvalue}; ba_x_put(&ba_x_part, sizeof ba_x_part); }}\n"
        )
    }

    #[test]
    fn elements_in_a_row_are_recorded_at_once() {
        let row = put("unsigned char", "s.a[0]") + &put("unsigned char", "s.a[1]");
        let text = format!("int x;\n{row}{}int y;\n", put("int", "s.a[2]"));
        let made = at_once(&text);
        assert_eq!(made.lines().count(), text.lines().count());
        assert!(
            made.contains("ba_x_put((const void *)&s.a[0], 2 * sizeof(s.a[0]));"),
            "{made}"
        );
        assert!(made.contains(&put("int", "s.a[2]")), "{made}");
    }

    #[test]
    fn others_are_recorded_as_they_are() {
        for text in [
            put("int", "a[0]") + &put("int", "b[1]"),
            put("int", "a[1]") + &put("int", "a[0]"),
            put("int", "a[0].x") + &put("int", "a[1].x"),
            put("int", "a[0]") + &put("short", "a[1]"),
            put("int", "(*p)[0]") + &put("int", "(*p)[1]"),
            put("int", "a[i]") + &put("int", "a[i]"),
        ] {
            assert_eq!(at_once(&text), text);
        }
    }
}
