//! Notes on standard error.

use std::fmt::Display;
use std::io::{self, Write};

/// Prints a line on standard error. A failure to print is ignored: it could not be reported, and
/// the exit status must not change.
pub fn tell(message: impl Display) {
    #[cfg(test)]
    let Some(message) = TOLD.with_borrow_mut(|told| match told {
        Some(told) => {
            told.push_str(&format!("{message}\n"));
            None
        }
        None => Some(message),
    }) else {
        return;
    };
    let _ = writeln!(io::stderr(), "{message}");
}

#[cfg(test)]
thread_local! {
    /// The messages that were printed on this thread, if a test captures them.
    static TOLD: std::cell::RefCell<Option<String>> = const { std::cell::RefCell::new(None) };
}

/// Runs `work` and returns its result with the messages that it printed on this thread.
#[cfg(test)]
pub fn captured<T>(work: impl FnOnce() -> T) -> (T, String) {
    TOLD.set(Some(String::new()));
    let result = work();
    (result, TOLD.take().unwrap_or_default())
}
