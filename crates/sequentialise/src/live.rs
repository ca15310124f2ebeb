//! Live variables of a thread at each position.
//!
//! The analysis works on the C texts of operations. A text that mentions a variable reads it,
//! unless the text has no branches and mentions the variable only once, as the target of an
//! assignment. Variable names are unique, so comparing identifiers suffices.

mod unread;

use std::collections::{BTreeMap, BTreeSet};

pub(crate) use unread::unread;

use crate::code::{Action, Label, Op, ThreadCode};
use crate::positions::{Item, Placed};

type Set = BTreeSet<usize>;

/// Which variables of a thread are live where.
#[derive(Debug)]
pub(crate) struct Live {
    /// For each position, the thread's variables (by index) whose values may be read later.
    pub at: Vec<Set>,
    /// The items that give a variable any value which nothing reads: it is assigned first on every path.
    pub needless: BTreeSet<usize>,
}

/// The live variables of a thread.
pub(crate) fn live(thread: &ThreadCode, placed: &Placed) -> Live {
    let Mentions(numbers) = Mentions::of(thread);
    let through = Through::new(thread, placed, &numbers);
    let mut always = pointed(thread, &numbers);
    always.retain(|v| !through.reached.contains(v));
    let walk = Walk {
        placed,
        numbers: &numbers,
        through: &through,
        always: &always,
        arrays: None,
    };
    walk.fixpoint()
}

/// Variables whose address is taken, and arrays.
fn pointed(thread: &ThreadCode, numbers: &Numbers) -> Set {
    let mut found = Set::new();
    for text in thread.ops.iter().flat_map(|op| texts(&op.action)) {
        for mention in mentions(text, numbers) {
            let declared = &thread.variables[mention.variable].declaration;
            let given = given(text, numbers) == Some(mention.variable);
            if (mention.is_address() && !given) || declared.contains('[') {
                found.insert(mention.variable);
            }
        }
    }
    found
}

/// A walk backwards over a thread.
struct Walk<'a, 'p> {
    placed: &'a Placed<'p>,
    numbers: &'a Numbers<'a>,
    through: &'a Through,
    always: &'a Set,
    /// The arrays, if it is only guessed where they are read.
    arrays: Option<&'a unread::Arrays>,
}

impl Walk<'_, '_> {
    /// What is live where, as soon as the heads of loops have all that their ends need.
    fn fixpoint(&self) -> Live {
        let mut heads: BTreeMap<Label, Set> = BTreeMap::new();
        loop {
            let (live, now) = self.backwards(&heads);
            if now == heads {
                return live;
            }
            heads = now;
        }
    }

    fn backwards(&self, heads: &BTreeMap<Label, Set>) -> (Live, BTreeMap<Label, Set>) {
        let mut live = Live {
            at: Vec::new(),
            needless: BTreeSet::new(),
        };
        let mut now = Set::new();
        let mut labels: BTreeMap<Label, Set> = BTreeMap::new();
        let mut found = BTreeMap::new();
        for (index, item) in self.placed.items.iter().enumerate().rev() {
            let op = match item {
                Item::Position(stop) => {
                    let can = stop.waits.iter().map(|(can, _)| can);
                    for condition in can.chain(&stop.must) {
                        now.extend(self.read(index, condition));
                    }
                    live.at.push(&now | self.always);
                    continue;
                }
                Item::Op(op) => op,
            };
            match &op.action {
                Action::Label(label) => drop(labels.insert(*label, now.clone())),
                Action::Head(label) => drop(found.insert(*label, now.clone())),
                Action::Back(label) => now = heads.get(label).cloned().unwrap_or_default(),
                Action::Stop => now.clear(),
                Action::Jump { condition, to } => {
                    let there = labels.get(to).cloned().unwrap_or_default();
                    match condition {
                        None => now = there,
                        Some(condition) => {
                            now.extend(there);
                            if let Some(array) = self.filled(condition) {
                                now.remove(&array);
                            }
                            now.extend(self.read(index, condition));
                        }
                    }
                }
                Action::Cut(text) => now = self.read(index, text),
                Action::Check { holds, .. } => now.extend(self.read(index, holds)),
                Action::Text(text) => {
                    if let Some(variable) =
                        op.undefines.as_deref().and_then(|v| self.numbers.get(v))
                    {
                        if !now.contains(variable) && !self.always.contains(variable) {
                            live.needless.insert(index);
                        }
                        if self.arrays.is_some() {
                            now.remove(variable);
                            continue;
                        }
                    }
                    let assigned = self.assigned(index, text).filter(|_| op.guard.is_none());
                    match assigned {
                        Some((variable, read)) => {
                            now.remove(&variable);
                            now.extend(read);
                        }
                        None => now.extend(self.read(index, text)),
                    }
                }
                _ => {}
            }
        }
        live.at.reverse();
        (live, found)
    }

