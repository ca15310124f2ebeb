//! Which engine decided, and what the others said.

use verify::result::{Engine, Holds, PropertyResult, Tried};

/// The engine that decided, where several were asked.
pub fn decided(property: &PropertyResult) -> Option<String> {
    let by = property.answer.decided_by?;
    let tried = &property.answer.tried;
    let took = tried.iter().find(|t| t.engine == by)?;
    several(property).then(|| format!("decided by {}, in {:.1} s", by.words(), took.seconds))
}

/// Whether engines besides the bounded search were asked.
pub fn several(property: &PropertyResult) -> bool {
    let bounded = |t: &Tried| matches!(t.engine, Engine::Bounded | Engine::Rounds);
    !property.answer.tried.iter().all(bounded)
}

/// What stands in the way of an answer: what each engine said, those that follow all runs first.
pub fn tried(property: &PropertyResult) -> Vec<String> {
    if property.answer.holds != Holds::Unknown || !several(property) {
        return Vec::new();
    }
    let mut tried: Vec<&Tried> = property.answer.tried.iter().collect();
    tried.sort_by_key(|t| std::cmp::Reverse(t.engine));
    let said = tried.into_iter().filter(|t| !t.said.is_empty());
    said.map(|t| {
        format!(
            "tried: {} ({:.1} s): {}",
            t.engine.words(),
            t.seconds,
            t.said
        )
    })
    .collect()
}
