//! Classes of input values that a program distinguishes, and the program with one value of each class as its
//! choices.

pub mod ages;
mod arguments;
mod bounds;
mod buried;
mod dead;
mod guesses;
pub mod lines;
mod orders;
mod parts;
mod passes;
mod poison;
mod ranges;
mod texts;
mod uninitialised;
mod unread;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use cfront::consteval::eval;
use cfront::span::ExprId;
use cfront::tree::{ExprKind, Parent, Storage, Tree};
use cfront::types::{QualType, Type};
use cfront::Unit;
use weave::heads::{Chooser, Heads};

use ages::Ages;
use arguments::Arguments;
use bounds::{bounded, Program};
use uninitialised::uninitialised;

use crate::flows::{called, Asked, Flows};
use crate::kinds::integer;
use crate::live::Lazy;
use crate::text;
use lines::Lines;

/// The most values of one input.
pub const MOST: usize = 4096;
/// The number of values up to which all values of a type are tried.
const SMALL: i128 = 256;

/// Why the inputs have no finite set of classes: a sentence, and the offset of the text that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// The construct that the search does not follow.
    pub message: String,
    /// Its offset.
    pub at: usize,
}

/// The program with its choices.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// Its text, in which uninitialised locals get chosen values.
    pub text: String,
    /// C definitions of the functions that choose.
    pub choosers: String,
    /// The values tried at each site of an input.
    pub values: BTreeMap<u32, Vec<i128>>,
    /// The locals that are chosen where they are declared, by number: the name and the place of those that to read is undefined.
    pub locals: Vec<Option<String>>,
    /// Where they are declared.
    chosen_at: Vec<usize>,
    /// The sites whose values are chosen by the order of those that the program has: the number of the set of places.
    ordered: BTreeMap<u32, usize>,
    /// The sites that give bytes of which only those are chosen that the program reads.
    pub unread: Vec<u32>,
    /// Whether some locals are marked as having no value, and their reads checked.
    pub marks: bool,
    /// What the search may bury where no run reads it before it writes it.
    pub buried: Burying,
    /// The number of integers whose values can be told apart by classes during the search.
    pub ranged: usize,
    /// Whether the program may discard a run.
    pub discards: bool,
    /// Whether some inputs have other values, too.
    pub some: bool,
    /// How states may be identified where the program has a clock.
    pub ages: Ages,
    /// The bytes of the objects that keep their values: each state has them.
    pub bytes: u64,
    /// The number of all integers that are followed, and that of expressions computed from them.
    followed: (usize, usize),
    /// The constants that these are computed with.
    constants: Vec<i128>,
}

impl Choices {
    /// Whether some inputs are told apart by the order of the values that the program has: then the graph may have runs that the
    /// program has not.
    pub fn are_ordered(&self) -> bool {
        !self.ordered.is_empty()
    }
}

/// Elements of arrays, and variables, that the search may bury where no run reads them before it writes them.
#[derive(Clone, Debug, Default)]
pub struct Burying {
    /// How many ways there are to find such elements of each array, or whether the variable is one.
    pub ways: Vec<usize>,
    /// The number of those, the last ones, that are variables: they are buried whatever their values and those of others are.
    pub constant: usize,
}

/// How inputs are chosen.
#[derive(Clone, Copy, Debug)]
pub struct Form<'a> {
    /// Whether locals without a value may be marked.
    pub marks: bool,
    /// Where some runs are visited, not all: the lines of text that the program reads. Inputs that have too many values get some
    /// near the program's constants.
    pub some: Option<&'a Lines>,
}

