//! What a proof by induction needs of a woven program: the places where each cycle of its control flow is cut,
//! and the state there. The planner of lassos fills these types; the crate `induction` reads them.

use std::collections::BTreeSet;

/// What kind of scalar a part of the state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// `_Bool`
    Truth,
    /// An integer or enumeration: its width in bits, and whether it is signed.
    Integer(u32, bool),
    /// A floating-point number.
    Real,
    /// A pointer.
    Pointer,
}

impl Scalar {
    /// A C type that holds the values of this kind: for an integer or enumeration the integer type of its
    /// width. For other kinds the widest integer type, which is no more than a place to begin.
    pub fn integer_type(self) -> &'static str {
        match self {
            Scalar::Truth => "_Bool",
            Scalar::Integer(8, true) => "signed char",
            Scalar::Integer(8, false) => "unsigned char",
            Scalar::Integer(16, true) => "short",
            Scalar::Integer(16, false) => "unsigned short",
            Scalar::Integer(32, true) => "int",
            Scalar::Integer(32, false) => "unsigned",
            Scalar::Integer(_, true) => "long long",
            _ => "unsigned long long",
        }
    }
}

/// A scalar of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatePart {
    /// The lvalue in C, such as `x` or `s.a[2]`.
    pub lvalue: String,
    /// The object that the scalar is a part of, as C text; `number` tells locals of one name apart.
    pub object: String,
    /// The object's number in the program; `None` for the monitor's variables.
    pub number: Option<usize>,
    /// Its kind.
    pub scalar: Scalar,
    /// Where it may lead, if it is a pointer; none if that is not known.
    pub targets: Vec<Target>,
}

/// A value that a pointer may have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Target {
    /// The value in C: `0`, `&queue.items[2]`, the name of a function.
    pub text: String,
    /// The object's number in the program; `None` for others.
    pub object: Option<usize>,
    /// How many elements behind this one may also be meant, up to the end of the array.
    pub more: u64,
    /// Whether only the function that declares the object can name it.
    pub local: bool,
}

/// A place where a cycle is cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Its site in the record.
    pub site: usize,
    /// Its function.
    pub function: String,
    /// The cycle in bytes of the preprocessed text: the loop, or the span from the label to the jump.
    pub range: (usize, usize),
    /// The counters of jumps inside this cycle, which start again when this cycle goes round.
    pub inner: Vec<String>,
    /// The counter, if jumps make this loop: no statement of the program resets the counter on every way in.
    pub counter: Option<String>,
    /// Whether a jump from outside leads into the loop of this head.
    pub entered: bool,
    /// Whether the loop surely ends, and nothing that it does is left to the environment: the search of all states need not stop here.
    pub ends: bool,
    /// The relevant locals that are alive here.
    pub locals: Vec<StatePart>,
    /// Objects of static storage whose names mean something else here, or nothing yet.
    pub hidden: Vec<usize>,
    /// Why the state here cannot be described.
    pub obstacle: Option<String>,
}

/// How infinite runs of one property are judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    /// The property's name.
    pub name: String,
    /// The variable of the Büchi automaton's state, and the number of its states; `None` if the monitor gives ⊥
    /// to some prefix of every violation.
    pub run: Option<(String, usize)>,
    /// The variable that remembers an accepting state.
    pub met: String,
    /// Whether the automaton accepts the violations (it is one of the negation), not the satisfying words.
    pub of_negation: bool,
    /// Declarations of the variables that the conditions below read.
    pub reads: String,
    /// The condition that the word violates the formula if it repeats its last letter for ever.
    pub stuttering: String,
    /// The condition that no continuation of the prefix satisfies the formula.
    pub certain: String,
    /// Variables that tell whether a letter has changed since they were reset.
    pub turned: Vec<String>,
}

/// A relevant static local. Heads outside its function cannot name it, so they name variables of the prover
/// that stand for its scalars. `BA_STATIC_n(name)` follows its declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaticLocal {
    /// Its number in the program.
    pub number: usize,
    /// Its name.
    pub name: String,
    /// Its relevant scalars.
    pub leaves: Vec<StaticLeaf>,
}

impl StaticLocal {
    /// The variables of the prover that stand for its scalars, with the scalars.
    pub fn variables(&self) -> impl Iterator<Item = (String, &StaticLeaf)> {
        let all = self.leaves.iter().enumerate();
        all.map(|(i, leaf)| (format!("{}_{i}", self.number), leaf))
    }
}

/// A scalar of a static local.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaticLeaf {
    /// The path to it behind the name of the object, such as `.a[2]`; empty for a scalar object.
    pub way: String,
    /// Its kind.
    pub scalar: Scalar,
    /// The value that it is initialised with.
    pub initial: i64,
}

