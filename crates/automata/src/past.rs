//! Past operators: a deterministic transducer beside the automaton of the future.
//!
//! The value of a past operator at a letter is a function of the letter and of one bit that the letters before
//! it decide (Havelund & Roşu, *Synthesizing monitors for safety properties*, TACAS 2002). So each past operator
//! becomes a *register*: a fresh proposition with that value, and its bit. What remains is a formula of the
//! future over propositions and registers; its automaton runs beside the transducer, which says what the
//! registers are, and the registers are hidden again. A past operator over a formula of the future reads a fresh
//! proposition, too, whose definition `G (h <-> f)` is a conjunct of the formula and of its negation alike: the
//! automaton guesses `h`, and just one guess is right.
//!
//! With n past operators the automaton has at most 2^n times the states of the future's; the monitor, which is
//! minimised, has no more than the language needs.

use crate::alphabet::Alphabet;
use crate::guard::{localise, rename, Guard};
use crate::letters::{allowed, letters_over};
use crate::limits::{Limits, TooLarge};
use crate::simulation;
use crate::tgba::{Edge, Tgba};
use crate::translate::{Effort, Translation};
use biodivine_lib_bdd::Bdd;
use ltl::{Arena, Atom, AtomId, Id, Node};
use std::collections::HashMap;

/// The automata of a formula with past operators and of its negation.
pub(crate) fn translation(
    arena: &Arena,
    root: Id,
    constraints: &[Id],
    limits: &Limits,
    effort: Effort,
) -> Result<Translation, TooLarge> {
    let atoms = arena.atoms_of(root);
    let letters = letters_over(arena, &atoms, constraints, limits)?;
    let mut future = Future::of(arena, root);
    let transducer = Transducer::of(&future, &atoms, limits)?;
    let (positive, negative) = future.both();
    let automata = match future.definitions.is_empty() {
        true => {
            let both = Translation::new(&future.arena, positive, constraints, limits, effort)?;
            [
                beside(&transducer, &both, both.positive()?, limits)?,
                beside(&transducer, &both, both.negative()?, limits)?,
            ]
        }
        false => {
            let one = |root| {
                let one = Translation::new(&future.arena, root, constraints, limits, effort)?;
                beside(&transducer, &one, one.positive()?, limits)
            };
            [one(positive)?, one(negative)?]
        }
    };
    finish(&automata, &atoms, &letters, limits)
}

/// A formula with registers in place of past operators.
struct Future {
    arena: Arena,
    root: Id,
    registers: Vec<Register>,
    /// The propositions that stand for formulas of the future under past operators.
    guessed: Vec<AtomId>,
    /// Their definitions.
    definitions: Vec<Id>,
}

/// A past operator.
struct Register {
    /// The proposition with its value.
    atom: AtomId,
    /// Its value before the first letter.
    initial: bool,
    /// Its value at a letter, if the bit is false and if it is true: propositional formulas.
    value: [Id; 2],
    /// The next bit: a propositional formula.
    next: Id,
}

impl Future {
    fn of(arena: &Arena, root: Id) -> Future {
        let mut future = Future {
            arena: arena.clone(),
            root,
            registers: Vec::new(),
            guessed: Vec::new(),
            definitions: Vec::new(),
        };
        let mut known: HashMap<Id, Id> = HashMap::new();
        for id in arena.postorder(root) {
            let node = arena.node(id);
            let replaced = match node.is_past() {
                true => {
                    let operands: Vec<Id> = node.operands().map(|o| known[&o]).collect();
                    let operands: Vec<Id> =
                        operands.into_iter().map(|o| future.present(o)).collect();
                    future.register(node, &operands)
                }
                false => future
                    .arena
                    .make(node.map_operands(&mut |operand| known[&operand])),
            };
            known.insert(id, replaced);
        }
        future.root = known[&root];
        future
    }

