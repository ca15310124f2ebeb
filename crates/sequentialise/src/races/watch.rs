//! The question whether a possible race is one, as the question whether a program reaches a state: in
//! front of each access that may take part, a thread says which memory it is about to access, and
//! then, in a later step, that it is not any more. If another thread is about to access the same memory
//! meanwhile, both accesses can be next.
//!
//! For programs that synchronise by locks and sequentially consistent atomics, two accesses are a race
//! in some run exactly if in some sequentially consistent run both can be next (Adve and Hill, 1993;
//! Boehm and Adve, PLDI 2008). A thread that says so too late misses nothing: where both can be next,
//! the other one may have waited before saying it.
//!
//! Where orders are weaker, a run of the model of C11's memory has a race where a thread makes one access,
//! another one that races with it, and the first does not happen before the second. One access of a run
//! is chosen, and the model follows what happens after it (`templates/memory/races.c`). Up to its first race, accesses that
//! are not atomic read the last store, so that they need no model.

use std::collections::{BTreeMap, BTreeSet};

use cfront::library::Writes;
use cfront::span::Id as _;
use cfront::tree::{ExprKind, Parent};
use cfront::types::Type;
use cfront::{Edits, ExprId, Source, Span};

use super::run::Run;
use super::says::{self, Form, Says};
use super::site::{Part, Seen, Site};

/// A program that says when two accesses of a possible race can both be next.
#[derive(Clone, Debug)]
pub struct Watched {
    /// Its text, in which every line has its number.
    pub source: Source,
    /// The formula that holds on all its runs if there is no such race.
    pub formula: String,
    /// The variable with the number of the access that a thread is about to make, from 1; else 0.
    pub first: String,
    /// The variable with the number of the other access, when both can be next.
    pub second: String,
    /// The accesses, by their numbers from 1.
    pub sites: Vec<Span>,
    /// Why some possible race is not watched, or only in part: then only a race that is found counts.
    pub partly: Option<String>,
    /// If so, the program in which accesses count for more memory than they may concern: without a race there, there is none.
    pub covering: Option<Box<Watched>>,
}

/// What counts as the memory of an access whose size is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sizes {
    /// The first byte.
    Least,
    /// The array, or the object, which no access leaves.
    Most,
}

/// How the memory of some accesses is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Compared {
    /// All access the same object.
    Object,
    /// Those with one address access the same, and others are apart.
    Address,
    /// Those whose bytes overlap access the same.
    Bytes,
}

/// The program that says what its accesses are that possible races connect.
pub(super) fn watched(run: &Run, pairs: &BTreeSet<(usize, usize)>, form: Form) -> Option<Watched> {
    let least = watched_with(Weaver::of(run, pairs, form, Sizes::Least))?;
    let most = || watched_with(Weaver::of(run, pairs, form, Sizes::Most));
    let covering = least.partly.is_some().then(most).flatten();
    Some(Watched {
        covering: covering.filter(|c| c.partly.is_none()).map(Box::new),
        ..least
    })
}

fn watched_with(mut weaver: Weaver) -> Option<Watched> {
    let run = weaver.run;
    let sites: Vec<Site> = weaver.groups.keys().copied().collect();
    for (number, &site) in (1..).zip(&sites) {
        if let Err(why) = weaver.site(site, number) {
            weaver.partly.get_or_insert(why);
        }
    }
    let name = weaver.prefix.clone();
    Some(Watched {
        formula: format!("G !({{{name}_first != 0}} && {{{name}_second != 0}})"),
        first: format!("{name}_first"),
        second: format!("{name}_second"),
        sites: sites
            .iter()
            .map(|s| run.facts.tree.exprs[s.expr].span)
            .collect(),
        partly: weaver.partly.clone(),
        covering: None,
        source: weaver.source()?,
    })
}

struct Weaver<'r, 'a, 'u> {
    run: &'r Run<'a, 'u>,
    form: Form,
    sizes: Sizes,
    edits: Edits,
    /// The beginning of the names of what is added.
    prefix: String,
    /// The group of each site.
    groups: BTreeMap<Site, usize>,
    compared: BTreeMap<usize, Compared>,
    /// Sites that some thread has to watch from.
    watching: BTreeSet<Site>,
    partly: Option<String>,
    /// The first function that has a site.
    begin: Option<usize>,
}

