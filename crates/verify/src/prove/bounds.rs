//! Bounds of single loops: a loop that counts to a hundred gets a hundred rounds, and the loop around it
//! few.

use std::collections::{BTreeMap, BTreeSet};

use induction::Hints;
use weave::heads::{Head, Heads};
use weave::record::{Record, SiteEvent, SiteRecord};

/// Loops that count further get the bound of all loops.
const FARTHEST: i64 = 300;

/// Conditions of loops that only a jump ends.
const ENDLESS: [&str; 3] = ["while (1)", "for (;;)", "for (; ; )"];

/// The place of a loop: file, line and text, which do not depend on the weaving.
type Place = (String, u32, String);

fn place(site: &SiteRecord) -> Place {
    (site.file.clone(), site.line, site.what.clone())
}

/// The rounds that single loops need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// The bounds, by the place of the loop.
    loops: BTreeMap<Place, u32>,
    /// Loops that contain others, or whose condition never ends them.
    outer: BTreeSet<Place>,
}

impl Bounds {
    /// For each loop, one more than the greatest constant in its own text (without inner loops), or among the constants
    /// with which a variable of its condition is compared: the loop can then end.
    pub fn suggested(heads: &Heads, record: &Record, hints: &Hints) -> Bounds {
        let mut out = Bounds::default();
        for (at, value) in &hints.written.integers {
            let inside = |h: &&Head| h.range.0 <= *at && *at < h.range.1;
            let around = heads.heads.iter().filter(inside);
            let innermost = around.min_by_key(|h| h.range.1 - h.range.0);
            if let Some(site) = innermost.and_then(|h| record.sites.get(h.site)) {
                out.raise(site, *value);
            }
        }
        for head in &heads.heads {
            let Some(site) = record.sites.get(head.site) else {
                continue;
            };
            let inside = |h: &Head| head.range.0 < h.range.0 && h.range.1 <= head.range.1;
            if heads.heads.iter().any(inside) || ENDLESS.contains(&site.what.as_str()) {
                out.outer.insert(place(site));
            }
            let names = site.what.split(|c: char| !c.is_alphanumeric() && c != '_');
            let known = names.filter_map(|name| hints.constants.get(name));
            known.flatten().for_each(|value| out.raise(site, *value));
        }
        out
    }

    fn raise(&mut self, site: &SiteRecord, value: i64) {
        let value = value.saturating_abs();
        if (2..=FARTHEST).contains(&value) {
            let most = self.loops.entry(place(site)).or_insert(0);
            *most = (*most).max(value as u32 + 2);
        }
    }

    /// The bounds of innermost loops only: an endless loop seldom needs as many rounds.
    pub fn of_innermost(&self) -> Bounds {
        let all = self.loops.iter();
        let inner = all.filter(|(place, _)| !self.outer.contains(*place));
        Bounds {
            loops: inner.map(|(p, b)| (p.clone(), *b)).collect(),
            outer: BTreeSet::new(),
        }
    }

    /// Whether only innermost loops have bounds.
    pub fn are_innermost(&self) -> bool {
        self.loops.keys().all(|place| !self.outer.contains(place))
    }

    /// Whether no loop has a greater bound than the one for all.
    pub fn adds_nothing(&self, unwind: u32) -> bool {
        self.greatest() <= unwind
    }

    /// The greatest bound of a single loop.
    pub fn greatest(&self) -> u32 {
        self.loops.values().copied().max().unwrap_or(0)
    }

    /// The bound of the loop at a site, if that is greater than the one for all.
    pub fn at(&self, record: &Record, site: usize, unwind: u32) -> u32 {
        let site = record.sites.get(site);
        let own = site.and_then(|s| self.loops.get(&place(s)).copied());
        own.unwrap_or(0).max(unwind)
    }

    /// The bounds of the sites where loops are cut, where they are greater than `unwind`.
    pub fn at_sites(&self, record: &Record, unwind: u32) -> BTreeMap<usize, u32> {
        let cuts = record.sites.iter().enumerate();
        let cuts = cuts.filter(|(_, s)| s.event == SiteEvent::Cut);
        let own = cuts.map(|(site, _)| (site, self.at(record, site, unwind)));
        own.filter(|(_, bound)| *bound > unwind).collect()
    }
}
