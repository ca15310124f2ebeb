//! `baproduct doctor`: what is installed, what is missing, how to get it.

use backend::{locate, Failure, Kind, Version};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::outputs;

/// Exit status where nothing can be verified (CLI.md).
const NO_USABLE_BACKEND: u8 = 4;

/// Show which preprocessors and model checkers are installed, and how to get the missing ones.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Look at this CBMC instead of the installed one.
    #[arg(long, value_name = "FILE")]
    cbmc: Option<PathBuf>,

    /// Look at this ESBMC instead of the installed one.
    #[arg(long, value_name = "FILE")]
    esbmc: Option<PathBuf>,

    /// Fetch a private CBMC into the cache directory if none can be used, without root and without a change to
    /// the system.
    #[arg(long)]
    fix: bool,
}

/// Prints what is there. The exit status is 0 if a program can be verified, else 4.
///
/// # Errors
/// Where standard output cannot be written.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    if args.fix && !Tool::backend(Kind::CBMC, args.cbmc.clone()).works() {
        fetch()?;
    }
    // Each program needs its time to tell a version, so all are asked at once, and told in their order as they answer.
    let (cbmc, esbmc) = (args.cbmc, args.esbmc);
    std::thread::scope(|scope| {
        let preprocessors =
            ["gcc", "clang"].map(|name| scope.spawn(move || Tool::preprocessor(name)));
        let backends = [
            scope.spawn(|| Tool::backend(Kind::CBMC, cbmc)),
            scope.spawn(|| Tool::backend(Kind::ESBMC, esbmc)),
        ];
        let preprocessors = told("Preprocessors", preprocessors)?;
        let backends = told("Model checkers", backends)?;
        let usable = usable(&preprocessors, &backends);
        let text = conclusion(usable) + &optional(locate::on_path("spin"));
        outputs::print(text.as_bytes())?;
        Ok(match usable {
            Ok(_) => ExitCode::SUCCESS,
            Err(_) => ExitCode::from(NO_USABLE_BACKEND),
        })
    })
}

/// Prints a heading, and each program below it once it has answered.
fn told<const N: usize>(
    heading: &str,
    asked: [std::thread::ScopedJoinHandle<'_, Tool>; N],
) -> anyhow::Result<Vec<Tool>> {
    outputs::print(format!("{heading}\n").as_bytes())?;
    let mut tools = Vec::new();
    for answer in asked {
        let tool = answer
            .join()
            .map_err(|_| anyhow::anyhow!("a version could not be read"))?;
        let mut text = String::new();
        describe(&mut text, &tool);
        outputs::print(text.as_bytes())?;
        tools.push(tool);
    }
    outputs::print(b"\n")?;
    Ok(tools)
}

/// The script that fetches, as the repository has it.
const FETCH: &str = include_str!("../../../../scripts/fetch");

/// Fetches a CBMC into the cache directory, where it is found from then on.
fn fetch() -> anyhow::Result<()> {
    use anyhow::Context;
    let directory = tempfile::Builder::new().prefix("baproduct-").tempdir()?;
    let script = directory.path().join("fetch");
    std::fs::write(&script, FETCH)?;
    let status = std::process::Command::new("bash")
        .arg(&script)
        .arg("cbmc")
        .stdout(std::process::Stdio::null())
        .status()
        .context("cannot start bash")?;
    anyhow::ensure!(
        status.success(),
        "CBMC could not be fetched; the messages above say why"
    );
    Ok(())
}

/// A program, and where it is or why it cannot be used.
struct Tool {
    name: &'static str,
    found: Result<(PathBuf, Version), Failure>,
    /// What this version of a model checker can do.
    can: Vec<&'static str>,
}

impl Tool {
    fn preprocessor(name: &'static str) -> Self {
        let missing = || Failure::NotFound {
            program: name.to_owned(),
            looked: vec!["PATH".to_owned()],
        };
        let path = locate::on_path(name).ok_or_else(missing);
        Tool::asked(name, path)
    }

    fn backend(kind: Kind, explicit: Option<PathBuf>) -> Self {
        let (found, can) = match backend::open(kind, explicit.as_deref()) {
            Ok(backend) => {
                let program = backend.program();
                let found = (program.path.clone(), program.version.clone());
                (Ok(found), backend.capabilities().names())
            }
            Err(failure) => (Err(failure), Vec::new()),
        };
        Tool {
            name: kind.name(),
            found,
            can,
        }
    }

    fn asked(name: &'static str, path: Result<PathBuf, Failure>) -> Self {
        let found = path.and_then(|path| {
            let version = locate::version_of(&path)?;
            Ok((path, version))
        });
        Tool {
            name,
            found,
            can: Vec::new(),
        }
    }

    fn works(&self) -> bool {
        self.found.is_ok()
    }

    /// What it is good for.
    fn purpose(&self) -> &'static str {
        match self.name {
            "gcc" => "preprocesses programs for cbmc",
            "clang" => "preprocesses programs for esbmc",
            _ => "sequential and threaded programs",
        }
    }

    /// How to get it, one way a line.
    fn remedy(&self) -> &'static [&'static str] {
        match self.name {
            "gcc" => &["Debian, Ubuntu: apt install gcc"],
            "clang" => &[
                "Debian, Ubuntu: apt install clang",
                "macOS: xcode-select --install",
            ],
            "cbmc" => &[
                "any Debian, without root: baproduct doctor --fix",
                "Ubuntu, Debian from 13 on: apt install cbmc",
                "macOS, Linux: brew install cbmc",
                "elsewhere: a release of the CBMC project, then --backend-path or BAPRODUCT_CBMC",
            ],
            _ => &[
                "Ubuntu: the package esbmc from the ESBMC project's PPA",
                "macOS, Linux: brew install esbmc",
                "elsewhere: a release of the ESBMC project, then --backend-path or BAPRODUCT_ESBMC",
            ],
        }
    }
}

