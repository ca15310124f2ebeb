//! `baproduct doctor`: shows what is installed and what is missing, and how to install it.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use backend::{locate, Advice, Failure, Kind, Version};
use question::prove::GET_SPIN;

use crate::commands::verify::progress;
use crate::options::Output;
use crate::outputs;

/// The exit status if nothing can be verified (docs/results.md, "Exit statuses").
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

/// Prints the installed programs. The exit status is 0 if a program can be verified, else 4.
///
/// # Errors
/// If standard output cannot be written.
pub fn run(args: Args, output: &Output) -> anyhow::Result<ExitCode> {
    if args.fix && !Tool::backend(Kind::CBMC, args.cbmc.clone()).works() {
        fetch()?;
    }
    let line = progress::line(
        output,
        "asking the installed programs for their versions".into(),
    );
    // Each program takes time to report its version, so all are asked in parallel.
    let (preprocessors, backends) = std::thread::scope(|scope| {
        let given = [(Kind::CBMC, args.cbmc), (Kind::ESBMC, args.esbmc)];
        let given = given.map(|(kind, path)| (kind.name(), path));
        let path = |kind: Kind| {
            given
                .iter()
                .find(|(name, _)| *name == kind.name())?
                .1
                .clone()
        };
        let checkers = Kind::ALL
            .into_iter()
            .filter(|kind| kind.capabilities().searches);
        let checkers: Vec<_> = checkers
            .map(|kind| (kind, path(kind)))
            .map(|(kind, path)| scope.spawn(move || Tool::backend(kind, path)))
            .collect();
        let preprocessors = PREPROCESSORS.map(|one| scope.spawn(move || Tool::preprocessor(one)));
        (answers(preprocessors), answers(checkers))
    });
    drop(line);
    let (preprocessors, backends) = (preprocessors?, backends?);
    let text = report(&preprocessors, &backends) + &optional(locate::on_path("spin"));
    outputs::print(text.as_bytes())?;
    Ok(match usable(&preprocessors, &backends) {
        Ok(_) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(NO_USABLE_BACKEND),
    })
}

/// The answers of the parallel questions, in their order.
fn answers<'a>(
    asked: impl IntoIterator<Item = std::thread::ScopedJoinHandle<'a, Tool>>,
) -> anyhow::Result<Vec<Tool>> {
    let answered = asked.into_iter().map(|tool| {
        let broken = |_| anyhow::anyhow!("a program's version could not be asked");
        tool.join().map_err(broken)
    });
    answered.collect()
}

/// The repository's script that fetches programs.
const FETCH: &str = include_str!("../../../../scripts/fetch");

