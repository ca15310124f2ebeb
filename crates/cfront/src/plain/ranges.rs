//! Ranges of designators, written out: `[0 ... 2] = v` is `[0] = v, [1] = v, [2] = v`.

use crate::access::is_pure;
use crate::consteval::eval;
use crate::parse::Unit;
use crate::rewriting::Text;
use crate::source::Source;
use crate::span::{InitId, Span};
use crate::tree::{Designator, ExprKind, InitItem, InitKind, Parent, Tree};

/// What a list becomes at most, in bytes.
const LONGEST: usize = 1 << 18;

pub(super) fn written_out(unit: &Unit) -> Option<Vec<Source>> {
    let tree = &unit.tree;
    let mut text = Text::of(unit);
    for (id, init) in tree.inits.iter() {
        let InitKind::List(items) = &init.kind else {
            continue;
        };
        if !items.iter().any(has_range) || is_within_range(tree, id) {
            continue;
        }
        for item in items.iter().filter(|item| has_range(item)) {
            let Some(whole) = span(unit, item) else {
                continue;
            };
            let (Some(out), true) = (item_text(unit, &text, item), once(tree, item.value)) else {
                continue;
            };
            text.replace(whole, &out);
        }
    }
    text.changed()
}

fn has_range(item: &InitItem) -> bool {
    let mut designators = item.designators.iter();
    designators.any(|d| matches!(d, Designator::Range(..)))
}

/// Whether a list is a part of an item with a range, whose text has it.
fn is_within_range(tree: &Tree, mut id: InitId) -> bool {
    while let Parent::Init(around) = tree.inits[id].parent {
        if let InitKind::List(items) = &tree.inits[around].kind {
            if items.iter().any(|i| i.value == id && has_range(i)) {
                return true;
            }
        }
        id = around;
    }
    false
}

/// Whether a value may be evaluated more often: it changes nothing and makes no object.
fn once(tree: &Tree, value: InitId) -> bool {
    let mut exprs = Vec::new();
    tree.init_exprs(value, &mut exprs);
    let is_plain = |e: &_| {
        let mut within = vec![*e];
        while let Some(e) = within.pop() {
            if matches!(tree.exprs[e].kind, ExprKind::CompoundLiteral(_)) {
                return false;
            }
            within.extend(tree.children(e));
        }
        is_pure(tree, *e)
    };
    exprs.iter().all(is_plain)
}

/// An item from its first designator to the end of its value.
fn span(unit: &Unit, item: &InitItem) -> Option<Span> {
    let tree = &unit.tree;
    let tokens = &unit.tokens;
    let before = |at| {
        let index = tokens.at_or_after(at).checked_sub(1)?;
        Some(tokens.tokens[index].span)
    };
    // The first designator that has a place; those before it are members, each a dot and a name.
    let mut members = 0;
    let first = item.designators.iter().find_map(|d| match d {
        Designator::Member(_) => {
            members += 1;
            None
        }
        Designator::Index(e) | Designator::Range(e, _) => Some(tree.exprs[*e].span.start),
    })?;
    let mut start = before(first)?.start;
    for _ in 0..2 * members {
        start = before(start)?.start;
    }
    Some(Span {
        start,
        end: tree.inits[item.value].span.end,
    })
}

/// An item without ranges, on one line.
fn item_text(unit: &Unit, text: &Text, item: &InitItem) -> Option<String> {
    let tree = &unit.tree;
    let whole = span(unit, item)?;
    let value = tree.inits[item.value].span;
    let mut heads = vec![String::new()];
    let mut done = whole.start;
    for designator in &item.designators {
        let Designator::Range(from, to) = *designator else {
            continue;
        };
        let (first, last) = (eval(tree, from)?, eval(tree, to)?);
        let count = usize::try_from(last.checked_sub(first)?).ok()?;
        if count.saturating_mul(heads.len()) > LONGEST / 4 {
            return None;
        }
        let before = unit.text_of(Span {
            start: done,
            end: tree.exprs[from].span.start,
        });
        done = tree.exprs[to].span.end;
        let numbered = heads.iter().flat_map(|head| {
            let number = |n: i128| format!("{head}{before}{n}");
            (first..=last).map(number).collect::<Vec<_>>()
        });
        heads = numbered.collect();
    }
    let rest = unit.text_of(Span {
        start: done,
        end: value.start,
    });
    let value = text.on_a_line(&value_text(unit, text, item.value)?);
    if heads.len().saturating_mul(rest.len() + value.len() + 8) > LONGEST {
        return None;
    }
    let items = heads
        .iter()
        .map(|head| text.on_a_line(&format!("{head}{rest}")) + " " + &value);
    Some(items.collect::<Vec<_>>().join(", "))
}

/// The text of a value without ranges in it.
fn value_text(unit: &Unit, text: &Text, id: InitId) -> Option<String> {
    let init = &unit.tree.inits[id];
    let InitKind::List(items) = &init.kind else {
        return Some(unit.text_of(init.span).to_owned());
    };
    let (mut out, mut done) = (String::new(), init.span.start);
    for item in items {
        let (part, changed) = match has_range(item) {
            true => (span(unit, item)?, item_text(unit, text, item)?),
            false => {
                let part = unit.tree.inits[item.value].span;
                (part, value_text(unit, text, item.value)?)
            }
        };
        out += unit.text_of(Span {
            start: done,
            end: part.start,
        });
        out += &changed;
        done = part.end;
    }
    out += unit.text_of(Span {
        start: done,
        end: init.span.end,
    });
    Some(out)
}
