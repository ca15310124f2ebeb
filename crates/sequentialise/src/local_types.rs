//! Types that functions declare in blocks. A sequential program uses them outside of their blocks,
//! so they are declared at file scope, under names that are unique there.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use cfront::span::{DeclId, EnumId, RecordId, ScopeId};
use cfront::tree::{Decl, Entity, ExprKind, Resolved, Tag, Tree};
use cfront::types::{ArrayLen, Member, QualType, Type, Types};
use cfront::{FunctionId, Span, Unit};

use crate::synctypes;

/// The types that functions declare in blocks.
pub(crate) struct LocalTypes {
    /// The program's types; those of blocks have tags that are unique at file scope, and neither
    /// tag nor typedef name if they cannot be declared there.
    pub types: Types,
    /// Their declarations at file scope, by the function that declares them.
    declarations: BTreeMap<FunctionId, String>,
    /// The definitions of structures and unions in the text, in order, with what names them at file
    /// scope.
    definitions: Vec<(Span, String)>,
    /// Names in the program's text that mean such types and their constants, in order, where they
    /// have other names at file scope or cannot be named there.
    references: Vec<Reference>,
}

/// A name in the text that means a type of a block, or one of its constants.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    /// The name.
    pub at: Span,
    /// The definition of what it means.
    definition: Span,
    /// The text with this meaning at file scope; `None` if there is none.
    pub text: Option<String>,
}

/// A type that has a name in a block.
#[derive(Clone, Copy)]
enum Named {
    Tag(Tag),
    Typedef(DeclId, usize),
}

impl LocalTypes {
    /// Finds the types that functions of a program declare in blocks. Linear in the size of the
    /// program, and for names that occur in several scopes in the number of scopes.
    pub fn of(unit: &Unit) -> LocalTypes {
        let tree = &unit.tree;
        let file = &tree.scopes[tree.file_scope()];
        let mut finder = Finder {
            unit,
            types: tree.types.clone(),
            tags: file.tags.keys().cloned().collect(),
            names: file.names.keys().cloned().collect(),
            renamed: HashMap::new(),
            unwritable: BTreeSet::new(),
            references: Vec::new(),
            declarations: BTreeMap::new(),
            definitions: Vec::new(),
            written: HashSet::new(),
            count: 0,
        };
        finder.enums();
        finder.records();
        finder.typedefs();
        finder.mentions();
        finder.references.sort_by_key(|r| r.at);
        finder
            .definitions
            .sort_by_key(|(at, _)| (at.start, std::cmp::Reverse(at.end)));
        LocalTypes {
            types: finder.types,
            declarations: finder.declarations,
            definitions: finder.definitions,
            references: finder.references,
        }
    }

    /// The declarations at file scope of the types that a function declares, on one line.
    pub fn declared_by(&self, function: FunctionId) -> &str {
        self.declarations.get(&function).map_or("", String::as_str)
    }

    /// Replacements by which a text uses the declarations at file scope in place of its own.
    pub fn taken_from_file_scope(&self, span: Span) -> Vec<(Span, String)> {
        let mut all: Vec<(Span, String)> = Vec::new();
        for (at, name) in self.definitions.iter().filter(|(at, _)| span.encloses(*at)) {
            if all.last().is_none_or(|(outer, _)| !outer.encloses(*at)) {
                all.push((*at, name.clone()));
            }
        }
        let outside = |at: Span| !all.iter().any(|(outer, _)| outer.encloses(at));
        let named = self
            .references
            .iter()
            .filter(|r| span.encloses(r.at) && outside(r.at));
        let named: Vec<_> = named
            .filter_map(|r| Some((r.at, r.text.clone()?)))
            .collect();
        all.extend(named);
        all
    }

