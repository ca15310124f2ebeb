//! Comma-separated values (RFC 4180) with a heading: the columns `name`, `ltl` and `expect` in any
//! order; other columns are ignored.

use crate::diagnostic::Diagnostic;
use crate::json::Text;
use crate::wire::WireProperty;

/// The indices of the columns that are read.
#[derive(Clone, Copy)]
struct Columns {
    name: Option<usize>,
    ltl: usize,
    expect: Option<usize>,
    count: usize,
}

/// Whether the first line of a text is the heading of such a table.
pub(super) fn is_heading(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty());
    let cells = first.unwrap_or_default().split(',');
    let cells: Vec<String> = cells
        .map(|c| c.trim().trim_matches('"').to_ascii_lowercase())
        .collect();
    cells.len() > 1 && cells.iter().any(|c| is_formula(c))
}

fn is_formula(cell: &str) -> bool {
    matches!(cell, "ltl" | "formula")
}

/// Reads a table.
pub(super) fn read(text: &str, offset: usize) -> (Vec<WireProperty>, Vec<Diagnostic>) {
    let mut reader = Reader {
        text,
        offset,
        at: 0,
    };
    let (mut properties, mut errors) = (Vec::new(), Vec::new());
    let mut columns = None;
    while reader.at < text.len() {
        let cells = match reader.row() {
            Ok(cells) => cells,
            Err(error) => {
                errors.push(*error);
                break;
            }
        };
        if cells.iter().all(|c| c.trim().is_empty()) {
            continue;
        }
        let row = match columns {
            None => heading(&cells).map(|found| {
                columns = Some(found);
                None
            }),
            Some(columns) => property(&cells, columns).map(Some),
        };
        match row {
            Ok(property) => properties.extend(property),
            Err(error) => errors.push(*error),
        }
        if columns.is_none() {
            break;
        }
    }
    (properties, errors)
}

fn heading(cells: &[Text]) -> Result<Columns, Box<Diagnostic>> {
    let find = |wanted: &dyn Fn(&str) -> bool| {
        let names = cells.iter().map(|c| c.trim().to_ascii_lowercase());
        let found: Vec<usize> = names
            .enumerate()
            .filter(|(_, n)| wanted(n))
            .map(|(i, _)| i)
            .collect();
        match found[..] {
            [_, second, ..] => {
                let title = format!("the column `{}` is there twice", cells[second].trim());
                Err(Box::new(Diagnostic::error(title, cells[second].span())))
            }
            _ => Ok(found.first().copied()),
        }
    };
    let Some(ltl) = find(&is_formula)? else {
        let span = cells[0].span().start..cells[cells.len() - 1].span().end;
        let error = Diagnostic::error("the table has no column `ltl`", span)
            .help("the first line names the columns: name,ltl,expect");
        return Err(Box::new(error));
    };
    Ok(Columns {
        name: find(&|n| n == "name")?,
        ltl,
        expect: find(&|n| n == "expect")?,
        count: cells.len(),
    })
}

fn property(cells: &[Text], columns: Columns) -> Result<WireProperty, Box<Diagnostic>> {
    let span = cells[0].span().start..cells[cells.len() - 1].span().end;
    if cells.len() != columns.count {
        let title = format!("{} cells in a row of {}", cells.len(), columns.count);
        let error = Diagnostic::error(title, span).help("put quotes around a cell with a comma");
        return Err(Box::new(error));
    }
    let cell = |column: Option<usize>| {
        let text = &cells[column?];
        let start = text.len() - text.trim_start().len();
        let part = text.part(start..start + text.trim().len());
        (!part.is_empty()).then_some(part)
    };
    let ltl = cell(Some(columns.ltl)).ok_or_else(|| {
        let span = cells[columns.ltl].span();
        Box::new(Diagnostic::error("a row without a formula", span))
    })?;
    Ok(WireProperty {
        name: cell(columns.name),
        ltl: Some(ltl),
        expect: cell(columns.expect),
        span,
    })
}

struct Reader<'a> {
    text: &'a str,
    offset: usize,
    at: usize,
}

impl Reader<'_> {
    /// Reads the cells of a line, and the end of the line.
    fn row(&mut self) -> Result<Vec<Text>, Box<Diagnostic>> {
        let mut cells = vec![self.cell()?];
        while self.text[self.at..].starts_with(',') {
            self.at += 1;
            cells.push(self.cell()?);
        }
        let rest = &self.text[self.at..];
        let end = ["\r\n", "\n", "\r"]
            .iter()
            .find(|end| rest.starts_with(**end));
        match end {
            Some(end) => self.at += end.len(),
            None if rest.is_empty() => {}
            None => {
                let here = self.offset + self.at;
                let title = "a comma or the end of the line must follow a quoted cell";
                return Err(Box::new(Diagnostic::error(title, here..here + 1)));
            }
        }
        Ok(cells)
    }

    fn cell(&mut self) -> Result<Text, Box<Diagnostic>> {
        let rest = &self.text[self.at..];
        if rest.trim_start_matches(' ').starts_with('"') {
            return self.quoted();
        }
        let length = rest.find([',', '\n', '\r']).unwrap_or(rest.len());
        let cell = Text::plain(&rest[..length], self.offset + self.at);
        self.at += length;
        Ok(cell)
    }

    /// A quoted cell; a quote inside is doubled.
    fn quoted(&mut self) -> Result<Text, Box<Diagnostic>> {
        let rest = &self.text[self.at..];
        let start = self.at + (rest.len() - rest.trim_start_matches(' ').len());
        let mut at = start + 1;
        let mut value = String::new();
        let mut steps = vec![(0, self.offset + at)];
        loop {
            let Some(length) = self.text[at..].find('"') else {
                let place = self.offset + start;
                let title = "the quotes are not closed";
                return Err(Box::new(Diagnostic::error(title, place..place + 1)));
            };
            value.push_str(&self.text[at..at + length]);
            at += length + 1;
            if !self.text[at..].starts_with('"') {
                break;
            }
            value.push('"');
            at += 1;
            steps.push((value.len(), self.offset + at));
        }
        let spaces = self.text[at..].len() - self.text[at..].trim_start_matches(' ').len();
        self.at = at + spaces;
        let span = self.offset + start..self.offset + at;
        Ok(Text::with_steps(value, span, steps))
    }
}
