//! Writes line markers as `#line` directives of standard C where possible.

/// The largest line number of C before C99; no version of C has line 0.
const LARGEST_LINE: u32 = 32767;

/// Writes markers as `#line` directives: compilers warn of the other form under `-pedantic`.
/// Markers that enter or leave a header, or flag a system header, stay: a `#line` cannot do that,
/// and does not end the flag of a system header.
pub(super) fn standard(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + text.len() / 64);
    let mut system = false;
    for line in text.split_inclusive(|&b| b == b'\n') {
        let Some((number, plain, is_system)) = marker(line) else {
            out.extend_from_slice(line);
            continue;
        };
        let stays = system || !plain || number == 0 || number > LARGEST_LINE;
        system = is_system;
        match line.strip_prefix(b"# ") {
            Some(rest) if !stays => {
                out.extend_from_slice(b"#line ");
                out.extend_from_slice(rest);
            }
            _ => out.extend_from_slice(line),
        }
    }
    out
}

/// A marker's line number, whether it has no flags, and whether a flag says "system header".
fn marker(line: &[u8]) -> Option<(u32, bool, bool)> {
    let text = std::str::from_utf8(line.strip_prefix(b"# ")?).ok()?;
    let (number, rest) = text.split_once(' ')?;
    let number = number.parse().ok()?;
    let (_, flags) = rest.strip_prefix('"')?.rsplit_once('"')?;
    let flags = flags.trim();
    Some((number, flags.is_empty(), flags.split(' ').any(|f| f == "3")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_without_flags_are_standard_c() {
        let text = "# 1 \"a \\\"b.c\"\nint a;\n# 1 \"h.h\" 1\n# 5 \"h.h\"\nint b;\n# 9 \"a.c\" 2\n# 0 \"a.c\"\n\
                    # 1 \"s.h\" 1 3 4\n# 7 \"s.h\" 3\n# 2 \"t.h\"\n# 3 \"t.h\"\n# 40000 \"a.c\"\n# pragma \"x\"\n #\n";
        let expected = "#line 1 \"a \\\"b.c\"\nint a;\n# 1 \"h.h\" 1\n#line 5 \"h.h\"\nint b;\n# 9 \"a.c\" 2\n# 0 \"a.c\"\n\
                        # 1 \"s.h\" 1 3 4\n# 7 \"s.h\" 3\n# 2 \"t.h\"\n#line 3 \"t.h\"\n# 40000 \"a.c\"\n# pragma \"x\"\n #\n";
        assert_eq!(
            String::from_utf8_lossy(&standard(text.as_bytes())),
            expected
        );
    }
}
