//! The header of an automaton.

use super::accept::{self, Condition};
use super::label::Labels;
use super::lexer::{Kind, Token};
use super::HoaError;
use ltl::{Arena, Atom, AtomId};
use std::ops::Range;

/// The most propositions.
const MAX_ATOMS: u32 = 1_000;
/// The most acceptance sets: each edge has its sets as the bits of one number.
const MAX_SETS: u32 = 60;

/// The contents of the header.
pub(super) struct Header {
    /// The declared number of states, if any, with its place.
    pub states: Option<(u32, Range<usize>)>,
    /// The initial states with their places.
    pub starts: Vec<(u32, Range<usize>)>,
    pub labels: Labels,
    /// The number of acceptance sets.
    pub sets: u32,
    pub condition: Condition,
}

/// An item: its name and the tokens after it.
struct Item<'a> {
    name: &'a str,
    span: &'a Range<usize>,
    values: &'a [Token],
    /// The place for errors about missing text.
    end: Range<usize>,
}

/// Reads the header; also returns the tokens after `--BODY--`.
pub(super) fn read<'a>(
    tokens: &'a [Token],
    length: usize,
    arena: &mut Arena,
) -> Result<(Header, &'a [Token]), HoaError> {
    let nowhere = length..length;
    let Some(body) = tokens.iter().position(|t| t.kind == Kind::Body) else {
        let span = tokens.first().map_or(&nowhere, |t| &t.span);
        return Err(HoaError::new("there is no `--BODY--`", span)
            .help("this should be an automaton in the Hanoi format, as `ltl2tgba` prints it"));
    };
    let items = items(&tokens[..body], &tokens[body].span)?;
    let first = items.first().filter(|item| item.name == "HOA");
    let version = first.and_then(|item| item.values.first());
    match version.map(|t| &t.kind) {
        Some(Kind::Identifier(version)) if version == "v1" || version.starts_with("v1.") => {}
        _ => {
            let message = "an automaton in the Hanoi format begins with `HOA: v1`";
            return Err(HoaError::new(message, &tokens[0].span));
        }
    }
    for (index, item) in items.iter().enumerate() {
        let repeats = !matches!(item.name, "Start" | "Alias" | "properties");
        if repeats && items[..index].iter().any(|other| other.name == item.name) {
            let message = format!("`{}:` stands here for the second time", item.name);
            return Err(HoaError::new(message, item.span));
        }
    }
    let find = |name: &str| items.iter().find(|item| item.name == name);
    // Labels of aliases need the propositions, wherever the header declares them.
    let atoms = find("AP").map_or(Ok(Vec::new()), |item| atoms(item, arena))?;
    let Some(acceptance) = find("Acceptance") else {
        let message = "there is no `Acceptance:`";
        return Err(HoaError::new(message, &tokens[body].span));
    };
    let sets = number(acceptance, 0, MAX_SETS, "acceptance sets")?;
    let mut header = Header {
        states: None,
        starts: Vec::new(),
        labels: Labels::new(atoms),
        sets,
        condition: accept::read(&acceptance.values[1..], sets, &acceptance.end)?,
    };
    for item in &items {
        header.item(item)?;
    }
    Ok((header, &tokens[body + 1..]))
}

/// Splits the header into its items.
fn items<'a>(tokens: &'a [Token], body: &Range<usize>) -> Result<Vec<Item<'a>>, HoaError> {
    let mut items = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let Kind::Header(name) = &tokens[at].kind else {
            let message = format!(
                "expected a header such as `Start:`, found {}",
                tokens[at].found()
            );
            return Err(HoaError::new(message, &tokens[at].span));
        };
        let rest = &tokens[at + 1..];
        let count = rest
            .iter()
            .take_while(|t| !matches!(t.kind, Kind::Header(_) | Kind::End))
            .count();
        let end = rest.get(count).map_or(body, |t| &t.span);
        items.push(Item {
            name,
            span: &tokens[at].span,
            values: &rest[..count],
            end: end.start..end.start,
        });
        at += 1 + count;
    }
    Ok(items)
}

/// The number at a place of an item.
fn number(item: &Item<'_>, at: usize, most: u32, what: &str) -> Result<u32, HoaError> {
    let token = item.values.get(at);
    match token.map(|t| &t.kind) {
        Some(&Kind::Int(number)) if number <= most => Ok(number),
        Some(&Kind::Int(_)) => {
            let message = format!("more than {most} {what} are not supported");
            Err(HoaError::new(message, &item.values[at].span))
        }
        _ => {
            let message = format!("`{}:` needs a number", item.name);
            Err(HoaError::new(message, item.span))
        }
    }
}

/// The propositions of `AP:`.
fn atoms(item: &Item<'_>, arena: &mut Arena) -> Result<Vec<AtomId>, HoaError> {
    let count = number(item, 0, MAX_ATOMS, "propositions")?;
    let mut atoms = Vec::new();
    for token in &item.values[1..] {
        let Kind::Text(name) = &token.kind else {
            let message = format!("expected a quoted name, found {}", token.found());
            return Err(HoaError::new(message, &token.span));
        };
        let inner = name.strip_prefix('{').and_then(|n| n.strip_suffix('}'));
        let atom = match inner {
            Some(condition) => Atom::Condition(condition.trim().to_owned()),
            None => Atom::Name(name.clone()),
        };
        let atom = arena.atom(atom);
        if atoms.contains(&atom) {
            let message = format!("the proposition {} is declared twice", token.found());
            return Err(HoaError::new(message, &token.span));
        }
        atoms.push(atom);
    }
    if atoms.len() != count as usize {
        let message = format!("`AP:` announces {count} names, and {} follow", atoms.len());
        return Err(HoaError::new(message, item.span));
    }
    Ok(atoms)
}

impl Header {
    fn item(&mut self, item: &Item<'_>) -> Result<(), HoaError> {
        match item.name {
            "States" => {
                let count = number(item, 0, u32::MAX / 2, "states")?;
                self.states = Some((count, item.span.clone()));
            }
            "Start" => match item.values {
                [Token {
                    kind: Kind::Int(state),
                    span,
                }] => self.starts.push((*state, span.clone())),
                [first, ..] if item.values.iter().any(|t| t.kind == Kind::Sign('&')) => {
                    let message = "the automaton is alternating";
                    return Err(HoaError::new(message, &first.span)
                        .help("ask the other tool for a non-deterministic one"));
                }
                _ => {
                    return Err(HoaError::new(
                        "`Start:` needs the number of a state",
                        item.span,
                    ))
                }
            },
            "Alias" => {
                let Some(Kind::Alias(name)) = item.values.first().map(|t| &t.kind) else {
                    return Err(HoaError::new(
                        "`Alias:` needs a name such as `@a`",
                        item.span,
                    ));
                };
                let (guard, used) = self.labels.read(&item.values[1..], &item.end)?;
                if let Some(more) = item.values.get(1 + used) {
                    let message = format!("expected the end of the label, found {}", more.found());
                    return Err(HoaError::new(message, &more.span));
                }
                if self.labels.aliases.insert(name.clone(), guard).is_some() {
                    let message = format!("`@{name}` is defined twice");
                    return Err(HoaError::new(message, item.span));
                }
            }
            "HOA" | "AP" | "Acceptance" | "acc-name" | "tool" | "name" | "properties" => {}
            // By the rules of the format, a name with a capital letter must not be ignored.
            name if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                let message = format!("`{name}:` is not supported");
                return Err(HoaError::new(message, item.span));
            }
            _ => {}
        }
        Ok(())
    }
}
