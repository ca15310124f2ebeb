//! Queries on a tree: names, scopes, parents, children.

use super::{
    BlockItem, Body, Designator, Entity, ExprKind, Function, InitKind, Item, Parent, Resolved,
    Stmt, StmtKind, Tag, Tree,
};
use crate::span::{ExprId, FunctionId, Id, InitId, ObjectId, Offset, ScopeId, Span, StmtId};
use crate::types::{Member, QualType, Type};

impl Tree {
    /// File scope.
    pub fn file_scope(&self) -> ScopeId {
        ScopeId::from_index(0)
    }

    /// The meaning of `name` in `scope` at `offset`, in the name space of ordinary identifiers.
    pub fn lookup(&self, scope: ScopeId, offset: Offset, name: &str) -> Option<Entity> {
        let mut at = Some(scope);
        while let Some(id) = at {
            let scope = &self.scopes[id];
            if let Some(found) = scope.names.get(name) {
                if let Some((_, e)) = found.iter().rev().find(|(from, _)| *from <= offset) {
                    return Some(*e);
                }
            }
            at = scope.parent;
        }
        None
    }

    /// The object that `name` means in `scope` at `offset`; `None` if another kind of name hides it
    /// or it is not declared yet.
    pub fn visible_at(&self, scope: ScopeId, offset: Offset, name: &str) -> Option<ObjectId> {
        match self.lookup(scope, offset, name)? {
            Entity::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The object that an expression names, without a cast, which may change its value.
    pub fn named(&self, e: ExprId) -> Option<ObjectId> {
        match self.exprs[e].kind {
            ExprKind::Ident(Resolved::Object(object)) => Some(object),
            _ => None,
        }
    }

    /// The objects that an assembler statement names, with places; empty for other statements. A
    /// name is looked up in the statement's scope: other scopes and files may have objects of that
    /// name.
    pub fn named_by_assembler<'a>(
        &'a self,
        stmt: &'a Stmt,
    ) -> impl Iterator<Item = (ObjectId, Span)> + 'a {
        let mentions = match &stmt.kind {
            StmtKind::Asm { mentions, .. } => mentions.as_slice(),
            _ => &[],
        };
        mentions.iter().filter_map(|(name, span)| {
            let object = self.visible_at(stmt.scope, span.start, name)?;
            Some((object, *span))
        })
    }

    /// The tag that `name` means in `scope` at `offset`.
    pub fn lookup_tag(&self, scope: ScopeId, offset: Offset, name: &str) -> Option<Tag> {
        let mut at = Some(scope);
        while let Some(id) = at {
            let scope = &self.scopes[id];
            if let Some((from, tag)) = scope.tags.get(name) {
                if *from <= offset {
                    return Some(*tag);
                }
            }
            at = scope.parent;
        }
        None
    }

    /// The innermost scope that covers `offset`.
    pub fn scope_at(&self, offset: Offset) -> ScopeId {
        let mut best = self.file_scope();
        // Scopes are created from the outside in, so the last one that covers the offset is the
        // innermost.
        for (id, scope) in self.scopes.iter() {
            if scope.span.contains(offset) {
                best = id;
            }
        }
        best
    }

