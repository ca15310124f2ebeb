//! The transition system of a proof: a program whose cycles are cut, with its variables and heads.

use std::collections::BTreeSet;

use crate::hints::Measure;
use crate::houdini::{Candidate, Claim};

/// The most measures that become variables.
const MEASURES: usize = 16;

/// The kind of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `_Bool`
    Truth,
    /// An integer of at most 64 bits.
    Integer,
    /// A floating-point number.
    Real,
    /// A wider integer: it is forgotten at heads, and no claim is made about it.
    Wide,
    /// A pointer: it has to keep its value in each loop, or to have one of the values that are known.
    Pointer,
}

/// A value that a pointer may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The value in C.
    pub text: String,
    /// The object of the program that it is the address of, or of a part.
    pub object: Option<usize>,
    /// How many elements behind this one may also be meant.
    pub more: u64,
    /// Whether only one function can name it.
    pub local: bool,
}

impl Target {
    /// The statements that lead a pointer to it by `lead`, a text in front of a value and one behind it.
    pub(crate) fn chosen(&self, (before, behind): (&str, &str)) -> String {
        let text = &self.text;
        match self.more {
            0 => format!("{before}(void *){text}{behind}"),
            more => format!(
                "{{ unsigned long long ba_at = nondet_ba_integer(); __CPROVER_assume(ba_at <= {more}u); {before}(void *)({text} + ba_at){behind} }}"
            ),
        }
    }

    /// The condition that a pointer leads to it.
    pub(crate) fn is(&self, pointer: &str) -> String {
        let text = &self.text;
        match self.more {
            0 => format!("{pointer} == (void *){text}"),
            more => format!(
                "((const volatile char *)({pointer}) >= (const volatile char *){text} && (const volatile char *)({pointer}) <= (const volatile char *)({text} + {more}) \
                 && ((unsigned long long)({pointer}) - (unsigned long long){text}) % sizeof *{text} == 0)"
            ),
        }
    }
}

/// A scalar of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its lvalue in C, as heads name it.
    pub lvalue: String,
    /// Its lvalue in the program's text.
    pub name: String,
    /// Its width in bits, if it is an integer of the program; else 0.
    pub bits: u32,
    /// Whether it is a signed integer that C does not promote, so that its overflow is undefined.
    pub overflows: bool,
    /// Whether it is one of the many elements of an object about which nothing is guessed.
    pub bulk: bool,
    /// Whether it has values that do not fit into `long long`.
    pub unsigned64: bool,
    /// Its kind.
    pub kind: Kind,
    /// The values that it may have, if it is a pointer and they are known: a guess, which is asserted.
    pub targets: Vec<Target>,
    /// Whether it is computed from others, so that it is not forgotten itself; its "lvalue" is an expression.
    pub computed: bool,
    /// The object of the program that it is a part of, by the front end's number; `None` for an added variable.
    pub object: Option<usize>,
    /// Whether it is visible at every head that does not hide it; otherwise it is visible at the heads that
    /// list it.
    pub everywhere: bool,
    /// The number of its values, if it enumerates the states of an automaton.
    pub states: Option<usize>,
}

impl Variable {
    /// Whether the program contains it, or it is computed from the program's variables.
    pub fn is_of_program(&self) -> bool {
        self.object.is_some() || self.computed
    }

    /// Whether it is a pointer that has to keep its value in each loop.
    pub fn is_fixed(&self) -> bool {
        self.kind == Kind::Pointer && self.targets.is_empty()
    }

    /// Whether C compares it as an unsigned integer.
    pub fn is_unsigned(&self) -> bool {
        self.bits >= 32 && !self.overflows
    }
}

/// A head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Its number in the emitted text: `BA_HEAD_number`.
    pub number: usize,
    /// The variables that are visible there, apart from those visible everywhere.
    pub visible: Vec<usize>,
    /// The variables visible everywhere else whose names are hidden there.
    pub hidden: Vec<usize>,
    /// Counters that start again when this head goes round.
    pub inner: Vec<String>,
    /// The program's objects that have no name there.
    pub unnamed: Vec<usize>,
    /// For the head that is the start of a recursive function.
    pub entry: Option<Entry>,
    /// The head, by index, that is the start of the recursive function around this one.
    pub inside: Option<usize>,
}

/// The start of a recursive function, each call of which is either followed and does not return, or returns and is a summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The function's name in emitted names.
    pub name: String,
    /// The variable with its result.
    pub result: Option<Variable>,
    /// The variables, by number, whose values at the start are remembered until it returns.
    pub remembered: Vec<usize>,
    /// The variables that tell whether a mark occurred since the start, each with the variables of its marks.
    pub since: Vec<(String, Vec<String>)>,
}

impl Cut {
    /// A head at which nothing is known but what is visible everywhere.
    pub(crate) fn plain(number: usize) -> Cut {
        Cut {
            number,
            visible: Vec::new(),
            hidden: Vec::new(),
            inner: Vec::new(),
            unnamed: Vec::new(),
            entry: None,
            inside: None,
        }
    }

    /// Whether a target of a pointer has its name here.
    pub(crate) fn names(&self, target: &Target) -> bool {
        target.object.is_none_or(|o| !self.unnamed.contains(&o))
    }

    /// The variable with the value that another one had at the start of the recursive function.
    pub fn at_start(&self, variable: usize) -> String {
        format!("ba_old_{}_{variable}", self.number)
    }

    /// The variable that tells whether a call of the recursive function is followed.
    pub(crate) fn counter(&self) -> String {
        match &self.entry {
            Some(_) => format!("ba_deeper_{}", self.number),
            None => "ba_count".to_string(),
        }
    }
}

