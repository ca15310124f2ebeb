//! Finds the programs of backends and asks their versions.

use crate::answer::Failure;
use crate::process::{self, Cancel, End, Invocation};
use crate::text;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A known backend. Callers ask for its capabilities ([`Kind::capabilities`]); other crates cannot
/// compare kinds, so that none depends on a particular backend.
#[derive(Clone, Copy, Debug)]
pub struct Kind(pub(crate) Which);

/// The backends, visible in this crate only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    Cbmc,
    Esbmc,
    Native,
}

impl Kind {
    /// CBMC, the C bounded model checker.
    pub const CBMC: Kind = Kind(Which::Cbmc);
    /// ESBMC, the efficient SMT-based context-bounded model checker.
    pub const ESBMC: Kind = Kind(Which::Esbmc);
    /// No model checker: the system's C compiler, for one observed run.
    pub const NATIVE: Kind = Kind(Which::Native);
    /// All kinds.
    pub const ALL: [Kind; 3] = [Kind::CBMC, Kind::ESBMC, Kind::NATIVE];

    /// The program's name, which is also the name in options and reports.
    pub fn name(self) -> &'static str {
        match self.0 {
            Which::Cbmc => "cbmc",
            Which::Esbmc => "esbmc",
            Which::Native => "native",
        }
    }

    /// The environment variable with the program's path.
    pub fn variable(self) -> &'static str {
        match self.0 {
            Which::Cbmc => "BAPRODUCT_CBMC",
            Which::Esbmc => "BAPRODUCT_ESBMC",
            Which::Native => "BAPRODUCT_CC",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Kind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Kind::ALL.into_iter().find(|k| k.name() == name);
        let known = Kind::ALL.map(Kind::name).join(", ");
        found.ok_or_else(|| format!("unknown backend '{name}' (known: {known})"))
    }
}

/// A version in the form that all backends use.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// Major, minor, patch.
    pub numbers: (u32, u32, u32),
    /// The text that the program printed.
    pub text: String,
}

