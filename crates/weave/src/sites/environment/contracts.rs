//! Functions of the C library in proofs, by what the standard says of their results.
//!
//! A proof follows no loop of the library. In the program that it reads, a call of such a function is one of a function
//! for this call, which returns any result that the standard allows; where strings or memory are compared, it looks at
//! the first bytes, so that short strings compare as they do. This adds runs and takes none away, so a proof stays one. A
//! run that violates a formula is looked for in the program that calls the library: the replacing functions exist only
//! where [`CONTRACTS`] is defined.

use spec::InputValues;

use super::copies::{self, BYTES};
use super::definitions::{self, formatted};
use super::stored::has_scalars;
use super::texts;
use super::values::{chooser, CHOOSES};
use crate::facts::heads::CONTRACTS;
use crate::facts::types::{CallTypes, Scalar};
use crate::facts::Call;
use crate::layout::weaver::Weaver;
use crate::library::{self, Contract};
use crate::plan::inputs::Choice;

/// The most bytes of an array in which the length of a beginning is computed.
const SPAN: u64 = 128;
/// The most characters that such a beginning may have, or may not have.
const CHARACTERS: usize = 4;

/// The functions that the search of all states executes where it knows the strings that they read.
const EXECUTED: [&str; 11] = [
    "atoi",
    "atol",
    "atoll",
    "strtol",
    "strtoul",
    "strtoll",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "strlen",
];

/// The condition under which an induction reads the program, by a model checker for which a variable without a value has any.
const IN_CBMCS_INDUCTION: &str =
    "#if BA_CHOOSES && defined BA_CONTRACTS && !defined BA_DRIVER && defined __CPROVER__";

/// The condition under which such an induction, or the search of all states, reads the program.
const IN_CBMCS_PROOFS: &str =
    "#if BA_CHOOSES && defined BA_CONTRACTS && (defined BA_DRIVER || defined __CPROVER__)";

/// The condition under which a proof reads the program.
pub(super) const IN_PROOFS: &str = "#if BA_CHOOSES && defined BA_CONTRACTS";

/// The number of bytes between what the first argument points to and the end of its object.
const REST: &str = "(__CPROVER_OBJECT_SIZE(ba_a0) - __CPROVER_POINTER_OFFSET(ba_a0))";

