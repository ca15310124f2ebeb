//! Random programs with two handlers, of the same or different priorities, on a processor that
//! accesses 8 bits at once or one that accesses words, against an explorer of
//! all interleavings that knows nothing of the tool: it executes lists of accesses of bytes.

use std::collections::{BTreeSet, HashSet};

use crate::support::{cbmc, Dir, NARROW};

/// The variables: bytes `a` and `b`, and `w` of 16 bits.
const NAMES: [&str; 3] = ["a", "b", "w"];

/// A statement.
#[derive(Clone, Copy, Debug)]
enum Statement {
    /// `x = constant`
    Set(usize, u16),
    /// `x += constant`
    Add(usize, u16),
    /// `x = y + z`
    Sum(usize, usize, usize),
    /// `if (x == constant) y = constant`
    If(usize, u16, usize, u16),
    Disable,
    Enable,
}

/// A step that nothing interrupts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Step {
    /// Adds a part of a variable to the accumulator: which bits.
    Load(usize, u16),
    Constant(u16),
    /// Stores a part of the accumulator, which stays.
    Store(usize, u16),
    Clear,
    /// Skips the next steps unless the accumulator has this value.
    Unless(u16, usize),
    Disable,
    Enable,
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    fn value(&mut self) -> u16 {
        [0, 1, 2, 255, 256][self.below(5) as usize]
    }

    fn statement(&mut self, masks: bool) -> Statement {
        let (x, y, z) = (
            self.below(3) as usize,
            self.below(3) as usize,
            self.below(3) as usize,
        );
        let (k, l) = (self.value(), self.value());
        match self.below(if masks { 10 } else { 8 }) {
            0 | 1 => Statement::Set(x, k),
            2..=4 => Statement::Add(x, 1 + k % 2),
            5 | 6 => Statement::Sum(x, y, z),
            7 => Statement::If(x, k, y, l),
            8 => Statement::Disable,
            _ => Statement::Enable,
        }
    }

    fn list(&mut self, most: u64, masks: bool) -> Vec<Statement> {
        (0..1 + self.below(most))
            .map(|_| self.statement(masks))
            .collect()
    }
}

fn text(statement: &Statement) -> String {
    let n = |x: usize| NAMES[x];
    match *statement {
        Statement::Set(x, k) => format!("{} = {k};", n(x)),
        Statement::Add(x, k) => format!("{} += {k};", n(x)),
        Statement::Sum(x, y, z) => format!("{} = {} + {};", n(x), n(y), n(z)),
        Statement::If(x, k, y, l) => format!("if ({} == {k}) {} = {l};", n(x), n(y)),
        Statement::Disable => "__disable_irq();".to_owned(),
        Statement::Enable => "__enable_irq();".to_owned(),
    }
}

/// The parts of a variable in both orders.
fn parts(x: usize, narrow: bool) -> Vec<Vec<u16>> {
    match x {
        2 if !narrow => vec![vec![0xffff]],
        2 => vec![vec![0xff, 0xff00], vec![0xff00, 0xff]],
        _ => vec![vec![0xff]],
    }
}

/// The ways in which the processor may execute a statement.
fn ways(statement: &Statement, narrow: bool) -> Vec<Vec<Step>> {
    let load = |x: usize| -> Vec<Vec<Step>> {
        let all = parts(x, narrow).into_iter();
        all.map(|p| p.into_iter().map(|part| Step::Load(x, part)).collect())
            .collect()
    };
    let store = |x: usize| -> Vec<Vec<Step>> {
        let all = parts(x, narrow).into_iter();
        all.map(|p| p.into_iter().map(|part| Step::Store(x, part)).collect())
            .collect()
    };
    let mut pieces: Vec<Vec<Vec<Step>>> = vec![vec![vec![Step::Clear]]];
    match *statement {
        Statement::Set(x, k) => pieces.extend([vec![vec![Step::Constant(k)]], store(x)]),
        Statement::Add(x, k) => pieces.extend([load(x), vec![vec![Step::Constant(k)]], store(x)]),
        Statement::Sum(x, y, z) => pieces.extend([load(y), load(z), store(x)]),
        Statement::If(x, k, y, l) => {
            let skip = 2 + parts(y, narrow)[0].len();
            pieces.extend([
                load(x),
                vec![vec![Step::Unless(k, skip), Step::Clear, Step::Constant(l)]],
                store(y),
            ]);
        }
        Statement::Disable => pieces.push(vec![vec![Step::Disable]]),
        Statement::Enable => pieces.push(vec![vec![Step::Enable]]),
    }
    let mut all = vec![Vec::new()];
    for piece in pieces {
        let longer = all.iter().flat_map(|way: &Vec<Step>| {
            piece
                .iter()
                .map(move |more| [way.as_slice(), more.as_slice()].concat())
        });
        all = longer.collect();
    }
    all
}

