//! Functions of the C library that model checkers do not know, written out in C.
//!
//! A call of such a function is one of a function for this call, which computes what the library does. A program that is
//! executed calls the library. Where C leaves open what happens (the order of equal elements, how often elements are
//! compared), the report says what is assumed.

pub(super) mod formats;
pub(super) mod formatted;
mod scanned;

use std::collections::BTreeSet;

use crate::facts::types::{Argument, CallTypes};
use crate::facts::{Call, Range};
use crate::items::{Conditional, Item};
use crate::layout::weaver::Weaver;
use crate::library;

use super::values::CHOOSES;

/// The condition under which the definitions stand for the functions. A proof knows them by contract, or not at all.
pub(super) const CONDITION: &str = "#if BA_CHOOSES && (defined BA_DRIVER || !defined BA_CONTRACTS)";

/// Functions that definitions call.
const AMONG: &str = include_str!("../../../../../../templates/library/among.c");
pub(super) const NUMBER: &str = include_str!("../../../../../../templates/library/number.c");
const PRINT: &str = include_str!("../../../../../../templates/library/print.c");
pub(super) const SQUARE_ROOT: &str = include_str!("../../../../../../templates/library/root.c");
const TEXT: &str = include_str!("../../../../../../templates/library/text.c");

/// How many characters of a string without a known length are read as a number. Each costs a model checker something for each
/// other place of the string that is read, so their number grows with the bound.
pub(super) const FOLLOWED: &str =
    "#if BA_CHOOSES && BA_MODEL && !defined BA_ROUNDS && !defined BA_DRIVER\n\
     #define BA_FOLLOWED (BA_UNWIND + 10)\n#endif";

/// What stands for a call.
pub(super) struct Definition {
    /// The body of the function for the call.
    pub body: String,
    /// The functions that it calls, each of which follows those that it calls itself.
    pub helpers: Vec<&'static str>,
    /// A sentence about what C leaves open.
    pub assumes: Option<&'static str>,
}

impl Definition {
    fn new(body: impl Into<String>, helpers: &[&'static str]) -> Definition {
        Definition {
            body: body.into(),
            helpers: helpers.to_vec(),
            assumes: None,
        }
    }
}

/// The functions that definitions call.
pub(super) fn helpers(wanted: &BTreeSet<&'static str>) -> Option<Item> {
    let all = [AMONG, FOLLOWED, NUMBER, PRINT, SQUARE_ROOT, TEXT];
    let all = all.into_iter().filter(|text| wanted.contains(text));
    let all: Vec<Item> = all.map(|text| text.trim_end().to_owned().into()).collect();
    (!all.is_empty()).then(|| Conditional::when(CHOOSES, all).into())
}

/// The bytes of a part of a program that is a string literal.
pub(super) fn literal(text: &str, range: &Range) -> Option<Vec<u8>> {
    formats::literal(&text[range.start..range.end])
}

impl Weaver<'_> {
    /// What stands for a call of a function of the library that model checkers do not know.
    pub(super) fn definition(
        &self,
        call: &Call,
        name: &str,
        types: &CallTypes,
    ) -> Option<Definition> {
        let row = library::with_arguments(name).filter(|row| row.defined)?;
        if call.target.is_some() {
            return None;
        }
        let given = &types.arguments;
        let fit = |a: &Argument| a.scalar.is_some() || a.function;
        if !given.iter().all(fit) || !(types.result.is_some() || types.void) {
            return None;
        }
        let with =
            |many: usize, definition: Definition| (given.len() == many).then_some(definition);
        let result = types.result.as_ref().map_or("void", |r| &r.spelling);
        match row.name {
            "qsort" => with(4, sorted(&given[0])),
            "bsearch" => with(5, Definition::new(SEARCHED, &[])),
            "memchr" => with(3, Definition::new(BYTE, &[])),
            "strchrnul" => with(2, Definition::new(CHARACTER, &[])),
            "strnlen" => with(2, Definition::new(LENGTH, &[])),
            "strstr" => with(2, Definition::new(PART, &[])),
            "strpbrk" => with(2, Definition::new(ANY_OF, &[AMONG])),
            "strspn" => with(2, Definition::new(span(true), &[AMONG])),
            "strcspn" => with(2, Definition::new(span(false), &[AMONG])),
            "stpcpy" => with(2, Definition::new(COPIED, &[])),
            "strtok_r" => with(3, Definition::new(TOKEN, &[AMONG])),
            "strsep" => with(2, Definition::new(SEPARATED, &[AMONG])),
            "ffs" => with(1, Definition::new(FIRST_BIT, &[])),
            "__builtin_parity" | "__builtin_parityl" | "__builtin_parityll" => {
                with(1, Definition::new(PARITY, &[]))
            }
            "frexp" if self.program.code.tree().types.model.double == 64 => {
                with(2, Definition::new(SPLIT, &[]))
            }
            "atoll" => with(1, number(result, "0", "10")),
            "strtol" | "strtoul" | "strtoull" | "strtoll" => {
                with(3, number(result, "ba_a1", "ba_a2"))
            }
            "sprintf" => self.formatted(call, types, 1),
            "snprintf" => self.formatted(call, types, 2),
            // Where the characters are any, so are the values.
            "sscanf" if !self.out.inputs.known.reads_bytes => {
                let values = given
                    .iter()
                    .skip(2)
                    .map(|a| a.target.as_ref().or(a.scalar.as_ref()));
                let values: Vec<_> = values.collect();
                scanned::read(&self.literal(call, 1)?, &values, 2)
            }
            _ => None,
        }
    }

