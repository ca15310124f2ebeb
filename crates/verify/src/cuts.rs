//! Where explored runs were cut, and whether any run ended at all.

use weave::assertion::Asserted;
use weave::record::{Record, SiteEvent, SiteRecord};

use crate::combine::Answers;
use crate::result::{CutPlace, Cuts};

/// Where runs were cut; `None` if no run was, or if this was not asked.
pub(crate) fn of(record: &Record, answers: &Answers) -> Option<Cuts> {
    if !answers.cuts_asked() || !answers.fails(Asserted::Cut) {
        return None;
    }
    let sites = record.sites.iter().enumerate();
    let sites: Vec<_> = sites.filter(|(_, s)| s.event == SiteEvent::Cut).collect();
    let cuts = |(number, _): &&(usize, &SiteRecord)| {
        // A single place needs no assertion of its own.
        sites.len() == 1 || answers.fails(Asserted::CutAt(*number))
    };
    let mut at: Vec<CutPlace> = Vec::new();
    for (_, site) in sites.iter().filter(cuts) {
        let place = place(site);
        if !at.contains(&place) {
            at.push(place);
        }
    }
    at.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    Some(Cuts {
        some_end: !answers.never_ends(),
        at,
    })
}

/// The words with which the source text of a loop begins.
const LOOPS: [&str; 4] = ["for", "while", "do", "goto"];

fn place(site: &SiteRecord) -> CutPlace {
    let text = site.what.trim_end_matches(';');
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let word = text.split(|c| !is_part(c)).next();
    let what = match site.what == site.function {
        true => format!("the recursion of `{}`", site.what),
        false if word.is_some_and(|w| LOOPS.contains(&w)) => format!("the loop `{text}`"),
        false => format!("`{}`", site.what),
    };
    CutPlace {
        what,
        file: site.file.clone(),
        line: site.line,
        function: site.function.clone(),
    }
}
