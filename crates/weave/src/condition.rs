//! C conditions in a specification: their names are resolved where the area begins; `f::x` is the
//! local `x` of function `f`.

use std::collections::BTreeSet;
use std::ops::Range as Span;
use std::path::Path;

use spec::{Diagnostic, Text};

use crate::facts::{Facts, FunctionIndex, Lifetime, ObjectIndex};
use crate::names::user;
use crate::resolve::{unknown, Scope};
use crate::syntax;
use crate::weaver::Piece;

/// A condition with its names resolved.
#[derive(Debug, Default)]
pub(crate) struct Condition {
    pub pieces: Vec<Piece>,
    pub objects: BTreeSet<ObjectIndex>,
    pub functions: Vec<(FunctionIndex, Span<usize>)>,
    pub macros: Vec<String>,
}

/// A variable as a specification names it.
#[derive(Debug)]
pub(crate) struct Wanted<'a> {
    pub function: Option<&'a str>,
    pub file: Option<&'a str>,
    pub line: Option<u32>,
    pub variable: &'a str,
    pub span: Span<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Identifier,
    Literal,
    Operator,
    Space,
}

/// Resolves a condition.
///
/// # Errors
/// A name that means nothing, an effect, or a construct that is not supported.
pub(crate) fn read(text: &Text, facts: &Facts, scope: Scope) -> Result<Condition, Box<Diagnostic>> {
    let tokens = with_files(tokens(text), text);
    let mut out = Condition::default();
    let mut i = 0;
    while i < tokens.len() {
        let (kind, range) = tokens[i].clone();
        let piece = &text[range.clone()];
        let span = text.span_of(range.clone());
        match kind {
            Kind::Operator
                if matches!(piece, "=" | "++" | "--")
                    || (piece.len() > 1
                        && piece.ends_with('=')
                        && !matches!(piece, "==" | "!=" | "<=" | ">=")) =>
            {
                return Err(Box::new(
                    Diagnostic::error(
                        format!("`{piece}` changes an object; a condition only reads"),
                        span,
                    )
                    .help("`==` compares"),
                ));
            }
            Kind::Operator if matches!(piece, "." | "->" | "[" | ";" | "{" | "}") => {
                return Err(Box::new(
                    Diagnostic::error(
                        format!("`{piece}` in a condition is not supported yet"),
                        span,
                    )
                    .help("name scalar variables"),
                ));
            }
            Kind::Identifier => {
                let qualified = qualified(&tokens, text, i);
                let last = qualified.unwrap_or(i);
                let name_range = tokens[last].1.clone();
                let owner = qualified.map(|_| piece);
                let wanted = Wanted {
                    function: owner.filter(|o| !o.contains('.')),
                    file: owner.filter(|o| o.contains('.')),
                    line: None,
                    variable: &text[name_range.clone()],
                    span: text.span_of(range.start..name_range.end),
                };
                name(&wanted, &tokens, text, last, facts, scope, &mut out)?;
                i = last;
            }
            _ => out.pieces.push(Piece::Text(user(piece))),
        }
        i += 1;
    }
    if out.pieces.is_empty() {
        return Err(Box::new(Diagnostic::error(
            "the condition is empty",
            text.span(),
        )));
    }
    for call in syntax::check(text, &tokens)? {
        arguments(text, &call, facts)?;
    }
    Ok(out)
}

/// Refuses a call with another number of arguments than its function has parameters.
fn arguments(text: &Text, call: &syntax::Call, facts: &Facts) -> Result<(), Box<Diagnostic>> {
    let name = &text[call.name.clone()];
    let Some(function) = facts.functions.iter().find(|f| f.name == name) else {
        return Ok(());
    };
    if function.parameters == Some(call.arguments) {
        return Ok(());
    }
    let title = format!(
        "`{name}` takes {}, and is given {} here",
        parameters(function.parameters),
        call.arguments
    );
    Err(Box::new(
        Diagnostic::error(title, text.span_of(call.name.clone()))
            .label("wrong number of parameters"),
    ))
}

/// A number of parameters in words.
pub(crate) fn parameters(number: Option<usize>) -> String {
    match number {
        None => "a variable number of parameters".to_string(),
        Some(1) => "1 parameter".to_string(),
        Some(n) => format!("{n} parameters"),
    }
}

/// So many tokens a file's name may have; a bound keeps long conditions cheap.
const LONGEST_PATH: usize = 100;

