//! Synchronisation: the calls that the emitted model replaces, the objects that threads wait for,
//! and their numbers.

use std::collections::HashMap;

use crate::facts::names::user;
use crate::facts::record::SiteEvent;
use crate::facts::{Call, Lifetime, ObjectIndex, Range};
use crate::layout::weaver::Weaver;
use crate::library;
use crate::library::synchronisation::{family_of_type, routine, MEMORY};
use crate::library::{function, plain_name, primitive, Family};

/// An object, or a part of one, that threads may wait for and that the end of a run can name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waited {
    /// The family of its type.
    pub family: Family,
    /// The C text that names it at the end of the program.
    pub name: String,
    /// The name that a reader knows.
    pub shown: String,
    /// The first of its numbers: a read-write lock takes two, since readers and writers wait for different
    /// conditions.
    pub first: usize,
}

/// The most numbers. A thread that waits for another object checks itself whether it waits for good.
const MOST_NUMBERS: usize = 96;

impl Weaver<'_> {
    /// The families of primitives that the program uses, by its calls and its types.
    pub fn families(&self) -> std::collections::BTreeSet<Family> {
        let calls = library::calls(self.facts).filter_map(|(_, name)| primitive(name));
        let types = self.facts.type_names.iter();
        calls
            .map(|p| p.family)
            .chain(types.filter_map(|(_, name)| family_of_type(name)))
            .map(|family| match family {
                Family::Mtx => Family::Mutex,
                Family::Cnd => Family::Cond,
                other => other,
            })
            .collect()
    }

    /// The families of spin locks and once flags, which are plain integers: the first call that uses an object
    /// decides.
    fn integers_used(&self) -> HashMap<ObjectIndex, Family> {
        let mut used = HashMap::new();
        for (call, called) in library::calls(self.facts) {
            let family = primitive(called).map(|p| p.family);
            let named = call.argument_objects.first().copied().flatten();
            if let (Some(family @ (Family::Spin | Family::Once)), Some(object)) = (family, named) {
                used.entry(object).or_insert(family);
            }
        }
        used
    }

    /// The static objects with numbers. Linear in the objects and the calls.
    pub fn waited(&self) -> Vec<Waited> {
        let used = self.integers_used();
        let mut found = Vec::new();
        let mut first = 0;
        let mut add = |family: Family, name: String, shown: String| {
            if first < MOST_NUMBERS {
                found.push(Waited {
                    family,
                    name,
                    shown,
                    first,
                });
                first += if family == Family::RwLock { 2 } else { 1 };
            }
        };
        for (o, object) in self.facts.objects.iter().enumerate() {
            if object.lifetime != Lifetime::Static {
                continue;
            }
            let name = crate::facts::names::object(&object.name, o);
            for (path, ty) in &object.parts {
                if let Some(family) = family_of_type(ty) {
                    let shown = format!("{}{path}", object.name);
                    add(family, format!("{name}{}", user(path)), shown);
                }
            }
            if let Some(&family) = used.get(&o) {
                match object.elements {
                    None => add(family, name, object.name.clone()),
                    Some(n) => (0..n.min(64)).for_each(|i| {
                        let shown = format!("{}[{i}]", object.name);
                        add(family, format!("{name}[{i}]"), shown);
                    }),
                }
            }
        }
        found
    }

    /// Replaces the library's functions and types by the model's at each call and each type name.
    pub fn plan_synchronisation(&mut self) {
        let facts = self.facts;
        // CBMC's own versions write pointers that all threads see.
        let threaded = self.analysis.threaded;
        for (call, name) in library::calls(facts).filter(|_| threaded) {
            if MEMORY.contains(&plain_name(name)) {
                let text = format!("ba_{} /* ", plain_name(name));
                self.out
                    .insertions
                    .around(call.callee_range, call.depth, 7, text, " */");
            }
        }
        // Functions that never run may call the library.
        if !self.analysis.synchronises {
            return;
        }
        for (range, name) in &facts.type_names {
            self.out
                .insertions
                .around(*range, TYPE_DEPTH, 0, format!("ba_{name} /* "), " */");
        }
        for (number, call) in facts.calls.iter().enumerate() {
            let name = call.callee.as_deref().filter(|_| call.target.is_none());
            let row = name.and_then(function);
            let Some((name, primitive)) = row.and_then(|f| Some((f.name, f.primitive?))) else {
                continue;
            };
            if primitive.family == Family::Once && routine(call).is_none() {
                self.refuse(
                    call.range,
                    "the function that is to be called once is not named here".into(),
                    "computed function",
                    Some("pass the function's name"),
                );
                continue;
            }
            let stored = match name {
                // If a proposition reads the stored result, the event of the call stores it.
                "pthread_join" | "thrd_join" if self.analysis.effects.calls[number].is_empty() => {
                    self.plan_joined(call)
                }
                called if called.starts_with("pthread_cond_") || called.starts_with("cnd_") => {
                    match self.turns_in(call.range) {
                        true => "_turn",
                        false => "",
                    }
                }
                _ => "",
            };
            self.out.insertions.around(
                call.callee_range,
                call.depth,
                7,
                format!("ba_{name}{stored} /* "),
                " */",
            );
            if primitive.placed {
                let site = self.add_site(call.range, call.function, SiteEvent::Wait);
                let place = call.arguments.first().map_or(call.range.end, |a| a.start);
                self.out
                    .insertions
                    .open(place, call.depth, 7, format!("{site}, "));
            }
        }
    }
}

impl Weaver<'_> {
    /// Plans a join that stores a thread's result by `&x`: it becomes an assignment to `x`. CBMC treats a
    /// variable whose address is taken as shared, and follows no shared pointer. Returns the suffix of the
    /// join's name.
    fn plan_joined(&mut self, call: &Call) -> &'static str {
        let Some(&range) = call.arguments.get(1) else {
            return "";
        };
        let text = self.source(range);
        let Some(at) = text.find('&') else {
            return "";
        };
        let cast = text[..at].trim();
        let is_cast =
            cast.is_empty() || (cast.starts_with('(') && cast.find(')') == Some(cast.len() - 1));
        let operand = text[at + 1..].trim_start();
        if !is_cast || !operand.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return "";
        }
        let address = Range {
            start: range.start,
            end: range.start + at + 1,
        };
        self.out
            .insertions
            .around(address, TYPE_DEPTH, 0, "/* ", " */");
        "_into"
    }
}

/// A depth greater than any construct's: the text belongs to a single identifier.
const TYPE_DEPTH: i32 = 1 << 20;
