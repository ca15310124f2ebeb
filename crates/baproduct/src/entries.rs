//! The callers of a program without `main`: those of the specification and of the command line.

use cfront::entries::{Calls, Entries, DEPTH, LENGTH};
use clap::Args;
use spec::{Diagnostic, Spec};

use crate::refusal::Refusal;

/// Who calls the functions of a program without `main`.
#[derive(Args, Debug, Clone)]
pub struct Entry {
    /// For a program without `main`: call this function with any arguments (again and again: these, in any order,
    /// without an end); or an expression of calls, as 'init (push | pop)*'
    #[arg(long, value_name = "FUNCTION | CALLS", help_heading = "Library")]
    pub entry: Vec<String>,
    /// The most elements of arrays whose length another argument gives, and of strings with their ends
    #[arg(long, value_name = "N", default_value_t = LENGTH, value_parser = clap::value_parser!(u32).range(1..=64), help_heading = "Library")]
    pub entry_length: u32,
    /// How many pointers may lead from an argument to an object; those behind are null
    #[arg(long, value_name = "N", default_value_t = DEPTH, value_parser = clap::value_parser!(u32).range(0..=8), help_heading = "Library")]
    pub entry_depth: u32,
    /// Pointers among the arguments of entries are never null
    #[arg(long, help_heading = "Library")]
    pub entry_nonnull: bool,
}

impl Default for Entry {
    fn default() -> Entry {
        Entry {
            entry: Vec::new(),
            entry_length: LENGTH,
            entry_depth: DEPTH,
            entry_nonnull: false,
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
    pub fn of(spec: Option<&Spec>, options: &Entry) -> Result<Option<Asked>, Refusal> {
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
                length: options.entry_length,
                depth: options.entry_depth,
                nonnull: options.entry_nonnull,
            },
        }))
    }
}