/// Makes the name of a file in front of `::` one word.
fn with_files(tokens: Vec<(Kind, Span<usize>)>, text: &str) -> Vec<(Kind, Span<usize>)> {
    let mut out: Vec<(Kind, Span<usize>)> = Vec::new();
    let mut at = 0;
    while let Some((kind, range)) = tokens.get(at).cloned() {
        let rest = tokens[at..].iter().take(LONGEST_PATH);
        let length = rest.take_while(|(kind, range)| match kind {
            Kind::Operator => matches!(&text[range.clone()], "." | "/" | "-"),
            Kind::Identifier | Kind::Literal => true,
            Kind::Space => false,
        });
        let end = at + length.count();
        let colons = tokens.get(end).is_some_and(|t| &text[t.1.clone()] == "::");
        let last = tokens[at..end].last().map_or(range.end, |t| t.1.end);
        if colons && kind == Kind::Identifier && text[range.start..last].contains('.') {
            out.push((Kind::Identifier, range.start..last));
            at = end;
        } else {
            out.push((kind, range));
            at += 1;
        }
    }
    out
}

/// The index of the identifier behind `f ::`, if there is one.
fn qualified(tokens: &[(Kind, Span<usize>)], text: &str, i: usize) -> Option<usize> {
    let mut rest = tokens[i + 1..]
        .iter()
        .enumerate()
        .filter(|(_, t)| t.0 != Kind::Space);
    let (_, colons) = rest.next()?;
    let (at, name) = rest.next()?;
    (&text[colons.1.clone()] == "::" && name.0 == Kind::Identifier).then_some(i + 1 + at)
}

fn name(
    wanted: &Wanted,
    tokens: &[(Kind, Span<usize>)],
    text: &str,
    at: usize,
    facts: &Facts,
    scope: Scope,
    out: &mut Condition,
) -> Result<(), Box<Diagnostic>> {
    let next = tokens[at + 1..]
        .iter()
        .find(|t| t.0 != Kind::Space)
        .map(|t| &text[t.1.clone()]);
    let plain = wanted.function.is_none() && wanted.file.is_none();
    if plain && next == Some("(") {
        let Some(function) = facts
            .functions
            .iter()
            .position(|f| f.name == wanted.variable)
        else {
            let names = facts.functions.iter().map(|f| f.name.as_str());
            return Err(Box::new(unknown(
                "function",
                wanted.variable,
                wanted.span.clone(),
                names,
            )));
        };
        out.functions.push((function, wanted.span.clone()));
        out.pieces.push(Piece::Text(user(wanted.variable)));
        return Ok(());
    }
    let keyword = wanted.variable == "sizeof" || syntax::is_type_word(wanted.variable);
    match object(wanted, facts, scope) {
        Ok(found) => {
            out.objects.insert(found);
            out.pieces.push(Piece::Object(found));
            Ok(())
        }
        Err(_) if plain && (keyword || facts.constants.contains(wanted.variable)) => {
            out.pieces.push(Piece::Text(user(wanted.variable)));
            Ok(())
        }
        Err(_) if plain && facts.macros.contains_key(wanted.variable) => {
            macros(wanted.variable, facts, &mut out.macros);
            out.pieces.push(Piece::Text(user(wanted.variable)));
            Ok(())
        }
        Err(error) => Err(error),
    }
}

/// The definition of a macro and of those that it uses.
fn macros(name: &str, facts: &Facts, lines: &mut Vec<String>) {
    let Some(value) = facts.macros.get(name) else {
        return;
    };
    let line = format!("#define {name} {value}");
    if lines.contains(&line) {
        return;
    }
    lines.push(line);
    for (kind, range) in tokens(value) {
        if kind == Kind::Identifier {
            macros(&value[range], facts, lines);
        }
    }
}

/// The object that a variable of a specification names.
///
/// # Errors
/// None, or several, have the name.
pub(crate) fn object(
    wanted: &Wanted,
    facts: &Facts,
    scope: Scope,
) -> Result<ObjectIndex, Box<Diagnostic>> {
    let object = any_object(wanted, facts, scope)?;
    if facts.objects[object].value_type.is_none() {
        return Err(Box::new(
            Diagnostic::error(
                format!(
                    "`{}` is not a scalar, which is not supported yet",
                    wanted.variable
                ),
                wanted.span.clone(),
            )
            .help("name a variable of an arithmetic or pointer type"),
        ));
    }
    Ok(object)
}

