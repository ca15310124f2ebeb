//! Integers that a program only compares and computes from each other, as in
//! `if (a > 38 && a <= 218) a = (a * b) % 25 + 13;`. During the search their values are told apart by classes
//! (`templates/explicit/refine.c`); for that each read, each operation, each comparison and each assignment calls the search.

mod places;
mod uses;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use cfront::consteval::eval;
use cfront::span::ExprId;
use cfront::tree::{BinaryOp, ExprKind, Tree, UnaryOp};
use cfront::{CallGraph, Unit};

use super::poison::Insertions;
use crate::kinds::integer;
use places::places;
use uses::{Occurrence, Use, Uses};

/// The most places of a state that the search follows so.
const MOST: usize = 128;
/// A constant from which on sums lead to so many values that classes of them are worth their time.
const LARGE: i128 = 1000;

/// The number of the first constant; slots have smaller ones (`templates/explicit/ranges.c`).
const CONSTANT: usize = 1 << 30;

/// `int`, the only type of these places and operations.
const INT: (u32, bool) = (32, true);

/// The name of the weaver's variable for a value on its way to the object that an assignment stores it to.
const PASSED: &str = "ba_value";

/// The places, and the text that follows them.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranged {
    /// The number of those that are parts of states.
    pub count: usize,
    /// The number of all.
    pub symbols: usize,
    /// The number of expressions with values that are computed from them.
    pub slots: usize,
    /// The constants that they are computed with.
    pub constants: Vec<i128>,
    /// The calls.
    pub insertions: Insertions,
    tables: String,
}

impl Ranged {
    /// What the calls need.
    pub fn declarations(&self) -> String {
        if self.symbols == 0 {
            return String::new();
        }
        "int ba_x_load(unsigned, unsigned, int, int);\n\
         int ba_x_leaf(unsigned, int);\n\
         int ba_x_move(unsigned, unsigned, int);\n\
         int ba_x_compute(unsigned, int, unsigned, unsigned, int);\n\
         int ba_x_related(int, unsigned, unsigned, int);\n\
         int ba_x_tested(unsigned, int);\n\
         int ba_x_switched(unsigned, const long long *, unsigned, int);\n\
         int ba_x_store(unsigned, unsigned, int);\n\
         long long ba_x_stores(unsigned, long long);\n\
         int ba_x_update(unsigned, int, unsigned, int);\n\
         int ba_x_steps(unsigned, int, int);\n\
         int ba_x_range(unsigned, int);\n"
            .to_string()
            + &self.tables
    }
}

fn is_int(tree: &Tree, e: ExprId) -> bool {
    integer(tree, tree.exprs[e].ty) == Some(INT)
}

/// The value of a constant of type `int`.
fn constant(tree: &Tree, e: ExprId) -> Option<i128> {
    let value = eval(tree, e).filter(|_| is_int(tree, e))?;
    i32::try_from(value).ok().map(i128::from)
}

/// Finds the places. `quiet` tells which functions of the library have no effect.
pub(super) fn ranged(unit: &Unit, quiet: &dyn Fn(&str) -> bool) -> Ranged {
    let tree = &unit.tree;
    let places = places(tree, &CallGraph::new(tree));
    let uses = Uses::new(tree, quiet, &places);
    let mut kept = followed(&uses);
    far(tree, &uses, &mut kept);
    let recorded = kept.iter().filter(|(_, of)| of.is_recorded());
    let recorded: BTreeSet<usize> = recorded.map(|(e, _)| places.of[e]).collect();
    if recorded.is_empty() || recorded.len() > MOST {
        return Ranged::default();
    }
    // Those of states come first.
    let all: BTreeSet<usize> = kept.keys().map(|e| places.of[e]).collect();
    let others = all.difference(&recorded);
    let numbers = (0..).zip(recorded.iter().chain(others));
    let numbers = numbers.map(|(n, place)| (*place, n)).collect();
    Text {
        count: recorded.len(),
        tree,
        uses: &uses,
        numbers,
        slots: BTreeMap::new(),
        around: BTreeMap::new(),
        out: Ranged::default(),
    }
    .written(&kept)
}

/// The occurrences of places all of whose occurrences are followed, and whose values go to such places only.
fn followed(uses: &Uses) -> BTreeMap<ExprId, Occurrence> {
    let mut kept = BTreeMap::new();
    let mut lost = BTreeSet::new();
    for (&e, &place) in &uses.places.of {
        match uses.of(e) {
            Some(of) => drop(kept.insert(e, of)),
            None => drop(lost.insert(place)),
        }
    }
    loop {
        let before = lost.len();
        for (e, of) in &kept {
            if let Occurrence::Read(_, Use::Stored(to, _) | Use::Updates(to, _)) = of {
                if lost.contains(to) {
                    lost.insert(uses.places.of[e]);
                }
            }
        }
        if lost.len() == before {
            break;
        }
    }
    kept.retain(|e, _| !lost.contains(&uses.places.of[e]));
    kept
}

