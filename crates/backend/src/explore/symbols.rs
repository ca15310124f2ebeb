//! The symbols of an object file that it does not define.
//!
//! The file is the compiler's own, a moment old. `nm` would tell the same, after it has loaded the plug-ins of each compiler that is
//! installed, which takes as long as to compile a small program.

/// The bytes of an ELF file of a little-endian 64-bit machine.
struct Elf<'a>(&'a [u8]);

const MAGIC: &[u8] = b"\x7fELF\x02\x01";
const SECTIONS: usize = 0x28;
const SECTION_SIZE: usize = 0x3a;
const SECTION_COUNT: usize = 0x3c;
/// The type of a section that is a table of symbols.
const SYMTAB: u32 = 2;
/// The size of a symbol.
const SYMBOL: usize = 24;

/// The names that an object file uses and does not define; nothing if it is of another format than expected.
pub(super) fn undefined(object: &[u8]) -> Option<Vec<String>> {
    Elf(object).undefined()
}

impl Elf<'_> {
    fn number<const N: usize>(&self, at: usize) -> Option<u64> {
        let bytes = self.0.get(at..at.checked_add(N)?)?;
        let digits = bytes.iter().rev();
        Some(digits.fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn word(&self, at: usize) -> Option<u32> {
        u32::try_from(self.number::<4>(at)?).ok()
    }

    fn address(&self, at: usize) -> Option<usize> {
        usize::try_from(self.number::<8>(at)?).ok()
    }

    /// Where the header of a section stands.
    fn section(&self, number: u64) -> Option<usize> {
        let size = self.number::<2>(SECTION_SIZE)?;
        let before = usize::try_from(number.checked_mul(size)?).ok()?;
        self.address(SECTIONS)?.checked_add(before)
    }

    /// The bytes of the section with this header.
    fn content(&self, header: usize) -> Option<&[u8]> {
        let (from, size) = (self.address(header + 0x18)?, self.address(header + 0x20)?);
        self.0.get(from..from.checked_add(size)?)
    }

    fn undefined(&self) -> Option<Vec<String>> {
        if !self.0.starts_with(MAGIC) {
            return None;
        }
        let mut headers =
            (0..self.number::<2>(SECTION_COUNT)?).map_while(|number| self.section(number));
        let table = headers.find(|header| self.word(header + 4) == Some(SYMTAB))?;
        let names = self.content(self.section(u64::from(self.word(table + 0x28)?))?)?;
        let mut out = Vec::new();
        for symbol in self.content(table)?.chunks_exact(SYMBOL) {
            let symbol = Elf(symbol);
            let (name, defined_in) = (symbol.word(0)?, symbol.number::<2>(6)?);
            if name == 0 || defined_in != 0 {
                continue;
            }
            let from = names.get(usize::try_from(name).ok()?..)?;
            let name = from.split(|byte| *byte == 0).next()?;
            out.push(String::from_utf8(name.to_vec()).ok()?);
        }
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::process::Command;

    /// The object of a program, by the host's compiler.
    fn object(program: &str) -> Option<(tempfile::TempDir, Vec<u8>)> {
        if !testing::installed("gcc") {
            return None;
        }
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("p.c"), program).unwrap();
        let mut gcc = Command::new("gcc");
        gcc.args(["-c", "-O0", "-fPIC", "p.c"]);
        assert!(gcc
            .current_dir(directory.path())
            .status()
            .unwrap()
            .success());
        let bytes = std::fs::read(directory.path().join("p.o")).unwrap();
        Some((directory, bytes))
    }

    const PROGRAM: &str = "extern int used; extern int also(int); extern int not_used; int own; static int hidden(void) { return 1; }\n\
        __attribute__((weak)) extern int weak(void);\n\
        int main(void) { own = used + hidden() + (weak ? weak() : 0); return also(own); }\n";

    #[test]
    fn names_are_those_of_nm() {
        let Some((directory, object)) = object(PROGRAM) else {
            return;
        };
        let mut names = undefined(&object).unwrap();
        names.retain(|name| name != "_GLOBAL_OFFSET_TABLE_");
        names.sort();
        assert_eq!(names, ["also", "used", "weak"]);
        if testing::installed("nm") {
            let mut nm = Command::new("nm");
            nm.arg("-u").arg(directory.path().join("p.o"));
            let text = String::from_utf8(nm.output().unwrap().stdout).unwrap();
            let told = text.lines().filter_map(|l| l.split_whitespace().last());
            let mut told: Vec<&str> = told.filter(|n| *n != "_GLOBAL_OFFSET_TABLE_").collect();
            told.sort_unstable();
            assert_eq!(names, told);
        }
    }

    #[test]
    fn other_and_broken_files_have_no_names() {
        assert_eq!(undefined(b"\x7fELF\x01\x01 of 32 bits"), None);
        assert_eq!(undefined(b""), None);
        let Some((_directory, object)) = object(PROGRAM) else {
            return;
        };
        for end in 0..object.len() {
            // What is cut off is never a reason to panic, nor for other names.
            if let Some(names) = undefined(&object[..end]) {
                assert_eq!(Some(names), undefined(&object));
            }
        }
    }
}
