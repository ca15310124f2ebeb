//! Reads of bytes: calls of the C library that store a given number of bytes through a pointer.
//!
//! A native run calls the library. For a model checker, each byte is chosen if they are few, and the whole
//! object if the read fills it. Any other read cuts the run with an internal assertion: if a run reaches it,
//! every verdict but ⊥ is unknown, and the report names the place. To store fewer bytes would miss runs, to
//! store more would invent some.

use std::collections::BTreeSet;

use spec::InputValues;

use super::stored::{bytes_stored, element, input, is_replaceable, line_stored, MOST_ELEMENTS};
use super::values::{chooser, CHOOSES};
use crate::bind::environment::Receiver;
use crate::facts::heads::{CONTRACTS, DRIVER};
use crate::facts::record::SiteEvent;
use crate::facts::types::{Argument, Scalar};
use crate::facts::Call;
use crate::items::{Conditional, Function, Item, Signature};
use crate::layout::weaver::Weaver;
use crate::library::{self, Input};
use crate::plan::inputs::{Bytes, Choice};

/// A call that stores bytes.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// The argument with the pointer.
    pub pointer: usize,
    /// The number of bytes, as an expression over the parameters `ba_a0`, `ba_a1`, …; `None` if only the input
    /// decides it.
    bytes: Option<String>,
    /// The arguments whose product is that number, if it is one.
    factors: Vec<usize>,
    /// Whether a null character terminates them.
    string: bool,
    /// The argument that says how long they may be, if they end behind a line.
    line: Option<usize>,
}

/// The bytes that a function of the C library stores.
pub(crate) fn block(name: &str, arguments: usize) -> Option<Block> {
    let Some(Input::Bytes(pointer, read, _)) = input(name) else {
        return None;
    };
    let product = |factors: &[usize]| {
        let each = factors.iter().map(|a| format!("(unsigned long)ba_a{a}"));
        each.collect::<Vec<_>>().join(" * ")
    };
    let factors = match read {
        library::Bytes::Argument(most) => vec![most],
        library::Bytes::Product(size, many) => vec![size, many],
        _ => Vec::new(),
    };
    let (last, bytes) = match read {
        library::Bytes::Argument(most) => (most, Some(product(&factors))),
        library::Bytes::Product(_, many) => (many, Some(product(&factors))),
        library::Bytes::Line(most) => (
            most,
            Some(format!("(ba_a{most} > 0 ? (unsigned long)ba_a{most} : 0)")),
        ),
        library::Bytes::Rest => (pointer, Some(format!("BA_REST(ba_a{pointer}, 1)"))),
        library::Bytes::Unknown => (pointer, None),
    };
    let string = matches!(
        read,
        library::Bytes::Line(_) | library::Bytes::Rest | library::Bytes::Unknown
    );
    (arguments > last).then_some(Block {
        pointer,
        bytes,
        factors,
        string,
        line: match read {
            library::Bytes::Line(most) => Some(most),
            _ => None,
        },
    })
}

impl Block {
    /// Whether a call reads the one integer that its pointer leads to, or nothing.
    fn is_one_integer(&self, call: &Call, arguments: &[Argument]) -> bool {
        let constant = |a: &usize| arguments.get(*a)?.constant;
        let factors: Option<Vec<i128>> = self.factors.iter().map(constant).collect();
        let size = arguments
            .get(self.pointer)
            .and_then(Argument::integer_bytes);
        let (Some(factors), Some(size)) = (factors, size) else {
            return false;
        };
        // Where the program looks at the result, fewer of the last factor may be read.
        let at_once = !call.used || factors.last() == Some(&1);
        at_once && !factors.is_empty() && factors.iter().product::<i128>() == size
    }
}

/// The greatest length of an array whose elements are chosen one by one although nothing asks for it, so that
/// traces show their values. Longer ones are chosen as a whole.
pub(crate) const SINGLE: u64 = 256;

/// The most bytes that are chosen one by one in a part of an object.
const FEW_BYTES: usize = 64;

