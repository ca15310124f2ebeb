//! What engines share that ask about a program with more runs than the one of the question.

use weave::record::{Record, SiteEvent};

/// The places at which the monitors take steps: the same in both programs, or the letters of one tell nothing of the other.
pub(super) fn steps(record: &Record) -> Vec<(&str, u32, &str, SiteEvent)> {
    use SiteEvent::{Enter, Leave, Sample, Start, Write};
    let sites = record.sites.iter();
    let taken = sites.filter(|s| matches!(s.event, Start | Write | Enter | Leave | Sample));
    taken
        .map(|s| (s.file.as_str(), s.line, s.function.as_str(), s.event))
        .collect()
}
