//! Reads conditions of a specification as C, in the scope of a place of the program.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use lang_c::ast as c;
use lang_c::span::Node;

use crate::diag::Diagnostic;
use crate::lower::{Input, Lower, Lowered};
use crate::parse::{parse_shadow, Unit, STACK};
use crate::registers::places;
use crate::shadow::{Hint, Shadow};
use crate::span::{Arena, ExprId, FunctionId, Id, ObjectId, Offset, ScopeId, Span, StmtId};
use crate::token::{TokenKind, Tokens};
use crate::tree::{Entity, ExprKind, Resolved, Tree};

/// A condition of a specification. Its expressions are in the unit's tree, with spans into `text`
/// and [`Parent::Fragment`](crate::tree::Parent::Fragment) above the outermost one.
#[derive(Clone, Debug)]
pub struct Fragment {
    /// The text of the condition as the specification has it.
    pub text: String,
    /// The whole condition.
    pub expr: ExprId,
    /// The names of objects in the condition, in the order of the text.
    pub names: Vec<FragmentName>,
}

/// A name of an object in a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FragmentName {
    /// The span of the name, with `f::` and `@line`.
    pub span: Span,
    /// The object that the name means.
    pub object: ObjectId,
    /// The identifier expression.
    pub expr: ExprId,
}

/// The place from which names are looked up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// The scope.
    pub scope: ScopeId,
    /// Declarations after this offset are not seen.
    pub offset: Offset,
}

/// A name with the owner and line that say which object it means.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Qualified {
    /// The whole text.
    span: Span,
    /// The text before `::`.
    owner: String,
    /// The name itself.
    name: Span,
    /// The number after `@`.
    line: Option<u32>,
}

const PREFIX: &str = "void ba_fragment(void){";
const SUFFIX: &str = ";}";

impl Unit {
    /// The view from the end of the first file: all of its file scope, nothing else.
    pub fn file_view(&self) -> View {
        View {
            scope: self.tree.file_scope(),
            offset: self.source.text.len(),
        }
    }

    /// The views from the ends of all files.
    pub fn file_views(&self) -> Vec<View> {
        let offset = self.source.text.len();
        let scopes = self.tree.scopes.iter();
        scopes
            .filter(|(_, scope)| scope.parent.is_none())
            .map(|(scope, _)| View { scope, offset })
            .collect()
    }

    /// The view from the beginning of a statement.
    pub fn view_at(&self, stmt: StmtId) -> View {
        let stmt = &self.tree.stmts[stmt];
        View {
            scope: stmt.scope,
            offset: stmt.span.start,
        }
    }

    /// The view from the beginning of a function's body: its parameters and file scope.
    pub fn view_of(&self, function: FunctionId) -> View {
        match &self.tree.functions[function].body {
            Some(body) => View {
                scope: body.scope,
                offset: self.tree.stmts[body.block].span.start,
            },
            None => self.file_view(),
        }
    }

    /// Reads a C expression. Names are looked up from `view`; `f::x` is a variable or parameter of
    /// the function f (the one seen from `view` if that lies in f, else the only one),
    /// `f::x@line` the one declared in that line, `file.c::x` a variable of file scope in that file.
    ///
    /// # Errors
    /// If the text is not one expression, or a name means no single object; with spans into the
    /// text.
    pub fn fragment(&mut self, text: &str, view: View) -> Result<Fragment, Vec<Diagnostic>> {
        let one = |d: Diagnostic| vec![d];
        let (plain, qualified) = self.split_names(text).map_err(one)?;
        let mut bound = Vec::new();
        for name in &qualified {
            let object = self.find(name, text, view).map_err(one)?;
            bound.push((name.name.start, object));
        }
        let (expr, first) = self.read_fragment(&plain, &bound, view)?;
        self.widen(first, &qualified);
        let names = self.names_from(first);
        Ok(Fragment {
            text: text.to_string(),
            expr,
            names,
        })
    }

    /// Like [`Unit::fragment`], for a text without qualified names; `bound` gives the objects that
    /// the identifiers at these offsets mean.
    ///
    /// # Errors
    /// If the text is not one expression; with spans into the text.
    pub fn fragment_with(
        &mut self,
        text: &str,
        bound: &[(Offset, ObjectId)],
        view: View,
    ) -> Result<Fragment, Vec<Diagnostic>> {
        let (expr, first) = self.read_fragment(text, bound, view)?;
        let names = self.names_from(first);
        Ok(Fragment {
            text: text.to_string(),
            expr,
            names,
        })
    }

