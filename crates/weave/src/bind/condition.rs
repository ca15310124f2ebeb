//! C conditions of a specification. Their names are resolved at the start of the area; `f::x` is the local `x`
//! of function `f`.

use std::collections::BTreeSet;
use std::ops::Range as Span;
use std::path::Path;

use spec::{Diagnostic, Text};

use crate::bind::expression::{Stand, IMPLIES};
use crate::bind::macros;
use crate::bind::missing::{ambiguous, missing};
use crate::bind::numbers::{self, parameters};
use crate::bind::scope::{unknown, Scope, Wanted};
use crate::bind::syntax;
use crate::bind::tokens::{tokens, Kind};
use crate::facts::{Facts, FunctionIndex, Lifetime, ObjectIndex};

/// A C expression whose names of objects are resolved; the text has the objects' plain names.
#[derive(Debug, Default)]
pub(crate) struct Condition {
    /// The expression, macros expanded.
    pub plain: String,
    /// Offsets in `plain` at which objects are named.
    pub names: Vec<(usize, ObjectIndex)>,
    /// The functions that it calls, with their places in the specification.
    pub functions: Vec<(FunctionIndex, Span<usize>)>,
    /// Text in `plain` that stands for remembered values.
    pub stands: Vec<Stand>,
    /// Offsets in `plain`, each with the place in the specification from which the text after it comes.
    pub origins: Vec<(usize, Span<usize>)>,
}

impl Condition {
    /// Appends text that comes from a place of the specification.
    pub fn push(&mut self, text: &str, origin: Span<usize>) {
        self.origins.push((self.plain.len(), origin));
        self.plain.push_str(text);
    }

    /// Appends a remembered value: a constant of its type, which no one reads.
    pub fn push_given(&mut self, given: &Given, origin: Span<usize>) {
        let start = self.plain.len();
        self.push(&format!("(({})1)", given.ty), origin);
        let stand = (start..self.plain.len(), given.variable.clone());
        self.stands.push(stand);
    }

    /// Appends the name of an object.
    pub fn push_object(&mut self, object: ObjectIndex, facts: &Facts, origin: Span<usize>) {
        self.names.push((self.plain.len(), object));
        self.push(&facts.objects[object].name, origin);
    }

    /// The place in the specification that a part of `plain` comes from.
    pub fn origin(&self, part: &Span<usize>) -> Span<usize> {
        let at = |offset: usize| {
            let next = self.origins.partition_point(|o| o.0 <= offset);
            self.origins.get(next.saturating_sub(1))
        };
        let last = part.end.saturating_sub(1).max(part.start);
        match (at(part.start), at(last)) {
            (Some(first), Some(last)) => first.1.start..last.1.end.max(first.1.start),
            _ => 0..0,
        }
    }
}

/// A remembered value as a condition reads it.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    /// Its name.
    pub name: String,
    /// The variable that has it.
    pub variable: String,
    /// The type of the value.
    pub ty: String,
}

/// Resolves a condition that may read remembered values.
///
/// # Errors
/// A name without a meaning, an effect, or a construct that is not supported.
pub(crate) fn read(
    text: &Text,
    given: &[Given],
    facts: &Facts,
    scope: Scope,
) -> Result<Condition, Box<Diagnostic>> {
    let names: Vec<&str> = given.iter().map(|given| given.name.as_str()).collect();
    let replaced = macros::expanded(text, &names, facts)?;
    let text = replaced.as_ref().unwrap_or(text);
    let tokens = with_files(tokens(text), text, facts);
    let mut out = Condition::default();
    let reader = Reader {
        text,
        tokens: &tokens,
        given,
        facts,
        scope,
    };
    reader.read(0..tokens.len(), 0, &mut out)?;
    if out.plain.trim().is_empty() {
        return Err(Box::new(Diagnostic::error(
            "the condition is empty",
            text.span(),
        )));
    }
    for call in syntax::check(text, &tokens, &facts.typedefs)? {
        arguments(text, &call, facts)?;
    }
    Ok(out)
}

