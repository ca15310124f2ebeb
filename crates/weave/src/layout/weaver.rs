//! The planning of an instrumentation: the [`Context`] that planners read, the [`Weaver`] through which they
//! contribute, and the texts of events that several planners need.

use std::collections::BTreeSet;

use crate::analysis::Analysis;
use crate::bind::propositions::Extent;
use crate::bind::resolve::Bound;
use crate::facts::options::Options;
use crate::facts::record::{SiteEvent, SiteRecord};
use crate::facts::remarks::Remark;
use crate::facts::{Facts, FunctionIndex, ObjectIndex, Range};
use crate::items::event::{Change, Event, Now};
use crate::layout::output::Output;
use crate::layout::variables::{Layout, Reading, Storage};
use crate::layout::Program;
use crate::monitor::Monitors;
use crate::plan::insertions::Insertions;

/// A proposition, the condition under which an event evaluates it, and its new value.
pub type PlannedUpdate = (usize, Option<String>, Now);

/// What planners read: the results of the earlier rooms, which no one changes any more. The layout is complete
/// when the storage of all propositions is decided; only [`crate::layout`] can write it.
pub struct Context<'a> {
    /// The facts of the program: the room `collect`.
    pub facts: &'a Facts,
    /// The program itself: its text, code, control flow, files.
    pub program: &'a Program<'a>,
    /// The options.
    pub options: &'a Options,
    /// The specification, resolved in the program: the room `bind`.
    pub bound: &'a Bound,
    /// The results of analyses: the room `analysis`.
    pub analysis: &'a Analysis,
    /// The monitors: the room `monitor`.
    pub monitors: &'a Monitors,
    /// The layout: the room `layout`.
    pub layout: Layout,
}

impl Context<'_> {
    /// Whether some run may be discarded. Then the word of a cut run may belong to no run at all
    /// (docs/semantics.md, "Discarded runs").
    pub fn discards(&self) -> bool {
        let analysis = self.analysis;
        analysis.failed_assertions || analysis.supposes || self.bound.environment.discards()
    }

    /// Whether the flags of some area of a function are static.
    pub fn has_static_flags(&self, function: FunctionIndex) -> bool {
        let mut areas = self.bound.areas.iter().zip(&self.layout.static_flags);
        areas.any(|(area, is_static)| area.function == function && *is_static)
    }
}

/// The planning of an instrumentation: the [`Context`], which planners read, and the [`Output`], to which they
/// contribute insertions, sites and items. [`Weaver::finish`] ends it.
pub struct Weaver<'a> {
    pub(in crate::layout) context: Context<'a>,
    /// What planners have contributed.
    pub out: Output<'a>,
}

impl<'a> std::ops::Deref for Weaver<'a> {
    type Target = Context<'a>;

    fn deref(&self) -> &Context<'a> {
        &self.context
    }
}

impl<'a> Weaver<'a> {
    /// Decides the storage of the propositions. No site is planned yet.
    pub fn new(
        program: &'a Program<'a>,
        options: &'a Options,
        bound: &'a Bound,
        analysis: &'a Analysis,
        monitors: &'a Monitors,
    ) -> Self {
        let facts = program.facts;
        let mut weaver = Weaver {
            context: Context {
                facts,
                program,
                options,
                bound,
                analysis,
                monitors,
                layout: Layout::new(facts, bound),
            },
            out: Output::new(facts),
        };
        weaver.classify();
        let whole = bound.propositions.iter().any(|p| p.area.is_none());
        weaver.context.layout.starts = whole || !monitors.first.is_empty();
        weaver.context.layout.covered_areas = weaver.areas_of_covers();
        weaver.context.layout.covered_exits = weaver.exits_of_covers();
        weaver.context.layout.covered_starts = weaver.starts_of_covers();
        for &routine in &weaver.context.layout.covered_starts {
            weaver.out.thread_starts[routine].push_str(&format!("BA_SEE_START({routine}); "));
        }
        weaver
    }