    fn read_fragment(&mut self, plain: &str, bound: &[(Offset, ObjectId)], view: View) -> Answer {
        let one = |d: Diagnostic| vec![d];
        // Checks that the text alone is balanced: otherwise it could close the function around it.
        Tokens::lex(plain, false).map_err(one)?;
        let full = format!("{PREFIX}{plain}{SUFFIX}");
        let tokens = Tokens::lex(&full, false).map_err(|d| one(shifted(d)))?;
        let bound: HashMap<usize, ObjectId> = bound
            .iter()
            .map(|&(offset, object)| (tokens.at_or_after(offset + PREFIX.len()), object))
            .collect();
        let tree = std::mem::take(&mut self.tree);
        let read = Reader {
            full: &full,
            tokens: &tokens,
            bound: &bound,
            view,
        };
        let (tree, result) = on_large_stack(read, tree);
        self.tree = tree;
        let found = result.map_err(|l| l.into_iter().map(shifted).collect::<Vec<_>>())?;
        self.refuse_addresses(found.1).map_err(one)?;
        Ok(found)
    }

    /// Refuses memory at constant addresses among the expressions that were added last: the registers that the program
    /// accesses are objects, and what it does not access has no value.
    fn refuse_addresses(&self, first: usize) -> Result<(), Diagnostic> {
        for index in first..self.tree.exprs.len() {
            let id = ExprId::from_index(index);
            let expr = &self.tree.exprs[id];
            let place = match &expr.kind {
                ExprKind::Member {
                    base, arrow: true, ..
                } => places::pointed(&self.tree, *base),
                _ => places::object(&self.tree, id),
            };
            if let Some(place) = place.filter(|_| !expr.unevaluated) {
                let message = format!(
                    "the program accesses no register at the address {:#x} by this name, so that its value is not known",
                    place.address
                );
                let help = "name a register as the program does, and one that it accesses";
                return Err(Diagnostic::error(expr.bare, message).help(help));
            }
        }
        Ok(())
    }

    /// Extends the spans of expressions by the owner and the line of qualified names at their ends.
    fn widen(&mut self, first: usize, qualified: &[Qualified]) {
        for index in first..self.tree.exprs.len() {
            let expr = &mut self.tree.exprs[ExprId::from_index(index)];
            for span in [&mut expr.span, &mut expr.bare] {
                for name in qualified {
                    if span.start == name.name.start {
                        span.start = name.span.start;
                    }
                    if span.end == name.name.end {
                        span.end = name.span.end;
                    }
                }
            }
        }
    }

    /// The names of objects among the expressions that were added last.
    fn names_from(&self, first: usize) -> Vec<FragmentName> {
        let mut names = Vec::new();
        for index in first..self.tree.exprs.len() {
            let id = ExprId::from_index(index);
            let expr = &self.tree.exprs[id];
            if let ExprKind::Ident(Resolved::Object(object)) = expr.kind {
                names.push(FragmentName {
                    span: expr.bare,
                    object,
                    expr: id,
                });
            }
        }
        names.sort_by_key(|n| n.span.start);
        names
    }

    // Qualified names ---------------------------------------------------------------------------

    /// Blanks `f::` and `@line`, keeping all offsets.
    fn split_names(&self, text: &str) -> Result<(String, Vec<Qualified>), Diagnostic> {
        let mut bytes = text.as_bytes().to_vec();
        let mut found = Vec::new();
        let mut from = 0;
        while let Some(at) = text[from..].find("::").map(|i| i + from) {
            let name = self.qualified_at(text, at)?;
            for byte in &mut bytes[name.span.start..name.name.start] {
                *byte = b' ';
            }
            for byte in &mut bytes[name.name.end..name.span.end] {
                *byte = b' ';
            }
            from = name.span.end;
            found.push(name);
        }
        match String::from_utf8(bytes) {
            Ok(plain) => Ok((plain, found)),
            // Cannot happen: only whole ASCII characters were replaced.
            Err(_) => Err(Diagnostic::error(
                Span::new(0, text.len()),
                "this is no text",
            )),
        }
    }

