//! From a preprocessed text to a tree: tokens, shadow, lang-c, lowering, and another round for
//! names that lang-c misread.

use std::collections::HashMap;
use std::time::Duration;

use lang_c::ast::TranslationUnit;
use lang_c::driver::{parse_preprocessed, Config, Flavor};

use crate::assembler::{self, Assembler};
use crate::data_model::DataModel;
use crate::diag::Diagnostic;
use crate::flow::Flow;
use crate::lower::{Externals, Input, Lower};
use crate::shadow::{token_span, Hint, Shadow};
use crate::source::Source;
use crate::span::{FunctionId, Offset, Span};
use crate::token::{TokenKind, Tokens};
use crate::tree::Tree;

/// Stack, in bytes, of the parsing thread. lang-c and the lowering recurse; bounded nesting keeps
/// them well below this size (a link of an `else if` chain takes some KiB). Only pages in use
/// become memory.
pub(crate) const STACK: usize = 1 << 30;

/// Stack, in bytes, of a thread that may walk any tree recursively. Only pages in use become
/// memory.
pub const WALK_STACK: usize = 1 << 29;

/// How often a text is parsed again because lang-c misread a name. Each round tells apart all
/// misread names seen so far, so many rounds hint at another problem.
const MAX_ROUNDS: usize = 24;

/// A program: text, tokens and tree of one translation unit, or of several that are linked
/// together. Units share objects and functions with external linkage; other entities of the same
/// name are separate.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The preprocessed text and where it came from.
    pub source: Source,
    /// The part of the text that each translation unit has, in the order of the text.
    pub parts: Vec<Span>,
    /// Its tokens.
    pub tokens: Tokens,
    /// Its tree.
    pub tree: Tree,
    /// The control flow of the functions that it defines.
    pub flows: HashMap<FunctionId, Flow>,
}

impl Unit {
    /// What layouts of structures are read from.
    pub(crate) fn parts_of_layouts(&self) -> crate::layout::Parts<'_> {
        crate::layout::Parts {
            tree: &self.tree,
            tokens: &self.tokens,
            text: &self.source.text,
        }
    }

    /// The preprocessed text.
    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// The text of a span.
    pub fn text_of(&self, span: Span) -> &str {
        span.of(&self.source.text)
    }

    /// The ends of lines in a part of the text, and its directives: where the expansion of a header's macro begins,
    /// one says where the text is from.
    pub(crate) fn lines_of(&self, part: Span) -> String {
        let directives: Vec<&Span> = self.tokens.directives_in(part).collect();
        let letters = self.text_of(part).char_indices();
        let kept = letters.filter(|(at, c)| {
            let at = part.start + at;
            *c == '\n' || directives.iter().any(|d| d.contains(at))
        });
        kept.map(|(_, c)| c).collect()
    }

    /// Reads a preprocessed text.
    ///
    /// # Errors
    /// All errors of the text with their places: text that is no C, C that lang-c does not read,
    /// undeclared names, nesting that is too deep.
    pub fn parse(source: Source) -> Result<Unit, Vec<Diagnostic>> {
        Unit::parse_all(vec![source])
    }

    /// Reads the preprocessed texts of files that are linked together.
    ///
    /// # Errors
    /// As for [`Unit::parse`], and if two files define the same function.
    pub fn parse_all(sources: Vec<Source>) -> Result<Unit, Vec<Diagnostic>> {
        let mut assembler: Vec<Assembler> = sources.iter().map(Assembler::of).collect();
        // Each round takes the next of a few forms for some statements.
        for _ in 0..assembler::ROUNDS {
            let rewritten: Vec<Option<Source>> =
                assembler.iter_mut().map(Assembler::rewritten).collect();
            if rewritten.iter().all(Option::is_none) {
                break;
            }
            let texts = rewritten.into_iter().zip(&sources);
            let texts = texts.map(|(new, old)| new.unwrap_or_else(|| old.clone()));
            // If the program is no C, its own text says so best.
            let Ok(unit) = Unit::parse_as_it_is(texts.collect()) else {
                break;
            };
            let parts = unit.parts.iter();
            let refused = assembler.iter_mut().zip(parts);
            let refused = refused.map(|(a, part)| a.refuse_untyped(&unit.tree, part.start));
            if refused.filter(|any| *any).count() == 0 {
                return Ok(unit);
            }
        }
        Unit::parse_as_it_is(sources)
    }

    fn parse_as_it_is(sources: Vec<Source>) -> Result<Unit, Vec<Diagnostic>> {
        let (source, parts) = Source::concat(sources);
        let mut tokens = Vec::new();
        for part in &parts {
            match Tokens::lex(part.of(&source.text), true) {
                Ok(mut of_part) => {
                    of_part.shift(part.start);
                    tokens.push(of_part);
                }
                Err(mut d) => {
                    d.span = Span::new(d.span.start + part.start, d.span.end + part.start);
                    return Err(vec![source.resolve(d)]);
                }
            }
        }
        match on_large_stack(source, tokens, read) {
            Ok((source, tokens, Ok((tree, flows)))) => Ok(Unit {
                source,
                parts,
                tokens: tokens
                    .into_iter()
                    .reduce(|mut all, next| {
                        all.append(next);
                        all
                    })
                    .unwrap_or_default(),
                tree,
                flows,
            }),
            Ok((source, _, Err(list))) => {
                Err(list.into_iter().map(|d| source.resolve(d)).collect())
            }
            Err(d) => Err(vec![d]),
        }
    }

    /// The translation unit (index into [`Unit::parts`]) of an offset.
    pub fn part_of(&self, at: Offset) -> usize {
        let after = self.parts.partition_point(|part| part.start <= at);
        after.saturating_sub(1)
    }
}

