//! Objects whose end no execution shows: their block comes again within one activation, while a pointer to the earlier one may be left,
//! and the new object has the place of the old one.

use std::collections::{BTreeSet, HashMap};

use crate::access::address_taken;
use crate::alias::{Aliases, Assumptions, Memory};
use crate::calls::CallGraph;
use crate::flow::{Flow, Point};
use crate::span::{ExprId, FunctionId, ObjectId, Offset, Span};
use crate::tree::{Entity, ExprKind, Parent, StmtKind, Storage, Tree};

/// The place of an object whose address something may keep that does not end with the object. Linear in
/// the program, besides the analysis of pointers, which is made where there is such an object at all.
pub fn outlived(tree: &Tree, flows: &HashMap<FunctionId, Flow>) -> Option<Offset> {
    let candidates: Vec<Block> = locals(tree, flows).chain(literals(tree)).collect();
    if candidates.is_empty() {
        return None;
    }
    let assumptions = Assumptions {
        whole_program: true,
    };
    let aliases = Aliases::new(tree, assumptions);
    let taken: BTreeSet<ObjectId> = address_taken(tree).into_keys().collect();
    let kept = |block: &Block| {
        let inside = |holder| block.has(tree, holder, &taken);
        aliases.is_kept(block.memory, inside)
    };
    let found = candidates.iter().find(|block| kept(block));
    found.map(|block| block.at(tree))
}

/// The place of an automatic object that may be used after its end in a program with threads: another thread, or what does not end with
/// the block, may hold its address. Objects of `main` that end with it count only if threads may go on after it, those of functions that
/// never return not at all.
pub fn with_threads(tree: &Tree, flows: &HashMap<FunctionId, Flow>) -> Option<Offset> {
    let graph = CallGraph::new(tree);
    if graph.starts.is_empty() {
        return None;
    }
    let main = tree
        .function_named("main")
        .filter(|_| !tree.exprs.iter().any(|(e, _)| leaves(tree, e)));
    let returns = |f: FunctionId| flows.get(&f).is_none_or(Flow::returns);
    let ends = |block: &Block| {
        let body = tree.functions[block.function].body.as_ref();
        let is_inner = body.is_none_or(|body| {
            let within = match tree.stmts[body.block].kind {
                StmtKind::Compound { scope, .. } => scope,
                _ => body.scope,
            };
            let mut outermost = [body.scope, within].into_iter();
            outermost.all(|scope| tree.scopes[scope].span != block.span)
        });
        is_inner || main != Some(block.function) && returns(block.function)
    };
    let taken = address_taken(tree).into_keys();
    let automatic = taken.filter_map(|object| {
        let o = &tree.objects[object];
        let is_automatic = matches!(o.storage, Storage::Local | Storage::Parameter);
        let function = o.function.filter(|_| is_automatic)?;
        Some(Block {
            memory: Memory::Object(object),
            function,
            span: tree.scopes[o.scope].span,
        })
    });
    let candidates: Vec<Block> = automatic.chain(literals(tree)).filter(ends).collect();
    if candidates.is_empty() {
        return None;
    }
    let named: Option<BTreeSet<FunctionId>> = graph.starts.iter().map(|s| s.function).collect();
    let starts = named.unwrap_or_else(|| graph.address_taken.keys().copied().collect());
    let assumptions = Assumptions {
        whole_program: true,
    };
    let aliases = Aliases::new(tree, assumptions);
    let kept = |block: &&Block| {
        let below = graph.reachable(block.function);
        aliases.is_kept(block.memory, |holder| {
            block.ends_with(tree, holder, (&below, &starts))
        })
    };
    let mut found: Vec<Offset> = candidates
        .iter()
        .filter(kept)
        .map(|block| block.at(tree))
        .collect();
    found.sort_unstable();
    found.first().copied()
}

/// Whether an expression ends a thread, perhaps that of `main`, while others go on.
fn leaves(tree: &Tree, e: ExprId) -> bool {
    let name = crate::allocations::called_name(tree, e);
    !tree.exprs[e].unevaluated && matches!(name, Some("pthread_exit" | "thrd_exit"))
}

/// An object that ends before its thread, with its block.
struct Block {
    memory: Memory,
    function: FunctionId,
    /// The text of the block.
    span: Span,
}

impl Block {
    fn at(&self, tree: &Tree) -> Offset {
        match self.memory {
            Memory::Object(object) => tree.objects[object].name_span.start,
            Memory::Made(literal) => tree.exprs[literal].span.start,
        }
    }

