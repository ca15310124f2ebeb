//! Character constants that CBMC misreads where plain `char` is unsigned.

use crate::job::Job;

/// A line with a character constant above 127 in the files of a job. Such text in a string or
/// comment counts as well.
pub(crate) fn large_constant(job: &Job) -> Option<String> {
    let find = |file: &std::path::PathBuf| {
        let text = std::fs::read(file).ok()?;
        let mut lines = text.split(|&b| b == b'\n');
        let line = lines.find(|line| line.windows(3).any(is_large))?;
        Some(String::from_utf8_lossy(line).trim().to_string())
    };
    [&job.source].into_iter().chain(&job.linked).find_map(find)
}

/// Whether a constant's beginning allows a value above 127: `'\x`, `'\u`, `'\2`, or not ASCII.
fn is_large(text: &[u8]) -> bool {
    match text {
        [b'\'', b'\\', next] => matches!(next, b'x' | b'u' | b'U' | b'2' | b'3'),
        [b'\'', next, _] => *next >= 0x80,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_above_127_are_found() {
        let dir = tempfile::tempdir().unwrap_or_else(|e| panic!("{e}"));
        let file = dir.path().join("p.c");
        let found = |text: &str| {
            std::fs::write(&file, text).unwrap_or_else(|e| panic!("{e}"));
            large_constant(&Job::new(&file))
        };
        assert_eq!(
            found("int a = 'a';\nint b = '\\0' + '\\n' + '\\'';\n"),
            None
        );
        for constant in ["'\\xff'", "'\\377'", "'\\200'", "'ä'"] {
            let line = format!("int b = {constant};");
            assert_eq!(found(&format!("int a;\n  {line}\n")), Some(line));
        }
    }
}
