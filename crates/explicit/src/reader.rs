//! Reads what a search of all states writes: lines, and between them records (`templates/explicit/written.h`).

use crate::graph::{Action, Actions, Age, Edge, Graph, Node, Partial};

/// Reads the output of a search, part by part.
#[derive(Debug, Default)]
pub struct Reader {
    graph: Graph,
    /// The state whose steps are told.
    from: usize,
    /// What has not been read yet.
    left: Vec<u8>,
    /// How much of it has been read since.
    at: usize,
    whole: bool,
    /// The memory that the graph takes, in bytes, as far as it grows with the number of states and steps.
    bytes: usize,
}

/// What a part of the output is.
enum Part {
    /// It was read.
    Read,
    /// Its end is missing.
    Cut,
    /// It is not understood.
    Wrong,
}

/// The beginnings of records, as `templates/explicit/written.c` has them.
const STEP: u8 = 1;
const FROM: u8 = 2;
const STATE: u8 = 3;
const ACTIONS: u8 = 4;

impl Reader {
    /// Takes more of the output.
    pub fn push(&mut self, bytes: &[u8]) {
        self.left.drain(..self.at);
        self.at = 0;
        self.left.extend_from_slice(bytes);
    }

    /// Reads the next line or record, if it is there as a whole. Where the search was ended, the last one may be cut.
    pub fn advance(&mut self) -> bool {
        let bytes = std::mem::take(&mut self.left);
        let mut rest = Bytes(&bytes[self.at..]);
        let part = match rest.0.first() {
            None => Part::Cut,
            Some(kind) if *kind < b' ' => self.record(&mut rest),
            Some(_) => self.line(&mut rest),
        };
        self.at = match part {
            Part::Read => bytes.len() - rest.0.len(),
            Part::Cut => self.at,
            Part::Wrong => {
                self.graph.partial.get_or_insert(Partial::Internal);
                bytes.len()
            }
        };
        self.left = bytes;
        matches!(part, Part::Read)
    }

    /// The part of the graph that was read. Its states are numbered in the order of their distance from the start.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The memory that the graph takes, in bytes, about.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    fn record(&mut self, rest: &mut Bytes) -> Part {
        let Some(kind) = rest.byte() else {
            return Part::Cut;
        };
        let read = match kind {
            STEP => self.step(rest),
            FROM => rest.number().map(|from| {
                self.from = from as usize;
                self.from < self.graph.nodes.len()
            }),
            STATE => self.state(rest),
            ACTIONS => self.actions(rest),
            _ => Some(false),
        };
        match read {
            None => Part::Cut,
            Some(true) => Part::Read,
            Some(false) => Part::Wrong,
        }
    }

    /// Reads a step: the numbers of a state, and of actions.
    fn step(&mut self, rest: &mut Bytes) -> Option<bool> {
        let (to, actions) = (rest.number()?, rest.number()?);
        let known = to < self.graph.nodes.len() as u64 && actions < self.graph.actions.len() as u64;
        let Some(node) = self.graph.nodes.get_mut(self.from).filter(|_| known) else {
            return Some(false);
        };
        node.edges.push(Edge {
            to: to as u32,
            actions: actions as u32,
        });
        self.bytes += 2 * size_of::<Edge>();
        Some(true)
    }

    fn state(&mut self, rest: &mut Bytes) -> Option<bool> {
        let (kind, letter, site) = (rest.byte()?, rest.number()?, rest.number()?);
        self.bytes += 2 * size_of::<Node>();
        let site = u32::try_from(site)
            .ok()
            .and_then(|site| site.checked_sub(1));
        let Ok(letter) = u32::try_from(letter) else {
            return Some(false);
        };
        self.graph.nodes.push(Node {
            ended: kind == b'e',
            letter,
            site,
            edges: Vec::new(),
        });
        Some(u32::try_from(self.graph.nodes.len()).is_ok())
    }

    fn actions(&mut self, rest: &mut Bytes) -> Option<bool> {
        let size = usize::try_from(rest.number()?).ok()?;
        let (own, behind) = rest.0.split_at_checked(size)?;
        rest.0 = behind;
        let (mut own, mut actions) = (Bytes(own), Vec::new());
        while !own.0.is_empty() {
            let Some(action) = own.action() else {
                return Some(false);
            };
            actions.push(action);
        }
        let letters = self.graph.valuations.len() as u32;
        let known = |a: &Action| !matches!(a, Action::Letter(_, number) if *number >= letters);
        let known = actions.iter().all(known);
        // The table of the search has them, too.
        self.bytes += 2 * size + size_of_val(&*actions) + size_of::<Actions>();
        self.graph.actions.push(Actions(actions));
        Some(known)
    }

    fn line(&mut self, rest: &mut Bytes) -> Part {
        let Some(end) = rest.0.iter().position(|byte| *byte == b'\n') else {
            return Part::Cut;
        };
        let line = String::from_utf8_lossy(&rest.0[..end]);
        rest.0 = &rest.0[end + 1..];
        match self.words(&line) {
            Some(()) => Part::Read,
            None => Part::Wrong,
        }
    }

    fn words(&mut self, line: &str) -> Option<()> {
        let graph = &mut self.graph;
        let mut words = line.split_ascii_whitespace();
        match words.next()? {
            "L" => {
                let number: usize = words.next()?.parse().ok()?;
                let values = words.next().unwrap_or_default();
                (number == graph.valuations.len()).then_some(())?;
                let values = values.bytes().map(|b| b == b'1');
                graph.valuations.push(values.collect());
            }
            "O" => {
                let number: usize = words.next()?.parse().ok()?;
                (number == graph.overflows.len()).then_some(())?;
                let place: u32 = words.next()?.parse().ok()?;
                let file: Vec<&str> = words.collect();
                graph.overflows.push(format!("{}:{place}", file.join(" ")));
            }
            "Z" => {
                self.whole = true;
                let mut numbers = words.map(|w| w.parse::<u64>().ok());
                graph.discarded = numbers.nth(2)??;
                graph.depth = numbers.next()??;
            }
            "T" => graph.partial = Some(why(words)?),
            "M" => graph.partial = Some(Partial::Memory),
            _ => return None,
        }
        Some(())
    }

    /// The graph, where the search was ended for this reason.
    pub fn ended(mut self, why: Partial) -> Graph {
        self.graph.partial = Some(why);
        self.finish()
    }

    /// The graph, behind the last line.
    pub fn finish(mut self) -> Graph {
        if !self.whole {
            self.graph.partial.get_or_insert(Partial::Time);
        }
        self.graph
    }
}

