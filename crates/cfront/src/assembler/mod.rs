//! Assembler statements, written in C before the program is read, because model checkers skip assembler.
//!
//! Well-known x86 instructions become the C that does the same: increments, exchanges, bit operations and conditions,
//! as kernels use them for counters, locks and bits (Intel 64 and IA-32 Architectures Software Developer's Manual,
//! volume 2). Any other statement that writes nothing but outputs in registers stays, and its outputs get any values:
//! this is all that its constraints promise (GCC manual, "Extended Asm"). All others stay as they are, and runs that
//! come to them have no verdict: with a `"memory"` clobber they may write any object whose address the program has given away,
//! which nothing here follows.

mod instructions;
mod operand;
mod statement;

use crate::consteval;
use crate::source::Source;
use crate::span::{ExprId, Span};
use crate::token::Tokens;
use crate::tree::{Entity, ExprKind, Mark, Marked, Resolved, StmtKind, Tree};
use crate::types::{Class, Type};

pub(crate) use instructions::is_harmless;
use operand::Operand;
pub(crate) use statement::string;
use statement::Statement;

/// How the names of variables begin that stand for the outputs of assembler.
pub(crate) const OWN: &str = "ba_asm_";

/// The function without a body through which outputs get any value. Its argument is the value in a native run.
pub const ASSEMBLED: &str = "ba_assembled";

/// How a statement is written. If the compiler would not accept a form for the types of the operands, the next one is
/// tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    /// Known instructions in C, on operands that are numbers of the instructions' sizes.
    Numbers,
    /// Known instructions in C, on the bytes of the operands.
    Bytes,
    /// The statement with variables for its outputs, which get any values.
    Any,
    /// As it is.
    Kept,
}

/// How often a text is read: once with each form of its statements.
pub(crate) const ROUNDS: usize = FORMS.len();

const FORMS: [Form; 4] = [Form::Numbers, Form::Bytes, Form::Any, Form::Kept];

/// The assembler statements of a text, and how each is written now.
pub(crate) struct Assembler<'a> {
    source: &'a Source,
    statements: Vec<(Statement, Form)>,
    /// The places of the replaced statements in the new text.
    replaced: Vec<(Span, usize)>,
}

