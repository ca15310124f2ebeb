//! The types of calls of the compiler's own functions, which no declaration gives (GCC manual, "Built-in
//! functions", "Atomic builtins").

use super::Lower;
use crate::consteval;
use crate::data_model::DataModel;
use crate::library::plain_name;
use crate::span::ExprId;
use crate::tree::{ExprKind, Resolved};
use crate::types::{FloatKind, IntKind, QualType, Type};

impl Lower<'_> {
    /// The type of a call of a function that only the compiler knows; unknown for a function that is
    /// not listed here.
    pub(super) fn builtin_type(&mut self, callee: ExprId, args: &[ExprId]) -> QualType {
        let ExprKind::Ident(Resolved::Unknown(name)) = &self.tree.exprs[callee].kind else {
            return self.unknown();
        };
        let name = name.clone();
        if let Some(ty) = self.atomic_type(&name, args) {
            return ty;
        }
        let Some(builtin) = name.strip_prefix("__builtin_") else {
            return self.unknown();
        };
        if let ("choose_expr", &[condition, then, otherwise]) = (builtin, args) {
            return self.chosen_type(condition, then, otherwise);
        }
        if let Some(ty) = own_type(builtin, &self.tree.types.model) {
            return self.plain(ty);
        }
        let pointee = match plain_name(&name) {
            "memcpy" | "memmove" | "memset" | "mempcpy" | "memchr" | "malloc" | "calloc"
            | "realloc" | "alloca" | "aligned_alloc" => Type::Void,
            "strcpy" | "strncpy" | "strcat" | "strncat" | "stpcpy" | "stpncpy" | "strchr"
            | "strrchr" | "strstr" | "strpbrk" | "strdup" | "strndup" | "index" | "rindex" => {
                Type::Int(IntKind::Char)
            }
            plain => {
                let ty = library_type(plain, &self.tree.types.model).unwrap_or(Type::Unknown);
                return self.plain(ty);
            }
        };
        let to = self.plain(pointee);
        self.tree.types.pointer_to(to)
    }

    /// The type of the operand that the compiler chooses; unknown if the condition is not computed here and the operands
    /// have different types.
    fn chosen_type(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> QualType {
        let (x, y) = (self.tree.exprs[then].ty, self.tree.exprs[otherwise].ty);
        match consteval::eval(&self.tree, condition) {
            Some(0) => y,
            Some(_) => x,
            None if x.ty == y.ty => x,
            None => self.unknown(),
        }
    }

    /// The type of an atomic operation: that of the object, without qualifiers, where it returns a
    /// value of it.
    fn atomic_type(&mut self, name: &str, args: &[ExprId]) -> Option<QualType> {
        let operation = name
            .strip_prefix("__atomic_")
            .or_else(|| name.strip_prefix("__sync_"))?;
        let fixed = match operation {
            "load" | "store" | "store_n" | "exchange" | "clear" | "thread_fence"
            | "signal_fence" | "synchronize" | "lock_release" => Some(Type::Void),
            "test_and_set"
            | "compare_exchange"
            | "compare_exchange_n"
            | "bool_compare_and_swap"
            | "always_lock_free"
            | "is_lock_free" => Some(Type::Bool),
            _ => None,
        };
        if let Some(ty) = fixed {
            return Some(self.plain(ty));
        }
        let object = self.tree.exprs[*args.first()?].ty;
        let of = self.tree.types.pointee(object)?;
        Some(of.unqualified())
    }
}

/// The type of a builtin that is no function of the library.
fn own_type(name: &str, model: &DataModel) -> Option<Type> {
    let arithmetic = |kind| Some(Type::Int(kind));
    if name.ends_with("_overflow") || name.ends_with("_overflow_p") {
        return Some(Type::Bool);
    }
    // `clz`, `clzl`, `clzll` and the like.
    let counts = ["clz", "ctz", "clrsb", "popcount", "parity", "ffs"];
    let rest = counts.iter().find_map(|c| name.strip_prefix(c));
    if matches!(rest, Some("" | "l" | "ll")) {
        return arithmetic(IntKind::Int);
    }
    match name {
        "expect" | "expect_with_probability" => arithmetic(IntKind::Long),
        "unreachable" | "trap" | "va_start" | "va_end" | "va_copy" | "prefetch" | "abort"
        | "exit" | "_exit" | "free" | "clear_padding" | "cpu_init" | "ia32_pause" | "longjmp"
        | "bzero" | "bcopy" => Some(Type::Void),
        "constant_p" | "classify_type" | "types_compatible_p" | "isnan" | "isinf"
        | "isinf_sign" | "isfinite" | "isnormal" | "signbit" | "signbitf" | "signbitl"
        | "fpclassify" | "isgreater" | "isgreaterequal" | "isless" | "islessequal"
        | "islessgreater" | "isunordered" | "setjmp" | "cpu_supports" => arithmetic(IntKind::Int),
        "ia32_readeflags_u32" => arithmetic(IntKind::UInt),
        "ia32_readeflags_u64" => arithmetic(IntKind::ULongLong),
        "bswap16" => arithmetic(IntKind::UShort),
        "bswap32" => arithmetic(model.unsigned_of_width(32)),
        "bswap64" => arithmetic(model.unsigned_of_width(64)),
        "object_size" | "dynamic_object_size" => arithmetic(model.size_type()),
        _ => None,
    }
}

/// The type of a function of the library that returns a number.
fn library_type(name: &str, model: &DataModel) -> Option<Type> {
    Some(match name {
        "strlen" | "strspn" | "strcspn" | "strnlen" => Type::Int(model.size_type()),
        "memcmp" | "strcmp" | "strncmp" | "strcasecmp" | "strncasecmp" | "bcmp" | "printf"
        | "fprintf" | "sprintf" | "snprintf" | "vprintf" | "vfprintf" | "vsprintf"
        | "vsnprintf" | "puts" | "putchar" | "fputs" | "abs" | "isalpha" | "isdigit"
        | "isalnum" | "isspace" | "isupper" | "islower" | "isxdigit" | "isprint" | "ispunct"
        | "iscntrl" | "isgraph" | "isblank" | "isascii" | "toupper" | "tolower" | "toascii" => {
            Type::Int(IntKind::Int)
        }
        "labs" => Type::Int(IntKind::Long),
        "llabs" => Type::Int(IntKind::LongLong),
        _ => {
            let reals = [
                "fabs",
                "sqrt",
                "floor",
                "ceil",
                "round",
                "trunc",
                "rint",
                "nearbyint",
                "sin",
                "cos",
                "tan",
                "exp",
                "log",
                "pow",
                "fmod",
                "copysign",
                "fmin",
                "fmax",
                "huge_val",
                "inf",
                "nan",
                "nans",
                "ldexp",
                "cbrt",
                "hypot",
                "fma",
            ];
            let suffix = reals.iter().find_map(|real| name.strip_prefix(real));
            Type::Float(match suffix? {
                "" => FloatKind::Double,
                "f" => FloatKind::Float,
                "l" => FloatKind::LongDouble,
                _ => return None,
            })
        }
    })
}