    /// The bytes of an argument that is a string literal.
    pub(super) fn literal(&self, call: &Call, argument: usize) -> Option<Vec<u8>> {
        literal(self.program.text, call.arguments.get(argument)?)
    }

    /// The text that a call writes, by the format in this argument.
    fn formatted(&self, call: &Call, types: &CallTypes, format: usize) -> Option<Definition> {
        let bytes = self.literal(call, format)?;
        let values = types.arguments.get(format + 1..)?;
        let values: Vec<_> = values.iter().map(|a| a.scalar.as_ref()).collect();
        let mut definition = formatted::written(&bytes, &values, format + 1)?;
        let room = match format {
            1 => "~0ul",
            _ => "ba_a1",
        };
        definition.body = format!(
            "  char *ba_s = (char *)ba_a0;\n  unsigned long ba_n = {room};\n{}",
            definition.body
        );
        Some(definition)
    }
}

/// The statements that sort: by insertion, which compares and moves neighbours.
fn sorted(array: &Argument) -> Definition {
    let by_element = array.element.as_ref().map_or_else(String::new, |ty| {
        format!(
            "  if (ba_a2 == sizeof({ty})) {{\n\
             \x20   {ty} *ba_x = ({ty} *)ba_a0;\n\
             \x20   for (ba_i = 1; ba_i < ba_a1; ba_i++)\n\
             \x20     for (ba_j = ba_i; ba_j > 0; ba_j--) {{\n\
             \x20       if (ba_compared(&ba_x[ba_j - 1], &ba_x[ba_j]) <= 0) break;\n\
             \x20       {ty} ba_kept = ba_x[ba_j];\n\
             \x20       ba_x[ba_j] = ba_x[ba_j - 1];\n\
             \x20       ba_x[ba_j - 1] = ba_kept;\n\
             \x20     }}\n\
             \x20   return;\n\
             \x20 }}\n"
        )
    });
    Definition {
        body: format!(
            "  int (*ba_compared)(const void *, const void *) = (int (*)(const void *, const void *))ba_a3;\n\
             \x20 unsigned long ba_i, ba_j, ba_k;\n\
             {by_element}\
             \x20 char *ba_b = (char *)ba_a0;\n\
             \x20 for (ba_i = 1; ba_i < ba_a1; ba_i++)\n\
             \x20   for (ba_j = ba_i; ba_j > 0; ba_j--) {{\n\
             \x20     char *ba_x = ba_b + (ba_j - 1) * ba_a2, *ba_y = ba_b + ba_j * ba_a2;\n\
             \x20     if (ba_compared(ba_x, ba_y) <= 0) break;\n\
             \x20     for (ba_k = 0; ba_k < ba_a2; ba_k++) {{\n\
             \x20       char ba_kept = ba_x[ba_k];\n\
             \x20       ba_x[ba_k] = ba_y[ba_k];\n\
             \x20       ba_y[ba_k] = ba_kept;\n\
             \x20     }}\n\
             \x20   }}\n"
        ),
        helpers: Vec::new(),
        assumes: Some(
            "`qsort` sorts by insertion: equal elements keep their order, and neighbours are compared (C leaves both open)",
        ),
    }
}

/// The statements that give the length of the beginning of a string that has only, or none of, the characters of another.
fn span(inside: bool) -> String {
    let ends = if inside { "!" } else { "" };
    format!(
        "  const char *ba_s = (const char *)ba_a0;\n\
         \x20 unsigned long ba_i = 0;\n\
         \x20 while (ba_s[ba_i] && !({ends}ba_among(ba_s[ba_i], (const char *)ba_a1))) ba_i++;\n\
         \x20 return ba_i;\n"
    )
}

/// The statements that read a number of the result's type, of which an unsigned one is the negation of what follows `-`.
fn number(result: &str, end: &str, base: &str) -> Definition {
    let (unsigned, most, least) = match result.starts_with("unsigned") {
        true => (result.to_owned(), format!("({result})-1"), "0".to_owned()),
        false => {
            let most = format!("(((unsigned {result})-1) >> 1)");
            let least = format!("({most} + 1)");
            (format!("unsigned {result}"), most, least)
        }
    };
    Definition::new(
        format!(
            "  const char *ba_end;\n\
             \x20 char **ba_told = (char **){end};\n\
             \x20 _Bool ba_negative;\n\
             \x20 {unsigned} ba_value = ba_number((const char *)ba_a0, {most}, {least}, {base}, &ba_negative, &ba_end, ba_site);\n\
             \x20 if (ba_told) *ba_told = (char *)ba_end;\n\
             \x20 return ({result})(ba_negative ? -ba_value : ba_value);\n"
        ),
        &[NUMBER],
    )
}

