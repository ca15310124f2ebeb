//! Statements of AVR that access I/O registers, and sequences of instructions about interrupts, as C.
//!
//! I/O registers are memory (AVR Instruction Set Manual, "Data Direct"): the register that `in`, `out`, `sbi`, `cbi`,
//! `sbic` and `sbis` give the number N is the byte at the address N + 32. So each such instruction becomes an access of that
//! byte, and registers of the processor become variables. What reads a register of the processor that the statement has
//! not written stays as it is.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::operand::Operand;
use super::statement::Statement;

/// The distance between the number of an I/O register and its address.
const OFFSET: u32 = 32;

/// Instructions of AVR that write memory, or go elsewhere.
const NARROW: [&str; 14] = [
    "sbi", "cbi", "out", "sts", "st", "std", "jmp", "rjmp", "ijmp", "call", "rcall", "icall",
    "ret", "reti",
];

/// Instructions of AVR that may skip the next one.
const SKIPS: [&str; 5] = ["sbic", "sbis", "sbrc", "sbrs", "cpse"];

/// Instructions of Arm that call a handler, or go elsewhere.
const WIDE: [&str; 5] = ["svc", "swi", "bx", "blx", "bl"];

/// Instructions of Arm that write memory.
const STORES: [&str; 3] = ["str", "strb", "strh"];

/// Whether some instruction of a template writes memory that no operand names, or goes elsewhere, on a machine with an
/// `int` of 16 bits or of more. A `basic` statement has no operands that could name the memory.
pub(crate) fn stores(template: &str, narrow: bool, basic: bool) -> bool {
    let names: Vec<String> = lines(template, narrow)
        .map(|line| first_word(line).0.to_lowercase())
        .collect();
    let leaves = names
        .last()
        .is_some_and(|name| SKIPS.contains(&name.as_str()));
    let other = names.iter().any(|name| {
        let plain = name.split('.').next().unwrap_or_default();
        match narrow {
            true => NARROW.contains(&plain),
            false => {
                let stores = STORES.contains(&plain) || plain.starts_with("stm");
                WIDE.contains(&plain) || basic && stores
            }
        }
    });
    other || narrow && leaves
}

/// The statement in C; `None` if it has other instructions. Only on machines with an `int` of 16 bits it may access
/// registers.
pub(super) fn in_c(statement: &Statement, narrow: bool) -> Option<String> {
    if statement.labels.is_some() {
        return None;
    }
    let list: Vec<&str> = lines(&statement.template, narrow).collect();
    if let [one] = list[..] {
        // The interrupts' own pass reads single ones, and what is alone in the body of a handler ends it.
        match one.to_lowercase().as_str() {
            "ret" | "reti" => return Some("return".to_owned()),
            "cli" | "sei" | "sleep" | "wfi" | "wfe" | "sev" | "nop" | "wdr" => return None,
            text if text.starts_with("cps") => return None,
            _ => {}
        }
    }
    let mut writer = Writer {
        operands: &statement.operands,
        registers: BTreeSet::new(),
        written: vec![false; statement.operands.len()],
        out: String::new(),
        own: false,
        narrow,
    };
    let mut at = 0;
    while let Some(line) = list.get(at) {
        at += 1;
        if let Some(condition) = writer.skips(line) {
            let known = writer.registers.clone();
            let _ = write!(writer.out, "if ({condition}) {{ ");
            writer.instruction(list.get(at)?)?;
            writer.out.push_str("} ");
            // What is only written sometimes is not known behind.
            if writer.registers != known {
                return None;
            }
            at += 1;
            continue;
        }
        writer.instruction(line)?;
    }
    let operands = statement.operands.iter().zip(&writer.written);
    let mut outputs = operands.filter(|(o, _)| o.output);
    let all = outputs.all(|(o, written)| *written || o.constraint.contains('+'));
    if !all || !writer.own {
        return None;
    }
    let declared: String = writer
        .registers
        .iter()
        .map(|number| format!("unsigned char {}; ", variable(*number)))
        .collect();
    Some(format!("({{ {declared}{}}})", writer.out))
}