    /// The variables that the text of an item mentions, and those that it reaches through pointers.
    fn read(&self, index: usize, text: &str) -> Set {
        if let Some(arrays) = self.arrays {
            return arrays.read(text, self.numbers);
        }
        let mut read = Set::new();
        for mention in mentions(text, self.numbers) {
            if !self.through.reached.contains(&mention.variable) || !mention.is_address() {
                read.insert(mention.variable);
            }
            if mention.is_target() {
                read.extend(self.through.targets(index, mention.variable));
            }
        }
        read
    }

    /// The array that a text fills, if that is asked.
    fn filled(&self, text: &str) -> Option<usize> {
        self.arrays?.filled(text, self.numbers)
    }

    /// The variable that the text of an item assigns as a whole, and what it reads for that.
    fn assigned(&self, index: usize, text: &str) -> Option<(usize, Set)> {
        let mut read = self.read(index, text);
        if let Some(array) = self.filled(text) {
            return Some((array, read));
        }
        if let Some(given) = given(text, self.numbers) {
            read.remove(&given);
            return Some((given, read));
        }
        for mention in mentions(text, self.numbers) {
            if assigns(&mention) {
                read.remove(&mention.variable);
                return Some((mention.variable, read));
            }
            if let Some(to) = self.through.only(index, mention.variable) {
                if assigns_through(&mention) && !names(text, to, self.numbers) {
                    read.remove(&to);
                    return Some((to, read));
                }
            }
        }
        None
    }
}

/// Pointers that serve only to reach one scalar variable, as parameters do through which a function gives a
/// result: every mention is `p = &v` or `*p`. Where such a pointer surely points to a variable, `*p = …`
/// assigns it.
#[derive(Debug, Default)]
struct Through {
    /// The variables whose address only such pointers have.
    reached: Set,
    /// For each such pointer, all that it may point to.
    all: BTreeMap<usize, Set>,
    /// What pointers surely point to at an item.
    surely: BTreeMap<usize, BTreeMap<usize, usize>>,
}

impl Through {
    fn new(thread: &ThreadCode, placed: &Placed, numbers: &Numbers) -> Through {
        let mut all: BTreeMap<usize, Set> = BTreeMap::new();
        let mut lost = Set::new();
        let mut plain = Set::new();
        let conditions = placed.stops().flat_map(|stop| {
            let can = stop.waits.iter().map(|(can, _)| can);
            can.chain(&stop.must).map(String::as_str)
        });
        let ops = thread.ops.iter().flat_map(|op| texts(&op.action));
        for text in ops.chain(conditions) {
            if let Some((pointer, variable)) = points(text, numbers) {
                all.entry(pointer).or_default().insert(variable);
                continue;
            }
            let given = given(text, numbers);
            for mention in mentions(text, numbers) {
                if mention.is_address() && given != Some(mention.variable) {
                    lost.insert(mention.variable);
                }
                if !mention.is_target() {
                    plain.insert(mention.variable);
                }
            }
        }
        // A pointer that is used in another way may give the address to anybody.
        all.retain(|pointer, variables| {
            let only = !plain.contains(pointer) && !lost.contains(pointer);
            if !only {
                lost.extend(variables.iter().copied());
            }
            only
        });
        for variable in all.values().flatten() {
            if thread.variables[*variable].declaration.contains('[') {
                lost.insert(*variable);
            }
        }
        let reached = all.values().flatten().copied();
        let mut through = Through {
            reached: reached.filter(|v| !lost.contains(v)).collect(),
            all,
            surely: BTreeMap::new(),
        };
        through.follow(placed, numbers);
        through
    }