/// The backend that `verify` can use as things are, or what it lacks.
fn usable(preprocessors: &[Tool], backends: &[Tool]) -> Result<&'static str, &'static str> {
    let backend = backends.iter().find(|tool| tool.works());
    match (backend, preprocessors.iter().any(Tool::works)) {
        (Some(backend), true) => Ok(backend.name),
        (Some(_), false) => Err("a C preprocessor (gcc or clang)"),
        (None, true) => Err("a model checker (cbmc or esbmc)"),
        (None, false) => Err("a model checker (cbmc or esbmc) and a C preprocessor (gcc or clang)"),
    }
}

/// Whether a program can be verified.
fn conclusion(usable: Result<&'static str, &'static str>) -> String {
    match usable {
        Ok(backend) => format!("Ready: `baproduct verify` can use {backend}.\n"),
        Err(lack) => format!("Not ready: `baproduct verify` lacks {lack}.\n"),
    }
}

/// What nothing depends on.
fn optional(spin: Option<PathBuf>) -> String {
    match spin {
        Some(path) => format!("Optional: spin ({}) for `prove --engine spin`.\n", path.display()),
        None => "Optional: spin is missing, which `prove --engine spin` needs; `scripts/fetch spin` brings it without root.\n".into(),
    }
}

/// One program: a line if it is there, else the reason and the ways to get it.
fn describe(text: &mut String, tool: &Tool) {
    let name = tool.name;
    let _ = match &tool.found {
        Ok((path, version)) => {
            writeln!(
                text,
                "  {name:<6} {version:<9} {}\n  {:16} {}",
                path.display(),
                "",
                std::iter::once(tool.purpose())
                    .chain(tool.can.iter().copied())
                    .collect::<Vec<_>>()
                    .join(", ")
            )
        }
        Err(Failure::NotFound { looked, .. }) => {
            writeln!(
                text,
                "  {name:<6} missing   (looked at {})",
                looked.join(", ")
            )
        }
        Err(failure) => writeln!(text, "  {name:<6} unusable  {failure}"),
    };
    if !tool.works() {
        for way in tool.remedy() {
            let _ = writeln!(text, "  {:16} {way}", "");
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn there(name: &'static str, version: &str) -> Tool {
        let path = PathBuf::from(format!("bin/{name}"));
        Tool {
            name,
            found: Ok((path, Version::parse(version).unwrap())),
            can: match name {
                "cbmc" => Kind::CBMC.capabilities().names(),
                "esbmc" => Kind::ESBMC.capabilities().names(),
                _ => Vec::new(),
            },
        }
    }

    fn missing(name: &'static str) -> Tool {
        let looked = vec!["PATH".to_owned(), "cache".to_owned()];
        Tool {
            name,
            found: Err(Failure::NotFound {
                program: name.to_owned(),
                looked,
            }),
            can: Vec::new(),
        }
    }

    /// What is printed of these programs.
    fn report(preprocessors: &[Tool], backends: &[Tool]) -> String {
        let mut text = String::new();
        for (heading, tools) in [
            ("Preprocessors", preprocessors),
            ("Model checkers", backends),
        ] {
            let _ = writeln!(text, "{heading}");
            tools.iter().for_each(|tool| describe(&mut text, tool));
            let _ = writeln!(text);
        }
        text + &conclusion(usable(preprocessors, backends))
    }

    #[test]
    fn one_backend_and_one_preprocessor_are_enough() {
        let text = report(
            &[there("gcc", "12.2.0"), missing("clang")],
            &[there("cbmc", "6.6.0"), missing("esbmc")],
        );
        insta::assert_snapshot!(text);
    }

    #[test]
    fn what_is_missing_is_told_with_its_remedy() {
        let broken = Failure::Crashed {
            status: "exit status: 127".into(),
            stderr: String::new(),
        };
        let text = report(
            &[missing("gcc"), missing("clang")],
            &[
                Tool {
                    name: "cbmc",
                    found: Err(broken),
                    can: Vec::new(),
                },
                missing("esbmc"),
            ],
        );
        insta::assert_snapshot!(text);
    }

    #[test]
    fn readiness_needs_both() {
        let cc = || there("gcc", "12.2.0");
        assert_eq!(
            usable(&[cc()], &[missing("cbmc"), there("esbmc", "8.4.0")]),
            Ok("esbmc")
        );
        assert!(usable(&[missing("gcc")], &[there("cbmc", "6.6.0")]).is_err());
        assert!(usable(&[cc()], &[missing("cbmc")]).is_err());
    }
}
