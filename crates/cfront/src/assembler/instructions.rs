//! The meaning of instructions, in C.

mod flags;

use std::fmt::Write as _;

use super::operand::Operand;
use super::statement::Statement;
use crate::data_model::DataModel;
use flags::flag;

/// The statement in C; `None` if some instruction is not known or nothing is written. With `bytes`, instructions whose
/// name says a size work on so many bytes of their operands, whatever type these have.
pub(super) fn in_c(statement: &Statement, model: &DataModel, bytes: bool) -> Option<String> {
    let operands = statement.operands.as_slice();
    let writes = operands.iter().any(|o| o.output) || statement.labels.is_some();
    if !writes && !statement.memory {
        return None;
    }
    let mut writer = Writer {
        operands,
        labels: statement.labels.as_deref(),
        clobbers: statement.memory,
        stores: writes,
        bytes,
        size: None,
        out: String::new(),
        written: vec![false; operands.len()],
        zero: None,
        negative: None,
        carry: None,
        long: model.long,
        pushed: false,
        temporaries: 0,
    };
    writer.initial()?;
    let list = instructions(&statement.template)?;
    let last = operands.iter().any(|o| flag(o).is_some());
    for (index, one) in list.iter().enumerate() {
        let behind = &list[index + 1..];
        let flags = last || behind.iter().any(|i| reads_flags(&i.name));
        // Processors that do not know `tzcnt` read it as `bsf`; both give the same, unless there is no bit.
        let prefix = matches!(one.name.as_str(), "rep" | "repz" | "repe");
        if prefix && behind.first().is_some_and(|i| i.name.starts_with("bsf")) {
            continue;
        }
        writer.instruction(one, flags)?;
    }
    writer.flags()?;
    if writer.pushed {
        return None;
    }
    // An output that no instruction writes has a value that is not known.
    let outputs = operands.iter().zip(&writer.written);
    let all = outputs
        .into_iter()
        .all(|(o, written)| !o.output || *written || o.constraint.contains('+'));
    (all && writer.stores && !list.is_empty()).then(|| format!("({{ {}}})", writer.out))
}

/// Whether no instruction of a template writes memory, other than a new place on the stack.
pub(crate) fn is_harmless(template: &str) -> bool {
    const NAMES: [&str; 58] = [
        "rep",
        "nop",
        "pause",
        "mfence",
        "lfence",
        "sfence",
        "cli",
        "sti",
        "hlt",
        "push",
        "pop",
        "pushf",
        "pushfq",
        "pushfl",
        "popf",
        "popfq",
        "popfl",
        "rdtsc",
        "rdtscp",
        "rdmsr",
        "wrmsr",
        "rdpmc",
        "cpuid",
        "in",
        "inb",
        "inw",
        "inl",
        "out",
        "outb",
        "outw",
        "outl",
        "invlpg",
        "wbinvd",
        "clflush",
        "clflushopt",
        "prefetchnta",
        "prefetcht0",
        "prefetchw",
        "ud2",
        "int3",
        "swapgs",
        "clac",
        "stac",
        "ud0",
        "msr",
        "mrs",
        "clrex",
        "cpsid",
        "cpsie",
        "dsb",
        "dmb",
        "isb",
        "wfi",
        "wfe",
        "sev",
        "sei",
        "sleep",
        "wdr",
    ];
    // A barrier: it adds nothing to the top of the stack.
    let adds_nothing = |i: &Instruction| {
        matches!(
            i.name.as_str(),
            "add" | "addl" | "addq" | "or" | "orl" | "orq"
        ) && matches!(i.operands.as_slice(), ["$0" | "$0x0", place] if place.ends_with("(%%rsp)") || place.ends_with("(%%esp)"))
    };
    let known =
        |i: &Instruction| NAMES.contains(&i.name.to_lowercase().as_str()) || adds_nothing(i);
    instructions(template).is_some_and(|list| list.iter().all(known))
}

/// An instruction with its operands.
#[derive(Debug)]
pub(crate) struct Instruction<'a> {
    pub locked: bool,
    pub name: String,
    pub operands: Vec<&'a str>,
}

fn reads_flags(name: &str) -> bool {
    name.starts_with("set") || name.starts_with("sbb") || name.starts_with('j')
}