impl Weaver<'_> {
    /// The contract for a call, in a program for proofs.
    pub(crate) fn contract(&self, call: &Call, name: &str, types: &CallTypes) -> Option<Contract> {
        let contract = library::with_arguments(name)?.contract?;
        // Model checkers do not know the length of a beginning, so it is computed in every program that they read.
        let wanted = self.is_proof() || matches!(contract, Contract::Span(_));
        if !wanted || call.target.is_some() {
            return None;
        }
        let fits = match contract {
            Contract::Number => types.arguments.len() == 1,
            Contract::NumberUntil(end) => self.is_null(call, end) || is_told(types, end),
            Contract::Strings(limit) => types.arguments.len() == limit.map_or(2, |l| l + 1),
            Contract::Memory(limit) => types.arguments.len() == limit + 1,
            Contract::Length(limit) => types.arguments.len() == limit.map_or(1, |l| l + 1),
            Contract::Span(_) => {
                let of = bytes(types);
                let few = self.characters(call).is_some_and(|n| n <= CHARACTERS);
                types.arguments.len() == 2 && few && of.is_some_and(|n| (1..=SPAN).contains(&n))
            }
            Contract::Character | Contract::Place => types.arguments.len() > 1,
            Contract::Token => types.arguments.len() == 3,
            Contract::Copy { limit, .. } => {
                let of = types.arguments.first();
                types.arguments.len() == limit.map_or(2, |l| l + 1)
                    && of.is_some_and(|a| {
                        a.array_bytes
                            .is_some_and(|n| (1..=copies::ROOM).contains(&n))
                    })
            }
            Contract::Print(limit) => {
                let of = bytes(types);
                let format = self.literal(call, limit.map_or(1, |l| l + 1));
                let texts = format.is_some_and(|format| formatted::has_texts(&format));
                texts && of.is_some_and(|n| (1..=copies::ROOM).contains(&n))
            }
            Contract::Options(list) => {
                types.arguments.len() == list + 1 && self.options(call, list).is_some()
            }
            Contract::Values => true,
        };
        let integer = |r: &Scalar| match contract.is_place() {
            true => r.pointer,
            false => r.bounds.is_some() || contract.is_number(),
        };
        let fits = fits && has_scalars(types) && types.result.as_ref().is_some_and(integer);
        fits.then_some(contract)
    }

    /// The condition under which the function that stands for a call by contract is defined.
    pub(super) fn condition(&self, call: &Call, types: &CallTypes, contract: Contract) -> String {
        match contract {
            // Only CBMC tells the size of the object that a pointer leads to.
            Contract::NumberUntil(end) if is_told(types, end) && bytes(types).is_none() => {
                IN_CBMCS_INDUCTION
            }
            Contract::Character | Contract::Place if bytes(types).is_none() => IN_CBMCS_INDUCTION,
            // It gives what the function gives.
            Contract::Span(_) => CHOOSES,
            // It executes them.
            Contract::Copy { .. } if self.is_literal(call, 1) => IN_CBMCS_INDUCTION,
            Contract::Copy { .. } | Contract::Print(_) => IN_CBMCS_PROOFS,
            _ => IN_PROOFS,
        }
        .to_owned()
    }

    /// Whether an argument of a call is a null pointer, as it is written.
    fn is_null(&self, call: &Call, argument: usize) -> bool {
        let text = call.arguments.get(argument);
        let text = text.map(|range| self.program.text[range.start..range.end].trim());
        text.is_some_and(|t| matches!(t, "0" | "((void *)0)" | "((void*)0)" | "(void *)0"))
    }

    /// Whether the program is woven for a proof.
    pub(crate) fn is_proof(&self) -> bool {
        self.options.driven && self.options.proves
    }

    /// The statement by which the search of all states calls the library where all strings are literals or arguments of the command
    /// line that it knows.
    fn of_known_arguments(
        &self,
        call: &Call,
        types: &CallTypes,
        contract: Contract,
    ) -> Option<String> {
        let name = call.callee.as_deref()?;
        if self.facts.arguments_read.is_empty() || !EXECUTED.contains(&name) {
            return None;
        }
        let strings = match contract {
            Contract::Strings(_) => 0..2,
            _ => 0..1,
        };
        let known = strings.filter(|i| !self.is_literal(call, *i));
        let known: Vec<String> = known.map(|i| format!("BA_STRING(ba_a{i})")).collect();
        let all = (0..types.arguments.len()).map(|i| match contract {
            // It is a null pointer.
            Contract::NumberUntil(end) if end == i => "0".to_owned(),
            _ => format!("ba_a{i}"),
        });
        let all: Vec<String> = all.collect();
        let tells_end = matches!(contract, Contract::NumberUntil(end) if is_told(types, end));
        (!known.is_empty() && !tells_end).then(|| {
            format!(
                "#if defined BA_DRIVER\n  if ({}) return BA_EXECUTED({name})({});\n#endif\n",
                known.join(" && "),
                all.join(", ")
            )
        })
    }

    /// The statement by which the search of all states tells arguments that it does not know from those that it does.
    fn differs_from_arguments(&self, call: &Call) -> &'static str {
        let wanted = !self.facts.arguments_read.is_empty()
            && call.callee.as_deref() == Some("strcmp")
            && !self.is_literal(call, 0)
            && self.is_literal(call, 1);
        match wanted {
            true => "  if (!ba_result && BA_DIFFERS(ba_a0, ba_a1)) return 1;\n",
            false => "",
        }
    }

    /// What a call of `getopt` may return, if its list of options is a literal.
    fn options(&self, call: &Call, list: usize) -> Option<Vec<i128>> {
        let listed = definitions::literal(self.program.text, call.arguments.get(list)?)?;
        let shown = listed.into_iter().skip_while(|c| b"+-".contains(c));
        let shown: Vec<u8> = shown.collect();
        let plain = shown
            .iter()
            .all(|c| c.is_ascii_alphanumeric() || *c == b':');
        // A colon in front is what is returned for a missing argument; an option's own is none.
        let missing = shown.first() == Some(&b':');
        let options = shown.iter().filter(|c| **c != b':').copied();
        let others = [Some(b'?'), missing.then_some(b':')];
        let all = options.chain(others.into_iter().flatten()).map(i128::from);
        let set: std::collections::BTreeSet<i128> = all.chain([-1]).collect();
        plain.then(|| set.into_iter().collect())
    }

    /// Whether an argument of a call is a string literal.
    fn is_literal(&self, call: &Call, argument: usize) -> bool {
        let range = call.arguments.get(argument);
        let text = range.map(|range| self.program.text[range.start..range.end].trim());
        text.is_some_and(|t| t.starts_with('"') && t.ends_with('"'))
    }

    /// The number of characters of a call's second argument, if it is a string literal of plain characters.
    fn characters(&self, call: &Call) -> Option<usize> {
        let range = call.arguments.get(1)?;
        let text = self.program.text[range.start..range.end].trim();
        plain_characters(text.strip_prefix('"')?.strip_suffix('"')?)
    }

    /// The statements that store where a number ends: anywhere in the array that the string is in.
    fn end_of_number(&mut self, end: usize, types: &CallTypes, site: usize) -> Option<String> {
        if !is_told(types, end) {
            return Some(String::new());
        }
        let bytes = bytes(types);
        let choice = self.add_known_choice(Choice {
            ty: index(),
            values: InputValues::Any,
            within: bytes.map(|n| (0, i128::from(n).max(1) - 1)),
        });
        let any = format!("{}({site})", chooser(choice));
        let (first, place) = match bytes {
            Some(_) => (String::new(), any),
            None => {
                let first = format!("  unsigned int ba_place = {any};\n");
                (first, format!("(ba_place < {REST} ? ba_place : 0)"))
            }
        };
        Some(format!(
            "{first}  *(char **)ba_a{end} = (char *)ba_a0 + {place};\n"
        ))
    }

    /// The body of the function that stands for a call.
    pub(super) fn contract_body(
        &mut self,
        call: &Call,
        types: &CallTypes,
        contract: Contract,
        site: usize,
    ) -> Option<String> {
        let result = types.result.clone()?;
        let unused = (0..types.arguments.len()).map(|i| format!("  (void)ba_a{i};\n"));
        let mut body: String = unused.collect();
        let of_arguments = self.of_known_arguments(call, types, contract);
        body += &of_arguments.unwrap_or_default();
        let any = |weaver: &mut Self| {
            let choice = weaver.add_choice(call.range, &result, &InputValues::Any)?;
            Some(format!("{}({site})", chooser(choice)))
        };
        match contract {
            Contract::Number => body += &format!("  return {};\n", any(self)?),
            Contract::NumberUntil(end) => {
                body += &self.end_of_number(end, types, site)?;
                body += &format!("  return {};\n", any(self)?);
            }
            Contract::Span(inside) => {
                let bytes = bytes(types)?;
                let any = self.is_proof().then(|| {
                    let choice = self.add_known_choice(Choice {
                        ty: result,
                        values: InputValues::Any,
                        within: Some((0, i128::from(bytes) - 1)),
                    });
                    format!("{}({site})", chooser(choice))
                });
                body += &self.cut_there(call, bytes);
                body += &span(inside, bytes, self.characters(call)?, any.as_deref());
            }
            Contract::Strings(limit) => {
                let differs = self.differs_from_arguments(call);
                body += &compared(limit, true, &any(self)?, differs);
            }
            Contract::Memory(limit) => body += &compared(Some(limit), false, &any(self)?, ""),
            Contract::Length(limit) => {
                let bytes = bytes(types);
                let most = bytes.map(|n| i128::from(n).max(1) - 1);
                let choice = self.add_known_choice(Choice {
                    ty: result,
                    values: InputValues::Any,
                    within: most.map(|most| (0, most)),
                });
                body += &length(limit, &format!("{}({site})", chooser(choice)));
            }
            Contract::Character | Contract::Place => {
                let bytes = bytes(types);
                let choice = self.add_known_choice(Choice {
                    ty: index(),
                    values: InputValues::Any,
                    within: bytes.map(|n| (0, i128::from(n))),
                });
                let any = format!("{}({site})", chooser(choice));
                body += &place(contract == Contract::Character, &result, bytes, &any);
            }
            Contract::Token => {
                let choice = self.add_known_choice(Choice {
                    ty: index(),
                    values: InputValues::Any,
                    within: None,
                });
                let any = token(&format!("{}({site})", chooser(choice)));
                let found = self.add_known_choice(Choice {
                    ty: index(),
                    values: InputValues::Any,
                    within: Some((0, 1)),
                });
                let found = format!("{}({site})", chooser(found));
                let bytes = bytes(types);
                body += &texts::cut(bytes, &found, &any);
            }
            Contract::Copy { behind, limit } => {
                let bytes = bytes(types)?;
                let any = match behind {
                    true => copies::appended(bytes),
                    false => copies::copied(limit, bytes),
                };
                body += &match self.is_literal(call, 1) {
                    true => any,
                    false => texts::forgotten(limit.filter(|_| !behind), bytes, &any),
                };
            }
            Contract::Print(limit) => {
                let bytes = bytes(types)?;
                let format = limit.map_or(1, |l| l + 1);
                let plain = self
                    .literal(call, format)
                    .is_some_and(|f| formatted::is_text(&f));
                let length = self.add_known_choice(Choice {
                    ty: number(),
                    values: InputValues::Any,
                    within: Some((0, i32::MAX.into())),
                });
                let length = format!("{}({site})", chooser(length));
                let text = plain.then_some(format + 1);
                let any = copies::printed(limit, text, bytes);
                body += &texts::printed(limit, bytes, &length, &any);
            }
            Contract::Options(list) => {
                let set = InputValues::Set(self.options(call, list)?);
                let way = self.add_choice(call.range, &result, &set)?;
                let next = self.add_known_choice(Choice {
                    ty: number(),
                    values: InputValues::Any,
                    within: Some((1, i32::MAX.into())),
                });
                let unknown = self.add_known_choice(Choice {
                    ty: number(),
                    values: InputValues::Any,
                    within: Some((0, u8::MAX.into())),
                });
                let (at, which) = (self.input_site(call), self.input_site(call));
                body += &format!(
                    "  int ba_way = {}({site});\n  optind = {}({at});\n  optopt = {}({which});\n\
                     \x20 optarg = {};\n  BA_FORGETS_TEXT(0, 0);\n  return ba_way;\n",
                    chooser(way),
                    chooser(next),
                    chooser(unknown),
                    texts::TEXT
                );
            }
            Contract::Values => return None,
        }
        Some(body)
    }
}