/// Finds the classes in the text that [`text::program`] made.
///
/// # Errors
/// The first input without finitely many classes, or the first construct that the search does not follow.
pub fn resolve(unit: &Unit, heads: &Heads, form: Form) -> Result<Choices, Obstacle> {
    let (tree, choosers) = (&unit.tree, heads.own.choosers.as_slice());
    let mut arguments = Arguments::of(unit)?;
    let texts = |site| arguments.gives(site) || form.some.is_some_and(|lines| lines.gives(site));
    let sources = sources(unit, choosers, &texts)?;
    let calls: Vec<ExprId> = sources.iter().map(|s| s.of).collect();
    let discards = guesses::discards(tree);
    let quiet = |name: &str| text::is_quiet(name) || heads.own.harmless.contains(name);
    let live = Lazy::of(unit);
    let times = match form.some {
        Some(_) => ages::Followed::default(),
        None => ages::followed(unit, heads, &quiet),
    };
    let ordered = form.marks
        && form.some.is_none()
        && times.ages == Ages::Times
        && orders::are_followed(tree);
    let free = |call| ordered && orders::is_free(&sources, call);
    let mut flows = Flows::new(unit, &calls, &free, &quiet, &live);
    let mut out = Choices {
        discards,
        some: form.some.is_some(),
        bytes: kept(tree),
        ..Choices::default()
    };
    let program = Program::new(unit, &heads.own.assuming, &live);
    for source in &sources {
        if let Some(order) = flows.order_of(source.of) {
            out.ordered.insert(source.site, order);
            continue;
        }
        let asked = flows.of_source(source.of);
        let values = match &source.own {
            Some(all) => all.clone(),
            None => match (values(&program, source, &asked), form.some) {
                (Ok(values), _) => values,
                (Err(_), Some(_)) => {
                    guesses::guessed(tree, source.within.unwrap_or(source.range()))
                }
                (Err(why), None) => return Err(why),
            },
        };
        let all = out.values.entry(source.site).or_default();
        all.extend(values);
        // The search tries values in this order, so traces show the simplest value that will do.
        all.sort_unstable_by_key(|v| (v.unsigned_abs(), *v < 0));
        all.dedup();
    }
    let orders = flows.orders().to_vec();
    // Values of one set are told apart in one way.
    let mut ranged = match orders.is_empty() {
        true => ranges::ranged(unit, &quiet),
        false => ranges::Ranged::default(),
    };
    ranged.insertions.extend(times.insertions.clone());
    ranged.insertions.extend(dead::insertions(unit));
    ranged.insertions.extend(orders::insertions(tree, &orders));
    out.ranged = ranged.count;
    out.followed = (ranged.symbols, ranged.slots);
    out.constants.clone_from(&ranged.constants);
    uninitialised(unit, choosers, &mut flows, (&mut out, form), &ranged)?;
    out.ages = times.ages;
    if let Some(order) = orders.first().filter(|_| !out.locals.is_empty()) {
        return Err(order.obstacle(tree));
    }
    out.text.insert_str(0, &times.declarations());
    out.text.insert_str(0, orders::declarations(&orders));
    for (site, values) in &out.values {
        if values.len() > MOST {
            let source = sources.iter().find(|s| s.site == *site);
            return Err(Obstacle {
                message: format!("an input has {} values here", values.len()),
                at: source.map_or(0, |s| tree.exprs[s.call].span.start),
            });
        }
    }
    arguments.number(&|f| match form.some {
        Some(lines) => lines.numbers().collect(),
        None => {
            let within = |call| tree.function_of(Parent::Expr(call)) == Some(f);
            let all = sources.iter().filter(|s| within(s.call));
            let values = all.filter_map(|s| out.values.get(&s.site));
            values.flatten().copied().collect()
        }
    });
    choosing(unit, &mut out, form.some, &arguments);
    out.choosers.push_str(&orders::tables(&orders));
    out.choosers.push_str(&passes::passes(unit, &out.chosen_at));
    out.choosers.push_str(&times.definitions());
    out.text.push_str(&times.tells());
    let more = own_state(tree, heads)?;
    out.text.push_str(&more);
    Ok(out)
}

/// The beginning of the names of the weaver's variables; the programs that are visited have no such names.
const OWN: &str = "ba_";

/// C text that records those variables of the weaver and of the library that are parts of the program's state.
fn own_state(tree: &Tree, heads: &Heads) -> Result<String, Obstacle> {
    let added: BTreeSet<String> = text::added(heads).collect();
    let mut text = String::from("\nvoid ba_x_more(void) {\n");
    for (_, object) in tree.objects.iter() {
        let name = object.name.as_str();
        let own = name.starts_with(OWN) && object.is_static_duration();
        if !own
            || is_constant(tree, object.ty)
            || heads.own.apart.contains(name)
            || added.contains(name)
        {
            continue;
        }
        if object.storage == Storage::StaticLocal {
            return Err(Obstacle {
                message: "something happens here only once in a run, which the search of all states does not follow".into(),
                at: object.name_span.start,
            });
        }
        let _ = writeln!(text, "  ba_x_put(&{name}, sizeof {name});");
    }
    // The library's variables are part of it, too, if the program names them.
    let is_option = |name: &str| text::OPTIONS.iter().any(|(option, _)| *option == name);
    for (id, object) in tree.objects.iter() {
        let of_library = object.is_static_duration() && !object.defined && is_option(&object.name);
        if of_library && cfront::arguments::names(tree, id).next().is_some() {
            let _ = writeln!(text, "  ba_x_put(&{0}, sizeof {0});", object.name);
        }
    }
    text.push_str("}\n");
    Ok(text)
}