/// Leaves the places whose values are computed from each other such that there are many.
fn far(tree: &Tree, uses: &Uses, kept: &mut BTreeMap<ExprId, Occurrence>) {
    let mut group: Vec<usize> = (0..uses.places.all.len()).collect();
    fn root(group: &[usize], mut of: usize) -> usize {
        while group[of] != of {
            of = group[of];
        }
        of
    }
    let (mut many, mut computed) = (BTreeSet::new(), BTreeSet::new());
    for (e, of) in kept.iter() {
        let place = uses.places.of[e];
        match of {
            Occurrence::Read(by, Use::Stored(to, _) | Use::Updates(to, _)) => {
                let (a, b) = (root(&group, place), root(&group, *to));
                group[a] = b;
                computed.extend([place, *to]);
                if by.iter().any(|e| is_far(tree, *e)) {
                    many.insert(place);
                }
            }
            Occurrence::Updated(e) => {
                computed.insert(place);
                if is_far(tree, *e) {
                    many.insert(place);
                }
            }
            _ => {}
        }
    }
    let many: BTreeSet<usize> = many.into_iter().map(|place| root(&group, place)).collect();
    kept.retain(|e, _| {
        let place = uses.places.of[e];
        computed.contains(&place) && many.contains(&root(&group, place))
    });
}

/// Whether repeating an operation leads to many values.
fn is_far(tree: &Tree, e: ExprId) -> bool {
    let (op, operands) = match &tree.exprs[e].kind {
        ExprKind::Binary(op, a, b) => (*op, [*a, *b]),
        ExprKind::Assign {
            op: Some(op),
            lhs,
            rhs,
            ..
        } => (*op, [*lhs, *rhs]),
        _ => return false,
    };
    let small = |e: &ExprId| constant(tree, *e).is_some_and(|c| c.abs() < LARGE);
    match op {
        BinaryOp::Add | BinaryOp::Sub => !operands.iter().any(small),
        _ => true,
    }
}

/// How the calls around one expression stand inside each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// The value is there.
    Computed,
    /// The program learns something of it.
    Told,
    /// It becomes that of a conditional expression.
    Moved,
    /// It is stored.
    Stored,
}

struct Text<'a> {
    tree: &'a Tree,
    uses: &'a Uses<'a>,
    count: usize,
    /// The places that are followed, by their numbers among all.
    numbers: BTreeMap<usize, usize>,
    /// The slots of expressions.
    slots: BTreeMap<ExprId, usize>,
    /// The calls around expressions: what stands before the value.
    around: BTreeMap<ExprId, BTreeMap<Level, String>>,
    out: Ranged,
}

