//! Atomic operations of a program in which nothing happens beside its own steps, as plain ones: `atomic_fetch_add(&n, 1)` is `n = n + 1u`.
//! Analyses follow what happens to `n` then, as its address goes nowhere.
//!
//! Operations wrap around, signed ones, too: the C that stands in their place computes with unsigned numbers. What is evaluated twice
//! has no effects; operations of which that is not known stay as they are, and so do those of types that have no name.

use crate::access::is_pure;
use crate::allocations::library_name;
use crate::consteval::eval;
use crate::parse::Unit;
use crate::rewriting::{Names, Text};
use crate::source::Source;
use crate::span::ExprId;
use crate::tree::{BlockItem, Entity, ExprKind, InitKind, Parent, StmtKind, Tree};
use crate::types::{IntKind, QualType, Type};

use super::{operation, Kind, Operation};

/// The texts of a program without threads and handlers in which atomic operations are plain ones; `None` if it has none. Linear in
/// the program.
pub fn of_one_thread(unit: &Unit) -> Option<Vec<Source>> {
    let tree = &unit.tree;
    let evaluated = tree.exprs.iter().filter(|(_, e)| !e.unevaluated);
    let mut all: Vec<Access> = evaluated
        .filter_map(|(id, _)| Access::of(tree, id))
        .filter(|access| tree.function_of(Parent::Expr(access.whole)).is_some())
        .collect();
    all.sort_by_key(|access| {
        let span = tree.exprs[access.whole].span;
        (span.start, std::cmp::Reverse(span.end))
    });
    let names = Names::of(unit);
    let plain = Plain {
        unit,
        names: ["plain_was", "plain_by", "plain_same"].map(|name| names.free(name)),
        all: &all,
    };
    let mut text = Text::of(unit);
    let mut done = 0;
    for access in &all {
        let span = tree.exprs[access.whole].span;
        if span.start < done {
            continue;
        }
        if let Some(written) = plain.written(access) {
            text.replace(span, &written);
            done = span.end;
        }
    }
    text.changed()
}

/// An argument: an expression, or the one whose value a variable has that an argument points to.
#[derive(Clone, Copy, Debug)]
enum Value {
    Of(ExprId),
    Behind(ExprId),
}

/// An atomic operation with its operands.
#[derive(Clone, Copy, Debug)]
struct Access {
    /// What is written anew: the call, or the block of a macro of `<stdatomic.h>` around it.
    whole: ExprId,
    of: Operation,
    /// The pointer to the object.
    pointer: ExprId,
    /// What it is changed by.
    by: Option<Value>,
    /// What it is compared with.
    expected: Option<Value>,
    /// Where the value goes, if it is not the result.
    to: Option<ExprId>,
}

