//! Atomic operations of the compiler: the C text of each, and memory orders.

use crate::facts::Call;

/// The assumption about programs with atomic operations whose order is weaker than sequential consistency.
pub const WEAKER: &str = "atomic operations with weaker orders are sequentially consistent";

/// An atomic operation as a step on the object at `ba_at` with the arguments `ba_a1` and `ba_a2`.
pub struct Operation {
    /// The number of arguments that it uses, the object's address included; the others are memory orders.
    pub arguments: usize,
    /// The step, which leaves its result in `ba_old`, `ba_new` or `ba_done`.
    pub step: String,
    /// The expression of the result.
    pub result: &'static str,
    /// Whether it works on a byte, whatever the pointer's type.
    pub byte: bool,
}

/// The step of the function `__atomic_*` or `__sync_*` of this name, if it is known. `composite` says whether its object is a
/// structure or union, which the operation compares byte by byte, padding included.
pub fn operation(name: &str, composite: bool) -> Option<Operation> {
    let byte = matches!(name, "__atomic_test_and_set" | "__atomic_clear");
    let composite = composite && !byte;
    let made = |arguments, step: &str, result| {
        Some(Operation {
            arguments,
            step: step.to_string(),
            result,
            byte,
        })
    };
    let same = |expected: &str| match composite {
        true => same_bytes(expected),
        false => format!("ba_old == {expected}"),
    };
    let changed = match composite {
        true => format!("BA_CHANGED({}, 1); ", same_bytes("*ba_at")),
        false => "BA_CHANGED(ba_old, *ba_at); ".to_owned(),
    };
    let exchange = "ba_old = *ba_at; *ba_at = ba_a1; ";
    let compare = |expected: &str, wanted: &str, failed: &str| {
        format!(
            "ba_old = *ba_at; ba_done = {}; if (ba_done) *ba_at = {wanted}; {failed}{changed}",
            same(expected)
        )
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
                &format!("ba_old = *ba_at; *ba_at = 1; {changed}"),
                "ba_old",
            )
        }
        "__atomic_exchange_n" | "__sync_lock_test_and_set" => {
            return made(2, &format!("{exchange}{changed}"), "ba_old")
        }
        "__atomic_exchange" => {
            let step = format!("ba_old = *ba_at; *ba_at = *ba_a1; *ba_a2 = ba_old; {changed}");
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

/// The most words that are compared one by one, so that model checkers need no loop; the processor's own operations have two.
const WORDS: usize = 4;

/// The condition that a structure or union has the same bytes as `ba_old`.
fn same_bytes(other: &str) -> String {
    let word = |n: usize| {
        let least = 8 * n;
        format!("(sizeof ba_old <= {least} || ba_l.ba_w[{n}] == ba_r.ba_w[{n}])")
    };
    let words: Vec<String> = (0..WORDS).map(word).collect();
    let most = 8 * WORDS;
    format!(
        "__extension__ ({{ union {{ unsigned long long ba_w[{WORDS} + sizeof ba_old / 8]; __typeof__(ba_old) ba_v; }} ba_l = {{ {{ 0 }} }}, \
         ba_r = {{ {{ 0 }} }}; ba_l.ba_v = ba_old; ba_r.ba_v = {other}; \
         {} && (sizeof ba_old <= {most} || __builtin_memcmp(&ba_l, &ba_r, sizeof ba_old) == 0); }})",
        words.join(" && ")
    )
}

/// The step of `fetch_add`, `add_fetch` and the like.
pub fn arithmetic(name: &str) -> Option<Operation> {
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

/// Whether a compiler's function reads, changes and writes an object in one step, and reports to the model's
/// counter of effects whether the object has changed.
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
    !stores && operation(name, false).is_some()
}

/// Whether a call is an atomic operation.
pub fn is_atomic(call: &Call) -> bool {
    let name = call.callee.as_deref().filter(|_| call.target.is_none());
    name.is_some_and(|name| operation(name, false).is_some())
}

/// Whether a memory order, by its C11 name or as a number, is weaker than sequential consistency.
pub fn is_weaker(order: &str) -> bool {
    let plain = order.trim_matches(|c: char| c.is_whitespace() || matches!(c, '(' | ')'));
    let names = ["relaxed", "consume", "acquire", "release", "acq_rel"];
    matches!(plain, "0" | "1" | "2" | "3" | "4")
        || plain
            .strip_prefix("memory_order_")
            .is_some_and(|name| names.contains(&name))
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
            assert!(operation(name, false).is_some() && changes(name), "{name}");
        }
        assert!(operation("__atomic_store_n", false).is_some() && !changes("__atomic_store_n"));
        assert!(operation("__atomic_thread_fence", false).is_none());
        assert!(operation("__sync_synchronize", false).is_none());
    }
}