    /// Finds what the pointers surely point to.
    fn follow(&mut self, placed: &Placed, numbers: &Numbers) {
        type Known = BTreeMap<usize, usize>;
        let mut now: Option<Known> = Some(Known::new());
        let mut pending: BTreeMap<Label, Known> = BTreeMap::new();
        let meet = |a: Known, b: &Known| -> Known {
            let same = |(p, v): &(usize, usize)| b.get(p) == Some(v);
            a.into_iter().filter(same).collect()
        };
        for (index, item) in placed.items.iter().enumerate() {
            let Item::Op(op) = item else { continue };
            match &op.action {
                Action::Label(label) => {
                    now = match (now.take(), pending.remove(label)) {
                        (Some(a), Some(b)) => Some(meet(a, &b)),
                        (a, b) => a.or(b),
                    };
                }
                // Jumps back come from anywhere behind.
                Action::Head(_) => now = Some(Known::new()),
                Action::Back(_) | Action::Stop | Action::Cut(_) => now = None,
                Action::Jump { condition, to } => {
                    let known = now.clone().unwrap_or_default();
                    let there = pending.remove(to);
                    let met = there.map_or(known.clone(), |there| meet(there, &known));
                    pending.insert(*to, met);
                    if condition.is_none() {
                        now = None;
                    }
                }
                Action::Text(text) => {
                    let Some(known) = &mut now else { continue };
                    if let Some((pointer, variable)) = points(text, numbers) {
                        known.insert(pointer, variable);
                    } else if !known.is_empty() {
                        self.surely.insert(index, known.clone());
                    }
                }
                _ => {}
            }
        }
    }

    /// What a pointer may point to at an item.
    fn targets(&self, index: usize, pointer: usize) -> Set {
        match self.only(index, pointer) {
            Some(variable) => Set::from([variable]),
            None => self.all.get(&pointer).cloned().unwrap_or_default(),
        }
    }

    /// What a pointer surely points to at an item.
    fn only(&self, index: usize, pointer: usize) -> Option<usize> {
        self.all.get(&pointer)?;
        self.surely.get(&index)?.get(&pointer).copied()
    }
}

/// The pointer and the variable of `p = &v;`.
fn points(text: &str, numbers: &Numbers) -> Option<(usize, usize)> {
    let mut all = mentions(text, numbers);
    let (pointer, variable) = (all.next()?, all.next()?);
    let bare: String = text
        .chars()
        .filter(|c| !c.is_whitespace() && !"()".contains(*c))
        .collect();
    let whole = format!("{}=&{};", pointer.word(), variable.word());
    (all.next().is_none() && bare == whole).then_some((pointer.variable, variable.variable))
}

/// The variable to which a call of a library function gives a value, and whose address nobody keeps:
/// `__atomic_load(p, &v, order);`.
fn given(text: &str, numbers: &Numbers) -> Option<usize> {
    let call = text.trim().strip_suffix(");")?;
    let (name, arguments) = call.split_once('(')?;
    let place = cfront::library::with_arguments(name.trim())?.gives?;
    // Commas in brackets leave parts that are no address.
    let argument = arguments
        .split(',')
        .nth(place)?
        .trim()
        .strip_prefix('&')?
        .trim();
    let variable = *numbers.get(argument)?;
    let once = mentions(arguments, numbers)
        .filter(|m| m.variable == variable)
        .count()
        == 1;
    (once && is_straight(text)).then_some(variable)
}

