//! Locals that have no value after a `longjmp`: those of the function that saved the place which are not `volatile` and were changed since
//! (C11, 7.13.2.1). Emulations of jumps keep their values.

use std::collections::{BTreeSet, HashMap};

use super::Found;
use crate::access::{usage, written, Use};
use crate::alias::Memory;
use crate::calls::CallGraph;
use crate::flow::{Flow, Point, PointId};
use crate::library::{makes_nonlocal_jump, saves_place};
use crate::span::{ExprId, FunctionId, ObjectId};
use crate::tree::{ExprKind, Parent, Resolved, Storage};

/// The functions that may jump to a saved place.
struct Jumping {
    functions: BTreeSet<FunctionId>,
    /// Whether one may be a handler of signals, which come at any time.
    any_time: bool,
}

/// What a function of the library does with an object whose address it gets.
enum Access {
    Writes,
    Reads,
    /// It is none that is known: it is taken to have nothing to do with jumps.
    Unknown,
}

/// How a function uses one of its locals, by points.
#[derive(Default)]
struct Uses {
    read: BTreeSet<PointId>,
    /// Changed, with the expression.
    changed: Vec<(PointId, Option<ExprId>)>,
    /// Given a value, whatever it was.
    given: Vec<PointId>,
}

/// Whether a function of the library sets handlers of signals.
fn sets_handlers(name: &str) -> bool {
    matches!(
        name,
        "signal" | "sigaction" | "sigset" | "bsd_signal" | "sysv_signal"
    )
}

impl Found<'_, '_> {
    /// The first call that saves a place for which a local may be such.
    pub(super) fn saved(&self, flows: &HashMap<FunctionId, Flow>) -> Option<(ExprId, String)> {
        let saving: Vec<ExprId> = self.library_calls(saves_place);
        let makes: Vec<ExprId> = self.library_calls(makes_nonlocal_jump);
        if saving.is_empty() || makes.is_empty() {
            return None;
        }
        let graph = self.calls();
        let jumping = self.jumping(&graph, &makes);
        saving.into_iter().find_map(|call| {
            let function = self.tree.function_of(Parent::Expr(call))?;
            let flow = flows.get(&function)?;
            let at = flow.point_of(self.tree, call)?;
            let jumps = self.jumps(flow, &jumping, &makes);
            let locals = self.tree.objects_of(function).into_iter();
            let mut locals = locals.filter(|&o| self.is_automatic(o));
            let lost = locals.find(|&o| self.is_lost(flow, at, &jumps, &self.uses(flow, function, o)))?;
            let name = &self.tree.objects[lost].name;
            let what = format!("`{name}` is not volatile, and may be read after a jump to the place that is saved, and changed before it");
            Some((call, what))
        })
    }

    fn library_calls(&self, of: fn(&str) -> bool) -> Vec<ExprId> {
        self.running()
            .filter(|(_, kind)| self.of_library(kind).is_some_and(of))
            .map(|(id, _)| id)
            .collect()
    }

    fn jumping(&self, graph: &CallGraph, makes: &[ExprId]) -> Jumping {
        let within = makes
            .iter()
            .filter_map(|e| self.tree.function_of(Parent::Expr(*e)));
        let direct: BTreeSet<FunctionId> = within.collect();
        let leads = |f: &FunctionId| !graph.reachable(*f).is_disjoint(&direct);
        let functions: BTreeSet<FunctionId> = self
            .tree
            .defined_functions()
            .map(|(id, ..)| id)
            .filter(leads)
            .collect();
        let handled = !self.library_calls(sets_handlers).is_empty();
        let mut taken = functions
            .iter()
            .filter(|f| graph.address_taken.contains_key(f));
        let any_time = handled && taken.next().is_some();
        Jumping {
            functions,
            any_time,
        }
    }

    /// The points where a jump may be made, with the calls that make it if it cannot be made at any time.
    fn jumps(
        &self,
        flow: &Flow,
        jumping: &Jumping,
        makes: &[ExprId],
    ) -> Vec<(PointId, Option<ExprId>)> {
        if jumping.any_time {
            return flow.points().map(|(point, _)| (point, None)).collect();
        }
        let calls = self.running().filter(|(id, kind)| match kind {
            ExprKind::Call { callee, args, .. } => {
                let mut led_to = args.iter().chain([callee]);
                makes.contains(id) || led_to.any(|e| self.is_jumping(*e, jumping))
            }
            _ => false,
        });
        let own =
            calls.filter(|(id, _)| self.tree.function_of(Parent::Expr(*id)) == Some(flow.function));
        own.filter_map(|(id, _)| Some((flow.point_of(self.tree, id)?, Some(id))))
            .collect()
    }

    /// Whether an expression names a function that may jump, or may lead to one.
    fn is_jumping(&self, e: ExprId, jumping: &Jumping) -> bool {
        if let Some(function) = self.named(e) {
            return jumping.functions.contains(&function);
        }
        let targets = (self.aliases)().may_point_to(e).functions;
        !targets.is_disjoint(&jumping.functions)
    }

    fn is_automatic(&self, object: ObjectId) -> bool {
        let o = &self.tree.objects[object];
        matches!(o.storage, Storage::Local | Storage::Parameter)
            && !self.element(o.ty).quals.is_volatile
    }

