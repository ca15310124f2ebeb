//! The source line of each address of a program, as `objdump` reads it from the debug information.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::process::{self, Cancel, Invocation};

/// Writes the table of a program's lines: `ADDRESS LINE` (hexadecimal and decimal) in the order of
/// addresses; line 0 if unknown. `None` without `objdump`, or without any line.
pub(super) fn of(program: &Path, table: &Path, cancel: &Cancel) -> Option<PathBuf> {
    let mut dump = Invocation::new(Path::new("objdump"));
    dump.args(["--dwarf=decodedline"]).arg(program);
    dump.limits.timeout = Some(Duration::from_secs(20));
    let ran = process::run(&dump, cancel, read).ok()?;
    let mut lines = ran.value;
    lines.sort_unstable();
    let rows = lines.iter().map(|(at, line)| format!("{at:x} {line}\n"));
    let text: String = rows.collect();
    (!text.is_empty()).then(|| std::fs::write(table, text).ok())??;
    Some(table.to_path_buf())
}

/// Reads the rows of the tables: file name, line, address.
fn read(out: &mut dyn Read) -> Vec<(u64, u32)> {
    let lines = BufReader::new(out).lines().map_while(Result::ok);
    lines.filter_map(|line| row(&line)).collect()
}

/// The address and line of a row; `None` if the text is no row.
fn row(text: &str) -> Option<(u64, u32)> {
    let mut words = text.split_whitespace().skip(1);
    let (line, address) = (words.next()?, words.next()?);
    let address = match address.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok()?,
        None => address.parse().ok()?,
    };
    match line {
        // The end of the table.
        "-" => Some((address, 0)),
        line => Some((address, line.parse().ok()?)),
    }
}

#[cfg(test)]
mod tests {
    use super::row;

    #[test]
    fn rows_are_told_from_headings() {
        assert_eq!(row("t.c   3   0x401136   1   x"), Some((0x40_1136, 3)));
        assert_eq!(row("t.c   -   0x4011b7"), Some((0x40_11b7, 0)));
        assert_eq!(row("File name    Line number    Starting address"), None);
        assert_eq!(row("CU: ./t.c:"), None);
    }
}