fn texts(action: &Action) -> impl Iterator<Item = &str> {
    let text = match action {
        Action::Text(text) | Action::Cut(text) => Some(text.as_str()),
        Action::Jump { condition, .. } => condition.as_deref(),
        Action::Stand { can: text, .. } | Action::Check { holds: text, .. } => Some(text.as_str()),
        _ => None,
    };
    text.into_iter()
}

type Numbers<'a> = BTreeMap<&'a str, usize>;

/// The variables of a thread by their names.
pub(crate) struct Mentions<'a>(Numbers<'a>);

impl<'a> Mentions<'a> {
    /// Those of a thread.
    pub fn of(thread: &'a ThreadCode) -> Mentions<'a> {
        let names = thread.variables.iter().enumerate();
        Mentions(names.map(|(n, v)| (v.name.as_str(), n)).collect())
    }

    /// The variables that an operation mentions, by their indices.
    pub fn of_op(&self, op: &Op) -> BTreeSet<usize> {
        let all = texts(&op.action).flat_map(|text| mentions(text, &self.0));
        all.map(|m| m.variable).collect()
    }
}

/// A mention of a variable in a text.
struct Mention<'a> {
    text: &'a str,
    from: usize,
    to: usize,
    variable: usize,
}

impl<'a> Mention<'a> {
    fn word(&self) -> &'a str {
        &self.text[self.from..self.to]
    }

    /// The text before it, without opening parentheses.
    fn before(&self) -> &'a str {
        self.text[..self.from].trim_end_matches([' ', '('])
    }

    /// Whether its address is taken.
    fn is_address(&self) -> bool {
        let front = self.before();
        // `&p->x` is an address in what a pointer leads to.
        let leads = self.text[self.to..].trim_start().starts_with("->");
        front.ends_with('&') && !front.ends_with("&&") && !leads
    }

    /// Whether it is the operand of `*`, and nothing else happens to it. A product has no pointer.
    fn is_target(&self) -> bool {
        let after = self.text[self.to..].trim_start();
        let other = ["++", "--", "[", "->", "."];
        let front = self.before().strip_suffix('*');
        let front = front.map(|front| front.trim_end_matches([' ', '(']));
        front.is_some_and(|front| !front.ends_with('&'))
            && !other.iter().any(|o| after.starts_with(o))
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    parts.filter(|w| !w.is_empty())
}

fn mentions<'a>(text: &'a str, numbers: &'a Numbers) -> impl Iterator<Item = Mention<'a>> {
    words(text).filter_map(move |word| {
        let from = word.as_ptr() as usize - text.as_ptr() as usize;
        // Only the type counts there.
        let variable = numbers.get(word).filter(|_| !is_typed(&text[..from]));
        variable.map(|&variable| Mention {
            text,
            from,
            to: from + word.len(),
            variable,
        })
    })
}

/// Whether a text ends where a type is given by an expression.
fn is_typed(before: &str) -> bool {
    let front = before.trim_end().strip_suffix('(');
    front.is_some_and(|front| front.trim_end().ends_with("__typeof__"))
}

/// Whether a text mentions a variable.
fn names(text: &str, variable: usize, numbers: &Numbers) -> bool {
    mentions(text, numbers).any(|m| m.variable == variable)
}

/// Whether a text is executed as a whole, without branches.
fn is_straight(text: &str) -> bool {
    let branches = ["if", "for", "while", "do", "switch", "goto"];
    let parts = ["&&", "||", "?", "\"", "'"];
    !words(text).any(|w| branches.contains(&w)) && !parts.iter().any(|p| text.contains(p))
}

/// Whether a text is mentioned once, and what stands around it makes it the target of an assignment.
fn is_assigned(mention: &Mention, before: &str) -> bool {
    let text = mention.text;
    let once = words(text).filter(|w| *w == mention.word()).count() == 1;
    let after = text[mention.to..].trim_start_matches([' ', ')']);
    let begins = before.is_empty() || before.ends_with([';', '{']);
    once && is_straight(text) && begins && after.starts_with('=') && !after.starts_with("==")
}

