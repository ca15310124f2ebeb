//! Indeterminate values: variables that are read before they are written, and results of functions
//! that end without `return`. Their use is undefined in C (C11, 6.3.2.1 and 6.9.1). Model checkers
//! take any value, and none of the supported ones checks for such a use. A call of `__builtin_unreachable` is no
//! program either, and model checkers take it for one without effect.
//!
//! This pass inserts the check into the program for the model checker. Each automatic variable without initialiser
//! gets a flag, which says whether it was assigned; a read checks the flag. Members of structures and elements of
//! arrays have flags of their own; a union has one. A structure may be copied before all of it is assigned (C11,
//! 6.2.6.1), so only its members are checked. Once a pointer to a variable becomes a value, other code may write the
//! variable, so it counts as assigned from then on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use backend::Dialect;
use cfront::access::{address_taken, usage, Use};
use cfront::allocations::called_name;
use cfront::jumps::{encloses, Jumps};
use cfront::library::is_undefined;
use cfront::span::{DeclId, ExprId, FunctionId, ObjectId};
use cfront::tree::{BinaryOp, Entity, ExprKind, Object, Parent, Resolved, StmtKind, Storage};
use cfront::types::{Class, Type};
use cfront::{EditError, Edits, Unit};

use crate::rewritten::{self, Reading};

mod arguments;
mod calls;
mod conversions;
mod parts;
mod pointers;
mod unwritable;

use parts::{is_stable, parts, Access, Part};

/// The macro (after `BA_` and the infix of emitted names) that switches on the checks of
/// indeterminate values.
pub const VALUES: &str = "BA_VALUES";

/// A part of the names of the monitors' copies of what the program has.
const SAVED: &str = "kept";

/// The beginning of the names that the weaver adds.
const OWN: &str = "ba_";

/// What a check does when the value is indeterminate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// The run is left out.
    Assumed,
    /// An assertion fails.
    Told,
}

/// The checks of a preprocessed and monitored program, as insertions into its text.
///
/// # Errors
/// If an insertion has a line break; never for a parsed program.
pub fn checks(unit: &Unit, dialect: &Dialect, asked: Question) -> Result<Edits, EditError> {
    let mut pass = Pass {
        unit,
        dialect,
        asked,
        edits: Edits::new(),
    };
    let flags = pass.flags();
    pass.variables(&flags)?;
    pass.functions()?;
    pass.unreachable()?;
    pass.unwritable()?;
    pass.arguments()?;
    pass.called()?;
    pass.never_returning()?;
    pass.addresses()?;
    pass.lengths()?;
    Ok(pass.edits)
}

/// Writes a monitored program with the checks to a file in a directory; also with those of accesses through pointers where the model
/// checker has none. `None` if there is nothing to check or the file cannot be read as C.
pub(crate) fn file(
    source: &Path,
    how: &Reading,
    (asked, pointers): (Question, bool),
    directory: &Path,
) -> Option<PathBuf> {
    let unit = rewritten::read(source, how)?;
    let mut edits = checks(&unit, how.dialect, asked).ok()?;
    if pointers {
        let mut pass = Pass {
            unit: &unit,
            dialect: how.dialect,
            asked,
            edits,
        };
        pass.pointers().ok()?;
        edits = pass.edits;
    }
    match edits.is_empty() {
        true => None,
        false => rewritten::write(&unit, &edits, source, directory),
    }
}

/// A variable that has flags.
struct Flagged {
    /// The variable's number among all flagged variables.
    number: usize,
    /// The parts with flags of their own.
    parts: Vec<Part>,
    /// Whether jumps may pass its declaration.
    passed: bool,
}

impl Flagged {
    /// The name of a part's flag, or of its array of flags.
    fn flag(&self, part: usize) -> String {
        format!("ba_given_{}_{part}", self.number)
    }

    /// The left sides of an assignment to all flags; the value follows.
    fn elements(&self) -> String {
        let flags = self.parts.iter().enumerate().flat_map(|(n, part)| {
            let name = self.flag(n);
            let elements = part.elements().into_iter();
            elements.map(move |element| format!("{name}{element} = "))
        });
        flags.collect()
    }

    /// The statement that sets all flags where the variable is declared.
    fn declared(&self, initialised: bool) -> String {
        format!("{}{}; ", self.elements(), u8::from(initialised))
    }
}

