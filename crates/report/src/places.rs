//! A self-contained HTML page without scripts that shows a program's source with marks beside its
//! lines: facts found there, and places where a monitor would be woven.

use askama::Template;

/// The content of the page.
#[derive(Template, Clone, Debug, Default)]
#[template(path = "report/places.html")]
pub struct Page {
    /// The tool's version.
    pub version: String,
    /// The properties.
    pub properties: Vec<Property>,
    /// The propositions: name and meaning.
    pub propositions: Vec<(String, String)>,
    /// The facts that were found, a sentence each.
    pub found: Vec<String>,
    /// The source.
    pub files: Vec<File>,
}

/// A property with the reason why it is proposed.
#[derive(Clone, Debug, Default)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Its formula.
    pub ltl: String,
    /// Why it is proposed.
    pub why: String,
}

/// A source file.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// Its name.
    pub name: String,
    /// Its lines.
    pub lines: Vec<Line>,
}

/// A line of a source file.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Its number, from 1.
    pub number: u32,
    /// Its text.
    pub text: String,
    /// The marks beside the line.
    pub marks: Vec<Mark>,
}

/// A mark beside a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// `site` or `found`.
    pub class: &'static str,
    /// One word.
    pub label: String,
    /// The full text.
    pub title: String,
}

impl Line {
    /// The CSS class of the line: insertions (`hit`), other marks (`seen`), or none.
    fn class(&self) -> &'static str {
        match self.marks.iter().any(|mark| mark.class == "site") {
            true => "hit",
            false if self.marks.is_empty() => "plain",
            false => "seen",
        }
    }
}

impl Page {
    /// Renders the page.
    ///
    /// # Errors
    /// Only by the signature of the template engine; the template itself cannot fail.
    pub fn text(&self) -> Result<String, askama::Error> {
        Ok(self.render()? + "\n")
    }
}
