//! Collects the state that is saved and compared.

use std::collections::{BTreeMap, BTreeSet};

use cfront::access::writes;
use cfront::library::{function, plain_name};
use cfront::span::ObjectId;
use cfront::tree::{ExprKind, Parent, Resolved};
use cfront::types::{ArrayLen, QualType, Type};
use cfront::{Diagnostic, Span};

use crate::code::ThreadCode;
use crate::library::name_of;
use crate::lower::variables::static_name;
use crate::models;
use crate::positions::Placed;
use crate::written::Emit;
use cfront::allocations::{allocated, gives_back};

use super::shapes::Kept;
use super::{irrelevant, shapes, WHY};
use crate::live;

/// Functions with hidden state, besides those in the catalogue.
const OF_THREADS: &[(&str, &str)] = &[
    ("__CPROVER_allocate", "allocates memory"),
    ("__errno_location", "gives a number that each thread has"),
    ("pthread_key_create", "makes data of threads"),
    ("tss_create", "makes data of threads"),
];

/// The hidden memory or state of a library function, or of the model that replaces it.
fn hidden_state(plain: &str) -> Option<&'static str> {
    let library = function(plain.strip_prefix("ba_").unwrap_or(plain));
    let own = || OF_THREADS.iter().find(|(name, _)| *name == plain);
    library
        .and_then(|f| f.state)
        .or_else(|| own().map(|(_, what)| *what))
}

impl Emit<'_, '_> {
    /// Everything that can influence how a run continues, except the threads' positions.
    ///
    /// # Errors
    /// The parts of the state that cannot be named, each with its place.
    pub(super) fn state(&self, placed: &[Placed]) -> Result<Vec<Kept>, Vec<Diagnostic>> {
        let mut errors = self.hidden();
        let irrelevant = irrelevant::objects(self.facts);
        let apart = self.named_by_hooks();
        let mut kept = Vec::new();
        for (object, name) in self.statics() {
            if irrelevant.contains(&object) || apart.contains(&object) {
                continue;
            }
            let o = &self.facts.tree.objects[object];
            match self.ways(o.ty) {
                Ok(ways) => kept.push(Kept {
                    name,
                    ways,
                    when: None,
                    constants: shapes::constants(self.facts, o.ty),
                }),
                Err(what) => errors.push(cannot(&o.name, &what, o.declarator)),
            }
        }
        for (number, (thread, placed)) in self.lowered.threads.iter().zip(placed).enumerate() {
            self.variables(
                number,
                (thread, placed),
                &irrelevant,
                &mut kept,
                &mut errors,
            );
        }
        let used = self.lowered.models();
        if models::CANCEL_FUNCTIONS.iter().any(|f| used.contains(f)) {
            let threads = 0..self.lowered.threads.len();
            kept.extend(["ba_seq_asked", "ba_seq_shielded"].map(|name| Kept {
                name: name.to_owned(),
                ways: threads.clone().map(|t| format!("[{t}]")).collect(),
                when: None,
                constants: BTreeMap::new(),
            }));
        }
        self.heap_state(&mut kept, &mut errors);
        match errors.is_empty() {
            true => Ok(kept),
            false => Err(errors),
        }
    }

    pub(crate) fn ways(&self, ty: QualType) -> Result<Vec<String>, String> {
        shapes::parts(self.facts.tree, ty, self.facts.mutex_kinds)
    }

    /// The errors for calls with hidden memory or state.
    fn hidden(&self) -> Vec<Diagnostic> {
        let tree = self.facts.tree;
        let mut errors = Vec::new();
        let mut calls: Vec<_> = self.lowered.made.keys().copied().collect();
        calls.sort();
        for call in calls {
            let Some(name) = name_of(tree, call) else {
                continue;
            };
            if allocated(tree, call).is_some() || gives_back(tree, call) {
                continue;
            }
            let defined = tree.function_named(name);
            let defined = defined.is_some_and(|f| tree.functions[f].body.is_some());
            let plain = plain_name(name);
            if let (Some(what), false) = (hidden_state(plain), defined) {
                let message = format!("`{plain}` {what}, which {WHY}");
                let help = "use objects that the program declares, or leave out --lasso";
                errors.push(Diagnostic::error(tree.exprs[call].span, message).help(help));
            }
        }
        errors.extend(self.unnamed());
        errors
    }