impl<'r, 'a, 'u> Weaver<'r, 'a, 'u> {
    fn of(
        run: &'r Run<'a, 'u>,
        pairs: &BTreeSet<(usize, usize)>,
        form: Form,
        sizes: Sizes,
    ) -> Self {
        let mut prefix = crate::models::WATCHED.to_owned();
        while run.facts.unit.text().contains(&prefix) {
            prefix.push('_');
        }
        let mut weaver = Weaver {
            run,
            form,
            sizes,
            edits: Edits::new(),
            prefix,
            groups: grouped(run, pairs),
            compared: BTreeMap::new(),
            watching: BTreeSet::new(),
            partly: None,
            begin: None,
        };
        let tree = run.facts.tree;
        let sections = tree
            .functions
            .iter()
            .any(|(_, f)| f.name.starts_with("__VERIFIER_atomic_"));
        let atomic = |seen: &Seen| seen.held.contains_key(&super::state::Lock::Atomic);
        for &(a, b) in pairs {
            let (a, b) = (&run.seen[a], &run.seen[b]);
            // No other thread runs while one is in an atomic section, so that the other has to watch.
            let first = if a.site.writes && !atomic(a) || atomic(b) {
                a
            } else {
                b
            };
            weaver.watching.insert(first.site);
            if sections {
                // Whether an access is in a section may differ from path to path.
                weaver.watching.extend([a.site, b.site]);
            }
        }
        weaver.compare();
        weaver
    }

    /// Decides how the memory of each group is compared. A site may be reached with other objects, too,
    /// that no possible race concerns.
    fn compare(&mut self) {
        let count = self.groups.values().max().copied().unwrap_or_default();
        for group in 1..=count {
            let seen = self.run.seen.iter();
            let of_group = seen.filter(|s| self.groups.get(&s.site) == Some(&group));
            let all: Vec<&Seen> = of_group.collect();
            let path = all.first().and_then(|s| s.path.clone());
            let object = path.filter(|p| p.is_constant() && self.run.is_single(p.memory));
            let one = object.is_some() && all.iter().all(|s| s.path == all[0].path);
            let sizes: BTreeSet<Option<u64>> = all.iter().map(|s| self.scalar(&s.site)).collect();
            let compared = match (one, sizes.len()) {
                (true, _) => Compared::Object,
                (_, 1) if !sizes.contains(&None) => Compared::Address,
                _ => Compared::Bytes,
            };
            self.compared.insert(group, compared);
        }
    }

    /// The size of a scalar that a site accesses.
    fn scalar(&self, site: &Site) -> Option<u64> {
        let tree = self.run.facts.tree;
        let ty = tree.exprs[site.expr].ty;
        let scalar = !matches!(tree.type_of(ty), Type::Record(_) | Type::Array(..))
            && tree.bit_field(site.expr).is_none()
            && site.part == Part::Lvalue;
        scalar
            .then(|| cfront::consteval::size_of(tree, ty))
            .flatten()
    }

    fn text(&self, e: ExprId) -> Result<String, String> {
        let text = self
            .run
            .facts
            .unit
            .text_of(self.run.facts.tree.exprs[e].span);
        // A macro's argument stands between lines that say where it comes from.
        let is_mark = |line: &&str| {
            let rest = line.trim_start().strip_prefix('#');
            rest.is_some_and(|r| r.trim_start().starts_with(|c: char| c.is_ascii_digit()))
        };
        let lines: Vec<&str> = text.lines().filter(|line| !is_mark(line)).collect();
        match lines.iter().any(|line| line.contains('#')) {
            true => Err(format!("`{}` is made by several lines", text.trim())),
            false => Ok(lines.join(" ").trim().to_owned()),
        }
    }

    /// Whether an expression may be evaluated twice: it has no effect, and is a way through locals.
    fn is_simple(&self, e: ExprId) -> bool {
        let tree = self.run.facts.tree;
        if tree.exprs[e].ty.quals.is_atomic || self.groups.keys().any(|s| s.expr == e) {
            return false;
        }
        match &tree.exprs[e].kind {
            ExprKind::Ident(_) | ExprKind::Int(_) | ExprKind::Char(_) | ExprKind::SizeofType(_) => {
                true
            }
            ExprKind::Member { base, arrow, .. } => {
                self.is_simple_place(*base) && (!*arrow || self.is_simple(*base))
            }
            ExprKind::Index { base, index } => {
                self.is_simple_place(*base) && self.is_simple(*index)
            }
            ExprKind::Cast(of) | ExprKind::AddressOf(of) => self.is_simple_place(*of),
            ExprKind::Deref(of) => self.is_simple(*of),
            ExprKind::Binary(_, a, b) => self.is_simple(*a) && self.is_simple(*b),
            _ => cfront::consteval::eval(tree, e).is_some(),
        }
    }