impl Text<'_> {
    fn put(&mut self, e: ExprId, level: Level, before: String) {
        self.around.entry(e).or_default().insert(level, before);
    }

    fn new_slot(&mut self, e: ExprId) -> usize {
        let next = self.slots.len();
        *self.slots.entry(e).or_insert(next)
    }

    /// The calls for all occurrences.
    fn written(mut self, kept: &BTreeMap<ExprId, Occurrence>) -> Ranged {
        // First the expressions whose values are followed.
        let mut computed = BTreeSet::new();
        for (e, of) in kept {
            if let Occurrence::Read(by, use_) = of {
                if !matches!(use_, Use::Recorded | Use::Shown) {
                    self.load(*e);
                    computed.extend(by.iter().copied());
                }
            }
        }
        for e in &computed {
            self.new_slot(*e);
        }
        for e in computed {
            self.compute(e);
        }
        let mut stored = BTreeSet::new();
        for (e, of) in kept {
            let own = self.numbers[&self.uses.places.of[e]];
            match of {
                Occurrence::Read(_, use_) => self.used(*e, own, *use_),
                Occurrence::Written(value) => drop(stored.insert((*value, own))),
                Occurrence::Updated(e) => self.updated(*e, own),
            }
        }
        for place in self.numbers.keys() {
            let value = self.uses.initial(*place);
            stored.extend(value.map(|value| (value, self.numbers[place])));
        }
        for (value, own) in stored {
            let before = match self.slots.get(&value) {
                Some(slot) => format!("ba_x_store({own}, {slot}, ("),
                None => format!("ba_x_stores({own}, ("),
            };
            self.put(value, Level::Stored, before);
        }
        for (e, all) in &self.around {
            let before: String = all.values().rev().map(String::as_str).collect();
            let after = "))".repeat(all.len());
            let span = self.tree.exprs[*e].span;
            self.out.insertions.around(span, true, &before, &after);
        }
        (self.out.count, self.out.symbols) = (self.count, self.numbers.len());
        self.out.slots = self.slots.len();
        self.out
    }

    fn load(&mut self, e: ExprId) {
        let place = self.uses.places.of[&e];
        let (slot, own) = (self.new_slot(e), self.numbers[&place]);
        let any = i32::from(self.uses.may_have_no_value(place));
        self.put(
            e,
            Level::Computed,
            format!("ba_x_load({slot}, {own}, {any}, ("),
        );
    }

    /// The slot of an operand.
    fn operand(&mut self, e: ExprId) -> usize {
        if let Some(slot) = self.slots.get(&e) {
            return *slot;
        }
        if let Some(value) = constant(self.tree, e) {
            let all = &mut self.out.constants;
            let at = all.iter().position(|c| *c == value);
            return CONSTANT
                + at.unwrap_or_else(|| {
                    all.push(value);
                    all.len() - 1
                });
        }
        let slot = self.new_slot(e);
        self.put(e, Level::Told, format!("ba_x_leaf({slot}, ("));
        slot
    }

    fn compute(&mut self, e: ExprId) {
        let slot = self.slots[&e];
        let before = match self.tree.exprs[e].kind.clone() {
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.operand(a), self.operand(b));
                format!("ba_x_compute({slot}, '{}', {a}, {b}, (", op.spelling())
            }
            ExprKind::Unary(op, a) => {
                let a = self.operand(a);
                let op = if op == UnaryOp::Minus { 'n' } else { 'p' };
                format!("ba_x_compute({slot}, '{op}', {a}, {a}, (")
            }
            ExprKind::Conditional {
                then, otherwise, ..
            } => {
                for branch in then.into_iter().chain([otherwise]) {
                    let from = self.operand(branch);
                    let before = format!("ba_x_move({slot}, {from}, (");
                    self.put(branch, Level::Moved, before);
                }
                return;
            }
            _ => return,
        };
        self.put(e, Level::Computed, before);
    }

    fn used(&mut self, e: ExprId, own: usize, use_: Use) {
        match use_ {
            Use::Compared(e) => {
                let ExprKind::Binary(op, a, b) = self.tree.exprs[e].kind else {
                    return;
                };
                let (a, b) = (self.operand(a), self.operand(b));
                let before = format!("ba_x_related({}, {a}, {b}, (", relation(op));
                self.put(e, Level::Computed, before);
            }
            Use::Tested(e) => {
                let slot = self.operand(e);
                self.put(e, Level::Told, format!("ba_x_tested({slot}, ("));
            }
            Use::Switched(e, switch) => {
                let slot = self.operand(e);
                let cuts = self.uses.cuts(switch).unwrap_or_default();
                let table = self.out.tables.lines().count();
                let all: Vec<String> = cuts.iter().map(|c| format!("{c}LL")).collect();
                let _ = writeln!(
                    self.out.tables,
                    "static const long long ba_x_cuts_{table}[] = {{ 0, {} }};",
                    all.join(", ")
                );
                let count = cuts.len();
                let before = format!("ba_x_switched({slot}, ba_x_cuts_{table} + 1, {count}, (");
                self.put(e, Level::Told, before);
            }
            Use::Recorded => {
                self.put(e, Level::Computed, format!("ba_x_range({own}, ("));
            }
            Use::Stored(..) | Use::Updates(..) | Use::Shown => {}
        }
    }

    fn updated(&mut self, e: ExprId, own: usize) {
        let before = match self.tree.exprs[e].kind.clone() {
            ExprKind::Assign {
                op: Some(op), rhs, ..
            } => {
                let rhs = self.operand(rhs);
                format!("ba_x_update({own}, '{}', {rhs}, (", op.spelling())
            }
            ExprKind::IncDec { increment, .. } => {
                let by = if increment { 1 } else { -1 };
                format!("ba_x_steps({own}, {by}, (")
            }
            _ => return,
        };
        self.put(e, Level::Computed, before);
    }
}

/// A comparison, as `templates/explicit/ranges.c` numbers them.
fn relation(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Lt => "0 /* < */",
        BinaryOp::Le => "1 /* <= */",
        BinaryOp::Gt => "2 /* > */",
        BinaryOp::Ge => "3 /* >= */",
        BinaryOp::Eq => "4 /* == */",
        _ => "5 /* != */",
    }
}
