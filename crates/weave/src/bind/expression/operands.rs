//! Checks operands against the constraints of C (C17 6.5). Without the check, a compiler would report the error
//! in the woven program, far from the specification.

use cfront::span::{ExprId, FunctionId};
use cfront::tree::{BinaryOp, ExprKind, UnaryOp};
use cfront::types::{Class, QualType, Type};

use super::{Read, Reader};
use crate::bind::numbers;

/// The kinds of values that operators distinguish.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Integer,
    Floating,
    /// Also arrays and functions, which become pointers.
    Pointer,
    Record,
    Void,
    /// Unknown, or not distinguished here: fits everything.
    Any,
}

impl Value {
    fn words(self) -> &'static str {
        match self {
            Value::Integer => "an integer",
            Value::Floating => "a floating number",
            Value::Pointer => "a pointer",
            Value::Record => "a structure",
            Value::Void => "no value",
            Value::Any => "something else",
        }
    }

    fn is_arithmetic(self) -> bool {
        matches!(self, Value::Integer | Value::Floating | Value::Any)
    }

    fn is_integer(self) -> bool {
        matches!(self, Value::Integer | Value::Any)
    }

    fn is_truth_value(self) -> bool {
        !matches!(self, Value::Record | Value::Void)
    }
}

impl Reader<'_> {
    fn value_of(&self, ty: QualType) -> Value {
        match self.tree.types.class(ty) {
            Class::Scalar if self.tree.types.is_integer(ty) => Value::Integer,
            Class::Scalar => match self.tree.types.get(ty) {
                Type::Float(_) => Value::Floating,
                _ => Value::Any,
            },
            Class::Pointer | Class::Array | Class::Function => Value::Pointer,
            Class::Record => Value::Record,
            Class::Void => Value::Void,
            Class::Other => Value::Any,
        }
    }

    /// Refuses operands that violate a constraint of their operator.
    pub(crate) fn check_operands(&self, e: ExprId) -> Read<()> {
        let of = |e: ExprId| self.value_of(self.ty(e));
        match &self.tree.exprs[e].kind {
            ExprKind::Binary(op, left, right) => {
                let (l, r) = (of(*left), of(*right));
                if binary_fits(*op, l, r) {
                    return Ok(());
                }
                let op = op.spelling();
                let message = format!("`{op}` does not take {} and {}", l.words(), r.words());
                Err(self.fault(e, message, None))
            }
            ExprKind::Unary(op, operand) => {
                let value = of(*operand);
                let (op, fits) = match op {
                    UnaryOp::Plus => ("+", value.is_arithmetic()),
                    UnaryOp::Minus => ("-", value.is_arithmetic()),
                    UnaryOp::BitNot => ("~", value.is_integer()),
                    UnaryOp::Not => ("!", value.is_truth_value()),
                    UnaryOp::Real | UnaryOp::Imag => return Ok(()),
                };
                match fits {
                    true => Ok(()),
                    false => {
                        let message = format!("`{op}` does not take {}", value.words());
                        Err(self.fault(e, message, None))
                    }
                }
            }
            ExprKind::Float => {
                let span = self.tree.exprs[e].bare;
                match is_floating(self.text.get(span.start..span.end).unwrap_or_default()) {
                    true => Ok(()),
                    false => {
                        Err(self.fault(e, "this is no number that a condition can have", None))
                    }
                }
            }
            ExprKind::Conditional { cond, .. } if !of(*cond).is_truth_value() => {
                Err(self.fault(*cond, "this is no truth value", None))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a call with too few or too many arguments.
    pub(crate) fn check_arguments(
        &self,
        e: ExprId,
        function: FunctionId,
        given: usize,
    ) -> Read<()> {
        let function = &self.tree.functions[function];
        let Some(ty) = self
            .tree
            .types
            .function(function.ty)
            .filter(|t| t.prototype)
        else {
            return Ok(());
        };
        let takes = ty.params.len();
        if given == takes || ty.variadic && given > takes {
            return Ok(());
        }
        let takes = numbers::parameters(Some(takes));
        let message = format!("`{}` takes {takes}, and this gives {given}", function.name);
        Err(self.fault(e, message, None))
    }

    /// Refuses an argument that C does not convert, or only with a warning.
    pub(crate) fn check_argument(
        &self,
        arg: ExprId,
        function: FunctionId,
        wanted: QualType,
    ) -> Read<()> {
        let (given, takes) = (self.value_of(self.ty(arg)), self.value_of(wanted));
        let null = matches!(self.tree.exprs[arg].kind, ExprKind::Int(Some(0)));
        let fits = match (given, takes) {
            (Value::Pointer, Value::Integer) => self.is_bool(wanted),
            (Value::Pointer, Value::Floating) | (Value::Floating, Value::Pointer) => false,
            (Value::Integer, Value::Pointer) => null,
            (Value::Record, Value::Record) => {
                self.tree.types.get(self.ty(arg)) == self.tree.types.get(wanted)
            }
            (Value::Any, _) | (_, Value::Any) => true,
            (Value::Void | Value::Record, _) | (_, Value::Record) => false,
            _ => true,
        };
        if fits {
            return Ok(());
        }
        let name = &self.tree.functions[function].name;
        let message = match (given, takes) {
            (Value::Record, Value::Record) => {
                format!("`{name}` takes another structure here")
            }
            _ => format!(
                "`{name}` takes {} here, and this is {}",
                takes.words(),
                given.words()
            ),
        };
        Err(self.fault(arg, message, None))
    }

    fn is_bool(&self, ty: QualType) -> bool {
        matches!(self.tree.types.get(ty), Type::Bool)
    }
}

/// Whether a text is a floating constant of standard C.
fn is_floating(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let number = lower.strip_suffix(['f', 'l']).unwrap_or(&lower);
    let Some(hex) = number.strip_prefix("0x") else {
        return number.contains(['.', 'e']) && number.parse::<f64>().is_ok();
    };
    // The exponent is a decimal number, and the rest has at most one point.
    hex.split_once('p').is_some_and(|(mantissa, exponent)| {
        let digits = mantissa.replacen('.', "", 1);
        !digits.is_empty()
            && digits.chars().all(|c| c.is_ascii_hexdigit())
            && exponent.parse::<i32>().is_ok()
    })
}

fn binary_fits(op: BinaryOp, l: Value, r: Value) -> bool {
    let pointer = |v: Value| matches!(v, Value::Pointer | Value::Any);
    match op {
        BinaryOp::Mul | BinaryOp::Div => l.is_arithmetic() && r.is_arithmetic(),
        BinaryOp::Rem
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::BitAnd
        | BinaryOp::BitXor
        | BinaryOp::BitOr => l.is_integer() && r.is_integer(),
        BinaryOp::Add => {
            l.is_arithmetic() && r.is_arithmetic()
                || pointer(l) && r.is_integer()
                || l.is_integer() && pointer(r)
        }
        BinaryOp::Sub => {
            l.is_arithmetic() && r.is_arithmetic() || pointer(l) && (r.is_integer() || pointer(r))
        }
        // Programs for devices compare pointers with integers; compilers warn at most.
        BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne => {
            l.is_arithmetic() && r.is_arithmetic()
                || pointer(l) && (pointer(r) || r.is_integer())
                || l.is_integer() && pointer(r)
        }
        BinaryOp::And | BinaryOp::Or => l.is_truth_value() && r.is_truth_value(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floating_constants_are_told_from_what_only_looks_like_one() {
        for good in ["1.", ".5", "1e5", "1.5e-3f", "2.0L", "0x1.8p3", "0x.8p-1f"] {
            assert!(is_floating(good), "{good}");
        }
        for bad in [
            "0W",
            "1.2.3",
            "1e",
            "1.5zz",
            "2.0i",
            "0x1.8",
            "0xp1",
            "08",
            "99999999999999999999u",
        ] {
            assert!(!is_floating(bad), "{bad}");
        }
    }
}