    /// Whether a holder of the address ends when the block does, or before: it is in the block, or in a function that runs below this one,
    /// and is not what a thread begins with.
    fn ends_with(
        &self,
        tree: &Tree,
        holder: ObjectId,
        (below, starts): (&BTreeSet<FunctionId>, &BTreeSet<FunctionId>),
    ) -> bool {
        let o = &tree.objects[holder];
        let Some(function) = o
            .function
            .filter(|_| matches!(o.storage, Storage::Local | Storage::Parameter))
        else {
            return false;
        };
        match function == self.function {
            true => self.span.contains(tree.scopes[o.scope].span.start),
            false if o.storage == Storage::Parameter && starts.contains(&function) => false,
            false => below.contains(&function),
        }
    }

    /// Whether what an object keeps is gone when the block ends: it is of the block itself, or of another function that only itself
    /// writes it.
    fn has(&self, tree: &Tree, holder: ObjectId, taken: &BTreeSet<ObjectId>) -> bool {
        let o = &tree.objects[holder];
        let automatic = matches!(o.storage, Storage::Local | Storage::Parameter);
        match o.function == Some(self.function) {
            true => automatic && self.span.contains(tree.scopes[o.scope].span.start),
            false => automatic && !taken.contains(&holder),
        }
    }
}

/// The locals whose address is taken and whose declaration control may reach again.
fn locals<'a>(
    tree: &'a Tree,
    flows: &'a HashMap<FunctionId, Flow>,
) -> impl Iterator<Item = Block> + 'a {
    let taken = address_taken(tree);
    let cycles = |function: FunctionId| flows.get(&function).map(|flow| (flow, flow.cycles()));
    let mut known = HashMap::new();
    let decls = tree.decls.iter().flat_map(|(id, decl)| {
        let all = decl.declared.iter().map(move |d| (id, d.entity));
        all.filter_map(|(id, entity)| match entity {
            Entity::Object(object) => Some((id, object)),
            _ => None,
        })
    });
    decls.filter_map(move |(decl, object)| {
        let o = &tree.objects[object];
        let function = o.function?;
        if o.storage != Storage::Local || !taken.contains_key(&object) {
            return None;
        }
        let cycles = known.entry(function).or_insert_with(|| cycles(function));
        let again = cycles.as_ref().is_none_or(|(flow, cycles)| {
            let point = flow.at(Point::Decl(decl));
            point.is_none_or(|p| cycles[p.index()].is_some())
        });
        let span = tree.scopes[o.scope].span;
        again.then_some(Block {
            memory: Memory::Object(object),
            function,
            span,
        })
    })
}

/// The compound literals in blocks within the block of a function.
fn literals(tree: &Tree) -> impl Iterator<Item = Block> + '_ {
    let all = tree
        .exprs
        .iter()
        .filter(|(_, expr)| matches!(expr.kind, ExprKind::CompoundLiteral(_)) && !expr.unevaluated);
    all.filter_map(|(id, _)| {
        let function = tree.function_of(Parent::Expr(id))?;
        let outermost = tree.functions[function].body.as_ref()?.span;
        let span = tree.block_around(id)?;
        (span.start > outermost.start && span.end < outermost.end).then_some(Block {
            memory: Memory::Made(id),
            function,
            span,
        })
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Source, Unit};

    /// The text at the place that is told.
    fn told(body: &str) -> Option<String> {
        let text = format!(
            "extern int in(void); int *kept; void own(int *p) {{ p[0] = 1; }} void keep(int *p) {{ kept = p; }}\n\
             int main(void) {{ int *before = 0; {body} return 0; }}\n"
        );
        let unit = Unit::parse(Source::from_bytes(text.clone().into_bytes())).unwrap();
        outlived(&unit.tree, &unit.flows).map(|at| {
            text[at..]
                .split([' ', ';', ')'])
                .next()
                .unwrap()
                .to_string()
        })
    }

    #[test]
    fn an_object_of_a_block_that_comes_again_is_told_if_its_address_outlives_the_block() {
        for (body, expected) in [
            ("for (;;) { int l = in(); before = &l; }", Some("l")),
            ("for (;;) { int l = in(); keep(&l); }", Some("l")),
            (
                "again: { int m[2]; kept = m; } if (in()) goto again;",
                Some("m[2]"),
            ),
            ("for (;;) { { kept = (int[]){ 1 }; } }", Some("(int[]")),
            ("for (;;) { int l = in(); int *p = &l; own(p); }", None),
            ("{ int l = in(); keep(&l); }", None),
            ("int l = in(); for (;;) keep(&l);", None),
            (
                "for (;;) { int l = in(); before = &l + 0 == 0 ? 0 : before; }",
                None,
            ),
        ] {
            assert_eq!(told(body).as_deref(), expected, "{body}");
        }
    }
}
