//! The functions that measure time and count letters for formulas: one that lets time pass where the clock is written,
//! and one that takes a letter.

use std::fmt::Write as _;

use ltl::timed::{Expression, Place};
use ltl::{AtomId, Id, Node};

use crate::bind::remembered::Remembered;
use crate::items::{Function, Item, Signature, Variable};
use crate::layout::instances::NATIVE_CHOICE;
use crate::layout::pre_reads;
use crate::layout::timers::{Numbers, CLOCK, PASSED};
use crate::layout::weaver::Weaver;

/// The step of all timers; the argument says whether the letter is the first one.
const STEP: &str = "void ba_timers(_Bool ba_first)";
/// What a write of the clock does.
const ELAPSE: &str = "void ba_elapse(void)";
/// The clock's value, as the timers remember it.
const NOW: &str = "unsigned long long ba_clock_now(void)";

impl Weaver<'_> {
    /// Declarations before the program.
    pub(crate) fn timer_prototypes(&self) -> Vec<Item> {
        if self.bound.timers.is_empty() {
            return Vec::new();
        }
        let ty = self.timer_type();
        let mut items: Vec<Item> = Vec::new();
        if self.bound.timers.clock.is_some() {
            let clock = Variable::unused(format!("unsigned long long {CLOCK}"));
            items.push(clock.remark("the clock when it was last written").into());
            let passed = Variable::unused(format!("{ty} {PASSED}"));
            items.push(passed.remark("the time since the last letter").into());
            items.push(Signature::unused(NOW).into());
            items.push(Signature::unused(ELAPSE).into());
        }
        for name in self.timer_memory() {
            items.push(Variable::unused(format!("{ty} {name}")).into());
        }
        for r in &self.bound.timers.remembered {
            let value = Variable::unused(format!("{} {}", r.ty, r.variable));
            let remark = &self.bound.propositions[r.proposition].name;
            items.push(value.remark(remark.clone()).into());
            items.push(Variable::unused(format!("_Bool {}", r.taken)).into());
        }
        if !self.bound.timers.remembered.is_empty() && self.followed().is_empty() {
            items.push(NATIVE_CHOICE.into());
        }
        items.push(Signature::unused(STEP).into());
        items
    }

    /// The functions after the program.
    pub(crate) fn timer_functions(&self) -> Vec<Item> {
        if self.bound.timers.is_empty() {
            return Vec::new();
        }
        let mut items: Vec<Item> = Vec::new();
        if let Some(clock) = self.bound.timers.clock {
            let clock = &self.layout.variables[clock].evaluation;
            let bits =
                format!("sizeof({clock}) >= 8 ? ~0ull : (1ull << 8 * (sizeof({clock}) & 7)) - 1");
            let body = format!("  return (unsigned long long)({clock}) & ({bits});\n");
            let now = Function::new(Signature::unused(NOW), body);
            items.push(now.for_reason("The clock.").into());
            let most = self.most_passed();
            let ty = self.timer_type();
            let body = format!(
                "  unsigned long long ba_now = ba_clock_now();\n  \
                 unsigned long long ba_difference = (ba_now - {CLOCK}) & ({bits});\n  \
                 if (0 > (__typeof__({clock}))-1 && ba_difference > ({bits}) / 2) ba_difference = 0;\n  \
                 {CLOCK} = ba_now;\n  \
                 {ty} ba_before = {PASSED};\n  \
                 {PASSED} = ba_difference > {most}u - ba_before ? {most}u : ba_before + ({ty})ba_difference;\n"
            );
            let elapse = Function::new(Signature::unused(ELAPSE), body);
            let why = "The clock was written: so much time has passed, beyond the longest bound no matter how much.";
            items.push(elapse.for_reason(why).into());
        }
        let step = Function::new(Signature::unused(STEP), self.timer_step());
        let why = "What formulas measure, at one more letter.";
        items.push(step.for_reason(why).into());
        items
    }

    fn timer_step(&self) -> String {
        let timers = &self.bound.timers;
        let ty = self.timer_type();
        let mut text = String::new();
        let memory = self.timer_memory();
        let mut first: String = memory.iter().map(|name| format!("{name} = 0; ")).collect();
        if timers.clock.is_some() {
            let _ = write!(first, "{PASSED} = 0; ");
        }
        for r in &timers.remembered {
            let _ = write!(first, "{} = 0; {} = 0; ", r.variable, r.taken);
        }
        let _ = writeln!(text, "  if (ba_first) {{ {first}}}");
        for (number, remembered) in timers.remembered.iter().enumerate() {
            text.push_str(&self.choice(number, remembered));
        }
        if timers.clock.is_some() {
            let _ = writeln!(text, "  {ty} ba_passing = {PASSED};\n  {PASSED} = 0;");
        }
        let known = timers.timers.iter().flat_map(|timer| &timer.outputs);
        let known: Vec<AtomId> = known.copied().collect();
        let read = timers.timers.iter().flat_map(|timer| timer.rule.operands());
        let mut read: Vec<AtomId> = read.flat_map(|id| timers.arena.atoms_of(id)).collect();
        read.sort_unstable();
        read.dedup();
        for atom in read.into_iter().filter(|atom| !known.contains(atom)) {
            if let Some(p) = timers.proposition(atom) {
                let letter = self.letter(&self.layout.variables[p]);
                let _ = writeln!(text, "  _Bool {} = {letter};", held(atom));
            }
        }
        let mut lost = Vec::new();
        for (timer, numbers) in timers.timers.iter().zip(self.timer_numbers()) {
            let machine = timer.machine();
            for at in 0..machine.memory.len() {
                let (kept, name) = (numbers.remembered(at), numbers.memory(at));
                let _ = writeln!(text, "  {ty} {kept} = {name};");
            }
            for atom in &timer.outputs {
                let _ = writeln!(text, "  _Bool {} = 0;", held(*atom));
            }
            for (place, expression) in &machine.step {
                let value = self.expression(expression, &numbers);
                let _ = match place {
                    Place::Local(at) => writeln!(text, "  {ty} {} = {value};", numbers.local(*at)),
                    Place::Memory(at) => writeln!(text, "  {} = {value};", numbers.remembered(*at)),
                    Place::Output(at) => {
                        writeln!(text, "  {} = {value};", held(timer.outputs[*at]))
                    }
                    Place::Lost => {
                        lost.push(value);
                        Ok(())
                    }
                };
            }
            for at in 0..machine.memory.len() {
                let (kept, name) = (numbers.remembered(at), numbers.memory(at));
                let _ = writeln!(text, "  {name} = {kept};");
            }
            for atom in &timer.outputs {
                match timers.proposition(*atom) {
                    Some(p) => {
                        let letter = self.letter(&self.layout.variables[p]);
                        let _ = writeln!(text, "  {letter} = {};", held(*atom));
                        let _ = writeln!(text, "  BA_SHOW({letter});");
                    }
                    None => {
                        let _ = writeln!(text, "  (void){};", held(*atom));
                    }
                }
            }
        }
        if !lost.is_empty() {
            let lost = lost.join(" || ");
            let _ = write!(
                text,
                "  _Bool ba_lost = {lost};\n#if BA_CHECK & 64\n  BA_ASSERT(!ba_lost, \"baproduct:internal:timers\");\n#endif\n  BA_ASSUME(!ba_lost);\n"
            );
        }
        text
    }

    fn expression(&self, e: &Expression, numbers: &Numbers) -> String {
        let of = |e: &Expression| self.expression(e, numbers);
        match e {
            Expression::Number(n) => format!("{n}u"),
            Expression::Value(Place::Memory(at)) => numbers.remembered(*at),
            Expression::Value(Place::Local(at)) => numbers.local(*at),
            // A machine reads no other place.
            Expression::Value(Place::Output(_) | Place::Lost) => "0u".into(),
            Expression::Passed => "ba_passing".into(),
            Expression::Holds(id) => self.holds(*id, &held),
            Expression::Sum(both) => format!("({} + {})", of(&both[0]), of(&both[1])),
            Expression::AtLeast(both) => format!("({} >= {})", of(&both[0]), of(&both[1])),
            Expression::And(both) => format!("({} && {})", of(&both[0]), of(&both[1])),
            Expression::Or(both) => format!("({} || {})", of(&both[0]), of(&both[1])),
            Expression::Not(one) => format!("!{}", of(one)),
            Expression::Choice(all) => {
                format!("({} ? {} : {})", of(&all[0]), of(&all[1]), of(&all[2]))
            }
        }
    }

    /// The choice of the letter at which a value is remembered. A native run takes the first that makes a difference, a
    /// replay the recorded one.
    fn choice(&self, number: usize, remembered: &Remembered) -> String {
        let timers = &self.bound.timers;
        let read = &self.layout.variables[remembered.read];
        let letter = |p: usize| self.letter(&self.layout.variables[p]);
        let of_letter = |atom| timers.proposition(atom).map_or("0u".into(), letter);
        let guard = self.holds(remembered.guard, &of_letter);
        let mut conditions = vec![format!("!{}", remembered.taken)];
        conditions.extend(read.condition.clone());
        // What other formulas remember makes no difference to those with this value.
        let others = timers
            .remembered
            .iter()
            .filter(|r| !self.share(r, remembered));
        conditions.extend(others.map(|r| format!("!{}", r.taken)));
        conditions.push(guard);
        let mut text = format!(
            "  _Bool ba_chosen{number} = {};\n#if BA_MODEL\n  if (ba_chosen{number}) ba_chosen{number} = nondet_ba_bool();\n#elif defined BA_NATIVE\n  static unsigned ba_asked{number};\n  if (ba_chosen{number}) ba_chosen{number} = ba_native_follows(ba_asked{number}++);\n#endif\n  if (ba_chosen{number}) {{\n",
            conditions.join(" && ")
        );
        text.push_str(&pre_reads::statements(&read.pre_reads));
        let _ = writeln!(
            text,
            "  {} = 1; {} = ({});\n  }}",
            remembered.taken, remembered.variable, read.evaluation
        );
        let chosen = letter(remembered.proposition);
        let _ = writeln!(
            text,
            "  {chosen} = ba_chosen{number};\n  BA_SHOW({chosen});"
        );
        for &p in &remembered.compared {
            let (value, variable) = (letter(p), &self.layout.variables[p]);
            let now = variable.evaluation_call().to_string();
            let _ = writeln!(
                text,
                "  if (ba_chosen{number}) {{ {value} = {now}; BA_SHOW({value}); }}"
            );
        }
        text
    }

    /// Whether some formula remembers both values.
    fn share(&self, one: &Remembered, other: &Remembered) -> bool {
        let formulas = |r: &Remembered| &self.bound.propositions[r.proposition].used_by;
        formulas(one).iter().any(|p| formulas(other).contains(p))
    }

    /// A propositional formula about this letter in C, with the values of its propositions.
    fn holds(&self, root: Id, value: &dyn Fn(AtomId) -> String) -> String {
        let arena = &self.bound.timers.arena;
        let mut known: std::collections::HashMap<Id, String> = std::collections::HashMap::new();
        for id in arena.postorder(root) {
            let node = arena.node(id);
            let joined = |all: &[Id], sign: &str| {
                let all: Vec<&str> = all.iter().map(|a| known[a].as_str()).collect();
                format!("({})", all.join(sign))
            };
            let text = match node {
                Node::True => "1u".into(),
                Node::Atom(atom) => value(*atom),
                Node::Not(a) => format!("!{}", known[a]),
                Node::And(all) if !all.is_empty() => joined(all, " && "),
                Node::Or(all) if !all.is_empty() => joined(all, " || "),
                Node::And(_) => "1u".into(),
                Node::Implies(a, b) => format!("(!{} || {})", known[a], known[b]),
                Node::Iff(a, b) => format!("(!{} == !{})", known[a], known[b]),
                // Operands of timers have no other operators.
                _ => "0u".into(),
            };
            known.insert(id, text);
        }
        known.remove(&root).unwrap_or_default()
    }
}

/// The local with the value of a proposition.
fn held(atom: AtomId) -> String {
    format!("ba_held{}", atom.0)
}