/// The instructions of a template, without comments, labels, and text for other sections.
pub(crate) fn instructions(template: &str) -> Option<Vec<Instruction<'_>>> {
    let mut list = Vec::new();
    let (mut locked, mut elsewhere) = (false, false);
    for line in template.lines() {
        let line = line.split('#').next().unwrap_or_default();
        let (line, comment) = line.split_once("/*").unwrap_or((line, "*/"));
        if !comment.trim_end().ends_with("*/") || comment.matches("*/").count() != 1 {
            return None;
        }
        for part in line.split(';') {
            let mut part = part.trim();
            while let Some((label, rest)) = part.split_once(':') {
                if !label.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                    return None;
                }
                part = rest.trim();
            }
            let (mut word, mut rest) = first_word(part);
            match word {
                ".pushsection" | ".section" => elsewhere = true,
                ".popsection" | ".previous" => {
                    elsewhere = false;
                    continue;
                }
                _ => {}
            }
            if elsewhere || word.is_empty() {
                continue;
            }
            if word == "lock" {
                locked = true;
                (word, rest) = first_word(rest);
                if word.is_empty() {
                    continue;
                }
            }
            list.push(Instruction {
                locked: std::mem::take(&mut locked),
                name: word.to_string(),
                operands: rest
                    .split(',')
                    .map(str::trim)
                    .filter(|o| !o.is_empty())
                    .collect(),
            });
        }
    }
    (!locked).then_some(list)
}

fn first_word(text: &str) -> (&str, &str) {
    match text.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim()),
        None => (text, ""),
    }
}

struct Writer<'a> {
    operands: &'a [Operand],
    /// The labels of an `asm goto`.
    labels: Option<&'a [String]>,
    /// Whether the statement may write memory that it names as an input.
    clobbers: bool,
    /// Whether it writes something.
    stores: bool,
    /// Whether operands are taken as bytes.
    bytes: bool,
    /// The size of the current instruction.
    size: Option<u32>,
    out: String,
    written: Vec<bool>,
    /// Conditions in C for the flags of the last result.
    zero: Option<String>,
    negative: Option<String>,
    carry: Option<String>,
    /// The bits of `long`.
    long: u32,
    /// Whether the flags are on top of the stack.
    pushed: bool,
    temporaries: u32,
}

/// An operand of an instruction.
enum Place {
    Operand(usize),
    Immediate(String),
}

/// An instruction that changes its last operand: the atomic operation and the operator.
fn arithmetic(name: &str) -> Option<(&'static str, &'static str)> {
    Some(match name {
        "inc" | "add" => ("add", "+"),
        "dec" | "sub" => ("sub", "-"),
        "and" => ("and", "&"),
        "or" => ("or", "|"),
        "xor" => ("xor", "^"),
        _ => return None,
    })
}

const KNOWN: [&str; 20] = [
    "bsf", "bsr", "inc", "dec", "add", "sub", "and", "or", "xor", "xadd", "xchg", "cmpxchg", "bts",
    "btr", "btc", "bt", "sbb", "mov", "neg", "not",
];

/// The name without a suffix for the size, and the size in bytes.
fn sized(name: &str) -> Option<(&str, Option<u32>)> {
    if KNOWN.contains(&name) {
        return Some((name, None));
    }
    let size = match name.chars().last()? {
        'b' => 1,
        'w' => 2,
        'l' => 4,
        'q' => 8,
        _ => return None,
    };
    let name = &name[..name.len() - 1];
    KNOWN.contains(&name).then_some((name, Some(size)))
}