    /// The errors for unnamed objects to which something points, and for arrays of variable length.
    fn unnamed(&self) -> Vec<Diagnostic> {
        let tree = self.facts.tree;
        let mut errors = Vec::new();
        for (_, expr) in tree.exprs.iter() {
            let ExprKind::CompoundLiteral(_) = expr.kind else {
                continue;
            };
            let pointed = match expr.parent {
                Parent::Expr(parent) => matches!(tree.exprs[parent].kind, ExprKind::AddressOf(_)),
                _ => false,
            };
            let array = matches!(tree.type_of(expr.ty), Type::Array(..));
            if (pointed || array) && !expr.unevaluated {
                let message = format!("this object has no name, and {WHY}");
                let help = "declare it, or leave out --lasso";
                errors.push(Diagnostic::error(expr.span, message).help(help));
            }
        }
        for thread in &self.lowered.threads {
            for (_, object, _) in thread.variables.iter().filter_map(|v| v.of) {
                let o = &tree.objects[object];
                if matches!(tree.type_of(o.ty), Type::Array(_, ArrayLen::Variable)) {
                    let what = "an array of variable length";
                    errors.push(cannot(&o.name, what, o.declarator));
                }
            }
        }
        errors
    }

    /// The objects of the functions that are called at saving and repeating the state.
    fn named_by_hooks(&self) -> BTreeSet<ObjectId> {
        let tree = self.facts.tree;
        let mut found = BTreeSet::new();
        let Some(lasso) = &self.options.lasso else {
            return found;
        };
        for hook in [&lasso.saved, &lasso.again] {
            let function = tree.function_named(hook);
            let body = function.and_then(|f| tree.functions[f].body.as_ref());
            let Some(body) = body else { continue };
            for ident in self.facts.idents_in(body.span) {
                if let ExprKind::Ident(Resolved::Object(object)) = tree.exprs[ident].kind {
                    found.insert(object);
                }
            }
        }
        found
    }

    /// Objects of static lifetime that may change, with their names; thread-local ones once for
    /// each thread.
    pub(crate) fn statics(&self) -> Vec<(ObjectId, String)> {
        let tree = self.facts.tree;
        let mut written: BTreeSet<ObjectId> =
            writes(tree).into_iter().filter_map(|w| w.object).collect();
        written.extend(&self.facts.address_taken);
        let mut found = Vec::new();
        for (id, object) in tree.objects.iter() {
            let changes = object.is_static_duration()
                && written.contains(&id)
                && !object.ty.quals.is_const
                && !object.in_system_header;
            if !changes {
                continue;
            }
            let name = static_name(self.facts, id).unwrap_or_else(|| object.name.clone());
            match object.thread_local {
                true => {
                    let copies = 0..self.lowered.threads.len();
                    found.extend(copies.map(|t| (id, format!("{name}[{t}]"))));
                }
                false => found.push((id, name)),
            }
        }
        found
    }

    fn variables(
        &self,
        number: usize,
        (thread, placed): (&ThreadCode, &Placed),
        irrelevant: &BTreeSet<ObjectId>,
        kept: &mut Vec<Kept>,
        errors: &mut Vec<Diagnostic>,
    ) {
        let live = live::live(thread, placed).at;
        for (index, variable) in thread.variables.iter().enumerate() {
            let at: Vec<usize> = (0..live.len())
                .filter(|&p| live[p].contains(&index))
                .collect();
            let object = variable.of.map(|(_, object, _)| object);
            if at.is_empty() || object.is_some_and(|o| irrelevant.contains(&o)) {
                continue;
            }
            let ways = match variable.ty {
                Some(ty) => self.ways(ty),
                None => Ok(vec![String::new()]),
            };
            match ways {
                Ok(ways) => kept.push(Kept {
                    name: variable.name.clone(),
                    ways,
                    when: within(&at, live.len(), number),
                    constants: variable.ty.map_or_else(BTreeMap::new, |ty| {
                        // The variable itself is declared without qualifiers.
                        let quals = cfront::types::Quals::NONE;
                        shapes::constants(self.facts, QualType { quals, ..ty })
                    }),
                }),
                Err(what) => {
                    let tree = self.facts.tree;
                    let declared =
                        object.map(|o| (&tree.objects[o].name, tree.objects[o].declarator));
                    let (name, span) = declared.unwrap_or((&variable.name, Span::empty(0)));
                    errors.push(cannot(name, &what, span));
                }
            }
        }
    }
}

fn cannot(name: &str, what: &str, span: Span) -> Diagnostic {
    let message = format!("`{name}` is {what}: it {WHY}");
    Diagnostic::error(span, message).help("leave out --lasso")
}

/// The condition that a thread is at one of some positions, out of `count`; `None` if at any.
fn within(at: &[usize], count: usize, thread: usize) -> Option<String> {
    if at.len() == count {
        return None;
    }
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for &position in at {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == position => *last = position,
            _ => ranges.push((position, position)),
        }
    }
    let tests = ranges.into_iter().map(|(from, to)| match from == to {
        true => format!("ba_seq_pc[{thread}] == {from}"),
        false => format!("ba_seq_pc[{thread}] >= {from} && ba_seq_pc[{thread}] <= {to}"),
    });
    Some(tests.collect::<Vec<_>>().join(" || "))
}