    /// The place of an lvalue is determined without other accesses that matter.
    fn is_simple_place(&self, e: ExprId) -> bool {
        let tree = self.run.facts.tree;
        match &tree.exprs[e].kind {
            ExprKind::Ident(_) => true,
            ExprKind::Member { base, arrow, .. } => match arrow {
                true => self.is_simple(*base),
                false => self.is_simple_place(*base),
            },
            ExprKind::Index { base, index } => {
                let array = matches!(tree.type_of(tree.exprs[*base].ty), Type::Array(..));
                let base = match array {
                    true => self.is_simple_place(*base),
                    false => self.is_simple(*base),
                };
                base && self.is_simple(*index)
            }
            ExprKind::Deref(of) => self.is_simple(*of),
            _ => self.is_simple(e),
        }
    }

    /// Inserts what watches a site.
    fn site(&mut self, site: Site, number: usize) -> Result<(), String> {
        let facts = self.run.facts;
        let tree = facts.tree;
        let expr = &tree.exprs[site.expr];
        if facts.unit.source.lines.kind(expr.span.start) != cfront::linemap::RegionKind::User {
            return Err("a header of the system accesses shared memory".to_owned());
        }
        let function = tree.function_of(expr.parent);
        let body = function.and_then(|f| tree.functions[f].body.as_ref());
        let Some(start) = body.map(|body| body.span.start) else {
            return Err("an access is in no function".to_owned());
        };
        self.begin = Some(self.begin.map_or(start, |b: usize| b.min(start)));
        match site.part {
            Part::Lvalue => self.lvalue(site, number),
            Part::Target(n) | Part::Bytes(n, _) | Part::Some(n) => self.argument(site, number, n),
            Part::Further(_) => {
                let name = crate::library::name_of(tree, site.expr).unwrap_or("a function");
                Err(format!("which memory `{name}` accesses is not known"))
            }
        }
    }

    /// What a thread says in front of an access of this memory.
    fn says(&self, site: Site, number: usize, (at, size): (&str, &str)) -> String {
        let group = self.groups.get(&site).copied().unwrap_or_default();
        let says = Says {
            name: &self.prefix,
            number,
            group,
            writes: site.writes,
            atomic: site.atomic,
            memory: match self.compared.get(&group) {
                Some(Compared::Object) => None,
                Some(Compared::Address) => Some((at, "1")),
                _ => Some((at, size)),
            },
            watching: self.watching.contains(&site),
        };
        says.text(self.form)
    }

    fn lvalue(&mut self, site: Site, number: usize) -> Result<(), String> {
        let tree = self.run.facts.tree;
        let e = site.expr;
        if let Some(says) = self.bit_field(site, number)? {
            return self.in_front(e, &says);
        }
        let text = self.text(e)?;
        if self.is_simple_place(e) {
            let at = format!("&({text})");
            let says = self.says(site, number, (&at, &format!("sizeof({text})")));
            return self.in_front(e, &says);
        }
        // No name of what a thread says of the access, which stands within the scope of this one.
        let name = format!("{}_place", self.prefix);
        let (at, size) = (name.clone(), format!("sizeof(*{name})"));
        let says = self.says(site, number, (&at, &size));
        let before = format!("(*({{ __typeof__({text}) *{name} = &(");
        let after = format!("); {says}; {name}; }}))");
        self.wrap(tree.exprs[e].span, before, after)
    }