    /// Whether a local may be changed between the place that is saved and a jump, and read after the jump before it is given a value.
    fn is_lost(
        &self,
        flow: &Flow,
        at: PointId,
        jumps: &[(PointId, Option<ExprId>)],
        uses: &Uses,
    ) -> bool {
        if uses.given.contains(&at) || uses.changed.is_empty() {
            return false;
        }
        let after = flow.reachable(at, &uses.given);
        if !uses.read.iter().any(|p| after[p.index()]) {
            return false;
        }
        let since = flow.reachable(at, &[at]);
        let mut changed = uses
            .changed
            .iter()
            .filter(|(p, _)| *p != at && since[p.index()]);
        changed.any(|&(p, by)| {
            let then = flow.reachable(p, &[at]);
            jumps.iter().any(|&(jump, call)| {
                let same = jump == p
                    && !by
                        .zip(call)
                        .is_some_and(|(by, call)| self.is_within(call, by));
                same || then[jump.index()]
            })
        })
    }

    /// Whether an expression is an operand of another one.
    fn is_within(&self, e: ExprId, outer: ExprId) -> bool {
        let mut at = e;
        while at != outer {
            let Parent::Expr(next) = self.tree.exprs[at].parent else {
                return false;
            };
            at = next;
        }
        true
    }

    fn uses(&self, flow: &Flow, function: FunctionId, object: ObjectId) -> Uses {
        let tree = self.tree;
        let mut uses = Uses::default();
        let mut taken = false;
        for (id, expr) in tree.exprs.iter() {
            if !matches!(expr.kind, ExprKind::Ident(Resolved::Object(o)) if o == object) {
                continue;
            }
            let Some(point) = flow.point_of(tree, id) else {
                continue;
            };
            let how = usage(tree, id);
            if let Some(writes) = self.given_to_library(id) {
                // What it writes has a value then, whatever it was.
                match writes {
                    Access::Writes => {
                        uses.changed.push((point, None));
                        uses.given.push(point);
                    }
                    Access::Reads => drop(uses.read.insert(point)),
                    Access::Unknown => {}
                }
                continue;
            }
            taken |= how == Use::Address;
            let by = self.writing(id);
            if matches!(how, Use::Read | Use::ReadWrite) {
                uses.read.insert(point);
            }
            if matches!(how, Use::Write | Use::ReadWrite) {
                uses.changed.push((point, by));
            }
            let whole = matches!(expr.parent, Parent::Expr(e) if Some(e) == by);
            if how == Use::Write && whole {
                uses.given.push(point);
            }
        }
        // What is read at the same point may be read before.
        uses.given.retain(|p| !uses.read.contains(p));
        for &decl in &tree.objects[object].decls {
            uses.given.extend(flow.at(Point::Decl(decl)));
        }
        if taken {
            self.others(flow, function, object, &mut uses);
        }
        uses
    }

    /// What a function of the library that gets the address of an object in a call does with the object; `None` if none gets it, or
    /// one that saves a place or keeps the address.
    fn given_to_library(&self, ident: ExprId) -> Option<Access> {
        let tree = self.tree;
        let Parent::Expr(address) = tree.exprs[ident].parent else {
            return None;
        };
        let Parent::Expr(call) = tree.exprs[address].parent else {
            return None;
        };
        let is_address = matches!(tree.exprs[address].kind, ExprKind::AddressOf(of) if of == ident);
        let name = self
            .of_library(&tree.exprs[call].kind)
            .filter(|_| is_address)?;
        let row = crate::library::with_arguments(name);
        let keeps = row.is_some_and(|row| row.keeps_pointers);
        if keeps || saves_place(name) || makes_nonlocal_jump(name) {
            return None;
        }
        let written = (self.aliases)().arguments_written(tree, call);
        Some(match (row, written.contains(&address)) {
            (None, _) => Access::Unknown,
            (_, true) => Access::Writes,
            (_, false) => Access::Reads,
        })
    }

    /// The expression that writes what an identifier begins to name.
    fn writing(&self, ident: ExprId) -> Option<ExprId> {
        let mut at = ident;
        while let Parent::Expr(outer) = self.tree.exprs[at].parent {
            if written(self.tree, outer) == Some(at) {
                return Some(outer);
            }
            at = outer;
        }
        None
    }

    /// Adds the uses of a local through pointers: where something else writes it, calls may change it, and any point read it.
    fn others(&self, flow: &Flow, function: FunctionId, object: ObjectId, uses: &mut Uses) {
        let is_own = |memory: &BTreeSet<Memory>| memory.contains(&Memory::Object(object));
        let mut changed = Vec::new();
        let mut elsewhere = false;
        for (id, _) in self.running() {
            let writes = match written(self.tree, id) {
                Some(lvalue) if self.tree.root(lvalue) == (Some(object), false) => false,
                Some(lvalue) => is_own(&self.place(lvalue).0),
                None => {
                    let to = (self.aliases)().arguments_written(self.tree, id);
                    let saves = self
                        .of_library(&self.tree.exprs[id].kind)
                        .is_some_and(|name| saves_place(name) || makes_nonlocal_jump(name));
                    !saves && to.iter().any(|arg| is_own(&self.memory(*arg).0))
                }
            };
            match self.tree.function_of(Parent::Expr(id)) == Some(function) {
                _ if !writes => {}
                true => changed.extend(flow.point_of(self.tree, id).map(|p| (p, None))),
                false => elsewhere = true,
            }
        }
        if elsewhere {
            let calls = self
                .running()
                .filter(|(_, kind)| matches!(kind, ExprKind::Call { .. }));
            changed.extend(calls.filter_map(|(id, _)| Some((flow.point_of(self.tree, id)?, None))));
        }
        if !changed.is_empty() {
            uses.read.extend(flow.points().map(|(point, _)| point));
        }
        uses.changed.extend(changed);
    }
}
