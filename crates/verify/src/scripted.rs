//! A file that gives a program the inputs of a recorded run, so that a model checker follows this run alone.
//!
//! The functions without a body that choose any value of a type get one: it returns the recorded values in order, and any value after
//! them. Other choices stay free. So the runs with such a file are some of the program's runs, whatever the record holds, and what
//! they show is shown.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::result::TraceStep;

/// The beginning of the names of functions that choose a value at a site.
const CHOOSER: &str = "ba_choose_";
/// The beginning of the names of functions that return any value.
const ANY: &str = "nondet_ba_";
/// The types of inputs that are given as numbers.
const TYPES: [&str; 12] = [
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
];
/// The most values that are given: each call of such a function looks for its own.
const MOST: usize = 2000;

/// Writes the file; `None` if there is nothing to give.
pub(crate) fn file(sources: &[&Path], trace: &[TraceStep], directory: &Path) -> Option<PathBuf> {
    let mut choices = Choices::default();
    for source in sources {
        choices.read(&std::fs::read_to_string(source).ok()?);
    }
    let inputs = trace.iter().filter_map(|step| step.input.as_ref());
    let given = inputs.filter_map(|input| Some((input.site?, input.value)));
    let text = text(&choices, given)?;
    let path = directory.join("ba_given.c");
    std::fs::write(&path, text).ok()?;
    Some(path)
}

/// Which functions choose the values of an emitted program.
#[derive(Default)]
struct Choices {
    /// The function that chooses at each site, by number.
    at: BTreeMap<u32, u32>,
    /// The function that gives any value to each of these.
    any: BTreeMap<u32, String>,
}

impl Choices {
    /// Adds those of an emitted text.
    fn read(&mut self, text: &str) {
        let mut current = None;
        for line in text.lines() {
            for (begin, _) in line.match_indices(CHOOSER) {
                let rest = &line[begin + CHOOSER.len()..];
                let Some((number, argument)) = rest.split_once('(') else {
                    continue;
                };
                let Ok(number) = number.parse() else { continue };
                match argument.split([')', ',']).next().map(str::parse) {
                    Some(Ok(site)) => drop(self.at.insert(site, number)),
                    _ if line.ends_with('{') => current = Some(number),
                    _ => {}
                }
            }
            let given = line.split_once(&format!(" ba_given = {ANY}"));
            if let (Some((_, rest)), Some(number)) = (given, current) {
                let name = rest.split('(').next().unwrap_or_default();
                self.any.insert(number, name.to_owned());
            }
        }
    }

    /// What gives any value at a site.
    fn giver(&self, site: u32) -> Option<&str> {
        let number = self.at.get(&site)?;
        self.any.get(number).map(String::as_str)
    }
}

/// The text of the file, from the values at sites in their order.
fn text(choices: &Choices, inputs: impl Iterator<Item = (u32, i128)>) -> Option<String> {
    let mut given: BTreeMap<&str, Vec<i128>> = BTreeMap::new();
    for (site, value) in inputs {
        if let Some(giver) = choices.giver(site) {
            given.entry(giver).or_default().push(value);
        }
    }
    let mut text = String::new();
    for (giver, values) in &given {
        // As the names of these functions are made: `_Bool` keeps its first character so.
        let ty = TYPES.iter().find(|ty| ty.replace(' ', "_") == **giver);
        let Some(ty) = ty.filter(|_| values.len() <= MOST) else {
            continue;
        };
        let _ = writeln!(
            text,
            "{ty} {ANY}{giver}(void) {{\n  static unsigned ba_at;\n  {ty} ba_any;\n  switch (ba_at++) {{"
        );
        for (number, value) in values.iter().enumerate() {
            // As the bits of a value of the type: what no literal says is converted.
            let bits = *value as u64;
            let _ = writeln!(text, "  case {number}: return ({ty}){bits}ull;");
        }
        let _ = writeln!(text, "  }}\n  return ba_any;\n}}");
    }
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMITTED: &str = "\
BA_UNUSED static int ba_choose_0(unsigned ba_site);
BA_UNUSED static int ba_choose_0(unsigned ba_site) {
  BA_SHOW(ba_site);
  int ba_given = nondet_ba_int();
  if (ba_given < -1 || ba_given > 255) ba_given = -1;
}
BA_UNUSED static char ba_choose_1(unsigned ba_site) {
  unsigned ba_pick = nondet_ba_unsigned();
  char ba_given = (ba_pick & 3u);
}
  return ba_choose_0(3);
  if (0 < ba_a1) { ba_a0[0] = ba_c = 0 + 1 < ba_a1 ? ba_choose_1(7) : 0; }
";

    #[test]
    fn inputs_of_any_value_are_given_in_order() {
        let mut choices = Choices::default();
        choices.read(EMITTED);
        let inputs = [(3, 65), (7, 2), (3, -1)];
        let text = text(&choices, inputs.into_iter()).unwrap_or_default();
        assert!(text.contains("int nondet_ba_int(void)"), "{text}");
        assert!(text.contains("case 0: return (int)65ull;"), "{text}");
        assert!(
            text.contains("case 1: return (int)18446744073709551615ull;"),
            "{text}"
        );
        assert!(!text.contains("unsigned nondet"), "{text}");
    }

    #[test]
    fn nothing_is_written_where_all_choices_are_among_few_values() {
        let mut choices = Choices::default();
        choices.read(EMITTED);
        assert!(text(&choices, [(7, 2)].into_iter()).is_none());
    }
}
