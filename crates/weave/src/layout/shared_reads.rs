//! Finds the objects that one atomic block may read at several places.

use std::collections::BTreeMap;

use crate::bind::expression::{Leaf, Piece};
use crate::bind::propositions::Proposition;
use crate::facts::names::{self, value_of_object};
use crate::facts::{Lifetime, ObjectIndex};
use crate::items::event::Now;
use crate::layout::variables::Storage;
use crate::layout::weaver::{PlannedUpdate, Weaver};

use crate::layout::pre_reads::PreRead;

impl Weaver<'_> {
    /// The shared memory that an evaluation reads, and the least number of places that read it; 2 if that is
    /// unknown. `frame` tells whether the evaluation gets the values of locals as arguments.
    fn shared_reads(&self, proposition: &Proposition, frame: bool) -> BTreeMap<PreRead, usize> {
        let mut found: BTreeMap<PreRead, usize> = BTreeMap::new();
        let mut add = |lvalue: String, value_type: Option<String>, times: usize| {
            let pre_read = PreRead { lvalue, value_type };
            *found.entry(pre_read).or_default() += times;
        };
        for piece in &proposition.evaluation {
            let Piece::Leaf(leaf) = piece else { continue };
            let object = &self.facts.objects[leaf.object];
            match self.is_local(leaf.object) {
                true if frame => {}
                true => {
                    add(self.copy(leaf), leaf.value_type.clone(), 1);
                    add(self.live(leaf.object), Some("_Bool".into()), 1);
                }
                false if leaf.address => {
                    let (lvalue, ty) = self.whole(leaf.object);
                    add(lvalue, ty, 2);
                }
                false if object.lifetime == Lifetime::Static => {
                    let read = Leaf {
                        led_through: false,
                        ..leaf.clone()
                    };
                    add(self.named(&read), leaf.value_type.clone(), 1);
                }
                false => {}
            }
        }
        // Reads in functions and through pointers are not counted.
        for region in &proposition.regions {
            let objects: Vec<ObjectIndex> = match (region.place.root, &region.lvalue) {
                (Some(_), Some(_)) => continue,
                (Some(o), None) => vec![o],
                (None, _) => self.led_to(region.place.lvalue),
            };
            for o in objects {
                if self.facts.objects[o].lifetime == Lifetime::Static {
                    let (lvalue, ty) = self.whole(o);
                    add(lvalue, ty, 2);
                }
            }
        }
        found
    }

    fn whole(&self, o: ObjectIndex) -> (String, Option<String>) {
        let object = &self.facts.objects[o];
        let lvalue = match object.value_type {
            Some(_) => value_of_object(&object.name, o),
            None => names::object(&object.name, o),
        };
        (lvalue, object.value_type.clone())
    }

    /// The static objects that an lvalue behind a pointer may designate.
    fn led_to(&self, lvalue: usize) -> Vec<ObjectIndex> {
        let places = self.program.code.designated(lvalue);
        let objects = self.facts.objects.iter().enumerate();
        let candidates = objects.filter(|(_, o)| o.address_taken && !o.system);
        candidates
            .map(|(o, _)| o)
            .filter(|&o| places.meet(&self.program.code.location_of(o)))
            .collect()
    }

    /// The objects that an evaluation may read at several places.
    pub fn pre_reads_of(&self, proposition: &Proposition, frame: bool) -> Vec<PreRead> {
        if !self.analysis.threaded {
            return Vec::new();
        }
        let reads = self.shared_reads(proposition, frame).into_iter();
        reads.filter(|r| r.1 > 1).map(|(t, _)| t).collect()
    }

    /// The objects that the evaluations of several propositions read.
    pub fn read_by_all(&self, members: impl Iterator<Item = usize>) -> Vec<PreRead> {
        let mut all = BTreeMap::new();
        for p in members.filter(|_| self.analysis.threaded) {
            all.extend(self.shared_reads(&self.bound.propositions[p], false));
        }
        all.into_keys().collect()
    }

    /// The text that reads the objects that several evaluations of an event need.
    pub fn pre_read_once(&mut self, updates: &[PlannedUpdate]) -> String {
        if !self.analysis.threaded || updates.len() < 2 {
            return String::new();
        }
        let mut readers: BTreeMap<PreRead, usize> = BTreeMap::new();
        let mut arguments: BTreeMap<PreRead, usize> = BTreeMap::new();
        for (p, _, now) in updates {
            let variable = &self.layout.variables[*p];
            let frame = matches!(variable.storage, Storage::Frame { .. });
            for pre_read in self
                .shared_reads(&self.bound.propositions[*p], frame)
                .into_keys()
            {
                *readers.entry(pre_read).or_default() += 1;
            }
            let given = match now {
                Now::Evaluated(_, given) => given.as_slice(),
                Now::Is(_) => &[],
            };
            // An argument that is read through a pointer to a hidden local is another object.
            let given = variable.locals.iter().zip(given);
            for (argument, _) in given.filter(|(a, given)| a.value == **given) {
                let leaf = &argument.leaf;
                let object = &self.facts.objects[leaf.object];
                let shared =
                    object.address_taken || matches!(object.lifetime, Lifetime::StaticLocal(_));
                if shared && !leaf.address {
                    let pre_read = PreRead {
                        lvalue: self.named(leaf),
                        value_type: leaf.value_type.clone(),
                    };
                    *arguments.entry(pre_read).or_default() += 1;
                }
            }
        }
        let several = |all: BTreeMap<PreRead, usize>| -> Vec<PreRead> {
            let several = all.into_iter().filter(|t| t.1 > 1);
            several.map(|(t, _)| t).collect()
        };
        let mut text = String::new();
        for pre_read in several(arguments) {
            text.push_str(&format!("{{ {} }} ", pre_read.statement(0)));
        }
        let shared = several(readers);
        if shared.is_empty() {
            return text;
        }
        let known = self
            .out
            .shared
            .pre_reads
            .iter()
            .position(|set| *set == shared);
        let number = known.unwrap_or_else(|| {
            self.out.shared.pre_reads.push(shared);
            self.out.shared.pre_reads.len() - 1
        });
        format!("{text}ba_pre_read_{number}(); ")
    }
}
