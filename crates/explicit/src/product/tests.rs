//! Random graphs: demands of fairness as conditions on loops against the same demands as a premise of the formula, and runs
//! that are found against the formula.
#![allow(clippy::unwrap_used)]

use automata::{translate, Options};
use ltl::lasso::{Lasso, Letter};
use ltl::Atom;

use super::*;
use crate::graph::{Action, Age, Edge, Node};

/// The propositions, by their positions in valuations.
const NAMES: [&str; 5] = ["p", "q", "a", "b", "c"];
const FORMULAS: [&str; 8] = [
    "G p",
    "F q",
    "G F p",
    "F G p",
    "p U q",
    "G (p -> F q)",
    "G F p -> G F q",
    "G (p || X (q U p))",
];
const DEMANDED: [&[(Option<usize>, usize)]; 5] = [
    &[],
    &[(None, 2)],
    &[(None, 2), (None, 3)],
    &[(Some(2), 3)],
    &[(Some(2), 3), (Some(3), 4), (Some(4), 2)],
];

/// A generator of numbers (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % most as u64) as usize
    }
}

/// A graph in which each state has the last letter that was taken on the way to it.
fn graph(numbers: &mut Numbers) -> Graph {
    let valuations: Vec<Vec<bool>> = (0..32_u32)
        .map(|v| (0..NAMES.len()).map(|at| v >> at & 1 == 1).collect())
        .collect();
    let few: Vec<u32> = (0..4).map(|_| numbers.below(32) as u32).collect();
    let count = 2 + numbers.below(7);
    let mut nodes: Vec<Node> = (0..count)
        .map(|_| Node {
            ended: numbers.below(8) == 0,
            letter: few[numbers.below(few.len())],
            ..Node::default()
        })
        .collect();
    nodes[0].ended = false;
    let mut lists = Vec::new();
    for from in 0..count {
        let edges = if nodes[from].ended {
            0
        } else {
            numbers.below(4)
        };
        for _ in 0..edges {
            let to = numbers.below(count);
            let mut letters = Vec::new();
            if nodes[from].letter != nodes[to].letter || numbers.below(3) > 0 {
                if numbers.below(2) == 0 {
                    letters.push(few[numbers.below(few.len())]);
                }
                letters.push(nodes[to].letter);
            }
            let actions = letters.iter().map(|&l| Action::Letter(None, l));
            lists.push(Actions(actions.collect()));
            nodes[from].edges.push(Edge {
                to: to as u32,
                actions: lists.len() as u32 - 1,
            });
        }
    }
    Graph {
        nodes,
        actions: lists,
        valuations,
        ..Graph::default()
    }
}

fn claim(formula: &str, demands: &[(Option<usize>, usize)]) -> Claim {
    let mut parsed = ltl::parse(formula).unwrap();
    let negated = parsed.arena.negate(parsed.root);
    let atoms = parsed.arena.atoms_of(negated).into_iter().map(|atom| {
        let Atom::Name(name) = &parsed.arena.atoms()[atom.0 as usize] else {
            unreachable!("all are names");
        };
        (atom, NAMES.iter().position(|n| n == name).unwrap())
    });
    let atoms = atoms.collect();
    let demands = demands.iter();
    Claim {
        negation: translate(&parsed.arena, negated, &Options::default()).unwrap(),
        atoms,
        demands: demands
            .map(|&(often, then)| Demand { often, then })
            .collect(),
    }
}

fn premised(formula: &str, demands: &[(Option<usize>, usize)]) -> String {
    let demand = |&(often, then): &(Option<usize>, usize)| match often {
        Some(often) => format!("(G F {} -> G F {})", NAMES[often], NAMES[then]),
        None => format!("G F {}", NAMES[then]),
    };
    let all: Vec<String> = demands.iter().map(demand).collect();
    match all.is_empty() {
        true => formula.to_owned(),
        false => format!("({}) -> ({formula})", all.join(" && ")),
    }
}

