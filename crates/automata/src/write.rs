//! Automata as text for other tools: the Hanoi format, Graphviz, SPIN.

use crate::buchi::Buchi;
use crate::guard::{atom_name, GuardStyle};
use crate::tables::Tables;
use ltl::{Arena, Atom, AtomId};
use std::collections::HashSet;
use std::fmt::Write as _;

/// Words of Promela that cannot be the name of a proposition (SPIN 6.5).
const PROMELA: &[&str] = &[
    "accept",
    "active",
    "assert",
    "atomic",
    "bit",
    "bool",
    "break",
    "byte",
    "c_code",
    "c_decl",
    "c_expr",
    "c_state",
    "c_track",
    "chan",
    "cond_expr",
    "d_step",
    "d_proctype",
    "do",
    "else",
    "empty",
    "enabled",
    "end",
    "eval",
    "false",
    "fi",
    "for",
    "full",
    "get_priority",
    "goto",
    "hidden",
    "if",
    "in",
    "init",
    "inline",
    "int",
    "len",
    "local",
    "ltl",
    "mtype",
    "nempty",
    "never",
    "nfull",
    "notrace",
    "np_",
    "od",
    "of",
    "pc_value",
    "pid",
    "print",
    "printf",
    "printm",
    "priority",
    "proctype",
    "product",
    "progress",
    "provided",
    "return",
    "run",
    "select",
    "set_priority",
    "short",
    "show",
    "skip",
    "timeout",
    "trace",
    "true",
    "typedef",
    "unless",
    "unsigned",
    "xr",
    "xs",
];

/// Text in quotes, with a backslash before quotes and backslashes.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' | '\r' => out.push(' '),
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}