/// The bytes of the objects that a run may change and that outlive functions.
fn kept(tree: &Tree) -> u64 {
    let objects = tree.objects.iter().map(|(_, object)| object);
    let kept = objects.filter(|o| o.is_static_duration() && !is_constant(tree, o.ty));
    let sizes = kept.filter_map(|o| cfront::consteval::size_of(tree, o.ty));
    sizes.fold(0, u64::saturating_add)
}

/// Whether no assignment can change an object of a type.
fn is_constant(tree: &Tree, ty: QualType) -> bool {
    match tree.types.get(ty) {
        Type::Array(element, _) => is_constant(tree, *element),
        _ => ty.quals.is_const,
    }
}

/// A call that gives an input.
struct Source {
    call: ExprId,
    /// The expression on which everything depends that depends on the input: the call, or a part of its value.
    of: ExprId,
    site: u32,
    bits: u32,
    signed: bool,
    /// The numbers from which the emitted function computes the values, if the specification gives these.
    own: Option<Vec<i128>>,
    /// The bounds of the values, if they are narrower than those of the type.
    within: Option<(i128, i128)>,
}

impl Source {
    /// The least and the greatest value of its type.
    fn range(&self) -> (i128, i128) {
        match self.signed {
            true => (-(1i128 << (self.bits - 1)), (1i128 << (self.bits - 1)) - 1),
            false => (0, (1i128 << self.bits) - 1),
        }
    }
}

/// The calls of the emitted functions that choose values, each with its site. `texts` tells those that give bytes of known texts.
fn sources(
    unit: &Unit,
    choosers: &[Chooser],
    texts: &dyn Fn(u32) -> bool,
) -> Result<Vec<Source>, Obstacle> {
    let tree = &unit.tree;
    let runs = cfront::CallGraph::new(tree).may_run(tree, std::iter::empty());
    let mut out = Vec::new();
    for (call, expr) in tree.exprs.iter() {
        let ExprKind::Call { callee, args, .. } = &expr.kind else {
            continue;
        };
        // Headers have functions that nothing calls.
        let within = tree.function_of(Parent::Expr(call));
        if within.is_some_and(|f| !runs.contains(&f)) {
            continue;
        }
        let Some(f) = called(tree, *callee) else {
            continue;
        };
        let name = &tree.functions[f].name;
        let Some(chooser) = choosers.iter().find(|c| c.function == *name) else {
            continue;
        };
        let fail = |what: &str| Obstacle {
            message: what.to_string(),
            at: expr.span.start,
        };
        let site = args.first().and_then(|a| eval(tree, *a));
        let site = site.and_then(|s| u32::try_from(s).ok());
        let site = site.ok_or_else(|| fail("an input without a place"))?;
        let Some((bits, signed)) = integer(tree, expr.ty) else {
            return Err(fail("an input is not an integer"));
        };
        let own = match chooser.numbers {
            _ if texts(site) => Some(vec![0]),
            None => None,
            Some(count) if count <= MOST as u128 => Some((0..count as i128).collect()),
            Some(_) => return Err(fail("an input has too many values")),
        };
        let whole = own.is_some() || chooser.within.is_some();
        let part = parts::taken(tree, call).filter(|_| !whole);
        out.push(Source {
            call,
            of: part.map_or(call, |(of, _)| of),
            site,
            bits,
            signed,
            own,
            within: chooser.within.or(part.map(|(_, greatest)| (0, greatest))),
        });
    }
    Ok(out)
}

/// A value of each class of an input.
fn values(program: &Program, source: &Source, asked: &Asked) -> Result<Vec<i128>, Obstacle> {
    let (low, high) = source.within.unwrap_or(source.range());
    let asked = &asked.of_values((low, high));
    if high - low < SMALL {
        // Where nothing but comparisons with constants depends on the value, one of each class will do.
        let few = asked.exposed.is_none().then(|| classes(asked, (low, high)));
        return Ok(few.flatten().unwrap_or_else(|| (low..=high).collect()));
    }
    // Bounds that the program assumes at once exclude all other values. If it tests bounds at once and
    // discards the rest, one value stands for the rest.
    let (bounds, others) = bounded(program, source.call);
    let (from, to) = (
        bounds.0.unwrap_or(low).max(low),
        bounds.1.unwrap_or(high).min(high),
    );
    let span = to - from;
    if let Some((what, at)) = &asked.exposed {
        if (0..MOST as i128).contains(&span) {
            let other = if to < high { to + 1 } else { from - 1 };
            let others = others && (low..=high).contains(&other);
            return Ok((from..=to).chain(others.then_some(other)).collect());
        }
        return Err(Obstacle {
            message: format!(
                "the search of all states needs inputs of which the program distinguishes few values, but this one {what}; \
                 name its values or its range under `inputs`, or assume bounds right where it is read"
            ),
            at: *at,
        });
    }
    let classes = classes(asked, (low, high));
    match classes {
        Some(classes) => Ok(classes),
        None if !others && (0..MOST as i128).contains(&span) => Ok((from..=to).collect()),
        None => Err(Obstacle {
            message: "the program distinguishes too many values of this input".into(),
            at: program.unit.tree.exprs[source.call].span.start,
        }),
    }
}

