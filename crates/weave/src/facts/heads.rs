//! What a proof by induction has to know of a woven program: where each cycle of its control flow is
//! cut, and what the state is there.

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
    /// A type of C for objects of this kind, where it can be named: an integer's, also for enumerations. For
    /// others the widest integer, which is no more than a place to begin.
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
    /// The object that it is a part of, as C text; locals of one name are told apart by `number`.
    pub object: String,
    /// The object's number in the program; nothing for the monitor's variables.
    pub number: Option<usize>,
    /// Its kind.
    pub scalar: Scalar,
}

/// A place where a cycle is cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Its site in the record.
    pub site: usize,
    /// Its function.
    pub function: String,
    /// Where it is, in bytes of the preprocessed text: the loop, or from the label to the jump.
    pub range: (usize, usize),
    /// The counters of jumps inside, which begin anew when this one goes round.
    pub inner: Vec<String>,
    /// The counter, if jumps make this loop: no text of the program's resets it on every way in.
    pub counter: Option<String>,
    /// The locals that count and are alive here.
    pub locals: Vec<StatePart>,
    /// Objects of static storage whose names mean something else here.
    pub hidden: Vec<usize>,
    /// Why the state here cannot be described.
    pub obstacle: Option<String>,
}

/// How infinite runs of one property are judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    /// The property's name.
    pub name: String,
    /// The variable of the Büchi automaton's state, and the number of its states; nothing if every
    /// violation has a prefix that the monitor calls ⊥.
    pub run: Option<(String, usize)>,
    /// The variable that remembers an accepting state.
    pub met: String,
    /// Whether accepting infinitely often means a violation (the automaton is one of the negation),
    /// not satisfaction.
    pub of_negation: bool,
    /// Declarations that the conditions below read.
    pub reads: String,
    /// The condition that the word that stays as it is violates the formula.
    pub stuttering: String,
    /// The condition that no continuation satisfies it.
    pub certain: String,
    /// Variables that tell whether a letter has changed since they were reset.
    pub turned: Vec<String>,
}

/// A static local that counts: heads outside its function cannot name it, so they speak of a variable of the
/// prover's that stands for it. Its declaration is followed by `BA_STATIC_n(name)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaticLocal {
    /// Its number in the program.
    pub number: usize,
    /// Its name.
    pub name: String,
    /// Its kind.
    pub scalar: Scalar,
    /// The value that it has at first.
    pub initial: i64,
}

/// All that a proof needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heads {
    /// The cuts.
    pub heads: Vec<Head>,
    /// The state in objects of static storage.
    pub statics: Vec<StatePart>,
    /// The state in static locals.
    pub static_locals: Vec<StaticLocal>,
    /// The monitor's own state.
    pub monitor: Vec<StatePart>,
    /// The variables of automata, with the numbers of their states.
    pub automata: Vec<(String, usize)>,
    /// Pairs of propositions' variables and functions that evaluate them without parameters.
    pub evaluations: Vec<(String, String)>,
    /// Assignments that begin a new edge: the letter is remembered.
    pub begin: String,
    /// One for each property.
    pub judged: Vec<Judged>,
    /// Why no proof is tried.
    pub obstacles: Vec<String>,
    /// The recursive functions that runs reach.
    pub recursive: Vec<Recursive>,
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
    /// Whether a loop is reached from it, so that one may be inside of itself.
    pub loops: bool,
}
