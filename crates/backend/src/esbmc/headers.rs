//! What headers of the system say where they have become text of the program: that of a preprocessed file, or of a
//! sequentialised one.

use crate::job::Job;

/// gcc's headers say which function gives memory back. ESBMC's front end refuses that, and nothing depends on it.
const PLAIN_MALLOC: &str = "-D__malloc__(...)=__malloc__";

/// Streams under names of their own: ESBMC's library defines its own with other types. Where the header is included,
/// it defines these names again, and an argument would take them away.
const OWN_STREAMS: [&str; 3] = [
    "-Dstdin=ba_stdin",
    "-Dstdout=ba_stdout",
    "-Dstderr=ba_stderr",
];

/// The arguments that make ESBMC take a job's files. A file that cannot be read is left to the backend, which says why.
pub(super) fn arguments(job: &Job) -> Vec<&'static str> {
    let mut arguments = vec![PLAIN_MALLOC];
    let mut files = [&job.source].into_iter().chain(&job.linked);
    if files.any(|file| std::fs::read(file).is_ok_and(|text| declares_streams(&text))) {
        arguments.extend(OWN_STREAMS);
    }
    arguments
}

/// Whether a text declares the streams itself, not by a header that it includes.
fn declares_streams(text: &[u8]) -> bool {
    let mut declared = false;
    for line in text.split(|&b| b == b'\n') {
        let line = String::from_utf8_lossy(line.trim_ascii());
        if line.starts_with("#include") && line.contains("stdio.h") {
            return false;
        }
        declared |= line.starts_with("extern") && line.contains("stdin;");
    }
    declared
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_declare_streams_are_told_from_those_that_include_them() {
        let declares = "extern FILE *stdin;\nint x;\n";
        assert!(declares_streams(declares.as_bytes()));
        for text in ["#include <stdio.h>\n", "", "int stdin_open;\n"] {
            assert!(!declares_streams(text.as_bytes()), "{text}");
            let both = format!("#include <stdio.h>\n{declares}");
            assert!(!declares_streams(both.as_bytes()), "{both}");
        }
    }
}
