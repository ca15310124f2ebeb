//! Emits the part of the user's program that stays, with the necessary changes.

use std::collections::BTreeSet;

use cfront::span::ObjectId;
use cfront::tree::{ExprKind, Item as TreeItem, Resolved, Storage};
use cfront::{Diagnostic, FunctionId, Span};

use crate::lower::bounds::is_long;
use crate::lower::texts::{bounded_in_function, counted_in_function, mentioned, replaced_function};
use crate::lower::variables::static_name;
use crate::models;
use crate::print::{print, Patch};
use crate::synctypes;
use crate::written::Emit;

impl Emit<'_, '_> {
    /// The functions whose bodies stay.
    pub(super) fn kept(&self) -> BTreeSet<FunctionId> {
        let tree = self.facts.tree;
        let mut work: Vec<FunctionId> = self.lowered.kept.iter().copied().collect();
        let hooks = &self.options.hooks;
        let lasso = self.options.lasso.iter();
        let of_lasso = lasso.flat_map(|l| [&l.saved, &l.again]);
        for hook in [&hooks.over, &hooks.cut, &hooks.stopped]
            .into_iter()
            .chain(of_lasso)
        {
            work.extend(tree.function_named(hook));
        }
        let bodies: Vec<Span> = tree.defined_functions().map(|(_, _, b)| b.span).collect();
        for ident in self
            .facts
            .idents_in(Span::new(0, self.facts.unit.text().len()))
        {
            let at = tree.exprs[ident].bare.start;
            if let ExprKind::Ident(Resolved::Function(f)) = tree.exprs[ident].kind {
                let after = bodies.partition_point(|b| b.end <= at);
                if bodies.get(after).is_none_or(|b| b.start > at) {
                    work.push(f);
                }
            }
        }
        let mut kept = BTreeSet::new();
        while let Some(f) = work.pop() {
            let Some(body) = tree.functions[f].body.as_ref() else {
                continue;
            };
            if tree.functions[f].in_system_header || !kept.insert(f) {
                continue;
            }
            if self.lowered.only_named.contains(&f) {
                continue;
            }
            for ident in self.facts.idents_in(body.span) {
                if let ExprKind::Ident(Resolved::Function(g)) = tree.exprs[ident].kind {
                    work.push(g);
                }
            }
        }
        kept
    }

    pub(super) fn program(&mut self, _threads: &str) {
        let tree = self.facts.tree;
        let kept = self.kept();
        let items: Vec<FunctionId> = tree
            .items
            .iter()
            .filter_map(|item| match item {
                TreeItem::Function(f) => Some(*f),
                TreeItem::Decl(_) => None,
            })
            .collect();
        for f in items {
            let function = &tree.functions[f];
            let Some(body) = &function.body else { continue };
            if function.in_system_header {
                continue;
            }
            let types = self.facts.local_types.declared_by(f);
            if !types.is_empty() {
                self.insert(body.span.start, -1, types);
            }
            self.statics_of(f, body.span.start);
            if kept.contains(&f) && self.lowered.only_named.contains(&f) {
                let block = tree.stmts[body.block].span;
                self.insert(block.start, 0, "{ __builtin_unreachable(); } /* ");
                self.insert(block.end, -1, " */");
                self.dropped.push(block);
            } else if kept.contains(&f) {
                self.keep(f);
            } else if function.name == "main" || body.old_style {
                self.insert(body.span.start, 1, "/* ");
                self.insert(body.span.end, -1, " */");
                self.dropped.push(body.span);
            } else {
                let block = tree.stmts[body.block].span;
                // Without its body, CBMC does not read a function whose type is left out.
                let text = self.facts.unit.text_of(body.span);
                if text.starts_with(&format!("{} ", function.name))
                    || text.starts_with(&format!("{}(", function.name))
                {
                    self.insert(body.span.start, 1, "int ");
                }
                self.insert(block.start, 0, "; /* ");
                self.insert(block.end, -1, " */");
                self.dropped.push(block);
            }
        }
        self.thread_locals();
        self.sync_types();
    }