struct Handler {
    body: Vec<Statement>,
    priority: usize,
    at_most: usize,
}

struct Case {
    /// Whether the processor accesses single bytes.
    narrow: bool,
    main: Vec<Statement>,
    handlers: [Handler; 2],
}

/// What executes: the program, or a handler, and what it still has to do.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Frame {
    who: usize,
    /// The number of the next statement, and the steps of the one before it.
    next: usize,
    steps: Vec<Step>,
    accumulator: u16,
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct State {
    frames: Vec<Frame>,
    values: [u16; 3],
    came: [usize; 2],
    masked: bool,
}

impl Case {
    fn of(random: &mut Random) -> Case {
        let handler = |random: &mut Random, priority| Handler {
            body: random.list(2, false),
            priority,
            at_most: 1 + random.below(2) as usize,
        };
        let nested = 1 + random.below(4).min(1) as usize;
        Case {
            narrow: random.below(2) == 0,
            main: random.list(4, true),
            handlers: [handler(random, 1), handler(random, nested)],
        }
    }

    /// The program: at its end it keeps handlers off, and copies what there is.
    fn program(&self) -> String {
        let list = |body: &[Statement]| body.iter().map(text).collect::<Vec<_>>().join(" ");
        let [first, second] = &self.handlers;
        format!(
            "void __disable_irq(void); void __enable_irq(void);\nvolatile unsigned char a, b; volatile unsigned short w; unsigned char done, end_a, end_b; unsigned short end_w;\n\
             void h0(void) {{ {} }}\nvoid h1(void) {{ {} }}\n\
             int main(void) {{\n__enable_irq();\n{}\n__disable_irq(); end_a = a; end_b = b; end_w = w; done = 1; return 0; }}\n",
            list(&first.body), list(&second.body), list(&self.main)
        )
    }

    fn body(&self, who: usize) -> &[Statement] {
        match who {
            0 => &self.main,
            n => &self.handlers[n - 1].body,
        }
    }

    fn priority(&self, who: usize) -> usize {
        match who {
            0 => 0,
            n => self.handlers[n - 1].priority,
        }
    }

    /// The values at the ends of all runs.
    fn ends(&self) -> BTreeSet<[u16; 3]> {
        let begin = State {
            frames: vec![Frame {
                who: 0,
                next: 0,
                steps: Vec::new(),
                accumulator: 0,
            }],
            values: [0; 3],
            came: [0; 2],
            masked: false,
        };
        let (mut seen, mut open, mut ends) = (HashSet::new(), vec![begin], BTreeSet::new());
        while let Some(state) = open.pop() {
            if !seen.insert(state.clone()) {
                continue;
            }
            let Some(frame) = state.frames.last() else {
                continue;
            };
            for (number, handler) in self.handlers.iter().enumerate() {
                let comes = !state.masked
                    && handler.priority > self.priority(frame.who)
                    && state.came[number] < handler.at_most;
                if comes {
                    let mut next = state.clone();
                    next.came[number] += 1;
                    next.frames.push(Frame {
                        who: number + 1,
                        next: 0,
                        steps: Vec::new(),
                        accumulator: 0,
                    });
                    open.push(next);
                }
            }
            if frame.steps.is_empty() {
                match self.body(frame.who).get(frame.next) {
                    Some(statement) => {
                        open.extend(ways(statement, self.narrow).into_iter().map(|steps| {
                            let mut next = state.clone();
                            if let Some(top) = next.frames.last_mut() {
                                (top.next, top.steps) = (top.next + 1, steps);
                            }
                            next
                        }))
                    }
                    // The program keeps handlers off, and ends.
                    None if frame.who == 0 => {
                        ends.insert(state.values);
                    }
                    None => {
                        let mut next = state.clone();
                        next.frames.pop();
                        // As on AVR, the return lets handlers come.
                        next.masked = false;
                        open.push(next);
                    }
                }
                continue;
            }
            open.push(stepped(state));
        }
        ends
    }
}

