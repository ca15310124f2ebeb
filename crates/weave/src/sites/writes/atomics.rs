//! Atomic operations of the compiler: each is one step, with the event of what it writes.
//!
//! The model checkers' own versions are atomic blocks, and atomic blocks do not nest; so the operation
//! is written out in the event's block. Operations with weaker orders than sequential consistency
//! are taken as sequentially consistent, and weak comparisons do not fail without a reason.

use crate::analysis::effects::Effect;
use crate::facts::Call;
use crate::plan::weaver::Weaver;
use crate::sites::writes::updates::Written;

/// What an operation does with the object at `ba_at` and its arguments `ba_a1`, `ba_a2`.
struct Operation {
    /// How many arguments it uses; the others are orders.
    arguments: usize,
    /// The step, which leaves its result in `ba_old` or `ba_done`.
    step: String,
    /// The result.
    result: &'static str,
    /// Whether it works on a byte, whatever the pointer's type.
    byte: bool,
}

fn operation(name: &str) -> Option<Operation> {
    let made = |arguments, step: &str, result| {
        Some(Operation {
            arguments,
            step: step.to_string(),
            result,
            byte: matches!(name, "__atomic_test_and_set" | "__atomic_clear"),
        })
    };
    const CHANGED: &str = "BA_CHANGED(ba_old, *ba_at); ";
    let exchange = "ba_old = *ba_at; *ba_at = ba_a1; ";
    let compare = |expected: &str, wanted: &str, failed: &str| {
        format!("ba_old = *ba_at; ba_done = ba_old == {expected}; if (ba_done) *ba_at = {wanted}; {failed}{CHANGED}")
    };
    match name {
        "__atomic_load_n" => return made(1, "ba_old = *ba_at; ", "ba_old"),
        "__atomic_load" => return made(2, "*ba_a1 = *ba_at; ", "(void)0"),
        "__atomic_store_n" => return made(2, "*ba_at = ba_a1; ", "(void)0"),
        "__atomic_store" => return made(2, "*ba_at = *ba_a1; ", "(void)0"),
        "__atomic_clear" | "__sync_lock_release" => return made(1, "*ba_at = 0; ", "(void)0"),
        "__atomic_test_and_set" => {
            return made(
                1,
                &format!("ba_old = *ba_at; *ba_at = 1; {CHANGED}"),
                "ba_old",
            )
        }
        "__atomic_exchange_n" | "__sync_lock_test_and_set" => {
            return made(2, &format!("{exchange}{CHANGED}"), "ba_old")
        }
        "__atomic_exchange" => {
            let step = format!("ba_old = *ba_at; *ba_at = *ba_a1; *ba_a2 = ba_old; {CHANGED}");
            return made(3, &step, "(void)0");
        }
        "__atomic_compare_exchange_n" => {
            let step = compare("*ba_a1", "ba_a2", "else *ba_a1 = ba_old; ");
            return made(3, &step, "ba_done");
        }
        "__atomic_compare_exchange" => {
            let step = compare("*ba_a1", "*ba_a2", "else *ba_a1 = ba_old; ");
            return made(3, &step, "ba_done");
        }
        "__sync_bool_compare_and_swap" => {
            return made(3, &compare("ba_a1", "ba_a2", ""), "ba_done")
        }
        "__sync_val_compare_and_swap" => return made(3, &compare("ba_a1", "ba_a2", ""), "ba_old"),
        _ => {}
    }
    arithmetic(name)
}

/// `fetch_add`, `add_fetch` and the like.
fn arithmetic(name: &str) -> Option<Operation> {
    let (operation, before) = match name.strip_prefix("__sync_") {
        Some(rest) => match rest.strip_prefix("fetch_and_") {
            Some(operation) => (operation, true),
            None => (rest.strip_suffix("_and_fetch")?, false),
        },
        None => {
            let rest = name.strip_prefix("__atomic_")?;
            match rest.strip_prefix("fetch_") {
                Some(operation) => (operation, true),
                None => (rest.strip_suffix("_fetch")?, false),
            }
        }
    };
    let value = match operation {
        "add" => "ba_old + ba_a1",
        "sub" => "ba_old - ba_a1",
        "and" => "ba_old & ba_a1",
        "or" => "ba_old | ba_a1",
        "xor" => "ba_old ^ ba_a1",
        "nand" => "~(ba_old & ba_a1)",
        _ => return None,
    };
    Some(Operation {
        arguments: 2,
        step: format!(
            "ba_old = *ba_at; ba_new = {value}; *ba_at = ba_new; BA_CHANGED(ba_old, ba_new); "
        ),
        result: if before { "ba_old" } else { "ba_new" },
        byte: false,
    })
}

