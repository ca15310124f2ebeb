//! The structure of `sigaction`.

use crate::diag::Diagnostic;
use crate::interrupts::Changes;
use crate::linemap::RegionKind;
use crate::parse::Unit;
use crate::span::Span;
use crate::tree::Item;
use crate::types::{Class, QualType, Types};

use super::{Program, Role};

/// The structure of `sigaction` in a program whose header has a union there.
pub(super) const RENAMED: &str = "struct signals_disposition";

/// How the structure of `sigaction` names its parts.
pub(super) struct Structure {
    /// The handler's name.
    pub handler: String,
    /// The name of a handler with three parameters.
    pub informed: Option<String>,
    /// The keyword of the union that its handlers are in.
    union: Option<Span>,
    /// Whether that stands in a header, so that the program's structure has another name.
    pub renamed: bool,
}

impl Structure {
    /// Puts the handlers of `sigaction` into a structure in the place of a union, which proofs do not follow. That they do not share
    /// their memory then, nothing observes. The text of a header stays as it is: the program gets a structure of another name.
    pub(super) fn without_union(&self, unit: &Unit, changes: &mut Changes) {
        let Some(union) = self.union else {
            return;
        };
        if !self.renamed {
            changes.insert((union.start, union.end), "struct".to_owned());
            return;
        }
        let tokens = &unit.tokens.tokens;
        let named = tokens.windows(2).filter_map(|pair| {
            let [keyword, name] = pair else { return None };
            let is_it =
                unit.text_of(keyword.span) == "struct" && unit.text_of(name.span) == "sigaction";
            (is_it && is_users(unit, name.span)).then_some(name.span)
        });
        let named: Vec<Span> = named.collect();
        let items = unit.tree.items.iter().filter_map(|item| match item {
            Item::Decl(decl) => Some(unit.tree.decls[*decl].span),
            Item::Function(function) => Some(unit.tree.functions[*function].body.as_ref()?.span),
        });
        let first = items.filter(|item| named.iter().any(|name| item.encloses(*name)));
        if let Some(first) = first.map(|item| item.start).min() {
            let text = format!(
                "{RENAMED} {{ struct {{ void (*sa_handler)(int); void (*sa_sigaction)(int, siginfo_t *, void *); }} {}; sigset_t sa_mask; int sa_flags; }}; ",
                self.handler.split('.').next().unwrap_or_default()
            );
            let before = changes.entry((first, first)).or_default();
            before.insert_str(0, &text);
        }
        for name in named {
            changes.insert((name.start, name.end), "signals_disposition".to_owned());
        }
    }
}

/// The parts of the structure of `sigaction`, if the program calls that.
///
/// # Errors
/// If the header's structure has no such parts.
pub(super) fn structure(program: &Program) -> Result<Option<Structure>, Diagnostic> {
    let Some(used) = program.first(&[Role::Acts]) else {
        return Ok(None);
    };
    let tree = program.tree();
    let types = &tree.types;
    let function = types.function(tree.exprs[used.callee].ty);
    let parameter = function.and_then(|f| f.params.get(1).copied());
    let record = parameter.and_then(|ty| types.pointee(ty));
    let path = |name: &str| record.and_then(|record| path(types, record, name));
    match path("sa_handler") {
        Some(handler) if path("sa_mask").is_some() && path("sa_flags").is_some() => {
            let union = record.and_then(|record| union(types, record));
            let union = union.filter(|span| program.unit.text_of(*span) == "union");
            Ok(Some(Structure {
                handler,
                informed: path("sa_sigaction"),
                renamed: union.is_some_and(|span| !is_users(program.unit, span)),
                union,
            }))
        }
        _ => {
            let message = "this structure of `sigaction` is not known";
            Err(Diagnostic::error(tree.exprs[used.call].span, message))
        }
    }
}

/// How a member of a structure is named, directly or in a member of it.
fn path(types: &Types, record: QualType, name: &str) -> Option<String> {
    if types.member(record, name).is_some() {
        return Some(name.to_owned());
    }
    let crate::types::Type::Record(id) = *types.get(record) else {
        return None;
    };
    let members = types.records[id].members.as_ref()?;
    let inner = members
        .iter()
        .filter(|m| types.class(m.ty) == Class::Record);
    inner
        .filter_map(|m| Some((m.name.as_ref()?, types.member(m.ty, name)?)))
        .map(|(member, _)| format!("{member}.{name}"))
        .next()
}

/// The keyword, or the tag, of the union in a structure.
fn union(types: &Types, record: QualType) -> Option<Span> {
    let crate::types::Type::Record(id) = *types.get(record) else {
        return None;
    };
    let mut inner = types.records[id].members.iter().flatten();
    inner.find_map(|member| match *types.get(member.ty) {
        crate::types::Type::Record(id) if types.records[id].is_union => {
            Some(types.records[id].span)
        }
        _ => None,
    })
}

/// Whether a part of the text is the user's, not a system header's.
fn is_users(unit: &Unit, part: Span) -> bool {
    unit.source.lines.kind(part.start) == RegionKind::User
}
