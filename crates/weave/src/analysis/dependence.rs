//! Whether a verdict depends on values from outside the program, or on values that the model computes
//! differently from the machine: whether they can influence the monitors.

use std::collections::{BTreeMap, BTreeSet};

use cfront::access::{self, usage, Use};
use cfront::alias::{Aliases, Assumptions};
use cfront::library;
use cfront::span::{Id, ObjectId};
use cfront::tree::{ExprKind, Resolved};
use cfront::Unit;

use crate::analysis::influence::{Influence, Part};
use crate::analysis::unspecified_order;
use crate::facts::record::{
    PropositionRecord, ReadRecord, RestKind, RestRecord, SiteEvent, SiteRecord,
};
use crate::facts::{range, Facts, Range};

/// Constructs with such values that can influence the monitors of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Influential {
    /// Functions whose results, or the values that they store, can influence the monitors.
    pub functions: BTreeSet<String>,
    /// Conversions of pointers to narrower integers whose results can.
    pub narrowed: Vec<Range>,
    /// Expressions whose value depends on the order of evaluation, and whether it can influence the monitors.
    pub orders: Vec<(Range, bool)>,
}

/// A place at which a monitor takes a step, as in the record of a monitored program: file, line, and the woven
/// text.
pub type Step = (String, u32, String);

/// Finds the influences on monitors that take these steps and read these objects. An object may have
/// its value before it is read: a parameter gets it by a call. Values that decide where a run goes count, too: code
/// after an endless loop never runs. Complexity: that of the points-to analysis.
pub fn find(
    unit: &Unit,
    facts: &Facts,
    steps: &BTreeSet<Step>,
    read: &[&ReadRecord],
) -> Influential {
    let tree = &unit.tree;
    let whole_program = Assumptions {
        whole_program: true,
    };
    let aliases = Aliases::new(tree, whole_program);
    let narrowed = facts.narrowed.iter().map(|n| (n.range.start, n.range.end));
    let influence = Influence::watching(tree, &aliases, narrowed.collect());
    let mut parts = written(unit, &aliases, &influence, steps);
    for (id, object) in tree.objects.iter() {
        let function = object.function.map(|f| tree.functions[f].name.as_str());
        let is_this = |r: &&ReadRecord| {
            let of = r.function.as_deref();
            r.object == object.name && (of.is_none() || of == function)
        };
        if read.iter().any(is_this) {
            parts.extend(influence.parts_of(id.index()).iter().copied());
        }
    }
    let (functions, marked) = influence.influential(&parts);
    let relevant = influence.relevant(&parts, &[], &[]);
    let reaches = |object: &ObjectId| {
        let mut parts = influence.parts_of(object.index()).iter();
        parts.any(|part| relevant.contains(part))
    };
    let orders = unspecified_order::find(unit);
    let orders = orders.iter().map(|(id, objects)| {
        let span = tree.exprs[*id].span;
        (range(span), objects.iter().any(reaches))
    });
    let is_marked = |r: &Range| marked.contains(&(r.start, r.end));
    let narrowed = facts.narrowed.iter().map(|n| n.range).filter(is_marked);
    Influential {
        functions: functions.into_iter().map(str::to_owned).collect(),
        narrowed: narrowed.collect(),
        orders: orders.collect(),
    }
}

/// Programs of more expressions are not analysed: the analysis takes seconds for a program of this size and minutes for larger
/// ones, which no model checker follows as a whole.
const LARGEST: usize = 30_000;

