//! The machine that a program is for: which preprocessor tells its data model, and whether the
//! program that was read has the model that was asked for.

use std::sync::Arc;

use anyhow::Context;
use backend::Headers32;
use cfront::data_model::DataModel;
use cfront::preprocess::Options;
use spec::Target;

use crate::exit::{Ended, Status};
use crate::options::{Preprocessor, DEFAULT_CPP};

/// Files that the preprocessor needs for a target while it reads a program.
pub type Files = Option<Arc<Headers32>>;

/// Chooses the preprocessor for a target where the command line names none, and its flags.
///
/// # Errors
/// If no preprocessor for the target is installed, or files for it cannot be written.
pub fn prepare(
    target: Target,
    preprocessor: &Preprocessor,
    options: &mut Options,
) -> anyhow::Result<Files> {
    if preprocessor.cpp != DEFAULT_CPP {
        return Ok(None);
    }
    let cross = |name: &str| backend::locate::on_path(name).is_some();
    match target {
        Target::Macros | Target::Lp64 => Ok(None),
        Target::Ilp32 => thirty_two(options).map(Some),
        Target::CortexM if cross("arm-none-eabi-gcc") => {
            options.command = Some("arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb".into());
            Ok(None)
        }
        Target::CortexM => {
            options.extra.push("-funsigned-char".into());
            let host = ["-U__i386__", "-U__i386", "-Ui386", "-Ulinux", "-D__arm__=1"];
            options.extra.extend(host.map(String::from));
            thirty_two(options).map(Some)
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
fn only(
    compiler: &str,
    packages: &str,
    name: &str,
    options: &mut Options,
) -> anyhow::Result<Files> {
    if backend::locate::on_path(compiler).is_none() {
        let message = format!(
            "--target {name} needs `{compiler}`, whose headers and macros tell the types of such programs; install it (Debian: {packages}), or name another by --cpp"
        );
        return Err(Ended::error(Status::Failure, message));
    }
    options.command = Some(compiler.into());
    Ok(None)
}

/// The flags of a 64-bit compiler for 32-bit programs. The headers of 64-bit programs serve where those of
/// 32-bit ones are not installed.
fn thirty_two(options: &mut Options) -> anyhow::Result<Arc<Headers32>> {
    let compiler = options.command.as_deref().unwrap_or(DEFAULT_CPP);
    let headers = Headers32::of(compiler).context("cannot make a directory for headers")?;
    for directory in headers.directories() {
        options.extra.push("-idirafter".into());
        options.extra.push(directory.display().to_string());
    }
    options.extra.push("-m32".into());
    Ok(Arc::new(headers))
}

/// Checks that a program has the widths of a target.
///
/// # Errors
/// If the preprocessor's macros say something else.
pub fn check(target: Target, model: &DataModel) -> anyhow::Result<()> {
    let wanted = match target {
        Target::Macros => return Ok(()),
        Target::Lp64 => (32, 64, 64),
        Target::Ilp32 | Target::CortexM => (32, 32, 32),
        Target::Llp64 => (32, 32, 64),
        Target::Avr => (16, 32, 16),
    };
    if (model.int, model.long, model.pointer) == wanted {
        return Ok(());
    }
    let message = format!(
        "the preprocessor's macros say that `int`, `long` and pointers have {}, {} and {} bits, and --target {} says {}, {} and {}; name a preprocessor for that machine (--cpp), or another target",
        model.int, model.long, model.pointer, target.name(), wanted.0, wanted.1, wanted.2
    );
    Err(Ended::error(Status::Usage, message))
}
