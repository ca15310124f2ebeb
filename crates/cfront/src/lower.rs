//! Lowers lang-c's tree to ours: ids, exact spans, scopes, resolved names and types.

mod assembler;
mod builtins;
mod decl;
mod expr;
mod init;
mod marks;
mod params;
mod specs;
mod stmt;
pub(crate) mod typing;

use std::cell::OnceCell;
use std::collections::HashMap;

use lang_c::ast as c;
use lang_c::span::{Node, Span as CSpan};

use crate::diag::Diagnostic;
use crate::layout::Otherwise;
use crate::linemap::{LineMap, RegionKind};
use crate::shadow::{token_span, Hint, Shadow};
use crate::span::{ExprId, FunctionId, ObjectId, Offset, ScopeId, Span};
use crate::token::{too_deep, Tokens};
use crate::tree::{Entity, Item, Parent, Scope, Tag, Tree};
use crate::types::{QualType, Type};

/// Deepest nesting of statements and expressions in a tree: `a + b + …` is as deep as it has terms.
/// A recursive walk over a tree needs a stack of [`crate::WALK_STACK`] for this depth.
pub const MAX_DEPTH: usize = 50_000;

/// Errors after which reading stops.
const MAX_ERRORS: usize = 50;

/// The inputs of lowering.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub text: &'a str,
    pub tokens: &'a Tokens,
    pub shadow: &'a Shadow,
    /// The line map of the text; `None` for fragments.
    pub lines: Option<&'a LineMap>,
}

/// Entities with external linkage by name: files that are linked together share them.
#[derive(Debug, Default)]
pub(crate) struct Externals {
    objects: HashMap<String, ObjectId>,
    functions: HashMap<String, FunctionId>,
}

/// The results of lowering.
pub(crate) struct Lowered {
    pub tree: Tree,
    /// The entities that this file and the files before it share with the next.
    pub externals: Externals,
    pub diagnostics: Vec<Diagnostic>,
    /// Tokens that lang-c wrongly took for types, or wrongly for other names. If there are any, the
    /// tree is worthless and the text has to be parsed again.
    pub hints: HashMap<usize, Hint>,
}

/// The state of lowering.
pub(crate) struct Lower<'a> {
    input: Input<'a>,
    pub tree: Tree,
    pub diagnostics: Vec<Diagnostic>,
    pub hints: HashMap<usize, Hint>,
    scope: ScopeId,
    /// The outermost scope of the file.
    file_scope: ScopeId,
    externals: Externals,
    function: Option<FunctionId>,
    /// Whether the position is inside an operand that is not evaluated.
    unevaluated: bool,
    depth: usize,
    /// Objects with linkage, and functions, by name.
    linked: HashMap<String, ObjectId>,
    functions: HashMap<String, FunctionId>,
    /// Tokens of a fragment with given objects (`f::x`).
    pub bound: HashMap<usize, ObjectId>,
    /// In a fragment, the offset in the unit from which names are looked up.
    pub view: Option<Offset>,
    /// What may lay structures out otherwise, if it was asked.
    otherwise: OnceCell<Otherwise<'a>>,
}

impl<'a> Lower<'a> {
    pub fn new(input: Input<'a>, tree: Tree) -> Lower<'a> {
        Lower {
            input,
            tree,
            diagnostics: Vec::new(),
            hints: HashMap::new(),
            scope: crate::span::Id::from_index(0),
            file_scope: crate::span::Id::from_index(0),
            externals: Externals::default(),
            function: None,
            unevaluated: false,
            depth: 0,
            linked: HashMap::new(),
            functions: HashMap::new(),
            bound: HashMap::new(),
            view: None,
            otherwise: OnceCell::new(),
        }
    }

    /// Sets the entities of the files that were read before into the same tree.
    pub fn linked_to(mut self, externals: Externals) -> Lower<'a> {
        self.externals = externals;
        self
    }

    fn open_file(&mut self) {
        let tokens = &self.input.tokens.tokens;
        let start = tokens.first().map_or(0, |t| t.span.start);
        let end = tokens.last().map_or(self.input.text.len(), |t| t.span.end);
        self.file_scope = self.tree.scopes.push(Scope {
            parent: None,
            function: None,
            span: Span::new(start, end),
            names: HashMap::new(),
            tags: HashMap::new(),
        });
        self.scope = self.file_scope;
    }

