//! Lowers declarations in blocks: variables with an initializer, without one, and arrays of
//! variable length.

use cfront::tree::{Entity, ExprKind, InitKind, Parent, StmtKind, Storage};
use cfront::types::{ArrayLen, Type};
use cfront::{DeclId, ExprId, Memory, ObjectId, Span};

use crate::library::Call;
use crate::lower::exprs::{enclosed, Needs};
use crate::lower::Lower;
use crate::print::Patch;

impl Lower<'_, '_> {
    /// Lowers a declaration in a block.
    pub(in crate::lower) fn declaration(&mut self, decl: DeclId) {
        if !self.env.reachable {
            return;
        }
        let d = &self.facts.tree.decls[decl];
        if d.is_typedef {
            return;
        }
        for declared in &d.declared {
            let Entity::Object(object) = declared.entity else {
                continue;
            };
            let o = &self.facts.tree.objects[object];
            if o.storage != Storage::Local {
                continue;
            }
            let name = self.variable(object);
            let is_variable = matches!(
                self.facts.tree.type_of(o.ty),
                Type::Array(_, ArrayLen::Variable)
            );
            if is_variable {
                self.allocate(decl, object, &name);
                continue;
            }
            match declared.init.map(|i| self.facts.tree.inits[i].kind.clone()) {
                None => self.undefine(object, &name, d.span),
                Some(InitKind::Expr(e)) if !self.is_array(object) => {
                    let known = self.outcome(e);
                    let pointer = self.made_here(o.ty, e);
                    self.initial_value(&name, e);
                    self.know(object, known);
                    self.know_pointer(object, pointer);
                }
                Some(_) => {
                    if let Some(init) = declared.init {
                        self.initialise(object, &name, init);
                    }
                }
            }
        }
    }

    fn is_array(&self, object: ObjectId) -> bool {
        let ty = self.facts.tree.objects[object].ty;
        matches!(self.facts.tree.type_of(ty), Type::Array(..))
    }

    fn initial_value(&mut self, name: &str, e: ExprId) {
        let span = self.facts.tree.exprs[e].span;
        let accesses = self.accesses.of_expr(e);
        if self.needs(span, &accesses) == Needs::Splitting {
            let value = self.value(e);
            self.text(format!("{name} = {value};"), span, Vec::new());
            return;
        }
        let accesses = self.with_calls(accesses, span);
        let value = self.printed(e);
        self.text(format!("{name} = {value};"), span, accesses);
    }

    /// Lowers an initializer list, or a string that initialises an array.
    fn initialise(&mut self, object: ObjectId, name: &str, init: cfront::InitId) {
        let tree = self.facts.tree;
        let span = tree.inits[init].span;
        let mut exprs = Vec::new();
        tree.init_exprs(init, &mut exprs);
        let mut patches: Vec<Patch> = Vec::new();
        for e in exprs {
            let at = tree.exprs[e].span;
            let accesses = self.accesses.of_expr(e);
            if self.needs(at, &accesses) != Needs::Nothing {
                let value = self.value(e);
                patches.push((at, value));
            }
        }
        let text = self.print(span, patches);
        self.forget_written(span);
        self.forget(object);
        self.env.handles.lose(Memory::Object(object));
        let Some(declaration) = self.declare_object(object, "ba_seq_v") else {
            return;
        };
        self.text(
            format!("{{ {declaration} = {text}; {} }}", self.copy(object, name)),
            span,
            Vec::new(),
        );
    }

    /// Assigns `ba_seq_v` to a variable; an array is copied element by element.
    fn copy(&self, object: ObjectId, name: &str) -> String {
        let (heads, part) = self.elements(object, name);
        let index = part.strip_prefix(name).unwrap_or_default();
        format!("{heads}{part} = ba_seq_v{index};")
    }

