//! Uninitialised locals, and elements of arrays, whose value no run should read: each byte gets the same mark, and every read of
//! memory that may hold one is checked. Where none fails, the search has all runs with one value of the local, whatever its type
//! is; if one fails, it ends, and the values have to be told apart.

use std::cell::LazyCell;
use std::collections::BTreeSet;

use cfront::calls::library_function;
use cfront::consteval::eval;
use cfront::span::{DeclId, ExprId, ObjectId};
use cfront::tree::{Entity, ExprKind, InitKind, Parent, Resolved, Tree};
use cfront::types::{ArrayLen, QualType, Type};
use cfront::{Aliases, Locations, Unit};

use crate::text::{is_quiet, RECORDED};

/// The most elements of an array that are checked one by one.
const MOST_ELEMENTS: u64 = 16;

/// Texts and their offsets. Of those at one offset, the ones that end something come first, then those that begin the longest
/// thing.
#[derive(Clone, Debug, Default)]
pub(super) struct Insertions(Vec<(usize, Order, String)>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    /// Ends what began at minus this offset: the later it began, the earlier it ends. The second number is 1 for the outer
    /// of two things at one place.
    Ends(i64, u8),
    /// Stands between two things.
    Between,
    /// Begins what ends at minus this offset. The second number is 0 for the outer of two things at one place.
    Begins(i64, u8),
}

impl Insertions {
    /// Puts a text between two things.
    pub fn between(&mut self, at: usize, text: String) {
        self.0.push((at, Order::Between, text));
    }

    /// Puts texts around a thing; `outer` says whether they stand around others of the same thing.
    pub fn around(&mut self, span: cfront::Span, outer: bool, before: &str, after: &str) {
        let begins = Order::Begins(-(span.end as i64), u8::from(!outer));
        let ends = Order::Ends(-(span.start as i64), u8::from(outer));
        self.0.push((span.start, begins, before.to_owned()));
        self.0.push((span.end, ends, after.to_owned()));
    }

    /// Adds further insertions.
    pub fn extend(&mut self, others: Insertions) {
        self.0.extend(others.0);
    }

    /// The text with them.
    pub fn into_text(mut self, text: &str) -> String {
        self.0.sort();
        let mut out = String::with_capacity(2 * text.len());
        let mut from = 0;
        for (at, _, insertion) in self.0 {
            out.push_str(&text[from..at]);
            out.push_str(&insertion);
            from = at;
        }
        out + &text[from..]
    }
}

/// Memory that may hold marks besides locals.
#[derive(Clone, Debug, Default)]
pub(super) struct Others {
    /// Whole objects.
    pub objects: BTreeSet<ObjectId>,
    /// Lvalues to which bytes are stored that may be left without a value.
    pub bytes: Vec<ExprId>,
    /// Pointers to memory that is forgotten.
    pub forgotten: Vec<ExprId>,
}

impl Others {
    fn is_empty(&self) -> bool {
        self.objects.is_empty() && self.bytes.is_empty() && self.forgotten.is_empty()
    }
}

/// Marks these locals and checks what they, and marks elsewhere, may flow to; `None` if some flow is not followed. Without any
/// mark, no flow is looked at.
pub(super) fn marked<F: FnOnce() -> Aliases>(
    unit: &Unit,
    locals: &[(DeclId, ObjectId)],
    others: &Others,
    aliases: &LazyCell<Aliases, F>,
) -> Option<Insertions> {
    if locals.is_empty() && others.is_empty() {
        return Some(Insertions::default());
    }
    let tree = &unit.tree;
    let words = unit.tokens.tokens.iter();
    if words
        .map(|t| t.span.of(unit.text()))
        .any(|w| w == "register")
    {
        return None;
    }
    let mut marks = Marks {
        tree,
        aliases,
        hold: Locations::default(),
        named: others.objects.clone(),
        copies: BTreeSet::new(),
        out: Insertions::default(),
    };
    for &object in &others.objects {
        marks.hold.join(&marks.aliases.location_of(object));
    }
    for (number, &lvalue) in others.bytes.iter().enumerate() {
        let to = marks.aliases.designated(lvalue);
        if to.anything {
            return None;
        }
        marks.hold.join(&to);
        let Parent::Expr(assignment) = tree.exprs[lvalue].parent else {
            return None;
        };
        let text = tree.exprs[lvalue].span.of(unit.text());
        let before = format!("(ba_x_place_of({number}), ");
        let after = format!(", ba_x_stored(&{text}))");
        let span = tree.exprs[assignment].span;
        marks.out.around(span, true, &before, &after);
    }
    for &pointer in &others.forgotten {
        let to = aliases.pointed_to(pointer);
        if to.anything {
            return None;
        }
        marks.hold.join(&to);
    }
    for &(decl, object) in locals {
        let d = &tree.decls[decl];
        let name = &tree.objects[object].name;
        // A statement can stand behind the declaration only in a block.
        if !is_in_block(tree, d.parent) || !can_be_checked(tree, tree.objects[object].ty) {
            return None;
        }
        let mark = format!(" __builtin_memset((void *)&{name}, 0xa5, sizeof {name});");
        marks.out.between(d.span.end, mark);
        marks.hold.join(&marks.aliases.location_of(object));
        marks.named.insert(object);
        marks.copies.extend(copied(tree, object));
    }
    marks.spread()?;
    marks.check()?;
    Some(marks.out)
}

