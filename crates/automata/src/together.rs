//! Members that have to hold together, of which few are looked at for one question.
//!
//! A product of all members' automata is too large where they count. So a word is sought for what is asked alone and
//! compared with the members; one that it violates is added to the product, until the word satisfies all of them, or the
//! product has no word: then its members are the reason, whatever the others ask for (refinement by counterexamples, as
//! E. Clarke et al., *Counterexample-guided abstraction refinement*, CAV 2000). Where the product asks for nothing,
//! propositions have their usual values, so that most members have nothing to say about the word.

use crate::alike::{bearing_on, Automata, Member};
use crate::guard::Guard;
use crate::joint::{common_run, Machine, Run};
use crate::letters::letters_over;
use crate::limits::{Limits, TooLarge};
use ltl::lasso::{Lasso, Letter};
use ltl::{Arena, AtomId, Id, Node};
use std::collections::{BTreeSet, HashMap};

/// A word is compared with a formula by its definition where that takes no more steps.
const MOST_STEPS: usize = 200_000;

/// So many steps of a comparison are as much work as a node of a decision diagram.
const STEPS_OF_NODE: usize = 8;

/// The most words that are kept, so that one word answers many questions.
const MOST_WORDS: usize = 200;

/// What is asked: whether some word satisfies members, and this besides.
#[derive(Clone, Copy)]
pub(crate) enum Asked {
    Nothing,
    /// The trigger of a member comes.
    Trigger(usize),
    /// A member is violated.
    Negation(usize),
}

/// Which of the members that a word violates joins the product.
#[derive(Clone, Copy)]
enum Order {
    /// One that brings few new propositions: what excludes something is mostly about it.
    Nearest,
    /// One with few states.
    Smallest,
}

/// What restricts the letters of a set of formulas.
pub(crate) struct Alphabet<'a> {
    pub arena: &'a Arena,
    pub constraints: &'a [Id],
    /// The propositions of each constraint.
    pub names: &'a [Vec<AtomId>],
    pub limits: Limits,
}

impl Alphabet<'_> {
    /// The letters over these propositions and all that constraints connect with them.
    fn over(&self, atoms: BTreeSet<AtomId>) -> Result<Guard, TooLarge> {
        let (atoms, bearing) = bearing_on(atoms, self.names);
        let about: Vec<Id> = bearing.into_iter().map(|c| self.constraints[c]).collect();
        letters_over(self.arena, &atoms, &about, &self.limits)
    }

    /// A letter in which few propositions hold.
    fn some_letter(&self, atoms: &BTreeSet<AtomId>) -> Result<Letter, TooLarge> {
        let mut letter = Letter::new();
        let mut left = atoms.clone();
        while let Some(&atom) = left.first() {
            let (connected, _) = bearing_on(BTreeSet::from([atom]), self.names);
            let letters = self.over(BTreeSet::from([atom]))?;
            letter.extend(letters.witness().unwrap_or_default());
            left.remove(&atom);
            connected.iter().for_each(|atom| {
                left.remove(atom);
            });
        }
        Ok(letter)
    }
}

/// Members that are connected by common propositions, numbered from 0.
pub(crate) struct Together<'a> {
    alphabet: &'a Alphabet<'a>,
    members: Vec<Member>,
    automata: Vec<Automata>,
    /// The propositions of each member.
    names: Vec<Vec<AtomId>>,
    /// The members with a proposition.
    with: HashMap<AtomId, Vec<usize>>,
    /// The letter that words have where nothing is asked for.
    usual: Letter,
    /// Whether the word that has only this letter satisfies a member, as far as that was asked.
    usually: Vec<Option<bool>>,
    /// Words that satisfy all members that are asked about together.
    words: Vec<Lasso>,
    /// The letters over the propositions of members.
    letters: HashMap<BTreeSet<AtomId>, Guard>,
    /// The work that may still be done.
    left: &'a mut usize,
}