    /// The names in a part of the text that mean types declared outside of this part, and that need
    /// another name at file scope.
    pub fn mentioned_in(&self, span: Span) -> impl Iterator<Item = &Reference> + '_ {
        let first = self.references.partition_point(|r| r.at.start < span.start);
        self.references[first..]
            .iter()
            .take_while(move |r| r.at.end <= span.end)
            .filter(move |r| !span.encloses(r.definition))
    }
}

struct Finder<'a> {
    unit: &'a Unit,
    types: Types,
    /// The tags that are taken at file scope.
    tags: HashSet<String>,
    /// The ordinary names that are taken at file scope.
    names: HashSet<String>,
    /// Types of blocks whose names need a replacement, by these names.
    renamed: HashMap<String, Vec<(Named, Option<String>)>>,
    /// Structures and unions that cannot be declared at file scope.
    unwritable: BTreeSet<RecordId>,
    references: Vec<Reference>,
    declarations: BTreeMap<FunctionId, String>,
    definitions: Vec<(Span, String)>,
    written: HashSet<RecordId>,
    /// How many names were made.
    count: u32,
}

/// Whether a type may have no name but a typedef's, which only the program's text has: a vector, `_Float16`.
pub(crate) fn is_nameless(ty: &Type) -> bool {
    matches!(ty, Type::Unknown | Type::Vector(_) | Type::Float(_))
}

