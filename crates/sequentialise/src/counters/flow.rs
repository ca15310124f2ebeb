//! A walk through all functions that a program in step form executes.

use std::collections::BTreeSet;

use cfront::span::{DeclId, FunctionId, InitId, ObjectId, StmtId};
use cfront::tree::{
    BlockItem, Entity, ExprKind, ForInit, InitKind, Label, Resolved, StmtKind, Tree,
};
use cfront::types::{QualType, Type};
use cfront::{ExprId, Unit};

use super::classes::{width, Classes, Key};
use super::model::{self, Memory};

/// What a value is to the analysis.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Value {
    /// The class of the counter that it is a copy of, or a sum of that and a constant, and its width.
    pub class: Option<(usize, u32)>,
    /// What it leads to, if it is a pointer.
    pub to: Option<usize>,
}

/// The walk.
pub(super) struct Walk<'u> {
    pub unit: &'u Unit,
    pub tree: &'u Tree,
    pub classes: Classes,
    /// Which model of memory the program has.
    pub memory: Memory,
    /// The functions that have been walked through, before anything is shifted and later.
    seen: BTreeSet<(FunctionId, bool)>,
    pending: Vec<(FunctionId, bool)>,
    pub function: Option<FunctionId>,
    /// Whether the statement is executed before any thread begins besides `main`: nothing has been shifted.
    before: bool,
    /// Whether there are such statements.
    pub begins: bool,
}

