//! The options of an installed ESBMC, read from its help.

use crate::answer::Failure;
use crate::process::{self, Cancel, End, Invocation};
use crate::text;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

/// The time limit for printing the help.
const PATIENCE: Duration = Duration::from_secs(30);

/// The options of one version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Features {
    options: BTreeSet<String>,
}

impl Features {
    /// Reads the output of `--help`. An option is indented by two spaces, as `--name` or `-D [
    /// --name ]`; its description is further to the right.
    pub(super) fn parse<'a>(help: impl Iterator<Item = &'a str>) -> Self {
        let option = |line: &'a str| {
            let line = line.strip_prefix("  ").filter(|l| l.starts_with('-'))?;
            let line = line.split_once("[ ").map_or(line, |(_, long)| long);
            let name = line.split([' ', '=']).next()?;
            name.starts_with("--").then(|| name.to_owned())
        };
        Features {
            options: help.filter_map(option).collect(),
        }
    }

    /// Asks the program.
    ///
    /// # Errors
    /// If the program does not start or prints no options.
    pub(super) fn ask(path: &Path) -> Result<Self, Failure> {
        let mut invocation = Invocation::new(path);
        super::environment(&mut invocation);
        invocation.arg("--help");
        invocation.limits.timeout = Some(PATIENCE);
        invocation.limits.max_output = 4 << 20;
        let read = |out: &mut dyn std::io::Read| text::lines(out).take(5_000).collect::<Vec<_>>();
        let ran = process::run(&invocation, &Cancel::new(), read).map_err(|e| Failure::Spawn {
            program: path.display().to_string(),
            message: e.to_string(),
        })?;
        if ran.end == End::TimedOut {
            return Err(Failure::Timeout { limit: PATIENCE });
        }
        let features = Features::parse(ran.value.iter().map(String::as_str));
        if !features.has("--unwind") {
            return Err(Failure::unparsable("its help names no options"));
        }
        Ok(features)
    }

    /// Whether the version has an option.
    pub(super) fn has(&self, option: &str) -> bool {
        self.options.contains(option)
    }

    /// Those of some options that the version has.
    pub(super) fn of<'a>(&'a self, options: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
        options.iter().copied().filter(|option| self.has(option))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_in_all_their_forms() {
        let help = "Options:\n  -? [ --help ]                         Show help\n  --function name     Set it\n                      --not-this one\n  --context-bound nr (=-1)   Limit\n  --k-path-coverage [=N(=-2)]   Show\n  -f [ --force ] arg  Pass\n";
        let features = Features::parse(help.lines());
        for option in [
            "--help",
            "--function",
            "--context-bound",
            "--k-path-coverage",
            "--force",
        ] {
            assert!(features.has(option), "{option}");
        }
        assert!(!features.has("--not-this"));
        let wanted = ["--force", "--nothing"];
        assert_eq!(features.of(&wanted).collect::<Vec<_>>(), ["--force"]);
    }
}