/// Whether a call stores through this argument where a number ends: the argument is the address of a pointer.
fn is_told(types: &CallTypes, end: usize) -> bool {
    types.arguments.get(end).is_some_and(|a| a.address)
}

/// The bytes of the array that the first argument leads to, if that is known.
fn bytes(types: &CallTypes) -> Option<u64> {
    types.arguments.first().and_then(|a| a.array_bytes)
}

/// The number of characters of the inside of a string literal; `None` if there are others than plain ones and the simple escapes.
fn plain_characters(inside: &str) -> Option<usize> {
    let mut characters = inside.chars();
    let mut count = 0;
    while let Some(c) = characters.next() {
        let plain = match c {
            '\\' => characters
                .next()
                .is_some_and(|e| "abfnrtv\\'\"?".contains(e)),
            '"' => false,
            c => c.is_ascii() && !c.is_control(),
        };
        if !plain {
            return None;
        }
        count += 1;
    }
    Some(count)
}

/// The statements that give the length of the beginning of a string in an array of so many bytes that has only (`inside`) or none of
/// the first characters of another string. In a proof by contract, the search of all states keeps no bytes apart.
fn span(inside: bool, bytes: u64, characters: usize, any: Option<&str>) -> String {
    let step = |i: u64| {
        let equal = (0..characters).map(|k| format!("ba_x[{i}] == ba_y[{k}]"));
        let equal: Vec<String> = equal.collect();
        let among = match equal.is_empty() {
            true => "0".to_string(),
            false => equal.join(" || "),
        };
        let ends = if inside { format!("!({among})") } else { among };
        format!("  if (!ba_x[{i}] || {ends}) return {i};\n")
    };
    let steps: String = (0..bytes).map(step).collect();
    let known = format!(
        "  const char *ba_x = (const char *)ba_a0, *ba_y = (const char *)ba_a1;\n  (void)ba_y;\n{steps}  return {};\n",
        bytes - 1
    );
    match any {
        Some(any) => format!(
            "#if defined BA_DRIVER && defined {CONTRACTS}\n  return {any};\n#else\n{known}#endif\n"
        ),
        None => known,
    }
}