/// The state after the next step of what executes.
fn stepped(mut state: State) -> State {
    let State {
        frames,
        values,
        masked,
        ..
    } = &mut state;
    let Some(top) = frames.last_mut() else {
        return state;
    };
    match top.steps.remove(0) {
        Step::Clear => top.accumulator = 0,
        Step::Constant(k) => top.accumulator = top.accumulator.wrapping_add(k),
        Step::Load(x, part) => top.accumulator = top.accumulator.wrapping_add(values[x] & part),
        Step::Store(x, part) => values[x] = (values[x] & !part) | (top.accumulator & part),
        Step::Unless(k, skip) => {
            if top.accumulator != k {
                top.steps.drain(..skip);
            }
        }
        Step::Disable => *masked = true,
        Step::Enable => *masked = false,
    }
    state
}

/// Asks about a value at the end that some run has, and about one that none has; `None` if an answer is missing.
fn agrees(case: &Case, random: &mut Random) -> Option<bool> {
    let ends: Vec<[u16; 3]> = case.ends().into_iter().collect();
    let reached = ends[random.below(ends.len() as u64) as usize];
    let missed = (0..50).find_map(|_| {
        let mut other = ends[random.below(ends.len() as u64) as usize];
        other[random.below(3) as usize] ^= [1, 2, 0x100][random.below(3) as usize];
        let fits = other[0] < 256 && other[1] < 256;
        (fits && !ends.contains(&other)).then_some(other)
    })?;
    let formula = |[a, b, w]: [u16; 3]| {
        format!("G {{!(done && end_a == {a} && end_b == {b} && end_w == {w}u)}}")
    };
    let [first, second] = &case.handlers;
    let spec = format!(
        r#"{{ "properties": [ {{ "name": "reached", "ltl": "{}" }}, {{ "name": "missed", "ltl": "{}" }} ],
             "interrupts": [ {{ "handler": "h0", "priority": {}, "at_most": {} }}, {{ "handler": "h1", "priority": {}, "at_most": {} }} ] }}"#,
        formula(reached),
        formula(missed),
        first.priority,
        first.at_most,
        second.priority,
        second.at_most
    );
    let dir = Dir::with(&[("p.c", &case.program()), ("spec.json", &spec)]);
    let cpp = if case.narrow { NARROW } else { "gcc -w" };
    let asked = ["--format", "json", "spec.json", "p.c"];
    let ran = dir.run(&[&["prove", "--cpp", cpp], &asked[..]].concat());
    let result: serde_json::Value = serde_json::from_str(&ran.stdout).ok()?;
    let all = result["properties"].as_array()?;
    let holds: Vec<&str> = all.iter().filter_map(|p| p["holds"].as_str()).collect();
    let wrong = holds.first() == Some(&"proved") || holds.get(1) == Some(&"refuted");
    if wrong {
        eprintln!(
            "{holds:?} {reached:?} {missed:?} narrow {}\n{}\n{spec}",
            case.narrow,
            case.program()
        );
        return Some(false);
    }
    (holds == ["refuted", "proved"]).then_some(true)
}

/// Compares so many cases; returns how many were decided.
fn compare(cases: u64, seed: u64) -> u64 {
    let mut random = Random(seed);
    let mut decided = 0;
    for number in 0..cases {
        let case = Case::of(&mut random);
        let agrees = agrees(&case, &mut random);
        assert_ne!(agrees, Some(false), "case {number} of {seed}");
        decided += u64::from(agrees == Some(true));
    }
    decided
}

#[test]
#[ignore = "minutes of processor time"]
fn random_programs_have_the_runs_of_the_explorer() {
    if !cbmc() {
        return;
    }
    assert!(compare(4, 41) > 0);
}

/// `BAPRODUCT_CASES=300 BAPRODUCT_SEED=7 cargo test -p baproduct --test all -- --ignored nested_interrupts`
#[test]
#[ignore = "a long comparison"]
fn many_random_programs_have_the_runs_of_the_explorer() {
    let number = |name: &str, default| {
        let given = std::env::var(name).ok().and_then(|n| n.parse().ok());
        given.unwrap_or(default)
    };
    let (cases, seed) = (number("BAPRODUCT_CASES", 100), number("BAPRODUCT_SEED", 7));
    let decided = compare(cases, seed);
    eprintln!("{decided} of {cases} decided");
}