impl Weaver<'_> {
    /// The functions of the library that get writable pointers or functions to call, and that are not modelled
    /// here: if the backend has no body for one, its stores are unknown.
    pub(crate) fn opaque(&self) -> Vec<String> {
        let facts = self.facts;
        let inputs = &self.bound.environment.inputs;
        let given = |name: &str| {
            let wanted = Receiver::Call(name.to_string());
            inputs.iter().any(|i| i.receiver == wanted)
        };
        let (mut names, mut through_pointers) = (BTreeSet::new(), false);
        for (call, types) in facts.calls.iter().zip(&facts.call_types) {
            let writable = || types.arguments.iter().any(|a| a.writable);
            let Some(name) = call.callee.as_deref().filter(|_| call.target.is_none()) else {
                // Only direct calls are replaced.
                through_pointers |= call.target.is_none() && writable();
                continue;
            };
            let chosen = self.is_outside(call, name) && is_replaceable(name, types);
            let known = call.exits || self.is_handled(name) || chosen || given(name);
            let calls_back = call.argument_functions.iter().any(Option::is_some);
            if !known && (calls_back || writable()) {
                names.insert(name.to_string());
            }
        }
        if through_pointers {
            names.extend(self.program.code.outside_by_pointer());
        }
        names.into_iter().collect()
    }

    /// The statements that store the bytes that a call reads through its pointer; `None` if the specification's
    /// values do not fit.
    pub(crate) fn store_block(
        &mut self,
        call: &Call,
        block: &Block,
        arguments: &[Argument],
        values: &InputValues,
        site: usize,
    ) -> Option<String> {
        let any = *values == InputValues::Any;
        let number = block.pointer;
        let argument = arguments.get(number)?;
        let object = call.argument_objects.get(number).copied().flatten();
        self.out.inputs.filled.extend(object);
        let most = if any { SINGLE } else { MOST_ELEMENTS };
        match (&argument.target, argument.elements, block.bytes.as_deref()) {
            (Some(ty), Some(n), _) if n <= most => {
                let name = call.callee.clone().unwrap_or_default();
                let choice = self.add_choice(call.range, ty, values)?;
                let value = format!("{}({site})", chooser(choice));
                let each = (0..n).map(|e| bytes_stored(&name, number, e, n, ty, &value));
                let mut text: String = each.collect();
                if let Some(size) = block.line {
                    let place = |e| element(number, e, n);
                    let line =
                        line_stored(place, n, &format!("ba_a{size}"), (&ty.spelling, &value));
                    // A proof may read more, and need not know where lines end; a violation that it finds is executed.
                    text = match self.options.proves {
                        true => format!("#if defined {CONTRACTS} || defined {DRIVER}\n{text}#else\n{line}#endif\n"),
                        false => line,
                    };
                }
                if let Some(bytes) = block.bytes.as_ref().filter(|_| !block.string) {
                    let size = format!("sizeof({})", ty.spelling);
                    let missing = self.note_not_stored(call);
                    text.push_str(&format!(
                        "  if ({bytes} > {n} * {size} || {bytes} % {size} != 0) {missing}\n"
                    ));
                }
                Some(text)
            }
            (Some(_), Some(n), _) if !any => {
                self.too_many(call.range, n);
                None
            }
            (_, _, None) => Some(format!("  {}\n", self.note_not_stored(call))),
            (Some(ty), None, Some(_)) if block.is_one_integer(call, arguments) => {
                let choice = self.add_choice(call.range, ty, values)?;
                Some(format!("  *ba_a{number} = {}({site});\n", chooser(choice)))
            }
            (Some(ty), None, Some(bytes)) if !block.string => {
                let choice = self.add_choice(call.range, ty, values)?;
                let rest = self.store_rest(call, any, number, bytes, site);
                Some(format!(
                    "  if ({bytes} == sizeof({})) *ba_a{number} = {}({site});\n  else {rest}\n",
                    ty.spelling,
                    chooser(choice)
                ))
            }
            (_, _, Some(bytes)) => {
                let rest = match block.line.is_some() {
                    true => self.store_many(true, call, any, (number, bytes), site),
                    false => self.store_rest(call, any, number, bytes, site),
                };
                let end = match block.string && block.line.is_none() {
                    true => {
                        format!("  if ({bytes} > 0) ((char *)ba_a{number})[{bytes} - 1] = 0;\n")
                    }
                    false => String::new(),
                };
                Some(format!("  {rest}\n{end}"))
            }
        }
    }

    /// The statement that stores any values in all elements of a long array.
    pub(crate) fn store_long_array(
        &mut self,
        call: &Call,
        number: usize,
        ty: &Scalar,
        elements: u64,
        site: usize,
    ) -> String {
        let bytes = format!("{elements} * sizeof({})", ty.spelling);
        let text = self.store_rest(call, true, number, &bytes, site);
        format!("  {text}\n")
    }

    /// The statement that stores any bytes.
    pub(crate) fn store_rest(
        &mut self,
        call: &Call,
        any: bool,
        number: usize,
        bytes: &str,
        site: usize,
    ) -> String {
        self.store_many(false, call, any, (number, bytes), site)
    }

    /// The statement that stores any bytes, or those of a line.
    fn store_many(
        &mut self,
        line: bool,
        call: &Call,
        any: bool,
        (number, bytes): (usize, &str),
        site: usize,
    ) -> String {
        let missing = self.note_not_stored(call);
        if !any {
            return missing;
        }
        let choice = self.add_byte_choice();
        let read = Bytes {
            choice,
            lines: line,
        };
        self.out.inputs.bytes.get_or_insert(read).lines |= line;
        let by = if line { "ba_line" } else { "ba_read" };
        format!("if (!{by}((void *)ba_a{number}, {bytes}, {site})) {missing}")
    }

    /// Adds the choice of any byte, and returns its number.
    pub(crate) fn add_byte_choice(&mut self) -> usize {
        self.add_known_choice(Choice {
            ty: Scalar {
                spelling: "unsigned char".into(),
                bounds: Some((0, 255)),
                pointer: false,
            },
            values: InputValues::Any,
            within: None,
        })
    }

    /// The statement for a read that is not modelled: it cuts the run before the read.
    pub(crate) fn note_not_stored(&mut self, call: &Call) -> String {
        self.note_not_modelled(call, "input")
    }

    /// The statement for a call whose stores are not modelled; `why` becomes a part of the assertion's name.
    pub(crate) fn note_not_modelled(&mut self, call: &Call, why: &str) -> String {
        self.out.inputs.partly = true;
        let place = self.plain_place(call.range);
        let site = self.add_site(call.range, call.function, SiteEvent::Cut);
        format!("BA_NOT_STORED(\"baproduct:internal:{why}:{place}\", {site});")
    }
}

