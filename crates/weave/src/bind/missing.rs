//! Errors for names of a condition that mean no object, or several.

use spec::Diagnostic;

use crate::bind::scope::{unknown, Wanted};
use crate::facts::{Facts, Lifetime, Object, ObjectIndex};

/// The error for a name without an object.
pub(super) fn missing(wanted: &Wanted, candidates: &[ObjectIndex], facts: &Facts) -> Diagnostic {
    if let [first, ..] = *candidates {
        let of_line = |o: &&ObjectIndex| wanted.line == Some(facts.objects[**o].line);
        let named = candidates.iter().find(of_line).copied();
        let object = &facts.objects[named.unwrap_or(first)];
        return invisible(wanted, object);
    }
    let objects = facts.objects.iter().map(|o| o.name.as_str());
    let constants = facts.constants.iter().map(String::as_str);
    let constants = constants.filter(|_| wanted.function.is_none());
    let names = objects
        .chain(constants)
        .filter(|name| *name != wanted.variable);
    let error = unknown("variable", wanted.variable, wanted.span.clone(), names);
    let elsewhere = facts.objects.iter().find_map(|o| match o.lifetime {
        Lifetime::Local(f) | Lifetime::StaticLocal(f)
            if o.name == wanted.variable && wanted.function.is_none() =>
        {
            Some(f)
        }
        _ => None,
    });
    let in_file = facts.objects.iter().find(|o| {
        let global = matches!(o.lifetime, Lifetime::Static | Lifetime::ThreadLocal);
        wanted.file.is_some() && global && o.name == wanted.variable
    });
    if let Some(other) = in_file {
        return error.help(format!("it is declared in {}", other.file));
    }
    match elsewhere {
        Some(f) => error.help(format!(
            "for the local variable write `{}::{}`",
            facts.functions[f].name, wanted.variable
        )),
        None => error,
    }
}

/// The error for a local variable that exists, but is not visible at the start of the area or not declared in
/// that line.
fn invisible(wanted: &Wanted, found: &Object) -> Diagnostic {
    let (name, line) = (wanted.variable, found.line);
    if let Some(other) = wanted.line.filter(|other| *other != line) {
        return Diagnostic::error(
            format!("no `{name}` is declared in line {other}"),
            wanted.span.clone(),
        )
        .help(format!("one is in line {line}"));
    }
    Diagnostic::error(
        format!("the local variable `{name}` is not visible where the area begins"),
        wanted.span.clone(),
    )
    .label(format!("declared in line {line}"))
    .help("begin the area at a label behind the declaration, or let it be the whole program: [\"_begin\", \"_end\"]")
}

/// The error for a name that several objects have.
pub(super) fn ambiguous(wanted: &Wanted, candidates: &[ObjectIndex], facts: &Facts) -> Diagnostic {
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