impl Finder<'_> {
    fn tree(&self) -> &Tree {
        &self.unit.tree
    }

    fn function_of(&self, scope: ScopeId) -> Option<FunctionId> {
        self.tree().scopes[scope].function
    }

    fn add(&mut self, function: FunctionId, text: &str) {
        let all = self.declarations.entry(function).or_default();
        all.push_str(text);
        all.push(' ');
    }

    /// A name that is not taken: the own one, if possible.
    fn unique(taken: &mut HashSet<String>, own: Option<&str>, count: &mut u32) -> String {
        let mut number = || {
            *count += 1;
            *count
        };
        let name = match own {
            Some(own) if !taken.contains(own) => own.to_string(),
            Some(own) => format!("ba_seq_type_{}_{own}", number()),
            None => format!("ba_seq_type_{}", number()),
        };
        taken.insert(name.clone());
        name
    }

    // Enumerations ------------------------------------------------------------------------------

    fn enums(&mut self) {
        let all: Vec<EnumId> = self.types.enums.ids().collect();
        for id in all {
            let e = self.types.enums[id].clone();
            let Some(function) = self.function_of(e.scope) else {
                continue;
            };
            let known = e.constants.iter().all(|(_, value)| value.is_some());
            if !known || e.constants.is_empty() {
                self.types.enums[id].tag = None;
                self.types.enums[id].typedef_name = None;
                self.rename(e.tag.as_deref(), Named::Tag(Tag::Enum(id)), None);
                continue;
            }
            let tag = Self::unique(&mut self.tags, e.tag.as_deref(), &mut self.count);
            if e.tag.as_ref().is_some_and(|own| *own != tag) {
                let named = Named::Tag(Tag::Enum(id));
                self.rename(e.tag.as_deref(), named, Some(tag.clone()));
            }
            let free = e.constants.iter().all(|(n, _)| !self.names.contains(n));
            let mut list = Vec::new();
            for (name, value) in &e.constants {
                let value = value.unwrap_or_default();
                match free {
                    true => {
                        self.names.insert(name.clone());
                        list.push(format!("{name} = {value}"));
                    }
                    false => list.push(format!("{tag}_{name} = {value}")),
                }
            }
            if !free {
                self.constants_by_value(id, e.span);
            }
            self.types.enums[id].tag = Some(tag.clone());
            let packed = match e.is_packed {
                true => " __attribute__((packed))",
                false => "",
            };
            let list = list.join(", ");
            self.add(function, &format!("enum {tag} {{ {list} }}{packed};"));
        }
    }

    /// Uses of an enumeration's constants are replaced by their values.
    fn constants_by_value(&mut self, id: EnumId, definition: Span) {
        let tree = &self.unit.tree;
        for (_, expr) in tree.exprs.iter() {
            if let ExprKind::Ident(Resolved::EnumConst(of, Some(value))) = expr.kind {
                if of == id {
                    self.references.push(Reference {
                        at: expr.bare,
                        definition,
                        text: Some(format!("({value})")),
                    });
                }
            }
        }
    }

    // Structures and unions ---------------------------------------------------------------------

    fn records(&mut self) {
        let local = |(id, r): (RecordId, &cfront::types::Record)| {
            self.tree().scopes[r.scope].function.map(|f| (id, f))
        };
        let all: Vec<(RecordId, FunctionId)> =
            self.types.records.iter().filter_map(local).collect();
        for &(id, _) in &all {
            let own = self.types.records[id].tag.clone();
            let tag = Self::unique(&mut self.tags, own.as_deref(), &mut self.count);
            self.types.records[id].tag = Some(tag);
        }
        let mut texts = Vec::new();
        for &(id, function) in &all {
            self.record(id, function, &mut texts);
        }
        for &(id, _) in &all {
            let own = self.tree().types.records[id].tag.clone();
            let unwritable = self.unwritable.contains(&id);
            let tag = self.types.records[id].tag.clone();
            if unwritable {
                self.types.records[id].tag = None;
                self.types.records[id].typedef_name = None;
            }
            if unwritable || own != tag {
                let named = Named::Tag(Tag::Record(id));
                self.rename(own.as_deref(), named, tag.filter(|_| !unwritable));
            }
        }
        for (id, function, text) in texts {
            if !self.unwritable.contains(&id) {
                self.add(function, &text);
            }
        }
    }

    /// Writes the definition of a structure or union behind those of its members.
    fn record(
        &mut self,
        id: RecordId,
        function: FunctionId,
        texts: &mut Vec<(RecordId, FunctionId, String)>,
    ) {
        if !self.written.insert(id) {
            return;
        }
        let record = self.types.records[id].clone();
        let head = head(&record);
        let Some(members) = &record.members else {
            texts.push((id, function, format!("{head};")));
            return;
        };
        let mut list = Vec::new();
        let mut writable = true;
        for member in members {
            for inner in inside(&self.types, member.ty) {
                if self.function_of(self.types.records[inner].scope).is_some() {
                    self.record(inner, function, texts);
                    writable &= !self.unwritable.contains(&inner);
                }
            }
            match self.member(member) {
                Some(text) => list.push(text),
                None => writable = false,
            }
        }
        let text = match self.has_attributes(id) {
            true => self.copied(id),
            false => writable.then(|| format!("{head} {{ {} }};", list.join(" "))),
        };
        match text {
            Some(text) => {
                let whole = self.whole(id);
                self.definitions.extend(whole.map(|span| (span, head)));
                texts.push((id, function, text));
            }
            None => {
                self.unwritable.insert(id);
            }
        }
    }

    /// The declaration of a member.
    fn member(&self, member: &Member) -> Option<String> {
        if member.is_bit_field {
            let width = member.bits?;
            let name = member.name.as_deref().unwrap_or_default();
            let declared = self.types.declare_where(member.ty, name, &|_| true)?;
            return Some(format!("{declared} : {width};"));
        }
        if let Some(name) = &member.name {
            let declared = self.types.declare_where(member.ty, name, &|_| true)?;
            return Some(format!("{declared};"));
        }
        let Type::Record(id) = self.types.get(member.ty) else {
            return None;
        };
        // The members of an anonymous structure are members of the one around it.
        let record = &self.types.records[*id];
        let keyword = if record.is_union { "union" } else { "struct" };
        let inner = record.members.iter().flatten();
        let inner: Option<Vec<String>> = inner.map(|m| self.member(m)).collect();
        Some(format!("{keyword} {{ {} }};", inner?.join(" ")))
    }

    /// Whether attributes may change the layout of a structure or union: they are not among its
    /// members.
    fn has_attributes(&self, id: RecordId) -> bool {
        let unit = self.unit;
        let Some((keyword, inside)) = synctypes::body(unit, id) else {
            return false;
        };
        let (tokens, text) = (&unit.tokens, unit.text());
        let changes = |word: &str| {
            matches!(
                word,
                "__attribute__" | "__attribute" | "_Alignas" | "alignas"
            )
        };
        let first = tokens.at_or_after(keyword.start);
        let behind = tokens.at_or_after(inside.end) + 1;
        (first..=behind).any(|t| changes(tokens.text(t, text)))
    }

    /// The program's own text of a structure or union, under its new tag, if the text means the
    /// same at file scope.
    fn copied(&self, id: RecordId) -> Option<String> {
        let unit = self.unit;
        let (_, inside) = synctypes::body(unit, id)?;
        let whole = self.whole(id)?;
        let own = &unit.tree.types.records[id];
        let others = unit.tree.types.records.iter();
        let mut others = others.filter(|(other, r)| *other != id && whole.encloses(r.span));
        let depends = |kind: &ExprKind| {
            let ExprKind::Ident(Resolved::Object(o)) = *kind else {
                return matches!(kind, ExprKind::StmtExpr(_));
            };
            unit.tree.objects[o].function.is_some()
        };
        let exprs = unit.tree.exprs.iter();
        let mut inner = exprs.filter(|(_, e)| whole.encloses(e.span));
        if others.next().is_some() || inner.any(|(_, e)| depends(&e.kind)) {
            return None;
        }
        let before = match own.tag {
            Some(_) => own.span.start,
            None => inside.start - 1,
        };
        let tag = self.types.records[id].tag.as_deref().unwrap_or_default();
        let line = |span: Span| unit.text_of(span).replace('\n', " ");
        Some(format!(
            "{} {tag} {{{};",
            line(Span::new(whole.start, before)).trim(),
            line(Span::new(inside.start, whole.end))
        ))
    }

    /// The text of the definition of a structure or union, with attributes behind it.
    fn whole(&self, id: RecordId) -> Option<Span> {
        let unit = self.unit;
        let (keyword, inside) = synctypes::body(unit, id)?;
        let (tokens, text) = (&unit.tokens, unit.text());
        let close = tokens.at_or_after(inside.end);
        let last = match tokens.text(close + 1, text).starts_with("__attribute") {
            true => *tokens.mates.get(close + 2)? as usize,
            false => close,
        };
        Some(Span::new(keyword.start, tokens.tokens.get(last)?.span.end))
    }

    // Names of types ----------------------------------------------------------------------------

    fn typedefs(&mut self) {
        let unit = self.unit;
        for (id, decl) in unit.tree.decls.iter() {
            let Some(function) = decl.function.filter(|_| decl.is_typedef) else {
                continue;
            };
            for (index, declared) in decl.declared.iter().enumerate() {
                let Entity::Typedef(ty) = declared.entity else {
                    continue;
                };
                let own = unit.text_of(declared.name);
                let named = Named::Typedef(id, index);
                let name = Self::unique(&mut self.names, Some(own), &mut self.count);
                let by_type = self.types.declare_where(ty, &name, &|_| true);
                let written = by_type.map(|text| format!("typedef {text};"));
                match written.or_else(|| self.as_written(ty, decl, declared.name, &name)) {
                    None => self.rename(Some(own), named, None),
                    Some(text) => {
                        self.add(function, &text);
                        if name != own {
                            self.rename(Some(own), named, Some(name));
                        }
                    }
                }
            }
        }
    }

    /// The program's own text of the only typedef name of a declaration, under its new name; for types that have
    /// no other name, such as vectors.
    fn as_written(&self, ty: QualType, decl: &Decl, at: Span, name: &str) -> Option<String> {
        let unit = self.unit;
        let unknown = is_nameless(self.types.get(ty));
        let depends = |kind: &ExprKind| match kind {
            ExprKind::Ident(Resolved::Object(o)) => unit.tree.objects[*o].function.is_some(),
            kind => matches!(kind, ExprKind::StmtExpr(_)),
        };
        let exprs = unit.tree.exprs.iter();
        let mut inside = exprs.filter(|(_, e)| decl.span.encloses(e.span));
        if !unknown || decl.declared.len() > 1 || inside.any(|(_, e)| depends(&e.kind)) {
            return None;
        }
        let line = |start, end| unit.text_of(Span::new(start, end)).replace('\n', " ");
        let (before, behind) = (line(decl.span.start, at.start), line(at.end, decl.span.end));
        Some(format!("{before}{name}{behind}"))
    }

    fn rename(&mut self, own: Option<&str>, what: Named, name: Option<String>) {
        if let Some(own) = own {
            let list = self.renamed.entry(own.to_string()).or_default();
            list.push((what, name));
        }
    }

    /// Finds the names in the text that mean renamed types.
    fn mentions(&mut self) {
        if self.renamed.is_empty() {
            return;
        }
        let unit = self.unit;
        let (tree, tokens) = (&unit.tree, &unit.tokens.tokens);
        let mut found = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            let word = token.span.of(unit.text());
            let Some(all) = self.renamed.get(word) else {
                continue;
            };
            let before = match index {
                0 => "",
                _ => tokens[index - 1].span.of(unit.text()),
            };
            if matches!(before, "." | "->" | "goto") {
                continue;
            }
            let is_tag = matches!(before, "struct" | "union" | "enum");
            let scope = tree.scope_at(token.span.start);
            let at = token.span.end;
            for (what, text) in all {
                let definition = match what {
                    Named::Tag(tag) if is_tag => {
                        let meant = tree.lookup_tag(scope, at, word) == Some(*tag);
                        meant.then(|| tag_span(tree, *tag))
                    }
                    Named::Typedef(decl, index) if !is_tag => {
                        let of = &tree.decls[*decl];
                        let meant = is_typedef_of(tree, scope, at, word, of.scope);
                        meant.then_some(of.declared[*index].name)
                    }
                    _ => None,
                };
                if let Some(definition) = definition {
                    found.push(Reference {
                        at: token.span,
                        definition,
                        text: text.clone(),
                    });
                }
            }
        }
        self.references.extend(found);
    }
}