/// Refuses a condition that is nothing but a constant of an enumeration: it says nothing about any run, and where a mode of
/// the program has this name, what is meant is that the program is in it.
///
/// # Errors
/// The condition is such a constant.
pub(crate) fn refuse_constant(text: &Text, facts: &Facts) -> Result<(), Box<Diagnostic>> {
    let name = text.trim();
    let variable = facts.objects.iter().any(|o| o.name == name);
    if !facts.constants.contains(name) || variable {
        return Ok(());
    }
    let title = format!("`{name}` is a constant of the program, and no condition");
    let help =
        format!("compare the variable that has this value with it, such as `mode == {name}`");
    Err(Box::new(Diagnostic::error(title, text.span()).help(help)))
}

/// The tokens of a condition, and what its names can mean.
struct Reader<'a> {
    text: &'a Text,
    tokens: &'a [(Kind, Span<usize>)],
    given: &'a [Given],
    facts: &'a Facts,
    scope: Scope,
}

impl Reader<'_> {
    /// Appends some of the tokens, with their names resolved, within so many calls that are written out.
    fn read(
        &self,
        range: Span<usize>,
        depth: usize,
        out: &mut Condition,
    ) -> Result<(), Box<Diagnostic>> {
        let mut i = range.start;
        while i < range.end {
            i = self.token(i, depth, out)? + 1;
        }
        Ok(())
    }

    /// Appends what stands at a token; the last token that belongs to it.
    fn token(&self, i: usize, depth: usize, out: &mut Condition) -> Result<usize, Box<Diagnostic>> {
        let (tokens, text) = (self.tokens, self.text);
        let (kind, range) = tokens[i].clone();
        let piece = &text[range.clone()];
        let span = text.span_of(range);
        match kind {
            Kind::Operator => {
                reads_only(piece, next(tokens, text, i), &span)?;
                out.push(piece, span);
            }
            // A name after these is a member or a tag.
            Kind::Identifier
                if matches!(
                    before(tokens, text, i),
                    Some("." | "->" | "struct" | "union" | "enum")
                ) =>
            {
                out.push(piece, span);
            }
            Kind::Identifier
                if self.given.iter().any(|g| g.name == piece) && !leads_on(tokens, text, i) =>
            {
                for value in self.given.iter().filter(|g| g.name == piece) {
                    out.push_given(value, span.clone());
                }
            }
            Kind::Identifier => {
                let call = numbers::written(tokens, text, i, self.facts);
                if let Some(call) = call.filter(|_| !leads_on(tokens, text, i)) {
                    self.write_out(&call, i, depth, out)?;
                    return Ok(call.last);
                }
                let (wanted, last) = wanted(tokens, text, i);
                name(&wanted, tokens, text, last, self.facts, self.scope, out)?;
                return Ok(last);
            }
            _ => out.push(piece, span),
        }
        Ok(i)
    }

    /// Appends a call of `abs`, `min` or `max` without the call.
    fn write_out(
        &self,
        call: &numbers::Written,
        at: usize,
        depth: usize,
        out: &mut Condition,
    ) -> Result<(), Box<Diagnostic>> {
        let range = self.tokens[at].1.clone();
        let (name, span) = (&self.text[range.clone()], self.text.span_of(range));
        let empty = |operand: &Span<usize>| {
            let mut tokens = self.tokens[operand.clone()].iter();
            tokens.all(|token| token.0 == Kind::Space)
        };
        if call.operands.len() != call.wanted || call.operands.iter().any(empty) {
            let wanted = parameters(Some(call.wanted));
            let title = format!("`{name}` takes {wanted}");
            let error = Diagnostic::error(title, span);
            return Err(Box::new(error.label("wrong number of parameters")));
        }
        if depth >= numbers::DEEPEST {
            let title = format!("`{name}` within {depth} calls of its kind");
            let help = "let a variable of the program have the inner value";
            return Err(Box::new(Diagnostic::error(title, span).help(help)));
        }
        for part in call.form {
            match part {
                numbers::Part::Text(text) => out.push(text, span.clone()),
                numbers::Part::Operand(n) => {
                    self.read(call.operands[*n].clone(), depth + 1, out)?
                }
            }
        }
        Ok(())
    }
}

