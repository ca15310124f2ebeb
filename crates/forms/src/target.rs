//! The machine that a program is for: which preprocessor tells its data model, and whether the
//! program that was read has the model that was asked for.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Context;
use backend::Headers32;
use cfront::data_model::DataModel;
use cfront::preprocess::Options;
use spec::Target;

use crate::failure::{Cause, Failure};
use crate::weaving::{Preprocessor, DEFAULT_CPP};

/// Files that preprocessors need for a target while they read a program, by compiler.
pub type Files = BTreeMap<String, Arc<Headers32>>;

/// Chooses the preprocessor for a target where the command line names none, and its flags.
///
/// # Errors
/// If no preprocessor for the target is installed, or files for it cannot be written.
pub fn prepare(
    target: Target,
    preprocessor: &Preprocessor,
    options: &mut Options,
    files: &mut Files,
) -> anyhow::Result<()> {
    if preprocessor.cpp != DEFAULT_CPP {
        return Ok(());
    }
    let cross = |name: &str| backend::locate::on_path(name).is_some();
    match target {
        Target::Macros | Target::Lp64 => Ok(()),
        Target::Ilp32 => thirty_two(options, files),
        Target::CortexM if cross("arm-none-eabi-gcc") => {
            options.command = Some("arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb".into());
            Ok(())
        }
        Target::CortexM => {
            options.extra.push("-funsigned-char".into());
            let host = ["-U__i386__", "-U__i386", "-Ui386", "-Ulinux", "-D__arm__=1"];
            options.extra.extend(host.map(String::from));
            thirty_two(options, files)
        }
        Target::Avr => only("avr-gcc", "gcc-avr and avr-libc", "avr", options),
        Target::Llp64 => only(
            "x86_64-w64-mingw32-gcc",
            "gcc-mingw-w64-x86-64",
            "llp64",
            options,
        ),
    }
}

/// Takes a cross compiler, which knows its types and has headers for them.
fn only(compiler: &str, packages: &str, name: &str, options: &mut Options) -> anyhow::Result<()> {
    if backend::locate::on_path(compiler).is_none() {
        let message = format!(
            "--target {name} needs `{compiler}`, whose headers and macros tell the types of such programs; install it (Debian: {packages}), or name another by --cpp"
        );
        return Err(Failure::error(Cause::Other, message));
    }
    options.command = Some(compiler.into());
    Ok(())
}

/// The flags of a 64-bit compiler for 32-bit programs. The headers of 64-bit programs serve where those of
/// 32-bit ones are not installed.
fn thirty_two(options: &mut Options, files: &mut Files) -> anyhow::Result<()> {
    let compiler = options.command.as_deref().unwrap_or(DEFAULT_CPP);
    let headers = match files.get(compiler) {
        Some(headers) => headers.clone(),
        None => {
            let made = Headers32::of(compiler).context("cannot make a directory for headers")?;
            let made = Arc::new(made);
            files.insert(compiler.to_owned(), made.clone());
            made
        }
    };
    for directory in headers.directories() {
        options.extra.push("-idirafter".into());
        options.extra.push(directory.display().to_string());
    }
    options.extra.push("-m32".into());
    Ok(())
}

/// Checks that a program has the widths of a target.
///
/// # Errors
/// If the preprocessor's macros say something else.
pub fn check(target: Target, model: &DataModel) -> anyhow::Result<()> {
    let wanted = match target {
        Target::Macros => return Ok(()),
        Target::Lp64 => DataModel::LP64,
        Target::Ilp32 | Target::CortexM => DataModel::ILP32,
        Target::Llp64 => DataModel::LLP64,
        Target::Avr => DataModel::IP16,
    };
    if model.widths() == wanted.widths() {
        return Ok(());
    }
    let message = format!(
        "the preprocessor's macros say that `int`, `long` and pointers have {}, {} and {} bits, and --target {} says {}, {} and {}; name a preprocessor for that machine (--cpp), or another target",
        model.int, model.long, model.pointer, target.name(), wanted.int, wanted.long, wanted.pointer
    );
    Err(Failure::error(Cause::Usage, message))
}