impl Access {
    fn of(tree: &Tree, call: ExprId) -> Option<Access> {
        let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
            return None;
        };
        let of = operation(library_name(tree, call)?)?;
        let arg = |n: usize| args.get(n).copied();
        let pointed = |n: usize, indirect: bool| {
            let value = if indirect { Value::Behind } else { Value::Of };
            arg(n).map(value)
        };
        let (by, expected, to) = match of.kind {
            Kind::Load { indirect: true } => (None, None, Some(arg(1)?)),
            Kind::Load { .. } | Kind::Clear | Kind::TestAndSet => (None, None, None),
            Kind::Store { indirect } => (pointed(1, indirect), None, None),
            Kind::Exchange { indirect } => {
                let to = if indirect { Some(arg(2)?) } else { None };
                (pointed(1, indirect), None, to)
            }
            Kind::Compare { indirect } => (pointed(2, indirect), pointed(1, true), None),
            Kind::CompareValue { .. } => (pointed(2, false), pointed(1, false), None),
            Kind::Compute { .. } => (pointed(1, false), None, None),
        };
        let access = Access {
            whole: call,
            of,
            pointer: arg(0)?,
            by,
            expected,
            to,
        };
        (args.len() >= of.arguments).then(|| access.of_macro(tree, call).unwrap_or(access))
    }

    /// The operation of the macro whose block consists of the call, and variables for its arguments and its result.
    fn of_macro(&self, tree: &Tree, call: ExprId) -> Option<Access> {
        let Parent::Stmt(stmt) = tree.exprs[call].parent else {
            return None;
        };
        let (whole, items) = tree.statement_expression(stmt)?;
        let declared = items.iter().filter(|i| matches!(i, BlockItem::Decl(_)));
        let declared = declared.count();
        let result = match items.get(declared..)? {
            [BlockItem::Stmt(of)] if *of == stmt => None,
            [BlockItem::Stmt(of), BlockItem::Stmt(last)] if *of == stmt => Some(*last),
            _ => return None,
        };
        // What a variable of the block begins with.
        let initial = |e: ExprId| {
            let object = tree.named(e)?;
            let mut declarations = items[..declared].iter().filter_map(|item| match item {
                BlockItem::Decl(decl) => match &tree.decls[*decl].declared[..] {
                    [declared] => Some(declared),
                    _ => None,
                },
                BlockItem::Stmt(_) => None,
            });
            let declared = declarations.find(|d| d.entity == Entity::Object(object))?;
            Some(match &tree.inits[declared.init?].kind {
                InitKind::Expr(e) => *e,
                InitKind::List(_) => return None,
            })
        };
        let variable = |e: ExprId| match tree.exprs[e].kind {
            ExprKind::AddressOf(of) => Some(of),
            _ => None,
        };
        let by = match self.by {
            Some(Value::Behind(e)) => Some(Value::Of(initial(variable(e)?)?)),
            _ => None,
        };
        let result = match result.map(|stmt| &tree.stmts[stmt].kind) {
            None => None,
            Some(StmtKind::Expr(Some(e))) => Some(tree.named(*e)?),
            Some(_) => return None,
        };
        let to = self.to.and_then(variable);
        (to.and_then(|to| tree.named(to)) == result).then_some(())?;
        // The variables are those of the macro, and nothing else.
        let variables = 1 + usize::from(by.is_some()) + usize::from(to.is_some());
        (declared == variables && self.by.is_some() == by.is_some()).then_some(Access {
            whole,
            pointer: initial(self.pointer)?,
            by,
            to: None,
            ..*self
        })
    }
}

/// The plain operations of a program.
struct Plain<'a> {
    unit: &'a Unit,
    /// Names for the value that was there, the one by which it is changed, and whether it is the expected one.
    names: [String; 3],
    /// All operations, those around others first.
    all: &'a [Access],
}