fn is_in_block(tree: &Tree, parent: Parent) -> bool {
    let Parent::Stmt(stmt) = parent else {
        return false;
    };
    matches!(
        tree.stmts[stmt].kind,
        cfront::tree::StmtKind::Compound { .. }
    )
}

/// The only read of a local if it is a plain copy to an object of its type: the mark may pass it.
fn copied(tree: &Tree, object: ObjectId) -> Option<ExprId> {
    let mut reads = tree.exprs.iter().filter(|(_, e)| {
        matches!(e.kind, ExprKind::Ident(Resolved::Object(o)) if o == object) && !e.unevaluated
    });
    let (read, e) = reads.next().filter(|_| reads.next().is_none())?;
    let Parent::Expr(parent) = e.parent else {
        return None;
    };
    match &tree.exprs[parent].kind {
        ExprKind::Assign {
            op: None, lhs, rhs, ..
        } if *rhs == read && tree.exprs[*lhs].ty.ty == e.ty.ty => Some(read),
        _ => None,
    }
}

/// Whether all scalars of a type can be looked at one by one, as the program reads them.
pub(super) fn can_be_checked(tree: &Tree, ty: QualType) -> bool {
    match tree.types.get(ty) {
        Type::Array(element, ArrayLen::Known(_)) => can_be_checked(tree, *element),
        _ => checks(tree, ty, "x").is_some(),
    }
}

/// Statements that check all scalars of an object; `None` if some cannot be looked at.
fn checks(tree: &Tree, ty: QualType, lvalue: &str) -> Option<String> {
    match tree.types.get(ty) {
        Type::Array(element, ArrayLen::Known(count)) => {
            let count = Some(*count).filter(|n| *n <= MOST_ELEMENTS)?;
            let all = (0..count).map(|i| checks(tree, *element, &format!("{lvalue}[{i}]")));
            all.collect()
        }
        Type::Record(record) => {
            let record = &tree.types.records[*record];
            let members = record.members.as_ref().filter(|_| !record.is_union)?;
            let plain = !ty.quals.is_atomic && members.iter().all(|m| !m.is_bit_field);
            let named = |m: &cfront::types::Member| {
                let name = m.name.as_ref()?;
                checks(tree, m.ty, &format!("{lvalue}.{name}"))
            };
            let all: Option<String> = members.iter().map(named).collect();
            all.filter(|_| plain)
        }
        Type::Bool | Type::Int(_) | Type::Enum(_) => {
            Some(format!("ba_x_defined(&{lvalue}, sizeof {lvalue}, 0); "))
        }
        Type::Pointer(_) => Some(format!("ba_x_defined(&{lvalue}, sizeof {lvalue}, 1); ")),
        _ => None,
    }
}

/// What may hold marks, and the checks.
struct Marks<'a> {
    tree: &'a Tree,
    aliases: &'a Aliases,
    hold: Locations,
    /// The objects that do: no pointer need lead to them.
    named: BTreeSet<ObjectId>,
    /// Reads that marks may pass.
    copies: BTreeSet<ExprId>,
    out: Insertions,
}