impl Version {
    /// Finds the first word that is a number with at least one dot.
    pub fn parse(output: &str) -> Option<Self> {
        output.split_whitespace().find_map(|word| {
            let word = word.trim_matches(['(', ')', ',']);
            let mut parts = word.split(['.', '-', '+']).map(str::parse::<u32>);
            let (major, minor) = (parts.next()?.ok()?, parts.next()?.ok()?);
            let patch = parts.next().and_then(Result::ok).unwrap_or(0);
            Some(Version {
                numbers: (major, minor, patch),
                text: word.to_owned(),
            })
        })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// A program that was found and has reported its version.
#[derive(Clone, Debug)]
pub struct Program {
    /// Which.
    pub kind: Kind,
    /// Where.
    pub path: PathBuf,
    /// Its version.
    pub version: Version,
}

impl Program {
    /// Finds the program and asks its version.
    ///
    /// # Errors
    /// As for [`crate::open`].
    pub fn open(kind: Kind, explicit: Option<&Path>) -> Result<Self, Failure> {
        let path = find(kind, explicit)?;
        let version = version_of(&path)?;
        Ok(Program {
            kind,
            path,
            version,
        })
    }
}

/// Finds the program: the path that the user gave, else the environment variable
/// ([`Kind::variable`]), else `PATH`, else, for CBMC, the private prefix of `scripts/fetch-cbmc`.
/// If a path that the user gave does not work, nothing else is tried.
///
/// # Errors
/// [`Failure::NotFound`] with the places that were searched.
pub fn find(kind: Kind, explicit: Option<&Path>) -> Result<PathBuf, Failure> {
    let variable = std::env::var_os(kind.variable()).filter(|v| !v.is_empty());
    let given = match (explicit, &variable) {
        (Some(path), _) => Some((path.display().to_string(), path.to_owned())),
        (None, Some(path)) => {
            let path = PathBuf::from(path);
            Some((format!("{}={}", kind.variable(), path.display()), path))
        }
        (None, None) => None,
    };
    let not_found = |looked| Failure::NotFound {
        program: kind.name().to_owned(),
        looked,
    };
    if let Some((place, path)) = given {
        return which::which(&path).map_err(|_| not_found(vec![place]));
    }
    let names: &[&str] = match kind.0 {
        Which::Native => &["gcc", "cc", "clang"],
        _ => &[kind.name()],
    };
    if let Some(path) = names.iter().find_map(|name| which::which(name).ok()) {
        return Ok(path);
    }
    let mut looked = vec!["PATH".to_owned()];
    if kind.0 == Which::Cbmc {
        if let Some(cache) = cache_directory() {
            if let Some(path) = newest_in(&cache, kind.name()) {
                return Ok(path);
            }
            looked.push(cache.display().to_string());
        }
    }
    Err(not_found(looked))
}

/// A program on `PATH`, for programs that are not backends, such as preprocessors.
pub fn on_path(name: &str) -> Option<PathBuf> {
    which::which(name).ok()
}

/// The directory where `scripts/fetch-cbmc` puts CBMC.
fn cache_directory() -> Option<PathBuf> {
    let variable = |name| {
        std::env::var_os(name)
            .filter(|v| !v.is_empty())
            .map(PathBuf::from)
    };
    variable("BAPRODUCT_CACHE")
        .or_else(|| Some(variable("XDG_CACHE_HOME")?.join("baproduct")))
        .or_else(|| Some(variable("HOME")?.join(".cache").join("baproduct")))
}

/// `CACHE/cbmc-6.6.0/bin/cbmc` with the greatest version that exists and is executable.
fn newest_in(cache: &Path, name: &str) -> Option<PathBuf> {
    let prefix = format!("{name}-");
    let entries = std::fs::read_dir(cache).ok()?.filter_map(Result::ok);
    let candidates = entries.filter_map(|entry| {
        let version = Version::parse(entry.file_name().to_str()?.strip_prefix(&prefix)?)?;
        let path = which::which(entry.path().join("bin").join(name)).ok()?;
        Some((version, path))
    });
    candidates.max().map(|(_, path)| path)
}

/// The time limit for reporting a version.
const PATIENCE: Duration = Duration::from_secs(30);

/// Runs `PROGRAM --version`.
///
/// # Errors
/// If the program does not start, does not end, fails, or prints no version.
pub fn version_of(path: &Path) -> Result<Version, Failure> {
    let mut invocation = Invocation::new(path);
    invocation.arg("--version");
    invocation.limits.timeout = Some(PATIENCE);
    invocation.limits.max_output = 1 << 20;
    let read = |out: &mut dyn std::io::Read| text::lines(out).take(20).collect::<Vec<_>>();
    let ran = process::run(&invocation, &Cancel::new(), read).map_err(|e| Failure::Spawn {
        program: path.display().to_string(),
        message: e.to_string(),
    })?;
    match ran.end {
        End::Exited(status) if status.success() => Version::parse(&ran.value.join(" "))
            .ok_or_else(|| Failure::unparsable(format!("{} tells no version", path.display()))),
        End::Exited(status) => Err(Failure::Crashed {
            status: status.to_string(),
            stderr: ran.stderr,
        }),
        End::TimedOut => Err(Failure::Timeout { limit: PATIENCE }),
        End::Cancelled => Err(Failure::Cancelled),
        End::OutOfMemory { mib } => Err(Failure::MemoryOut { mib }),
        End::TooMuchOutput => Err(Failure::unparsable(format!(
            "{} tells no version",
            path.display()
        ))),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn versions_are_found_in_what_programs_print() {
        let cases = [
            ("6.6.0 (cbmc-6.6.0)", (6, 6, 0)),
            ("5.12 (cbmc-5.12)", (5, 12, 0)),
            ("ESBMC version 8.4.0 64-bit x86_64 linux", (8, 4, 0)),
            ("gcc (Debian 12.2.0-14) 12.2.0\nCopyright", (12, 2, 0)),
            ("Apple clang version 15.0.0 (clang-1500.3.9.4)", (15, 0, 0)),
        ];
        for (text, numbers) in cases {
            assert_eq!(Version::parse(text).unwrap().numbers, numbers, "{text}");
        }
        assert_eq!(Version::parse("no version here, 3 words"), None);
    }

    #[test]
    fn the_newest_prefix_in_the_cache_is_taken() {
        let cache = tempfile::tempdir().unwrap();
        for version in ["6.6.0", "6.10.0", "5.12", "7.0.0"] {
            let bin = cache.path().join(format!("cbmc-{version}")).join("bin");
            std::fs::create_dir_all(&bin).unwrap();
            if version != "7.0.0" {
                let path = bin.join("cbmc");
                std::fs::write(&path, "#!/bin/sh\n").unwrap();
                let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
                std::fs::set_permissions(&path, mode).unwrap();
            }
        }
        let found = newest_in(cache.path(), "cbmc").unwrap();
        assert!(
            found.ends_with("cbmc-6.10.0/bin/cbmc"),
            "{}",
            found.display()
        );
        assert_eq!(newest_in(cache.path(), "esbmc"), None);
    }

    #[test]
    fn a_path_that_the_user_gave_is_used_or_is_an_error() {
        let missing = find(Kind::CBMC, Some(Path::new("nowhere/cbmc")));
        assert!(
            matches!(missing, Err(Failure::NotFound { looked, .. }) if looked == ["nowhere/cbmc"])
        );
        assert!(find(Kind::CBMC, Some(Path::new("sh")))
            .unwrap()
            .ends_with("sh"));
    }
}