impl Buchi {
    /// The automaton in the Hanoi format, version 1 (Babiak et al., CAV 2015). `name` is the
    /// formula; the propositions have the names of the arena, C conditions with their braces.
    pub fn to_hoa(&self, arena: &Arena, name: &str) -> String {
        let mut text = String::new();
        let index = |atom: AtomId| self.atoms().binary_search(&atom).unwrap_or(0).to_string();
        let style = GuardStyle {
            name: &index,
            and: "&",
            top: "t",
            bottom: "f",
            ..GuardStyle::default()
        };
        let names: Vec<String> = self
            .atoms()
            .iter()
            .map(|&atom| " ".to_owned() + &quoted(&atom_name(arena, atom)))
            .collect();
        let kind = match self.is_deterministic() {
            true => " deterministic",
            false => "",
        };
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "HOA: v1\nname: {}\nStates: {}\nStart: {}\nAP: {}{}\nacc-name: Buchi\n\
             Acceptance: 1 Inf(0)\nproperties: trans-labels explicit-labels state-acc{kind}\n\
             tool: \"baproduct\"\n--BODY--\n",
            quoted(name),
            self.states().len(),
            self.initial(),
            names.len(),
            names.concat(),
        );
        for (number, state) in self.states().iter().enumerate() {
            let accepting = if state.accepting { " {0}" } else { "" };
            let _ = writeln!(text, "State: {number}{accepting}");
            for edge in &state.edges {
                let _ = writeln!(text, "[{}] {}", edge.guard.text(&style), edge.target);
            }
        }
        text + "--END--\n"
    }

    /// The automaton as a graph for Graphviz.
    pub fn to_dot(&self, arena: &Arena, name: &str) -> String {
        let mut text = String::new();
        let _ = write!(
            text,
            "digraph {} {{\n  rankdir=LR;\n  label={};\n  start [shape=point, label=\"\"];\n  \
             start -> {};\n",
            quoted("automaton"),
            quoted(name),
            self.initial()
        );
        for (number, state) in self.states().iter().enumerate() {
            let shape = if state.accepting {
                "doublecircle"
            } else {
                "circle"
            };
            let _ = writeln!(text, "  {number} [shape={shape}];");
            for edge in &state.edges {
                let label = quoted(&edge.guard.display(arena));
                let _ = writeln!(text, "  {number} -> {} [label={label}];", edge.target);
            }
        }
        text + "}\n"
    }

    /// The automaton as a never claim of SPIN. C conditions are in parentheses; a name that Promela does not
    /// allow is changed, with the original in a comment.
    pub fn to_never(&self, arena: &Arena, name: &str) -> String {
        let names = self.promela_names(arena);
        let style = GuardStyle {
            name: &|atom| {
                let place = self.atoms().binary_search(&atom).unwrap_or(0);
                names[place].0.clone()
            },
            and: " && ",
            or: " || ",
            parenthesise: true,
            ..GuardStyle::default()
        };
        let mut text = format!("never {{ /* {} */\n", in_comment(name));
        for (short, original) in names.iter().filter(|(_, original)| !original.is_empty()) {
            let _ = writeln!(text, "  /* {short} is {} */", in_comment(original));
        }
        let order = std::iter::once(self.initial())
            .chain((0..self.states().len()).filter(|&s| s != self.initial()));
        for number in order {
            let state = &self.states()[number];
            let _ = writeln!(text, "{}:", self.promela_label(number));
            let forever =
                matches!(&state.edges[..], [edge] if edge.target == number && edge.guard.is_true());
            if state.edges.is_empty() {
                text.push_str("  false;\n");
            } else if forever && state.accepting {
                text.push_str("  skip\n");
            } else {
                text.push_str("  do\n");
                for edge in &state.edges {
                    let guard = match edge.guard.is_true() {
                        true => "1".to_owned(),
                        false => edge.guard.text(&style),
                    };
                    let target = self.promela_label(edge.target);
                    let _ = writeln!(text, "  :: ({guard}) -> goto {target}");
                }
                text.push_str("  od;\n");
            }
        }
        text + "}\n"
    }

    /// The label of a state: SPIN recognises accepting states by a prefix of the label.
    fn promela_label(&self, state: usize) -> String {
        let accepting = self.states()[state].accepting;
        let prefix = if accepting { "accept" } else { "T0" };
        if state == self.initial() {
            return format!("{prefix}_init");
        }
        let forever = |s: usize| matches!(&self.states()[s].edges[..], [edge] if edge.target == s && edge.guard.is_true());
        // SPIN accepts when it reaches the end of a claim.
        if accepting && forever(state) {
            return format!("accept_all{state}");
        }
        format!("{prefix}_S{state}")
    }

    /// The name of each proposition in Promela, and its own name if that differs.
    fn promela_names(&self, arena: &Arena) -> Vec<(String, String)> {
        let name_of = |atom: &AtomId| arena.atoms().get(atom.0 as usize);
        let mut taken: HashSet<String> = HashSet::new();
        for atom in self.atoms() {
            if let Some(Atom::Name(name)) = name_of(atom) {
                taken.insert(name.clone());
            }
        }
        let mut names = Vec::new();
        for atom in self.atoms() {
            names.push(match name_of(atom) {
                Some(Atom::Condition(condition)) => (format!("({condition})"), String::new()),
                Some(Atom::Name(name)) if is_promela(name) => (name.clone(), String::new()),
                Some(Atom::Name(name)) => {
                    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
                    let mut short = "p_".to_owned();
                    short.extend(name.chars().map(plain));
                    while !taken.insert(short.clone()) {
                        short.push('_');
                    }
                    (short, name.clone())
                }
                None => (format!("p_{}", atom.0), String::new()),
            });
        }
        names
    }
}

fn is_promela(name: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(word)
        && !PROMELA.contains(&name)
}

/// Text without the end of a comment.
fn in_comment(text: &str) -> String {
    text.replace("*/", "* /").replace(['\n', '\r'], " ")
}

impl Tables {
    /// The tables of an automaton, one line for each state.
    pub fn display(&self, automaton: &Buchi, arena: &Arena) -> String {
        let mut text = String::new();
        for (number, state) in automaton.states().iter().enumerate() {
            let _ = writeln!(
                text,
                "state={number} initial={} accepting={} surely_accept={} surely_reject={} \
                 stutter_accept={}",
                number == automaton.initial(),
                state.accepting,
                self.surely_accept[number],
                self.surely_reject[number],
                self.stutter_accept[number].display(arena),
            );
        }
        text
    }
}