    /// The entities that this file shares with the next.
    fn shared(&mut self) -> Externals {
        let mut shared = std::mem::take(&mut self.externals);
        for (name, object) in self.linked.drain() {
            if self.tree.objects[object].storage == crate::tree::Storage::Global {
                shared.objects.insert(name, object);
            }
        }
        for (name, function) in self.functions.drain() {
            if !self.tree.functions[function].is_static {
                shared.functions.insert(name, function);
            }
        }
        shared
    }

    /// Lowers a whole unit.
    pub fn unit(mut self, unit: &c::TranslationUnit) -> Lowered {
        self.open_file();
        self.assembler_words();
        for item in &unit.0 {
            if self.diagnostics.len() > MAX_ERRORS {
                break;
            }
            match &item.node {
                c::ExternalDeclaration::Declaration(decl) => {
                    let id = self.declaration(decl, Parent::File);
                    self.tree.items.push(Item::Decl(id));
                }
                c::ExternalDeclaration::StaticAssert(_) => {}
                c::ExternalDeclaration::FunctionDefinition(def) => {
                    if let Some(id) = self.function_definition(def) {
                        self.tree.items.push(Item::Function(id));
                    }
                }
            }
        }
        Lowered {
            externals: self.shared(),
            tree: self.tree,
            diagnostics: self.diagnostics,
            hints: self.hints,
        }
    }

    /// Lowers the condition of a fragment, with names looked up from a scope.
    pub fn condition(mut self, node: &Node<c::Expression>, scope: ScopeId) -> (ExprId, Lowered) {
        self.scope = scope;
        self.function = self.tree.scopes[scope].function;
        let id = self.expr(node, Parent::Fragment);
        let lowered = Lowered {
            externals: Externals::default(),
            tree: self.tree,
            diagnostics: self.diagnostics,
            hints: self.hints,
        };
        (id, lowered)
    }

    // Places ------------------------------------------------------------------------------------

    /// The real tokens (first, last) of a node; `None` if the shadow inserted it.
    fn range(&self, span: CSpan) -> Option<(usize, usize)> {
        let (first, last) = self.input.shadow.real_range(span.start, span.end)?;
        // The shadow has only the name of a builtin that takes types.
        let is_alone = matches!(
            self.word(last),
            "__builtin_convertvector" | "__builtin_has_attribute"
        );
        match self.word(last + 1) {
            "(" if is_alone => Some((first, self.input.tokens.mates[last + 1] as usize)),
            _ => Some((first, last)),
        }
    }

    /// The real span of a node. An inserted node has an empty span at its position.
    fn span(&self, span: CSpan) -> Span {
        match self.range(span) {
            Some((first, last)) => token_span(self.input.tokens, first, last),
            None => match self.input.shadow.origin(span.start) {
                Some(o) => Span::empty(self.token_start(o.token)),
                None => Span::empty(0),
            },
        }
    }

    /// The real span of a node, with the attributes and `__extension__` before it.
    fn span_with_prefix(&self, span: CSpan) -> Span {
        let real = self.span(span);
        let Some((first, _)) = self.range(span) else {
            return real;
        };
        match self.input.shadow.dropped_before(first) {
            Some(d) if d.prefix && !self.belongs_to_label(d.first as usize, d.fallthrough) => {
                Span::new(self.token_start(d.first as usize), real.end)
            }
            _ => real,
        }
    }

    /// Whether the dropped prefix is an attribute of the label before it.
    fn belongs_to_label(&self, first: usize, fallthrough: bool) -> bool {
        !fallthrough && first.checked_sub(1).is_some_and(|i| self.word(i) == ":")
    }

    fn token_start(&self, token: usize) -> Offset {
        self.input
            .tokens
            .tokens
            .get(token)
            .map_or(self.input.text.len(), |t| t.span.start)
    }

    fn token_end(&self, token: usize) -> Offset {
        self.input
            .tokens
            .tokens
            .get(token)
            .map_or(self.input.text.len(), |t| t.span.end)
    }

    /// The first real token of a node; for an inserted node, the token after it.
    fn first(&self, span: CSpan) -> usize {
        self.input.shadow.origin(span.start).map_or(0, |o| o.token)
    }