    /// Whether the program needs the models of threads and of synchronisation.
    pub fn modelled(&self) -> bool {
        self.analysis.synchronises || self.out.waits.needed
    }

    /// Ends the planning: inserts the declarations of each function, and the text of its start, into its body.
    pub fn finish(mut self) -> Finished<'a> {
        let bodies = std::mem::take(&mut self.out.bodies);
        for (function, body) in self.context.facts.functions.iter().zip(bodies) {
            let text = body.declarations + &body.start;
            if !text.is_empty() {
                let at = function.body.start + 1;
                self.out.insertions.open(at, 0, 0, format!(" {text}"));
            }
        }
        Finished { weaver: self }
    }
}

/// A complete planning. It can be read like the [`Weaver`], but takes no more contributions.
pub struct Finished<'a> {
    weaver: Weaver<'a>,
}

impl<'a> std::ops::Deref for Finished<'a> {
    type Target = Weaver<'a>;

    fn deref(&self) -> &Weaver<'a> {
        &self.weaver
    }
}

impl Finished<'_> {
    /// All insertions.
    pub fn insertions(self) -> Insertions {
        self.weaver.out.insertions
    }
}

impl<'a> Weaver<'a> {
    /// Adds a site and returns its number.
    pub fn add_site(&mut self, range: Range, function: FunctionIndex, event: SiteEvent) -> usize {
        let (file, line) = (self.program.locate)(range.start);
        let what = self.source(range);
        self.out.sites.push(SiteRecord {
            file,
            line,
            function: self.facts.functions[function].name.clone(),
            event,
            what,
            decided: None,
        });
        self.out.sites.len() - 1
    }

    /// The source text of a range on one line, shortened for display.
    pub fn source(&self, range: Range) -> String {
        const LONGEST: usize = 80;
        // The forms to which the preprocessor expands `NULL`.
        let mut line = self.whole_source(range).replace("((void *)0) )", "NULL)");
        line = line.replace("((void *)0)", "NULL");
        if line.chars().count() > LONGEST {
            line = line.chars().take(LONGEST - 1).collect::<String>() + "…";
        }
        line
    }

    /// The source text of a range on one line, without line markers.
    pub(crate) fn whole_source(&self, range: Range) -> String {
        let text = self
            .program
            .text
            .get(range.start..range.end)
            .unwrap_or_default();
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
        words.join(" ")
    }

    /// Refuses the construct at a place.
    pub fn refuse(&mut self, range: Range, message: String, label: &str, help: Option<&str>) {
        self.out.remarks.push(Remark {
            range,
            message,
            label: label.into(),
            help: help.map(str::to_string),
            error: true,
        });
    }

    /// Adds a note about a place.
    pub fn note(&mut self, range: Range, message: String, label: &str) {
        self.out.remarks.push(Remark {
            range,
            message,
            label: label.into(),
            help: None,
            error: false,
        });
    }

    /// The flag of an area in its function.
    pub fn flag(&self, area: usize) -> String {
        format!("ba_in_{}", self.bound.areas[area].name)
    }

    /// The condition under which a frame of an area's function contributes to a proposition.
    pub fn contributes(&self, p: usize, area: usize) -> String {
        match &self.layout.variables[p].follows {
            Some(mine) => format!("{} && {mine}", self.flag(area)),
            None => self.flag(area),
        }
    }

    /// The statements of an event, in an atomic block. Each of `updates` has a proposition, the condition of
    /// its evaluation and its new value.
    pub fn event(
        &mut self,
        site: usize,
        before: &str,
        mut updates: Vec<PlannedUpdate>,
        after: &str,
    ) -> Event {
        updates.sort_by_key(|u| u.0);
        updates.dedup_by_key(|u| u.0);
        let members: Vec<usize> = updates.iter().map(|u| u.0).collect();
        let group = match members.len() {
            0 | 1 => 0,
            _ => self.add_group(members.clone()),
        };
        let pre_reads = self.pre_read_once(&updates);
        let changes = updates.into_iter().map(|(p, guard, now)| {
            let variable = &self.layout.variables[p];
            Change {
                name: variable.name.clone(),
                own: variable.own(),
                keeps_own: variable.keeps_own(),
                guard,
                now,
            }
        });
        Event {
            site,
            before: format!("{before}{pre_reads}"),
            changes: changes.collect(),
            group,
            after: after.into(),
        }
    }

