//! Stores results on disk: one line of JSON for each property, written before the next property
//! starts, and found again by a key that is a hash of everything the verdict depends on.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::hash::Hasher;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::result::{PropertyResult, Verdict};

/// A hash of everything that a verdict depends on, as hexadecimal digits. It tells runs apart, but
/// does not resist deliberate collisions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Key(u64);

impl Key {
    /// Adds a part. Lengths are hashed too, so that parts cannot be confused.
    pub fn with(self, part: impl AsRef<[u8]>) -> Key {
        let part = part.as_ref();
        let mut hasher = fnv::FnvHasher::with_key(self.0);
        hasher.write(&part.len().to_le_bytes());
        hasher.write(part);
        Key(hasher.finish())
    }

    /// The digits.
    pub fn digits(&self) -> String {
        format!("{:016x}", self.0)
    }
}

#[derive(Serialize)]
struct LineOut<'a> {
    key: &'a str,
    result: &'a PropertyResult,
    /// A field that the JSON of reports lacks.
    explanation: &'a str,
    observed: bool,
    reach: bool,
    /// What an answer about all runs rests on; answers up to a bound are about the program and options in the key alone.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    assumptions: &'a [String],
}

#[derive(Deserialize)]
struct LineIn {
    key: String,
    result: PropertyResult,
    explanation: String,
    observed: bool,
    #[serde(default)]
    reach: bool,
    #[serde(default)]
    assumptions: Vec<String>,
}

/// A file of results, open for appending.
#[derive(Debug)]
pub struct Store {
    file: File,
}

/// The contents of a file of results.
#[derive(Debug, Default)]
pub struct Kept {
    /// The last result for each key.
    pub results: HashMap<String, PropertyResult>,
    /// What the last result rests on, for each key whose line says so.
    pub assumptions: HashMap<String, Vec<String>>,
    /// The number of lines that could not be read. An incomplete last line, as an interruption
    /// leaves it, is cut off and not counted.
    pub damaged: usize,
}

impl Store {
    /// Makes a new file.
    ///
    /// # Errors
    /// If it cannot be created, or exists: results are never overwritten.
    pub fn create(path: &Path) -> io::Result<Store> {
        let file = OpenOptions::new()
            .append(true)
            .create_new(true)
            .open(path)?;
        Ok(Store { file })
    }

    /// Opens a file of an earlier run, or creates it, and reads its contents. Results without a
    /// verdict are left out, so that they are tried again.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn resume(path: &Path) -> io::Result<(Store, Kept)> {
        let mut options = OpenOptions::new();
        let mut file = options.read(true).append(true).create(true).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let complete = bytes
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |at| at + 1);
        if complete < bytes.len() {
            file.set_len(complete as u64)?;
            file.seek(SeekFrom::End(0))?;
        }
        Ok((Store { file }, read(&bytes[..complete])))
    }

    /// Writes results and waits until they are on disk.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn add<'a>(
        &mut self,
        results: impl IntoIterator<Item = (&'a str, &'a PropertyResult)>,
    ) -> io::Result<()> {
        self.add_resting_on(results, &[])
    }

    /// Writes results that rest on these assumptions, and waits until they are on disk.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn add_resting_on<'a>(
        &mut self,
        results: impl IntoIterator<Item = (&'a str, &'a PropertyResult)>,
        assumptions: &[String],
    ) -> io::Result<()> {
        let mut text = Vec::new();
        for (key, result) in results {
            let line = LineOut {
                key,
                result,
                explanation: &result.asked.explanation,
                observed: result.answer.observed,
                reach: result.asked.reach,
                assumptions,
            };
            serde_json::to_writer(&mut text, &line)?;
            text.push(b'\n');
        }
        self.file.write_all(&text)?;
        self.file.sync_data()
    }
}

fn read(bytes: &[u8]) -> Kept {
    let mut kept = Kept::default();
    for line in bytes.split(|&b| b == b'\n').filter(|line| !line.is_empty()) {
        match serde_json::from_slice::<LineIn>(line) {
            Ok(mut line) if line.result.answer.verdict != Verdict::Unknown => {
                line.result.asked.explanation = line.explanation;
                line.result.asked.reach = line.reach;
                line.result.answer.observed = line.observed;
                match line.assumptions.is_empty() {
                    true => drop(kept.assumptions.remove(&line.key)),
                    false => drop(kept.assumptions.insert(line.key.clone(), line.assumptions)),
                }
                kept.results.insert(line.key, line.result);
            }
            Ok(_) => {}
            Err(_) => kept.damaged += 1,
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::result::{Answer, Asked};

    fn result(name: &str, verdict: Verdict) -> PropertyResult {
        let asked = Asked {
            expect: Some(ltl::Expectation::Violated),
            explanation: "safety".into(),
            reach: true,
            ..Asked::named(name, "G \"p\"")
        };
        let mut result = asked.answered(Answer {
            verdict,
            reason: Some("a reason".into()),
            observed: true,
            ..Answer::default()
        });
        result.run.loop_start = Some(3);
        result
    }

    #[test]
    fn what_was_written_is_read_again() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("results.jsonl");
        let (a, b) = (result("a", Verdict::FALSE), result("b", Verdict::Unknown));
        let mut store = Store::create(&path).unwrap();
        store.add([("1", &a), ("2", &b)]).unwrap();
        assert!(Store::create(&path).is_err(), "results are not overwritten");

        let (mut store, kept) = Store::resume(&path).unwrap();
        assert_eq!(kept.results, HashMap::from([("1".to_string(), a.clone())]));
        let c = result("c", Verdict::TRUE);
        store.add([("2", &c)]).unwrap();
        let (_, kept) = Store::resume(&path).unwrap();
        assert_eq!(kept.results.len(), 2);
        assert_eq!(kept.damaged, 0);
        assert!(kept.assumptions.is_empty());

        let rests = ["memory is never exhausted".to_string()];
        store.add_resting_on([("1", &a)], &rests).unwrap();
        let (_, kept) = Store::resume(&path).unwrap();
        assert_eq!(
            kept.assumptions,
            HashMap::from([("1".to_string(), rests.to_vec())])
        );
    }

    #[test]
    fn an_interrupted_line_is_cut_off() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("results.jsonl");
        let a = result("a", Verdict::PRESUMABLY_TRUE);
        Store::create(&path).unwrap().add([("1", &a)]).unwrap();
        let whole = std::fs::read(&path).unwrap();
        for end in 0..whole.len() {
            let text = [&whole[..], b"damaged\n", &whole[..end]].concat();
            std::fs::write(&path, text).unwrap();
            let (mut store, kept) = Store::resume(&path).unwrap();
            assert_eq!((kept.results.len(), kept.damaged), (1, 1), "{end}");
            store.add([("2", &a)]).unwrap();
            let (_, kept) = Store::resume(&path).unwrap();
            assert_eq!(kept.results.len(), 2, "{end}");
        }
    }

    #[test]
    fn parts_of_a_key_do_not_run_into_each_other() {
        let key = |parts: &[&str]| {
            let key = parts
                .iter()
                .fold(Key::default(), |key, part| key.with(part));
            key.digits()
        };
        assert_ne!(key(&["ab", "c"]), key(&["a", "bc"]));
        assert_ne!(key(&["a"]), key(&["a", ""]));
        assert_eq!(key(&["a", "b"]), key(&["a", "b"]));
    }
}
