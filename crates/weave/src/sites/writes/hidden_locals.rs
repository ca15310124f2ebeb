//! Sites at which an inner declaration hides a local that an evaluation reads: a pointer to the local is stored
//! before the inner declaration.

use crate::bind::expression::Leaf;
use crate::facts::names::user;
use crate::facts::{FunctionIndex, Object, ObjectIndex};
use crate::items::event::Now;
use crate::layout::variables::Storage;
use crate::layout::weaver::Weaver;

impl<'a> Weaver<'a> {
    /// The evaluation of a proposition at an offset where some of its locals are hidden: it reads them through
    /// the pointers that [`Weaver::keep_hidden`] stores.
    pub fn evaluation_at(&self, p: usize, function: FunctionIndex, offset: usize) -> Now {
        if !matches!(self.layout.variables[p].storage, Storage::Frame { .. }) {
            return self.layout.variables[p].evaluation_call();
        }
        let arguments = self.layout.variables[p].locals.iter();
        let values = arguments.map(|argument| {
            let text = self.leaf_at(&argument.leaf, function, offset);
            let sign = if argument.by_address() { "&" } else { "" };
            format!("{sign}{text}")
        });
        self.layout.variables[p].evaluation_with(values.collect())
    }

    fn leaf_at(&self, leaf: &Leaf, function: FunctionIndex, offset: usize) -> String {
        match self.outer(leaf.object, function, offset) {
            Some((pointer, _)) => format!("(*{pointer}){}", user(&leaf.suffix)),
            None => self.named(leaf),
        }
    }

    /// Stores pointers to the hidden locals of a proposition at an offset. Returns whether that is possible.
    pub fn keep_hidden(&mut self, p: usize, function: FunctionIndex, offset: usize) -> bool {
        if !matches!(self.layout.variables[p].storage, Storage::Frame { .. }) {
            return true;
        }
        let objects: Vec<ObjectIndex> = self.layout.variables[p]
            .locals
            .iter()
            .map(|argument| argument.leaf.object)
            .collect();
        objects
            .into_iter()
            .all(|object| self.keep_outer(object, function, offset))
    }

    /// The pointer to a local that is hidden at an offset, and the object that hides it in the outermost scope;
    /// `None` if it is visible.
    fn outer(
        &self,
        object: ObjectIndex,
        function: FunctionIndex,
        offset: usize,
    ) -> Option<(String, &'a Object)> {
        let facts = self.facts;
        let o = &facts.objects[object];
        let hides = |(other, candidate): &(ObjectIndex, &Object)| {
            self.hides(*other, candidate, object, function, offset)
        };
        let hiding = facts.objects.iter().enumerate().filter(hides);
        // At the start of the outermost scope that hides the local, its name still means the local.
        let (_, by) = hiding.min_by_key(|(_, candidate)| candidate.scope.start)?;
        Some((format!("ba_outer_{}_{}", o.name, by.scope.start), by))
    }

    /// Stores the pointer to a local if it is hidden at an offset. Returns whether that is possible.
    fn keep_outer(&mut self, object: ObjectIndex, function: FunctionIndex, offset: usize) -> bool {
        let facts = self.facts;
        let o = &facts.objects[object];
        let Some((name, by)) = self.outer(object, function, offset) else {
            return true;
        };
        if self.out.shared.outers.contains(&name) {
            return true;
        }
        if o.register || self.is_entered_by_jumps(by) {
            return false;
        }
        let named = user(&o.name);
        let text = format!("__typeof__({named}) *const {name} = &{named}; ");
        let insertions = &mut self.out.insertions;
        match by.scope_is_for {
            true => insertions.around(by.scope, by.scope_depth, 1, format!("{{ {text}"), " }"),
            false => insertions.open(by.scope.start + 1, by.scope_depth, 0, format!(" {text}")),
        }
        self.out.shared.outers.insert(name);
        true
    }

    /// Whether a jump can lead into the scope of an object without passing the scope's start.
    fn is_entered_by_jumps(&self, object: &Object) -> bool {
        let inside = |offset: usize| object.scope.start <= offset && offset < object.scope.end;
        let case = |&(label, switch): &(usize, usize)| inside(label) && !inside(switch);
        let label = |label: &crate::facts::Label| {
            let jumps = self.facts.jumps.iter();
            let by_goto = jumps
                .filter(|j| j.function == label.function)
                .filter(|j| j.label.as_deref() == Some(label.name.as_str()))
                .any(|j| !inside(j.range.start));
            !label.is_entry()
                && inside(label.place.start)
                && (by_goto || !self.facts.computed_jumps.is_empty())
        };
        self.facts.cases.iter().any(case) || self.facts.labels.iter().any(label)
    }

    /// Whether another declaration hides an object at an offset of a function.
    pub fn hidden(&self, object: ObjectIndex, function: FunctionIndex, offset: usize) -> bool {
        let mut all = self.facts.objects.iter().enumerate();
        all.any(|(other, candidate)| self.hides(other, candidate, object, function, offset))
    }

    fn hides(
        &self,
        other: ObjectIndex,
        candidate: &Object,
        object: ObjectIndex,
        function: FunctionIndex,
        offset: usize,
    ) -> bool {
        use crate::facts::Lifetime;
        let o = &self.facts.objects[object];
        other != object
            && candidate.name == o.name
            && matches!(candidate.lifetime, Lifetime::Local(f) | Lifetime::StaticLocal(f) if f == function)
            && (!self.is_local(object) || candidate.place.start > o.place.start)
            && candidate.place.start < offset
            && candidate.scope.start <= offset
            && offset < candidate.scope.end
    }
}