impl<'a> Assembler<'a> {
    /// The statements of a text. Linear in its length.
    pub fn of(source: &'a Source) -> Assembler<'a> {
        let mut found = Assembler {
            source,
            statements: Vec::new(),
            replaced: Vec::new(),
        };
        if source.text.contains("asm") {
            if let Ok(tokens) = Tokens::lex(&source.text, true) {
                let all = statement::all(&source.text, &tokens);
                found.statements = all.into_iter().map(|s| (s, Form::Numbers)).collect();
            }
        }
        found
    }

    /// The text in which each statement has its form; every line keeps its number. `None` if all are kept.
    pub fn rewritten(&mut self) -> Option<Source> {
        let source = self.source;
        self.replaced.clear();
        let mut bytes = Vec::with_capacity(source.bytes.len());
        let mut at = 0;
        for (number, (statement, form)) in self.statements.iter_mut().enumerate() {
            let Some(text) = written(statement, form, &source.text, number) else {
                continue;
            };
            let span = statement.span;
            bytes.extend_from_slice(&source.bytes[at..span.start]);
            let start = bytes.len();
            bytes.extend_from_slice(text.as_bytes());
            self.replaced.push((Span::new(start, bytes.len()), number));
            let lines = span.of(&source.text);
            bytes.extend(lines.bytes().filter(|b| *b == b'\n'));
            at = span.end;
        }
        if self.replaced.is_empty() {
            return None;
        }
        bytes.extend_from_slice(&source.bytes[at..]);
        let mut changed = Source::from_bytes(bytes);
        changed.files.clone_from(&source.files);
        Some(changed)
    }

    /// Takes the next form for statements whose form the types of the operands do not allow; returns whether there are
    /// any. `start` is where the rewritten text begins in the program's.
    pub fn refuse_untyped(&mut self, tree: &Tree, start: usize) -> bool {
        let mut bad = Vec::new();
        for (span, number) in &self.replaced {
            let span = Span::new(span.start + start, span.end + start);
            bad.push((span, *number, false));
        }
        mark_untyped(tree, &mut bad);
        let mut any = false;
        for (_, number, _) in bad.into_iter().filter(|(_, _, bad)| *bad) {
            next(&mut self.statements[number].1);
            any = true;
        }
        any
    }
}

fn next(form: &mut Form) {
    let following = FORMS.iter().find(|f| *f > &*form);
    *form = following.copied().unwrap_or(Form::Kept);
}

/// The text of a statement in its form, or in the next one that it can have; `None` if it is kept.
fn written(statement: &Statement, form: &mut Form, text: &str, number: usize) -> Option<String> {
    loop {
        let found = match form {
            Form::Numbers => instructions::in_c(statement, false),
            Form::Bytes => instructions::in_c(statement, true),
            Form::Any => any(statement, text, number),
            Form::Kept => return None,
        };
        match found {
            Some(text) => return Some(text),
            None => next(form),
        }
    }
}

/// The statement with variables for its outputs, whose values after it are any. Operands in memory that are also read
/// keep it from being written so: other threads may access them at the same time.
fn any(statement: &Statement, text: &str, number: usize) -> Option<String> {
    let outputs = || statement.operands.iter().filter(|o| o.output);
    let in_memory =
        |o: &Operand| o.constraint.contains('+') && o.constraint.contains(['m', 'o', 'V']);
    let memory = statement.memory && !is_harmless(&statement.template);
    if statement.labels.is_some()
        || memory
        || outputs().next().is_none()
        || outputs().any(in_memory)
    {
        return None;
    }
    if outputs().all(Operand::is_own) {
        return None;
    }
    let (mut before, mut after) = (String::new(), String::new());
    let mut inside = String::new();
    let mut at = statement.span.start;
    for (index, output) in outputs().enumerate() {
        let (name, x) = (format!("{OWN}{number}_{index}"), &output.text);
        let first = if output.constraint.contains('+') {
            x
        } else {
            "0"
        };
        before.push_str(&format!("__typeof__{x} {name} = {first}; "));
        after.push_str(&format!(" {x} = {ASSEMBLED}({name});"));
        inside.push_str(&text[at..output.span.start].replace('\n', " "));
        inside.push_str(&format!("({name})"));
        at = output.span.end;
    }
    inside.push_str(&text[at..statement.span.end].replace('\n', " "));
    Some(format!(
        "({{ extern unsigned long {ASSEMBLED}(unsigned long); {before}{inside};{after} }})"
    ))
}

/// Marks the spans in which C that stands for assembler does not fit the types of its operands.
fn mark_untyped(tree: &Tree, spans: &mut [(Span, usize, bool)]) {
    let mut mark = |at: Span| {
        let index = spans.partition_point(|(span, _, _)| span.end <= at.start);
        if let Some((span, _, bad)) = spans.get_mut(index) {
            *bad |= span.encloses(at);
        }
    };
    for (_, expr) in tree.exprs.iter() {
        if !fits(tree, &expr.kind) {
            mark(expr.span);
        }
    }
    for (_, stmt) in tree.stmts.iter() {
        // `if (sizeof x != 4) __builtin_unreachable();`
        let StmtKind::If { cond, .. } = &stmt.kind else {
            continue;
        };
        let ExprKind::Binary(crate::tree::BinaryOp::Ne, size, _) = tree.exprs[*cond].kind else {
            continue;
        };
        let of_size = matches!(tree.exprs[size].kind, ExprKind::SizeofExpr(_));
        if of_size && consteval::eval(tree, *cond) != Some(0) {
            mark(stmt.span);
        }
    }
}

/// Whether an expression that may stand for assembler has operands of the right types.
fn fits(tree: &Tree, kind: &ExprKind) -> bool {
    let class = |e| tree.types.class(tree.exprs[e].ty);
    match kind {
        ExprKind::Assign { lhs, rhs, .. } => {
            let whole = matches!(class(*lhs), Class::Scalar | Class::Pointer);
            let called = matches!(&tree.exprs[*rhs].kind, ExprKind::Call { callee, .. } if names(tree, *callee, ASSEMBLED));
            match called {
                true => {
                    tree.types.is_integer(tree.exprs[*lhs].ty) && !is_named_register(tree, *lhs)
                }
                false => whole == matches!(class(*rhs), Class::Scalar | Class::Pointer),
            }
        }
        // The bytes of an array are not the pointer that stands for it; a register has no address.
        ExprKind::AddressOf(of) => {
            let ident = matches!(tree.exprs[*of].kind, ExprKind::Ident(_));
            let array = matches!(tree.types.get(tree.exprs[*of].ty), Type::Array(..));
            !ident || !array && !in_register(tree, *of)
        }
        ExprKind::Call { callee, args, .. } => {
            let atomic = matches!(&tree.exprs[*callee].kind,
                ExprKind::Ident(Resolved::Unknown(name)) if name.starts_with("__atomic_") || name.starts_with("__sync_"));
            !atomic || args.first().is_none_or(|object| is_number(tree, *object))
        }
        _ => true,
    }
}

/// Whether a callee is this function, declared or not.
fn names(tree: &Tree, callee: ExprId, name: &str) -> bool {
    match &tree.exprs[callee].kind {
        ExprKind::Ident(Resolved::Function(f)) => tree.functions[*f].name == name,
        ExprKind::Ident(Resolved::Unknown(unknown)) => unknown == name,
        _ => false,
    }
}

/// Whether an expression is a `register` variable.
fn in_register(tree: &Tree, e: ExprId) -> bool {
    let object = match tree.exprs[e].kind {
        ExprKind::Ident(Resolved::Object(object)) => object,
        _ => return false,
    };
    tree.objects[object].register
}

/// Whether an expression is a variable in a register that the program names (`register int r asm("r8")`).
fn is_named_register(tree: &Tree, e: ExprId) -> bool {
    let ExprKind::Ident(Resolved::Object(object)) = tree.exprs[e].kind else {
        return false;
    };
    let named = |m: &Marked| matches!(m.mark, Mark::Alias(_)) && m.entity == Entity::Object(object);
    tree.marks.iter().any(named)
}

/// Whether an expression points to a number or a pointer, so that the compiler accepts an atomic operation on it.
fn is_number(tree: &Tree, object: ExprId) -> bool {
    let Some(of) = tree.types.pointee(tree.exprs[object].ty) else {
        return false;
    };
    let real = matches!(tree.types.get(of), Type::Float(_));
    !real && matches!(tree.types.class(of), Class::Scalar | Class::Pointer)
}