    /// Adapts the text of a function that stays.
    pub(super) fn keep(&mut self, f: FunctionId) {
        let tree = self.facts.tree;
        let Some(body) = &tree.functions[f].body else {
            return;
        };
        let assemblers: Vec<_> = self.facts.assemblers_in(body.span).collect();
        for stmt in assemblers {
            let span = tree.stmts[stmt].span;
            if self.options.steps {
                self.errors.push(Diagnostic::error(span, super::UNKNOWN));
            }
            self.warnings
                .push(Diagnostic::warning(span, super::LEFT_OUT));
            self.insert(span.start, -2, "{ BA_SEQ_LOST((unsigned)-1); ");
            self.insert(span.end, 2, " }");
        }
        // Its static variables are declared before it.
        let is_static = |o: ObjectId| tree.objects[o].storage == Storage::StaticLocal;
        let types = match tree.objects_of(f).into_iter().any(is_static) {
            true => self.facts.local_types.taken_from_file_scope(body.span),
            false => Vec::new(),
        };
        for (span, name) in &types {
            self.replace(*span, name);
        }
        let idents: Vec<_> = self.facts.idents_in(body.span).collect();
        for ident in idents {
            let span = tree.exprs[ident].bare;
            if types.iter().any(|(replaced, _)| replaced.encloses(span)) {
                continue;
            }
            if self.options.turns() {
                if let Some(name) = crate::allocations::replaced(self.facts, self.options, ident) {
                    self.replace(span, &name);
                    continue;
                }
            }
            match tree.exprs[ident].kind {
                ExprKind::Ident(Resolved::Object(o)) => {
                    let Some(name) = static_name(self.facts, o) else {
                        continue;
                    };
                    let name = match tree.objects[o].thread_local {
                        true => format!("{name}[ba_seq_now]"),
                        false => name,
                    };
                    self.replace(span, &name);
                }
                ExprKind::Ident(Resolved::Function(g)) => {
                    if let Some(name) = replaced_function(self.facts, g) {
                        self.errors.extend(mentioned(self.facts, ident, name));
                        self.replace(span, name);
                    }
                }
                _ => {}
            }
        }
        self.check_pointers(body.span);
        let mut sizes = std::mem::take(&mut self.sizes);
        let bounded = bounded_in_function(self.facts, self.options, body.span, &mut sizes);
        self.sizes = sizes;
        for (span, text) in bounded {
            self.bounds_memory = true;
            if !span.is_empty() {
                self.replace(span, &text);
                continue;
            }
            let order = if text.starts_with(')') { -1 } else { -3 };
            self.insert(span.start, order, text);
        }
        let mut loops = self.facts.loops_in(body.span);
        self.goes_further |= loops.any(|l| is_long(self.facts, self.options, l));
        let counted = counted_in_function(self.facts, self.options, body.span);
        if let Some((span, _)) = counted.first() {
            let message = "runs in which this loop would go on behind its bound are left out: it turns in a section of one step, where no thread can be cut";
            self.warnings.push(Diagnostic::warning(*span, message));
        }
        for (span, text) in counted {
            let order = if text.starts_with(' ') { -2 } else { -1 };
            self.insert(span.start, order, text);
        }
    }

    /// Declares the static variables of a function before it.
    pub(super) fn statics_of(&mut self, f: FunctionId, at: usize) {
        let tree = self.facts.tree;
        for object in tree.objects_of(f) {
            let o = &tree.objects[object];
            if o.storage != Storage::StaticLocal {
                continue;
            }
            let Some(name) = static_name(self.facts, object) else {
                continue;
            };
            let Some(mut declaration) = self.declared_static(object, &name) else {
                let message = format!(
                    "the type of `{}` cannot be written outside its block",
                    o.name
                );
                self.errors.push(Diagnostic::error(o.declarator, message));
                continue;
            };
            if let Some(init) = o.init {
                let span = tree.inits[init].span;
                let mut patches = self.static_names(span);
                patches.extend(self.own_names(f, span));
                let text = print(self.facts, span, patches);
                declaration.push_str(&self.first_value(object, text));
            }
            self.insert(at, 0, format!("static {declaration}; "));
        }
    }

