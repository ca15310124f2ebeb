//! Values that nothing gave: variables that are read before they are written, and results of functions that
//! end without returning one. C gives their use no meaning (C11, 6.3.2.1 and 6.9.1), model checkers take any
//! value, and none of those that this project works with has a check of its own for it.
//!
//! The check is put into the program that a model checker gets: each automatic variable that no initialiser and no
//! pointer writes has a flag beside it, which says whether it was assigned; a read asks the flag. Members of
//! structures and elements of small arrays have flags of their own. A structure may be copied before all of it was
//! given (C11, 6.2.6.1), so that only its members are asked about. Where the address of a variable is taken, its
//! value is merely unspecified, and nothing is asked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cfront::access::{address_taken, usage, Use};
use cfront::output::OutputOptions;
use cfront::preprocess::{preprocess, MacroOption, Options as PreprocessOptions};
use cfront::span::{DeclId, ExprId, FunctionId, ObjectId};
use cfront::tree::{Entity, ExprKind, Object, Parent, Resolved, StmtKind, Storage};
use cfront::types::Class;
use cfront::{EditError, Edits, Unit};

mod parts;

use parts::{is_stable, parts, Access, Part};

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

/// A variable that has flags.
struct Flagged {
    /// Its number among them.
    number: usize,
    /// The parts that are told apart.
    parts: Vec<Part>,
}

impl Flagged {
    /// The name of the flag of a part, or of its array of flags.
    fn flag(&self, part: usize) -> String {
        format!("ba_given_{}_{part}", self.number)
    }

    /// The statement that takes all flags back.
    fn reset(&self) -> String {
        let flags = self.parts.iter().enumerate().flat_map(|(n, part)| {
            let name = self.flag(n);
            let elements = part.elements().into_iter();
            elements.map(move |element| format!("{name}{element} = "))
        });
        format!(" {}0;", flags.collect::<String>())
    }
}

/// The variables that have flags.
type Flags = BTreeMap<ObjectId, Flagged>;

/// The declaration of the flags of a variable, which nothing has given a value yet.
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
        let bare = |id: &ObjectId, object: &Object| {
            object.storage == Storage::Local
                && object.init.is_none()
                && object.function.is_some_and(|f| self.is_users(f))
                && !object.name.starts_with("ba_")
                && !taken.contains_key(id)
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
        let flagged = |(number, (id, parts))| (id, Flagged { number, parts });
        numbered.map(flagged).collect()
    }

    /// Whether the flags of the parts of a variable can follow what an expression does with it: its text can be
    /// written down once more, and what it assigns has one flag for each part.
    fn is_followed(&self, ident: ExprId, parts: &[Part], taken: impl Fn(ObjectId) -> bool) -> bool {
        let tree = &self.unit.tree;
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
        for (&object, flagged) in flags {
            let object = &tree.objects[object];
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
                    self.edits.insert(decl.span.end, 0, flagged.reset())?;
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

    /// Whether a declaration stands in a block: each time that control comes there its variables lose what they
    /// had.
    fn begins_anew(&self, decl: DeclId) -> bool {
        let Parent::Stmt(outer) = self.unit.tree.decls[decl].parent else {
            return false;
        };
        matches!(self.unit.tree.stmts[outer].kind, StmtKind::Compound { .. })
    }

    /// A variable with flags is named.
    fn used(&mut self, ident: ExprId, flagged: &Flagged) -> Result<(), EditError> {
        let tree = &self.unit.tree;
        let Some(access) = Access::of(tree, ident) else {
            return Ok(());
        };
        let span = tree.exprs[access.whole].span;
        let name = self.unit.text_of(span);
        let guard = self.guard(&access, &flagged.parts);
        // What is read of a structure as a whole need not all be given.
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

    /// The flag of what an expression names of a part, as C.
    fn flag(&self, flagged: &Flagged, part: usize, access: &Access) -> String {
        let index = |&e: &ExprId| format!("[{}]", self.unit.text_of(self.unit.tree.exprs[e].span));
        let indexes: String = access.indexes.iter().map(index).collect();
        format!("{}{indexes}", flagged.flag(part))
    }

    /// The condition that all indices are within their arrays, as C; nothing where there are none. Others are no
    /// question of values.
    fn guard(&self, access: &Access, parts: &[Part]) -> Option<String> {
        let lengths = &parts.iter().find(|part| access.has(part))?.lengths;
        let within = |(&e, length): (&ExprId, &u64)| {
            let text = self.unit.text_of(self.unit.tree.exprs[e].span);
            format!("(unsigned long)({text}) < {length}")
        };
        let all: Vec<String> = access.indexes.iter().zip(lengths).map(within).collect();
        (!all.is_empty()).then(|| all.join(" && "))
    }

    /// What notes that an expression has given all that it names a value: operands of a comma, each with its comma.
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