/// Whether a compiler's function reads, changes and writes an object in one step, and tells by the
/// model's counter of effects whether it changed it.
pub fn changes(name: &str) -> bool {
    let stores = matches!(
        name,
        "__atomic_load_n"
            | "__atomic_load"
            | "__atomic_store_n"
            | "__atomic_store"
            | "__atomic_clear"
            | "__sync_lock_release"
    );
    !stores && operation(name).is_some()
}

/// Whether a call is an atomic operation.
pub fn is_atomic(call: &Call) -> bool {
    let name = call.callee.as_deref().filter(|_| call.target.is_none());
    name.is_some_and(|name| operation(name).is_some())
}

/// The text of a memory order, of C11 or as a number, that is weaker than sequential consistency.
fn is_weaker(order: &str) -> bool {
    let plain = order.trim_matches(|c: char| c.is_whitespace() || matches!(c, '(' | ')'));
    let names = ["relaxed", "consume", "acquire", "release", "acq_rel"];
    matches!(plain, "0" | "1" | "2" | "3" | "4")
        || plain
            .strip_prefix("memory_order_")
            .is_some_and(|name| names.contains(&name))
}

/// What the model takes for granted of the atomic operations of a program with threads.
pub fn assumptions(weaver: &Weaver) -> Vec<String> {
    let (mut weaker, mut weak) = (false, false);
    for call in weaver.facts.calls.iter().filter(|c| is_atomic(c)) {
        let name = call.callee.as_deref().unwrap_or_default();
        let used = operation(name).map_or(0, |o| o.arguments);
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
        (
            weaker,
            "atomic operations with weaker orders are sequentially consistent",
        ),
        (
            weak,
            "weak comparisons (`atomic_compare_exchange_weak`) fail only if the values differ",
        ),
    ];
    let told = told
        .into_iter()
        .filter(|(applies, _)| *applies && weaver.threaded);
    told.map(|(_, text)| text.to_string()).collect()
}

impl Weaver<'_> {
    /// Plans the atomic operations of a program with threads, and of any program those that write
    /// what a proposition reads.
    pub fn plan_atomics(&mut self) {
        let facts = self.facts;
        let effects = std::mem::take(&mut self.effects.calls);
        for (call, effects) in facts.calls.iter().zip(&effects) {
            if is_atomic(call) && (self.threaded || !effects.is_empty()) {
                self.plan_atomic(call, effects);
            }
        }
        self.effects.calls = effects;
    }

    fn plan_atomic(&mut self, call: &Call, effects: &[Effect]) {
        let operation = call.callee.as_deref().and_then(operation);
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
        let updates = self.updates_of(effects, written);
        let site = self.site(call.range, call.function, "write");
        let event = self.event(site, &format!("{}{refresh}", operation.step), updates, "");
        // The user's commas, parentheses and orders stay as comments.
        let depth = call.depth;
        let open = "(__extension__ ({ /* ";
        self.insertions.open(call.range.start, depth, 1, open);
        let used = call.arguments.iter().take(operation.arguments);
        for (i, argument) in used.enumerate() {
            let name = match i {
                0 => "ba_at".to_string(),
                i => format!("ba_a{i}"),
            };
            // A flag of C11 is a structure, and its operations take any byte.
            let text = match (i, operation.byte) {
                (0, true) => "*/ _Bool *ba_at = (_Bool *)(".to_string(),
                _ => format!("*/ __auto_type {name} = ("),
            };
            self.insertions.open(argument.start, depth, 2, text);
            self.insertions.close(argument.end, depth, 2, "); /*");
        }
        let end = format!(
            "*/ BA_UNUSED __typeof__(*ba_at + 0) ba_old, ba_new; BA_UNUSED _Bool ba_done; {event}{}; }}))",
            operation.result
        );
        self.insertions.close(call.range.end, call.depth, 1, end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_known_by_name_and_number() {
        for order in ["memory_order_relaxed", "(memory_order_acq_rel)", "2", " 0 "] {
            assert!(is_weaker(order), "{order}");
        }
        for order in ["memory_order_seq_cst", "5", "order"] {
            assert!(!is_weaker(order), "{order}");
        }
    }

    #[test]
    fn operations_are_known_by_name() {
        for name in [
            "__atomic_fetch_add",
            "__atomic_sub_fetch",
            "__sync_fetch_and_or",
            "__sync_nand_and_fetch",
            "__atomic_compare_exchange_n",
            "__sync_lock_test_and_set",
        ] {
            assert!(operation(name).is_some() && changes(name), "{name}");
        }
        assert!(operation("__atomic_store_n").is_some() && !changes("__atomic_store_n"));
        assert!(operation("__atomic_thread_fence").is_none());
        assert!(operation("__sync_synchronize").is_none());
    }
}