impl<'u> Walk<'u> {
    pub fn new(unit: &'u Unit) -> Walk<'u> {
        Walk {
            unit,
            tree: &unit.tree,
            classes: Classes::default(),
            memory: model::of(&unit.tree),
            seen: BTreeSet::new(),
            pending: Vec::new(),
            function: None,
            before: false,
            begins: false,
        }
    }

    /// Walks through the program; `None` if it has something that is not followed.
    pub fn program(&mut self) -> Option<()> {
        for (id, object) in self.tree.objects.iter() {
            let at_file_scope = object.is_static_duration() && !object.in_system_header;
            if let (true, Some(init)) = (at_file_scope, object.init) {
                self.begins_with(id, init)?;
            }
        }
        let main = self.tree.function_named("main")?;
        self.reach(main);
        while let Some((function, before)) = self.pending.pop() {
            self.function = Some(function);
            self.before = before;
            let body = self.tree.functions[function].body.as_ref()?;
            match self.tree.functions[function].name.as_str() {
                "sequential_thread_0" => self.main_thread(body.block)?,
                _ => self.stmt(body.block)?,
            }
        }
        Some(())
    }

    /// A static initialiser: its numbers are those of one state, but what its pointers lead to is changed through them.
    fn begins_with(&mut self, object: ObjectId, init: InitId) -> Option<()> {
        let is_one = matches!(self.tree.inits[init].kind, InitKind::Expr(_));
        let mut all = Vec::new();
        self.tree.init_exprs(init, &mut all);
        for id in all {
            let Some(to) = self.expr(id)?.to else {
                continue;
            };
            let node = self.classes.of(self.tree, Key::Object(object));
            if is_one {
                let target = self.classes.target(node);
                self.classes.unite(target, to);
            } else {
                // Which of its members has the pointer is not told.
                self.classes.expose(to);
                self.classes.expose(node);
            }
        }
        Some(())
    }

    /// A function is executed.
    pub fn reach(&mut self, function: FunctionId) {
        let of = &self.tree.functions[function];
        // What is forgotten is what nothing reads.
        let has_body = of.body.is_some() && !of.name.starts_with("sequential_forget_");
        let walk = (function, self.before);
        if has_body && self.seen.insert(walk) {
            self.pending.push(walk);
        }
    }

    /// A function whose address is taken is called with anything.
    pub fn address_of(&mut self, function: FunctionId) {
        self.reach(function);
        let result = self.classes.of(self.tree, Key::Result(function));
        self.classes.expose(result);
        for object in self.params(function) {
            let node = self.classes.of(self.tree, Key::Object(object));
            self.classes.expose(node);
        }
    }

    pub fn params(&self, function: FunctionId) -> Vec<ObjectId> {
        let body = self.tree.functions[function].body.as_ref();
        body.map_or(Vec::new(), |body| body.params.clone())
    }

    /// The steps of `main`, of which those in front of the first start of a thread are executed before anything is shifted.
    fn main_thread(&mut self, block: StmtId) -> Option<()> {
        let StmtKind::Compound { items, .. } = &self.tree.stmts[block].kind else {
            return None;
        };
        let text = |item: &BlockItem| match item {
            BlockItem::Stmt(id) => self.unit.text_of(self.tree.stmts[*id].span),
            BlockItem::Decl(id) => self.unit.text_of(self.tree.decls[*id].span),
        };
        let starts = |item: &BlockItem| text(item).contains("sequential_on[");
        let first = items.iter().position(starts);
        let back = first.is_some_and(|first| {
            let place = |text: &str, prefix: &str| -> Vec<usize> {
                let parts = text.split(prefix).skip(1);
                let digits = parts.map(|p| {
                    let end = p.find(|c: char| !c.is_ascii_digit());
                    p[..end.unwrap_or(p.len())].parse().unwrap_or(0)
                });
                digits.collect()
            };
            let labels = items[..first].iter().map(text);
            let here = labels
                .filter(|t| t.starts_with("sequential_p"))
                .flat_map(|t| place(t, "sequential_p"))
                .max();
            let later = items[first..].iter().map(text);
            let mut jumps = later.flat_map(|t| place(t, "sequential_pc[0] = "));
            jumps.any(|to| here.is_none_or(|here| to <= here))
        });
        let first = first.filter(|_| !back && self.begins_alone()).unwrap_or(0);
        self.begins = first > 0;
        for (number, item) in items.iter().enumerate() {
            self.before = number < first;
            self.item(item)?;
        }
        self.before = false;
        Some(())
    }

    /// Whether `main` is the only thread that is there from the start.
    fn begins_alone(&self) -> bool {
        let mut objects = self.tree.objects.iter();
        let on = objects.find(|(_, o)| o.name == "sequential_on");
        on.and_then(|(_, o)| o.init)
            .is_none_or(|init| match &self.tree.inits[init].kind {
                InitKind::List(items) => items.len() <= 1,
                InitKind::Expr(_) => false,
            })
    }

    fn item(&mut self, item: &BlockItem) -> Option<()> {
        match item {
            BlockItem::Stmt(id) => self.stmt(*id),
            BlockItem::Decl(id) => self.decl(*id),
        }
    }

    fn decl(&mut self, id: DeclId) -> Option<()> {
        for declared in &self.tree.decls[id].declared {
            let (Entity::Object(object), Some(init)) = (declared.entity, declared.init) else {
                continue;
            };
            if self.tree.objects[object].is_static_duration() {
                continue;
            }
            let node = self.classes.of(self.tree, Key::Object(object));
            match &self.tree.inits[init].kind {
                InitKind::Expr(value) => {
                    let value = self.expr(*value)?;
                    self.assign(node, self.tree.objects[object].ty, value);
                }
                InitKind::List(_) => {
                    self.any_values(init)?;
                    self.classes.expose(node);
                }
            }
        }
        Some(())
    }

    /// Values of a list: nothing is known of what they become.
    pub fn any_values(&mut self, init: InitId) -> Option<()> {
        let mut all = Vec::new();
        self.tree.init_exprs(init, &mut all);
        for id in all {
            let value = self.expr(id)?;
            self.lose(value);
        }
        Some(())
    }

    pub fn stmt(&mut self, id: StmtId) -> Option<()> {
        match &self.tree.stmts[id].kind {
            StmtKind::Compound { items, .. } => items.iter().try_for_each(|item| self.item(item)),
            StmtKind::Expr(None)
            | StmtKind::Goto { .. }
            | StmtKind::Continue
            | StmtKind::Break
            | StmtKind::Return(None) => Some(()),
            StmtKind::Expr(Some(e)) => self.expr(*e).map(drop),
            StmtKind::If {
                cond,
                then,
                otherwise,
                ..
            } => {
                self.counts(*cond)?;
                self.stmt(*then)?;
                otherwise.map_or(Some(()), |other| self.stmt(other))
            }
            StmtKind::Switch { cond, body, .. }
            | StmtKind::While { cond, body, .. }
            | StmtKind::DoWhile { cond, body, .. } => {
                self.counts(*cond)?;
                self.stmt(*body)
            }
            StmtKind::For {
                init,
                cond,
                step,
                body,
                ..
            } => {
                match init {
                    ForInit::None => {}
                    ForInit::Expr(e) => drop(self.expr(*e)?),
                    ForInit::Decl(d) => self.decl(*d)?,
                }
                if let Some(cond) = cond {
                    self.counts(*cond)?;
                }
                if let Some(step) = step {
                    self.expr(*step)?;
                }
                self.stmt(*body)
            }
            StmtKind::Labeled { label, body, .. } => match label {
                Label::Named(_) | Label::Case(_) | Label::CaseRange(..) | Label::Default => {
                    self.stmt(*body)
                }
            },
            StmtKind::Return(Some(e)) => {
                let value = self.expr(*e)?;
                let (node, ret) = self.result(self.function?)?;
                self.assign(node, ret, value);
                Some(())
            }
            StmtKind::Asm {
                mentions,
                writes,
                memory,
                is_goto,
                ..
            } => (mentions.is_empty() && !writes && !memory && !is_goto).then_some(()),
            StmtKind::GotoComputed(_) => None,
        }
    }

    /// What a function returns, and its type.
    pub fn result(&mut self, function: FunctionId) -> Option<(usize, QualType)> {
        let node = self.classes.of(self.tree, Key::Result(function));
        let ty = self.tree.functions[function].ty;
        Some((node, self.tree.types.function(ty)?.ret))
    }

    /// The value of an expression counts.
    pub fn counts(&mut self, id: ExprId) -> Option<()> {
        let value = self.expr(id)?;
        self.fix(value);
        Some(())
    }

    pub fn fix(&mut self, value: Value) {
        if let (Some((class, _)), false) = (value.class, self.before) {
            self.classes.fix(class);
        }
    }

    /// Nothing is known of what becomes of a value.
    pub fn lose(&mut self, value: Value) {
        self.fix(value);
        if let Some(to) = value.to {
            self.classes.expose(to);
        }
    }

    /// Two values that are the same, or are only compared with each other.
    pub fn join(&mut self, a: Value, b: Value) {
        match (a.class, b.class) {
            (Some((one, wide)), Some((other, narrow))) if wide == narrow => {
                if !self.before {
                    self.classes.unite(one, other);
                }
            }
            _ => {
                self.fix(a);
                self.fix(b);
            }
        }
        if let (Some(one), Some(other)) = (a.to, b.to) {
            self.classes.unite(one, other);
        }
    }

    /// The value of a place of this type.
    pub fn load(&mut self, node: usize, ty: QualType) -> Value {
        match self.tree.type_of(ty) {
            Type::Array(..) => Value {
                class: None,
                to: Some(node),
            },
            Type::Pointer(_) => Value {
                class: None,
                to: Some(self.classes.target(node)),
            },
            _ => Value {
                class: width(self.tree, ty).map(|bits| (node, bits)),
                to: None,
            },
        }
    }

    /// A place gets a value.
    pub fn assign(&mut self, node: usize, ty: QualType, value: Value) {
        if matches!(self.tree.type_of(ty), Type::Record(_)) {
            // Members have one class in all objects of the type.
            return;
        }
        let place = Value {
            class: width(self.tree, ty).map(|bits| (node, bits)),
            to: match self.tree.type_of(ty) {
                Type::Pointer(_) => Some(self.classes.target(node)),
                _ => None,
            },
        };
        if let (Some(to), None) = (value.to, place.to) {
            // A pointer that becomes a number may come back.
            self.classes.expose(to);
        }
        self.join(place, value);
    }

    /// Something is added to a place.
    pub fn add(&mut self, node: usize, amount: Value) {
        self.fix(amount);
        self.classes.grows(node);
    }

    /// Whether an expression names a function.
    pub fn function_of(&self, id: ExprId) -> Option<FunctionId> {
        match &self.tree.exprs[id].kind {
            ExprKind::Ident(Resolved::Function(f)) => Some(*f),
            _ => None,
        }
    }
}