    /// Heads of loops over the elements of a variable, and the element; the variable itself if it is
    /// no array.
    fn elements(&self, object: ObjectId, name: &str) -> (String, String) {
        let mut ty = self.facts.tree.objects[object].ty;
        let (mut heads, mut part, mut depth) = (String::new(), name.to_owned(), 0);
        while let Type::Array(of, _) = *self.facts.tree.type_of(ty) {
            let i = format!("ba_seq_i{depth}");
            heads.push_str(&format!(
                "for (unsigned {i} = 0; {i} < sizeof {part} / sizeof {part}[0]; {i}++) "
            ));
            part.push_str(&format!("[{i}]"));
            (ty, depth) = (of, depth + 1);
        }
        (heads, part)
    }

    /// Gives a variable without initializer any value, unless it is assigned before it is read.
    fn undefine(&mut self, object: ObjectId, name: &str, span: Span) {
        self.forget(object);
        self.env.handles.begin(Memory::Object(object));
        let tree = self.facts.tree;
        let is_list = matches!(tree.type_of(tree.objects[object].ty), Type::VaList);
        let assigned = self.is_assigned_first(object) || self.options.assigned.contains(&object);
        if is_list || assigned || self.is_for_nothing(object) {
            return;
        }
        if self.options.steps {
            return self.undefine_elements(object, name, span);
        }
        let Some(declaration) = self.declare_object(object, "ba_seq_v") else {
            return;
        };
        let copy = self.copy(object, name);
        self.text(format!("{{ {declaration}; {copy} }}"), span, Vec::new());
    }

    /// Gives a variable any value element by element: engines for sequential programs choose the
    /// values of integers where they are declared, not those of arrays.
    fn undefine_elements(&mut self, object: ObjectId, name: &str, span: Span) {
        let mut ty = self.stored(self.facts.tree.objects[object].ty);
        while let Type::Array(of, _) = *self.facts.tree.type_of(ty) {
            ty = of;
        }
        let Some(declaration) = self.declare(ty, "ba_seq_v") else {
            return;
        };
        let (heads, part) = self.elements(object, name);
        let text = format!("{{ {heads}{{ {declaration}; {part} = ba_seq_v; }} }}");
        let ops = |of: &Self| of.out.threads[of.thread as usize].ops.len();
        let before = ops(self);
        self.text(text, span, Vec::new());
        let ops = &mut self.out.threads[self.thread as usize].ops;
        if let (true, Some(op)) = (ops.len() > before, ops.last_mut()) {
            op.undefines = Some(name.to_owned());
        }
    }

    /// Whether only calls get the object that do nothing with it here, as with the attributes of threads.
    fn is_for_nothing(&self, object: ObjectId) -> bool {
        let tree = self.facts.tree;
        let around = |e: ExprId| match tree.exprs[e].parent {
            Parent::Expr(parent) => Some(parent),
            _ => None,
        };
        let left_out = |ident: ExprId| {
            let address = around(ident)?;
            let call = around(address)?;
            let ExprKind::Call { args, .. } = &tree.exprs[call].kind else {
                return None;
            };
            let argument = args.iter().position(|&a| a == address)?;
            let does_nothing = match self.facts.library(call)? {
                Call::Nothing | Call::Register | Call::Unregister => true,
                Call::Create(handle, function, value) => {
                    ![handle, function, value].contains(&argument)
                }
                _ => false,
            };
            let is_address = matches!(
                tree.exprs[address].kind,
                ExprKind::AddressOf(_) | ExprKind::Member { arrow: false, .. }
            );
            Some(is_address && does_nothing)
        };
        let mut uses = self.facts.idents_of(object);
        uses.all(|ident| left_out(ident) == Some(true))
    }

