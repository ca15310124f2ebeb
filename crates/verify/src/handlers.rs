//! The findings about interrupt handlers that no run calls.

use weave::record::Record;

use crate::result::{Finding, FindingKind, VerifyResult};

/// Adds a finding for each function that looks like an interrupt handler and that the program does not call.
/// They come first, since all verdicts are about a program without them.
pub fn tell(record: &Record, result: &mut VerifyResult) {
    let handlers = record.uncalled_handlers.iter();
    let mut told: Vec<Finding> = handlers
        .map(|handler| Finding {
            kind: FindingKind::UncalledHandler,
            message: format!(
                "`{}` looks like an interrupt handler by {}, and the program does not call it: all answers are about runs without it",
                handler.function, handler.sign
            ),
            file: Some(handler.file.clone()),
            line: Some(handler.line),
            function: Some(handler.function.clone()),
        })
        .collect();
    told.retain(|finding| !result.findings.contains(finding));
    result.findings.splice(0..0, told);
}