/// The variables that have flags.
type Flags = BTreeMap<ObjectId, Flagged>;

/// The declaration of a variable's flags, initially 0 (not assigned).
fn declaration(flagged: &Flagged) -> String {
    let flag = |(number, part): (usize, &Part)| {
        let lengths = part.lengths.iter().map(|n| format!("[{n}]"));
        let zero = match part.lengths.is_empty() {
            true => "0",
            false => "{0}",
        };
        let name = flagged.flag(number);
        format!(
            " unsigned char {name}{} = {zero};",
            lengths.collect::<String>()
        )
    };
    flagged.parts.iter().enumerate().map(flag).collect()
}

struct Pass<'a> {
    unit: &'a Unit,
    dialect: &'a Dialect,
    asked: Question,
    edits: Edits,
}

impl Pass<'_> {
    /// The variables that may be read before they are written and that flags can track.
    fn flags(&self) -> Flags {
        let tree = &self.unit.tree;
        let taken = address_taken(tree);
        let in_assembler: BTreeSet<ObjectId> = tree
            .stmts
            .iter()
            .flat_map(|(_, stmt)| tree.named_by_assembler(stmt).map(|(o, _)| o))
            .collect();
        let jumps = Jumps::of(tree);
        let in_blocks: BTreeSet<ObjectId> = self.in_blocks().collect();
        let bare = |id: &ObjectId, object: &Object| {
            object.storage == Storage::Local
                && (object.init.is_none() || in_blocks.contains(id) && jumps.pass(tree, *id))
                && object.function.is_some_and(|f| self.is_users(f))
                && !object.name.starts_with("ba_")
                && taken
                    .get(id)
                    .is_none_or(|uses| uses.iter().all(|&at| self.can_note(at)))
                && !in_assembler.contains(id)
        };
        let candidates = tree.objects.iter().filter(|(id, o)| bare(id, o));
        let mut told: BTreeMap<ObjectId, Vec<Part>> = candidates
            .filter_map(|(id, object)| Some((id, parts(tree, object.ty)?)))
            .collect();
        for (id, expr) in tree.exprs.iter().filter(|(_, e)| !e.unevaluated) {
            let ExprKind::Ident(Resolved::Object(object)) = expr.kind else {
                continue;
            };
            let is_taken = |object| taken.contains_key(&object);
            let followed = |parts: &Vec<Part>| self.is_followed(id, parts, is_taken);
            if told.get(&object).is_some_and(|parts| !followed(parts)) {
                told.remove(&object);
            }
        }
        let numbered = told.into_iter().enumerate();
        let flagged = |(number, (id, parts))| {
            let passed = jumps.pass(tree, id);
            let flagged = Flagged {
                number,
                parts,
                passed,
            };
            (id, flagged)
        };
        numbered.map(flagged).collect()
    }

    /// The variables that are declared in blocks.
    fn in_blocks(&self) -> impl Iterator<Item = ObjectId> + '_ {
        let decls = self.unit.tree.decls.iter();
        let decls = decls.filter(|(id, _)| self.begins_anew(*id));
        decls.flat_map(|(_, decl)| {
            decl.declared.iter().filter_map(|d| match d.entity {
                Entity::Object(object) => Some(object),
                _ => None,
            })
        })
    }

    /// Lets a variable lose its value at the jumps that may pass its declaration: its block is entered anew.
    fn passed(&mut self, object: ObjectId, flagged: &Flagged) -> Result<(), EditError> {
        let tree = &self.unit.tree;
        for goto in Jumps::of(tree).gotos_past(tree, object) {
            let lost = format!("{{ {}", flagged.declared(false));
            self.edits.wrap(tree.stmts[goto].span, lost, " }")?;
        }
        for (_, stmt) in tree.stmts.iter() {
            if let StmtKind::Switch { cond, body, .. } = stmt.kind {
                if encloses(tree, body, object) {
                    let lost = format!("({}0, ", flagged.elements());
                    self.edits.wrap(tree.exprs[cond].span, lost, ")")?;
                }
            }
        }
        Ok(())
    }

    /// Whether the flags can track an expression's access to the variable: the expression can be
    /// evaluated twice, and what it assigns has one flag for each part.
    fn is_followed(&self, ident: ExprId, parts: &[Part], taken: impl Fn(ObjectId) -> bool) -> bool {
        let tree = &self.unit.tree;
        if usage(tree, ident) == Use::Address {
            return true;
        }
        let Some(access) = Access::of(tree, ident) else {
            return false;
        };
        let mut indexes = access.indexes.iter();
        let stable = indexes.all(|&index| is_stable(tree, index, &taken));
        let text = self.unit.text_of(tree.exprs[access.whole].span);
        let plain = !text.contains(['\n', '\\', '"', '#']);
        let writes = usage(tree, ident) != Use::Read;
        let mut named = parts.iter().filter(|part| access.has(part));
        stable && plain && (!writes || named.all(|part| access.is_one_of(part)))
    }

    /// The expression that makes a pointer to the object that an identifier begins to name: by `&`, or from an array.
    fn pointer_of(&self, ident: ExprId) -> ExprId {
        let tree = &self.unit.tree;
        let mut at = ident;
        while let Parent::Expr(outer) = tree.exprs[at].parent {
            let array = matches!(tree.types.get(tree.exprs[at].ty), Type::Array(..));
            match &tree.exprs[outer].kind {
                ExprKind::Member { arrow: false, .. } => at = outer,
                ExprKind::Index { base, .. } if array && *base == at => at = outer,
                ExprKind::AddressOf(_) => return outer,
                _ => break,
            }
        }
        at
    }

    /// Whether the pass can insert, at this place, that a pointer to a variable becomes a value: the program stores the
    /// pointer, or passes it to a function without a special meaning.
    fn can_note(&self, ident: ExprId) -> bool {
        let tree = &self.unit.tree;
        let mut at = self.pointer_of(ident);
        while let Parent::Expr(outer) = tree.exprs[at].parent {
            match &tree.exprs[outer].kind {
                ExprKind::Cast(_) => at = outer,
                ExprKind::Assign { rhs, op: None, .. } => return *rhs == at,
                ExprKind::Call { callee, .. } if *callee != at => {
                    let ExprKind::Ident(Resolved::Function(function)) = tree.exprs[*callee].kind
                    else {
                        return false;
                    };
                    let name = tree.functions[function].name.as_str();
                    return cfront::library::function(name).is_none() && !name.starts_with("__");
                }
                _ => return false,
            }
        }
        matches!(tree.exprs[at].parent, Parent::Init(_))
    }

    /// Whether a function belongs to the user's program.
    fn is_users(&self, function: FunctionId) -> bool {
        let function = &self.unit.tree.functions[function];
        !function.name.starts_with("ba_") && !function.in_system_header
    }

    /// The check of a condition in C.
    fn ask(&self, holds: &str, what: &str, name: &str) -> String {
        let Dialect {
            assertion,
            assumption,
            ..
        } = self.dialect;
        match self.asked {
            Question::Assumed => format!("{assumption}({holds})"),
            Question::Told => format!("{assertion}({holds}, \"{what} in {name}\")"),
        }
    }

    fn variables(&mut self, flags: &Flags) -> Result<(), EditError> {
        let tree = &self.unit.tree;
        for (&id, flagged) in flags {
            if flagged.passed {
                self.passed(id, flagged)?;
            }
            let object = &tree.objects[id];
            let body = object
                .function
                .and_then(|f| tree.functions[f].body.as_ref());
            if let Some(StmtKind::Compound { open, .. }) = body.map(|b| &tree.stmts[b.block].kind) {
                self.edits.insert(open + 1, 0, declaration(flagged))?;
            }
        }
        for (id, decl) in tree.decls.iter() {
            let begins_anew = self.begins_anew(id);
            for declared in decl.declared.iter().filter(|_| begins_anew) {
                let Entity::Object(object) = declared.entity else {
                    continue;
                };
                if let Some(flagged) = flags.get(&object) {
                    // Before the declaration, because its initialisers run after the insertion.
                    let set = flagged.declared(tree.objects[object].init.is_some());
                    self.edits.insert(decl.span.start, 0, set)?;
                }
            }
        }
        for (id, expr) in tree.exprs.iter() {
            let ExprKind::Ident(Resolved::Object(object)) = expr.kind else {
                continue;
            };
            if let Some(flagged) = flags.get(&object) {
                self.used(id, flagged)?;
            }
        }
        Ok(())
    }

    /// Whether a declaration is in a block: each time control reaches it, its variables lose their
    /// values.
    fn begins_anew(&self, decl: DeclId) -> bool {
        let Parent::Stmt(outer) = self.unit.tree.decls[decl].parent else {
            return false;
        };
        matches!(self.unit.tree.stmts[outer].kind, StmtKind::Compound { .. })
    }

    /// Inserts the check or the assignment of flags at an occurrence of a flagged variable.
    fn used(&mut self, ident: ExprId, flagged: &Flagged) -> Result<(), EditError> {
        let tree = &self.unit.tree;
        if usage(tree, ident) == Use::Address {
            let span = tree.exprs[self.pointer_of(ident)].span;
            let all = flagged.elements();
            return self.edits.wrap(span, format!("({all}1, "), ")");
        }
        let Some(access) = Access::of(tree, ident) else {
            return Ok(());
        };
        if self.is_saved(access.whole) {
            return Ok(());
        }
        let span = tree.exprs[access.whole].span;
        let name = self.unit.text_of(span);
        let guard = self.guard(&access, &flagged.parts);
        // A structure that is read as a whole need not be assigned completely.
        let scalar = flagged.parts.iter().position(|part| access.is(part));
        let ask = scalar.map(|part| {
            let flag = self.flag(flagged, part, &access);
            let holds = guard
                .as_ref()
                .map_or(flag.clone(), |inside| format!("(!({inside}) || {flag})"));
            self.ask(&holds, "uninitialised variable", name)
        });
        match (usage(tree, ident), ask) {
            (Use::Read, Some(ask)) => self.edits.wrap(span, format!("({ask}, "), ")"),
            (Use::Write | Use::ReadWrite, ask) => {
                let Parent::Expr(writes) = tree.exprs[access.whole].parent else {
                    return Ok(());
                };
                let span = tree.exprs[writes].span;
                match (&tree.exprs[writes].kind, ask) {
                    (ExprKind::Assign { op: None, .. }, _) => {
                        let given = self.given(flagged, &access, guard.as_deref());
                        self.edits.wrap(span, "(", format!(", {given}{name})"))
                    }
                    (_, Some(ask)) => self.edits.wrap(span, format!("({ask}, "), ")"),
                    (_, None) => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// Whether the monitors save a value, or compare it with the saved one, to see whether a state comes back: the program does
    /// not read it there.
    fn is_saved(&self, whole: ExprId) -> bool {
        let tree = &self.unit.tree;
        let Parent::Expr(parent) = tree.exprs[whole].parent else {
            return false;
        };
        let (one, other) = match tree.exprs[parent].kind {
            ExprKind::Assign { lhs, rhs, .. } => (lhs, rhs),
            ExprKind::Binary(BinaryOp::Eq, lhs, rhs) => (lhs, rhs),
            _ => return false,
        };
        let is_copy = |e: ExprId| {
            let object = tree.root(e).0.map(|object| &tree.objects[object].name);
            e != whole && object.is_some_and(|name| name.starts_with("ba_") && name.contains(SAVED))
        };
        is_copy(one) || is_copy(other)
    }

    /// The flag of the accessed element of a part, as C.
    fn flag(&self, flagged: &Flagged, part: usize, access: &Access) -> String {
        let index = |&e: &ExprId| format!("[{}]", self.unit.text_of(self.unit.tree.exprs[e].span));
        let own = flagged.parts[part].lengths.len();
        let indexes: String = access.indexes.iter().take(own).map(index).collect();
        format!("{}{indexes}", flagged.flag(part))
    }

    /// The condition that all indices are inside their arrays, as C; `None` without indices. Other
    /// accesses are not about indeterminate values.
    fn guard(&self, access: &Access, parts: &[Part]) -> Option<String> {
        let lengths = &parts.iter().find(|part| access.has(part))?.lengths;
        let within = |(&e, length): (&ExprId, &u64)| {
            let text = self.unit.text_of(self.unit.tree.exprs[e].span);
            format!("(unsigned long)({text}) < {length}")
        };
        let all: Vec<String> = access.indexes.iter().zip(lengths).map(within).collect();
        (!all.is_empty()).then(|| all.join(" && "))
    }

    /// Sets the flags of everything that an expression assigns, as comma operands that end with a
    /// comma.
    fn given(&self, flagged: &Flagged, access: &Access, guard: Option<&str>) -> String {
        let named = flagged.parts.iter().enumerate();
        let named = named.filter(|(_, part)| access.has(part));
        let one = |(number, _): (usize, &Part)| {
            let flag = self.flag(flagged, number, access);
            match guard {
                Some(inside) => format!("({inside}) ? ({flag} = 1) : 0, "),
                None => format!("{flag} = 1, "),
            }
        };
        named.map(one).collect()
    }

    /// Checks functions that may end without `return` and whose result every call uses.
    fn functions(&mut self) -> Result<(), EditError> {
        let tree = &self.unit.tree;
        let calls = self.calls();
        for (id, function) in tree.functions.iter() {
            let (Some(body), Some(flow)) = (&function.body, self.unit.flows.get(&id)) else {
                continue;
            };
            let result = tree.types.function(function.ty).map(|f| f.ret);
            let valued = result.is_some_and(|r| tree.types.class(r) != Class::Void);
            let asked = valued && self.is_users(id) && calls.get(&id) == Some(&true);
            if !asked || function.name == "main" || !flow.falls_off(tree) {
                continue;
            }
            if let StmtKind::Compound { close, .. } = tree.stmts[body.block].kind {
                let ask = self.ask("0", "missing return value", &function.name);
                self.edits.insert(close, 0, format!(" {ask}; "))?;
            }
        }
        Ok(())
    }

    /// Checks that no call is made whose behaviour is undefined whatever its arguments.
    fn unreachable(&mut self) -> Result<(), EditError> {
        let tree = &self.unit.tree;
        for (id, expr) in tree.exprs.iter().filter(|(_, e)| !e.unevaluated) {
            let called = match expr.kind {
                ExprKind::Call { .. } => called_name(tree, id),
                _ => None,
            };
            let Some(name) = called.filter(|n| is_undefined(n)) else {
                continue;
            };
            let ask = self.ask("0", "unreachable code that is reached", name);
            self.edits.wrap(expr.span, format!("({ask}, "), ")")?;
        }
        Ok(())
    }

    /// For each function whose name is used, whether every use is a call in the user's program
    /// whose result is used.
    fn calls(&self) -> BTreeMap<FunctionId, bool> {
        let tree = &self.unit.tree;
        let mut calls = BTreeMap::new();
        for (id, expr) in tree.exprs.iter().filter(|(_, e)| !e.unevaluated) {
            let ExprKind::Ident(Resolved::Function(function)) = expr.kind else {
                continue;
            };
            let call = match expr.parent {
                Parent::Expr(outer) => match &tree.exprs[outer].kind {
                    ExprKind::Call { callee, .. } if *callee == id => Some(outer),
                    _ => None,
                },
                _ => None,
            };
            let used = call.is_some_and(|call| self.is_used(call) && self.stands_in_users(call));
            let all = calls.entry(function).or_insert(true);
            *all &= used;
        }
        calls
    }

    /// Whether the user's program uses the value of an expression.
    fn is_used(&self, id: ExprId) -> bool {
        let tree = &self.unit.tree;
        match tree.exprs[id].parent {
            Parent::Stmt(stmt) => !matches!(
                tree.stmts[stmt].kind,
                StmtKind::Expr(_) | StmtKind::For { .. }
            ),
            Parent::Expr(outer) => match &tree.exprs[outer].kind {
                ExprKind::Cast(_) => {
                    tree.types.class(tree.exprs[outer].ty) != Class::Void && self.is_used(outer)
                }
                ExprKind::Comma(list) => list.last() == Some(&id) && self.is_used(outer),
                ExprKind::Conditional { cond, .. } => *cond == id || self.is_used(outer),
                _ => true,
            },
            Parent::Init(_) | Parent::Declarator(..) => true,
            _ => false,
        }
    }

    /// Whether an expression is in a function of the user's program.
    fn stands_in_users(&self, id: ExprId) -> bool {
        let tree = &self.unit.tree;
        let mut at = tree.exprs[id].parent;
        let function = loop {
            at = match at {
                Parent::Expr(e) => tree.exprs[e].parent,
                Parent::Init(i) => tree.inits[i].parent,
                Parent::Stmt(s) => break tree.stmts[s].function,
                Parent::Decl(d) | Parent::Declarator(d, _) => break tree.decls[d].function,
                Parent::Function(f) => break Some(f),
                Parent::File | Parent::Constant | Parent::Fragment => break None,
            };
        };
        function.is_some_and(|f| self.is_users(f))
    }
}
