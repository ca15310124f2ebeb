//! Recursive functions in a program that is woven for a proof: marks at their starts and returns, which the prover
//! defines. Where it defines nothing, the recursion is followed.

use super::{Lasso, Place};
use crate::facts::heads::{Head, Recursive, Scalar};
use crate::facts::{FunctionIndex, Lifetime};
use crate::layout::weaver::Weaver;

use cfront::types::{QualType, Type};

impl Weaver<'_> {
    /// Whether the start and the returns of a function are marked for a summary.
    pub(crate) fn is_summarised(&self, function: FunctionIndex) -> bool {
        self.proves()
            && self.analysis.threads.nested[function]
            && !self.is_never_cut(function)
            && function != self.analysis.main
    }

    /// The mark at the start of a recursive function.
    pub(crate) fn start_of_summarised(&mut self, function: FunctionIndex, site: usize) -> String {
        if let Some(lasso) = self.out.lasso.as_mut() {
            lasso.entries.insert(function, site);
        }
        match self.is_summarised(function) {
            true => format!("BA_ENTER_{} ", self.facts.functions[function].emitted),
            false => String::new(),
        }
    }

    /// The mark at a return of a recursive function, which may give a value.
    pub(crate) fn end_of_summarised(&self, function: FunctionIndex, gives: bool) -> String {
        let name = &self.facts.functions[function].emitted;
        match (self.is_summarised(function), gives) {
            (true, true) => format!("BA_LEAVE_{name} "),
            (true, false) => format!("BA_FALL_{name} "),
            (false, _) => String::new(),
        }
    }

    /// The marks, which are empty where the prover does not define them.
    pub(crate) fn marks_of_summarised(&self) -> Vec<(String, String)> {
        let all = 0..self.facts.functions.len();
        let of = |f: FunctionIndex| {
            let name = &self.facts.functions[f].emitted;
            ["ENTER", "LEAVE", "FALL"].map(|kind| (format!("BA_{kind}_{name}"), String::new()))
        };
        all.filter(|&f| self.is_summarised(f))
            .flat_map(of)
            .collect()
    }

    /// The recursive functions that runs reach.
    pub(super) fn recursive_functions(&self, lasso: &Lasso) -> Vec<Recursive> {
        let facts = self.facts;
        let loops = facts.loops.iter().map(|l| l.function);
        let jumps = facts.jumps.iter().filter(|j| j.repeats.is_some());
        let around: Vec<usize> = loops.chain(jumps.map(|j| j.function)).collect();
        let one = |f: usize| {
            let function = &facts.functions[f];
            let (file, line) = (self.program.locate)(function.place.start);
            let result = self.result_of(f);
            Recursive {
                name: function.name.clone(),
                place: format!("{file}:{line}"),
                bound: format!("BA_UNWIND_{}", function.emitted),
                loops: around.iter().any(|&l| self.analysis.threads.reaches(f, l)),
                emitted: function.emitted.clone(),
                entry: self.entry(lasso, f, result.as_ref().err()),
                result: result.unwrap_or_default(),
            }
        };
        let all = 0..facts.functions.len();
        all.filter(|&f| !self.is_never_cut(f) && self.analysis.threads.nested[f])
            .map(one)
            .collect()
    }

    /// The start of a recursive function as a cut.
    fn entry(&self, lasso: &Lasso, f: FunctionIndex, obstacle: Option<&String>) -> Head {
        let function = &self.facts.functions[f];
        let place = Place {
            function: f,
            range: function.place,
            offset: function.body.start + 1,
            point: None,
        };
        let site = lasso.entries.get(&f).copied();
        let range = (function.body.start, function.body.end);
        let mut head = self.head(lasso, place, site.unwrap_or_default(), range, None);
        head.entered = false;
        let own = self.watched_within(f);
        let other = match (site, obstacle) {
            (None, _) => Some("its start is not known".into()),
            _ if f == self.analysis.main => Some("it is `main`".into()),
            (_, Some(what)) => Some(what.clone()),
            _ => own.or_else(|| self.fixed_parameter(lasso, f)),
        };
        head.obstacle = head.obstacle.or(other);
        head
    }

    /// Why each activation of a function has a part of the monitor's state.
    fn watched_within(&self, f: FunctionIndex) -> Option<String> {
        let areas = self.bound.areas.iter().any(|a| a.function == f);
        let own =
            |o: &usize| matches!(self.facts.objects[*o].lifetime, Lifetime::Local(g) if g == f);
        let mut propositions = self.bound.propositions.iter();
        let reads = propositions.any(|p| p.objects.iter().any(&own));
        let copies = self.copied_locals_of(f).iter().any(&own);
        match areas || reads || copies {
            true => Some("a proposition belongs to single calls of it".into()),
            false => None,
        }
    }

    /// Why the parameters cannot get any values.
    fn fixed_parameter(&self, lasso: &Lasso, f: FunctionIndex) -> Option<String> {
        if self.facts.functions[f].parameters.is_none() {
            return Some("it takes any number of arguments".into());
        }
        let mut objects = self.facts.objects.iter().enumerate();
        let fixed = objects.find(|(o, object)| {
            object.parameter
                && object.lifetime == Lifetime::Local(f)
                && lasso.observed.objects[*o].constant
        });
        fixed.map(|(_, object)| format!("its parameter `{}` is `const`", object.name))
    }

    /// The kind of a function's result.
    ///
    /// # Errors
    /// Why a summary cannot give it.
    fn result_of(&self, f: FunctionIndex) -> Result<Option<Scalar>, String> {
        let function = &self.facts.functions[f];
        if function.returns_void {
            return Ok(None);
        }
        if function.falls_off {
            return Err("it may end without a value".into());
        }
        let tree = self.program.code.tree();
        let ret: Option<QualType> = match tree.types.get(tree.functions[function.id].ty) {
            Type::Function(of) => Some(of.ret),
            _ => None,
        };
        let known = ret.and_then(|ty| match tree.types.get(ty) {
            Type::Bool => Some(Scalar::Truth),
            Type::Int(kind) if tree.types.bits(*kind) <= 64 => Some(Scalar::Integer(
                tree.types.bits(*kind),
                tree.types.signed(*kind),
            )),
            Type::Enum(_) => {
                let kind = tree.types.int_kind(ty);
                let signed = kind.is_none_or(|kind| tree.types.signed(kind));
                Some(Scalar::Integer(tree.types.model.int, signed))
            }
            Type::Float(_) => Some(Scalar::Real),
            _ => None,
        });
        match known {
            Some(scalar) => Ok(Some(scalar)),
            None => Err("its result is no number".into()),
        }
    }
}
