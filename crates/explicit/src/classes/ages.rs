//! States that differ only by a shift of the clock. Where a program uses its clock and the stamps that it takes from it by their
//! differences alone, as in `now - started >= LIMIT`, the search identifies a state by the age of each stamp.
//!
//! # Why this is sound
//!
//! Let a *shift* by a number `d` add `d` to every time of a state, modulo 2^w for times of `w` bits. [`times`] finds a set of places that is
//! closed: what a time is copied to is a time, and so is what is copied to a time, but constants that are stored in front of the first
//! loop of `main`. What reads a time is one of these, or the reduction is refused:
//!
//! - a copy to another time (assignment, parameter, result, choice of two times): it commutes with a shift;
//! - a sum of a time and a number that is no time, or a time less such a number, which is a time of the same width: both sides are shifted,
//!   also where they wrap around, because unsigned arithmetic is that of the ring modulo 2^w. What is narrower than `int` is
//!   promoted, so the result has to be converted back at once;
//! - a difference of two times of this width (converted back at once, again), or a comparison of two for being equal: a shift does not
//!   change the value;
//! - a call of a function of the library without effects on the program, whose result is not used.
//!
//! All else would read the number itself: an order (`now >= deadline`, which wraps around elsewhere after a shift), arithmetic, conversions
//! to another width, conditions, indices, bits, addresses, signed types, bit fields, unions, structures that something points to, thread-local
//! and atomic objects, propositions that name a time otherwise than in a difference. So each step of the program from a shifted state leads to
//! the shifted successor, with the same letters and choices: a shift is a bisimulation, and the quotient has the same words
//! (Clarke, Enders, Filkorn and Jha 1996). The representative of a state is its shift by minus the clock's value: stamps become ages. [`records`]
//! checks that each time of a state is recorded in it. Heads outside of `main` have frames of callers in their key, which are bytes as they
//! are; there states are identified by the times themselves, which is finer.
//!
//! The clock by which formulas measure, if it is this one, is not asked for its value: the monitor adds up by how much it goes on
//! ([`weave::heads::UnaskedClock`]).
//!
//! # Old stamps
//!
//! A stamp that is older than everything which its age is compared with is just old, as long as no run waits until the clock has
//! gone round (the regions of timed automata, Alur and Dill 1994): where the age of an old stamp is compared, the search lets the
//! result be that of an old one, or the other one, because the clock may have gone round since. So the graph has all runs of the
//! program, and a formula that holds in it holds. It may have more: such steps are marked, a violation counts only if no loop of it rests on
//! an old stamp, and if the program takes its steps when they are executed with times as they are. Where a clock of few bits goes round
//! before, all ages are visited. The numbers that ages are compared with are guessed from the program's constants; the search checks
//! each comparison, and where the guess was too small begins again with a greater one (`ba_x_told` in `templates/explicit/ages.c`).
//!
//! Where a difference is compared as a signed number, the age of a deadline is negative until it is over. Such ages are told apart; what is a
//! quarter of all times ahead or more is given up, for all ages. The age of an old stamp is represented by one between a quarter and the
//! half, which is positive also as a signed number: a step that advances the clock by a quarter is given up.

mod clocks;
mod known;
mod limits;
mod positions;
mod reads;
mod records;
mod spent;
mod times;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use cfront::access::is_pure;
use cfront::consteval::eval;
use cfront::span::{ExprId, ObjectId};
use cfront::stepped::SHIFTS;
use cfront::tree::{ExprKind, InitKind, Parent, Resolved, StmtKind, Storage, Tree};
use cfront::{Span, Unit};
use weave::heads::Heads;

use super::buried::arrays;
use super::poison::Insertions;
use crate::flows::called;
use crate::text::RECORDED;
use clocks::{clock, clock_of_formulas, CLOCK};
use known::{contains, place, Known, Place};
use limits::Limits;
use reads::{compared, Read};
use times::Times;

/// The most stamps, as in `templates/explicit/ages.c`.
const STAMPS: usize = 64;

/// How the search identifies states with times in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ages {
    /// By the times as they are.
    #[default]
    Times,
    /// By the ages of stamps.
    Exact,
    /// By the ages of stamps that are not old, which are integers of this width in bits.
    Limited(u32),
}