/// The type of `optind`.
fn number() -> Scalar {
    Scalar {
        spelling: "int".to_string(),
        bounds: Some((i32::MIN.into(), i32::MAX.into())),
        pointer: false,
    }
}

/// The type of a place in an array.
pub(super) fn index() -> Scalar {
    Scalar {
        spelling: "unsigned int".to_string(),
        bounds: Some((0, u32::MAX.into())),
        pointer: false,
    }
}

/// The statements that give a null pointer or a place in an array of so many bytes, or of a number that CBMC knows. Of a character that is looked for, the first bytes decide.
fn place(character: bool, result: &Scalar, bytes: Option<u64>, any: &str) -> String {
    let ty = &result.spelling;
    let step = |i: u64| {
        format!(
            "  if (ba_x[{i}] == (char)ba_a1) return ({ty})(ba_x + {i});\n  if (!ba_x[{i}]) return ({ty})0;\n"
        )
    };
    let decided = match character {
        true => bytes.unwrap_or(u64::MAX).min(BYTES as u64),
        false => 0,
    };
    let bytes = bytes.map_or_else(|| REST.to_owned(), |n| n.to_string());
    let is_there = match character {
        true => {
            format!("  if (ba_place < {bytes} && ba_x[ba_place] != (char)ba_a1) return ({ty})0;\n")
        }
        false => String::new(),
    };
    let steps: String = (0..decided).map(step).collect();
    format!(
        "  unsigned int ba_place = {any};\n\
         \x20 const char *ba_x = (const char *)ba_a0;\n\
         #if !defined BA_DRIVER\n{steps}\
         \x20 if (ba_place < {decided}) return ({ty})0;\n{is_there}\
         #endif\n\
         \x20 return ba_place < {bytes} ? ({ty})(ba_x + ba_place) : ({ty})0;\n"
    )
}

