//! A page that shows a program's source with marks beside its lines: what was found there, and where a monitor
//! would be woven. One file without scripts and without anything from elsewhere.

use askama::Template;

/// What stands on the page.
#[derive(Template, Clone, Debug, Default)]
#[template(path = "report/places.html")]
pub struct Page {
    /// The tool's version.
    pub version: String,
    /// The properties.
    pub properties: Vec<Property>,
    /// The propositions: name and meaning.
    pub propositions: Vec<(String, String)>,
    /// What was found, a sentence each.
    pub found: Vec<String>,
    /// The source.
    pub files: Vec<File>,
}

/// A property with the reason for asking it.
#[derive(Clone, Debug, Default)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Its formula.
    pub ltl: String,
    /// Why it is asked.
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
    /// What there is to say of it.
    pub marks: Vec<Mark>,
}

/// Something about a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// `site` or `found`.
    pub class: &'static str,
    /// In a word.
    pub label: String,
    /// In full.
    pub title: String,
}

impl Line {
    /// How the line is marked: where something would be woven, where something was found, or not.
    fn class(&self) -> &'static str {
        match self.marks.iter().any(|mark| mark.class == "site") {
            true => "hit",
            false if self.marks.is_empty() => "plain",
            false => "seen",
        }
    }
}

impl Page {
    /// The page as text.
    ///
    /// # Errors
    /// None that the template can give; kept because the template engine has them.
    pub fn text(&self) -> Result<String, askama::Error> {
        Ok(self.render()? + "\n")
    }
}
