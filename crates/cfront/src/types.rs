//! C types, as far as the weaver needs them: resolved through typedefs, interned, with qualifiers.
//!
//! Sizes follow the program's [`DataModel`]. An unknown type is [`Type::Unknown`].

mod spelling;

use std::collections::HashMap;

use crate::data_model::DataModel;
pub use crate::integers::IntKind;
use crate::span::{Arena, EnumId, RecordId, ScopeId, Span, TypeId};

/// Type qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Quals {
    /// `const`
    pub is_const: bool,
    /// `volatile`
    pub is_volatile: bool,
    /// `restrict`
    pub is_restrict: bool,
    /// `_Atomic`, as qualifier or as `_Atomic(T)`
    pub is_atomic: bool,
}

impl Quals {
    /// No qualifier.
    pub const NONE: Quals = Quals {
        is_const: false,
        is_volatile: false,
        is_restrict: false,
        is_atomic: false,
    };

    /// The qualifiers of either.
    pub fn union(self, other: Quals) -> Quals {
        Quals {
            is_const: self.is_const || other.is_const,
            is_volatile: self.is_volatile || other.is_volatile,
            is_restrict: self.is_restrict || other.is_restrict,
            is_atomic: self.is_atomic || other.is_atomic,
        }
    }

    fn words(self) -> String {
        let mut out = String::new();
        for (on, word) in [
            (self.is_const, "const"),
            (self.is_volatile, "volatile"),
            (self.is_restrict, "restrict"),
            (self.is_atomic, "_Atomic"),
        ] {
            if on {
                if !out.is_empty() {
                    out.push(' ');
                }
                out.push_str(word);
            }
        }
        out
    }
}

/// A type with its outermost qualifiers. Qualifiers of an array apply to its elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct QualType {
    /// The type without qualifiers.
    pub ty: TypeId,
    /// The outermost qualifiers.
    pub quals: Quals,
}

impl QualType {
    /// The same type without its outermost qualifiers (C11 6.2.5).
    pub fn unqualified(self) -> QualType {
        QualType {
            quals: Quals::NONE,
            ..self
        }
    }
}

/// Real floating types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum FloatKind {
    Float,
    Double,
    LongDouble,
    /// `_FloatN`, `_FloatNx`, `__float128` and the decimal types, which have no rank here.
    Other,
}

/// Number of elements of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayLen {
    /// A constant.
    Known(u64),
    /// `[]` not completed by an initializer: incomplete, or a flexible array member.
    Unspecified,
    /// A variable length, or a constant that could not be computed.
    Variable,
}

/// A type without qualifiers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// An unknown type; nothing may be concluded from it.
    Unknown,
    /// `void`
    Void,
    /// `_Bool`
    Bool,
    /// An integer type.
    Int(IntKind),
    /// A real floating type.
    Float(FloatKind),
    /// A complex type.
    Complex(FloatKind),
    /// An enumeration.
    Enum(EnumId),
    /// A pointer to this type.
    Pointer(QualType),
    /// An array with elements of this type.
    Array(QualType, ArrayLen),
    /// A function.
    Function(FunctionType),
    /// A structure or union.
    Record(RecordId),
    /// A vector of GNU C, with elements of this type. How many it has is not known here.
    Vector(QualType),
    /// The compiler's `__builtin_va_list`.
    VaList,
}

/// The type of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    /// The type of the result.
    pub ret: QualType,
    /// Parameter types after adjustment of arrays and functions to pointers.
    pub params: Vec<QualType>,
    /// Whether `...` follows.
    pub variadic: bool,
    /// Whether the parameters are known: false for `f()` and old-style definitions.
    pub prototype: bool,
}

/// A structure or union type.
#[derive(Clone, Debug)]
pub struct Record {
    /// `union` rather than `struct`.
    pub is_union: bool,
    /// Its tag.
    pub tag: Option<String>,
    /// The first typedef name that was given directly to the type.
    pub typedef_name: Option<String>,
    /// The members in order; `None` if the type is incomplete.
    pub members: Option<Vec<Member>>,
    /// The scope of its tag.
    pub scope: ScopeId,
    /// The place of the tag, or of the keyword if there is no tag.
    pub span: Span,
}

