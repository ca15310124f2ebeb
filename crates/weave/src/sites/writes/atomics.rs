//! Atomic operations of the compiler: each is one step together with the event of its write.
//!
//! The model checkers' own versions are atomic blocks, which do not nest, so the operation is written out in
//! the event's block. Operations with orders weaker than sequential consistency are taken as sequentially
//! consistent, and weak comparisons do not fail spuriously.

use crate::analysis::effects::Effect;
use crate::facts::record::SiteEvent;
use crate::facts::Call;
use crate::layout::weaver::Weaver;
use crate::library::atomics::{is_atomic, is_weaker, operation, WEAKER};
use crate::sites::writes::updates::Written;

/// The model's assumptions about the atomic operations of a program with threads.
pub fn assumptions(weaver: &Weaver) -> Vec<String> {
    let (mut weaker, mut weak) = (false, false);
    for call in weaver.facts.calls.iter().filter(|c| is_atomic(c)) {
        let name = call.callee.as_deref().unwrap_or_default();
        let used = operation(name, call.composite).map_or(0, |o| o.arguments);
        let compares = name.starts_with("__atomic_compare_exchange");
        let text = |i: usize| {
            let argument = call.arguments.get(i);
            argument.map_or(String::new(), |&range| weaver.source(range).to_string())
        };
        weak |= compares && !matches!(text(used).as_str(), "0" | "(0)");
        let first = used + usize::from(compares);
        let mut orders = first..call.arguments.len();
        weaker |= name.starts_with("__atomic_") && orders.any(|i| is_weaker(&text(i)));
    }
    let told = [
        (weaker, WEAKER),
        (
            weak,
            "weak comparisons (`atomic_compare_exchange_weak`) fail only if the values differ",
        ),
    ];
    let told = told
        .into_iter()
        .filter(|(applies, _)| *applies && weaver.analysis.threaded);
    told.map(|(_, text)| text.to_string()).collect()
}

impl Weaver<'_> {
    /// Plans the atomic operations of a program with threads, and in every program those that write an object
    /// that a proposition reads.
    pub fn plan_atomics(&mut self) {
        let facts = self.facts;
        let found = &self.analysis.effects;
        for (call, effects) in facts.calls.iter().zip(&found.calls) {
            if is_atomic(call) && (self.analysis.threaded || !effects.is_empty()) {
                self.plan_atomic(call, effects);
            }
        }
    }

    fn plan_atomic(&mut self, call: &Call, effects: &[Effect]) {
        let name = call.callee.as_deref();
        let operation = name.and_then(|name| operation(name, call.composite));
        let Some(operation) = operation.filter(|o| o.arguments <= call.arguments.len()) else {
            return;
        };
        let written = Written {
            function: call.function,
            range: call.range,
            pointer: Some("ba_at"),
            ..Written::default()
        };
        let refresh = self.refresh_copies(effects, written);
        let updates = self.plan_updates_of(effects, written);
        let site = self.add_site(call.range, call.function, SiteEvent::Write);
        let event = self.event(site, &format!("{}{refresh}", operation.step), updates, "");
        // The user's commas, parentheses and orders become comments.
        let depth = call.depth;
        let open = "(__extension__ ({ /* ";
        self.out.insertions.open(call.range.start, depth, 1, open);
        let used = call.arguments.iter().take(operation.arguments);
        for (i, argument) in used.enumerate() {
            let name = match i {
                0 => "ba_at".to_string(),
                i => format!("ba_a{i}"),
            };
            // `atomic_flag` is a structure; its operations accept any byte.
            let text = match (i, operation.byte) {
                (0, true) => "*/ _Bool *ba_at = (_Bool *)(".to_string(),
                _ => format!("*/ __auto_type {name} = ("),
            };
            self.out.insertions.open(argument.start, depth, 2, text);
            self.out.insertions.close(argument.end, depth, 2, "); /*");
        }
        // The comma takes qualifiers off; the type is not promoted, since results wrap around in it.
        let end = format!(
            "*/ BA_UNUSED __typeof__((void)0, *ba_at) ba_old, ba_new; BA_UNUSED _Bool ba_done; {event}{}; }}))",
            operation.result
        );
        self.out
            .insertions
            .close(call.range.end, call.depth, 1, end);
    }
}
