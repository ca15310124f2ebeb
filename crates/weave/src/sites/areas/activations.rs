//! Areas of recursive functions in which the run may end: the end of the run leaves the areas of all the
//! thread's activations, not only of the innermost one.
//!
//! The flags of such an area are static for each thread and belong to the innermost activation. Each activation
//! saves the flags of the enclosing one, and counters tell how many enclosing activations have the area open
//! and contribute, so that the end can treat them together.

use crate::bind::propositions::Extent;
use crate::facts::FunctionIndex;
use crate::items::OfThread;
use crate::layout::variables::{Storage, Variable};
use crate::layout::weaver::Weaver;

impl Weaver<'_> {
    /// Whether activations of an area's function save the flags of the enclosing activations.
    pub(crate) fn is_stacked(&self, area: usize) -> bool {
        let is_static = self.layout.static_flags[area];
        let area = &self.bound.areas[area];
        is_static
            && self.analysis.threads.recursive[area.function]
            && !matches!(area.extent, Extent::At(_))
    }

    fn stacked_areas(&self, function: FunctionIndex) -> Vec<usize> {
        (0..self.bound.areas.len())
            .filter(|&a| self.bound.areas[a].function == function && self.is_stacked(a))
            .collect()
    }

    /// The counter of enclosing activations that have the area open.
    pub(crate) fn deep(&self, area: usize) -> String {
        format!("ba_deep_in_{}", self.bound.areas[area].name)
    }

    /// The propositions of an area to which each activation contributes for itself.
    fn contributed(&self, area: usize) -> Vec<&Variable> {
        let all = self.bound.areas[area].propositions.iter();
        all.map(|&p| &self.layout.variables[p])
            .filter(|v| matches!(v.storage, Storage::Frame { own: true, .. }))
            .collect()
    }

    /// The counters of an area whose flags activations save.
    pub(crate) fn deep_counters(&self, area: usize) -> Vec<String> {
        let contributions = self.contributed(area).into_iter().map(deep_contribution);
        let mut counters: Vec<String> =
            [self.deep(area)].into_iter().chain(contributions).collect();
        if self.mine_of(area).is_some() {
            counters.push(self.deep_mine(area));
        }
        counters
    }

    /// The flag of the followed activation, if the area has propositions about a single activation.
    fn mine_of(&self, area: usize) -> Option<String> {
        let mut all = self.bound.areas[area].propositions.iter();
        all.find_map(|&p| self.layout.variables[p].follows.clone())
    }

    /// The counter that tells whether the area is open in an enclosing activation that is followed.
    fn deep_mine(&self, area: usize) -> String {
        format!("ba_deep_mine_{}", self.bound.areas[area].name)
    }

    /// Whether activations save whether the enclosing one is followed.
    pub(crate) fn keeps_followed(&self, function: FunctionIndex) -> bool {
        self.analysis.threads.recursive[function]
            && self.followed().contains(&function)
            && self.has_static_flags(function)
    }

    fn outer_mine(&self, function: FunctionIndex) -> String {
        format!("ba_outer_mine_{}", self.facts.functions[function].emitted)
    }

    /// Declares the variables in which activations save the flags of the enclosing one.
    pub(crate) fn declare_activations(&mut self, area: usize) {
        let function = self.bound.areas[area].function;
        if self.mine_of(area).is_some() && self.stacked_areas(function).len() > 1 {
            let place = self.facts.functions[function].place;
            let name = &self.facts.functions[function].name;
            let message =
                format!("`{name}` is recursive, has several areas, and the run may end in it");
            let label = "the monitor cannot tell at the end which activation it follows";
            let help = "use `instances` other than `each`, or one area";
            return self.refuse(place, message, label, Some(help));
        }
        for counter in self.deep_counters(area) {
            self.out.global(OfThread::unused("unsigned ", &counter));
        }
        let (flag, deep, name) = (
            self.flag(area),
            self.deep(area),
            self.bound.areas[area].name.clone(),
        );
        let mut text = format!("_Bool ba_outer_in_{name} = {flag}; {deep} += ba_outer_in_{name}; ");
        if let Some(mine) = self.mine_of(area) {
            let deep = self.deep_mine(area);
            text.push_str(&format!("{deep} += ba_outer_in_{name} && {mine}; "));
        }
        text.push_str(&format!("{flag} = 0; "));
        for v in self.contributed(area) {
            let (own, outer, default) = (v.own(), outer(v), u8::from(v.default));
            text.push_str(&format!(
                "_Bool {outer} = {own}; {} += {outer} != {default}; {own} = {default}; ",
                deep_contribution(v)
            ));
        }
        self.out.declare(function, &text);
    }

    /// The text at the end of an activation that restores the flags of the enclosing one.
    pub(crate) fn end_of_activation(&self, function: FunctionIndex) -> String {
        let mut text = String::new();
        for area in self.stacked_areas(function) {
            let (flag, deep, name) = (
                self.flag(area),
                self.deep(area),
                &self.bound.areas[area].name,
            );
            text.push_str(&format!("{flag} = ba_outer_in_{name}; {deep} -= {flag}; "));
            for v in self.contributed(area) {
                let (own, outer, default) = (v.own(), outer(v), u8::from(v.default));
                text.push_str(&format!(
                    "{own} = {outer}; {} -= {own} != {default}; ",
                    deep_contribution(v)
                ));
            }
            if let Some(mine) = self.mine_of(area) {
                let deep = self.deep_mine(area);
                let outer = self.outer_mine(function);
                text.push_str(&format!("{mine} = {outer}; {deep} -= {flag} && {mine}; "));
            }
        }
        if self.keeps_followed(function) {
            let (mine, name) = (self.mine(function), &self.facts.functions[function].emitted);
            let outer = self.outer_mine(function);
            text.push_str(&format!(
                "{mine} = {outer}; ba_asked_{name} = ba_outer_asked_{name}; "
            ));
        }
        text
    }

    /// The text before the text by which the end of a run or thread leaves areas. It merges the enclosing
    /// activations with the innermost one, which changes no proposition: one open instance remains, with the
    /// contribution of all.
    pub(crate) fn gather_activations(&self, areas: &[usize]) -> String {
        let stacked = areas.iter().filter(|&&a| self.is_stacked(a));
        stacked.map(|&a| self.gather(a)).collect()
    }

    fn gather(&self, area: usize) -> String {
        let (flag, deep) = (self.flag(area), self.deep(area));
        let mut text = String::new();
        for &p in &self.bound.areas[area].propositions {
            let v = &self.layout.variables[p];
            if v.counts_open() && v.follows.is_none() {
                text.push_str(&format!("ba_open_{} -= {deep} - !{flag}; ", v.name));
            }
        }
        for v in self.contributed(area) {
            let (own, default, other) = (v.own(), u8::from(v.default), u8::from(!v.default));
            let contributions = deep_contribution(v);
            let one = match v.all {
                true => format!("{contributions} == {deep} && ({own} != {default} || !{flag})"),
                false => format!("{contributions} || {own} != {default}"),
            };
            let counted = matches!(v.storage, Storage::Frame { counted: true, .. });
            if counted {
                text.push_str(&format!(
                    "ba_count_{} -= {contributions} + ({own} != {default}); ",
                    v.name
                ));
            }
            text.push_str(&format!("{own} = ({one}) ? {other} : {default}; "));
            if counted {
                text.push_str(&format!("ba_count_{} += {own} != {default}; ", v.name));
            }
            text.push_str(&format!("{contributions} = 0; "));
        }
        if let Some(mine) = self.mine_of(area) {
            let deep = self.deep_mine(area);
            text.push_str(&format!(
                "{mine} = ({mine} && {flag}) || {deep}; {deep} = 0; "
            ));
        }
        format!("if ({deep}) {{ BA_BEGIN(); {text}{flag} = 1; {deep} = 0; BA_END(); }} ")
    }
}

fn outer(v: &Variable) -> String {
    format!("ba_outer_{}", v.name)
}

/// The counter of enclosing activations that contribute to a proposition.
fn deep_contribution(v: &Variable) -> String {
    format!("ba_deep_{}", v.name)
}