/// What follows the times of a program.
#[derive(Clone, Debug, Default)]
pub(super) struct Followed {
    /// How states may be identified.
    pub ages: Ages,
    /// The calls in its text.
    pub insertions: Insertions,
    width: u32,
    /// Whether ages are compared as signed numbers.
    deadlines: bool,
    initial: i128,
    shifting: Vec<usize>,
    /// The declarations of flags that say whether a time is spent.
    flags: String,
    /// C that returns 0 where constants may still be stored in times.
    passed: String,
}

impl Followed {
    /// What the calls need, in front of the text.
    pub fn declarations(&self) -> String {
        let calls = match self.ages {
            Ages::Times => "",
            _ => {
                "extern unsigned long long ba_x_clock;\nint ba_x_shifts(void);\nint ba_x_follows_times(void);\n\
                 void ba_x_moved(unsigned long long);\nvoid ba_x_limit(unsigned long long);\n\
                 void ba_x_limit_signed(long long);\nvoid ba_x_limit_left(unsigned long long);\nvoid ba_x_limit_left_signed(long long);\n\
                 unsigned long long ba_x_settled(unsigned long long, unsigned long long);\nint ba_x_told(int);\n\
                 unsigned long long ba_x_age(unsigned long long, unsigned long long);\n\
                 unsigned long long ba_x_left(unsigned long long, unsigned long long);\n"
            }
        };
        calls.to_owned() + &self.flags
    }

    /// What tells, in the text, whether times may be shifted there.
    pub fn tells(&self) -> String {
        format!(
            "\nint ba_x_constants_passed(void) {{ {}return 1; }}\n",
            self.passed
        )
    }

    /// The clock, and the heads at which states are identified by ages: at others, frames of callers are parts of the state.
    pub fn definitions(&self) -> String {
        let cases: String = self
            .shifting
            .iter()
            .map(|s| format!("case {s}: "))
            .collect();
        let cases = match cases.is_empty() {
            true => cases,
            false => cases + "return ba_x_constants_passed(); ",
        };
        // They are a part of each state, which is copied again and again.
        let stamps = if self.width == 0 { 1 } else { STAMPS };
        format!(
            "unsigned long long ba_x_clock = {}ULL;\nstruct {{ unsigned long long stamp, limit; }} ba_x_olds[{stamps}];\nunsigned ba_x_old_count;\nconst unsigned ba_x_width = {};\nconst int ba_x_deadlines = {};\n\
             int ba_x_constants_passed(void);\nint ba_x_shifts_at(unsigned at) {{ switch (at) {{ {cases}default: return 0; }} }}\n",
            self.initial, self.width, i32::from(self.deadlines)
        )
    }
}

/// Finds the times of a program, if there are any. `quiet` tells which functions of the library have no effect.
pub(super) fn followed(unit: &Unit, heads: &Heads, quiet: &dyn Fn(&str) -> bool) -> Followed {
    let tree = &unit.tree;
    let unasked = heads.own.clock.as_ref();
    let skipped = |name: &str| {
        name.starts_with(SHIFTS)
            || unasked.is_some_and(|of| {
                name == of.evaluation || matches!(name, "ba_clock_now" | "ba_elapse")
            })
    };
    let elsewhere = heads.heads.iter().any(|h| h.function != "main");
    let known = Known::of(unit, &skipped, quiet, elsewhere);
    let found = known.candidates().into_iter().find_map(|seed| {
        let times = Times::of(&known, seed).ok()?;
        let asked = clock_of_formulas(tree).filter(|o| times.places.contains(&Place::Object(*o)));
        let clock = asked.or_else(|| clock(&times))?;
        records::are_recorded(&times, clock, &heads.own.ignored).then_some(())?;
        let buriable = arrays(unit);
        let mut buriable = buriable.iter().map(|array| array.object);
        buriable
            .all(|object| !times.are_in(object))
            .then_some((times, clock))
    });
    let Some((times, clock)) = found else {
        return Followed::default();
    };
    Text {
        tree,
        source: unit.text(),
        times: &times,
        spent: spent::spent(&times),
        clock,
        letter: unasked.map(|of| of.letter.as_str()),
        out: Followed {
            ages: Ages::Exact,
            width: times.bits,
            shifting: heads
                .heads
                .iter()
                .filter(|h| h.function == "main")
                .map(|h| h.site)
                .collect(),
            ..Followed::default()
        },
    }
    .written()
}

