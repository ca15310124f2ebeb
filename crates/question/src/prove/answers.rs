//! What the search of all states says of each property.

use verify::result::{BackendInfo, Holds, Premises, PropertyResult, VerifyResult};

use super::search::Search;

/// The answers of the search of all states.
pub struct Answers {
    /// For each property by number, its result, or why there is none.
    pub properties: Vec<Result<PropertyResult, String>>,
    /// What the search was, and what it cost.
    pub backend: BackendInfo,
}

impl Answers {
    /// The answers of a search of all states of another form of the program.
    pub fn of(result: VerifyResult) -> Answers {
        let answer = |property: PropertyResult| match property.answer.holds {
            Holds::Unknown => Err(property.answer.reason.unwrap_or_default()),
            _ => Ok(property),
        };
        Answers {
            properties: result.properties.into_iter().map(answer).collect(),
            backend: result.backend,
        }
    }

    /// Takes the answers of another search where there are none.
    pub fn completed_by(&mut self, others: Answers) {
        for (property, other) in self.properties.iter_mut().zip(others.properties) {
            if property.is_err() && other.is_ok() {
                *property = other;
            }
        }
        self.backend.runs += others.backend.runs;
        self.backend.seconds += others.backend.seconds;
    }

    /// Compares SPIN's answers with ours: a property that only one of the two decides has no
    /// answer.
    pub fn compare(&mut self, spin: Result<Vec<Result<bool, String>>, String>) {
        let said = match spin {
            Ok(said) => said,
            Err(why) => vec![Err(why); self.properties.len()],
        };
        for (property, said) in self.properties.iter_mut().zip(said) {
            let Ok(result) = property else { continue };
            let why = match said {
                Ok(violated) if violated == (result.answer.holds == Holds::Refuted) => continue,
                Ok(violated) => format!(
                    "SPIN says that {}, and the search of all states the contrary: this is an error of baproduct, please report it",
                    if violated { "a run violates it" } else { "no run violates it" }
                ),
                Err(why) => format!("SPIN gives no answer: {why}"),
            };
            *property = Err(why);
        }
    }

    /// Whether there is an answer for a property.
    pub fn has(&self, number: usize) -> bool {
        matches!(self.properties.get(number), Some(Ok(_)))
    }

    /// The result of one property, if there is one.
    pub fn result(&self, search: &Search, number: usize) -> Result<VerifyResult, String> {
        let property = self.properties.get(number).cloned();
        let property = property.unwrap_or_else(|| Err("there is no such property".into()))?;
        Ok(result_of(search, number, property, self.backend.clone()))
    }
}

/// The result of one property. The first property's result counts the cost of the search.
pub fn result_of(
    search: &Search,
    number: usize,
    property: PropertyResult,
    mut backend: BackendInfo,
) -> VerifyResult {
    if number > 0 {
        (backend.runs, backend.seconds) = (0, 0.0);
    }
    VerifyResult {
        tool_version: env!("CARGO_PKG_VERSION").to_string(),
        premises: Premises {
            assumptions: search.source.whole.record.assumptions.clone(),
            ..Premises::default()
        },
        properties: vec![property],
        backend,
        ..VerifyResult::default()
    }
}