    fn qualified_at(&self, text: &str, colons: usize) -> Result<Qualified, Diagnostic> {
        let bytes = text.as_bytes();
        let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80;
        let back = |wanted: &dyn Fn(u8) -> bool| {
            let mut at = colons;
            while at > 0 && wanted(bytes[at - 1]) {
                at -= 1;
            }
            at
        };
        // A file name may contain operators of C. The longer text counts only if there is such a
        // file.
        let wide = back(&|b| word(b) || b"./-+\\".contains(&b));
        let narrow = back(&word);
        let start = match self.is_file(&text[wide..colons]) {
            true => wide,
            false => narrow,
        };
        let forward = |from: usize, wanted: &dyn Fn(u8) -> bool| {
            let mut at = from;
            while at < bytes.len() && wanted(bytes[at]) {
                at += 1;
            }
            at
        };
        let name = Span::new(colons + 2, forward(colons + 2, &word));
        if start == colons || name.is_empty() || bytes[name.start].is_ascii_digit() {
            return Err(Diagnostic::error(
                Span::new(start, (name.end).max(colons + 2)),
                "`::` stands between a function or file and a name",
            ));
        }
        let mut end = name.end;
        let mut line = None;
        if bytes.get(end) == Some(&b'@') {
            let digits = forward(end + 1, &|b| b.is_ascii_digit());
            line = text[end + 1..digits].parse().ok();
            end = digits;
            if line.is_none() {
                let span = Span::new(name.start, end);
                return Err(Diagnostic::error(span, "`@` is followed by a line number"));
            }
        }
        let owner = text[start..colons].to_string();
        Ok(Qualified {
            span: Span::new(start, end),
            owner,
            name,
            line,
        })
    }

    fn is_file(&self, name: &str) -> bool {
        name.contains('.') && self.source.lines.files().iter().any(|f| is_suffix(f, name))
    }

    fn find(&self, name: &Qualified, text: &str, view: View) -> Result<ObjectId, Diagnostic> {
        let wanted = name.name.of(text);
        if self.is_file(&name.owner) {
            return self.find_in_file(name, wanted);
        }
        let Some(function) = self.tree.function_named(&name.owner) else {
            let message = format!("there is no function or file `{}`", name.owner);
            return Err(Diagnostic::error(name.span, message));
        };
        if name.line.is_none() && self.tree.scopes[view.scope].function == Some(function) {
            if let Some(object) = self.tree.visible_at(view.scope, view.offset, wanted) {
                if self.tree.objects[object].function == Some(function) {
                    return Ok(object);
                }
            }
        }
        let of_function = self.tree.objects_of(function).into_iter();
        let named: Vec<ObjectId> = of_function
            .filter(|&o| self.tree.objects[o].name == wanted)
            .collect();
        let what = format!("`{wanted}` in the function `{}`", name.owner);
        self.choose(named, name, &what)
    }

    fn find_in_file(&self, name: &Qualified, wanted: &str) -> Result<ObjectId, Diagnostic> {
        let named = self
            .tree
            .objects
            .iter()
            .filter(|(_, o)| o.name == wanted && self.tree.scopes[o.scope].parent.is_none())
            .filter(|(_, o)| is_suffix(self.source.lines.line(o.name_span.start).0, &name.owner))
            .map(|(id, _)| id)
            .collect();
        self.choose(
            named,
            name,
            &format!("`{wanted}` in the file `{}`", name.owner),
        )
    }

    fn choose(
        &self,
        mut named: Vec<ObjectId>,
        name: &Qualified,
        what: &str,
    ) -> Result<ObjectId, Diagnostic> {
        let line_of = |o: &ObjectId| {
            self.source
                .lines
                .line(self.tree.objects[*o].name_span.start)
                .1
        };
        if let Some(line) = name.line {
            named.retain(|o| line_of(o) == line);
        }
        match named.as_slice() {
            [one] => Ok(*one),
            [] => {
                let place = name.line.map_or(String::new(), |l| format!(" in line {l}"));
                Err(Diagnostic::error(
                    name.span,
                    format!("there is no {what}{place}"),
                ))
            }
            many => {
                let lines: Vec<String> = many.iter().map(|o| line_of(o).to_string()).collect();
                Err(
                    Diagnostic::error(name.span, format!("there are several {what}"))
                        .help(format!("add `@` and one of the lines {}", lines.join(", "))),
                )
            }
        }
    }
}

/// Whether the last components of a path are these.
fn is_suffix(path: &str, suffix: &str) -> bool {
    path.strip_suffix(suffix)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with(['/', '\\']))
}

/// Moves a diagnostic's span from the text with the function around it to the fragment's own text.
fn shifted(mut d: Diagnostic) -> Diagnostic {
    d.span.start = d.span.start.saturating_sub(PREFIX.len());
    d.span.end = d.span.end.saturating_sub(PREFIX.len()).max(d.span.start);
    d
}

/// The inputs of reading a fragment.
struct Reader<'a> {
    full: &'a str,
    tokens: &'a Tokens,
    bound: &'a HashMap<usize, ObjectId>,
    view: View,
}

/// The condition and the first of the expressions that were added, or the errors.
type Answer = Result<(ExprId, usize), Vec<Diagnostic>>;