/// Refuses an operator that has no place in a condition; `next` stands right behind it.
fn reads_only(piece: &str, next: &str, span: &Span<usize>) -> Result<(), Box<Diagnostic>> {
    let compares = matches!(piece, "==" | "!=" | "<=" | ">=");
    if matches!((piece, next), ("=" | "<=", ">")) {
        let title = format!("`{piece}{next}` in a condition");
        let span = span.start..span.end + next.len();
        return Err(Box::new(Diagnostic::error(title, span).help(IMPLIES)));
    }
    if matches!(piece, "++" | "--") || piece.ends_with('=') && !compares {
        return Err(Box::new(
            Diagnostic::error(
                format!("`{piece}` changes an object; a condition only reads"),
                span.clone(),
            )
            .help("`==` compares"),
        ));
    }
    if matches!(piece, ";" | "{" | "}") {
        return Err(Box::new(Diagnostic::error(
            format!("`{piece}` in a condition"),
            span.clone(),
        )));
    }
    Ok(())
}

/// Refuses a call whose number of arguments differs from the number of its function's parameters.
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

/// The token right behind one.
fn next<'t>(tokens: &[(Kind, Span<usize>)], text: &'t str, at: usize) -> &'t str {
    let next = tokens.get(at + 1).and_then(|t| text.get(t.1.clone()));
    next.unwrap_or_default()
}

/// The token before one, skipping white space.
fn before<'t>(tokens: &[(Kind, Span<usize>)], text: &'t str, at: usize) -> Option<&'t str> {
    let found = tokens[..at].iter().rev().find(|t| t.0 != Kind::Space)?;
    text.get(found.1.clone())
}

/// Whether the name at a token is that of a function or file, whose variable follows.
fn leads_on(tokens: &[(Kind, Span<usize>)], text: &str, at: usize) -> bool {
    let mut rest = tokens[at + 1..].iter().filter(|t| t.0 != Kind::Space);
    let before = before(tokens, text, at) == Some("::");
    before || rest.next().is_some_and(|t| &text[t.1.clone()] == "::")
}

/// The variable whose name begins at a token, and the last token of the name: `x`, `f::x`, `file.c::x`, each
/// perhaps with `@line`.
fn wanted<'t>(tokens: &[(Kind, Span<usize>)], text: &'t Text, at: usize) -> (Wanted<'t>, usize) {
    let solid: Vec<usize> = (at..tokens.len())
        .filter(|&i| tokens[i].0 != Kind::Space)
        .take(7)
        .collect();
    let piece = |n: usize| -> &'t str {
        let text: &'t str = text;
        solid
            .get(n)
            .and_then(|&i| text.get(tokens[i].1.clone()))
            .unwrap_or_default()
    };
    let is_name = |n: usize| {
        solid
            .get(n)
            .is_some_and(|&i| tokens[i].0 == Kind::Identifier)
    };
    let start = tokens[at].1.start;
    let (function, file, last) = if piece(1) == "::" && is_name(2) && piece(0).contains('.') {
        (None, Some(piece(0)), 2)
    } else if piece(1) == "::" && is_name(2) {
        (Some(piece(0)), None, 2)
    } else if piece(1) == "." && is_name(2) && piece(3) == "::" && is_name(4) {
        let end = tokens[solid[2]].1.end;
        (None, text.get(start..end), 4)
    } else {
        (None, None, 0)
    };
    let (line, last) = match piece(last + 1) {
        "@" => match piece(last + 2).parse() {
            Ok(line) => (Some(line), last + 2),
            Err(_) => (None, last),
        },
        _ => (None, last),
    };
    let name = last - if line.is_some() { 2 } else { 0 };
    let token = solid.get(last).copied().unwrap_or(at);
    let wanted = Wanted {
        function,
        file,
        line,
        variable: piece(name),
        span: text.span_of(start..tokens[token].1.end),
    };
    (wanted, token)
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
    let next = tokens
        .get(at + 1..)
        .unwrap_or_default()
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
        out.push(wanted.variable, wanted.span.clone());
        return Ok(());
    }
    let keyword = matches!(wanted.variable, "sizeof" | "struct" | "union" | "enum")
        || syntax::is_type_word(wanted.variable)
        || facts.typedefs.contains(wanted.variable);
    match object(wanted, facts, scope) {
        Ok(found) => {
            out.push_object(found, facts, wanted.span.clone());
            Ok(())
        }
        Err(_) if plain && (keyword || facts.constants.contains(wanted.variable)) => {
            out.push(wanted.variable, wanted.span.clone());
            Ok(())
        }
        Err(_) if plain && facts.macros.plain.contains_key(wanted.variable) => {
            let mut within = vec![wanted.variable.to_string()];
            expand(wanted, facts, scope, &mut within, out)
        }
        Err(error) => Err(error),
    }
}

