//! Turns events into steps of the trace: letters, and the steps shown between them.

use backend::Location;
use weave::record::{SiteEvent, REACH};

use super::names::{called_name, is_remembered, remembered_by};
use super::{event_of, Reader};
use crate::result::{Event, Input, TraceStep};
use crate::steps::Step;

impl Reader<'_> {
    /// Letter 0.
    pub(super) fn start(&mut self) {
        let main = self
            .record
            .sites
            .iter()
            .find(|s| s.event == SiteEvent::Start);
        let (file, line) = main.map_or((String::new(), 0), |s| (s.file.clone(), s.line));
        self.push(
            Event::Start,
            file,
            line,
            "main".into(),
            0,
            "main starts".into(),
        );
        if let Some(step) = self.out.steps.last_mut() {
            step.values.clone_from(&self.first);
        }
    }

    /// Whether an assignment gives no value to show: a remembered value has none before its letter is chosen.
    pub(super) fn is_unchosen(&mut self, name: &str, number: Option<i128>) -> bool {
        if let Some(variable) = remembered_by(name) {
            match number {
                Some(0) | None => self.remembered.remove(&variable),
                Some(_) => self.remembered.insert(variable),
            };
            return true;
        }
        is_remembered(name) && !self.remembered.contains(name)
    }

    /// Shows a remembered value at the letter at which it is chosen: the choice is a part of the event.
    pub(super) fn chosen(&mut self, name: &str, text: &str) {
        if !self.remembered.contains(name) {
            return;
        }
        let mut reads = self.record.propositions.iter().flat_map(|p| &p.reads);
        let Some(read) = reads.find(|read| read.object == name) else {
            return;
        };
        let values = match self.pending.is_some() {
            true => &mut self.shown,
            false => &mut self.first,
        };
        values.insert(read.name.clone(), text.to_owned());
    }

    pub(super) fn push(
        &mut self,
        event: Event,
        file: String,
        line: u32,
        function: String,
        thread: u32,
        what: String,
    ) {
        self.out.steps.push(TraceStep {
            step: self.out.steps.len() as u32,
            file,
            line,
            function,
            thread: self.numbers.get(&thread).copied().unwrap_or(thread),
            event,
            what,
            props: self.props.clone(),
            monitor: self.monitor,
            values: self.shown.clone(),
            verdict: None,
            object: None,
            holders: Vec::new(),
            missing: None,
            input: None,
            called: None,
            call: None,
            argument_of: None,
            interrupt: None,
            interrupted: None,
        });
    }

    /// Ends the current event. An event without a change is a letter only if every event is one.
    pub(crate) fn flush(&mut self) {
        let Some((number, thread, changed)) = self.pending.take() else {
            return;
        };
        let given = self.given.take();
        let Some(site) = self.record.sites.get(number) else {
            return;
        };
        let event = event_of(site);
        self.out.cut |= event == Event::Cut;
        if event == Event::Save {
            self.out.loop_start = Some(self.out.steps.len() as u32);
        }
        // The state may have repeated earlier; only the last time counts.
        self.repeated = (event == Event::Repeat).then(|| site.clone());
        let letter = match self.record.sampled {
            true => event == Event::Sample,
            false => changed || self.record.every_event && event != Event::Repeat,
        };
        if letter
            || matches!(event, Event::Cut | Event::Input | Event::Save)
            || (event == Event::Reach && self.property.monitor == REACH)
        {
            if event == Event::Write {
                self.tells_written(thread, site.line);
            }
            self.push(
                event,
                site.file.clone(),
                site.line,
                site.function.clone(),
                thread,
                match given {
                    Some(value) => format!("{} gives {value}", site.what),
                    None => site.what.clone(),
                },
            );
            if event == Event::Enter {
                let called = self.calls.get(&(thread, site.function.clone())).cloned();
                if let Some(step) = self.out.steps.last_mut() {
                    step.called = called;
                }
            }
            if let (Some(value), Some(step)) = (given, self.out.steps.last_mut()) {
                step.input = Some(Input {
                    name: called_name(&site.what).to_string(),
                    value,
                    site: u32::try_from(number).ok(),
                });
            }
        }
    }

    /// Shows or counts a step besides the letters.
    pub(super) fn beside(&mut self, step: Step, thread: u32) {
        self.flush();
        let line = step.at.line.unwrap_or(0);
        self.written = (step.event == Event::Step).then_some((thread, line));
        if !self.full {
            self.out.left_out += 1;
            return;
        }
        if self.out.steps.is_empty() && !self.record.sampled {
            self.start();
        }
        self.shown = self.values.all();
        // By rounds, one emitted function contains all code of a thread, so the user's function is
        // unknown.
        let function = step.at.function.unwrap_or_default();
        let function = match function.starts_with("ba_seq_thread_") {
            true => String::new(),
            false => function,
        };
        self.push(
            step.event,
            step.at.file.unwrap_or_default(),
            line,
            function,
            thread,
            step.what,
        );
    }

    /// Drops the last write if the letter that follows describes it.
    fn tells_written(&mut self, thread: u32, line: u32) {
        if self.written.take() != Some((thread, line)) {
            return;
        }
        match self.full {
            false => self.out.left_out = self.out.left_out.saturating_sub(1),
            true if self
                .out
                .steps
                .last()
                .is_some_and(|s| s.event == Event::Step) =>
            {
                self.out.steps.pop();
            }
            true => {}
        }
    }

    /// Adds the value that a function of the program without a body returned.
    pub(super) fn input(&mut self, name: &str, value: i128, thread: u32, at: &Location) {
        if self.out.steps.is_empty() && !self.record.sampled {
            self.start();
        }
        self.flush();
        self.push(
            Event::Input,
            at.file.clone().unwrap_or_default(),
            at.line.unwrap_or(0),
            at.function.clone().unwrap_or_default(),
            thread,
            format!("{name}() gives {value}"),
        );
        if let Some(step) = self.out.steps.last_mut() {
            step.input = Some(Input {
                name: name.to_string(),
                value,
                site: None,
            });
        }
    }
}