/// The statements that give a part of a string, or none: any part of what is left of the object.
fn token(any: &str) -> String {
    format!(
        "  char *ba_from = ba_a0 ? (char *)ba_a0 : *(char **)ba_a2, **ba_rest = (char **)ba_a2;\n\
         \x20 unsigned ba_way = {any}, ba_skip = {any}, ba_length = {any};\n\
         \x20 if (!ba_from) return 0;\n\
         #if defined __CPROVER__\n\
         \x20 unsigned long long ba_left = __CPROVER_OBJECT_SIZE(ba_from) - __CPROVER_POINTER_OFFSET(ba_from);\n\
         \x20 if (!ba_left) return 0;\n\
         \x20 if (ba_skip >= ba_left) ba_skip = ba_left - 1;\n\
         \x20 if (ba_length > ba_left - 1 - ba_skip) ba_length = ba_left - 1 - ba_skip;\n\
         \x20 if (ba_way == 1 && ba_skip + ba_length + 1 >= ba_left) ba_way = 2; /* the string's end is behind what is cleared */\n\
         #endif\n\
         \x20 *ba_rest = ba_from + ba_skip + ba_length;\n\
         \x20 if (ba_way == 0) return 0;\n\
         \x20 if (ba_way == 1) *(*ba_rest)++ = 0;\n\
         \x20 return ba_from + ba_skip;\n"
    )
}