impl Plain<'_> {
    /// The text of an expression, with plain operations in it.
    fn text(&self, e: ExprId) -> String {
        let tree = &self.unit.tree;
        let span = tree.exprs[e].span;
        let source = self.unit.text();
        let (mut out, mut done) = (String::from("("), span.start);
        let from = self
            .all
            .partition_point(|access| tree.exprs[access.whole].span.start < span.start);
        for access in &self.all[from..] {
            let inner = tree.exprs[access.whole].span;
            if inner.start >= span.end {
                break;
            }
            if inner.start < done || inner.end > span.end {
                continue;
            }
            if let Some(written) = self.written(access) {
                out.push_str(&source[done..inner.start]);
                out.push_str(&written);
                done = inner.end;
            }
        }
        out.push_str(&source[done..span.end]);
        out.push(')');
        match self.unit.lines_of(span).is_empty() {
            true => out,
            false => Text::of(self.unit).on_a_line(&out),
        }
    }

    /// What a pointer leads to, as an lvalue.
    fn lvalue(&self, pointer: ExprId) -> String {
        match self.unit.tree.exprs[pointer].kind {
            ExprKind::AddressOf(of) => self.text(of),
            _ => format!("(*{})", self.text(pointer)),
        }
    }

    fn value(&self, value: Value) -> String {
        match value {
            Value::Of(e) => self.text(e),
            Value::Behind(pointer) => self.lvalue(pointer),
        }
    }

    /// The plain operation; `None` if it stays as it is.
    fn written(&self, access: &Access) -> Option<String> {
        let tree = &self.unit.tree;
        let ty = tree.types.pointee(tree.exprs[access.pointer].ty)?;
        let object = self.lvalue(access.pointer);
        let is_flag = matches!(access.of.kind, Kind::Clear | Kind::TestAndSet);
        let (object, ty) = match is_flag {
            true => self.flag(&object, ty)?,
            false => (object, ty),
        };
        is_scalar(tree, ty).then_some(())?;
        let again = is_pure(tree, access.pointer);
        let by = access.by.map(|by| self.value(by));
        let [was, ..] = &self.names;
        Some(match access.of.kind {
            Kind::Load { .. } => match access.to {
                None => object,
                Some(to) => format!("({} = {object})", self.lvalue(to)),
            },
            Kind::Store { .. } => {
                let ordered = |by: Value| match by {
                    Value::Of(e) | Value::Behind(e) => again || is_pure(tree, e),
                };
                ordered(access.by?)
                    .then(|| format!("((void)({object} = {}))", by.unwrap_or_default()))?
            }
            Kind::Clear => format!("((void)({object} = 0))"),
            Kind::TestAndSet if again => {
                format!("(__extension__ ({{ _Bool {was} = {object}; {object} = 1; {was}; }}))")
            }
            Kind::Exchange { .. } if again => self.exchanged(access, &object, ty, &by?)?,
            Kind::Compare { .. } if again => self.compared(access, &object, ty, &by?)?,
            Kind::CompareValue { truth } if again => {
                self.compared_value((access.expected?, truth), &object, ty, &by?)?
            }
            Kind::Compute { operation, after } if again => {
                let Value::Of(operand) = access.by? else {
                    return None;
                };
                let asked = Asked {
                    after: after || !tree.is_used(access.whole),
                    constant: eval(tree, operand).is_some(),
                };
                // The operand is evaluated before the object is read.
                let (before, by) = match is_pure(tree, operand) {
                    true => (None, by?),
                    false => {
                        let [_, changed, _] = &self.names;
                        let before = self.variable(ty, changed, &by?)?;
                        (Some(before), format!("({changed})"))
                    }
                };
                let computed = self.computed(&object, ty, (operation, &by), asked)?;
                match before {
                    None => computed,
                    Some(before) => format!("(__extension__ ({{ {before} {computed}; }}))"),
                }
            }
            _ => return None,
        })
    }

    /// The byte of a flag: of a structure it is the only member.
    fn flag(&self, object: &str, ty: QualType) -> Option<(String, QualType)> {
        let tree = &self.unit.tree;
        let Type::Record(record) = tree.type_of(ty) else {
            return Some((object.to_owned(), ty));
        };
        match tree.types.records[*record].members.as_deref()? {
            [member] if !member.is_bit_field => {
                Some((format!("({object}.{})", member.name.as_deref()?), member.ty))
            }
            _ => None,
        }
    }

    /// The declaration of a variable that has a value of a type.
    fn variable(&self, ty: QualType, name: &str, value: &str) -> Option<String> {
        let tree = &self.unit.tree;
        let declared = tree
            .types
            .declare(ty.unqualified(), name, tree.file_scope())?;
        Some(format!("{declared} = {value};"))
    }

    fn exchanged(&self, access: &Access, object: &str, ty: QualType, by: &str) -> Option<String> {
        let [was, changed, _] = &self.names;
        let changed_by = self.variable(ty, changed, by)?;
        let was_there = self.variable(ty, was, object)?;
        Some(match access.to {
            None => format!("(__extension__ ({{ {changed_by} {was_there} {object} = {changed}; {was}; }}))"),
            Some(to) => format!(
                "((void)(__extension__ ({{ {changed_by} {was_there} {object} = {changed}; {} = {was}; }})))",
                self.lvalue(to)
            ),
        })
    }

    fn compared(&self, access: &Access, object: &str, ty: QualType, by: &str) -> Option<String> {
        let tree = &self.unit.tree;
        let Some(Value::Behind(expected)) = access.expected else {
            return None;
        };
        let other = tree.types.pointee(tree.exprs[expected].ty)?;
        (is_pure(tree, expected)
            && other.unqualified() == ty.unqualified()
            && !is_floating(tree, ty))
        .then_some(())?;
        let expected = self.lvalue(expected);
        let [_, changed, same] = &self.names;
        let changed_by = self.variable(ty, changed, by)?;
        Some(format!(
            "(__extension__ ({{ {changed_by} _Bool {same} = {object} == {expected}; {same} ? (void)({object} = {changed}) : (void)({expected} = {object}); {same}; }}))"
        ))
    }

    fn compared_value(
        &self,
        (expected, truth): (Value, bool),
        object: &str,
        ty: QualType,
        by: &str,
    ) -> Option<String> {
        let [was, changed, same] = &self.names;
        (!is_floating(&self.unit.tree, ty)).then_some(())?;
        let is_expected = self.variable(ty, was, &self.value(expected))?;
        let changed_by = self.variable(ty, changed, by)?;
        let compared = format!("{is_expected} {changed_by} _Bool {same} = {object} == {was};");
        Some(match truth {
            true => format!(
                "(__extension__ ({{ {compared} {same} ? (void)({object} = {changed}) : (void)0; {same}; }}))"
            ),
            false => format!(
                "(__extension__ ({{ {compared} {was} = {object}; {same} ? (void)({object} = {changed}) : (void)0; {was}; }}))"
            ),
        })
    }

    fn computed(
        &self,
        object: &str,
        ty: QualType,
        (operation, by): (char, &str),
        asked: Asked,
    ) -> Option<String> {
        let types = &self.unit.tree.types;
        let Type::Int(kind) = *types.get(ty) else {
            return None;
        };
        let widest = [
            (IntKind::UInt, "unsigned int"),
            (IntKind::ULongLong, "unsigned long long"),
        ];
        let fits = |of: &(IntKind, &str)| types.bits(of.0) >= types.bits(kind);
        let (unsigned, word) = widest.into_iter().find(fits)?;
        let is_same = !types.signed(kind) && types.bits(kind) == types.bits(unsigned);
        let name = types.declare(ty.unqualified(), "", self.unit.tree.file_scope())?;
        let number = |of: &str| match is_same {
            true => of.to_owned(),
            false => format!("({word}){of}"),
        };
        let back = |of: &str| match is_same {
            true => of.to_owned(),
            false => format!("({}){of}", name.trim()),
        };
        let value = |of: &str| match operation {
            '~' => format!("(~({} & ({word}){by}))", number(of)),
            _ => format!("({} {operation} ({word}){by})", number(of)),
        };
        let changed = |of: &str| format!("({object} = {})", back(&value(of)));
        let inverse = match operation {
            '+' => Some('-'),
            '-' => Some('+'),
            _ => None,
        };
        Some(match inverse.filter(|_| asked.constant) {
            _ if asked.after => changed(object),
            Some(inverse) => {
                let before = format!("({} {inverse} ({word}){by})", number(&changed(object)));
                format!("({})", back(&before))
            }
            None => {
                let [was, ..] = &self.names;
                let was_there = self.variable(ty, was, object)?;
                format!(
                    "(__extension__ ({{ {was_there} {}; {was}; }}))",
                    changed(was)
                )
            }
        })
    }
}