/// The texts that follow the times.
struct Text<'t> {
    tree: &'t Tree,
    source: &'t str,
    times: &'t Times<'t, 't>,
    /// The times that are spent somewhere.
    spent: BTreeSet<ObjectId>,
    clock: ObjectId,
    /// The clock's value as a proposition, which no formula has.
    letter: Option<&'t str>,
    out: Followed,
}

impl Text<'_> {
    fn written(mut self) -> Followed {
        let object = &self.tree.objects[self.clock];
        self.out.initial = match object.init.map(|init| &self.tree.inits[init].kind) {
            None => 0,
            Some(InitKind::Expr(e)) => match eval(self.tree, *e) {
                Some(value) => value & ((1i128 << self.times.bits) - 1),
                None => return Followed::default(),
            },
            Some(InitKind::List(_)) => return Followed::default(),
        };
        self.flag_spent();
        self.out.passed = self
            .times
            .known
            .positions
            .passed(self.tree, &self.times.constants);
        self.moves();
        let limits = self.limited();
        self.records(limits.as_ref());
        if limits.is_some() {
            self.out.ages = Ages::Limited(self.times.bits);
        }
        let shifts = self.shifts();
        if limits.is_none() && !shifts.is_empty() {
            // Counters without limits are as few that way, and nothing has to follow them.
            return Followed::default();
        }
        for body in shifts {
            let guard = " if (ba_x_follows_times()) return;";
            self.out.insertions.around(body, true, "", guard);
        }
        self.out
    }

    /// Where the bodies begin of the functions of the step form that shift times.
    fn shifts(&self) -> Vec<Span> {
        let tree = self.tree;
        let functions = tree.functions.iter();
        let shifts = functions.filter(|(id, f)| {
            let known = self.times.known;
            let mut places = self.times.places.iter();
            f.name.starts_with(SHIFTS)
                && places.any(|place| {
                    let mut occurrences = known.occurrences.get(place).into_iter().flatten();
                    occurrences.any(|e| tree.function_of(Parent::Expr(*e)) == Some(*id))
                })
        });
        let bodies = shifts.filter_map(|(_, f)| f.body.as_ref());
        let blocks = bodies.filter_map(|body| match tree.stmts[body.block].kind {
            StmtKind::Compound { open, .. } => Some(Span::new(open, open + 1)),
            _ => None,
        });
        blocks.collect()
    }

    /// The C type of times.
    fn ty(&self) -> &'static str {
        match self.times.bits {
            8 => "unsigned char",
            16 => "unsigned short",
            32 => "unsigned",
            _ => "unsigned long long",
        }
    }

    /// Tells each write of the clock.
    fn moves(&mut self) {
        let clock = Some(Place::Object(self.clock));
        for (_, e) in self.tree.exprs.iter().filter(|(_, e)| !e.unevaluated) {
            let lvalue = match e.kind {
                ExprKind::IncDec { operand, .. } => operand,
                ExprKind::Assign { lhs, .. } => lhs,
                _ => continue,
            };
            if place(self.tree, lvalue) != clock {
                continue;
            }
            let name = &self.tree.objects[self.clock].name;
            let after = format!("); ba_x_moved({name}); ba_x_r; }}))");
            self.out.insertions.around(
                e.bare,
                true,
                "(__extension__ ({ __auto_type ba_x_r = (",
                &after,
            );
        }
    }

    /// Records ages in the place of times. A stamp whose age nothing reads is old at once.
    fn records(&mut self, limits: Option<&BTreeMap<Place, i128>>) {
        let ty = self.ty();
        for &(init, lvalue) in &self.times.recorded {
            let text = self.tree.exprs[lvalue].span.of(self.source);
            let mut before = String::new();
            if place(self.tree, lvalue) == Some(Place::Object(self.clock)) {
                before.push_str("ba_x_shifts() ? 0 : (");
            } else {
                let age = format!("({ty})(ba_x_clock - {text})");
                let of = place(self.tree, lvalue);
                let limit = limits.zip(of).and_then(|(all, of)| all.get(&of));
                let limit = limit.copied().unwrap_or(0);
                let spent = of.and_then(|of| self.spent_flag(of));
                let spent = spent.map_or(String::new(), |flag| {
                    format!("ba_x_shifts() && {flag} ? 0 : ")
                });
                let _ = write!(
                    before,
                    "{spent}({text} = ({ty})(ba_x_clock - ba_x_settled({age}, {limit}ULL)), ba_x_shifts()) ? {age} : ("
                );
            }
            let span = self.tree.inits[init].span;
            self.out.insertions.around(span, true, &before, ")");
        }
        // Wherever a state is, these depend on the clock alone.
        if clock_of_formulas(self.tree) != Some(self.clock) {
            return;
        }
        let letter = self.letter.unwrap_or_default();
        for span in [self.records_of(CLOCK), self.records_of(letter)].concat() {
            let before = "ba_x_shifts() ? 0 : (";
            self.out.insertions.around(span, true, before, ")");
        }
        for span in self.values_of(letter) {
            self.out.insertions.around(span, true, "0 & (", ")");
        }
    }

    /// What is reported as the value of a proposition in a letter.
    fn values_of(&self, name: &str) -> Vec<Span> {
        let tree = self.tree;
        let value = |e: &cfront::tree::Expr| match &e.kind {
            ExprKind::Call { callee, args, .. } => {
                let f = called(tree, *callee)?;
                let arg = *args
                    .first()
                    .filter(|_| tree.functions[f].name == "ba_x_value")?;
                match tree.exprs[tree.uncast(arg)].kind {
                    ExprKind::Ident(Resolved::Object(o)) if tree.objects[o].name == name => {
                        Some(tree.exprs[arg].span)
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        tree.exprs.iter().filter_map(|(_, e)| value(e)).collect()
    }

    /// The initializers that record a variable of the weaver.
    fn records_of(&self, name: &str) -> Vec<Span> {
        let tree = self.tree;
        let records = tree.objects.iter().filter(|(_, o)| o.name == RECORDED);
        let inits = records.filter_map(|(_, o)| Some(&tree.inits[o.init?]));
        let of = |e: ExprId| match tree.exprs[tree.uncast(e)].kind {
            ExprKind::Ident(Resolved::Object(o)) => tree.objects[o].name == name,
            _ => false,
        };
        inits
            .filter(|init| matches!(init.kind, InitKind::Expr(e) if of(e)))
            .map(|init| init.span)
            .collect()
    }

    /// Lets stamps be old that are older than what their ages are compared with: nothing if ages are used otherwise.
    fn limited(&mut self) -> Option<BTreeMap<Place, i128>> {
        if self.times.compares || !self.keeps_stamps() {
            return None;
        }
        let mut reads = Vec::new();
        for &difference in &self.times.differences {
            reads.push(self.compared(difference)?);
        }
        let limits = Limits::new(self.tree).of_stamps(self.times, &reads)?;
        let greatest = limits.values().copied().max().unwrap_or(0);
        (greatest < 1i128 << (self.times.bits - 2)).then_some(())?;
        for read in &reads {
            self.read(read);
            let bare = self.tree.exprs[read.comparison].bare;
            self.out.insertions.around(bare, true, "ba_x_told(", ")");
            let span = self.tree.exprs[read.with].span;
            let before = "(__extension__ ({ __auto_type ba_x_k = (";
            let (name, ty) = match (read.is_left, read.is_signed) {
                (false, false) => ("limit", "unsigned long long"),
                (false, true) => ("limit_signed", "long long"),
                (true, false) => ("limit_left", "unsigned long long"),
                (true, true) => ("limit_left_signed", "long long"),
            };
            let after = format!("); ba_x_{name}(({ty})ba_x_k); ba_x_k; }}))");
            self.out.insertions.around(span, true, before, &after);
        }
        self.out.deadlines = reads.iter().any(|read| read.is_signed || read.is_left);
        Some(limits)
    }

    /// The comparison in which an age is read; nothing if it is read otherwise.
    fn compared(&self, difference: ExprId) -> Option<Read> {
        let tree = self.tree;
        let ExprKind::Binary(_, first, second) = tree.exprs[difference].kind else {
            return None;
        };
        let (comparison, of, is_signed) = compared(tree, difference, self.times.bits)?;
        let ExprKind::Binary(_, a, b) = tree.exprs[comparison].kind else {
            return None;
        };
        let with = if a == of { b } else { a };
        (is_pure(tree, with) && !self.has_times(with)).then_some(())?;
        let is_left = !self.is_clock(first) && self.is_clock(second);
        Some(Read {
            difference,
            stamp: if is_left { first } else { second },
            is_left,
            comparison,
            with,
            is_signed,
        })
    }

    /// Whether an expression has a time in it: then its value may be an age, too.
    fn has_times(&self, e: ExprId) -> bool {
        let here = self.times.times.contains(&e);
        let mut inner = self.tree.children(e).into_iter();
        here || inner.any(|e| self.has_times(e))
    }

    /// Whether numbers are added to nothing but the clock: an old stamp is recognised by its value until it is taken again.
    fn keeps_stamps(&self) -> bool {
        let tree = self.tree;
        let mut times = self.times.times.iter();
        times.all(|e| match tree.exprs[*e].kind {
            ExprKind::Binary(_, a, b) => [a, b]
                .into_iter()
                .all(|operand| !self.times.times.contains(&operand) || self.is_clock(operand)),
            ExprKind::IncDec { operand, .. } => self.is_clock(operand),
            ExprKind::Assign {
                op: Some(_), lhs, ..
            } => self.is_clock(lhs),
            _ => true,
        })
    }

    /// Whether an expression is the clock, or a copy of it that no state has.
    fn is_clock(&self, of: ExprId) -> bool {
        let tree = self.tree;
        let clock = Place::Object(self.clock);
        match place(tree, tree.uncast(of)) {
            Some(place) if place == clock => true,
            Some(Place::Object(o)) => {
                let object = &tree.objects[o];
                let init = object.init.map(|init| &tree.inits[init].kind);
                let of_clock = matches!(init, Some(InitKind::Expr(e)) if place(tree, tree.uncast(*e)) == Some(clock));
                let local = object.storage == Storage::Local && of_clock;
                let mut recorded = self.times.recorded.iter();
                local
                    && recorded.all(|(_, e)| place(tree, *e) != Some(Place::Object(o)))
                    && !self.is_assigned(o)
            }
            _ => false,
        }
    }

    /// Whether a variable gets another value than its first one and sums.
    fn is_assigned(&self, o: ObjectId) -> bool {
        let mut all = self.tree.exprs.iter();
        all.any(|(_, e)| match e.kind {
            ExprKind::Assign { op: None, lhs, .. } => {
                place(self.tree, lhs) == Some(Place::Object(o))
            }
            _ => false,
        })
    }

    /// Follows where an age is read.
    fn read(&mut self, read: &Read) {
        let ExprKind::Binary(_, first, _) = self.tree.exprs[read.difference].kind else {
            return;
        };
        let name = if read.is_left { "left" } else { "age" };
        let ty = self.ty();
        let of = crate::kinds::integer(self.tree, self.tree.exprs[read.difference].ty);
        let own = match of {
            Some((bits, false)) if bits == self.times.bits => ty,
            _ => "int",
        };
        let bare = self.tree.exprs[read.difference].bare;
        let before = "(__extension__ ({ __auto_type ba_x_m = (";
        let after = format!("), ({ty})(ba_x_m - ba_x_clock)); }}))");
        self.out.insertions.around(bare, false, before, &after);
        let first = self.tree.exprs[first].span;
        let behind = format!("); ({own})ba_x_{name}(({ty})(ba_x_m");
        self.out.insertions.around(first, true, "", &behind);
    }
}

impl Times<'_, '_> {
    /// Whether an object is a time, or has one in it.
    fn are_in(&self, object: ObjectId) -> bool {
        self.places.iter().any(|place| match place {
            Place::Object(o) => *o == object,
            Place::Member(record, _) => contains(
                self.known.tree,
                self.known.tree.objects[object].ty,
                *record,
                0,
            ),
        })
    }
}
