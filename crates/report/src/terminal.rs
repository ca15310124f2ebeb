//! Finds the options that suit standard output. Only this file reads the environment and the
//! terminal.

use crate::text::Options;
use std::io::IsTerminal;

/// The options that suit standard output. `colour` is the user's choice; without one, a terminal
/// gets colours unless `NO_COLOR` is set or `TERM` is `dumb`.
pub fn options(colour: Option<bool>, verbose: bool) -> Options {
    let terminal = std::io::stdout().is_terminal();
    let variable = |name| std::env::var(name).ok().filter(|v| !v.is_empty());
    let plain = variable("NO_COLOR").is_some() || variable("TERM").as_deref() == Some("dumb");
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(variable);
    let columns = variable("COLUMNS")
        .and_then(|c| c.parse().ok())
        .or_else(columns);
    let options = Options {
        colour: colour.unwrap_or(terminal && !plain),
        unicode: speaks_unicode(locale.as_deref(), terminal),
        width: 0,
        verbose,
    };
    options.with_width(columns)
}

/// Whether the reader can show Unicode: the locale decides; without one, a file or pipe gets UTF-8
/// and a terminal ASCII.
fn speaks_unicode(locale: Option<&str>, terminal: bool) -> bool {
    match locale {
        Some(locale) => {
            let locale = locale.to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        }
        None => !terminal,
    }
}

fn columns() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(rustix::stdio::stdout()).ok()?;
    (size.ws_col > 0).then_some(usize::from(size.ws_col))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locale_decides_the_characters() {
        assert!(speaks_unicode(Some("de_DE.UTF-8"), true));
        assert!(speaks_unicode(Some("C.utf8"), false));
        assert!(!speaks_unicode(Some("C"), true));
        assert!(!speaks_unicode(Some("POSIX"), false));
        assert!(speaks_unicode(None, false));
        assert!(!speaks_unicode(None, true));
    }

    #[test]
    fn widths_are_kept_readable() {
        assert_eq!(Options::default().with_width(None).width, 100);
        assert_eq!(Options::default().with_width(Some(5)).width, 40);
        assert_eq!(Options::default().with_width(Some(500)).width, 160);
    }
}
