//! Compiles what is the same for every program: the parts of the search of all states and the runtimes of native runs. Linking
//! them takes a tenth of the time that compiling them with each program would. Where no compiler is found, their objects are
//! empty, and they are compiled with each program.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The parts of the search, as `src/explore/parts.rs` has them.
const PARTS: [&str; 11] = [
    "stepper", "marks", "ages", "orders", "written", "ranges", "terms", "explore", "refine",
    "walk", "sample",
];

/// The names of the runtimes' functions, in a program with the usual names.
const NAMES: &str = "-DBA_NATIVE_NAME(name)=ba_native_##name";

fn main() -> io::Result<()> {
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let templates = Path::new("../../templates");
    println!("cargo::rerun-if-changed={}", templates.display());
    let mut search = compiler();
    search.opt_level(2);
    for part in PARTS {
        let source = templates.join(format!("explicit/{part}.c"));
        compile(&search, &source, &out.join(format!("{part}.o")))?;
    }
    let text = |name: &str| fs::read_to_string(templates.join(name));
    let record = text("native.c")?;
    let replay = format!(
        "#define BA_REPLAY 1\n{record}\n{}\n{}",
        text("replay.c")?,
        text("turns.c")?
    );
    let mut runtime = compiler();
    runtime.opt_level(1).flag(NAMES).flag("-pthread");
    for (name, text) in [("record", record), ("replay", replay)] {
        let source = out.join(format!("{name}.c"));
        fs::write(&source, text)?;
        compile(&runtime, &source, &out.join(format!("{name}.o")))?;
    }
    Ok(())
}

fn compiler() -> cc::Build {
    let mut build = cc::Build::new();
    build.debug(false).pic(true).warnings(false);
    build.cargo_metadata(false).cargo_warnings(false);
    build
}

/// Writes the object of a source; an empty one if it cannot be compiled.
fn compile(compiler: &cc::Build, source: &Path, object: &Path) -> io::Result<()> {
    let compiled = compiler.clone().file(source).try_compile_intermediates();
    let bytes = match compiled.as_deref() {
        Ok([only]) => fs::read(only)?,
        _ => Vec::new(),
    };
    fs::write(object, bytes)
}
