//! The findings about what hardware does and no run has: interrupt handlers that nothing calls, and volatile objects that nothing
//! writes.

use weave::record::Record;

use cfront::interrupts::{COMES, FILE};

use crate::result::{Caller, Event, Finding, FindingKind, ShownRun, VerifyResult};

/// Adds a finding for each function that looks like an interrupt handler and that the program does not call, and for each
/// volatile object that it reads and never writes. They come first, since all verdicts are about a program without them.
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
    told.extend(record.unwritten.iter().map(|unwritten| Finding {
        kind: FindingKind::UnwrittenVolatile,
        message: format!(
            "`{object}` is volatile, and the program only reads it: all answers are about runs in which it keeps its first value; if \
             hardware writes it, say {{\"name\": \"{object}\", \"reads\": \"any\"}} under `registers`",
            object = unwritten.object
        ),
        file: Some(unwritten.file.clone()),
        line: Some(unwritten.line),
        function: None,
    }));
    told.retain(|finding| !result.findings.contains(finding));
    result.findings.splice(0..0, told);
    for property in &mut result.properties {
        mark(&mut property.run);
        if let Some(entry) = &record.entry {
            crate::entries::mark(entry, &mut property.run.trace);
        }
    }
}

/// Names the handler in each step of an interrupt, and the step before which it came.
fn mark(run: &mut ShownRun) {
    let mut interrupted: Option<Caller> = None;
    for step in &mut run.trace {
        let Some((word, handler)) = run.threads.handler(step.thread) else {
            if step.line > 0 {
                interrupted = Some(Caller {
                    file: step.file.clone(),
                    line: step.line,
                    function: step.function.clone(),
                });
            }
            continue;
        };
        step.interrupt = Some(handler.to_owned());
        step.interrupted.clone_from(&interrupted);
        let comes = step.input.as_ref().filter(|input| input.name == COMES);
        if let (Event::Input, Some(comes)) = (step.event, comes) {
            step.what = match comes.value {
                0 => format!("no {word}"),
                _ => format!("{word} {handler}"),
            };
        }
        if step.file == FILE {
            if let Some(place) = &interrupted {
                step.file.clone_from(&place.file);
                step.line = place.line;
            }
        }
    }
}
