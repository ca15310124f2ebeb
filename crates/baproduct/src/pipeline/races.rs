//! The possible data races of a program, and the program in which they are watched.

use std::collections::BTreeMap;
use std::sync::Arc;

use sequentialise::races::{self, Access, Pair, Watched};
use verify::result::{RaceAccess, RacePair};

use super::program::Program;

/// What the static analysis of races says of a program.
pub struct Possible {
    /// The pairs of accesses that may be a race, with the places where each stands.
    pub pairs: Vec<RacePair>,
    /// Why the program cannot be followed.
    pub blind: Option<String>,
    /// The program in which the pairs are watched, if there are some.
    pub watched: Option<(Arc<Program>, Watched)>,
    /// The place and the text of each access of the watched program.
    pub sites: Vec<(String, u32)>,
}

impl Program {
    /// The possible data races. The inner error says why the program cannot be followed.
    pub fn possible_races(&self) -> Result<Possible, String> {
        // Specifications that were woven before have added expressions to the syntax tree.
        let unit = cfront::Unit::parse(self.source.clone()).map_err(|all| {
            let first = all.into_iter().next();
            first.map(|d| d.message).unwrap_or_default()
        })?;
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
        let watched = match found.watched {
            Some(watched) => {
                let parsed = cfront::Unit::parse(watched.source.clone()).map_err(|all| {
                    let first = all.into_iter().next();
                    first.map(|d| d.message).unwrap_or_default()
                })?;
                let mut program = Program::of(parsed, self.paths.clone());
                program.renamed.clone_from(&renamed);
                Some((Arc::new(program), watched))
            }
            None => None,
        };
        Ok(Possible {
            pairs: found.pairs.iter().map(|pair| named.pair(pair)).collect(),
            blind,
            watched,
            sites,
        })
    }
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