/// How the value of a computation is asked for.
#[derive(Clone, Copy, Debug)]
struct Asked {
    /// The value after it, or none.
    after: bool,
    /// The operand is a constant, which may be taken off again.
    constant: bool,
}

fn is_scalar(tree: &Tree, ty: QualType) -> bool {
    tree.types.is_integer(ty) || matches!(tree.type_of(ty), Type::Pointer(_) | Type::Float(_))
}

/// Numbers that are equal without having the same bits.
fn is_floating(tree: &Tree, ty: QualType) -> bool {
    matches!(tree.type_of(ty), Type::Float(_))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// The statement as it is rewritten.
    fn rewritten(statement: &str) -> String {
        let begin = "_Atomic unsigned n; _Atomic int m; _Atomic short h; unsigned *p; struct { unsigned char v; } flag; int f(void); int r, e;\n\
                     void all(void) {\n";
        let text = format!("{begin}{statement}\n}}\n");
        let unit = Unit::parse(Source::from_bytes(text.into_bytes())).unwrap();
        let sources = of_one_thread(&unit);
        let text: String = match sources {
            Some(sources) => sources.into_iter().map(|source| source.text).collect(),
            None => return statement.to_owned(),
        };
        text.lines().nth(2).unwrap().to_owned()
    }

    #[test]
    fn accesses_are_plain() {
        assert_eq!(rewritten("r = __atomic_load_n(&n, 5);"), "r = (n);");
        assert_eq!(rewritten("r = __atomic_load_n(p, 2);"), "r = (*(p));");
        assert_eq!(rewritten("__atomic_load(p, &e, 0);"), "((e) = (*(p)));");
        assert_eq!(
            rewritten("__atomic_store_n(&n, r, 3);"),
            "((void)((n) = (r)));"
        );
        assert_eq!(
            rewritten("__atomic_clear(&flag, 3);"),
            "((void)(((flag).v) = 0));"
        );
    }

    #[test]
    fn macros_of_the_header_are_plain() {
        let load = "r = __extension__ ({ __auto_type q = (&n); __typeof__((void)0, *q) t; __atomic_load(q, &t, (5)); t; }) + 1;";
        assert_eq!(rewritten(load), "r = __extension__ (n) + 1;");
        let store = "__extension__ ({ __auto_type q = (&n); __typeof__((void)0, *q) t = (f()); __atomic_store(q, &t, (5)); });";
        assert_eq!(rewritten(store), "__extension__ ((void)((n) = ((f()))));");
    }

    #[test]
    fn computations_wrap_around() {
        let added = rewritten("__atomic_fetch_add(&n, 1, 5);");
        assert_eq!(added, "((n) = ((n) + (unsigned int)(1)));");
        let before = rewritten("r = __atomic_fetch_add(&n, 1, 5);");
        assert_eq!(
            before,
            "r = ((((n) = ((n) + (unsigned int)(1))) - (unsigned int)(1)));"
        );
        let signed = rewritten("__sync_add_and_fetch(&m, e);");
        assert_eq!(
            signed,
            "((m) = (int)((unsigned int)(m) + (unsigned int)(e)));"
        );
        let narrow = rewritten("r = __atomic_or_fetch(&h, 1, 5);");
        assert_eq!(
            narrow,
            "r = ((h) = (short)((unsigned int)(h) | (unsigned int)(1)));"
        );
    }

    #[test]
    fn what_is_evaluated_twice_has_no_effect() {
        for same in [
            "__atomic_fetch_add(p++, 1, 5);",
            "__atomic_exchange_n(&p[f()], 1, 5);",
            "__atomic_compare_exchange_n(p, &p[f()], 1, 0, 5, 5);",
        ] {
            assert_eq!(rewritten(same), same);
        }
        let once = rewritten("r = __atomic_load_n(p++, 5);");
        assert_eq!(once, "r = (*(p++));");
    }

    /// The operand may be the object itself, or change it.
    #[test]
    fn operands_are_evaluated_once_and_first() {
        let doubled = rewritten("r = __atomic_fetch_add(&n, n, 5);");
        assert_eq!(
            doubled,
            "r = (__extension__ ({ unsigned int plain_was = (n); ((n) = (plain_was + (unsigned int)(n))); plain_was; }));"
        );
        let called = rewritten("__atomic_fetch_add(&n, f(), 5);");
        assert_eq!(
            called,
            "(__extension__ ({ unsigned int plain_by = (f()); ((n) = ((n) + (unsigned int)(plain_by))); }));"
        );
    }

    #[test]
    fn operations_within_others_are_plain() {
        let both = rewritten("__atomic_store_n(&n, __atomic_load_n(&m, 5) + 1, 5);");
        assert_eq!(both, "((void)((n) = ((m) + 1)));");
    }
}