fn on_large_stack(reader: Reader, tree: Tree) -> (Tree, Answer) {
    let slot = Mutex::new(Some(tree));
    let take = || slot.lock().unwrap_or_else(PoisonError::into_inner).take();
    let answer = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, || reader.read(take().unwrap_or_default()));
        match thread.map(|t| t.join()) {
            Ok(Ok(answer)) => Some(answer),
            // A panic is a bug of baproduct, so it goes on.
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => None,
        }
    });
    answer.unwrap_or_else(|| {
        let d = Diagnostic::error(
            Span::empty(PREFIX.len()),
            "no thread to read a condition with",
        );
        (take().unwrap_or_default(), Err(vec![d]))
    })
}

impl Reader<'_> {
    fn read(&self, tree: Tree) -> (Tree, Answer) {
        let hints = self.types(&tree);
        let parsed = Shadow::make(self.full, self.tokens, &hints)
            .and_then(|s| parse_shadow(self.full, self.tokens, &s).map(|u| (s, u)));
        let (shadow, unit) = match parsed {
            Ok(parsed) => parsed,
            Err(d) => return (tree, Err(vec![d])),
        };
        let Some(node) = condition(&unit) else {
            let span = Span::new(PREFIX.len(), self.full.len() - SUFFIX.len());
            let message = "a condition is one C expression";
            return (tree, Err(vec![Diagnostic::error(span, message)]));
        };
        let (exprs, inits, stmts) = (tree.exprs.len(), tree.inits.len(), tree.stmts.len());
        let input = Input {
            text: self.full,
            tokens: self.tokens,
            shadow: &shadow,
            lines: None,
        };
        let mut lower = Lower::new(input, tree);
        lower.view = Some(self.view.offset);
        lower.bound = self.bound.clone();
        let (id, lowered) = lower.condition(node, self.view.scope);
        let Lowered {
            mut tree,
            mut diagnostics,
            hints,
            ..
        } = lowered;
        shift(&mut tree.exprs, exprs, |e| [&mut e.span, &mut e.bare]);
        shift(&mut tree.inits, inits, |i| [&mut i.span]);
        let span = Span::new(PREFIX.len(), self.full.len() - SUFFIX.len());
        if tree.stmts.len() > stmts {
            diagnostics.push(Diagnostic::error(
                span,
                "a condition contains no statements",
            ));
        }
        if diagnostics.is_empty() && !hints.is_empty() {
            diagnostics.push(Diagnostic::error(
                span,
                "a type stands where a value is expected",
            ));
        }
        let answer = if diagnostics.is_empty() {
            Ok((id, exprs))
        } else {
            Err(diagnostics)
        };
        (tree, answer)
    }

    /// The tokens that name types.
    fn types(&self, tree: &Tree) -> HashMap<usize, Hint> {
        let mut hints = HashMap::new();
        for (index, token) in self.tokens.tokens.iter().enumerate() {
            let before = index
                .checked_sub(1)
                .map_or("", |i| self.tokens.text(i, self.full));
            if token.kind != TokenKind::Word
                || matches!(before, "." | "->" | "struct" | "union" | "enum")
                || self.bound.contains_key(&index)
            {
                continue;
            }
            let name = token.span.of(self.full);
            if let Some(Entity::Typedef(_)) = tree.lookup(self.view.scope, self.view.offset, name) {
                hints.insert(index, Hint::Type);
            }
        }
        hints
    }
}

/// Moves the spans of new nodes from the text with the function around it to the fragment's.
fn shift<I: Id, T, const N: usize>(
    arena: &mut Arena<I, T>,
    from: usize,
    spans: impl Fn(&mut T) -> [&mut Span; N],
) {
    for index in from..arena.len() {
        for span in spans(&mut arena[I::from_index(index)]) {
            span.start = span.start.saturating_sub(PREFIX.len());
            span.end = span.end.saturating_sub(PREFIX.len());
        }
    }
}

/// The single expression statement of the single function.
fn condition(unit: &c::TranslationUnit) -> Option<&Node<c::Expression>> {
    let [item] = unit.0.as_slice() else {
        return None;
    };
    let c::ExternalDeclaration::FunctionDefinition(def) = &item.node else {
        return None;
    };
    let c::Statement::Compound(items) = &def.node.statement.node else {
        return None;
    };
    let [item] = items.as_slice() else {
        return None;
    };
    match &item.node {
        c::BlockItem::Statement(s) => match &s.node {
            c::Statement::Expression(Some(e)) => Some(e),
            _ => None,
        },
        _ => None,
    }
}
