//! The meaning of instructions, in C.

use std::fmt::Write as _;

use super::operand::Operand;

/// The statement in C; `None` if some instruction is not known or nothing is written.
pub(super) fn in_c(template: &str, operands: &[Operand]) -> Option<String> {
    if !operands.iter().any(|o| o.output) {
        return None;
    }
    let mut writer = Writer {
        operands,
        out: String::new(),
        written: vec![false; operands.len()],
        zero: None,
        negative: None,
        carry: None,
        temporaries: 0,
    };
    writer.initial()?;
    let list = instructions(template)?;
    for (index, one) in list.iter().enumerate() {
        let flags = list[index + 1..].iter().any(|i| reads_flags(&i.name));
        writer.instruction(one, flags)?;
    }
    // An output that no instruction writes has a value that is not known.
    let outputs = operands.iter().zip(&writer.written);
    let all = outputs
        .into_iter()
        .all(|(o, written)| !o.output || *written || o.constraint.contains('+'));
    (all && !list.is_empty()).then(|| format!("({{ {}}})", writer.out))
}

/// An instruction with its operands.
#[derive(Debug)]
struct Instruction<'a> {
    locked: bool,
    name: String,
    operands: Vec<&'a str>,
}

fn reads_flags(name: &str) -> bool {
    name.starts_with("set") || name.starts_with("sbb")
}

/// The instructions of a template, without comments, labels, and text for other sections.
fn instructions(template: &str) -> Option<Vec<Instruction<'_>>> {
    let mut list = Vec::new();
    let (mut locked, mut elsewhere) = (false, false);
    for line in template.lines() {
        let line = line.split('#').next().unwrap_or_default();
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
    out: String,
    written: Vec<bool>,
    /// Conditions in C for the flags of the last result.
    zero: Option<String>,
    negative: Option<String>,
    carry: Option<String>,
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

const KNOWN: [&str; 18] = [
    "inc", "dec", "add", "sub", "and", "or", "xor", "xadd", "xchg", "cmpxchg", "bts", "btr", "btc",
    "bt", "sbb", "mov", "neg", "not",
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

    fn temporary(&mut self) -> String {
        self.temporaries += 1;
        format!("ba_asm_{}", self.temporaries)
    }

    fn place(&self, text: &str) -> Option<Place> {
        if let Some(number) = text.strip_prefix('$') {
            let valid = number.parse::<i64>().is_ok();
            return valid.then(|| Place::Immediate(number.to_string()));
        }
        let of = text.strip_prefix('%')?;
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
            Place::Operand(index) => self.operands[index].text.clone(),
        })
    }

    /// The lvalue of an output; notes that it is written.
    fn output(&mut self, text: &str) -> Option<(String, bool)> {
        let Place::Operand(index) = self.place(text)? else {
            return None;
        };
        let operand = self.operands[index].clone();
        operand.output.then_some(())?;
        self.written[index] = true;
        Some((operand.text, operand.constraint.contains('m')))
    }

    /// An output that also has a value before.
    fn changed(&mut self, text: &str) -> Option<(String, bool)> {
        let Place::Operand(index) = self.place(text)? else {
            return None;
        };
        let has_value = self.operands[index].constraint.contains('+') || self.written[index];
        has_value.then_some(())?;
        self.output(text)
    }

    fn instruction(&mut self, one: &Instruction, flags: bool) -> Option<()> {
        let operands = one.operands.as_slice();
        if let Some(condition) = one.name.strip_prefix("set") {
            let value = self.condition(condition)?;
            let [to] = operands else { return None };
            let (to, _) = self.output(to)?;
            let _ = write!(self.out, "{to} = {value}; ");
            return Some(());
        }
        if matches!(
            one.name.as_str(),
            "nop" | "pause" | "mfence" | "lfence" | "sfence" | "cli" | "sti"
        ) {
            return operands.is_empty().then_some(());
        }
        let (name, size) = sized(&one.name)?;
        if let (Some(size), Some(last)) = (size, operands.last()) {
            let of = self.value(last)?;
            let _ = write!(
                self.out,
                "if (sizeof {of} != {size}) __builtin_unreachable(); "
            );
        }
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
        let operand = self.operands[accumulator].clone();
        let has_value = operand.constraint.contains('+') || self.written[accumulator];
        has_value.then_some(())?;
        self.written[accumulator] = true;
        let new = self.value(new)?;
        let (to, memory) = self.changed(to)?;
        memory.then_some(())?;
        let expected = self.temporary();
        let at = operand.text;
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
                    (operand.text.clone(), operand.constraint.contains('m'))
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

    /// The value of a condition on the flags.
    fn condition(&self, name: &str) -> Option<String> {
        let not = |flag: &Option<String>| flag.as_ref().map(|f| format!("!{f}"));
        match name {
            "e" | "z" => self.zero.clone(),
            "ne" | "nz" => not(&self.zero),
            "s" => self.negative.clone(),
            "ns" => not(&self.negative),
            "c" | "b" => self.carry.clone(),
            "nc" | "ae" => not(&self.carry),
            _ => None,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn operand(constraint: &str, text: &str) -> Operand {
        Operand {
            name: None,
            constraint: constraint.to_string(),
            text: format!("({text})"),
            output: constraint.contains(['+', '=']),
        }
    }

    #[test]
    fn counters_locks_and_bits() {
        let counter = [operand("+m", "v"), operand("=qm", "c")];
        assert_eq!(
            in_c("lock; decl %0; sete %1", &counter).unwrap(),
            "({ if (sizeof (v) != 4) __builtin_unreachable(); __typeof__((v) + 0) ba_asm_1 = __atomic_sub_fetch(&(v), (1), 5); (c) = (ba_asm_1 == 0); })"
        );
        let add = [operand("+r", "i"), operand("+m", "v")];
        assert_eq!(
            in_c("lock; xadd %0, %1", &add).unwrap(),
            "({ (i) = __atomic_fetch_add(&(v), (i), 5); })"
        );
        let swap = [
            operand("=a", "old"),
            operand("+m", "v"),
            operand("r", "n"),
            operand("0", "o"),
        ];
        let text = in_c(
            ".section .smp_locks,\"a\"\n.long 671f - .\n.previous\n671:\n\tlock; cmpxchg %2,%1",
            &swap,
        )
        .unwrap();
        assert_eq!(text, "({ (old) = (o); __typeof__((old) + 0) ba_asm_1 = (old); (old) = __sync_val_compare_and_swap(&(v), ba_asm_1, (n)); })");
    }

    #[test]
    fn what_is_not_known_stays() {
        for template in [
            "cpuid",
            "incl %eax",
            "incl %3",
            "lock",
            "decl %0; jz 1f",
            "movb $1, %b0",
        ] {
            assert_eq!(in_c(template, &[operand("+m", "v")]), None, "{template}");
        }
        // The other output is not written.
        let two = [operand("+m", "v"), operand("=r", "c")];
        assert_eq!(in_c("incl %0", &two), None);
    }
}