    fn inserted(&self, span: CSpan) -> bool {
        self.input
            .shadow
            .origin(span.start)
            .is_some_and(|o| o.inserted)
    }

    /// The text of a real token.
    fn word(&self, token: usize) -> &'a str {
        self.input.tokens.text(token, self.input.text)
    }

    /// The text of the token that a node begins with.
    fn first_word(&self, span: CSpan) -> &'a str {
        self.word(self.first(span))
    }

    /// Text, span and token of an identifier in the real text.
    fn name(&self, node: &Node<c::Identifier>) -> (&'a str, Span, usize) {
        let token = self.first(node.span);
        (
            self.word(token),
            token_span(self.input.tokens, token, token),
            token,
        )
    }

    fn next(&self, token: usize) -> usize {
        self.input
            .shadow
            .next_kept(token)
            .unwrap_or(self.input.tokens.tokens.len())
    }

    fn mate(&self, token: usize) -> usize {
        self.input
            .tokens
            .mates
            .get(token)
            .map_or(token, |&m| m as usize)
    }

    fn in_system_header(&self, at: Offset) -> bool {
        self.input
            .lines
            .is_some_and(|l| l.kind(at) == RegionKind::System)
    }

    // Messages ----------------------------------------------------------------------------------

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(span, message));
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        // One message for each place: errors that follow from an error are left out.
        if !self.diagnostics.iter().any(|d| d.span == diagnostic.span) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Runs `inner` one level deeper, or reports that the nesting is too deep.
    fn deeper<T>(&mut self, span: CSpan, inner: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            let diagnostic = too_deep(self.span(span));
            self.report(diagnostic);
            return None;
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        Some(result)
    }

    // Scopes ------------------------------------------------------------------------------------

    /// Opens a scope within the current one.
    fn open_scope(&mut self, span: Span) -> ScopeId {
        let scope = self.tree.scopes.push(Scope {
            parent: Some(self.scope),
            function: self.function,
            span,
            names: HashMap::new(),
            tags: HashMap::new(),
        });
        self.scope = scope;
        scope
    }

    fn close_scope(&mut self) {
        if let Some(parent) = self.tree.scopes[self.scope].parent {
            self.scope = parent;
        }
    }

    fn at_file_scope(&self) -> bool {
        self.scope == self.file_scope
    }

    fn lookup(&self, name: &str) -> Option<Entity> {
        self.tree
            .lookup(self.scope, self.view.unwrap_or(usize::MAX), name)
    }

    fn lookup_here(&self, name: &str) -> Option<Entity> {
        self.tree.scopes[self.scope]
            .names
            .get(name)
            .and_then(|l| l.last())
            .map(|(_, e)| *e)
    }

    fn declare(&mut self, name: &str, from: Offset, entity: Entity) {
        let list = self.tree.scopes[self.scope]
            .names
            .entry(name.to_string())
            .or_default();
        if list.last().is_none_or(|(_, e)| *e != entity) {
            list.push((from, entity));
        }
    }

    fn lookup_tag(&self, name: &str) -> Option<Tag> {
        self.tree
            .lookup_tag(self.scope, self.view.unwrap_or(usize::MAX), name)
    }

    /// Records that a token names a type, which lang-c did not know.
    fn hint_type(&mut self, token: usize) {
        self.hints.insert(token, Hint::Type);
    }

    /// Records that a name does not name a type, from a token to the end of the declaring scope.
    fn hint_ordinary(&mut self, token: usize) {
        let name = self.word(token);
        let mut at = Some(self.scope);
        let mut end = self.token_end(token);
        while let Some(id) = at {
            let scope = &self.tree.scopes[id];
            if scope.names.contains_key(name) {
                end = scope.span.end.max(end);
                break;
            }
            at = scope.parent;
        }
        let tokens = &self.input.tokens.tokens;
        for (index, other) in tokens.iter().enumerate().skip(token) {
            if other.span.start >= end {
                break;
            }
            if other.span.of(self.input.text) == name {
                self.hints.insert(index, Hint::Ordinary);
            }
        }
    }

    fn plain(&mut self, ty: Type) -> QualType {
        self.tree.types.plain(ty)
    }

    fn unknown(&self) -> QualType {
        self.tree.types.unknown()
    }
}
