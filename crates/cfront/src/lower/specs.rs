//! Lowers declaration specifiers: storage, qualifiers and the base type.

use std::ops::Range;

use lang_c::ast as c;
use lang_c::span::{Node, Span as CSpan};

use super::Lower;
use crate::span::{EnumId, ExprId, RecordId, Span};
use crate::tree::{Entity, Mark, Parent, Tag};
use crate::types::{Enum, FloatKind, IntKind, Member, QualType, Quals, Record, Type};

/// The meaning of the specifiers of a declaration.
#[derive(Clone, Debug)]
pub(super) struct Specs {
    pub base: QualType,
    pub is_typedef: bool,
    pub is_extern: bool,
    pub is_static: bool,
    pub is_register: bool,
    pub is_thread_local: bool,
    pub is_inline: bool,
    pub is_noreturn: bool,
    /// `__auto_type`: the initializer gives the type.
    pub is_auto_type: bool,
    /// `auto` without a type: `int` before C23, since then the initializer gives the type.
    pub is_untyped_auto: bool,
    /// Attributes that are [`Mark`]s.
    pub marks: Vec<(Mark, Span)>,
    /// Expressions in `typeof`.
    pub exprs: Vec<ExprId>,
}

/// The keywords of a type, counted.
#[derive(Default)]
struct Words {
    void: bool,
    bool_: bool,
    char_: bool,
    short: bool,
    int: bool,
    long: u8,
    int128: bool,
    unsigned128: bool,
    float: bool,
    double: bool,
    odd_float: bool,
    signed: bool,
    unsigned: bool,
    complex: bool,
    other: Option<QualType>,
}

