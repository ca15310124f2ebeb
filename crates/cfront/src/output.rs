//! Writes the program text with insertions as a C file that compiles by itself.

mod kept;
mod lines;
mod macros;

use crate::diag::Diagnostic;
use crate::edit::{splice_range, Edits, Place};
use crate::linemap::{parse_marker, quoted, Marker};
use crate::parse::Unit;
use crate::span::{Offset, Span};
use crate::token::TokenKind;
use kept::Kept;
use macros::{Macros, Origin};

/// How the output represents system headers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Headers {
    /// As the `#include` lines that they came from. Headers of the user are expanded, and so are
    /// system headers into whose text something is inserted.
    #[default]
    Include,
    /// As the text that the preprocessor wrote. Only compilers of the same family can read it.
    Expand,
}

/// How to write the program.
#[derive(Clone, Copy, Debug, Default)]
pub struct OutputOptions<'a> {
    /// How system headers are written.
    pub headers: Headers,
    /// Text (lines, directives allowed) before the first token of the user's program, after the
    /// system headers that are included before it. In this text macros of the user are undefined,
    /// except those that select features of system headers.
    pub prologue: &'a str,
    /// Text after the program.
    pub epilogue: &'a str,
    /// The file name in the line markers of prologue and epilogue; empty for no markers.
    pub own_name: &'a str,
}

/// The origin of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    /// The user's text.
    User,
    /// A system header.
    System,
    /// A system header that is written as text, because something is inserted into it.
    Written,
    /// A header that every compiler includes implicitly.
    Implied,
}

/// The kind of name that a marker has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum File {
    BuiltIn,
    CommandLine,
    Real,
}

/// A line of the preprocessed text.
enum Line {
    Marker(Marker),
    Directive,
    Text,
}

impl Unit {
    /// Writes the program with insertions.
    ///
    /// Line markers keep the file and number of each line of the user's files. Without insertions
    /// the output means the same as the input.
    ///
    /// # Errors
    /// If an insertion lies in a directive, within a token, or in a header that the compiler
    /// includes implicitly.
    pub fn emit(&self, edits: &Edits, options: &OutputOptions) -> Result<Vec<u8>, Diagnostic> {
        let texts = self.emit_all(edits, &vec![*options; self.parts.len()])?;
        Ok(texts.into_iter().flatten().collect())
    }

    /// Writes each part of the program, with options of its own, as a file of its own.
    ///
    /// # Errors
    /// As [`Unit::emit`].
    pub fn emit_all(
        &self,
        edits: &Edits,
        options: &[OutputOptions],
    ) -> Result<Vec<Vec<u8>>, Diagnostic> {
        let sorted = edits.sorted();
        let mut rest = sorted.as_slice();
        let mut texts = Vec::new();
        for (&part, options) in self.parts.iter().zip(options) {
            let is_last = texts.len() + 1 == self.parts.len();
            let count = rest.partition_point(|(at, _)| is_last || *at < part.end);
            let (here, later) = rest.split_at(count);
            rest = later;
            for (at, _) in here {
                self.check_place(*at)?;
            }
            let mut emitter = Emitter::new(self, part, here, options);
            emitter.run();
            texts.push(lines::standard(&emitter.finish()?));
        }
        Ok(texts)
    }

    fn check_place(&self, at: Offset) -> Result<(), Diagnostic> {
        let refuse = |why: &str| Err(self.misplaced(at, why));
        if at > self.source.bytes.len() {
            return refuse("behind the end of the program");
        }
        if self
            .tokens
            .covering(at)
            .is_some_and(|t| self.tokens.tokens[t].span.start < at)
        {
            return refuse("within a token");
        }
        let directives = &self.tokens.directives;
        let index = directives.partition_point(|d| d.end <= at);
        if directives.get(index).is_some_and(|d| d.start <= at) {
            return refuse("in a directive");
        }
        Ok(())
    }

    fn misplaced(&self, at: Offset, why: &str) -> Diagnostic {
        let message = format!("something has to be inserted here, {why}");
        let help = "see whether a compiler accepts the program";
        let diagnostic = Diagnostic::error(Span::empty(at), message).help(help);
        self.source.resolve(diagnostic)
    }
}