    /// The function with this name, whatever its linkage.
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        self.functions
            .iter()
            .find(|(_, f)| f.name == name)
            .map(|(id, _)| id)
    }

    /// The functions that this unit defines, in the order of the text.
    pub fn defined_functions(&self) -> impl Iterator<Item = (FunctionId, &Function, &Body)> {
        self.items.iter().filter_map(|item| match item {
            Item::Function(id) => {
                let function = &self.functions[*id];
                function.body.as_ref().map(|body| (*id, function, body))
            }
            Item::Decl(_) => None,
        })
    }

    /// The objects declared in a function, parameters first, in the order of the text.
    pub fn objects_of(&self, function: FunctionId) -> Vec<ObjectId> {
        let mut found: Vec<ObjectId> = self
            .objects
            .iter()
            .filter(|(_, o)| o.function == Some(function))
            .map(|(id, _)| id)
            .collect();
        found.sort_by_key(|&id| self.objects[id].name_span.start);
        found
    }

    /// The type behind a qualified type.
    pub fn type_of(&self, ty: QualType) -> &Type {
        self.types.get(ty)
    }

    /// The bit-field that an lvalue designates, if it designates one.
    pub fn bit_field(&self, lvalue: ExprId) -> Option<&Member> {
        let ExprKind::Member { path, .. } = &self.exprs[lvalue].kind else {
            return None;
        };
        let &(record, index) = path.last()?;
        let member = self.types.records[record].members.as_ref()?.get(index)?;
        member.is_bit_field.then_some(member)
    }

    /// The innermost statement that contains an expression, declaration or initializer.
    pub fn statement_of(&self, mut at: Parent) -> Option<StmtId> {
        loop {
            at = match at {
                Parent::Stmt(id) => return Some(id),
                Parent::Expr(id) => self.exprs[id].parent,
                Parent::Init(id) => self.inits[id].parent,
                Parent::Decl(id) | Parent::Declarator(id, _) => self.decls[id].parent,
                Parent::File | Parent::Function(_) | Parent::Constant | Parent::Fragment => {
                    return None
                }
            }
        }
    }

    /// The function that contains a node.
    pub fn function_of(&self, mut at: Parent) -> Option<FunctionId> {
        loop {
            at = match at {
                Parent::Function(id) => return Some(id),
                Parent::Stmt(id) => return self.stmts[id].function,
                Parent::Expr(id) => self.exprs[id].parent,
                Parent::Init(id) => self.inits[id].parent,
                Parent::Decl(id) | Parent::Declarator(id, _) => return self.decls[id].function,
                Parent::File | Parent::Constant | Parent::Fragment => return None,
            }
        }
    }

    /// The text of the innermost block around an expression.
    pub fn block_around(&self, e: ExprId) -> Option<Span> {
        let mut at = Parent::Expr(e);
        loop {
            at = match at {
                Parent::Expr(e) => self.exprs[e].parent,
                Parent::Init(i) => self.inits[i].parent,
                Parent::Decl(d) | Parent::Declarator(d, _) => self.decls[d].parent,
                Parent::Stmt(s) => match self.stmts[s].kind {
                    StmtKind::Compound { .. } => return Some(self.stmts[s].span),
                    _ => self.stmts[s].parent,
                },
                _ => return None,
            };
        }
    }

    /// [`Tree::function_of`] for all expressions, in time linear in the tree, independently of its
    /// depth.
    pub fn functions_of_expressions(&self) -> Vec<Option<FunctionId>> {
        let mut of: Vec<Option<FunctionId>> = Vec::with_capacity(self.exprs.len());
        for (id, expr) in self.exprs.iter() {
            of.push(match expr.parent {
                // Most expressions are created after the expression around them.
                Parent::Expr(outer) if outer < id => of[outer.index()],
                parent => self.function_of(parent),
            });
        }
        of
    }

    /// The expression inside casts.
    pub fn uncast(&self, mut id: ExprId) -> ExprId {
        while let ExprKind::Cast(inner) = self.exprs[id].kind {
            id = inner;
        }
        id
    }

    /// The statement expression in whose block a statement stands, and what stands in it; `None` if it is deeper, or in none.
    pub fn statement_expression(&self, stmt: StmtId) -> Option<(ExprId, &[BlockItem])> {
        let Parent::Stmt(block) = self.stmts[stmt].parent else {
            return None;
        };
        match (self.stmts[block].parent, &self.stmts[block].kind) {
            (Parent::Expr(around), StmtKind::Compound { items, .. }) => Some((around, items)),
            _ => None,
        }
    }

    /// The statement expression whose value a statement gives: it is the last one in it.
    pub fn gives_value_of(&self, stmt: StmtId) -> Option<ExprId> {
        let (around, items) = self.statement_expression(stmt)?;
        (items.last() == Some(&BlockItem::Stmt(stmt))).then_some(around)
    }

    /// Whether the value of an expression is looked at: that of a statement expression is the value of its last statement.
    pub fn is_used(&self, mut e: ExprId) -> bool {
        loop {
            let stmt = match self.exprs[e].parent {
                Parent::Stmt(stmt) => stmt,
                Parent::Expr(around) => match self.exprs[around].kind {
                    ExprKind::Cast(_) => {
                        return !matches!(self.type_of(self.exprs[around].ty), Type::Void)
                    }
                    _ => return true,
                },
                _ => return true,
            };
            if !matches!(self.stmts[stmt].kind, StmtKind::Expr(_)) {
                return true;
            }
            match self.gives_value_of(stmt) {
                Some(around) => e = around,
                None => return false,
            }
        }
    }

    /// The expressions directly inside an expression, in the order of the text, without those in
    /// the statements of a statement expression.
    pub fn children(&self, id: ExprId) -> Vec<ExprId> {
        let mut out = Vec::new();
        match &self.exprs[id].kind {
            ExprKind::Assign { lhs, rhs, .. } => out.extend([*lhs, *rhs]),
            ExprKind::IncDec { operand, .. } => out.push(*operand),
            ExprKind::Unary(_, e)
            | ExprKind::Deref(e)
            | ExprKind::AddressOf(e)
            | ExprKind::Cast(e)
            | ExprKind::SizeofExpr(e)
            | ExprKind::VaArg(e) => out.push(*e),
            ExprKind::Binary(_, a, b) => out.extend([*a, *b]),
            ExprKind::Call { callee, args, .. } => {
                out.push(*callee);
                out.extend(args);
            }
            ExprKind::Member { base, .. } => out.push(*base),
            ExprKind::Index { base, index } => out.extend([*base, *index]),
            ExprKind::Conditional {
                cond,
                then,
                otherwise,
            } => {
                out.push(*cond);
                out.extend(then);
                out.push(*otherwise);
            }
            ExprKind::Comma(list) => out.extend(list),
            ExprKind::CompoundLiteral(init) => self.init_exprs(*init, &mut out),
            ExprKind::Generic { control, arms, .. } => {
                out.push(*control);
                out.extend(arms.iter().map(|(_, e)| *e));
            }
            ExprKind::Ident(_)
            | ExprKind::Int(_)
            | ExprKind::Float
            | ExprKind::Char(_)
            | ExprKind::Str(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::SizeofType(_)
            | ExprKind::Alignof(_)
            | ExprKind::StmtExpr(_)
            | ExprKind::OffsetOf(_)
            | ExprKind::TypeBuiltin
            | ExprKind::Opaque => {}
        }
        out
    }

    /// The operands of an expression, if C leaves the order open in which they are evaluated.
    pub fn unordered_operands(&self, id: ExprId) -> Vec<ExprId> {
        use super::BinaryOp::{And, Or};
        match &self.exprs[id].kind {
            ExprKind::Binary(And | Or, ..)
            | ExprKind::Comma(_)
            | ExprKind::Conditional { .. }
            | ExprKind::Generic { .. }
            | ExprKind::StmtExpr(_) => Vec::new(),
            _ => self.children(id),
        }
    }

    /// The outermost expressions of an initializer, designators included, in the order of the text.
    pub fn init_exprs(&self, id: InitId, out: &mut Vec<ExprId>) {
        match &self.inits[id].kind {
            InitKind::Expr(e) => out.push(*e),
            InitKind::List(items) => {
                for item in items {
                    for designator in &item.designators {
                        match designator {
                            Designator::Member(_) => {}
                            Designator::Index(e) => out.push(*e),
                            Designator::Range(a, b) => out.extend([*a, *b]),
                        }
                    }
                    self.init_exprs(item.value, out);
                }
            }
        }
    }

    /// The operand that the compiler selects at `_Generic` or `__builtin_choose_expr`, which may be
    /// an lvalue; `None` if it is not known.
    pub fn selected(&self, id: ExprId) -> Option<ExprId> {
        match &self.exprs[id].kind {
            ExprKind::Generic { arms, chosen, .. } => Some(arms.get((*chosen)?)?.1),
            ExprKind::Call { callee, args, .. } if self.is_choice(*callee) => {
                let holds = crate::consteval::eval(self, *args.first()?)? != 0;
                args.get(if holds { 1 } else { 2 }).copied()
            }
            _ => None,
        }
    }

    /// The operands that the compiler may select at such an expression; empty for other
    /// expressions.
    pub fn selectable(&self, id: ExprId) -> Vec<ExprId> {
        match &self.exprs[id].kind {
            ExprKind::Generic { arms, .. } => arms.iter().map(|(_, arm)| *arm).collect(),
            ExprKind::Call { callee, args, .. } if self.is_choice(*callee) => {
                args.iter().skip(1).copied().collect()
            }
            _ => Vec::new(),
        }
    }

    fn is_choice(&self, callee: ExprId) -> bool {
        matches!(&self.exprs[callee].kind,
            ExprKind::Ident(Resolved::Unknown(name)) if name == "__builtin_choose_expr")
    }

    /// The object at the root of an lvalue path (`x`, `x.m`, `x[i]` of an array, `(x)`), and
    /// whether the path goes through a pointer (then the object is the pointer).
    pub fn root(&self, mut id: ExprId) -> (Option<ObjectId>, bool) {
        let mut through_pointer = false;
        loop {
            match &self.exprs[id].kind {
                ExprKind::Ident(Resolved::Object(object)) => {
                    return (Some(*object), through_pointer)
                }
                ExprKind::Member { base, arrow, .. } => {
                    through_pointer |= *arrow;
                    id = *base;
                }
                ExprKind::Index { base, index } => {
                    let array =
                        |e: ExprId| matches!(self.types.get(self.exprs[e].ty), Type::Array(..));
                    let pointer =
                        |e: ExprId| matches!(self.types.get(self.exprs[e].ty), Type::Pointer(..));
                    // `2[a]` is `a[2]`.
                    id = if array(*index) || pointer(*index) {
                        *index
                    } else {
                        *base
                    };
                    through_pointer |= !array(id);
                }
                ExprKind::Deref(e) => {
                    through_pointer |=
                        !matches!(self.types.get(self.exprs[*e].ty), Type::Array(..));
                    id = *e;
                }
                _ => match self.selected(id) {
                    Some(arm) => id = arm,
                    None => return (None, through_pointer),
                },
            }
        }
    }
}