/// The instructions of a template, without comments. A semicolon begins a comment on AVR, and ends an instruction on other
/// machines.
fn lines(template: &str, narrow: bool) -> impl Iterator<Item = &str> {
    let ends = move |c: char| c == '\n' || c == ';' && !narrow;
    let all = template.split(ends).map(str::trim);
    all.filter(|line| !line.is_empty() && !line.starts_with(';'))
}

fn first_word(line: &str) -> (&str, &str) {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word, rest.trim())
}

/// The variable in the place of a register of the processor.
fn variable(number: u32) -> String {
    format!("register_{number}")
}

/// The byte at an address.
fn byte(address: &str) -> String {
    format!("(*(volatile unsigned char *)({address}))")
}

struct Writer<'a> {
    operands: &'a [Operand],
    /// The registers of the processor that have a value.
    registers: BTreeSet<u32>,
    /// Which operands are written.
    written: Vec<bool>,
    out: String,
    /// Whether some instruction is one that only this machine has, or is about interrupts.
    own: bool,
    /// Whether the machine is one whose I/O registers are memory.
    narrow: bool,
}

impl Writer<'_> {
    /// The condition under which the instruction behind one that may skip it is executed.
    fn skips(&mut self, line: &str) -> Option<String> {
        if !self.narrow {
            return None;
        }
        let (name, operands) = parts(line);
        let when = match name.as_str() {
            "sbic" => "",
            "sbis" => "!",
            _ => return None,
        };
        let [port, bit] = operands[..] else {
            return None;
        };
        let (port, bit) = (byte(&self.port(port)?), self.number(bit)?);
        self.own = true;
        Some(format!("{when}({port} & (1 << {bit}))"))
    }

    fn instruction(&mut self, line: &str) -> Option<()> {
        let (name, operands) = parts(line);
        match (name.as_str(), &operands[..]) {
            ("nop" | "wdr", []) => {}
            ("dsb" | "isb" | "dmb", _) => {}
            ("cli" | "sei" | "sleep" | "wfi" | "wfe" | "sev", []) | ("cpsid" | "cpsie", ["i"]) => {
                self.own = true;
                let _ = write!(
                    self.out,
                    "__asm__ __volatile__ (\"{}\"); ",
                    line.to_lowercase()
                );
            }
            _ if !self.narrow => return None,
            ("sbi" | "cbi", [port, bit]) => {
                let (port, bit) = (byte(&self.port(port)?), self.number(bit)?);
                self.own = true;
                let change = match name.as_str() {
                    "sbi" => format!("|= 1 << {bit}"),
                    _ => format!("&= ~(1 << {bit})"),
                };
                // One instruction: no handler comes between the read and the write.
                let _ = write!(
                    self.out,
                    "extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void); __VERIFIER_atomic_begin(); {port} {change}; __VERIFIER_atomic_end(); "
                );
            }
            ("out", [port, from]) => {
                let (port, from) = (byte(&self.port(port)?), self.read(from)?);
                self.own = true;
                let _ = write!(self.out, "{port} = {from}; ");
            }
            ("sts", [address, from]) => {
                let (at, from) = (byte(&self.number(address)?), self.read(from)?);
                self.own = true;
                let _ = write!(self.out, "{at} = {from}; ");
            }
            ("in", [to, port]) => {
                let port = byte(&self.port(port)?);
                self.own = true;
                self.assign(to, &port)?;
            }
            ("lds", [to, address]) => {
                let at = byte(&self.number(address)?);
                self.own = true;
                self.assign(to, &at)?;
            }
            ("ldi", [to, value]) => {
                let value = self.number(value)?;
                self.assign(to, &value)?;
            }
            ("clr", [to]) => self.assign(to, "0")?,
            ("ser", [to]) => self.assign(to, "255")?,
            ("mov", [to, from]) => {
                let from = self.read(from)?;
                self.assign(to, &from)?;
            }
            ("com", [to]) => {
                let old = self.read(to)?;
                self.assign(to, &format!("~{old}"))?;
            }
            ("or" | "and" | "eor", [to, from]) => {
                let (old, from) = (self.read(to)?, self.read(from)?);
                let sign = match name.as_str() {
                    "or" => '|',
                    "and" => '&',
                    _ => '^',
                };
                self.assign(to, &format!("{old} {sign} {from}"))?;
            }
            ("ori" | "sbr" | "andi" | "cbr", [to, value]) => {
                let (old, value) = (self.read(to)?, self.number(value)?);
                let change = match name.as_str() {
                    "andi" => format!("& {value}"),
                    "cbr" => format!("& ~{value}"),
                    _ => format!("| {value}"),
                };
                self.assign(to, &format!("{old} {change}"))?;
            }
            _ => return None,
        }
        Some(())
    }

    /// Gives a register or an output a value.
    fn assign(&mut self, to: &str, value: &str) -> Option<()> {
        let place = match register(to) {
            // Zero by the convention of compilers.
            Some(1) => return None,
            Some(number) => {
                self.registers.insert(number);
                variable(number)
            }
            None => {
                let number = self.operand(to)?;
                let operand = &self.operands[number];
                if !operand.output && !is_register(&operand.constraint) {
                    return None;
                }
                self.written[number] = true;
                self.sized(number);
                operand.text.clone()
            }
        };
        let _ = write!(self.out, "{place} = (unsigned char)({value}); ");
        Some(())
    }

    /// The value of a register or of an operand in one.
    fn read(&mut self, from: &str) -> Option<String> {
        match register(from) {
            Some(1) => Some("0".to_owned()),
            Some(number) => self.registers.contains(&number).then(|| variable(number)),
            None => {
                let number = self.operand(from)?;
                let operand = &self.operands[number];
                let (output, constraint) = (operand.output, operand.constraint.as_str());
                let known = !output || constraint.contains('+') || self.written[number];
                if !known || !is_register(constraint) {
                    return None;
                }
                if output {
                    self.sized(number);
                }
                Some(format!("(unsigned char){}", operand.text))
            }
        }
    }

    /// Refuses an operand that is not one byte.
    fn sized(&mut self, operand: usize) {
        let text = &self.operands[operand].text;
        let check = format!("if (sizeof {text} != 1) __builtin_unreachable(); ");
        if !self.out.contains(&check) {
            self.out.insert_str(0, &check);
        }
    }

    /// The address of an I/O register.
    fn port(&self, port: &str) -> Option<String> {
        match port {
            "__SREG__" => Some(format!("{OFFSET} + 63")),
            _ => Some(format!("{OFFSET} + {}", self.number(port)?)),
        }
    }

    /// A constant.
    fn number(&self, text: &str) -> Option<String> {
        if let Some(number) = self.operand(text) {
            let operand = &self.operands[number];
            let constant = operand.constraint.chars().all(|c| "IJKLMNOPin".contains(c));
            return constant.then(|| operand.text.clone());
        }
        let is_part = |c: char| c.is_ascii_hexdigit() || "xX()<>|&+-* ".contains(c);
        let first = text.chars().next()?;
        let plain = (first.is_ascii_digit() || first == '(') && text.chars().all(is_part);
        // A word such as `b` or `face` is a symbol.
        let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
        let numbers = words.all(|word| word.chars().next().is_none_or(|c| c.is_ascii_digit()));
        (plain && numbers).then(|| format!("({text})"))
    }

    /// The number of the operand that `%1` or `%[name]` stands for.
    fn operand(&self, text: &str) -> Option<usize> {
        let reference = text.strip_prefix('%')?;
        if let Some(name) = reference.strip_prefix('[') {
            let name = name.strip_suffix(']')?;
            return self
                .operands
                .iter()
                .position(|o| o.name.as_deref() == Some(name));
        }
        let number = reference.parse::<usize>().ok()?;
        (number < self.operands.len()).then_some(number)
    }
}

