//! Programs whose allocated memory has any content.

use cfront::summary::{summarised, Summary};

use crate::program::Program;

/// A program with any content of the memory that it allocates.
pub enum SummarisedProgram {
    /// It allocates none that this is about.
    Same,
    /// It has all runs of the program, and more.
    Made(Box<Program>),
    /// Why there is none, with the place.
    Refused(String),
}

impl Program {
    /// Whether it calls functions that allocate memory, by their names.
    pub fn allocates(&self) -> bool {
        let mut names = self.facts.calls.iter().filter_map(|c| c.callee.as_deref());
        names.any(cfront::library::allocates)
    }

    /// The program with any content of the memory that it allocates. The text of the specification tells which static objects keep
    /// their names; its conditions stand in the tree since it was woven.
    ///
    /// # Errors
    /// If an earlier weaving came to an unexpected end.
    pub fn summarised(&self, spec: &str) -> anyhow::Result<SummarisedProgram> {
        if self.paths.len() > 1 {
            return Ok(match self.merged(spec)? {
                // The conditions of the specification stand in the tree of the files only.
                Ok(_) => SummarisedProgram::Refused("the program has several files".to_owned()),
                Err(why) => SummarisedProgram::Refused(why),
            });
        }
        self.with_unit(|unit, _| match summarised(unit, &self.flows, self.own) {
            Summary::Nothing => SummarisedProgram::Same,
            Summary::Refused(why) => SummarisedProgram::Refused(why),
            Summary::Program(source) => match cfront::Unit::parse(source) {
                Ok(unit) => {
                    let program = self.derived(unit, self.renamed.clone());
                    SummarisedProgram::Made(Box::new(program))
                }
                Err(_) => SummarisedProgram::Refused("its text cannot be read again".to_owned()),
            },
        })
    }
}
