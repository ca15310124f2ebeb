//! Questions of the plan about control flow, answered by the control flow graphs of the functions.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use cfront::flow::PointId;
use cfront::span::FunctionId;

use crate::facts::{Facts, FunctionIndex};

/// A question about reachability: function, start, and the point that may not be passed.
type Question = (FunctionIndex, usize, Option<usize>);

/// The control flow of all functions of a program. A node is a point of a function's graph.
pub struct Graphs<'a> {
    flows: Vec<Option<&'a cfront::Flow>>,
    /// Answers by question: each is asked for many end points.
    answers: RefCell<HashMap<Question, Rc<Vec<bool>>>>,
}

impl<'a> Graphs<'a> {
    /// The graphs of the functions of `facts`, which were collected from the same unit.
    pub fn new(facts: &Facts, flows: &'a HashMap<FunctionId, cfront::Flow>) -> Graphs<'a> {
        Graphs {
            flows: facts.functions.iter().map(|f| flows.get(&f.id)).collect(),
            answers: RefCell::default(),
        }
    }

    fn answer(&self, question: Question) -> Option<Rc<Vec<bool>>> {
        let (function, from, avoiding) = question;
        let flow = self.flows.get(function).copied().flatten()?;
        if from >= flow.points().count() {
            return None;
        }
        let mut answers = self.answers.borrow_mut();
        let answer = answers.entry(question).or_insert_with(|| {
            let avoiding: Vec<PointId> = avoiding.map(PointId::from_index).into_iter().collect();
            Rc::new(flow.reachable(PointId::from_index(from), &avoiding))
        });
        Some(Rc::clone(answer))
    }

    /// Whether control can go from after `from` to `to` within a function without passing
    /// `avoiding` in between.
    pub fn reaches(
        &self,
        function: FunctionIndex,
        from: usize,
        to: usize,
        avoiding: Option<usize>,
    ) -> bool {
        let reachable = self.answer((function, from, avoiding));
        reachable.is_some_and(|points| points.get(to).copied().unwrap_or(false))
    }

    /// Like [`Graphs::reaches`], avoiding several points.
    pub fn reaches_past(
        &self,
        function: FunctionIndex,
        from: usize,
        to: usize,
        avoiding: &[usize],
    ) -> bool {
        let Some(flow) = self.flows.get(function).copied().flatten() else {
            return false;
        };
        let avoiding: Vec<PointId> = avoiding.iter().map(|&p| PointId::from_index(p)).collect();
        from < flow.points().count()
            && flow
                .reachable(PointId::from_index(from), &avoiding)
                .get(to)
                .is_some_and(|reached| *reached)
    }
}