    /// Whether the first use of an object after its declaration assigns it, in the same block.
    fn is_assigned_first(&self, object: ObjectId) -> bool {
        let tree = self.facts.tree;
        let o = &tree.objects[object];
        if o.is_static_duration()
            || !matches!(
                tree.types.class(o.ty),
                cfront::types::Class::Scalar | cfront::types::Class::Pointer
            )
        {
            return false;
        }
        let scope = tree.scopes[o.scope].span;
        let rest = Span::new(o.declarator.end, scope.end);
        let first = self.facts.idents_in(rest).find(|&i| {
            matches!(&tree.exprs[i].kind, ExprKind::Ident(cfront::tree::Resolved::Object(x)) if *x == object)
        });
        let Some(first) = first else {
            return true;
        };
        let Parent::Expr(assignment) = tree.exprs[first].parent else {
            return false;
        };
        if cfront::access::usage(tree, first) != cfront::access::Use::Write {
            return false;
        }
        let Parent::Stmt(stmt) = tree.exprs[assignment].parent else {
            return false;
        };
        let rhs_reads = match &tree.exprs[assignment].kind {
            ExprKind::Assign { rhs, .. } => self
                .facts
                .idents_in(tree.exprs[*rhs].span)
                .any(|i| matches!(&tree.exprs[i].kind, ExprKind::Ident(cfront::tree::Resolved::Object(x)) if *x == object)),
            _ => true,
        };
        let in_block = match &tree.stmts[stmt].kind {
            StmtKind::Expr(_) => tree.stmts[stmt].scope == o.scope,
            StmtKind::For { init, .. } => {
                tree.stmts[stmt].scope == o.scope
                    && matches!(init, cfront::tree::ForInit::Expr(e) if *e == assignment)
            }
            _ => false,
        };
        let direct = match tree.stmts[stmt].parent {
            Parent::Stmt(block) => {
                matches!(tree.stmts[block].kind, StmtKind::Compound { .. })
            }
            _ => false,
        };
        in_block && direct && !rhs_reads
    }

    /// Allocates memory for an array of variable length.
    fn allocate(&mut self, decl: DeclId, object: ObjectId, name: &str) {
        let tree = self.facts.tree;
        let span = tree.decls[decl].span;
        let lengths = &tree.decls[decl].type_exprs;
        let (Type::Array(of, _), [length]) =
            (tree.type_of(tree.objects[object].ty), lengths.as_slice())
        else {
            self.refuse(
                span,
                "an array with several variable lengths cannot be followed in a thread",
            );
            return;
        };
        let types = &self.facts.local_types.types;
        let Some(element) = types.declare_where(*of, "", &|_| true) else {
            self.refuse(
                span,
                "the type of this array cannot be written outside its block",
            );
            return;
        };
        self.env.handles.begin(Memory::Object(object));
        let known = self.value_of(*length);
        let most = crate::lower::memory::room(self.facts, self.options, *length);
        let length = enclosed(self.value(*length));
        if self.options.exact_memory {
            self.out.allocates |= self.env.reachable;
            let text = format!("{name} = malloc(sizeof({element}) * {length});");
            self.text(text, span, Vec::new());
            return;
        }
        // Model checkers handle a named object faster.
        let (most, checked) = match known.and_then(|n| u64::try_from(n).ok()) {
            Some(n) => (n.max(1), String::new()),
            None => {
                match self.options.steps {
                    true => self.out.lengths.insert(span),
                    false => {
                        self.out.bounds_memory |= self.env.reachable;
                        false
                    }
                };
                let checked = format!("(void)ba_seq_few((unsigned long){length}, {most}); ");
                (most, checked)
            }
        };
        let Some(elements) = types.declare_where(*of, &format!("ba_seq_a[{most}]"), &|_| true)
        else {
            return;
        };
        let whole = format!("static struct {{ {elements}; }} ba_seq_w");
        let text = format!(
            "{{ {checked}{whole}; __typeof__(ba_seq_w) ba_seq_v; ba_seq_w = ba_seq_v; {name} = ba_seq_w.ba_seq_a; }}"
        );
        self.text(text, span, Vec::new());
    }
}
