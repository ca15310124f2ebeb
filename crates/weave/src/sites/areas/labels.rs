//! The sites of areas: labels that enter and leave them, and jumps and ends of scopes that leave them.

use std::collections::BTreeMap;

use crate::bind::propositions::Extent;
use crate::facts::record::SiteEvent;
use crate::facts::{Call, FunctionIndex, ObjectIndex, Range};
use crate::layout::weaver::Weaver;

/// The areas that one label leaves and enters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Crossing {
    /// Areas with the label as their exit.
    pub left: Vec<usize>,
    /// Areas with the label as their entry.
    pub entered: Vec<usize>,
    /// Areas whose only position is the label.
    pub pulses: Vec<usize>,
}

impl Weaver<'_> {
    /// Plans the labels of all areas and of the environment. The text at a label has this order: reachability
    /// is asserted, the run may be discarded, areas are left and entered in one event, and a letter is taken.
    pub fn plan_labels(&mut self) {
        let facts = self.facts;
        for (number, crossing) in self.crossings() {
            let label = &facts.labels[number];
            // The text of an entry is planned with the rest of the function's start.
            if label.is_entry() {
                continue;
            }
            let text = self.plan_crossed(number, &crossing);
            if text.is_empty() {
                continue;
            }
            if label.in_block {
                let falls = self.falls_through(label.after_colon);
                self.out.insertions.open(
                    label.after_colon,
                    label.depth,
                    0,
                    format!(" {text}{falls}"),
                );
            } else {
                self.out
                    .insertions
                    .open(label.after_colon, label.depth, 0, format!(" {{ {text}"));
                self.out
                    .insertions
                    .close(label.statement.end, label.depth, 0, " }");
            }
        }
    }

    /// The areas that labels leave and enter, by label; also the other labels of the environment and the save
    /// points.
    fn crossings(&self) -> BTreeMap<usize, Crossing> {
        let mut at: BTreeMap<usize, Crossing> = BTreeMap::new();
        for (index, area) in self.bound.areas.iter().enumerate() {
            match area.extent {
                Extent::Labels { entry, exit } => {
                    at.entry(entry).or_default().entered.push(index);
                    at.entry(exit).or_default().left.push(index);
                }
                Extent::At(label) => at.entry(label).or_default().pulses.push(index),
                Extent::Function => {}
            }
        }
        for &label in self.bound.environment.at.keys() {
            at.entry(label).or_default();
        }
        for label in self.save_labels() {
            at.entry(label).or_default();
        }
        at
    }

    /// The text at the entry of a function, if the specification names the entry as a label.
    pub(crate) fn plan_entered(&mut self, function: FunctionIndex) -> String {
        let facts = self.facts;
        let here = |l: usize| facts.labels[l].is_entry() && facts.labels[l].function == function;
        let mut crossings = self.crossings().into_iter();
        match crossings.find(|(label, _)| here(*label)) {
            Some((label, crossing)) => self.plan_crossed(label, &crossing),
            None => String::new(),
        }
    }

    /// The statements at one label.
    fn plan_crossed(&mut self, number: usize, crossing: &Crossing) -> String {
        let facts = self.facts;
        let label = &facts.labels[number];
        let save = self.plan_label_save_point(number) + &self.notice_exit_labels(&crossing.left);
        match self.bound.environment.sampled {
            true => save + &self.plan_sampled_label(number, crossing),
            false => {
                let entered = [&crossing.entered[..], &crossing.pulses].concat();
                let mut text = save + &self.plan_control_label(number);
                text.push_str(&self.cross(&crossing.left, &entered, label.place, label.function));
                text.push_str(&self.leave(&crossing.pulses, &[], label.place, label.function));
                text
            }
        }
    }

    /// A comment that tells compilers that control is meant to fall through to a `case`.
    fn falls_through(&self, offset: usize) -> &'static str {
        let rest = self
            .program
            .text
            .get(offset..)
            .unwrap_or_default()
            .trim_start();
        let word = rest
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .next();
        match word {
            Some("case" | "default") => "/* fall through */",
            _ => "",
        }
    }

    /// The areas of a function that a jump to `target` leaves: those whose exit label can no longer be reached
    /// without entering again, and those with a local whose block the jump leaves.
    pub fn areas_left_by_jump(
        &self,
        function: FunctionIndex,
        from: usize,
        target: usize,
        offset: usize,
    ) -> Vec<usize> {
        let labels = &self.facts.labels;
        (0..self.bound.areas.len())
            .filter(|&index| {
                let area = &self.bound.areas[index];
                let Extent::Labels { entry, exit } = area.extent else {
                    return false;
                };
                let (entry, exit) = (labels[entry].node, labels[exit].node);
                if area.function != function || !self.may_be_open(function, entry, exit, from) {
                    return false;
                }
                if self
                    .parameters_of(index)
                    .any(|o| !contains(self.facts.objects[o].scope, offset))
                {
                    return true;
                }
                if !self.program.flow.reaches(function, entry, exit, None) {
                    return self.leaves_text(index, offset);
                }
                target != entry
                    && target != exit
                    && !self
                        .program
                        .flow
                        .reaches(function, target, exit, Some(entry))
            })
            .collect()
    }

    /// Whether a jump leaves the text from the entry label to the exit label, which is the area if no path
    /// connects the two.
    fn leaves_text(&self, area: usize, to: usize) -> bool {
        let Extent::Labels { entry, exit } = self.bound.areas[area].extent else {
            return false;
        };
        let (entry, exit) = (
            self.facts.labels[entry].place.start,
            self.facts.labels[exit].place.start,
        );
        entry < exit && !(entry..exit).contains(&to)
    }

    /// Whether the area may be open at a node of its function.
    fn may_be_open(&self, function: FunctionIndex, entry: usize, exit: usize, at: usize) -> bool {
        at == entry || self.program.flow.reaches(function, entry, at, Some(exit))
    }

    /// The areas of a function that may be open at a node.
    pub fn areas_open_at(&self, function: FunctionIndex, node: usize) -> Vec<usize> {
        (0..self.bound.areas.len())
            .filter(|&index| self.bound.areas[index].function == function)
            .filter(|&index| match self.bound.areas[index].extent {
                Extent::Labels { entry, exit } => {
                    let labels = &self.facts.labels;
                    self.may_be_open(function, labels[entry].node, labels[exit].node, node)
                }
                Extent::Function => true,
                Extent::At(_) => false,
            })
            .collect()
    }

    /// Whether an area between labels may be open at a node of its function, given that jumps that leave the
    /// area close it. Only remarks ask this; the emitted code tests a flag.
    pub fn is_still_open_at(&self, area: usize, node: usize) -> bool {
        let function = self.bound.areas[area].function;
        let Extent::Labels { entry, exit } = self.bound.areas[area].extent else {
            return false;
        };
        let labels = &self.facts.labels;
        let jumps = self.facts.jumps.iter().filter(|j| {
            j.function == function
                && self
                    .areas_left_by_jump(function, j.node, j.target, j.target_offset)
                    .contains(&area)
        });
        let closing: Vec<usize> = jumps.map(|j| j.node).chain([labels[exit].node]).collect();
        let entry = labels[entry].node;
        node == entry
            || self
                .program
                .flow
                .reaches_past(function, entry, node, &closing)
    }

    /// The locals of the area's function that the area's propositions read.
    fn parameters_of(&self, area: usize) -> impl Iterator<Item = ObjectIndex> + '_ {
        let function = self.bound.areas[area].function;
        self.bound.areas[area]
            .propositions
            .iter()
            .flat_map(|&p| self.bound.propositions[p].objects.iter().copied())
            .filter(move |&o| {
                matches!(self.facts.objects[o].lifetime, crate::facts::Lifetime::Local(f) if f == function)
            })
    }

    /// The copied objects of a function that a jump to an offset ends.
    pub fn objects_ended(
        &self,
        function: FunctionIndex,
        from: usize,
        to: Option<usize>,
    ) -> Vec<ObjectIndex> {
        let mut ended = self.copied_locals_of(function);
        ended.retain(|&o| {
            let scope = self.facts.objects[o].scope;
            contains(scope, from) && !to.is_some_and(|to| contains(scope, to))
        });
        ended
    }

    /// Plans the gotos, breaks and continues that leave an area or end the lifetime of a watched local.
    pub fn plan_jumps(&mut self) {
        let facts = self.facts;
        for jump in &facts.jumps {
            let areas =
                self.areas_left_by_jump(jump.function, jump.node, jump.target, jump.target_offset);
            let objects =
                self.objects_ended(jump.function, jump.range.start, Some(jump.target_offset));
            if areas.is_empty() && objects.is_empty() {
                continue;
            }
            self.notice_exit(&areas, jump.range);
            let text = self.leave(&areas, &objects, jump.range, jump.function);
            self.out
                .insertions
                .around(jump.range, jump.depth, 0, format!("{{ {text}"), " }");
        }
        self.plan_computed_jumps();
        self.plan_header_initialisers();
        self.plan_scope_ends();
    }

    /// Plans the gotos to computed addresses. The address decides at run time which areas the goto leaves; it
    /// is one of the labels of the function whose addresses are taken. The address is computed before the
    /// jump, because CBMC ignores side effects in the jump's operand.
    fn plan_computed_jumps(&mut self) {
        let facts = self.facts;
        for (number, jump) in facts.computed_jumps.iter().enumerate() {
            let mut text = String::new();
            if !self.is_never_cut(jump.function) {
                let site = self.add_site(jump.range, jump.function, SiteEvent::Cut);
                let counter = format!("ba_computed{number}");
                self.out
                    .declare(jump.function, &format!("unsigned {counter} = 0; "));
                let bound = self.plan_bound_of(jump.function, &[]);
                text.push_str(&format!("BA_BOUND({counter}, {bound}, {site}); "));
            }
            let may_go = |label: &crate::facts::Label| {
                let taken = facts.label_addresses.iter();
                label.function == jump.function
                    && taken
                        .clone()
                        .any(|(f, name)| *f == label.function && *name == label.name)
            };
            for label in facts.labels.iter().filter(|l| may_go(l)) {
                let to = label.place.start;
                let areas = self.areas_left_by_jump(jump.function, jump.node, label.node, to);
                let objects = self.objects_ended(jump.function, jump.range.start, Some(to));
                self.notice_exit(&areas, jump.range);
                let leave = self.leave(&areas, &objects, jump.range, jump.function);
                if !leave.is_empty() {
                    let name = crate::facts::names::user(&label.name);
                    text.push_str(&format!("if (ba_target == &&{name}) {{ {leave}}} "));
                }
            }
            let (value, depth) = (jump.value, jump.depth);
            let open = "{ const void *ba_target = /* ";
            self.out.insertions.open(jump.range.start, depth, 0, open);
            self.out.insertions.open(value.start, depth, 1, "*/ (");
            self.out.insertions.close(value.end, depth, 1, ")");
            let close = format!(" {text}goto *ba_target; BA_ASSUME(0); }}");
            self.out.insertions.close(jump.range.end, depth, 0, close);
        }
    }

    /// Plans `for` headers that initialise a copied object: the copy gets the value, too.
    fn plan_header_initialisers(&mut self) {
        let facts = self.facts;
        for init in &facts.header_initialisers {
            if !self.layout.copied[init.object] {
                continue;
            }
            let object = &facts.objects[init.object];
            let name = crate::facts::names::user(&object.name);
            if object.value_type.is_none() {
                self.refuse(
                    init.range,
                    format!("{name} is read by a proposition of other code and initialised in a `for` header"),
                    "no scalar",
                    Some("declare it before the loop"),
                );
                continue;
            }
            let site = self.add_site(init.range, init.function, SiteEvent::Write);
            let updates = self.plan_updates_of_object(init.object, init.function, init.range);
            let refresh = self.refresh_with(init.object, "ba_value");
            let event = self.event(site, &refresh, updates, "");
            self.out.insertions.around(
                init.value,
                init.depth,
                0,
                format!("(__extension__ ({{ __typeof__({name}) ba_value = ("),
                format!("); {event}ba_value; }}))"),
            );
        }
    }

    /// Plans the ends of blocks inside function bodies, where the lifetimes of objects end, and areas that
    /// depend on these.
    fn plan_scope_ends(&mut self) {
        let facts = self.facts;
        let mut scopes: Vec<(Range, bool, i32, FunctionIndex)> = Vec::new();
        for (o, object) in facts.objects.iter().enumerate() {
            let crate::facts::Lifetime::Local(function) = object.lifetime else {
                continue;
            };
            let watched = !self.layout.watchers[o].is_empty();
            if watched && object.scope != facts.functions[function].body && !object.parameter {
                scopes.push((
                    object.scope,
                    object.scope_is_for,
                    object.scope_depth,
                    function,
                ));
            }
        }
        scopes.sort_by_key(|s| s.0);
        scopes.dedup();
        for (scope, is_for, depth, function) in scopes {
            let areas: Vec<usize> = (0..self.bound.areas.len())
                .filter(|&a| self.bound.areas[a].function == function)
                .filter(|&a| {
                    self.parameters_of(a)
                        .any(|o| facts.objects[o].scope == scope)
                })
                .collect();
            let mut objects = self.copied_locals_of(function);
            objects.retain(|&o| facts.objects[o].scope == scope);
            let end = Range {
                start: scope.end.saturating_sub(1),
                end: scope.end,
            };
            let text = self.leave(&areas, &objects, end, function);
            if text.is_empty() {
                continue;
            }
            if is_for {
                self.out
                    .insertions
                    .around(scope, depth, 1, "{ ", format!(" {text}}}"));
            } else {
                self.out.insertions.open(end.start, depth, 0, text);
            }
        }
    }

    /// Like [`Weaver::notice_exit`], for a call that leaves its function; only areas of the calling function
    /// are noted.
    pub fn notice_exit_by(&mut self, call: &Call, areas: &[usize]) {
        let mut own = areas.to_vec();
        own.retain(|&a| self.bound.areas[a].function == call.function);
        self.notice_exit(&own, call.range);
    }

    /// Notes that code leaves areas other than by their exit labels.
    pub fn notice_exit(&mut self, areas: &[usize], range: Range) {
        for &area in areas {
            if let Extent::Labels { exit, .. } = self.bound.areas[area].extent {
                let exit = self.facts.labels[exit].name.clone();
                self.note(
                    range,
                    format!(
                        "the area `{}` is left here without reaching `{exit}`",
                        self.bound.areas[area].name
                    ),
                    "closes the area",
                );
            }
        }
    }
}

fn contains(range: Range, offset: usize) -> bool {
    range.start <= offset && offset < range.end
}