impl Marks<'_> {
    /// Whether an lvalue may designate memory with a mark.
    fn may_hold(&self, lvalue: ExprId) -> bool {
        let there = match self.tree.root(lvalue) {
            (Some(object), false) if self.named.contains(&object) => return true,
            (Some(object), false) => self.aliases.location_of(object),
            _ => self.aliases.designated(lvalue),
        };
        there.meet(&self.hold) || there.anything
    }

    fn is_lvalue(&self, e: ExprId) -> bool {
        let array =
            |e: ExprId| matches!(self.tree.types.get(self.tree.exprs[e].ty), Type::Array(..));
        match self.tree.exprs[e].kind {
            ExprKind::Ident(Resolved::Object(_)) | ExprKind::Deref(_) => true,
            ExprKind::Member { base, arrow, .. } => arrow || self.is_lvalue(base),
            ExprKind::Index { base, .. } => !array(base) || self.is_lvalue(base),
            _ => false,
        }
    }

    /// Follows copies of whole objects until nothing more may hold a mark.
    fn spread(&mut self) -> Option<()> {
        let tree = self.tree;
        loop {
            let before = self.hold.clone();
            for (id, e) in tree.exprs.iter().filter(|(_, e)| !e.unevaluated) {
                let record = matches!(tree.types.get(e.ty), Type::Record(_));
                let whole = record || self.copies.contains(&id);
                if whole && self.is_lvalue(id) && self.may_hold(id) {
                    self.spreads_to(id)?;
                }
                if let ExprKind::Call { callee, args, .. } = &e.kind {
                    self.passes(*callee, args)?;
                }
            }
            if self.hold == before {
                return Some(());
            }
        }
    }

    /// Adds where the value of an lvalue with a mark is copied to.
    fn spreads_to(&mut self, read: ExprId) -> Option<()> {
        let tree = self.tree;
        let to = match tree.exprs[read].parent {
            Parent::Expr(parent) => match &tree.exprs[parent].kind {
                ExprKind::AddressOf(_) | ExprKind::Member { .. } => return Some(()),
                ExprKind::Assign { lhs, .. } if *lhs == read => return Some(()),
                ExprKind::Assign { op: None, lhs, .. } => self.aliases.designated(*lhs),
                _ => return None,
            },
            Parent::Init(init) if matches!(tree.inits[init].kind, InitKind::Expr(_)) => {
                self.initialised(init)?
            }
            Parent::Stmt(stmt) => match tree.stmts[stmt].kind {
                cfront::tree::StmtKind::Expr(_) if !self.is_result(stmt) => return Some(()),
                _ => return None,
            },
            _ => return None,
        };
        if to.anything {
            return None;
        }
        self.hold.join(&to);
        Some(())
    }

    /// Whether a statement may be the value of a statement expression.
    fn is_result(&self, stmt: cfront::StmtId) -> bool {
        let around = self.tree.stmts[stmt].parent;
        let Parent::Stmt(block) = around else {
            return true;
        };
        matches!(self.tree.stmts[block].parent, Parent::Expr(_))
    }

    /// The object that an initializer of a declaration gives its first value.
    fn initialised(&self, init: cfront::span::InitId) -> Option<Locations> {
        let Parent::Declarator(decl, index) = self.tree.inits[init].parent else {
            return None;
        };
        match self.tree.decls[decl].declared.get(index)?.entity {
            Entity::Object(object) => Some(self.aliases.location_of(object)),
            _ => None,
        }
    }

    /// Follows what a function of the library copies.
    fn passes(&mut self, callee: ExprId, args: &[ExprId]) -> Option<()> {
        let tree = self.tree;
        let Some(name) = library_function(tree, callee) else {
            return Some(());
        };
        for (index, &arg) in args.iter().enumerate() {
            if !self.leads_to_marks(arg) {
                continue;
            }
            match read_by(name, index) {
                Read::Nothing | Read::Object | Read::Text | Read::Begin(_) | Read::Bytes(_) => {}
                Read::Copied => {
                    let to = self.aliases.pointed_to(*args.first()?);
                    if to.anything {
                        return None;
                    }
                    self.hold.join(&to);
                }
                Read::Unknown => return None,
            }
        }
        Some(())
    }

    fn leads_to_marks(&self, arg: ExprId) -> bool {
        let ty = self.tree.types.get(self.tree.exprs[arg].ty);
        let to = self.aliases.pointed_to(arg);
        matches!(ty, Type::Pointer(_) | Type::Array(..)) && (to.anything || to.meet(&self.hold))
    }

    /// Adds a check to each read of memory that may hold a mark.
    fn check(&mut self) -> Option<()> {
        let tree = self.tree;
        let recorded = self.recorded();
        for (id, e) in tree.exprs.iter().filter(|(_, e)| !e.unevaluated) {
            if recorded.iter().any(|span| span.encloses(e.span)) {
                continue;
            }
            if let ExprKind::Call { callee, args, .. } = &e.kind {
                self.check_call(*callee, args)?;
            }
            let copied = self.copies.contains(&id) || !self.is_read(id);
            if !self.is_lvalue(id) || copied || !self.may_hold(id) {
                continue;
            }
            let scalar = match tree.types.get(e.ty) {
                Type::Pointer(_) => 1,
                Type::Array(..) | Type::Record(_) | Type::Function(_) | Type::Void => continue,
                Type::VaList | Type::Vector(_) | Type::Unknown => return None,
                // Floating-point numbers are never marked, but pointers may lead to them.
                _ => 0,
            };
            if tree.bit_field(id).is_some() {
                return None;
            }
            let after = format!("); ba_x_defined(ba_x_p, sizeof *ba_x_p, {scalar}); ba_x_p; }}))");
            self.out
                .around(e.bare, false, "(*({ __auto_type ba_x_p = &(", &after);
        }
        Some(())
    }

    /// The initializers by which the state is recorded: they look at all of it.
    fn recorded(&self) -> Vec<cfront::Span> {
        let objects = self.tree.objects.iter();
        let own = objects.filter(|(_, o)| o.name == RECORDED);
        own.filter_map(|(_, o)| Some(self.tree.inits[o.init?].span))
            .collect()
    }

    fn is_read(&self, e: ExprId) -> bool {
        let Parent::Expr(parent) = self.tree.exprs[e].parent else {
            return true;
        };
        match &self.tree.exprs[parent].kind {
            ExprKind::AddressOf(_) | ExprKind::SizeofExpr(_) => false,
            ExprKind::Assign { op: None, lhs, .. } => *lhs != e,
            _ => true,
        }
    }

    /// Checks the objects that a function of the library reads.
    fn check_call(&mut self, callee: ExprId, args: &[ExprId]) -> Option<()> {
        let tree = self.tree;
        let Some(name) = library_function(tree, callee) else {
            return Some(());
        };
        for (index, &arg) in args.iter().enumerate() {
            if !self.leads_to_marks(arg) {
                continue;
            }
            let of = &self.tree.exprs[arg];
            let checks = match read_by(name, index) {
                Read::Object => checks(self.tree, self.tree.types.pointee(of.ty)?, "(*ba_x_p)")?,
                Read::Text => "ba_x_text(ba_x_p, -1); ".to_owned(),
                Read::Begin(limit) => {
                    let most = eval(tree, *args.get(limit)?)?;
                    format!("ba_x_text(ba_x_p, {most}); ")
                }
                Read::Bytes(count) => {
                    let count = eval(tree, *args.get(count)?)?;
                    format!("ba_x_defined(ba_x_p, {count}, 0); ")
                }
                Read::Nothing | Read::Copied | Read::Unknown => continue,
            };
            let after = format!("); {checks}ba_x_p; }})");
            self.out
                .around(of.bare, true, "({ __auto_type ba_x_p = (", &after);
        }
        Some(())
    }
}

