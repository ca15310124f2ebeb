//! `--witness FILE`: the violation in a format for other verifiers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cfront::data_model::DataModel;
use sha2::{Digest, Sha256};
use verify::result::VerifyResult;

use crate::options::Output;
use crate::outputs::{self, tell};

/// Writes the witness of the first violated property, or reports why there is none.
///
/// # Errors
/// If a file of the program cannot be read, or the witness cannot be written.
pub fn save(
    path: &Path,
    programs: &[PathBuf],
    (result, model): (&VerifyResult, &DataModel),
    output: &Output,
) -> anyhow::Result<()> {
    let mut files = BTreeMap::new();
    for program in programs {
        let hash = Sha256::digest(forms::read_bytes(program)?);
        files.insert(program.display().to_string(), hex(&hash));
    }
    let time = now();
    let about = report::witness::About {
        uuid: uuid(&files, result, &time),
        files,
        time,
        data_model: model.name().to_owned(),
    };
    match report::witness::render(result, &about) {
        Ok(text) => outputs::write_atomically(path, text.as_bytes()),
        Err(reason) => {
            if !output.quiet {
                tell(format_args!("note: no witness is written: {reason}"));
            }
            Ok(())
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The current time, or that of a reproducible build (<https://reproducible-builds.org>).
fn now() -> String {
    let fixed = std::env::var("SOURCE_DATE_EPOCH");
    let fixed = fixed.ok().and_then(|t| t.parse::<i64>().ok());
    let time = fixed.and_then(|t| jiff::Timestamp::from_second(t).ok());
    let time = time.unwrap_or_else(jiff::Timestamp::now);
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// A UUID of version 8 (RFC 9562), derived from the witness's subject.
fn uuid(files: &BTreeMap<String, String>, result: &VerifyResult, time: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(format!("{files:?}{:?}{time}", result.properties));
    let mut bytes = hash.finalize().to_vec();
    bytes.truncate(16);
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits = hex(&bytes);
    [0..8, 8..12, 12..16, 16..20, 20..32]
        .map(|part| digits[part].to_owned())
        .join("-")
}
