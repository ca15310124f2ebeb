//! Sites at which another declaration hides a local that an evaluation reads: a pointer to the
//! local is kept from in front of the declaration that hides it.

use crate::bind::expression::Leaf;
use crate::facts::names::user;
use crate::facts::{FunctionIndex, Object, ObjectIndex};
use crate::layout::variables::Storage;
use crate::layout::weaver::Weaver;

impl Weaver<'_> {
    /// The evaluation of a proposition at an offset where some of its locals are hidden; `None` if
    /// they cannot be had.
    pub fn evaluation_at(
        &mut self,
        p: usize,
        function: FunctionIndex,
        offset: usize,
    ) -> Option<String> {
        if !matches!(self.variables[p].storage, Storage::Frame { .. }) {
            return Some(self.variables[p].evaluation_call());
        }
        let arguments = self.variables[p].locals.clone();
        let mut values = Vec::new();
        for argument in arguments {
            let text = self.leaf_at(&argument.leaf, function, offset)?;
            let sign = if argument.by_address() { "&" } else { "" };
            values.push(format!("{sign}{text}"));
        }
        Some(format!(
            "ba_eval_{}({})",
            self.variables[p].name,
            values.join(", ")
        ))
    }

    fn leaf_at(&mut self, leaf: &Leaf, function: FunctionIndex, offset: usize) -> Option<String> {
        if !self.hidden(leaf.object, function, offset) {
            return Some(self.named(leaf));
        }
        let pointer = self.outer(leaf.object, function, offset)?;
        Some(format!("(*{pointer}){}", user(&leaf.suffix)))
    }

    /// The pointer to a local that is hidden at an offset.
    fn outer(
        &mut self,
        object: ObjectIndex,
        function: FunctionIndex,
        offset: usize,
    ) -> Option<String> {
        let facts = self.facts;
        let o = &facts.objects[object];
        let hides = |(other, candidate): &(ObjectIndex, &Object)| {
            self.hides(*other, candidate, object, function, offset)
        };
        let hiding = facts.objects.iter().enumerate().filter(hides);
        // In the outermost scope that hides it the local still has its name at the beginning.
        let (_, by) = hiding.min_by_key(|(_, candidate)| candidate.scope.start)?;
        let name = format!("ba_outer_{}_{}", o.name, by.scope.start);
        if self.out.shared.outers.contains(&name) {
            return Some(name);
        }
        if o.register || self.is_entered_by_jumps(by) {
            return None;
        }
        let named = user(&o.name);
        let text = format!("__typeof__({named}) *const {name} = &{named}; ");
        if by.scope_is_for {
            self.out
                .insertions
                .around(by.scope, by.scope_depth, 1, format!("{{ {text}"), " }");
        } else {
            self.out
                .insertions
                .open(by.scope.start + 1, by.scope_depth, 0, format!(" {text}"));
        }
        self.out.shared.outers.insert(name.clone());
        Some(name)
    }

    /// Whether a jump can lead into the scope of an object without passing its beginning.
    fn is_entered_by_jumps(&self, object: &Object) -> bool {
        let inside = |offset: usize| object.scope.start <= offset && offset < object.scope.end;
        let case = |&(label, switch): &(usize, usize)| inside(label) && !inside(switch);
        let label = |label: &crate::facts::Label| {
            let jumps = self.facts.jumps.iter();
            let by_goto = jumps
                .filter(|j| j.function == label.function)
                .filter(|j| j.label.as_deref() == Some(label.name.as_str()))
                .any(|j| !inside(j.range.start));
            inside(label.place.start) && (by_goto || !self.facts.computed_jumps.is_empty())
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
