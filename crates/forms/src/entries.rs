//! The callers of a program without `main`: those of the specification and of the command line.

use cfront::entries::{Calls, Entries, DEPTH, LENGTH};
use spec::{Diagnostic, Spec};

use crate::refusal::Refusal;

/// Who shall call the functions of a program without `main`.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// The functions, or one expression of calls; those of the specification if it is empty.
    pub entry: Vec<String>,
    /// The most elements of arrays whose length another argument gives, and of strings with their ends.
    pub length: u32,
    /// How many pointers may lead from an argument to an object; those behind are null.
    pub depth: u32,
    /// Pointers among the arguments are never null.
    pub nonnull: bool,
}

impl Default for Wanted {
    fn default() -> Wanted {
        Wanted {
            entry: Vec::new(),
            length: LENGTH,
            depth: DEPTH,
            nonnull: false,
        }
    }
}

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
    pub fn of(spec: Option<&Spec>, options: &Wanted) -> Result<Option<Asked>, Refusal> {
        let named: Vec<&spec::Text> = spec.iter().flat_map(|spec| &spec.machine.entry).collect();
        let from_options = !options.entry.is_empty();
        let texts: Vec<String> = match from_options {
            true => options.entry.clone(),
            false => named.iter().map(|text| text.as_str().to_owned()).collect(),
        };
        if texts.is_empty() {
            return Ok(None);
        }
        let calls = Calls::of(&texts).map_err(|unreadable| {
            if !from_options {
                let text = named.get(unreadable.text);
                let span = text.map_or(0..0, |t| t.span_of(unreadable.at..unreadable.end));
                return Refusal::at(Diagnostic::error(unreadable.message, span));
            }
            let text = texts.get(unreadable.text).map_or("", String::as_str);
            let column = text.get(..unreadable.at).map_or(0, |t| t.chars().count());
            let message = format!(
                "--entry: {}\n  {text}\n  {}^",
                unreadable.message,
                " ".repeat(column)
            );
            Refusal::Option(message)
        })?;
        Ok(Some(Asked {
            texts,
            entries: Entries {
                calls,
                length: options.length,
                depth: options.depth,
                nonnull: options.nonnull,
            },
        }))
    }
}
