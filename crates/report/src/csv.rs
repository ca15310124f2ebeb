//! The CSV report (RFC 4180) for spreadsheets and scripts: one line per property. The columns
//! `name`, `ltl` and `expect` are those of a list of properties, so a report can serve as the list
//! of the next run.

use ltl::Expectation;
use verify::result::VerifyResult;

/// The names of the columns.
pub const HEADING: [&str; 15] = [
    "name",
    "verdict",
    "symbol",
    "complete",
    "evidence",
    "holds",
    "vacuous",
    "expect",
    "as_expected",
    "seconds",
    "max_rss_kib",
    "unwind",
    "reason",
    "ltl",
    "requirement",
];

/// Renders the table with its heading; lines end with a newline alone.
pub fn render(result: &VerifyResult) -> String {
    let mut rows = vec![HEADING.map(str::to_owned)];
    for property in &result.properties {
        let truth = |value: Option<bool>| value.map(|v| v.to_string()).unwrap_or_default();
        let seconds = property
            .answer
            .levels
            .iter()
            .map(|l| l.seconds)
            .fold(0.0, f64::max);
        let memory = property
            .answer
            .levels
            .iter()
            .filter_map(|l| l.max_rss_kib)
            .max();
        let unwind = property.answer.unwind.or(result.premises.unwind);
        rows.push([
            property.asked.name.clone(),
            property.answer.verdict.name().to_owned(),
            property.answer.verdict.symbol().to_owned(),
            truth(property.answer.complete),
            property
                .answer
                .evidence
                .map(|e| e.name().to_owned())
                .unwrap_or_default(),
            property.answer.holds.name().to_owned(),
            vacuous(
                property
                    .answer
                    .vacuity
                    .parts
                    .iter()
                    .map(|v| v.what.as_str()),
            ),
            property
                .asked
                .expect
                .map(Expectation::name)
                .unwrap_or_default()
                .to_owned(),
            truth(property.as_expected()),
            format!("{seconds:.3}"),
            memory.map(|m| m.to_string()).unwrap_or_default(),
            unwind.map(|n| n.to_string()).unwrap_or_default(),
            property.answer.reason.clone().unwrap_or_default(),
            property.asked.ltl.clone(),
            property.asked.requirement.clone().unwrap_or_default(),
        ]);
    }
    table(&rows)
}

/// The cell of the parts of a formula that do not matter to its verdict.
pub fn vacuous<'a>(parts: impl Iterator<Item = &'a str>) -> String {
    parts.collect::<Vec<_>>().join("; ")
}

/// Formats rows of equal length as CSV, one line per row.
pub fn table<Row: AsRef<[String]>>(rows: &[Row]) -> String {
    let mut writer = csv::WriterBuilder::new()
        .flexible(true)
        .from_writer(Vec::new());
    // Writing into memory cannot fail.
    for row in rows {
        let _ = writer.write_record(row.as_ref());
    }
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::several;

    #[test]
    fn a_line_for_each_property() {
        let mut result = several();
        result.properties[0].asked.name = "a, \"quoted\" name".into();
        result.properties[0].asked.requirement = Some("When asked, it shall answer.".into());
        insta::assert_snapshot!(render(&result));
    }
}
