//! Values that nothing gave: variables that are read before they are written, and results of functions that
//! end without returning one. C gives their use no meaning (C11, 6.3.2.1 and 6.9.1), model checkers take any
//! value, and none of those that this project works with has a check of its own for it.
//!
//! The check is put into the program that a model checker gets: each automatic variable of a scalar type that no
//! initialiser and no pointer writes has a flag beside it, which says whether it was assigned; a read asks
//! the flag. Where the address of a variable is taken, its value is merely unspecified, and nothing is asked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cfront::access::{address_taken, usage, Use};
use cfront::output::OutputOptions;
use cfront::preprocess::{preprocess, MacroOption, Options as PreprocessOptions};
use cfront::span::{DeclId, ExprId, FunctionId, ObjectId};
use cfront::tree::{Entity, ExprKind, Object, Parent, Resolved, StmtKind, Storage};
use cfront::types::Class;
use cfront::{EditError, Edits, Unit};

/// The macro that is defined, behind `BA_` and what sets emitted names apart, where values that nothing gave are
/// asked about.
pub const VALUES: &str = "BA_VALUES";

/// What happens at the use of such a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// The run is left out.
    Assumed,
    /// An assertion fails.
    Told,
}

/// The checks of a program that is preprocessed and monitored, as insertions into its text.
///
/// # Errors
/// Never for a program that was parsed; an insertion with a line break otherwise.
pub fn checks(unit: &Unit, asked: Question) -> Result<Edits, EditError> {
    let mut pass = Pass {
        unit,
        asked,
        edits: Edits::new(),
    };
    let flags = pass.flags();
    pass.variables(&flags)?;
    pass.functions()?;
    Ok(pass.edits)
}

/// The file of a monitored program with the checks, in a directory; none if there is nothing to check or the file
/// cannot be read as C.
pub(crate) fn file(
    source: &Path,
    defines: &[(String, String)],
    dialect: Option<&str>,
    asked: Question,
    directory: &Path,
) -> Option<PathBuf> {
    let define = |(name, value): &(String, String)| {
        MacroOption::Define(match value.as_str() {
            "" => name.clone(),
            value => format!("{name}={value}"),
        })
    };
    // The form of the text that is for model checkers.
    let checkers = [MacroOption::Define("__CPROVER__".into())];
    let how = PreprocessOptions {
        std: dialect.map(str::to_owned),
        macros: defines.iter().map(define).chain(checkers).collect(),
        ..PreprocessOptions::default()
    };
    let text = preprocess(source, &how).ok()?.source;
    let unit = Unit::parse(text).ok()?;
    let edits = checks(&unit, asked).ok().filter(|e| !e.is_empty())?;
    let text = unit.emit(&edits, &OutputOptions::default()).ok()?;
    let to = directory.join(source.file_name()?);
    std::fs::write(&to, text).ok()?;
    Some(to)
}

/// The flag of each variable that has one, by its number.
type Flags = BTreeMap<ObjectId, usize>;

struct Pass<'a> {
    unit: &'a Unit,
    asked: Question,
    edits: Edits,
}

impl Pass<'_> {
    /// The variables that may be read before they are written, as far as flags can tell.
    fn flags(&self) -> Flags {
        let tree = &self.unit.tree;
        let taken = address_taken(tree);
        let in_assembler: BTreeSet<ObjectId> = tree
            .stmts
            .iter()
            .flat_map(|(_, stmt)| tree.named_by_assembler(stmt).map(|(o, _)| o))
            .collect();
        let bare = |(id, object): &(ObjectId, &Object)| {
            let plain = !object.ty.quals.is_volatile && !object.ty.quals.is_atomic;
            let scalar = [Class::Scalar, Class::Pointer].contains(&tree.types.class(object.ty));
            object.storage == Storage::Local
                && object.init.is_none()
                && plain
                && scalar
                && object.function.is_some_and(|f| self.is_users(f))
                && !object.name.starts_with("ba_")
                && !taken.contains_key(id)
                && !in_assembler.contains(id)
        };
        let candidates = tree.objects.iter().filter(bare);
        candidates.enumerate().map(|(n, (id, _))| (id, n)).collect()
    }

    /// Whether a function is one of the user's program.
    fn is_users(&self, function: FunctionId) -> bool {
        let function = &self.unit.tree.functions[function];
        !function.name.starts_with("ba_") && !function.in_system_header
    }

    /// What happens where a condition does not hold.
    fn ask(&self, holds: &str, what: &str, name: &str) -> String {
        match self.asked {
            Question::Assumed => format!("__CPROVER_assume({holds})"),
            Question::Told => format!("__CPROVER_assert({holds}, \"{what} in {name}\")"),
        }
    }

    fn variables(&mut self, flags: &Flags) -> Result<(), EditError> {
        let tree = &self.unit.tree;
        for (&object, &flag) in flags {
            let object = &tree.objects[object];
            let body = object
                .function
                .and_then(|f| tree.functions[f].body.as_ref());
            if let Some(StmtKind::Compound { open, .. }) = body.map(|b| &tree.stmts[b.block].kind) {
                let text = format!(" unsigned char ba_given_{flag} = 0;");
                self.edits.insert(open + 1, 0, text)?;
            }
        }
        for (id, decl) in tree.decls.iter() {
            let begins_anew = self.begins_anew(id);
            for declared in decl.declared.iter().filter(|_| begins_anew) {
                let Entity::Object(object) = declared.entity else {
                    continue;
                };
                if let Some(flag) = flags.get(&object) {
                    let text = format!(" ba_given_{flag} = 0;");
                    self.edits.insert(decl.span.end, 0, text)?;
                }
            }
        }
        for (id, expr) in tree.exprs.iter() {
            let ExprKind::Ident(Resolved::Object(object)) = expr.kind else {
                continue;
            };
            if let Some(&flag) = flags.get(&object) {
                self.used(id, flag, &tree.objects[object].name)?;
            }
        }
        Ok(())
    }

    /// Whether a declaration stands in a block: each time that control comes there its variables lose what they
    /// had.
    fn begins_anew(&self, decl: DeclId) -> bool {
        let Parent::Stmt(outer) = self.unit.tree.decls[decl].parent else {
            return false;
        };
        matches!(self.unit.tree.stmts[outer].kind, StmtKind::Compound { .. })
    }

    /// A variable with a flag is named.
    fn used(&mut self, id: ExprId, flag: usize, name: &str) -> Result<(), EditError> {
        let tree = &self.unit.tree;
        let ask = self.ask(&format!("ba_given_{flag}"), "uninitialised variable", name);
        match usage(tree, id) {
            Use::Read => self
                .edits
                .wrap(tree.exprs[id].span, format!("({ask}, "), ")"),
            Use::Write | Use::ReadWrite => {
                let Parent::Expr(writes) = tree.exprs[id].parent else {
                    return Ok(());
                };
                let span = tree.exprs[writes].span;
                match &tree.exprs[writes].kind {
                    ExprKind::Assign { op: None, .. } => {
                        let after = format!(", ba_given_{flag} = 1, {name})");
                        self.edits.wrap(span, "(", after)
                    }
                    _ => self.edits.wrap(span, format!("({ask}, "), ")"),
                }
            }
            Use::Address | Use::None => Ok(()),
        }
    }

    /// Functions that may end without returning a value, where every call uses it.
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

    /// For each function whose name is used: whether it is called, and every use of its name is a call of the user's
    /// program whose value is used.
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

    /// Whether something in the user's program is done with the value of an expression.
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

    /// Whether an expression stands in a function of the user's.
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
