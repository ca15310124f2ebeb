//! Assembler statements, written in C before the program is read, because model checkers skip assembler.
//!
//! Well-known x86 instructions become the C that does the same: increments, exchanges, bit operations and conditions,
//! as kernels use them for counters, locks and bits (Intel 64 and IA-32 Architectures Software Developer's Manual,
//! volume 2), and AVR's instructions for I/O registers accesses of memory. All others stay as they are, and runs that come to one that writes have no verdict: its outputs are not
//! known, and if they were taken for any values, a violation could rest on a value that the instructions never give.

mod any;
mod barriers;
mod flash;
mod instructions;
mod operand;
mod ports;
mod privileged;
mod statement;
pub(crate) mod unread;

use crate::consteval;
use crate::data_model::DataModel;
use crate::source::Source;
use crate::span::{ExprId, Span};
use crate::token::Tokens;
use crate::tree::{ExprKind, Resolved, StmtKind, Tree};
use crate::types::{Class, Type};

pub use any::{any_outputs, AnyOutputs};
pub use barriers::{barriers, Barrier};
pub(crate) use instructions::{instructions, is_harmless, Instruction};
pub(crate) use ports::stores;
pub use privileged::without_privileged;
pub(crate) use statement::{all as statements, is_qualifier, string, template, Statement};

/// How a statement is written. If the compiler would not accept a form for the types of the operands, the next one is
/// tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    /// A read of program memory, as a read of an object.
    Flash,
    /// Accesses of I/O registers, as accesses of memory.
    Ports,
    /// Known instructions in C, on operands that are numbers of the instructions' sizes.
    Numbers,
    /// Known instructions in C, on the bytes of the operands.
    Bytes,
    /// As it is.
    Kept,
}

/// How often a text is read: once with each form of its statements.
pub(crate) const ROUNDS: usize = FORMS.len();

const FORMS: [Form; 5] = [
    Form::Flash,
    Form::Ports,
    Form::Numbers,
    Form::Bytes,
    Form::Kept,
];

/// The assembler statements of a text, and how each is written now.
pub(crate) struct Assembler<'a> {
    source: &'a Source,
    tokens: Tokens,
    /// The machine's types.
    model: DataModel,
    statements: Vec<(Statement, Form)>,
    /// The places of the replaced statements in the new text.
    replaced: Vec<(Span, usize)>,
}

impl<'a> Assembler<'a> {
    /// The statements of a text. Linear in its length.
    pub fn of(source: &'a Source) -> Assembler<'a> {
        let mut found = Assembler {
            source,
            tokens: Tokens::default(),
            model: DataModel::default(),
            statements: Vec::new(),
            replaced: Vec::new(),
        };
        if source.text.contains("asm") {
            if let Ok(tokens) = Tokens::lex(&source.text, true) {
                let all = statement::all(&source.text, &tokens);
                found.statements = all.into_iter().map(|s| (s, Form::Flash)).collect();
                found.model = DataModel::of_macros(&source.text, &tokens);
                found.tokens = tokens;
            }
        }
        found
    }

    /// The text in which each statement has its form; every line keeps its number. `None` if all are kept.
    pub fn rewritten(&mut self) -> Option<Source> {
        let source = self.source;
        self.replaced.clear();
        let mut edits: Vec<(Span, String, Option<usize>)> = Vec::new();
        for (number, (statement, form)) in self.statements.iter_mut().enumerate() {
            if *form == Form::Flash {
                if let Some(read) = flash::read(statement, &source.text, &self.tokens) {
                    let types = read.types.iter();
                    edits.extend(types.map(|ty| (*ty, read.ty().to_owned(), None)));
                    edits.push((statement.span, read.text, Some(number)));
                    continue;
                }
                next(form);
            }
            if let Some(text) = written(statement, form, &self.model) {
                edits.push((statement.span, text, Some(number)));
            }
        }
        edits.sort_by_key(|(span, ..)| span.start);
        let mut bytes = Vec::with_capacity(source.bytes.len());
        let mut at = 0;
        for (span, text, statement) in edits {
            bytes.extend_from_slice(&source.bytes[at..span.start]);
            let start = bytes.len();
            bytes.extend_from_slice(text.as_bytes());
            let replaced = Span::new(start, bytes.len());
            self.replaced
                .extend(statement.map(|number| (replaced, number)));
            // Ends of lines stay, and the lines that say where the text is from.
            let letters = span.of(&source.text).bytes().zip(span.start..);
            let mut directives = self.tokens.directives_in(span).peekable();
            bytes.extend(letters.filter_map(|(letter, at)| {
                while directives.next_if(|d| d.end <= at).is_some() {}
                let kept = letter == b'\n' || directives.peek().is_some_and(|d| d.contains(at));
                kept.then_some(letter)
            }));
            at = span.end;
        }
        if at == 0 {
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
fn written(statement: &Statement, form: &mut Form, model: &DataModel) -> Option<String> {
    loop {
        let found = match form {
            Form::Ports => ports::in_c(statement, model.int == 16),
            Form::Numbers => instructions::in_c(statement, model, false),
            Form::Bytes => instructions::in_c(statement, model, true),
            Form::Flash | Form::Kept => return None,
        };
        match found {
            Some(text) => return Some(text),
            None => next(form),
        }
    }
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
            let whole = |e| matches!(class(e), Class::Scalar | Class::Pointer);
            whole(*lhs) == whole(*rhs)
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

/// Whether an expression is a `register` variable.
fn in_register(tree: &Tree, e: ExprId) -> bool {
    let object = match tree.exprs[e].kind {
        ExprKind::Ident(Resolved::Object(object)) => object,
        _ => return false,
    };
    tree.objects[object].register
}

/// Whether an expression points to a number or a pointer, so that the compiler accepts an atomic operation on it.
fn is_number(tree: &Tree, object: ExprId) -> bool {
    let Some(of) = tree.types.pointee(tree.exprs[object].ty) else {
        return false;
    };
    let real = matches!(tree.types.get(of), Type::Float(_));
    !real && matches!(tree.types.class(of), Class::Scalar | Class::Pointer)
}