/// Fetches a CBMC into the cache directory, where later runs find it.
fn fetch() -> anyhow::Result<()> {
    use anyhow::Context;
    let directory = backend::Scratch::new()?;
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

/// The preprocessors for the user's program.
const PREPROCESSORS: [(&str, Advice); 2] = [
    (
        "gcc",
        Advice {
            purpose: "preprocesses programs for cbmc",
            option: None,
            remedies: &["Debian, Ubuntu: apt install gcc"],
        },
    ),
    (
        "clang",
        Advice {
            purpose: "preprocesses programs for esbmc",
            option: None,
            remedies: &[
                "Debian, Ubuntu: apt install clang",
                "macOS: xcode-select --install",
            ],
        },
    ),
];

/// A program with its path and version, or the reason why it cannot be used.
struct Tool {
    name: &'static str,
    /// Its purpose, and how to install it.
    advice: Advice,
    found: Result<(PathBuf, Version), Failure>,
    /// The capabilities of this version of a model checker.
    can: Vec<&'static str>,
}

impl Tool {
    fn preprocessor((name, advice): (&'static str, Advice)) -> Self {
        let missing = || Failure::NotFound {
            program: name.to_owned(),
            looked: vec!["PATH".to_owned()],
        };
        let path = locate::on_path(name).ok_or_else(missing);
        Tool::asked(name, advice, path)
    }

    fn backend(kind: Kind, explicit: Option<PathBuf>) -> Self {
        let opened = backend::open(kind, explicit.as_deref());
        let can = opened.as_ref().map(|b| b.capabilities().names());
        Tool {
            name: kind.name(),
            advice: kind.advice(),
            can: can.unwrap_or_default(),
            found: opened.map(|b| {
                let program = b.program();
                (program.path.clone(), program.version.clone())
            }),
        }
    }

    fn asked(name: &'static str, advice: Advice, path: Result<PathBuf, Failure>) -> Self {
        let found = path.and_then(|path| {
            let version = locate::version_of(&path)?;
            Ok((path, version))
        });
        Tool {
            name,
            advice,
            found,
            can: Vec::new(),
        }
    }

    fn works(&self) -> bool {
        self.found.is_ok()
    }
}

/// The backend that `verify` can use now, or what is missing.
fn usable(preprocessors: &[Tool], backends: &[Tool]) -> Result<&'static str, String> {
    let backend = backends.iter().find(|tool| tool.works());
    let names = |tools: &[Tool]| {
        tools
            .iter()
            .map(|t| t.name)
            .collect::<Vec<_>>()
            .join(" or ")
    };
    let checker = || format!("a model checker ({})", names(backends));
    let preprocessor = || format!("a C preprocessor ({})", names(preprocessors));
    match (backend, preprocessors.iter().any(Tool::works)) {
        (Some(backend), true) => Ok(backend.name),
        (Some(_), false) => Err(preprocessor()),
        (None, true) => Err(checker()),
        (None, false) => Err(format!("{} and {}", checker(), preprocessor())),
    }
}

fn report(preprocessors: &[Tool], backends: &[Tool]) -> String {
    let mut text = String::new();
    for (heading, tools) in [
        ("Preprocessors", preprocessors),
        ("Model checkers", backends),
    ] {
        let _ = writeln!(text, "{heading}");
        for tool in tools {
            describe(&mut text, tool);
        }
        let _ = writeln!(text);
    }
    let _ = match usable(preprocessors, backends) {
        Ok(backend) => writeln!(text, "Ready: `baproduct verify` can use {backend}."),
        Err(lack) => writeln!(text, "Not ready: `baproduct verify` lacks {lack}."),
    };
    text
}

/// The line about optional programs.
fn optional(spin: Option<PathBuf>) -> String {
    match spin {
        Some(path) => format!(
            "Optional: spin ({}) for `prove --engine spin`.\n",
            path.display()
        ),
        None => {
            format!("Optional: spin is missing, which `prove --engine spin` needs. {GET_SPIN}.\n")
        }
    }
}

/// The lines about a program: path and version, or the reason and the ways to install it.
fn describe(text: &mut String, tool: &Tool) {
    let name = tool.name;
    let _ = match &tool.found {
        Ok((path, version)) => {
            writeln!(
                text,
                "  {name:<6} {version:<9} {}\n  {:16} {}",
                path.display(),
                "",
                std::iter::once(tool.advice.purpose)
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
        for way in tool.advice.remedies {
            let _ = writeln!(text, "  {:16} {way}", "");
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn found(name: &'static str, version: &str) -> Result<(PathBuf, Version), Failure> {
        let path = PathBuf::from(format!("bin/{name}"));
        Ok((path, Version::parse(version).unwrap()))
    }

    fn not_found(name: &str) -> Failure {
        Failure::NotFound {
            program: name.to_owned(),
            looked: vec!["PATH".to_owned(), "cache".to_owned()],
        }
    }

    fn checker(kind: Kind, found: Result<(PathBuf, Version), Failure>) -> Tool {
        let can = found.as_ref().map(|_| kind.capabilities().names());
        Tool {
            name: kind.name(),
            advice: kind.advice(),
            can: can.unwrap_or_default(),
            found,
        }
    }

    fn cbmc() -> Tool {
        checker(Kind::CBMC, found("cbmc", "6.6.0"))
    }

    fn no_cbmc() -> Tool {
        checker(Kind::CBMC, Err(not_found("cbmc")))
    }

    fn no_esbmc() -> Tool {
        checker(Kind::ESBMC, Err(not_found("esbmc")))
    }

    /// gcc with this version (missing if `None`), and no clang.
    fn preprocessors(version: Option<&str>) -> [Tool; 2] {
        PREPROCESSORS.map(|(name, advice)| Tool {
            name,
            advice,
            found: match version.filter(|_| name == "gcc") {
                Some(version) => found(name, version),
                None => Err(not_found(name)),
            },
            can: Vec::new(),
        })
    }

    #[test]
    fn one_backend_and_one_preprocessor_are_enough() {
        let text = report(&preprocessors(Some("12.2.0")), &[cbmc(), no_esbmc()]);
        insta::assert_snapshot!(text);
    }

    #[test]
    fn what_is_missing_is_told_with_its_remedy() {
        let broken = Failure::Crashed {
            status: "exit status: 127".into(),
            stderr: String::new(),
        };
        let cbmc = checker(Kind::CBMC, Err(broken));
        let text = report(&preprocessors(None), &[cbmc, no_esbmc()]);
        insta::assert_snapshot!(text);
    }

    #[test]
    fn readiness_needs_both() {
        let (with, without) = (preprocessors(Some("12.2.0")), preprocessors(None));
        let esbmc = checker(Kind::ESBMC, found("esbmc", "8.4.0"));
        assert_eq!(usable(&with, &[no_cbmc(), esbmc]), Ok("esbmc"));
        assert!(usable(&without, &[cbmc()]).is_err());
        assert!(usable(&with, &[no_cbmc()]).is_err());
    }
}
