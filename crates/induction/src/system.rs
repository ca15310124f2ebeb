//! A program whose cycles are cut: its variables and heads.

use crate::hints::Measure;

/// So many expressions of conditions are looked at, at most.
const MEASURES: usize = 16;

/// What kind of scalar a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `_Bool`
    Truth,
    /// An integer of at most 64 bits.
    Integer,
    /// A floating-point number.
    Real,
    /// A wider integer: forgotten, and nothing is claimed of it.
    Wide,
    /// A pointer: it has to keep its value in each loop.
    Pointer,
}

/// A scalar of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its lvalue in C, as heads name it.
    pub lvalue: String,
    /// Its lvalue as the program's text has it.
    pub name: String,
    /// Its width in bits, if it is an integer of the program; else 0.
    pub bits: u32,
    /// Whether it is a signed integer that C computes with as it is: an overflow of it is not defined.
    pub overflows: bool,
    /// Whether it is one of the many elements of an object of which nothing is guessed.
    pub bulk: bool,
    /// Whether its values do not fit into `long long`.
    pub unsigned64: bool,
    /// Its kind.
    pub kind: Kind,
    /// Whether it is computed from others, so that nothing is to be forgotten: its "lvalue" is an expression.
    pub computed: bool,
    /// The object of the program that it is a part of, by the front end's number; nothing for a
    /// variable that was added.
    pub object: Option<usize>,
    /// It is visible at every head that does not hide it; else only at those that name it.
    pub everywhere: bool,
    /// The values that it has, where it enumerates: a state of an automaton.
    pub states: Option<usize>,
}

impl Variable {
    /// Whether the program has it, or computes it.
    pub fn is_of_program(&self) -> bool {
        self.object.is_some() || self.computed
    }

    /// Whether it is compared as an unsigned integer.
    pub fn is_unsigned(&self) -> bool {
        self.bits >= 32 && !self.overflows
    }
}

/// A head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Its number in the emitted text: `BA_HEAD_number`.
    pub number: usize,
    /// The variables that are visible there.
    pub visible: Vec<usize>,
    /// Those of the whole program whose names are hidden there.
    pub hidden: Vec<usize>,
    /// Counters that begin anew when this head goes round.
    pub inner: Vec<String>,
}

/// A woven program whose cycles of control flow are cut at heads: its variables, its cuts, and the expressions that
/// mark edges and phases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct System {
    /// Its state.
    pub variables: Vec<Variable>,
    /// Its heads.
    pub cuts: Vec<Cut>,
    /// Declarations in front of all else.
    pub declarations: String,
    /// Statements with which each head begins.
    pub arrive: String,
    /// Statements that follow where the state was forgotten.
    pub resume: String,
    /// Conditions that hold wherever the added variables mean something: pairs of a variable and the
    /// expression whose value it has.
    pub definitions: Vec<(String, String)>,
    /// Declarations for the expressions below, for use in a block.
    pub reads: String,
    /// What marks an edge, in C, each false or true at its end; at most [`System::MARKS`].
    pub marks: Vec<String>,
    /// What must not hold at a head.
    pub forbidden: String,
    /// Statements that begin a new edge: the marks are cleared.
    pub begin: String,
    /// For each head, an unsigned expression with whose values the nodes of the graph are told apart, and
    /// how many there are.
    pub phases: Vec<(String, usize)>,
}

impl System {
    /// How many marks there can be.
    pub const MARKS: usize = 3;

    /// Whether a variable can be named at a head.
    pub fn sees(&self, cut: &Cut, variable: usize) -> bool {
        match self.variables[variable].everywhere {
            true => !cut.hidden.contains(&variable),
            false => cut.visible.contains(&variable),
        }
    }

    /// Adds what conditions compare, where at least one head sees all of its parts.
    pub fn measure(&mut self, measures: &[Measure]) {
        for measure in measures.iter().take(MEASURES) {
            let sees = |cut: &Cut| {
                let named =
                    |o: &usize| self.seen(cut).any(|v| self.variables[v].object == Some(*o));
                measure.objects.iter().all(named)
            };
            let heads: Vec<bool> = self.cuts.iter().map(sees).collect();
            let number = self.variables.len();
            for (cut, sees) in self.cuts.iter_mut().zip(&heads) {
                cut.visible.extend(sees.then_some(number));
            }
            if heads.contains(&true) {
                self.variables.push(Variable {
                    lvalue: format!("({})", measure.text),
                    name: measure.text.clone(),
                    bits: measure.bits,
                    overflows: measure.signed && measure.bits >= 32,
                    bulk: false,
                    unsigned64: !measure.signed && measure.bits == 64,
                    kind: match measure.bits {
                        0..=64 => Kind::Integer,
                        _ => Kind::Wide,
                    },
                    computed: true,
                    object: None,
                    everywhere: false,
                    states: None,
                });
            }
        }
    }

    /// The variables that can be named at a head.
    pub fn seen<'a>(&'a self, cut: &'a Cut) -> impl Iterator<Item = usize> + 'a {
        (0..self.variables.len()).filter(|&v| self.sees(cut, v))
    }
}