impl Writer<'_> {
    /// Outputs that begin with the value of an input.
    fn initial(&mut self) -> Option<()> {
        for input in self.operands.iter().filter(|o| !o.output) {
            let constraint = input.constraint.trim_start_matches('%');
            let to = match constraint.parse::<usize>() {
                Ok(number) => number,
                Err(_) if constraint == "a" => {
                    match self
                        .operands
                        .iter()
                        .position(|o| o.output && o.constraint.contains('a'))
                    {
                        Some(output) => output,
                        None => continue,
                    }
                }
                Err(_) => continue,
            };
            let output = self.operands.get(to).filter(|o| o.output)?;
            let _ = write!(self.out, "{} = {}; ", output.text, input.text);
            self.written[to] = true;
        }
        Some(())
    }

    /// A name that no operand has. It is not one of those of emitted text: the statement is a part of the program.
    fn temporary(&mut self) -> String {
        loop {
            self.temporaries += 1;
            let name = format!("asm_value_{}", self.temporaries);
            if !self.operands.iter().any(|o| o.text.contains(&name)) {
                return name;
            }
        }
    }

    fn place(&self, text: &str) -> Option<Place> {
        if let Some(number) = text.strip_prefix('$') {
            let valid = number.parse::<i64>().is_ok();
            return valid.then(|| Place::Immediate(number.to_string()));
        }
        let of = text.strip_prefix('%')?;
        // The name of a part of a register; the instruction's size says the same.
        let of = match of.strip_prefix(['b', 'w', 'k', 'q']) {
            Some(rest) if self.size.is_some() => rest,
            _ => of,
        };
        let index = match of.strip_prefix('[').and_then(|n| n.strip_suffix(']')) {
            Some(name) => self
                .operands
                .iter()
                .position(|o| o.name.as_deref() == Some(name))?,
            None => of.parse().ok().filter(|i| *i < self.operands.len())?,
        };
        Some(Place::Operand(index))
    }

    fn value(&self, text: &str) -> Option<String> {
        Some(match self.place(text)? {
            Place::Immediate(number) => format!("({number})"),
            Place::Operand(index) => self.in_size(&self.operands[index]),
        })
    }

    /// An operand as the instruction takes it: itself, or so many of its bytes.
    fn in_size(&self, operand: &Operand) -> String {
        let kind = match self.size {
            Some(1) => "char",
            Some(2) => "short",
            Some(4) => "int",
            Some(8) => "long",
            _ => return operand.text.clone(),
        };
        let inside = operand.text.trim_matches(['(', ')', ' ']);
        let name = inside
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !inside.starts_with(|c: char| c.is_ascii_digit());
        match (
            self.bytes,
            operand.output || name || operand.constraint.contains('m'),
        ) {
            (false, _) => operand.text.clone(),
            (true, true) => format!("(*(unsigned {kind} *)&{})", operand.text),
            (true, false) => format!("((unsigned {kind}){})", operand.text),
        }
    }

    /// The flags on the stack become the value of an output: whether interrupts are on is nothing that a program decides alone.
    fn flags_into(&mut self, one: &Instruction) -> Option<()> {
        let ("pop" | "popq" | "popl", [to]) = (one.name.as_str(), one.operands.as_slice()) else {
            return None;
        };
        let (to, _) = self.output(to)?;
        let bits = self.long;
        let _ = write!(self.out, "{to} = __builtin_ia32_readeflags_u{bits}(); ");
        self.pushed = false;
        Some(())
    }

    /// The lvalue of an output; notes that it is written.
    fn output(&mut self, text: &str) -> Option<(String, bool)> {
        let Place::Operand(index) = self.place(text)? else {
            return None;
        };
        let operand = &self.operands[index];
        operand.output.then_some(())?;
        self.written[index] = true;
        Some((self.in_size(operand), operand.constraint.contains('m')))
    }

    /// An output that also has a value before.
    fn changed(&mut self, text: &str) -> Option<(String, bool)> {
        let Place::Operand(index) = self.place(text)? else {
            return None;
        };
        // What a statement changes in memory may be named as an input: `asm goto` had no outputs.
        let operand = &self.operands[index];
        let may_change = self.labels.is_some() || self.clobbers;
        if may_change && !operand.output && operand.constraint.contains('m') {
            self.stores = true;
            return Some((self.in_size(operand), true));
        }
        let has_value = operand.constraint.contains('+') || self.written[index];
        has_value.then_some(())?;
        self.output(text)
    }

    fn instruction(&mut self, one: &Instruction, flags: bool) -> Option<()> {
        let operands = one.operands.as_slice();
        if let Some(condition) = one.name.strip_prefix("set") {
            let value = self.condition(condition)?;
            self.size = None;
            let [to] = operands else { return None };
            let (to, _) = self.output(to)?;
            let _ = write!(self.out, "{to} = {value}; ");
            return Some(());
        }
        if matches!(
            one.name.as_str(),
            "nop" | "pause" | "mfence" | "lfence" | "sfence" | "cli" | "sti"
        ) {
            if one.name == "mfence" {
                self.out.push_str("__sync_synchronize(); ");
            }
            return operands.is_empty().then_some(());
        }
        if let ("pushf" | "pushfq" | "pushfl", false) = (one.name.as_str(), self.pushed) {
            self.pushed = true;
            return operands.is_empty().then_some(());
        }
        if self.pushed {
            return self.flags_into(one);
        }
        if let (Some(condition), Some(_)) = (one.name.strip_prefix('j'), self.labels) {
            return self.jump(condition, operands);
        }
        let (name, size) = sized(&one.name)?;
        self.size = size;
        if let ("bsf" | "bsr", [of, to]) = (name, operands) {
            return self.scan(name, of, to);
        }
        self.check_sizes(name, operands)?;
        match (name, operands) {
            ("mov", [from, to]) => {
                let from = self.value(from)?;
                let (to, _) = self.output(to)?;
                let _ = write!(self.out, "{to} = {from}; ");
            }
            ("inc" | "dec", [to]) => self.arithmetic(name, "(1)".to_string(), to, flags)?,
            ("xor" | "sub", [from, to]) if from == to => {
                let (to, _) = self.output(to)?;
                let _ = write!(self.out, "{to} = 0; ");
                self.zero = None;
            }
            ("add" | "sub" | "and" | "or" | "xor", [from, to]) => {
                let from = self.value(from)?;
                self.arithmetic(name, from, to, flags)?;
            }
            ("sbb", [from, to]) if from == to => {
                let carry = self.carry.clone()?;
                let (to, _) = self.output(to)?;
                let _ = write!(self.out, "{to} = -{carry}; ");
            }
            ("xadd", [with, to]) => {
                let (with, _) = self.changed(with)?;
                let (to, memory) = self.changed(to)?;
                memory.then_some(())?;
                let _ = write!(self.out, "{with} = __atomic_fetch_add(&{to}, {with}, 5); ");
                self.forget();
            }
            ("xchg", [a, b]) => {
                let (a, in_memory) = self.changed(a)?;
                let (b, memory) = self.changed(b)?;
                let (register, to) = match (in_memory, memory) {
                    (true, false) => (b, a),
                    (false, true) => (a, b),
                    _ => return None,
                };
                let _ = write!(
                    self.out,
                    "{register} = __atomic_exchange_n(&{to}, {register}, 5); "
                );
            }
            ("cmpxchg", [new, to]) => self.compare_exchange(new, to)?,
            ("bt" | "bts" | "btr" | "btc", [bit, to]) => self.bit(name, bit, to, one.locked)?,
            _ => return None,
        }
        Some(())
    }

    /// Operands in memory, and those that an instruction changes, have its size: a branch for other sizes is never taken, and where
    /// the types say that it would be, the statement has another form. Taken as bytes, registers have at least its size; the type of
    /// what is in memory only says where that begins (`"+m"(*(char *)p)`).
    fn check_sizes(&mut self, name: &str, operands: &[&str]) -> Option<()> {
        let mut checked = Vec::new();
        for (number, text) in operands.iter().enumerate() {
            let is_number_of_bit = name.starts_with("bt") && number == 0;
            let Place::Operand(index) = self.place(text)? else {
                continue;
            };
            let operand = &self.operands[index];
            let last = number + 1 == operands.len();
            if !is_number_of_bit && (last || operand.output || operand.may_be_memory()) {
                checked.push(operand);
            }
        }
        let mut check = |of: &str, differs: &str, size: &str| {
            let _ = write!(
                self.out,
                "if (sizeof {of} {differs} {size}) __builtin_unreachable(); "
            );
        };
        let Some(size) = self.size else {
            // The register says it.
            if let [a, b] = checked.as_slice() {
                if a.is_memory() != b.is_memory() {
                    check(&a.text, "!=", &format!("sizeof {}", b.text));
                }
            }
            return Some(());
        };
        for operand in checked {
            match self.bytes {
                true if operand.is_memory() => {}
                true => check(&operand.text, "<", &size.to_string()),
                false => check(&operand.text, "!=", &size.to_string()),
            }
        }
        Some(())
    }

    /// A jump to a label of the program.
    fn jump(&mut self, condition: &str, operands: &[&str]) -> Option<()> {
        let [to] = operands else { return None };
        let to = to.strip_prefix("%l")?;
        let label = match to.strip_prefix('[').and_then(|n| n.strip_suffix(']')) {
            Some(name) => self.labels?.iter().find(|l| *l == name)?,
            None => {
                let number = to.parse::<usize>().ok()?;
                self.labels?.get(number.checked_sub(self.operands.len())?)?
            }
        };
        let text = match condition {
            "mp" => format!("goto {label}; "),
            _ => format!("if ({}) goto {label}; ", self.condition(condition)?),
        };
        self.out.push_str(&text);
        Some(())
    }

    fn forget(&mut self) {
        (self.zero, self.negative, self.carry) = (None, None, None);
    }

    /// Changes an operand. In memory it is one step: without `lock`, other processors may come in between, but
    /// no interrupt of this one.
    fn arithmetic(&mut self, name: &str, from: String, to: &str, flags: bool) -> Option<()> {
        let (atomic, operator) = arithmetic(name)?;
        let (to, memory) = self.changed(to)?;
        self.forget();
        let new = self.temporary();
        if memory {
            let call = format!("__atomic_{atomic}_fetch(&{to}, {from}, 5)");
            let _ = match flags {
                true => write!(self.out, "__typeof__({to} + 0) {new} = {call}; "),
                false => write!(self.out, "{call}; "),
            };
        } else {
            let _ = write!(
                self.out,
                "{to} = (__typeof__{to})((unsigned long){to} {operator} (unsigned long){from}); "
            );
            if flags {
                let _ = write!(self.out, "__typeof__({to} + 0) {new} = {to}; ");
            }
        }
        if flags {
            self.zero = Some(format!("({new} == 0)"));
            self.negative = Some(format!("({new} < 0)"));
        }
        Some(())
    }

    /// The accumulator is compared, and gets the value that was there.
    fn compare_exchange(&mut self, new: &str, to: &str) -> Option<()> {
        let accumulator = self
            .operands
            .iter()
            .position(|o| o.output && o.constraint.contains('a'))?;
        let operand = &self.operands[accumulator];
        let has_value = operand.constraint.contains('+') || self.written[accumulator];
        has_value.then_some(())?;
        self.written[accumulator] = true;
        let at = self.in_size(operand);
        let new = self.value(new)?;
        let (to, memory) = self.changed(to)?;
        memory.then_some(())?;
        let expected = self.temporary();
        let _ = write!(
            self.out,
            "__typeof__({at} + 0) {expected} = {at}; {at} = __sync_val_compare_and_swap(&{to}, {expected}, {new}); "
        );
        self.forget();
        self.zero = Some(format!("({at} == {expected})"));
        Some(())
    }

    /// Bits of memory are counted from its address on; the carry is the bit before.
    fn bit(&mut self, name: &str, bit: &str, to: &str, locked: bool) -> Option<()> {
        let bit = self.value(bit)?;
        let (to, memory) = match name {
            "bt" => match self.place(to)? {
                Place::Operand(index) => {
                    let operand = &self.operands[index];
                    (self.in_size(operand), operand.constraint.contains('m'))
                }
                Place::Immediate(_) => return None,
            },
            _ => self.changed(to)?,
        };
        memory.then_some(())?;
        let (number, old) = (self.temporary(), self.temporary());
        let word = format!("(&{to})[{number} / (8 * (int)sizeof {to})]");
        let mask = format!("(1UL << {number} % (8 * (int)sizeof {to}))");
        let value = match (name, locked) {
            ("bt", _) => word.clone(),
            ("bts", _) => format!("__atomic_fetch_or(&{word}, {mask}, 5)"),
            ("btr", _) => format!("__atomic_fetch_and(&{word}, ~{mask}, 5)"),
            _ => format!("__atomic_fetch_xor(&{word}, {mask}, 5)"),
        };
        let _ = write!(
            self.out,
            "int {number} = {bit}; unsigned long {old} = {value}; "
        );
        self.forget();
        self.carry = Some(format!("(({old} & {mask}) != 0)"));
        Some(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