    fn add_group(&mut self, members: Vec<usize>) -> usize {
        if let Some(known) = self.out.shared.groups.iter().position(|g| *g == members) {
            return known;
        }
        self.out.shared.groups.push(members);
        self.out.shared.groups.len() - 1
    }

    /// The statements and updates that enter an area, for use in an event.
    fn enter_parts(&self, area: usize) -> (String, Vec<PlannedUpdate>) {
        let flag = self.flag(area);
        let mut before = self.follow(area);
        if self.layout.covered_areas.contains(&area) {
            before.push_str(&format!("BA_SEE_AREA({area}); "));
        }
        let mut updates = Vec::new();
        for &p in &self.bound.areas[area].propositions {
            let variable = &self.layout.variables[p];
            if variable.counts_open() {
                let mine = variable.follows.as_ref().map(|m| format!(" && {m}"));
                before.push_str(&format!(
                    "if (!{flag}{}) ba_open_{}++; ",
                    mine.unwrap_or_default(),
                    variable.name
                ));
            }
            if variable.reading != Reading::Events {
                continue;
            }
            updates.push((p, variable.follows.clone(), variable.evaluation_call()));
        }
        before.push_str(&format!("{flag} = 1; "));
        (before, updates)
    }

    /// The areas (between labels, or of functions) that some run should enter: those of all formulas.
    fn areas_of_covers(&self) -> BTreeSet<usize> {
        let areas = self.bound.propositions.iter();
        let areas = areas.filter(|p| !p.used_by.is_empty());
        areas
            .filter_map(|p| p.area)
            .filter(|&area| !matches!(self.bound.areas[area].extent, Extent::At(_)))
            .collect()
    }

    /// The start functions of threads that some run should start, because only these threads write what some
    /// proposition of a formula reads.
    fn starts_of_covers(&self) -> BTreeSet<FunctionIndex> {
        let pairs = self.bound.propositions.iter().zip(&self.analysis.unwritten);
        let used = pairs.filter(|(p, _)| !p.used_by.is_empty());
        used.filter_map(|(_, unwritten)| unwritten.as_ref())
            .flat_map(|unwritten| unwritten.routines.iter().copied())
            .collect()
    }

    /// The areas whose exit label some run should reach. If no path leads there, the area is meant to stay
    /// open.
    fn exits_of_covers(&self) -> BTreeSet<usize> {
        let labels = &self.facts.labels;
        let leads = |area: &&usize| match self.bound.areas[**area].extent {
            Extent::Labels { entry, exit } => {
                let (from, to) = (labels[entry].node, labels[exit].node);
                let function = self.bound.areas[**area].function;
                entry != exit && self.program.flow.reaches(function, from, to, None)
            }
            _ => false,
        };
        let covered = self.layout.covered_areas.iter().filter(leads);
        covered.copied().collect()
    }

    /// The name of the exit label of an area, if some run should reach it.
    pub fn exit_of_covers(&self, area: usize) -> Option<String> {
        match self.bound.areas[area].extent {
            Extent::Labels { exit, .. } if self.layout.covered_exits.contains(&area) => {
                Some(self.facts.labels[exit].name.clone())
            }
            _ => None,
        }
    }

    /// The statements at an exit label that note which areas are open there.
    pub fn notice_exit_labels(&self, areas: &[usize]) -> String {
        let covered = |area: &&usize| self.layout.covered_exits.contains(area);
        let notice =
            |&area: &usize| format!("if ({}) {{ BA_SEE_EXIT({area}); }} ", self.flag(area));
        areas.iter().filter(covered).map(notice).collect()
    }

