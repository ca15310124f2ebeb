//! The engine for programs that allocate memory without a bound: proofs about the program in which that memory has any content.

use forms::{Listener, SummarisedProgram};
use verify::portfolio::{Board, Search, Stage};
use verify::result::{Asked, Engine, Holds, PropertyResult, Tried, VerifyResult};

use super::wide::steps;
use super::{Applies, Question};
use crate::prove;

/// What is said in front of what stands in the way of a proof.
const HERE: &str = "with any content of allocated memory";
/// Why a violation counts for nothing.
const MORE: &str =
    "a run violates the formula, with values in allocated memory that may never be there";
/// What a proof rests on.
const PREMISE: &str =
    "allocated memory is used within its size, as long as it is allocated, no object is larger than differences of pointers are, and \
     the size that an allocation asks for does not overflow";

/// Proofs, with any content of allocated memory.
pub(super) struct Memory<'a> {
    question: &'a Question<'a>,
    output: &'a dyn Listener,
}

impl<'a> Memory<'a> {
    pub(super) fn new(question: &'a Question<'a>, output: &'a dyn Listener) -> Self {
        Memory { question, output }
    }

    fn ways(&self) -> prove::Ways {
        let has = |engine| self.question.engines.has(engine);
        prove::Ways {
            explicit: has(Engine::Explicit),
            induction: has(Engine::Induction),
            ..prove::Ways::default()
        }
    }

    /// A property without an answer, for this reason.
    fn open(&self, number: usize, why: &str) -> PropertyResult {
        let record = &self.question.source.whole.record;
        Asked::of(record, number).open(format!("{HERE}: {why}"))
    }

    /// What stands for nothing but proofs of the program with more runs.
    fn proofs(&self, found: VerifyResult) -> VerifyResult {
        let question = self.question;
        let mut whole = found;
        for (number, property) in whole.properties.iter_mut().enumerate() {
            match property.answer.holds {
                Holds::Proved => continue,
                Holds::Refuted => *property = self.open(number, MORE),
                Holds::Unknown => {
                    let answer = std::mem::take(&mut property.answer);
                    let why = answer.reason.unwrap_or_default();
                    *property = self.open(number, &why);
                    property.answer.tried = answer.tried;
                    let told = |one: &mut Tried| one.said = format!("{HERE}: {}", one.said);
                    property.answer.tried.iter_mut().for_each(told);
                }
            }
        }
        // Those of the other program name what stands in the place of memory.
        let record = &question.source.whole.record;
        whole.premises.assumptions = question.options.assumptions(record);
        whole.premises.assumptions.push(PREMISE.to_owned());
        whole.findings.clear();
        whole.warnings.clear();
        whole
    }
}

impl Applies for Memory<'_> {
    fn applies(&self) -> bool {
        let source = self.question.source;
        let without_threads = !source.whole.record.threads && source.spec.formulas() > 0;
        without_threads && self.ways().any() && source.program.allocates()
    }
}

impl Search<anyhow::Error> for Memory<'_> {
    fn engine(&self) -> Engine {
        Engine::Induction
    }

    fn stage(&self) -> Stage {
        self.question.beside()
    }

    fn run(&self, board: &Board) -> anyhow::Result<VerifyResult> {
        let question = self.question;
        let source = question.source.without_state(self.output);
        let all = 0..source.spec.formulas();
        let refused = |why: &str| VerifyResult {
            properties: all.clone().map(|n| self.open(n, why)).collect(),
            ..VerifyResult::default()
        };
        let program = match source.program.summarised(source.spec.text())? {
            SummarisedProgram::Same => return Ok(refused("all of it is allocated once")),
            SummarisedProgram::Refused(why) => return Ok(refused(&why)),
            SummarisedProgram::Made(program) => program,
        };
        let wide = match source.of(*program, self.output)? {
            Ok(wide) => wide,
            Err(why) => return Ok(refused(&why)),
        };
        if steps(&wide.whole.record) != steps(&source.whole.record) {
            return Ok(refused("the formula may look into allocated memory"));
        }
        let found = prove::of_any_memory(&prove::Question {
            source: &wide,
            backend: question.backend,
            options: question.options,
            until: Some(question.until),
            output: self.output,
            ways: self.ways(),
            states: prove::STATES,
            questions: None,
            certificate: None,
            board,
            turns: &::verify::explicit::Turns::default(),
            publishes: false,
        })?;
        Ok(self.proofs(found))
    }
}