/// A member of a structure or union.
#[derive(Clone, Debug)]
pub struct Member {
    /// The name; `None` for anonymous structures, unions and bit-field padding.
    pub name: Option<String>,
    /// Its type.
    pub ty: QualType,
    /// The width in bits, if the member is a bit-field of known width.
    pub bits: Option<u64>,
    /// Whether the member is a bit-field, so that its address cannot be taken.
    pub is_bit_field: bool,
}

/// An enumeration type.
#[derive(Clone, Debug)]
pub struct Enum {
    /// Its tag.
    pub tag: Option<String>,
    /// The first typedef name that was given directly to the type.
    pub typedef_name: Option<String>,
    /// The constants, with their values if known.
    pub constants: Vec<(String, Option<i128>)>,
    /// The scope of its tag.
    pub scope: ScopeId,
    /// The place of the tag, or of the keyword if there is no tag.
    pub span: Span,
    /// Whether an attribute makes the type as small as its constants allow.
    pub is_packed: bool,
}

impl Enum {
    /// The integer type of its objects, as gcc chooses it: `unsigned int` if no constant is
    /// negative; the smallest type with all constants for a packed enumeration. `None` if it is unknown: for a constant
    /// without known value or outside of `int`.
    pub fn int_kind(&self, model: &DataModel) -> Option<IntKind> {
        let values = self.constants.iter().map(|(_, value)| *value);
        let (least, most) = values.fold((Some(0), Some(0)), |(least, most), value| {
            (
                least.zip(value).map(|(a, b)| a.min(b)),
                most.zip(value).map(|(a, b)| a.max(b)),
            )
        });
        let (least, most) = (least?, most?);
        if self.constants.is_empty() {
            return None;
        }
        let small = [
            (IntKind::SChar, IntKind::UChar),
            (IntKind::Short, IntKind::UShort),
        ];
        for (signed, unsigned) in small.into_iter().filter(|_| self.is_packed) {
            let kind = if least < 0 { signed } else { unsigned };
            let range = model.range(kind);
            if range.is_some_and(|(from, to)| from <= least && most <= to) {
                return Some(kind);
            }
        }
        let half = 1i128 << (model.int - 1);
        match least < 0 {
            true if least >= -half && most < half => Some(IntKind::Int),
            false if most < 2 * half => Some(IntKind::UInt),
            _ => None,
        }
    }
}

/// The class of an expression's value, as far as the weaver distinguishes classes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// `_Bool`, integers, enumerations, real floating types.
    Scalar,
    /// Pointers.
    Pointer,
    /// Arrays.
    Array,
    /// Structures and unions.
    Record,
    /// Functions.
    Function,
    /// `void`.
    Void,
    /// Complex numbers, `va_list`, and unknown types.
    Other,
}

/// All types of a unit.
#[derive(Clone, Debug)]
pub struct Types {
    types: Arena<TypeId, Type>,
    interned: HashMap<Type, TypeId>,
    /// Structures and unions.
    pub records: Arena<RecordId, Record>,
    /// Enumerations.
    pub enums: Arena<EnumId, Enum>,
    /// The widths and signs of types, as the preprocessor's macros say.
    pub model: DataModel,
}

impl Default for Types {
    fn default() -> Self {
        let mut types = Types {
            types: Arena::default(),
            interned: HashMap::new(),
            records: Arena::default(),
            enums: Arena::default(),
            model: DataModel::default(),
        };
        types.intern(Type::Unknown);
        types
    }
}