/// As [`find`], as entries of a program's record, with places; `None` for programs that are too large.
pub fn records(
    unit: &Unit,
    facts: &Facts,
    sites: &[SiteRecord],
    propositions: &[PropositionRecord],
) -> Option<Vec<RestRecord>> {
    if unit.tree.exprs.len() > LARGEST {
        return None;
    }
    let writes = sites.iter().filter(|s| s.event == SiteEvent::Write);
    let steps = writes.map(|s| (s.file.clone(), s.line, s.what.clone()));
    let read = propositions.iter();
    let read: Vec<&ReadRecord> = read
        .flat_map(|p| p.reads.iter().chain(&p.unshown))
        .collect();
    let influential = find(unit, facts, &steps.collect(), &read);
    let place = |at: usize| {
        let (file, line) = unit.source.lines.line(at);
        format!("{file}:{line}")
    };
    let mut records = Vec::new();
    let mut outside: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for call in facts.calls.iter().filter(|c| c.target.is_none()) {
        if let Some(name) = call.callee.as_deref() {
            outside
                .entry(name)
                .or_default()
                .push(place(call.range.start));
        }
    }
    let bodiless = |name: &&String| {
        let mut functions = unit.tree.functions.iter();
        functions.any(|(_, f)| f.name == **name && f.body.is_none())
    };
    for name in influential.functions.iter().filter(bodiless) {
        outside.entry(name).or_default();
    }
    for (name, mut places) in outside {
        places.dedup();
        let allocates = library::function(name).is_some_and(|f| f.allocates.is_some());
        records.push(RestRecord {
            kind: match allocates {
                true => RestKind::Allocation,
                false => RestKind::Outside,
            },
            matters: influential.functions.contains(name),
            what: name.to_owned(),
            places,
        });
    }
    if !facts.narrowed.is_empty() {
        let matters = !influential.narrowed.is_empty();
        let ranges: Vec<Range> = match matters {
            true => influential.narrowed.clone(),
            false => facts.narrowed.iter().map(|n| n.range).collect(),
        };
        let places: BTreeSet<String> = ranges.iter().map(|r| place(r.start)).collect();
        records.push(RestRecord {
            kind: RestKind::Narrow,
            what: String::new(),
            places: places.into_iter().collect(),
            matters,
        });
    }
    let orders = influential
        .orders
        .iter()
        .map(|(range, matters)| RestRecord {
            kind: RestKind::Order,
            what: unit.text()[range.start..range.end].to_owned(),
            places: vec![place(range.start)],
            matters: *matters,
        });
    records.extend(orders);
    Some(records)
}

/// The parts that the steps write: by an assignment with a step's text, else by anything on a step's line.
fn written(
    unit: &Unit,
    aliases: &Aliases,
    influence: &Influence,
    steps: &BTreeSet<Step>,
) -> Vec<Part> {
    let tree = &unit.tree;
    let line_of = |at: usize| {
        let (file, line) = unit.source.lines.line(at);
        (file.to_string(), line)
    };
    let mut parts = Vec::new();
    let mut exact = BTreeSet::new();
    for (id, expr) in tree.exprs.iter() {
        let Some(lvalue) = access::written(tree, id) else {
            continue;
        };
        let (file, line) = line_of(expr.span.start);
        let step = (file, line, unit.text_of(expr.bare).to_owned());
        if steps.contains(&step) {
            let root = tree.root(lvalue).0;
            let designated = aliases.may_designate(lvalue).objects;
            let objects = root.into_iter().chain(designated);
            parts.extend(objects.flat_map(|o| influence.parts_of(o.index())));
            exact.insert(step);
        }
    }
    let vague: BTreeSet<(&str, u32)> = steps
        .difference(&exact)
        .map(|(file, line, _)| (file.as_str(), *line))
        .collect();
    for (id, expr) in tree.exprs.iter().filter(|_| !vague.is_empty()) {
        let ExprKind::Ident(Resolved::Object(object)) = expr.kind else {
            continue;
        };
        let (file, line) = line_of(expr.span.start);
        let changed = [Use::Write, Use::ReadWrite, Use::Address].contains(&usage(tree, id));
        if changed && vague.contains(&(file.as_str(), line)) {
            parts.extend(influence.parts_of(object.index()));
        }
    }
    parts.into_iter().copied().collect()
}