/// A value of each class, and all values of intervals in which more than comparisons depends on them; `None` if there are too many.
fn classes(asked: &Asked, (low, high): (i128, i128)) -> Option<Vec<i128>> {
    let mut out = compared(asked, (low, high))?;
    for (from, to) in asked.within.keys() {
        let (from, to) = (*from.max(&low), *to.min(&high));
        if to - from >= MOST as i128 {
            return None;
        }
        out.extend(from..=to);
    }
    (out.len() <= MOST).then(|| out.into_iter().collect())
}

/// A value of each class that comparisons and conversions tell apart; `None` if there are too many classes.
fn compared(asked: &Asked, (low, high): (i128, i128)) -> Option<BTreeSet<i128>> {
    if asked.bits != 0 {
        return by_bits(asked, (low, high));
    }
    let mut ends = asked.constants.clone();
    for bits in &asked.wraps {
        let size = 1i128 << (*bits).min(64);
        ends.extend([0, size / 2, -(size / 2)]);
        for c in asked.constants.iter().copied().collect::<Vec<_>>() {
            ends.extend([c + size, c - size]);
        }
    }
    let inside = |v: &i128| low <= *v && *v <= high;
    let mut out = BTreeSet::new();
    let modulus = asked.modulus();
    if modulus > 1 {
        // The remainder has the sign of the dividend. Each interval begins at one of the ends, and `modulus`
        // values after that end have all possible remainders.
        ends.extend([low, 0]);
        ends.retain(inside);
        let mut behind = ends.iter().skip(1);
        for &end in &ends {
            let next = behind.next().copied().unwrap_or(high);
            let last = next.min(end.saturating_add(modulus));
            if last - end >= MOST as i128 || out.len() > MOST {
                return None;
            }
            out.extend(end..=last);
        }
    } else {
        // A constant outside the type would stand for an interval without showing a value of the type.
        ends.retain(inside);
        if !asked.ordered && asked.wraps.is_empty() {
            // All others are one class: it has a value among the first ones unless it is empty, a small one if possible.
            let count = ends.len() as i128;
            let small = (0..=count).flat_map(|v| [v, -v]);
            let mut first = small.chain((0..=count).map(|v| low + v));
            let other = first.find(|v| inside(v) && !ends.contains(v));
            out.extend(ends.into_iter().chain(other));
            return Some(out);
        }
        out.extend(ends.iter().flat_map(|c| [c - 1, *c, c + 1]).filter(inside));
        let nearer = |v: &i128| {
            // Between two constants one value suffices.
            ends.contains(v) || ends.contains(&(v - 1)) || ends.first().is_some_and(|f| v < f)
        };
        out.retain(nearer);
        if out.is_empty() {
            out.insert(0.clamp(low, high));
        }
    }
    Some(out)
}

/// A value of each class that tests of bits and comparisons tell apart: one for each setting of the bits in each interval
/// between the constants. `None` if there are too many, or if conversions could move the bits.
fn by_bits(asked: &Asked, (low, high): (i128, i128)) -> Option<BTreeSet<i128>> {
    let (low, high) = (u64::try_from(low).ok()?, u64::try_from(high).ok()?);
    let low_bits = u64::try_from(asked.modulus() - 1).ok()?;
    if !asked.wraps.is_empty() || low_bits & low_bits.wrapping_add(1) != 0 {
        return None;
    }
    let within = u64::MAX.checked_shr(high.leading_zeros()).unwrap_or(0);
    let bits = (asked.bits | low_bits) & within;
    if bits.count_ones() > MOST.ilog2() {
        return None;
    }
    let constants = asked.constants.iter();
    let mut starts: BTreeSet<u64> = constants
        .flat_map(|c| [*c, c + 1])
        .filter_map(|c| u64::try_from(c).ok())
        .filter(|c| (low..=high).contains(c))
        .collect();
    starts.insert(low);
    let mut out = BTreeSet::new();
    let mut behind = starts.iter().skip(1);
    for start in &starts {
        let end = behind.next().map_or(high, |next| next - 1);
        let mut setting = 0;
        loop {
            let least = least_with(*start, bits, setting).filter(|value| *value <= end);
            out.extend(least.map(i128::from));
            // The next setting of these bits.
            setting = setting.wrapping_sub(bits) & bits;
            if setting == 0 {
                break;
            }
        }
        if out.len() > MOST {
            return None;
        }
    }
    Some(out)
}

