//! Lookup of labels and names of a specification, with suggestions for misspelt ones.

use std::ops::Range as Span;

use spec::Diagnostic;

use crate::facts::{Facts, FunctionIndex, ENTRY};

/// The place at which names of a specification are looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope {
    /// The function of the area, if there is one.
    pub function: Option<FunctionIndex>,
    /// The start of the area, as an offset of the text.
    pub offset: usize,
}

/// The label that a specification names.
///
/// # Errors
/// No label, or several, have the name.
pub(crate) fn label(facts: &Facts, wanted: &spec::Label) -> Result<usize, Box<Diagnostic>> {
    let of_function = |l: &usize| match &wanted.function {
        Some(f) => facts.functions[facts.labels[*l].function].name == *f,
        None => true,
    };
    let found: Vec<usize> = (0..facts.labels.len())
        .filter(|&l| facts.labels[l].name == wanted.name)
        .filter(of_function)
        .collect();
    match found[..] {
        [one] => Ok(one),
        [] => {
            let named = facts.labels.iter().filter(|l| !l.is_entry());
            let names = named.map(|l| l.name.as_str());
            let error = unknown("label", &wanted.name, wanted.text.span(), names);
            let is_function = facts.functions.iter().any(|f| f.name == wanted.name);
            Err(Box::new(match is_function {
                true => error.help(format!(
                    "it is a function, whose area is written \"function\": \"{0}\" and whose entry is the label `{0}::{ENTRY}`",
                    wanted.name
                )),
                false => error,
            }))
        }
        _ => {
            let functions: Vec<String> = found
                .iter()
                .map(|&l| format!("`{}`", facts.functions[facts.labels[l].function].name))
                .collect();
            Err(Box::new(
                Diagnostic::error(
                    format!(
                        "the label `{}` is in {}",
                        wanted.name,
                        functions.join(" and in ")
                    ),
                    wanted.text.span(),
                )
                .label("which one is meant?")
                .help(format!("write `function::{}`", wanted.name)),
            ))
        }
    }
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

/// The error for a name without a meaning, with the most similar name that has one.
pub(crate) fn unknown<'a>(
    what: &str,
    name: &str,
    span: Span<usize>,
    names: impl Iterator<Item = &'a str>,
) -> Diagnostic {
    let error = Diagnostic::error(format!("the program has no {what} `{name}`"), span)
        .label(format!("unknown {what}"));
    match nearest(name, names) {
        Some(nearest) => error
            .replacement(nearest)
            .help(format!("did you mean `{nearest}`?")),
        None => match WORDS.iter().find(|(word, _)| *word == name) {
            Some((_, sign)) => error.help(format!("a condition in C has {sign}")),
            None => error,
        },
    }
}

/// Words that stand for operators elsewhere, and what C has.
const WORDS: [(&str, &str); 7] = [
    ("and", "`&&`"),
    ("or", "`||`"),
    ("not", "`!`"),
    ("xor", "`!=`"),
    ("mod", "`%`"),
    ("is", "`==`"),
    (
        "implies",
        "no implication: write `{a} -> {b}`, or `!a || b`",
    ),
];

/// The name most similar to a misspelt one, if one is similar enough (optimal string alignment distance).
pub(crate) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    names
        .map(|n| (strsim::osa_distance(n, name), n))
        .filter(|(distance, n)| *distance <= 1 + n.len() / 4 && *distance < n.len().max(name.len()))
        .min()
        .map(|(_, nearest)| nearest)
}