    /// The conditions, statements and updates that leave areas and end the lifetimes of copied objects, as one
    /// event.
    fn leave_parts(
        &self,
        areas: &[usize],
        objects: &[ObjectIndex],
    ) -> (Vec<String>, String, Vec<PlannedUpdate>, String) {
        let (mut conditions, mut before, mut updates, mut after) =
            (Vec::new(), String::new(), Vec::new(), String::new());
        let alone = areas.len() + objects.len() == 1;
        for &area in areas {
            let flag = self.flag(area);
            for &p in &self.bound.areas[area].propositions {
                let variable = &self.layout.variables[p];
                let open = self.contributes(p, area);
                if variable.counts_open() {
                    before.push_str(&format!("if ({open}) ba_open_{}--; ", variable.name));
                }
                if variable.reading != Reading::Events {
                    continue;
                }
                let followed = variable.follows.is_some();
                match variable.storage {
                    Storage::Remote => updates.push((
                        p,
                        (self.monitors.every_event && (followed || !alone)).then_some(open),
                        variable.evaluation_call(),
                    )),
                    _ => updates.push((
                        p,
                        (followed || !alone).then_some(open),
                        Now::Is(variable.default),
                    )),
                }
            }
            after.push_str(&format!("{flag} = 0; "));
            conditions.push(flag);
        }
        for &object in objects {
            let live = self.live(object);
            before.push_str(&format!("{live} = 0; "));
            for &p in &self.layout.watchers[object] {
                // A frame's proposition does not read the copy; it ends with its area.
                let frame = matches!(self.layout.variables[p].storage, Storage::Frame { .. });
                if frame || self.layout.variables[p].reading != Reading::Events {
                    continue;
                }
                updates.push((p, None, self.layout.variables[p].evaluation_call()));
            }
            conditions.push(live);
        }
        (conditions, before, updates, after)
    }

    /// The text that enters an area.
    pub fn enter(&mut self, area: usize, range: Range) -> String {
        let function = self.bound.areas[area].function;
        let site = self.add_site(range, function, SiteEvent::Enter);
        let (before, updates) = self.enter_parts(area);
        self.event(site, &before, updates, "").to_string()
    }

    /// The text that leaves areas if they are open, and ends lifetimes; empty without either.
    pub fn leave(
        &mut self,
        areas: &[usize],
        objects: &[ObjectIndex],
        range: Range,
        function: FunctionIndex,
    ) -> String {
        if areas.is_empty() && objects.is_empty() {
            return String::new();
        }
        let site = self.add_site(range, function, SiteEvent::Leave);
        let (conditions, before, updates, after) = self.leave_parts(areas, objects);
        let event = self.event(site, &before, updates, &after);
        let forgotten: String = objects
            .iter()
            .filter(|&&o| self.layout.addressed[o])
            .map(|&o| format!("{} = 0; ", self.address(o)))
            .collect();
        format!("if ({}) {{ {event}}} {forgotten}", conditions.join(" || "))
    }

    /// The text of a label that leaves some areas and enters others, as one event.
    pub fn cross(
        &mut self,
        left: &[usize],
        entered: &[usize],
        range: Range,
        function: FunctionIndex,
    ) -> String {
        match (left, entered) {
            ([], []) => String::new(),
            (left, []) => self.leave(left, &[], range, function),
            ([], [one]) => self.enter(*one, range),
            _ => {
                let site = self.add_site(range, function, SiteEvent::Enter);
                // These guards still read the flags of the areas that are left.
                let (_, mut before, mut updates, after) = self.leave_parts(left, &[]);
                for update in &mut updates {
                    let area = self.bound.propositions[update.0].area;
                    if let Some(area) = area.filter(|a| left.contains(a)) {
                        update.1 = Some(self.contributes(update.0, area));
                    }
                }
                for &area in entered {
                    let (more, entering) = self.enter_parts(area);
                    before.push_str(&more);
                    updates.extend(entering);
                }
                self.event(site, &before, updates, &after).to_string()
            }
        }
    }
}