type Parts = (Tree, HashMap<FunctionId, Flow>);
type Read = fn(&Source, &[Tokens]) -> Result<Parts, Vec<Diagnostic>>;
type Answer = (Source, Vec<Tokens>, Result<Parts, Vec<Diagnostic>>);

/// Runs the reader on a thread with a large stack. The time limit is far above the time that any
/// text needs; lang-c backtracks, so no bound is known.
fn on_large_stack(source: Source, tokens: Vec<Tokens>, read: Read) -> Result<Answer, Diagnostic> {
    let limit = Duration::from_secs(120 + source.text.len() as u64 / 50_000);
    let (send, receive) = std::sync::mpsc::channel();
    let thread = std::thread::Builder::new()
        .name("read C".to_string())
        .stack_size(STACK)
        .spawn(move || {
            let result = read(&source, &tokens);
            // The receiver is gone after the time limit.
            let _ = send.send((source, tokens, result));
        })
        .map_err(|e| {
            Diagnostic::error(
                Span::empty(0),
                format!("no thread to read the program with: {e}"),
            )
        })?;
    match receive.recv_timeout(limit) {
        Ok(answer) => {
            // The thread has sent its answer, so it is about to end.
            let _ = thread.join();
            Ok(answer)
        }
        Err(std::sync::mpsc::RecvTimeoutError::Timeout) => Err(Diagnostic::error(
            Span::empty(0),
            "reading the program takes too long",
        )
        .note(format!("given up after {} seconds", limit.as_secs()))),
        Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => Err(Diagnostic::error(
            Span::empty(0),
            "the reader of C failed unexpectedly",
        )
        .note("this is an error of baproduct, not of the program")),
    }
}

fn read(source: &Source, parts: &[Tokens]) -> Result<Parts, Vec<Diagnostic>> {
    let mut tree = read_tree(source, parts)?;
    crate::returning::take_back(&mut tree);
    assembler::unread::take_back(&mut tree);
    let mut flows = HashMap::new();
    let mut errors = Vec::new();
    for (function, _, _) in tree.defined_functions() {
        match Flow::new(&tree, function) {
            Ok(flow) => {
                flows.insert(function, flow);
            }
            Err(list) => errors.extend(list),
        }
    }
    if errors.is_empty() {
        Ok((tree, flows))
    } else {
        Err(errors)
    }
}

/// Reads the parts one after the other into one tree.
fn read_tree(source: &Source, parts: &[Tokens]) -> Result<Tree, Vec<Diagnostic>> {
    let mut so_far: Option<(Tree, Externals)> = None;
    let mut errors = Vec::new();
    for tokens in parts {
        match read_part(source, tokens, so_far.take()) {
            Ok(lowered) => so_far = Some(lowered),
            Err(list) => errors.extend(list),
        }
    }
    match (errors.is_empty(), so_far) {
        (true, Some((tree, _))) => Ok(tree),
        _ => Err(errors),
    }
}

/// Refuses files of different data models: a shared object would have different values in them.
fn same_model(before: &Tree, now: &Tree, tokens: &Tokens) -> Result<(), Vec<Diagnostic>> {
    let (before, now) = (before.types.model, now.types.model);
    if before == now {
        return Ok(());
    }
    let start = tokens.tokens.first().map_or(0, |t| t.span.start);
    let (message, help) = match before.char_unsigned == now.char_unsigned {
        false => (
            "`char` is unsigned in one file of the program and signed in another".to_owned(),
            "compile all with -funsigned-char, or none",
        ),
        true => (
            format!(
                "one file of the program is compiled for {} and another for {}",
                before.name(),
                now.name()
            ),
            "compile all for the same machine",
        ),
    };
    Err(vec![
        Diagnostic::error(Span::empty(start), message).help(help)
    ])
}