const SEARCHED: &str = "  \
  unsigned long ba_low = 0, ba_high = ba_a2;
  while (ba_low < ba_high) {
    unsigned long ba_middle = ba_low + (ba_high - ba_low) / 2;
    const char *ba_x = (const char *)ba_a1 + ba_middle * ba_a3;
    int ba_order = ((int (*)(const void *, const void *))ba_a4)(ba_a0, ba_x);
    if (ba_order == 0) return (void *)ba_x;
    if (ba_order < 0) ba_high = ba_middle;
    else ba_low = ba_middle + 1;
  }
  return 0;
";

const BYTE: &str = "  \
  const unsigned char *ba_s = (const unsigned char *)ba_a0;
  unsigned long ba_i;
  for (ba_i = 0; ba_i < ba_a2; ba_i++)
    if (ba_s[ba_i] == (unsigned char)ba_a1) return (void *)(ba_s + ba_i);
  return 0;
";

const CHARACTER: &str = "  \
  const char *ba_s = (const char *)ba_a0;
  while (*ba_s && *ba_s != (char)ba_a1) ba_s++;
  return (char *)ba_s;
";

const LENGTH: &str = "  \
  const char *ba_s = (const char *)ba_a0;
  unsigned long ba_i = 0;
  while (ba_i < ba_a1 && ba_s[ba_i]) ba_i++;
  return ba_i;
";

const PART: &str = "  \
  const char *ba_s = (const char *)ba_a0, *ba_t = (const char *)ba_a1;
  for (;; ba_s++) {
    unsigned long ba_i = 0;
    while (ba_t[ba_i] && ba_s[ba_i] == ba_t[ba_i]) ba_i++;
    if (!ba_t[ba_i]) return (char *)ba_s;
    if (!*ba_s) return 0;
  }
";

const ANY_OF: &str = "  \
  const char *ba_s = (const char *)ba_a0;
  for (; *ba_s; ba_s++)
    if (ba_among(*ba_s, (const char *)ba_a1)) return (char *)ba_s;
  return 0;
";

const COPIED: &str = "  \
  char *ba_s = (char *)ba_a0;
  const char *ba_t = (const char *)ba_a1;
  while ((*ba_s = *ba_t)) ba_s++, ba_t++;
  return ba_s;
";

const TOKEN: &str = "  \
  char *ba_s = (char *)ba_a0, **ba_rest = (char **)ba_a2, *ba_token;
  const char *ba_ends = (const char *)ba_a1;
  if (!ba_s) ba_s = *ba_rest;
  if (!ba_s) return 0;
  while (*ba_s && ba_among(*ba_s, ba_ends)) ba_s++;
  ba_token = ba_s;
  while (*ba_s && !ba_among(*ba_s, ba_ends)) ba_s++;
  *ba_rest = ba_s;
  if (ba_s == ba_token) return 0;
  if (*ba_s) {
    *ba_s = 0;
    *ba_rest = ba_s + 1;
  }
  return ba_token;
";

const SEPARATED: &str = "  \
  char **ba_rest = (char **)ba_a0, *ba_token = *ba_rest, *ba_s;
  if (!ba_token) return 0;
  for (ba_s = ba_token; *ba_s && !ba_among(*ba_s, (const char *)ba_a1);) ba_s++;
  if (*ba_s) {
    *ba_s = 0;
    *ba_rest = ba_s + 1;
  } else {
    *ba_rest = 0;
  }
  return ba_token;
";

const PARITY: &str = "  return __builtin_popcountll(ba_a0) & 1;\n";

/// A number's digits, as a number from one half on, and its exponent.
const SPLIT: &str = "  \
  union { double value; unsigned long long bits; } ba_r;
  int *ba_e = (int *)ba_a1;
  _Bool ba_tiny = ba_a0 > -0x1p-1022 && ba_a0 < 0x1p-1022;
  *ba_e = 0;
  if (ba_a0 == 0 || ba_a0 - ba_a0 != 0) return ba_a0;
  ba_r.value = ba_tiny ? ba_a0 * 0x1p+54 : ba_a0;
  *ba_e = (int)(ba_r.bits >> 52 & 0x7ff) - 1022 - (ba_tiny ? 54 : 0);
  ba_r.bits = (ba_r.bits & 0x800fffffffffffffull) | 1022ull << 52;
  return ba_r.value;
";

const FIRST_BIT: &str = "  \
  unsigned ba_v = (unsigned)ba_a0;
  int ba_place = 1;
  if (!ba_v) return 0;
  if (sizeof(int) > 2 && !(ba_v & 0xffff)) { ba_v = (unsigned long)ba_v >> 16; ba_place += 16; }
  if (!(ba_v & 0xff)) { ba_v >>= 8; ba_place += 8; }
  if (!(ba_v & 0xf)) { ba_v >>= 4; ba_place += 4; }
  if (!(ba_v & 3)) { ba_v >>= 2; ba_place += 2; }
  if (!(ba_v & 1)) ba_place += 1;
  return ba_place;
";