struct Emitter<'a> {
    unit: &'a Unit,
    /// The part of the text that is written.
    part: Span,
    sorted: &'a [(Offset, &'a str)],
    used: usize,
    options: &'a OutputOptions<'a>,
    out: Vec<u8>,
    macros: Macros,
    /// The levels of the open files, innermost last.
    files: Vec<Level>,
    /// The include line that was read last at the user's level.
    include: Option<String>,
    /// The headers that stay include lines.
    kept: Kept,
    /// The offsets, in order, at which a header begins that stays an include line.
    includes: Vec<Offset>,
    /// The file of the last marker.
    file: Option<File>,
    prologue_done: bool,
    /// Whether the output may define macros that the user's text must not see.
    dirty: bool,
    /// The offset of an insertion into text that is left out.
    skipped: Option<Offset>,
    /// Whether an insertion turned the following text into a comment.
    place: Place,
}

impl<'a> Emitter<'a> {
    fn new(
        unit: &'a Unit,
        part: Span,
        sorted: &'a [(Offset, &'a str)],
        options: &'a OutputOptions<'a>,
    ) -> Emitter<'a> {
        let kept = Kept::new(unit, part, sorted);
        Emitter {
            unit,
            part,
            sorted,
            used: 0,
            options,
            out: Vec::with_capacity(part.len() / 2),
            macros: Macros::default(),
            files: vec![Level::User],
            include: None,
            includes: kept.includes(),
            kept,
            file: None,
            prologue_done: false,
            dirty: true,
            skipped: None,
            place: Place::default(),
        }
    }

    fn collapse(&self) -> bool {
        self.options.headers == Headers::Include
    }

    fn level(&self) -> Level {
        self.files.last().copied().unwrap_or(Level::User)
    }

    /// Whether the text at the current position is left out.
    fn leaves_out(&self) -> bool {
        match self.level() {
            Level::User | Level::Written => false,
            Level::System => self.collapse(),
            Level::Implied => true,
        }
    }

    fn in_compiler(&self) -> bool {
        matches!(self.file, Some(File::BuiltIn | File::CommandLine))
    }

    fn run(&mut self) {
        let guard = self.unit.tree.types.model.guard();
        self.out.extend_from_slice(guard.as_bytes());
        let text = self.part.of(&self.unit.source.text);
        let mut start = self.part.start;
        for line in text.split_inclusive('\n') {
            let span = Span::new(start, start + line.len());
            start = span.end;
            match self.classify(line, span.start) {
                Line::Marker(marker) => self.outside_comments(|e| e.marker(&marker, span)),
                Line::Directive => {
                    self.outside_comments(|e| e.directive(line.trim_start(), span));
                }
                Line::Text => self.text(span),
            }
        }
    }

    /// Writes directives; interrupts a comment around them.
    fn outside_comments(&mut self, write: impl FnOnce(&mut Self)) {
        let start = self.out.len();
        write(self);
        let silent = self.out[start..].iter().all(u8::is_ascii_whitespace);
        if self.place == Place::Comment && !silent {
            self.out.splice(start..start, *b" */\n");
            self.start_line();
            self.out.extend_from_slice(b"/* ");
        }
    }

    fn classify(&self, line: &str, start: Offset) -> Line {
        if !line.trim_start().starts_with('#') {
            return Line::Text;
        }
        let directives = &self.unit.tokens.directives;
        let index = directives.partition_point(|d| d.end <= start);
        let blank = line.len() - line.trim_start().len();
        if directives
            .get(index)
            .is_none_or(|d| d.start > start + blank)
        {
            return Line::Text;
        }
        match parse_marker(line) {
            Some(marker) => Line::Marker(marker),
            None => Line::Directive,
        }
    }

    // Markers -----------------------------------------------------------------------------------

    fn marker(&mut self, marker: &Marker, span: Span) {
        let left_out = self.leaves_out();
        if marker.enter {
            let level = self.level_of(marker, span.start);
            self.files.push(level);
            if !left_out && level == Level::System && self.collapse() {
                self.emit_include();
            }
        } else if marker.leave && self.files.len() > 1 {
            self.files.pop();
        }
        let is_first = self.file.is_none();
        self.file = Some(match marker.file.as_str() {
            "<built-in>" => File::BuiltIn,
            "<command-line>" => File::CommandLine,
            _ => File::Real,
        });
        if self.in_compiler() || is_first || self.leaves_out() {
            return;
        }
        if left_out {
            return self.line_marker(span.end);
        }
        if !self.collapse() && std::mem::take(&mut self.dirty) {
            // The output starts with only the compiler's own macros defined.
            self.clean(span.start);
        }
        self.start_line();
        self.out
            .extend_from_slice(&self.unit.source.bytes[span.start..span.end]);
    }

    /// The level of the file that a marker enters. A file included on the command line has no
    /// include line, so it is treated as the user's text.
    fn level_of(&self, marker: &Marker, at: Offset) -> Level {
        let include = self.include.as_deref();
        match self.level() {
            Level::User if is_implied(marker) => Level::Implied,
            Level::User if marker.system && include.is_some() => self.header(at),
            // `"name"` is looked up in the directory of the header, which is not that of the
            // output.
            Level::Written if include.is_some_and(is_from_anywhere) => self.header(at),
            outer => outer,
        }
    }

    /// The level of a system header that has an include line.
    fn header(&self, at: Offset) -> Level {
        match self.collapse() && self.kept.is_written(at) {
            true => Level::Written,
            false => Level::System,
        }
    }

    /// Writes a marker for the line that begins at an offset.
    fn line_marker(&mut self, at: Offset) {
        let (file, line) = self.unit.source.lines.line(at);
        if file.is_empty() {
            return;
        }
        let file = quoted(file);
        // Flag 3 marks a system header: compilers do not warn about its text.
        let system = match self.unit.source.lines.is_quiet(at) {
            true => " 3",
            false => "",
        };
        self.start_line();
        self.out
            .extend_from_slice(format!("# {line} \"{file}\"{system}\n").as_bytes());
    }

    fn start_line(&mut self) {
        if self.out.last().is_some_and(|&b| b != b'\n') {
            self.out.push(b'\n');
        }
    }

    // Directives --------------------------------------------------------------------------------

    fn directive(&mut self, line: &str, span: Span) {
        let line = line.trim_end();
        let rest = line[1..].trim_start();
        let word_end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let (word, rest) = rest.split_at(word_end.unwrap_or(rest.len()));
        let is_written = matches!(self.level(), Level::User | Level::Written);
        match word {
            "define" => self.macros.define(line, rest, self.origin()),
            "undef" => self.macros.undefine(rest.trim(), self.origin()),
            "include" | "include_next" | "import" if is_written => {
                let end = line.find("/* clang").unwrap_or(line.len());
                self.include = Some(line[..end].trim_end().to_string());
            }
            "pragma" if !self.leaves_out() && is_kept(rest) => return self.pragma(line, span),
            _ => {}
        }
        if !self.in_compiler() && !self.leaves_out() && !self.out.is_empty() {
            self.out.push(b'\n');
        }
    }

    fn pragma(&mut self, line: &str, span: Span) {
        self.before_text(span.start);
        self.start_line();
        self.out.extend_from_slice(line.as_bytes());
        self.out.push(b'\n');
    }

    fn origin(&self) -> Origin {
        match (self.level(), self.file) {
            (Level::User, Some(File::BuiltIn)) => Origin::System,
            (Level::User | Level::Written, _) => Origin::User,
            (Level::System | Level::Implied, _) => Origin::System,
        }
    }

    /// Writes the include line of the header that is being entered.
    fn emit_include(&mut self) {
        let Some(include) = self.include.take() else {
            return;
        };
        self.start_line();
        self.macros.restore(&mut self.out);
        self.out.extend_from_slice(include.as_bytes());
        self.out.push(b'\n');
        self.dirty = true;
    }

    // Text --------------------------------------------------------------------------------------

    fn text(&mut self, span: Span) {
        if self.leaves_out() {
            return;
        }
        let has_tokens =
            self.unit.tokens.at_or_after(span.start) < self.unit.tokens.at_or_after(span.end);
        if self.in_compiler() && !has_tokens {
            return;
        }
        if has_tokens {
            self.outside_comments(|e| e.before_text(span.start));
        }
        // An insertion may stand at the end of the last line, which may lack a line end.
        let range = match span.end == self.unit.source.bytes.len() {
            true => Span::new(span.start, span.end + 1),
            false => span,
        };
        let mut line = Vec::new();
        let rest = &self.sorted[self.used..];
        if let Some((at, _)) = rest.first().filter(|(at, _)| *at < range.start) {
            // The insertion belongs to text that is left out.
            self.skipped.get_or_insert(*at);
        }
        self.used += splice_range(
            &self.unit.source.bytes,
            range,
            rest,
            &mut self.place,
            &mut line,
        );
        self.out.extend_from_slice(&line);
    }

    /// Writes prologue and undefinitions before a line of the user's that has tokens.
    fn before_text(&mut self, at: Offset) {
        if !self.prologue_done {
            self.prologue_done = true;
            self.prologue();
            if self.collapse() {
                self.clean(at);
                self.dirty = false;
            }
            self.line_marker(at);
        } else if self.collapse() && (self.dirty || self.macros.has_left_over()) {
            self.dirty = false;
            if self.clean(at) {
                self.line_marker(at);
            }
        }
    }

    fn prologue(&mut self) {
        let text = self.options.prologue;
        if text.is_empty() {
            return;
        }
        self.start_line();
        if self.collapse() {
            let before = self.before_includes();
            self.macros
                .before_prologue(&mut self.out, self.unit, self.part, before);
        }
        self.own_marker();
        self.out.extend_from_slice(text.as_bytes());
        self.start_line();
    }

    /// The text before the first system header; empty if there is none.
    fn before_includes(&self) -> Span {
        let first = self.includes.first().copied();
        Span::new(self.part.start, first.unwrap_or(self.part.start))
    }

    fn own_marker(&mut self) {
        if !self.options.own_name.is_empty() {
            self.out
                .extend_from_slice(format!("# 1 \"{}\"\n", self.options.own_name).as_bytes());
        }
    }

    /// Undefines the macros that must not be seen from an offset to the next system header. Returns
    /// whether it wrote anything.
    fn clean(&mut self, at: Offset) -> bool {
        let next = self.includes.partition_point(|&i| i <= at);
        let end = match self.collapse() {
            true => self.includes.get(next).copied().unwrap_or(self.part.end),
            false => self.part.end,
        };
        let tokens = &self.unit.tokens;
        let from = tokens.at_or_after(at);
        let names = tokens.tokens[from..]
            .iter()
            .take_while(|t| t.span.start < end)
            .filter(|t| t.kind == TokenKind::Word)
            .map(|t| t.span.of(&self.unit.source.text))
            .collect();
        let before = self.out.len();
        let mut lines = Vec::new();
        self.macros.hide(&names, &mut lines);
        if !lines.is_empty() {
            self.start_line();
            self.out.extend_from_slice(&lines);
        }
        self.out.len() > before
    }

    fn finish(mut self) -> Result<Vec<u8>, Diagnostic> {
        if !self.prologue_done {
            self.prologue_done = true;
            self.prologue();
        }
        if let Some(at) = self.skipped {
            let why = "in a header that the compiler includes by itself";
            return Err(self.unit.misplaced(at, why));
        }
        if let Some((at, _)) = self.sorted.get(self.used) {
            // An empty program has no line for an insertion.
            let message = "cannot insert text into a program without lines";
            return Err(Diagnostic::error(Span::empty(*at), message));
        }
        if !self.options.epilogue.is_empty() {
            self.start_line();
            self.own_marker();
            self.out.extend_from_slice(self.options.epilogue.as_bytes());
        }
        self.start_line();
        Ok(self.out)
    }
}

/// Whether a marker enters the header that compilers include before all text.
fn is_implied(marker: &Marker) -> bool {
    marker.system && marker.file.ends_with("stdc-predef.h")
}

/// Whether a pragma means something in the output. Advice on how often to unroll a loop changes no
/// program, but ESBMC takes it for the loop's bound, in place of the one that it was given.
fn is_kept(pragma: &str) -> bool {
    let dropped = [
        "once",
        "GCC system_header",
        "GCC poison",
        "push_macro",
        "pop_macro",
        "unroll",
        "nounroll",
        "GCC unroll",
        "clang loop",
    ];
    let words: Vec<&str> = pragma.split_whitespace().collect();
    let pragma = words.join(" ");
    !dropped.iter().any(|p| pragma.starts_with(p))
}

/// Whether an include line means the same header in every file.
fn is_from_anywhere(line: &str) -> bool {
    let rest = line.trim_start_matches('#').trim_start();
    let name = rest.strip_prefix("include").unwrap_or_default();
    name.trim_start().starts_with('<')
}