/// Whether the word of a run violates a formula.
fn violates(graph: &Graph, run: &Violation, formula: &str) -> bool {
    let parsed = ltl::parse(formula).unwrap();
    let letter = |number: u32| -> Letter {
        let holds = |name: &str| {
            let at = NAMES.iter().position(|n| *n == name);
            at.is_some_and(|at| graph.valuations[number as usize][at])
        };
        let atoms = parsed.arena.atoms_of(parsed.root).into_iter();
        let named = |atom: &ltl::AtomId| match &parsed.arena.atoms()[atom.0 as usize] {
            Atom::Name(name) => holds(name),
            Atom::Condition(_) => false,
        };
        atoms.filter(named).collect()
    };
    let word = |steps: &[(u32, usize)]| -> Vec<Letter> {
        let edges = steps
            .iter()
            .map(|(n, e)| &graph.nodes[*n as usize].edges[*e]);
        let letters = edges.flat_map(|edge| graph.actions_of(edge).letters());
        letters.map(letter).collect()
    };
    let mut at = 0;
    for (from, edge) in &run.steps {
        assert_eq!(*from, at, "the run is none of the graph's: {run:?}");
        at = graph.nodes[at as usize].edges[*edge].to;
    }
    let start = run.loop_start.unwrap_or(run.steps.len());
    let (stem, round) = (word(&run.steps[..start]), word(&run.steps[start..]));
    let back = run.steps.get(start).is_none_or(|(from, _)| *from == at);
    assert!(back, "the loop does not come back: {run:?}");
    let infinite = match round.is_empty() {
        false => Lasso::new(stem, round),
        // The first letter is taken with the first step, so that a run without one has none.
        true if stem.is_empty() => return true,
        true => Lasso::stutter(&stem),
    };
    !infinite.unwrap().satisfies(&parsed.arena, parsed.root)
}

#[test]
fn demands_are_what_a_premise_of_the_formula_would_be() {
    let mut numbers = Numbers(1);
    let (mut violated, mut loops) = (0, 0);
    for formula in FORMULAS {
        for demands in DEMANDED {
            let apart = claim(formula, demands);
            let whole = premised(formula, demands);
            let joined = claim(&whole, &[]);
            for _ in 0..60 {
                let graph = graph(&mut numbers);
                let found = violation(&graph, &apart);
                let expected = violation(&graph, &joined);
                assert_eq!(
                    found.is_some(),
                    expected.is_some(),
                    "{whole}: {found:?} {expected:?} {graph:?}"
                );
                for run in found.iter().chain(&expected) {
                    assert!(violates(&graph, run, &whole), "{whole}: {run:?} {graph:?}");
                }
                violated += usize::from(found.is_some());
                loops += usize::from(found.is_some_and(|run| run.loop_start.is_some()));
            }
        }
    }
    // Neither all nor none, with and without loops.
    assert!((240..2160).contains(&violated), "{violated}");
    assert!(loops > 120 && violated - loops > 20, "{violated} {loops}");
}

/// The runs of a graph of which at most `most` steps read the ages of old time stamps, as a graph of its own: layers without
/// loops, and behind them the graph without those steps.
fn unrolled(graph: &Graph, most: usize) -> Graph {
    let count = graph.nodes.len();
    let behind = |layer: usize| {
        let layer = layer * count;
        graph.nodes.iter().map(move |node| {
            let mut node = node.clone();
            let before = most * count;
            let ages = |edge: &Edge| graph.actions_of(edge).ages() != (false, false);
            node.edges.retain(|edge| layer < before || !ages(edge));
            let mut next = node.edges.clone();
            for edge in &mut node.edges {
                edge.to += before as u32;
            }
            if layer + count < before {
                next.iter_mut().for_each(|e| e.to += (layer + count) as u32);
                node.edges.append(&mut next);
            }
            node
        })
    };
    Graph {
        nodes: (0..=most).flat_map(behind).collect(),
        actions: graph.actions.clone(),
        valuations: graph.valuations.clone(),
        ..Graph::default()
    }
}