impl<'a> Together<'a> {
    /// # Errors
    /// The bound that the letters of the members exceed.
    pub fn new(
        alphabet: &'a Alphabet<'a>,
        members: Vec<(Member, Automata)>,
        left: &'a mut usize,
    ) -> Result<Together<'a>, TooLarge> {
        let (members, automata): (Vec<Member>, Vec<Automata>) = members.into_iter().unzip();
        let names: Vec<Vec<AtomId>> = members.iter().map(|m| m.atoms(alphabet.arena)).collect();
        let mut with: HashMap<AtomId, Vec<usize>> = HashMap::new();
        for (member, names) in names.iter().enumerate() {
            let of = |&name| with.entry(name).or_default().push(member);
            names.iter().for_each(of);
        }
        Ok(Together {
            usual: alphabet.some_letter(&names.iter().flatten().copied().collect())?,
            usually: vec![None; members.len()],
            words: Vec::new(),
            letters: HashMap::new(),
            alphabet,
            members,
            automata,
            names,
            with,
            left,
        })
    }

    /// If no word satisfies the members and what is asked: those of the members of which none can be left out.
    ///
    /// # Errors
    /// The bound that the search exceeds.
    pub fn excluded(
        &mut self,
        asked: Asked,
        members: &[usize],
    ) -> Result<Option<Vec<usize>>, TooLarge> {
        if self.is_known(asked) {
            return Ok(None);
        }
        // What is too much work in one order may be little in another.
        let nearest = self.refined(asked, members, Order::Nearest);
        nearest.or_else(|_| self.refined(asked, members, Order::Smallest))
    }

    /// As [`Together::excluded`], with an order in which members join.
    fn refined(
        &mut self,
        asked: Asked,
        members: &[usize],
        order: Order,
    ) -> Result<Option<Vec<usize>>, TooLarge> {
        let mut chosen = Vec::new();
        while let Some(word) = self.word(asked, &chosen)? {
            match self.violated(&word, asked, members, &chosen, order)? {
                Some(member) => chosen.push(member),
                None => {
                    self.keep(asked, word);
                    return Ok(None);
                }
            }
        }
        self.core(asked, chosen).map(Some)
    }

    /// Whether a word that satisfies all members has shown what is asked.
    fn is_known(&self, asked: Asked) -> bool {
        let arena = self.alphabet.arena;
        let Asked::Trigger(member) = asked else {
            return false;
        };
        let trigger = self.members[member].trigger;
        let mut words = self.words.iter();
        words
            .any(|word| steps(arena, trigger, word) <= MOST_STEPS && word.satisfies(arena, trigger))
    }

    /// Keeps a word that satisfies all members. Of the first one, the letter that is usual there is the usual one from now on: most
    /// members are satisfied by it.
    fn keep(&mut self, asked: Asked, word: Lasso) {
        if let Asked::Nothing = asked {
            let (_, cycle) = word.parts();
            let often = |letter: &&Letter| cycle.iter().filter(|other| other == letter).count();
            if let Some(letter) = cycle.iter().max_by_key(often) {
                self.usual = letter.clone();
                self.usually.fill(None);
            }
        }
        if self.words.len() < MOST_WORDS && !matches!(asked, Asked::Negation(_)) {
            self.words.push(word);
        }
    }

    /// A word that satisfies some members and what is asked.
    fn word(&mut self, asked: Asked, members: &[usize]) -> Result<Option<Lasso>, TooLarge> {
        let first = match asked {
            Asked::Nothing => None,
            Asked::Trigger(member) => Some(&self.automata[member].trigger),
            Asked::Negation(member) => Some(&self.automata[member].negation),
        };
        let atoms = self.atoms(asked, members);
        let letters = match self.letters.get(&atoms) {
            Some(letters) => letters.clone(),
            None => {
                let letters = self.alphabet.over(atoms.clone())?;
                self.letters.insert(atoms, letters.clone());
                letters
            }
        };
        let formulas = members.iter().map(|&m| &self.automata[m].formula);
        let machines: Vec<&Machine> = first.into_iter().chain(formulas).collect();
        let run = common_run(&machines, &letters, self.left)?;
        Ok(run.and_then(|run| self.usual_word(&run)))
    }

    /// The word of a run with as many usual values as its guards leave.
    fn usual_word(&self, run: &Run) -> Option<Lasso> {
        let word = |guards: &[Guard]| {
            let letters = guards.iter().map(|guard| guard.nearest(&self.usual));
            letters.collect::<Option<Vec<Letter>>>()
        };
        Lasso::new(word(&run.prefix)?, word(&run.cycle)?)
    }

    /// The first in an order of the members that a word violates, besides those that it satisfies for certain.
    fn violated(
        &mut self,
        word: &Lasso,
        asked: Asked,
        members: &[usize],
        satisfied: &[usize],
        order: Order,
    ) -> Result<Option<usize>, TooLarge> {
        let touched = self.touched(word);
        let present = self.atoms(asked, satisfied);
        let mut worst: Option<(usize, (usize, usize))> = None;
        for &member in members {
            let fresh = self.names[member].iter();
            let fresh = match order {
                Order::Nearest => fresh.filter(|atom| !present.contains(atom)).count(),
                Order::Smallest => 0,
            };
            let size = (fresh, self.automata[member].formula.states());
            let smaller = worst.is_none_or(|(_, least)| size < least);
            if !smaller || satisfied.contains(&member) {
                continue;
            }
            let value = match touched.contains(&member) {
                true => self.satisfies(word, member)?,
                false => self.usually(member)?,
            };
            if !value {
                worst = Some((member, size));
            }
        }
        Ok(worst.map(|(member, _)| member))
    }

    /// The propositions of members and of what is asked.
    fn atoms(&self, asked: Asked, members: &[usize]) -> BTreeSet<AtomId> {
        let about = match asked {
            Asked::Nothing => None,
            Asked::Trigger(member) | Asked::Negation(member) => Some(member),
        };
        let names = members.iter().chain(&about).map(|&m| &self.names[m]);
        names.flatten().copied().collect()
    }

    /// The members with a proposition that has an unusual value somewhere.
    fn touched(&self, word: &Lasso) -> BTreeSet<usize> {
        let (prefix, cycle) = word.parts();
        let letters = prefix.iter().chain(cycle);
        let unusual = letters.flat_map(|letter| letter.symmetric_difference(&self.usual));
        let unusual: BTreeSet<AtomId> = unusual.copied().collect();
        let members = unusual.iter().filter_map(|atom| self.with.get(atom));
        members.flatten().copied().collect()
    }

    fn usually(&mut self, member: usize) -> Result<bool, TooLarge> {
        if let Some(known) = self.usually[member] {
            return Ok(known);
        }
        let word = Lasso::stutter(std::slice::from_ref(&self.usual));
        let value = match word {
            Some(word) => self.satisfies(&word, member)?,
            None => false,
        };
        self.usually[member] = Some(value);
        Ok(value)
    }

    /// Whether a word satisfies a member: by definition where that is little work, else by its automaton.
    fn satisfies(&mut self, word: &Lasso, member: usize) -> Result<bool, TooLarge> {
        let arena = self.alphabet.arena;
        let formula = self.members[member].formula;
        let steps = steps(arena, formula, word);
        if steps <= MOST_STEPS {
            *self.left = self.left.saturating_sub(steps / STEPS_OF_NODE);
            Limits::check("words compared with formulas", 1, *self.left)?;
            return Ok(word.satisfies(arena, formula));
        }
        let machines = [
            &Machine::of_word(word, &self.names[member]),
            &self.automata[member].formula,
        ];
        Ok(common_run(&machines, &Guard::top(), self.left)?.is_some())
    }

    /// Those of the members that exclude what is asked, of which none can be left out.
    fn core(&mut self, asked: Asked, members: Vec<usize>) -> Result<Vec<usize>, TooLarge> {
        let mut core = members.clone();
        for member in members {
            let without: Vec<usize> = core.iter().copied().filter(|&m| m != member).collect();
            if self.word(asked, &without)?.is_none() {
                core = without;
            }
        }
        core.sort_unstable();
        Ok(core)
    }
}

/// About how many steps it takes to find the value of a formula on a word by its definition.
fn steps(arena: &Arena, root: Id, word: &Lasso) -> usize {
    let (prefix, cycle) = word.parts();
    let order = arena.postorder(root);
    let reach = order.iter().map(|&id| match arena.node(id) {
        Node::Within(_, interval, _) | Node::Timed(_, interval, _) | Node::Often(interval, ..) => {
            interval.to.unwrap_or(interval.from) as usize
        }
        Node::Sequence(_, pattern, _) => {
            let places = usize::try_from(pattern.places()).unwrap_or(usize::MAX);
            places.saturating_mul(places)
        }
        _ => 0,
    });
    let reach = reach.fold(1, usize::saturating_add);
    let letters = (prefix.len() + cycle.len()).saturating_add(reach);
    letters.saturating_mul(order.len().saturating_add(reach))
}