/// A specifier or qualifier from either of lang-c's two lists.
enum Spec<'n> {
    Type(&'n Node<c::TypeSpecifier>),
    Qual(&'n Node<c::TypeQualifier>),
}

impl Lower<'_> {
    /// Reads the specifiers of a declaration, parameter or function definition. `alone` says that
    /// no declarator follows, so that `struct S;` declares a tag in the current scope. `whole` is
    /// the span of the declaration.
    pub(super) fn specs(
        &mut self,
        list: &[Node<c::DeclarationSpecifier>],
        alone: bool,
        whole: CSpan,
    ) -> Specs {
        let mut specs = self.empty_specs();
        let mut types = Vec::new();
        let mut is_auto = false;
        for node in list {
            match &node.node {
                c::DeclarationSpecifier::StorageClass(s) => match s.node {
                    c::StorageClassSpecifier::Typedef => specs.is_typedef = true,
                    c::StorageClassSpecifier::Extern => specs.is_extern = true,
                    c::StorageClassSpecifier::Static => specs.is_static = true,
                    c::StorageClassSpecifier::ThreadLocal => specs.is_thread_local = true,
                    c::StorageClassSpecifier::Register => specs.is_register = true,
                    c::StorageClassSpecifier::Auto => is_auto = true,
                },
                c::DeclarationSpecifier::TypeSpecifier(t) => types.push(Spec::Type(t)),
                c::DeclarationSpecifier::TypeQualifier(q) => types.push(Spec::Qual(q)),
                c::DeclarationSpecifier::Function(f) => match f.node {
                    c::FunctionSpecifier::Inline => specs.is_inline = true,
                    c::FunctionSpecifier::Noreturn => specs.is_noreturn = true,
                },
                c::DeclarationSpecifier::Alignment(_) | c::DeclarationSpecifier::Extension(_) => {}
            }
        }
        self.base_type(&types, alone, &mut specs);
        self.apply_attributes(whole, &mut specs);
        specs.is_untyped_auto = is_auto && types.iter().all(|spec| self.is_left_out(spec));
        specs
    }

    /// Whether a specifier is no type that the text names: a qualifier, or the `int` of a declaration without a type.
    fn is_left_out(&self, spec: &Spec) -> bool {
        match spec {
            Spec::Qual(_) => true,
            Spec::Type(t) => {
                let written = self.first_word(t.span);
                matches!(t.node, c::TypeSpecifier::Int) && !matches!(written, "int" | "__auto_type")
            }
        }
    }

    /// Reads the specifiers of a type name or a member.
    pub(super) fn member_specs(
        &mut self,
        list: &[Node<c::SpecifierQualifier>],
        whole: CSpan,
    ) -> Specs {
        let mut specs = self.empty_specs();
        let types: Vec<Spec> = list
            .iter()
            .filter_map(|node| match &node.node {
                c::SpecifierQualifier::TypeSpecifier(t) => Some(Spec::Type(t)),
                c::SpecifierQualifier::TypeQualifier(q) => Some(Spec::Qual(q)),
                c::SpecifierQualifier::Extension(_) => None,
            })
            .collect();
        self.base_type(&types, false, &mut specs);
        self.apply_attributes(whole, &mut specs);
        specs
    }

    fn empty_specs(&self) -> Specs {
        Specs {
            base: self.unknown(),
            is_typedef: false,
            is_extern: false,
            is_static: false,
            is_register: false,
            is_thread_local: false,
            is_inline: false,
            is_noreturn: false,
            is_auto_type: false,
            is_untyped_auto: false,
            marks: Vec::new(),
            exprs: Vec::new(),
        }
    }

    /// Applies the attributes inside a declaration, before it and directly after it.
    fn apply_attributes(&mut self, whole: CSpan, specs: &mut Specs) {
        let Some((mut first, last)) = self.range(whole) else {
            return;
        };
        if let Some(d) = self.input.shadow.dropped_before(first) {
            first = d.first as usize;
        }
        let mut changed = None;
        for dropped in self.input.shadow.dropped_within(first, last + 1) {
            specs.is_noreturn |= dropped.noreturn;
            if dropped.changes_type {
                changed = Some((dropped.first as usize)..(dropped.end as usize));
            }
            specs.marks.extend(self.marks(dropped));
        }
        if let Some(attribute) = changed {
            let other = self.vector(attribute.clone(), specs.base);
            let other = other.or_else(|| self.type_of_mode(attribute, specs.base));
            specs.base = other.unwrap_or_else(|| self.unknown());
        }
    }

    /// The vector that the attribute `vector_size` makes of a type of numbers; `None` without it, and where another attribute
    /// changes the type, too.
    fn vector(&mut self, mut attribute: Range<usize>, base: QualType) -> Option<QualType> {
        let named = |token: usize, name: &str| self.word(token).trim_matches('_') == name;
        let is_vector = attribute.clone().any(|token| named(token, "vector_size"));
        let is_mode = attribute.any(|token| named(token, "mode"));
        let of_numbers = matches!(self.tree.types.get(base), Type::Int(_) | Type::Float(_));
        if !is_vector || is_mode || !of_numbers {
            return None;
        }
        let element = base.unqualified();
        let vector = self.plain(Type::Vector(element));
        Some(self.qualified(vector, base.quals))
    }

    /// The integer type that an attribute such as `mode(HI)` makes of another; `None` for other
    /// attributes and types.
    fn type_of_mode(&mut self, attribute: Range<usize>, base: QualType) -> Option<QualType> {
        let mut words = attribute.map(|token| self.word(token).trim_matches('_'));
        words.find(|word| *word == "mode")?;
        let types = &self.tree.types;
        let bits = match words.find(|word| *word != "(")? {
            "QI" | "byte" => 8,
            "HI" => 16,
            "SI" => 32,
            "DI" => 64,
            "TI" => 128,
            "word" | "pointer" | "unwind_word" => types.model.pointer,
            _ => return None,
        };
        let kind = types.int_kind(base)?;
        let unsigned = types.model.unsigned_of(bits)?;
        let kind = match types.signed(kind) {
            true => unsigned.signed_kind(),
            false => unsigned,
        };
        let ty = self.plain(Type::Int(kind));
        Some(QualType {
            quals: base.quals,
            ..ty
        })
    }

    fn base_type(&mut self, list: &[Spec], alone: bool, specs: &mut Specs) {
        let mut words = Words::default();
        let mut quals = Quals::NONE;
        for spec in list {
            match spec {
                Spec::Qual(q) => quals = quals.union(qualifier(&q.node)),
                Spec::Type(t) => self.type_word(t, alone, &mut words, specs),
            }
        }
        let base = self.combine(&words);
        specs.base = self.qualified(base, quals);
    }

    fn type_word(
        &mut self,
        node: &Node<c::TypeSpecifier>,
        alone: bool,
        words: &mut Words,
        specs: &mut Specs,
    ) {
        match &node.node {
            c::TypeSpecifier::Void => words.void = true,
            c::TypeSpecifier::Char => words.char_ = true,
            c::TypeSpecifier::Short => words.short = true,
            c::TypeSpecifier::Int => match self.first_word(node.span) {
                "__auto_type" => specs.is_auto_type = true,
                _ => words.int = true,
            },
            c::TypeSpecifier::Long => match self.first_word(node.span) {
                "__int128" | "__int128_t" => words.int128 = true,
                "__uint128_t" => words.unsigned128 = true,
                _ => words.long += 1,
            },
            c::TypeSpecifier::Float => words.float = true,
            c::TypeSpecifier::Double => match self.first_word(node.span) {
                "double" => words.double = true,
                _ => words.odd_float = true,
            },
            c::TypeSpecifier::Signed => words.signed = true,
            c::TypeSpecifier::Unsigned => words.unsigned = true,
            c::TypeSpecifier::Bool => words.bool_ = true,
            c::TypeSpecifier::Complex => words.complex = true,
            c::TypeSpecifier::TS18661Float(_) => words.odd_float = true,
            c::TypeSpecifier::Atomic(name) => {
                let mut ty = self.type_name(name, &mut specs.exprs);
                ty.quals.is_atomic = true;
                words.other = Some(ty);
            }
            c::TypeSpecifier::Struct(s) => words.other = Some(self.struct_type(s, alone)),
            c::TypeSpecifier::Enum(e) => words.other = Some(self.enum_type(e)),
            c::TypeSpecifier::TypedefName(name) => words.other = Some(self.typedef_name(name)),
            c::TypeSpecifier::TypeOf(of) => {
                words.other = Some(self.typeof_type(of, &mut specs.exprs));
            }
        }
    }

    fn combine(&mut self, w: &Words) -> QualType {
        if let Some(other) = w.other {
            return other;
        }
        let ty = if w.void {
            Type::Void
        } else if w.bool_ {
            Type::Bool
        } else if w.float || w.double || w.odd_float || w.complex {
            let kind = match (w.odd_float, w.float, w.long) {
                (true, _, _) => FloatKind::Other,
                (_, true, _) => FloatKind::Float,
                (_, _, 0) => FloatKind::Double,
                _ => FloatKind::LongDouble,
            };
            if w.complex {
                Type::Complex(kind)
            } else {
                Type::Float(kind)
            }
        } else {
            Type::Int(int_kind(w))
        };
        self.plain(ty)
    }

    fn typedef_name(&mut self, name: &Node<c::Identifier>) -> QualType {
        let (text, span, token) = self.name(name);
        match self.lookup(text) {
            Some(Entity::Typedef(ty)) => ty,
            Some(_) => {
                self.hint_ordinary(token);
                self.unknown()
            }
            None if text == "__builtin_va_list" => self.plain(Type::VaList),
            None => {
                self.error(span, format!("the type `{text}` is not declared here"));
                self.unknown()
            }
        }
    }

    fn typeof_type(&mut self, of: &Node<c::TypeOf>, exprs: &mut Vec<ExprId>) -> QualType {
        match &of.node {
            c::TypeOf::Type(name) => self.type_name(name, exprs),
            c::TypeOf::Expression(e) => {
                if let c::Expression::Identifier(name) = &e.node {
                    // lang-c takes a type name in `typeof` for an expression.
                    let (text, _, _) = self.name(name);
                    if let Some(Entity::Typedef(ty)) = self.lookup(text) {
                        return ty;
                    }
                }
                let id = self.unevaluated_operand(e, Parent::Constant);
                exprs.push(id);
                self.tree.exprs[id].ty
            }
        }
    }

    /// The type of a type name; adds the expressions in it to `exprs`.
    pub(super) fn type_name(
        &mut self,
        name: &Node<c::TypeName>,
        exprs: &mut Vec<ExprId>,
    ) -> QualType {
        let specs = self.member_specs(&name.node.specifiers, name.span);
        exprs.extend(&specs.exprs);
        match &name.node.declarator {
            Some(declarator) => self.declarator(specs.base, declarator, exprs, None).ty,
            None => specs.base,
        }
    }

    /// Adds qualifiers; qualifiers of an array apply to its elements.
    pub(super) fn qualified(&mut self, ty: QualType, quals: Quals) -> QualType {
        if quals == Quals::NONE {
            return ty;
        }
        if let Type::Array(of, len) = *self.tree.types.get(ty) {
            let of = self.qualified(of, quals);
            return self.plain(Type::Array(of, len));
        }
        QualType {
            ty: ty.ty,
            quals: ty.quals.union(quals),
        }
    }

    // Tags --------------------------------------------------------------------------------------

    fn struct_type(&mut self, node: &Node<c::StructType>, alone: bool) -> QualType {
        let keyword = self.first(node.node.kind.span);
        if !matches!(self.word(keyword), "struct" | "union") {
            // The shadow writes a hinted type name as a tag.
            if let Some(name) = &node.node.identifier {
                return self.typedef_name(name);
            }
        }
        let is_union = node.node.kind.node == c::StructKind::Union;
        let tag = node.node.identifier.as_ref().map(|n| self.name(n));
        let span = tag.map_or_else(|| self.span(node.node.kind.span), |(_, span, _)| span);
        let defines = node.node.declarations.is_some();
        let id = self.record(tag.map(|t| t.0), is_union, defines || alone, span);
        if let Some(declarations) = &node.node.declarations {
            let members = self.members(declarations);
            if self.tree.types.records[id].members.is_some() {
                self.error(span, "this structure or union is defined a second time");
            }
            self.tree.types.records[id].members = Some(members);
        }
        self.plain(Type::Record(id))
    }

    fn record(&mut self, tag: Option<&str>, is_union: bool, here: bool, span: Span) -> RecordId {
        if let Some(name) = tag {
            let found = if here {
                self.tree.scopes[self.scope].tags.get(name).map(|(_, t)| *t)
            } else {
                self.lookup_tag(name)
            };
            if let Some(Tag::Record(id)) = found {
                return id;
            }
        }
        let id = self.tree.types.records.push(Record {
            is_union,
            tag: tag.map(str::to_string),
            typedef_name: None,
            members: None,
            scope: self.scope,
            span,
        });
        if let Some(name) = tag {
            let scope = &mut self.tree.scopes[self.scope];
            scope
                .tags
                .insert(name.to_string(), (span.end, Tag::Record(id)));
        }
        id
    }

    fn members(&mut self, list: &[Node<c::StructDeclaration>]) -> Vec<Member> {
        let mut members = Vec::new();
        for node in list {
            let c::StructDeclaration::Field(field) = &node.node else {
                continue;
            };
            let specs = self.member_specs(&field.node.specifiers, field.span);
            if field.node.declarators.is_empty() {
                // The member is an anonymous structure or union, or a mere tag declaration.
                if self.is_anonymous_member(specs.base) {
                    members.push(Member {
                        name: None,
                        ty: specs.base,
                        bits: None,
                        is_bit_field: false,
                    });
                }
                continue;
            }
            for declarator in &field.node.declarators {
                members.push(self.member(&specs, &declarator.node));
            }
        }
        members
    }

    fn is_anonymous_member(&self, ty: QualType) -> bool {
        match self.tree.types.get(ty) {
            Type::Record(id) => {
                let record = &self.tree.types.records[*id];
                record.tag.is_none() && record.members.is_some()
            }
            _ => false,
        }
    }

    fn member(&mut self, specs: &Specs, node: &c::StructDeclarator) -> Member {
        let mut exprs = Vec::new();
        let (name, ty) = match &node.declarator {
            Some(d) => {
                let d = self.declarator(specs.base, d, &mut exprs, None);
                (d.name.map(|(n, _)| n), d.ty)
            }
            None => (None, specs.base),
        };
        let width = node.bit_width.as_ref().map(|w| self.constant(w));
        Member {
            name,
            ty,
            bits: width.flatten().and_then(|w| u64::try_from(w).ok()),
            is_bit_field: width.is_some(),
        }
    }

    fn enum_type(&mut self, node: &Node<c::EnumType>) -> QualType {
        let tag = node.node.identifier.as_ref().map(|n| self.name(n));
        let span = tag.map_or_else(|| self.span(node.span), |(_, span, _)| span);
        let defines = !node.node.enumerators.is_empty();
        if let (Some((name, _, _)), false) = (tag, defines) {
            if let Some(Tag::Enum(id)) = self.lookup_tag(name) {
                return self.plain(Type::Enum(id));
            }
        }
        let id = self.tree.types.enums.push(Enum {
            tag: tag.map(|t| t.0.to_string()),
            typedef_name: None,
            constants: Vec::new(),
            scope: self.scope,
            span,
            is_packed: self.is_packed(node.span),
        });
        if let Some((name, _, _)) = tag {
            let scope = &mut self.tree.scopes[self.scope];
            scope
                .tags
                .insert(name.to_string(), (span.end, Tag::Enum(id)));
        }
        self.enumerators(id, &node.node.enumerators);
        self.plain(Type::Enum(id))
    }

    /// Whether an attribute inside a type specifier, or directly after it, packs the type.
    fn is_packed(&self, whole: CSpan) -> bool {
        let range = self.range(whole);
        range.is_some_and(|(first, last)| {
            let mut dropped = self.input.shadow.dropped_within(first, last + 1);
            dropped.any(|d| d.packed)
        })
    }

    fn enumerators(&mut self, id: EnumId, list: &[Node<c::Enumerator>]) {
        let mut next = Some(0i128);
        for node in list {
            if let Some(e) = &node.node.expression {
                next = self.constant(e);
            }
            let (name, _, _) = self.name(&node.node.identifier);
            let constants = &mut self.tree.types.enums[id].constants;
            constants.push((name.to_string(), next));
            let index = constants.len() - 1;
            let from = self.span(node.span).end;
            self.declare(name, from, Entity::EnumConst(id, index));
            next = next.and_then(|v| v.checked_add(1));
        }
    }

    /// Names a type without tag by its first typedef.
    pub(super) fn name_type(&mut self, ty: QualType, name: &str) {
        if ty.quals != Quals::NONE {
            return;
        }
        match *self.tree.types.get(ty) {
            Type::Record(id) => {
                self.tree.types.records[id]
                    .typedef_name
                    .get_or_insert(name.to_string());
            }
            Type::Enum(id) => {
                self.tree.types.enums[id]
                    .typedef_name
                    .get_or_insert(name.to_string());
            }
            _ => {}
        }
    }
}

/// The qualifiers that a node stands for.
pub(super) fn qualifier(q: &c::TypeQualifier) -> Quals {
    let mut quals = Quals::NONE;
    match q {
        c::TypeQualifier::Const => quals.is_const = true,
        c::TypeQualifier::Restrict => quals.is_restrict = true,
        c::TypeQualifier::Volatile => quals.is_volatile = true,
        c::TypeQualifier::Atomic => quals.is_atomic = true,
        c::TypeQualifier::Nonnull
        | c::TypeQualifier::NullUnspecified
        | c::TypeQualifier::Nullable => {}
    }
    quals
}

fn int_kind(w: &Words) -> IntKind {
    let signed = if w.char_ {
        match (w.signed, w.unsigned) {
            (_, true) => IntKind::UChar,
            (true, _) => IntKind::SChar,
            _ => IntKind::Char,
        }
    } else if w.unsigned128 {
        IntKind::UInt128
    } else if w.int128 {
        IntKind::Int128
    } else if w.short {
        IntKind::Short
    } else {
        match w.long {
            0 => IntKind::Int,
            1 => IntKind::Long,
            _ => IntKind::LongLong,
        }
    };
    if w.unsigned {
        signed.unsigned()
    } else {
        signed
    }
}
