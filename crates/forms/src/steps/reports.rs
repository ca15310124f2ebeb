//! What threads of the step form report along a run, as traces of the threaded program show it.

use std::collections::BTreeSet;

use backend::{Location, TraceStep, Value};
use cfront::merge::restored;
use cfront::Span;
use sequentialise::{Does, Tell, TELLING};
use verify::explicit::{Hold, Report, Reports, Standing};

use super::Stepped;
use crate::program::Program;
use crate::rounds::{called, told_by, words};

impl Stepped {
    /// The reports of all threads of a program that has this step form; `full` says whether traces show the steps that are no
    /// letters.
    pub fn reports(&self, of: &Program, full: bool) -> Reports {
        let all = || self.made.tells.iter();
        let calls = all().filter(|tell| matches!(tell.does, Does::Calls(..)));
        let calls: BTreeSet<(u32, Span)> = calls.map(|tell| (tell.thread, tell.span)).collect();
        let report = |tell: &Tell| self.report(tell, calls.contains(&(tell.thread, tell.span)), of);
        Reports {
            definition: TELLING.to_owned(),
            all: all().map(report).collect(),
            full,
        }
    }

    /// The first line of what stands at a place, as the user wrote it.
    fn text(&self, at: Span, of: &Program) -> String {
        let text = self.whole.text_of(at);
        let (file, line) = self.whole.source.lines.line(at.start);
        // The text of a macro stands on lines of its own.
        let is_split = text.contains("\n#") || text.contains("\n #");
        let written = of.line(file, line).filter(|_| is_split);
        let first = || text.lines().next().unwrap_or_default().trim();
        written.unwrap_or_else(|| restored(&self.renamed, first()))
    }

    /// One report; `calls` says whether the thread also reports the call that stands there.
    fn report(&self, tell: &Tell, calls: bool, of: &Program) -> Report {
        let (file, line) = self.whole.source.lines.line(tell.span.start);
        let at = Location {
            file: Some(file.to_owned()),
            line: Some(line),
            // As the function of a thread is named that takes turns.
            function: Some(format!("ba_seq_thread_{}", tell.thread)),
        };
        let source = || self.text(tell.span, of);
        let told = |name: &str, text: String| {
            let value = Value { text, number: None };
            vec![TraceStep::assigns(tell.thread, at.clone(), name, value)]
        };
        let mut stands = None;
        let (steps, lock) = match &tell.does {
            // What it waits for is reported when it has it, and a call when it is done.
            Does::GoesOn(waits) if *waits || calls => (Vec::new(), None),
            Does::GoesOn(_) => {
                let text = source();
                let shown = !begins_loop(&text) && !words(&text).is_empty();
                let step = shown.then(|| told(verify::STEPPED, text));
                (step.unwrap_or_default(), None)
            }
            Does::Waits => (told(verify::BLOCKED, source()), Some(Hold::Waits)),
            Does::Ends => {
                stands = Some(Standing {
                    next: None,
                    waits: (false, false),
                });
                (Vec::new(), None)
            }
            Does::Stands { waits, spins } => {
                stands = Some(Standing {
                    next: Some(words(&source())),
                    waits: (*waits, *spins),
                });
                (Vec::new(), None)
            }
            Does::Calls(what, object) => {
                let object = object.as_deref().unwrap_or_default();
                let object = restored(&self.renamed, object.trim_start_matches('&'));
                let model = told_by(what);
                let steps = model.map(|model| called(model, &object, tell.thread, &at));
                (steps.into_iter().flatten().collect(), hold(what))
            }
        };
        Report {
            thread: tell.thread,
            at,
            steps,
            lock,
            stands,
        }
    }
}

/// Whether a loop begins with a text: to go round it is nothing that others see.
fn begins_loop(text: &str) -> bool {
    let word = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    matches!(word.into_iter().next(), Some("for" | "while" | "do"))
}

/// What a call does to the lock whose address it reports.
fn hold(what: &str) -> Option<Hold> {
    match what {
        "take" | "return" => Some(Hold::Takes),
        "give" | "leave" => Some(Hold::Gives),
        _ => None,
    }
}
