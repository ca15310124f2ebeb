//! The text of a file whose lines are found without a search.

use std::ops::Deref;
use std::sync::Arc;

/// The text of a file. Copies share it.
#[derive(Clone, Debug, Default)]
pub struct FileText(Arc<Numbered>);

#[derive(Debug, Default)]
struct Numbered {
    text: String,
    /// Where the lines begin; there is none behind the last end of a line.
    starts: Vec<usize>,
}

impl FileText {
    /// A line, from 1, without its end, as [`str::lines`] has it.
    pub fn line(&self, number: u32) -> Option<&str> {
        let index = (number as usize).checked_sub(1)?;
        let start = *self.0.starts.get(index)?;
        let end = self.0.starts.get(index + 1).copied();
        let line = &self.0.text[start..end.unwrap_or(self.0.text.len())];
        Some(match line.strip_suffix('\n') {
            Some(line) => line.strip_suffix('\r').unwrap_or(line),
            None => line,
        })
    }
}

impl From<String> for FileText {
    fn from(text: String) -> FileText {
        let lines = text.split_inclusive('\n');
        let starts = lines.scan(0, |start, line| {
            let own = *start;
            *start += line.len();
            Some(own)
        });
        let starts = starts.collect();
        FileText(Arc::new(Numbered { text, starts }))
    }
}

impl Deref for FileText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_library() {
        for text in ["", "\n", "a", "a\n", "a\r\nb\n\nc", "a\rb\r", "ü\n\r\n"] {
            let file = FileText::from(text.to_owned());
            let lines: Vec<&str> = (1..9).map_while(|line| file.line(line)).collect();
            assert_eq!(lines, text.lines().collect::<Vec<_>>(), "{text:?}");
            assert_eq!(file.line(0), None);
        }
    }
}
