//! The possible data races of a program, and the program in which they are watched.

use std::collections::BTreeMap;
use std::sync::Arc;

use sequentialise::races::{self, Access, Pair, Watched};
use verify::result::{RaceAccess, RacePair};

use crate::program::Program;

/// What the static analysis of races says of a program.
pub struct Possible {
    /// The pairs of accesses that may be a race, with the places where each stands.
    pub pairs: Vec<RacePair>,
    /// Why the program cannot be followed.
    pub blind: Option<String>,
    /// The program in which the pairs are watched, if there are some.
    pub watched: Option<Watching>,
    /// The program in which the pairs are watched with the memory of C11, if atomic operations have weaker orders that matter;
    /// the inner error says why it cannot be followed so.
    pub ordered: Option<Result<Watching, String>>,
    /// The place and the text of each access of the watched program.
    pub sites: Vec<(String, u32)>,
}

/// A program in which pairs are watched.
pub struct Watching {
    /// The program.
    pub program: Arc<Program>,
    /// What is watched in it.
    pub watched: Watched,
    /// See [`Watched::covering`].
    pub covering: Option<Box<Watching>>,
}

impl Watching {
    /// What is watched, with the programs that these texts are; `None` if one of them has no model of the memory that it needs.
    fn of(
        mut watched: Watched,
        made: &dyn Fn(&cfront::Source) -> Result<Option<Program>, String>,
    ) -> Result<Option<Watching>, String> {
        let Some(program) = made(&watched.source)? else {
            return Ok(None);
        };
        let covering = watched.covering.take();
        let covering = covering.map(|c| Watching::of(*c, made)).transpose()?;
        Ok(Some(Watching {
            program: Arc::new(program),
            watched,
            covering: covering.flatten().map(Box::new),
        }))
    }
}

impl Program {
    /// The possible data races, with the programs in which they are watched if they are to be searched. The error says why the program
    /// cannot be followed.
    pub fn possible_races(&self, searched: bool) -> Result<Possible, String> {
        // Specifications that were woven before have added expressions to the syntax tree.
        let own = self.memory().and_then(|memory| memory.before.as_deref());
        let own = own.unwrap_or(&self.source).clone();
        let unit = cfront::Unit::parse(own).map_err(first_message)?;
        let (unit, renamed) = cfront::merge::as_one(unit).map_err(|d| d.message.clone())?;
        let found = races::possible(&unit);
        let named = Named {
            unit: &unit,
            renamed: &renamed,
        };
        let blind = found.blind.as_ref().map(|(why, at)| match at {
            Some(span) => {
                let (file, line) = named.place(*span);
                format!("{file}:{line}: {why}")
            }
            None => why.clone(),
        });
        let sites = found.watched.iter().flat_map(|w| &w.sites);
        let sites = sites.map(|&span| named.place(span)).collect();
        let made = |text: &cfront::Source| {
            let parsed = cfront::Unit::parse(text.clone()).map_err(first_message)?;
            let mut program = Program::of(parsed, self.paths.clone());
            program.renamed.clone_from(&renamed);
            Ok(program)
        };
        let watched = found.watched.filter(|_| searched);
        let watched = watched.map(|w| Watching::of(w, &|text| made(text).map(Some)));
        let ordered = found.ordered.filter(|_| searched);
        let ordered = ordered.and_then(|w| {
            Watching::of(w, &|text| made(text).and_then(Program::ordered)).transpose()
        });
        Ok(Possible {
            pairs: found.pairs.iter().map(|pair| named.pair(pair)).collect(),
            blind,
            watched: watched.transpose()?.flatten(),
            ordered,
            sites,
        })
    }
}

pub(crate) fn first_message(all: Vec<cfront::Diagnostic>) -> String {
    let first = all.into_iter().next();
    first.map(|d| d.message).unwrap_or_default()
}

/// A program with the names that its text has in place of the user's.
struct Named<'a> {
    unit: &'a cfront::Unit,
    renamed: &'a BTreeMap<String, String>,
}

impl Named<'_> {
    fn place(&self, span: cfront::Span) -> (String, u32) {
        let (file, line) = self.unit.source.lines.line(span.start);
        (file.to_owned(), line)
    }

    fn pair(&self, pair: &Pair) -> RacePair {
        RacePair {
            object: cfront::merge::restored(self.renamed, &pair.object),
            first: self.access(&pair.first),
            second: self.access(&pair.second),
        }
    }

    fn access(&self, access: &Access) -> RaceAccess {
        let (file, line) = self.place(access.span);
        RaceAccess {
            file,
            line,
            thread: None,
            routine: cfront::merge::restored(self.renamed, &access.thread),
            writes: access.writes,
            atomic: access.atomic,
            held: access.held.clone(),
        }
    }
}