/// Resolves the name between the brackets of a parameter's path: a variable of the parameter's function or of
/// file scope, a constant, or a macro.
pub(crate) fn index(
    name: &str,
    param: &Wanted,
    facts: &Facts,
    scope: Scope,
    out: &mut Condition,
) -> Result<(), Box<Diagnostic>> {
    let of_function = Wanted {
        variable: name,
        span: param.span.clone(),
        ..*param
    };
    if let Ok(found) = object(&of_function, facts, scope) {
        out.push_object(found, facts, param.span.clone());
        return Ok(());
    }
    let plain = Wanted {
        function: None,
        file: None,
        line: None,
        ..of_function
    };
    self::name(&plain, &[], "", 0, facts, scope, out)
}

/// Appends the replacement of a macro, whose names may be objects or further macros.
fn expand(
    wanted: &Wanted,
    facts: &Facts,
    scope: Scope,
    within: &mut Vec<String>,
    out: &mut Condition,
) -> Result<(), Box<Diagnostic>> {
    let value = facts
        .macros
        .plain
        .get(wanted.variable)
        .map_or("", String::as_str);
    let all = tokens(value);
    // The operators of a replacement bind what stands around it, as the preprocessor has it.
    let (open, close) = match is_operand(value, &all) {
        true => ("(", ")"),
        false => (" ", " "),
    };
    out.push(open, wanted.span.clone());
    for (i, (kind, range)) in all.iter().enumerate() {
        let piece = &value[range.clone()];
        let inner = Wanted {
            variable: piece,
            span: wanted.span.clone(),
            ..*wanted
        };
        let member = matches!(
            before(&all, value, i),
            Some("." | "->" | "struct" | "union" | "enum")
        );
        if *kind != Kind::Identifier || member {
            out.push(piece, wanted.span.clone());
        } else if let Ok(found) = object(&inner, facts, scope) {
            out.push_object(found, facts, wanted.span.clone());
        } else if facts.macros.plain.contains_key(piece) && !within.iter().any(|m| m == piece) {
            within.push(piece.to_string());
            expand(&inner, facts, scope, within, out)?;
            within.pop();
        } else {
            out.push(piece, wanted.span.clone());
        }
    }
    out.push(close, wanted.span.clone());
    Ok(())
}

