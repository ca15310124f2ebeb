//! Adapts declarations of system headers that are part of the program's text, in a preprocessed or
//! sequentialised file.

use crate::job::Job;

/// gcc's headers name the function that frees memory. ESBMC's front end refuses this attribute;
/// nothing depends on it.
const PLAIN_MALLOC: &str = "-D__malloc__(...)=__malloc__";

/// Renames the streams: ESBMC's library defines its own with other types. If `<stdio.h>` is
/// included, it defines these names itself, and the option would be in its way.
const OWN_STREAMS: [&str; 3] = [
    "-Dstdin=ba_stdin",
    "-Dstdout=ba_stdout",
    "-Dstderr=ba_stderr",
];

/// The arguments that let ESBMC accept a job's files. ESBMC reports files that cannot be read.
pub(super) fn arguments(job: &Job) -> Vec<&'static str> {
    let mut arguments = vec![PLAIN_MALLOC];
    let mut files = [&job.source].into_iter().chain(&job.linked);
    if files.any(|file| std::fs::read(file).is_ok_and(|text| declares_streams(&text))) {
        arguments.extend(OWN_STREAMS);
    }
    arguments
}

/// Whether a text declares the streams itself, not by including a header.
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