    /// A propositional formula with the value of this one at each letter.
    fn present(&mut self, id: Id) -> Id {
        if self.arena.is_propositional(id) {
            return id;
        }
        let atom = self.fresh();
        let name = self.arena.make(Node::Atom(atom));
        let same = self.arena.make(Node::Iff(name, id));
        let definition = self.arena.make(Node::Globally(same));
        if !self.definitions.contains(&definition) {
            self.guessed.push(atom);
            self.definitions.push(definition);
        }
        name
    }

    /// The proposition of a past operator over propositional operands.
    fn register(&mut self, node: &Node, operands: &[Id]) -> Id {
        let atom = self.fresh();
        let name = self.arena.make(Node::Atom(atom));
        let mut make = |node| self.arena.make(node);
        let (no, yes) = (make(Node::False), make(Node::True));
        let (first, last) = match operands {
            [a, b] => (*a, *b),
            [a] => (yes, *a),
            _ => (yes, no),
        };
        let either = make(Node::Or(vec![first, last]));
        let both = make(Node::And(vec![first, last]));
        let (initial, value, next) = match node {
            Node::Previous(_) => (false, [no, yes], last),
            Node::WeakPrevious(_) => (true, [no, yes], last),
            Node::Historically(_) => (true, [no, last], name),
            Node::BackTo(..) => (true, [both, last], name),
            // `O b` is `true S b`.
            _ => (false, [last, either], name),
        };
        self.registers.push(Register {
            atom,
            initial,
            value,
            next,
        });
        name
    }

    /// A proposition that no formula has, behind all others.
    fn fresh(&mut self) -> AtomId {
        let number = self.arena.atoms().len();
        self.arena
            .atom(Atom::Condition(format!("register {number}")))
    }

    /// The formula and its negation, each with the definitions.
    fn both(&mut self) -> (Id, Id) {
        let negation = self.arena.negate(self.root);
        let root = self.root;
        let mut with = |id| {
            let all: Vec<Id> = std::iter::once(id)
                .chain(self.definitions.clone())
                .collect();
            match all.len() {
                1 => id,
                _ => self.arena.make(Node::And(all)),
            }
        };
        (with(root), with(negation))
    }
}

/// The registers as a deterministic machine: one state for the bits of all registers.
struct Transducer {
    registers: Vec<Machine>,
    /// The propositions to be hidden.
    hidden: Vec<AtomId>,
}

/// One register.
struct Machine {
    initial: bool,
    /// The letters whose register is right, if the bit is false and if it is true.
    right: [Guard; 2],
    /// The letters after which the bit is true.
    next: Guard,
}

impl Transducer {
    fn of(future: &Future, atoms: &[AtomId], limits: &Limits) -> Result<Transducer, TooLarge> {
        let mut hidden: Vec<AtomId> = future.registers.iter().map(|r| r.atom).collect();
        hidden.extend(&future.guessed);
        // Fresh propositions have the highest numbers.
        hidden.sort_unstable();
        let all: Vec<AtomId> = atoms.iter().chain(&hidden).copied().collect();
        let guard = |id: Id| -> Result<Guard, TooLarge> {
            let diagram = allowed(&future.arena, id, &all, limits)?;
            Ok(Guard::from_bdd(rename(&diagram, &all)))
        };
        let machine = |register: &Register| -> Result<Machine, TooLarge> {
            let [is, is_not] = [true, false]
                .map(|value| Guard::literal(register.atom, value).unwrap_or_else(Guard::bottom));
            let right = |value: Id| -> Result<Guard, TooLarge> {
                let value = guard(value)?;
                Ok(is.and(&value).or(&is_not.and_not(&value)))
            };
            Ok(Machine {
                initial: register.initial,
                right: [right(register.value[0])?, right(register.value[1])?],
                next: guard(register.next)?,
            })
        };
        let registers = future.registers.iter().map(machine);
        Ok(Transducer {
            registers: registers.collect::<Result<_, _>>()?,
            hidden,
        })
    }

    fn start(&self) -> Vec<bool> {
        self.registers.iter().map(|r| r.initial).collect()
    }