/// All that a proof by induction needs of a woven program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heads {
    /// The cuts.
    pub heads: Vec<Head>,
    /// The state in objects of static storage.
    pub statics: Vec<StatePart>,
    /// Declarations of those that the program declares behind some cut.
    pub declarations: String,
    /// The state in static locals.
    pub static_locals: Vec<StaticLocal>,
    /// The monitor's own state.
    pub monitor: MonitorState,
    /// Pairs of propositions' variables and functions that evaluate them without parameters.
    pub evaluations: Vec<(String, String)>,
    /// Assignments at the start of a new edge, which remember the letter.
    pub begin: String,
    /// How infinite runs are judged, for each property.
    pub judged: Vec<Judged>,
    /// Why no proof is tried.
    pub obstacles: Vec<String>,
    /// The recursive functions that runs reach.
    pub recursive: Vec<Recursive>,
    /// What the weaver added to the program.
    pub own: Own,
    /// What decides whether something undefined happens, and is no part of the state.
    pub hidden: Hidden,
}

/// The state of a monitor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MonitorState {
    /// All of it.
    pub parts: Vec<StatePart>,
    /// The variables of automata among them, with the numbers of their states.
    pub automata: Vec<(String, usize)>,
}

/// What decides whether a signed number overflows, or an access is outside of its object, but influences nothing that counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hidden {
    /// Whether there is any.
    pub any: bool,
    /// The names and places of what depends on itself, as a counter that nothing reads: `n` at `f.c:3`. A run that repeats the state need not
    /// go on for ever.
    pub endless: Vec<String>,
}

/// The functions and variables that the weaver added to a program, as far as a search has to know them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Own {
    /// The functions that choose values of inputs.
    pub choosers: Vec<Chooser>,
    /// The functions that discard a run if their argument is 0: they stand in the place of the program's assumptions.
    pub assuming: BTreeSet<String>,
    /// The variables that neither the program nor its propositions read: those of monitors and covers, and addresses.
    /// All others are parts of the program's state.
    pub apart: BTreeSet<String>,
    /// The program's objects of static storage that it changes, and that influence nothing which matters: no parts of its state.
    pub ignored: BTreeSet<String>,
    /// The functions of the library for which contracts stand if [`CONTRACTS`] is defined.
    pub contracts: BTreeSet<String>,
    /// Those of them that the program computes itself elsewhere: a search that executes it needs no contract for them.
    pub computed: BTreeSet<String>,
    /// The functions without a body that return nothing and, by assumption, change nothing of the program's.
    pub harmless: BTreeSet<String>,
    /// The program's objects, by number, that whole reads of bytes from outside fill.
    pub filled: BTreeSet<usize>,
    /// What evaluates the clock of the formulas, if they ask of it nothing but how much it goes on.
    pub clock: Option<UnaskedClock>,
    /// The proposition that reads the clock of the formulas.
    pub now: Option<usize>,
    /// What forgets the arguments of the command line, in C, at each cut in `main`: none of them is read there or later.
    pub forgets: Option<String>,
}

/// The proposition of a clock of which no formula asks: no step depends on its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnaskedClock {
    /// The function that evaluates it.
    pub evaluation: String,
    /// The variable with its value in a letter.
    pub letter: String,
}

/// The macro that is defined where a program of its own makes the runs. Its text stands in front of the woven one, and
/// defines the macros that a dialect has.
pub const DRIVER: &str = "BA_DRIVER";

/// The macro in front of the text of a program for proofs by which contracts stand for functions of the library.
pub const CONTRACTS: &str = "BA_CONTRACTS";

/// The macro that bounds the loop at a site, if the program is woven for a search ([`crate::Options::driven`]).
pub fn bound_at(site: usize) -> String {
    format!("BA_UNWIND_{site}")
}

/// An emitted function that chooses the value of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chooser {
    /// Its name.
    pub function: String,
    /// How many numbers it chooses from, each of which stands for one value; `None` if it chooses any value of its type.
    pub numbers: Option<u128>,
    /// The least and the greatest value that it chooses, if it chooses from a part of its type.
    pub within: Option<(i128, i128)>,
}

/// A recursive function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recursive {
    /// Its name.
    pub name: String,
    /// Its place, as `file:line`.
    pub place: String,
    /// The macro that bounds its depth.
    pub bound: String,
    /// Whether the function reaches a loop, so that an activation of that loop may run inside another one.
    pub loops: bool,
    /// The function's own name in emitted names: `BA_ENTER_name` stands at its start, `BA_LEAVE_name` at each return, behind the
    /// declaration of `ba_result` with the value, and `BA_FALL_name` at each return without a value.
    pub emitted: String,
    /// The kind of its result; `None` if it returns nothing.
    pub result: Option<Scalar>,
    /// Its start as a cut: its parameters are the locals, and an obstacle is a reason why no summary stands for its calls.
    pub entry: Head,
}