/// A woven program whose cycles are cut at heads: its variables, its heads, and the expressions that mark edges
/// and phases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct System {
    /// The variables of the state.
    pub variables: Vec<Variable>,
    /// The heads.
    pub cuts: Vec<Cut>,
    /// The numbers of further heads in the text, of loops with few rounds: they do nothing, and the model checker follows all
    /// rounds.
    pub followed: Vec<usize>,
    /// Declarations before all else.
    pub declarations: String,
    /// Statements at the start of each head.
    pub arrive: String,
    /// Statements after those that forget the state.
    pub resume: String,
    /// Invariants of the added variables: pairs of a variable and the expression that it equals.
    pub definitions: Vec<(String, String)>,
    /// Declarations that the expressions below need in their block.
    pub reads: String,
    /// The marks of edges: C conditions that are evaluated at the end of an edge; at most [`System::MARKS`].
    pub marks: Vec<String>,
    /// The condition that must not hold at a head.
    pub forbidden: String,
    /// Statements at the start of an edge, which clear the marks.
    pub begin: String,
    /// For each head, an unsigned expression whose value is the phase of a node, and the number of its values.
    pub phases: Vec<(String, usize)>,
}

impl System {
    /// The most marks.
    pub const MARKS: usize = 3;

    /// Whether a variable can be named at a head.
    pub fn sees(&self, cut: &Cut, variable: usize) -> bool {
        match self.variables[variable].everywhere {
            true => !cut.hidden.contains(&variable),
            false => cut.visible.contains(&variable),
        }
    }

    /// Adds a variable for each measure of which some head sees all objects, and for the places of pointers in arrays.
    pub fn measure(&mut self, measures: &[Measure]) {
        let positions: Vec<(usize, Measure)> = self.variables.iter().filter_map(position).collect();
        let positions = positions.iter().map(|(array, m)| (Some(array), m));
        let measures = measures.iter().take(MEASURES).map(|m| (None, m));
        for (array, measure) in measures.chain(positions) {
            let sees = |cut: &Cut| {
                let named =
                    |o: &usize| self.seen(cut).any(|v| self.variables[v].object == Some(*o));
                measure.objects.iter().all(named)
                    && array.is_none_or(|array| !cut.unnamed.contains(array))
            };
            let heads: Vec<bool> = self.cuts.iter().map(sees).collect();
            let number = self.variables.len();
            for (cut, sees) in self.cuts.iter_mut().zip(&heads) {
                cut.visible.extend(sees.then_some(number));
            }
            if heads.contains(&true) {
                self.variables.push(measure.variable());
            }
        }
    }

    /// Whether calls of recursive functions are summaries.
    pub fn summarises(&self) -> bool {
        self.cuts.iter().any(|c| c.entry.is_some())
    }

    /// The names of the variables that remember what was at the start of a recursive function, as far as a claim may read them.
    /// Only where the function returns, and at the heads inside it, do they have the values of that start.
    pub fn remembered_at(&self, candidate: &Candidate) -> Vec<String> {
        let (cut, result) = match &candidate.claim {
            Claim::Returns(_) => (Some(candidate.cut), true),
            Claim::Holds(_) | Claim::Sum(_) => (self.cuts[candidate.cut].inside, false),
            Claim::Keeps(_) => (None, false),
        };
        let cut = cut.map(|c| &self.cuts[c]);
        let Some((cut, entry)) = cut.and_then(|c| Some((c, c.entry.as_ref()?))) else {
            return Vec::new();
        };
        let old = entry.remembered.iter().map(|&v| cut.at_start(v));
        let result = entry.result.iter().filter(|_| result);
        old.chain(result.map(|r| r.lvalue.clone())).collect()
    }

    /// The targets of a pointer that only this head's function can name.
    pub(crate) fn local_targets<'a>(
        &'a self,
        cut: &'a Cut,
        variable: usize,
    ) -> impl Iterator<Item = &'a Target> {
        let named = |t: &&Target| t.local && cut.names(t);
        self.variables[variable].targets.iter().filter(named)
    }

    /// The variables that can be named at a head.
    pub fn seen<'a>(&'a self, cut: &'a Cut) -> impl Iterator<Item = usize> + 'a {
        (0..self.variables.len()).filter(|&v| self.sees(cut, v))
    }
}

impl Measure {
    /// The variable for it.
    fn variable(&self) -> Variable {
        Variable {
            lvalue: format!("({})", self.text),
            name: self.name.clone(),
            bits: self.bits,
            overflows: self.signed && self.bits >= 32,
            bulk: false,
            unsigned64: !self.signed && self.bits == 64,
            kind: match self.bits {
                0..=64 => Kind::Integer,
                _ => Kind::Wide,
            },
            targets: Vec::new(),
            computed: true,
            object: None,
            everywhere: false,
            states: None,
        }
    }
}

/// An array and the index of the element that a pointer leads to, if it only leads to elements of this array, or nowhere.
fn position(pointer: &Variable) -> Option<(usize, Measure)> {
    let leads = pointer.targets.iter().filter(|t| t.text != "0");
    let array = |t: &Target| {
        let (array, index) = t.text.strip_prefix('&')?.rsplit_once('[')?;
        let index = index.strip_suffix(']')?.parse::<u64>();
        Some((array.to_owned(), t.object?)).filter(|_| index.is_ok())
    };
    let arrays: Option<BTreeSet<(String, usize)>> = leads.map(array).collect();
    let mut arrays = arrays?.into_iter();
    let (Some((array, object)), None) = (arrays.next(), arrays.next()) else {
        return None;
    };
    let (p, own) = (&pointer.lvalue, pointer.object?);
    let measure = Measure {
        name: format!("{} - {array}", pointer.name),
        text: format!("{p} != 0 ? (int)({p} - {array}) : -1"),
        objects: vec![own],
        bits: 32,
        signed: true,
    };
    Some((object, measure))
}