/// Why a search is partial.
fn why<'w>(mut words: impl Iterator<Item = &'w str>) -> Option<Partial> {
    Some(match (words.next()?, words.next()) {
        ("states", _) => Partial::States,
        ("memory", _) => Partial::Memory,
        ("undefined", _) => Partial::Undefined,
        ("inputs", _) => Partial::Inputs,
        ("unchosen", Some(place)) => Partial::Unchosen(place.parse().ok()?),
        ("unburied", array) => Partial::Unburied(array.and_then(|a| a.parse().ok())),
        ("classes", _) => Partial::Classes,
        ("ages", Some(least)) => Partial::Ages(least.parse().ok()?),
        ("crash", Some(number)) => Partial::Crash(number.parse().ok()?),
        _ => Partial::Internal,
    })
}

/// The bytes of records.
struct Bytes<'b>(&'b [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    /// A number, seven bits in a byte.
    fn number(&mut self) -> Option<u64> {
        let (mut value, mut by) = (0, 0);
        loop {
            let byte = self.byte()?;
            value |= u64::from(byte & 127).checked_shl(by).unwrap_or_default();
            by += 7;
            if byte < 128 {
                return Some(value);
            }
        }
    }

    /// A number whose lowest bit is its sign.
    fn with_sign(&mut self) -> Option<i64> {
        let twice = self.number()?;
        let value = (twice >> 1) as i64;
        Some(if twice & 1 == 1 { !value } else { value })
    }

    fn action(&mut self) -> Option<Action> {
        let (kind, site, value) = (self.byte()?, self.with_sign()?, self.with_sign()?);
        let number = u32::try_from(site);
        Some(match kind {
            b'l' => Action::Letter(number.ok(), u32::try_from(value).ok()?),
            b'c' => Action::Given(number.ok()?, i128::from(value)),
            b'u' => Action::Local(number.ok()?, i128::from(value)),
            b'o' => Action::Overflow(number.ok()?),
            b'w' if value < 0 => Action::Age(Age::Old),
            b'w' => Action::Age(Age::Round),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three states with steps between them, written in records.
    const WRITTEN: [&[u8]; 8] = [
        b"\x03h\0\0",
        b"L 0 1\n",
        b"\x03h\0\x05",
        // A letter at site 4 with valuation 0; a value -2 at site 300.
        b"\x04\x07l\x08\0c\xd8\x04\x03",
        b"\x02\0\x01\x01\0",
        b"\x03e\0\x05",
        b"\x02\x01\x01\x02\0",
        b"Z 3 2 0 2 100\n",
    ];

    fn read(parts: &[&[u8]]) -> Graph {
        let mut reader = Reader::default();
        for part in parts {
            reader.push(part);
            while reader.advance() {}
        }
        reader.finish()
    }

    #[test]
    fn what_is_written_is_read_however_it_is_divided() {
        let bytes = WRITTEN.concat();
        let whole = read(&[&bytes]);
        assert_eq!(whole.partial, None);
        assert_eq!((whole.discarded, whole.depth), (0, 2));
        let sites: Vec<_> = whole.nodes.iter().map(|n| (n.site, n.ended)).collect();
        assert_eq!(sites, [(None, false), (Some(4), false), (Some(4), true)]);
        let actions = [Action::Letter(Some(4), 0), Action::Given(300, -2)];
        for (from, to) in [(0, 1), (1, 2)] {
            let edge = whole.nodes[from].edges[0];
            assert_eq!(edge.to, to);
            assert_eq!(*whole.actions_of(&edge).0, actions);
        }
        for at in 0..bytes.len() {
            assert_eq!(read(&[&bytes[..at], &bytes[at..]]), whole, "{at}");
        }
    }

    /// Wherever the search is ended, what is read is the beginning of what it would have written.
    #[test]
    fn the_beginning_of_a_record_is_nothing_else() {
        let bytes = WRITTEN.concat();
        let whole = read(&[&bytes]);
        for at in 0..bytes.len() {
            let cut = read(&[&bytes[..at]]);
            assert_eq!(cut.partial, Some(Partial::Time), "{at}");
            assert!(cut.nodes.len() <= whole.nodes.len());
            for (own, all) in cut.nodes.iter().zip(&whole.nodes) {
                assert!(all.edges.starts_with(&own.edges), "{at}");
            }
        }
    }

    #[test]
    fn what_is_not_understood_is_no_graph_of_all_states() {
        let mut bytes = WRITTEN.concat();
        bytes[0] = 9;
        assert_eq!(read(&[&bytes]).partial, Some(Partial::Internal));
        // A step to a state that is not known.
        let step = [WRITTEN[0], WRITTEN[1], WRITTEN[3], b"\x02\0\x01\x01\0"];
        assert_eq!(read(&step).partial, Some(Partial::Internal));
    }
}