    /// What says the access of a bit-field, as one of all bytes of its structure, if it is one.
    fn bit_field(&mut self, site: Site, number: usize) -> Result<Option<String>, String> {
        let tree = self.run.facts.tree;
        if tree.bit_field(site.expr).is_none() {
            return Ok(None);
        }
        let ExprKind::Member { base, arrow, .. } = tree.exprs[site.expr].kind else {
            return Ok(None);
        };
        let text = self.text(base)?;
        let group = self.groups.get(&site).copied().unwrap_or_default();
        if self.compared.get(&group) == Some(&Compared::Object) {
            return Ok(Some(self.says(site, number, ("0", "0"))));
        }
        // Members beside it would count as the same.
        let one = self.groups.iter().filter(|(_, g)| **g == group);
        let fields = one
            .map(|(s, _)| s)
            .all(|s| tree.bit_field(s.expr).is_some());
        if !fields || !self.is_simple_place(base) {
            return Err("a bit-field may be accessed together with other memory".to_owned());
        }
        let (at, size) = match arrow {
            true => (format!("({text})"), format!("sizeof(*({text}))")),
            false => (format!("&({text})"), format!("sizeof({text})")),
        };
        Ok(Some(self.says(site, number, (&at, &size))))
    }

    /// Puts a call in front of the access of an lvalue that is determined without effects.
    fn in_front(&mut self, lvalue: ExprId, says: &str) -> Result<(), String> {
        let tree = self.run.facts.tree;
        let mut whole = lvalue;
        if let Parent::Expr(parent) = tree.exprs[lvalue].parent {
            match tree.exprs[parent].kind {
                ExprKind::Assign { lhs, rhs, op, .. } if lhs == lvalue => {
                    if self.takes_steps(rhs) {
                        return self.behind_value(lvalue, rhs, op.is_none(), says);
                    }
                    whole = parent;
                }
                ExprKind::IncDec { .. } => whole = parent,
                _ => {}
            }
        }
        let before = format!("({says}, ");
        self.wrap(tree.exprs[whole].span, before, ")".to_owned())
    }

    /// Whether other threads may see steps of the evaluation of an expression, besides accesses.
    fn takes_steps(&self, e: ExprId) -> bool {
        let facts = self.run.facts;
        let span = facts.tree.exprs[e].span;
        let calls = facts.calls_in(span);
        let steps = |c: ExprId| !facts.targets(c).is_empty() || facts.library(c).is_some();
        let statements = facts.statement_expressions_in(span).next().is_some();
        statements || { calls }.any(steps)
    }

    /// Puts a call between the evaluation of the assigned value and the assignment.
    fn behind_value(
        &mut self,
        lvalue: ExprId,
        rhs: ExprId,
        plain: bool,
        says: &str,
    ) -> Result<(), String> {
        let tree = self.run.facts.tree;
        let ty = match plain {
            true => format!("__typeof__({})", self.text(lvalue)?),
            false => format!("__typeof__(({}) + 0)", self.text(rhs)?),
        };
        let name = format!("{}_value", self.prefix);
        let before = format!("({{ {ty} {name} = ");
        let after = format!("; {says}; {name}; }})");
        self.wrap(tree.exprs[rhs].span, before, after)
    }

    /// Puts a call in front of a call that accesses what an argument points to.
    fn argument(&mut self, site: Site, number: usize, index: usize) -> Result<(), String> {
        let tree = self.run.facts.tree;
        let ExprKind::Call { args, .. } = &tree.exprs[site.expr].kind else {
            return Ok(());
        };
        let arg = *args.get(index).ok_or_else(String::new)?;
        let text = self.text(arg);
        // Where a function of the library takes a null pointer (as `free` does), it accesses nothing by it.
        let guarded = |says: String| match &text {
            Ok(text) if self.is_simple(arg) => format!("(({{ if (({text}) != 0) {says}; }}), "),
            _ => format!("({says}, "),
        };
        if let (Sizes::Most, Some((at, size))) = (self.sizes, self.most(site, arg)?) {
            let before = guarded(self.says(site, number, (&at, &size)));
            return self.wrap(tree.exprs[site.expr].span, before, ")".to_owned());
        }
        let text = text.clone()?;
        if !self.is_simple(arg) {
            return Err(format!("`{text}` is not followed"));
        }
        let (size, exact) = match site.part {
            Part::Target(_) => match tree.types.pointee(tree.exprs[arg].ty) {
                Some(to) if *tree.type_of(to) != Type::Void => (format!("sizeof(*({text}))"), true),
                _ => ("1".to_owned(), false),
            },
            Part::Bytes(_, n) => {
                let size = *args.get(n).ok_or_else(String::new)?;
                match self.is_simple(size) {
                    true => (self.text(size)?, true),
                    false => ("1".to_owned(), false),
                }
            }
            _ => ("1".to_owned(), false),
        };
        let before = guarded(self.says(site, number, (&format!("({text})"), &size)));
        self.wrap(tree.exprs[site.expr].span, before, ")".to_owned())?;
        match exact {
            true => Ok(()),
            false => {
                let name = crate::library::name_of(tree, site.expr).unwrap_or("a function");
                Err(format!("how much memory `{name}` accesses is not known"))
            }
        }
    }

