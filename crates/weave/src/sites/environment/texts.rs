//! Texts in the search of all states by contract: it keeps no bytes of them apart, so a word of a line is at a place that nothing may
//! read, and what was copied is forgotten. The search refuses programs that read it all the same.

/// The place of a text of which contracts speak.
pub(super) const TEXT: &str = "(char *)16 /* what contracts speak of */";

/// The statements that give a word of a text, or none, and forget the text, which is in an array of so many bytes; others stand for
/// them where another proof reads the program.
pub(super) fn cut(bytes: Option<u64>, found: &str, others: &str) -> String {
    let bytes = bytes.unwrap_or(0);
    format!(
        "#if defined BA_DRIVER\n\
         \x20 char **ba_place = (char **)ba_a2;\n\
         \x20 unsigned ba_found = {found};\n\
         \x20 if (!ba_a0 && !*ba_place) return 0;\n\
         \x20 BA_CUTS(ba_a0, {bytes});\n\
         \x20 *ba_place = {TEXT};\n\
         \x20 return ba_found ? {TEXT} : 0;\n\
         #else\n{others}#endif\n"
    )
}

/// The statements that forget a text in an array of so many bytes, or as many bytes of it as an argument says; others stand for them
/// where another proof reads the program.
pub(super) fn forgotten(limit: Option<usize>, bytes: u64, others: &str) -> String {
    let forgets = forgets(limit, bytes);
    format!("#if defined BA_DRIVER\n  {forgets};\n  return (char *)ba_a0;\n#else\n{others}#endif\n")
}

/// The same of a function that gives a length.
pub(super) fn printed(limit: Option<usize>, bytes: u64, length: &str, others: &str) -> String {
    let forgets = forgets(limit, bytes);
    format!("  int ba_length = {length};\n#if defined BA_DRIVER\n  {forgets};\n  return ba_length;\n#else\n{others}#endif\n")
}

/// The statement that forgets them.
fn forgets(limit: Option<usize>, bytes: u64) -> String {
    match limit {
        Some(limit) => format!("BA_FORGETS(ba_a0, ba_a{limit} < {bytes} ? ba_a{limit} : {bytes})"),
        None => format!("BA_FORGETS_TEXT(ba_a0, {bytes})"),
    }
}