impl Types {
    /// The id of a type.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.interned.get(&ty) {
            return id;
        }
        let id = self.types.push(ty.clone());
        self.interned.insert(ty, id);
        id
    }

    /// A type without qualifiers.
    pub fn plain(&mut self, ty: Type) -> QualType {
        QualType {
            ty: self.intern(ty),
            quals: Quals::NONE,
        }
    }

    /// The integer type of the values of a type: an integer type itself, or [`Enum::int_kind`] of
    /// an enumeration; `None` for all other types.
    pub fn int_kind(&self, ty: QualType) -> Option<IntKind> {
        match *self.get(ty) {
            Type::Int(kind) => Some(kind),
            Type::Enum(id) => self.enums[id].int_kind(&self.model),
            _ => None,
        }
    }

    /// The width of an integer type in bits in this program.
    pub fn bits(&self, kind: IntKind) -> u32 {
        self.model.bits(kind)
    }

    /// Whether an integer type is signed in this program.
    pub fn signed(&self, kind: IntKind) -> bool {
        self.model.signed(kind)
    }

    /// `int`
    pub fn int(&mut self) -> QualType {
        self.plain(Type::Int(IntKind::Int))
    }

    /// The unknown type.
    pub fn unknown(&self) -> QualType {
        QualType {
            ty: <TypeId as crate::span::Id>::from_index(0),
            quals: Quals::NONE,
        }
    }

    /// The type of pointers to a type.
    pub fn pointer_to(&mut self, to: QualType) -> QualType {
        self.plain(Type::Pointer(to))
    }

    /// The type behind an id.
    pub fn get(&self, ty: QualType) -> &Type {
        &self.types[ty.ty]
    }

    /// The class of a type's values.
    pub fn class(&self, ty: QualType) -> Class {
        match self.get(ty) {
            Type::Bool | Type::Int(_) | Type::Float(_) | Type::Enum(_) => Class::Scalar,
            Type::Pointer(_) => Class::Pointer,
            Type::Array(..) => Class::Array,
            Type::Record(_) => Class::Record,
            Type::Function(_) => Class::Function,
            Type::Void => Class::Void,
            Type::Unknown | Type::Complex(_) | Type::VaList | Type::Vector(_) => Class::Other,
        }
    }

    /// Whether a type is an integer type, `_Bool` and enumerations included.
    pub fn is_integer(&self, ty: QualType) -> bool {
        matches!(self.get(ty), Type::Bool | Type::Int(_) | Type::Enum(_))
    }

    /// Whether a type is arithmetic: integer, real floating or complex.
    pub fn is_arithmetic(&self, ty: QualType) -> bool {
        self.is_integer(ty) || matches!(self.get(ty), Type::Float(_) | Type::Complex(_))
    }

    /// The type that a pointer points to, or of an array's elements.
    pub fn pointee(&self, ty: QualType) -> Option<QualType> {
        match self.get(ty) {
            Type::Pointer(to) | Type::Array(to, _) => Some(*to),
            _ => None,
        }
    }

    /// The function type behind a function or a pointer to one.
    pub fn function(&self, ty: QualType) -> Option<&FunctionType> {
        match self.get(ty) {
            Type::Function(f) => Some(f),
            Type::Pointer(to) => match self.get(*to) {
                Type::Function(f) => Some(f),
                _ => None,
            },
            _ => None,
        }
    }

    /// Looks up a member, also in anonymous structures and unions. Gives the path of member
    /// indices, and the member's type with the qualifiers of the structure around it.
    pub fn member(&self, of: QualType, name: &str) -> Option<(Vec<(RecordId, usize)>, QualType)> {
        self.member_within(of, name, 0)
    }

    fn member_within(
        &self,
        of: QualType,
        name: &str,
        depth: usize,
    ) -> Option<(Vec<(RecordId, usize)>, QualType)> {
        let Type::Record(record) = *self.get(of) else {
            return None;
        };
        // Anonymous members nest as deeply as the text, whose nesting is bounded; the guard holds
        // this for trees that were made by other means.
        if depth > 1000 {
            return None;
        }
        let members = self.records[record].members.as_ref()?;
        for (index, member) in members.iter().enumerate() {
            let qualified = QualType {
                ty: member.ty.ty,
                quals: member.ty.quals.union(of.quals),
            };
            match &member.name {
                Some(n) if n == name => return Some((vec![(record, index)], qualified)),
                None => {
                    if let Some((mut path, ty)) = self.member_within(qualified, name, depth + 1) {
                        path.insert(0, (record, index));
                        return Some((path, ty));
                    }
                }
                Some(_) => {}
            }
        }
        None
    }
}