/// The statements that compare strings or memory: the first bytes decide, or any result is possible. A negative limit is converted
/// to a size, as the library's parameter is.
fn compared(limit: Option<usize>, strings: bool, any: &str, differs: &str) -> String {
    let step = |i: usize| {
        let over = limit.map_or_else(String::new, |l| {
            format!("  if ((unsigned long long)ba_a{l} <= {i}) goto ba_known;\n")
        });
        let ends = if strings {
            format!(" || !ba_x[{i}]")
        } else {
            String::new()
        };
        format!(
            "{over}  if (ba_x[{i}] != ba_y[{i}]{ends}) {{ ba_differ = ba_x[{i}] - ba_y[{i}]; goto ba_known; }}\n"
        )
    };
    let steps: String = (0..BYTES).map(step).collect();
    format!(
        "  int ba_result = {any};\n\
         #if !defined BA_DRIVER /* the search of all states keeps no bytes apart */\n\
         \x20 const unsigned char *ba_x = (const unsigned char *)ba_a0, *ba_y = (const unsigned char *)ba_a1;\n\
         \x20 int ba_differ = 0;\n{steps}  return ba_result;\n\
         ba_known:\n\
         \x20 if (ba_differ < 0) return ba_result < 0 ? ba_result : -1;\n\
         \x20 if (ba_differ > 0) return ba_result > 0 ? ba_result : 1;\n  return 0;\n\
         #else\n{differs}  return ba_result;\n#endif\n"
    )
}

/// The statements that give the length of a string, which ends within its object.
fn length(limit: Option<usize>, any: &str) -> String {
    let step = |i: usize| {
        let over = limit.map_or_else(String::new, |l| {
            format!("  if ((unsigned long long)ba_a{l} <= {i}) return {i};\n")
        });
        format!("{over}  if (!ba_x[{i}]) return {i};\n")
    };
    let steps: String = (0..BYTES).map(step).collect();
    let over = limit.map_or_else(String::new, |l| {
        format!("  if (ba_length > (unsigned long long)ba_a{l}) ba_length = ba_a{l};\n")
    });
    format!(
        "  unsigned long long ba_length = {any};\n\
         #if !defined BA_DRIVER\n\
         \x20 const char *ba_x = (const char *)ba_a0;\n{steps}\
         \x20 if (ba_length < {BYTES}) ba_length = {BYTES};\n\
         #if defined __CPROVER__\n\
         \x20 unsigned long long ba_rest = __CPROVER_OBJECT_SIZE(ba_x) - __CPROVER_POINTER_OFFSET(ba_x);\n{}\
         #endif\n\
         #endif\n{over}  return ba_length;\n",
        match limit {
            // No more than the limit is read, and there need not be an end.
            Some(_) => "  if (ba_length > ba_rest) ba_length = ba_rest;\n",
            None => "  if (ba_length >= ba_rest) ba_length = ba_rest - 1;\n",
        }
    )
}