/// Whether a text surely assigns the whole variable of a mention and does not read it.
fn assigns(mention: &Mention) -> bool {
    let text = mention.text;
    let after = text[mention.to..].trim_start();
    after.starts_with('=') && is_assigned(mention, text[..mention.from].trim_end())
}

/// Whether a text surely assigns what the variable of a mention points to, and does not read it.
fn assigns_through(mention: &Mention) -> bool {
    let front = mention.before();
    let target = front
        .strip_suffix('*')
        .map(|f| f.trim_end_matches([' ', '(']));
    target.is_some_and(|target| is_assigned(mention, target))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_assignments_end_lives() {
        let numbers = BTreeMap::from([("x", 0), ("y", 1)]);
        let kills = |text| mentions(text, &numbers).any(|m| m.variable == 0 && assigns(&m));
        assert!(kills("x = y;"));
        assert!(kills("{ int v; x = v; }"));
        for text in [
            "x = x + 1;",
            "x == y;",
            "x += 1;",
            "if (y) x = 1;",
            "y ? x = 1 : 0;",
            "x[0] = 1;",
            "x.a = 1;",
            "*x = 1;",
            "y = x = 1;",
            "y && (x = 1);",
        ] {
            assert!(!kills(text), "{text}");
        }
    }

    #[test]
    fn types_of_variables_are_no_reads() {
        let numbers = BTreeMap::from([("x", 0), ("y", 1)]);
        let read = |text: &str| {
            mentions(text, &numbers)
                .map(|m| m.variable)
                .collect::<Vec<_>>()
        };
        assert_eq!(read("!(((__typeof__(x))y) & 1)"), [1]);
        assert_eq!(read("(__typeof__ (x))x"), [0]);
        assert_eq!(read("typeof_(x)"), [0]);
    }

    #[test]
    fn only_whole_assignments_through_a_pointer_end_lives() {
        let numbers = BTreeMap::from([("p", 0), ("y", 1)]);
        let kills = |text| mentions(text, &numbers).any(|m| m.variable == 0 && assigns_through(&m));
        assert!(kills("*p = y;"));
        assert!(kills("(*p) = buf[y % 4];"));
        for text in [
            "*p = *p + 1;",
            "*p += 1;",
            "if (y) *p = 1;",
            "p = y;",
            "y = *p;",
            "**p = 1;",
        ] {
            assert!(!kills(text), "{text}");
        }
        let target = |text| mentions(text, &numbers).all(|m| m.variable != 0 || m.is_target());
        assert!(target("y = *p;"));
        for text in ["y = p;", "f(&*p);", "*p++ = 1;", "p[0] = 1;", "p->x = 1;"] {
            assert!(!target(text), "{text}");
        }
    }

    #[test]
    fn a_pointer_that_only_reaches_a_variable_is_known() {
        let numbers = BTreeMap::from([("p", 0), ("v", 1)]);
        assert_eq!(points("p = &v;", &numbers), Some((0, 1)));
        assert_eq!(points("p = ( &v );", &numbers), Some((0, 1)));
        for text in ["p = &v + 1;", "p = v;", "f(p, &v);", "*p = &v;"] {
            assert_eq!(points(text, &numbers), None, "{text}");
        }
    }

    #[test]
    fn library_functions_give_values() {
        let numbers = BTreeMap::from([("p", 0), ("v", 1)]);
        assert_eq!(given("__atomic_load (p, &v, ( 0 ));", &numbers), Some(1));
        for text in [
            "__atomic_load(f(p, &v), &v, 0);",
            "__atomic_load(p, &v.x, 0);",
            "f(p, &v, 0);",
            "if (p) __atomic_load(p, &v, 0);",
        ] {
            assert_eq!(given(text, &numbers), None, "{text}");
        }
    }
}
