//! Data in guards: parameters, results, variables of the machine, and what is assigned to these.

use super::{Read, Reader};
use crate::diagnostic::Diagnostic;
use crate::followed::Piece;
use crate::json::Text;
use crate::list::machine::Leaf;

/// The types of variables: words of C.
const WORDS: [&str; 6] = ["int", "char", "short", "long", "unsigned", "signed"];

impl Reader<'_> {
    /// `$x : int;`
    pub(super) fn variable(&mut self) -> Read<()> {
        self.at += 1;
        let (name, place) = self.word("a variable, such as `$x : int;`")?;
        self.expect(":")?;
        let mut ty: Vec<String> = Vec::new();
        while !self.comes(";") {
            let (word, place) = self.word("a type, such as `int`")?;
            if !WORDS.contains(&word.as_str()) {
                let title = format!("a variable of the machine is an integer, not `{word}`");
                return Err(Box::new(Diagnostic::error(title, place)));
            }
            ty.push(word);
        }
        if ty.is_empty() {
            return Err(self.refused(1, "expected a type, such as `int`"));
        }
        if self.number_of(&name).is_some() {
            let title = format!("the variable `${name}` is there twice");
            return Err(Box::new(Diagnostic::error(title, place)));
        }
        self.out.reads_data = true;
        let name = Text::plain(&name, place.start);
        self.out.variables.push((name, ty.join(" ")));
        Ok(())
    }

    fn number_of(&self, variable: &str) -> Option<usize> {
        let mut all = self.out.variables.iter();
        all.position(|(name, _)| name.as_str() == variable)
    }

    /// `$x := e; $y := e;`
    pub(super) fn actions(&mut self) -> Read<Vec<(usize, Leaf)>> {
        let mut all: Vec<(usize, Leaf)> = Vec::new();
        while self.comes("$") {
            let (name, place) = self.word("a variable")?;
            let Some(number) = self.number_of(&name) else {
                return Err(undeclared(&name, place));
            };
            self.expect(":=")?;
            self.skip();
            let length = self.rest().find(';').unwrap_or(self.rest().len());
            let value = self.rest()[..length].trim_end();
            let value = Text::plain(value, self.offset + self.at);
            let leaf = self.leaf(&value)?;
            self.at += length;
            self.expect(";")?;
            let reads = |piece: &Piece| {
                let before = |v: &usize| all.iter().any(|(assigned, _)| assigned == v);
                matches!(piece, Piece::Variable(v) if before(v))
            };
            if leaf.pieces.iter().any(reads) || all.iter().any(|(assigned, _)| *assigned == number)
            {
                let title = "this transition assigns to the variable before";
                let error = Diagnostic::error(title, value.span());
                return Err(Box::new(
                    error.help("whether the old or the new value is meant cannot be told"),
                ));
            }
            all.push((number, leaf));
        }
        Ok(all)
    }

    /// A condition or a value: numbers, variables, members of structures, parameters and results, and operators that have a
    /// value whatever the operands are.
    pub(super) fn leaf(&mut self, whole: &Text) -> Read<Leaf> {
        let mut leaf = Leaf {
            pieces: Vec::new(),
            function: None,
            result: false,
            span: whole.span(),
        };
        let (text, mut at) = (whole.as_str(), 0);
        // Whether what stands before is a value, so that an operator has two operands.
        let mut value = false;
        while let Some(c) = text[at..].chars().next() {
            let rest = &text[at..];
            let word = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
            let refused = |length: usize, why: &str| {
                let span = whole.span_of(at..(at + length).min(text.len()));
                let title = format!("not a condition of a machine that is understood: {why}");
                Err(Box::new(Diagnostic::error(title, span)))
            };
            if c.is_whitespace() {
                at += c.len_utf8();
                leaf.pieces.push(Piece::Text(" ".into()));
                continue;
            }
            if c.is_ascii_digit() {
                leaf.pieces.push(Piece::Text(word.to_owned()));
                (value, at) = (true, at + word.len());
                continue;
            }
            if matches!(c, '\\' | '$') || is_part(c) {
                let taken = self.operand(whole, at, &mut leaf)?;
                (value, at) = (true, at + taken);
                continue;
            }
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            let Some(sign) = sign else {
                return refused(
                    c.len_utf8(),
                    "operators are + - * < <= > >= == != & | ^ ! && ||",
                );
            };
            let divides = matches!(*sign, "/" | "%");
            let divisor = rest[sign.len()..].trim_start();
            let divisor = &divisor[..divisor.find(|c| !is_part(c)).unwrap_or(divisor.len())];
            if divides && !divisor.parse::<u32>().is_ok_and(|number| number > 0) {
                return refused(1, "a divisor is a number");
            }
            if matches!(*sign, "*" | "&") && !value {
                return refused(1, "pointers are not followed");
            }
            if *sign == "." {
                let member = rest[1..].trim_start();
                let end = member.find(|c| !is_part(c)).unwrap_or(member.len());
                if !value || !crate::param::is_identifier(&member[..end]) {
                    return refused(1, "expected a member");
                }
                let taken = rest.len() - member.len() + end;
                leaf.pieces.push(Piece::Text(rest[..taken].to_owned()));
                at += taken;
                continue;
            }
            value = *sign == ")";
            leaf.pieces.push(Piece::Text((*sign).to_owned()));
            at += sign.len();
        }
        Ok(leaf)
    }

    /// A name, a parameter, a result or a variable at an offset; the number of bytes.
    fn operand(&mut self, whole: &Text, at: usize, leaf: &mut Leaf) -> Read<usize> {
        let rest = &whole.as_str()[at..];
        let sign = usize::from(rest.starts_with(['\\', '$']));
        let end = rest[sign..].find(|c| !is_part(c));
        let end = end.map_or(rest.len(), |end| sign + end);
        let name = whole.part(at + sign..at + end);
        let refused = |title: String| {
            Err(Box::new(Diagnostic::error(
                title,
                whole.span_of(at..at + end),
            )))
        };
        match &rest[..sign] {
            "$" => match self.number_of(&name) {
                Some(number) => leaf.pieces.push(Piece::Variable(number)),
                None => return Err(undeclared(&name, name.span())),
            },
            "\\" if !is_result(&name) => {
                return refused(format!("`\\{name}` is neither `\\result` nor `\\return`"));
            }
            "\\" => match self.scope {
                Some(function) => {
                    leaf.function = Some(function);
                    leaf.result = true;
                    leaf.pieces.push(Piece::Result(name));
                }
                None => return refused(format!("whose? Write `f().\\{name}`")),
            },
            _ => {
                if let Some(behind) = called(&rest[end..]) {
                    let start = at + rest.len() - behind.len();
                    let function = self.out.function(name);
                    return Ok(start - at + self.of_call(whole, start, function, leaf)?);
                }
                leaf.pieces.push(match self.scope {
                    Some(_) => Piece::Local(name),
                    None => Piece::Name(name),
                });
            }
        }
        Ok(end)
    }

    /// What stands behind `f().` at an offset; the number of bytes.
    fn of_call(
        &mut self,
        whole: &Text,
        at: usize,
        function: usize,
        leaf: &mut Leaf,
    ) -> Read<usize> {
        let rest = &whole.as_str()[at..];
        let sign = usize::from(rest.starts_with('\\'));
        let end = rest[sign..].find(|c| !is_part(c));
        let end = end.map_or(rest.len(), |end| sign + end);
        let name = whole.part(at + sign..at + end);
        let span = whole.span_of(at..(at + end).max(at + 1).min(whole.len()));
        let refused = |title: &str| Err(Box::new(Diagnostic::error(title, span.clone())));
        if leaf.function.is_some_and(|known| known != function) {
            return refused("one condition reads the data of one call");
        }
        if sign == 1 && !is_result(&name) || !crate::param::is_identifier(&name) {
            return refused("expected a parameter, or `\\result`");
        }
        leaf.function = Some(function);
        leaf.result |= sign == 1;
        leaf.pieces.push(match sign {
            1 => Piece::Result(name),
            _ => Piece::Parameter(name),
        });
        Ok(end)
    }
}

/// The operators, the longer ones first.
const SIGNS: [&str; 20] = [
    "&&", "||", "<=", ">=", "==", "!=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "!", "(",
    ")", ".",
];

/// What stands behind `().` where this begins a text.
fn called(text: &str) -> Option<&str> {
    let text = text.trim_start().strip_prefix('(')?;
    let text = text.trim_start().strip_prefix(')')?;
    let text = text.trim_start().strip_prefix('.')?;
    Some(text.trim_start())
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn is_result(name: &str) -> bool {
    matches!(name, "result" | "return")
}

fn undeclared(name: &str, place: std::ops::Range<usize>) -> Box<Diagnostic> {
    let title = format!("the machine has no variable `${name}`");
    Box::new(Diagnostic::error(title, place).help(format!("declare it: `${name} : int;`")))
}
