//! What answers say of the infinite runs of threads that count (docs/semantics.md, "Fairness").

use sequentialise::Fairness;
use weave::record::Record;

/// The assumption of a result for which infinite runs of threads were searched.
pub fn assumption(fairness: Fairness, record: &Record) -> Option<String> {
    let searched = record.threads && record.lasso.is_some();
    searched.then(|| sentence(fairness).to_owned())
}

/// Which infinite runs count.
pub fn sentence(fairness: Fairness) -> &'static str {
    match fairness {
        Fairness::None => "infinite runs of threads count whether they are fair or not",
        Fairness::Weak => "infinite runs of threads count if they are weakly fair: a thread that from some point on could always take a step takes infinitely many",
        Fairness::Strong => "infinite runs of threads count if they are strongly fair: a thread that infinitely often could take a step takes infinitely many, and one in a loop that only waits could where its condition would let it leave",
    }
}
