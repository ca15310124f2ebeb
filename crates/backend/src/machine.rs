//! The machine that a program is compiled for, as far as model checkers and compilers take it into
//! account.

use std::io;
use std::path::{Path, PathBuf};

use crate::scratch::Scratch;

/// Directories in which a 64-bit compiler finds the headers for 32-bit programs where these are not
/// installed. glibc's headers tell the two apart by macros, but for the lists of functions that are
/// missing, of which there are none.
#[derive(Debug)]
pub struct Headers32 {
    /// The headers of the compiler's own architecture, where Debian keeps them apart.
    own: Option<PathBuf>,
    /// The empty lists.
    lists: Scratch,
}

impl Headers32 {
    /// Those of a compiler.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn of(compiler: &str) -> io::Result<Headers32> {
        let lists = Scratch::new()?;
        let directory = lists.path().join("gnu");
        std::fs::create_dir(&directory)?;
        for name in ["stubs-32.h", "stubs-x32.h"] {
            std::fs::write(directory.join(name), "")?;
        }
        let own = multiarch(compiler).map(|triplet| Path::new("/usr/include").join(triplet));
        Ok(Headers32 { own, lists })
    }

    /// The directories, in the order in which they are searched.
    pub fn directories(&self) -> impl Iterator<Item = &Path> {
        self.own.as_deref().into_iter().chain([self.lists.path()])
    }
}

/// Debian's name of a compiler's own architecture.
fn multiarch(compiler: &str) -> Option<String> {
    let mut command = std::process::Command::new(compiler);
    let output = command.arg("-print-multiarch").output().ok()?;
    let triplet = String::from_utf8(output.stdout).ok()?;
    Some(triplet.trim().to_owned()).filter(|t| !t.is_empty())
}

/// Widths in bits, the sign of plain `char`, and the order of bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Machine {
    /// The width of `int`.
    pub int: u32,
    /// The width of `long`.
    pub long: u32,
    /// The width of pointers.
    pub pointer: u32,
    /// Whether plain `char` is unsigned.
    pub unsigned_char: bool,
    /// Whether the most significant byte of a number comes first.
    pub big_endian: bool,
    /// The macros that tell a preprocessor all this, with their values; none where the defaults of
    /// model checkers are right.
    pub macros: Vec<(String, String)>,
}

impl Machine {
    /// 64-bit machines of the Unix family, which model checkers take for granted.
    pub const LP64: Machine = Machine {
        int: 32,
        long: 64,
        pointer: 64,
        unsigned_char: false,
        big_endian: false,
        macros: Vec::new(),
    };

    /// The widths of `int`, `long` and pointers.
    pub(crate) fn widths(&self) -> (u32, u32, u32) {
        (self.int, self.long, self.pointer)
    }

    /// Why a program for this machine cannot be compiled and executed on the one that the tool runs
    /// on; `None` if it can. The sign of plain `char` is an option of compilers.
    pub fn not_native(&self) -> Option<String> {
        let own = (
            8 * size_of::<std::ffi::c_int>() as u32,
            8 * size_of::<std::ffi::c_long>() as u32,
            usize::BITS,
        );
        let same = self.widths() == own && self.big_endian == cfg!(target_endian = "big");
        (!same).then(|| {
            "the program is for another machine than this one (other widths of types, or another order of bytes), so that it is not executed here".to_owned()
        })
    }
}