/// What a function of the library does with the memory that an argument points to.
enum Read {
    /// It writes it only, or does not follow the pointer.
    Nothing,
    /// It copies it to where its first argument points.
    Copied,
    /// It reads the object there.
    Object,
    /// It reads the string there.
    Text,
    /// It reads as many characters of it as this argument says.
    Begin(usize),
    /// It reads as many bytes as this argument says.
    Bytes(usize),
    /// Anything.
    Unknown,
}

fn read_by(name: &str, index: usize) -> Read {
    match (name.trim_start_matches("__builtin_"), index) {
        ("memcpy" | "memmove", 0) | ("memset", 0) | ("free", 0) => Read::Nothing,
        ("memcpy" | "memmove", 1) => Read::Copied,
        ("memcmp", 0 | 1) => Read::Bytes(2),
        // What is copied of a text is read, so that it has no marks.
        ("strcpy" | "stpcpy" | "strncpy" | "sprintf" | "snprintf", 0) => Read::Nothing,
        ("strcpy" | "stpcpy", 1) | ("strcat", 0 | 1) | ("strncat", 0) => Read::Text,
        ("strncpy" | "strncat", 1) => Read::Begin(2),
        ("__atomic_load", 1) | ("__atomic_exchange", 2) => Read::Nothing,
        ("__atomic_store" | "__atomic_store_n" | "__atomic_clear", 0) => Read::Nothing,
        (name, _) if name.starts_with("__atomic_") || name.starts_with("__sync_") => Read::Object,
        (name, _) if is_quiet(name) => Read::Nothing,
        ("strcmp" | "strcasecmp" | "strstr" | "strspn" | "strcspn" | "strpbrk", 0 | 1) => {
            Read::Text
        }
        ("strncmp" | "strncasecmp", 0 | 1) => Read::Begin(2),
        ("strlen" | "strchr" | "strrchr" | "atoi" | "atol" | "atoll", 0) => Read::Text,
        ("strtol" | "strtoul" | "strtoll" | "strtoull", 0) => Read::Text,
        ("strtol" | "strtoul" | "strtoll" | "strtoull", 1) => Read::Nothing,
        _ => Read::Unknown,
    }
}
