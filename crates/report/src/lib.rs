//! Renders the result of `verify` as text, JSON, SARIF, JUnit XML, CSV, HTML or a witness.
//!
//! Every format is a pure function of the result: no files, no clock, no terminal.
//! [`text::Options`] holds everything that depends on the reader's terminal (colour, width,
//! character set).

pub mod csv;
mod extent;
pub mod html;
pub mod json;
pub mod junit;
pub mod meaning;
pub mod places;
pub mod sarif;
pub mod terminal;
pub mod text;
pub mod witness;

/// The JSON Schema of results.
pub const RESULT_SCHEMA: &str = include_str!("../result.schema.json");

pub use text::Options;

use verify::result::VerifyResult;

/// The formats of `--format`. The page of `--report` is [`html`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Text for people.
    #[default]
    Text,
    /// The JSON of docs/results.md, "JSON".
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// JUnit XML.
    Junit,
    /// Comma-separated values, one line per property.
    Csv,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 5] = [
        Format::Text,
        Format::Json,
        Format::Sarif,
        Format::Junit,
        Format::Csv,
    ];

    /// The name of the format on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Json => "json",
            Format::Sarif => "sarif",
            Format::Junit => "junit",
            Format::Csv => "csv",
        }
    }
}

impl std::str::FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Format::ALL.into_iter().find(|format| format.name() == name);
        found.ok_or_else(|| {
            format!("unknown format '{name}' (known: text, json, sarif, junit, csv)")
        })
    }
}

/// Renders the report in a format; `options` matter for text only.
///
/// # Errors
/// Only by the signatures of the serialiser and the template engine; results themselves cannot
/// fail.
pub fn render(
    result: &VerifyResult,
    format: Format,
    options: &Options,
) -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
    Ok(match format {
        Format::Text => text::render(result, options),
        Format::Json => json::render(result)?,
        Format::Sarif => sarif::render(result)?,
        Format::Junit => junit::render(result)?,
        Format::Csv => csv::render(result),
    })
}

#[cfg(test)]
mod testing;
