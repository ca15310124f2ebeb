//! Values for the arguments of entries: numbers, pointers to objects that are filled, structures, callbacks.

use std::fmt::Write as _;

use super::{Arguments, Lines, Value};
use crate::diag::Diagnostic;
use crate::entries::lengths::lengths;
use crate::library::SYNC_TYPES;
use crate::span::RecordId;
use crate::types::{ArrayLen, IntKind, QualType, Quals, Type};

/// The most elements of an array in a structure that begin with any value; those behind are 0.
const ELEMENTS: u64 = 16;

impl Arguments<'_> {
    /// Any value of a type. `length` is the number of elements behind a pointer; `depth` says how many pointers may
    /// still follow one another.
    pub(super) fn value(
        &mut self,
        ty: QualType,
        word: &str,
        length: Option<&str>,
        depth: u32,
        lines: &mut Lines,
    ) -> Result<Value, Diagnostic> {
        match self.tree.types.get(ty) {
            Type::Bool | Type::Int(_) | Type::Float(_) | Type::Enum(_) => {
                if matches!(
                    self.tree.types.get(ty),
                    Type::Int(IntKind::Int128 | IntKind::UInt128)
                ) {
                    return Err(self.refused("takes an integer of 128 bits"));
                }
                let spelling = self.spelled(ty, "")?;
                Ok(Value::Text(self.input(&spelling, word)))
            }
            Type::Pointer(to) => {
                let to = *to;
                match self.tree.types.get(to) {
                    Type::Function(_) => self.callback(ty, to, word, lines),
                    _ => self.pointer(to, word, length, depth, lines),
                }
                .map(Value::Text)
            }
            Type::Record(_) => Ok(Value::InPlace),
            _ => Err(self.refused("takes a type")),
        }
    }

    /// Null, or a pointer to an object that is filled with any values first.
    fn pointer(
        &mut self,
        to: QualType,
        word: &str,
        length: Option<&str>,
        depth: u32,
        lines: &mut Lines,
    ) -> Result<String, Diagnostic> {
        if depth == 0 {
            let most = self.entries.depth;
            self.limits.insert(format!(
                "at most {most} pointers lead from an argument to an object, and those behind are null"
            ));
            return Ok("0".into());
        }
        // The object is the caller's, who changes it between calls.
        let to = to.unqualified();
        let object = format!("entry_{word}");
        let most = self.entries.length.max(1);
        let (element, is_string) = match self.tree.types.get(to) {
            Type::Void => (None, false),
            Type::Int(IntKind::Char) => (Some(to), length.is_none()),
            _ => (Some(to), false),
        };
        if let Type::Record(id) = self.tree.types.get(to) {
            let record = &self.tree.types.records[*id];
            if record.members.is_none() {
                self.limits.insert(format!(
                    "pointers to `{}`, of which nothing is known, are null",
                    self.names(*id).1
                ));
                return Ok("0".into());
            }
            if record.tag.as_deref() == Some("_IO_FILE") {
                return Err(self.refused("takes a file"));
            }
        }
        let count = match (length, is_string, element) {
            (Some(_), ..) | (None, true, _) => most,
            (None, false, None) => 8,
            (None, false, Some(_)) => 1,
        };
        let declared = match element {
            None => format!("unsigned char {object}[{count}]"),
            Some(ty) => self.spelled(ty, &format!("{object}[{count}]"))?,
        };
        self.objects.push(format!("static {declared};"));
        // The attribute is about the argument itself, not about pointers behind it.
        let nonnull = std::mem::replace(&mut self.nonnull, self.entries.nonnull);
        for at in 0..count {
            let place = format!("{object}[{at}]");
            if is_string && at + 1 == count {
                lines.push(format!("{place} = 0;"));
                self.limits
                    .insert(format!("strings have at most {at} characters"));
                continue;
            }
            let is_record =
                element.is_some_and(|ty| matches!(self.tree.types.get(ty), Type::Record(_)));
            let word = match (count, is_record) {
                (1, true) => word.to_string(),
                (1, false) => format!("{word}_to"),
                _ => format!("{word}_{at}"),
            };
            match element {
                None => {
                    let input = self.input("unsigned char", &word);
                    lines.push(format!("{place} = {input};"));
                }
                Some(ty) => self.fill(&place, ty, &word, depth - 1, lines)?,
            }
        }
        self.nonnull = nonnull;
        let begin = match length {
            Some(length) => format!("&{object}[{most} - {length}]"),
            None => format!("&{object}[0]"),
        };
        Ok(self.or_null(&begin, word))
    }

    /// Gives an object any value.
    pub(super) fn fill(
        &mut self,
        place: &str,
        ty: QualType,
        word: &str,
        depth: u32,
        lines: &mut Lines,
    ) -> Result<(), Diagnostic> {
        if ty.quals.is_const {
            // The object is the caller's, and has some value there from the beginning.
            let pointer = match self.tree.types.get(ty) {
                Type::Array(..) => "(*)",
                _ => "*",
            };
            let place = format!("(*({})&{place})", self.spelled(ty, pointer)?);
            let quals = Quals::NONE;
            return self.fill(&place, QualType { quals, ..ty }, word, depth, lines);
        }
        match self.tree.types.get(ty) {
            Type::Record(id) => self.members(place, *id, word, depth, lines),
            Type::Array(of, ArrayLen::Known(count)) => {
                let (of, count) = (*of, *count);
                if count > ELEMENTS {
                    self.limits.insert(format!(
                        "of arrays in structures the first {ELEMENTS} elements have any value at first, and the others 0"
                    ));
                }
                for at in 0..count.min(ELEMENTS) {
                    let (place, word) = (format!("{place}[{at}]"), format!("{word}_{at}"));
                    self.fill(&place, of, &word, depth, lines)?;
                }
                Ok(())
            }
            Type::Array(_, ArrayLen::Unspecified) => Ok(()),
            _ => {
                let value = self.value(ty, word, None, depth, lines)?;
                if let Value::Text(value) = value {
                    lines.push(format!("{place} = {value};"));
                }
                Ok(())
            }
        }
    }

    pub(super) fn members(
        &mut self,
        place: &str,
        id: RecordId,
        word: &str,
        depth: u32,
        lines: &mut Lines,
    ) -> Result<(), Diagnostic> {
        let record = &self.tree.types.records[id];
        if record
            .typedef_name
            .as_deref()
            .is_some_and(|name| SYNC_TYPES.contains(&name))
        {
            // Static objects are 0 at first.
            self.limits
                .insert("locks, conditions and semaphores in objects are 0 at first".into());
            return Ok(());
        }
        let members = record.members.clone().unwrap_or_default();
        let all: Vec<(&str, QualType)> = members
            .iter()
            .map(|m| (m.name.as_deref().unwrap_or_default(), m.ty))
            .collect();
        let lengths = match record.is_union {
            true => vec![None; all.len()],
            false => lengths(&self.named(&all)),
        };
        for (at, (name, ty)) in all.iter().enumerate() {
            let inner = match *name {
                "" => place.to_string(),
                name => format!("{place}.{name}"),
            };
            let word = format!("{word}_{name}");
            let word = word.trim_end_matches('_');
            // Bit-fields without a name are no members.
            if name.is_empty() && !matches!(self.tree.types.get(*ty), Type::Record(_)) {
                continue;
            }
            if members[at].is_bit_field && ty.quals.is_const {
                return Err(self.refused("takes a structure with a constant bit-field"));
            }
            if lengths.contains(&Some(at)) {
                // Set in front of the pointer, or of the first of several.
                continue;
            }
            if let Some(of) = lengths[at] {
                let length = format!("{place}.{}", all[of].0);
                if !lengths[..at].contains(&Some(of)) {
                    let word = format!(
                        "{}_{}",
                        word.trim_end_matches(*name).trim_end_matches('_'),
                        all[of].0
                    );
                    let chosen = self.length(&word, lines);
                    lines.push(format!("{length} = {chosen};"));
                }
                let value = self.value(*ty, word, Some(&length), depth, lines)?;
                if let Value::Text(value) = value {
                    lines.push(format!("{inner} = {value};"));
                }
            } else {
                self.fill(&inner, *ty, word, depth, lines)?;
            }
            if record.is_union {
                if all.len() > 1 {
                    let name = self.names(id).1;
                    self.limits.insert(format!(
                        "objects of the union `{name}` have values of its first member"
                    ));
                }
                break;
            }
        }
        Ok(())
    }

    /// Null, or a function of the program with this type; where the program has none, one that gives any value and
    /// changes nothing.
    fn callback(
        &mut self,
        pointer: QualType,
        function: QualType,
        word: &str,
        lines: &mut Lines,
    ) -> Result<String, Diagnostic> {
        let mut names = self.callbacks(function);
        if names.is_empty() {
            match self.stub(function, word)? {
                Some(stub) => names.push(stub),
                None => {
                    self.limits.insert(
                        "callbacks whose type no function of the program has are null".into(),
                    );
                    return Ok("0".into());
                }
            }
        }
        self.spelled(pointer, "x")?;
        if let [one] = &names[..] {
            return Ok(self.or_null(&one.clone(), word));
        }
        let which = self.which(word, lines);
        let mut out = match self.nonnull {
            true => format!("{which} == 0 ? {} : ", names[0]),
            false => format!("{which} == 0 ? 0 : "),
        };
        let last = names.pop().unwrap_or_default();
        for (at, name) in names.iter().enumerate() {
            let _ = write!(out, "{which} == {} ? {name} : ", at + 1);
        }
        Ok(out + &last)
    }

    /// A function of this type that gives any value and changes nothing; `None` if there is no such value.
    fn stub(&mut self, function: QualType, word: &str) -> Result<Option<String>, Diagnostic> {
        let Some(ty) = self.tree.types.function(function).cloned() else {
            return Ok(None);
        };
        let name = format!("entry_{word}_callback");
        let mut params = Vec::new();
        for (at, param) in ty.params.iter().enumerate() {
            let declared =
                self.tree
                    .types
                    .declare(*param, &format!("entry_{at}"), self.tree.file_scope());
            params.push(declared.ok_or_else(|| self.refused("takes a type that has no name"))?);
        }
        let params = match (params.is_empty(), ty.variadic) {
            (_, true) => return Ok(None),
            (true, false) => "void".to_string(),
            (false, false) => params.join(", "),
        };
        let body = match self.tree.types.get(ty.ret) {
            Type::Void => String::new(),
            Type::Bool | Type::Int(_) | Type::Float(_) | Type::Enum(_) => {
                let spelling = self.spelled(ty.ret, "")?;
                format!(
                    " return {}; ",
                    self.input(&spelling, &format!("{word}_gives"))
                )
            }
            _ => return Ok(None),
        };
        let head = self.spelled(ty.ret, &format!("{name}({params})"))?;
        self.objects.push(format!("static {head} {{{body}}}"));
        self.limits.insert(
            "callbacks whose type no function of the program has give any value and change nothing"
                .into(),
        );
        Ok(Some(name))
    }
}