/// The least number from `start` in which `bits` are as in `setting`.
fn least_with(start: u64, bits: u64, setting: u64) -> Option<u64> {
    if start & bits == setting {
        return Some(start);
    }
    // It agrees with `start` above some bit, is greater there, and as small as it can be below.
    let found = (0..64).filter_map(|at| {
        let bit = 1u64 << at;
        let above = !(bit | (bit - 1));
        let greater = start & bit == 0 && (bits & bit == 0 || setting & bit != 0);
        let agrees = start & bits & above == setting & above;
        (greater && agrees).then(|| (start & above) | bit | (setting & (bit - 1)))
    });
    found.min()
}

fn list(values: &[i128]) -> String {
    let texts = values.iter().map(|v| match *v as i64 {
        i64::MIN => "-9223372036854775807LL - 1".to_string(),
        v => format!("{v}LL"),
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// The functions through which the woven program gets values: one for each type, with a table for each site.
fn choosing(unit: &Unit, out: &mut Choices, lines: Option<&Lines>, arguments: &Arguments) {
    let tree = &unit.tree;
    let mut tables = arguments.tables(lines.is_some());
    let mut cases = arguments.cases();
    if let Some(lines) = lines {
        tables.push_str(&lines.tables());
        cases.push_str(&lines.cases());
    }
    let of_text = |site: u32| arguments.gives(site) || lines.is_some_and(|lines| lines.gives(site));
    for (site, values) in out.values.iter().filter(|(site, _)| !of_text(**site)) {
        let _ = writeln!(
            tables,
            "static const long long ba_x_set_{site}[] = {{ {} }};",
            list(values)
        );
        let _ = writeln!(
            cases,
            "    case {site}: return {}(ba_x_set_{site}, {});",
            if out.unread.contains(site) {
                "ba_x_unless_read"
            } else {
                "ba_x_choice"
            },
            values.len()
        );
    }
    for (site, order) in &out.ordered {
        let _ = writeln!(cases, "    case {site}: return ba_x_ordered({order});");
    }
    let mut functions = String::new();
    for (_, function) in tree.functions.iter() {
        if !function.name.starts_with("nondet_ba_") || function.body.is_some() {
            continue;
        }
        if function.name == "nondet_ba_bool" {
            // A decision of the weaver's models; it has no site.
            functions.push_str("_Bool nondet_ba_bool(void) { static const long long of[] = { 0, 1 }; return (_Bool)ba_x_choice(of, 2); }\n");
            continue;
        }
        let ret = tree.types.function(function.ty).map(|t| t.ret);
        let scope = tree.file_scope();
        let declared = ret.and_then(|ty| tree.types.declare(ty, "ba_x_value", scope));
        let Some(declared) = declared else { continue };
        let ty = declared.trim_end_matches("ba_x_value").trim_end();
        let ty = cfront::host::spelled(&tree.types.model, ty);
        let _ = writeln!(
            functions,
            "{ty} {}(void) {{ return ({ty})ba_x_here(); }}",
            function.name
        );
    }
    out.choosers = format!(
        "extern long long ba_x_choice(const long long *, unsigned), ba_x_unless_read(const long long *, unsigned), ba_x_uninitialised(const long long *, unsigned, unsigned);\n\
         extern long ba_x_given_site(void);\nextern long long ba_x_ordered(unsigned);\nextern void ba_x_gone(void);\nconst unsigned ba_x_ranged = {}, ba_x_followed = {}, ba_x_slots = {}, ba_x_marks = {}, ba_x_arrays = {}, ba_x_leaves = {}, ba_x_some = {};\nconst long long ba_x_constants[] = {{ 0, {} }};\n{tables}\
         static long long ba_x_here(void) {{\n  switch (ba_x_given_site()) {{\n{cases}    default: ba_x_gone(); return 0;\n  }}\n}}\n{functions}{}",
        out.ranged,
        out.followed.0,
        out.followed.1,
        u8::from(out.marks),
        out.buried.ways.len(),
        u8::from(!out.unread.is_empty()),
        u8::from(out.some),
        list(&out.constants),
        out.choosers
    );
}

#[cfg(test)]
mod tests;