    /// The place and the size of all that a function of the library may access by an argument; `None` if its size is known, or no name of an
    /// object stands there.
    fn most(&self, site: Site, arg: ExprId) -> Result<Option<(String, String)>, String> {
        let tree = self.run.facts.tree;
        let name = crate::library::name_of(tree, site.expr).unwrap_or_default();
        let row = cfront::library::function(name);
        // Pointers that stand in the memory lead elsewhere.
        let leaves = row.is_none_or(|row| matches!(row.writes, Some(Writes::Deep(_))));
        if leaves || !matches!(site.part, Part::Some(_)) {
            return Ok(None);
        }
        let Some(object) = self.object_behind(arg) else {
            return Ok(None);
        };
        let text = self.text(object)?;
        Ok(self
            .is_simple_place(object)
            .then(|| (format!("&({text})"), format!("sizeof({text})"))))
    }

    /// The array, or the object with a name, to which a pointer leads.
    fn object_behind(&self, pointer: ExprId) -> Option<ExprId> {
        let tree = self.run.facts.tree;
        let e = tree.uncast(pointer);
        let is_array = |e: ExprId| matches!(tree.type_of(tree.exprs[e].ty), Type::Array(..));
        match tree.exprs[e].kind {
            _ if is_array(e) => Some(e),
            ExprKind::Binary(_, a, b) => [a, b].into_iter().find_map(|e| self.object_behind(e)),
            ExprKind::AddressOf(of) => match tree.exprs[of].kind {
                ExprKind::Ident(_) => Some(of),
                ExprKind::Index { base, .. } => is_array(base).then_some(base),
                _ => None,
            },
            _ => None,
        }
    }

    fn wrap(&mut self, span: Span, before: String, after: String) -> Result<(), String> {
        let done = self.edits.wrap(span, before, after);
        done.map_err(|e| e.to_string())
    }

    /// The declarations, and the text with all that was inserted.
    fn source(mut self) -> Option<Source> {
        let facts = self.run.facts;
        let declared = |name: &str| facts.tree.function_named(name).is_some();
        let mut text = String::new();
        let sections: &[&str] = match self.form {
            Form::Next => &["__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"],
            Form::Past => &[],
        };
        for name in sections {
            if !declared(name) {
                text.push_str(&format!("extern void {name}(void); "));
            }
        }
        text.push_str(&says::declarations(&self.prefix, self.form));
        // Declarations stand in front of all insertions there.
        self.edits.insert(self.begin?, i32::MIN, text).ok()?;
        let source = &facts.unit.source;
        Some(Source {
            files: source.files.clone(),
            ..Source::from_bytes(self.edits.splice(&source.bytes))
        })
    }
}

/// The groups of sites that possible races connect, numbered from 1.
fn grouped(run: &Run, pairs: &BTreeSet<(usize, usize)>) -> BTreeMap<Site, usize> {
    let mut sites: Vec<Site> = pairs
        .iter()
        .flat_map(|&(a, b)| [run.seen[a].site, run.seen[b].site])
        .collect();
    sites.sort_by_key(|s| (run.facts.tree.exprs[s.expr].span.start, s.expr.index(), *s));
    sites.dedup();
    let number: BTreeMap<Site, usize> = sites.iter().copied().zip(0..).collect();
    let mut joined = petgraph::unionfind::UnionFind::<usize>::new(sites.len());
    for &(a, b) in pairs {
        if let (Some(&a), Some(&b)) = (number.get(&run.seen[a].site), number.get(&run.seen[b].site))
        {
            joined.union(a, b);
        }
    }
    let mut groups: BTreeMap<usize, usize> = BTreeMap::new();
    for at in 0..sites.len() {
        let next = groups.len() + 1;
        groups.entry(joined.find(at)).or_insert(next);
    }
    let group = |at: usize| groups.get(&joined.find(at)).copied().unwrap_or_default();
    number
        .into_iter()
        .map(|(site, at)| (site, group(at)))
        .collect()
}