    /// The letters of a guard whose registers are right in a state, by the state that they lead to.
    fn step(&self, state: &[bool], guard: &Guard) -> Vec<(Vec<bool>, Guard)> {
        let mut right = guard.clone();
        for (register, bit) in self.registers.iter().zip(state) {
            right = right.and(&register.right[usize::from(*bit)]);
        }
        let mut found = vec![(Vec::new(), right)];
        for register in &self.registers {
            let mut divided = Vec::new();
            for (bits, letters) in found {
                let bit = |bit: bool| [bits.as_slice(), &[bit]].concat();
                divided.push((bit(true), letters.and(&register.next)));
                divided.push((bit(false), letters.and_not(&register.next)));
            }
            divided.retain(|(_, letters)| !letters.is_false());
            found = divided;
        }
        for (_, letters) in &mut found {
            for &atom in &self.hidden {
                *letters = letters.exists(atom);
            }
        }
        found
    }
}

/// An automaton whose letters are guards over the formula's propositions.
struct Product {
    /// For each state: guard, marks and target of its edges.
    states: Vec<Vec<(Guard, u64, u32)>>,
    sets: u32,
}

/// The automaton beside the transducer, with the registers hidden.
fn beside(
    transducer: &Transducer,
    translation: &Translation,
    automaton: &Tgba,
    limits: &Limits,
) -> Result<Product, TooLarge> {
    let mut numbers: HashMap<(u32, Vec<bool>), u32> = HashMap::new();
    let start = (automaton.init, transducer.start());
    let mut order = vec![start.clone()];
    numbers.insert(start, 0);
    let mut states = Vec::new();
    let mut edges = 0;
    while let Some((state, bits)) = order.get(states.len()).cloned() {
        let mut row = Vec::new();
        for edge in &automaton.states[state as usize] {
            let guard = translation.alphabet.guard(&edge.guard);
            for (next, letters) in transducer.step(&bits, &guard) {
                let target = (edge.dst, next);
                let known = numbers.len() as u32;
                let number = *numbers.entry(target.clone()).or_insert(known);
                if number == known {
                    order.push(target);
                }
                row.push((letters, edge.marks, number));
            }
        }
        edges += row.len();
        Limits::check("edges", edges, limits.edges)?;
        Limits::check("states", order.len(), limits.states)?;
        states.push(row);
    }
    Ok(Product {
        states,
        sets: automaton.sets,
    })
}

/// Both automata over common classes of letters, reduced.
fn finish(
    automata: &[Product; 2],
    atoms: &[AtomId],
    letters: &Guard,
    limits: &Limits,
) -> Result<Translation, TooLarge> {
    let mut guards: Vec<Bdd> = Vec::new();
    let mut index: HashMap<&Guard, usize> = HashMap::new();
    for (guard, ..) in automata.iter().flat_map(|a| a.states.iter().flatten()) {
        index.entry(guard).or_insert_with(|| {
            guards.push(localise(guard, atoms));
            guards.len() - 1
        });
    }
    let diagrams: Vec<&Bdd> = guards.iter().collect();
    let (alphabet, sets) = Alphabet::new(atoms, &diagrams, &localise(letters, atoms), limits)?;
    let mut work = limits.work / 2;
    let [positive, negative] = automata.each_ref().map(|product| {
        let row = |row: &Vec<(Guard, u64, u32)>| {
            let edges = row.iter().map(|(guard, marks, dst)| Edge {
                dst: *dst,
                marks: *marks,
                guard: sets[index[guard]].clone(),
            });
            edges.collect()
        };
        let mut automaton = Tgba {
            states: product.states.iter().map(row).collect(),
            init: 0,
            sets: product.sets,
            letters: alphabet.len(),
            state_based: false,
        };
        automaton.trim();
        simulation::reduce_fully(&mut automaton, &mut work);
        automaton
    });
    // Not read: both lists have an automaton.
    let error = TooLarge {
        what: "states",
        limit: limits.states,
    };
    Ok(Translation {
        alphabet,
        positive: vec![positive],
        negative: vec![negative],
        error,
        work,
    })
}