#[test]
fn loops_without_old_time_stamps_are_found_behind_others() {
    let mut numbers = Numbers(2);
    let (mut timeless_ones, mut none) = (0, 0);
    for formula in FORMULAS {
        for demands in DEMANDED {
            let claim = claim(formula, demands);
            for _ in 0..20 {
                let mut graph = graph(&mut numbers);
                for actions in &mut graph.actions {
                    if numbers.below(3) == 0 {
                        actions.0.push(Action::Age(Age::Old));
                    }
                }
                let found = timeless(&graph, &claim);
                let steps = graph.nodes.len() * claim.negation.states().len();
                let expected = violation(&unrolled(&graph, steps), &claim);
                assert_eq!(
                    found.is_some(),
                    expected.is_some(),
                    "{formula} {demands:?}: {found:?} {expected:?} {graph:?}"
                );
                let any = violation(&graph, &claim).is_some();
                none += usize::from(any && found.is_none());
                let Some(run) = found else { continue };
                let whole = premised(formula, demands);
                assert!(violates(&graph, &run, &whole), "{whole}: {run:?} {graph:?}");
                let first = run.loop_start.unwrap_or(run.steps.len());
                let mut edges = run.steps[first..].iter();
                let ages = |(n, e): &(u32, usize)| {
                    let edge = &graph.nodes[*n as usize].edges[*e];
                    graph.actions_of(edge).ages()
                };
                assert!(edges.all(|step| ages(step) == (false, false)), "{run:?}");
                timeless_ones += 1;
            }
        }
    }
    assert!(timeless_ones > 100 && none > 20, "{timeless_ones} {none}");
}

#[test]
fn a_prefix_is_a_violation_where_no_loop_is_known() {
    let (to, actions) = (1, 0);
    let first = Node {
        letter: 1,
        edges: vec![Edge { to, actions }],
        ..Node::default()
    };
    let graph = Graph {
        nodes: vec![first, Node::default()],
        actions: vec![Actions(vec![Action::Letter(None, 0)])],
        valuations: vec![vec![false; 5], vec![true; 5]],
        ..Graph::default()
    };
    for (formula, expected) in [("G p", true), ("G F p", false), ("G (p -> F q)", false)] {
        let claim = claim(formula, &[]);
        assert_eq!(violation(&graph, &claim), None, "{formula}");
        let found = prefix_or_violation(&graph, &claim);
        assert_eq!(
            found.is_some_and(|run| run.is_prefix),
            expected,
            "{formula}"
        );
    }
}

/// The letters of maximal runs, where a state is on one if it reaches an end or itself again.
fn letters_by_ways(graph: &Graph) -> BTreeSet<u32> {
    let count = graph.nodes.len();
    let mut reaches = vec![vec![false; count]; count];
    for (n, node) in graph.nodes.iter().enumerate() {
        for edge in &node.edges {
            reaches[n][edge.to as usize] = true;
        }
    }
    for via in 0..count {
        for from in 0..count {
            for to in 0..count {
                reaches[from][to] |= reaches[from][via] && reaches[via][to];
            }
        }
    }
    let lasts = |n: usize| graph.nodes[n].ended || reaches[n][n];
    let goes_on = |n: usize| lasts(n) || (0..count).any(|to| reaches[n][to] && lasts(to));
    let mut found = BTreeSet::new();
    for n in (0..count).filter(|&n| goes_on(n)) {
        found.insert(graph.nodes[n].letter);
        let edges = graph.nodes[n].edges.iter();
        let edges = edges.filter(|e| goes_on(e.to as usize));
        found.extend(edges.flat_map(|e| graph.actions_of(e).letters()));
    }
    found
}

#[test]
fn letters_are_those_of_runs_that_go_on() {
    let mut numbers = Numbers(3);
    let mut fewer = 0;
    for _ in 0..500 {
        let graph = graph(&mut numbers);
        let found = letters(&graph);
        assert_eq!(found, letters_by_ways(&graph), "{graph:?}");
        let edges = graph.nodes.iter().flat_map(|n| &n.edges);
        let letters = edges.flat_map(|e| graph.actions_of(e).letters());
        let mut all: BTreeSet<u32> = letters.collect();
        all.extend(graph.nodes.iter().map(|n| n.letter));
        fewer += usize::from(found.len() < all.len());
    }
    assert!(fewer > 50, "{fewer}");
}
