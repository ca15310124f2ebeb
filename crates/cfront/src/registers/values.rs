//! What the reads of registers give, as the specification says.

use crate::diag::Diagnostic;
use crate::span::{ExprId, Span};

use super::accesses::Access;
use super::{Home, Key, Pass, Reads, Which, CHOOSE, READ};

impl Pass<'_> {
    /// The expression for what a read gives: a call of a function for this register; `None` where it is what was
    /// written last.
    pub(super) fn value(
        &mut self,
        key: Key,
        access: &Access,
        at: ExprId,
    ) -> Result<Option<String>, Diagnostic> {
        let tree = &self.unit.tree;
        let scalar = tree.types.is_arithmetic(access.ty);
        let reads = self.setting(key, access);
        if !scalar || reads == Reads::Memory {
            return Ok(None);
        }
        let object = &self.objects[&key];
        let (shown, mut name) = (object.shown(), object.word().to_owned());
        if reads == Reads::Any {
            let register = match access.path.is_empty() {
                true => shown.to_owned(),
                false => format!("{shown}->{}", access.path.join(".")),
            };
            if self.any.iter().all(|(known, _)| *known != register) {
                self.any.push((register, tree.exprs[at].span));
            }
        }
        for member in &access.path {
            name = format!("{name}_{member}");
        }
        let name = self.names.function(&format!("{READ}{name}"), access.ty.ty);
        let plain = access.ty.unqualified();
        let declared = match &reads {
            Reads::Call(function) => {
                if tree.function_named(function).is_none() {
                    let message = format!(
                        "there is no function `{function}`, which is named under `registers`"
                    );
                    return Err(Diagnostic::error(Span::empty(0), message));
                }
                return Ok(Some(format!("{function}()")));
            }
            Reads::Values(values) => {
                let head = self.spelled(plain, &format!("{name}(void)"), at)?;
                let choose = name.replacen(READ, CHOOSE, 1);
                chosen(&head, &choose, values)
            }
            _ => format!(
                "extern {}; ",
                self.spelled(plain, &format!("{name}(void)"), at)?
            ),
        };
        self.text.declare_before(at, &name, &declared);
        Ok(Some(format!("{name}()")))
    }

    /// What a specification says of the reads of an object, or of a part of it.
    pub(super) fn setting(&mut self, key: Key, access: &Access) -> Reads {
        let object = &self.objects[&key];
        let path = access.path.join(".");
        let mut found = Reads::Any;
        for (register, used) in self.said.iter().zip(&mut self.used) {
            let means = match &register.which {
                Which::Address(address) => match object.home {
                    Home::Address(start) => *address == start + access.offset.unwrap_or(0),
                    Home::Own(_) => false,
                },
                Which::Name(name) => {
                    let (object_name, member) = split(name);
                    let mut called = object.called.iter();
                    called.any(|called| called == object_name)
                        && member.is_none_or(|member| member == path)
                }
            };
            if means {
                *used = true;
                found = register.reads.clone();
            }
        }
        found
    }
}

/// The object and the member that a specification names.
pub(super) fn split(name: &str) -> (&str, Option<&str>) {
    match name.split_once("->").or(name.split_once('.')) {
        Some((object, member)) => (object.trim(), Some(member.trim())),
        None => (name.trim(), None),
    }
}

/// The definition of a function that gives one of some values.
fn chosen(head: &str, choose: &str, values: &[i128]) -> String {
    let mut body = format!(
        "extern unsigned char {choose}(void); static {head} {{ unsigned char chosen = {choose}();"
    );
    for (number, value) in values.iter().enumerate().skip(1) {
        body += &format!(" if (chosen == {number}) return {value};");
    }
    let first = values.first().copied().unwrap_or(0);
    body + &format!(" return {first}; }} ")
}