    /// The declaration of a static object, or of all copies of a thread-local one; `None` if its type cannot be written.
    fn declared_static(&self, object: ObjectId, name: &str) -> Option<String> {
        let o = &self.facts.tree.objects[object];
        let ty = o.ty.unqualified();
        let types = &self.facts.local_types.types;
        match o.thread_local {
            true => types.declare_where(ty, &format!("{name}[{}]", self.copies()), &|_| true),
            false => types.declare_where(ty, name, &|_| true),
        }
    }

    /// The first value of a static object, or of each copy of a thread-local one, behind the declaration.
    fn first_value(&self, object: ObjectId, text: String) -> String {
        match self.facts.tree.objects[object].thread_local {
            true => format!(" = {{ {} }}", vec![text; self.copies()].join(", ")),
            false => format!(" = {text}"),
        }
    }

    /// Replaces `__func__` and the like in an initializer that stands outside its function then.
    fn own_names(&self, f: FunctionId, span: Span) -> Vec<Patch> {
        let unit = &self.facts.unit;
        let name = format!("\"{}\"", self.facts.tree.functions[f].name);
        let words = unit.tokens.tokens[unit.tokens.at_or_after(span.start)..].iter();
        let within = words
            .map(|token| token.span)
            .take_while(|word| word.end <= span.end);
        let is_own = |word: &Span| {
            let text = unit.text_of(*word);
            matches!(text, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__")
        };
        within
            .filter(is_own)
            .map(|word| (word, name.clone()))
            .collect()
    }

    /// Replaces the names of static variables in the initializer of one.
    fn static_names(&self, span: Span) -> Vec<Patch> {
        let tree = self.facts.tree;
        let named = |ident| match tree.exprs[ident].kind {
            ExprKind::Ident(Resolved::Object(o)) => {
                Some((tree.exprs[ident].bare, static_name(self.facts, o)?))
            }
            _ => None,
        };
        self.facts.idents_in(span).filter_map(named).collect()
    }

    /// Gives each thread its own copy of a thread-local object.
    pub(super) fn thread_locals(&mut self) {
        let tree = self.facts.tree;
        let all: Vec<ObjectId> = tree.objects.ids().collect();
        for object in all {
            let o = &tree.objects[object];
            if !o.thread_local || o.in_system_header || o.function.is_some() {
                continue;
            }
            let (Some(name), Some(decl)) = (static_name(self.facts, object), o.decls.last()) else {
                continue;
            };
            let Some(mut declaration) = self.declared_static(object, &name) else {
                continue;
            };
            if let Some(init) = o.init {
                let text = print(self.facts, tree.inits[init].span, Vec::new());
                declaration.push_str(&self.first_value(object, text));
            }
            let at = tree.decls[*decl].span.end;
            self.insert(at, 0, format!(" static {declaration};"));
        }
    }

    /// Replaces the members of the library's types by those of the models, and adapts initializers.
    pub(super) fn sync_types(&mut self) {
        let facts = self.facts;
        let set = models::set_of(self.lowered.threads.len());
        let more = match facts.mutex_kinds {
            true => models::MUTEX_MORE,
            false => "",
        };
        let shares = match facts.asks {
            true => models::share_member(self.lowered.threads.len()),
            false => String::new(),
        };
        for (name, members) in models::MEMBERS {
            let Some(record) = synctypes::record(facts.tree, name) else {
                continue;
            };
            let Some((keyword, inside)) = synctypes::body(facts.unit, record) else {
                continue;
            };
            if facts.tree.types.records[record].is_union {
                self.replace(keyword, "struct");
            }
            let members = members
                .replace("BA_SEQ_SET", set)
                .replace(" BA_SEQ_COUNTS", &shares)
                .replace(" BA_SEQ_MORE", more);
            self.insert(inside.start, 1, format!(" {members} /* "));
            self.insert(inside.end, -1, " */ ");
        }
        for (span, text) in &facts.sync_inits {
            if !self.is_dropped(*span) {
                self.replace(*span, text);
            }
        }
    }
}
