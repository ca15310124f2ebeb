//! The callers of a program without `main`: those of the specification and of the command line.

use cfront::entries::{Calls, Entries};
use spec::Spec;

use crate::exit::{Ended, Status};
use crate::options::Entry;

/// The functions that are called, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The functions, or one expression of calls, as they are written.
    pub texts: Vec<String>,
    /// What they mean.
    pub entries: Entries,
}

impl Asked {
    /// Those of `--entry`, else those of a specification; `None` if neither names any.
    ///
    /// # Errors
    /// An expression of calls that cannot be read, with the place in it.
    pub fn of(spec: Option<&Spec>, options: &Entry) -> anyhow::Result<Option<Asked>> {
        let named = spec.iter().flat_map(|spec| &spec.machine.entry);
        let (texts, whose): (Vec<String>, &str) = match options.entry.is_empty() {
            false => (options.entry.clone(), "--entry"),
            true => (
                named.map(|text| text.as_str().to_owned()).collect(),
                "`entry`",
            ),
        };
        if texts.is_empty() {
            return Ok(None);
        }
        let calls = Calls::of(&texts).map_err(|unreadable| {
            let text = texts.first().map_or("", String::as_str);
            let column = text.get(..unreadable.at).map_or(0, |t| t.chars().count());
            let message = format!(
                "{whose}: {}\n  {text}\n  {}^",
                unreadable.message,
                " ".repeat(column)
            );
            Ended::error(Status::Usage, message)
        })?;
        Ok(Some(Asked {
            texts,
            entries: Entries {
                calls,
                length: options.entry_length,
                depth: options.entry_depth,
                nonnull: options.entry_nonnull,
            },
        }))
    }
}