/// Whether the replacement of a macro is a single operand, with a sign or without.
fn is_operand(value: &str, all: &[(Kind, std::ops::Range<usize>)]) -> bool {
    let solid = all.iter().filter(|(kind, _)| *kind != Kind::Space);
    let mut solid = solid.map(|(_, range)| &value[range.clone()]).peekable();
    let _sign = solid.next_if(|token| matches!(*token, "-" | "+" | "~" | "!"));
    match solid.next() {
        Some("(") => {
            let mut depth = 1;
            let inside = solid.by_ref().take_while(|token| {
                depth += match *token {
                    "(" => 1,
                    ")" => -1,
                    _ => 0,
                };
                depth > 0
            });
            inside.for_each(drop);
            solid.next().is_none()
        }
        _ => solid.next().is_none(),
    }
}

/// The object that a variable of a specification names: `f::x`, `file.c::x`, `x@line` or `x`.
///
/// # Errors
/// No object, or several, have the name.
pub(crate) fn object(
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
    let candidates = candidates(wanted, function, facts);
    // A local is visible from its declaration to the end of its scope, even where another one hides it.
    let visible = |o: &ObjectIndex| {
        let object = &facts.objects[*o];
        let within = object.scope.start <= scope.offset && scope.offset < object.scope.end;
        object.place.start < scope.offset && within
    };
    let is_here = function.is_some() && scope.function == function;
    let all = candidates.iter().copied();
    let chosen = match (wanted.line, function) {
        (Some(line), _) => all
            .filter(|o| !is_here || visible(o))
            .find(|&o| facts.objects[o].line == line),
        (None, Some(_)) if is_here => all
            .filter(visible)
            .max_by_key(|&o| facts.objects[o].place.start),
        (None, _) => match candidates[..] {
            [] => None,
            [one] => Some(one),
            _ => return Err(Box::new(ambiguous(wanted, &candidates, facts))),
        },
    };
    chosen.ok_or_else(|| Box::new(missing(wanted, &candidates, facts)))
}

/// The objects with that name, of the function or of file scope.
fn candidates(wanted: &Wanted, function: Option<FunctionIndex>, facts: &Facts) -> Vec<ObjectIndex> {
    (0..facts.objects.len())
        .filter(|&o| {
            let object = &facts.objects[o];
            object.name == wanted.variable
                && wanted.file.is_none_or(|file| {
                    let mut files = object.other_files.iter().chain([&object.file]);
                    files.any(|f| Path::new(f).ends_with(file))
                })
                && match (object.lifetime, function) {
                    (Lifetime::Local(f) | Lifetime::StaticLocal(f), Some(wanted)) => f == wanted,
                    // A prototype's parameter is no object.
                    (Lifetime::Static | Lifetime::ThreadLocal, None) => !object.parameter,
                    _ => false,
                }
        })
        .collect()
}

/// Merges the tokens before a `::` that name a file of the program, such as `dir/a-b.tab.c`, into one
/// name: to C they are operators and names.
fn with_files(
    tokens: Vec<(Kind, Span<usize>)>,
    text: &str,
    facts: &Facts,
) -> Vec<(Kind, Span<usize>)> {
    if !text.contains("::") {
        return tokens;
    }
    let objects = facts.objects.iter();
    let files: BTreeSet<&str> = objects
        .flat_map(|o| o.other_files.iter().chain([&o.file]))
        .map(String::as_str)
        .collect();
    let of_name = |(kind, range): &&(Kind, Span<usize>)| match kind {
        Kind::Space => false,
        Kind::Operator => matches!(&text[range.clone()], "." | "/" | "-" | "--" | "+" | "++"),
        _ => true,
    };
    let mut out: Vec<(Kind, Span<usize>)> = Vec::with_capacity(tokens.len());
    for token in tokens {
        if &text[token.1.clone()] == "::" {
            let length = out.iter().rev().take_while(of_name).count();
            let named = (out.len() - length..out.len()).find(|&from| {
                let name = &text[out[from].1.start..token.1.start];
                name.contains('.') && files.iter().any(|file| Path::new(file).ends_with(name))
            });
            if let Some(from) = named {
                let start = out[from].1.start;
                out.truncate(from);
                out.push((Kind::Identifier, start..token.1.start));
            }
        }
        out.push(token);
    }
    out
}