/// The name of an instruction in small letters, and its operands.
fn parts(line: &str) -> (String, Vec<&str>) {
    let (name, rest) = first_word(line);
    let operands = rest.split(',').map(str::trim);
    (
        name.to_lowercase(),
        operands.filter(|o| !o.is_empty()).collect(),
    )
}

/// The number of a register of the processor.
fn register(text: &str) -> Option<u32> {
    match text {
        "__tmp_reg__" => Some(0),
        "__zero_reg__" => Some(1),
        _ => {
            let number = text.strip_prefix(['r', 'R'])?;
            number.parse().ok().filter(|n| *n < 32)
        }
    }
}

/// Whether a constraint is one of a register.
fn is_register(constraint: &str) -> bool {
    constraint.chars().any(|c| "rdlaw".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operand(constraint: &str, text: &str) -> Operand {
        Operand {
            name: None,
            constraint: constraint.into(),
            text: format!("({text})"),
            output: constraint.contains(['=', '+']),
        }
    }

    fn statement(template: &str, operands: Vec<Operand>) -> Statement {
        Statement {
            memory: false,
            span: crate::span::Span::empty(0),
            template: template.into(),
            operands,
            labels: None,
        }
    }

    fn read(template: &str, operands: Vec<Operand>) -> Option<String> {
        in_c(&statement(template, operands), true)
    }

    #[test]
    fn registers_are_bytes() {
        let ldi = read("ldi r16, 0x20\n\tout 5, r16", Vec::new());
        let expected = "({ unsigned char register_16; register_16 = (unsigned char)((0x20)); (*(volatile unsigned char *)(32 + (5))) = register_16; })";
        assert_eq!(ldi.as_deref(), Some(expected));
        let set = read(
            "sbi %0, %1",
            vec![operand("I", "p - 0x20"), operand("I", "3")],
        );
        assert!(set.is_some_and(|text| text.contains("(32 + (p - 0x20))) |= 1 << (3);")));
        let skipped = read("sbis 3, 2\n sbi 5, 5", Vec::new());
        assert!(skipped
            .is_some_and(|text| text
                .contains("if (!((*(volatile unsigned char *)(32 + (3))) & (1 << (2)))) {")));
        let input = read("in %0, 3", vec![operand("=r", "v")]);
        assert!(input.is_some_and(|text| text.starts_with("({ if (sizeof (v) != 1)")));
        assert_eq!(read("reti", Vec::new()).as_deref(), Some("return"));
        let both = "({ __asm__ __volatile__ (\"sei\"); __asm__ __volatile__ (\"sleep\"); })";
        assert_eq!(read("sei\n\tsleep", Vec::new()).as_deref(), Some(both));
        for template in ["sev\n\twfe", "sev; WFE"] {
            let statement = statement(template, Vec::new());
            let both = "({ __asm__ __volatile__ (\"sev\"); __asm__ __volatile__ (\"wfe\"); })";
            assert_eq!(in_c(&statement, false).as_deref(), Some(both));
        }
    }

    #[test]
    fn what_is_not_known_stays() {
        for template in [
            "out 5, r16",
            "sbic 5, 5",
            "sbis 3, 2\n in r16, 3\n out 5, r16",
            "sts counter, r1",
            "sbi 5, 5\n rjmp 1b",
            "in r1, 3",
            "cli",
            "cpsie i",
            "wfi",
            "ldi r16, 3",
        ] {
            assert_eq!(read(template, Vec::new()), None, "{template}");
        }
        assert_eq!(read("out 5, %A0", vec![operand("r", "v")]), None);
        assert_eq!(
            read("in %0, 3", vec![operand("=r", "v"), operand("=r", "w")]),
            None
        );
    }

    #[test]
    fn what_writes_memory_is_known_by_name() {
        for (template, narrow, writes) in [
            ("sbi 5, 5", true, true),
            ("nop\n\tout 5, r1", true, true),
            ("sbic 3, 0", true, true),
            ("std", false, false),
            ("STRB r1, [r0]", false, true),
            ("stmia r0!, {r1}", false, true),
            ("nop", true, false),
            ("wfi", false, false),
        ] {
            assert_eq!(stores(template, narrow, true), writes, "{template}");
        }
        assert!(!stores("str %0, [%1]", false, false));
        assert!(stores("MSR msp, %0\n BX %1", false, false));
    }
}