/// Declarations before the program, for a program with reads of bytes.
pub(crate) fn macros() -> Item {
    "/* Cuts the run where the program reads data that is not modelled: its verdict is unknown, unless it is false already. */\n\
     typedef void *__attribute__((__may_alias__)) ba_pointer; /* pointers of any type */\n\
     #if BA_CHECK & 64\n#define BA_NOT_STORED(text, site) do { BA_ASSERT(0, text); ba_cut(site); } while (0)\n\
     #else\n#define BA_NOT_STORED(text, site) ba_cut(site)\n#endif\n\
     /* The bytes from a place to the end of its object, if the model checker tells, else those of one element. */\n\
     #if defined __CPROVER__\n#define BA_REST(place, one) (__CPROVER_OBJECT_SIZE(place) - __CPROVER_POINTER_OFFSET(place))\n\
     #elif BA_MODEL /* ESBMC does not tell: such a run has no verdict */\n#define BA_REST(place, one) (-1ul)\n\
     #else\n#define BA_REST(place, one) ((one) ? (one) : -1ul)\n#endif"
        .into()
}

/// The function that stores any bytes.
pub(crate) fn read() -> Signature {
    Signature::unused("_Bool ba_read(void *ba_place, unsigned long ba_bytes, unsigned ba_site)")
}

/// The function that stores a line.
pub(crate) fn line_signature() -> Signature {
    Signature::unused("_Bool ba_line(void *ba_place, unsigned long ba_bytes, unsigned ba_site)")
}

/// Defines the function that stores any bytes; the choice with this number chooses each byte.
pub(crate) fn function(choice: usize) -> Item {
    let byte = |i: usize| {
        format!(
            "  if ({i} < ba_bytes) ba_byte[{i}] = {}(ba_site);\n",
            chooser(choice)
        )
    };
    let bytes: String = (0..FEW_BYTES).map(byte).collect();
    storing(
        read(),
        ("", &bytes),
        "Any bytes come to a place; gives 0 if that is not modelled: many bytes, and not a whole object.",
    )
}

/// Defines the function that stores a line: nothing behind its end, and a null character.
pub(crate) fn line_function(choice: usize) -> Item {
    let value = format!("{}(ba_site)", chooser(choice));
    let line = line_stored(
        |e| format!("ba_byte[{e}]"),
        FEW_BYTES as u64,
        "ba_bytes",
        ("unsigned char", &value),
    );
    storing(
        line_signature(),
        ("    ba_byte[ba_bytes - 1] = 0;\n", &line),
        "A line comes to a place; gives 0 if that is not modelled: many bytes, and not a whole object.",
    )
}

/// Defines a function that stores bytes: those of a whole object, with statements behind that, or few by other statements.
fn storing(signature: Signature, (whole, few): (&str, &str), reason: &str) -> Item {
    let body = format!(
        "  unsigned char *ba_byte = ba_place;\n\
         #if defined __CPROVER__\n\
         \x20 if (ba_bytes > {FEW_BYTES} && __CPROVER_POINTER_OFFSET(ba_place) == 0 && ba_bytes == __CPROVER_OBJECT_SIZE(ba_place)) {{\n\
         \x20   __CPROVER_havoc_object(ba_place);\n{whole}    return 1;\n  }}\n\
         #endif\n\
         \x20 if (ba_bytes > {FEW_BYTES}) return 0;\n{few}  return 1;\n"
    );
    let function = Function::new(signature, body);
    Conditional::when(CHOOSES, vec![function.into()])
        .for_reason(reason)
        .into()
}