/// Reads one part. Each round lowers into a copy of the tree, because the tree of a misread text is
/// worthless.
fn read_part(
    source: &Source,
    tokens: &Tokens,
    so_far: Option<(Tree, Externals)>,
) -> Result<(Tree, Externals), Vec<Diagnostic>> {
    let text = source.text.as_str();
    let mut hints: HashMap<usize, Hint> = HashMap::new();
    for _ in 0..MAX_ROUNDS {
        let shadow = Shadow::make(text, tokens, &hints).map_err(|d| vec![d])?;
        let unit = parse_shadow(text, tokens, &shadow).map_err(|d| vec![d])?;
        let input = Input {
            text,
            tokens,
            shadow: &shadow,
            lines: Some(&source.lines),
        };
        let lower = |tree, externals| Lower::new(input, tree).linked_to(externals).unit(&unit);
        let mut fresh = Tree::default();
        fresh.types.model = DataModel::of_macros(text, tokens);
        if let Some((tree, _)) = &so_far {
            same_model(tree, &fresh, tokens)?;
        }
        let mut lowered = lower(fresh, Externals::default());
        if lowered.hints.is_empty() {
            if let Some((tree, externals)) = so_far.filter(|_| lowered.diagnostics.is_empty()) {
                lowered = lower(tree, externals);
            }
            return match lowered.diagnostics.is_empty() {
                true => Ok((lowered.tree, lowered.externals)),
                false => Err(lowered.diagnostics),
            };
        }
        let found = lowered.hints;
        let mut new = false;
        for (&token, &hint) in &found {
            new |= hints.insert(token, hint) != Some(hint);
        }
        if !new {
            return Err(ambiguous(tokens, text, found.keys().min().copied()));
        }
    }
    Err(ambiguous(tokens, text, hints.keys().min().copied()))
}

fn ambiguous(tokens: &Tokens, text: &str, token: Option<usize>) -> Vec<Diagnostic> {
    let token = token.unwrap_or(0);
    let name = tokens.text(token, text);
    vec![Diagnostic::error(
        token_span(tokens, token, token),
        format!("cannot tell whether `{name}` names a type here"),
    )
    .help("rename the type or the variable")]
}

/// Parses a shadow with lang-c.
pub(crate) fn parse_shadow(
    text: &str,
    tokens: &Tokens,
    shadow: &Shadow,
) -> Result<TranslationUnit, Diagnostic> {
    if shadow.text.trim().is_empty() {
        return Ok(TranslationUnit(Vec::new()));
    }
    let config = Config {
        cpp_command: String::new(),
        cpp_options: Vec::new(),
        flavor: Flavor::GnuC11,
    };
    parse_preprocessed(&config, shadow.text.clone())
        .map(|p| p.unit)
        .map_err(|e| {
            let origin = shadow.origin(e.offset);
            let index = origin.map_or(0, |o| o.token);
            syntax_error(
                text,
                tokens,
                index,
                e.offset >= shadow.text.trim_end().len(),
            )
        })
}

fn syntax_error(text: &str, tokens: &Tokens, index: usize, at_end: bool) -> Diagnostic {
    let span = token_span(tokens, index, index);
    let word = tokens.text(index, text);
    let message = if at_end {
        "the program ends in the middle of a declaration or statement".to_string()
    } else {
        format!("syntax error at `{word}`")
    };
    if let Some(name) = inner_function(text, tokens, index) {
        let message = format!(
            "`{}` is a function within a function, a GNU extension that is not supported",
            name.of(text)
        );
        return Diagnostic::error(name, message).help(
            "define it at file scope, with what it uses of the outer function as parameters",
        );
    }
    Diagnostic::error(span, message).label("this was not expected here")
}

/// The name of a function within another one whose body begins at a token: `int f(int a) {` within braces.
fn inner_function(text: &str, tokens: &Tokens, brace: usize) -> Option<Span> {
    let word = |index: usize| tokens.text(index, text);
    let close = brace.checked_sub(1).filter(|_| word(brace) == "{")?;
    let open = usize::try_from(tokens.mates[close]).ok()?;
    let name = open.checked_sub(1).filter(|_| word(close) == ")")?;
    let before = name.checked_sub(1)?;
    let is_word = |index: usize| tokens.tokens[index].kind == TokenKind::Word;
    let typed =
        is_word(before) && !matches!(word(before), "else" | "do" | "return") || word(before) == "*";
    let encloses = |index: usize| word(index) == "{" && tokens.mates[index] as usize > brace;
    let inside = (0..name).rev().any(encloses);
    (is_word(name) && typed && inside).then(|| tokens.tokens[name].span)
}
