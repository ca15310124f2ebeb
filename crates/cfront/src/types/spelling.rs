//! The C text of declarations with a given type.

use crate::span::ScopeId;

use super::{ArrayLen, FloatKind, FunctionType, QualType, Type, Types};

impl Types {
    /// The C text of a declaration of `name` with this type, or of the type alone if `name` is
    /// empty; an enumeration without a name that is visible at file scope is called by its integer type. `None` if no
    /// name of a structure is visible there (without tag and typedef name, or declared in a block), or if the type has a variable length or is unknown:
    /// use `__typeof__` of an expression then.
    ///
    /// `file_scope` is the scope whose tags and typedefs may be named.
    pub fn declare(&self, ty: QualType, name: &str, file_scope: ScopeId) -> Option<String> {
        self.declare_where(ty, name, &|scope| scope == file_scope)
    }

    /// Like [`Types::declare`], where tags and typedefs of several scopes may be named.
    pub fn declare_where(
        &self,
        ty: QualType,
        name: &str,
        visible: &dyn Fn(ScopeId) -> bool,
    ) -> Option<String> {
        self.declare_within(ty, name.to_string(), visible, 0)
    }

    fn declare_within(
        &self,
        ty: QualType,
        inner: String,
        visible: &dyn Fn(ScopeId) -> bool,
        depth: usize,
    ) -> Option<String> {
        if depth > 200 {
            return None;
        }
        let quals = ty.quals.words();
        match self.get(ty) {
            Type::Pointer(to) => {
                let star = match quals.is_empty() {
                    true => format!("*{inner}"),
                    false => format!("* {quals} {inner}"),
                };
                let wrapped = match self.get(*to) {
                    Type::Array(..) | Type::Function(_) => format!("({star})"),
                    _ => star,
                };
                self.declare_within(*to, wrapped, visible, depth + 1)
            }
            Type::Array(of, len) => {
                let len = match len {
                    ArrayLen::Known(n) => n.to_string(),
                    ArrayLen::Unspecified => String::new(),
                    ArrayLen::Variable => return None,
                };
                self.declare_within(*of, format!("{inner}[{len}]"), visible, depth + 1)
            }
            Type::Function(f) => {
                let params = self.parameter_list(f, visible, depth)?;
                let inner = format!("{inner}({params})");
                self.declare_within(f.ret, inner, visible, depth + 1)
            }
            _ => {
                let words = [quals, self.specifier(ty, visible)?, inner];
                let words: Vec<String> = words.into_iter().filter(|w| !w.is_empty()).collect();
                Some(words.join(" "))
            }
        }
    }

    /// The specifier of a type that is not derived by a declarator; `None` if no visible name
    /// exists.
    fn specifier(&self, ty: QualType, visible: &dyn Fn(ScopeId) -> bool) -> Option<String> {
        Some(match self.get(ty) {
            Type::Unknown | Type::Vector(_) => return None,
            Type::Pointer(_) | Type::Array(..) | Type::Function(_) => return None,
            Type::Void => "void".to_string(),
            Type::Bool => "_Bool".to_string(),
            Type::Int(kind) => kind.spelling().to_string(),
            Type::Float(kind) => float_spelling(*kind)?.to_string(),
            Type::Complex(kind) => format!("{} _Complex", float_spelling(*kind)?),
            Type::VaList => "__builtin_va_list".to_string(),
            Type::Enum(id) => {
                let e = &self.enums[*id];
                let seen = visible(e.scope);
                let name = named("enum", e.tag.as_deref(), e.typedef_name.as_deref(), seen);
                // The integer type that is compatible with it (C11 6.7.2.2) says the same.
                let compatible = || Some(e.int_kind(&self.model)?.spelling().to_string());
                name.or_else(compatible)?
            }
            Type::Record(id) => {
                let r = &self.records[*id];
                let keyword = if r.is_union { "union" } else { "struct" };
                let seen = visible(r.scope);
                named(keyword, r.tag.as_deref(), r.typedef_name.as_deref(), seen)?
            }
        })
    }

    fn parameter_list(
        &self,
        f: &FunctionType,
        visible: &dyn Fn(ScopeId) -> bool,
        depth: usize,
    ) -> Option<String> {
        if !f.prototype {
            return Some(String::new());
        }
        let mut list = Vec::new();
        for &param in &f.params {
            list.push(self.declare_within(param, String::new(), visible, depth + 1)?);
        }
        if f.variadic {
            list.push("...".to_string());
        }
        if list.is_empty() {
            list.push("void".to_string());
        }
        Some(list.join(", "))
    }
}

fn float_spelling(kind: FloatKind) -> Option<&'static str> {
    match kind {
        FloatKind::Float => Some("float"),
        FloatKind::Double => Some("double"),
        FloatKind::LongDouble => Some("long double"),
        FloatKind::Other => None,
    }
}

fn named(
    keyword: &str,
    tag: Option<&str>,
    typedef_name: Option<&str>,
    at_file_scope: bool,
) -> Option<String> {
    if !at_file_scope {
        return None;
    }
    match (tag, typedef_name) {
        (Some(tag), _) => Some(format!("{keyword} {tag}")),
        (None, Some(name)) => Some(name.to_string()),
        (None, None) => None,
    }
}
