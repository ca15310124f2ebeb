//! Addresses of copied objects: they are stored for writes where the objects have no name.

use crate::facts::{FunctionIndex, Lifetime, ObjectIndex, Range};
use crate::layout::weaver::Weaver;

impl Weaver<'_> {
    /// Finds the copied objects that are written where they have no name, and plans the stores of their
    /// addresses.
    pub fn keep_addresses(&mut self) {
        let facts = self.facts;
        let mut wanted = Vec::new();
        let writes = facts.writes.iter().zip(&self.analysis.effects.writes);
        let calls = facts.calls.iter().zip(&self.analysis.effects.calls);
        let sites = writes
            .map(|(w, e)| (w.function, w.range, e))
            .chain(calls.map(|(c, e)| (c.function, c.range, e)));
        for (function, range, effects) in sites {
            for effect in effects {
                let regions = &self.bound.propositions[effect.proposition].regions;
                for o in effect.regions.iter().filter_map(|&r| regions[r].place.root) {
                    if self.layout.copied[o] && !self.has_name(o, function, range.end) {
                        wanted.push((o, function, range));
                    }
                }
            }
        }
        for (object, function, range) in wanted {
            self.context.layout.addressed[object] = true;
            self.check_same_thread(object, function, range);
        }
        for object in 0..facts.objects.len() {
            if self.layout.addressed[object] {
                self.plan_address(object);
            }
        }
    }

    /// Refuses a local of one thread that another thread writes: the thread that owns the local stores its
    /// address in a variable of its own.
    fn check_same_thread(&mut self, object: ObjectIndex, function: FunctionIndex, range: Range) {
        let (Lifetime::Local(owner) | Lifetime::StaticLocal(owner)) =
            self.facts.objects[object].lifetime
        else {
            return;
        };
        let own = self.analysis.threads.only_thread(owner);
        if !self.analysis.threaded
            || (own.is_some() && self.analysis.threads.only_thread(function) == own)
        {
            return;
        }
        let starts = self.thread_routines();
        if own.is_none() || self.program.code.leaves_its_thread(object, &starts) {
            let name = &self.facts.objects[object].name;
            self.refuse(
                range,
                format!(
                    "another thread may write the local `{name}` here, which a proposition reads"
                ),
                "written through a pointer",
                Some("make it a global variable"),
            );
        }
    }

    /// Stores the address of a local after its declaration.
    fn plan_address(&mut self, object: ObjectIndex) {
        let facts = self.facts;
        let o = &facts.objects[object];
        if o.parameter {
            return;
        }
        match o.declared_at {
            _ if o.declaration.is_none() => self.refuse(
                o.place,
                format!("`{}` is read by a proposition of other code, and written through pointers", o.name),
                "of a type that has no name at file scope",
                Some("declare the type at file scope, with a name"),
            ),
            Some(_) if self.may_be_skipped(object) => self.refuse(
                o.place,
                format!("`{}` is read by a proposition and written through pointers, and a jump can pass its declaration", o.name),
                "may be passed",
                Some("declare it in front of the block"),
            ),
            Some(end) => {
                let text = format!(" {}", self.keep_address(object));
                self.out.insertions.close(end, o.scope_depth + 1, 1, text);
            }
            None => self.refuse(
                o.place,
                format!("`{}` is read by a proposition of other code, and written through pointers", o.name),
                "declared in a `for` header",
                Some("declare it before the loop"),
            ),
        }
    }

    /// Whether a jump can lead after a declaration without passing it.
    fn may_be_skipped(&self, object: ObjectIndex) -> bool {
        let o = &self.facts.objects[object];
        let Some(end) = o.declared_at else {
            return false;
        };
        let behind = |offset: usize| end <= offset && offset < o.scope.end;
        let case = |&(label, switch): &(usize, usize)| behind(label) && switch < o.scope.start;
        let goto = |label: &crate::facts::Label| {
            let by_goto = self.facts.jumps.iter().any(|j| {
                j.function == label.function
                    && j.label.as_deref() == Some(label.name.as_str())
                    && !behind(j.range.start)
            });
            behind(label.place.start) && (by_goto || !self.facts.computed_jumps.is_empty())
        };
        self.facts.cases.iter().any(case) || self.facts.labels.iter().any(goto)
    }
}
