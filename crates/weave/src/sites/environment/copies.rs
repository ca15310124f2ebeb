//! Functions that copy strings, in proofs by contract: the first characters are copied as they are; behind them is anything, up to
//! the end of the array that the string is written to. No loop is left, and no number of bytes that the model checker would have
//! to find.

/// The number of bytes that proofs by contract copy, compare, or look at for the end of a string.
pub(super) const BYTES: usize = 16;
/// The most bytes of an array that a string is written to.
pub(super) const ROOM: u64 = 128;

/// The statements that give any values to the bytes of `ba_x` from this one on, where a condition on each holds; the last byte can
/// only become the end of the string.
fn any(from: u64, bytes: u64, when: impl Fn(u64) -> String) -> String {
    let step = |i: u64| format!("  {}ba_x[{i}] = ba_any[{i}];\n", when(i));
    let steps: String = (from..bytes - 1).map(step).collect();
    let last = bytes - 1;
    format!(
        "{steps}  {}if (ba_any[{last}]) ba_x[{last}] = 0;\n",
        when(last)
    )
}

/// The statements that write a string to an array of so many bytes: all of it, or as many characters as an argument says, filled up
/// with null characters.
pub(super) fn copied(limit: Option<usize>, bytes: u64) -> String {
    let exact = bytes.min(BYTES as u64);
    let step = |i: u64| match limit {
        Some(limit) => format!(
            "  if (ba_a{limit} <= {i}) return ba_x;\n\
             \x20 ba_over = ba_over || !ba_y[{i}];\n\
             \x20 ba_x[{i}] = ba_over ? 0 : ba_y[{i}];\n"
        ),
        None => format!("  ba_x[{i}] = ba_y[{i}];\n  if (!ba_y[{i}]) return ba_x;\n"),
    };
    let steps: String = (0..exact).map(step).collect();
    let over = limit.map_or("", |_| "  _Bool ba_over = 0;\n");
    let rest = match limit {
        // Without an end in the limit, the last byte is a character.
        Some(limit) => (exact..bytes)
            .map(|i| format!("  if (ba_a{limit} > {i}) ba_x[{i}] = ba_any[{i}];\n"))
            .collect(),
        None if exact < bytes => any(exact, bytes, |_| String::new()),
        None => String::new(),
    };
    format!(
        "  char *ba_x = (char *)ba_a0, ba_any[{bytes}];\n  const char *ba_y = (const char *)ba_a1;\n  (void)ba_any;\n{over}{steps}{rest}  return ba_x;\n"
    )
}

/// The statements that write a string behind the one that is there.
pub(super) fn appended(bytes: u64) -> String {
    let exact = bytes.min(BYTES as u64);
    let step = |i: u64| format!("  if (ba_from == {i} && ba_x[{i}]) ba_from++;\n");
    let steps: String = (0..exact).map(step).collect();
    let rest = any(0, bytes, |i| match i < exact {
        true => format!("if (ba_from <= {i}) "),
        false => String::new(),
    });
    format!(
        "  char *ba_x = (char *)ba_a0, ba_any[{bytes}];\n  unsigned ba_from = 0;\n{steps}{rest}  return ba_x;\n"
    )
}

/// The statements that write a text by a format to an array of so many bytes, at most as many as an argument says, and give its
/// length, of which `ba_length` is any value: the text that an argument points to, or any.
pub(super) fn printed(limit: Option<usize>, text: Option<usize>, bytes: u64) -> String {
    let room = limit.map_or("~0ul".to_owned(), |limit| format!("ba_a{limit}"));
    let exact = text.map_or(0, |_| bytes.min(BYTES as u64));
    let step = |i: u64| {
        format!(
            "  if (ba_room == {i} + 1ul) {{ ba_x[{i}] = 0; return ba_y[{i}] ? ba_length : {i}; }}\n\
             \x20 ba_x[{i}] = ba_y[{i}];\n  if (!ba_y[{i}]) return {i};\n"
        )
    };
    let steps: String = (0..exact).map(step).collect();
    // The last byte is the end of the text, if the text does not end before.
    let any = |i: u64| {
        format!(
            "  if (ba_room > {i} && (ba_room > {i} + 1ul || ba_any[{i}])) ba_x[{i}] = ba_room > {i} + 1ul ? ba_any[{i}] : 0;\n"
        )
    };
    let rest: String = (exact..bytes).map(any).collect();
    let read = text.map_or(String::new(), |text| {
        format!("  const char *ba_y = (const char *)ba_a{text};\n")
    });
    format!(
        "  char *ba_x = (char *)ba_a0, ba_any[{bytes}];\n{read}  unsigned long ba_room = {room};\n  (void)ba_any;\n\
         \x20 if (!ba_room) return ba_length;\n{steps}{rest}  return ba_length;\n"
    )
}