/// Whether a name means the typedef name that this scope declares.
fn is_typedef_of(tree: &Tree, mut scope: ScopeId, at: usize, word: &str, of: ScopeId) -> bool {
    loop {
        let here = &tree.scopes[scope];
        let known = here.names.get(word).into_iter().flatten();
        if let Some((_, e)) = known.rev().find(|(from, _)| *from <= at) {
            return scope == of && matches!(e, Entity::Typedef(_));
        }
        match here.parent {
            Some(parent) => scope = parent,
            None => return false,
        }
    }
}

fn tag_span(tree: &Tree, tag: Tag) -> Span {
    match tag {
        Tag::Record(id) => tree.types.records[id].span,
        Tag::Enum(id) => tree.types.enums[id].span,
    }
}

fn head(record: &cfront::types::Record) -> String {
    let keyword = if record.is_union { "union" } else { "struct" };
    format!("{keyword} {}", record.tag.as_deref().unwrap_or_default())
}

/// The structures that an object of a type contains, without those behind pointers.
fn inside(types: &Types, mut ty: QualType) -> Vec<RecordId> {
    while let Type::Array(of, ArrayLen::Known(_) | ArrayLen::Unspecified) = *types.get(ty) {
        ty = of;
    }
    match types.get(ty) {
        Type::Record(id) => vec![*id],
        _ => Vec::new(),
    }
}