/// As [`object`], of any type.
pub(crate) fn any_object(
    wanted: &Wanted,
    facts: &Facts,
    scope: Scope,
) -> Result<ObjectIndex, Box<Diagnostic>> {
    let function = match wanted.function {
        None => None,
        Some(name) => match facts.functions.iter().position(|f| f.name == name) {
            Some(function) => Some(function),
            None => {
                let names = facts.functions.iter().map(|f| f.name.as_str());
                return Err(Box::new(unknown(
                    "function",
                    name,
                    wanted.span.clone(),
                    names,
                )));
            }
        },
    };
    let candidates: Vec<ObjectIndex> = (0..facts.objects.len())
        .filter(|&o| {
            let object = &facts.objects[o];
            object.name == wanted.variable
                && wanted
                    .file
                    .is_none_or(|file| Path::new(&object.file).ends_with(file))
                && match (object.lifetime, function) {
                    (Lifetime::Local(f) | Lifetime::StaticLocal(f), Some(wanted)) => f == wanted,
                    // A prototype's parameter has the name for itself.
                    (Lifetime::Static | Lifetime::ThreadLocal, None) => !object.parameter,
                    _ => false,
                }
        })
        .collect();
    let chosen = match (wanted.line, function) {
        (Some(line), _) => candidates
            .iter()
            .copied()
            .find(|&o| facts.objects[o].line == line),
        (None, Some(f)) if scope.function == Some(f) => candidates
            .iter()
            .copied()
            .filter(|&o| {
                let object = &facts.objects[o];
                object.place.start < scope.offset
                    && object.scope.start <= scope.offset
                    && scope.offset < object.scope.end
            })
            .max_by_key(|&o| facts.objects[o].place.start),
        (None, _) => match candidates[..] {
            [] => None,
            [one] => Some(one),
            _ => return Err(Box::new(ambiguous(wanted, &candidates, facts))),
        },
    };
    let Some(object) = chosen else {
        let names = facts.objects.iter().map(|o| o.name.as_str());
        let error = unknown("variable", wanted.variable, wanted.span.clone(), names);
        let elsewhere = facts.objects.iter().find_map(|o| match o.lifetime {
            Lifetime::Local(f) | Lifetime::StaticLocal(f)
                if o.name == wanted.variable && function.is_none() =>
            {
                Some(f)
            }
            _ => None,
        });
        return Err(Box::new(match elsewhere {
            Some(f) => error.help(format!(
                "for the local variable write `{}::{}`",
                facts.functions[f].name, wanted.variable
            )),
            None => error,
        }));
    };
    Ok(object)
}

fn ambiguous(wanted: &Wanted, candidates: &[ObjectIndex], facts: &Facts) -> Diagnostic {
    let objects = || candidates.iter().map(|&o| &facts.objects[o]);
    let name = wanted.variable;
    if wanted.function.is_none() {
        let files: Vec<&str> = objects().map(|o| o.file.as_str()).collect();
        return Diagnostic::error(
            format!("`{name}` is in {}", files.join(" and in ")),
            wanted.span.clone(),
        )
        .label("which one is meant?")
        .help(format!("write `{}::{name}`", short(files[0])));
    }
    let lines: Vec<String> = objects().map(|o| o.line.to_string()).collect();
    Diagnostic::error(
        format!(
            "`{name}` is declared more than once there, on lines {}",
            lines.join(", ")
        ),
        wanted.span.clone(),
    )
    .help(format!("write `{name}@{}` for one of them", lines[0]))
}

/// A file's name without its directories.
fn short(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

/// Splits C text; nothing is lost.
pub(crate) fn tokens(text: &str) -> Vec<(Kind, Span<usize>)> {
    const LONG: [&str; 23] = [
        "<<=", ">>=", "...", "::", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&",
        "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
    ];
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let until = |stop: fn(char) -> bool| rest.find(stop).unwrap_or(rest.len());
        let (kind, len) = if c.is_whitespace() {
            (Kind::Space, until(|c| !c.is_whitespace()))
        } else if c.is_alphabetic() || c == '_' {
            (
                Kind::Identifier,
                until(|c| !(c.is_alphanumeric() || c == '_')),
            )
        } else if c.is_ascii_digit() {
            (
                Kind::Literal,
                until(|c| !(c.is_alphanumeric() || c == '_' || c == '.')),
            )
        } else if c == '"' || c == '\'' {
            (Kind::Literal, quoted(rest, c))
        } else {
            let long = LONG.iter().find(|op| rest.starts_with(**op));
            (Kind::Operator, long.map_or(c.len_utf8(), |op| op.len()))
        };
        out.push((kind, at..at + len));
        at += len;
    }
    out
}

/// The length of a quoted literal, to the end of the text if it does not end.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        if c == quote && !escaped {
            return i + c.len_utf8();
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}
